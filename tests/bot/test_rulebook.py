"""/game rules on Discord: a number, a question, pages, what is offered while somebody types, and what nothing fits."""
from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.discord.game.rules import short, suggested
from engine.catalog import GAMES
from engine.rulebook import find_rules
from tests.bot.discord_world import World, custom_ids, labels, words

KEY = GAMES[0].key


@pytest_asyncio.fixture
async def library(tmp_path: Path) -> AsyncIterator[World]:
    """The club with one real game, whose rules are meant when none is named."""
    async with World.at(tmp_path / "games.db", GAMES[:1]) as world:
        yield world


async def asked(world: World, wanted: str) -> Any:
    return await world.alice.slash(world.table, "game rules", wanted=wanted)


def numbers(result: Any) -> list[str]:
    """The rules that a reply shows."""
    return [line.split("**")[1] for line in words(result).splitlines() if line.startswith("**")]


async def test_a_rule_by_its_number(library: World) -> None:
    shown = await asked(library, "9.2.2")
    assert words(shown).startswith("**SOE-9.2.2** Target: A power of the attacker's own alliance can never be the target.")


async def test_a_question_is_answered_best_first_in_pages_that_can_be_turned(library: World) -> None:
    expected = [rule.id for rule in find_rules(KEY, "can I attack with only ships", "first")]
    assert len(expected) > 5
    first = await asked(library, "can I attack with only ships")
    assert numbers(first) == expected[:5] and labels(first.response) == ["More"]
    second = await library.alice.click(first.response, label="More")
    assert numbers(second) == expected[5:10] and "Previous" in labels(second.response)
    assert numbers(await library.alice.click(second.response, label="Previous")) == expected[:5]


async def test_pages_outlive_a_restart(library: World) -> None:
    first = await asked(library, "12.20")
    await library.restart()
    assert numbers(await library.alice.click(first.response, label="More"))[0] == "SOE-12.20.6"


async def test_a_few_rules_have_no_pages(library: World) -> None:
    assert labels((await asked(library, "9.2.2")).response) == []


async def test_a_word_that_nothing_fits_is_answered_with_known_ones(library: World) -> None:
    shown = await asked(library, "blockaid")
    assert words(shown).endswith("Did you mean one of these?") and labels(shown.response)[0] == "blockade"
    assert numbers(await library.alice.click(shown.response, label="blockade"))[0] == "SOE-12.20.1"


async def test_a_word_that_looks_like_none(library: World) -> None:
    assert words(await asked(library, "xqzwv")) == (
        "No rule has this number or these words. Try fewer words, or a number such as 2.1.")


async def test_a_very_long_question_fits_into_its_buttons(library: World) -> None:
    shown = await asked(library, "attack with an army " + " ".join(f"qqzz{number:03}" for number in range(60)))
    assert "More" in labels(shown.response) and all(len(id) <= 100 for id in custom_ids(shown.response).values())
    assert numbers(await library.alice.click(shown.response, label="More"))


async def test_words_with_colons_are_no_trouble(library: World) -> None:
    assert numbers(await library.alice.click((await asked(library, "attack: navy: army")).response, label="More"))


@pytest.mark.parametrize("wanted, carried", [
    ("9.4", "9.4"), ("SOE-9.4.", "9.4"), ("Can I attack with ships?", "attack ships"), ("army " * 50 + "navy", "army navy")])
def test_a_button_carries_what_says_something(wanted, carried):
    assert short(KEY, "first", wanted).startswith(carried)


def test_a_button_carries_one_word_that_is_too_long_in_part():
    assert set(short(KEY, "first", "x" * 200)) == {"x"} and len(short(KEY, "first", "x" * 200)) < 70


@pytest.mark.parametrize("typed, first, value", [
    ("", "1.1 Components and map: Powers, units, control markers", "1.1"),
    ("taxation", "3.2 Money, taxes, unrest: Taxation", "3.2"),
    ("only ships attack", "9.1.7 A naval-only attack is declared in a sea area;", "SOE-9.1.7"),
])
async def test_titles_and_rules_are_offered_while_somebody_types(library: World, typed: str, first: str, value: str) -> None:
    offered = await library.alice.autocomplete(library.table, "game rules", "wanted", typed)
    assert offered[0]["name"].startswith(first) and offered[0]["value"] == value
    shown = await asked(library, value)
    assert numbers(shown)[0].startswith(f"SOE-{value.removeprefix('SOE-')}")


