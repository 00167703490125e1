"""One's own turn as buttons and selects: a verb, then field by field, and only legal values at every step.

A path is what has been chosen so far: a verb, then one token for each field that had more than one value left. The path
travels in the custom id, so a menu outlives a restart; it is walked anew among the options of the present moment. A number
that the options do not list travels as it was typed, "=9".

The first screen is the panel: where the game stands, what the seat has, what it can do and what that costs. It is shown to
the seat's holder alone, so it may tell what only the seat may know.
"""
from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field as field_of
from functools import partial
from operator import attrgetter
from typing import Any, TypeAlias

import discord
from discord import SelectOption
from pydantic import ValidationError

from bot.discord.components import FIELDS, Form, Persistent, Style, button, choice, field, select, view
from bot.discord.game.buttons import (
    AMOUNT,
    ANSWER,
    CANNOT,
    CHOOSE,
    CLOSE_UP,
    CONFIRM,
    HERE,
    MENU,
    PICK,
    SHEET,
    SHEET_SENT,
    TAKE_BACK,
)
from bot.discord.responses import CHOICES, LABEL, NAME, capital, clip, reader_of, seat_name
from bot.domain.announcements import choice_id
from bot.service.rehearsals import is_rehearsed
from engine import notation
from engine.kernel import Action, Aside, Ask, GameSpec, Seat, Table, choices, gaps, place_of
from engine.kernel.game_spec import CLOSEUP, Picture, numbered
from engine.refusals import Illegal, Stale
from engine.text import Reader, Text, count, say, template, text, verbatim

SETTLED = 3                 # answers that a choice leaves open at most, if chance is told beside it: more of them seldom agree
FEW = 10                    # whole answers are offered as buttons up to this number: two rows
SINGLES = 4                 # kinds with one answer each that are buttons beside the lists of the others
ROWS = 5                    # of buttons and selects below a message
IN_A_ROW = 5                # buttons
RESERVE = 2                 # buttons that others put below a first screen
TOKEN = 6                   # characters of a token: 36 bits, far beyond the values of one field
REMARK = re.compile(r" \([^()]*\)$")        # what a question adds for whoever types: "(or random)"
TYPED = "="                 # begins a token that is a number itself
WHOLE = "!"                 # begins a token that is a whole answer, by its `choice_id`
DIGITS = 9                  # of a number that is typed into a form

STALE = template("That was for an earlier question. Here is the current one.")

Path: TypeAlias = tuple[str, ...]


# --- walking a path ---------------------------------------------------------------------------------

@dataclass(frozen=True)
class Step:
    """What is to be chosen next: a verb, the values of fields, or the part of the map where a place lies; and the answers that
    still fit."""

    path: Path
    kind: type[Action] | None
    fields: tuple[str, ...]             # none: a verb, or a part of the map
    values: dict[str, Any]              # token -> value; of several fields a tuple of values
    options: tuple[Action, ...]
    areas: Mapping[str, str] = field_of(default_factory=dict)       # of a part of the map: place -> part

    def value_of(self, option: Action) -> Any:
        """What an answer that still fits has here."""
        return attrgetter(*self.fields)(option) if self.fields else self.areas.get(place := place_of(option), place)

    @property
    def field(self) -> str | None:
        """The first of its fields."""
        return self.fields[0] if self.fields else None


def token(value: object) -> str:
    """A value in short: letters that a custom id can hold."""
    return base64.urlsafe_b64encode(hashlib.sha256(str(value).encode()).digest())[:TOKEN].decode()


