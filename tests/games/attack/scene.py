"""Readable positions of Attack!: a scene says what matters, the rest is empty.

    red = scene(land={"ukraine": ("red", "2I 1T"), "poland": ("blue", "1I")}, dice=["I A", "T - P P"])
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="ukraine", to="poland"), Confirm())
    assert red.land("poland") == ("red", "1T")

Forces are written as in the rules: "2I 1T 1A 1P" is 2 infantry, 1 tank, 1 artillery and 1 plane; fleets "1B 2D 1S 1C". A throw of
battle dice is written by its faces, "I T A P -"; any other throw is a tuple of numbers. Every answer is also replayed: the rows
lead to the same state, and so do the events alone.
"""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.components import components
from engine.dice import Dice, LoadedDice, SecretDice
from engine.games.attack import GAME
from engine.games.attack.components import Parts
from engine.games.attack.rules.battle import BattleRolled
from engine.games.attack.state import RULES_VERSION, State, TurnState
from engine.orders import Order
from tests.position import Position

FAIR = SecretDice("00" * 32)
LETTERS = {"I": "infantry", "T": "tank", "A": "artillery", "P": "plane"}
SHIPS: dict[str, Any] = {"B": "battleship", "C": "aircraft_carrier", "D": "destroyer", "S": "submarine"}
FACES = {"I": 1, "T": 2, "A": 3, "P": 4, "-": 6}


def army(words: str) -> dict[Any, int]:
    """"2I 1T" as a force."""
    return {LETTERS[word[-1]]: int(word[:-1]) for word in words.split()}


def fleet(words: str) -> dict[str, int]:
    """"1B 2D" as a fleet."""
    return {SHIPS[word[-1]]: int(word[:-1]) for word in words.split()}


def written(force: Mapping[str, int], letters: Mapping[str, str] = LETTERS) -> str:
    """A force or fleet as the rules write it; "" for none."""
    return " ".join(f"{force[kind]}{letter}" for letter, kind in letters.items() if force.get(kind))


def shown(throw: str | tuple[int, ...]) -> tuple[int, ...]:
    """A throw as the dice give it."""
    return tuple(FACES[face] for face in throw.split()) if isinstance(throw, str) else throw


class Scene(Position[State]):
    """A table at a position made by hand; its seats are called by their colours."""

    game = GAME

    def land(self, territory: str) -> tuple[str, str]:
        """Owner ("" for neutral) and units of a territory."""
        return self.state.owner.get(territory, ""), written(self.state.units.get(territory, {}))

    def fleet(self, power: str) -> str:
        """The ships of a power, damaged ones too."""
        return written(self.state.fleets[power], SHIPS)

    def hand(self, power: str) -> list[str]:
        """The kinds of cards in a hand."""
        return sorted(self.parts.card[card].kind for card in self.state.hands[power])


def scene(*, powers: Sequence[str] = ("red", "blue"), active: str = "", phase: str = "turn", round: int = 1, first: str = "",
          land: Mapping[str, tuple[str, str]] = {}, capitals: Mapping[str, str] = {}, hands: Mapping[str, Sequence[str]] = {},
          fleets: Mapping[str, str] = {}, damaged: Mapping[str, int] = {}, controller: str = "", pools: Mapping[str, str] = {},
          taken: Sequence[str] = (), out: Sequence[str] = (), deck: Sequence[str] | None = None, options: Mapping[str, Any] = {},
          orders: Sequence[Order] = (), pack: Mapping[str, list[dict[str, Any]]] = {}, rules_version: int = RULES_VERSION,
          dice: Sequence[str | tuple[int, ...]] | Dice = ()) -> Scene:
    """A position, with the question that follows from it.

    - `powers` in seat order; `first` began (left out: the first seat); `active` has the turn (left out: who began).
    - `land`: territory to owner and units; all others are neutral. `capitals`: territory to the power that put it there.
    - `hands`: power to cards, each an id such as "oil_01" or a kind such as "oil_3". `deck`: the cards in it (left out: all
      that nobody holds).
    - `fleets`: power to ships, "1B 2D 1S 1C"; `damaged`: battleships among them. `pools`: of the setup.
    - `taken`: actions that the active player has taken in this turn already.
    - `pack`: corrections of the components, as in a data pack.
    - `orders`: standing orders; with any, quiet questions are not asked.
    - `rules_version`: of the rulings with which the game began.
    - `dice`: the throws in their order, or a source such as FAIR.
    """
    parts = _parts(json.dumps(pack))
    held, left = _hands(parts, hands, powers)
    state = State(
        options=GAME.rules.options("base", options), seats=[f"seat_{number}" for number in range(1, len(powers) + 1)],
        powers=list(powers), phase=phase, round=round, first=powers.index(first) if first else 0,
        owner={territory: owner for territory, (owner, _) in land.items()},
        units={territory: army(units) for territory, (_, units) in land.items()}, capitals=dict(capitals), hands=held,
        deck=left if deck is None else list(deck), fleets={power: fleet(fleets.get(power, "")) for power in powers},
        damaged=dict(damaged), controller=controller, pools={power: army(units) for power, units in pools.items()},
        out=list(out), rules_version=rules_version)
    GAME.rules.bind(state, parts)
    state.place = powers.index(active) if active else state.first
    state.turn = TurnState(taken=list(taken))
    return Scene(parts, state, dice if callable(dice) else LoadedDice(*map(shown, dice)), orders)


@cache
def _parts(pack: str) -> Parts:
    """The components with a data pack, bound once for all scenes that have the same."""
    parts = components(GAME, "base", pack).parts
    assert isinstance(parts, Parts)
    return parts


def _hands(parts: Parts, hands: Mapping[str, Sequence[str]], powers: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The hands by ids, and the cards that nobody holds."""
    left = [card.id for card in parts.cards]
    held: dict[str, list[str]] = {power: [] for power in powers}
    for power, wanted in hands.items():
        for name in wanted:
            card = next(card for card in left if name in (card, parts.card[card].kind))
            left.remove(card)
            held[power].append(card)
    return held, left


def rolled(made: Scene) -> BattleRolled:
    """The last throw of a battle."""
    return made.events(BattleRolled)[-1]
