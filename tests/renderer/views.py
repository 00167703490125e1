"""Views and pictures with something changed."""
from __future__ import annotations

import sys

import pytest
from PIL import Image

from engine.games.struggle_of_empires.pictures.alt_text import describe as words_for
from engine.games.struggle_of_empires.pictures.scenes import Board
from engine.games.struggle_of_empires.view import AreaView, Captive, Garrison, Neutral, View
from renderer import brushes, render
from renderer.games.struggle_of_empires import base, cards
from tools.samples import boards

ALT_TEXT = 1024         # characters


def describe(view: View) -> str:
    return words_for(view, ALT_TEXT)


def with_power(view: View, power: str, **fields: object) -> View:
    return view.model_copy(update={"powers": tuple([one.model_copy(update=fields) if one.power == power else one
                                                    for one in view.powers])})


def forget() -> None:
    """Empty the caches of all that is drawn on the bases, whatever the title."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("renderer.") and not name.endswith(".base"):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear") and thing.__module__ == name and ".maps." not in name:
                    thing.cache_clear()


VIEW = boards.sample(7)
AUCTION = boards.auction()
POWER = "britain"
INDIA = next(area for area in VIEW.areas if area.area == "india")


def held(power: str, markers: int = 0, armies: int = 0, navies: int = 0, forts: int = 0) -> Garrison:
    return Garrison(power=power, markers=markers, armies=armies, navies=navies, forts=forts)


def india(*garrisons: Garrison, neutrals: tuple[Neutral, ...] = (), captives: tuple[Captive, ...] = (),
          blockades: tuple[str, ...] = ()) -> AreaView:
    return INDIA.model_copy(update={"garrisons": garrisons, "neutrals": neutrals, "captives": captives, "blockades": blockades})


def drawn(now: AreaView, before: AreaView | None, deeds: tuple[str, ...] = ()) -> Image.Image:
    """The card of India, in its slot on the map."""
    return cards.card(base.Look("dark", base.SHORT, ()), now, before, deeds).convert("RGB")


def named(*names: str) -> Board:
    return Board(now=VIEW, people=tuple(zip([power.power for power in VIEW.powers], names)))


def boxes_of_text(monkeypatch: pytest.MonkeyPatch, scene: Board) -> list[tuple[Image.Image, list[tuple[int, ...]]]]:
    """The ink of every text of a board, by the image on which it was written."""
    written: dict[int, tuple[Image.Image, list[tuple[int, ...]]]] = {}
    honest = brushes.Brush.text

    def noting(self, x, y, words, face, size, ink, *, align="l", **more):
        wide = honest(self, x, y, words, face, size, ink, align=align, **more)
        pen, foot = x - {"l": 0, "m": wide / 2, "r": wide}[align], y + brushes._rise(face, size)
        for run, name in brushes._runs(words, face, size):
            font = brushes._font(name, size)
            left, top, right, bottom = font.getbbox(run, anchor="ls")
            box = (round(pen + left), round(foot + top), round(pen + right), round(foot + bottom))
            written.setdefault(id(self.image), (self.image, []))[1].append(box)
            pen += font.getlength(run)
        return wide

    monkeypatch.setattr(brushes.Brush, "text", noting)
    forget()
    render(scene)
    return list(written.values())
