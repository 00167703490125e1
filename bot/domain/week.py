"""How the points of a running game have changed since a row: of what everybody could see, from its record. Pure."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.kernel.chronicle import Course
from engine.kernel.game_spec import Replay
from engine.text import Text, text, verbatim


@dataclass(frozen=True)
class Gain:
    """The points of a side, and by how much they have changed."""

    side: str
    points: int
    change: int


def gains(story: Replay, course: Course[Any], since: int) -> tuple[Text, list[Gain]]:
    """Where a game stands, and the points of its sides against those after the row `since`, most points first; none as long as
    nothing counts."""
    before = course.score(replace(story, rows=[row for row in story.rows if row.no <= since]).end())
    state = story.end()
    name = story.spec.words.seat_name
    found = [Gain(name(state, seat), points, points - before.get(seat, points)) for seat, points in course.score(state).items()]
    return story.spec.words.moment(state), sorted(found, key=lambda gain: -gain.points)


def gain_text(gain: Gain) -> Text:
    """A side with its points: "France 12 (+4)"."""
    signed = verbatim(f"{gain.change:+}".replace("-", "−"))
    points = verbatim(str(gain.points).replace("-", "−"))
    if not gain.change:
        return text("{side} {points}", side=gain.side, points=points)
    return text("{side} {points} ({change})", side=gain.side, points=points, change=signed)
