"""Who may import whom: read from the source, imports under `TYPE_CHECKING` included, so that nothing slips in unseen."""
from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from engine.catalog import GAMES
from tests.parsed import parsed

ROOT = Path(__file__).parent.parent
TOPS = ("bot", "engine", "renderer", "sandbox", "bench", "tools")
LONGEST = 500                                               # lines of a file of the program
WHOLE = 80                                                  # lines of a function
GAME_ROOMS = tuple(f"engine.games.{spec.key}" for spec in GAMES)
OUTSIDE = ("random", "secrets", "time", "datetime", "os", "io", "pathlib", "socket", "sqlite3", "subprocess", "threading",
           "asyncio", "logging", "uuid", "tempfile", "urllib", "http", "importlib")
READERS = {"engine.components", "engine.rulebook",
           "engine.text.language", "engine.text.languages"}          # read the data folder that comes with the program
SENDS = {"send", "send_message", "send_modal", "edit_original_response"}
COMPARES = {"for_member", "for_all", "for_seats", "for_presser", "_guard"}
UNCOMPARED = {
    "admission._tell",                      # that somebody is too fast
    "renewal.renew",                        # lists that stood there before
    "game.lessons.answer_letter",           # how to play, to whoever writes to the bot
    "owner._look",                          # how the bot is, to whoever runs it
    "talk.commands._show_out",              # who can still read there, in that very thread
    "outbox.status_message.leave",          # where a game has gone, to those who read it there
    "outbox.game_threads._keep_thread",           # no words
    "outbox.noticeboard._post", "outbox.noticeboard._left", "responses.change"}         # a part of what compares
EDGE = "engine.__main__"                                    # the command line, an edge as the bot is


def module_of(path: Path) -> str:
    """The dotted name of a source file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def sources() -> Mapping[str, ast.Module]:
    """Every module of the program by its dotted name."""
    return {module_of(path): parsed(path)
            for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))}


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement of a module, at whatever depth; an import is no part of an expression."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()):
            yield inner
            yield from statements(inner)


@cache
def imported(module: str) -> frozenset[str]:
    """The modules that one imports: "engine.text"; of a name that is no module, the module it is taken from."""
    found: set[str] = set()
    for node in statements(sources()[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{module} imports relatively"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in sources() else node.module for name in names}
    return frozenset(found)


def below(module: str, *packages: str) -> bool:
    """Whether a module is one of these packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def within(*packages: str) -> list[str]:
    """The modules of these packages."""
    return [module for module in sources() if below(module, *packages)]


def standard(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] in sys.stdlib_module_names


def breaches(modules: Iterable[str], *forbidden: str) -> list[str]:
    """Every import of something forbidden, as "who imports what"."""
    return [f"{module} imports {other}" for module in modules for other in sorted(imported(module)) if below(other, *forbidden)]


def strangers(modules: Iterable[str], *allowed: str) -> list[str]:
    """Every import of something that is neither allowed nor of the standard library."""
    return [f"{module} imports {other}" for module in modules for other in sorted(imported(module))
            if not standard(other) and not below(other, *allowed)]


# --- the engine ------------------------------------------------------------------------------------------

def engine() -> list[str]:
    return [module for module in within("engine") if module != EDGE]


def test_the_engine_is_a_function_of_the_log() -> None:
    assert len(engine()) > 60 and not strangers(engine(), "pydantic", "engine", "babel")
    assert not breaches((module for module in engine() if module not in READERS), *OUTSIDE)
    assert not breaches(READERS, *(set(OUTSIDE) - {"importlib"}))


