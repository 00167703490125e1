"""People who play from their phones: when each of them looks, in their own part of the world, and when they are away."""
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

HOUR, DAY = 60, 24 * 60                             # minutes, the unit of all times here
ZONES = (-8 * HOUR, -5 * HOUR, 0, HOUR, 2 * HOUR, 5 * HOUR + 30, 9 * HOUR)         # offsets from UTC
LOOKS = ((8 * HOUR, HOUR), (20 * HOUR + 30, 90))    # local time of a day's looks, and how far they scatter
MISSED = 0.1                                        # of the looks fall out
SPELL, APART = 3 * DAY, 45 * DAY                    # of an absence, and how far two of them are apart on average


@dataclass(frozen=True)
class Look:
    """A moment at which a person takes out the phone. An absence is known at the look before it."""

    at: int                 # minutes since the start of the game
    away_until: int         # until when there will be no look; 0: none is planned


def looks(number: int, seed: int) -> Iterator[Look]:
    """The looks of one of the players, without end: twice a day, with misses and absences."""
    rng = random.Random(f"{seed} {number}")
    zone, start = ZONES[number % len(ZONES)], rng.randrange(DAY)
    away_until = 0
    day = -1
    while True:
        for usual, scatter in LOOKS:
            at = day * DAY + usual - zone - start + round(rng.gauss(0, scatter / 2))
            if at <= away_until or rng.random() < MISSED:
                continue
            leaves = rng.random() < DAY / APART / len(LOOKS)
            away_until = at + SPELL if leaves else away_until
            if at >= 0:
                yield Look(at, away_until if leaves else 0)
        day += 1
