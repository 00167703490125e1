"""The weekly summary of a server, in the channel of its noticeboard, and that of a member, by direct message: who wants one, when
it is due, and what it tells."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from bot.core.incidents import operation
from bot.core.requirements import PLAYED
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.letters import MemberWeek, ServerWeek
from bot.domain.timestamps import timestamp
from bot.domain.waking_hours import Hours
from bot.domain.week import Gain, gains
from bot.service.chronicles import WHOLE
from bot.service.queries import Queries
from bot.store import GameRow, Ledger
from engine.refusals import Refusal
from engine.text import Text

WEEK = timedelta(days=7)

log = logging.getLogger(__name__)


class Weekly(Service):
    """The weekly summaries of servers and of members."""

    def __init__(self, session: Session, queries: Queries) -> None:
        super().__init__(session)
        self.queries = queries

    @operation
    async def want_weekly(self, guild: int, *, wanted: bool) -> None:
        """Have a summary once a week from now on, the first in a week; or none."""
        at = self.session.time() if wanted else None
        await self.store.write(lambda ledger: ledger.noticeboards.set_weekly(guild, at))

    @operation
    async def tell_servers(self, there: Collection[int]) -> None:
        """Begin a new week for those of these servers whose week is over, and have their summaries sent: none where no game is
        under way."""
        at, latest = self.session.time(), self._latest()

        def due(ledger: Ledger) -> list[tuple[int, str]]:
            return [(board.guild, board.weekly) for board in ledger.noticeboards.noticeboards()
                    if board.weekly is not None and board.weekly <= latest and board.guild in there]

        def tell(ledger: Ledger) -> None:
            for guild, since in due(ledger):
                ledger.noticeboards.set_weekly(guild, at)
                if games := ledger.games.games(guild=guild, status=PLAYED):
                    ledger.outbox.add_letters(games[0].id, ledger.log.newest(games[0].id),
                                              [ServerWeek(guild=guild, since=since)], at)

        if await self.store.read(due):
            await self.store.write(tell)

    # -- for members

    async def own_weekly(self, user: int) -> bool:
        return await self.store.read(lambda ledger: ledger.settings.own_weekly(user)) is not None

    @operation
    async def want_own_weekly(self, user: int, *, wanted: bool) -> None:
        """Have one from now on, the first in a week; or none."""
        at = self.session.time() if wanted else None
        await self.store.write(lambda ledger: ledger.settings.set_own_weekly(user, at))

    @operation
    async def tell_members(self) -> None:
        """Begin a new week for the members whose week is over, who are awake, and have their summaries sent: one message for all
        games of a member, and none without a game."""
        at, now, latest = self.session.time(), self.session.now(), self._latest()

        def tell(ledger: Ledger) -> None:
            for user, since in ledger.settings.own_weeklies_due(latest):
                if not (ledger.settings.member(user).hours or Hours()).awake(now):
                    continue
                ledger.settings.set_own_weekly(user, at)
                if games := ledger.games.games(user=user, status=PLAYED):
                    ledger.outbox.add_letters(games[0].id, ledger.log.newest(games[0].id),
                                              [MemberWeek(user=user, since=since)], at)

        if await self.store.read(lambda ledger: ledger.settings.own_weeklies_due(latest)):
            await self.store.write(tell)

    async def games_of_week(self, user: int) -> Sequence[GameRow]:
        """The games under way in which a member has a seat, the newest first."""
        return (await self.store.read(lambda ledger: ledger.games.games(user=user, status=PLAYED)))[::-1]

    # -- what is told

    async def week_of_game(self, game: int, since: str) -> tuple[Text, Sequence[Gain]] | None:
        """Where a running game stands, and how its points have changed since a moment; None: its title has none."""
        course = self.session.spec((await self.queries.game(game)).key).course
        if course is None:
            return None
        newest = await self.queries.public_newest(game)
        row = await self.store.read(lambda ledger: ledger.log.newest_at(game, since))
        try:
            story = await self.queries.story(game, WHOLE, row=newest)
            found = await asyncio.to_thread(gains, story, course, row)
        except Refusal as why:
            log.warning("game %s: nothing for the weekly summary (%s)", game, type(why).__name__)
            return None
        except Exception as why:
            await self.session.incident(why, {"deed": "", "work": "weekly", "given": {"since": since}}, game)
            return None
        return found

    def _latest(self) -> str:
        return timestamp(datetime.fromisoformat(self.session.time()) - WEEK)
