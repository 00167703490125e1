"""Lessons: played on a real table, every scripted answer legal, every sentence true of the position."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import ceil
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.components import components
from engine.dice import LoadedDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.events import DiceRolled, IncomeTaken, UnitLost
from engine.games.struggle_of_empires.lesson import FIRST_WAR, YOU
from engine.kernel import GameSpec, Seat
from engine.kernel.game_spec import pictures
from engine.kernel.lesson import Choice, Lesson, Step
from engine.lessons import READ, LessonProgress, fitting, leading, stand
from engine.refusals import Illegal
from engine.rulebook import rules
from engine.text import Reader, say, text
from tests.toy import PEBBLES, Guess, Take, Throw

AMBER, BASALT = Seat("seat_1"), Seat("seat_2")
WORDS_A_MINUTE = 130            # of somebody who reads slowly
LESSONS = [(spec, lesson) for spec in GAMES for lesson in spec.words.lessons]


# --- the machinery, on the tiny game --------------------------------------------------------------------------

HEAP = Lesson(
    key="heap", title=text("The heap"), edition="plain", seats=(AMBER, BASALT), learner=AMBER,
    dice=lambda parts: LoadedDice((6,)), steps=(
        Step(say=text("Read this.")),
        Step(say=text("Guess."), rule="TOY-1", before=((BASALT, Guess.of(3)),), choices=(
            Choice(answer=Guess.of(0), why=text("You will have some.")), Choice(answer=Guess.of(2)), Choice(answer=Guess.of(5)))),
        Step(say=text("There are {heap}. Take two."), facts=lambda state: {"heap": state.heap}, private=True,
             choices=(Choice(answer=Take.of(2, "left")),)),
        Step(say=text("{heap} are left."), before=((BASALT, Throw.of()),), facts=lambda state: {"heap": state.heap})))


def at(*noted: str, lesson: Lesson = HEAP) -> LessonProgress:
    return stand(PEBBLES, {}, lesson, noted)


def test_a_lesson_is_played_anew_up_to_where_the_learner_stands():
    first, guess, take, last = at(), at(READ), at(READ, "guess pebbles=5"), at(READ, "guess pebbles=5", "take pebbles=2")
    assert [here.number for here in (first, guess, take, last)] == [0, 1, 2, 3]
    assert [here.last for here in (first, guess, take, last)] == [False, False, False, True]
    assert guess.table.asked(BASALT) is None and guess.table.asked(AMBER) is not None      # the other has guessed already
    assert take.table.state.guess == {"seat_1": 5, "seat_2": 3}
    assert [say(here.say()) for here in (take, last)] == ["There are 12. Take two.", "9 are left."]    # a 6 was thrown


def test_a_step_knows_what_has_happened_since_the_last_answer():
    last = at(READ, "guess pebbles=2", "take pebbles=2")
    lines = [say(line) for entry in last.news() for event in entry.events if (line := event.line())]
    assert lines == ["Seat 1 takes 2 pebbles.", "Seat 2 throws 6."]
    story = last.story()
    assert story.end().heap == 9 and story.known().heap == 12 and story.seat == AMBER


def test_a_brief_step_tells_and_marks_nothing_as_new():
    brief = replace(HEAP, steps=(*HEAP.steps[:3], replace(HEAP.steps[3], brief=True)))
    assert at(READ, "guess pebbles=2", "take pebbles=2", lesson=brief).story().known() is None


@pytest.mark.parametrize("noted, fits", [
    ((), 0), ((READ,), 1), ((READ, "guess pebbles=0"), 1), ((READ, "guess pebbles=5"), 2), (("guess pebbles=5",), 0),
    ((READ, "guess pebbles=5", "take pebbles=2", READ, READ), 3), ((READ, "nonsense", "take pebbles=2"), 1),
])
def test_answers_that_the_lesson_does_not_take_any_more_are_forgotten(noted, fits):
    assert fitting(HEAP, noted) == noted[:fits] and at(*noted).number == fits


def test_a_script_against_the_rules_is_an_error_and_no_silent_nonsense():
    wrong = replace(HEAP, steps=(HEAP.steps[0], replace(HEAP.steps[1], before=((BASALT, Take.of(1, "left")),))))
    with pytest.raises(Illegal):
        at(READ, lesson=wrong)


# --- the lessons of the games ---------------------------------------------------------------------------------

def ways(lesson: Lesson) -> Iterator[tuple[str, ...]]:
    """Every way through a lesson."""
    return product(*(leading(step) for step in lesson.steps[:-1]))


def parts(spec: GameSpec, lesson: Lesson) -> Any:
    return components(spec, lesson.edition).parts


def shown(spec: GameSpec, lesson: Lesson) -> Iterator[LessonProgress]:
    """Every step of a lesson, by every way to it, once."""
    for noted in dict.fromkeys(way[:number] for way in ways(lesson) for number in range(len(lesson.steps))):
        yield stand(spec, parts(spec, lesson), lesson, noted)


@pytest.mark.parametrize("spec, lesson", LESSONS, ids=lambda one: getattr(one, "key", ""))
def test_every_choice_of_every_step_is_legal_by_every_way_to_it(spec: GameSpec, lesson: Lesson) -> None:
    for here in shown(spec, lesson):
        for choice in here.step.choices:
            here.table.examine(lesson.learner, choice.answer)
        assert here.step.choices or leading(here.step) == [READ]


@pytest.mark.parametrize("spec, lesson", LESSONS, ids=lambda one: getattr(one, "key", ""))
def test_every_step_can_be_left_and_what_is_wrong_is_explained(spec: GameSpec, lesson: Lesson) -> None:
    for step in lesson.steps:
        assert not step.choices or any(choice.why is None for choice in step.choices)
        assert len({repr(choice.answer) for choice in step.choices}) == len(step.choices)
    assert not lesson.steps[-1].choices
    assert sum(choice.why is not None for step in lesson.steps for choice in step.choices) > 10


@pytest.mark.parametrize("spec, lesson", LESSONS, ids=lambda one: getattr(one, "key", ""))
def test_a_lesson_is_short_and_names_rules_and_pictures_that_there_are(spec: GameSpec, lesson: Lesson) -> None:
    edition = next(edition for edition in spec.editions if edition.key == lesson.edition)
    known = {rule.id for rule in rules(spec.key) if (edition.rules or edition.key) in rule.editions}
    assert {step.rule for step in lesson.steps} - {""} <= known
    assert {step.picture for step in lesson.steps} - {""} <= {picture.key for picture in pictures(spec)}
    assert 15 <= len(lesson.steps) <= 25
    assert sum(len(step.say.template.split()) for step in lesson.steps) < 8 * WORDS_A_MINUTE


@pytest.mark.parametrize("spec, lesson", LESSONS, ids=lambda one: getattr(one, "key", ""))
def test_every_sentence_and_picture_of_a_lesson_can_be_made(spec: GameSpec, lesson: Lesson) -> None:
    reader = Reader(dict(spec.words.names(parts(spec, lesson))))
    for here in shown(spec, lesson):
        assert "{" not in say(here.say(), reader)
        for picture in pictures(spec):
            if picture.key == here.step.picture:
                assert picture.scene(here.story()) is not None


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_tips_are_about_questions_that_the_game_asks_and_are_short(spec: GameSpec) -> None:
    assert spec.orders is not None and set(spec.words.tips) <= {point.no for point in spec.orders.points}
    assert len(spec.words.tips) > 10 and all(len(tip.template) <= 200 for tip in spec.words.tips.values())


# --- what the first war says is so ----------------------------------------------------------------------------

def first_war(number: int) -> LessonProgress:
    """The step with this number, as the page shows it, by the intended answers."""
    noted = [leading(step)[0] for step in FIRST_WAR.steps[:number - 1]]
    return stand(GAME, parts(GAME, FIRST_WAR), FIRST_WAR, noted)


def said(here: LessonProgress) -> str:
    return say(here.say(), Reader(dict(GAME.words.names(here.table.parts))))


def number_of(words: str) -> int:
    """The step that says these words."""
    return next(number for number, step in enumerate(FIRST_WAR.steps, 1) if words in step.say.template)


def sums(here: LessonProgress) -> list[tuple[int, int]]:
    return [(sum(event.parts[0]), sum(event.parts[1])) for entry in here.news() for event in entry.events
            if isinstance(event, DiceRolled)]


def test_the_first_positions_are_as_told():
    state = first_war(2).table.state
    assert state.powers == ["britain", "france", "spain"] and state.seat("britain") == YOU
    assert sum(state.markers["britain"].values()) == 5
    assert (state.markers["spain"]["caribbean"], state.markers["britain"]["caribbean"]) == (2, 1)


def test_the_auction_ends_as_told():
    after = first_war(number_of("The war begins")).table.state
    assert (after.row_a, after.row_b, after.gold["britain"]) == (["britain", "france"], ["spain"], 4)
    assert after.gold["france"] == after.gold["spain"] == 10                        # nobody else pays


def test_the_fights_end_as_told():
    assert sums(first_war(number_of("France won by 4 to 3"))) == [(4, 3)]
    own = first_war(number_of("you won by 8 to 5"))
    assert sums(own) == [(8, 5)]
    lost = [event.owner for entry in own.news() for event in entry.events if isinstance(event, UnitLost)]
    assert sorted(lost) == ["britain", "spain"] and own.table.state.unrest["britain"] == 1
    assert own.table.state.markers["britain"]["caribbean"] == 3 > own.table.state.markers["spain"]["caribbean"]


def test_without_the_help_of_the_learner_france_would_only_tie():
    throw = next(event for entry in first_war(number_of("France won by 4 to 3")).news() for event in entry.events
                 if isinstance(event, DiceRolled))
    assert sum(throw.parts[0]) - 1 == sum(throw.parts[1])


def test_the_tile_is_taxed_as_told_and_industry_costs_unrest_and_brings_points():
    before, taxed = first_war(number_of("Round 3.")), first_war(number_of("Paid,"))
    assert "It costs 3 gold and you have 2 gold" in said(before)
    assert (taxed.table.state.gold["britain"], taxed.table.state.unrest["britain"]) == (1, 2)
    over = first_war(number_of("The war is over")).table.state
    assert over.unrest["britain"] == 3 and over.stock["industry"] == 2


def test_the_prices_that_the_first_war_tells_are_those_of_the_tiles():
    told, tile, purse = repr(FIRST_WAR.steps), parts(GAME, FIRST_WAR).tile, 2
    training, reform = tile["army_training"].cost.gold, tile["government_reform"].cost.gold
    assert f"its {training} gold are {ceil((training - purse) / 2)} unrest" in told
    assert f"removes any, and it costs {reform} gold" in told
    assert tile["industry"].cost.unrest == 1 and "Industry brings 3 victory points at once, for 1 unrest" in told


def test_the_end_of_the_war_is_as_told():
    over = first_war(number_of("The war is over"))
    state = over.table.state
    income = next(event for entry in over.news() for event in entry.events
                  if isinstance(event, IncomeTaken) and event.power == "britain")
    assert f"You have {sum(state.markers['britain'].values())} markers" in said(over) and income.markers == 7
    assert state.war == 2 and state.population["britain"] == min(9, income.population + 5)
    scored = said(first_war(number_of("Then every area was scored")))
    assert all(f"{name} {state.points[power]}" in scored for power, name in (
        ("britain", "Britain"), ("france", "France"), ("spain", "Spain")))


def test_every_throw_of_the_first_war_is_used_by_every_way():
    for way in ways(FIRST_WAR):
        dice = stand(GAME, parts(GAME, FIRST_WAR), FIRST_WAR, way).table.dice
        assert isinstance(dice, LoadedDice) and not dice.rolls
