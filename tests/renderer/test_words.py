"""Words in pictures are those of the language spoken now, whatever has been drawn before in another."""
from __future__ import annotations

from gettext import NullTranslations

import pytest

from engine.text import Language
from engine.text.languages import speaking
from renderer import render
from renderer.brushes import Face, missing
from tests import golden
from tests.games.attack import drawn
from tools.samples import attack

CYRILLIC = str.maketrans({chr(ord("a") + n): chr(ord("а") + n) for n in range(26)} | {
    chr(ord("A") + n): chr(ord("А") + n) for n in range(26)})


class Pseudo(NullTranslations):
    """Every word in other letters; facts stay as they are."""

    def gettext(self, message: str) -> str:
        parts = message.split("{")
        return "{".join([parts[0].translate(CYRILLIC), *(
            f"{fact}}}{words.translate(CYRILLIC)}" for fact, _, words in (part.partition("}") for part in parts[1:]))])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


SCENES: dict[str, object] = {**drawn.EVERY, **golden.scenes()}


@pytest.mark.parametrize("scene", [*SCENES.values()], ids=[*SCENES])
def test_a_picture_is_drawn_in_the_language_spoken(scene: object) -> None:
    english = render(scene)
    with speaking(Language("ru", "Русский", Pseudo())):
        assert render(scene) != english
    assert render(scene) == english


@pytest.mark.parametrize("letters", ["абвгдежзийклмнопрстуфхцчшщъыьэюяё", "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"])
def test_every_letter_of_a_language_has_a_picture(letters: str) -> None:
    faces: tuple[Face, ...] = ("title", "name", "label", "number")
    assert not [missing(letters + letters.upper(), face) for face in faces if missing(letters + letters.upper(), face)]


def test_a_table_head_is_kept_in_each_language_by_itself() -> None:
    view = attack.sample(2)
    with speaking(Language("ru", "Русский", Pseudo())):
        other = render(view)
    assert render(view) != other
