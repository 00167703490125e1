"""Sentences that many tests meet: they stand here, and elsewhere by their names."""
from __future__ import annotations

NO_SEAT = "You have no seat in this game"
FOR_MASTERS = "This is for the game master"
FOR_MASTERS_OR_ROLE = f"{FOR_MASTERS}, or for members with the server's game master role (/settings)."
EARLIER = "That was for an earlier question."
NO_GAME_HERE = "There is no game 1 here"
NO_GAME_LIKE_THAT = "There's no game of that kind in this channel. /game list shows this server's games."
BROKEN = "Something went wrong inside the bot"              # begins what people are told of an exception that nobody expects
NUMBERED = f"{BROKEN}. Nothing has changed. The bot's operator can look this up as incident 1."
ELSE_FIRST = "First decide this"
PAUSED = "The game is paused. Its game master can resume it."
NOTHING_TO_DO = "Nothing to do right now. Turn 1."
NO_RECORD = "isn't a line of a game record"
NO_PACK = "The data pack isn't a JSON file."
OTHER_ROLLS = "isn't allowed by the rules and the dice"
WELCOME_BACK = "Welcome back: you're no longer away. Nothing else has been done"
END_AS_WINNER = "End the game as its winner"
