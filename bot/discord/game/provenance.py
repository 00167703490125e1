"""/game provenance: which values of a game no source gives, what hangs on each, and a data pack to correct them."""
from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import SelectOption, app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord.components import Persistent, button, in_game, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.buttons import HOME
from bot.discord.languages import as_typed, means
from bot.discord.lengths import NAME, clip, pieces
from bot.discord.responses import reply, suggestions, titled
from bot.store import GameRow
from engine.components import components, edition_of
from engine.data_packs import template
from engine.kernel import GameSpec
from engine.options import chosen
from engine.provenance import Value, doubtful, grouped, listed, tally
from engine.refusals import Refusal
from engine.text import Reader, Text, lines, say, text, verbatim

ROOM = 900                  # characters of a page: about what a phone shows without scrolling
WORD = 44                   # characters of what is looked for, as a button carries it
WHAT = text("No public source gives them, so I've filled them in. *As a data pack* gives you a file to correct them from your "
            "own copy.")
NOTHING = "-"               # in a custom id: no game, no edition, nothing looked for


@dataclass(frozen=True)
class Source:
    """Whose values are shown: those of a game, or of an edition."""

    spec: GameSpec
    edition: str
    raw: Mapping[str, Any]
    reader: Reader
    options: Mapping[str, Any]
    game: GameRow | None = None

    @property
    def facts(self) -> tuple[int, str, str]:
        return (self.game.id, NOTHING, NOTHING) if self.game is not None else (0, self.spec.key, self.edition)

    def values(self) -> tuple[Value, ...]:
        """Every value in doubt that matters with these options."""
        return doubtful(self.spec, self.raw, chosen(self.spec, self.edition, self.options))

    def name(self) -> Text:
        return verbatim(titled(self.game)) if self.game is not None else text(edition_of(self.spec, self.edition).name)


def add_provenance(group: app_commands.Group, games: Sequence[GameSpec]) -> None:
    @helping
    async def suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
        return await _tried(interaction, games, typed)

    @helping
    async def suggest_editions(interaction: Interaction, typed: str) -> list[Choice[str]]:
        known = [Choice(name=name, value=value) for name, value in _editions(games)]
        return suggestions([choice for choice in known if typed.casefold() in choice.name.casefold()])

    @group.command(name="provenance", description="Which values of a game are made up or inferred, and what they decide")
    @about_a_game(what="Which list of components, or which component? Blank: an overview",
                  edition="For an edition instead of a game")
    @app_commands.autocomplete(what=suggest, edition=suggest_editions)
    async def provenance(interaction: Interaction, what: str = "", edition: str | None = None, game: str | None = None) -> None:
        source = await _meant(interaction, games, edition, game)
        if source is None:
            await reply(interaction, text("Which game's values?"), view([
                select([SelectOption(label=name, value=value) for name, value in _editions(games)], on_edition)]))
        else:
            await show(interaction, source, what)


def _editions(games: Sequence[GameSpec]) -> list[tuple[str, str]]:
    """Return what editions are called, with their games, and how a choice of one says it."""
    return [(clip(f"{spec.name}: {say(text(edition.name))}", NAME), f"{spec.key}/{edition.key}")
            for spec in games for edition in spec.editions if edition.available]


async def _tried(interaction: Interaction, games: Sequence[GameSpec], typed: str) -> list[Choice[str]]:
    names = interaction.namespace
    source = await _meant(interaction, games, getattr(names, "edition", None), getattr(names, "game", None))
    values = () if source is None else await asyncio.to_thread(source.values)
    known = {_list(value): "" for value in values} | {say(value.name): value.name for value in values}
    fits = [clip(name, NAME) for name, english in known.items() if typed.casefold() in f"{name} {english}".casefold()]
    return suggestions([Choice(name=name, value=name) for name in fits])


async def _meant(interaction: Interaction, games: Sequence[GameSpec], edition: str | None, game: str | None) -> Source | None:
    """The edition or the game that is named, else the game played here, else the first edition of the only game; None: any."""
    if edition is not None:
        for spec in games:
            for one in spec.editions:
                typed, name = edition.casefold().removeprefix(f"{spec.name}: ".casefold()), text(one.name)
                if one.available and (typed in (one.key, f"{spec.key}/{one.key}".casefold()) or means(typed, name)):
                    return await _of_edition(spec, one.key)
        raise Refusal("There is no edition of that name.")
    try:
        return await _of_game(interaction, await visit_meant(interaction, game))
    except Refusal:
        if game is not None:
            raise
        return await _of_edition(games[0], games[0].editions[0].key) if len(games) == 1 else None


async def _of_edition(spec: GameSpec, edition: str) -> Source:
    found = await asyncio.to_thread(components, spec, edition)
    return Source(spec, edition, found.told, Reader(dict(spec.words.names(found.parts))), {})


