"""A simple player of Struggle of Empires, who grows where it is cheap and attacks where it is likely to win.

No good player, but one whose games have about as many fights, bids and builds as those of people; the random player of
`engine.selfplay` fights and bids far more.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from engine.kernel import Action, Ask, GameSpec, Position

Choice: TypeAlias = Callable[[Any, Ask[Any], Sequence[Action], Random], Action]

LIKELY = 0              # lead in strength from which an attack is worth its gold
ATTACK, SETTLE, FREE, TILE, GROW, SHIFT, NOTHING = 12.0, 9.0, 14.0, 5.0, 6.0, 3.0, 1.0
NOISE = 4.0             # how far two games of the same player differ


def solid(spec: GameSpec) -> Choice:
    """The solid automatic player of a game, at the table itself: it reads no secret, so that it plays as it does in its seat."""
    assert spec.automatic is not None, "the game has automatic players"
    return seated(spec.automatic.solid)


def strong(spec: GameSpec) -> Choice:
    """The strong automatic player of a game in which it doesn't look further, at the table itself."""
    assert spec.automatic is not None and spec.automatic.strong is not None, "the strong player has a judgement of its own"
    return seated(spec.automatic.strong)


def seated(play: Callable[[Position[Any], Random], Action]) -> Choice:
    """A player who answers positions, at the table itself."""
    def choice(state: Any, question: Ask[Any], options: Sequence[Action], rng: Random) -> Action:
        default = question.default(state, question.seat) if callable(question.default) else question.default
        return play(Position(state=state, question=question, options=tuple(options), default=default or options[0]), rng)

    return choice


def simple(state: Any, question: Ask[Any], options: Sequence[Action], rng: Random) -> Action:
    """The answer to a question of one's own turn, or of the set-up."""
    default = question.default(state, question.seat) if callable(question.default) else question.default
    if question.point not in ("DP-05", "DP-06"):
        return default if default is not None and rng.random() < 0.7 else rng.choice(options)
    free = [option for option in options if option.consequence(state, question.seat) is None] or list(options)
    power = state.power(question.seat)
    return max(free, key=lambda option: _worth(state, power, option) + rng.random() * NOISE)


def _worth(state: Any, power: str, option: Action) -> float:
    told: Mapping[str, Any] = option.model_dump()
    match option.verb:
        case "attack":
            return ATTACK + _lead(state, power, told["area"], told["target"]) if _lead(
                state, power, told["area"], told["target"]) >= LIKELY else -1
        case "colonise" | "enslave":
            return SETTLE
        case "use":
            return FREE
        case "tile":
            return TILE if not told["target"] else NOTHING
        case "build":
            return GROW + _wanted(state, power, told["to"]) if told["unit"] != "fort" else NOTHING
        case "move":
            return SHIFT + _wanted(state, power, told["to"]) - _wanted(state, power, told["origin"])
        case "end":
            return 0
        case "pass":
            return NOTHING
    return -1               # destroying one's own units is for the desperate


def _lead(state: Any, power: str, area: str, target: str) -> float:
    own = state.count(power, "army", area)
    if target in state.npps:
        return float(own - state.marker_defence)
    if target in state.units:
        theirs = state.count(target, "army", area) + 2 * state.count(target, "fort", area)
        return float(own - theirs) + (0.5 if state.navies(power, area) > state.navies(target, area) else 0)
    marker = state.face(area, target)
    return float(own - (marker.strength if marker is not None else 2))


def _wanted(state: Any, power: str, place: str) -> float:
    """How much an area is worth another unit: what can be won there, less what stands there already."""
    if place not in state.neutrals:
        return -1
    prey = sum(state.parts.neutral[marker].kind == "strength" for marker in state.neutrals[place])
    prey += sum(place in state.markers[enemy] for enemy in state.enemies(power))
    here = state.count(power, "army", place) + state.navies(power, place)
    return float(min(prey, 3) + (place in state.markers[power]) - here)


def random_choice(state: Any, question: Ask[Any], options: Sequence[Action], rng: Random) -> Action:
    """Any answer: each kind with the same chance, then each answer of the kind."""
    kind = rng.choice(list(dict.fromkeys(map(type, options))))
    return rng.choice([option for option in options if type(option) is kind])
