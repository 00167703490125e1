"""What the bot posts by itself: in order, once, to those whom it concerns, whatever Discord says."""
from __future__ import annotations

import asyncio
import gc
import itertools
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import discord
import pytest

from bot.core.mailbox import LETTERS, read_mail
from bot.core.visit import Onlooker
from bot.discord.direct_messages import TooManyOpened
from bot.discord.lengths import pieces
from bot.discord.outbox.blocks import words_in
from bot.domain.announcements import notice
from bot.domain.letters import Reminder
from bot.operator import incident_replay
from engine.kernel import Seat
from engine.text import Text, say, text
from tests.bot.discord_world import NONCES, World, labels, words, words_sent
from tests.bot.frail import cheap
from tests.bot.test_faults import refusal
from tests.toy import PEBBLES, Guess, Take


def posted(world: World, path: str, method: str = "POST") -> list[Any]:
    """The bodies of the bot's requests to this path."""
    return [request.json for request in world.env.http_requests if (request.method, request.path) == (method, path)]


def shut(world: World, who: Any, code: int = 50007) -> None:
    """From now on nobody can write to this member directly."""
    path = f"/channels/{who.user.dm_channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=code, message="Cannot send messages to this user", times=None)


# --- in the channel -----------------------------------------------------------------------------------------

async def test_a_question_pings_the_one_who_is_asked_and_nobody_else(world: World) -> None:
    await world.guessed()
    bodies = posted(world, f"/channels/{world.table.id}/messages")
    (question,) = [body for body in bodies if "**Amber**: The heap" in words_sent(body)]
    assert question["content"].startswith(world.alice.mention)
    assert question["allowed_mentions"]["users"] == [world.alice.id]
    assert [body["allowed_mentions"]["parse"] for body in bodies] == [[]] * len(bodies)
    assert all("users" not in body["allowed_mentions"] for body in bodies
               if "?" not in words_sent(body) and "all seats are taken" not in words_sent(body))


async def test_every_attempt_of_a_letter_carries_its_nonce_and_discord_is_held_to_it(world: World) -> None:
    await world.guessed()
    await world.chat()
    world.mute()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    stored = [letter.nonce for letter in await world.services.outbox.pending(10)
              if letter.kind != "status"]      # that one is edited
    world.env.http_requests.clear()
    await world.restart()
    bodies = posted(world, f"/channels/{world.table.id}/messages")
    assert [body["nonce"] for body in bodies] == stored and all(len(nonce) <= 25 for nonce in stored)
    assert all(body["enforce_nonce"] for body in bodies)


async def test_a_title_can_neither_ping_nor_format(world: World) -> None:
    await world.opened(title="**@everyone** <@&1>")
    (body,) = posted(world, f"/channels/{world.table.id}/messages")
    assert "@everyone" not in words_sent(body) and r"\*\*" in words_sent(body)
    assert body["allowed_mentions"]["parse"] == []


async def test_a_crash_before_sending_posts_late_and_a_restart_posts_nothing_twice(world: World) -> None:
    await world.guessed()
    world.mute()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert "Amber takes 2 pebbles." not in world.told()
    await world.restart()
    await world.restart()
    assert world.told().count("Amber takes 2 pebbles.") == 1


async def test_the_end_tells_result_and_points(world: World) -> None:
    await world.guessed()
    for turn in range(4):
        who = (world.alice, world.bob)[turn % 2]
        shown = await who.slash(world.table, "pebbles take", pebbles=3)
    await world.bob.click(shown.response, label="Confirm")
    final = world.posts()[-1]
    assert final == ("### Pebbles is over\n**Amber wins.**\n"
                     f"1. Amber, {world.alice.mention}\n2. Basalt, {world.bob.mention}")


def test_a_long_text_is_divided_between_lines() -> None:
    assert pieces("one\ntwo\nthree", 8) == ["one\ntwo", "three"]
    assert pieces("x" * 20, 8) == ["x" * 8, "x" * 8, "x" * 4]
    assert pieces("") == []


async def test_who_answers_one_question_after_the_other_has_one_message(world: World) -> None:
    await world.started()
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    (question,) = [message for message in world.table.history() if "**Amber**: " in message.content]
    assert "The heap has 12." in question.content
    assert words(await world.alice.click(question, label="Take 3 pebbles, left")) == ""
    assert "Amber takes 3 pebbles." in world.told()


# --- direct messages -------------------------------------------------------------------------------------------------

