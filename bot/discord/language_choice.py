"""In which language a member reads, and a game and a server are written in: chosen under `/settings` and below an open game."""
from __future__ import annotations

from typing import Final

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord.components import Persistent, Route, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.find_game import managed
from bot.discord.game.buttons import SETTINGS, Page
from bot.discord.game_master.commands import require_gm
from bot.discord.languages import of_presser
from bot.discord.lobby.buttons import OPTIONS
from bot.discord.responses import reply
from bot.discord.visits import number_of
from engine.text import LANGUAGE, Text, say, text, verbatim
from engine.text.languages import ENGLISH, LANGUAGES

AS_ON_DISCORD: Final = "-"
READ = Route[Page, int]("language")
CHOSEN = Route[Page, int, str]("setlanguage")
WHAT: dict[Page, Text] = {"me": text("Which language do you want to read?"),
                          "game": text("Language of the game's messages"),
                          "server": text("Which language for new games, the noticeboard and the weekly summary?")}


def language_button(whose: Page, game: int) -> list[Persistent]:
    """What opens the list of languages; nothing as long as there is only one."""
    return [button(text("Language"), READ, whose, game)] if len(LANGUAGES) > 1 else []


def choosing(whose: Page, game: int, now: str | None) -> Persistent:
    """A list of the languages, each by its own name; for a member and a server also the one that Discord has."""
    own = [] if whose == "game" else [SelectOption(label=say(text("As on Discord")), value=AS_ON_DISCORD, default=now is None)]
    return select([*own, *(SelectOption(label=known.own_name, value=code, default=code == now)
                           for code, known in LANGUAGES.items())], CHOSEN, whose, game, hint=WHAT[whose])


@in_game(READ)
async def on_read(interaction: Interaction, whose: Page, visit: Visit | None) -> None:
    """Choose a language: the presser's, a game's, or the present server's."""
    known, number = interaction.client.services.session.languages, number_of(visit)
    if whose == "game" and visit is not None:
        await require_gm(interaction, visit)
        now: str | None = visit.game.spoken.code
    elif whose == "server":
        now = known.servers.get(await managed(interaction))
    else:
        now, _ = known.members.get(interaction.user.id, (None, None))
    await reply(interaction, WHAT[whose], view([choosing(whose, number, now), button(text("Back"), SETTINGS, whose, number)]))


@in_game(CHOSEN)
async def on_chosen(interaction: Interaction, whose: Page, visit: Visit | None, code: str) -> None:
    services, chosen = interaction.client.services, code if code in LANGUAGES else None
    name = text("as on Discord") if chosen is None else verbatim(LANGUAGES[chosen].own_name)
    if whose == "game" and visit is not None:
        await require_gm(interaction, visit)
        await services.settings.set_game_language(visit.id, visit.user, chosen or ENGLISH.code)
        told = text("Language of this game's messages: {language}.", language=name)
    elif whose == "server":
        guild = await managed(interaction)
        await services.settings.set_server_language(guild, chosen)
        interaction.client.outbox.boards.retry(guild)
        told = text("Language of this server: {language}.", language=name)
    else:
        await services.settings.set_language(interaction.user.id, chosen)
        told = text("Your language: {language}.", language=name)
    LANGUAGE.set(of_presser(interaction))
    back = (button(text("Back"), OPTIONS, visit.id) if whose == "game" and visit is not None and visit.game.status == "open" else
            button(text("Back"), SETTINGS, whose, number_of(visit)))
    await reply(interaction, told, view([back]))
