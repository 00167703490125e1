"""Asking the others to take back more, and messages of rows that were taken back."""
from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.core.visit import Visit
from bot.discord.components import AnyRoute, button, view
from bot.service import Services
from bot.store import Store
from bot.store.undo import Request
from engine.kernel import Game, GameSpec, Script, Seat, ask
from engine.refusals import Refusal, Stale
from engine.text import Reader, say, text
from engine.undo import REWIND
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, crashed, delivered, guessed, heap, kinds, play_on, rows_of, started
from tests.bot.discord_world import World, custom_ids, labels, options, words, words_sent
from tests.bot.visiting import can_ask
from tests.often_said import NO_SEAT
from tests.toy import PEBBLES, Ended, Give, Guess, State, Take, Taken, Throw, guessing

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NAMES = Reader({"seat_1": "Amber", "seat_2": "Basalt", "seat_3": "Chalk"})


async def taken_by_all(services: Services) -> int:
    """A game of three in which everybody has taken one pebble: rows 1 to 3 are guesses, 4 to 6 turns."""
    game = await guessed(services, (ANNA, BERT, CARA))
    for member in (ANNA, BERT, CARA):
        await services.answers.answer(game, member, Take.of(1, "left"))
    await delivered(services)
    return game


async def refused(act: Any, sentence: str) -> None:
    with pytest.raises(Refusal) as why:
        await act
    assert say(why.value.text, NAMES) == sentence


async def how(store: Store, request: Request) -> str | None:
    found = await store.read(lambda ledger: ledger.undo.request(request.id))
    assert found is not None
    return found.ended


# --- who has to agree -----------------------------------------------------------------------------------------

async def test_the_own_answers_are_listed_newest_first(services: Services) -> None:
    game = await taken_by_all(services)
    listed = await services.undo_requests.own_answers(game, BERT)
    assert [(no, [say(line, NAMES) for line in told]) for no, told in listed] == [
        (5, ["Basalt takes 1 pebble."]), (2, ["guess: 2"])], "what told nothing is named, to whoever did it"


async def test_who_has_acted_since_has_to_agree(services: Services) -> None:
    game = await taken_by_all(services)
    plan = await services.undo_requests.plan(game, BERT, 5)
    assert (plan.preview.to, plan.preview.rows, plan.asked, plan.newest) == (4, [5, 6], [THREE], 6)
    assert (await services.undo_requests.plan(game, ANNA, 4)).asked == [TWO, THREE]


async def test_everybody_has_to_agree_once_chance_has_shown_something(services: Services) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.answers.answer(game, ANNA, Throw())
    assert (await services.undo_requests.plan(game, ANNA, 4)).asked == [TWO, THREE]


async def test_everybody_has_to_agree_that_sealed_answers_are_given_anew_and_all_of_them_are(services: Services) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    plan = await services.undo_requests.plan(game, CARA, 3)
    assert (plan.preview.to, plan.preview.rows, plan.asked) == (0, [1, 2, 3], [ONE, TWO])


async def test_everybody_has_to_agree_that_a_gift_is_taken_back(services: Services) -> None:
    game = await taken_by_all(services)
    await services.answers.answer(game, ANNA, Give.of("seat_2", 1))
    assert (await services.undo_requests.plan(game, ANNA, 7)).asked == [TWO, THREE]


async def test_who_is_away_is_not_waited_for(services: Services) -> None:
    game = await taken_by_all(services)
    await services.seats.resign(game, CARA)
    assert (await services.undo_requests.plan(game, ANNA, 4)).asked == [TWO]
    await services.seats.resign(game, BERT)
    await refused(services.undo_requests.plan(game, ANNA, 4),
                  "There is nobody to agree to this. The game master can undo it.")


async def test_only_own_answers_that_are_in_force_can_be_named(services: Services) -> None:
    game = await taken_by_all(services)
    for no in (5, 0, 99):
        await refused(services.undo_requests.plan(game, ANNA, no),
                      f"You can't undo step {no}. It isn't your move, or it no longer counts.")


