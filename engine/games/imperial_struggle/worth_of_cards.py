"""What events and ministries are worth to a side of Imperial Struggle, in victory points, from what the side knows."""
from __future__ import annotations

from collections.abc import Iterable

from engine.games.imperial_struggle.components import Points, Side, effects as fx, foe
from engine.games.imperial_struggle.components.cards import Ability, EventCard
from engine.games.imperial_struggle.judgement import DEBT, POINT, TREATY, Judgement
from engine.games.imperial_struggle.rules.conditions import counted, holds
from engine.games.imperial_struggle.rules.ministries import raised_by, uprising_vp
from engine.games.imperial_struggle.rules.playing import bonus_comes
from engine.games.imperial_struggle.state import Minister, State

SHIFT, CONTROL, MARKER, TILE, BUILT = 1.0, 1.6, 0.5, 1.0, 1.2       # a flag, control of a space, a conflict marker, ...
BOUND = 0.75                # of points that are good for some purchases alone
SOME = 0.6                  # any other effect
HOPED = 0.3                 # of a bonus whose condition doesn't hold now
KEYWORD = 0.15              # a keyword, for events that may still be drawn
REPEATED = 1.5              # how often an ability is used while the era lasts, from its first turn


def event(s: State, side: Side, card: EventCard, reveal: str = "") -> float:
    """Return what an event brings if it is played now, its bonus too if that comes."""
    half = card.half(side)
    total = _steps(s, side, half.base)
    return total + _steps(s, side, half.bonus) if half.bonus is not None and bonus_comes(s, side, card, reveal) else total


def kept(s: State, side: Side, card: EventCard) -> float:
    """Return what an event in hand is worth: as if played when it fits, its bonus as far as a ministry can bring it."""
    half, wanted = card.half(side), card.bonus_condition
    total = 0.6 * _steps(s, side, half.base)
    if half.bonus is None or wanted is None:
        return total
    sure = has_keyword(s, side, wanted.keyword) if isinstance(wanted, fx.Keyword) else holds(s, side, wanted)
    return total + (0.6 if sure else HOPED) * _steps(s, side, half.bonus)


def has_keyword(s: State, side: Side, keyword: str) -> bool:
    """Whether a ministry of a side shows a keyword, or would if it were turned up."""
    return any(keyword in s.parts.ministry[minister.card].keywords for minister in s.own[side].ministries)


def _steps(s: State, side: Side, steps: Iterable[fx.Effect]) -> float:
    return sum(_step(s, side, step) for step in steps)


def _step(s: State, side: Side, step: fx.Effect) -> float:
    if isinstance(step, fx.Step) and step.condition is not None and not _may_hold(s, side, step.condition):
        return 0.0
    match step:
        case fx.GrantPoints():
            return POINT * _number(s, side, step) * (BOUND if step.only_for is not None else 1)
        case fx.ScorePoints():
            return float(_number(s, side, step))
        case fx.PlaceConflict():
            return MARKER * _number(s, side, step)
        case fx.Unflag():
            return SHIFT * step.count
        case fx.ShiftOrTake():
            return CONTROL if step.op == "take_control" else SHIFT
        case fx.ChangeDebt() | fx.ChangeDebtLimit() | fx.ChangeTreatyPoints():
            gain = step.amount * (TREATY if isinstance(step, fx.ChangeTreatyPoints) else DEBT)
            gain = -gain if isinstance(step, fx.ChangeDebt) else gain
            return gain if step.who in ("self", side) else -gain
        case fx.DrawBonusTiles():
            return TILE
        case fx.ConstructSquadron():
            return BUILT
        case fx.ChooseOne():
            return max(_step(s, side, option) for option in step.options)
        case fx.If():
            return _steps(s, side, step.then if _may_hold(s, side, step.condition) else step.others)
    return SOME


def _may_hold(s: State, side: Side, wanted: fx.Condition) -> bool:
    return isinstance(wanted, (fx.WasAtDebtLimit, fx.PreviousStepDone)) or holds(s, side, wanted)


def _number(s: State, side: Side, step: fx.Counting) -> int:
    wanted = next((one for one in (step.points, step.count, step.points_of, step.count_of) if one is not None), 1)
    return counted(s, side, wanted)


# --- ministries ---------------------------------------------------------------------------------------------------

