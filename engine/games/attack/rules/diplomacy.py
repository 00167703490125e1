"""Chapter 14: diplomacy with a neutral territory, and the rivals after a failure."""
from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from pydantic import Field

from engine.games.attack.rules.cards import draw_one
from engine.games.attack.rules.rolls import highest, together
from engine.games.attack.rules.setup import require_territory
from engine.games.attack.rules.turns import ActionFinished, ActionSpent, can_take, require_action
from engine.games.attack.state import DIPLOMACY, State
from engine.games.attack.words.nouns import units
from engine.kernel import Action, Event, Game, Script, Seat, roll
from engine.refusals import Illegal
from engine.text import Text, text

DIE = range(1, 7)


class DiplomacyTried(Event):
    """The roll of the active player, against the number that was needed [ATK-14.1]."""

    power: str
    territory: str
    dice: tuple[int, int]
    target: int

    def line(self) -> Text:
        return text("{power} negotiates with {territory:the}, needs {target} and rolls {sum}.", power=self.power,
                    territory=self.territory, sum=sum(self.dice), target=self.target)


class TerritoryWon(Event):
    """A neutral territory joins a player, with a free infantry [ATK-14.2.1, 14.3.3]."""

    power: str
    territory: str

    def apply(self, s: State) -> None:
        s.owner[self.territory] = self.power
        s.units[self.territory] = {"infantry": 1}

    def line(self) -> Text:
        return text("{power} wins over {territory:the}, with {units}.", territory=self.territory, power=self.power,
                    units=units(1, "infantry"))


class DiplomacyFailed(Event):
    territory: str

    def line(self) -> Text:
        return text("Nobody else rolls enough: {territory:the} stays neutral.", territory=self.territory)


def target(s: State, power: str, territory: str) -> int:
    """Return what must be rolled: less for a neighbour by land or by sea [ATK-14.1.2, 14.1.3]."""
    near = (*s.parts.territory[territory].adjacent, *s.parts.sea_linked[territory])
    if any(s.owner.get(land) == power for land in near):
        return s.parts.numbers.diplomacy_target_adjacent
    return s.parts.numbers.diplomacy_target_distant


class Diplomacy(Action):
    """Negotiate with a neutral territory anywhere on the board."""

    verb: ClassVar[str] = "diplomacy"
    territory: str = Field(description="Which neutral territory?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> tuple[Diplomacy, ...]:
        return _attempts(tuple(s.neutral())) if can_take(s, s.power(seat), DIPLOMACY) else ()

    def check(self, s: State, seat: Seat) -> None:
        require_action(s, s.power(seat), DIPLOMACY)
        require_territory(s, self.territory)
        if owner := s.owner.get(self.territory):
            raise Illegal("{territory:The} belongs to {owner}. Choose a neutral territory.", rule="ATK-14.4.3",
                          territory=self.territory, owner=owner)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s, s.power(seat), DIPLOMACY)

    def label(self) -> Text:
        return text("Negotiate with {territory:the}", territory=self.territory)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        least = target(s, s.power(seat), self.territory)
        ways = sum(one + other >= least for one in DIE for other in DIE)
        return text("{n} or more on two dice: {chance}%", n=least, chance=round(100 * ways / len(DIE) ** 2))


@lru_cache(maxsize=256)
def _attempts(neutral: tuple[str, ...]) -> tuple[Diplomacy, ...]:
    """An attempt for each of these: the same in most questions of a turn."""
    return tuple([Diplomacy.of(land) for land in neutral])


def negotiate(g: Game[State], power: str, territory: str) -> Script[None]:
    """One attempt; after a failure all others roll [ATK-14.1 to 14.4]."""
    s = g.state
    needed = target(s, power, territory)
    g.emit(ActionSpent(power=power, action=DIPLOMACY))
    one, two = yield from roll(6, 6, why="attempt", power=power, territory=territory, target=needed)
    g.emit(DiplomacyTried(power=power, territory=territory, dice=(one, two), target=needed))
    winner = power
    if one + two < needed:
        sums = yield from together(g, s.others(power), "diplomacy", territory)
        competing = [other for other, rolled in sums.items() if rolled >= s.parts.numbers.diplomacy_target_rivals]
        if not competing:
            g.emit(DiplomacyFailed(territory=territory))
            g.emit(ActionFinished(power=power))
            return
        winner = yield from highest(g, competing, "diplomacy", territory, sums)
    g.emit(TerritoryWon(power=winner, territory=territory))
    yield from draw_one(g, winner, territory)
    g.emit(ActionFinished(power=power))
