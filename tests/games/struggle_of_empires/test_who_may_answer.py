"""Who may answer in Struggle of Empires, and with what: each refusal has a sentence and a number."""
from __future__ import annotations

import contextlib

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Call, Commit, Decline, End, Fight, Give, Pass
from engine.kernel import parse_action
from engine.refusals import Illegal, NotAsked, Refusal, Stale
from engine.text import say
from tests.games.struggle_of_empires.refusal_scenes import READER, A, B, C, first_chosen
from tests.scene import scene


def test_SOE_20_1_5_only_who_is_asked_may_answer():
    quiet = scene(units={A: {"army": {"baltic": 1}}})
    why = quiet.refusal(B, Pass())
    assert isinstance(why, NotAsked) and why.rule == "SOE-6.1.2"
    assert say(why.text, READER) == "Nothing to do right now. War 1, round 1 of 6: Austria's turn."
    quiet = scene(units={A: {"army": {"baltic": 1}}, B: {"army": {"baltic": 1}, "fort": {"baltic": 1}}}, dice=[(6, 1, 1, 1)])
    quiet.say(A, Attack(area="baltic", target=B))
    assert quiet.asked() == [(B, "DP-23")]
    why = quiet.refusal(A, Pass())
    assert say(why.text, READER) == "Nothing to do right now. Austria attacks Britain in the Baltic."
    assert why.rule == "SOE-9.4.2"


def test_SOE_5_2_1_the_opener_who_passes_hears_that_he_must_bid():
    table = scene(phase="auction", powers=(A, B, C))
    why = table.refusal(A, Pass())
    assert (why.rule, say(why.text, READER)) == (
        "SOE-5.2.1", "You open the auction, so you can't pass. Bid 0 gold or more and propose two powers.")
    assert table.refusal(A, End()).rule == "SOE-5.2.2" == table.refusal(B, Pass()).rule
    table.say(A, Bid(gold=0, a=A, b=B))
    assert table.allows(B, Pass())


@pytest.mark.parametrize("phase", ["auction", "placing", "turn", "reckoning"])
def test_SOE_20_1_5_whatever_the_table_refuses_names_a_rule(phase):
    """Every kind of answer, from a seat that is asked and from one that is not; also of the world, and late."""
    table = scene(phase=phase, powers=(A, B, C))
    for power in (A, B, C):
        for kind in (Pass, End, Decline, Fight, Call):
            with contextlib.suppress(Refusal):
                table.table.examine(table.state.seat(power), kind())
                continue
            assert table.refusal(power, kind()).rule.startswith("SOE-")
        if table.table.asked(table.state.seat(power)) is not None:
            with pytest.raises(Stale) as late:
                table.table.examine(table.state.seat(power), End(), asked_at=99)
            assert late.value.rule == "SOE-20.1.5"


def test_SOE_20_1_5_another_kind_of_answer_is_refused_with_the_question():
    why = scene().refusal(A, Commit(armies=0, navies=0))
    assert say(why.text, READER) == (
        "First decide this: What do you do? You have 2 actions left. You can: move, build, attack, buy a tile, colonise, "
        "enslave, rebuild, use a tile, pass and end.")


def test_SOE_20_1_5_after_the_end_nothing_is_taken_any_more():
    over = scene(phase="reckoning")
    for answer in (Pass(), Give(to=B, gold=1), End(), Decline()):
        why = over.refusal(A, answer)
        assert isinstance(why, NotAsked) and str(why) == "The game is over."


@pytest.mark.parametrize("verb, fields, sentence", [
    ("commit", {"armies": -1, "navies": 0}, "Armies must be at least 0."),
    ("give", {"to": B, "gold": 0}, "Gold must be at least 1."),
    ("build", {"unit": "galleon", "to": A}, "Unit must be one of these: army, navy and fort."),
    ("bid", {"gold": 2_000_000_000}, "Gold must be at most 1000000000."),
    ("move", {"unit": "army"}, "This move also needs origin."),
    ("pass", {"loudly": True}, "This move has no loudly."),
    ("dance", {}, "This game has no move called dance."),
])
def test_what_cannot_be_read_is_refused_with_a_sentence(verb, fields, sentence):
    with pytest.raises(Illegal) as refused:
        parse_action(GAME, verb, fields)
    assert (str(refused.value), refused.value.rule) == (sentence, "SOE-20.1.5")


def test_a_gift_to_nobody_is_refused_while_powers_are_chosen():
    new = first_chosen(C)()
    giver = new.state.seat(C)
    with pytest.raises(Illegal, match=r"isn't another power in this game\."):
        new.table.answer(giver, Give(to="", gold=1))
    assert new.state.gold == {C: 10}


