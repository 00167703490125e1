"""One member who presses everything as fast as a script, among the people of many games; and what the others notice of it."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from time import perf_counter

from tqdm import tqdm

from bench.crowd import WARM, Club, Crowd
from bench.running import clubs_of, compared, quantile, quiet, running, servers_of
from tests.checks.loopback import Loopback, SentInteraction

STRETCHES = 2           # times without and with the abuser, one after the other, since the machine is never the same for long


class Abuser:
    """A player who awaits no answer."""

    def __init__(self, discord: Loopback, club: Club) -> None:
        self.discord, self.channel, self.game = discord, club.channel, club.game
        self.user = next(iter(club.users.values()))
        self.sent: list[SentInteraction] = []

    async def act(self, rate: float, seconds: float) -> None:
        """So many interactions a second: menus, pictures, films, files, suggestions, lists, in turn."""
        begin, ways = perf_counter(), self._ways()
        for number in range(round(rate * seconds)):
            await asyncio.sleep(max(0.0, begin + number / rate - perf_counter()))
            self.sent.append(await ways[number % len(ways)]())

    def _ways(self) -> list[Callable[[], Awaitable[SentInteraction]]]:
        discord, user, channel, steps = self.discord, self.user, self.channel, count(1)
        return [
            lambda: discord.press(user, channel, f"turn:{self.game}"),
            lambda: discord.command(user, channel, "game map", row=next(steps)),
            lambda: discord.suggest(user, channel, "game status", "game", game=""),
            lambda: discord.command(user, channel, "game recap"),
            lambda: discord.command(user, channel, "game export"),
            lambda: discord.command(user, channel, "my games"),
            lambda: discord.press(user, channel, f"lookrow:{self.game}:{next(steps)}"),
            lambda: discord.command(user, channel, "game text")]

    @property
    def acknowledged(self) -> int:
        """How many of the interactions the bot has taken up."""
        return sum(asked.acknowledged.done() for asked in self.sent)


async def disturbed(crowd: Crowd, abuser: Abuser, *, people: float, abuses: float, seconds: float, busy: Callable[[], float],
                    passed: Callable[[float], object]) -> tuple[list[float], list[float], dict[str, float]]:
    """What the others waited for an acknowledgement, in seconds, without the abuser and with it; and figures of both.

    `people` and `abuses`: deeds a second. `busy`: seconds of a core that the bot has used.
    """
    waited: tuple[list[float], list[float]] = [], []
    cores = [0.0, 0.0]
    unanswered, stretch = 0, seconds / (2 * STRETCHES)
    for number in range(2 * STRETCHES):
        with_abuser, before, begin = number % 2, busy(), perf_counter()
        other = [abuser.act(abuses, stretch)] if with_abuser else []
        await asyncio.gather(crowd.act(people, stretch), *other)
        cores[with_abuser] += (busy() - before) / (perf_counter() - begin) / STRETCHES
        waited[with_abuser].extend(crowd.seen.acknowledged)
        unanswered += crowd.seen.unanswered
        passed((number + 1) * stretch)
    return *waited, {"abuser_sent": len(abuser.sent), "abuser_acknowledged": abuser.acknowledged,
                     "others_unanswered": unanswered, "bot_cores_without_abuser": cores[0], "bot_cores_with_abuser": cores[1]}


async def abused(database: Path, seconds: float, rate: float, abuses: float, games: int, bar: tqdm) -> dict[str, float]:
    """What the people of many games notice of one member who presses everything, so many times a second."""
    clubs = await clubs_of(database, games)
    first, *others = clubs
    async with Loopback(servers_of(clubs)).open() as discord, running(discord, database) as bot:
        crowd = Crowd(discord, others)
        await crowd.act(rate, seconds * WARM)
        without, disturbed_by, figures = await disturbed(
            crowd, Abuser(discord, first), people=rate, abuses=abuses, seconds=seconds, busy=bot.busy,
            passed=lambda at: bar.update(round(at) - bar.n))      # type: ignore[no-untyped-call]
        await quiet(database)
    acks = {f"abuser_ack_p{percent}_{name}_ms": quantile(times, percent) for percent in (50, 95, 99)
            for name, times in (("without", without), ("with", disturbed_by))}
    ratio = acks["abuser_ack_p99_with_ms"] / max(acks["abuser_ack_p99_without_ms"], 1e-9)
    return {**acks, "abuser_ack_p99_ratio": ratio, **figures, **compared(database, others, discord)}