def test_the_engine_neither_reads_nor_prints() -> None:
    for module in engine():
        called = {node.func.id for node in ast.walk(sources()[module])
                  if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not called & {"open", "print", "input", "exec", "eval", "__import__"}, module


def test_what_games_share_knows_no_game() -> None:
    shared = [module for module in engine() if module != "engine.catalog" and not below(module, *GAME_ROOMS)]
    assert len(shared) > 30 and not breaches(shared, "engine.games")


@pytest.mark.parametrize("room", GAME_ROOMS)
def test_no_game_knows_another_or_the_catalogue(room: str) -> None:
    others = [other for other in GAME_ROOMS if other != room]
    assert len(within(room)) > 20 and not breaches(within(room), "engine.catalog", *others)


def test_what_runs_is_a_game_of_the_catalogue() -> None:
    folders = {path.name for path in (ROOT / "engine" / "games").iterdir() if (path / "__init__.py").exists()}
    assert folders == {spec.key for spec in GAMES}


@pytest.mark.parametrize("room", GAME_ROOMS)
def test_what_a_game_remembers_has_a_bound(room: str) -> None:
    """No dict of a module that fills up, and no cache without an end: they would also mix up games with different components."""
    for module in within(room):
        kept = [node for node in sources()[module].body if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
                and ast.unparse(node.value) in ("{}", "[]", "set()", "dict()", "Counter()")]
        assert all(ast.unparse(node).partition(":")[0].isupper() for node in kept), f"{module}: {[*map(ast.unparse, kept)]}"
        endless = [node.name for node in statements(sources()[module]) if isinstance(node, ast.FunctionDef) and node.args.args
                   and {"cache", "lru_cache(None)", "lru_cache(maxsize=None)"} & {*map(ast.unparse, node.decorator_list)}]
        assert not endless, f"{module}: {endless}"


# --- pictures --------------------------------------------------------------------------------------------

def test_the_renderer_sees_views_and_scenes_and_nothing_else_of_a_game() -> None:
    seen = [f"{room}.{module}" for room in GAME_ROOMS for module in ("view", "pictures.scenes")]
    plain = [module for module in within("renderer") if module != "renderer.encoder"]
    assert len(plain) > 30 and not strangers(plain, "PIL", "renderer", "engine.text", *seen)
    assert not strangers(["renderer.encoder"], "PIL", "renderer", "isal")


def test_the_bot_sees_of_pictures_only_that_they_are_drawn() -> None:
    assert {other for module in within("bot") for other in imported(module) if below(other, "renderer")} == {"renderer"}


# --- the bot ---------------------------------------------------------------------------------------------

def test_the_bot_knows_games_only_through_the_catalogue() -> None:
    assert not breaches(within("bot"), "engine.games")


def test_the_domain_is_pure() -> None:
    assert len(within("bot.domain")) > 5
    assert not strangers(within("bot.domain"), "pydantic", "engine", "bot.domain")
    assert not breaches(within("bot.domain"), "asyncio", "sqlite3", "logging", "pathlib", "os")


def test_store_and_service_know_no_discord() -> None:
    assert not breaches(within("bot.store", "bot.core", "bot.service"), "discord", "bot.discord", "bot.operator")
    assert not breaches(within("bot.store"), "bot.core", "bot.service")
    assert not breaches(within("bot.core"), "bot.service")


def test_sqlite_is_known_in_the_store_alone() -> None:
    elsewhere = [module for module in sources() if not below(module, "bot.store", "bench", "tools")]
    assert not breaches(elsewhere, "sqlite_utils", "sqlite3")
    assert "sqlite_utils" in imported("bot.store.database")


def test_whatever_is_sent_is_compared_with_who_reads_it() -> None:
    """Calls that send or change words, outside the few that say nothing of a game or only tidy up."""
    found = set[str]()
    for module in (module for module in sources() if module.startswith("bot.discord")):
        for node in ast.walk(sources()[module]):
            if isinstance(node, (ast.AsyncFunctionDef, ast.FunctionDef)):
                calls = [(inner.func.attr, {word.arg for word in inner.keywords}) for inner in ast.walk(node)
                         if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute)]
                called = {one.func.attr if isinstance(one.func, ast.Attribute) else getattr(one.func, "id", "")
                          for one in ast.walk(node) if isinstance(one, ast.Call)}
                if any(name in SENDS or (name == "edit" and (words & {"content", "embed", None})) for name, words in calls) \
                        and not called & COMPARES:
                    found.add(f"{module.removeprefix('bot.discord.')}.{node.name}")
    assert found == UNCOMPARED


