"""Standing orders: what a seat answers before it is asked, as a list of lines "if this holds, answer so" [SOE-22.1].

Orders are private and never part of the log: a row says only that it was answered, and the bot keeps beside it which order
did so. An order answers from what its seat can see, and only with an answer that is legal at that moment.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.kernel import Action, Ask, GameSpec, Seat
from engine.refusals import Faulty, Illegal, Refusal
from engine.text import Fact, Text, count, text, verbatim

Op: TypeAlias = Literal["is", "is_not", "at_least", "at_most"]
Value: TypeAlias = bool | int | str | tuple[str, ...]
Wish: TypeAlias = bool | int | str | tuple[str, ...]
DEFAULT = "default"                     # as a verb: what would be answered on silence
MOST, LEAST = "most", "least"           # of the values that are possible: the largest, the smallest
UP_TO = "<="                            # "<=2": the largest that is at most 2
LINES = 20                              # of one order
TESTS = 6                               # of one line
ORDERS = 60                             # that a seat can have at a time
NUMBERS = 1_000_000                     # the largest number in an order


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

    def among(self, options: Iterable[Action], allowed: Callable[[Action], bool] = lambda option: True) -> Action | None:
        """The first of these answers that is meant and allowed, or None. What is settled counts before what is only wished."""
        left = [option for option in options if option.verb == self.verb]
        for name, wish in self.fields.items():
            if _settled(wish):
                left = _wished(left, name, wish)
        left = [option for option in left if allowed(option)]
        for name, wish in self.fields.items():
            if not _settled(wish):
                left = _wished(left, name, wish)
        return left[0] if left else None


class Line(BaseModel):
    """If all conditions hold, answer so; without an answer: ask me."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    when: tuple[Test, ...] = ()
    then: Reply | None = None
    costly: bool = False                # also when it has a consequence that would have to be confirmed [SOE-22.1.8]
    toll: int | None = None             # also then, if the consequence costs so much at most, as the game counts it
    most: int | None = None             # the highest amount of an answer that could grow without end [SOE-22.1.9]
    instead: bool = False               # in a written turn: used when the line before it does not fit


Kind: TypeAlias = Literal["standing", "packet", "written"]
RANK: Mapping[Kind, int] = {"packet": 0, "written": 1, "standing": 2}
ALWAYS = "always"
OCCASION = "attack"                     # the span of time for which a packet is filled in
TURN = "turn"                           # that of a written turn


