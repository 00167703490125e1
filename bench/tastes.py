"""What buying a thing brings in points, price and action counted: chance makes some players keen on it, and others averse to it.

What players buy tells little of its worth, since whoever does well can also afford more, and what a player makes of it is what is
to be judged. A taste that chance gives has no such reason. The points that come of the taste, divided by the purchases that come
of it, are what a purchase brings: the taste is an instrumental variable. To keen players the thing seems worth more until they
have it; averse ones never buy it; all others as they see fit. If the interval is above 0, the thing is always worth its price, if
it is below 0, never.
"""
from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bench.balance import NORMAL, Mean, Setting, packs, parts_of, played, study_of
from bench.gifts import from_mean, run_all, setting_of
from bench.study import Taste, Tastes
from engine import catalog
from engine.kernel import Seat
from engine.refusals import Faulty
from engine.text import verbatim

KEEN = AVERSE = 0.15            # of the players, each thing by itself


@dataclass(frozen=True)
class Outcome:
    """The tastes in a game, what was bought, and the points; all by seat."""

    tastes: Mapping[Seat, Taste]
    bought: Mapping[Seat, Mapping[str, int]]
    points: Mapping[Seat, float]


def tastes_of(game: str) -> Tastes:
    """What players can be keen on in a game. Raises Faulty."""
    found = study_of(game).tastes
    if found is None:
        raise Faulty("Nobody has told yet what the players of {game} could be keen on.", game=verbatim(game))
    return found


def drawn(things: Sequence[str], pick: random.Random) -> Taste:
    """The tastes of one player."""
    found: dict[str, int] = {}
    for thing in things:
        chance = pick.random()
        if chance < KEEN + AVERSE:
            found[thing] = 1 if chance < KEEN else -1
    return found


def outcome(setting: Setting, seed: int, number: int) -> Outcome:
    """One game of players with tastes; the same seed and number give the same tastes and the same game."""
    study, pick = tastes_of(setting.game), random.Random(f"tastes {seed} {number}")
    things = study.things(parts_of(setting))
    tastes = {Seat(f"seat_{place}"): drawn(things, pick) for place in range(1, setting.seats + 1)}
    table = played(setting, seed, number, choice=study.choice(tastes))
    return Outcome(tastes, study.bought(table), study.points(table.state))


def worth(outcomes: Sequence[Outcome], thing: str) -> Mean | None:
    """The points that a purchase brings, and how far that may be off; None if tastes make nobody buy more or less of it."""
    keen, bought, points = list[float](), list[float](), list[float]()
    for one in outcomes:
        keen += from_mean([one.tastes[seat].get(thing, 0) for seat in one.points])
        bought += from_mean([one.bought[seat].get(thing, 0) for seat in one.points])
        points += from_mean([*one.points.values()])
    more = sum(wish * number for wish, number in zip(keen, bought))
    if not more:
        return None
    slope = sum(wish * gained for wish, gained in zip(keen, points)) / more
    left = sum((gained - slope * number) ** 2 for number, gained in zip(bought, points))
    free = len(points) - len(outcomes) - 1              # the mean of each game is known, and the slope
    return Mean(slope, NORMAL * (left / free * sum(wish * wish for wish in keen)) ** 0.5 / abs(more), len(outcomes))


def share(outcomes: Sequence[Outcome], thing: str, taste: int) -> float:
    """The share of the players with this taste who buy a thing."""
    those = [one.bought[seat].get(thing, 0) for one in outcomes for seat in one.points if one.tastes[seat].get(thing, 0) == taste]
    return sum(number > 0 for number in those) / max(1, len(those))


def measure(game: str, edition: str = "", seats: int = 0, games: int = 500, seed: int = 0, jobs: int = 1, move: str = ""
            ) -> dict[str, Any]:
    """What buying a tile brings in points, all costs counted, by games of players with tastes that chance gives them."""
    study, setting = tastes_of(game), setting_of(game, edition, seats, games, jobs)
    moves = packs(study_of(game), catalog.find(game), setting.edition, move, house=False)
    setting = replace(setting, pack=moves.get(move))
    outcomes = run_all(partial(outcome, setting, seed), games, jobs)
    found = {thing: worth(outcomes, thing) for thing in study.things(parts_of(setting))}
    ranked = sorted(((thing, mean) for thing, mean in found.items() if mean is not None), key=lambda item: -item[1].mean)
    return {"game": game, "edition": setting.edition, "seats": setting.seats, "games": games, "seed": seed, "move": move,
            "worth": {thing: [mean.mean, mean.off] for thing, mean in ranked},
            "bought": {thing: [share(outcomes, thing, taste) for taste in (1, 0)] for thing, _ in ranked},
            "prices": dict(study.prices(parts_of(setting)))}


def told(figures: Mapping[str, Any]) -> Iterator[str]:
    """What buying each thing brings as a table of Markdown, the most valuable first."""
    yield f"| {figures['edition']}, {figures['seats']} players, {figures['games']} games | brings | bought by | price |"
    yield "|---|---|---|---|"
    for thing, (mean, off) in figures["worth"].items():
        usual = f"{100 * figures['bought'][thing][1]:.0f} %"
        yield f"| {thing} | {mean:+.1f} ± {off:.1f} | {usual} | {figures['prices'].get(thing, '')} |"
