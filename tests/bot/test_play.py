"""Games from the lobby to their record: what is refused, what is told to whom, and what a crash leaves."""
from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bot.domain.announcements import choice_id
from bot.service import Play
from bot.store import NotStored, Store
from engine import record
from engine.dice import commitment
from engine.kernel import Action, Entry, Seat, Table, ask, ask_each
from engine.kernel.game_spec import BOARD, Picture
from engine.refusals import Faulty, Illegal, NotAsked, Refusal, Stale
from engine.text import English, Text, say, text, verbatim
from tests.bot.desk import (
    ANNA,
    BERT,
    CARA,
    CHANNEL,
    GUILD,
    MASTER,
    Clock,
    crashed,
    delivered,
    guessed,
    kinds,
    opened,
    play_on,
    started,
)
from tests.toy import PEBBLES, SECRET, Give, Guess, State, Take, Taken, Throw

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NAMES = English({"seat_1": "Amber", "seat_2": "Basalt", "seat_3": "Chalk"})


def said(lines: Iterable[Text]) -> list[str]:
    return [say(line, NAMES) for line in lines]


# --- lobby ----------------------------------------------------------------------------------------------

async def test_from_opening_to_the_first_question(play: Play) -> None:
    game = await opened(play)
    assert [await play.join(game, member) for member in (ANNA, BERT)] == [ONE, TWO]
    await play.start(game, MASTER)
    row = await play.game(game)
    assert (row.status, row.seats, row.commitment) == ("running", 2, commitment(SECRET))
    letters = await delivered(play)
    assert [letter.payload["text"] for letter in letters if letter.kind == "notice"] == [
        "<@101> joins: 1 of 2 seats are taken.", "<@102> joins: 2 of 2 seats are taken.",
        f"Pebbles begins with Amber (<@101>) and Basalt (<@102>). The secret of its dice has the SHA-256 {commitment(SECRET)}."]
    assert kinds(letters[3:]) == [("picture", "public"), ("question", ONE), ("question", TWO)]
    assert letters[3].payload == {"picture": "board", "row": 0, "since": 0}
    asked = letters[4].payload
    assert (asked["seat"], asked["asked_at"], asked["text"], asked["secret"]) == (ONE, 0, "How many will you have?", False)
    assert asked["buttons"] == [[f"guess: {n}", choice_id(Guess.of(n))] for n in range(10)]


async def test_who_cannot_join_or_leave(play: Play) -> None:
    game = await opened(play)
    await play.join(game, ANNA)
    with pytest.raises(Refusal, match=r"You have joined this game already."):
        await play.join(game, ANNA)
    with pytest.raises(Refusal, match=r"You have not joined this game."):
        await play.leave(game, BERT)
    await play.join(game, BERT)
    with pytest.raises(Refusal, match=r"All 2 seats of this game are taken."):
        await play.join(game, CARA)
    await play.start(game, MASTER)
    for step in (play.join(game, CARA), play.leave(game, ANNA), play.start(game, MASTER)):
        with pytest.raises(Refusal, match=r"The game has started already."):
            await step


async def test_those_who_joined_later_move_up(play: Play) -> None:
    game = await opened(play, seats=3)
    for member in (ANNA, BERT, CARA):
        await play.join(game, member)
    await play.leave(game, ANNA)
    assert [(holder.seat, holder.user) for holder in await play.holders(game)] == [(ONE, BERT), (TWO, CARA)]
    assert await play.seat_of(game, CARA) == TWO and await play.seat_of(game, ANNA) is None


async def test_a_game_starts_with_fewer_if_it_may(play: Play) -> None:
    game = await opened(play, seats=4)
    await play.join(game, ANNA)
    with pytest.raises(Refusal, match=r"Pebbles needs 2 to 4 players; 1 has joined."):
        await play.start(game, MASTER)
    await play.join(game, BERT)
    await play.start(game, MASTER)
    assert (await play.game(game)).seats == 2


@pytest.mark.parametrize("change, sentence", [
    ({"seats": 7}, "Pebbles is for 2 to 4 players, so it cannot have 7 seats."),
    ({"key": "tic_tac_toe"}, "There is no game tic_tac_toe; there are: pebbles."),
    ({"edition": "golden"}, "Pebbles has no edition golden; there are: plain."),
    ({"options": {"speed": 2}}, "Pebbles has no options."),
    ({"pack": "no JSON"}, "The data pack is no JSON file."),
])
async def test_what_cannot_be_opened(play: Play, change: dict[str, Any], sentence: str) -> None:
    wish: dict[str, Any] = {"key": "pebbles", "edition": "plain", "seats": 2, "options": {}, "pack": None, "title": "",
                            "guild": None, "channel": 1, "owner": MASTER}
    with pytest.raises(Faulty) as refused:
        await play.open(**{**wish, **change})
    assert str(refused.value) == sentence
    assert await play.games() == []


