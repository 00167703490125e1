"""Looking back step by step: the board as it was whenever somebody had to decide, as the reader may see it."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.service.bookmarks import MOST
from bot.store import Store
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin, Confirm
from engine.kernel import Seat
from engine.kernel.game_spec import BOARD
from engine.refusals import Refusal
from engine.text import say
from tests.bot.desk import ANNA, BERT, MASTER, guessed, play_on, started
from tests.bot.discord_world import World, labels, words
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene as attack_scene
from tests.position import starting_at
from tests.toy import Guess, Take, Throw


async def stops(services: Any, game: int) -> list[int]:
    """All steps at which one can look, the newest first."""
    found = [await services.look_back.stop(game)]
    while found[-1].before is not None:
        found.append(await services.look_back.stop(game, found[-1].before))
    assert [stop.after for stop in found[1:]] == [stop.row for stop in found[:-1]]
    return [stop.row for stop in found]


async def test_a_step_is_where_somebody_decides_next_with_what_led_there(store: Store) -> None:
    services = play_on(store)
    game = await guessed(services)                          # two answers that were sealed together are one step
    assert await stops(services, game) == [2, 0]
    await services.answers.answer(game, ANNA, Throw.of())
    rolled = await services.queries.newest(game)
    assert rolled == 4 and await stops(services, game) == [4, 2, 0], "with the dice that follow"
    await services.answers.answer(game, BERT, Take.of(2, "left"))
    here = await services.look_back.stop(game)
    assert (here.row, here.newest, here.after) == (5, 5, None)
    assert [say(line) for line in here.lines] == ["Seat 2 takes 2 pebbles."]
    await services.undo.rollback(game, 2, MASTER)
    assert await stops(services, game) == [2, 0], "what was undone is no step"
    assert (await services.look_back.stop(game, 5)).before == 2, "but leads back"


async def test_answers_that_are_sealed_still_are_no_step_and_nothing_tells_of_them(store: Store) -> None:
    services = play_on(store)
    game = await started(services)
    before = await services.look_back.stop(game)
    await services.answers.answer(game, ANNA, Guess.of(1))
    assert await services.look_back.stop(game) == before and before.row == 0
    with pytest.raises(Refusal, match=r"There is no step 1\."):
        await services.look_back.stop(game, 1)


async def test_what_came_to_light_later_is_hidden_at_an_earlier_step(store: Store) -> None:
    """A view is made of the position of that step: it knows nothing of later ones, nor of anybody else's secrets."""
    services = play_on(store)
    game = await guessed(services)
    now = await services.look_back.stop(game)
    for seat, row, guess in ((Seat("seat_2"), now.row, 2), (Seat("seat_2"), now.before, None), (None, now.row, None)):
        story = await services.queries.story(game, BOARD, seat=seat, row=row)
        assert story.spec.views.view(story.end(), story.seat).guess == guess


async def test_ten_steps_back_at_a_tap(store: Store) -> None:
    services = play_on(store)
    game = await guessed(services)
    for number in range(10):
        await services.answers.answer(game, (ANNA, BERT)[number % 2], Take.of(1, "left"))
    assert (await services.look_back.stop(game)).long_before == 2


