"""Chapters 12.3 and 13: control of the sea lanes, and naval battles.

`naval_action(g, power)` is the whole action: it is called when a player who has a ship and is not the controller takes Naval
battle. Lines are sealed answers of both sides; what a line looks like on silence is in `lines`.
"""
from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from engine.counters import add
from engine.games.attack.odds import outlook_at_sea
from engine.games.attack.rules.naval_lines import (
    Formation,
    Line,
    bonus,
    choice_of_line,
    outnumbered,
    target,
    usual_line,
    usual_line_of,
)
from engine.games.attack.rules.turns import ActionFinished, ActionSpent
from engine.games.attack.state import NAVAL, NavalBattle, State, Vessel, size
from engine.games.attack.words.nouns import force, ships_in_line
from engine.kernel import Action, Ask, Event, Game, Script, Seat, ask, roll
from engine.text import Text, template, text

LINING_UP = template("Naval battle, round {n}: how do you line up your ships, head first?")


# --- events -----------------------------------------------------------------------------------------------

class ControlTaken(Event):
    """A player controls the sea lanes from now on, and what comes with it [ATK-12.1.1, 12.1.2, 12.2.1, 13.1.2, 13.6.1]."""

    power: str
    before: str = ""

    def apply(self, s: State) -> None:
        s.controller = self.power

    def line(self) -> Text:
        return text("{power} controls the sea lanes.", power=self.power)


class ControllerWithdrew(Event):
    """The controller gives up the sea lanes without a fight [ATK-13.1.2]."""

    power: str
    challenger: str

    def line(self) -> Text:
        return text("{power} withdraws rather than fight {challenger}.", power=self.power, challenger=self.challenger)


class NavalBegun(Event):
    """The controller fights; every damaged battleship has been repaired [ATK-13.1.3, 13.1.5, 13.6.2]."""

    attacker: str
    defender: str

    def apply(self, s: State) -> None:
        s.battles += 1
        s.damaged = {}
        s.naval = NavalBattle(attacker=self.attacker, defender=self.defender)

    def line(self) -> Text:
        return text("{attacker} challenges {defender} for the sea lanes, and {defender} fights.", attacker=self.attacker,
                    defender=self.defender)


class LinesShown(Event):
    """Both lines are turned up together [ATK-13.2.4]."""

    round: int
    lines: dict[str, tuple[str, ...]]

    def apply(self, s: State) -> None:
        naval = naval_of(s)
        naval.round, naval.pair, naval.dice = self.round, 0, {}
        naval.lines = {power: [Vessel(ship=ship) for ship in line] for power, line in self.lines.items()}

    def line(self) -> Text:
        (one, first), (other, second) = self.lines.items()
        return text("Naval battle, round {n}. {one}: {first}. {other}: {second}.", n=self.round, one=one, other=other,
                    first=ships_in_line(first), second=ships_in_line(second))


class PairFought(Event):
    """A pair has rolled; the higher total scores one hit, which takes effect at once [ATK-13.3.2, 13.3.3]."""

    pair: int               # from 1
    ships: dict[str, str]
    dice: dict[str, tuple[int, int]]
    modifiers: dict[str, int]
    hit: str = ""           # the side that is hit; "" for equal totals
    position: int = 0       # of the ship that is hit, from 1
    ship: str = ""
    sunk: bool = False

    def apply(self, s: State) -> None:
        naval = naval_of(s)
        naval.pair, naval.dice = self.pair, dict(self.dice)
        if not self.hit:
            return
        vessel = naval.lines[self.hit][self.position - 1]
        vessel.hits += 1
        if self.sunk:
            vessel.sunk = True
            add(s.fleets[self.hit], self.ship, -1)
            if vessel.hits > 1:
                add(s.damaged, self.hit, -1)
        else:
            add(s.damaged, self.hit, 1)

    def line(self) -> Text:
        one, other = map(self._total, self.dice)
        totals = text("{one} against {other}", one=one, other=other)
        if not self.hit:
            return text("Pair {n}: {totals}. No hit.", n=self.pair, totals=totals)
        if self.sunk:
            return text("Pair {n}: {totals}. {power:possessive} {ship} sinks.", n=self.pair, totals=totals, ship=self.ship,
                        power=self.hit)
        return text("Pair {n}: {totals}. {power:possessive} {ship} is damaged.", n=self.pair, totals=totals, ship=self.ship,
                    power=self.hit)

    def _total(self, power: str) -> Text:
        """A ship with its dice and what it adds to them [ATK-20.13]."""
        rolled, more = sum(self.dice[power]), self.modifiers[power]
        if not more:
            return text("{power:possessive} {ship} {rolled}", ship=self.ships[power], power=power, rolled=rolled)
        return text("{power:possessive} {ship} {rolled} + {more} = {total}", ship=self.ships[power], power=power, rolled=rolled,
                    more=more, total=rolled + more)


