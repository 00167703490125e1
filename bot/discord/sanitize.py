"""What people write, as others may read it."""
from __future__ import annotations

import discord

from engine.outside import one_line

ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in "_\\~|*`<"})
LEADING = ("#", ">", "-")               # what formats a whole line that begins with it


def tame(words: str) -> str:
    """Somebody's words on one line, with nothing in them that pings, formats, hides, or turns the rest of the line around."""
    seen = one_line(words)
    escaped = seen.translate(ESCAPED)
    if "](" in escaped:                 # of a link whose words hide where it leads
        escaped = escaped.replace("[", "\\[")
    return discord.utils.escape_mentions(f"\\{escaped}" if seen.startswith(LEADING) else escaped)
