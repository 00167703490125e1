"""Looking back at a game, step by step: where it stood whenever somebody had to decide, and what led there."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.requirements import require_row
from bot.core.row_sentences import sentences
from bot.core.service import Service
from bot.store import Ledger
from engine.kernel import Row
from engine.text import Text
from engine.undo import line

FOLLOWING = ("dice", "rule")            # on whose word a row follows from the one before: nobody decides it
FAR = 10                                # steps that a leap takes


@dataclass(frozen=True, kw_only=True)
class Stop:
    """A step of a game at which one can look at it, with the ways on from there."""

    row: int                            # the last row that led there; 0 is the beginning
    newest: int                         # the last stop
    before: int | None                  # the stop before; None: this is the beginning
    after: int | None
    long_before: int | None             # the one some stops before; None: there are not so many
    lines: Sequence[Text]               # what everybody has read of the way from the stop before
    note: str | None                    # of the member who looks; "": only marked; None: not even that


class LookBack(Service):
    """Looking back at a game, step by step."""

    async def told_by(self, message: int) -> tuple[int, int] | None:
        """The game of which a message tells, and the last row that everybody could know of when it was posted; None: it is no
        message of a game's channel, or one that was posted before that was kept."""
        return await self.store.read(lambda ledger: ledger.outbox.step_of(message))

    async def stop(self, game: int, row: int | None = None, user: int = 0) -> Stop:
        """Where the game stands now, or stood after a row: the nearest stops around it. Raises Refusal: there is no such row.

        A stop is where somebody decides next. What is sealed still is none, nor are answers of which nothing is told.
        """
        stored = await self.session.stored(game)

        def read(ledger: Ledger) -> tuple[list[int], int, list[Row], str | None]:
            public = ledger.log.public_newest(game)
            rows = [old for old in ledger.log.outline(game) if old.no <= public]
            if row is not None:
                require_row(rows, row)
            here = line(rows).rows
            stops = _stops(here, ledger.log.eventful(game))
            at = stops[-1] if row is None else row
            since = max((stop for stop in stops if stop < at), default=0)
            in_force = {old.no for old in here}
            return (stops, at, [old for old in ledger.log.rows(game, since=since) if old.no <= at and old.no in in_force],
                    ledger.bookmarks.bookmark(game, user, at))

        stops, at, led, note = await self.store.read(read)
        spec = self.session.spec(stored.row.key)
        before, after = [stop for stop in stops if stop < at], [stop for stop in stops if stop > at]
        return Stop(row=at, newest=stops[-1], before=before[-1] if before else None, after=after[0] if after else None,
                    long_before=before[-FAR] if len(before) >= FAR else None, note=note,
                    lines=[sentence for old in led for sentence in sentences(spec, old)])


def _stops(here: Sequence[Row], eventful: set[int]) -> list[int]:
    """The rows after which somebody decides next and before which something has happened, and the beginning."""
    stops, happened = [0], False
    for row, following in zip(here, [*here[1:], None]):
        happened = happened or row.no in eventful
        if happened and (following is None or following.by not in FOLLOWING):
            stops.append(row.no)
            happened = False
    return stops
