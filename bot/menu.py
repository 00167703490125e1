"""One's own turn as buttons and selects: a verb, then field by field, and only legal values at every step.

A path is what has been chosen so far: a verb, then one token for each field that had more than one value left. The path
travels in the custom id, so a menu outlives a restart; it is walked anew among the options of the present moment.
"""
from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import discord
from discord import SelectOption

from bot.buttons import Persistent, Style, button, select, view
from bot.news import choice_id
from bot.replies import CHOICES, MESSAGE, NAME, clip, reader_of, seat_name
from engine.kernel import Action, Aside, GameSpec, Seat, Table, choices
from engine.refusals import Stale
from engine.text import Reader, say

FEW = 10                    # whole answers are offered as buttons up to this number: two rows
TOKEN = 6                   # characters of a token: 36 bits, far beyond the values of one field

STALE = "That was an answer to an earlier question. Here is the present one."

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
    return table.asked_at if aside(table.spec, path) is None else table.last_no


# --- words --------------------------------------------------------------------------------------------

def spoken(value: Any, reader: Reader) -> str:
    """A field's value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(spoken(item, reader) for item in value) or "none"
    return reader.name(value) or "none" if isinstance(value, str) else str(value)


def first_sentence(kind: type[Action]) -> str:
    """The first sentence of an action's help."""
    doc = " ".join((kind.__doc__ or kind.verb).split())
    end = doc.find(". ")
    return clip(doc if end < 0 else doc[:end + 1], NAME)


def capital(words: str) -> str:
    """With a capital letter, and nothing else changed."""
    return words[:1].upper() + words[1:]


# --- the screen -----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Screen:
    """A message to one person: words, and what can be pressed."""

    words: str
    view: discord.ui.View | None


def screen(table: Table, game: int, seat: Seat, path: Path = (), page: int = 0, *, above: str = "") -> Screen:
    """The seat's present question, or a step into its answer, below what just happened. Raises Stale for a dead path."""
    reader, question, apart = reader_of(table), table.asked(seat), aside(table.spec, path)
    lines, items = [above] if above else [], list[Persistent]()
    if question is not None and apart is None:
        lines.append(f"**{seat_name(table, seat, reader)}**: {say(question.text(), reader)}")
        if len(path) == 1 and len({option.verb for option in table.options(seat)}) == 1:
            path = ()                   # going back to a verb that was never asked for
    elif apart is None:
        lines.append("The game is over." if table.over else "Nothing is being asked of you just now.")
    if question is not None or apart is not None:
        step = walk(open_to(table, seat, path), path)
        if isinstance(step, Step):
            lines += _so_far(step, path, reader)
        items += _ways_on(step, table.spec, reader, (game, seat, stamp(table, path)), page)
        if path:
            items.append(button("Back", "menu", game, seat, stamp(table, path[:-1]), ".".join(path[:-1]), 0))
        lines += [f"-# Other values are possible too: type `/{table.spec.command} {kind.verb}`."
                  for kind in (question.accepts if question and apart is None else ()) if kind.open_ended]
    if not path and not table.over:
        items += _asides(table, game, seat)
    return Screen(clip("\n".join(lines), MESSAGE), view(items))


def _so_far(step: Step, path: Path, reader: Reader) -> list[str]:
    """What the steps before have settled, and what this one settles."""
    if step.kind is None or step.field is None:
        return []
    settled = {name: choices(step.options, name, {}) for name in step.kind.model_fields}
    told = [f"{name.replace('_', ' ')} {spoken(values[0], reader)}" for name, values in settled.items() if len(values) == 1]
    help_text = step.kind.model_fields[step.field].description or step.field.replace("_", " ")
    return [" · ".join([capital(step.kind.verb), *told]) if path else first_sentence(step.kind), f"{help_text}:"]


def _ways_on(step: Step | Action, spec: GameSpec, reader: Reader, facts: tuple[object, ...], page: int) -> list[Persistent]:
    """Whole answers as buttons when they are few, else the values of the next step as a select, with pages."""
    whole = step.options if isinstance(step, Step) else (step,)
    if len(whole) <= FEW:
        return [button(capital(say(option.label(), reader)), "do", *facts, choice_id(option), style=Style.primary)
                for option in whole]
    assert isinstance(step, Step), "one answer is few"
    path = ".".join(step.path)
    listed = list(step.values.items())
    shown = listed[page * CHOICES:(page + 1) * CHOICES] or listed[:CHOICES]
    hint = "What do you do?" if step.field is None else step.field.replace("_", " ")
    items = [select([_option(step, key, value, spec, reader) for key, value in shown], "pick", *facts, path, hint=hint)]
    if page:
        items.append(button("Previous", "menu", *facts, path, page - 1))
    if len(listed) > (page + 1) * CHOICES:
        items.append(button("More", "menu", *facts, path, page + 1))
    return items


def _option(step: Step, key: str, value: Any, spec: GameSpec, reader: Reader) -> SelectOption:
    if step.field is not None:
        return SelectOption(label=clip(capital(spoken(value, reader)), NAME), value=key)
    kind = spec.verb(value)
    assert kind is not None, "a verb of an option is a verb of its game"
    return SelectOption(label=capital(value.replace("_", " ")), value=key, description=first_sentence(kind))


def _asides(table: Table, game: int, seat: Seat) -> list[Persistent]:
    """What the seat can do whoever is being asked what."""
    return [button(capital(kind.verb.replace("_", " ")), "menu", game, seat, table.last_no, kind.verb, 0)
            for kind in table.spec.asides if any(True for _ in kind.options(table.state, seat))]
