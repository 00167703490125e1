"""One process over one file with several shards of Discord's gateway, as a bot on thousands of servers has them."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from unittest.mock import AsyncMock

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from bot.discord import client
from bot.discord.client import Chancery, make_bot
from bot.discord.game.buttons import NOTED
from bot.discord.health import gateway
from bot.service import Services
from bot.store import Store
from engine.text import say
from tests.bot.desk import ANNA, BERT
from tests.checks.changed_interactions import blank
from tests.checks.loopback import TOKEN, Loopback, Payload, SentInteraction, Server, Shard, server
from tests.toy import PEBBLES

SHARDS, SERVERS, DIRECT = 4, 8, 99
CUT = 2                     # the shard that is cut off


class Patient(Loopback):
    """What a shard misses it is told when it resumes, as by Discord."""

    def __init__(self) -> None:
        super().__init__([server(number, [table(number)]) for number in range(1, SERVERS + 1)], SHARDS)
        self.missed: list[Payload] = []

    async def _tell(self, home: Server, interaction: Payload) -> None:
        if self.shard_of(home) is None:
            self.missed.append(interaction)
        await super()._tell(home, interaction)

    async def _welcome(self, shard: Shard, resumed: int | None) -> bool:
        ready = await super()._welcome(shard, resumed)
        while resumed is not None and self.missed:
            await shard.send("INTERACTION_CREATE", self.missed.pop(0))
        return ready


def table(number: int) -> int:
    return 5000 + number


async def dealt(services: Services, number: int) -> int:
    """A game that has begun on the server with this number."""
    opened = await services.lobby.open(key=PEBBLES.key, edition="plain", seats=2, options={}, pack=None, title="", owner=10,
                                       guild=server(number).id, channel=table(number))
    for member in (ANNA, BERT):
        await services.lobby.join(opened.id, member)
    await services.lobby.start(opened.id, 10)
    return opened.id


@asynccontextmanager
async def playing(services: Services, there: Patient) -> AsyncIterator[Chancery]:
    """The bot on that Discord, once all shards are there."""
    bot = make_bot(services, (PEBBLES,), draw=blank)
    running = asyncio.create_task(bot.start(TOKEN))
    while there.connected < SHARDS or not bot.is_ready():                       # noqa: ASYNC110
        await asyncio.sleep(0.02)
    yield bot
    while await services.outbox.pending(1):                                     # noqa: ASYNC110
        await asyncio.sleep(0.02)
    await bot.close()
    await running


@pytest.mark.edge
async def test_one_process_plays_on_all_shards_and_one_that_is_cut_off_misses_nothing(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chancery, "before_identify_hook", AsyncMock())          # five seconds between shards

    async def said(asked: SentInteraction) -> str:
        await asked.answered
        return str(asked.said["content"])

    with closing(Store(tmp_path / "games.db")) as store:
        services = Services(store, (PEBBLES,))
        games = {number: await dealt(services, number) for number in range(1, SERVERS + 1)}
        async with asyncio.timeout(60), Patient().open() as there:
            monkeypatch.setattr(discord.http.Route, "BASE", f"{there.url}/api/v10")
            monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(there._gateway_url))
            async with playing(services, there) as bot:
                assert sorted(bot.shards) == list(range(SHARDS))
                for number, game in games.items():
                    await said(await there.command(ANNA, table(number), "pebbles guess", pebbles=3))
                    assert await services.queries.newest(game) == 1
                    assert "How many" in await said(await there.press(BERT, table(number), f"turn:{game}"))
                    await said(await there.submit(ANNA, table(number), f"{NOTED.name}:{game}:0", f"note {number}"))
                    assert await services.bookmarks.bookmark(game, ANNA, 0) == f"note {number}"
                    assert "You're in 8 games" in await said(await there.command(ANNA, DIRECT, "my games"))

                connected = bot.shards[CUT]
                next(shard for shard in there._shards if shard.number == CUT).cut()
                while not connected.is_closed():                                # noqa: ASYNC110
                    await asyncio.sleep(0)
                stands = {number: None if shard.is_closed() else 0.05 for number, shard in bot.shards.items()}
                assert say(gateway(stands)).endswith("0: 50 ms, 1: 50 ms, 2: closed and 3: 50 ms.")
                late = [await there.command(BERT, table(number), "pebbles guess", pebbles=5)
                        for number in games if number % SHARDS == CUT]
                for number, game in games.items():
                    if number % SHARDS != CUT:
                        await said(await there.command(BERT, table(number), "pebbles guess", pebbles=5))
                        assert await services.queries.newest(game) >= 2
                for asked in late:
                    await said(asked)
                assert there.connected == SHARDS and not connected.is_closed()
        for number, game in games.items():
            rows = await store.read(lambda ledger, game=game: ledger.log.rows(game))
            assert [row.seat for row in rows if row.verb == "guess"] == ["seat_1", "seat_2"], number
    assert there.repeated == 0
    posted = [f"{key}" for key in there.posted]
    assert len(set(posted)) == len(posted) >= SERVERS


class Closed(Patient):
    """One shard is let in late."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = asyncio.Event()

    async def _welcome(self, shard: Shard, resumed: int | None) -> bool:
        if shard.number == CUT:
            await self.opened.wait()
        return await super()._welcome(shard, resumed)


@pytest.mark.edge
async def test_a_shard_that_is_not_let_in_holds_up_its_own_servers_alone(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chancery, "before_identify_hook", AsyncMock())
    monkeypatch.setattr(client, "LAUNCH", 0.2)
    with closing(Store(tmp_path / "games.db")) as store:
        services = Services(store, (PEBBLES,))
        for number in range(1, SERVERS + 1):
            await dealt(services, number)
        late = {number for number in range(1, SERVERS + 1) if number % SHARDS == CUT}

        async def waiting() -> set[int]:
            return {letter.game for letter in await services.outbox.pending(200)}

        async with asyncio.timeout(60), Closed().open() as there:
            monkeypatch.setattr(discord.http.Route, "BASE", f"{there.url}/api/v10")
            monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(there._gateway_url))
            bot = make_bot(services, (PEBBLES,), draw=blank)
            running = asyncio.create_task(bot.start(TOKEN))
            while await waiting() != late:                                      # noqa: ASYNC110
                await asyncio.sleep(0.02)
            assert not bot.is_ready() and there.connected == SHARDS - 1
            assert await store.read(lambda ledger: ledger.presence.heartbeat()) is None, "nobody's time runs"
            there.opened.set()
            while not bot.is_ready():                                           # noqa: ASYNC110
                await asyncio.sleep(0.02)
            for game in late:
                bot.outbox.retry(game)
            while await waiting():                                              # noqa: ASYNC110
                await asyncio.sleep(0.02)
            await bot.close()
            await running
