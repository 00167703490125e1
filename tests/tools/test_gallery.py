"""The gallery: every kind of picture of a random game, ready to be looked at."""
from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.catalog import GAMES
from engine.games.struggle_of_empires.pictures.scenes import Film, Reckoning
from engine.kernel.game_spec import pictures
from renderer import can_draw, render
from tools.gallery import __main__, play, shown

SPEC = GAMES[0]


@pytest.fixture(scope="module")
def scenes():
    return dict(shown(play(SPEC, "first", 3, seed=2)))


def test_every_kind_of_picture_comes_of_one_random_game(scenes):
    assert {picture.key for picture in pictures(SPEC)} <= set(scenes)
    assert all(map(can_draw, scenes.values()))


def test_every_kind_of_picture_comes_of_a_deluxe_game_with_powers_that_nobody_plays():
    scenes = dict(shown(play(SPEC, "deluxe", 3, seed=1)))
    assert {picture.key for picture in pictures(SPEC)} <= set(scenes)
    board = scenes["board"].now
    assert len(board.npps) == 4 and len(board.tokens) == 2 and board.display
    assert any(place.holder for area in board.areas for place in area.local)
    assert scenes["stock"].local and {item.kind for item in scenes["stock"].items} >= {"free_action", "military_tactics"}
    for scene in scenes.values():
        if not isinstance(scene, Film | Reckoning):
            render(scene)


def test_the_chosen_board_is_marked_and_a_seats_own_shows_what_it_may_do(scenes):
    assert scenes["board"].before is not None and not scenes["board"].ways
    own = scenes["board-own"]
    assert own.now.seat is not None and own.now.own_unrest is not None
    assert scenes["board-start"].now.war == 1 and scenes["board-end"].now.over


def test_the_command_writes_a_file_for_each_picture_and_theme(monkeypatch, tmp_path, capsys, scenes):
    few = {name: scenes[name] for name in ("points", "recap")}
    few["recap"] = few["recap"].model_copy(update={"frames": few["recap"].frames[:2]})
    monkeypatch.setattr(__main__, "shown", lambda game: few.items())
    monkeypatch.setattr(__main__, "GAMES", (SPEC,))
    monkeypatch.setattr(sys, "argv", ["gallery", "--folder", str(tmp_path), "--seats", "2"])
    __main__.main()
    assert {path.name for path in Path(tmp_path).iterdir()} == {
        f"{SPEC.key}-{edition}-{file}" for edition in ("first", "deluxe")
        for file in ("points-dark.png", "points-light.png", "recap-dark.gif", "recap-light.gif")}
    assert (tmp_path / f"{SPEC.key}-first-points-light.png").read_bytes() == render(few["points"], "light")
    film: Any = Image.open(BytesIO((tmp_path / f"{SPEC.key}-deluxe-recap-dark.gif").read_bytes()))
    assert film.n_frames == 2
    assert str(tmp_path) in capsys.readouterr().out
