"""What finished games take in the file: played to their end by solid players through the bot's own core, each table's pages
counted by SQLite itself; as they are at their end, a month later and a year later, when what has a term has gone."""
from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tqdm import tqdm

from bench.stored import opened, person, settled
from bot.service import Services
from bot.store import Store, outbox
from engine import catalog
from engine.kernel import GameSpec
from engine.players import answer, position
from engine.selfplay import random_answer

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONGEST = 600           # rows after which a game is closed by its game master, as those are that nobody ends
TOLD = 6                # tables that are named
AGES = {"at_end": 0, "month": 31, "year": 366}          # days after the end
PRUNED = 40             # looks at the outbox and at the games that have ended, an hour's each


def measure(game: str = "", games: int = 3, seed: int = 0) -> Mapping[str, Any]:
    """What a finished game takes in the file, in kB, as a mean of so many of each title, with each number of seats in turn."""
    specs = [catalog.find(game)] if game else list(catalog.GAMES)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, tqdm(total=len(specs) * games, unit="game") as bar:
        for spec in specs:
            found[spec.key] = asyncio.run(_sizes(Path(folder) / f"{spec.key}.db", spec, games, random.Random(seed), bar))
    return found


def told(figures: Mapping[str, Any]) -> Iterable[str]:
    """The figures, a title at a time: the whole, and the tables that take most of it."""
    for key, sizes in figures.items():
        yield f"{key}: {sizes['rows']:.0f} rows a game"
        for age in AGES:
            tables: Mapping[str, float] = sizes[age]
            most = sorted(tables, key=lambda name: -tables[name])[:TOLD]
            yield f"  {age:8} {sum(tables.values()):8.1f} kB: " + ", ".join(f"{name} {tables[name]:.1f}" for name in most)


async def _sizes(path: Path, spec: GameSpec, games: int, rng: random.Random, bar: tqdm) -> dict[str, Any]:
    now, rows, sizes = BEGIN, 0, dict[str, Any]()
    store = Store(path)
    empty = pages(path)
    services = Services.on(store, [spec], now=lambda: now)
    for number in range(games):
        rows += await _played(services, spec, spec.seats[number % len(spec.seats)], rng)
        bar.update()        # type: ignore[no-untyped-call]
    end = now
    with patch.object(outbox, "RECENT", 0):         # as where many games are played beside them
        for age, days in AGES.items():
            now = end + timedelta(days=days)
            for _ in range(PRUNED if days else 0):
                await services.outbox.prune()
                await services.retention.drop_needless()
            sizes[age] = {name: (size - empty.get(name, 0)) / games / 1000 for name, size in pages(path).items()}
    store.close()
    return {"rows": rows / games, **sizes}


async def _played(services: Services, spec: GameSpec, seats: int, rng: random.Random) -> int:
    """A game from its lobby to its end; how many rows it took."""
    game = await opened(services, spec, seats)
    users = {holder.seat: holder.user or 0 for holder in await services.queries.holders(game)}
    while waiting := (table := await services.session.table(game)).waiting():
        if table.last_no >= LONGEST:
            await services.seats.close(game, person(game, 1), "")
            await settled(services)
            break
        seat = waiting[0].seat
        seen = position(table, seat)
        chosen = random_answer(table.options(seat), rng.randrange) if seen is None else answer(spec, "solid", seen, rng)
        await services.answers.answer(game, users[seat], chosen)
        await settled(services)
    return table.last_no


def pages(path: Path) -> dict[str, int]:
    """What each table takes, with its indexes, in bytes, in a copy without gaps."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, closing(sqlite3.connect(path)) as conn:
        conn.execute("VACUUM INTO ?", (str(Path(folder) / "copy.db"),))
        with closing(sqlite3.connect(Path(folder) / "copy.db")) as copy:
            return dict(copy.execute("SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY 1"))
