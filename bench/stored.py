"""Databases with many games or long ones, to measure on: a few games are played by the bot's own core, and copied as rows."""
from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.service import Services
from bot.store import Store
from engine import catalog
from engine.games import attack, imperial_struggle, struggle_of_empires
from engine.kernel import GameSpec
from engine.selfplay import random_answer
from tests.checks.loopback import BOT, server
from tests.checks.mixtures import first_edition

PATTERNS = 6                        # games of each title that are played; all others are copies of these
TABLES = 10                         # games of one server
PEOPLE, CHANNELS = 1_000_000_000_000, 2_000_000_000_000         # ids of members and channels
APART = 100                         # between the members of two games
YOUNG = 60                          # rows to which a game at most goes back


@dataclass(frozen=True)
class Endless:
    """How a game can be played for as long as one likes: it goes back to where it was young before it could end."""

    edition: str
    late: Callable[[Any], bool] = lambda state: False           # whether the next answers could end it


LAST_WAR, FEW = 3, 2                # the war in which a game ends; territories that could all be lost in one action
LAST_ROUND = 8                      # of a turn that could end a game by points
ENDLESS: Mapping[str, Endless] = {
    struggle_of_empires.GAME.key: Endless("first", lambda s: s.war >= LAST_WAR),
    attack.GAME.key: Endless("base", lambda s: s.phase == "turn" and any(len(s.territories(power)) <= FEW for power in s.powers)),
    imperial_struggle.GAME.key: Endless("published", lambda s: s.ar >= LAST_ROUND),
}


def endless(spec: GameSpec) -> Endless:
    """How this game is played without end."""
    return ENDLESS.get(spec.key) or Endless(first_edition(spec))


def channel_of(game: int) -> int:
    """The channel in which a game is played."""
    return CHANNELS + game


def server_of(game: int) -> int:
    """The number of the server on which a game is played."""
    return 1 + (game - 1) // TABLES


def person(game: int, number: int) -> int:
    """The member who sits in a seat, counted from 1."""
    return PEOPLE + game * APART + 2 * number


async def opened(services: Services, spec: GameSpec, seats: int, *, on: int | None = None) -> int:
    """A running game at its first question: on this server, alone, or else where the next number belongs."""
    known = await services.queries.games(status=("open", "running", "paused", "over", "closed"))
    number = on or (known[-1].id + 1 if known else 1)
    row = await services.lobby.open(key=spec.key, edition=endless(spec).edition, seats=seats, options={}, pack=None,
                          title=f"Game {number}", guild=server(on or server_of(number)).id, channel=channel_of(number),
                          owner=person(number, 1))
    for place in range(1, seats + 1):
        await services.lobby.join(row.id, person(row.id, place))
    await services.lobby.start(row.id, person(row.id, 1))
    return row.id


async def played(services: Services, game: int, rows: int, rng: random.Random) -> None:
    """Random answers until the log has so many rows; before a game could end, it goes back to where it was young."""
    late = endless((await services.session.table(game)).spec).late
    users = {holder.seat: holder.user or 0 for holder in await services.queries.holders(game)}
    while (table := await services.session.table(game)).last_no < rows:
        if late(table.state):
            await services.undo.rollback(game, rng.randrange(min(YOUNG, table.last_no)), person(game, 1))
            continue
        asked = table.waiting()[0]
        await services.answers.answer(game, users[asked.seat], random_answer(table.options(asked.seat), rng.randrange))


async def settled(services: Services) -> None:
    """All letters are sent, and have become messages, but for those that have no sense any more."""
    for game in await services.outbox.addressed():
        while waiting := await services.outbox.pending_of(game):
            await services.outbox.note(game, [(letter.id, None if letter.superseded else letter.id) for letter in waiting])


async def _patterns(path: Path, games: int, rows: range, specs: Sequence[GameSpec]) -> None:
    store = Store(path)
    services, rng = Services(store), random.Random(0)
    for number in range(games):
        spec, turn = specs[number % len(specs)], number // len(specs)
        game = await opened(services, spec, spec.seats[turn % len(spec.seats)])
        await played(services, game, rng.choice(rows), rng)
    await settled(services)
    store.close()


def stocked(path: Path, games: int, rows: range, specs: Sequence[GameSpec] = catalog.GAMES) -> None:
    """A file with so many running games of these titles in turn, each with a number of rows from this range, played by people
    of their own, to all of whom the bot has written before."""
    patterns = min(games, PATTERNS * len(specs))
    asyncio.run(_patterns(path, patterns, rows, specs))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=OFF")
        db.execute("CREATE TEMP TABLE copies (copy INTEGER PRIMARY KEY, pattern INTEGER, home INTEGER, room INTEGER) STRICT")
        db.executemany("INSERT INTO copies VALUES (?, ?, ?, ?)", [
            (game, 1 + (game - 1) % patterns, server(server_of(game)).id, channel_of(game))
            for game in range(patterns + 1, games + 1)])
        db.execute("BEGIN")
        for table in _tables_of_games(db):
            _copy(db, table)
        db.execute("INSERT INTO direct_channels (bot, user, channel) SELECT DISTINCT ?, user, user + 1 FROM seats", (BOT,))
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _tables_of_games(db: sqlite3.Connection) -> Iterator[str]:
    """The table of games, and all whose rows belong to one."""
    yield "games"
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall():
        if any((name, kind) == ("game", "INTEGER") for _, name, kind, *_ in db.execute(f"PRAGMA table_info({table})")):
            yield table


def _copy(db: sqlite3.Connection, table: str) -> None:
    """The rows of all copies, each with members and a channel of its own; a number that the file gives is given anew."""
    apart = f"(copy - pattern) * {APART}"
    own = {"game": "copy", "user": f"user + {apart}", "owner": f"owner + {apart}", "nonce": "nonce || '.' || copy"}
    key = "game"
    if table == "games":
        own |= {"id": "copy", "guild": "home", "channel": "room", "title": "'Game ' || copy"}
        key = "id"
    info = db.execute(f"PRAGMA table_info({table})").fetchall()
    numbered = [name for _, name, _, _, _, place in info if place] == ["id"] and table != "games"
    names = [name for _, name, *_ in info if name != "id" or not numbered]
    quoted = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(own.get(name, f'"{name}"') for name in names)
    db.execute(f"INSERT INTO {table} ({quoted}) SELECT {values} FROM copies CROSS JOIN {table} ON {table}.{key} = pattern")
