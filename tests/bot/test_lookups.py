"""What is looked up at every tap is found by an index, however many games a file holds; and each game gets its own letters."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.domain.letters import Notice
from bot.store import Ledger, Store
from bot.store.rows import Status
from tests.bot.desk import ANNA, BERT, CHANNEL, GUILD, delivered, opened, play_on, started
from tests.toy import Guess

ALL: tuple[Status, ...] = ("open", "running", "paused", "over", "closed")
LOOKUPS: dict[str, Callable[[Ledger], Any]] = {
    "games of a channel": lambda ledger: ledger.games.games(channel=CHANNEL, status=ALL),
    "games of a server": lambda ledger: ledger.games.games(guild=GUILD, status=ALL),
    "the newest games of a server": lambda ledger: ledger.games.games(guild=GUILD, status=ALL, most=25),
    "a game of a server by its number": lambda ledger: ledger.games.games(guild=GUILD, number=1, status=ALL),
    "letters that nobody needs": lambda ledger: ledger.outbox.prune(0, "2027", 50),
    "games of a member": lambda ledger: ledger.games.games(user=ANNA, status=ALL),
    "games of a member and game master": lambda ledger: ledger.games.own_games(ANNA),
    "open questions of a member": lambda ledger: ledger.clocks.open_deadlines(ANNA),
    "where direct messages go": lambda ledger: ledger.outbox.direct_channel(1, ANNA),
    "whether somebody is invited": lambda ledger: ledger.seats.invited(1, ANNA),
    "a member's new name": lambda ledger: ledger.games.rename(ANNA, "Anna", GUILD),
    "the game of a thread": lambda ledger: ledger.channels.game_of_thread(5),
    "letters of a game": lambda ledger: ledger.outbox.pending_of(1, 10, 0),
    "games with letters": lambda ledger: ledger.outbox.addressed(),
    "since when a letter waits": lambda ledger: ledger.outbox.waiting_since(1),
    "whether messages are known": lambda ledger: ledger.outbox.known_messages([10_001, 5]),
    "the newest message of the log": lambda ledger: ledger.outbox.log_message(1),
    "the message of a letter": lambda ledger: ledger.outbox.log_message(1, 1),
    "the last pictures of a game": lambda ledger: ledger.outbox.pictured_before(1, 9),
    "the newest row": lambda ledger: ledger.log.newest(1),
    "notes of a member": lambda ledger: ledger.bookmarks.bookmarks(ANNA),
    "results of a server": lambda ledger: ledger.results.results(GUILD),
    "names of members": lambda ledger: ledger.results.names(GUILD, [ANNA]),
    "a member who stays out": lambda ledger: ledger.results.unlist(ANNA),
    "a member who comes back": lambda ledger: ledger.results.list_again(ANNA),
    "the result of a game": lambda ledger: ledger.results.note_result(1, ()),
    "whether a letter waits": lambda ledger: ledger.outbox.unsent(1, "status"),
}


def read_through(ledger: Ledger, lookup: Callable[[Ledger], Any]) -> list[str]:
    """The tables that a lookup reads from their first row to their last."""
    statements: list[str] = []
    ledger.conn.set_trace_callback(statements.append)
    lookup(ledger)
    ledger.conn.set_trace_callback(None)
    assert statements
    return scanned(ledger, statements)


def scanned(ledger: Ledger, statements: list[str]) -> list[str]:
    """The tables that these statements read from their first row to their last."""
    steps = [step for sql in statements if sql.split()[0] in ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
             for *_, step in ledger.conn.execute(f"EXPLAIN QUERY PLAN {sql}")]
    return [step for step in steps if step.startswith("SCAN") and "(subquery" not in step and "outbox_unsent" not in step
            and step != "SCAN CONSTANT ROW"]


@pytest.mark.parametrize("name", LOOKUPS)
async def test_nothing_at_a_tap_reads_a_whole_table(store: Store, name: str) -> None:
    await started(play_on(store))
    assert await store.read(lambda ledger: read_through(ledger, LOOKUPS[name])) == []


async def test_nothing_on_the_way_of_an_answer_to_its_messages_reads_a_whole_table(store: Store) -> None:
    services = play_on(store)
    game, statements = await started(services), list[str]()
    await store.read(lambda ledger: ledger.conn.set_trace_callback(statements.append))
    for number, member in enumerate((ANNA, BERT), 1):
        await services.answers.answer(game, member, Guess.of(number))
        await delivered(services)
    await store.read(lambda ledger: ledger.conn.set_trace_callback(None))
    assert await store.read(lambda ledger: scanned(ledger, statements)) == []


async def test_a_table_read_through_would_be_noticed(store: Store) -> None:
    await started(play_on(store))
    found = await store.read(lambda ledger: read_through(ledger, lambda ledger: ledger.conn.execute("SELECT title FROM games")))
    assert found == ["SCAN games"]


async def test_a_member_s_games_are_those_of_the_own_seats(store: Store) -> None:
    services = play_on(store)
    both, other = await started(services, (ANNA, BERT)), await opened(services)
    await services.lobby.join(other, BERT)
    assert [row.id for row in await services.queries.games(user=ANNA)] == [both]
    assert [row.id for row in await services.queries.games(user=BERT)] == [both, other]
    assert await services.queries.games(user=BERT, channel=CHANNEL + 1) == []
    assert [row.id for row in await services.queries.games(user=BERT, channel=CHANNEL, guild=GUILD, status=("open",))] == [other]


async def test_each_game_gets_its_own_letters_in_their_order(store: Store) -> None:
    services = play_on(store)
    first, second = await opened(services), await opened(services)
    await delivered(services)
    assert await services.outbox.addressed() == {}
    for number, game in enumerate((first, second, first, first)):
        await store.write(lambda ledger, game=game, number=number: ledger.outbox.add_letters(
            game, 0, [Notice(text=str(number))], "2026-04-01T12:00:00+00:00"))
    assert set(await services.outbox.addressed()) == {first, second}
    assert [letter.payload["text"] for letter in await services.outbox.pending_of(first)] == ["0", "2", "3"]
    assert [letter.payload["text"] for letter in await services.outbox.pending_of(second)] == ["1"]
    for letter in await services.outbox.pending_of(first):
        await services.outbox.note(letter.game, [(letter.id, None)])
    assert set(await services.outbox.addressed()) == {second}
