"""People of many games who act at once on a loopback Discord, with what they saw; beside each game a table that knows its rows.

They act at the times they want to, not when the bot is ready for them; what they wait for counts from the moment they act.
"""
from __future__ import annotations

import asyncio
import random
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from bench.commands import typed
from bot.discord.errors import UNHEARD
from bot.discord.game.action_commands import legal
from bot.discord.game.buttons import PUBLISH, STEP_BACK
from bot.domain.announcements import choice_id
from engine.kernel import Action, Row, Seat, Table, planned_round
from engine.selfplay import random_answer
from engine.text import say
from tests.checks.loopback import Loopback, SentInteraction

OUT_OF_REACH = say(UNHEARD)
WARM = 0.2              # of the time people act before anything is measured
REPLY_TIMEOUT = 30.0         # seconds after which nobody looks at the phone any more
ANSWERS, PANELS, TYPING, MAPS = "answer", "panel", "autocomplete", "map"
MIX = {ANSWERS: 0.3, PANELS: 0.3, TYPING: 0.3, MAPS: 0.1}       # shares of what people do


def helped(kind: type[Action]) -> str:
    """The first field of a command whose values are suggested to whoever types; "" if there is none: a switch needs no help."""
    return next((name for name, field in kind.model_fields.items() if field.annotation is not bool), "")


@dataclass(frozen=True)
class Plan:
    """A round that a seat plays in private: where its plan stands, as its player reads it, and whether it can be published."""

    seat: Seat
    stamp: int
    closed: bool


def plan_below(asked: SentInteraction, game: int, seat: Seat) -> Plan | None:
    """Where a plan stands by the buttons below an answer; None if there are none."""
    ids = [item["custom_id"] for row in asked.said.get("components", ()) for item in row["components"] if "custom_id" in item]
    back, publish = (f"{route.name}:{game}:{seat}:" for route in (STEP_BACK, PUBLISH))
    stamps = [int(id.removeprefix(back)) for id in ids if id.startswith(back)]
    return Plan(seat, stamps[0], any(id.startswith(publish) for id in ids)) if stamps else None


@dataclass(eq=False)
class Club:
    """One game: where it is played, by whom, and the rows that its answers must lead to."""

    game: int
    channel: int
    users: Mapping[Seat, int]
    table: Table
    since: int                                                  # the last row before the people begin
    rows: list[Row] = field(default_factory=list)               # expected after it
    given: list[tuple[int, float]] = field(default_factory=list)        # answer by answer: its last row, when it was sent
    told: list[tuple[int, float]] = field(default_factory=list)         # the same for answers that got a reply: when it came
    busy: bool = False                                          # an answer is under way
    doubtful: bool = False                                      # the last answer got no reply
    plan: Plan | None = None                                    # steps that the table has taken, and that are not public yet

    @property
    def over(self) -> bool:
        """True if nothing more can be answered."""
        return self.table.over and self.plan is None

    @property
    def given_up(self) -> bool:
        """True if nobody tries any more to get a reply to the last answer."""
        return self.doubtful and not self.busy

    def certain(self) -> int:
        """The last row of which the bot has said that it is there."""
        told = [last for last, _ in self.given]
        return [self.since, *(told[:-1] if self.doubtful else told)][-1]


@dataclass
class Seen:
    """What people waited for, in seconds, by kind; what they never got."""

    acknowledged: list[float] = field(default_factory=list)
    answered: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    unanswered: int = 0
    acted: int = 0


