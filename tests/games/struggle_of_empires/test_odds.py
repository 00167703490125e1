"""The odds of an attack: checked against counting by hand, and against the fights themselves, throw by throw."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine.components import components
from engine.dice import LoadedDice
from engine.games.struggle_of_empires import GAME, odds
from engine.games.struggle_of_empires.actions import Attack, Build, Commit, Decline, Fight, Move, Take
from engine.games.struggle_of_empires.events import FightDecided, UnitLost, UnitSunk, UnitTurnedBack
from engine.games.struggle_of_empires.odds import Odds
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event, Table
from engine.text import Reader, say
from tests.scene import Scene, scene

READER = Reader(GAME.words.names(components(GAME, "first").parts))
A, B, C, D = "austria", "britain", "france", "prussia"
DICE = list(product(range(1, 7), repeat=2))


def declared(at: Scene, order: Attack, power: str = A) -> State:
    """The position with the attack declared, and nobody asked yet."""
    state = at.state.model_copy()
    order.declared(state, power).apply(state)
    return state


def told(at: Scene, order: Attack | Take, power: str = A) -> list[str]:
    outlook = order.outlook(at.state, at.state.seat(power))
    assert outlook is not None
    return say(outlook, READER).split("\n")


def test_whoever_is_asked_to_fight_at_sea_reads_its_own_odds():
    table = scene(units={A: {"army": {"india": 2}, "navy": {"india": 3}}, B: {"army": {"india": 2}, "navy": {"india": 1}}})
    table.say(A, Attack(area="india", target=B))
    for power in (A, B):
        (question,) = table.table.asks
        assert question.seat == table.state.seat(power)
        chances = odds.by_lead(2 if power == A else -2, 7)
        assert table.said(question.text()).endswith(f"You'd win {say(odds.percent(chances.win), READER)}, tie 12%.")
        if power == A:
            table.say(power, Fight())


# --- by hand ------------------------------------------------------------------------------------------
# Two dice differ by 0 in 6 of 36 throws, by 1 in 10, by 2 in 8, by 3 in 6, by 4 in 4, by 5 in 2; a sum of 7 is 6 of 36.

def test_the_differences_of_two_dice():
    counted = Counter[int]()
    for difference, _, chance in odds.rolls(7):
        counted[difference] += chance * 36          # type: ignore[assignment]
    assert counted == {0: 6, 1: 10, 2: 8, 3: 6, 4: 4, 5: 2}
    assert {difference for difference, costly, _ in odds.rolls(7) if costly} == {1, 3, 5}
    assert sum(chance for *_, chance in odds.rolls(7)) == 1


def test_equal_strengths_by_hand():
    even = scene(units={A: {"army": {"german_states": 1}}, B: {"army": {"german_states": 1}}}, markers={B: {"german_states": 1}})
    tie = Fraction(6 * 6 + 10 * 10 + 8 * 8 + 6 * 6 + 4 * 4 + 2 * 2, 36 * 36)
    found = odds.fight(declared(even, Attack(area="german_states", target=B)), "land")
    assert (found.win, found.tie, found.loss) == ((1 - tie) / 2, tie, (1 - tie) / 2)
    assert found.tie == Fraction(256, 1296)


def test_a_lead_of_five_loses_never_and_of_six_wins_always():
    for lead, tie in ((5, Fraction(6 * 2, 1296)), (6, Fraction(0))):
        strong = scene(units={A: {"army": {"german_states": lead}}}, markers={B: {"german_states": 1}})
        found = odds.fight(declared(strong, Attack(area="german_states", target=B)), "land")
        assert (found.tie, found.loss, found.win) == (tie, 0, 1 - tie)
        assert found.hurt == Fraction(6, 36) + tie  # a 7 costs a unit even when won; a tie here needs two equal own dice


@pytest.mark.parametrize("chance, words", [
    (Fraction(0), "0%"), (Fraction(1, 1296), "under 1%"), (Fraction(1, 200), "1%"), (Fraction(1, 2), "50%"),
    (Fraction(2, 3), "67%"), (Fraction(1295, 1296), "over 99%"), (Fraction(1), "100%")])
def test_percents_never_call_the_improbable_impossible(chance, words):
    assert say(odds.percent(chance), READER) == words


# --- against the fights of the rules ------------------------------------------------------------------

LAND: dict[str, Any] = {"units": {A: {"army": {"german_states": 2}}, B: {"fort": {"german_states": 1}}},
                        "markers": {B: {"german_states": 1}}}
COUNTED: dict[str, Any] = {"edition": "deluxe_without_npp", "options": {"unrest.model": "count"}}
CASES: dict[str, tuple[dict[str, Any], Attack]] = {
    "an army against a fort": (LAND, Attack(area="german_states", target=B)),
    "with training and an alliance": ({**LAND, "tiles": {A: {"army_training": 1}, B: {"alliance_bavaria": 1}}},
                                      Attack(area="german_states", target=B)),
    "with the only navy there": ({"units": {A: {"army": {"india": 1}, "navy": {"india": 1}}, B: {"army": {"india": 2}}},
                                  "markers": {B: {"india": 1}}}, Attack(area="india", target=B)),
    "against the only navy there": ({"units": {A: {"army": {"india": 2}}, B: {"navy": {"india": 1}}},
                                     "markers": {B: {"india": 1}}}, Attack(area="india", target=B)),
    "a neutral marker with support": ({"units": {A: {"army": {"baltic": 2}, "navy": {"baltic": 1}}},
                                       "neutrals": {"baltic": ["neutral_3"]}}, Attack(area="baltic", target="neutral_3")),
    "in the Ottoman Empire without a naval stage": (
        {**COUNTED, "local": {"local_ottoman_empire": B},
         "units": {A: {"army": {"ottoman_empire": 2}, "navy": {"mediterranean": 1}}, B: {"army": {"ottoman_empire": 1}}}},
        Attack(area="ottoman_empire", target=B)),
    "two local alliances against walls and training": (
        {**COUNTED, **LAND, "local": {"local_bavaria": A, "local_saxony": A}, "tiles": {B: {"army_training": 1}}},
        Attack(area="german_states", target=B)),
    "a surprise": ({**LAND, "tiles": {A: {"surprise_attack": 1}}}, Attack(area="german_states", target=B, surprise=True)),
}


def fought(at: dict[str, Any], order: Attack, answers: tuple[tuple[str, Any], ...] = ()) -> Odds:
    """All 1296 throws of the last fight, played by the rules; the defender's dice stand for every throw with their difference."""
    made = scene(**at)
    win = tie = loss = hurt = Fraction(0)
    by_difference = Counter(abs(one - two) for one, two in DICE)
    for mine in DICE:
        for difference, number in by_difference.items():
            table = Table(GAME, made.parts, made.start, dice=LoadedDice((*mine, 1, 1 + difference)), checkpoints=False)
            table.answer(table.state.seat(A), order)
            for who, answer in answers:
                table.answer(table.state.seat(who), answer)
            while table.state.battle is not None:
                question = table.waiting()[0]
                table.answer(question.seat, table.default(question.seat))
            events = [event for entry in table.fresh for event in entry.events]
            (decided,) = [event for event in events if isinstance(event, FightDecided)]
            lost = any(isinstance(event, UnitLost) and event.owner == A for event in events)
            chance = Fraction(number, 36 * 36)
            win += chance * (decided.winner == A)
            tie += chance * (decided.winner == "")
            loss += chance * (decided.winner not in (A, ""))
            hurt += chance * lost
    return Odds(win, tie, loss, hurt)


