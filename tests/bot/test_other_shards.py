"""Direct messages, which Discord sends to one shard alone: they reach the games of all shards of a machine, once each."""
from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Literal

import discord
import pytest

from bot.discord import client, file_loans, other_shards
from bot.discord.client import make_bot
from bot.discord.other_shards import Known, Meant, home, serving
from bot.discord.own.games import listed
from bot.domain.shards import ShardGame
from bot.operator.config import Settings
from bot.operator.preflight import check
from bot.operator.shards import borrowed, move
from bot.service import Services
from bot.store import Store, backup_files
from bot.store.meeting import conflicts, take_place
from bot.store.migrations import CHANGES
from engine.refusals import Faulty, Refusal
from engine.text import English, say
from tests.bot.desk import ANNA, at_once, attentive, blank, play_on
from tests.bot.discord_world import World, words
from tests.toy import PEBBLES

SILENT = "A part of me isn't answering, so I can't find that game. Nothing has changed. Try again in a minute."
AWAY = "The part of me that has this server's games isn't answering. Nothing has changed. Try again in a minute."
MOVING = "Games are moving to another part of me just now. Nothing has changed. Try again in a few seconds."
LOST = SILENT.replace("that game", "your games")
UNSURE = ("A part of me isn't answering, so I can't tell which of your games you mean. Say which one with the option game, or "
          "try again in a minute.")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no silent shard."""
    monkeypatch.setattr(other_shards, "PATIENCE", 30.0)


@contextlib.asynccontextmanager
async def first_shard(world: World, folder: Path) -> AsyncIterator[Any]:
    """Another process, with a file of its own; its games have even numbers."""
    with contextlib.closing(at_once(lambda: Store(blank(folder / "first.db"), part=(1, 2)))) as store:
        first: Any = make_bot(Services.on(store, world.games, now=world.services.session.now), world.games, part=(0, 2))
        first.http = first._connection.http = first.tree._http = world.bot.http
        first._connection.user, first.loop = world.bot.user, world.bot.loop
        first.add_dynamic_items(*world.bot._connection._view_store._dynamic_items.values())
        async with serving(first, (0, 2), folder / "sockets"):
            yield first


@contextlib.asynccontextmanager
async def two_shards(world: World, folder: Path) -> AsyncIterator[Any]:
    """A first shard, to which Discord sends all direct messages; the world's bot is the second one."""
    attentive(asyncio.get_running_loop())
    async with first_shard(world, folder) as first, serving(world.bot, (1, 2), folder / "sockets"):
        sent = world.bot._connection.parsers
        sent["INTERACTION_CREATE"] = first._connection.parsers["INTERACTION_CREATE"]
        yield first


async def dawn(first: Any, player: Any, title: str = "Dawn") -> None:
    """The first shard has a game, too, number 2 or 4, which somebody has joined."""
    game = await first.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title=title, guild=77,
                                           channel=78, owner=ANNA)
    await first.services.lobby.join(game.id, player.id)


async def heap(world: World) -> int:
    state: Any = (await world.services.session.table(1)).state
    return int(state.heap)


async def test_buttons_and_commands_in_a_direct_message_reach_the_game_of_another_shard(world: World, tmp_path: Path) -> None:
    await world.guessed()
    alice, bob = world.alice.user, world.bob.user
    async with two_shards(world, tmp_path) as first:
        shown = await alice.slash("my secrets", game="#1")
        assert "Your guess: 3." in words(shown)
        await alice.click(shown.response, label="Take 2 pebbles, left")
        assert await heap(world) == 10, "it counts once"
        await bob.slash("pebbles take", pebbles=1)                              # the only game of his, wherever it is
        assert await heap(world) == 9
        assert "It's your move in 1." in words(await alice.slash("my games"))
        assert (await alice.autocomplete("my secrets", "game", "peb")) == [{"name": "1: Pebbles", "value": "1"}]
        assert words(await bob.slash("my secrets", game="7")).startswith("There is no game 7 here.")

        await dawn(first, alice)
        assert [one["name"] for one in await alice.autocomplete("my secrets", "game", "")] == ["2: Dawn", "1: Pebbles"]
        assert words(await alice.slash("pebbles take", pebbles=1)) == (
            "Several games are played here. Say which one with the option game: 1 (Pebbles) and 2 (Dawn).")
        assert await heap(world) == 9
        assert [bool(game.words) for most in (0, 1) for game in await listed(world.bot, alice.id, most)] == [False, True]
        mine = await alice.slash("my games")
        assert words(mine).splitlines()[:3] == ["You're in 2 games. It's your move in 1.", "### Your move",
                                                f"**Pebbles** · game 1 · <#{world.table.id}>, Club"]
        assert "### Your other games\n**Dawn** · game 2 · <#78>" in words(mine)
        assert "**Dawn**" in words(await alice.click(mine.response, label="Dawn (2)"))
        mine = await alice.slash("my games")
        assert "The heap has 9." in words(await alice.click(mine.response, label="Your move: Pebbles (1)"))
        assert "**Dawn**" in words(await alice.slash("game status", game="dawn"))
        for command in ("my data", "my settings"):
            assert "This goes for one of 2 parts of me" in words(await alice.slash(command))
        await alice.slash("pebbles take", pebbles=1, game="pebbles")
        assert await heap(world) == 8
        await dawn(first, bob, "1")                                             # a game that is called so is not game 1
        await bob.slash("pebbles take", pebbles=1, game="1")
        assert await heap(world) == 7


