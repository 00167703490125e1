"""What all services share: the session, and a guard around each of their deeds."""
from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from bot.service.incidents import guarded
from bot.service.session import Session
from engine.refusals import Refusal

F = TypeVar("F", bound=Callable[..., Any])
STEPS: set[Callable[..., Any]] = set()

log = logging.getLogger(__name__)


def step(part: F) -> F:
    """Mark a part of other services' deeds, which runs under their lock and their guard; it is no deed of its own."""
    STEPS.add(part)
    return part


class Service:
    """Deeds of one kind. What goes wrong in one of them unexpectedly becomes a sentence with a number."""

    def __init__(self, session: Session) -> None:
        self.session, self.store = session, session.store

    def __init_subclass__(cls) -> None:
        for name, deed in list(vars(cls).items()):
            if inspect.iscoroutinefunction(deed) and not name.startswith("_") and deed not in STEPS:
                setattr(cls, name, guarded(deed))

    @asynccontextmanager
    async def apart(self, game: int, work: str) -> AsyncIterator[None]:
        """Under the lock of one of several games for which the same is done: what goes wrong with it holds up no other."""
        try:
            async with self.session.locked(game):
                yield
        except Refusal as why:                          # it can't be shown, or isn't here any more
            log.warning("game %s is left out of %s (%s)", game, work, type(why).__name__)
        except Exception as why:
            await self.session.incident(why, {"deed": "", "work": work, "given": {}}, game)

    async def spoilt(self, deed: Callable[..., Any], given: Mapping[str, Any], why: Exception) -> Refusal:
        """A deed has gone wrong: a capsule for the operator, and the sentence for whoever wanted it."""
        return await self.session.spoilt(deed, given, why)
