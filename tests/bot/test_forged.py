"""Forged custom ids: whatever stands in them, every button, select and form answers in a calm sentence, without an incident."""
from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, get_args

import pytest
from simcord.backend import serializers
from simcord.enums import InteractionType

from bot.discord import components, lobby, orders
from bot.discord.components import LONGEST_INPUT, pressed
from bot.discord.game import buttons, lessons
from bot.discord.lengths import CUSTOM_ID
from tests.bot.discord_world import World, words
from tests.bot.test_buttons import written

HOSTILE = ("", " ", "x", "0", "-1", "1.5", "1e3", "+1", " 1", "1\n", "²", "٣", "None", "true", "0x1", "9" * 18, "9" * 30,
           str(2 ** 63 - 1), str(2 ** 63), "-" + "9" * 30, "seat_9", "end", "moderator", "all", "number", "DP-T2",
           "'; DROP TABLE log; --", "<@1>", "\u202e", "𝟙", "\x00")
REAL = {"seat": ("seat_1", "seat_2"), "key": ("pebbles", "board", "left"), "lesson": ("first",), "verb": ("take", "throw")}
OTHER = ("take", "throw", "left", "server", "me", "usual", "number", "1")         # facts that may be real
EACH = 2                    # hostile words at each place of a custom id
SHARES = 4                  # in which all of them are tried
OLD, OLD_FORM = (f"This {kind} is from an earlier version" for kind in ("button", "form"))
BROKEN = "Something went wrong"


def forged(rng: random.Random, known: components.Registered) -> Iterator[list[str]]:
    """Facts for a handler: some hostile words at each place, and real facts at the others."""
    names = list(inspect.signature(known.handler).parameters)[1:][:len(known.kinds)]
    for place in range(len(names)):
        for hostile in rng.sample(HOSTILE, EACH):
            facts = [str(rng.randint(1, 3)) if kind is components._number else rng.choice(REAL.get(name, OTHER))
                     for name, kind in zip(names, known.kinds)]
            if known.game is not None:
                facts[known.game] = "1"
            facts[place] = hostile.replace(":", "")
            yield facts


async def use(world: World, who: Any, custom_id: str, chosen: str | None = None) -> Any:
    """Press a button, or choose in a select, that no message has shown."""
    question = world.question("**Amber**")
    item: dict[str, Any] = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id}
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2}
    if chosen is not None:
        item = {"type": 3, "custom_id": custom_id, "options": [{"label": "x", "value": chosen}]}
        data |= {"component_type": 3, "values": [chosen]}
    kept = world.env.backend.messages[world.table.id][question.id]
    message = {**serializers.message_payload(world.env.backend, kept), "components": [{"type": 1, "components": [item]}]}
    return await who._dispatch_interaction(InteractionType.MESSAGE_COMPONENT, world.table, data, extra={"message": message},
                                           source_message_id=question.id)


async def send(world: World, who: Any, custom_id: str, *typed: str) -> Any:
    """Send a form that nobody was shown."""
    rows = [{"type": 1, "components": [{"type": 4, "custom_id": str(number), "value": value}]}
            for number, value in enumerate(typed)]
    return await who._dispatch_interaction(InteractionType.MODAL_SUBMIT, world.table,
                                           {"custom_id": custom_id, "components": rows})


def said(result: Any) -> str:
    """What came of it: a sentence, or the heading of a form that opened."""
    return str(result.modal) if result.modal else words(result)


async def begun(path: Path) -> World:
    """A game in which Alice is asked."""
    world = await World.made(path)
    await world.guessed()
    return world


