"""What a game says of its decision points: answers, conditions, and what a seat sees of them."""
from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from engine.kernel.actions import Action
from engine.kernel.order import ALWAYS, TURN, UP_TO, Kind, Op, Reply, Value, Wish
from engine.kernel.questions import Ask
from engine.kernel.seats import Seat
from engine.text import Fact, Text, text, verbatim


class Noun(NamedTuple):
    """What is counted in an answer, in all the forms that a sentence needs."""

    none: str                           # "no armies"
    one: str                            # "{n} army"
    many: str                           # "{n} armies"
    all: str                            # "all armies"


@dataclass(frozen=True, kw_only=True)
class Slot:
    """A blank in an offered answer. A number means "at most so many", an amount means exactly so many."""

    field: str
    words: str                          # what is asked: "Which area?"
    kind: Literal["number", "amount", "choice", "list"]
    values: Callable[[Any, Seat], Sequence[str]] = lambda state, seat: ()       # ids, for a choice or a list in order of wish
    about: Mapping[str, Fact] | None = None                         # facts of its words
    unlike: tuple[str, ...] = ()        # fields of the same answer whose values it cannot have as well
    reach: Callable[[Any, Seat], Container[str]] | None = None      # to which of them the occasion under way is limited

    def choices(self, state: Any, seat: Seat, filled: Mapping[str, Wish]) -> list[str]:
        """The ids that are left to choose from, once these other blanks are filled."""
        taken = {filled.get(field) for field in self.unlike}
        return [id for id in self.values(state, seat) if id not in taken]

    def reached(self, state: Any, seat: Seat, filled: Mapping[str, Wish]) -> list[str]:
        """Of these choices, those that the occasion under way can ask for."""
        able = self.reach(state, seat) if self.reach is not None else None
        return [id for id in self.choices(state, seat, filled) if able is None or id in able]

    @property
    def asked(self) -> Text:
        return Text(self.words, self.about or {})


@dataclass(frozen=True, kw_only=True)
class Offer:
    """An answer that can be chosen in advance: words, and the reply that they mean once the blanks are filled."""

    key: str
    words: str                          # "Send {armies} armies": a template whose facts are the fields
    verb: str
    fields: Mapping[str, Wish] = field(default_factory=dict)        # what is settled
    slots: tuple[Slot, ...] = ()
    nouns: Mapping[str, Noun] = field(default_factory=dict)         # for fields that are numbers
    capped: bool = False                # it needs a highest amount [P-26]
    applies: Callable[[Any], bool] = lambda state: True     # False: games with such options never ask for it
    about: Mapping[str, Fact] = field(default_factory=dict)         # facts of its words that are no fields
    brief: str = ""                     # its words in a list, if they can leave blanks out; "": the words
    meant: bool = False                 # whoever orders it means what it gives up: a new line counts whatever it costs [P-25]

    def reply(self, filled: Mapping[str, Wish]) -> Reply:
        """The reply, once the blanks are filled; a number in a blank means: at most so many."""
        blanks = {slot.field: filled[slot.field] for slot in self.slots}
        limits = {slot.field: f"{UP_TO}{filled[slot.field]}" for slot in self.slots if slot.kind == "number"}
        return Reply(verb=self.verb, fields={**self.fields, **blanks, **limits}, offer=self.key)


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A fact that a line can ask for."""

    key: str
    words: str                          # what stands before the comparison: "the area", "your lead in strength"
    kind: Literal["number", "choice", "flag"]
    values: Callable[[Any, Seat], Sequence[str]] = lambda state, seat: ()       # ids, for a choice
    says: Mapping[Op, str] = field(default_factory=dict)    # whole clauses, where "{words} is {value}" would read badly
    counts: tuple[str, str, str] | None = None      # of a number: "you have {value} there", "{n} army", "{n} armies"
    about: Mapping[str, Fact] = field(default_factory=dict)         # facts of its words and clauses

    @property
    def said(self) -> Text:
        return Text(self.words, self.about)


@dataclass(frozen=True)
class Span:
    """For how long an order of a game can count, in the game's words: for a turn, for a fight, for a deal."""

    key: str                            # as orders store it: "turn"
    words: Text                         # "in this turn": in lists, in choices, and in "It counts in this turn."
    each: Text | None = None            # "with each turn": how hours come back to a bank, if time can be counted by it


@dataclass(frozen=True, kw_only=True)
class Pace:
    """What a game's clock gives to questions of one kind, of the time that it gives to an answer; nothing of a bank."""

    words: str                          # "{hours} for each turn"
    share: Fraction = Fraction(1)       # of the game's time
    shared: bool = False                # all answers of a seat within one stretch have this time together (`Ordering.stretch`)
    own: Pace | None = None             # what counts instead where the seat is asked whose turn it is


ANY_TOLL = text("How much may it cost at most?")
EACH = Pace(words="{hours} for each move")


@dataclass(frozen=True, kw_only=True)
class Series:
    """Answers that a seat gives one by one, with others in between, and can give at once as well: each counts when it is due."""

    number: int                         # how many are to come
    answers: Sequence[Action]           # what each of them can be, the likely ones first
    words: Text                         # "Place your 5 starting units"
    done: Callable[[int], Text]         # what its author reads once so many of them have been given: "Placed 5 units."
    check: Callable[[Sequence[Any]], None] = lambda answers: None      # raises Illegal: they can't all be given


