"""The instruments that measure engine and pictures take every game of the catalogue."""
from __future__ import annotations

from importlib import import_module

import pytest

from bench import engine, pictures
from bench.commands import commands_per_second
from engine import catalog
from engine.refusals import Faulty
from renderer.picture import can_draw

KEYS = [spec.key for spec in catalog.GAMES]


@pytest.mark.parametrize("key", KEYS)
def test_a_long_game_of_every_title_is_played_loaded_and_looked_at(key, monkeypatch):
    monkeypatch.setattr(engine, "GAME_ROWS", 250)
    monkeypatch.setattr(engine, "LONGEST", 400)
    kind, game = engine.long_game(key)
    assert kind.spec.key == key and kind.seats == kind.spec.seats[-1]
    assert 250 < len(game.rows) <= 450 and [row.no for row in game.rows] == list(range(1, len(game.rows) + 1))
    whole = kind.of(game.checkpoints[0], game.rows, run_on=False)
    for checkpoint in game.checkpoints[-3:]:
        later = kind.of(checkpoint, game.rows[checkpoint.no:], run_on=False)
        assert later.state.model_dump_json() == whole.state.model_dump_json(), "loads begin anywhere and come to the same"
    assert engine.views(kind, game) > 0
    assert min(engine.loads(kind, 0.05, game)) > 0 and engine.replay(kind, 0.01, game) > 0
    rows, options = engine.random_play(kind, 0.01)
    assert options > rows > 0


def test_commands_are_counted_where_two_play_and_rounds_are_planned_in_private():
    assert commands_per_second(0.01, catalog.find("imperial_struggle")) > 0


@pytest.mark.parametrize("key", KEYS)
def test_every_kind_of_picture_of_a_title_is_watched(key):
    kinds = dict(pictures.album(key).kinds())
    assert next(iter(kinds)) == "board" and all(map(can_draw, kinds.values()))
    scenes = import_module(f"engine.games.{key}.pictures.scenes")
    assert {type(scene) for scene in kinds.values()} >= {scenes.Board, getattr(scenes, "Film", scenes.Board)}


@pytest.mark.parametrize("of", [engine.long_game, pictures.album])
def test_a_title_that_is_not_there_is_a_sentence(of):
    with pytest.raises(Faulty, match="There is no game chess"):
        of("chess")
