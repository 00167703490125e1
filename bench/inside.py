"""What the memory of a running bot is made of, as the bot itself sees it: who holds how many bytes, and what the allocators have.

`python -m bench.inside FILE` is `python -m bot`, but for one thing: at each SIGUSR1 it adds a line of JSON to the file. A copy of
the process counts, made by a fork, so that the bot neither waits nor holds anything for it.
"""
from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import re
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

from PIL import Image

from bot.__main__ import main
from bot.discord.client import Chancery
from bot.discord.pictures import PictureCache
from engine.kernel.actions import Action

CACHED: type = type(lru_cache(len))
BLOCK = 16              # bytes to which allocators round
STATE = ("_users", "_guilds", "_private_channels", "_view_store", "http")      # of the library, which may grow


class MallocInfo(ctypes.Structure):
    """What glibc's `mallinfo2` tells."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def allocators() -> dict[str, int]:
    """In bytes: the memory of the process, and what malloc and Python's own allocator have of it and need."""
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = MallocInfo
    malloc = libc.mallinfo2()
    resident = re.search(r"^Rss:\s+(\d+) kB", Path("/proc/self/smaps_rollup").read_text(encoding="ascii"), re.MULTILINE)
    assert resident is not None, "the kernel tells it"
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        sys._debugmallocstats()
        os.dup2(kept, 2)
        os.close(kept)
        file.seek(0)
        told = file.read().decode("ascii")
    sizes = re.findall(r"^(?:# )?([\w ]+?) *= +([\d,]+)$", told, re.MULTILINE)
    python = {name: int(size.replace(",", "")) for name, size in sizes}
    return {"resident": int(resident[1]) * 1024, "malloc_heap": malloc.arena, "malloc_mapped": malloc.hblkhd,
            "malloc_free": malloc.fordblks, "python": python["arenas allocated current"] << 20,
            "python_used": python["bytes in allocated blocks"]}


def size(thing: object) -> int:
    """Bytes of one object without what it refers to; of an image with its points."""
    own = -(-sys.getsizeof(thing) // BLOCK) * BLOCK
    if isinstance(thing, Image.Image) and getattr(thing, "_im", None) is not None:
        own += thing.width * thing.height * (1 if len(thing.getbands()) == 1 else 4)
    return own


class Census:
    """Counts each object once, for the first owner that leads to it."""

    def __init__(self, owners: Mapping[str, Iterable[object]]) -> None:
        self._owners = {name: list(things) for name, things in owners.items()}
        self._barred = {id(thing) for things in self._owners.values() for thing in things}
        self._seen = set[int]()
        self._seen |= {id(self), id(vars(self)), id(self._owners), id(self._barred), id(self._seen)}

    def taken(self) -> Iterator[tuple[str, int]]:
        """Owner by owner, with its bytes: first what modules hold that no owner has, last what nobody has."""
        yield "code", self._bytes([sys.modules, *sys.modules.values()])
        for name, things in self._owners.items():
            self._barred -= {id(thing) for thing in things}
            yield name, self._bytes(things)
        yield "rest", self._bytes(gc.get_objects())

    def _bytes(self, things: Iterable[object]) -> int:
        total, ahead = 0, deque(things)
        while ahead:
            thing = ahead.pop()
            if id(thing) not in self._seen and id(thing) not in self._barred:
                self._seen.add(id(thing))
                total += size(thing)
                ahead.extend(gc.get_referents(thing))
        return total


def found(kind: type) -> list[Any]:
    """All objects of a kind that the search for garbage knows."""
    return [thing for thing in gc.get_objects() if type(thing) is kind]


def caches() -> dict[str, Any]:
    """Every cached function of all modules, by its name."""
    functions = [thing for thing in found(CACHED) if isinstance(getattr(thing, "__wrapped__", None), FunctionType)]
    return {f"{function.__module__}.{function.__qualname__}": function for function in functions}


def kinds(kind: type[Action] = Action) -> Iterator[type[Action]]:
    """All kinds of actions below one."""
    for below in kind.__subclasses__():
        yield from (below, *kinds(below))


def owners() -> dict[str, list[object]]:
    """What may grow, by name."""
    named: dict[str, list[object]] = {"actions": [kind._made for kind in kinds()], "pictures": [*found(PictureCache)]}
    for name, function in caches().items():
        named.setdefault(f"cache {name.split('.')[0]}", []).append(function)
    for bot in found(Chancery):
        session = bot.services.session
        named |= {"live": [session.live], "snapshots": [session._snapshots], "mail": [session._mail], "packs": [session.packs],
                  "quotas": [session.quotas], "tasks": [*asyncio.all_tasks(bot.loop)]}
        named |= {f"service {name}": [vars(service)] for name, service in vars(bot.services).items() if service is not session}
        named |= {f"library {name}": [getattr(bot._connection, name)] for name in STATE}
        named |= {f"bot {name}": [value] for name, value in vars(bot).items()
                  if type(value).__module__.startswith("bot.") and value is not bot.services}
    return named


def numbers() -> dict[str, int]:
    """How many there are of what is kept."""
    named = {name: function.cache_info().currsize for name, function in caches().items()}
    named |= {f"actions {kind.__qualname__}": len(kind._made) for kind in kinds()}
    for bot in found(Chancery):
        named |= {"tables": len(bot.services.session.live), "tasks": len(asyncio.all_tasks(bot.loop))}
    return {name: number for name, number in named.items() if number}


def counted() -> dict[str, Any]:
    """All of it, as it is now; in a process that does nothing afterwards."""
    have = allocators()
    gc.unfreeze()
    before, objects = sys.getallocatedblocks(), gc.collect()
    return {"allocators": have, "useless": {"objects": objects, "blocks": before - sys.getallocatedblocks()},
            "owners": dict(Census(owners()).taken()), "numbers": numbers()}


def tell(file: Path) -> None:
    """A copy of this process adds what it counts to a file."""
    if os.fork() == 0:
        try:
            with file.open("a", encoding="ascii") as lines:
                lines.write(json.dumps(counted()) + "\n")
        finally:
            os._exit(0)


def begin(file: Path) -> None:
    """Count at each SIGUSR1. Not where it comes, as the fork would wait for locks that are held there, but in the event loop."""
    signal.signal(signal.SIGUSR1, lambda *_: [bot.loop.call_soon_threadsafe(tell, file) for bot in found(Chancery)])


if __name__ == "__main__":
    begin(Path(sys.argv[1]))
    main()
