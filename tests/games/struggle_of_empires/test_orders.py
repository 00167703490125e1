"""Standing orders in Struggle of Empires: section D of the rules, its examples and the last column of its tables."""
from __future__ import annotations

import json
from typing import Any

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import (
    Assign,
    Attack,
    Bid,
    Build,
    Call,
    Choose,
    Commit,
    Decline,
    End,
    Fight,
    Move,
    Pass,
    Place,
    Take,
    Use,
)
from engine.games.struggle_of_empires.events import (
    AllianceUsedAtSea,
    AuctionPassed,
    AuctionWon,
    BidPlaced,
    HelpSent,
    ReservesUsed,
    SeaDeclined,
    SupportDoubled,
    Thrown,
    UnitLost,
    UnitPlaced,
    Withdrawn,
)
from engine.games.struggle_of_empires.orders import CONDITIONS, ORDERING, POINTS, facts, foreseen, unrest_of
from engine.kernel import Seat
from engine.orders import DEFAULT, LEAST, MOST, Condition, Offer, Op, Order, OrderLine, Orders, Reply, Test, checked, line_text
from engine.refusals import Faulty
from engine.selfplay import new_table
from engine.text import English, say
from tests.scene import FAIR, Scene, scene

PARTS = components(GAME, "first").parts
READER = English(GAME.words.names(PARTS))
FOUR = ("austria", "britain", "france", "prussia")
ME, X, Y, Z = "britain", "austria", "france", "prussia"


# --- how orders are written in these tests -----------------------------------------------------------------

def when(fact: str, value: object = True, op: Op = "is") -> Test:
    return Test(fact=fact, op=op, value=value)


def least(fact: str, value: int) -> Test:
    return when(fact, value, "at_least")


def most(fact: str, value: int) -> Test:
    return when(fact, value, "at_most")


def reply(point: str, key: str, **filled: Any) -> Reply:
    offer = ORDERING.point(point).offer(key)
    assert offer is not None, f"{point} has no offer {key}"
    return offer.reply(filled)


def line(then: Reply | None, *tests: Test, **more: Any) -> OrderLine:
    return OrderLine(when=tests, then=then, **more)


def answers(point: str, key: str, *tests: Test, **filled: Any) -> OrderLine:
    """A line with an offer of this point, without blanks of its own."""
    return line(reply(point, key, **filled), *tests)


def order(table: Scene, power: str, point: str, *lines: OrderLine, **more: Any) -> Order:
    """An order as it can be stored."""
    more.setdefault("lasts", ORDERING.point(point).lasts[0])
    made = Order(seat=table.state.seat(power), points=(point,), lines=lines, **more)
    return checked(GAME, made, table.state)


def written(table: Scene, power: str, *lines: OrderLine) -> Order:
    made = Order(seat=table.state.seat(power), kind="written", points=ORDERING.written, lines=lines, lasts="turn")
    return checked(GAME, made, table.state)


def give(table: Scene, *orders: Order) -> None:
    """These are all the orders from now on."""
    numbered = [made.model_copy(update={"id": number}) for number, made in enumerate(orders, 1)]
    table.table.deputy = Orders(GAME, numbered)
    table.table.go_on()
    table.replay()


def by_order(table: Scene) -> list[tuple[str, str]]:
    """(power, what it answered) of every answer by order so far."""
    return [(table.state.power(entry.seat), say(entry.answer.label(), READER)) for entry in table.table.fresh
            if entry.by == "order"]


def seen(table: Scene, power: str) -> dict[str, Any]:
    """What the question put to this power lets its orders know."""
    seat = table.state.seat(power)
    return dict(facts(table.state, seat, table.table.asked(seat)))


# --- the ladder of section D.4 -------------------------------------------------------------------------------

def raise_(a: str, b: str, up_to: int, *tests: Test) -> OrderLine:
    return line(reply("DP-04", "raise", a=a, b=b), *tests, most=up_to)


PASS = reply("DP-04", "pass")
LEAVE_X = raise_(ME, Y, 4, when("opposite", X), most("bid", 3))         # opposite(me, X) and bid < 4 -> raise 1 with A=me B=Y
ACCEPT_X = line(PASS, when("for_a", ME), when("for_b", X))              # proposal = (A=me, B=X) -> pass
EARLY = raise_(ME, X, 2, when("proposed", False), most("bid", 1))       # me not in proposal and bid < 2 -> raise 1 with A=me B=X
AGAIN = line(PASS, when("unchanged"))                                   # standing proposal unchanged since my pass -> pass
OTHERWISE = line(PASS)                                                  # otherwise -> pass


def auction(gold: int, a: str, b: str, *ladder: OrderLine) -> Scene:
    """Austria has bid, and Britain, which has a ladder, has the word."""
    table = scene(powers=FOUR, phase="auction", opener=X)
    give(table, order(table, ME, "DP-04", *ladder))
    table.say(X, Bid(gold=gold, a=a, b=b))
    return table


@pytest.mark.parametrize("gold, a, b, raised", [
    (0, X, ME, 1), (3, ME, X, 4), (2, X, Y, None), (0, ME, Y, None), (4, X, ME, None)])
def test_ladder_leaves_a_proposal_against_x_up_to_4_gold(gold, a, b, raised):
    table = auction(gold, a, b, LEAVE_X)
    if raised is None:
        assert table.asked() == [(ME, "DP-04")]
    else:
        assert table.events(BidPlaced)[1:] == [BidPlaced(bidder=ME, gold=raised, a=ME, b=Y)]
        assert table.asked() == [(Y, "DP-04")]


@pytest.mark.parametrize("a, b, passes", [(ME, X, True), (X, ME, False), (ME, Y, False)])
def test_ladder_accepts_a_proposal(a, b, passes):
    table = auction(0, a, b, ACCEPT_X)
    assert table.events(AuctionPassed) == ([AuctionPassed(power=ME)] if passes else [])


@pytest.mark.parametrize("gold, a, b, raised", [(0, X, Y, 1), (1, Y, Z, 2), (2, X, Y, None), (0, X, ME, None)])
def test_ladder_buys_an_early_place(gold, a, b, raised):
    table = auction(gold, a, b, EARLY)
    assert table.events(BidPlaced)[1:] == ([BidPlaced(bidder=ME, gold=raised, a=ME, b=X)] if raised else [])


def test_ladder_does_not_ask_again_for_the_same_proposal():
    table = auction(0, X, Y, AGAIN)
    assert table.asked() == [(ME, "DP-04")], "never passed on it before"
    table.say(ME, Pass())
    table.say(Y, Bid(gold=1, a=X, b=Y))                     # the same powers for more gold
    table.say(Z, Pass())
    table.say(X, Pass())
    assert [passed.power for passed in table.events(AuctionPassed)] == [ME, Z, X, ME]


def test_ladder_asks_again_when_the_proposal_has_changed():
    table = auction(0, X, Y, AGAIN)
    table.say(ME, Pass())
    table.say(Y, Bid(gold=1, a=Y, b=X))                     # the other way round is another proposal
    table.say(Z, Pass())
    table.say(X, Pass())
    assert table.asked() == [(ME, "DP-04")]


