"""Imperial Struggle on the simulated Discord: a short game to its end, by taps or typed commands, and the panel of a round."""
from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord.lengths import CHOICES
from engine.catalog import GAMES, find
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.rounds import TakeTile
from engine.games.imperial_struggle.rules.track import ROUNDS
from tests.bot.discord_world import World, words
from tests.bot.menu_taps import controls, used
from tests.bot.test_order_taps import Phone
from tests.bot.test_rehearsals import press
from tests.bot.test_whole_game import sketch
from tests.games.imperial_struggle.duel import Duel
from tests.games.imperial_struggle.scene import scene, tile_id
from tests.position import starting_at


@pytest.mark.parametrize(("taps", "seed"), [(True, 1), (False, 8)], ids=["taps", "typed"])
async def test_a_whole_short_game(tmp_path: Path, taps: bool, seed: int) -> None:
    """One turn and the first war: planned, published, undone, rolled back, with restarts in a plan and in the war."""
    assert find(GAME.key) is GAME
    async with World.at(tmp_path / "games.db", GAMES, draw=sketch) as world:
        duel = Duel(world, seed=seed, edition="first_game", taps=taps)
        await duel.begin()
        hidden = await duel.play()
        await duel.look_back(hidden)
        assert duel.published, "rounds were planned in private"


