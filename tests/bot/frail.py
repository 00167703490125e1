"""A bot that dies where one wants: at a write of its store or at a request to Discord, before or after it has arrived.

Death is an exception that nothing catches. Whatever the dead bot still wants, it gets nothing: no write, no request. What was
in its file at that moment is the copy on which the next bot begins, with nothing in memory.
"""
from __future__ import annotations

import functools
import io
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import discord
import simcord
from PIL import Image

from bot.discord.pictures import Draw
from bot.discord.scheduler import SIGN
from bot.store import Ledger, Store
from engine.kernel import GameSpec
from tests.bot.desk import blank, crashed
from tests.bot.discord_world import World, no_painter
from tests.toy import PEBBLES

T = TypeVar("T")
MOMENT = re.compile(r"<t:\d+(:\w)?>")          # a minute more or less is no difference
CHANNEL = re.compile(r"<#\d+>")                 # a post has another number in each run
PLACEHOLDER = "Your secrets will appear here."           # a part of the reply to who joins, and no news
PINNED = "pinned a message to this channel."    # Discord's own note, which a bot that dies just then can't take away
ENOUGH = 2000               # requests that are remembered at most
SELDOM = 1800               # seconds between looks that nothing has called for


def cheap(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """A picture of one pixel."""
    out = io.BytesIO()
    Image.new("P", (1, 1)).save(out, "PNG")
    return out.getvalue(), f"A picture of {spec.name}."


class Killed(BaseException):
    """The process is no more."""


class Fuse:
    """Counts the points at which a bot can die, and kills it at one of them."""

    def __init__(self) -> None:
        self.passed: list[str] = []             # what each point was, since the fuse was set
        self.burnt: str | None = None           # where the bot died
        self._at = 0

    def set(self, at: int = 0) -> None:
        """Die at the point with this number; 0: at none."""
        self.passed, self.burnt, self._at = [], None, at

    def spark(self, point: str, keep: Callable[[], None]) -> None:
        """One point; `keep` saves what a dead process leaves."""
        if self.burnt is not None:
            raise Killed(self.burnt)
        self.passed.append(point)
        if len(self.passed) == self._at:
            self.burnt = point
            keep()
            raise Killed(point)


class FrailStore(Store):
    """A store that can die before a transaction, before its commit, and before anybody hears of it."""

    def __init__(self, path: Path, fuse: Fuse, remains: Path) -> None:
        self._fuse, self._remains = fuse, remains
        super().__init__(path)

    async def write(self, work: Callable[[Ledger], T], *, delivers: bool = False) -> T:
        """One transaction, if the bot lives long enough."""
        @functools.wraps(work)
        def half(ledger: Ledger) -> T:
            result = work(ledger)
            self._fuse.spark("before a commit", self._copy)
            return result

        self._fuse.spark("before a write", self.keep)
        result = await super().write(half, delivers=delivers)
        self._fuse.spark("after a write", self.keep)
        return result

    async def read(self, work: Callable[[Ledger], T]) -> T:
        """A look, which leaves nothing behind and so is no point to die at."""
        if self._fuse.burnt is not None:
            raise Killed(self._fuse.burnt)
        return await super().read(work)

    def keep(self) -> None:
        """Copy the file at a moment at which nobody writes to it."""
        self._thread.submit(self._copy).result()

    def _copy(self) -> None:
        shutil.rmtree(self._remains, ignore_errors=True)
        crashed(self.path, self._remains)


class FrailWorld(World):
    """The club, with a bot that can be killed and begins again on what its file was then."""

    def __init__(self, path: Path, games: Sequence[GameSpec] = (PEBBLES,), draw: Draw = no_painter) -> None:
        self.fuse, self._home, self._lives = Fuse(), path.parent, 0
        super().__init__(path, games, draw)
        self.line.before = lambda method, path: self._request("before", method, path)
        self.line.after = lambda method, path: self._request("after", method, path)

    def _open_file(self) -> Store:
        return FrailStore(blank(self.path), self.fuse, self._home / f"life{self._lives + 1}")

    def _bot(self) -> Any:
        """A bot that looks seldom by itself, so that days go by quickly."""
        bot: Any = super()._bot()
        bot.scheduler.longest = SIGN.total_seconds()
        bot.outbox.pulse.change_interval(seconds=SELDOM)
        return bot

    def _request(self, when: str, method: str, path: str) -> None:
        """Whatever changes something is a point to die at."""
        if self.fuse.burnt is not None:
            raise Killed(self.fuse.burnt)
        if method != "GET":
            route = "/".join("#" if part.isdigit() or len(part) > 40 else part for part in path.split("/"))
            self.fuse.spark(f"{when} {method} {route}", self.store.keep)            # type: ignore[attr-defined]

    async def rise(self, again: int = 0) -> None:
        """A new bot on what the dead one has left; it dies too, at this point, unless that is 0."""
        if self.env._started:
            await self.env.shutdown()                       # of what the dead one has under way nothing goes on
        self.store.close()
        last = self.path.parent
        self._lives += 1
        self.path = self._home / f"life{self._lives}" / self.path.name
        if last != self._home:
            shutil.rmtree(last)
        self.fuse = Fuse()
        self.fuse.set(again)
        self.store = self._opened()
        self.services = self._services()
        self.env.bot = self._bot()
        try:
            await self.env.start()
            await self.env.settle()
        except Killed:
            pass
        self.forget()

    def forget(self) -> None:
        """Let go of what the simulation remembers of each request, and of the deaths among the errors."""
        if len(self.env.http_requests) > ENOUGH:
            self.env.backend.http_requests.clear()
        self.env.backend.transcript.clear()
        self.env._errors[:] = [error for error in self.env._errors if not isinstance(error, Killed)]

    # -- what can be compared with another run

    def conversations(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that people can read, but for replies to one of them: place -> messages with their words, files and buttons."""
        places = {"table": self.table, "olga": self.olga.user.dm_channel, "alice": self.alice.user.dm_channel,
                  "bob": self.bob.user.dm_channel, "carol": self.carol.user.dm_channel, "max": self.max.user.dm_channel}
        read = {name: [_seen(message) for message in place.history() if not message.content.endswith(PLACEHOLDER)]
                for name, place in places.items() if place is not None}
        read["weeks"] = [_seen(message) for message in self.elsewhere.history() if message.content.startswith("# The week")]
        read["posts"] = [told for number, post in enumerate(self._posts()) for told in self._post(number, post)]
        return read

    def _posts(self) -> list[Any]:
        """The threads in channels and the posts in forums, oldest first."""
        return [one for _, one in sorted(self.env.backend.channels.items()) if one.is_thread]

    def _post(self, number: int, post: Any) -> Iterator[tuple[Any, ...]]:
        """A thread with its name and who has been let into it, or a post with its name and tags, and its messages."""
        if self.env.backend.channels[post.parent_id].type == discord.ChannelType.forum.value:
            names = {int(tag["id"]): tag["name"] for tag in self.env.backend.channels[post.parent_id].available_tags}
            yield number, post.name, *(names[tag] for tag in post.applied_tags)
        else:
            yield number, post.name, *sorted(post.thread_members)
        for message in simcord.ChannelHandle(self.env, self.guild, post).history():
            if message.content != PINNED:
                yield number, *_seen(message)

    async def kept(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that is to outlive a death: what has happened, who sits where, what was ordered."""
        def read(ledger: Ledger) -> dict[str, list[tuple[Any, ...]]]:
            return {name: ledger.conn.execute(sql).fetchall() for name, sql in KEPT.items()}

        return await self.store.read(read)


KEPT = {
    "log": "SELECT game, no, seat, by, verb, answer, events FROM log ORDER BY game, no",
    "games": """SELECT id, status, owner, (SELECT count(*) FROM games AS other WHERE other.channel < games.channel), title,
                edition, options FROM games ORDER BY id""",
    "seats": "SELECT game, seat, user, private, caretaker, away, until FROM seats ORDER BY game, seat",
    "orders": "SELECT game, id, seat, user, paused, body, dropped_at IS NULL FROM orders ORDER BY game, id",
    "plans": "SELECT game, seat, user, round, steps FROM plans ORDER BY game, seat",
    "uses": 'SELECT game, no, "order" FROM order_uses ORDER BY game, no',
    "clocks": "SELECT game, clock FROM clocks ORDER BY game",
    "deadlines": "SELECT game, seat, asked_at, extra FROM deadlines ORDER BY game, seat",
    "requests": 'SELECT id, game, seat, "to", newest, ended FROM requests ORDER BY id',
    "consents": "SELECT request, seat, agreed FROM consents ORDER BY request, seat",
    "stand_ins": "SELECT id, game, seat, user, asker, until, ended FROM stand_in_offers ORDER BY id",
    "replacements": "SELECT id, game, seat, user, asker, needed, ended FROM replacements ORDER BY id",
    "votes": "SELECT game, user, choice FROM votes ORDER BY game, user",
    "openings": "SELECT game, user, due_at IS NULL, seat_told IS NULL FROM openings ORDER BY game, user",
    "ballots": "SELECT replacement, user, agrees FROM ballots ORDER BY replacement, user",
    "lessons": "SELECT user, game, lesson, answers FROM lessons ORDER BY user, game, lesson",
    "proxies": "SELECT game, no, proxy FROM log WHERE proxy <> '' ORDER BY game, no",
    "insights": "SELECT circle, seat, user, held, agreed FROM insights ORDER BY circle, seat, user",
    "threads": """SELECT game, seats, (SELECT count(*) FROM threads AS other WHERE other.thread < threads.thread) FROM threads
                  ORDER BY thread""",
    "press": "SELECT game, seat, receiver, words FROM press ORDER BY id",
    "results": "SELECT game FROM results ORDER BY game",
    "result_seats": "SELECT game, seat, own, user, side, place, points FROM result_seats ORDER BY game, seat",
    "unlisted": "SELECT user FROM unlisted ORDER BY user",
    "weeks": "SELECT kind, payload ->> 'guild', payload ->> 'user' FROM outbox WHERE kind IN ('summary', 'week') ORDER BY id",
    "bookmarks": "SELECT game, user, row, words FROM bookmarks ORDER BY game, user, row",
}


def _seen(message: Any) -> tuple[Any, ...]:
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    ids = tuple(item.get("custom_id") for row in rows for item in row["components"])
    return CHANNEL.sub("<#>", MOMENT.sub("<t>", message.content)), len(message.attachments), ids, message.pinned
