"""Facts of action points: pools, actions that open and close, purchases (chapter 5.5 to 5.9)."""
from __future__ import annotations

from typing import Literal

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.events.base import Fact
from engine.games.imperial_struggle.rules.prices import Price
from engine.games.imperial_struggle.state import ActionName, Modifier, Pool, State
from engine.text import Text, count, text


class PointsGranted(Fact):
    """A pool of action points comes [IS-5.6.2, 5.6.5]."""

    side: Side
    pool: Pool
    source: str

    def apply(self, s: State) -> None:
        s.current.pools.append(self.pool.copied())

    def line(self) -> Text:
        return text("{side} gains {points} {kind} ({source}).", side=self.side, points=self.pool.points, kind=self.pool.kind,
                    source=self.source)


class PointsAdded(Fact):
    """Points are added to a pool that is there [IS-5.6.11]."""

    side: Side
    pool: str
    points: int
    kind: Points
    source: str

    def apply(self, s: State) -> None:
        s.current.pool(self.pool).points += self.points

    def line(self) -> Text:
        return text("{side} gains {points} {kind} ({source}).", side=self.side, points=self.points, kind=self.kind,
                    source=self.source)


class ModifierGained(Fact):
    """Prices change until the round ends [IS-13.6]."""

    modifier: Modifier

    def apply(self, s: State) -> None:
        s.current.modifiers.append(self.modifier.copied())


class ActionOpened(Fact):
    """An action of the round begins; the one that was open closes, and its points lapse [IS-5.5.3, 5.5.5]."""

    side: Side
    action: ActionName
    kind: Points | None
    lapsed: tuple[tuple[str, int], ...] = ()            # pool and points that are given up

    def apply(self, s: State) -> None:
        now = s.current
        if now.open and s.options.strict_action_order:
            close(s)
        now.open, now.stage, now.event_over = self.action, "actions", True
        for pool in now.pools:
            if pool.source == "attached" and not pool.action and pool.kind == self.kind:
                pool.action = self.action

    def line(self) -> Text | None:
        lost = sum(points for _, points in self.lapsed)
        points = count(lost, "{n} action point", "{n} action points")
        return text("{side} gives up {points}.", side=self.side, points=points) if lost else None


class ActionClosed(Fact):
    """The open action ends; the minor action does with its purchase [IS-5.7.1]."""

    def apply(self, s: State) -> None:
        close(s)


def close(s: State) -> None:
    """End the open action; what goes with it lapses [IS-5.6.5, 5.6.8]."""
    now = s.current
    now.closed.append(now.open)
    for pool in now.pools:
        gone = pool.action == now.open or (now.open == f"event_{pool.kind}" and pool.source in ("grant", "exchange"))
        if gone:
            pool.points = 0
    now.open = ""


class PurchaseMade(Fact):
    """A purchase is paid; what it brings is told by the fact that follows."""

    side: Side
    what: str
    space: str
    action: ActionName
    price: Price
    pools: tuple[tuple[str, int], ...]                  # pool and points taken from it
    region: str                                         # in which the points were spent; "" for none
    left_over: int = 0                                  # of the extra point of M-23 (IS-5.9.5)

    def apply(self, s: State) -> None:
        now = s.current
        for id, points in self.pools:
            now.pool(id).points -= points
        paid = now.regions.setdefault(self.price.kind, [])
        if self.region and self.region not in paid and self.price.kind != "MP":
            paid.append(self.region)
        if self.what == "buy_bonus_tile":
            now.tiles_bought += 1
        if self.left_over:
            now.pools.append(Pool(id=f"M-23.{len(now.pools)}", kind=self.price.kind, points=self.left_over, start=self.left_over,
                                  source="attached", action=self.action))

    def line(self) -> Text:
        return text("{side} pays {price}.", side=self.side, price=self.price.text())


class PaidFirst(Fact):
    """The pool from which the player wants to pay first [IS-R-04]."""

    pool: str

    def apply(self, s: State) -> None:
        s.current.first = self.pool


class ModifierUsed(Fact):
    """A change of prices that serves for so many purchases has served for one [IS-R-26]."""

    source: str

    def apply(self, s: State) -> None:
        now = s.current
        for modifier in now.modifiers:
            if modifier.source == self.source:
                modifier.uses -= 1
        now.modifiers = [modifier for modifier in now.modifiers if modifier.source != self.source or modifier.uses > 0]


class Exchanged(Fact):
    """Points of this kind, and not of the other, are bought with MP in this round [IS-8.7]."""

    kind: Literal["EP", "DP"]

    def apply(self, s: State) -> None:
        s.current.exchanged = self.kind