@dataclass(frozen=True, kw_only=True)
class Point:
    """One decision point, as far as it can be answered in advance."""

    no: str                             # "DP-16"
    title: str                          # "Fight at sea when attacked"
    offers: tuple[Offer, ...]
    conditions: tuple[str, ...] = ()    # keys of the game's conditions that make sense here
    lasts: tuple[str, ...] = (ALWAYS,)  # keys of spans: how long an order for it can last; the first is the usual one
    grows: str = ""                     # the field that could grow without end
    usual: str = ""                     # what is answered on silence, in words: "decline"; in an offer's words, it is that offer
    group: str = ""                     # a heading for several points: "The own turn"
    quiet: bool = False                 # answered by what is usual, without a question, unless an order says to ask
    vote: bool = False                  # all are asked at once, and each can say yes, the first option, or no, the second
    given: Callable[[Any, Seat], Sequence[Action]] | None = None    # all answers so far, if each line of an order is for one
    pace: Pace = EACH                   # how much time an answer has
    series: Callable[[Any, Seat], Series | None] | None = None  # what can be given at once now
    past: Callable[[Any, Seat], bool] = lambda state, seat: False       # whether it never comes up again, short of an undo

    def offer(self, key: str) -> Offer | None:
        return next((offer for offer in self.offers if offer.key == key), None)

    @property
    def usual_offer(self) -> Offer | None:
        """The offer that says the same as silence, which need not be offered beside it; None if there is none."""
        return next((offer for offer in self.offers if offer.words == self.usual), None)


@dataclass(frozen=True, kw_only=True)
class Ordering:
    """All that a game says of orders."""

    points: tuple[Point, ...]
    conditions: tuple[Condition, ...] = ()
    facts: Callable[[Any, Seat, Ask[Any]], Mapping[str, Value]] = lambda state, seat, question: {}
    parts: Callable[[Any, Ask[Any], tuple[Action, ...]], Iterable[tuple[Ask[Any], tuple[Action, ...]]]] = (
        lambda state, question, options: ((question, options),))
    # of a question and its answers to what orders answer one by one: a question that is about several things has as many parts
    alike: Callable[[Any], Mapping[str, tuple[str, ...]]] = lambda state: {}    # id -> others that are the same to an order
    durations: tuple[Span, ...] = ()    # all spans for which an order can count
    spans: Callable[[Any, Seat], Mapping[str, str]] = lambda state, seat: {}        # key of a span -> which one is now: "3.2"
    packet: str = ""                    # the span for which a packet is filled in; "": this game has no packets
    foreseen: Callable[[Any], Mapping[Seat, tuple[str, ...]]] = lambda state: {}    # what may be asked in this occasion
    occasion: Callable[[Any], Text] = lambda state: text("More may come up")   # what a packet is about now
    own_turn: tuple[str, ...] = ()      # the points that a seat can answer for its turn before anything is under way
    written: tuple[str, ...] = ()       # the points that a written turn answers, the main ones first
    between: tuple[str, ...] = ()       # of these: those that get their default when the next line does not fit them
    toll: Callable[[Any, Seat, Action], int] = lambda state, seat, action: 0        # what a consequence would cost
    toll_words: tuple[str, str, str] = (        # at any cost; at a cost of at most 1, of at most so much
        "{answer}, whatever it costs", "{answer}, if it costs no more than {n}", "{answer}, if it costs no more than {n}")
    toll_about: Mapping[str, Fact] = field(default_factory=dict)                    # facts of these words
    toll_asked: Text = ANY_TOLL
    seats: Callable[[Any], Iterable[Seat]] = lambda state: ()       # in the order of play: who is invited to give a series
    stretch: str = ""                   # the span by which time is counted; with each, hours come back to a bank
    gone_after: int = 0                 # stretches in a row that the clock ended: then a player is away; 0: never so by itself

    def lasting(self, key: str) -> Fact:
        """How long an order counts, in words; the key itself if the game has no such span any more."""
        if key == ALWAYS:
            return text("for the whole game")
        return next((span.words for span in self.durations if span.key == key), verbatim(key))

    def fixed(self, kind: Kind) -> str | None:
        """The span for which orders of this kind always count; None: their author chooses."""
        return {"packet": self.packet, "written": TURN}.get(kind)

    def point(self, no: str) -> Point | None:
        return next((point for point in self.points if point.no == no), None)

    def vote(self, no: str) -> bool:
        """True if the decision point with this number is a vote."""
        point = self.point(no)
        return point is not None and point.vote

    def quiet(self, no: str) -> bool:
        """True if the decision point with this number is answered by what is usual, unless an order says to ask."""
        point = self.point(no)
        return point is not None and point.quiet

    def pace(self, no: str, *, own: bool) -> Pace:
        """How much time an answer has, perhaps of the seat whose turn it is."""
        point = self.point(no)
        pace = point.pace if point is not None else EACH
        return pace.own if own and pace.own is not None else pace

    def paces(self) -> list[Pace]:
        """All kinds of questions that the clock tells apart, those with most time first."""
        known = [pace for point in self.points for pace in (point.pace, point.pace.own) if pace is not None]
        return sorted(dict.fromkeys(known), key=lambda pace: -pace.share)

    def arises(self, no: str, state: Any) -> bool:
        """True if games with these options ever put the question of the decision point with this number."""
        point = self.point(no)
        return point is not None and any(offer.applies(state) for offer in point.offers)

    def ahead(self, no: str, state: Any, seat: Seat) -> bool:
        point = self.point(no)
        return point is not None and self.arises(no, state) and not point.past(state, seat)

    def series(self, state: Any, seat: Seat) -> tuple[Point, Series] | None:
        """Return what a seat will be asked several times and can answer at once, if it is two answers or more."""
        for point in self.points:
            found = point.series(state, seat) if point.series is not None else None
            if found is not None and found.number > 1:
                return point, found
        return None

    def condition(self, key: str) -> Condition | None:
        return next((condition for condition in self.conditions if condition.key == key), None)
