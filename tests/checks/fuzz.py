"""Random games that look for dead ends: each ends, replays, adds up; guided towards the rules that were not yet reached.

A game that fails is shrunk to a few answers, every other question getting its default, and written as a test to be pasted.
"""
from __future__ import annotations

import random
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any, get_origin

from pydantic.fields import FieldInfo
from tqdm import tqdm

from engine import catalog, components, notation
from engine.dice import SecretDice
from engine.kernel import WORLD, Action, Decree, GameSpec, Row, Seat, Table, fold
from engine.refusals import Faulty, Refusal
from engine.selfplay import beginning, random_answer, rung, weary
from tests.checks import rules_reached, soundness
from tests.checks.changed_actions import changed, other_value, words_of
from tests.checks.mixtures import a_mixture, for_seats

MOST_ROWS = 30_000          # no game of any length comes near
FOUND = Path("build/fuzz")  # where games that fail are written as tests
LONG = 400                  # rows of a phase after which everybody gives defaults, so that it ends even if nobody likes to end it
LOOKED_AT = 0.02            # of the questions: views and words are made, and the table is loaded from the file's rows
ILLEGAL = 0.03              # of the questions: something is tried that may be refused
ASIDES = 0.02               # of the questions: somebody does something that nobody asked for
CHANGED = (0.0, 0.1, 0.5)   # of the options, in a game: as often it is an edition as it stands
WATCHED = 50                # games whose every step is watched for rules; later a fifth of them, since it slows them down
SHRINKING = 60.0            # seconds that one failing game is made shorter


# --- a game that can be written down ----------------------------------------------------------------------

@dataclass(frozen=True)
class Case:
    """A game by what its players say; a question that nothing listed answers gets its default."""

    game: str
    seats: int
    answers: tuple[str, ...] = ()       # "seat_2 bid gold=3 a=france b=spain", in the order in which they are given
    options: Mapping[str, Any] = field(default_factory=dict)
    secret: str = "00" * 32
    edition: str = "first"


def play_out(case: Case, spec: GameSpec | None = None) -> Table:
    """Play a case to its end, and check everything after each answer. What is wrong with it is raised.

    The listed answers are given one after the other, each as soon as it is possible; until then everybody gives defaults.
    """
    game = _Played(spec or catalog.find(case.game), case, often=1)
    lines = list(reversed(case.answers))
    while not game.table.over:
        given = _possible(game.table, lines[-1]) if lines else weary(game.table)
        if given is not None and lines:
            lines.pop()
        seat = game.table.waiting()[0].seat
        game.give(*(given or (seat, game.table.default(seat))))
    game.finished()
    return game.table


def _possible(table: Table, words: str) -> tuple[Seat, Action] | None:
    """What a listed answer says, if it is possible now."""
    seat, _, line = words.partition(" ")
    try:
        if seat == WORLD:
            return WORLD, _decreed(table, line)
        action = notation.read(table.spec, line)
        table.examine(Seat(seat), action)
    except Refusal:
        return None
    return Seat(seat), action


def _decreed(table: Table, line: str) -> Decree:
    """What the world outside says by a line, which no player can say. Raises Refusal: it is not possible now."""
    verb, *pairs = line.split()
    kind = next(kind for kind in table.spec.rules.decrees if kind.verb == verb)
    decree = kind.model_validate(dict(pair.split("=", 1) for pair in pairs))
    decree.check(table.state, WORLD)
    return decree