async def test_there_is_one_direct_message_and_it_is_kept_up_to_date(world: World) -> None:
    await world.opened()
    await world.alice.slash(world.table, "game join")
    assert world.letters(world.alice) == ["**Pebbles** (game 1) (private)\nYour secrets will appear here."]
    await world.bob.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    assert world.letters(world.alice) == ["**Pebbles** (game 1): Amber (private)\nYour guess: 3.\n> You guessed 3."]
    await world.olga.slash(world.table, "gm undo")
    (letter,) = world.letters(world.alice)
    assert "Your guess" not in letter


async def test_what_one_seat_knows_reaches_nobody_else(world: World) -> None:
    await world.guessed()
    assert "Your guess: 8." in world.letters(world.bob)[0]
    for who in (world.alice, world.carol, world.olga):
        assert not any("Your guess: 8" in post for post in [*world.posts(viewer=who), *world.letters(who)])


async def test_a_deleted_direct_message_is_sent_anew(world: World) -> None:
    await world.guessed()
    (message,) = world.alice.user.dm_channel.history()
    world.env.backend.delete_message(message.channel.id, message.id)
    await world.olga.slash(world.table, "gm undo")
    assert len(world.letters(world.alice)) == 1


async def test_closed_direct_messages_are_said_when_joining_and_nothing_becomes_public(world: World) -> None:
    await world.opened()
    shut(world, world.alice)
    said = words(await world.alice.slash(world.table, "game join"))
    assert "I can't send you DMs. Use `/my move`" in said
    await world.bob.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    assert not any("Your guess" in post for post in world.posts())
    assert await world.services.outbox.pending(10) == [], "a letter that cannot be delivered holds up the others"
    shown = await world.alice.click(world.question("**Amber**: The heap"), label="Your secrets")
    assert "Your guess: 3." in words(shown)
    assert "Your guess: 3." in words(await world.alice.slash(world.table, "my move"))


async def test_too_many_new_direct_messages_are_as_if_closed(world: World) -> None:
    await world.started()
    world.env.inject_error("PATCH", f"/channels/{world.alice.user.dm_channel.id}/messages/*", status=400, code=40003, times=None)
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    assert await world.services.outbox.pending(10) == []
    assert "Your guess: 8." in world.letters(world.bob)[0]


async def test_who_cannot_be_written_to_is_moved_for_and_the_news_hold_up_nothing(world: World) -> None:
    await world.guessed()
    shut(world, world.alice)
    path = f"/channels/{world.bob.user.dm_channel.id}/messages"
    world.env.inject_error("POST", path, status=400, code=40003, message="You are opening direct messages too fast", times=None)
    for seat in ("amber", "basalt"):
        said = words(await world.olga.slash(world.table, "gm answer", seat=seat))
        assert said.startswith("You moved for ")
        assert await world.services.outbox.pending(10) == []


async def test_who_wants_no_direct_message_gets_none(world: World) -> None:
    await world.started()
    panel = (await world.alice.slash(world.table, "settings")).response
    panel = (await world.alice.click(panel, label="This game")).response
    panel = (await world.alice.click(panel, label="My secrets by DM: on")).response
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    assert world.letters(world.alice) == ["**Pebbles** (game 1): You switched this message off."]
    await world.alice.click(panel, label="My secrets by DM: off")
    (letter,) = world.letters(world.alice)
    assert "Your guess: 3." in letter


async def test_secrets_leave_a_direct_message_although_the_bot_stops_and_many_others_came_after_it(world: World) -> None:
    await world.guessed()
    for number in range(110):
        world.env.backend.create_message(world.alice.user.dm_channel.id, world.alice.id, content=f"{number}")
    world.mute()
    await world.services.seats.set_private(1, world.alice.id, False)
    await world.restart()
    assert world.letters(world.alice)[0] == "**Pebbles** (game 1): You switched this message off."


async def test_who_leaves_and_joins_again_at_once_keeps_the_message(world: World) -> None:
    await world.opened()
    world.bot.outbox.wake = lambda _: None
    for command in ("join", "leave", "join"):
        await world.alice.slash(world.table, f"game {command}")
    await world.restart()
    assert world.letters(world.alice) == ["**Pebbles** (game 1) (private)\nYour secrets will appear here."]


