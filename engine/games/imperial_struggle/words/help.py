"""Which cards a seat can read about, and what it reads: what each does, and what it would do now at this board."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.games.imperial_struggle.actions.turns import eligible
from engine.games.imperial_struggle.components import SIDES, Side, foe
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.cards import page
from engine.games.imperial_struggle.words.now import now
from engine.kernel import Seat
from engine.text import Text, text


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


def printed(parts: Parts) -> Mapping[str, Sequence[Text]]:
    """Every event, ministry and advantage, with all that its printed side says; of an event both halves."""
    found: dict[str, Sequence[Text]] = {}
    for card in parts.events:
        title, *british = page(parts, card.id, "britain")
        french = page(parts, card.id, "france")[1:]
        halves = [text("{side}: {what}", side=side, what=line) for side, half, other in (
            ("britain", british, french), ("france", french, british)) for line in half if line not in other]
        found[card.id] = (title, *halves, *(line for line in british if line in french))
    found |= {card.id: page(parts, card.id, card.side) for card in parts.ministries}
    return found | {tile.id: page(parts, tile.id, SIDES[0]) for tile in parts.advantages}


def about(s: State, seat: Seat, id: str) -> tuple[Text, ...]:
    """Everything about a card, and below it what it would do now."""
    side = s.power(seat)
    reader: Side = foe(side) if id in s.own[foe(side)].up else side
    if reader != side:
        return page(s.parts, id, reader)
    first, *others = now(s, side, id) if s.phase == "round" else (text("It isn't an action round."),)
    return (*page(s.parts, id, side), text("**Now:** {what}", what=first), *others)
