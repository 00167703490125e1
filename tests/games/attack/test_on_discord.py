"""Attack! on the simulated Discord: opened, joined and played by commands, buttons and menus; nobody is told a hand."""
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import record
from engine.games.attack import GAME
from engine.games.attack.state import State
from engine.text import Reader, say
from tests.bot.discord_world import World, words
from tests.bot.test_whole_game import Party, sketch
from tests.games.attack.scene import scene

HAND = re.compile(r"Your cards as (\w+):")


class Table(Party):
    """People at a table of Attack!, and the hands that they were shown."""

    async def note_totals(self) -> None:
        """What is secret here is no number to keep."""

    async def check_hands(self) -> None:
        """Everybody was shown the own hand and nobody else's."""
        state = await self.state()
        holders = {holder.user: state.power(holder.seat) for holder in await self.world.services.queries.holders(1)}
        names = GAME.words.names(state.parts)
        for user, said in self.shown:
            for power in HAND.findall(said):
                assert power == names[holders[user]], f"a member was shown the hand of {power}: {said}"
        public = [message.content for message in self.world.table.history()]
        assert not any(HAND.search(content) or "You drew" in content for content in public)


async def ended(world: World, table: Table) -> None:
    """The result is told, and the record of the game can be repeated."""
    state: Any = await table.state()
    assert (await world.services.session.table(1)).over
    result = say(GAME.words.result(state), Reader(GAME.words.names(state.parts)))
    assert any(result in message.content for message in world.table.history()[-6:])
    replayed = record.replay(record.read(await world.services.records.export(1)), GAME)
    assert replayed.state.model_dump_json() == state.model_dump_json()


async def test_ATK_20_14_an_open_deal_is_asked_in_private_and_the_channel_reads_whose_move_it_is(tmp_path: Path) -> None:
    """In the channel, in the status, in a reminder there, in the history, and in the record of a running game."""
    start = scene(powers=("red", "blue", "green"), controller="green", hands={"red": ("oil_2",), "blue": ("minerals_1",)},
                  land={"mexico": ("red", "1I"), "france": ("blue", "1I"), "mozambique": ("green", "1I")}).start.state
    spec = GAME.changed(setup=lambda seats, options, parts: State.model_validate_json(start))
    async with World.at(tmp_path / "games.db", games=(spec,), draw=sketch) as world:
        await world.olga.slash(world.table, "game open", game="attack", seats=3, clock="24h")
        for player in (world.alice, world.bob, world.carol):
            await player.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        offered = words(await world.alice.slash(world.table, "attack offer", partner="Blue", give="oil 2", take="minerals 1"))
        assert offered.count("You offer Blue Oil 2") == 1
        await world.services.settings.set_member(world.bob.id,
                                                 replace(await world.services.settings.member(world.bob.id), direct=False))
        await world.env.advance_time(4 * 3600 + 60)
        *_, asked, reminder = world.posts()
        told = asked.splitlines()[0].removeprefix(f"{world.bob.mention} **Blue**: ")
        assert told.endswith("decide in private.")
        assert reminder.startswith(f"{world.bob.mention}, it's your move:") and f"Blue: {told}" in reminder
        assert "Red offers you Oil 2" in words(await world.bob.slash(world.table, "my move"))
        assert "Blue hasn't replied" in words(await world.alice.slash(world.table, "my move"))
        await world.bob.slash(world.table, "attack answer", accept=True)
        await world.carol.slash(world.table, "attack permit", allow=False)
        shown = [words(await world.olga.slash(world.table, name)) for name in ("game status", "game history", "my since")]
        public = [*world.posts(), *shown, await world.services.records.export(1)]
        assert not any(word in said.casefold() for said in public for word in ("deal", "offer", "oil", "block", "red and blue"))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "taps", "share"), [(2, False, 0.5), (4, True, 0.2)])
async def test_a_whole_game(tmp_path: Path, seats: int, taps: bool, share: float) -> None:
    """The rules with other numbers of players are played without Discord: `test_properties`, `test_catalog`."""
    async with World.at(tmp_path / "games.db", (GAME,), draw=sketch) as world:
        table = Table(world, seats, seed=seats, edition="message", taps=taps, spec=GAME, share=share)
        await table.begin()
        answers = 0
        while not (await world.services.session.table(1)).over and answers < 6000:
            await table.answer()
            answers += 1
            if answers == 40:
                await world.env.settle()
                before = (await table.state()).model_dump_json()
                await world.restart()
                assert (await table.state()).model_dump_json() == before, "it is there again after a restart"
        await world.env.settle()
        await table.check_hands()
        await ended(world, table)
