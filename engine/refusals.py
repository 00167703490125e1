"""What is refused, why, and by which rule."""
from __future__ import annotations

from engine.text import Fact, Reader, Text, say
from engine.text.languages import ENGLISH


class Refusal(Exception):
    """An answer that the table declines; nothing has changed.

    Attributes: `text`, a whole sentence for the person who asked; `rule`, the number of the rule that refuses, or "".
    """

    def __init__(self, template: str, /, *, rule: str = "", **facts: Fact) -> None:
        super().__init__(template)
        self.text, self.rule = Text(template, facts), rule

    def __str__(self) -> str:
        said = say(self.text, Reader({}, ENGLISH))
        return f"{said[:1].upper()}{said[1:]}"


class Illegal(Refusal):
    """The rules forbid this answer here and now."""


class NotAsked(Refusal):
    """This seat is not being asked anything, or has answered already."""


class Stale(Refusal):
    """The answer was meant for a question that is not the one being asked now."""


class Faulty(Refusal):
    """Data from outside (options, a data pack, a file, a command line) that cannot be used."""


class Drift(Exception):
    """A stored log no longer replays to what it recorded; `no` is the first row that differs."""

    def __init__(self, message: str, *, no: int) -> None:
        super().__init__(message)
        self.no = no


class Unreadable(Drift):
    """A stored state that these rules do not understand; an earlier one may do."""
