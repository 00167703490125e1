"""Every kind of picture in every language: whole letters, no English, nothing over an edge or over other words."""
from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from PIL import Image

from engine.catalog import GAMES
from engine.kernel import GameSpec, Seat
from engine.kernel.game_spec import Picture
from engine.text.language import Language
from engine.text.languages import ENGLISH, PREPARED, forms_of, speaking
from renderer import render
from renderer.brushes import Align, Brush, Face, missing
from renderer.layout.boxes import Box
from renderer.themes import Colour
from tools.gallery import NAMES, Played, chosen, play, tables

CYRILLIC = str.maketrans({chr(ord("a") + n): chr(ord("а") + n) for n in range(26)} | {
    chr(ord("A") + n): chr(ord("А") + n) for n in range(26)})
LONGER = 0.4                # as translations can be
WORD = re.compile(r"[A-Za-z]{3,}")
KEPT = {word for name in (*NAMES, *(spec.name for spec in GAMES)) for word in WORD.findall(name)} | {"TRP"}

KNOWN = {line for name, forms in {**forms_of("de"), **ENGLISH.forms}.items() for said in (name, *forms.values())
         for line in said.split("\n")}


def longer(words: str) -> str:
    """In other letters, and some more of them; facts as they are."""
    parts = [part if part.startswith("{") else part.translate(CYRILLIC) for part in re.split(r"(\{[^}]*\})", words)]
    return "".join(parts) + "ж" * (words not in KNOWN and round(LONGER * len(words))) if WORD.search(words) else words

CUT = tuple(name[:4] for name in NAMES)         # how names of people begin, wherever they are cut off


class Longer(NullTranslations):
    """Translates what has words, and makes it longer unless it is a name: those are chosen to fit."""

    def gettext(self, message: str) -> str:
        return longer(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return longer(msgid1 if n == 1 else msgid2)


LANGUAGES = {"longer": Language("ru", "", Longer(), {name: {form: "\n".join(map(longer, said.split("\n")))
                                                            for form, said in forms.items()}
                                                     for name, forms in ENGLISH.forms.items()}),
             **{code: language for code, language in PREPARED.items() if code != "en"}}


class Written(NamedTuple):
    """A line of words in a picture, or in a part that is put into one."""

    words: str
    face: Face
    box: Box                        # from the feet of its capitals to their heads
    wide: int                       # of what it is drawn on


@cache
def played(key: str) -> tuple[tuple[Played, list[tuple[str, Picture, int, Seat | None]]], ...]:
    """A game of each edition, and the rows at which its pictures are drawn: the same in all languages."""
    spec = next(one for one in GAMES if one.key == key)
    games = [play(spec, edition, seats, 1) for edition, seats in tables(spec)]
    return tuple((game, list(chosen(game))) for game in games)


def written(spec: GameSpec, language: Language, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[Written]]]:
    """The words of all pictures but films, whose frames are boards: those of each part by themselves."""
    parts: dict[int, list[Written]] = {}
    images: list[Image.Image] = []              # kept, so that none has the number of another
    draw = Brush.text

    def noted(brush: Brush, x: int, y: int, words: str, face: Face, size: int, ink: Colour, *, align: Align = "l",
              halo: Colour | None = None) -> int:
        wide = draw(brush, x, y, words, face, size, ink, align=align, halo=halo)
        high, left = round(size * 0.6), round(x - {"l": 0, "m": wide / 2, "r": wide}[align])
        images.append(brush.image)
        box = Box(left, y - high // 2, wide, high)
        parts.setdefault(id(brush.image), []).append(Written(words, face, box, brush.image.width))
        return wide

    monkeypatch.setattr(Brush, "text", noted)
    with speaking(language):
        for game, rows in played(spec.key):
            for name, picture, row, seat in rows:
                scene: Any = picture.scene(game.story(picture, row, seat=seat))
                if not hasattr(scene, "frames"):
                    parts.clear()
                    images.clear()
                    render(scene)
                    yield from ((f"{game.edition} {name}", part) for part in parts.values())


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_words_in_pictures_are_whole_and_have_room(spec: GameSpec, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = set[tuple[str, ...]]()
    for name, part in written(spec, LANGUAGES[code], monkeypatch):
        for line in part:
            if missing(line.words, line.face):
                found.add((name, "missing", line.words))
            if line.words and not 0 <= line.box.left <= line.box.left + line.box.wide <= line.wide:
                found.add((name, "over the edge", line.words))
            if code == "longer" and not line.words.startswith(CUT) and any(word not in KEPT for word in WORD.findall(line.words)):
                found.add((name, "English", line.words))
        found.update((name, "over each other", one.words, other.words) for one, other in combinations(part, 2)
                     if one.box.meets(other.box) and one.box != other.box)
    assert not found, "\n".join(" · ".join(one) for one in sorted(found))


@pytest.mark.parametrize("letters", ["абвгдежзийклмнопрстуфхцчшщъыьэюяё", "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"])
def test_every_letter_of_a_language_has_a_picture(letters: str) -> None:
    faces: tuple[Face, ...] = ("title", "name", "label", "number")
    assert not [missing(letters + letters.upper(), face) for face in faces if missing(letters + letters.upper(), face)]
