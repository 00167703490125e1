"""Standing orders: what a seat answers before it is asked, as a list of lines "if this holds, answer so" [SOE-22.1].

Orders are private and never part of the log: a row says only that it was answered, and the bot keeps beside it which order
did so. An order answers from what its seat can see, and only with an answer that the engine lists at that moment.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.kernel import Action, Ask, GameSpec, Seat
from engine.refusals import Faulty, Refusal
from engine.text import Fact, Text, count, text

Op: TypeAlias = Literal["is", "is_not", "at_least", "at_most"]
Value: TypeAlias = bool | int | str | tuple[str, ...]
Wish: TypeAlias = bool | int | str | tuple[str, ...]
MOST, LEAST = "most", "least"           # of the values that are possible: the largest, the smallest
UP_TO = "<="                            # "<=2": the largest that is at most 2
LINES = 20                              # of one order
TESTS = 6                               # of one line
ORDERS = 60                             # that a seat can have at a time


class Test(BaseModel):
    """One condition: a fact that the seat sees, compared. A fact that is a list is what it contains."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    __test__ = False                    # no test of pytest's
    fact: str
    op: Op = "is"
    value: bool | int | str

    def holds(self, facts: Mapping[str, Value]) -> bool:
        """Whether it is so; of what is not known now, nothing holds."""
        seen = facts.get(self.fact)
        if seen is None:
            return False
        if self.op in ("at_least", "at_most"):
            if not isinstance(seen, int) or not isinstance(self.value, int):
                return False
            return seen >= self.value if self.op == "at_least" else seen <= self.value
        same = self.value in seen if isinstance(seen, tuple) else seen == self.value
        return same == (self.op == "is")


class Reply(BaseModel):
    """An answer wished for: a verb, and of each field a value, the most or the least, or values in the order of the wish.

    Of a field that is itself a list, such as the allies to call, a list means: those of them that are possible.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    verb: str
    fields: Mapping[str, Wish] = {}
    offer: str = ""                     # the key of the `Offer` that it was made from, for its words

    def among(self, options: Iterable[Action], most: int | None = None, grows: str = "") -> Action | None:
        """The first of these answers that is meant, or None; `most` limits the field that grows without end."""
        left = [option for option in options if option.verb == self.verb]
        if most is not None:
            left = [option for option in left if getattr(option, grows, 0) <= most]
        for name, wish in self.fields.items():
            left = _wished(left, name, wish)
        return left[0] if left else None


class Line(BaseModel):
    """If all conditions hold, answer so; without an answer: ask me."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    when: tuple[Test, ...] = ()
    then: Reply | None = None
    costly: bool = False                # also when it has a consequence that would have to be confirmed [SOE-22.1.8]
    most: int | None = None             # the highest amount of an answer that could grow without end [SOE-22.1.9]


Kind: TypeAlias = Literal["standing", "packet", "written"]
RANK: Mapping[Kind, int] = {"packet": 0, "written": 1, "standing": 2}
ALWAYS = "always"


