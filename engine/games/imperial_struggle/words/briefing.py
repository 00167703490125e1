"""What a seat should know as its turn begins: what changed, demand, margins, strength in the next war, own chances.

It is for this seat alone: its own war tiles, cards and face-down ministries are in it, and nobody else's.
"""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.imperial_struggle.components import SIDES, Side, foe
from engine.games.imperial_struggle.rules.advantages import blocking
from engine.games.imperial_struggle.rules.control import flag_count, goods_count, prestige_count
from engine.games.imperial_struggle.rules.playing import bonus_comes, helpers
from engine.games.imperial_struggle.rules.theaters import bonus_strength
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.cards import condition
from engine.kernel import Seat
from engine.kernel.game_spec import Replay
from engine.text import Text, text


def briefing(story: Replay) -> tuple[Text, ...]:
    """Line by line, at the start of an own action round and while ministries are chosen; nothing at any other time."""
    s: State = story.end()
    if story.seat is None or not _begins(s, story.seat):
        return ()
    side = s.power(story.seat)
    known: State | None = story.known()
    news = tuple(_news(s, known, side)) if known is not None and s.round is not None else ()
    return (*news, *_scoring(s, side), *_war(s, side), *_chances(s, side))


def _begins(s: State, seat: Seat) -> bool:
    """True if an own action round begins, or the phases before the first one go on."""
    if s.phase == "peace":
        return bool(s.awards)
    return s.phase == "round" and s.round is not None and s.round.stage == "before" and s.seat(s.round.side) == seat


def _news(s: State, known: State, side: Side) -> Iterator[Text]:
    """Yield what the board has become since the reader's last answer."""
    other = foe(side)
    here = [space for space in s.parts.space if s.flags.get(space) != known.flags.get(space)]
    won = tuple(space for space in here if s.flags.get(space) == other)
    lost = tuple(space for space in here if known.flags.get(space) == side)
    marked = tuple(space for space in s.conflict if space not in known.conflict)
    if won:
        yield text("New flags of {side}: {spaces}.", side=other, spaces=won)
    if lost:
        yield text("You lost {spaces:the}.", spaces=lost)
    if marked:
        yield text("New conflict markers: {spaces}.", spaces=marked)
    if up := tuple(card for card in s.own[other].up if card not in known.own[other].up):
        yield text("{side} turned up {cards}.", side=other, cards=up)
    if s.vp != known.vp:
        yield text("The counter moved from {old} to {new} VP.", old=known.vp, new=s.vp)


def _pair(name: str, own: int, others: int) -> Text:
    return text("{name} {own}:{others}", name=name, own=own, others=others)


def _scoring(s: State, side: Side) -> Iterator[Text]:
    """Yield what this turn's scoring counts, the reader's number first."""
    other = foe(side)
    goods = tuple(_pair(good, goods_count(s, side, good), goods_count(s, other, good)) for good in s.demand)
    flags = tuple(_pair(region.id, flag_count(s, side, region.id), flag_count(s, other, region.id)) for region in s.parts.regions)
    prestige = _pair("prestige", prestige_count(s, side), prestige_count(s, other))
    yield text("{vp} VP. Flags, yours first: {counts}.", vp=s.vp, counts=(*flags, prestige))
    if goods:
        yield text("In demand: {goods}.", goods=goods)


def _war(s: State, side: Side) -> Iterator[Text]:
    """Yield what the reader knows of the strength in each theater of the next war: the board, and the own tiles."""
    war = s.next_war
    if war is None:
        return
    theaters = []
    for theater in war.theaters:
        board = {each: sum(line.amount for line in bonus_strength(s, theater, each)) for each in SIDES}
        tiles = s.own[side].tiles[theater.number - 1] if theater.number <= len(s.own[side].tiles) else []
        own = board[side] + sum(s.parts.war_tile[tile].strength for tile in tiles)
        theaters.append(_pair(theater.id, own, board[foe(side)]))
    yield text("Next war, with your tiles but without theirs: {theaters}.", theaters=tuple(theaters))


def _chances(s: State, side: Side) -> Iterator[Text]:
    """Yield what the reader holds and has not used: advantages, ministries, events whose bonus would come."""
    own = s.own[side]
    held = s.held_advantages(side)
    fresh = tuple(advantage for advantage in held if advantage not in s.exhausted and not blocking(s, advantage))
    if fresh:
        yield text("Advantages you can use: {advantages}.", advantages=fresh)
    if down := tuple(minister.card for minister in own.ministries if not minister.up):
        yield text("Face down: {cards}.", cards=down)
    if s.round is None and own.hand:
        yield text("Your events, with what their bonus needs: {cards}.",
                   cards=tuple([_with_condition(s, card) for card in own.hand]))
    if s.round is not None and (cards := tuple(card for card in own.hand if _has_bonus(s, side, card))):
        yield text("Events whose bonus would come now: {cards}.", cards=cards)


def _with_condition(s: State, id: str) -> Text:
    wanted = s.parts.event[id].bonus_condition
    return text("{event}", event=id) if wanted is None else text("{event} ({condition})", event=id, condition=condition(wanted))


def _has_bonus(s: State, side: Side, id: str) -> bool:
    """True if the bonus of an event would come with it now, by a ministry turned up for it if need be."""
    card = s.parts.event[id]
    return any(bonus_comes(s, side, card, helper) for helper in ("", *helpers(s, side, card)))
