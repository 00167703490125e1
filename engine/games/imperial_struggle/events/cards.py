"""Facts of event cards, and of ministries as they are chosen and turned up (chapters 4.6, 4.7, 7.3, 12, 13)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.base import Binding, Fact
from engine.games.imperial_struggle.state import Minister, State
from engine.kernel import Seat
from engine.text import Text, count, text


class EventsDrawn(Fact):
    """Events come from the pile to a hand [IS-4.6.2, 7.3]."""

    binds: ClassVar[Binding] = "draw"
    side: Side
    cards: tuple[str, ...]

    def apply(self, s: State) -> None:
        for card in self.cards:
            s.deck.remove(card)
            s.own[self.side].hand.append(card)

    def line(self) -> Text:
        return text("{side} draws {cards}.", side=self.side, cards=count(len(self.cards), "{n} event", "{n} events"))

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("You have drawn {cards}.", cards=tuple(self.cards))}


class DiscardsShuffled(Fact):
    """The discards become the new pile [IS-4.6.2, 4.1.2]."""

    cards: tuple[str, ...]
    removed: tuple[str, ...] = ()           # those that leave the game first

    def apply(self, s: State) -> None:
        s.deck, s.discards = [*s.deck, *self.cards], []

    def line(self) -> Text:
        return text("The discards are shuffled into a new pile.")


class EventDiscarded(Fact):
    side: Side
    card: str

    def apply(self, s: State) -> None:
        s.own[self.side].hand.remove(self.card)
        s.discards.append(self.card)

    def line(self) -> Text:
        return text("{side} discards {card}.", side=self.side, card=self.card)


class EventPlayed(Fact):
    """A card is played, and leaves the game [IS-13.1, 13.8]."""

    side: Side
    card: str
    bonus: bool

    def apply(self, s: State) -> None:
        s.own[self.side].hand.remove(self.card)
        s.played.append(self.card)
        now = s.current
        now.event, now.bonus, now.event_over, now.stage = self.card, self.bonus, True, "actions"

    def line(self) -> Text:
        if self.bonus:
            return text("{side} plays {card} with its bonus.", side=self.side, card=self.card)
        return text("{side} plays {card}.", side=self.side, card=self.card)


class MinistriesChosen(Fact):
    """A side lays its ministries; those that lie face up already stay [IS-4.7]."""

    side: Side
    ministers: tuple[Minister, ...]
    exchanged: int          # how many face-down cards are other ones now: that much is public [IS-17.2]

    def apply(self, s: State) -> None:
        s.own[self.side].ministries = [minister.model_copy() for minister in self.ministers]

    def line(self) -> Text:
        number = count(len(self.ministers), "{n} ministry", "{n} ministries")
        if self.exchanged:
            return text("{side} has {number} and has exchanged {exchanged}.", side=self.side, number=number,
                        exchanged=self.exchanged)
        return text("{side} has {number}.", side=self.side, number=number)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("Your ministries: {cards}.", cards=tuple(minister.card for minister in self.ministers))}


class MinistryRevealed(Fact):
    """A side turns up a ministry of its own [IS-12.3]."""

    binds: ClassVar[Binding] = "reveal"
    side: Side
    card: str

    def apply(self, s: State) -> None:
        next(minister for minister in s.own[self.side].ministries if minister.card == self.card).up = True

    def line(self) -> Text:
        return text("{side} turns up {card}.", side=self.side, card=self.card)


class MinistryGone(Fact):
    """A ministry leaves the game (M-4) [IS-14.9.2]."""

    side: Side
    card: str

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        own.ministries = [minister for minister in own.ministries if minister.card != self.card]
        s.jacobite_defeat = True

    def line(self) -> Text:
        return text("{card} leaves the game.", card=self.card)


class AbilityUsed(Fact):
    """An ability of a face-up ministry is used; one that works once per turn is exhausted by it [IS-12.5]."""

    side: Side
    ability: str
    exhausts: bool = True

    def apply(self, s: State) -> None:
        if self.exhausts:
            s.own[self.side].exhausted.append(self.ability)
        if s.round is not None:
            s.round.abilities.append(self.ability)

    def line(self) -> Text:
        return text("{side} uses {card}.", side=self.side, card=self.ability.rpartition(".")[0])
