"""Chapter 3, and the components as printed (IS-T38 to T40)."""
from __future__ import annotations

from collections import Counter

import pytest

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.rounds import Pass, TakeTile
from engine.games.imperial_struggle.actions.turns import Bid, Yield
from engine.games.imperial_struggle.components import REGIONS
from engine.games.imperial_struggle.components.effects import Filter
from engine.games.imperial_struggle.events.turns import AwardWon, RoundBegun
from engine.games.imperial_struggle.rules.filters import fitting
from engine.games.imperial_struggle.rules.setup import first_state
from engine.kernel import Seat, Table
from engine.refusals import Faulty, Illegal
from engine.selfplay import beginning
from tests.games.imperial_struggle.purchases import market
from tests.games.imperial_struggle.scene import FAIR, PARTS, scene, tile_id


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
    assert not at.allows("britain", TakeTile(tile=tile_id("3 DP / 2 MP, event")))


# --- who plays which side (19.4, 19.5) ----------------------------------------------------------------------------------

def opened(**options):
    return Table(GAME, PARTS, beginning(GAME, 2, "published", PARTS, options), dice=FAIR, checkpoints=False)


def test_IS_19_4_a_rising_auction_for_the_side_that_one_wants():
    table = opened(sides="bid")
    table.answer(Seat("seat_1"), Bid(side="france", trp=1))
    with pytest.raises(Illegal, match="Bid more for britain"):
        table.answer(Seat("seat_2"), Bid(side="france", trp=2))
    with pytest.raises(Illegal, match="higher than 1 TRP"):
        table.answer(Seat("seat_2"), Bid(side="britain", trp=1))
    table.answer(Seat("seat_2"), Bid(side="britain", trp=3))
    table.answer(Seat("seat_1"), Yield())
    assert table.state.sides == ["france", "britain"]
    assert (table.state.own["france"].trp, table.state.own["britain"].trp) == (3, 0)
    assert table.state.power(Seat("seat_2")) == "britain"


def test_IS_19_4_nobody_bids_beyond_five():
    table = opened(sides="bid")
    table.answer(Seat("seat_1"), Bid(side="france", trp=5))
    assert table.state.sides == ["france", "britain"] and table.state.own["britain"].trp == 5


def test_IS_19_5_a_handicap():
    assert opened(handicap_side="britain", handicap=4).state.own["britain"].trp == 4
    with pytest.raises(Faulty):
        GAME.rules.options("published", {"handicap": 3})


def test_IS_19_1_spanish_flags_at_the_start():
    state = opened(spanish_empire=True).state
    assert [space for space, flag in state.flags.items() if flag == "spain"] == ["puerto_principe", "havana", "santiago"]


def test_IS_19_1_spanish_flags_are_opposing_to_both_sides():
    at = scene(active="britain", tile="3 EP / 2 DP, event", options={"spanish_empire": True})
    assert "santiago" in fitting(at.state, "britain", Filter(flag="opponent", types=("market",), region="caribbean"))
    at.say("britain", market("santiago"))
    assert at.flag("santiago") == "" and at.lines()[-1] == (
        "Britain takes Spain's flag off Santiago for 2 EP.")


# --- the first tiles and cards (3.3 to 3.9) -----------------------------------------------------------------------------


def test_IS_3_3_3_4_and_4_6_the_first_turn():
    state = opened().state
    assert state.holders == {"wheat": "britain", "algonquin_raids": "france"}
    assert [len(state.own[side].hand) for side in ("britain", "france")] == [3, 3] and len(state.deck) == 9
    assert {PARTS.event[card].era for card in state.deck} == {"succession"}
    assert len(state.available) == 9 and len(state.stack) == 15
    assert len(state.awards) == 4 and len(state.award_pool) == 4 and len(state.demand) == 3


def test_IS_1_4_and_4_9_eight_rounds_in_turn_then_the_scoring():
    at = scene(active="britain", dice=FAIR, demand=("furs",), awards=dict.fromkeys(REGIONS, "award_1"))
    for _ in range(8):
        side = at.state.current.side
        at.say(side, TakeTile(tile=at.state.available[0]), Pass())
    assert [(event.number, event.side) for event in at.events(RoundBegun)][:8] == [
        (number, "britain" if number % 2 else "france") for number in range(1, 9)]
    assert len(at.events(AwardWon)) == 4 and at.state.step > 0