async def test_a_round_begins_with_what_matters_and_a_menu_leads_to_a_region_and_to_a_card(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", GAMES, draw=sketch) as world:
        party = Duel(world, seed=5, edition="published", taps=True)
        await party.begin()
        while (planned := await world.services.plans.standing(1, (await world.services.queries.waiting(1))[0].user)) is None:
            (waiting, *_) = await world.services.queries.waiting(1)
            options = (await world.services.session.table(1)).options(waiting.seat)
            await world.services.answers.answer(1, waiting.user, options[0])
        (waiting, *_) = await world.services.queries.waiting(1)
        person, tiles = party.people[waiting.user], planned.table.options(waiting.seat)
        menu = await person.slash(world.table, "my move")
        assert "Flags, yours first: Europe" in words(menu) and "In demand: " in words(menu) and "Face down: " in words(menu)
        faces = planned.table.parts.investment
        take = next(tile for tile in tiles if isinstance(tile, TakeTile) and faces[tile.tile].major.ap == "DP")
        await world.services.plans.plan_steps(1, waiting.user, [take])
        menu = await person.slash(world.table, "my move")
        assert "Flags, yours first" not in words(menu), "the round has begun"
        board = (await person.click(menu.response, label="Show board")).response
        assert "Show Europe" in [one.label for one in controls(board)], "where the lists of the panel have their numbers"
        menu = await person.slash(world.table, "my move")
        said = (await person.click(menu.response, label="Look up")).response
        hand = (await party.state()).own[(await party.state()).power(waiting.seat)].hand
        read = (await person.select(said, [hand[0]])).response
        assert "**Now:** " in read.content and GAME.words.names(planned.table.parts)[hand[0]] in read.content
        typed = (await person.slash(world.table, "lookup", name=GAME.words.names(planned.table.parts)[hand[0]])).response
        assert typed.content == read.content, "typed as tapped"
        rival = next(one for user, one in party.people.items() if user != waiting.user)
        seen = (await rival.slash(world.table, "lookup", name=hand[0])).response
        assert "Now:" not in seen.content and "Britain: " in seen.content and "France: " in seen.content
        offered = [await one.autocomplete(world.table, "lookup", "name", "war of") for one in (person, rival, world.olga)]
        assert offered[0] == offered[1] == offered[2] and len(offered[0]) > 1, "whoever has a card"
        said = (await person.click(read, label="Back to your move")).response
        said = (await used(person, said, next(one for one in controls(said) if one.value == "politics"))).response
        assert [one.label for one in controls(said) if one.value] == ["Europe", "North America", "Caribbean", "India"]
        said = (await used(person, said, controls(said)[0])).response
        (way,) = [one.custom_id for one in controls(said) if one.label == "Show Europe"]
        earlier = (await press(world, person, way.removesuffix(":europe"))).response
        assert earlier.attachments and "Russia" in earlier.attachments[0].description, "an older button names no region"
        shown = (await person.click(said, label="Show Europe")).response
        assert shown.attachments and "Russia" in shown.attachments[0].description
        said = (await person.click(shown, label="Back")).response
        assert "Europe" in said.content and any(one.label.startswith("Russia") for one in controls(said))
        menu = await person.slash(world.table, "my move")
        await person.click(menu.response, label="Start over")
        take = next(tile for tile in tiles if isinstance(tile, TakeTile) and faces[tile.tile].major.ap == "EP")
        await world.services.plans.plan_steps(1, waiting.user, [take])
        menu = await person.slash(world.table, "my move")
        said = (await used(person, menu.response, next(one for one in controls(menu.response) if one.value == "market"))).response
        listed = [one for one in controls(said) if one.value]
        assert "Albany (major)" in [one.label for one in listed] and len(listed) <= CHOICES, "one list of all regions"
        assert [one.label for one in controls(said)][len(listed):] == [
            "Show North America", "Show the Caribbean", "Show India", "Back"], "each region with a target"
        shown = (await person.click(said, label="Show India")).response
        assert ". 83: West Bengal: " in shown.attachments[0].description and ". Plassey: " in shown.attachments[0].description
        said = (await person.click(shown, label="Back")).response
        assert [one for one in controls(said) if one.value] == listed, "back at the list"


async def test_IS_23_30_answers_in_advance_of_a_war_are_found_by_kind_and_region(tmp_path: Path) -> None:
    start = scene(active="france", ar=ROUNDS - 2).state
    spec = GAME.changed(setup=lambda seats, options, parts: start.model_copy(deep=True))
    async with World.at(tmp_path / "games.db", (spec,), draw=sketch) as world:
        party = Duel(world, seed=5, edition="published", taps=True)
        await party.begin()
        (waiting, *_) = await world.services.queries.waiting(1)
        phone, title = Phone(world, party.people[waiting.user]), "What your war tiles hit"
        await phone.command("orders prepare")
        (where,) = [value for value in phone.values() if value == f"{title}: hit … in Europe"]
        assert f"{title}: choose none" in phone.values()
        assert await phone.choose(where) == f"**{title}**\nHit … in Europe"
        assert len(phone.values()) > CHOICES, "all that one list cannot show, in as many as it takes"
        await phone.choose("Hit Sardinia")
        assert f"{title}: hit Sardinia" in phone.values(), "what is chosen stands beside the groups"
        assert f"> **{title}:** hit Sardinia" in await phone.tap("Save these choices")
        kept = [one.order for one in (await world.services.orders.own(1, waiting.user)).kept]
        assert ("IS-18.21", ("sardinia",)) in [(order.points[0], order.lines[0].then.fields.get("target")) for order in kept
                                             if order.lines[0].then is not None]
        await phone.tap("Decide in advance")
        assert not any("in India" in value for value in phone.values()), "this war does not reach it"
        await phone.command("orders list")
        await phone.choose("What your war tiles hit")
        await phone.choose("Hit …")
        assert phone.values() == ["Europe", "North America", "Caribbean", "India"], "later wars do"
        await phone.choose("India")
        assert "> in this order: Arcot" in await phone.choose("Arcot")
        assert phone.values() == ["Europe", "North America", "Caribbean", "India"], "and the next one"


async def test_what_ends_a_plan_says_no_line_of_it_again(tmp_path: Path) -> None:
    face = "3 MP / 2 DP, event"
    spec = starting_at(GAME, scene(active="britain", tile=face, flags={"biscay": "france", "balearic": "france"},
                                    own={"britain": {"hand": ["ev_12"]}}).start.state)
    async with World.at(tmp_path / "games.db", (spec,), draw=sketch) as world:
        party = Duel(world, seed=5, edition="published", taps=True)
        await party.begin()
        (waiting, *_) = await world.services.queries.waiting(1)
        await world.services.plans.plan_steps(1, waiting.user, [TakeTile.of(tile_id(face)), PlayEvent.of("ev_12", "", "")])
        lines = words(await party.people[waiting.user].slash(world.table, "my move")).splitlines()
        _, _, step, *more = lines[next(no for no, line in enumerate(lines) if line.startswith("-# You're planning")):]
        assert "the other side loses a fort, squadron or bonus tile" in step
        assert more == ["Your last step asks somebody else, so once you publish you can't undo any of this. Publish now?"]


async def test_what_cannot_be_done_for_one_reason_is_told_together(tmp_path: Path) -> None:
    spec = starting_at(GAME, scene(active="britain").start.state)
    async with World.at(tmp_path / "games.db", (spec,), draw=sketch) as world:
        party = Duel(world, seed=5, edition="published", taps=True)
        await party.begin()
        (waiting, *_) = await world.services.queries.waiting(1)
        person = party.people[waiting.user]
        menu = (await person.slash(world.table, "my move")).response
        more = (await person.click(menu, label="More")).response
        told = words(await person.click(more, label="What's blocked, and why?")).splitlines()
        (before,) = [line for line in told if line.endswith("**: Take a tile first. (IS-5.3 Action round)")]
        assert before.startswith("**Shift a market, Shift a political space, Draw an event, ")
        assert len({line.partition("**: ")[2] for line in told}) == len(told) < 8
