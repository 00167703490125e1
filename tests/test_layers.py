"""Who may import whom: rules below, pictures beside them, Discord above; read from the source, so nothing slips in unseen."""
from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.catalog import GAMES

ROOT = Path(__file__).parent.parent
FOLDERS = tuple(f"engine/{path.parent.name}/" for path in sorted((ROOT / "engine").glob("*/__init__.py"))      # a game each
                if path.parent.name not in ("kernel", "orders"))
CHAPTERS = tuple(folder.rstrip("/").replace("/", ".") for folder in FOLDERS)
EDGES = {"engine/__main__.py"}              # the command line: an edge, like the bot


def sources(*folders: str) -> list[str]:
    """Every source file of these folders, as a path from the root."""
    return sorted(str(path.relative_to(ROOT)) for folder in folders for path in (ROOT / folder).rglob("*.py"))


def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def imported(path: str) -> Iterator[str]:
    """The modules that a file imports, with the names taken from them: "engine.text", "engine.text.say"."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def below(module: str, *packages: str) -> bool:
    """Whether a module is one of these packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def standard(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] in sys.stdlib_module_names


def users(package: str, *folders: str) -> set[str]:
    """The files of these folders that import a package."""
    return {path for path in sources(*folders) if any(below(module, package) for module in imported(path))}


ENGINE = [path for path in sources("engine") if path not in EDGES]
EVERYTHING = ("bot", "engine", "renderer", "sandbox", "bench", "gallery", "maps")
OUTSIDE = ("random", "secrets", "time", "datetime", "os", "io", "pathlib", "socket", "sqlite3", "subprocess", "threading",
           "asyncio", "logging", "uuid", "tempfile", "urllib", "http", "importlib")


@pytest.mark.parametrize("path", ENGINE)
def test_the_engine_is_a_function_of_the_log(path):
    reading = {"importlib"} if path == "engine/shelf.py" else set()
    for module in imported(path):
        assert standard(module) or below(module, "pydantic", "engine"), f"{path} imports {module}"
        assert not below(module, *(set(OUTSIDE) - reading)), f"{path} imports {module}"


@pytest.mark.parametrize("path", ENGINE)
def test_the_engine_neither_reads_nor_prints(path):
    called = {node.func.id for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"open", "print", "input", "exec", "eval", "__import__"}


@pytest.mark.parametrize("path", [path for path in ENGINE if path != "engine/catalog.py" and not path.startswith(FOLDERS)])
def test_what_games_share_knows_no_game(path):
    assert not [module for module in imported(path) if below(module, *CHAPTERS)]


def test_no_game_knows_another_or_the_catalogue():
    for spec in GAMES:
        for path in sources(f"engine/{spec.key}"):
            others = [chapter for chapter in CHAPTERS if chapter != f"engine.{spec.key}"]
            assert not [module for module in imported(path) if below(module, "engine.catalog", *others)], path


@pytest.mark.parametrize("path", sources("renderer"))
def test_the_renderer_sees_views_and_nothing_else_of_a_game(path):
    views = tuple(f"{chapter}.{module}" for chapter in CHAPTERS for module in ("view", "scenes"))
    writing = ("isal",) if path == "renderer/encoder.py" else ()
    for module in imported(path):
        assert standard(module) or below(module, "PIL", "renderer", *views, *writing), f"{path} imports {module}"


@pytest.mark.parametrize("path", sources("bot"))
def test_the_bot_knows_games_only_through_the_catalogue(path):
    assert not [module for module in imported(path) if below(module, *CHAPTERS)]


def test_the_bot_sees_of_pictures_only_that_they_are_drawn():
    assert {module for path in sources("bot") for module in imported(path) if below(module, "renderer")} <= {
        "renderer", "renderer.render"}


def test_one_package_knows_sqlite_and_one_module_the_tables():
    for package in ("sqlite_utils", "sqlite3"):
        assert users(package, "bot", "engine", "renderer", "sandbox") <= {*sources("bot/store"), "bot/migrations.py"}
    assert "bot/store/file.py" in users("sqlite_utils", "bot")


def test_discord_stays_above_the_engine_and_beside_no_picture():
    assert not users("discord", "engine", "renderer")
    assert "bot/client.py" in users("discord", "bot")


def test_a_simulated_discord_is_for_the_sandbox_tests_and_benches_only():
    assert not users("simcord", "bot", "engine", "renderer")
    assert users("simcord", "sandbox")


def test_nothing_that_runs_imports_the_tests():
    assert not users("tests", *EVERYTHING) - users("tests", "bench")


def test_the_table_of_files_is_not_empty():
    assert len(ENGINE) > 20 and all(sources(folder) for folder in EVERYTHING)


@pytest.mark.parametrize("package", ["bot", "engine", "renderer", "sandbox", "gallery", "bench"])
def test_whatever_a_package_reads_is_installed_with_it(package: str) -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert f"{package}*" in setup["packages"]["find"]["include"]
    taken = {path for pattern in setup["package-data"].get(package, ()) for path in (ROOT / package).glob(pattern)}
    there = {path for path in (ROOT / package).rglob("*.*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in there if path.suffix != ".py"} <= taken
