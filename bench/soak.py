"""Hours of play on a Discord with faults: whether anything is lost or comes twice, and whether memory grows."""
from __future__ import annotations

import asyncio
import math
import random
import statistics
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from tqdm import tqdm

from bench.crowd import Crowd
from bench.running import clubs_of, compared, quantile, quiet, running
from bench.troubled import Troubled

ALL_AGES = range(20, 400)   # rows of the games at the beginning, so that some end while others begin
MINUTE = 60.0
WARM = 10                   # minutes after which memory must not grow any more
TRIES, REPLY_TIMEOUT = 6, 10.0   # how often people press before they give up, and for how many seconds they wait each time
SURE = 2.0                  # standard errors from 0 at which a slope is no accident


def slope(values: Sequence[float]) -> tuple[float, float]:
    """By how much a series grows from one value to the next, and how far that is uncertain (two standard errors).

    What is above the line now is so in the next minute too, as a rule: neighbours count for as little as they say anew.
    """
    many = len(values)
    if many < 4:
        return 0.0, math.inf
    times = range(many)
    fit = statistics.linear_regression(times, values)
    rest = [value - fit.intercept - fit.slope * time for time, value in zip(times, values)]
    square = sum(one * one for one in rest)
    alike = max(0.0, sum(a * b for a, b in pairwise(rest)) / square) if square else 0.0
    anew = max(3.0, many * (1 - alike) / (1 + alike))
    spread = sum((time - statistics.mean(times)) ** 2 for time in times)
    return fit.slope, SURE * math.sqrt(square / (many - 2) / spread * many / anew)


async def soaked(database: Path, minutes: float, rate: float, games: int, seed: int, bar: tqdm) -> dict[str, object]:
    """What so many minutes did: to answers, to messages, to memory. Half of the games take the place of those that end."""
    clubs, memory = await clubs_of(database, 2 * games), list[float]()
    discord = Troubled(clubs, random.Random(seed))
    async with discord.open(), running(discord, database) as bot:
        crowd = Crowd(discord, clubs, seed, tries=TRIES, patience=REPLY_TIMEOUT, at_once=games, most=ALL_AGES.stop)
        discord.unwell, begin, before = True, perf_counter(), bot.busy()
        interrupting = asyncio.create_task(discord.interrupt())

        def passed(at: float) -> None:
            if len(memory) <= at / MINUTE:
                memory.append(round(bot.resident(), 2))
                bar.set_description(f"{memory[-1]:.1f} MB, {crowd.playing} games")      # type: ignore[no-untyped-call]
                bar.update(round(at / MINUTE) - bar.n)      # type: ignore[no-untyped-call]

        await crowd.act(rate, minutes * MINUTE, passed)
        memory.append(round(bot.resident(), 2))
        took, used = perf_counter() - begin, bot.busy() - before
        discord.unwell = False
        interrupting.cancel()
        with suppress(asyncio.CancelledError):
            await interrupting
        await quiet(database)
    seen, found = crowd.seen, compared(database, clubs, discord)
    del found["messages_repeated"]              # a Discord with faults makes the bot say things again: `messages_doubled` counts
    grows, doubt = slope(memory[WARM:])
    return {
        "minutes": took / MINUTE, "deeds": seen.acted, "deeds_per_second": seen.acted / took, "answers": sum(
            len(club.given) for club in clubs), "unanswered": seen.unanswered, "late": discord.met["acknowledged too late"],
        "games_begun": len(clubs) - len(crowd.played) - len(crowd.spare), "games_over": sum(club.over for club in clubs),
        "games_given_up": sum(club.given_up for club in clubs), "games_missing": games - crowd.playing,
        "ack_p50_ms": quantile(seen.acknowledged, 50), "ack_p99_ms": quantile(seen.acknowledged, 99), "bot_cores": used / took,
        "faults": dict(sorted(discord.met.items())), **found,
        "messages": len(discord.posted), "messages_doubled": discord.doubled, "memory_mb": memory,
        "memory_grows_kb_per_minute": grows * 1024, "memory_grows_uncertain_kb": doubt * 1024,
        "memory_grows": int(grows > doubt)}
