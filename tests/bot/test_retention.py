"""What goes by itself with time, and what stays."""
from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.service.retention import CAPSULES, FORGOTTEN, RETIRED
from bot.store import Store
from bot.store.retention import NEEDLESS
from engine import record
from tests.bot.desk import ANNA, MASTER, Clock, blank, delivered, guessed, play_on
from tests.toy import PEBBLES, Take

# Tables with rows of games that are kept when a game is over, and why; all others lose them.
STAYS = {
    "log": "the game itself", "seats": "the game itself", "checkpoints": "the first one; the others go, too",
    "clocks": "one row; a rematch has the same clock", "rematches": "one row; the button below the finished game",
    "branches": "one row; the record says where a game comes from", "turns": "one row",
    "resting": "one row, until the bot is back",
    "orders": "/orders says what has answered", "order_uses": "/orders says what has answered",
    "answers": "statistics, and for whom a result counts", "tenures": "for whom a result counts",
    "requests": "the history of undoes", "audit": "a year, then it goes, too", "outbox": "the newest; `Outbox.prune`",
    "message_steps": "the Apps menu of a message; three numbers", "messages": "what is still changed: the status",
    "threads": "put away, and found again", "press": "what was said",
    "press_rules": "one row", "results": "rankings", "result_seats": "rankings",
    "bookmarks": "private notes, 200 of a member at most", "lessons": "of members: one row for each lesson of a title",
    "tips": "of members: one row for each tip of a title"}


def count(path: Path, table: str, where: str = "1") -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0])


async def test_a_finished_game_loses_what_only_helped_to_play_it_and_replays_all_the_same(tmp_path: Path) -> None:
    path, clock = blank(tmp_path / "games.db"), Clock()
    with closing(Store(path)) as store:
        services = play_on(store, clock=clock)
        running, game = await guessed(services), await guessed(services)
        for one in (running, game):
            await services.queries.looked(one, ANNA, 2)
        await store.write(lambda ledger: ledger.conn.execute(
            "INSERT OR REPLACE INTO checkpoints SELECT game, 2, throws, state FROM checkpoints WHERE no = 0"))
        for sql in ("INSERT INTO openings (game, user) VALUES (?, 7)", "INSERT INTO guests VALUES (?, 7, 1)",
                    "INSERT INTO applications (game, user, seat, name, at) VALUES (?, 7, 'seat_1', 'Dora', '')",
                    "INSERT INTO nudges VALUES (?, 7, 'once')"):
            await store.write(lambda ledger, sql=sql: ledger.conn.executemany(sql, [(running,), (game,)]))
        while (await services.queries.game(game)).status != "over":
            (waiting, *_) = await services.queries.waiting(game)
            await services.answers.answer(game, waiting.user or 0, Take.of(1, "left"))
        await services.seats.pause(running, MASTER)
        await delivered(services)
        written = await services.records.export(game)
        clock.put_on(days=RETIRED.days - 1)
        assert await services.retention.drop_needless() == 0
        clock.put_on(days=2)
        assert (await services.retention.drop_needless(), await services.retention.drop_needless()) == (1, 0)
        assert count(path, "looks") == count(path, "checkpoints", "no > 0") == 1, "those of the game that goes on"
        assert count(path, "checkpoints", f"game = {game}") == 1
        assert {table: count(path, table, f"game = {game}") for table in NEEDLESS} == dict.fromkeys(NEEDLESS, 0)
        assert all(count(path, table) == 1 for table in ("openings", "guests", "applications", "nudges"))
        notes = count(path, "audit", f"game = {game}")
        services.session.forget(game)
        assert await services.records.export(game) == written and record.replay(record.read(written), PEBBLES).over
        assert (await services.session.table(game)).over
        assert (await services.queries.history(game, page=1))[0]
        clock.put_on(days=FORGOTTEN.days)
        await services.retention.drop_needless()
        assert notes > 0 == count(path, "audit", f"game = {game}") < count(path, "audit", f"game = {running}")


def test_of_every_table_of_games_it_is_decided_what_becomes_of_it_after_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(Store(blank(path))), closing(sqlite3.connect(path)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        of_games = {table for table in tables if any(column == "game" for _, column, *_ in db.execute(
            f"PRAGMA table_info({table})"))}
    assert of_games == STAYS.keys() | set(NEEDLESS) and not STAYS.keys() & set(NEEDLESS)


async def test_old_capsules_go(tmp_path: Path) -> None:
    clock = Clock()
    with closing(Store(blank(tmp_path / "games.db"))) as store:
        services = play_on(store, clock=clock)
        await services.session.incident(RuntimeError(), {"deed": ""}, None)
        await services.session.incident(ValueError(), {"deed": ""}, None)
        old, young = services.session.incidents.files()
        for path, days in ((old, CAPSULES.days + 1), (young, CAPSULES.days - 1)):
            moment = clock.moment.timestamp() - days * 86400
            os.utime(path, (moment, moment))
        await services.retention.drop_needless()
        assert services.session.incidents.files() == [young]
