"""What goes by itself with time, and what stays."""
from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.service.retention import CAPSULES, FORGOTTEN, RETIRED
from bot.store import Store
from engine import record
from tests.bot.desk import ANNA, MASTER, Clock, blank, delivered, guessed, play_on
from tests.toy import PEBBLES, Take


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
        notes = count(path, "audit", f"game = {game}")
        services.session.forget(game)
        assert await services.records.export(game) == written and record.replay(record.read(written), PEBBLES).over
        assert (await services.session.table(game)).over
        assert (await services.queries.history(game, page=1))[0]
        clock.put_on(days=FORGOTTEN.days)
        await services.retention.drop_needless()
        assert notes > 0 == count(path, "audit", f"game = {game}") < count(path, "audit", f"game = {running}")


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
