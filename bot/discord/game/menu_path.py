"""How an answer is chosen: a path of choices, walked among the legal answers of the present moment.

A path is what has been chosen so far: a verb, then one token for each field that had more than one value left. The path
travels in the custom id, so a menu outlives a restart. A number that the options do not list travels as it was typed, "=9".
"""
from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field as field_of
from operator import attrgetter
from typing import Any, TypeAlias

from pydantic import ValidationError

from bot.discord.components import ROWS
from bot.discord.lengths import CHOICES
from bot.domain.announcements import choice_id
from engine.kernel import Action, Aside, GameSpec, Menus, Presentation, Seat, Table, choices, gaps, place_of
from engine.refusals import Stale
from engine.text import template

TOKEN = 6                   # characters of a token: 36 bits, far beyond the values of one field
NO_MORE = ""                # in place of a further value, where fewer will do
TYPED = "="                 # begins a token that is a number itself
WHOLE = "!"                 # begins a token that is a whole answer, by its `choice_id`
STALE = template("That was for an earlier question. Here is the current one.")
Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """What is to be chosen next: a verb, the values of fields, or the part of the map where a place lies; and the answers that
    still fit."""

    path: Path
    kind: type[Action] | None
    fields: tuple[str, ...]             # none: a verb, or a part of the map
    values: dict[str, Any]              # token -> value; of several fields a tuple of values
    options: tuple[Action, ...]
    menus: Menus
    areas: Mapping[str, str] = field_of(default_factory=dict)       # of a part of the map: place -> part
    taken: tuple[Any, ...] | None = None        # of a field whose values are chosen one after the other: those that have been

    def pieces_of(self, option: Action) -> list[Any]:
        """Of a field whose values are chosen one after the other: the next ones with which an answer can be reached."""
        left = [item for item in getattr(option, self.fields[0]) if item not in (self.taken or ())]
        return left or [NO_MORE]

    def value_of(self, option: Action) -> Any:
        return attrgetter(*self.fields)(option) if self.fields else self.areas.get(place := place_of(self.menus, option), place)

    @property
    def shown(self) -> Presentation:
        """How the one kind of its answers is offered."""
        assert self.kind is not None, "a step of one kind"
        return self.menus[self.kind.verb]

    @property
    def field(self) -> str | None:
        return self.fields[0] if self.fields else None


def token(value: object) -> str:
    """A value in short: letters that a custom id can hold."""
    return base64.urlsafe_b64encode(hashlib.sha256(str(value).encode()).digest())[:TOKEN].decode()


def walk(menus: Menus, options: Iterable[Action], path: Path, areas: Mapping[str, str] = {}) -> Step | Action:
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
            return Step((), None, (), verbs, left, menus)
        path = (*verbs,)
    verb, *tokens = path
    left = tuple(option for option in left if option.verb == verb)
    groups = groups_of(menus, type(left[0]), left) if left else []
    while groups:
        if tokens and tokens[0].startswith(TYPED):
            at = next((at for at, group in enumerate(groups) if _is_amount(left, group)), 0)
            left = _with_amount(left, groups.pop(at)[0], tokens.pop(0).removeprefix(TYPED))
            continue
        if parts := _parts_of_map(menus, left, groups[0], areas):
            if not tokens:
                return Step(path, type(left[0]), (), parts, left, menus, areas)
            part = parts.get(tokens.pop(0))
            left = tuple([option for option in left if areas.get(place := place_of(menus, option), place) == part])
            if not left:
                break
            continue
        fields = groups.pop(0)
        if fields == (menus[verb].piecewise,):
            found = _piecewise(path, left, fields, tokens, menus)
            if isinstance(found, Step):
                return found
            left = found
            continue
        values = {token(value): value for value in dict.fromkeys(map(attrgetter(*fields), left))}
        if len(values) == 1:
            continue
        if not tokens:
            return Step(path, type(left[0]), fields, values, left, menus)
        chosen = values.get(tokens.pop(0))
        left = tuple([option for value, option in zip(map(attrgetter(*fields), left), left) if value == chosen])
        if not left:
            break
    if not left or tokens:
        raise Stale(STALE)
    return left[0]


