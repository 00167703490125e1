"""Words in pictures are those of the language spoken now, whatever has been drawn before in another."""
from __future__ import annotations

from gettext import NullTranslations

import pytest

from engine.text import Language
from engine.text.languages import speaking
from renderer import render
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


# One of each kind, by module; that all that is written in any picture is translated, `test_languages.py` sees.
SCENES: dict[str, object] = {f"{type(scene).__module__.split('.')[2]} {type(scene).__name__}": scene
                             for scene in (*drawn.EVERY.values(), *golden.scenes().values())}


@pytest.mark.parametrize("scene", [*SCENES.values()], ids=[*SCENES])
def test_a_picture_is_drawn_in_the_language_spoken(scene: object) -> None:
    english = render(scene)
    with speaking(Language("ru", "Русский", Pseudo())):
        assert render(scene) != english
    assert render(scene) == english


def test_a_table_head_is_kept_in_each_language_by_itself() -> None:
    view = attack.sample(2)
    with speaking(Language("ru", "Русский", Pseudo())):
        other = render(view)
    assert render(view) != other
