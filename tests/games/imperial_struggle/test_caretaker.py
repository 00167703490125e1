"""Who is not there: the neutral hand for a side that nobody plays, how long the game waits, and who is left alone."""
from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from bot.domain.deadlines import pace, read, span
from engine.components import components
from engine.dice import SecretDice
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.choices import NONE, Choose
from engine.games.imperial_struggle.actions.military import ClearConflict, Fortify
from engine.games.imperial_struggle.actions.rounds import Pass, TakeTile
from engine.games.imperial_struggle.actions.shifts import ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.wars import Conquer, Forgo
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.options import FIRST_GAME
from engine.games.imperial_struggle.orders.decision_points import ORDERING
from engine.games.imperial_struggle.rules.resignation import LeftAlone, left_alone
from engine.kernel import Action, Seat, Table
from engine.refusals import Illegal
from engine.selfplay import beginning, random_answer
from engine.text import say
from tests.games.imperial_struggle.battlefield import HIT, fight
from tests.games.imperial_struggle.scene import Scene, scene, tile_id

DIPLOMATIC, MILITARY = "4 DP / 2 MP", "4 MP / 2 EP"
FRANCE = Seat("seat_2")


def chosen(made: Scene, side: Side) -> Action | None:
    """What the caretaker of a side chooses now; None: it has no view."""
    care = GAME.rules.caretaker
    assert care is not None, "the game has one"
    return care(made.state, made.state.seat(side), made.options(side))


# --- the neutral hand ---------------------------------------------------------------------------------------------

def test_IS_18_31_without_harm_it_passes() -> None:
    made = scene(active="france", available=[DIPLOMATIC, MILITARY])
    assert chosen(made, "france") is None and made.default("france") == TakeTile(tile=min(made.state.available))
    made.say("france", made.default("france"))
    assert chosen(made, "france") is None and made.default("france") == Pass.of()


def test_IS_8_2_and_8_4_1_it_takes_military_points_for_what_is_harmed_and_mends_it() -> None:
    made = scene(active="france", available=[DIPLOMATIC, MILITARY], flags={"louisbourg": "france"}, damaged=["louisbourg"],
                 conflict=["spain_prestige_2", "karaikal"])
    assert chosen(made, "france") == TakeTile(tile=tile_id(MILITARY))
    done = list[Action]()
    while made.state.round is not None and made.state.round.side == "france":
        done.append(chosen(made, "france") or made.default("france"))
        made.say("france", done[-1])
    assert made.state.damaged == [] and made.flag("louisbourg") == "france"
    assert any(isinstance(action, Fortify) and not action.debt for action in done)
    assert not any(isinstance(action, ShiftMarket | ShiftPolitical) for action in done)


def test_it_mends_nothing_of_the_other_side() -> None:
    made = scene(active="france", tile=MILITARY, flags={"louisbourg": "britain"}, damaged=["louisbourg"], conflict=["albany"])
    offered = {type(option) for option in made.options("france")}
    assert offered >= {ClearConflict, Fortify}
    assert chosen(made, "france") is None


def test_IS_14_4_and_14_7_3_it_hits_nothing_and_leaves_the_spoils() -> None:
    at_war = fight("WSS", 3, france=[HIT], flags={"gulf_of_maine": "britain", "halifax": "britain"})
    assert chosen(at_war, "france") == Choose(target=NONE)
    won = fight("WSS", 1, france=3, flags={"st_domingue": "france"})
    assert won.offered("france", Conquer) and chosen(won, "france") == Forgo.of()


def test_it_is_legal_and_brings_every_game_to_its_end() -> None:
    """A side that nobody plays against one at random; a game that lasts to the end of the first war."""
    parts = components(GAME, FIRST_GAME).parts
    table = Table(GAME, parts, beginning(GAME, 2, FIRST_GAME, parts), dice=SecretDice("01" * 32), checkpoints=False,
                  absent=[FRANCE], cared=[FRANCE])
    pick = Random(1).randrange
    while not table.over:
        (question,) = table.waiting()
        assert question.seat != FRANCE and len(table.fresh) < 1000
        table.answer(question.seat, random_answer(table.options(question.seat), pick))
    taken = [entry.answer for entry in table.fresh if entry.seat == FRANCE]
    assert {action.verb for action in taken} >= {"take", "pass"}
    assert not any(isinstance(action, ShiftMarket | ShiftPolitical | Conquer) for action in taken)


# --- clocks ---------------------------------------------------------------------------------------------------------

def test_an_action_round_has_the_whole_time_and_what_comes_out_of_turn_a_third() -> None:
    assert say(read("24h").text(ORDERING)) == (
        "24 hours for each action round, 24 for each choice before the action rounds, "
        "8 for each move in a war or in the opponent's round")


def test_the_answers_of_a_round_share_its_time_and_others_do_not() -> None:
    own = scene(active="france", tile=DIPLOMATIC)
    (asked,) = own.table.asks
    assert pace(own.table, asked).shared and span(own.table, asked) == "T1.1"
    war = fight("WSS", 3, france=[HIT], flags={"gulf_of_maine": "britain"})
    (asked,) = war.table.asks
    assert (pace(war.table, asked).share, span(war.table, asked)) == (Fraction(1, 3), "")


# --- who is left alone ------------------------------------------------------------------------------------------------

def test_IS_R_54_who_is_left_alone_can_end_the_game_as_its_winner() -> None:
    made = scene(active="france", tile=DIPLOMATIC, vp=3)
    (seat, decree) = left_alone(made.state, [made.state.seat("france")]) or pytest.fail("France is alone")
    assert seat == made.state.seat("france") and decree == LeftAlone(side="france")
    assert left_alone(made.state, list(map(Seat, made.state.seats))) is None is left_alone(made.state, [])
    made.table.decree(decree)
    assert (made.state.phase, made.state.winner, made.state.ended_by) == ("over", "france", "resignation")
    assert GAME.rules.standings(made.state)[0][:2] == (seat, 1)
    with pytest.raises(Illegal, match="over"):
        decree.check(made.state, seat)
    assert left_alone(made.state, [seat]) is None


def test_IS_R_54_nothing_in_the_rules_goes_by_time() -> None:
    assert not GAME.outside.alarms(scene(active="france").state)
