"""Whether somebody who knows all that is public can tell an automatic player's true secrets from others by its small choices.

The predictor is given an answer, and two positions that look alike to everybody else: the true one, and one in which the seat has
other secrets. It replays the player in both, with whims from all that anybody knows of a game, and names the one that answers so.
Only positions count in which both would answer alike with the same whims: else the answer itself may rightly tell something.
"""
from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from bot.service.automatic_players import AutomaticPlayers
from bot.store import Store
from engine import players
from engine.kernel import GameSpec, Position
from tests.bot.desk import BLANK
from tests.bot.discord_world import World
from tests.checks.player_leaks import positions
from tests.checks.secrets import SECRETS

ALIKE = 3               # whims with which two positions are tried, to see whether they are answered alike
SURE = 3.3              # times the spread of mere guesses: what is more is no chance


@dataclass
class Predicted:
    """How often the predictor could name one of the two, and how often the true one, by what it thinks whims come from."""

    named: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    @property
    def better_than_chance(self) -> bool:
        return any(2 * self.right[guess] - named > SURE * named ** 0.5 for guess, named in self.named.items())


def predicted(spec: GameSpec, pairs: int, seed: int = 0) -> Predicted:
    """Let the predictor look at so many pairs of positions, of a game whose whims come from where the bot takes them."""
    found = Predicted()
    secret, known = asyncio.run(_whims(spec))
    for true, other in islice(_alike(spec, Random(f"predictor {seed}")), pairs):
        answer = players.choose(spec, "beginners", true, secret)
        for guess in known:
            fits = [players.choose(spec, "beginners", one, guess) == answer for one in (true, other)]
            found.named[guess] += fits[0] != fits[1]
            found.right[guess] += fits[0] > fits[1]
    return found


def seeded_from_what_all_know() -> AbstractContextManager[Any]:
    """The plant: whims from the game's number and its commitment, as they once were."""
    real = AutomaticPlayers.task

    async def task(self: AutomaticPlayers, live: Any, *args: Any, **more: Any) -> Any:
        found: Any = await real(self, live, *args, **more)
        return replace(found, secret=f"{live.row.commitment} {live.row.id}")
    return patch.object(AutomaticPlayers, "task", task)


async def _whims(spec: GameSpec) -> tuple[str, tuple[str, ...]]:
    """What the whims of a new game in a new file come from, and all that others could think of instead."""
    with tempfile.TemporaryDirectory() as folder:
        Store(Path(folder) / BLANK).close()
        async with World.at(Path(folder) / BLANK, (spec,)) as world:
            await world.olga.slash(world.table, "game open", game=spec.key, seats=2, automatic="solid")
            await world.alice.slash(world.table, "game join")
            await world.olga.slash(world.table, "game start")
            live = await world.services.session.loaded(1)
            task = await world.services.automatic.task(live, live.table, live.table.waiting()[0].seat, "beginners")
            assert task is not None, "somebody is asked"
            number, committed = str(live.row.id), live.row.commitment
            return task.secret, (f"{committed} {number}", f"{number} {committed}", committed, number, f" {number}", "")


def _alike(spec: GameSpec, pick: Random) -> Iterator[tuple[Position[Any], Position[Any]]]:
    """Pairs of positions that others cannot tell apart, and that a player answers alike with the same whims."""
    secrets = SECRETS[spec.key]
    while True:
        for table, seat in positions(spec, "", pick):
            true = players.position(table, seat)
            state = spec.rules.state.model_validate_json(table.state.model_dump_json())
            spec.rules.bind(state, table.parts)
            if true is None or len(true.options) < 3 or not secrets.of_seat(state, seat, pick.randint(1, 9)):
                continue
            question = table.asked(seat)
            assert question is not None and spec.automatic is not None
            if tuple(option for kind in question.accepts for option in kind.options(state, seat)) != true.options:
                continue
            other = replace(true, state=spec.automatic.known(state, seat))
            if other.state != true.state and all(players.answer(spec, "beginners", true, players.Seeded(whim)) == players.answer(
                    spec, "beginners", other, players.Seeded(whim)) for whim in map(str, range(ALIKE))):
                yield true, other
