"""The weekly summary of a server, in the channel of its noticeboard: who wants one, when it is due, and what it tells."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from pydantic import ValidationError

from bot.domain.week import Gain, gains
from bot.service.chronicles import WHOLE
from bot.service.queries import Queries
from bot.service.session import Service, Session
from bot.store.noticeboards import NoticeboardRow
from engine.refusals import Refusal
from engine.text import Text

WEEK = timedelta(days=7)

log = logging.getLogger(__name__)


class Weekly(Service):
    """The weekly summaries of servers."""

    def __init__(self, session: Session, queries: Queries) -> None:
        super().__init__(session)
        self.queries = queries

    async def want_weekly(self, guild: int, *, wanted: bool) -> None:
        """Have a summary once a week from now on, the first in a week; or none."""
        at = self.session.time() if wanted else None
        await self.store.write(lambda ledger: ledger.set_weekly(guild, at))

    async def due_weeklies(self) -> Sequence[NoticeboardRow]:
        """The noticeboards of servers whose week is over."""
        latest = (datetime.fromisoformat(self.session.time()) - WEEK).isoformat(timespec="seconds")
        boards = await self.store.read(lambda ledger: ledger.noticeboards())
        return [board for board in boards if board.weekly is not None and board.weekly <= latest]

    async def begin_week(self, board: NoticeboardRow) -> bool:
        """The week of this summary is over and the next one begins: whether nobody else has begun it. Written down before the
        summary is posted, so that there are never two."""
        at = self.session.time()
        return await self.store.write(lambda ledger: ledger.begin_week(board, at))

    async def week_not_told(self, board: NoticeboardRow) -> None:
        """The summary couldn't be posted: it is still due."""
        await self.store.write(lambda ledger: ledger.set_weekly(board.guild, board.weekly))

    async def week_of_game(self, game: int, since: str) -> tuple[Text, Sequence[Gain]] | None:
        """Where a running game stands, and how its points have changed since a moment; None: its title has none."""
        course = self.session.spec((await self.queries.game(game)).key).course
        if course is None:
            return None
        newest = await self.queries.public_newest(game)
        row = await self.store.read(lambda ledger: ledger.newest_at(game, since))
        try:
            story = await self.queries.story(game, WHOLE, row=newest)
            found = await asyncio.to_thread(gains, story, course, row)
        except (Refusal, KeyError, ValidationError) as why:
            log.warning("game %s: nothing for the weekly summary (%s)", game, type(why).__name__)
            return None
        return found
