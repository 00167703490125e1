"""The Apps menu of a message: the board at its step for everybody who sees the game, the way back there for the game master."""
from __future__ import annotations

from typing import Any

import pytest
from simcord.backend import serializers
from simcord.enums import InteractionType

from bot.operator import incident_replay
from bot.store import Store
from tests.bot.desk import ANNA, BERT, MASTER, delivered, guessed, play_on, started
from tests.bot.discord_world import World, labels, words
from tests.bot.test_incidents import only
from tests.toy import PEBBLES, Guess, Take

BOARD, UNDO = "Board at this moment", "Undo to here"
NO_STEP = "That message isn't about a step of a game."


async def test_a_message_of_the_log_leads_to_the_board_at_its_step_and_for_the_game_master_to_a_rollback(world: World) -> None:
    await world.guessed()
    log = world.question("All have guessed.")
    await world.chat()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    board = await world.alice.context_menu(world.table, BOARD, log)
    there = await world.alice.slash(world.table, "game map", row=2)
    assert words(board) == words(there) and words(board).startswith("Pebbles: Board after step 2")
    assert labels(board.response) == labels(there.response) and "Step 3 ▶" in labels(board.response)
    assert words(await world.carol.context_menu(world.table, BOARD, log)) == words(board), "who looks on sees it, too"
    assert "for the game master" in words(await world.alice.context_menu(world.table, UNDO, log))
    asked = await world.olga.context_menu(world.table, UNDO, log)
    assert words(asked) == words(await world.olga.slash(world.table, "gm rollback", row=2))
    assert labels(asked.response) == ["Confirm", "Cancel"] and await world.newest() == 3
    await world.olga.click(asked.response, label="Confirm")
    assert [row.verb for row in await world.store.read(lambda ledger: ledger.log.rows(1))][-1] == "return"


async def test_a_message_of_no_game_and_one_of_a_game_that_is_not_seen_are_answered_alike(world: World) -> None:
    await world.guessed()
    log, chat = world.question("All have guessed."), await world.carol.send(world.table, "Hm.")
    for menu in (BOARD, UNDO):
        told = words(await world.olga.context_menu(world.table, menu, chat))
        assert told.startswith(NO_STEP)
        world.hide(world.table, world.carol)
        guild = world.env.create_guild(f"Far {menu}")
        zoe = guild.add_member(world.env.create_user(f"zoe{len(menu)}"))
        there = guild.create_text_channel("far")
        for stranger, channel in ((world.carol, world.elsewhere), (zoe, there)):
            assert words(await forged(stranger, channel, menu, log, await stranger.send(channel, "Hm."))) == told


async def forged(person: Any, channel: Any, menu: str, target: Any, shown: Any) -> Any:
    """Somebody names a message of another channel, as no Discord lets anybody do."""
    root = person._resolve_root(menu, 3, channel.id)
    message = {**_payload(person, shown), "id": str(target.id)}
    return await person._dispatch_interaction(InteractionType.APPLICATION_COMMAND, channel, {
        "id": root["id"], "name": menu, "type": 3, "target_id": str(target.id),
        "resolved": {"messages": {str(target.id): message}}})


def _payload(person: Any, shown: Any) -> dict[str, Any]:
    backend = person._env.backend
    return dict(serializers.message_payload(backend, person._message(shown)))


async def test_a_fault_keeps_no_word_of_the_message_and_comes_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()

    async def broken(*given: object, **named: object) -> None:
        raise ValueError

    monkeypatch.setattr("bot.discord.game_master.message_menus.show", broken)
    await world.alice.context_menu(world.table, BOARD, world.question("All have guessed."))
    kept = incident_replay.opened(only(world.path))
    assert kept.game == 1 and kept.attempt.interaction is not None and kept.attempt.interaction.data["name"] == BOARD
    assert "All have guessed." not in str(kept.attempt.interaction.data)
    assert (await incident_replay.rehearse(kept, (PEBBLES,))).same
    monkeypatch.undo()
    assert len(world.env.errors) == 1


async def test_a_step_is_the_last_that_everybody_knew_and_a_strike_changes_nothing(store: Store) -> None:
    services = play_on(store)
    game = await started(services)
    (begun, *_) = [letter for letter in await delivered(services) if letter.kind == "question"]
    assert await services.look_back.told_by(10_000 + begun.id) == (game, 0)
    await services.answers.answer(game, ANNA, Guess.of(1))
    for letter in await delivered(services):
        assert await services.look_back.told_by(10_000 + letter.id) in (None, (game, 0)), "a sealed answer is no step yet"
    await services.talk.allow_press(game, "none", MASTER)
    (told, *_) = [letter for letter in await delivered(services) if letter.kind == "notice"]
    await services.answers.answer(game, BERT, Guess.of(1))
    assert await services.look_back.told_by(10_000 + told.id) == (game, 0), "nor does it ever say when the answer was given"
    other = await guessed(services)
    await delivered(services)
    await services.answers.answer(other, ANNA, Take.of(1, "left"))
    await services.answers.answer(other, BERT, Take.of(1, "left"))
    (*_, log) = [letter for letter in await delivered(services) if letter.kind == "log"]
    await services.undo.rollback(other, 2, MASTER)
    for letter in await services.outbox.pending(200):
        await services.outbox.note(letter.game, [(letter.id, 10_000 + log.id if letter.kind == "strike" else 20_000 + letter.id)])
    assert await services.look_back.told_by(10_000 + log.id) == (other, 4)
    assert await services.look_back.told_by(1) is None
