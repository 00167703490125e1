"""Chapters 3 and 5: auctions with every number of powers, what they cost, and the order of turns."""
from __future__ import annotations

import pytest

from engine.games.struggle_of_empires.actions import Bid, Build, Pass, Take
from engine.games.struggle_of_empires.events import AuctionWon, GoldPaid
from engine.text import Reader, say
from tests.scene import FAIR, scene

SEVEN = ("austria", "britain", "france", "prussia", "russia", "spain", "united_provinces")
every_number = pytest.mark.parametrize("number", range(2, 8))


@every_number
def test_SOE_5_1_9_half_as_many_auctions_as_powers_rounded_up(number):
    table = scene(powers=SEVEN[:number], phase="auction")
    table.keep_silent(until="DP-05")
    assert len(table.events(AuctionWon)) == -(-number // 2)
    assert len(table.state.row_a) == -(-number // 2) and len(table.state.row_b) == number // 2


@every_number
def test_SOE_5_1_7_each_auction_is_opened_by_the_next_seat_whoever_won(number):
    table = scene(powers=SEVEN[:number], phase="auction", opener=SEVEN[1])
    openers = []
    while table.state.phase == "auction":
        ((power, point),) = table.asked()
        if point == "DP-03":
            openers.append(power)
            table.say(power, table.default(power))
        else:                           # the last to speak always raises once, so that the opener does not win
            last = power == table.state.others_from(openers[-1])[-1] and table.state.standing.gold == 0
            table.say(power, table.options(power)[0] if last else Pass())
    assert openers == [SEVEN[(1 + step) % number] for step in range(-(-number // 2))]


@every_number
def test_SOE_5_5_1_the_order_reads_the_rows_column_by_column(number):
    table = scene(powers=SEVEN[:number], phase="auction")
    table.keep_silent(until="DP-05")
    row_a, row_b = table.state.row_a, table.state.row_b
    columns = [power for pair in zip(row_a, row_b) for power in pair]
    assert table.state.order == columns + row_a[len(row_b):] + row_b[len(row_a):]
    assert table.asked() == [(table.state.order[0], "DP-05")]


@pytest.mark.parametrize("number", [3, 5, 7])
@pytest.mark.parametrize("row", ["a", "b"])
def test_SOE_5_5_2_the_last_odd_power_is_last_whichever_row_it_joins(number, row):
    table = scene(powers=SEVEN[:number], phase="auction")
    while len(table.state.unplaced()) > 1:
        for power, _ in table.asked():
            table.say(power, table.default(power))
    last = table.state.unplaced()[0]
    opener = table.asked()[0][0]
    assert {(bid.a, bid.b) for bid in table.options(opener) if isinstance(bid, Bid)} == {(last, ""), ("", last)}
    table.say(opener, Bid(gold=0, **{row: last}))
    table.keep_silent(until="DP-05")
    assert table.state.order[-1] == last
    assert last in (table.state.row_a if row == "a" else table.state.row_b)


def test_SOE_5_2_7_a_bid_needs_no_gold_in_hand_and_the_winner_alone_pays():
    table = scene(powers=SEVEN[:3], phase="auction", gold={"britain": 1})
    table.say("austria", Bid(gold=0, a="austria", b="britain"))
    table.say("britain", Bid(gold=6, a="britain", b="austria"))
    table.say("france", Pass())
    table.say("austria", Pass())
    assert table.events(GoldPaid) == [GoldPaid(power="britain", gold=6, taxed=6)]
    assert table.state.gold == {"austria": 10, "britain": 1, "france": 10}
    assert table.state.unrest == {"austria": 0, "britain": 3, "france": 0}


def test_SOE_5_2_7_a_bid_far_above_the_menu_is_legal():
    table = scene(phase="auction")
    bid = Bid(gold=500, a="austria", b="britain")
    assert bid not in table.options("austria")
    table.say("austria", bid)
    assert table.state.standing.gold == 500


def test_SOE_5_3_3_a_raise_may_repeat_the_standing_proposal_or_turn_it_round():
    table = scene(powers=SEVEN[:3], phase="auction")
    table.say("austria", Bid(gold=0, a="austria", b="britain"))
    assert table.allows("britain", Bid(gold=1, a="austria", b="britain"))
    assert table.allows("britain", Bid(gold=1, a="britain", b="austria"))


def test_SOE_5_3_6_the_last_two_are_proposed_against_each_other():
    table = scene(powers=SEVEN[:4], phase="auction", rows=(["austria"], ["britain"]), opener="britain")
    bids = [bid for bid in table.options("britain") if isinstance(bid, Bid)]
    assert {(bid.a, bid.b) for bid in bids} == {("france", "prussia"), ("prussia", "france")}


def test_SOE_5_4_3_powers_of_one_row_are_allies_the_others_enemies():
    state = scene(powers=SEVEN[:5], rows=(SEVEN[:3], SEVEN[3:5])).state
    assert state.allies("britain") == ["austria", "france"] and state.enemies("britain") == ["prussia", "russia"]


@pytest.mark.parametrize("opener, rows, default", [
    ("britain", ([], []), Bid(gold=0, a="britain", b="france")),
    ("prussia", ([], []), Bid(gold=0, a="prussia", b="austria")),
    ("britain", (["britain"], ["austria"]), Bid(gold=0, a="france", b="prussia")),
    ("prussia", (["austria", "prussia"], ["britain"]), Bid(gold=0, a="france")),
])
def test_DP_03_silence_opens_with_0_for_the_own_power_against_the_next(opener, rows, default):
    table = scene(powers=SEVEN[:4], phase="auction", rows=rows, opener=opener)
    assert table.default(opener) == default


def test_DP_04_silence_passes():
    table = scene(phase="auction")
    table.say("austria", Bid(gold=0, a="austria", b="britain"))
    assert table.default("britain") == Pass()


# --- money --------------------------------------------------------------------------------------------

def test_SOE_3_2_10_before_a_cost_that_taxes_its_payer_is_told_how_much():
    table = scene(phase="auction", gold={"austria": 1})
    told = Bid(gold=6, a="austria", b="britain").consequence(table.state, table.state.seat("austria"))
    assert told is not None
    assert say(told) == "You have 1 gold for a cost of 6 gold, so you'll be taxed 3 times: 3 unrest more."
    assert Bid(gold=1, a="austria", b="britain").consequence(table.state, table.state.seat("austria")) is None


def test_SOE_3_1_4_a_tile_is_taken_without_gold_by_taxation():
    table = scene(gold=0)
    table.say("austria", Take(tile="war_office"))
    assert (table.state.gold["austria"], table.state.unrest["austria"]) == (1, 2)
    assert table.private_lines("austria") == ["Taxes: unrest +2, now 2."]
    assert table.private_lines("britain") == []


def test_SOE_3_4_2_population_cannot_be_borrowed():
    table = scene(population=1)
    table.say("austria", Build(unit="army", to="austria"))
    assert table.refusal("austria", Build(unit="army", to="austria")).rule == "SOE-7.1.2"


def test_SOE_5_1_6_the_last_of_the_old_order_opens_the_next_war():
    table = scene(powers=SEVEN[:3], phase="war_end", dice=FAIR)
    assert table.state.war == 2
    assert table.asked() == [("france", "DP-03")]           # the order was Austria, Britain, France


def test_whoever_may_raise_reads_in_the_channel_whose_bid_and_how_much():
    table = scene(powers=("austria", "united_provinces"), phase="auction", opener="united_provinces")
    table.say("united_provinces", Bid(gold=2, a="austria", b="united_provinces"))
    (question,) = table.table.asks
    names = {"austria": "Austria", "united_provinces": "the United Provinces", "row_a": "row A", "row_b": "row B"}
    assert say(question.told(), Reader(names)) == "Raise the United Provinces' bid of 2 gold, or pass?"
    assert say(question.text(), Reader(names)).startswith("The United Provinces bids 2 gold: Austria in row A")
