"""Standing orders in setup, auction and the own turn: the last column of tables D.1 and D.2."""
from __future__ import annotations

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Choose, Decline, End, Move, Pass, Place
from engine.games.struggle_of_empires.events import BidPlaced, DiceRolled, UnitPlaced
from engine.games.struggle_of_empires.orders import ORDERING
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Orders, checked
from engine.selfplay import new_table
from tests.games.struggle_of_empires.ordering import (
    ARMY_AFTER,
    ARMY_ELSEWHERE,
    NAVY_OUT,
    PARTS,
    READER,
    answers,
    by_order,
    fleets,
    give,
    least,
    line,
    order,
    reply,
    when,
    written,
)
from tests.scene import FAIR, Scene, scene

# --- setup and auction: the last column of table D.1 ---------------------------------------------------------------

def test_DP_01_list_of_powers_in_order_of_wish():
    table = new_table(GAME, 2, "first", PARTS, FAIR, checkpoints=False)
    first, second = table.state.seats[table.state.first], table.state.seats[1 - table.state.first]
    wish = line(reply("DP-01", "choose", power=("prussia", "spain", "random")))
    table.answer(Seat(first), Choose(power="prussia"))
    table.deputy = Orders(GAME, [checked(GAME, Order(seat=Seat(second), points=("DP-01",), lines=(wish,)), table.state)])
    table.go_on()
    assert table.state.power(Seat(second)) == "spain"


def placements(*wished: tuple[str, str]) -> list[OrderLine]:
    return [answers("DP-02", "place", unit=unit, area=area) for unit, area in wished]


def test_DP_02_placements_are_used_in_order_and_illegal_ones_are_skipped():
    table = scene(powers=("austria", "britain"), phase="placing", first="austria", markers={"austria": {"india": 1}})
    wishes = placements(("fort", "india"), ("fort", "india"), ("fort", "africa"), ("army", "india"), ("navy", "german_states"),
                        ("army", "india"), ("navy", "india"), ("army", "baltic"))
    give(table, order(table, "austria", "DP-02", *wishes))
    table.keep_silent(until="DP-03")
    mine = [(placed.unit, placed.area) for placed in table.events(UnitPlaced) if placed.power == "austria"]
    assert mine == [("fort", "india"), ("fort", "india"), ("army", "india"), ("army", "india"), ("navy", "india")]


def test_DP_02_a_list_given_later_does_not_count_what_was_placed_by_hand():
    table = scene(powers=("austria", "britain"), phase="placing", first="austria", markers={"austria": {"india": 1}})
    table.say("austria", Place(unit="army", area="africa"))
    give(table, order(table, "austria", "DP-02", *placements(("army", "baltic"), ("army", "africa"))))
    for _ in range(2):
        table.say("britain", table.default("britain"))
    assert [(unit.unit, unit.area) for unit in table.events(UnitPlaced) if unit.power == "austria"] == [
        ("army", "africa"), ("army", "baltic"), ("army", "africa")]


def test_DP_03_the_first_pair_still_possible_is_bid_for():
    table = scene(powers=("austria", "britain", "france", "prussia", "spain"), phase="auction", opener="austria",
                  rows=(("britain",), ("france",)))
    pairs = [answers("DP-03", "bid", gold=gold, a=a, b=b)
             for gold, a, b in ((7, "austria", "britain"), (5, "prussia", "austria"), (0, "spain", "prussia"))]
    give(table, order(table, "austria", "DP-03", *pairs))
    assert table.events(BidPlaced) == [BidPlaced(bidder="austria", gold=5, a="prussia", b="austria")]


def test_DP_03_the_last_power_goes_to_one_row():
    table = scene(powers=("austria", "britain", "france"), phase="auction", opener="france", rows=(("austria",), ("britain",)))
    give(table, order(table, "france", "DP-03", answers("DP-03", "bid", gold=0, a="france", b="austria"),
                      answers("DP-03", "bid_b", gold=1, b="france")))
    assert table.events(BidPlaced) == [BidPlaced(bidder="france", gold=1, a="", b="france")]


# --- the own turn: the last column of table D.2 --------------------------------------------------------------------

END = line(reply("DP-06", "end"))
ACROSS, BACK = [(4,), (5,)], [(1,), (3,)]               # a crossing succeeds at once; it fails and the ship is back


