"""What is due in all games by now, and when something will be: one look at the store, since the pulse looks again and again."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime

from bot.domain.timestamps import from_timestamp
from bot.service.deadline_updates import PATIENCE
from bot.service.lobby import HOST_DAYS
from bot.service.no_shows import NoShows
from bot.service.service import Service
from bot.service.session import Session
from bot.store import Ledger
from engine.kernel import Seat


@dataclass(frozen=True, kw_only=True)
class Moments:
    """When the next thing of each kind is due; None: nothing of it is to be expected."""

    deadline: datetime | None               # after now, as is a reminder
    order: datetime | None                  # an answer by order
    absence: datetime | None                # its end
    request: datetime | None                # its time is up
    opening: datetime | None                # somebody is told of a game
    alarm: datetime | None                  # after now
    offer: datetime | None                  # its time is up
    vote: datetime | None                   # on a replacement

    @property
    def soonest(self) -> datetime | None:
        return min((moment for moment in astuple(self) if moment is not None), default=None)


@dataclass(frozen=True, kw_only=True)
class Due:
    """What there is to do by now, and when there will be more."""

    alarms: Sequence[int]                           # games that are to be told something
    no_shows: bool
    answers: Sequence[tuple[int, Seat, int]]        # game, seat and question whose time is up
    orders: Sequence[tuple[int, Seat, int]]         # game, seat and question to be answered by order
    reminders: bool
    waits: bool                                     # questions wait long
    requests: bool
    openings: bool
    starts: bool                                    # full games that nobody starts
    offers: bool
    votes: bool
    next: Moments


class Agenda(Service):
    """What is due in all games."""

    def __init__(self, session: Session, no_shows: NoShows) -> None:
        super().__init__(session)
        self.no_shows = no_shows

    async def due(self) -> Due:
        """What there is to do by now, and when there will be more."""
        now, at = self.session.now(), self.session.time()
        return await self.store.read(lambda ledger: self._due(ledger, now, at))

    def _due(self, ledger: Ledger, now: datetime, at: str) -> Due:
        second = now.astimezone(UTC).replace(microsecond=0)
        presence = ledger.presence(second)
        clocks = ledger.times_up(second, presence.ago(PATIENCE))
        opening = from_timestamp(ledger.next_opening())
        return Due(
            alarms=ledger.alarms_due(now), no_shows=bool(self.no_shows.late(ledger)), answers=clocks.answers,
            orders=ledger.dues(at), reminders=clocks.reminders, waits=clocks.waits, requests=bool(ledger.late_requests(at)),
            openings=opening is not None and opening <= now, starts=bool(ledger.late_starts(presence, HOST_DAYS)),
            offers=bool(ledger.late_offers(at)), votes=bool(ledger.replacements_due(at)),
            next=Moments(deadline=clocks.next, order=from_timestamp(ledger.next_due()),
                         absence=from_timestamp(ledger.next_return()), request=from_timestamp(ledger.next_request()),
                         opening=opening, alarm=ledger.next_alarm(now), offer=from_timestamp(ledger.next_offer_end()),
                         vote=from_timestamp(ledger.next_replacement())))