async def test_games_are_found_by_place_member_and_status(play: Play) -> None:
    waiting, running = await opened(play), await started(play, (ANNA, BERT))
    closed = await started(play, (BERT, CARA))
    await play.close(closed, MASTER, "We stop.")

    async def found(**wanted: Any) -> list[int]:
        return [row.id for row in await play.games(**wanted)]

    assert await found(channel=CHANNEL) == [waiting, running] and await found(channel=1) == []
    assert await found(user=BERT) == [running] and await found(guild=GUILD) == [waiting, running]
    assert await found(user=BERT, status=("running", "closed")) == [running, closed]
    with pytest.raises(Refusal, match=r"There is no game number 99."):
        await play.game(99)


async def test_a_title_is_never_empty(play: Play) -> None:
    assert (await play.game(await opened(play, title="  "))).title == "Pebbles"


# --- moves ----------------------------------------------------------------------------------------------

async def test_an_answer_is_stored_with_all_that_follows(play: Play, store: Store) -> None:
    game = await guessed(play)
    done = await play.answer(game, ANNA, Throw())
    assert [(entry.no, entry.by) for entry in done.entries] == [(3, "player"), (4, "dice")] and not done.over
    assert said(done.lines)[0].startswith("Amber throws ")
    rows = await store.read(lambda ledger: ledger.rows(game))
    assert rows[2:] == [entry.row() for entry in done.entries]


async def test_the_one_who_answered_learns_only_his_own(play: Play) -> None:
    game = await started(play)
    await play.answer(game, ANNA, Guess.of(3))
    done = await play.answer(game, BERT, Guess.of(7))
    assert said(done.lines) == ["All have guessed."] and said(done.private) == ["You guessed 7."]


async def test_who_cannot_answer(play: Play) -> None:
    game = await opened(play)
    with pytest.raises(Refusal, match=r"The game has not started."):
        await play.answer(game, ANNA, Take.of(1, "left"))
    game = await guessed(play)
    for member, action, sentence in (
            (CARA, Take.of(1, "left"), "You have no seat in this game."),
            (BERT, Take.of(1, "left"), "Nothing is being asked of you just now. Turn 1."),
            (ANNA, Take(pebbles=9, hand="left"), "The heap has 12 pebbles; you can take at most 3.")):
        with pytest.raises(Refusal) as refused:
            await play.answer(game, member, action)
        assert str(refused.value) == sentence
    assert await play.newest(game) == 2


async def test_a_button_of_an_earlier_question_is_stale(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(1, "left"), asked_at=2)
    await play.answer(game, BERT, Take.of(1, "left"), asked_at=3)
    with pytest.raises(Stale):
        await play.answer(game, ANNA, Take.of(1, "left"), asked_at=2)


async def test_two_presses_at_once_count_once(play: Play) -> None:
    game = await guessed(play)
    outcomes = await asyncio.gather(*(play.answer(game, ANNA, Take.of(2, "left"), asked_at=2) for _ in range(3)),
                                    return_exceptions=True)
    assert [type(outcome).__name__ for outcome in outcomes].count("Done") == 1
    assert all(isinstance(outcome, NotAsked) for outcome in outcomes if isinstance(outcome, Exception))
    assert (await play.table(game)).state.heap == 10


async def test_games_do_not_wait_for_each_other(play: Play) -> None:
    games = [await guessed(play) for _ in range(6)]
    await asyncio.gather(*(play.answer(game, ANNA, Take.of(3, "left")) for game in games))
    assert [(await play.table(game)).state.heap for game in games] == [9] * 6


async def test_a_choice_is_found_among_the_present_options(play: Play) -> None:
    game = await guessed(play)
    assert await play.option(game, ONE, choice_id(Take.of(2, "right"))) == Take.of(2, "right")
    assert await play.option(game, ONE, choice_id(Guess.of(2))) is None
    assert await play.option(game, TWO, choice_id(Take.of(2, "right"))) is None


async def test_choices_of_one_question_differ(play: Play) -> None:
    table = await play.table(await guessed(play))
    options = table.options(ONE)
    assert len({choice_id(option) for option in options}) == len(options) == 7


async def test_who_is_awaited_since_when(store: Store) -> None:
    clock = Clock()
    play = play_on(store, clock=clock)
    game = await started(play)
    clock.put_on(hours=5)
    await play.answer(game, ANNA, Guess.of(1))
    assert [(wait.seat, wait.user, wait.since[:16]) for wait in await play.waiting(game)] == [(TWO, BERT, "2026-04-01T12:00")]
    assert await play.awaited(game) == [ONE, TWO]                       # nobody learns whose sealed answer is in
    await play.answer(game, BERT, Guess.of(1))
    assert [(wait.seat, wait.since[:16]) for wait in await play.waiting(game)] == [(ONE, "2026-04-01T17:00")]
    await play.close(game, MASTER, "")
    assert await play.waiting(game) == []


# --- what is told ------------------------------------------------------------------------------------------

async def test_a_sealed_answer_tells_nobody_anything(play: Play) -> None:
    game = await started(play)
    await delivered(play)
    await play.answer(game, ANNA, Guess.of(3))
    assert await play.pending() == []
    await play.answer(game, BERT, Guess.of(7))
    letters = await delivered(play)
    assert kinds(letters) == [("log", "public"), ("private", ONE), ("private", TWO), ("question", ONE)]
    assert letters[0].payload == {"lines": ["All have guessed."]}
    assert letters[2].payload == {"seat": TWO, "text": "Your guess: 7.", "last": ["You guessed 7."]}


