"""Commands that are named in an answer: where Discord knows them, a tap types them."""
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

import discord
from discord.app_commands import AppCommand, AppCommandGroup, Argument

from bot.domain.announcements import MESSAGE

NAMED = re.compile(r"```.*?```|`/(?P<whole>[^`\n]+)`|`[^`\n]*`|(?<![\w/<\\])/(?P<words>[a-z][-_a-z0-9]*(?: [-_a-z0-9]+){0,2})",
                   re.DOTALL)
OPTION = re.compile(r" [-_a-z0-9]+:")           # after a command that is to be typed with an option: a tap could not fill that in

Synced: TypeAlias = AppCommand | AppCommandGroup | Argument


class CommandMentions:
    """The commands as Discord knows them since the bot's start; before it has said so, they stay plain words."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}        # a command without its slash -> how it is mentioned

    def learn(self, synced: Iterable[Synced]) -> None:
        """Note what Discord has said of the commands. A group has no mention: only what is below it can be typed."""
        for one in synced:
            if isinstance(one, Argument) or (isinstance(one, AppCommand) and one.type is not discord.AppCommandType.chat_input):
                continue
            below = [option for option in one.options if isinstance(option, AppCommandGroup)]
            if below:
                self.learn(below)
            else:
                self._known[one.qualified_name if isinstance(one, AppCommandGroup) else one.name] = one.mention

    def clickable(self, words: str) -> str:
        """Return these words with the commands in them as mentions, if that fits into one message."""
        told = NAMED.sub(self._mention, words) if self._known else words
        return told if len(told) <= MESSAGE else words

    def _mention(self, found: re.Match[str]) -> str:
        """A command in backticks, or the longest one with which words after a slash begin."""
        words = found["words"]
        if words is None:
            return self._known.get(found["whole"], found[0])
        for end in (space.start() for space in reversed([*re.finditer(r" |$", words)])):
            if words[:end] in self._known and not OPTION.match(found.string, found.start("words") + end):
                return f"{self._known[words[:end]]}{words[end:]}"
        return found[0]
