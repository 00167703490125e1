"""Where the signs of a game's powers and nouns stand among words. The words are the same with them and without."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bot.domain.announcements import MESSAGE
from engine.text import Fact, Reader, Text

CODE = r"```.*?```|`[^`\n]*`"       # shown as it is written, an emoji too
NUMBER = r"[+−]?\d+"                # in place of each fact of a template
BEGINS, ENDS = r"(?<![\w.,+−–-])", r"(?!\w)"
FACT = re.compile(r"\\\{\w+(?::\w+)?\\\}")
COUNTS = (1, 2, 5)                  # numbers that take all forms of a plural


def noun_patterns(signs: Mapping[str, Sequence[Fact]], reader: Reader) -> dict[str, str]:
    """Return what the nouns of each sign look like to a reader, as regular expressions; under "" the longer names of which one is
    a part, which has no sign there."""
    named = {reader.name(fact) for facts in signs.values() for fact in facts if isinstance(fact, str) and fact in reader.names}
    found = {"": [re.escape(name) for name in {*map(reader.name, reader.names)} - named if any(part in name for part in named)]}
    found |= {sign: [form for fact in facts for form in _forms(fact, reader)] for sign, facts in signs.items()}
    return {sign: "|".join(sorted({*forms}, key=lambda form: (-len(form), form))) for sign, forms in found.items() if forms}


def _forms(fact: Fact, reader: Reader) -> Iterator[str]:
    language = reader.language
    if isinstance(fact, str) and fact in reader.names:
        yield re.escape(reader.name(fact))
    elif isinstance(fact, Text):
        for form in [language.gettext(fact.template)] if fact.plural is None else {
                language.ngettext(fact.template, fact.plural, n) for n in COUNTS}:
            yield FACT.sub(lambda found: NUMBER, re.escape(form))


def signed(words: str, heads: Mapping[str, str], nouns: Mapping[str, str], signs: Mapping[str, str],
           most: int = MESSAGE) -> str:
    """The words with a sign before each power that heads an entry, "France: ...", and before each noun, "2 armies".

    If that has more characters than `most`, the powers alone have theirs, and else nothing has. `heads`: from the powers' names
    to their signs; `nouns`: as `noun_patterns` has them; `signs`: from a noun's key to its sign.
    """
    known = [(pattern, signs.get(key, "")) for key, pattern in nouns.items() if not key or key in signs]
    for some in (known, []):
        told = _marked(words, heads, some)
        if len(told) <= most:
            return told
    return words


def _marked(words: str, heads: Mapping[str, str], nouns: Sequence[tuple[str, str]]) -> str:
    powers = "|".join(map(re.escape, sorted(heads, key=len, reverse=True)))
    groups = [rf"(?<!\w)({powers})(?=\**: )" if heads else r"(?!)()", *[f"{BEGINS}({pattern}){ENDS}" for pattern, _ in nouns]]

    def with_sign(found: re.Match[str]) -> str:
        if found.lastindex is None:
            return found[0]
        sign = heads[found[0]] if found.lastindex == 1 else nouns[found.lastindex - 2][1]
        return f"{sign} {found[0]}" if sign else found[0]

    return re.sub("|".join([CODE, *groups]), with_sign, words, flags=re.DOTALL)
