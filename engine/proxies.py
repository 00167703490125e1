"""Who answered in a seat's name: a word of its row that everybody may read, whatever the answer was."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast

from engine.text import Text, template, text, verbatim

How = Literal["gm", "standin", "caretaker", "clock", "auto_beginners", "auto_solid", "auto_strong"]
WRITTEN: Final = r"^((gm|standin):[0-9]{1,20}(:sealed)?|(caretaker|clock|auto_beginners|auto_solid|auto_strong)(:sealed)?)?$"

NOTES: Mapping[How, str] = {
    "gm": template("by the game master, {member}, for {seat}"), "standin": template("by {member} for {seat}"),
    "caretaker": template("by the caretaker for {seat}"), "clock": template("{seat} ran out of time: default move"),
    "auto_beginners": template("automatic, for beginners"), "auto_solid": template("automatic, solid"),
    "auto_strong": template("automatic, strong")}
AUTOMATIC: Mapping[str, How] = {"beginners": "auto_beginners", "solid": "auto_solid", "strong": "auto_strong"}
"""By the strength of an automatic player: what a row says of it."""


FORMER = text("a former member")         # who has asked to be forgotten


@dataclass(frozen=True)
class Proxy:
    """Who answered in a seat's name."""

    how: How
    user: int | None = None         # the member; None: nobody did
    sealed: bool = False            # with the answers of others, all sealed until the last one was in

    @property
    def automatic(self) -> bool:
        """True if an automatic player holds the seat: everybody knows that, so that no line repeats it."""
        return self.how in AUTOMATIC.values()

    def written(self) -> str:
        """As a row carries it: "gm:900", "standin:103:sealed", "clock"."""
        return ":".join([self.how, *([str(self.user)] if self.user is not None else []), *(["sealed"] if self.sealed else [])])

    def note(self, seat: str) -> Text:
        member = verbatim(f"<@{self.user}>") if self.user else FORMER
        return Text(NOTES[self.how], {"seat": seat, "member": member})

    def beside(self, line: Text, seat: str) -> Text:
        """A sentence of the row, with that note; the answers that were sealed together have no one author, and get none."""
        return line if self.sealed or self.automatic else text("{line} ({note})", line=line, note=self.note(seat))

    def alone(self, seat: str) -> Text:
        """The note as a sentence, for a row of which nobody reads anything else."""
        return text("A move was made ({note}).", note=self.note(seat))


def read(written: str) -> Proxy | None:
    """The proxy of a row; None: the seat answered for itself, or this is a word of another version."""
    if not written or re.match(WRITTEN, written) is None:
        return None
    how, *more = written.split(":")
    sealed = more[-1:] == ["sealed"]
    users = more[:-1] if sealed else more
    return Proxy(cast("How", how), int(users[0]) if users else None, sealed)
