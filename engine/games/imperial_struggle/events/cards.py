"""Facts of event cards, of ministries and of the use of advantages (chapters 4.6, 4.7, 7.3, 11, 12, 13)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.events.base import Binding, Fact
from engine.games.imperial_struggle.events.board import ConflictPlaced
from engine.games.imperial_struggle.events.money import PointsAdded
from engine.games.imperial_struggle.events.tiles import theater_of
from engine.games.imperial_struggle.state import ActionName, Minister, Pool, State, by_number
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
        return {s.seat(self.side): text("You drew {cards}.", cards=tuple(self.cards))}


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
        return Text("{side} discards {card}.", {"side": self.side, "card": self.card}, listed="card")


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
        s.own[self.side].ministries = by_number(self.ministers)

    def line(self) -> Text:
        number = count(len(self.ministers), "{n} ministry", "{n} ministries")
        if self.exchanged:
            return text("{side} has {number} in play and has exchanged {exchanged}.", side=self.side, number=number,
                        exchanged=self.exchanged)
        return text("{side} has {number} in play.", side=self.side, number=number)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("You laid down {cards}.", cards=tuple(minister.card for minister in self.ministers))}


class MinistryRevealed(Fact):
    """A side turns up a ministry of its own [IS-12.3]."""

    binds: ClassVar[Binding] = "reveal"
    side: Side
    card: str

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        own.ministries = [replace(minister, up=True) if minister.card == self.card else minister for minister in own.ministries]

    def line(self) -> Text:
        return text("{side} turns up {card}.", side=self.side, card=self.card)

    def binding(self, state: State, seat: Seat) -> Binding:
        """Nothing, as long as the side alone knows of it: it is shown what it has [IS-18.5]."""
        return "" if state.seat(self.side) == seat else self.binds


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
        return text("{side} uses {card}.", side=self.side, card=self._card)

    @property
    def _card(self) -> str:
        return self.ability.rpartition(".")[0]

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        match following:
            case PointsAdded() as added, *_ if added.source == self._card:
                return (text("{side} uses {card}: {points} {kind}.", side=self.side, card=self._card, points=added.points,
                             kind=added.kind),), 1
        return super().commentary(following)


class ActionRaised(Fact):
    """A ministry makes an action of the round worth more, once [IS-5.6.11; M-24, M-26]."""

    side: Side
    ministry: str
    action: ActionName
    kind: Points
    points: int

    def apply(self, s: State) -> None:
        now = s.current
        now.raised.append(f"{self.ministry} {self.action}")
        if self.action in ("major", "minor"):
            now.pool(self.action).points += self.points
        else:
            now.pools.append(Pool(id=f"{self.ministry}.{self.action}", kind=self.kind, points=self.points, start=self.points,
                                  source="attached", action=self.action))

    def line(self) -> Text:
        return text("{ministry} adds {points} {kind} to {action}.", ministry=self.ministry, points=self.points, kind=self.kind,
                    action=self.action)


class ActionBound(Fact):
    """The major action must stay in a region [M-22, IS-R-19]."""

    region: str

    def apply(self, s: State) -> None:
        s.current.bound = self.region

    def line(self) -> Text:
        return text("The major action stays in {region}.", region=self.region)


class TownshendPlaced(Fact):
    """The marker of M-21 lies on a good until the turn ends."""

    good: str

    def apply(self, s: State) -> None:
        s.townshend = self.good

    def line(self) -> Text:
        return text("The Townshend marker is on {good}.", good=self.good)


class ByngPlaced(Fact):
    """The Byng tile lies in a theater of the next war [event 18]."""

    theater: str
    number: int

    def apply(self, s: State) -> None:
        s.byng = self.number

    def line(self) -> Text:
        return text("Byng goes to {theater:the}: +2 for Britain.", theater=self.theater)


class BonusTileReturned(Fact):
    """A bonus tile of the next war goes back to its pool, seen by its owner alone [events 7 and 12, IS-R-37]."""

    side: Side
    tile: str
    theater: int

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        own.tiles[self.theater - 1].remove(self.tile)
        own.bonus_pool.append(self.tile)

    def line(self) -> Text:
        return text("One of {side:possessive} bonus tiles goes from {theater:the} back to its pool.", side=self.side,
                    theater=theater_of(self.tile, self.theater))

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("Your bonus tile {tile} goes back to its pool.", tile=self.tile)}


class DemandDrawn(Fact):
    """A good that is not in demand is drawn, to take the place of another one [event 21]."""

    binds: ClassVar[Binding] = "draw"
    good: str

    def line(self) -> Text:
        return text("{good} is drawn.", good=self.good)


class DemandAdded(Fact):
    """One more good is in demand in this turn [event 19]."""

    good: str

    def apply(self, s: State) -> None:
        wanted = {*s.demand, self.good}
        s.demand = [good.commodity for good in s.parts.global_demand if good.commodity in wanted]

    def line(self) -> Text:
        return text("{good} is in demand, too.", good=self.good)


class DemandReplaced(Fact):
    """One good in demand makes way for another one [event 21]."""

    good: str
    instead: str

    def apply(self, s: State) -> None:
        wanted = {*s.demand, self.good} - {self.instead}
        s.demand = [good.commodity for good in s.parts.global_demand if good.commodity in wanted]

    def line(self) -> Text:
        return text("{good} is in demand instead of {instead}.", good=self.good, instead=self.instead)


class AdvantageUsed(Fact):
    """An advantage is used, which ends the time for an event [IS-11.3, 11.4]; an event exhausts none [IS-11.11]."""

    side: Side
    advantage: str
    exhausts: bool = True

    def apply(self, s: State) -> None:
        now = s.current
        if self.exhausts:
            s.exhausted.append(self.advantage)
        else:
            now.lent = self.advantage
        if now.owed == self.advantage:
            now.owed = ""
        now.used.append(self.advantage)
        now.event_over, now.stage = True, "actions"

    def line(self) -> Text:
        if self.exhausts:
            return text("{side} uses {advantage:the}.", side=self.side, advantage=self.advantage)
        return text("{side} uses {advantage:the}, which doesn't exhaust it.", side=self.side, advantage=self.advantage)

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        match following:
            case ConflictPlaced(surcharge=0) as placed, *_ if self.exhausts:
                return (text("{side} uses {advantage:the}: a conflict marker on {space:the}.", side=self.side,
                             advantage=self.advantage,
                             space=placed.space),), 1
        return super().commentary(following)


class AdvantageOwed(Fact):
    """An event brings an advantage with a price into use: its purchase is the next one [IS-11.12]."""

    side: Side
    advantage: str

    def apply(self, s: State) -> None:
        s.current.owed = self.advantage

    def line(self) -> Text:
        return text("{side} will use {advantage} for its next purchase.", side=self.side, advantage=self.advantage)


class AdvantageRefreshed(Fact):
    """An exhausted advantage can be used again [event 17]."""

    advantage: str

    def apply(self, s: State) -> None:
        s.exhausted.remove(self.advantage)

    def line(self) -> Text:
        return text("{advantage} can be used again.", advantage=self.advantage)


class AdvantageExhausted(Fact):
    """An advantage is marked as exhausted without being used [event 34]."""

    advantage: str

    def apply(self, s: State) -> None:
        s.exhausted.append(self.advantage)

    def line(self) -> Text:
        return text("{advantage} is exhausted.", advantage=self.advantage)
