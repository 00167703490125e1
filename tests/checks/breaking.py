"""A plugin of pytest: breaks one place of the program after the other, each in a fork in which the tests that come to it run.

All tests are collected once, so a place costs what its tests cost, and not a start of the program as well.
"""
from __future__ import annotations

import gc
import json
import os
import resource
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import pytest

BREAKING = "MUTATION_BREAKING"          # in the environment of a test run: the file of what to break, a line of JSON a place
NOTICED, SURVIVED, UNBREAKABLE = 1, 0, 3     # how a fork ends
PAUSE = 0.02                            # seconds between two looks whether a fork has ended
MEMORY = 4 << 30                        # bytes: a broken loop that collects things ends by it


class Breaking(NamedTuple):
    """A place to be broken: where, the broken file, seconds after which it is clear that the tests do not end, and the tests."""

    number: int
    path: str
    line: int
    source: str
    seconds: float
    tests: list[str]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of all tests in order: for each place a fork with the tests that come to it."""
    jobs = Path(os.environ[BREAKING])
    tests = {item.nodeid: item for item in session.items}
    with jobs.with_suffix(".out").open("a", encoding="utf-8", buffering=1) as out:
        for line in jobs.read_text(encoding="utf-8").splitlines():
            place = Breaking(*json.loads(line))
            out.write(json.dumps([place.number, forked(session, place, [tests[test] for test in place.tests])]) + "\n")
    return True


def forked(session: pytest.Session, place: Breaking, tests: Sequence[pytest.Item]) -> int:
    """How the fork of one place ended: SURVIVED, NOTICED, UNBREAKABLE, or otherwise, if it broke down or never came to an end."""
    child = os.fork()
    if child == 0:
        end = UNBREAKABLE
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            if put_in(place):
                end = NOTICED
                end = SURVIVED if all_pass(session, tests) else NOTICED
        finally:
            os._exit(end)
    until = time.monotonic() + place.seconds
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
        time.sleep(PAUSE)


def all_pass(session: pytest.Session, tests: Sequence[pytest.Item]) -> bool:
    """Whether all of these tests pass; it ends with the first that does not."""
    for item, after in zip(tests, [*tests[1:], None]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return False
    return True


def put_in(place: Breaking) -> bool:
    """Give the functions that hold the place their code of the broken file. False: none does, it is the module's or a class's."""
    filename = str(Path(place.path).resolve())
    others = {(code.co_qualname, code.co_firstlineno): code for code in codes(compile(place.source, filename, "exec"))}
    gc.unfreeze()
    changed = False
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == filename and holds(function.__code__, place.line):
            other = others[function.__code__.co_qualname, function.__code__.co_firstlineno]
            if len(other.co_freevars) == len(function.__code__.co_freevars):
                function.__code__ = other
                changed = True
    return changed


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a file's functions, those within others included."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from codes(one)


def holds(code: CodeType, line: int) -> bool:
    """Whether a line belongs to a function, or to one within it."""
    lines = [at for _, _, at in code.co_lines() if at is not None]
    return bool(lines) and code.co_firstlineno <= line <= max(
        [*lines, *(at for inner in codes(code) for _, _, at in inner.co_lines() if at is not None)])
