"""Orders as they are stored: lines of tests and a reply."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.kernel.actions import Action
from engine.kernel.seats import Seat
from engine.refusals import Faulty, Refusal

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
        """True if it is so; of what is not known now, nothing holds."""
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


    def widened(self, alike: Mapping[str, tuple[str, ...]]) -> Reply:
        """Return this reply, in which a value also means those that count as the same, after itself."""
        def meant(wish: Wish) -> Wish:
            named = wish if isinstance(wish, tuple) else (wish,)
            found = dict.fromkeys(id for name in named for id in (name, *alike.get(str(name), ())))
            return tuple(map(str, found)) if len(found) > len(named) else wish
        return self.model_copy(update={"fields": {name: meant(wish) for name, wish in self.fields.items()}}) if alike else self


class OrderLine(BaseModel):
    """If all conditions hold, answer so; without an answer: ask me."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    when: tuple[Test, ...] = ()
    then: Reply | None = None
    costly: bool = False                # also when it has a consequence that would have to be confirmed [P-25]
    toll: int | None = None             # also then, if the consequence costs so much at most, as the game counts it
    most: int | None = None             # the highest amount of an answer that could grow without end [P-26]
    instead: bool = False               # in a written turn: used when the line before it does not fit


Kind: TypeAlias = Literal["standing", "packet", "written"]
RANK: Mapping[Kind, int] = {"packet": 0, "written": 1, "standing": 2}
ALWAYS = "always"
TURN = "turn"                           # the span of a written turn


class Order(BaseModel):
    """The lines of a seat for some decision points.

    A standing order uses the first line that fits. A packet does so too, before all others, for the occasion for which it was
    filled in. A written turn uses its lines one after the other, each once; lines with `instead` are a way out for the line
    before them. As soon as none of these fits it asks, and is over once its author has acted without it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: int = 0                         # its number in the store; 0 before it is stored
    seat: Seat
    kind: Kind = "standing"
    points: tuple[str, ...]
    lines: tuple[OrderLine, ...]
    lasts: str = ALWAYS                 # the key of a `Span` of the game: "turn"
    span: str = ""                      # which one it was when the order was given: "3.2"; "" for always
    times: int | None = None            # how often it answers, at most


def _settled(wish: Wish) -> bool:
    return not isinstance(wish, tuple) and wish not in (MOST, LEAST) and limit_of(wish) is None


def limit_of(wish: Wish) -> int | None:
    """The number behind "at most so many"; None: the wish is another one."""
    digits = wish.removeprefix(UP_TO) if isinstance(wish, str) and wish.startswith(UP_TO) else ""
    return int(digits) if digits.isdecimal() else None


def _wished(options: list[Action], name: str, wish: Wish) -> list[Action]:
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
    elif (limit := limit_of(wish)) is not None:
        between = having[0].open_ended and having[0].bounded and min(numbers) < limit < max(numbers) if numbers else False
        if between and limit not in numbers:
            return _with_number(having, name, limit)
        wanted = max((number for number in numbers if number <= limit), default=None)
    elif isinstance(wish, int) and numbers and wish not in numbers and having[0].open_ended:
        return _with_number(having, name, wish)
    return [option for option in having if getattr(option, name) == wanted]


def _with_number(options: list[Action], name: str, number: int) -> list[Action]:
    """These options of an open-ended kind with a number that they do not list; `check` decides on each."""
    return list(dict.fromkeys(option.model_copy(update={name: number}) for option in options))


def parsed(body: str) -> Order:
    """An order as it is stored, or as it comes from outside. Raises Faulty."""
    try:
        return Order.model_validate_json(body)
    except (ValidationError, Refusal):
        raise Faulty("This isn't a standing order.") from None
