"""How strong the automatic players are: levels against each other, the seats rotated, and how long they think.

A share is the wins of the one player of a level in a table of others, divided by what would be fair; equals share a win. The
interval is that of a share of so many games.
"""
from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Literal

from tqdm import tqdm

from bench.imperial_players import Watched, figures
from bot.player_process import BUDGET, deadline
from engine import catalog, components, players
from engine.components import edition_of
from engine.dice import SecretDice
from engine.kernel import Level, Row, Seat, Table
from engine.players.search import world_of
from engine.refusals import Faulty
from engine.selfplay import beginning, random_answer, weary

Kind = Level | Literal["random"]
PAIRS: Mapping[str, tuple[Level, Kind]] = {
    "beginners_over_random": ("beginners", "random"), "solid_over_random": ("solid", "random"),
    "solid_over_beginners": ("solid", "beginners"), "strong_over_solid": ("strong", "solid")}
NORMAL = 1.96                           # standard errors on either side of a mean, for 95 %
MOST_ROWS = 30_000                      # no game of any length comes near
MIRRORED = "imperial_struggle"          # where strong players also play each other: its sides differ


@dataclass
class Outcome:
    """What one game showed."""

    won: float                          # the share of the win of the one player
    rows: int
    times: dict[str, list[float]] = field(default_factory=dict)         # level -> milliseconds of a core for each answer
    watched: Watched | None = None      # in Imperial Struggle


@cache
def _parts(game: str, edition: str) -> Any:
    return components.components(catalog.find(game), edition).parts


def played(game: str, edition: str, seats: int, one: Kind, others: Kind, seed: int, number: int) -> Outcome:
    """One game of a player among others; its seat goes round with the number of the game."""
    spec, parts = catalog.find(game), _parts(game, edition)
    deal = number if one == others else number // seats               # each deal from every seat, if they differ
    pick = random.Random(f"players {seed} {deal}")
    start = beginning(spec, seats, edition, parts)
    table = Table(spec, parts, start, dice=SecretDice(pick.randbytes(32).hex(), by_decision=True))
    sitting = {Seat(seat): one if place == number % seats else others for place, seat in enumerate(table.state.seats)}
    outcome = Outcome(0.0, 0)
    if game == MIRRORED:
        outcome.watched = Watched(frozenset(seat for seat, level in sitting.items() if level == "strong"))
    while not table.over:
        rows_before = len(table.fresh)
        if (agreed := weary(table)) is not None:
            table.answer(*agreed)
            continue
        seat = table.waiting()[0].seat
        level = sitting[seat]
        if level == "random":
            table.answer(seat, random_answer(table.options(seat), pick.randrange))
            continue
        since = table.checkpoint or start
        rows = tuple(entry.row() for entry in table.fresh[since.no:]) if level == "strong" else ()
        begun = time.process_time()
        seen = players.position(table, seat, partial(_world, table, since, rows, seat))
        assert seen is not None, "this seat is asked"
        answer = players.answer(spec, level, replace(seen, late=deadline(BUDGET)), pick)
        outcome.times.setdefault(level, []).append(1000 * (time.process_time() - begun))
        if outcome.watched is not None:
            outcome.watched.answering(table, seat, answer)
        table.answer(seat, answer)
        if outcome.watched is not None:
            outcome.watched.answered(table, rows_before)
        assert len(table.fresh) < MOST_ROWS, f"no end after {MOST_ROWS} rows"
    winners = [seat for seat, place, _ in spec.rules.standings(table.state) if place == 1]
    mine = next(seat for seat, level in sitting.items() if list(sitting).index(seat) == number % seats)
    outcome.won, outcome.rows = (1 / len(winners) if mine in winners else 0.0), len(table.fresh)
    return outcome


def _world(table: Table, since: Any, rows: tuple[Row, ...], seat: Seat, seed: str) -> Table:
    """A world that may be the true one."""
    whims = players.Seeded(seed)
    return world_of(table.spec, table.parts, since, rows, seat, whims, SecretDice(random.Random(seed).randbytes(32).hex()))


