"""How often, and how many days, a game waits for people: plain, and with each of the devices that save a question.

Simulated people look at their phones twice a day in several time zones; at each look they answer whatever the game asks of
them, one question after the other, until it asks somebody else. A wait is a look at which the game had stood still for that
person. All games are played by the real engine, with real standing orders; a look takes no time. What the people of a game
think is told by its `Minds`.
"""
from __future__ import annotations

import heapq
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from random import Random
from time import perf_counter
from typing import Any

from tqdm import tqdm

from bench import attack_heuristics, imperial_heuristics, struggle_heuristics
from bench.heuristics import Minds, packet, written
from bench.people import DAY, HOUR, Look, looks
from bench.policy import Choice, random_choice
from bot.domain.deadlines import stretch
from engine import catalog, components
from engine.dice import SecretDice
from engine.games.attack import GAME as ATTACK
from engine.games.imperial_struggle import GAME as IMPERIAL_STRUGGLE
from engine.games.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.kernel import Action, Ask, Checkpoint, GameSpec, Seat, Table
from engine.orders import Order, Ordering, OrderLine, Orders
from engine.refusals import Faulty
from engine.selfplay import new_table
from engine.text import verbatim

MINDS: Mapping[str, Minds] = {STRUGGLE_OF_EMPIRES.key: struggle_heuristics.MINDS, ATTACK.key: attack_heuristics.MINDS,
                              IMPERIAL_STRUGGLE.key: imperial_heuristics.MINDS}
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
EVERYTHING = replace(NOTHING, **{device.name: True for device in fields(Devices) if device.name != "among"})
HALF = replace(EVERYTHING, among=0.5)


def alone(device: str) -> Devices:
    """Nothing but this."""
    return replace(NOTHING, **{device: True})


@dataclass(frozen=True)
class Setting:
    """A game among people who think so."""

    spec: GameSpec
    parts: Any
    minds: Minds

    @property
    def ordering(self) -> Ordering:
        return self.spec.orders or Ordering(points=())


def setting(key: str) -> Setting:
    """The usual game of a title. Raises Faulty."""
    spec = catalog.find(key)
    if key not in MINDS:
        raise Faulty("Nobody has told yet what the people of {game} think; there are: {games}.", game=verbatim(key),
                     games=tuple(map(verbatim, MINDS)))
    return Setting(spec, components.components(spec, MINDS[key].edition).parts, MINDS[key])


@dataclass
class Outcome:
    """What one game cost."""

    waits: int = 0
    answers: int = 0                    # questions that a person answered
    forms: int = 0                      # packets and turns filled in ahead: taps, but nobody waits for them
    minutes: int = 0
    points: Counter[str] = field(default_factory=Counter)       # decision point -> waits that began with it
    turns: Counter[str] = field(default_factory=Counter)        # stretch of which the clock counts the time -> waits in it


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

    def __init__(self, setting: Setting, seed: int, devices: Devices, choice: Choice | None = None) -> None:
        self.setting, self.spec, self.minds = setting, setting.spec, setting.minds
        self.devices, self.choice, self.outcome = devices, choice or self.minds.choice, Outcome()
        self.table = new_table(self.spec, self.minds.seats, self.minds.edition, setting.parts, SecretDice(f"{seed:064x}"),
                               checkpoints=False)
        self.ids = count(1)
        self.used: Counter[int] = Counter()
        self.players = {Seat(seat): self._player(Seat(seat), Random(f"{seed} {seat}")) for seat in self.table.state.seats}
        self.people = [looks(number, seed) for number in range(self.minds.seats)]
        self.since = 0                  # when the present question was asked
        self._read_news()

    def _player(self, seat: Seat, rng: Random) -> Player:
        uses = rng.random() < self.devices.among
        return Player(seat, rng, self.devices if uses else replace(NOTHING, clock=self.devices.clock))

    def _learn(self, player: Player) -> None:
        """As soon as there is something to think of the others, each player knows it, and tells the bot."""
        for device, thumbs in self.minds.thumbs(self.table.state, player.seat, player.rng).items():
            orders = [self._numbered(order) for order in thumbs]
            player.mind += orders
            if getattr(player.devices, device, False):
                player.orders += orders
                self._read_news()

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
            if self.spec.rules.active(self.table.state) is not None:
                self.outcome.turns[stretch(self.table, player.seat)] += 1
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
        given = Orders(self.spec, player.mind).answer(self.table.state, question, options)
        if given is not None and given[0] in options:
            return given[0]
        return self.choice(self.table.state, question, options, player.rng)

    def _ahead(self, player: Player) -> None:
        """What the player does while nobody waits for it: a packet, the lists of the set-up, the next turn."""
        if not player.mind:
            self._learn(player)
        made: list[Order] = []
        if player.devices.packets and self.setting.ordering.foreseen(self.table.state):
            made += packet(self.spec, self.table.state, player.seat, player.mind)
        if player.devices.orders:
            made += self.minds.lists(self.table.state, player.seat, player.rng)
        if player.devices.written and 0 < self.minds.ahead(self.table.state, player.seat) <= AHEAD:
            made += self._turn_ahead(player)
        known = {(order.points, order.kind, order.span) for order in player.orders}
        fresh = [self._numbered(order) for order in made if (order.points, order.kind, order.span) not in known]
        if fresh:
            self.outcome.forms += len(fresh)
            player.orders += fresh
            self._read_news()
            self._go_on()

    def _turn_ahead(self, player: Player) -> list[Order]:
        """The next turn as the player imagines it now, or the next ones: played through on a board where it has come."""
        ordering, seat = self.setting.ordering, player.seat
        span, now = ordering.spans(self.table.state, seat).get("turn", ""), self.table.state
        lines: list[OrderLine] = []
        for _ in range(self.minds.turns):
            state = self.spec.rules.state.model_validate_json(now.model_dump_json())
            self.spec.rules.bind(state, self.setting.parts)
            self.minds.forward(state, seat)
            imagined = Table(self.spec, self.setting.parts, Checkpoint(0, 0, state.model_dump_json()), dice=SecretDice("00" * 32),
                             checkpoints=False, deputy=Orders(self.spec, ()))
            while (question := imagined.asked(seat)) is not None and question.point in ordering.written:
                action = self.choice(imagined.state, question, imagined.options(seat), player.rng)
                lines += self.minds.lines(imagined.state, seat, action)
                imagined.answer(seat, action)
                if ordering.foreseen(imagined.state) or self.spec.rules.active(imagined.state) != seat:
                    break
            now = imagined.state
            if not self.minds.ahead(now, seat):
                break
        return [written(self.spec, seat, lines, span)] if lines and span else []

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

    def _read_news(self) -> None:
        """Let the table know all orders."""
        self.table.deputy = Orders(self.spec, [order for player in self.players.values() for order in player.orders], self.used)

    def _overdue(self, now: int) -> None:
        """Until now: the clock gives defaults."""
        limit = self.minds.hours * HOUR
        while self.devices.clock and not self.table.over and self.since + limit <= now:
            self.outcome.minutes = self.since + limit
            late = self.table.waiting()[0].seat
            self._answer(late, self.table.default(late))


