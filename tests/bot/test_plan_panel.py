"""A round that is planned in private, on Discord: tapped or typed, seen by its player alone, public by one press."""
from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.games.imperial_struggle import GAME as IMPERIAL
from engine.games.imperial_struggle.actions.ministries import Reveal
from engine.games.imperial_struggle.actions.rounds import EndRound, TakeTile
from engine.kernel import Action
from tests.bot.discord_world import World, custom_ids, labels, said, words
from tests.bot.menu_taps import clicked, used, way_to
from tests.bot.test_whole_game import sketch
from tests.games.imperial_struggle.purchases import politics
from tests.games.imperial_struggle.scene import scene, tile_id
from tests.toy import ROUNDS, Draw, Show, Spend, Stop

NUMBER = re.compile(r"[0-9]{15,}|<t:[0-9]+")           # of members, channels and moments, which differ between two clubs
QUESTION = "Amber**: Points left: {}."


@asynccontextmanager
async def playing(path: Path, name: str = "games") -> AsyncIterator[World]:
    """Amber (Alice) has begun the first round."""
    async with World.at(path / f"{name}.db", (ROUNDS,)) as world:
        await world.guessed()
        await world.chat()
        yield world


async def panel(world: World, who: Any = None) -> Any:
    return said(await (who or world.alice).slash(world.table, "my move"))


async def tapped(person: Any, message: Any, action: Action) -> Any:
    """What is shown after the taps that lead to an answer."""
    while (control := way_to(message, action)) is not None:
        message = said(await used(person, message, control))
        if "You're planning this round in private" in message.content:
            return message
    raise AssertionError(f"nothing leads to {action}")


async def test_a_round_is_played_by_taps_and_told_in_one_message(tmp_path: Path) -> None:
    async with playing(tmp_path) as world:
        before = world.posts()
        shown = await panel(world)
        assert "You're planning this round in private" in shown.content and "Undo step" not in labels(shown)
        shown = await tapped(world.alice, shown, Spend.of(3))
        assert "1. Take 3 pebbles · 3 points" in shown.content and QUESTION.format(2) in shown.content
        assert "2 points left" in shown.content, "what the seat has there"
        shown = await tapped(world.alice, shown, Show.of())
        shown = await tapped(world.alice, shown, Spend.of(2))
        shown = await clicked(world.alice, shown, "Undo step")
        assert "2. Show" in shown.content and "3." not in shown.content and QUESTION.format(2) in shown.content
        assert world.posts() == before and "heap 12" in words(await world.bob.slash(world.table, "game text"))
        await world.restart()
        shown = await tapped(world.alice, await panel(world), Stop.of())
        assert "You leave 2 points unused.\nThat completes your round." in shown.content
        assert labels(shown) == ["Finish round", "Undo step", "Start over", "Show board"]
        assert world.posts() == before
        done = await clicked(world.alice, shown, "Finish round")
        assert done.content.startswith("Published.")
        told = [post for post in world.posts() if "Amber takes" in post]
        assert told == ["### Amber · Turn 1\nAmber takes 3 pebbles.\nAmber has guessed 3.\nAmber ends the round."]
        assert await world.services.queries.awaited(1) == ["seat_2"]


async def test_the_public_question_of_a_round_has_no_answers_to_press(tmp_path: Path) -> None:
    async with playing(tmp_path) as world:
        assert labels(world.question("Points left: 5."))[0] == "Your move"


async def test_what_ends_taking_back_is_said_before(tmp_path: Path) -> None:
    async with playing(tmp_path) as world:
        shown = await tapped(world.alice, await panel(world), Spend.of(1))
        shown = await tapped(world.alice, shown, Draw.of())
        assert "2. Draw" in shown.content and "so once you publish you can't undo any of this. Publish now?" in shown.content
        assert "drawn 7" not in shown.content and labels(shown)[0] == "Publish so far"
        shown = await clicked(world.alice, shown, "Publish so far")
        assert shown.content.startswith("Published.\nYou have drawn 7.") and QUESTION.format(4) in shown.content
        assert "### Amber · Turn 1\nAmber takes 1 pebble.\nAmber draws a card." in world.posts() and "1. " not in shown.content


async def test_an_earlier_panel_shows_the_present_plan(tmp_path: Path) -> None:
    async with playing(tmp_path) as world:
        first = await tapped(world.alice, await panel(world), Spend.of(3))
        back = custom_ids(first)["Undo step"]
        await world.alice.slash(world.table, "pebbles spend", pebbles=1)
        stale = said(await world.alice.click(first, custom_id=back))
        assert "Your plan has changed since. This is how it looks now." in stale.content and "2. Take 1 pebble" in stale.content
        over = await clicked(world.alice, stale, "Start over")
        assert "1. " not in over.content and QUESTION.format(5) in over.content
        assert "planning" not in words(await world.bob.slash(world.table, "my move"))


