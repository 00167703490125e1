"""Every sentence for a person can be translated: it stands in a `Text`, in a refusal, or where Discord translates commands.

And none that the games share has a word of one of them.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zoneinfo import available_timezones

import pytest

from engine import refusals
from engine.catalog import GAMES
from engine.components import components
from engine.rule_search import stem
from tests.parsed import parsed

ROOT = Path(__file__).parent.parent
WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? +[A-Za-z]{2,}")            # two words in a row: no id, no format, no emoji
WORD = re.compile(r"\W*([A-Z][a-z]+[.!?…:]?|[a-z]{2,}[.!?…])\W*")  # one that is spoken: "Undo", "done."; ids are small
BESIDE = re.compile(r"\{\}[,;:]? +[A-Za-z]{2,}"         # a word beside a value: "{} rows", "in row {}", "{}: Undo"
                    r"|[A-Za-z]{2,}[,;:]? +\{\}(?!\w)|(?<![\w{/])[A-Z][a-z]+(?!\w)")
CODE = re.compile(r"`/[^`]*`")                          # a command as it is typed
REFUSALS = {name for name, found in vars(refusals).items() if isinstance(found, type) and issubclass(found, Exception)}
MARKED = {"text", "count", "Text", "template", "locale_str", "NotGameMaster", "NotStored", *REFUSALS}      # of message ids
COMMANDS = {"command", "describe", "about_a_game", "Command", "ContextMenu", "Group", "Parameter"}  # Discord translates them
RECORDS = {"note", "declare"}                           # the audit keeps the words in which it was written
OPERATOR = {"debug", "info", "warning", "error", "exception", "tell_log"}              # the log is for the operator
IDS = {"audit", "__all__", "REGIONS", "SMUGGLED", "INTERACTING"}        # what the audit says; names that others have given
INSIDE = {"TypeVar", "TypeVarTuple", "RuntimeError", "AssertionError", "LookupError", "KeyError",
          "ValueError", "TypeError", "OperationalError"}
SILENT = {"bot/operator/config.py", "bot/__main__.py", "bot/operator/cli.py", "bot/operator/metrics.py"}      # for operators
FILES = [path for path in sorted(str(path.relative_to(ROOT)) for path in (ROOT / "bot").rglob("*.py"))
         if path not in SILENT and not path.startswith("bot/store/")]


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""


def spoken(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings with words for people that no translator would be shown, with their lines."""
    match node:
        case ast.Assert():
            yield from spoken(node.test)
            return
        case ast.Compare() | ast.Subscript(value=ast.Name(id="Literal")):
            return                                              # a choice of a command: Discord translates it
        case ast.Call() if called(node) in COMMANDS | OPERATOR | INSIDE:
            return
        case ast.Call() if called(node) in MARKED | RECORDS:
            for child in (*node.args, *(keyword.value for keyword in node.keywords)):
                yield from spoken_besides(child, template=called(node) in MARKED)
            return
        case ast.Call() if called(node) == "__init__":          # a group of commands
            for keyword in node.keywords:
                if keyword.arg != "description":
                    yield from spoken(keyword.value)
            return
        case ast.Assign(targets=[target]) if any(isinstance(name, ast.Name) and name.id in IDS for name in ast.walk(target)):
            return
        case ast.arguments() | ast.keyword(arg="audit"):
            return                                              # the choice of a command that is usual; what the audit says
        case ast.JoinedStr():
            written = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            if WORDS.search(written) or BESIDE.search(CODE.sub("", written)):
                yield node.lineno, written
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    yield from spoken(part.value)
            return
        case ast.Constant(value=str(words)) if WORDS.search(words) or WORD.fullmatch(words):
            yield node.lineno, words
    body = getattr(node, "body", None)
    docstring = body[0] if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(
        body[0].value, ast.Constant) else None
    apart = (docstring, getattr(node, "annotation", None), getattr(node, "returns", None), *getattr(node, "bases", ()))
    for inner in ast.iter_child_nodes(node):
        if all(inner is not other for other in apart):
            yield from spoken(inner)


