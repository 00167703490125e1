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
from bot.service import Services
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

async def test_from_opening_to_the_first_question(services: Services) -> None:
    game = await opened(services)
    assert [await services.lobby.join(game, member) for member in (ANNA, BERT)] == [ONE, TWO]
    await services.lobby.start(game, MASTER)
    row = await services.queries.game(game)
    assert (row.status, row.seats, row.commitment) == ("running", 2, commitment(SECRET))
    letters = await delivered(services)
    assert [letter.payload["text"] for letter in letters if letter.kind == "notice"] == [
        "Pebbles starts with Amber (<@101>) and Basalt (<@102>).\n"
        f"-# The secret of its dice has the SHA-256 {commitment(SECRET)}."]
    told = kinds(letters)
    assert told[told.index(("picture", "public")):] == [("picture", "public"), ("question", ONE), ("question", TWO)]
    assert next(letter.payload for letter in letters if letter.kind == "picture") == {"picture": "board", "row": 0, "since": 0}
    asked = next(letter.payload for letter in letters if letter.kind == "question")
    assert (asked["seat"], asked["asked_at"], asked["text"], asked["secret"]) == (ONE, 0, "How many will you have?", False)
    assert asked["buttons"] == [[f"guess: {n}", choice_id(Guess.of(n))] for n in range(10)]


async def test_who_cannot_join_or_leave(services: Services) -> None:
    game = await opened(services)
    await services.lobby.join(game, ANNA)
    with pytest.raises(Refusal, match=r"You've already joined this game."):
        await services.lobby.join(game, ANNA)
    with pytest.raises(Refusal, match=r"You haven't joined this game."):
        await services.lobby.leave(game, BERT)
    await services.lobby.join(game, BERT)
    with pytest.raises(Refusal, match=r"All 2 seats are taken."):
        await services.lobby.join(game, CARA)
    await services.lobby.start(game, MASTER)
    for step in (services.lobby.join(game, CARA), services.lobby.leave(game, ANNA), services.lobby.start(game, MASTER)):
        with pytest.raises(Refusal, match=r"The game has already started."):
            await step


async def test_those_who_joined_later_move_up(services: Services) -> None:
    game = await opened(services, seats=3)
    for member in (ANNA, BERT, CARA):
        await services.lobby.join(game, member)
    await services.lobby.leave(game, ANNA)
    assert [(holder.seat, holder.user) for holder in await services.queries.holders(game)] == [(ONE, BERT), (TWO, CARA)]
    assert await services.queries.seat_of(game, CARA) == TWO and await services.queries.seat_of(game, ANNA) is None


async def test_a_game_starts_with_fewer_if_it_may(services: Services) -> None:
    game = await opened(services, seats=4)
    await services.lobby.join(game, ANNA)
    with pytest.raises(Refusal, match=r"Pebbles needs 2 to 4 players; 1 has joined."):
        await services.lobby.start(game, MASTER)
    await services.lobby.join(game, BERT)
    await services.lobby.start(game, MASTER)
    assert (await services.queries.game(game)).seats == 2


@pytest.mark.parametrize("change, sentence", [
    ({"seats": 7}, "Pebbles is for 2 to 4 players, so it can't have 7 seats."),
    ({"key": "tic_tac_toe"}, "There is no game tic_tac_toe. Choose among: pebbles."),
    ({"edition": "golden"}, "Pebbles has no edition golden. Choose among: plain."),
    ({"options": {"speed": 2}}, "Pebbles has no options."),
    ({"pack": "no JSON"}, "The data pack isn't a JSON file."),
])
async def test_what_cannot_be_opened(services: Services, change: dict[str, Any], sentence: str) -> None:
    wish: dict[str, Any] = {"key": "pebbles", "edition": "plain", "seats": 2, "options": {}, "pack": None, "title": "",
                            "guild": None, "channel": 1, "owner": MASTER}
    with pytest.raises(Faulty) as refused:
        await services.lobby.open(**{**wish, **change})
    assert str(refused.value) == sentence
    assert await services.queries.games() == []