async def test_nothing_is_asked_while_answers_are_sealed(services: Services) -> None:
    game = await started(services, (ANNA, BERT))
    await services.answers.answer(game, ANNA, Guess.of(3))
    for act in (services.undo_requests.ask(game, ANNA, 1), services.undo_requests.own_answers(game, ANNA)):
        with pytest.raises(Refusal, match="Several players move at once"):
            await act


# --- all agree --------------------------------------------------------------------------------------------------

async def test_it_happens_once_all_have_agreed_and_is_a_row(services: Services, store: Store) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, ANNA, 4)
    assert kinds(await delivered(services)) == [("request", "public")]
    assert not await services.undo_requests.agree(request.id, BERT)
    assert await heap(services, game) == 9
    assert await services.undo_requests.agree(request.id, CARA)
    assert await heap(services, game) == 12 and await how(store, request) == "done"
    last = (await rows_of(store, game))[-1]
    assert (last.no, last.seat, last.by, last.verb) == (7, ONE, "player", REWIND)
    letters = await delivered(services)
    assert kinds(letters)[0] == ("request", "public")
    assert [letter.payload["text"] for letter in letters if letter.kind == "notice"] == [
        "Everybody agreed, so Amber undoes this and all that followed: Amber takes 1 pebble. Turn 1."]
    assert [letter.payload["asked_at"] for letter in letters if letter.kind == "question"] == [7]
    history, _ = await services.queries.history(game, page=9)
    assert say(history[-1][2], NAMES) == "Everybody agreed, so Amber went back to step 3."
    await services.undo.redo(game, MASTER)
    assert await heap(services, game) == 9


async def test_who_agrees_by_halves(services: Services) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, BERT, 5)
    for user in (ANNA, BERT):
        await refused(services.undo_requests.agree(request.id, user), "You aren't one of those who must agree to this.")
    other = await taken_by_all(services)
    both = await services.undo_requests.ask(other, ANNA, 4)
    await services.undo_requests.agree(both.id, BERT)
    await refused(services.undo_requests.agree(both.id, BERT), "You've already agreed to this.")
    await refused(services.undo_requests.agree(both.id, 12345), f"{NO_SEAT}.")
    await refused(services.undo_requests.agree(99, BERT), "There is no such request.")


async def test_a_request_outlives_a_crash(services: Services, clock: Clock, tmp_path: Path) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, ANNA, 4)
    await services.undo_requests.agree(request.id, BERT)
    other = Store(crashed(tmp_path / "chancery.db", tmp_path / "copy"))
    try:
        again = play_on(other, clock=clock)
        assert (await again.undo_requests.asked(request.id)).request.agreed == {TWO: True, THREE: False}
        assert await again.undo_requests.agree(request.id, CARA)
        assert await heap(again, game) == 12
    finally:
        other.close()


async def test_who_holds_the_seat_now_agrees_for_it(services: Services) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, BERT, 5)
    await services.consent.hand_over(game, THREE, 777, MASTER)
    await refused(services.undo_requests.agree(request.id, CARA), f"{NO_SEAT}.")
    assert await services.undo_requests.agree(request.id, 777)


# --- it comes to nothing ------------------------------------------------------------------------------------------

async def test_one_refusal_ends_it(services: Services, store: Store) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, ANNA, 4)
    await services.undo_requests.agree(request.id, BERT)
    await delivered(services)
    await services.undo_requests.refuse(request.id, CARA)
    assert await how(store, request) == "refused" and await heap(services, game) == 9
    letters = await delivered(services)
    assert kinds(letters) == [("request", "public")], "one message says so"
    await refused(services.undo_requests.agree(request.id, CARA), "This request is over. The game goes on as it is.")
    await refused(services.undo_requests.ask(game, ANNA, 4), "You've already asked for just this, and not everybody agreed.")
    await services.undo_requests.ask(game, BERT, 5)


