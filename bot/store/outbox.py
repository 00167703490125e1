"""What Discord is still to be told, and the messages that must be found again."""
from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from bot.domain.letters import ELSEWHERE, STEPS, Letter, Log, Status
from bot.domain.turns import Turn, all_turns, in_turns
from bot.store.repository import Statements
from bot.store.rows import WITHDRAWN, OutboxRow
from engine.kernel import Seat
from engine.text import Language, Reader, say
from engine.text.languages import ENGLISH, LANGUAGES

LETTER = ("id", "game", "no", "kind", "audience", "key", "payload", "nonce", "attempts", "problem")
SUPERSEDED = "superseded"       # the problem of a letter that has no sense any more; the sender passes it over
WAITS = f"sent_at IS NULL AND problem IS NOT '{SUPERSEDED}'"
ADD_LETTER = "INSERT INTO outbox (id, game, no, kind, audience, key, payload, nonce, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
SETTLE = f"UPDATE outbox SET problem = '{SUPERSEDED}' WHERE game = ?1 AND key = ?2 AND sent_at IS NULL"
FIRST_STAYS = f"""{SETTLE} AND (id > (SELECT min(id) FROM outbox WHERE game = ?1 AND key = ?2 AND {WAITS})
                  OR EXISTS (SELECT 1 FROM messages WHERE game = ?1 AND key = ?2))"""       # the first posts it, in its place
LOGGED = "game = ?1 AND kind = 'log'"
CHANGE_BOARD = "UPDATE noticeboards SET changed = changed + 1 WHERE guild = (SELECT guild FROM games WHERE id = ?)"

NOTE_STEP = f"""INSERT INTO message_steps (message, game, row)
                SELECT ?, game, min(no, coalesce((SELECT json_extract(told, '$.public') FROM games WHERE id = game), no))
                FROM outbox WHERE id = ? AND kind IN ({", ".join(f"'{kind}'" for kind in STEPS)})
                ON CONFLICT (message, game) DO UPDATE SET row = max(row, excluded.row)"""

LAST = 20               # letters of a game back among which its newest message is
WINDOW = 1_000          # letters that are looked at together for those that nobody needs any more
NEWER = """EXISTS (SELECT 1 FROM outbox AS newer WHERE newer.game = outbox.game AND newer.id > outbox.id
           AND newer.message NOT NULL ORDER BY newer.id LIMIT 1 OFFSET ?)"""        # more than so many others
RECENT = 1_000          # newest letters of all games that stay in any case

COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A message of the game's log: what it says of the rows after `since`, up to `no`. It can be one of several that do."""

    letter: int
    since: int
    no: int
    lines: Sequence[str]
    turns: Sequence[Turn]               # of which the lines tell
    first: int                          # which line of all these messages it begins with
    of: int                             # how many lines they have
    message: int | None                 # None: not sent yet, or never


def turns_of(posted: Iterable[Posted]) -> list[Turn]:
    """The turns of which all lines of these messages tell."""
    return in_turns(turn for one in posted for turn in one.turns)


