"""What can be pressed below the first screen of a move besides the move itself: each feature registers its own."""
from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.core.visit import Visit
from bot.discord.components import Persistent
from engine.kernel import Seat, Table

Extra = Callable[[Visit, Table, Seat], Iterable[Persistent]]

_extras: list[tuple[int, Extra]] = []


def extra(rank: int) -> Callable[[Extra], Extra]:
    """Register what a feature offers to a member whose seat stands at a table; the lowest rank comes first."""
    def register(offer: Extra) -> Extra:
        _extras.append((rank, offer))
        _extras.sort(key=lambda known: known[0])
        return offer
    return register


def extras(visit: Visit, table: Table, seat: Seat, *, below: int = 0) -> list[Persistent]:
    return [button for rank, offer in _extras if rank >= below for button in offer(visit, table, seat)]
