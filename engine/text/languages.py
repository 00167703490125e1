"""The languages that members read."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib.resources import files
from json import loads
from typing import Final

from engine.text.english import English
from engine.text.hebrew import Hebrew
from engine.text.language import Language


def forms_of(code: str) -> dict[str, dict[str, str]]:
    """Return the forms of the names of all games in a language, as `data/<game>/names.<code>.json` has them."""
    found: dict[str, dict[str, str]] = {}
    for folder in files("data").iterdir():
        if (listed := folder / f"names.{code}.json").is_file():
            found |= loads(listed.read_text(encoding="utf-8"))
    return found


ENGLISH: Final = English("en", "English", forms=forms_of("en"))
PREPARED: Final[Mapping[str, Language]] = {"en": ENGLISH} | {
    code: spoken(code, own_name, forms=forms_of(code))
    for code, own_name, spoken in (("de", "Deutsch", Language), ("ru", "Русский", Language), ("he", "עברית", Hebrew))}
FINISHED: Final = ("en", "de", "ru", "he")     # all is translated: offered, so that nobody reads two languages in one sentence
LANGUAGES: Final[Mapping[str, Language]] = {code: PREPARED[code] for code in FINISHED}
LANGUAGE: Final = ContextVar[Language]("language", default=ENGLISH)       # spoken now: of whoever has pressed or typed


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """What is said inside is said in this language; a coroutine that is thrown away ends elsewhere, where it never was."""
    before = LANGUAGE.set(language)
    try:
        yield
    finally:
        with suppress(ValueError):
            LANGUAGE.reset(before)