async def test_below_a_private_board_one_steps_back_and_sees_what_one_may_see_there(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    board = await world.alice.slash(world.table, "game map")
    assert labels(board.response) == ["◀ Step 2", "Note", "Back to the game"]
    earlier = await world.alice.click(board.response, label="◀ Step 2")
    assert words(earlier).startswith("Pebbles: Board after step 2\n-# All have guessed.") and "heap 12" in words(earlier)
    assert labels(earlier.response) == ["◀ Beginning", "Step 3 ▶", "Now", "Note", "Back to the game"]
    start = await world.alice.click(earlier.response, label="◀ Beginning")
    assert labels(start.response) == ["Step 2 ▶", "Now", "Note", "Back to the game"]
    now = await world.alice.click(start.response, label="Now")
    assert words(now) == words(board) and "heap 9" in words(now)
    shared = await world.alice.slash(world.table, "game map", share=True)
    assert "◀ Step 2" not in labels(shared.response), "nobody steps on what everybody reads"


async def test_a_step_before_there_was_anything_to_show_leads_on_to_the_others(tmp_path: Path) -> None:
    position = attack_scene(land={"france": ("red", "3I 2T"), "italy": ("blue", "1I"), "cuba": ("blue", "1I")},
                            capitals={"france": "red", "italy": "blue"})
    async with World.at(tmp_path / "games.db", (starting_at(ATTACK, position.start.state),), sketch) as world:
        await world.olga.slash(world.table, "game open", game=ATTACK.key, seats=2)
        for person in (world.alice, world.bob):
            await person.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        for action in (Begin(action="movement"), Move(unit="tank", origin="france", to="italy", number=2), Confirm()):
            await world.services.answers.answer(1, world.alice.id, action)
        shown = await world.alice.slash(world.table, "game closeup", row=1)
        assert "no land battle yet" in words(shown)
        assert {"Now", "Back to the game"} < set(labels(shown.response))
        now = await world.alice.click(shown.response, label="Now")
        assert now.response.attachments and words(now).startswith("Attack!: Land battle")


# --- notes ------------------------------------------------------------------------------------------------------------

async def test_a_note_is_shown_with_its_step_and_listed_for_its_writer_alone(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    posts, letters = len(world.posts()), world.letters(world.bob)
    board = await world.alice.slash(world.table, "game map", row=2)
    form = await world.alice.click(board.response, label="Note")
    assert (await world.alice.click(board.response, label="Note")).modal == form.modal, "the same form whenever it is opened"
    (field,) = [item["custom_id"] for row in form.modal["components"] for item in row["components"]]
    noted = await world.alice.submit_modal(form, {field: "*Bob* took few"})
    assert "Your note: \\*Bob\\* took few" in words(noted) and words(noted).startswith("Pebbles: Board after step 2")
    listed = await world.alice.slash(world.elsewhere, "my notes")
    assert words(listed) == "**Your notes**\n- Pebbles (game 1), step 2: \\*Bob\\* took few" and listed.ephemeral
    there = await world.alice.select(listed.response, ["1 2"], custom_id="noteplace")
    assert "heap 12" in words(there) and "took few" in words(there)
    assert words(await world.bob.slash(world.table, "my notes")).startswith("You have no notes.")
    assert "took few" not in words(await world.bob.slash(world.table, "game map", row=2))
    assert (len(world.posts()), world.letters(world.bob)) == (posts, letters)
    listed = await world.alice.slash(world.elsewhere, "my notes")
    gone = await world.alice.select(listed.response, ["1 2"], custom_id="notedrop")
    assert words(gone).startswith("Removed.\nYou have no notes.")


async def test_a_note_leads_to_no_game_that_its_writer_does_not_see_any_more(world: World) -> None:
    await world.guessed()
    await world.services.bookmarks.set_bookmark(1, world.carol.id, 2, "")
    world.hide(world.table, world.carol)
    listed = await world.carol.slash(world.elsewhere, "my notes")
    there = await world.carol.select(listed.response, ["1 2"], custom_id="noteplace")
    assert words(there).startswith("There is no game number 1 here.")


async def test_notes_are_on_steps_that_there_are_and_not_too_many(store: Store) -> None:
    services = play_on(store)
    game = await started(services)
    await services.answers.answer(game, ANNA, Guess.of(1))
    with pytest.raises(Refusal, match=r"There is no step 1\."):
        await services.bookmarks.set_bookmark(game, BERT, 1, "sealed still")
    await store.write(lambda ledger: [ledger.bookmarks.set_bookmark(game, ANNA, row, "", "") for row in range(1000, 1000 + MOST)])
    with pytest.raises(Refusal, match=r"You have 200 notes\."):
        await services.bookmarks.set_bookmark(game, ANNA, 0, "one more")
    await services.bookmarks.drop_bookmark(game, ANNA, 1000)
    await services.bookmarks.set_bookmark(game, ANNA, 0, f"{'x' * 400}\n")
    assert await services.bookmarks.bookmark(game, ANNA, 0) == "x" * 300
