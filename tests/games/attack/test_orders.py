"""Standing orders of Attack! outside battles, and what is answered without a question (section 21)."""
from __future__ import annotations

import pytest

from engine.games.attack import GAME
from engine.games.attack.orders.decision_points import ORDERING
from engine.games.attack.rules.combat import CommandTaken
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply, Test, checked, order_text
from engine.text import English, say
from tests.games.attack.scene import Scene, scene

THREE = ("red", "blue", "green")
LAND = {"cuba": ("red", "4I"), "panama": ("blue", "1I"), "mozambique": ("green", "1I"), "france": ("blue", "1I")}


def order(power: int, point: str, *lines: tuple[str, dict[str, object], tuple[Test, ...]], **more: object) -> Order:
    """Lines of (key of the offer, what fills its blanks, conditions)."""
    known = ORDERING.point(point)
    assert known is not None
    made = []
    for key, filled, when in lines:
        offer = known.offer(key)
        made.append(OrderLine(when=when, then=offer.reply(filled) if offer else None))       # type: ignore[arg-type]
    return Order(seat=Seat(f"seat_{power}"), points=(point,), lines=tuple(made), **more)


def crossing(*orders: Order, to: str = "mexico", **more: object) -> Scene:
    """Red crosses from Cuba while Blue controls the sea lanes."""
    made = scene(powers=THREE, land=LAND, controller="blue", orders=orders, **more)      # type: ignore[arg-type]
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to=to, way="water"), Confirm())
    return made


REFUSE_ON_ME = order(2, "D-06", ("refuse", {}, (Test(fact="on_me", value=True),)), ("allow", {}, ()), id=1)


def test_D_06_refuse_attacks_on_me_and_allow_the_rest():
    assert crossing(REFUSE_ON_ME, to="panama").land("cuba") == ("red", "4I")
    allowed = crossing(REFUSE_ON_ME, dice=[(1,), (6, 1)])
    assert allowed.land("cuba") == ("red", "3I") and allowed.state.battles == 1


def test_D_06_a_list_of_players():
    against_red = order(2, "D-06", ("refuse", {}, (Test(fact="mover", value="red"),)), id=1)
    assert crossing(against_red).land("cuba") == ("red", "4I")
    assert crossing(order(2, "D-06", ("refuse", {}, (Test(fact="mover", value="green"),)), id=1)).asked() == [("blue", "D-06")]


def test_D_12_nobody_is_asked_unless_an_order_says_so():
    """With any orders in the game the quiet questions are answered; the engine commands."""
    made = crossing(order(2, "D-06", ("allow", {}, ()), id=1), dice=[(1,), (6, 1)])
    assert [event.power for event in made.events(CommandTaken)] == [""]
    always = order(3, "D-12", ("accept", {}, ()), id=2)
    made = crossing(order(2, "D-06", ("allow", {}, ()), id=1), always, dice=[(1,), (6, 1)])
    assert [event.power for event in made.events(CommandTaken)] == ["green"]
    asking = order(3, "D-12", ("", {}, ()), id=2)
    made = crossing(order(2, "D-06", ("allow", {}, ()), id=1), asking, dice=[(1,)])
    assert made.asked() == [("green", "D-12")]


def test_D_12_only_if_the_attacker_leads():
    leading = order(3, "D-12", ("accept", {}, (Test(fact="leading", value=True),)), id=2)
    allow = order(2, "D-06", ("allow", {}, ()), id=1)
    behind = crossing(allow, leading, dice=[(1,), (6, 1)])
    assert [event.power for event in behind.events(CommandTaken)] == [""]
    ahead = scene(powers=THREE, land={**LAND, "italy": ("red", "1I"), "egypt": ("red", "1I")}, orders=(allow, leading),
                  dice=[(1,), (6, 1)], controller="blue")
    ahead.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="mexico", way="water"), Confirm())
    assert [event.power for event in ahead.events(CommandTaken)] == ["green"]


def test_D_20_decline_all_and_D_21_allow_all():
    decline = order(2, "D-20", ("decline", {}, ()), id=1)
    made = scene(powers=THREE, land=LAND, hands={"red": ("oil_1",)}, orders=(decline,))
    made.say("red", Offer(partner="blue", give=("oil_1",)))
    assert made.asked() == [("red", "D-04")] and made.hand("red") == ["oil_1"]


def test_D_08_battles_are_fought_in_the_order_of_declaration():
    made = scene(powers=THREE, orders=(order(2, "D-20", ("decline", {}, ()), id=1),),
                 land={"mexico": ("red", "3I"), "southern_us": ("blue", "1I"), "panama": ("blue", "1I"), "france": ("blue", "1I"),
                       "mozambique": ("green", "1I")}, dice=["I -", "I -"])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    assert made.state.battles == 2 and made.land("mexico") == ("red", "1I") and made.asked() == [("red", "D-04")]


def test_a_written_turn_moves_and_ends():
    lines = [Reply(verb="begin", fields={"action": "movement"}), Reply(verb="move", fields={
        "unit": "infantry", "origin": "cuba", "to": ("guiana", "mexico"), "way": "water", "number": "<=2", "planes": "ask"}),
        Reply(verb="confirm"), Reply(verb="end")]
    written = Order(id=5, seat=Seat("seat_1"), kind="written", points=("D-04", "D-05"), lasts="turn", span="1",
                    lines=tuple(OrderLine(then=reply) for reply in lines))
    made = scene(powers=("red", "blue"), land={**{key: LAND[key] for key in ("cuba", "france")}, "guiana": ("red", "1I")},
                 orders=(written,))
    assert made.land("guiana") == ("red", "3I") and made.asked() == [("blue", "D-04")]


def test_spans_are_the_round_and_the_next_turn_of_a_seat():
    made = scene(powers=THREE, land=LAND, first="blue", active="green", round=3)
    assert [ORDERING.spans(made.state, made.state.seat(power)) for power in THREE] == [
        {"round": "3", "turn": "3"}, {"round": "3", "turn": "4"}, {"round": "3", "turn": "3"}]
    gone = scene(powers=THREE, land={key: LAND[key] for key in ("cuba", "mozambique")}, out=("blue",), options={
        "end_mode": "last_standing"})
    assert ORDERING.spans(gone.state, gone.state.seat("blue")) == {}


def test_orders_can_be_checked_and_read_out():
    made = scene(powers=THREE, land=LAND)
    words = say(order_text(GAME, checked(GAME, REFUSE_ON_ME, made.state)), English(GAME.words.names(made.parts)))
    assert "refuse it" in words and "it ends on your territory" in words and "Allow it" in words


@pytest.mark.parametrize("point", [point for point in ORDERING.points], ids=lambda point: point.no)
def test_every_point_has_words_and_conditions_that_exist(point):
    assert point.title and point.offers and point.usual
    assert set(point.conditions) <= {condition.key for condition in ORDERING.conditions}
    assert all(GAME.verb(offer.verb) for offer in point.offers)
    for offer in point.offers:
        kind = GAME.verb(offer.verb)
        assert kind is not None and {*offer.fields, *(slot.field for slot in offer.slots)} <= set(kind.model_fields)


def test_silence_at_every_point_of_a_turn():
    made = scene(land={"cuba": ("red", "1I"), "france": ("blue", "1I")})
    assert made.default("red") == End()
