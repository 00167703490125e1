"""The odds of battles: against all falls of the dice, against published chances, against battles that are fought."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product
from operator import add, sub
from typing import Any

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.attack import GAME, odds as module
from engine.games.attack.components import UNITS
from engine.games.attack.odds import percent
from engine.games.attack.odds_at_sea import all_battles, at_sea, fleet_of, lead, sea_rules_of, some_battles
from engine.games.attack.odds_on_land import (
    WORK,
    Odds,
    all_courses,
    counted,
    hits,
    hits_of_many,
    neutrals,
    on_land,
    reinforced,
    rules_of,
    some_courses,
)
from engine.games.attack.rules.line_up_policies import bring_mixed
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import State, size
from engine.kernel import Action, Checkpoint, Seat, Table
from engine.selfplay import new_table, play_on
from engine.text import Reader, say
from tests.games.attack.scene import Scene, army, fleet, scene
from tests.test_greatest import calls

PARTS = components(GAME, "base").parts
LAND, SEA = rules_of(PARTS), sea_rules_of(PARTS)
FOUGHT = 250                # battles with other dice, which are the same in every run of the tests
FACES = ("infantry", "tank", "artillery", "plane", "plane", "blank")


def odds(attackers: str, defenders: str) -> Odds:
    return on_land(LAND, counted(army(attackers)), ((counted(army(defenders)), 1.0),))


def spoken(told: Any) -> str:
    return say(told, Reader(GAME.words.names(PARTS)))


def fought(made: Scene, power: str, *answers: Action) -> Iterator[Table]:
    """The same action with other dice each time, everything after these answers by default."""
    start = Checkpoint(0, 0, made.state.model_dump_json())
    for game in range(FOUGHT):
        table = Table(GAME, PARTS, start, dice=SecretDice(f"{game:064x}"), checkpoints=False)
        for answer in answers:
            table.answer(made.state.seat(power), answer)
        while (question := table.waiting()[0]).point != "D-04":
            table.answer(question.seat, Fight(on=True) if question.point == "D-14" else table.default(question.seat))
        yield table


# --- on land ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("fighting", "dice"), [("1I", 2), ("1A", 2), ("1T", 2), ("1P", 2), ("1I 2T", 5), ("1I 1T 1A 1P", 5),
                                                ("2P 1A", 3), ("4I", 4)])
def test_the_chances_of_hits_count_every_fall_of_the_dice(fighting: str, dice: int) -> None:
    force = army(fighting)
    falls = Counter(sum(min(fall.count(unit), number) for unit, number in force.items()) for fall in product(FACES, repeat=dice))
    expected = [falls[scored] / 6 ** dice for scored in range(sum(force.values()) + 1)]
    assert hits(LAND, counted(force)) == pytest.approx(expected, abs=1e-9)


def test_one_infantry_against_one_infantry_by_hand():
    """Each needs a die of two to show infantry, 11/36, and the defender rolls first."""
    hit = 11 / 36
    win = (1 - hit) * hit / (1 - (1 - hit) ** 2)
    assert odds("1I", "1I") == pytest.approx((win, 1 - win, True, True), abs=1e-5)


TABLE = {"2I 1T": (82, 42, 7, 0, 43), "2I 1T 1A": (98, 75, 30, 3, 65), "2I 1T 1A 1P": (100, 96, 67, 23, 84),
         "3I 1T 1A 2P": (100, 100, 94, 59, 95)}


@pytest.mark.parametrize(("attackers", "weight"), [(force, weight) for force in TABLE for weight in range(1, 6)])
def test_the_chances_against_neutrals_are_those_that_the_rules_print(attackers: str, weight: int) -> None:
    """The table of 25.1, which comes from thousands of simulated battles and is rounded; the fifth column is a random card."""
    cards = [card for card in PARTS.cards if weight == 5 or card.weight == weight]
    forces = tuple((counted(card.neutral_defenders.units), 1 / len(cards)) for card in cards)
    exact = all_courses(LAND, counted(army(attackers)), forces, 10_000_000)
    assert exact is not None
    assert 100 * exact.win == pytest.approx(TABLE[attackers][weight - 1], abs=1.6)


@pytest.mark.parametrize(("attackers", "defenders"), [("3I 1T", "2I 1A"), ("5I 3T 2A 2P", "3I 2T 2A 2P"),
                                                     ("8P", "16I")])
def test_battles_that_are_fought_come_out_as_often_as_the_odds_say(attackers: str, defenders: str) -> None:
    said, won, lost = odds(attackers, defenders), 0, 0
    first = scene(land={"poland": ("red", attackers), "ukraine": ("blue", defenders), "france": ("blue", "1I")})
    first.state.units["poland"]["infantry"] = 1 + army(attackers).get("infantry", 0)
    orders = [Begin(action="movement"), *(Move(unit=unit, origin="poland", to="ukraine", number=number)
                                          for unit, number in army(attackers).items()), Confirm()]
    for table in fought(first, "red", *orders):
        taken = table.state.owner["ukraine"] == "red"
        won += taken
        lost += size(army(attackers)) - (size(table.state.units["ukraine"]) if taken else 0)
    assert won / FOUGHT == pytest.approx(said.win, abs=0.06)
    assert lost / FOUGHT == pytest.approx(said.lost, rel=0.07)


@pytest.mark.parametrize(("attackers", "defenders"), [
    ("6I", "6I"), ("3I 2T", "3I 1T 1A"), ("4I 2T 1A 1P", "4I 2T 1A 1P"), ("5I 3T 2A 2P", "3I 2T 2A 2P"), ("10I", "8I"),
    ("4P", "8I"), ("9I 1T", "6I 1P"), ("14I", "14I"), ("5T 3P", "6I 3A")])
def test_odds_by_some_courses_are_near_those_by_all(attackers: str, defenders: str) -> None:
    """The tolerance that is stated: 4 in a hundred for one battle, 9 where twelve share the work."""
    mine, forces = counted(army(attackers)), ((counted(army(defenders)), 1.0),)
    exact = all_courses(LAND, mine, forces, 1_000_000)
    assert exact is not None and exact.exact
    for work, near in ((WORK, 0.04), (WORK // 3, 0.06), (WORK // 12, 0.09)):
        about = some_courses(LAND, mine, forces, work)
        assert not about.exact and about == some_courses(LAND, mine, forces, work)
        assert about.win == pytest.approx(exact.win, abs=near) and about.lost == pytest.approx(exact.lost, rel=2 * near)


@pytest.mark.parametrize("enemy", ["4I 1T 1A 1P", "30I 15T 10A 5P", "400I 200T 100A 100P"])
def test_more_infantry_never_win_less_often(enemy: str) -> None:
    """Step by step, each of a quarter of the enemy's infantry, whether the odds are exact or not."""
    force = army(enemy)
    most = force["infantry"]
    wins = [on_land(LAND, counted({**force, "infantry": most * quarters // 4}), ((counted(force), 1.0),)).win
            for quarters in range(2, 8)]
    assert wins == sorted(wins) and wins[-1] > wins[0] + 0.2


def test_units_come_up_as_the_rule_of_Mixed_says():
    """Rule: ATK-21.3.1"""
    for reserve, fighting, room in product(product((0, 1, 3), repeat=4), [(0, 0, 0, 0), (2, 0, 1, 0), (0, 1, 0, 4)],
                                           (0, 1, 3, 9)):
        named: list[Any] = [{unit: n for unit, n in zip(UNITS, side) if n} for side in (reserve, fighting)]
        brought = counted(bring_mixed(named[0], named[1], room, line_up=False))
        assert reinforced(reserve, fighting, room) == (tuple(map(sub, reserve, brought)), tuple(map(add, fighting, brought)))


@pytest.mark.parametrize("fighting", ["5I 2T 2A 2P", "20I 1T 1A 1P", "4I 8P", "12T", "9I 9A"])
def test_mean_and_deviation_of_the_hits_of_many_units_are_those_of_all_falls(fighting: str) -> None:
    force = counted(army(fighting))
    chances = hits(LAND, force)
    mean = sum(scored * chance for scored, chance in enumerate(chances))
    deviation = sum((scored - mean) ** 2 * chance for scored, chance in enumerate(chances)) ** 0.5
    assert hits_of_many(LAND, force) == (pytest.approx(mean, abs=1e-6), pytest.approx(deviation, rel=0.07))


@pytest.mark.parametrize(("attackers", "defenders", "win", "lost"), [
    ("12I 6T 4A 2P", "12I 6T 4A 2P", 0.197, 22.96), ("7A 4T 4P 3I", "4A 5I 8P 3T", 0.147, 17.38),
    ("30I 20T 10A 10P", "30I 20T 10A 10P", 0.318, 66.2), ("60I 20T 10A 10P", "90I 10T 10A 10P", 0.058, 99.4)])
def test_the_odds_of_large_forces_are_about_right(attackers: str, defenders: str, win: float, lost: float) -> None:
    """Chances and losses of 1500 to 8000 battles that another program fought, which was written from the rules alone."""
    told = odds(attackers, defenders)
    assert told.win == pytest.approx(win, abs=0.03) and told.lost == pytest.approx(lost, rel=0.02) and not told.exact


def test_the_hand_that_a_player_holds_is_left_out_of_the_cards_that_may_come():
    """Of two cards of which the player holds the strong one, the weak one comes for certain."""
    weak, strong = "pop_01", "fac_12"
    made = scene(land={"mexico": ("red", "4I"), "france": ("blue", "1I")}, hands={"red": tuple(
        card.id for card in PARTS.cards if card.id not in (weak, strong))}, deck=[weak])
    two = [on_land(LAND, counted(army("2I")), ((counted(PARTS.card[card].neutral_defenders.units), 1.0),)).win
           for card in (weak, strong)]
    both = on_land(LAND, counted(army("2I")), neutrals(made.state, "red"))
    assert both.win == pytest.approx(sum(two) / 2, abs=1e-5)
    made.state.deck = []
    assert neutrals(made.state, "red") == ((counted(army("3I")), 1.0),), "ATK-15.4.2"


# --- at sea ------------------------------------------------------------------------------------------------

def test_two_dice_each_and_what_the_ships_add():
    higher, lower = lead(0)
    assert higher == lower and 1 - higher - lower == pytest.approx(146 / 1296), "the chance that two pairs of dice are equal"
    assert lead(4)[0] > lead(2)[0] > higher and lead(-2) == lead(2)[::-1]


def test_equal_fleets_have_equal_chances_and_a_single_pair_is_that_of_its_dice():
    for words in ("1B 2D 2S", "2B 3D 1C", "4D"):
        assert at_sea(SEA, fleet_of(fleet(words)), fleet_of(fleet(words)))[0] == pytest.approx(0.5)
    higher, lower = lead(2)
    assert at_sea(SEA, fleet_of(fleet("1S")), fleet_of(fleet("1B")))[0] == pytest.approx(higher / (higher + lower))


@pytest.mark.parametrize(("mine", "theirs"), [("1B 2D 2S", "2D 2S"), ("1B 2D 1S 1C", "1B 3D 2S"), ("3D 2S", "1B 2C 1D")])
def test_naval_battles_that_are_fought_come_out_as_often_as_the_odds_say(mine: str, theirs: str) -> None:
    said, exact = at_sea(SEA, fleet_of(fleet(mine)), fleet_of(fleet(theirs)))
    made = scene(land={"poland": ("red", "1I"), "france": ("blue", "1I")}, fleets={"red": mine, "blue": theirs},
                 controller="blue")
    won = sum(table.state.controller == "red" for table in fought(made, "red", Begin(action="naval_battle")))
    assert exact and won / FOUGHT == pytest.approx(said, abs=0.06)


@pytest.mark.parametrize(("mine", "theirs"), [("3D", "2D"), ("1B 2D 2S", "2D 2S"), ("3D 2S", "1B 2C 1D"), ("6D", "6D"),
                                             ("2B 2D 1S 1C", "1B 3D 2S")])
def test_the_odds_at_sea_by_some_battles_are_near_those_by_all(mine: str, theirs: str) -> None:
    fleets = fleet_of(fleet(mine)), fleet_of(fleet(theirs))
    one, other = (some_battles(SEA, *sides, WORK // 4) for sides in (fleets, fleets[::-1]))
    assert (one + 1 - other) / 2 == pytest.approx(all_battles(SEA, *fleets, 1_000_000), abs=0.06)


@pytest.mark.parametrize("words", ["6B 6D 6S 6C", "900B 900D 900S 900C"])
def test_equal_fleets_of_any_size_have_about_equal_chances_and_more_ships_better_ones(words: str) -> None:
    mine = fleet_of(fleet(words))
    more, fewer = tuple(n * 5 // 4 for n in mine), tuple(n * 3 // 4 for n in mine)
    wins = [at_sea(SEA, ships, mine)[0] for ships in (fewer, mine, more)]
    assert wins == sorted(wins) and wins[1] == pytest.approx(0.5, abs=0.09) and wins[0] < 0.3 < 0.7 < wins[2]


# --- the work for one question --------------------------------------------------------------------------------

CALLS = 120_000             # of functions of Python


@pytest.mark.parametrize(("attackers", "defenders"), [
    ("60I 30T 20A 10P", "60I 30T 20A 10P"), ("4000I 2000T 1000A 1000P", "4000I 2000T 1000A 1000P"),
    ("4I 2T 1A 1P", "4I 2T 1A 1P"), ("25T", "4P"), ("1I", "90000I"), ("90000I", "1I"), ("1000000I 9T", "1000000P 9A")])
def test_the_work_for_the_odds_of_one_battle_is_bounded(attackers: str, defenders: str) -> None:
    forget()
    assert calls(lambda: odds(attackers, defenders)) <= CALLS


@pytest.mark.parametrize("pack", [{"cap": 1000, "step": 0}, {"cap": 1, "step": 0}, {"fewest": 1000}, {"dice": (20, 20, 20, 20)},
                                  {"sides": 500}])
def test_the_work_is_bounded_with_other_values(pack: dict[str, Any]) -> None:
    for number in (3, 9, 60, 1000):
        forget()
        units = (number,) * len(UNITS)
        assert calls(partial(on_land, LAND._replace(**pack), units, ((units, 1.0),))) <= CALLS


@pytest.mark.parametrize("words", ["1B 2D 1S 1C", "2B 2D 1S 1C", "2B 2D 2S 2C", "10B 10D 10S 10C", "900B 900D 900S 900C"])
def test_the_work_for_the_odds_at_sea_is_bounded(words: str) -> None:
    forget()
    assert calls(lambda: at_sea(SEA, fleet_of(fleet(words)), fleet_of(fleet(words)))) <= CALLS


def forget() -> None:
    for function in vars(module).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


# --- in words -----------------------------------------------------------------------------------------------

def attacking(**more: Any) -> Scene:
    made = scene(**{"powers": ("red", "blue", "green"), "controller": "green", "land": {
        "mexico": ("red", "4I 2T"), "cuba": ("red", "3I"), "panama": ("blue", "1I"), "southern_us": ("blue", "3I 2T"),
        "france": ("green", "1I")}, **more})
    made.say("red", Begin(action="movement"))
    return made


def test_before_its_orders_count_a_player_reads_the_odds_of_each_battle():
    made = attacking()
    assert Confirm().outlook(made.state, made.state.seat("red")) is None, "nothing attacks yet"
    made.say("red", Move(unit="infantry", origin="mexico", to="southern_us", number=3),
             Move(unit="tank", origin="mexico", to="southern_us", number=2),
             Move(unit="infantry", origin="cuba", to="panama", number=2, way="water"))
    told = Confirm().outlook(made.state, made.state.seat("red"))
    land, other = odds("3I 2T", "3I 2T"), odds("2I", "1I")
    lines = spoken(told).split("\n")
    assert lines[0].startswith(f"The Southern US against Blue: win {spoken(percent(land.win))}. You lose ")
    assert lines[1].startswith(f"Panama against Blue: win {spoken(percent(other.win))}. You lose ")
    assert lines[2:] == ["Assumes that both sides line up mixed and bring up all they can.",
                         "Green may still refuse the crossing to Panama."]


def test_of_many_battles_twelve_are_told_and_the_work_is_bounded():
    """An attack on half of the world, with neutrals that any card may defend."""
    made = scene(land={"mexico": ("red", "4I"), "france": ("blue", "1I")})
    s, seat = made.state, made.state.seat("red")
    goals = [land.id for land in PARTS.territories if land.id not in ("mexico", "france")]
    s.turn.entering = {goal: army(f"{place}I {place % 7}T {place % 5}P") for place, goal in enumerate(goals, 1)}
    for goal in goals[::2]:
        s.owner[goal], s.units[goal] = "blue", army("12I 3T 2A")
    forget()
    told: list[str] = []
    assert calls(lambda: told.append(spoken(Confirm().outlook(s, seat)))) <= 2 * CALLS
    lines = told[0].split("\n")
    assert sum("win " in line for line in lines) == 12 and f"And {len(goals) - 12} more battles." in lines


def test_the_odds_against_neutrals_tell_no_card():
    made = attacking(hands={"blue": ("oil_4", "pop_01"), "red": ("oil_3",)})
    made.say("red", Move(unit="infantry", origin="mexico", to="western_us", number=2))
    seat = made.state.seat("red")
    told = spoken(Confirm().outlook(made.state, seat))
    assert "Western US against the neutral force: win " in told
    assert "A card decides who defends the Western US: any that you don't hold." in told
    empty = attacking(deck=())
    empty.say("red", Move(unit="infantry", origin="mexico", to="western_us", number=2))
    outlook = spoken(Confirm().outlook(empty.state, seat))
    assert "card" not in outlook and spoken(percent(odds("2I", "3I").win)) in outlook, "ATK-15.4.2: three infantry come"
    made.state.deck, made.state.hands["blue"] = [*made.state.deck[2:], *made.state.hands["blue"]], made.state.deck[:2]
    assert spoken(Confirm().outlook(made.state, seat)) == told, "another hand of another player"


def test_the_odds_at_sea_are_told_to_the_challenger_to_the_controller_and_between_the_rounds():
    made = scene(land={"poland": ("red", "1I"), "france": ("blue", "1I")}, fleets={"red": "3D", "blue": "1B 1S"},
                 controller="blue", dice=[(3, 5, 3, 3), (3, 3, 3, 5)])
    win = at_sea(SEA, fleet_of(fleet("3D")), fleet_of(fleet("1B 1S")))[0]
    red, blue = made.state.seat("red"), made.state.seat("blue")
    mine, theirs = spoken(percent(win)), spoken(percent(1 - win))
    counts = "Assumes that both sides use the default line and withdraw when outnumbered two to one."
    assert spoken(Begin(action="naval_battle").outlook(made.state, red)).split("\n") == [
        f"If it comes to a fight: win {mine}.", counts, "Blue may also withdraw at once. Then the sea lanes are yours."]
    assert Begin(action="movement").outlook(made.state, red) is None
    made.say("red", Begin(action="naval_battle"))
    assert spoken(Fight(on=True).outlook(made.state, blue)).split("\n") == [f"If it comes to a fight: win {theirs}.", counts]
    assert Fight(on=False).outlook(made.state, blue) is None
    made.say("blue", Fight(on=True))
    made.say("blue", made.default("blue"))
    assert made.asked() == [("red", "D-16")]
    assert spoken(Fight(on=True).outlook(made.state, red)).split("\n") == [
        f"If it comes to a fight: win {mine}.", counts], "no hit so far"
    made.state.damaged["blue"], made.state.fleets["red"] = 1, {"destroyer": 2}
    assert spoken(Fight(on=True).outlook(made.state, red)).split("\n")[0] == (
        "If it comes to a fight: win 100%."), "Blue gives way"


def test_what_is_merely_improbable_is_never_called_impossible():
    assert [spoken(percent(chance)) for chance in (0, 0.001, 0.426, 0.999, 1)] == ["0%", "under 1%", "43%", "over 99%",
                                                                                  "100%"]


@pytest.mark.parametrize("seed", range(3))
def test_in_random_games_every_odds_can_be_told_and_say_the_same_to_whoever_holds_other_cards(seed: int) -> None:
    """What may be weighed hangs on nothing that the seat does not see [ATK-20.4]."""
    pick, told = random.Random(seed), 0
    table = new_table(GAME, 4, "message", PARTS, SecretDice(f"{seed:064x}"), checkpoints=False)
    for _ in play_on(table, pick.randrange):
        for question in table.waiting():
            seat, s = question.seat, table.state
            for option in table.options(seat):
                if isinstance(option, Begin | Confirm | Fight) and (outlook := option.outlook(s, seat)) is not None:
                    other = State.model_validate_json(s.model_dump_json())
                    GAME.rules.bind(other, PARTS)
                    for disguised in map(Seat, s.seats):
                        if disguised != seat:
                            GAME.views.disguise(other, disguised)
                    assert option.outlook(other, seat) == outlook and "%" in spoken(outlook)
                    told += 1
    assert told > 20


def test_a_battle_too_large_to_work_out_is_told_as_such():
    """A wrong number would be worse than none."""
    huge = (20_000, 10_000, 10_000, 10_000)
    assert not on_land(rules_of(PARTS), huge, ((huge, 1.0),)).settled
    assert on_land(rules_of(PARTS), (60, 0, 0, 0), (((60, 0, 0, 0), 1.0),)).settled