async def test_secrets_stand_in_no_letter_but_their_own(play: Play) -> None:
    game = await started(play, (ANNA, BERT, CARA))
    for member, guess in ((ANNA, 7), (BERT, 8), (CARA, 9)):
        await play.answer(game, member, Guess.of(guess))
    await delivered_after_moves(play, game)
    letters = await all_letters(play)
    for seat, secret in ((ONE, "7"), (TWO, "8"), (THREE, "9")):
        telling = {letter.audience for letter in letters if f"guess: {secret}." in json.dumps(letter.payload)}
        assert telling == {seat}


async def delivered_after_moves(play: Play, game: int) -> None:
    await play.answer(game, ANNA, Take.of(1, "left"))
    await play.undo(game, MASTER)
    await play.redo(game, MASTER)


async def all_letters(play: Play) -> list[Any]:
    return await play.pending(500)


async def test_the_log_waits_while_one_goes_on_alone(store: Store) -> None:
    patient = PEBBLES.changed(breaks=())
    play = play_on(store, spec=patient)
    game = await guessed(play)
    await play.resign(game, BERT)
    await delivered(play)
    for _ in range(2):                      # Bert's seat answers by itself, so Anna stays the only one awaited
        await play.answer(game, ANNA, Take.of(1, "left"))
        assert "log" not in [kind for kind, _ in kinds(await delivered(play))]
    again = play_on(store, spec=patient)    # what waits to be told survives a restart
    await again.hand_over(game, TWO, CARA, MASTER)
    await again.answer(game, ANNA, Take.of(2, "left"))
    lines = [line for letter in await delivered(again) if letter.kind == "log" for line in letter.payload["lines"]]
    assert lines == ["Amber takes 1 pebble.", "Basalt takes 1 pebble."] * 2 + ["Amber takes 2 pebbles."]


async def test_a_break_tells_at_once_and_shows_the_board(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(2, "left"))
    letters = await delivered(play)
    assert kinds(letters) == [("log", "public"), ("picture", "public"), ("question", TWO)]
    assert letters[1].payload == {"picture": "board", "row": 3, "since": 0} and letters[2].payload["asked_at"] == 3


async def test_a_question_is_asked_once(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(2, "left"))
    await delivered(play)
    await play.answer(game, ANNA, Give.of("seat_2", 1))                 # an aside; Bert is still asked the same
    assert kinds(await delivered(play)) == [("log", "public")]


async def test_a_question_that_was_answered_before_it_was_sent_is_not_sent(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(2, "left"))
    await play.answer(game, BERT, Take.of(2, "left"))
    assert [audience for kind, audience in kinds(await play.pending()) if kind == "question"] == [ONE]


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

    play = play_on(store, spec=PEBBLES.changed(actions=(*PEBBLES.rules.actions, Reveal), phases={"guessing": revealing}))
    await started(play)
    (question,) = [letter.payload for letter in await play.pending() if letter.kind == "question"]
    assert question["secret"] and question["buttons"] == []
    assert "opal" not in json.dumps([letter.payload for letter in await play.pending()], default=str)


async def test_many_answers_are_no_buttons(store: Store) -> None:
    class Long(Guess):
        @classmethod
        def options(cls, state: State, seat: Seat) -> Iterable[Guess]:
            return [Long(pebbles=n % 10) for n in range(21)]

    def guessing(g: Any) -> Any:
        yield from ask_each([ONE, TWO], Long, prompt="How many?")

    play = play_on(store, spec=PEBBLES.changed(actions=(Long, Take, Throw), phases={"guessing": guessing}))
    await started(play)
    assert [letter.payload["buttons"] for letter in await play.pending() if letter.kind == "question"] == [[], []]


async def test_who_wants_no_private_messages_gets_none(play: Play) -> None:
    game = await started(play)
    await play.set_private(game, ANNA, False)
    await delivered(play)
    for member in (ANNA, BERT):
        await play.answer(game, member, Guess.of(5))
    assert ("private", ONE) not in kinds(await delivered(play))
    await play.set_private(game, ANNA, True)
    assert kinds(await delivered(play)) == [("private", ONE)]
    with pytest.raises(Refusal, match=r"You have no seat in this game."):
        await play.set_private(game, CARA, False)


async def test_the_end_is_told_with_the_secret_of_the_dice(play: Play) -> None:
    game = await to_the_end(play)
    letters = await delivered(play)
    assert kinds(letters)[-1] == ("final", "public")
    assert letters[-1].payload == {"result": "Amber wins.", "standings": [["seat_1", "Amber", 1, 6], ["seat_2", "Basalt", 2, 6]],
                                   "secret": SECRET, "commitment": commitment(SECRET)}
    assert (await play.game(game)).status == "over"
    with pytest.raises(NotAsked, match="The game is over"):
        await play.answer(game, ANNA, Take.of(1, "left"))
    for step in (play.undo(game, MASTER), play.close(game, MASTER, ""), play.pause(game, MASTER), play.resign(game, ANNA)):
        with pytest.raises(NotAsked, match="The game is over"):
            await step


