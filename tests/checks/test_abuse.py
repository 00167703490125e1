"""The search for whatever keeps the event loop from others: it tries everything, and it sees a turn that is too long."""
from __future__ import annotations

import asyncio
from contextvars import copy_context

import pytest
from discord import AppCommandOptionType, app_commands

from bot.discord import components
from tests.bot.discord_world import World
from tests.checks import abuse
from tests.checks.abuse import Assault, Step, Watch, timed
from tests.toy import PEBBLES

TYPED = (AppCommandOptionType.string, AppCommandOptionType.integer)
HANDED = {"game open", "gm import"}             # the commands that take a file


async def test_every_option_of_every_command_every_form_and_every_file_is_tried(world: World) -> None:
    assault = Assault(world, PEBBLES)
    for command in world.bot.tree.walk_commands():
        if isinstance(command, app_commands.Group):
            continue
        tried = [name for name, _ in assault._typed(command)]
        files = [one for one in command.parameters if one.type is AppCommandOptionType.attachment]
        assert bool(files) == (command.qualified_name in HANDED), "a file that nobody tries"
        for option in command.parameters if command.qualified_name != "gm import" else ():
            if option.type in TYPED and not option.choices:
                assert any(name.startswith(f"/{command.qualified_name} {option.display_name}: ") for name in tried)
            if option.autocomplete:
                assert any(name.startswith(f"suggestions for {option.display_name} of ") for name in tried)
    for name, known in components._registered.items():
        tried = [what for what, _ in assault._pressed(name, known)]
        assert any(f"a press of {name}, " in what for what in tried) == (str in known.kinds)
        if known.kinds[-1:] == [str] and not known.opens:
            assert any(f"the form {name}, " in what for what in tried)


async def test_a_turn_that_is_too_long_is_seen_and_is_the_deed_s_that_caused_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now, mine, tried = [0.0], copy_context(), list[str]()
    monkeypatch.setattr(abuse, "perf_counter", lambda: now[0])

    async def theirs(seconds: float) -> None:
        now[0] += seconds                       # what the bot does in one turn

    def step(name: str, *seconds: float) -> tuple[str, Step]:
        async def do() -> None:
            tried.append(name)
            now[0] += 50                        # what whoever hands it in does
            for one in seconds[:1] if tried.count(name) == 1 else seconds[-1:]:
                await asyncio.get_running_loop().create_task(theirs(one), context=copy_context())
        return name, do

    took = await asyncio.get_running_loop().create_task(
        timed([step("quick", 0.01), step("slow", 0.3), step("late", 9, 0.02)], Watch(mine)), context=mine)
    assert {name: round(longest) for name, longest in took.items()} == {"quick": 10, "slow": 300, "late": 20}
    assert tried == ["quick", *["slow"] * abuse.TRIES, "late", "late"]