class _Played:
    """A game under way with all that is checked of it."""

    def __init__(self, spec: GameSpec, case: Case, often: int) -> None:
        self.spec, self.case, self.often = spec, case, often
        self.parts = components.components(spec, case.edition).parts
        self.start = beginning(spec, case.seats, case.edition, self.parts, case.options)
        self.dice = SecretDice(case.secret)
        self.table = Table(spec, self.parts, self.start, dice=self.dice)
        self.answers: list[str] = []
        self.newest = self.start            # the last checkpoint
        self.passed = 0
        self._collected()

    def give(self, seat: Seat, action: Action) -> None:
        """Give an answer, or say what the world outside says, and check what follows now and then."""
        self.answers.append(f"{seat} {notation.write(action)}")
        if isinstance(action, Decree):
            self.table.decree(action)
        else:
            self.table.answer(seat, action)
        self._collected()

    def _collected(self) -> None:
        if self.table.checkpoint is not None:
            self.newest, self.table.checkpoint = self.table.checkpoint, None
        assert len(self.table.fresh) < MOST_ROWS, f"no end after {MOST_ROWS} rows"
        if len(self.table.fresh) - self.passed >= self.often:
            self.passed = len(self.table.fresh)
            soundness.check(self.spec.key, self.table.state)
        else:
            soundness.nothing_below_zero(self.table.state)

    def rows(self) -> list[Row]:
        return [entry.row() for entry in self.table.fresh]

    def finished(self) -> None:
        """What must hold at the end: it is over, it adds up, the rows lead there, and the facts alone do."""
        table, state = self.table, self.table.state.model_dump_json()
        assert table.over and table.state.phase == "over", "nobody is asked, and it is not over"
        soundness.check(self.spec.key, table.state)
        seats = [seat for seat, _, _ in self.spec.rules.standings(table.state)]
        assert sorted(seats) == sorted(table.state.seats), "the ranking does not name every seat once"
        again = Table(self.spec, self.parts, self.start, self.rows(), dice=self.dice, checkpoints=False)
        assert again.state.model_dump_json() == state, "the rows lead to another state"
        facts = [table.opening, *(entry.events for entry in table.fresh)]
        assert fold(self.spec, self.parts, self.start, facts).model_dump_json() == state, "the facts lead to another state"

    def looked_at(self, seat: Seat) -> None:
        """What everybody and a seat are shown of a position can be made, and the position comes back from the last checkpoint."""
        state, spec, views = self.table.state, self.spec, self.spec.views
        for who in (None, seat):
            assert views.describe(views.view(state, who), 500) and views.board(views.view(state, who)), "an empty board"
        spec.words.moment(state)
        rows = [entry.row() for entry in self.table.fresh[self.newest.no:]]
        again = Table(spec, self.parts, self.newest, rows, dice=self.dice, run_on=False, strict=True)
        assert again.state == state and again.asked_at == self.table.asked_at, "a table that is loaded stands elsewhere"
        assert [(ask.seat, ask.point) for ask in again.waiting()] == [(ask.seat, ask.point) for ask in self.table.waiting()], \
            "a table that is loaded asks something else"


# --- players ------------------------------------------------------------------------------------------------

@dataclass
class Policy:
    """What random players like: weights of kinds of answers and of their words. The empty one likes every kind the same."""

    weights: dict[tuple[str, str], float] = field(default_factory=dict)
    edition: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    spread: float = 0.0                 # how far new weights lie apart; 0: all are 1

    def weight(self, key: tuple[str, str], pick: random.Random) -> float:
        known = self.weights.get(key)
        if known is None:
            known = self.weights[key] = 2.0 ** pick.gauss(0, self.spread)
        return known

    def changed(self, pick: random.Random) -> Policy:
        """Nearly the same again."""
        return Policy({key: weight * 2.0 ** pick.gauss(0, 0.5) for key, weight in self.weights.items() if pick.random() < 0.9},
                      self.edition, self.options, self.spread)


def random_policy(spec: GameSpec, edition: str, pick: random.Random) -> Policy:
    """Random likes, and an edition as it is or with some of its options changed."""
    return Policy({}, edition, a_mixture(spec, edition, pick, pick.choice(CHANGED)), pick.choice((0.0, 1.0, 2.0, 3.0)))


