"""/table chronicle: a finished game from first to last, in words and as a picture of its points over time."""
from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from bot.core.visit import Visit
from bot.discord.admission import asker
from bot.discord.components import button, in_game, in_rows, view
from bot.discord.context import Interaction
from bot.discord.game.buttons import HOME
from bot.discord.lengths import clip
from bot.discord.pictures import ALT_TEXT
from bot.discord.responses import reply, titled
from bot.discord.results.routes import CHRONICLE
from bot.domain.chronicle import Chronicle, Stop, described, ends_of_periods, sentences_of, turning_points
from bot.service.queries import people_of
from bot.store import GameRow
from engine.kernel import Seat
from engine.outside import plain
from engine.text import Reader, lines, say, text, verbatim

MOST = 160              # stops of the picture; of a longer game it has every second, or third ...


@in_game(CHRONICLE)
async def show_chronicle(interaction: Interaction, visit: Visit) -> None:
    """The whole course of a finished game, for the caller alone. Raises Refusal: it isn't over."""
    game, reader, people = visit.game, visit.reader, people_of(visit.holders)
    newest, found = await interaction.client.services.chronicles.chronicle(game.id)
    words = lines([text("**{title}** (game {game}), chronicle", title=verbatim(titled(game)), game=game.id),
                   *sentences_of(found)])
    below = view(in_rows([[button(text("Back to the game"), HOME, game.id)]]))
    if len(found.stops) < 2:
        await reply(interaction, words, below)
        return
    instead = clip("\n".join([say(line, reader) for line in described(found)]), ALT_TEXT)
    drawn = await interaction.client.gallery.sheet(
        "chronicle", scene(game, found, people, reader), instead,
        visit.facts.theme, by=asker(interaction),
        key=(game.id, newest, game.title, tuple(people.items())))
    await reply(interaction, words, below, files=drawn.files())


def scene(game: GameRow, found: Chronicle, people: Mapping[Seat, str], reader: Reader) -> object:
    from renderer import Line, Points  # Pillow waits until a picture is wanted

    every = -(-len(found.stops) // MOST)
    kept = sorted({*range(0, len(found.stops), every), *found.turning, len(found.stops) - 1})
    stops = [found.stops[number] for number in kept]
    ends = ends_of_periods(stops)
    return Points(
        game=game.key, title=f"{plain(game.title)} · {say(text('chronicle'), reader)}", heading=say(found.course.counted, reader),
        lines=tuple([Line(side=side, name=say(side, reader), player=people.get(seat, ""),
                          points=tuple([stop.points[n] for stop in stops]))
                     for n, (seat, side) in enumerate(zip(found.seats, found.sides))]),
        bands=tuple([_band(stops[before + 1], stops[end], end, reader) for before, end in pairwise([0, *ends])]),
        turning=tuple([(kept.index(stop), say(words, reader)) for stop, words in zip(found.turning, turning_points(found))]))


def _band(first: Stop, last: Stop, end: int, reader: Reader) -> Any:
    from renderer import Band

    one, other = first.period, last.period
    together = f"{one.short}–{other.short}"
    return Band(name=say(one.name, reader) if one == other else together, short=one.short if one == other else together, end=end)
