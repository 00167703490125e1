"""What the two grand alliances are called: the upper and the lower row, or the red and the blue one (SOE-5.1.2)."""
from __future__ import annotations

from engine.games.struggle_of_empires.components import Parts
from engine.text import template

LETTERS = ("row A", "row B")
COLOURS = ("the red alliance", "the blue alliance")
HEADINGS = dict(zip((*LETTERS, *COLOURS), (
    template("Row A"), template("Row B"), template("Red alliance"), template("Blue alliance"))))
SHORT = dict(zip((*LETTERS, *COLOURS), (template("Row A"), template("Row B"), template("Red"), template("Blue"))))


def rows(parts: Parts) -> tuple[str, str]:
    """The names of both rows, as in "France in row A", by the edition of the components."""
    return COLOURS if parts.edition == "deluxe" else LETTERS
