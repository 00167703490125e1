"""What goes wrong unexpectedly: a number for whoever met it, and under that number a capsule for the operator alone.

A capsule is a file that only its owner can read. It holds what the file knew of the game and what was attempted, so that the same
can be done again elsewhere. Neither the log nor any sentence holds a value of it.
"""
from __future__ import annotations

import functools
import gzip
import inspect
import json
import logging
import os
import platform
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar, get_type_hints

from pydantic import TypeAdapter

from bot.domain.versions import version
from bot.store.guard import keep_private
from engine.kernel import Action, GameSpec, parse_action
from engine.refusals import Faulty, Refusal
from engine.text import HEARD, forget, verbatim
from engine.text.languages import ENGLISH, speaking

FORM = 1                # of a capsule
CAPSULES_KEPT = 50               # capsules; the oldest go first
ENDING = ".json.gz"
ROOT = Path(__file__).parents[2]
PACKAGES = ("chancery-moderator", "discord.py", "pydantic", "sqlite-utils", "pillow")

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Reporter")

log = logging.getLogger(__name__)


Kind: TypeAlias = tuple[str, str | None]        # of a fault: the type of the error, and the place where it came to be


class Incidents:
    """The capsules in one folder. The same fault of the same operation keeps its number, also after a restart, so that it fills
    no folder; and faults of one kind do not push those of another out.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[tuple[object, ...], int] = {}
        self._kinds: dict[int, Kind] = {}
        self._came: dict[int, str] = {}                         # number of a capsule of an earlier process -> when it came about
        self._recalled = False
        for path in (folder, *self.files()):
            keep_private(path)

    def recall(self) -> None:
        """Know the faults of which there are capsules; this takes a while, once."""
        for path in [] if self._recalled else self.files():
            try:
                kept = json.loads(gzip.decompress(path.read_bytes()))
                kind = kept["error"], kept["trace"][-1] if kept["trace"] else None
                fault, at = (*kind, kept["attempt"].get("deed"), kept["game"]), str(kept.get("at", ""))
            except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError):
                continue                                        # no capsule of this version
            self._known.setdefault(fault, _number(path))
            self._kinds.setdefault(_number(path), kind)
            self._came[_number(path)] = at
        self._recalled = True

    def since(self, at: str) -> list[int]:
        """The incidents that came about after a moment in an earlier process."""
        self.recall()
        return [number for number, came in self._came.items() if came > at]

    def number(self, why: BaseException, *what: object) -> tuple[int, bool]:
        """The number of a fault that showed itself in this, and whether it is new."""
        places = trace(why)
        kind = type(why).__name__, places[-1] if places else None
        known = self._known.get((*kind, *what))
        if known is not None:
            return known, False
        number = max([*self._known.values(), *map(_number, self.files())], default=0) + 1
        self._known[*kind, *what] = number
        self._kinds[number] = kind
        return number, True

    def files(self) -> list[Path]:
        """All capsules, the oldest first."""
        return sorted((path for path in self.folder.glob(f"*{ENDING}") if _number(path)), key=_number)

    def keep(self, number: int, capsule: Mapping[str, Any]) -> None:
        """Write a capsule; without room for it the number alone must do."""
        path = self.folder / f"incident-{number}{ENDING}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(gzip.compress(json.dumps(capsule, default=str).encode()))
            self._make_room()
        except OSError as failed:
            log.warning("incident %s: its capsule cannot be written (%s)", number, failed.strerror)

    def drop_older(self, before: float) -> None:
        """Throw away the capsules that were written before a moment, in seconds since 1970."""
        for path in self.files():
            if path.stat().st_mtime < before:
                path.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Throw away what is too much: the oldest capsule of the kind that has most."""
        files = self.files()
        while len(files) > CAPSULES_KEPT:
            kinds = [self._kinds.get(_number(path)) for path in files]
            count = Counter(kinds)
            files.pop(kinds.index(max(kinds, key=lambda kind: count[kind]))).unlink(missing_ok=True)


