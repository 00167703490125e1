"""One's own turn as buttons and selects: a verb, then field by field, and only legal values at every step.

The first screen is the panel: where the game stands, what the seat has, what it can do and what that costs. It is shown to
the seat's holder alone, so it may tell what only the seat may know.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field as field_of
from functools import partial
from typing import Any

import discord
from discord import SelectOption

from bot.discord.components import ROWS, Persistent, Style, button, select, view
from bot.discord.game import buttons as bt, menu_path as mp
from bot.discord.game.answer_forms import sheet_lines, sheet_name, sheet_parts
from bot.discord.game.effects import effects_of_several
from bot.discord.game.extras import SHOWN
from bot.discord.game.menu_words import ChoiceDetails, called, cost_of, first_sentence, heading, partly, spoken
from bot.discord.heard import confide
from bot.discord.lengths import CHOICES, LABEL, NAME, capital, clip
from bot.discord.responses import seat_name
from bot.domain.announcements import choice_id, reader_of
from engine import notation
from engine.kernel import Action, Ask, GameSpec, Seat, Table, choices, place_of
from engine.kernel.game_spec import CLOSEUP, Picture, numbered, pictures
from engine.text import Reader, Text, say, text, verbatim

FEW = 10                    # whole answers are offered as buttons up to this number: two rows
SINGLES = 4                 # kinds with one answer each that are buttons beside the lists of the others
IN_A_ROW = 5                # buttons
RESERVE = 1                 # the button below a tip
REMARK = re.compile(r" \([^()]*\)$")        # what a question adds for whoever types: "(or random)"


# --- the screen ---------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Screen:
    """A message to one person: words, and what can be pressed."""

    words: str
    view: discord.ui.View | None


def screen(table: Table, game: int, seat: Seat, path: mp.Path = (), page: int = 0, *, above: str = "", head: bool = True,
           more: Sequence[Persistent] = (), outlooks: Mapping[Action, Text] | None = None,
           planned: Iterable[str] = (), board: bool = True, asides: bool = True) -> Screen:
    """The seat's present question, or a step into its answer, below what just happened. Raises Stale for a dead path.

    With `head`, the first screen says where the game stands and what the seat has; `planned` stands below that. `more` can
    be pressed besides. `outlooks` are those of `weighed_here`, as far as they are known. With `board`, numbers of places come
    with the board that has them; with `asides`, what can be done whatever is asked comes below.
    """
    confide(game, seat)
    reader, question, apart = reader_of(table), table.question(seat), mp.aside(table.spec, path)
    lines, shown = [above] if above else [], Controls([], [])
    if len(path) == 1 and apart is None and len({option.verb for option in table.options(seat)}) == 1:
        path = ()                       # going back to a verb that was never asked for
    besides = [*_besides(table, game, seat, reader)] if asides else []
    after = [] if path else [*besides, *more]
    if question is not None or apart is not None:
        pieces = table.spec.views.ordered(table.state, seat) if not path else ()
        kept = {type(drop): [option for option in table.options(seat) if type(option) is type(drop)] for _, drop in pieces}
        dropping = [drop for _, drop in pieces]
        areas = table.spec.views.areas(table.parts)
        offered = [option for option in mp.open_to(table, seat, path) if type(option) not in kept or option not in dropping]
        menus = table.spec.words.menus
        step = mp.walk(menus, offered, path, areas)
        shared = cost_of(step.options, table.state, seat, reader) if isinstance(step, mp.Step) and step.kind is not None else ""
        beside = ChoiceDetails(menus, table.state, seat, reader, any(word.startswith(mp.TYPED) for word in path), shared,
                        partial(table.spec.words.summary, table.state, seat),
                        numbered(menus, table.spec.views.numbers(table.parts), step.options if isinstance(step, mp.Step) else ()),
                        areas)
        if path:
            lines.append(_so_far(step, beside, reader) if isinstance(step, mp.Step) or apart is None
                         else say(text(first_sentence(apart))))        # nothing is left to choose: what the button does
        elif question is not None:
            if head:
                lines += [line for line in heading(table, seat, reader) if line not in above.split("\n")]
            lines += planned
            asked = f"**{seat_name(table, seat, reader)}**: {say(question.text(), reader)}"
            lines.append(" · ".join([asked, *_costs(beside.above, reader)]))
        lines += [f"{number}. {say(piece, reader)}" for number, (piece, _) in enumerate(pieces, 1)]
        if isinstance(step, mp.Step) and step.kind is not None:
            lines += effects_of_several(step.options, beside.effect, reader)
        facts = (game, seat, mp.stamp(table, path))
        looking = own_board(table.spec, game) if beside.numbers and board else []
        below = len(after) + (0 if path else RESERVE)
        shown = _ways_on(step, table.spec, beside, facts, page, ROWS - bool(pieces), below, outlooks or {})
        lines += shown.told
        if pieces:
            listed = [option for options in kept.values() for option in options]
            shown.selects.extend(_droppable([piece for piece in enumerate(pieces, 1) if piece[1][1] in listed], facts, reader))
        within = mp.part_of(step, areas) if path else ""
        near = [within] if within else mp.parts_of(menus, shown.listed if beside.numbers else (), areas)
        near = [part for part in near if part] if closeup_of(table.spec) is not None else []
        if near:
            looking = close_ups(table, game, seat, path, near)
        if path or len(shown.selects) + _rows(len(shown.buttons) + len(looking) + below) <= ROWS:
            shown.buttons.extend(looking)
        if path:
            first = mp.walk(menus, offered, (), areas) if len(path) == 2 and apart is None else None
            around = len(besides) + SHOWN + RESERVE
            before = () if isinstance(first, mp.Step) and _lists_of(first, ROWS - bool(pieces), around) is not None else path[:-1]
            shown.buttons.append(button(text("Back"), bt.MENU, game, seat, mp.stamp(table, before), ".".join(before), 0))
    else:
        away = text("You're away: default moves are played for you.")
        idle = say(away if seat in table.absent and not table.over else table.idle(seat), reader)
        lines += [idle] if idle not in above else []
        lines += [say(table.spec.words.result(table.state), reader)] if table.over else []
    return Screen("\n".join(lines), view([*shown.selects, *shown.buttons, *after]))


def closeup_of(spec: GameSpec) -> Picture | None:
    """The picture that shows a part of the map with the numbers of a menu; None if the game has none."""
    return next((picture for picture in spec.views.pictures if picture.key == CLOSEUP), None)


def close_ups(table: Table, game: int, seat: Seat, path: mp.Path, parts: Iterable[str]) -> list[Persistent]:
    """A button to the close-up of each of these parts of the map, with the numbers of the menu at this path."""
    facts = game, seat, mp.stamp(table, path), ".".join(path)
    return [button(say(text("Show {part:the}", part=part), reader_of(table)), bt.CLOSE_UP, *facts, part) for part in parts]


def numbered_parts(table: Table, seat: Seat) -> list[str]:
    """The parts of the map with places that have numbers on the first screen of a question; none if the game has no close-ups."""
    if closeup_of(table.spec) is None:
        return []
    menus, options, views = table.spec.words.menus, table.options(seat), table.spec.views
    places = numbered(menus, views.numbers(table.parts), options)
    there = [option for option in options if place_of(menus, option) in places]
    return [part for part in mp.parts_of(menus, there, views.areas(table.parts)) if part]


def own_board(spec: GameSpec, game: int) -> list[Persistent]:
    """A button to one's own board, on which the places have the numbers of the lists; none if everybody's is the same."""
    board = pictures(spec)[0]
    return [button(text("My board"), bt.LOOK, game, board.key)] if board.private else []


def weighed_here(table: Table, seat: Seat) -> list[Action]:
    """The answers whose odds the first screen tells, because it shows all that they hang on; at most FEW.

    How they may turn out is not worked out here: it takes long, so `odds` does it beside the event loop.
    """
    if not table.spec.views.ordered(table.state, seat):
        return []
    found = [option for option in table.options(seat) if type(option).outlook is not Action.outlook]
    return found if len(found) <= FEW else []


def _besides(table: Table, game: int, seat: Seat, reader: Reader) -> Iterator[Persistent]:
    """Yield what can be pressed below the first screen of a game, whatever is asked."""
    if not table.over:
        if seat in table.absent:
            yield button(text("I'm back"), bt.HERE, game)
        yield from _asides(table, game, seat, reader)


def impossible(table: Table, seat: Seat, question: Ask[Any]) -> list[type[Action]]:
    """The kinds of answer to the seat's question of which there is none now, but could be in this round; what is given by itself
    once it's legal is none."""
    possible = {type(option) for option in table.options(seat)}
    return [kind for kind in question.accepts
            if kind not in possible and not kind.at_once and kind.concerns(table.state, seat)]


