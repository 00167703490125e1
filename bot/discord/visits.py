"""The visit of whoever pressed or typed: made once, when it is known which game is meant, and handed on."""
from __future__ import annotations

from typing import Any

import discord

from bot.core.visit import Visit
from bot.discord.context import Interaction
from bot.discord.sanitize import known_as
from bot.discord.visibility import Sight
from engine.refusals import Refusal

BACK = "back"               # among the extras of an interaction that has ended an absence: the number of the game


def visit_of(interaction: discord.Interaction[Any]) -> Visit | None:
    """The visit to the game that an interaction is about, as far as it came to know one."""
    visit: Visit | None = interaction.extras.get("visit")
    return visit


async def enter(interaction: Interaction, number: int) -> Visit:
    """Visit the game with this number. Raises Refusal, the same whether there is none or the caller does not see it."""
    return await entered(interaction, await seen(interaction, number))


async def seen(interaction: Interaction, number: int) -> Visit:
    """The same of a game that is looked at from elsewhere: it is not what the interaction is about."""
    visits, user = interaction.client.services.visits, interaction.user.id
    try:
        read = await visits.read(number, user)
    except Refusal:
        read = None
    if read is None or not await Sight(interaction).to(read.game, seated=read.seats(user)):
        raise Refusal("There is no game number {game} here. /game list shows the games there are.", game=number)
    return await visits.enter(read, user)


async def entered(interaction: Interaction, visit: Visit) -> Visit:
    """What the interaction is about is this game, which the caller sees. Whoever is away without a word does something with it:
    that ends the absence, and `game.absence` tells of it."""
    services, user = interaction.client.services, interaction.user
    if interaction.type is not discord.InteractionType.autocomplete:
        if visit.named_otherwise(known_as(user), interaction.guild_id):
            await services.queries.met(visit.id, user.id, known_as(user), interaction.guild_id)
        if visit.lapsed and await services.seats.acts_again(visit.id, user.id):
            interaction.extras[BACK] = visit.id
            visit = await services.visits.visit(visit.id, user.id)
    return note(interaction, visit)


def note(interaction: Interaction, visit: Visit) -> Visit:
    """What the interaction is about is this game, as it is now."""
    interaction.extras["visit"] = visit
    return visit


def number_of(visit: Visit | None) -> int:
    """The number of the game, as a custom id holds it; 0: there is none."""
    return 0 if visit is None else visit.id


async def again(interaction: Interaction, game: int) -> Visit:
    """The same game, after it has been changed."""
    return note(interaction, await interaction.client.services.visits.visit(game, interaction.user.id))
