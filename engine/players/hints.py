"""Hints: what a strong player would consider for a seat, and why. Each game's `coach` holds the reasons.

A hint is made from what its seat may see, as an automatic player's answer is: games that differ in others' secrets alone give the
same hints.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from engine.kernel import Action, GameSpec, Players, Position, Rng
from engine.players import Seeded, seed_of
from engine.players.search import FEW, compared
from engine.text import Text, count, say, text
from engine.text.amounts import points

MOST = 3                # answers that are told
PLAIN = text("I see no clearly better choice here.")
BEST = text("The other choices look worse to me.")
NOTHING = text("I see nothing that it would bring you now.")
TIMES = 2               # as many rows are played as for an answer of the strong player
EVEN = 0.05             # points by which two answers count as equally good


@dataclass(frozen=True)
class Hint:
    """An answer worth considering, and why."""

    action: Action
    reasons: tuple[Text, ...]


def hints(spec: GameSpec, position: Position[Any], secret: str = "") -> tuple[Hint, ...]:
    """Two or three answers worth considering, the best first; one, if nothing else comes close."""
    players, rng = spec.automatic, Seeded(f"hints {seed_of(position, secret)}")
    assert players is not None and players.coach is not None, "the game gives hints"
    coach, found = players.coach, list[Hint]()
    worth = coach.considered(position, rng)
    if not worth:
        return (Hint(position.default, (*coach.reasons(position, position.default), _between(position))),)
    best = max(worth.values())
    even = [action for action in worth if worth[action] > best - EVEN]
    for action in sorted((one for one in worth if worth[one] >= best - coach.close), key=lambda one: -worth[one]):
        reasons = tuple(coach.reasons(position, action))
        if not reasons and found and action not in even:
            continue                                    # nothing can be said for it
        if not reasons:
            reasons = (text("It's about as good as this: {first}.", first=found[0].action.label()) if found
                       else PLAIN if len(even) > 1 else BEST,)
        if all((type(action), _said(reasons)) != (type(hint.action), _said(hint.reasons)) for hint in found):
            found.append(Hint(action, reasons))         # what differs in nothing that is told is told once
        if len(found) == MOST:
            break
    return _ranked(players, position, found, rng)


def compared_with(spec: GameSpec, position: Position[Any], answers: Sequence[Action], secret: str = "") -> tuple[Hint, ...]:
    """Return what each of these answers brings, the one first that the strong player prefers."""
    players, rng = spec.automatic, Seeded(f"hints {seed_of(position, secret)}")
    assert players is not None and players.coach is not None, "the game gives hints"
    worth = players.coach.considered(position, rng)
    found = [Hint(action, tuple(players.coach.reasons(position, action)) or (NOTHING,))
             for action in sorted(answers, key=lambda one: -worth.get(one, -inf))]
    return _ranked(players, position, found, rng)


def _ranked(players: Players[Any], position: Position[Any], found: Sequence[Hint], rng: Rng) -> tuple[Hint, ...]:
    """These hints by what comes of each when it is played on, if that can be tried."""
    if players.search is None or position.worlds is None or len(found) < 2:
        return tuple(found)
    tried = compared(players, position, [hint.action for hint in found], rng, TIMES)
    worlds = min(map(len, tried.values()))
    if worlds < FEW:
        return tuple(found)
    mean = {action: sum(values[:worlds]) / worlds for action, values in tried.items()}
    ranked = sorted(found, key=lambda hint: -mean[hint.action])
    best = mean[ranked[0].action]
    return tuple([Hint(hint.action, (*hint.reasons, _ahead(best - mean[hint.action], worlds))) for hint in ranked])


def _between(position: Position[Any]) -> Text:
    """Return what is said where no answer is better: between which of them the choice is."""
    others = [option.label() for option in position.options if option != position.default]
    if not others:
        return PLAIN
    named = others if len(others) <= MOST else [*others[:MOST - 1], text("others")]
    return text("I see no clearly better choice. This is the default move; you could also choose {others}.", others=tuple(named))


def _said(reasons: Sequence[Text]) -> list[str]:
    return [say(reason) for reason in reasons]


def _ahead(behind: float, worlds: int) -> Text:
    games = count(worlds, "{n} game", "{n} games")
    if behind < EVEN:
        return text("Played on from here in {games}, it came out best.", games=games)
    return text("In {games} played on from here, it came out {points} behind the best.", games=games, points=points(behind))