class Order(BaseModel):
    """The lines of a seat for some decision points.

    A standing order uses the first line that fits. A packet does so too, before all others, for the occasion for which it was
    filled in. A written turn uses its lines one after the other, each once; lines with `instead` are a way out for the line
    before them. As soon as none of these fits it asks, and is over once its author has acted himself.
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

    @property
    def asked(self) -> Text:
        """What is asked, with the facts that it is about."""
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
    capped: bool = False                # it needs a highest amount [SOE-22.1.9]
    applies: Callable[[Any], bool] = lambda state: True     # False: games with such options never ask for it
    about: Mapping[str, Fact] = field(default_factory=dict)         # facts of its words that are no fields

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
        """What stands before the comparison, with the facts that it is about."""
        return Text(self.words, self.about)


@dataclass(frozen=True, kw_only=True)
class Point:
    """One decision point, as far as it can be answered in advance."""

    no: str                             # "DP-16"
    title: str                          # "Fight at sea when attacked"
    offers: tuple[Offer, ...]
    conditions: tuple[str, ...] = ()    # keys of the game's conditions that make sense here
    lasts: tuple[str, ...] = (ALWAYS,)  # how long an order for it can last; the first is the usual one
    grows: str = ""                     # the field that could grow without end
    usual: str = ""                     # what is answered on silence, in words: "decline"
    group: str = ""                     # a heading for several points: "The own turn"
    quiet: bool = False                 # answered by what is usual, without a question, unless an order says to ask
    given: Callable[[Any, Seat], Sequence[Action]] | None = None    # all answers so far, if each line of an order is for one

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
    occasion: Callable[[Any], Text] = lambda state: text("This may ask more of you")   # "France attacks Austria in India"
    attacking: tuple[str, ...] = ()     # what an attack of its own may ask of a seat, in its turn
    written: tuple[str, ...] = ()       # the points that a written turn answers, the main ones first
    between: tuple[str, ...] = ()       # of these: those that get their default when the next line does not fit them
    occasions: Mapping[Kind, str] = field(default_factory=lambda: {"packet": OCCASION, "written": TURN})    # how long they last
    toll: Callable[[Any, Seat, Action], int] = lambda state, seat, action: 0        # what a consequence would cost
    toll_words: tuple[str, str] = ("{answer}, whatever follows", "{answer}, at a cost of at most {n}")

    def point(self, no: str) -> Point | None:
        """The decision point with this number."""
        return next((point for point in self.points if point.no == no), None)

    def quiet(self, no: str) -> bool:
        """Whether the decision point with this number is answered by what is usual, unless an order says to ask."""
        point = self.point(no)
        return point is not None and point.quiet

    def arises(self, no: str, state: Any) -> bool:
        """Whether games with these options ever put the question of the decision point with this number."""
        point = self.point(no)
        return point is not None and any(offer.applies(state) for offer in point.offers)

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
    """The orders of all seats of one game, with how often each has answered in the rows in force.

    Of two orders of one kind the one that comes first is looked at first.
    """

    def __init__(self, spec: GameSpec, orders: Iterable[Order], used: Mapping[int, int] = {}) -> None:
        self.spec = spec
        self._used = dict(used)
        self._of: dict[Seat, list[Order]] = {}
        for order in sorted(orders, key=lambda order: RANK[order.kind]):
            self._of.setdefault(order.seat, []).append(order)

    def of(self, seat: Seat) -> list[Order]:
        """The orders of a seat, in the order in which they are looked at."""
        return list(self._of.get(seat, ()))

    def left(self, order: Order) -> int | None:
        """How often an order can still answer; None: without end."""
        times = len(steps(order)) if order.kind == "written" else order.times
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
        """The answer that the seat has ordered for this question, with the number of the order; None: ask.

        A quiet question gets what is usual, by no order, where no line fits.
        """
        own = [order for order in self._of.get(question.seat, ()) if question.point in order.points]
        usual = (_default(state, question, options), 0) if self._ordering.quiet(question.point) else None
        if not own:
            return usual
        facts = self._ordering.facts(state, question.seat, question)
        for order in own:
            if not self.holds(order, state):
                continue
            if order.kind == "written":
                if self._used.get(order.id) and question.by_hand:
                    continue                # its author has taken over
                given = self._written(order, state, question, options, facts)
                if given is not None or self.left(order):
                    return given            # a written turn of which no line fits stops, and its author is asked
                continue
            for line in self._unused(order, state, question):
                if all(test.holds(facts) for test in line.when):
                    if line.then is None:
                        return None
                    if (action := self._legal(line, state, question, options)) is not None:
                        return action, order.id
        return usual

    @property
    def _ordering(self) -> Ordering:
        return self.spec.ordering or Ordering(points=())

    def _unused(self, order: Order, state: Any, question: Ask[Any]) -> Iterator[Line]:
        """The lines of an order; of a list, without one line for each answer that the order has given already."""
        point = self._ordering.point(question.point)
        given = list(point.given(state, question.seat)) if point and point.given else []
        times = self._used.get(order.id, 0)
        for line in order.lines:
            done = line.then.among(given) if times and line.then is not None else None
            if done is None:
                yield line
            else:
                given.remove(done)
                times -= 1

    def _written(self, order: Order, state: Any, question: Ask[Any], options: tuple[Action, ...],
                 facts: Mapping[str, Value]) -> tuple[Action, int] | None:
        """The next step of a written turn. What it does not speak of, between two of its steps, gets its default."""
        place, all_steps = self._used.get(order.id, 0), steps(order)
        step = all_steps[place] if place < len(all_steps) else ()
        for line in step:
            if all(test.holds(facts) for test in line.when):
                if line.then is None:
                    return None
                if (action := self._legal(line, state, question, options)) is not None:
                    return action, order.id
        accepted = {kind.verb for kind in question.accepts}
        meant = any(line.then is not None and line.then.verb in accepted for line in step)
        if place and not meant and question.point in self._ordering.between and question.default is not None:
            return _default(state, question, options), 0
        return None

    def _legal(self, line: Line, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> Action | None:
        """The answer that a line means, if it is legal and the line allows what it costs [SOE-22.1.8, 22.1.9]."""
        assert line.then is not None, "a line without an answer asks"
        point, seat = self._ordering.point(question.point), question.seat
        if line.then.offer and point and not point.offer(line.then.offer):
            return None                     # it answers another question of a packet
        grows = point.grows if point else ""

        def allowed(option: Action) -> bool:
            if line.most is not None and getattr(option, grows, 0) > line.most:
                return False
            if line.costly or option.consequence(state, seat) is None:
                return True
            return line.toll is not None and self._ordering.toll(state, seat, option) <= line.toll

        if line.then.verb == DEFAULT:
            usual = _default(state, question, options)
            return usual if allowed(usual) else None
        chosen = line.then.among(options, allowed)
        if chosen is not None and chosen.open_ended and chosen not in options:
            try:
                chosen.check(state, seat)
            except Illegal:
                return None
        return chosen


def _default(state: Any, question: Ask[Any], options: tuple[Action, ...]) -> Action:
    """What would be answered on silence."""
    return question.default(state, question.seat) if callable(question.default) else question.default or options[0]


def steps(order: Order) -> list[tuple[Line, ...]]:
    """The steps of a written turn: a line with its ways out."""
    found: list[list[Line]] = []
    for line in order.lines:
        if line.instead and found:
            found[-1].append(line)
        else:
            found.append([line])
    return [tuple(step) for step in found]


def _settled(wish: Wish) -> bool:
    """Whether a wish names one value, so that nothing is left to choose."""
    return not isinstance(wish, tuple) and wish not in (MOST, LEAST) and _limit(wish) is None


def _limit(wish: Wish) -> int | None:
    """The number behind "at most so many"; None: the wish is another one."""
    digits = wish.removeprefix(UP_TO) if isinstance(wish, str) and wish.startswith(UP_TO) else ""
    return int(digits) if digits.isdecimal() else None


def _wished(options: list[Action], name: str, wish: Wish) -> list[Action]:
    """The options whose field is as wished."""
    having = [option for option in options if name in type(option).model_fields]
    values = [getattr(option, name) for option in having]
    numbers = [value for value in values if isinstance(value, int)]
    lists = [value for value in values if isinstance(value, tuple)]
    wanted: object = wish
    if lists:
        meant = set(wish) if isinstance(wish, tuple) else set()
        wanted = max((value for value in lists if wish == MOST or set(value) <= meant), key=len, default=None)
    elif isinstance(wish, tuple):
        wanted = next((value for value in wish if value in values), None)
    elif wish in (MOST, LEAST):
        wanted = max(numbers, default=None) if wish == MOST else min(numbers, default=None)
    elif (limit := _limit(wish)) is not None:
        wanted = max((number for number in numbers if number <= limit), default=None)
    elif isinstance(wish, int) and numbers and wish not in numbers and having[0].open_ended:
        return list(dict.fromkeys(option.model_copy(update={name: wish}) for option in having))
    return [option for option in having if getattr(option, name) == wanted]


# --- checking and reading out ----------------------------------------------------------------------------

def checked(spec: GameSpec, order: Order, state: Any) -> Order:
    """The order as it can be stored: it speaks of points, conditions and answers that there are, and comes to an end.

    What it lasts is filled in from the present position. Raises Faulty with a sentence for its author.
    """
    ordering = spec.ordering
    if ordering is None:
        raise Faulty("{game} takes no standing orders.", game=verbatim(spec.name))
    if not 0 < len(order.lines) <= LINES or not order.points:
        raise Faulty("An order has one to {most} lines, and says which question they answer.", most=LINES)
    points = [ordering.point(no) for no in order.points]
    for no, point in zip(order.points, points):
        if point is None:
            raise Faulty("There is no question {no} that can be answered in advance.", no=verbatim(no))
        usual = ordering.occasions.get(order.kind)
        if (order.lasts != usual) if usual else (order.lasts not in point.lasts):
            raise Faulty("An order for this question cannot last so long.", rule="SOE-22.1.4")
    if order.times is not None and order.times < 1:
        raise Faulty("An order answers at least once.")
    for line in order.lines:
        _check_line(spec, ordering, line, {point.grows for point in points if point and point.grows})
    if order.lasts == ALWAYS:
        return order.model_copy(update={"span": ""})
    span = order.span or ordering.spans(state, order.seat).get(order.lasts)
    if not span:
        raise Faulty("There is nothing now to which this order could be limited.")
    return order.model_copy(update={"span": span})


def _check_line(spec: GameSpec, ordering: Ordering, line: Line, grows: set[str]) -> None:
    if len(line.when) > TESTS:
        raise Faulty("A line has at most {most} conditions.", most=TESTS)
    for test in line.when:
        condition = ordering.condition(test.fact)
        if condition is None:
            raise Faulty("There is no condition {fact}.", fact=verbatim(test.fact))
        kind = {"flag": bool, "number": int, "choice": str}[condition.kind]
        if type(test.value) is not kind or (condition.kind != "number" and test.op not in ("is", "is_not")):
            raise Faulty("A line cannot compare {fact} like that.", fact=condition.said)
    if line.then is None or line.then.verb == DEFAULT:
        return
    action = next((action for action in spec.actions if action.verb == line.then.verb), None)
    if action is None or set(line.then.fields) - set(action.model_fields):
        raise Faulty("There is no answer {verb} like that.", verb=verbatim(line.then.verb))
    numbers = [wish for wish in (*line.then.fields.values(), line.most, line.toll) if isinstance(wish, int)]
    numbers += [limit for wish in line.then.fields.values() if (limit := _limit(wish)) is not None]
    if any(not 0 <= number <= NUMBERS for number in numbers):
        raise Faulty("A number in an order is from 0 to {most}.", most=NUMBERS)
    named = any(isinstance(line.then.fields.get(name), int) for name in grows)
    if action.open_ended and grows and line.most is None and not named:
        raise Faulty("A line that raises must name a highest amount.", rule="SOE-22.1.9")


def line_text(spec: GameSpec, line: Line, kind: Kind = "standing") -> Text:
    """A line as a sentence."""
    conditions, answer = tuple(_test_text(spec, test) for test in line.when), answer_text(spec, line)
    if kind == "written":
        if line.instead and conditions:
            return text("If that is not possible, and {conditions}: {answer}.", conditions=conditions, answer=answer)
        if line.instead:
            return text("If that is not possible: {answer}.", answer=answer)
        if not conditions:
            return text("Then: {answer}.", answer=answer)
    if conditions:
        return text("If {conditions}: {answer}.", conditions=conditions, answer=answer)
    return text("In any case: {answer}.", answer=answer)


def answer_text(spec: GameSpec, line: Line) -> Text:
    """What a line answers, as a part of a sentence."""
    reply, ordering = line.then, spec.ordering
    if reply is None or ordering is None:
        return text("ask me")
    if reply.verb == DEFAULT:
        return text("the usual answer")
    found = [(point, offer) for point in ordering.points for offer in point.offers
             if offer.key == reply.offer and offer.verb == reply.verb]
    point, offer = found[0] if found else (None, None)
    action = spec.verb(reply.verb)
    several = {name for name, part in (action.model_fields if action else {}).items() if get_origin(part.annotation) is tuple}
    nouns: Mapping[str, Noun] = offer.nouns if offer else {}
    fields = {name: _wish_text(wish, nouns.get(name), several=name in several) for name, wish in reply.fields.items()}
    plain = text("{verb} {fields}", verb=reply.verb, fields=tuple(fields.values())) if fields else text("{verb}", verb=reply.verb)
    words = Text(offer.words, {**offer.about, **fields}) if offer else plain
    if line.most is not None:
        noun = nouns.get(point.grows) if point else None
        words = text("{answer}, up to {most}", answer=words, most=count(line.most, noun.one, noun.many) if noun else line.most)
    if line.costly:
        return Text(ordering.toll_words[0], {"answer": words})
    return Text(ordering.toll_words[1], {"answer": words, "n": line.toll}) if line.toll is not None else words


def offer_text(spec: GameSpec, offer: Offer, filled: Mapping[str, Wish] = {}) -> Text:
    """An offered answer in words, with dots for the blanks that are not filled yet."""
    action = spec.verb(offer.verb)
    several = {name for name, part in (action.model_fields if action else {}).items() if get_origin(part.annotation) is tuple}
    limits = {slot.field: f"{UP_TO}{filled[slot.field]}" for slot in offer.slots
              if slot.kind == "number" and slot.field in filled}
    facts = {name: _wish_text(wish, offer.nouns.get(name), several=name in several)
             for name, wish in {**offer.fields, **filled, **limits}.items()}
    return Text(offer.words, {**offer.about, **{slot.field: text("…") for slot in offer.slots}, **facts})


def _wish_text(wish: Wish, noun: Noun | None, *, several: bool) -> Fact:
    if isinstance(wish, bool):
        return text("yes") if wish else text("no")
    if isinstance(wish, tuple):
        if not wish:
            return text("nobody")
        return wish if several or len(wish) == 1 else text("the first possible of {list}", list=wish)
    if wish == MOST:
        return text(noun.all) if noun else text("as many as possible")
    if wish == LEAST:
        return text("as few as possible")
    number = wish if isinstance(wish, int) else _limit(wish)
    if number is None:
        return wish
    if number == 0:
        return text(noun.none) if noun else text("none")
    counted: Fact = count(number, noun.one, noun.many) if noun else number
    return counted if number is wish else text("up to {n}", n=counted)


def _test_text(spec: GameSpec, test: Test) -> Text:
    condition = spec.ordering.condition(test.fact) if spec.ordering else None
    op = test.op if not isinstance(test.value, bool) else "is" if test.value == (test.op == "is") else "is_not"
    value: Fact = "" if isinstance(test.value, bool) else test.value
    words = condition.said if condition else text("{fact}", fact=test.fact)
    if condition and op in condition.says:
        return Text(condition.says[op], {**condition.about, "value": value})
    if isinstance(test.value, bool):
        return words if op == "is" else text("not: {fact}", fact=words)
    if condition and condition.counts and isinstance(test.value, int):
        clause, one, many = condition.counts
        return Text(clause, {"value": _amount(op, count(test.value, one, many))})
    match op:
        case "is":
            return text("{fact} is {value}", fact=words, value=value)
        case "is_not":
            return text("{fact} is not {value}", fact=words, value=value)
        case "at_least":
            return text("{fact} is at least {value}", fact=words, value=value)
        case "at_most":
            return text("{fact} is at most {value}", fact=words, value=value)


def _amount(op: Op, counted: Text) -> Text:
    match op:
        case "is":
            return counted
        case "is_not":
            return text("more or less than {counted}", counted=counted)
        case "at_least":
            return text("at least {counted}", counted=counted)
        case "at_most":
            return text("at most {counted}", counted=counted)


def order_text(spec: GameSpec, order: Order, left: int | None = None) -> tuple[Text, ...]:
    """An order as sentences, one for each line; the last says how often it can still answer, if there is an end to it."""
    lines = [line_text(spec, line, order.kind) for line in order.lines]
    if left is not None and order.kind != "written":
        lines.append(count(left, "It can still answer {n} time.", "It can still answer {n} times."))
    return tuple(lines)


def parsed(body: str) -> Order:
    """An order as it is stored, or as it comes from outside. Raises Faulty."""
    try:
        return Order.model_validate_json(body)
    except (ValidationError, Refusal):
        raise Faulty("This is no standing order.") from None
