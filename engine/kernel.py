"""What every game shares: actions, questions, events, rows, and the table that runs them.

A game is a series of phases, each a script: a generator that asks seats for actions and emits events. A table runs the
scripts, numbers every answer as a row, and rebuilds itself from a checkpoint and the rows after it.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import GeneratorType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NewType, Protocol, Self, TypeAlias, TypeVar, overload

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.dice import Dice
from engine.refusals import Drift, Illegal, NotAsked, Refusal, Stale, Unreadable
from engine.text import Fact, Text, text, verbatim

if TYPE_CHECKING:
    from engine.lessons import Lesson
    from engine.orders import Deputy, Ordering
    from engine.presets import Subject
    from engine.provenance import Origin
    from engine.story import Picture

Seat = NewType("Seat", str)
CHANCE = Seat("chance")          # the dice and the draws from a bag answer questions too

By: TypeAlias = Literal["player", "order", "clock", "moderator", "dice", "rule"]


# --- actions and questions ----------------------------------------------------------------------

class Action(BaseModel):
    """One answer a seat can give; fields are flat: ids and whole numbers. The docstring of each kind is its help text."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    verb: ClassVar[str]
    open_ended: ClassVar[bool] = False      # True: `options` is a sample, `check` alone decides (a bid has no upper limit)
    secret: ClassVar[bool] = False          # True: the options themselves tell what only the seat may know (a hand of cards)
    forced: ClassVar[bool] = False          # True: as the only answer it is given at once, in whatever question
    typed: ClassVar[bool] = True            # False: a tap alone gives it; a group has room for 25 commands
    _made: ClassVar[dict[tuple[object, ...], Any]]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._made = {}

    @classmethod
    def of(cls, *values: object) -> Self:
        """The action with these values in the order of its fields; the same values give the same object, validated once."""
        made = cls._made.get(values)
        if made is None:
            made = cls._made[values] = cls(**dict(zip(cls.model_fields, values)))
        return made

    @classmethod
    def options(cls, state: Any, seat: Seat) -> Iterable[Self]:
        """The legal answers of this kind, stated constructively: only what passes `check`."""
        yield cls.of()

    def check(self, state: Any, seat: Seat) -> None:
        """Raise Illegal, with the reason and the rule, unless the rules allow this answer."""

    def label(self) -> Text:
        """What a button says."""
        values = tuple(text("{value}", value=value) for value in self.model_dump().values() if value not in ("", ()))
        return text("{verb}: {values}", verb=self.verb, values=values) if values else text("{verb}", verb=self.verb)

    def consequence(self, state: Any, seat: Seat) -> Text | None:
        """What the seat, and only the seat, should know and confirm before this answer counts; None if there is nothing."""
        return None

    def cost(self, state: Any, seat: Seat) -> Text | None:
        """What this answer costs, in a few words for the seat alone: "3 gold and +1 unrest by taxation"; None if nothing."""
        return None

    def outlook(self, state: Any, seat: Seat) -> Text | None:
        """How this answer may turn out, for the seat alone to weigh before it counts: the odds of an attack; None if it is sure.

        It tells only what the seat may see, and says what it leaves out.
        """
        return None

    def hazard(self, state: Any, seat: Seat) -> Text | None:
        """What chance may do to this answer, in a few words beside its cost: "sinks 6 %"; None if nothing."""
        return None

    @classmethod
    def obstacle(cls, state: Any, seat: Seat) -> Illegal | None:
        """Why no answer of this kind is legal for a seat that could give one; None if there is one."""
        if any(True for _ in cls.options(state, seat)):
            return None
        try:
            cls.require_any(state, seat)
        except Illegal as why:
            return why
        return Illegal("There is no way to {verb} now.", verb=cls.verb)

    @classmethod
    def require_any(cls, state: Any, seat: Seat) -> None:
        """Raise Illegal, with the reason and the rule, for `options` that are empty; asked only when they are."""

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.__dict__ == other.__dict__)

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))


