"""Many games at once on a Discord that fails now and then, and a bot that is killed again and again: what can be read at last.

People do whatever comes to their minds, several of them at the same moment. A share of the requests meets a fault, before it
arrives or after; at some moment of a burst the bot dies and begins anew. When all is calm again, each channel must tell what has
happened once and in its order, and have the messages of its letters and no others: one status, and the questions that are open.
"""
from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from difflib import ndiff
from pathlib import Path
from typing import Any

import aiohttp

from bot.store import Ledger
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.discord_world import custom_ids, words_of
from tests.bot.frail import PINNED, FrailWorld, Killed, cheap
from tests.bot.test_faults import refusal
from tests.toy import PAINTED

SEATS = 2
AT_ONCE = 4                     # steps of a burst
POINTS = 40                     # at one of which the bot dies in a burst
PAUSES = (20, 60, 400)          # seconds between two bursts: the last is longer than Discord knows a nonce
CALM = 7200                     # seconds at the end, without a fault
CHATTY = 60                     # messages that people write at a time, now and then
EVERY, SILENCE = 40, 8          # bursts, of so many the first ones without any answer of Discord's: many letters wait then
SILENT = 2.0                    # the share of requests that fail then before they arrive
FAULTS: Sequence[Callable[[], BaseException]] = (lambda: refusal(502), TimeoutError, aiohttp.ServerDisconnectedError)


class StormyWorld(FrailWorld):
    """A club with many tables, on a Discord that fails in a share of the requests, as long as there is a storm."""

    storm: random.Random | None = None          # None: nothing fails
    share = 0.0

    def _request(self, when: str, method: str, path: str) -> None:
        super()._request(when, method, path)
        if self.storm is not None and path.startswith("/channels/") and self.storm.random() < self.share / 2:
            raise self.storm.choice(FAULTS)()


