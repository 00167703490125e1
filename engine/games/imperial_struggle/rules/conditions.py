"""Conditions of event cards and ministries (`event_conditions` in the data) and what their effects count (chapter 13).

Spaces under conflict markers are left out of what is counted, unless a card says otherwise (`without_conflict`, IS-24.8), but a
flag under one is still a flag [IS-13.14, R-24].
"""
from __future__ import annotations

from collections.abc import Iterable

from engine.games.imperial_struggle.components import Side, effects as fx, foe
from engine.games.imperial_struggle.rules.control import flag_count
from engine.games.imperial_struggle.rules.money import debt_lead
from engine.games.imperial_struggle.state import State


def holds(s: State, side: Side, wanted: fx.Condition) -> bool:
    """True if a condition holds on the board of this moment; `side` acts, unless the condition names another one."""
    who = (wanted.side if isinstance(wanted, fx.OfSide) else None) or side
    match wanted:
        case fx.Keyword():
            return s.shows(side, wanted.keyword) > 0
        case fx.DebtLead():
            return debt_lead(s, side) >= wanted.at_least
        case fx.MoreSpaces():
            return s.working(side, wanted.of) > s.working(foe(side), wanted.of)
        case fx.MoreFlags():
            return flag_count(s, who, wanted.region) > flag_count(s, foe(who), wanted.region)
        case fx.MoreOf():
            return _sum(s, side, wanted) > _sum(s, foe(side), wanted)
        case fx.MoreBonusTiles():
            return standing_bonus_tiles(s, side) > standing_bonus_tiles(s, foe(side))
        case fx.HoldsAdvantage():
            return s.holders.get(wanted.advantage) == side
        case fx.Controls():
            return s.works(who, wanted.space)
        case fx.ControlsAll():
            return s.working(who, wanted.spaces) == len(wanted.spaces)
        case fx.ControlsAny():
            return s.working(who, s.parts.country[wanted.country].spaces) > 0
        case fx.NoFlags():
            return not any(s.controls(who, space) for country in wanted.countries for space in s.parts.country[country].spaces)
        case fx.NoSquadrons():
            return not s.squadrons(who, [wanted.region])
        case fx.SquadronInRegion():
            return bool(s.squadrons(side, [wanted.region]))
    raise AssertionError(f"only a card that is being played knows: {wanted.kind}")


def counted(s: State, side: Side, wanted: int | fx.Count) -> int:
    """The number of an effect, fixed, or counted, bounded and rounded as it says (`count_of`, `points_of`)."""
    match wanted:
        case int():
            return wanted
        case fx.LocalAlliances():
            number = s.working(side, _local_alliances(s, wanted.region))
        case fx.ControlledSpaces():
            among = [space for space in s.parts.country[wanted.country].spaces if s.space(space).alliance or not wanted.alliance]
            number = s.working(side, among) if wanted.without_conflict else len(s.spaces_of(side, among))
        case fx.DebtDifference():
            number = s.own[foe(side)].debt - s.own[side].debt
        case fx.BuiltSquadrons():
            number = s.built(wanted.side)
    number = number * wanted.times // wanted.per
    return max(wanted.min, number if wanted.max is None else min(number, wanted.max))


def standing_bonus_tiles(s: State, side: Side) -> int:
    """The bonus tiles of a side in the theaters of the next war; on T6 there are none [IS-13.11, 13.13]."""
    if s.next_war is None:
        return 0
    return sum(len(s.bonus_tiles(side, theater.number)) for theater in s.next_war.theaters)


def _sum(s: State, side: Side, wanted: fx.MoreOf) -> int:
    """Squadrons, forts (damaged ones too) and local alliances of a side in a region."""
    among = {"squadrons": s.parts.of_type["naval"], "forts": s.parts.of_type["fort"],
             "local_alliances": _local_alliances(s, wanted.region)}
    return sum(s.works(side, space) for what in wanted.what for space in among[what]
               if s.space(space).region == wanted.region)


def _local_alliances(s: State, region: str) -> Iterable[str]:
    return [space for space in s.parts.by_region[region] if s.space(space).local_alliance]
