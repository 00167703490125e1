"""What the sentences of several chapters say alike: units, gold, proposals."""
from __future__ import annotations

from functools import lru_cache

from engine.text import Text, count, text

NOUNS = {"army": ("{n} army", "{n} armies"), "navy": ("{n} navy", "{n} navies"), "fort": ("{n} fort", "{n} forts"),
         "unit": ("{n} unit", "{n} units")}


@lru_cache(maxsize=256)
def units(n: int, kind: str) -> Text:
    """"2 armies"."""
    return count(n, *NOUNS[kind])


@lru_cache(maxsize=256)
def gold(n: int) -> Text:
    return count(n, "{n} gold", "{n} gold")


def a_unit(kind: str) -> Text:
    return text({"army": "an army", "navy": "a navy", "fort": "a fort"}[kind])


@lru_cache(maxsize=256)
def proposal(a: str, b: str) -> Text:
    if a and b:
        return text("{a:The} in {row_a}, {b:the} in {row_b}", a=a, b=b, row_a="row_a", row_b="row_b")
    return text("{a:The} in {row_a}", a=a, row_a="row_a") if a else text("{b:The} in {row_b}", b=b, row_b="row_b")