class Aside(Action):
    """An act allowed at any time, whoever is being asked what: a gift, a note."""

    def events(self, state: Any, seat: Seat) -> Iterable[Event]:
        """What follows from it."""
        raise NotImplementedError


class Rolled(Action):
    """What chance showed; values from 1 to the sides asked for."""

    verb: ClassVar[str] = "roll"
    values: tuple[int, ...]
    epoch: int
    throw: int


class Stirred(Rolled):
    """What chance laid where nobody sees it: how a bag is shaken, how a deck is shuffled.

    Nobody learns anything by it, so it hinders nobody from taking an answer back. It may also come unasked: where a game goes
    on with other dice, it decides anew what lies hidden.
    """

    verb: ClassVar[str] = "stir"


A = TypeVar("A", bound=Action)
B = TypeVar("B", bound=Action)
C = TypeVar("C", bound=Action)
T = TypeVar("T")
S = TypeVar("S", bound=BaseModel)
Default: TypeAlias = Action | Callable[[Any, Seat], Action] | None
Caretaker: TypeAlias = Callable[[Any, Seat, tuple[Action, ...]], Action | None]
"""From the state, the seat that is asked and its legal answers to the one to give; None: the question's default."""


@dataclass(slots=True)
class Ask(Generic[A]):
    """A question put to one seat, and the kinds of action that answer it."""

    seat: Seat
    accepts: tuple[type[A], ...]
    prompt: str
    point: str = ""                         # its number among the decision points
    default: Default = None                 # given on silence; none: the first option
    about: Mapping[str, Fact] = field(default_factory=dict)         # facts for the prompt and for standing orders
    sides: tuple[int, ...] = ()             # for CHANCE: the sides of each die
    by_hand: bool = False                   # the seat gave its last answer within its turn itself, not by order

    def text(self) -> Text:
        """The question as a sentence."""
        return Text(self.prompt, self.about)

    @property
    def never_alone(self) -> bool:
        """Whether it is asked even if one answer alone is listed: there are others, or that there is one is a secret."""
        return any(kind.open_ended or kind.secret for kind in self.accepts)


Script: TypeAlias = Generator[tuple[Ask[Any], ...], tuple[Any, ...], T]


@overload
def ask(seat: Seat, a: type[A], /, *, prompt: str, point: str = ..., default: Default = ..., **about: Fact) -> Script[A]: ...
@overload
def ask(seat: Seat, a: type[A], b: type[B], /, *, prompt: str, point: str = ..., default: Default = ...,
        **about: Fact) -> Script[A | B]: ...
@overload
def ask(seat: Seat, a: type[A], b: type[B], c: type[C], /, *, prompt: str, point: str = ..., default: Default = ...,
        **about: Fact) -> Script[A | B | C]: ...
@overload
def ask(seat: Seat, /, *kinds: type[Action], prompt: str, point: str = ..., default: Default = ...,
        **about: Fact) -> Script[Action]: ...
def ask(seat: Seat, /, *kinds: type[Any], prompt: str, point: str = "", default: Default = None, **about: Fact) -> Script[Any]:
    """Ask one seat; the answer has one of the given kinds."""
    (answer,) = yield (Ask(seat, kinds, prompt, point, default, about),)
    return answer


def ask_each(seats: Iterable[Seat], kind: type[A], /, *, prompt: str, point: str = "", default: Default = None,
             **about: Fact) -> Script[dict[Seat, A]]:
    """Ask several seats at once; they answer in any order, and nobody sees an answer before the last one is in."""
    seats = tuple(seats)
    if not seats:
        return {}
    answers = yield tuple(Ask(seat, (kind,), prompt, point, default, about) for seat in seats)
    return dict(zip(seats, answers, strict=True))


def roll(*sides: int, why: str, **about: Fact) -> Script[tuple[int, ...]]:
    """Throw dice with these sides; each shows 1 to its sides."""
    (rolled,) = yield (Ask(CHANCE, (Rolled,), why, "", None, about, sides),)
    values: tuple[int, ...] = rolled.values
    return values