def chosen(options: Sequence[Action], policy: Policy, given: Counter[tuple[str, str]], pick: random.Random) -> Action:
    """An answer to a policy's liking: first its kind, then its words one after the other; what was given seldom is liked more."""
    if not policy.spread:
        return random_answer(options, pick.randrange)

    def one(keys: Sequence[tuple[str, str]]) -> tuple[str, str]:
        key = pick.choices(keys, [policy.weight(key, pick) / (1 + given[key]) ** 0.5 for key in keys])[0]
        given[key] += 1
        return key

    verb = one([(verb, "") for verb in dict.fromkeys(option.verb for option in options)])[0]
    left = [option for option in options if option.verb == verb]
    for name in type(left[0]).model_fields:
        values = {(verb, f"{name}={value}"): value for value in dict.fromkeys(getattr(option, name) for option in left)}
        if len(values) > 1:
            value = values[one([*values])]
            left = [option for option in left if getattr(option, name) == value]
    return left[0]


def _is_list(part: FieldInfo) -> bool:
    return get_origin(part.annotation) is tuple


class Players:
    """All seats of one game, following one policy."""

    def __init__(self, spec: GameSpec, policy: Policy, given: Counter[tuple[str, str]], pick: random.Random,
                 watch: rules_reached.Watch) -> None:
        self.spec, self.policy, self.given, self.pick, self.watch = spec, policy, given, pick, watch
        self.words: tuple[str, ...] = ()

    def play(self, game: _Played) -> None:
        """To the end."""
        pick, table, self.words = self.pick, game.table, words_of(self.spec.words.names(game.parts))
        while not table.over:
            if (agreed := weary(table)) is not None:
                game.give(*agreed)
                continue
            if (decree := rung(table, pick.randrange)) is not None:
                self._give(game, WORLD, decree)
                continue
            chance = pick.random()
            if chance < LOOKED_AT:
                game.looked_at(Seat(pick.choice(table.state.seats)))
            elif chance < LOOKED_AT + ILLEGAL:
                self._try(table)
            elif chance < LOOKED_AT + ILLEGAL + ASIDES:
                self._beside(game)
                if table.over:
                    break
            seat = pick.choice(table.waiting()).seat
            options = table.options(seat)
            tired = table.last_no - game.newest.no > LONG or pick.random() < 0.03
            action = table.default(seat) if tired else chosen(options, self.policy, self.given, pick)
            if self.spec.rules.caretaker is not None and pick.random() < 0.03:
                action = self.spec.rules.caretaker(table.state, seat, options) or action
            if action.open_ended and pick.random() < 0.1:
                action = self._beyond(table, seat, action)
            self._give(game, seat, action)

    def _give(self, game: _Played, seat: Seat, action: Action) -> None:
        """Give an answer, and note what it reaches."""
        before = len(game.table.fresh)
        game.give(seat, action)
        for entry in game.table.fresh[before:]:
            for shown in (entry.answer, *entry.events):
                self.watch.shown(shown)

    def _beyond(self, table: Table, seat: Seat, action: Action) -> Action:
        """An answer that is not listed, if it is legal: with a number up to the highest that there is, or with a longer list."""
        kind, pick = type(action), self.pick
        name = pick.choice([name for name, part in kind.model_fields.items() if part.annotation is int or _is_list(part)])
        part, value = kind.model_fields[name], getattr(action, name)
        if part.annotation is int:
            value = pick.choice([*(mark.le for mark in part.metadata if hasattr(mark, "le")), value + pick.randrange(100)])
        else:
            alike = [other for other in table.options(seat) if type(other) is kind]
            more = (*value, *getattr(pick.choice(alike), name)) if pick.random() < 0.7 else value
            value = tuple(pick.sample(more, len(more)))
        try:
            beyond = kind.model_validate({**action.model_dump(), name: value})
            table.examine(seat, beyond)
        except (Refusal, ValueError):
            return action
        return beyond

    def _beside(self, game: _Played) -> None:
        """Something that nobody waits for: a gift, or what a seat may do while another one is asked."""
        table, seat = game.table, Seat(self.pick.choice(game.table.state.seats))
        options: list[Action] = [option for kind in self.spec.rules.asides for option in kind.options(table.state, seat)]
        if table.asked(seat) is None:
            options += table.options(seat)
        if options:
            game.give(seat, self.pick.choice(options))

    def _try(self, table: Table) -> None:
        """Something that may be refused; whether it is, changes nothing."""
        pick = self.pick
        question = pick.choice(table.waiting())
        kind = pick.choice((*question.accepts, *self.spec.rules.asides, *self.spec.rules.actions))
        fields = {name: other_value(kind, name, self.words, pick) for name in kind.model_fields}
        listed = table.options(question.seat)
        if listed and pick.random() < 0.7:
            like = random_answer(listed, pick.randrange)
            kind, fields = type(like), changed(like, self.words, pick)
        before = table.state.model_dump_json()
        try:
            table.examine(question.seat, kind.model_validate(fields))
        except Refusal as why:
            self.watch.refused(why.rule)
        except ValueError:
            pass                            # no value of its type
        obstacle = kind.obstacle(table.state, question.seat) if kind in question.accepts else None
        if obstacle is not None:
            self.watch.refused(obstacle.rule)
        assert table.state.model_dump_json() == before, f"asking whether {kind.verb} is legal changes the state"


