"""How often a game posts pictures, and how often the new games of a server do: chosen under `/settings`, by taps."""
from __future__ import annotations

from typing import Literal

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord.components import Route, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.find_game import managed
from bot.discord.game.buttons import SETTINGS
from bot.discord.game_master.commands import require_gm
from bot.discord.responses import reply
from bot.discord.visits import number_of
from bot.domain.announcements import Posting
from engine.text import Text, say, text

POSTINGS: dict[Posting, Text] = {"turns": text("Pictures after each turn"), "rounds": text("Pictures after each round"),
                                 "request": text("Pictures only on request")}
WHAT = text("How often should I post pictures? In words I always report what happens as soon as it's final.")
Whose = Literal["game", "server"]
POSTING = Route[Whose, int]("posting")
CHOSEN = Route[Whose, int, Posting]("setposting")


@in_game(POSTING)
async def on_posting(interaction: Interaction, whose: Whose, visit: Visit | None) -> None:
    """Choose how often pictures are posted: in one game, or in the new games of the present server."""
    if visit is None or whose == "server":
        now = (await interaction.client.services.settings.server(await managed(interaction))).posting
    else:
        await require_gm(interaction, visit)
        now = visit.game.posting
    known = [SelectOption(label=say(words), value=value, default=value == now) for value, words in POSTINGS.items()]
    await reply(interaction, WHAT, view([select(known, on_chosen, whose, number_of(visit)),
                                         button(text("Back"), SETTINGS, whose, number_of(visit))]))


@in_game(CHOSEN)
async def on_chosen(interaction: Interaction, whose: Whose, visit: Visit | None, posting: Posting) -> None:
    settings = interaction.client.services.settings
    if visit is None or whose == "server":
        await settings.set_server_posting(await managed(interaction), posting)
        told = text("New games on this server: {posting}.", posting=POSTINGS[posting])
    else:
        await require_gm(interaction, visit)
        await settings.set_posting(visit.id, visit.user, posting)
        told = text("This game: {posting}.", posting=POSTINGS[posting])
    await reply(interaction, told, view([button(text("Back"), SETTINGS, whose, number_of(visit))]))