async def test_silence_refuses_after_a_day_and_never_before(services: Services, store: Store, clock: Clock) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, ANNA, 4)
    due = await services.timers.following("request")
    assert due is not None and (due - clock()).total_seconds() == 24 * 3600
    await delivered(services)
    clock.put_on(hours=23, minutes=59)
    await services.timers.look("request")
    assert await how(store, request) is None and await delivered(services) == []
    clock.put_on(minutes=1)
    await services.timers.look("request")
    assert await how(store, request) == "late" and await services.timers.following("request") is None
    letters = await delivered(services)
    assert kinds(letters) == [("request", "public")], "one message says so"
    await services.timers.look("request")
    assert await delivered(services) == []


async def test_another_time_can_be_given(services: Services, clock: Clock) -> None:
    game = await taken_by_all(services)
    await refused(services.undo_requests.ask(game, ANNA, 4, hours=0), "The others can have 1 to 168 hours to agree.")
    await services.undo_requests.ask(game, ANNA, 4, hours=2)
    due = await services.timers.following("request")
    assert due is not None and (due - clock()).total_seconds() == 2 * 3600


@pytest.mark.parametrize("act", ["answer", "undo", "give"])
async def test_whatever_happens_in_the_game_ends_it(services: Services, store: Store, act: str) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, ANNA, 4)
    await services.undo_requests.agree(request.id, BERT)
    if act == "answer":
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    elif act == "undo":
        await services.undo.undo(game, MASTER)
    else:
        await services.answers.answer(game, CARA, Give.of("seat_1", 1))
    assert await how(store, request) == "overtaken"
    await refused(services.undo_requests.agree(request.id, CARA), "This request is over. The game goes on as it is.")
    await services.undo_requests.ask(game, BERT, 2)


async def test_it_stays_open_while_nothing_happens_in_the_game(services: Services, store: Store) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, ANNA, 4)
    await services.seats.pause(game, MASTER)
    await services.seats.go_on(game, MASTER)
    assert await how(store, request) is None


async def test_who_asked_can_withdraw_and_nobody_else(services: Services, store: Store) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, ANNA, 4)
    await refused(services.undo_requests.withdraw(request.id, BERT), "Only Amber, who asked, can withdraw this.")
    await services.undo_requests.withdraw(request.id, ANNA)
    assert await how(store, request) == "withdrawn"
    await services.undo_requests.ask(game, ANNA, 4)


async def test_one_waits_at_a_time(services: Services) -> None:
    game = await taken_by_all(services)
    await services.undo_requests.ask(game, ANNA, 4)
    await refused(services.undo_requests.ask(game, BERT, 5),
                  "Amber has already asked to undo something. Only one request can be open at a time.")


async def test_an_offer_that_is_out_of_date_asks_nobody(services: Services) -> None:
    game = await taken_by_all(services)
    with pytest.raises(Stale):
        await services.undo_requests.ask(game, ANNA, 4, newest=5)
    assert await delivered(services) == []


async def test_a_game_that_was_closed_takes_nothing_back_and_the_request_lapses(services: Services, store: Store,
                                                                                clock: Clock) -> None:
    game = await taken_by_all(services)
    request = await services.undo_requests.ask(game, BERT, 5)
    await services.seats.close(game, MASTER, "")
    await refused(services.undo_requests.agree(request.id, CARA), "The game is closed.")
    clock.put_on(days=2)
    await services.timers.look("request")
    assert await how(store, request) == "late"


# --- messages of rows that were taken back ------------------------------------------------------------------------

async def strikes(services: Services) -> list[list[tuple[str, bool]]]:
    """What the messages that wait to be struck out would say."""
    waiting = [letter for letter in await services.outbox.pending(200) if letter.kind == "strike"]
    found = [await services.undo.struck(letter.game, letter.payload["letter"]) for letter in waiting]
    await delivered(services)
    return [list(told) for what in found if what is not None for told in [what[1]]]


