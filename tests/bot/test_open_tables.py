"""Open games that nobody joins: their channel is reminded twice, their host is asked, and then they are closed."""
from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.discord.game_master.idle_games import SHOWN, still_open
from bot.discord.lobby.buttons import joining_named
from bot.discord.outbox import announcements
from bot.domain.letters import QuietTable, StillOpen
from bot.domain.waking_hours import Hours
from bot.service import Services
from bot.store import MemberRow
from engine.text import lines, say, text, verbatim
from tests.bot.desk import ANNA, BERT, CHANNEL, GUILD, MASTER, Clock, delivered, opened
from tests.bot.discord_world import World, labels, words


async def told(services: Services) -> list[tuple[str, Any]]:
    """What is told of open games now: of which kind, and of which games."""
    await services.timers.look("open_game")
    return [(letter.kind, letter.payload.get("games", letter.payload.get("text", letter.game)))
            for letter in await delivered(services) if letter.kind in ("stillopen", "quiet", "notice")]


async def test_its_channel_reads_of_it_twice_its_host_is_asked_and_a_week_later_it_is_closed(
        services: Services, clock: Clock) -> None:
    first, second = await opened(services), await opened(services)
    heard = list[tuple[int, Any]]()
    for day in range(1, 30):
        clock.put_on(days=1)
        heard += [(day, one) for one in await told(services)]
        if day == 20:
            await services.lobby.join(second, ANNA)             # its days begin anew
    why = "nothing has happened in this open game for 4 weeks, so it's closed. `/game open` opens another one."
    assert heard == [(3, ("stillopen", [first, second])), (10, ("stillopen", [first, second])), (21, ("quiet", first)),
                     (23, ("stillopen", [second])), (28, ("notice", why))]
    assert [(await services.queries.game(game)).status for game in (first, second)] == ["closed", "open"]


async def test_its_host_keeps_it_and_after_a_long_time_off_nothing_is_closed_unasked(services: Services, clock: Clock) -> None:
    game = await opened(services)
    clock.put_on(days=90)
    assert await told(services) == [("quiet", game)]
    clock.put_on(days=6)
    assert await told(services) == []
    await services.idle_games.keep_open(game, MASTER)
    clock.put_on(days=2)
    assert await told(services) == []
    clock.put_on(days=1)
    assert await told(services) == [("stillopen", [game])]


async def test_a_host_who_is_asleep_is_asked_after_waking_up(services: Services, clock: Clock) -> None:
    await services.settings.set_member(MASTER, MemberRow(hours=Hours(zone="UTC", wake=13, sleep=11)))       # it is noon
    game = await opened(services)
    clock.put_on(days=21)
    assert await told(services) == []
    clock.put_on(hours=1)
    assert await told(services) == [("quiet", game)]


async def test_a_game_that_somebody_joins_or_keeps_at_the_last_moment_is_not_closed(services: Services, clock: Clock) -> None:
    kept, joined = await opened(services), await opened(services)
    clock.put_on(days=21)
    assert await told(services) == [("quiet", kept), ("quiet", joined)]
    clock.put_on(days=7)
    async with services.session.locked(kept), services.session.locked(joined):
        stays = [asyncio.create_task(services.idle_games.keep_open(kept, MASTER)),
                 asyncio.create_task(services.lobby.join(joined, ANNA))]
        await asyncio.sleep(0)
        look = asyncio.create_task(services.timers.look("open_game"))
        for _ in range(5):
            assert (await services.queries.game(kept)).status == "open"         # by now the look wants to close it, and waits
    await asyncio.gather(*stays, look)
    assert [(await services.queries.game(game)).status for game in (kept, joined)] == ["open", "open"]


async def test_full_and_private_games_and_those_on_a_noticeboard_are_not_told_to_the_channel(
        services: Services, clock: Clock) -> None:
    full, private = await opened(services), await opened(services)
    for user in (ANNA, BERT):
        await services.lobby.join(full, user)
    await services.lobby.set_invite_only(private, MASTER, only=True)
    clock.put_on(days=11)
    assert await told(services) == []
    await opened(services)
    await services.noticeboards.hang_noticeboard(GUILD, CHANNEL, MASTER)
    clock.put_on(days=11)
    assert await told(services) == [("quiet", private)]


async def test_people_join_from_the_reminder_and_the_host_keeps_the_game_by_a_tap(world: World) -> None:
    await world.opened(2, title="Fri_day", place="a new thread")
    at = f"{world.env.now() + timedelta(days=4):%Y-%m-%dT%H:%M:%S+00:00}"
    letters = [StillOpen(channel=world.table.id, games=[1]), QuietTable()]
    await world.store.write(lambda ledger: ledger.outbox.add_letters(1, 0, letters, at))
    await world.env.settle()
    said = next(message for message in world.table.history() if message.content.startswith("Who would like to play?"))
    assert said.content.splitlines()[1:] == ["**Fri\\_day** · Pebbles for 2 players · 2 players to go"]
    assert words(await world.carol.click(said, label="Join: Fri_day · game 1")).startswith("You joined Fri\\_day.")
    asked = world.olga.user.dm_channel.history()[-1]
    assert "for 3 weeks. I'll close it in a week" in asked.content
    assert labels(asked)[0] == "Keep it open" and labels(asked)[-1] == "Close the game …"
    assert words(await world.olga.user.click(asked, label="Keep it open")) == "Fri\\_day stays open for 4 more weeks at least."


async def test_a_reminder_names_open_games_however_many_of_its_games_are_closed_by_now(world: World) -> None:
    for title in ("Over", "Open"):
        await world.opened(2, title=title)
    await world.services.seats.close(1, world.olga.id, "")
    told = await still_open(world.bot, StillOpen(channel=world.table.id, games=[1] * SHOWN + [2]))
    assert told is not None and say(told[0]).splitlines()[1:] == ["**Open** · Pebbles for 2 players · 2 players to go"]


async def test_a_reminder_of_many_games_is_told_in_pieces(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.opened(2, title="Friday", place="a new thread")
    many = [text("**{title}**", title=verbatim(f"{place} {'x' * 100}")) for place in range(20)]
    told = lines(many), [joining_named(await world.services.queries.game(1))]
    monkeypatch.setattr(announcements, "still_open", AsyncMock(return_value=told))
    await world.store.write(lambda ledger: ledger.outbox.add_letters(1, 0, [StillOpen(channel=world.table.id, games=[1])],
                                                                     world.services.session.time()))
    await world.env.settle()
    first, second = [message for message in world.table.history() if "x" * 100 in message.content]
    assert say(told[0]) == f"{first.content}\n{second.content}"
    assert labels(second) == ["Join: Friday · game 1"]
