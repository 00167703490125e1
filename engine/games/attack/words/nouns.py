"""Counted nouns, forces and cards in words."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from engine.games.attack.components import SHIPS, UNITS
from engine.text import Fact, Text, count, printed, text

COUNTED = {
    "infantry": count(1, "{n} infantry", "{n} infantry"), "tank": count(1, "{n} tank", "{n} tanks"),
    "artillery": count(1, "{n} artillery", "{n} artillery"), "plane": count(1, "{n} plane", "{n} planes"),
    "destroyer": count(1, "{n} destroyer", "{n} destroyers"), "submarine": count(1, "{n} submarine", "{n} submarines"),
    "battleship": count(1, "{n} battleship", "{n} battleships"),
    "aircraft_carrier": count(1, "{n} aircraft carrier", "{n} aircraft carriers")}
SEVERAL = {"infantry": text("infantry"), "tank": text("tanks"), "artillery": text("artillery"), "plane": text("planes"),
           "destroyer": text("destroyers"), "submarine": text("submarines"), "battleship": text("battleships"),
           "aircraft_carrier": text("aircraft carriers")}


@lru_cache(maxsize=1024)
def units(n: int, kind: str) -> Text:
    """"2 tanks"; ships too."""
    return replace(COUNTED[kind], facts={"n": n})


def plural(kind: str) -> Text:
    """"Tanks", without a number."""
    return SEVERAL[kind]


def force(numbers: Mapping[str, int]) -> Text:
    """"2 infantry and 1 tank"; "nothing" for none."""
    return text("{units}", units=tuple([units(numbers[kind], kind) for kind in (*UNITS, *SHIPS) if numbers.get(kind)]))


def ships_in_line(ships: Iterable[str]) -> Text:
    """"Battleship, 2 destroyers and submarine", in the order of the line."""
    rows = [(ship, len(list(row))) for ship, row in groupby(ships)]
    return text("{ships}", ships=tuple([ship if number == 1 else units(number, ship) for ship, number in rows]))


def cards(kinds: Iterable[str]) -> Text:
    """"Oil 3 and Population 1", by the names of the kinds; "nothing" for none."""
    return text("{cards}", cards=tuple(sorted(kinds)))


def card_names(kinds: Iterable[str]) -> Fact:
    """"Oil 3 and Population 1", or "none", for a reader who knows no names."""
    return tuple([printed(kind.replace("_", " ").capitalize()) for kind in sorted(kinds)]) or text("none")


def many_cards(n: int) -> Text:
    return count(n, "{n} card", "{n} cards")


def points(n: int) -> Text:
    return count(n, "{n} production point", "{n} production points")
