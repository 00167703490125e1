"""`python -m bot` before a small Discord of our own on a local socket."""
from __future__ import annotations

import asyncio
import gc
import gzip
import logging
import os
import resource
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest
import pytest_asyncio
import yarl
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.gateway import DiscordWebSocket
from discord.http import Route

import sandbox.server
from bot import __main__ as program
from bot.discord.client import Chancery, make_bot
from bot.operator import cli
from bot.operator.config import Settings
from bot.service import Services
from bot.store import NotStored, Store
from bot.store.claims import claim_of
from bot.store.database import UNKEPT
from engine.text import verbatim
from tests.bot.test_upgrades import FIXTURES, RELEASED

TOKEN = "a.good.token"
HELLO, IDENTIFY, HEARTBEAT, BEAT = 10, 2, 1, 11


class SmallDiscord:
    """Knows one token, takes commands, and says READY."""

    def __init__(self) -> None:
        self.ready, self.commands = asyncio.Event(), [""]
        self.troubles, self.crowded = list[web.Response](), list[web.Response]()       # at the login, and on to the gateway
        self.app = web.Application()
        self.app.router.add_get("/api/v10/users/@me", self._me)
        self.app.router.add_get("/api/v10/oauth2/applications/@me", self._application)
        self.app.router.add_put("/api/v10/applications/2/commands", self._sync)
        self.app.router.add_get("/api/v10/gateway/bot", self._recommended)
        self.app.router.add_get("/gateway", self._gateway)
        self.shut, self.refused = False, asyncio.Event()                    # the gateway; and whether somebody has tried it

    async def _me(self, request: web.Request) -> web.Response:
        if self.troubles:
            return self.troubles.pop(0)
        if request.headers["Authorization"] != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        return _json(ME)

    async def _application(self, request: web.Request) -> web.Response:
        return _json({"id": "2", "name": "Chancery", "description": "", "flags": 0, "bot_public": True,
                      "bot_require_code_grant": False, "verify_key": "", "summary": "", "hook": False,
                      "icon": None, "rpc_origins": [], "owner": ME})

    async def _recommended(self, request: web.Request) -> web.Response:
        if self.crowded:
            return self.crowded.pop(0)
        limit = {"total": 1, "remaining": 1, "reset_after": 1, "max_concurrency": 1}
        return _json({"url": f"ws://{request.host}/gateway", "shards": 1, "session_start_limit": limit})

    async def _sync(self, request: web.Request) -> web.Response:
        self.commands = [command["name"] for command in await request.json()]
        return _json([])

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        if self.shut:
            self.refused.set()
            return web.Response(status=503)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 40000}, "s": None, "t": None})
        async for message in socket:
            said = message.json()
            if said["op"] == IDENTIFY:
                self.intents = said["d"]["intents"]
                await socket.send_json({"op": 0, "s": 1, "t": "READY", "d": {
                    "v": 10, "user": ME, "guilds": [], "session_id": "s", "shard": [0, 1], "application": {"id": "2", "flags": 0},
                    "resume_gateway_url": f"ws://{request.host}/gateway"}})
                self.ready.set()
            elif said["op"] == HEARTBEAT:
                await socket.send_json({"op": BEAT, "d": None, "s": None, "t": None})
        return socket


ME = {"id": "2", "username": "chancery", "discriminator": "0", "avatar": None, "bot": True}


def _json(body: Any, status: int = 200) -> web.Response:
    """JSON as Discord sends it: a content type with a charset would be handed on as text."""
    response = web.json_response(body, status=status)
    response.headers["Content-Type"] = "application/json"
    return response


@pytest_asyncio.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[SmallDiscord, str]]:
    monkeypatch.setattr(Route, "BASE", Route.BASE)                          # what `serve` changes is put back
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    small = SmallDiscord()
    server = TestServer(small.app)
    await server.start_server()
    try:
        yield small, str(yarl.URL(server.make_url("/")).origin())
    finally:
        await server.close()


def settings(database: Path, url: str, token: str = TOKEN) -> Settings:
    return Settings(DISCORD_TOKEN=token, CHANCERY_DATABASE=database, CHANCERY_DISCORD_URL=url)


