"""What the renderer keeps to draw the next picture faster, and the bound on it."""
from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from PIL import Image

MOST_BYTES = 96 * 2 ** 20
"""What all caches together may hold when they are looked at; EVERY pictures add some megabytes until the next look."""
EVERY = 16
_calls = count(1)


class Cache(NamedTuple):
    """How full a cache is."""

    entries: int
    most: int           # entries
    bytes: int          # of images and files; the rest is small


def _found() -> Iterator[tuple[str, Any]]:
    """Every cached function of the renderer that has been imported, under its own name."""
    for name, module in list(sys.modules.items()):
        if name.split(".", maxsplit=1)[0] == "renderer":
            for function in list(vars(module).values()):
                if hasattr(function, "cache_info") and function.__module__ == name:
                    yield f"{name}.{function.__name__}", function


def _bytes(kept: object) -> int:
    """Of a result of a cached function; keys are counted as nothing."""
    if isinstance(kept, Image.Image):
        return kept.width * kept.height * (1 if len(kept.getbands()) == 1 else 4)       # three bands take the room of four
    if type(kept) is tuple and kept and type(kept[0]) in (tuple, Image.Image):      # masks with their places
        return sum(map(_bytes, kept))
    return len(kept) if isinstance(kept, bytes) else 0


def caches() -> dict[str, Cache]:
    """Every cache by the name of its function: how many entries it has and may have, and how many bytes they take."""
    found = {}
    for name, function in _found():
        info = function.cache_info()
        # A cache tells nobody what it holds but the garbage collector, which visits keys and results.
        found[name] = Cache(info.currsize, info.maxsize, sum(map(_bytes, gc.get_referents(getattr(function, "kept", function)))))
    return found


def trim() -> None:
    """Every so many calls, empty the caches that hold most until all together hold no more than MOST_BYTES: what is drawn
    again is the same. What nobody needs any more goes back to the system."""
    if next(_calls) % EVERY:
        return
    _shrink()
    _give_back()


def _shrink() -> None:
    held = caches()
    total = sum(cache.bytes for cache in held.values())
    functions = dict(_found())
    for name, cache in sorted(held.items(), key=lambda item: -item[1].bytes):
        if total <= MOST_BYTES:
            return
        functions[name].cache_clear()
        total -= cache.bytes


def _give_back() -> None:
    """Give pages of freed images back to the system, as only the GNU C library can be asked to: else it keeps whatever lies below
    something that is still needed, more from hour to hour."""
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)


def forget() -> None:
    """Empty every cache, as in a fresh process."""
    for _, function in _found():
        function.cache_clear()