async def test_the_secret_of_the_dice_is_told_only_at_the_end(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Throw())
    await play.close(game, MASTER, "We stop.")
    told = json.dumps([letter.payload for letter in await play.pending(500)]) + await play.export(game)
    assert SECRET not in told and SECRET not in repr(await play.game(game))


async def to_the_end(play: Play) -> int:
    game = await guessed(play)
    for number in range(4):
        await play.answer(game, (ANNA, BERT)[number % 2], Take.of(3, "left"))
    return game


# --- the sender ------------------------------------------------------------------------------------------------

async def test_the_sender_is_woken_when_there_is_news(play: Play) -> None:
    woken: list[int] = []
    play.wake = lambda: woken.append(1)
    game = await started(play)
    assert len(woken) == 4                  # one opened, two joined, one start
    await play.answer(game, ANNA, Guess.of(1))
    assert len(woken) == 4                  # a sealed answer is no news


async def test_a_letter_that_cannot_be_sent_is_tried_again_and_given_up(play: Play) -> None:
    game = await started(play)
    await delivered(play)
    for member in (ANNA, BERT):
        await play.answer(game, member, Guess.of(1))
    letter = next(letter for letter in await play.pending() if letter.kind == "private")
    tries = 1
    while not await play.failed(letter.id, "Discord says 50007"):
        assert letter.id in [other.id for other in await play.pending()]
        tries += 1
    assert tries == 8 and letter.id not in [other.id for other in await play.pending()]
    assert kinds(await play.pending())[-1] == ("notice", "gm")
    assert (await play.audit(game, page=1))[0][-1] == (
        "<t:1775044800:f> The bot could not deliver a private message: Discord says 50007.")
    assert await play.failed((await play.pending())[-1].id, "gone", give_up=True)
    assert ("notice", "gm") not in kinds(await play.pending())          # no complaint about the complaint


async def test_a_standing_message_is_found_again(play: Play) -> None:
    game = await guessed(play)
    assert set(await play.messages(game)) == {"status", "question:seat_1", "private:seat_1", "private:seat_2"}
    await play.hand_over(game, ONE, CARA, MASTER)
    assert "private:seat_1" not in await play.messages(game)            # Cara needs a message of her own


# --- seats that change hands --------------------------------------------------------------------------------------

async def test_a_free_seat_gets_its_defaults(play: Play) -> None:
    game = await guessed(play)
    await play.resign(game, ANNA)
    letters = await delivered(play)
    assert letters[0].payload["text"].startswith("<@101> gives up the seat of Amber, which is free now.")
    assert letters[1].payload == {"user": ANNA, "text": "You have given up your seat."}
    assert letters[2].payload == {"lines": ["Amber takes 1 pebble."]}
    assert [(wait.seat, wait.user) for wait in await play.waiting(game)] == [(TWO, BERT)]
    await play.answer(game, BERT, Take.of(1, "left"))
    assert (await play.table(game)).state.taken == {"seat_1": 2, "seat_2": 1}
    with pytest.raises(Refusal, match=r"You have no seat in this game."):
        await play.answer(game, ANNA, Take.of(1, "left"))


async def test_a_free_seat_stays_free_after_a_restart(play: Play, store: Store) -> None:
    game = await guessed(play)
    await play.resign(game, ANNA)
    again = play_on(store)
    await again.answer(game, BERT, Take.of(1, "left"))
    assert (await again.table(game)).state.taken == {"seat_1": 2, "seat_2": 1}


async def test_a_seat_is_handed_over_with_its_question_and_its_secrets(play: Play) -> None:
    game = await guessed(play)
    await play.hand_over(game, ONE, CARA, MASTER)
    letters = await delivered(play)
    assert kinds(letters) == [("notice", "public"), ("farewell", ONE), ("private", ONE), ("question", ONE)]
    assert letters[0].payload == {"text": "The game master, <@900>, takes Amber from <@101> and gives it to <@103>."}
    assert letters[2].payload["text"] == "Your guess: 1."
    await play.answer(game, CARA, Take.of(1, "left"))
    with pytest.raises(Refusal, match=r"<@102> has a seat in this game already."):
        await play.hand_over(game, ONE, BERT, MASTER)
    with pytest.raises(Refusal, match=r"This game has no seat seat 9."):
        await play.hand_over(game, Seat("seat_9"), ANNA, MASTER)


async def test_when_all_have_resigned_the_game_pauses(play: Play) -> None:
    game = await guessed(play)
    await play.resign(game, BERT)
    await play.resign(game, ANNA)
    assert (await play.game(game)).status == "paused" and await play.newest(game) == 2
    with pytest.raises(Refusal, match=r"Nobody holds a seat of this game; hand one over first."):
        await play.go_on(game, MASTER)
    await play.hand_over(game, TWO, CARA, MASTER)
    await play.go_on(game, MASTER)
    assert [wait.user for wait in await play.waiting(game)] == [CARA]   # Amber's default was given


# --- the game master ----------------------------------------------------------------------------------------------

