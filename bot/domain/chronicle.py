"""The chronicle of a finished game: points over time, turning points, who fought whom, luck with the dice; from its record alone.

Pure: a story in, the chronicle out, and its sentences. Rows that were taken back are no part of a story.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean
from typing import Any

from engine.kernel import Event, Seat
from engine.kernel.chronicle import Course, Fight, Luck, Period, Told
from engine.kernel.game_spec import Replay
from engine.text import Fact, Text, count, text

TURNING_POINTS = 3
CHANGES = 4             # that are told of one of them: all, or the largest and that there are others
PERIODS = 8             # that are told apart
PAIRS = 8               # who fought whom most often


@dataclass(frozen=True)
class Stop:
    """A moment at which the points were noted: what led to it, and the points of the seats in the chronicle's order."""

    moment: Text
    period: Period
    points: tuple[int, ...]


@dataclass(frozen=True)
class Pair:
    """How often one side has attacked another, and won."""

    attacker: str
    defender: str
    fights: int
    won: int


@dataclass(frozen=True)
class Dice:
    """What all rolls of a side have brought, and what such dice bring on average."""

    side: str
    rolls: int
    got: float
    expected: float


@dataclass(frozen=True, kw_only=True)
class Chronicle:
    """The whole course of a game."""

    course: Course[Any]
    result: Text
    seats: tuple[Seat, ...]             # the best first
    sides: tuple[str, ...]              # what they are called, as ids
    stops: tuple[Stop, ...]             # the start first
    turning: tuple[int, ...]            # the stops with the largest swings, in their order
    pairs: tuple[Pair, ...]             # those who fought most often first
    dice: tuple[Dice, ...]              # of the seats' sides, the luckiest first

    @property
    def leaders(self) -> list[str]:
        """Who alone had most points at each stop; "" where several had."""
        return [self.sides[stop.points.index(max(stop.points))] if stop.points.count(max(stop.points)) == 1 else ""
                for stop in self.stops]


def chronicle(story: Replay, course: Course[Any]) -> Chronicle:
    """The chronicle of a whole story that has come to its end. Raises KeyError or ValidationError: its rows were written by
    another version of the rules."""
    noted: list[tuple[Text, Period, Mapping[Seat, int]]] = []
    state: object = None

    def watched() -> Iterator[tuple[Event, object]]:
        """The events, and on the way the points at each stop, told by what was the case before it."""
        nonlocal state
        before: tuple[Text, Period] | None = None
        for _, event, state in story.events():
            if not noted and (points := course.score(state)):
                noted.append((text("the start"), course.period(state), points))
            elif noted and before is not None and isinstance(event, course.stops):
                noted.append((*before, course.score(state)))
            before = course.moment(state), course.period(state)
            yield event, state

    pairs, dice = _tallied(course, watched())
    ranked = story.spec.rules.standings(state)
    sides = {seat: story.spec.words.seat_name(state, seat) for seat, *_ in ranked}
    stops = tuple(Stop(moment, period, tuple(points.get(seat, 0) for seat in sides)) for moment, period, points in noted)
    return Chronicle(
        course=course, result=story.spec.words.result(state), seats=tuple(sides), sides=tuple(sides.values()),
        stops=stops, turning=_turning(stops),
        pairs=tuple(sorted(pairs, key=lambda pair: -pair.fights)),
        dice=tuple(sorted([one for one in dice if one.side in sides.values()], key=lambda one: one.expected - one.got)))


def _tallied(course: Course[Any], told: Told[object]) -> tuple[list[Pair], list[Dice]]:
    """All fights by who fought whom, and all rolls by side."""
    fights: dict[tuple[str, str], list[bool]] = {}
    rolls: dict[str, list[Luck]] = {}
    for deed in course.deeds(told):
        if isinstance(deed, Fight):
            fights.setdefault((deed.attacker, deed.defender), []).append(deed.won)
        else:
            rolls.setdefault(deed.side, []).append(deed)
    return ([Pair(attacker, defender, len(won), sum(won)) for (attacker, defender), won in fights.items()],
            [Dice(side, len(all_of), sum(luck.got for luck in all_of), sum(luck.expected for luck in all_of))
             for side, all_of in rolls.items()])


