"""What the guided first war says is so: prices, the bonus, the scoring, and the war."""
from __future__ import annotations

from functools import cache

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.events.wars import TheaterSettled
from engine.games.imperial_struggle.lesson import LESSON, YOU
from engine.games.imperial_struggle.rules.playing import bonus_comes
from engine.games.imperial_struggle.state import State
from engine.lessons import LessonProgress, leading, stand
from engine.text import Reader, say
from tests.games.imperial_struggle.scene import PARTS

READER = Reader(dict(GAME.words.names(PARTS)))


@cache
def at(words: str) -> LessonProgress:
    """The step that says these words, by the intended answers."""
    (number,) = [number for number, step in enumerate(LESSON.steps) if words in step.say.template]
    return stand(GAME, PARTS, LESSON, [leading(step)[0] for step in LESSON.steps[:number]])


def state(words: str) -> State:
    return at(words).table.state


def said(words: str) -> str:
    return say(at(words).say(), READER)


def cost(words: str, number: int) -> str:
    """What a choice of a step costs, as the learner reads it."""
    here = at(words)
    price = here.step.choices[number].answer.cost(here.table.state, YOU)
    return say(price, READER) if price is not None else ""


def test_the_learner_is_france_in_a_first_game():
    begun = state("Welcome!")
    assert begun.power(YOU) == "france" and begun.options.length == "first_war" and "stands at 15" in said("Welcome!")
    assert "ev_13" in state("picks two ministries").own["france"].hand
    assert begun.initiative == "france"


def test_the_purchases_are_as_told():
    assert cost("Begin with Sardinia", 0).startswith("2 DP to flag")
    assert cost("just enough for Savoy", 0).startswith("2 DP to flag") and state("just enough").current.pool("major").points == 2
    assert cost("A fort at Louisbourg", 0).startswith("3 MP") and state("A fort at").current.pool("minor").points == 2
    assert cost("2 EP for a market", 1).startswith("2 EP to flag")
    assert PARTS.space["puerto_principe"].commodity == "sugar" and PARTS.space["caicos"].commodity == "tobacco"
    assert state("2 EP for a market").demand == ["spice", "fish", "sugar"]
    assert state("Britain's flag on Georges Bank").flags["georges_bank"] == "britain"
    assert cost("Britain's flag on Georges Bank", 0).startswith("2 EP to unflag")


def test_the_event_brings_its_bonus_with_the_ministry_alone():
    before = state("Its symbol lets you play one event")
    card = PARTS.event["ev_13"]
    assert not bonus_comes(before, "france", card) and bonus_comes(before, "france", card, "M-1")
    assert "stands at 18" in said("3 VP:")


def test_the_war_goes_as_told():
    settled = [(event.winner, event.margin) for entry in at("Britain won Queen Anne's War").entries for event in entry.events
               if isinstance(event, TheaterSettled)]
    assert settled == [("france", 3), ("france", 8), ("britain", 1), ("france", 1)]
    assert "stands at 19" in said("The turn has been scored") and state("The turn has been scored").fought.cp == 1
    assert state("You won Spain by 8").fought.cp == 2 and state("You won Spain by 8").holders["fruit"] == "france"
    choosing = state("The last point is for you")
    assert choosing.holders["naval_bastion"] == "france" and "biscay" not in choosing.flags
    assert list(PARTS.advantage["slaving_contracts"].connected_spaces) == ["asiento"]


def test_france_wins_by_every_way():
    ways = [leading(step)[0] for step in LESSON.steps[:-1]]
    (free,) = [number for number, step in enumerate(LESSON.steps) if len(leading(step)) > 1]
    for answer in leading(LESSON.steps[free]):
        last = stand(GAME, PARTS, LESSON, [*ways[:free], answer, *ways[free + 1:]])
        assert last.last and last.table.over and last.table.state.winner == "france"
        assert "stands at 20" in say(last.say(), READER)
