"""Game masters, servers and members: roles, themes, what each has seen, and what game masters did."""
from __future__ import annotations

from bot.store.records import Theme
from bot.store.statements import Statements


class Members(Statements):
    """Game masters, servers and members: roles, themes, what each has seen, and what game masters did."""

    def note(self, game: int, user: int | None, deed: str, at: str) -> None:
        """A line of the audit: who did what, never with a secret."""
        self.conn.execute("INSERT INTO audit (game, at, user, deed) VALUES (?, ?, ?, ?)", (game, at, user, deed))

    def notes(self, game: int) -> list[tuple[str, int | None, str]]:
        """The audit of a game, oldest first: when, who, what."""
        return self.conn.execute("SELECT at, user, deed FROM audit WHERE game = ? ORDER BY id", (game,)).fetchall()

    def gm_role(self, guild: int) -> int | None:
        """The role whose members are game masters on a server, if one was chosen."""
        role: int | None = self._one("SELECT gm_role FROM settings WHERE guild = ?", guild)
        return role

    def set_gm_role(self, guild: int, role: int | None) -> None:
        """Choose that role, or none."""
        sql = "INSERT INTO settings (guild, gm_role) VALUES (?, ?) ON CONFLICT DO UPDATE SET gm_role = excluded.gm_role"
        self.conn.execute(sql, (guild, role))

    def pictured_before(self, game: int, no: int) -> int:
        """The last row before this one after which pictures were to be posted; 0 if there is none."""
        sql = "SELECT coalesce(max(no), 0) FROM outbox WHERE game = ? AND no < ? AND kind = 'picture'"
        row: int = self._one(sql, game, no)
        return row

    def look(self, game: int, user: int) -> int | None:
        """The row after which a member last looked at the board."""
        row: int | None = self._one("SELECT row FROM looks WHERE game = ? AND user = ?", game, user)
        return row

    def looked(self, game: int, user: int, row: int) -> None:
        """A member has seen the board as it was after this row."""
        self.conn.execute("INSERT OR REPLACE INTO looks (game, user, row) VALUES (?, ?, ?)", (game, user, row))

    def theme(self, guild: int | None, user: int | None) -> Theme | None:
        """The theme that a member chose, else the one of the server; None if neither did."""
        theme: Theme | None = self._one("SELECT coalesce((SELECT theme FROM members WHERE user = ?),"
                                        " (SELECT theme FROM settings WHERE guild = ?))", user, guild)
        return theme

    def set_server_theme(self, guild: int, theme: Theme) -> None:
        """What is posted on this server is drawn so."""
        sql = "INSERT INTO settings (guild, theme) VALUES (?, ?) ON CONFLICT DO UPDATE SET theme = excluded.theme"
        self.conn.execute(sql, (guild, theme))

    def set_member_theme(self, user: int, theme: Theme) -> None:
        """What this member alone is shown is drawn so."""
        self.conn.execute("INSERT OR REPLACE INTO members (user, theme) VALUES (?, ?)", (user, theme))
