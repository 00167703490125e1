"""Chapter 16: the ways of winning."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engine.games.imperial_struggle.components import REGIONS, SIDES, Side
from engine.games.imperial_struggle.events.turns import GameEnded
from engine.games.imperial_struggle.rules.control import goods_count, prestige_count
from engine.games.imperial_struggle.rules.money import debt_lead, score
from engine.games.imperial_struggle.state import State
from engine.kernel import Game

BRITAIN_WINS, FRANCE_WINS, MIDDLE = 0, 30, 15           # IS-16.1, 16.5
PRESTIGE_VP = 2                                         # IS-4.12.2, 16.4.1
MOST_FOR_DEBT = 4                                       # IS-16.4.2


def check_points(g: Game[State]) -> bool:
    """True if the counter has crossed a line at the end of a turn; the game is over then [IS-16.1]."""
    vp = g.state.vp
    if BRITAIN_WINS < vp < FRANCE_WINS:
        return False
    g.emit(GameEnded(winner="britain" if vp <= BRITAIN_WINS else "france", by="points"))
    return True


def check_sweep(g: Game[State]) -> bool:
    """True if a side has won all awards and all goods in demand of the scoring just held [IS-16.2, R-31]."""
    s = g.state
    for side in SIDES:
        if all(s.won_awards.get(region) == side for region in REGIONS) and all(
                s.won_goods.get(good) == side for good in s.demand):
            g.emit(GameEnded(winner=side, by="sweep"))
            return True
    return False


def check_war_sweep(g: Game[State]) -> bool:
    """True if a side has won every theater of the war under way in the highest row [IS-16.3]."""
    s = g.state
    assert s.war is not None, "no war is under way"
    for side in SIDES:
        if len(s.war.results) == len(s.parts.war[s.war.war].theaters) and all(
                result.winner == side and result.highest for result in s.war.results):
            g.emit(GameEnded(winner=side, by="war_sweep"))
            return True
    return False


def leader(counts: Mapping[Side, int]) -> Side | None:
    """Who has more; None if they are level [IS-0.6]."""
    britain, france = counts["britain"], counts["france"]
    return None if britain == france else "britain" if britain > france else "france"


def final_scoring(g: Game[State]) -> None:
    """The end after T6 [IS-16.4, 16.5]."""
    s = g.state
    if (side := leader({side: prestige_count(s, side) for side in SIDES})) is not None:
        score(g, side, PRESTIGE_VP, "prestige")
    lead = debt_lead(s, "britain")
    score(g, "britain" if lead > 0 else "france", min(MOST_FOR_DEBT, abs(lead) // 2), "available_debt")
    for good in s.parts.global_demand:
        side = leader({side: goods_count(s, side, good.commodity) for side in SIDES})
        if side is not None:
            score(g, side, 1, good.commodity)
    for scored in s.parts.final_scoring_territories:
        for territory in scored.territories:
            if s.flags.get(territory) == scored.scorer or (scored.usa_flag_counts and s.flags.get(territory) == "usa"):
                score(g, scored.scorer, scored.vp_each, territory)
    settle(g, "final_scoring")


def settle(g: Game[State], by: Literal["final_scoring", "first_war"]) -> None:
    """The game ends where the counter stands; in the middle more available debt wins, then Britain [IS-16.5]."""
    s = g.state
    if s.vp != MIDDLE:
        g.emit(GameEnded(winner="france" if s.vp > MIDDLE else "britain", by=by))
    else:
        g.emit(GameEnded(winner="france" if debt_lead(s, "france") > 0 else "britain", by="tie_break"))
