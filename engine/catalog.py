"""The games that exist: one line for each. Bot and command line know games only through this list."""
from __future__ import annotations

from engine.games import attack, imperial_struggle, struggle_of_empires
from engine.kernel import GameSpec
from engine.refusals import Faulty
from engine.text import verbatim

GAMES: tuple[GameSpec, ...] = (struggle_of_empires.GAME, attack.GAME, imperial_struggle.GAME)


def find(key: str) -> GameSpec:
    """The game with this key. Raises Faulty."""
    for spec in GAMES:
        if spec.key == key:
            return spec
    raise Faulty("There is no game {key}. Choose among: {games}.", key=verbatim(key),
                 games=tuple(verbatim(spec.key) for spec in GAMES))
