"""When the bot was there. What people are given in days runs only then: whom nobody could reach has kept nobody waiting [P-10].
Pure: the store keeps when it was off.
"""
from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.waking_hours import Span

OFF = timedelta(minutes=5)              # without a sign of life: the bot was off


@dataclass(frozen=True, slots=True)
class Presence:
    """How much of the time until now the bot was there."""

    now: datetime
    off: tuple[Span, ...] = ()          # in order, none within another, all over by now

    def since(self, moment: datetime) -> timedelta:
        off = sum([back - max(gone, moment) for gone, back in self.off if back > moment], timedelta())
        return self.now - moment - off

    def ago(self, span: timedelta) -> datetime:
        """The moment since which it has been there for so long: what began later has not lasted yet."""
        moment = self.now - span
        for gone, back in reversed(self.off):
            if back <= moment:
                break
            moment -= back - gone
        return moment
