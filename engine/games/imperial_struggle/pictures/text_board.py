"""The table in words: for the command line, and in few words for screen readers."""
from __future__ import annotations

from engine.games.imperial_struggle.view import SideView, SpaceView, View
from engine.text.english import counted

SIDE = {"britain": "Britain", "france": "France", "spain": "Spain", "usa": "United States", "": "nobody"}
REGION = {"europe": "Europe", "north_america": "North America", "caribbean": "Caribbean", "india": "India"}


def board(seen: View) -> str:
    """The whole table, one line for each thing."""
    lines = [f"{seen.title}, {seen.turn} ({seen.era}): {seen.vp} VP", *(_side(side) for side in seen.sides)]
    lines.append("In demand: " + (", ".join(good.good for good in seen.goods if good.in_demand) or "nothing yet"))
    for region in seen.regions:
        lines += ["", f"{REGION[region.region]}: Britain {region.britain}, France {region.france}"]
        lines += [f"  {space_line(space)}" for space in seen.spaces if space.region == region.region and _shown(space)]
    return "\n".join(lines)


def _side(side: SideView) -> str:
    up = [ministry.card or "face down" for ministry in side.ministries]
    return (f"{SIDE[side.side]}: debt {side.debt} of {side.limit}, {side.trp} TRP, {counted(side.hand, 'event', 'events')}, "
            f"ministries: {', '.join(up) or 'none'}, squadrons in the Navy Box: {side.navy_box}")


def _shown(space: SpaceView) -> bool:
    return bool(space.flag or space.conflict or space.huguenots)


def space_line(space: SpaceView) -> str:
    """A space: whose it is, and the marks on it."""
    marks = [mark for mark, there in (("conflict", space.conflict), ("damaged", space.damaged), ("protected", space.protected),
                                      ("isolated", space.isolated), ("Huguenots", bool(space.huguenots))) if there]
    return f"{space.name}: {SIDE[space.flag]}" + (f" ({', '.join(marks)})" if marks else "")


def describe(seen: View, most: int) -> str:
    """The table in so many characters, at most."""
    said = f"{seen.turn}: {seen.vp} VP. " + " ".join(
        f"{REGION[region.region]}: Britain {region.britain}, France {region.france}." for region in seen.regions)
    return said if len(said) <= most else f"{said[:most - 1].rstrip()}…"
