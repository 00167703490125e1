"""The ways to standing orders from elsewhere, as buttons; `overview`, `editor` and `packets` are what they lead to."""
from __future__ import annotations

from collections.abc import Iterator

from bot.core.visit import Visit
from bot.discord.components import Persistent, Route, Style, button
from bot.discord.game.extras import extra
from engine.kernel import Action, Seat, Table
from engine.orders import LEAST, MOST, Offer, offer_text
from engine.text import Text, text

NOT = "don't "                  # how an offer begins that refuses something
SEVERAL = 2                     # spans that an order can last for, where its question comes again

ORDERS = Route[int, int]("orders")              # game, page
ALWAYS_SO = Route[int, str, str]("always")         # game, question, offer
PACKET = Route[int]("packet")                   # game
SERIES = Route[int, str]("series")              # game, question
SERIES_AGAIN = Route[int, str, *tuple[str, ...]]("seriesagain")         # game, question, what had been chosen
ADD = Route[int, str]("orderadd")               # game, which kind of order
ADD_FOR = Route[int, str]("ordernew")            # game, question
EDIT = Route[int, int]("orderedit")             # game, order
DESK = Route[int]("desk")                       # game


@extra(1)
def given_at_once(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    ordering, live = visit.spec.orders, visit.table
    found = ordering.series(live.state, seat) if ordering is not None and not live.over else None
    if found is not None:
        yield button(found[1].words, SERIES, visit.id, found[0].no, style=Style.success)


@extra(50)
def orders(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if visit.spec.orders is not None and not visit.table.over:
        yield button(text("Orders"), ORDERS, visit.id, 0)


def always(game: int, table: Table, seat: Seat, action: Action) -> Iterator[Persistent]:
    """A button that makes an order of the answer which the seat is about to give, if an offer without blanks says it.

    None for what is decided anew each time: votes, the steps of one's own turn, and what is asked once in a game.
    """
    question, ordering = table.asked(seat), table.spec.orders
    point = ordering.point(question.point) if ordering is not None and question is not None else None
    if ordering is None or point is None or point.vote or point.no in ordering.written or len(point.lasts) < SEVERAL:
        return
    offer = next((offer for offer in point.offers if _says(offer, action)), None)
    if offer is not None:
        yield button(_always(offer_text(table.spec, offer)), ALWAYS_SO, game, point.no, offer.key)


def _always(answer: Text) -> Text:
    """"Always fight at sea", "Never use Reserves"."""
    refused = answer.template.removeprefix(NOT)
    if refused != answer.template:
        return text("Never {answer}", answer=Text(refused, answer.facts))
    return text("Always {answer}", answer=answer)


def _says(offer: Offer, action: Action) -> bool:
    """True if an offer means this answer and can mean no other."""
    if offer.slots or offer.capped or offer.verb != action.verb:
        return False
    if any(getattr(action, name) != part.default for name, part in type(action).model_fields.items() if name not in offer.fields):
        return False
    return all(wish not in (MOST, LEAST) and getattr(action, name, None) == wish for name, wish in offer.fields.items())
