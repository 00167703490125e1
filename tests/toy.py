"""A game of one page, for tests of everything that must not know a real game: pebbles, a secret guess, dice, gifts."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from engine.dice import Dice, LoadedDice, SecretDice
from engine.kernel import (
    Action,
    Aside,
    Ask,
    Binding,
    Checkpoint,
    Edition,
    Event,
    Game,
    GameSpec,
    Menus,
    Planning,
    Presentation,
    Script,
    Seat,
    Table,
    ask,
    ask_each,
    roll,
)
from engine.kernel.game_spec import BOARD, Picture, Replay, Rules, Views, Words
from engine.kernel.state import Stateful
from engine.orders import ALWAYS, LEAST, MOST, Condition, Offer, Ordering, Point, Slot, Span, Value
from engine.refusals import Faulty, Illegal, Refusal
from engine.text import Text, count, printed, text

HEAP = 12


class State(Stateful):
    phase: str = "guessing"
    seats: list[str]
    heap: int = HEAP
    taken: dict[str, int] = {}
    guess: dict[str, int] = {}              # secret
    turn: int = 0
    thrown: int = 0


class Guess(Action):
    """Guess in secret how many pebbles you will have."""

    verb: ClassVar[str] = "guess"
    pebbles: int = Field(ge=0, le=9, description="Pebbles that you will have")

    @classmethod
    def options(cls, state: State, seat: Seat) -> Iterable[Guess]:
        return [cls.of(n) for n in range(10)]


class Take(Action):
    """Take one to three pebbles from the heap."""

    verb: ClassVar[str] = "take"
    pebbles: int = Field(ge=1, description="How many pebbles")
    hand: Literal["left", "right"] = Field(default="left", description="Which hand")

    @classmethod
    def options(cls, state: State, seat: Seat) -> Iterable[Take]:
        return [cls.of(n, hand) for n in range(1, min(3, state.heap) + 1) for hand in ("left", "right")]

    def check(self, state: State, seat: Seat) -> None:
        if self.pebbles > min(3, state.heap):
            raise Illegal("The heap has {heap} pebbles; you can take at most {most}.", rule="TOY-2",
                          heap=state.heap, most=min(3, state.heap))

    def label(self) -> Text:
        return text("Take {pebbles}, {hand}", pebbles=count(self.pebbles, "{n} pebble", "{n} pebbles"), hand=self.hand)

    def consequence(self, state: State, seat: Seat) -> Text | None:
        return text("That empties the heap.") if self.pebbles == state.heap else None


class Throw(Action):
    """Throw a die; on a 6 one pebble flies away."""

    verb: ClassVar[str] = "throw"

    @classmethod
    def options(cls, state: State, seat: Seat) -> Iterable[Throw]:
        return [cls.of()] if state.heap > 1 else []


class Give(Aside):
    """Give pebbles to another seat at any time."""

    verb: ClassVar[str] = "give"
    to: str = Field(description="Who gets them")
    pebbles: int = Field(ge=1, description="How many pebbles")

    @classmethod
    def options(cls, state: State, seat: Seat) -> Iterable[Give]:
        return [cls.of(to, n) for to in state.seats if to != seat for n in range(1, state.taken.get(seat, 0) + 1)]

    def check(self, state: State, seat: Seat) -> None:
        if self.to == seat or self.to not in state.seats:
            raise Illegal("Name another seat of this game.", rule="TOY-4")
        if self.pebbles > state.taken.get(seat, 0):
            raise Illegal("You have {have} pebbles, so you can't give {pebbles}.", rule="TOY-4",
                          have=state.taken.get(seat, 0), pebbles=self.pebbles)

    def events(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Given(giver=seat, to=self.to, pebbles=self.pebbles)


class Guessed(Event):
    guesses: dict[str, int]

    def apply(self, state: State) -> None:
        state.guess, state.phase = dict(self.guesses), "taking"

    def line(self) -> Text:
        return text("All have guessed.")

    def private_lines(self, state: State) -> Mapping[Seat, Text]:
        return {Seat(seat): text("You guessed {n}.", n=n) for seat, n in self.guesses.items()}


class Taken(Event):
    seat: str
    pebbles: int

    def apply(self, state: State) -> None:
        state.taken[self.seat] = state.taken.get(self.seat, 0) + self.pebbles
        state.heap -= self.pebbles
        state.turn += 1

    def line(self) -> Text:
        return text("{seat:Begin} takes {pebbles}.", seat=self.seat, pebbles=count(self.pebbles, "{n} pebble", "{n} pebbles"))


class Given(Event):
    giver: str
    to: str
    pebbles: int

    def apply(self, state: State) -> None:
        state.taken[self.giver] -= self.pebbles
        state.taken[self.to] = state.taken.get(self.to, 0) + self.pebbles

    def line(self) -> Text:
        return text("{giver} gives {to} {pebbles}.", giver=self.giver, to=self.to,
                    pebbles=count(self.pebbles, "{n} pebble", "{n} pebbles"))


class Fell(Event):
    seat: str
    die: int

    def apply(self, state: State) -> None:
        state.thrown += 1
        state.heap -= self.die == 6
        state.turn += 1

    def line(self) -> Text:
        return text("{seat:Begin} throws {die}.", seat=self.seat, die=self.die)


class Ended(Event):
    def apply(self, state: State) -> None:
        state.phase = "over"

    def line(self) -> Text:
        return text("The heap is empty.")


def guessing(g: Game[State]) -> Script[None]:
    """All guess at once, sealed [TOY-1]."""
    answers = yield from ask_each([Seat(s) for s in g.state.seats], Guess, point="DP-T1", prompt="How many will you have?",
                                  default=Guess.of(0))
    g.emit(Guessed(guesses={seat: answer.pebbles for seat, answer in answers.items()}))


def taking(g: Game[State]) -> Script[None]:
    """One turn [TOY-2, TOY-3]."""
    seat = Seat(g.state.seats[g.state.turn % len(g.state.seats)])
    answer = yield from ask(seat, Take, Throw, point="DP-T2", prompt="The heap has {heap}. What do you do?",
                            default=Take.of(1, "left"), heap=g.state.heap)
    if isinstance(answer, Take):
        g.emit(Taken(seat=seat, pebbles=answer.pebbles))
    else:
        (die,) = yield from roll(6, why="throw", seat=seat, heap=g.state.heap)
        g.emit(Fell(seat=seat, die=die))
    if g.state.heap <= 0:
        g.emit(Ended())


class View(BaseModel):
    heap: int
    taken: dict[str, int]
    guess: int | None


def _when(state: State) -> Text:
    return text("Turn {turn}", turn=state.turn + 1)


def _options(edition: str, changed: Mapping[str, Any]) -> dict[str, Any]:
    if changed:
        raise Faulty("Pebbles has no options.")
    return {"edition": edition}


# --- what can be answered in advance --------------------------------------------------------------------------

NEAR_THE_END = 6                            # with so few pebbles in the heap each seat can fill in a packet


def facts(state: State, seat: Seat, question: Ask[Any]) -> Mapping[str, Value]:
    """What a line can ask for: the heap, the own pebbles, the own guess, who has most."""
    seen: dict[str, Value] = {"heap": state.heap, "own": state.taken.get(seat, 0), "thrown": state.thrown > 0}
    if seat in state.guess:
        seen["guess"] = state.guess[seat]
    most = max(state.taken.values(), default=0)
    seen["leading"] = tuple(name for name in state.seats if most and state.taken.get(name, 0) == most)
    return seen


def spans(state: State, seat: Seat) -> Mapping[str, str]:
    """A "round" lasts until a die is thrown, "ending" is from a nearly empty heap on, a "turn" is the next one of the seat."""
    if state.phase == "over":
        return {}
    number, own = len(state.seats), state.seats.index(seat)
    spans = {"round": str(state.thrown), "turn": str(state.turn + (own - state.turn) % number)}
    return spans | {"ending": "end"} if state.heap <= NEAR_THE_END else spans


def foreseen(state: State) -> Mapping[Seat, tuple[str, ...]]:
    """Near the end of the heap everybody can still be asked what to take."""
    near = state.phase == "taking" and state.heap <= NEAR_THE_END
    return {Seat(seat): ("DP-T2",) for seat in state.seats} if near else {}


ORDERING = Ordering(
    points=(
        Point(no="DP-T1", title="Your guess", conditions=("heap",), offers=(
            Offer(key="guess", words="guess {pebbles}", verb="guess", slots=(
                Slot(field="pebbles", words="How many will you have?", kind="number"),)),
            Offer(key="most", words="guess {pebbles}", verb="guess", fields={"pebbles": MOST}))),
        Point(no="DP-T2", title="Your turn", conditions=("heap", "own", "guess", "leading", "thrown"),
              lasts=(ALWAYS, "round", "ending", "turn"), offers=(
            Offer(key="take", words="take {pebbles}, {hand}", verb="take", slots=(
                Slot(field="pebbles", words="How many pebbles?", kind="number"),
                Slot(field="hand", words="With which hand?", kind="choice", values=lambda state, seat: ("left", "right")))),
            Offer(key="one", words="take {pebbles}", verb="take", fields={"pebbles": LEAST}),
            Offer(key="throw", words="throw", verb="throw"))),
    ),
    conditions=(
        Condition(key="heap", words="the heap", kind="number"),
        Condition(key="own", words="the number of your pebbles", kind="number"),
        Condition(key="guess", words="your guess", kind="number"),
        Condition(key="leading", words="the seat with most pebbles", kind="choice", values=lambda state, seat: state.seats),
        Condition(key="thrown", words="a die was thrown", kind="flag"),
    ),
    facts=facts, spans=spans, packet="ending", foreseen=foreseen, written=("DP-T2",), stretch="round",
    durations=(Span("round", text("in this round"), text("with each round")), Span("ending", text("near the end")),
               Span("turn", text("in this turn"))))


def disguise(state: State, seat: Seat) -> None:
    """Another guess: all that is secret."""
    if seat in state.guess:
        state.guess[seat] = (state.guess[seat] + 1) % 10


def plain(*kinds: type[Action]) -> Menus:
    """Presentations that add nothing."""
    return {kind.verb: Presentation() for kind in kinds}


PEBBLES = GameSpec(
    key="pebbles", command="pebbles", name="Pebbles", editions=(Edition(key="plain", name="Plain", data="plain"),),
    seats=range(2, 5),
    rules=Rules[State](
        state=State, actions=(Guess, Take, Throw), asides=(Give,), events=(Guessed, Taken, Given, Fell, Ended),
        breaks=(Taken, Fell), phases={"guessing": guessing, "taking": taking}, parts=dict, options=_options,
        setup=lambda seats, options, parts: State(seats=list(seats)), bind=lambda state, parts: None,
        active=lambda state: Seat(state.seats[state.turn % len(state.seats)]) if state.phase == "taking" else None,
        follows=lambda state: Seat(state.seats[(state.turn + 1) % len(state.seats)]) if state.phase == "taking" else None,
        standings=lambda state: [(Seat(s), place, state.taken.get(s, 0)) for place, s in enumerate(
        sorted(state.seats, key=lambda s: -state.taken.get(s, 0)), 1)]),
    words=Words[State](
        menus=plain(Guess, Take, Throw, Give),
        names=lambda parts, state=None: {f"seat_{n}": name for n, name in enumerate(("Amber", "Basalt", "Chalk", "Dolomite"), 1)},
        seat_name=lambda state, seat: str(seat), when=_when, moment=_when,
        signs=lambda parts: {"pebble": (count(1, "{n} pebble", "{n} pebbles"),)},
        result=lambda state: text("{seat} wins.", seat=max(state.seats, key=lambda s: state.taken.get(s, 0)))),
    views=Views[State](
        view=lambda state, seat: View(heap=state.heap, taken=dict(state.taken), guess=state.guess.get(seat) if seat else None),
        private=lambda state, seat: text("Your guess: {n}.", n=state.guess[seat]) if seat in state.guess else None,
        disguise=disguise, board=lambda view: f"heap {view.heap}"),
    orders=ORDERING)


class Hand(BaseModel):
    """A close-up of the pebbles of one seat."""

    seat: str
    taken: int
    before: int | None              # as the reader knew it


class Course(BaseModel):
    """The heap over time."""

    heaps: list[int]


class Own(BaseModel):
    """A guess: there is none to be shown to the public."""

    guess: int


def _hand(story: Replay) -> Hand | None:
    state, known = story.end(), story.known()
    seat = story.subject or max(state.taken, key=lambda seat: state.taken[seat], default="")
    if not seat:
        return None
    return Hand(seat=seat, taken=state.taken.get(seat, 0), before=known.taken.get(seat, 0) if known else None)


def _hands(parts: Any) -> dict[str, Text]:
    return {id: printed(str(name)) for id, name in PEBBLES.words.names(parts).items()}


def _course(story: Replay) -> Course:
    return Course(heaps=[step.state.heap for step in story.steps()])


def _own(story: Replay) -> Own:
    guess = story.end().guess.get(story.seat)
    if guess is None:
        raise Refusal("You have guessed nothing yet.")
    return Own(guess=guess)


PAINTED = PEBBLES.changed(pictures=(
    BOARD, Picture(key="closeup", title="Close-up", scene=_hand, subjects=_hands, posted=True),
    Picture(key="recap", title="Recap", scene=_course, whole=True),
    Picture(key="guess", title="Guess", scene=_own, private=True)))
"""The same with further pictures: one about somebody, one of the whole game, one that there is for a seat alone."""


def pebbles(seats: int = 2, dice: Dice | None = None) -> Table:
    """A new table of this game."""
    names = tuple(Seat(f"seat_{n}") for n in range(1, seats + 1))
    state = PEBBLES.rules.setup(names, {}, {})
    start = Checkpoint(0, 0, state.model_dump_json())
    return Table(PEBBLES, {}, start, dice=dice or LoadedDice())


SECRET = "00" * 32
FAIR = SecretDice(SECRET)


# --- a game whose turns are rounds of several decisions, planned in private -------------------------------------------

POINTS = 5                                  # to spend in a round


class RoundState(State):
    points: int = POINTS
    pile: list[int] = Field(default_factory=lambda: [7, 3, 9])       # secret: the next card first
    cards: dict[str, list[int]] = {}        # secret but for its owner
    shown: dict[str, int] = {}              # guesses that their owners have shown


class Spend(Action):
    """Take pebbles for as many points."""

    verb: ClassVar[str] = "spend"
    pebbles: int = Field(ge=1, description="How many pebbles")

    @classmethod
    def options(cls, state: RoundState, seat: Seat) -> Iterable[Spend]:
        return [cls.of(n) for n in range(1, min(3, state.heap, state.points) + 1)]

    def check(self, state: RoundState, seat: Seat) -> None:
        if self.pebbles > min(3, state.heap, state.points):
            raise Illegal("The heap has {heap} pebbles, and you have {points} points.", rule="TOY-5", heap=state.heap,
                          points=state.points)

    def label(self) -> Text:
        return text("Take {pebbles}", pebbles=count(self.pebbles, "{n} pebble", "{n} pebbles"))

    def cost(self, state: RoundState, seat: Seat) -> Text:
        return count(self.pebbles, "{n} point", "{n} points")


class Show(Action):
    """Show everybody what you have guessed."""

    verb: ClassVar[str] = "show"

    @classmethod
    def options(cls, state: RoundState, seat: Seat) -> Iterable[Show]:
        return [] if seat in state.shown else [cls.of()]

    def check(self, state: RoundState, seat: Seat) -> None:
        if seat in state.shown:
            raise Illegal("You have shown it already.", rule="TOY-6")


class Draw(Action):
    """Draw the next card."""

    verb: ClassVar[str] = "draw"

    @classmethod
    def options(cls, state: RoundState, seat: Seat) -> Iterable[Draw]:
        return [cls.of()] if state.pile else []


class Beg(Action):
    """Ask the next seat for a pebble."""

    verb: ClassVar[str] = "beg"


class Grant(Action):
    """Give a pebble, or keep it."""

    verb: ClassVar[str] = "grant"
    gives: bool = False

    @classmethod
    def options(cls, state: RoundState, seat: Seat) -> Iterable[Grant]:
        return [cls.of(False), *([cls.of(True)] if state.taken.get(seat) else [])]

    def label(self) -> Text:
        return text("Give it") if self.gives else text("Keep it")


class Stop(Action):
    """End your round."""

    verb: ClassVar[str] = "stop"

    def consequence(self, state: RoundState, seat: Seat) -> Text | None:
        return text("You leave {points} unused.", points=count(state.points, "{n} point", "{n} points")) if state.points else None


class Spent(Event):
    seat: str
    pebbles: int

    def apply(self, state: RoundState) -> None:
        state.taken[self.seat] = state.taken.get(self.seat, 0) + self.pebbles
        state.heap -= self.pebbles
        state.points -= self.pebbles

    def line(self) -> Text:
        return text("{seat:Begin} takes {pebbles}.", seat=self.seat, pebbles=count(self.pebbles, "{n} pebble", "{n} pebbles"))


class Shown(Event):
    binds: ClassVar[Binding] = "reveal"
    seat: str
    guess: int

    def apply(self, state: RoundState) -> None:
        state.shown[self.seat] = self.guess

    def line(self) -> Text:
        return text("{seat} has guessed {guess}.", seat=self.seat, guess=self.guess)

    def binding(self, state: RoundState, seat: Seat) -> Binding:
        return "" if seat == self.seat else self.binds


class Drawn(Event):
    binds: ClassVar[Binding] = "draw"
    seat: str
    card: int

    def apply(self, state: RoundState) -> None:
        state.pile.remove(self.card)
        state.cards.setdefault(self.seat, []).append(self.card)

    def line(self) -> Text:
        return text("{seat} draws a card.", seat=self.seat)

    def private_lines(self, state: RoundState) -> Mapping[Seat, Text]:
        return {Seat(self.seat): text("You have drawn {card}.", card=self.card)}


class Stopped(Event):
    seat: str

    def apply(self, state: RoundState) -> None:
        state.turn += 1
        state.points = POINTS

    def line(self) -> Text:
        return text("{seat} ends the round.", seat=self.seat)


class Flown(Event):
    seat: str
    die: int

    def apply(self, state: RoundState) -> None:
        state.heap -= self.die == 6

    def line(self) -> Text:
        return text("{seat:Begin} throws {die}.", seat=self.seat, die=self.die)


def round_of(g: Game[RoundState]) -> Script[None]:
    """One round: as many decisions as its seat likes [TOY-5 to TOY-7]."""
    number, seats = g.state.turn, g.state.seats
    seat, other = Seat(seats[number % len(seats)]), Seat(seats[(number + 1) % len(seats)])
    while g.state.turn == number and g.state.heap > 0:
        answer = yield from ask(seat, Spend, Show, Draw, Beg, Throw, Stop, point="DP-T3", prompt="Points left: {points}.",
                                default=Stop.of(), points=g.state.points)
        if isinstance(answer, Spend):
            g.emit(Spent(seat=seat, pebbles=answer.pebbles))
        elif isinstance(answer, Show):
            g.emit(Shown(seat=seat, guess=g.state.guess[seat]))
        elif isinstance(answer, Draw):
            g.emit(Drawn(seat=seat, card=g.state.pile[0]))
        elif isinstance(answer, Beg):
            granted = yield from ask(other, Grant, point="DP-T4", prompt="Do you give a pebble?", default=Grant.of(False))
            if granted.gives:
                g.emit(Given(giver=other, to=seat, pebbles=1))
        elif isinstance(answer, Throw):
            (die,) = yield from roll(6, why="throw", seat=seat, heap=g.state.heap)
            g.emit(Flown(seat=seat, die=die))
        else:
            g.emit(Stopped(seat=seat))
    if g.state.heap <= 0:
        g.emit(Ended())


def _round(state: RoundState, seat: Seat) -> str:
    return str(state.turn) if state.phase == "taking" and state.seats[state.turn % len(state.seats)] == seat else ""


ROUNDS = PEBBLES.changed(
    state=RoundState, actions=(Guess, Spend, Show, Draw, Beg, Grant, Throw, Stop), breaks=(Stopped, Flown),
    menus=plain(Guess, Spend, Show, Draw, Beg, Grant, Throw, Stop, Give),
    events=(Guessed, Spent, Shown, Drawn, Given, Flown, Stopped, Ended), phases={"guessing": guessing, "taking": round_of},
    setup=lambda seats, options, parts: RoundState(seats=list(seats)),
    purse=lambda state, seat: count(state.points, "{n} point left", "{n} points left"), orders=None,
    planning=Planning[RoundState](round=_round))
"""The same heap in rounds of several decisions, which are planned in private."""