def stir(*sides: int, why: str) -> Script[tuple[int, ...]]:
    """Throw such dice for something that stays hidden; nobody sees what they show."""
    (stirred,) = yield (Ask(CHANCE, (Stirred,), why, sides=sides),)
    values: tuple[int, ...] = stirred.values
    return values


# --- events and rows ----------------------------------------------------------------------------

class Event(BaseModel):
    """One fact. It has one effect on the state and one sentence for everybody."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def apply(self, state: Any) -> None:
        """Change the state; nothing else does."""

    def line(self) -> Text | None:
        """The sentence for everybody, or None if other sentences already say it."""
        return None

    def private_lines(self, state: Any) -> Mapping[Seat, Text]:
        """What only a seat may know of it; `state` is the one after the row."""
        return {}

    def stored(self) -> str:
        """The fact as JSON with its name."""
        body = self.model_dump_json()
        return f'{{"is":"{type(self).__name__}"}}' if body == "{}" else f'{{"is":"{type(self).__name__}",{body[1:]}'


class Game(Generic[S]):
    """What a rule may touch: it reads `state` and changes it only by `emit`."""

    __slots__ = ("fresh", "state")

    def __init__(self, state: S) -> None:
        self.state = state
        self.fresh: list[Event] = []

    def emit(self, event: Event) -> None:
        """Tell a fact: it takes effect and is recorded with the row under way."""
        event.apply(self.state)
        self.fresh.append(event)


@dataclass(slots=True)
class Row:
    """One row of the log as it is stored: who answered what, on whose word, and what followed.

    `verb` is an action's, or "return" for undo, redo and rollback. `answer` and `events` are JSON. `by` is never public
    (SOE-22.1.6).
    """

    no: int
    seat: str
    by: str
    verb: str
    answer: str
    events: str = "[]"


@dataclass(slots=True)
class Entry:
    """One row as the table makes it; `private` is what single seats learn of it, true just after the row."""

    no: int
    seat: Seat
    by: By
    answer: Action
    events: tuple[Event, ...] = ()
    private: tuple[tuple[Seat, Text], ...] = ()
    order: int = 0                          # the standing order that answered; never part of the row (SOE-22.1.6)

    def row(self) -> Row:
        return Row(self.no, self.seat, self.by, self.answer.verb, self.answer.model_dump_json(), stored_events(self.events))


def stored_events(events: Iterable[Event]) -> str:
    return f"[{','.join([event.stored() for event in events])}]"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state when a phase began: after row `no`, with `throws` throws made."""

    no: int
    throws: int
    state: str


# --- a game, as the catalogue knows it -------------------------------------------------------------

@dataclass(frozen=True, kw_only=True)
class Edition:
    """A preset of options and the file of its components."""

    key: str
    name: str
    data: str               # name of the component file in the game's data folder
    besides: tuple[str, ...] = ()           # files that fill in what this one leaves out, for options of other editions
    earlier: tuple[str, ...] = ()           # hashes of the components that earlier versions had for it
    rules: str = ""         # whose rules apply, of those that the rules file knows; "" if they go by the key
    available: bool = True


@dataclass(frozen=True, kw_only=True)
class Stirring:
    """How a game decides anew what lies hidden, where it goes on with other dice: in a branch, after a return with such."""

    sides: Callable[[Any], tuple[int, ...]]             # of the dice that it takes in this state; none if nothing lies hidden
    events: Callable[[Any, tuple[int, ...]], Iterable[Event]]           # what follows from these values


