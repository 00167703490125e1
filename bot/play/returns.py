"""Undo, redo and rollback."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.news import notice
from bot.play.works import MODERATOR, Works, place, require_row, sentences
from bot.store import GameRow
from engine.kernel import Row, Seat
from engine.refusals import Refusal
from engine.text import Text, count, text
from engine.undo import RETURN, Return, line, redo_target, taken_back, undo_target


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a return takes back (or a redo brings back): row numbers and public sentences, oldest first; where it leads."""

    to: int
    rows: Sequence[int]
    lines: Sequence[Text]


class Returning(Works):
    """Undo, redo and rollback."""

    async def undo(self, game: int, by: int) -> Preview:
        """Take back the last decision and all that followed from it."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            to = undo_target(line(rows).rows, absent)
            if to is None:
                raise Refusal("There is nothing to take back yet.")
            return to

        return await self._return(game, by, "undo", target)

    async def redo(self, game: int, by: int) -> Preview:
        """Bring back what the last undo or rollback took, as long as nobody has decided anything since."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            to = redo_target(rows, absent)
            if to is None:
                raise Refusal("There is nothing to bring back: nothing was taken back, or the game has gone on since.")
            return to

        return await self._return(game, by, "redo", target)

    async def preview(self, game: int, to: int) -> Preview:
        """What a rollback to row `to` would take back; 0 is the beginning. Changes nothing."""
        async with self._turn(game):
            stored = await self._played(game)
            rows = await self._store.read(lambda ledger: ledger.outline(game))
            require_row(rows, to)
            return await self._effect(stored.row, rows, to, taken_back(rows, to))

    async def rollback(self, game: int, to: int, by: int, *, fresh: bool = False) -> Preview:
        """Return to the position after row `to`, of any kind; `fresh`: with other dice from there on."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            require_row(rows, to)
            if not fresh and line(rows).rows == line([row for row in rows if row.no <= to]).rows:
                raise Refusal("The game stands after row {row} already, so there is nothing to take back.", row=to)
            return to

        return await self._return(game, by, "rollback", target, fresh=fresh)

    async def _return(self, game: int, by: int, kind: Literal["undo", "redo", "rollback"],
                      target: Callable[[Sequence[Row], set[Seat]], int], *, fresh: bool = False) -> Preview:
        """Store a row that returns, and go on from where it leads."""
        async with self._turn(game):
            stored = await self._played(game)
            rows = await self._store.read(lambda ledger: ledger.outline(game))
            to = target(rows, {holder.seat for holder in stored.holders if holder.user is None})
            back = taken_back(rows, to)
            kept = {row.no for row in line(rows).rows}
            forth = [row for row in line([row for row in rows if row.no <= to]).rows if row.no not in kept]
            taken, brought = await self._effect(stored.row, rows, to, back), await self._effect(stored.row, rows, to, forth)
            no = rows[-1].no + 1 if rows else 1
            turning = Row(no, MODERATOR, MODERATOR, RETURN, Return(to=to, kind=kind, fresh=fresh).model_dump_json())
            told = stored.told.model_copy(update={"row": no, "last": {}, "pictured": no})
            live = await self._table(replace(stored, told=told), returning=turning)
            at, deed = self._time(), f"returned from row {rows[-1].no if rows else 0} to row {to} ({kind})"
            await self._commit(live, rows=[turning], first=[notice(_announced(taken, brought, fresh=fresh), live.reader())],
                               again=[holder.seat for holder in live.holders], picture=True,
                               also=lambda ledger: ledger.note(game, by, deed, at))
            self._keep(live)
            return brought if kind == "redo" else taken

    async def _effect(self, row: GameRow, rows: Sequence[Row], to: int, moved: Sequence[Row]) -> Preview:
        """The public side of rows that a return takes or brings back."""
        numbers = [old.no for old in moved]
        if not numbers:
            return Preview(to=to, rows=(), lines=())
        whole = await self._store.read(lambda ledger: ledger.rows(row.id, since=numbers[0] - 1))
        spec, wanted = self.spec(row.key), set(numbers)
        return Preview(to=to, rows=numbers, lines=[sentence for old in whole if old.no in wanted
                                                   for sentence in sentences(spec, old)])


def _announced(taken: Preview, brought: Preview, *, fresh: bool) -> Text:
    """The news of a return: how many rows, where to, and what was public in them."""
    parts: list[Text] = []
    for template, moved in (("The game master took back {rows}, to {place}{what}", taken),
                            ("The game master brought back {rows}, to {place}{what}", brought)):
        if moved.rows:
            parts.append(text(template, place=place(moved.to),
                              rows=count(len(moved.rows), "{n} row", "{n} rows"),
                              what=text(": {lines}", lines=_run(moved.lines)) if moved.lines else text(".")))
    if fresh:
        parts.append(text("The dice are thrown afresh from {place}.", place=place(taken.to)))
    return _run(parts)


def _run(sentences: Sequence[Text]) -> Text:
    """Sentences one after the other, as one."""
    return Text(" ".join(f"{{s{number}}}" for number in range(len(sentences))),
                {f"s{number}": sentence for number, sentence in enumerate(sentences)})
