"""Moments as options name them, "2027-01-31T18:00", in UTC. The engine has no clock; who runs a table looks when they come."""
from __future__ import annotations

from engine.text import Text, verbatim

PATTERN = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d"


def named(moment: str) -> Text:
    """A moment as a fact of a sentence: "2027-01-31 18:00 UTC"."""
    return verbatim(f"{moment.replace('T', ' ')} UTC")


def in_utc(moment: str) -> str:
    """A moment with its time zone, as `Alarm.at` has it."""
    return f"{moment}Z"
