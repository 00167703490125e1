"""Purchases in few words, for tests: by the major action and without debt unless said otherwise."""
from __future__ import annotations

import re

from engine.games.imperial_struggle.actions.military import BuildSquadron, BuyTile, ClearConflict, Deploy, Exchange, Fortify
from engine.games.imperial_struggle.actions.shifts import ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.events.points import PurchaseMade
from tests.games.imperial_struggle.scene import Scene


def market(space: str, action: str = "major", advantage: str = "", huguenots: str = "", debt: int = 0,
           trp: int = 0) -> ShiftMarket:
    return ShiftMarket.of(space, action, advantage, huguenots, debt, trp)


def politics(space: str, action: str = "major", advantage: str = "", debt: int = 0, trp: int = 0) -> ShiftPolitical:
    return ShiftPolitical.of(space, action, advantage, debt, trp)


def deploy(to: str, origin: str = "navy_box", action: str = "major", debt: int = 0, trp: int = 0) -> Deploy:
    return Deploy.of(origin, to, action, debt, trp)


def build(aid: str = "", action: str = "major", debt: int = 0, trp: int = 0) -> BuildSquadron:
    return BuildSquadron.of(aid, action, debt, trp)


def fort(space: str, action: str = "major", debt: int = 0, trp: int = 0) -> Fortify:
    return Fortify.of(space, action, debt, trp)


def clear(space: str, action: str = "major", debt: int = 0, trp: int = 0) -> ClearConflict:
    return ClearConflict.of(space, action, debt, trp)


def buy_tile(action: str = "major", debt: int = 0, trp: int = 0) -> BuyTile:
    return BuyTile.of(action, debt, trp)


def exchange(kind: str, action: str = "major", debt: int = 0, trp: int = 0) -> Exchange:
    return Exchange.of(kind, action, debt, trp)


def costs(at: Scene) -> list[int]:
    """What each purchase has cost so far, in points."""
    return [purchase.price.total for purchase in at.events(PurchaseMade)]


def paid(at: Scene) -> list[str]:
    """What each purchase has cost so far, without the numbers of the rules."""
    return [re.sub(r" \(IS-[^)]*\)", "", at.said(purchase.line())) for purchase in at.events(PurchaseMade)]
