"""What grows with a file is bounded: letters that were sent, components in memory, games that a keystroke looks through."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.core import session
from bot.domain.letters import KINDS
from bot.service import outbox
from bot.service.undo import STRUCK
from bot.store import Ledger, Store, games, outbox as letters
from bot.store.rows import Status
from engine.components import components
from engine.games.struggle_of_empires import GAME
from tests.bot.desk import ANNA, BERT, GUILD, Clock, delivered, guessed, opened, play_on, started
from tests.bot.discord_world import World

ALL: tuple[Status, ...] = ("open", "running", "paused", "over", "closed")


# --- letters ---------------------------------------------------------------------------------------------------------

@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows so small that a test crosses several."""
    monkeypatch.setattr(letters, "WINDOW", 40)
    monkeypatch.setattr(letters, "RECENT", 5)


def posted(ledger: Ledger, game: int, kind: Any, number: int) -> None:
    """So many letters of a kind, all of them sent; seven of the log go into one message."""
    for no in range(number):
        ledger.outbox.add_letters(game, no, [KINDS[kind].model_validate({"lines": [f"{kind} {no}"], "row": no, "text": ""})], "")
        letter = ledger.outbox.next_letter
        ledger.outbox.mark_sent(letter - 1, 10_000 + (10_000 + no // 7 if kind == "log" else letter),
                                "2026-04-01T12:00:00+00:00")


def known(ledger: Ledger, game: int) -> tuple[object, ...]:
    """All that old letters are asked for."""
    logged = ledger.outbox.log_messages(game, STRUCK)
    return (logged, [ledger.outbox.log_message(game, posted.letter) for posted in logged], ledger.outbox.log_message(game),
            ledger.outbox.newest_post(game), ledger.outbox.messages(game),
            [ledger.outbox.pictured_before(game, no) for no in range(60)], ledger.outbox.pending_of(game, 1000, 0),
            ledger.outbox.addressed())


async def left(store: Store, kind: str = "%") -> int:
    return await store.read(lambda ledger: int(ledger.conn.execute(
        "SELECT count(*) FROM outbox WHERE kind LIKE ?", (kind,)).fetchone()[0]))


@pytest.mark.usefixtures("few")
async def test_letters_that_nobody_needs_are_forgotten_and_all_that_is_asked_of_them_stays(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game, other = await guessed(services), await started(services, (ANNA,
                                                                    BERT))         # letters of the other one wait to be sent
    for kind, number in (("log", 90), ("picture", 50), ("notice", 80), ("status", 80)):
        await store.write(lambda ledger, kind=kind, number=number: posted(ledger, game, kind, number))
    before, all_of_them = [await store.read(lambda ledger, game=game: known(ledger, game))
                           for game in (game, other)], await left(store)
    clock.put_on(hours=23)
    for _ in range(20):
        await services.outbox.prune()
    assert await left(store) == all_of_them, "not before a day has gone by"
    clock.put_on(hours=2)
    for _ in range(20):
        await services.outbox.prune()
    assert [await store.read(lambda ledger, game=game: known(ledger, game))
            for game in (game, other)] == before
    assert await left(store, "log") <= STRUCK + 7 + 1 + 5 and await left(store) < all_of_them - 150
    assert await left(store, "picture") >= 50


@pytest.mark.usefixtures("few")
async def test_one_look_is_at_a_few_letters_and_the_next_goes_on_behind_them(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game = await opened(services)
    await delivered(services)
    await store.write(lambda ledger: posted(ledger, game, "notice", 200))
    clock.put_on(days=2)
    gone = list[int]()
    for _ in range(5):
        before = await left(store)
        await services.outbox.prune()
        gone.append(before - await left(store))
    assert gone[0] > 30 and sum(gone) > 150 and max(gone) <= 40


async def test_the_pulse_forgets_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    async def prune(services: object) -> None:
        asked.append(1)

    monkeypatch.setattr(outbox.Outbox, "prune", prune)
    async with World.at(tmp_path / "games.db") as world:
        await world.env.advance_time(600)
    assert 2 <= len(asked) <= 6, "every two minutes"


# --- components ------------------------------------------------------------------------------------------------------

async def test_components_that_no_game_has_needed_for_long_leave_the_memory(
        store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "PACKS", 2)
    services, hashes = play_on(store, spec=GAME), list[str]()
    for gold in (4, 5, 6):
        row = await services.lobby.open(key=GAME.key, edition="first", seats=2, options={}, title="", guild=GUILD, channel=1,
                                        owner=ANNA,
                              pack=json.dumps({"tiles": [{"id": "banking", "cost": {"gold": gold}}]}))
        hashes.append(row.pack_hash)
    assert [hash for _, hash in services.session.packs] == hashes[1:]
    assert (await services.visits.onlooker(1)).parts.tile["banking"].cost.gold == 4, "read again from the file"
    assert [hash for _, hash in services.session.packs] == [hashes[2], hashes[0]]


async def test_games_as_released_share_their_components_after_a_restart_too(store: Store) -> None:
    row = await play_on(store, spec=GAME).lobby.open(key=GAME.key, edition="first", seats=2, options={}, title="", guild=GUILD,
                                                     channel=1, owner=ANNA, pack=None)
    assert await play_on(store, spec=GAME).session.components(row) is components(GAME, "first")


# --- games -----------------------------------------------------------------------------------------------------------

async def test_a_keystroke_reads_as_many_games_of_a_large_server_as_of_a_small_one(
        store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    services, read = play_on(store), list[object]()
    columns = ", ".join(column for column in games.GAME if column not in ("id", "status"))
    await opened(services)
    await store.write(lambda ledger: ledger.conn.execute(f"""
        WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
        INSERT INTO games (id, status, secret, told, {columns})
        SELECT n, CASE n % 2 WHEN 0 THEN 'over' ELSE 'running' END, '', told, {columns} FROM numbers, games WHERE id = 1"""))
    real = games._game
    monkeypatch.setattr(games, "_game", lambda values: (read.append(values), real(values))[1])
    found = await services.queries.games(guild=GUILD, status=ALL, most=30)
    assert len(read) == len(found) == 61 and [row.id for row in found][-2:] == [2999, 3000]
    assert [row.id for row in await services.queries.games(guild=GUILD, status=ALL, number=7, most=30)] == [7] and len(read) == 62
    assert await services.queries.games(guild=GUILD + 1, status=ALL, number=7) == [] and len(read) == 62


async def test_a_game_that_is_not_among_the_newest_is_found_by_its_number(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord.find_game.REACH", 1)
    await world.opened(title="Old")
    await world.opened(title="New\u202e")
    offered = await world.alice.autocomplete(world.table, "game status", "game", "")
    assert [(choice["name"], choice["value"]) for choice in offered] == [("2: New", "2")]
    offered = await world.alice.autocomplete(world.table, "game status", "game", "1")
    assert [(choice["name"], choice["value"]) for choice in offered] == [("1: Old", "1")]
    shown = await world.alice.slash(world.table, "game status", game="#1")
    assert "Old" in shown.response.content
