"""`python -m bot`: the bot on Discord, or, without a token, on a simulated one in a page of this machine; with words, a tool."""
from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.discord.client import make_bot
from bot.discord.context import Context
from bot.discord.icons import emblems
from bot.discord.pictures import favour_the_loop
from bot.discord.refusals import meaning
from bot.domain.timestamps import timestamp
from bot.operator import cli, config, logs
from bot.operator.systemd import keep_alive
from bot.service import Services
from bot.service.backups import Backups
from bot.service.player_processes import PlayerProcesses
from bot.store import NotStored, Store
from engine.refusals import Refusal
from engine.text import say, text

UNUSABLE = 2            # exit status: a setting, the database or the token cannot be used
WATCH = 3               # seconds between looks whether the files of the database are there
UNREACHABLE = 1         # exit status: Discord cannot be reached
NO_TOKEN = 401, 4004    # HTTP status, and the code with which Discord's gateway closes, for a token that it doesn't know
PAUSE, LONGEST_PAUSE = 15, 900          # seconds between the first two attempts to log in, and between later ones

log = logging.getLogger(__name__)


def main(words: Sequence[str] = ()) -> None:
    """Run until Ctrl-C or SIGTERM, or do what the words say.

    What cannot be used is one sentence on the standard error, and exit status 2.
    """
    settings = config.load()
    favour_the_loop()
    level = logging.getLevelNamesMapping()[settings.log_level]
    logs.begin(level, settings.log_format)
    try:
        if words:
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)   # whoever reads may stop, as `head` does
            sys.exit(cli.run(words, settings))
        if settings.token is not None:
            _meet_discord(settings, settings.token.get_secret_value())
        else:
            from sandbox.server import run  # its libraries are there for development only

            run(settings)
    except NotStored as why:
        _leave(say(text("The database can't be written to: {reason}.", **why.text.facts)), UNUSABLE)
    except Refusal as why:
        _leave(str(why), UNUSABLE)


def _meet_discord(settings: config.Settings, token: str) -> None:
    try:
        asyncio.run(serve(settings, token))
    except (discord.LoginFailure, discord.HTTPException, discord.ConnectionClosed) as why:
        if _refuses_token(why):
            _leave("Discord doesn't accept the token in DISCORD_TOKEN. Copy it again from the developer portal.", UNUSABLE)
        _leave(f"Discord doesn't let me in: {why}.", UNREACHABLE)
    except (aiohttp.ClientError, OSError) as why:
        _leave(f"Discord can't be reached ({type(why).__name__}); check the connection, then start the bot again.", UNREACHABLE)


async def serve(settings: config.Settings, token: str) -> None:
    """Play on Discord until the process is told to stop; the transaction under way is finished first.

    Raises Faulty: the database cannot be used; LoginFailure: Discord does not know the token; HTTPException or ConnectionClosed:
    it does not let the bot in.
    """
    if settings.discord_url is not None:
        Route.BASE = f"{settings.discord_url}/api/v10"
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_url).with_scheme("ws") / "gateway"
    with closing(Store(settings.database)) as store:
        await store.write(lambda ledger: ledger.claims.claim(timestamp(datetime.now(UTC))))
        backups = Backups(settings.database, settings.backup_folder, settings.backup_hours)
        backups.require_usable()
        watching = asyncio.gather(watch(store), keep_alive(store))
        try:
            services = Services(store, limits=settings.limits)
            services.automatic.thinker = PlayerProcesses()
            bot = make_bot(services, backups=backups, emblems=emblems)
            async with bot, _watched(bot, settings.metrics_address):
                for ending in (signal.SIGINT, signal.SIGTERM):
                    asyncio.get_running_loop().add_signal_handler(ending, lambda: asyncio.ensure_future(bot.close()))
                await _log_in(bot, token)
                if not bot.is_closed():
                    await bot.connect()
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)


async def _log_in(bot: Context, token: str) -> None:
    """Log in; as long as Discord is too busy or out of reach, again after a pause that grows, unless the process has to end.

    Raises LoginFailure: Discord does not know the token; HTTPException: it does not let the bot in.
    """
    pause, inside = PAUSE, False
    while not bot.is_closed():
        try:
            if not inside:
                await bot.login(token)
                inside = True                   # what the bot does again and again has begun, and can't begin once more
            bot.shard_count, _, _ = await bot.http.get_bot_gateway()        # as many as Discord recommends
        except Exception as error:
            why = (error.__cause__ or error) if isinstance(error, discord.GatewayNotFound) else error
            if meaning(why) != "later" or _refuses_token(why):
                raise why from None
            status = f"HTTP {why.status}" if isinstance(why, discord.HTTPException) else type(why).__name__
            log.warning("Discord doesn't let me log in just now (%s). I'll try again in %d seconds.", status, pause)
        else:
            return
        if not inside:
            await bot.http.close()
            bot.http.connector = discord.utils.MISSING          # it was closed, too
        await _wait(bot, pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _refuses_token(why: BaseException) -> bool:
    return isinstance(why, discord.LoginFailure) or any(getattr(why, name, 0) in NO_TOKEN for name in ("status", "code"))


async def _wait(bot: Context, seconds: int) -> None:
    """Wait so long, or until the process has to end."""
    for _ in range(seconds):
        if not bot.is_closed():
            await asyncio.sleep(1)


def _watched(bot: Context, address: tuple[str, int] | None) -> AbstractAsyncContextManager[None]:
    """Metrics on this address while the block lasts, if they are asked for."""
    if address is None:
        return nullcontext()
    from bot.operator import metrics  # its library is loaded only then

    return metrics.serving(bot, address)


async def watch(store: Store) -> None:
    """Tell the operator, within seconds, when a file of the database is deleted or replaced under the running bot."""
    lost: Path | None = None
    while True:
        before, lost = lost, store.lost()
        if lost is not None and before is None:
            log.error("%s was deleted or replaced: nothing is saved now, and all moves are refused. Put the file back, or "
                      "stop the bot and put a copy in its place with `python -m bot restore`.", lost)
        elif lost is None and before is not None:
            log.warning("%s is back: moves are saved again.", before)
        await asyncio.sleep(WATCH)


def _leave(sentence: str, status: int) -> NoReturn:
    print(sentence, file=sys.stderr)            # noqa: T201
    sys.exit(status)


def console() -> None:
    """The command `chancery`: as `python -m bot`; `chancery run` is the bot itself."""
    main([] if sys.argv[1:] == ["run"] else sys.argv[1:])


if __name__ == "__main__":
    console()
