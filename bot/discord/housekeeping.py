"""Once an hour: servers that have removed the bot or have it back, what is kept no longer, results of earlier games, threads that
have gone to sleep, games that stand still or are paused for long, open ones that nobody joins, weekly summaries."""
from __future__ import annotations

from functools import partial

from bot.discord.context import Context
from bot.discord.errors import note
from bot.discord.periodic import Periodic
from bot.service.results import AT_ONCE

LOOK = 3600             # seconds between two looks
SOON = 60               # the same as long as results of earlier games are to be worked out


class Housekeeping:
    """Looks once an hour what can go, and which result is not noted yet."""

    def __init__(self, bot: Context) -> None:
        self.bot = bot
        self.look = Periodic(self._look, seconds=LOOK)

    def start(self) -> None:
        """Begin to look."""
        self.look.before_loop(self.bot.wait_until_ready)
        self.look.start()

    def stop(self) -> None:
        """Look no more."""
        self.look.cancel()

    async def _look(self) -> None:
        """One look; a job that fails holds up no other, and the next look does it."""
        services, guilds = self.bot.services, self.bot.guilds
        for job in (partial(services.personal_data.look_at_servers, {guild.id for guild in guilds}),
                    services.retention.drop_needless, self.bot.outbox.rouse_sleepers, services.standstills.call_servers,
                    services.standstills.call_about_pauses, services.open_tables.look_after_open_tables,
                    partial(services.weekly.tell_servers, {guild.id for guild in guilds if not guild.unavailable}),
                    services.weekly.tell_members, self._work_out_results):
            try:
                await job()
            except Exception as error:
                await note(services, error, "housekeeping")

    async def _work_out_results(self) -> None:
        more = await self.bot.services.results.work_out_missing() == AT_ONCE
        self.look.change_interval(seconds=SOON if more else LOOK)
