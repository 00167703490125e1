"""Hints: what a strong player would consider for a seat, and why. Each game's `coach` holds the reasons.

A hint is made from what its seat may see, as an automatic player's answer is: games that differ in others' secrets alone give the
same hints.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import sub
from statistics import fmean
from typing import Any

from engine.kernel import Action, GameSpec, Players, Position, Rng
from engine.players import Seeded, seed_of
from engine.players.search import FEW, clearly_behind, compared
from engine.text import Text, count, say, text
from engine.text.amounts import points

MOST = 3                # answers that are told
PLAIN = text("I see no clearly better choice here.")
BEST = text("The other choices look worse to me.")
NOTHING = text("I see nothing that it would bring you now.")
TIMES = 2               # as many rows are played as for an answer of the strong player
SURE = 4                # times the sampling noise by which an answer has to be behind for that to be told
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
    """Return what each of these answers brings, in this order unless playing on from them tells clearly otherwise."""
    players, rng = spec.automatic, Seeded(f"hints {seed_of(position, secret)}")
    assert players is not None and players.coach is not None, "the game gives hints"
    found = [Hint(action, tuple(players.coach.reasons(position, action)) or (NOTHING,)) for action in answers]
    return _ranked(players, position, found, rng)


def _ranked(players: Players[Any], position: Position[Any], found: Sequence[Hint], rng: Rng) -> tuple[Hint, ...]:
    """These hints by what comes of each when it is played on, if that can be tried."""
    if players.search is None or position.worlds is None or len(found) < 2:
        return tuple(found)
    tried = compared(players, position, [hint.action for hint in found], rng, TIMES)
    if min(map(len, tried.values())) < FEW:
        return tuple(found)
    best = max(tried.values(), key=lambda worth: (len(worth), sum(worth)))
    lost = {action: fmean(map(sub, best, worth)) for action, worth in tried.items() if clearly_behind(worth, best, SURE)}
    close = [hint for hint in found if hint.action not in lost]

    def ahead(hint: Hint) -> Text | None:
        games = count(len(tried[hint.action]), "{n} game", "{n} games")
        if hint.action in lost:
            return text("In {games} played on from here, it came out {points} behind the best.", games=games,
                        points=points(lost[hint.action]))
        if hint != close[0]:
            return text("In {games} played on from here, it's too close to the first to tell.", games=games)
        return text("Played on from here in {games}, it came out best.", games=games) if len(close) == 1 else None

    ranked = [*close, *sorted((hint for hint in found if hint.action in lost), key=lambda hint: lost[hint.action])]
    return tuple([Hint(hint.action, (*hint.reasons, *filter(None, [ahead(hint)]))) for hint in ranked])


def _between(position: Position[Any]) -> Text:
    """Return what is said where no answer is better: between which of them the choice is."""
    others = [option.label() for option in position.options if option != position.default]
    if not others:
        return PLAIN
    named = others if len(others) <= MOST else [*others[:MOST - 1], text("others")]
    return text("I see no clearly better choice. This is the default move; you could also choose {others}.", others=tuple(named))


def _said(reasons: Sequence[Text]) -> list[str]:
    return [say(reason) for reason in reasons]
