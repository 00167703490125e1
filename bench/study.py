"""What the balance report asks of a game: a sensible player, the figures of a finished game, the values worth moving."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from bench.policy import Choice
from engine.kernel import Seat, Table

Figures: TypeAlias = Mapping[str, float]
"""Figures of one game by name, such as "points of german_states"; what a game says nothing of is left out, and counts nowhere."""


Given: TypeAlias = Mapping[str, Sequence[float]]
"""Gift, by its name, to how many of it each player got."""


@dataclass(frozen=True)
class Move:
    """House values moved together: a data pack made from the components."""

    name: str
    pack: Callable[[Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True)
class Section:
    """A table of the report: a row for each name, a column for each figure; a figure is called "column: row"."""

    title: str
    columns: tuple[str, ...]
    by_name: bool = False               # whether its rows are sorted; else they come as the figures do


@dataclass(frozen=True)
class Gifts:
    """What chance can give to the players of a game, to see what it is worth."""

    due: Callable[[Any], bool]                          # whether a state is that in which they are given
    give: Callable[[Any, Random], Given]                # changes that state
    points: Callable[[Any], Sequence[float]]            # of each player, when the game is over
    prices: Callable[[Any], Mapping[str, str]]          # gift to its price in words, by the parts; free ones are left out


Taste: TypeAlias = Mapping[str, int]
"""Thing, by its name, to 1 if a player is keen on it, -1 if it will never buy it; all others as it sees fit."""


@dataclass(frozen=True)
class Tastes:
    """What players of a game can be keen on or averse to, to see what buying it brings."""

    things: Callable[[Any], Sequence[str]]              # what can be bought, by the parts
    choice: Callable[[Mapping[Seat, Taste]], Choice]    # a sensible player, but for these tastes of each seat; for one game
    bought: Callable[[Table], Mapping[Seat, Mapping[str, int]]]         # in a finished game: seat to how many of each thing
    points: Callable[[Any], Mapping[Seat, float]]       # of each player, when the game is over
    prices: Callable[[Any], Mapping[str, str]]          # thing to its price in words, by the parts; free ones are left out


@dataclass(frozen=True)
class Study:
    """How one game is judged."""

    choice: Choice
    figures: Callable[[Table], Figures]                 # of a finished game, from its facts and its last state
    sections: tuple[Section, ...]
    moves: Callable[[str], Sequence[Move]]              # of an edition: what is worth moving
    gifts: Gifts | None = None
    tastes: Tastes | None = None
