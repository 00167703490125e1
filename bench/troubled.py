"""A loopback Discord on a bad day: it refuses, fails, hangs up, says things twice and says them late."""
from __future__ import annotations

import asyncio
import json
import random
from collections import Counter, deque
from collections.abc import Sequence
from time import perf_counter

from aiohttp import web

from bench.crowd import Club
from bench.running import servers_of
from tests.checks.loopback import Loopback, Payload, Server, Shard, as_json, page, snowflakes

TOO_MANY, FAILS, HANGS_UP = 0.02, 0.01, 0.005       # shares of requests; of the last two, half have been carried out before
TWICE, LATE = 0.02, 0.01                            # shares of interactions
LATENESS = 4.0          # seconds: nobody can answer an interaction any more after three
TOLERANCE = 3.0         # seconds that Discord waits for an acknowledgement
APART = 60.0            # seconds between two interrupted connections of the gateway, on average
LOST = 0.25             # of them that cannot be resumed: what happened meanwhile is never told
KNOWN = 180.0           # seconds for which Discord knows a nonce
SHOWN = 100             # messages of a channel that can be read again
PROMISED = 5_000        # interactions of which it is known that they are acknowledged
WAIT = 0.5              # seconds that a refused request has to wait


class Troubled(Loopback):
    """The simulated Discord with faults, as long as it is `unwell`; `met` counts them by kind."""

    def __init__(self, clubs: Sequence[Club], rng: random.Random) -> None:
        super().__init__(servers_of(clubs))
        self.unwell, self.met, self.doubled = False, Counter[str](), 0
        self._ids = snowflakes()
        self._rng = rng
        self._at: dict[str, float] = {}                             # nonce -> when its message was posted
        self._stand: dict[int, deque[Payload]] = {}                 # channel -> its newest messages
        self._missed: list[Payload] | None = None                   # interactions while the bot is away; None: it is there
        self._acknowledged: dict[str, None] = {}                    # tokens, the newest last
        self._ways = set[asyncio.Task[None]]()

    # -- the gateway

    async def interrupt(self) -> None:
        """Break the gateway's connection again and again, until cancelled: it is closed or cut, or the bot is sent away."""
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / APART))
            if not self._shards:
                continue
            shard = self._shards.pop()
            self._missed = None if self._rng.random() < LOST else []
            self.met["sessions to resume" if self._missed is not None else "sessions lost"] += 1
            match self._rng.randrange(3):
                case 0:
                    await shard.socket.close(code=4000)
                case 1:
                    await shard.socket.send_str(json.dumps({"op": 7, "d": None, "s": None, "t": None}))
                case 2:
                    shard.cut()

    async def _welcome(self, shard: Shard, resumed: int | None) -> bool:
        if resumed is None:
            self._missed = None
            return await super()._welcome(shard, None)
        if self._missed is None:
            await shard.socket.send_str(json.dumps({"op": 9, "d": False, "s": None, "t": None}))
            return False
        shard.sequence = resumed
        while self._missed:
            await shard.send("INTERACTION_CREATE", self._missed.pop(0))
        return await super()._welcome(shard, shard.sequence)

    async def _tell(self, home: Server, interaction: Payload) -> None:
        if self.shard_of(home) is None:
            if self._missed is not None:
                self._missed.append(interaction)
            return
        chance = self._rng.random() if self.unwell else 1.0
        if chance < TWICE:
            self.met["interactions twice"] += 1
            await super()._tell(home, interaction)
            await super()._tell(home, interaction)
        elif chance < TWICE + LATE:
            self.met["interactions late"] += 1
            later = asyncio.create_task(self._tell_late(home, interaction))
            self._ways.add(later)
            later.add_done_callback(self._ways.discard)
        else:
            await super()._tell(home, interaction)

    async def _tell_late(self, home: Server, interaction: Payload) -> None:
        await asyncio.sleep(LATENESS)
        await super()._tell(home, interaction)

    # -- REST

    async def _api(self, request: web.Request) -> web.Response:
        parts = request.match_info["tail"].split("/")
        callback = parts[0] == "interactions"
        chance = self._rng.random() if self.unwell else 1.0
        if chance < TOO_MANY and not callback:
            self.met["429"] += 1
            refused = as_json({"message": "You are being rate limited.", "retry_after": WAIT, "global": False}, status=429)
            refused.headers["Via"] = "1.1 loopback"
            return refused
        fails, hangs_up = TOO_MANY < chance < TOO_MANY + FAILS, TOO_MANY + FAILS < chance < TOO_MANY + FAILS + HANGS_UP
        if not (fails or hangs_up):
            return await self._done(request, parts)
        arrived = self._rng.random() < 1 / 2
        if arrived:
            await self._done(request, parts)
        self.met[f"{'5xx' if fails else 'cut'} {'after' if arrived else 'before'}"] += 1
        if hangs_up and request.transport is not None:
            request.transport.close()
        return as_json({"message": "trouble"}, status=self._rng.choice((500, 502, 503)))

    async def _done(self, request: web.Request, parts: Sequence[str]) -> web.Response:
        match request.method, *parts:
            case "POST", "interactions", _, token, "callback":
                asked = self._asked.get(token)
                if token in self._acknowledged:
                    return as_json({"message": "Interaction has already been acknowledged.", "code": 40060}, status=400)
                if asked is None or perf_counter() - asked.sent > TOLERANCE:
                    self.met["acknowledged too late"] += 1
                    return as_json({"message": "Unknown interaction", "code": 10062}, status=404)
                self._acknowledged[token] = None
                if len(self._acknowledged) > PROMISED:
                    del self._acknowledged[next(iter(self._acknowledged))]
            case "GET", "channels", channel, "messages":
                return as_json(page([*self._stand.get(int(channel), ())], request.query))
        return await super()._api(request)

    def _posted(self, channel: int, body: Payload, files: Sequence[int]) -> Payload:
        nonce, now, before = str(body.get("nonce", "")), perf_counter(), len(self.posted)
        if nonce and now - self._at.get(nonce, now) > KNOWN:
            self.doubled += 1                       # this Discord has forgotten the nonce, and the message stands there twice
        message = super()._posted(channel, body, files)
        if not nonce or len(self.posted) > before:
            self._stand.setdefault(channel, deque(maxlen=SHOWN)).append(message)
            self._at[nonce] = now
        return message
