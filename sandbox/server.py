"""The sandbox: the real bot on a simulated Discord, in a page that only this machine can open."""
from __future__ import annotations

import asyncio
import logging
import signal
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import discord
from aiohttp import web

from bot.discord.client import make_bot
from bot.operator.config import Settings
from bot.service import Services
from bot.service.player_processes import PlayerProcesses
from bot.store import Store
from bot.store.claims import claim_of
from engine.refusals import Faulty
from engine.text import verbatim
from sandbox import demo
from sandbox.page import Page
from sandbox.world import BORN, HOST, World

PORTS = 100                 # ports that are tried, from the wanted one on
PULSE = {"minutes": 10}     # between looks at the outbox that nothing has called for: a skipped day should take a moment
CLOCK = 240                 # seconds between looks at the clocks, likewise
GRACE = 0.5                 # seconds for requests that are under way when the sandbox stops


@dataclass(frozen=True)
class Sandbox:
    """What is running."""

    address: str
    world: World
    services: Services


@asynccontextmanager
async def sandbox(database: Path, *, port: int = 0) -> AsyncIterator[Sandbox]:
    """Serve a bot with this database until the end of the block; if it holds no game, it gets the demonstration games.

    Without a port, any that is free. Raises Faulty: the database cannot be used, or is that of a bot on Discord, or no port is
    free.
    """
    require_own(database)
    with closing(listen(port)) as listener, closing(Store(database)) as store:
        port = listener.getsockname()[1]
        address = f"http://{HOST}:{port}/"

        def now() -> datetime:
            """The clock of the simulated Discord, also in what the page around it asks for."""
            return world.env.now()

        services = Services(store, now=now, secret=demo.dice())
        services.automatic.thinker = PlayerProcesses()
        bot = make_bot(services, emblems=lambda game: {})       # the page has no signs to show, but colours
        bot.outbox.pulse.change_interval(**PULSE)
        bot.scheduler.longest = CLOCK
        world = World(bot, port=port)
        fresh = not await services.queries.games(status=("open", "running", "paused", "over", "closed"))
        tries = await demo.prepare(services, world) if fresh else []
        if not fresh:
            await demo.recall(services, world)
        async with world.running():
            page = Page(world, services, address, demo.HELP if fresh else (*demo.GOING_ON, *demo.HELP), tries)
            runner = web.AppRunner(page.application(), access_log=None, shutdown_timeout=GRACE)
            await runner.setup()
            try:
                await web.SockSite(runner, listener).start()
                yield Sandbox(address, world, services)
            finally:
                await runner.cleanup()
                await bot.automatic.stop()


def require_own(database: Path) -> None:
    """Raise Faulty if a bot with a token has used a file, or if it knows a server or a member of the real Discord."""
    claim = claim_of(database)
    if claim.claimed or not all(discord.utils.snowflake_time(id) == BORN for id in claim.ids):
        raise Faulty("{path} is the database of a bot on Discord, and the sandbox would send the messages of its games nowhere. "
                     "Set DISCORD_TOKEN to start that bot, or name another file in CHANCERY_DATABASE.",
                     path=verbatim(str(database)))


def listen(wanted: int) -> socket.socket:
    """A socket on this port, or on the next one that is free; on any, if 0 is wanted. Raises Faulty."""
    for port in range(wanted, min(wanted + PORTS, 65_536)):
        try:
            return socket.create_server((HOST, port))
        except OSError:
            continue
    raise Faulty("No port from {wanted} on is free; set CHANCERY_SANDBOX_PORT to another.", wanted=wanted)


def run(settings: Settings) -> None:
    """Serve until Ctrl-C or SIGTERM. The database is a temporary one, unless the settings name another."""
    logging.getLogger("discord").setLevel(logging.ERROR)    # it would warn of what a simulation has not
    logging.getLogger("bot.discord.outbox").setLevel(logging.WARNING)       # what an earlier run has posted is gone, of course
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    for ending in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(ending, stop.set)
    kept = "database" in settings.model_fields_set
    with tempfile.TemporaryDirectory(prefix="chancery-") as folder:
        database = settings.database if kept else Path(folder) / "sandbox.db"
        print("No DISCORD_TOKEN is set: starting the bot on a simulated Discord …", flush=True)
        async with sandbox(database, port=settings.sandbox_port) as box:
            if not box.address.endswith(f":{settings.sandbox_port}/"):
                print(f"Port {settings.sandbox_port} is taken, so the next free one is used (CHANCERY_SANDBOX_PORT).")
            print(f"Here it is, and the first move is yours: {box.address}")
            print(f"Its games are kept in {database}." if kept else "It forgets its games when it stops (Ctrl-C).", flush=True)
            await stop.wait()