def walk(options: Iterable[Action], path: Path, areas: Mapping[str, str] = {}) -> Step | Action:
    """Follow a path among the legal answers: to the next choice, or to the one answer that it means.

    What leaves only one value is not asked. Of more places than a list holds, those of the map with these `areas` are looked for
    by their part of it first. Raises Stale if the path leads nowhere now.
    """
    left = tuple(options)
    verbs = {option.verb: option.verb for option in left}
    if path and path[-1].startswith(WHOLE):
        return _whole((option for option in left if len(path) == 1 or option.verb == path[0]), path[-1].removeprefix(WHOLE))
    if not path:
        if len(verbs) != 1:
            return Step((), None, (), verbs, left)
        path = (*verbs,)
    verb, *tokens = path
    left = tuple(option for option in left if option.verb == verb)
    groups = groups_of(type(left[0]), left) if left else []
    while groups:
        if tokens and tokens[0].startswith(TYPED):
            at = next((at for at, group in enumerate(groups) if _is_amount(left, group)), 0)
            left = _with_amount(left, groups.pop(at)[0], tokens.pop(0).removeprefix(TYPED))
            continue
        if parts := _parts_of_map(left, groups[0], areas):
            if not tokens:
                return Step(path, type(left[0]), (), parts, left, areas)
            part = parts.get(tokens.pop(0))
            left = tuple([option for option in left if areas.get(place := place_of(option), place) == part])
            if not left:
                break
            continue
        fields = groups.pop(0)
        values = {token(value): value for value in dict.fromkeys(map(attrgetter(*fields), left))}
        if len(values) == 1:
            continue
        if not tokens:
            return Step(path, type(left[0]), fields, values, left)
        chosen = values.get(tokens.pop(0))
        left = tuple([option for value, option in zip(map(attrgetter(*fields), left), left) if value == chosen])
        if not left:
            break
    if not left or tokens:
        raise Stale(STALE)
    return left[0]


def _whole(options: Iterable[Action], wanted: str) -> Action:
    """The one of these answers that a token means. Raises Stale."""
    for option in options:
        if choice_id(option) == wanted:
            return option
    raise Stale(STALE)


def groups_of(kind: type[Action], options: Sequence[Action]) -> list[tuple[str, ...]]:
    """The fields of a kind in the order in which a menu asks them; those of a group apart if they allow too many choices."""
    together = [name for group in kind.steps for name in group]
    groups: list[tuple[str, ...]] = []
    for group in (*kind.steps, *((name,) for name in kind.model_fields if name not in together)):
        apart = len(group) > 1 and len(set(map(attrgetter(*group), options))) > (ROWS - 2) * CHOICES
        groups += [(name,) for name in group] if apart else [group]
    return groups


def _parts_of_map(options: Sequence[Action], group: tuple[str, ...], areas: Mapping[str, str]) -> dict[str, str]:
    """The parts of the map among which to choose before a field that has more places than a list holds; none if it has fewer."""
    if not areas or group != (options[0].where,):
        return {}
    places = dict.fromkeys(map(place_of, options))
    if len(places) <= CHOICES:
        return {}
    parts = {token(part): part for part in dict.fromkeys(areas.get(place, place) for place in places)}
    return parts if len(parts) > 1 else {}


def _is_amount(options: Sequence[Action], group: tuple[str, ...]) -> bool:
    """Whether a step asks for a number that can be another than those listed."""
    kind = type(options[0])
    return len(group) == 1 and kind.open_ended and kind.model_fields[group[0]].annotation is int and (
        len(choices(options, group[0], {})) > 1)


def _with_amount(options: tuple[Action, ...], field: str, amount: str) -> tuple[Action, ...]:
    """The options of an open-ended kind with a number that they do not list; what else can be chosen is as with a higher one."""
    kind = type(options[0])
    if not (kind.open_ended and kind.model_fields[field].annotation is int and amount.isdecimal()):
        raise Stale(STALE)
    listed = [getattr(option, field) for option in options]
    first = min((value for value in listed if value >= int(amount)), default=listed[0])
    try:
        return tuple(type(option).model_validate({**option.model_dump(), field: int(amount)}) for option in options
                     if getattr(option, field) == first)
    except (ValidationError, ValueError):
        raise Stale(STALE) from None


def amount_field(step: Step, kind: type[Action]) -> str | None:
    """The number of an open-ended kind that comes next and can be another than those listed; None if there is none."""
    alike = [option for option in step.options if type(option) is kind]
    numbers = [name for name, field in kind.model_fields.items() if field.annotation is int] if kind.open_ended else []
    if kind.bounded:
        return step.field if step.field in numbers and gaps(choices(alike, step.field, {})) else None
    return next((name for name in numbers if len(choices(alike, name, {})) > 1), None)


def aside(spec: GameSpec, path: Path) -> type[Aside] | None:
    """The aside with which a path begins; None for the answer to a question."""
    kind = spec.verb(path[0]) if path else None
    return kind if kind is not None and issubclass(kind, Aside) else None


