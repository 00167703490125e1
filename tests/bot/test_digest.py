"""What is told to who comes back: since when, in which order, what was taken back, what only the own seat learnt."""
from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image

from bot.discord.game.digest import paged
from bot.service import Services
from bot.service.digest import Chapter, Digest
from bot.store import Store
from engine.kernel import GameSpec, Seat
from engine.text import Reader, say, text
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, guessed, play_on, started
from tests.bot.discord_world import World, labels, words
from tests.toy import PAINTED, PEBBLES, Guess, Take

ONE, TWO = Seat("seat_1"), Seat("seat_2")
NAMES = Reader({"seat_1": "Amber", "seat_2": "Basalt"})


async def take(services: Services, game: int, *pebbles: int) -> None:
    """Anna and Bert take so many, in turns, whoever is asked."""
    for number in pebbles:
        (waiting,) = await services.queries.waiting(game)
        assert waiting.user is not None
        await services.answers.answer(game, waiting.user, Take.of(number, "left"))


async def digest(services: Services, game: int, user: int, since: int, until: int | None = None) -> Digest:
    upto = await services.queries.newest(game) if until is None else until
    return (await services.digests.stretch(game, user, since=since, until=upto)).digest()


def chapters(found: Digest) -> list[tuple[str, list[str]]]:
    return [(say(chapter.moment, NAMES) if chapter.moment else "", [say(line, NAMES) for line in chapter.lines])
            for chapter in found.chapters]


def undone(found: Digest) -> list[str]:
    return [say(line, NAMES) for line in found.undone]


def private(found: Digest) -> list[str]:
    return [say(line, NAMES) for line in found.private]


# --- what is told ---------------------------------------------------------------------------------------------------

async def test_what_happened_is_told_by_moments_of_the_game(services: Services) -> None:
    game = await guessed(services)
    await take(services, game, 2, 1, 3)
    assert chapters(await digest(services, game, CARA, 2)) == [
        ("Turn 1", ["Amber takes 2 pebbles."]), ("Turn 2", ["Basalt takes 1 pebble."]), ("Turn 3", ["Amber takes 3 pebbles."])]
    assert chapters(await digest(services, game, CARA, 3)) == [
        ("Turn 2", ["Basalt takes 1 pebble."]), ("Turn 3", ["Amber takes 3 pebbles."])]
    assert chapters(await digest(services, game, CARA, 3, until=4)) == [("Turn 2", ["Basalt takes 1 pebble."])]
    assert chapters(await digest(services, game, CARA, 5)) == []


async def test_what_only_a_seat_learnt_is_told_to_it_alone(services: Services) -> None:
    game = await guessed(services)
    assert private(await digest(services, game, ANNA, 0)) == ["You guessed 1."]
    assert private(await digest(services, game, BERT, 0)) == ["You guessed 2."]
    assert private(await digest(services, game, CARA, 0)) == []
    assert private(await digest(services, game, ANNA, 2)) == []


