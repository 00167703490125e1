"""Chapter 13 on lines of ships: which a side lays (13.2, 21.5), what they add to the dice, which ship is hit (13.3, 13.4)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import factorial, prod
from typing import ClassVar, Literal

from pydantic import Field

from engine.counters import add
from engine.games.attack.components import SHIPS, Modifier
from engine.games.attack.rules.line_up_policies import Ranked
from engine.games.attack.state import Force, State, size
from engine.games.attack.words.nouns import force, ships_in_line
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, count, text

Wanted = Literal["destroyer", "submarine", "battleship", "aircraft_carrier", "rest"]
LISTED = 120                # lines that a menu offers; of larger fleets those that keep ships of a type together
CARRIERS_IN_EIGHT = 3       # ATK-21.5.2
CARRIER = "aircraft_carrier"
OUTNUMBERED = 2             # the default of D-16: retreat when the enemy has so many times the own fit ships


def length(s: State, power: str) -> int:
    """How many ships a side lays [ATK-13.2.1]."""
    return min(size(s.fit(power)), s.parts.numbers.max_ships_in_line)


def choice_of_line(s: State, power: str) -> bool:
    return len(s.fit(power)) > 1


def by_turns(destroyers: int, submarines: int) -> list[str]:
    """Destroyer and submarine by turns, destroyer first, until one kind is used up, then the rest [ATK-21.5.1]."""
    both = min(destroyers, submarines)
    return ["destroyer", "submarine"] * both + ["destroyer"] * (destroyers - both) + ["submarine"] * (submarines - both)


def chosen(s: State, power: str) -> Force:
    """The ships of the default line: all that are fit, or the choice of eight [ATK-21.5.2]."""
    return choice_among(s.fit(power), length(s, power))


def choice_among(fit: Mapping[str, int], left: int) -> Force:
    """So many of these ships: battleships, up to three carriers, destroyers and submarines by turns [ATK-21.5.2]."""
    few = min(fit.get(CARRIER, 0), CARRIERS_IN_EIGHT)
    wanted = (["battleship"] * fit.get("battleship", 0) + [CARRIER] * few
              + by_turns(fit.get("destroyer", 0), fit.get("submarine", 0))
              + [CARRIER] * (fit.get(CARRIER, 0) - few))
    return dict(Counter(wanted[:left]))


def usual_line(s: State, power: str) -> tuple[str, ...]:
    """The default line of a side [ATK-21.5.1, 21.5.2]."""
    return in_usual_order(chosen(s, power))


def in_usual_order(ships: Mapping[str, int]) -> tuple[str, ...]:
    """Battleships in front, each carrier behind a ship that is none [ATK-21.5.1]."""
    front = ["battleship"] * ships.get("battleship", 0) + by_turns(ships.get("destroyer", 0), ships.get("submarine", 0))
    carriers = [CARRIER] * ships.get(CARRIER, 0)
    line: list[str] = []
    for ship in front:
        line.append(ship)
        if carriers:
            line.append(carriers.pop())
    return (*line, *carriers)


class Line(Action):
    """Line up your ships, head first. The line is shown when both are ready."""

    verb: ClassVar[str] = "line"
    open_ended: ClassVar[bool] = True
    ships: tuple[str, ...] = Field(description="Which ships, in order? (such as: battleship, aircraft carrier, destroyer)")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Line]:
        """The default line first; all that there are, if they are few, else those that keep ships of a type together."""
        power = s.power(seat)
        usual = usual_line(s, power)
        yield cls.of(usual)
        ships = chosen(s, power)
        if size(s.fit(power)) == size(ships) and _number(ships) <= LISTED:
            others = _lines(dict(ships))
        else:
            others = (sum(((ship,) * ships.get(ship, 0) for ship in order), ()) for order in permutations(SHIPS))
        for line in dict.fromkeys(others):
            if line != usual:
                yield cls.of(line)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        fit = s.fit(power)
        for ship in self.ships:
            if ship not in SHIPS:
                raise Illegal("There is no ship called {ship}. Name each ship in your line: {ships}.", rule="ATK-1.1.4",
                              ship=ship, ships=SHIPS)
        if any(number > fit.get(ship, 0) for ship, number in Counter(self.ships).items()):
            raise Illegal("You have {fleet} fit to fight.", rule="ATK-13.2.1", fleet=force(fit))
        if len(self.ships) != length(s, power):
            raise Illegal("Your line must have {ships}: all that are fit, up to {most}.", rule="ATK-13.2.1",
                          ships=count(length(s, power), "{n} ship", "{n} ships"), most=s.parts.numbers.max_ships_in_line)

    def label(self) -> Text:
        return ships_in_line(self.ships)


class Formation(Ranked):
    """Line up your ships by type, the rest in the default order. The line is shown when both are ready."""

    verb: ClassVar[str] = "formation"
    ranked: ClassVar[tuple[str, ...]] = SHIPS
    rule: ClassVar[str] = "ATK-21.5.3"
    first: Wanted = Field(default="rest", description="Which type leads?")
    second: Wanted = Field(default="rest", description="Which type comes next?")
    third: Wanted = Field(default="rest", description="Which type after that?")

    def line(self, s: State, power: str) -> tuple[str, ...]:
        """The line of a side in this order: the named types as far as they are there, then the others [ATK-21.5.3]."""
        fit, line = s.fit(power), tuple[str, ...]()
        for ship in self.types:
            line += (ship,) * min(fit.get(ship, 0), length(s, power) - len(line))
        others = {ship: number for ship, number in fit.items() if ship not in self.types}
        return line + in_usual_order(choice_among(others, length(s, power) - len(line)))

    def label(self) -> Text:
        return text("{ships}, then the rest", ships=self.types) if self.types else text("The default line")


def usual_line_of(s: State, seat: Seat) -> Line:
    """The default of D-15 [ATK-21.5]."""
    return Line.of(usual_line(s, s.power(seat)))


def _number(ships: Force) -> int:
    return factorial(size(ships)) // prod(map(factorial, ships.values()))


def _lines(left: Force) -> Iterator[tuple[str, ...]]:
    if not left:
        yield ()
    for ship in list(left):
        rest = dict(left)
        add(rest, ship, -1)
        yield from ((ship, *behind) for behind in _lines(rest))


# --- a pair -------------------------------------------------------------------------------------------------

def bonus(modifiers: Sequence[Modifier], line: Sequence[str], sunk: Sequence[bool], enemy: str, place: int) -> int:
    """Return what a ship adds to its dice; `place` counts from 0 [ATK-13.4.1 to 13.4.7]."""
    total = 0
    for rule in modifiers:
        if rule.own not in (line[place], "any"):
            continue
        if rule.kind == "match_up":
            total += rule.bonus if enemy in rule.enemy else 0
        else:
            beside = [next_to for next_to in (place - 1, place + 1) if 0 <= next_to < len(line)]
            total += min(rule.max_bonus, rule.bonus_each * sum(line[at] == rule.beside and not sunk[at] for at in beside))
    return total


def target(line: Sequence[str], sunk: Sequence[bool], enemy: str, place: int) -> int:
    """Which ship of the losing line is hit: its head, or of two carriers the loser itself [ATK-13.3.4, 13.3.5, 13.3.8]."""
    return place if line[place] == enemy == CARRIER else sunk.index(False)


def outnumbered(mine: int, theirs: int) -> bool:
    """The default of D-16: retreat when outnumbered two to one or worse."""
    return OUTNUMBERED * mine <= theirs