async def test_a_pause_takes_no_answers_and_asks_again_after(play: Play) -> None:
    game = await guessed(play)
    await play.pause(game, MASTER)
    with pytest.raises(NotAsked, match=r"The game is paused; its game master can let it go on."):
        await play.answer(game, ANNA, Take.of(1, "left"))
    with pytest.raises(Refusal, match=r"The game is paused already."):
        await play.pause(game, MASTER)
    await play.go_on(game, MASTER)
    with pytest.raises(Refusal, match=r"The game is not paused."):
        await play.go_on(game, MASTER)
    assert kinds(await delivered(play)) == [("notice", "public"), ("notice", "public"), ("question", ONE)]
    await play.answer(game, ANNA, Take.of(1, "left"), asked_at=2)       # the old button still counts


async def test_a_closed_game_takes_nothing_and_tells_why(play: Play) -> None:
    game = await guessed(play)
    await play.close(game, MASTER, "Summer has come.")
    assert [letter.payload for letter in await delivered(play)] == [
        {"text": "The game master, <@900>, has closed the game. Summer has come."}]
    for step in (play.answer(game, ANNA, Throw()), play.undo(game, MASTER), play.start(game, MASTER), play.join(game, CARA)):
        with pytest.raises(NotAsked, match=r"The game is closed."):
            await step


async def test_the_game_master_answers_for_a_seat(play: Play, store: Store) -> None:
    game = await guessed(play)
    await play.answer_for(game, ONE, Take.of(3, "left"), MASTER)
    await play.answer_for(game, TWO, None, MASTER)
    assert (await play.table(game)).state.taken == {"seat_1": 3, "seat_2": 1}
    assert [row.by for row in await store.read(lambda ledger: ledger.rows(game, since=2))] == ["moderator", "moderator"]
    with pytest.raises(Illegal):
        await play.answer_for(game, ONE, Take(pebbles=5, hand="left"), MASTER)
    with pytest.raises(NotAsked):
        await play.answer_for(game, TWO, None, MASTER)


async def test_the_audit_names_deeds_and_no_secrets(play: Play) -> None:
    game = await started(play)
    await play.answer_for(game, ONE, Guess.of(7), MASTER)
    await play.pause(game, MASTER)
    lines, pages = await play.audit(game, page=1, size=2)
    assert (lines, pages) == (["<t:1775044800:f> <@900> started the game.", "<t:1775044800:f> <@900> answered for Amber."], 2)
    assert (await play.audit(game, page=2, size=2))[0] == ["<t:1775044800:f> <@900> paused the game."]


async def test_the_role_of_game_masters(play: Play) -> None:
    assert await play.gm_role(GUILD) is None
    await play.set_gm_role(GUILD, 42)
    await play.set_gm_role(GUILD, 43)
    assert await play.gm_role(GUILD) == 43 and await play.gm_role(1) is None


# --- looking ---------------------------------------------------------------------------------------------------------

async def seen(play: Play, game: int, seat: Seat | None = None, row: int | None = None) -> Any:
    """The board as a seat or the public may see it."""
    return BOARD.scene(await play.story(game, BOARD, seat=seat, row=row))


async def test_a_view_shows_a_seat_its_own_secret_now_and_earlier(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(3, "left"))
    now, then = await seen(play, game, ONE), await seen(play, game, ONE, row=2)
    assert (now.heap, now.guess, then.heap, then.guess) == (9, 1, 12, 1)
    assert (await seen(play, game, TWO)).guess == 2 and (await seen(play, game)).guess is None
    assert (await seen(play, game, ONE, row=1)).guess is None            # Bert's answer was still sealed, so nothing was known
    with pytest.raises(Refusal, match=r"There is no row 9; the last one is row 3."):
        await seen(play, game, ONE, row=9)


async def test_a_story_begins_where_its_reader_left_off(play: Play) -> None:
    game = await guessed(play)
    for member in (ANNA, BERT, ANNA):
        await play.answer(game, member, Take.of(1, "left"))             # rows 3, 4 and 5
    async def span(picture: Picture = BOARD, **asked: Any) -> tuple[int, list[int], int]:
        story = await play.story(game, picture, **asked)
        return story.start.no, [row.no for row in story.rows], story.since

    assert await span() == (5, [], 5)
    assert await span(since=3) == (3, [4, 5], 3)
    assert await span(row=4) == (4, [], 4)
    assert await span(row=4, since=2) == (2, [3, 4], 2)
    assert await span(replace(BOARD, whole=True)) == (0, [1, 2, 3, 4, 5], 5)
    await play.undo(game, MASTER)                                       # row 6 returns to row 4
    await play.answer(game, ANNA, Take.of(2, "left"))
    assert await span(since=5) == (4, [7], 5)                           # the reader knows a row that is no longer in force


async def test_a_story_has_the_answers_of_its_reader_and_of_nobody_else(play: Play) -> None:
    game = await guessed(play)
    assert len((await play.story(game, BOARD, seat=ONE)).options) == 7
    for story in (play.story(game, BOARD), play.story(game, BOARD, seat=TWO), play.story(game, BOARD, seat=ONE, row=2)):
        assert (await story).options == ()
    await play.pause(game, MASTER)
    assert (await play.story(game, BOARD, seat=ONE)).options == ()


