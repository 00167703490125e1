"""Which rules are reached: by play, by a refusal, or by a test that names them.

The engine names rules where it keeps them: in the docstring of a function or a class, in a comment beside a statement, in the
refusal that quotes them. Play reaches a rule when it comes by: when it enters the function, runs the statement, makes the fact.
"""
from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeAlias

from engine.kernel import GameSpec
from engine.rulebook import rules
from tests.parsed import parsed

ROOT = Path(__file__).parents[2]
RULING = re.compile(r"(?<![A-Za-z0-9])R[-_](\d+)")       # of games whose rulings have numbers of their own: "R-37"
HEADING = "# ---"               # of a part of a file: it promises nothing

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def total(spec: GameSpec) -> list[str]:
    """The numbers of all rules of the editions that can be played, in their order."""
    played = {edition.rules or edition.key for edition in spec.editions if edition.available}
    return [rule.id for rule in rules(spec.key) if played & {*rule.editions}]


def numbers_in(words: str, known: Iterable[str]) -> set[str]:
    """The rules that a text names: "SOE-9.4.4", also as a list "SOE-3.1.1, 3.3.11" or "SOE-9.5.1 to 9.5.4".

    Names of tests do so with underscores: "test_SOE_3_1_1_and_3_3_11_...", "test_SOE_9_5_1_to_9_5_4_...".
    """
    order = [*known]
    prefix = order[0].rpartition("-")[0] if order else ""
    found: set[str] = set()
    if prefix and prefix in words:
        place = {id: index for index, id in enumerate(order)}
        more = rf"(,? and |,? or | to |, |_and_|_or_|_to_)(?:{prefix}[-_])?(\d+(?:[._]\d+)+)"
        for match in re.finditer(rf"{prefix}[-_](\d+(?:[._]\d+)+)((?:{more})*)", words):
            last = f"{prefix}-{match[1].replace('_', '.')}"
            found.add(last)
            for between, number in re.findall(more, match[2]):
                id = f"{prefix}-{number.replace('_', '.')}"
                if between.strip(" _") == "to" and {last, id} <= place.keys():
                    found.update(order[place[last]:place[id] + 1])
                found.add(id)
                last = id
        found |= {f"{prefix}-R-{number}" for number in RULING.findall(words)}
    return found.intersection(order)


# --- where the engine names them --------------------------------------------------------------------------

@dataclass
class Spot:
    """What a function names: by being entered, and by lines being run."""

    entered: set[str] = field(default_factory=set)
    lines: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))


@dataclass
class Sites:
    """Where rules are named: by file and first line of the function; and by the name of the class whose instances show them."""

    spots: dict[tuple[str, int], Spot] = field(default_factory=lambda: defaultdict(Spot))
    classes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def sites(spec: GameSpec) -> Sites:
    """All places of a game's code that name rules, for whoever strikes off those that are reached."""
    return deepcopy(_sites_in(ROOT / "engine" / "games" / spec.key, tuple(total(spec))))


@cache
def _sites_in(folder: Path, known: tuple[str, ...]) -> Sites:
    """All places in a folder that name rules; the files are read once."""
    found = Sites()
    for path in sorted(folder.rglob("*.py")):
        _sites_of(path, known, found)
    return found


def _sites_of(path: Path, known: Sequence[str], found: Sites) -> None:
    source = path.read_text(encoding="utf-8")
    nodes = [*ast.walk(ast.parse(source))]
    functions = [node for node in nodes if isinstance(node, Function)]
    docstrings: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | Function) and (words := ast.get_docstring(node)):
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
            if isinstance(node, ast.ClassDef):
                found.classes[node.name] |= numbers_in(words, known)
            elif isinstance(node, Function):
                found.spots[str(path), first_line(node)].entered |= numbers_in(words, known)
    for line, words in enumerate(source.splitlines(), 1):
        if line in docstrings or not (named := numbers_in(words, known)):
            continue
        function, statement = _around(functions, line)
        if function is not None and statement is not None:
            for run in range(statement.lineno, _end_of_head(statement) + 1):
                found.spots[str(path), first_line(function)].lines[run] |= named


