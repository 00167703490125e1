"""Kills the bot at every write and every send of whole games, and looks for what is lost, doubled or missing then.

A script of people's steps is played once without a death: what is stored and what can be read after each step is the measure.
Then it is played again and again. In each round the bot dies once in every step, each time at another point, begins anew on
what its file was, and the person presses the same button again, or does the step anew if it has not happened. What is stored
and what can be read must be the same then, to the letter and in the same order.
"""
from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine import catalog
from engine.kernel import GameSpec
from tests.bot.frail import FrailWorld, cheap
from tests.bot.together import watched
from tests.checks import kill_process
from tests.checks.scripted_actions import Club, Play, Step
from tests.checks.scripts import plays
from tests.checks.storm import stormy
from tests.toy import PAINTED

REAL = 50               # every so many deaths are those of a whole process
AIMED = 2               # rounds that come before the others: what can be torn is torn first
RELAPSE = 5             # every fifth time the bot dies once more while it comes back

Kept = Mapping[str, Sequence[tuple[Any, ...]]]


@dataclass
class Damage:
    """What was found."""

    points: int = 0
    lost: int = 0           # what was stored, or told as done, and is no more
    doubled: int = 0        # rows or messages that are there twice
    missing: int = 0        # messages that never came
    misplaced: int = 0      # messages in another order
    silent: int = 0         # old buttons without an answer
    errors: int = 0         # that nobody expects
    told: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Mark:
    """How things stand after a step, and the points at which a bot can die in it."""

    kept: Kept
    read: Mapping[str, Sequence[tuple[Any, ...]]]
    points: Sequence[str]


async def opened(play: Play, folder: Path, seed: int) -> Club:
    """People before a game that can be joined."""
    world = await FrailWorld.made(folder / "games.db", (play.spec,), cheap)
    assert isinstance(world, FrailWorld)
    await world.olga.slash(world.table, "game open", game=play.spec.key, seats=play.seats, edition=play.edition)
    world.forget()
    return Club(world, seed)


async def measured(play: Play, folder: Path, seed: int) -> list[Mark]:
    """The script without a death: what stands at the beginning and after each step."""
    club = await opened(play, folder, seed)
    world, marks = club.world, [Mark({}, {}, ())]
    marks[0] = Mark(await world.kept(), world.conversations(), ())
    try:
        for step in play.steps:
            if await over(world):
                break
            world.fuse.set()
            await step.act(club)
            world.forget()
            marks.append(Mark(await world.kept(), world.conversations(), list(world.fuse.passed)))
    finally:
        await world.shutdown()
    return marks


async def over(world: FrailWorld) -> bool:
    """Whether nobody can do anything any more."""
    status: str = (await world.services.queries.game(1)).status
    return status == "over"


async def round_of_deaths(play: Play, folder: Path, seed: int, marks: Sequence[Mark], at: Sequence[int], damage: Damage,
                          progress: Callable[[], object]) -> None:
    """The script with a death in each step, at the point with this number (0: none)."""
    club = await opened(play, folder, seed)
    world = club.world
    try:
        for number, (step, point) in enumerate(zip(play.steps, at), 1):
            club.last = None
            before, after = marks[number - 1], marks[number]
            world.fuse.set(point)
            done = await attempt(step, club)
            where = world.fuse.burnt
            if where is not None:
                damage.points += 1
                progress()
                again = 1 + point % RELAPSE if point % RELAPSE == 0 else 0
                await world.rise(again)
                if world.fuse.burnt is not None:
                    damage.points += 1
                    await world.rise()
                kept = await world.kept()
                if done and kept == before.kept != after.kept:
                    damage.lost += 1
                    damage.told.append(f"{step.name}, {where}: told as done, and not stored")
                if not await club.on_again():
                    damage.silent += 1
                    damage.told.append(f"{step.name}, {where}: an old button is silent")
                if step.long or await world.kept() == before.kept != after.kept:
                    await step.act(club)
            world.forget()
            compare(damage, f"{step.name}, {where}", after, await world.kept(), world.conversations())
            damage.errors += len(world.env._errors)
            damage.told += [f"{step.name}, {where}: {error!r}" for error in world.env._errors]
            world.env._errors.clear()
            if damage.told:
                break                                       # what follows would tell the same again
    finally:
        world.fuse.set()
        await world.shutdown()


async def attempt(step: Step, club: Club) -> bool:
    """A step that may end in a death."""
    try:
        return await step.act(club)
    except BaseException:
        if club.world.fuse.burnt is None:
            raise
        return False


