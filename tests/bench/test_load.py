"""The load bench: the real bot in its own process on a loopback Discord, and what is compared afterwards."""
from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bench.abuser import STRETCHES, Abuser, disturbed
from bench.automatic_seats import MixedCrowd, fill
from bench.crowd import Crowd, Seen
from bench.running import MALLOC, ROOT, clubs_of, compared, quiet, running, servers_of
from bench.stored import ENDLESS, PATTERNS, channel_of, opened, person, played, server_of, stocked
from bot.service import Services
from bot.service.player_processes import InThisProcess
from bot.store import Store
from engine.catalog import GAMES as TITLES
from engine.kernel import GameSpec
from engine.undo import REWIND
from tests.checks.loopback import Loopback, server

PLAYED = PATTERNS * len(TITLES)
GAMES = PLAYED + 2      # the last ones are copies


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "chancery.db"
    stocked(path, GAMES, range(8, 12))
    return path


def test_copies_are_games_of_their_own(database: Path) -> None:
    with closing(sqlite3.connect(database)) as db:
        rows = db.execute("SELECT game, count(*) FROM log GROUP BY game ORDER BY game").fetchall()
        users = db.execute("SELECT user FROM seats").fetchall()
        homes = db.execute("SELECT id, guild, channel FROM games ORDER BY id").fetchall()
        titles = [key for (key,) in db.execute("SELECT key FROM games ORDER BY id")]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert [game for game, _ in rows] == list(range(1, GAMES + 1)) and rows[PLAYED][1] == rows[0][1]
    assert titles == [TITLES[(game - 1) % len(TITLES)].key for game in range(1, GAMES + 1)], "the titles take turns"
    assert len(set(users)) == len(users)
    assert homes == [(game, server(server_of(game)).id, channel_of(game)) for game in range(1, GAMES + 1)]


@pytest.mark.edge
async def test_the_bot_plays_on_a_loopback_discord_and_loses_nothing(database: Path) -> None:
    clubs = await clubs_of(database, GAMES)
    assert len(clubs) == GAMES and all(club.users[seat] == person(club.game, number)
                                       for club in clubs for number, seat in enumerate(club.users, 1))
    async with Loopback(servers_of(clubs)).open() as loopback, running(loopback, database):
        crowd = Crowd(loopback, clubs)
        await crowd.act(rate=10, seconds=3)
        await quiet(database)
    assert crowd.seen.unanswered == 0 and crowd.seen.acted > 10
    figures = compared(database, clubs, loopback)
    assert figures["rows"] and not figures["lost"] + figures["doubled"] + figures["messages_missing"]
    club = next(club for club in clubs if club.rows)
    row = club.rows.pop(0)                              # what the bot has and nobody gave
    assert compared(database, clubs, loopback)["doubled"] == 1
    row.answer = "{}"
    club.rows.insert(0, row)                            # what somebody gave and the bot has not
    assert (compared(database, clubs, loopback)["lost"], compared(database, clubs, loopback)["doubled"]) == (1, 1)


@pytest.mark.parametrize("deployed", ["Dockerfile", "Makefile", "deploy/chancery.service"])
def test_a_bot_gives_memory_back_where_it_is_deployed_as_where_it_is_measured(deployed: str) -> None:
    told = (ROOT / deployed).read_text(encoding="utf-8").replace(" = ", "=")
    assert [setting for setting in MALLOC if f"{setting}={MALLOC[setting]}" not in told] == []


async def test_people_wait_for_automatic_players_and_know_their_answers(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "mixed.db"
    shutil.copyfile(database, path)
    people = sum(len(club.users) for club in await clubs_of(path, GAMES))
    seats = await fill(path, 40, random.Random(0))
    clubs = await clubs_of(path, GAMES)
    assert seats == people * 40 // 100 == people - sum(len(club.users) for club in clubs)
    crowd = MixedCrowd(Loopback([]), clubs, path)
    waiting = [club for club in clubs if not crowd.ready(club)]
    with closing(Store(path)) as store:
        services = Services(store)
        services.automatic.thinker = InThisProcess()
        for club in waiting:
            while await services.automatic.think_and_answer(club.game):
                pass
    assert waiting and all(crowd.ready(club) for club in waiting) and crowd.automatic_answers >= len(waiting)
    crowd.end()
    figures = compared(path, clubs, crowd.discord)
    assert figures["rows"] >= crowd.automatic_answers and not figures["lost"] + figures["doubled"]


class Idle(Crowd):
    """People who wait as long as they are told to."""

    async def act(self, rate: float, seconds: float, passed: Callable[[float], object] = lambda now: None) -> None:
        self.seen = Seen(acknowledged=[len(self.discord.requests)])


async def test_the_abuser_waits_for_no_answer_and_every_second_stretch_is_without_it(database: Path) -> None:
    first, *others = await clubs_of(database, GAMES)
    discord, stretches = Loopback([server(server_of(first.game), [first.channel])]), list[float]()
    abuser = Abuser(discord, first)
    without, disturbing, figures = await disturbed(Idle(discord, others), abuser, people=1, abuses=1000, seconds=0.06,
                                                   busy=lambda: 1.0, passed=stretches.append)
    assert len(without) == len(disturbing) == STRETCHES and len(stretches) == 2 * STRETCHES
    assert figures["abuser_sent"] == len(abuser.sent) == 30 and abuser.acknowledged == 0
    abuser.sent[0].acknowledged.set_result(0.0)
    assert abuser.acknowledged == 1


@pytest.mark.parametrize("spec", TITLES, ids=lambda spec: spec.key)
async def test_a_game_goes_back_to_where_it_was_young_before_it_could_end(tmp_path: Path, spec: GameSpec,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    ages: list[object] = []

    def late(state: object) -> bool:
        ages.append(state)
        return len(ages) % 30 == 0

    monkeypatch.setitem(ENDLESS, spec.key, replace(ENDLESS[spec.key], late=late))
    with closing(Store(tmp_path / "games.db")) as store:
        services = Services(store)
        game = await opened(services, spec, min(3, max(spec.seats)))
        await played(services, game, 80, random.Random(0))
        rows = await store.read(lambda ledger: ledger.log.outline(game))
    assert [row.by for row in rows if row.verb == REWIND] == ["moderator"] * (len(ages) // 30) and len(ages) >= 30


async def test_a_repeated_nonce_is_one_message() -> None:
    loopback = Loopback([server(1, [5])])
    first, again = (loopback._posted(5, {"content": "x", "nonce": "n"}, []) for _ in range(2))
    assert first["id"] == again["id"] and loopback.repeated == 1
    assert loopback._posted(5, {"content": "x", "nonce": "m"}, [])["id"] != first["id"]