async def test_a_letter_that_waited_while_its_reader_changed_his_mind_is_not_sent(world: World) -> None:
    await world.started()
    world.mute()
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    await world.services.seats.set_private(1, world.alice.id, False)
    await world.restart()
    assert not any("Your guess" in letter for letter in world.letters(world.alice))
    assert any("Your guess" in letter for letter in world.letters(world.bob))


# --- a channel that cannot be written to --------------------------------------------------------------------------------

async def test_a_channel_out_of_reach_is_told_to_the_opener_once_and_tried_again(world: World) -> None:
    await world.guessed()
    await world.chat()
    path = f"/channels/{world.table.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50013, message="Missing Permissions", times=3)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert "Amber takes 2 pebbles." not in world.told()
    (letter,) = world.letters(world.olga)
    assert letter.startswith(f"I can't post the news of Pebbles (game 1) in <#{world.table.id}>")
    await world.env.advance_time(300)
    assert world.told().count("Amber takes 2 pebbles.") == 1
    assert "The heap has 10" in world.posts()[-1]
    assert len(world.letters(world.olga)) == 1
    world.env.inject_error("POST", path, status=403, code=50013, message="Missing Permissions", times=3)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    assert len(world.letters(world.olga)) == 2, "it was within reach in between"


async def test_an_edit_that_succeeds_does_not_mean_that_the_channel_can_be_written_to(world: World) -> None:
    await world.guessed()
    path = f"/channels/{world.table.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50013, message="Missing Permissions", times=None)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.env.advance_time(60)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    await world.env.advance_time(120)
    assert "Basalt takes 1 pebble." in world.told(), "the message of the log could be changed"
    assert len(world.letters(world.olga)) == 1, "the next question could not be posted either, which is no news"


async def test_a_channel_in_which_nothing_can_be_changed_is_told_once_whatever_is_posted(world: World) -> None:
    await world.guessed()
    for post in world.table.history():
        world.env.inject_error("PATCH", f"/channels/{world.table.id}/messages/{post.id}", status=403, code=50013,
                               message="Missing Permissions", times=None)
    posts = len(world.posts())
    for who in (world.alice, world.bob, world.alice):
        await world.chat()
        await who.slash(world.table, "pebbles take", pebbles=1)
        await world.env.advance_time(300)
    assert len(world.posts()) > posts + 3, "news are posted"
    assert len(world.letters(world.olga)) == 1


async def test_a_dead_channel_does_not_stop_other_games(world: World) -> None:
    await world.guessed()
    await world.max.slash(world.elsewhere, "game open", game="pebbles", seats=2)
    for who in (world.carol, world.bob):
        await who.slash(world.elsewhere, "game join")
    world.env.backend.delete_channel(world.table.id)
    await world.alice.user.slash("pebbles take", pebbles=2)
    (letter,) = world.letters(world.olga)
    assert letter.startswith("The channel of Pebbles (game 1) is gone.") and "/gm close game:1" in letter
    await world.max.slash(world.elsewhere, "game start")
    assert any("How many will you have?" in post for post in world.posts(world.elsewhere))
    await world.env.advance_time(60)
    assert await world.services.outbox.pending(10) == []
    assert words(await world.olga.slash(world.elsewhere, "gm close", game="1")).startswith("Close Pebbles without a result")


async def test_a_moment_of_trouble_at_discord_loses_nothing(world: World) -> None:
    await world.guessed()
    world.env.inject_error("POST", f"/channels/{world.table.id}/messages", status=500, times=10)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.env.advance_time(7200)
    assert world.told().count("Amber takes 2 pebbles.") == 1
    assert world.letters(world.olga) == []


