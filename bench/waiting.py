"""How often, and how many days, a game waits for people: plain, and with each of the devices that save a question.

Simulated people look at their phones twice a day in several time zones; at each look they answer whatever the game asks of
them, one question after the other, until it asks somebody else. A wait is a look at which the game had stood still for that
person. All games are played by the real engine, with real standing orders; a look takes no time.
"""
from __future__ import annotations

import heapq
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from random import Random
from time import perf_counter
from typing import Any

from tqdm import tqdm

from bench.minds import ladder, opening, packet, placements, reactions, turn_end, written
from bench.people import DAY, HOUR, Look, looks
from bench.policy import Choice, random_choice, simple
from engine import catalog, shelf
from engine.dice import SecretDice
from engine.kernel import Action, Ask, Checkpoint, Seat, Table
from engine.orders import Order, Ordering, Orders
from engine.selfplay import new_table

SEATS, EDITION = 7, "first"
SPEC = catalog.find("struggle_of_empires")
PARTS = shelf.components(SPEC, EDITION).parts
ORDERING = SPEC.ordering or Ordering(points=())
LIMIT = 48 * HOUR           # of an answer, where there is a clock
AHEAD = 4                   # players before one's own turn at which it is written
LONGEST = 400 * DAY         # a game that is not over by then counts as lasting so long


@dataclass(frozen=True, kw_only=True)
class Devices:
    """What a group uses."""

    orders: bool = False    # standing orders for reactions, for the start and for the end of a turn
    ladders: bool = False   # auction ladders
    packets: bool = False   # one form for all that an attack may ask
    written: bool = False   # turns written ahead
    clock: bool = False     # defaults when the time of an answer is up, and at once while somebody is away
    among: float = 1.0      # of the people use them; the others leave the game to ask


NOTHING = Devices()
NAMES = tuple(device.name for device in fields(Devices) if device.name != "among")
EVERYTHING = replace(NOTHING, **dict.fromkeys(NAMES, True))
ALONE = {name: replace(NOTHING, **{name: True}) for name in NAMES}
HALF = replace(EVERYTHING, among=0.5)


@dataclass
class Outcome:
    """What one game cost."""

    waits: int = 0
    answers: int = 0                    # questions that a person answered
    forms: int = 0                      # packets and turns filled in ahead: taps, but nobody waits for them
    minutes: int = 0
    points: Counter[str] = field(default_factory=Counter)       # decision point -> waits that began with it


@dataclass
class Player:
    """One of the people at the table, with what goes on in the mind of each of them."""

    seat: Seat
    rng: Random
    devices: Devices                    # what of them this player uses
    mind: list[Order] = field(default_factory=list)     # how the player answers what is no choice of the moment
    orders: list[Order] = field(default_factory=list)   # what of it the bot has been told


