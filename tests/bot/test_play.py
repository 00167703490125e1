"""Games from the lobby to their record: what players, hosts and game masters can do, and what is refused."""
from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.domain.announcements import choice_id
from bot.service import Services
from bot.store import Store
from engine.dice import commitment
from engine.kernel import Seat
from engine.refusals import Faulty, Illegal, NotAsked, Refusal, Stale
from tests.bot.desk import ANNA, BERT, CARA, CHANNEL, GUILD, MASTER, Clock, delivered, guessed, kinds, opened, play_on, started
from tests.bot.told import ONE, TWO, said
from tests.often_said import NO_PACK, NO_SEAT, NOTHING_TO_DO, PAUSED
from tests.toy import SECRET, Guess, Take, Throw

# --- lobby ---------------------------------------------------------------------------------------------------------

async def test_from_opening_to_the_first_question(services: Services) -> None:
    game = await opened(services)
    assert [await services.lobby.join(game, member) for member in (ANNA, BERT)] == [ONE, TWO]
    await services.lobby.start(game, MASTER)
    row = await services.queries.game(game)
    assert (row.status, row.seats, row.commitment) == ("running", 2, commitment(SECRET))
    letters = await delivered(services)
    assert [letter.payload["text"] for letter in letters if letter.kind == "notice"] == [
        "Pebbles starts with Amber (<@101>) and Basalt (<@102>)."]
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
    ({"edition": "golden"}, "no edition golden. Choose among"),
    ({"options": {"speed": 2}}, "Pebbles has no options."),
    ({"pack": "no JSON"}, NO_PACK),
])
async def test_what_cannot_be_opened(services: Services, change: dict[str, Any], sentence: str) -> None:
    wish: dict[str, Any] = {"key": "pebbles", "edition": "plain", "seats": 2, "options": {}, "pack": None, "title": "",
                            "guild": None, "channel": 1, "owner": MASTER}
    with pytest.raises(Faulty) as refused:
        await services.lobby.open(**{**wish, **change})
    assert sentence in str(refused.value)
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


# --- moves ---------------------------------------------------------------------------------------------------------

async def test_an_answer_is_stored_with_all_that_follows(services: Services, store: Store) -> None:
    game = await guessed(services)
    done = await services.answers.answer(game, ANNA, Throw())
    assert [(entry.no, entry.by) for entry in done.entries] == [(3, "player"), (4, "dice")] and not done.over
    assert said(done.lines)[0].startswith("Amber throws ")
    rows = await store.read(lambda ledger: ledger.log.rows(game))
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
            (CARA, Take.of(1, "left"), f"{NO_SEAT}."),
            (BERT, Take.of(1, "left"), NOTHING_TO_DO),
            (ANNA, Take(pebbles=9, hand="left"), "take at most 3")):
        with pytest.raises(Refusal) as refused:
            await services.answers.answer(game, member, action)
        assert sentence in str(refused.value)
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
    assert [type(outcome).__name__ for outcome in outcomes].count("Outcome") == 1
    assert all(isinstance(outcome, Stale) for outcome in outcomes if isinstance(outcome, Exception))
    assert (await services.session.table(game)).state.heap == 10


async def test_games_do_not_wait_for_each_other(services: Services) -> None:
    games = [await guessed(services) for _ in range(6)]
    await asyncio.gather(*(services.answers.answer(game, ANNA, Take.of(3, "left")) for game in games))
    assert [(await services.session.table(game)).state.heap for game in games] == [9] * 6


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


# --- seats that change hands ---------------------------------------------------------------------------------------

async def test_a_free_seat_gets_its_defaults(services: Services) -> None:
    game = await guessed(services)
    await services.seats.resign(game, ANNA)
    letters = await delivered(services)
    assert letters[0].payload["text"].startswith("<@101> gives up Amber. The seat is free now.")
    assert letters[1].payload == {"user": ANNA, "text": "You gave up your seat."}
    assert letters[2].payload["lines"] == ["Amber takes 1 pebble."]
    assert [(wait.seat, wait.user) for wait in await services.queries.waiting(game)] == [(TWO, BERT)]
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 2, "seat_2": 1}
    with pytest.raises(Refusal, match=NO_SEAT):
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
    assert letters[0].payload == {"text": "Game master <@900> takes Amber from <@101> and gives it to <@103>."}
    assert letters[2].payload["text"] == "Your guess: 1."
    await services.answers.answer(game, CARA, Take.of(1, "left"))
    with pytest.raises(Refusal, match="<@102> already has a seat"):
        await services.consent.hand_over(game, ONE, BERT, MASTER)
    with pytest.raises(Refusal, match="no seat seat 9"):
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


# --- the game master -----------------------------------------------------------------------------------------------

async def test_a_pause_takes_no_answers_and_asks_again_after(services: Services) -> None:
    game = await guessed(services)
    await services.seats.pause(game, MASTER)
    with pytest.raises(NotAsked, match=PAUSED):
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
        {"text": "Game master <@900> has closed the game. Summer has come."}]
    for step in (services.answers.answer(game, ANNA, Throw()), services.undo.undo(game, MASTER),
                 services.lobby.start(game, MASTER), services.lobby.join(game, CARA)):
        with pytest.raises(NotAsked, match=r"The game is closed."):
            await step


async def test_the_game_master_answers_for_a_seat(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, Take.of(3, "left"), MASTER)
    await services.answers.answer_for(game, TWO, None, MASTER)
    assert (await services.session.table(game)).state.taken == {"seat_1": 3, "seat_2": 1}
    assert [row.by for row in await store.read(lambda ledger: ledger.log.rows(game, since=2))] == ["moderator", "moderator"]
    with pytest.raises(Illegal):
        await services.answers.answer_for(game, ONE, Take(pebbles=5, hand="left"), MASTER)
    with pytest.raises(NotAsked):
        await services.answers.answer_for(game, TWO, None, MASTER)


async def test_the_audit_names_acts_and_no_secrets(services: Services) -> None:
    game = await started(services)
    await services.answers.answer_for(game, ONE, Guess.of(7), MASTER)
    await services.seats.pause(game, MASTER)
    lines, pages = await services.queries.audit(game, page=1, size=2)
    assert (lines, pages) == (["<t:1775044800:f> <@900> started the game.", "<t:1775044800:f> <@900> moved for Amber."], 2)
    assert (await services.queries.audit(game, page=2, size=2))[0] == ["<t:1775044800:f> <@900> paused the game."]
