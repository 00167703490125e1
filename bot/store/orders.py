"""Standing orders: what members have ordered for their seats, how often each order has answered, and what is half written."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pydantic import ValidationError

from bot.store.repository import Statements
from engine.kernel import Seat
from engine.orders import Order

NOT_DROPPED = "dropped_at IS NULL"


@dataclass(frozen=True, kw_only=True)
class OrderRow:
    """An order as it is stored; it counts only as long as the member who wrote it holds the seat."""

    order: Order
    user: int
    paused: bool
    place: int                  # among the orders of the seat: the lowest is looked at first


class OrderBook(Statements):
    """Standing orders: what members have ordered for their seats, how often each order has answered, what is half written."""

    def orders(self, game: int) -> list[OrderRow]:
        """The orders of all seats that have not been dropped, those that are looked at first before the others.

        What another version of the bot has written, and this one cannot read, answers nothing.
        """
        sql = f"SELECT id, seat, user, paused, place, body FROM orders WHERE game = ? AND {NOT_DROPPED} ORDER BY place, id"
        found: list[OrderRow] = []
        for id, seat, user, paused, place, body in self.conn.execute(sql, (game,)):
            with suppress(ValidationError):
                order = Order.model_validate_json(body).model_copy(update={"id": id, "seat": Seat(seat)})
                found.append(OrderRow(order=order, user=user, paused=bool(paused), place=place))
        return found

    def live_orders(self, user: int, guild: int | None) -> tuple[int, int]:
        own, all_of_them = self.conn.execute(f"""
            SELECT count(*) FILTER (WHERE user = ?), count(*) FILTER (WHERE guild = ?) FROM orders JOIN games ON games.id = game
            WHERE status IN ('running', 'paused') AND {NOT_DROPPED}""", (user, guild)).fetchone()
        return own, all_of_them

    def next_order(self, game: int) -> int:
        """The number of the game's next order; no number is given twice."""
        number: int = self._one("SELECT coalesce(max(id), 0) + 1 FROM orders WHERE game = ?", game)
        return number

    def add_order(self, game: int, row: OrderRow, at: str) -> None:
        """A new order; its number must be the next one."""
        self.conn.execute("INSERT INTO orders (game, id, seat, user, place, body, made_at) VALUES (?, ?, ?, ?, ?, ?, ?)", (
            game, row.order.id, row.order.seat, row.user, row.place, row.order.model_dump_json(), at))

    def place_orders(self, game: int, places: Mapping[int, int]) -> None:
        self.conn.executemany("UPDATE orders SET place = ? WHERE game = ? AND id = ?",
                              [(place, game, id) for id, place in places.items()])

    def pause_order(self, game: int, id: int, *, paused: bool) -> None:
        self.conn.execute("UPDATE orders SET paused = ? WHERE game = ? AND id = ?", (paused, game, id))

    def drop_order(self, game: int, id: int, at: str) -> None:
        """An order never answers again. Its row stays, so that its author can be told what it was."""
        self.conn.execute(f"UPDATE orders SET dropped_at = ? WHERE game = ? AND id = ? AND {NOT_DROPPED}", (at, game, id))

    def drop_orders(self, game: int, seat: Seat, at: str) -> None:
        """The seat has no orders any more, and nothing half written: somebody else will hold it, or nobody."""
        self.conn.execute(f"UPDATE orders SET dropped_at = ? WHERE game = ? AND seat = ? AND {NOT_DROPPED}", (at, game, seat))
        self.conn.execute("DELETE FROM drafts WHERE game = ? AND seat = ?", (game, seat))
        self.conn.execute("DELETE FROM order_dues WHERE game = ? AND seat = ?", (game, seat))

    # -- how often each has answered

    def use_orders(self, game: int, uses: Iterable[tuple[int, int]]) -> None:
        self.conn.executemany('INSERT INTO order_uses (game, no, "order") VALUES (?, ?, ?)',
                              [(game, no, order) for no, order in uses])

    def order_uses(self, game: int, in_force: Collection[int]) -> dict[int, int]:
        used: dict[int, int] = {}
        for no, order in self.conn.execute('SELECT no, "order" FROM order_uses WHERE game = ?', (game,)):
            if no in in_force:
                used[order] = used.get(order, 0) + 1
        return used

    def ordered(self, game: int, user: int) -> list[tuple[int, int]]:
        """The rows that were answered by orders of this member, and by which, oldest first."""
        return self.conn.execute("""SELECT order_uses.no, orders.id FROM order_uses JOIN orders
            ON orders.game = order_uses.game AND orders.id = order_uses."order"
            WHERE order_uses.game = ? AND orders.user = ? ORDER BY order_uses.no""", (game, user)).fetchall()

    # -- answers that wait as long as a person would

    def expect_orders(self, game: int, expected: Mapping[Seat, str], asked_at: int, open_to: Collection[Seat]) -> None:
        """These seats will answer the question by order, and when. A time that is set already stays as long as it is open.

        So it does if no order fits any more: when the time has come, one may fit again.
        """
        self.conn.execute("DELETE FROM order_dues WHERE game = ? AND asked_at <> ?", (game, asked_at))
        known = [seat for (seat,) in self.conn.execute("SELECT seat FROM order_dues WHERE game = ?", (game,))]
        self.conn.executemany("DELETE FROM order_dues WHERE game = ? AND seat = ?",
                              [(game, seat) for seat in known if seat not in open_to])
        self.conn.executemany("INSERT INTO order_dues (game, seat, asked_at, due_at) VALUES (?, ?, ?, ?)",
                              [(game, seat, asked_at, due) for seat, due in expected.items() if seat not in known])

    def forget_due(self, game: int, seat: Seat) -> None:
        """The seat no longer waits to answer by order: it has done so, or none of its orders fits."""
        self.conn.execute("DELETE FROM order_dues WHERE game = ? AND seat = ?", (game, seat))

    def set_veil(self, game: int, minutes: int) -> None:
        """Answers by order take up to so many minutes; 0: none."""
        self.conn.execute("UPDATE games SET veil = ? WHERE id = ?", (minutes, game))

    # -- half written

    def drafts(self, game: int, seat: Seat, user: int) -> dict[str, str]:
        """Return what a member is writing for a seat, by its kind: "order" or "packet"."""
        sql = "SELECT kind, body FROM drafts WHERE game = ? AND seat = ? AND user = ?"
        return dict(self.conn.execute(sql, (game, seat, user)))

    def keep_draft(self, game: int, seat: Seat, kind: str, user: int, body: str | None) -> None:
        """What a member is writing for a seat now; None: nothing any more."""
        self.conn.execute("DELETE FROM drafts WHERE game = ? AND seat = ? AND kind = ?", (game, seat, kind))
        if body is not None:
            self.conn.execute("INSERT INTO drafts (game, seat, kind, user, body) VALUES (?, ?, ?, ?, ?)",
                              (game, seat, kind, user, body))


def in_force(rows: Sequence[OrderRow], holders: Mapping[Seat, int | None]) -> list[Order]:
    """The orders that count: not paused, and written by who holds the seat."""
    return [row.order for row in rows if not row.paused and holders.get(row.order.seat) == row.user]
