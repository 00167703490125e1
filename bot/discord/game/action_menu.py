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
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import discord
from discord import SelectOption
from pydantic import ValidationError

from bot.discord.components import Persistent, Style, button, select, view
from bot.discord.game.buttons import AMOUNT, ANSWER, CANNOT, HERE, MENU, PICK, TAKE_BACK
from bot.discord.responses import CHOICES, LABEL, NAME, clip, reader_of, seat_name
from bot.domain.announcements import choice_id
from engine import notation
from engine.kernel import Action, Aside, Ask, GameSpec, Seat, Table, choices, gaps
from engine.refusals import Stale
from engine.text import Reader, Text, say, template, text, verbatim

FEW = 10                    # whole answers are offered as buttons up to this number: two rows
TOKEN = 6                   # characters of a token: 36 bits, far beyond the values of one field
TYPED = "="                 # begins a token that is a number itself

STALE = template("That was for an earlier question. Here is the current one.")

Path: TypeAlias = tuple[str, ...]


# --- walking a path ---------------------------------------------------------------------------------

@dataclass(frozen=True)
class Step:
    """What is to be chosen next: a verb (`field` is None) or the value of a field, and the answers that still fit."""

    path: Path
    kind: type[Action] | None
    field: str | None
    values: dict[str, Any]              # token -> value
    options: tuple[Action, ...]


def token(value: object) -> str:
    """A value in short: letters that a custom id can hold."""
    return base64.urlsafe_b64encode(hashlib.sha256(str(value).encode()).digest())[:TOKEN].decode()


def walk(options: Iterable[Action], path: Path) -> Step | Action:
    """Follow a path among the legal answers: to the next choice, or to the one answer that it means.

    What leaves only one value is not asked. Raises Stale if the path leads nowhere now.
    """
    left = tuple(options)
    verbs = {option.verb: option.verb for option in left}
    if not path:
        if len(verbs) != 1:
            return Step((), None, None, verbs, left)
        path = (*verbs,)
    verb, *tokens = path
    left = tuple(option for option in left if option.verb == verb)
    for field in type(left[0]).model_fields if left else ():
        if tokens and tokens[0].startswith(TYPED):
            left = _with_amount(left, field, tokens.pop(0).removeprefix(TYPED))
            continue
        values = {token(value): value for value in choices(left, field, {})}
        if len(values) == 1:
            continue
        if not tokens:
            return Step(path, type(left[0]), field, values, left)
        chosen = values.get(tokens.pop(0))
        left = tuple(option for option in left if getattr(option, field) == chosen)
        if not left:
            break
    if not left or tokens:
        raise Stale(STALE)
    return left[0]


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


def called(verb: str, reader: Reader) -> str:
    """What a kind of action is called in this game, with a capital letter."""
    return capital(reader.name(verb))


def capital(words: str) -> str:
    """With a capital letter, and nothing else changed."""
    return words[:1].upper() + words[1:]


# --- the screen -----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Screen:
    """A message to one person: words, and what can be pressed."""

    words: str
    view: discord.ui.View | None


def screen(table: Table, game: int, seat: Seat, path: Path = (), page: int = 0, *, above: str = "", head: bool = True,
           newest: int | None = None) -> Screen:
    """The seat's present question, or a step into its answer, below what just happened. Raises Stale for a dead path.

    With `head`, the first screen says where the game stands and what the seat has. `newest` is the last row, if the seat may
    take back its last answer.
    """
    reader, question, apart = reader_of(table), table.question(seat), aside(table.spec, path)
    lines, items = [above] if above else [], list[Persistent]()
    if question is not None and apart is None:
        if head and not path:
            lines += _head(table, seat, reader)
        lines.append(f"**{seat_name(table, seat, reader)}**: {say(question.text(), reader)}")
        if len(path) == 1 and len({option.verb for option in table.options(seat)}) == 1:
            path = ()                   # going back to a verb that was never asked for
    elif apart is None:
        lines.append(say(text("The game is over.") if table.over else
                         text("You are away: your questions get their default answers.") if seat in table.absent else
                         text("Nothing is being asked of you just now."), reader))
    if question is not None or apart is not None:
        step = walk(open_to(table, seat, path), path)
        beside = Beside(table.state, seat, reader, cost_of(step.options, table.state, seat, reader)
                        if isinstance(step, Step) and step.field is not None else "")
        if isinstance(step, Step):
            lines += _so_far(step, path, beside, reader)
        elif apart is not None:
            lines.append(first_sentence(apart))         # nothing is left to choose: what the button does
        listed = open_to(table, seat, path)
        items += _ways_on(step, table.spec, reader, beside, (game, seat, stamp(table, path)), listed, page)
        if path:
            items.append(button(text("Back"), MENU, game, seat, stamp(table, path[:-1]), ".".join(path[:-1]), 0))
    if not path and not table.over:
        if seat in table.absent:
            items.append(button(text("I am back"), HERE, game))
        items += _asides(table, game, seat, reader)
        if newest is not None:
            items.append(button(text("Take back"), TAKE_BACK, game, seat, newest))
        if question is not None and impossible(table, seat, question):
            items.append(button(text("What can't I do?"), CANNOT, game, seat))
    return Screen("\n".join(lines), view(items))


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
    listed, name = list(options), told.__name__
    telling = {kind for kind in {type(option) for option in listed} if getattr(kind, name) is not told}
    asked = [option for option in listed if type(option) in telling]
    words = [getattr(option, name)(state, seat) for option in asked]
    said = {"" if each is None else say(each, reader) for each in words} | ({""} if len(asked) < len(listed) else set())
    return said.pop() if len(said) == 1 else ""


