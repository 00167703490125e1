"""The buttons of a game that has not begun; `lobby.commands` does what they say."""
from __future__ import annotations

from bot.discord.components import Persistent, Route, Style, button
from bot.store import GameRow
from engine.kernel import GameSpec
from engine.text import text

JOIN = Route[int]("join")
LEAVE = Route[int]("leave")
START = Route[int]("start")


def seating(game: GameRow, spec: GameSpec, taken: int) -> list[Persistent]:
    """Join while a seat is free, leave while one is taken, and start as soon as enough have joined."""
    out = [button(text("Join"), JOIN, game.id, style=Style.success)] if taken < game.seats else []
    if taken in spec.seats:
        out.append(starting(game))
    return [*out, *([button(text("Leave"), LEAVE, game.id)] if taken else [])]


def starting(game: GameRow) -> Persistent:
    """The button for the host."""
    return button(text("Start"), START, game.id, style=Style.primary)
