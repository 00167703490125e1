"""Who is shown which secrets: whoever knows one seat's is shown another's only with consent, also if he manages the game."""
from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.domain.insights import Insight, SharedPast, knows_besides, may_be_shown, plays
from bot.service import Services
from bot.service.consent import Consent
from bot.store import Holder, Store
from bot.store.migrations import CHANGES
from bot.store.migrations_1_to_20 import m0018_insights
from engine.kernel import Seat
from engine.refusals import NotAsked, Refusal
from engine.text import text
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, blank, branched, delivered, guessed, kinds, opened, play_on, users
from tests.bot.discord_world import World, words
from tests.toy import PEBBLES, Take

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
DAVE, ERIN = 104, 105
OPEN = PEBBLES.changed(secrets=lambda state: [text("{guesses}", guesses=tuple(map(str, state.guess.values())))])
PATHS: list[Callable[[Consent, int, Seat, int, int], Awaitable[Any]]] = [Consent.hand_over, Consent.stand_in]


@pytest.fixture
def services(store: Store, clock: Clock) -> Services:
    return play_on(store, clock=clock, spec=OPEN)


async def three(services: Services) -> int:
    """Anna plays seat 1 and manages the game, Bert plays seat 2, Cara seat 3."""
    return await guessed(services, (ANNA, BERT, CARA))


async def yes(services: Services, request: Any, *users: int) -> bool:
    return [await services.undo_requests.agree(request.id, user) for user in users][-1]


# --- the rule -------------------------------------------------------------------------------------------------------

def insight(seat: Seat, user: int = ANNA, *, held: bool = True, agreed: bool = False) -> Insight:
    return Insight(seat=seat, user=user, held=held, agreed=agreed)


@pytest.mark.parametrize("known, shown", [
    ((), True), ((insight(ONE),), True), ((insight(TWO, BERT),), True), ((insight(TWO),), False),
    ((insight(ONE), insight(TWO)), True), ((insight(TWO), insight(ONE)), False),
    ((insight(TWO), insight(ONE, agreed=True)), True)])
def test_the_first_seat_is_shown_and_another_one_only_with_consent(known: tuple[Insight, ...], shown: bool) -> None:
    assert may_be_shown(SharedPast(running=True, insights=known), ONE, ANNA) is shown
    assert may_be_shown(SharedPast(running=False, insights=known), ONE, ANNA), "all these games have ended"


def test_who_plays_and_who_knows_another_seat() -> None:
    circle = SharedPast(running=True, insights=(insight(ONE), insight(TWO, MASTER, held=False, agreed=True)))
    assert plays(circle, ANNA) and not plays(circle, MASTER), "he has only looked"
    assert knows_besides(circle, TWO, ANNA) and not knows_besides(circle, ONE, ANNA) and knows_besides(circle, ONE, MASTER)
    assert not plays(replace(circle, running=False), ANNA)


async def test_a_seat_that_was_given_past_the_rule_shows_its_holder_nothing(services: Services, store: Store) -> None:
    """Whatever writes a seat into the file, the way out of it goes through the rule."""
    game = await three(services)
    await store.write(lambda ledger: ledger.games.seat_all(game, [
        Holder(seat=ONE, user=None, private=True), Holder(seat=TWO, user=ANNA, private=True),
        Holder(seat=THREE, user=CARA, private=True)]))
    services.session.live.clear()
    assert await services.queries.seat_of(game, ANNA) is None and await services.queries.sight_of(game, ANNA) is None
    with pytest.raises(Refusal, match="You've known another seat's secrets in this game"):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.answers.answer_for(game, TWO, None, MASTER)
    assert not [letter for letter in await delivered(services) if letter.kind in ("private", "proxy") and letter.audience == TWO]
    assert (await services.digests.stretch(game, ANNA, since=0, until=9)).story.seat is None


# --- seats that change hands ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("way", PATHS)
async def test_a_game_master_who_plays_gives_no_seat_away_without_a_yes(services: Services, way: Any) -> None:
    """Not to an account of his own that nobody knows, either."""
    game = await three(services)
    request = await way(services.consent, game, TWO, DAVE, ANNA)
    assert request is not None and set(request.agreed) == {TWO, THREE}
    assert await users(services, game) == [ANNA, BERT, CARA] and await services.queries.sight_of(game, DAVE) is None
    assert kinds(await delivered(services)) == [("request", "public")]
    assert await services.undo_requests.agree(request.id, CARA), "Bert, whose seat it is, need not answer once all others agree"
    assert await services.queries.seat_of(game, DAVE) == TWO