def measure(game: str, edition: str = "", seats: int = 0, games: int = 40, seed: int = 0, jobs: int = 1, only: str = ""
            ) -> dict[str, Any]:
    """Levels of automatic players against each other: wins against what would be fair, and the time of an answer."""
    spec = catalog.find(game)
    edition = edition or spec.editions[0].key
    edition_of(spec, edition)
    if seats and seats not in spec.seats:
        raise Faulty("{game} is for {least} to {most} players.", game=spec.name, least=spec.seats[0], most=spec.seats[-1])
    reports: dict[str, dict[str, Any]] = {}
    times: dict[str, list[float]] = {}
    watched: list[Watched] = []
    pairs = {**PAIRS, **({"strong_over_strong": ("strong", "strong")} if game == MIRRORED else {})}
    rows = 0
    for number in [seats] if seats else [*spec.seats]:
        report = reports[str(number)] = {}
        for name, (one, others) in pairs.items():
            if only not in name:
                continue
            found = [*_run(partial(played, game, edition, number, one, others, seed), games, jobs, f"{number} {name}")]
            share, off = share_of([outcome.won for outcome in found])
            report[name] = {"wins": share, "off": off, "fair": 1 / number, "games": games}
            rows += sum(outcome.rows for outcome in found)
            watched += [outcome.watched for outcome in found if outcome.watched is not None]
            for outcome in found:
                for level, taken in outcome.times.items():
                    times.setdefault(level, []).extend(taken)
    return {"game": game, "edition": edition, "seed": seed, "rows": rows, "seats": reports,
            **{name: _times_fair(reports, name) for name in PAIRS if only in name},
            **{f"{name}_off": _times_off(reports, name) for name in PAIRS if only in name},
            **figures(watched, share_of),
            "answer_ms_p50": {level: round(_quantile(taken, 0.5), 2) for level, taken in times.items()},
            "answer_ms_p99": {level: round(_quantile(taken, 0.99), 2) for level, taken in times.items()}}


def _run(one: Any, games: int, jobs: int, what: str) -> Iterator[Outcome]:
    with tqdm(total=games, unit="game", desc=what, leave=False) as bar, ProcessPoolExecutor(jobs) as pool:
        for outcome in pool.map(one, range(games)):
            bar.update()
            yield outcome


def share_of(won: list[float]) -> tuple[float, float]:
    """The share of games won, and how far its 95 % interval reaches on either side."""
    share = sum(won) / len(won)
    return share, NORMAL * math.sqrt(max(share * (1 - share), 0.25 / len(won)) / len(won))


def _times_fair(reports: Mapping[str, Mapping[str, Any]], name: str) -> float:
    """Wins against what would be fair, over all numbers of players."""
    found = [float(report[name]["wins"]) / float(report[name]["fair"]) for report in reports.values()]
    return round(sum(found) / len(found), 3)


def _times_off(reports: Mapping[str, Mapping[str, Any]], name: str) -> float:
    """How far the 95 % interval of that reaches on either side."""
    found = [float(report[name]["off"]) / float(report[name]["fair"]) for report in reports.values()]
    return round(math.hypot(*found) / len(found), 3)


def _quantile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def told(figures: Mapping[str, Any]) -> Iterator[str]:
    """The ladder as a table of Markdown."""
    yield f"### {catalog.find(figures['game']).name}, {figures['edition']}\n"
    yield "| players | who | wins | fair | times fair | games |"
    yield "|---|---|---|---|---|---|"
    for seats, report in figures["seats"].items():
        for name, one in report.items():
            yield (f"| {seats} | {name.replace('_', ' ')} | {100 * one['wins']:.0f} % ± {100 * one['off']:.0f} | "
                   f"{100 * one['fair']:.0f} % | {one['wins'] / one['fair']:.2f} | {one['games']} |")
    yield ""
    for level, taken in figures["answer_ms_p50"].items():
        yield f"{level}: {taken} ms at the median, {figures['answer_ms_p99'][level]} ms at the 99th percentile"
