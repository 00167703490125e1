"""What players ask each other to take back, and games that branch off from others."""
from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from bot.store.insights import Insights
from bot.store.numbers import Numbers
from engine.kernel import Seat
from engine.refusals import Stale

Ended = Literal["done", "refused", "late", "overtaken", "withdrawn"]
Kind = Literal["undo", "hand", "standin", "branch"]
COPIED = "key, edition, options, guild, owner, seats, pack_hash, veil, posting, language, caretaker, level, newcomers, " \
       "replace_days, replace_by"         # what a branch keeps
WHOLE = {"seats": "seat, user, private, name, owner, owner_private, owner_name, caretaker, away, until, lapsed, "
                  "back, level",
         "clocks": "clock, vacation, extensions", "press_rules": "allowed",
         "vacations": "user, starts, ends", "extensions": "user, asked_at, at"}
UP_TO = {"log": "no, seat, by, verb, answer, events, proxy, at", "checkpoints": "no, throws, state",
         "answers": "no, seat, user, seconds, missed, stretch, span, at"}
REQUEST = ('id, game, seat, "to", newest, due_at, ended, kind, asker, about, '
           "(SELECT consents.seat FROM consents WHERE request = id AND agreed < 0)")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the others are asked to agree to: that a seat takes something back, or what a game master wants to do."""

    id: int
    game: int
    seat: Seat                          # who asks; of a game master the word that rows have for one
    to: int                             # the row after which the game would stand, or from which another would go on
    newest: int                         # the last row when it was asked
    due_at: str                         # ISO 8601, UTC: silence refuses
    ended: Ended | None
    agreed: Mapping[Seat, bool]         # who has to agree, and whether that is done
    refused: Seat | None = None         # who has said no
    kind: Kind = "undo"
    asker: int | None = None            # the game master who asks
    about: Mapping[str, Any] = field(default_factory=dict)      # of a seat that is to change hands: "seat", "user", "name"


@dataclass(frozen=True, kw_only=True)
class Branch:
    """Where a game comes from that goes on from a row of another."""

    origin: int
    row: int


class UndoStatements(Insights, Numbers):
    """What players ask each other to take back, and branches."""

    # -- requests

    def add_request(self, game: int, seat: Seat, to: int, newest: int, due_at: str, asked: Iterable[Seat], *,
                    kind: Kind = "undo", asker: int | None = None, about: Mapping[str, Any] | None = None) -> int:
        """A seat, or a game master, asks these others to agree; the number of the request."""
        sql = """INSERT INTO requests (game, seat, "to", newest, due_at, kind, asker, about) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                 RETURNING id"""
        request: int = self._one(sql, game, seat, to, newest, due_at, kind, asker, json.dumps(about or {}))
        self.conn.executemany("INSERT INTO consents (request, seat) VALUES (?, ?)", [(request, other) for other in asked])
        return request

    def request(self, id: int) -> Request | None:
        found = self._requests("id = ?", id)
        return found[0] if found else None

    def open_request(self, game: int) -> Request | None:
        found = self._requests("game = ? AND ended IS NULL", game)
        return found[0] if found else None

    def last_request(self, game: int, seat: Seat) -> Request | None:
        found = self._requests("game = ? AND seat = ? AND ended NOT NULL ORDER BY id DESC LIMIT 1", game, seat)
        return found[0] if found else None

    def agree(self, request: int, seat: Seat) -> None:
        self.conn.execute("UPDATE consents SET agreed = 1 WHERE request = ? AND seat = ?", (request, seat))

    def refuse(self, request: int, seat: Seat) -> None:
        self.conn.execute("UPDATE consents SET agreed = -1 WHERE request = ? AND seat = ?", (request, seat))

    def end_request(self, request: int, how: Ended) -> None:
        self.conn.execute("UPDATE requests SET ended = ? WHERE id = ? AND ended IS NULL", (how, request))

    def _requests(self, where: str, *values: object) -> list[Request]:
        found = self.conn.execute(f"SELECT {REQUEST} FROM requests WHERE {where}", values).fetchall()
        return [Request(id=id, game=game, seat=Seat(seat), to=to, newest=newest, due_at=due_at, ended=cast("Ended | None", ended),
                        agreed=self._agreed(id), refused=None if refused is None else Seat(refused), kind=cast("Kind", kind),
                        asker=asker, about=json.loads(about))
                for id, game, seat, to, newest, due_at, ended, kind, asker, about, refused in found]

    def _agreed(self, request: int) -> dict[Seat, bool]:
        found = self.conn.execute("SELECT seat, agreed FROM consents WHERE request = ? ORDER BY seat", (request,))
        return {Seat(seat): agreed > 0 for seat, agreed in found}

    # -- branches

    def branch(self, game: int) -> Branch | None:
        """Where a game comes from, if it goes on from a row of another."""
        row = self.conn.execute("SELECT origin, row FROM branches WHERE game = ?", (game,)).fetchone()
        return None if row is None else Branch(origin=row[0], row=row[1])

    def branches(self, origin: int) -> int:
        number: int = self._one("SELECT count(*) FROM branches WHERE origin = ?", origin)
        return number

    def agreed_branch(self, origin: int, row: int) -> int | None:
        """The request by which all have agreed that one game goes on from a row, if none does so yet."""
        request: int | None = self._one("""
            SELECT max(id) FROM requests WHERE game = ? AND "to" = ? AND kind = 'branch' AND ended = 'done'
            AND id NOT IN (SELECT request FROM branches WHERE request NOT NULL)""", origin, row)
        return request

    def branch_off(self, origin: int, row: int, values: Mapping[str, object], request: int | None = None) -> None:
        """A running game with all that another one had at a row: seats, rows, clock; but no orders, and dice of its own.

        `values` are the columns in which it differs, its number among them; `request` is the one by which all have agreed.
        Raises Stale: that number has just been taken.
        """
        if values["id"] != (number := self.next_game()):
            raise Stale("Another game was opened at this very moment; try again.")
        self.conn.execute(f"INSERT INTO games ({', '.join(values)}, {COPIED}) SELECT {', '.join('?' * len(values))}, {COPIED} "
                          "FROM games WHERE id = ?", (*values.values(), origin))
        for table, columns in WHOLE.items():
            self.conn.execute(f"INSERT INTO {table} (game, {columns}) SELECT ?, {columns} FROM {table} WHERE game = ? "
                              "ORDER BY rowid", (values["id"], origin))
        for table, columns in UP_TO.items():
            self.conn.execute(f"INSERT INTO {table} (game, {columns}) SELECT ?, {columns} FROM {table} WHERE game = ? "
                              "AND no <= ? ORDER BY no", (values["id"], origin, row))
        self.conn.execute("INSERT INTO branches (game, origin, row, request) VALUES (?, ?, ?, ?)",
                          (values["id"], origin, row, request))
        self.let_in(number)
