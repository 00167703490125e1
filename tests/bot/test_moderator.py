"""/gm: who may, what it shows first, what it does."""
from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.discord.components import AnyRoute, button, view
from bot.discord.game_master.answer import _lists
from engine.text import Reader
from tests import toy
from tests.bot.discord_world import World, custom_ids, labels, leaves, options, words
from tests.bot.menu_taps import controls, used
from tests.bot.test_settings import choose, server_page
from tests.often_said import FOR_MASTERS_OR_ROLE, NO_SEAT

# --- who is a game master -----------------------------------------------------------------------------------


async def test_who_manages_the_server_is_a_game_master(world: World) -> None:
    await world.guessed()
    assert words(await world.max.slash(world.table, "gm pause")) == "Pebbles is paused."


async def test_the_role_that_the_server_set_makes_a_game_master(world: World) -> None:
    await world.guessed()
    role = world.guild.create_role("Referee")
    rita = world.guild.add_member(world.env.create_user("rita"), roles=[role])
    assert words(await rita.slash(world.table, "gm pause")) == FOR_MASTERS_OR_ROLE
    page = (await server_page(world, world.max))
    assert "setrole" not in str((await server_page(world, world.olga)).components)
    await choose(world.max, page, "setrole", role)
    assert words(await rita.slash(world.table, "gm pause")) == "Pebbles is paused."
    await world.max.click((await server_page(world, world.max)), label="No game master role")
    assert words(await rita.slash(world.table, "gm resume")) == FOR_MASTERS_OR_ROLE


async def test_not_everybody_can_be_a_game_master_nor_be_pinged(world: World) -> None:
    everybody, page = world.guild.default_role, (await server_page(world, world.max))
    refusal = "Everybody has that role. Choose one that only your game masters have."
    assert words(await choose(world.max, page, "setrole", everybody)) == refusal
    panel = (await world.server_page(world.max, "Role that is pinged")).response
    assert words(await world.max.select(panel, [everybody], custom_id="callrolepick")).startswith("I never ping everybody.")
    await world.store.write(
        lambda ledger: ledger.settings.set_gm_role(world.guild.id, everybody.id))       # as earlier versions let it be
    assert "Whoever opens a game is its game master." in (await server_page(world, world.max)).content


async def test_a_confirmation_does_not_make_a_game_master(world: World) -> None:
    await world.guessed()
    channel = world.bot.get_partial_messageable(world.table.id)
    await channel.send("Left behind", view=view([button("Confirm", AnyRoute("rollback"), 1, 0, 0, await world.newest())]))
    assert words(await world.alice.click(world.question("Left behind"), label="Confirm")) == FOR_MASTERS_OR_ROLE
    assert (await world.services.session.table(1)).state.phase == "taking"


# --- taking back --------------------------------------------------------------------------------------------------

