"""How long words may be on Discord, and what is done with longer ones."""
from __future__ import annotations

from bot.domain import announcements
from engine.text import Text, count, say, text

MESSAGE = announcements.MESSAGE      # characters of a message
CHOICES = 25                # choices of an autocomplete, options of a select
NAME = 100                  # characters of a choice, of a description, of an option of a select
LABEL = 80                  # characters of a button's label
LISTS = 5                   # below a message, if there is nothing else
CUSTOM_ID = 100             # characters of a custom id


def clip(words: str, most: int) -> str:
    """At most so many characters, cut between two words where that is near enough; what is cut off ends in an ellipsis."""
    if len(words) <= most:
        return words
    kept = words[:most - 1]
    whole = kept if words[most - 1].isspace() else kept.rpartition(" ")[0]
    return f"{(whole if 2 * len(whole) > most else kept).rstrip()}…"


def capital(words: str) -> str:
    """With a capital letter, and nothing else changed."""
    return words[:1].upper() + words[1:]


def shortened(words: str, most: int, where: Text) -> str:
    """The first whole lines that fit into one message, then how many more there are and where they can be read."""
    told = words.split("\n")
    for kept in range(len(told), -1, -1):
        more = [] if kept == len(told) else [_more(count(len(told) - kept, "{n} more line", "{n} more lines"), where)]
        short = "\n".join([*told[:kept], *more])
        if len(short) <= most and (kept or not more):
            return short
    rest = _more(text("the rest"), where)                       # a first line that is too long by itself
    return f"{clip(told[0], most - len(rest) - 1)}\n{rest}"


def _more(what: Text, where: Text) -> str:
    return say(text("-# … and {what}: {where}", what=what, where=where))


def pieces(words: str, most: int = MESSAGE) -> list[str]:
    """A long text as messages, divided between lines where that is possible."""
    out: list[str] = []
    while len(words) > most:
        cut = words.rfind("\n", 1, most + 1)
        cut = cut if cut > 0 else most
        out.append(words[:cut])
        words = words[cut:].removeprefix("\n")
    return [*out, words] if words.strip() else out
