"""What goes by itself with time, so that the file of a bot that runs for years grows by its games alone."""
from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from bot.core.incidents import operation
from bot.core.service import Service
from bot.domain.timestamps import timestamp

RETIRED: Final = timedelta(days=30)         # after the end of a game: what only helped to play it goes
FORGOTTEN: Final = timedelta(days=365)      # after the end of a game: what its game masters did goes
CAPSULES: Final = timedelta(days=90)        # of a capsule of an unexpected error
AT_ONCE: Final = 50                         # games at a look


class Retention(Service):
    """What goes by itself with time."""

    @operation
    async def drop_needless(self) -> int:
        """Drop what is kept no longer, of some games at a time; of how many games something went."""
        now = self.session.now()
        before, long_before = (timestamp(now - age) for age in (RETIRED, FORGOTTEN))
        retired = await self.store.write(
            lambda ledger: ledger.retention.retire(before, AT_ONCE) + ledger.retention.drop_notes(long_before, AT_ONCE))
        await self.store.write(lambda ledger: ledger.presence.forget_outages(long_before))
        await asyncio.to_thread(self.session.incidents.drop_older, (now - CAPSULES).timestamp())
        return retired