def foreseen(at: dict[str, Any], order: Attack) -> Odds:
    """What the odds say of the land fight, with the naval support that the position gives."""
    state = declared(scene(**at), order)
    if not state.is_power(order.target):
        support = A if state.navies(A, state.sea_of(order.area)) else ""
    else:
        ships = [side for side in (A, B) if state.navies(side, state.battle.sea)] if state.battle else []
        support = ships[0] if len(ships) == 1 else ""
    return odds.fight(odds.supported(state, support), "land")


@pytest.mark.parametrize("at, order", CASES.values(), ids=CASES)
def test_the_odds_are_those_of_the_rules_own_fights(at, order):
    assert set(tile for tiles in at.get("tiles", {}).values() for tile in tiles) <= set(components(GAME, "first").parts.tile)
    assert foreseen(at, order) == fought(at, order)


def test_the_odds_of_a_naval_only_attack_are_those_of_the_rules_own_fights():
    at: dict[str, Any] = {"units": {A: {"navy": {"baltic": 2}}, B: {"navy": {"baltic": 1}}},
          "tiles": {B: {"naval_training": 1, "alliance_denmark": 1}}}
    order = Attack(area="baltic", target=B)
    state = odds.at_sea(declared(scene(**at), order))
    assert (state.strength(A, "sea"), state.strength(B, "sea")) == (2, 3), "a navy, training, an alliance"
    assert odds.fight(state, "sea") == fought(at, order, ((B, Fight()),))


