"""Which nouns have a sign among words."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.games.attack.components import SHIPS, UNITS, Parts
from engine.games.attack.words.nouns import many_cards, units
from engine.text import Fact, count, text


def signs(parts: Parts) -> Mapping[str, Sequence[Fact]]:
    """Units and ships by number, rolls, cards by number or by their names, each type with its own sign."""
    cards: dict[str, tuple[str, ...]] = {}
    for card in parts.cards:
        cards[card.type] = *cards.get(card.type, ()), card.kind
    return {**{kind: (units(1, kind),) for kind in (*UNITS, *SHIPS)}, **cards,
            "die": (count(1, "{n} die", "{n} dice"), text("rolls")),
            "card": (many_cards(1), count(1, "{n} economic card", "{n} economic cards"), text("an economic card"))}
