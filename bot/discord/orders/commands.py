"""/orders: standing orders, written turns and answers in advance, for their author alone."""
from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice

from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.languages import as_typed, means
from bot.discord.lengths import NAME, clip
from bot.discord.orders.editor import begin
from bot.discord.orders.overview import Place, next_first, place_of, show_orders
from bot.discord.orders.packets import show_packet
from bot.discord.responses import suggestions
from bot.domain import order_drafts
from bot.domain.order_drafts import Draft
from engine.text import text


class Orders(app_commands.Group):
    """What is to be answered before anybody is asked; private, and by taps."""

    def __init__(self) -> None:
        super().__init__(name="orders", description="Move in advance: standing orders and written turns",
                         allowed_contexts=CONTEXTS)

    @app_commands.command(name="list", description="Your standing orders: read, change, move, pause, drop")
    @about_a_game()
    async def listing(self, interaction: Interaction, game: str | None = None) -> None:
        await show_orders(interaction, await place_of(interaction, await visit_meant(interaction, game)))

    @app_commands.command(description="Write a standing order: if this happens, then do that")
    @about_a_game(question="For which decision? Blank: choose from a list")
    async def add(self, interaction: Interaction, question: str | None = None, game: str | None = None) -> None:
        place = await place_of(interaction, await visit_meant(interaction, game))
        draft = Draft() if question is None else order_drafts.for_point(place.ordering, _meant(place, question))
        await begin(interaction, place, draft)

    @app_commands.command(description="Write your next turn. I play as much of it as I can, then it's up to you")
    @about_a_game()
    async def turn(self, interaction: Interaction, game: str | None = None) -> None:
        place = await place_of(interaction, await visit_meant(interaction, game))
        await begin(interaction, place, order_drafts.turn(place.ordering))

    @app_commands.command(description="Decide in advance whatever may come up now, or in your next turn")
    @about_a_game()
    async def prepare(self, interaction: Interaction, game: str | None = None) -> None:
        await show_packet(interaction, await place_of(interaction, await visit_meant(interaction, game)))

    @add.autocomplete("question")
    @helping
    async def _questions(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        place = await place_of(interaction, await visit_meant(interaction, getattr(interaction.namespace, "game", None)))
        named = [(place.say(text(point.title)), point.no) for point in next_first(place)]
        return suggestions([Choice(name=clip(title, NAME), value=no) for title, no in named
                            if typed.casefold() in f"{title} {no}".casefold()])


def _meant(place: Place, wanted: str) -> str:
    """The number of the question that somebody typed by number or title; an unknown one is refused later."""
    fits = [point.no for point in place.ordering.points
            if as_typed(wanted) == point.no.casefold() or means(wanted, text(point.title))]
    return fits[0] if fits else wanted
