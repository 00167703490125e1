"""Views as one reads them out, for a terminal or a screen reader: rows of things, as many sentences as fit."""
from __future__ import annotations

from collections.abc import Iterable

from engine.text import Fact, Text, say, text


def row(items: Iterable[Fact], between: str = ", ", form: str = "") -> Text:
    """Things one after the other, without the "and" of a list; each in a form."""
    facts = {f"item_{number}": item for number, item in enumerate(items)}
    return Text(between.join([f"{{{key}:{form}}}" if form else f"{{{key}}}" for key in facts]), facts)


def numbered(name: str, number: int) -> Fact:
    """A place with the number by which a menu calls it: "the Caribbean (9)"; 0: without one."""
    return text("{name:the} ({number})", name=name, number=number) if number else name


def ranked(names: Iterable[Fact], places: Iterable[int]) -> Text:
    """"1. France, 2. Spain, 2. Britain"."""
    return row([text("{place}. {name}", place=place, name=name) for name, place in zip(names, places, strict=True)])


def fit(sentences: Iterable[Text], most: int) -> str:
    """As many sentences as there is room for, in their order; of a first one that is too long, its beginning."""
    said = ""
    for sentence in map(say, sentences):
        longer = f"{said} {sentence.strip()}".strip()
        if len(longer) > most:
            return said or f"{sentence[:most - 1]}…"
        said = longer
    return said


def whole(told: Iterable[Text]) -> str:
    """Everything, a line for each thing."""
    return "\n".join(map(say, told)).rstrip()
