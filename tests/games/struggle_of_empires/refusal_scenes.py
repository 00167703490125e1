"""Positions that several tests of refusals stand in, and who reads the sentences."""
from __future__ import annotations

from collections.abc import Callable

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Choose
from engine.kernel import Seat
from engine.text import Reader
from tests.scene import FAIR, Scene

PARTS = components(GAME, "first").parts
READER = Reader(GAME.words.names(PARTS))
A, B, C, D = "austria", "britain", "france", "prussia"
THREE, FOUR = (A, B, C), (A, B, C, D)
TOKENS = {"edition": "deluxe"}


def choosing(seats: int = 2) -> Scene:
    """A new game in which powers are chosen."""
    names = tuple(Seat(f"seat_{number}") for number in range(1, seats + 1))
    return Scene(PARTS, GAME.rules.setup(names, GAME.rules.options("first", {}), PARTS), FAIR)


def redrawing() -> Scene:
    """A new game in which the first player may put back markers: it has drawn the first ones of the data, none of Africa."""
    options = GAME.rules.options("first", {"setup.redraw": True})
    new = Scene(PARTS, GAME.rules.setup((Seat("seat_1"), Seat("seat_2")), options, PARTS), first_markers)
    for _ in range(2):
        seat = new.table.waiting()[0].seat
        new.say(seat, Choose(power=A if seat == "seat_1" else B))
    return new


def first_markers(epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
    """Dice that always show a 1: the first seat begins, and the first markers of the bag are drawn."""
    return tuple(1 for _ in sides)


def first_chosen(power: str) -> Callable[[], Scene]:
    def made() -> Scene:
        new = choosing()
        new.say(new.table.waiting()[0].seat, Choose(power=power))
        return new
    return made


