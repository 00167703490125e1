"""Copies of the database: whole or none, made beside a game, and put back so that nothing is told or pressed twice."""
from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.operator import cli
from bot.operator.config import Settings
from bot.service.backups import COPIES_KEPT, Backups, restore
from bot.store import Ledger, Store, backup_files
from engine import record
from engine.kernel import Row
from engine.refusals import Faulty, Refusal, Stale
from tests.bot.desk import ANNA, BERT, MASTER, Clock, blank, delivered, guessed, opened, play_on, started
from tests.toy import PEBBLES, Take

STRAY = Row(3, "seat_9", "player", "take", '{"pebbles":1,"hand":"left"}')


def sound(path: Path) -> bool:
    return not backup_files.examine(path).faults


def content(path: Path) -> bytes:
    return path.read_bytes()


@contextmanager
def small_disk(most: int) -> Iterator[None]:
    """No file can grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


# --- making copies --------------------------------------------------------------------------------------

async def test_a_copy_beside_a_game_holds_all_that_was_stored_and_is_private(path: Path) -> None:
    with closing(Store(blank(path))) as store:
        services = play_on(store)
        game = await guessed(services)
        await services.answers.answer(game, ANNA, Take.of(2, "left"))
        made = await Backups(path, path.parent / "backups").make()
        await services.answers.answer(game, BERT, Take.of(1, "left"))                   # goes on in the original alone
    assert [file.name for file in made.parent.iterdir()] == [made.name]     # one file, nothing beside it
    assert stat.S_IMODE(made.stat().st_mode) == 0o600 and sound(made) and stat.S_IMODE(made.parent.stat().st_mode) == 0o700
    with closing(Store(made)) as store:
        assert (await play_on(store).session.table(game)).state.heap == 10


async def test_copies_while_others_write_are_each_a_moment_of_the_game(path: Path) -> None:
    with closing(Store(blank(path))) as store:
        services = play_on(store)
        games = [await started(services) for _ in range(20)]
        backups = Backups(path, path.parent / "backups", now=Clock())
        writing = asyncio.gather(*(services.seats.pause(game, MASTER) for game in games))
        made = await backups.make()
        await writing
    with closing(Store(made)) as store:
        for game in games:
            paused = (await play_on(store).queries.game(game)).status == "paused"
            told = await store.read(
                lambda ledger, game=game: [note for note in ledger.audit.notes(game) if "paused" in note[2]])
            assert len(told) == paused                                      # an act and its line of the audit come together


def test_the_oldest_copies_go_and_others_files_stay(path: Path) -> None:
    Store(blank(path)).close()
    clock = Clock()
    backups = Backups(path, path.parent / "backups", hours=24, now=clock)
    assert backups.due() and backups.newest() is None
    for _ in range(COPIES_KEPT + 2):
        backups.write()
        clock.put_on(hours=24)
    (backups.folder / "games-notes.db").write_text("a file of somebody else")
    backups.write()
    assert len(backups.copies()) == COPIES_KEPT and (backups.folder / "games-notes.db").exists()
    assert backups.newest() == clock() and not backups.due()
    clock.put_on(hours=24)
    assert backups.due()


async def test_the_clock_makes_a_copy_when_one_is_due_and_goes_on_after_a_failure(
        path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Store(blank(path)).close()
    clock = Clock()
    backups = Backups(path, path.parent / "backups", hours=24, now=clock)
    backups.folder.write_text("a file in the way")
    await backups.make_if_due()
    assert "I can't make the folder" in caplog.text
    backups.folder.unlink()
    for hours, copies_made in ((0, 1), (23, 1), (1, 2)):
        clock.put_on(hours=hours)
        await backups.make_if_due()
        assert len(backups.copies()) == copies_made


def test_a_full_disk_is_a_sentence_and_leaves_nothing_half_written(path: Path) -> None:
    Store(blank(path)).close()
    with small_disk(20_000), pytest.raises(Faulty, match=r"couldn't copy .*: .*No half-written file was left behind"):
        backup_files.copy(path, path.parent / "copy.db")
    assert not list(path.parent.glob("copy*"))


def test_a_copy_that_was_there_before_survives_one_that_fails(path: Path) -> None:
    Store(blank(path)).close()
    target = path.parent / "copy.db"
    backup_files.copy(path, target)
    before = target.read_bytes()
    with small_disk(20_000), pytest.raises(Faulty):
        backup_files.copy(path, target)
    assert target.read_bytes() == before


def damaged(path: Path) -> Path:
    """A database with a page of rubbish in the middle."""
    content = bytearray(path.read_bytes())
    content[5 * 4096:6 * 4096] = os.urandom(4096)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("content, sentence", [
    (None, "it isn't there or can't be opened"), (b"Dear diary" * 1000, "is not a database"),
    (b"", "has no games in it")])
def test_what_is_no_database_is_not_copied(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    source = tmp_path / "source.db"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(Faulty, match=sentence):
        backup_files.copy(source, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists() and not list(tmp_path.glob("*.partial*"))


def test_a_damaged_database_is_not_copied(path: Path) -> None:
    Store(blank(path)).close()
    with pytest.raises(Faulty, match=r"is damaged|malformed"):
        backup_files.copy(damaged(path), path.parent / "copy.db")
    assert not list(path.parent.glob("copy*"))


def test_a_copy_takes_the_place_of_no_other_file(path: Path) -> None:
    """Least of all of the database itself."""
    Store(blank(path)).close()
    before = content(path)
    with pytest.raises(Faulty, match=r"There is already a file "):
        Backups(path, path.parent / "backups").write(path)
    assert content(path) == before


def test_what_is_left_of_a_copy_that_was_killed_goes_after_a_day(path: Path) -> None:
    Store(blank(path)).close()
    clock = Clock()
    backups = Backups(path, path.parent / "backups", now=clock)
    backups.folder.mkdir()
    old, young = (backups.folder / f"chancery-2026040{day}-120000.db.partial" for day in (1, 2))
    for file, hours in ((old, 25), (young, 1)):
        file.write_bytes(b"half")
        moment = (clock() - timedelta(hours=hours)).timestamp()
        os.utime(file, (moment, moment))
    backups.write()
    assert not old.exists() and young.exists()


# --- putting one back -----------------------------------------------------------------------------------

async def lived(path: Path) -> tuple[int, Path]:
    """A game that was copied after the first turn and went on for two more; all letters were sent."""
    with closing(Store(blank(path))) as store:
        services = play_on(store)
        game = await guessed(services)
        await services.answers.answer(game, ANNA, Take.of(2, "left"))
        await delivered(services)
        copy = Backups(path, path.parent / "backups", now=Clock()).write()
        await services.answers.answer(game, BERT, Take.of(3, "left"))
        await services.answers.answer(game, ANNA, Take.of(3, "left"))
        await delivered(services)
    return game, copy


def nonces(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as conn:
        return {nonce for (nonce,) in conn.execute("SELECT nonce FROM outbox")}


def put_back(copy: Path, path: Path) -> Path:
    return restore(copy, path, (PEBBLES,), now=Clock())


async def test_a_copy_takes_its_place_again_and_tells_its_games(path: Path) -> None:
    game, copy = await lived(path)
    aside = await asyncio.to_thread(put_back, copy, path)
    assert sound(aside) and not list(path.parent.glob("*.restored*"))
    with closing(Store(path)) as store:
        services = play_on(store)
        assert (await services.session.table(game)).state.heap == 10
        letters = await delivered(services)
        assert letters[0].payload["text"] == (
            "This game was restored from a copy and is back at step 3. Anything posted here later no longer counts.")
        assert [(letter.kind, letter.audience) for letter in letters[1:] if letter.kind != "private"] == [
            ("picture", "public"), ("question", "seat_2")]
        await services.answers.answer(game, BERT, Take.of(1, "left"))
        notes, _ = await services.queries.audit(game, page=1)
        assert notes[-1].endswith("The bot came back from a copy of the database, after step 3.")


async def test_an_old_button_is_never_taken_for_a_question_that_comes_later(path: Path) -> None:
    """The original had asked Bert after row 3 and Anna after row 4; the copy will ask the same again, and anew."""
    game, copy = await lived(path)
    await asyncio.to_thread(put_back, copy, path)
    with closing(Store(path)) as store:
        services = play_on(store)
        for asked_at in (3, 4, 5):
            with pytest.raises(Stale):
                await services.answers.answer(game, BERT, Take.of(3, "left"), asked_at=asked_at)
        await services.answers.answer(game, BERT, Take.of(1, "left"))
        with pytest.raises(Stale):
            await services.answers.answer(game, ANNA, Take.of(3, "left"), asked_at=4)


async def test_no_game_takes_the_number_of_one_that_is_lost(path: Path) -> None:
    game, copy = await lived(path)
    with closing(Store(path)) as store:
        lost = await opened(play_on(store))
    for _ in range(2):
        await asyncio.to_thread(restore, copy, path, (PEBBLES,))
        with closing(Store(path)) as store:
            services = play_on(store)
            numbers = [await opened(services) for _ in range(2)]
        assert numbers == [game + 1001, game + 1002] and lost not in numbers


async def test_a_restored_copy_never_repeats_a_nonce_of_the_original(path: Path) -> None:
    game, copy = await lived(path)
    aside = await asyncio.to_thread(put_back, copy, path)
    with closing(Store(path)) as store:
        services = play_on(store)
        await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert nonces(path) - nonces(copy) and not (nonces(path) - nonces(copy)) & nonces(aside)


async def test_a_restored_game_plays_on_to_a_record_that_replays(path: Path) -> None:
    game, copy = await lived(path)
    await asyncio.to_thread(put_back, copy, path)
    with closing(Store(path)) as store:
        services = play_on(store)
        while (await services.queries.game(game)).status != "over":
            (waiting,) = await services.queries.waiting(game)
            await services.answers.answer(game, waiting.user or 0, Take.of(1, "left"))
        found = record.read(await services.records.export(game))
    assert record.replay(found, PEBBLES).over and len(found.returns) == 1


async def test_games_that_are_not_played_come_back_as_they_were(path: Path) -> None:
    with closing(Store(blank(path))) as store:
        services = play_on(store)
        waiting, closed = await opened(services), await started(services)
        await services.seats.close(closed, MASTER, "")
        await delivered(services)
        copy = Backups(path, path.parent / "backups").write()
    await asyncio.to_thread(put_back, copy, path)
    with closing(Store(path)) as store:
        services = play_on(store)
        assert [(await services.queries.game(game)).status for game in (waiting, closed)] == ["open", "closed"]
        assert await delivered(services) == []
        with pytest.raises(Refusal, match="The game hasn't started yet"):
            await services.recovery.restored(waiting)


async def test_what_is_left_of_a_restore_that_was_killed_does_no_harm(path: Path) -> None:
    game, copy = await lived(path)
    for left in (".restored", ".restored-wal", ".restored-shm"):
        path.with_name(f"{path.name}{left}").write_bytes(os.urandom(5000))
    await asyncio.to_thread(put_back, copy, path)
    with closing(Store(path)) as store:
        assert (await play_on(store).session.table(game)).state.heap == 10
    assert not list(path.parent.glob("*.restored*"))


async def test_a_broken_database_is_put_aside_and_the_copy_takes_its_place(path: Path) -> None:
    game, copy = await lived(path)
    damaged(path)
    broken = content(path)
    aside = await asyncio.to_thread(put_back, copy, path)
    assert content(aside) == broken
    with closing(Store(path)) as store:
        assert (await play_on(store).session.table(game)).state.heap == 10


async def test_nothing_is_put_back_under_a_running_bot_or_from_a_bad_file(path: Path) -> None:
    _, copy = await lived(path)
    with closing(Store(path)), pytest.raises(Faulty, match=r"Another bot is running"):
        await asyncio.to_thread(put_back, copy, path)
    before = content(path)
    with pytest.raises(Faulty, match=r"malformed|damaged"):
        await asyncio.to_thread(put_back, damaged(copy), path)
    assert content(path) == before and not list(path.parent.glob("*.restored*"))


async def test_a_copy_of_a_game_that_no_longer_replays_holds_up_no_other(path: Path) -> None:
    with closing(Store(blank(path))) as store:
        services = play_on(store)
        broken, game = await guessed(services), await guessed(services)
        await store.write(lambda ledger: ledger.log.add_rows(broken, [STRAY], "now"))
        copy = Backups(path, path.parent / "backups").write()
    await asyncio.to_thread(put_back, copy, path)
    with closing(Store(path)) as store:
        services = play_on(store)
        assert (await services.queries.game(broken)).status == "paused"
        assert (await services.session.table(game)).state.heap == 12


# --- by command -----------------------------------------------------------------------------------------

def settings(path: Path) -> Settings:
    return Settings(_env_file=None, CHANCERY_DATABASE=path, CHANCERY_BACKUPS=path.parent / "kept")


async def test_the_tools_say_what_they_have_done(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await lived(path)
    with closing(sqlite3.connect(path)) as conn:                            # no game of the toy, which the tools do not know
        conn.execute("UPDATE games SET status = 'closed'")
        conn.commit()
    assert cli.run(["backup"], settings(path)) == 0
    (copy,) = (path.parent / "kept").iterdir()
    assert capsys.readouterr().out == f"I copied the database to {copy}.\n"
    assert cli.run(["backup", str(path.parent / "mine.db")], settings(path)) == 0
    capsys.readouterr()
    assert await asyncio.to_thread(cli.run, ["restore", str(copy)], settings(path)) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"I've put {copy} in place of {path}." and said[1].startswith(f"The earlier file is kept as {path}.")


READER = """
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
for _ in sys.stdin:
    print(db.execute("SELECT count(*) FROM log").fetchone()[0], db.execute("PRAGMA integrity_check").fetchone()[0], flush=True)
"""


async def test_another_process_reads_the_file_while_the_bot_writes_and_its_log_is_moved_into_it(path: Path) -> None:
    """As a tool for copies does that follows the write-ahead log: each look shows all that was stored, before and after."""
    with closing(Store(blank(path))) as store:
        services = play_on(store)
        game = await guessed(services)
        reader = await asyncio.create_subprocess_exec(sys.executable, "-c", READER, str(path), stdin=asyncio.subprocess.PIPE,
                                                      stdout=asyncio.subprocess.PIPE)
        assert reader.stdin is not None and reader.stdout is not None
        for turn in range(6):
            await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(1, "left"))
            if turn % 2:
                def moved(ledger: Ledger) -> tuple[int, int, int]:
                    found: tuple[int, int, int] = ledger.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                    return found
                assert await store.read(moved) == (0, 0, 0), "nobody holds the log up"
            reader.stdin.write(b"look\n")
            assert await reader.stdout.readline() == f"{await services.queries.newest(game)} ok\n".encode()
        reader.stdin.close()
        assert await reader.wait() == 0
