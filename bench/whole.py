"""A whole game of Imperial Struggle on the simulated Discord, by taps alone or by typed commands, every answer given there.

What happens on the way is said in `tests/games/imperial_struggle/duel.py`. Anything that goes wrong ends it with an exception.
"""
from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from tqdm import tqdm

from engine.catalog import GAMES
from tests.bot.discord_world import World
from tests.bot.test_whole_game import sketch
from tests.games.imperial_struggle.duel import Duel


def measure(edition: str = "published", seed: int = 1, typed: bool = False) -> dict[str, Any]:
    """Play Imperial Struggle to its end on the simulated Discord, by taps alone or by typed commands, and count.

    `typed`: by commands where there are any; else by taps alone.
    """
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_played(Path(folder), edition, seed, typed))


async def _played(folder: Path, edition: str, seed: int, typed: bool) -> dict[str, Any]:
    began = process_time()
    world = await World.made(folder / "games.db", games=GAMES, draw=sketch)
    interactions = 0
    try:
        duel = Duel(world, seed=seed, edition=edition, taps=not typed)
        with tqdm(unit="interaction") as bar:
            def count(method: str, path: str) -> None:
                nonlocal interactions
                if path.endswith("/callback"):
                    interactions += 1
                    bar.update()

            world.line.before = count
            await duel.begin()
            hidden = await duel.play()
        await duel.look_back(hidden)
        state = await duel.state()
        figures = {"winner": state.winner, "by": state.ended_by, "vp": state.vp, "turn": state.turn, "rows": await world.newest(),
                   "answers": duel.answered, "interactions": interactions, "published": duel.published,
                   "messages": len(world.posts())}
    finally:
        await world.shutdown()
    world.check()
    return {**figures, "seconds": process_time() - began}