class Crowd:
    """The people. They look at any game, and answer in those that are played."""

    def __init__(self, discord: Loopback, clubs: Sequence[Club], seed: int = 0, *, tries: int = 1,
                 patience: float = REPLY_TIMEOUT,
                 at_once: int | None = None, most: int | None = None) -> None:
        """`tries`: how often they press before they give an answer up. `patience`: seconds that they wait each time.

        `at_once`: games that are played at a time, the first to begin with; None: all. When one is over, given up or has `most`
        rows, another takes its place.
        """
        self.discord, self.clubs, self.rng = discord, clubs, random.Random(seed)
        self.tries, self.patience, self.most = tries, patience, most
        self.played = list(clubs[:at_once])
        self.spare = deque(clubs[len(self.played):])
        self.seen = Seen()

    @property
    def playing(self) -> int:
        """Games in which answers are still given."""
        return sum(not (club.given_up or club.over) for club in self.played)

    async def act(self, rate: float, seconds: float, passed: Callable[[float], object] = lambda now: None) -> None:
        """So many deeds a second, at random moments; returns when all have been answered or given up."""
        self.seen = Seen()
        begin, at, under_way = perf_counter(), 0.0, set[asyncio.Task[None]]()
        while (at := at + self.rng.expovariate(rate)) < seconds:
            await asyncio.sleep(max(0.0, begin + at - perf_counter()))
            task = asyncio.create_task(self._deed(*self.rng.choices(list(MIX), list(MIX.values()))))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            passed(at)
        await asyncio.gather(*under_way)

    async def _deed(self, kind: str) -> None:
        club = self.rng.choice(self.clubs)
        if kind == ANSWERS:
            chosen = next((club for club in self.rng.sample(self.played, len(self.played)) if self.ready(club)), None)
            if chosen is not None:
                await self._answer(chosen)
                self._leave(chosen)
                return
            kind = PANELS
        deeds: Mapping[str, Callable[[Club], Awaitable[SentInteraction]]] = {
            PANELS: self._panel, TYPING: self._typing, MAPS: self._map}
        await self._wait(kind, await deeds[kind](club))

    def ready(self, club: Club) -> bool:
        """True if somebody can give an answer now."""
        return not (club.busy or club.doubtful or club.over)

    def _leave(self, club: Club) -> None:
        """If a game is over, given up or long, another takes its place as long as there is one."""
        long = self.most is not None and club.plan is None and club.table.last_no >= self.most
        if self.spare and (club.given_up or club.over or long):
            self.played[self.played.index(club)] = self.spare.popleft()

    async def _wait(self, kind: str, asked: SentInteraction) -> bool:
        """Wait for the answer; whether there was one."""
        self.seen.acted += 1
        try:
            async with asyncio.timeout(self.patience):
                answered = await asyncio.shield(asked.answered)         # it may come later
        except TimeoutError:
            self.seen.unanswered += 1
            return False
        self.seen.acknowledged.append(await asked.acknowledged - asked.sent)
        self.seen.answered[kind].append(answered - asked.sent)
        return True

    async def _heard(self, asked: SentInteraction) -> bool:
        """True if there was a reply to an answer, and it is not that Discord was out of reach."""
        return await self._wait(ANSWERS, asked) and asked.said.get("content") != OUT_OF_REACH

    async def _answer(self, club: Club) -> None:
        """A random answer, by a button or as a command; what has a consequence is confirmed at once. In a private round it is a
        step of the plan, and a press makes the plan public once nothing more can be planned."""
        club.busy = True
        table, plan = club.table, club.plan
        if plan is not None and plan.closed:
            user, pressed, sent = club.users[plan.seat], PUBLISH.custom_id(club.game, plan.seat, plan.stamp), perf_counter()
            asked = await self.discord.press(user, club.channel, pressed)
            club.plan = None
        else:
            seat = self.rng.choice([question.seat for question in table.waiting() if question.seat in club.users])
            action, planned = random_answer(table.options(seat), self.rng.randrange), bool(planned_round(table, seat))
            user, stamp, sent = club.users[seat], table.asked_at if plan is None else plan.stamp, perf_counter()
            pressed = f"yes:{club.game}:{seat}:{stamp}:{choice_id(action)}"
            menus = table.spec.words.menus
            if menus[action.verb].typed and action.consequence(table.state, seat) is None and self.rng.random() < 1 / 2:
                asked = await self.discord.command(user, club.channel, f"{table.spec.command} {action.verb}", **typed(action))
            else:
                asked = await self.discord.press(user, club.channel, pressed)
            table.answer(seat, action)
            if planned:
                club.doubtful = not await self._wait(ANSWERS, asked)
                club.plan, club.busy = plan_below(asked, club.game, seat), False
                return
        entries, _ = table.take()
        club.rows += [entry.row() for entry in entries]
        club.given.append((table.last_no, sent))
        club.doubtful = not await self._heard(asked)
        for _ in range(self.tries - 1):
            if not club.doubtful:
                break
            asked = await self.discord.press(user, club.channel, pressed)       # what has arrived is not done again
            club.doubtful = not await self._heard(asked)
        if not club.doubtful:
            club.told.append((club.given[-1][0], perf_counter()))
        club.busy = False

    async def _panel(self, club: Club) -> SentInteraction:
        return await self.discord.press(self.rng.choice(list(club.users.values())), club.channel, f"turn:{club.game}")

    async def _map(self, club: Club) -> SentInteraction:
        return await self.discord.command(self.rng.choice(list(club.users.values())), club.channel, "game map")

    async def _typing(self, club: Club) -> SentInteraction:
        """Somebody who is asked types an answer, or the name of a game."""
        table, menus = club.table, club.table.spec.words.menus
        for question in (question for question in table.waiting() if question.seat in club.users):
            kinds = [kind for kind in question.accepts
                     if menus[kind.verb].typed and helped(kind) and legal(table, question.seat, kind)]
            if kinds and self.rng.random() < 3 / 4:
                kind = self.rng.choice(kinds)
                name = helped(kind)
                return await self.discord.suggest(club.users[question.seat], club.channel,
                                                  f"{table.spec.command} {kind.verb}", name, **{name: ""})
        user = self.rng.choice(list(club.users.values()))
        return await self.discord.suggest(user, club.channel, "game status", "game", game="")
