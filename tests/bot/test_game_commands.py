"""The commands of a game: understood, narrowed, refused, never told to anybody else."""
from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from bot.discord.components import AnyRoute, button, view
from bot.store import Store
from engine.games.attack import GAME as ATTACK
from tests.bot.discord_world import World, labels, options, words
from tests.bot.menu_taps import clicked
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene as attack_scene
from tests.often_said import EARLIER, ELSE_FIRST, NO_GAME_LIKE_THAT, NOTHING_TO_DO, PAUSED
from tests.position import starting_at

# --- a turn ---------------------------------------------------------------------------------------------


async def test_a_command_gives_its_answer_and_shows_what_follows(world: World) -> None:
    await world.guessed()
    said = words(await world.alice.slash(world.table, "pebbles take", pebbles=2))
    assert said.splitlines()[0] == "Amber takes 2 pebbles."
    assert (await world.services.session.table(1)).state.heap == 10
    assert "Amber takes 2 pebbles." in world.told()


async def test_a_typed_move_with_all_its_messages_takes_at_most_6_trips_to_the_store(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    trips, sent = Counter[str](), len(world.posts())
    enqueue = Store._enqueue

    def counted(self: Store, work: Any, *, writes: bool) -> Any:
        trips["writes" if writes else "reads"] += 1
        return enqueue(self, work, writes=writes)

    monkeypatch.setattr(Store, "_enqueue", counted)
    await world.bob.slash(world.table, "pebbles take", pebbles=2)
    monkeypatch.undo()
    assert len(world.posts()) > sent and (await world.services.session.table(1)).state.taken["seat_2"] == 2
    assert await world.services.outbox.pending() == [], "its messages are among the trips"
    assert trips["reads"] + trips["writes"] <= 6, trips


async def test_a_reply_carries_the_next_question_with_its_buttons(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    shown = await world.bob.slash(world.table, "my move")
    assert "Your guess: 8." in words(shown)
    assert "**Basalt**: The heap has 11. What do you do?" in words(shown)
    assert "Take 3 pebbles, left" in labels(shown.response)


@pytest.mark.parametrize("hand", ["right", "RIGHT", "Right "])
async def test_values_are_understood_by_id_or_name_in_any_case(world: World, hand: str) -> None:
    await world.guessed()
    assert words(await world.alice.slash(world.table, "pebbles take", pebbles=1, hand=hand)).startswith("Amber takes 1 pebble.")


async def test_a_seat_is_understood_by_what_it_is_called(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    said = words(await world.alice.slash(world.table, "pebbles give", to="basalt", pebbles=2))
    assert said.startswith("Amber gives Basalt 2 pebbles.")


async def test_sealed_answers_are_noted_and_told_to_nobody(world: World) -> None:
    await world.started()
    before = world.posts()
    assert words(await world.alice.slash(world.table, "pebbles guess", pebbles=3)).startswith("Chosen: guess: 3.")
    assert world.posts() == before
    status = words(await world.carol.slash(world.table, "game status"))
    assert "Amber" in status.split("To move")[1], "the status tells that Amber has answered"
    assert labels(world.question("**Amber**")), "the buttons tell that Amber has answered"


# --- autocomplete ---------------------------------------------------------------------------------------

async def test_autocomplete_offers_what_is_legal_for_the_caller(world: World) -> None:
    await world.guessed()
    assert await world.alice.autocomplete(world.table, "pebbles take", "pebbles", "") == [
        {"name": str(n), "value": n} for n in (1, 2, 3)]
    assert await world.bob.autocomplete(world.table, "pebbles take", "pebbles", "") == []
    assert await world.carol.autocomplete(world.table, "pebbles take", "pebbles", "") == []


async def test_autocomplete_is_narrowed_by_what_was_typed_and_filled_in(world: World) -> None:
    await world.guessed()
    assert await world.alice.autocomplete(world.table, "pebbles take", "hand", "RI") == [{"name": "Right", "value": "right"}]
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    offered = await world.alice.autocomplete(world.table, "pebbles give", "pebbles", "", to="Basalt")
    assert [choice["value"] for choice in offered] == [1, 2, 3]
    assert await world.alice.autocomplete(world.table, "pebbles give", "pebbles", "", to="Chalk") == []


async def test_autocomplete_of_the_game_names_the_games_within_reach(world: World) -> None:
    await world.opened(title="Friday")
    await world.opened(title="Sunday")
    assert await world.carol.autocomplete(world.table, "my move", "game", "sun") == [{"name": "2: Sunday", "value": "2"}]


# --- refusals: one sentence, for the caller alone, and nothing has changed --------------------------------------

async def refused(world: World, who: str, command: str, sentence: str, channel: str = "table", **given: Any) -> None:
    before, posts = await world.newest(), world.posts()
    said = words(await getattr(world, who).slash(getattr(world, channel), command, **given))
    assert said == sentence
    assert (await world.newest(), world.posts()) == (before, posts)


async def test_it_is_not_your_turn(world: World) -> None:
    await world.guessed()
    await refused(world, "bob", "pebbles take", NOTHING_TO_DO, pebbles=1)


async def test_it_is_not_your_question(world: World) -> None:
    await world.guessed()
    await refused(world, "alice", "pebbles guess", f"{ELSE_FIRST}: The heap has 12. What do you do? "
                                                   "You can: take and throw.", pebbles=1)


async def test_a_value_is_illegal(world: World) -> None:
    await world.guessed()
    await refused(world, "alice", "pebbles take", "The heap has 12 pebbles; you can take at most 3. "
                  "Possible: 1, 2 and 3. (TOY-2)", pebbles=4)


async def test_a_value_is_no_value_at_all(world: World) -> None:
    await world.guessed()
    await refused(world, "alice", "pebbles take", "Hand must be one of these: left and right. Possible: "
                                                  "left and right.", pebbles=1, hand="foot")


async def test_a_value_was_legal_before_somebody_else_moved(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    offered = await world.alice.autocomplete(world.table, "pebbles give", "pebbles", "2")
    assert [choice["value"] for choice in offered] == [2]
    await world.alice.slash(world.table, "pebbles give", to="Basalt", pebbles=1)
    await refused(world, "alice", "pebbles give", "You have 1 pebbles, so you can't give 2. Possible: 1. (TOY-4)",
                  to="Basalt", pebbles=2)


async def test_the_wrong_channel_names_the_right_one(world: World) -> None:
    await world.guessed()
    await refused(world, "alice", "pebbles take",
                  f"There's no game of that kind in this channel. Yours: Pebbles (game 1) in <#{world.table.id}>.",
                  "elsewhere", pebbles=1)
    await refused(world, "carol", "pebbles take",
                  NO_GAME_LIKE_THAT,
                  "elsewhere", pebbles=1)


async def test_the_game_has_not_started(world: World) -> None:
    await world.opened()
    await world.alice.slash(world.table, "game join")
    await refused(world, "alice", "pebbles take", "The game hasn't started yet.", pebbles=1)


async def test_the_game_is_over(world: World) -> None:
    await world.guessed()
    for turn in range(4):
        who = (world.alice, world.bob)[turn % 2]
        shown = await who.slash(world.table, "pebbles take", pebbles=3)
    await who.click(shown.response, label="Confirm")
    assert (await world.services.queries.game(1)).status == "over"
    await refused(world, "alice", "pebbles take", "The game is over.", pebbles=1)
    await refused(world, "alice", "pebbles give", "The game is over.", to="Basalt", pebbles=1)


async def test_the_game_is_paused(world: World) -> None:
    await world.guessed()
    await world.olga.slash(world.table, "gm pause")
    await refused(world, "alice", "pebbles take", PAUSED, pebbles=1)


# --- which game -----------------------------------------------------------------------------------------

async def test_two_games_in_a_channel_need_a_name(world: World) -> None:
    await world.guessed()
    await world.started()
    offered = await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert words(offered) == "Which game?" and labels(offered.response) == ["Pebbles · game 1", "Pebbles (2) · game 2"]
    assert words(await world.alice.click(offered.response, label="Pebbles · game 1")).startswith("Amber takes 1 pebble.")
    offered = await world.alice.slash(world.table, "my undo")
    await world.restart()
    assert words(await world.alice.click(offered.response, label="Pebbles · game 1")).startswith("Your last move is undone.")
    await refused(world, "olga", "gm hand", "Several games are played here. Say which one with the option game: "
                  "1 (Pebbles) and 2 (Pebbles (2)).", seat="Amber", member=world.carol)         # no button carries a member
    said = words(await world.alice.slash(world.table, "pebbles take", pebbles=3, game="1"))
    assert said.startswith("Amber takes 3 pebbles.")
    given = view([button("Give", AnyRoute("meant"), 1, "pebbles give", quote('{"to":"Basalt","pebbles":1}', safe=""))])
    await world.bot.get_partial_messageable(world.table.id).send("Tapped twice", view=given)
    for _ in range(2):
        await world.alice.click(world.question("Tapped twice"), label="Give")
    assert (await world.services.session.table(1)).state.taken["seat_1"] == 2, "one tap counts"


@pytest.mark.parametrize("command, typed", [
    ("my undo", "["), ("my undo", "[]"), ("my undo", '{"x":1}'), ("pebbles take", "{}"), ("my games", "{}"),
    ("pebbles take", '{"pebbles":"1"}'), ("game open", '{"place":"up"}'), ("no such", "{}")])
async def test_a_button_for_what_nobody_can_have_typed_does_nothing(world: World, command: str, typed: str) -> None:
    await world.guessed()
    before = await world.newest()
    forged = view([button("Forged", AnyRoute("meant"), 1, command, quote(typed, safe=""))])
    await world.bot.get_partial_messageable(world.table.id).send("Left behind", view=forged)
    said = words(await world.alice.click(world.question("Left behind"), label="Forged"))
    assert said.startswith("This button is from an earlier version of the bot.")
    assert await world.newest() == before


async def test_of_two_games_the_one_with_a_seat_is_meant(world: World) -> None:
    await world.guessed()
    await world.started(world.carol, world.max)
    assert words(await world.alice.slash(world.table, "pebbles take", pebbles=1)).startswith("Amber takes 1 pebble.")


async def test_a_game_can_be_played_from_a_direct_message(world: World) -> None:
    await world.guessed()
    said = words(await world.alice.user.slash("pebbles take", pebbles=1))
    assert said.startswith("Amber takes 1 pebble.")


# --- the menu: a whole turn without typing ----------------------------------------------------------------------

async def test_a_turn_is_played_with_buttons_alone(world: World) -> None:
    await world.started()
    for who in (world.alice, world.bob):
        menu = await who.slash(world.table, "my move")
        await who.click(menu.response, label="Guess: 5")
    menu = await world.alice.slash(world.table, "my move")
    done = await world.alice.click(menu.response, label="Take 3 pebbles, right")
    assert words(done).startswith("Amber takes 3 pebbles.")
    assert (await world.services.session.table(1)).state.heap == 9


async def test_an_aside_is_chosen_step_by_step_and_back(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol, world.max)
    for who in (world.alice, world.bob, world.carol, world.max):
        await who.slash(world.table, "pebbles guess", pebbles=1)
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    for turn in range(3):
        await (world.bob, world.carol, world.max)[turn].slash(world.table, "pebbles throw")
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    menu = await world.alice.slash(world.table, "my move")
    step = await world.alice.click(menu.response, label="Give")
    assert list(options(step.response)) == [f"Give: {to} and {n}" for to in ("Basalt", "Chalk", "Dolomite") for n in range(1, 7)]
    assert "**Give**" in words(step)
    back = await world.alice.click(step.response, label="Back")
    step = await world.alice.click(back.response, label="Give")
    done = await world.alice.select(step.response, [options(step.response)["Give: Basalt and 4"]])
    assert words(done).startswith("Amber gives Basalt 4 pebbles.")


async def test_an_aside_is_not_done_twice(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    answer = world.services.answers.answer

    async def slow(*given: Any, **how: Any) -> Any:
        for _ in range(200):
            await asyncio.sleep(0)                  # time enough for the second press to come as far as this
        return await answer(*given, **how)

    monkeypatch.setattr(world.services.answers, "answer", slow)
    menu = await world.alice.slash(world.table, "my move")
    step = await world.alice.click(menu.response, label="Give")
    async with world.together():
        first = await world.alice.click(step.response, label="Give: Basalt and 1")
        second = await world.alice.click(step.response, label="Give: Basalt and 1")
    assert first.acknowledged and second.acknowledged
    assert (await world.services.session.table(1)).state.taken == {"seat_1": 2, "seat_2": 1}


async def test_the_menu_of_an_aside_is_stale_once_anything_has_happened(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    menu, old = [await world.alice.slash(world.table, "my move") for _ in range(2)]
    step = await world.alice.click(menu.response, label="Give")
    await world.bob.slash(world.table, "pebbles throw")
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    before = await world.newest()
    shown = await world.alice.click(step.response, label="Give: Basalt and 1")
    assert words(shown) == "Something has happened since. Choose again.\n**Give** · Basalt"
    assert await world.newest() == before
    again = await world.alice.click(old.response, label="Give")           # nothing was chosen there yet: nothing is out of date
    assert words(again) == "**Give** · Basalt"
    await world.alice.click(again.response, label="Give: Basalt and 1")
    assert await world.newest() == before + 1


async def test_an_aside_that_is_no_longer_possible_says_why_not(tmp_path: Path) -> None:
    start = attack_scene(land={"france": ("red", "2I"), "italy": ("blue", "2I")})
    async with World.at(tmp_path / "attack.db", (starting_at(ATTACK, start.start.state),), sketch) as world:
        await world.olga.slash(world.table, "game open", game=ATTACK.key, seats=2)
        for player in (world.alice, world.bob):
            await player.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        status = world.table.history()[0]
        panel = await clicked(world.alice, status, "Your move")
        step = await clicked(world.bob, await clicked(world.bob, status, "Your move"), "Propose the end")
        step_of_red = await clicked(world.alice, panel, "Propose the end")
        await world.alice.click(step_of_red, label="End the game after this round")
        assert any(line.startswith("Red proposes to end") for line in world.told())
        refused = await world.bob.click(step, label="End the game after this round")
        assert words(refused) == ("Red's proposal must be answered first. (ATK-19.3.6)\n"
                                  "Nothing to do right now. Waiting for Red.")


# --- a consequence is confirmed first ------------------------------------------------------------------------------

async def last_pebbles(world: World) -> Any:
    await world.guessed()
    for who in (world.alice, world.bob, world.alice):
        await who.slash(world.table, "pebbles take", pebbles=3)
    return await world.bob.slash(world.table, "pebbles take", pebbles=3)


async def test_a_consequence_is_read_before_the_answer_counts(world: World) -> None:
    warned = await last_pebbles(world)
    assert words(warned) == "**Take 3 pebbles, left**\nThat empties the heap."
    assert (await world.services.session.table(1)).state.heap == 3
    await world.bob.click(warned.response, label="Confirm")
    assert (await world.services.session.table(1)).state.heap == 0
    assert any("wins." in post for post in world.posts())


async def test_a_warning_can_be_cancelled(world: World) -> None:
    warned = await last_pebbles(world)
    back = await world.bob.click(warned.response, label="Cancel")
    assert "The heap has 3. What do you do?" in words(back)
    assert (await world.services.session.table(1)).state.heap == 3


async def test_a_warning_outlives_a_restart(world: World) -> None:
    warned = await last_pebbles(world)
    await world.restart()
    await world.bob.click(warned.response, label="Confirm")
    assert (await world.services.queries.game(1)).status == "over"


async def test_a_confirmation_is_stale_after_an_undo(world: World) -> None:
    warned = await last_pebbles(world)
    await world.olga.slash(world.table, "gm undo")
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    said = words(await world.bob.click(warned.response, label="Confirm"))
    assert said.startswith(f"{EARLIER} Here is the current one.")
    assert (await world.services.session.table(1)).state.heap == 5