class Naming(Protocol):
    """From parts, and the state of a game if there is one, to the names behind ids; a game's options may choose words."""

    def __call__(self, parts: Any, state: Any = None, /) -> Mapping[str, str]: ...


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """All that kernel, bot and command line learn of a game."""

    key: str                                            # "struggle_of_empires": its folder and its key in the database
    command: str                                        # the group of slash commands: "struggle"
    name: str
    editions: tuple[Edition, ...]
    seats: range                                        # numbers of players
    state: type[Any]                                    # a pydantic model with a field `phase`
    actions: tuple[type[Action], ...]                   # one class for each verb
    events: tuple[type[Event], ...]
    phases: Mapping[str, Callable[[Any], Script[None]]]
    parts: Callable[[Mapping[str, Any]], Any]           # component data, validated; raises Faulty
    options: Callable[[str, Mapping[str, Any]], Any]    # edition and changed options to a validated model; raises Faulty
    setup: Callable[[tuple[Seat, ...], Any, Any], Any]  # seats, options, parts to the first state
    bind: Callable[[Any, Any], None]                    # gives a loaded state its parts
    names: Naming                                       # the names behind ids
    seat_name: Callable[[Any, Seat], str]               # the id by which a seat is called now
    active: Callable[[Any], Seat | None]                # whose turn it is
    moment: Callable[[Any], Text]                       # "War 2, round 3 of 5: turn of France"
    view: Callable[[Any, Seat | None], Any]             # what a seat, or the public, may see
    private: Callable[[Any, Seat], Text | None]         # the standing private message of a seat, such as its unrest
    result: Callable[[Any], Text]                       # the final sentence; only when the game is over
    standings: Callable[[Any], list[tuple[Seat, int, int]]]     # seat, place, points; only when the game is over
    follows: Callable[[Any], Seat | None] = lambda state: None      # whose turn comes next, if that is settled
    disguise: Callable[[Any, Seat], None] = lambda state, seat: None        # gives a seat other secrets, if it has any
    stirring: Stirring | None = None                    # None: nothing that chance has decided lies hidden
    reveals: Callable[[Any, Seat, Sequence[Event]], bool] = lambda state, seat, events: False
    # whether these events have shown, or may have shown, what chance had hidden; a seat asks, and must learn nothing by it
    afresh: Callable[[Any], bool] = lambda options: False               # whether dice are thrown anew after every undo
    secrets: Callable[[Any], Sequence[Text] | None] = lambda state: None        # for the game master; None: not for him
    breaks: tuple[type[Event], ...] = ()                # after these events a picture is posted
    asides: tuple[type[Aside], ...] = ()
    board: Callable[[Any], str] = str                   # a view as text, for the command line and screen readers
    describe: Callable[[Any, int], str] = lambda view, most: str(view)[:most]       # the same in so many characters, at most
    choices: Mapping[str, tuple[object, ...]] = field(default_factory=dict)       # option -> its values, the default first
    pictures: tuple[Picture, ...] = ()                  # the board first; without any, the board alone
    caretaker: Caretaker | None = None                  # a neutral hand for a seat that nobody holds; None: the defaults
    purse: Callable[[Any, Seat], Text | None] = lambda state, seat: None        # what a seat can spend, for that seat alone
    ordering: Ordering | None = None                    # what can be answered in advance; None: nothing
    agreement: Callable[[Any, tuple[Ask[Any], ...]], tuple[Seat, Action] | None] = lambda state, waiting: None
    # what somebody does for an end by agreement, in a game whose rules set no bound to its length
    lessons: tuple[Lesson, ...] = ()                    # guided games for those who learn it
    tips: Mapping[str, Text] = field(default_factory=dict)              # decision point -> advice for a first game
    subjects: tuple[Subject, ...] = ()                  # the options in plain words, grouped
    origins: tuple[Origin, ...] = ()                    # of component data: what hangs on values that no source gives

    def verb(self, verb: str) -> type[Action] | None:
        """The action class of a verb."""
        return next((kind for kind in (*self.actions, *self.asides) if kind.verb == verb), None)


OVER = "over"
LONGEST = 1000              # answers by order or for absent seats, one after the other, until somebody is asked again


# --- the table ------------------------------------------------------------------------------------

