"""Views as one reads them out, for a terminal or a screen reader: counted things, lists, as many sentences as fit."""
from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, one: str, many: str) -> str:
    """ "1 army", "2 armies"."""
    return f"{number} {one if number == 1 else many}"


def numbered(name: str, number: int) -> str:
    """A place with the number by which a menu calls it: "India (9)"; 0: without one."""
    return f"{name} ({number})" if number else name


def listed(items: Iterable[str]) -> str:
    items = list(items)
    return " and ".join(items) if len(items) < 3 else f"{', '.join(items[:-1])} and {items[-1]}"


def fit(sentences: Iterable[str], most: int) -> str:
    """As many sentences as there is room for, in their order; of a first one that is too long, its beginning."""
    said = ""
    for sentence in sentences:
        longer = f"{said} {sentence}".strip()
        if len(longer) > most:
            return said or f"{sentence[:most - 1]}…"
        said = longer
    return said


def ranked(names: Iterable[str], places: Iterable[int]) -> str:
    """"1. France, 2. Spain, 2. Britain"."""
    return ", ".join(f"{place}. {name}" for name, place in zip(names, places, strict=True))
