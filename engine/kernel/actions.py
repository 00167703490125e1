"""Answers: what a seat can give, and what chance shows."""
from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, ClassVar, Self

from pydantic import ConfigDict

from engine.kernel.events import Event
from engine.kernel.model import Model
from engine.kernel.seats import Seat
from engine.refusals import Illegal
from engine.text import Text, text

MADE = 4_000            # actions of a kind that are kept, of half a kilobyte each; the longest lists have fewer
_set = object.__setattr__       # of what never changes, while it is made


class Action(Model):
    """One answer a seat can give; fields are flat: ids and whole numbers. The docstring of each kind is its help text."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    verb: ClassVar[str]
    open_ended: ClassVar[bool] = False      # True: `options` is a sample, `check` alone decides (a bid has no upper limit)
    bounded: ClassVar[bool] = False         # True: open-ended, but what is not listed lies between listed numbers
    secret: ClassVar[bool] = False          # True: the options themselves tell what only the seat may know (a hand of cards)
    forced: ClassVar[bool] = False          # True: as the only answer it is given at once, in whatever question
    at_once: ClassVar[bool] = False         # True: wherever it is legal it is given at once, whatever else is
    unasked: ClassVar[bool] = False         # True: it answers no question, as asides and decrees
    rolled: ClassVar[bool] = False          # True: chance shows it
    _made: ClassVar[dict[tuple[object, ...], Any]]
    _names: ClassVar[tuple[str, ...]]       # of the fields, in their order

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._made, cls._names = {}, tuple(cls.model_fields)

    @classmethod
    def of(cls, *values: object) -> Self:
        """The action with these values in the order of its fields, validated; what was made lately is given again."""
        made = cls._made.get(values)
        if made is None:
            if len(cls._made) >= MADE:
                cls._made.clear()
            made = cls._made[values] = cls(**dict(zip(cls._names, values)))
        return made

    @classmethod
    def listed(cls, *values: object) -> Self:
        """The action with these values in the order of its fields, unchecked and not kept: for long lists of legal answers."""
        made = cls.__new__(cls)
        for name, value in zip(cls._names, values):
            _set(made, name, value)             # no dictionary of its own is made, for which Python would look for garbage sooner
        return made

    @classmethod
    def options(cls, state: Any, seat: Seat) -> Iterable[Self]:
        """The legal answers of this kind, stated constructively: only what passes `check`."""
        yield cls.of()

    def check(self, state: Any, seat: Seat) -> None:
        """Raise Illegal, with the reason and the rule, unless the rules allow this answer."""

    def was_legal(self, state: Any, seat: Seat) -> bool:
        """True if an earlier version took this answer here, though this one does not offer it: such rows replay."""
        return False

    def label(self) -> Text:
        values = tuple(text("{value:the}", value=value) for value in self.model_dump().values() if value not in ("", ()))
        return text("{verb}: {values}", verb=self.verb, values=values) if values else text("{verb}", verb=self.verb)

    def consequence(self, state: Any, seat: Seat) -> Text | None:
        """Return what the seat, and only the seat, should know and confirm before this answer counts; None if there is
        nothing."""
        return None

    def cost(self, state: Any, seat: Seat) -> Text | None:
        """Return what this answer costs, in a few words for the seat alone: "3 gold and +1 unrest by taxation"; None if
        nothing."""
        return None

    def outlook(self, state: Any, seat: Seat) -> Text | None:
        """How this answer may turn out, for the seat alone to weigh before it counts: the odds of an attack; None if it is sure.

        It tells only what the seat may see, and says what it leaves out.
        """
        return None

    def hazard(self, state: Any, seat: Seat) -> Text | None:
        """Return what chance may do to this answer, in a few words beside its cost: "sinks 6%"; None if nothing."""
        return None

    def meets(self, state: Any, seat: Seat) -> Text | None:
        """Whom and what this answer meets where it leads, beside that place: "attacks Red: 1 tank"; None if nothing is to be
        said."""
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
        return Illegal("It isn't possible now.")

    @classmethod
    def concerns(cls, state: Any, seat: Seat) -> bool:
        """False if the seat could do no such thing in all of this turn or round, so that nobody tells it why not."""
        return True

    @classmethod
    def misplaced(cls, state: Any, seat: Seat) -> Illegal | None:
        """Why this kind does not answer what the seat is asked, if a rule says just that; None: it is asked something else."""
        return None

    @classmethod
    def require_any(cls, state: Any, seat: Seat) -> None:
        """Raise Illegal, with the reason and the rule, for `options` that are empty; asked only when they are."""
        if not cls._names:
            cls.of().check(state, seat)


class Aside(Action):
    """An act allowed at any time, whoever is being asked what: a gift, a note."""

    unasked: ClassVar[bool] = True

    def events(self, state: Any, seat: Seat) -> Iterable[Event]:
        raise NotImplementedError


class Decree(Action):
    """What the world outside tells the table: that the agreed moment has come, that all others have resigned.

    No seat gives it, and none is offered it; whoever runs the table tells it (`Table.decree`) when it is so. Whether it is legal
    depends on the state alone. Nobody decides anything by it, so a return looks through it: where it still holds, it is told
    again.
    """

    unasked: ClassVar[bool] = True
    once_by_seats: ClassVar[bool] = False   # True: in an earlier version a seat said it, and such rows replay

    @classmethod
    def options(cls, state: Any, seat: Seat) -> Iterable[Self]:
        return ()

    def events(self, state: Any, seat: Seat) -> Iterable[Event]:
        """Yield what follows from it; `seat` is the world, or who said it in an earlier version."""
        raise NotImplementedError


class Rolled(Action):
    """What chance showed; values from 1 to the sides asked for."""

    verb: ClassVar[str] = "roll"
    rolled: ClassVar[bool] = True
    values: tuple[int, ...]
    epoch: int
    throw: int


class Stirred(Rolled):
    """What chance laid where nobody sees it: how a bag is shaken, how a deck is shuffled.

    Nobody learns anything by it, so it hinders nobody from taking an answer back. It may also come unasked: where a game goes
    on with other dice, it decides anew what lies hidden.
    """

    verb: ClassVar[str] = "stir"


@lru_cache(maxsize=256)
def given_at_once(kinds: tuple[type[Action], ...]) -> tuple[type[Action], ...]:
    return tuple([kind for kind in kinds if kind.at_once])


def among(action: Action, listed: tuple[Action, ...]) -> bool:
    """True if an answer is one of these; an answer that was taken from the list is found without comparing fields."""
    for option in listed:
        if option is action:
            return True
    return action in listed