async def test_a_view_before_the_dice_does_not_throw_them(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Throw())
    assert [(await seen(play, game, row=row)).heap for row in (3, 4)] == [12, 11]         # a 6: a pebble flies away


async def test_the_history_has_public_sentences_only_and_marks_what_was_undone(play: Play) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(3, "left"))
    await play.undo(game, MASTER)
    await play.answer(game, ANNA, Take.of(2, "left"))
    lines, pages = await play.history(game, page=1)
    assert [(no, mark, say(line, NAMES)) for no, mark, line in lines] == [
        (2, "", "All have guessed."), (3, "undone", "Amber takes 3 pebbles."),
        (4, "", "The game master, <@900>, returned to row 2."), (5, "", "Amber takes 2 pebbles.")]
    assert pages == 1
    assert await play.history(game, page=2, size=3) == (lines[3:], 2) == await play.history(game, page=77, size=3)
    assert await play.history(await opened(play), page=1) == ([], 0)


async def test_a_running_game_exports_sentences_and_a_finished_one_everything(play: Play) -> None:
    game = await guessed(play)
    with pytest.raises(Faulty, match="the public record of a game that was not over"):
        record.read(await play.export(game))
    game = await to_the_end(play)
    exported = await play.export(game)
    found = record.read(exported)
    table = record.replay(found, PEBBLES)
    assert table.over and found.end.result == "Amber wins." and found.header.secret == SECRET
    keys = [set(json.loads(line)) for line in exported.splitlines()]
    assert keys[0] == {"record", "game", "edition", "options", "seats", "components", "hash", "secret", "commitment", "chain"}
    kept = {"no", "seat", "verb", "answer", "events", "chain"}
    assert all(row in (kept, {*kept, "sides"}) for row in keys[1:-1])       # neither users nor `by`
    assert found.header.seats == {"seat_1": "Amber", "seat_2": "Basalt"}


# --- restarts, failures, bugs ----------------------------------------------------------------------------------------

async def test_tables_come_and_go_in_memory(store: Store) -> None:
    play = play_on(store, tables=2)
    games = [await guessed(play) for _ in range(4)]
    for game in games:
        await play.answer(game, ANNA, Take.of(1, "left"))
    for game in games:
        assert (await play.table(game)).state.heap == 11
    assert len(play._live) == 2


async def position(play: Play, game: int) -> tuple[object, ...]:
    """All that must be the same after a restart."""
    row = await play.game(game)
    if row.status == "open":
        return (row,)
    table = await play.table(game)
    return (row, table.state.model_dump_json(), table.last_no, table.asked_at, table.throws, table.epoch,
            [(wait.seat, wait.user, wait.asked_at, wait.since) for wait in await play.waiting(game)],
            [table.options(question.seat) for question in table.waiting()],
            [letter for letter in await play.pending(500) if letter.game == game], await play.history(game, page=1, size=500))


async def random_step(play: Play, game: int, chance: random.Random) -> None:
    """Something that somebody could do now; refusals included."""
    row, holders = await play.game(game), await play.holders(game)
    table = await play.table(game)
    deeds = ["answer"] * 12 + ["undo", "redo", "rollback", "resign", "hand", "pause", "on", "gift", "send", "quiet"]
    deed = chance.choice(deeds)
    members = {holder.seat: holder.user for holder in holders}
    if deed == "answer" and row.status == "running":
        question = chance.choice(table.waiting())
        member = members[question.seat]
        assert member is not None
        await play.answer(game, member, chance.choice(table.options(question.seat)), asked_at=table.asked_at)
    elif deed == "gift" and (gifts := [(seat, gift) for seat in members for gift in Give.options(table.state, seat)]):
        seat, gift = chance.choice(gifts)
        await play.answer(game, members[seat] or 0, gift)
    elif deed == "undo":
        await play.undo(game, MASTER)
    elif deed == "redo":
        await play.redo(game, MASTER)
    elif deed == "rollback":
        await play.rollback(game, chance.randint(0, table.last_no), MASTER, fresh=chance.random() < 0.5)
    elif deed == "resign":
        await play.resign(game, chance.choice([user for user in members.values() if user] or [0]))
    elif deed == "hand":
        await play.hand_over(game, chance.choice(list(members)), chance.choice([ANNA, BERT, CARA, 104]), MASTER)
    elif deed == "pause":
        await play.pause(game, MASTER)
    elif deed == "on":
        await play.go_on(game, MASTER)
    elif deed == "quiet":
        await play.set_private(game, chance.choice([user for user in members.values() if user] or [0]), chance.random() < 0.5)
    elif deed == "send" and (letters := await play.pending(4)):
        await play.sent(letters[0].id, 1)


