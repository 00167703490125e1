"""What programs may ask of a running bot, on this machine: `/metrics` for Prometheus, and `/healthz`; no ids, no names."""
from __future__ import annotations

import asyncio
import platform
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from math import isfinite

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, Histogram, Info, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from bot.discord.context import Context
from bot.domain.versions import version
from bot.store.statistics import Figures
from engine.refusals import Faulty
from engine.text import verbatim

STATES = ("open", "running", "paused", "over", "closed")
STEPS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)      # seconds
TOOK = {"acknowledged": "Seconds until an interaction was acknowledged", "answered": "Seconds until an interaction was answered",
        "picture": "Seconds that a picture took to draw", "store": "Seconds that work of the store took, waiting included"}
SLOW = 600              # seconds for which the oldest message may wait
BLINK = 0.5             # seconds between two looks how late the event loop is


class Counts(Collector):
    """What has been counted since the start."""

    def __init__(self, bot: Context) -> None:
        self.bot = bot

    def collect(self) -> Iterator[CounterMetricFamily]:
        troubles = self.bot.services.session.troubles
        yield CounterMetricFamily("chancery_errors", "Unexpected errors since the start", troubles.errors)
        refused = CounterMetricFamily("chancery_discord_errors", "Requests that Discord has refused or not answered, by status",
                                      labels=["status"])
        for status in {"429", *self.bot.health.refused}:
            refused.add_metric([status], self.bot.health.refused[status])
        yield refused


class Metrics:
    """The figures of one bot, gathered whenever somebody asks; of its process on Linux alone."""

    def __init__(self, bot: Context) -> None:
        self.bot = bot
        self.registry = registry = CollectorRegistry()
        self.games = Gauge("chancery_games", "Games by state", ["state"], registry=registry)
        self.waiting = Gauge("chancery_outbox_messages", "Messages that have not been sent", registry=registry)
        self.age = Gauge("chancery_outbox_age_seconds", "How long the oldest of them has waited", registry=registry)
        self.size = Gauge("chancery_database_bytes", "Size of the database", registry=registry)
        self.latency = Gauge("chancery_gateway_latency_seconds", "Between a heartbeat and Discord's answer", ["shard"],
                             registry=registry)
        self.connected = Gauge("chancery_connected", "1 if a shard is connected to Discord", ["shard"], registry=registry)
        took = [Histogram(f"chancery_{name}_seconds", told, buckets=STEPS, registry=registry).observe
                for name, told in TOOK.items()]
        for durations, observe in zip((bot.health.acknowledged, bot.health.answered, bot.health.drawn), took):
            durations.on_note = observe
        bot.services.session.store.on_done = took[-1]
        self.copied = Gauge("chancery_backup_timestamp_seconds", "When the database was last copied; 0: never", registry=registry)
        self.free = Gauge("chancery_disk_free_bytes", "Room on the disk of the database", registry=registry)
        self.lag = Histogram("chancery_loop_lag_seconds", "How late the event loop came to what was due", buckets=STEPS,
                             registry=registry)
        Info("chancery_build", "Versions", registry=registry).info({"version": version("chancery-moderator"),
                                                                    "python": platform.python_version()})
        registry.register(Counts(bot))
        ProcessCollector(registry=registry)

    async def metrics(self, _: web.Request) -> web.Response:
        figures = await self.bot.services.queries.figures()
        for state in STATES:
            self.games.labels(state).set(figures.games.get(state, 0))
        self.waiting.set(figures.letters)
        self.age.set(_age(figures))
        self.size.set(figures.bytes)
        for number, shard in self.bot.shards.items():
            self.latency.labels(number).set(shard.latency if isfinite(shard.latency) else 0)
            self.connected.labels(number).set(not shard.is_closed())
        copied = self.bot.backups.newest() if self.bot.backups is not None else None
        self.free.set(shutil.disk_usage(self.bot.services.session.store.path.parent).free)
        self.copied.set(0 if copied is None else copied.timestamp())
        return web.Response(body=generate_latest(self.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def watch_loop(self) -> None:
        """Look again and again how late the event loop is."""
        clock: Callable[[], float] = asyncio.get_running_loop().time
        while True:
            due = clock() + BLINK
            await asyncio.sleep(BLINK)
            self.lag.observe(max(clock() - due, 0.0))

    async def healthz(self, _: web.Request) -> web.Response:
        """200 if the bot plays, 503 with a sentence if not."""
        why = await self._ailment()
        return web.Response(text=f"{why or 'ok'}\n", status=200 if why is None else 503)

    async def _ailment(self) -> str | None:
        if self.bot.services.queries.lost() is not None:
            return "a file of the database was deleted or replaced"
        if not self.bot.is_ready() or self.bot.cut_off:
            return "not connected to Discord"
        if _age(await self.bot.services.queries.figures()) > SLOW:
            return "messages wait for more than ten minutes"
        return None


def _age(figures: Figures) -> float:
    """How many seconds the oldest unsent message has waited."""
    if not figures.letters or figures.since is None:
        return 0.0
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(figures.since)).total_seconds())


@asynccontextmanager
async def serving(bot: Context, address: tuple[str, int]) -> AsyncIterator[None]:
    """Answer on this address while the block lasts. Raises Faulty: the address is taken."""
    metrics, app = Metrics(bot), web.Application()
    app.router.add_get("/metrics", metrics.metrics)
    app.router.add_get("/healthz", metrics.healthz)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    watching = asyncio.create_task(metrics.watch_loop())
    try:
        try:
            await web.TCPSite(runner, *address).start()
        except OSError as why:
            raise Faulty("CHANCERY_METRICS can't be used: {reason}.",
                         reason=verbatim((why.strerror or "unknown error").lower())) from None
        yield
    finally:
        watching.cancel()
        await runner.cleanup()
