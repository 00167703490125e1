"""Automatic players in a part of the seats of stored games, and people who wait for their answers."""
from __future__ import annotations

import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import cycle
from pathlib import Path

from tqdm import tqdm

from bench.abuser import STRETCHES
from bench.crowd import ANSWERS, WARM, Club, Crowd
from bench.running import clubs_of, compared, quantile, quiet, running, servers_of
from bench.stored import settled
from bot.service import Services
from bot.store import Store
from engine.kernel import Seat
from engine.players import LEVELS
from tests.checks.loopback import Loopback


async def fill(database: Path, percent: int, rng: random.Random) -> int:
    """Give so many of a hundred seats to automatic players, of each strength in turn; hosts keep theirs. Returns how many."""
    with closing(Store(database)) as store:
        services = Services(store)
        games = await services.queries.games(status=("running",))
        seats = [(game, holder) for game in games for holder in await services.queries.holders(game.id)]
        guests = [(game, holder.seat) for game, holder in seats if holder.user not in (None, game.owner)]
        chosen = rng.sample(guests, min(len(guests), len(seats) * percent // 100))
        for (game, seat), level in zip(chosen, cycle(LEVELS), strict=False):
            await services.automatic_seats.automate(game.id, seat, level, game.owner)
        await settled(services)
    return len(chosen)


class MixedCrowd(Crowd):
    """People who play with automatic players: they read what these have answered, and answer when nobody else is asked."""

    def __init__(self, discord: Loopback, clubs: Sequence[Club], database: Path) -> None:
        super().__init__(discord, clubs)
        self.file, self.automatic_answers = sqlite3.connect(database), 0

    def ready(self, club: Club) -> bool:
        """Whether people, and they alone, are asked, as far as the file says."""
        if not super().ready(club):
            return False
        if self._automatic(club):
            self.catch_up(club)
        return not (club.over or self._automatic(club))

    def catch_up(self, club: Club) -> None:
        """Do in the table what the automatic players have answered; what follows by itself follows there, too."""
        table, kinds = club.table, {kind.verb: kind for kind in club.table.spec.rules.actions}
        sql = "SELECT no, seat, verb, answer FROM log WHERE game = ? AND no > ? ORDER BY no"
        for no, seat, verb, answer in self.file.execute(sql, (club.game, table.last_no)).fetchall():
            if no > table.last_no:
                table.answer(Seat(seat), kinds[verb].model_validate_json(answer))
                self.automatic_answers += 1
        club.rows += [entry.row() for entry in table.take()[0]]

    def end(self) -> None:
        """What was answered last is done in the tables, too, except where nobody knows whether a person's last answer counts."""
        for club in self.clubs:
            if not club.doubtful and self._automatic(club):
                self.catch_up(club)
        self.file.close()

    @staticmethod
    def _automatic(club: Club) -> bool:
        """Whether an automatic player is asked, and no plan of a person is under way."""
        return club.plan is None and any(question.seat not in club.users for question in club.table.waiting())


async def accompanied(database: Path, seconds: float, rate: float, percent: int, games: int, bar: tqdm) -> dict[str, float]:
    """What people notice of automatic players in so many of a hundred seats: in turn without and with them, each time by a
    new process on a copy of the same games."""
    acknowledged: tuple[list[float], list[float]] = [], []
    answered: tuple[list[float], list[float]] = [], []
    figures, stretch = Counter[str](), seconds / (2 * STRETCHES)
    for number in range(2 * STRETCHES):
        mixed, path = number % 2, database.with_name(f"stretch{number}.db")
        shutil.copyfile(database, path)
        figures["automatic_seats"] = await fill(path, percent * mixed, random.Random(0))
        clubs = await clubs_of(path, games)
        async with Loopback(servers_of(clubs)).open() as discord:
            crowd = MixedCrowd(discord, clubs, path)
            async with running(discord, path):
                await crowd.act(rate, stretch * WARM)
                await crowd.act(rate, stretch)
                await quiet(path)
            crowd.end()
        acknowledged[mixed].extend(crowd.seen.acknowledged)
        answered[mixed].extend(crowd.seen.answered[ANSWERS])
        figures.update(compared(path, [club for club in clubs if not club.doubtful], discord))
        figures.update(unanswered=crowd.seen.unanswered, automatic_answers=crowd.automatic_answers)
        bar.update(round(stretch))       # type: ignore[no-untyped-call]
    measured = (("ack", 50, acknowledged), ("ack", 99, acknowledged), ("answer", 50, answered), ("answer", 95, answered))
    waits = {f"{kind}_p{part}_{name}_ms": quantile(times[mixed], part)
             for kind, part, times in measured for mixed, name in enumerate(("without", "with"))}
    return {**waits, "ack_p99_ratio": waits["ack_p99_with_ms"] / max(waits["ack_p99_without_ms"], 1e-9), **figures}
