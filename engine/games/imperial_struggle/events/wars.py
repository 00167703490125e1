"""Facts of a war turn: theaters, icons, strength, spoils, conquest (chapter 14)."""
from __future__ import annotations

from typing import ClassVar, Literal

from engine.games.imperial_struggle.components import SIDES, BothSides, Side
from engine.games.imperial_struggle.events.base import Binding, Fact
from engine.games.imperial_struggle.rules.prices import of_conquest
from engine.games.imperial_struggle.state import JACOBITES, Shown, State, StrengthLine, TheaterResult, WarState
from engine.text import Text, count, text


class WarBegun(Fact):
    """A war turn begins; nobody has refused anything in this war [IS-14.1, 14.8.8]."""

    war: str

    def apply(self, s: State) -> None:
        s.war = WarState.unchecked(war=self.war)
        for own in s.own.values():
            own.refusals = 0

    def line(self) -> Text:
        return text("The {war} is fought.", war=self.war)


class TheaterOpened(Fact):
    """Both sides turn up their tiles in a theater; who applies icons first is settled [IS-14.3, 14.4.1, 14.4.7]."""

    binds: ClassVar[Binding] = "reveal"
    theater: str
    number: int
    britain: tuple[str, ...]
    france: tuple[str, ...]
    order: tuple[Side, Side]

    def apply(self, s: State) -> None:
        war = s.fought
        war.theater, war.order = self.number, list(self.order)
        war.shown = Shown.unchecked(britain=list(self.britain), france=list(self.france))
        shown: dict[Side, tuple[str, ...]] = {"britain": self.britain, "france": self.france}
        war.icons = {side: [tile for tile in tiles if s.parts.war_tile[tile].icon] for side, tiles in shown.items()}
        war.winner, war.margin, war.lines, war.vacant = "", 0, {}, []

    def line(self) -> Text:
        return text("{theater}: Britain turns up {britain}; France turns up {france}.", theater=self.theater,
                    britain=tuple(self.britain), france=tuple(self.france))


class IconApplied(Fact):
    """An icon takes effect; what it does is told by the fact that follows [IS-14.4]."""

    side: Side
    tile: str

    def apply(self, s: State) -> None:
        s.fought.icons[self.side].remove(self.tile)

    def line(self) -> Text:
        return text("{side} applies its tile {tile}.", side=self.side, tile=self.tile)


class IconsLost(Fact):
    """Icons have no legal target, or their owner gives them up [IS-14.4.3 to 14.4.5]."""

    side: Side
    tiles: tuple[str, ...]
    given_up: bool

    def apply(self, s: State) -> None:
        s.fought.icons[self.side] = []

    def line(self) -> Text:
        if self.given_up:
            return text("{side} gives up {icons}.", side=self.side, icons=count(len(self.tiles), "{n} icon", "{n} icons"))
        return count(len(self.tiles), "{side:possessive} tile has no effect: nothing to hit.",
                     "{n} tiles of {side} have no effect: nothing to hit.", side=self.side)


class StrengthCounted(Fact):
    """The strength of a side in a theater, line by line [IS-14.5, 14.6]."""

    side: Side
    lines: tuple[StrengthLine, ...]
    total: int

    def apply(self, s: State) -> None:
        war = s.fought
        war.lines[self.side] = list(self.lines)
        war.counted += [space for line in self.lines if line.source == "conflict_markers" for space in line.of
                        if space not in war.counted]

    def line(self) -> Text:
        return text("{side}: {total} ({lines}).", side=self.side, total=self.total, lines=tuple(
            text("{source} {amount}", source=line.source, amount=line.amount) for line in self.lines))


class TheaterSettled(Fact):
    """Who wins a theater, and the spoils that are still to be used [IS-14.6, 14.7]."""

    theater: str
    strength: BothSides
    winner: Side | Literal[""]
    margin: int
    highest: bool                           # the highest row of the table [IS-16.3]
    cp: int = 0
    unflag: int = 0
    losses: int = 0

    def apply(self, s: State) -> None:
        war = s.fought
        war.winner, war.margin, war.cp, war.unflag, war.losses = self.winner, self.margin, self.cp, self.unflag, self.losses
        war.results.append(TheaterResult.unchecked(theater=war.theater, strength=self.strength.by_side(), lines=war.lines,
                                                   winner=self.winner, margin=self.margin, highest=self.highest))

    def line(self) -> Text:
        if not self.winner:
            return text("Nobody wins {theater:the}.", theater=self.theater)
        return text("{winner} wins {theater:the} by {margin}.", winner=self.winner, theater=self.theater, margin=self.margin)


