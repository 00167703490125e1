"""The languages that members read: for each its catalog of messages, the forms of its names, its plurals and lists."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from json import loads
from typing import ClassVar, Final

BEGIN = "Begin"                         # the form of words that begin a sentence
STOP = "."                              # the form of words that end one: a full stop behind them, unless they have their own
STOPS = (".", "!", "?", "…")
CLOSING = "*_\"”"                       # marks that may stand behind it
RIGHT_TO_LEFT = ("he",)
VOWELS, CONSONANTS = tuple("aeiou"), ("uni", "use", "eu", "one")        # how words begin that are spoken with a vowel, or are not

PREFIXES: Final = {"in": "ב", "into": "ל", "from": "מ", "and": "ו", "that": "ש"}     # Hebrew words that are part of the next one
OPENING, ALEPH, TAV = "*_", "א", "ת"
SIGNED = ("+", "−")
LRM, RLM, RLE, PDF = "\u200e", "\u200f", "\u202b", "\u202c"     # Unicode's marks of direction; they have no ink
SUM = re.compile(r"(?<![\w+−\u200e-])(?=[+−-]\d|\d+ ?[+−×=–] ?\d)")     # where "+2", "3–5" and "11 + 2 = 13" begin
LOUD = re.compile(r"(?<=[A-Za-z])!(?!\u200e)")             # the end of "Attack!"
HEAD = re.compile(r"(?:> |-# |- |#+ |\d+\. )*")            # of a line: Discord's Markdown, which nothing may precede
HEBREW, ONE_WAY = re.compile("[א-ת]"), re.compile("[א-ת]([^A-Za-z<`]*[א-ת0-9])?")   # a line that is read right anywhere


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
    follow: ClassVar[frozenset[str]] = frozenset()  # the forms, beside a full stop, that follow from words alone

    @cached_property
    def messages(self) -> NullTranslations:
        """Read when somebody first speaks the language; all is in English if nothing was compiled."""
        if self.catalog is not None:
            return self.catalog
        file = compiled(self.code)
        if not file.is_file():
            return NullTranslations()
        with file.open("rb") as messages:
            return GNUTranslations(messages)

    @property
    def right_to_left(self) -> bool:
        return self.code in RIGHT_TO_LEFT

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

    def named(self, name: str, form: str) -> str:
        """A name in a form; in its plain one where it lacks that."""
        forms = self.forms.get(name, {})
        return forms.get(form) or self.formed(forms.get("") or self.gettext(name), form)

    def written(self, said: str) -> str:
        """Words as they are sent."""
        return said

    def formed(self, said: str, form: str) -> str:
        """Words in a form that follows from them alone."""
        return f"{said}." if form == STOP and not said.rstrip(CLOSING).endswith(STOPS) else said


@dataclass(frozen=True, eq=False)
class English(Language):
    """Forms: `the`, `a`, `possessive` ("the United Provinces'")."""

    def listing(self, items: list[str], *, either: bool = False) -> str:
        return f"{', '.join(items[:-1])} {'or' if either else 'and'} {items[-1]}" if len(items) > 1 else super().listing(items)

    def named(self, name: str, form: str) -> str:
        if form == "possessive":
            return self.formed(self.named(name, "the"), form)
        return super().named(name, form)

    def formed(self, said: str, form: str) -> str:
        match form:
            case "a":
                start = said.casefold()
                return f"an {said}" if start.startswith(VOWELS) and not start.startswith(CONSONANTS) else f"a {said}"
            case "possessive":
                return f"{said}'" if said.endswith("s") else f"{said}'s"
        return super().formed(said, form)


@dataclass(frozen=True, eq=False)
class Hebrew(Language):
    """Forms: prefixes, which stick to a Hebrew letter, and to anything else with a hyphen ("ל-Anna")."""

    follow: ClassVar[frozenset[str]] = frozenset(PREFIXES)

    @cached_property
    def melted(self) -> dict[tuple[str, str], str]:
        """Forms of names whose article melts into a prefix, by the name in Hebrew, for a sentence that says the name alone."""
        return {(forms[""], form): said for forms in self.forms.values() if "" in forms for form, said in forms.items() if form}

    def written(self, said: str) -> str:
        """With marks around lines that would be read the wrong way where they begin in Latin, or stand among other languages, and
        before sums, which are read from the left."""
        return "\n".join([self._line(line) for line in LOUD.sub(rf"!{LRM}", SUM.sub(LRM, said)).split("\n")])

    def _line(self, line: str) -> str:
        head = HEAD.match(line)
        assert head is not None, "a head may be empty"
        words = line[head.end():]
        if not HEBREW.search(words) or ONE_WAY.fullmatch(words) or (words[0] == RLE and words[-1] == PDF):
            return line
        return f"{head[0]}{RLE}{'' if HEBREW.match(words.lstrip(OPENING)) else RLM}{words}{PDF}"

    def listing(self, items: list[str], *, either: bool = False) -> str:
        if either or len(items) < 2:
            return super().listing(items, either=either)
        if items[-1].startswith(SIGNED):                        # "1 זהב, +2": no word sticks to a sign
            return ", ".join(items)
        return f"{', '.join(items[:-1])} {self.formed(items[-1], 'and')}"

    def formed(self, said: str, form: str) -> str:
        if form not in PREFIXES:
            return super().formed(said, form)
        if melted := self.melted.get((said, form)):
            return melted
        opening = len(said) - len(said.lstrip(OPENING))
        word = said[opening:]
        if not ALEPH <= word[:1] <= TAV:
            return f"{said[:opening]}{PREFIXES[form]}-{word}"
        doubled = "ו" if word.startswith("ו") and word[1:2] != "ו" else ""      # written twice within a word: "בווירג'יניה"
        return f"{said[:opening]}{PREFIXES[form]}{doubled}{word}"


def compiled(code: str) -> Traversable:
    return files("data") / "languages" / code / "messages.mo"


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
