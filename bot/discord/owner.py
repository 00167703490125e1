"""Direct messages to whoever runs the bot, about what goes wrong with it: see `bot.domain.troubles`."""
from __future__ import annotations

import logging
import shutil

import aiohttp
import discord

from bot.discord.context import Context
from bot.discord.direct_messages import TooManyOpened
from bot.discord.languages import of_member
from bot.discord.periodic import Periodic
from bot.discord.refusals import lasting
from engine.text import lines, say, text
from engine.text.languages import speaking

LOOK = 60               # seconds between two looks

log = logging.getLogger(__name__)


class Owner:
    """Tells the owner of the application, or of its team, what goes wrong."""

    def __init__(self, bot: Context) -> None:
        self.bot = bot
        self.look = Periodic(self._look, seconds=LOOK)

    def start(self) -> None:
        self.look.before_loop(self.bot.wait_until_ready)
        self.look.start()

    def stop(self) -> None:
        self.look.cancel()

    async def _look(self) -> None:
        """One look; while Discord is unwell, the next one tells it."""
        services, backups = self.bot.services, self.bot.backups
        folders = {services.session.store.path.parent, *([backups.folder] if backups is not None else [])}
        free = min(shutil.disk_usage(folder).free for folder in folders if folder.is_dir())
        news = await services.trouble_reports.troubles_to_tell(copy=None if backups is None else backups.failed, free=free)
        if not news:
            return
        words = lines([text("**Your bot needs you.**"), *[text("- {news}", news=one) for one in news.values()],
                       text("-# Of each of these I tell you once a day at most. `/chancery health` says how I'm doing.")])
        try:
            owner = await self._whose()
            with speaking(of_member(self.bot, owner)):
                said = say(words)
            await (await self.bot.directs.to(owner)).send(said)
        except (discord.HTTPException, aiohttp.ClientError, OSError, TooManyOpened) as deaf:
            log.warning("whoever runs the bot can't be told what is wrong with it (%s)", type(deaf).__name__)
            if not lasting(deaf):
                return
        await services.trouble_reports.troubles_told([*news])

    async def _whose(self) -> int:
        application = await self.bot.application_info()
        team = application.team
        return team.owner_id if team is not None and team.owner_id is not None else application.owner.id
