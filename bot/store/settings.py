"""What servers and members have chosen: roles, themes, clocks, pings, time zones, languages."""
from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache
from typing import Literal

from bot.domain.announcements import Posting
from bot.domain.languages import Languages
from bot.domain.waking_hours import Hours, Nudges, is_zone
from bot.store.repository import Statements
from bot.store.rows import Theme

Pings = Literal["all", "reminders", "none"]
MEMBER = "zone, wake, sleep, pings, direct, upcoming, theme, nudges, notices"

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class MemberRow:
    """What a member has chosen; who has chosen nothing is always awake and gets everything."""

    hours: Hours | None = None          # None: not known
    pings: Pings = "all"                # what calls the member by name in a channel
    direct: bool = True                 # reminders as direct messages
    upcoming: bool = False              # "you are next"
    theme: Theme | None = None
    nudges: Nudges = "growing"          # how often a question is brought to mind
    notices: bool = False               # a direct message for each move


def hours_of(zone: str, wake: int, sleep: int) -> Hours:
    """When a member is awake, as it is stored. A zone that this machine doesn't know counts as UTC, so that nobody else waits."""
    return Hours(zone=_known(zone), wake=wake, sleep=sleep)


@cache
def _known(zone: str) -> str:
    if is_zone(zone):
        return zone
    log.error("There is no time zone %.40r on this machine: it counts as UTC.", zone)
    return "UTC"


class Settings(Statements):
    # -- servers
    def gm_role(self, guild: int | None) -> int | None:
        """The role whose members are game masters on a server, if one was chosen; never the one that everybody has."""
        role: int | None = self._one("SELECT gm_role FROM settings WHERE guild = ?", guild)
        return None if role == guild else role

    def set_gm_role(self, guild: int, role: int | None) -> None:
        sql = "INSERT INTO settings (guild, gm_role) VALUES (?, ?) ON CONFLICT DO UPDATE SET gm_role = excluded.gm_role"
        self.conn.execute(sql, (guild, role))

    def set_server_theme(self, guild: int, theme: Theme) -> None:
        sql = "INSERT INTO settings (guild, theme) VALUES (?, ?) ON CONFLICT DO UPDATE SET theme = excluded.theme"
        self.conn.execute(sql, (guild, theme))

    def server_clock(self, guild: int | None) -> str:
        return self._one("SELECT clock FROM settings WHERE guild = ?", guild) or "none"

    def set_server_clock(self, guild: int, clock: str) -> None:
        sql = "INSERT INTO settings (guild, clock) VALUES (?, ?) ON CONFLICT DO UPDATE SET clock = excluded.clock"
        self.conn.execute(sql, (guild, clock))

    def server_posting(self, guild: int | None) -> Posting:
        posting: Posting | None = self._one("SELECT posting FROM settings WHERE guild = ?", guild)
        return posting or "turns"

    def set_server_posting(self, guild: int, posting: Posting) -> None:
        sql = "INSERT INTO settings (guild, posting) VALUES (?, ?) ON CONFLICT DO UPDATE SET posting = excluded.posting"
        self.conn.execute(sql, (guild, posting))

    def languages(self) -> Languages:
        """All languages of members and servers."""
        members = "SELECT user, language, locale FROM members WHERE coalesce(language, locale) NOT NULL"
        servers = "SELECT guild, language FROM settings WHERE language NOT NULL"
        return Languages(self.conn.execute(members), self.conn.execute(servers))

    def set_server_language(self, guild: int, language: str | None) -> None:
        sql = "INSERT INTO settings (guild, language) VALUES (?, ?) ON CONFLICT DO UPDATE SET language = excluded.language"
        self.conn.execute(sql, (guild, language))

    # -- members

    def set_member_language(self, user: int, chosen: str | None, seen: str | None) -> None:
        self.conn.execute("""INSERT INTO members (user, language, locale) VALUES (?, ?, ?)
                             ON CONFLICT DO UPDATE SET language = excluded.language, locale = excluded.locale""",
                          (user, chosen, seen))

    def theme(self, guild: int | None, user: int | None) -> Theme | None:
        """The theme that a member chose, else the one of the server; None if neither did."""
        theme: Theme | None = self._one("SELECT coalesce((SELECT theme FROM members WHERE user = ?),"
                                        " (SELECT theme FROM settings WHERE guild = ?))", user, guild)
        return theme

    def set_member_theme(self, user: int, theme: Theme) -> None:
        sql = "INSERT INTO members (user, theme) VALUES (?, ?) ON CONFLICT DO UPDATE SET theme = excluded.theme"
        self.conn.execute(sql, (user, theme))

    def member(self, user: int) -> MemberRow:
        row = self.conn.execute(f"SELECT {MEMBER} FROM members WHERE user = ?", (user,)).fetchone()
        if row is None:
            return MemberRow()
        zone, wake, sleep, pings, direct, upcoming, theme, nudges, notices = row
        return MemberRow(hours=None if zone is None else hours_of(zone, wake, sleep), pings=pings,
                         direct=bool(direct), upcoming=bool(upcoming), theme=theme, nudges=nudges, notices=bool(notices))

    def set_member(self, user: int, row: MemberRow) -> None:
        zone, wake, sleep = (None, 0, 0) if row.hours is None else (row.hours.zone, row.hours.wake, row.hours.sleep)
        sets = ", ".join(f"{column} = excluded.{column}" for column in MEMBER.split(", "))
        sql = f"INSERT INTO members (user, {MEMBER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET {sets}"
        self.conn.execute(sql, (user, zone, wake, sleep, row.pings, row.direct, row.upcoming, row.theme,
                                row.nudges, row.notices))

    def own_weekly(self, user: int) -> str | None:
        """When the week began of which a member wants a summary, ISO 8601; None: the member wants none."""
        since: str | None = self._one("SELECT weekly FROM members WHERE user = ?", user)
        return since

    def set_own_weekly(self, user: int, at: str | None) -> None:
        """Since when a member waits for the next weekly summary; None: the member wants none."""
        sql = "INSERT INTO members (user, weekly) VALUES (?, ?) ON CONFLICT DO UPDATE SET weekly = excluded.weekly"
        self.conn.execute(sql, (user, at))

    def own_weeklies_due(self, began: str) -> list[tuple[int, str]]:
        """The members whose week began at this moment at the latest, and when it did."""
        return self.conn.execute("SELECT user, weekly FROM members WHERE weekly <= ? ORDER BY user", (began,)).fetchall()

    def nudges(self, game: int, user: int) -> Nudges | None:
        """How often a member wants to be reminded in this game; None: as in all games."""
        chosen: Nudges | None = self._one("SELECT nudges FROM nudges WHERE game = ? AND user = ?", game, user)
        return chosen

    def set_nudges(self, game: int, user: int, nudges: Nudges | None) -> None:
        self.conn.execute("DELETE FROM nudges WHERE game = ? AND user = ?", (game, user))
        if nudges is not None:
            self.conn.execute("INSERT INTO nudges (game, user, nudges) VALUES (?, ?, ?)", (game, user, nudges))