def test_a_pass_is_remembered_for_one_auction_only():
    table = auction(0, X, Y, AGAIN)
    table.say(ME, Pass())
    assert table.state.accepted == {ME: f"{X} {Y}"}
    table.say(Y, Pass())
    table.say(Z, Pass())
    assert table.events(AuctionWon) and table.state.accepted == {}


def test_ladder_never_waits():
    assert auction(9, X, ME, OTHERWISE).asked() == [(Y, "DP-04")]


def test_the_whole_ladder_uses_the_first_line_that_fits():
    ladder = (LEAVE_X, ACCEPT_X, EARLY, AGAIN, OTHERWISE)
    assert auction(0, ME, X, *ladder).events(BidPlaced)[-1] == BidPlaced(bidder=ME, gold=1, a=ME, b=Y)
    assert auction(4, ME, X, *ladder).events(AuctionPassed) == [AuctionPassed(power=ME)]
    assert auction(1, Y, Z, *ladder).events(BidPlaced)[-1] == BidPlaced(bidder=ME, gold=2, a=ME, b=X)
    assert auction(2, Y, Z, *ladder).events(AuctionPassed) == [AuctionPassed(power=ME)]


def test_ladders_play_against_each_other_without_waiting():
    table = scene(powers=("austria", "britain", "france"), phase="auction", opener="austria")
    pass_ = line(PASS)
    give(table,
         order(table, "austria", "DP-04", raise_("austria", "france", 3, when("opposite", "britain"), most("bid", 2)), pass_),
         order(table, "britain", "DP-04", raise_("britain", "austria", 4, when("opposite", "france"), most("bid", 3)), pass_),
         order(table, "france", "DP-04", raise_("britain", "austria", 2, when("opposite", "austria"), most("bid", 1)), pass_))
    table.say("austria", Bid(gold=0, a="austria", b="france"))
    # Britain is not named and passes; France will not stand against Austria, nor Austria against Britain; France stops at 2
    assert by_order(table) == [("britain", "Pass"), ("france", "1 gold: Britain in row A, Austria in row B"),
                               ("austria", "2 gold: Austria in row A, France in row B"), ("britain", "Pass"), ("france", "Pass")]
    assert table.events(AuctionWon) == [AuctionWon(power="austria", a="austria", b="france")]
    assert table.state.gold["austria"] == 8


def test_SOE_22_1_9_ladders_that_answer_each_other_come_to_an_end():
    table = scene(powers=("austria", "britain", "france"), phase="auction", opener="austria", gold=100)
    give(table, order(table, "austria", "DP-04", raise_("austria", "britain", 30), line(PASS)),
         order(table, "britain", "DP-04", raise_("britain", "france", 41), line(PASS)),
         order(table, "france", "DP-04", line(PASS)))
    table.say("austria", Bid(gold=0, a="austria", b="britain"))
    assert [bid.gold for bid in table.events(BidPlaced)] == list(range(32)), "Austria stops at 30, so 31 is enough"
    assert table.events(AuctionWon) == [AuctionWon(power="britain", a="britain", b="france")]


def test_SOE_22_1_9_a_line_that_raises_must_name_a_highest_bid():
    table = scene(powers=FOUR, phase="auction", opener=X)
    endless = OrderLine(then=reply("DP-04", "raise", a=ME, b=X))
    with pytest.raises(Faulty) as refused:
        order(table, ME, "DP-04", endless)
    assert refused.value.rule == "P-26"
    assert order(table, ME, "DP-04", endless.model_copy(update={"most": 3}))
    assert order(table, ME, "DP-04", answers("DP-04", "bid", gold=3, a=ME, b=X)), "an amount is its own limit"


def test_pass_the_auction_up_to_3_gold_against_me():
    ladder = (line(PASS, most("bid", 3)), line(None))
    assert auction(3, X, ME, *ladder).asked() == [(Y, "DP-04")]
    assert auction(4, X, ME, *ladder).asked() == [(ME, "DP-04")]


def test_keep_passing_while_this_proposal_stands():
    ladder = line(PASS, when("for_a", X), when("for_b", Y))
    assert auction(7, X, Y, ladder).asked() == [(Y, "DP-04")]
    assert auction(7, Y, X, ladder).asked() == [(ME, "DP-04")]


@pytest.mark.parametrize("power, opposite, beside, proposed", [
    ("austria", ("prussia",), ("france",), False), ("britain", ("france",), ("prussia",), False),
    ("france", ("britain", "prussia"), ("austria",), True), ("prussia", ("austria", "france"), ("britain",), True),
    ("spain", (), (), False)])
def test_whom_a_proposal_puts_against_whom(power, opposite, beside, proposed):
    table = scene(powers=("austria", "britain", "france", "prussia", "spain", "russia"), phase="auction", opener="russia",
                  rows=(("austria",), ("britain",)))
    table.say("russia", Bid(gold=2, a="france", b="prussia"))
    for before in ("austria", "britain", "france", "prussia", "spain"):
        known = seen(table, before)
        if before == power:
            assert (known["opposite"], known["beside"], known["proposed"]) == (opposite, beside, proposed)
            assert (known["bid"], known["bidder"], known["for_a"], known["for_b"]) == (2, "russia", "france", "prussia")
            assert set(known["unplaced"]) == {"france", "prussia", "spain", "russia"} and known["auction"] == 2
        table.say(before, Pass())


# --- setup and auction: the last column of table D.1 --------------------------------------------------------------

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

NAVY_OUT = answers("DP-05", "move", unit="navy", origin="austria", to=("africa",))
ARMY_AFTER = answers("DP-08", "move", when("navy_in", "africa"), unit="army", origin="austria", to=("africa",))
ARMY_ELSEWHERE = line(reply("DP-08", "move", unit="army", origin="austria", to=("german_states",)), instead=True)
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
    (4, 0, "banking"), (3, 0, "reserves"), (3, 1, "banking"), (2, 1, "banking"), (0, 0, None), (0, 1, "reserves"),
    (0, 2, "banking")])
def test_DP_26_first_of_this_list_still_there_that_costs_at_most_k_unrest(gold, allowed, taken):
    table = scene(powers=("austria", "britain"), gold=gold)
    wish = line(reply("DP-05", "take", tile=("banking", "industry", "reserves")), toll=allowed)
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
    assert len(table.events(Thrown)) == 2 and table.asked() == [("britain", "DP-05")]
    table.say("britain", End())
    assert table.asked() == [("spain", "DP-05")]
    give(table, *())
    assert ORDERING.spans(table.state, table.state.seat("spain"))["turn"] == "1.2", "the answers ended with their turn"


# --- reactions: the last column of table D.3 ---------------------------------------------------------------------

POWERS = ("spain", "britain", "france", "austria")
ROWS = (("spain", "france"), ("britain", "austria"))


def fleets(spain: int = 2, britain: int = 1, **more: Any) -> Scene:
    """Spain and Britain stand in India with navies and an army each; Britain holds a marker there."""
    return scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, units={
        "spain": {"navy": {"india": spain}, "army": {"india": 2}}, "britain": {"navy": {"india": britain}, "army": {"india": 1}}},
        **more)


