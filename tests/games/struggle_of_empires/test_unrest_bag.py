"""The unrest bag: SOE-1.1.13, 3.3.1 to 3.3.14 in the Deluxe edition, G-05 and G-53 with it, chance by exact seeds."""
from __future__ import annotations

import hmac
import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from engine import record
from engine.components import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Pass, Rebuild, Take
from engine.games.struggle_of_empires.events import GoldPaid, UnitLost, UnrestChanged
from engine.games.struggle_of_empires.rules import unrest_bag
from engine.games.struggle_of_empires.rules.unrest_bag import BagShaken, UnrestDrawn, drawn_next, left_without
from engine.kernel import Row, Seat, Stirred, Table, parse_events
from engine.options import dice
from engine.refusals import Drift, Faulty
from engine.selfplay import new_table, play_on
from engine.text import Reader, say
from tests.scene import FAIR, Scene, scene

A, B, C = "austria", "britain", "france"
BAG = {"unrest.model": "bag"}
WHOLE = {"value_0": 28, "value_1": 84, "value_2": 28}           # the bag of the data, 140 markers that count 140 in all
VALUE = {"value_0": 0, "value_1": 1, "value_2": 2}


def drawn(table: Scene, power: str = A) -> list[UnrestDrawn]:
    return [event for event in table.events(UnrestDrawn) if event.power == power]


def by_hand(key: str, left: dict[str, int], first: int, number: int) -> Counter[str]:
    """Markers drawn one by one, as the bag is described: the nth by the HMAC of n, from what is left in the order of the data."""
    left, taken = dict(left), Counter[str]()
    for nth in range(first, first + number):
        word = int.from_bytes(hmac.digest(bytes.fromhex(key), f"0.{nth}.0".encode(), "sha256")[:8], "big")
        lying = [kind for kind, copies in left.items() for _ in range(copies)]
        kind = lying[word % len(lying)]
        left[kind] -= 1
        taken[kind] += 1
    return taken


# --- what is drawn -------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("gold, debt, banking, taxations, afterwards", [
    (5, 2, False, 0, 3), (0, 2, False, 1, 0), (1, 2, False, 1, 1), (0, 5, False, 3, 1), (3, 6, False, 2, 1), (0, 5, True, 2, 1),
    (0, 4, True, 2, 2), (2, 2, True, 0, 0),
])
def test_G_05_SOE_3_3_2_each_taxation_draws_a_marker(gold, debt, banking, taxations, afterwards):
    table = scene(phase="auction", gold={A: gold}, tiles={A: {"banking": 1}} if banking else {}, options=BAG)
    table.say(A, Bid(gold=debt, a=A, b=B))
    table.say(B, Pass())
    assert [event.taxed for event in table.events(GoldPaid)] == [taxations * (3 if banking else 2)]
    assert table.state.gold[A] == afterwards
    (event,) = drawn(table) if taxations else [None]
    if event is not None:
        assert event.cause == "taxation" and event.markers == dict(by_hand("", WHOLE, 0, taxations))
        assert table.state.unrest[A] == event.by == sum(VALUE[kind] * number for kind, number in event.markers.items())


def test_SOE_3_3_6_SOE_3_3_7_a_counter_counts_1_and_a_marker_of_the_bag_what_is_printed_on_it():
    for options, event in (({}, UnrestChanged), (BAG, UnrestDrawn)):
        table = scene(phase="auction", gold=0, options=options)
        table.say(A, Bid(gold=20, a=A, b=B))
        table.say(B, Pass())
        told: Any
        (told,) = table.events(event)
        assert told.total == table.state.unrest[A]
    assert sum(told.markers.values()) == 10 and told.by == told.markers.get("value_1", 0) + 2 * told.markers.get("value_2", 0)


def test_SOE_3_3_1_SOE_3_3_14_markers_of_a_fight_are_drawn_in_the_order_of_its_losses():
    table = scene(active=A, gold=9, options=BAG, units={A: {"army": {"india": 1}, "navy": {"india": 1}},
                                                        B: {"army": {"india": 1}}},
                  markers={B: {"india": 1}}, dice=[(3, 4, 3, 4)])
    table.say(A, Attack(area="india", target=B))
    table.keep_silent("DP-05")
    lost, taken = table.events(UnitLost), table.events(UnrestDrawn)
    assert [event.owner for event in lost] == [event.power for event in taken] and len(taken) >= 2
    assert all(event.cause == "loss" and sum(event.markers.values()) == 1 for event in taken)
    assert sum((Counter(event.markers) for event in taken), Counter()) == by_hand("0" * 32, WHOLE, 0, len(taken))


