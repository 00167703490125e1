"""Scenes of pictures, made from positions."""
from __future__ import annotations

from typing import Any

from engine.games.struggle_of_empires import GAME
from engine.kernel.game_spec import Replay
from tests.scene import Scene

A, B, C, D = "austria", "britain", "france", "spain"
PICTURES = {picture.key: picture for picture in GAME.views.pictures}
EVEN = (1, 1, 1, 1)


def story(table: Scene, **fields: Any) -> Replay:
    """All that has happened in a scene, for the public unless a field says otherwise."""
    rows = [entry.row() for entry in table.table.fresh]
    return Replay(spec=GAME, parts=table.parts, start=table.start, rows=rows, **fields)


def shown(key: str, table: Scene, **fields: Any) -> Any:
    return PICTURES[key].scene(story(table, **fields))
