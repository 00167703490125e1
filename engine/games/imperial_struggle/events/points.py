"""Facts of action points: pools, actions that open and close, debt and treaty points as such, purchases (chapter 5.5 to 5.9).

A purchase and its payment are one sentence: "Britain flags Cumberland for 3 EP (3 from debt): base 2 and plus 1 …".
"""
from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Literal

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.events.base import Fact
from engine.games.imperial_struggle.events.board import (
    AdvantageMoved,
    ConflictRemoved,
    FlagPlaced,
    FlagRemoved,
    FortRepaired,
    HuguenotsFlipped,
    SquadronMoved,
)
from engine.games.imperial_struggle.events.cards import AbilityUsed, AdvantageUsed
from engine.games.imperial_struggle.events.money import PointsGranted, Scored, TreatyPoints, victory_points
from engine.games.imperial_struggle.rules.prices import Price
from engine.games.imperial_struggle.state import ActionName, Modifier, Pool, State
from engine.text import Text, count, text

MEANWHILE = AbilityUsed, AdvantageUsed, HuguenotsFlipped, TreatyPoints, SquadronMoved, FlagRemoved     # told before a purchase

DRAWN = {"draw_event": text("an event"), "buy_bonus_tile": text("a bonus tile")}        # what a purchase draws, told afterwards


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
    """End the open action; what goes with it lapses."""
    now = s.current
    now.closed.append(now.open)
    for pool in now.pools:
        if lapses(s, pool):
            pool.points = 0
    now.open = ""


def lapses(s: State, pool: Pool) -> bool:
    """True if what is left of a pool lapses when the open action closes; a grant outlasts its own action [IS-5.6.5, 5.6.8]."""
    open = s.current.open
    return bool(open) and (pool.action == open or (open == f"event_{pool.kind}" and (
        pool.source == "exchange" or (pool.source == "grant" and s.rules_version < 2))))


class DebtTaken(Fact):
    """Debt chosen as action points; the free points of M-17 are not among `amount` [IS-9.2]."""

    side: Side
    amount: int
    points: int             # action points that it gives, free ones too
    ep: bool = False        # as economic points, of which the first of a turn are counted (M-17)

    def apply(self, s: State) -> None:
        s.own[self.side].debt += self.amount
        if self.ep:
            s.own[self.side].free_debt += self.points
        if s.round is not None:
            s.round.debt_taken += self.points

    def line(self) -> Text:
        if self.amount < self.points:
            return text("{side} takes {points} debt, {free} of it free.", side=self.side, points=self.points,
                        free=self.points - self.amount)
        return text("{side} takes {points} debt.", side=self.side, points=self.points)

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        points = text("{points} from debt", points=self.points)
        if self.amount < self.points:
            points = text("{credit}, {free} of it free", credit=points, free=self.points - self.amount)
        return _on_credit(self, following, (points,))


class TreatyPointsSpent(Fact):
    """Treaty points spent as action points [IS-10.2]."""

    side: Side
    amount: int

    def apply(self, s: State) -> None:
        s.own[self.side].trp -= self.amount

    def line(self) -> Text:
        return text("{side} spends {amount} TRP.", side=self.side, amount=self.amount)

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        return _on_credit(self, following, (text("{amount} from TRP", amount=self.amount),))


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
        return self.paid()

    def paid(self, credit: tuple[Text, ...] = ()) -> Text:
        """The payment alone; `credit` is what debt and treaty points have made up."""
        return text("{side} pays {price}.", side=self.side, price=self.price.text(credit, DRAWN.get(self.what)))

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        return self.told(following)

    def told(self, following: Sequence[Fact], credit: tuple[Text, ...] = ()) -> tuple[Sequence[Text], int]:
        """Return what was bought, with its price; before it whatever made it cheaper."""
        before = list[Text]()
        for number, event in enumerate(following):
            if (bought := self._bought(event)) is not None:
                gained = self._gained(following[number + 1:]) if self.price.plain else ()
                told = text("{bought} for {price}", bought=bought, price=self.price.text(credit))
                if gained:
                    told = text("{told} and gains {advantages:the}", told=told, advantages=gained)
                return (*before, text("{told}.", told=told)), number + 1 + len(gained)
            if (line := event.line()) is not None:
                if not isinstance(event, MEANWHILE):
                    break
                before.append(line)
        return (self.paid(credit),), 0

    def _gained(self, following: Sequence[Fact]) -> tuple[str, ...]:
        """The advantages that come with it."""
        moved = takewhile(lambda event: isinstance(event, AdvantageMoved) and event.side == self.side, following)
        return tuple(event.advantage for event in moved if isinstance(event, AdvantageMoved))

    def _bought(self, event: Fact) -> Text | None:
        """Return what this fact says the side has bought; None: something else has happened."""
        match self.what, event:
            case "flag", FlagPlaced():
                return text("{side} flags {space:the}", side=event.flag, space=event.space)
            case "unflag", FlagRemoved():
                return text("{side} takes {flag:possessive} flag off {space:the}", side=self.side, flag=event.flag,
                            space=event.space)
            case "build_fort", FlagPlaced():
                return text("{side} builds the fort of {space:the}", side=self.side, space=event.space)
            case "seize_fort", FlagPlaced():
                return text("{side} takes the fort of {space:the}", side=self.side, space=event.space)
            case "repair_fort", FortRepaired():
                return text("{side} repairs the fort of {space:the}", side=self.side, space=event.space)
            case "remove_conflict", ConflictRemoved():
                return text("{side} removes the conflict marker from {space:the}", side=self.side, space=event.space)
            case "buy_vp", Scored():
                return text("{side} buys {vp}", side=self.side, vp=victory_points(event.vp))
            case "exchange", PointsGranted():
                return text("{side} gets {points} {kind}", side=self.side, points=event.pool.points, kind=event.pool.kind)
            case "naval_bastion", SquadronMoved():
                return text("{side} sends {other:possessive} squadron from {origin:the} to {to}", side=self.side,
                            other=event.side,
                            origin=event.origin, to=event.to)
            case _, SquadronMoved(side=self.side):
                return event.sentence()
        return None


def _on_credit(credit: DebtTaken | TreatyPointsSpent, following: Sequence[Fact], points: tuple[Text, ...],
               ) -> tuple[Sequence[Text], int]:
    """Return what debt or treaty points have helped to buy; the sentence of the credit alone if nothing follows."""
    match following:
        case TreatyPointsSpent() as more, PurchaseMade() as purchase, *others:
            told, number = purchase.told(others, (*points, text("{amount} from TRP", amount=more.amount)))
            return told, number + 2
        case PurchaseMade() as purchase, *others:
            told, number = purchase.told(others, points)
            return told, number + 1
    return (credit.line(),), 0


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