class SpoilsUsed(Fact):
    """Conquest points are spent on a space, or a flag is taken off as spoils [IS-14.7.4, 14.8]."""

    side: Side
    space: str
    cp: int = 0
    unflag: int = 0

    def apply(self, s: State) -> None:
        s.fought.cp -= self.cp
        s.fought.unflag -= self.unflag

    def line(self) -> Text | None:
        if not self.cp:
            return None
        return text("{side} pays {price}.", side=self.side, price=of_conquest(self.cp, self.space))


class SpoilsLost(Fact):
    """What is left of the spoils is given up, or cannot be used [IS-14.7.3]."""

    side: Side
    cp: int
    unflag: int

    def apply(self, s: State) -> None:
        s.fought.cp = s.fought.unflag = 0

    def line(self) -> Text:
        left = [text("{n} CP", n=self.cp)] if self.cp else []
        if self.unflag:
            left.append(text("the flag that it could take off"))
        return text("{side} leaves unused: {left}.", side=self.side, left=tuple(left))


class RefusalAsked(Fact):
    """The loser may refuse to cede a territory [IS-14.8.8]."""

    binds: ClassVar[Binding] = "question"
    side: Side
    space: str

    def apply(self, s: State) -> None:
        s.fought.asked = self.space


class Refused(Fact):
    """A territory stays, and cannot be taken again in this war; what that costs is told by the fact that follows [IS-14.8.8]."""

    side: Side
    space: str

    def apply(self, s: State) -> None:
        s.fought.asked = ""
        s.fought.closed.append(self.space)
        s.own[self.side].refusals += 1

    def line(self) -> Text:
        return text("{side} refuses to cede {space:the}.", side=self.side, space=self.space)


class Ceded(Fact):
    """A territory changes hands without a refusal [IS-14.8.8]."""

    side: Side
    space: str

    def apply(self, s: State) -> None:
        s.fought.asked = ""

    def line(self) -> Text:
        return text("{side} cedes {space:the}.", side=self.side, space=self.space)


class VacantTaken(Fact):
    """A territory that Spain has left is taken: the other side gets a free shift in Spain [IS-19.1]."""

    space: str

    def apply(self, s: State) -> None:
        s.fought.vacant.append(self.space)


class LossChosen(Fact):
    """The loser gives up one of the squadrons that it must; the fact that follows says which [IS-14.7.5]."""

    def apply(self, s: State) -> None:
        s.fought.losses -= 1


class DominanceWon(Fact):
    """The Atlantic Dominance tile comes to its winner's side of a later theater [IS-14.9.5]."""

    side: Side

    def apply(self, s: State) -> None:
        s.atlantic_dominance = self.side

    def line(self) -> Text:
        return text("{side} gains the tile {tile}.", side=self.side, tile="atlantic_dominance")


class JacobiteVictory(Fact):
    """France gains a Jacobite Victory marker [IS-14.9.1]."""

    def apply(self, s: State) -> None:
        s.jacobite_victories += 1

    def line(self) -> Text:
        return text("France gains a Jacobite Victory marker.")


class ThirdMinistryWon(Fact):
    """France may hold M-4 in addition to its other ministries [IS-14.9.4]."""

    def apply(self, s: State) -> None:
        s.third_ministry = True

    def line(self) -> Text:
        return text("France may hold {card} as a third ministry from now on.", card=JACOBITES)


class TilesCarried(Fact):
    """How many bonus tiles of the next set a side draws for those that stood in this war [IS-14.10.3]."""

    side: Side
    tiles: int

    def apply(self, s: State) -> None:
        s.own[self.side].carry_over = self.tiles

    def line(self) -> Text:
        return text("{side} draws {tiles} in the first action round of the next turn.", side=self.side,
                    tiles=count(self.tiles, "{n} bonus tile", "{n} bonus tiles"))


class TilesReturned(Fact):
    """Basic tiles go back to their pools; bonus tiles, Byng and Atlantic Dominance leave [IS-14.10.1, 14.11.1, 14.11.3]."""

    def apply(self, s: State) -> None:
        for side in SIDES:
            own = s.own[side]
            own.basic_pool = sorted([*own.basic_pool, *(tile for there in own.tiles for tile in there
                                                        if s.parts.war_tile[tile].basic)])
            own.tiles, own.bonus_pool = [], []
        s.byng, s.atlantic_dominance = 0, ""

    def line(self) -> Text:
        return text("Basic tiles go back to their pools; bonus tiles leave the game.")
