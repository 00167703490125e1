"""The table in words: all that is needed to play from, and in few words for screen readers.

Names and prices are those that come with the game, as in the pictures.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from engine.components import as_it_comes
from engine.games.imperial_struggle.components import SIDES
from engine.games.imperial_struggle.components.parts import Parts, parts
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.games.imperial_struggle.view import RegionView, SideView, SpaceView, View
from engine.games.imperial_struggle.words.nouns import names
from engine.text.english import counted, fit, listed

SIDE = {"britain": "Britain", "france": "France", "spain": "Spain", "usa": "United States", "": "nobody"}
REGION = {"europe": "Europe", "north_america": "North America", "caribbean": "Caribbean", "india": "India"}
PAID_WITH = {"political": "DP", "market": "EP", "fort": "MP", "territory": "CP"}


@cache
def _parts() -> Parts:
    return parts(as_it_comes("imperial_struggle", "imperial_struggle"))


@cache
def _names() -> Mapping[str, str]:
    return names(_parts())


def _called(*ids: str) -> str:
    return ", ".join([_names().get(id, id) for id in ids])


# --- the whole table --------------------------------------------------------------------------------------------

def board(seen: View, strength: tuple[tuple[int, int], ...] = ()) -> str:
    """The whole table, one line for each thing; `strength` of both sides in the theaters of the next war."""
    lines = [f"{seen.title}: {moment(seen)}", *_round(seen), *_tiles(seen)]
    for side in seen.sides:
        lines += ["", *_side(side, seen)]
    lines += ["", *_goods(seen), *_war(seen, strength), *_own(seen)]
    for region in seen.regions:
        lines += ["", f"{REGION[region.region]}: Britain {region.britain}, France {region.france}{_award(region)}",
                  *_spaces(seen, region.region)]
    return "\n".join(lines)


def when(seen: View) -> str:
    """"Turn 3", "Turn 3, round 2 of 8", or a war by its name."""
    turn = _called(seen.turn) if seen.turn in _parts().war else f"Turn {seen.turn.removeprefix('T')}"
    return f"{turn}, round {seen.round.number} of {ROUNDS}" if seen.round is not None else turn


def moment(seen: View) -> str:
    if seen.over:
        return f"the game is over, {SIDE[seen.winner]} wins."
    return (f"{when(seen)}, {seen.era.capitalize()} era. The counter is at {seen.vp} VP: Britain wins at 0, France at 30. "
            f"{SIDE[seen.initiative]} has the initiative.")


def _round(seen: View) -> Iterator[str]:
    """Who acts, with which tile, and what is left of it."""
    now = seen.round
    if now is None:
        return
    said = [f"{SIDE[now.side]} to act"]
    if now.tile:
        said.append(f"with {_called(now.tile)}")
    if now.event:
        said.append(f"event {_called(now.event)}")
    if now.pools:
        said.append("left: " + ", ".join([f"{pool.points} {pool.kind} ({_called(pool.source)})" for pool in now.pools]))
    yield f"{', '.join(said)}."


def _tiles(seen: View) -> Iterator[str]:
    if seen.available:
        yield f"Investment tiles to take: {_each(seen.available)}."
    if seen.taken:
        yield f"Taken: {', '.join([f'{_called(tile)} by {SIDE[side]}' for tile, side in seen.taken])}."


def _each(tiles: tuple[str, ...]) -> str:
    """"2 × 4 DP / 2 EP, 3 MP / 2 EP"."""
    found = dict.fromkeys(map(_called, tiles))
    number = {name: sum(_called(tile) == name for tile in tiles) for name in found}
    return ", ".join([f"{number[name]} × {name}" if number[name] > 1 else name for name in found])


def _side(side: SideView, seen: View) -> Iterator[str]:
    up = [_called(ministry.card) if ministry.card else "one face down" for ministry in side.ministries]
    held = [_called(tile) + " (exhausted)" * (tile in seen.exhausted) for tile in side.advantages]
    ships = [f"{side.navy_box} in the Navy Box", f"{side.unbuilt} unbuilt", *([f"{side.away} away"] if side.away else [])]
    hand = counted(side.hand, "event", "events")
    yield f"{SIDE[side.side]}: debt {side.debt} of {side.limit}, {side.trp} TRP, {hand} in hand, squadrons: {', '.join(ships)}"
    yield f"  Ministries: {', '.join(up) or 'none'}"
    yield f"  Advantages: {', '.join(held) or 'none'}"


def _goods(seen: View) -> Iterator[str]:
    britain, france = (seen.prestige[side] for side in SIDES)
    yield f"Prestige: Britain {britain}, France {france}"
    for heading, demand in (("In demand", True), ("Not in demand", False)):
        goods = [f"{_called(good.good)} (Britain {good.britain}, France {good.france})" for good in seen.goods
                 if good.in_demand == demand]
        yield f"{heading}: {', '.join(goods) or 'nothing'}"
    if seen.free_advantages:
        yield f"Advantages that nobody holds: {_called(*seen.free_advantages)}"


def _war(seen: View, strength: tuple[tuple[int, int], ...]) -> Iterator[str]:
    war = _parts().war.get(seen.next_war)
    if war is None:
        return
    yield f"{'Next war' if seen.war is None else 'War under way'}: {war.name}"
    settled = {result.theater: result for result in seen.war.results} if seen.war is not None else {}
    for n, theater in enumerate(war.theaters):
        if (result := settled.get(theater.number)) is not None:
            said = f"{SIDE[result.winner]} wins by {result.margin}" if result.winner else "nobody wins"
        else:
            said = ", ".join([" ".join([SIDE[side.side], *(str(both[m]) for both in strength[n:n + 1]), *_lying(side, n)])
                              for m, side in enumerate(seen.sides)])
        yield f"  {theater.name}: {said}"


def _lying(side: SideView, n: int) -> Iterator[str]:
    """How many tiles of a side lie face down in a theater."""
    if n < len(side.theaters) and (tiles := side.theaters[n].basic + side.theaters[n].bonus):
        yield f"and {counted(tiles, 'tile', 'tiles')} face down"


def _own(seen: View) -> Iterator[str]:
    """Yield what the seat whose view it is has, and nobody else sees."""
    if seen.seat is None:
        return
    if seen.own_hand:
        yield f"Your events: {_called(*seen.own_hand)}"
    side = next((one for one in seen.sides if one.seat == seen.seat), None)
    up = {ministry.card for ministry in side.ministries} if side is not None else set()
    if seen.own_ministries:
        cards = [_called(card) + " (face down)" * (card not in up) for card in seen.own_ministries]
        yield f"Your ministries: {', '.join(cards)}"
    for n, theater in enumerate(side.theaters if side is not None else (), 1):
        if theater.tiles:
            yield f"Your tiles in theater {n}: {_called(*theater.tiles)}"
    if seen.own_drawn:
        yield f"You've just drawn {_called(*seen.own_drawn)}"


def _award(region: RegionView) -> str:
    return f". Award: {_called(region.award)}" if region.award else ""


def _spaces(seen: View, region: str) -> Iterator[str]:
    """Each side's spaces, then the empty ones and those that aren't in play yet."""
    here = [space for space in seen.spaces if space.region == region]
    for flag in ("britain", "france", "spain", "usa"):
        if own := [_short(space) for space in here if space.flag == flag]:
            yield f"  {SIDE[flag]}: {', '.join(own)}"
    if empty := [_short(space) for space in here if not space.flag and space.open]:
        yield f"  Empty: {', '.join(empty)}"
    if shut := [space.name for space in here if not space.open]:
        yield f"  Not open yet: {', '.join(shut)}"


def _short(space: SpaceView) -> str:
    """"Albany 3 EP Furs (conflict)"."""
    said = f"{space.name}{_price(space, ' ')}" + (f" {_called(space.commodity)}" if space.commodity else "")
    return said + (f" ({', '.join(marks)})" if (marks := _marks(space)) else "")


def _price(space: SpaceView, before: str) -> str:
    return "" if space.cost is None else f"{before}{space.cost} {PAID_WITH[space.type]}"


def _marks(space: SpaceView) -> list[str]:
    return [mark for mark, there in (("conflict", space.conflict), ("damaged", space.damaged), ("protected", space.protected),
                                     ("isolated", space.isolated), ("Huguenots", bool(space.huguenots))) if there]


def space_line(space: SpaceView) -> str:
    """A space: whose it is, its price, and the marks on it."""
    marks = _marks(space)
    return f"{space.name}: {SIDE[space.flag]}{_price(space, ', ')}" + (f" ({', '.join(marks)})" if marks else "")


# --- in few words -----------------------------------------------------------------------------------------------

def describe(seen: View, most: int) -> str:
    """The table in so many characters, at most: the most important first."""
    turn = f"{SIDE[seen.round.side]} to act. " if seen.round is not None and not seen.over else ""
    sides = " ".join([f"{SIDE[side.side]}: debt {side.debt} of {side.limit}, {side.trp} TRP." for side in seen.sides])
    demand = listed([_called(good.good) for good in seen.goods if good.in_demand])
    said = [f"{when(seen)}: {seen.vp} VP. {turn}".rstrip(),
            *(f"{REGION[region.region]}: Britain {region.britain}, France {region.france}{_award(region)}."
              for region in seen.regions), sides, *([f"In demand: {demand}."] if demand else [])]
    return fit(said, most)
