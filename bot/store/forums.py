"""Where a server wants its games: the forum in which each gets a post, and the text channel for private talk."""
from __future__ import annotations

from bot.store.repository import Statements


class Forums(Statements):
    """Where a server wants its games."""

    def forum(self, guild: int) -> int | None:
        number: int | None = self._one("SELECT forum FROM settings WHERE guild = ?", guild)
        return number

    def set_forum(self, guild: int, forum: int | None) -> None:
        """Games get posts in this forum, or in none."""
        sql = "INSERT INTO settings (guild, forum) VALUES (?, ?) ON CONFLICT DO UPDATE SET forum = excluded.forum"
        self.conn.execute(sql, (guild, forum))

    def talk_channel(self, guild: int) -> int | None:
        """The text channel for private threads of games whose own place has none, if one was chosen."""
        number: int | None = self._one("SELECT talk FROM settings WHERE guild = ?", guild)
        return number

    def set_talk_channel(self, guild: int, channel: int | None) -> None:
        sql = "INSERT INTO settings (guild, talk) VALUES (?, ?) ON CONFLICT DO UPDATE SET talk = excluded.talk"
        self.conn.execute(sql, (guild, channel))
