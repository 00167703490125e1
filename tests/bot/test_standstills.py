"""Games that stand still: somebody who can act hears of it within four days, whoever is gone and whoever wants no pings."""
from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest

from bot.discord.scheduler import Scheduler
from bot.domain.absence import OFTEN
from bot.domain.deadlines import read
from bot.domain.letters import LongPause, Standstill
from bot.service import Services
from bot.store import Ledger, MemberRow
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, CHANNEL, GUILD, MASTER, Clock, delivered, guessed, opened, started
from tests.bot.discord_world import World, labels, leaves, words
from tests.often_said import FOR_MASTERS
from tests.toy import Guess, Take

ONE, TWO = map(Seat, ("seat_1", "seat_2"))
DAVE = 104
HAND = 905                  # somebody who manages the server


async def told(services: Services) -> list[tuple[int, Any]]:
    """The games of which those who look after a server hear now."""
    await services.timers.look("standstill")
    return [(letter.game, letter.payload["seats"]) for letter in await delivered(services) if letter.kind == "stands"]


async def test_whoever_looks_after_the_server_hears_of_a_game_that_everybody_has_left(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    clock.put_on(hours=89)
    assert await told(services) == []
    clock.put_on(hours=1)
    assert await told(services) == [(game, [ONE])]
    assert await told(services) == []
    clock.put_on(days=3)
    assert await told(services) == [(game, [ONE])], "again and again, as the game master does"
    stood = clock.moment - datetime.fromisoformat(await services.idle_games.stood_since(game))
    assert stood == timedelta(days=6, hours=18)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert not await services.idle_games.stood_since(game)
    clock.put_on(hours=89)
    assert await told(services) == []


async def test_nobody_else_hears_as_long_as_one_of_its_people_is_seen_anywhere(services: Services, clock: Clock) -> None:
    game, other = await guessed(services), await guessed(services, (BERT, CARA))
    clock.put_on(hours=61)
    await services.answers.answer(other, BERT, Take.of(1, "left"))      # who is to move in the first game after Anna
    clock.put_on(hours=29)
    assert await told(services) == []
    clock.put_on(hours=1)
    assert await told(services) == [(game, [ONE])]
    clock.put_on(days=4)
    await services.clocks.set_clock(game, MASTER, vacation=20)          # the game master is here
    clock.put_on(hours=1)
    assert game not in dict(await told(services))


async def test_a_game_that_waits_for_somebody_on_vacation_or_was_paused_is_left_alone(services: Services, clock: Clock) -> None:
    away, paused = await guessed(services), await guessed(services)
    today = await services.clocks.today(ANNA)
    await services.clocks.take_vacation(away, ANNA, today, today + timedelta(days=9))
    await services.seats.pause(paused, MASTER)
    clock.put_on(days=5)
    assert await told(services) == []


async def pauses(services: Services) -> list[int]:
    """The games of which their people hear now that they have been paused for long."""
    await services.timers.look("long_pause")
    return [letter.game for letter in await delivered(services) if letter.kind == "longpause"]


async def test_a_pause_that_its_game_master_has_forgotten_is_told_of_once_a_week_and_ended_by_a_vote(
        services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.seats.pause(game, MASTER)
    with pytest.raises(Refusal, match="Its game master can resume it"):
        await services.clocks.vote(game, ANNA, "resume")
    clock.put_on(days=6, hours=23)
    assert await pauses(services) == []
    clock.put_on(hours=1)
    assert await pauses(services) == [game]
    clock.put_on(days=6)
    assert await pauses(services) == []
    clock.put_on(days=1)
    assert await pauses(services) == [game]
    for user in (ANNA, BERT):
        await services.clocks.vote(game, user, "resume")
    assert (await services.queries.game(game)).status == "running"
    await services.seats.pause(game, MASTER)
    with pytest.raises(Refusal, match="Its game master can resume it"):
        await services.clocks.vote(game, ANNA, "resume")        # that is another pause


async def test_once_an_hour_by_the_clock_it_is_told_the_scheduler_looks_for_what_can_wait() -> None:
    """However long its loop has run: in a simulation days go by in seconds, and a clock can be put back."""
    kinds = list[tuple[str, ...]]()

    async def look(*wanted: str, **_: Any) -> None:
        kinds.append(wanted)

    done: Any = AsyncMock()
    scheduler = Scheduler(cast(Any, SimpleNamespace(cut_off=False, outbox=done, services=SimpleNamespace(
        timers=SimpleNamespace(look=look), clocks=done, outbox=done))))
    begun = datetime(2026, 4, 1, tzinfo=UTC)
    for minutes in (0, 30, 60, 90, 0):
        await scheduler.look(begun + timedelta(minutes=minutes))
    assert kinds == [(), OFTEN, (), OFTEN, ()], "() is all kinds"


async def test_a_paused_game_in_which_nobody_has_done_anything_holds_up_nothing(services: Services, clock: Clock) -> None:
    game = await started(services)
    await services.seats.pause(game, MASTER)
    await services.session.store.write(lambda ledger: ledger.conn.execute("UPDATE audit SET user = NULL"))
    clock.put_on(days=7)
    assert await services.timers.due() != [] and await pauses(services) == [game]


async def test_a_call_about_a_pause_brings_no_old_button_to_life_that_frees_a_seat(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    clock.put_on(hours=90)
    assert await told(services) == [(game, [ONE])]
    await services.answers.answer(game, ANNA, Take.of(1, "left"))       # everybody is back
    clock.put_on(minutes=1)
    await services.seats.pause(game, MASTER)
    clock.put_on(days=7)
    assert await pauses(services) == [game]
    for _ in range(2):
        with pytest.raises(Refusal, match="The game has gone on since then"):
            await services.idle_games.free_seat(game, TWO, BERT, HAND)
        if (await services.queries.game(game)).status == "paused":
            await services.seats.go_on(game, HAND)


async def test_letters_that_the_bot_gives_up_are_no_life(services: Services, clock: Clock) -> None:
    game, rests, free = await guessed(services), await guessed(services, (CARA, DAVE)), await opened(services)
    await services.seats.pause(rests, MASTER)
    await delivered(services)
    heard = Counter[tuple[str, int]]()
    for day in range(1, 9):
        clock.put_on(days=1)
        await services.timers.look("standstill")
        await services.timers.look("long_pause")
        await services.timers.look("open_game")
        heard += Counter((letter.kind, letter.game) for letter in await delivered(services))
        for one in (game, rests, free):
            await services.channels.restate(one)                # something to say, which Discord refuses
        for letter in await services.outbox.pending():
            await services.outbox.failed(letter.id, "Forbidden 50013", give_up=True)
        assert day < 7 or await services.idle_games.long_pause(rests) is not None, "the buttons of its call still work"
    assert {one: heard[one] for one in heard if one[0] in ("stands", "longpause", "stillopen")} == {
        ("stands", game): 2, ("longpause", rests): 1, ("stillopen", free): 1}


async def test_what_is_answered_for_somebody_who_is_gone_does_not_make_them_seen(services: Services, clock: Clock) -> None:
    game, other = await guessed(services), await guessed(services, (ANNA, DAVE))
    await services.masters.name_master(other, HAND, MASTER)
    await delivered(services)
    clock.put_on(hours=89)
    await services.answers.answer_for(other, ONE, Take.of(1, "left"), HAND)
    clock.put_on(hours=1)
    assert await told(services) == [(game, [ONE])]


async def test_nobody_hears_of_a_pause_whose_game_master_is_here_or_is_a_new_one(services: Services, clock: Clock) -> None:
    game, other = await guessed(services), await guessed(services, (BERT, CARA))
    await services.seats.pause(game, MASTER)
    clock.put_on(days=6)
    await services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="Next", guild=GUILD,
                              channel=CHANNEL, owner=MASTER)
    await services.clocks.set_clock(other, MASTER, vacation=20)         # seen in another game
    clock.put_on(days=2)
    assert await pauses(services) == []
    clock.put_on(days=1)
    assert await pauses(services) == [game]
    await services.masters.name_master(game, HAND, HAND)
    assert await services.idle_games.long_pause(game) is None
    clock.put_on(days=6)
    assert await pauses(services) == []


async def test_votes_to_go_on_count_after_somebody_has_become_game_master_but_not_in_another_pause(
        services: Services, clock: Clock) -> None:
    game = await guessed(services)
    for resumed in (True, False):
        await services.seats.pause(game, MASTER if resumed else HAND)
        clock.put_on(days=7)
        assert await pauses(services) == [game]
        await services.clocks.vote(game, ANNA, "resume")
        await services.masters.name_master(game, HAND if resumed else MASTER, HAND)
        if not resumed:
            await services.seats.go_on(game, MASTER)
            await services.seats.pause(game, MASTER)
            with pytest.raises(Refusal, match="Its game master can resume it"):
                await services.clocks.vote(game, BERT, "resume")
            break
        await services.clocks.vote(game, BERT, "resume")
        assert (await services.queries.game(game)).status == "running"


async def test_players_vote_and_whoever_manages_the_server_resumes_or_looks_after_a_forgotten_pause(world: World) -> None:
    await world.guessed()
    await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, world.max.id)
    await world.olga.slash(world.table, "gm pause")
    then, now = (f"{world.env.now() + timedelta(days=days):%Y-%m-%dT%H:%M:%S+00:00}" for days in (-8, 0))

    def forget(ledger: Ledger) -> None:
        ledger.conn.execute("UPDATE audit SET at = ?", (then,))
        ledger.idle_games.standstill_told(1, now)
        ledger.outbox.add_letters(1, ledger.log.newest(1), [LongPause()], now)

    await world.store.write(forget)
    await world.env.settle()
    call = world.question("hasn't been seen lately")
    assert labels(call) == ["Vote to go on", "Resume the game", "Become game master", "Close the game …"]
    assert all(who.mention in call.content for who in (world.alice, world.bob, world.olga, world.max))
    for label in ("Resume the game", "Become game master"):
        assert FOR_MASTERS in words(await world.carol.click(call, label=label))
    assert words(await world.alice.click(call, label="Vote to go on")) == ""
    vote = world.question("**Vote**, asked for by")
    assert labels(vote) == ["Agree", "Refuse"] and f"Still to vote: {world.bob.mention}." in vote.content
    assert words(await world.max.click(call, label="Become game master")) == "You're now the game master of Pebbles."
    assert words(await world.max.click(call, label="Resume the game")) == "Pebbles goes on."
    assert labels(world.question("**Vote**, asked for by")) == [], "the game has gone on without it"
    assert (await world.services.queries.game(1)).status == "running"
    await world.services.masters.name_master(1, world.olga.id, world.max.id)
    assert words(await world.max.click(call, label="Become game master")).startswith("The game has gone on since then")


async def test_a_full_table_that_nobody_starts_is_told_of_and_one_that_can_be_joined_is_not(
        services: Services, clock: Clock) -> None:
    full, free = await opened(services), await opened(services)
    for user in (ANNA, BERT):
        await services.lobby.join(full, user)
    await services.lobby.join(free, ANNA)
    clock.put_on(days=4)
    assert await told(services) == [(full, [])]


async def test_who_wants_to_hear_of_nothing_cannot_be_called_and_does_not_count(services: Services, clock: Clock) -> None:
    full = await opened(services)
    for user in (ANNA, BERT):
        await services.lobby.join(full, user)
    other = await guessed(services, (ANNA, CARA))
    clock.put_on(hours=89)
    await services.answers.answer(other, ANNA, Take.of(1, "left"))
    clock.put_on(hours=1)
    assert await told(services) == []
    await services.settings.set_member(ANNA, MemberRow(pings="none", direct=False))
    assert await told(services) == [(full, [])]


async def test_of_several_who_are_asked_at_once_all_are_named(services: Services, clock: Clock) -> None:
    game = await started(services)
    await services.answers.answer(game, ANNA, Guess.of(1))
    clock.put_on(days=4)
    assert await told(services) == [(game, [ONE, TWO])]


async def test_the_seat_of_a_player_who_is_gone_is_freed_as_long_as_the_game_stands_still(
        services: Services, clock: Clock) -> None:
    game = await guessed(services)
    with pytest.raises(Refusal, match="has gone on since then"):
        await services.idle_games.free_seat(game, ONE, ANNA, HAND)
    clock.put_on(days=4)
    await told(services)
    with pytest.raises(Refusal, match="has gone on since then"):
        await services.idle_games.free_seat(game, TWO, BERT, HAND)     # who isn't awaited
    with pytest.raises(Refusal, match="no longer plays that seat"):
        await services.idle_games.free_seat(game, ONE, CARA, HAND)
    await services.idle_games.free_seat(game, ONE, ANNA, HAND)
    assert [letter.payload["text"] for letter in await delivered(services) if letter.kind == "notice"] == [
        "<@905> looks after this game and frees Amber: <@101> hasn't moved for a long time. Default moves are played until "
        "somebody takes it over."]
    assert [one.seat for one in await services.free_seats.free_seats(game)] == [ONE]
    assert await services.free_seats.take_over(game, ONE, CARA)


async def test_a_game_with_a_clock_is_told_of_after_three_days_too(services: Services, clock: Clock) -> None:
    game = await opened(services)
    await services.clocks.set_clock(game, MASTER, clock=read("168h"))
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    await services.lobby.start(game, MASTER)
    await delivered(services)
    heard = list[int]()
    for hour in range(6, 168, 6):
        clock.put_on(hours=6)
        await services.timers.look("reminder")                                  # at half of the time; that is no new beginning
        await services.timers.look("long_wait")
        heard += [hour for letter in await delivered(services) if letter.kind == "waiting"]
    assert heard == [72, 144]


async def test_whoever_wants_no_pings_hears_directly_that_the_own_game_waits(world: World) -> None:
    await world.guessed()
    await world.services.settings.set_member(world.bob.id, MemberRow(pings="none"))
    before = len(world.bob.user.dm_channel.history())
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE deadlines SET since = '2020-01-01T00:00:00+00:00'"))
    await world.env.advance_time(60)
    (said,) = world.bob.user.dm_channel.history()[before:]
    assert said.content.startswith(
        f"In **Pebbles**, <#{world.table.id}>:\n{world.bob.mention}: this game has waited three days")
    assert "Vote about Amber" in labels(said)
    assert "You've started a vote about Amber" in words(await world.bob.user.click(said, label="Vote about Amber"))


async def told_of(world: World, *seats: Seat) -> Any:
    """The call to whoever looks after the server."""
    at = f"{world.env.now() + timedelta(minutes=1):%Y-%m-%dT%H:%M:%S+00:00}"

    def tell(ledger: Ledger) -> None:
        ledger.idle_games.standstill_told(1, at)
        ledger.outbox.add_letters(1, ledger.log.newest(1), [Standstill(seats=[*seats])], at)

    await world.store.write(tell)
    await world.env.settle()
    return world.question("has stood still")


async def test_by_a_tap_whoever_manages_the_server_frees_a_seat_or_closes_the_game(world: World) -> None:
    await world.guessed()
    await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, world.max.id)
    alice, bob = world.alice.mention, world.bob.mention
    assert f"It waits for some of Amber ({alice}) and Basalt ({bob})." in (await told_of(world, ONE, TWO)).content
    call = await told_of(world, ONE)
    assert f"It waits for Amber ({alice})." in call.content
    last = int(world.env.now().timestamp())
    (moment,) = re.findall(r"has stood still since <t:(\d+):D>,", call.content)
    assert last - 60 <= int(moment) <= last
    assert call.content.startswith(f"{world.max.mention}") and labels(call) == ["Free Amber", "Close the game …"]
    assert FOR_MASTERS in words(await world.carol.click(call, label="Free Amber"))
    asked = await world.max.click(call, label="Close the game …")
    assert labels(asked.response) == ["Close the game", "Cancel"]
    assert words(await world.max.click(call, label="Free Amber")) == "Amber is free now."
    assert "has gone on since then" in words(await world.max.click(call, label="Free Amber"))


async def test_buttons_lead_to_a_vote_and_to_a_stand_in(world: World) -> None:
    await world.guessed()
    then = f"{world.env.now() - timedelta(days=4):%Y-%m-%dT%H:%M:%S+00:00}"
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE deadlines SET since = ?", (then,)))
    await world.env.advance_time(60)
    call = world.question("has waited three days")
    assert labels(call) == ["Who keeps us waiting?"]
    shown = words(await world.bob.click(call, label="Who keeps us waiting?"))
    assert shown.startswith("Nobody in Pebbles has kept you waiting long enough for a vote.") and "A vote can begin" in shown
    away = await leaves(world.alice, world.table)
    asked = await world.alice.click(away.response, label="Ask for a stand-in")
    assert words(asked).startswith("Who plays Amber in Pebbles for you?")
