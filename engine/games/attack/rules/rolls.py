"""Rolls of 2d6 against each other."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from engine.games.attack.state import State
from engine.kernel import Event, Game, Script, roll
from engine.text import Text, template, text

Occasion: TypeAlias = Literal["start", "command", "diplomacy"]
SAID = {"start": template("Roll for the first turn: {rolled}."),
        "command": template("Roll to command the neutrals: {rolled}."),
        "diplomacy": template("The others roll: {rolled}.")}


class RolledTogether(Event):
    """Several players have rolled 2d6 each [ATK-3.2.1, 8.3.2, 14.3.1]."""

    occasion: Occasion
    dice: dict[str, tuple[int, int]]

    def line(self) -> Text:
        rolled = tuple([text("{power} {sum}", power=power, sum=sum(dice)) for power, dice in self.dice.items()])
        return text(SAID[self.occasion], rolled=rolled)


def together(g: Game[State], powers: Iterable[str], occasion: Occasion, territory: str = "") -> Script[dict[str, int]]:
    """Each of these rolls 2d6, if it is for a territory, for that one; the sums."""
    rolling = list(powers)
    values = yield from roll(*[6] * (2 * len(rolling)), why=occasion, territory=territory, powers=rolling)
    dice = {power: (values[2 * n], values[2 * n + 1]) for n, power in enumerate(rolling)}
    g.emit(RolledTogether(occasion=occasion, dice=dice))
    return {power: sum(rolled) for power, rolled in dice.items()}


def highest(g: Game[State], powers: Iterable[str], occasion: Occasion, territory: str = "",
            sums: dict[str, int] | None = None) -> Script[str]:
    """The power with the highest sum; those who share it roll again, until one is highest [ATK-3.2.1, 8.3.7, 14.3.1].

    `sums` are those of a roll that has been made already.
    """
    still = list(powers)
    while True:
        if sums is None:
            sums = yield from together(g, still, occasion, territory)
        best = max(sums[power] for power in still)
        still = [power for power in still if sums[power] == best]
        if len(still) == 1:
            return still[0]
        sums = None