async def test_games_are_found_by_place_member_and_status(services: Services) -> None:
    waiting, running = await opened(services), await started(services, (ANNA, BERT))
    closed = await started(services, (BERT, CARA))
    await services.seats.close(closed, MASTER, "We stop.")

    async def found(**wanted: Any) -> list[int]:
        return [row.id for row in await services.queries.games(**wanted)]

    assert await found(channel=CHANNEL) == [waiting, running] and await found(channel=1) == []
    assert await found(user=BERT) == [running] and await found(guild=GUILD) == [waiting, running]
    assert await found(user=BERT, status=("running", "closed")) == [running, closed]
    with pytest.raises(Refusal, match=r"There is no game number 99."):
        await services.queries.game(99)


async def test_a_title_is_never_empty(services: Services) -> None:
    assert (await services.queries.game(await opened(services, title="  "))).title == "Pebbles"


# --- moves ----------------------------------------------------------------------------------------------

async def test_an_answer_is_stored_with_all_that_follows(services: Services, store: Store) -> None:
    game = await guessed(services)
    done = await services.answers.answer(game, ANNA, Throw())
    assert [(entry.no, entry.by) for entry in done.entries] == [(3, "player"), (4, "dice")] and not done.over
    assert said(done.lines)[0].startswith("Amber throws ")
    rows = await store.read(lambda ledger: ledger.rows(game))
    assert rows[2:] == [entry.row() for entry in done.entries]


async def test_the_one_who_answered_learns_only_his_own(services: Services) -> None:
    game = await started(services)
    await services.answers.answer(game, ANNA, Guess.of(3))
    done = await services.answers.answer(game, BERT, Guess.of(7))
    assert said(done.lines) == ["All have guessed."] and said(done.private) == ["You guessed 7."]


async def test_who_cannot_answer(services: Services) -> None:
    game = await opened(services)
    with pytest.raises(Refusal, match=r"The game hasn't started yet."):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    game = await guessed(services)
    for member, action, sentence in (
            (CARA, Take.of(1, "left"), "You have no seat in this game."),
            (BERT, Take.of(1, "left"), "Nothing to do right now. Turn 1."),
            (ANNA, Take(pebbles=9, hand="left"), "The heap has 12 pebbles; you can take at most 3.")):
        with pytest.raises(Refusal) as refused:
            await services.answers.answer(game, member, action)
        assert str(refused.value) == sentence
    assert await services.queries.newest(game) == 2


