"""The signs of powers among words, as emoji of this application; where there are none, the words are the same."""
from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TypeAlias

import aiohttp
import discord

from bot.discord.context import Context
from bot.discord.errors import note
from bot.domain.announcements import MESSAGE
from bot.store import GameRow

NAMED, DIGITS = 20, 10          # characters of an emoji's name: of the power's id, and of what says how it looks; 32 at most
CODE = r"```.*?```|`[^`\n]*`"    # shown as it is written, an emoji too

DrawEmblems: TypeAlias = Callable[[str], Mapping[str, bytes]]

log = logging.getLogger(__name__)


def emblems(game: str) -> Mapping[str, bytes]:
    """The signs of a game's powers as files, by the ids of the powers; none without the fonts."""
    from renderer import NoMaterial, emblems as drawn  # Pillow and its fonts wait until a picture is wanted

    try:
        return drawn(game)
    except NoMaterial:
        return {}


class Icons:
    """The emoji of this application that show the signs of powers. Each is uploaded once, under a name that says how it looks."""

    def __init__(self, bot: Context, draw: DrawEmblems | None) -> None:
        """`draw` gives the signs of a game's powers; None: there are no icons."""
        self._bot, self._draw = bot, draw
        self._known: dict[str, dict[str, str]] = {}             # game's key -> power -> its emoji in a message
        self._loading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Find out which emoji there are, and upload what is missing; nobody waits for it."""
        if self._draw is not None:
            self._loading = asyncio.create_task(self._load(self._draw))

    def stop(self) -> None:
        """Upload no more."""
        if self._loading is not None:
            self._loading.cancel()

    async def _load(self, draw: DrawEmblems) -> None:
        try:
            there = {emoji.name: emoji for emoji in await self._bot.fetch_application_emojis()}
            for spec in self._bot.games:
                shown = await asyncio.to_thread(draw, spec.key)
                for power, image in shown.items():
                    name = f"{power[:NAMED]}_{sha256(image).hexdigest()[:DIGITS]}"
                    if name not in there:
                        there[name] = await self._bot.create_application_emoji(name=name, image=image)
                    self._known.setdefault(spec.key, {})[power] = str(there[name])
        except (discord.HTTPException, aiohttp.ClientError, OSError) as refused:
            log.info("some icons are missing, so words are shown without them (%s)", type(refused).__name__)
        except Exception as error:
            await note(self._bot.services, error, "icons")

    async def illustrated(self, words: str, game: GameRow) -> str:
        """The same words with the sign of a power before its name where that heads an entry, "France: ...", if that fits into one
        message."""
        signs = self._known.get(game.key)
        if not signs:
            return words
        reader = await self._bot.services.queries.reader(game.id)
        named = {reader.name(power): sign for power, sign in signs.items()}
        names = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))

        def headed(found: re.Match[str]) -> str:
            return f"{named[found[0]]} {found[0]}" if found["name"] is not None else found[0]

        told = re.sub(rf"{CODE}|(?<!\w)(?P<name>{names})(?=\**: )", headed, words, flags=re.DOTALL)
        return told if len(told) <= MESSAGE else words
