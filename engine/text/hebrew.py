"""Hebrew: prefixes that are part of the next word, and marks of direction where a line has other letters, too."""
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from engine.text.language import Language

PREFIXES = {"in": "ב", "into": "ל", "from": "מ", "and": "ו", "that": "ש"}     # Hebrew words that are part of the next one
OPENING, ALEPH, TAV = "*_", "א", "ת"
SIGNED = ("+", "−")
LRM, RLM, RLE, PDF = "\u200e", "\u200f", "\u202b", "\u202c"     # Unicode's marks of direction; they have no ink
MARKS = dict.fromkeys(map(ord, (LRM, RLM, RLE, PDF)))
SUM = re.compile(r"(?<![\w+−\u200e-])(?=[+−-]\d|\d+ ?[+−×=–] ?\d)")     # where "+2", "3–5" and "11 + 2 = 13" begin
LOUD = re.compile(r"(?<=[A-Za-z])!(?!\u200e)")             # the end of "Attack!"
HEAD = re.compile(r"(?:> |-# |- |#+ |\d+\. )*")            # of a line: Discord's Markdown, which nothing may precede
HEBREW, ONE_WAY = re.compile("[א-ת]"), re.compile("[א-ת]([^A-Za-z<`]*[א-ת0-9])?")   # a line that is read right anywhere


@dataclass(frozen=True, eq=False)
class Hebrew(Language):
    """Forms: prefixes, which stick to a Hebrew letter, and to anything else with a hyphen ("ל-Anna")."""

    right_to_left: ClassVar[bool] = True
    follow: ClassVar[frozenset[str]] = frozenset(PREFIXES)

    @cached_property
    def melted(self) -> dict[tuple[str, str], str]:
        """Forms of names whose article melts into a prefix, by the name in Hebrew, for a sentence that says the name alone."""
        return {(forms[""], form): said for forms in self.forms.values() if "" in forms for form, said in forms.items() if form}

    def written(self, said: str) -> str:
        """With marks around lines that would be read the wrong way where they begin in Latin, or stand among other languages, and
        before sums, which are read from the left."""
        return said if said.isascii() else "\n".join(map(_marked, said.split("\n")))

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


@lru_cache(1024)
def _marked(line: str) -> str:
    line = LOUD.sub(rf"!{LRM}", SUM.sub(LRM, line))
    head = HEAD.match(line)
    assert head is not None, "a head may be empty"
    words = line[head.end():]
    if not HEBREW.search(words) or ONE_WAY.fullmatch(words) or (words[0] == RLE and words[-1] == PDF):
        return line
    return f"{head[0]}{RLE}{'' if HEBREW.match(words.lstrip(OPENING)) else RLM}{words}{PDF}"


def unmarked(said: str) -> str:
    """Words without marks of direction: what is around words differs with what they stand among."""
    return said.translate(MARKS)
