"""Random places of the program broken one at a time, to see whether the tests notice: what the suite is worth, as a number.

A place is a comparison, a number, a condition or a statement of the rules, the store, the outbox or the rights. Which places are
drawn goes by the seed and by their own words, so that a change elsewhere draws the same ones, and two suites can be compared.
First all tests run once on a copy that notes which of them come to which place, and how long each takes. Then each place is
broken in a process of its own that has all tests ready, and those that come to it run, the quickest first, until one fails.
"""
from __future__ import annotations

import ast
import copy
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

from engine.refusals import Faulty
from tests.checks.breaking import BREAKING, SURVIVED, UNBREAKABLE, Breaking

ROOT = Path(__file__).parents[2]
REACHED = "MUTATION_REACHED"            # in the environment of a test run: the folder in which it is noted who comes where
MORE = 60                               # seconds that tests of a broken program may take beyond what they took before
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache")
PASSED, SOME_FAILED = 0, 1              # how a run of tests ends that has run them all
MOST_TESTS = 200                        # of those that come to a place

ROOMS: dict[str, tuple[str, ...]] = {
    "rules": ("engine/games/*/rules/*.py",),
    "store": ("bot/store/*.py",),
    "outbox": ("bot/discord/outbox/*.py", "bot/service/outbox.py"),
    "rights": ("bot/service/masters.py", "bot/service/consent.py", "bot/service/seats.py", "bot/service/secrets.py",
               "bot/domain/insights.py", "bot/discord/visibility.py", "bot/discord/context.py",
               "bot/discord/game_master/*.py"),
}
UNTRIED = "bot/store/migrations*.py"    # old databases are fixtures: a change of the past breaks them, or nothing that is left

OTHERWISE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


@dataclass(frozen=True)
class Place:
    """Something that can be broken in one way: where it stands, and what is put there instead."""

    path: str
    start: int              # in the bytes of the file
    end: int
    was: str
    put: str
    line: int
    probes: tuple[int, ...]  # the lines before which a test that comes here passes

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.was.split())} -> {self.put}"


# --- places -----------------------------------------------------------------------------------------------------------

def broken(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What can be broken here, each with what is put in its place."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in OTHERWISE:
            other = copy.copy(node)
            other.ops = [OTHERWISE[type(op)]()]
            yield node, f"({ast.unparse(other)})"
        case ast.BoolOp(op=op):
            turned = copy.copy(node)
            turned.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield node, f"({ast.unparse(turned)})"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield node, str(value + 1)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")))):
            pass                                                # the log is for the operator
        case ast.Expr(value=ast.Call() | ast.Await() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            yield node, "pass"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield node.test, f"(not ({ast.unparse(node.test)}))"


def places(path: str, source: str) -> list[Place]:
    """Everything that can be broken in a file."""
    tree = ast.parse(source)
    begins = [0, *accumulate(len(line) for line in source.encode().splitlines(keepends=True))]
    found: list[Place] = []

    def walk(node: ast.AST, function: ast.AST | None) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                walk(statement, node)
            return
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                walk(node.value, function)
            return
        if isinstance(node, ast.JoinedStr):
            return                                              # columns within them are not those of the file
        for part, put in broken(node):
            assert part.end_lineno is not None and part.end_col_offset is not None
            start, end = begins[part.lineno - 1] + part.col_offset, begins[part.end_lineno - 1] + part.end_col_offset
            probes = [function] if function is not None else _users(tree, node)
            lines = tuple(line for probe in probes for line in _first(probe))
            if lines:
                found.append(Place(path, start, end, source.encode()[start:end].decode(), put, part.lineno, lines))
        for child in ast.iter_child_nodes(node):
            walk(child, function)

    for node in tree.body:
        walk(node, None)
    return found


def _users(tree: ast.Module, node: ast.AST) -> list[ast.AST]:
    """The functions that name a constant of the module; all of the module, if none does."""
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    names = {target.id for statement in tree.body if isinstance(statement, ast.Assign | ast.AnnAssign)
             and any(inner is node for inner in ast.walk(statement)) for target in ast.walk(statement)
             if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)}
    users = [one for one in functions if any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(one))]
    return list[ast.AST](users or functions)


