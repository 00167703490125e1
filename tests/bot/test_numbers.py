"""Numbers of places: one's own board and the menu of the same question call each by the same number."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from bench.mixtures import first_edition
from bot.discord.game.action_menu import screen
from engine import catalog, components
from engine.dice import SecretDice
from engine.kernel import OVER, Checkpoint, GameSpec, Seat, Table, place_of
from engine.kernel.game_spec import MANY, Replay, numbered, pictures
from engine.selfplay import beginning, new_table, play_on

SECRET = "11" * 32
NUMBER = re.compile(r"(\d+) · (.+)")
GAMES = [spec for spec in catalog.GAMES if spec.views.numbers(components.components(spec, first_edition(spec)).parts)]


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
            if numbered(spec.views.numbers(table.parts), table.options(question.seat)):
                yield table, question.seat
                positions -= 1
        if positions <= 0:
            return


def labels(table: Table, seat: Seat) -> list[str]:
    """All that the first screen offers and what each kind of answer offers then, page by page."""
    verbs = dict.fromkeys(option.verb for option in table.options(seat))
    views = [screen(table, 1, seat).view, *(screen(table, 1, seat, (verb,)).view for verb in verbs)]
    rows = [row for view in views if view is not None for row in view.to_components()]
    return [label for row in rows for item in row["components"]
            for label in ([option["label"] for option in item["options"]] if "options" in item else [item.get("label", "")])]


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
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


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_each_place_has_one_number_all_game_long_and_a_field_that_names_it(spec):
    parts = components.components(spec, first_edition(spec)).parts
    numbers = spec.views.numbers(parts)
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    kinds = [kind for kind in spec.rules.actions if kind.where]
    assert len(kinds) > 4 and all(kind.where in kind.model_fields for kind in kinds)


def test_few_places_need_no_number():
    for table, seat in asked(GAMES[0], 1):
        numbers, options = GAMES[0].views.numbers(table.parts), table.options(seat)
        first = next(place for option in options if (place := place_of(option)))
        assert numbered(numbers, [option for option in options if place_of(option) in ("", first)]) == {}


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_the_public_board_has_no_numbers(spec):
    for table, _ in asked(spec, 1):
        story = Replay(spec=spec, parts=table.parts, start=start_of(spec, table), rows=[entry.row() for entry in table.fresh])
        assert pictures(spec)[0].scene(story).ways == ()