def test_no_offer_is_too_long_and_none_is_of_another_edition():
    for typed in ("", "a", "navy", "the attack", "local alliance"):
        offered = suggested(KEY, "first", typed)
        assert len(offered) <= 25 and all(0 < len(choice.name) <= 100 and len(choice.value) <= 100 for choice in offered)
    assert not [choice for choice in suggested(KEY, "first", "local alliances, deluxe") if "Deluxe" in choice.name]


async def test_the_rules_of_the_game_that_is_played_here(world: World) -> None:
    await world.opened()
    assert words(await asked(world, "1.1")).startswith("No rule has this number")          # pebbles have no rules
    world.games = (*world.games, *GAMES)
    await world.restart()
    assert words(await world.alice.slash(world.elsewhere, "game rules", wanted="1.1")).startswith("There's no game of that kind")
    assert await world.alice.autocomplete(world.elsewhere, "game rules", "wanted", "att") == []


async def test_a_game_that_mixes_editions_finds_the_rules_of_both_and_says_whose_they_are(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", GAMES) as world:
        async def found(wanted: str) -> str:
            return words(await world.carol.slash(world.table, "game rules", wanted=wanted))

        await world.olga.slash(world.table, "game open", game=KEY, seats=3, edition="deluxe_without_npp")
        assert "**SOE-8.4.1** Crossing, Deluxe: Roll the Far Lands die." in await found("8.4.1"), "its rules are the Deluxe's"
        assert "SOE-6.2.2" not in await found("6.2.2")
        await world.services.lobby.set_options(1, world.olga.id, changes={"turn.special_limit": "per_kind"})
        assert "**SOE-6.2.2** Actions, first edition (First edition (2004)): Taking a tile" in await found("6.2.2")
        assert "**SOE-8.4.1** Crossing, Deluxe (Deluxe edition (2020)): Roll" in await found("8.4.1")
        assert "**SOE-9.4.4** Help: " in await found("9.4.4"), "what both have needs no mark"


# --- rules of the platform ------------------------------------------------------------------------------------

async def test_a_rule_of_the_platform_by_its_number_and_by_its_subject(library: World) -> None:
    assert words(await asked(library, "P-7")).startswith("**P-7** Undo and consent: Any step of a game can be the start")
    first = await asked(library, "undo")
    assert numbers(first) == [f"P-{number}" for number in range(1, 6)]
    assert numbers(await library.alice.click(first.response, label="More"))[:3] == ["P-6", "P-7", "P-8"]


async def test_where_no_game_is_meant_the_platform_answers(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", GAMES) as world:
        first = await asked(world, "undo")
        assert numbers(first) == [f"P-{number}" for number in range(1, 6)]
        assert numbers(await world.alice.click(first.response, label="More")) == ["P-6", "P-7", "P-8", "P-34", "P-42"]
        assert [one["name"] for one in await world.alice.autocomplete(world.table, "game rules", "wanted", "caretak")][:1] == [
            "Absence and caretakers"]
        for of_a_game in ("9.2.2", "where may tanks move"):
            assert words(await asked(world, of_a_game)).startswith("There's no game of that kind in this channel")


def test_rules_of_the_platform_are_offered_while_somebody_types() -> None:
    assert [one.value for one in suggested(KEY, "first", "p-7")] == ["P-7"]
    assert suggested(KEY, "first", "p-7")[0].name.startswith("P-7 Any step of a game can be the start of another game")
    assert "Undo and consent" in [one.value for one in suggested(KEY, "first", "undo")]
    assert {one.value for one in suggested("platform", "", "")} >= {"Undo and consent", "Clocks and deadlines"}


async def test_sections_and_rules_are_suggested_in_the_language_that_is_read(library: World) -> None:
    await library.services.settings.set_language(library.alice.id, "de")
    for typed in ("verst", "auction: bid"):
        offered = await library.alice.autocomplete(library.table, "game rules", "wanted", typed)
        assert {"name": "5.2 Allianzen und Versteigerung: Bieten", "value": "5.2"} in offered
    offered = await library.alice.autocomplete(library.table, "game rules", "wanted", "clocks")
    assert "Uhren und Fristen" in [choice["name"] for choice in offered]
    assert numbers(await asked(library, "Uhren und Fristen"))[0].startswith("P-")
