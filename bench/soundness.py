"""What adds up in every position of a game: nothing is lost or doubled, and no count is below zero."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from engine.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.struggle_of_empires.parts import UNITS
from engine.struggle_of_empires.state import TOKENS, State


def adds_up(s: State) -> None:
    """Neutral markers, places, units, control markers, tiles, tokens, gold, population and unrest of Struggle of Empires."""
    markers_add_up(s)
    for power in [power for power in s.powers if power]:
        player_adds_up(s, power)
    for power in s.npps:
        non_player_adds_up(s, power)
    tiles_add_up(s)


def markers_add_up(s: State) -> None:
    """Every place of an area has a neutral marker, on the map or in the bag, or what took its place."""
    on_map = [marker for markers in s.neutrals.values() for marker in markers]
    known = [*s.bag, *on_map, *s.display]
    assert len(known) == len(set(known)) <= 65 and set(known) <= set(s.parts.neutral), "SOE-1.2.1, 1.2.6"
    assert not s.display or s.options.neutrals.discard_to == "display", "SOE-1.2.6"
    out = Counter(s.parts.neutral[marker].area for marker in s.display)
    for area in s.parts.areas:
        assert all(s.parts.neutral[marker].area == area.id for marker in s.neutrals[area.id]), "SOE-1.2.1"
        held = sum(markers.get(area.id, 0) for markers in s.markers.values())
        held += sum(captive.area == area.id for captive in s.captives.values())
        in_bag = sum(s.parts.neutral[marker].area == area.id for marker in s.bag)
        assert len(s.neutrals[area.id]) + held + in_bag == area.country_counters, "SOE-1.2.4, 1.2.5"
        assert s.options.neutrals.discard_to == "box" or out[area.id] == held, "SOE-1.2.5, 1.2.6"
    for power in s.markers:
        assert s.markers_on_map(power) <= s.options.markers.map_limit and s.marker_supply(power) >= 0, "SOE-1.1.6"
    assert {*s.markers} == {*s.units} == {power for power in s.powers if power} | {*s.npps}, "SOE-1.1.15"


def player_adds_up(s: State, power: str) -> None:
    """What a player owns."""
    for kind in UNITS:
        places = s.units[power][kind]
        assert all(number > 0 for number in places.values()) and s.supply(power, kind) >= 0, "SOE-1.1.4"
        assert set(places) <= {power, *(s.parts.seas if kind == "navy" else s.parts.area)}, "SOE-1.4.5, 1.4.8"
    assert s.gold[power] >= 0 and 0 <= s.population[power] <= 9 and s.unrest[power] >= 0, "SOE-3.1.1, 3.3.11, 3.4.1"
    assert all(0 < number <= s.tiles[power].get(tile, 0) for tile, number in s.used[power].items()), "SOE-11.2.1"
    companies = sum(number for tile, number in s.tiles[power].items() if s.parts.tile[tile].effect == "company_income")
    most = s.parts.set_up(len(s.seats)).company_tiles_per_player_max
    assert s.options.tiles.company_cap == "none" or most is None or companies <= most, "SOE-12.21.4"


def non_player_adds_up(s: State, power: str) -> None:
    """A non-player power has what it was set up with, in different areas, and nothing else."""
    start = s.parts.set_up(len(s.seats))
    assert power not in s.powers and power not in s.order, "SOE-19.1.1, 5.5.4"
    assert set(s.units[power]["army"].values()) <= {1} and set(s.markers[power].values()) <= {1}, "SOE-19.1.5, 19.1.7"
    assert sum(s.units[power]["army"].values()) == start.npp_units_each, "SOE-19.1.7, 19.1.9"
    assert not s.units[power]["navy"] and not s.units[power]["fort"] and power not in s.units[power]["army"], "SOE-19.1.7"
    assert s.markers_on_map(power) <= start.npp_control_markers_each, "SOE-19.1.5"
    owned = (s.gold, s.population, s.points, s.unrest, s.tiles, s.used, s.tried)
    assert not any(power in counts for counts in owned), "SOE-19.1.2"


def tiles_add_up(s: State) -> None:
    """Tiles, tokens and local alliances: each is somewhere once, and those of another way to play are nowhere."""
    powers = [power for power in s.powers if power]
    for tile in s.parts.tiles:
        there = s.stock.get(tile.id, 0) + sum(s.tiles[power].get(tile.id, 0) for power in powers)
        if not s.in_play(tile):
            assert not there, f"SOE-13.2.1, 14.1.2, {tile.id}"
            continue
        there += tile.id in s.captives
        there += sum(map(len, s.blockades.values())) if tile.effect == "blockade" else 0
        assert there == tile.count if tile.after_use != "remove" else there <= tile.count, f"SOE-1.3.3, {tile.id}"
    for area, owners in s.blockades.items():
        assert all(s.navies(owner, area) for owner in owners), "SOE-12.20.6"
    assert set(s.captives) <= set(TOKENS) and all(captive.power in s.markers for captive in s.captives.values()), "SOE-14.1.4"
    assert set(s.local_alliances) <= set(s.parts.local_alliance) and set(s.local_alliances.values()) <= set(powers), "SOE-13.2.2"
    assert not s.local_alliances or s.options.alliance.mode == "local", "SOE-13.2.1"
    assert not s.tried or s.options.covert.mode == "tokens", "SOE-14.2.10"


CHECKS: Mapping[str, Callable[[Any], None]] = {STRUGGLE_OF_EMPIRES.key: adds_up}


def check(key: str, state: Any) -> None:
    """Raise AssertionError with the rules that a position breaks; games without such a check pass."""
    CHECKS.get(key, lambda _: None)(state)
