"""Where buttons lead that the panels of a game show; `answering`, `absence`, `undo` and others do what they say."""
from __future__ import annotations

from bot.discord.components import Route

MENU = Route[int, str, int, str, int]("menu")           # game, seat, where it stands, path, page
PICK = Route[int, str, int, str, str]("pick")           # game, seat, where it stands, path, what was chosen
ANSWER = Route[int, str, int, str]("do")                # game, seat, when it was asked, choice
AMOUNT = Route[int, str, int, str]("amount")            # game, seat, where it stands, path
TAKE_BACK = Route[int, str, int]("back")                # game, seat, the newest row
CANNOT = Route[int, str]("cannot")                      # game, seat
HERE = Route[int]("here")                               # game
HAPPENED = Route[int]("happened")                       # game
