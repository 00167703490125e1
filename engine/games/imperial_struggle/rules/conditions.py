"""Conditions of event cards and ministries (`event_conditions` in the data) and what their effects count (chapter 13).

Spaces under conflict markers are left out of what is counted, unless a card says otherwise (`without_conflict`, IS-24.8), but a
flag under one is still a flag [IS-13.14, R-24].
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.rules.control import flag_count
from engine.games.imperial_struggle.rules.money import debt_lead
from engine.games.imperial_struggle.state import State


def holds(s: State, side: Side, wanted: Mapping[str, Any]) -> bool:
    """Whether a condition holds on the board of this moment; `side` acts, unless the condition names another one."""
    who: Side = wanted.get("side", side)
    match wanted["kind"]:
        case "keyword" | "keyword_revealed":
            return s.shows(side, wanted["keyword"]) > 0
        case "available_debt_lead":
            return debt_lead(s, side) >= int(wanted["at_least"])
        case "more_spaces":
            return s.working(side, wanted["of"]) > s.working(foe(side), wanted["of"])
        case "more_flags":
            return flag_count(s, who, wanted["region"]) > flag_count(s, foe(who), wanted["region"])
        case "more_of":
            return _sum(s, side, wanted) > _sum(s, foe(side), wanted)
        case "more_bonus_tiles_in_next_war":
            return standing_bonus_tiles(s, side) > standing_bonus_tiles(s, foe(side))
        case "holds_advantage":
            return s.holders.get(wanted["advantage"]) == side
        case "controls":
            return s.works(who, wanted["space"])
        case "controls_all":
            return s.working(who, wanted["spaces"]) == len(wanted["spaces"])
        case "controls_any":
            return s.working(who, s.parts.country[wanted["country"]].spaces) > 0
        case "no_flags":
            return not any(s.controls(who, space) for country in wanted["countries"] for space in s.parts.country[country].spaces)
        case "no_squadrons":
            return not s.squadrons(who, [wanted["region"]])
        case "squadron_in_region":
            return bool(s.squadrons(side, [wanted["region"]]))
    raise AssertionError(f"no condition is called {wanted['kind']}")


def counted(s: State, side: Side, wanted: Mapping[str, Any]) -> int:
    """What an effect counts, bounded and rounded as it says (`count_of`, `points_of`)."""
    who: Side = side if wanted.get("side") not in ("britain", "france") else wanted["side"]
    match wanted["count"]:
        case "controlled_local_alliances":
            number = s.working(who, _local_alliances(s, wanted["region"]))
        case "controlled_spaces":
            among = [space for space in s.parts.country[wanted["country"]].spaces
                     if s.space(space).alliance or not wanted.get("alliance")]
            number = s.working(who, among) if wanted.get("without_conflict", True) else len(s.spaces_of(who, among))
        case "current_debt_difference":
            number = s.own[foe(side)].debt - s.own[side].debt
        case "built_squadrons":
            number = s.built(who)
        case _:
            raise AssertionError(f"nothing counts {wanted['count']}")
    number = number * int(wanted.get("times", 1)) // int(wanted.get("per", 1))
    return max(int(wanted.get("min", 0)), min(number, int(wanted.get("max", number))))


def standing_bonus_tiles(s: State, side: Side) -> int:
    """The bonus tiles of a side in the theaters of the next war; on T6 there are none [IS-13.11, 13.13]."""
    if s.next_war is None:
        return 0
    return sum(len(s.bonus_tiles(side, theater.number)) for theater in s.next_war.theaters)


def _sum(s: State, side: Side, wanted: Mapping[str, Any]) -> int:
    """Squadrons, forts (damaged ones too) and local alliances of a side in a region."""
    among = {"squadrons": s.parts.of_type["naval"], "forts": s.parts.of_type["fort"],
             "local_alliances": _local_alliances(s, wanted["region"])}
    return sum(s.works(side, space) for what in wanted["what"] for space in among[what]
               if s.space(space).region == wanted["region"])


def _local_alliances(s: State, region: str) -> Iterable[str]:
    return [space for space in s.parts.by_region[region] if s.space(space).local_alliance]
