"""The greatest questions of Attack!: how long their answers and the first screen of their menu take."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from time import process_time

from bot.discord.game.action_menu import screen
from bot.discord.pictures import favour_the_loop
from engine import components
from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.components import UNITS
from engine.games.attack.rules import movement
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin
from engine.games.attack.state import State
from engine.kernel import Checkpoint, Seat, Table
from engine.selfplay import beginning

ARMY = 400              # units of each type in each territory
TRIES = 5
RED = Seat("seat_1")


def whole_board(action: str) -> Table:
    """Red owns all territories but one, with great armies, and has begun an action."""
    parts = components.components(GAME, "base").parts
    s = State.model_validate_json(beginning(GAME, 2, "base", parts).state)
    for land in parts.territories:
        s.owner[land.id], s.units[land.id] = s.powers[0], dict.fromkeys(UNITS, ARMY)
    s.owner[parts.territories[-1].id] = s.powers[1]
    s.phase = "turn"
    table = Table(GAME, parts, Checkpoint(0, 0, s.model_dump_json()), dice=SecretDice("5e" * 32), checkpoints=False)
    table.answer(RED, Begin.of(action))
    return table


def milliseconds(deed: Callable[[], object], tries: int = TRIES) -> float:
    """What a deed takes of a core at its fastest."""
    found = []
    for _ in range(tries):
        begun = process_time()
        deed()
        found.append(1000 * (process_time() - begun))
    return min(found)


async def measured() -> dict[str, float]:
    """Each question with the number of its answers; a coroutine only because menus want a running loop."""
    figures: dict[str, float] = {}
    favour_the_loop()                           # as the bot runs
    for action in ("movement", "strategic_movement"):
        table = whole_board(action)
        movement._moves.cache_clear()
        figures[f"{action}_first_ms"] = milliseconds(partial(Move.options, table.state, RED), tries=1)
        figures[f"{action}_answers"] = len(table.options(RED))
        figures[f"{action}_list_ms"] = milliseconds(partial(Move.options, table.state, RED))
        figures[f"{action}_screen_ms"] = milliseconds(partial(screen, table, 1, RED, ("move",)))
    return figures


def measure() -> Mapping[str, float]:
    """The greatest questions: answers, and milliseconds for their list and their menu."""
    return asyncio.run(measured())
