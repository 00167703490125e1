"""A whole server on the simulated Discord for some virtual weeks: people who look twice a day, some who vanish, seats that are
taken over, votes, rematches; and how long any game stands still without a word to somebody who could act.

The bot is the real one, with its outbox and its scheduler; between two events its clock is put on. A game stands still from the
last row of its log (or player who joined) to the next one. Words to somebody who could act are messages that call a member by
name who will look again, or go there directly; calls of whoever manages the server, who follows them; the noticeboard, as long as
it offers a seat of a game that nobody else holds up; and a vacation of which everybody was told until when it lasts.

In the middle the bot can be off for some days, in which nobody can do anything: for the figures they have not been, so that these
should be those of a server whose bot was never off. What it said in the day after the middle is told by kinds.
"""
from __future__ import annotations

import asyncio
import heapq
import json
import logging
import tempfile
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from tqdm import tqdm

from bench.people import DAY, HOUR, Look
from bot.store import Ledger
from engine.catalog import GAMES
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.discord_world import World
from tests.checks.changed_interactions import blank
from tests.checks.community import Called, Community, person

STANDSTILL = 96.0           # hours that no game may stand still without a word
YOUNG = 120                 # answers of a game at most before the weeks begin
MISSING = 0.15              # of the games want for players as the weeks begin
SELDOM = 1800               # seconds between looks of the outbox that nothing has called for
TO_ONESELF = {"private", "farewell", "proxy", "plan", "press"}      # direct messages that call to nothing
ASKING = {"question", "packet", "series"}                           # what a game asks; all else that calls somebody is a nudge
BOARD = "### Running games"
ALIVE = """SELECT id, status, seats, (SELECT coalesce(max(no), 0) FROM log WHERE game = games.id),
    (SELECT group_concat(coalesce(user, level), ' ') FROM seats WHERE game = games.id),
    (SELECT count(*) FROM deadlines WHERE game = games.id AND given = ''),
    (SELECT count(*) FROM deadlines AS d WHERE d.game = games.id AND given = '' AND NOT EXISTS (
        SELECT 1 FROM vacations AS v WHERE v.game = d.game AND v.user = d.user AND starts <= ?1 AND ends > ?1)),
    (SELECT count(*) FROM seats WHERE game = games.id AND user IS NULL AND level = ''), title
    FROM games WHERE status IN ('open', 'running', 'paused')"""
LETTERS = "SELECT nonce, game, kind, payload FROM outbox WHERE nonce IN ({})"