class Storm:
    """People at many tables, and what becomes of their games."""

    def __init__(self, world: StormyWorld, games: int, seed: int) -> None:
        self.world, self.rng = world, random.Random(seed)
        self.tables = [world.guild.create_text_channel(f"table{number}") for number in range(games)]
        self.killed = 0

    @property
    def services(self) -> Any:
        """Those of the bot that lives now."""
        return self.world.services

    async def burst(self, *, deadly: bool) -> None:
        """Some steps at the same moment, in one of which the bot may die; and some time."""
        world = self.world
        world.fuse.set(self.rng.randint(1, POINTS) if deadly else 0)
        with suppress(Killed):
            async with world.together():
                for channel in self.rng.sample(self.tables, min(AT_ONCE, len(self.tables))):
                    await self._attempt(self._step(channel))
        with suppress(Killed):
            await world.env.advance_time(self.rng.choice(PAUSES))
        if world.fuse.burnt is not None:
            self.killed += 1
            await world.rise()
        world.fuse.set()
        world.forget()

    async def _attempt(self, step: Awaitable[object]) -> None:
        with suppress(Refusal, Killed), self.world.env.time_context():
            await step

    async def _step(self, channel: Any) -> None:
        """What somebody does at a table."""
        world, rng, services = self.world, self.rng, self.services
        known = await services.queries.games(channel=channel.id, status=("open", "running", "paused"))
        if not known:
            await services.lobby.open(key=PAINTED.key, edition="plain", seats=SEATS, options={}, pack=None, title="",
                                      channel=channel.id, guild=world.guild.id, owner=world.olga.id)
            return
        game, people = known[0].id, (world.alice, world.bob)
        if known[0].status == "open":
            holders = await services.queries.holders(game)
            if len(holders) == SEATS:
                await services.lobby.start(game, world.olga.id)
            else:
                await services.lobby.join(game, people[len(holders)].id)
            return
        match rng.choice(["answer"] * 12 + ["say", "chat", "crowd", "undo", "back", "pause", "ask", "agree", "whisper"]):
            case "say":
                await services.talk.say(game, rng.choice(people).id, None, f"Word {rng.random()}.")
            case "whisper":
                await services.talk.say(game, people[0].id, Seat("seat_2"), f"Word {rng.random()}.")
            case "chat":
                await world.carol.send(channel, "Hm.")
            case "crowd":
                for _ in range(CHATTY):
                    await world.carol.send(channel, "Hm.")
            case "undo":
                await services.undo.undo(game, world.olga.id)
            case "back":
                await services.undo.take_back(game, rng.choice(people).id)
            case "pause" if known[0].status == "running":
                await services.seats.pause(game, world.olga.id)
            case "ask":
                rows = await world.store.read(lambda ledger: ledger.log.outline(game))
                own = [row.no for row in rows if row.by == "player"]
                if own:
                    await services.undo_requests.ask(game, rng.choice(people).id, rng.choice(own))
            case "agree":
                request = await world.store.read(lambda ledger: ledger.undo.open_request(game))
                if request is not None:
                    await services.undo_requests.agree(request.id, rng.choice(people).id)
            case "answer" if known[0].status == "running":
                await self._answer(game)
            case _:
                await services.seats.go_on(game, world.olga.id)

    async def _answer(self, game: int) -> None:
        """Whoever is awaited moves."""
        waiting = await self.services.queries.waiting(game)
        if waiting:
            one = self.rng.choice(waiting)
            table = await self.services.session.table(game)
            await self.services.answers.answer(game, one.user, self.rng.choice(table.options(one.seat)))
            self.world.bot.outbox.answered(game)

    # -- what can be read at last

    async def damage(self) -> list[str]:
        """What is not as it ought to be."""
        found = list[str]()
        unsent = await self.world.store.read(lambda ledger: ledger.conn.execute(
            "SELECT id, game, kind FROM outbox WHERE sent_at IS NULL").fetchall())
        found += [f"unsent: {letter}" for letter in unsent]
        for channel in self.tables:
            found += [f"{channel.name}: {what}" for what in [fault async for fault in self._at(channel)]]
        return found

    async def _at(self, channel: Any) -> AsyncIterator[str]:
        """What is wrong at a table."""
        games = [row.id for row in await self.services.queries.games(channel=channel.id, status=(
            "open", "running", "paused", "over", "closed"))]
        here = [message for message in self.world._kept(channel) if message.author_id == self.world.bot.user.id]

        def read(ledger: Ledger) -> tuple[dict[int, list[str]], dict[int, int], dict[str, int]]:
            of = f"SELECT {{}} FROM outbox WHERE game IN ({', '.join(map(str, games))}) AND {{}} ORDER BY id"
            told: dict[int, list[str]] = {}
            for game, payload in ledger.conn.execute(of.format("game, payload", "kind = 'log'")):
                told.setdefault(game, []).extend(json.loads(payload)["lines"])
            known = dict(ledger.conn.execute(of.format("message, game", "message NOT NULL")).fetchall())
            return told, known, {f"{game} {key}": number for game in games
                                 for key, number in ledger.outbox.messages(game).items()}

        told, known, keyed = await self.world.store.read(read)
        for game in games:
            wanted = told.get(game, [])
            lines = [line.removeprefix("~~").removesuffix("~~") for message in here if known.get(message.id) == game
                     for line in words_of(message).splitlines()]
            if (there := [line for line in lines if line in {*wanted}]) != wanted:
                yield f"the log of game {game}: {'; '.join(line for line in ndiff(wanted, there) if line[0] in '+-')}"
        for message in here:
            if message.id not in known and message.id not in keyed.values() and words_of(message) != PINNED:
                yield f"a message of no letter: {words_of(message)[:60]!r} {[*custom_ids(message).values()][:2]}"
        asked = set[int]()
        for game in games:
            status = await self.services.queries.game(game)
            if status.status == "running":
                table = await self.services.session.table(game)
                asked |= {number for question in table.asks
                          if (number := keyed.get(f"{game} question:{question.seat}")) is not None}
                if len(asked) < len(table.asks):
                    yield "a question is missing"
            states = [message for message in here if f"** · game {game} · " in words_of(message).partition("\n")[0]]
            if [message.id for message in states] != [keyed.get(f"{game} status")]:
                yield f"{len(states)} status messages of game {game}"
        for message in here:
            if "Press a button" in words_of(message) and message.id not in asked:
                yield f"a stray question: {words_of(message)[:60]!r}"


async def stormy(folder: Path, games: int, kills: int, faults: float, seed: int, progress: Callable[[], object]) -> list[str]:
    """What is wrong after so many deaths."""
    world = await StormyWorld.made(folder / "games.db", (PAINTED,), cheap)
    assert isinstance(world, StormyWorld)
    try:
        storm = Storm(world, games, seed)
        world.storm = random.Random(seed + 1)
        bursts = 0
        while storm.killed < kills:
            before = storm.killed
            bursts += 1
            world.share = SILENT if bursts % EVERY < SILENCE else faults / 100
            await storm.burst(deadly=bursts % 3 == 0)
            if storm.killed > before:
                progress()
        world.storm = None
        await world.env.advance_time(CALM)
        return await storm.damage()
    finally:
        world.storm = None
        world.fuse.set()
        await world.shutdown()
