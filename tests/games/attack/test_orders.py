"""Standing orders of Attack! outside battles, and what is answered without a question (section 21)."""
from __future__ import annotations

import pytest

from engine.games.attack import GAME
from engine.games.attack.orders.decision_points import ORDERING
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply, Test, checked, order_text
from engine.text import Reader, say
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
    words = say(order_text(GAME, checked(GAME, REFUSE_ON_ME, made.state)), Reader(GAME.words.names(made.parts)))
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
