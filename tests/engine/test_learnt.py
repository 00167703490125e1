"""What an answer gives away: found by comparing what everybody sees, in answers that tell secrets and in random games."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, ClassVar

import pytest

from engine.catalog import GAMES
from engine.components import components
from engine.dice import SecretDice
from engine.kernel import Action, Aside, Checkpoint, Entry, Event, Game, GameSpec, Row, Script, Seat, Table, ask
from engine.refusals import Illegal
from engine.selfplay import beginning, random_answer
from engine.text import Reader, Text, say, text
from engine.undo import DECISIONS, learnt
from tests.toy import PEBBLES, SECRET, Guess, Guessed, State, guessing, plain

ONE, TWO, THREE = SEATS = tuple(Seat(f"seat_{n}") for n in (1, 2, 3))


# --- a game in which answers can tell ---------------------------------------------------------------------

class Told(Event):
    """Somebody says something: aloud, or to one seat."""

    words: str
    to: str = ""

    def line(self) -> Text | None:
        return None if self.to else text("{words}", words=self.words)

    def private_lines(self, state: State) -> Mapping[Seat, Text]:
        return {Seat(self.to): text("{words}", words=self.words)} if self.to else {}


class Taken(Event):
    """Somebody takes as many pebbles as were guessed, for all to see."""

    seat: str
    pebbles: int

    def apply(self, state: State) -> None:
        state.taken[self.seat] = self.pebbles


class Passed(Event):
    """It is the next seat's turn."""

    def apply(self, state: State) -> None:
        state.turn += 1


class Telling(Action):
    """An answer that does something with the guess of a seat."""

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        raise NotImplementedError


class Show(Telling):
    """Show your guess to all."""

    verb: ClassVar[str] = "show"

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Told(words=f"My guess is {state.guess[seat]}.")


class Whisper(Telling):
    """Show your guess to the next seat."""

    verb: ClassVar[str] = "whisper"

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Told(words=f"My guess is {state.guess[seat]}.", to=TWO)


class Peek(Telling):
    """Look at the guess of the next seat."""

    verb: ClassVar[str] = "peek"

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Told(words=f"The guess of the next seat is {state.guess[TWO]}.", to=seat)


class Hoard(Telling):
    """Take as many pebbles as you guessed: the board tells."""

    verb: ClassVar[str] = "hoard"

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Taken(seat=seat, pebbles=state.guess[seat])


class Swear(Telling):
    """Swear that your guess is even; nobody else may."""

    verb: ClassVar[str] = "swear"

    @classmethod
    def options(cls, state: State, seat: Seat) -> Iterable[Swear]:
        return [cls.of()] if state.guess[seat] % 2 == 0 else []

    def check(self, state: State, seat: Seat) -> None:
        if state.guess[seat] % 2:
            raise Illegal("Your guess is odd.")

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        return []


class Boast(Telling):
    """Say that your guess is nine, whatever it is."""

    verb: ClassVar[str] = "boast"

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Told(words="My guess is 9.")


