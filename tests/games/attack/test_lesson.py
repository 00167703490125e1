"""What the guided campaign says is so: sums, hits, ships and territories, by every way through it."""
from __future__ import annotations

from itertools import product

import pytest

from engine.components import components
from engine.dice import LoadedDice
from engine.games.attack import GAME
from engine.games.attack.lesson import DEFENDERS, FIRST_CAMPAIGN, YOU
from engine.games.attack.rules.battle import BattleRolled
from engine.games.attack.rules.cards import kinds, production_points
from engine.games.attack.rules.diplomacy import DiplomacyTried, target
from engine.games.attack.state import size
from engine.lessons import LessonProgress, leading, stand
from engine.text import Reader, say

PARTS = components(GAME, FIRST_CAMPAIGN.edition).parts
READER = Reader(dict(GAME.words.names(PARTS)))
STEPS = FIRST_CAMPAIGN.steps
WAYS = list(product(*(leading(step) for step in STEPS[:-1])))


def at(words: str) -> LessonProgress:
    """The step that says these words, by the intended answers."""
    (number,) = [number for number, step in enumerate(STEPS) if words in step.say.template]
    return stand(GAME, PARTS, FIRST_CAMPAIGN, [leading(step)[0] for step in STEPS[:number]])


def said(here: LessonProgress) -> str:
    return say(here.say(), READER)


def test_the_learner_is_red_and_everything_is_neutral_at_first():
    state = at("Welcome!").table.state
    assert state.power(YOU) == "red" and state.powers == ["red", "blue", "green"] and state.owner == {}
    assert (state.options.end_mode, state.options.rounds) == ("round_limit", 8), "it would end after eight rounds"
    assert len(PARTS.territories) > 3 * 4 * 4, "far more than they can hold"


def test_the_board_is_as_told():
    assert len(PARTS.territory["central_africa"].adjacent) == 6
    assert len({*PARTS.territory["cuba"].adjacent, *PARTS.sea_linked["cuba"]}) == 8
    assert PARTS.faces.count("plane") == 2
    assert all(PARTS.faces.count(unit) == 1 for unit in ("infantry", "tank", "artillery"))
    assert "eastern_us" in PARTS.territory["southern_us"].adjacent


def test_the_set_is_made_by_the_trade_and_worth_what_is_told():
    before, after = at("Trade first.").table.state, at("Each card brings its number").table.state
    assert kinds(PARTS, before.hands["red"]) == ["factories_2", "minerals_2", "oil_2", "population_3"]
    assert kinds(PARTS, after.hands["red"]) == ["factories_2", "minerals_2", "oil_2", "railroads_2"]
    assert (production_points(before, "red"), production_points(after, "red")) == (10 + 9, 10 + 2 * 8)
    assert "you'd get 26 production points" in said(at("Each card brings its number"))
    assert "You have 26 production points to spend" in said(at("to spend, and what you don't spend"))


def test_the_prices_are_as_told():
    prices = {unit.id: unit.cost_pp for unit in PARTS.units}
    assert prices == {"infantry": 5, "artillery": 8, "tank": 10, "plane": 15}
    assert {ship.cost_pp for ship in PARTS.ships} == {5, 10, 20}
    assert (PARTS.unit["tank"].battle_dice, PARTS.unit["tank"].move) == (2, 2)


def test_the_battle_for_panama_goes_as_told():
    begun = at("the card sends").table.state.battle
    assert begun is not None and begun.card == DEFENDERS and begun.defender.commander == ""
    assert begun.attacker.reserve == {"infantry": 2, "tank": 2, "artillery": 1, "plane": 1}
    assert begun.defender.reserve == {"infantry": 3, "artillery": 1}
    first = at("The defenders rolled first.")
    (roll,) = [event for entry in first.news() for event in entry.events if isinstance(event, BattleRolled)]
    assert roll.dice == ("infantry", "artillery", "plane", "blank") and roll.losses == {"infantry": 1, "tank": 1}
    assert size(first.table.state.battle.attacker.fighting) == 4 - 2 and size(first.table.state.battle.attacker.reserve) == 2
    won = at("Panama is yours")
    mine = [event for entry in won.news() for event in entry.events if isinstance(event, BattleRolled) and event.power == "red"]
    assert mine[0].dice.count("plane") == 2 and mine[0].hits == 3, "tank, artillery and one of the two planes"
    assert won.table.state.owner["panama"] == "red" and DEFENDERS in won.table.state.hands["red"]


def test_the_naval_battle_goes_as_told():
    assert at("Blue has controlled the sea lanes").table.state.controller == "blue"
    state = at("Blue lost two submarines").table.state
    assert state.fleets["blue"] == {"battleship": 1, "destroyer": 2} and state.damaged == {"red": 1, "blue": 1}
    assert (size(state.fit("red")), size(state.fit("blue"))) == (4, 2), "four fit ships against two"
    assert at("the sea lanes are yours").table.state.controller == "red"


def test_diplomacy_goes_as_told():
    before, after = at("Now Diplomacy").table.state, at("A 9: Colombia is yours")
    assert (target(before, "red", "colombia"), target(before, "red", "iraq")) == (8, 9)
    (tried,) = [event for entry in after.news() for event in entry.events if isinstance(event, DiplomacyTried)]
    assert sum(tried.dice) == 9 and after.table.state.owner["colombia"] == "red"


def test_greens_crossing_is_the_learners_to_refuse():
    here = at("Green's last turn.")
    state = here.table.state
    (crossing,) = state.turn.crossings
    assert (crossing.origin, crossing.to, state.units["southern_us"]) == ("morocco", "southern_us", {"infantry": 1})
    assert state.closing, "all have agreed to end with this round"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[15])
def test_red_leads_and_wins_by_every_way(way):
    leading = stand(GAME, PARTS, FIRST_CAMPAIGN, way[:16])
    assert "You lead: Red 6, " in said(leading)
    over = stand(GAME, PARTS, FIRST_CAMPAIGN, way)
    state = over.table.state
    assert over.last and over.table.over and (state.round, state.winners) == (3, ["red"])
    assert said(over).startswith("You win with 6 territories: Red 6, ")
    numbers = {power: len(state.territories(power)) for power in state.powers}
    assert all(f"{power.capitalize()} {number}" in said(over) for power, number in numbers.items())


def test_every_throw_is_used_by_who_negotiates_again():
    for way in WAYS:
        dice = stand(GAME, PARTS, FIRST_CAMPAIGN, way).table.dice
        assert isinstance(dice, LoadedDice) and len(dice.rolls) == (3 if way[15] == "end" else 0)


# --- tips -------------------------------------------------------------------------------------------------------

def test_every_question_has_a_tip_for_who_is_new_but_none_that_nobody_is_asked():
    assert GAME.orders is not None and set(GAME.words.tips) == {point.no for point in GAME.orders.points}