def open_to(table: Table, seat: Seat, path: Path) -> Iterable[Action]:
    """The legal answers among which a path is walked: those to the question, or those of its aside."""
    kind = aside(table.spec, path)
    return table.options(seat) if kind is None else kind.options(table.state, seat)


def step_at(table: Table, seat: Seat, path: Path) -> Step | Action:
    """What comes next on a path of the seat's menu. Raises Stale."""
    return walk(open_to(table, seat, path), path, table.spec.views.areas(table.parts))


def stamp(table: Table, path: Path) -> int:
    """What a menu must find unchanged: the question, or for an aside the whole log, since no question guards it."""
    return table.asked_at if aside(table.spec, path) is None else table.public_no


# --- words --------------------------------------------------------------------------------------------

def spoken(value: Any, reader: Reader) -> str:
    """A field's value as people read it."""
    if isinstance(value, bool):
        return say(text("yes") if value else text("no"), reader)
    if isinstance(value, tuple):
        return ", ".join(spoken(item, reader) for item in value) or say(text("none"), reader)
    return reader.name(value) or say(text("none"), reader) if isinstance(value, str) else str(value)


def first_sentence(kind: type[Action]) -> str:
    """The first sentence of an action's help."""
    doc = " ".join((kind.__doc__ or kind.verb).split())
    end = doc.find(". ")
    return clip(doc if end < 0 else doc[:end + 1], NAME)


def called(kind: type[Action], reader: Reader) -> str:
    """What a kind of action is called in this game, with a capital letter."""
    return capital(say(text(kind.title), reader) if kind.title else reader.name(kind.verb))


# --- the screen -----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Screen:
    """A message to one person: words, and what can be pressed."""

    words: str
    view: discord.ui.View | None


def screen(table: Table, game: int, seat: Seat, path: Path = (), page: int = 0, *, above: str = "", head: bool = True,
           newest: int | None = None, more: Sequence[Persistent] = (), outlooks: Mapping[Action, Text] | None = None,
           planned: Iterable[str] = ()) -> Screen:
    """The seat's present question, or a step into its answer, below what just happened. Raises Stale for a dead path.

    With `head`, the first screen says where the game stands and what the seat has; `planned` stands below that. `newest` is the
    last row, if the seat may take back its last answer. `more` can be pressed besides. `outlooks` are those of `weighed_here`,
    as far as they are known.
    """
    reader, question, apart = reader_of(table), table.question(seat), aside(table.spec, path)
    lines, shown = [above] if above else [], Controls([], [])
    if len(path) == 1 and apart is None and len({option.verb for option in table.options(seat)}) == 1:
        path = ()                       # going back to a verb that was never asked for
    after = [] if path else [*_besides(table, game, seat, newest, reader), *more]
    if question is not None or apart is not None:
        pieces = table.spec.views.ordered(table.state, seat) if not path else ()
        kept = {type(drop): [option for option in table.options(seat) if type(option) is type(drop)] for _, drop in pieces}
        dropping = [drop for _, drop in pieces]
        areas = table.spec.views.areas(table.parts)
        offered = [option for option in open_to(table, seat, path) if type(option) not in kept or option not in dropping]
        step = walk(offered, path, areas)
        shared = cost_of(step.options, table.state, seat, reader) if isinstance(step, Step) and step.kind is not None else ""
        beside = ChoiceDetails(table.state, seat, reader, any(word.startswith(TYPED) for word in path), shared,
                        partial(table.spec.words.summary, table.state),
                        numbered(table.spec.views.numbers(table.parts), step.options if isinstance(step, Step) else ()), areas)
        if path:
            lines.append(_so_far(step, beside, reader) if isinstance(step, Step) or apart is None
                         else first_sentence(apart))        # nothing is left to choose: what the button does
        elif question is not None:
            if head:
                lines += [line for line in heading(table, seat, reader) if line not in above.split("\n")]
            lines += planned
            asked = f"**{seat_name(table, seat, reader)}**: {say(question.text(), reader)}"
            lines.append(" · ".join([asked, *_costs(beside.above, reader)]))
        lines += [f"{number}. {say(piece, reader)}" for number, (piece, _) in enumerate(pieces, 1)]
        facts = (game, seat, stamp(table, path))
        rows = ROWS - _rows(len(after) + (0 if path else RESERVE)) - bool(pieces)
        shown = _ways_on(step, table.spec, beside, facts, page, rows, outlooks or {})
        lines += shown.told
        if pieces:
            listed = [option for options in kept.values() for option in options]
            shown.selects.extend(_droppable([piece for piece in enumerate(pieces, 1) if piece[1][1] in listed], facts, reader))
        if path and closeup_of(step, table):
            label = say(text("Show {part}", part=part_of(step, areas)), reader)
            shown.buttons.append(button(label, CLOSE_UP, game, seat, stamp(table, path), ".".join(path)))
        if path:
            shown.buttons.append(button(text("Back"), MENU, game, seat, stamp(table, path[:-1]), ".".join(path[:-1]), 0))
    else:
        away = text("You're away: default moves are played for you.")
        lines.append(say(away if seat in table.absent and not table.over else table.idle(seat), reader))
    return Screen("\n".join(lines), view([*shown.selects, *shown.buttons, *after]))


