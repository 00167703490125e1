"""Every kind of picture of a game, made from a game that is played for it, at random or by automatic players."""
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import components, players
from engine.dice import SecretDice
from engine.kernel import CHANCE, Checkpoint, Entry, GameSpec, Level, Row, Seat, Table
from engine.kernel.game_spec import Picture, Replay, pictures
from engine.refusals import Refusal
from engine.selfplay import beginning, new_table, play_on, weary

SECRET = "6a" * 32          # of the dice: the same seed gives the same game
FEW = 3                     # players
LOOKS = 60                  # positions at which a picture is tried; the one of which most can be told is shown
NAMES = ("Ada", "Ben O’Hara", "Käthe von Stein", "דוד בן־גוריון", "Дмитрий", "Zoë 🎲", "A player with a very long name indeed")


@dataclass(frozen=True)
class Played:
    """A whole game."""

    spec: GameSpec
    parts: Any
    edition: str
    seats: int
    rows: list[Row]
    breaks: list[int]               # rows after which a picture is posted
    checkpoints: list[Checkpoint]   # the beginning first

    def story(self, picture: Picture, row: int, *, seat: Seat | None = None, subject: str = "") -> Replay:
        """Return what a picture is made from after a row, for a reader who has not looked since the last break but one."""
        since = max((no for no in self.breaks if no < row), default=0)
        start = next(point for point in reversed(self.checkpoints) if point.no <= (0 if picture.whole else since))
        people = {Seat(f"seat_{number}"): name for number, name in enumerate(NAMES[:self.seats], 1)}
        return Replay(spec=self.spec, parts=self.parts, start=start, since=since, seat=seat, subject=subject, people=people,
                     rows=[old for old in self.rows if start.no < old.no <= row],
                     options=self._table(row).options(seat) if seat else ())

    def asked(self, row: int) -> Seat | None:
        return next((question.seat for question in self._table(row).waiting() if question.seat != CHANCE), None)

    def _table(self, row: int) -> Table:
        start = next(point for point in reversed(self.checkpoints) if point.no <= row)
        return Table(self.spec, self.parts, start, [old for old in self.rows if start.no < old.no <= row],
                     dice=SecretDice(SECRET), run_on=False)


def tables(spec: GameSpec, seats: int = 0) -> list[tuple[str, int]]:
    """Which games to play: each edition that has components of its own, and with how many players unless `seats` says so. The
    first one is shown with all, others with a few: so what stands in for missing players shows."""
    released = {edition.data: edition.key for edition in reversed(spec.editions) if edition.available}
    own = [edition.key for edition in spec.editions if edition.key in released.values()]
    most = spec.seats.stop - 1
    return [(key, seats or (min(most, FEW) if n else most)) for n, key in enumerate(own)]


def play(spec: GameSpec, edition: str, seats: int, seed: int, level: Level | None = None) -> Played:
    """One game to its end, by automatic players of a level or, without one, at random."""
    parts = components.components(spec, edition).parts
    table = new_table(spec, seats, edition, parts, SecretDice(SECRET))
    game = Played(spec, parts, edition, seats, [], [], [beginning(spec, seats, edition, parts)])
    entries: list[Entry] = []

    def collect() -> None:
        fresh, checkpoint = table.take()
        entries.extend(fresh)
        if checkpoint is not None:
            game.checkpoints.append(checkpoint)

    chance = random.Random(seed)
    for _ in play_on(table, chance.randrange) if level is None else judged(table, level, chance):
        collect()
    collect()
    game.rows.extend(entry.row() for entry in entries)
    game.breaks.extend(entry.no for entry in entries if any(isinstance(event, spec.rules.breaks) for event in entry.events))
    return game


def judged(table: Table, level: Level, chance: random.Random) -> Iterator[None]:
    """Play a game to its end by automatic players, and stop after each answer."""
    while not table.over:
        seat, answer = weary(table) or (table.waiting()[0].seat, None)
        if answer is None:
            seen = players.position(table, seat)
            assert seen is not None, f"{table.spec.name} has automatic players, and this seat is asked"
            answer = players.answer(table.spec, level, seen, chance)
        table.answer(seat, answer)
        yield


def shown(game: Played) -> Iterator[tuple[str, Any]]:
    """Each kind of picture with its name, in the language spoken now."""
    yield from ((name, picture.scene(game.story(picture, row, seat=seat))) for name, picture, row, seat in chosen(game))


def chosen(game: Played) -> Iterator[tuple[str, Picture, int, Seat | None]]:
    """The row to show each kind of picture at: that one of which most can be told, of boards one of the second half; the board
    also at the start, for one seat, and at the end."""
    last = game.rows[-1].no
    for picture in pictures(game.spec):
        rows = [last] if picture.whole else sorted({*range(1, last, max(1, last // LOOKS)), *game.breaks[-LOOKS:], last})
        if picture.private:
            for name, row in (("start", game.breaks[0]), ("end", last)):
                if _scene(game, picture, row) is not None:
                    yield f"{picture.key}-{name}", picture, row, None
            rows = [row for row in game.breaks[len(game.breaks) // 2:] if game.asked(row)]
        found = {row: scene for row in rows if (scene := _scene(game, picture, row)) is not None}
        if found:
            best = max(found, key=lambda row: len(game.spec.views.board(found[row])))
            yield picture.key, picture, best, None
            if picture.private:
                yield f"{picture.key}-own", picture, best, game.asked(best)


def _scene(game: Played, picture: Picture, row: int) -> Any | None:
    try:
        return picture.scene(game.story(picture, row))
    except Refusal:
        return None
