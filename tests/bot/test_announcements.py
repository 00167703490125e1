"""What is told to whom: announcements, what the sender makes of them, and what somebody sees who looks."""
from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from bot.service import Services
from bot.store import Store
from engine import record
from engine.dice import commitment
from engine.kernel import Action, Presentation, Seat, ask, ask_each
from engine.kernel.game_spec import BOARD, Picture
from engine.refusals import Faulty, NotAsked, Refusal
from engine.text import say
from tests.bot.desk import ANNA, BERT, CARA, MASTER, delivered, guessed, kinds, opened, play_on, started
from tests.bot.told import NAMES, ONE, THREE, TWO, seen, to_the_end
from tests.toy import PEBBLES, SECRET, Give, Guess, State, Take, Throw

# --- what is told --------------------------------------------------------------------------------------------------

async def test_a_sealed_answer_tells_nobody_anything(services: Services) -> None:
    game = await started(services)
    await delivered(services)
    await services.answers.answer(game, ANNA, Guess.of(3))
    assert await services.outbox.pending() == []
    await services.answers.answer(game, BERT, Guess.of(7))
    letters = await delivered(services)
    assert kinds(letters) == [("log", "public"), ("private", ONE), ("private", TWO), ("question", ONE)]
    assert letters[0].payload == {"lines": ["All have guessed."], "turns": [["", "Turn 1", 1]]}
    assert letters[2].payload == {"seat": TWO, "text": "Your guess: 7.", "last": ["You guessed 7."]}


async def test_secrets_stand_in_no_letter_but_their_own(services: Services) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    for member, guess in ((ANNA, 7), (BERT, 8), (CARA, 9)):
        await services.answers.answer(game, member, Guess.of(guess))
    await delivered_after_moves(services, game)
    letters = await all_letters(services)
    for seat, secret in ((ONE, "7"), (TWO, "8"), (THREE, "9")):
        telling = {letter.audience for letter in letters if f"guess: {secret}." in json.dumps(letter.payload)}
        assert telling == {seat}


async def delivered_after_moves(services: Services, game: int) -> None:
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)
    await services.undo.redo(game, MASTER)


async def all_letters(services: Services) -> list[Any]:
    return await services.outbox.pending(500)


async def test_the_log_waits_while_one_goes_on_alone(store: Store) -> None:
    patient = PEBBLES.changed(breaks=())
    services = play_on(store, spec=patient)
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    await delivered(services)
    for _ in range(2):                      # Bert's seat answers by itself, so Anna stays the only one awaited
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
        assert "log" not in [kind for kind, _ in kinds(await delivered(services))]
    again = play_on(store, spec=patient)    # what waits to be told survives a restart
    await again.consent.hand_over(game, TWO, CARA, MASTER)
    await again.answers.answer(game, ANNA, Take.of(2, "left"))
    lines = [line for letter in await delivered(again) if letter.kind == "log" for line in letter.payload["lines"]]
    assert lines == ["Amber takes 1 pebble.", "Basalt takes 1 pebble."] * 2 + ["Amber takes 2 pebbles."]