def _piecewise(path: Path, left: tuple[Action, ...], fields: tuple[str, ...], tokens: list[str], menus: Menus
               ) -> Step | tuple[Action, ...]:
    """Follow tokens through the values of a field that are chosen one after the other. Raises Stale."""
    taken: tuple[Any, ...] = ()
    held = attrgetter(*fields)
    while len(set(map(held, left))) > 1:
        values = {token(item): item for option in left for item in held(option) if item not in taken}
        if any({*held(option)} == {*taken} for option in left):
            values[token(NO_MORE)] = NO_MORE
        if not tokens:
            return Step(path, type(left[0]), fields, values, left, menus, taken=taken)
        item = values.get(tokens.pop(0))
        left = tuple([option for option in left if (item in held(option) if item else {*held(option)} == {*taken})])
        if item is None or not left:
            raise Stale(STALE)
        taken = (*taken, item)
    return left


def _whole(options: Iterable[Action], wanted: str) -> Action:
    """The one of these answers that a token means. Raises Stale."""
    for option in options:
        if choice_id(option) == wanted:
            return option
    raise Stale(STALE)


def groups_of(menus: Menus, kind: type[Action], options: Sequence[Action]) -> list[tuple[str, ...]]:
    """The fields of a kind in the order in which a menu asks them; those of a group apart if they allow too many choices."""
    steps = menus[kind.verb].steps
    together = [name for group in steps for name in group]
    groups: list[tuple[str, ...]] = []
    for group in (*steps, *((name,) for name in kind.model_fields if name not in together)):
        apart = len(group) > 1 and len(set(map(attrgetter(*group), options))) > (ROWS - 2) * CHOICES
        groups += [(name,) for name in group] if apart else [group]
    return groups


def _parts_of_map(menus: Menus, options: Sequence[Action], group: tuple[str, ...], areas: Mapping[str, str]) -> dict[str, str]:
    """The parts of the map among which to choose before a field that has more places than a list holds; none if it has fewer."""
    if not areas or group != (menus[options[0].verb].where,):
        return {}
    places = dict.fromkeys(place_of(menus, option) for option in options)
    if len(places) <= CHOICES:
        return {}
    parts = {token(part): part for part in dict.fromkeys(areas.get(place, place) for place in places)}
    return parts if len(parts) > 1 else {}


def _is_amount(options: Sequence[Action], group: tuple[str, ...]) -> bool:
    """True if a step asks for a number that can be another than those listed."""
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
    """Return what comes next on a path of the seat's menu. Raises Stale."""
    return walk(table.spec.words.menus, open_to(table, seat, path), path, table.spec.views.areas(table.parts))


def stamp(table: Table, path: Path) -> int:
    """Return what a menu must find unchanged: the question, or for an aside the whole log, since no question guards it."""
    return table.asked_at if aside(table.spec, path) is None else table.public_no


def parts_of(menus: Menus, options: Iterable[Action], areas: Mapping[str, str]) -> list[str]:
    """The parts of the map where these answers act, in the order of the map; "" at the end for those that act in none."""
    found = {areas.get(place_of(menus, option), "") for option in (options if areas else ())}
    return [part for part in dict.fromkeys((*areas.values(), "")) if part in found]


def part_of(step: Step | Action, areas: Mapping[str, str]) -> str:
    """The one part of the map where all answers of a step act; "" if there is none, or several."""
    parts = parts_of(step.menus, step.options, areas) if isinstance(step, Step) else ()
    return parts[0] if len(parts) == 1 else ""


def listed(table: Table, seat: Seat) -> Iterable[Action]:
    yield from table.options(seat)
    for kind in table.asides:
        yield from kind.options(table.state, seat)


def possible_aside(table: Table, seat: Seat, path: Path) -> bool:
    """True if a path begins with an aside that the seat can choose now."""
    return not table.over and aside(table.spec, path) is not None and any(True for _ in open_to(table, seat, path))
