"""What systemd hears of a bot that it runs."""
from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from bot.operator.systemd import keep_alive
from bot.store import Store

MARGIN = 2 * 0.01       # seconds between two signs of life, as systemd states them: the time after which it would act


@pytest.mark.parametrize("abstract", [False, True])
async def test_it_hears_that_the_bot_has_begun_and_lives_until_the_store_hangs(
        store: Store, tmp_path: Path, abstract: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{tmp_path}" if abstract else str(tmp_path / "notify"))
        systemd.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{tmp_path}" if abstract else str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", str(int(MARGIN * 1_000_000)))
        telling, heard = asyncio.create_task(keep_alive(store)), list[bytes]()
        while len(heard) < 3:
            with suppress(BlockingIOError):
                heard.append(systemd.recv(64))
            await asyncio.sleep(0)
        assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        hanging = asyncio.Event()
        monkeypatch.setattr(store, "read", lambda work: hanging.wait())
        await asyncio.sleep(3 * MARGIN)
        with suppress(BlockingIOError):
            while True:
                systemd.recv(64)
        await asyncio.sleep(3 * MARGIN)
        with pytest.raises(BlockingIOError):
            systemd.recv(64)
        telling.cancel()


async def test_nothing_is_said_where_no_systemd_waits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    await keep_alive(store)