async def test_a_button_of_an_earlier_question_is_stale(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"), asked_at=2)
    await services.answers.answer(game, BERT, Take.of(1, "left"), asked_at=3)
    with pytest.raises(Stale):
        await services.answers.answer(game, ANNA, Take.of(1, "left"), asked_at=2)


async def test_two_presses_at_once_count_once(services: Services) -> None:
    game = await guessed(services)
    outcomes = await asyncio.gather(*(services.answers.answer(game, ANNA, Take.of(2, "left"), asked_at=2) for _ in range(3)),
                                    return_exceptions=True)
    assert [type(outcome).__name__ for outcome in outcomes].count("Done") == 1
    assert all(isinstance(outcome, Stale) for outcome in outcomes if isinstance(outcome, Exception))
    assert (await services.session.table(game)).state.heap == 10


async def test_games_do_not_wait_for_each_other(services: Services) -> None:
    games = [await guessed(services) for _ in range(6)]
    await asyncio.gather(*(services.answers.answer(game, ANNA, Take.of(3, "left")) for game in games))
    assert [(await services.session.table(game)).state.heap for game in games] == [9] * 6


async def test_a_choice_is_found_among_the_present_options(services: Services) -> None:
    game = await guessed(services)
    assert await services.answers.option(game, ONE, choice_id(Take.of(2, "right"))) == Take.of(2, "right")
    assert await services.answers.option(game, ONE, choice_id(Guess.of(2))) is None
    assert await services.answers.option(game, TWO, choice_id(Take.of(2, "right"))) is None


async def test_choices_of_one_question_differ(services: Services) -> None:
    table = await services.session.table(await guessed(services))
    options = table.options(ONE)
    assert len({choice_id(option) for option in options}) == len(options) == 7


async def test_who_is_awaited_since_when(store: Store) -> None:
    clock = Clock()
    services = play_on(store, clock=clock)
    game = await started(services)
    clock.put_on(hours=5)
    await services.answers.answer(game, ANNA, Guess.of(1))
    assert [(wait.seat, wait.user, wait.since[:16])
            for wait in await services.queries.waiting(game)] == [(TWO, BERT, "2026-04-01T12:00")]
    assert await services.queries.awaited(game) == [ONE, TWO]                       # nobody learns whose sealed answer is in
    await services.answers.answer(game, BERT, Guess.of(1))
    assert [(wait.seat, wait.since[:16]) for wait in await services.queries.waiting(game)] == [(ONE, "2026-04-01T17:00")]
    await services.seats.close(game, MASTER, "")
    assert await services.queries.waiting(game) == []


# --- what is told ------------------------------------------------------------------------------------------

async def test_a_sealed_answer_tells_nobody_anything(services: Services) -> None:
    game = await started(services)
    await delivered(services)
    await services.answers.answer(game, ANNA, Guess.of(3))
    assert await services.outbox.pending() == []
    await services.answers.answer(game, BERT, Guess.of(7))
    letters = await delivered(services)
    assert kinds(letters) == [("log", "public"), ("private", ONE), ("private", TWO), ("question", ONE)]
    assert letters[0].payload == {"lines": ["All have guessed."]}
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


async def test_a_question_that_was_answered_before_it_was_sent_is_not_sent(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await services.answers.answer(game, BERT, Take.of(2, "left"))
    assert [audience for kind, audience in kinds(await services.outbox.pending()) if kind == "question"] == [ONE]


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

    services = play_on(store, spec=PEBBLES.changed(actions=(*PEBBLES.rules.actions, Reveal), phases={"guessing": revealing}))
    await started(services)
    (question,) = [letter.payload for letter in await services.outbox.pending() if letter.kind == "question"]
    assert question["secret"] and question["buttons"] == []
    assert "opal" not in json.dumps([letter.payload for letter in await services.outbox.pending()], default=str)


async def test_many_answers_are_no_buttons(store: Store) -> None:
    class Long(Guess):
        @classmethod
        def options(cls, state: State, seat: Seat) -> Iterable[Guess]:
            return [Long(pebbles=n % 10) for n in range(21)]

    def guessing(g: Any) -> Any:
        yield from ask_each([ONE, TWO], Long, prompt="How many?")

    services = play_on(store, spec=PEBBLES.changed(actions=(Long, Take, Throw), phases={"guessing": guessing}))
    await started(services)
    assert [letter.payload["buttons"] for letter in await services.outbox.pending() if letter.kind == "question"] == [[], []]


async def test_who_wants_no_private_messages_gets_none(services: Services) -> None:
    game = await started(services)
    await services.seats.set_private(game, ANNA, False)
    await delivered(services)
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Guess.of(5))
    assert ("private", ONE) not in kinds(await delivered(services))
    await services.seats.set_private(game, ANNA, True)
    assert kinds(await delivered(services)) == [("private", ONE)]
    with pytest.raises(Refusal, match=r"You have no seat in this game."):
        await services.seats.set_private(game, CARA, False)


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


async def to_the_end(services: Services) -> int:
    game = await guessed(services)
    for number in range(4):
        await services.answers.answer(game, (ANNA, BERT)[number % 2], Take.of(3, "left"))
    return game


# --- the sender ------------------------------------------------------------------------------------------------

async def test_the_sender_is_woken_when_there_is_news(services: Services) -> None:
    woken: list[int] = []
    services.session.wake = lambda: woken.append(1)
    game = await started(services)
    assert len(woken) == 4                  # one opened, two joined, one start
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


# --- seats that change hands --------------------------------------------------------------------------------------

async def test_a_free_seat_gets_its_defaults(services: Services) -> None:
    game = await guessed(services)
    await services.seats.resign(game, ANNA)
    letters = await delivered(services)
    assert letters[0].payload["text"].startswith("<@101> gives up Amber. The seat is free now.")
    assert letters[1].payload == {"user": ANNA, "text": "You gave up your seat."}
    assert letters[2].payload == {"lines": ["Amber takes 1 pebble."]}
    assert [(wait.seat, wait.user) for wait in await services.queries.waiting(game)] == [(TWO, BERT)]
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 2, "seat_2": 1}
    with pytest.raises(Refusal, match=r"You have no seat in this game."):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))


