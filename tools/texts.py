"""`make texts`: what people read, from code and data, as messages for translators: a file for each language and game.

    python -m tools.texts            extract, merge, compile, and tell how far each language is, and what is missing or broken
    python -m tools.texts --json     only tell, as JSON
    python -m tools.texts compile    only compile what has changed
"""
from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from engine.text.language import BEGIN, STOP
from engine.text.languages import ENGLISH, PREPARED

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "data" / "languages"
GAMES = tuple(sorted(path.parent.name for path in (ROOT / "data").glob("*/names.en.json")))
DOMAINS = ("platform", *GAMES)
ROOMS, OPERATOR = ("engine", "bot", "renderer", "sandbox"), ("engine/__main__", "bot/__main__", "bot/operator/")
WIDTH = 120                 # characters of a line in a file of messages
SHOWN = 60                  # characters of an expression that says what a fact is
FEW = 40                    # missing messages that are told one by one
REFUSALS = ("Refusal", "Illegal", "NotAsked", "Stale", "Faulty", "NotGameMaster", "NotStored", "Malformed", "Unavailable")
FIRST = {"text", "template", "printed", "Text", *REFUSALS}              # what takes a template first
SECOND = {"astray"}
NAMED = {"prompt", "level", "description"}       # arguments that are templates, whatever takes them
SIZES = {"button": 80, "field": 45, "Form": 45, "choice": 45, "radio": 45}         # characters of what these take first
SIZE_OF = {"hint": 100, "placeholder": 100, "description": 100, "more": 100, "label": 100}       # and of such arguments
TEMPLATES: Mapping[str, tuple[str, ...]] = {        # fields that hold templates, by the class of what games say as data
    "GameSpec": ("name",), "Edition": ("name",), "Picture": ("title",), "Presentation": ("title", "several"),
    "Point": ("title", "usual", "group"), "Offer": ("words", "brief"), "Slot": ("words",), "Condition": ("words",),
    "Pace": ("words",), "Noun": ("none", "all")}
NAMELESS = {"imperial_struggle": ("EP", "DP", "MP", "CP")}        # ids that are spoken as they are
PRINTED = {"name", "text", "base_text", "bonus_text", "rulings", "description"}    # fields of components that people read
HEADER = """msgid ""
msgstr ""
"Language: {code}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plurals}\\n"

"""
MARKS = ("**", "`", "~~", "||", "__")
LINES = re.compile(r"^(> |-# |- |#+ )", re.MULTILINE)
WRITTEN_OUT = {"", STOP, BEGIN}         # forms that every language has


@dataclass(frozen=True)
class Message:
    """What a translator reads: an English template, where it is said, and in how many characters it has to fit there."""

    id: str
    where: str
    plural: str = ""
    room: int = 0                       # 0: as many as it likes
    facts: str = ""                     # what they are, as the code says it

    @property
    def ids(self) -> str | tuple[str, str]:
        return (self.id, self.plural) if self.plural else self.id

    @property
    def domain(self) -> str:
        return next((game for game in GAMES if f"/{game}/" in self.where), "platform")


# --- what there is to say -------------------------------------------------------------------------------------------------


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def literals(node: ast.AST | None) -> Iterator[str]:
    """The templates of an argument: one, or one of several."""
    match node:
        case ast.Constant(value=str(words)):
            yield words
        case ast.IfExp():
            yield from (*literals(node.body), *literals(node.orelse))
        case ast.BoolOp():
            yield from (words for value in node.values for words in literals(value))
        case ast.Subscript(value=ast.Dict() as table):
            yield from (words for value in table.values for words in literals(value))


def is_move(node: ast.ClassDef) -> bool:
    """A class of moves: its description stands in menus, also of a move that has no command."""
    return (any(ast.unparse(base).endswith(("Action", "Aside")) for base in node.bases)
            or any(isinstance(part, ast.AnnAssign) and ast.unparse(part.target) == "verb" and part.value for part in node.body))


