"""Discord's limits, for every game that there is and for the toy."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.app_commands import CommandTree

from bot.discord.client import commands
from bot.discord.game.action_commands import group_for, legal, meant, offered, written
from bot.discord.game.action_menu import screen
from bot.discord.game.menu_path import Step, step_at
from bot.discord.game_master.message_menus import message_menus
from bot.discord.lengths import clip
from bot.discord.translator import Translator
from engine import notation
from engine.catalog import GAMES
from engine.components import components
from engine.dice import SecretDice
from engine.games.imperial_struggle.actions.choices import Choose
from engine.kernel import Action, Checkpoint, GameSpec, Seat, Table, choices
from engine.text.languages import LANGUAGES
from tests.bot.discord_world import World
from tests.bot.payloads import problems
from tests.bot.test_languages import spoken
from tests.games.imperial_struggle.scene import scene
from tests.toy import PEBBLES, SECRET

EVERY = (*GAMES, PEBBLES)
NAMES = re.compile(r"[-_a-z0-9]{1,32}")
CONFIRM = len("yes:1000000:seat_7:100000:")         # the longest head of a confirmation's custom id


@pytest.fixture(params=EVERY, ids=lambda spec: spec.key)
def spec(request: pytest.FixtureRequest) -> GameSpec:
    return request.param


@pytest.mark.parametrize("group", commands(EVERY), ids=lambda group: group.name)
def test_a_group_of_commands_fits(group: Any) -> None:
    assert 0 < len(getattr(group, "commands", [group])) <= 25
    assert letters(group) <= 8000
    for command in getattr(group, "commands", [group]):
        assert NAMES.fullmatch(command.name), command.name
        assert 0 < len(command.description) <= 100, command.qualified_name
        assert len(command.parameters) <= 25
        for option in command.parameters:
            assert NAMES.fullmatch(option.name), option.name
            assert 0 < len(str(option.description)) <= 100, f"{command.qualified_name} {option.name}"
            assert option.description != "…", f"{command.qualified_name} {option.name} is not described"
            assert all(len(choice.name) <= 100 for choice in option.choices)


async def translated() -> list[dict[str, Any]]:
    """The commands with their words in all languages, as Discord is told them."""
    tree, translator = CommandTree(discord.Client(intents=discord.Intents.none())), Translator()
    return [await command.get_translated_payload(tree, translator) for command in [*commands(EVERY), *message_menus()]]


async def test_commands_fit_in_every_language() -> None:
    payload = await translated()
    assert problems([SimpleNamespace(method="PUT", path="/applications/1/commands", json=payload)]) == []
    for code in LANGUAGES:
        for command in payload:
            assert said_in(command, code) <= 8000, (command["name"], code)


def said_in(part: dict[str, Any], code: str) -> int:
    """What Discord counts of a part of a command in a language; no two choices of it have one name there."""
    inner = [*part.get("options", ()), *part.get("choices", ())]
    names = [(one.get("name_localizations") or {}).get(code, one["name"]) for one in part.get("choices", ())]
    assert len({*names}) == len(names), (part["name"], code, names)
    own = sum(len((part.get(f"{key}_localizations") or {}).get(code, part.get(key, ""))) for key in ("name", "description"))
    return own + len(str(part.get("value", ""))) + sum(said_in(one, code) for one in inner)


async def test_names_of_commands_and_what_discord_would_refuse_stay_english(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"game": "partie", "Vote to pause the game, or to end such a pause": "x" * 101,
             "Take a seat in an open game": "Nimm an einem offenen Tisch Platz"}
    monkeypatch.setitem(LANGUAGES, "de", spoken("de", words))
    told = {command["name"]: command for command in await translated()}
    assert not told["game"]["name_localizations"], "what is typed has one name"
    own = {command["name"]: command for command in told["game"]["options"]}
    assert own["join"]["description_localizations"]["de"] == words["Take a seat in an open game"]
    clock = {command["name"]: command for command in told["clock"]["options"]}
    assert "de" not in clock["vote"]["description_localizations"]


def letters(command: Any) -> int:
    """What Discord counts: the characters of all names, descriptions and choices."""
    own = len(command.name) + len(command.description)
    options = sum(len(option.name) + len(str(option.description)) + sum(len(choice.name) + len(str(choice.value))
                                                                        for choice in option.choices)
                  for option in getattr(command, "parameters", ()))
    return own + options + sum(letters(child) for child in getattr(command, "commands", ()))


def test_there_is_a_command_for_every_verb_that_is_typed(spec: GameSpec) -> None:
    typed = {verb for verb, shown in spec.words.menus.items() if shown.typed}
    assert {command.name for command in group_for(spec).commands} == typed


def test_no_field_takes_the_name_of_an_option_of_ours(spec: GameSpec) -> None:
    assert all("game" not in kind.model_fields for kind in (*spec.rules.actions, *spec.rules.asides))


def test_no_two_groups_have_one_name() -> None:
    names = [group.name for group in commands(EVERY)]
    assert len(set(names)) == len(names)


async def test_discord_takes_the_commands_of_every_game(tmp_path: Path) -> None:
    world = await World.made(tmp_path / "games.db", EVERY)
    await CommandTree.sync(world.bot.tree)
    await world.shutdown()
    (sync,) = [request for request in world.env.http_requests if request.method == "PUT" and request.path.endswith("/commands")]
    assert {command["name"] for command in sync.json} == {
        "game", "my", "gm", "talk", "clock", "settings", "lookup", "table", "orders", "chancery",
        "Board at this moment", "Undo to here", *(spec.command for spec in EVERY)}
    assert problems([sync]) == []


# --- positions of a whole game ------------------------------------------------------------------------------

def positions(spec: GameSpec, answers: int) -> Iterator[tuple[Table, Seat]]:
    """Who is asked, in a game in which everybody answers something."""
    found = components(spec, spec.editions[0].key)
    seats = tuple(Seat(f"seat_{n}") for n in range(1, min(spec.seats[-1], 4) + 1))
    state = spec.rules.setup(seats, spec.rules.options(spec.editions[0].key, {}), found.parts)
    table = Table(spec, found.parts, Checkpoint(0, 0, state.model_dump_json()), dice=SecretDice(SECRET))
    for number in range(answers):
        if table.over:
            return
        seat = table.waiting()[0].seat
        yield table, seat
        options = table.options(seat)
        table.answer(seat, options[number * 7 % len(options)])


async def test_every_screen_of_a_menu_fits(spec: GameSpec) -> None:
    screens = 0
    for table, seat in positions(spec, 120):
        beside = [(kind.verb,) for kind in spec.rules.asides if any(True for _ in kind.options(table.state, seat))]
        for begun in ((), *beside):
            path: tuple[str, ...] | None = begun
            while path is not None:
                shown = screen(table, 1_000_000, seat, path)        # a custom id that is too long would be an error
                assert 0 < len(shown.words) <= 2000
                assert shown.view is not None and len(shown.view.children) <= 25
                assert [fault for row in shown.view.to_components() for fault in problems_of_row(row)] == []
                path = deeper(table, seat, path)
                screens += 1
    assert screens


def deeper(table: Table, seat: Seat, path: tuple[str, ...]) -> tuple[str, ...] | None:
    """The path one step on, to the last value; None where that is a whole answer."""
    step = step_at(table, seat, path)
    if not isinstance(step, Step):
        return None
    path = (*step.path, list(step.values)[-1])
    return path if isinstance(step_at(table, seat, path), Step) else None


def problems_of_row(row: dict[str, Any]) -> list[str]:
    out = []
    for item in row["components"]:
        if item["type"] == 2 and not 0 < len(item["label"]) <= 80:
            out.append(f"label {item['label']!r}")
        if item["type"] == 3 and not 0 < len(item["options"]) <= 25:
            out.append(f"{len(item['options'])} options")
        if item["type"] == 3 and len({option["value"] for option in item["options"]}) != len(item["options"]):
            out.append("two options with one value")
    return out


def test_every_option_can_be_typed_as_autocomplete_offers_it(spec: GameSpec) -> None:
    for table, seat in positions(spec, 60):
        for kind in table.spec.rules.actions:
            options = legal(table, seat, kind)
            for name in kind.model_fields:
                shown = offered(table, seat, kind, name, {}, "")
                assert len(shown) <= 25
                assert all(0 < len(choice.name) <= 100 and len(str(choice.value)) <= 100 for choice in shown)
                values = choices(options, name, {})
                for value in values:
                    typed = value if isinstance(value, (bool, int)) else written(value) or "none"
                    assert meant(table, kind, name, values, typed) == value


@pytest.mark.parametrize("typed", ["-1 (unflag)", "−1 (Unflag)", "basic_br_14"])
def test_a_hyphen_is_typed_for_the_minus_sign_of_a_name(typed: str) -> None:
    at = scene(active="france")
    assert meant(at.table, Choose, "target", ["basic_br_01", "basic_br_14"], typed) == "basic_br_14"


@pytest.mark.parametrize("words, shown", [
    ("An army of Spain in the Caribbean", "An army of Spain…"), ("An army of Spain", "An army of Spain"),
    ("An army of Spaniards", "An army of…"), ("Unpronounceablenesses", "Unpronounceablen…"),
    ("An Unpronounceablenesses", "An Unpronounceab…")])
def test_what_finds_no_room_is_cut_between_two_words(words: str, shown: str) -> None:
    assert clip(words, 17) == shown


def test_what_a_confirmation_must_carry_in_full_fits(spec: GameSpec) -> None:
    carried: list[Action] = [option for table, seat in positions(spec, 60) for option in table.options(seat) if option.open_ended]
    assert all(CONFIRM + len(notation.write(option)) + len("000000") <= 100 for option in carried)
