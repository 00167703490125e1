"""Fixtures that several tests share: the bot on a simulated Discord, with a real database behind it."""
from __future__ import annotations

import gc
import importlib
import os
from collections.abc import AsyncIterator, Callable, Generator
from functools import wraps
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Ledger, database
from tests.bot.desk import BLANK, blank
from tests.bot.discord_world import World

PICTURES = {"test_renderer.py", "test_marks.py", "test_text_boards.py", "test_golden_pictures.py", "test_gallery.py",
            "test_closeup.py", "test_film.py", "test_sheets.py", "test_bases.py", "test_encoder.py", "test_maps.py"}
gc.set_threshold(5_000, 10, 20)     # seldom: most of what is there is kept on purpose (tests, syntax trees, played games)
ANEW = {"test_store.py", "test_guard.py", "test_upgrades.py", "test_personal_data.py", "test_backup.py", "test_main.py"}
MEMORY, ROOM = Path("/dev/shm"), 2 << 30        # where a file costs least, and what must be free there: a run needs a tenth of it
EDGES = {"test_sandbox.py", "test_main.py", *PICTURES}          # beside all that needs the simulated Discord


def in_memory() -> bool:
    """Whether the files of a run can lie in memory: there is room, and what lies there may be run."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return False
    there = os.statvfs(MEMORY)
    return there.f_bavail * there.f_frsize >= ROOM and not there.f_flag & os.ST_NOEXEC


if in_memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def not_waiting(opened: Callable[..., Ledger]) -> Callable[..., Ledger]:
    """Opens a file whose commits don't wait for the disk: in no test the power fails, and a killed process loses nothing.

    A new one has its tables from a copy, except in tests of how they get there.
    """
    @wraps(opened)
    def open_file(path: Path, patience: float, spare: bool = False) -> Ledger:
        test, _, _ = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")
        if Path(test).name not in ANEW and path.name != BLANK and path.parent.is_dir():
            blank(path)
        ledger = opened(path, patience, spare)
        ledger.conn.execute("PRAGMA synchronous=OFF")
        return ledger

    return open_file


vars(database)["_open"] = not_waiting(database._open)


def rewrite_a_share(config: pytest.Config) -> None:
    """Import every second test file (of two workers) ahead of the others: in a clean clone each is rewritten once, not by all."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return
    named = [Path(config.rootpath, argument.partition("::")[0]) for argument in config.args]
    files = [file for path in named for file in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]
    for file in files[int(worker["workerid"].removeprefix("gw"))::worker["workercount"]]:
        try:
            importlib.import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))
        except Exception:
            continue                # the collection says what is wrong with it


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What is collected stays until the end: nobody looks for garbage in it, neither meanwhile nor later."""
    gc.disable()
    rewrite_a_share(session.config)
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


def pytest_sessionfinish() -> None:
    """Pytest collects five times, for what nobody awaited; what is kept on purpose needs no more than one look."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts a whole bot or draws pictures, so that `make quick` can leave it out."""
    for item in items:
        if item.path.name in EDGES or {"world", "empires"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.edge)


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A server with a channel and some members, and the bot in it; afterwards every request is checked."""
    async with World.at(tmp_path / "games.db") as world:
        yield world