def _costs(shared: str, reader: Reader) -> list[str]:
    return [say(text("costs {cost}", cost=verbatim(shared)), reader)] if shared else []


def _so_far(step: mp.Step | Action, beside: ChoiceDetails, reader: Reader) -> str:
    """Return what the steps before have settled, with what it costs whatever comes next."""
    if not isinstance(step, mp.Step):
        return f"**{called(beside.menus, type(step), reader)}**"
    assert step.kind is not None, "a path begins with a kind"
    settled = {name: choices(step.options, name, {}) for name in step.kind.model_fields}
    told = {name: values[0] for name, values in settled.items()
            if len(values) == 1 and values[0] not in (False, "", (), step.kind.model_fields[name].default)}
    words = [partly(step.shown, told, reader)] if told else []
    words += [spoken(step.taken, reader)] if step.taken else []
    if (part := mp.part_of(step, beside.areas)) and step.shown.where not in told:
        words.insert(0, spoken(part, reader))
    return " · ".join([f"**{called(step.menus, step.kind, reader)}**", *words, *_costs(beside.above, reader)])


@dataclass(frozen=True)
class Controls:
    """What can be used below a screen: lists, each with a row of its own, and buttons; and what is told of them above."""

    selects: list[Persistent]
    buttons: list[Persistent]
    told: Sequence[str] = ()
    listed: list[Action] = field_of(default_factory=list)       # the answers whose places have numbers here