def test_behind_a_fight_at_sea_the_winner_of_it_has_support_on_land():
    at: dict[str, Any] = {"units": {A: {"army": {"india": 2}, "navy": {"india": 2}},
                                    B: {"army": {"india": 2}, "navy": {"india": 1}}}, "markers": {B: {"india": 1}}}
    order = Attack(area="india", target=B)
    state = odds.at_sea(declared(scene(**at), order))
    sea = odds.fight(state, "sea")
    on_land = {winner: odds.fight(odds.supported(state, winner), "land") for winner in (A, B, "")}
    assert on_land[A].win > on_land[""].win > on_land[B].win
    assert odds.after_sea(state).win == sea.win * on_land[A].win + sea.tie * on_land[""].win + sea.loss * on_land[B].win
    declined = {"win": on_land[A], "lose": on_land[B]}
    assert fought(at, order, ((A, Fight()), (B, Decline()))) == declined["win"]
    assert fought(at, order, ((A, Decline()),)) == declined["lose"]


@pytest.mark.parametrize("alliance, strength", [({}, 2), ({"local_mysore": A}, 3)])
def test_the_odds_of_a_hunt_for_pirates_are_those_of_the_rules_own_fights(alliance, strength):
    at: dict[str, Any] = {**COUNTED, "units": {A: {"army": {"india": 3}, "navy": {"india": 1}}},
                          "captives": {"pirates": ("india", B)}, "tiles": {A: {"naval_training": 1}}, "local": alliance}
    order = Attack(area="india", target="pirates")
    state = odds.at_sea(declared(scene(**at), order))
    assert (state.strength(A, "sea"), state.strength("pirates", "sea")) == (strength, 1)
    assert odds.fight(state, "sea") == fought(at, order)
    lines = told(scene(**at), order)
    assert lines[0].startswith(f"At sea, {strength} against 1: win") and len(lines) == 2, "nobody could decline"


def test_by_option_the_defender_has_support_after_a_tie_at_sea():
    one_each = {"army": {"india": 1}, "navy": {"india": 1}}
    found = {}
    for tie in ("none", "defender"):
        at = scene(units={A: one_each, B: one_each}, options={"naval.tie_support": tie})
        state = odds.at_sea(declared(at, Attack(area="india", target=B)))
        sea, found[tie] = odds.fight(state, "sea"), odds.after_sea(state)
    lands = {side: odds.fight(odds.supported(state, side), "land") for side in ("", B)}
    assert found["none"].win - found["defender"].win == sea.tie * (lands[""].win - lands[B].win) > 0


def test_a_fight_at_sea_alone_that_cannot_be_declined_is_told_as_such():
    at: dict[str, Any] = {"units": {A: {"army": {"india": 1}, "navy": {"india": 1}}, B: {"navy": {"india": 1}}}}
    order = Attack(area="india", target=B, naval_only=True)
    choice: dict[str, Any] = {"attack.naval_only_with_army": True}
    free = told(scene(**at, options=choice), order)
    bound = told(scene(**at, options={**choice, "attack.naval_only_declinable": False}), order)
    assert free[0] == bound[0] and free[0].startswith("At sea, 1 against 1")
    assert [line for line in free if line not in bound] == ["If Britain won't fight, nothing happens."]


def test_an_alliance_that_could_help_in_either_fight_is_counted_on_land():
    parts = components(GAME, "first").parts
    both = next(tile for tile in parts.alliances if tile.helps_at_sea and tile.helps_on_land)
    area = next(area for area in both.areas if area in parts.seas)
    one_each = {"army": {area: 1}, "navy": {area: 1}}
    at = scene(units={A: one_each, B: one_each}, tiles={A: {both.id: 1}})
    state = odds.at_sea(declared(at, Attack(area=area, target=B)))
    assert (state.alliance_bonus(A, "sea"), state.alliance_bonus(A, "land")) == (0, 1)


# --- in words -----------------------------------------------------------------------------------------

def test_what_is_told_of_a_fight_on_land_only():
    assert told(scene(**LAND), Attack(area="german_states", target=B)) == [
        "On land, 2 against 2: win 40%, tie 20%, lose 40%; 70% risk of losing a unit.",
        "Nobody else can help. Not counted: tiles used in the fight."]