async def test_only_the_messages_of_the_rows_that_move_are_struck_out(services: Services) -> None:
    game = await taken_by_all(services)
    await services.undo.rollback(game, 4, MASTER)
    assert await strikes(services) == [[("Basalt takes 1 pebble.", True)], [("Chalk takes 1 pebble.", True)]]
    await services.undo.redo(game, MASTER)
    assert await strikes(services) == [[("Basalt takes 1 pebble.", False)], [("Chalk takes 1 pebble.", False)]]


def long_turns(answers: int) -> GameSpec:
    """Pebbles in which each seat answers so often in its turn: what it did first is told only with the rest."""
    def taking(g: Game[State]) -> Script[None]:
        seat = Seat(g.state.seats[g.state.turn // answers % len(g.state.seats)])
        answer = yield from ask(seat, Take, prompt="How many?")
        g.emit(Taken(seat=seat, pebbles=answer.pebbles))
        if g.state.heap <= 0:
            g.emit(Ended())

    return PEBBLES.changed(breaks=(), orders=None, phases={"guessing": guessing, "taking": taking})


async def test_one_line_of_a_message_is_struck_out_alone(store: Store) -> None:
    services = play_on(store, spec=long_turns(2))
    game = await guessed(services)
    for number in (1, 2):
        await services.answers.answer(game, ANNA, Take.of(number, "left"))
    await delivered(services)
    await services.undo.undo(game, MASTER)
    assert await strikes(services) == [[("Amber takes 1 pebble.", False), ("Amber takes 2 pebbles.", True)]]


@pytest.mark.parametrize("earlier", [False, True])
async def test_what_was_told_as_one_line_is_struck_out_with_any_of_its_moves(store: Store, monkeypatch: pytest.MonkeyPatch,
                                                                             earlier: bool) -> None:
    """`earlier`: the letter is from a version that told each move in a line of its own."""
    services, line = play_on(store, spec=long_turns(3)), Taken.line
    if not earlier:
        monkeypatch.setattr(Taken, "line", lambda taken: replace(line(taken), listed="pebbles"))
    game = await guessed(services)
    for number in (1, 2, 2):
        await services.answers.answer(game, ANNA, Take.of(number, "left"))
    await delivered(services)
    monkeypatch.setattr(Taken, "line", lambda taken: replace(line(taken), listed="pebbles"))
    await services.undo.undo(game, MASTER)
    assert await strikes(services) == [
        [("Amber takes 1 pebble.", False), ("Amber takes 2 pebbles.", False), ("Amber takes 2 pebbles.", True)] if earlier else
        [("Amber takes 5 pebbles.", True)]]


def in_words(said: list[list[tuple[str, bool]]]) -> str:
    """Which lines are struck out, as one letter for each."""
    return " ".join("".join("x" if taken else "." for _, taken in lines) for lines in said)


async def a_long_turn(services: Services, answers: int) -> int:
    """So many answers of Anna before anybody hears of them; then nobody else has answered yet."""
    game = await guessed(services)
    for _ in range(answers):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    return game


def many_pebbles() -> GameSpec:
    """A game with a turn that is too much for one message."""
    return long_turns(200).changed(setup=lambda seats, options, parts: State(seats=list(seats), heap=500),
                                   active=lambda state: Seat("seat_1"), when=lambda state: text("A long turn"))


async def test_what_is_too_much_for_one_message_is_told_in_several_and_each_is_struck_out_for_itself(store: Store) -> None:
    services = play_on(store, spec=many_pebbles())
    game = await a_long_turn(services, 200)
    told = [letter for letter in await delivered(services) if letter.kind == "log"][-2:]
    lines = [letter.payload["lines"] for letter in told]
    assert [line for part in lines for line in part] == ["Amber takes 1 pebble."] * 200
    assert all(len("\n".join(f"~~{line}~~" for line in part)) <= 4000 for part in lines)
    assert [letter.payload["first"] for letter in told] == [0, len(lines[0])]
    last = await services.queries.newest(game)
    await services.undo.rollback(game, last - 100, MASTER)
    flags = iter("." * 100 + "x" * 100)
    assert in_words(await strikes(services)) == " ".join("".join(next(flags) for _ in part) for part in lines)
    await services.undo.redo(game, MASTER)
    assert set(in_words(await strikes(services))) == {".", " "}


async def test_what_stays_of_a_turn_is_told_once_and_nobody_hears_of_what_was_taken_back_before(store: Store) -> None:
    services = play_on(store, spec=long_turns(3))
    game = await guessed(services)
    for number in (1, 2):
        await services.answers.answer(game, ANNA, Take.of(number, "left"))
    await delivered(services)
    await services.undo.take_back(game, ANNA)
    letters = await delivered(services)
    assert {kind for kind, _ in kinds(letters)} <= {"question", "private", "status"}, "nobody has been told of it"
    assert [letter.payload["follows"] for letter in letters if letter.kind == "question"] == [True], "nor is she called"
    for number in (3, 3):
        await services.answers.answer(game, ANNA, Take.of(number, "left"))
    told = [line for letter in await delivered(services) if letter.kind == "log" for line in letter.payload["lines"]]
    assert told == ["Amber takes 1 pebble.", "Amber takes 3 pebbles.", "Amber takes 3 pebbles."]


async def test_what_was_never_told_and_comes_back_is_told_then(store: Store) -> None:
    services = play_on(store, spec=long_turns(3))
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))       # she goes on alone, so nobody has heard of it
    await delivered(services)
    await services.undo.undo(game, MASTER)
    assert [letter.kind for letter in await delivered(services) if letter.kind == "log"] == []
    await services.undo.redo(game, MASTER)
    letters = await delivered(services)
    assert letters[0].payload["lines"] == ["Amber takes 1 pebble."] and "<@900> undid" in letters[1].payload["text"]
    await services.undo.undo(game, MASTER)
    await services.undo.redo(game, MASTER)
    assert [letter.kind for letter in await delivered(services) if letter.kind == "log"] == [], "once is enough"


