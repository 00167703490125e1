"""What people write, as others may read it."""
from __future__ import annotations

import re
import unicodedata

import discord

from engine.outside import one_line

ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in "_\\~|*`<"})
LEADING = ("#", ">", "-")               # what formats a whole line that begins with it

DRAWN = re.compile("[\u0030-\u0113\u0116-\u012b\u012d-\u0137\u0139-\u014d\u014f-\u017e\u0218-\u021b\u0400-\u045f\u0490\u0491"
                   "\u05d0-\u05ea]*")     # the letters and digits that every face of the pictures has


def writes(name: str) -> bool:
    """True if a picture can write every letter of a name, of which there is at least one."""
    letters = "".join(letter for letter in unicodedata.normalize("NFKC", name) if letter.isalnum())
    return bool(letters and DRAWN.fullmatch(letters))


def known_as(user: discord.User | discord.Member) -> str:
    """Return what pictures call somebody: the display name, or the username if that has letters which no picture can draw."""
    return user.display_name if writes(user.display_name) else user.name


def tame(words: str) -> str:
    """Somebody's words on one line, with nothing in them that pings, formats, hides, or turns the rest of the line around."""
    seen = one_line(words)
    escaped = seen.translate(ESCAPED)
    if "](" in escaped:                 # of a link whose words hide where it leads
        escaped = escaped.replace("[", "\\[")
    return discord.utils.escape_mentions(f"\\{escaped}" if seen.startswith(LEADING) else escaped)
