"""What a language is: a catalog of messages, the forms of its names, its plurals and lists."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from struct import error as StructError
from typing import ClassVar

BEGIN = "Begin"                         # the form of words that begin a sentence
STOP = "."                              # the form of words that end one: a full stop behind them, unless they have their own
STOPS = (".", "!", "?", "…")
CLOSING = "*_\"”"                       # marks that may stand behind it


@dataclass(frozen=True, eq=False)
class Language:
    """A language with its translations of the English templates; what it lacks is read in English.

    A template asks a fact for a form by `{area:in}`. `forms` has those of names, by the English name: {"Caribbean": {"in": …}};
    those of other sentences are translations of their own, whose context is the form.
    """

    code: str
    own_name: str
    catalog: NullTranslations | None = None         # None: what `make texts` has compiled
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    right_to_left: ClassVar[bool] = False
    follow: ClassVar[frozenset[str]] = frozenset()  # the forms, beside a full stop, that follow from words alone

    @cached_property
    def messages(self) -> NullTranslations:
        """Read when somebody first speaks the language; all is in English if nothing was compiled that can be read."""
        return self.catalog or catalog_in(compiled(self.code)) or NullTranslations()

    def gettext(self, message: str, form: str = "") -> str:
        if form and (formed := self.messages.pgettext(form, message)) != message:
            return formed
        return self.messages.gettext(message) if message else ""         # a catalog's own description is under no words

    def ngettext(self, one: str, many: str, n: int, form: str = "") -> str:
        if form and (formed := self.messages.npgettext(form, one, many, n)) not in (one, many):
            return formed
        return self.messages.ngettext(one, many, n)

    def listing(self, items: list[str], *, either: bool = False) -> str:
        if len(items) < 2:
            return items[0] if items else self.gettext("nothing")
        from babel.lists import format_list  # waits until another language is spoken

        return format_list(items, "or" if either else "standard", self.code)

    def decimal(self, value: float) -> str:
        """A measure with one digit, if it needs one, and its thousands divided."""
        from babel.numbers import format_decimal  # waits until another language is spoken

        return format_decimal(value, "#,##0.#", self.code)

    def named(self, name: str, form: str) -> str:
        """A name in a form; in its plain one where it lacks that."""
        forms = self.forms.get(name)
        if forms is None:
            return self.formed(self.gettext(name), form) if form else self.gettext(name)
        return forms.get(form) or self.formed(forms.get("") or self.gettext(name), form)

    def written(self, said: str) -> str:
        """Words as they are sent."""
        return said

    def formed(self, said: str, form: str) -> str:
        """Words in a form that follows from them alone."""
        return f"{said}." if form == STOP and not said.rstrip(CLOSING).endswith(STOPS) else said


def compiled(code: str) -> Traversable:
    return files("data") / "languages" / code / "messages.mo"


def catalog_in(file: Traversable) -> GNUTranslations | None:
    """The messages of a compiled file; None if there is none, or a damaged one."""
    try:
        with file.open("rb") as messages:
            return GNUTranslations(messages)
    except (OSError, ValueError, StructError):
        return None
