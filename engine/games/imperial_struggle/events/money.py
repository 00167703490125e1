"""Facts of victory points, debt and treaty points, and of action points that a card brings (chapters 5.6, 9, 10, 16)."""
from __future__ import annotations

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.events.base import Fact
from engine.games.imperial_struggle.state import Pool, State
from engine.text import Text, count, text


def victory_points(vp: int) -> Text:
    return count(vp, "{n} VP", "{n} VP")


def treaty_points(trp: int) -> Text:
    return count(trp, "{n} TRP", "{n} TRP")


def _because(told: Text, source: str) -> Text:
    """A sentence with the card, the tile or the place that is the reason; a rule's number says nothing to a reader."""
    return text("{told}.", told=told) if source.startswith("IS-") else text("{told} ({source}).", told=told, source=source)


class Scored(Fact):
    """A side scores, or with a negative number loses, points by a card, a tile or a rule."""

    side: Side
    vp: int
    source: str

    def apply(self, s: State) -> None:
        s.vp += s.toward(self.side, self.vp)

    def line(self) -> Text:
        if self.vp < 0:
            return text("{side} loses {vp} ({source}).", side=self.side, vp=victory_points(-self.vp), source=self.source)
        return text("{side} scores {vp} ({source}).", side=self.side, vp=victory_points(self.vp), source=self.source)


class DebtForced(Fact):
    """Debt that an effect brings, up to the limit; the rest is lost, or gives the opponent points [IS-9.5]."""

    side: Side
    amount: int             # what the debt rises by
    excess: int = 0         # what the limit leaves no room for
    source: str

    def apply(self, s: State) -> None:
        s.own[self.side].debt += self.amount

    def line(self) -> Text:
        if self.excess and not self.amount:
            return text("{side} is at its debt limit, so its debt doesn't rise ({source}).", side=self.side,
                        source=self.source)
        if self.excess:
            return text("{side:possessive} debt rises by {amount} to its limit, with no room for {excess} more ({source}).",
                        side=self.side, amount=self.amount, excess=self.excess, source=self.source)
        return text("{side:possessive} debt rises by {amount} ({source}).", side=self.side, amount=self.amount,
                    source=self.source)


class DebtRepaid(Fact):
    side: Side
    amount: int
    source: str

    def apply(self, s: State) -> None:
        s.own[self.side].debt -= self.amount

    def line(self) -> Text:
        return _because(text("{side:possessive} debt falls by {amount}", side=self.side, amount=self.amount), self.source)


class LimitMoved(Fact):
    side: Side
    amount: int
    source: str

    def apply(self, s: State) -> None:
        s.own[self.side].limit += self.amount

    def line(self) -> Text:
        if self.amount < 0:
            return _because(text("{side:possessive} debt limit falls by {amount}", side=self.side, amount=-self.amount),
                            self.source)
        return _because(text("{side:possessive} debt limit rises by {amount}", side=self.side, amount=self.amount), self.source)


class TreatyPoints(Fact):
    """Treaty points come, or with a negative number go; never below 0 [IS-0.7, 10.1]."""

    side: Side
    amount: int
    source: str

    def apply(self, s: State) -> None:
        s.own[self.side].trp += self.amount

    def line(self) -> Text:
        if self.amount < 0:
            return text("{side} gives up {amount} TRP ({source}).", side=self.side, amount=-self.amount, source=self.source)
        return text("{side} gains {amount} TRP ({source}).", side=self.side, amount=self.amount, source=self.source)


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