class Order(BaseModel):
    """The lines of a seat for some decision points.

    A standing order uses the first line that fits. A packet does so too, before all others, for the occasion for which it was
    filled in. A written turn uses its lines one after the other, each once, and asks as soon as the next one does not fit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: int = 0                         # its number in the store; 0 before it is stored
    seat: Seat
    kind: Kind = "standing"
    points: tuple[str, ...]
    lines: tuple[Line, ...]
    lasts: str = ALWAYS                 # a span of time that the game knows: "war", "attack", "turn"
    span: str = ""                      # the key of that span when the order was given; "" for always
    times: int | None = None            # how often it answers, at most


# --- what a game says of its decision points ----------------------------------------------------------

@dataclass(frozen=True, kw_only=True)
class Slot:
    """A blank in an offered answer."""

    field: str
    words: str                          # what is asked: "Which area?"
    kind: Literal["number", "choice", "list"]
    values: Callable[[Any, Seat], Sequence[str]] = lambda state, seat: ()       # ids, for a choice or a list in order of wish


@dataclass(frozen=True, kw_only=True)
class Offer:
    """An answer that can be chosen in advance: words, and the reply that they mean once the blanks are filled."""

    key: str
    words: str                          # "Send {armies} armies": a template whose facts are the fields
    verb: str
    fields: Mapping[str, Wish] = field(default_factory=dict)        # what is settled
    slots: tuple[Slot, ...] = ()
    capped: bool = False                # it needs a highest amount [SOE-22.1.9]

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


@dataclass(frozen=True, kw_only=True)
class Point:
    """One decision point, as far as it can be answered in advance."""

    no: str                             # "DP-16"
    title: str                          # "Fight at sea when attacked"
    offers: tuple[Offer, ...]
    conditions: tuple[str, ...] = ()    # keys of the game's conditions that make sense here
    lasts: tuple[str, ...] = (ALWAYS,)  # how long an order for it can last; the first is the usual one
    grows: str = ""                     # the field that could grow without end
    aside: bool = False                 # no question of its own: it only occurs within a written turn

    def offer(self, key: str) -> Offer | None:
        """The offer with this key."""
        return next((offer for offer in self.offers if offer.key == key), None)


@dataclass(frozen=True, kw_only=True)
class Ordering:
    """All that a game says of orders."""

    points: tuple[Point, ...]
    conditions: tuple[Condition, ...] = ()
    facts: Callable[[Any, Seat, Ask[Any]], Mapping[str, Value]] = lambda state, seat, question: {}
    spans: Callable[[Any, Seat], Mapping[str, str]] = lambda state, seat: {}        # span -> its key now: "war" -> "2"
    foreseen: Callable[[Any], Mapping[Seat, tuple[str, ...]]] = lambda state: {}    # what may be asked in this occasion
    written: tuple[str, ...] = ()       # the points that a written turn answers, the main ones first
    between: tuple[str, ...] = ()       # of these: those that get their default when the next line does not fit them

    def point(self, no: str) -> Point | None:
        """The decision point with this number."""
        return next((point for point in self.points if point.no == no), None)

    def condition(self, key: str) -> Condition | None:
        """The condition with this key."""
        return next((condition for condition in self.conditions if condition.key == key), None)


# --- answering -----------------------------------------------------------------------------------------

class Deputy(Protocol):
    """Who answers for seats by their orders, as the table knows it."""

    def answer(self, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> tuple[Action, int] | None:
        """The answer and the number of the order that gives it; None: the person must be asked."""

    def used(self, order: int) -> None:
        """An order has answered."""


class Orders:
    """The orders of all seats of one game, with how often each has answered in the rows in force."""

    def __init__(self, spec: GameSpec, orders: Iterable[Order], used: Mapping[int, int] = {}) -> None:
        self.spec = spec
        self._used = dict(used)
        self._of: dict[Seat, list[Order]] = {}
        for order in sorted(orders, key=lambda order: (RANK[order.kind], -order.id)):
            self._of.setdefault(order.seat, []).append(order)

    def of(self, seat: Seat) -> list[Order]:
        """The orders of a seat, in the order in which they are looked at."""
        return list(self._of.get(seat, ()))

    def left(self, order: Order) -> int | None:
        """How often an order can still answer; None: without end."""
        times = len(order.lines) if order.kind == "written" else order.times
        return None if times is None else max(0, times - self._used.get(order.id, 0))

    def holds(self, order: Order, state: Any) -> bool:
        """Whether an order still lasts."""
        if self.left(order) == 0 and order.kind != "written":
            return False
        return order.lasts == ALWAYS or self._ordering.spans(state, order.seat).get(order.lasts) == order.span

    def used(self, order: int) -> None:
        """An order has answered once more."""
        self._used[order] = self._used.get(order, 0) + 1

    def answer(self, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> tuple[Action, int] | None:
        """The answer that the seat has ordered for this question, with the number of the order; None: ask."""
        own = [order for order in self._of.get(question.seat, ()) if question.point in order.points]
        if not own:
            return None
        facts = self._ordering.facts(state, question.seat, question)
        for order in own:
            if not self.holds(order, state):
                continue
            if order.kind == "written":
                given = self._written(order, state, question, options, facts)
                if given is not None or self.left(order):
                    return given            # a written turn that does not fit any more stops, and its author is asked
                continue
            for line in order.lines:
                if not all(test.holds(facts) for test in line.when):
                    continue
                if line.then is None:
                    return None
                action = self._legal(line, state, question, options)
                if action is not None:
                    return action, order.id
        return None

    @property
    def _ordering(self) -> Ordering:
        return self.spec.ordering or Ordering(points=())

    def _written(self, order: Order, state: Any, question: Ask[Any], options: tuple[Action, ...],
                 facts: Mapping[str, Value]) -> tuple[Action, int] | None:
        """The next line of a written turn. What it does not speak of, between two of its lines, gets its default."""
        place = self._used.get(order.id, 0)
        line = order.lines[place] if place < len(order.lines) else None
        if line is not None and line.then is not None and all(test.holds(facts) for test in line.when):
            action = self._legal(line, state, question, options)
            if action is not None:
                return action, order.id
        verb = line.then.verb if line is not None and line.then is not None else ""
        accepted = {kind.verb for kind in question.accepts}
        if place and question.point in self._ordering.between and verb not in accepted and question.default is not None:
            default = question.default(state, question.seat) if callable(question.default) else question.default
            return default, 0
        return None

    def _legal(self, line: Line, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> Action | None:
        assert line.then is not None, "a line without an answer asks"
        point = self._ordering.point(question.point)
        action = line.then.among(options, line.most, point.grows if point else "")
        if action is None or (not line.costly and action.consequence(state, question.seat) is not None):
            return None
        return action


def _wished(options: list[Action], name: str, wish: Wish) -> list[Action]:
    """The options whose field is as wished."""
    having = [option for option in options if name in type(option).model_fields]
    values = [getattr(option, name) for option in having]
    if not values:
        return []
    if any(isinstance(value, tuple) for value in values):
        wanted = max((value for value in values if wish == MOST or set(value) <= set(wish if isinstance(wish, tuple) else ())),
                     key=len, default=None)
    elif isinstance(wish, tuple):
        wanted = next((value for value in wish if value in values), None)
    elif wish in (MOST, LEAST) and all(isinstance(value, int) for value in values):
        wanted = max(values) if wish == MOST else min(values)
    elif isinstance(wish, str) and wish.startswith(UP_TO):
        wanted = max((value for value in values if value <= int(wish.removeprefix(UP_TO))), default=None)
    else:
        wanted = wish
    return [option for option in having if getattr(option, name) == wanted]


# --- checking and reading out ----------------------------------------------------------------------------

def checked(spec: GameSpec, order: Order, state: Any) -> Order:
    """The order, once it can be stored: it speaks of points, conditions and answers that there are, and comes to an end.

    Raises Faulty with a sentence for its author.
    """
    ordering = spec.ordering
    if ordering is None:
        raise Faulty("{game} takes no standing orders.", game=spec.name)
    if not 0 < len(order.lines) <= LINES:
        raise Faulty("An order has one to {most} lines.", most=LINES)
    grows = False
    for no in order.points:
        point = ordering.point(no)
        if point is None:
            raise Faulty("There is no decision point {no} that can be answered in advance.", no=no)
        grows = grows or bool(point.grows)
        if order.lasts not in point.lasts and order.kind == "standing":
            raise Faulty("An order for this question cannot last so long.", rule="SOE-22.1.4")
    if order.lasts != ALWAYS and not order.span:
        raise Faulty("There is nothing now to which this order could be limited.")
    kinds = {kind.verb: kind for kind in spec.actions}
    for line in order.lines:
        if len(line.when) > TESTS:
            raise Faulty("A line has at most {most} conditions.", most=TESTS)
        for test in line.when:
            if ordering.condition(test.fact) is None:
                raise Faulty("There is no condition {fact}.", fact=test.fact)
        if line.then is None:
            continue
        kind = kinds.get(line.then.verb)
        if kind is None or set(line.then.fields) - set(kind.model_fields):
            raise Faulty("There is no answer {verb} like that.", verb=line.then.verb)
        if kind.open_ended and grows and line.most is None:
            raise Faulty("A line that raises must name a highest amount.", rule="SOE-22.1.9")
    return order


def line_text(spec: GameSpec, line: Line) -> Text:
    """A line as a sentence."""
    answer = _reply_text(spec, line)
    if not line.when:
        return text("{answer}.", answer=answer)
    return text("If {conditions}: {answer}.", conditions=tuple(_test_text(spec, test) for test in line.when), answer=answer)


def _reply_text(spec: GameSpec, line: Line) -> Text:
    if line.then is None:
        return text("ask me")
    offers = [offer for point in (spec.ordering.points if spec.ordering else ()) for offer in point.offers
              if offer.key == line.then.offer and offer.verb == line.then.verb]
    fields = {name: _wish_text(wish) for name, wish in line.then.fields.items()}
    plain = text("{verb} {fields}", verb=line.then.verb, fields=tuple(fields.values()))
    words = Text(offers[0].words, fields) if offers else plain
    if line.most is not None:
        words = text("{answer}, up to {most}", answer=words, most=line.most)
    return text("{answer}, whatever it costs in unrest", answer=words) if line.costly else words


def _wish_text(wish: Wish) -> Fact:
    if isinstance(wish, bool):
        return text("yes") if wish else text("no")
    if isinstance(wish, tuple):
        return text("the first possible of {list}", list=wish) if len(wish) > 1 else (wish[0] if wish else text("nobody"))
    if wish == MOST:
        return text("as many as possible")
    if wish == LEAST:
        return text("as few as possible")
    if isinstance(wish, str) and wish.startswith(UP_TO):
        return text("up to {n}", n=int(wish.removeprefix(UP_TO)))
    return wish


def _test_text(spec: GameSpec, test: Test) -> Text:
    condition = spec.ordering.condition(test.fact) if spec.ordering else None
    words = text(condition.words) if condition else text("{fact}", fact=test.fact)
    if isinstance(test.value, bool):
        yes = test.value == (test.op == "is")
        return text("{fact}", fact=words) if yes else text("not {fact}", fact=words)
    value: Fact = test.value
    match test.op:
        case "is":
            return text("{fact} is {value}", fact=words, value=value)
        case "is_not":
            return text("{fact} is not {value}", fact=words, value=value)
        case "at_least":
            return text("{fact} is at least {value}", fact=words, value=value)
        case "at_most":
            return text("{fact} is at most {value}", fact=words, value=value)


def order_text(spec: GameSpec, order: Order, left: int | None = None) -> tuple[Text, ...]:
    """An order as sentences, one for each line; the last says how long it lasts."""
    lines = [line_text(spec, line) for line in order.lines]
    if left is not None:
        lines.append(count(left, "It can still answer {n} time.", "It can still answer {n} times."))
    return tuple(lines)


def parsed(body: str) -> Order:
    """An order as it is stored, or as it comes from outside. Raises Faulty."""
    try:
        return Order.model_validate_json(body)
    except (ValidationError, Refusal):
        raise Faulty("This is no standing order.") from None