async def test_a_round_is_typed(tmp_path: Path) -> None:
    async with playing(tmp_path) as world:
        await world.alice.slash(world.table, "pebbles spend", pebbles=3)
        refused = words(await world.alice.slash(world.table, "pebbles spend", pebbles=3))
        assert "you have 2 points" in refused
        listed = await world.alice.slash(world.table, "game legal")
        assert "Take 3 pebbles" not in words(listed)
        assert "1. " not in words(await world.alice.slash(world.table, "my undo"))
        await world.alice.slash(world.table, "pebbles show")
        await world.alice.slash(world.table, "pebbles stop")
        panel = await world.alice.slash(world.table, "my move")
        await world.alice.click(panel.response, label="Finish round")
        assert "### Amber · Turn 1\nAmber has guessed 3.\nAmber ends the round." in world.posts()


async def test_the_board_is_shown_where_the_plan_leads(tmp_path: Path) -> None:
    async with playing(tmp_path) as world:
        shown = await tapped(world.alice, await panel(world), Spend.of(3))
        board = await clicked(world.alice, shown, "Show board")
        assert "heap 9" in board.content and "the board after your plan" in board.content
        assert "1. Take 3 pebbles" in (await clicked(world.alice, board, "Back")).content


async def test_what_is_not_possible_any_more_is_told_above_the_rest(tmp_path: Path) -> None:
    async with playing(tmp_path) as world:
        for action in ("spend", "show"):
            await world.alice.slash(world.table, f"pebbles {action}", **({"pebbles": 1} if action == "spend" else {}))
        await world.services.answers.answer(1, world.alice.id, Show.of())
        shown = await panel(world)
        assert ("No longer possible in your plan (1 step): show. You have shown it already.") in shown.content
        assert "1. Take 1 pebble" in shown.content


@pytest.mark.parametrize("typed", [("pebbles spend", {"pebbles": 1}), ("my undo", {})])
async def test_a_command_that_meets_a_fallen_step_shows_the_rest(tmp_path: Path, typed: tuple[str, dict[str, Any]]) -> None:
    async with playing(tmp_path) as world:
        await world.alice.slash(world.table, "pebbles spend", pebbles=1)
        await world.alice.slash(world.table, "pebbles show")
        await world.services.answers.answer(1, world.alice.id, Show.of())
        command, given = typed
        shown = said(await world.alice.slash(world.table, command, **given))
        assert ("No longer possible in your plan (1 step): show. You have shown it already.") in shown.content
        assert "1. Take 1 pebble" in shown.content and "2." not in shown.content and "Undo step" in labels(shown)


async def seen_by_others(path: Path, *, planning: bool) -> list[str]:
    """All that others read, and how often the bot speaks to Discord for them, while Alice looks at her move or plans it."""
    async with playing(path, str(planning)) as world:
        for action in (Spend.of(3), Show.of(), Stop.of()) if planning else ():
            await world.services.plans.plan_steps(1, world.alice.id, [action])
        await panel(world)
        known, seen = len(world.env.http_requests), world.posts()
        for who, command in ((world.bob, "game status"), (world.bob, "my move"), (world.bob, "my since"),
                             (world.bob, "game history"), (world.bob, "game text"), (world.carol, "game status"),
                             (world.olga, "game status"), (world.olga, "gm audit")):
            seen.append(words(await who.slash(world.table, command)))
        return [*seen, *world.letters(world.bob), str(len(world.env.http_requests) - known)]


async def test_nobody_else_can_tell_that_anything_is_planned(tmp_path: Path) -> None:
    plain, planned = [await seen_by_others(tmp_path, planning=planning) for planning in (False, True)]
    assert len(plain) > 10 and [NUMBER.sub("#", words) for words in planned] == [NUMBER.sub("#", words) for words in plain]


async def test_an_action_round_of_imperial_struggle_is_played_by_taps(tmp_path: Path) -> None:
    """From the tile to its end, with a ministry that is turned up on the way [IS-23.29, 23.30]."""
    start = scene(active="france", available=["4 DP / 2 MP", "3 DP / 2 MP, event"], ministries={"france": ["M-1"]}).start.state

    def setup(seats: object, options: object, parts: object) -> Any:
        state = IMPERIAL.rules.state.model_validate_json(start)
        IMPERIAL.rules.bind(state, parts)
        return state

    async with World.at(tmp_path / "games.db", (IMPERIAL.changed(setup=setup),), sketch) as world:
        await world.olga.slash(world.table, "game open", game=IMPERIAL.key, seats=2)
        for person in (world.alice, world.bob):
            await person.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        await world.chat()
        (seat,) = await world.services.queries.awaited(1)
        france = world.alice if await world.services.queries.seat_of(1, world.alice.id) == seat else world.bob
        shown, before = said(await france.slash(world.table, "my move")), world.posts()
        answers: tuple[Action, ...] = (
            Reveal(card="M-1"), TakeTile(tile=tile_id("4 DP / 2 MP")), politics("savoy"), EndRound.of())
        for action in answers:
            shown = await tapped(france, shown, action)
        assert all(f"\n{number}. " in shown.content for number in (1, 2, 3, 4)) and "That completes your round." in shown.content
        assert "Cardinal Ministers" in shown.content, shown.content
        assert "2. Take a tile: 4 DP / 2 MP" in shown.content
        assert "3. Shift a political space: Savoy (major)" in shown.content, "what is done with a bare name"
        assert world.posts() == before
        await clicked(france, shown, "Finish round")
        (told,) = [post for post in world.posts() if "turns up" in post]
        assert "Savoy" in told and "ends the round" in told
