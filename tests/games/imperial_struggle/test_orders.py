"""What standing orders of Imperial Struggle offer: what can come up, and what matters first (IS-18.33, 23.32)."""
from __future__ import annotations

from typing import Any

import pytest

from bot.domain import order_drafts
from bot.service.orders import in_advance, occasion
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.orders.decision_points import ORDERING
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.nouns import names, tile_name
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply, Test
from engine.orders.wording import answer_text, line_text, offer_text
from engine.text import Reader, say
from tests.games.imperial_struggle.scene import PARTS, scene, state_of

FRANCE = Seat("seat_2")


def listed(no: str, key: str, state: State) -> list[str]:
    """The values of the first blank of an offered answer, for France."""
    point = ORDERING.point(no)
    assert point is not None
    (slot, *_) = next(offer for offer in point.offers if offer.key == key).slots
    return list(slot.choices(state, FRANCE, {}))


@pytest.mark.parametrize("no, options, phase, arises", [
    ("IS-19.1", {}, "round", False), ("IS-19.1", {"spanish_empire": True}, "round", True),
    ("IS-19.4", {"sides": "bid"}, "sides", True), ("IS-19.4", {"sides": "bid"}, "round", False), ("IS-19.4", {}, "setup", False),
    ("IS-18.11", {}, "round", True), ("IS-18.21", {}, "war", True), ("IS-18.23", {}, "war", True), ("IS-18.24", {}, "war", True)])
def test_IS_18_33_only_what_can_come_up_is_offered(no: str, options: dict[str, Any], phase: str, arises: bool) -> None:
    assert ORDERING.arises(no, state_of(options=options, phase=phase)) is arises


@pytest.mark.parametrize("when", [(), (Test(fact="left", value="inv_01"),)])
def test_IS_18_6_an_order_for_a_tile_takes_the_one_that_shows_the_same(when: tuple[Test, ...]) -> None:
    """Each of the two is good for the other, also in orders that named the second one when both were offered."""
    same = PARTS.same_face["inv_01"]
    assert same == ("inv_02",) and not PARTS.same_face["inv_05"]
    for named, there in (("inv_01", "inv_02"), ("inv_02", "inv_01"), ("inv_01", "inv_01")):
        line = OrderLine(when=when, then=Reply(verb="take", offer="take", fields={"tile": (named, "inv_09")}))
        order = Order(id=1, seat=FRANCE, points=("IS-18.6",), lines=(line,))
        made = scene(active="france", available=["inv_05", "inv_09", there], orders=[order])
        assert made.state.current.tile == there
    offered = listed("IS-18.6", "take", scene(active="france", available=["inv_05", "inv_02"]).state)
    assert offered[:2] == ["inv_02", "inv_05"] and "inv_01" not in offered
    faces = {tile_name(tile) for tile in PARTS.investment_tiles}
    assert sorted(faces) == sorted([tile_name(PARTS.investment[id]) for id in offered]), "each face once"


@pytest.mark.parametrize("no, ahead", [("IS-18.1", False), ("IS-18.2", False), ("IS-18.3", False), ("IS-18.6", True)])
def test_IS_18_33_what_comes_before_the_rounds_is_not_offered_in_the_last_peace_turn(no: str, ahead: bool) -> None:
    last = [step.id for step in PARTS.turn_track if step.kind == "peace"][-1]
    assert ORDERING.ahead(no, state_of(phase="round", turn=last), FRANCE) is ahead
    assert ORDERING.ahead(no, state_of(phase="peace", turn=last), FRANCE)
    assert ORDERING.ahead(no, state_of(phase="round"), FRANCE)


def test_IS_23_32_what_a_war_can_hit_now_comes_first() -> None:
    state = scene(active="france").state
    found = listed("IS-18.21", "target", state)
    hit = [space for space in PARTS.space if state.flags.get(space) == "britain"
           and PARTS.space[space].region in ("europe", "north_america") and PARTS.space[space].type != "territory"]
    assert {theater.regions for theater in PARTS.war["WSS"].theaters} <= {("europe",), ("north_america",)}
    assert hit and set(found[:len(hit)]) == set(hit)
    assert set(found) == {space for space in PARTS.space if PARTS.space[space].type != "territory"}