async def test_a_shard_that_is_gone_or_stops_half_way_is_told_and_nothing_is_done_twice(world: World, tmp_path: Path) -> None:
    await world.guessed()
    alice, parsers = world.alice.user, world.bot._connection.parsers
    take, late = parsers["INTERACTION_CREATE"], list[Any]()

    async def stopping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The second shard, which answers questions and breaks off when it has been given something to do."""
        line = json.loads(await reader.readline())
        if "user" in line:
            writer.write(b'{"found": "number", "games": []}\n')
        else:
            late.append(line["interaction"])
        writer.close()

    async with first_shard(world, tmp_path) as first:
        parsers["INTERACTION_CREATE"] = first._connection.parsers["INTERACTION_CREATE"]
        assert words(await alice.slash("my secrets", game="1")) == SILENT
        assert words(await alice.slash("pebbles take", pebbles=2)) == UNSURE
        assert await alice.autocomplete("my secrets", "game", "") == []
        assert words(await alice.slash("my games")) == LOST
        await dawn(first, alice)
        assert words(await alice.slash("my games")).endswith("so some of your games may be missing here.")
        server = await asyncio.start_unix_server(stopping, tmp_path / "sockets" / "1.sock")
        assert words(await alice.slash("pebbles take", pebbles=2, game="1")) == SILENT
        assert len(late) == 1
        take(late[0])                           # it took it after all, too late: Discord has its first answer
        await world.env.settle()
        assert await heap(world) == 12
        server.close()
    parsers["INTERACTION_CREATE"] = take


async def test_a_server_moves_under_running_bots_and_what_comes_from_it_is_handed_over(
        world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord goes on to send it to the process whose file the server has left."""
    await world.guessed()
    alice, bob, folder, own = world.alice, world.bob, tmp_path / "sockets", world.services.session.store.path
    guild, now = (await world.services.queries.game(1)).guild or 0, world.services.session.now

    async def moved(source: Path, target: Path, server: int = guild) -> str:
        try:
            return say(await move(server, source, target, folder=folder, now=now), English())
        except Faulty as why:
            return str(why)

    async with first_shard(world, tmp_path) as first, serving(world.bot, (1, 2), folder):
        theirs = first.services.session.store.path
        starting = (f"The bot on {theirs}, process {os.getpid()}, doesn't lend its file: it is starting, or lends the file "
                    "already. Try again in a minute. Nothing has changed.")
        assert await moved(own, theirs) == starting
        monkeypatch.setattr(first, "is_ready", lambda: True)
        monkeypatch.setattr(first.automatic, "start", lambda: None)
        assert await moved(own, theirs, 99) == f"{own} has nothing of server 99. `python -m bot servers` tells what lies where."
        with monkeypatch.context() as older:
            older.setattr("bot.operator.shards.CHANGES", CHANGES[:-1])
            assert "of another version. Restart it with this one, or stop it. Nothing has changed." in await moved(own, theirs)
        with monkeypatch.context() as late:
            late.setattr(client, "ENDING", 0.05)
            async with world.services.session.passing():
                assert "what is under way takes too long. Try again. Nothing has changed." in await moved(own, theirs)
        await alice.slash(world.table, "pebbles take", pebbles=2)
        assert await heap(world) == 10, "it goes on with its file"
        assert await moved(own, theirs) == f"Server {guild} is in {theirs} now, with 1 game."     # where it belongs
        await bob.slash(world.table, "pebbles take", pebbles=1)
        assert (await first.services.session.table(1)).state.heap == 9
        assert words(await bob.slash(world.table, "my games")).startswith("You're in 1 game.")
        monkeypatch.setattr(first, "is_ready", lambda: False)
        assert words(await alice.slash(world.table, "pebbles take", pebbles=1)) == AWAY
        monkeypatch.setattr(first, "is_ready", lambda: True)
        world.bot.resting = True
        assert words(await alice.slash(world.table, "pebbles take", pebbles=1)) == MOVING
        world.bot.resting = False
        assert await moved(theirs, own) == (
            f"Server {guild} is in {own} now, with 1 game. Discord goes on to send what happens there to shard 0, which hands it "
            "over. Noticeboard and weekly summary wait until you have moved all that is to move and restart the bots with the "
            f"number of shards for which the server belongs to {own}.")
        await alice.slash(world.table, "pebbles take", pebbles=1)
        assert await heap(world) == 8