def closeup_of(step: Step | Action, table: Table) -> tuple[Picture, str] | None:
    """The picture that shows the places among which a step chooses, and the part of the map which it is about then; None if
    there is none, or if they lie in several parts."""
    picture = next((picture for picture in table.spec.views.pictures if picture.key == CLOSEUP), None)
    part = part_of(step, table.spec.views.areas(table.parts))
    return (picture, part) if picture is not None and part else None


def weighed_here(table: Table, seat: Seat) -> list[Action]:
    """The answers whose odds the first screen tells, because it shows all that they hang on; at most FEW.

    How they may turn out is not worked out here: it takes long, so `odds` does it beside the event loop.
    """
    if not table.spec.views.ordered(table.state, seat):
        return []
    found = [option for option in table.options(seat) if type(option).outlook is not Action.outlook]
    return found if len(found) <= FEW else []


def _besides(table: Table, game: int, seat: Seat, newest: int | None, reader: Reader) -> Iterator[Persistent]:
    """What can be pressed below the first screen, whatever is asked."""
    question = table.question(seat)
    if table.over or is_rehearsed(table.asked_at):
        return
    if seat in table.absent:
        yield button(text("I'm back"), HERE, game)
    yield from _asides(table, game, seat, reader)
    if newest is not None:
        yield button(text("Undo"), TAKE_BACK, game, seat, newest)
    if question is not None and impossible(table, seat, question):
        yield button(text("What can't I do?"), CANNOT, game, seat)


def impossible(table: Table, seat: Seat, question: Ask[Any]) -> list[type[Action]]:
    """The kinds of answer to the seat's question of which there is none now."""
    possible = {type(option) for option in table.options(seat)}
    return [kind for kind in question.accepts if kind not in possible]


def cost_of(options: Iterable[Action], state: Any, seat: Seat, reader: Reader) -> str:
    """What each of these answers costs, if all cost the same; "" if they differ or cost nothing."""
    return _shared(options, Action.cost, state, seat, reader)


def _shared(options: Iterable[Action], told: Callable[[Action, Any, Seat], Text | None], state: Any, seat: Seat,
            reader: Reader) -> str:
    """What all these answers tell by one of their methods; "" if they differ. Kinds that never tell anything are not asked."""
    shared, telling = None, dict[type[Action], bool]()
    for option in options:
        kind = type(option)
        tells = telling.setdefault(kind, getattr(kind, told.__name__) is not told)
        words = getattr(option, told.__name__)(state, seat) if tells else None
        said = "" if words is None else say(words, reader)
        if shared is not None and said != shared:
            return ""
        shared = said
    return shared or ""


def heading(table: Table, seat: Seat, reader: Reader) -> list[str]:
    """Where the game stands, and what the seat has."""
    purse = table.spec.views.purse(table.state, seat)
    return [f"-# {say(table.spec.words.moment(table.state), reader)}", *([say(purse, reader)] if purse is not None else [])]


