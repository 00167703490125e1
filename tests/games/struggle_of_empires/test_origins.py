"""What the list of made-up and inferred values says of them, in words for whoever compares it with a copy of the game."""
from __future__ import annotations

from typing import get_args

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.components import Tile
from engine.games.struggle_of_empires.words.provenance import USES
from engine.provenance import doubtful, spoken
from engine.text import Reader, say


def words(edition: str, list: str, label: str) -> dict[str, str]:
    """Record to what is said of one aspect of it."""
    found = components(GAME, edition)
    reader = Reader(GAME.words.names(found.parts))
    return {value.name: say(spoken(value), reader) for value in doubtful(GAME, found.raw)
            if value.origin.list == list and value.aspect.label == label}


def test_the_use_of_a_tile_is_said_in_words():
    said = words("first", "tiles", "mark")
    assert (said["Banking"], said["Reserves"], said["Industry"]) == ("always", "once a war", "once, then out of the game")
    assert said["Blockade"] == "once, then back to the stock"


def test_the_effect_of_a_tile_is_said_as_the_edition_has_it():
    assert words("deluxe", "tiles", "effect")["Navigation"] == "Mending a bad far-lands roll costs 1 gold less."


@pytest.mark.parametrize("edition, list, said", [
    ("first", "unrest_markers", "yes"), ("deluxe", "local_alliance_rules", "as many as there are places")])
def test_a_supply_without_end_is_not_called_none(edition, list, said):
    assert [*words(edition, list, "supply").values()] == [said]
    if said == "yes":
        (aspect,) = (value.aspect for value in doubtful(GAME, components(GAME, edition).raw)
                     if value.origin.list == list and value.aspect.label == "supply")
        assert say(aspect.effect) == "whether there are always enough of them"


def test_every_use_that_the_data_know_has_words():
    annotation = Tile.model_fields["after_use"].annotation
    assert set(USES) == set(get_args(annotation))