async def test_a_free_seat_stays_free_after_a_restart(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.seats.resign(game, ANNA)
    again = play_on(store)
    await again.answers.answer(game, BERT, Take.of(1, "left"))
    assert (await again.session.table(game)).state.taken == {"seat_1": 2, "seat_2": 1}


async def test_a_seat_is_handed_over_with_its_question_and_its_secrets(services: Services) -> None:
    game = await guessed(services)
    await services.consent.hand_over(game, ONE, CARA, MASTER)
    letters = await delivered(services)
    assert kinds(letters) == [("notice", "public"), ("farewell", ONE), ("private", ONE), ("question", ONE)]
    assert letters[0].payload == {"text": "The game master, <@900>, takes Amber from <@101> and gives it to <@103>."}
    assert letters[2].payload["text"] == "Your guess: 1."
    await services.answers.answer(game, CARA, Take.of(1, "left"))
    with pytest.raises(Refusal, match=r"<@102> already has a seat in this game."):
        await services.consent.hand_over(game, ONE, BERT, MASTER)
    with pytest.raises(Refusal, match=r"This game has no seat seat 9."):
        await services.consent.hand_over(game, Seat("seat_9"), ANNA, MASTER)


async def test_when_all_have_resigned_the_game_pauses(services: Services) -> None:
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    await services.seats.resign(game, ANNA)
    assert (await services.queries.game(game)).status == "paused" and await services.queries.newest(game) == 2
    with pytest.raises(Refusal, match=r"Nobody has a seat in this game. Give one to somebody first, with `/gm hand`."):
        await services.seats.go_on(game, MASTER)
    await services.consent.hand_over(game, TWO, CARA, MASTER)
    await services.seats.go_on(game, MASTER)
    assert [wait.user for wait in await services.queries.waiting(game)] == [CARA]   # Amber's default was given


# --- the game master ----------------------------------------------------------------------------------------------

async def test_a_pause_takes_no_answers_and_asks_again_after(services: Services) -> None:
    game = await guessed(services)
    await services.seats.pause(game, MASTER)
    with pytest.raises(NotAsked, match=r"The game is paused. Its game master can resume it."):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    with pytest.raises(Refusal, match=r"The game is already paused."):
        await services.seats.pause(game, MASTER)
    await services.seats.go_on(game, MASTER)
    with pytest.raises(Refusal, match=r"The game isn't paused."):
        await services.seats.go_on(game, MASTER)
    assert kinds(await delivered(services)) == [("notice", "public"), ("notice", "public"), ("question", ONE)]
    await services.answers.answer(game, ANNA, Take.of(1, "left"), asked_at=2)       # the old button still counts


async def test_a_closed_game_takes_nothing_and_tells_why(services: Services) -> None:
    game = await guessed(services)
    await services.seats.close(game, MASTER, "Summer has come.")
    assert [letter.payload for letter in await delivered(services)] == [
        {"text": "The game master, <@900>, has closed the game. Summer has come."}]
    for step in (services.answers.answer(game, ANNA, Throw()), services.undo.undo(game, MASTER),
                 services.lobby.start(game, MASTER), services.lobby.join(game, CARA)):
        with pytest.raises(NotAsked, match=r"The game is closed."):
            await step


async def test_the_game_master_answers_for_a_seat(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, Take.of(3, "left"), MASTER)
    await services.answers.answer_for(game, TWO, None, MASTER)
    assert (await services.session.table(game)).state.taken == {"seat_1": 3, "seat_2": 1}
    assert [row.by for row in await store.read(lambda ledger: ledger.rows(game, since=2))] == ["moderator", "moderator"]
    with pytest.raises(Illegal):
        await services.answers.answer_for(game, ONE, Take(pebbles=5, hand="left"), MASTER)
    with pytest.raises(NotAsked):
        await services.answers.answer_for(game, TWO, None, MASTER)


async def test_the_audit_names_deeds_and_no_secrets(services: Services) -> None:
    game = await started(services)
    await services.answers.answer_for(game, ONE, Guess.of(7), MASTER)
    await services.seats.pause(game, MASTER)
    lines, pages = await services.queries.audit(game, page=1, size=2)
    assert (lines, pages) == (["<t:1775044800:f> <@900> started the game.", "<t:1775044800:f> <@900> answered for Amber."], 2)
    assert (await services.queries.audit(game, page=2, size=2))[0] == ["<t:1775044800:f> <@900> paused the game."]


async def test_the_role_of_game_masters(services: Services) -> None:
    assert await services.settings.gm_role(GUILD) is None
    await services.settings.set_gm_role(GUILD, 42)
    await services.settings.set_gm_role(GUILD, 43)
    assert await services.settings.gm_role(GUILD) == 43 and await services.settings.gm_role(1) is None


# --- looking ---------------------------------------------------------------------------------------------------------

async def seen(services: Services, game: int, seat: Seat | None = None, row: int | None = None) -> Any:
    """The board as a seat or the public may see it."""
    return BOARD.scene(await services.queries.story(game, BOARD, seat=seat, row=row))


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
        (4, "", "The game master, <@900>, went back to step 2."), (5, "", "Amber takes 2 pebbles.")]
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


