"""What waits, and since when, in all games: queries of the tables in which it is kept anyway, one query for each kind.

There is no list of timers to be kept in step: a vacation, an undo, a pause, other waking hours or days in which the bot was off
change those tables, and with them what is due. `bot.domain.absence` says how long each kind waits.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from bot.domain.absence import POLICIES, Kind, OpenGame, Timer, due, moments
from bot.domain.presence import Presence
from bot.domain.timestamps import from_timestamp, timestamp
from bot.store.repository import Statements
from engine.kernel import Seat

RUNNING = "game IN (SELECT id FROM games WHERE status = 'running')"
PLAYED = "game IN (SELECT id FROM games WHERE status IN ('running', 'paused'))"
OPEN = f"given = '' AND {RUNNING}"
AT_ONCE = "0001-01-01T00:00:00+00:00"       # what waits for nothing any more
LAST_ROW = "coalesce((SELECT at FROM log WHERE game = games.id ORDER BY no DESC LIMIT 1), '')"
AUDITED = "coalesce((SELECT max(at) FROM audit WHERE game = games.id AND user NOT NULL), '')"     # of people, not the bot
ON_VACATION = "SELECT 1 FROM vacations AS v WHERE v.game = d.game AND v.user = d.user AND v.starts <= :now AND v.ends > :now"
DEAF = "SELECT user FROM members WHERE pings = 'none' AND NOT direct"       # who gets no pings and no direct messages
PEOPLE = f"""SELECT user FROM seats WHERE game = games.id AND user NOT NULL AND user NOT IN ({DEAF}) UNION
             SELECT owner FROM seats WHERE game = games.id AND owner NOT NULL AND owner NOT IN ({DEAF}) UNION
             SELECT games.owner WHERE games.owner NOT IN ({DEAF})"""
BESIDE = "SELECT CAST(substr(key, 12) AS INTEGER) FROM messages WHERE game = games.id AND key LIKE 'invitation:%'"
LISTED = "SELECT 1 FROM noticeboards WHERE noticeboards.guild = games.guild AND NOT lost"
THERE = "guild NOT NULL AND guild NOT IN (SELECT guild FROM departures)"
OPEN_GAMES = f"""SELECT id, max(created_at, coalesce(joined_at, ''), {AUDITED}) AS since, open_told, owner, invite_only,
                 coalesce(({BESIDE}), channel) AS place, EXISTS ({LISTED}) FROM games
                 WHERE status = 'open' AND full_at IS NULL AND {THERE}"""


def _seen(people: str, since: str) -> str:
    """Whether one of these members has done or looked at something anywhere since a moment. What an order or a game master has
    answered for them does not count."""
    return f"""(EXISTS (SELECT 1 FROM answers JOIN log USING (game, no) WHERE user IN ({people}) AND missed = 0
                        AND by = 'player' AND answers.at > :{since})
               OR EXISTS (SELECT 1 FROM audit WHERE user IN ({people}) AND at > :{since})
               OR EXISTS (SELECT 1 FROM visits WHERE user IN ({people}) AND at > :{since}))"""


WAITS: Mapping[Kind, str] = {           # columns as those of a `Timer`
    "alarm": f"SELECT game, NULL, 0, due_at FROM alarms WHERE {RUNNING}",
    # a seat that has changed hands has had its first turn
    "first_move": f"""SELECT game, seat, 0, iif(allowed IS NULL, since, iif(due_at <= :now, '{AT_ONCE}', due_at))
        FROM deadlines AS d JOIN games ON games.id = game WHERE status = 'running' AND no_show <> 'wait' AND given = ''
        AND since NOT NULL AND iif(allowed IS NULL, since <= :first_move, due_at <= :now) AND NOT EXISTS ({ON_VACATION})
        AND NOT EXISTS (SELECT 1 FROM tenures WHERE tenures.game = d.game AND tenures.seat = d.seat)
        AND NOT EXISTS (SELECT 1 FROM log WHERE log.game = d.game AND log.seat = d.seat AND by IN ('player', 'order'))""",
    "order": f"SELECT game, seat, asked_at, due_at FROM order_dues WHERE {RUNNING}",
    "time_up": f"SELECT game, seat, asked_at, due_at FROM deadlines WHERE due_at NOT NULL AND {OPEN}",
    "reminder": f"SELECT 0, user, 0, remind_at FROM deadlines WHERE remind_at NOT NULL AND {OPEN}",
    "long_wait": f"""SELECT game, NULL, 0, since FROM deadlines AS d WHERE since NOT NULL AND {OPEN}
        AND NOT EXISTS ({ON_VACATION})
        AND NOT EXISTS (SELECT 1 FROM escalations AS e WHERE e.game = d.game AND e.seat = d.seat AND e.at > :long_wait_again)""",
    "back": "SELECT game, NULL, 0, until FROM seats WHERE until NOT NULL",
    "request": "SELECT game, id, 0, due_at FROM requests WHERE ended IS NULL",
    "opening": "SELECT 0, user, 0, due_at FROM openings WHERE due_at NOT NULL",
    "late_start": "SELECT id, NULL, late_calls, full_at FROM games WHERE status = 'open' AND full_at NOT NULL",
    "offer": f"SELECT game, id, 0, iif({PLAYED}, due_at, '{AT_ONCE}') FROM stand_in_offers WHERE ended IS NULL",
    "vote": f"SELECT game, id, 0, iif({PLAYED}, look_at, '{AT_ONCE}') FROM replacements WHERE ended IS NULL",
    "pause_vote": "SELECT game, NULL, 0, min(at) FROM votes GROUP BY game",
    # nobody of theirs who can be called is seen; not where somebody is on vacation, people have paused, or anybody can join
    "standstill": f"""SELECT id, NULL, 0, max(created_at, coalesce(started_at, ''), {LAST_ROW}, {AUDITED}) FROM games
        WHERE guild NOT NULL AND coalesce(stood_told, '') <= :standstill_again
        AND CASE status WHEN 'open' THEN full_at <= :standstill OR (full_at IS NULL AND invite_only) WHEN 'running' THEN
            EXISTS (SELECT 1 FROM deadlines WHERE game = games.id AND given = '' AND since <= :standstill)
            AND NOT EXISTS (SELECT 1 FROM deadlines AS d WHERE d.game = games.id AND EXISTS ({ON_VACATION}))
            WHEN 'paused' THEN deserted ELSE 0 END AND NOT {_seen(PEOPLE, "seen")}""",
    "long_pause": f"""SELECT id, NULL, 0, max(created_at, {LAST_ROW}, {AUDITED}) FROM games WHERE {THERE} AND status = 'paused'
        AND NOT deserted AND coalesce(stood_told, '') <= :long_pause_again AND NOT {_seen("games.owner", "missed")}""",
    "open_game": f"SELECT 0, place, 0, since FROM ({OPEN_GAMES})",
}
TO_THE_SECOND = tuple(kind for kind, policy in POLICIES.items() if not policy.after)


class Timers(Statements):
    """What waits, and since when."""

    def timers(self, presence: Presence, *kinds: Kind, game: int | None = None) -> list[Timer]:
        """Return what is to be done by now, of these kinds or of all, in all games or in one."""
        kinds = kinds or tuple(POLICIES)
        one = "" if game is None else "AND game = :game"
        sql = " UNION ".join(f"SELECT '{kind}', * FROM timers_{kind} WHERE since <= :{kind} {one}" for kind in kinds)
        found = self.conn.execute(f"{_named(kinds)} {sql}", {**_written(presence), "game": game})
        return due([Timer(kind, number, Seat(whom) if isinstance(whom, str) else whom, row, datetime.fromisoformat(since))
                    for kind, number, whom, row, since in found], presence)

    def next_timer(self, presence: Presence, *kinds: Kind) -> datetime | None:
        """The next moment after now at which something of these kinds is due, or of all that are due to the second."""
        kinds = kinds or TO_THE_SECOND
        sql = " UNION ALL ".join(f"SELECT since FROM timers_{kind} WHERE since > :now" for kind in kinds)
        found: str | None = self.conn.execute(f"{_named(kinds)} SELECT min(since) FROM ({sql})", _written(presence)).fetchone()[0]
        return from_timestamp(found)

    def open_games(self, before: datetime, channel: int) -> list[OpenGame]:
        """The open games of a channel with empty seats in which nothing has happened since a moment."""
        sql = f"SELECT * FROM ({OPEN_GAMES}) WHERE since <= ? AND place = ? ORDER BY id"
        return [OpenGame(game, datetime.fromisoformat(since), from_timestamp(told), host, bool(only), place, bool(listed))
                for game, since, told, host, only, place, listed in self.conn.execute(sql, (timestamp(before), channel))]

    def set_alarm(self, game: int, due: datetime | None) -> None:
        """A game is to be told something at this moment, or never."""
        self.conn.execute("DELETE FROM alarms WHERE game = ?", (game,))
        if due is not None:
            self.conn.execute("INSERT INTO alarms (game, due_at) VALUES (?, ?)", (game, timestamp(due)))


def _named(kinds: Iterable[Kind]) -> str:
    return "WITH " + ", ".join(f"timers_{kind}(game, whom, row, since) AS ({WAITS[kind]})" for kind in kinds)


def _written(presence: Presence) -> dict[str, str]:
    return {name: timestamp(moment) for name, moment in moments(presence).items()}
