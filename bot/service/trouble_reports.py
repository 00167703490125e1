"""What whoever runs the bot is to be told now."""
from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from datetime import datetime

from bot.core.incidents import operation
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.timestamps import timestamp
from bot.domain.troubles import AGAIN, Kind
from bot.store import Ledger
from engine.text import Text


class TroubleReports(Service):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._recalled = False

    async def troubles_to_tell(self, *, copy: Text | None, free: int) -> Mapping[Kind, Text]:
        """The news of each kind of which nothing was told in the last day; see `Troubles.news`."""
        if not self._recalled:
            await self._recall()
        news = self.session.troubles.news(copy=copy, free=free)
        if not news:
            return {}
        told, now = await self.store.read(lambda ledger: ledger.troubles.troubles_told()), self.session.now()
        return {kind: words for kind, words in news.items()         # of a moment ahead, the wall clock was wrong
                if kind not in told or abs(now - datetime.fromisoformat(told[kind])) >= AGAIN}

    @operation
    async def troubles_told(self, kinds: Collection[Kind]) -> None:
        at = self.session.time()

        def note(ledger: Ledger) -> None:
            for kind in kinds:
                ledger.troubles.told_of_trouble(kind, at)

        await self.store.write(note)
        for kind in kinds:
            self.session.troubles.mark_told(kind)

    async def _recall(self) -> None:
        """Know of the incidents that an earlier process had no time to tell of; of each there is a capsule."""
        told = await self.store.read(lambda ledger: ledger.troubles.troubles_told())
        at = told.get("incident", timestamp(self.session.now() - AGAIN))
        for number in await asyncio.to_thread(self.session.incidents.since, at):
            self.session.troubles.incidents.setdefault(number, 1)
        self._recalled = True
