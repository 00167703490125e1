"""Facts of the turn track and of the phases of a peace turn (chapters 3, 4, 16)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from engine.games.imperial_struggle.components import ERAS, BothSides, Side
from engine.games.imperial_struggle.components.turns import TileAction
from engine.games.imperial_struggle.events.base import Binding, Fact
from engine.games.imperial_struggle.events.money import DebtForced, Scored, TreatyPoints, victory_points
from engine.games.imperial_struggle.state import TOP, Pool, RoundState, State
from engine.kernel import OVER
from engine.kernel.model import later
from engine.text import Text, count, text


class PhaseBegun(Fact):
    """The next part of a turn; the table keeps a checkpoint before it."""

    phase: Literal["sides", "layout", "peace", "round", "scoring", "war", "over"]

    def apply(self, s: State) -> None:
        s.phase = self.phase


class StepBegun(Fact):
    """The marker moves along the turn track [IS-1.2]."""

    step: int
    vp: int | None = later(default=None)      # where the counter stands; earlier games do not tell

    def apply(self, s: State) -> None:
        s.step, s.ar, s.round, s.war = self.step, 0, None, None
        s.phase = s.here.kind

    def line(self) -> Text:
        if self.vp is None:
            return text("A new turn begins.")
        return text("Victory points: France {france}, Britain {britain}.", france=self.vp, britain=TOP - self.vp)


class BidMade(Fact):
    """A seat wants a side, and offers treaty points for it [IS-19.4]."""

    seat: str
    side: Side
    trp: int

    def apply(self, s: State) -> None:
        s.bidder, s.wish, s.bid = self.seat, self.side, self.trp

    def line(self) -> Text:
        return text("{seat} bids {trp} TRP for {side}.", seat=self.seat, trp=self.trp, side=self.side)


class SidesSettled(Fact):
    """Who plays which side [IS-19.4]."""

    sides: tuple[Side, ...]                 # of each seat

    def apply(self, s: State) -> None:
        s.sides = list(self.sides)

    def line(self) -> Text:
        return text("Seat 1 plays {first}, and seat 2 plays {second}.", first=self.sides[0], second=self.sides[1])


class DeckChanged(Fact):
    """The events of an era come; those of an earlier one leave the pile and the hands [IS-4.1]."""

    added: tuple[str, ...]
    out_of_deck: tuple[str, ...] = ()
    out_of_hands: tuple[str, ...] = ()
    era: str

    def apply(self, s: State) -> None:
        s.deck = [card for card in s.deck if card not in self.out_of_deck] + list(self.added)
        for own in s.own.values():
            own.hand = [card for card in own.hand if card not in self.out_of_hands]

    def line(self) -> Text:
        if self.era == ERAS[-1]:
            return text("All {old} events leave the pile and both hands. The {era} events are shuffled in.",
                        old=ERAS[0], era=self.era)
        return text("The events of the {era} era are shuffled into the pile.", era=self.era)


class AwardsTurned(Fact):
    """The award tile of each region [IS-4.3]."""

    binds: ClassVar[Binding] = "draw"
    awards: tuple[tuple[str, str], ...]     # region and tile
    fresh: bool                             # all eight were shuffled

    def apply(self, s: State) -> None:
        if self.fresh:
            s.award_pool = [tile.id for tile in s.parts.award_tiles]
        s.awards = dict(self.awards)
        s.award_pool = [tile for tile in s.award_pool if tile not in s.awards.values()]

    def line(self) -> Text:
        return text("Awards: {awards}.", awards=tuple(
            text("{region} {tile}", region=region, tile=tile) for region, tile in self.awards))


class DemandChanged(Fact):
    """The goods in demand [IS-4.4, 13]."""

    binds: ClassVar[Binding] = "draw"
    goods: tuple[str, ...]                  # in table order

    def apply(self, s: State) -> None:
        s.demand = list(self.goods)

    def line(self) -> Text:
        return text("In demand: {goods}.", goods=tuple(self.goods))


class TurnReset(Fact):
    """Exhaustion, tiles of the last turn, squadrons on the turn track, the Townshend marker [IS-4.5]."""

    def apply(self, s: State) -> None:
        s.exhausted, s.townshend = [], ""
        s.used_tiles += [*s.available, *s.taken]
        s.available, s.taken = [], {}
        s.won_awards, s.won_goods = {}, {}
        for own in s.own.values():
            own.exhausted, own.free_debt = [], 0
            own.navy_box, own.away = own.navy_box + own.away, 0


class TilesTurned(Fact):
    """Investment tiles are turned up [IS-4.6.1]."""

    binds: ClassVar[Binding] = "draw"
    tiles: tuple[str, ...]
    reshuffled: bool = False                # the used pile was shuffled into a new stack before

    def apply(self, s: State) -> None:
        if self.reshuffled:
            s.stack, s.used_tiles = [*s.stack, *s.used_tiles], []
        s.stack = [tile for tile in s.stack if tile not in self.tiles]
        s.available = sorted([*s.available, *self.tiles])

    def line(self) -> Text:
        return Text("Tiles: {tiles}.", {"tiles": self.tiles}, listed="tiles")


class InitiativeMoved(Fact):
    side: Side

    def apply(self, s: State) -> None:
        s.initiative = self.side

    def line(self) -> Text:
        return text("{side} has the initiative.", side=self.side)


class FirstNamed(Fact):
    """Who takes the first action round [IS-4.8]."""

    side: Side

    def apply(self, s: State) -> None:
        s.first = self.side

    def line(self) -> Text:
        return text("{side} takes the first action round.", side=self.side)


class RoundBegun(Fact):
    """An action round begins; what is remembered of the board stays so for the round [IS-5.1]."""

    side: Side
    number: int
    isolated: tuple[str, ...]
    trade: BothSides

    def apply(self, s: State) -> None:
        s.ar = self.number
        s.round = RoundState.unchecked(side=self.side, held=s.spaces_of(self.side), isolated=list(self.isolated),
                                       trade=self.trade.by_side())


class TileTaken(Fact):
    side: Side
    tile: str

    def apply(self, s: State) -> None:
        s.available.remove(self.tile)
        s.taken[self.tile] = self.side
        tile, now = s.parts.investment[self.tile], s.current
        now.tile, now.stage = self.tile, "tile"
        parts: tuple[tuple[Literal["major", "minor"], TileAction], ...] = (("major", tile.major), ("minor", tile.minor))
        now.pools += [Pool.unchecked(id=part, kind=of.ap, points=of.points, start=of.points, source="tile", action=part)
                      for part, of in parts]

    def line(self) -> Text:
        return text("{side} takes the tile {tile}.", side=self.side, tile=self.tile)


class RoundPassed(Fact):
    """A side uses nothing of its tile; its debt falls [IS-5.4]."""

    side: Side

    def apply(self, s: State) -> None:
        s.current.stage = "over"

    def line(self) -> Text:
        return text("{side} passes.", side=self.side)


class RoundEnded(Fact):
    side: Side
    lapsed: int = 0         # points

    def apply(self, s: State) -> None:
        s.current.stage = "over"

    def line(self) -> Text | None:
        if not self.lapsed:
            return None
        lapse = count(self.lapsed, "{n} action point lapses", "{n} action points lapse")
        return text("{side} ends the round; {lapse}.", side=self.side, lapse=lapse)


class RoundOver(Fact):
    """Nothing of the round counts any more."""

    def apply(self, s: State) -> None:
        s.round = None


class AwardWon(Fact):
    """A region is scored [IS-4.12.1]."""

    region: str
    tile: str
    britain: int            # flags
    france: int
    winner: Side | None

    def apply(self, s: State) -> None:
        if self.winner is not None:
            s.won_awards[self.region] = self.winner

    def line(self) -> Text:
        if self.winner is None:
            return text("{region}: Britain {britain}, France {france}. Nobody wins the award.", region=self.region,
                        britain=self.britain, france=self.france)
        return text("{region}: Britain {britain}, France {france}. {winner} wins the award.", region=self.region,
                    britain=self.britain, france=self.france, winner=self.winner)

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        compared = text("{region}: Britain {britain}, France {france}.", region=self.region, britain=self.britain,
                        france=self.france)
        return _rewarded(compared, self.region, following) or super().commentary(following)


class Compared(Fact):
    """Something else is scored by a comparison: Prestige, a good [IS-4.12.2, 4.12.3]."""

    what: str
    britain: int
    france: int
    winner: Side | None
    good: bool = False

    def apply(self, s: State) -> None:
        if self.winner is not None and self.good:
            s.won_goods[self.what] = self.winner

    def line(self) -> Text:
        if self.winner is None:
            return text("{what}: Britain {britain}, France {france}. Nobody leads.", what=self.what, britain=self.britain,
                        france=self.france)
        return text("{what}: Britain {britain}, France {france}.", what=self.what, britain=self.britain, france=self.france)

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        return _rewarded(self.line(), self.what, following) or super().commentary(following)


def _rewarded(compared: Text, source: str, following: Sequence[Fact]) -> tuple[Sequence[Text], int] | None:
    """What a comparison brings its winner, in one sentence; None if it brings nothing."""
    gains = list[Text]()
    for event in following:
        if not isinstance(event, (Scored, TreatyPoints, DebtForced)) or event.source != source:
            break
        match event:
            case Scored():
                gains.append(text("scores {vp}", vp=victory_points(event.vp)))
            case TreatyPoints():
                gains.append(text("gains {amount} TRP", amount=event.amount))
            case DebtForced(excess=0):
                gains.append(text("takes {amount} debt", amount=event.amount))
            case _:
                break
        told = text("{compared} {winner} {gains}.", compared=compared, winner=event.side, gains=tuple(gains))
    return ((told,), len(gains)) if gains else None


class OtherSideResigned(Fact):
    """The other player has resigned, and the one who is left ends the game [IS-R-54]."""

    side: Side

    def line(self) -> Text:
        return text("The other side has resigned: {side} ends the game and wins it.", side=self.side)


class GameEnded(Fact):
    """Somebody has won [IS-16]."""

    winner: Side
    by: Literal["points", "sweep", "war_sweep", "final_scoring", "tie_break", "first_war", "resignation"]

    def apply(self, s: State) -> None:
        s.winner, s.ended_by, s.phase = self.winner, self.by, OVER

    def line(self) -> Text:
        return text("{winner:The} wins the game.", winner=self.winner)
