"""The final reckoning of a story, as one picture and step by step."""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.struggle_of_empires.events import UnrestRevealed
from engine.games.struggle_of_empires.pictures.scenes import Reckoned, Reckoning, Reveal, Step
from engine.games.struggle_of_empires.pictures.story_facts import TITLE, people
from engine.games.struggle_of_empires.rules.war_end import unrest_losses
from engine.games.struggle_of_empires.state import WARS, State
from engine.games.struggle_of_empires.view import name_of
from engine.kernel.game_spec import Replay
from engine.refusals import Refusal


def reveal(story: Replay) -> Reveal:
    """The final reckoning, once everybody's unrest is revealed [SOE-18]."""
    before: dict[str, int] = {}
    for _, event, state in story.events():
        if isinstance(event, UnrestRevealed):
            before = dict(state.points)
    s: State = story.end()
    if s.phase != "over":
        raise Refusal("The final reckoning comes after war {wars}. Until then unrest is secret.",
                      wars=WARS)
    rows = [Reckoned(power=power, name=name_of(power, s.parts), before=before[power], unrest=s.unrest[power],
                     collapsed=power in s.collapsed, penalty=s.penalties.get(power, 0), points=s.points[power],
                     place=place, winner=power in s.winners)
            for power, place in s.places().items()]
    return Reveal(title=TITLE, collapse=s.parts.set_up(len(s.seats)).unrest_collapse, penalties=unrest_losses(s),
                  most=max(s.unrest[power] for power in s.ranking), rows=tuple(rows), people=people(story, s),
                  npps=tuple((name_of(power, s.parts), s.npp_points.get(power, 0)) for power in s.ranked_npps))


def reckoning(story: Replay) -> Reckoning:
    """The final reckoning step by step, once everybody's unrest is revealed."""
    return Reckoning(frames=tuple(_steps(reveal(story))))


def _steps(whole: Reveal) -> Iterator[Reveal]:
    """Points; everybody's unrest, the least first; who collapses; what unrest costs the others; the ranking."""
    rows = {row.power: row.model_copy(update={"unrest": None, "collapsed": False, "penalty": None, "points": row.before,
                                              "place": 0, "winner": False})
            for row in sorted(whole.rows, key=lambda row: -row.before)}

    def after(step: Step) -> Reveal:
        return whole.model_copy(update={"step": step, "rows": tuple(rows.values())})

    def uncover(row: Reckoned, *fields: str) -> None:
        rows[row.power] = rows[row.power].model_copy(update={field: getattr(row, field) for field in fields})

    yield after("points")
    for row in sorted(whole.rows, key=lambda row: row.unrest or 0):
        uncover(row, "unrest")
        yield after("unrest")
    fallen = [row for row in whole.rows if row.collapsed]
    for row in fallen:
        uncover(row, "collapsed", "penalty", "points")
    if fallen:
        yield after("collapse")
    for row in whole.rows:
        uncover(row, "penalty", "points")
    if len(fallen) < len(whole.rows):
        yield after("penalties")
    yield whole
