"""/game provenance: which values are ours, and what hangs on them."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.games.struggle_of_empires import GAME
from tests.bot.discord_world import World, labels, words
from tests.bot.test_opening import choose, selects
from tests.toy import PEBBLES


async def shown(world: World, **given: Any) -> str:
    return words(await world.carol.slash(world.table, "game provenance", **given))


async def counted(world: World, **given: Any) -> dict[str, str]:
    """The lists that are offered, with how many values of each are ours."""
    panel = (await world.carol.slash(world.table, "game provenance", **given)).response
    return {option["label"]: option["description"] for option in selects(panel)[0]["options"]}


async def test_an_overview_counts_the_values_of_each_list(empires: World) -> None:
    said = await shown(empires)
    assert said.startswith("**House values of First edition (2004)**: 214 values are made up and 42 are inferred.\n")
    lists = await counted(empires)
    assert lists["Neutral markers"] == "126 values are made up" and "Places for local alliances" not in lists
    lists = await counted(empires, edition="Deluxe edition (2020)")
    assert lists["Far Lands die"] == "3 values are made up" and "Alliance tiles" not in lists


async def test_a_list_is_chosen_and_its_pages_turned(empires: World) -> None:
    panel = (await empires.carol.slash(empires.table, "game provenance", edition="deluxe")).response
    panel = await choose(empires.carol, panel, "Neutral markers")
    assert "**Neutral markers: area**, made up. Decides to which area it belongs" in panel.content
    assert "SOE-1.2.1" in panel.content and "9 of German States" in panel.content
    pages = [panel.content]
    while "More" in labels(panel):
        panel = (await empires.carol.click(panel, label="More")).response
        pages.append(panel.content)
    assert len(pages) > 1 and "Ottoman Empire: defence 4 and 1 point" in pages[-1] and max(map(len, pages)) < 1100
    panel = (await empires.carol.click(panel, label="Overview")).response
    assert "I've filled them in" in panel.content


async def test_a_name_finds_what_is_said_of_it(empires: World) -> None:
    said = await shown(empires, what="banking", edition="deluxe")
    assert "**Tiles: price**, made up. Decides what it costs to buy one (SOE-11.1.2).\n- Banking: 1 gold" in said
    assert await shown(empires, what="bicycle") == (
        "**House values of First edition (2004)**: no value is in doubt.\nNothing with that name is made up or inferred.")


async def test_a_game_shows_what_matters_with_its_options(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", game="struggle_of_empires", seats=3, title="Friday",
                             options="cross.model=far_lands_die cross.rescue_gold=True navigation.effect=mending")
    said = await shown(empires)
    lists = await counted(empires)
    assert said.startswith("**House values of Friday**: ") and lists["Far Lands die"] == "3 values are made up"
    assert "Unrest bag" not in lists
    options = (await empires.bob.click(empires.table.last_message, label="Options")).response
    result = await empires.bob.click(options, label="House values")
    assert words(result).startswith("**House values of Friday**: ")


async def test_lists_and_names_are_offered(empires: World) -> None:
    offered = await empires.carol.autocomplete(empires.table, "game provenance", "what", "far l", edition="deluxe")
    assert [choice["name"] for choice in offered] == ["Far Lands die"]
    offered = await empires.carol.autocomplete(empires.table, "game provenance", "what", "navig")
    assert [choice["name"] for choice in offered] == ["Navigation"]
    offered = await empires.carol.autocomplete(empires.table, "game provenance", "edition", "without")
    assert [choice["value"] for choice in offered] == ["struggle_of_empires/deluxe_without_npp"]
    said = await shown(empires, edition=offered[0]["value"])
    assert said.startswith("**House values of Deluxe without non-player powers**: ")
    assert await empires.carol.autocomplete(empires.table, "game provenance", "what", "x", game="99") == []


async def test_what_is_not_there_is_said(empires: World) -> None:
    assert await shown(empires, edition="golden") == "There is no edition of that name."
    assert (await shown(empires, game="99")).startswith("There is no game 99 here")


async def test_where_there_are_several_games_and_none_is_played_one_is_chosen(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (GAME, PEBBLES)) as world:
        asked = (await world.carol.slash(world.table, "game provenance")).response
        assert asked.content == "Which game's values?"
        panel = await choose(world.carol, asked, "Struggle of Empires: Deluxe edition (2020)")
        assert panel.content.startswith("**House values of Deluxe edition (2020)**: ")
        asked = (await world.carol.slash(world.table, "game provenance")).response
        said = (await choose(world.carol, asked, "Pebbles: Plain")).content
        assert said == "Every value of this game comes from a source."


async def test_a_game_without_values_of_ours_says_so(world: World) -> None:
    await world.opened()
    assert await shown(world) == "Every value of this game comes from a source."


async def test_what_is_typed_cannot_break_a_button(empires: World) -> None:
    result = await empires.carol.slash(empires.table, "game provenance", what="a:b" * 30)
    assert "Nothing with that name" in words(result) and len(selects(result.response)) == 1


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
async def test_every_list_of_every_edition_fits_on_its_pages(tmp_path: Path, spec: Any) -> None:
    async with World.at(tmp_path / "games.db", (spec,)) as world:
        for edition in spec.editions:
            panel = (await world.carol.slash(world.table, "game provenance", edition=edition.key)).response
            for option in selects(panel)[0]["options"]:
                page = await choose(world.carol, panel, option["label"])
                assert option["label"] in page.content and "Decides" in page.content
