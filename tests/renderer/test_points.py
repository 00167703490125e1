"""The picture of points over time: every fact is seen, nothing leaves its place, every title's sides have their colours."""
from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from engine import catalog
from renderer import Band, Line, Points, render
from renderer.brushes import Brush, width
from renderer.points import FILLS, WIDE
from renderer.themes import THEMES

pytestmark = pytest.mark.edge

LIMIT = 130_000         # bytes
SIDES = {"struggle_of_empires": ("austria", "britain", "france", "prussia", "russia", "spain", "united_provinces"),
         "attack": ("red", "blue", "green", "brown", "tan", "gray"), "imperial_struggle": ("britain", "france"),
         "pebbles": tuple([f"seat_{n}" for n in range(1, 8)])}


def chart(game: str, stops: int = 60) -> Points:
    """A game of this title with all its sides."""
    lines = tuple([Line(side=side, name=side, player=f"Player {n} 🎲", points=tuple([
        at * (n + 2) // 3 - n for at in range(stops)])) for n, side in enumerate(SIDES[game])])
    bands = tuple([Band(name=f"War {n}", short=str(n), end=end) for n, end in ((1, 20), (2, 22), (3, stops - 1))])
    return Points(game=game, title="Friday night · chronicle", heading="Victory points", lines=lines, bands=bands, turning=(
        (5, "War 1, round 2: Prussia +12"), (6, "x " * 200), (stops - 1, "Final reckoning: Russia −51")))


@pytest.mark.parametrize("game, theme", [*zip([*[spec.key for spec in catalog.GAMES], "pebbles"], [*THEMES, *THEMES])])
def test_a_chart_is_a_small_picture_in_either_theme_and_each_side_has_its_colour(game: str, theme: str) -> None:
    drawn = render(chart(game), theme)
    image = Image.open(BytesIO(drawn))
    there = {colour for _, colour in image.convert("RGB").getcolors(256) or ()}
    fills = FILLS if game == "pebbles" else [
        import_module(f"renderer.games.{game}.common").badge(side)[1] for side in SIDES[game]]
    assert len(drawn) < LIMIT and image.width == WIDE and {*fills} <= there


def test_every_fact_is_seen() -> None:
    one = replace(chart("imperial_struggle", 30), turning=((5, "War 1, round 2: Prussia +12"),))
    first, other = one.lines
    line_facts: list[dict[str, Any]] = [{"name": "Spain"}, {"player": ""}, {"points": (3,) * 30}, {"side": "spain"}]
    facts: list[dict[str, Any]] = [
        {}, {"title": "Saturday"}, {"heading": "Territories"}, {"bands": (Band(name="War 1", short="1", end=29),)},
        {"turning": ((6, "War 1, round 2: Prussia +12"),)}, {"turning": ((5, "another"),)},
        *[{"lines": (replace(first, **fact), other)} for fact in line_facts]]
    assert len({render(replace(one, **fact)) for fact in facts}) == len(facts)


def test_whatever_people_and_games_are_called_nothing_leaves_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[int, int]] = []
    write = Brush.text

    def noted(brush: Brush, x: int, y: int, words: str, face: Any, size: int, ink: Any, *, align: Any = "l", **more: Any) -> int:
        wide = width(words, face, size)
        left = x if align == "l" else x - wide if align == "r" else x - wide // 2
        written.append((left, left + wide))
        return write(brush, x, y, words, face, size, ink, align=align, **more)

    monkeypatch.setattr(Brush, "text", noted)
    whole = chart("struggle_of_empires")
    long = "Anneliese von Hohenstaufen-Wittgenstein " * 3
    render(replace(whole, title=long, heading=long, lines=tuple([replace(line, name=long, player=long) for line in whole.lines])))
    assert min(left for left, _ in written) >= 0 and max(right for _, right in written) <= WIDE


def test_equal_lines_run_abreast_and_a_game_of_two_stops_can_be_drawn() -> None:
    level = replace(chart("attack", 60), bands=(), turning=(), lines=tuple([
        Line(side=side, name=side, player="", points=(2, 2)) for side in SIDES["attack"]]))
    assert render(level) != render(replace(level, lines=level.lines[::-1]))
