"""How fair a game is, and what its house values do to it: thousands of games by a sensible player, and again with values moved.

A figure is a number of one game, such as the points of an area. Of each, the report tells the mean of all games in which it was
there, and how far the mean may be off: the bounds of its 95 % interval lie that far above and below. Games with a value moved
are played with the same seeds, and compared game by game.
"""
from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from statistics import fmean, stdev
from typing import Any

from tqdm import tqdm

from bench import attack_study, imperial_study, struggle_study
from bench.policy import Choice
from bench.study import Figures, Section, Study
from engine import catalog, components
from engine.data_packs import fitting
from engine.dice import SecretDice
from engine.games.attack import GAME as ATTACK
from engine.games.imperial_struggle import GAME as IMPERIAL_STRUGGLE
from engine.games.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.kernel import GameSpec, Table
from engine.provenance import key_of, spelt
from engine.refusals import Faulty
from engine.selfplay import new_table, weary
from engine.text import text, verbatim

STUDIES: Mapping[str, Study] = {STRUGGLE_OF_EMPIRES.key: struggle_study.STUDY, ATTACK.key: attack_study.STUDY,
                                IMPERIAL_STRUGGLE.key: imperial_study.STUDY}
MOST_ROWS = 30_000          # no game of any length comes near
NORMAL = 1.96               # standard errors on either side of a mean, for 95 %
CHUNK = 4                   # games that a process plays at a time
TOLD = 12                   # differences that are told of each move, those that are surest first
SURE = 3.29 / NORMAL        # widths of its interval beyond which a difference is told: of 1,000 figures, chance brings one so far


@dataclass(frozen=True)
class Mean:
    """The mean of a figure over so many games, and how far its 95 % interval reaches on either side."""

    mean: float
    off: float
    games: int

    @property
    def sure(self) -> float:
        """How far from 0 the mean is, in widths of its interval."""
        if self.games == 1 or not self.mean:
            return 0.0
        return abs(self.mean) / self.off if self.off else math.inf


def mean_of(values: Sequence[float]) -> Mean:
    """The mean of at least one value; of a single one, nobody knows how far it is off."""
    off = NORMAL * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return Mean(fmean(values), off, len(values))


# --- games ------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Setting:
    """What kind of games is played."""

    game: str
    edition: str
    seats: int
    pack: str | None = None


def study_of(key: str) -> Study:
    """How a game is judged. Raises Faulty."""
    if key not in STUDIES:
        raise Faulty("Nobody has told yet how {game} is judged; there are: {games}.", game=verbatim(key),
                     games=tuple(map(verbatim, STUDIES)))
    return STUDIES[key]


@cache
def parts_of(setting: Setting) -> Any:
    """The components of such games."""
    return components.components(catalog.find(setting.game), setting.edition, setting.pack).parts


def played(setting: Setting, seed: int, number: int, before: Callable[[Any], None] = lambda state: None,
           choice: Choice | None = None) -> Table:
    """One game to its end; the same seed and number give the same game, whoever plays it.

    `before` is called with the state before each answer, and may change it. `choice`: who answers; None: the sensible player.
    """
    spec, choice = catalog.find(setting.game), choice or study_of(setting.game).choice
    pick = random.Random(f"balance {seed} {number}")
    table = new_table(spec, setting.seats, setting.edition, parts_of(setting), SecretDice(pick.randbytes(32).hex()),
                      checkpoints=False)
    while not table.over:
        if (agreed := weary(table)) is not None:
            table.answer(*agreed)
            continue
        before(table.state)
        question = table.waiting()[0]
        table.answer(question.seat, choice(table.state, question, table.options(question.seat), pick))
        assert len(table.fresh) < MOST_ROWS, f"no end after {MOST_ROWS} rows"
    return table


def judged(setting: Setting, seed: int, number: int) -> Figures:
    """The figures of one game."""
    return study_of(setting.game).figures(played(setting, seed, number))


def run(setting: Setting, games: int, seed: int, jobs: int) -> list[Figures]:
    """The figures of so many games, in their order, played by so many processes."""
    one = partial(judged, setting, seed)
    with tqdm(total=games, unit="game", leave=False) as bar:
        def counted(found: Iterable[Figures]) -> Iterator[Figures]:
            for figures in found:
                bar.update()
                yield figures

        if jobs == 1:
            return [*counted(map(one, range(games)))]
        with ProcessPoolExecutor(jobs) as pool:
            return [*counted(pool.map(one, range(games), chunksize=CHUNK))]


def summary(games: Iterable[Figures]) -> dict[str, Mean]:
    """The mean of each figure."""
    values = defaultdict[str, list[float]](list)
    for game in games:
        for name, value in game.items():
            values[name].append(float(value))
    return {name: mean_of(known) for name, known in values.items()}


def differences(before: Sequence[Figures], after: Sequence[Figures]) -> dict[str, Mean]:
    """How much each figure changes from one list of games to another, compared game by game."""
    return summary({name: game[name] - other[name] for name in game if name in other} for game, other in zip(after, before))


# --- what is moved -------------------------------------------------------------------------------------------

