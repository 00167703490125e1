"""Players who are gone: what a game does about one who never makes a first move, and votes to replace one."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.domain.absence import NoShow, ReplacementRules
from bot.store.repository import Statements
from engine.kernel import Seat

Result = Literal["done", "here", "moved", "kept", "late", "over"]
REPLACEMENT = "id, game, seat, user, asker, newest, at, look_at, due_at, needed, ended"
DECIDED = "by IN ('player', 'order', 'moderator', 'clock') AND proxy NOT LIKE 'auto%'"
COPIED = "newcomers, invite_only, replace_days, replace_by, no_show, posting, language, veil, level, caretaker"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A vote to replace a player."""

    id: int
    game: int
    seat: Seat
    user: int                   # who would be replaced
    asker: int                  # who began it
    newest: int                 # the last row that everybody knew of then
    at: str                     # ISO 8601, UTC, like those below; later, if the bot was off in the day of hearing
    look_at: str                # when it is next to be looked at: not carried before
    due_at: str                 # when it is over
    needed: int                 # votes
    ended: Result | None

    @property
    def heard(self) -> bool:
        """True if the day that the player has to say something is over, and has been noticed to be."""
        return self.look_at == self.due_at


class GonePlayers(Statements):
    """Players who are gone."""

    # -- first moves

    def set_no_show(self, game: int, what: NoShow) -> None:
        self.conn.execute("UPDATE games SET no_show = ? WHERE id = ?", (what, game))

    def untouched(self, game: int, public: int) -> bool:
        """True if nobody has decided anything in a game, as far as everybody may know [P-28]; automatic players don't count."""
        sql = f"SELECT 1 FROM log WHERE game = ? AND no <= ? AND {DECIDED} LIMIT 1"
        return self._one(sql, game, public) is None

    def copy_choices(self, game: int, to: int) -> None:
        """What was chosen for a game before its start is chosen for another one; and who is invited to it."""
        self.conn.execute(f"UPDATE games SET ({COPIED}) = (SELECT {COPIED} FROM games WHERE id = ?) WHERE id = ?", (game, to))
        self.conn.execute("INSERT INTO guests (game, user, invited) SELECT ?, user, invited FROM guests WHERE game = ?",
                          (to, game))

    def set_replacement_rules(self, game: int, rules: ReplacementRules) -> None:
        self.conn.execute("UPDATE games SET replace_days = ?, replace_by = ? WHERE id = ?", (rules.days, rules.agreement, game))

    # -- votes

    def add_replacement(self, game: int, seat: Seat, user: int, asker: int, newest: int, at: str, look_at: str, due_at: str,
                        needed: int) -> int:
        """A player begins a vote to replace another one, and agrees; its number."""
        sql = """INSERT INTO replacements (game, seat, user, asker, newest, at, look_at, due_at, needed)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"""
        id: int = self._one(sql, game, seat, user, asker, newest, at, look_at, due_at, needed)
        self.cast_ballot(game, id, asker, agrees=True)
        return id

    def replacement(self, game: int, id: int) -> Replacement | None:
        """A vote of a game, open or not."""
        found = self._replacements("game = ? AND id = ?", game, id)
        return found[0] if found else None

    def open_replacements(self, game: int) -> list[Replacement]:
        return self._replacements("game = ? AND ended IS NULL ORDER BY id", game)

    def look_later(self, id: int, at: str) -> None:
        self.conn.execute("UPDATE replacements SET look_at = ? WHERE id = ?", (at, id))

    def end_replacement(self, id: int, how: Result, at: str) -> None:
        self.conn.execute("UPDATE replacements SET ended = ?, ended_at = ? WHERE id = ? AND ended IS NULL", (how, at, id))

    def last_replacement(self, game: int, seat: Seat, user: int) -> str | None:
        sql = "SELECT max(ended_at) FROM replacements WHERE game = ? AND seat = ? AND user = ? AND ended <> 'over'"
        at: str | None = self._one(sql, game, seat, user)
        return at

    def cast_ballot(self, game: int, id: int, user: int, *, agrees: bool) -> None:
        """A player votes; it takes the place of an earlier one."""
        self.conn.execute("INSERT OR REPLACE INTO ballots (replacement, game, user, agrees) VALUES (?, ?, ?, ?)",
                          (id, game, user, agrees))

    def ballots(self, id: int) -> dict[int, bool]:
        return {user: bool(agrees) for user, agrees in
                self.conn.execute("SELECT user, agrees FROM ballots WHERE replacement = ? ORDER BY rowid", (id,))}

    # -- who is silent

    def moved_since(self, game: int, seat: Seat, row: int, public: int) -> bool:
        """True if a seat has moved after a row, by itself or by order, as everybody may know."""
        sql = """SELECT 1 FROM log WHERE game = ? AND seat = ? AND by IN ('player', 'order') AND no > ? AND no <= ? LIMIT 1"""
        return self._one(sql, game, seat, row, public) is not None

    def missed_since(self, game: int, seat: Seat, user: int, row: int, public: int) -> str | None:
        """When the clock first had to move for a player who has not moved since, in rows after this one that all may know of."""
        sql = """SELECT min(at) FROM answers WHERE game = ?1 AND seat = ?2 AND no <= ?4 AND user = ?5 AND missed = 1 AND no > (
                 SELECT coalesce(max(no), ?3) FROM log WHERE game = ?1 AND seat = ?2 AND by IN ('player', 'order') AND no > ?3
                 AND no <= ?4)"""
        at: str | None = self._one(sql, game, seat, row, public, user)
        return at

    def _replacements(self, where: str, *values: object) -> list[Replacement]:
        found = self.conn.execute(f"SELECT {REPLACEMENT} FROM replacements WHERE {where}", values)
        return [Replacement(id, game, Seat(seat), *more) for id, game, seat, *more in found.fetchall()]
