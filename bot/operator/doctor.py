"""Before a new version takes over: whether the file is well, its tables can be changed, and its games go on as they stand.

Everything is tried on a copy, so the version before may go on playing meanwhile.
"""
from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from bot.service import Services
from bot.service.replay_check import Finding
from bot.store import Store, backup_files
from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.text import Text, count, text, verbatim


@dataclass(frozen=True)
class Diagnosis:
    """What was found: sentences for the operator, and whether all is well."""

    well: bool
    sentences: tuple[Text, ...]


async def examine(database: Path, games: Sequence[GameSpec] = GAMES) -> Diagnosis:
    """Look over a database and every game that is played in it; nothing in it changes.

    Raises Faulty: the file cannot be opened, is no database of ours, or comes from a newer version.
    """
    condition = backup_files.examine(database)
    if condition.faults:
        return Diagnosis(False, (*condition.faults, text("The file is damaged. Put a copy back with `python -m bot restore`.")))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        backup_files.copy(database, copy)
        findings = await _findings(copy, games)
        orphans = backup_files.examine(copy).faults                   # that the changes of the tables have left
    well = not orphans and all(finding.same for finding in findings)
    return Diagnosis(well, (*_changes(condition.pending), *orphans, *_finding_lines(findings)))


async def _findings(copy: Path, games: Sequence[GameSpec]) -> list[Finding]:
    with closing(Store(copy, spare=True)) as store:             # this changes its tables
        services = Services(store, games)
        return [await services.replay_check.examined(row.id)
                for row in tqdm(await services.replay_check.played(), unit="game", disable=None)]


def _changes(pending: Sequence[str]) -> Iterator[Text]:
    """Which changes of the tables the new version will make."""
    if pending:
        yield text("This version changes the tables when it starts ({changes}). That worked on a copy.",
                   changes=tuple(map(verbatim, pending)))


def _finding_lines(findings: Sequence[Finding]) -> Iterator[Text]:
    same = [finding for finding in findings if finding.same]
    yield text("{games} checked: {same} to the last step.", games=count(len(findings), "{n} running game is",
                                                                      "{n} running games are"),
               same=count(len(same), "{n} replays", "{n} replay"))
    for finding in findings:
        if not finding.same:
            yield text("Game {game}, {title}: {what}", game=finding.game.id, title=verbatim(printable(finding.game.title)),
                       what=_sentence(finding))


def _sentence(finding: Finding) -> Text:
    if finding.broken and finding.mends is None:
        return text("this version can't play it ({why}). Finish it with the previous version.",
                    why=verbatim(finding.broken))
    if finding.broken:
        return text("it will be paused ({why}). A rollback to step {to} then keeps {kept} of {rows}. To keep them all, play on "
                    "to the next turn with the previous version and try again.", why=verbatim(finding.broken),
                    to=finding.mends or 0, kept=finding.kept, rows=count(finding.rows, "{n} step", "{n} steps"))
    if finding.past:
        return text("it goes on from the last saved state, but can't be rolled back to before that ({why}).",
                    why=verbatim(finding.past))
    row, parts = finding.parted or (0, ())
    return text("it goes on from the last saved state. Replayed from the start, the state after step {row} differs in {parts}.",
                row=row, parts=tuple(map(verbatim, parts)))


def printable(words: str) -> str:
    """Somebody's words without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in words)