def _turning(stops: Sequence[Stop]) -> tuple[int, ...]:
    """The stops before which somebody gained or lost most, against what all of them gained."""
    swings = {number: max(abs(change - mean(changes)) for change in changes) for number in range(1, len(stops))
              if (changes := _changes(stops, number))}
    largest = sorted([number for number, swing in swings.items() if swing], key=lambda number: (-swings[number], number))
    return tuple(sorted(largest[:TURNING_POINTS]))


def _changes(stops: Sequence[Stop], number: int) -> list[int]:
    """By how much each seat's points have changed since the stop before."""
    return [now - before for before, now in zip(stops[number - 1].points, stops[number].points)]


# --- in words -------------------------------------------------------------------------------------------

def sentences_of(of: Chronicle) -> list[Text]:
    """The whole chronicle, line by line."""
    lines = [of.result]
    if of.turning:
        lines += [text("**Turning points**"), *(text("{number}. {swing}", number=number, swing=swing)
                                                for number, swing in enumerate(turning_points(of), 1))]
    lines += lead(of)
    if of.pairs:
        lines += [text("**Who fought whom**"), *(text("- {fought}", fought=of.course.fought(
            pair.attacker, pair.defender, pair.fights, pair.won)) for pair in of.pairs[:PAIRS])]
        if left := sum(pair.fights for pair in of.pairs[PAIRS:]):
            lines.append(text("- and {fights}", fights=count(left, "{n} more fight", "{n} more fights")))
    if of.dice and of.course.dice is not None:
        lines += [text("**Luck with the dice**: {what}, and what such dice bring on average", what=of.course.dice),
                  *(text("- {side}: {got} in {rolls}; the average is {expected} ({luck})", side=one.side, got=one.got,
                         expected=one.expected, luck=_signed(one.got - one.expected),
                         rolls=count(one.rolls, "{n} roll", "{n} rolls")) for one in of.dice)]
    return lines


def turning_points(of: Chronicle) -> list[Text]:
    """The largest swings, each with its moment and whose points changed, the largest change first."""
    said = []
    for number in of.turning:
        changes = sorted([(change, side) for side, change in zip(of.sides, _changes(of.stops, number)) if change],
                         key=lambda item: -abs(item[0]))
        shown = changes if len(changes) <= CHANGES else changes[:CHANGES - 1]
        told = [text("{side} {change}", side=side, change=_signed(change)) for change, side in shown]
        more = [text("others less")] if len(changes) > CHANGES else []
        said.append(text("{moment}: {changes}", moment=of.stops[number].moment, changes=(*told, *more)))
    return said


def lead(of: Chronicle) -> list[Text]:
    """Who led at the end and since when, and how often the lead changed."""
    leaders = of.leaders
    last = leaders[-1] if leaders else ""
    if not last:
        return []
    since = next((number for number in range(len(leaders) - 1, 0, -1) if leaders[number - 1] != last), 0)
    alone = [leader for leader in leaders if leader]
    changes = sum(one != other for one, other in pairwise(alone))
    led = (text("{side:The} took first place for good: {moment}.", side=last, moment=of.stops[since].moment) if since else
           text("{side} was ahead from start to end.", side=last))
    if not changes:
        return [led]
    times = text("twice") if changes == 2 else count(changes, "once", "{n} times")
    return [text("{led} First place changed hands {times}.", led=led, times=times)]


def described(of: Chronicle) -> list[Text]:
    """The picture for whoever can't see it: the points at the end of each period, side by side."""
    ends = [0, *ends_of_periods(of.stops)]
    return [text("{counted} over time.", counted=of.course.counted), *(text("{side}: {points}.", side=side, points=tuple(
        text("{points} at the start", points=of.stops[at].points[n]) if not at else
        text("{points} after {period}", points=of.stops[at].points[n], period=of.stops[at].period.name)
        if at + 1 < len(of.stops) else text("{points} at the end", points=of.stops[at].points[n])
        for at in ends)) for n, side in enumerate(of.sides))]


def ends_of_periods(stops: Sequence[Stop]) -> list[int]:
    """The stops at which periods end, the last among them; of very many periods every second, or third ..."""
    ends = [number for number in range(1, len(stops))
            if number + 1 == len(stops) or stops[number + 1].period != stops[number].period]
    return ends[::-1][::-(-len(ends) // PERIODS) or 1][::-1]


def _signed(value: float) -> Fact:
    return text("+{value}", value=value) if value > 0 else value
