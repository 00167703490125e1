"""Seats that change hands: for good, for a while, or to nobody; who loses what, and who gets what."""
from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.discord.components import AnyRoute, button, view
from bot.domain.announcements import choice_id
from bot.service import Services
from bot.store import OrderRow, Store
from engine.catalog import GAMES
from engine.kernel import Action, Seat, Table
from engine.orders import Order, OrderLine
from engine.refusals import Refusal
from engine.selfplay import random_answer
from engine.text import text
from tests.bot.desk import ANNA, BERT, CARA, MASTER, crashed, delivered, guessed, kinds, notices, play_on, started
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.bot.test_masters import overdue
from tests.bot.test_whole_game import sketch
from tests.often_said import FOR_MASTERS_OR_ROLE, NO_SEAT
from tests.toy import PEBBLES, Guess, Take

ONE, TWO = Seat("seat_1"), Seat("seat_2")
DAVE = 104


def cautious(state: Any, seat: Seat, options: tuple[Action, ...]) -> Action | None:
    """A caretaker that takes two pebbles where it can, and has no view about guesses."""
    return Take.of(2, "right") if Take.of(2, "right") in options else None


KEPT = PEBBLES.changed(caretaker=cautious, care=text("it takes two pebbles at a time"))


@pytest.fixture
def services(store: Store) -> Services:
    return play_on(store, spec=KEPT)


async def last_act(services: Services, game: int) -> str:
    return (await services.queries.audit(game, page=1))[0][-1].removeprefix("<t:1775044800:f> ")


# --- a stand-in -----------------------------------------------------------------------------------------------------

async def test_a_stand_in_plays_until_the_holder_is_back(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER, name="Cara")
    letters = await delivered(services)
    assert [(kind, audience) for kind, audience in kinds(letters) if kind != "status"] == [
        ("notice", "public"), ("farewell", ONE), ("private", ONE), ("question", ONE)]
    assert letters[0].payload == {
        "text": "Game master <@900> lets <@103> stand in for <@101> and play Amber until <@101> is back."}
    assert letters[1].payload == {"user": ANNA, "text": "<@103> stands in for you now. `/my back` takes your seat back."}
    assert next(letter for letter in letters if letter.kind == "private").payload["text"] == "Your guess: 1."
    assert await last_act(services, game) == "<@900> let <@103> stand in for Amber."
    with pytest.raises(Refusal, match="<@103> stands in for you"):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.answers.answer(game, CARA, Take.of(1, "left"))
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert await services.seats.back(game, ANNA) == ONE
    assert (await notices(services))[-1] == "<@101> is back and plays Amber again."
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.answers.answer(game, CARA, Take.of(1, "left"))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))


