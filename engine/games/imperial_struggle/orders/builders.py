"""Building blocks of decision points: what an order can name, ask for and answer."""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from engine.games.imperial_struggle.components import REGIONS, foe
from engine.games.imperial_struggle.components.wars import War
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
    found = sorted((tile.id for tile in s.parts.investment_tiles), key=lambda id: id not in s.available)
    return [id for place, id in enumerate(found) if not {*s.parts.same_face[id]} & {*found[:place]}]


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
    return tuple(card.id for card in s.parts.ministries_of[s.power(seat)])


def markers(s: State, seat: Seat) -> Sequence[str]:
    """The advantages that place a conflict marker."""
    return tuple(tile.id for tile in s.parts.advantages if tile.effect.op == "place_conflict")


def mine_first(values: Any) -> Any:
    def listed(s: State, seat: Seat) -> Sequence[str]:
        return sorted(values(s, seat), key=lambda id: s.flags.get(id) != s.power(seat))
    return listed


def to_hit(values: Any) -> Any:
    """Return these spaces, first those of the other side in the regions of the war under way, or else of the next one."""
    def listed(s: State, seat: Seat) -> Sequence[str]:
        near, other = within_war(s, seat), foe(s.power(seat))
        return sorted(values(s, seat), key=lambda id: s.flags.get(id) != other or id not in near)
    return listed


def within_war(s: State, seat: Seat) -> Collection[str]:
    """The spaces in the regions of the war under way or the next one: its icons hit nothing else [IS-14.4.3 to 14.4.5]."""
    return {id for theater in _war(s).theaters for region in theater.regions for id in s.parts.by_region[region]}


def conquerable(s: State, seat: Seat) -> Collection[str]:
    """Return what conquest points can take in the war under way or the next one [IS-14.8.2]."""
    return {space for theater in _war(s).theaters for space in s.parts.conquerable[_war(s).id, theater.number]}


def by_spoils(s: State, seat: Seat) -> Collection[str]:
    """Where the spoils of a side in that war can take off a flag [IS-14.7.4]."""
    wanted = [row.winner.unflag for theater in _war(s).theaters for row in theater.rows(s.power(seat))]
    return {id for one in wanted if one is not None for id in s.parts.by_region[one.region] if s.space(id).type in one.types}


def to_conquer(s: State, seat: Seat) -> Sequence[str]:
    """Return what conquest points can take, first what the war under way or the next one reaches and isn't one's own."""
    near = conquerable(s, seat)
    return sorted(spaces_of("market", "fort", "naval", "territory")(s, seat),
                  key=lambda id: id not in near or s.flags.get(id) == s.power(seat))


def _war(s: State) -> War:
    """The war under way, or else the next one; the last one, when none is left."""
    return s.parts.war[s.war.war] if s.war is not None else s.next_war or s.parts.wars[-1]


def losses(s: State, seat: Seat) -> Sequence[str]:
    """Return what a side can lose to an event: forts, squadrons, and its own bonus tiles."""
    own = tuple(tile for there in s.own[s.power(seat)].tiles for tile in there if not s.parts.war_tile[tile].basic)
    return (*own, *mine_first(forts)(s, seat), *mine_first(seas)(s, seat))


# --- building blocks ----------------------------------------------------------------------------------------------

def offer(key: str, words: str, verb: str, *slots: Slot, applies: Callable[[State], bool] = lambda s: True, brief: str = "",
          **fields: Any) -> Offer:
    """An answer in words, with what is settled and what is asked; `applies` says in which games it can come up."""
    return Offer(key=key, words=words, verb=verb, fields=fields, slots=slots, nouns=NOUNS, applies=applies, brief=brief)


def in_bidding(s: State) -> bool:
    """True if sides are bid for, and not settled yet [IS-19.4]."""
    return s.options.sides == "bid" and s.phase in ("setup", "sides")


def with_spanish_empire(s: State) -> bool:
    """True if Spain's flags are in the game [IS-19.1]."""
    return s.options.spanish_empire


def where(words: str, values: Any, field: str = "space", reach: Any = None) -> Slot:
    """A field with several values, in order of preference; `reach`: those that the next war can ask for."""
    return wishes(field, words, values, reach)


MOST_DEBT = Slot(field="debt", words="How much debt may it take, at most?", kind="number")
MOST_TREATY = Slot(field="trp", words="How many treaty points may it spend, at most?", kind="number")


def bought(key: str, words: str, verb: str, *slots: Slot, brief: str = "", **fields: Any) -> Offer:
    """A purchase, with how much debt and how many treaty points it may take beside the points."""
    return offer(key, f"{words}, with {{debt}} and {{trp}}", verb, *slots, MOST_DEBT, MOST_TREATY, brief=brief or words, **fields)