def at_home(*dice: tuple[int, ...], **tiles: int) -> Scene:
    """Austria has a navy and an army at home, and a tile so that it is asked before its turn ends."""
    return scene(powers=("austria", "britain"), units={"austria": {"navy": {"austria": 1}, "army": {"austria": 1}}},
                 tiles={"austria": {"mercenaries": 1, **tiles}}, dice=dice)


def test_DP_08_move_a_navy_then_an_army():
    table = at_home(*ACROSS)
    give(table, written(table, "austria", NAVY_OUT, ARMY_AFTER, ARMY_ELSEWHERE, END))
    assert table.units("austria", "army", "africa") == 1 and table.asked() == [("britain", "DP-05")]


def test_DP_08_if_the_navy_fails_the_army_goes_elsewhere():
    table = at_home(*BACK)
    give(table, written(table, "austria", NAVY_OUT, ARMY_AFTER, ARMY_ELSEWHERE, END))
    assert table.units("austria", "army", "german_states") == 1 and table.asked() == [("britain", "DP-05")]


def test_DP_08_or_stop_if_the_navy_fails():
    stop = OrderLine(when=(when("navy_in", "africa", "is_not"),), instead=True)
    for steps in ((NAVY_OUT, ARMY_AFTER, stop, END), (NAVY_OUT, ARMY_AFTER, END)):
        table = at_home(*BACK)
        give(table, written(table, "austria", *steps))
        assert table.asked() == [("austria", "DP-08")], "a move was meant, so it is not left out"


def test_DP_05_a_written_turn_runs_as_far_as_it_is_legal_then_stops_and_asks():
    table = at_home()
    build = answers("DP-05", "build", unit="army", to=("austria",))
    attack = answers("DP-05", "attack", area="india", target=("britain",))
    give(table, written(table, "austria", build, attack, END))
    assert by_order(table) == [("austria", "Build an army in Austria")] and table.asked() == [("austria", "DP-05")]
    table.say("austria", Pass())
    assert table.asked() == [("austria", "DP-06")], "who has taken over ends the turn himself"


def test_DP_05_what_a_written_turn_does_not_speak_of_between_its_lines_gets_its_default():
    table = at_home(*ACROSS[:1], militia=1)
    build = answers("DP-05", "build", unit="army", to=("austria",))
    give(table, written(table, "austria", build, NAVY_OUT, END))
    assert table.asked() == [("britain", "DP-05")]
    assert by_order(table) == [("austria", words) for words in (
        "Build an army in Austria", "No", "Move a navy from Austria to Africa", "No", "End turn")]


def test_DP_05_a_question_with_a_single_answer_does_not_stop_a_written_turn():
    table = scene(powers=("austria", "britain"), units={"austria": {"army": {"austria": 1}}},
                  tiles={"austria": {"mercenaries": 1}})
    march = answers("DP-05", "move", unit="army", origin="austria", to=("german_states",))
    give(table, written(table, "austria", march, answers("DP-05", "build", unit="army", to=("austria",)), END))
    assert "rule" in {entry.by for entry in table.table.fresh}, "nothing else can move"
    assert table.asked() == [("britain", "DP-05")] and table.units("austria", "army", "austria") == 1


def test_DP_05_after_taking_over_nothing_is_declined_for_the_player():
    table = at_home(*ACROSS[:1])
    give(table, written(table, "austria", answers("DP-05", "attack", area="india", target=("britain",)), END))
    table.say("austria", Move(unit="navy", origin="austria", to="africa"))
    assert table.asked() == [("austria", "DP-08")]


def test_DP_05_a_written_turn_goes_on_after_a_reaction_was_answered_by_hand():
    table = fleets(dice=[(1, 1, 1, 1)])
    give(table, written(table, "spain", answers("DP-05", "attack", area="india", target=("britain",)), END))
    assert table.asked() == [("spain", "DP-15")]
    table.say("spain", Decline())
    assert table.asked() == [("britain", "DP-05")]


def test_DP_06_end_my_turn_when_both_actions_are_done():
    table = at_home()
    give(table, order(table, "austria", "DP-06", END))
    table.say("austria", Pass())
    assert table.asked() == [("austria", "DP-05")]
    table.say("austria", Pass())
    assert table.asked() == [("britain", "DP-05")]