async def _of_game(interaction: Interaction, visit: Visit) -> Source:
    spec, game, found = visit.spec, visit.game, await interaction.client.services.session.components(visit.game)
    return Source(spec, game.edition, found.told, Reader(dict(spec.words.names(found.parts))), game.options, game)


async def _again(interaction: Interaction, visit: Visit | None, key: str, edition: str) -> Source:
    """The source that a custom id names. Raises Refusal."""
    if visit is None:
        return await _of_edition(interaction.client.services.session.spec(key), edition)
    return await _of_game(interaction, visit)


# --- a page --------------------------------------------------------------------------------------------------

async def show(interaction: Interaction, source: Source, what: str = "", page: int = 0) -> None:
    """The lists with their numbers, or a page of one list, or of the records that have a name. Raises Refusal: there are none."""
    values, wanted = await asyncio.to_thread(source.values), "" if what == NOTHING else what.strip()
    if not values:
        raise Refusal("Every value of this game comes from a source.")
    found = matching(values, wanted) if wanted else values
    head = text("**House values of {name}**: {tally}.", name=source.name(), tally=tally(values if not wanted else found))
    body = await asyncio.to_thread(_body, source, found if wanted else None) if found else \
        say(text("Nothing with that name is made up or inferred."), source.reader)
    pages = pieces(body, ROOM)
    page = min(max(page, 0), len(pages) - 1)
    asked = clip(wanted.replace(":", " "), WORD) or NOTHING
    turns = [button(label, on_page, *source.facts, asked, to)
             for label, to in ((text("Previous"), page - 1), (text("More"), page + 1)) if 0 <= to < len(pages)]
    ways = [*turns, *([button(text("Overview"), on_page, *source.facts, NOTHING, 0)] if wanted else []),
            button(text("As a data pack"), on_pack, *source.facts),
            *([button(text("Back"), HOME, source.game.id)] if source.game is not None else [])]
    await reply(interaction, lines([head, verbatim(pages[page])]), view([*_lists(source, values, wanted), *ways]))


def _body(source: Source, found: Sequence[Value] | None) -> str:
    """Return what is shown of the values that were found; None: what they are at all."""
    return say(WHAT if found is None else lines(value_lines(found, source.reader)), source.reader)


def matching(values: Sequence[Value], wanted: str) -> list[Value]:
    """The values of the list that has this name; else those of records with these words in theirs."""
    return [value for value in values if means(wanted, value.origin.name)] or [
        value for value in values if any(as_typed(wanted) in as_typed(name) for name in (say(value.name), value.name))]


def value_lines(values: Sequence[Value], reader: Reader) -> list[Text]:
    """Values in groups: what they are, where they come from, what they decide, by which rules; then one by one."""
    out: list[Text] = []
    for group in grouped(values):
        rules = text(" ({rules})", rules=tuple(map(verbatim, group.aspect.rules))) if group.aspect.rules else text("")
        out.append(text("**{list}: {what}**, {source}. Decides {effect}{rules}.", list=group.origin.name, what=group.aspect.name,
                        source=group.source(), effect=group.aspect.effect, rules=rules))
        out += [text("- {values}", values=line) for line in listed(group.values, reader)]
    return out


def _lists(source: Source, values: Sequence[Value], wanted: str) -> list[Persistent]:
    by_list: dict[str, list[Value]] = {}
    for value in values:
        by_list.setdefault(_list(value), []).append(value)
    return [select([SelectOption(label=clip(name, NAME), value=clip(name, NAME), default=name.casefold() == wanted.casefold(),
                                 description=clip(say(tally(some)), NAME))
                    for name, some in by_list.items()], on_list, *source.facts, hint=text("Which list?"))]


def _list(value: Value) -> str:
    return say(value.origin.name)


@in_game("provenance")
async def on_provenance(interaction: Interaction, visit: Visit) -> None:
    await show(interaction, await _of_game(interaction, visit))


@pressed("provof")
async def on_edition(interaction: Interaction, edition: str) -> None:
    key, _, name = edition.partition("/")
    await show(interaction, await _again(interaction, None, key, name))


@in_game("provlist")
async def on_list(interaction: Interaction, visit: Visit | None, key: str, edition: str, what: str) -> None:
    await show(interaction, await _again(interaction, visit, key, edition), what)


@in_game("provpage")
async def on_page(interaction: Interaction, visit: Visit | None, key: str, edition: str, what: str, page: int) -> None:
    await show(interaction, await _again(interaction, visit, key, edition), what, page)


@in_game("provpack")
async def on_pack(interaction: Interaction, visit: Visit | None, key: str, edition: str) -> None:
    source = await _again(interaction, visit, key, edition)
    pack = await asyncio.to_thread(template, source.spec, edition_of(source.spec, source.edition), source.raw)
    file = discord.File(io.BytesIO(pack.encode()), f"{source.spec.key}-{source.edition}.json")
    await reply(interaction, text("Correct the values that differ in your copy, then give the file to `/game open`, option data. "
                                  "I'll list everything that is wrong with it."), files=[file])
