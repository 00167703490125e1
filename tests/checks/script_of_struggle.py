"""What people do in Struggle of Empires while the bot is killed: a stretch from the auction on, and an attack."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Pass
from engine.kernel import Action
from engine.selfplay import random_answer
from tests.checks.scripted_actions import ANSWER, Play, Step, answering, button, by, confirmed, learns, requested, says
from tests.scene import scene


def without_raises(listed: Sequence[Action], rng: Random) -> Action:
    """In an auction somebody bids once, and everybody else passes."""
    action = random_answer(listed, rng.randrange)
    return Pass.of() if isinstance(action, Bid) and Pass in {type(option) for option in listed} else action


MODEST, LEARN = answering(without_raises), learns("carol", GAME)

STRETCH: Sequence[Step] = (by("alice", "game join"), by("bob", "game join"), by("olga", "game start"), *[MODEST] * 26,
                           by("olga", "gm undo"), *[MODEST] * 6)

CLASH = scene(powers=("austria", "britain", "france"), rows=(("austria",), ("britain", "france")), active="austria",
              units={"austria": {"army": {"india": 2}, "navy": {"india": 2}},
                     "britain": {"army": {"india": 1}, "navy": {"india": 1}}, "france": {"army": {"india": 1}}},
              markers={"britain": {"india": 1}}, tiles={"britain": {"reserves": 1}}).state
BATTLE = GAME.changed(setup=lambda seats, options, parts: CLASH.model_copy(deep=True))
"""The game from a position in which Austria can attack Britain, and France can help it."""

ATTACK: Sequence[Step] = (
    by("alice", "game join"), by("bob", "game join"), by("carol", "game join"), by("olga", "game start"), LEARN,
    says("alice", Attack(area="india", target="britain")), confirmed("bob", "orders prepare", "Save these choices"), LEARN,
    *[ANSWER] * 8, requested("alice"), button("bob", "Agree"), button("carol", "Agree"), LEARN, *[ANSWER] * 3)

PLAYS = (Play(GAME, "first", STRETCH), Play(BATTLE, "first", ATTACK, seats=3))