@pytest.mark.parametrize("way", PATHS)
async def test_the_holder_alone_can_agree(services: Services, way: Any) -> None:
    game = await three(services)
    assert await services.undo_requests.agree((await way(services.consent, game, TWO, DAVE, ANNA)).id, BERT)
    assert await services.queries.seat_of(game, DAVE) == TWO


async def test_a_stand_in_does_not_give_away_what_is_not_his(services: Services) -> None:
    game = await three(services)
    await services.consent.stand_in(game, TWO, DAVE, MASTER)
    request = await services.consent.hand_over(game, TWO, ERIN, DAVE)
    assert request is not None, "he plays, and it is Bert's seat"
    await services.undo_requests.withdraw(request.id, DAVE)
    request = await services.consent.hand_over(game, TWO, ERIN, ANNA)
    assert request is not None and not await services.undo_requests.agree(request.id, DAVE)
    assert await services.undo_requests.agree(request.id, CARA) and await services.queries.seat_of(game, ERIN) == TWO


async def test_a_neutral_game_master_gives_a_seat_to_a_newcomer_at_once(services: Services) -> None:
    game = await three(services)
    assert await services.consent.hand_over(game, TWO, DAVE, MASTER) is None and await services.queries.seat_of(game, DAVE) == TWO


@pytest.mark.parametrize("way", PATHS)
async def test_whoever_has_held_a_seat_gets_no_other_without_a_yes(services: Services, way: Any) -> None:
    game = await three(services)
    await services.seats.resign(game, BERT)
    request = await way(services.consent, game, THREE, BERT, MASTER)
    assert set(request.agreed) == {ONE, THREE}
    await services.undo_requests.refuse(request.id, ANNA)
    assert await users(services, game) == [ANNA, None, CARA]
    assert (await services.undo_requests.asked(request.id)).request.refused == ONE


async def test_seats_handed_back_and_forth_among_accounts_need_a_yes_each_time(services: Services) -> None:
    game = await three(services)
    assert await services.consent.hand_over(game, ONE, DAVE, ANNA) is None, "one's own seat is given away with one's own yes"
    for seat, user in ((TWO, ANNA), (TWO, DAVE), (THREE, ERIN)):
        if await services.queries.seat_of(game, user) is not None:
            continue
        request = await services.consent.hand_over(game, seat, user, ANNA)
        assert request is not None and await services.queries.sight_of(game, user) is None
        await services.undo_requests.withdraw(request.id, ANNA)
    await services.consent.hand_over(game, ONE, ANNA, MASTER)
    assert await services.queries.seat_of(game, ANNA) == ONE, "back to a seat that he knows already"


async def test_who_is_given_a_caretakers_seat_is_no_way_around(services: Services) -> None:
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    with pytest.raises(Refusal, match="There is nobody else to agree"):
        await services.consent.hand_over(game, TWO, DAVE, ANNA)
    assert await services.consent.hand_over(game, TWO, DAVE, MASTER) is None


async def test_silence_refuses_and_only_one_question_waits(services: Services, clock: Clock) -> None:
    game = await three(services)
    request = await services.consent.hand_over(game, TWO, DAVE, ANNA)
    assert request is not None
    with pytest.raises(Refusal, match="Only one request can be open at a time"):
        await services.consent.hand_over(game, THREE, ERIN, ANNA)
    with pytest.raises(Refusal, match="Only one request can be open at a time"):
        await services.undo_requests.ask(game, ANNA, 1)
    for user in (ANNA, DAVE, MASTER):
        with pytest.raises(Refusal):
            await services.undo_requests.agree(request.id, user)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.undo_requests.asked(request.id)).request.ended is None, "the game may go on meanwhile"
    clock.put_on(hours=25)
    await services.timers.look("request")
    assert (await services.undo_requests.asked(request.id)).request.ended == "late" and await users(services, game) == [ANNA,
                                                                                                                         BERT,
                                                                                                                         CARA]