def _first(function: ast.AST) -> Iterator[int]:
    """The line of a function's first statement; none, if it stands on the line of the head, or is all that there is to it."""
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if body and body[0].lineno > function.lineno:
        first = body[0]
        decorators = getattr(first, "decorator_list", [])
        yield decorators[0].lineno if decorators else first.lineno


def drawn(number: int, seed: int, only: str = "", root: Path = ROOT) -> list[Place]:
    """So many places, as many of each room. Raises Faulty: there is no such room."""
    if only and only not in ROOMS:
        raise Faulty("There is no room {only}; there are {rooms}.", only=only, rooms=", ".join(ROOMS))
    rooms = [only] if only else list(ROOMS)
    chosen: list[Place] = []
    for turn, room in enumerate(rooms):
        paths = sorted({str(path.relative_to(root)) for pattern in ROOMS[room] for path in root.glob(pattern)
                        if not path.match(UNTRIED)})
        there = [place for path in paths for place in places(path, (root / path).read_text(encoding="utf-8"))]
        share = number // len(rooms) + (turn < number % len(rooms))
        chosen += [place for _, place in sorted(zip(_ranks(there, seed), there), key=lambda ranked: ranked[0])][:share]
    return chosen


def _ranks(there: Sequence[Place], seed: int) -> list[str]:
    """By what the places are drawn: by the seed and their own words, and of equal ones by how many stand before them."""
    seen = Counter[str]()
    ranks = []
    for place in there:
        words = f"{seed} {place.path} {place.was} {place.put}"
        seen[words] += 1
        ranks.append(hashlib.sha256(f"{words} {seen[words]}".encode()).hexdigest())
    return ranks


# --- who comes where ----------------------------------------------------------------------------------------------------

Reached = dict[str, tuple[float, set[int]]]        # test -> how long it takes in seconds, and the numbers of the places


def probed(source: str, path: str, chosen: Sequence[Place]) -> str:
    """A file that notes, at the head of each function in which there is a place, that somebody has come there."""
    lines = source.splitlines(keepends=True)
    marks: dict[int, list[int]] = {}
    for number, place in enumerate(chosen):
        if place.path == path:
            for line in place.probes:
                marks.setdefault(line, []).append(number)
    for line in sorted(marks, reverse=True):
        indent = lines[line - 1][:len(lines[line - 1]) - len(lines[line - 1].lstrip())]
        lines.insert(line - 1, f"{indent}__import__('tests.checks.reached').checks.reached.note{tuple(marks[line])!r}\n")
    return "".join(lines)


def reached(folder: Path, chosen: Sequence[Place], words: Sequence[str], jobs: int) -> Reached:
    """All tests once, on a copy of the program that notes who comes where. Raises Faulty: they have not all run."""
    notes = folder.parent / "notes"
    notes.mkdir(exist_ok=True)
    for path in {place.path for place in chosen}:
        (folder / path).write_text(probed((ROOT / path).read_text(encoding="utf-8"), path, chosen), encoding="utf-8")
    ended = _tests(folder, ["-n", str(jobs), "-p", "tests.checks.reached", *words], env={REACHED: str(notes)})
    if ended not in (PASSED, SOME_FAILED):
        raise Faulty("The tests came to no end before anything was broken, so nobody knows who comes where.")
    for path in {place.path for place in chosen}:
        shutil.copy(ROOT / path, folder / path)
    return noted(notes)


def noted(notes: Path) -> Reached:
    """What a run has noted."""
    found: Reached = {}
    for one in sorted(notes.iterdir()):
        for line in one.read_text(encoding="utf-8").splitlines():
            test, seconds, numbers = json.loads(line)
            before = found.get(test, (0.0, set[int]()))
            found[test] = before[0] + seconds, before[1] | set(numbers)
    return found


def _tests(folder: Path, words: Sequence[str], *, env: dict[str, str] | None = None, seconds: float | None = None) -> int | None:
    """The exit code of a run of tests in a copy of the program; None if it took too long. Nothing compiled is kept: a file
    that is broken within a second, to the same length, would be taken for the one before."""
    fresh = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
    try:
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
             f"--basetemp={tempfile.mkdtemp(dir=folder.parent)}/tests", *words],
            cwd=folder, env=fresh, timeout=seconds, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return None


