"""Tables of speakers of English and of the three newest languages: all read their own language, everybody that of the server.

English is a language here that is made on the fly from it, 40 % longer: what is left in plain English cannot be translated.
"""
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.selfplay import random_answer
from engine.text.languages import ENGLISH, FINISHED, PREPARED
from tests.bot.discord_world import World
from tests.bot.test_whole_game import sketch
from tools import texts

ACCENTS = str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀćďéƒǵĥíĵķĺḿńóṕɋŕśťúṽẃẋýź"
                        "ÁƁĆĎÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼẂẊÝŹ")
KEPT = re.compile(r"(\{[^}]*\}|`[^`]*`|<[^>]*>|https?://\S+)")         # facts, commands, marks of Discord
LONGER = 0.4                # as translations can be
SAID = {"content", "label", "description", "placeholder", "title"}     # fields of requests that people read
EPHEMERAL, CHOICES = 64, 8  # Discord's flag of what one member sees, and its number of the answer to somebody who types
NAMED = "|".join(re.escape(spec.name) for spec in GAMES)
# What nobody translates.
CODES = re.compile(rf"{NAMED}|`[^`]*`|<[^>]*>|https?://\S+|/\w[\w ]*|\b[A-Z]+-\d[\d.]*|\b\w+=\S+|\b\w+:")
DATE = re.compile(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d\d? [A-Z][a-z]{2}\b")             # how Babel writes one
LATIN = re.compile(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])")
PEOPLE = {"olga", "alice", "bob", "carol", "max", "Club", "table"}
KEPT_WORDS = {"UTC", "TRP", "EP", "DP", "MP", "CP", "Deluxe", "Discord", "ID", "II", "III", "and"}    # Babel lists with "and"
ENGLISH_WORDS = {"the", "you", "your", "of", "to", "is", "are", "it", "its", "for", "with", "from", "takes", "nothing", "nobody"}
SCRIPTS = {"ru": re.compile("[а-яё]", re.IGNORECASE), "he": re.compile("[א-ת]"), "en": re.compile("[ćďĺńŕśťƀ-ɏḀ-ỿ]")}
OWN_NAMES = {language.own_name for language in PREPARED.values()}
ANSWERS = 20                # of a game
OPENED = (
    "game status", "game history", "game list", "game check", "game map", "game text", "game legal", "game recap", "game teach",
    "game help", "game provenance", "table seats", "table ranking", "table results", "table chronicle", "my games", "my notes",
    "my undo", "my away", "my standin", "my since", "my hint", "my rehearse", "my data", "talk read", "orders list", "orders add",
    "orders turn", "orders prepare", "clock show", "clock extend", "settings")
AUDITED = re.compile(r"> started the game\.$", re.MULTILINE)        # what the audit has stored, which stays in English
# What is put together while the bot runs, and so is in no file of messages; ids are said in the text of exceptions alone.
UNKNOWN = re.compile(r"IS-[\d., ]+|\d (DP|EP|MP)|[a-z_]+")


def pseudo(english: str) -> str:
    parts = [part if KEPT.fullmatch(part) else part.translate(ACCENTS) for part in KEPT.split(english)]
    return "".join(parts) + "~" * round(LONGER * len(english))


class Pseudo(NullTranslations):
    """Knows the messages of the files alone, and notes for what else it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.known = {message.id if isinstance(message.id, str) else message.id[0] for domain in texts.DOMAINS
                      for message in texts.read("de", domain)}
        self.unknown = set[str]()

    def gettext(self, message: str) -> str:
        if message in self.known:
            return pseudo(message)
        if LATIN.search(KEPT.sub("", message)) and not UNKNOWN.fullmatch(message):
            self.unknown.add(message)
        return message

    def ngettext(self, one: str, many: str, n: int) -> str:
        self.gettext(one)
        return pseudo(one if n == 1 else many) if one in self.known else one if n == 1 else many

    def pgettext(self, context: str, message: str) -> str:
        return message

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        return one if n == 1 else many


@pytest.fixture
def catalog() -> Iterator[Pseudo]:
    """English becomes the pseudo-language, for everybody who reads it."""
    before, made = {"messages": ENGLISH.messages, "forms": ENGLISH.forms}, Pseudo()
    forms = {name: {form: pseudo(said) for form, said in known.items()} for name, known in ENGLISH.forms.items()}
    vars(ENGLISH).update(messages=made, forms=forms)
    yield made
    vars(ENGLISH).update(before)


def read(body: Any) -> Iterator[str]:
    """What people read in a request."""
    if isinstance(body, dict):
        for key, value in body.items():
            if isinstance(value, str) and key in SAID:
                yield value
            else:
                yield from read(value)
    elif isinstance(body, list | tuple):
        for value in body:
            yield from read(value)


def foreign(words: str, code: str) -> set[str]:
    """What doesn't belong into words of a language: English words, and letters of others."""
    plain = DATE.sub("", CODES.sub("", AUDITED.sub("", words)))
    for name in OWN_NAMES:
        plain = plain.replace(name, "")
    latin = {word for word in LATIN.findall(plain) if word not in PEOPLE | KEPT_WORDS}
    found = {word for word in latin if word.casefold() in ENGLISH_WORDS} if code not in SCRIPTS else latin
    return found | {f"letters of {other}" for other, script in SCRIPTS.items() if other != code and script.search(plain)}


