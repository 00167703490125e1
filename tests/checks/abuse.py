"""The worst that people can hand in, to every command, form and button: for how long does it keep the event loop from all others?

A whole bot on a simulated Discord is given words, numbers, files and custom ids that are made to be slow: long ones, words that
are nearly right, marks that a search goes back for, packs with thousands of faults, records that nobody has written. Of all that,
the longest turn of the event loop counts; what seems too long is tried again, so that a busy machine is not taken for a slow bot.
"""
from __future__ import annotations

import asyncio
import gc
import json
import logging
import random
import string
import tempfile
from asyncio.events import Handle
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import Context, copy_context
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias
from unittest.mock import patch

import simcord
from discord import AppCommandOptionType, app_commands
from simcord.enums import InteractionType
from tqdm import tqdm

from bench.stored import endless, played, settled
from bot.discord import components
from bot.discord.lengths import CUSTOM_ID
from bot.discord.pictures import favour_the_loop
from engine import catalog
from engine.components import components as components_of
from engine.kernel import GameSpec
from engine.refusals import Faulty, Refusal
from engine.rulebook import rules
from engine.selfplay import random_answer
from engine.text import verbatim
from tests.bot.discord_world import World
from tests.checks.changed_interactions import blank

MOST = 100.0                # milliseconds that one turn of the loop may take
TRIES = 3                   # of what takes longer; the shortest counts
ROWS = 300                  # of the game that is attacked
RUNNING, OVER, OPEN = 1, 2, 3           # the games: one under way, one that is over, one that waits for members
LONG, WHOLE = 1000, 6000    # characters: as many as the bot looks at, and as many as Discord lets through
ID = 80                     # characters of one fact of a custom id
SHORT = ("one letter", "links in links", "numbers", "unknown words")        # what a custom id is filled with
PACK, RECORD = 250_000, 4_000_000       # bytes of the files
WIDE, FEW = 1000, 20        # the largest number of a data pack, and of those that a game bounds more closely
ANSWERS = 60                # in the game that is played with such numbers

Step: TypeAlias = Callable[[], Awaitable[Any]]


class Watch:
    """The longest turn of the event loop since it was last asked. What `mine` does, those who hand things in, does not count."""

    def __init__(self, mine: Context) -> None:
        self._mine, self._longest = mine, 0.0

    @contextmanager
    def looking(self) -> Iterator[Watch]:
        """Look at every turn while the block lasts."""
        real = Handle._run

        def timed(handle: Any) -> None:
            start = perf_counter()
            real(handle)
            if handle._context is not self._mine:
                self._longest = max(self._longest, perf_counter() - start)

        with patch.object(Handle, "_run", timed):
            yield self

    def longest(self) -> float:
        """In milliseconds; from now on the next ones count."""
        longest, self._longest = 1000 * self._longest, 0.0
        return longest


# --- what is handed in -------------------------------------------------------------------------------------------