def in_code(tree: ast.AST, where: str) -> Iterator[Message]:
    """The templates of a source, each with the room that the call around it gives."""
    rooms: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and is_move(node):
            yield from (Message(words, where) for words in (first_sentence(ast.get_docstring(node) or ""),) if words)
        if not isinstance(node, ast.Call):
            continue
        name, keywords = called(node), {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        held = [*node.args[:1] * (name in SIZES), *(value for key, value in keywords.items() if key in SIZE_OF)]
        sizes = [*[SIZES.get(name, 0)] * (name in SIZES), *(SIZE_OF[key] for key in keywords if key in SIZE_OF)]
        for argument, size in zip(held, sizes):
            rooms.update((id(part), size) for part in ast.walk(argument)
                         if isinstance(part, ast.Call) and called(part) in ("text", "count"))
        facts = ", ".join(f"{{{key}}} = {ast.unparse(value)[:SHOWN]}" for key, value in keywords.items() if key != "rule")
        room = rooms.get(id(node), 0)
        if name == "count" and len(node.args) > 2:
            for one, many in zip(literals(node.args[1]), literals(node.args[2])):
                yield Message(one, where, many, room, facts)
        elif name in FIRST:
            for words in literals(node.args[0] if node.args else None):
                plural = next(literals(keywords.get("plural") or (node.args[2] if len(node.args) > 2 else None)), "")
                yield Message(words, where, plural if name == "Text" else "", room, facts)
        elif name in SECOND and len(node.args) > 1:
            yield from (Message(words, where, facts=facts) for words in literals(node.args[1]))
        for key in sorted(NAMED & keywords.keys()):
            yield from (Message(words, where, room=SIZE_OF.get(key, 0)) for words in literals(keywords[key]))


def first_sentence(doc: str) -> str:
    said = " ".join(doc.split())
    end = said.find(". ")
    return said if end < 0 else said[:end + 1]


def in_sources() -> Iterator[Message]:
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        if (where := str(path.relative_to(ROOT))).startswith(OPERATOR):
            continue
        yield from in_code(ast.parse(path.read_text(encoding="utf-8")), where)


def in_spec(part: Any, where: str, seen: set[int]) -> Iterator[Message]:
    """What a game says as data, wherever it holds it: menus, orders, options, lessons."""
    if id(part) in seen or isinstance(part, str | int | type):
        return
    seen.add(id(part))
    name = type(part).__name__
    if isinstance(part, Mapping):
        for inner in part.values():
            yield from in_spec(inner, where, seen)
    elif isinstance(part, list | tuple | set | frozenset):
        for inner in part:
            yield from in_spec(inner, where, seen)
    elif name == "Text":
        yield Message(part.template, where, part.plural or "")
        yield from in_spec(part.facts, where, seen)
    elif is_dataclass(part) and type(part).__module__.startswith("engine.kernel"):
        yield from (Message(words, where) for field in TEMPLATES.get(name, ()) if (words := getattr(part, field)))
        yield from of_plain_fields(part, name, where)
        for field in fields(part):
            yield from in_spec(getattr(part, field.name), where, seen)


def of_plain_fields(part: Any, name: str, where: str) -> Iterator[Message]:
    if name == "Noun":
        yield Message(part.one, where, part.many)
    elif name == "Condition":
        yield from (Message(words, where) for words in part.says.values() if words)
        if part.counts:
            yield from (Message(part.counts[0], where), Message(part.counts[1], where, part.counts[2]))
    elif name == "Ordering":
        anyhow, one, many = part.toll_words
        yield from (Message(anyhow, where), Message(one, where, many))


def in_games() -> Iterator[Message]:
    from engine.catalog import GAMES as SPECS
    from engine.components import components

    for spec in SPECS:
        where = f"engine/games/{spec.key}/"
        yield from in_spec(spec, where, set())
        untitled = [verb for verb, shown in spec.words.menus.items() if not shown.title]
        for spoken in (*(verb.replace("_", " ") for verb in untitled), *NAMELESS.get(spec.key, ())):
            yield Message(spoken, where)
        for edition in spec.editions:
            if edition.available:
                found = components(spec, edition.key)
                for name in spec.words.names(found.parts).values():
                    yield Message(str(name), f"data/{spec.key}/{edition.data}")


def in_data() -> Iterator[Message]:
    for path in sorted((ROOT / "data").glob("*/*.json")):
        where, data = str(path.relative_to(ROOT)), json.loads(path.read_text(encoding="utf-8"))
        if path.stem == "rules":
            for rule in data:
                yield from (Message(rule[key], where, facts=rule["id"]) for key in ("title", "text"))
        elif path.stem == "words":
            yield from (Message(chapter, where) for chapter in data["chapters"].values())
        elif not path.stem.startswith("names."):
            yield from (Message(words, where) for words in on_cards(data))


def on_cards(data: object, shown: bool = False) -> Iterator[str]:
    if isinstance(data, str) and shown and data:
        yield data
    elif isinstance(data, dict):
        for name, part in data.items():
            yield from on_cards(part, name in PRINTED)
    elif isinstance(data, list):
        for part in data:
            yield from on_cards(part, shown)


def in_commands() -> Iterator[Message]:
    """What Discord shows of commands: descriptions and choices, and what its Apps menus offer."""
    from bot.discord.client import commands
    from bot.discord.game_master.message_menus import message_menus
    from engine.catalog import GAMES as SPECS

    groups = {spec.command: spec.key for spec in SPECS}
    for menu in message_menus():
        yield Message(menu.name, "bot/discord", room=32, facts="in the Apps menu of a message")
    for root in commands(SPECS):
        where = f"engine/games/{groups[root.name]}/" if root.name in groups else "bot/discord"
        for command in (root, *root.walk_commands()) if hasattr(root, "walk_commands") else (root,):
            named = f"/{command.qualified_name}"
            yield Message(command.description, where, room=100, facts=named)
            for parameter in getattr(command, "parameters", ()):
                yield Message(str(parameter.description), where, room=100, facts=f"{named} {parameter.name}")
                for choice in parameter.choices:
                    yield Message(choice.name, where, room=100, facts=f"{named} {parameter.name}")


@cache
def said() -> tuple[Message, ...]:
    """All messages, wherever they are said."""
    return (*in_sources(), *in_commands(), *in_games(), *in_data())


@cache
def extracted() -> Mapping[str, Message]:
    """All messages by their English; each in the file of its game, or in that of the platform if it is said elsewhere too."""
    found: dict[str, Message] = {}
    for message in said():
        if not re.search(r"[^\W\d_]{2}", re.sub(r"\{[^}]*\}", "", message.id)):
            continue                    # marks and facts alone: there is nothing to translate
        before = found.setdefault(message.id, message)
        where = before.where if before.domain in (message.domain, "platform") else message.where
        if before.domain != message.domain and "platform" not in (before.domain, message.domain):
            where = "engine"
        found[message.id] = Message(message.id, where, before.plural or message.plural,
                                    min(filter(None, (before.room, message.room)), default=0), before.facts or message.facts)
    return found


# --- files of messages ----------------------------------------------------------------------------------------------------


def codes() -> list[str]:
    return sorted(set(PREPARED) - {ENGLISH.code})


def read(code: str, domain: str) -> Catalog:
    path = FOLDER / code / f"{domain}.po"
    return read_po(BytesIO(path.read_bytes()), locale=code) if path.exists() else Catalog(locale=code)


def in_forms(said: str | Sequence[str] | None) -> Sequence[str]:
    return (said,) if isinstance(said, str) else said or ()


def whole(code: str) -> Catalog:
    """What is translated in all files of a language."""
    together = Catalog(locale=code, fuzzy=False)
    for domain in DOMAINS:
        for message in read(code, domain):
            if message.id and any(in_forms(message.string)):
                together[message.id] = message
    return together


def merge(code: str) -> None:
    """Write the files of a language anew, with the translations that there were, in whatever file; those in a form, too."""
    (FOLDER / code).mkdir(exist_ok=True)
    known = whole(code)
    formed = [message for message in known if message.context]
    catalogs = {domain: Catalog(locale=code) for domain in DOMAINS}
    for message in extracted().values():
        before = known.get(message.id)
        kept = before.string if before is not None and before.pluralizable == bool(message.plural) else None
        told = [*([message.facts] if message.facts else []), *([f"at most {message.room}"] if message.room else [])]
        catalogs[message.domain].add(message.ids, kept, [(message.where, 0)], auto_comments=told)
    for translated in formed:
        if (english := extracted().get(translated.id if isinstance(translated.id, str) else translated.id[0])) is not None:
            catalogs[english.domain].add(english.ids, translated.string, [(english.where, 0)], context=translated.context)
    for domain, catalog in catalogs.items():
        for one in catalog:
            one.flags.clear()
        written = BytesIO()
        write_po(written, catalog, width=WIDTH, omit_header=True, include_lineno=False)
        path = FOLDER / code / f"{domain}.po"
        path.write_bytes(HEADER.format(code=code, plurals=catalog.plural_forms).encode() + written.getvalue().strip() + b"\n")


def compile_changed() -> None:
    for code in codes():
        target = FOLDER / code / "messages.mo"
        before = target.stat().st_mtime if target.exists() else 0
        if any(path.stat().st_mtime > before for path in target.parent.glob("*.po")):
            written = BytesIO()
            write_mo(written, whole(code))
            begun = target.with_suffix(".new")
            begun.write_bytes(written.getvalue())
            begun.replace(target)                       # whole or not at all, whenever this is stopped


# --- what is wrong with a translation -------------------------------------------------------------------------------------


def parts(template: str) -> tuple[set[str], set[str], int]:
    """The facts of a template, the forms that it asks of them, and how long it is without them."""
    found = list(Formatter().parse(template))
    return ({name for _, name, _, _ in found if name is not None}, {form or "" for _, name, form, _ in found if name is not None},
            sum(len(words) for words, *_ in found))


def marks(template: str) -> tuple[tuple[int, ...], list[str]]:
    return tuple(template.count(mark) % 2 for mark in MARKS), LINES.findall(template)


def forms_in(code: str) -> set[str]:
    """The forms that the lists of names of a language have, and those that follow from words alone."""
    return {form for path in (ROOT / "data").glob(f"*/names.{code}.json")
            for forms in json.loads(path.read_text(encoding="utf-8")).values() for form in forms} | PREPARED[code].follow


def faults(one: str, many: str, strings: Collection[str], *, plurals: int = 1, room: int = 0,
           forms: Collection[str] = ()) -> Iterator[str]:
    """What is wrong with the translation of a message, in a few words each."""
    if len(strings) != plurals or not all(strings):
        yield f"has {sum(map(bool, strings))} of {plurals} plural forms"
        return
    needed = parts(many or one)[0]
    for said in strings:
        try:
            facts, asked, long = parts(said)
        except ValueError:
            yield "has a brace too many or too few"
            continue
        if missing := needed - facts - ({"n"} if many else set()):
            yield f"lacks {', '.join(sorted(missing))}"
        if added := facts - needed - parts(one)[0]:
            yield f"has no fact {', '.join(sorted(added))}"
        if unknown := {form for form in asked if form not in WRITTEN_OUT and form not in forms and form.lower() not in forms}:
            yield f"asks for forms that no list has: {', '.join(sorted(unknown))}"
        if marks(said) not in (marks(one), marks(many or one)):
            yield "has other Markdown marks"
        if room and long > max(room, len(one)):
            yield f"is too long: {long} of {room} characters"


def standing(code: str) -> dict[str, list[tuple[Message, str]]]:
    """What is translated, missing, broken and too long in a language: each message with what is wrong with it."""
    found: dict[str, list[tuple[Message, str]]] = {"translated": [], "missing": [], "broken": [], "too_long": []}
    catalog = whole(code)
    contexts = {message.context for message in catalog if message.context}
    forms = forms_in(code) | contexts
    for message in extracted().values():
        found["translated" if catalog.get(message.id) else "missing"].append((message, ""))
        for context in (None, *contexts):
            if (said := catalog.get(message.id, context)) is None:
                continue
            for fault in faults(message.id, message.plural, in_forms(said.string),
                                plurals=catalog.num_plurals if message.plural else 1, room=message.room, forms=forms):
                told = f"in the form {context} {fault}" if context else fault
                found["too_long" if fault.startswith("is too long") else "broken"].append((message, told))
    return found


def main(arguments: Iterable[str]) -> None:
    wanted = list(arguments)
    if "compile" in wanted:
        compile_changed()
        return
    if "--json" not in wanted:
        for code in codes():
            merge(code)
        compile_changed()
    found = {code: standing(code) for code in codes()}
    if "--json" in wanted:
        print(json.dumps({"messages": len(extracted()), **{
            code: {key: len(listed) for key, listed in told.items()} for code, told in found.items()}}))
        return
    for domain in DOMAINS:
        listed = [message for message in extracted().values() if message.domain == domain]
        print(f"{domain}: {len(listed)} messages, {sum(len(message.id.split()) for message in listed)} words")
    for code, told in found.items():
        print(f"{code}: {', '.join(f'{len(listed)} {key}' for key, listed in told.items())}".replace("_", " "))
        for message, fault in (*told["missing"] * (len(told["missing"]) <= FEW), *told["broken"], *told["too_long"]):
            print(f"  {message.domain}.po {message.id!r} {fault or 'is missing'}")


if __name__ == "__main__":
    main(sys.argv[1:])