def _rows(buttons: int) -> int:
    return -(-buttons // IN_A_ROW)


def _ways_on(step: mp.Step | Action, spec: GameSpec, beside: ChoiceDetails, facts: tuple[int, Seat, int], page: int, rows: int,
             below: int, outlooks: Mapping[Action, Text]) -> Controls:
    """Whole answers as buttons when they are few; else lists of them, or of the values of the next step.

    Of several kinds, those with one answer, or with yes and no, are buttons and each other has a list of its own, if the `rows`
    hold them and all buttons, those `below` included.
    An answer with one of the `outlooks` has been weighed: its outlook is told, and its button counts at once.
    """
    whole = step.options if isinstance(step, mp.Step) else (step,)
    if not isinstance(step, mp.Step):
        return _whole_answers(whole, beside, facts, outlooks)
    if len(whole) <= FEW and step.taken is None and not sheet_lines(step) and not any(_effects(step, beside)):
        return _whole_answers(whole, beside, facts, outlooks, more=_amounts(step, facts, beside.reader), open=_open_fields(step))
    if step.kind is not None:
        return _one_step(step, beside, facts, page, rows - _rows(below))
    kinds, single, several = _kinds(step)
    shown, forms = _whole_answers(single, beside, facts, outlooks, alone=False), list[Persistent]()
    if (lists := _lists_of(step, rows, below)) is not None:
        free = lists
        for place, verb in enumerate(several, 1):
            inside = mp.walk(beside.menus, whole, (verb,), beside.areas)
            assert isinstance(inside, mp.Step), "several answers leave a choice"
            one = _one_step(inside, beside, facts, 0, free - (len(several) - place), several=True)
            free -= len(one.selects)
            shown.selects.extend(one.selects)
            (shown.buttons if one.selects else forms).extend(one.buttons)
            shown.listed.extend(one.listed)
        shown.buttons[:0] = forms                           # before what ends it all
        return shown
    verbs = [_verb(verb, kinds[verb], spec, beside) for verb in several]
    hint = say(text("Choose an action"), beside.reader)
    return Controls([select(verbs, bt.PICK, *facts, "", hint=hint)],
                    [*shown.buttons, *_amounts(step, facts, beside.reader)], shown.told, shown.listed)


def _open_fields(step: mp.Step) -> list[str]:
    """The fields that are still to be chosen, after others of the same answer have been."""
    return [] if step.kind is None or len(step.path) < 2 else [
        name for name in step.kind.model_fields if len(choices(step.options, name, {})) > 1]


def _kinds(step: mp.Step) -> tuple[dict[str, list[Action]], list[Action], list[str]]:
    """The answers of a step by their verbs; those that are buttons; and the verbs of the others."""
    kinds = {verb: [option for option in step.options if option.verb == verb] for verb in step.values}
    single = [option for options in kinds.values() if _plain(options) for option in options]
    several = [verb for verb, options in kinds.items() if not _plain(options)]
    return (kinds, [], list(kinds)) if len(single) > SINGLES else (kinds, single, several)


def _lists_of(step: mp.Step, rows: int, below: int) -> int | None:
    """The rows for lists on a screen that has one for each kind of answer; None if the kinds are a list themselves."""
    if step.kind is not None:
        return None
    kinds, single, several = _kinds(step)
    free = rows - _rows(len(single) + len(several) + below)
    return free if len(several) <= max(1, free) and all(len(kinds[verb]) > 1 for verb in several) else None


def _plain(options: Sequence[Action]) -> bool:
    """True if a kind leaves nothing to choose, or yes or no alone."""
    fields = type(options[0]).model_fields.values()
    return len(options) == 1 or (len(options) == 2 and [field.annotation for field in fields] == [bool])


def _whole_answers(options: Iterable[Action], beside: ChoiceDetails, facts: tuple[int, Seat, int],
                   outlooks: Mapping[Action, Text], *, alone: bool = True,
                   more: Iterable[Persistent] = (), open: Sequence[str] = ()) -> Controls:
    """A button for each of these answers. What has been weighed on the same screen counts at once.

    A button has the number of its place, as lists do, if the buttons stand `alone`, or if the map is so large that it has
    close-ups. Where only the `open` fields are still to be chosen, it says those, if its kind has words for them: the screen
    says the others.
    """
    told, items, listed = list[str](), list[Persistent](), list[Action]()
    for option in sorted(options, key=beside.rank) if alone or beside.areas else options:
        outlook = outlooks.get(option)
        at_once = outlook is not None and option.consequence(beside.state, beside.seat) is None
        if outlook is not None and at_once:
            told.append(say(outlook, beside.reader))
        presented = beside.menus[option.verb]
        place = place_of(beside.menus, option) if alone or beside.areas else ""
        said = presented.partly({name: getattr(option, name) for name in open}) if open else None
        label = beside.numbered(place, capital(say(said or option.label(), beside.reader)))
        listed += [option] if place in beside.numbers else []
        note = " · ".join(filter(None, (beside.cost_and_hazard([option]), beside.met(option))))
        both = label if not note or note in label else f"{label} · {note}" if "(" in label + note else f"{label} ({note})"
        if len(both) > LABEL:
            told.append(" · ".join(filter(None, (label, note))))
        items.append(button(both if len(both) <= LABEL else label, bt.CONFIRM if at_once else bt.ANSWER, *facts,
                            named(option, listed=not beside.typed),
                            style=Style.secondary if presented.gives_up else Style.primary))
    return Controls([], [*items, *more], told, listed)


def _one_step(step: mp.Step, beside: ChoiceDetails, facts: tuple[int, Seat, int], page: int, rows: int, *,
              several: bool = False) -> Controls:
    """The next step of one kind: a form for several answers, whole answers as a list, or the values of the next field."""
    assert step.kind is not None, "a step of one kind"
    steps, reader = ".".join(step.path), beside.reader
    if lines := sheet_lines(step):
        return Controls([], [button(sheet_name(step, part, reader), bt.SHEET, *facts, steps, number, style=Style.primary)
                             for number, part in enumerate(sheet_parts(lines))])
    whole = [] if step.shown.by_values or step.taken is not None else _whole_list(step, beside)
    found = whole or _value_list(step, beside)
    asked = REMARK.sub("", _asked(step, whole, beside))
    kind = called(step.menus, step.kind, reader)
    hint = asked if asked and not several else f"{kind}: {asked}" if asked else f"{kind} …"
    size = max(1, min(rows, ROWS - 2)) * CHOICES
    shown = found[page * size:(page + 1) * size] or found[:size]
    lists = [shown[at:at + CHOICES] for at in range(0, len(shown), CHOICES)]
    spans = [f"{part[0].label} – {part[-1].label}" if len(part) > 1 else part[0].label for part in lists]    # a phone cuts hints
    hints = [f"{kind}: {span}" if several else span for span in spans] if len(lists) > 1 else [hint]
    selects = [select(part, bt.CHOOSE, *facts, steps, number, hint=told) for number, (part, told) in enumerate(zip(lists, hints))]
    buttons = [*_amounts(step, facts, reader)]
    if page:
        buttons.append(button(text("Previous"), bt.MENU, *facts, steps, page - 1))
    if len(found) > (page + 1) * size:
        label = text("{verb}: more", verb=verbatim(kind)) if several else text("More")
        buttons.append(button(label, bt.MENU, *facts, steps, 0 if several else page + 1))
    return Controls(selects, buttons, listed=[*step.options] if whole or step.shown.where in step.fields else [])


def _asked(step: mp.Step, whole: Sequence[SelectOption], beside: ChoiceDetails) -> str:
    """Return what a list asks; "" if each of these whole answers settles more than one thing, so that no question fits."""
    assert step.kind is not None, "a step of one kind"
    if len(step.fields) > 1:
        return say(text(step.shown.several), beside.reader) if step.shown.several else ""
    if len({step.value_of(option) for option in step.options}) < len(whole):
        return ""
    return say(step.shown.question(step.kind, step.fields[0]) if step.fields else text("Where?"), beside.reader)


def _whole_list(step: mp.Step, beside: ChoiceDetails) -> list[SelectOption]:
    """Whole answers as a list; none if they are too many, or if two of them read alike."""
    if len(step.options) > CHOICES:
        return []
    told = [(option, clip(beside.numbered(place_of(step.menus, option), capital(say(option.label(), beside.reader))), NAME))
            for option in step.options]
    if len({label for _, label in told}) < len(told):
        return []
    return [SelectOption(label=label, value=mp.WHOLE + choice_id(option),
                         description=_noted(beside.cost_and_hazard([option]), beside.met(option), effect))
            for (option, label), effect in sorted(zip(told, _effects(step, beside)), key=lambda one: beside.rank(one[0][0]))]


def _effects(step: mp.Step, beside: ChoiceDetails) -> list[str]:
    """Return what each answer of a step of one kind gets, where all of them differ in one thing that has an effect."""
    for name in step.kind.model_fields if step.kind is not None else ():
        ids = [getattr(option, name) for option in step.options]
        if isinstance(ids[0], str) and len(set(ids)) == len(ids) > 1 and any(effects := [beside.effect(id) for id in ids]):
            return effects
    return [""] * len(step.options)


def _noted(*notes: str) -> str | None:
    """Return what stands beside a choice: the first of these, and each further one that finds room whole."""
    told = ""
    for note in filter(None, notes):
        both = f"{told} · {note}" if told else note
        told = both if not told or len(both) <= NAME else told
    return clip(told, NAME) or None


def _droppable(pieces: Sequence[tuple[int, tuple[Text, Action]]], facts: tuple[int, Seat, int],
               reader: Reader) -> Iterator[Persistent]:
    """A list of what has been put together, by number, to drop one of it."""
    found = [SelectOption(label=clip(f"{number}. {say(piece, reader)}", NAME), value=mp.WHOLE + choice_id(drop))
             for number, (piece, drop) in pieces]
    if found:
        yield select(found[-CHOICES:], bt.CHOOSE, *facts, "", ROWS, hint=say(text("Drop one of these …"), reader))


def named(action: Action, *, listed: bool) -> str:
    """How a button names an answer: shortly if it is listed, else in full."""
    return choice_id(action) if listed else notation.write(action)


def _verb(verb: str, answers: Sequence[Action], spec: GameSpec, beside: ChoiceDetails) -> SelectOption:
    kind = spec.verb(verb)
    assert kind is not None, "a verb of an option is a verb of its game"
    note = " · ".join(filter(None, (beside.cost(answers), say(text(first_sentence(kind))))))
    return SelectOption(label=called(beside.menus, kind, beside.reader), value=verb, description=clip(note, NAME))


def _value_list(step: mp.Step, beside: ChoiceDetails) -> list[SelectOption]:
    """The values of a step, each with what stands beside the answers that have it."""
    assert step.kind is not None, "a step of one kind"
    answers: dict[Any, list[Action]] = {}
    for option in step.options:
        for value in [step.value_of(option)] if step.taken is None else step.pieces_of(option):
            answers.setdefault(value, []).append(option)
    found = []
    places = step.shown.where in step.fields
    for key, value in sorted(step.values.items(), key=lambda one: beside.rank(answers[one[1]][0]) if places else 0):
        several = dict(zip(step.fields, value)) if len(step.fields) > 1 else {
            name: value for name in step.fields if value in ((), "")}
        label = partly(step.shown, several, beside.reader) if several else spoken(value, beside.reader)
        if step.taken is not None and value == mp.NO_MORE:
            label = say(text("No more"), beside.reader)
        effect = beside.effect(value) if len(step.fields) == 1 else beside.choices_in(answers[value]) if not step.fields else ""
        label = capital(label)
        if places:
            first = answers[value][0]
            label, effect = beside.numbered(place_of(step.menus, first), label), effect or beside.met(first)
        found.append(SelectOption(label=clip(label, NAME), value=key,
                                  description=_noted(beside.cost_and_hazard(answers[value]) if step.fields else "", effect)))
    return found


# --- amounts and asides ---------------------------------------------------------------------------------------

def _amounts(step: mp.Step, facts: tuple[int, Seat, int], reader: Reader) -> Iterator[Persistent]:
    """For each open-ended kind whose number comes next: a button to type one that is not listed."""
    for kind in dict.fromkeys(type(option) for option in step.options):
        if mp.amount_field(step, kind) is not None:
            path = step.path or (kind.verb,)
            label = capital(say(text("{verb}: another amount", verb=kind.verb), reader))
            yield button(label, bt.AMOUNT, *facts, ".".join(path))


def _asides(table: Table, game: int, seat: Seat, reader: Reader) -> list[Persistent]:
    """Return what the seat can do whoever is being asked what."""
    return [button(called(table.spec.words.menus, kind, reader), bt.MENU, game, seat, table.public_no, kind.verb, 0)
            for kind in table.asides if any(True for _ in kind.options(table.state, seat))]