def allied(**more: Any) -> Scene:
    """Spain, with France, against Britain, with Austria; all of them stand in India."""
    everywhere = {power: {"navy": {"india": 2}, "army": {"india": 3}} for power in POWERS}
    return scene(powers=POWERS, rows=ROWS, markers={"britain": {"india": 1}}, units=everywhere,
                 neutrals={"india": ["neutral_3"]}, **more)


SOME = {"armies": 1, "navies": 0}


@pytest.mark.parametrize("point", ["DP-11", "DP-13"])
@pytest.mark.parametrize("key, filled, called", [
    ("call_all", {}, ["france", "austria"]), ("call_nobody", {}, []), ("call", {"allies": ("austria", "russia")}, ["austria"])])
def test_DP_11_and_13_whom_to_call(point, key, filled, called):
    caller, other = ("spain", "britain") if point == "DP-11" else ("britain", "spain")
    table = scene(powers=POWERS, rows=((caller, "france", "austria"), (other,)), options={"help.auto_call": False},
                  markers={"britain": {"india": 1}}, active="spain", dice=[(1, 1, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in POWERS})
    give(table, order(table, caller, point, answers(point, key, when("area", "india"), **filled)))
    table.say("spain", Attack(area="india", target="britain"))
    assert [power for power, number in table.asked() if number in ("DP-12", "DP-14")] == called


@pytest.mark.parametrize("target, lines, sent", [
    ("britain", [answers("DP-12", "send_some", when("area", "india"), when("principal", "spain"), **SOME)], (1, 0)),
    ("britain", [answers("DP-12", "send_some", when("area", "africa"), when("principal", "spain"), **SOME)], None),
    ("britain", [answers("DP-12", "send_navies", when("principal", "spain"))], (0, 2)),
    ("britain", [answers("DP-12", "send_nothing", when("against", "britain")), answers("DP-12", "send_all")], (0, 0)),
    ("britain", [answers("DP-12", "send_nothing", when("against", "neutral")), answers("DP-12", "send_all")], (3, 2)),
    ("neutral_3", [answers("DP-12", "send_nothing", when("against", "neutral")), answers("DP-12", "send_all")], (0, 0)),
    ("neutral_3", [answers("DP-12", "send_some", armies=9, navies=9)], (3, 0)),
    ("britain", [answers("DP-12", "send_armies", least("own_armies", 3))], (3, 0)),
    ("britain", [line(Reply(verb=DEFAULT))], (0, 0))])
def test_DP_12_help_an_attacker(target, lines, sent):
    table = allied(dice=[(1, 1, 1, 1)])
    give(table, order(table, "france", "DP-12", *lines))
    table.say("spain", Attack(area="india", target=target))
    helped = [(help_.armies, help_.navies) for help_ in table.events(HelpSent) if help_.ally == "france"]
    assert helped == ([sent] if sent else [])


def test_DP_14_help_a_defender():
    table = allied()
    give(table, order(table, "austria", "DP-14", answers("DP-14", "send_armies", when("principal", "britain"), most("lead", 0))))
    table.say("spain", Attack(area="india", target="britain"))
    table.say("france", Commit(armies=0, navies=0))
    assert [(help_.ally, help_.armies, help_.navies) for help_ in table.events(HelpSent)][-1] == ("austria", 3, 0)


def test_allies_called_at_once_are_sealed_also_when_one_of_them_has_ordered():
    table = scene(powers=POWERS, rows=(("spain",), ("britain", "austria", "france")), markers={"britain": {"india": 1}},
                  units={power: {"army": {"india": 1}} for power in POWERS})
    give(table, order(table, "austria", "DP-14", answers("DP-14", "send_all")))
    table.say("spain", Attack(area="india", target="britain"))
    assert table.asked() == [("france", "DP-14")] and table.events(HelpSent) == []


REFUSE, FIGHT = answers("DP-16", "no_fight"), answers("DP-16", "fight")


@pytest.mark.parametrize("britain, lines, fights", [
    (3, [REFUSE], False), (2, [answers("DP-16", "fight", least("lead", 0)), REFUSE], True),
    (1, [answers("DP-16", "fight", least("lead", 0)), REFUSE], False),
    (3, [answers("DP-16", "fight", least("lead", 1)), REFUSE], True),
    (2, [answers("DP-16", "fight", least("lead", 1)), REFUSE], False),
    (1, [answers("DP-16", "fight", when("area", "india")), REFUSE], True),
    (1, [answers("DP-16", "fight", when("area", "africa")), REFUSE], False), (1, [line(Reply(verb=DEFAULT))], False)])
def test_DP_16_fight_at_sea_when_attacked(britain, lines, fights):
    table = fleets(2, britain, dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "britain", "DP-16", *lines))
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert [declined.side for declined in table.events(SeaDeclined)] == ([] if fights else ["britain"])


@pytest.mark.parametrize("spain, lead, fights", [(3, 2, True), (2, 2, False)])
def test_DP_15_fight_if_at_least_k_ahead(spain, lead, fights):
    table = fleets(spain, 1, dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "spain", "DP-15", answers("DP-15", "fight", least("lead", lead)), answers("DP-15", "no_fight")))
    table.say("spain", Attack(area="india", target="britain"))
    assert table.asked()[:1] == ([("britain", "DP-16")] if fights else [("spain", "DP-05")])


def test_DP_15_the_lead_at_sea_counts_training_and_alliances_that_help_only_there():
    table = scene(powers=("spain", "britain"), markers={"britain": {"ottoman_empire": 1}},
                  units={"spain": {"navy": {"mediterranean": 2}, "army": {"ottoman_empire": 1}},
                         "britain": {"navy": {"mediterranean": 1}}},
                  tiles={"spain": {"naval_training": 1, "alliance_ottoman_empire": 1}, "britain": {"alliance_savoy": 1}})
    table.say("spain", Attack(area="ottoman_empire", target="britain"))
    known = seen(table, "spain")
    assert (known["strength"], known["their_strength"], known["lead"]) == (3, 1, 2), "the Ottoman alliance could help on land too"
    assert (known["own_navies"], known["their_navies"], known["own_armies"], known["their_armies"]) == (2, 1, 1, 0)


def test_what_the_other_side_has_is_seen_with_its_helpers_and_with_alliances_used_at_sea():
    both = {"alliance_portugal": 1}
    table = scene(powers=POWERS, rows=ROWS, markers={"britain": {"africa": 1}}, tiles={"spain": both, "britain": both},
                  units={power: {"navy": {"africa": 2}, "army": {"africa": 3}} for power in POWERS},
                  pack={"tiles": [{"id": "alliance_portugal", "count": 2}]})
    table.say("spain", Attack(area="africa", target="britain"))
    table.say("france", Commit(armies=2, navies=1))
    known = seen(table, "austria")
    assert (known["their_armies"], known["their_navies"], known["strength"], known["their_strength"]) == (5, 3, 4, 6), \
        "on land, with an alliance each"
    table.say("austria", Commit(armies=0, navies=0))
    table.say("spain", Fight())
    table.say("britain", Fight())
    table.say("spain", Assign(stage="sea"))
    known = seen(table, "britain")
    assert (known["strength"], known["their_strength"], known["lead"], known["lead_with_it"]) == (2, 4, -2, -1)