async def test_only_who_has_asked_withdraws(services: Services) -> None:
    game = await three(services)
    request = await services.consent.hand_over(game, TWO, DAVE, ANNA)
    assert request is not None
    with pytest.raises(NotAsked, match=r"Only <@101>, who asked, can withdraw this\."):
        await services.undo_requests.withdraw(request.id, BERT)
    await services.undo_requests.withdraw(request.id, ANNA)
    with pytest.raises(Refusal, match="This request is over"):
        await services.undo_requests.withdraw(request.id, ANNA)


# --- who the game master is ------------------------------------------------------------------------------------------

async def test_a_player_who_becomes_game_master_needs_a_yes_and_one_who_was_can_do_nothing(services: Services) -> None:
    """Named, or found because the one before has left."""
    for by in (MASTER, None):
        game = await three(services)
        await services.masters.name_master(game, BERT, by)
        request = await services.consent.hand_over(game, THREE, DAVE, BERT)
        assert request is not None and set(request.agreed) == {ONE, THREE}
        with pytest.raises(Refusal, match="don't see other seats' secrets"):
            await services.secrets.secrets(game, BERT)
        news = [letter.payload["text"] for letter in await delivered(services) if letter.kind == "notice"]
        assert "<@102> plays or has played, so seats change hands only if" in news[0]


@pytest.mark.parametrize("left", [False, True])
async def test_whom_a_player_names_is_no_neutral_game_master(services: Services, left: bool) -> None:
    """Nor whom that one names: another account, or a friend, opens nothing that was closed to the player."""
    game = await three(services)
    if left:
        await services.seats.resign(game, ANNA)
    await services.masters.name_master(game, ERIN, ANNA)
    await services.masters.name_master(game, 106, ERIN)
    for master in (ERIN, 106):
        with pytest.raises(Refusal, match="don't see other seats' secrets"):
            await services.secrets.secrets(game, master)
        for way in PATHS:
            request = await way(services.consent, game, TWO, DAVE, master)
            assert request is not None and set(request.agreed) == ({TWO, THREE} if left else {ONE, TWO, THREE})
            await services.undo_requests.withdraw(request.id, master)
    branch = await branched(services, game, 3, channel=9)
    assert await services.consent.hand_over(branch.id, TWO, DAVE, ERIN) is not None, "nor in a game that goes on from there"


async def test_whom_somebody_neutral_names_is_neutral_and_so_is_whom_a_host_names_in_the_lobby(services: Services) -> None:
    game = await three(services)
    await services.masters.name_master(game, ERIN, MASTER)
    assert await services.consent.hand_over(game, TWO, DAVE, ERIN) is None and await services.secrets.secrets(game, ERIN)
    lobby = await opened(services, seats=2)
    for user in (ANNA, BERT):
        await services.lobby.join(lobby, user)
    await services.masters.name_master(lobby, ANNA, MASTER)
    await services.masters.name_master(lobby, ERIN, ANNA)
    await services.lobby.start(lobby, ERIN)
    assert await services.consent.hand_over(lobby, TWO, DAVE, ERIN) is None


async def test_what_a_game_master_has_asked_ends_when_somebody_else_is_game_master(services: Services) -> None:
    game = await three(services)
    await services.masters.name_master(game, ANNA, MASTER)
    request = await services.consent.hand_over(game, TWO, DAVE, ANNA)
    assert request is not None
    await services.masters.name_master(game, CARA, ANNA)
    with pytest.raises(Refusal, match="This request is over"):
        await services.undo_requests.agree(request.id, BERT)
    assert (await services.undo_requests.asked(request.id)).request.ended == "withdrawn" and await users(services,
                                                                                                          game) == [ANNA, BERT,
                                                                                                                    CARA]
    own = await services.consent.ask_to_branch(game, 0, CARA)
    await services.masters.name_master(game, DAVE, CARA)
    assert (await services.undo_requests.asked(own.id)).request.ended == "withdrawn"


async def test_whoever_gives_the_own_seat_away_has_agreed_that_it_is_shown(services: Services) -> None:
    game = await three(services)
    await services.seats.resign(game, BERT)
    assert await services.consent.hand_over(game, ONE, BERT, ANNA) is None
    assert await services.queries.sight_of(game, BERT) == ONE


