"""What a member of a game knows of undoing the own last answer, and what coming by does."""
from __future__ import annotations

from bot.service import Services
from engine.kernel import Seat


async def undoable(services: Services, game: int, seat: Seat) -> int | None:
    """The newest row, if the member who plays a seat may take back its last answer."""
    user = next(holder.user for holder in await services.queries.holders(game) if holder.seat == seat)
    return None if user is None else (await services.visits.visit(game, user)).undoable


async def can_ask(services: Services, game: int, user: int) -> bool:
    return (await services.visits.visit(game, user)).can_ask_to_undo


async def shows_up(services: Services, game: int, user: int) -> bool:
    """True if a visit has ended the absence of a member who had not declared it."""
    return (await services.visits.visit(game, user)).lapsed and await services.seats.acts_again(game, user)
