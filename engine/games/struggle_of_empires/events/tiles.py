"""What happens to tiles (chapters 11 to 13)."""
from __future__ import annotations

from collections.abc import Sequence

from engine.counters import add
from engine.games.struggle_of_empires.events.words import gold
from engine.games.struggle_of_empires.rules.special_actions import spend_special
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event
from engine.kernel.events import silent
from engine.text import Text, text


class TileTaken(Event):
    power: str
    tile: str
    as_action: bool = True

    def apply(self, s: State) -> None:
        add(s.stock, self.tile, -1)
        add(s.tiles[self.power], self.tile, 1)
        if self.as_action:
            spend_special(s, "tile")

    def line(self) -> Text:
        return text("{power:The} buys {tile:the}.", power=self.power, tile=self.tile)

    def bought_for(self, price: int) -> Text:
        return text("{power:The} buys {tile:the} ({gold}).", power=self.power, tile=self.tile, gold=gold(price))


class TileUsed(Event):
    """A once-a-war tile rests until the war ends [SOE-11.2.1]."""

    power: str
    tile: str

    def apply(self, s: State) -> None:
        add(s.used[self.power], self.tile, 1)

    def line(self) -> Text:
        return text("{power:The} uses {tile:the}.", power=self.power, tile=self.tile)

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """Nothing where the next sentence says what the tile does: "Prussia builds an army with Mercenaries."."""
        quiet = silent(following)
        if quiet < len(following) and getattr(following[quiet], "tile", "") == self.tile:
            return (), quiet
        return super().commentary(following)


class TileReturned(Event):
    """A tile goes back to the stock [SOE-11.2.4, 14.2.10]; `used` if its owner used it in this turn [SOE-11.2.5]."""

    power: str
    tile: str
    used: bool = True

    def apply(self, s: State) -> None:
        add(s.tiles[self.power], self.tile, -1)
        add(s.stock, self.tile, 1)
        if self.used and self.power == s.active:
            s.turn.given_back.append(self.tile)

    def line(self) -> Text:
        if self.used:
            return text("{power:The} uses {tile:the}.", power=self.power, tile=self.tile)
        return text("{power:Possessive} {tile} tile goes back to the stock.", power=self.power, tile=self.tile)


class TileRemoved(Event):
    """A tile with a square leaves the game [SOE-11.2.2]."""

    power: str
    tile: str

    def apply(self, s: State) -> None:
        add(s.tiles[self.power], self.tile, -1)


class BlockadeLaid(Event):
    power: str
    tile: str
    area: str

    def apply(self, s: State) -> None:
        add(s.tiles[self.power], self.tile, -1)
        s.blockades.setdefault(self.area, []).append(self.power)
        s.turn.given_back.append(self.tile)

    def line(self) -> Text:
        return text("{power:The} blockades {area:the}.", power=self.power, area=self.area)


class BlockadeLifted(Event):
    power: str
    tile: str
    area: str

    def apply(self, s: State) -> None:
        s.blockades[self.area].remove(self.power)
        if not s.blockades[self.area]:
            del s.blockades[self.area]
        add(s.stock, self.tile, 1)

    def line(self) -> Text:
        return text("{power:Possessive} blockade of {area:the} is lifted.", power=self.power, area=self.area)