# --- looking at secrets ---------------------------------------------------------------------------------------------

async def test_a_game_master_who_plays_or_has_played_looks_at_nobodys_secrets(services: Services) -> None:
    game = await three(services)
    with pytest.raises(Refusal, match="don't see other seats' secrets"):
        await services.secrets.secrets(game, ANNA)
    await services.seats.resign(game, ANNA)
    with pytest.raises(Refusal, match="don't see other seats' secrets"):
        await services.secrets.secrets(game, ANNA)
    assert not any("looked" in note for note in (await services.queries.audit(game, page=1, size=50))[0])


async def test_each_look_is_announced_and_who_has_looked_gets_no_seat_without_a_yes(services: Services) -> None:
    game = await three(services)
    for _ in range(2):
        assert await services.secrets.secrets(game, MASTER)
        assert [letter.payload["text"] for letter in await delivered(services)] == [
            "Game master <@900> looked at the secrets of all seats."]
    await services.seats.resign(game, BERT)
    request = await services.consent.hand_over(game, TWO, MASTER, MASTER)
    assert request is not None and set(request.agreed) == {ONE, THREE}
    assert await services.consent.hand_over(game, TWO, DAVE, MASTER) is None, "to somebody else he gives it as before"


# --- branches -------------------------------------------------------------------------------------------------------

async def test_a_branch_of_a_running_game_asks_the_table(services: Services) -> None:
    game = await three(services)
    with pytest.raises(Refusal, match="The players must agree first"):
        await services.branching.branch(game, 3, ANNA, channel=9)
    request = await services.consent.ask_to_branch(game, 3, ANNA)
    assert set(request.agreed) == {TWO, THREE}
    assert not await services.undo_requests.agree(request.id, BERT)
    with pytest.raises(Refusal, match="The players must agree first"):
        await services.branching.branch(game, 3, ANNA, channel=9)
    assert await services.undo_requests.agree(request.id, CARA)
    with pytest.raises(Refusal, match="The players must agree first"):
        await services.branching.branch(game, 0, ANNA, channel=9)
    await services.branching.branch(game, 3, ANNA, channel=9)
    with pytest.raises(Refusal, match="The players must agree first"):
        await services.branching.branch(game, 3, ANNA, channel=9)


async def test_whoever_played_in_one_game_gets_no_other_seat_in_a_branch_of_it(services: Services) -> None:
    """The hole that was there: begin a branch at the newest row, resign in it, and take one seat after the other."""
    game = await three(services)
    branch = await branched(services, game, 3, channel=9)
    await services.seats.resign(branch.id, ANNA)
    for way in PATHS:
        for seat, by in ((TWO, ANNA), (TWO, MASTER)):
            request: Any = await way(services.consent, branch.id, seat, ANNA, by)
            assert request is not None and await services.queries.sight_of(branch.id, ANNA) is None
            await services.undo_requests.withdraw(request.id, by)
    request = await services.consent.hand_over(branch.id, TWO, ANNA, MASTER)
    assert request is not None and await services.undo_requests.agree(request.id, BERT)
    assert await services.queries.sight_of(branch.id, ANNA) == TWO and await services.queries.sight_of(game, ANNA) == ONE


async def test_whoever_plays_in_a_branch_gets_no_other_seat_in_the_game_it_came_from(services: Services) -> None:
    game = await three(services)
    branch = await branched(services, game, 3, channel=9)
    await services.consent.hand_over(branch.id, TWO, DAVE, MASTER)
    request = await services.consent.hand_over(game, THREE, DAVE, MASTER)
    assert request is not None
    await services.undo_requests.withdraw(request.id, MASTER)
    assert await services.consent.hand_over(game, TWO, DAVE, MASTER) is None, "the same seat is the same"


async def test_a_branch_of_a_game_that_is_over_asks_nobody_and_shares_no_secret(services: Services, store: Store) -> None:
    game = await three(services)
    await finish(services, game)
    branch = await services.branching.branch(game, 3, MASTER, channel=9)
    await services.seats.resign(branch.id, ANNA)
    assert await store.read(lambda ledger: ledger.insights.circle_of(branch.id)) == branch.id
    request = await services.consent.hand_over(branch.id, TWO, ANNA, MASTER)
    assert request is not None, "in the branch itself she has held another seat"