def test_DP_06_list_of_tiles_to_use():
    table = scene(powers=("austria", "britain"), tiles={"austria": {"baltic_company": 1, "mercenaries": 1}}, gold=0,
                  markers={"austria": {"baltic": 2}})
    give(table, order(table, "austria", "DP-06", answers("DP-06", "company", tile=("levant_company", "baltic_company")),
                      answers("DP-06", "use", tile="mercenaries", on=("india", "austria")), END))
    table.say("austria", Pass(), Pass())
    assert table.asked() == [("britain", "DP-05")] and table.units("austria", "army", "austria") == 1
    assert table.state.gold["austria"] > 0


@pytest.mark.parametrize("gold, allowed, taken", [
    (3, 0, "war_office"), (2, 0, "banking"), (2, 1, "war_office"), (1, 1, "war_office"), (0, 0, None), (0, 1, "industry"),
    (0, 2, "war_office")])
def test_DP_26_first_of_this_list_still_there_that_costs_at_most_k_unrest(gold, allowed, taken):
    table = scene(powers=("austria", "britain"), gold=gold)
    wish = line(reply("DP-05", "take", tile=("war_office", "industry", "banking")), toll=allowed)
    give(table, order(table, "austria", "DP-05", wish, times=1))
    assert by_order(table) == ([("austria", f"Buy {READER.name(taken)}")] if taken else [])


def test_DP_26_a_tile_that_is_gone_is_skipped():
    table = scene(powers=("austria", "britain"), tiles={"britain": {"banking": 2}})
    give(table, order(table, "austria", "DP-05", answers("DP-05", "take", tile=("banking", "reserves")), times=1))
    assert by_order(table) == [("austria", "Buy Reserves")]


def test_DP_27_pirates_against_the_first_who_has_a_marker_there():
    table = scene(powers=("austria", "britain", "france"), markers={"france": {"africa": 1}}, dice=[(1, 1, 1, 1)])
    give(table, written(table, "austria", answers("DP-05", "raid", tile="pirates", area="africa", target=("britain", "france"))))
    assert table.state.battle is None and by_order(table) == [("austria", "Buy Pirates against France in Africa")]


def test_DP_30_and_33_free_actions_of_a_written_turn():
    table = scene(powers=("austria", "britain"), tiles={"austria": {"diplomatic_service": 1, "blockade": 1}},
                  units={"austria": {"navy": {"india": 1}}})
    give(table, written(table, "austria", answers("DP-05", "service", on=("alliance_mysore", "alliance_poland")),
                        answers("DP-05", "use", tile="blockade", on=("india",)), END))
    assert table.state.blockades == {"india": ["austria"]} and table.state.tiles["austria"]["alliance_mysore"] == 1


def test_DP_29_trained_natives_go_where_the_turn_says():
    table = scene(powers=("austria", "britain"), tiles={"austria": {"trained_natives": 1}}, markers={"austria": {"india": 1}},
                  units={"austria": {"navy": {"africa": 1}}}, dice=ACROSS[:1])
    give(table, written(table, "austria", answers("DP-05", "use", tile="trained_natives", on=("india",)),
                        answers("DP-29", "send", to=("africa",)), END))
    assert table.units("austria", "army", "africa") == 1 and table.asked() == [("britain", "DP-05")]


def test_DP_10_an_attack_with_its_answers_attached():
    table = fleets(dice=[(6, 1, 1, 1), (3, 3, 3, 3)], tiles={"spain": {"reserves": 2}})
    give(table, written(table, "spain", answers("DP-05", "attack", area="india", target=("britain",)), END),
         order(table, "spain", "DP-15", answers("DP-15", "fight", least("lead", 1)), answers("DP-15", "no_fight"), lasts="turn"),
         order(table, "spain", "DP-20", answers("DP-20", "no_reserves"), lasts="turn"),
         order(table, "britain", "DP-16", answers("DP-16", "fight")))
    assert len(table.events(DiceRolled)) == 2 and table.asked() == [("britain", "DP-05")]
    table.say("britain", End())
    assert table.asked() == [("spain", "DP-05")]
    give(table, *())
    assert ORDERING.spans(table.state, table.state.seat("spain"))["turn"] == "1.2", "the answers ended with their turn"
