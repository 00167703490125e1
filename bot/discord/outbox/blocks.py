"""Messages that show blocks, one below the other, with pictures and buttons inside.

They are made of components alone: 4,000 characters and 40 components, where a message with words has 2,000 and five rows. An edit
can make any message one of these, and nothing else of it ever again.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import discord
from discord import ui

from bot.discord.components import Persistent

ROW = 5                     # buttons of a row
EMOJI = re.compile(r"<a?:\w+:\d+> ?")           # of the application: found or not by the time that a message is looked for


@dataclass(frozen=True)
class Block:
    """What stands together, with a bar of a colour beside it."""

    words: str
    colour: int | None = None
    below: Sequence[str] = ()       # more of it, each below a line


Shown: TypeAlias = tuple[str, str]              # a file of a message, by its name, and what it says to who can't see it


def blocks_view(blocks: Sequence[Block], items: Iterable[Persistent] = (), files: Sequence[Shown] = ()) -> ui.LayoutView:
    """Blocks as they go with a message, the files and the items in the last one."""
    out = ui.LayoutView(timeout=None)
    *earlier, last = [_container(block) for block in blocks] or [ui.Container()]
    for name, words in files:           # each for itself: of several in one gallery Discord shows parts
        last.add_item(ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=words or None)))
    for row in _rows(items):
        last.add_item(row)
    for container in (*earlier, last):
        out.add_item(container)
    return out


def _container(block: Block) -> ui.Container[Any]:
    made: ui.Container[Any] = ui.Container(ui.TextDisplay(block.words), accent_colour=block.colour)
    for part in block.below:
        made.add_item(ui.Separator()).add_item(ui.TextDisplay(part))
    return made


def _rows(items: Iterable[Persistent]) -> Iterator[ui.ActionRow[Any]]:
    """Items in the rows that they stand in, or as many buttons in each as it holds."""
    rows = list[tuple[int | None, list[Persistent]]]()
    for item in items:
        alone = not isinstance(item.item, ui.Button)
        if not rows or alone or rows[-1][0] != item.row or len(rows[-1][1]) == ROW or not isinstance(
                rows[-1][1][-1].item, ui.Button):
            rows.append((item.row, []))
        rows[-1][1].append(item)
    for _, row in rows:
        yield ui.ActionRow(*row)


def ids_in(shown: ui.View | ui.LayoutView | None) -> list[str]:
    """The custom ids of what can be pressed in what is about to be sent."""
    return [item.custom_id for item in shown.walk_children() if isinstance(item, Persistent)] if shown is not None else []


def words_in(shown: str | ui.LayoutView) -> str:
    """What is about to be sent says, as `words_of` has it."""
    if isinstance(shown, str):
        return _plain(shown)
    return _plain("\n".join(item.content for item in shown.walk_children() if isinstance(item, ui.TextDisplay)))


def words_of(message: discord.Message) -> str:
    """What a message of either kind says, without the signs of powers and nouns."""
    return _plain("\n".join([message.content, *(part.content for part in _parts(message.components)
                                                if isinstance(part, discord.TextDisplay))]))


def ids_of(message: discord.Message) -> list[str]:
    """The custom ids of what can be pressed in a message of either kind."""
    return [part.custom_id or "" for part in _parts(message.components)
            if isinstance(part, discord.Button | discord.SelectMenu)]


def _parts(components: Iterable[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _parts(getattr(component, "children", ()))


def _plain(words: str) -> str:
    return EMOJI.sub("", words).strip()


def changed_to(words: str | ui.LayoutView, items: ui.View | None = None) -> dict[str, Any]:
    """What an edit says, so that a message says this: what was there of another kind goes."""
    if isinstance(words, str):
        return {"content": words, "view": items}
    return {"content": None, "embeds": [], "view": words}
