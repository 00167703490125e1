"""The picture of a ranking: every fact changes it, and whatever names members have, it stays within its columns."""
from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from renderer import Ranked, Ranking, render
from renderer.brushes import Brush, width
from renderer.ranking import FAIR, GAMES, NAMES, POINTS, RANGE, WINS
from renderer.themes import THEMES

pytestmark = pytest.mark.edge

LIMIT = 100_000         # bytes
FIRST = Ranked(place=1, name="Ada", points=1400, likely=1900, games=42, wins="12.5", fair="9.3")
PAGE = Ranking(title="The club · Ranking, all games", heading="Ada is first with 1,400", low=-200, high=2600, rows=(
    FIRST, replace(FIRST, place=2, name="Anneliese von Hohenstaufen-Wittgenstein 🎲", points=-120, likely=1000, games=1000,
                   wins="1000", fair="123.4"), replace(FIRST, place=10, name="\u202e")))


@pytest.mark.parametrize("theme", THEMES)
def test_a_page_is_a_small_picture_in_either_theme(theme: str) -> None:
    drawn = render(PAGE, theme)
    assert len(drawn) < LIMIT and drawn == render(PAGE, theme)
    assert Image.open(BytesIO(drawn)).size == (1200, 476)


@pytest.mark.parametrize("fact", [
    {"place": 4}, {"name": "Ben"}, {"points": 1401}, {"likely": 2100}, {"games": 7}, {"wins": "7"}, {"fair": "7"},
    {"reader": True}])
def test_every_fact_of_a_member_is_seen(fact: dict[str, Any]) -> None:
    one = replace(PAGE, rows=(FIRST,))
    assert render(replace(one, rows=(replace(FIRST, **fact),))) != render(one)


def test_no_column_reaches_into_another(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: dict[int, int] = {}               # where texts that end at a place begin at the least
    names: list[int] = []
    write = Brush.text

    def noted(brush: Brush, x: int, y: int, words: str, face: Any, size: int, ink: Any, **more: Any) -> int:
        wide = width(words, face, size)
        if more.get("align") == "r":
            ends[x] = min(ends.get(x, x), x - wide)
        elif x == NAMES:
            names.append(x + wide)
        return write(brush, x, y, words, face, size, ink, **more)

    monkeypatch.setattr(Brush, "text", noted)
    render(PAGE)
    assert max(names) < RANGE.left and ends.keys() == {POINTS, GAMES, WINS, FAIR}
    for before, column in ((RANGE.corners[2], POINTS), (POINTS, GAMES), (GAMES, WINS), (WINS, FAIR)):
        assert before < ends[column]
