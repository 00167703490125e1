"""docs/playing.md names every command of the groups that it lists by name, and no other."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from discord import app_commands

from bot.discord.client import commands
from engine.catalog import GAMES

PAGE = Path(__file__).parent.parent / "docs" / "playing.md"


@pytest.mark.parametrize("name", ["game", "gm", "my", "orders", "table"])
def test_the_list_of_commands_is_whole(name: str) -> None:
    (group,) = [group for group in commands(GAMES) if group.name == name and isinstance(group, app_commands.Group)]
    assert sorted(listed(name)) == sorted(command.name for command in group.commands)


def listed(name: str) -> list[str]:
    """The commands of a group as its row of the table lists them, and the rows below that go on from it."""
    _, table = PAGE.read_text(encoding="utf-8").split(f"| `/{name} …` ")
    rows = re.match(r"\|(.*)\|\n(?:\| … .*\n)*", table)
    assert rows is not None
    said = [row.split("|")[-2] for row in rows[0].splitlines()]
    return [command for row in said for command in re.sub(r"\(.*?\)", "", row).replace(" ", "").split(",")]