def compare(damage: Damage, where: str, wanted: Mark, kept: Kept, read: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
    """Note every difference between how it is and how it ought to be."""
    for table, rows in wanted.kept.items():
        there = Counter(kept[table])
        gone, more = Counter(rows) - there, there - Counter(rows)
        damage.lost += gone.total()
        damage.doubled += more.total()
        damage.told += [f"{where}: {table} lacks {row}" for row in gone] + [f"{where}: {table} has {row}" for row in more]
    for place, messages in wanted.read.items():
        there = Counter(read.get(place, ()))
        gone, more = Counter(messages) - there, there - Counter(messages)
        damage.missing += gone.total()
        damage.doubled += more.total()
        damage.told += [f"{where}: {place} lacks {said}" for said in gone] + [f"{where}: {place} has {said}" for said in more]
        if not gone and not more and list(messages) != list(read[place]):
            damage.misplaced += 1
            damage.told.append(f"{where}: {place} is in another order")


def aimed(points: Sequence[str]) -> list[int]:
    """The numbers of a deed's points, those first at which a half may be stored: between two transactions with nothing said
    between them, then after each other transaction, then the rest."""
    after = [number for number, point in enumerate(points, 1) if point == "after a write"]
    torn = [number for number in after if points[number:number + 1] == ["before a write"]]
    return list(dict.fromkeys([*torn, *after, *range(1, len(points) + 1)]))


def rounds(marks: Sequence[Mark]) -> Iterator[list[int]]:
    """For each round the point of death in every step, until every point of every step has been one."""
    orders = [aimed(mark.points) for mark in marks[1:]]
    for turn in range(max(map(len, orders))):
        yield [order[turn % len(order)] if order else 0 for order in orders]


def measure(game: str = "", points: int = 500, seed: int = 0, process: bool = False, games: int = 0,
            faults: float = 5.0) -> dict[str, Any]:
    """Kill the bot at every write and every send of a game, or of all, and look for what is lost, doubled or missing then.

    `process`: every death is that of a whole process. `games`: so many at once instead, on a Discord that fails now and then.
    """
    if games:
        return _stormy(games, points, faults, seed)
    specs = [catalog.find(game)] if game else catalog.GAMES
    scripts = [play for spec in (specs if game else (*specs, PAINTED)) for play in plays(spec)]
    damage = Damage()
    with tqdm(total=points, unit="death") as bar, tempfile.TemporaryDirectory() as folder, watched() as apart:
        for spec in specs:
            each = -(-points // (1 if process else REAL) // len(specs))
            asyncio.run(_processes(spec, _fresh(Path(folder)), each, seed, damage, bar.update))
        killed = damage.points
        while damage.points < points and not damage.told:
            asyncio.run(sweep(scripts, points, seed, damage, bar.update))
            damage.errors += len(apart)
            damage.told += apart
            seed += 1
    for line in damage.told[:20]:
        tqdm.write(line)
    return {"points": damage.points, "killed": killed, "lost": damage.lost, "doubled": damage.doubled,
            "missing": damage.missing, "misplaced": damage.misplaced, "silent": damage.silent, "errors": damage.errors}


def _stormy(games: int, kills: int, faults: float, seed: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, tqdm(total=kills, unit="death") as bar:
        damage = asyncio.run(stormy(Path(folder), games, kills, faults, seed, bar.update))
    for line in damage[:20]:
        tqdm.write(line)
    return {"points": kills, "damage": len(damage)}


async def _processes(spec: GameSpec, folder: Path, points: int, seed: int, damage: Damage,
                     progress: Callable[[], object]) -> None:
    """Deaths of a whole process."""
    real = await kill_process.kill(spec, folder, points, seed, progress)
    damage.points += real.points
    damage.lost += real.lost
    damage.doubled += real.doubled
    damage.missing += real.missing
    damage.silent += real.silent


async def sweep(scripts: Sequence[Play], points: int, seed: int, damage: Damage, progress: Callable[[], object]) -> None:
    """All points of all scripts with one seed, round by round in turn, or as many as are wanted."""
    folder = Path(tempfile.mkdtemp(prefix="crash"))
    try:
        known = [(play, await measured(play, _fresh(folder), seed)) for play in scripts]
        waiting = [(turn, play, marks, at) for play, marks in known for turn, at in enumerate(rounds(marks))]
        random.Random(seed).shuffle(waiting)
        for _, play, marks, at in sorted(waiting, key=lambda one: min(one[0], AIMED)):
            await round_of_deaths(play, _fresh(folder), seed, marks, at, damage, progress)
            if damage.points >= points or damage.told:
                return
    finally:
        shutil.rmtree(folder)


def _fresh(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=folder))
