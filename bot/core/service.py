"""What all services share: the session, and the same done for several games."""
from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bot.core.session import Session
from bot.domain.letters import Letter
from bot.store import Ledger
from engine.refusals import Refusal

log = logging.getLogger(__name__)


class Service:
    """Operations and reads of one kind."""

    def __init__(self, session: Session) -> None:
        self.session, self.store = session, session.store

    async def report(self, operation: Callable[..., Any], given: Mapping[str, Any], why: Exception) -> Refusal:
        """Keep a capsule of an operation that has gone wrong, and return the sentence for whoever wanted it."""
        return await self.session.report(operation, given, why)

    async def change(self, game: int, by: int | None, made: Callable[[Ledger], object] = lambda ledger: None, *,
                     audit: str, letters: Sequence[Letter] = ()) -> None:
        """Store a change of a game that needs no table, what the audit says of it, and what is sent."""
        at = self.session.time()

        def change(ledger: Ledger) -> None:
            made(ledger)
            ledger.audit.note(game, by, audit, at)
            ledger.outbox.add_letters(game, ledger.log.newest(game), letters, at)

        await self.store.write(change)

    @asynccontextmanager
    async def apart(self, game: int, work: str) -> AsyncIterator[None]:
        """For one of several games for which the same is done: what goes wrong with it holds up no other."""
        try:
            yield
        except Refusal as why:                          # it can't be shown, or isn't here any more
            log.warning("game %s is left out of %s (%s)", game, work, type(why).__name__)
        except Exception as why:
            await self.session.incident(why, {"deed": "", "work": work, "given": {}}, game)
