"""The buttons below the news of a game that can be joined; `lobby.commands` does what they say."""
from __future__ import annotations

from bot.discord.components import Persistent, Route, Style, button
from bot.store import GameRow
from engine.text import text

JOIN = Route[int]("join")
LEAVE = Route[int]("leave")


def joining(game: GameRow) -> list[Persistent]:
    """The buttons below the news of a game that can be joined."""
    return [button(text("Join"), JOIN, game.id, style=Style.success), button(text("Leave"), LEAVE, game.id)]
