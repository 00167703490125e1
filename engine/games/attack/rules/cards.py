"""Chapters 15 and 16: the economic deck, hands, sets and production points."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.games.attack.components import Parts
from engine.games.attack.state import State
from engine.games.attack.words.nouns import cards
from engine.kernel import Aim, Event, Game, Script, Seat, roll
from engine.text import Text, text


class CardDrawn(Event):
    """The top card of the deck goes unseen into a hand [ATK-14.2.1, 14.4.1]."""

    power: str
    card: str

    def apply(self, s: State) -> None:
        s.deck.remove(self.card)
        s.hands[self.power].append(self.card)

    def line(self) -> Text:
        return text("{power} draws an economic card.", power=self.power)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.power): text("You drew {card}.", card=s.parts.card[self.card].kind)}


def draw(g: Game[State], number: int, *, why: str, **about: Aim) -> Script[tuple[str, ...]]:
    """Cards from the top of the deck; they are in it until an event takes them. An empty deck gives none [ATK-15.4.2].

    The deck is kept in no order: each card of it has the same chance to be the next, as after every shuffle.
    """
    deck = list(g.state.deck)
    number = min(number, len(deck))
    if not number:
        return ()
    values = yield from roll(*range(len(deck), len(deck) - number, -1), why=why, **about)
    return tuple(deck.pop(value - 1) for value in values)


def draw_one(g: Game[State], power: str, territory: str) -> Script[None]:
    """A player draws the top card for a territory, if there is one [ATK-14.2.1, 14.3.3, 15.4.2]."""
    drawn = yield from draw(g, 1, why="card", power=power, territory=territory)
    for card in drawn:
        g.emit(CardDrawn(power=power, card=card))


def kinds(parts: Parts, hand: Iterable[str]) -> list[str]:
    """Return what the cards are worth: "oil_3"."""
    known = parts.card
    return sorted([known[card].kind for card in hand])


def hand_told(s: State, power: str) -> Text:
    return cards(kinds(s.parts, s.hands[power]))


def set_weight(parts: Parts, hand: Iterable[str]) -> int:
    """The weight of all cards in sets, each set filled with the heaviest cards of its types [ATK-15.3.1 to 15.3.3]."""
    by_type: dict[str, list[int]] = {kind: [] for kind in parts.set_rule.types}
    for card in hand:
        if (known := parts.card[card]).type in by_type:
            by_type[known.type].append(known.weight)
    number = min(map(len, by_type.values()))
    return sum([sum(sorted(weights, reverse=True)[:number]) for weights in by_type.values()]) if number else 0


def production_points(s: State, power: str) -> int:
    """Return what Production would bring [ATK-16.1.2, 18.1.1]."""
    hand = s.hands[power]
    return (s.capitals_of(power) * s.parts.numbers.capital_bonus_pp + sum(s.parts.card[card].weight for card in hand)
            + (s.parts.set_rule.multiplier - 1) * set_weight(s.parts, hand))