@pytest.mark.parametrize("share", range(SHARES))
async def test_whatever_a_custom_id_holds_the_answer_is_calm(tmp_path: Path, share: int) -> None:
    """Of every registered button, select and form, used by a player and by the game master."""
    rng, world = random.Random(share), await begun(tmp_path / "games.db")
    try:
        for name in sorted(components._registered)[share::SHARES]:
            for number, (*front, last) in enumerate(forged(rng, components._registered[name])):
                if (await world.services.queries.game(1)).status != "running" or not any(       # real facts can end a game,
                        "**Amber**" in post for post in world.posts()):                         # or send a player away
                    await world.shutdown()
                    world = await begun(tmp_path / f"{name}-{number}.db")
                who, way = rng.choice((world.alice, world.olga)), ("press", "press", "choose", "form")[number % 4]
                if way == "press":
                    result = await use(world, who, ":".join([name, *front, last])[:CUSTOM_ID])
                elif way == "choose":
                    result = await use(world, who, ":".join([name, *front]), last or "x")
                else:
                    result = await send(world, who, ":".join([name, *front]), last)
                assert BROKEN not in said(result), f"{way}: {name} {front} {last!r}"
        assert world.services.session.incidents.files() == []
    finally:
        await world.shutdown()


async def test_a_word_where_a_number_belongs_is_answered_as_an_old_button(world: World) -> None:
    await world.guessed()
    numbered = {name: list(known.kinds) for name, known in components._registered.items() if components._number in known.kinds}
    assert len(numbered) > 70
    for (name, kinds), hostile in zip(sorted(numbered.items()), cycle(("x", "²", "9" * 30, "1.5", ""))):
        facts = ["1"] * len(kinds)
        facts[kinds.index(components._number)] = hostile
        assert words(await use(world, world.alice, ":".join([name, *facts]))).startswith(OLD), name


async def test_a_form_with_a_word_where_a_number_belongs_is_an_old_form(world: World) -> None:
    await world.guessed()
    assert words(await send(world, world.alice, "typed:x:seat_1:3:take", "2")).startswith(OLD_FORM)


async def test_what_is_far_too_long_is_refused_before_anybody_looks_at_it(world: World) -> None:
    await world.guessed()
    long, sentence = "[](" * 2000, f"That's too long. Type {LONGEST_INPUT} characters at most."
    assert words(await world.alice.slash(world.table, "game status", game=long)) == sentence
    assert words(await world.alice.slash(world.table, "game status", game=long[:LONGEST_INPUT])).startswith("There is no game ")
    assert await world.alice.autocomplete(world.table, "game status", "game", "1" * (LONGEST_INPUT + 1)) == []
    assert words(await send(world, world.alice, "typed:1:seat_1:2:", "9" * 5000)) == sentence
    assert words(await send(world, world.alice, "typed:1:seat_1:2:take", "9" * LONGEST_INPUT)).startswith("Type a whole number")


async def test_what_opens_a_form_cannot_be_sent_as_one(world: World) -> None:
    await world.guessed()
    assert words(await send(world, world.alice, "formclock", "1")).startswith(OLD_FORM)


def test_facts_are_words_numbers_or_one_of_a_few_words() -> None:
    async def handler(interaction: Any, game: float) -> None:
        """Takes what no custom id can say."""
    with pytest.raises(AssertionError, match="no kind of fact"):
        pressed("float")(handler)
    assert "float" not in components._registered


def test_a_name_leads_to_one_handler() -> None:
    async def handler(interaction: Any, game: int) -> None:
        """Would take the place of another."""
    with pytest.raises(AssertionError, match="teach has a handler already"):
        pressed("teach")(handler)
    assert components._registered["teach"].handler is not handler


def test_whatever_a_panel_declares_has_a_handler_with_these_facts() -> None:
    declared: list[Any] = [route for module in (buttons, lobby.buttons, orders.buttons) for route in vars(module).values()
                if isinstance(route, components.Route)]
    assert len(declared) >= 16
    for route in declared:
        kinds, known = list(get_args(route.__orig_class__)), components._registered[route.name]
        if known.more:                      # the fields of a form, as many as come
            assert "tuple[str, ...]" in str(kinds.pop())
        assert [*map(written, known.kinds)] == [written(components._kind(kind)) for kind in kinds], route.name


def test_every_handler_of_the_bot_is_tried() -> None:
    handlers = [known.handler for known in components._registered.values()]
    assert len(handlers) > 80 and lessons.on_teach.name in components._registered