def test_what_is_told_when_both_have_navies():
    at = scene(units={A: {"army": {"india": 1}, "navy": {"india": 1}}, B: {"navy": {"india": 1}}}, markers={B: {"india": 1}})
    first, *others = told(at, Attack(area="india", target=B))
    assert first.startswith("At sea, 1 against 1: win 40%")
    assert [line.split(":")[0] for line in others] == [
        "Then on land", "If Britain won't fight at sea", "If you won't fight at sea", "Nobody else can help. Not counted"]


def test_who_could_help_is_named_and_not_counted():
    helpers: dict[str, Any] = {C: {"army": {"german_states": 1}}, D: {"army": {"german_states": 3}}}
    at: dict[str, Any] = {"powers": (A, B, C, D), "units": {**LAND["units"], **helpers},
          "markers": LAND["markers"], "tiles": {A: {"surprise_attack": 1}}}
    open_attack, surprise = (told(scene(**at), Attack(area="german_states", target=B, surprise=use)) for use in (False, True))
    assert open_attack[0] == surprise[0] == "On land, 2 against 2: win 40%, tie 20%, lose 40%; 70% risk of losing a unit."
    assert open_attack[-1] == "Not counted: help from France and Prussia, and tiles used in the fight."
    assert surprise[-1] == "Not counted: help from France, and tiles used in the fight."


def test_help_that_was_given_counts_in_the_fight_and_only_there():
    at = scene(powers=(A, B, C, D), units={A: {"army": {"baltic": 1}}, C: {"army": {"baltic": 2}}}, markers={B: {"baltic": 1}},
               dice=[(1, 1, 2, 2)])
    before = told(at, Attack(area="baltic", target=B))[0]
    assert before.startswith("On land, 1 against 0")
    at.say(A, Attack(area="baltic", target=B))
    at.say(C, Commit(armies=2, navies=0))
    assert at.strengths() == [(3, 0)]


def test_the_odds_of_pirates_and_of_a_slave_revolt():
    at = scene(units={B: {"navy": {"caribbean": 1}, "army": {"caribbean": 2}}}, markers={B: {"caribbean": 1}})
    assert told(at, Take(tile="pirates", area="caribbean", target=B)) == [
        "1 against 1 before the dice: 40% to capture the control marker.", "Not counted: tiles Britain may use."]
    assert told(at, Take(tile="slave_revolt", area="caribbean", target=B))[0].startswith("3 against 3 before the dice: 40%")
    assert Take(tile="banking").outlook(at.state, at.state.seat(A)) is None


def test_an_alliance_that_could_help_in_either_fight_is_counted_against_pirates():
    at = scene(units={B: {"navy": {"africa": 1}}}, markers={B: {"africa": 1}}, tiles={B: {"alliance_portugal": 1}})
    assert told(at, Take(tile="pirates", area="africa", target=B))[0].startswith("1 against 2 before the dice: 23%")


@pytest.mark.parametrize("tiles, sunk, back, words", [({}, 2, 2, "sinks 6%, turns back 6%"),
                                                      ({A: {"navigation": 1}}, 0, 2, "turns back 6%")])
def test_the_hazard_of_a_crossing_is_that_of_the_rules_own_crossings(tiles, sunk, back, words):
    at = scene(units={A: {"navy": {"baltic": 1}}}, tiles=tiles)
    order, fate = Move(unit="navy", origin="baltic", to="india"), Counter[type[Event]]()
    for first, second in DICE:
        throws = [(first,), (second,)] if first == 1 else [(first,)]
        table = Table(GAME, at.parts, at.start, dice=LoadedDice(*throws), checkpoints=False)
        table.answer(table.state.seat(A), order)
        fate.update(type(event) for entry in table.fresh for event in entry.events)
    assert (fate[UnitSunk], fate[UnitTurnedBack]) == (sunk, back), "of 36"
    hazard = order.hazard(at.state, at.state.seat(A))
    assert hazard is not None
    assert say(hazard, READER) == words
    assert Move(unit="navy", origin="baltic", to=A).hazard(at.state, at.state.seat(A)) is None


def test_weighing_changes_nothing():
    at = scene(**LAND)
    before = at.state.model_dump_json()
    told(at, Attack(area="german_states", target=B))
    assert at.state.model_dump_json() == before and at.state.battle is None
    assert Build(unit="army", to=A).outlook(at.state, at.state.seat(A)) is None
