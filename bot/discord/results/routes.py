"""Where the buttons of rankings and tables lead, and the words that both share."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from bot.discord.components import Persistent, Route, button
from bot.discord.context import Interaction
from bot.domain.results import GameResult, Tally
from engine.refusals import Faulty
from engine.text import Text, count, text

By = Literal["title", "edition", "side", "seat", "met"]
Shown = Literal["picture", "words"]

RANKING = Route[str, Shown, int]("ranking")         # the key of a game or ALL, how it is shown, page
FIGURES = Route[int, By, int]("figures")            # a member or EVERYBODY, what by, page
CHRONICLE = Route[int]("chronicle")                 # game
LISTED = Route[int]("listed")                       # whether the presser wants to be in the tables

ALL: Final = "-"                # in a custom id: all games
EVERYBODY: Final = 0
NOTHING: Final = text("No finished game counts here yet.")
MINUTE, HOUR, DAY = 60, 3600, 86400
MOST_HOURS = 48                 # then days say more


def title_of_game(interaction: Interaction, key: str) -> str:
    """The name of a game by its key; the key itself, if this version has no such game."""
    try:
        return interaction.client.services.session.spec(key).name
    except Faulty:
        return key


def titles(interaction: Interaction, results: Iterable[GameResult]) -> Mapping[str, str]:
    keys = dict.fromkeys(result.key for result in results)
    return dict(sorted([(key, title_of_game(interaction, key)) for key in keys], key=lambda item: item[1]))


def won(total: Tally) -> Text:
    """Wins, the games, and what would be a fair share of them."""
    return text("{wins} of {games} won (an equal share would be {fair})", wins=total.wins, games=total.games,
                fair=total.fair)


def pace(seconds: int) -> Text:
    """How long a move usually took."""
    if seconds < HOUR:
        return count(max(1, round(seconds / MINUTE)), "{n} minute", "{n} minutes")
    if seconds < MOST_HOURS * HOUR:
        return count(round(seconds / HOUR), "{n} hour", "{n} hours")
    return count(round(seconds / DAY), "{n} day", "{n} days")


def to_chronicle(game: int) -> Persistent:
    return button(text("Chronicle"), CHRONICLE, game)


def to_ranking() -> Persistent:
    return button(text("Ranking"), RANKING, ALL, "picture", 1)
