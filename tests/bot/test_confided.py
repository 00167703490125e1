"""What only some may read reaches nobody else: faults are planted where readers are chosen, and nothing is sent."""
from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
import simcord
from discord import ChannelType

from bot.core.visit import Visit
from bot.discord import confided, heard, visibility
from bot.discord.game import status
from bot.discord.lobby import free_seats
from bot.discord.talk import commands as talk
from bot.domain.letters import AnsweredFor, Invited, Private, Reminder
from bot.store import Holder, MemberRow
from engine.kernel import Game, Seat
from engine.kernel.questions import Ask
from engine.text import HEARD, confided as only, lines, say, text
from tests.bot.discord_world import World, labels, words
from tests.toy import PEBBLES, Guess, State, Take, Taken

WRONG = "Something went wrong inside the bot."


def in_private(g: Game[State]) -> Any:
    """A turn whose question is for its seat alone."""
    seat = Seat(g.state.seats[g.state.turn % len(g.state.seats)])
    (answer,) = yield (Ask(seat, (Take,), "Your guess was {guess}. How many do you take?", about={"guess": g.state.guess[seat]},
                           openly=text("It's your move.")),)
    g.emit(Taken(seat=seat, pebbles=answer.pebbles))


SECRETIVE = PEBBLES.changed(orders=None, phases={**PEBBLES.rules.phases, "taking": in_private})


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    """The club, whose game asks in private."""
    world = await World.made(tmp_path / "games.db", games=(SECRETIVE,))
    try:
        yield world
    finally:
        await world.shutdown()


def found(world: World) -> list[str]:
    """What was refused, or read by somebody who should not have; it is looked at now."""
    seen, world.misread = world.misread, []
    return seen


async def deserted(world: World) -> Any:
    """A game that all have left, with a question to a free seat; the list of free seats as Carol sees it."""
    await world.guessed()
    for who in (world.alice, world.bob):
        shown = await who.slash(world.table, "game resign")
        await who.click(shown.response, label="Resign")
    return await world.carol.slash(world.table, "table seats")


# --- a seat's own ---------------------------------------------------------------------------------------------------------

