"""Chapter 20: what each item is seen by, in the view, in what is told, and in what a question and an order can know."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.domain.announcements import Announced, after, reader_of
from engine.games.attack import GAME
from engine.games.attack.orders.decision_points import ORDERING
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight, PairFought
from engine.games.attack.rules.naval_lines import Line as ShipLine
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.view import Units, View, view
from engine.kernel import Seat
from engine.kernel.game_spec import Replay
from engine.orders import Order, OrderLine, Reply
from engine.text import Reader, say
from tests.games.attack.scene import SHIPS, Scene, scene, shown

D, B = SHIPS["D"], SHIPS["B"]
THREE = ("red", "blue", "green")
LAND = {"mexico": ("red", "3I 1T"), "france": ("blue", "2I 1P"), "mozambique": ("green", "1A")}
BLANKS, ONE_TANK = shown("- -"), shown("T -")
HANDS = {"red": ("oil_2", "oil_1"), "blue": ("minerals_1", "factories_3", "population_4")}
OWN = {"seat", "own_cards", "own_points"}
BOARD = next(picture for picture in GAME.views.pictures if picture.key == "board")


def sitting(**more: object) -> Scene:
    return scene(**{"powers": THREE, "land": LAND, "hands": HANDS, **more})         # type: ignore[arg-type]


def readers(made: Scene) -> Iterator[tuple[str, View]]:
    """What the public ("") and each power see."""
    yield "", view(made.state, None)
    for power in THREE:
        yield power, view(made.state, made.state.seat(power))


def told(made: Scene) -> str:
    return " ".join(made.lines()).lower()


def board(made: Scene, power: str) -> Any:
    """The board as a power sees it who is asked something."""
    seat = made.state.seat(power)
    return BOARD.scene(Replay(spec=GAME, parts=made.parts, start=made.start, rows=[entry.row() for entry in made.table.fresh],
                             seat=seat, options=made.table.options(seat)))


# --- open to all ----------------------------------------------------------------------------------------

def test_ATK_20_1_units_owners_capitals_and_actions_taken_are_seen_by_all():
    made = sitting(capitals={"mexico": "red", "france": "red"}, taken=("diplomacy",))
    for _, seen in readers(made):
        lands = {land.territory: land for land in seen.territories}
        assert (lands["mexico"].owner, lands["mexico"].units) == ("red", Units(infantry=3, tank=1))
        assert (lands["france"].owner, lands["france"].units, lands["france"].capital_of) == ("blue", Units(infantry=2, plane=1),
                                                                                             "red")
        assert lands["cuba"].owner == "" and seen.taken == ("diplomacy",) and seen.actions_left == 2 and seen.active == "red"


def test_ATK_20_1_orders_of_units_are_seen_while_they_are_given():
    made = sitting(controller="green", fleets={"green": "1D"})
    made.say("red", Begin(action="movement"), Move(unit="tank", origin="mexico", to="panama"),
             Move(unit="infantry", origin="mexico", to="cuba", way="water"))
    for _, seen in readers(made):
        assert {land.territory: land.entering for land in seen.territories}["panama"] == Units(tank=1)
        assert [(crossing.to, crossing.units) for crossing in seen.crossings] == [("cuba", Units(infantry=1))]


def test_ATK_20_2_fleets_and_damage_are_seen_by_all():
    made = sitting(fleets={"red": "2B 1S", "blue": "1C", "green": "3D"}, damaged={"red": 1})
    for _, seen in readers(made):
        fleets = [power.fleet.model_dump() for power in seen.powers]
        assert fleets == [
            {"battleships": 2, "damaged": 1, "submarines": 1, "carriers": 0, "destroyers": 0},
            {"battleships": 0, "damaged": 0, "submarines": 0, "carriers": 1, "destroyers": 0},
            {"battleships": 0, "damaged": 0, "submarines": 0, "carriers": 0, "destroyers": 3}]


def test_ATK_20_3_the_number_of_cards_in_each_hand_and_in_the_deck_is_seen_by_all():
    for _, seen in readers(sitting()):
        assert [power.cards for power in seen.powers] == [2, 3, 0] and seen.deck == 55


def test_readers_differ_in_their_own_cards_and_points_and_in_nothing_else():
    """ATK-20.4, ATK-20.9, ATK-20.11: there is no field for anybody else's."""
    made = sitting(capitals={"mexico": "red"})
    common = {seen.model_dump_json(exclude=OWN) for _, seen in readers(made)}
    assert len(common) == 1
    assert {power: (seen.own_cards, seen.own_points) for power, seen in readers(made)} == {
        "": ((), None), "red": (("oil_1", "oil_2"), 13), "blue": (("factories_3", "minerals_1", "population_4"), 8),
        "green": ((), 0)}


# --- cards ----------------------------------------------------------------------------------------------

