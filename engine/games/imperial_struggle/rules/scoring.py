"""Chapters 4.10 to 4.14: the end of a peace turn."""
from __future__ import annotations

from collections.abc import Mapping

from engine.games.imperial_struggle.components import REGIONS, SIDES, Side, foe
from engine.games.imperial_struggle.events.turns import AwardWon, Compared
from engine.games.imperial_struggle.rules import ministry_effects
from engine.games.imperial_struggle.rules.money import change_debt, gain_trp, score
from engine.games.imperial_struggle.rules.track import next_step
from engine.games.imperial_struggle.rules.victory import PRESTIGE_VP, check_points, check_sweep, final_scoring, leader
from engine.games.imperial_struggle.state import TURN_6, State
from engine.kernel import Game, Script

MOST_TRP = 4            # that are kept between turns [IS-4.10]


def scoring(g: Game[State]) -> Script[None]:
    """The phases after the action rounds: treaty points, remaining powers, scoring, victory check [IS-4.10 to 4.14]."""
    s = g.state
    yield from ()
    for side in SIDES:
        gain_trp(g, side, min(0, MOST_TRP - s.own[side].trp), "IS-4.10")
    for side in (s.first, foe(s.first)):
        ministry_effects.turn_over(g, side)
    for region in REGIONS:
        score_award(g, region)
    score_prestige(g)
    for good in s.parts.global_demand:
        if good.commodity in s.demand:
            score_good(g, good.commodity)
    ministry_effects.scoring_over(g)
    if check_sweep(g) or check_points(g):
        return
    if s.turn == TURN_6:
        final_scoring(g)
    else:
        next_step(g)


def award_winner(s: State, region: str, counts: Mapping[Side, int]) -> Side | None:
    """Who takes the award of a region by these flag counts [IS-4.12.1]."""
    tile, best = s.parts.award[s.awards[region]], leader(counts)
    return best if best is not None and counts[best] - counts[foe(best)] >= tile.margin_needed else None


def score_award(g: Game[State], region: str) -> None:
    """The award of a region [IS-4.12.1, 4.12.5]."""
    s = g.state
    counts = s.each_working(s.parts.by_region[region])
    tile, winner = s.parts.award[s.awards[region]], award_winner(s, region, counts)
    g.emit(AwardWon(region=region, tile=tile.id, winner=winner, britain=counts["britain"], france=counts["france"]))
    if winner is None:
        return
    vp, trp = ministry_effects.award_change(s, region, winner)
    score(g, winner, max(0, tile.vp + vp), region)
    gain_trp(g, winner, tile.trp + trp, region)
    ministry_effects.award_given(g, region)


def score_prestige(g: Game[State]) -> None:
    """Prestige [IS-4.12.2]."""
    s = g.state
    counts = s.each_working(s.parts.prestige)
    winner = leader(counts)
    g.emit(Compared(what="prestige", winner=winner, britain=counts["britain"], france=counts["france"]))
    if winner is not None:
        score(g, winner, PRESTIGE_VP, "prestige")


def score_good(g: Game[State], commodity: str, *, counts_for_sweep: bool = True) -> None:
    """One row of the global demand by the rewards of this era [IS-4.12.3, 4.12.4]; event 11 does so out of turn (R-52)."""
    s = g.state
    counts = s.each_working(s.parts.good[commodity].markets)
    winner = leader(counts)
    g.emit(Compared(what=commodity, winner=winner, good=counts_for_sweep, **counts))
    if winner is None:
        return
    reward = s.parts.good[commodity].rewards[s.era]
    vp, trp = ministry_effects.award_change(s, commodity, winner)
    score(g, winner, reward.vp + vp, commodity)
    gain_trp(g, winner, reward.trp + trp, commodity)
    change_debt(g, winner, reward.debt, commodity)
