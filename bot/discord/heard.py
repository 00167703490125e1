"""Notes of who may read what is said, taken while a message is put together; `confided` compares them with its readers."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.kernel import Seat
from engine.text import HEARD, forget


@dataclass(frozen=True)
class Told:
    """A game of which a message tells."""

    game: int


def listen() -> None:
    """Begin to note who may read what is said, for as long as this interaction lasts."""
    HEARD.set(set())


@contextmanager
def listening(*readers: object) -> Iterator[None]:
    """Note who may read what is said inside, beginning with these readers, for whom alone it is: a member's number, or a game and
    its seat; none if it is for everybody."""
    before = HEARD.set({*readers})
    try:
        yield
    finally:
        forget(before)


def confide(game: int, *seats: Seat) -> None:
    """What is shown next is for these seats of a game alone."""
    _note(*((game, seat) for seat in seats))


def tell_of(game: int) -> None:
    """What is shown next names this game."""
    _note(Told(game))


def unsaid() -> None:
    """Forget the notes: what was said since the last message is not sent after all."""
    collected()


def _note(*readers: object) -> None:
    if (heard := HEARD.get()) is not None:
        heard.update(readers)


def collected() -> set[object]:
    """Return the notes since the last message, and begin anew."""
    heard = HEARD.get() or set()
    said = {*heard}
    heard.clear()
    return said
