"""Standing orders in Struggle of Empires: section D of the rules, its examples, and how orders are worded."""
from __future__ import annotations

import json
import re

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Build, Decline, Fight, Pass, Take, Use
from engine.games.struggle_of_empires.events import AuctionPassed, AuctionWon, BidPlaced, DiceRolled, SeaDeclined
from engine.games.struggle_of_empires.orders import CONDITIONS, ORDERING, POINTS, unrest_of
from engine.kernel import Seat
from engine.orders import LEAST, MOST, Order, OrderLine, Orders, Reply, Test, line_text
from engine.refusals import Faulty
from engine.text import Reader, say
from tests.games.struggle_of_empires.ordering import (
    ARMY_AFTER,
    ARMY_ELSEWHERE,
    FOUR,
    ME,
    NAVY_OUT,
    PARTS,
    READER,
    REFUSE,
    SOME,
    USE,
    X,
    Y,
    Z,
    allied,
    answers,
    auction,
    by_order,
    filled,
    fleets,
    give,
    least,
    line,
    most,
    order,
    reply,
    seen,
    when,
    written,
)
from tests.scene import scene

# --- the ladder of section D.4 -------------------------------------------------------------------------------------

def raise_(a: str, b: str, up_to: int, *tests: Test) -> OrderLine:
    return line(reply("DP-04", "raise", a=a, b=b), *tests, most=up_to)


PASS = reply("DP-04", "pass")
LEAVE_X = raise_(ME, Y, 4, when("opposite", X), most("bid", 3))         # opposite(me, X) and bid < 4 -> raise 1 with A=me B=Y
ACCEPT_X = line(PASS, when("for_a", ME), when("for_b", X))              # proposal = (A=me, B=X) -> pass
EARLY = raise_(ME, X, 2, when("proposed", False), most("bid", 1))       # me not in proposal and bid < 2 -> raise 1 with A=me B=X
AGAIN = line(PASS, when("unchanged"))                                   # standing proposal unchanged since my pass -> pass
OTHERWISE = line(PASS)                                                  # otherwise -> pass


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


# --- SOE-22.1.1 to 22.1.9 ------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("point", ["DP-11", "DP-13", "DP-24"])
def test_SOE_9_4_3_help_orders_name_allies_alone(point):
    state = allied().state
    (slot,) = [slot for offer in ORDERING.point(point).offers for slot in offer.slots]
    for power in state.powers:
        assert list(slot.values(state, state.seat(power))) == [other for other in state.powers if other in state.allies(power)]


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
    assert bool(table.events(DiceRolled)) is attacks


@pytest.mark.parametrize("action, unrest", [
    (Bid(gold=9), 5), (Bid(gold=0), 0), (Attack(area="india", target="britain"), 1),
    (Attack(area="india", target="britain", war_office=True), 0), (Take(tile="industry"), 1), (Take(tile="war_office"), 2),
    (Use(tile="diplomatic_service", on="alliance_denmark"), 1), (Use(tile="blockade", on="india"), 0),
    (Build(unit="army", to="spain"), 0), (Pass(), 0)])
def test_what_an_answer_costs_in_unrest(action, unrest):
    table = scene(powers=("spain", "britain"), gold=0, tiles={"spain": {"diplomatic_service": 1}})
    seat = table.state.seat("spain")
    assert unrest_of(table.state, seat, action) == unrest
    assert (action.consequence(table.state, seat) is not None) == (unrest > 0)


# --- words ---------------------------------------------------------------------------------------------------------

def spoken(made: OrderLine) -> str:
    return say(line_text(GAME, made), READER)


@pytest.mark.parametrize("edition, options, limit", [
    ("first", {}, {0: "0 unrest", 1: "1 unrest", 2: "2 unrest"}),
    ("deluxe", {}, {0: "0 unrest markers", 1: "1 unrest marker", 2: "2 unrest markers"}),
    ("deluxe", {"unrest.model": "count"}, {1: "1 unrest", 2: "2 unrest"}),
])
def test_a_limit_of_unrest_is_told_in_markers_where_they_are_drawn_from_the_bag(edition, options, limit):
    state = scene(edition=edition, options=options).state
    reader = Reader(GAME.words.names(state.parts, state))
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
     "If you have any amount except 1 army there and the other side has 2 navies there: ask me.")])
def test_lines_read_as_plain_english(made, words):
    assert spoken(made) == words


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


def test_every_condition_reads_well():
    state, read = allied().state, list[str]()
    for condition in CONDITIONS:
        for op in ("is", "is_not") if condition.kind != "number" else ("is", "is_not", "at_least", "at_most"):
            value = {"flag": True, "number": 2}.get(condition.kind) or condition.values(state, Seat("seat_1"))[0]
            read.append(spoken(OrderLine(when=(when(condition.key, value, op),))))
    assert len(read) > 90 and [words for words in read if re.search("[{_]|not:", words) or not words.endswith(": ask me.")] == []


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
