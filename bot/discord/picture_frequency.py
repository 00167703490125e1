"""How often a game posts pictures, and how often the new games of a server do: chosen under `/settings`, by taps."""
from __future__ import annotations

from typing import Literal

from discord import SelectOption

from bot.discord.components import Route, button, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.find_game import managed
from bot.discord.game.buttons import SETTINGS
from bot.discord.game_master.commands import mastered
from bot.discord.responses import reply
from bot.domain.announcements import Posting
from engine.text import English, Text, say, text

POSTINGS: dict[Posting, Text] = {"turns": text("Pictures after each turn"), "rounds": text("Pictures after each round"),
                                 "request": text("Pictures only on request")}
WHAT = text("How often should I post pictures? In words I always report what happens as soon as it's final.")
Whose = Literal["game", "server"]
POSTING = Route[Whose, int]("posting")


@pressed(POSTING)
async def press_posting(interaction: Interaction, whose: Whose, game: int) -> None:
    """Choose how often pictures are posted: in one game, or in the new games of the present server."""
    settings = interaction.client.services.settings
    if whose == "server":
        now = await settings.server_posting(await managed(interaction))
    else:
        now = (await mastered(interaction, game)).posting
    known = [SelectOption(label=say(words, English()), value=value, default=value == now) for value, words in POSTINGS.items()]
    await reply(interaction, WHAT, view([select(known, press_chosen, whose, game),
                                         button(text("Back"), SETTINGS, whose, game)]))


@pressed("setposting")
async def press_chosen(interaction: Interaction, whose: Whose, game: int, posting: Posting) -> None:
    settings = interaction.client.services.settings
    if whose == "server":
        await settings.set_server_posting(await managed(interaction), posting)
        told = text("New games on this server: {posting}.", posting=POSTINGS[posting])
    else:
        row = await mastered(interaction, game)
        await settings.set_posting(row.id, interaction.user.id, posting)
        told = text("This game: {posting}.", posting=POSTINGS[posting])
    await reply(interaction, told, view([button(text("Back"), SETTINGS, whose, game)]))