def appointed(mind: Judgement, cards: Iterable[str]) -> float:
    """Return what it is worth to lay these ministries: what they do, events in hand whose bonus they bring, the war to come."""
    s, side, laid = mind.s, mind.side, tuple(cards)
    before = [] if s.first_of_era else [minister for minister in mind.own.ministries if minister.up]
    own = mind.own.model_copy(update={"ministries": [*before, *(Minister(card=card, up=True) for card in laid)]})
    shown = s.model_copy(update={"own": {**s.own, side: own}})
    total = mind.value(shown) - mind.now
    repeated = REPEATED if s.first_of_era else 1.0
    total += sum(repeated * ability_worth(s, side, ability) for card in laid for ability in s.parts.ministry[card].abilities)
    keywords = {keyword for card in laid for keyword in s.parts.ministry[card].keywords}
    for card in mind.own.hand:
        known = s.parts.event[card]
        wanted, bonus = known.bonus_condition, known.half(side).bonus
        if isinstance(wanted, fx.Keyword) and wanted.keyword in keywords and bonus is not None:
            total += 0.8 * _steps(shown, side, bonus)
    return total + KEYWORD * len(keywords)


def ability_worth(s: State, side: Side, ability: Ability) -> float:
    """Return what an ability brings in a turn in which its ministry lies face up."""
    own, effect = s.own[side], ability.effect
    match ability.op:
        case "tile_bonus_ap":
            return POINT * raised_by(s, side, ability) * (2 if ability.limit == "each_action_round" else 1)
        case "attached_ap":
            return POINT * BOUND * int(effect["points"])
        case "change_debt" | "change_debt_limit":
            return DEBT
        case "squadron_price":
            wanted = ability.condition
            return 2 * POINT * BOUND if own.unbuilt and (wanted is None or holds(s, side, wanted)) else 0.2
        case "buy_vp":
            return max(0.0, uprising_vp(s) - 3 * POINT)
        case "free_debt":
            return DEBT * int(effect["count"])
        case "extra_ap":
            return POINT * (1.5 if ability.timing == "economic_actions" else 1)
        case "cost_modifier" | "minor_diplomacy_may_unflag" | "spend_mp_as_dp" | "townshend_marker":
            return 0.6 * POINT + _targets(s, side, ability)
        case "score_vp":
            held = [advantage for advantage in effect["per_unexhausted_advantage"] if s.holders.get(advantage) == side]
            return float(min(effect["max"], len(held)))
        case "change_trp" if "per_multi_space_country_with_own_prestige" in effect:
            return TREATY * min(int(effect["max"]), sum(any(s.parts.space[space].prestige and s.works(
                side, space) for space in s.parts.country[country].spaces)
                for country in effect["per_multi_space_country_with_own_prestige"]))
        case "change_trp":
            abroad = foe(side) if "opposing" in ability.timing else side
            return TREATY * min(2, sum(holder == abroad for holder in s.holders.values()))
        case "jacobite_defeat":
            return 0.5 + uprising_vp(s) / 2 if not s.jacobite_defeat else 0.0
        case "award_modifier":
            return 0.2                      # the rest is what it makes of the award
        case "event_type_waiver" | "event_symbol_waiver":
            return 0.15 * len(own.hand)
    return 0.3


def _targets(s: State, side: Side, ability: Ability) -> float:
    """Return what the spaces are worth whose price an ability changes: those that aren't one's own."""
    countries = ability.effect.get("countries", ())
    spaces = [*ability.effect.get("spaces", ()), *(space for country in countries for space in s.parts.country[country].spaces)]
    return 0.1 * min(4, sum(s.flags.get(space) != side and s.is_open(space) for space in spaces))


def kinds_of(ability: Ability) -> tuple[Points, ...] | None:
    """The points in whose actions an ability works; () if it works of itself or later, None if at any time of a round."""
    match ability.op:
        case "attached_ap":
            return (ability.effect["kind"],)
        case "squadron_price" | "spend_mp_as_dp" | "buy_vp":
            return ("MP",)
        case "free_debt" | "townshend_marker":
            return ("EP",)
        case "cost_modifier" | "minor_diplomacy_may_unflag" | "tile_bonus_ap":
            return ("DP",)
        case "extra_ap":
            return ("EP",) if ability.timing == "economic_actions" else ()
        case "draw_then_discard_event" | "change_debt_limit" | "place_huguenots" | "jacobite_defeat" | "refresh_huguenots":
            return None
    return ()
