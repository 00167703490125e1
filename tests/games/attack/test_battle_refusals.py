"""Every refusal of battles: its rule and its sentence, and nothing changes."""
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import engine.games.attack
from engine.games.attack.rules.battle import Bring
from engine.games.attack.rules.line_up_policies import Keep, Policy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.naval_lines import Formation, Line
from engine.games.attack.rules.turns import Begin
from engine.kernel import Action
from engine.text import Reader, say
from tests.games.attack.scene import SHIPS, Scene, scene
from tests.games.attack.test_battles import attack, challenge
from tests.games.attack.test_golden_battles import bring
from tests.often_said import ELSE_FIRST

RULE = r'rule(?:: ClassVar\[str\] )?[= ]+"(ATK-[\d.]+)"'       # of a refusal, or of all refusals of a class
FILES = ("battle", "naval_lines", "naval", "line_up_policies")
D, S, B, C = (SHIPS[letter] for letter in "DSBC")


def lining_up() -> Scene:
    return attack("6I 2T", "4I")


def reinforcing() -> Scene:
    """Red has two infantry and two tanks in reserve, and room for one unit."""
    made = attack("6I 2T", "4I", "I - - -")
    made.say("red", bring("4I"))
    return made


def overrun() -> Scene:
    """Red has lost all that stood in battle."""
    made = attack("6I 2T", "4I", "I I I I")
    made.say("red", bring("4I"))
    return made


def at_sea() -> Scene:
    return challenge("2B 4D 3S", "1D")


CASES: list[tuple[Callable[[], Scene], str, Action, str, str]] = [
    (lining_up, "red", bring("3I 1P"), "ATK-7.3.1", "In reserve: 6 infantry and 2 tanks."),
    (lining_up, "red", bring("5I"), "ATK-7.3.2", "There is room for only 4 units more this round."),
    (lining_up, "red", bring("2I"), "ATK-7.1.3", "You line up 4 units."),
    (lining_up, "red", Policy(second="tank"), "ATK-21.3.3", "Choose which types come first. The rest follow."),
    (lining_up, "red", Policy(first="tank", third="plane"), "ATK-21.3.3",
     "Choose which types come first. The rest follow."),
    (reinforcing, "red", bring("3T"), "ATK-7.3.1", "In reserve: 2 infantry and 2 tanks."),
    (reinforcing, "red", bring("2I"), "ATK-7.3.2", "There is room for only 1 unit more this round."),
    (reinforcing, "red", Keep(kept=("plane",)), "ATK-21.3.4",
     "Choose types from your reserve, each once, in this order: infantry and tank."),
    (reinforcing, "red", Keep(kept=("tank", "infantry")), "ATK-21.3.4",
     "Choose types from your reserve, each once, in this order: infantry and tank."),
    (overrun, "red", Bring(), "ATK-7.3.3", "You have no unit in battle. Bring up at least one."),
    (at_sea, "green", Line(ships=(B, D)), "ATK-13.2.1", "Your line must have 8 ships: all that are fit, up to 8."),
    (at_sea, "green", Line(ships=("carrier", "destroyer")), "ATK-1.1.4",
     "There is no ship called carrier. Name each ship in your line: destroyer, submarine, battleship and aircraft carrier."),
    (at_sea, "green", Line(ships=(C,) * 8), "ATK-13.2.1", "You have 4 destroyers, 3 submarines and 2 battleships fit to fight."),
    (at_sea, "green", Formation(second=D), "ATK-21.5.3", "Choose which types come first. The rest follow."),
    (at_sea, "green", Formation(first=D, third=S), "ATK-21.5.3",
     "Choose which types come first. The rest follow."),
]


@pytest.mark.parametrize(("made", "power", "answer", "rule", "sentence"), CASES)
def test_what_the_rules_of_battles_forbid_is_refused_with_its_rule(made, power, answer, rule, sentence):
    table = made()
    refused = table.refusal(power, answer)
    assert (refused.rule, say(refused.text, Reader(engine.games.attack.GAME.words.names(table.parts)))) == (rule, sentence)


@pytest.mark.parametrize(("made", "power", "answer"), [
    (lining_up, "red", Keep()), (reinforcing, "red", Policy()), (reinforcing, "red", Fight(on=False)),
    (at_sea, "green", Bring())])
def test_another_answer_than_the_one_asked_for_is_refused(made, power, answer):
    """Nobody retreats from a land battle [ATK-7.7.1], and a reinforcement has no new policy."""
    assert ELSE_FIRST in made().refusal(power, answer).text.template


def test_every_refusal_of_battles_has_a_case():
    folder = Path(engine.games.attack.__file__).parent / "rules"
    cited = [rule for file in FILES for rule in re.findall(RULE, (folder / f"{file}.py").read_text("utf-8"))]
    assert len(cited) >= 8 and set(cited) <= {rule for *_, rule, _ in CASES}


def test_a_refusal_names_what_can_be_done_once():
    table = scene(land={"poland": ("red", "3I"), "france": ("blue", "1I")})
    table.say("red", Begin(action="movement"))
    assert say(table.refusal("red", Keep()).text) == (
        "First decide this: Movement: which units move? Confirm when you're done.")


def test_where_units_can_go_says_who_is_met_there():
    table = scene(land={"poland": ("red", "3I"), "germany": ("blue", "1I 1T"), "russia": ("red", "2I")})
    table.say("red", Begin(action="movement"))
    met = {to: say(Move(unit="infantry", origin="poland", to=to).meets(table.state, table.state.seat("red")))
           for to in ("germany", "russia", "ukraine")}
    assert met == {"germany": "attacks blue: 1 infantry and 1 tank", "russia": "yours: 2 infantry",
                   "ukraine": "attacks neutral land"}