def test_nothing_imports_the_client_but_what_makes_a_bot() -> None:
    makers = {"bot.__main__", "bot.operator.replay_interaction"}
    assert not breaches((module for module in within("bot") if module not in makers), "bot.discord.client")


def test_discord_stays_in_its_room() -> None:
    assert not breaches(within("engine", "renderer", "bot.domain", "bot.store", "bot.core", "bot.service", "tools"), "discord")


def test_a_simulated_discord_is_for_sandbox_tests_and_benches() -> None:
    assert not breaches((module for module in sources() if not below(module, "sandbox", "bench")), "simcord")
    assert any("simcord" in imported(module) for module in within("sandbox"))


def test_nothing_that_runs_imports_the_tests() -> None:
    assert not breaches((module for module in sources() if not below(module, "bench")), "tests")


def test_of_the_tests_benches_import_what_searches_for_faults_and_nothing_else() -> None:
    found = {name for module in within("bench") for name in imported(module) if below(name, "tests")}
    assert found and not {name for name in found if not below(name, "tests.checks")}


# --- no circles ------------------------------------------------------------------------------------------

def circle(arrows: Mapping[str, set[str]]) -> list[str]:
    """A way along the arrows that ends where it began; nothing if there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def test_no_file_imports_itself_by_way_of_others() -> None:
    arrows = {module: {other for other in imported(module) if other in sources() and other != module} for module in sources()}
    assert circle(arrows) == []


def rooms(module: str) -> str:
    """The room of a module: the folder below the top, or the game; a file beside the rooms is one of its own."""
    parts = module.split(".")
    return ".".join(parts[:3] if parts[:2] == ["engine", "games"] else parts[:2])


def test_no_room_imports_itself_by_way_of_others() -> None:
    arrows: dict[str, set[str]] = {}
    for module in sources():
        if module in TOPS:
            continue                                        # the package itself: its modules stand for it
        known = (other for other in imported(module) if other in sources() and other not in TOPS)
        arrows.setdefault(rooms(module), set()).update(rooms(other) for other in known if rooms(other) != rooms(module))
    assert len(arrows) > 30 and circle(arrows) == []


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) and not circle({"a": {"b"}, "b": {"c"}})


@pytest.mark.parametrize("package", ["bot", "engine", "renderer", "sandbox"])
def test_whatever_a_package_reads_is_installed_with_it(package: str) -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert f"{package}*" in setup["packages"]["find"]["include"]
    taken = {path for pattern in setup["package-data"].get(package, ()) for path in (ROOT / package).glob(pattern)}
    there = {path for path in (ROOT / package).rglob("*.*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in there if path.suffix != ".py"} <= taken


def undocumented() -> Iterator[str]:
    """The modules without a docstring."""
    for module, tree in sources().items():
        if tree.body and not ast.get_docstring(tree):
            yield module


def test_every_module_says_what_it_is_for() -> None:
    assert list(undocumented()) == []


def test_no_file_is_too_long_to_find_ones_way_in() -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for top in TOPS for path in (ROOT / top).rglob("*.py")}
    long = [f"{path.relative_to(ROOT)}: {number}" for path, number in lines.items() if number > LONGEST]
    assert len(lines) > 400 and not long, (
        f"longer than {LONGEST} lines: {long}. Move what is about one thing to a file of its own, named after it; whoever "
        f"imports it takes it from there, and docs/architecture.md says where it is")


def test_no_function_is_too_long_to_hold_in_the_head() -> None:
    assert [f"{path.relative_to(ROOT)}: {node.name}" for top in TOPS for path in (ROOT / top).rglob("*.py")
            for node in ast.walk(parsed(path)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and (node.end_lineno or 0) - node.lineno >= WHOLE] == []
