"""Chapters 5.5 to 5.9: the actions of a round, the pools that pay, debt and treaty points beside them.

A purchase names what is bought and where. `Payments` says how it can be paid, `pay` pays for it; the caller then does what was
bought. `grant`, `attach` and `add` bring points of cards.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.events.money import PointsAdded, PointsGranted
from engine.games.imperial_struggle.events.points import (
    ActionClosed,
    ActionOpened,
    DebtTaken,
    PurchaseMade,
    TreatyPointsSpent,
    lapses,
)
from engine.games.imperial_struggle.rules import ministry_effects
from engine.games.imperial_struggle.rules.prices import Price
from engine.games.imperial_struggle.state import ActionName, Limit, Pool, State
from engine.kernel import Game
from engine.refusals import Illegal
from engine.text import Text, count, text

What: TypeAlias = Literal["flag", "unflag", "draw_event", "buy_bonus_tile", "remove_conflict", "build_fort", "repair_fort",
                          "seize_fort", "construct_squadron", "deploy_squadron", "exchange", "buy_vp", "naval_bastion"]
EVENT_ACTIONS: Mapping[Points, ActionName] = {"EP": "event_EP", "DP": "event_DP", "MP": "event_MP"}
EVENT_KINDS: Mapping[str, Points] = {action: kind for kind, action in EVENT_ACTIONS.items()}
ORDER = {"grant": 0, "exchange": 1, "attached": 2, "tile": 3}           # limited points first, tile points last [IS-R-04]


ENOUGH = ((0, 0),)      # debt and treaty points where the pools alone pay


class Purchase(NamedTuple):
    """What is bought, and where: "" if it lies in no region [IS-5.6.10]."""

    what: What
    kind: Points
    space: str = ""


Way: TypeAlias = tuple[ActionName, int, int]            # the action that pays, debt and treaty points beside its pools


# --- points that come ---------------------------------------------------------------------------------------------

def grant(g: Game[State], kind: Points, points: int, source: str, limit: Limit | None = None) -> None:
    """Points of an event, for this round [IS-5.6.2]; 0 opens nothing [IS-5.6.9]."""
    _bring(g, kind, points, source, limit, "grant", "")


def attach(g: Game[State], kind: Points, points: int, source: str, limit: Limit | None = None) -> None:
    """Points that go with the open action of their kind, or with the next one that opens [IS-5.6.5]."""
    now = g.state.current
    _bring(g, kind, points, source, limit, "attached", now.open if now.open and kind_of(g.state, now.open) == kind else "")


def _bring(g: Game[State], kind: Points, points: int, source: str, limit: Limit | None,
           sort: Literal["grant", "attached", "exchange"], action: ActionName) -> None:
    if points > 0:
        now = g.state.current
        pool = Pool(id=f"{source}.{len(now.pools)}", kind=kind, points=points, start=points, source=sort, action=action,
                    limit=limit)
        g.emit(PointsGranted(side=now.side, pool=pool, source=source))


def add(g: Game[State], pool: Literal["major", "minor"], points: int, source: str) -> None:
    """Points added to an action of the tile, if it is not closed [IS-5.6.11]."""
    now = g.state.current
    if points > 0 and pool not in now.closed:
        g.emit(PointsAdded(side=now.side, pool=pool, points=points, kind=now.pool(pool).kind, source=source))


def exchanged(g: Game[State], kind: Points, points: int) -> None:
    """Points of another kind bought with MP on T6 [IS-8.7]."""
    _bring(g, kind, points, "exchange", None, "exchange", "")


# --- actions of the round -----------------------------------------------------------------------------------------

def kind_of(s: State, action: ActionName) -> Points | None:
    """The kind of points of an action; None for the upgrade, and while no tile is taken."""
    if (kind := EVENT_KINDS.get(action)) is not None:
        return kind
    tile = s.parts.investment.get(s.current.tile)
    if tile is None or action not in ("major", "minor"):
        return None
    return (tile.major if action == "major" else tile.minor).ap


def actions_of(s: State, kind: Points) -> tuple[ActionName, ...]:
    """The actions of this kind that are open or can still open, those of the tile first [IS-5.5.5]."""
    now = s.current
    closed, found = now.closed, s.parts.spending.get((now.tile, kind), ())
    if closed and found:
        found = tuple([action for action in found if action not in closed])
    for pool in now.pools:
        if pool.source in ("grant", "exchange") and pool.kind == kind and pool.start:
            action = EVENT_ACTIONS[kind]
            return found if action in closed else (*found, action)
    return found


def open_action(g: Game[State], action: ActionName) -> None:
    """Open an action of the round; the one that was open closes [IS-5.5.3]."""
    now = g.state.current
    if now.open == action:
        return
    lapsed = tuple(lapsing(g.state, action)) if now.open else ()
    g.emit(ActionOpened(side=now.side, action=action, kind=kind_of(g.state, action), lapsed=lapsed))


def given_up(s: State, action: ActionName) -> Text | None:
    """The warning before points are given up by opening another action [IS-5.5.5]; None if none are.

    Points of an event count if no action is left that could spend them.
    """
    lost = sum(points for _, points in lapsing(s, action)) + sum(_stranded(s, action))
    if not lost:
        return None
    return text("This ends your open action ({action}): {lapse}.", action=s.current.open,
                lapse=count(lost, "{n} point of it lapses", "{n} points of it lapse"))


def lapsing(s: State, action: ActionName) -> Iterator[tuple[str, int]]:
    now = s.current
    if not now.open or now.open == action or not s.options.strict_action_order:
        return
    for pool in now.pools:
        if pool.points and lapses(s, pool):
            yield pool.id, pool.points


def _stranded(s: State, action: ActionName) -> Iterator[int]:
    """The points of an event that no action could spend any more if this action opens, by pool."""
    now = s.current
    if now.open and now.open != action and s.options.strict_action_order:
        for pool in now.pools:
            if pool.source == "grant" and pool.points and not lapses(s, pool) and {*actions_of(s, pool.kind)} <= {now.open}:
                yield pool.points


# --- paying -------------------------------------------------------------------------------------------------------

def fits(s: State, pool: Pool, purchase: Purchase) -> bool:
    """True if the points of a pool may pay for a purchase [IS-5.6.3, 5.6.10]."""
    limit = pool.limit
    if limit is None:
        return True
    here = s.space(purchase.space) if purchase.space else None
    if limit.uses and not any(_is_use(s, purchase, use) for use in limit.uses):
        return False
    return (
        (not limit.action or (purchase.what in ("flag", "unflag") if limit.action == "shift" else purchase.what == limit.action))
        and (not limit.types or (here is not None and here.type in limit.types))
        and (not limit.region or (here is not None and here.region == limit.region))
        and (not limit.countries or (here is not None and here.country in limit.countries))
        and (not limit.adjacent_to_market_of or (here is not None and any([
            s.works(limit.adjacent_to_market_of, other) for other in s.parts.joined_markets[here.id]]))))


def _is_use(s: State, purchase: Purchase, use: str) -> bool:
    """True if a purchase is one of the named uses of attached points (`attached_ap` in the data)."""
    if use.startswith("shift_"):
        here = s.space(purchase.space) if purchase.space else None
        if here is None or here.type != "political" or purchase.what not in ("flag", "unflag"):
            return False
        return not here.prestige if use == "shift_non_prestige_political" else here.country in ("scotland", "ireland")
    return purchase.what == use


def paying(s: State, purchase: Purchase, action: ActionName) -> list[Pool]:
    """The pools that may pay for a purchase of this action, in the order in which they are used [IS-R-04]."""
    able, first = _able(s, purchase, action), s.current.first
    if len(able) > 1:
        able.sort(key=lambda pool: (pool.id != first, pool.limit is None, ORDER[pool.source]))
    return able


def _able(s: State, purchase: Purchase, action: ActionName) -> list[Pool]:
    return [pool for pool in s.current.pools if pool.points and pool.kind == purchase.kind and serves(s, pool, action)
            and fits(s, pool, purchase)]


def serves(s: State, pool: Pool, action: ActionName) -> bool:
    """True if a pool, whatever its limit, may pay for purchases of an action that is open or opens with them."""
    match pool.source:
        case "tile":
            return pool.action == action
        case "attached":
            return pool.action in ("", action)
        case "exchange" if s.rules_version < 2:
            return action != "minor"
        case "exchange":                    # lost if another action opens beside its own
            return action != "minor" and (action == s.current.open or not (s.options.strict_action_order and lapses(s, pool)))
    return s.rules_version > 1 or f"event_{pool.kind}" not in s.current.closed         # a grant joins any action of its kind


class Payments:
    """How a side can pay for purchases in one position: asked for many of them, it works out each sum once."""

    def __init__(self, s: State, side: Side) -> None:
        now = s.current
        self.s, self.side, self.bound = s, side, now.bound
        self.limited = [pool for pool in now.pools if pool.limit is not None]
        self.tells_apart = bool(self.limited or self.bound)
        self._known: dict[tuple[object, ...], tuple[Way, ...]] = {}
        self._have: dict[tuple[object, ...], int] = {}
        self._lent: dict[Points, tuple[int, int]] = {}

    def ways(self, what: What, kind: Points, space: str, total: int, actions: tuple[ActionName, ...]) -> tuple[Way, ...]:
        """How a purchase of this price can be paid by these actions, one after the other: with which action, debt and TRP.

        Debt and TRP are taken beside the pools, no more than it lacks [IS-5.9.5]. Where no points have a limit, all purchases
        of one price are paid alike.
        """
        alike = self._alike(Purchase(what, kind, space)) if self.tells_apart else ()
        key = kind, total, actions, alike
        if (found := self._known.get(key)) is None:
            purchase = Purchase(what, kind, space)
            found = self._known[key] = tuple([
                (action, debt, trp) for action in actions for debt, trp in self._beside(purchase, total, action, alike)])
        return found

    def _alike(self, purchase: Purchase) -> tuple[bool, ...]:
        """Return what tells apart how purchases of one kind and price can be paid."""
        return (self._leaves(purchase), *[fits(self.s, pool, purchase) for pool in self.limited])

    def _leaves(self, purchase: Purchase) -> bool:
        """True if a purchase lies outside the region in which the major action must stay [M-22]."""
        return bool(self.bound) and (not purchase.space or self.s.space(purchase.space).region != self.bound)

    def _beside(self, purchase: Purchase, total: int, action: ActionName, alike: tuple[bool, ...]) -> tuple[tuple[int, int], ...]:
        s = self.s
        if action == "major" and self._leaves(purchase):
            return ()
        key = purchase.kind, action, alike
        have = self._have.get(key)
        if have is None:
            have = self._have[key] = sum([pool.points for pool in _able(s, purchase, action)])
        lacks = total - have
        if lacks <= 0:
            return ENOUGH
        if action in EVENT_KINDS and not any(
                pool.kind == purchase.kind and pool.source in ("grant", "exchange") and pool.start and fits(s, pool, purchase)
                for pool in s.current.pools):
            return ()                                               # IS-5.6.4
        most, more = self._debt(purchase.kind)
        return _sums(lacks, most, more, s.own[self.side].trp)

    def _debt(self, kind: Points) -> tuple[int, int]:
        """How much debt can be taken as points of this kind, and how many points more than its amount it brings."""
        known = self._lent.get(kind)
        if known is None:
            s, side = self.s, self.side
            most = s.own[side].available + ministry_effects.free_debt(s, side, kind)
            known = self._lent[kind] = most, ministry_effects.debt_worth(s, side, 1) - 1 if most else 0
        return known


@lru_cache(maxsize=4096)
def _sums(lacks: int, most_debt: int, more: int, most_trp: int) -> tuple[tuple[int, int], ...]:
    """How debt and treaty points together make up what is lacking; debt brings so many points more than its amount, if any."""
    found, less = list[tuple[int, int]](), 0                        # `less`: what the debt one smaller brings
    for debt in range(min(most_debt, lacks) + 1):
        worth = debt + more if debt else 0
        trp = max(0, lacks - worth)
        if trp <= most_trp and (not debt or less + trp < lacks):
            found.append((debt, trp))
        less = worth
    return tuple(found)


def in_turn(s: State, advantage: str = "") -> bool:
    """True if a purchase can be made now: an advantage that an event has brought into use comes first [IS-11.12]."""
    return s.round is not None and s.round.stage in ("tile", "actions") and s.round.owed in ("", advantage)


def require_turn(s: State, advantage: str = "") -> None:
    """Raise Illegal unless a purchase can be made now."""
    if s.current.stage == "before":
        raise Illegal("Take a tile first.", rule="IS-5.3")
    if not in_turn(s, advantage):
        raise Illegal("The purchase with {advantage} comes first.", rule="IS-11.12", advantage=s.current.owed)


def require_way(s: State, side: Side, purchase: Purchase, price: Price, action: ActionName, debt: int, trp: int) -> None:
    """Raise Illegal unless this debt and these treaty points pay for a purchase of this action."""
    if action not in actions_of(s, purchase.kind):
        raise Illegal("You have no action left that spends {kind}.", rule="IS-5.9.2", kind=purchase.kind)
    found = Payments(s, side).ways(*purchase, price.total, (action,))
    if (action, debt, trp) in found:
        return
    have = sum(pool.points for pool in paying(s, purchase, action))
    if not found:
        raise Illegal("This costs {price}. You have {have} {kind} for it, {debt} available debt and {trp} TRP.", rule="IS-5.9.1",
                      price=price.text(), have=have, kind=purchase.kind, debt=s.own[side].available, trp=s.own[side].trp)
    raise Illegal("This costs {price}. You have {have} {kind} for it, so debt and TRP must make up {lacks}.", rule="IS-5.9.5",
                  price=price.text(), have=have, kind=purchase.kind, lacks=max(0, price.total - have))


def pay(g: Game[State], side: Side, purchase: Purchase, price: Price, action: ActionName, debt: int, trp: int) -> None:
    """Pay for a purchase, and open its action if it is not open; the minor action closes with it [IS-5.5.5, 5.7.1]."""
    open_action(g, action)
    s = g.state
    left, taken = price.total, []
    for pool in paying(s, purchase, action):
        points = min(left, pool.points)
        if points:
            taken.append((pool.id, points))
            left -= points
    worth = ministry_effects.debt_worth(s, side, debt)
    if debt:
        free = min(debt, ministry_effects.free_debt(s, side, purchase.kind))
        g.emit(DebtTaken(side=side, amount=debt - free, points=debt, ep=purchase.kind == "EP"))
    if trp:
        g.emit(TreatyPointsSpent(side=side, amount=trp))
    region = s.space(purchase.space).region if purchase.space else ""
    g.emit(PurchaseMade(side=side, what=purchase.what, space=purchase.space, action=action, price=price, pools=tuple(taken),
                        region=region, left_over=worth + trp - left))
    if action == "minor":
        g.emit(ActionClosed())
