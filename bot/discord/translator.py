"""What Discord says of commands, in its languages: descriptions, choices, and what the Apps menu of a message offers.

The names of commands and options are the same in all languages, so that texts, and people, can tell each other what to type.
"""
from __future__ import annotations

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Location, TranslationContextTypes, locale_str

from bot.discord.lengths import NAME
from bot.domain.languages import language_of
from engine.text.languages import LANGUAGES

MENU = 32                   # characters of what the Apps menu of a message offers
NAMED = (Location.command_name, Location.group_name, Location.parameter_name)


class Translator(app_commands.Translator):
    """Looks up each word of a command by its English. Hebrew is left out, which the library doesn't know."""

    async def translate(self, string: locale_str, locale: Locale, context: TranslationContextTypes) -> str | None:
        """None where English stays, also in the place of what Discord would refuse."""
        code, message = language_of(locale.value), str(string)
        said = message if code is None else LANGUAGES[code].gettext(message)
        menu = isinstance(context.data, app_commands.ContextMenu)
        if said == message or (context.location in NAMED and not menu):
            return None
        return said if len(said) <= (MENU if menu else NAME) else None
