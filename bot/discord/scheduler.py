"""The scheduler: what is due is done at its moment, and once an hour what can wait for that."""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.discord.context import Context
from bot.discord.errors import note
from bot.discord.game_master.succession import look_after_masters
from bot.discord.periodic import Periodic
from bot.domain.absence import OFTEN
from bot.service.results import AT_ONCE

PULSE = 30                      # seconds between looks, unless something is due sooner
SIGN = timedelta(minutes=2)     # between signs of life
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SOON = 60                       # until the next chores, as long as results of earlier games are to be worked out


class Scheduler:
    """Sleeps until something is due, half a minute at most, and has it done. Chores, which may take long, run beside it."""

    def __init__(self, bot: Context) -> None:
        self.bot, self.services = bot, bot.services
        self.longest: float = PULSE                             # seconds between two looks; a simulation takes fewer
        self._seen: datetime | None = None                      # the last sign of life
        self._hour: datetime | None = None                      # the last look at `seldom` kinds
        self._day: datetime | None = None                       # the last daily chore
        self.beat = Periodic(self._beat, seconds=PULSE)
        self.chores = Periodic(self._chores, seconds=HOUR.total_seconds())

    def start(self) -> None:
        """Begin; the time for which the bot was off is nobody's."""
        for loop in (self.beat, self.chores):
            loop.before_loop(self.bot.wait_until_ready)
            loop.start()

    def stop(self) -> None:
        """End; what is under way in the store is finished there."""
        self.beat.cancel()
        self.chores.cancel()

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
        if _over(SIGN, self._seen, now):
            await self.services.clocks.beat()
            self._seen = now
            try:
                await self.services.outbox.prune()
            except Exception as error:
                await note(self.services, error, "clock")
        seldom = _over(HOUR, self._hour, now)
        following = await self.services.timers.look(*(() if seldom else OFTEN), answered=self.bot.outbox.answered)
        self._hour = now if seldom else self._hour
        return following

    async def _chores(self) -> None:
        """What needs no moment of its own; what fails holds up nothing else, and is done the next time."""
        services, guilds = self.bot.services, self.bot.guilds
        chores: list[Callable[[], Awaitable[object]]] = [
            partial(services.personal_data.look_at_servers, {guild.id for guild in guilds}), services.retention.drop_needless,
            self.bot.outbox.rouse_sleepers, services.weekly.tell_members, self._work_out_results,
            partial(services.weekly.tell_servers, {guild.id for guild in guilds if not guild.unavailable})]
        if _over(DAY, self._day, now := discord.utils.utcnow()):
            self._day = now
            chores.append(partial(look_after_masters, self.bot))
        for chore in chores:
            try:
                await chore()
            except Exception as error:
                await note(services, error, "housekeeping")

    async def _work_out_results(self) -> None:
        more = await self.services.results.work_out_missing() == AT_ONCE
        self.chores.change_interval(seconds=SOON if more else HOUR.total_seconds())


def _over(span: timedelta, since: datetime | None, now: datetime) -> bool:
    """True if so much time lies between two moments, whichever way the wall clock was set, or if there is no first one."""
    return since is None or abs(now - since) >= span