def spoken_besides(node: ast.AST, *, template: bool) -> Iterator[tuple[int, str]]:
    """The same for an argument that may itself be a string, or one of two; a template is never put together from pieces."""
    if isinstance(node, ast.IfExp):
        yield from spoken(node.test)
        yield from spoken_besides(node.body, template=template)
        yield from spoken_besides(node.orelse, template=template)
    elif isinstance(node, ast.JoinedStr) and not template:
        yield from (found for part in node.values if isinstance(part, ast.FormattedValue) for found in spoken(part.value))
    elif not isinstance(node, ast.Constant):
        yield from spoken(node)


def test_every_sentence_of_the_bot_can_be_translated():
    assert len(FILES) > 150
    assert [(path, line, said) for path in FILES for line, said in spoken(parsed(ROOT / path))] == []


@pytest.mark.parametrize("code", [
    'await reply(interaction, "Nothing was changed.")', 'button("Take it back", "undo")', 'words = f"{n} rows are gone"',
    'text(f"{n} of them are gone")', 'reply(interaction, f"{titled(game)}: {words(1)} of {2}" + " and so on")',
    'await reply(interaction, "All is well" if well else "All is lost")', 'button("Undo", "undo")',
    'await reply(interaction, "done.")', 'button(f"My {board}", "look")', 'words = f"{n} rows"', 'words = f"in row {n}"',
    'label = f"**{n}**: Undo"', 'NAMES = ("Noon", "Night")', 'await reply(interaction, "Done." if well else lost)',
    'page = {"title": "History"}'])
def test_a_sentence_beside_the_texts_is_found(code):
    assert list(spoken(ast.parse(f"async def told():\n    {code}")))


@pytest.mark.parametrize("code", [
    'await reply(interaction, text("Nothing was changed."))', 'raise Refusal("This is no server; type {it}.", it=name)',
    'log.info("a reply came too late (%s)", code)', 'ledger.audit.note(game, by, f"moved the game to {place}", at)',
    'text("All is well" if well else "All is lost")', 'button(text("Undo"), "undo")', 'words = f"`/{command} pass`"',
    'class Tree(Base["Chancery"]): pass', 'Kind = TypeVar("Kind")', '__all__ = ["Play"]',
    'clock = f"bank {hours}h"', 'payload["lines"] = "log"', 'custom_id = f"{game}:{seat}"',
    'wish: Literal["go on", "stop it"] = "stop"'])
def test_what_translators_see_or_nobody_reads_is_passed_over(code):
    assert not list(spoken(ast.parse(f'async def told():\n    """What it does for people."""\n    {code}')))


# --- words of one game ----------------------------------------------------------------------------------------------------

SHARED = sorted({*(ROOT / "bot").rglob("*.py"), *(ROOT / "engine").glob("*.py"), ROOT / "sandbox" / "page.py",
                 *(path for room in ("kernel", "orders", "text") for path in (ROOT / "engine" / room).rglob("*.py"))})
PAGE = ROOT / "sandbox" / "page.html"
OTHERS = {stem(word) for word in (          # that are no names of components, in all their forms: "attacking", "armies"
    "alliance", "army", "attack", "auction", "battle", "blockade", "capital", "card", "colony", "crossing", "deck", "empire",
    "fleet", "fort", "gold", "navy", "raid", "ship", "soldier", "struggle", "territory", "tile", "troop", "unrest", "war")}
ORDINARY = {                            # names of components that no game has for itself, and why shared code needs them
    "seat": "whoever plays has one, in any game", "turn": "any game that is played by message has them",
    "action": "what an answer is called in code and in the sandbox's requests", "state": "a column of the store",
    "point": "a decision point, and what a game is won by", "offer": "an answer that an order can give, as forms carry it",
    "neutral": "a neutral caretaker plays an empty seat", "force": "rows are in force", "blank": "what a form leaves open",
    "service": "what does the work behind the commands", "interest": "what games a member would like to hear of",
    "de": "the code of a language",
    "random": "how players of tests and benches choose", "row": "a line of the log", "end": "every game has one",
    **dict.fromkeys(("act", "bank", "channel", "conflict", "event", "first", "house", "incident", "left", "letter", "lower",
                     "new", "old", "port", "refused", "right", "run", "space", "succession", "system", "third", "union",
                     "world", "year"),
                    "English that titles of cards and names of places hold, too"),
    **dict.fromkeys(("and", "ask", "back", "every", "may", "rest", "take", "the", "what", "your"),
                    "English that nobody can do without")}
