"""Readable positions of Struggle of Empires: a scene says what matters, the rest is as at the start of a game.

    spain = scene(powers=("spain", "britain"), units={"spain": {"army": {"india": 1}}}, markers={"britain": {"india": 1}},
                  dice=[(3, 4, 2, 2)])
    spain.say("spain", Attack(area="india", target="britain"))
    assert spain.markers("spain", "india") == 1

Every answer is also replayed: the rows lead to the same state, and so do the events alone.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from engine.components import components
from engine.dice import Dice, LoadedDice, SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Pass
from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.events import DiceRolled, UnitLost
from engine.games.struggle_of_empires.rules.alliances import turn_order
from engine.games.struggle_of_empires.rules.unrest_bag import KEY
from engine.games.struggle_of_empires.state import ACTIONS, RULES_VERSION, Captive, State
from engine.kernel import GameSpec
from tests.position import Position, starting_at

FAIR = SecretDice("00" * 32)
FACE = re.compile(r"neutral_(?P<strength>\d+)(_gold_(?P<gold>\d+))?(_point_(?P<vp>\d+))?")
Counts = int | Mapping[str, int]


class Rng(LoadedDice):
    """The throws of a list; the unrest bag is shaken without one of them, always in the same way."""

    def __call__(self, epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
        return (1,) * len(sides) if sides == KEY else super().__call__(epoch, throw, sides, purpose)


class Scene(Position[State]):
    """A table at a position made by hand; its seats are called by their powers."""

    game = GAME

    def strengths(self) -> list[tuple[int, int]]:
        """The whole strength of attacker and defender in every throw of a fight so far."""
        return [(sum(thrown.parts[0]), sum(thrown.parts[1])) for thrown in self.events(DiceRolled)]

    def markers(self, power: str, area: str) -> int:
        """Control markers of a power in an area, captives not counted."""
        return self.state.markers[power].get(area, 0)

    def units(self, power: str, kind: str, place: str) -> int:
        """Units of this kind in an area, or at home if the place is the power."""
        return self.state.count(power, kind, place)

    def faces(self, area: str) -> list[str]:
        """The faces of the neutral markers in an area."""
        return [self.parts.neutral[marker].face for marker in self.state.neutrals[area]]


def scene(*, powers: Sequence[str] = ("austria", "britain"), active: str = "", phase: str = "turn", war: int = 1, round: int = 1,
          rows: tuple[Sequence[str], Sequence[str]] | None = None, actions: int = ACTIONS, first: str = "", opener: str = "",
          units: Mapping[str, Mapping[str, Mapping[str, int]]] = {}, markers: Mapping[str, Mapping[str, int]] = {},
          neutrals: Mapping[str, Sequence[str]] = {}, captives: Mapping[str, tuple[str, str]] = {},
          tiles: Mapping[str, Mapping[str, int]] = {}, used: Mapping[str, Mapping[str, int]] = {},
          blockades: Mapping[str, Sequence[str]] = {}, gold: Counts = 10, population: Counts = 5, points: Counts = 0,
          unrest: Counts = 0, edition: str = "first", npps: Sequence[str] = (),
          local: Mapping[str, str] = {}, options: Mapping[str, Any] = {}, pack: Mapping[str, list[dict[str, Any]]] | None = None,
          dice: Sequence[tuple[int, ...]] | Dice = (), rules_version: int = RULES_VERSION) -> Scene:
    """A position, with the question that follows from it.

    - `powers` in seat order; `rows` are the two grand alliances (left out: every other power in row A, or empty rows in an
      auction); the turn order follows from them. `active` begins a turn (left out: the first of the order); with fewer
      `actions` it has passed the others.
    - `phase`: "turn", "auction" (begun by `opener`), "placing" (from `first` on), "war_end", "reckoning" or "neutrals".
    - `units`: power, kind, place, number; the place of a unit at home is its power. `markers`: power, area, number.
    - `neutrals`: area to markers, each an id or a face such as "pop", "slaves" or "neutral_3_gold_3_point_1"; a face that
      the area does not have is made up. What does not lie on the map is in the bag.
    - `captives`: "pirates" or "slave_revolt" to area and power. `blockades`: area to owners.
    - `gold`, `population`, `points`, `unrest`: one number for all, or a number for each power that differs from the start.
    - `edition` and the `options` that differ from it; `npps`: non-player powers, which have `units`, `markers` and a place in
      `rows` like others; `local`: place of a local alliance to the power whose marker it holds.
    - `pack`: corrections of the components, as in a data pack.
    - `dice`: the throws in their order, each with all its dice (a fight has four: attacker, attacker, defender, defender), or
      a source such as FAIR.
    """
    parts, on_map = _components(edition, neutrals, pack or {})
    state = State(
        options=GAME.rules.options(edition, options), seats=[f"seat_{number}" for number in range(1, len(powers) + 1)],
        powers=list(powers), phase=phase, war=war, round=round, first=powers.index(first) if first else 0,
        opener=powers.index(opener) if opener else 0, neutrals=on_map,
        markers={power: dict(markers.get(power, {})) for power in (*powers, *npps)},
        units={power: {kind: dict(units.get(power, {}).get(kind, {})) for kind in parts.limit}
               for power in (*powers, *npps)}, npps=list(npps), local_alliances=dict(local),
        gold=_counts(gold, powers, 10), population=_counts(population, powers, 5), points=_counts(points, powers, 0),
        unrest=_counts(unrest, powers, 0), tiles={power: dict(tiles.get(power, {})) for power in powers},
        used={power: dict(used.get(power, {})) for power in powers},
        blockades={area: list(owners) for area, owners in blockades.items()},
        captives={token: Captive(area=area, power=power) for token, (area, power) in captives.items()},
        rules_version=rules_version)
    GAME.rules.bind(state, parts)
    if rows is None and phase not in ("auction", "placing", "neutrals"):
        rows = (powers[::2], powers[1::2])
    if rows is not None:
        state.row_a, state.row_b = list(rows[0]), list(rows[1])
    if phase != "auction":
        state.order = list(turn_order(state))
    if active:
        state.place = state.order.index(active)
    state.bag = _bag(state)
    state.stock = _stock(state)
    made = Scene(parts, state, dice if callable(dice) else Rng(*dice))
    for _ in range(ACTIONS - actions):
        made.say(state.active, Pass())
    return made


def _counts(given: Counts, powers: Sequence[str], usual: int) -> dict[str, int]:
    return {power: given if isinstance(given, int) else given.get(power, usual) for power in powers}


@cache
def _parts(edition: str, pack: str) -> Parts:
    """The components of an edition with a data pack, bound once for all scenes that have the same."""
    parts = components(GAME, edition, pack).parts
    assert isinstance(parts, Parts)
    return parts


def _components(edition: str, wanted: Mapping[str, Sequence[str]],
                pack: Mapping[str, list[dict[str, Any]]]) -> tuple[Parts, dict[str, list[str]]]:
    """The components, with made-up faces where an area has none such, and the markers that lie in each area."""
    parts = _parts(edition, json.dumps(pack))
    on_map: dict[str, list[str]] = {area.id: [] for area in parts.areas}
    made_up: list[dict[str, Any]] = []
    for area, names in wanted.items():
        free = [marker for marker in parts.country_counters if marker.area == area]
        for name in names:
            marker = next((marker for marker in free if name in (marker.id, marker.face)), None)
            if marker is None:
                marker = free[-1]
                made_up.append({"id": marker.id, **_face(name)})
            free.remove(marker)
            on_map[area].append(marker.id)
    if made_up:
        parts = _parts(edition, json.dumps({**pack, "country_counters": made_up}))
    return parts, on_map


def _face(name: str) -> dict[str, Any]:
    if name in ("pop", "slaves"):
        return {"kind": name, "strength": None, "gold": 0, "vp": 0}
    face = FACE.fullmatch(name)
    assert face is not None, f"{name} is no face of a neutral marker"
    return {"kind": "strength", **{field: int(number or 0) for field, number in face.groupdict().items()}}


def _bag(state: State) -> list[str]:
    """Every neutral marker that neither lies on the map nor has given way to a control marker."""
    gone: dict[str, int] = {}
    held: Iterable[tuple[str, int]] = [pair for places in state.markers.values() for pair in places.items()]
    for area, number in [*held, *((captive.area, 1) for captive in state.captives.values())]:
        gone[area] = gone.get(area, 0) + number
    bag: list[str] = []
    for area, on_map in state.neutrals.items():
        free = [marker.id for marker in state.parts.country_counters if marker.area == area and marker.id not in on_map]
        bag += free[gone.get(area, 0):]
    return bag


def _stock(state: State) -> dict[str, int]:
    """Every tile that neither a player nor the map has."""
    stock: dict[str, int] = {}
    for tile in state.parts.tiles:
        owned = sum(tiles.get(tile.id, 0) for tiles in state.tiles.values()) + (tile.id in state.captives)
        owned += sum(map(len, state.blockades.values())) if tile.effect == "blockade" else 0
        if not state.in_play(tile):
            continue
        assert owned <= tile.count, f"there are only {tile.count} copies of {tile.id}"
        if owned < tile.count:
            stock[tile.id] = tile.count - owned
    return stock


def prepared(**position: Any) -> GameSpec:
    """The game with this position instead of its set-up."""
    return starting_at(GAME, scene(**position).start.state)


def lost(table: Scene) -> list[tuple[str, str]]:
    """The units that have fallen, with their owners."""
    return [(event.owner, event.unit) for event in table.events(UnitLost)]


def deluxe(**position: Any) -> Scene:
    """A position of the Deluxe edition without non-player powers."""
    return scene(edition="deluxe_without_npp", **position)
