"""docs/playing.md names every command of the groups that it lists by name; no page names a command that is gone."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from discord import app_commands

from bot.discord.client import commands
from engine.catalog import GAMES

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "playing.md"


@pytest.mark.parametrize("name", ["game", "gm", "my", "orders", "table"])
def test_the_list_of_commands_is_whole(name: str) -> None:
    (group,) = [group for group in commands(GAMES) if group.name == name and isinstance(group, app_commands.Group)]
    assert sorted(listed(name)) == sorted(command.name for command in group.commands)


def test_no_page_names_a_command_that_is_gone() -> None:
    known = {command.qualified_name for top in commands(GAMES)
             for command in (top.walk_commands() if isinstance(top, app_commands.Group) else [top])}
    groups = {name.partition(" ")[0] for name in known if " " in name}
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]
    assert [(page.name, f"/{group} {word}") for page in pages
            for group, word in re.findall(r"`/(\w+)\s(\w+)", page.read_text(encoding="utf-8"))
            if group in groups and f"{group} {word}" not in known] == []


def listed(name: str) -> list[str]:
    """The commands of a group as its row of the table lists them, and the rows below that go on from it."""
    _, table = PAGE.read_text(encoding="utf-8").split(f"| `/{name} …` ")
    rows = re.match(r"\|(.*)\|\n(?:\| … .*\n)*", table)
    assert rows is not None
    said = [row.split("|")[-2] for row in rows[0].splitlines()]
    return [command for row in said for command in re.sub(r"\(.*?\)", "", row).replace(" ", "").split(",")]
