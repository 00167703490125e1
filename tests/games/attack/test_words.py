"""What everybody reads: one fact to a sentence, no doubled words, numbers that agree with their verbs."""
from __future__ import annotations

import pytest

from bot.discord.game.action_menu import screen
from bot.discord.game.menu_path import token
from engine.games.attack import GAME
from engine.games.attack.rules.battle import BattleRolled
from engine.games.attack.rules.crossings import CrossingMade
from engine.games.attack.rules.diplomacy import DiplomacyTried, TerritoryWon
from engine.games.attack.rules.naval import LinesShown
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.trade import CardsTraded, Offer
from engine.games.attack.rules.turns import Begin, End
from engine.games.attack.words.nouns import ships_in_line
from engine.kernel import Event
from engine.text import Reader, say
from tests.games.attack.scene import scene

LAND = {"cuba": ("red", "2I"), "france": ("blue", "1I")}
READER = Reader(GAME.words.names(scene(land=LAND).parts))


@pytest.mark.parametrize(("event", "sentence"), [
    (CrossingMade(power="red", origin="cuba", to="mexico", arrived={}, back={"infantry": 1}), "1 infantry goes back to Cuba."),
    (CrossingMade(power="red", origin="cuba", to="mexico", arrived={}, back={"infantry": 1, "tank": 2}),
     "1 infantry and 2 tanks go back to Cuba."),
    (CrossingMade(power="red", origin="cuba", to="mexico", arrived={"plane": 1}, back={"infantry": 2}),
     "1 plane flies on to Mexico; 2 infantry go back to Cuba."),
    (CrossingMade(power="red", origin="cuba", to="mexico", arrived={"plane": 2}, back={"tank": 1}),
     "2 planes fly on to Mexico; 1 tank goes back to Cuba."),
    (CardsTraded(one="red", other="blue", from_one=("oil_01",), from_other=("pop_01", "pop_02")),
     "Red gives Blue 1 card for 2 cards."),
    (CardsTraded(one="red", other="blue", from_one=("oil_01",), from_other=()), "Red gives Blue 1 card as a gift."),
    (CardsTraded(one="red", other="blue", from_one=(), from_other=("pop_01", "pop_02")), "Blue gives Red 2 cards as a gift."),
    (BattleRolled(power="red", dice=("tank", "blank"), hits=0, foe="neutral", losses={}), "Red rolls tank and blank: no hit."),
    (BattleRolled(power="red", dice=("tank", "blank"), hits=1, foe="blue", losses={"infantry": 1}),
     "Red rolls tank and blank: 1 hit. Blue loses 1 infantry."),
    (DiplomacyTried(power="red", territory="peru", dice=(3, 4), target=8), "Red negotiates with Peru, needs 8 and rolls 7."),
    (TerritoryWon(power="red", territory="peru"), "Red wins over Peru, with 1 infantry."),
    (LinesShown(round=2, lines={"red": ("battleship",) + ("destroyer",) * 3, "blue": ("submarine", "destroyer", "submarine")}),
     "Naval battle, round 2. Red: battleship and 3 destroyers. Blue: submarine, destroyer and submarine."),
])
def test_a_public_sentence(event: Event, sentence: str) -> None:
    line = event.line()
    assert line is not None and say(line, READER) == sentence


@pytest.mark.parametrize(("line", "words"), [
    (("destroyer",), "destroyer"), (("destroyer", "destroyer"), "2 destroyers"),
    (("aircraft_carrier", "aircraft_carrier", "battleship", "aircraft_carrier"),
     "2 aircraft carriers, battleship and aircraft carrier"),
])
def test_rows_of_equal_ships_in_a_line_are_counted(line, words):
    assert say(ships_in_line(line), READER) == words


def test_the_end_of_a_turn_is_told_if_actions_were_left():
    made = scene(land=LAND, taken=("movement", "production", "diplomacy"), hands={"red": ("oil_1",)})
    assert made.asked() == [("blue", "D-04")] and not made.lines(), "the next turn has a head of its own"
    early = scene(land=LAND)
    early.say("red", End())
    assert early.lines()[-1:] == ["Red ends its turn with 3 actions left."]


def test_a_trade_that_was_the_last_action_is_told_to_be_open():
    made = scene(land=LAND, taken=("movement", "production"), hands={"red": ("oil_1",), "blue": ("oil_2",)})
    assert say(made.table.asked(made.state.seat("red")).text(), READER) == "What do you do? You have 1 action left."
    made.say("red", Offer(partner="blue", give=("oil_1",)))
    made.say("blue", Answer(accept=True))
    assert say(made.table.asked(made.state.seat("red")).text(), READER) == (
        "You have no actions left, but you can still trade. Offer another deal, or end your turn?")


def test_what_is_left_to_spend_is_told_as_a_number():
    made = scene(land=LAND, capitals={"cuba": "red"}, hands={"red": ("oil_4",)})
    made.say("red", Begin(action="production"), Buy(kind="tank", number=1))
    assert made.private_lines("red")[-1] == "You add 1 tank for 10 production points. 4 left."


def test_a_menu_says_what_is_settled_and_nothing_of_what_is_as_usual() -> None:
    """Tanks cannot fly: where planes would go is no choice, so the menu does not speak of it."""
    table = scene(land={"france": ("red", "3T 1P"), "italy": ("blue", "1I")})
    table.say("red", Begin.of("movement"))
    way = ("move", token(("france", "italy", "land")), token("tank"))
    assert screen(table.table, 1, table.state.seat("red"), way).words == "**Move** · tanks: France to Italy"
