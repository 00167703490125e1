"""Messages of blocks: what one holds, what Discord refuses, and that those of earlier versions become such."""
from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import components
from simcord.components import COMPONENTS_V2_FLAG, ComponentValidationError, walk_components

from bot.discord.components import AnyRoute, button
from bot.discord.outbox.blocks import ROW, Block, blocks_view, words_in
from bot.discord.outbox.log_messages import ALBUM
from bot.domain.turns import BLOCKS, HEAD, STRUCK, TURNS, Turn, fits
from tests.bot.discord_world import World
from tests.bot.test_undo_requests import turns


def refused(view: discord.ui.LayoutView, content: str | None = None) -> bool:
    """Whether the simulated Discord refuses such a message."""
    try:
        components.validate_message_state(view.to_components(), flags=COMPONENTS_V2_FLAG, content=content, embeds=[])
    except ComponentValidationError:
        return True
    return False


def test_a_full_message_of_the_log_is_one_that_discord_takes() -> None:
    line = "x" * (BLOCKS // TURNS - HEAD - STRUCK - len("Amber"))
    told = [Turn("seat_1", "Amber", 1)] * TURNS
    assert fits([line] * TURNS, told) and not fits([line] * TURNS, [*told, told[0]]) and not fits([line] * TURNS + ["x"], told)
    items = [button(f"{number}", AnyRoute("x"), number) for number in range(ROW)]
    block = Block(f"### {'x' * (HEAD - 5)}Amber\n~~{line}~~", 0xffffff)
    full = blocks_view([block] * TURNS, items, [("board.png", "A board.")] * ALBUM)
    assert not refused(full) and len([*walk_components(full.to_components())]) <= 40


def test_the_simulated_discord_refuses_what_discord_does() -> None:
    assert refused(blocks_view([Block("A")]), content="B"), "words beside blocks"
    assert refused(blocks_view([Block("A" * 2000), Block("B" * 2001)])), "more than 4,000 characters"
    many: Any = discord.ui.LayoutView()
    many._add_count = lambda number: None               # the library would refuse it before
    for _ in range(41):
        many._children.append(discord.ui.TextDisplay("A"))
    assert refused(many), "more than 40 components"


def test_parts_of_a_block_and_its_buttons_stand_below_each_other() -> None:
    shown = blocks_view([Block("A", below=["B"])], [button(f"{number}", AnyRoute("x"), number) for number in range(ROW + 1)])
    (container,) = shown.to_components()
    assert words_in(shown) == "A\nB" and [part["type"] for part in container["components"]] == [10, 14, 10, 1, 1]


@pytest.mark.parametrize("pictured", [False, True])
async def test_what_an_earlier_version_has_posted_becomes_one_of_blocks_when_it_changes(world: World, pictured: bool) -> None:
    await turns(world)
    kept: Any = next(message for message in world._kept(world.table) if "Amber takes 2 pebbles." in str(message.components))
    kept.content, kept.components, kept.flags = "All have guessed.\nAmber takes 2 pebbles.", [], 0
    if pictured:
        kept.attachments = world.env.backend.store_attachments(world.table.id, [("board.png", b"a board")])
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE outbox SET payload = json_remove(payload, '$.turns')"))
    await world.olga.slash(world.table, "gm rollback", row=2)
    await world.services.undo.rollback(1, 2, world.olga.id)
    await world.env.settle()
    message = world.question("Amber takes 2 pebbles.")
    assert message.content == "All have guessed.\n~~Amber takes 2 pebbles.~~" and message.flags.components_v2
    assert ["board.png"] * pictured == [file.filename for file in message.attachments]
    assert ("media" in str(kept.components)) == pictured, "its picture is shown in it"