async def test_the_holder_still_sees_what_the_seat_sees(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    assert await services.queries.sight_of(game, ANNA) == await services.queries.sight_of(game, CARA) == ONE
    assert await services.queries.seat_of(game, ANNA) is None and await services.queries.seat_of(game, CARA) == ONE
    assert [row.id for row in await services.queries.games(user=ANNA)] == [game]
    await services.seats.back(game, ANNA)
    assert await services.queries.sight_of(game, CARA) is None


async def test_the_wish_for_no_direct_message_and_the_name_come_back_with_the_holder(services: Services) -> None:
    game = await guessed(services)
    await services.queries.met(game, ANNA, "Anna", 8)
    await services.seats.set_private(game, ANNA, False)
    await services.consent.stand_in(game, ONE, CARA, MASTER, name="Cara")
    assert next((holder.name, holder.private) for holder in await services.queries.holders(game)) == ("Cara", True)
    await services.seats.back(game, ANNA)
    assert next((holder.name, holder.private) for holder in await services.queries.holders(game)) == ("Anna", False)


async def test_a_stand_in_who_resigns_gives_the_seat_back(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    await delivered(services)
    await services.seats.resign(game, CARA)
    assert await notices(services) == ["<@103> no longer stands in for <@101>, who plays Amber again."]
    assert [wait.user for wait in await services.queries.waiting(game)] == [ANNA]


async def test_one_stand_in_follows_another_and_the_seat_stays_its_holders(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    await services.consent.stand_in(game, ONE, DAVE, MASTER)
    await delivered(services)
    await services.seats.back(game, ANNA)
    farewell = next(letter for letter in await services.outbox.pending() if letter.kind == "farewell")
    assert farewell.payload["user"] == DAVE
    assert [holder.user for holder in await services.queries.holders(game)] == [ANNA, BERT]


@pytest.mark.parametrize("user, why", [
    (BERT, "<@102> already has a seat in this game."), (CARA, "<@103> already has a seat in this game."),
    (ANNA, "This is <@101>'s own seat. `/my back` takes it back.")])
async def test_nobody_stands_in_who_sits_at_the_table(services: Services, user: int, why: str) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    before = await services.queries.holders(game)
    with pytest.raises(Refusal) as refusal:
        await services.consent.stand_in(game, ONE, user, MASTER)
    assert str(refusal.value) == why and await services.queries.holders(game) == before


async def test_a_holder_with_a_stand_in_can_take_no_other_seat(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    with pytest.raises(Refusal, match=r"<@101> already has a seat in this game."):
        await services.consent.hand_over(game, TWO, ANNA, MASTER)
    with pytest.raises(Refusal, match=r"Nobody plays seat 2, so nobody can stand in"):
        await services.seats.resign(game, BERT)
        await services.consent.stand_in(game, TWO, DAVE, MASTER)


async def test_a_seat_handed_over_for_good_comes_back_to_nobody(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    await services.consent.hand_over(game, ONE, DAVE, MASTER)
    for user in (ANNA, CARA):
        with pytest.raises(Refusal, match=NO_SEAT):
            await services.seats.back(game, user)
        assert await services.queries.sight_of(game, user) is None
    await services.answers.answer(game, DAVE, Take.of(1, "left"))


async def test_a_stand_in_outlives_a_restart(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    again = play_on(store, spec=KEPT)
    await again.answers.answer(game, CARA, Take.of(1, "left"))
    await again.seats.back(game, ANNA)
    assert await play_on(store, spec=KEPT).queries.seat_of(game, ANNA) == ONE


async def test_a_seat_and_its_letters_change_hands_together(services: Services, tmp_path: Path, store: Store) -> None:
    game = await guessed(services)
    await services.consent.hand_over(game, ONE, CARA, MASTER)
    copy = Store(crashed(store.path, tmp_path / "killed"))
    left = play_on(copy, spec=KEPT)
    assert [(kind, audience) for kind, audience in kinds(await left.outbox.pending()) if kind != "status"] == [
        ("notice", "public"), ("farewell", ONE), ("private", ONE), ("question", ONE)]
    assert await left.queries.seat_of(game, CARA) == ONE
    copy.close()


# --- what a change of hands must not tell ---------------------------------------------------------------------------

@pytest.mark.parametrize("answered", [(), (ANNA,), (BERT,), (ANNA, BERT)])
async def test_a_handover_does_not_tell_which_sealed_answers_are_in(services: Services, answered: tuple[int, ...]) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    for member in answered:
        await services.answers.answer(game, member, Guess.of(4))
    await delivered(services)
    await services.consent.hand_over(game, ONE, DAVE, MASTER)
    notice, question = [letter for letter in await delivered(services) if letter.kind not in ("farewell", "status")]
    assert notice.payload == {"text": "Game master <@900> takes Amber from <@101> and gives it to <@104>."}
    assert question.audience == ONE and len(question.payload["buttons"]) == 10
    assert "quiet" not in question.payload, "whom a message notifies stands in it for everybody"


@pytest.mark.parametrize("answered", [(), (ANNA,), (BERT,), (ANNA, BERT)])
async def test_the_end_of_a_pause_does_not_tell_which_sealed_answers_are_in(services: Services,
                                                                            answered: tuple[int, ...]) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    for member in answered:
        await services.answers.answer(game, member, Guess.of(4))
    await services.seats.pause(game, MASTER)
    await delivered(services)
    await services.seats.go_on(game, MASTER)
    assert kinds(await delivered(services)) == [("notice", "public"), *(("question", f"seat_{number}") for number in (1, 2, 3))]


async def test_orders_of_the_seat_are_dropped_whoever_gets_it(services: Services, store: Store) -> None:
    for change in (lambda game: services.consent.hand_over(game, ONE, CARA, MASTER),
                   lambda game: services.consent.stand_in(game, ONE, CARA, MASTER),
                   lambda game: services.seats.care(game, ONE, MASTER), lambda game: services.seats.resign(game, ANNA)):
        game = await guessed(services)
        await ordered(store, game)
        await change(game)
        assert await store.read(lambda ledger, game=game: ledger.orders.orders(game)) == []


async def test_orders_given_before_a_stand_in_came_do_not_wake_when_the_holder_is_back(services: Services, store: Store) -> None:
    game = await guessed(services)
    await ordered(store, game)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    await services.seats.back(game, ANNA)
    assert await store.read(lambda ledger: ledger.orders.orders(game)) == []


async def ordered(store: Store, game: int) -> None:
    """Anna has left an order for a question that nobody asks."""
    order = Order(id=1, seat=ONE, points=("TOY-9",), lines=(OrderLine(),))
    row = OrderRow(order=order, user=ANNA, paused=False, place=1)
    await store.write(lambda ledger: ledger.orders.add_order(game, row, "2026-04-01T12:00:00+00:00"))


# --- a caretaker ----------------------------------------------------------------------------------------------------

async def test_a_caretaker_answers_in_place_of_the_defaults(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.seats.resign(game, ANNA)                               # Amber's default: one pebble
    await services.answers.answer(game, BERT, Take.of(3, "left"))           # and one more
    await delivered(services)
    await services.seats.care(game, ONE, MASTER)
    assert await notices(services) == ["Game master <@900> no longer leaves Amber free. A caretaker plays it until "
                                       "somebody takes it over."]
    assert await last_act(services, game) == "<@900> gave Amber to a caretaker."
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 4, "seat_2": 4}
    again = play_on(store, spec=KEPT)
    await again.answers.answer(game, BERT, Take.of(1, "left"))
    assert (await again.session.table(game)).state.taken == {"seat_1": 6, "seat_2": 5}


async def test_a_caretaker_can_take_over_from_a_player_who_vanished(services: Services) -> None:
    game = await guessed(services)
    await services.seats.care(game, ONE, MASTER)
    letters = await delivered(services)
    assert letters[0].payload["text"].startswith("Game master <@900> takes Amber from <@101>. A caretaker plays it")
    assert letters[1].payload == {"user": ANNA, "text": "The game master has given your seat to a caretaker."}
    assert (await services.session.table(game)).state.taken == {"seat_1": 2}
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))


async def test_a_caretaker_lets_go(services: Services) -> None:
    game = await guessed(services)
    await services.seats.care(game, TWO, MASTER)
    await delivered(services)
    await services.seats.care(game, TWO, MASTER, wanted=False)
    assert await notices(services) == ["Game master <@900> takes Basalt from its caretaker. Default moves are played until "
                                       "somebody takes it over."]
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 1, "seat_2": 1}
    await services.consent.hand_over(game, TWO, CARA, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [wait.user for wait in await services.queries.waiting(game)] == [CARA]


async def test_a_seat_given_up_goes_to_a_caretaker_if_the_game_master_wants_it(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.seats.care_for_free_seats(game, MASTER, wanted=True)
    again = play_on(store, spec=KEPT)
    await again.seats.resign(game, ANNA)
    assert (await again.session.table(game)).state.taken == {"seat_1": 2}
    assert [holder.caretaker for holder in await again.queries.holders(game)] == [True, False]


async def test_what_a_caretaker_cannot_do_is_refused(services: Services, store: Store) -> None:
    game = await guessed(services)
    with pytest.raises(Refusal, match=r"No caretaker plays seat 1."):
        await services.seats.care(game, ONE, MASTER, wanted=False)
    await services.seats.care(game, ONE, MASTER)
    with pytest.raises(Refusal, match=r"A caretaker already plays seat 1."):
        await services.seats.care(game, ONE, MASTER)
    bare = play_on(store, spec=PEBBLES)
    for act in (bare.seats.care(game, ONE, MASTER), bare.seats.care_for_free_seats(game, MASTER, wanted=True)):
        with pytest.raises(Refusal, match=r"Pebbles has no caretaker. Default moves are played for free seats."):
            await act


async def test_caretakers_alone_do_not_play_a_game_to_its_end(services: Services) -> None:
    game = await guessed(services)
    await services.seats.care(game, ONE, MASTER)
    await delivered(services)
    newest = await services.queries.newest(game)
    await services.seats.care(game, TWO, MASTER)
    assert (await services.queries.game(game)).status == "paused" and await services.queries.newest(game) == newest
    assert await notices(services) == [
        "Game master <@900> takes Basalt from <@102>. There is nobody left to move, so the game is paused."]


async def test_what_the_caretaker_answered_is_no_decision_that_an_undo_stops_at(services: Services) -> None:
    game = await guessed(services)
    await services.seats.care(game, TWO, MASTER)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    assert (await services.session.table(game)).state.heap == 7
    await services.undo.undo(game, MASTER)
    assert (await services.session.table(game)).state.heap == 12


# --- on Discord -----------------------------------------------------------------------------------------------------

@pytest_asyncio.fixture
async def kept(tmp_path: Path) -> AsyncIterator[World]:
    """The club, with pebbles that a caretaker can play."""
    async with World.at(tmp_path / "games.db", games=(KEPT,)) as world:
        yield world


async def test_a_stand_in_on_discord(world: World) -> None:
    await world.guessed()
    said = words(await world.olga.slash(world.table, "gm standin", seat="Amber", member=world.carol))
    assert said == f"{world.carol.mention} plays Amber until its player is back."
    old = world.letters(world.alice)
    assert old == [f"**Pebbles** (game 1): {world.carol.mention} stands in for you now. `/my back` takes your seat back."]
    assert "Your guess: 3." in world.letters(world.carol)[0]
    assert f"Amber: {world.carol.mention} for {world.alice.mention}" in words(await world.bob.slash(world.table, "game status"))
    refusal = "Somebody stands in for you. `/my back` takes your seat back."
    assert words(await world.alice.slash(world.table, "pebbles take", pebbles=1)) == refusal
    assert "Your guess: 3." in words(await world.alice.slash(world.table, "my move"))
    question = world.question("**Amber**: The heap")
    assert question.content.startswith(world.carol.mention)
    assert words(await world.alice.click(question, label=labels(question)[0])) == refusal
    await world.restart()
    said = words(await world.alice.slash(world.table, "my back"))
    assert said.startswith("Welcome back. You play Amber again.")
    assert world.letters(world.carol) == [f"**Pebbles** (game 1): You no longer stand in for {world.alice.mention}."]
    assert "Your guess: 3." in world.letters(world.alice)[-1]
    assert words(await world.carol.slash(world.table, "my move")).startswith(NO_SEAT)
    assert words(await world.alice.slash(world.table, "pebbles take", pebbles=1)).startswith("Amber takes 1 pebble.")


async def test_a_stand_in_gives_the_seat_back_on_discord(world: World) -> None:
    await world.guessed()
    await world.olga.slash(world.table, "gm standin", seat="Amber", member=world.carol)
    shown = await world.carol.slash(world.table, "game resign")
    assert words(shown) == f"Give Amber in Pebbles back to {world.alice.mention}?"
    await world.carol.click(shown.response, label="Resign")
    assert await world.services.queries.seat_of(1, world.alice.id) == ONE
    assert await world.services.queries.sight_of(1, world.carol.id) is None


async def chosen(world: World, seat: str, who: str) -> Any:
    """What the game master is shown who chooses in the panel of seats who is to play one."""
    panel = await world.olga.slash(world.table, "gm seats")
    panel = await world.olga.select(panel.response, [seat], custom_id="seatsof:1")
    return await world.olga.select(panel.response, [who], custom_id=f"seatput:1:{seat}")


async def test_a_caretaker_on_discord(kept: World) -> None:
    world = kept
    await world.opened()
    for player in (world.alice, world.bob):
        await player.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    panel = await chosen(world, ONE, "caretaker")
    assert words(panel) == (f"Take Amber from {world.alice.mention} and give it to a caretaker (it takes two pebbles at a "
                            "time)?")
    assert (await world.services.queries.holders(1))[0].user == world.alice.id
    await world.olga.click(panel.response, label="Take the seat")
    assert "Amber: a caretaker" in words(await world.bob.slash(world.table, "game status"))
    assert words(await world.alice.slash(world.table, "my move")).startswith(NO_SEAT)
    panel = await world.olga.slash(world.table, "gm seats")
    await world.olga.click(panel.response, label="A caretaker for seats given up later")
    leaving = words(await world.bob.slash(world.table, "game resign"))
    assert leaving == ("Give up your seat in Pebbles? A caretaker will play it until somebody else takes it over.")
    await chosen(world, ONE, "nobody")
    assert "Amber: nobody" in words(await world.bob.slash(world.table, "game status"))


async def test_the_note_about_a_silent_seat_offers_the_caretaker(kept: World) -> None:
    await kept.guessed()
    await overdue(kept)
    (note,) = [message for message in kept.olga.user.dm_channel.history() if "no move for three days" in message.content]
    assert labels(note) == ["Default for Amber", "Caretaker for Amber"]


async def test_who_is_no_game_master_moves_nobody(kept: World) -> None:
    await kept.guessed()
    for command, given in (("standin", {"seat": "Amber", "member": kept.carol}), ("seats", {})):
        assert words(await kept.bob.slash(kept.table, f"gm {command}", **given)) == FOR_MASTERS_OR_ROLE
    shown = await chosen(kept, ONE, "caretaker")
    await kept.olga.slash(kept.table, "gm hand", seat="Amber", member=kept.carol)
    said = words(await kept.olga.click(shown.response, label="Take the seat"))
    assert said == "Somebody else has that seat now. Type /gm seats again."
    assert (await kept.services.queries.holders(1))[0].user == kept.carol.id


# --- in the middle of an attack -------------------------------------------------------------------------------------

@pytest_asyncio.fixture
async def empires(tmp_path: Path) -> AsyncIterator[World]:
    """The club, with Struggle of Empires and quick pictures."""
    async with World.at(tmp_path / "games.db", games=GAMES[:1], draw=sketch) as world:
        yield world


async def called(world: World, seed: int) -> Table:
    """A game for four in which an ally is asked for help, in an attack under way; nothing was posted on the way there."""
    await world.olga.slash(world.table, "game open", game=GAMES[0].key, seats=4)
    for player in (world.alice, world.bob, world.carol, world.max):
        await player.slash(world.table, "game join")
    world.mute()
    await world.services.lobby.start(1, world.olga.id)
    chance = random.Random(seed)
    while not (await world.services.session.table(1)).over:
        table = await world.services.session.table(1)
        waiting = table.waiting()[0]
        if waiting.point in ("DP-12", "DP-14"):
            break
        options = table.options(waiting.seat)
        attacks = [option for option in options if option.verb == "attack"]
        users = {holder.seat: holder.user for holder in await world.services.queries.holders(1)}
        await world.services.answers.answer(1, users[waiting.seat], random_answer(attacks or options, chance.randrange))
    await world.restart()
    await world.env.advance_time(60)
    return await world.services.session.table(1)


async def test_a_handover_in_the_middle_of_an_attack(empires: World) -> None:
    world = empires
    table = await called(world, 3)
    (asked,) = table.waiting()
    people = {person.id: person for person in (world.alice, world.bob, world.carol, world.max)}
    old = people[next(holder.user for holder in await world.services.queries.holders(1) if holder.seat == asked.seat)]
    power = table.state.power(asked.seat)
    question = world.question("asks for your help")
    menu = await old.slash(world.table, "my move")
    zoe = world.guild.add_member(world.env.create_user("zoe"))
    await world.olga.slash(world.table, "gm hand", seat=asked.seat, member=zoe)
    before = await world.newest()
    assert question.id not in [post.id for post in world.table.history()], "the question to its old holder is gone"
    kept = button("Send nothing", AnyRoute("do"), 1, asked.seat, table.asked_at, choice_id(table.options(asked.seat)[0]))
    await world.bot.get_partial_messageable(world.table.id).send("Left behind", view=view([kept]))
    assert "It's Spain's move." in words(await old.click(world.question("Left behind"), label="Send nothing"))
    sending = next(label for label in custom_ids(menu.response) if label.startswith("Send"))
    assert "It's Spain's move." in words(await old.click(menu.response, label=sending))
    assert words(await old.slash(world.table, "struggle commit", armies=0, navies=0)).startswith(NO_SEAT)
    assert words(await old.slash(world.table, "my move")).startswith(NO_SEAT)
    assert await old.autocomplete(world.table, "struggle commit", "armies", "") == []
    assert world.letters(old)[-1].endswith("The game master has given your seat to somebody else.")
    assert await world.newest() == before, "nothing of the old holder counts any more"
    assert f"Your unrest: {table.state.unrest[power]}." in world.letters(zoe)[-1]
    anew = world.question("asks for your help")
    assert anew.id != question.id and anew.content.startswith(zoe.mention)
    answer = table.options(asked.seat)[0]
    label = next(label for label, id in custom_ids(anew).items() if choice_id(answer) in id)
    await world.restart()
    await zoe.click(anew, label=label)
    assert await world.newest() > before
