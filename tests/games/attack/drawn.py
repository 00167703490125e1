"""What the tests of the pictures of Attack! draw: made-up scenes of every kind, views with one fact changed, labels with their
places."""
from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from engine.games.attack.pictures.scenes import Board
from engine.games.attack.view import View
from renderer.games.attack import board, labels, legend
from renderer.games.attack.common import POWERS
from renderer.layout.boxes import Box
from tools.samples import attack as samples

DATA = json.loads((files("data") / "attack" / "attack.json").read_bytes())
TERRITORIES = {land["id"]: land for land in DATA["territories"]}
VIEW = samples.sample(6)
OWN = samples.own(VIEW)
OVER = VIEW.model_copy(update={"over": True, "phase": "over", "ranking": tuple(POWERS), "winners": ("red",), "active": ""})
BOARDS = {"six": Board(now=VIEW), "two": Board(now=samples.sample(2)), "own": samples.own_board(),
          "marked": samples.marked(samples.sample(4)), "fighting": Board(now=samples.fighting(VIEW)), "full": samples.fullest(),
          "over": Board(now=OVER)}
BATTLES = {"ukraine": samples.ukraine(), "under-way": samples.ukraine(rounds=2), "begun": samples.ukraine(rounds=0),
           "long": samples.ukraine(rounds=15, repeated=3), "neutral": samples.neutral()}
NAVAL = {"naval": samples.naval(), "naval-end": samples.naval_end(), "sealed": samples.naval_sealed()}
EVERY = {**BOARDS, **BATTLES, **NAVAL}


def land(view: View, territory: str, **fields: Any) -> View:
    """The same view with one territory changed."""
    return view.model_copy(update={"territories": tuple([one.model_copy(update=fields) if one.territory == territory else one
                                                         for one in view.territories])})


def power(view: View, name: str, **fields: Any) -> View:
    return view.model_copy(update={"powers": tuple([one.model_copy(update=fields) if one.power == name else one
                                                    for one in view.powers])})


def boxes(view: View) -> dict[str, tuple[int, int, int, int]]:
    """What each label takes."""
    return {territory: box.corners for territory, (_, box) in standing(Board(now=view)).items()}


def standing(scene: Board) -> dict[str, tuple[labels.Label, Box]]:
    return labels.standing(labels.labels(scene), (legend.legend_box(board.deeds(scene)),))
