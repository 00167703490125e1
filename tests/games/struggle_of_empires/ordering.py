"""How standing orders are written and read in these tests."""
from __future__ import annotations

from typing import Any

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Fight
from engine.games.struggle_of_empires.orders import ORDERING, facts
from engine.kernel import Seat
from engine.orders import Offer, Op, Order, OrderLine, Orders, Reply, Test, checked
from engine.text import Reader, say
from tests.scene import Scene, scene

PARTS = components(GAME, "first").parts
READER = Reader(GAME.words.names(PARTS))
FOUR = ("austria", "britain", "france", "prussia")
ME, X, Y, Z = "britain", "austria", "france", "prussia"


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


def auction(gold: int, a: str, b: str, *ladder: OrderLine) -> Scene:
    """Austria has bid, and Britain, which has a ladder, has the word."""
    table = scene(powers=FOUR, phase="auction", opener=X)
    give(table, order(table, ME, "DP-04", *ladder))
    table.say(X, Bid(gold=gold, a=a, b=b))
    return table


NAVY_OUT = answers("DP-05", "move", unit="navy", origin="austria", to=("africa",))
ARMY_AFTER = answers("DP-08", "move", when("navy_in", "africa"), unit="army", origin="austria", to=("africa",))
ARMY_ELSEWHERE = line(reply("DP-08", "move", unit="army", origin="austria", to=("german_states",)), instead=True)
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
REFUSE, FIGHT = answers("DP-16", "no_fight"), answers("DP-16", "fight")
# Spain has 2 armies in India and attacks 2 British ones; the throws are attacker, attacker, defender, defender.
BEHIND, TIED, AHEAD = (1, 1, 1, 2), (1, 1, 2, 2), (1, 2, 2, 2)


def reserves(power: str, throw: tuple[int, ...], *lines: OrderLine, tiles: int = 2, **more: Any) -> Scene:
    """One fight on land in which a power has Reserves and an order for them; a second throw, if there is one, is a tie."""
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, tiles={power: {"reserves": tiles}},
                  units={"spain": {"army": {"india": 2}}, "britain": {"army": {"india": 2}}}, dice=[throw, TIED, TIED, TIED])
    give(table, order(table, power, "DP-20" if power == "spain" else "DP-21", *lines, **more))
    table.say("spain", Attack(area="india", target="britain"))
    return table


USE, KEEP = "reserves", "no_reserves"


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


def filled(offer: Offer, number: int) -> dict[str, Any]:
    """Something in every blank; in a list, so many values."""
    state, seat = allied().state, Seat("seat_1")
    return {slot.field: number if slot.kind in ("number", "amount") else slot.values(state, seat)[0] if slot.kind == "choice"
            else tuple(slot.values(state, seat)[:number]) for slot in offer.slots}