class Table:
    """One running game: replays its past, then waits for answers.

    The checkpoint gives the state from which the past rows are replayed. `asked_at` is the number of the row that led to the
    present questions; a button carries it, so that it answers this question or none. With `run_on=False` the table stays
    where the past ends, to look at that position: even dice wait. `stirred`: the dice are others from there on.
    """

    def __init__(self, spec: GameSpec, parts: Any, start: Checkpoint, past: Iterable[Row] = (), *, dice: Dice, epoch: int = 0,
                 next_no: int | None = None, returned_at: int = -1, absent: Iterable[Seat] = (), checkpoints: bool = True,
                 strict: bool = False, run_on: bool = True, deputy: Deputy | None = None, veiled: bool = False,
                 cared: Iterable[Seat] = (), stirred: bool = False) -> None:
        self.spec, self.parts, self.dice, self.epoch = spec, parts, dice, epoch
        self.absent, self.cared = set(absent), set(cared)
        self.deputy, self.veiled = deputy, veiled
        self.throws = start.throws
        self.fresh: list[Entry] = []                    # rows since the table was built or `take` was called
        self.checkpoint: Checkpoint | None = None       # the last phase begun since then
        try:
            state = spec.state.model_validate_json(start.state)
        except ValidationError:                         # never its message, which quotes the state
            raise Unreadable(f"the state after row {start.no} is one of other rules", no=start.no) from None
        spec.bind(state, parts)
        self.game: Game[Any] = Game(state)
        self.given: dict[int, Action] = {}
        self.asks: tuple[Ask[Any], ...] = ()
        self._options: dict[int, tuple[Action, ...]] = {}
        self._by_hand: set[Seat] = set()
        kinds: tuple[type[Action], ...] = (*spec.actions, *spec.asides, Rolled, Stirred)
        self._verbs = {kind.verb: kind for kind in kinds}
        self._no, self._keep, self._replaying = start.no, checkpoints, True
        self._public_no = start.no
        self._script = self._run()
        self.asks = next(self._script, ())
        self.opening = tuple(self.game.fresh)           # news only for a table that is new
        self.game.fresh.clear()
        self.asked_at = start.no
        for old in past:
            self._replay(old, strict)
        self._replaying = False
        self._put_at = self.asked_at
        self.asked_at, self._returned_at = max(self.asked_at, returned_at), returned_at
        self._no = self._no if next_no is None else next_no - 1
        self._public_no = self._public_no if self.given else self._no
        if stirred:
            self.stir()
        if run_on:
            self._run_on()

    # -- questions

    @property
    def state(self) -> Any:
        return self.game.state

    @property
    def over(self) -> bool:
        return not self.asks

    @property
    def last_no(self) -> int:
        """The number of the last row."""
        return self._no

    @property
    def public_no(self) -> int:
        """The number of the last row that everybody may know of: sealed answers count when all are in [SOE-21.1.8]."""
        return self._public_no

    @property
    def returned(self) -> bool:
        """Whether an undo or a rollback led to the present questions: whoever is there answers them in person."""
        return self.asked_at == self._returned_at

    @property
    def put_at(self) -> int:
        """The row that led to the present questions, whatever has returned to them since: what answers them comes after it."""
        return self._put_at if self.returned else self.asked_at

    def waiting(self) -> list[Ask[Any]]:
        """The questions that nobody has answered yet."""
        return [question for slot, question in enumerate(self.asks) if slot not in self.given]

    def asked(self, seat: Seat) -> Ask[Any] | None:
        """The question put to this seat, if there is one."""
        return next((question for question in self.waiting() if question.seat == seat), None)

    def options(self, seat: Seat) -> tuple[Action, ...]:
        """Every legal answer of this seat now (a sample, for kinds that are open-ended); none if it is not asked."""
        for slot, question in enumerate(self.asks):
            if question.seat == seat and slot not in self.given:
                return self._listed(slot)
        return ()

    def default(self, seat: Seat) -> Action:
        """The answer given for this seat when it stays silent. Raises NotAsked."""
        question = self.asks[self._slot(seat)]
        if callable(question.default):
            return question.default(self.state, seat)
        return question.default or self.options(seat)[0]

    def examine(self, seat: Seat, action: Action, *, asked_at: int | None = None) -> None:
        """Raise the Refusal that `answer` would raise, and change nothing."""
        if isinstance(action, Aside):
            if self.over:
                raise NotAsked("The game is over.")
            action.check(self.state, seat)
            return
        slot = self._slot(seat)
        if asked_at is not None and asked_at != self.asked_at:
            raise Stale("That was an answer to an earlier question. Here is the present one.")
        question = self.asks[slot]
        if type(action) not in question.accepts:
            verbs = tuple(text("{verb}", verb=kind.verb) for kind in question.accepts)
            raise Illegal("You are asked something else now: {question} Possible answers: {verbs}.",
                          question=question.text(), verbs=verbs)
        if action.open_ended:
            action.check(self.state, seat)
        elif not _among(action, self._listed(slot)):
            action.check(self.state, seat)
            raise Illegal("That is not possible now.")

    def answer(self, seat: Seat, action: Action, *, by: By = "player", asked_at: int | None = None) -> None:
        """Take one answer and run on until people must answer, or raise a Refusal and change nothing."""
        self.examine(seat, action, asked_at=asked_at)
        self._record(seat, action, by)
        self._run_on()

    def answer_by_order(self, seat: Seat) -> bool:
        """Answer the question put to this seat as it has ordered, and run on; False if it has ordered nothing that fits."""
        given = self._ordered(self._slot(seat))
        if given is None:
            return False
        self._record(*given)
        self._run_on()
        return True

    def go_on(self) -> None:
        """Run on after something but an answer has changed: who is absent, or what is ordered."""
        self._run_on()

    def stir(self) -> None:
        """Decide anew, with the dice of now, what lies hidden; done before anything else where a game goes on with other dice."""
        stirring = self.spec.stirring
        if stirring is None or self.over or any(Stirred in question.accepts for question in self.asks):
            return
        if sides := stirring.sides(self.state):
            values = self.dice(self.epoch, self.throws, sides)
            self._record(CHANCE, Stirred(values=values, epoch=self.epoch, throw=self.throws), "dice")

    def take(self) -> tuple[list[Entry], Checkpoint | None]:
        """The rows and the last checkpoint that are new since the last call, to be stored together."""
        new = self.fresh, self.checkpoint
        self.fresh, self.checkpoint = [], None
        return new

    def where(self) -> str:
        """The scripts under way, outermost first: "turn > attack > naval_stage"."""
        names: list[str] = []
        script: object = self._script
        while isinstance(script, GeneratorType) and script.gi_frame is not None:
            names.append(script.gi_code.co_name)
            script = script.gi_yieldfrom
        return " > ".join(names[1:-1])                  # without `_run` and `ask`

    # -- the works

    def _run(self) -> Script[None]:
        state = self.game.state
        while state.phase != OVER:
            if self._keep and not self._replaying:
                self.checkpoint = Checkpoint(self._no, self.throws, state.model_dump_json())
            yield from self.spec.phases[state.phase](self.game)

    def _listed(self, slot: int) -> tuple[Action, ...]:
        listed = self._options.get(slot)
        if listed is None:
            question, state = self.asks[slot], self.game.state
            listed = self._options[slot] = tuple([option for kind in question.accepts
                                                  for option in kind.options(state, question.seat)])
        return listed

    def _slot(self, seat: Seat) -> int:
        for slot, question in enumerate(self.asks):
            if question.seat == seat and slot not in self.given:
                return slot
        if self.over:
            raise NotAsked("The game is over.")
        raise NotAsked("Nothing is being asked of you just now.")

    def _record(self, seat: Seat, action: Action, by: By, order: int = 0) -> Entry:
        self._no += 1
        if order and self.deputy is not None:
            self.deputy.used(order)
        events = self._advance(seat, action, by)
        private = tuple([told for event in events for told in event.private_lines(self.game.state).items()])
        entry = Entry(self._no, seat, by, action, events, private, order)
        self.fresh.append(entry)
        return entry

    def _advance(self, seat: Seat, action: Action, by: str) -> tuple[Event, ...]:
        """Give one answer to the script, and collect what follows."""
        self._options.clear()
        unasked = self.unasked_for(action)
        if isinstance(action, Rolled):
            self.throws += 1
        if unasked:
            for event in self._of_its_own(seat, action):
                self.game.emit(event)
        else:
            slot = self._slot(seat)
            self.given[slot] = action
            self._note_hand(self.asks[slot], by)
            if len(self.given) == len(self.asks):
                answers = tuple([self.given[slot] for slot in range(len(self.asks))])
                self.asks, self.given, self.asked_at = (), {}, self._no
                try:
                    self.asks = self._script.send(answers)
                except StopIteration:
                    pass                                # the game is over
                for question in self.asks:
                    question.by_hand = question.seat in self._by_hand
        if not self.given or unasked:
            self._public_no = self._no
        events = tuple(self.game.fresh)
        self.game.fresh.clear()
        return events

    def unasked_for(self, action: Action) -> bool:
        """Whether an act answers no question: a gift, or what is stirred because the dice are others now."""
        return isinstance(action, Aside) or (isinstance(action, Stirred) and self.spec.stirring is not None
                                             and not any(Stirred in question.accepts for question in self.asks))

    def _of_its_own(self, seat: Seat, action: Action) -> Iterable[Event]:
        if isinstance(action, Aside):
            return action.events(self.game.state, seat)
        assert isinstance(action, Stirred) and self.spec.stirring is not None, "nothing else comes unasked"
        return self.spec.stirring.events(self.game.state, action.values)

    def sides_of(self, action: Rolled) -> tuple[int, ...]:
        """The sides of the dice that a throw answers with, or that are thrown unasked."""
        if self.unasked_for(action):
            assert self.spec.stirring is not None, "nothing else is thrown unasked"
            return self.spec.stirring.sides(self.state)
        return self.asks[self._slot(CHANCE)].sides

    def _note_hand(self, question: Ask[Any], by: str) -> None:
        """A written turn is over once its author answers for himself."""
        if by != "rule" and self.spec.ordering is not None and question.point in self.spec.ordering.written:
            (self._by_hand.discard if by == "order" else self._by_hand.add)(question.seat)

    def _replay(self, old: Row, strict: bool) -> None:
        kind = self._verbs.get(old.verb)
        try:
            if kind is None:
                raise NotAsked("No such verb.")
            action, seat = kind.model_validate_json(old.answer), Seat(old.seat)
            if not self.unasked_for(action) and kind not in self.asks[self._slot(seat)].accepts:
                raise NotAsked("Another question is being asked.")
            if strict:
                self._verify(seat, action)
            self._no = old.no
            events = self._advance(seat, action, old.by)
        except (NotAsked, Illegal, ValidationError, ValueError) as why:
            raise Drift(f"row {old.no}: {old.verb} by {old.seat} does not fit ({type(why).__name__})", no=old.no) from why
        if stored_events(events) != old.events:
            raise Drift(f"row {old.no}: {old.verb} by {old.seat} has other effects than recorded "
                        f"({differing(old.events, stored_events(events))})", no=old.no)

    def _verify(self, seat: Seat, action: Action) -> None:
        """In a file from outside nothing is believed: legality and throws are checked again."""
        if not isinstance(action, Rolled):
            self.examine(seat, action)
            return
        sides = self.sides_of(action) if seat == CHANCE else ()
        if not sides or action.throw != self.throws or action.values != self.dice(action.epoch, action.throw, sides):
            raise Illegal("The dice show something else.")

    def _run_on(self) -> None:
        """Let dice, single choices, orders and absent seats answer until a person must.

        A game may have no end as long as everybody has ordered to do nothing; at last one of them is asked all the same.
        """
        led = 0
        while (given := self._ready(led < LONGEST)) is not None:
            led += given[2] in ("order", "clock")
            self._record(*given)

    def _ready(self, led: bool) -> tuple[Seat, Action, By, int] | None:
        for slot, question in enumerate(self.asks):
            if slot in self.given:
                continue
            if question.seat == CHANCE:
                values = self.dice(self.epoch, self.throws, question.sides)
                return CHANCE, question.accepts[0](values=values, epoch=self.epoch, throw=self.throws), "dice", 0
            listed = self._listed(slot)
            assert listed, f"{question.seat} is asked {question.point or question.prompt} and has no legal answer"
            if len(listed) == 1 and (listed[0].forced or not question.never_alone):
                return question.seat, listed[0], "rule", 0
            if not led:
                continue
            gone, ordering = question.seat in self.absent, self.spec.ordering
            veiled = self.veiled and not (ordering is not None and ordering.quiet(question.point))
            if (gone or not (veiled or self.returned)) and (ordered := self._ordered(slot)) is not None:
                return ordered
            if gone:
                return question.seat, self._in_absence(question.seat), "clock", 0
        return None

    def _in_absence(self, seat: Seat) -> Action:
        """What is answered for a seat that is not there: its default, or what its caretaker chooses."""
        care = self.spec.caretaker if seat in self.cared else None
        chosen = care(self.state, seat, self.options(seat)) if care is not None else None
        return self.default(seat) if chosen is None else chosen

    def _ordered(self, slot: int) -> tuple[Seat, Action, By, int] | None:
        """What the seat has ordered to answer; only a legal answer counts [SOE-22.1.8]."""
        question, listed = self.asks[slot], self._listed(slot)
        given = self.deputy.answer(self.game.state, question, listed) if self.deputy is not None else None
        if given is None:
            return None
        try:
            self.examine(question.seat, given[0])
        except Refusal:
            return None
        return question.seat, given[0], "order", given[1]


