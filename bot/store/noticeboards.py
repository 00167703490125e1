"""The noticeboard of each server: where it is, and whether it still says what is so."""
from __future__ import annotations

import secrets
from dataclasses import dataclass

from bot.store.repository import Statements

BOARD = "guild, channel, message, user, nonce, changed, shown, lost, weekly"


@dataclass(frozen=True, kw_only=True)
class NoticeboardRow:
    """The one message of a server that says which games there are."""

    guild: int
    channel: int
    message: int | None         # None: it is still to be posted
    user: int                   # who has put it there; 0: somebody who has been forgotten
    nonce: str                  # of the message to come
    changed: int                # how often there was something new
    shown: int                  # how often there was, when the message last said all
    lost: bool                  # its channel is gone
    weekly: str | None = None   # ISO 8601, UTC: when the week began of which a summary is posted there; None: there is none


class Noticeboards(Statements):
    def noticeboard(self, guild: int) -> NoticeboardRow | None:
        found = self._boards("guild = ?", guild)
        return found[0] if found else None

    def noticeboards(self) -> list[NoticeboardRow]:
        return self._boards("NOT lost")

    def hang_noticeboard(self, guild: int, channel: int, user: int) -> None:
        """A server wants its noticeboard in this channel; one that hangs elsewhere is to be taken down."""
        weekly = self._one("SELECT weekly FROM noticeboards WHERE guild = ?", guild)
        self.take_down_noticeboard(guild)
        self.conn.execute("INSERT INTO noticeboards (guild, channel, user, nonce, weekly) VALUES (?, ?, ?, ?, ?)",
                          (guild, channel, user, secrets.token_hex(8), weekly))

    def take_down_noticeboard(self, guild: int) -> None:
        """A server wants no noticeboard there any more; its message is to be deleted."""
        self.conn.execute("""INSERT OR IGNORE INTO old_noticeboards (message, guild, channel)
                             SELECT message, guild, channel FROM noticeboards WHERE guild = ? AND message NOT NULL""", (guild,))
        self.conn.execute("DELETE FROM noticeboards WHERE guild = ?", (guild,))

    def old_noticeboards(self) -> list[tuple[int, int]]:
        return self.conn.execute("SELECT channel, message FROM old_noticeboards ORDER BY message").fetchall()

    def noticeboard_deleted(self, message: int) -> None:
        self.conn.execute("DELETE FROM old_noticeboards WHERE message = ?", (message,))

    def noticeboard_shows(self, board: NoticeboardRow, message: int) -> None:
        """This message says all that was new of a noticeboard; if that hangs elsewhere by now, the message is to be deleted."""
        shown = self.conn.execute("UPDATE noticeboards SET message = ?, shown = ? WHERE guild = ? AND nonce = ?",
                                  (message, board.changed, board.guild, board.nonce))
        if not shown.rowcount:
            self.conn.execute("INSERT OR IGNORE INTO old_noticeboards (message, guild, channel) VALUES (?, ?, ?)",
                              (message, board.guild, board.channel))

    def noticeboard_gone(self, guild: int, message: int) -> None:
        self.conn.execute("""UPDATE noticeboards SET message = NULL, nonce = ?, changed = changed + 1
                             WHERE guild = ? AND message = ?""", (secrets.token_hex(8), guild, message))

    def change(self, guild: int) -> None:
        """What a server's noticeboard says is to be said anew."""
        self.conn.execute("UPDATE noticeboards SET changed = changed + 1 WHERE guild = ?", (guild,))

    def lose_noticeboard(self, guild: int) -> None:
        self.conn.execute("UPDATE noticeboards SET lost = 1 WHERE guild = ?", (guild,))

    def set_weekly(self, guild: int, at: str | None) -> None:
        """Since when a server waits for its next weekly summary; None: it wants none."""
        self.conn.execute("UPDATE noticeboards SET weekly = ? WHERE guild = ?", (at, guild))

    def _boards(self, where: str, *values: object) -> list[NoticeboardRow]:
        return [NoticeboardRow(guild=guild, channel=channel, message=message, user=user, nonce=nonce, changed=changed,
                               shown=shown, lost=bool(lost), weekly=weekly)
                for guild, channel, message, user, nonce, changed, shown, lost, weekly
                in self.conn.execute(f"SELECT {BOARD} FROM noticeboards WHERE {where}", values)]
