"""A game as the catalogue knows it, and what can be read from outside with it."""
from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from pydantic import ValidationError

from engine.kernel.actions import Action, Aside, Decree
from engine.kernel.asking import Ask, Script
from engine.kernel.events import Event
from engine.kernel.rows import Checkpoint
from engine.kernel.seats import Seat
from engine.refusals import Illegal
from engine.text import Text, text, verbatim

if TYPE_CHECKING:
    from engine.lessons import Lesson
    from engine.orders import Ordering
    from engine.presets import Subject
    from engine.provenance import Origin
    from engine.story import Picture


Caretaker: TypeAlias = Callable[[Any, Seat, tuple[Action, ...]], Action | None]
"""From the state, the seat that is asked and its legal answers to the one to give; None: the question's default."""

USUAL_CARE = text("it answers in place of the defaults")


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


@dataclass(frozen=True, kw_only=True)
class Alarm:
    """A moment at which a game wants to be told something. The engine has no clock: whoever runs the table has one."""

    at: str                 # ISO 8601, in UTC: "2027-01-31T18:00Z"
    decree: Decree          # what it is told then
    name: Text              # what the moment is, for people: "Agreed end"
    minutes_before: int = 0             # it is told so long before that moment


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
    decrees: tuple[type[Decree], ...] = ()              # what the world outside tells the table
    alarms: Callable[[Any], Sequence[Alarm]] = lambda state: ()
    # the moments at which it wants to be told something, the first before the others; of those that have come, the last counts
    left_alone: Callable[[Any, Collection[Seat]], tuple[Seat, Decree] | None] = lambda state, held: None
    # the one whose seat alone of those still in the game is held by somebody, and what ends the game for it
    board: Callable[[Any], str] = str                   # a view as text, for the command line and screen readers
    describe: Callable[[Any, int], str] = lambda view, most: str(view)[:most]       # the same in so many characters, at most
    choices: Mapping[str, tuple[object, ...]] = field(default_factory=dict)       # option -> its values, the default first
    pictures: tuple[Picture, ...] = ()                  # the board first; without any, the board alone
    caretaker: Caretaker | None = None                  # a neutral hand for a seat that nobody holds; None: the defaults
    care: Text = USUAL_CARE                             # what the neutral hand does, for who calls it
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
        return next((kind for kind in (*self.actions, *self.asides, *self.decrees) if kind.verb == verb), None)


OVER = "over"


def parse_events(spec: GameSpec, events: str) -> list[Event]:
    """The events of a stored row."""
    kinds = {kind.__name__: kind for kind in spec.events}
    return [kinds[body.pop("is")].model_validate(body) for body in json.loads(events)]


def parse_action(spec: GameSpec, verb: str, fields: Mapping[str, object]) -> Action:
    """An action from outside: a command, a button, a file. Raises Illegal with a sentence for a person."""
    kind = spec.verb(verb)
    if kind is None or issubclass(kind, Decree):
        raise Illegal("There is no command {verb} in this game.", verb=verbatim(verb))
    try:
        return kind.model_validate(dict(fields))
    except ValidationError as why:
        fault = why.errors()[0]
        raise Illegal("The value of {field} cannot be used: {reason}.", field=str(fault["loc"][0] if fault["loc"] else verb),
                      reason=verbatim(fault["msg"])) from None


def fold(spec: GameSpec, parts: Any, start: Checkpoint, events: Iterable[Sequence[Event]]) -> Any:
    """The state that the events alone lead to."""
    state = spec.state.model_validate_json(start.state)
    spec.bind(state, parts)
    for row in events:
        for event in row:
            event.apply(state)
    return state