@dataclass(frozen=True)
class ChoiceDetails:
    """What stands beside a choice: what its answers cost, and what chance may do to them, as far as they agree."""

    state: Any
    seat: Seat
    reader: Reader
    typed: bool                         # a number was typed that the answers need not list
    above: str                          # what all choices cost: it stands above them once
    summary: Callable[[str], Text | None] = lambda id: None     # what a tile, a card or a unit with this id does
    numbers: Mapping[str, int] = field_of(default_factory=dict)     # of the places of the map, as on the seat's own board
    areas: Mapping[str, str] = field_of(default_factory=dict)       # the part of the map in which each place lies

    def cost(self, answers: Iterable[Action]) -> str:
        return "" if self.above else cost_of(answers, self.state, self.seat, self.reader)

    def cost_and_hazard(self, answers: Sequence[Action]) -> str:
        hazard = _shared(answers, Action.hazard, self.state, self.seat, self.reader) if len(answers) <= SETTLED else ""
        return " · ".join(filter(None, (self.cost(answers), hazard)))

    def numbered(self, place: str, label: str) -> str:
        """A label with the number of its place, if places have numbers here: "3 · India"."""
        return f"{self.numbers[place]} · {label}" if place in self.numbers else label

    def met(self, answer: Action) -> str:
        """Whom and what an answer meets where it leads."""
        told = answer.meets(self.state, self.seat)
        return "" if told is None else say(told, self.reader)

    def choices_in(self, answers: Iterable[Action]) -> str:
        """How many places a part of the map offers."""
        places = set(map(place_of, answers)) if self.areas else set()
        return say(count(len(places), "{n} place", "{n} places"), self.reader) if places & set(self.areas) else ""

    def effect(self, id: Any) -> str:
        """What a tile, a card or a unit with this id does; empty if there is nothing to say."""
        told = self.summary(id) if isinstance(id, str) else None
        return "" if told is None else say(told, self.reader)


def _costs(shared: str, reader: Reader) -> list[str]:
    return [say(text("costs {cost}", cost=verbatim(shared)), reader)] if shared else []


def _so_far(step: Step | Action, beside: ChoiceDetails, reader: Reader) -> str:
    """What the steps before have settled, with what it costs whatever comes next."""
    if not isinstance(step, Step):
        return f"**{called(type(step), reader)}**"
    assert step.kind is not None, "a path begins with a kind"
    settled = {name: choices(step.options, name, {}) for name in step.kind.model_fields}
    told = {name: values[0] for name, values in settled.items()
            if len(values) == 1 and values[0] not in (False, "", (), step.kind.model_fields[name].default)}
    words = [partly(step.kind, told, reader)] if told else []
    if (part := part_of(step, beside.areas)) and not {step.kind.where} & set(told):
        words.insert(0, spoken(part, reader))
    return " · ".join([f"**{called(step.kind, reader)}**", *words, *_costs(beside.above, reader)])


def part_of(step: Step | Action, areas: Mapping[str, str]) -> str:
    """The one part of the map where all answers of a step act; "" if there is none, or several."""
    parts = {areas.get(place_of(option), "") for option in (step.options if areas and isinstance(step, Step) else ())}
    return parts.pop() if len(parts) == 1 else ""


def partly(kind: type[Action], chosen: Mapping[str, Any], reader: Reader) -> str:
    """These fields of an answer as people read them."""
    said = kind.partly(chosen)
    return say(said, reader) if said is not None else " · ".join(spoken(value, reader) for value in chosen.values())


@dataclass(frozen=True)
class Controls:
    """What can be used below a screen: lists, each with a row of its own, and buttons; and what is told of them above."""

    selects: list[Persistent]
    buttons: list[Persistent]
    told: Sequence[str] = ()


