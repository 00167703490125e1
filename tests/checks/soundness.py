"""What adds up in every position of a game: nothing is lost or doubled, and no count is below zero."""
from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.games.attack import GAME as ATTACK, state as attack
from engine.games.attack.rules.battle import cap
from engine.games.attack.rules.cards import production_points
from engine.games.attack.rules.production import cost
from engine.games.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.games.struggle_of_empires.components import UNITS
from engine.games.struggle_of_empires.state import TOKENS, State
from tests.checks import soundness_of_imperial_struggle


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


# --- Attack! ------------------------------------------------------------------------------------------------

def attack_adds_up(s: attack.State) -> None:
    """Cards, territories, land units, ships, the own turn and production points of Attack!."""
    cards_add_up(s)
    land_adds_up(s)
    fleets_add_up(s)
    turn_adds_up(s)
    if s.battle is not None:
        battle_adds_up(s, s.battle)


def cards_add_up(s: attack.State) -> None:
    """Each card is in one place; in all hands there are as many as territories have had a first owner."""
    held = [card for hand in s.hands.values() for card in hand]
    drawn = [s.battle.card] if s.battle is not None and s.battle.card else []
    assert sorted([*s.deck, *held, *drawn]) == sorted(s.parts.card), "ATK-8.4.1, 8.4.2, 9.1.1, 15.2.1"
    if s.phase in ("turn", "over"):
        cleared = s.options.end_mode == "last_standing" and s.out
        assert len(held) == len(s.owner) or (cleared and len(held) < len(s.owner)), "ATK-3.1.3, 14.2.1, 15.4.1, 19.5.2"


def land_adds_up(s: attack.State) -> None:
    """Who owns a territory has a unit there; neutral ones are empty; in the setup the pool goes down as the board fills."""
    assert {*s.owner} <= {*s.parts.territory} and {*s.owner.values()} <= {*s.powers}, "ATK-2.1.3, 4.1.8"
    assert {*s.units} <= {*s.owner}, "ATK-8.4.2"
    for land in s.owner:
        assert all(number > 0 for number in s.standing(land).values()) and s.standing(land), "ATK-1.2.1, 4.1.7"
    for power, pool in s.pools.items():
        started = sum(kind.starting_pool for kind in s.parts.units)
        assert attack.size(pool) + s.land_units(power) == started, "ATK-3.1.1, 3.3.1, 3.4.1"
    assert len({*s.capitals.values()}) == len(s.capitals) and {*s.capitals} <= {*s.owner}, "ATK-3.5.1, 16.1.1"
    if s.phase in ("turn", "over"):
        assert {*s.capitals.values()} == {*s.powers}, "ATK-3.5.1, 16.1.1"
        for power in s.powers:
            assert (power in s.out) == (s.land_units(power) == 0) == (not s.territories(power)), "ATK-19.1.1, 19.1.2"
    assert s.proposal not in s.out, "ATK-19.3.6"


def fleets_add_up(s: attack.State) -> None:
    """Damaged battleships are battleships; who controls the sea lanes has a ship; lines are of fit ships."""
    for power in s.powers:
        assert all(number > 0 for number in s.fleets[power].values()), "ATK-1.1.6, 18.3.2"
        assert 0 <= s.damaged.get(power, 0) <= s.fleets[power].get("battleship", 0), "ATK-13.3.7, 13.5.1"
    assert not s.controller or s.ships(s.controller), "ATK-12.1.1, 12.3.4"
    if s.naval is not None:
        assert s.naval.defender == s.controller != s.naval.attacker == s.active, "ATK-13.1.1, 13.1.3"
        assert all(len(line) <= s.parts.numbers.max_ships_in_line for line in s.naval.lines.values()), "ATK-13.2.1"
        assert any(s.fit(side) for side in (s.naval.attacker, s.naval.defender)), "ATK-13.3.9"


def turn_adds_up(s: attack.State) -> None:
    """Actions differ; what is ordered is neither lost nor doubled; what is bought has been paid for."""
    turn = s.turn
    once = [action for action in turn.taken if action not in s.parts.numbers.repeatable_actions]
    assert len(turn.taken) <= s.parts.numbers.actions_per_turn and len(once) == len({*once}), "ATK-4.1.1, 4.1.3"
    assert attack.BLITZ not in once or attack.MOVEMENT in once[:once.index(attack.BLITZ)], "ATK-4.1.4, 10.1.1"
    assert not s.active or s.active not in s.out, "ATK-19.1.3"
    if turn.action and not turn.confirmed:
        assert s.land_units(s.active) == sum(map(attack.size, turn.before.values())), "ATK-5.1.1, 5.1.9, 11.1.8"
    if turn.action == attack.PRODUCTION and not turn.confirmed:
        spent = sum(number * cost(s.parts, kind) for kind, number in turn.basket.items())
        assert turn.points >= 0 and turn.points + spent == production_points(s, s.active), "ATK-18.1.1, 18.1.2, 18.2.3"


def battle_adds_up(s: attack.State, battle: attack.Battle) -> None:
    """Nobody has more units in battle than the round allows, and both sides have some while they fight."""
    for side in (battle.attacker, battle.defender):
        assert attack.size(side.fighting) <= cap(s) and side.left, "ATK-7.1.3, 7.3.1, 7.3.2, 7.7.2"
    assert battle.attacker.power == s.active != battle.defender.power, "ATK-7.1.1"


CHECKS: Mapping[str, Callable[[Any], None]] = {
    STRUGGLE_OF_EMPIRES.key: adds_up, ATTACK.key: attack_adds_up,
    "imperial_struggle": soundness_of_imperial_struggle.adds_up}


def check(key: str, state: Any) -> None:
    """Raise AssertionError with the rules that a position breaks; games without such a check pass."""
    nothing_below_zero(state)
    CHECKS.get(key, lambda _: None)(state)


NEGATIVE = re.compile(r"[:\[,]-\d")
SIGNED = {"amount", "strength", "vp"}           # what a price or a strength changes by, and the counter of Imperial Struggle


def nothing_below_zero(state: Any) -> None:
    """Raise AssertionError if a count of a position is below zero: units, cards, gold, points, whatever it is."""
    body = state.model_dump_json()
    if NEGATIVE.search(body):
        below = {*_below_zero(json.loads(body), "")}
        assert not below, f"below zero: {', '.join(sorted(below))}"


def _below_zero(body: Any, path: str) -> Iterator[str]:
    match body:
        case int() if body < 0:
            yield path
        case dict():
            for name, inner in body.items():
                if name not in SIGNED:
                    yield from _below_zero(inner, f"{path}.{name}".lstrip("."))
        case list():
            for inner in body:
                yield from _below_zero(inner, path)
