"""Chapters 14.3 to 14.6 as questions: who applies icons first, what they can hit, what lends strength."""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.imperial_struggle.components import SIDES, BothSides, Side, foe
from engine.games.imperial_struggle.components.wars import BonusStrength, Theater
from engine.games.imperial_struggle.rules.control import newly_isolated, sound_forts
from engine.games.imperial_struggle.state import State, StrengthLine

DOMINATED = 3           # the theater of its war in which Atlantic Dominance counts [IS-14.5.6]
BYNG, DOMINANCE = "byng", "atlantic_dominance"


def icon_order(s: State) -> tuple[Side, Side]:
    """The side nearer to its automatic victory, then the other one [IS-14.4.1]."""
    middle = s.parts.start.vp_start
    ahead = s.first if s.vp == middle else "france" if s.vp > middle else "britain"
    return ahead, foe(ahead)


# --- icons --------------------------------------------------------------------------------------------------------

def icon_targets(s: State, side: Side) -> dict[str, str]:
    """Return what a side can still hit in the theater under way, and with which of its tiles [IS-14.4.3 to 14.4.5].

    No space serves two icons: forts and naval spaces one of them, markets and political spaces the other.
    """
    regions = s.theater.regions
    able: dict[str, str] = {}
    for tile in s.fought.icons[side]:
        match s.parts.war_tile[tile].icon:
            case "fort_or_squadron":
                found = [*sound_forts(s, foe(side), regions), *s.squadrons(foe(side), regions)]
            case "unflag":
                found = _unflagged(s, side, regions)
            case _:
                continue
        able |= {space: able.get(space, tile) for space in found}
    return able


def _unflagged(s: State, side: Side, regions: tuple[str, ...]) -> list[str]:
    """The spaces that an unflag icon can hit: of markets only those whose loss isolates no other, if there are any."""
    found = [space for region in regions for space in s.parts.by_region[region]
             if s.flags.get(space, side) != side and space not in s.conflict]
    markets = [space for space in found if s.space(space).type == "market"]
    harmless = {space for space in markets if not newly_isolated(s, [space])} or set(markets)
    return [space for space in found if s.space(space).type == "political" or space in harmless]


# --- strength -----------------------------------------------------------------------------------------------------

def strength(s: State, theater: Theater, side: Side) -> list[StrengthLine]:
    """The strength of a side in a theater, line by line: its tiles turned up, then what the theater lists [IS-14.3, 14.5]."""
    shown = getattr(s.fought.shown, side)
    army = StrengthLine(source="tiles", amount=sum(s.parts.war_tile[tile].strength for tile in shown), of=tuple(shown))
    return [army, *bonus_strength(s, theater, side)]


def bonus_strength(s: State, theater: Theater, side: Side) -> list[StrengthLine]:
    """Return what a theater lists, as the board is now; for the next war it can be known before its tiles are [IS-14.5]."""
    lines = [StrengthLine(source=source, amount=len(found), of=tuple(found)) for source, found in
             (_counted(s, listed, side) for listed in theater.bonus_strength) if found]
    return [*lines, *special(s, theater, side)]


def _counted(s: State, listed: BonusStrength, side: Side) -> tuple[str, list[str]]:
    match listed.kind:
        case "country":
            return listed.country, [space for space in s.parts.country[listed.country].spaces
                                    if s.space(space).alliance and s.works(side, space)]
        case "keyword":
            return listed.keyword, [card for card in s.own[side].up if listed.keyword in s.parts.ministry[card].keywords]
        case "squadrons":
            return "squadrons", s.squadrons(side, listed.regions)
        case "forts":
            return "forts", sound_forts(s, side, listed.regions)
        case "conflict_markers":
            return "conflict_markers", [space for region in listed.regions for space in s.markers(region)
                                        if s.controls(foe(side), space)]
        case "space":
            return listed.space, [listed.space] if s.works(side, listed.space) else []


def special(s: State, theater: Theater, side: Side) -> Iterator[StrengthLine]:
    """Byng and Atlantic Dominance [IS-14.5.6]."""
    byng = side == "britain" and s.byng == theater.number
    dominance = side == s.atlantic_dominance and theater.number == DOMINATED
    for tile, there in ((BYNG, byng), (DOMINANCE, dominance)):
        if there:
            yield StrengthLine(source=tile, amount=s.parts.war_tile[tile].strength, of=(tile,))


def totals(s: State) -> BothSides:
    """The strength of both sides, as it was counted in the theater under way [IS-14.6]."""
    return BothSides(*[sum([line.amount for line in s.fought.lines[side]]) for side in SIDES])