async def test_the_private_question_of_a_free_seat_is_shown_to_nobody(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = await deserted(club)
    free = await club.carol.click(shown.response, label="Look at Basalt (1)")
    assert "Waiting for this seat" in words(free) and "It's your move." in words(free) and found(club) == []

    def careless(visit: Any, seat: Seat) -> Any:
        return next(put for put in visit.table.asks if put.seat == seat).text()

    monkeypatch.setattr(free_seats, "_owed", careless)
    shown = await club.carol.slash(club.table, "table seats")
    assert words(await club.carol.click(shown.response, label="Look at Basalt (1)")).startswith(WRONG)
    (refused,) = found(club)
    (capsule,) = (club.path.parent / "incidents").iterdir()
    assert refused.startswith("refused: ['seat_2']") and "Your guess was" not in gzip.decompress(capsule.read_bytes()).decode()


async def test_the_secrets_of_a_free_seat_go_to_nobody(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await deserted(club)
    real = Visit.held

    def anybody(visit: Visit, seat: Seat) -> Holder:
        holder = real(visit, seat)
        assert holder is not None
        return replace(holder, user=club.olga.id, private=True)

    monkeypatch.setattr(Visit, "held", anybody)
    await club.store.write(lambda ledger: ledger.outbox.add_letters(1, 1, [Private(
        audience="seat_1", seat=Seat("seat_1"), text="Your guess: 3.", last=[])], ""))
    await club.env.settle()
    assert not any("Your guess" in letter for letter in club.letters(club.olga)) and found(club) != []
    assert await club.services.outbox.pending(10) == [], "it is given up, and somebody hears of it"
    assert "could not deliver a private message: Misdirected" in words(await club.olga.slash(club.table, "gm audit"))


async def test_what_is_for_one_member_is_not_posted_for_all(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.guessed()

    async def aloud(outbox: Any, game: Any, row: Any, user: int, told: str, more: Any) -> int:
        return int(await outbox._post(game, row, told))

    monkeypatch.setattr(type(club.bot.outbox), "_tell", aloud)
    await club.store.write(
        lambda ledger: ledger.outbox.add_letters(1, 1, [AnsweredFor(user=club.alice.id, text="Amber: hush.")], ""))
    await club.env.settle()
    assert not any("hush" in post for post in club.posts()) and found(club) != []


@pytest.mark.parametrize("own", ["private", "purse", "briefing"])
def test_what_a_game_tells_one_seat_alone_is_marked(own: str) -> None:
    spec = PEBBLES.changed(purse=lambda state, seat: text("A pebble."), briefing=lambda story: [text("News.")])
    state: Any = SimpleNamespace(guess={Seat("seat_1"): 3}, seat=Seat("seat_1"))
    told = spec.views.briefing(state)[0] if own == "briefing" else getattr(spec.views, own)(state, Seat("seat_1"))
    heard = HEARD.set(set())
    say(lines([text("For you: {told}", told=told)]))
    assert HEARD.get() == {"seat_1"}
    HEARD.reset(heard)
    assert only(text("A"), "seat_1").only == "seat_1"


# --- what is private to some -----------------------------------------------------------------------------------------------

def private_thread(world: World, *people: Any) -> Any:
    """A private thread at the table, with these members."""
    backend: Any = world.env.backend
    made = backend.create_thread(world.table.id, "Back room", world.olga.id, type=ChannelType.private_thread.value)
    for one in (*people, world.bot.user):
        backend.add_thread_member(made.id, one.id)
    return simcord.ChannelHandle(world.env, world.guild, made)


async def test_a_block_with_a_seats_own_words_is_not_shown(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    real = status.standing

    def careless(visit: Visit, now: Any) -> Any:
        return lines([real(visit, now), only(text("Amber's guess was {guess}.", guess=3), "seat_1")])

    monkeypatch.setattr("bot.discord.outbox.status_message.standing", careless)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert {*found(world)} == {f"refused: ['seat_1'] to {world.table.id}"}
    assert not any("guess was" in post for post in world.posts())


async def test_a_game_in_a_private_thread_is_not_shown_in_its_channel(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    room = private_thread(club, club.olga, club.alice)
    await club.olga.slash(room, "game open", game="pebbles", seats=2, title="Hush")
    await club.services.noticeboards.hang_noticeboard(club.guild.id, club.table.id, club.max.id)
    club.bot.outbox.boards.retry(club.guild.id)
    await club.env.advance_time(60)
    assert any(post.startswith("# Noticeboard") for post in club.posts())
    assert not any("Hush" in post for post in club.posts()) and found(club) == []

    def careless(bot: Any, guild: Any, here: Any, game: Any) -> bool:
        return True

    monkeypatch.setattr(visibility, "may_be_read", careless)
    await club.services.channels.restate(1)
    await club.env.advance_time(60)
    assert any(seen.startswith("game 1 to carol") for seen in found(club))


async def test_a_game_in_a_private_thread_is_talked_about_right_there(club: World) -> None:
    room = private_thread(club, club.olga, club.alice, club.bob)
    await club.olga.slash(room, "game open", game="pebbles", seats=2, title="Hush")
    for who in (club.alice, club.bob):
        await who.slash(room, "game join")
    begun = await club.olga.slash(room, "game start")
    assert "Open a thread for talk" not in labels(begun.response)
    told = words(await club.alice.slash(room, "talk thread"))
    assert told == f"A private thread can't have another thread, so talk right here: <#{room.id}>." and found(club) == []
    home: Any = await club.bot.fetch_channel(club.table.id)
    assert [thread.name for thread in home.threads] == ["Back room"]


async def test_the_words_of_a_private_thread_are_not_posted_in_its_channel(
        club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.guessed()
    real = vars(talk)["opened_thread"]

    async def careless(bot: Any, home: Any, name: str, *, private: bool) -> Any:
        return home if private else await real(bot, home, name, private=private), None

    monkeypatch.setattr(talk, "opened_thread", careless)
    assert words(await club.alice.slash(club.table, "talk private", **{"with": "Basalt"})).startswith(WRONG)
    assert not any("are in this thread" in post for post in club.posts()) and found(club) != []


async def test_a_reminder_in_a_channel_names_no_game_that_not_everybody_there_sees(world: World) -> None:
    await world.started()
    await world.olga.slash(world.elsewhere, "game open", game="pebbles", seats=2, title="Hush")
    for who in (world.alice, world.bob):
        await who.slash(world.elsewhere, "game join", game="2")
    await world.olga.slash(world.elsewhere, "game start", game="2")
    for game in (1, 2):
        for who in (world.bob, world.alice):
            await world.services.answers.answer(game, who.id, Guess.of(1))
    await world.services.settings.set_member(world.alice.id, MemberRow(direct=False))
    duties: list[tuple[int, Seat, int]] = [(game, Seat("seat_1"), (await world.services.session.table(game)).asked_at)
                                           for game in (1, 2)]
    assert await told_in(world, duties) == (2, 0), "everybody sees both"
    world.hide(world.elsewhere, world.carol)
    assert await told_in(world, duties) == (1, 1)


async def test_a_direct_reminder_of_games_in_which_a_member_has_different_seats_arrives(club: World) -> None:
    await club.guessed()
    await club.olga.slash(club.table, "game open", game="pebbles", seats=2, title="Second")
    for who in (club.bob, club.alice):
        await who.slash(club.table, "game join", game="2")
    await club.olga.slash(club.table, "game start", game="2")
    for who in (club.bob, club.alice):
        await club.services.answers.answer(2, who.id, Guess.of(1))
    await club.services.answers.answer(2, club.bob.id, Take.of(1))
    duties: list[tuple[int, Seat, int]] = [(game, Seat(f"seat_{game}"), (await club.services.session.table(game)).asked_at)
                                           for game in (1, 2)]
    await club.services.settings.set_member(club.alice.id, MemberRow(direct=True))
    reminder = Reminder(audience="seat_1", user=club.alice.id, duties=duties)
    await club.store.write(lambda ledger: ledger.outbox.add_letters(1, 0, [reminder], ""))
    await club.env.settle()
    (told,) = [letter for letter in club.letters(club.alice) if "Your move:" in letter]
    assert told.count("Your guess was") == 2 and found(club) == []


async def test_a_letter_on_its_way_while_its_game_moves_arrives_where_not_everybody_reads(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.olga.slash(world.table, "game open", game="pebbles", seats=2, title="Hush")
    world.hide(world.elsewhere, world.carol)
    real, moved = type(world.bot.outbox)._guard, list[int]()

    async def late(outbox: Any, channel: int, game: int | None) -> None:
        if not moved:
            moved.append(channel)
            await world.services.channels.move(1, world.elsewhere.id, world.olga.id)
        await real(outbox, channel, game)

    monkeypatch.setattr(type(world.bot.outbox), "_guard", late)
    await world.store.write(
        lambda ledger: ledger.outbox.add_letters(1, 0, [Invited(user=world.alice.id, host=world.olga.id)], ""))
    await world.env.settle()
    await world.env.advance_time(120)
    assert moved == [world.table.id] and len(found(world)) == 1, "it was withheld once"
    invited = [any("invites you to Hush" in post for post in world.posts(place)) for place in (None, world.elsewhere)]
    assert invited == [False, True]
    assert await world.services.outbox.pending(10) == [] and not (world.path.parent / "incidents").exists()


async def told_in(world: World, duties: list[tuple[int, Seat, int]]) -> tuple[int, int]:
    """How many games a reminder names at the table, and how many elsewhere."""
    reminder = Reminder(audience="seat_1", user=world.alice.id, duties=duties)
    await world.store.write(lambda ledger: ledger.outbox.add_letters(1, 0, [reminder], ""))
    await world.env.settle()
    newest = [[post for post in world.posts(place) if "it's your move:" in post][-1:] for place in (None, world.elsewhere)]
    at_the_table, elsewhere = (sum(post.count(", Amber: ") for post in posts) for posts in newest)
    return at_the_table, elsewhere


async def test_nothing_is_judged_of_a_server_that_discord_does_not_show_just_now(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.started()
    guild: Any = world.bot.get_guild(world.guild.id)

    async def tell_elsewhere() -> None:
        with heard.listening():
            heard.tell_of(1)
            await confided.for_all(world.bot, world.elsewhere.id)

    monkeypatch.setattr(guild, "unavailable", True)
    with pytest.raises(confided.Unseen):
        await tell_elsewhere()
    monkeypatch.setattr(guild, "unavailable", False)
    await tell_elsewhere()
    world.hide(world.table, world.carol)
    with pytest.raises(confided.Misdirected):
        await tell_elsewhere()
    assert len(found(world)) == 1