def words(spec: GameSpec, length: int) -> dict[str, str]:
    """Texts of a length, by what is bad about them."""
    rng = random.Random(0)
    words = (word for rule in rules(spec.key) for word in rule.text.lower().split())
    known = [word for word in words if len(word) > 4 and word.isalpha()]
    nearly = ["".join(rng.sample(word, len(word))) for word in rng.sample(known, min(len(known), 2000))]
    unknown = [f"{letter}qzx{number}" for number, letter in enumerate(string.ascii_lowercase * 40)]
    return {name: (one * (length // len(one) + 1))[:length] for name, one in {
        "one letter": "x", "digits": "9", "blanks": " ", "links in links": "[](", "brackets": "[",
        "marks on marks": "e" + "\u0301" * 9, "backwards": "\u202ex", "braces": "{x}", "quotation marks": "'\"",
        "equations": "a.b=1,", "numbers": "1.", "colons": "a:", "mentions": "<@1> @everyone ", "stars": "*_",
        "unknown words": " ".join(unknown), "anagrams": " ".join(nearly) or "nothing"}.items()}


NUMBERS = (0, 1, -1, 10 ** 6, 2 ** 53 - 1, 1 - 2 ** 53)


def packs(spec: GameSpec) -> dict[str, bytes]:
    """Data packs, by what is bad about them."""
    edition = endless(spec).edition
    raw = components_of(spec, edition).raw
    name, listed = max(((name, body) for name, body in raw.items() if isinstance(body, list)
                        and body and isinstance(body[0], dict) and "id" in body[0]), key=lambda one: len(one[1]))
    rng = random.Random(0)
    ids = [record["id"] for record in listed]
    nearly = ["".join(rng.sample(id, len(id))) for id in (rng.choice(ids) for _ in range(PACK // 26))]
    same = [{"id": ids[0], "provenance_fields": {f"k{n}": n}} for n in range(PACK // 50)]
    bad: dict[str, dict[str, Any]] = {
        "anagrams of ids": {name: [{"id": id} for id in nearly]},
        "anagrams of fields": {name: [{"id": ids[0], **{f"{id[:9]}{n}": 1 for n, id in enumerate(nearly[:9000])}}]},
        "unknown lists": {f"{name[::-1]}{n}": [] for n in range(PACK // 30)},
        "the same record": {name: same},
        "a long field": {name: [{"id": id, "name": "x" * (PACK // len(ids) - 50)} for id in ids]},
        "long lists": {name: [{"id": id, "adjacent": ids * 9, "areas": ids * 9, "provenance": ids} for id in ids[:80]]},
        "wrong types": {name: [{"id": id, **dict.fromkeys(listed[0], [{"x": [1] * 9}] * 9)} for id in ids[:100]]},
        "words for values": {name: [{"id": id, **dict.fromkeys([field for field in listed[0] if field != "id"], "[](" * 90)}
                                    for id in ids[:90]]},
        "wide numbers": json.loads(wide(spec.key, edition))}
    return {**{name: json.dumps({**pack, "edition": edition, "game": spec.key}).encode()[:PACK] for name, pack in bad.items()},
            "depth": b"[" * PACK, "depth that ends": b'{"note": ' + b"[" * 900 + b"]" * 900 + b"}",
            "digits": b'{"note": ' + b"9" * 4000 + b"}", "many digits": b'{"note": [' + b",".join([b"9" * 4000] * 60) + b"]}",
            "no text": bytes(range(256)) * (PACK // 256), "escapes": b'{"note": "' + b"\\ud800" * (PACK // 7) + b'"}'}


@cache
def wide(game: str, edition: str) -> str:
    """A pack with every number as large as can be, as far as the game takes it."""
    spec, found = next(spec for spec in catalog.GAMES if spec.key == game), dict[str, Any]()
    for name, body in components_of(spec, edition).raw.items():
        listed = [record for record in (body if isinstance(body, list) else []) if isinstance(record, dict)]
        for field in dict.fromkeys(field for record in listed for field, value in record.items() if _widened(value) != value):
            for most in (WIDE, FEW):
                more = [{**known, field: _widened(record[field], most)} if field in record else known
                        for known, record in zip(found.get(name) or map(_key, listed), listed)]
                if _fits(spec, edition, {**found, name: more}):
                    found[name] = more
                    break
    return json.dumps(found)


def _key(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in ("id", "players", "face", "key") if key in record}


def _widened(value: Any, most: int = WIDE) -> Any:
    """A value with all numbers in it as large as can be."""
    if isinstance(value, dict):
        return {key: _widened(inner, most) for key, inner in value.items()}
    return most if type(value) is int else value


def _fits(spec: GameSpec, edition: str, pack: Mapping[str, Any]) -> bool:
    try:
        components_of(spec, edition, json.dumps(pack))
    except Faulty:
        return False
    return True


def records(record: str) -> dict[str, bytes]:
    """Records of a game, by what is bad about them; the last is a good one."""
    first, rest = record.split("\n", 1)
    return {"many lines": b"{}\n" * (RECORD // 3), "one line": b'{"x": "' + b"x" * RECORD, "no line": b"x" * RECORD,
            "depth": b"[" * RECORD, "twice": (record + record).encode()[:RECORD], "cut off": record[:-9].encode(),
            "other secret": (first.replace('"secret":"', '"secret":"AA') + "\n" + rest).encode(), "none": record.encode()}


# --- who hands it in ---------------------------------------------------------------------------------------------

class Assault:
    """A club with games, and all that can be done to it."""

    def __init__(self, world: World, spec: GameSpec) -> None:
        self.world, self.spec, self.record = world, spec, ""
        self.texts = words(spec, LONG)
        self.whole = {name: text for name, text in words(spec, WHOLE).items() if name in ("links in links", "anagrams")}

    async def prepare(self, rows: int) -> None:
        """A long game under way, a finished one, and one that waits for members."""
        world, services, spec, rng = self.world, self.world.services, self.spec, random.Random(0)
        people = [world.alice, world.bob, world.carol, world.olga, world.max]
        world.mute()
        for number, seats in ((RUNNING, min(spec.seats[-1], len(people))), (OVER, spec.seats[0]), (OPEN, spec.seats[-1])):
            edition = next(one.key for one in spec.editions if one.available) if number == OVER else endless(spec).edition
            await services.lobby.open(key=spec.key, edition=edition, seats=seats, options={}, pack=None, title=f"Game {number}",
                            guild=world.guild.id, channel=world.table.id, owner=world.olga.id)
            for person in people[:seats] if number != OPEN else people[:1]:
                await services.lobby.join(number, person.id)
            if number != OPEN:
                await services.lobby.start(number, world.olga.id)
        await played(services, RUNNING, rows, rng)
        users = {holder.seat: holder.user or 0 for holder in await services.queries.holders(OVER)}
        while not (table := await services.session.table(OVER)).over:
            asked = table.waiting()[0]
            await services.answers.answer(OVER, users[asked.seat], random_answer(table.options(asked.seat), rng.randrange))
        self.record = await services.records.export(OVER)
        await settled(services)
        del world.bot.outbox.wake
        services.session.store.on_news = world.bot.outbox.wake

    def steps(self) -> Iterator[tuple[str, Step]]:
        """All of it: commands and their suggestions, then files, forms and buttons, which can end a game."""
        for command in self.world.bot.tree.walk_commands():
            if not isinstance(command, app_commands.Group):
                yield from self._typed(command)
        yield from self._handed()
        for key, values in self.spec.rules.choices.items():
            yield f"the option {key}", self._press(f"optvalue:{OPEN}:{key}:{values[-1]}", self.world.olga)
        for name, known in sorted(components._registered.items()):
            yield from self._pressed(name, known)

    def _who(self, command: str) -> Any:
        return self.world.max if command.startswith(("gm", "chancery")) else self.world.alice

    def _typed(self, command: app_commands.Command[Any, ..., Any]) -> Iterator[tuple[str, Step]]:
        """Each option of a command filled with each of the words or numbers."""
        name, who = command.qualified_name, self._who(command.qualified_name)
        needed = {one.display_name: self._usual(one) for one in command.parameters
                  if one.required or one.display_name == "game"}
        if None in needed.values():
            return
        for game in (RUNNING, OVER, OPEN) if "game" in needed else (RUNNING,):
            given = {**needed, "game": str(game)} if "game" in needed else needed
            yield f"/{name} game: {game}", self._slash(who, name, given)
        for option in command.parameters:
            shown = option.display_name
            for what, value in self._values(option):
                if option.autocomplete:
                    yield f"suggestions for {shown} of /{name}, {what}", self._suggesting(who, name, shown, value, needed)
                yield f"/{name} {shown}: {what}", self._slash(who, name, {**needed, shown: value})

    def _values(self, option: app_commands.Parameter) -> Iterator[tuple[str, Any]]:
        if option.choices:
            return
        if option.type is AppCommandOptionType.string:
            texts = self.texts if option.display_name != "game" else {"links in links": self.texts["links in links"]}
            yield from texts.items()
            if option.display_name != "game":
                yield from ((f"whole {name}", text) for name, text in self.whole.items())
        elif option.type is AppCommandOptionType.integer:
            yield from ((str(number), number) for number in NUMBERS)

    def _usual(self, option: app_commands.Parameter) -> Any:
        """A value that can be meant; None: there is none for this kind of option."""
        kinds = AppCommandOptionType
        return str(RUNNING) if option.display_name == "game" else option.choices[0].value if option.choices else {
            kinds.string: "x", kinds.integer: max(1, int(option.min_value or 1)), kinds.boolean: True,
            kinds.user: self.world.bob, kinds.channel: self.world.elsewhere}.get(option.type)

    def _slash(self, who: Any, name: str, given: Mapping[str, Any]) -> Step:
        return lambda: who.slash(self.world.table, name, **given)

    def _suggesting(self, who: Any, name: str, option: str, value: Any, given: Mapping[str, Any]) -> Step:
        besides = {key: one for key, one in given.items() if key != option and isinstance(one, str | int)}
        return lambda: who.autocomplete(self.world.table, name, option, value, **besides)

    def _handed(self) -> Iterator[tuple[str, Step]]:
        """Every file."""
        world = self.world
        for what, pack in packs(self.spec).items():
            yield f"/game open data: {what}", self._slash(world.alice, "game open", {
                "game": self.spec.key, "seats": self.spec.seats[-1], "data": ("pack.json", pack)})
        yield "a game by a pack of wide numbers", lambda: asyncio.create_task(self._by_pack(), context=copy_context())
        for what, record in records(self.record).items():
            yield f"/gm import record: {what}", self._slash(world.max, "gm import", {"record": ("record.jsonl", record)})

    async def _by_pack(self) -> None:
        """Play a game whose numbers are as large as can be for a while, and look at it."""
        services, rng, edition = self.world.services, random.Random(0), endless(self.spec).edition
        people = (self.world.alice, self.world.bob, self.world.carol, self.world.olga, self.world.max)[:self.spec.seats[-1]]
        game = await services.lobby.open(key=self.spec.key, edition=edition, seats=len(people), options={}, title="",
                                         owner=people[0].id,
                               pack=wide(self.spec.key, edition), guild=self.world.guild.id, channel=self.world.table.id)
        for person in people:
            await services.lobby.join(game.id, person.id)
        await services.lobby.start(game.id, self.world.alice.id)
        users = {holder.seat: holder.user or 0 for holder in await services.queries.holders(game.id)}
        for number in range(ANSWERS):
            asked = (await services.session.table(game.id)).waiting()[0]
            table = await services.session.table(game.id)
            await services.answers.answer(game.id, users[asked.seat], random_answer(table.options(asked.seat), rng.randrange))
            if number % 10 == 0:
                await self.world.alice.slash(self.world.table, "my move", game=str(game.id))

    def _pressed(self, name: str, known: components.Registered) -> Iterator[tuple[str, Step]]:
        """A button, a select and a form of this name, with the words in each of the facts that can be words."""
        facts = ["1" if kind is components._number else "seat_1" for kind in known.kinds]
        places = [place for place, kind in enumerate(known.kinds) if kind is str]
        for what, text in self.texts.items():
            for place in places if what in SHORT else ():
                filled = [text[:ID // len(facts)].replace(":", " ") if here == place else fact for here, fact in enumerate(facts)]
                yield f"a press of {name}, {what}", self._press(":".join([name, *filled]))
            if places and not known.opens and places[-1] == len(facts) - 1:
                yield f"the form {name}, {what}", self._form(":".join([name, *facts[:-1]]), text)

    def _press(self, custom_id: str, who: Any = None) -> Step:
        item: dict[str, Any] = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id[:CUSTOM_ID]}
        data: dict[str, Any] = {"custom_id": item["custom_id"], "component_type": 2}
        return lambda: self._send(InteractionType.MESSAGE_COMPONENT, data, item, who)

    def _form(self, custom_id: str, text: str) -> Step:
        row = {"type": 1, "components": [{"type": 4, "custom_id": "0", "value": text}]}
        return lambda: self._send(InteractionType.MODAL_SUBMIT, {"custom_id": custom_id, "components": [row]})

    async def _send(self, kind: InteractionType, data: dict[str, Any], item: dict[str, Any] | None = None,
                    who: Any = None) -> Any:
        world, extra = self.world, dict[str, Any]()
        if item is not None:
            shown = world.table.history()[-1]
            kept = world.env.backend.messages[world.table.id][shown.id]
            extra = {"extra": {"message": {**simcord.backend.serializers.message_payload(world.env.backend, kept),
                                           "components": [{"type": 1, "components": [item]}]}}, "source_message_id": shown.id}
        return await (who or world.alice)._dispatch_interaction(kind, world.table, data, **extra)


# --- how long it took --------------------------------------------------------------------------------------------

def measure(game: str | None = None, rows: int = ROWS) -> Mapping[str, Any]:
    """For how long the worst inputs of every command, file, form and button keep the event loop busy."""
    specs = [spec for spec in catalog.GAMES if game in (None, spec.key)]
    if not specs:
        raise Faulty("There is no game {key}; there are: {games}.", key=verbatim(game or ""),
                     games=tuple(verbatim(spec.key) for spec in catalog.GAMES))
    logging.disable(logging.CRITICAL)
    favour_the_loop()
    took: dict[str, float] = {}
    for spec in specs:
        mine = copy_context()
        with asyncio.Runner() as runner:
            took |= runner.run(_attacked(spec, rows, mine), context=mine)
    ranked = sorted(took, key=lambda name: -took[name])
    return {"tried": len(took), "worst": ranked[0], "worst_loop_ms": round(took[ranked[0]], 1),
            "too_long": sum(longest > MOST for longest in took.values()),
            "next": [f"{name}: {took[name]:.0f} ms" for name in ranked[1:6]]}


async def _attacked(spec: GameSpec, rows: int, mine: Context) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        world = await World.made(Path(folder) / "chancery.db", (spec,), blank)
        try:
            assault = Assault(world, spec)
            await assault.prepare(rows)
            gc.freeze()
            return await timed(list(assault.steps()), Watch(mine), spec.name)
        finally:
            await world.shutdown()


async def timed(steps: Sequence[tuple[str, Step]], watch: Watch, title: str = "") -> dict[str, float]:
    """The longest turn of the event loop while each step is done, in milliseconds. `watch` counts what is not the caller's."""
    took: dict[str, float] = {}
    with watch.looking():
        for name, step in tqdm(steps, desc=title, unit="step", disable=not title):
            shortest = float("inf")
            for _ in range(TRIES):
                watch.longest()
                try:
                    await step()
                except (simcord.SetupError, Refusal):       # Discord itself does not let anybody send that
                    pass
                shortest = min(shortest, watch.longest())
                if shortest <= MOST / 2:
                    break
            key = f"{title}: {name}" if title else name
            took[key] = max(shortest, took.get(key, 0.0))
    return took
