"""Chapter 12: what face-up ministries change in the rules of other chapters. They ask here; a face-down card changes nothing.

Abilities that a side uses by choice are in `rules.ministries`.
"""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.imperial_struggle.components import SIDES, Points, Side, foe
from engine.games.imperial_struggle.events.cards import ActionRaised
from engine.games.imperial_struggle.rules.conditions import holds
from engine.games.imperial_struggle.rules.money import change_debt, debt_lead, gain_trp, score
from engine.games.imperial_struggle.state import ActionName, State
from engine.kernel import Game


def raise_actions(g: Game[State]) -> None:
    """Add to the actions of the round what M-24 and M-26 bring, to each once, as soon as it is due [IS-5.6.11].

    The point of M-24 for an economic action of an event is good in that action alone, and not when its points join another one.
    """
    s = g.state
    if s.round is None or not s.round.tile:
        return
    now, side = s.round, s.round.side
    for ministry, ability in s.in_force(side, "extra_ap"):
        match ability.timing:
            case "economic_actions" if now.trade[side] > now.trade[foe(side)]:
                due = [way for way in _actions(s) if way[1] == "EP"]
            case "after_event_bonus" if now.bonus:
                due = [way for way in _actions(s) if way[0] in ("major", "minor")]
            case _:
                continue
        for action, kind in due:
            if action not in now.closed and f"{ministry.id} {action}" not in now.raised:
                g.emit(ActionRaised(side=side, ministry=ministry.id, action=action, kind=kind, points=ability.effect["points"]))


def _actions(s: State) -> Iterator[tuple[ActionName, Points]]:
    """The actions of the tile, and the economic one of an event or exchange, with their kinds [IS-5.5.5]."""
    now = s.current
    tile = s.parts.investment[now.tile]
    yield "major", tile.major.ap
    yield "minor", tile.minor.ap
    if any(pool.kind == "EP" and pool.source in ("grant", "exchange") and pool.start for pool in now.pools):
        yield "event_EP", "EP"


def free_debt(s: State, side: Side, kind: Points) -> int:
    """How much debt may still be taken as points of this kind in this turn without moving the marker (M-17) [IS-R-21]."""
    return sum(max(0, ability.effect["count"] - s.own[side].free_debt) for _, ability in s.in_force(side, "free_debt")
               if ability.effect["kind"] == kind)


def debt_worth(s: State, side: Side, debt: int) -> int:
    """The action points that so much debt brings, taken now: the first of a round may bring one more (M-23) [IS-R-23]."""
    if not debt or s.current.debt_taken or debt_lead(s, side) <= 0:
        return debt
    return debt + sum(int(ability.effect["points"]) for _, ability in s.in_force(side, "extra_ap")
                      if ability.timing == "when_taking_debt")


def open_to_minor(s: State, side: Side) -> set[str]:
    """The spaces whose opposing flag a minor action may remove though no conflict marker lies there (M-6, M-21)."""
    found = set[str]()
    if s.townshend and s.in_force(side, "townshend_marker"):
        found.update(s.parts.good[s.townshend].markets)
    for _, ability in s.in_force(side, "minor_diplomacy_may_unflag"):
        if ability.condition is not None and holds(s, side, ability.condition):
            found.update(set(s.parts.by_region[ability.effect["region"]]) - s.parts.markets)
    return found


def award_change(s: State, won: str, winner: Side) -> tuple[int, int]:
    """By how many VP and TRP a won award ("europe") or good ("cotton") pays more to its winner (M-3, M-12, M-18)."""
    vp = trp = 0
    for side in SIDES:
        for _, ability in s.in_force(side, "award_modifier"):
            effect = ability.effect
            if won in effect.get("awards", [effect.get("award")]):
                vp += effect.get("vp", 0) if winner == side else effect.get("opponent_vp", 0)
                trp += effect.get("trp", 0) if winner == side else 0
    return vp, trp


def award_given(g: Game[State], region: str) -> None:
    """What happens the moment somebody takes the award of a region (M-14) [IS-R-20]."""
    s = g.state
    for side in SIDES:
        for ministry, ability in s.in_force(side, "change_trp"):
            if ability.timing == f"scoring_{region}_award":
                countries = [country for country in ability.effect["per_multi_space_country_with_own_prestige"]
                             if s.working(side, (space for space in s.parts.country[country].spaces if s.space(space).prestige))]
                gain_trp(g, side, min(ability.effect["max"], len(countries)), ministry.id)


def scoring_over(g: Game[State]) -> None:
    """What scores after everything else in the scoring phase (M-7): each fresh advantage of a list that no marker blocks."""
    s = g.state
    for side in SIDES:
        for ministry, ability in s.in_force(side, "score_vp"):
            fresh = [advantage for advantage in ability.effect["per_unexhausted_advantage"]
                     if s.holders.get(advantage) == side and advantage not in s.exhausted
                     and not any(space in s.conflict for space in s.parts.advantage[advantage].connected_spaces)]
            score(g, side, min(ability.effect["max"], len(fresh)), ministry.id)


def turn_over(g: Game[State], side: Side) -> None:
    """The abilities of a side that work at the end of a peace turn (M-2) [IS-4.11]."""
    s = g.state
    for ministry, ability in s.in_force(side, "change_debt"):
        other = ability.effect["alternative"]
        more = s.working(side, s.parts.country[other["if_controls_any_country"]].spaces) > 0
        change_debt(g, side, other["amount"] if more else ability.effect["amount"], ministry.id)
