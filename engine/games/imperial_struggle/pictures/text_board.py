"""The table in words: all that is needed to play from, and in few words for screen readers.

Names and prices are those that come with the game, as in the pictures.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from engine.components import as_it_comes
from engine.games.imperial_struggle.components import SIDES
from engine.games.imperial_struggle.components.parts import Parts, parts
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.games.imperial_struggle.view import RegionView, SideView, SpaceView, View
from engine.games.imperial_struggle.words.nouns import printed as names_of_components
from engine.text import Fact, Text, count, template, text
from engine.text.aloud import row

SIDE: Mapping[str, Fact] = {"britain": "Britain", "france": "France", "spain": "Spain", "usa": "United States",
                            "": text("nobody")}
REGION = {"europe": "Europe", "north_america": "North America", "caribbean": "Caribbean", "india": "India"}
PAID_WITH = {"political": "DP", "market": "EP", "fort": "MP", "territory": "CP"}
NONE = text("none")


@cache
def _parts() -> Parts:
    return parts(as_it_comes("imperial_struggle", "imperial_struggle"))


@cache
def _names() -> Mapping[str, str]:
    return names_of_components(_parts())


def _called(id: str) -> str:
    return _names().get(id, id)


def _all(ids: Iterable[str]) -> Text:
    return row(map(_called, ids))


# --- the whole table --------------------------------------------------------------------------------------------

def table(seen: View, strength: tuple[tuple[int, int], ...] = ()) -> Iterator[Text]:
    """The whole table, one line for each thing; `strength` of both sides in the theaters of the next war."""
    yield text("{title}: {moment}", title=seen.title, moment=moment(seen))
    yield from (*_round(seen), *_tiles(seen))
    for side in seen.sides:
        yield from (text(""), *_side(side, seen))
    yield from (text(""), *_goods(seen), *_war(seen, strength), *_own(seen))
    for region in seen.regions:
        yield from (text(""), _region(region), *_spaces(seen, region.region))


def _region(region: RegionView) -> Text:
    return text("{region}: Britain {britain}, France {france}. Award: {award}" if region.award else
                "{region}: Britain {britain}, France {france}", region=REGION[region.region], britain=region.britain,
                france=region.france, award=_called(region.award))


def when(seen: View) -> Text:
    """"Turn 3", "Turn 3, round 2 of 8", or a war by its name."""
    turn = (text("{war}", war=_called(seen.turn)) if seen.turn in _parts().war else
            text("Turn {turn}", turn=seen.turn.removeprefix("T")))
    return turn if seen.round is None else text("{turn}, round {round} of {rounds}", turn=turn, round=seen.round.number,
                                                rounds=ROUNDS)


def moment(seen: View) -> Text:
    if seen.over:
        return text("the game is over, {side} wins.", side=SIDE[seen.winner])
    return text("{when}, {era} era. The counter is at {vp} VP: Britain wins at 0, France at 30. {side} has the initiative.",
                when=when(seen), era=seen.era.capitalize(), vp=seen.vp, side=SIDE[seen.initiative])


def _round(seen: View) -> Iterator[Text]:
    """Who acts, with which tile, and what is left of it."""
    now = seen.round
    if now is None:
        return
    said = [text("{side} to act", side=SIDE[now.side])]
    if now.tile:
        said.append(text("with {tile}", tile=_called(now.tile)))
    if now.event:
        said.append(text("event {event}", event=_called(now.event)))
    if now.pools:
        said.append(text("left: {pools}", pools=row(
            text("{points} {kind} ({source})", points=pool.points, kind=pool.kind, source=_called(pool.source))
            for pool in now.pools)))
    yield text("{told}.", told=row(said))


def _tiles(seen: View) -> Iterator[Text]:
    if seen.available:
        yield text("Investment tiles to take: {tiles}.", tiles=_each(seen.available))
    if seen.taken:
        yield text("Taken: {tiles}.", tiles=row(text("{tile} by {side}", tile=_called(tile), side=SIDE[side])
                                                for tile, side in seen.taken))


def _each(tiles: tuple[str, ...]) -> Text:
    """"2 × 4 DP / 2 EP, 3 MP / 2 EP"."""
    found = dict.fromkeys(map(_called, tiles))
    number = {name: sum(_called(tile) == name for tile in tiles) for name in found}
    return row(text("{n} × {tile}", n=number[name], tile=name) if number[name] > 1 else name for name in found)


def _side(side: SideView, seen: View) -> Iterator[Text]:
    up = [_called(ministry.card) if ministry.card else text("one face down") for ministry in side.ministries]
    held = [text("{advantage} (exhausted)", advantage=_called(tile)) if tile in seen.exhausted else _called(tile)
            for tile in side.advantages]
    ships = [text("{n} in the Navy Box", n=side.navy_box), text("{n} unbuilt", n=side.unbuilt),
             *([text("{n} away", n=side.away)] if side.away else [])]
    yield text("{side}: debt {debt} of {limit}, {trp} TRP, {events} in hand, squadrons: {ships}", side=SIDE[side.side],
               debt=side.debt, limit=side.limit, trp=side.trp, events=count(side.hand, "{n} event", "{n} events"),
               ships=row(ships))
    yield text("  Ministries: {ministries}", ministries=row(up) if up else NONE)
    yield text("  Advantages: {advantages}", advantages=row(held) if held else NONE)


def _goods(seen: View) -> Iterator[Text]:
    britain, france = (seen.prestige[side] for side in SIDES)
    yield text("Prestige: Britain {britain}, France {france}", britain=britain, france=france)
    for heading, demand in ((template("In demand: {goods}"), True), (template("Not in demand: {goods}"), False)):
        goods = [text("{good} (Britain {britain}, France {france})", good=_called(good.good), britain=good.britain,
                      france=good.france) for good in seen.goods if good.in_demand == demand]
        yield text(heading, goods=row(goods) if goods else ())
    if seen.free_advantages:
        yield text("Advantages that nobody holds: {advantages}", advantages=_all(seen.free_advantages))


def _war(seen: View, strength: tuple[tuple[int, int], ...]) -> Iterator[Text]:
    war = _parts().war.get(seen.next_war)
    if war is None:
        return
    yield text("Next war: {war}" if seen.war is None else "War under way: {war}", war=war.name)
    settled = {result.theater: result for result in seen.war.results} if seen.war is not None else {}
    for n, theater in enumerate(war.theaters):
        if (result := settled.get(theater.number)) is not None:
            said = (text("{side} wins by {margin}", side=SIDE[result.winner], margin=result.margin) if result.winner else
                    text("nobody wins"))
        else:
            said = row(row([SIDE[side.side], *(both[m] for both in strength[n:n + 1]), *_lying(side, n)], " ")
                       for m, side in enumerate(seen.sides))
        yield text("  {theater}: {told}", theater=theater.name, told=said)


def _lying(side: SideView, n: int) -> Iterator[Text]:
    """How many tiles of a side lie face down in a theater."""
    if n < len(side.theaters) and (tiles := side.theaters[n].basic + side.theaters[n].bonus):
        yield count(tiles, "and {n} tile face down", "and {n} tiles face down")


def _own(seen: View) -> Iterator[Text]:
    """Yield what the seat whose view it is has, and nobody else sees."""
    if seen.seat is None:
        return
    if seen.own_hand:
        yield text("Your events: {events}", events=_all(seen.own_hand))
    side = next((one for one in seen.sides if one.seat == seen.seat), None)
    up = {ministry.card for ministry in side.ministries} if side is not None else set()
    if seen.own_ministries:
        cards = [_called(card) if card in up else text("{ministry} (face down)", ministry=_called(card))
                 for card in seen.own_ministries]
        yield text("Your ministries: {ministries}", ministries=row(cards))
    for n, theater in enumerate(side.theaters if side is not None else (), 1):
        if theater.tiles:
            yield text("Your tiles in theater {n}: {tiles}", n=n, tiles=_all(theater.tiles))
    if seen.own_drawn:
        yield text("You've just drawn {tiles}", tiles=_all(seen.own_drawn))


def _spaces(seen: View, region: str) -> Iterator[Text]:
    """Each side's spaces, then the empty ones and those that aren't in play yet."""
    here = [space for space in seen.spaces if space.region == region]
    for flag in ("britain", "france", "spain", "usa"):
        if own := [_short(space) for space in here if space.flag == flag]:
            yield text("  {side}: {spaces}", side=SIDE[flag], spaces=row(own))
    if empty := [_short(space) for space in here if not space.flag and space.open]:
        yield text("  Empty: {spaces}", spaces=row(empty))
    if shut := [space.name for space in here if not space.open]:
        yield text("  Not open yet: {spaces}", spaces=row(shut))


def _short(space: SpaceView) -> Text:
    """"Albany 3 EP Furs (conflict)"."""
    return _marked(space, row([space.name, *_price(space), *([_called(space.commodity)] if space.commodity else [])], " "))


def _price(space: SpaceView) -> Iterator[Text]:
    if space.cost is not None:
        yield text("{cost} {kind}", cost=space.cost, kind=PAID_WITH[space.type])


def _marked(space: SpaceView, said: Text) -> Text:
    """A space with the marks on it."""
    marks = [mark for mark, there in (
        (text("conflict"), space.conflict), (text("damaged"), space.damaged), (text("protected"), space.protected),
        (text("isolated"), space.isolated), (text("Huguenots"), bool(space.huguenots))) if there]
    return text("{space} ({marks})", space=said, marks=row(marks)) if marks else said


def space_line(space: SpaceView) -> Text:
    """A space: whose it is, its price, and the marks on it."""
    return _marked(space, text("{space}: {told}", space=space.name, told=row([SIDE[space.flag], *_price(space)])))


# --- in few words -----------------------------------------------------------------------------------------------

def news(seen: View) -> Iterator[Text]:
    """The table in some sentences, the most important first."""
    to_act = seen.round is not None and not seen.over
    yield text("{when}: {vp} VP. {side} to act." if to_act else "{when}: {vp} VP.", when=when(seen), vp=seen.vp,
               side=SIDE[seen.round.side if seen.round is not None else ""])
    for region in seen.regions:
        yield text("{region}.", region=_region(region))
    yield row([text("{side}: debt {debt} of {limit}, {trp} TRP.", side=SIDE[side.side], debt=side.debt, limit=side.limit,
                    trp=side.trp) for side in seen.sides], " ")
    if demand := [_called(good.good) for good in seen.goods if good.in_demand]:
        yield text("In demand: {goods}.", goods=tuple(demand))