@dataclass
class Overheard:
    """All that is sent, by the language in which its readers read it."""

    speaks: dict[int, str] = field(default_factory=dict)        # members, by their number
    presser: int = 0
    found: dict[str, set[str]] = field(default_factory=lambda: {code: set() for code in FINISHED})
    direct: dict[str, int] = field(default_factory=dict)        # channels with one member
    private: dict[str, str] = field(default_factory=dict)       # interactions whose answers one member sees, with the language

    def note(self, path: str, body: Any) -> None:
        first, number, *rest = path.strip("/").split("/")
        data = body.get("data", body) if isinstance(body, dict) else {}
        code = ""
        if first == "channels":
            code = self.speaks.get(self.direct.get(number, 0), "en")
        elif first in ("interactions", "webhooks") and self.presser:
            if body.get("type") == CHOICES or (data.get("flags") or 0) & EPHEMERAL:
                self.private.setdefault(rest[0], self.speaks[self.presser])
            code = self.private.get(rest[0], "en")
        if code:
            self.found[code].update(read(body))
            self.found[code].update(choice["name"] for choice in data.get("choices") or ())


async def play(world: World, spec: GameSpec, heard: Overheard) -> None:
    """A few turns, with what people open beside them."""
    seats = min(4, spec.seats.stop - 1)
    people = {member.id: member for member in (world.alice, world.bob, world.carol, world.olga)}
    for member, code in zip(people.values(), (*FINISHED[:0:-1][:3], ENGLISH.code)):
        heard.speaks[member.id] = code
        if code != ENGLISH.code:
            await world.services.settings.set_language(member.id, code)

    async def does(member: Any, command: str, **given: Any) -> None:
        heard.presser = member.id
        await member.slash(world.table, command, **given)
        heard.presser = 0

    await does(world.olga, "game open", game=spec.key, edition=spec.editions[0].key, seats=seats)
    for player in [*people.values()][:seats]:
        await does(player, "game join")
    await does(world.olga, "game start")
    rng = random.Random(3)
    for _ in range(ANSWERS):
        waiting = (await world.services.queries.waiting(1))[0]
        await does(people[waiting.user], "my move")
        listed = (await world.services.session.table(1)).options(waiting.seat)
        await world.services.answers.answer(1, waiting.user, random_answer(listed, rng.randrange))
        await world.env.settle()
    for command in OPENED:
        for member in people.values():
            await does(member, command)
    for command in ("game open", "gm seats", "gm audit", "gm clock", "gm answer", "gm guests", "settings"):
        await does(world.olga, command)
    for member in people.values():
        await does(member, "game rules", wanted="setup")
    await does(world.olga, "gm rollback", row=3)


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
async def test_all_read_their_own_language_and_everybody_that_of_the_server(
        tmp_path: Path, spec: GameSpec, catalog: Pseudo) -> None:
    async with World.at(tmp_path / "games.db", GAMES, draw=sketch) as world:
        heard, carry = Overheard(), world.line.carry

        def noted(method: str, path: str, said: Any, *rest: Any, **more: Any) -> Any:
            heard.note(path, said)
            answer = carry(method, path, said, *rest, **more)
            if path == "/users/@me/channels":
                heard.direct[str(answer["id"])] = int(said["recipient_id"])
            return answer

        world.line.carry = noted
        await play(world, spec, heard)
    assert catalog.unknown == set(), "said, and in no file of messages: `make texts`"
    assert [code for code in heard.speaks.values() if len(heard.found[code]) < 50] == []
    wrong = {code: {words: strange for words in heard.found[code] if (strange := foreign(words, code))} for code in heard.found}
    assert not any(wrong.values()), "\n".join(f"{code} {strange} in {words!r}" for code, sent in wrong.items()
                                              for words, strange in sent.items())


def test_the_pseudo_language_keeps_facts_and_is_longer() -> None:
    assert pseudo("{seat} takes `/my move`.") == "{seat} ťáķéś `/my move`." + "~" * 10
