"""Whom players have asked to stand in for them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.store.repository import Statements
from engine.kernel import Seat

OfferEnd = Literal["accepted", "declined", "withdrawn", "over"]
OFFER = "id, game, seat, user, asker, name, until, ended"


@dataclass(frozen=True, slots=True)
class Offer:
    """A player has asked a member to stand in."""

    id: int
    game: int
    seat: Seat
    user: int                   # who is asked
    asker: int                  # whose seat it is
    name: str                   # how people know who is asked
    until: str | None           # ISO 8601, UTC; None: until the asker is back
    ended: OfferEnd | None       # None: nobody has answered yet


class StandIns(Statements):
    def add_offer(self, game: int, seat: Seat, user: int, asker: int, name: str, until: str | None, due_at: str) -> int:
        """A player asks a member to stand in; the number of the offer, which is over at `due_at`."""
        sql = """INSERT INTO stand_in_offers (game, seat, user, asker, name, until, due_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                 RETURNING id"""
        number: int = self._one(sql, game, seat, user, asker, name, until, due_at)
        return number

    def offer(self, game: int, id: int) -> Offer | None:
        """An offer in a game, open or not."""
        return self._offer("game = ? AND id = ?", game, id)

    def open_offer(self, game: int, seat: Seat) -> Offer | None:
        return self._offer("game = ? AND seat = ? AND ended IS NULL", game, seat)

    def end_offer(self, id: int, how: OfferEnd) -> None:
        self.conn.execute("UPDATE stand_in_offers SET ended = ? WHERE id = ? AND ended IS NULL", (how, id))

    def end_offers_for(self, game: int, seat: Seat) -> list[int]:
        """A seat has changed hands: the offer that waited for it is over; its number."""
        sql = "UPDATE stand_in_offers SET ended = 'over' WHERE game = ? AND seat = ? AND ended IS NULL RETURNING id"
        return [id for (id,) in self.conn.execute(sql, (game, seat)).fetchall()]

    def _offer(self, where: str, *values: object) -> Offer | None:
        found = self.conn.execute(f"SELECT {OFFER} FROM stand_in_offers WHERE {where}", values).fetchone()
        if found is None:
            return None
        id, game, seat, user, asker, name, until, ended = found
        return Offer(id, game, Seat(seat), user, asker, name, until, ended)
