"""What people write, as others may read it."""
from __future__ import annotations

import re
import unicodedata

import discord

SMUGGLED = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}         # kinds of characters that are not seen, or turn others around
JOINERS = {"\u200c", "\u200d"}                          # not seen either, but words and emojis are made with them
PILED = re.compile(r"([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]{3})"
                   r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]+")      # marks on marks on marks


def tame(words: str) -> str:
    """Somebody's words on one line, with nothing in them that pings, formats, hides, or turns the rest of the line around."""
    seen = "".join(" " if letter.isspace() else letter for letter in words
                   if letter.isspace() or letter in JOINERS or unicodedata.category(letter) not in SMUGGLED)
    plain = PILED.sub(r"\1", " ".join(seen.split()))
    return discord.utils.escape_mentions(discord.utils.escape_markdown(plain, ignore_links=False)).replace("<", "\\<")