def test_IS_23_32_ones_own_squadrons_and_forts_come_before_those_of_others() -> None:
    state = scene(active="france", flags={"biscay": "france", "malabar_coast": "france"}).state
    for no in ("IS-18.24", "IS-18.11"):
        owners = [state.flags.get(space) == "france" for space in listed(no, "target", state)
                  if space in PARTS.of_type["naval"]]
        assert owners == sorted(owners, reverse=True) and any(owners) and not all(owners)


def test_IS_23_32_conquests_within_reach_come_before_all_others() -> None:
    state = scene(active="france").state
    found = listed("IS-18.22", "conquer", state)
    near = {space for theater in PARTS.war["WSS"].theaters for space in PARTS.conquerable["WSS", theater.number]
            if state.flags.get(space) != "france"}
    assert near and set(found[:len(near)]) == near


@pytest.mark.parametrize("turn, war, costs", [
    ("T1", "WSS", False), ("T2", "WAS", False), ("T4", "7YW", True), ("T5", "AWI", True)])
def test_IS_18_24_squadrons_are_given_up_in_advance_only_for_a_war_that_costs_some(turn: str, war: str, costs: bool) -> None:
    assert PARTS.war[war].costs_squadrons is costs
    points = ORDERING.foreseen(scene(active="france", turn=turn, ar=ROUNDS).state)
    assert all(("IS-18.24" in found) is costs and "IS-18.23" in found for found in points.values())
    assert bool(points) is (turn != "T2"), "no war follows the second turn"


def test_IS_5_11_a_written_round_ends_with_what_it_leaves_unused() -> None:
    """Who writes "end the round" need not say that points may lapse; what a purchase costs is said once, and not in the list."""
    ordering, draft = ORDERING, order_drafts.turn(ORDERING)
    draft = order_drafts.chosen(ordering, draft, "IS-18.12;end")
    assert [line.costly for line in draft.lines] == [True]
    bought = next(offer for offer in ORDERING.point("IS-18.12").offers if offer.key == "draw")
    assert say(offer_text(GAME, bought, listed=True)) == "draw an event"
    assert say(offer_text(GAME, bought, {"debt": 0, "trp": 2})) == "draw an event, with no debt and up to 2 TRP"


@pytest.mark.parametrize("no, key, reached", [
    ("IS-18.21", "target", {"europe", "north_america"}), ("IS-18.22", "conquer", {"europe", "north_america", "caribbean"}),
    ("IS-18.22", "unflag", {"north_america"})])
def test_IS_18_33_answers_in_advance_name_only_what_the_next_war_reaches(no: str, key: str, reached: set[str]) -> None:
    """An order for the whole game can name every space: later wars reach India."""
    state, point = scene(active="france").state, ORDERING.point(no)
    assert point is not None
    (slot,) = next(offer for offer in point.offers if offer.key == key).slots
    assert {state.space(id).region for id in slot.reached(state, FRANCE, {})} == reached
    assert "india" in {state.space(id).region for id in slot.choices(state, FRANCE, {})}


def test_IS_18_33_a_war_far_off_is_no_occasion_and_what_the_own_turn_asks_can_be_decided() -> None:
    early, late = scene(active="france").table, scene(active="france", ar=ROUNDS - 2).table
    assert (occasion(early, FRANCE), occasion(late, FRANCE)) == ("", "WSS")
    assert in_advance(early, FRANCE) == ("IS-18.10", "IS-18.16") and "IS-18.23" in in_advance(late, FRANCE)


@pytest.mark.parametrize("no, said", [
    ("IS-18.21", "hit Halifax"), ("IS-18.24", "give up the one at Halifax"), ("IS-18.10", "choose Halifax")])
def test_an_order_speaks_as_its_own_question_does(no: str, said: str) -> None:
    """Several questions have an answer of the same name."""
    line = OrderLine(then=Reply(verb="choose", offer="target", fields={"target": ("halifax",)}))
    reader = Reader(names(PARTS))
    assert say(answer_text(GAME, line, (no,)), reader) == said
    assert said[1:] in say(line_text(GAME, line, points=(no,)), reader)
