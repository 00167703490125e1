"""What adds up in every position of a game: nothing is lost or doubled, and no count is below zero."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.struggle_of_empires.parts import UNITS
from engine.struggle_of_empires.state import State


def adds_up(s: State) -> None:
    """Neutral markers, places, units, control markers, tiles, gold, population and unrest of Struggle of Empires."""
    on_map = [marker for markers in s.neutrals.values() for marker in markers]
    known = [*s.bag, *on_map]
    assert len(known) == len(set(known)) <= 65 and set(known) <= set(s.parts.neutral), "SOE-1.2.1, 1.2.6"
    powers = [power for power in s.powers if power]
    for area in s.parts.areas:
        assert all(s.parts.neutral[marker].area == area.id for marker in s.neutrals[area.id]), "SOE-1.2.1"
        held = sum(s.markers[power].get(area.id, 0) for power in powers)
        held += sum(captive.area == area.id for captive in s.captives.values())
        in_bag = sum(s.parts.neutral[marker].area == area.id for marker in s.bag)
        assert len(s.neutrals[area.id]) + held + in_bag <= area.country_counters, "SOE-1.2.4"
    for power in powers:
        for kind in UNITS:
            places = s.units[power][kind]
            assert all(number > 0 for number in places.values()) and s.supply(power, kind) >= 0, "SOE-1.1.4"
            allowed = {power, *(s.parts.seas if kind == "navy" else s.parts.area)}
            assert set(places) <= allowed, "SOE-1.4.5, 1.4.8"
        assert s.markers_on_map(power) <= s.options.markers.map_limit and s.marker_supply(power) >= 0, "SOE-1.1.6"
        assert s.gold[power] >= 0 and 0 <= s.population[power] <= 9 and s.unrest[power] >= 0, "SOE-3.1.1, 3.3.11, 3.4.1"
        assert all(0 < number <= s.tiles[power].get(tile, 0) for tile, number in s.used[power].items()), "SOE-11.2.1"
    for tile in s.parts.tiles:
        there = s.stock.get(tile.id, 0) + sum(s.tiles[power].get(tile.id, 0) for power in powers) + (tile.id in s.captives)
        there += sum(map(len, s.blockades.values())) if tile.effect == "blockade" else 0
        assert there == tile.count if tile.after_use != "remove" else there <= tile.count, f"SOE-1.3.3, {tile.id}"
    for area_id, owners in s.blockades.items():
        assert all(s.navies(owner, area_id) for owner in owners), "SOE-12.20.6"


CHECKS: Mapping[str, Callable[[Any], None]] = {STRUGGLE_OF_EMPIRES.key: adds_up}


def check(key: str, state: Any) -> None:
    """Raise AssertionError with the rules that a position breaks; games without such a check pass."""
    CHECKS.get(key, lambda _: None)(state)
