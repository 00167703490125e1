"""The commands in the languages of Discord: their names, what is said of them, their options and choices."""
from __future__ import annotations

import re

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Location, TranslationContextTypes, locale_str

from bot.discord.lengths import NAME
from bot.domain.languages import language_of
from engine.text.languages import LANGUAGES

MENU = 32                   # characters of what the Apps menu of a message offers
NAMED = (Location.command_name, Location.group_name, Location.parameter_name)
TYPED = re.compile(r"[-_\w]{1,32}")         # the name of a command or of an option, in small letters


class Translator(app_commands.Translator):
    """Looks up each word of a command by its English. Hebrew is left out, which the library doesn't know."""

    async def translate(self, string: locale_str, locale: Locale, context: TranslationContextTypes) -> str | None:
        """None where English stays, also in the place of what Discord would refuse."""
        code, message = language_of(locale.value), str(string)
        said = message if code is None else LANGUAGES[code].gettext(message)
        if context.location not in NAMED:
            fits = len(said) <= NAME
        elif isinstance(context.data, app_commands.ContextMenu):
            fits = len(said) <= MENU
        else:
            fits = TYPED.fullmatch(said) is not None and said == said.lower()
        return said if fits and said != message else None