class Refused:
    """What Discord refuses from now on, by words in it: how often, and when."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch, what: str, code: int = 50035) -> None:
        self.tried: list[float] = []
        put, change = world.bot.outbox.put, world.bot.outbox._write

        async def posting(channel: Any, words: Any, **rest: Any) -> int:
            if what in words_in(words):
                self.refuse(world, code)
            return int(await put(channel, words, **rest))

        async def writing(game: Any, holder: Any, words: Text, *rest: Any, **more: Any) -> int | None:
            if what in say(words):
                self.refuse(world, code)
            number: int | None = await change(game, holder, words, *rest, **more)
            return number

        monkeypatch.setattr(world.bot.outbox, "put", posting)
        monkeypatch.setattr(world.bot.outbox, "_write", writing)

    def refuse(self, world: World, code: int) -> None:
        self.tried.append(world.env.backend.clock.elapsed)
        raise refusal(400, code)


async def test_a_letter_that_discord_refuses_is_given_up_in_the_end(
        world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    await world.chat()
    refused = Refused(world, monkeypatch, "Amber takes 2 pebbles")
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert "The heap has 10" in "".join(world.posts()), "nothing else waits for it"
    world.bot.outbox.pulse.change_interval(seconds=100)
    world.bot.scheduler.longest = 100
    await world.env.advance_time(7200)
    waits = [later - earlier for earlier, later in itertools.pairwise(refused.tried)]
    assert len(refused.tried) == 8 and waits == sorted(waits) and waits[-1] > 5 * waits[0]
    assert "could not deliver a log for public" in words(await world.olga.slash(world.table, "gm audit"))
    assert "Amber takes" not in caplog.text and "Your guess" not in caplog.text
    (kept,) = (world.path.parent / "incidents").iterdir()
    found = incident_replay.opened(kept)
    assert (found.error, found.attempt.work, found.attempt.given["kind"]) == ("HTTPException", "letter", "log")
    assert await remembered_rests(world) == 0


async def remembered_rests(world: World) -> int:
    await world.env.settle()
    return len(world.bot.outbox._rests) + len(world.bot.outbox._seen)


@pytest.mark.parametrize("what, held", [
    ("**Amber**: The heap", "the question to one player"), ("Your guess: 3", "the secrets of one player"),
    ("hello", "one player's words"), ("Amber takes", "the log")])
async def test_what_is_refused_delays_nobody_else(
        world: World, monkeypatch: pytest.MonkeyPatch, what: str, held: str) -> None:
    await world.started()
    refused = Refused(world, monkeypatch, what)
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    await world.alice.slash(world.table, "talk say", to="Basalt", message="hello")
    await world.chat()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.bob.slash(world.table, "talk say", to="all", message="good day")
    assert refused.tried, held
    assert any("good day" in post for post in world.posts())
    assert any("The heap has 10" in post and "**Basalt**" in post for post in world.posts())
    assert any("Your guess: 8." in letter for letter in world.letters(world.bob))
    assert ("Amber takes 2 pebbles." in world.told()) == (held != "the log")
    assert len(await world.services.outbox.pending(20)) == (0 if "question" in held
                                                            else 1), "a question that was overtaken is not put"


async def test_what_comes_after_a_refused_line_of_the_log_waits_for_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    await world.chat()
    with monkeypatch.context() as patch:
        Refused(world, patch, "Amber takes 2 pebbles")
        await world.alice.slash(world.table, "pebbles take", pebbles=2)
        await world.bob.slash(world.table, "pebbles take", pebbles=1)
        assert "Basalt takes 1 pebble." not in world.told()
    await world.env.advance_time(60)
    posts = world.told()
    assert posts.index("Amber takes 2 pebbles.") < posts.index("Basalt takes 1 pebble.")


async def test_a_closed_channel_delays_no_direct_message(world: World) -> None:
    await world.started()
    world.env.inject_error("POST", f"/channels/{world.table.id}/messages", status=403, code=50013, times=None)
    many = [notice(text("hello"))] * LETTERS
    await world.store.write(lambda ledger: ledger.outbox.add_letters(1, 0, many, ""))
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    assert any("Your guess: 3." in letter for letter in world.letters(world.alice))
    tried = len(posted(world, f"/channels/{world.table.id}/messages"))
    world.bot.outbox.wake([1])
    await world.env.settle()
    assert len(posted(world, f"/channels/{world.table.id}/messages")) == tried, "the channel rests"


@pytest.mark.parametrize("sees", ["no server", "the channel", "a server without any of its channels"])
async def test_a_bot_that_knows_no_channel_at_all_gives_up_no_letter(
        world: World, monkeypatch: pytest.MonkeyPatch, sees: str) -> None:
    """As one has it that was given the file, or the token, of another bot."""
    await world.guessed()
    await world.chat()
    await world.max.slash(world.elsewhere, "game open", game="pebbles", seats=2)
    await world.env.settle()
    before, letters = len(world.posts()), world.letters(world.olga)
    with monkeypatch.context() as patch:
        if sees == "no server":
            patch.setattr(world.bot, "get_guild", lambda number: None)
        elif sees != "the channel":
            patch.setattr(discord.Guild, "get_channel_or_thread", lambda self, number: None)
            world.bot.outbox._lost.add(7)
        world.env.inject_error("POST", "/channels/*/messages", status=404, code=10003, times=4)
        await world.alice.user.slash("pebbles take", pebbles=2)
        await world.env.advance_time(20)
        assert len(world.posts()) == before and await world.services.outbox.pending(20) != []
        assert world.letters(world.olga) == letters, "no opener is told that a channel is gone"
    await world.env.advance_time(900)
    assert await world.services.outbox.pending(20) == [] and world.told().count("Amber takes 2 pebbles.") == 1


async def test_a_question_that_was_overtaken_on_its_way_is_not_put(world: World) -> None:
    await world.guessed()
    world.mute()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    (late,) = [letter for letter in await world.services.outbox.pending(10) if letter.kind == "question"]
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).asked_at != late.payload["asked_at"]
    assert await world.bot.outbox._deliver(await world.services.visits.onlooker(1), late) is None


async def test_two_wakes_send_a_letter_once(world: World) -> None:
    await world.guessed()
    async with world.together():
        await world.alice.slash(world.table, "pebbles take", pebbles=2)
        world.bot.outbox.wake([1])
        await asyncio.sleep(0)
        world.bot.outbox.wake([1])
    assert world.told().count("Amber takes 2 pebbles.") == 1


async def test_what_comes_while_a_game_is_tidied_up_is_sent_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    keep_place, late = world.bot.outbox._keep_place, iter([2])

    async def slow(visit: Onlooker) -> bool:
        for pebbles in late:
            await world.services.answers.answer(1, world.bob.id, Take.of(pebbles, "left"))
            assert world.bot.outbox._news == {1}
        return await keep_place(visit)

    monkeypatch.setattr(world.bot.outbox, "_keep_place", slow)
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert "Basalt takes 2 pebbles." in world.told()


async def test_what_is_known_while_letters_are_sent_is_what_the_file_says_once_it_is_written_down(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with World.at(tmp_path / "game.db", (PEBBLES,), cheap) as world:
        write_down, told = world.bot.outbox._write_down, list[int]()

        async def compared(visit: Onlooker) -> None:
            told.append(len(visit.mail.notes))
            await write_down(visit)
            file = await world.store.read(lambda ledger: read_mail(ledger, visit.id))
            for known in ("messages", "newest_post", "last_log", "questions"):
                assert getattr(visit.mail, known) == getattr(file, known)

        monkeypatch.setattr(world.bot.outbox, "_write_down", compared)
        await world.guessed()
        for turn in range(6):
            await (world.alice, world.bob)[turn % 2].slash(world.table, "pebbles take", pebbles=2)
            if turn == 3:
                await world.chat()
        assert max(told) > 3, "several at once"


async def test_a_bot_that_stops_does_not_wait_for_ever_for_a_message(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    stuck: list[asyncio.Task[Any]] = []
    begun = asyncio.Event()

    async def never(*_: Any) -> None:
        task = asyncio.current_task()
        assert task is not None
        stuck.append(task)
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.discord.outbox.sender.GRACE", 0)
    monkeypatch.setattr(world.bot.outbox, "_deliver", never)
    async with world.together():
        await world.services.answers.answer(1, world.alice.id, Take.of(2, "left"))
        await begun.wait()
        await world.bot.outbox.stop()
        cut_off = stuck[0].cancelling()
        stuck[0].cancel()
    assert cut_off


async def test_an_old_question_is_not_put_when_it_was_answered_meanwhile(world: World) -> None:
    await world.started()
    world.mute()
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    await world.restart()
    assert not any("The heap has 12" in post for post in world.posts())
    assert "Take 1 pebble, left" in labels(world.question("The heap has 11"))


# --- memory -----------------------------------------------------------------------------------------------------

async def remembered(world: World) -> dict[str, int]:
    """How much is kept in memory of games, place by place; locks live as long as somebody holds them."""
    gc.collect()
    outbox, openings = world.bot.outbox, world.bot._openings
    kept = {name: value for name, value in vars(outbox).items() if isinstance(value, (dict, set, WeakValueDictionary))}
    return {name: len(value) for name, value in {**kept, "_openings": openings}.items() if len(value)}


async def test_nothing_is_kept_of_games_that_are_over(world: World) -> None:
    for number in range(1, 7):
        await world.opened(2)
        for player in (world.alice, world.bob):
            await player.slash(world.table, "game join", game=str(number))
        await world.olga.slash(world.table, "game start", game=str(number))
        if number % 2:
            await world.services.seats.close(number, world.olga.id, "Enough.")
        else:
            for player in (world.alice, world.bob):
                await world.services.answers.answer(number, player.id, Guess.of(1))
            for turn in range(4):
                await world.services.answers.answer(number, (world.alice, world.bob)[turn % 2].id, Take.of(3, "left"))
        await world.env.settle()
        assert (await world.services.queries.game(number)).status in ("closed", "over")
        assert await remembered(world) == {}, f"after {number} games"


async def test_of_a_long_game_as_much_is_kept_as_of_a_short_one(world: World) -> None:
    await world.guessed()
    sizes = []
    for turn in range(6):
        await world.services.answers.answer(1, (world.alice, world.bob)[turn % 2].id, Take.of(1, "left"))
        world.bot.outbox.answered(1)
        await world.env.settle()
        sizes.append(await remembered(world))
    assert sizes[2] == sizes[-1]


async def test_what_a_restored_copy_has_yet_to_send_is_not_posted_again_if_it_was_sent_since(world: World) -> None:
    """The copy is older than the last messages, and Discord has forgotten their nonces."""
    await world.guessed()
    await world.chat()
    with closing(sqlite3.connect(world.path)) as db:
        (copied,) = db.execute("SELECT max(id) FROM outbox").fetchone()
    for who in (world.alice, world.bob, world.alice):
        await who.slash(world.table, "pebbles take", pebbles=1)
        await world.chat()
    before = sorted(world.told()), [sorted(world.letters(who)) for who in (world.alice, world.bob)]
    world.mute()
    await world.env.advance_time(NONCES + 1)
    await world.services.recovery.store.write(lambda ledger: ledger.conn.execute(
        "UPDATE outbox SET sent_at = NULL, message = NULL, problem = NULL WHERE id > ?", (copied,)))
    await world.services.recovery.pass_over()
    await world.restart()
    assert (sorted(world.told()), [sorted(world.letters(who)) for who in (world.alice, world.bob)]) == before
    assert await world.services.outbox.pending() == []


async def test_after_a_restart_no_direct_message_is_opened_again(world: World) -> None:
    await world.guessed()
    opened = [request for request in world.env.http_requests if request.path.endswith("/users/@me/channels")]
    assert len(opened) == 2                             # one for each player
    await world.restart()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert await world.bot.outbox.open_private(1, Seat("seat_2"))
    assert len([request for request in world.env.http_requests if request.path.endswith("/users/@me/channels")]) == 2


async def test_few_direct_messages_are_opened_at_once_and_what_somebody_asked_for_is(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    members = [world.guild.add_member(world.env.create_user(f"guest{number}")).id for number in range(8)]
    directs = world.bot.directs
    for member in members[:5]:
        await directs.to(member)
    with pytest.raises(TooManyOpened):
        await directs.to(members[5])
    await directs.to(members[0])                        # is open already
    await directs.to(members[6], asked=True)
    later = discord.utils.utcnow() + timedelta(seconds=45)
    monkeypatch.setattr(world.services.session, "now", lambda: later)
    await directs.to(members[5])
    with pytest.raises(TooManyOpened):
        await directs.to(members[7])


async def test_games_that_write_to_one_member_at_once_open_one_direct_message(world: World) -> None:
    member = world.guild.add_member(world.env.create_user("guest")).id
    found = await asyncio.gather(*(world.bot.directs.to(member) for _ in range(7)))
    assert len({channel.id for channel in found}) == 1
    assert len([request for request in world.env.http_requests if request.path.endswith("/users/@me/channels")]) == 1


async def test_a_letter_that_cannot_be_opened_now_is_sent_later(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    monkeypatch.setattr(world.bot.directs, "_left", -100.0)
    world.bot.directs._known.clear()
    await world.store.write(lambda ledger: ledger.conn.execute("DELETE FROM direct_channels"))
    letter = Reminder(audience="seat_1", user=world.alice.id, duties=[(1, Seat("seat_1"), await world.newest())])
    await world.store.write(lambda ledger: ledger.outbox.add_letters(1, 0, [letter], world.services.session.time()))
    await world.env.settle()
    assert not any(post.startswith("Your move:") for post in world.letters(world.alice))
    assert not any("it's your move" in post for post in world.posts())
    monkeypatch.setattr(world.bot.directs, "_left", 5.0)
    world.bot.outbox.retry(1)
    await world.env.settle()
    assert sum(post.startswith("Your move:") for post in world.letters(world.alice)) == 1