async def test_undo_and_redo_tell_what_they_move(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert words(await world.olga.slash(world.table, "gm undo")) == (
        "Undone: 1 step. The game is now at step 2.\n> Amber takes 2 pebbles.")
    assert (await world.services.session.table(1)).state.heap == 12
    assert words(await world.olga.slash(world.table, "gm redo")).startswith("Redone: 1 step.")
    assert (await world.services.session.table(1)).state.heap == 10


async def test_there_is_nothing_to_take_back(world: World) -> None:
    await world.started()
    assert words(await world.olga.slash(world.table, "gm undo")) .startswith("There is nothing to undo")
    assert words(await world.olga.slash(world.table, "gm redo")).startswith("There is nothing to redo")


async def test_a_rollback_shows_first_what_it_takes_back(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    shown = await world.olga.slash(world.table, "gm rollback", row=2)
    assert words(shown) == "Rolling back to step 2 undoes 2 steps.\n> Amber takes 2 pebbles.\n> Basalt takes 1 pebble."
    assert (await world.services.session.table(1)).state.heap == 9
    await world.olga.click(shown.response, label="Confirm")
    assert (await world.services.session.table(1)).state.heap == 12
    assert any(post.startswith(f"Game master {world.olga.mention} undid 2 steps. Turn 1.") for post in world.posts())


async def test_the_history_leads_the_game_master_back_to_a_step_and_shows_its_board_to_everybody(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    shown = (await world.alice.slash(world.table, "game history")).response
    assert [row["components"][0].get("placeholder") for row in shown.components] == ["Show the board after …", None]
    history = (await world.olga.slash(world.table, "game history")).response
    back = next(one for one in controls(history) if one.custom_id.startswith("backto:") and one.value == "2")
    preview = await used(world.olga, history, back)
    assert words(preview) == "Rolling back to step 2 undoes 1 step.\n> Amber takes 2 pebbles."
    await world.olga.click(preview.response, label="Confirm")
    assert (await world.services.session.table(1)).state.heap == 12


async def test_a_rollback_is_confirmed_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    rollback = world.services.undo.rollback

    async def slow(*given: Any, **how: Any) -> Any:
        for _ in range(200):
            await asyncio.sleep(0)                  # time enough for the second press to come as far as this
        return await rollback(*given, **how)

    monkeypatch.setattr(world.services.undo, "rollback", slow)
    shown = await world.olga.slash(world.table, "gm rollback", row=2, fresh=True)
    async with world.together():
        await world.olga.click(shown.response, label="Confirm")
        await world.olga.click(shown.response, label="Confirm")
    assert await world.newest() == 4, "one row that returns"


async def test_a_preview_that_is_out_of_date_takes_nothing_back(world: World) -> None:
    await world.guessed()
    shown = await world.olga.slash(world.table, "gm rollback", row=0)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    said = words(await world.olga.click(shown.response, label="Confirm"))
    assert said == "Something has happened since this preview, so nothing was undone."
    assert (await world.services.session.table(1)).state.heap == 10


async def test_an_undo_of_more_than_one_step_is_shown_first(world: World) -> None:
    await world.guessed()
    await leaves(world.bob, world.table)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    shown = await world.olga.slash(world.table, "gm undo")
    head, *rest = words(shown).split("\n")
    assert "2 steps" in head and rest == ["> Amber takes 2 pebbles.", "> Basalt takes 1 pebble."]
    assert (await world.services.session.table(1)).state.heap == 9
    await world.olga.click(shown.response, label="Confirm")
    assert (await world.services.session.table(1)).state.heap == 12


async def test_a_preview_can_be_cancelled(world: World) -> None:
    await world.guessed()
    shown = await world.olga.slash(world.table, "gm rollback", row=0)
    assert "What do you do?" in words(await world.olga.click(shown.response, label="Cancel")), "the game as it stands"
    assert await world.newest() == 2


async def test_there_is_no_such_row(world: World) -> None:
    await world.guessed()
    assert words(await world.olga.slash(world.table, "gm rollback", row=99)) == "There is no step 99. The last one is step 2."


# --- answering for a seat ---------------------------------------------------------------------------------------------

async def test_the_default_is_given_for_a_seat(world: World) -> None:
    await world.guessed()
    said = words(await world.olga.slash(world.table, "gm answer", seat="amber"))
    assert said == "You moved for Amber.\nAmber takes 1 pebble."


async def test_an_answer_is_given_for_a_seat(world: World) -> None:
    await world.guessed()
    said = words(await world.olga.slash(world.table, "gm answer", seat="seat_1", answer="take pebbles=3 hand=right"))
    assert said == "You moved for Amber.\nAmber takes 3 pebbles."


async def test_a_seat_and_its_move_are_chosen_by_taps_and_confirmed(world: World) -> None:
    await world.guessed()
    shown = await world.olga.slash(world.table, "gm answer")
    assert words(shown).startswith("Move for **Amber**: ") and labels(shown.response) == ["The default move", "Cancel"]
    move = next(control for control in controls(shown.response) if control.label == "Take 3 pebbles, right")
    asked = await used(world.olga, shown.response, move)
    assert words(asked) == "Move for Amber: **Take 3 pebbles, right**?\nEverybody is told that you moved for Amber."
    assert await world.newest() == 2, "nothing has happened yet"
    assert words(await world.olga.click(asked.response, label="Confirm")) == "You moved for Amber.\nAmber takes 3 pebbles."
    assert f"Game master {world.olga.mention} moves for Amber ({world.alice.mention})." in world.posts()


async def test_an_old_or_borrowed_confirmation_moves_for_nobody(world: World) -> None:
    await world.guessed()
    channel = world.bot.get_partial_messageable(world.table.id)
    await channel.send("Left behind", view=view([button("Confirm", AnyRoute("gmmoved"), 1, "seat_1", 1, "default")]))
    assert words(await world.alice.click(world.question("Left behind"), label="Confirm")) == FOR_MASTERS_OR_ROLE
    again = await world.olga.click(world.question("Left behind"), label="Confirm")
    assert words(again).startswith("Somebody has moved since. Choose again.\nMove for **Amber**: ")
    assert await world.newest() == 2 and len(options(again.response)) == 7, "all moves, in one list"


async def test_under_seal_the_seats_are_offered_alike_and_the_default_move_is_a_tap(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    shown = await world.olga.slash(world.table, "gm answer")
    assert words(shown) == "Move for whom?" and labels(shown.response) == ["Amber", "Basalt", "Cancel"]
    moves = await world.olga.click(shown.response, label="Amber")
    asked = await world.olga.click(moves.response, label="The default move")
    said = words(await world.olga.click(asked.response, label="Confirm"))
    assert said == "You moved for Amber, unless its sealed move was already in."


def test_no_list_of_moves_has_a_single_one_but_where_it_is_a_button() -> None:
    menus, reader, dice = toy.PEBBLES.words.menus, Reader({}), toy.Throw.of()
    takes = [toy.Give.of("seat_2", number) for number in range(1, 27)]
    assert [(hint, len(part)) for hint, part in _lists(menus, [dice, *takes[:24]], reader)] == [("Which move?", 25)]
    assert [len(part) for _, part in _lists(menus, takes, reader)] == [13, 13]
    assert [(hint, len(part)) for hint, part in _lists(menus, [dice, *takes], reader)][-1] == ("Other moves", 1)


@pytest.mark.parametrize("seat, answer, sentence", [
    ("Amber", "take pebbles=7", "The heap has 12 pebbles; you can take at most 3. (TOY-2)"),
    ("Amber", "fly", "no move called fly"),
    ("Amber", "take three", "Write fields as name=value; three has no equals sign."),
    ("Basalt", "throw", "Basalt has nothing to do right now. Turn 1."),
    ("Granite", "throw", "There is no such seat in this game. Choose among: Amber and Basalt.")])
async def test_an_answer_for_a_seat_is_refused_like_any_other(world: World, seat: str, answer: str, sentence: str) -> None:
    await world.guessed()
    before = await world.newest()
    assert sentence in words(await world.olga.slash(world.table, "gm answer", seat=seat, answer=answer))
    assert await world.newest() == before


async def test_only_a_game_master_is_offered_the_answers_of_a_seat(world: World) -> None:
    await world.guessed()
    offered = await world.olga.autocomplete(world.table, "gm answer", "answer", "right", seat="Amber")
    assert [choice["value"] for choice in offered] == [f"take pebbles={n} hand=right" for n in (1, 2, 3)]
    assert await world.bob.autocomplete(world.table, "gm answer", "answer", "", seat="Amber") == []
    assert await world.bob.autocomplete(world.table, "gm answer", "seat", "") == []


async def test_secret_choices_stay_secret_before_the_game_master(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.Guess, "secret", True)
    await world.started()
    assert labels(world.question("**Amber**")) == ["Your move", "Your secrets"]
    offered = await world.olga.autocomplete(world.table, "gm answer", "answer", "", seat="Amber")
    assert [choice["value"] for choice in offered] == ["default"]
    said = words(await world.olga.slash(world.table, "gm answer", seat="Amber", answer="guess pebbles=3"))
    reason = "What Amber can do is secret, so you can only play its default move."
    assert said == f"{reason} Leave the move out."
    asked = await world.olga.slash(world.table, "gm answer")
    shown = await world.olga.click(asked.response, label="Amber")
    assert f"\n{reason}\nPlay the default move for Amber?\n" in words(shown)
    assert labels(shown.response) == ["Confirm", "Cancel"], "there is nothing to choose"
    said = words(await world.olga.slash(world.table, "gm answer", seat="Amber"))
    assert said == "You moved for Amber, unless its sealed move was already in."


# --- seats, pauses, the end -------------------------------------------------------------------------------------------

async def test_a_seat_is_handed_over_with_its_private_message(world: World) -> None:
    await world.guessed()
    assert "Your guess: 3." in world.letters(world.alice)[0]
    said = words(await world.olga.slash(world.table, "gm hand", seat="Amber", member=world.carol))
    assert said == f"{world.carol.mention} now plays Amber."
    assert world.letters(world.alice) == ["**Pebbles** (game 1): The game master has given your seat to somebody else."]
    (letter,) = world.letters(world.carol)
    assert "Your guess: 3." in letter
    assert words(await world.carol.slash(world.table, "pebbles take", pebbles=1)).startswith("Amber takes 1 pebble.")
    assert words(await world.alice.slash(world.table, "my move")).startswith(NO_SEAT)


async def test_a_seat_is_not_given_to_who_has_one_or_to_a_bot(world: World) -> None:
    await world.guessed()
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    assert words(await world.olga.slash(world.table, "gm hand", seat="Amber", member=robot)) == "A bot can't have a seat."
    said = words(await world.olga.slash(world.table, "gm hand", seat="Amber", member=world.bob))
    assert said == f"{world.bob.mention} already has a seat in this game."
    assert len(world.letters(world.alice)) == 1


async def test_a_game_is_paused_and_goes_on(world: World) -> None:
    await world.guessed()
    assert words(await world.olga.slash(world.table, "gm pause")) == "Pebbles is paused."
    assert words(await world.olga.slash(world.table, "gm pause")) == "The game is already paused."
    assert not any("**Amber**: The heap" in post for post in world.posts())
    assert words(await world.olga.slash(world.table, "gm resume")) == "Pebbles goes on."
    assert labels(world.question("**Amber**: The heap"))


async def test_a_game_is_closed_after_a_confirmation(world: World) -> None:
    await world.guessed()
    shown = await world.olga.slash(world.table, "gm close", why="Bob: away")
    assert (await world.services.queries.game(1)).status == "running"
    assert words(await world.olga.click(shown.response, label="Close the game")) == "Pebbles is closed."
    assert world.posts()[-1] == f"Game master {world.olga.mention} has closed the game. Bob away"
    assert words(await world.alice.slash(world.table, "pebbles take", pebbles=1)) == "The game is closed."


async def test_the_audit_tells_who_did_what(world: World) -> None:
    await world.guessed()
    for _ in range(9):
        await world.olga.slash(world.table, "gm pause")
        await world.max.slash(world.table, "gm resume")
    shown = await world.olga.slash(world.table, "gm audit")
    assert "audit, page 2 of 2" in words(shown) and f"<@{world.max.id}> let the game go on." in words(shown)
    older = await world.olga.click(shown.response, label="Older")
    assert f"<@{world.olga.id}> started the game." in words(older)
    assert list(custom_ids(older.response)) == ["Newer", "Back to the game"]