def test_SOE_3_3_3_a_tile_with_an_unrest_price_draws_so_many():
    table = scene(active=A, gold=9, options=BAG, pack={"tiles": [{"id": "industry", "cost": {"unrest": 3}}]})
    (price,) = [tile.cost.unrest for tile in table.parts.tiles if tile.id == "industry"]
    table.say(A, Take(tile="industry"))
    (event,) = drawn(table)
    assert sum(event.markers.values()) == price == 3 and event.cause == "price"


def test_SOE_3_3_4_an_own_unit_destroyed_to_rebuild_it_draws_one_marker():
    table = scene(active=A, options=BAG, units={A: {"army": {"german_states": 1}}})
    table.say(A, Rebuild(unit="army", at="german_states"))
    (event,) = drawn(table)
    assert event.cause == "rebuild" and sum(event.markers.values()) == 1


def test_SOE_3_3_14_upkeep_draws_in_turn_order():
    table = scene(powers=(A, B, C), rows=((C, A), (B,)), phase="war_end", gold=0, population=0, options=BAG, dice=FAIR,
                  units={power: {"army": {"german_states": 6}} for power in (A, B, C)})
    assert [event.power for event in table.events(UnrestDrawn)] == [C, B, A]
    whole = sum((Counter(event.markers) for event in table.events(UnrestDrawn)), Counter())
    assert whole == by_hand("", WHOLE, 0, 9)


# --- what is given back --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before, after", [(4, 3), (0, 0)])
def test_SOE_3_3_9_SOE_3_3_11_passing_gives_back_one_point(before, after):
    table = scene(edition="deluxe", active=A, unrest={A: before})
    table.say(A, Pass(), Pass())
    assert table.state.unrest[A] == after and drawn(table) == []


# --- the bag -------------------------------------------------------------------------------------------------------

def test_SOE_1_1_13_an_empty_bag_is_filled_again_with_the_whole_set():
    state = scene(options=BAG).state
    state.unrest_bag, state.bag_key, state.drawn = {"value_2": 2}, "ab" * 16, 7
    markers = drawn_next(state, 5)
    assert Counter(markers) == Counter({"value_2": 2}) + by_hand("ab" * 16, WHOLE, 9, 3), "two, and three of a whole bag"
    assert left_without(state, markers) == {kind: WHOLE[kind] + 2 * (kind == "value_2") - markers.get(kind, 0) for kind in WHOLE}
    assert drawn_next(state, 2) == {"value_2": 2} and left_without(state, {"value_2": 2}) == {}
    state.unrest_bag = {}
    assert Counter(drawn_next(state, 140)) == Counter(WHOLE) and left_without(state, WHOLE) == {}
    assert Counter(drawn_next(state, 280)) == Counter(WHOLE) + Counter(WHOLE)


def test_a_thousand_million_gold_are_taxed_without_drawing_each_marker(monkeypatch):
    class Counting(SecretDice):
        thrown = 0

        def __call__(self, epoch, throw, sides):
            Counting.thrown += 1
            return super().__call__(epoch, throw, sides)

    monkeypatch.setattr(unrest_bag, "SecretDice", Counting)
    table = scene(phase="auction", gold=0, options=BAG)
    table.say(A, Bid(gold=1_000_000_000, a=A, b=B))         # nobody can raise it, so nobody is asked
    (event,) = drawn(table)
    sets, rest = divmod(500_000_000, 140)
    assert sum(event.markers.values()) == 500_000_000 and table.state.gold[A] == 0
    last = by_hand("", WHOLE, sets * 140, rest)
    assert event.markers == {kind: sets * WHOLE[kind] + last[kind] for kind in WHOLE}
    assert event.by == 140 * sets + last["value_1"] + 2 * last["value_2"], "a whole set counts 140"
    assert Counting.thrown < 140 * 6, "the rest of one set, for each time that the position is replayed"
    assert "you drew 1" in table.private_lines(A)[0] and "× 0" in table.private_lines(A)[0]


