"""Chapter 12: what face-up ministries change in the rules of other chapters. They ask here; a face-down card changes nothing.

Abilities that a side uses by choice are in `rules.ministries`.
"""
from __future__ import annotations

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.state import ActionName, State
from engine.kernel import Game


def opened(g: Game[State], action: ActionName) -> None:
    """What an action of the round brings when it opens (M-24)."""


def free_debt(s: State, side: Side, kind: Points) -> int:
    """How much debt may still be taken as points of this kind in this turn without moving the marker (M-17)."""
    return 0


def debt_worth(s: State, side: Side, debt: int) -> int:
    """The action points that so much debt brings, taken now (M-23)."""
    return debt


def minor_may_unflag(s: State, side: Side, space: str) -> bool:
    """Whether a minor action may remove the opposing flag of this space though no conflict marker lies there (M-6, M-21)."""
    return False


def award_change(s: State, won: str, winner: Side) -> tuple[int, int]:
    """By how many VP and TRP a won award ("europe") or good ("cotton") pays more to its winner (M-3, M-12, M-18)."""
    return 0, 0


def award_given(g: Game[State], region: str) -> None:
    """What happens the moment somebody takes the award of a region (M-14)."""


def scoring_over(g: Game[State]) -> None:
    """What scores after everything else in the scoring phase (M-7)."""


def turn_over(g: Game[State], side: Side) -> None:
    """The abilities of a side that work at the end of a peace turn (M-2) [IS-4.11]."""