# --- restarts, failures, bugs ----------------------------------------------------------------------------------------

async def test_tables_come_and_go_in_memory(store: Store) -> None:
    services = play_on(store, tables=2)
    games = [await guessed(services) for _ in range(4)]
    for game in games:
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    for game in games:
        assert (await services.session.table(game)).state.heap == 11
    assert len(services.session.live) == 2


async def position(services: Services, game: int) -> tuple[object, ...]:
    """All that must be the same after a restart."""
    row = await services.queries.game(game)
    if row.status == "open":
        return (row,)
    table = await services.session.table(game)
    return (row, table.state.model_dump_json(), table.last_no, table.asked_at, table.throws, table.epoch,
            [(wait.seat, wait.user, wait.asked_at, wait.since) for wait in await services.queries.waiting(game)],
            [table.options(question.seat) for question in table.waiting()],
            [letter for letter in await services.outbox.pending(500) if letter.game == game],
            await services.queries.history(game, page=1, size=500))


async def random_step(services: Services, game: int, chance: random.Random) -> None:
    """Something that somebody could do now; refusals included."""
    row, holders = await services.queries.game(game), await services.queries.holders(game)
    table = await services.session.table(game)
    deeds = ["answer"] * 12 + ["undo", "redo", "rollback", "resign", "hand", "pause", "on", "gift", "send", "quiet"]
    deed = chance.choice(deeds)
    members = {holder.seat: holder.user for holder in holders}
    if deed == "answer" and row.status == "running":
        question = chance.choice(table.waiting())
        member = members[question.seat]
        assert member is not None
        await services.answers.answer(game, member, chance.choice(table.options(question.seat)), asked_at=table.asked_at)
    elif deed == "gift" and (gifts := [(seat, gift) for seat in members for gift in Give.options(table.state, seat)]):
        seat, gift = chance.choice(gifts)
        await services.answers.answer(game, members[seat] or 0, gift)
    elif deed == "undo":
        await services.undo.undo(game, MASTER)
    elif deed == "redo":
        await services.undo.redo(game, MASTER)
    elif deed == "rollback":
        await services.undo.rollback(game, chance.randint(0, table.last_no), MASTER, fresh=chance.random() < 0.5)
    elif deed == "resign":
        await services.seats.resign(game, chance.choice([user for user in members.values() if user] or [0]))
    elif deed == "hand":
        await services.consent.hand_over(game, chance.choice(list(members)), chance.choice([ANNA, BERT, CARA, 104]), MASTER)
    elif deed == "pause":
        await services.seats.pause(game, MASTER)
    elif deed == "on":
        await services.seats.go_on(game, MASTER)
    elif deed == "quiet":
        await services.seats.set_private(game, chance.choice([user for user in members.values() if user] or [0]),
                                         chance.random() < 0.5)
    elif deed == "send" and (letters := await services.outbox.pending(4)):
        await services.outbox.sent(letters[0].id, 1)