def test_each_value_is_drawn_as_often_as_its_share_of_the_bag():
    """Chi-square of the first two markers after 4,000 shakings; 26.1 is exceeded by chance once in a thousand, with 8 degrees."""
    state, rng, seen, number = scene(options=BAG).state, Random(6), Counter[Any](), 4000
    for _ in range(number):
        state.bag_key, state.drawn, state.unrest_bag = f"{rng.getrandbits(128):032x}", 0, {}
        (first,) = drawn_next(state, 1)
        state.unrest_bag, state.drawn = left_without(state, {first: 1}), 1
        (second,) = drawn_next(state, 1)
        seen[first, second] += 1
    chance = {(one, two): WHOLE[one] / 140 * (WHOLE[two] - (one == two)) / 139 for one, two in product(WHOLE, WHOLE)}
    assert sum((seen[pair] - number * share) ** 2 / (number * share) for pair, share in chance.items()) < 26.1


def test_a_bag_without_markers_or_with_far_too_many_is_refused():
    def bag(*counts: int) -> None:
        kinds = [{"id": f"value_{value}", "count": number} for value, number in enumerate(counts)]
        components(GAME, "deluxe", json.dumps({"unrest_bag": kinds}))

    bag(0, 5, 0)
    for wrong in ((0, 0, 0), (1000, 1, 0)):
        with pytest.raises(Faulty, match="1 to 1000 markers"):
            bag(*wrong)


# --- who learns of it ----------------------------------------------------------------------------------------------

def test_SOE_3_3_8_SOE_21_1_3_only_the_owner_reads_what_he_drew_with_cause_change_and_total():
    table = scene(phase="auction", gold={A: 0}, unrest={A: 6}, options=BAG)
    table.say(A, Bid(gold=3, a=A, b=B))
    table.say(B, Pass())
    (event,) = drawn(table)
    values = sorted(VALUE[kind] for kind, number in event.markers.items() for _ in range(number))
    assert table.private_lines(A) == [
        f"Taxes: you drew {values[0]} and {values[1]}, so unrest +{sum(values)}, now {6 + sum(values)}."]
    assert table.private_lines(B) == [] and event.line() is None
    assert not any("unrest" in line.lower() or "marker" in line for line in table.lines())


def test_a_marker_that_counts_nothing_is_told_too():
    table = scene(active=A, options=BAG, units={A: {"army": {"german_states": 1}}},
                  pack={"unrest_bag": [{"id": "value_1", "count": 0}, {"id": "value_2", "count": 0}]})
    table.say(A, Rebuild(unit="army", at="german_states"))
    assert table.private_lines(A) == ["You destroyed a unit to rebuild it: you drew 0, so unrest +0, now 0."]


def test_SOE_3_2_10_prices_name_markers_where_nobody_knows_what_they_count():
    table = scene(active=A, gold=0, options=BAG, units={A: {"army": {"german_states": 1}}})
    reader, seat = Reader(GAME.words.names(table.parts, table.state)), table.state.seat(A)
    rebuild, take = [next(option for option in table.options(A) if isinstance(option, kind) and option.cost(table.state, seat))
                     for kind in (Rebuild, Take)]
    assert say(rebuild.cost(table.state, seat), reader).endswith("+1 unrest marker")
    assert "unrest marker" in say(rebuild.consequence(table.state, seat), reader)
    assert "unrest marker" in say(take.cost(table.state, seat), reader)
    assert say(take.consequence(table.state, seat), reader).endswith(("unrest marker more.", "unrest markers more."))


# --- chance --------------------------------------------------------------------------------------------------------

def test_the_bag_is_shaken_at_the_setup_and_at_the_beginning_of_every_round():
    table = scene(edition="deluxe", powers=(A, B), active=A, war=1, round=1, dice=FAIR)
    shaken = len(table.events(BagShaken))
    assert shaken == 1
    table.keep_silent("DP-03")
    assert table.state.war == 2 and len(table.events(BagShaken)) == table.state.rounds, "once a round, whatever was drawn in it"
    new = new_table(GAME, 4, "deluxe", components(GAME, "deluxe").parts, SecretDice("77" * 32))
    assert isinstance(new.fresh[0].answer, Stirred) and len(new.state.bag_key) == 32


