"""Looking further: a few answers are tried in worlds that may be the true one, and played on from there by solid players.

All answers are tried in the same worlds, with the same dice, so that luck favours none of them. The work is bounded by rows that
are played, not by time, so that the same position always gives the same answer.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.kernel import Action, Players, Position, Search, Seat, Table, Throws
from engine.refusals import Refusal

WORLDS = 40                 # tried at most
FEW = 3                     # after so many the answers that have fallen far behind are dropped
LONGEST = 200               # rows of one try


def looked_ahead(players: Players[Any], position: Position[Any], rng: Throws) -> Action:
    """The answer that leads to the best positions, on average."""
    search, worlds = players.search, position.worlds
    assert search is not None and worlds is not None, "there is something to look at"
    tried = list(search.candidates(position, rng))
    if len(tried) == 1:
        return tried[0]
    found: dict[Action, list[float]] = {action: [] for action in tried}
    played = 0
    for number in range(WORLDS):
        if played >= search.rows:
            break
        seed = f"{number} {rng.random()}"
        for action in tried:
            worth, rows = _tried(players, search, worlds(seed), position.seat, action, rng)
            found[action].append(worth)
            played += rows
        if number + 1 >= FEW:
            tried = _still(tried, found)
            if len(tried) == 1:
                break
    mean = {action: sum(found[action]) / len(found[action]) for action in tried}
    best, first = max(tried, key=mean.__getitem__), tried[0]
    return first if mean[best] < mean[first] + search.least else best


def _still(tried: Sequence[Action], found: dict[Action, list[float]]) -> list[Action]:
    """The answers of which, after what has been seen, any may still be the best."""
    best = max(tried, key=lambda action: sum(found[action]))

    def behind(action: Action) -> bool:
        lost = [one - other for one, other in zip(found[best], found[action])]
        mean = sum(lost) / len(lost)
        off = (sum((loss - mean) ** 2 for loss in lost) / (len(lost) - 1) / len(lost)) ** 0.5
        return mean > 2.5 * off and mean > 0

    return [action for action in tried if action == best or not behind(action)]


def _tried(players: Players[Any], search: Search[Any], world: Table, seat: Seat, action: Action, rng: Throws
           ) -> tuple[float, int]:
    """What a world is worth for a seat a few steps after an answer, and how many rows were played."""
    before = len(world.fresh)
    try:
        world.answer(seat, action)
        far, steps = search.far(world.state), 0
        while not world.over and steps < search.steps and len(world.fresh) - before < LONGEST:
            question = world.waiting()[0]
            options = world.options(question.seat)
            now = Position(state=world.state, question=question, options=options, default=world.default(question.seat))
            world.answer(question.seat, players.solid(now, rng))
            if search.far(world.state) != far:
                far, steps = search.far(world.state), steps + 1
    except Refusal:                                     # in a world that cannot be the true one
        return search.worth(world.state, seat), len(world.fresh) - before
    return search.worth(world.state, seat), len(world.fresh) - before


def world_of(spec: Any, parts: Any, start: Any, rows: Sequence[Any], seat: Seat, rng: Throws, dice: Any) -> Table:
    """A table that goes on from the present position, with all that is hidden from a seat drawn anew, and other dice.

    This alone sees the true past: what it gives has nothing left of what the seat does not know.
    """
    players = spec.automatic
    table = Table(spec, parts, start, rows, dice=dice, run_on=False, checkpoints=False)
    known = players.known(table.state, seat).model_copy(deep=True)
    players.imagined(known, seat, rng)
    for name in players.secret:
        setattr(table.state, name, getattr(known, name))
    return table