def _head(table: Table, seat: Seat, reader: Reader) -> list[str]:
    """Where the game stands, and what the seat has."""
    purse = table.spec.views.purse(table.state, seat)
    return [f"-# {say(table.spec.words.moment(table.state), reader)}", *([say(purse, reader)] if purse is not None else [])]


@dataclass(frozen=True)
class Beside:
    """What stands beside a choice: what its answers cost, and what chance may do to them, as far as they agree."""

    state: Any
    seat: Seat
    reader: Reader
    above: str                          # what all choices cost: it stands above them once

    def cost(self, answers: Iterable[Action]) -> str:
        return "" if self.above else cost_of(answers, self.state, self.seat, self.reader)

    def cost_and_hazard(self, answers: Sequence[Action]) -> str:
        hazard = _shared(answers, Action.hazard, self.state, self.seat, self.reader)
        return " · ".join(filter(None, (self.cost(answers), hazard)))


def _so_far(step: Step, path: Path, beside: Beside, reader: Reader) -> list[str]:
    """What the steps before have settled, with what it costs whatever comes next, and what this one settles."""
    if step.kind is None or step.field is None:
        return []
    fields = step.kind.model_fields
    settled = {name: choices(step.options, name, {}) for name in fields}
    told = [f"{name.replace('_', ' ')} {spoken(values[0], reader)}" for name, values in settled.items()
            if len(values) == 1 and values[0] not in (False, "", (), fields[name].default)]     # what is as usual needs no word
    cost = [say(text("costs {cost}", cost=verbatim(beside.above)), reader)] if beside.above else []
    head = [called(step.kind.verb, reader), *told] if path else [first_sentence(step.kind)]
    return [" · ".join([*head, *cost]), say(step.kind.prompt(step.field, beside.state), reader)]


def _ways_on(step: Step | Action, spec: GameSpec, reader: Reader, beside: Beside, facts: tuple[int, Seat, int],
             listed: Iterable[Action], page: int) -> list[Persistent]:
    """Whole answers as buttons when they are few, else the values of the next step as a select, with pages."""
    whole = step.options if isinstance(step, Step) else (step,)
    if len(whole) <= FEW:
        known = frozenset(listed)
        items = [button(_labelled(option, beside, reader), ANSWER, *facts, named(option, known), style=Style.primary)
                 for option in whole]
        return [*items, *(_amounts(step, facts, reader) if isinstance(step, Step) else ())]
    assert isinstance(step, Step), "one answer is few"
    steps = ".".join(step.path)
    values = list(step.values.items())
    shown = values[page * CHOICES:(page + 1) * CHOICES] or values[:CHOICES]
    hint = say(text("What do you do?"), reader) if step.field is None else step.field.replace("_", " ")
    items = [select([_option(step, key, value, spec, beside) for key, value in shown], PICK, *facts, steps, hint=hint)]
    if page:
        items.append(button(text("Previous"), MENU, *facts, steps, page - 1))
    if len(values) > (page + 1) * CHOICES:
        items.append(button(text("More"), MENU, *facts, steps, page + 1))
    return [*items, *_amounts(step, facts, reader)]


def named(action: Action, listed: Container[Action]) -> str:
    """How a button names an answer: shortly if it is listed, else in full."""
    return choice_id(action) if action in listed else notation.write(action)


def _labelled(option: Action, beside: Beside, reader: Reader) -> str:
    """The label of a whole answer, with what stands beside it if both find room."""
    label, note = capital(say(option.label(), reader)), beside.cost_and_hazard([option])
    both = f"{label} ({note})"
    return both if note and len(both) <= LABEL else label


def _option(step: Step, key: str, value: Any, spec: GameSpec, beside: Beside) -> SelectOption:
    """A verb with its cost and its help, or the value of a field with what stands beside the answers that have it."""
    name = step.field or "verb"
    answers = [option for option in step.options if getattr(option, name) == value]
    if step.field is not None:
        label, note = capital(spoken(value, beside.reader)), beside.cost_and_hazard(answers)
        return SelectOption(label=clip(label, NAME), value=key, description=clip(note, NAME) or None)
    kind = spec.verb(value)
    assert kind is not None, "a verb of an option is a verb of its game"
    note = " · ".join(filter(None, (beside.cost(answers), first_sentence(kind))))
    return SelectOption(label=called(value, beside.reader), value=key, description=clip(note, NAME))


def _amounts(step: Step, facts: tuple[int, Seat, int], reader: Reader) -> Iterator[Persistent]:
    """For each open-ended kind whose number comes next: a button to type one that is not listed."""
    for kind in dict.fromkeys(type(option) for option in step.options):
        if amount_field(step, kind) is not None:
            path = step.path or (kind.verb,)
            label = capital(say(text("{verb}: another amount", verb=kind.verb), reader))
            yield button(label, AMOUNT, *facts, ".".join(path))


def _asides(table: Table, game: int, seat: Seat, reader: Reader) -> list[Persistent]:
    """What the seat can do whoever is being asked what."""
    return [button(called(kind.verb, reader), MENU, game, seat, table.public_no, kind.verb, 0)
            for kind in table.spec.rules.asides if any(True for _ in kind.options(table.state, seat))]
