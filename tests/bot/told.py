"""What is said at a desk, in the words of its players."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.service import Services
from engine.kernel import Seat
from engine.kernel.game_spec import BOARD
from engine.text import Reader, Text, say
from tests.bot.desk import ANNA, BERT, guessed
from tests.toy import Take

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NAMES = Reader({"seat_1": "Amber", "seat_2": "Basalt", "seat_3": "Chalk"})


def said(lines: Iterable[Text]) -> list[str]:
    return [say(line, NAMES) for line in lines]


async def to_the_end(services: Services) -> int:
    game = await guessed(services)
    for number in range(4):
        await services.answers.answer(game, (ANNA, BERT)[number % 2], Take.of(3, "left"))
    return game


async def seen(services: Services, game: int, seat: Seat | None = None, row: int | None = None) -> Any:
    """The board as a seat or the public may see it."""
    return BOARD.scene(await services.queries.story(game, BOARD, seat=seat, row=row))
