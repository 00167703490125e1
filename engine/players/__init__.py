"""Automatic players: what is general about them. Each game's `player` holds its judgement.

A player is given a `Position`: the state as its seat knows it, the question, and the legal answers. It never sees the table. The
same position and the same seed give the same answer, so that after an undo a player answers the same question the same way.
"""
from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args

from engine.kernel import Action, Ask, GameSpec, Level, Position, Rng, Seat, Table
from engine.players.search import looked_ahead
from engine.refusals import Faulty
from engine.text import Text, text, verbatim

T = TypeVar("T")
LEVELS: tuple[Level, ...] = get_args(Level)
NAMES: Mapping[Level, Text] = {"beginners": text("for beginners"), "solid": text("solid"), "strong": text("strong")}
SLIPS = 0.3             # of the answers of a player for beginners are the next best thing that comes to mind


class Seeded:
    """A player's whims, from a seed: the same seed gives the same ones, wherever and whenever."""

    def __init__(self, seed: str) -> None:
        self._key, self._number = hashlib.sha256(seed.encode()).digest(), 0

    def random(self) -> float:
        """A number from 0 to below 1."""
        self._number += 1
        digest = hashlib.sha256(self._key + self._number.to_bytes(8, "big")).digest()
        return int.from_bytes(digest[:7], "big") / (1 << 56)

    def choice(self, seq: Sequence[T], /) -> T:
        return seq[int(self.random() * len(seq))]

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        left = list(population)
        return [left.pop(int(self.random() * len(left))) for _ in range(k)]


def level_of(written: str) -> Level:
    """A strength by its key. Raises Faulty."""
    for level in LEVELS:
        if level == written:
            return level
    raise Faulty("There is no automatic player of strength {level}. Choose among: {levels}.", level=verbatim(written),
                 levels=tuple(map(verbatim, LEVELS)))


def level_named(name: str | None) -> str:
    """The strength that people call so; "" for none."""
    return next((level for level in LEVELS if name == NAMES[level].template), "")


def playable(spec: GameSpec) -> bool:
    return spec.automatic is not None


def position(table: Table, seat: Seat, worlds: Callable[[str], Table] | None = None) -> Position[Any] | None:
    """Return what an automatic player in a seat is given now; None if it is asked nothing, or if the game has none."""
    question = table.asked(seat)
    if question is None or table.spec.automatic is None:
        return None
    put = Ask[Any](seat, (), "", question.point, about=question.about)
    return Position(state=table.spec.automatic.known(table.state, seat), question=put, options=table.options(seat),
                    default=table.default(seat), worlds=worlds)


def seed_of(position: Position[Any], secret: str = "") -> str:
    """Return what the whims of a player come from: all that it sees, so that it answers the same question the same way."""
    options = json.dumps([[option.verb, option.model_dump(mode="json")] for option in position.options])
    return f"{secret} {position.question.point} {position.seat} {options} {position.state.model_dump_json()}"


def choose(spec: GameSpec, level: Level, position: Position[Any], secret: str = "") -> Action:
    """The answer of a player of this strength; `secret` tells games apart in which the same happens."""
    return answer(spec, level, position, Seeded(seed_of(position, secret)))


def answer(spec: GameSpec, level: Level, position: Position[Any], rng: Rng) -> Action:
    players = spec.automatic
    assert players is not None, "the game has no automatic players"
    if len(position.options) == 1 and position.options[0] == position.default:
        return position.default
    if level == "strong" and players.strong is not None:
        return players.strong(position, rng)
    if level == "strong" and players.search is not None and position.worlds is not None:
        return looked_ahead(players, position, rng)
    if level == "beginners" and rng.random() < SLIPS:
        return _slip(position, rng)
    return players.solid(position, rng)


def _slip(position: Position[Any], rng: Rng) -> Action:
    """Return what somebody does who does not think: any answer that nobody would have to confirm."""
    plain = [option for option in position.options if option.consequence(position.state, position.seat) is None]
    return rng.choice(plain) if plain else position.default
