"""The thread in which a game is played: its tags, in a forum, and whether it is awake; looked after whenever news were sent."""
from __future__ import annotations

import logging
from typing import Any

import discord

from bot.core.visit import Onlooker
from bot.discord.channels import WEEK
from bot.discord.find_game import FINISHED
from bot.discord.forums import APPLIED, forum_of, rules_over, state_of, tags_of
from bot.discord.outbox.delivery import Delivery
from bot.discord.refusals import meaning

DAY = 1440                      # minutes of silence after which the thread of a finished game is put away

log = logging.getLogger(__name__)


class GameThreads(Delivery):
    """What becomes of a game's thread. All that is wanted follows from the games in the store, and is compared with what Discord
    shows: a change that failed, or was cut off, is made with the next look."""

    async def _keep_place(self, visit: Onlooker) -> bool:
        """Have the threads of a game as they should be; False if Discord could not do it just now."""
        numbers = [visit.game.channel]
        if isinstance(self.bot.get_channel(visit.game.channel), discord.Thread) or visit.game.status in FINISHED:
            talk = await self.services.channels.thread(visit.id)
            numbers += [talk] if talk is not None else []
        return all([await self._keep_thread(number) for number in numbers])

    async def _keep_thread(self, number: int) -> bool:
        thread = self.bot.get_channel(number)
        if not isinstance(thread, discord.Thread) or not rules_over(self.bot, thread):
            return True
        try:
            change = await self._wanted(thread)
            if change:
                await thread.edit(**change)
        except discord.HTTPException as refused:
            log.info("thread %s: it cannot be looked after (%s)", number, refused.code)
            return meaning(refused) != "later"
        return True

    async def _wanted(self, thread: discord.Thread) -> dict[str, Any]:
        """Return what is to be changed of a thread; nothing if it is as it should be."""
        talked = await self.services.channels.talked_in(thread.id)
        games, free = ([talked], set[int]()) if talked is not None else await self.services.forums.in_thread(thread.id)
        change: dict[str, Any] = {}
        if not games:
            return change
        minutes = DAY if all(game.status in FINISHED for game in games) else WEEK
        if thread.auto_archive_duration != minutes and self.bot.user is not None and thread.owner_id == self.bot.user.id:
            change["auto_archive_duration"] = minutes
        forum = forum_of(thread)
        if forum is not None and talked is None:
            known, state = await tags_of(self.bot, forum), state_of(games, free)
            own = {tag.id for tag in known.values()}
            kept = [tag for tag in thread.applied_tags if tag.id not in own]
            wanted = [*kept, *(tag for key, tag in known.items() if key in state)][-APPLIED:]
            if (wanted or not forum.flags.require_tag) and {tag.id for tag in wanted} != {tag.id for tag in thread.applied_tags}:
                change["applied_tags"] = wanted
        return change

    async def rouse_sleepers(self) -> None:
        """Fetch back the threads of games under way that Discord has put away in a week without news; those that somebody has
        locked stay where they are."""
        for game in await self.services.forums.alive():
            guild = self.bot.get_guild(game.guild or 0)
            if guild is None or guild.unavailable or guild.get_channel_or_thread(game.channel) is not None:
                continue
            try:
                found = await self.bot.fetch_channel(game.channel)
                if isinstance(found, discord.Thread) and found.archived and not found.locked:
                    await found.edit(archived=False)
            except discord.HTTPException as refused:
                log.info("game %s: its thread cannot be fetched back (%s)", game.id, refused.code)
