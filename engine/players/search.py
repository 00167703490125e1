"""Looking further: a few answers are tried in worlds that may be the true one, and played on from there.

All answers are tried in the same worlds, with the same dice, so that luck favours none of them. The work is bounded by rows that
are played, so that the same position gives the same answer; the time, which only a slow machine runs out of, is a second bound.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kernel import Action, Players, Position, Rng, Search, Seat, Table
from engine.refusals import Refusal

WORLDS = 40                 # tried at most
FEW = 3                     # after so many the answers that have fallen far behind are dropped
LONGEST = 200               # rows of one try
LOOKED_UP = 5               # answers between two looks at the clock


def looked_ahead(players: Players[Any], position: Position[Any], rng: Rng) -> Action:
    """The answer that leads to the best positions, on average."""
    search = players.search
    assert search is not None, "there is something to look at"
    tried = list(search.candidates(position, rng))
    if len(tried) == 1:
        return tried[0]
    found = compared(players, position, tried, rng)
    most = max(len(worth) for worth in found.values())
    if not most:
        return tried[0]
    mean = {action: sum(worth) / most for action, worth in found.items() if len(worth) == most}
    best = max(mean, key=mean.__getitem__)
    first = tried[0] if tried[0] in mean else best
    return first if mean[best] < mean[first] + search.least else best


def compared(players: Players[Any], position: Position[Any], tried: Sequence[Action], rng: Rng, times: int = 1
             ) -> Mapping[Action, Sequence[float]]:
    """Return what each answer was worth in each world, the same worlds for all; fewer of them for those that had fallen far
    behind.

    `times`: how many times as many rows may be played as for an answer.
    """
    search, worlds = players.search, position.worlds
    assert search is not None and worlds is not None, "there is something to look at"
    found: dict[Action, list[float]] = {action: [] for action in tried}
    played = 0
    for number in range(WORLDS):
        if played >= times * search.rows:
            break
        seed, here = f"{number} {rng.random()}", dict[Action, float]()
        for action in tried:
            worth, rows = _tried(players, search, position, worlds(seed), action, rng)
            if worth is None:                           # the time is up: a world that not all have seen does not count
                return found
            here[action] = worth
            played += rows
        for action, worth in here.items():
            found[action].append(worth)
        if number + 1 >= FEW:
            tried = _still(tried, found)
            if len(tried) == 1:
                break
    return found


def _still(tried: Sequence[Action], found: dict[Action, list[float]]) -> list[Action]:
    best = max(tried, key=lambda action: sum(found[action]))
    return [action for action in tried if action == best or not clearly_behind(found[action], found[best], 2.5)]


def clearly_behind(worth: Sequence[float], best: Sequence[float], sure: float) -> bool:
    """True if an answer is behind in the same worlds by more than so many times the noise of so small a sample."""
    lost = [one - other for one, other in zip(best, worth)]
    mean = sum(lost) / len(lost)
    off = (sum((loss - mean) ** 2 for loss in lost) / (len(lost) - 1) / len(lost)) ** 0.5
    return mean > sure * off and mean > 0


def _tried(players: Players[Any], search: Search[Any], position: Position[Any], world: Table, action: Action, rng: Rng
           ) -> tuple[float | None, int]:
    """Return what a world is worth for a seat a few steps after an answer, None if the time is up before; and how many rows were
    played."""
    seat, before, plays = position.seat, len(world.fresh), search.plays or players.solid
    try:
        far, steps, answers = search.far(world.state), 0, 0
        world.answer(seat, action)
        while not world.over and len(world.fresh) - before < LONGEST:
            if search.far(world.state) != far:
                far, steps = search.far(world.state), steps + 1
            if steps == search.steps:
                break
            if not answers % LOOKED_UP and position.late():
                return None, len(world.fresh) - before
            answers += 1
            question = world.waiting()[0]
            options = world.options(question.seat)
            now = Position(state=world.state, question=question, options=options, default=world.default(question.seat))
            world.answer(question.seat, plays(now, rng))
    except Refusal:                                     # in a world that cannot be the true one
        return search.worth(world.state, seat), len(world.fresh) - before
    return search.worth(world.state, seat), len(world.fresh) - before


def world_of(spec: Any, parts: Any, start: Any, rows: Sequence[Any], seat: Seat, rng: Rng, dice: Any) -> Table:
    """A table that goes on from the present position, with all that is hidden from a seat drawn anew, and other dice.

    This alone sees the true past: what it gives has nothing left of what the seat does not know.
    """
    table = Table(spec, parts, start, rows, dice=dice, run_on=False, checkpoints=False)
    deal_anew(table, seat, rng)
    return table


def deal_anew(table: Table, seat: Seat, rng: Rng) -> None:
    """Draw anew all that is hidden from a seat at a table that stands where the true past ends."""
    players = table.spec.automatic
    assert players is not None, "the game has automatic players, and so says what a seat knows"
    draw_anew(players, table.state, seat, rng)


def draw_anew(players: Players[Any], state: Any, seat: Seat, rng: Rng) -> None:
    """Draw anew all that is hidden from a seat in a state that is the true one until then."""
    known = players.known(state, seat).model_copy(deep=True)
    players.imagined(known, seat, rng)
    for name in players.secret:
        setattr(state, name, getattr(known, name))
