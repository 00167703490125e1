"""Building blocks of decision points: what an order can name, ask for and answer."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.games.attack.components import SHIPS, UNITS
from engine.games.attack.state import ACTIONS, DIPLOMACY, TRADE, State
from engine.kernel import Seat
from engine.orders import Noun, Offer, Slot

SETUP, TURN, BATTLES, SEA, TRADING, TABLE = (
    "Setup", "Your turn", "Land battles", "The sea lanes", "Trade", "The table")
ANYTIME = ("round", "territories", "cards", "owned", "neutral", "controller")           # conditions that make sense everywhere
UNIT_NOUN = Noun("none", "{n}", "{n}", "as many as possible")


# --- what can be chosen ---------------------------------------------------------------------------------

def territories(s: State, seat: Seat) -> Sequence[str]:
    return tuple(s.parts.territory)


def players(s: State, seat: Seat) -> Sequence[str]:
    return tuple(s.powers)


def others(s: State, seat: Seat) -> Sequence[str]:
    own = s.power(seat)
    return tuple(power for power in s.powers if power != own)


def units(s: State, seat: Seat) -> Sequence[str]:
    return UNITS


def goods(s: State, seat: Seat) -> Sequence[str]:
    return (*UNITS, *SHIPS)


def begun(s: State, seat: Seat) -> Sequence[str]:
    return tuple(action for action in ACTIONS if action not in (DIPLOMACY, TRADE))


def ways(s: State, seat: Seat) -> Sequence[str]:
    return ("land", "water")


# --- building blocks ---------------------------------------------------------

def how_many(words: str) -> Slot:
    return Slot(field="number", words=words, kind="number")


def offer(key: str, words: str, verb: str, *slots: Slot, brief: str = "", **fields: Any) -> Offer:
    """An answer in words, with what is settled and what is asked; `brief` in a list, where several blanks would say nothing."""
    nouns = {"number": UNIT_NOUN} if any(slot.field == "number" for slot in slots) else {}
    return Offer(key=key, words=words, verb=verb, fields=fields, slots=slots, nouns=nouns, brief=brief)
