"""Chapters 9 and 10: victory points, debt and treaty points, as every effect books them."""
from __future__ import annotations

from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.events.money import DebtForced, DebtRepaid, LimitMoved, Scored, TreatyPoints
from engine.games.imperial_struggle.state import State
from engine.kernel import Game


def score(g: Game[State], side: Side, vp: int, source: str) -> None:
    """A side scores so many points, or loses them if the number is negative; 0 is no fact."""
    if vp:
        g.emit(Scored(side=side, vp=vp, source=source))


def force_debt(g: Game[State], side: Side, amount: int, source: str) -> None:
    """Debt that an effect brings: up to the limit; each point beyond is 1 VP for the opponent, but not against M-19 [IS-9.5]."""
    if amount <= 0:
        return
    taken = min(amount, g.state.own[side].available)
    g.emit(DebtForced(side=side, amount=taken, excess=amount - taken, source=source))
    if taken < amount and not g.state.in_force(side, "no_vp_for_excess_debt"):
        score(g, foe(side), amount - taken, "IS-9.5")


def repay(g: Game[State], side: Side, amount: int, source: str) -> int:
    """Lower a debt as far as there is any, and say by how much [IS-9.3, 9.7]."""
    paid = min(amount, g.state.own[side].debt)
    if paid > 0:
        g.emit(DebtRepaid(side=side, amount=paid, source=source))
    return max(0, paid)


def change_debt(g: Game[State], side: Side, amount: int, source: str) -> None:
    """Forced debt if positive, repayment if negative: as effects write it."""
    if amount > 0:
        force_debt(g, side, amount, source)
    else:
        repay(g, side, -amount, source)


def move_limit(g: Game[State], side: Side, amount: int, source: str) -> None:
    """Move a debt limit; it may fall below the debt [IS-9.4]."""
    g.emit(LimitMoved(side=side, amount=amount, source=source))


def gain_trp(g: Game[State], side: Side, amount: int, source: str) -> None:
    """Treaty points come, or go as far as there are any [IS-0.7, 10.1]."""
    amount = max(amount, -g.state.own[side].trp)
    if amount:
        g.emit(TreatyPoints(side=side, amount=amount, source=source))


def debt_lead(s: State, side: Side) -> int:
    """Own available debt less that of the opponent [IS-9.6]."""
    return s.own[side].available - s.own[foe(side)].available