def test_ATK_20_5_RUL_18_a_neutrals_card_is_open_while_the_fight_lasts_and_in_the_log_and_then_in_a_hidden_hand():
    made = sitting(deck=["pop_01"], dice=[(1,)])
    made.say("red", Begin(action="movement"), Move(unit="tank", origin="mexico", to="panama"), Confirm())
    assert {seen.battle.card for _, seen in readers(made)} == {"population_1"}
    assert made.lines()[-1] == "Red attacks Panama. The card Population 1 sends 2 infantry to defend it."
    made.dice_left.extend([BLANKS, ONE_TANK] * 2)
    for power in ("blue", "green"):
        made.say(power, Answer(accept=False))
    assert made.land("panama") == ("red", "1T") and "population_1" in made.hand("red")
    for power, seen in readers(made):
        assert seen.battle is None and seen.powers[0].cards == 3
        assert seen.own_cards.count("population_1") == (power == "red")


def test_ATK_20_6_a_card_of_diplomacy_is_seen_by_its_new_owner_alone():
    made = sitting(deck=["rail_12"], dice=[(6, 6), (1,)])
    made.say("red", Diplomacy(territory="panama"))
    assert made.private_lines("red") == ["You drew Railroads 4."]
    assert made.private_lines("blue") == made.private_lines("green") == [] and "railroads" not in told(made)
    assert {power for power, seen in readers(made) if "railroads_4" in seen.model_dump_json()} == {"red"}


def test_ATK_20_8_of_cards_that_are_traded_others_learn_the_number():
    made = sitting()
    made.say("red", Offer(partner="blue", give=("oil_1", "oil_2"), take=("factories_3",)))
    made.say("blue", Answer(accept=True))
    assert made.lines()[-1] == "Red gives Blue 2 cards for 1 card."
    assert made.private_lines("green") == [] and not any(kind in told(made) for kind in ("oil", "factories"))
    assert made.private_lines("red")[-1] == "You gave Oil 1 and Oil 2 and got Factories 3."
    assert made.private_lines("blue")[-1].startswith("You gave Factories 3")
    for power, seen in readers(made):
        assert [one.cards for one in seen.powers] == [1, 4, 0]
        assert ("factories_3" in seen.own_cards) == (power == "red")


def test_ATK_20_9_points_and_basket_are_seen_by_their_owner_and_what_is_bought_by_all():
    made = sitting(capitals={"mexico": "red"})
    made.say("red", Begin(action="production"))
    before = [seen for power, seen in readers(made) if power != "red"]
    made.say("red", Buy(kind="tank"))
    assert [seen for power, seen in readers(made) if power != "red"] == before
    assert made.private_lines("blue") == made.private_lines("green") == [] and "tank" not in told(made)
    made.say("red", Confirm())
    assert "Red buys 1 tank." in made.lines()


# --- at sea ---------------------------------------------------------------------------------------------

def test_ATK_20_10_a_line_is_seen_by_its_owner_until_both_lie_and_the_number_of_its_cards_by_all():
    naval = next(picture for picture in GAME.views.pictures if picture.key == "naval")
    laid = {}
    for line in ((D, B), (B, D)):
        made = sitting(fleets={"red": "1B 1D", "blue": "1S 1D 1C"}, controller="blue")
        made.say("red", Begin(action="naval_battle"))
        made.say("blue", Fight(on=True))
        made.say("red", ShipLine(ships=line))
        laid[line] = [seen.model_dump_json() for _, seen in readers(made)] + [repr(made.options("blue")), told(made)]
        seen = naval.scene(Replay(spec=GAME, parts=made.parts, start=made.start, seat=made.state.seat("blue"),
                                  rows=[entry.row() for entry in made.table.fresh]))
        assert (seen.attacker.lying, seen.defender.lying) == (2, 3) and not seen.rounds
    assert laid[D, B] == laid[B, D]


def test_ATK_20_13_every_roll_is_told_with_its_modifiers_and_its_result():
    made = sitting(fleets={"red": "1D", "blue": "1S"}, controller="blue", dice=[(3, 1, 6, 5)])
    made.say("red", Begin(action="naval_battle"))
    made.say("blue", Fight(on=True))
    assert "Pair 1: Red's destroyer 4 + 2 = 6 against Blue's submarine 11. Red's destroyer sinks." in made.lines()
    (pair,) = made.events(PairFought)
    assert pair.dice == {"red": (3, 1), "blue": (6, 5)} and pair.modifiers == {"red": 2, "blue": 0}
    rolled = sitting(dice=[(1, 2), (1, 1, 2, 2)])
    rolled.say("red", Diplomacy(territory="panama"))
    assert rolled.lines()[-2] == "The others roll: Blue 2 and Green 4."


# --- offers and orders ----------------------------------------------------------------------------------

