"""A game as the catalogue knows it, and what can be read from outside with it."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields as dataclass_fields, replace
from functools import cached_property
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from pydantic import ValidationError

from engine.kernel.actions import Action, Aside, Decree
from engine.kernel.chronicle import Course
from engine.kernel.decision_points import Ordering
from engine.kernel.events import Event, Game
from engine.kernel.lesson import Lesson
from engine.kernel.log import Checkpoint, Row
from engine.kernel.model import Model
from engine.kernel.option_words import Subject
from engine.kernel.origins import Origin
from engine.kernel.players import Players
from engine.kernel.presentation import Menus, place_of, unfit
from engine.kernel.questions import Ask, Script
from engine.kernel.seats import Seat
from engine.refusals import Illegal
from engine.text import Fact, Text, confided, template, text, verbatim

S = TypeVar("S", bound=Model)
Caretaker: TypeAlias = Callable[[Any, Seat, tuple[Action, ...]], Action | None]
"""From the state, the seat that is asked and its legal answers to the one to give; None: the question's default."""

MANY = 4            # places of a map among which a number helps to find one
USUAL_CARE = text("it plays instead of the default moves")


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

    def __call__(self, parts: Any, state: Any = None, /) -> Mapping[str, str | Text]: ...


@dataclass(frozen=True, kw_only=True)
class Step:
    """One row of a story. `state` is the story's one state, just after the row: take from it at once what is wanted."""

    no: int
    events: Sequence[Event]
    state: Any


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Rows in force and the state before them, for one reader. A scene made from it holds what `seat` may see and no more."""

    spec: GameSpec
    parts: Any
    start: Checkpoint
    rows: Sequence[Row]                                     # in force after `start`, up to the position that is shown
    since: int = 0                                          # the row up to which the reader knows the game
    seat: Seat | None = None                                # who looks; None is the public
    options: tuple[Action, ...] = ()                        # what this seat may answer now; none for a position of the past
    people: Mapping[Seat, str] = field(default_factory=dict)        # seat -> what its player is called
    subject: str = ""                                       # one of the picture's subjects

    def steps(self) -> Iterator[Step]:
        """The rows one after the other; the first step is the start with what the game does there unasked. Raises KeyError or
        ValidationError: a row was written by another version of the rules."""
        state, opening = self._begin()
        for event in opening:
            event.apply(state)
        yield Step(no=self.start.no, events=opening, state=state)
        for row in self.rows:
            events = parse_events(self.spec, row.events)
            for event in events:
                event.apply(state)
            yield Step(no=row.no, events=events, state=state)

    def events(self) -> Iterator[tuple[int, Event, Any]]:
        """Every event with the number of its row and the story's one state just after it: a row can end a turn and more."""
        state, opening = self._begin()
        for event in opening:
            event.apply(state)
            yield self.start.no, event, state
        for row in self.rows:
            for event in parse_events(self.spec, row.events):
                event.apply(state)
                yield row.no, event, state

    def end(self) -> Any:
        """The state that the story leads to."""
        *_, last = self.steps()
        return last.state

    def known(self) -> Any | None:
        """The state as the reader knows it; None if nothing has happened since, or if the story begins later."""
        if not self.start.no <= self.since < max((row.no for row in self.rows), default=self.start.no):
            return None
        return replace(self, rows=[row for row in self.rows if row.no <= self.since]).end()

    def _begin(self) -> tuple[Any, tuple[Event, ...]]:
        """The state of the checkpoint, and what the phase that begins there does before its first question: these events are
        stored with the row before, which is not part of the story."""
        return loaded(self.spec, self.parts, self.start), opening(self.spec, self.parts, self.start)


def no_briefing(story: Replay) -> tuple[Text, ...]:
    """A game that says all that matters in its questions."""
    return ()


def view_at_the_end(story: Replay) -> Any:
    """The last position of a story as its reader may see it."""
    return story.spec.views.view(story.end(), story.seat)


def no_subjects(parts: Any) -> Mapping[str, Text]:
    return {}


def no_numbers(parts: Any) -> Mapping[str, int]:
    """A game whose places need no numbers."""
    return {}


def no_cards(parts: Any) -> Mapping[str, Sequence[Text]]:
    return {}


def no_signs(parts: Any) -> Mapping[str, Sequence[Fact]]:
    return {}


def no_areas(parts: Any) -> Mapping[str, str]:
    """A game whose places are few enough for one list."""
    return {}


def numbered(menus: Menus, numbers: Mapping[str, int], options: Iterable[Action]) -> Mapping[str, int]:
    """The places at which these answers act, each with its number on one's own board; none if they are few.

    A place has the same number all game long, so that it tells nothing.
    """
    places = {place for option in options if (place := place_of(menus, option)) in numbers}
    return {place: number for place, number in numbers.items() if place in places} if len(places) >= MANY else {}


