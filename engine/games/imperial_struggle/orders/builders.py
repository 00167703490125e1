"""Building blocks of decision points: what an order can name, ask for and answer."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.games.imperial_struggle.components import REGIONS, foe
from engine.games.imperial_struggle.state import State
from engine.kernel import Seat
from engine.orders import Noun, Offer, Slot
from engine.orders.builders import wishes

TURN, BETWEEN, EVENTS, WARS, SETTING_UP = (
    "Your action round", "Between the rounds", "Events and tiles", "Wars", "Before the game")
ANYTIME = ("turn", "counter", "debt", "treaty", "mine", "theirs", "demand")             # conditions that make sense everywhere
NOUNS = {"debt": Noun("no debt", "{n} debt", "{n} debt", "any debt"), "trp": Noun("no TRP", "{n} TRP", "{n} TRP", "any TRP")}


# --- what can be chosen -------------------------------------------------------------------------------------------

def spaces_of(*types: str) -> Any:
    """The spaces of these types, in the order of the data."""
    def listed(s: State, seat: Seat) -> Sequence[str]:
        return tuple(space.id for space in s.parts.spaces if space.type in types)
    return listed


spaces = spaces_of("political", "market", "fort", "naval", "territory")
markets, politics, forts, seas = (spaces_of(kind) for kind in ("market", "political", "fort", "naval"))


def turns(s: State, seat: Seat) -> Sequence[str]:
    return tuple(step.id for step in s.parts.turn_track)


def goods(s: State, seat: Seat) -> Sequence[str]:
    return tuple(good.commodity for good in s.parts.global_demand)


def regions(s: State, seat: Seat) -> Sequence[str]:
    return REGIONS


def tiles(s: State, seat: Seat) -> Sequence[str]:
    return tuple(tile.id for tile in s.parts.investment_tiles)


def sides(s: State, seat: Seat) -> Sequence[str]:
    return (s.power(seat), foe(s.power(seat)))


def theaters(s: State, seat: Seat) -> Sequence[str]:
    """Of the next war; of the last one, when none is left."""
    war = s.next_war or s.parts.wars[-1]
    return tuple(theater.id for theater in war.theaters)


def all_theaters(s: State, seat: Seat) -> Sequence[str]:
    return tuple(theater.id for war in s.parts.wars for theater in war.theaters)


def events(s: State, seat: Seat) -> Sequence[str]:
    """The events in one's own hand; of an empty one, all."""
    return tuple(s.own[s.power(seat)].hand) or all_events(s, seat)


def all_events(s: State, seat: Seat) -> Sequence[str]:
    return tuple(event.id for event in s.parts.events)


def ministries(s: State, seat: Seat) -> Sequence[str]:
    """One's own cards."""
    return tuple(card.id for card in s.parts.ministries_of[s.power(seat)])


def markers(s: State, seat: Seat) -> Sequence[str]:
    """The advantages that place a conflict marker."""
    return tuple(tile.id for tile in s.parts.advantages if tile.op == "place_conflict")


def losses(s: State, seat: Seat) -> Sequence[str]:
    """What a side can lose to an event: forts, squadrons, and its own bonus tiles."""
    own = tuple(tile for there in s.own[s.power(seat)].tiles for tile in there if not s.parts.war_tile[tile].basic)
    return (*forts(s, seat), *seas(s, seat), *own)


# --- building blocks ----------------------------------------------------------------------------------------------

def offer(key: str, words: str, verb: str, *slots: Slot, **fields: Any) -> Offer:
    """An answer in words, with what is settled and what is asked."""
    return Offer(key=key, words=words, verb=verb, fields=fields, slots=slots, nouns=NOUNS)


def where(words: str, values: Any, field: str = "space") -> Slot:
    """A field with several values, in order of preference."""
    return wishes(field, f"{words} You can choose several, in order of preference.", values)


MOST_DEBT = Slot(field="debt", words="How much debt may it take, at most?", kind="number")
MOST_TREATY = Slot(field="trp", words="How many treaty points may it spend, at most?", kind="number")


def bought(key: str, words: str, verb: str, *slots: Slot, **fields: Any) -> Offer:
    """A purchase, with how much debt and how many treaty points it may take beside the points."""
    return offer(key, f"{words}, with at most {{debt}} and {{trp}}", verb, *slots, MOST_DEBT, MOST_TREATY, **fields)