@pytest.mark.parametrize("britain, at_sea", [(1, True), (2, True), (3, False)])
def test_DP_17_sea_if_it_makes_us_at_least_equal(britain, at_sea):
    table = scene(powers=("spain", "britain"), markers={"britain": {"africa": 1}}, tiles={"spain": {"alliance_portugal": 1}},
                  units={"spain": {"navy": {"africa": 1}, "army": {"africa": 1}}, "britain": {"navy": {"africa": britain}}},
                  dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "spain", "DP-17", answers("DP-17", "at_sea", least("lead_with_it", 0)), answers("DP-17", "on_land")))
    table.say("spain", Attack(area="africa", target="britain"), Fight())
    table.say("britain", Fight())
    assert bool(table.events(AllianceUsedAtSea)) is at_sea


@pytest.mark.parametrize("key, at_sea", [("at_sea", True), ("on_land", False)])
def test_DP_18_sea_or_land(key, at_sea):
    table = scene(powers=("spain", "britain"), markers={"britain": {"africa": 1}}, tiles={"britain": {"alliance_portugal": 1}},
                  units={power: {"navy": {"africa": 1}, "army": {"africa": 1}} for power in ("spain", "britain")},
                  dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "britain", "DP-18", answers("DP-18", key, when("alliance", "alliance_portugal"))))
    table.say("spain", Attack(area="africa", target="britain"), Fight())
    table.say("britain", Fight())
    assert bool(table.events(AllianceUsedAtSea)) is at_sea


@pytest.mark.parametrize("armies, lines, used", [
    (3, [answers("DP-19", "blockade", most("lead", -1)), answers("DP-19", "no_blockade")], True),
    (1, [answers("DP-19", "blockade", most("lead", -1)), answers("DP-19", "no_blockade")], False),
    (3, [answers("DP-19", "no_blockade")], False)])
def test_DP_19_yes_if_we_are_behind_before_the_dice(armies, lines, used):
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, tiles={"spain": {"blockade": 1}}, units={
        "spain": {"navy": {"india": 1}, "army": {"india": 1}}, "britain": {"army": {"india": armies}}}, dice=[(1, 1, 1, 1)])
    give(table, order(table, "spain", "DP-19", *lines))
    table.say("spain", Attack(area="india", target="britain"))
    assert bool(table.events(SupportDoubled)) is used and len(table.events(Thrown)) == 1


# Spain has 2 armies in India and attacks 2 British ones; the throws are attacker, attacker, defender, defender.
BEHIND, TIED, AHEAD = (1, 1, 1, 2), (1, 1, 2, 2), (1, 2, 2, 2)
SEVEN_BEHIND = (3, 4, 1, 6)


def reserves(power: str, throw: tuple[int, ...], *lines: OrderLine, tiles: int = 2, **more: Any) -> Scene:
    """One fight on land in which a power has Reserves and an order for them; a second throw, if there is one, is a tie."""
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, tiles={power: {"reserves": tiles}},
                  units={"spain": {"army": {"india": 2}}, "britain": {"army": {"india": 2}}}, dice=[throw, TIED, TIED, TIED])
    give(table, order(table, power, "DP-20" if power == "spain" else "DP-21", *lines, **more))
    table.say("spain", Attack(area="india", target="britain"))
    return table


USE, KEEP = "reserves", "no_reserves"


@pytest.mark.parametrize("throw, tiles, used", [(AHEAD, 2, 0), (TIED, 1, 0), (TIED, 2, 1), (BEHIND, 3, 2)])
def test_DP_20_if_i_did_not_win_while_i_keep_a_tile(throw, tiles, used):
    lines = answers("DP-20", USE, when("result", "won", "is_not"), least("kept", 1)), answers("DP-20", KEEP)
    table = reserves("spain", throw, *lines, tiles=tiles)
    assert len(table.events(ReservesUsed)) == used and table.state.battle is None


@pytest.mark.parametrize("stage, used", [("land", 1), ("sea", 0)])
def test_DP_20_only_on_land(stage, used):
    table = reserves("spain", BEHIND, answers("DP-20", USE, when("stage", stage)), answers("DP-20", KEEP), tiles=1)
    assert len(table.events(ReservesUsed)) == used


@pytest.mark.parametrize("throw, used", [(BEHIND, 0), (SEVEN_BEHIND, 1), ((1, 6, 1, 1), 0)])
def test_DP_20_only_if_a_7_costs_me_a_unit_and_i_did_not_win(throw, used):
    lines = answers("DP-20", USE, when("seven_costs"), most("margin", 0)), answers("DP-20", KEEP)
    assert len(reserves("spain", throw, *lines, tiles=1).events(ReservesUsed)) == used


def test_DP_20_a_7_costs_me_nothing_if_a_helper_stands_in():
    table = allied(tiles={"spain": {"reserves": 1}}, dice=[(3, 4, 1, 6)])
    give(table, order(table, "spain", "DP-20", answers("DP-20", USE, when("seven_costs")), answers("DP-20", KEEP)))
    table.say("spain", Attack(area="india", target="britain"))
    table.say("france", Commit(armies=1, navies=0))
    table.say("austria", Commit(armies=0, navies=0))
    table.say("spain", Decline())
    assert table.events(ReservesUsed) == [] and ("france", "army") in [(lost.owner, lost.unit) for lost in table.events(UnitLost)]


@pytest.mark.parametrize("throw, used", [(AHEAD, 1), (TIED, 0), (BEHIND, 0)])
def test_DP_21_if_i_would_lose_a_control_marker(throw, used):
    lines = answers("DP-21", USE, when("marker_lost")), answers("DP-21", KEEP)
    assert len(reserves("britain", throw, *lines, tiles=1).events(ReservesUsed)) == used


def test_DP_21_no_marker_is_lost_at_sea():
    table = fleets(2, 1, tiles={"britain": {"reserves": 1}}, dice=3 * [(1, 1, 1, 1)])
    give(table, order(table, "britain", "DP-16", FIGHT),
         order(table, "britain", "DP-21", answers("DP-21", USE, when("marker_lost")), answers("DP-21", KEEP)))
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert [thrown.stage for thrown in table.events(Thrown)] == ["sea", "land", "land"]


def test_DP_21_up_to_k_tiles():
    table = reserves("britain", (1, 3, 1, 1), answers("DP-21", USE, when("result", "won", "is_not")), times=2, tiles=3)
    assert len(table.events(ReservesUsed)) == 2 and table.asked() == [("britain", "DP-21")], "a third one is asked for"


@pytest.mark.parametrize("throw, used", [((1, 3, 1, 1), 1), (TIED, 1), (BEHIND, 0)])
def test_DP_21_if_i_lose_or_tie(throw, used):
    lines = answers("DP-21", USE, most("margin", 0)), answers("DP-21", KEEP)
    assert len(reserves("britain", throw, *lines, tiles=1).events(ReservesUsed)) == used


