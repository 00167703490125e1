"""What whoever runs the bot is to be told now."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from bot.domain.troubles import AGAIN, Kind
from bot.service.service import Service
from bot.store import Ledger
from engine.text import Text


class TroubleReports(Service):
    """What whoever runs the bot is to be told now."""

    async def troubles_to_tell(self, *, copy: Text | None, free: int) -> Mapping[Kind, Text]:
        """The news of each kind of which nothing was told in the last day; see `Troubles.news`."""
        news = self.session.troubles.news(copy=copy, free=free)
        if not news:
            return {}
        told, now = await self.store.read(lambda ledger: ledger.troubles_told()), self.session.now()
        return {kind: words for kind, words in news.items()         # of a moment ahead, the wall clock was wrong
                if kind not in told or abs(now - datetime.fromisoformat(told[kind])) >= AGAIN}

    async def troubles_told(self, kinds: Collection[Kind]) -> None:
        """These have been told."""
        at = self.session.time()

        def note(ledger: Ledger) -> None:
            for kind in kinds:
                ledger.told_of_trouble(kind, at)

        await self.store.write(note)
        for kind in kinds:
            self.session.troubles.told(kind)
