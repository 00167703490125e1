"""The people of one server: who they are, and what each of them does at a look at the phone.

They answer what their games ask, follow what they are called for, take free seats and open games. Some vanish one day without a
word; some of those who host never act on anything. What they do goes through the bot's services; what they know of comes from the
messages that reach them, and from the noticeboard.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from math import inf
from random import Random
from typing import Any, Protocol

from bench.people import DAY, Look, looks
from bot.domain.absence import NoShow, ReplacementRules
from bot.domain.deadlines import read
from bot.domain.waking_hours import Hours, Nudges
from bot.service import Services
from bot.store import Ledger, Newcomers
from bot.store.settings import MemberRow
from engine import catalog, players
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.checks.mixtures import first_edition

VANISH = 0.2                # of the members, at some moment of these weeks
LAZY = 0.3                  # of them do nothing as game masters but start their games
ANNOUNCED = 0.5             # of the absences are vacations of which the games know
ROOM = (2, 3, 4, 5)         # games in which somebody plays at once
EAGER = 0.3                 # of the looks with room for one more game lead to it
AGAIN = 0.5                 # of those who see the end of a game want a rematch, or come to one
FOR_IT = 0.8                # of the votes
MOST_SEATS = 5
TURNS = 200                 # answers of a look in one game: more than anybody has patience for
CLOCKS = ("none", "none", "none", "24h", "48h", "bank 72h+12h")
RULES = (ReplacementRules(7, "half"), ReplacementRules(7, "half"), ReplacementRules(3, "all"), ReplacementRules(0, "half"))
NO_SHOWS: Sequence[NoShow] = ("wait", "replace", "drop")
NEWCOMERS: Sequence[Newcomers] = ("free", "free", "asked")
NUDGES: Sequence[Nudges] = ("growing", "growing", "daily", "once", "none")
ZONES = ("America/Los_Angeles", "America/New_York", "Europe/London", "Europe/Paris", "Europe/Athens", "Asia/Kolkata",
         "Asia/Tokyo")      # as those of `bench.people`

LAPSED = """SELECT game FROM seats JOIN games ON games.id = game WHERE seats.user = ? AND lapsed
            AND status IN ('running', 'paused')"""


class Doing(Protocol):
    """Has a step done on the server, as its clock stands: what came of it, or the Refusal; and posted, unless more follows."""

    def __call__(self, step: Awaitable[Any], *, more: bool = False) -> Awaitable[Any]: ...


@dataclass(frozen=True)
class Called:
    """A message that reached somebody by name."""

    kind: str               # of the letter
    game: int
    said: Any               # what the letter holds


@dataclass(eq=False)
class Person:
    """A member of the server."""

    id: int
    name: str
    rng: Random
    looks: Iterator[Look]
    room: int
    lazy: bool
    gone: float = inf                                       # from this minute on never seen again
    calls: list[Called] = field(default_factory=list)       # since the last look
    warned: set[tuple[int, Seat]] = field(default_factory=set)      # seats of which the game master has heard once

    def there(self, minute: float) -> bool:
        """Whether this is somebody who will look again."""
        return minute < self.gone


def person(id: int, name: str, number: int, seed: int, days: int) -> Person:
    """One of the members; the same number and seed give the same one."""
    rng = Random(f"person {seed} {number}")
    return Person(id, name, rng, looks(number, seed), rng.choice(ROOM), rng.random() < LAZY,
                  rng.uniform(0, days * DAY) if rng.random() < VANISH else inf)


class Community:
    """All of them, and what they do."""

    def __init__(self, services: Services, do: Doing, posted: Callable[[], Awaitable[None]], guild: int,
                 channel: Callable[[], int], rng: Random, games: int) -> None:
        self.services, self.do, self.posted, self.guild, self.channel = services, do, posted, guild, channel
        self.rng, self.games = rng, games
        self.people: dict[int, Person] = {}
        self.opened = self.answers = self.refilled = self.votes = self.rematches = 0

    async def settle_in(self, person: Person, number: int) -> None:
        """What a member has chosen once."""
        hours = Hours(zone=ZONES[number % len(ZONES)], wake=7, sleep=23) if person.rng.random() < 1 / 2 else None
        await self.do(self.services.settings.set_member(person.id, MemberRow(
            hours=hours, direct=person.rng.random() < 2 / 3, nudges=person.rng.choice(NUDGES),
            pings="none" if person.rng.random() < 1 / 10 else "all", upcoming=person.rng.random() < 1 / 4,
            notices=person.rng.random() < 1 / 5)))
        if person.rng.random() < 1 / 3:
            await self.do(self.services.interests.add_interest(self.guild, person.id, person.rng.choice(catalog.GAMES).key, 0))

    async def open(self, host: Person) -> int:
        """A member opens a game of some title for some players, and mostly joins it."""
        self.opened += 1
        spec, rng, by = self.rng.choice(catalog.GAMES), self.rng, host.id
        seats = rng.choice([seats for seats in spec.seats if seats <= MOST_SEATS])
        row = await self.do(self.services.lobby.open(
            key=spec.key, edition=first_edition(spec), seats=seats, options={}, pack=None, title=f"Table {self.opened:03}",
            guild=self.guild, channel=self.channel(), owner=by, clock=read(rng.choice(CLOCKS))))
        game: int = row.id
        await self.do(self.services.gone_players.set_replacement_rules(game, rng.choice(RULES), by))
        await self.do(self.services.gone_players.set_no_show(game, rng.choice(NO_SHOWS), by))
        await self.do(self.services.free_seats.set_newcomers(game, by, rng.choice(NEWCOMERS)))
        if rng.random() < 4 / 5:
            await self.join(host, game)
        return game

    async def join(self, person: Person, game: int) -> None:
        """A member takes a seat of an open game."""
        await self.do(self.services.lobby.join(game, person.id, name=person.name))

    async def look(self, person: Person, look: Look, minute: float) -> None:
        """All that somebody does at a look."""
        calls, person.calls = person.calls, []
        await self._play(person)
        for call in calls:
            await self._follow(person, call)
        if await self._free(person) > 0 and person.rng.random() < EAGER:
            await self._find_game(person)
        if look.away_until and person.rng.random() < ANNOUNCED:
            await self._leave(person, timedelta(minutes=look.away_until - minute))

    # -- what they do

    async def _play(self, person: Person) -> None:
        """Answer whatever any game asks, one question after the other; whoever was taken for away is back."""
        def read(ledger: Ledger) -> tuple[list[int], list[int]]:
            lapsed = ledger.conn.execute(LAPSED, (person.id,)).fetchall()
            return [game for (game,) in lapsed], [deadline.game for deadline in ledger.clocks.open_deadlines(person.id)]

        lapsed, asked = await self.services.session.store.read(read)
        for game in lapsed:
            await self.do(self.services.seats.acts_again(game, person.id))
        for game in dict.fromkeys((*lapsed, *asked)):
            await self.play_on(person, game, TURNS)
            await self.posted()

    async def play_on(self, person: Person, game: int, most: int) -> None:
        """Answer in one game until it asks somebody else."""
        for _ in range(most):
            seat = await self.services.queries.seat_of(game, person.id)
            if seat is None or (await self.services.queries.game(game)).status != "running":
                return
            table = await self.services.session.table(game)
            seen = players.position(table, seat)
            if seen is None:
                return
            action = players.answer(table.spec, "solid", seen, person.rng)
            if isinstance(await self.do(self.services.answers.answer(game, person.id, action), more=True), Refusal):
                return
            self.answers += 1

    async def _follow(self, person: Person, call: Called) -> None:
        """Do what a message asks for."""
        services, game = self.services, call.game
        match call.kind:
            case "full":
                await self.do(services.lobby.start(game, person.id))
            case "late" if await self.do(services.lobby.may_start(game, person.id)) is True:
                await self.do(services.lobby.start(game, person.id))
            case "escalation" if not person.lazy:
                for seat in call.said["seats"]:
                    await self._look_after(person, game, Seat(seat))
            case "application" if not person.lazy:
                await self.do(services.free_seats.accept(game, call.said["user"], person.id))
            case "waiting":
                await self._begin_vote(person, game)
            case "replacing" | "voters":
                await self._vote(person, game, call.said["replacement"])
            case "final" if person.rng.random() < AGAIN:
                again = await self.do(services.lobby.rematch(game, person.id, name=person.name))
                self.rematches += not isinstance(again, Refusal) and again[1]
            case "rematch" | "opened" if await self._free(person) > 0 and person.rng.random() < AGAIN:
                await self._find_game(person)

    async def _begin_vote(self, person: Person, game: int) -> None:
        """A vote about the first player about whom there can be one."""
        silences = await self.do(self.services.gone_players.silences(game, person.id))
        ready = [] if isinstance(silences, Refusal) else [one for one in silences if one.enough and one.user != person.id]
        if ready:
            vote = await self.do(self.services.gone_players.begin_vote(game, ready[0].seat, person.id))
            self.votes += not isinstance(vote, Refusal)

    async def _vote(self, person: Person, game: int, vote: int) -> None:
        agrees = person.rng.random() < FOR_IT
        poll = await self.do(self.services.gone_players.cast_ballot(game, vote, person.id, agrees=agrees))
        self.votes += not isinstance(poll, Refusal)

    async def _look_after(self, master: Person, game: int, seat: Seat) -> None:
        """The first time a game master waits; then the seat gets a caretaker, or its default where there is none."""
        if (game, seat) not in master.warned:
            master.warned.add((game, seat))
        elif isinstance(await self.do(self.services.seats.care(game, seat, master.id)), Refusal):
            await self.do(self.services.answers.answer_for(game, seat, None, master.id))

    async def _free(self, person: Person) -> int:
        """In how many more games somebody would play."""
        return person.room - len(await self.services.queries.games(user=person.id))

    async def _find_game(self, person: Person) -> None:
        """Take a free seat, or join a game that is open; if there is none, open one."""
        games, seated = await self.services.queries.games(guild=self.guild), await self.services.queries.seated(person.id)
        others = [row for row in games if row.id not in seated]
        free = await self.services.free_seats.with_free_seats()
        for row in [row for row in others if row.id in free]:
            for seat in await self.services.free_seats.free_seats(row.id):
                if await self.do(self.services.free_seats.take_over(row.id, seat.seat, person.id, name=person.name)) is True:
                    self.refilled += 1
                    return
        for row in [row for row in others if row.status == "open"]:
            if not isinstance(await self.do(self.services.lobby.join(row.id, person.id, name=person.name)), Refusal):
                return
        if len(games) < self.games:
            await self.open(person)

    async def _leave(self, person: Person, span: timedelta) -> None:
        """A vacation in all own games."""
        today = await self.services.clocks.today(person.id)
        for row in await self.services.queries.games(user=person.id):
            await self.do(self.services.clocks.take_vacation(row.id, person.id, today, today + span))
