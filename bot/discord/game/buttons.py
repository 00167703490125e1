"""Where buttons lead that the panels of a game show; `answering`, `absence`, `undo` and others do what they say."""
from __future__ import annotations

from typing import Literal

from bot.discord.components import Persistent, Route, button
from engine.text import text

NOWHERE = 0                                             # as a game: none is meant
NOW = -1                                                # as a row: where the game stands
Page = Literal["me", "game", "server"]                  # of the settings
RehearsalChoice = Literal["here", "back", "deal", "one", "on", "board", "close"]

MENU = Route[int, str, int, str, int]("menu")           # game, seat, where it stands, path, page
PICK = Route[int, str, int, str, str]("pick")           # game, seat, where it stands, path, what was chosen
CHOOSE = Route[int, str, int, str, int, str]("choose")   # game, seat, where it stands, path, which list, what was chosen
ANSWER = Route[int, str, int, str]("do")                # game, seat, when it was asked, choice
VOTE_IN = Route[int, int, str]("votein")                # game, when it was asked, choice
CONFIRM = Route[int, str, int, str]("yes")              # game, seat, when it was asked, choice
SHEET = Route[int, str, int, str, int]("sheet")         # game, seat, where it stands, path, which form
SHEET_AGAIN = Route[int, str, int, str, int, *tuple[str, ...]]("sheetagain")     # the same, and what had been filled in
SHEET_SENT = Route[int, str, int, str, int, *tuple[str, ...]]("sheetsent")       # the same, and what was filled in
AMOUNT = Route[int, str, int, str]("amount")            # game, seat, where it stands, path
TAKE_BACK = Route[int, str, int]("back")                # game, seat, the newest row
FURTHER = Route[int, str]("further")                    # game, seat
CANNOT = Route[int, str]("cannot")                      # game, seat
MORE = Route[int, str]("moreways")                      # game, seat
HERE = Route[int]("here")                               # game
BACK_TO = Route[int, int]("backto")                      # game, row
HOME = Route[int]("home")                                # game
HAPPENED = Route[int]("happened")                       # game
SETTINGS = Route[Page, int]("settings")                 # page, game
MY_GAMES = Route[int]("mygames")                        # page
SILENT = Route[int]("silent")                           # game
STAND_IN = Route[int]("askstandin")                     # game
STEP_BACK = Route[int, str, int]("planback")            # game, seat, where the plan stands
START_OVER = Route[int, str, int]("plananew")           # game, seat, where the plan stands
PUBLISH = Route[int, str, int]("publish")               # game, seat, where the plan stands
HINT = Route[int, str]("hint")                          # game, seat
READ_UP = Route[int, str]("readup")                     # game, seat
READ_ONE = Route[int, str, int, str]("readone")         # game, seat, which list, what is read about
CLOSE_UP = Route[int, str, int, str, *tuple[str, ...]]("part")          # game, seat, where it stands, path, part of the map
LOOK = Route[int, str]("look")                          # game, picture
PLAN_BOARD = Route[int, str]("planboard")               # game, seat
LOOK_BACK = Route[int, str, str, int]("lookback")      # game, picture, what it is about, row or NOW
NOTE = Route[int, int]("note")                         # game, row
REHEARSE = Route[int, str]("rehearse")                  # game, seat
REHEARSED = Route[int, int, RehearsalChoice]("rehearsed")  # game, where the rehearsal stands, what is to be done
NOTED = Route[int, int, str]("noted")                  # game, row, what is noted
NOTES = Route[int]("notes")                            # page


def back_to_settings() -> Persistent:
    return button(text("Back"), SETTINGS, "server", NOWHERE)
