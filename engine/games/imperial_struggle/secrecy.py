"""The secrets of a seat: what its private message says, and other secrets that fit in their place (chapter 17)."""
from __future__ import annotations

from dataclasses import replace

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.state import JACOBITES, State, by_number
from engine.kernel import Seat
from engine.text import Text, text

PARTS = {"major": text("major"), "minor": text("minor"), "grant": text("event"), "exchange": text("bought"),
         "attached": text("ministry")}
"""Where points of a round come from."""


def _has_secrets(s: State) -> bool:
    return s.phase not in ("setup", "sides") and (s.phase != "layout" or s.step > 0)


def private(s: State, seat: Seat) -> Text | None:
    """Return what a seat's private message says: its events, its ministries, its tiles in the next war [IS-17.1 to 17.3]."""
    if not _has_secrets(s):
        return None
    own = s.own[s.power(seat)]
    faces = tuple(text("{card}", card=card.card) if card.up else text("{card} (face down)", card=card.card)
                  for card in own.ministries)
    war = s.next_war
    told = text("Your events: {hand}. Your ministries: {faces}.", hand=tuple(own.hand) or text("none"),
                faces=faces or text("none"))
    if own.drawn:
        told = text("{told} Just drawn: {tiles}.", told=told, tiles=tuple(own.drawn))
    if war is None:
        return told
    tiles = tuple(text("{tiles} in {theater:the}", theater=theater.id, tiles=tuple(text("{tile}", tile=tile) for tile in there))
                  for theater, there in zip(war.theaters, own.tiles) if there)
    return text("{told} Your tiles: {tiles}.", told=told, tiles=tiles)


def purse(s: State, seat: Seat) -> Text | None:
    """Return what a seat can spend: points of the round under way, available debt, treaty points."""
    if not _has_secrets(s):
        return None
    side = s.power(seat)
    own = s.own[side]
    debt = text("up to {debt} more debt", debt=own.available) if own.available else text("no more debt")
    if s.round is not None and s.round.side == side:
        left = [(pool, pool.id if pool.source == "tile" else pool.source) for pool in s.round.pools if pool.points]
        points = tuple(text("{n} {kind} ({part})", n=pool.points, kind=pool.kind, part=PARTS[part]) for pool, part in left)
        if points:
            return text("{points} left · {debt} · {trp} TRP", points=points, debt=debt, trp=own.trp)
    if not own.available:
        return text("No more debt · {trp} TRP", trp=own.trp)
    return text("Up to {debt} more debt · {trp} TRP", debt=own.available, trp=own.trp)


def disguise(s: State, seat: Seat) -> None:
    """Give a seat another event, another face-down ministry and another tile in each theater: all that nobody else may know.

    Done several times it leads to other secrets each time.
    """
    if not _has_secrets(s):
        return
    side = s.power(seat)
    own, instead = s.own[side], dict[str, str]()
    if own.hand:
        _exchange(own.hand, 0, s.deck, instead)
    cards = _possible(s, side)
    following = dict(zip(cards, [*cards[1:], *cards[:1]]))
    own.ministries = by_number([minister if minister.up or minister.third
                                else replace(minister, card=following.get(minister.card, minister.card))
                                for minister in own.ministries])
    for there in own.tiles[s.war.theater if s.war is not None else 0:]:                 # those turned up are no secret
        for at, tile in enumerate(there):
            _exchange(there, at, own.basic_pool if s.parts.war_tile[tile].basic else own.bonus_pool, instead)
    if s.choice is not None and s.choice.side == side:
        s.choice.targets = [instead.get(target, target) for target in s.choice.targets]


def _exchange(held: list[str], at: int, pool: list[str], instead: dict[str, str]) -> None:
    """Exchange what is held with the first of its pool; what was held goes to the end of it."""
    if pool:
        given, held[at] = held[at], pool.pop(0)
        pool.append(given)
        instead[given] = held[at]


def _possible(s: State, side: Side) -> list[str]:
    """The ministries that could lie face down in the usual places of a side."""
    barred = {JACOBITES} if s.jacobite_defeat or s.third_ministry else set()
    return [card.id for card in s.parts.ministries_of[side]
            if s.era in card.eras and card.id not in barred and card.id not in s.own[side].up]
