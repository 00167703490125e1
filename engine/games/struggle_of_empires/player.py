"""An automatic player of Struggle of Empires: quick, selfish and without plans.

It weighs every answer in victory points: what a control marker brings in this war and the next, what gold and unrest are worth,
how a fight will end by the exact odds. It looks no move ahead, and reads what its seat may see and nothing else: of all unrest
only its own.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.games.struggle_of_empires.actions import RANDOM, Choose, Fight, Use
from engine.games.struggle_of_empires.judgement import NOISE, Mind
from engine.games.struggle_of_empires.knowledge import SECRET, imagined, known
from engine.games.struggle_of_empires.orders import TIED, WON, facts
from engine.games.struggle_of_empires.rules.war_end import area_points
from engine.games.struggle_of_empires.state import WARS, State
from engine.games.struggle_of_empires.weights import SOLID
from engine.kernel import Action, Ask, Players, Position, Rng, Search, Seat

BRAVE, EVEN = 0.4, 0.5  # chance at which a fight is accepted, or a tie is rolled again


def solid(position: Position[State], rng: Rng) -> Action:
    return best(position, rng, Mind)


def best(position: Position[State], rng: Rng, judged: Callable[[State, str], Mind]) -> Action:
    if len(position.options) == 1:
        return position.options[0]
    worth = considered(position, rng, judged)
    return max(worth, key=worth.__getitem__) if worth else position.default


def considered(position: Position[State], rng: Rng, judged: Callable[[State, str], Mind] = Mind) -> dict[Action, float]:
    """Return what each option is worth, by this judgement; empty if the default will do."""
    worth = _worth(position.state, position.question, rng, judged)
    return {} if worth is None else {option: worth(option) + NOISE * rng.random() for option in position.options}


def _worth(s: State, question: Ask[Any], rng: Rng, judged: Callable[[State, str], Mind]) -> Callable[[Action], float] | None:
    """How the answers to a question are weighed; None: its default will do."""
    if s.phase == "powers":
        return lambda option: float(option == Choose.of(RANDOM))
    mind = judged(s, s.power(question.seat))
    if s.phase == "auction":
        return mind.auction(lowest_bid(s))
    if s.battle is None:
        return mind.own_turn
    seen = facts(s, question.seat, question)
    win = mind.chance(seen["lead"]) if isinstance(seen["lead"], int) else 0.0
    match question.point:
        case "DP-12" | "DP-14":
            return mind.help(rng)
        case "DP-15" | "DP-16":
            return lambda option: float(isinstance(option, Fight) == (win >= BRAVE))
        case "DP-19":
            return lambda option: float(isinstance(option, Use))
        case "DP-20" | "DP-21":
            again = seen["result"] != WON and win >= (EVEN if seen["result"] == TIED else BRAVE)
            return lambda option: float(isinstance(option, Use) == again)
        case "DP-22":
            return lambda option: float(isinstance(option, Use) == bool(seen["losses"]))
    return None


def lowest_bid(s: State) -> int:
    return s.standing.gold + 1 if s.standing else 0


# --- looking further --------------------------------------------------------------------------------------

TRIED = 5               # answers that are played on from
CLOSE = 1.5             # points by which they may look worse than the best


def candidates(position: Position[State], rng: Rng) -> list[Action]:
    """The answers of the own turn that look best; elsewhere the best alone."""
    if position.question.point not in ("DP-05", "DP-06"):
        return [solid(position, rng)]
    worth = considered(position, rng)
    best = sorted(worth, key=worth.__getitem__, reverse=True)[:TRIED]
    return [option for option in best if worth[option] > worth[best[0]] - CLOSE]


def prospects(s: State, seat: Seat) -> float:
    """The points of a power and what its markers will bring, its gold, units and unrest; less what the best others have."""
    worth = {power: _standing(s, power) for power in s.powers if power}
    own = worth.pop(s.power(seat))
    return own - (max(worth.values()) + sum(worth.values()) / len(worth)) / 2


def _standing(s: State, power: str) -> float:
    if s.phase == "over":
        return float(s.points[power])
    left = 1 + SOLID.later * (WARS - s.war)
    total = float(s.points[power])
    for area in s.parts.areas:
        markers = {other: s.markers[other].get(area.id, 0) for other in (*s.powers, *s.ranked_npps) if other}
        if markers.get(power):
            total += left * area_points(area.vp, markers, npps=s.npps).get(power, 0)
    units = sum(sum(places.values()) for places in s.units[power].values())
    unrest = s.unrest[power]
    return (total + SOLID.unit / 2 * units + SOLID.gold * s.gold[power] + SOLID.population * s.population[power] * (s.war < WARS)
            - SOLID.unrest * unrest - SOLID.dear * max(0, unrest - SOLID.near) + 0.6 * sum(s.tiles[power].values()))


PLAYERS = Players[State](
    known=known, secret=SECRET, imagined=imagined, solid=solid,
    search=Search[State](candidates=candidates, worth=prospects, far=lambda s: (s.war, s.round, s.place), steps=2, rows=450))
