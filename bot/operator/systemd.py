"""What systemd is told where it runs the bot: that it has begun, and again and again that it isn't stuck (sd_notify(3))."""
from __future__ import annotations

import asyncio
import os
import socket

from bot.store import Store


def notify(state: str) -> None:
    """Tell it this; nothing where no systemd waits for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
            there.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)


async def keep_alive(store: Store) -> None:
    """Say that the bot has begun; then, twice in the time after which systemd would restart it, that loop and store answer."""
    notify("READY=1")
    while seconds := int(os.environ.get("WATCHDOG_USEC", "0")) / 2_000_000:
        await store.read(lambda ledger: None)
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)
