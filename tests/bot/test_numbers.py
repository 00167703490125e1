"""Numbers of places: one's own board, or a close-up, and the menu of the same question call each by the same number."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import discord
import pytest

from bot.discord.game.action_menu import closeup_of, screen
from bot.discord.game.menu_path import Step, step_at
from bot.discord.game.menu_words import called
from bot.discord.lengths import CHOICES
from engine import catalog, components
from engine.dice import SecretDice
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.words.menus import MENUS
from engine.kernel import OVER, Checkpoint, GameSpec, Seat, Table, place_of
from engine.kernel.game_spec import MANY, Replay, numbered, pictures
from engine.selfplay import beginning, new_table, play_on
from engine.text import Reader
from tests.checks.mixtures import first_edition
from tests.games.attack.scene import scene

SECRET = "11" * 32
NUMBER = re.compile(r"(\d+) · (.+)")
GAMES = [spec for spec in catalog.GAMES if spec.views.numbers(components.components(spec, first_edition(spec)).parts)]

BY_PART = [spec for spec in GAMES if spec.views.areas(components.components(spec, first_edition(spec)).parts)]


def start_of(spec: GameSpec, table: Table) -> Checkpoint:
    """Where the game of `asked` began."""
    return beginning(spec, len(table.state.seats), first_edition(spec), table.parts, None)


def asked(spec: GameSpec, positions: int) -> Iterator[tuple[Table, Seat]]:
    """Seats that choose among many places, in a random game that one table plays."""
    edition = first_edition(spec)
    table = new_table(spec, spec.seats[0], edition, components.components(spec, edition).parts, SecretDice(SECRET),
                      checkpoints=False)
    chance = random.Random(3)
    for row, _ in enumerate(play_on(table, chance.randrange)):
        for question in table.waiting() if row % 7 == 0 and table.state.phase != OVER else ():
            if numbered(spec.words.menus, spec.views.numbers(table.parts), table.options(question.seat)):
                yield table, question.seat
                positions -= 1
        if positions <= 0:
            return


def labels(table: Table, seat: Seat) -> list[str]:
    """All that the first screen offers and what each kind of answer offers then, page by page."""
    verbs = dict.fromkeys(option.verb for option in table.options(seat))
    views = [screen(table, 1, seat).view, *(screen(table, 1, seat, (verb,)).view for verb in verbs)]
    return [label for view in views for label in controls(view)]


def controls(view: discord.ui.View | None) -> list[str]:
    """What the buttons and the choices of lists say."""
    rows = view.to_components() if view is not None else []
    return [label for row in rows for item in row["components"]
            for label in ([option["label"] for option in item["options"]] if "options" in item else [item.get("label", "")])]


def ways(view: discord.ui.View | None) -> list[str]:
    """The custom ids of the buttons."""
    rows = view.to_components() if view is not None else []
    return [item["custom_id"] for row in rows for item in row["components"] if "label" in item]


@pytest.mark.parametrize("spec", [spec for spec in GAMES if spec not in BY_PART], ids=lambda spec: spec.key)
def test_the_menu_and_the_own_board_call_a_place_by_the_same_number(spec):
    met = 0
    for table, seat in asked(spec, 8):
        story = Replay(spec=spec, parts=table.parts, start=start_of(spec, table), rows=[entry.row() for entry in table.fresh],
                      seat=seat, options=table.options(seat))
        board = pictures(spec)[0].scene(story)
        names = spec.words.names(table.parts)
        drawn = {way.number: names[getattr(way, "area", "") or way.territory] for way in board.ways if way.number}
        assert len(drawn) == len([way for way in board.ways if way.number]) >= MANY
        for number, words in (found.groups() for label in labels(table, seat) if (found := NUMBER.fullmatch(label))):
            assert drawn[int(number)] in words
            met += 1
    assert met > 20


def steps_of(table: Table, seat: Seat) -> Iterator[Step]:
    """Each kind of answer as a menu leads to it: its first choice and, where that is a part of the map, the next one in each."""
    for verb in dict.fromkeys(option.verb for option in table.options(seat)):
        step = step_at(table, seat, (verb,))
        if isinstance(step, Step):
            yield step
            found = (step_at(table, seat, (*step.path, part)) for part in step.values) if step.areas else ()
            yield from (inside for inside in found if isinstance(inside, Step))


@pytest.mark.parametrize("spec", BY_PART, ids=lambda spec: spec.key)
def test_of_more_places_than_a_list_holds_a_menu_asks_for_the_part_of_the_map_first(spec):
    parts, places = 0, 0
    for table, seat in asked(spec, 30):
        areas, menus = spec.views.areas(table.parts), spec.words.menus
        for step in steps_of(table, seat):
            there = {place for option in step.options if (place := place_of(menus, option)) in areas}
            if step.areas:
                assert len(there) > CHOICES and list(step.values.values()) == list(dict.fromkeys(
                    areas.get(place_of(menus, option), place_of(menus, option)) for option in step.options))
                parts += 1
            elif step.kind is not None and step.field == step.shown.where:
                assert len(step.values) <= CHOICES or len({areas[place] for place in there}) == 1
                places += 1
    assert parts and places


@pytest.mark.parametrize("spec", BY_PART, ids=lambda spec: spec.key)
def test_the_menu_and_the_close_up_call_a_place_by_the_same_number(spec):
    """Each part of the map in which a list has places has a button, also where one list has them all."""
    met, picture, most = 0, closeup_of(spec), 0
    assert picture is not None
    for table, seat in asked(spec, 30):
        names = spec.words.names(table.parts)
        for step in steps_of(table, seat):
            view, drawn = screen(table, 1, seat, step.path).view, dict[int, str]()
            parts = [way.split(":")[-1] for way in ways(view) if way.startswith("part:")]
            for part in parts:
                story = Replay(spec=spec, parts=table.parts, start=start_of(spec, table), seat=seat, subject=part,
                               rows=[entry.row() for entry in table.fresh], options=step.options)
                drawn |= {number: names[place] for place, number in picture.scene(story).numbers}
                assert dict(picture.scene(replace(story, seat=None)).numbers) == {}, "the public one has no numbers"
            for number, words in (found.groups() for label in controls(view) if (found := NUMBER.fullmatch(label))):
                assert drawn[int(number)] in words
                met += 1
            most = max(most, len(parts))
    assert met > 20 and most > 1


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_each_place_has_one_number_all_game_long_and_a_field_that_names_it(spec):
    parts = components.components(spec, first_edition(spec)).parts
    numbers = spec.views.numbers(parts)
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert len([shown for shown in spec.words.menus.values() if shown.where]) > 4


def test_few_places_need_no_number():
    for table, seat in asked(GAMES[0], 1):
        numbers, options, menus = GAMES[0].views.numbers(table.parts), table.options(seat), GAMES[0].words.menus
        first = next(place for option in options if (place := place_of(menus, option)))
        assert numbered(menus, numbers, [option for option in options if place_of(menus, option) in ("", first)]) == {}


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_the_public_board_has_no_numbers(spec):
    for table, _ in asked(spec, 1):
        story = Replay(spec=spec, parts=table.parts, start=start_of(spec, table), rows=[entry.row() for entry in table.fresh])
        assert pictures(spec)[0].scene(story).ways == ()


def test_orders_that_cross_the_map_are_listed_by_the_number_of_where_they_lead() -> None:
    made = scene(land={"balkans": ("red", "2I 1T"), "france": ("red", "4I 3T 2P"), "egypt": ("red", "2I 1P"),
                       "italy": ("blue", "2I"), "germany": ("blue", "2I 1T")})
    made.say("red", Begin(action="movement"))
    shown = screen(made.table, 1, made.state.seat("red"), ("move",)).view
    found = [int(number.group(1)) for label in controls(shown) if (number := NUMBER.fullmatch(label))]
    assert len(set(found)) > 10 and found == sorted(found)


def test_a_list_says_what_its_question_says_units_are_placed() -> None:
    assert called(MENUS, Deploy, Reader()) == "Place units"


def test_buttons_have_the_numbers_of_their_places_as_lists_do() -> None:
    made = scene(land={place: ("red", "1I 1T") for place in ("cuba", "france", "italy", "egypt", "mexico", "peru")} |
                 {"germany": ("blue", "1I")}, capitals={"cuba": "red", "germany": "blue"})
    made.say("red", Begin(action="production"), Buy(kind="infantry", number=1), Confirm())
    shown = controls(screen(made.table, 1, made.state.seat("red")).view)
    assert [label for label in shown if "1 infantry" in label] == [
        "10 · 1 infantry in Mexico", "12 · 1 infantry in Cuba", "16 · 1 infantry in Peru", "28 · 1 infantry in France",
        "30 · 1 infantry in Italy", "41 · 1 infantry in Egypt"]
    assert "My board" in shown
