"""The load bench: the real bot in its own process on a loopback Discord, and what is compared afterwards."""
from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench.crowd import Club, Crowd
from bench.load import clubs_of, compared, quiet, running
from bench.loopback import Asked, Loopback, server
from bench.stored import channel_of, person, server_of, stocked

GAMES = 8               # more than are played: the last ones are copies


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
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert [game for game, _ in rows] == list(range(1, GAMES + 1)) and rows[6][1] == rows[0][1]
    assert len(set(users)) == len(users)
    assert homes == [(game, server(server_of(game)).id, channel_of(game)) for game in range(1, GAMES + 1)]


@pytest.mark.edge
async def test_the_bot_plays_on_a_loopback_discord_and_loses_nothing(database: Path) -> None:
    clubs = await clubs_of(database, GAMES)
    assert len(clubs) == GAMES and all(club.users[seat] == person(club.game, number)
                                       for club in clubs for number, seat in enumerate(club.users, 1))
    async with Loopback([server(1, [club.channel for club in clubs])]).open() as discord, running(discord, database):
        crowd = Crowd(discord, clubs)
        await crowd.act(rate=10, seconds=3)
        await quiet(database)
    assert crowd.seen.unanswered == 0 and crowd.seen.acted > 10
    figures = compared(database, clubs, discord)
    assert figures["rows"] and not figures["lost"] + figures["doubled"] + figures["messages_missing"]
    club = next(club for club in clubs if club.rows)
    row = club.rows.pop(0)                              # what the bot has and nobody gave
    assert compared(database, clubs, discord)["doubled"] == 1
    row.answer = "{}"
    club.rows.insert(0, row)                            # what somebody gave and the bot has not
    assert (compared(database, clubs, discord)["lost"], compared(database, clubs, discord)["doubled"]) == (1, 1)


async def test_a_repeated_nonce_is_one_message() -> None:
    discord = Loopback([server(1, [5])])
    first, again = (discord._posted(5, {"content": "x", "nonce": "n"}, []) for _ in range(2))
    assert first["id"] == again["id"] and discord.repeated == 1
    assert discord._posted(5, {"content": "x", "nonce": "m"}, [])["id"] != first["id"]


def test_what_got_no_reply_may_be_there_or_not() -> None:
    club = Club(1, 5, {}, Any, since=10, given=[(12, 0.0), (15, 0.0)])        # type: ignore[arg-type]
    assert club.certain() == 15
    club.doubtful = True
    assert club.certain() == 12
    club.given = []
    assert club.certain() == 10


async def test_somebody_waits_until_the_bot_answers_in_words() -> None:
    discord, loop = Loopback([server(1, [5])]), asyncio.get_running_loop()
    asked = discord._asked["token-1"] = Asked(0.0, loop.create_future(), loop.create_future())
    discord._called_back("token-1", {"type": 5})
    assert asked.acknowledged.done() and not asked.answered.done()
    discord._answered("token-1", {"content": "Done."}, [])
    assert asked.answered.done() and asked.said["content"] == "Done."
