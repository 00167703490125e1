"""A question for an automatic player, as it goes to another process: plain values, and nothing that its seat does not know.

For the strong player the true past goes with it; `world_of` alone reads that, and deals anew all that is hidden.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine import catalog
from engine.components import bound
from engine.dice import SecretDice, commitment
from engine.kernel import Action, Ask, Checkpoint, Level, Position, Row, Seat, Table
from engine.players import Seeded, choose
from engine.players.hints import Hint, compared_with, hints
from engine.players.search import world_of

PARTS_KEPT = 8          # components that a process remembers


@dataclass(frozen=True, kw_only=True)
class Task:
    """A question for an automatic player, as it goes to another process."""

    game: str
    pack: str                           # hash of the components
    raw: dict[str, Any] | None          # the components; None: whoever thinks has met them before
    level: Level
    known: str                          # the state as the seat knows it, as JSON
    question: Ask[Any]
    options: tuple[Action, ...]
    default: Action
    secret: str                         # what tells this game from others in which the same happens
    start: Checkpoint | None = None     # from where the strong player's worlds are made
    rows: tuple[Row, ...] = ()
    hints: bool = False                 # asked for by a person who wants hints
    compared: tuple[Action, ...] = ()   # who wants to know how these answers differ


class Unmet(Exception):
    """The components of a question were not given, and nobody here has met them before."""


def answered(task: Task, late: Callable[[], bool] = lambda: False) -> Action | tuple[Hint, ...]:
    """The answer of an automatic player, or hints; `late`: whether the time to look further is up.

    Raises Unmet, and whatever the player raises.
    """
    spec, parts = catalog.find(task.game), _parts(task.game, task.pack) or _learnt(task)
    state = spec.rules.state.model_validate_json(task.known)
    spec.rules.bind(state, parts)
    worlds = partial(_world, task, parts) if task.start is not None else None
    position = Position(state=state, question=task.question, options=task.options, default=task.default, worlds=worlds, late=late)
    if task.compared:
        return compared_with(spec, position, task.compared, task.secret)
    return hints(spec, position, task.secret) if task.hints else choose(spec, task.level, position, task.secret)


_known: dict[tuple[str, str], Any] = {}


def _parts(game: str, pack: str) -> Any:
    return _known.get((game, pack))


def _learnt(task: Task) -> Any:
    """Components that this process has not met; a few are kept. Raises Unmet."""
    if task.raw is None:
        raise Unmet(task.pack)
    while len(_known) >= PARTS_KEPT:
        del _known[next(iter(_known))]
    parts = _known[task.game, task.pack] = bound(catalog.find(task.game), task.raw).parts
    return parts


def _world(task: Task, parts: Any, seed: str) -> Table:
    assert task.start is not None, "there is a past to begin from"
    spec = catalog.find(task.game)
    dice = SecretDice(commitment(seed.encode().hex()))
    return world_of(spec, parts, task.start, task.rows, Seat(task.question.seat), Seeded(seed), dice)


def easier(task: Task) -> Task | None:
    """Return the question for a solid player; None if it was one already."""
    return None if task.level == "solid" else replace(task, level="solid", start=None, rows=())
