"""A theater in few words: the war has come to it, and both sides turn up these tiles."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.events.wars import StrengthCounted, TheaterSettled
from engine.games.imperial_struggle.state import TheaterResult, WarState
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene

SHORT = {"britain": "br", "france": "fr"}
DEBT, HIT, UNFLAG = "08", "12", "14"        # basic tiles with these icons: 0, 0 and -1


def tiles(side: Side, war: str, numbers: Sequence[str]) -> list[str]:
    """ "08" is a basic tile, "+01" a bonus tile of this war."""
    short = SHORT[side]
    return [f"bonus_{war.lower()}_{short}_{number[1:]}" if number[0] == "+" else f"basic_{short}_{number}" for number in numbers]


def strong(number: int) -> list[str]:
    """Tiles without icons that add up to so much, from 0 to 8."""
    return {0: [], 1: ["04"], 2: ["01"], 3: ["+01"], 4: ["04", "+01"], 5: ["01", "+01"], 6: ["+01", "+02"],
            7: ["04", "+01", "+02"], 8: ["01", "+01", "+02"]}[number]


def fight(war: str, number: int, *, france: Sequence[str] | int = (), britain: Sequence[str] | int = (),
          flags: Mapping[str, str] = {}, own: Mapping[Side, Mapping[str, Any]] = {}, before: Any = "", **fields: Any) -> Scene:
    """The theater of this number, on a map with these flags alone; the theaters before it were level.

    A number of strength stands for tiles without icons. `before`: who won the theaters before in the highest row.
    """
    turned_up = {"france": france, "britain": britain}
    mine: dict[Side, dict[str, Any]] = {}
    for side in SIDES:
        shown = turned_up[side]
        faces = strong(shown) if isinstance(shown, int) else shown
        there: list[list[str]] = [[] for _ in PARTS.war[war].theaters]
        there[number - 1] = tiles(side, war, faces)
        mine[side] = {"tiles": there, **own.get(side, {})}
    level = [TheaterResult(theater=one, strength={"britain": 0, "france": 0}, winner=before, margin=9 if before else 0,
                           highest=bool(before)) for one in range(1, number)]
    fields.setdefault("dice", FAIR)
    return scene(phase="war", turn=war, war=WarState(war=war, theater=number - 1, results=level), empty_map=True, flags=flags,
                 own=mine, **fields)


def lines_of(at: Scene, side: Side) -> dict[str, int]:
    """The strength of a side in the first theater that was counted, line by line."""
    counted = next(event for event in at.events(StrengthCounted) if event.side == side)
    return {line.source: line.amount for line in counted.lines}


def result(at: Scene) -> tuple[str, int, bool]:
    """Winner, margin and whether it was the highest row, of the first theater that was settled."""
    settled = at.events(TheaterSettled)[0]
    return settled.winner, settled.margin, settled.highest