async def finish(services: Services, game: int) -> None:
    while not (await services.session.table(game)).over:
        (waits,) = await services.queries.waiting(game)
        assert waits.user is not None
        await services.answers.answer(game, waits.user, Take.of(min(3, (await services.session.table(game)).state.heap), "left"))
    await delivered(services)


async def test_the_whole_record_of_a_game_waits_for_those_that_share_its_past(services: Services) -> None:
    game = await three(services)
    branch = await branched(services, game, 3, channel=9)
    await finish(services, branch.id)
    public = await services.records.export(branch.id)
    assert '"public":true' in public and '"guess"' not in public and await services.records.kept_back(branch.id) == [game]
    await services.seats.close(game, MASTER, "")
    assert '"guess"' in await services.records.export(branch.id)


async def test_the_agreement_outlives_a_restart(services: Services, store: Store) -> None:
    game = await three(services)
    request = await services.consent.hand_over(game, TWO, DAVE, ANNA, name="Dave")
    assert request is not None
    again = play_on(store)
    assert await again.undo_requests.agree(request.id, BERT) and await again.queries.seat_of(game, DAVE) == TWO
    assert [holder.name for holder in await again.queries.holders(game)][1] == "Dave"


# --- earlier files --------------------------------------------------------------------------------------------------

async def test_in_an_earlier_file_everybody_plays_on_and_who_has_held_a_seat_is_known(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "games.db"
    store = Store(blank(path))
    services = play_on(store, clock=clock)
    game = await three(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.seats.resign(game, ANNA)
    await services.consent.hand_over(game, ONE, DAVE, MASTER)
    store.close()
    as_before(path)
    again = Store(path)
    services = play_on(again, clock=clock)
    assert [await services.queries.sight_of(game, user) for user in (DAVE, BERT, CARA, ANNA)] == [ONE, TWO, THREE, None]
    assert await services.consent.hand_over(game, TWO, ANNA, MASTER) is not None, "she has answered for seat 1 in those days"
    again.close()


def as_before(path: Path) -> None:
    """Make the file one of the version before it: its rows, as far as that version had their tables and columns."""
    path.rename(later := path.with_suffix(".later"))
    earlier = Migrations("chancery")
    for change in CHANGES[:CHANGES.index(m0018_insights)]:
        earlier()(change)
    db = Database(sqlite3.connect(path))
    earlier.apply(db)
    tables = [table.name for table in db.tables if not table.name.startswith(("_", "sqlite"))]
    db.attach("later", later)
    for table in tables:
        kept = {column.name for column in db[table].columns}
        both = ", ".join(f'"{name}"' for _, name, *_ in db.execute(f"PRAGMA later.table_info({table})") if name in kept)
        db.execute(f"DELETE FROM {table}")
        db.execute(f"INSERT INTO {table} ({both}) SELECT {both} FROM later.{table}")
    db.conn.commit()
    db.conn.close()


# --- on Discord -----------------------------------------------------------------------------------------------------

async def test_a_host_who_plays_asks_by_a_command_and_the_holder_agrees_by_a_tap(world: World) -> None:
    await world.olga.slash(world.table, "game open", game="pebbles", seats=3)
    for person in (world.olga, world.alice, world.bob):
        await person.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    told = words(await world.olga.slash(world.table, "gm hand", seat="seat_2", member=world.carol))
    assert "I've asked the players to agree: Basalt and Chalk" in told
    asked = next(message for message in reversed(world.table.history()) if "asks you to agree that" in message.content)
    assert f"{world.carol.mention} gets Basalt" in asked.content and "If Basalt agrees, that is enough." in asked.content
    await world.carol.click(asked, label="Agree")
    assert await world.services.queries.seat_of(1, world.carol.id) is None
    assert words(await world.alice.click(asked, label="Agree")) == ""
    assert await world.services.queries.seat_of(1, world.carol.id) == TWO
    assert any(f"takes Basalt from {world.alice.mention} and gives it to {world.carol.mention}" in post for post in world.posts())
