"""Golden examples of setup, auction and turn order: G-01 to G-04, G-50, G-55."""
from __future__ import annotations

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Bid, Pass, Place
from engine.games.struggle_of_empires.events import (
    AuctionBegun,
    AuctionPassed,
    AuctionWon,
    NeutralsPlaced,
    StartDrawn,
    UnitPlaced,
)
from engine.selfplay import new_table
from tests.scene import FAIR, Scene, scene

BOTH = pytest.mark.parametrize("edition", ["first", "deluxe_without_npp"])
SEVEN = ("austria", "britain", "france", "prussia", "russia", "spain", "united_provinces")
P1, P2, P3, P4, P5, P6, P7 = SEVEN


def bid(gold: int, a: str, b: str) -> Bid:
    return Bid(gold=gold, a=a, b=b)


def britain_and_prussia(edition: str) -> Scene:
    """G-01: the end of war 1, in whose order Britain was last; nothing is earned and nothing paid."""
    table = scene(edition=edition, powers=("britain", "france", "prussia", "austria", "spain"), phase="war_end", gold=5,
                  population=0, rows=(("france", "austria", "britain"), ("prussia", "spain")), dice=FAIR)
    assert table.state.order == [] and table.state.war == 2
    return table


@BOTH
def test_G_01_the_auction_between_britain_and_prussia(edition):
    table = britain_and_prussia(edition)
    assert table.asked() == [("britain", "DP-03")]                      # the last of war 1 opens
    assert table.allows("britain", Pass()) is False                     # and must bid
    table.say("britain", bid(0, "britain", "prussia"))
    table.say("france", Pass())
    table.say("prussia", bid(1, "austria", "france"))
    for power in ("austria", "spain", "britain", "france"):
        assert table.asked() == [(power, "DP-04")]
        table.say(power, Pass())
    assert table.state.gold == {"britain": 5, "france": 5, "prussia": 4, "austria": 5, "spain": 5}
    assert (table.state.row_a, table.state.row_b) == (["austria"], ["france"])
    assert table.state.unplaced() == ["britain", "prussia", "spain"]
    assert table.asked() == [("france", "DP-03")]
    assert table.allows("france", bid(0, "britain", "spain"))           # placed, and bids


@BOTH
def test_G_01_placed_powers_answer_the_next_bid_and_the_turn_order_begins_with_them(edition):
    table = britain_and_prussia(edition)
    table.say("britain", bid(0, "austria", "france"))
    for power in ("france", "prussia", "austria", "spain"):
        table.say(power, Pass())
    table.say("france", bid(0, "britain", "prussia"))
    table.say("prussia", Pass())
    table.say("austria", bid(1, "spain", "britain"))                    # placed, and raises
    for power in ("spain", "britain", "france", "prussia"):
        table.say(power, Pass())
    table.keep_silent(until="DP-05")
    assert table.state.order[:2] == ["austria", "france"]


@BOTH
def test_G_02_coming_back_after_a_pass(edition):
    x, y, z = "austria", "britain", "france"
    table = scene(edition=edition, powers=(x, y, z), phase="auction", opener=x)
    table.say(x, bid(0, x, y))
    table.say(y, Pass())
    table.say(z, bid(1, x, z))
    table.say(x, Pass())
    assert table.asked() == [(y, "DP-04")]                              # one pass stands in a row, so Y has the word again
    table.say(y, bid(2, y, z))
    table.say(z, Pass())
    assert table.events(AuctionWon) == []
    table.say(x, Pass())
    assert table.events(AuctionWon) == [AuctionWon(power=y, a=y, b=z)]
    assert [passed.power for passed in table.events(AuctionPassed)] == [y, x, z, x]
    assert table.state.gold == {x: 10, y: 8, z: 10}


@BOTH
@pytest.mark.parametrize("a, b, allies", [("spain", "", ["austria", "britain"]), ("", "spain", ["france", "prussia"])])
def test_G_03_last_odd_power(a, b, allies, edition):
    table = scene(edition=edition, powers=("austria", "britain", "france", "prussia", "spain"), phase="auction",
                  rows=(("austria", "britain"), ("france", "prussia")))
    assert table.refusal("austria", bid(0, "spain", "austria")).rule == "SOE-5.3.4"
    assert table.refusal("austria", bid(0, "", "")).rule == "SOE-5.3.5"
    table.say("austria", bid(0, a, b))
    for power in ("britain", "france", "prussia", "spain"):
        table.say(power, Pass())
    assert table.state.order == ["austria", "france", "britain", "prussia", "spain"]
    assert table.state.allies("spain") == allies


def openers(table: Scene) -> list[str]:
    return [table.state.powers[begun.opener] for begun in table.events(AuctionBegun)]


@BOTH
def test_SOE_5_4_3_what_a_row_is_is_told_once_when_the_auctions_of_a_war_begin(edition):
    table = scene(edition=edition, powers=SEVEN, phase="placing", first=P3)
    table.keep_silent(until="DP-05")
    (told,) = [line for line in table.lines() if "are allies and can't attack each other" in line]
    rows = "row A or row B" if edition == "first" else "the red alliance or the blue alliance"
    assert told.startswith(f"Auctions put the powers into {rows}: ")


@BOTH
def test_G_04_opener_of_each_auction_in_war_1(edition):
    table = scene(edition=edition, powers=SEVEN, phase="placing", first=P3)
    table.keep_silent(until="DP-05")
    assert openers(table) == [P3, P4, P5, P6]


@BOTH
def test_G_04_opener_of_each_auction_in_war_2(edition):
    table = scene(edition=edition, powers=SEVEN, phase="war_end", rows=((P1, P3, P5, P2), (P4, P6, P7)), dice=FAIR)
    table.keep_silent(until="DP-05")
    assert openers(table) == [P2, P3, P4, P5]


def test_G_50_the_bag():
    table = new_table(GAME, 7, "first", components(GAME, "first").parts, FAIR, checkpoints=False)
    while not table.over:
        seat = table.waiting()[0].seat
        table.answer(seat, table.default(seat))
    events = [*table.opening, *(event for entry in table.fresh for event in entry.events)]
    placed = [len(event.markers) for event in events if isinstance(event, NeutralsPlaced)]
    drawn = [len(event.markers) for event in events if isinstance(event, StartDrawn)]
    assert placed == [10, 10, 10]
    assert drawn == [5] * 7
    assert sum(placed) + sum(drawn) == 65 and table.state.bag == []


@BOTH
def test_G_55_setup_placing(edition):
    p1, p2, p3 = "austria", "britain", "france"
    table = scene(edition=edition, powers=(p1, p2, p3), phase="placing", first=p2)
    assert table.refusal(p2, Place(unit="navy", area="german_states")).rule == "SOE-2.2.5"
    table.say(p2, Place(unit="army", area="india"))                     # no navy is needed there
    assert table.units(p2, "army", "india") == 1 and table.units(p2, "navy", "india") == 0
    for _ in range(4):
        table.say(p3, Place(unit="navy", area="baltic"))
        table.say(p1, Place(unit="army", area="baltic"))
        forts = table.units(p2, "fort", "india")
        if forts == 2:
            assert table.refusal(p2, Place(unit="fort", area="india")).rule == "SOE-1.1.8"
        table.say(p2, Place(unit="fort" if forts < 2 else "army", area="india"))
    table.say(p3, Place(unit="army", area="baltic"))
    assert table.asked() == [(p1, "DP-02")]
    table.say(p1, Place(unit="army", area="baltic"))
    assert [placed.power for placed in table.events(UnitPlaced)] == [p2, p3, p1] * 5
    assert table.asked() == [(p2, "DP-03")]
