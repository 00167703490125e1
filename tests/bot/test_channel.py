"""A channel that can be read: few messages, few calls, what has happened in its order, no questions that are over."""
from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.discord.outbox.log_messages import FRESH
from bot.discord.refusals import OFTEN
from bot.domain.deadlines import HERE
from bot.domain.letters import Log
from bot.store import Store
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Bid, Pass
from engine.kernel import Game, Seat, ask, roll
from tests.bot.desk import ANNA, BERT, delivered, play_on, started
from tests.bot.discord_world import World, labels
from tests.bot.test_faults import Trouble, refusal
from tests.bot.test_whole_game import sketch
from tests.toy import PEBBLES, Fell, Guess, State, Take, Taken

MESSAGES, PINGS = 25, 8         # of a game of four, from its opening to its first action: 73 and 32 before

GUESSED, TAKEN = "### Turn 1\nAll have guessed.", "### Amber · Turn 1\nAmber takes 2 pebbles."


def calls(world: World) -> list[list[int]]:
    """Whom each message at the table has notified."""
    return [request.json["allowed_mentions"]["users"] for request in posts(world)
            if (request.json.get("allowed_mentions") or {}).get("users")]


def posts(world: World) -> list[Any]:
    """All that was ever posted at the table, gone by now or not."""
    return [request for request in world.env.http_requests
            if (request.method, request.path) == ("POST", f"/channels/{world.table.id}/messages")]


@pytest_asyncio.fixture
async def empires(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "games.db", games=(GAME,), draw=sketch) as world:
        yield world


def is_question(message: Any) -> bool:
    """Whether a message puts a question to a seat; the status has the board besides."""
    return "Your secrets" in labels(message) and "Board" not in labels(message)


async def test_a_game_of_four_begins_with_few_messages_and_calls(empires: World) -> None:
    people = [empires.guild.add_member(empires.env.create_user(f"player{number}")) for number in range(4)]
    await empires.olga.slash(empires.table, "game open", game="struggle_of_empires", seats=4)
    for person in people:
        await person.click(empires.table.history()[0], label="Join")
    await empires.olga.click(empires.table.history()[0], label="Start")
    while not (table := await empires.services.session.table(1)).state.active:
        (waiting, *_) = await empires.services.queries.waiting(1)
        listed = table.options(waiting.seat)
        passing = [option for option in listed if isinstance(option, (Bid, Pass))][-1:]
        await empires.services.answers.answer(1, waiting.user, passing[0] if passing else table.default(waiting.seat))
        empires.bot.outbox.answered(1)
        await empires.env.settle()
    assert len(posts(empires)) <= MESSAGES and len(empires.table.history()) <= MESSAGES - 10
    assert sum(map(len, calls(empires))) <= PINGS
    questions = [message for message in empires.table.history() if is_question(message)]
    assert len(questions) == 1, "no question that is over"
    (placed,) = [post for post in empires.posts() if " places " in post]
    assert placed.count(" places ") == 20, "all placements stand in one message"


async def test_what_has_happened_goes_on_in_one_message_unless_somebody_writes(world: World) -> None:
    await world.guessed()
    for who, pebbles in ((world.alice, 1), (world.bob, 1)):
        await who.slash(world.table, "pebbles take", pebbles=pebbles)
    before = len(world.table.history())
    await world.chat()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert "### Amber · Turn 3\nAmber takes 2 pebbles." in world.posts(), "below what was written, in a message of its own"
    assert len(world.table.history()) > before


async def test_a_message_goes_on_with_all_its_lines_however_many_wait_behind_them(world: World) -> None:
    await world.guessed()

    async def happens(*numbers: int) -> None:
        await world.store.write(lambda ledger: [ledger.outbox.add_letters(1, number, [Log(lines=[f"Line {number}."])], "")
                                                for number in numbers])
        await world.env.settle()

    for number in range(20):
        await happens(number)
    (message,) = [post for post in world.posts() if "Line 19." in post]
    assert "Line 0." in message, "each of them came into the same message"
    await happens(*range(20, 65))
    assert [line for line in world.told() if line.startswith("Line ")] == [f"Line {number}." for number in range(65)]


async def test_an_hour_later_a_turn_goes_on_in_its_message(world: World) -> None:
    await world.guessed()
    world.set_wall_clock(by=timedelta(hours=2))
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert f"{GUESSED}\n{TAKEN}" in world.posts()