# --- on Discord -----------------------------------------------------------------------------------------------------

async def turns(world: World) -> None:
    """Alice and Bob have both taken pebbles: rows 3 and 4."""
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)


async def asked(world: World) -> Any:
    """Alice asks to go back before her turn, by taps alone; the message that everybody sees."""
    stays = await world.alice.slash(world.table, "my undo")
    shown = await world.alice.click(stays.response, label="Ask the others")
    assert words(shown) == ("Basalt must agree to undo this:\n> Amber takes 2 pebbles.\n"
                            "> Basalt takes 1 pebble.")
    done = await world.alice.click(shown.response, label="Ask them")
    assert words(done).startswith("You asked Basalt. Your request ends")
    return world.question("**Amber** asks to undo this:")


async def test_the_last_move_is_meant_unless_an_earlier_one_is_chosen(world: World) -> None:
    await turns(world)
    stays = await world.alice.slash(world.table, "my undo")
    last = await world.alice.click(stays.response, label="Ask the others")
    assert labels(last.response) == ["Ask them", "An earlier move", "Cancel"]
    listed = await world.alice.click(last.response, label="An earlier move")
    newest, *earlier = options(listed.response)
    assert newest == "Step 3: Amber takes 2 pebbles." and earlier and labels(listed.response)[-1] == "Back"
    before = await world.alice.select(listed.response, [options(listed.response)[earlier[0]]])
    assert words(before).startswith("Basalt must agree to undo this:\n> All have guessed.")
    again = await world.alice.click(before.response, label="Another move")
    assert list(options(again.response)) == [newest, *earlier]
    assert words(await world.alice.click(again.response, label="Back")) == words(last)


