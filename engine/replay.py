"""What pictures are made from: a stretch of a game's past, with the one who is shown it."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.dice import LoadedDice
from engine.kernel import Action, Checkpoint, Event, GameSpec, Row, Seat, Table, parse_events


@dataclass(frozen=True, kw_only=True)
class Step:
    """One row of a story. `state` is the story's one state, just after the row: take from it at once what is wanted."""

    no: int
    events: Sequence[Event]
    state: Any


@dataclass(frozen=True, kw_only=True)
class Story:
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
        """Every event with the number of its row and the story's one state just after it: a row can end a turn and a war."""
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
        state = self.spec.state.model_validate_json(self.start.state)
        self.spec.bind(state, self.parts)
        return state, Table(self.spec, self.parts, self.start, dice=LoadedDice(), checkpoints=False, run_on=False).opening


def view_at_the_end(story: Story) -> Any:
    """The last position of a story as its reader may see it."""
    return story.spec.view(story.end(), story.seat)


def no_subjects(parts: Any) -> Mapping[str, str]:
    """A picture of the whole game."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One kind of picture of a game; the renderer draws its scene, the game's words describe it."""

    key: str                                                # "board"
    title: str                                              # "Board": in menus and above the picture
    scene: Callable[[Story], Any] = view_at_the_end         # what is drawn; None: there is nothing to show. Raises Refusal
    subjects: Callable[[Any], Mapping[str, str]] = no_subjects      # components to what it can be about: id -> name
    whole: bool = False                                     # tells the whole game: its story begins with the first row
    posted: bool = False                                    # goes to the channel by itself after a break
    private: bool = False                                   # shows more to a seat than to the public


BOARD = Picture(key="board", title="Board", posted=True, private=True)


def pictures(spec: GameSpec) -> tuple[Picture, ...]:
    """The pictures of a game, the board first."""
    return spec.pictures or (BOARD,)
