"""Every sentence for a person can be translated: it stands in a `Text`, in a refusal, or where Discord translates commands."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import refusals

ROOT = Path(__file__).parent.parent
WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? +[A-Za-z]{2,}")            # two words in a row: no id, no format, no emoji
WORD = re.compile(r"\W*([A-Z][a-z]+[.!?…:]?|[a-z]{2,}[.!?…])\W*")  # one that is spoken: "Undo", "done."; ids are small
BESIDE = re.compile(r"\{\}[,;:]? +[A-Za-z]{2,}"         # a word beside a value: "{} rows", "in row {}", "{}: Undo"
                    r"|[A-Za-z]{2,}[,;:]? +\{\}(?!\w)|(?<![\w{/])[A-Z][a-z]+(?!\w)")
CODE = re.compile(r"`/[^`]*`")                          # a command as it is typed
REFUSALS = {name for name, found in vars(refusals).items() if isinstance(found, type) and issubclass(found, Exception)}
MARKED = {"text", "count", "Text", "template", "locale_str", "NotGameMaster", "NotStored", *REFUSALS}      # of message ids
COMMANDS = {"command", "describe", "Command", "Group", "Parameter"}                    # names and help: Discord translates them
RECORDS = {"note", "_declare"}                          # the audit keeps the words in which it was written
OPERATOR = {"debug", "info", "warning", "error", "exception", "tell_log"}              # the log is for the operator
IDS = {"deed", "__all__", "REGIONS", "SMUGGLED"}        # what the audit says; names that others have given
INSIDE = {"TypeVar", "RuntimeError", "AssertionError", "LookupError", "KeyError", "ValueError", "TypeError", "OperationalError"}
SILENT = {"bot/operator/config.py", "bot/__main__.py", "bot/operator/cli.py"}           # the operator's command line
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
        case ast.arguments() | ast.keyword(arg="deed"):
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
    for child in ast.iter_child_nodes(node):
        if all(child is not other for other in apart):
            yield from spoken(child)


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


@pytest.mark.parametrize("path", FILES)
def test_every_sentence_of_the_bot_can_be_translated(path):
    assert list(spoken(ast.parse((ROOT / path).read_text(encoding="utf-8")))) == []


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
    'log.info("a reply came too late (%s)", code)', 'ledger.note(game, by, f"moved the game to {place}", at)',
    'text("All is well" if well else "All is lost")', 'button(text("Undo"), "undo")', 'words = f"`/{command} menu`"',
    'class Tree(Base["Chancery"]): pass', 'Kind = TypeVar("Kind")', '__all__ = ["Play"]',
    'clock = f"bank {hours}h"', 'payload["lines"] = "log"', 'custom_id = f"{game}:{seat}"',
    'wish: Literal["go on", "stop it"] = "stop"'])
def test_what_translators_see_or_nobody_reads_is_passed_over(code):
    assert not list(spoken(ast.parse(f'async def told():\n    """What it does for people."""\n    {code}')))
