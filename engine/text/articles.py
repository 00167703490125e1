"""The article of a name: "in the Caribbean", "the United Provinces' turn"; bare in a list, a label or a heading."""
from __future__ import annotations

import re
from functools import lru_cache

from engine.text.languages import ENGLISH

OPEN, CLOSE = "\ue000", "\ue001"            # around such a name until the whole sentence is there
MARKUP = "*_~`\"“”"
BARE = re.compile(r"(?:\b(?:the|an?|your|its|their|his|her|our|own|each|every|many|no|any|another|other|this|that|these|those|"
                  r"whose)|\d|(?<!\bit)(?<!\bthat)(?<!\bthere)['’]s|s['’]) $", re.IGNORECASE)  # before a name without article
NEAR = 16                                                       # characters that are looked at for it
COUNTED = re.compile(r" [+−-]?\d")                              # "German States 1", in a sum
GIVEN = re.compile(r" \d+ (?!and\b|or\b)[a-z]")                # "sends the United Provinces 1 army"
LISTED = re.compile(r"(?:,| and| or) $")
WORD = re.compile(r"\w $")
STARTS = re.compile(r"(?:^|[.!?…]\s+|\n)[\W\d_]*$")              # behind it a sentence begins
GOES_ON = re.compile(rf"['’]| [a-z]|, [A-Z{OPEN}]")
BREAK = re.compile(r"[\n:;·|–—→()]|[.!?…](?=\s|$)")            # where a part of a line ends
SAYS = re.compile(r"(?<![\w'’])(?!and\b|or\b)[a-z]+")          # a word that makes a sentence of names
NAME = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")


def _unmarked(said: str) -> str:
    return said.replace(OPEN, "").replace(CLOSE, "")


def _settled(said: str) -> str:
    """A whole sentence or label, each marked name with its article, or without where it stands alone."""
    if OPEN not in said:
        return said

    def told(found: re.Match[str]) -> str:
        """The name with its article; what stands in other lines does not matter, and there can be hundreds of them."""
        begin, end = said.rfind("\n", 0, found.start()), said.find("\n", found.end())
        return f"{_article(said[max(begin, 0):found.start()], said[found.end():end if end >= 0 else None])}{found[1]}"

    return NAME.sub(told, said)


def _article(before: str, after: str) -> str:
    others, before, after = NAME.sub("", before), _unmarked(before).rstrip(MARKUP), after.lstrip(MARKUP)
    near = before[-NEAR:]
    if BARE.search(near):
        return ""
    listed = bool(LISTED.search(near))
    spoken = bool(WORD.search(near)) and not listed
    if COUNTED.match(after) and not (spoken and GIVEN.match(after)):
        return ""
    if spoken:
        return "the "
    if not listed and not GOES_ON.match(after):
        return ""
    part = f"{BREAK.split(others)[-1] if listed else ''} {BREAK.split(NAME.sub('', after), maxsplit=1)[0]}"
    if not SAYS.search(part) and not after.startswith(("'", "’")):
        return ""
    return "the " if listed or not STARTS.search(before) else "The "


def within(said: str, most: int | None = None) -> str:
    """A finished text in which names get the article where they stand in a sentence; as it was if that makes it longer than
    `most` characters."""
    told = _settled(_articled().sub(lambda name: f"{OPEN}{name[0]}{CLOSE}", said))
    return told if most is None or len(told) <= most else said


@lru_cache(maxsize=1)
def _articled() -> re.Pattern[str]:
    """Return what finds each name that has an article as whole words, the longest first."""
    names = [name for name, forms in ENGLISH.forms.items() if "the" in forms]
    return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names, key=len, reverse=True)))
