"""One command group for each game, generated from its actions; no rule stands here.

The docstring of an action is its command's help, its fields are the options, and autocomplete offers what is legal for the
caller now, narrowed by what is filled in already and by what was typed.
"""
from __future__ import annotations

import inspect
import re
import typing
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from discord import app_commands
from discord.app_commands import Choice
from pydantic import ValidationError

from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.answering import came_back
from bot.discord.game.menu_words import first_sentence, spoken
from bot.discord.game.position import position_of
from bot.discord.heard import confide
from bot.discord.languages import as_typed, means
from bot.discord.lengths import NAME, capital, clip
from bot.discord.responses import suggestions
from bot.domain.announcements import reader_of
from engine.kernel import Action, Aside, GameSpec, Seat, Table, choices, gaps, parse_action
from engine.refusals import Illegal, Stale
from engine.text import LANGUAGE, MINUS, text
from engine.text.languages import ENGLISH

NAMED = 12                  # legal values that a refusal names
EMPTY = (text("none"), text("nothing"))         # how a list without anything is called
CONTEXTS = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
BY_ANYBODY = app_commands.AppInstallationType(guild=True, user=True)        # a member can have it on any server, and off them


def group_for(spec: GameSpec) -> app_commands.Group:
    group = app_commands.Group(name=spec.command, description=clip(f"Your moves in {spec.name}", NAME),
                               allowed_contexts=CONTEXTS)
    for kind in (*spec.rules.actions, *spec.rules.asides):
        if spec.words.menus[kind.verb].typed:
            group.add_command(command_for(spec, kind))
    return group


def command_for(spec: GameSpec, kind: type[Action]) -> app_commands.Command[Any, ..., None]:
    async def callback(interaction: Interaction, **typed: Any) -> None:
        visit = await visit_meant(interaction, typed.pop("game", None), key=spec.key)
        seat = visit.own_seat()
        if await came_back(interaction, visit):
            return
        position = await position_of(interaction, visit)
        table = visit.table if kind.unasked else position.table
        given = {name: value for name, value in typed.items() if value is not None}
        try:
            await position.take(understood(table, seat, kind, given))
        except Stale as stale:
            await position.afresh(stale)

    callback.__signature__ = _signature(kind)           # type: ignore[attr-defined]
    told = {name: clip(field.description or name.replace("_", " "), NAME) for name, field in kind.model_fields.items()}
    about_a_game(**told)(callback)
    offers = {name: _offer(spec, kind, name) for name in kind.model_fields if _option_type(kind, name) is not bool}
    app_commands.autocomplete(**offers)(callback)
    return app_commands.Command(name=kind.verb, description=first_sentence(kind), callback=callback)


def _option_type(kind: type[Action], name: str) -> type[bool | int | str]:
    """Return what Discord asks for: a switch, a whole number, or a name that autocomplete helps with."""
    annotation = kind.model_fields[name].annotation
    plain = [part for part in (typing.get_args(annotation) or (annotation,)) if part is not type(None)]
    return plain[0] if plain in ([bool], [int]) else str