class NavalEnded(Event):
    """One side has lost its fit ships, or retreats [ATK-13.5.2, 13.5.3]."""

    winner: str
    loser: str
    retreat: bool

    def apply(self, s: State) -> None:
        s.naval = None

    def line(self) -> Text:
        if self.retreat:
            return text("{loser} retreats: {winner} wins the naval battle.", loser=self.loser, winner=self.winner)
        return text("{loser} has no fit ship left: {winner} wins the naval battle.", loser=self.loser, winner=self.winner)


def naval_of(s: State) -> NavalBattle:
    assert s.naval is not None, "no naval battle is fought"
    return s.naval


# --- answers ----------------------------------------------------------------------------------------------

class Fight(Action):
    """Fight on, or withdraw your ships."""

    verb: ClassVar[str] = "fight"
    on: bool = Field(description="Do you fight?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Fight]:
        return [cls.of(True), cls.of(False)]

    def outlook(self, s: State, seat: Seat) -> Text | None:
        return outlook_at_sea(s, s.power(seat)) if self.on else None

    def label(self) -> Text:
        return text("Fight") if self.on else text("Withdraw")


def rivals(s: State, power: str) -> tuple[str, int, int]:
    """Whom a side fights at sea, its own fit ships and those of the other; before a battle all are repaired [ATK-13.1.5]."""
    if s.naval is None:
        foe = s.active if power == s.controller else s.controller
        return foe, s.ships(power), s.ships(foe)
    foe = s.naval.foe(power)
    return foe, size(s.fit(power)), size(s.fit(foe))


def enough_to_fight(mine: int, theirs: int) -> bool:
    """The default of D-14: fight with at least as many fit ships as the challenger."""
    return mine >= theirs


def usual_fight(s: State, seat: Seat) -> Fight:
    """The default of D-14."""
    _, mine, theirs = rivals(s, s.power(seat))
    return Fight.of(enough_to_fight(mine, theirs))


def usual_retreat(s: State, seat: Seat) -> Fight:
    """The default of D-16."""
    _, mine, theirs = rivals(s, s.power(seat))
    return Fight.of(not outnumbered(mine, theirs))


# --- one pair -----------------------------------------------------------------------------------------------

def modifier(s: State, power: str, position: int) -> int:
    """Return what a ship adds to its dice; `position` counts from 0 [ATK-13.4.1 to 13.4.7]."""
    line, sunk, enemy = _pair(s, power, position)
    return bonus(s.parts.modifiers, line, sunk, enemy, position)


def struck(s: State, power: str, position: int) -> int:
    """Which ship of a losing side is hit [ATK-13.3.4, 13.3.5]."""
    line, sunk, enemy = _pair(s, power, position)
    return target(line, sunk, enemy, position)


def _pair(s: State, power: str, position: int) -> tuple[list[str], list[bool], str]:
    """A side's line with what has sunk of it, and the enemy of the ship in this position."""
    naval = naval_of(s)
    line = naval.lines[power]
    return [vessel.ship for vessel in line], [vessel.sunk for vessel in line], naval.lines[naval.foe(power)][position].ship


# --- the scripts --------------------------------------------------------------------------------------------

def naval_action(g: Game[State], power: str) -> Script[None]:
    """Control without a fight if nobody has it; else the challenge [ATK-12.3.1 to 12.3.4, 13.1.1, 13.1.4]."""
    s = g.state
    g.emit(ActionSpent(power=power, action=NAVAL))
    holder = s.controller
    winner = power
    if holder and s.ships(holder):
        answer = yield from ask(s.seat(holder), Fight, point="D-14", default=usual_fight, power=power,
                                theirs=force(s.fleets[power]), mine=force(s.fleets[holder]),
                                prompt="{power} challenges you for the sea lanes with {theirs}; you have {mine}. Do you fight?")
        if answer.on:
            winner = yield from naval_battle(g, power, holder)
        else:
            g.emit(ControllerWithdrew(power=holder, challenger=power))
    if winner != holder:
        g.emit(ControlTaken(power=power, before=holder))
    g.emit(ActionFinished(power=power))


def naval_battle(g: Game[State], attacker: str, defender: str) -> Script[str]:
    """Rounds until one side has no fit ship or retreats; the winner [ATK-13.5.1 to 13.5.5]."""
    s = g.state
    g.emit(NavalBegun(attacker=attacker, defender=defender))
    number = 0
    while True:
        number += 1
        lines = yield from line_up(g)
        g.emit(LinesShown(round=number, lines=lines))
        for pair in range(min(map(len, lines.values()))):
            yield from fight_pair(g, pair)
        for side in (attacker, defender):
            if not s.fit(side):
                g.emit(NavalEnded(winner=naval_of(s).foe(side), loser=side, retreat=False))
                return attacker if side == defender else defender
        for side in (attacker, defender):
            foe = naval_of(s).foe(side)
            answer = yield from ask(s.seat(side), Fight, point="D-16", default=usual_retreat, mine=force(s.fit(side)),
                                    theirs=force(s.fit(foe)), foe=foe,
                                    prompt="You have {mine} left against {foe:possessive} {theirs}. Do you fight on?")
            if not answer.on:
                g.emit(NavalEnded(winner=foe, loser=side, retreat=True))
                return foe


def line_up(g: Game[State]) -> Script[dict[str, tuple[str, ...]]]:
    """Both lines, sealed until the last one is in; a line without a choice is not asked for [ATK-13.2.1 to 13.2.4]."""
    s = g.state
    naval = naval_of(s)
    sides = (naval.attacker, naval.defender)
    choosing = [side for side in sides if choice_of_line(s, side)]
    lines = {side: () if side in choosing else usual_line(s, side) for side in sides}
    if choosing:
        answers = yield tuple([Ask(s.seat(side), (Line, Formation), LINING_UP, "D-15", usual_line_of, {"n": naval.round + 1})
                               for side in choosing])
        for side, answer in zip(choosing, answers, strict=True):
            lines[side] = answer.ships if isinstance(answer, Line) else answer.line(s, side)
    return lines


def fight_pair(g: Game[State], place: int) -> Script[None]:
    """Two dice each with their modifiers; the lower total is hit at once [ATK-13.2.5, 13.2.6, 13.3.1 to 13.3.9]."""
    s = g.state
    naval = naval_of(s)
    sides = (naval.attacker, naval.defender)
    modifiers = {side: modifier(s, side, place) for side in sides}
    ships = {side: naval.lines[side][place].ship for side in sides}
    a, b, c, d = yield from roll(6, 6, 6, 6, why="naval", attacker=naval.attacker, defender=naval.defender, round=naval.round,
                                 pair=place + 1, ships=ships.values(), modifiers=modifiers)
    dice = {naval.attacker: (a, b), naval.defender: (c, d)}
    totals = {side: sum(dice[side]) + modifiers[side] for side in sides}
    if totals[sides[0]] == totals[sides[1]]:
        g.emit(PairFought(pair=place + 1, ships=ships, dice=dice, modifiers=modifiers))
        return
    loser = min(sides, key=lambda side: totals[side])
    position = struck(s, loser, place)
    vessel = naval.lines[loser][position]
    g.emit(PairFought(pair=place + 1, ships=ships, dice=dice, modifiers=modifiers, hit=loser, position=position + 1,
                      ship=vessel.ship, sunk=vessel.hits + 1 >= s.parts.ship[vessel.ship].hits_to_sink))
