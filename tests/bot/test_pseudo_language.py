"""The bot in a language that is made on the fly from the English: what is left in plain English cannot be translated yet."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.selfplay import random_answer
from engine.text.languages import ENGLISH
from tests.bot.discord_world import World
from tests.bot.test_whole_game import sketch
from tools import texts

ACCENTS = str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀćďéƒǵĥíĵķĺḿńóṕɋŕśťúṽẃẋýź"
                        "ÁƁĆĎÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼẂẊÝŹ")
KEPT = re.compile(r"(\{[^}]*\}|`[^`]*`|<[^>]*>|https?://\S+)")         # facts, commands, marks of Discord
LONGER = 0.4                # as translations can be
SAID = {"content", "label", "description", "placeholder", "title"}     # fields of requests that people read
CODES = re.compile(r"`[^`]*`|<[^>]*>|https?://\S+|/\w+|\b[A-Z]+-\d[\d.]*|\b\w+=\w+")       # what nobody translates
NAMED = re.compile("|".join(re.escape(spec.name) for spec in GAMES))
DATE = re.compile(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d\d? [A-Z][a-z]{2}\b")             # how Babel writes one
WORD = re.compile(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])")
NAMES = {                   # of people and places; and how Babel lists things
    "olga", "alice", "bob", "carol", "max", "Club", "table", "UTC", "and"}
ANSWERS = 14                # of a game
OPENED = (
    "game status", "game history", "game list", "game check", "game map", "game text", "game legal", "game recap", "game teach",
    "game help", "game provenance", "table seats", "table ranking", "table results", "table chronicle", "my games", "my notes",
    "my undo", "my away", "my standin", "my since", "my hint", "my rehearse", "my data", "talk read", "orders list", "orders add",
    "orders turn", "orders prepare", "clock show", "clock extend", "settings")


LATER = re.compile(r"> started the game\.$", re.MULTILINE)         # what the audit has stored
# Templates that are put together while the bot runs, and so are in no file of messages.
UNKNOWN = re.compile(r"IS-[\d., ]+|\d (DP|EP|MP)")


def pseudo(english: str) -> str:
    parts = [part if KEPT.fullmatch(part) else part.translate(ACCENTS) for part in KEPT.split(english)]
    return "".join(parts) + "~" * round(LONGER * len(english))


class Pseudo(NullTranslations):
    """Knows the messages of the files alone, and notes for what else it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.known = {message.id if isinstance(message.id, str) else message.id[0] for message in texts.whole("de")}
        self.unknown = set[str]()

    def gettext(self, message: str) -> str:
        if message in self.known:
            return pseudo(message)
        if WORD.search(KEPT.sub("", message)) and not UNKNOWN.fullmatch(message):
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


async def play(world: World, spec: GameSpec) -> None:
    """A few turns, with what people open beside them."""
    seats = spec.seats[0]
    await world.olga.slash(world.table, "game open", game=spec.key, edition=spec.editions[0].key, seats=seats)
    for player in (world.alice, world.bob)[:seats]:
        await player.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    rng, people = random.Random(3), {world.alice.id: world.alice, world.bob.id: world.bob}
    for _ in range(ANSWERS):
        waiting = (await world.services.queries.waiting(1))[0]
        await people[waiting.user].slash(world.table, "my move")
        listed = (await world.services.session.table(1)).options(waiting.seat)
        await world.services.answers.answer(1, waiting.user, random_answer(listed, rng.randrange))
        await world.env.settle()
    for command in OPENED:
        await world.alice.slash(world.table, command)
    for command in ("game open", "gm seats", "gm audit", "gm clock", "gm answer", "gm guests", "settings"):
        await world.olga.slash(world.table, command)
    await world.alice.slash(world.table, "game rules", wanted="setup")
    await world.olga.slash(world.table, "gm rollback", row=3)


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
async def test_whatever_is_sent_can_be_translated(tmp_path: Path, spec: GameSpec, catalog: Pseudo) -> None:
    async with World.at(tmp_path / "games.db", GAMES, draw=sketch) as world:
        sent, carry = set[str](), world.line.carry

        def noted(method: str, path: str, said: Any, *rest: Any, **more: Any) -> Any:
            sent.update(read(said))
            return carry(method, path, said, *rest, **more)

        world.line.carry = noted
        await play(world, spec)
    assert catalog.unknown == set(), "said, and not extracted"
    plain = {words: DATE.sub("", CODES.sub("", NAMED.sub("", LATER.sub("", words)))) for words in sent}
    found = {word: words for words, said in plain.items() for word in WORD.findall(said) if word not in NAMES}
    assert len(sent) > 50 and found == {}


def test_the_pseudo_language_keeps_facts_and_is_longer() -> None:
    assert pseudo("{seat} takes `/my move`.") == "{seat} ťáķéś `/my move`." + "~" * 10