def one_picture(story: Any) -> Sequence[str]:
    return ("",)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One kind of picture of a game; the renderer draws its scene, the game's words describe it."""

    key: str                                                # "board"
    title: str                                              # "Board": in menus and above the picture
    scene: Callable[[Replay], Any] = view_at_the_end         # what is drawn; None: there is nothing to show. Raises Refusal
    subjects: Callable[[Any], Mapping[str, Text]] = no_subjects     # components to what it can be about: id -> name
    whole: bool = False                                     # tells the whole game: its story begins with the first row
    posted: bool = False                                    # goes to the channel by itself after a break
    news: Callable[[Replay], Sequence[str]] = one_picture    # the subjects it is posted of then, oldest first
    private: bool = False                                   # shows more to a seat than to the public
    after: tuple[type[Event], ...] = ()                     # there is none before one of these has happened
    there: Callable[[Any], bool] = lambda state: True       # nor while this isn't so


CLOSEUP = "closeup"         # the key of a picture of a part of the board
BOARD = Picture(key="board", title="Board", posted=True, private=True)


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[S]):
    """What runs a game, and what can be asked of its state."""

    state: type[S]                                      # a pydantic model with a field `phase`
    actions: tuple[type[Action], ...]                   # one class for each verb
    events: tuple[type[Event], ...]
    phases: Mapping[str, Callable[[Game[S]], Script[None]]]
    parts: Callable[[Mapping[str, Any]], Any]           # component data, validated; raises Faulty
    options: Callable[[str, Mapping[str, Any]], Any]    # edition and changed options to a validated model; raises Faulty
    setup: Callable[[tuple[Seat, ...], Any, Any], S]    # seats, options, parts to the first state
    bind: Callable[[S, Any], None]                      # gives a loaded state its parts
    active: Callable[[S], Seat | None]                  # whose turn it is
    standings: Callable[[S], list[tuple[Seat, int, int]]]       # seat, place, points; only when the game is over
    version: int = 0            # counts the rulings that have changed; a state has the one it began with, as `rules_version`
    refusal_rule: str = ""                              # by which a command counts as a whole or not at all
    follows: Callable[[S], Seat | None] = lambda state: None    # whose turn comes next, if that is settled
    choices: Mapping[str, tuple[object, ...]] = field(default_factory=dict)       # option -> its values, the default first
    asides: tuple[type[Aside], ...] = ()
    decrees: tuple[type[Decree], ...] = ()              # what the world outside tells the table
    breaks: tuple[type[Event], ...] = ()                # after these events pictures are posted: a turn is over
    boards: Callable[[S, Sequence[Event]], bool] = lambda state, events: False
    # whether the board is posted, alone, once these events have led to a state
    round: Callable[[S], str] = lambda state: ""
    # an id of the round of turns under way, for tables that want pictures once a round; "": the game has no rounds
    stirring: Stirring | None = None                    # None: nothing that chance has decided lies hidden
    reveals: Callable[[S, Seat, Sequence[Event]], bool] = lambda state, seat, events: False
    # whether these events have shown, or may have shown, what chance had hidden; a seat asks, and must learn nothing by it
    afresh: Callable[[Any], bool] = lambda options: False               # whether dice are rolled anew after every undo
    caretaker: Caretaker | None = None                  # a neutral hand for a seat that nobody holds; None: the defaults
    agreement: Callable[[S, tuple[Ask[Any], ...]], tuple[Seat, Action] | None] = lambda state, waiting: None
    # what somebody does for an end by agreement, in a game whose rules set no bound to its length

    @cached_property
    def named_events(self) -> Mapping[str, type[Event]]:
        """The classes of events by the names under which they are stored."""
        return {kind.tag: kind for kind in self.events}


@dataclass(frozen=True, kw_only=True)
class Words(Generic[S]):
    """How a game speaks: names, where it stands, its options, and what helps whoever learns it."""

    names: Naming                                       # the names behind ids
    menus: Menus                                        # how the answers of each verb are offered
    seat_name: Callable[[S, Seat], str]                 # the id by which a seat is called now
    when: Callable[[S], Text]                           # "War 2, round 3 of 5"
    moment: Callable[[S], Text]                         # "War 2, round 3 of 5: France's turn"
    result: Callable[[S], Text]                         # the final sentence; only when the game is over
    recorded: Callable[[S], Text] | None = None         # the same as records have it, whose words never change; None: `result`
    going_on: Callable[[S], tuple[Text, str]] | None = None
    # what is going on, told to whoever cannot answer now, and the rule by which it takes its course; None: `moment`, without one
    summary: Callable[[S, Seat, str], Text | None] = lambda state, seat, id: None
    # what a tile, a card or a unit with this id does for this seat, whoever has it, in at most 100 characters beside a choice;
    # None: its name says it all
    subjects: tuple[Subject, ...] = ()                  # the options in plain words, grouped
    origins: tuple[Origin, ...] = ()                    # of component data: what hangs on values that no source gives
    care: Text = USUAL_CARE                             # what the neutral hand does, for who calls it
    tips: Mapping[str, Text] = field(default_factory=dict)              # decision point -> advice for a first game
    lessons: tuple[Lesson, ...] = ()                    # guided games for those who learn it
    signs: Callable[[Any], Mapping[str, Sequence[Fact]]] = no_signs
    # components to the nouns with a sign before them where the renderer has drawn one: sign -> ids, which are spoken by their
    # names, and templates of which each fact is a number ("{n} army")


