"""What somebody does in another's name: told when it happens, marked in history, status and record, told to whose seat it is."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.core.snapshot import IN_NAMES
from bot.discord.game.status import standing
from bot.domain.deadlines import read as clock_of
from bot.service import Services
from bot.service.queries import in_names
from bot.store import Allowed, Store
from engine import record
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply
from engine.proxies import Proxy, read
from engine.refusals import Faulty, Refusal
from engine.text import Reader, Text, say
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, guessed, opened, play_on, started
from tests.bot.discord_world import World, words
from tests.forging import bodies, chained
from tests.often_said import FOR_MASTERS, NO_RECORD
from tests.toy import PEBBLES, Give, Guess, Take

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NAMES = Reader({"seat_1": "Amber", "seat_2": "Basalt", "seat_3": "Chalk"})
KEPT = PEBBLES.changed(caretaker=lambda state, seat, options: None)
PAGE = Path("docs/verify.py").read_text(encoding="utf-8")


def by(proxy: Proxy, seat: Seat = ONE) -> str:
    """What stands in brackets beside a move that was made in a seat's name."""
    return say(proxy.note(seat), NAMES)


BY_MASTER, BY_STANDIN = by(Proxy("gm", 900)), by(Proxy("standin", 103))


@pytest.fixture
def services(store: Store, clock: Clock) -> Services:
    return play_on(store, clock=clock, spec=KEPT)


async def told(services: Services, *wanted: str) -> list[str]:
    return [letter.payload["text"] for letter in await delivered(services) if letter.kind in (wanted or ("notice",))]


async def history(services: Services, game: int) -> list[tuple[int, str]]:
    return [(no, say(line, NAMES)) for no, _, line in (await services.queries.history(game, page=1, size=50))[0]]


async def finish(services: Services, game: int) -> None:
    while not (await services.session.table(game)).over:
        (waits,) = await services.queries.waiting(game)
        assert waits.user is not None
        await services.answers.answer(game, waits.user, Take.of(min(3, (await services.session.table(game)).state.heap), "left"))


# --- the word of a row ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("proxy", [Proxy("gm", 900), Proxy("standin", 103, sealed=True), Proxy("caretaker"),
                                   Proxy("clock", None, sealed=True)])
def test_a_row_carries_it_and_gives_it_back(proxy: Proxy) -> None:
    assert read(proxy.written()) == proxy


@pytest.mark.parametrize("words", ["", "gm", "gm:x", "gm:900:open", "clock:7", "owner:1", "gm:900 **", "gm:" + "9" * 21])
def test_what_is_no_such_word_says_nothing(words: str) -> None:
    assert read(words) is None


# --- a game master ----------------------------------------------------------------------------------------------------


async def names(services: Services, game: int) -> list[tuple[int, Text]]:
    """The rows of which the status says that somebody answered them in a seat's name."""
    visit = await services.visits.onlooker(game)
    return in_names(visit.snapshot.in_names, visit.table.sealed)[-3:]


async def test_an_answer_of_the_game_master_is_told_to_all_and_its_content_to_whose_seat_it_is(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, Take.of(3, "left"), MASTER)
    letters = await delivered(services)
    assert letters[0].payload == {"text": "Game master <@900> moves for Amber (<@101>)."}
    assert [letter.payload for letter in letters if letter.kind == "proxy"] == [
        {"user": ANNA, "text": f"Amber: Take 3 pebbles, left ({BY_MASTER})."}]
    assert (await history(services, game))[-1] == (3, f"Amber takes 3 pebbles. ({BY_MASTER})")
    assert await names(services, game) == [(3, Proxy("gm", MASTER).note(ONE))]
    assert f"Step 3: {BY_MASTER}" in say(standing(await services.visits.onlooker(game), services.session.now()), NAMES)
    assert f"Amber takes 3 pebbles. ({BY_MASTER})" in await services.records.export(game)
    assert (await services.queries.audit(game, page=1, size=50))[0][-1].endswith("<@900> moved for Amber in step 3.")
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert "(" not in (await history(services, game))[-1][1], "who answers for himself is not marked"