def moved(raw: Mapping[str, Any], wanted: str) -> str:
    """The data pack of "RECORD.FIELD=VALUE", such as "banking.cost.gold=3", or "setup/7.start_gold=12". Raises Faulty."""
    path, equals, written = wanted.partition("=")
    name, _, field = path.strip().partition(".")
    if not equals or not field:
        raise Faulty("Say what is moved as RECORD.FIELD=VALUE, such as banking.cost.gold=3.")
    try:
        value = json.loads(written)
    except ValueError:
        value = written.strip()
    for part in reversed(field.split(".")):
        value = {part: value}
    listed, _, record = name.rpartition("/")
    found = {key: known for key, body in raw.items() if isinstance(body, list) and (not listed or key == listed)
             for known in body if key_of(known) and spelt(key_of(known)) == record}
    if not found and isinstance(raw.get(name), dict):
        return json.dumps({name: value})
    if len(found) != 1:
        there = [spelt(key_of(known)) for body in raw.values() if isinstance(body, list) for known in body if key_of(known)]
        like = text("; it is in {lists}, so name one, such as {first}/{record}", lists=tuple(map(verbatim, found)),
                    first=verbatim(min(found)), record=verbatim(record)) if found else fitting(record, there)
        raise Faulty("{record}: there is no such single record{like}.", record=verbatim(record), like=like)
    ((key, known),) = found.items()
    return json.dumps({key: [{**key_of(known), **value}]})


def packs(study: Study, spec: GameSpec, edition: str, move: str, house: bool) -> dict[str, str]:
    """What is moved, by its name, as data packs."""
    raw = components.components(spec, edition).raw
    wanted = {each.name: json.dumps(each.pack(raw)) for each in study.moves(edition)} if house else {}
    return wanted | ({move: moved(raw, move)} if move else {})


# --- the instrument ------------------------------------------------------------------------------------------

def measure(game: str, edition: str = "", seats: int = 0, games: int = 1000, seed: int = 0, jobs: int = 1,
            move: str = "", house: bool = False) -> dict[str, Any]:
    """Sensible games: points by area, seat and power, tiles, unrest, length; and what changes when a house value is moved."""
    spec, study = catalog.find(game), study_of(game)
    edition = edition or spec.editions[0].key
    components.edition_of(spec, edition)
    if seats and seats not in spec.seats:
        raise Faulty("{game} is for {least} to {most} players.", game=spec.name, least=spec.seats[0], most=spec.seats[-1])
    if games < 1 or jobs < 1:
        raise Faulty("Play at least one game, with at least one process.")
    wanted = packs(study, spec, edition, move, house)
    for pack in wanted.values():
        components.components(spec, edition, pack)           # all of them are sound before the first game
    reports = {}
    for number in [seats] if seats else [*spec.seats]:
        plain = run(Setting(game, edition, number), games, seed, jobs)
        changes = {name: differences(plain, run(Setting(game, edition, number, pack), games, seed, jobs))
                   for name, pack in wanted.items()}
        reports[str(number)] = {"figures": _stored(summary(plain)),
                                "moves": {name: _stored(found) for name, found in changes.items()}}
    return {"game": game, "edition": edition, "games": games, "seed": seed, "seats": reports}


def _stored(means: Mapping[str, Mean]) -> dict[str, list[float]]:
    """Means as JSON: name to mean, how far it may be off, and the number of games."""
    return {name: [mean.mean, mean.off, mean.games] for name, mean in means.items()}


def told(figures: Mapping[str, Any]) -> Iterator[str]:
    """The report in words, as tables of Markdown."""
    sections = study_of(figures["game"]).sections
    for seats, report in figures["seats"].items():
        yield f"## {figures['edition']}, {seats} players, {figures['games']} games\n"
        means = {name: Mean(*mean) for name, mean in report["figures"].items()}
        for section in sections:
            yield from _table(section, means)
        for move, found in report["moves"].items():
            yield f"### Moved: {move}\n"
            changes = {name: Mean(*mean) for name, mean in found.items()}
            surest = sorted((name for name in changes if changes[name].sure > SURE), key=lambda name: -changes[name].sure)
            for name in surest[:TOLD]:
                change = f"{changes[name].mean:+.2f} ± {changes[name].off:.2f}"
                yield f"- {name.replace('_', ' ')}: {number(means[name].mean)}, {change}"
            yield "" if surest else "Nothing changes for sure.\n"


def _table(section: Section, means: Mapping[str, Mean]) -> Iterator[str]:
    """One table of the report, if there is anything in it."""
    parted = [name.partition(": ") for name in means]
    rows = [*dict.fromkeys(row for column, _, row in parted if column in section.columns)]
    if not rows:
        return
    yield f"### {section.title}\n"
    yield f"| | {' | '.join(section.columns)} |\n|---|{'---|' * len(section.columns)}"
    for row in sorted(rows) if section.by_name else rows:
        cells = (cell(means.get(f"{column}: {row}")) for column in section.columns)
        yield f"| {row.replace('_', ' ')} | {' | '.join(cells)} |"
    yield ""


def cell(mean: Mean | None) -> str:
    """A mean in a table, with how far it may be off."""
    return f"{number(mean.mean)} ± {number(mean.off)}" if mean is not None else ""


def number(value: float) -> str:
    """A number with as many digits as tell something."""
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
