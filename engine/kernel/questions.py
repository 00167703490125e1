"""Questions: to one seat, to several at once, to chance; and the scripts that ask them."""
from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar, overload

from engine.kernel.actions import Action, Rolled, Stirred
from engine.kernel.presentation import Menus
from engine.kernel.seats import CHANCE, Seat
from engine.refusals import Illegal
from engine.text import Fact, Text

A = TypeVar("A", bound=Action)
B = TypeVar("B", bound=Action)
C = TypeVar("C", bound=Action)
T = TypeVar("T")
Default: TypeAlias = Action | Callable[[Any, Seat], Action] | None
Aim: TypeAlias = str | int | Iterable[str] | Mapping[str, int]
"""A fact of what is rolled for: an id, a number, several ids, numbers of kinds."""


@dataclass(slots=True)
class Ask(Generic[A]):
    """A question put to one seat, and the kinds of action that answer it."""

    seat: Seat
    accepts: tuple[type[A], ...]
    prompt: str
    point: str = ""                         # its number among the decision points
    default: Default = None                 # given on silence; none: the first option
    about: Mapping[str, Fact] = field(default_factory=dict)         # facts for the prompt and for standing orders
    sides: tuple[int, ...] = ()             # for CHANCE: the sides of each die; its prompt says what is rolled for
    by_hand: bool = False                   # the seat gave its last answer within its turn itself, not by order
    in_absence: Action | None = None        # of a seat that is away, given once all who are there have answered
    openly: Text | None = None              # what all others may read of it, if the question itself is for the seat alone
    continues: bool = False                 # the rest of the question before, within its time and with its buttons
    meanwhile: Ask[Any] | None = None       # what another seat may do instead, for which nobody waits

    def text(self) -> Text:
        return Text(self.prompt, self.about, only="" if self.openly is None else self.seat)

    def told(self) -> Text:
        return self.text() if self.openly is None else self.openly

    @property
    def never_alone(self) -> bool:
        """True if it is asked even if one answer alone is listed: there are others, or that there is one is a secret."""
        return any((kind.open_ended and not kind.bounded) or kind.secret for kind in self.accepts)

    def something_else(self, rule: str, menus: Menus) -> Illegal:
        """The refusal of a move that is not asked for: it lists those that are, unless the question says them itself."""
        asked, verbs = self.text(), [kind.verb for kind in self.accepts]
        if len(verbs) == 1 or any(verb in asked.template.casefold() for verb in verbs):
            return Illegal("First decide this: {question}", rule=rule, question=asked)
        return Illegal("First decide this: {question} You can: {verbs}.", rule=rule, question=asked,
                       verbs=tuple([menus[verb].called(verb) for verb in verbs]))


Script: TypeAlias = Generator[tuple[Ask[Any], ...], tuple[Any, ...], T]


@overload
def ask(seat: Seat, a: type[A], /, *, prompt: str, point: str = ..., default: Default = ..., continues: bool = ...,
        **about: Fact) -> Script[A]: ...
@overload
def ask(seat: Seat, a: type[A], b: type[B], /, *, prompt: str, point: str = ..., default: Default = ...,
        continues: bool = ..., **about: Fact) -> Script[A | B]: ...
@overload
def ask(seat: Seat, a: type[A], b: type[B], c: type[C], /, *, prompt: str, point: str = ..., default: Default = ...,
        continues: bool = ..., **about: Fact) -> Script[A | B | C]: ...
@overload
def ask(seat: Seat, /, *kinds: type[Action], prompt: str, point: str = ..., default: Default = ...,
        continues: bool = ..., **about: Fact) -> Script[Action]: ...
def ask(seat: Seat, /, *kinds: type[Any], prompt: str, point: str = "", default: Default = None, continues: bool = False,
        **about: Fact) -> Script[Any]:
    """Ask one seat; the answer has one of the given kinds.

    `continues`: the question before is answered in part, and this is the rest of it.
    """
    (answer,) = yield (Ask(seat, kinds, prompt, point, default, about, continues=continues),)
    return answer


def put(question: Ask[Any], /) -> Script[Action]:
    """Put one question that is made already; what another seat does meanwhile is an answer, too."""
    answers: tuple[Action] = yield (question,)
    return answers[0]


def ask_each(seats: Iterable[Seat], kind: type[A], /, *, prompt: str, point: str = "", default: Default = None,
             in_absence: A | None = None, **about: Fact) -> Script[dict[Seat, A]]:
    """Ask several seats at once; they answer in any order, and nobody sees an answer before the last one is in."""
    seats = tuple(seats)
    if not seats:
        return {}
    answers = yield tuple(Ask(seat, (kind,), prompt, point, default, about, in_absence=in_absence) for seat in seats)
    return dict(zip(seats, answers, strict=True))


def roll(*sides: int, why: str, **about: Aim) -> Script[tuple[int, ...]]:
    """Roll dice with these sides; each shows 1 to its sides.

    `why` and `about` are what is rolled for: what the decisions before it have put at stake, and nothing else. Where dice go by
    decision they depend on it, and the record of a finished game states it. So these words stay as they are in every later
    version, and they tell nothing that is secret then.
    """
    (rolled,) = yield (Ask(CHANCE, (Rolled,), purpose(why, about), sides=sides),)
    values: tuple[int, ...] = rolled.values
    return values


def stir(*sides: int, why: str) -> Script[tuple[int, ...]]:
    """Roll such dice for something that stays hidden; nobody sees what they show."""
    (stirred,) = yield (Ask(CHANCE, (Stirred,), why, sides=sides),)
    values: tuple[int, ...] = stirred.values
    return values


def purpose(why: str, about: Mapping[str, Aim]) -> str:
    """Return what is rolled for, as one line: "fight area=india attacker=france units=army:2,fort:1"."""
    return " ".join([why, *[f"{key}={_written(fact)}" for key, fact in about.items()]])


def _written(fact: Aim) -> str:
    if isinstance(fact, (str, int)):
        return str(fact)
    if isinstance(fact, Mapping):
        return ",".join([f"{kind}:{number}" for kind, number in sorted(fact.items()) if number])
    return ",".join(fact)


def choices(options: Iterable[Action], field: str, so_far: Mapping[str, object]) -> list[Any]:
    """The values that `field` can still take, given the fields filled in so far; in the order of the options, each once."""
    listed = list(options)
    kinds = {kind for kind in {type(option) for option in listed} if field in kind.model_fields}
    fits = [option for option in listed if type(option) in kinds]
    for key, value in so_far.items():
        said = str(value)
        fits = [option for option in fits if str(getattr(option, key, None)) == said]
    return list(dict.fromkeys([getattr(option, field) for option in fits]))


def leaves_out(options: Iterable[Action]) -> bool:
    """True if answers of these kinds may be legal that are not among these, all that are listed."""
    numbers: dict[tuple[object, ...], set[int]] = {}            # of one field, with all others alike
    for option in options:
        kind, values = type(option), option.__dict__
        if not kind.open_ended:
            continue
        if not kind.bounded:
            return True
        for name, part in kind.model_fields.items():
            if part.annotation is int:
                alike = (kind, name, *[value for other, value in values.items() if other != name])
                numbers.setdefault(alike, set()).add(values[name])
    return any(map(gaps, numbers.values()))


def gaps(values: Collection[Any]) -> bool:
    return all(type(value) is int for value in values) and len(values) > 1 and max(values) - min(values) >= len(values)