def _among(action: Action, listed: tuple[Action, ...]) -> bool:
    """Whether an answer is one of these; an answer that was taken from the list is found without comparing fields."""
    for option in listed:
        if option is action:
            return True
    return action in listed


def parse_events(spec: GameSpec, events: str) -> list[Event]:
    """The events of a stored row."""
    kinds = {kind.__name__: kind for kind in spec.events}
    return [kinds[body.pop("is")].model_validate(body) for body in json.loads(events)]


def differing(recorded: str, made: str) -> str:
    """Where the events of two rows part, by names alone: "Taken.pebbles", "Fell instead of Taken"; no value may be told."""
    before, after = json.loads(recorded), json.loads(made)
    for old, new in zip(before, after):
        if old.get("is") != new["is"]:
            return f"{new['is']} instead of {old.get('is')}"
        if old != new:
            return ", ".join([f"{new['is']}.{field}" for field in sorted({*old, *new}) if old.get(field) != new.get(field)])
    more = [event.get("is") for event in before[len(after):]]
    return f"no {more[0]}" if more else f"also {after[len(before)]['is']}" if after[len(before):] else "another wording"


def parse_action(spec: GameSpec, verb: str, fields: Mapping[str, object]) -> Action:
    """An action from outside: a command, a button, a file. Raises Illegal with a sentence for a person."""
    kind = spec.verb(verb)
    if kind is None:
        raise Illegal("There is no command {verb} in this game.", verb=verbatim(verb))
    try:
        return kind.model_validate(dict(fields))
    except ValidationError as why:
        fault = why.errors()[0]
        raise Illegal("The value of {field} cannot be used: {reason}.", field=str(fault["loc"][0] if fault["loc"] else verb),
                      reason=verbatim(fault["msg"])) from None


def choices(options: Iterable[Action], field: str, so_far: Mapping[str, object]) -> list[Any]:
    """The values that `field` can still take, given the fields filled in so far; in the order of the options, each once."""
    fits = (option for option in options if field in type(option).model_fields
            and all(str(getattr(option, key, None)) == str(value) for key, value in so_far.items()))
    return list(dict.fromkeys(getattr(option, field) for option in fits))


def fold(spec: GameSpec, parts: Any, start: Checkpoint, events: Iterable[Sequence[Event]]) -> Any:
    """The state that the events alone lead to."""
    state = spec.state.model_validate_json(start.state)
    spec.bind(state, parts)
    for row in events:
        for event in row:
            event.apply(state)
    return state