async def test_the_status_names_a_move_in_force_however_many_later_ones_were_undone(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, Take.of(3, "left"), MASTER)
    for _ in range(IN_NAMES):
        await services.answers.answer_for(game, TWO, Take.of(1, "left"), MASTER)
        await services.undo.undo(game, MASTER)
    assert [no for no, _ in await names(services, game)] == [3]


async def test_in_the_whole_record_the_row_says_who_and_it_comes_in_again(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, None, MASTER)
    await finish(services, game)
    text = await services.records.export(game)
    rows = {row.get("no"): row for row in map(json.loads, text.splitlines())}
    assert rows[3]["proxy"] == "gm:900" and not any("proxy" in row for no, row in rows.items() if no != 3)
    page: dict[str, Any] = {"__name__": "page"}
    exec(PAGE, page)
    assert "as the secret gives them" in page["verify"](text.splitlines())
    taken = await services.records.take_in(text, by=BERT, guild=8, channel=7)
    assert await services.records.export(taken.id) == text
    assert (3, f"Amber takes 1 pebble. ({BY_MASTER})") in await history(services, taken.id)


async def test_a_record_with_another_word_is_refused(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, None, MASTER)
    await finish(services, game)
    lines = bodies(await services.records.export(game))
    for body in lines:
        body.update({"proxy": "gm:900:@everyone"} if "proxy" in body else {})
    with pytest.raises(Faulty, match=NO_RECORD):
        record.read(chained(lines))


