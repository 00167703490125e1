"""What all services share: the session, and a guard around each of their deeds."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from bot.service.incidents import guarded
from bot.service.session import Session
from engine.refusals import Refusal

F = TypeVar("F", bound=Callable[..., Any])
STEPS: set[Callable[..., Any]] = set()


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

    def passing(self) -> AbstractAsyncContextManager[None]:
        """A deed is under way while the block lasts."""
        return self.session.passing()

    async def spoilt(self, deed: Callable[..., Any], given: Mapping[str, Any], why: Exception) -> Refusal:
        """A deed has gone wrong: a capsule for the operator, and the sentence for whoever wanted it."""
        return await self.session.spoilt(deed, given, why)
