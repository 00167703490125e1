"""The signs of powers among words: uploaded once, shown where a power heads an entry, and nowhere if there are none."""
from __future__ import annotations

import base64
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.discord.icons import NAMED, Icons, emblems
from engine.catalog import GAMES
from engine.components import components
from tests.bot.discord_world import World, words
from tests.bot.payloads import problems

AMBER, BASALT = b"\x89PNG\r\n\x1a\namber", b"\x89PNG\r\n\x1a\nbasalt"


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_every_power_of_every_game_has_a_sign_of_its_own(spec: Any) -> None:
    shown = emblems(spec.key)
    names = spec.words.names(components(spec, spec.editions[0].key).parts)
    assert len(shown) == spec.seats[-1] == len({*shown.values()}) and all(power in names for power in shown)
    for power, file in shown.items():
        image = Image.open(BytesIO(file))
        assert (image.size, image.mode, image.getpixel((0, 0))) == ((96, 96), "RGBA", (0, 0, 0, 0)), power
        assert len(file) < 20_000


async def begun(world: World, signs: Mapping[str, bytes]) -> Icons:
    """The bot begins anew with these signs."""
    icons = world.bot.icons = Icons(world.bot, lambda game: signs)
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


async def test_code_and_what_would_not_fit_stay_as_they_are(world: World) -> None:
    await world.guessed()
    icons, game = await begun(world, {"seat_1": AMBER}), await world.services.queries.game(1)
    (emoji,) = await world.bot.fetch_application_emojis()
    for said in ("```\nAmber: 3\n```", "`Amber: 3`", "Amber takes 3.", "Clamber: 3", f"{'x' * 1980}\nAmber: 3"):
        assert await icons.illustrated(said, game) == said
    assert await icons.illustrated("**Amber**: 3", game) == f"**{emoji} Amber**: 3"


async def test_without_discords_leave_there_are_words_alone(world: World) -> None:
    await world.guessed()
    world.env.inject_error("POST", "/applications/*/emojis", status=400, code=30008, message="Maximum number of emojis reached")
    before = words(await world.alice.slash(world.table, "game status"))
    await begun(world, {"seat_1": AMBER})
    assert words(await world.alice.slash(world.table, "game status")) == before and not world.env.errors
    assert max(len(power) for spec in GAMES for power in emblems(spec.key)) <= NAMED