def _signature(kind: type[Action]) -> inspect.Signature:
    """The callback's parameters as discord.py reads them: the interaction, the fields, the game."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    fields = [inspect.Parameter(name, keyword, annotation=_option_type(kind, name),
                                default=inspect.Parameter.empty if field.is_required() else None)
              for name, field in kind.model_fields.items()]
    return inspect.Signature([inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD), *fields,
                              inspect.Parameter("game", keyword, annotation=str, default=None)])


# --- from what was typed to an action ---------------------------------------------------------------------

def legal(table: Table, seat: Seat, kind: type[Action]) -> list[Action]:
    if issubclass(kind, Aside):
        return list(kind.options(table.state, seat))
    return [option for option in table.options(seat) if type(option) is kind]


def why_not(table: Table, seat: Seat, kind: type[Action]) -> Illegal | None:
    """Why the seat has no answer of a kind that it is asked for, or that it could give at any time."""
    question = table.question(seat)
    open_to_it = not table.over if issubclass(kind, Aside) else question is not None and kind in question.accepts
    return kind.obstacle(table.state, seat) if open_to_it else None


def understood(table: Table, seat: Seat, kind: type[Action], typed: Mapping[str, Any]) -> Action:
    """The action that was typed, by ids or by readable names, in any case of letters.

    Raises Illegal: with the reason if no answer of this kind is possible at all, with the legal values if a value is none of
    them and cannot be used.
    """
    if (obstacle := why_not(table, seat, kind)) is not None:
        raise obstacle
    options = legal(table, seat, kind)
    fields: dict[str, Any] = {}
    for name, value in typed.items():
        fields[name] = meant(table, kind, name, choices(options, name, _listed(kind, options, fields)), value)
    try:
        action = parse_action(table.spec, kind.verb, fields)
        if options and (kind.bounded or not kind.open_ended) and action not in options:
            action.check(table.state, seat)
    except Illegal as refusal:
        raise _with_values(refusal, table, seat, options, fields) from None
    return action


def _listed(kind: type[Action], options: list[Action], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields that narrow the others: of an open-ended kind, an amount beyond the listed ones says nothing of the rest."""
    if not kind.open_ended:
        return fields
    return {name: value for name, value in fields.items() if value in choices(options, name, {})}


def meant(table: Table, kind: type[Action], name: str, values: Iterable[Any], typed: Any) -> Any:
    """The value that somebody typed for a field: a legal one if it fits, else any name of the game, else the words.

    Of several things with one name the legal one is meant. A list is typed in any order where its order says nothing.
    """
    if not isinstance(typed, str):
        return typed
    readers, values = (reader_of(table), reader_of(table, ENGLISH)), list(values)
    wanted = _as_typed(typed)
    for reader in readers:
        for value in values:
            if wanted in (_as_typed(written(value)), _as_typed(spoken(value, reader))):
                return value
    several = typing.get_origin(kind.model_fields[name].annotation) is tuple
    ids: dict[str, str] = {}
    for reader in readers:
        for id in (*_items(values), *reader.names):     # a power comes before the seat that is called after it
            ids.setdefault(_as_typed(reader.name(id)), id)
    ids.update({id: id for id in readers[0].names})
    if not several:
        return ids.get(wanted, typed.strip())
    chosen = tuple(ids.get(_as_typed(word), word) for word in _words(typed, ids))
    if kind.open_ended:
        return chosen
    return next((value for value in values if Counter(value) == Counter(chosen)), chosen)


def _as_typed(words: str) -> str:
    """Words as people type them, with a hyphen for the minus sign, which no keyboard has."""
    return as_typed(words).replace(MINUS, "-")


def _items(values: Iterable[Any]) -> dict[str, None]:
    """The names in these values, also those in lists, each once."""
    return dict.fromkeys(item for value in values for item in (value if isinstance(value, tuple) else (value,))
                         if isinstance(item, str))


def _words(typed: str, known: Container[str]) -> Iterator[str]:
    """The words between commas, or before and after "and" where that is in no name; without those for an empty list."""
    between = "|".join(re.escape(language.listing(["1", "2"])[1:-1]) for language in (LANGUAGE.get(), ENGLISH))
    for part in map(str.strip, typed.split(",")):
        for word in [part] if _as_typed(part) in known else re.split(between, part, flags=re.IGNORECASE):
            if word.strip() and not any(means(word, empty) for empty in EMPTY):
                yield word.strip()


