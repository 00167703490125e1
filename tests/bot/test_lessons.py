"""Learning on Discord: a lesson by buttons, kept over a restart; tips in a first game; help for who looks around."""
from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.discord.game.action_menu import Screen
from bot.discord.game.lessons import advised
from bot.domain.announcements import reader_of
from bot.store import Ledger, Store
from engine.catalog import GAMES
from engine.kernel import GameSpec, Seat
from engine.kernel.lesson import Lesson
from engine.lessons import LessonProgress, leading
from engine.text import say, text
from tests.bot.desk import ANNA, BERT, MASTER, Clock, blank, guessed, play_on
from tests.bot.discord_world import World, labels, words
from tests.bot.test_opening import choose, chosen
from tests.engine.test_lessons import HEAP
from tests.toy import PEBBLES, Take

LEARNT = [(spec, lesson) for spec in GAMES for lesson in spec.words.lessons]
SPEC, LESSON = LEARNT[0]
TIP = text("Guess low.")
AT = "2026-04-01T12:00:00+00:00"
TAUGHT = PEBBLES.changed(lessons=(HEAP,), tips={"DP-T1": TIP})


def sketch(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """A picture of nothing: the painter is not on trial."""
    return b"\x89PNG\r\n\x1a\n and the rest", spec.views.describe(scene, 1000)


@pytest_asyncio.fixture
async def school(tmp_path: Path) -> AsyncIterator[World]:
    """The club with every real game."""
    async with World.at(tmp_path / "games.db", GAMES, draw=sketch) as world:
        yield world


async def here(world: World, who: Any, spec: GameSpec = SPEC, lesson: Lesson = LESSON) -> LessonProgress:
    return await world.services.lessons.lesson(who.id, spec, lesson)


def label(stand: LessonProgress, number: int) -> str:
    """What the button of a choice says."""
    said = say(stand.step.choices[number].answer.label(), reader_of(stand.table))
    return said[:1].upper() + said[1:]


def intended(stand: LessonProgress) -> str:
    """What the button says that leads on."""
    leading = [number for number, choice in enumerate(stand.step.choices) if choice.why is None]
    return label(stand, leading[0]) if leading else "Go on"


async def opened(world: World, who: Any, spec: GameSpec = SPEC) -> Any:
    """The lesson of a game, by the command and a tap."""
    return await who.click((await who.slash(world.table, "game teach")).response, label=spec.name)


async def walked(world: World, who: Any, steps: int, spec: GameSpec = SPEC, lesson: Lesson = LESSON) -> Any:
    """The message that is shown after the intended answers to so many more steps; they are stored, not pressed."""
    noted = (await here(world, who, spec, lesson)).noted
    given = [leading(step)[0] for step in lesson.steps[len(noted):len(noted) + steps]]
    await world.store.write(lambda ledger: ledger.lessons.learn(who.id, spec.key, lesson.key, [*noted, *given], AT))
    return (await opened(world, who, spec)).response


# --- the whole lesson -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("spec, lesson", LEARNT, ids=lambda one: getattr(one, "key", ""))
async def test_a_whole_lesson_by_its_buttons(school: World, spec: GameSpec, lesson: Lesson) -> None:
    """At each step every choice that leads elsewhere is explained and may be made anew; then the intended one leads on."""
    shown = await opened(school, school.alice, spec)
    pictures = 0
    for number in range(1, len(lesson.steps) + 1):
        stand = await here(school, school.alice, spec, lesson)
        assert f"step {number} of {len(lesson.steps)}" in words(shown)
        assert say(stand.say(), reader_of(stand.table)) in words(shown)
        assert len(labels(shown.response)) == len(stand.step.choices) + 2
        assert bool(shown.response.attachments) == bool(stand.step.picture)
        pictures += len(shown.response.attachments)
        for tried, choice in enumerate(stand.step.choices):
            if choice.why is not None:
                before, shown = shown, await school.alice.click(shown.response, label=label(stand, tried))
                assert f"**{say(choice.why, reader_of(stand.table))}**" in words(shown)
                assert labels(shown.response) == labels(before.response), "the same choices are there again"
                assert (await here(school, school.alice, spec, lesson)).noted == stand.noted
        if not stand.last:
            shown = await school.alice.click(shown.response, label=intended(stand))
    assert pictures > 2 and labels(shown.response) == ["Open a game", "Start over"]
    assert await school.services.queries.games(guild=school.guild.id) == [] and school.posts() == []
    assert school.posts(viewer=school.bob) == [], "a lesson touches no game, and nobody sees it"


@pytest.mark.parametrize("spec, lesson", LEARNT, ids=lambda one: getattr(one, "key", ""))
async def test_every_step_can_be_skipped(school: World, spec: GameSpec, lesson: Lesson) -> None:
    message = (await opened(school, school.alice, spec)).response
    while "Stop here" in labels(message):
        skip = "Skip this step" if "Skip this step" in labels(message) else "Go on"
        message = (await school.alice.click(message, label=skip)).response
    assert (await here(school, school.alice, spec, lesson)).last


@pytest.mark.parametrize("spec, lesson", LEARNT, ids=lambda one: getattr(one, "key", ""))
async def test_a_free_choice_leads_on_whatever_it_is(school: World, spec: GameSpec, lesson: Lesson) -> None:
    free = next(number for number, step in enumerate(lesson.steps) if len(leading(step)) > 1)
    for person, number in ((school.alice, 0), (school.bob, len(leading(lesson.steps[free])) - 1)):
        message = await walked(school, person, free, spec, lesson)
        message = (await person.click(message, label=label(await here(school, person, spec, lesson), number))).response
        assert f"step {free + 2} of" in message.content
        await walked(school, person, len(lesson.steps) - free - 2, spec, lesson)
        assert (await here(school, person, spec, lesson)).last


# --- leaving, coming back -------------------------------------------------------------------------------------

async def test_a_restart_in_the_middle_loses_nothing_and_the_old_buttons_work(school: World) -> None:
    message = await walked(school, school.alice, 7)
    before = await here(school, school.alice)
    await school.restart()
    assert (await here(school, school.alice)).table.state == before.table.state
    shown = await school.alice.click(message, label=intended(before))
    assert "step 9 of" in words(shown)


async def test_a_lesson_goes_on_later_from_any_channel_and_by_direct_message(school: World) -> None:
    await walked(school, school.alice, 4)
    await school.env.advance_time(2 * 3600)                                 # nothing can be edited any more
    await school.restart()
    again = await school.alice.click((await school.alice.slash(school.elsewhere, "game teach")).response, label=SPEC.name)
    assert "Welcome back!" in words(again) and "step 5 of" in words(again) and "Start over" in labels(again.response)
    await school.alice.user.send_dm("hello")
    private = await school.alice.user.click((await school.alice.user.slash("game teach")).response, label=SPEC.name)
    assert "step 5 of" in words(private)
    assert "step 6 of" in words(await school.alice.user.click(private.response, label=intended(await here(school, school.alice))))


async def test_a_lesson_is_stopped_gone_on_with_and_begun_anew(school: World) -> None:
    message = await walked(school, school.alice, 3)
    stopped = await school.alice.click(message, label="Stop here")
    assert words(stopped) == "Stopped at step 4 of 20. `/game teach` picks up there whenever you like."
    on = await school.alice.click(stopped.response, label="Go on")
    assert "step 4 of" in words(on)
    anew = await school.alice.click(on.response, label="Start over")
    assert "step 1 of" in words(anew) and (await here(school, school.alice)).noted == ()


async def test_who_has_finished_is_told_so_and_may_begin_anew(school: World) -> None:
    await walked(school, school.alice, len(LESSON.steps) - 1)
    done = await opened(school, school.alice)
    assert "You finished this lesson." in words(done) and labels(done.response) == ["Open a game", "Start over"]


@pytest.mark.parametrize("spec, lesson", LEARNT, ids=lambda one: getattr(one, "key", ""))
async def test_a_lesson_ends_with_a_button_that_opens_a_game_like_it(school: World, spec: GameSpec, lesson: Lesson) -> None:
    last = await walked(school, school.alice, len(lesson.steps) - 1, spec, lesson)
    panel = (await school.alice.click(last, label="Open a game")).response
    edition = next(edition.name for edition in spec.editions if edition.key == lesson.edition)
    assert f"Open a game of {spec.name}" in panel.content and chosen(panel)[:2] == [spec.name, edition]
    if len(spec.seats) > 1:
        panel = await choose(school.alice, panel, f"{spec.seats[-1]} players")
    await school.alice.click(panel, label="Open it here")
    (game,) = await school.services.queries.games(guild=school.guild.id)
    assert (game.key, game.edition, game.owner) == (spec.key, lesson.edition, school.alice.id)


async def test_an_old_button_shows_the_present_step_and_changes_nothing(school: World) -> None:
    await walked(school, school.alice, 4)
    one, other = [(await opened(school, school.alice)).response for _ in range(2)]
    said = intended(await here(school, school.alice))
    await school.alice.click(one, label=said)
    late = await school.alice.click(other, label=said)
    assert "**That was an earlier step. Here is the current one.**" in words(late) and "step 6 of" in words(late)
    assert (await here(school, school.alice)).number == 5


async def test_two_presses_at_once_count_once(school: World) -> None:
    message = await walked(school, school.alice, 2)
    said = intended(await here(school, school.alice))
    async with school.together():
        await school.alice.click(message, label=said)
        await school.alice.click(message, label=said)
    assert (await here(school, school.alice)).number == 3


async def test_everybody_learns_alone(school: World) -> None:
    await walked(school, school.alice, 5)
    await walked(school, school.bob, 2)
    assert [(await here(school, who)).number for who in (school.alice, school.bob, school.carol)] == [5, 2, 0]


async def test_a_picture_is_drawn_once_for_all_who_learn(school: World) -> None:
    scenes: list[object] = []
    school.draw = lambda spec, scene, theme: (scenes.append(scene) or sketch(spec, scene, theme))
    await school.restart()
    await walked(school, school.alice, 3)
    drawn = len(scenes)
    await walked(school, school.bob, 3)
    assert 0 < drawn == len(scenes)


async def test_without_a_painter_the_board_stands_below_in_words(tmp_path: Path) -> None:
    world = await World.made(tmp_path / "games.db", GAMES)
    shown = words(await opened(world, world.alice))
    await world.shutdown()
    assert "step 1 of 20" in shown and shown.endswith("\n```") and len(shown) <= 2000


# --- which lesson ---------------------------------------------------------------------------------------------

async def test_without_a_lesson_there_is_a_sentence(world: World) -> None:
    assert words(await world.alice.slash(world.table, "game teach")) == (
        "There is no lesson yet for this bot's games. `/game rules` finds every rule.")


async def test_several_lessons_are_offered_each_by_a_tap_with_how_far_one_has_come(school: World) -> None:
    offered = await school.alice.slash(school.table, "game teach")
    assert labels(offered.response) == ["Struggle of Empires", "Attack!", "Imperial Struggle"]
    assert words(offered) == ("**What do you want to learn?**\n**Struggle of Empires** · Your first war · 20 steps\n"
                              "**Attack!** · Your first campaign · 20 steps\n"
                              "**Imperial Struggle** · Your first turn and war · 21 steps")
    assert "**Your first campaign** · step 1 of 20\nWelcome! You are Red" in words(
        await school.alice.click(offered.response, label="Attack!"))


async def test_each_lesson_remembers_its_own_step(school: World) -> None:
    (one, first), (other, second), _ = LEARNT
    await walked(school, school.alice, 3, one, first)
    await walked(school, school.alice, 1, other, second)
    await walked(school, school.bob, len(second.steps) - 1, other, second)
    await school.restart()
    offered = await school.alice.slash(school.table, "game teach")
    assert "Your first war · you're at step 4 of 20\n" in words(offered)
    assert "Your first campaign · you're at step 2 of 20\n" in words(offered)
    assert "step 2 of 20" in words(await school.alice.click(offered.response, label="Attack!"))
    assert "step 4 of 20" in words(await opened(school, school.alice, one))
    assert "Your first war · 20 steps\n**Attack!** · Your first campaign · finished\n" in words(
        await school.bob.slash(school.table, "game teach"))


async def test_two_lessons_of_one_game_are_told_apart(tmp_path: Path) -> None:
    hole = replace(HEAP, key="hole", title=text("The hole"))
    async with World.at(tmp_path / "games.db", (TAUGHT.changed(lessons=(HEAP, hole)),)) as world:
        offered = await world.alice.slash(world.table, "game teach")
        assert labels(offered.response) == ["Pebbles: The heap", "Pebbles: The hole"]
        shown = await world.alice.click(offered.response, label="Pebbles: The hole")
        assert "**The hole** · step 1 of 4\nRead this." in words(shown)


async def test_a_single_lesson_begins_at_once(taught: World) -> None:
    assert "**The heap** · step 1 of 4\nRead this." in words(await taught.alice.slash(taught.table, "game teach"))


async def test_a_button_of_a_lesson_that_is_given_no_more(tmp_path: Path) -> None:
    world = await World.made(tmp_path / "games.db", (TAUGHT,))
    shown = await world.alice.slash(world.table, "game teach")
    world.games = (PEBBLES,)
    await world.restart()
    assert "This lesson no longer exists" in words(await world.alice.click(shown.response, label="Go on"))
    await world.shutdown()


# --- tips -----------------------------------------------------------------------------------------------------

async def test_who_is_new_gets_tips_until_a_game_is_finished_or_they_are_switched_off(tmp_path: Path) -> None:
    store = Store(blank(tmp_path / "games.db"))
    services = play_on(store, clock=Clock())
    game = await guessed(services)

    async def had(user: int) -> Any:
        return (await services.visits.visit(game, user)).facts.tips

    assert await had(ANNA) == await had(BERT) == set(), "a game that is under way does not count"
    assert [await services.lessons.tip(ANNA, "pebbles", "DP-T1") for _ in range(2)] == [True, False]
    assert await had(ANNA) == {"DP-T1"} and await had(BERT) == set(), "each for himself"
    await services.lessons.no_tips(BERT)
    await services.lessons.no_tips(BERT)
    assert await had(BERT) is None
    member = ANNA
    while not (table := await services.session.table(game)).over:
        await services.answers.answer(game, member, Take.of(min(3, table.state.heap), "left"))
        member = BERT if member == ANNA else ANNA
    assert await had(ANNA) is None and await had(MASTER) == set()
    store.close()


@pytest_asyncio.fixture
async def taught(tmp_path: Path) -> AsyncIterator[World]:
    """The club with a game of pebbles that has a tip on guessing."""
    async with World.at(tmp_path / "games.db", (TAUGHT,)) as world:
        yield world


async def test_a_tip_stands_below_the_first_question_of_its_kind_and_only_there(taught: World) -> None:
    await taught.started()
    shown = await taught.alice.slash(taught.table, "my move")
    assert words(shown).endswith("\n-# Tip: Guess low.")
    again = await taught.alice.slash(taught.table, "my move")
    assert "Tip" not in words(again)
    assert not any("Guess low." in post for post in taught.posts())                         # nobody else is told
    assert "Guess low." in words(await taught.bob.slash(taught.table, "my move"))


async def test_below_a_very_long_screen_there_is_no_tip(taught: World) -> None:
    await taught.started()
    visit, long = await taught.services.visits.visit(1, taught.alice.id), Screen("x" * 1900, None)
    assert await advised(None, visit, visit.table, Seat("seat_1"), long) is long


# --- help -----------------------------------------------------------------------------------------------------

async def test_help_is_short_and_names_commands_that_there_are(school: World) -> None:
    shown = await school.alice.slash(school.table, "game help")
    assert len(words(shown).splitlines()) <= 8 and labels(shown.response) == [
        "My games", "Learn Struggle of Empires", "Learn Attack!", "Learn Imperial Struggle"]
    known = {command.qualified_name for command in school.bot.tree.walk_commands()}
    named = {piece.strip("/") for piece in words(shown).split("`")[1::2]}
    assert len(named) >= 5 and named <= known
    assert "step 1 of" in words(await school.alice.click(shown.response, label="Learn Struggle of Empires"))


async def test_who_writes_to_the_bot_gets_help(school: World) -> None:
    await school.alice.user.send_dm("How does this work?")
    _, answer = school.alice.user.dm_channel.history()
    assert answer.content.startswith("**How to play here.**")
    assert "step 1 of" in words(await school.alice.user.click(answer, label="Learn Struggle of Empires"))


async def test_the_bot_answers_no_message_of_a_channel(school: World) -> None:
    await school.alice.send(school.table, "How does this work?")
    assert school.posts() == ["How does this work?"]


# --- kept for good --------------------------------------------------------------------------------------------

async def test_answers_of_another_version_of_a_lesson_lead_to_the_last_step_that_fits(tmp_path: Path) -> None:
    store = Store(blank(tmp_path / "games.db"))
    services = play_on(store, spec=TAUGHT)

    def write(ledger: Ledger) -> None:
        ledger.lessons.learn(ANNA, TAUGHT.key, HEAP.key, ["", "guess pebbles=9", "take pebbles=1"], AT)

    await store.write(write)
    assert (await services.lessons.lesson(ANNA, TAUGHT, HEAP)).number == 1
    assert (await services.lessons.learn(ANNA, TAUGHT, HEAP, 1, "guess pebbles=5")).number == 2
    store.close()
