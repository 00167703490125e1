"""What a seat knows of a state, and how what it has not seen may be dealt anew: for automatic players and rehearsals."""
from __future__ import annotations

from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.state import SideState, State
from engine.kernel import Rng, Seat

PUBLIC = frozenset({
    "phase", "parts", "options", "seats", "sides", "step", "ar", "vp", "flags", "conflict", "damaged", "huguenots",
    "huguenots_left", "holders", "exhausted", "demand", "awards", "award_pool", "discards", "played", "stack", "used_tiles",
    "available", "taken", "initiative", "first", "round", "war", "jacobite_victories", "jacobite_defeat", "third_ministry",
    "townshend", "byng", "atlantic_dominance", "won_awards", "won_goods", "bid", "bidder", "wish", "winner", "ended_by",
    "rules_version"})
"""The fields of a state that everybody knows; any other holds a secret."""
SECRET = frozenset({"own", "deck", "choice"})


def known(s: State, seat: Seat) -> State:
    """The table as a seat knows it: of the other side's cards and tiles their numbers, and faces that could be there.

    Cards and tiles that it has not seen are dealt in the order of the data [IS-17.1 to 17.6].
    """
    fields = {name: getattr(s, name) for name in PUBLIC}
    if not s.own:
        return State.model_construct(own={}, deck=[], choice=s.choice, **fields)
    side = s.power(seat)
    own, theirs = s.own[side], s.own[foe(side)]
    events = sorted([*s.deck, *theirs.hand])
    choice = s.choice
    if choice is not None and choice.side != side and choice.secret:
        choice = choice.model_copy(update={"targets": []})
    return State.model_construct(own={side: own, foe(side): _other_side(s, foe(side), events[:len(theirs.hand)])},
                                 deck=events[len(theirs.hand):], choice=choice, **fields)


def _other_side(s: State, side: Side, hand: list[str]) -> SideState:
    own = s.own[side]
    shown = s.war.theater if s.war is not None else 0           # of these the tiles have been turned up
    faces = {tile for there in own.tiles[:shown] for tile in there}
    hidden = sorted(tile for tile in (*own.basic_pool, *own.bonus_pool, *own.drawn, *(
        tile for there in own.tiles[shown:] for tile in there)) if tile not in faces)
    basic = [tile for tile in hidden if s.parts.war_tile[tile].basic]
    bonus = [tile for tile in hidden if not s.parts.war_tile[tile].basic]
    tiles = [list(there) if number < shown else [(basic if s.parts.war_tile[tile].basic else bonus).pop(0) for tile in
                                                 sorted(there, key=lambda tile: not s.parts.war_tile[tile].basic)]
             for number, there in enumerate(own.tiles)]
    drawn = [(basic if s.parts.war_tile[tile].basic else bonus).pop(0) for tile in own.drawn]
    up = [minister for minister in own.ministries if minister.up]
    return own.model_copy(update={"hand": hand, "ministries": up, "tiles": tiles, "drawn": drawn, "basic_pool": basic,
                                  "bonus_pool": bonus})


def imagined(s: State, seat: Seat, rng: Rng) -> None:
    """Deal the events and the war tiles that a seat has not seen anew, and ministries that could lie face down."""
    if not s.own:
        return
    side = foe(s.power(seat))
    own = s.own[side]
    events = rng.sample([*s.deck, *own.hand], len(s.deck) + len(own.hand))
    own.hand, s.deck = events[:len(own.hand)], events[len(own.hand):]
    shown = s.war.theater if s.war is not None else 0
    for pool, basic in ((own.basic_pool, True), (own.bonus_pool, False)):
        hidden = [own.drawn, *own.tiles[shown:]]
        found = [*pool, *(tile for there in hidden for tile in there if s.parts.war_tile[tile].basic == basic)]
        dealt = rng.sample(found, len(found))
        for there in hidden:
            there[:] = [dealt.pop() if s.parts.war_tile[tile].basic == basic else tile for tile in there]
        pool[:] = dealt