def capsule(number: int, why: BaseException, *, at: str, attempt: Mapping[str, Any], game: int | None,
            captured: Mapping[str, Any]) -> dict[str, Any]:
    """All that the operator needs: what was attempted, with what, by which versions, and where it went wrong."""
    return {"capsule": FORM, "number": number, "at": at, "error": type(why).__name__, "trace": trace(why), "attempt": attempt,
            "game": game, "python": platform.python_version(), "packages": {name: version(name) for name in PACKAGES}, **captured}


def trace(why: BaseException) -> list[str]:
    """Where an error came to be, outermost first: files, lines and functions, and no value."""
    places: list[str] = []
    step: TracebackType | None = why.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        path = Path(code.co_filename)
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else Path(*path.parts[-2:])
        places.append(f"{shown}:{step.tb_lineno} {code.co_name}")
        step = step.tb_next
    return places


def tell_log(what: str, why: BaseException) -> None:
    """A line of the log for an error; never its message, which may quote an answer or a state."""
    log.error("%s: %s\n%s", what, type(why).__name__, "".join(traceback.format_tb(why.__traceback__)))


# --- operations and what they were given ----------------------------------------------------------------------------

class Reporter(Protocol):
    """Whose methods are operations: it keeps a capsule of what went wrong in one, and makes a sentence of it."""

    async def report(self, operation: Callable[..., Any], given: Mapping[str, Any], why: Exception) -> Refusal: ...


def operation(method: Callable[Concatenate[S, P], Awaitable[T]]) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """A method that changes what is stored, all of it or nothing. What goes wrong in it unexpectedly becomes a calm sentence with
    the number of a capsule, which names the method alone and what it was given, so that it can be repeated from there.

    What is stored never depends on the language of whoever wanted it: what is said in one without a reader is English."""
    @functools.wraps(method)
    async def calm(self: S, /, *args: P.args, **more: P.kwargs) -> T:
        try:
            with unheard(), speaking(ENGLISH):
                return await method(self, *args, **more)
        except Refusal:
            raise
        except Exception as why:
            given = inspect.signature(method).bind(self, *args, **more).arguments
            given.pop(next(iter(given)))
            raise await self.report(method, given, why) from None

    return calm


@contextmanager
def unheard() -> Iterator[None]:
    """What is said inside is noted for nobody: it goes into letters, each of which has its own reader, or is about no real game,
    as a lesson or a rehearsal in a world that is guessed."""
    listening = HEARD.set(None)
    try:
        yield
    finally:
        forget(listening)


def written(method: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A method with what it was given, as JSON; what cannot be written is left out by name."""
    kept: dict[str, Any] = {}
    lost: list[str] = []
    for name, value in given.items():
        try:
            kept[name] = _answer(value) if isinstance(value, Action) else _kind(method, name).dump_python(value, mode="json")
        except Exception:                       # an incident must not lead to another
            lost.append(name)
    return {"deed": method.__name__, "given": kept, "lost": lost}


def read(method: Callable[..., Any], given: Mapping[str, Any], spec: GameSpec | None) -> dict[str, Any]:
    """Return what `written` has written. Raises Faulty, or Illegal: this version has no such method or answer."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, dict) and value.keys() == {"verb", "fields"}:
            if spec is None:
                raise Faulty("The game of the answer {name} is unknown.", name=verbatim(name))
            found[name] = parse_action(spec, value["verb"], value["fields"])
        else:
            found[name] = _kind(method, name).validate_python(value)
    return found


def _answer(action: Action) -> dict[str, Any]:
    return {"verb": action.verb, "fields": action.model_dump(mode="json")}


def _kind(method: Callable[..., Any], name: str) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(method)[name])


def _number(path: Path) -> int:
    digits = path.name.removeprefix("incident-").removesuffix(ENDING)
    return int(digits) if digits.isdecimal() else 0