async def test_an_act_that_answers_no_question_is_marked_too(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.answers.answer_for(game, ONE, Give.of(TWO, 1), MASTER)
    assert (await history(services, game))[-1] == (4, f"Amber gives Basalt 1 pebble. ({BY_MASTER})")


async def test_a_return_says_which_game_master_it_was(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.undo(game, MASTER)
    assert (await told(services))[-1].startswith("Game master <@900> undid")
    assert (await history(services, game))[-1][1].endswith("<@900> went back to step 2.")


# --- under seal -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("answered", [False, True])
async def test_SOE_21_1_8_nobody_learns_whether_a_sealed_answer_was_in(services: Services, answered: bool) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    if answered:
        await services.answers.answer(game, ANNA, Guess.of(7))
    await delivered(services)
    done = await services.answers.answer_for(game, ONE, None, MASTER)
    assert not done.lines and not done.private
    letters = await services.outbox.pending(200)
    assert [letter.payload for letter in letters if letter.audience == "public"] == [
        {"text": "Game master <@900> moves for Amber (<@101>), unless its sealed move is already in."}, {}]
    assert [letter.payload["user"] for letter in letters if letter.kind == "proxy"] == ([] if answered else [ANNA])
    assert (await history(services, game), await names(services, game)) == ([], [])
    assert (await services.queries.audit(game, page=1, size=50))[0][-1].endswith("<@900> moved for Amber.")
    await services.answers.answer(game, BERT, Guess.of(1))
    await services.answers.answer(game, CARA, Guess.of(2))
    assert (await services.session.table(game)).state.guess[ONE] == (7 if answered else 0)
    assert await history(services, game) == [
        *([] if answered else [(1, f"A move was made ({BY_MASTER}).")]), (3, "All have guessed.")]


async def test_a_named_answer_under_seal_is_examined_alike_and_offered_alike(world: World) -> None:
    await world.started()
    offered = await world.olga.autocomplete(world.table, "gm answer", "answer", "", seat="Amber")
    assert len(offered) == 11
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    assert await world.olga.autocomplete(world.table, "gm answer", "answer", "", seat="Amber") == offered
    told = words(await world.olga.slash(world.table, "gm answer", seat="Amber", answer="guess pebbles=77"))
    assert told != words(await world.olga.slash(world.table, "gm answer", seat="Amber", answer="guess pebbles=4"))
    assert (await world.services.session.table(1)).given == {0: Guess.of(3)}


async def test_SOE_21_1_8_the_preview_of_a_rollback_counts_no_sealed_answers(services: Services) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    await services.answers.answer(game, ANNA, Guess.of(7))
    assert not (await services.undo.preview(game, 0)).rows
    with pytest.raises(Refusal, match=r"There is no step 1. The last one is step 0\."):
        await services.undo.preview(game, 1)


# --- stand-ins, caretakers, the clock -----------------------------------------------------------------------------------

async def test_what_a_stand_in_answers_is_marked_and_its_owner_reads_it(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    await delivered(services)
    await services.answers.answer(game, CARA, Take.of(2, "left"))
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    letters = await delivered(services)
    assert [letter.payload for letter in letters if letter.kind == "proxy"] == [
        {"user": ANNA, "text": f"Amber: Take 2 pebbles, left ({BY_STANDIN})."}]
    assert next(letter for letter in letters if letter.kind == "log").payload["lines"] == [
        f"Amber takes 2 pebbles. ({BY_STANDIN})"]
    assert (await history(services, game))[-2:] == [
        (3, f"Amber takes 2 pebbles. ({BY_STANDIN})"), (4, "Basalt takes 1 pebble.")]


async def test_SOE_22_1_6_what_a_stand_in_has_ordered_is_marked_like_what_he_answers(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, TWO, CARA, MASTER)
    order = Order(seat=TWO, points=("DP-T2",), lines=(OrderLine(then=Reply(verb="take", fields={"pebbles": 1, "hand": "left"})),))
    await services.orders.give_orders(game, CARA, [order])
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    assert (await history(services, game))[-1] == (4, f"Basalt takes 1 pebble. ({by(Proxy('standin', 103), TWO)})")


async def test_of_answers_under_seal_no_sentence_names_a_stand_in(services: Services) -> None:
    game = await started(services)
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    await services.answers.answer(game, BERT, Guess.of(1))
    await services.answers.answer(game, CARA, Guess.of(2))
    assert await history(services, game) == [(2, "All have guessed."), (2, f"A move was made ({BY_STANDIN}).")]
    await services.answers.answer(game, CARA, Take.of(1, "left"))
    assert [letter.payload["lines"] for letter in await delivered(services) if letter.kind == "log"] == [
        ["All have guessed.", f"Amber takes 1 pebble. ({BY_STANDIN})"]]


async def test_what_a_caretaker_answers_is_marked(services: Services) -> None:
    game = await guessed(services)
    await services.seats.care(game, TWO, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await history(services, game))[-1] == (4, f"Basalt takes 1 pebble. ({by(Proxy('caretaker'), TWO)})")


async def test_what_is_answered_in_an_absence_is_not_told_apart_from_an_order(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await history(services, game))[-1] == (4, "Basalt takes 1 pebble.")


async def test_a_default_of_the_clock_is_marked_and_told_to_who_was_late(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.clocks.set_clock(game, MASTER, clock=clock_of("24h"))
    await delivered(services)
    clock.put_on(hours=25)
    assert await services.clocks.time_up(game, ONE, (await services.session.table(game)).asked_at)
    letters = await delivered(services)
    assert [letter.payload for letter in letters if letter.kind == "proxy"] == [
        {"user": ANNA, "text": f"Amber: Take 1 pebble, left ({by(Proxy('clock'))})."}]
    assert (await history(services, game))[-1] == (3, f"Amber takes 1 pebble. ({by(Proxy('clock'))})")


async def test_who_comes_back_reads_what_was_answered_for_him(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, None, MASTER)
    stretch = await services.digests.stretch(game, ANNA, since=2, until=3)
    assert [say(line, NAMES) for line in stretch.digest().private] == [f"Step 3: a move was made in your name ({BY_MASTER})."]
    others = await services.digests.stretch(game, BERT, since=2, until=3)
    assert not others.digest().private


# --- what else a game master does ---------------------------------------------------------------------------------------

async def test_press_and_caretakers_to_come_are_announced(services: Services) -> None:
    game = await guessed(services)
    rules: dict[Allowed, str] = {"public": "Players can write only to everybody through me.",
                                 "none": "Players can't send messages through me."}
    for allowed, rule in rules.items():
        await services.talk.allow_press(game, allowed, MASTER)
        assert await told(services) == [f"Game master <@900> decides: {rule}"]
    await services.seats.care_for_free_seats(game, MASTER, wanted=True)
    assert await told(services) == [
        "Game master <@900> decides: a caretaker plays seats that are given up later."]


async def test_the_audit_is_read_by_all_who_play_and_by_nobody_else(world: World) -> None:
    await world.guessed()
    await world.olga.slash(world.table, "gm answer", seat="Amber")
    for person in (world.alice, world.bob, world.olga, world.max):
        shown = await person.slash(world.table, "gm audit")
        assert f"{world.olga.mention} moved for Amber in step 3." in words(shown)
        assert "<t:" in words(shown) and "seat_1" not in words(shown)
    assert words(await world.carol.slash(world.table, "gm audit")).startswith(FOR_MASTERS)
    assert f"Game master {world.olga.mention} moves for Amber ({world.alice.mention})." in world.told()
    direct = [message.content for message in world.alice.user.dm_channel.history()]
    assert any("In **Pebbles** (game 1): Amber: Take 1 pebble, left (by the game master" in said for said in direct), direct


async def test_the_audit_speaks_of_names_and_never_of_ids(services: Services) -> None:
    game = await opened(services, seats=3)
    for user in (ANNA, BERT, CARA):
        await services.lobby.join(game, user)
    await services.lobby.set_options(game, MASTER, changes={"dice.by": "number"})
    await services.lobby.start(game, MASTER)
    await services.talk.allow_press(game, "public", MASTER)
    await services.seats.care_for_free_seats(game, MASTER, wanted=True)
    await services.masters.name_master(game, ANNA, MASTER)
    for way, user, agreeing in ((services.consent.hand_over, 104, BERT), (services.consent.stand_in, 105, CARA)):
        request = await way(game, TWO, user, ANNA)
        assert request is not None and await services.undo_requests.agree(request.id, agreeing)
    await services.consent.ask_to_branch(game, 0, ANNA)
    told = [note.split("> ", 1)[1].rstrip(".") for note in (await services.queries.audit(game, page=1, size=50))[0]]
    assert told == [
        "<@900> changed the options: After an undo, the next roll shows the same dice again, whatever it is for",
        "<@900> started the game", "<@900> let players write only to all",
        "<@900> decided that seats given up later go to a caretaker", "<@900> made <@101> the game master",
        "<@101> asked the players to agree that <@104> gets Basalt", "<@102> agreed that <@104> gets Basalt",
        "<@101> handed Basalt from <@102> to <@104>",
        "<@101> asked the players to agree that <@105> stands in for Basalt",
        "<@103> was the last to agree that <@105> stands in for Basalt", "<@101> let <@105> stand in for Basalt",
        "<@101> asked the players to agree that a new game goes on from the beginning"]


async def test_the_audit_does_not_tell_players_that_somebody_was_written_to(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.talk.say(game, ANNA, TWO, "Between us.")
    letter = next(letter for letter in await services.outbox.pending(200) if letter.kind == "press")
    await services.outbox.failed(letter.id, "Forbidden 50007", give_up=True)
    assert (await services.queries.audit(game, page=1,
                                         size=50))[0][-1].endswith("could not deliver a private message: Forbidden 50007.")


async def test_before_anybody_joins_it_is_told_who_can_see_what(world: World) -> None:
    await world.olga.slash(world.table, "game open", game="pebbles", seats=2)
    first: Any = world.table.last_message
    assert f"Host: {world.olga.mention}." in first.content

    async def told() -> str:
        return words(await world.carol.click(first, label="Who can join and see"))
    assert "The game master doesn't play, and can give a seat to a newcomer." in await told()
    await world.olga.slash(world.table, "game join")
    assert "The game master plays too, so a seat changes hands only if its player or everybody agrees." in await told()
