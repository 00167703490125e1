"""What a menu or a suggestion shows is understood when it is typed, in the language that is read and in English."""
from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from engine.catalog import find
from engine.text import Reader, count, say
from engine.text.languages import LANGUAGES
from tests.bot.discord_world import World, words
from tests.bot.test_whole_game import sketch

SHOWN: Sequence[tuple[str, str, str, Mapping[str, str]]] = (       # commands with what is typed in English, and given besides
    ("game show", "what", "Close-up", {}), ("game show", "about", "Caribbean", {"what": "closeup"}),
    ("lookup", "name", "Banking", {}), ("talk say", "to", "All", {"message": "Hm."}),
    ("game provenance", "edition", "First edition (2004)", {}), ("game provenance", "what", "Neutral markers", {}),
    ("game provenance", "what", "Banking", {}), ("orders add", "question", "Your power", {}))


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "games.db", (find("struggle_of_empires"),), draw=sketch) as world:
        yield world


@pytest.mark.parametrize("code", ["de", "ru", "he"])
async def test_names_are_typed_as_they_are_shown_or_in_english(club: World, code: str) -> None:
    await club.services.settings.set_language(club.olga.id, code)
    language = LANGUAGES[code]
    await club.olga.slash(club.table, "game open", game="struggle_of_empires", seats=2,
                          edition=language.gettext("Deluxe edition (2020)"))
    for player in (club.olga, club.bob):
        await player.slash(club.table, "game join")
    await club.olga.slash(club.table, "game start")
    assert (await club.services.queries.game(1)).edition == "deluxe"
    for command, option, english, given in SHOWN:
        own, known, wrong = [words(await club.olga.slash(club.table, command, **{option: typed}, **given))
                             for typed in (language.named(english, ""), english, "Qwertz")]
        assert own == known != wrong, (command, own, wrong)
    days = say(count(3, "{n} day", "{n} days"), Reader(language=language))
    assert words(await club.olga.slash(club.table, "my away", until=days)) == words(
        await club.olga.slash(club.table, "my away", until="3 days"))
    offered = await club.olga.autocomplete(club.table, "lookup", "name", "bankin")
    assert [choice["name"] for choice in offered] == [language.named("Banking", "")]
    for place, typed in enumerate(("The default move", language.gettext("The default move")), 1):
        (asked,) = await club.services.queries.waiting(1)
        name = f"Seat {asked.seat[-1]}" if place == 1 else language.gettext(f"Seat {asked.seat[-1]}")
        before = await club.newest()
        await club.olga.slash(club.table, "gm answer", seat=name, answer=typed)
        assert await club.newest() > before, typed
