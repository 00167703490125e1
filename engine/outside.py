"""What comes from outside: JSON that anybody may have written, and words that others are to read."""
from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from operator import is_
from typing import Any

from engine.text import Text, text, verbatim

DEEPEST = 32            # lists and objects inside each other
DIGITS = 100            # of a whole number
NAME = 40               # characters of a name
WORDS = 400             # characters of any other words

NAMING = ("name", "label")                              # the fields of a record by which people call it
LINKING = "url"                                         # the field that holds an address
SMUGGLED = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}         # kinds of characters that are not seen, or turn others around
JOINERS = {"\u200c", "\u200d"}                          # not seen either, but words and emojis are made with them
PILED = re.compile(r"([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]{3})"
                   r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]+")      # marks on marks on marks
FORMATTING = str.maketrans("", "", "*~|`[]<>@#\\")      # what makes Discord format, link, hide or ping
UNDERLINING = re.compile(r"(?<![^\W_])_|_(?![^\W_])")   # an underscore that does not stand inside a word
HARMLESS = r"""[A-Za-z0-9!"$%&'()+,./:;=?^{}-]+"""
PLAIN = re.compile(rf"(?!-){HARMLESS}(?:(?: |(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])){HARMLESS})*")   # plain as it is, as most are


class Malformed(ValueError):
    """JSON that nobody writes by accident; `reason` says what of it cannot be, to be put behind a colon."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.template)
        self.reason = reason


def loaded(words: str | bytes) -> Any:
    """Return what a JSON text says, if everybody reads the same in it: no key twice, no number without a value, nothing too deep.

    Raises Malformed, or another ValueError: it is no JSON.
    """
    try:
        body = json.loads(words, object_pairs_hook=_once, parse_constant=_number, parse_float=_number, parse_int=_whole)
        json.dumps(body, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("far too deep to be read") from None
    except UnicodeEncodeError:
        raise Malformed(text("it holds half a character")) from None
    level, depth = [body], 0
    while level:
        if depth > DEEPEST:
            raise Malformed(text("its lists lie too deep inside each other"))
        level = [inner for outer in level if isinstance(outer, dict | list)
                 for inner in (outer.values() if isinstance(outer, dict) else outer)]
        depth += 1
    return body


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise Malformed(text("an object has the key {key} twice", key=verbatim(plain(twice))))
    return body


def _number(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise Malformed(text("{number} isn't a number", number=verbatim(written[:NAME])))
    return number


def _whole(written: str) -> int:
    if len(written) > DIGITS:
        raise Malformed(text("a number has more than {most} digits", most=DIGITS))
    return int(written)


# --- words ------------------------------------------------------------------------------------------------------

def one_line(words: str) -> str:
    """Words on one line, without what nobody sees and what turns the rest of the line around."""
    if words.isascii() and words.isprintable():
        return " ".join(words.split())
    seen = "".join(" " if letter.isspace() else letter for letter in words
                   if letter.isspace() or letter in JOINERS or unicodedata.category(letter) not in SMUGGLED)
    return PILED.sub(r"\1", " ".join(seen.split()))


def plain(words: str, most: int = NAME) -> str:
    """Words that can stand in any sentence or picture: on one line, with nothing in them that formats, links, hides or pings, and
    with at most so many characters."""
    if len(words) <= most and PLAIN.fullmatch(words):
        return words
    bare = " ".join(UNDERLINING.sub("", one_line(words[:4 * most]).translate(FORMATTING)).split()).lstrip("- ")
    return bare if len(bare) <= most else f"{bare[:most - 1].rstrip()}…"


def readable(raw: Any, field: str = "") -> Any:
    """Return the data with all words in them as others may read them; what is so already comes back as it is."""
    if isinstance(raw, str):
        words = plain(raw, NAME if field in NAMING else WORDS)
        words = words if field == LINKING else words.replace("://", " ")
        return raw if words == raw else words
    if isinstance(raw, dict):
        body = {key: readable(value, key) for key, value in raw.items()}
        return raw if all(map(is_, body.values(), raw.values())) else body
    if isinstance(raw, list):
        listed = [readable(value, field) for value in raw]
        return raw if all(map(is_, listed, raw)) else listed
    return raw