async def test_where_discord_changes_an_old_message_no_more_a_new_one_goes_on(world: World) -> None:
    await world.guessed()
    Trouble(world, lambda: refusal(400, OFTEN), "PATCH", f"/channels/{world.table.id}/messages/.*")
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert TAKEN in world.posts() and GUESSED in world.posts()


async def test_a_message_that_is_too_old_is_not_gone_on_with(world: World) -> None:
    await world.guessed()
    world.set_wall_clock(by=FRESH + timedelta(minutes=1))
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert TAKEN in world.posts() and GUESSED in world.posts()


async def test_what_happens_while_a_question_is_open_is_told_below_it(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.alice.slash(world.table, "pebbles give", to="Basalt", pebbles=1)
    posts = world.posts()
    (asked,) = [place for place, post in enumerate(posts) if "**Basalt**: The heap" in post]
    assert any("Amber gives Basalt 1 pebble." in post for post in posts[asked + 1:])


async def test_a_question_that_is_over_is_gone_and_a_sealed_one_stays(world: World) -> None:
    await world.started()
    before = world.posts()
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    assert world.posts() == before, "who has answered is nobody's business"
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    assert not any("How many will you have?" in post for post in world.posts()[1:])
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.restart()
    asked = [message.content for message in world.table.history() if is_question(message)]
    assert [post.partition(":")[0] for post in asked] == [f"{world.bob.mention} **Basalt**"]


async def test_a_question_left_over_by_a_death_goes_at_the_next_start(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    world.mute()
    world.bot.outbox.answered = lambda game: None
    await world.services.answers.answer(1, world.bob.id, Take.of(1, "left"))
    assert any("**Basalt**: The heap" in post for post in world.posts())
    await world.restart()
    assert not any("**Basalt**: The heap" in post for post in world.posts())


async def test_who_has_just_moved_is_not_called_and_is_reminded_soon(world: World) -> None:
    await world.guessed()
    for who in (world.alice, world.bob):
        await who.slash(world.table, "pebbles take", pebbles=1)
    world.env.http_requests.clear()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert calls(world) == [], "Bob has moved a moment ago"
    await world.env.advance_time(1200)
    assert any("Basalt" in letter and "The heap has 9" in letter for letter in world.letters(world.bob)[1:])
    await world.env.advance_time(HERE.total_seconds())
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    assert calls(world) == [[world.alice.id]], "Alice has been away for longer"


def thrown_first(g: Game[State]) -> Any:
    """A throw comes before each take of the same seat."""
    seat = Seat(g.state.seats[g.state.turn // 2 % 2])
    (die,) = yield from roll(6, why="throw", seat=seat, heap=g.state.heap)
    g.emit(Fell(seat=seat, die=die))
    answer = yield from ask(seat, Take, prompt="How many?")
    g.emit(Taken(seat=seat, pebbles=answer.pebbles))


async def test_dice_are_told_at_once_also_if_whoever_acted_goes_on_alone(store: Store) -> None:
    spec = PEBBLES.changed(breaks=(), orders=None, phases={**PEBBLES.rules.phases, "taking": thrown_first})
    services = play_on(store, spec=spec)
    game = await started(services)
    await services.answers.answer(game, BERT, Guess.of(1))
    await delivered(services)
    await services.answers.answer(game, ANNA, Guess.of(1))
    log, question = [letter for letter in await delivered(services) if letter.kind in ("log", "question")]
    assert log.payload["lines"][0] == "All have guessed." and log.payload["lines"][1].startswith("Amber throws ")
    assert (question.audience, question.payload["follows"]) == ("seat_1", True), "and the question keeps its message"


def twice(g: Game[State]) -> Any:
    """Each seat takes twice before the next does."""
    seat = Seat(g.state.seats[g.state.turn // 2 % 2])
    answer = yield from ask(seat, Take, prompt="How many?")
    g.emit(Taken(seat=seat, pebbles=answer.pebbles))


@pytest.mark.parametrize("shown, told", [(False, []), (True, ["log", "picture"])])
async def test_what_a_board_shows_is_told_with_it_if_whoever_acted_goes_on(store: Store, shown: bool, told: list[str]) -> None:
    spec = PEBBLES.changed(breaks=(), orders=None, phases={**PEBBLES.rules.phases, "taking": twice},
                           boards=lambda state, events: shown and any(isinstance(event, Taken) for event in events))
    services = play_on(store, spec=spec)
    game = await started(services)
    await services.answers.answer(game, BERT, Guess.of(1))
    await services.answers.answer(game, ANNA, Guess.of(1))
    await delivered(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [letter.kind for letter in await delivered(services) if letter.kind in ("log", "picture")] == told
