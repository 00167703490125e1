"""Chapter 3, and the components as printed (IS-T38 to T40)."""
from __future__ import annotations

from collections import Counter

from engine.games.imperial_struggle.actions.rounds import Pass, TakeTile
from engine.games.imperial_struggle.rules.setup import first_state
from engine.kernel import Seat
from tests.games.imperial_struggle.scene import GAME, PARTS, scene


def start():
    return first_state((Seat("seat_1"), Seat("seat_2")), GAME.rules.options("published", {}), PARTS)


def test_IS_3_2_flags_and_squadrons_at_the_start():
    state = start()
    flags = Counter(state.flags.values())
    assert (flags["britain"], flags["france"]) == (16, 17)
    assert (state.own["britain"].navy_box, state.own["france"].navy_box) == (2, 1)
    assert (state.own["britain"].unbuilt, state.own["france"].unbuilt) == (6, 7)
    empty = ("gibraltar", "minorca", "asiento", "san_agustin", "hudson_bay", "havana", "santiago", "puerto_principe")
    assert not [space for space in empty if space in state.flags]


def test_IS_T38_prices_and_dots_as_printed():
    space = PARTS.space
    assert (space["sweden"].cost, space["sweden"].prestige, space["sweden"].war_dots) == (2, True, ("WAS", "7YW"))
    assert (space["biscay"].prestige, space["biscay"].war_dots) == (True, ("WSS", "7YW"))
    assert (space["ohio_forks"].cost, len(space["ohio_forks"].war_dots)) == (3, 4)
    assert (space["ile_aux_noix"].commodity, space["ile_aux_noix"].cost) == ("furs", 3)
    assert (space["chandernagore"].start_flag, space["chandernagore"].cost) == ("france", 1)
    assert (space["massachusetts_bay"].commodity, space["massachusetts_bay"].cost) == ("fish", 3)
    assert (space["chesapeake"].commodity, space["chesapeake"].cost) == (None, 3)


def test_IS_T39_investment_tiles():
    tiles = PARTS.investment_tiles
    assert (len(tiles), sum(tile.event for tile in tiles), sum(tile.military_upgrade for tile in tiles)) == (24, 12, 6)
    assert Counter(tile.major.kind for tile in tiles) == {"economic": 8, "diplomatic": 8, "military": 8}


def test_IS_T40_solid_and_conquest_lines():
    assert "louisbourg" in PARTS.joined["acadia"] and "louisbourg" in PARTS.conquest["acadia"]
    assert "halifax" not in PARTS.joined["louisbourg"] and "halifax" in PARTS.conquest_with_options["louisbourg"]
    assert "hooghly_river" not in PARTS.joined["calcutta"]


def test_IS_5_4_passing_repays_two_and_ends_the_round():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"debt": 3}})
    at.say("france", Pass())
    assert at.state.own["france"].debt == 1
    assert at.state.current.side == "britain"
    assert not at.allows("britain", TakeTile(tile="inv_01"))
