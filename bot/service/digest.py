"""What has happened in a game since a member was there last: from the public record, and from what the own seat knows."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import ValidationError

from bot.core.incidents import operation
from bot.core.requirements import PLAYED
from bot.core.row_sentences import answered, by_order, sentences
from bot.core.service import Service
from bot.domain.announcements import public_lines, told_of
from bot.store import Ledger
from engine.kernel import Row, Seat
from engine.kernel.game_spec import Replay
from engine.proxies import read
from engine.refusals import Refusal
from engine.text import Text, confided, count, joined, text
from engine.undo import REWIND, line

LONG = timedelta(days=1)        # after so long somebody who comes back is told what has happened
OFTEN = timedelta(minutes=10)   # a visit is noted at most so often, if nothing else is to be noted


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """What happened at one moment of the game, such as a turn."""

    moment: Text | None
    lines: Sequence[Text]


@dataclass(frozen=True, kw_only=True)
class Digest:
    """What has happened between two rows of any kind, oldest first, and what one seat alone learnt by it."""

    chapters: Sequence[Chapter]
    undone: Sequence[Text]      # what does not count any more: known before, or made in between
    private: Sequence[Text]


@dataclass(frozen=True, kw_only=True)
class LogRange:
    """A stretch of the log, as it is stored: the position before it, what counts now, and what counts no more."""

    story: Replay
    since: str | None           # when the last row before it was stored; None: the game began there
    undone: Sequence[Row]       # known before, or both made and taken back in between
    ordered: Collection[int]    # the rows that the reader's own standing orders have answered

    def digest(self) -> Digest:
        """Told in order. This replays a part of the game, so it belongs into a worker thread."""
        since, seat = self.story.since, self.story.seat
        try:
            chapters = list(_chapters(self.story))
            private = [confided(told, seat) for step in self.story.steps() if step.no > since for event in step.events
                       if seat is not None and (told := event.private_lines(step.state).get(seat)) is not None]
        except (KeyError, ValidationError):             # written by another version of the rules
            lines = [told for row in self.story.rows if row.no > since for told in sentences(self.story.spec, row)]
            chapters, private = [Chapter(moment=None, lines=lines)], []
        private += [by_order(answered(self.story.spec, row)) for row in self.story.rows if row.no > since
                    and row.no in self.ordered]
        private += [text("Step {row}: a move was made in your name ({note}).", row=row.no, note=proxy.note(row.seat))
                    for row in self.story.rows if row.no > since and row.seat == seat
                    and (proxy := read(row.proxy)) is not None and proxy.how != "clock"]
        silent = sum(row.no > since and row.seat == seat and row.by == "clock" for row in self.story.rows)
        if silent:
            private.append(count(silent, "{n} default move was played for you.",
                                 "{n} default moves were played for you."))
        return Digest(chapters=[chapter for chapter in chapters if chapter.lines], private=private,
                      undone=[told for row in self.undone for told in sentences(self.story.spec, row)])


def _chapters(story: Replay) -> Iterable[Chapter]:
    """The public lines after the reader's last row, by the moment in which they began."""
    moment: Text | None = None
    lines: list[Text] = []
    here: Text | None = None
    rows = {row.no: row for row in story.rows}
    for step in story.steps():
        row = rows.get(step.no)
        told = [] if step.no <= story.since else public_lines(step.events) if row is None else told_of(
            Seat(row.seat), row.proxy, step.events)
        if told and here != moment:
            yield Chapter(moment=moment, lines=[line for line, _ in joined(lines)])
            moment, lines = here, []
        lines += told
        here = story.spec.words.moment(step.state)
    yield Chapter(moment=moment, lines=[line for line, _ in joined(lines)])


class Digests(Service):
    """What has happened in a game since a member was there last."""

    async def stretch(self, game: int, user: int, *, since: int, until: int) -> LogRange:
        """Return what has happened between two rows of any kind, for a member. Raises Refusal: the game has not started."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            spec, parts = self.session.spec(stored.row.key), (await self.session.components(stored.row)).parts
            seat = next((holder.seat for holder in stored.holders if holder.known_to(user)), None)

            def read(ledger: Ledger) -> LogRange:
                rows = [row for row in ledger.log.outline(game) if row.no <= until]
                counts = {row.no for row in line(rows).rows}
                known = {row.no for row in line([row for row in rows if row.no <= since]).rows}
                start = ledger.log.checkpoint(game, {no for no in counts if no <= since})
                if start is None:
                    raise Refusal("The game hasn't started yet.")
                gone = {row.no for row in rows if row.verb != REWIND and row.no not in counts
                        and (row.no > since or row.no in known)}
                whole = [row for row in ledger.log.rows(game, since=min([start.no, *(no - 1 for no in gone)])) if row.no <= until]
                story = Replay(spec=spec, parts=parts, start=start, since=since, seat=seat,
                              rows=[row for row in whole if row.no in counts and row.no > start.no])
                return LogRange(story=story, since=ledger.log.time(game, since), undone=[row for row in whole if row.no in gone],
                               ordered={no for no, _ in ledger.orders.ordered(game, user)})

            return await self.store.read(read)

    async def unseen(self, game: int, user: int) -> tuple[int, int]:
        """The rows between which a member has not followed a game: up to the last one.

        Known is what the member has looked at or was told, and all up to the own last answer. For who has followed
        everything, or comes for the first time, it is the last turn.
        """
        def read(ledger: Ledger) -> tuple[int, int]:
            visit, newest = ledger.seats.visit(game, user), ledger.log.public_newest(game)
            known = max(visit.row if visit is not None else 0, ledger.seats.look(game, user) or 0)
            return (ledger.games.game(game).told.marked if known in (0, newest) else known), newest

        return await self.store.read(read)

    @operation
    async def told(self, game: int, user: int, until: int) -> None:
        at = self.session.time()
        await self.store.write(lambda ledger: ledger.seats.visited(game, user, until, at))

    @operation
    async def came(self, game: int, user: int) -> tuple[int, int] | None:
        """A player of a game does something with it now; the rows of which to tell if that had not happened for long.

        They end before what the player does now, which the player sees anyway.
        """
        at = self.session.time()
        now = datetime.fromisoformat(at)

        def note(ledger: Ledger) -> tuple[int, int] | None:
            stored, visit, newest = ledger.games.game(game), ledger.seats.visit(game, user), ledger.log.public_newest(game)
            if stored.row.status not in PLAYED or not any(holder.known_to(user) for holder in stored.holders):
                return None
            if visit is None or not visit.seen_within(OFTEN, now):      # of two taps at the same moment the second is just that
                returns = visit is not None and not visit.seen_within(LONG, now)
                ledger.seats.visited(game, user, visit.row if visit is not None and not returns else newest, at)
                if visit is not None and returns:
                    missed = visit.row, visit.acted - 1 if visit.acted > visit.row else newest
                    return missed if missed[1] > missed[0] else None
            return None

        return await self.store.write(note)
