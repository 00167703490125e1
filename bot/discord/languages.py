"""In which language Discord's part of the bot speaks: to whoever presses, to a member, on a server."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.discord.context import Context, Interaction
from bot.discord.errors import note
from bot.domain.languages import language_of
from engine.text import LANGUAGE, Language, Reader, Text, say
from engine.text.hebrew import unmarked
from engine.text.languages import ENGLISH, LANGUAGES


def of_server(bot: Context, guild: int | None) -> Language:
    """What a server has chosen, or else its language on Discord."""
    found = bot.get_guild(guild or 0)
    seen = None if found is None else language_of(found.preferred_locale.value)
    return LANGUAGES.get(bot.services.session.languages.servers.get(guild or 0) or seen or "", ENGLISH)


def of_presser(interaction: discord.Interaction[Any]) -> Language:
    """What whoever presses or types has chosen, or else the presser's language on Discord, or the server's."""
    bot: Context = interaction.client
    chosen, _ = bot.services.session.languages.members.get(interaction.user.id, (None, None))
    code = chosen or language_of(interaction.locale.value)
    return LANGUAGES.get(code or "") or of_server(bot, interaction.guild_id)


def of_member(bot: Context, user: int) -> Language:
    """What a member reads to whom something is sent; of somebody of whom nothing is known, what is spoken now."""
    return bot.services.session.languages.of_member(user, LANGUAGE.get())


async def remember(interaction: Interaction) -> None:
    """Note the presser's language on Discord, for what is sent to the presser later, if there is a choice."""
    if len(LANGUAGES) < 2:
        return
    services = interaction.client.services
    try:
        await services.settings.seen(interaction.user.id, language_of(interaction.locale.value))
    except Exception as error:                          # what was asked for is done; this was a courtesy
        await note(services, error, "courtesy")


def in_all(words: Text) -> tuple[str, ...]:
    """Words as each language has them, unmarked: by what a message or a tag says, it is found again."""
    return tuple(dict.fromkeys(unmarked(say(words, Reader(language=language))) for language in LANGUAGES.values()))


def as_typed(words: str) -> str:
    """Words as people type them: in small letters, without blanks around them and without marks."""
    return unmarked(words).strip().casefold()


def means(typed: str, words: Text) -> bool:
    """True if somebody has typed these words, in any language."""
    return as_typed(typed) in map(as_typed, in_all(words))


def called(id: str, reader: Reader) -> list[str]:
    """What people type for something: its name as they read it, or in English; its id."""
    return [*map(as_typed, (reader.name(id), replace(reader, language=ENGLISH).name(id), id))]
