"""Chapter 13: which events a side can play, what that needs, and whether the bonus comes with it."""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.imperial_struggle.components import KIND_OF, Side
from engine.games.imperial_struggle.components.cards import EventCard
from engine.games.imperial_struggle.components.effects import Keyword, ScorePoints
from engine.games.imperial_struggle.rules.conditions import holds
from engine.games.imperial_struggle.state import State
from engine.refusals import Illegal


def keywords_of(s: State, side: Side, card: EventCard) -> set[str]:
    """The keywords for which a side may turn up a ministry as it plays a card [IS-13.5]."""
    pluses = [step.plus for step in card.half(side).bonus or () if isinstance(step, ScorePoints)]
    conditions = [card.bonus_condition, *(plus.condition for plus in pluses if plus is not None)]
    return {condition.keyword for condition in conditions if isinstance(condition, Keyword)}


def helpers(s: State, side: Side, card: EventCard) -> list[str]:
    """The face-down ministries that supply a keyword which the card asks for and the side does not show."""
    missing = {keyword for keyword in keywords_of(s, side, card) if not s.shows(side, keyword)}
    return [minister.card for minister in s.own[side].ministries
            if not minister.up and missing & set(s.parts.ministry[minister.card].keywords)]


def needs_symbol(s: State) -> bool:
    """True if the tile lacks the event symbol [IS-13.1]."""
    return not s.parts.investment[s.current.tile].event


def needs_kind(s: State, card: EventCard) -> bool:
    """True if the major action of the tile is not of the kind that the card names [IS-13.2]."""
    return card.required_major not in (None, s.parts.investment[s.current.tile].major.kind)


def waivers(s: State, side: Side, card: EventCard) -> list[str]:
    """The abilities by which a card can be played that cannot be played without them [M-8, M-25]; [""] if it needs none.

    An ability counts if its ministry lies face up and it is not used up in this turn.
    """
    symbol, kind = needs_symbol(s), needs_kind(s, card)
    if not symbol and not kind:
        return [""]
    if symbol and kind:
        return []
    return [ability.id for _, ability in s.in_force(side, "event_symbol_waiver" if symbol else "event_type_waiver")
            if s.fresh(side, ability.id) and ability.effect.get("event_major") in (None, card.required_major)]


def plays(s: State, side: Side) -> Iterator[tuple[str, str, str]]:
    """Every way to play an event now: the card, the ministry that is turned up for it, the ability that makes it possible."""
    if s.round is None or s.round.side != side or s.round.stage != "tile" or s.round.event_over:
        return
    for id in s.own[side].hand:
        card = s.parts.event[id]
        for waiver in waivers(s, side, card):
            for reveal in ("", *helpers(s, side, card)):
                yield id, reveal, waiver


def require_play(s: State, side: Side, event: str, reveal: str, waiver: str) -> None:
    """Raise Illegal unless a side can play this event so [IS-13.1, 13.2, 13.5]."""
    now = s.current
    if now.stage == "before":
        raise Illegal("Take a tile with the event symbol first.", rule="IS-13.1")
    if now.event:
        raise Illegal("You've already played {event} this round.", rule="IS-5.5.1", event=now.event)
    if now.event_over or now.stage != "tile":
        raise Illegal("An event comes before anything else on the tile.", rule="IS-5.5.1")
    if event not in s.own[side].hand:
        raise Illegal("{event} isn't in your hand.", rule="IS-13.1", event=event)
    card = s.parts.event[event]
    able = waivers(s, side, card)
    if waiver not in able:
        if "" in able:
            raise Illegal("This event needs no ability to be played now.", rule="IS-13.2")
        if needs_symbol(s):
            raise Illegal("Your tile has no event symbol.", rule="IS-13.1")
        assert card.required_major is not None, "only a kind can be missing then"
        raise Illegal("{event} needs a tile with {kind} as its major action.", rule="IS-13.2", event=event,
                      kind=KIND_OF[card.required_major])
    if reveal and reveal not in helpers(s, side, card):
        raise Illegal("Turning up {card} adds nothing to this event.", rule="IS-13.5", card=reveal)


def bonus_comes(s: State, side: Side, card: EventCard, reveal: str = "") -> bool:
    """True if the bonus of a card comes with it, tested before its base effect [IS-13.5]; `reveal` would be turned up for it."""
    wanted = card.bonus_condition
    if card.half(side).bonus is None or wanted is None:
        return False
    return holds(s, side, wanted) or bool(
        reveal and isinstance(wanted, Keyword) and wanted.keyword in s.parts.ministry[reveal].keywords)