class Weeks:
    """The server, as time goes by."""

    def __init__(self, world: World, members: int, games: int, days: int, seed: int) -> None:
        self.world, self.services, self.days, self.games = world, world.services, days, games
        self.rng = Random(seed)
        self.community = Community(world.services, self.do, self._settled, world.guild.id, self._channel, self.rng, games)
        self.began = world.env.now()
        self.people = self.community.people
        for number in range(members):
            member = world.guild.add_member(world.env.create_user(f"member{number}"))
            self.people[member.id] = person(member.id, member.name, number, seed, days)
        self.channels = set[str]()
        self.heard = dict[int, float]()             # game -> when it last went on, or somebody was told
        self.state = dict[int, tuple[Any, ...]]()   # what going on is seen by
        self.silence = dict[int, tuple[float, str]]()       # game -> the longest time of silence in minutes, and how it stood
        self.posted = Counter[str]()                # messages in channels of games, by letter
        self.nudges = Counter[str]()
        self.nudged = list[tuple[int, str, int, str]]()     # day, letter, game, and member, of all that called anybody
        self.opened = list[float]()                 # when direct messages were opened
        self.finished = self.closed = self.freed = 0
        self.after = Counter[str]()                 # messages in the day after the middle, by letter
        self.kept = list[tuple[int, Sequence[Seat]]]()      # games of which whoever manages the server was told, and their seats
        self.begun = False
        world.line.before = self._requested

    @property
    def minute(self) -> float:
        """Minutes since the beginning, without those for which the bot was off."""
        return (self.world.env.now() - self.began) / timedelta(minutes=1)

    def _channel(self) -> int:
        channel = self.world.guild.create_text_channel(f"table-{len(self.channels)}")
        self.channels.add(str(channel.id))
        return int(channel.id)

    def _requested(self, method: str, path: str) -> None:
        if (method, path) == ("POST", "/users/@me/channels"):
            self.opened.append(self.minute)

    async def do(self, step: Awaitable[Any], *, more: bool = False) -> Any:
        """What comes of a step, or the Refusal; the bot has posted what it leads to."""
        with self.world.env.time_context():
            try:
                done = await step
            except Refusal as why:
                done = why
        if self.begun and not more:
            await self._settled()
        return done

    async def _settled(self) -> None:
        await self.world.env.settle()
        await self._noticed()

    def _slow_down(self) -> None:
        bot = self.world.bot
        bot.scheduler.beat.cancel()                     # its looks are called for here
        bot.outbox.pulse.change_interval(seconds=SELDOM)

    async def _turn_off(self, days: int) -> None:
        """The bot is stopped, and started again some days later."""
        self.world.set_wall_clock(timedelta(days=days))
        self.began += timedelta(days=days)
        await self.world.restart()
        self.services = self.community.services = self.world.services
        await self._settled()
        self._slow_down()

    async def live(self, bar: Any, off: int = 0) -> None:
        """From the first day to the last; in the middle the bot is off for so many days."""
        self._slow_down()
        await self._begin()
        await self.services.noticeboards.hang_noticeboard(self.world.guild.id, self.world.elsewhere.id, self.world.max.id)
        self.begun = True
        await self._settled()
        agenda = [(look.at, id, look) for id, one in self.people.items() for look in (next(one.looks),)]
        heapq.heapify(agenda)
        due = 0.0
        while (minute := min(due, agenda[0][0])) < self.days * DAY:
            await self.world.env.advance_time(max(0.0, minute - self.minute) * 60)
            if off and self.minute >= self.days * DAY / 2:
                await self._turn_off(off)
                off = 0
            due = await self._pulse()
            await self._look_after()
            while agenda[0][0] <= self.minute:
                await self._look(agenda)
            await self._watch()
            bar.update(round(self.minute / DAY, 2) - bar.n)

    async def _begin(self) -> None:
        """The games under way as the weeks begin, each as far as it has come, and some for which players are missing."""
        for number, one in enumerate(self.people.values()):
            await self.community.settle_in(one, number)
        people = list(self.people.values())
        while self.community.opened < self.games:
            host = self.rng.choice(people)
            game = await self.community.open(host)
            row = await self.services.queries.game(game)
            for one in self.rng.sample(people, len(people))[:row.seats + 1 - 2 * (self.rng.random() < MISSING)]:
                await self.community.join(one, game)            # or it is refused: there already, or no seat is left
            if not isinstance(await self.do(self.services.lobby.start(game, host.id)), Refusal):
                await self._played(game, self.rng.randrange(YOUNG))

    async def _played(self, game: int, answers: int) -> None:
        """A game that has gone on for so many answers at least, or is over."""
        until = self.community.answers + answers
        while self.community.answers < until:
            waiting = [asked for asked in await self.services.queries.waiting(game) if asked.user in self.people]
            if not waiting:
                return
            before = self.community.answers
            await self.community.play_on(self.people[waiting[0].user or 0], game, until - before)
            if self.community.answers == before:
                return

    async def _look(self, agenda: list[tuple[int, int, Look]]) -> None:
        """The next one looks, unless gone for good."""
        at, id, look = heapq.heappop(agenda)
        one = self.people[id]
        if one.there(at):
            await self.community.look(one, look, at)
            following = next(one.looks)
            heapq.heappush(agenda, (following.at, id, following))

    async def _pulse(self) -> float:
        """The scheduler looks; the minute of its next look. The bot has been up all the time."""
        with self.world.env.time_context():
            now = self.world.env.now()
            await self.services.session.store.write(lambda ledger: ledger.presence.beat(self.services.session.time()))
            following = await self.world.bot.scheduler.look(now)
        await self._settled()
        soon = self.minute + HOUR
        return soon if following is None else min(soon, max(self.minute + 1, (following - self.began) / timedelta(minutes=1)))

    async def _look_after(self) -> None:
        """Whoever manages the server follows its calls: seats of games that wait for players who are gone are freed, and games
        that nobody starts are closed."""
        calls, self.kept = self.kept, []
        for game, seats in calls:
            holders = {holder.seat: holder.user for holder in await self.services.queries.holders(game)}
            if not seats:
                await self.do(self.services.seats.close(game, self.world.max.id, ""))
            for seat in seats:
                if (user := holders.get(seat)) is not None:
                    freed = await self.do(self.services.idle_games.free_seat(game, seat, user, self.world.max.id))
                    self.freed += not isinstance(freed, Refusal)

    # -- what is seen of it

    async def _noticed(self) -> None:
        """What the bot has posted since the last time, and whom it called."""
        requests = [request for request in self.world.env.http_requests
                    if request.method == "POST" and request.path.endswith("/messages")]
        self.world.env.http_requests.clear()
        self.world.env.backend.transcript.clear()
        told = [(request.path.split("/")[2], str(said.get("nonce", "")), said) for request in requests if (said := request.json)]
        if not told:
            return
        nonces = sorted({nonce.partition(".")[0] for _, nonce, _ in told})
        sql = LETTERS.format(", ".join("?" * len(nonces)))

        def read(ledger: Ledger) -> tuple[dict[str, tuple[int, str, Any]], dict[str, int]]:
            found = ledger.conn.execute(sql, nonces).fetchall()
            direct = ledger.conn.execute("SELECT channel, user FROM direct_channels").fetchall()
            return ({nonce: (game, kind, json.loads(payload)) for nonce, game, kind, payload in found},
                    {str(channel): user for channel, user in direct})

        letters, direct = await self.services.session.store.read(read)
        for channel, nonce, said in told:
            if (letter := letters.get(nonce.partition(".")[0])) is None:
                continue
            self.after[letter[1]] += 0 <= self.minute - self.days * DAY / 2 < DAY
            if channel in self.channels:
                self.posted[letter[1]] += 1
            users = [direct[channel]] if channel in direct else [
                int(user) for user in (said.get("allowed_mentions") or {}).get("users") or ()]
            await self._called(*letter, users)

    async def _called(self, game: int, kind: str, said: Any, users: Sequence[int]) -> None:
        """A message has reached these members by name."""
        if kind == "final":
            holders = await self.services.queries.holders(game)
            for holder in holders:
                if holder.user in self.people:
                    self.people[holder.user].calls.append(Called(kind, game, said))
            return
        if kind in TO_ONESELF:
            return
        games = {duty[0] for duty in said["duties"]} if "duties" in said else {game}
        for user in users:
            if user == self.world.max.id and kind == "stands":
                self.kept.append((game, said["seats"]))
                self.heard |= dict.fromkeys(games, self.minute)
            if user in self.people:
                self.people[user].calls.append(Called(kind, game, said))
                self.nudges[kind] += kind not in ASKING
                self.nudged.append((int(self.minute // DAY), kind, game, self.people[user].name))
                if self.people[user].there(self.minute):
                    self.heard |= dict.fromkeys(games, self.minute)

    async def _watch(self) -> None:
        """Which games have gone on, and how long each of the others has been silent."""
        now = self.services.session
        with self.world.env.time_context():
            at = now.time()
        rows = await now.store.read(lambda ledger: ledger.conn.execute(ALIVE, (at,)).fetchall())
        offered = next((message.content.partition(BOARD)[0] for message in reversed(self.world.elsewhere.history())
                        if message.content.startswith("# Noticeboard")), "")
        alive = dict[int, tuple[Any, ...]]()
        for game, status, seats, newest, players, asked, here, free, title in rows:
            alive[game] = (status, newest, players)
            missing = len((players or "").split()) < seats if status == "open" else free and not asked
            standing = (missing and title in offered) or (asked and not here)
            if standing or alive[game] != self.state.get(game):
                self.heard[game] = self.minute
            silent = self.minute - self.heard[game]
            if silent > self.silence.get(game, (0.0, ""))[0]:
                self.silence[game] = silent, status
        for game in self.state.keys() - alive.keys():
            status = (await self.services.queries.game(game)).status
            self.finished, self.closed = self.finished + (status == "over"), self.closed + (status == "closed")
        self.state = alive

    def figures(self) -> Mapping[str, Any]:
        """What there is to say of these weeks."""
        silence, game, how = max((silent, game, how) for game, (silent, how) in self.silence.items())
        there = sum(min(one.gone, self.days * DAY) for one in self.people.values()) / DAY
        community = self.community
        opened = [sum(at <= other < at + 1 for other in self.opened) for at in self.opened]
        return {"members": len(self.people), "games": len(self.silence), "vanished": sum(
                    not one.there(self.days * DAY) for one in self.people.values()),
                "games_finished": self.finished, "games_closed": self.closed, "longest_silence_hours": silence / HOUR,
                "longest_silence_of": f"game {game}, {how}",
                "standstills": sum(silent > STANDSTILL * HOUR for silent, _ in self.silence.values()),
                "nudges_per_member_day": sum(self.nudges.values()) / there,
                "messages_per_game": sum(self.posted.values()) / len(self.silence),
                "dm_openings_per_minute_max": max(opened, default=0), "answers": community.answers,
                "seats_refilled": community.refilled, "seats_freed": self.freed,
                "votes": community.votes, "rematches": community.rematches,
                "said_in_the_day_after_the_middle": dict(sorted((+self.after).items()))}


async def lived(members: int, games: int, days: int, off: int, seed: int) -> Weeks:
    """So many days of a server with so many members and games, and as many days more in which its bot is off."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, tqdm(total=days, unit="day") as bar:
        async with World.at(Path(folder) / "server.db", GAMES, draw=blank) as world:
            weeks = Weeks(world, members, games, days, seed)
            await weeks.live(bar, off)
            return weeks


def measure(members: int = 60, games: int = 45, days: int = 28, off: int = 0, seed: int = 1, out: str = "") -> Mapping[str, Any]:
    """Weeks of a whole server: games that finish, the longest silence of a game, nudges, messages.

    Who was called when and why goes to the file `out`, a line each, to be compared with what another version does.
    """
    logging.disable()
    weeks = asyncio.run(lived(members, games, days, off, seed))
    if out:
        Path(out).write_text("".join(f"{day} {kind} {game} {member}\n" for day, kind, game, member in weeks.nudged))
    return weeks.figures()
