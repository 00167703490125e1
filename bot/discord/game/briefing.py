"""What a seat should know before it moves: what the game tells as a turn begins, and why its written turn goes no further."""
from __future__ import annotations

import asyncio

from bot.core.visit import Visit
from bot.discord.context import Interaction
from bot.domain.announcements import reader_of
from bot.service.orders import halted_turn
from engine.kernel import Seat, Table
from engine.kernel.game_spec import no_briefing, pictures
from engine.text import say


async def briefing(interaction: Interaction, visit: Visit, table: Table, seat: Seat) -> list[str]:
    """Return what the seat should know, line by line; nothing if it is asked nothing. `table`: where its plan leads."""
    views, reader = table.spec.views, reader_of(table)
    if table.question(seat) is None:
        return []
    halted = [say(line, reader) for line in halted_turn(visit.table, seat)]
    if views.briefing is no_briefing:
        return halted
    story = await interaction.client.services.queries.story(visit.id, pictures(table.spec)[0], seat=seat, since_own=True)
    told = await asyncio.to_thread(views.briefing, story)
    return [*(f"-# {say(line, reader)}" for line in told), *halted]