@pytest.mark.parametrize("seed", range(6))
async def test_a_crash_loses_nothing_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "live" / "chancery.db"
    path.parent.mkdir()
    store = Store(path)
    services = play_on(store)
    game = await started(services, (ANNA, BERT, CARA)[:2 + seed % 2])
    for step in range(60):
        try:
            await random_step(services, game, chance)
        except Refusal as refused:
            assert "Something went wrong" not in str(refused)
        here = await position(services, game)
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
    services = play_on(store)
    game = await started(services)
    write = store.write

    async def full(work: Any) -> Any:
        def lost(ledger: Any) -> Any:
            work(ledger)
            raise NotStored("The move could not be stored.")
        return await write(lost)

    for step in range(40):
        before = await position(services, game)
        failing = step % 2 == 0
        if failing:
            monkeypatch.setattr(store, "write", full)
        try:
            await random_step(services, game, chance)
        except Refusal:
            pass
        monkeypatch.setattr(store, "write", write)
        if failing:
            assert await position(services, game) == before


async def test_every_question_reaches_its_seat_once(store: Store) -> None:
    chance = random.Random(5)
    services = play_on(store)
    game = await started(services, (ANNA, BERT, CARA))
    seen: list[tuple[str, int]] = []
    while (await services.queries.game(game)).status == "running":
        seen += [(letter.audience, letter.payload["asked_at"]) for letter in await delivered(services)
                 if letter.kind == "question"]
        wait = chance.choice(await services.queries.waiting(game))
        assert (wait.seat, wait.asked_at) in seen
        assert wait.user is not None
        await services.answers.answer(game, wait.user, chance.choice((await services.session.table(game)).options(wait.seat)))
        if chance.random() < 0.3:
            services = play_on(store)
    assert len(seen) == len(set(seen))