ZONES = re.compile("|".join(sorted(map(re.escape, available_timezones()), key=len, reverse=True)))    # "Africa/Cairo"
FORM = re.compile(r":\w+\}")             # that a sentence asks a name for
REGIONS = {zone.split("/")[0] for zone in available_timezones()}


def singular(word: str) -> str:
    """More or less: "armies" and "army" are one word."""
    return re.sub(r"s$", "", re.sub(r"ies$", "y", word))


@cache
def component_words() -> frozenset[str]:
    """What components of the games, and the games, are called, word by word."""
    named = {str(name) for spec in GAMES for edition in spec.editions if edition.available
             for name in spec.words.names(components(spec, edition.key).parts).values()}
    named |= {title for spec in GAMES for title in (spec.name, spec.command)}
    return frozenset(singular(word.lower()) for name in named for word in re.findall(r"[A-Za-z]{3,}", name)) - set(ORDINARY)


@cache
def is_of_a_game(word: str) -> bool:
    return singular(word) in component_words() or stem(word) in OTHERS


def of_a_game(said: str) -> list[str]:
    """The words of one game in something that is said; cities of time zones are none, and "haven't" is no haven."""
    if said in REGIONS:
        return []
    words = re.findall(r"[a-z]+n't|[a-z]+", (ZONES.sub("", said) if "/" in said else said).lower())
    return [word for word in words if is_of_a_game(word)]


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every string of a source but docstrings: sentences, descriptions of commands, and keys too."""
    bodies = [node.body for node in ast.walk(tree)
              if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)]
    docstrings = {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, FORM.sub("}", node.value)


def test_shared_code_says_no_word_of_one_game():
    found = [(str(path.relative_to(ROOT)), line, word) for path in SHARED
             for line, said in strings(parsed(path)) for word in of_a_game(said)]
    assert len(SHARED) > 100 and found == []


def test_the_page_of_the_sandbox_says_no_word_of_one_game():
    plain = re.sub(r"<style>.*?</style>", "", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    quoted = [said for said in re.findall(r'["`]([^"`\n]*)["`]', plain) if WORDS.search(said)]
    between = re.findall(r">([^<>]+)<", re.sub(r"<script>.*?</script>", "", plain, flags=re.DOTALL))
    assert len(quoted) > 5 and len(between) > 5
    assert [word for said in [*quoted, *between] for word in of_a_game(said)] == []


@pytest.mark.parametrize("said", [
    "In this attack", "Found the capital, in this war", "How much unrest, at most?", "such as Tiles or Banking", "no armies",
    "the sea lanes", "Artillery", "a battleship", "attacking", "in_war", "Hudson's Bay",
    "Ottoman"])
def test_a_word_of_one_game_is_found(said):
    assert of_a_game(said)


@pytest.mark.parametrize("said", ["Europe/Berlin, America/Argentina/Buenos_Aires", "Africa", "warm rewards", "In this turn"])
def test_a_word_that_only_looks_like_one_is_passed_over(said):
    assert not of_a_game(said)


# --- what lists of answers say of numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize("spec", GAMES, ids=[spec.key for spec in GAMES])
def test_every_number_and_switch_of_an_answer_has_words(spec):
    """`/game legal` says "15 gold" and "at sea only": a field's name is no word of any language."""
    assert [f"{kind.verb}.{name}" for kind in (*spec.rules.actions, *spec.rules.asides)
            for name, asked in kind.model_fields.items()
            if asked.annotation in (int, bool) and name not in spec.words.menus[kind.verb].amounts] == []
