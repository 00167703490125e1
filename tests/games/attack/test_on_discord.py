"""Attack! on the simulated Discord: opened, joined and played by commands, buttons and menus; nobody is told a hand."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine import record
from engine.games.attack import GAME
from engine.text import English, say
from tests.bot.discord_world import World
from tests.bot.test_whole_game import Party, sketch

HAND = re.compile(r"Your cards as (\w+):")


class Table(Party):
    """People at a table of Attack!, and the hands that they were shown."""

    async def note_totals(self) -> None:
        """What is secret here is no number to keep."""

    async def check_hands(self) -> None:
        """Everybody was shown the own hand and nobody else's."""
        state = await self.state()
        holders = {holder.user: state.power(holder.seat) for holder in await self.world.play.holders(1)}
        names = GAME.words.names(state.parts)
        for user, said in self.shown:
            for power in HAND.findall(said):
                assert power == names[holders[user]], f"a member was shown the hand of {power}: {said}"
        public = [message.content for message in self.world.table.history()]
        assert not any(HAND.search(content) or "You drew" in content for content in public)


async def played(tmp_path: Path, seats: int, *, seed: int, taps: bool, most: int) -> None:
    world = await World.made(tmp_path / "games.db", games=(GAME,), draw=sketch)
    try:
        table = Table(world, seats, seed=seed, edition="message", taps=taps, spec=GAME)
        await table.begin()
        answers = 0
        while not (await world.play.table(1)).over and answers < most:
            await table.answer()
            answers += 1
            if answers == 40:
                before = (await table.state()).model_dump_json()
                await world.restart()
                assert (await table.state()).model_dump_json() == before, "it is there again after a restart"
        await table.check_hands()
        if most > 1000:
            await ended(world, table)
    finally:
        await world.shutdown()
    world.check()


async def ended(world: World, table: Table) -> None:
    """The result is told, and the record of the game can be repeated."""
    state: Any = await table.state()
    assert (await world.play.table(1)).over
    result = say(GAME.words.result(state), English(GAME.words.names(state.parts)))
    assert any(result in message.content for message in world.table.history()[-6:])
    replayed = record.replay(record.read(await world.play.export(1)), GAME)
    assert replayed.state.model_dump_json() == state.model_dump_json()


@pytest.mark.parametrize("taps", [True, False], ids=["taps", "any way"])
async def test_some_turns(tmp_path: Path, taps: bool) -> None:
    await played(tmp_path, 3, seed=5, taps=taps, most=80)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "taps"), [(2, False), (4, True), (6, False)])
async def test_a_whole_game(tmp_path: Path, seats: int, taps: bool) -> None:
    await played(tmp_path, seats, seed=seats, taps=taps, most=6000)