async def test_a_bug_of_ours_is_a_calm_sentence_and_tells_no_secret(
        services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    game = await guessed(services)
    before = (await services.session.table(game)).state.model_dump_json()

    def broken(self: Table, *given: Any, **more: Any) -> None:
        self.state.heap = 0
        raise ValueError(f"Anna's guess is {self.state.guess}")

    with monkeypatch.context() as patch, caplog.at_level(logging.DEBUG):
        patch.setattr(Table, "answer", broken)
        with pytest.raises(Refusal) as refused:
            await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert str(refused.value) == (
        "Something went wrong inside the bot. Nothing has changed. The bot's operator can look this up as incident 1.")
    assert refused.value.__suppress_context__
    assert "ValueError" in caplog.text and "{'seat_1'" not in caplog.text
    assert (await services.session.table(game)).state.model_dump_json() == before


async def test_a_refusal_from_the_depths_leaves_no_half_move(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await guessed(services)

    def half(self: Table, seat: Seat, action: Action, by: Any) -> Entry:
        self.state.heap = 1
        raise Illegal("A rule refused too late.")

    with monkeypatch.context() as patch:
        patch.setattr(Table, "_record", half)
        with pytest.raises(Refusal, match=r"Something went wrong inside the bot."):
            await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.heap == 12


async def test_one_who_stops_waiting_leaves_memory_and_file_alike(
        services: Services, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await guessed(services)
    storing, write = asyncio.Event(), store.write

    async def watched(work: Any) -> Any:
        storing.set()
        return await write(work)

    monkeypatch.setattr(store, "write", watched)
    answering = asyncio.create_task(services.answers.answer(game, ANNA, Take.of(1, "left")))
    await storing.wait()
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answering
    assert await position(services, game) == await position(play_on(store), game)


async def test_a_log_that_no_longer_replays_pauses_its_game_alone(services: Services, store: Store) -> None:
    sound, broken = await guessed(services), await guessed(services)
    for member in (ANNA, BERT):
        await services.answers.answer(broken, member, Take.of(1, "left"))
    await delivered(services)

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
        await changed.answers.answer(broken, ANNA, Take.of(1, "left"))
    sentence = "Step 3 no longer replays as recorded, so this game is paused. A rollback to step 2 mends it."
    assert str(refused.value) == sentence
    with pytest.raises(Refusal, match="no longer replays"):
        await changed.session.table(broken)
    assert (await changed.queries.game(broken)).status == "paused" and (await changed.queries.game(sound)).status == "running"
    assert [(letter.audience, letter.payload["text"]) for letter in await delivered(changed)] == [("gm", sentence)]
    assert (await changed.queries.reader(broken)).name("seat_1") == "Amber"
    preview = await changed.undo.preview(broken, 2)
    assert preview.rows == [3, 4] and said(preview.lines) == ["Amber takes 1 pebble.", "Basalt takes 1 pebble."]
    await changed.undo.rollback(broken, 2, MASTER)
    await changed.seats.go_on(broken, MASTER)
    await changed.answers.answer(broken, ANNA, Take.of(1, "left"))
    assert (await changed.session.table(broken)).state.heap == 10


async def test_a_finished_game_that_no_longer_replays_is_left_as_it_is(services: Services, store: Store) -> None:
    game = await to_the_end(services)
    await store.write(lambda ledger: ledger.conn.execute("DELETE FROM checkpoints WHERE game = ? AND no > 2", (game,)))
    changed = play_on(store, spec=PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": PEBBLES.rules.phases["guessing"]}))
    with pytest.raises(Refusal, match=r"Step 3 no longer replays as recorded, so I can't show the position."):
        await changed.session.table(game)
    assert (await changed.queries.game(game)).status == "over"
    assert len((await changed.queries.history(game, page=1))[0]) == 6           # its sentences can still be read


async def test_rows_of_another_version_are_named_and_not_shown(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    events = tuple(kind for kind in PEBBLES.rules.events if kind.__name__ != "Taken")
    changed = play_on(store, spec=PEBBLES.changed(events=events))
    lines, _ = await changed.queries.history(game, page=1)
    assert said(line for _, _, line in lines) == ["All have guessed.", "Step 3 can no longer be read."]


async def test_rows_that_come_to_be_while_a_table_is_built_are_stored(services: Services, store: Store) -> None:
    """A new version leaves a seat only one answer: the rule gives it as soon as anybody looks."""
    game, closed = await guessed(services), await guessed(services)
    await services.seats.close(closed, MASTER, "")
    await delivered(services)

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
    await changed.session.table(game)
    assert [row.by for row in await store.read(lambda ledger: ledger.rows(game, since=2))] == ["rule"]
    assert kinds(await delivered(changed)) == [("log", "public"), ("picture", "public"), ("question", TWO)]
    await changed.session.table(closed)             # but a closed game stays as it is
    assert await changed.queries.newest(closed) == 2 and await changed.outbox.pending() == []


def test_words_of_people_are_told_as_they_are() -> None:
    assert say(text("{words} said so.", words=verbatim("{seat_1} of my_game")), NAMES) == "{seat_1} of my_game said so."


async def test_a_question_that_follows_on_its_own_answer_takes_the_place_of_the_last(services: Services) -> None:
    game = await started(services)
    await delivered(services)
    await services.answers.answer(game, BERT, Guess.of(1))
    await services.answers.answer(game, ANNA, Guess.of(2))             # Anna is asked at once for her first turn
    (question,) = [letter for letter in await delivered(services) if letter.kind == "question"]
    assert (question.audience, question.payload["follows"]) == (ONE, True)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))      # now Bert is asked, and a board goes before
    (question,) = [letter for letter in await delivered(services) if letter.kind == "question"]
    assert (question.audience, question.payload["follows"]) == (TWO, False)


async def test_titles_and_names_of_members_stay_on_one_short_line(services: Services) -> None:
    game = await opened(services, title=" One\n\u202eeno\x00 " + "x" * 100)
    assert (await services.queries.game(game)).title == f"One eno {'x' * 52}"
    assert (await services.queries.game(await opened(services, title="\u202e\n"))).title == "Pebbles"
    for member, name in ((ANNA, "**Anna** [a](b)\n\u202e#"), (BERT, "b" * 300)):
        await services.lobby.join(game, member, name=name)
    await services.lobby.start(game, MASTER)
    assert (await services.queries.story(game, BOARD)).people == {ONE: "Anna a(b)", TWO: f"{'b' * 39}…"}
    await services.seats.close(game, MASTER, "done")
    branch = await services.branching.branch(game, 0, MASTER, channel=CHANNEL + 1, title="Two\u2028lines")
    assert branch.title == "Two lines"