def test_a_new_round_has_a_new_key_from_which_markers_are_counted_anew_and_the_same_bag():
    table = scene(active=A, options=BAG, units={A: {"army": {"german_states": 1}}}, dice=FAIR)
    key = table.state.bag_key
    table.say(A, Rebuild(unit="army", at="german_states"))
    assert (table.state.bag_key, table.state.drawn) == (key, 1)
    table.keep_silent("DP-07")
    table.keep_silent("DP-05")
    while table.state.round == 1:
        table.keep_silent("DP-05")
        table.say(table.state.active, Pass())
    assert table.state.bag_key != key and table.state.drawn == 0 and sum(table.state.unrest_bag.values()) == 139


def whole_game(*, shaking: bool, options: dict[str, Any]) -> str:
    """The record of a game in which everybody always does what is usual; somebody may shake the bag before the first turn."""
    found, names = components(GAME, "first"), ("seat_1", "seat_2")
    table = new_table(GAME, 2, "first", found.parts, dice("99" * 32, options), options=options)
    while not table.over:
        if shaking and table.state.phase == "turn":
            shaking = False
            table.stir()
        (asked, *_) = table.waiting()
        table.answer(asked.seat, table.default(asked.seat))
    return record.write(table, edition="first", options=options, seats=dict.fromkeys(map(Seat, names), ""), components=found,
                        secret="99" * 32, log=[entry.row() for entry in table.fresh])


def test_in_a_record_the_bag_is_shaken_when_the_rules_say_so_and_not_besides():
    assert record.replay(record.read(whole_game(shaking=False, options=BAG)), GAME).over
    with pytest.raises(Faulty, match="nothing explains why"):
        record.replay(record.read(whole_game(shaking=True, options=BAG)), GAME)
    assert whole_game(shaking=True, options={}) == whole_game(shaking=False, options={}), "without a bag nothing is shaken"


@pytest.mark.parametrize("seat, options", [("seat_1", BAG), ("chance", {})])
def test_a_shaking_by_a_player_or_of_no_bag_is_no_row_of_a_game(seat, options):
    start = scene(active=B, options=options).start
    values, parts = SecretDice("99" * 32)(0, 0, unrest_bag.KEY), components(GAME, "first").parts
    answer = Stirred(values=values, epoch=0, throw=0).model_dump_json()
    key = "".join(f"{value - 1:08x}" for value in values)
    row = Row(1, seat, "dice", "stir", answer, f'[{{"is":"BagShaken","key":"{key}"}}]')
    with pytest.raises(Drift):
        Table(GAME, parts, start, [row], dice=SecretDice("99" * 32), strict=True)
    true = Row(1, "chance", "dice", "stir", answer, row.events)
    table = Table(GAME, parts, scene(active=B, options=BAG).start, [true], dice=SecretDice("99" * 32), strict=True)
    assert table.state.bag_key == key


def test_a_game_without_the_bag_has_no_row_for_it():
    table = scene(powers=(A, B), active=A, dice=FAIR)
    table.keep_silent("DP-03")
    assert table.events(BagShaken) == [] and not any(isinstance(entry.answer, Stirred) for entry in table.table.fresh)


@pytest.mark.parametrize("seats, seed", [(2, 1), (4, 2), (7, 3)])
def test_in_random_games_nothing_of_the_bag_is_lost(seats, seed):
    """What was drawn and what is left are whole sets; unrest is what was drawn less what was given back."""
    table = new_table(GAME, seats, "deluxe", components(GAME, "deluxe").parts, SecretDice(f"{seed:064x}"))
    gone, unrest = Counter[str](), Counter[str]()
    for _ in play_on(table, Random(seed).randrange):
        pass
    for entry in table.fresh:
        for event in parse_events(GAME, entry.row().events):
            match event:
                case UnrestDrawn():
                    gone += Counter(event.markers)
                    unrest[event.power] += sum(VALUE[kind] * number for kind, number in event.markers.items())
                case UnrestChanged():
                    assert event.by < 0, "with the bag unrest rises by markers alone"
                    unrest[event.power] += event.by
    assert gone.total() > 20
    assert dict(table.state.unrest) == {power: unrest[power] for power in table.state.powers}
    sets, rest = divmod(gone.total() + sum(table.state.unrest_bag.values()), 140)
    assert rest == 0
    assert Counter(table.state.unrest_bag) + gone == Counter({kind: sets * copies for kind, copies in WHOLE.items()})
