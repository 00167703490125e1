"""How far each member has come in a lesson, and which tips each has had."""
from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from bot.store.repository import Statements


class Lessons(Statements):
    def learnt(self, user: int, game: str, lesson: str) -> tuple[str, ...]:
        """The answers that a member has given in a lesson, step by step; none before its first."""
        sql = "SELECT answers FROM lessons WHERE user = ? AND game = ? AND lesson = ?"
        noted: str | None = self._one(sql, user, game, lesson)
        return tuple(json.loads(noted)) if noted is not None else ()

    def learn(self, user: int, game: str, lesson: str, answers: Sequence[str], at: str) -> None:
        self.conn.execute("INSERT OR REPLACE INTO lessons (user, game, lesson, answers, at) VALUES (?, ?, ?, ?, ?)",
                          (user, game, lesson, json.dumps(answers), at))

    def tips(self, user: int, game: str) -> Collection[str] | None:
        """The decision points on which a member has had a tip; None: who has finished a game, or switched tips off, gets none."""
        over = "SELECT 1 FROM seats JOIN games ON games.id = seats.game WHERE seats.user = ? AND games.status = 'over'"
        if self._one(f"SELECT EXISTS ({over}) OR EXISTS (SELECT 1 FROM untipped WHERE user = ?)", user, user):
            return None
        return {point for (point,) in self.conn.execute("SELECT point FROM tips WHERE user = ? AND game = ?", (user, game))}

    def note_tip(self, user: int, game: str, point: str) -> bool:
        """A member gets the tip on this decision point now; False: that has happened before."""
        sql = "INSERT OR IGNORE INTO tips (user, game, point) VALUES (?, ?, ?)"
        return bool(self.conn.execute(sql, (user, game, point)).rowcount)

    def no_tips(self, user: int) -> None:
        self.conn.execute("INSERT OR IGNORE INTO untipped (user) VALUES (?)", (user,))