def written(value: Any) -> str:
    """A field's value as the option carries it."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _with_values(refusal: Illegal, table: Table, seat: Seat, options: list[Action], fields: Mapping[str, Any]) -> Illegal:
    """The refusal, with what would be possible for the first field that has no legal value."""
    so_far: dict[str, Any] = {}
    for name, value in fields.items():
        values = choices(options, name, so_far)
        if value in values:
            so_far[name] = value
        elif values and not _fits(table, seat, options, {**so_far, name: value}):
            named = tuple(value for value in values if value != "")[:NAMED]
            more = (text("{n} more", n=len(values) - len(named)),) if len(values) > NAMED else ()
            return Illegal("{refusal} Possible: {values}.", rule=refusal.rule, refusal=refusal.text, values=(*named, *more))
    return refusal


def _fits(table: Table, seat: Seat, options: Iterable[Action], fields: Mapping[str, Any]) -> bool:
    """True if one of the listed answers of an open-ended kind is legal with the last of these values, which is not listed."""
    *others, (name, value) = fields.items()
    base = next((option for option in options if all(getattr(option, other) == wanted for other, wanted in others)), None)
    if base is None or not base.open_ended:
        return False
    try:
        type(base).model_validate({**base.model_dump(), name: value}).check(table.state, seat)
    except (Illegal, ValidationError):
        return False
    return True


# --- autocomplete -------------------------------------------------------------------------------------------

def _offer(spec: GameSpec, kind: type[Action], name: str) -> Any:
    @helping
    async def offer(interaction: Interaction, typed: str) -> list[Choice[Any]]:
        filled = dict(vars(interaction.namespace))
        visit = await visit_meant(interaction, filled.pop("game", None), key=spec.key)
        position = await position_of(interaction, visit)
        seat, table = position.seat, visit.table if kind.unasked else position.table
        confide(visit.id, seat)
        return offered(table, seat, kind, name, {key: value for key, value in filled.items() if key != name}, typed)
    return offer


def offered(table: Table, seat: Seat, kind: type[Action], name: str, filled: Mapping[str, Any], typed: Any) -> list[Choice[Any]]:
    """The legal values of a field that go with the other fields and with what was typed, by their readable names."""
    options, so_far = legal(table, seat, kind), dict[str, Any]()
    for other, value in filled.items():
        if value not in (None, ""):
            so_far[other] = meant(table, kind, other, choices(options, other, {}), value)
    reader, english = reader_of(table), reader_of(table, ENGLISH)
    as_number = _option_type(kind, name) is int
    out: list[Choice[Any]] = []
    values = choices(options, name, _listed(kind, options, so_far))
    named = _listed(kind, options, so_far)
    more = [*_between(table, seat, kind, name, options, named, typed), *_longer(table, seat, kind, name, options, named, typed)]
    for value in [*values, *more]:
        label, carried = capital(spoken(value, reader)), value if as_number else written(value) or "none"
        fits = value not in values or _as_typed(str(typed)) in _as_typed(f"{label} {carried} {spoken(value, english)}")
        if fits and len(str(carried)) <= NAME:
            out.append(Choice(name=clip(label, NAME), value=carried))
    return suggestions(out)


def _between(table: Table, seat: Seat, kind: type[Action], name: str, options: list[Action], so_far: Mapping[str, Any],
             typed: Any) -> Iterator[int]:
    """Of a kind that leaves out numbers between those listed: the number that was typed, if it is one of them."""
    words, numbers = str(typed).strip(), choices(options, name, so_far)
    if kind.bounded and words.isdecimal() and gaps(numbers) and int(words) not in numbers and _fits(
            table, seat, options, {**so_far, name: int(words)}):
        yield int(words)


def _longer(table: Table, seat: Seat, kind: type[Action], name: str, options: list[Action], so_far: Mapping[str, Any],
            typed: Any) -> Iterator[Any]:
    """Of an open-ended kind: the list that was typed up to its last comma, with each name that can follow."""
    first, comma, last = str(typed).rpartition(",")
    values = choices(options, name, {})
    if not (comma and kind.open_ended and typing.get_origin(kind.model_fields[name].annotation) is tuple):
        return
    reader, begun = reader_of(table), meant(table, kind, name, values, first)
    for item in _items(values):
        longer = (*begun, item)
        if (_as_typed(last) in _as_typed(reader.name(item)) and longer not in values
                and _fits(table, seat, options, {**so_far, name: longer})):
            yield longer
