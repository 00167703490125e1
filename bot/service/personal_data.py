"""What is kept about a member: shown, handed out, forgotten; and what becomes of the games of a server that removes the bot."""
from __future__ import annotations

import asyncio
import gzip
import json
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from bot.core.incidents import operation
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.announcements import notice
from bot.domain.timestamps import timestamp
from bot.service.lobby import Lobby
from bot.service.seats import Seats
from bot.store import Ledger
from engine.refusals import Refusal
from engine.text import text

RESTS = timedelta(days=90)      # how long the games of a server that has removed the bot are kept
TRIES = 5                       # to find the store without a transaction
FORM = 1                        # of the file with a member's data

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Kept:
    """What is kept about a member, in numbers."""

    games: int                  # with a seat of the member's
    running: int                # of these
    mastered: int               # games whose game master the member is
    messages: int               # that the member has sent through the bot
    orders: int                 # standing orders
    rows: int                   # in the file, all in all


class PersonalData(Service):
    """What is kept about a member or a server, and how it goes."""

    def __init__(self, session: Session, lobby: Lobby, seats: Seats) -> None:
        super().__init__(session)
        self.lobby, self.seats = lobby, seats

    async def kept_about(self, user: int) -> Kept:
        def look(ledger: Ledger) -> Kept:
            own = ledger.personal_data.own(user, ledger.personal_data.places(user))
            status = Counter(ledger.games.game(game).row.status for game in ledger.games.seated(user))
            return Kept(games=status.total(), running=status["running"] + status["paused"], mastered=len(own.get("games", ())),
                        messages=len(own.get("press", ())), orders=len(own.get("orders", ())), rows=sum(map(len, own.values())))

        return await self.store.read(look)

    async def export_own(self, user: int) -> str:
        """Everything that the file has of a member, as JSON: rows by table."""
        def look(ledger: Ledger) -> str:
            blind = {(game, holder.seat) for game in ledger.games.seated(user) for holder in ledger.games.holders(game)
                     if user in holder.blind}
            own = ledger.personal_data.own(user, [place for place in ledger.personal_data.places(user) if place not in blind])
            return json.dumps({"form": FORM, "member": str(user), "at": self.session.time(), "rows": own}, indent=1, default=str,
                              ensure_ascii=False)

        return await self.store.read(look)

    @operation
    async def forget_member(self, user: int) -> int:
        """Give up a member's seats and erase the member from the file and from all capsules; the number of games concerned.

        What the member has written goes, too. Of running games whose secrets the member has seen, that alone is kept until they
        are over.
        """
        last = await self.store.read(lambda ledger: ledger.personal_data.places(user))
        games = await self.store.read(lambda ledger: ledger.games.seated(user))
        for game in sorted(games):
            await self._leave(game, user)
        at = self.session.time()
        self.session.forgotten.add(user)
        await self.store.write(lambda ledger: ledger.personal_data.forget(user, last, at))
        self.session.languages.members.pop(user, None)
        await self._overwrite()
        for game in {*games, *(game for game, _ in last)}:
            self.session.forget(game)
        await asyncio.to_thread(self._drop_capsules, user)
        return len(games)

    async def _leave(self, game: int, user: int) -> None:
        """Leave a lobby, come back from an absence, give up a seat: whatever can be done with it."""
        status = (await self.session.stored(game)).row.status
        ways: dict[str, tuple[Callable[[int, int], Awaitable[object]], ...]] = {
            "open": (self.lobby.leave,), "running": (self.seats.back, self.seats.resign),
            "paused": (self.seats.back, self.seats.resign)}
        for leave in ways.get(status, ()):
            try:
                await leave(game, user)
            except Refusal as why:                  # there is nothing of this kind to be given up
                log.debug("game %s: %s", game, type(why).__name__)

    async def _overwrite(self) -> None:
        """Have what was erased leave the disk; if another program reads the file, at the next look."""
        for _ in range(TRIES):
            if await self.store.read(lambda ledger: ledger.personal_data.overwrite()):
                break

    def _drop_capsules(self, user: int) -> None:
        """Throw away every capsule that knows the member."""
        known = re.compile(rf"(?<!\d){user}(?!\d)")
        for path in self.session.incidents.files():
            try:
                words = gzip.decompress(path.read_bytes()).decode()
            except (OSError, EOFError, ValueError):
                words = str(user)                   # whatever it holds, nobody can read it
            if known.search(words):
                path.unlink(missing_ok=True)

    # -- servers

    @operation
    async def server_left(self, guild: int) -> None:
        """A server has removed the bot: its games rest from now on, and are erased later unless it comes back."""
        at = self.session.time()
        news = notice(text("The bot was removed from this server, so the game is paused."))
        for row in await self.store.read(lambda ledger: ledger.games.games(guild=guild, status=("running",))):
            async with self.apart(row.id, "server_left"), self.session.locked(row.id):
                stored = await self.session.stored(row.id)
                if stored.row.status == "running":
                    await self.session.declare(stored, "paused", news, None, "rests, since the server has removed the bot",
                                               also=partial(_rest, row.id))
        await self.store.write(lambda ledger: ledger.personal_data.depart(guild, at))

    @operation
    async def server_back(self, guild: int) -> None:
        """The bot is on a server again: the games that rested go on."""
        if guild not in await self.store.read(lambda ledger: ledger.personal_data.departed()):
            return
        for game in await self.store.write(lambda ledger: ledger.personal_data.come_back(guild)):
            async with self.apart(game, "server_back"):        # its game master can see why not, and let it go on
                await self.seats.go_on(game, None)

    @operation
    async def look_at_servers(self, known: Collection[int]) -> None:
        """Compare the servers of the file with those that the bot is on, and erase the games of those that removed it long ago.

        A bot that is on none of them has another bot's file or token: then nothing is done.
        """
        guilds, departed = await self.store.read(lambda ledger: (ledger.personal_data.guilds(), ledger.personal_data.departed()))
        if guilds and guilds.isdisjoint(known) and not departed:
            log.error("the bot is on no server whose games are in its file: this file or this token is another bot's")
            return
        for guild in sorted(guilds - departed.keys() - set(known)):
            await self.server_left(guild)
        for guild in sorted(departed.keys() & set(known)):
            await self.server_back(guild)
        before = timestamp(self.session.now() - RESTS)
        for guild, at in departed.items():
            if at < before and guild not in known:
                await self.erase_server(guild)
        await self.store.write(lambda ledger: ledger.personal_data.forget_rest())
        await self._overwrite()

    @operation
    async def erase_server(self, guild: int) -> int:
        """Erase all games of a server, and what it has chosen; how many games there were."""
        games = await self.store.write(lambda ledger: ledger.personal_data.erase_guild(guild))
        for game in games:
            self.session.forget(game)
        return len(games)


def _rest(game: int, ledger: Ledger) -> None:
    """Note that a game is paused because its server has removed the bot."""
    ledger.personal_data.rest(game)
