"""What the sentences of several chapters say alike: units, gold, proposals."""
from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engine.text import Text, count, text

COUNTED = {"army": count(1, "{n} army", "{n} armies"), "navy": count(1, "{n} navy", "{n} navies"),
           "fort": count(1, "{n} fort", "{n} forts"), "unit": count(1, "{n} unit", "{n} units")}


@lru_cache(maxsize=256)
def units(n: int, kind: str) -> Text:
    """"2 armies"."""
    return replace(COUNTED[kind], facts={"n": n})


@lru_cache(maxsize=256)
def gold(n: int) -> Text:
    return count(n, "{n} gold", "{n} gold")


def population(n: int) -> Text:
    return count(n, "{n} population", "{n} population")


def unrest(n: int) -> Text:
    return count(n, "{n} unrest", "{n} unrest")


def costs(gold_pieces: int, people: int = 0, unrest_markers: int = 0) -> tuple[Text, ...]:
    """What a price is made of: nothing, or up to three amounts."""
    return tuple([told(n) for n, told in ((gold_pieces, gold), (people, population), (unrest_markers, unrest)) if n])


def bare_unit(kind: str) -> Text:
    return text({"army": "army", "navy": "navy", "fort": "fort"}[kind])


def a_unit(kind: str) -> Text:
    return text({"army": "an army", "navy": "a navy", "fort": "a fort"}[kind])


@lru_cache(maxsize=256)
def proposal(a: str, b: str) -> Text:
    if a and b:
        return text("{a:The} in {row_a}, {b:the} in {row_b}", a=a, b=b, row_a="row_a", row_b="row_b")
    return text("{a:The} in {row_a}", a=a, row_a="row_a") if a else text("{b:The} in {row_b}", b=b, row_b="row_b")