async def test_it_connects_with_few_intents_and_ends_cleanly_when_told_to(
        here: tuple[SmallDiscord, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    small, url = here
    made = list[Services]()

    def noted(services: Services, **more: Any) -> Chancery:
        made.append(services)
        return make_bot(services, **more)

    monkeypatch.setattr(program, "make_bot", noted)
    own = settings(tmp_path / "games.db", url)
    running = asyncio.create_task(program.serve(own, TOKEN))
    await asyncio.wait([running, asyncio.create_task(small.ready.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not running.done(), running.result()
    assert {"game", "gm"} < set(small.commands)
    assert made[0].session.quotas.limits == own.limits
    assert small.intents == discord.Intents(guilds=True, dm_messages=True).value
    os.kill(os.getpid(), signal.SIGTERM)
    await running
    await asyncio.sleep(0.01)
    gc.collect()                                                            # what has failed unseen is logged as it goes
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    Store(tmp_path / "games.db").close()                                    # it has let go of the file
    assert claim_of(tmp_path / "games.db").claimed, "the sandbox leaves it alone"


async def test_a_busy_discord_is_waited_for_with_growing_pauses(
        here: tuple[SmallDiscord, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    small, url = here
    small.troubles = [web.Response(status=429, text="<html>Access denied</html>", content_type="text/html"),
                      *(web.Response(status=503) for _ in range(3))]

    monkeypatch.setattr(program, "_wait", AsyncMock())          # no pause lasts
    monkeypatch.setattr(program, "LONGEST_PAUSE", 40)
    running = asyncio.create_task(program.serve(settings(tmp_path / "games.db", url), TOKEN))
    await asyncio.wait([running, asyncio.create_task(small.ready.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not running.done(), running.result()
    told = [record.getMessage() for record in caplog.records if record.name == program.log.name]
    assert told == [f"Discord doesn't let me log in just now (HTTP {status}). I'll try again in {pause} seconds."
                    for status, pause in ((429, 15), (503, 30), (503, 40), (503, 40))]
    os.kill(os.getpid(), signal.SIGTERM)
    await running
    assert not [record for record in caplog.records if "Unclosed" in record.getMessage()]


async def test_whoever_waits_for_a_discord_out_of_reach_ends_when_told_to(
        here: tuple[SmallDiscord, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, wait = asyncio.Event(), program._wait

    async def waiting(*given: Any) -> None:
        begun.set()
        await wait(*given)

    monkeypatch.setattr(program, "_wait", waiting)
    running = asyncio.create_task(program.serve(settings(tmp_path / "games.db", "http://127.0.0.1:9"), TOKEN))
    await begun.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    await running


async def test_a_discord_that_is_busy_after_the_login_is_waited_for_too(
        here: tuple[SmallDiscord, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, url = here
    small.crowded = [web.Response(status=503), web.Response(status=429)]
    monkeypatch.setattr(program, "_wait", AsyncMock())
    running = asyncio.create_task(program.serve(settings(tmp_path / "games.db", url), TOKEN))
    await asyncio.wait([running, asyncio.create_task(small.ready.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not running.done(), running.result()
    os.kill(os.getpid(), signal.SIGTERM)
    await running


async def test_whoever_waits_for_the_gateway_ends_when_told_to(
        here: tuple[SmallDiscord, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, url = here
    small.shut = True
    monkeypatch.setattr(discord.shard, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": lambda _: asyncio.sleep(0)}))
    running = asyncio.create_task(program.serve(settings(tmp_path / "games.db", url), TOKEN))
    await small.refused.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(20):
        await running


async def test_a_token_that_discord_does_not_know(here: tuple[SmallDiscord, str], tmp_path: Path) -> None:
    with pytest.raises(discord.LoginFailure):
        await program.serve(settings(tmp_path / "games.db", here[1]), "a.bad.token")


def leaves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str,
           **variables: str) -> tuple[object, str]:
    """The exit status and the sentence of a start with these variables."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as left:
        program.main(words)
    return left.value.code, capsys.readouterr().err


def opened(path: Path) -> Store:
    """In place of a start that would not end by itself."""
    pytest.fail(f"the sandbox has opened {path}")


def test_without_a_token_and_without_the_sandboxs_libraries_a_start_asks_for_the_token(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("sandbox", "sandbox.server"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "simcord", None)               # as in the image
    status, sentence = leaves(monkeypatch, capsys, DISCORD_TOKEN="")
    assert status == 2 and sentence.startswith("There is no token: set DISCORD_TOKEN, in the environment")


def test_a_full_disk_is_not_taken_for_a_discord_that_cannot_be_reached(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, own[1]))
    try:
        status, sentence = leaves(monkeypatch, capsys, DISCORD_TOKEN=TOKEN, CHANCERY_DATABASE=str(tmp_path / "games.db"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, own)
    assert status == 2 and "can't be opened: file too large. It needs the file games.db.lock beside it." in sentence


def test_a_tool_on_a_full_disk_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    why = NotStored(UNKEPT, reason=verbatim("the disk is full"))
    monkeypatch.setattr(cli, "run", Mock(side_effect=why))
    status, sentence = leaves(monkeypatch, capsys, "forget", "1")
    assert (status, sentence) == (2, "The database can't be written to: the disk is full.\n")


def test_a_second_bot_on_one_database_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                                                 tmp_path: Path) -> None:
    first = Store(tmp_path / "games.db")
    status, sentence = leaves(monkeypatch, capsys, DISCORD_TOKEN=TOKEN, CHANCERY_DATABASE=str(tmp_path / "games.db"))
    first.close()
    assert status == 2 and sentence.splitlines()[-1].startswith("Another bot is running on")


def test_a_broken_setting_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, sentence = leaves(monkeypatch, capsys, CHANCERY_SANDBOX_PORT="many", DISCORD_TOKEN=TOKEN)
    assert status == 2 and sentence.count("\n") == 1 and "CHANCERY_SANDBOX_PORT" in sentence and TOKEN not in sentence


@pytest.mark.parametrize("version", ["now", *RELEASED])
def test_the_sandbox_leaves_the_file_of_a_bot_on_discord_alone(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, version: str) -> None:
    path = tmp_path / "games.db"
    if version == "now":
        with closing(Store(path)) as store:
            asyncio.run(store.write(lambda ledger: ledger.claims.claim("")))
    else:                                                                   # before there was a mark
        with closing(sqlite3.connect(path)) as conn:
            conn.executescript(gzip.decompress((FIXTURES / f"version-{version}.sql.gz").read_bytes()).decode())
    before = path.read_bytes()
    monkeypatch.setattr(sandbox.server, "Store", opened)
    status, sentence = leaves(monkeypatch, capsys, CHANCERY_DATABASE=str(path))
    assert status == 2 and sentence == (
        f"{path} is the database of a bot on Discord, and the sandbox would send the messages of its games nowhere. Set "
        "DISCORD_TOKEN to start that bot, or name another file in CHANCERY_DATABASE.\n")
    assert path.read_bytes() == before


def closed(code: int) -> discord.ConnectionClosed:
    """What the library makes of a gateway that closes for good."""
    return discord.ConnectionClosed(Mock(), shard_id=0, code=code)


@pytest.mark.parametrize("error, status, start", [
    (discord.LoginFailure("no"), 2, "Discord doesn't accept the token in DISCORD_TOKEN"),
    (discord.HTTPException(SimpleNamespace(status=401, reason=""), ""), 2, "Discord doesn't accept the token in DISCORD_TOKEN"),
    (closed(4004), 2, "Discord doesn't accept the token"),
    (discord.HTTPException(SimpleNamespace(status=403, reason="No"), ""), 1, "Discord doesn't let me in: 403 No"),
    (closed(4013), 1, "Discord doesn't let me in: Shard ID 0"),
    (OSError("down"), 1, "Discord can't be reached (OSError)")])
def test_what_goes_wrong_with_discord_is_one_sentence(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, error: Exception, status: int,
        start: str) -> None:
    async def serve(*_: object) -> None:
        raise error

    monkeypatch.setattr(program, "serve", serve)
    left, sentence = leaves(monkeypatch, capsys, DISCORD_TOKEN=TOKEN, CHANCERY_DATABASE=str(tmp_path / "games.db"))
    assert (left, sentence.startswith(start)) == (status, True)
