"""The first picture of a process waits for nothing that draws something else."""
from __future__ import annotations

import json
import subprocess
import sys

import pytest

from engine.catalog import GAMES
from renderer import can_draw
from renderer.games import attack, struggle_of_empires
from renderer.picture import NoPainter, painter

LOADED = """
import json, sys
from engine.games.struggle_of_empires.view import View
from renderer import can_draw
assert can_draw(View.model_construct())
print(json.dumps(list(sys.modules)))
"""


def test_the_first_picture_loads_no_other_game_and_no_other_painter():
    run = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = json.loads(run.stdout)
    others = [spec.key for spec in GAMES if spec.key != "struggle_of_empires"]
    assert "renderer.games.struggle_of_empires" in loaded and others
    assert not [name for name in loaded for key in others if name.split(".")[1:3] == ["games", key]]
    assert not {"renderer.film", "renderer.games.struggle_of_empires.closeup"} & {*loaded}


def test_a_game_without_a_folder_of_painters_has_none():
    newcomer = type("View", (), {"__module__": "engine.games.newcomer.view"})
    assert not can_draw(newcomer())


@pytest.mark.parametrize("game", [attack, struggle_of_empires])
def test_what_nobody_paints_has_no_painter_though_its_game_has_some(game):
    stranger = type("Stranger", (), {"__module__": next(iter(game.PAINTERS)).__module__})
    with pytest.raises(NoPainter, match="Stranger"):
        painter(stranger())
