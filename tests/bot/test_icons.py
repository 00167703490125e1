"""The signs of powers and nouns among words: uploaded once, shown before what they stand for, and nowhere if there are none."""
from __future__ import annotations

import base64
from collections.abc import Mapping
from io import BytesIO
from json import dumps
from typing import Any

import pytest
from PIL import Image

from bot.discord.icons import NAMED, Icons, emblems
from bot.domain.signs import noun_patterns, signed
from engine.catalog import GAMES
from engine.components import components
from engine.text import Reader, count, text
from tests.bot.discord_world import World, words
from tests.bot.payloads import problems
from tests.bot.test_languages import spoken

AMBER, BASALT, PEBBLE = b"\x89PNG\r\n\x1a\namber", b"\x89PNG\r\n\x1a\nbasalt", b"\x89PNG\r\n\x1a\npebble"
SIGNS = {"army": "<:a:1>", "die": "<:d:2>", "silk": "<:s:3>"}
NAMES = {"silk": "Silk", "road": "Silk Road"}
NOUNS = noun_patterns({"army": (count(1, "{n} army", "{n} armies"), text("an army")), "die": (text("dice {a}−{b}"),),
                       "silk": ("silk", "unknown")}, Reader(NAMES))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_every_power_and_noun_of_every_game_has_a_sign_of_its_own(spec: Any) -> None:
    shown, parts = emblems(spec.key), components(spec, spec.editions[0].key).parts
    names, nouns = spec.words.names(parts), spec.words.signs(parts)
    powers = shown.keys() - nouns.keys()
    assert len(powers) == spec.seats[-1] and all(power in names for power in powers)
    assert nouns.keys() <= shown.keys() and len({*shown.values()}) == len(shown)
    assert all(fact in names for facts in nouns.values() for fact in facts if isinstance(fact, str))
    for sign, file in shown.items():
        image = Image.open(BytesIO(file))
        assert (image.size, image.mode, image.getpixel((0, 0))) == ((96, 96), "RGBA", (0, 0, 0, 0)), sign
        assert len(file) < 20_000


@pytest.mark.parametrize("game, said, shown", [
    ("struggle_of_empires", "Russia loses an army in Africa.", "Russia loses :army: an army in Africa."),
    ("struggle_of_empires", "France: 2 navies + dice 6−4 = **4**", "France: :navy: 2 navies + :die: dice 6−4 = **4**"),
    ("struggle_of_empires", "Spain buys Army Training (2 gold).", "Spain buys Army Training (2 gold)."),
    ("attack", "1 tank and 2 aircraft carriers", ":tank: 1 tank and :aircraft_carrier: 2 aircraft carriers"),
    ("attack", "Green draws an economic card: Oil 3.", "Green draws :card: an economic card: :oil: Oil 3."),
    ("imperial_struggle", "France uses Merchant Banks. Sugar: 2.", "France uses :card: Merchant Banks. :sugar: Sugar: 2."),
    ("imperial_struggle", "In the First Carnatic War", "In the First Carnatic War"),
    ("imperial_struggle", "It draws 2 events, builds a squadron.", "It draws :card: 2 events, builds :squadron: a squadron.")])
def test_each_game_names_the_nouns_that_have_a_sign(game: str, said: str, shown: str) -> None:
    spec = next(spec for spec in GAMES if spec.key == game)
    parts = components(spec, spec.editions[0].key).parts
    nouns = spec.words.signs(parts)
    assert signed(said, {}, noun_patterns(nouns, Reader(spec.words.names(parts))), {noun: f":{noun}:" for noun in nouns}) == shown


@pytest.mark.parametrize("said, shown", [
    ("**2 armies**, 1 army", "**<:a:1> 2 armies**, <:a:1> 1 army"),
    ("You need an army.", "You need <:a:1> an army."),
    ("dice 6−5 = 1", "<:d:2> dice 6−5 = 1"),
    ("Silk: 2 armies", "<:s:3> Silk: <:a:1> 2 armies"),
    ("the Silk Road and Silk", "the Silk Road and <:s:3> Silk"),
    ("`2 armies`, 1.2 armies, 2–3 armies, an armyman, armies", None)])
def test_a_sign_goes_before_the_whole_phrase_of_a_noun(said: str, shown: str | None) -> None:
    assert signed(said, {}, NOUNS, SIGNS) == (shown or said)
    assert signed(said, {}, NOUNS, {}) == said, "no sign is there"


