"""The pulse: it looks for what is due, deadlines, moments of games, ends of absences, and does it."""
from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.discord.context import Context
from bot.discord.errors import note
from bot.discord.periodic import Periodic
from bot.service.agenda import Due
from engine.refusals import Refusal

PULSE = 30                      # seconds between looks, unless something is due sooner
SIGN = timedelta(minutes=2)     # between signs of life
REST = timedelta(minutes=15)    # that a game rests whose deadline could not be dealt with

log = logging.getLogger(__name__)


class Pulse:
    """Looks every half minute for what is due and does it, one transaction each; what fails in one game holds up no other."""

    def __init__(self, bot: Context) -> None:
        self.bot, self.services = bot, bot.services
        self.longest: float = PULSE                             # seconds between two looks; a simulation takes fewer
        self._seen: datetime | None = None                      # the last sign of life
        self._rests: dict[int, datetime] = {}                   # games whose deadline could not be dealt with
        self.beat = Periodic(self._beat, seconds=PULSE)

    def start(self) -> None:
        """Begin; the time for which the bot was off is nobody's."""
        self.beat.before_loop(self.bot.wait_until_ready)
        self.beat.start()

    def stop(self) -> None:
        """End; what is under way in the store is finished there."""
        self.beat.cancel()

    async def _beat(self) -> None:
        """One look; if the store is unwell, the next one tries again. The wall clock may have been set since the last."""
        try:
            following = await self.look(discord.utils.utcnow())
        except Exception as error:
            await note(self.services, error, "clock")
            following = None
        wait = self.longest if following is None else (following - discord.utils.utcnow()).total_seconds()
        self.beat.change_interval(seconds=min(max(wait, 1), self.longest))

    async def look(self, now: datetime) -> datetime | None:
        """Do everything that is due; the moment at which something will be due next. Raises NotStored.

        Cut off from Discord, the bot gives no sign of life and judges nobody.
        """
        if self.bot.cut_off:
            return None
        if self._seen is None or abs(now - self._seen) >= SIGN:
            await self.services.clocks.beat()
            self._seen = now
            await self._attempt(self.services.outbox.prune())
        self._rests = {game: until for game, until in self._rests.items() if now < until <= now + REST}
        due = await self._announce(await self.services.agenda.due(), now)
        due = await self._end(await self._decide(due, now), now)
        return due.next.soonest

    async def _announce(self, due: Due, now: datetime) -> Due:
        """Tell games what they are to be told, and deal with first moves that are late; what is due then."""
        for game in due.alarms:
            await self._answer(self.services.alarms.ring, game, now)
        if due.no_shows:
            await self._attempt(self.services.no_shows.deal_with_no_shows())     # before the clock moves for them
        return await self.services.agenda.due() if due.alarms or due.no_shows else due

    async def _decide(self, due: Due, now: datetime) -> Due:
        """Answer for whose time is up, and remind; what is due then."""
        for game, seat, asked_at in due.orders:
            await self._answer(self.services.orders.order_due, game, now, seat=seat, asked_at=asked_at)
        for game, seat, asked_at in due.answers:
            await self._answer(self.services.clocks.time_up, game, now, seat=seat, asked_at=asked_at)
        if due.reminders:
            await self._attempt(self.services.clocks.remind())
        if due.waits:
            await self._attempt(self.services.clocks.escalate())
        return await self.services.agenda.due() if due.orders or due.answers or due.reminders or due.waits else due

    async def _end(self, due: Due, now: datetime) -> Due:
        """End what has lasted until now, and tell of games; what is due then."""
        back = due.next.absence is not None and due.next.absence <= now
        services = self.services
        deeds = [deed for is_due, deed in (
            (back, partial(services.seats.returned, now)), (due.requests, services.undo_requests.end_late_requests),
            (due.openings, services.interests.tell_openings), (due.starts, services.lobby.call_late_starts),
            (due.offers, services.stand_ins.end_late_offers), (due.votes, services.replacements.settle_votes)) if is_due]
        for deed in deeds:
            await self._attempt(deed())
        return await self.services.agenda.due() if deeds else due

    async def _answer(self, deed: Callable[..., Awaitable[object]], game: int, now: datetime, **question: object) -> None:
        """Do what cannot wait any longer, such as answering a question, unless that has just failed in this game."""
        if self._rests.get(game, now) > now:
            return
        try:
            await deed(game, **question)
            self.bot.outbox.answered(game)
            self._rests.pop(game, None)
        except Refusal as why:
            log.warning("game %s: a deadline could not be dealt with (%s)", game, type(why).__name__)
            self._rests[game] = now + REST
        except Exception as error:
            await note(self.services, error, "clock", game, **question)
            self._rests[game] = now + REST

    async def _attempt(self, deed: Awaitable[None]) -> None:
        try:
            await deed
        except Exception as error:
            await note(self.services, error, "clock")
