"""Lists that open a form: shown anew as the form opens, so that the same entry can be chosen again if the form is cancelled.

Discord sends nothing when somebody chooses what a list shows already, and tells nobody that a form was cancelled. The answer to a
press that opens a form cannot change the message below it; the answer that made that message can, for a quarter of an hour. What
somebody has chosen in a list is remembered with the custom id of the list, so the list gets another number.
"""
from __future__ import annotations

import logging
import re

import aiohttp
import discord

from bot.discord.lengths import CUSTOM_ID

log = logging.getLogger(__name__)
MESSAGES_KEPT = 64                   # messages; those of a busy hour, in which most forms are sent or cancelled within a minute


class Renewals:
    """The latest private messages with lists, and what made each of them what it is."""

    def __init__(self, lists: str) -> None:
        """`lists` is what the custom ids begin with of lists whose entries may open a form."""
        self._lists = lists
        self._known: dict[int, tuple[discord.Interaction[discord.Client], discord.ui.View]] = {}

    def note(self, message: int, interaction: discord.Interaction[discord.Client], view: discord.ui.View | None) -> None:
        self._known.pop(message, None)
        if view is not None and any(item.type is discord.ComponentType.string_select for item in view.children):
            self._known[message] = interaction, view
            for oldest in [*self._known][:-MESSAGES_KEPT]:
                del self._known[oldest]

    async def renew(self, message: int) -> None:
        """Show what is below a message once more, with nothing chosen; nothing if it is too old."""
        interaction, view = self._known.get(message, (None, None))
        if interaction is None or interaction.is_expired():
            return
        for item in view.children if view is not None else ():
            if isinstance(item, discord.ui.DynamicItem):
                item.item.custom_id = renumbered(item.item.custom_id, self._lists)
        try:
            await interaction.edit_original_response(view=view)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as refused:
            log.info("the lists of a message cannot be shown anew (%s)", type(refused).__name__)
            self._known.pop(message, None)


def renumbered(custom_id: str, lists: str) -> str:
    """Return the custom id of a list with another number, which says nothing else; what is no such list stays as it is."""
    found = re.fullmatch(rf"({lists}:.*:)(\d+)", custom_id)
    anew = f"{found[1]}{(int(found[2]) + 10) % 100}" if found is not None else custom_id
    return anew if len(anew) <= CUSTOM_ID else custom_id
