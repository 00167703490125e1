"""How answers may turn out, worked out beside the event loop."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence

from engine.kernel import Action, Checkpoint, Seat, Table
from engine.kernel.game_spec import loaded
from engine.text import Text


async def odds(table: Table, seat: Seat, answers: Sequence[Action]) -> list[Text | None]:
    """Return what the seat may weigh before each of these answers counts, in their order; None where nothing is uncertain.

    It is that of the position at the call, which is copied first: what happens at the table meanwhile is not read.
    """
    if all(type(answer).outlook is Action.outlook for answer in answers):
        return [None] * len(answers)
    position = Checkpoint(table.last_no, table.rolls, table.state.model_dump_json())

    def work() -> list[Text | None]:
        state = loaded(table.spec, table.parts, position)
        return [answer.outlook(state, seat) for answer in answers]

    return await asyncio.to_thread(work)
