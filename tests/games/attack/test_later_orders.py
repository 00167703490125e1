"""Every value of the standing-order column of table 21.1 for D-14 to D-24: what it does, and what is asked without it."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.attack.rules.ending import ProposalAnswered, Propose
from engine.games.attack.rules.naval import ControllerWithdrew, Fight, LinesShown, NavalBegun, NavalEnded
from engine.games.attack.rules.naval_lines import Line as ShipLine
from engine.games.attack.rules.production import PurchaseMade
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.trade import CardsTraded, Offer, OfferFailed
from engine.games.attack.rules.turns import Begin, End
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply, Test
from tests.games.attack.scene import SHIPS, Scene, scene
from tests.games.attack.test_battle_orders import NOTHING
from tests.games.attack.test_orders import order

D, S, B, C = (SHIPS[letter] for letter in "DSBC")
THREE = ("red", "blue", "green")
LAND = {"poland": ("red", "1I"), "italy": ("blue", "1I"), "mozambique": ("green", "1I")}
ASK: Any = ("", {}, ())
EVEN, UP = (3, 3, 3, 3), (6, 6, 1, 1)
RED, BLUE, GREEN = 1, 2, 3


def challenged(*orders: Order, red: str = "2D", blue: str = "2D", dice: tuple[tuple[int, ...], ...] = ()) -> Scene:
    """Red challenges Blue, who controls the sea lanes; the quiet questions are answered without asking."""
    made = scene(powers=THREE, land=LAND, fleets={"red": red, "blue": blue}, controller="blue", dice=dice,
                 orders=(*orders, NOTHING))
    made.say("red", Begin(action="naval_battle"))
    return made


# --- the challenge: D-14 --------------------------------------------------------------------------------

ENOUGH = (Test(fact="enough_ships", value=True),)


@pytest.mark.parametrize(("lines", "blue", "fights"), [
    ([("fight", {}, ())], "1D", True), ([("withdraw", {}, ())], "9D", False),
    ([("fight", {}, ENOUGH), ("withdraw", {}, ())], "3D", True), ([("fight", {}, ENOUGH), ("withdraw", {}, ())], "2D", False)])
def test_D_14_fight_always_withdraw_always_and_with_at_least_as_many_ships(lines, blue, fights):
    made = challenged(order(BLUE, "D-14", *lines, id=1), order(RED, "D-16", ("withdraw", {}, ()), id=2), red="3D", blue=blue,
                      dice=(EVEN,) * 3)
    assert (bool(made.events(NavalBegun)), bool(made.events(ControllerWithdrew))) == (fights, not fights)
    assert made.asked() == [("red", "D-04")]


def test_D_14_is_asked_without_an_order_and_with_one_that_says_ask():
    assert challenged().asked() == [("blue", "D-14")] == challenged(order(BLUE, "D-14", ASK, id=1)).asked()


# --- lines: D-15 ----------------------------------------------------------------------------------------

def line_of(key: str | None, filled: dict[str, object], fleet: str = "1B 2D 1S 1C") -> tuple[str, ...]:
    """How Red lines up with this order."""
    orders = [order(RED, "D-15", (key, filled, ()), id=1)] if key else []
    made = challenged(*orders, red=fleet, blue="1D", dice=(UP, UP))
    made.say("blue", Fight(on=True))
    return made.events(LinesShown)[0].lines["red"]


@pytest.mark.parametrize(("key", "filled", "line"), [
    (None, {}, (B, C, D, S, D)), ("by_rule", {}, (B, C, D, S, D)), ("head", {"first": "submarine"}, (S, B, C, D, D)),
    ("types", {"first": "destroyer", "second": "submarine", "third": "battleship"}, (D, D, S, B, C))])
def test_D_15_a_stored_order_of_types_or_the_usual_line(key, filled, line):
    assert line_of(key, filled) == line


def test_D_15_ask():
    made = challenged(order(RED, "D-15", ASK, id=1), red="1B 1D", dice=(EVEN,))
    made.say("blue", Fight(on=True))
    assert made.asked() == [("red", "D-15")] and made.default("red") == ShipLine(ships=(B, D))


# --- retreat: D-16 --------------------------------------------------------------------------------------

MORE, FEW = (Test(fact="ships_more", op="at_least", value=2),), (Test(fact="own_ships", op="at_most", value=1),)


def retreats(*lines: tuple[str, dict[str, object], tuple[Test, ...]], red: str, blue: str) -> str:
    """Who gives up after a round in which nobody hits: the winner of the battle, or "" if it is asked or goes on."""
    made = challenged(*([order(RED, "D-16", *lines, id=1)] if lines else []), order(BLUE, "D-16", ASK, id=2), red=red, blue=blue,
                      dice=(EVEN,) * 4)
    made.say("blue", Fight(on=True))
    ended = made.events(NavalEnded)
    return ended[0].winner if ended else ",".join(power for power, _ in made.asked())


@pytest.mark.parametrize(("lines", "red", "blue", "outcome"), [
    ((), "1D", "2D", "blue"), ((), "2D", "3D", "asks blue"),
    ([("withdraw", {}, MORE), ("fight", {}, ())], "2D", "4D", "blue"),
    ([("withdraw", {}, MORE), ("fight", {}, ())], "2D", "3D", "asks blue"),
    ([("withdraw", {}, FEW), ("fight", {}, ())], "1D", "1D", "blue"),
    ([("withdraw", {}, FEW), ("fight", {}, ())], "2D", "4D", "asks blue"),
    ([("fight", {}, ())], "1D", "4D", "asks blue"), ([ASK], "1D", "4D", "asks red")])
def test_D_16_when_outnumbered_by_N_more_with_fewer_than_N_never_or_ask(lines, red, blue, outcome):
    assert retreats(*lines, red=red, blue=blue) == outcome.removeprefix("asks ")


# --- deals: D-19 to D-21 --------------------------------------------------------------------------------

def offered(*orders: Order, land: dict[str, tuple[str, str]] = LAND) -> Scene:
    made = scene(powers=THREE, land=land, hands={"red": ("oil_1", "oil_2"), "blue": ("minerals_1",)}, controller="green",
                 fleets={"green": "1D"}, orders=(*orders, NOTHING))
    made.say("red", Offer(partner="blue", give=("oil_1",)))
    return made


def test_D_20_decline_all_or_ask():
    assert offered().asked() == [("blue", "D-20")] == offered(order(BLUE, "D-20", ASK, id=1)).asked()
    assert offered(order(BLUE, "D-20", ("decline", {}, ()), id=1)).events(OfferFailed)


def test_D_19_a_counter_offer_is_asked_or_declined_by_order():
    for orders, asked in (((), ("red", "D-19")), ((order(RED, "D-19", ("decline", {}, ()), id=1),), ("red", "D-04"))):
        made = offered(*orders)
        made.say("blue", Offer(partner="red", take=("oil_2",)))
        assert made.asked() == [asked]


@pytest.mark.parametrize(("lines", "outcome"), [
    ([("allow", {}, ())], CardsTraded), ([("refuse", {}, ())], OfferFailed),
    ([("refuse", {}, (Test(fact="party", value="blue"),)), ("allow", {}, ())], OfferFailed),
    ([("refuse", {}, (Test(fact="party", value="green"),)), ("allow", {}, ())], CardsTraded)])
def test_D_21_allow_all_block_all_or_a_list_of_players(lines, outcome):
    made = offered(order(GREEN, "D-21", *lines, id=1))
    made.say("blue", Answer(accept=True))
    assert [type(event) for kind in (CardsTraded, OfferFailed) for event in made.events(kind)] == [outcome]


def test_D_21_is_asked_without_an_order():
    made = offered()
    made.say("blue", Answer(accept=True))
    assert made.asked() == [("green", "D-21")]


# --- production and the end: D-22 to D-24 ---------------------------------------------------------------

def test_D_22_and_D_23_a_written_turn_buys_and_places():
    lines = [Reply(verb="begin", fields={"action": "production"}), Reply(verb="buy", fields={"kind": "tank", "number": "<=9"}),
             Reply(verb="confirm"), Reply(verb="deploy", fields={"unit": ("tank",), "territory": ("poland",), "number": "<=9"}),
             Reply(verb="end")]
    written = Order(id=5, seat=Seat("seat_1"), kind="written", points=("D-04", "D-22", "D-23"), lasts="turn", span="1",
                    lines=tuple(OrderLine(then=reply) for reply in lines))
    made = scene(land={"poland": ("red", "1I"), "germany": ("red", "1I"), "italy": ("blue", "1I")}, capitals={"germany": "red"},
                 hands={"red": ("oil_4", "population_4", "population_3")}, orders=(written,))
    assert made.events(PurchaseMade)[0].bought == {"tank": 2}
    assert made.land("poland") == ("red", "1I 2T") and made.asked() == [("blue", "D-04")]


@pytest.mark.parametrize(("key", "against"), [("accept", ()), ("decline", ("blue",))])
def test_D_24_is_asked_or_answered_by_order(key, against):
    made = scene(powers=THREE, land=LAND, orders=(order(BLUE, "D-24", (key, {}, ()), id=1),))
    made.say("red", Propose(), End())
    assert made.asked() == [("green", "D-24")]
    made.say("green", Answer(accept=True))
    assert made.events(ProposalAnswered)[0].against == against