def test_ATK_20_14_an_offer_and_its_answers_are_seen_by_the_two_parties_until_the_deal_is_done_or_dropped():
    made = sitting(controller="green", fleets={"green": "1D"})
    before = made.lines()
    made.say("red", Offer(partner="blue", give=("oil_1",), take=("factories_3",)))
    made.say("blue", Offer(partner="red", give=("minerals_1",), take=("oil_1", "oil_2")))
    made.say("red", Answer(accept=True))
    assert made.lines() == before and len(made.private_lines("green")) == 1
    assert len({seen.model_dump_json(exclude=OWN) for _, seen in readers(made)}) == 1
    assert made.asked() == [("green", "D-21")]
    assert board(made, "green").ways == (), "what the controller is asked has no place on the board"
    made.say("green", Permit(allow=False))
    assert made.lines() == before, "the public never learns of a deal that is not done"


@pytest.mark.parametrize("stage", ["offer", "counter", "controller", "blocked"])
def test_ATK_20_14_the_public_reads_at_most_whose_move_it_is_while_a_deal_is_open(stage):
    made = sitting(controller="green", fleets={"green": "1D"})
    seats = dict.fromkeys(map(Seat, made.state.seats), Reader())
    told = after(made.table, made.table.take()[0], (), Announced(), reader_of(made.table), listeners=seats).told
    for power, answer, reached in (("red", Offer(partner="blue", give=("oil_1",), take=("factories_3",)), "offer"),
                                   ("blue", Offer(partner="red", give=("minerals_1",), take=("oil_2",)), "counter"),
                                   ("red", Answer(accept=True), "controller"), ("green", Permit(allow=False), "blocked")):
        made.table.answer(made.state.seat(power), answer)
        news = after(made.table, made.table.take()[0], (), told, reader_of(made.table), listeners=seats)
        told = news.told
        if reached == stage:
            break
    (question,) = made.table.waiting()
    (letter,) = [letter for letter in news.letters if letter.kind not in ("private", "picture")]
    said = say(question.told(), reader_of(made.table))
    assert ("in private" in said) == (stage in ("offer", "controller"))
    assert (letter.kind, letter.payload["text"], letter.payload["buttons"]) == ("question", said, [])
    assert not [entry for entry in news.untold]
    assert {letter.audience for letter in news.letters if letter.kind == "private"} <= {
        made.state.seat(power) for power in ("red", "blue", *(["green"] if stage in ("controller", "blocked") else []))}


def test_ATK_20_14_the_three_of_a_blocked_deal_are_told_and_nobody_else():
    made = sitting(powers=(*THREE, "brown"), land={**LAND, "peru": ("brown", "1I")}, controller="green", fleets={"green": "1D"})
    made.say("red", Offer(partner="blue", give=("oil_1",)))
    made.say("blue", Answer(accept=True))
    made.say("green", Permit(allow=False))
    assert [[line.split(" deal ")[0] for line in made.private_lines(power)[-1:]] for power in (*THREE, "brown")] == [
        ["Green blocks your"], ["Green blocks your"], ["You block the"], []]


def test_the_controller_sees_on_the_board_which_crossing_is_asked_for():
    made = sitting(controller="green", fleets={"green": "1D"})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="cuba", way="water"),
             Move(unit="infantry", origin="mexico", to="venezuela", way="water"), Confirm())
    assert [way.territory for way in board(made, "green").ways] == ["cuba", "venezuela"]
    made.say("green", Permit(allow=True, crossing="mexico_to_cuba"))
    assert [way.territory for way in board(made, "green").ways] == ["venezuela"]


def test_ATK_20_12_whether_an_order_answers_or_a_person_nobody_else_can_tell():
    decline = OrderLine(then=Reply(verb="answer", fields={"accept": False}))
    order = Order(id=1, seat=Seat("seat_2"), points=("D-20",), lines=(decline,))
    by_order, by_hand = sitting(orders=(order,)), sitting()
    for made in (by_order, by_hand):
        made.say("red", Offer(partner="blue", give=("oil_1",), take=("factories_3",)))
    assert (by_order.asked(), by_hand.asked()) == ([("red", "D-04")], [("blue", "D-20")])
    by_hand.say("blue", Answer(accept=False))
    assert by_order.lines() == by_hand.lines()
    assert all(by_order.private_lines(power) == by_hand.private_lines(power) for power in THREE)
    assert [*readers(by_order)] == [*readers(by_hand)]


@pytest.mark.parametrize("power", ["red", "blue"])
def test_what_an_order_can_ask_for_holds_no_secret_of_another_seat(power):
    """The same question with other hands of the others: every fact that an order of this seat can test is the same."""
    facts = []
    for cards in (("rail_01", "rail_02"), ("pop_12", "oil_12")):
        made = sitting(hands={**{other: cards for other in ("red", "blue") if other != power}, power: ("min_01", "min_02")})
        made.say("red", Offer(partner="blue", take=("oil_1",)))
        made.say("blue", Offer(partner="red", take=("oil_1",)))
        (question,) = made.table.waiting()
        facts.append(ORDERING.facts(made.state, made.state.seat(power), question))
    assert facts[0] == facts[1]