def withdrawal(throw: tuple[int, ...], *lines: OrderLine, armies: int = 2, forts: int = 0, sea: bool = False) -> Scene:
    """A fight in which Britain has Fighting Withdrawal and an order for it."""
    navies = {"navy": {"india": 1}} if sea else {}
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, tiles={"britain": {"fighting_withdrawal": 1}},
                  units={"spain": {"army": {"india": 2}, **navies}, "britain": {"army": {"india": armies}, "fort": {
                      "india": forts} if forts else {}, **navies}}, dice=[throw, (1, 1, 1, 1)])
    give(table, order(table, "britain", "DP-22", *lines), order(table, "britain", "DP-16", FIGHT))
    table.say("spain", Attack(area="india", target="britain"))
    if sea:
        table.say("spain", Fight())
    return table


@pytest.mark.parametrize("throw, used", [((1, 6, 1, 1), False), ((1, 6, 3, 4), True)])
def test_DP_22_if_at_least_2_of_our_units_would_be_lost(throw, used):
    table = withdrawal(throw, answers("DP-22", "withdrawal", least("losses", 2)), answers("DP-22", "no_withdrawal"))
    assert bool(table.events(Withdrawn)) is used and table.state.battle is None


@pytest.mark.parametrize("armies, forts, used", [(1, 0, True), (2, 0, False), (1, 1, False)])
def test_DP_22_if_it_is_my_last_land_unit_there(armies, forts, used):
    lines = (answers("DP-22", "withdrawal", when("last_unit"), when("stage", "land")), answers("DP-22", "no_withdrawal"))
    table = withdrawal((1, 6, 1, 1), *lines, armies=armies, forts=forts)
    assert bool(table.events(Withdrawn)) is used


def test_DP_22_who_has_no_unit_there_loses_no_last_one():
    table = scene(powers=("spain", "britain", "austria"), rows=(("spain",), ("britain", "austria")), dice=[(1, 5, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in ("spain", "austria")}, markers={"britain": {"india": 1}},
                  tiles={"britain": {"fighting_withdrawal": 1}})
    give(table, order(table, "britain", "DP-22", answers("DP-22", "withdrawal", when("last_unit")),
                      answers("DP-22", "no_withdrawal")))
    table.say("spain", Attack(area="india", target="britain"))
    table.say("austria", Commit(armies=1, navies=0))
    assert table.events(Withdrawn) == [] and [lost.owner for lost in table.events(UnitLost)] == ["austria"]


def test_DP_22_never_at_sea():
    lines = (answers("DP-22", "no_withdrawal", when("stage", "sea")), answers("DP-22", "withdrawal"))
    table = withdrawal((1, 6, 1, 1), *lines, sea=True)
    assert [unit.unit for unit in table.events(UnitLost) if unit.owner == "britain"] == ["navy"]
    assert [withdrawn.side for withdrawn in table.events(Withdrawn)] == ["britain"], "but on land"


@pytest.mark.parametrize("lines, lost", [
    ([answers("DP-23", "fort_first")], "fort"), ([answers("DP-23", "army_first")], "army"),
    ([answers("DP-23", "fort_first", when("area", "africa")), answers("DP-23", "army_first")], "army")])
def test_DP_23_fort_first(lines, lost):
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, dice=[(1, 5, 1, 1)],
                  units={"spain": {"army": {"india": 4}}, "britain": {"army": {"india": 1}, "fort": {"india": 1}}})
    give(table, order(table, "britain", "DP-23", *lines))
    table.say("spain", Attack(area="india", target="britain"))
    assert [unit.unit for unit in table.events(UnitLost)] == [lost]


def test_DP_24_ranked_list_of_allies():
    table = scene(powers=(*POWERS, "prussia"), rows=(("spain",), ("britain", "austria", "france", "prussia")),
                  markers={"britain": {"india": 1}}, dice=[(1, 5, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in ("austria", "france", "prussia")} | {
                      "spain": {"army": {"india": 9}}})
    give(table, order(table, "britain", "DP-24", answers("DP-24", "lose", owner=("russia", "france", "austria"))))
    table.say("spain", Attack(area="india", target="britain"))
    for power in ("austria", "france", "prussia"):
        table.say(power, Commit(armies=1, navies=0))
    assert [(unit.owner, unit.unit) for unit in table.events(UnitLost)] == [("france", "army")]


def test_DP_24_a_tie_is_a_tie_also_when_the_other_side_has_lost_its_unit():
    table = scene(powers=POWERS, rows=(("spain",), ("britain", "austria", "france")), markers={"britain": {"india": 1}},
                  units={"spain": {"army": {"india": 2}}, "austria": {"army": {"india": 1}}, "france": {"army": {"india": 1}}},
                  dice=[TIED])
    give(table, order(table, "britain", "DP-24", answers("DP-24", "lose", when("result", "tied"), owner=("austria", "france"))))
    table.say("spain", Attack(area="india", target="britain"))
    for ally in ("austria", "france"):
        table.say(ally, Commit(armies=1, navies=0))
    assert [unit.owner for unit in table.events(UnitLost)] == ["spain", "austria"]


def test_DP_28_in_a_raid_the_owner_answers_as_in_an_attack():
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, tiles={"britain": {"reserves": 2}},
                  units={"britain": {"navy": {"india": 1}}}, dice=[(1, 3, 1, 1), (1, 1, 1, 1), TIED])
    lines = answers("DP-21", USE, when("attacker", "pirates"), when("marker_lost")), answers("DP-21", KEEP)
    give(table, order(table, "britain", "DP-21", *lines))
    table.say("spain", Take(tile="pirates", area="india", target="britain"))
    assert len(table.events(ReservesUsed)) == 1 and table.state.captives == {}


# --- reaction packets ------------------------------------------------------------------------------------------------

def packet(table: Scene, power: str, point: str, *lines: OrderLine) -> Order:
    return order(table, power, point, *lines, kind="packet", lasts="attack")


