"""What a game does about a player who never makes a first move, as its host has chosen before the start [P-46]."""
from __future__ import annotations

from datetime import timedelta
from typing import Literal

from engine.text import Text, count, text

NoShow = Literal["wait", "replace", "drop"]     # nothing; the seat is free; the game is opened again without the player

FIRST_MOVE = timedelta(days=3)          # for a first move in a game without a clock; with one its deadline counts


def sentence(what: NoShow, *, timed: bool) -> Text:
    """What it does, for people."""
    if what == "wait":
        return text("The game waits for whoever makes no first move.")
    within = text("by its deadline") if timed else text("within {days}", days=count(FIRST_MOVE.days, "{n} day", "{n} days"))
    if what == "replace":
        return text("If somebody makes no first move {within}, their seat is free for others.", within=within)
    return text("If somebody makes no first move {within}, and nothing has happened yet, the game is opened again without them. "
                "Otherwise their seat is free for others.", within=within)