@pytest.mark.parametrize("seed", range(6))
async def test_a_crash_loses_nothing_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "live" / "chancery.db"
    path.parent.mkdir()
    store = Store(path)
    play = play_on(store)
    game = await started(play, (ANNA, BERT, CARA)[:2 + seed % 2])
    for step in range(60):
        try:
            await random_step(play, game, chance)
        except Refusal as refused:
            assert "Something went wrong" not in str(refused)
        here = await position(play, game)
        assert await position(play_on(store), game) == here             # a new process on the same file
        if step % 12 == seed:                                           # a process killed now, and its disk elsewhere
            other = Store(crashed(path, tmp_path / f"crash {step}"))
            survivor = play_on(other)
            assert await position(survivor, game) == here
            other.close()
    store.close()


@pytest.mark.parametrize("seed", range(4))
async def test_what_cannot_be_stored_has_not_happened(store: Store, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    play = play_on(store)
    game = await started(play)
    write = store.write

    async def full(work: Any) -> Any:
        def lost(ledger: Any) -> Any:
            work(ledger)
            raise NotStored("The move could not be stored.")
        return await write(lost)

    for step in range(40):
        before = await position(play, game)
        failing = step % 2 == 0
        if failing:
            monkeypatch.setattr(store, "write", full)
        try:
            await random_step(play, game, chance)
        except Refusal:
            pass
        monkeypatch.setattr(store, "write", write)
        if failing:
            assert await position(play, game) == before


async def test_every_question_reaches_its_seat_once(store: Store) -> None:
    chance = random.Random(5)
    play = play_on(store)
    game = await started(play, (ANNA, BERT, CARA))
    seen: list[tuple[str, int]] = []
    while (await play.game(game)).status == "running":
        seen += [(letter.audience, letter.payload["asked_at"]) for letter in await delivered(play) if letter.kind == "question"]
        wait = chance.choice(await play.waiting(game))
        assert (wait.seat, wait.asked_at) in seen
        assert wait.user is not None
        await play.answer(game, wait.user, chance.choice((await play.table(game)).options(wait.seat)))
        if chance.random() < 0.3:
            play = play_on(store)
    assert len(seen) == len(set(seen))


async def test_a_bug_of_ours_is_a_calm_sentence_and_tells_no_secret(
        play: Play, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    game = await guessed(play)
    before = (await play.table(game)).state.model_dump_json()

    def broken(self: Table, *given: Any, **more: Any) -> None:
        self.state.heap = 0
        raise ValueError(f"Anna's guess is {self.state.guess}")

    with monkeypatch.context() as patch, caplog.at_level(logging.DEBUG):
        patch.setattr(Table, "answer", broken)
        with pytest.raises(Refusal) as refused:
            await play.answer(game, ANNA, Take.of(1, "left"))
    assert str(refused.value) == (
        "Something went wrong inside the bot. Nothing has changed; the bot's operator finds more under number 1.")
    assert refused.value.__suppress_context__
    assert "ValueError" in caplog.text and "{'seat_1'" not in caplog.text
    assert (await play.table(game)).state.model_dump_json() == before


async def test_a_refusal_from_the_depths_leaves_no_half_move(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await guessed(play)

    def half(self: Table, seat: Seat, action: Action, by: Any) -> Entry:
        self.state.heap = 1
        raise Illegal("A rule refused too late.")

    with monkeypatch.context() as patch:
        patch.setattr(Table, "_record", half)
        with pytest.raises(Refusal, match=r"Something went wrong inside the bot."):
            await play.answer(game, ANNA, Take.of(1, "left"))
    assert (await play.table(game)).state.heap == 12


async def test_one_who_stops_waiting_leaves_memory_and_file_alike(
        play: Play, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await guessed(play)
    storing, write = asyncio.Event(), store.write

    async def watched(work: Any) -> Any:
        storing.set()
        return await write(work)

    monkeypatch.setattr(store, "write", watched)
    answering = asyncio.create_task(play.answer(game, ANNA, Take.of(1, "left")))
    await storing.wait()
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answering
    assert await position(play, game) == await position(play_on(store), game)


async def test_a_log_that_no_longer_replays_pauses_its_game_alone(play: Play, store: Store) -> None:
    sound, broken = await guessed(play), await guessed(play)
    for member in (ANNA, BERT):
        await play.answer(broken, member, Take.of(1, "left"))
    await delivered(play)

    def poorer(g: Any) -> Any:              # the rules of tomorrow: a turn takes from the heap what was not recorded
        seat = Seat(g.state.seats[g.state.turn % 2])
        yield from ask(seat, Take, Throw, prompt="?")
        g.emit(Taken(seat=seat, pebbles=2))

    (first,) = [row.no for row in (await store.read(lambda ledger: ledger.rows(broken, since=3)))]
    checkpoints = await store.read(lambda ledger: ledger.conn.execute(
        "SELECT no FROM checkpoints WHERE game = ?", (broken,)).fetchall())
    assert (first,) in checkpoints          # so the row before it is not even looked at
    await store.write(lambda ledger: ledger.conn.execute("DELETE FROM checkpoints WHERE game = ? AND no > 2", (broken,)))
    changed = play_on(store, spec=PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": poorer}))
    with pytest.raises(Refusal) as refused:
        await changed.answer(broken, ANNA, Take.of(1, "left"))
    sentence = "Row 3 no longer replays to what it recorded, so this game is paused. A rollback to row 2 mends it."
    assert str(refused.value) == sentence
    with pytest.raises(Refusal, match="no longer replays"):
        await changed.table(broken)
    assert (await changed.game(broken)).status == "paused" and (await changed.game(sound)).status == "running"
    assert [(letter.audience, letter.payload["text"]) for letter in await delivered(changed)] == [("gm", sentence)]
    assert (await changed.reader(broken)).name("seat_1") == "Amber"
    preview = await changed.preview(broken, 2)
    assert preview.rows == [3, 4] and said(preview.lines) == ["Amber takes 1 pebble.", "Basalt takes 1 pebble."]
    await changed.rollback(broken, 2, MASTER)
    await changed.go_on(broken, MASTER)
    await changed.answer(broken, ANNA, Take.of(1, "left"))
    assert (await changed.table(broken)).state.heap == 10


async def test_a_finished_game_that_no_longer_replays_is_left_as_it_is(play: Play, store: Store) -> None:
    game = await to_the_end(play)
    await store.write(lambda ledger: ledger.conn.execute("DELETE FROM checkpoints WHERE game = ? AND no > 2", (game,)))
    changed = play_on(store, spec=PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": PEBBLES.rules.phases["guessing"]}))
    with pytest.raises(Refusal, match=r"Row 3 no longer replays to what it recorded, so the position cannot be shown."):
        await changed.table(game)
    assert (await changed.game(game)).status == "over"
    assert len((await changed.history(game, page=1))[0]) == 6           # its sentences can still be read


async def test_rows_of_another_version_are_named_and_not_shown(play: Play, store: Store) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(1, "left"))
    events = tuple(kind for kind in PEBBLES.rules.events if kind.__name__ != "Taken")
    changed = play_on(store, spec=PEBBLES.changed(events=events))
    lines, _ = await changed.history(game, page=1)
    assert said(line for _, _, line in lines) == ["All have guessed.", "Row 3 can no longer be read."]


async def test_rows_that_come_to_be_while_a_table_is_built_are_stored(play: Play, store: Store) -> None:
    """A new version leaves a seat only one answer: the rule gives it as soon as anybody looks."""
    game, closed = await guessed(play), await guessed(play)
    await play.close(closed, MASTER, "")
    await delivered(play)

    class Only(Take):
        @classmethod
        def options(cls, state: State, seat: Seat) -> Iterable[Take]:
            return [Take.of(1, "left")] if state.turn == 0 else Take.options(state, seat)

    class Never(Throw):
        @classmethod
        def options(cls, state: State, seat: Seat) -> Iterable[Throw]:
            return [] if state.turn == 0 else Throw.options(state, seat)

    def taking(g: Any) -> Any:
        seat = Seat(g.state.seats[g.state.turn % 2])
        answer: Any = yield from ask(seat, Only, Never, prompt="?")
        g.emit(Taken(seat=seat, pebbles=answer.pebbles))

    changed = play_on(store, spec=PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": taking}))
    await changed.table(game)
    assert [row.by for row in await store.read(lambda ledger: ledger.rows(game, since=2))] == ["rule"]
    assert kinds(await delivered(changed)) == [("log", "public"), ("picture", "public"), ("question", TWO)]
    await changed.table(closed)             # but a closed game stays as it is
    assert await changed.newest(closed) == 2 and await changed.pending() == []


def test_words_of_people_are_told_as_they_are() -> None:
    assert say(text("{words} said so.", words=verbatim("{seat_1} of my_game")), NAMES) == "{seat_1} of my_game said so."


async def test_a_question_that_follows_on_its_own_answer_takes_the_place_of_the_last(play: Play) -> None:
    game = await started(play)
    await delivered(play)
    await play.answer(game, BERT, Guess.of(1))
    await play.answer(game, ANNA, Guess.of(2))             # Anna is asked at once for her first turn
    (question,) = [letter for letter in await delivered(play) if letter.kind == "question"]
    assert (question.audience, question.payload["follows"]) == (ONE, True)
    await play.answer(game, ANNA, Take.of(1, "left"))      # now Bert is asked, and a board goes before
    (question,) = [letter for letter in await delivered(play) if letter.kind == "question"]
    assert (question.audience, question.payload["follows"]) == (TWO, False)


async def test_titles_and_names_of_members_stay_on_one_short_line(play: Play) -> None:
    game = await opened(play, title=" One\n\u202eeno\x00 " + "x" * 100)
    assert (await play.game(game)).title == f"One eno {'x' * 52}"
    assert (await play.game(await opened(play, title="\u202e\n"))).title == "Pebbles"
    for member, name in ((ANNA, "**Anna** [a](b)\n\u202e#"), (BERT, "b" * 300)):
        await play.join(game, member, name=name)
    await play.start(game, MASTER)
    assert (await play.story(game, BOARD)).people == {ONE: "Anna a(b)", TWO: f"{'b' * 39}…"}
    await play.close(game, MASTER, "done")
    branch = await play.branch(game, 0, MASTER, channel=CHANNEL + 1, title="Two\u2028lines")
    assert branch.title == "Two lines"
