"""Which cards a seat can read about, and what it reads: what each does, and what it would do now at this board."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.games.imperial_struggle.actions.turns import eligible
from engine.games.imperial_struggle.components import SIDES, Side, foe
from engine.games.imperial_struggle.components.board import Space
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.components.wars import WarTile
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.cards import page
from engine.games.imperial_struggle.words.now import now
from engine.kernel import Seat
from engine.text import Text, count, template, text


def cards(s: State, seat: Seat) -> tuple[str, ...]:
    """The own events, ministries and advantages, the ministries among which to choose, and what the other side shows."""
    if s.phase in ("setup", "sides", "layout", "over"):
        return ()
    return tuple(dict.fromkeys(_cards(s, s.power(seat))))


def _cards(s: State, side: Side) -> Iterator[str]:
    own = s.own[side]
    yield from own.hand
    yield from (minister.card for minister in own.ministries)
    yield from s.held_advantages(side)
    if s.phase == "peace":
        yield from eligible(s, side)
    yield from s.own[foe(side)].up
    yield from s.held_advantages(foe(side))


PIECES: Mapping[str, Sequence[Text]] = {
    "squadron": (text("squadron"), text("Built for 4 MP into the Navy Box. Deployed to an empty naval space for 1 MP."),
                 text("Against an opposing squadron that costs 3 MP from the Navy Box, 2 MP from another naval space.")),
    "fort": (text("fort"), text("Built for its printed price in MP. While undamaged, it protects markets and counts in wars.")),
    "conflict_marker": (text("conflict marker"), text("Its space doesn't count for its side, and 1 point unflags it."))}
SPACES = {"political": template("{space}, a political space in {region:the}"),
          "market": template("{space}, a market in {region:the}"),
          "fort": template("{space}, a fort in {region:the}"), "naval": template("{space}, a naval space in {region:the}"),
          "territory": template("{space}, a territory in {region:the}")}
OPENS = {"empire": text("Opens in the Empire era."), "revolution": text("Opens in the Revolution era."),
         "turn_6": text("Opens on turn 6, if a United States flag is on the map.")}


def printed(s: State) -> Mapping[str, Sequence[Text]]:
    """Every event, ministry, advantage, tile, piece and space, with all that its printed side says; of an event both halves."""
    parts, found = s.parts, dict(PIECES)
    found |= {space.id: tuple(_space(parts, space)) for space in parts.spaces}
    first = [tile.id for n, tile in enumerate(parts.investment_tiles)
             if not {*parts.same_face[tile.id]} & {other.id for other in parts.investment_tiles[:n]}]
    found |= {id: tuple(_tile(parts, id)) for id in first}
    named: dict[str, list[WarTile]] = {}
    for tile in parts.bonus_tiles:
        if tile.name:
            named.setdefault(f"{tile.name} {tile.strength}", []).append(tile)
    found |= {tiles[0].id: (text("{tile}, {side}: {wars}", tile=tiles[0].id, side=tiles[0].side,
                                 wars=tuple([tile.war for tile in tiles])),) for tiles in named.values()}
    for card in parts.events:
        title, *british = page(parts, card.id, "britain")
        french = page(parts, card.id, "france")[1:]
        halves = [text("{side}: {what}", side=side, what=line) for side, half, other in (
            ("britain", british, french), ("france", french, british)) for line in half if line not in other]
        found[card.id] = (title, *halves, *(line for line in british if line in french))
    found |= {card.id: page(parts, card.id, card.side) for card in parts.ministries}
    return found | {tile.id: page(parts, tile.id, SIDES[0]) for tile in parts.advantages}


def _tile(parts: Parts, id: str) -> Iterator[Text]:
    tile, copies = parts.investment[id], 1 + len(parts.same_face[id])
    yield text("{tile}: {tiles}", tile=id, tiles=count(copies, "{n} investment tile", "{n} investment tiles"))
    if tile.event:
        yield text("You can play an event with it.")
    if tile.military_upgrade:
        yield text("It has the military upgrade: draw a basic war tile and keep it or one of yours in the next war.")


def _space(parts: Parts, space: Space) -> Iterator[Text]:
    yield text(SPACES[space.type], space=space.id, region=space.region)
    if space.cost is not None:
        yield text("Price: {n} {kind}.", n=space.cost, kind=space.cost_kind)
    if space.commodity:
        yield text("Good: {good}.", good=space.commodity)
    if space.prestige:
        yield text("It is a Prestige space.")
    if space.available_from in OPENS:
        yield OPENS[space.available_from]
    if space.advantages:
        yield text("Needed for {advantages:the}.", advantages=space.advantages)
    if joined := parts.joined[space.id]:
        yield text("Joined to {spaces:the}.", spaces=joined)
    fought = {theater.name: f"{war.id.lower()}:{theater.number}" for war in parts.wars for theater in war.theaters
              if any((one.war, one.theater) == (war.id, theater.number) for one in space.strength_in)}
    if fought:
        yield text("Adds 1 strength in {theaters:the}.", theaters=tuple(fought.values()))


def about(s: State, seat: Seat, id: str) -> tuple[Text, ...]:
    """Everything about a card, and below it what it would do now."""
    side = s.power(seat)
    reader: Side = foe(side) if id in s.own[foe(side)].up else side
    if reader != side:
        return page(s.parts, id, reader)
    first, *others = now(s, side, id) if s.phase == "round" else (text("It isn't an action round."),)
    return (*page(s.parts, id, side), text("**Now:** {what}", what=first), *others)