@dataclass(frozen=True, kw_only=True)
class Views(Generic[S]):
    """What a seat, or the public, may see of a game: as data, in words, in pictures."""

    view: Callable[[S, Seat | None], Any]               # what a seat, or the public, may see
    private: Callable[[S, Seat], Text | None]           # the standing private message of a seat, such as its unrest
    purse: Callable[[S, Seat], Text | None] = lambda state, seat: None          # what a seat can spend, for that seat alone
    briefing: Callable[[Replay], Sequence[Text]] = no_briefing
    # what the reader's seat should know as its turn begins, with what is new since its last answer; nothing at other times
    cards: Callable[[S, Seat], Sequence[str]] = lambda state, seat: ()
    # the cards and tiles that matter to a seat now, about each of which it can read; never a secret of anybody else
    card: Callable[[S, Seat, str], Sequence[Text]] = lambda state, seat, id: ()
    # all about one of them, line by line: what it does, and what it would do now
    printed: Callable[[Any], Mapping[str, Sequence[Text]]] = no_cards
    # state to the cards, tiles, units and places about which anybody may read at any time, each with what is printed on it
    secrets: Callable[[S], Sequence[Text] | None] = lambda state: None          # for the game master; None: not for them
    disguise: Callable[[S, Seat], None] = lambda state, seat: None              # gives a seat other secrets, if it has any
    board: Callable[[Any], str] = str                   # a view as text, for the command line and screen readers
    describe: Callable[[Any, int], str] = lambda view, most: str(view)[:most]   # the same in so many characters, at most
    pictures: tuple[Picture, ...] = ()                  # the board first; without any, the board alone
    numbers: Callable[[Any], Mapping[str, int]] = no_numbers        # components to the places of the map with their numbers
    areas: Callable[[Any], Mapping[str, str]] = no_areas
    # components to the places of the map, each with the part of it in which a menu of many places looks for it first; its
    # CLOSEUP shows that part
    ordered: Callable[[S, Seat], Sequence[tuple[Text, Action]]] = lambda state, seat: ()
    # what a seat has put together so far for what it will confirm, piece by piece, each with the answer that drops it

    def __post_init__(self) -> None:
        """Mark what is for one seat alone, so that nobody else can be sent it by mistake."""
        private, purse, briefing = self.private, self.purse, self.briefing

        def brief(story: Replay) -> Sequence[Text]:
            return [told if story.seat is None else confided(told, story.seat) for told in briefing(story)]

        vars(self).update(private=_confiding(private), purse=_confiding(purse), briefing=brief)


def _confiding(tell: Callable[[S, Seat], Text | None]) -> Callable[[S, Seat], Text | None]:
    def told(state: S, seat: Seat) -> Text | None:
        words = tell(state, seat)
        return None if words is None else confided(words, seat)
    return told


@dataclass(frozen=True, kw_only=True)
class Outside(Generic[S]):
    """What the world outside tells a game, and when."""

    alarms: Callable[[S], Sequence[Alarm]] = lambda state: ()
    # the moments at which it wants to be told something, the first before the others; of those that have come, the last counts
    left_alone: Callable[[S, Collection[Seat]], tuple[Seat, Decree] | None] = lambda state, held: None
    # the one whose seat alone of those still in the game is held by somebody, and what ends the game for it