# --- breaking -----------------------------------------------------------------------------------------------------------

def unnoticed(folder: Path, chosen: Sequence[Place], found: Reached, seconds: float,
              jobs: int) -> tuple[list[Place], list[Place]]:
    """Every place broken once, several at a time: those to which no test comes, and those that the tests do not notice."""
    come = {number: who_come(number, found, seconds) for number in range(len(chosen))}
    tried = [number for number, tests in come.items() if tests]
    files = [folder.parent / f"places-{job}" for job in range(jobs)]
    for job, file in enumerate(files):
        with file.open("w", encoding="utf-8") as out:
            for number in tried[job::jobs]:
                place, tests = chosen[number], come[number]
                out.write(json.dumps(Breaking(number, place.path, place.line, _broken(place).decode(), _most(tests),
                                              [test for test, _ in tests])) + "\n")
    words = sorted({test.split("::")[0] for tests in come.values() for test, _ in tests})
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda file: _tests(folder, ["-n", "0", "-s", "-p", "tests.checks.breaking", *words],
                                          env={BREAKING: str(file)}), files))
    ended = dict(json.loads(line) for file in files for line in file.with_suffix(".out").read_text(encoding="utf-8").splitlines())
    survived = [number for number in tried if ended[number] == SURVIVED
                or (ended[number] == UNBREAKABLE and survives(folder, chosen[number], come[number]))]
    return [place for number, place in enumerate(chosen) if not come[number]], [chosen[number] for number in survived]


def survives(folder: Path, place: Place, tests: Sequence[tuple[str, float]]) -> bool:
    """Whether all of these tests pass although the place is broken in the file itself; one that never ends does not."""
    (folder / place.path).write_bytes(_broken(place))
    try:
        return _tests(folder, ["-n", "0", "-x", *(test for test, _ in tests)], seconds=_most(tests)) == 0
    finally:
        shutil.copy(ROOT / place.path, folder / place.path)


def _broken(place: Place) -> bytes:
    """The file with that place broken."""
    source = (ROOT / place.path).read_bytes()
    return source[:place.start] + place.put.encode() + source[place.end:]


def _most(tests: Sequence[tuple[str, float]]) -> float:
    """Seconds after which these tests will not end any more."""
    return MORE + 3 * sum(took for _, took in tests)


def who_come(number: int, found: Reached, seconds: float) -> list[tuple[str, float]]:
    """The tests that come to a place, the quickest first, for at most so many seconds, and each of a name by turns."""
    come = sorted((took, test) for test, (took, numbers) in found.items() if number in numbers)
    turns = {name: list(group) for name, group in groupby(sorted(come, key=lambda one: one[1].split("[")[0]),
                                                          key=lambda one: one[1].split("[")[0])}
    ordered = sorted(((turn, took, test) for group in turns.values() for turn, (took, test) in enumerate(sorted(group))))
    chosen: list[tuple[str, float]] = []
    left = seconds
    for _, took, test in ordered:
        if took <= left and len(chosen) < MOST_TESTS:
            chosen.append((test, took))
            left -= took
    return chosen


def copied(into: Path) -> Path:
    """A copy of the program, to be broken."""
    folder = into / "program"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    return folder


def measure(places: int = 100, seed: int = 0, only: str = "", seconds: float = 60.0, jobs: int = 2) -> dict[str, Any]:
    """Break random places of rules, store, outbox and rights, one at a time, and see whether the tests notice."""
    chosen = drawn(places, seed, only)
    with tempfile.TemporaryDirectory(prefix="mutation") as into:
        folder = copied(Path(into))
        found = reached(folder, chosen, [], jobs)
        passed_by, survived = unnoticed(folder, chosen, found, seconds, jobs)
    for word, left in (("no test comes to", passed_by), ("not noticed", survived)):
        for place in left:
            print(f"{word}: {place}", file=sys.stderr)
    return {"places": len(chosen), "noticed": len(chosen) - len(passed_by) - len(survived), "survived": len(survived),
            "without_a_test": len(passed_by)}