def test_a_packet_answers_all_questions_of_this_attack_and_none_of_the_next():
    table = fleets(2, 2, tiles={"britain": {"reserves": 1, "fighting_withdrawal": 1}},
                   dice=[(1, 6, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    assert foreseen(table.state)[table.state.seat("britain")] == ("DP-16", "DP-21", "DP-22")
    give(table, packet(table, "britain", "DP-16", FIGHT), packet(table, "britain", "DP-21", answers("DP-21", KEEP)),
         packet(table, "britain", "DP-22", answers("DP-22", "withdrawal")))
    table.say("spain", Fight())
    assert table.state.battle is None and {power for power, _ in by_order(table)} == {"britain"}
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert table.asked() == [("britain", "DP-16")]


def test_in_one_packet_for_several_questions_each_answer_is_for_its_own():
    table = fleets(2, 2, tiles={"britain": {"reserves": 1}}, dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    form = Order(seat=table.state.seat("britain"), kind="packet", points=("DP-16", "DP-21"), lasts="attack",
                 lines=(answers("DP-21", KEEP), FIGHT))                 # both of DP-21 and of DP-16 one can decline
    give(table, checked(GAME, form, table.state))
    table.say("spain", Fight())
    assert by_order(table) == [("britain", "Fight at sea"), ("britain", "No"), ("britain", "No")]


def test_a_packet_does_not_answer_for_another_attack_that_takes_the_place_of_its_own():
    """As after an undo: the packet stays, and the second attack has the number of the first."""
    there = {"navy": {"india": 1, "africa": 1}, "army": {"india": 1, "africa": 1}}
    table, again = (scene(powers=("spain", "britain"), markers={"britain": {"india": 1, "africa": 1}},
                          units={"spain": there, "britain": there}) for _ in range(2))
    table.say("spain", Attack(area="india", target="britain"))
    made = packet(table, "britain", "DP-16", FIGHT)
    again.say("spain", Attack(area="africa", target="britain"))
    give(again, made)
    again.say("spain", Fight())
    assert again.asked() == [("britain", "DP-16")] and again.state.battles == table.state.battles


def test_a_question_left_open_on_purpose_is_asked():
    table = fleets(2, 2, tiles={"britain": {"reserves": 1}}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    give(table, packet(table, "britain", "DP-16", FIGHT), packet(table, "britain", "DP-21", OrderLine()),
         order(table, "britain", "DP-21", answers("DP-21", KEEP)))
    table.say("spain", Fight())
    assert table.asked() == [("britain", "DP-21")], "ask me after the dice, whatever is ordered otherwise"


def points(table: Scene, power: str) -> tuple[str, ...]:
    return foreseen(table.state).get(table.state.seat(power), ())


def test_only_what_can_really_arise_is_foreseen():
    plain = fleets(2, 1)
    plain.say("spain", Attack(area="india", target="britain"))
    assert (points(plain, "spain"), points(plain, "britain")) == (("DP-15",), ("DP-16",))

    by_land = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, units={"spain": {"army": {"india": 2}}},
                    tiles={"britain": {"reserves": 1, "fighting_withdrawal": 1, "blockade": 1}, "spain": {"reserves": 1}},
                    dice=[(1, 1, 1, 1)])
    by_land.say("spain", Attack(area="india", target="britain"))
    assert points(by_land, "spain") == ("DP-20",)
    assert points(by_land, "britain") == ("DP-21",), "no navy that could give support, no unit that could be lost"

    used_up = fleets(2, 1, tiles={"britain": {"reserves": 1}}, used={"britain": {"reserves": 1}})
    used_up.say("spain", Attack(area="india", target="britain"))
    assert points(used_up, "britain") == ("DP-16",)


def test_everything_that_can_arise_is_foreseen_for_all_at_the_declaration():
    everything = {"reserves": 1, "blockade": 1}
    table = scene(powers=(*POWERS, "prussia", "russia"), rows=(("spain", "france", "prussia"), ("britain", "austria", "russia")),
                  markers={"britain": {"africa": 1}}, options={"help.auto_call": False},
                  tiles={"spain": {**everything, "alliance_portugal": 1}, "britain": {"reserves": 1, "fighting_withdrawal": 1}},
                  units={power: {"navy": {"africa": 1}, "army": {"africa": 1}} for power in (*POWERS, "prussia", "russia")} | {
                      "britain": {"navy": {"africa": 1}, "army": {"africa": 1}, "fort": {"africa": 1}}})
    table.say("spain", Attack(area="africa", target="britain"))
    assert points(table, "spain") == ("DP-11", "DP-15", "DP-17", "DP-19", "DP-20", "DP-24")
    assert points(table, "britain") == ("DP-13", "DP-16", "DP-21", "DP-24", "DP-22", "DP-23")
    assert [points(table, power) for power in ("france", "prussia", "austria", "russia")] == [
        ("DP-12",), ("DP-12",), ("DP-14",), ("DP-14",)]


def test_who_has_been_heard_is_not_asked_again():
    table = allied()
    table.say("spain", Attack(area="india", target="britain"))
    assert (points(table, "france"), points(table, "austria")) == (("DP-12",), ("DP-14",))
    table.say("france", Commit(armies=0, navies=0))
    assert (points(table, "france"), points(table, "austria")) == ((), ("DP-14",))
    table.say("austria", Commit(armies=0, navies=0))
    assert (points(table, "france"), points(table, "austria")) == ((), ())


def test_a_surprised_defender_is_not_helped():
    table = allied(tiles={"spain": {"surprise_attack": 1}})
    table.say("spain", Attack(area="india", target="britain", surprise=True))
    assert points(table, "france") == ("DP-12",) and points(table, "austria") == ()


def test_what_is_behind_is_not_foreseen_any_more():
    table = fleets(2, 2, tiles={"spain": {"reserves": 2, "blockade": 2}, "britain": {"fighting_withdrawal": 2}},
                   pack={"tiles": [{"id": "blockade", "count": 2}, {"id": "fighting_withdrawal", "count": 2}]},
                   dice=[(1, 3, 1, 1), (1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    assert points(table, "spain") == ("DP-15", "DP-19", "DP-20") and points(table, "britain") == ("DP-16", "DP-22")
    table.say("spain", Fight())
    table.say("britain", Fight())
    assert table.asked() == [("spain", "DP-20")] and points(table, "spain") == ("DP-19", "DP-20")
    table.say("spain", Decline())
    assert table.asked() == [("britain", "DP-22")]
    table.say("britain", table.options("britain")[0])
    assert table.asked() == [("spain", "DP-19")] and points(table, "britain") == (), "it has withdrawn"
    table.say("spain", Decline())
    assert points(table, "spain") == ("DP-20",), "the Blockade was offered, and the dice on land are thrown"


def test_allies_who_were_not_called_are_not_foreseen_once_the_call_is_over():
    powers = ("spain", "france", "prussia", "britain", "austria", "russia")
    table = scene(powers=powers, rows=(powers[:3], powers[3:]), markers={"britain": {"india": 1}}, dice=[(1, 1, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in powers}, options={"help.auto_call": False},
                  tiles={"spain": {"reserves": 1}})
    table.say("spain", Attack(area="india", target="britain"), Call(allies=("france",)))
    table.say("france", Commit(armies=0, navies=0))
    table.say("britain", Call(allies=("austria", "russia")))
    table.say("austria", Commit(armies=0, navies=0))
    table.say("russia", Commit(armies=0, navies=0))
    assert table.asked() == [("spain", "DP-20")]
    assert foreseen(table.state) == {table.state.seat("spain"): ("DP-20",)}


def test_when_nobody_was_called_nobody_is_foreseen_after_the_dice():
    table = scene(powers=POWERS, rows=ROWS, markers={"britain": {"india": 1}}, dice=[(1, 1, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in POWERS}, options={"help.auto_call": False},
                  tiles={"spain": {"reserves": 1}})
    table.say("spain", Attack(area="india", target="britain"), Call(allies=()))
    table.say("britain", Call(allies=()))
    assert table.asked() == [("spain", "DP-20")] and foreseen(table.state) == {table.state.seat("spain"): ("DP-20",)}


def test_allies_who_were_not_called_are_behind_before_the_fight_at_sea():
    powers = ("spain", "france", "prussia", "britain", "austria", "russia")
    everywhere = {power: {"army": {"india": 1}} for power in powers}
    table = scene(powers=powers, rows=(("spain", "austria", "prussia"), ("britain", "france", "russia")),
                  markers={"britain": {"india": 1}}, options={"help.auto_call": False}, tiles={"france": {"blockade": 1}},
                  units={**everywhere, "spain": {"army": {"india": 1}, "navy": {"india": 1}}, "britain": {"navy": {"india": 1}}})
    table.say("spain", Attack(area="india", target="britain"))
    table.say("spain", Call(allies=("austria",)))
    table.say("austria", Commit(armies=0, navies=0))
    assert points(table, "prussia") == () and points(table, "russia") == ("DP-14",)
    table.say("britain", Call(allies=("france",)))
    table.say("france", Commit(armies=0, navies=0))
    assert foreseen(table.state) == {table.state.seat("spain"): ("DP-15",), table.state.seat("britain"): ("DP-16",)}


def test_blockade_is_foreseen_only_for_who_could_have_support():
    table = scene(powers=POWERS, rows=ROWS, markers={"britain": {"india": 1}}, tiles={"britain": {"blockade": 1}},
                  units={power: {"army": {"india": 1}} for power in POWERS})
    table.say("spain", Attack(area="india", target="britain"))
    assert table.asked() == [("france", "DP-12")] and points(table, "britain") == (), "it has no navy there"


def test_in_a_naval_attack_nothing_comes_after_the_fight_at_sea():
    table = scene(powers=("spain", "britain"), tiles={"spain": {"reserves": 1}, "britain": {"fighting_withdrawal": 1}},
                  units={"spain": {"navy": {"india": 3}}, "britain": {"navy": {"india": 2}, "army": {"india": 1},
                                                                      "fort": {"india": 1}}}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    assert points(table, "spain") == ("DP-20",) and points(table, "britain") == ("DP-16", "DP-22")
    table.say("britain", Fight())
    table.say("spain", Decline())
    assert table.asked() == [("britain", "DP-22")] and points(table, "spain") == ()


def test_a_raid_foresees_the_questions_of_the_owner():
    table = scene(powers=("spain", "britain"), markers={"britain": {"caribbean": 1}}, dice=[(1, 1, 1, 1)],
                  tiles={"britain": {"blockade": 1, "reserves": 1, "fighting_withdrawal": 1}},
                  units={"britain": {"navy": {"caribbean": 1}, "army": {"caribbean": 1}, "fort": {"caribbean": 1}}})
    table.say("spain", Take(tile="slave_revolt", area="caribbean", target="britain"))
    assert points(table, "britain") == ("DP-19", "DP-21", "DP-22", "DP-23") and points(table, "spain") == ()


# --- SOE-22.1.1 to 22.1.9 ---------------------------------------------------------------------------------------------

def test_SOE_22_1_1_every_question_of_the_game_can_be_answered_in_advance():
    asked = {f"DP-{number:02}" for number in range(1, 34)} - {
        "DP-10", "DP-25", "DP-26", "DP-27", "DP-30", "DP-33",   # parts of DP-05 and DP-06
        "DP-28",                                                # asked as DP-19, 21, 22 and 23
        "DP-31"}                                                # never asked
    assert {point.no for point in POINTS} == asked and len(POINTS) == len(asked)


def test_SOE_22_1_3_conditions_see_what_the_player_sees():
    promised = {"area", "attacker", "defender", "against", "principal", "own_armies", "their_armies", "strength", "lead",
                "result", "margin", "bid", "bidder", "for_a", "for_b", "gold", "unrest", "war", "round", "population", "actions"}
    assert promised <= {condition.key for condition in CONDITIONS}
    used = {key for point in POINTS for key in point.conditions}
    assert used == {condition.key for condition in CONDITIONS}, "a condition that no question has is of no use"


@pytest.mark.parametrize("unrest, passes", [(0, True), (9, False)])
def test_SOE_22_1_3_a_line_can_ask_for_the_own_unrest(unrest, passes):
    table = scene(powers=FOUR, phase="auction", opener=X, unrest={ME: unrest, X: 9 - unrest})
    give(table, order(table, ME, "DP-04", line(PASS, most("unrest", 4))))
    table.say(X, Bid(gold=0, a=X, b=Y))
    assert (table.asked() == [(Y, "DP-04")]) is passes


@pytest.mark.parametrize("point", ["DP-11", "DP-12", "DP-13", "DP-14", "DP-24"])
def test_SOE_22_1_4_help_orders_never_outlive_a_war(point):
    table = allied()
    offered = next(offer for offer in ORDERING.point(point).offers if not offer.slots) if point != "DP-24" else None
    then = Reply(verb="lose", fields={"owner": ("france",)}) if offered is None else offered.reply({})
    of_war = order(table, "spain", point, line(then))
    assert of_war.lasts == "war" and of_war.span == "1"
    for lasts in ("always", "turn"):
        with pytest.raises(Faulty) as refused:
            order(table, "spain", point, line(then), lasts=lasts)
        assert refused.value.rule == "P-23"
    orders = Orders(GAME, [of_war])
    assert orders.holds(of_war, table.state)
    table.state.war = 2
    assert not orders.holds(of_war, table.state)


@pytest.mark.parametrize("war, last, active, austria, britain", [
    (1, False, "austria", "1.1", "1.1"), (1, False, "britain", "1.2", "1.1"), (1, True, "britain", "2.1", "1.{last}"),
    (3, True, "austria", "3.{last}", "3.{last}"), (3, True, "britain", None, "3.{last}")])
def test_SOE_22_1_4_a_turn_is_the_present_one_or_the_next(war, last, active, austria, britain):
    rounds = PARTS.set_up(2).rounds_per_war
    table = scene(powers=("austria", "britain"), war=war, round=rounds if last else 1, active=active)
    for power, turn in (("austria", austria), ("britain", britain)):
        spans = ORDERING.spans(table.state, table.state.seat(power))
        assert spans.get("turn") == (turn and turn.format(last=rounds)) and spans["war"] == str(war)


def test_SOE_22_1_4_during_an_auction_the_next_turn_is_the_first_of_the_war():
    table = scene(powers=FOUR, phase="auction", opener=X, war=2, round=0)
    assert ORDERING.spans(table.state, table.state.seat(ME)) == {"war": "2", "turn": "2.1"}


def test_SOE_22_1_5_an_order_can_be_changed_until_its_question_is_answered():
    table = fleets(2, 2)
    give(table, order(table, "britain", "DP-16", REFUSE))
    table.say("spain", Attack(area="india", target="britain"))
    give(table, order(table, "britain", "DP-16", OrderLine()))
    table.say("spain", Fight())
    assert table.asked() == [("britain", "DP-16")]


def test_SOE_22_1_6_the_report_of_a_step_does_not_tell_of_the_order():
    def report(ordered: bool) -> tuple[list[str], list[tuple[object, ...]]]:
        table = fleets(2, 2, dice=[(1, 1, 1, 1)])
        if ordered:
            give(table, order(table, "britain", "DP-16", REFUSE))
        table.say("spain", Attack(area="india", target="britain"), Fight())
        if not ordered:
            table.say("britain", Decline())
        rows = [entry.row() for entry in table.table.fresh]
        return table.lines(), [(row.no, row.seat, row.verb, row.answer, row.events) for row in rows]

    assert report(True) == report(False)


def test_SOE_22_1_7_an_order_goes_before_the_default_of_an_absence():
    table = fleets(2, 4, dice=3 * [(1, 1, 1, 1)])
    table.table.absent.add(table.state.seat("britain"))
    give(table, order(table, "britain", "DP-16", answers("DP-16", "fight", least("lead", 2))))
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert by_order(table) == [("britain", "Fight at sea")]
    table.table.deputy = None
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert [declined.side for declined in table.events(SeaDeclined)] == ["britain"]


@pytest.mark.parametrize("gold, allows, attacks", [
    (2, {}, True), (1, {}, False), (1, {"toll": 1}, True), (1, {"costly": True}, True), (0, {"toll": 0}, False)])
def test_SOE_22_1_8_an_order_that_would_force_taxation_needs_a_line_that_allows_it(gold, allows, attacks):
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, units={"spain": {"army": {"india": 1}}},
                  gold={"spain": gold}, dice=[(1, 1, 1, 1)])
    attack = line(reply("DP-05", "attack", area="india", target=("france", "britain")), **allows)
    give(table, order(table, "spain", "DP-05", attack, times=1))
    assert bool(table.events(Thrown)) is attacks


@pytest.mark.parametrize("action, unrest", [
    (Bid(gold=9), 5), (Bid(gold=0), 0), (Attack(area="india", target="britain"), 1),
    (Attack(area="india", target="britain", war_office=True), 0), (Take(tile="industry"), 2), (Take(tile="banking"), 2),
    (Use(tile="diplomatic_service", on="alliance_denmark"), 1), (Use(tile="blockade", on="india"), 0),
    (Build(unit="army", to="spain"), 0), (Pass(), 0)])
def test_what_an_answer_costs_in_unrest(action, unrest):
    table = scene(powers=("spain", "britain"), gold=0, tiles={"spain": {"diplomatic_service": 1}})
    seat = table.state.seat("spain")
    assert unrest_of(table.state, seat, action) == unrest
    assert (action.consequence(table.state, seat) is not None) == (unrest > 0)


# --- words -------------------------------------------------------------------------------------------------------------

def spoken(made: OrderLine) -> str:
    return say(line_text(GAME, made), READER)


@pytest.mark.parametrize("edition, options, limit", [
    ("first", {}, {0: "0 unrest", 1: "1 unrest", 2: "2 unrest"}),
    ("deluxe", {}, {0: "0 unrest markers", 1: "1 unrest marker", 2: "2 unrest markers"}),
    ("deluxe", {"unrest.model": "count"}, {1: "1 unrest", 2: "2 unrest"}),
])
def test_a_limit_of_unrest_is_told_in_markers_where_they_are_drawn_from_the_bag(edition, options, limit):
    state = scene(edition=edition, options=options).state
    reader = English(GAME.words.names(state.parts, state))
    for toll, words in limit.items():
        made = line(reply("DP-05", "take", tile=("banking",)), toll=toll)
        assert say(line_text(GAME, made), reader) == f"Buy Banking, if it costs no more than {words}."


@pytest.mark.parametrize("made, words", [
    (answers("DP-12", "send_some", when("area", "india"), when("principal", "austria"), **SOME),
     "If the area is India and Austria is the main side: send up to 1 army and no navies."),
    (LEAVE_X, "If the proposal puts Austria against you and the bid is at most 3 gold: raise by 1 gold for Britain "
              "in row A and France in row B, up to 4 gold."),
    (EARLY, "If the proposal doesn't name you and the bid is at most 1 gold: raise by 1 gold for Britain in row A "
            "and Austria in row B, up to 2 gold."),
    (AGAIN, "If the proposal is the same as at your last pass: pass."), (OTHERWISE, "Pass."),
    (answers("DP-16", "fight", least("lead", 1)), "If your side's lead before the dice is at least 1: fight at sea."),
    (answers("DP-20", USE, when("seven_costs"), when("result", "won", "is_not"), least("kept", 1)),
     "If a 7 costs you a unit, the fight isn't won as rolled and you keep at least 1 of them: use Reserves."),
    (line(reply("DP-05", "take", tile=("banking", "reserves")), toll=1),
     "Buy the first possible of Banking and Reserves, if it costs no more than 1 unrest."),
    (line(reply("DP-05", "rebuild", unit="army", at=("india",)), costly=True),
     "Destroy the army in India and rebuild it, even if it costs unrest."),
    (line(None, when("attacker", "neutral", "is_not"), when("unrest", 7, "at_least")),
     "If the attacker isn't a neutral marker and you have at least 7 unrest: ask me."),
    (line(None, when("own_armies", 1, "is_not"), when("their_navies", 2)),
     "If you have more or less than 1 army there and the other side has 2 navies there: ask me.")])
def test_lines_read_as_plain_english(made, words):
    assert spoken(made) == words


def filled(offer: Offer, number: int) -> dict[str, Any]:
    """Something in every blank; in a list, so many values."""
    state, seat = allied().state, Seat("seat_1")
    return {slot.field: number if slot.kind in ("number", "amount") else slot.values(state, seat)[0] if slot.kind == "choice"
            else tuple(slot.values(state, seat)[:number]) for slot in offer.slots}


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.no)
def test_every_answer_reads_well_and_fits_its_question(point):
    for offer in point.offers:
        kind = GAME.verb(offer.verb)
        for number in (1, 2):
            made = line(offer.reply(filled(offer, number)), most=4 if offer.capped else None)
            assert set(made.then.fields) <= set(kind.model_fields)
            assert "{" not in spoken(made) and "_" not in spoken(made) and spoken(made)[0].isupper()
    assert len({offer.key for offer in point.offers}) == len(point.offers) <= 25, "they are the options of one select"
    assert len(point.conditions) <= 25 and all(ORDERING.condition(key) for key in point.conditions)


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: condition.key)
def test_every_condition_reads_well(condition: Condition):
    state = allied().state
    for op in ("is", "is_not") if condition.kind != "number" else ("is", "is_not", "at_least", "at_most"):
        value = {"flag": True, "number": 2}.get(condition.kind) or condition.values(state, Seat("seat_1"))[0]
        words = spoken(OrderLine(when=(when(condition.key, value, op),)))
        assert "{" not in words and "_" not in words and "not:" not in words and words.endswith(": ask me.")


def test_an_offer_keeps_its_meaning_wherever_it_is_offered():
    meanings: dict[str, str] = {}
    for offer in (offer for point in POINTS for offer in point.offers):
        assert meanings.setdefault(offer.key, offer.words) == offer.words


def test_orders_are_stored_and_come_back():
    table = allied()
    for made in (order(table, ME, "DP-04", LEAVE_X, ACCEPT_X, EARLY, AGAIN, OTHERWISE),
                 written(table, "spain", NAVY_OUT, ARMY_AFTER, ARMY_ELSEWHERE)):
        assert Order.model_validate(json.loads(made.model_dump_json())) == made
    assert LEAST in json.dumps(LEAVE_X.model_dump()) and reply("DP-12", "send_all").fields["armies"] == MOST