async def test_the_panel_offers_to_ask_whenever_the_command_does(world: World) -> None:
    await turns(world)
    may = [await can_ask(world.services, 1, one.id) for one in (world.bob, world.alice, world.olga)]
    assert may == [True, True, False], "who has no seat has no move"
    panel, command = [(await world.alice.slash(world.table, name)).response for name in ("my move", "my undo")]
    (asking,) = [id for label, id in custom_ids(panel).items() if label == "Ask to undo"]
    assert asking in custom_ids(command).values()


async def test_where_dice_followed_ones_own_move_the_panel_leads_to_the_question_of_the_others(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await turns(world)
    monkeypatch.setattr(Visit, "undoable", None)
    panel = await world.bob.slash(world.table, "my move")
    assert words(await world.bob.click(panel.response, label="Ask to undo")).startswith("Amber must agree to undo this:")


async def test_whether_undo_is_offered_tells_nobody_which_sealed_answers_are_in(world: World) -> None:
    """P-28: the button would come and go with them."""
    await world.started()
    for guessed_by in (None, world.alice):
        if guessed_by is not None:
            await world.services.answers.answer(1, guessed_by.id, Guess(pebbles=3))
        assert [await can_ask(world.services, 1, one.id) for one in (world.alice, world.bob)] == [False, False]


async def test_the_others_are_asked_by_taps_and_agree_by_a_tap(world: World) -> None:
    await turns(world)
    message = await asked(world)
    assert f"Still to agree: Basalt ({world.bob.mention})." in message.content
    assert labels(message) == ["Agree", "Refuse", "Withdraw (Amber only)"]
    assert words(await world.bob.click(message, label="Agree")) == "", "the message says it"
    assert (await world.services.session.table(1)).state.heap == 12
    message = world.question("**Amber** asks to undo")
    assert message.content.endswith("-# Everybody agreed.") and labels(message) == []
    assert sum("asks to undo" in post for post in world.posts()) == 1
    assert "~~Amber takes 2 pebbles.~~" in world.told() and "~~Basalt takes 1 pebble.~~" in world.told()
    await world.olga.slash(world.table, "gm redo")
    assert "Amber takes 2 pebbles." in world.told() and not any("~~" in post for post in world.posts())


async def test_the_message_says_who_has_still_to_agree(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    for player in (world.alice, world.bob, world.carol):
        await player.slash(world.table, "pebbles guess", pebbles=3)
    for player in (world.alice, world.bob, world.carol):
        await player.slash(world.table, "pebbles take", pebbles=1)
    request = await world.services.undo_requests.ask(1, world.alice.id, 4)
    await world.env.settle()
    message = world.question("asks to undo")
    assert words(await world.bob.click(message, label="Agree")) == ""
    message = world.question("asks to undo")
    assert f"Still to agree: Chalk ({world.carol.mention}).\nAgreed: Basalt." in message.content
    assert words(await world.carol.click(message, label="Refuse")) == ""
    assert world.question("asks to undo").content.endswith("-# Chalk said no. Nothing changes.")
    assert sum("said no" in post for post in world.posts()) == 1, "the end of a request is told once"
    assert request.agreed == {TWO: False, THREE: False}


async def test_nobody_else_decides_and_old_buttons_do_nothing(world: World) -> None:
    await turns(world)
    message = await asked(world)
    old = [button(label, AnyRoute(name), 1, 1)
           for label, name in (("Agree", "agree"), ("Refuse", "disagree"), ("Withdraw (Amber only)", "withdraw"))]
    assert words(await world.carol.click(message, label="Agree")).startswith(NO_SEAT)
    assert words(await world.alice.click(message, label="Agree")) == "You aren't one of those who must agree to this."
    for other in (world.bob, world.max):
        assert words(await other.click(message, label="Withdraw (Amber only)")) == "Only Amber, who asked, can withdraw this."
    assert words(await world.alice.click(message, label="Withdraw (Amber only)")) == ""
    await world.bot.get_partial_messageable(world.table.id).send("Seen late", view=view(old))
    for label in ("Agree", "Refuse", "Withdraw (Amber only)"):
        said = words(await world.bob.click(world.question("Seen late"), label=label))
        assert said == "This request is over. The game goes on as it is."
    assert (await world.services.session.table(1)).state.heap == 9


async def test_a_button_of_one_game_answers_no_request_of_another(world: World) -> None:
    await turns(world)
    await asked(world)
    channel = world.bot.get_partial_messageable(world.table.id)
    await world.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="Other",
                                    guild=world.guild.id,
                          channel=world.elsewhere.id, owner=world.olga.id)
    await channel.send("Left behind", view=view([button("Agree", AnyRoute("agree"), 2, 1)]))
    assert words(await world.bob.click(world.question("Left behind"), label="Agree")) == "There is no such request."
    assert (await world.services.session.table(1)).state.heap == 9


async def test_after_a_restart_the_buttons_work_and_silence_still_refuses(world: World) -> None:
    await turns(world)
    message = await asked(world)
    await world.restart()
    assert await world.store.read(lambda ledger: ledger.undo.open_request(1)) is not None
    assert words(await world.bob.click(message, label="Agree")) == "", "the message says it"


async def test_the_pulse_ends_what_nobody_answered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await turns(world)
    await asked(world)
    later = discord.utils.utcnow() + timedelta(hours=25)
    monkeypatch.setattr(world.services.session, "now", lambda: later)
    await world.store.write(
        lambda ledger: ledger.presence.beat(world.services.session.time()))          # the bot was there meanwhile
    await world.bot.scheduler.look(later)
    await world.env.settle()
    assert world.question("asks to undo").content.endswith("-# Time is up, and not everybody agreed. Nothing changes.")
    assert sum("Time is up" in post for post in world.posts()) == 1, "the end of a request is told once"


async def test_messages_are_struck_out_after_the_news_and_only_once(world: World) -> None:
    await turns(world)
    world.mute()
    await world.services.undo.rollback(1, 2, world.olga.id)
    await world.restart()
    await world.env.settle()
    said = [words_sent(request.json) for request in world.env.http_requests if isinstance(request.json, dict)]
    question = max(number for number, content in enumerate(said) if content.startswith(f"{world.alice.mention} **Amber**"))
    struck = [number for number, content in enumerate(said) if "~~" in content]
    assert [said[number] for number in struck] == [
        "### Turn 1\nAll have guessed.\n### Amber · Turn 1\n~~Amber takes 2 pebbles.~~",
        "### Basalt · Turn 2\n~~Basalt takes 1 pebble.~~"]
    assert struck[0] > question


async def test_all_messages_of_what_was_too_much_for_one_are_struck_out(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (many_pebbles(),)) as world:
        await world.guessed()
        for _ in range(200):
            await world.services.answers.answer(1, world.alice.id, Take.of(1, "left"))
        await world.env.settle()
        told = [content for content in world.posts() if "Amber takes 1 pebble." in content]
        assert len(told) == 2
        await world.services.undo.rollback(1, 2, world.olga.id)
        await world.env.settle()
        struck = [content for content in world.posts() if "~~Amber" in content]
        assert struck == ["\n".join(f"~~{line}~~" if line.startswith("Amber") else line for line in content.split("\n"))
                          for content in told]


async def test_a_message_that_is_gone_holds_nothing_up(world: World) -> None:
    await turns(world)
    await world.question("Amber takes 2 pebbles.").delete()
    await world.olga.slash(world.table, "gm rollback", row=2)
    await world.services.undo.rollback(1, 2, world.olga.id)
    await world.env.settle()
    assert "~~Basalt takes 1 pebble.~~" in world.told()
    assert [letter for letter in await world.services.outbox.pending(99)] == []
