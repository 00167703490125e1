"""Readable positions of Imperial Struggle: a scene says what matters, the rest is as at the start of the game.

    at = scene(active="france", tile="4 DP / 2 MP", flags={"denmark_norway": "britain", "sardinia": ""}, trp={"france": 2})
    at.say("france", ShiftPolitical(space="denmark_norway", action="major", ...))
    assert at.state.flags["denmark_norway"] == "france"

`flags` changes the map: a space to "britain", "france", "spain", "usa", or "" for nobody. A tile is written as its name says it,
"3 DP / 2 MP, event"; it is taken already. Dice are a list of throws. Every answer is also replayed: the rows lead to the same
state, and so do the events alone.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.components import components
from engine.dice import Dice, LoadedDice, SecretDice
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.rounds import TakeTile
from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.options import PUBLISHED
from engine.games.imperial_struggle.rules import control
from engine.games.imperial_struggle.rules.setup import first_state
from engine.games.imperial_struggle.state import Minister, RoundState, State
from engine.games.imperial_struggle.words.nouns import tile_face
from engine.kernel import Action, Game, Seat
from engine.orders import Order
from tests.position import Position

FAIR = SecretDice("00" * 32)
PARTS = components(GAME, PUBLISHED).parts
assert isinstance(PARTS, Parts)

A = TypeVar("A", bound=Action)


class Scene(Position[State]):
    """A table at a position made by hand; its seats are called by their sides."""

    game = GAME

    def flag(self, space: str) -> str:
        """Whose flag or squadron is on a space; "" for nobody's."""
        return self.state.flags.get(space, "")

    def pools(self) -> list[str]:
        """The points left in the round under way, "3 DP" each."""
        return [f"{pool.points} {pool.kind}" for pool in self.state.current.pools if pool.points]

    def offered(self, power: str, kind: type[A]) -> list[A]:
        """The legal answers of one kind."""
        return [option for option in self.options(power) if isinstance(option, kind)]


def tile_id(face: str) -> str:
    """The first investment tile with this face: "3 DP / 2 MP, event"."""
    return next(tile.id for tile in PARTS.investment_tiles if tile_face(tile) == face)


def state_of(*, turn: str = "T1", options: Mapping[str, Any] = {}, edition: str = PUBLISHED, vp: int = 15,
             flags: Mapping[str, str] = {}, empty_map: bool = False, conflict: Mapping[str, int] | Sequence[str] = (),
             damaged: Sequence[str] = (), exhausted: Sequence[str] = (), demand: Sequence[str] = (),
             awards: Mapping[str, str] = {}, initiative: Side = "france", first: Side = "france", ar: int = 0,
             phase: str = "round", own: Mapping[Side, Mapping[str, Any]] = {}, ministries: Mapping[Side, Sequence[str]] = {},
             deck: Sequence[str] | None = None, available: Sequence[str] = (), **others: Any) -> State:
    """A state before its phase begins; see `scene`."""
    state = first_state((Seat("seat_1"), Seat("seat_2")), GAME.rules.options(edition, options), PARTS)
    state.step = next(at for at, step in enumerate(PARTS.turn_track) if step.id == turn)
    state.phase, state.vp, state.initiative, state.first, state.ar = phase, vp, initiative, first, ar
    war = state.next_war
    if empty_map:
        state.flags, state.holders = {}, {}
    for space, flag in flags.items():
        assert space in PARTS.space, space
        if flag:
            state.flags[space] = flag
        else:
            state.flags.pop(space, None)
    for tile in PARTS.advantages:
        holders = {state.flags.get(space, "") for space in tile.connected_spaces}
        holder = next((side for side in SIDES if holders == {side}), None)
        state.holders.pop(tile.id, None)
        if holder is not None:
            state.holders[tile.id] = holder
    state.conflict = dict(conflict) if isinstance(conflict, Mapping) else dict.fromkeys(conflict, 0)
    state.damaged, state.exhausted, state.demand, state.awards = list(damaged), list(exhausted), list(demand), dict(awards)
    if deck is not None:
        state.deck = list(deck)
    state.available = [tile if tile in PARTS.investment else tile_id(tile) for tile in available]
    for side in SIDES:
        mine = state.own[side]
        if war is not None:
            mine.tiles = [[] for _ in war.theaters]
            mine.bonus_pool = PARTS.bonus_of(side, war.id)
        for field, value in own.get(side, {}).items():
            assert field in type(mine).model_fields, field
            setattr(mine, field, value)
        mine.basic_pool = [tile for tile in mine.basic_pool if not any(tile in there for there in mine.tiles)]
        mine.bonus_pool = [tile for tile in mine.bonus_pool if not any(tile in there for there in mine.tiles)]
        for card in ministries.get(side, ()):                   # "M-1" lies face down, "M-1 up" face up
            mine.ministries.append(Minister(card=card.removesuffix(" up"), up=card.endswith(" up")))
        for card in mine.hand:
            if card in state.deck:
                state.deck.remove(card)
    for field, value in others.items():
        assert field in State.model_fields, field
        setattr(state, field, value)
    return state


def scene(*, active: Side = "france", tile: str = "", dice: Sequence[tuple[int, ...]] | Dice = (), orders: Sequence[Order] = (),
          phase: str = "round", **fields: Any) -> Scene:
    """A position, with the question that follows from it.

    - `active` takes the action round that begins; with `tile`, "3 DP / 2 MP, event", it has taken that tile already.
    - `turn`: "T1" to "T6", "WSS" ...; `phase`: "round", "scoring", "war", "peace".
    - `flags`: changes of the map; `empty_map`: only these. `conflict`: spaces with markers. `damaged`: forts.
    - `own`: side to fields of its `SideState`: {"france": {"debt": 2, "trp": 1, "hand": ["ev_03"], "navy_box": 1}}.
    - `ministries`: side to cards, "M-3" face down, "M-3 up" face up.
    - any other field of the state by its name: `vp`, `demand`, `awards`, `exhausted`, `deck`, `byng` ...
    - `dice`: the throws in their order, or a source such as FAIR.
    """
    if phase == "round":
        fields.setdefault("first", active)
        if not tile:
            fields.setdefault("available", [other.id for other in PARTS.investment_tiles[:9]])
        else:
            fields.setdefault("available", [tile, next(other.id for other in PARTS.investment_tiles if tile_face(other) != tile)])
    state = state_of(phase=phase, **fields)
    made = Scene(PARTS, state, dice if callable(dice) else LoadedDice(*dice), orders)
    if phase == "round" and tile:
        made.say(active, TakeTile(tile=state.available[0]))
    return made


def board(**fields) -> Game[State]:
    """A game at these flags alone, in an action round of France."""
    state = state_of(empty_map=True, **fields)
    state.round = RoundState(side="france", held=state.spaces_of("france"), isolated=control.isolated(state))
    return Game(state)