def first_line(function: Function) -> int:
    """The line with which Python says that a function begins: that of its first decorator."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def _around(functions: Sequence[Function], line: int) -> tuple[Function | None, ast.stmt | None]:
    """The innermost function around a line, and its statement there; for a comment of its own, the statement that follows."""
    inside = [node for node in functions if node.lineno <= line <= (node.end_lineno or 0)]
    if not inside:
        return None, None
    function = max(inside, key=lambda node: node.lineno)
    statements = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function]
    here = [node for node in statements if node.lineno <= line <= _end_of_head(node)]
    after = [node for node in statements if node.lineno > line]
    if here:
        return function, max(here, key=lambda node: node.lineno)
    return function, min(after, key=lambda node: node.lineno) if after else None


def _end_of_head(statement: ast.stmt) -> int:
    """The last line of a statement, or of the head of one that holds others."""
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    return max(statement.lineno, _line_of(body[0]) - 1) if body else statement.end_lineno or statement.lineno


def _line_of(node: Any) -> int:
    line: int = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
    return line


# --- watching play ----------------------------------------------------------------------------------------

class Watch:
    """Notes the rules that play comes by; what has been reached once is not watched any more, so it costs less and less."""

    def __init__(self, spec: GameSpec) -> None:
        found = sites(spec)
        self.reached: set[str] = set()
        self._known = {*total(spec)}
        self._spots, self._classes = found.spots, found.classes
        self._codes: dict[CodeType, Spot | None] = {}

    def __enter__(self) -> Watch:
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def refused(self, rule: str) -> None:
        """A refusal has quoted this rule."""
        self.reached |= {rule} & self._known

    def shown(self, what: object) -> None:
        """An action was given, or a fact has come to be."""
        for kind in type(what).__mro__:
            if named := self._classes.pop(kind.__name__, None):
                self.reached |= named

    def _call(self, frame: FrameType, event: str, arg: object) -> Any:
        code = frame.f_code
        try:
            spot = self._codes[code]
        except KeyError:
            spot = self._codes[code] = self._spots.get((code.co_filename, code.co_firstlineno)) or self._inner(code)
        if spot is None:
            return None
        if spot.entered and not code.co_name.startswith("<"):
            self.reached |= spot.entered
            spot.entered = set()
        if not spot.lines:
            self._codes[code] = None
            return None
        return self._line

    def _line(self, frame: FrameType, event: str, arg: object) -> Any:
        spot = self._codes[frame.f_code]
        named = spot.lines.pop(frame.f_lineno, None) if spot is not None else None
        if named:
            self.reached |= named
        return self._line

    def _inner(self, code: CodeType) -> Spot | None:
        """The function around a comprehension or a lambda."""
        if not code.co_name.startswith("<"):
            return None
        begins = [(line, spot) for (path, line), spot in self._spots.items()
                  if path == code.co_filename and line <= code.co_firstlineno]
        return max(begins, key=lambda begin: begin[0])[1] if begins else None


# --- tests ------------------------------------------------------------------------------------------------

def unreached(spec: GameSpec, played: set[str]) -> list[str]:
    """The rules that nothing comes by: not play, as far as it was watched, no check of every position, and no test."""
    reached = {*played, *in_tests(spec), *in_checks(spec)}
    return [id for id in total(spec) if id not in reached]


def in_tests(spec: GameSpec, folder: Path = ROOT / "tests") -> Mapping[str, set[str]]:
    """The tests that name each rule: in their name, docstring, body or among their examples; headings promise nothing.

    So do checks that are called by their rules and registered, in any file that a test imports.
    """
    named: dict[str, set[str]] = defaultdict(set)
    known = total(spec)
    for test, words in _tests_in(folder, known[0].rpartition("-")[0]) if known else ():
        for id in numbers_in(words, known):
            named[id].add(test)
    return named


@cache
def _tests_in(folder: Path, prefix: str) -> tuple[tuple[str, str], ...]:
    """The tests of a folder that may name a rule of this prefix, each with all its words."""
    return tuple((f"{path.name}::{test}", words) for path in _read(folder)
                 if prefix in (source := path.read_text(encoding="utf-8"))
                 for test, words in _tests_of(path, source, prefix) if prefix in words)


@cache
def _read(folder: Path) -> list[Path]:
    """The files of tests in a folder, and those of it that they import, one by way of another."""
    found = sorted(folder.rglob("test_*.py"))
    for path in found:                      # it grows on the way
        for node in parsed(path).body:
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                there = folder.parent.joinpath(*node.module.split("."))
                files = (there.with_suffix(".py"), *(there / f"{alias.name}.py" for alias in node.names))
                found += [file for file in files if file.is_relative_to(folder) and file.is_file() and file not in found]
    return found


def in_checks(spec: GameSpec) -> set[str]:
    """The rules that hold in every position of every game, or a bench or a test stops."""
    files = sorted(Path(__file__).parent.glob("soundness*.py"))
    return numbers_in("\n".join(file.read_text(encoding="utf-8") for file in files), total(spec))


def _tests_of(path: Path, source: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Each test of a file with all its words, and its tables of examples; of any file the checks called by their rules."""
    lines = ["" if line.lstrip().startswith(HEADING) else line for line in source.splitlines()]
    for node in parsed(path).body:
        if isinstance(node, Function):
            promises = node.decorator_list if node.name.startswith(f"{prefix}_") else node.name.startswith("test_")
        else:
            promises = isinstance(node, ast.Assign | ast.AnnAssign) and path.name.startswith("test_")
        if promises:
            start = first_line(node) if isinstance(node, Function) else node.lineno
            yield getattr(node, "name", "examples"), "\n".join(lines[start - 1:node.end_lineno])