def played(setting: Setting, seeds: Iterable[int], devices: Devices, choice: Choice, bar: tqdm) -> list[Outcome]:
    """A game for each seed."""
    outcomes: list[Outcome] = []
    for seed in seeds:
        outcomes.append(Club(setting, seed, devices, choice).play())
        bar.update()        # type: ignore[no-untyped-call]
    return outcomes


def means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Waits, answers and forms a game, on average, and the days that half of the games take at most."""
    return {"waits": statistics.mean(outcome.waits for outcome in outcomes),
            "answers": statistics.mean(outcome.answers for outcome in outcomes),
            "forms": statistics.mean(outcome.forms for outcome in outcomes),
            "days": statistics.median(outcome.minutes for outcome in outcomes) / DAY}


def worst_points(outcomes: Sequence[Outcome], most: int = 5) -> str:
    """The decision points that cost most waits, with their waits a game."""
    points: Counter[str] = Counter()
    for outcome in outcomes:
        points.update(outcome.points)
    return ", ".join(f"{point} {number / len(outcomes):.1f}" for point, number in points.most_common(most))


def most_in_a_turn(outcomes: Sequence[Outcome]) -> float:
    """Waits in that turn, or whatever the clock of the game counts by, in which there were most."""
    return float(max((waits for outcome in outcomes for waits in outcome.turns.values()), default=0))


def measure(game: str = STRUGGLE_OF_EMPIRES.key, seconds: float = 3.0) -> dict[str, float | str]:
    """Waits and days of games among people with phones: plain, with each device alone, and with all of them."""
    table = setting(game)
    begin = perf_counter()
    Club(table, 0, EVERYTHING).play()
    games = max(5, round(seconds * 2 / (perf_counter() - begin)))
    seeds = range(1, games + 1)
    alone_each = {f"only_{name}": alone(name) for name in table.minds.devices}
    kinds = {"plain": NOTHING, **alone_each, "half": HALF, "all": EVERYTHING}
    outcomes: dict[str, list[Outcome]] = {}
    with tqdm(total=games * (len(kinds) + 2), unit="game") as bar:
        for name, devices in kinds.items():
            bar.set_description(name)
            outcomes[name] = played(table, seeds, devices, table.minds.choice, bar)
        for name, devices in (("plain", NOTHING), ("all", EVERYTHING)):
            bar.set_description(f"random, {name}")
            outcomes[f"random_{name}"] = played(table, seeds, devices, random_choice, bar)
    figures: dict[str, float | str] = {"games": float(games), "seats": float(table.minds.seats)}
    for name, ended in outcomes.items():
        which = name.removeprefix("random_")
        figures |= {f"{'random_' * (which != name)}{key}_{which}": value for key, value in means(ended).items()}
    plain = float(figures["waits_plain"])
    return {**figures, "worst_plain": worst_points(outcomes["plain"]), "worst_all": worst_points(outcomes["all"]),
            "most_waits_a_turn_plain": most_in_a_turn(outcomes["plain"]),
            "most_waits_a_turn": most_in_a_turn(outcomes["all"]),
            "ratio_half": float(figures["waits_half"]) / plain, "waits": figures["waits_all"],
            "ratio": float(figures["waits_all"]) / plain, "median_days_plain": figures["days_plain"],
            "median_days": figures["days_all"]}
