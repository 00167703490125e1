"""What can be pressed below the first screen of a move besides the move itself: each feature registers its own."""
from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.core.visit import Visit
from bot.discord.components import Persistent, button
from bot.discord.game.buttons import MORE
from engine.kernel import Seat, Table
from engine.text import text

SHOWN = 3               # buttons beside those of the move, on a first screen

Extra = Callable[[Visit, Table, Seat], Iterable[Persistent]]

_extras: list[tuple[int, Extra]] = []


def extra(rank: int) -> Callable[[Extra], Extra]:
    """Register what a feature offers to a member whose seat stands at a table; the lowest rank comes first."""
    def register(offer: Extra) -> Extra:
        _extras.append((rank, offer))
        _extras.sort(key=lambda known: known[0])
        return offer
    return register


def extras(visit: Visit, table: Table, seat: Seat) -> list[Persistent]:
    """All that features offer, the most wanted first."""
    return [button for _, offer in _extras for button in offer(visit, table, seat)]


def few(visit: Visit, table: Table, seat: Seat) -> list[Persistent]:
    """The same for a first screen: at most SHOWN buttons, the last of which leads to the others."""
    found = extras(visit, table, seat)
    return found if len(found) <= SHOWN else [*found[:SHOWN - 1], button(text("More"), MORE, visit.id, seat)]