async def test_who_stands_in_and_who_is_played_for_learn_what_the_seat_learnt(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    assert private(await digest(services, game, ANNA, 0)) == private(await digest(services, game, CARA, 0)) == ["You guessed 1."]
    await services.consent.hand_over(game, ONE, 104, MASTER)
    assert private(await digest(services, game, ANNA, 0)) == private(await digest(services, game, CARA, 0)) == []
    assert private(await digest(services, game, 104, 0)) == ["You guessed 1."]


async def test_default_answers_of_the_own_seat_are_counted(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, ANNA)
    await take(services, game, 1, 1)
    assert private(await digest(services, game, ANNA, 2)) == ["3 default moves were played for you."]
    assert private(await digest(services, game, ANNA, 5)) == ["1 default move was played for you."]
    assert private(await digest(services, game, BERT, 2)) == []


async def test_what_was_known_and_is_taken_back_is_told(services: Services) -> None:
    game = await guessed(services)
    await take(services, game, 2, 1)
    await services.undo.rollback(game, 2, MASTER)
    found = await digest(services, game, ANNA, 3)
    assert undone(found) == ["Amber takes 2 pebbles.", "Basalt takes 1 pebble."] and chapters(found) == []
    await take(services, game, 3)
    found = await digest(services, game, ANNA, 3)
    assert undone(found) == ["Amber takes 2 pebbles.", "Basalt takes 1 pebble."]
    assert chapters(found) == [("Turn 1", ["Amber takes 3 pebbles."])]
    assert undone(await digest(services, game, ANNA, 5)) == [], "the return was known already"


async def test_what_a_redo_brings_back_counts(services: Services) -> None:
    game = await guessed(services)
    await take(services, game, 2)
    await services.undo.undo(game, MASTER)
    await services.undo.redo(game, MASTER)
    found = await digest(services, game, ANNA, 2)
    assert (chapters(found), undone(found)) == ([("Turn 1", ["Amber takes 2 pebbles."])], [])


async def test_rows_of_another_version_are_told_without_moments(services: Services, store: Store) -> None:
    game = await guessed(services)
    await take(services, game, 2)
    other = PEBBLES.changed(events=PEBBLES.rules.events[:1])         # knows no pebbles that were taken
    found = await digest(play_on(store, spec=other), game, ANNA, 2)
    ((head, (line,)),) = chapters(found)
    assert head == "" and "no longer be read" in line


# --- since when -----------------------------------------------------------------------------------------------------

async def test_it_is_told_since_the_last_look_or_the_last_telling(services: Services) -> None:
    game = await guessed(services)
    await take(services, game, 2, 1)
    assert await services.digests.unseen(game, CARA) == (3, 4), "who was never there is told the last turn"
    await services.digests.told(game, CARA, 4)
    await take(services, game, 1, 1)
    assert await services.digests.unseen(game, CARA) == (4, 6)
    await services.queries.looked(game, CARA, 5)
    assert await services.digests.unseen(game, CARA) == (5, 6)
    await services.digests.told(game, CARA, 6)
    assert await services.digests.unseen(game, CARA) == (5, 6), "who knows everything is told the last turn"


async def test_an_own_answer_counts_as_a_look(services: Services) -> None:
    game = await guessed(services)
    await services.digests.came(game, ANNA)
    await take(services, game, 2, 1)
    assert await services.digests.unseen(game, ANNA) == (3, 4)


async def test_who_comes_back_after_a_day_is_told_once(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    assert await services.digests.came(game, BERT) is None, "a first visit"
    await take(services, game, 2)
    clock.put_on(hours=23)
    assert await services.digests.came(game, BERT) is None, "no day has passed"
    clock.put_on(hours=25)
    assert await services.digests.came(game, BERT) == (2, 3)
    assert await services.digests.came(game, BERT) is None
    clock.put_on(hours=25)
    assert await services.digests.came(game, BERT) is None, "nothing has happened since"


async def test_what_the_own_answer_led_to_is_not_told_again(services: Services, clock: Clock, store: Store) -> None:
    game = await guessed(services)
    await services.digests.came(game, BERT)
    await take(services, game, 2)
    clock.put_on(days=2)
    again = play_on(store, clock=clock)
    await again.answers.answer(game, BERT, Take.of(1, "left"))
    assert await again.digests.came(game, BERT) == (2, 3)
    await take(again, game, 3)
    assert await again.digests.unseen(game, BERT) == (4, 5)


async def test_of_two_taps_at_the_same_moment_one_tells(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.digests.came(game, BERT)
    await take(services, game, 2)
    clock.put_on(days=2)
    assert sorted(await asyncio.gather(services.digests.came(game, BERT), services.digests.came(game, BERT)),
                  key=str) == [(2, 3), None]


async def test_only_players_of_a_game_under_way_come_back(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.digests.told(game, CARA, 2)
    await take(services, game, 2)
    clock.put_on(days=2)
    assert await services.digests.came(game, CARA) is None
    await services.digests.told(game, BERT, 2)
    clock.put_on(days=2)
    await services.seats.close(game, MASTER, "")
    assert await services.digests.came(game, BERT) is None


async def test_a_new_holder_begins_with_the_seat(services: Services, clock: Clock) -> None:
    game = await started(services, (ANNA, BERT))
    await services.digests.told(game, CARA, 0)                      # Cara has looked on
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Guess.of(1))
    await take(services, game, 1, 1)
    clock.put_on(days=3)
    await services.consent.hand_over(game, ONE, CARA, MASTER)
    assert await services.digests.came(game, CARA) is None, "nobody comes back to a seat that was not the own"
    assert await services.digests.unseen(game, CARA) == (3, 4)


# --- pages ----------------------------------------------------------------------------------------------------------

def test_pages_hold_everything_once_and_in_order() -> None:
    told = [Chapter(moment=text("Turn {n}", n=turn), lines=[text("Line {n} of turn {turn}, {more}.", n=line, turn=turn,
                                                                 more=text("and so on " * 5)) for line in range(turn % 7)])
            for turn in range(1, 40)]
    told = [chapter for chapter in told if chapter.lines]
    pages = paged(told, Reader())
    assert len(pages) > 3 and all(pages) and all(len("\n".join(page)) <= 900 for page in pages)
    whole = " ".join(piece for page in reversed(pages) for piece in page)
    places = [whole.index(say(line)) for chapter in told for line in chapter.lines]
    assert places == sorted(places) and whole.count("Line ") == sum(len(chapter.lines) for chapter in told)
    assert whole.count("**Turn ") == len(told)


def test_a_sentence_without_end_is_cut() -> None:
    ((piece,),) = paged([Chapter(moment=None, lines=[text("long " * 500)])], Reader())
    assert len(piece) <= 450 and piece.endswith("…")


def test_where_nothing_happened_there_is_one_empty_page() -> None:
    assert paged([], Reader()) == [[]]


# --- on Discord -----------------------------------------------------------------------------------------------------

async def test_since_tells_what_happened_what_is_private_and_what_is_asked(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    shown = await world.bob.slash(world.table, "my since")
    head, *told = words(shown).split("\n")
    assert head.startswith("**Pebbles**: what happened since <t:")
    assert told == ["**Turn 1** Amber takes 2 pebbles.", "**Your move** The heap has 10. What do you do?"]
    assert labels(shown.response) == ["Your move"]
    moved = await world.bob.click(shown.response, label="Your move")
    assert "The heap has 10." in words(moved)


async def test_a_button_tells_the_same(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    mine = await world.bob.slash(world.table, "my move")
    assert "Amber takes 2 pebbles." in words(await world.bob.click(mine.response, label="What happened?"))


async def test_after_an_undo_it_tells_what_was_taken_back(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.bob.slash(world.table, "my since")
    await world.olga.slash(world.table, "gm undo")
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    said = words(await world.bob.slash(world.table, "my since")).split("\n")
    assert said[1:3] == ["**Turn 1** Amber takes 3 pebbles.", "**Undone** ~~Amber takes 2 pebbles.~~"]


async def test_pages_are_turned_and_stay_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord.game.digest.PAGE", 60)
    await world.guessed()
    for _ in range(2):
        await world.alice.slash(world.table, "pebbles take", pebbles=1)
        await world.bob.slash(world.table, "pebbles take", pebbles=1)
    await world.services.digests.told(1, world.bob.id, 2)
    shown = await world.bob.slash(world.table, "my since")
    assert "-# … and 3 paragraphs before these." in words(shown) and "**Turn 4** Basalt takes 1 pebble." in words(shown)
    assert labels(shown.response) == ["Earlier"]
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    await world.restart()
    older = await world.bob.click(shown.response, label="Earlier")
    assert "**Turn 3** Amber takes 1 pebble." in words(older) and "Asked" not in words(older)
    assert labels(older.response) == ["Earlier", "Later"]
    assert "**Turn 4** Basalt takes 1 pebble." in words(await world.bob.click(older.response, label="Later"))


async def test_who_comes_back_after_a_day_is_told_beside_what_was_wanted(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    later(world, days=2)
    done = await world.bob.slash(world.table, "pebbles take", pebbles=1)
    assert str(done.response.content).startswith("Basalt takes 1 pebble.")
    (digest,) = done.followups
    assert digest.ephemeral and "**Turn 1** Amber takes 2 pebbles." in digest.content
    assert "Basalt takes 1 pebble." not in digest.content
    again = await world.bob.slash(world.table, "game status")
    assert not again.followups


async def test_an_old_button_after_a_day_tells_too(world: World) -> None:
    await world.guessed()
    later(world, days=2)
    await world.olga.slash(world.table, "gm answer", seat="Amber", answer="take pebbles=3")
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    pressed = await world.alice.click(world.question("**Amber**: The heap has 8"), label="Your secrets")
    (digest,) = pressed.followups
    assert "Amber takes 3 pebbles." in digest.content and "Basalt takes 1 pebble." in digest.content
    assert "**Your move**" in digest.content


def later(world: World, **by: float) -> None:
    """Time passes for the bot's core."""
    now = world.services.session.now
    world.services.session.now = lambda: now() + timedelta(**by)


async def test_before_the_start_the_command_says_so(world: World) -> None:
    await world.opened()
    assert words(await world.olga.slash(world.table, "my since")) == "The game hasn't started yet."


async def test_who_has_no_seat_is_told_what_everybody_may_know(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    shown = await world.carol.slash(world.table, "my since")
    assert "Amber takes 2 pebbles." in words(shown) and "You guessed" not in words(shown) and labels(shown.response) == []


# --- pictures -------------------------------------------------------------------------------------------------------

def dot(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """A picture of one pixel that says what it was made from."""
    out = io.BytesIO()
    Image.new("P", (1, 1)).save(out, "PNG")
    return out.getvalue(), str(scene)


@pytest_asyncio.fixture
async def painted(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "games.db", games=(PAINTED,), draw=dot) as world:
        yield world


async def test_the_board_with_what_is_new_and_the_close_up_come_along(painted: World) -> None:
    await painted.guessed()
    await painted.alice.slash(painted.table, "pebbles take", pebbles=2)
    board, closeup = (await painted.bob.slash(painted.table, "my since")).response.attachments
    assert (board.filename, closeup.filename) == ("board.png", "closeup.png")
    assert "guess=8" in board.description and "before=0" in closeup.description
    await painted.carol.slash(painted.table, "my since")
    assert not any("guess=8" in (file.description or "") for message in painted.table.history(viewer=painted.carol)
                   for file in message.attachments)


async def test_a_picture_that_cannot_be_drawn_costs_no_word(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    shown = await world.bob.slash(world.table, "my since")
    assert "Amber takes 2 pebbles." in words(shown) and shown.response.attachments == []