# --- games that fail --------------------------------------------------------------------------------------

def failure(case: Case, spec: GameSpec) -> str:
    """How a case fails, in a way that other cases can be compared with; "" if it does not."""
    try:
        play_out(case, spec)
    except Exception as why:
        return kind_of(why)
    return ""


def kind_of(why: BaseException) -> str:
    """The kind of a failure: what was raised, and where."""
    steps = [*traceback.extract_tb(why.__traceback__)]
    where = next((step for step in reversed(steps) if "site-packages" not in step.filename), steps[-1])
    return f"{type(why).__name__} in {Path(where.filename).name}, {where.name}"


def shrunk(case: Case, spec: GameSpec, *, seconds: float) -> Case:
    """A case that fails in the same way with as few answers as can be found: ever smaller parts are left out."""
    kind, until = failure(case, spec), perf_counter() + seconds
    size = max(1, len(case.answers) // 2)
    while size and perf_counter() < until:
        smaller = next((less for less in _without(case, size) if perf_counter() < until and failure(less, spec) == kind), None)
        if smaller is not None:
            case = smaller
        else:
            size //= 2
    for key in case.options:
        fewer = replace(case, options={other: value for other, value in case.options.items() if other != key})
        if failure(fewer, spec) == kind:
            case = fewer
    return case


def _without(case: Case, size: int) -> Iterator[Case]:
    """The case without each run of so many answers, the last ones first."""
    for start in range(len(case.answers) - size, -1, -size):
        yield replace(case, answers=case.answers[:start] + case.answers[start + size:])


def as_test(case: Case, why: str, name: str) -> str:
    """A case as a test that can be pasted."""
    answers = "".join(f"        {words!r},\n" for words in case.answers)
    options = f", options={dict(case.options)!r}" if case.options else ""
    return (f"def test_{name}():\n    \"\"\"{why}\"\"\"\n"
            f"    play_out(Case({case.game!r}, {case.seats}, edition={case.edition!r}{options},\n"
            f"                  secret={case.secret!r}, answers=(\n{answers}    )))\n")


# --- the instrument ---------------------------------------------------------------------------------------

@dataclass
class Fuzz:
    """Games one after the other, and what they reached."""

    spec: GameSpec
    seed: int
    watch: rules_reached.Watch
    given: Counter[tuple[str, str]] = field(default_factory=Counter)
    led: list[Policy] = field(default_factory=list)         # policies whose games reached a rule for the first time
    games: Counter[int] = field(default_factory=Counter)    # by the number of players
    editions: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    found: list[str] = field(default_factory=list)          # tests

    def one(self, number: int, seats: int) -> None:
        """Play one game, and note what it reached, or what is wrong with it."""
        pick, edition = random.Random(f"{self.seed}/{number}"), self._edition(number)
        led = [policy for policy in self.led if policy.edition == edition][-50:]
        policy = pick.choice(led).changed(pick) if led and pick.random() < 0.4 else random_policy(self.spec, edition, pick)
        options = for_seats(self.spec, edition, policy.options, seats)
        case = Case(self.spec.key, seats, (), options, pick.randbytes(32).hex(), edition)
        before, game = len(self.watch.reached), None
        self.games[seats] += 1
        self.editions[edition] += 1
        try:
            watched = number < WATCHED or number % 5 == 0
            with self.watch if watched else nullcontext():
                game = _Played(self.spec, case, often=20)
                Players(self.spec, policy, self.given, pick, self.watch).play(game)
                game.finished()
        except Exception as why:
            self._failed(replace(case, answers=tuple(game.answers if game is not None else ())), why, number)
        if game is not None:
            self.rows += len(game.table.fresh)
        if len(self.watch.reached) > before:
            self.led.append(policy)

    def _edition(self, number: int) -> str:
        """Each edition in turn, after each number of players has had its game."""
        keys = [edition.key for edition in self.spec.editions if edition.available]
        return keys[number // len(self.spec.seats) % len(keys)]

    def _failed(self, case: Case, why: Exception, number: int) -> None:
        """Write a failing game down, as short as can be."""
        name = f"{self.spec.key}_{self.seed}_{number}"
        if failure(case, self.spec):
            case = shrunk(case, self.spec, seconds=SHRINKING)
        else:
            print(f"{name}: played again by its answers it does not fail; game {number} of seed {self.seed} does.",
                  file=sys.stderr)
        test = as_test(case, f"{kind_of(why)}: {why}".replace('"', "'").replace("\\", "/"), name)
        self.found.append(test)
        FOUND.mkdir(parents=True, exist_ok=True)
        (FOUND / f"test_{name}.py").write_text(f"from tests.checks.fuzz import Case, play_out\n\n\n{test}", encoding="utf-8")
        print(f"\n{test}", file=sys.stderr)


def fuzz(spec: GameSpec, seats: Sequence[int], enough: Callable[[int], bool], *, seed: int = 0) -> Fuzz:
    """Games at each number of players in turn until it is enough."""
    run = Fuzz(spec, seed, rules_reached.Watch(spec))
    for number in count():
        if enough(number):
            return run
        run.one(number, seats[number % len(seats)])
    raise AssertionError("counting never ends")


def measure(game: str, edition: str = "", seats: int = 0, seconds: float = 60.0, games: int = 0, seed: int = 0) -> dict[str, Any]:
    """Random games that look for dead ends, of one edition or of each in turn, and the rules that they reach."""
    spec = catalog.find(game)
    if edition:
        spec = spec.changed(editions=(components.edition_of(spec, edition),))
    if seats and seats not in spec.seats:
        raise Faulty("{game} is for {players} players.", game=spec.name, players=spec.players)
    begin = perf_counter()
    with tqdm(total=games or round(seconds), unit="game" if games else "s") as bar:
        def enough(number: int) -> bool:
            spent = perf_counter() - begin
            bar.n = number if games else min(round(spent), bar.total)
            bar.set_postfix(games=number, refresh=False)
            bar.refresh()
            return number >= games if games else spent >= seconds

        run = fuzz(spec, [seats] if seats else [*spec.seats], enough, seed=seed)
    return _figures(spec, run, perf_counter() - begin)


def _figures(spec: GameSpec, run: Fuzz, spent: float) -> dict[str, Any]:
    known, tested = rules_reached.total(spec), {*rules_reached.in_tests(spec), *rules_reached.in_checks(spec)}
    nowhere = rules_reached.unreached(spec, run.watch.reached)
    if nowhere:
        print(f"reached by nothing: {', '.join(nowhere)}")
    return {"games": run.games.total(), "stuck": len(run.found), "rules_reached": len(known) - len(nowhere),
            "rules_total": len(known), "rules_in_play": len(run.watch.reached), "rules_in_tests": len(tested),
            "rows": run.rows, "games_by_seats": dict(sorted(run.games.items())), "games_by_edition": dict(run.editions),
            "games_per_second": run.games.total() / spent}