async def borrow(store: Store, socket: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Have a bot lend its file."""
    reader, writer = await asyncio.open_unix_connection(socket)
    await file_loans.say_line(writer, file_loans.Loan(file=str(store.path), tables=CHANGES[-1].__name__))
    assert await reader.readline() == b'{"lent":true}\n'
    return reader, writer


@pytest.mark.parametrize("fault", [RuntimeError("a secret"), OSError("a secret"), Faulty("The disk is gone.")])
async def test_a_bot_that_cannot_open_what_it_has_lent_ends_and_is_to_be_started_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: Exception) -> None:
    ended, folder = list[int](), tmp_path / "sockets"

    def broken(*given: object) -> None:
        raise fault

    with contextlib.closing(at_once(lambda: Store(blank(tmp_path / "one.db"), part=(1, 2)))) as store:
        bot = make_bot(play_on(store), (PEBBLES,))
        monkeypatch.setattr(bot, "is_ready", lambda: True)
        monkeypatch.setattr(os, "_exit", ended.append)
        async with serving(bot, (1, 2), folder):
            _, writer = await borrow(store, folder / "1.sock")
            monkeypatch.setattr("bot.store.database._open", broken)
            writer.close()
            while not ended:        # noqa: ASYNC110
                await asyncio.sleep(0.01)
    assert ended == [1], "2 would not be started again"
    assert "the file that was lent can't be used" in caplog.text and "secret" not in caplog.text


async def test_a_bot_ends_while_its_file_is_lent_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, path = tmp_path / "sockets", tmp_path / "one.db"
    with contextlib.closing(at_once(lambda: Store(blank(path), part=(1, 2)))) as store:
        bot = make_bot(play_on(store), (PEBBLES,))
        monkeypatch.setattr(bot, "is_ready", lambda: True)
        await dawn(bot, discord.Object(ANNA))
        with contextlib.ExitStack() as borrower:
            async with serving(bot, (1, 2), folder):
                reader, writer = await borrow(store, folder / "1.sock")
                borrower.enter_context(contextlib.closing(Store(path)))
                late = asyncio.create_task(dawn(bot, discord.Object(ANNA)))
                await bot.close()
            assert await reader.read() == b"", "it has ended, though the other one has the file still"
            writer.close()
            await asyncio.sleep(0)
            assert not late.done(), "nobody was told that it was done"
            late.cancel()
        with pytest.raises(asyncio.CancelledError):
            await late
    with contextlib.closing(Store(path)) as after:
        assert await after.read(lambda ledger: ledger.highest_game()) == 2


SUSPENDED = """
import fcntl, os, signal, socket, sys
there = socket.socket(socket.AF_UNIX)
there.connect(sys.argv[1])
there.sendall(sys.argv[2].encode())
assert there.recv(100) == b'{"lent":true}\\n'
held = open(sys.argv[3], "r+b")
fcntl.flock(held, fcntl.LOCK_EX)
os.kill(os.getpid(), signal.SIGSTOP)
"""


async def test_a_program_that_is_suspended_while_it_has_the_file_is_ended_and_the_file_comes_back(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    folder, path = tmp_path / "sockets", tmp_path / "one.db"
    monkeypatch.setattr(file_loans, "SILENCE", 0.2)
    with contextlib.closing(at_once(lambda: Store(blank(path), part=(1, 2)))) as store:
        bot = make_bot(play_on(store), (PEBBLES,))
        monkeypatch.setattr(bot, "is_ready", lambda: True)
        async with serving(bot, (1, 2), folder):
            loan = file_loans.Loan(file=str(path), tables=CHANGES[-1].__name__).model_dump_json()
            program = await asyncio.create_subprocess_exec(
                sys.executable, "-c", SUSPENDED, str(folder / "1.sock"), f"{loan}\n", f"{path}.lock")
            try:
                async with asyncio.timeout(60):
                    assert await program.wait() == -signal.SIGKILL
            finally:
                with contextlib.suppress(ProcessLookupError):
                    program.kill()
            assert await store.read(lambda ledger: ledger.highest_game()) == 0
    assert "the program that has the file has been silent for 0 s: it is ended" in caplog.text


async def test_whoever_has_a_file_says_so_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move may take longer than a bot waits for a program that says nothing."""
    heard, folder, path = list[bytes](), tmp_path / "sockets", tmp_path / "one.db"
    monkeypatch.setattr("bot.operator.shards.BEAT", 0.01)

    async def lends(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        await file_loans.say_line(writer, file_loans.Lent())
        while line := await reader.readline():
            heard.append(line)
        writer.close()

    folder.mkdir()
    with contextlib.closing(at_once(lambda: Store(blank(path)))), take_place(folder, (0, 1), path):
        server = await asyncio.start_unix_server(lends, folder / "0.sock")
        async with borrowed(path, folder):
            while len(heard) < 3:       # noqa: ASYNC110
                await asyncio.sleep(0.01)
        server.close()
    assert set(heard) == {b"\n"}


async def test_a_place_is_one_process_s_and_what_a_killed_one_leaves_hinders_nobody(tmp_path: Path) -> None:
    folder, one, two, same = (tmp_path / name for name in ("sockets", "one.db", "two.db", "same.db"))
    folder.mkdir()
    for path in (one, two):
        with contextlib.closing(at_once(lambda path=path: Store(blank(path), part=(path is two, 2)))) as store:
            await play_on(store).lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="", guild=77,
                                            channel=78, owner=ANNA)
    backup_files.copy(one, same)
    (folder / "0.lock").write_text(f"{os.getpid()}\n0/2\n{two}\n", encoding="ascii")
    with take_place(folder, (0, 2), one):
        met = f"process {os.getpid()} runs as"
        for part, path, sentence in (
                ((0, 2), two, f"CHANCERY_SHARD is 0/2, but {met} that already, on {one}. Set another shard here, or stop that "
                 "process."),
                ((1, 3), two, f"CHANCERY_SHARD is 1/3 here, but {met} 0/2 on {one}, and the two meet in {folder}. Set the same "
                 "number of shards for all."),
                ((1, 2), same, f"{same} and {one}, on which process {os.getpid()} runs, have games of the same numbers (1). Each "
                 "would be played twice: one is a copy of the other. Name another file in CHANCERY_DATABASE, or restore the "
                 "right one.")):
            with pytest.raises(Faulty) as why:
                take_place(folder, part, path)
            assert str(why.value) == sentence
            told = check(Settings(_env_file=None).model_copy(update={
                "database": path, "sockets": folder, "shard": f"{part[0]}/{part[1]}"}))
            assert ("fault", sentence) in [(result.weight, say(result.sentence, English())) for result in told]
        assert list(conflicts(folder, (0, 2), one)) == [], "it is this one"
        take_place(folder, (1, 2), two).close()
    take_place(folder, (0, 2), two).close()


def at(*games: ShardGame, found: Literal["number", "title"] | None = None) -> Known:
    return Known(found=found, games=games)


LIVE, OTHER, OVER = (ShardGame(id=number, key=key, title=f"_{key}_", live=live)
                     for number, key, live in ((3, "pebbles", True), (4, "marbles", True), (5, "pebbles", False)))


@pytest.mark.parametrize(("what", "known", "all_told", "found"), [
    (Meant("9"), {0: at(), 1: at()}, True, 0),                                  # there is none: the usual sentence
    (Meant("9"), {0: at(), 1: at(found="number")}, False, 1),
    (Meant("9"), {0: at(LIVE)}, False, SILENT),
    (Meant("9"), {0: at(found="title"), 1: at(found="number")}, True, 1),       # a game that is called 9 is not game 9
    (Meant("9"), {0: at(found="title")}, False, SILENT),
    (Meant("x"), {0: at(found="title")}, False, 0),
    (Meant("x"), {0: at(), 1: at(found="title"), 2: at(found="title")}, True, "Several of your games are called that. "
     "Say which one by its number."),
    (Meant(needed=True), {0: at(), 1: at(LIVE)}, True, 1),
    (Meant(needed=True), {0: at(OVER), 1: at(LIVE)}, True, 1),                  # one that is under way comes first
    (Meant(needed=True), {0: at(LIVE), 1: at(OTHER)}, True, "Several games are played here. Say which one with the option game: "
     "3 (\\_pebbles\\_) and 4 (\\_marbles\\_)."),
    (Meant(needed=True, key="marbles"), {0: at(LIVE), 1: at(OTHER)}, True, 1),
    (Meant(needed=True), {0: at(LIVE)}, False, UNSURE),                         # none is taken instead of another
    (Meant(), {0: at(LIVE), 1: at(OTHER)}, True, 0),                            # settings, help, lists
    (Meant(), {0: at(OVER), 1: at(OTHER)}, True, 1),
    (Meant(), {0: at(OVER)}, False, LOST),                                      # no settings change in a wrong file
    (Meant(), {0: at(LIVE)}, False, 0),
])
def test_what_is_meant_belongs_to_one_shard_or_has_to_be_named(what: Meant, known: Mapping[int, Known], all_told: bool,
                                                               found: int | str) -> None:
    try:
        shard: int | str = home(what, known, 0, all_told=all_told)
    except Refusal as why:
        shard = say(why.text, English())
    assert shard == found


async def test_what_comes_over_a_socket_is_its_owners_short_and_whole_or_is_not_taken(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(other_shards, "LONGEST", 5_000)
    folder = tmp_path / "sockets"
    folder.mkdir(mode=0o755)
    with contextlib.closing(at_once(lambda: Store(blank(tmp_path / "one.db"), part=(1, 2)))) as store:
        bot = make_bot(play_on(store), (PEBBLES,))
        monkeypatch.setattr(bot, "is_ready", lambda: True)
        own = bot._connection.parsers["INTERACTION_CREATE"]

        async def said(line: bytes, *, whole: bool = True) -> bytes:
            reader, writer = await asyncio.open_unix_connection(folder / "1.sock")
            writer.write(line)
            if whole:
                writer.write_eof()
            try:
                return await reader.read()
            except ConnectionError:
                return b""
            finally:
                writer.close()

        async with serving(bot, (1, 2), folder):
            assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE((folder / "1.sock").stat().st_mode)) == (0o700, 0o600)
            for line in (b"", b"\n", b"secret\n", b"{}\n", b'{"user": 1}\n', b'{"user": "x", "named": null}\n', b"[]\n",
                         b"\xff\n",
                         b'{"interaction": {}}\n', b'{"interaction": {"id": "secret", "type": 2}}\n', b'{"interaction": 3}\n',
                         b'{"interaction": {"guild_id": "1"}}\n', b'{"user": 1, "named": "' + b"9" * 12_000 + b'"}\n'):
                assert await said(line) == b"", line[:80]
            assert Known.model_validate_json(await said(b'{"user": 1, "named": "x"}\n')) == at()
            monkeypatch.setattr(other_shards, "PATIENCE", 0.05)
            assert await said(b'{"user": 1', whole=False) == b"", "nobody waits for the rest"
            assert "secret" not in caplog.text
            with pytest.raises(Faulty, match=r"CHANCERY_SOCKETS can't be used: .*too long"):
                async with serving(bot, (0, 2), folder / ("x" * 120)):
                    raise AssertionError("no socket has such a name")
        assert not (folder / "1.sock").exists() and bot._connection.parsers["INTERACTION_CREATE"] == own
        assert bot.other_shards is None