class Recall(Telling):
    """Be reminded of your own guess."""

    verb: ClassVar[str] = "recall"

    def tell(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Told(words=f"My guess is {state.guess[seat]}.", to=seat)


KINDS = (Show, Whisper, Peek, Hoard, Swear, Boast, Recall)


def telling(g: Game[State]) -> Script[None]:
    seat = Seat(g.state.seats[g.state.turn % len(g.state.seats)])
    answer = yield from ask(seat, *KINDS, prompt="What do you tell?")
    assert isinstance(answer, Telling)
    for event in answer.tell(g.state, seat):
        g.emit(event)
    g.emit(Passed())


TALES = PEBBLES.changed(actions=(Guess, *KINDS), menus=plain(Guess, *KINDS, *PEBBLES.rules.asides),
                events=(Guessed, Told, Taken, Passed), orders=None, breaks=(),
                phases={"guessing": guessing, "taking": telling})


def tales() -> Table:
    state = State(phase="taking", seats=list(SEATS), guess={ONE: 4, TWO: 7, THREE: 2})
    return Table(TALES, {}, Checkpoint(0, 0, state.model_dump_json()), dice=SecretDice(SECRET), run_on=False)


@pytest.mark.parametrize("answer, tells", [(Show(), True), (Whisper(), True), (Peek(), True), (Hoard(), True), (Swear(), True),
                                           (Boast(), False), (Recall(), False)])
def test_an_answer_that_tells_a_secret_is_found_out(answer: Action, tells: bool) -> None:
    assert learnt(tales, SEATS, ONE, answer) is tells


def test_a_secret_that_everybody_sees_anyway_is_not_told() -> None:
    def open_view(state: State, seat: Seat | None) -> Any:
        return tuple(state.guess.items())

    def position() -> Table:
        table = tales()
        table.spec = TALES.changed(view=open_view)
        return table

    assert not learnt(position, SEATS, ONE, Show())


def test_the_comparison_leaves_no_trace() -> None:
    table = tales()
    before = table.state.model_dump_json()
    learnt(tales, SEATS, ONE, Hoard())
    assert table.state.model_dump_json() == before


# --- random games -----------------------------------------------------------------------------------------

def others_see(table: Table, reader: Seat | None, entries: Iterable[Entry]) -> list[str]:
    """In words, by other ways than the function under test: the board for screen readers, sentences, questions, private lines."""
    spec, who = table.spec, Reader()
    view = spec.views.view(table.state, reader)
    told = [say(line, who) for entry in entries for event in entry.events if (line := event.line()) is not None]
    own = [say(line, who) for entry in entries for seat, line in entry.private if seat == reader]
    return [spec.views.board(view), spec.views.describe(view, 4000), say(spec.words.moment(table.state), who), *told, *own,
            *(f"{question.seat}: {say(question.text(), who)}" for question in table.waiting())]


@pytest.mark.parametrize("spec", [*GAMES, PEBBLES], ids=lambda spec: spec.key)
def test_after_a_take_back_nobody_knows_more_than_the_position_tells(spec: GameSpec) -> None:
    """Of every answer of a random game that could be taken back: with other secrets, however different, all looks the same."""
    rng, free = Random(0), 0
    table, start, rows = fresh(spec)
    for _ in range(80):
        if table.over:
            break
        seat, alone = table.waiting()[0].seat, len(table.asks) == 1
        answer = random_answer(table.options(seat), rng.randrange)
        past, begun = list(rows), start

        def position(begun: Checkpoint = begun, past: list[Row] = past) -> Table:
            return Table(spec, table.parts, begun, [row for row in past if row.no > begun.no], dice=SecretDice(SECRET),
                         checkpoints=False, run_on=False)

        table.answer(seat, answer)
        entries, checkpoint = table.take()
        rows += [entry.row() for entry in entries]
        start = checkpoint or start
        decided = [entry for entry in entries if entry.by in DECISIONS]
        if not alone or len(decided) > 1 or any(entry.by == "dice" for entry in entries) or isinstance(answer, Aside):
            continue
        if learnt(position, table.state.seats, seat, answer):
            continue
        free += 1
        compare(position, seat, answer, rng)
    assert free > 1, "some answers could be taken back"


def compare(position: Callable[[], Table], seat: Seat, answer: Action, rng: Random) -> None:
    one, other = position(), position()
    holder = Seat(rng.choice(one.state.seats))
    for _ in range(rng.randint(1, 9)):
        one.spec.views.disguise(other.state, holder)
    readers = [reader for reader in (None, *one.state.seats) if reader != holder]
    assert all(others_see(one, reader, ()) == others_see(other, reader, ()) for reader in readers)
    one.answer(seat, answer)
    other.answer(seat, answer)
    told, told_too = one.take()[0], other.take()[0]
    for reader in readers:
        assert others_see(one, reader, told) == others_see(other, reader, told_too)


def fresh(spec: GameSpec) -> tuple[Table, Checkpoint, list[Row]]:
    parts = {} if spec is PEBBLES else components(spec, spec.editions[0].key).parts
    start = beginning(spec, min(3, max(spec.seats)), spec.editions[0].key, parts)
    table = Table(spec, parts, start, dice=SecretDice(SECRET))
    entries, checkpoint = table.take()
    return table, checkpoint or start, [entry.row() for entry in entries]