async def test_a_break_tells_at_once_and_shows_the_board(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    letters = await delivered(services)
    assert kinds(letters) == [("log", "public"), ("picture", "public"), ("question", TWO)]
    assert letters[1].payload == {"picture": "board", "row": 3, "since": 0} and letters[2].payload["asked_at"] == 3


async def test_a_question_is_asked_once(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await delivered(services)
    await services.answers.answer(game, ANNA, Give.of("seat_2", 1))                 # an aside; Bert is still asked the same
    assert kinds(await delivered(services)) == [("log", "public")]


class Reveal(Action):
    """Show one of your hidden pebbles."""

    verb: ClassVar[str] = "reveal"
    secret: ClassVar[bool] = True
    pebble: str

    @classmethod
    def options(cls, state: State, seat: Seat) -> Iterable[Action]:
        return [cls.of("onyx"), cls.of("opal")]


async def test_secret_answers_are_no_buttons(store: Store) -> None:
    def revealing(g: Any) -> Any:
        yield from ask(ONE, Reveal, prompt="Which one do you show?")
        g.state.phase = "over"

    services = play_on(store, spec=PEBBLES.changed(actions=(*PEBBLES.rules.actions, Reveal), phases={"guessing": revealing},
                                                  menus={**PEBBLES.words.menus, Reveal.verb: Presentation()}))
    await started(services)
    (question,) = [letter.payload for letter in await services.outbox.pending() if letter.kind == "question"]
    assert question["secret"] and question["buttons"] == []
    assert "opal" not in json.dumps([letter.payload for letter in await services.outbox.pending()], default=str)


async def test_many_answers_are_no_buttons(store: Store) -> None:
    class Long(Guess):
        @classmethod
        def options(cls, state: State, seat: Seat) -> Iterable[Guess]:
            return [Long(pebbles=n % 10) for n in range(11)]

    def guessing(g: Any) -> Any:
        yield from ask_each([ONE, TWO], Long, prompt="How many?")

    services = play_on(store, spec=PEBBLES.changed(actions=(Long, Take, Throw), phases={"guessing": guessing}))
    await started(services)
    assert [letter.payload["buttons"] for letter in await services.outbox.pending() if letter.kind == "question"] == [[], []]


async def test_the_end_is_told_with_the_secret_of_the_dice(services: Services) -> None:
    game = await to_the_end(services)
    letters = await delivered(services)
    assert kinds(letters)[-1] == ("final", "public")
    assert letters[-1].payload == {"result": "Amber wins.", "standings": [["seat_1", "Amber", 1, 6], ["seat_2", "Basalt", 2, 6]],
                                   "secret": SECRET, "commitment": commitment(SECRET)}
    assert (await services.queries.game(game)).status == "over"
    with pytest.raises(NotAsked, match="The game is over"):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    for step in (services.undo.undo(game, MASTER), services.seats.close(game, MASTER, ""), services.seats.pause(game, MASTER),
                 services.seats.resign(game, ANNA)):
        with pytest.raises(NotAsked, match="The game is over"):
            await step


async def test_the_secret_of_the_dice_is_told_only_at_the_end(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Throw())
    await services.seats.close(game, MASTER, "We stop.")
    told = json.dumps([letter.payload for letter in await services.outbox.pending(500)]) + await services.records.export(game)
    assert SECRET not in told and SECRET not in repr(await services.queries.game(game))


# --- the sender ----------------------------------------------------------------------------------------------------

async def test_the_sender_is_woken_when_there_is_news(services: Services) -> None:
    woken = list[Collection[int]]()
    services.session.store.on_news = woken.append
    game = await started(services)
    assert woken == [{game}] * 4            # one opened, two joined, one start
    await services.answers.answer(game, ANNA, Guess.of(1))
    assert len(woken) == 4                  # a sealed answer is no news


async def test_a_letter_that_cannot_be_sent_is_tried_again_and_given_up(services: Services) -> None:
    game = await started(services)
    await delivered(services)
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Guess.of(1))
    letter = next(letter for letter in await services.outbox.pending() if letter.kind == "private")
    tries = 1
    while not await services.outbox.failed(letter.id, "Discord says 50007"):
        assert letter.id in [other.id for other in await services.outbox.pending()]
        tries += 1
    assert tries == 8 and letter.id not in [other.id for other in await services.outbox.pending()]
    assert kinds(await services.outbox.pending())[-1] == ("notice", "gm")
    assert (await services.queries.audit(game, page=1))[0][-1] == (
        "<t:1775044800:f> The bot could not deliver a private message: Discord says 50007.")
    assert await services.outbox.failed((await services.outbox.pending())[-1].id, "gone", give_up=True)
    assert ("notice", "gm") not in kinds(await services.outbox.pending())          # no complaint about the complaint


async def test_a_standing_message_is_found_again(services: Services) -> None:
    game = await guessed(services)
    assert set(await services.outbox.messages(game)) == {
        "status", "full", "question:seat_1", "private:seat_1", "private:seat_2"}
    await services.consent.hand_over(game, ONE, CARA, MASTER)
    assert "private:seat_1" not in await services.outbox.messages(game)            # Cara needs a message of her own


# --- looking -------------------------------------------------------------------------------------------------------

async def test_a_view_shows_a_seat_its_own_secret_now_and_earlier(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    now, then = await seen(services, game, ONE), await seen(services, game, ONE, row=2)
    assert (now.heap, now.guess, then.heap, then.guess) == (9, 1, 12, 1)
    assert (await seen(services, game, TWO)).guess == 2 and (await seen(services, game)).guess is None
    assert (await seen(services, game, ONE,
                       row=1)).guess is None            # Bert's answer was still sealed, so nothing was known
    with pytest.raises(Refusal, match=r"There is no step 9. The last one is step 3."):
        await seen(services, game, ONE, row=9)


async def test_a_story_begins_where_its_reader_left_off(services: Services) -> None:
    game = await guessed(services)
    for member in (ANNA, BERT, ANNA):
        await services.answers.answer(game, member, Take.of(1, "left"))             # rows 3, 4 and 5
    async def span(picture: Picture = BOARD, **asked: Any) -> tuple[int, list[int], int]:
        story = await services.queries.story(game, picture, **asked)
        return story.start.no, [row.no for row in story.rows], story.since

    assert await span() == (5, [], 5)
    assert await span(since=3) == (3, [4, 5], 3)
    assert await span(row=4) == (4, [], 4)
    assert await span(row=4, since=2) == (2, [3, 4], 2)
    assert await span(replace(BOARD, whole=True)) == (0, [1, 2, 3, 4, 5], 5)
    await services.undo.undo(game, MASTER)                                       # row 6 returns to row 4
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    assert await span(since=5) == (4, [7], 5)                           # the reader knows a row that is no longer in force


async def test_a_story_has_the_answers_of_its_reader_and_of_nobody_else(services: Services) -> None:
    game = await guessed(services)
    assert len((await services.queries.story(game, BOARD, seat=ONE)).options) == 7
    for story in (services.queries.story(game, BOARD), services.queries.story(game, BOARD, seat=TWO),
                  services.queries.story(game, BOARD, seat=ONE, row=2)):
        assert (await story).options == ()
    await services.seats.pause(game, MASTER)
    assert (await services.queries.story(game, BOARD, seat=ONE)).options == ()


async def test_a_view_before_the_dice_does_not_throw_them(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Throw())
    assert [(await seen(services, game, row=row)).heap for row in (3, 4)] == [12, 11]         # a 6: a pebble flies away


async def test_the_history_has_public_sentences_only_and_marks_what_was_undone(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    lines, pages = await services.queries.history(game, page=1)
    assert [(no, mark, say(line, NAMES)) for no, mark, line in lines] == [
        (2, "", "All have guessed."), (3, "undone", "Amber takes 3 pebbles."),
        (4, "", "Game master <@900> went back to step 2."), (5, "", "Amber takes 2 pebbles.")]
    assert pages == 1
    assert await services.queries.history(game, page=2, size=3) == (lines[3:], 2) == await services.queries.history(game,
                                                                                                                    page=77,
                                                                                                                    size=3)
    assert await services.queries.history(await opened(services), page=1) == ([], 0)


async def test_a_running_game_exports_sentences_and_a_finished_one_everything(services: Services) -> None:
    game = await guessed(services)
    with pytest.raises(Faulty, match="the public record of an unfinished game"):
        record.read(await services.records.export(game))
    game = await to_the_end(services)
    exported = await services.records.export(game)
    found = record.read(exported)
    table = record.replay(found, PEBBLES)
    assert table.over and found.end.result == "Amber wins." and found.header.secret == SECRET
    keys = [set(json.loads(line)) for line in exported.splitlines()]
    assert keys[0] == {"record", "game", "edition", "options", "seats", "components", "hash", "secret", "commitment", "chain"}
    kept = {"no", "seat", "verb", "answer", "events", "chain"}
    assert all(row in (kept, {*kept, "sides"}) for row in keys[1:-1])       # neither users nor `by`
    assert found.header.seats == {"seat_1": "Amber", "seat_2": "Basalt"}