def _rows(buttons: int) -> int:
    """The rows that so many buttons take."""
    return -(-buttons // IN_A_ROW)


def _ways_on(step: Step | Action, spec: GameSpec, beside: ChoiceDetails, facts: tuple[int, Seat, int], page: int, rows: int,
             outlooks: Mapping[Action, Text]) -> Controls:
    """Whole answers as buttons when they are few; else lists of them, or of the values of the next step.

    Of several kinds, those with one answer are buttons and each other has a list of its own, if there are `rows` for them.
    An answer with one of the `outlooks` has been weighed: its outlook is told, and its button counts at once.
    """
    whole = step.options if isinstance(step, Step) else (step,)
    if not isinstance(step, Step):
        return _whole_answers(whole, beside, facts, outlooks)
    if len(whole) <= FEW and not sheet_lines(step) and not any(_effects(step, beside)):
        return _whole_answers(whole, beside, facts, outlooks, more=_amounts(step, facts, beside.reader))
    if step.kind is not None:
        return _one_step(step, beside, facts, page, rows)
    kinds = {verb: [option for option in whole if option.verb == verb] for verb in step.values}
    single = [options[0] for options in kinds.values() if len(options) == 1]
    several = [verb for verb, options in kinds.items() if len(options) > 1]
    if len(single) > SINGLES:
        single, several = [], list(kinds)
    shown = _whole_answers(single, beside, facts, outlooks)
    free = rows - _rows(len(shown.buttons) + len(several))
    if len(several) <= max(1, free) and all(len(kinds[verb]) > 1 for verb in several):
        for place, verb in enumerate(several, 1):
            inside = walk(whole, (verb,), beside.areas)
            assert isinstance(inside, Step), "several answers leave a choice"
            one = _one_step(inside, beside, facts, 0, free - (len(several) - place), several=True)
            free -= len(one.selects)
            shown.selects.extend(one.selects)
            shown.buttons.extend(one.buttons)
        return shown
    verbs = [_verb(verb, kinds[verb], spec, beside) for verb in several]
    hint = say(text("Choose an action"), beside.reader)
    return Controls([select(verbs, PICK, *facts, "", hint=hint)],
                    [*shown.buttons, *_amounts(step, facts, beside.reader)], shown.told)


def _whole_answers(options: Iterable[Action], beside: ChoiceDetails, facts: tuple[int, Seat, int],
                   outlooks: Mapping[Action, Text], *,
                   more: Iterable[Persistent] = ()) -> Controls:
    """A button for each of these answers. What has been weighed on the same screen counts at once."""
    told, items = list[str](), list[Persistent]()
    for option in options:
        outlook = outlooks.get(option)
        at_once = outlook is not None and option.consequence(beside.state, beside.seat) is None
        if outlook is not None and at_once:
            told.append(say(outlook, beside.reader))
        label = capital(say(option.label(), beside.reader))
        note = " · ".join(filter(None, (beside.cost_and_hazard([option]), beside.met(option))))
        both = label if not note or note in label else f"{label} · {note}" if "(" in label + note else f"{label} ({note})"
        if len(both) > LABEL:
            told.append(" · ".join(filter(None, (label, note))))
        items.append(button(both if len(both) <= LABEL else label, CONFIRM if at_once else ANSWER, *facts,
                            named(option, listed=not beside.typed), style=Style.primary))
    return Controls([], [*items, *more], told)


def _one_step(step: Step, beside: ChoiceDetails, facts: tuple[int, Seat, int], page: int, rows: int, *,
              several: bool = False) -> Controls:
    """The next step of one kind: a form for several answers, whole answers as a list, or the values of the next field."""
    assert step.kind is not None, "a step of one kind"
    steps, reader = ".".join(step.path), beside.reader
    if lines := sheet_lines(step):
        return Controls([], [button(_sheet_name(step.kind, part, reader), SHEET, *facts, steps, number, style=Style.primary)
                             for number, part in enumerate(sheet_parts(lines))])
    whole = _whole_list(step, beside)
    found = whole or _value_list(step, beside)
    asked = REMARK.sub("", _asked(step, whole, beside))
    kind = called(step.kind, reader)
    hint = asked if asked and not several else f"{kind}: {asked}" if asked else f"{kind} …"
    size = max(1, min(rows, ROWS - 2)) * CHOICES
    shown = found[page * size:(page + 1) * size] or found[:size]
    lists = [shown[at:at + CHOICES] for at in range(0, len(shown), CHOICES)]
    spans = [f"{part[0].label} – {part[-1].label}" for part in lists]       # first, since a phone cuts a hint off
    hints = [f"{kind}: {span}" if several else span for span in spans] if len(lists) > 1 else [hint]
    selects = [select(part, CHOOSE, *facts, steps, number, hint=told) for number, (part, told) in enumerate(zip(lists, hints))]
    buttons = [*_amounts(step, facts, reader)]
    if page:
        buttons.append(button(text("Previous"), MENU, *facts, steps, page - 1))
    if len(found) > (page + 1) * size:
        label = text("{verb}: more", verb=verbatim(called(step.kind, reader))) if several else text("More")
        buttons.append(button(label, MENU, *facts, steps, 0 if several else page + 1))
    return Controls(selects, buttons)


def _asked(step: Step, whole: Sequence[SelectOption], beside: ChoiceDetails) -> str:
    """What a list asks; "" if each of these whole answers settles more than one thing, so that no question fits."""
    assert step.kind is not None, "a step of one kind"
    if len(step.fields) > 1:
        return say(text(step.kind.several), beside.reader) if step.kind.several else ""
    if len({step.value_of(option) for option in step.options}) < len(whole):
        return ""
    return say(step.kind.prompt(step.fields[0], beside.state) if step.fields else text("Where?"), beside.reader)


def _whole_list(step: Step, beside: ChoiceDetails) -> list[SelectOption]:
    """Whole answers as a list; none if they are too many, or if two of them read alike."""
    if len(step.options) > CHOICES:
        return []
    told = [(option, clip(beside.numbered(place_of(option), capital(say(option.label(), beside.reader))), NAME))
            for option in step.options]
    if len({label for _, label in told}) < len(told):
        return []
    return [SelectOption(label=label, value=WHOLE + choice_id(option),
                         description=_noted(beside.cost_and_hazard([option]), beside.met(option), effect))
            for (option, label), effect in zip(told, _effects(step, beside))]


def _effects(step: Step, beside: ChoiceDetails) -> list[str]:
    """What each answer of a step of one kind gets, where all of them differ in one thing that has an effect."""
    for name in step.kind.model_fields if step.kind is not None else ():
        ids = [getattr(option, name) for option in step.options]
        if isinstance(ids[0], str) and len(set(ids)) == len(ids) > 1 and any(effects := [beside.effect(id) for id in ids]):
            return effects
    return [""] * len(step.options)


def _noted(*notes: str) -> str | None:
    """What stands beside a choice: the first of these, and each further one that finds room whole."""
    told = ""
    for note in filter(None, notes):
        both = f"{told} · {note}" if told else note
        told = both if not told or len(both) <= NAME else told
    return clip(told, NAME) or None


def _droppable(pieces: Sequence[tuple[int, tuple[Text, Action]]], facts: tuple[int, Seat, int],
               reader: Reader) -> Iterator[Persistent]:
    """A list of what has been put together, by number, to drop one of it."""
    found = [SelectOption(label=clip(f"{number}. {say(piece, reader)}", NAME), value=WHOLE + choice_id(drop))
             for number, (piece, drop) in pieces]
    if found:
        yield select(found[-CHOICES:], CHOOSE, *facts, "", ROWS, hint=say(text("Drop one of these …"), reader))


def named(action: Action, *, listed: bool) -> str:
    """How a button names an answer: shortly if it is listed, else in full."""
    return choice_id(action) if listed else notation.write(action)


def _verb(verb: str, answers: Sequence[Action], spec: GameSpec, beside: ChoiceDetails) -> SelectOption:
    """A verb with its cost and its help."""
    kind = spec.verb(verb)
    assert kind is not None, "a verb of an option is a verb of its game"
    note = " · ".join(filter(None, (beside.cost(answers), first_sentence(kind))))
    return SelectOption(label=called(kind, beside.reader), value=verb, description=clip(note, NAME))


def _value_list(step: Step, beside: ChoiceDetails) -> list[SelectOption]:
    """The values of a step, each with what stands beside the answers that have it."""
    assert step.kind is not None, "a step of one kind"
    answers: dict[Any, list[Action]] = {}
    for option in step.options:
        answers.setdefault(step.value_of(option), []).append(option)
    found = []
    for key, value in step.values.items():
        label = partly(step.kind, dict(zip(step.fields, value)), beside.reader) if len(step.fields) > 1 else spoken(
            value, beside.reader)
        effect = beside.effect(value) if len(step.fields) == 1 else beside.choices_in(answers[value]) if not step.fields else ""
        label = capital(label)
        if step.kind.where in step.fields:
            label, effect = beside.numbered(place_of(answers[value][0]), label), effect or beside.met(answers[value][0])
        found.append(SelectOption(label=clip(label, NAME), value=key,
                                  description=_noted(beside.cost_and_hazard(answers[value]) if step.fields else "", effect)))
    return found


# --- several answers in one form ----------------------------------------------------------------------------

def sheet_lines(step: Step) -> dict[Any, list[Action]]:
    """The lines of the form that comes next, each with the answers among which it is filled in; none: no form comes next."""
    sheet = step.kind.sheet if step.kind is not None else None
    if sheet is None or step.fields != (sheet.line,):
        return {}
    lines: dict[Any, dict[Any, Action]] = {}
    for option in step.options:
        lines.setdefault(getattr(option, sheet.line), {}).setdefault(getattr(option, sheet.amount), option)
    return {value: list(answers.values()) for value, answers in lines.items()} if len(lines) > 1 else {}


def sheet_parts(lines: Mapping[Any, list[Action]]) -> list[list[Any]]:
    """The lines that go into one form, form by form."""
    values, number = list(lines), -(-len(lines) // FIELDS)
    size = -(-len(values) // number)
    return [values[at:at + size] for at in range(0, len(values), size)]


def _sheet_name(kind: type[Action], part: Sequence[Any], reader: Reader) -> str:
    """What the button says that opens a form."""
    return f"{called(kind, reader)}: {', '.join(spoken(value, reader) for value in part)}"


def _typed(answers: Sequence[Action], amount: str) -> bool:
    """Whether a line of a form is typed, as a number between those that are listed."""
    return gaps([getattr(answer, amount) for answer in answers]) or len(answers) > CHOICES


def sheet_form(table: Table, game: int, seat: Seat, step: Step, part: int) -> Form:
    """A form for several answers of a kind, with a line for each value of a field. Raises Stale."""
    assert step.kind is not None and step.kind.sheet is not None, "the step is one of a form"
    reader, lines, amount = reader_of(table), sheet_lines(step), step.kind.sheet.amount
    parts = sheet_parts(lines)
    if part not in range(len(parts)):
        raise Stale(STALE)
    fields: list[Any] = []
    for value in parts[part]:
        answers, label = lines[value], capital(spoken(value, reader))
        if _typed(answers, amount):
            fields.append(field(f"{label} (0 – {getattr(answers[-1], amount)})", most=DIGITS, needed=False))
            continue
        offered = [SelectOption(label=clip(capital(spoken(getattr(answer, amount), reader)), NAME), value=str(number),
                                description=clip(cost_of([answer], table.state, seat, reader), NAME) or None)
                   for number, answer in enumerate(answers)]
        fields.append(choice(label, offered, needed=False))
    told = {name: values[0] for name in step.kind.model_fields if name not in (step.kind.sheet.line, amount)
            and len(values := choices(step.options, name, {})) == 1}
    heading = partly(step.kind, told, reader) or called(step.kind, reader)
    return Form(capital(heading), SHEET_SENT, game, seat, stamp(table, step.path), ".".join(step.path), part, fields=fields)


def filled_in(step: Step, part: int, amounts: Sequence[str]) -> list[Action]:
    """The answers that a form means. Raises Stale, or Illegal for what is no number."""
    assert step.kind is not None and step.kind.sheet is not None, "the step is one of a form"
    lines, amount = sheet_lines(step), step.kind.sheet.amount
    parts = sheet_parts(lines)
    if part not in range(len(parts)) or len(amounts) != len(parts[part]):
        raise Stale(STALE)
    wanted: list[Action] = []
    for value, words in zip(parts[part], map(str.strip, amounts)):
        answers = lines[value]
        if words and (not words.isdecimal() or len(words) > DIGITS):
            raise Illegal("Type a whole number, such as 7.")
        if words and _typed(answers, amount):
            wanted += [step.kind.model_validate({**answers[0].model_dump(), amount: int(words)})] if int(words) else []
        elif words:
            if int(words) >= len(answers):
                raise Stale(STALE)
            wanted.append(answers[int(words)])
    return wanted


# --- amounts and asides ---------------------------------------------------------------------------------------

def _amounts(step: Step, facts: tuple[int, Seat, int], reader: Reader) -> Iterator[Persistent]:
    """For each open-ended kind whose number comes next: a button to type one that is not listed."""
    for kind in dict.fromkeys(type(option) for option in step.options):
        if amount_field(step, kind) is not None:
            path = step.path or (kind.verb,)
            label = capital(say(text("{verb}: another amount", verb=kind.verb), reader))
            yield button(label, AMOUNT, *facts, ".".join(path))


def _asides(table: Table, game: int, seat: Seat, reader: Reader) -> list[Persistent]:
    """What the seat can do whoever is being asked what."""
    return [button(called(kind, reader), MENU, game, seat, table.public_no, kind.verb, 0)
            for kind in table.asides if any(True for _ in kind.options(table.state, seat))]