@dataclass(frozen=True, kw_only=True)
class Planning(Generic[S]):
    """Which decisions a seat plans in private, to tell them in one message."""

    round: Callable[[S, Seat], str]                     # an id of the round in which the seat decides now; "": it counts at once


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """All that kernel, bot and command line learn of a game."""

    key: str                                            # "struggle_of_empires": its folder and its key in the database
    command: str                                        # the group of slash commands: "struggle"
    name: str
    editions: tuple[Edition, ...]
    seats: range                                        # numbers of players
    rules: Rules[Any]
    words: Words[Any]
    views: Views[Any]
    orders: Ordering | None = None                      # what can be answered in advance; None: nothing
    outside: Outside[Any] = field(default_factory=Outside)
    planning: Planning[Any] | None = None               # which rounds are planned in private; None: none
    automatic: Players[Any] | None = None               # automatic players; None: every seat needs a person
    course: Course[Any] | None = None                   # what the chronicle of a finished game is made from; None: there is none

    def __post_init__(self) -> None:
        faults = unfit(self.words.menus, (*self.rules.actions, *self.rules.asides))
        assert not faults, f"{self.key}: {'; '.join(faults)}"

    @property
    def players(self) -> Text:
        """For how many it is: "2", "2 to 7"."""
        least, most = self.seats[0], self.seats[-1]
        return text("{n}", n=most) if least == most else text("{least} to {most}", least=least, most=most)

    def played_by(self, state: Any) -> int:
        """The version of the rulings by which a game is played: that of its beginning, so that earlier games replay."""
        return getattr(state, "rules_version", 0)

    def first_state(self, seats: tuple[Seat, ...], options: Any, parts: Any, *, version: int) -> Any:
        """The state before the first row of a game that is played by this version of the rulings."""
        state = self.rules.setup(seats, options, parts)
        if version != self.rules.version:
            state.rules_version = version
        return state

    def verb(self, verb: str) -> type[Action] | None:
        kinds = (*self.rules.actions, *self.rules.asides, *self.rules.decrees)
        return next((kind for kind in kinds if kind.verb == verb), None)

    def changed(self, **fields: Any) -> GameSpec:
        own = {name: fields.pop(name) for name in list(fields) if name in {known.name for known in dataclass_fields(self)}}
        for facet in (self.rules, self.words, self.views, self.outside):
            inside = {name: fields.pop(name) for name in list(fields) if hasattr(facet, name)}
            if inside:
                own[type(facet).__name__.lower()] = replace(facet, **inside)
        assert not fields, f"a game has no {', '.join(fields)}"
        return replace(self, **own)


OVER = "over"
QUOTED = re.compile(r"'([^']*)'")
UNREADABLE = {                  # what is wrong with a field, by the validator's kind of error
    "missing": template("This move also needs {field}."),
    "unexpected_keyword_argument": template("This move has no {field}."),
    "literal_error": template("{field:Begin} must be one of these: {expected}."),
    "int_parsing": template("{field:Begin} must be a whole number."),
    "greater_than_equal": template("{field:Begin} must be at least {ge}."),
    "less_than_equal": template("{field:Begin} must be at most {le}."),
}


def parse_events(spec: GameSpec, events: str) -> list[Event]:
    kinds = spec.rules.named_events
    return [kinds[body.pop("is")].model_validate(body) for body in json.loads(events)]


def parse_action(spec: GameSpec, verb: str, fields: Mapping[str, object]) -> Action:
    """An action from outside: a command, a button, a file. Raises Illegal with a sentence for a person."""
    kind = spec.verb(verb)
    if kind is None or issubclass(kind, Decree):
        raise Illegal("This game has no move called {verb}.", rule=spec.rules.refusal_rule, verb=verbatim(verb))
    try:
        return kind.model_validate(dict(fields))
    except ValidationError as why:
        fault = why.errors()[0]
        rule, field = spec.rules.refusal_rule, verbatim(str(fault["loc"][0] if fault["loc"] else verb))
        if fault["type"] in UNREADABLE:
            bounds = {key: tuple(filter(None, QUOTED.findall(value))) if isinstance(value, str) else verbatim(str(value))
                      for key, value in fault.get("ctx", {}).items()}
            raise Illegal(UNREADABLE[fault["type"]], rule=rule, field=field, **bounds) from None
        raise Illegal("I can't use {field}: {reason}.", rule=rule, field=field, reason=verbatim(fault["msg"])) from None


def pictures(spec: GameSpec) -> tuple[Picture, ...]:
    return spec.views.pictures or (BOARD,)


def loaded(spec: GameSpec, parts: Any, start: Checkpoint) -> Any:
    state = spec.rules.state.model_validate_json(start.state)
    spec.rules.bind(state, parts)
    return state


def phases(spec: GameSpec, game: Game[Any]) -> Script[None]:
    while game.state.phase != OVER:
        yield from spec.rules.phases[game.state.phase](game)


def opening(spec: GameSpec, parts: Any, start: Checkpoint) -> tuple[Event, ...]:
    game = Game(loaded(spec, parts, start))
    next(phases(spec, game), None)
    return tuple(game.fresh)


def fold(spec: GameSpec, parts: Any, start: Checkpoint, events: Iterable[Sequence[Event]]) -> Any:
    state = loaded(spec, parts, start)
    for row in events:
        for event in row:
            event.apply(state)
    return state
