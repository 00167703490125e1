"""An hour of play on a Discord with faults: whether anything is lost or comes twice, and whether memory grows."""
from __future__ import annotations

import asyncio
import json
import math
import random
import signal
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from tqdm import tqdm

from bench.crowd import Crowd
from bench.load import MEGABYTE, clubs_of, compared, quantile, quiet, running, yardstick
from bench.stored import stocked
from bench.troubled import Troubled
from engine import catalog

LENGTHS = range(20, 400)    # rows of the games at the beginning: all ages, so that some end while others begin
GAMES = 150                 # that are played at a time; as many more wait to take the place of those that end
MINUTE = 60.0
WARM = 10                   # minutes after which memory must not grow any more
TRIES, PATIENCE = 6, 10.0   # how often people press before they give up, and for how many seconds they wait each time
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


@dataclass(frozen=True)
class Moment:
    """How far an hour has come: all that has happened until then, and what there is now."""

    memory: float           # megabytes
    deeds: int
    answered: int
    late: int               # of the acknowledgements, which Discord took no more
    begun: int              # games, besides those that were there from the first moment
    over: int               # games that came to their end
    given_up: int           # games in which people pressed in vain
    playing: int            # games in which people go on


def moment(crowd: Crowd, discord: Troubled, memory: float) -> Moment:
    """How far a crowd has come."""
    clubs, seen = crowd.clubs, crowd.seen
    return Moment(round(memory, 2), seen.acted, len(seen.acknowledged), discord.met["acknowledged too late"],
                  len(clubs) - len(crowd.played) - len(crowd.spare), sum(club.over for club in clubs),
                  sum(club.given_up for club in clubs), crowd.playing)


def told(minute: int, before: Moment, now: Moment) -> str:
    """What a minute brought."""
    return (f"minute {minute}: {now.memory:.1f} MB; {now.deeds - before.deeds} deeds, {now.answered - before.answered} answered, "
            f"{now.late - before.late} late; games: {now.begun - before.begun} begun, {now.over - before.over} over, "
            f"{now.given_up - before.given_up} given up, {now.playing} played")


async def soaked(database: Path, minutes: float, rate: float, games: int, seed: int, inside: int, bar: tqdm) -> dict[str, object]:
    """What an hour did: to answers, to messages, to memory."""
    clubs, counts = await clubs_of(database, 2 * games), database.with_name("counts.jsonl")
    discord, moments = Troubled(clubs, random.Random(seed)), list[Moment]()
    program = ("bench.inside", str(counts)) if inside else ("bot",)
    async with discord.open(), running(discord, database, program=program) as bot:
        crowd = Crowd(discord, clubs, seed, tries=TRIES, patience=PATIENCE, at_once=games, most=LENGTHS.stop)
        discord.unwell, begin, before = True, perf_counter(), bot.busy()
        interrupting = asyncio.create_task(discord.interrupt())

        def passed(at: float) -> None:
            if len(moments) <= at / MINUTE:
                moments.append(moment(crowd, discord, bot.resident()))
                if inside and len(moments) % inside == 1 % inside:
                    bot.process.send_signal(signal.SIGUSR1)
                if len(moments) > 1:
                    bar.write(told(len(moments) - 1, *moments[-2:]))       # type: ignore[no-untyped-call]
                bar.update(round(at / MINUTE) - bar.n)      # type: ignore[no-untyped-call]

        await crowd.act(rate, minutes * MINUTE, passed)
        moments.append(moment(crowd, discord, bot.resident()))
        bar.write(told(len(moments) - 1, *moments[-2:]))       # type: ignore[no-untyped-call]
        took, used = perf_counter() - begin, bot.busy() - before
        discord.unwell = False
        interrupting.cancel()
        with suppress(asyncio.CancelledError):
            await interrupting
        await quiet(database)
    seen, memory = crowd.seen, [one.memory for one in moments]
    for words in made_of([json.loads(line) for line in counts.read_text(encoding="ascii").splitlines()] if inside else []):
        bar.write(words)       # type: ignore[no-untyped-call]
    grows, doubt = slope(memory[WARM:])
    return {
        "minutes": took / MINUTE, "deeds": seen.acted, "deeds_per_second": seen.acted / took, "answers": sum(
            len(club.given) for club in clubs), "unanswered": seen.unanswered, "late": moments[-1].late,
        "games_begun": moments[-1].begun, "games_over": moments[-1].over, "games_given_up": moments[-1].given_up,
        "games_missing": games - crowd.playing,
        "ack_p50_ms": quantile(seen.acknowledged, 50), "ack_p99_ms": quantile(seen.acknowledged, 99), "bot_cores": used / took,
        "faults": dict(sorted(discord.met.items())), **compared(database, clubs, discord),
        "messages": len(discord.posted), "messages_doubled": discord.doubled, "memory_mb": memory,
        "memory_grows_kb_per_minute": grows * 1024, "memory_grows_uncertain_kb": doubt * 1024,
        "memory_grows": int(grows > doubt)}


def made_of(counts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What memory is made of in megabytes, from one count to the next: a line for each that has one, the largest first."""
    named = [{**count["allocators"], **count["owners"]} for count in counts]
    for name in sorted({name for count in named for name in count}, key=lambda name: -named[-1].get(name, 0)):
        sizes = [count.get(name, 0) / MEGABYTE for count in named]
        if max(sizes) >= 1:
            yield f"{name:32}" + "".join(f"{size:8.1f}" for size in sizes)


def measure(minutes: float = 60.0, rate: float = 20.0, games: int = GAMES, seed: int = 0, inside: int = 0) -> dict[str, object]:
    """Many live games on a Discord with faults: rows and messages lost or doubled, and memory minute by minute."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name, tqdm(total=round(minutes), unit="min") as bar:
        folder = Path(name)
        figures: dict[str, object] = {**yardstick(folder)}
        stocked(folder / "live.db", 2 * games, LENGTHS, [spec for spec in catalog.GAMES if spec.planning is None])
        return figures | asyncio.run(soaked(folder / "live.db", minutes, rate, games, seed, inside, bar))
