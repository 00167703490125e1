"""The buttons of a game that has not begun; `lobby.commands` does what they say."""
from __future__ import annotations

from collections.abc import Sequence

from bot.discord.components import Persistent, Route, Style, button
from bot.discord.game.buttons import HOME
from bot.store import GameRow, Holder
from engine.kernel import GameSpec
from engine.players import playable
from engine.text import text, verbatim

JOIN = Route[int]("join")
LEAVE = Route[int]("leave")
START = Route[int]("start")
FILL = Route[int]("fill")
UNFILL = Route[int]("unfill")
REMATCH = Route[int]("rematch")
GUESTS = Route[int]("guests")
RECORD = Route[int]("record")
OPTIONS = Route[int]("options")
SEAT = Route[int, str]("freeseat")          # game, seat
SEATS = Route[int]("freeseats")             # game
OPEN_EDITION = Route[str, int, str]("openedition")     # game, number of players or 0, edition
OPEN = Route[()]("open")
GAMES = Route[int, int]("games")            # finished ones, too; page


def seating(game: GameRow, spec: GameSpec, holders: Sequence[Holder], *, inside: bool | None = None) -> list[Persistent]:
    """Join while a seat is free of people, leave while one is taken, start as soon as there are enough; automatic players.

    Whoever reads it alone and is `inside` has joined, and can leave; whoever is not can join.
    """
    taken, automatic = len(holders), sum(bool(holder.level) for holder in holders)
    out = [button(text("Join"), JOIN, game.id, style=Style.success)] if taken - automatic < game.seats and not inside else []
    if taken in spec.seats and (taken > automatic or taken == game.seats):
        out.append(starting(game))
    out += [button(text("Leave"), LEAVE, game.id)] if taken > automatic and inside is not False else []
    if automatic:
        out.append(button(text("Remove automatic players"), UNFILL, game.id))
    if taken < game.seats and playable(spec):
        out.append(button(text("Add automatic players"), FILL, game.id))
    return out


def back(game: int) -> Persistent:
    """From a panel of the lobby to the game."""
    return button(text("Back"), HOME, game)


def starting(game: GameRow) -> Persistent:
    return button(text("Start"), START, game.id, style=Style.primary)


def rematching(game: int) -> Persistent:
    return button(text("Rematch"), REMATCH, game, style=Style.success)


def recording(game: int) -> Persistent:
    return button(text("Record"), RECORD, game)


def taking_over(game: int) -> Persistent:
    return button(text("Take over a seat"), SEATS, game, style=Style.success)


def taking_over_named(game: GameRow) -> Persistent:
    return button(text("Take over a seat: {title} · game {game}", title=verbatim(game.title), game=game.id), SEATS, game.id,
                  style=Style.success)


def joining_named(game: GameRow) -> Persistent:
    return button(text("Join: {title} · game {game}", title=verbatim(game.title), game=game.id), JOIN, game.id,
                  style=Style.success)


def joining(game: int) -> Persistent:
    return button(text("Join"), JOIN, game, style=Style.success)