def test_a_sign_goes_before_a_noun_in_each_language() -> None:
    german = spoken("de", {"{n} army": "{n} Armee", "{n} armies": "{n} Armeen", "Silk": "Seide"})
    nouns = noun_patterns({"army": (count(1, "{n} army", "{n} armies"),), "silk": ("silk",)}, Reader(NAMES, german))
    assert signed("Seide: 2 Armeen, 1 Armee", {}, nouns, SIGNS) == "<:s:3> Seide: <:a:1> 2 Armeen, <:a:1> 1 Armee"


def test_signs_that_do_not_fit_into_a_message_are_left_out_those_of_nouns_first() -> None:
    heads = {"Amber": "<:amber:9>"}
    all_three = ((1900, "<:amber:9> Amber: <:a:1> 2 armies"), (1972, "<:amber:9> Amber: 2 armies"), (1980, "Amber: 2 armies"))
    for length, shown in all_three:
        assert signed("x" * length + "\nAmber: 2 armies", heads, NOUNS, SIGNS) == "x" * length + "\n" + shown


async def begun(world: World, signs: Mapping[str, bytes]) -> Icons:
    """The bot begins anew with these signs."""
    icons = world.bot.icons = Icons(world.bot, world.services, lambda game: signs)
    icons.start()
    assert icons._loading is not None
    await icons._loading
    return icons


def uploads(world: World) -> list[Any]:
    return [request for request in world.env.http_requests if request.method == "POST" and request.path.endswith("/emojis")]


async def test_signs_are_uploaded_once_by_how_they_look_and_shown_before_names_that_head_an_entry(world: World) -> None:
    await world.guessed()
    plain = words(await world.alice.slash(world.table, "game status"))
    assert "Amber: " in plain and "Basalt: " in plain
    await begun(world, {"seat_1": AMBER, "seat_2": BASALT})
    (first, second) = uploads(world)
    assert base64.b64decode(first.json["image"].partition(",")[2]) == AMBER
    amber, basalt = (f"<:{emoji.name}:{emoji.id}>" for emoji in await world.bot.fetch_application_emojis())
    shown = words(await world.alice.slash(world.table, "game status"))
    assert shown == plain.replace("Amber: ", f"{amber} Amber: ").replace("Basalt: ", f"{basalt} Basalt: ") != plain
    await begun(world, {"seat_1": AMBER, "seat_2": BASALT})
    assert uploads(world) == [first, second], "they are there already"
    await begun(world, {"seat_1": AMBER + b"2", "seat_2": BASALT})
    assert len(uploads(world)) == 3 and uploads(world)[2].json["name"] != first.json["name"]
    assert problems(world.env.http_requests) == []


async def test_a_noun_has_its_sign_in_what_is_said_and_never_on_a_button(world: World) -> None:
    await world.guessed()
    await begun(world, {"pebble": PEBBLE})
    (emoji,) = await world.bot.fetch_application_emojis()
    before = len(world.env.http_requests)
    said = words(await world.alice.slash(world.table, "pebbles take", pebbles=2))
    assert said.splitlines()[0] == f"Amber takes <:{emoji.name}:{emoji.id}> 2 pebbles."
    sent = [request.json for request in world.env.http_requests[before:] if isinstance(request.json, dict)]
    buttons = dumps([part.get("components") for part in sent])
    assert "Take 2 pebbles" in buttons and str(emoji.id) not in buttons
    assert problems(world.env.http_requests) == []


async def test_code_and_what_would_not_fit_stay_as_they_are(world: World) -> None:
    await world.guessed()
    icons, visit = await begun(world, {"seat_1": AMBER}), await world.services.visits.onlooker(1)
    (emoji,) = await world.bot.fetch_application_emojis()
    for said in ("```\nAmber: 3\n```", "`Amber: 3`", "Amber takes 3.", "Clamber: 3", f"{'x' * 1980}\nAmber: 3"):
        assert icons.illustrated(said, visit) == said
    assert icons.illustrated("**Amber**: 3", visit) == f"**{emoji} Amber**: 3"


async def test_without_discords_leave_there_are_words_alone(world: World) -> None:
    await world.guessed()
    world.env.inject_error("POST", "/applications/*/emojis", status=400, code=30008, message="Maximum number of emojis reached")
    before = words(await world.alice.slash(world.table, "game status"))
    await begun(world, {"seat_1": AMBER})
    assert words(await world.alice.slash(world.table, "game status")) == before and not world.env.errors
    assert max(len(power) for spec in GAMES for power in emblems(spec.key)) <= NAMED
