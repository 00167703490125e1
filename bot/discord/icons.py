"""The signs of powers and nouns among words, as emoji of this application; where there are none, the words are the same."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TypeAlias

import aiohttp
import discord

from bot.core.visit import Visit
from bot.domain.announcements import MESSAGE
from bot.domain.signs import noun_patterns, signed
from bot.service import Services
from bot.store import GameRow
from engine.text import LANGUAGE, Reader

NAMED, DIGITS = 20, 10          # characters of an emoji's name: of the sign's id, and of what says how it looks; 32 at most
PACKS = 16                      # sets of components whose nouns are kept

DrawEmblems: TypeAlias = Callable[[str], Mapping[str, bytes]]

log = logging.getLogger(__name__)


def emblems(game: str) -> Mapping[str, bytes]:
    """The signs of a game's powers and nouns as files, by their ids; none without the fonts."""
    from renderer import NoMaterial, emblems as drawn  # Pillow and its fonts wait until a picture is wanted

    try:
        return drawn(game)
    except NoMaterial:
        return {}


def colours(game: str) -> Mapping[str, int]:
    """The colours of a game's powers as numbers, by their ids."""
    from renderer import colours as mixed

    return {power: (red << 16) + (green << 8) + blue for power, (red, green, blue) in mixed(game).items()}


class Icons:
    """The emoji of this application that show the signs of powers and nouns. Each is uploaded once, under a name that says how it
    looks.

    They stand in what is said and never on a button or in a list: where one has been deleted, Discord shows its name among words,
    but refuses the whole message with such a button.
    """

    def __init__(self, bot: discord.Client, services: Services, draw: DrawEmblems | None) -> None:
        """`draw` gives the signs of a game; None: there are no icons."""
        self._bot, self._services, self._draw = bot, services, draw
        self._colours: dict[str, Mapping[str, int]] = {}        # game's key -> power -> its colour
        self._known: dict[str, dict[str, str]] = {}             # game's key -> power or noun -> its emoji in a message
        self._nouns: dict[tuple[object, ...], dict[str, str]] = {}      # game's key, hash of components, language -> patterns
        self._loading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Find out which emoji there are, and upload what is missing; nobody waits for it."""
        if self._draw is not None:
            self._loading = asyncio.create_task(self._load(self._draw))

    def stop(self) -> None:
        if self._loading is not None:
            self._loading.cancel()

    async def _load(self, draw: DrawEmblems) -> None:
        try:
            for key in self._services.session.specs:
                self._colours[key] = await asyncio.to_thread(colours, key)
            there = {emoji.name: emoji for emoji in await self._bot.fetch_application_emojis()}
            for key in self._services.session.specs:
                shown = await asyncio.to_thread(draw, key)
                for sign, image in shown.items():
                    name = f"{sign[:NAMED]}_{sha256(image).hexdigest()[:DIGITS]}"
                    if name not in there:
                        there[name] = await self._bot.create_application_emoji(name=name, image=image)
                    self._known.setdefault(key, {})[sign] = str(there[name])
        except (discord.HTTPException, aiohttp.ClientError, OSError) as refused:
            log.info("some icons are missing, so words are shown without them (%s)", type(refused).__name__)
        except Exception as error:
            await self._services.session.incident(error, {"deed": "", "work": "icons", "given": {}}, None)

    def sign(self, game: GameRow, power: str) -> str:
        """The sign of a power before its name; "" if it has none."""
        sign = self._known.get(game.key, {}).get(power)
        return "" if sign is None else f"{sign} "

    def colour(self, game: GameRow, power: str) -> int | None:
        """The colour of a power; None if it is not known."""
        return self._colours.get(game.key, {}).get(power)

    def illustrated(self, words: str, visit: Visit, most: int = MESSAGE) -> str:
        """Return these words with the sign of a power before its name where that heads an entry, "France: ...", and with those
        of units, dice, goods and cards before them, "2 armies", if that has at most so many characters."""
        signs = self._known.get(visit.game.key)
        if not signs:
            return words
        nouns = self._nouns_of(visit)
        heads = {visit.reader.name(power): sign for power, sign in signs.items() if power not in nouns}
        return signed(words, heads, nouns, signs, most)

    def _nouns_of(self, visit: Visit) -> dict[str, str]:
        """Return what the nouns of a game look like that have a sign."""
        if visit.parts is None:
            return {}
        key, said = (visit.game.key, visit.game.pack_hash, LANGUAGE.get()), visit.spec.words
        if key not in self._nouns:
            if len(self._nouns) >= PACKS:
                self._nouns.clear()
            self._nouns[key] = noun_patterns(said.signs(visit.parts), Reader(said.names(visit.parts)))
        return self._nouns[key]
