"""Players who never make a first move, and what their games do about that."""
from __future__ import annotations

from bot.domain.absence import NoShow
from bot.store.repository import Statements

DECIDED = "by IN ('player', 'order', 'moderator', 'clock') AND proxy NOT LIKE 'auto%'"
COPIED = "newcomers, invite_only, replace_days, replace_by, no_show, posting, veil, level, caretaker"


class NoShows(Statements):
    """Players who never make a first move, and what their games do about that."""

    def no_show(self, game: int) -> NoShow:
        """What a game does about a player who never makes a first move."""
        what: NoShow = self._one("SELECT no_show FROM games WHERE id = ?", game)
        return what

    def set_no_show(self, game: int, what: NoShow) -> None:
        """It does so from now on."""
        self.conn.execute("UPDATE games SET no_show = ? WHERE id = ?", (what, game))

    def untouched(self, game: int, public: int) -> bool:
        """Whether nobody has decided anything in a game, as far as everybody may know [P-28]; automatic players don't count."""
        sql = f"SELECT 1 FROM log WHERE game = ? AND no <= ? AND {DECIDED} LIMIT 1"
        return self._one(sql, game, public) is None

    def copy_choices(self, game: int, to: int) -> None:
        """What was chosen for a game before its start is chosen for another one; and who is invited to it."""
        self.conn.execute(f"UPDATE games SET ({COPIED}) = (SELECT {COPIED} FROM games WHERE id = ?) WHERE id = ?", (game, to))
        self.conn.execute("INSERT INTO guests (game, user, invited) SELECT ?, user, invited FROM guests WHERE game = ?",
                          (to, game))
