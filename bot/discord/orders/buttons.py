"""The ways to standing orders from elsewhere, as buttons; `overview`, `editor` and `packets` are what they lead to."""
from __future__ import annotations

from collections.abc import Iterator

from bot.discord.components import Persistent, Route, button
from engine.kernel import Action, Seat, Table
from engine.orders import LEAST, MOST, Offer
from engine.text import text

ORDERS = Route[int, int]("orders")              # game, page
ALWAYS_SO = Route[int, str, str]("always")         # game, question, offer
PACKET = Route[int]("packet")                   # game
ADD = Route[int, str]("orderadd")               # game, which kind of order
EDIT = Route[int, int]("orderedit")             # game, order
DESK = Route[int]("desk")                       # game


def orders(game: int, table: Table) -> Iterator[Persistent]:
    """A button that leads to one's own standing orders, in a game that takes any."""
    if table.spec.orders is not None and not table.over:
        yield button(text("Orders"), ORDERS, game, 0)


def always(game: int, table: Table, seat: Seat, action: Action) -> Iterator[Persistent]:
    """A button that makes an order of the answer which the seat is about to give, if an offer without blanks says it."""
    question, ordering = table.asked(seat), table.spec.orders
    point = ordering.point(question.point) if ordering is not None and question is not None else None
    offer = next((offer for offer in point.offers if _says(offer, action)), None) if point is not None else None
    if point is not None and offer is not None:
        yield button(text("Always answer so"), ALWAYS_SO, game, point.no, offer.key)


def _says(offer: Offer, action: Action) -> bool:
    """Whether an offer means this answer and can mean no other."""
    if offer.slots or offer.capped or offer.verb != action.verb:
        return False
    if any(getattr(action, name) != part.default for name, part in type(action).model_fields.items() if name not in offer.fields):
        return False
    return all(wish not in (MOST, LEAST) and getattr(action, name, None) == wish for name, wish in offer.fields.items())