class OutboxStatements(Statements):
    def __init__(self, db: Database) -> None:
        super().__init__(db)
        self.count_letters()
        self.origin = secrets.token_hex(4)          # so that the nonces of two files, or of a restored copy, never meet
        self._news: set[int] = set()

    def count_letters(self) -> None:
        """Number the next letter after those that are there."""
        self.next_letter: int = self._one("SELECT coalesce(max(id), 0) + 1 FROM outbox")

    def add_letters(self, game: int, no: int, letters: Iterable[Letter], at: str) -> None:
        """Letters for the sender, who passes over an older unsent one with the same key."""
        for letter in letters:
            self._news.add(game)
            if letter.key is not None:
                self.conn.execute(FIRST_STAYS if letter.kind == Status.kind else SETTLE, (game, letter.key))
            said = letter.sentence and say(letter.sentence, Reader(language=self._language(game, letter)))
            body = COMPACT.encode(letter.payload if said is None else {**letter.payload, "text": said})
            nonce = f"{self.origin}-{self.next_letter:x}"
            self.conn.execute(ADD_LETTER, (self.next_letter, game, no, letter.kind, letter.audience, letter.key, body, nonce,
                                           at))
            self.next_letter += 1
            if letter.kind == Status.kind:              # whatever changes the status of a game changes its server's noticeboard
                self.conn.execute(CHANGE_BOARD, (game,))

    def _language(self, game: int, letter: Letter) -> Language:
        """That of whoever alone reads a letter, or else of its game."""
        found = self.conn.execute("""SELECT coalesce(members.language, locale), games.language FROM games
                                     LEFT JOIN members ON user = ?2 WHERE id = ?1""",
                                  (game, getattr(letter, "user", None) if letter.alone else None)).fetchone()
        return next((LANGUAGES[code] for code in found or () if code in LANGUAGES), ENGLISH)

    def take_news(self) -> Collection[int]:
        """The games to whose letters some were added since this was asked last."""
        news, self._news = self._news, set()
        return news

    def withdraw(self, game: int, keys: Iterable[str]) -> None:
        """Unsent letters with these keys have no sense any more: the sender passes them over, and knows whether one was on its
        way."""
        self.conn.executemany(SETTLE, [(game, key) for key in keys])

    def unsent(self, game: int, key: str) -> bool:
        """True if a letter with this key still waits to be sent."""
        return self._one(f"SELECT 1 FROM outbox WHERE game = ? AND key = ? AND {WAITS} LIMIT 1", game, key) is not None

    def direct_channel(self, bot: int, user: int) -> int | None:
        """Where direct messages of this bot to a member go, if they have been opened."""
        channel: int | None = self._one("SELECT channel FROM direct_channels WHERE bot = ? AND user = ?", bot, user)
        return channel

    def direct_opened(self, bot: int, user: int, channel: int) -> None:
        self.conn.execute("INSERT OR REPLACE INTO direct_channels (bot, user, channel) VALUES (?, ?, ?)", (bot, user, channel))

    def addressed(self) -> dict[int, int]:
        """The games that have unsent letters, and the newest of these."""
        return dict(self.conn.execute("SELECT game, max(id) FROM outbox WHERE sent_at IS NULL GROUP BY game").fetchall())

    def pending_of(self, game: int, limit: int, after: int) -> list[OutboxRow]:
        """The oldest unsent letters of one game, after a letter; those that are passed over, too."""
        sql = f"SELECT {', '.join(LETTER)} FROM outbox WHERE game = ? AND sent_at IS NULL AND id > ? ORDER BY id LIMIT ?"
        return [_letter(row) for row in self.conn.execute(sql, (game, after, limit))]

    def pending(self, limit: int) -> list[OutboxRow]:
        """Unsent letters: the oldest of each game first, so that a game that cannot be reached holds up no other."""
        columns = ", ".join(LETTER)
        found = self.conn.execute(f"""
            SELECT {columns} FROM (SELECT {columns}, row_number() OVER (PARTITION BY game ORDER BY id) AS place
                                   FROM outbox WHERE {WAITS})
            ORDER BY place, id LIMIT ?""", (limit,))
        return [_letter(row) for row in found]

    def letter(self, id: int) -> OutboxRow:
        return _letter(self.conn.execute(f"SELECT {', '.join(LETTER)} FROM outbox WHERE id = ?", (id,)).fetchone())

    def mark_sent(self, id: int, message: int | None, at: str) -> None:
        """A letter has been sent; the message of a letter with a key can be found again by it, and by no earlier key.

        If its reader has been forgotten meanwhile, the message is not noted.
        """
        self.conn.execute("UPDATE outbox SET sent_at = ?1, message = iif(problem IS ?4, NULL, ?2) WHERE id = ?3",
                          (at, message, id, WITHDRAWN))
        if message is None:
            return
        self.conn.execute(NOTE_STEP, (message, id))
        game, key = self.conn.execute("SELECT game, key FROM outbox WHERE id = ?", (id,)).fetchone()
        if key is not None:
            self.keep_message(game, key, message)
        self.conn.execute("DELETE FROM messages WHERE game = ? AND message = ? AND key IS NOT ?", (game, message, key))

    def step_of(self, message: int) -> tuple[int, int] | None:
        """The game of which a message in its channel tells, and the last row of which everybody could know when it was posted;
        None: it is no such one."""
        found: tuple[int, int] | None = self.conn.execute("SELECT game, row FROM message_steps WHERE message = ?",
                                                          (message,)).fetchone()
        return found

    def keep_message(self, game: int, key: str, message: int) -> None:
        self.conn.execute("INSERT OR REPLACE INTO messages (game, key, message) VALUES (?, ?, ?)", (game, key, message))

    def mark_failed(self, id: int, why: str, given_up_at: str | None) -> None:
        """A letter could not be sent; with a time it is not tried again."""
        self.conn.execute("UPDATE outbox SET attempts = attempts + 1, problem = ?, sent_at = coalesce(sent_at, ?) WHERE id = ?",
                          (why, given_up_at, id))

    def lately_told(self, letters: int) -> set[int]:
        """The games of the newest letters, sent or not."""
        sql = "SELECT DISTINCT game FROM (SELECT game FROM outbox ORDER BY id DESC LIMIT ?)"
        return {game for (game,) in self.conn.execute(sql, (letters,))}

    def waiting_since(self, game: int) -> str | None:
        """When the oldest unsent letter of a game was written; None: nobody knows."""
        at: str | None = self._one("SELECT min(coalesce(at, '')) FROM outbox WHERE game = ? AND sent_at IS NULL", game)
        return at or None

    def known_messages(self, among: Iterable[int]) -> set[int]:
        sql = "SELECT 1 FROM outbox WHERE message = ?1 UNION ALL SELECT 1 FROM messages WHERE message = ?1"
        return {number for number in among if self._one(sql, number) is not None}

    def messages(self, game: int) -> dict[str, int]:
        """The Discord messages that stand for a key, such as "private:seat_1"."""
        return dict(self.conn.execute("SELECT key, message FROM messages WHERE game = ?", (game,)).fetchall())

    # -- the log

    def log_messages(self, game: int, most: int) -> list[Posted]:
        """The letters of the game's log, newest first: all that wait, and so many of those that were posted, with the others in
        the message of the oldest."""
        return self._log(game, self._log_start(game, most), self.next_letter)[::-1]

    def log_message(self, game: int, letter: int | None = None) -> list[Posted]:
        """All letters in a message of the log, oldest first: in that of a letter, or in the newest one. None if there is none."""
        number = (self._one(f"SELECT message FROM outbox WHERE {LOGGED} AND id = ?", game, letter) if letter is not None else
                  self._one(f"SELECT message FROM outbox WHERE {LOGGED} AND message NOT NULL ORDER BY id DESC LIMIT 1", game))
        if number is None:
            return []
        first, last = self.conn.execute(f"SELECT min(id), max(id) FROM outbox WHERE {LOGGED} AND message = ?",
                                        (game, number)).fetchone()
        return [posted for posted in self._log(game, first, last) if posted.message == number]

    def _log_start(self, game: int, most: int) -> int:
        """The first letter in the message that holds the oldest of so many posted letters of the log; 0: there are fewer."""
        start: int = self._one(f"""
            SELECT coalesce(min(id), 0) FROM outbox WHERE {LOGGED} AND message = (
                SELECT message FROM outbox WHERE {LOGGED} AND message NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """, game, most - 1)
        return start

    def _told_before(self, game: int, letter: int) -> int:
        """The last letter of the log before what a letter tells a part of: up to its row all had been told then. 0: none."""
        before: int = self._one(f"""
            SELECT coalesce(max(id), 0) FROM outbox WHERE {LOGGED} AND id < (
                SELECT max(id) FROM outbox WHERE {LOGGED} AND id <= ?2 AND coalesce(json_extract(payload, '$.first'), 0) = 0)
            """, game, letter)
        return before

    def _log(self, game: int, first: int, last: int) -> list[Posted]:
        """The letters of the log from one to another, oldest first."""
        sql = f"SELECT id, no, payload, message FROM outbox WHERE {LOGGED} AND id BETWEEN ?2 AND ?3 ORDER BY id"
        posted, since, newest = list[Posted](), 0, 0
        for id, no, payload, message in self.conn.execute(sql, (game, self._told_before(game, first), last)):
            told = json.loads(payload)
            begins, lines = told.get("first", 0), told["lines"]
            since, newest = (since if begins else newest), no
            turns = all_turns(Log.model_validate(told).turns, lines)
            posted.append(Posted(letter=id, since=since, no=no, lines=lines, turns=turns, first=begins,
                                 of=told.get("of", len(lines)), message=message))
        return [one for one in posted if one.letter >= first]

    def prune(self, since: int, before: str, logs: int) -> int:
        """Look at the next letters after one, and forget those that were sent before a moment and that nobody needs any more.

        The newest of all games stay, and of each game the last messages and the last of its log, `logs` many letters, which are
        struck out when rows are taken back; no message of the log is kept in part. Of a picture it stays that there was one. The
        last letter that was looked at; 0: all were.
        """
        upto: int | None = self._one("""
            SELECT max(id) FROM (SELECT id FROM outbox WHERE id > ? ORDER BY id LIMIT ?)
            WHERE id <= (SELECT max(id) FROM outbox) - ?""", since, WINDOW, RECENT)
        if upto is None:
            return 0
        done = "id > ? AND id <= ? AND sent_at < ?"
        self.conn.execute(f"DELETE FROM outbox WHERE {done} AND kind NOT IN ('log', 'picture') AND (message IS NULL OR {NEWER})",
                          (since, upto, before, LAST - 1))
        for (game,) in self.conn.execute(f"SELECT DISTINCT game FROM outbox WHERE {done} AND kind = 'log'",
                                         (since, upto, before)).fetchall():
            self._prune_log(game, before, logs)
        self.conn.execute(f"UPDATE outbox SET payload = '{{}}' WHERE {done} AND kind = 'picture' AND payload <> '{{}}'",
                          (since, upto, before))
        return upto

    def _prune_log(self, game: int, before: str, logs: int) -> None:
        """Forget the letters of a game's log that were posted before its last messages and all of them before a moment."""
        oldest = self._one(f"""
            SELECT min(id) FROM outbox WHERE {LOGGED} AND (
                sent_at IS NULL OR message IN (SELECT message FROM outbox WHERE {LOGGED} AND sent_at >= ?2))""", game, before)
        start = min([self._log_start(game, logs), *([oldest] if oldest is not None else [])])
        self.conn.execute(f"DELETE FROM outbox WHERE {LOGGED} AND id < ?2", (game, self._told_before(game, start)))

    def last_questions(self, game: int) -> dict[Seat, tuple[int, int]]:
        """Of each seat the message that its last question has become, unless another has taken its place there, and the row that
        led to that question."""
        sql = """SELECT audience, message, payload FROM outbox WHERE game = ? AND message NOT NULL AND kind = 'question'
                 ORDER BY id DESC LIMIT ?"""
        found: dict[Seat, tuple[int, int]] = {}
        for seat, message, payload in self.conn.execute(sql, (game, LAST)):
            if message not in [number for number, _ in found.values()]:
                found.setdefault(Seat(seat), (message, json.loads(payload)["asked_at"]))
        return found

    def newest_post(self, game: int) -> int:
        """The newest message in a game's channel among those that its last letters have become; 0: there is none."""
        kinds = ", ".join("?" * len(ELSEWHERE))
        number: int = self._one(f"""
            SELECT coalesce(max(message), 0) FROM (
                SELECT message FROM outbox WHERE game = ? AND message NOT NULL AND kind NOT IN ({kinds})
                                             AND (kind <> 'press' OR audience = 'public') ORDER BY id DESC LIMIT ?)
            """, game, *ELSEWHERE, LAST)
        return number

    def pictured(self, game: int, message: int, since: int) -> bool:
        sql = "SELECT 1 FROM outbox WHERE game = ? AND id > ? AND message = ? AND kind = 'picture' LIMIT 1"
        return self._one(sql, game, since, message) is not None

    def forget_message(self, game: int, key: str) -> None:
        """The message of a key is nobody's any more; the next letter with the key becomes a new one."""
        self.conn.execute("DELETE FROM messages WHERE game = ? AND key = ?", (game, key))

    def pictured_before(self, game: int, no: int) -> int:
        """The last row before this one after which pictures were to be posted; 0 if there is none."""
        sql = "SELECT coalesce(max(no), 0) FROM outbox WHERE game = ? AND no < ? AND kind = 'picture'"
        row: int = self._one(sql, game, no)
        return row


def _letter(values: Sequence[Any]) -> OutboxRow:
    found = dict(zip(LETTER, values, strict=True))
    found |= {"payload": json.loads(found["payload"]), "superseded": found.pop("problem") == SUPERSEDED}
    return OutboxRow(**found)
