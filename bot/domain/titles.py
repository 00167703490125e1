"""What a game is called."""
from __future__ import annotations

import re
from collections.abc import Collection
from itertools import count

from engine.kernel import GameSpec
from engine.outside import one_line

TITLE = 60                      # characters of a title


def title_of(typed: str, spec: GameSpec) -> str:
    """Return what a game is called: what was typed, on one line and not too long; without a word the name of what is played."""
    return one_line(typed)[:TITLE].rstrip() or spec.name


def told_apart(title: str, taken: Collection[str]) -> str:
    """A title that no other game has: with the next number behind it, if one of that name is there: "Friday (2)"."""
    if title not in taken:
        return title
    numbered = re.fullmatch(r"(.+) (?:\d+|\(\d+\))", title)            # earlier ones have no brackets
    first = numbered[1] if numbered is not None and numbered[1] in taken else title
    return next(way for number in count(2) if (way := f"{first[:TITLE - 3 - len(str(number))]} ({number})") not in taken
                and f"{first} {number}" not in taken)