class Club:
    """One game among simulated people."""

    def __init__(self, seed: int, devices: Devices, choice: Choice) -> None:
        self.devices, self.choice, self.outcome = devices, choice, Outcome()
        self.table = new_table(SPEC, SEATS, EDITION, PARTS, SecretDice(f"{seed:064x}"), checkpoints=False)
        self.ids = count(1)
        self.used: Counter[int] = Counter()
        self.players = {Seat(seat): self._player(Seat(seat), Random(f"{seed} {seat}")) for seat in self.table.state.seats}
        self.people = [looks(number, seed) for number in range(SEATS)]
        self.since = 0                  # when the present question was asked
        self._told()

    def _player(self, seat: Seat, rng: Random) -> Player:
        uses = rng.random() < self.devices.among
        return Player(seat, rng, self.devices if uses else replace(NOTHING, clock=self.devices.clock))

    def _learn(self, player: Player) -> None:
        """Once all powers are chosen, each player knows what to think of the others, and tells the bot."""
        powers, own = self.table.state.powers, self.table.state.power(player.seat)
        auctions = [*ladder(player.seat, powers, own, player.rng), *opening(player.seat, powers)]
        others = [*reactions(player.seat, player.rng), *turn_end(player.seat)]
        player.mind = [self._numbered(order) for order in (*auctions, *others)]
        told = [(auctions, player.devices.ladders), (others, player.devices.orders)]
        known = {order.points for orders, used in told if used for order in orders}
        player.orders += [order for order in player.mind if order.points in known]
        self._told()

    def _numbered(self, order: Order) -> Order:
        return order.model_copy(update={"id": next(self.ids)})

    def play(self) -> Outcome:
        """From the first question to the end of the game."""
        seats = list(self.players)
        agenda = [(look.at, number, look) for number, look in enumerate(map(next, self.people))]
        heapq.heapify(agenda)
        while not self.table.over and self.outcome.minutes < LONGEST:
            at, number, look = heapq.heappop(agenda)
            self._overdue(at)
            self.outcome.minutes = at
            self._look(self.players[seats[number]], look)
            following = next(self.people[number])
            heapq.heappush(agenda, (following.at, number, following))
        return self.outcome

    def _look(self, player: Player, look: Look) -> None:
        self.table.absent.discard(player.seat)
        question = self.table.asked(player.seat)
        if question is not None:
            self.outcome.waits += 1
            self.outcome.points[question.point] += 1
        while (question := self.table.asked(player.seat)) is not None:
            self.outcome.answers += 1
            self._answer(player.seat, self._chosen(player, question))
        if not self.table.over:
            self._ahead(player)
            if look.away_until and self.devices.clock:
                self.table.absent.add(player.seat)
                self._go_on()

    def _chosen(self, player: Player, question: Ask[Any]) -> Action:
        """By the rules of thumb that the player would give as orders, else by the choice of the moment."""
        options = self.table.options(player.seat)
        given = Orders(SPEC, player.mind).answer(self.table.state, question, options)
        if given is not None and given[0] in options:
            return given[0]
        return self.choice(self.table.state, question, options, player.rng)

    def _ahead(self, player: Player) -> None:
        """What the player does while nobody waits for it: a packet, the starting units, the next turn."""
        state = self.table.state
        if not player.mind and state.power(player.seat) and all(state.powers) and len(state.powers) == SEATS:
            self._learn(player)
        made: list[Order] = []
        if player.devices.packets and state.battle is not None:
            made += packet(SPEC, state, player.seat, player.mind)
        if player.devices.orders and state.phase == "placing":
            made += placements(state, player.seat)
        if player.devices.written and state.phase == "turn" and self._soon(player.seat):
            made += self._turn_ahead(player)
        known = {(order.points, order.kind, order.span) for order in player.orders}
        fresh = [self._numbered(order) for order in made if (order.points, order.kind, order.span) not in known]
        if fresh:
            self.outcome.forms += len(fresh)
            player.orders += fresh
            self._told()
            self._go_on()

    def _soon(self, seat: Seat) -> bool:
        """Whether the seat's turn comes before its next look, as far as one can guess."""
        state = self.table.state
        ahead: int = state.order.index(state.power(seat)) - state.place
        return 0 < ahead <= AHEAD

    def _turn_ahead(self, player: Player) -> list[Order]:
        """The turn as the player imagines it now: played through on a board where it has come."""
        state = SPEC.state.model_validate_json(self.table.state.model_dump_json())
        SPEC.bind(state, PARTS)
        span = ORDERING.spans(state, player.seat).get("turn", "")
        state.place, state.battle, state.turn = state.order.index(state.power(player.seat)), None, type(state.turn)()
        imagined = Table(SPEC, PARTS, Checkpoint(0, 0, state.model_dump_json()), dice=SecretDice("00" * 32), checkpoints=False)
        actions: list[Action] = []
        while (question := imagined.asked(player.seat)) is not None and question.point in ORDERING.written:
            action = self.choice(imagined.state, question, imagined.options(player.seat), player.rng)
            actions.append(action)
            imagined.answer(player.seat, action)
            if imagined.state.battle is not None or imagined.state.active != imagined.state.power(player.seat):
                break
        return [written(SPEC, player.seat, actions, span)] if actions and span else []

    # -- the table

    def _answer(self, seat: Seat, action: Action) -> None:
        self.table.answer(seat, action)
        self._moved()

    def _go_on(self) -> None:
        self.table.go_on()
        self._moved()

    def _moved(self) -> None:
        self.used.update(entry.order for entry in self.table.fresh if entry.order)
        if self.table.fresh:
            self.since = self.outcome.minutes
        self.table.fresh.clear()

    def _told(self) -> None:
        """Let the table know all orders."""
        self.table.deputy = Orders(SPEC, [order for player in self.players.values() for order in player.orders], self.used)

    def _overdue(self, now: int) -> None:
        """Until now: the clock gives defaults."""
        while self.devices.clock and not self.table.over and self.since + LIMIT <= now:
            self.outcome.minutes = self.since + LIMIT
            late = self.table.waiting()[0].seat
            self._answer(late, self.table.default(late))


def mean_of(seeds: Sequence[int], devices: Devices, choice: Choice, bar: tqdm) -> dict[str, float]:
    """Waits, answers and forms a game, on average, and the days that half of the games take at most."""
    outcomes: list[Outcome] = []
    for seed in seeds:
        outcomes.append(Club(seed, devices, choice).play())
        bar.update()        # type: ignore[no-untyped-call]
    return {"waits": statistics.mean(outcome.waits for outcome in outcomes),
            "answers": statistics.mean(outcome.answers for outcome in outcomes),
            "forms": statistics.mean(outcome.forms for outcome in outcomes),
            "days": statistics.median(outcome.minutes for outcome in outcomes) / DAY}


def worst_points(seeds: Sequence[int], devices: Devices, choice: Choice, most: int = 5) -> str:
    """The decision points that cost most waits, with their waits a game."""
    points: Counter[str] = Counter()
    for seed in seeds:
        points.update(Club(seed, devices, choice).play().points)
    return ", ".join(f"{point} {number / len(seeds):.1f}" for point, number in points.most_common(most))


def measure(seconds: float = 3.0) -> dict[str, float | str]:
    """Waits and days of seven-player games: plain, with each device alone, and with all of them."""
    begin = perf_counter()
    Club(0, EVERYTHING, simple).play()
    games = max(5, round(seconds * 2 / (perf_counter() - begin)))
    seeds = range(1, games + 1)
    kinds = {"plain": NOTHING, **{f"only_{name}": devices for name, devices in ALONE.items()}, "half": HALF,
             "all": EVERYTHING}
    figures: dict[str, float | str] = {"games": float(games)}
    with tqdm(total=games * (len(kinds) + 2), unit="game") as bar:
        for name, devices in kinds.items():
            bar.set_description(name)
            figures |= {f"{key}_{name}": value for key, value in mean_of(seeds, devices, simple, bar).items()}
        for name, devices in (("plain", NOTHING), ("all", EVERYTHING)):
            bar.set_description(f"random, {name}")
            figures |= {f"random_{key}_{name}": value for key, value in mean_of(seeds, devices, random_choice, bar).items()}
    plain = float(figures["waits_plain"])
    return {**figures, "worst_plain": worst_points(seeds[:5], NOTHING, simple),
            "worst_all": worst_points(seeds[:5], EVERYTHING, simple), "ratio_half": float(figures["waits_half"]) / plain,
            "waits": float(figures["waits_all"]), "ratio": float(figures["waits_all"]) / plain,
            "median_days_plain": figures["days_plain"], "median_days": figures["days_all"]}
