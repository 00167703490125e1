"""The languages that members read: a catalog of messages for each, with its plurals and lists."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import Final


@dataclass(frozen=True, eq=False)
class Language:
    """A language with its translations of the English templates; what it lacks is read in English."""

    code: str
    own_name: str
    catalog: NullTranslations = field(default_factory=NullTranslations)

    def gettext(self, message: str) -> str:
        return self.catalog.gettext(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.catalog.ngettext(one, many, n)

    def listing(self, items: list[str]) -> str:
        if len(items) < 2:
            return items[0] if items else self.gettext("nothing")
        if self is ENGLISH:
            return f"{', '.join(items[:-1])} and {items[-1]}"
        from babel.lists import format_list  # waits until another language is spoken

        return format_list(items, locale=self.code)


ENGLISH: Final = Language("en", "English")
LANGUAGES: Final[Mapping[str, Language]] = {language.code: language for language in (
    ENGLISH, Language("de", "Deutsch"), Language("ru", "Русский"), Language("he", "עברית"))}
LANGUAGE: Final = ContextVar("language", default=ENGLISH)       # spoken now: of whoever has pressed or typed


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """What is said inside is said in this language; a coroutine that is thrown away ends elsewhere, where it never was."""
    before = LANGUAGE.set(language)
    try:
        yield
    finally:
        with suppress(ValueError):
            LANGUAGE.reset(before)
