"""Undo, redo and rollback; and taking back one's own last answer while nobody has learnt anything by it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from bot.core.incidents import operation
from bot.core.own_undo import MORE, floor, own_since, own_target, require_open, taken_events, why_not_alone
from bot.core.requirements import held_by, require, require_row
from bot.core.row_sentences import MODERATOR, place, sentences
from bot.core.service import Service
from bot.domain.announcements import logged, member, notice
from bot.domain.letters import Strike
from bot.domain.turns import Turn
from bot.store import GameRow, Ledger, Stored
from bot.store.outbox import Posted, turns_of
from engine import undo
from engine.kernel import NOBODYS, Checkpoint, GameSpec, Row, Seat, Table
from engine.options import dice, rules_of
from engine.proxies import Proxy
from engine.refusals import Drift, Refusal, Stale
from engine.text import Fact, Text, count, joined, text

Kind = Literal["undo", "redo", "rollback", "asked"]

STRUCK = 50                 # letters of the log, of those that were posted, back to which what was taken back is struck out
AFRESH = text("New dice are rolled from there on.")


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a return takes back (or a redo brings back): row numbers and public sentences, oldest first; where it leads."""

    to: int
    rows: Sequence[int]
    lines: Sequence[Text]
    fresh: bool = False         # the dice are rolled afresh from there, since the game's options say so


class Undo(Service):
    """Undo, redo and rollback by the game master; taking back by the player."""

    @operation
    async def take_back(self, game: int, user: int, *, newest: int | None = None) -> Preview:
        """Take back a member's own last answer, with what followed from it by rule.

        Of what nobody else has heard of nobody else is told. Refused once anybody may have learnt something by it, as
        `engine.undo` defines that. `newest` is the last row that the member knew of; a typed command names none.
        """
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("running",))
            seat = held_by(stored.holders, user)
            live = await self.session.loaded(game)
            require_open(live.table)
            alone = all(question.seat == seat for question in live.table.asks)
            rows = await self.store.read(lambda ledger: ledger.log.outline(game))
            if newest is not None and (not rows or newest != rows[-1].no):
                raise Stale("Something has happened since this was offered, so nothing was undone.")
            to = own_target(self.session.spec(stored.row.key), rows, seat, since=await self._own_since(game, seat))
            turning = turning_row(rows, to, seat, "player")
            before = await self.session.replay(stored, returning=turning)
            if len(before.table.asks) > 1:
                raise Refusal("Your move was sealed together with others', so you can't undo it alone. {more}", more=MORE)
            whole = await self.store.read(lambda ledger: ledger.log.rows(game, since=to))
            events = taken_events(before.table.spec, rows, whole, to)
            if (why := why_not_alone(live.table, seat, events)) is not None:
                raise Refusal(why, more=MORE)
            if await self._told_a_secret(stored, before.table, rows, to, seat):
                raise Refusal("Your last move gave away a secret, so you can't undo it alone. {more}", more=MORE)
            taken = await self.effect(stored.row, rows, to, undo.undone_rows(rows, to))
            unheard = alone and (to >= stored.told.row or not taken.lines)
            await self.turn_to(stored, rows, turning, news=None if unheard else _taken_back(seat, taken.lines),
                               picture=stored.told.pictured > to)
            return taken

    async def _told_a_secret(self, stored: Stored, before: Table, rows: Sequence[Row], to: int, seat: Seat) -> bool:
        """True if a seat's own last answer, the first in force after row `to`, gave a secret away."""
        game, here = stored.row.id, undo.line([row for row in rows if row.no <= to])
        valid = {row.no for row in here.rows}
        answered, *_ = (row for row in undo.undone_rows(rows, to) if row.by in undo.DECISIONS)

        def read(ledger: Ledger) -> tuple[Checkpoint | None, list[Row]]:
            start = ledger.log.checkpoint(game, valid)
            return start, ledger.log.rows(game, since=start.no if start is not None else 0)

        start, whole = await self.store.read(read)
        assert start is not None, "a game that is played has begun"
        past, (answer,) = [row for row in whole if row.no in valid], [row for row in whole if row.no == answered.no]

        def position() -> Table:
            return Table(before.spec, before.parts, start, past, dice=dice(stored.secret, stored.row.options), epoch=here.epoch,
                         checkpoints=False, run_on=False)

        kind = before.spec.verb(answer.verb)
        assert kind is not None, "own_target knows the verb"
        return undo.learnt(position, [holder.seat for holder in stored.holders], seat, kind.model_validate_json(answer.answer))

    @operation
    async def undo(self, game: int, by: int, *, newest: int | None = None) -> Preview:
        """Undo the last move, with all that followed from it. Raises Stale: there are rows after the `newest`."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            to = undo.undo_target(undo.line(rows).rows, absent)
            if to is None:
                raise Refusal("There is nothing to undo yet.")
            return to

        return await self._return(game, by, "undo", target, newest=newest)

    @operation
    async def redo(self, game: int, by: int) -> Preview:
        """Bring back what the last undo or rollback took, as long as nobody has decided anything since."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            to = undo.redo_target(rows, absent)
            if to is None:
                raise Refusal("There is nothing to redo: nothing was undone, or the game has moved on since.")
            return to

        return await self._return(game, by, "redo", target)

    async def last_move(self, game: int) -> Preview | None:
        """What `undo` would take back, if that is more than one step; None also while several decide in secret, and of a log that
        no longer replays. Changes nothing."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            rows = await self.store.read(lambda ledger: ledger.log.outline(game))
            to = undo.undo_target(undo.line(rows).rows, {holder.seat for holder in stored.holders if holder.unattended})
            back = [] if to is None else undo.undone_rows(rows, to)
            try:
                open_to_all = len((await self.session.loaded(game)).table.asks) <= 1
            except Drift:
                open_to_all = False
            return await self.effect(stored.row, rows, to, back) if to is not None and len(back) > 1 and open_to_all else None

    async def preview(self, game: int, to: int) -> Preview:
        """Return what a rollback to row `to` would take back; 0 is the beginning. Of what is sealed still it tells nothing, nor
        whether there is any. Changes nothing."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            log, public = await self.store.read(lambda ledger: (ledger.log.outline(game), ledger.log.public_newest(game)))
            rows = [row for row in log if row.no <= public]
            require_row(rows, to)
            return await self.effect(stored.row, rows, to, undo.undone_rows(rows, to))

    @operation
    async def rollback(self, game: int, to: int, by: int, *, fresh: bool = False, newest: int | None = None) -> Preview:
        """Return to the position after row `to`, of any kind; `fresh`: with other dice from there on. Raises Stale: there are
        rows after the `newest` that everybody knew of when this was previewed."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            require_row(rows, to)
            if not fresh and undo.line(rows).rows == undo.line([row for row in rows if row.no <= to]).rows:
                raise Refusal("The game is already at step {row}, so there is nothing to undo.", row=to)
            return to

        return await self._return(game, by, "rollback", target, fresh=fresh, newest=newest)

    async def _return(self, game: int, by: int, kind: Kind,
                      target: Callable[[Sequence[Row], set[Seat]], int], *, fresh: bool = False,
                      newest: int | None = None) -> Preview:
        """Store a row that returns, and go on from where it leads."""
        async with self.session.locked(game):
            if newest not in (None, await self.store.read(lambda ledger: ledger.log.public_newest(game))):
                raise Stale("Something has happened since this preview, so nothing was undone.")
            stored = await self.session.played(game)
            rows = await self.store.read(lambda ledger: ledger.log.outline(game))
            to = target(rows, {holder.seat for holder in stored.holders if holder.unattended})
            fresh = fresh or (kind != "redo" and self.afresh(stored.row))
            back = undo.undone_rows(rows, to)
            kept = {row.no for row in undo.line(rows).rows}
            forth = [row for row in undo.line([row for row in rows if row.no <= to]).rows if row.no not in kept]
            taken, brought = await self.effect(stored.row, rows, to, back), await self.effect(stored.row, rows, to, forth)
            at, audit = self.session.time(), f"went back from step {rows[-1].no if rows else 0} to step {to} ({kind})"
            turning = turning_row(rows, to, MODERATOR, MODERATOR, kind=kind, fresh=fresh, proxy=Proxy("gm", by).written())
            last = next((undo.Rewind.model_validate_json(row.answer).kind
                         for row in reversed(rows) if row.verb == undo.REWIND), "undo")
            news = _announced(taken, brought, by, redone=last if kind == "redo" else "", fresh=fresh)
            await self.turn_to(stored, rows, turning, news=news, picture=True, where=True,
                                also=lambda ledger: ledger.audit.note(game, by, audit, at))
            return brought if kind == "redo" else taken

    async def turn_to(self, stored: Stored, rows: Sequence[Row], turning: Row, *, news: Text | None, picture: bool,
                       where: bool = False, also: Callable[[Ledger], None] | None = None) -> None:
        """Store a row that returns, tell everybody, strike out what was told of rows that move, and ask anew from there.

        With `where` the news say how the game stands then. What comes back and was never told is told now. Without news the
        seat has gone back within what it alone knows: what it keeps of that still waits to be told, and nobody is pinged.
        """
        game, spec, at = stored.row.id, self.session.spec(stored.row.key), self.session.time()
        to, floor = undo.Rewind.model_validate_json(turning.answer).to, await self.floor(game)
        if to < floor:
            raise Refusal("This game started from step {row} of another and can't go back before that.", row=floor)
        before, after = ({row.no for row in undo.line(log).rows} for log in (rows, [row for row in rows if row.no <= to]))
        if news is None:
            seat = Seat(turning.seat)
            last = {other: told for other, told in stored.told.last.items() if other != seat}
            stored = replace(stored, told=stored.told.model_copy(update={"last": last}))
            live = await self.session.replay(stored, returning=turning)
            await self.session.commit(live, rows=[turning], actor=seat, again=[seat], also=also)
            self.session.remember(live)
            return
        pictured = turning.no if picture else stored.told.pictured
        told = stored.told.model_copy(update={"row": turning.no, "last": {}, "pictured": pictured})
        live = await self.session.replay(replace(stored, told=told), returning=turning)
        forth = [no for no in after - before if no < turning.no]

        def read(ledger: Ledger) -> tuple[list[Row], list[Posted]]:
            whole = ledger.log.rows(game, since=min([stored.told.row, *[no - 1 for no in forth]]))
            return whole, ledger.outbox.log_messages(game, STRUCK) if forth else []

        whole, posted = await self.store.read(read)
        back = set(forth) - _heard(rows, posted)
        stays = [(told, NOBODYS) for row in whole if row.no in back or (row.no > stored.told.row and row.no in before & after)
                 for told in sentences(spec, row)]
        first = logged(stays, live.reader())
        if where:
            news = text("{news} {moment}.", news=news, moment=spec.words.moment(live.table.state))

        def strike(ledger: Ledger) -> None:
            if also is not None:
                also(ledger)
            touched = {posted.message or -posted.letter: posted.letter for posted in ledger.outbox.log_messages(game, STRUCK)
                       if any(posted.since < no <= posted.no for no in before ^ after)}
            ledger.outbox.add_letters(game, turning.no, [Strike(letter=letter) for letter in sorted(touched.values())], at)

        await self.session.commit(live, rows=[turning], first=[*first, notice(news, live.reader())],
                           again=[holder.seat for holder in live.holders], picture=picture, also=strike)
        self.session.remember(live)

    def afresh(self, row: GameRow) -> bool:
        """True if the dice of a game are rolled anew after every undo."""
        spec = self.session.spec(row.key)
        return spec.rules.afresh(rules_of(spec, row.edition, row.options))

    async def floor(self, game: int) -> int:
        """The row from which a game goes on that is a branch of another: it never returns to before it."""
        return await self.store.read(lambda ledger: floor(ledger, game))

    async def _own_since(self, game: int, seat: Seat) -> int:
        return await self.store.read(lambda ledger: own_since(ledger, game, seat))

    async def struck(self, game: int, letter: int) -> tuple[int, Sequence[tuple[str, bool]], Sequence[Turn]] | None:
        """The message of a letter of the log, with those that go on in it: its number, of each of its lines whether it has
        been taken back by now, and of which turns they tell.

        None if there is no such message, or if it cannot be told which line speaks of which row.
        """
        def read(ledger: Ledger) -> tuple[list[Posted], list[Row], list[Row]]:
            told = ledger.outbox.log_message(game, letter)
            return told, ledger.log.outline(game), ledger.log.rows(game, since=told[0].since) if told else []

        told, rows, whole = await self.store.read(read)
        spec, lines = self.session.spec((await self.session.stored(game)).row.key), list[tuple[str, bool]]()
        for posted in told:
            known = _lines(spec, posted, rows, whole)
            if known is None:
                return None
            lines += known
        return (number, lines, turns_of(told)) if told and (number := told[0].message) is not None else None

    async def effect(self, row: GameRow, rows: Sequence[Row], to: int, moved: Sequence[Row]) -> Preview:
        """The public side of rows that a return takes or brings back."""
        numbers = [old.no for old in moved]
        if not numbers:
            return Preview(to=to, rows=(), lines=(), fresh=self.afresh(row))
        whole = await self.store.read(lambda ledger: ledger.log.rows(row.id, since=numbers[0] - 1))
        spec, wanted = self.session.spec(row.key), set(numbers)
        return Preview(to=to, rows=numbers, fresh=self.afresh(row),
                       lines=[sentence for old in whole if old.no in wanted for sentence in sentences(spec, old)])


def _lines(spec: GameSpec, posted: Posted, log: Sequence[Row], whole: Sequence[Row]) -> list[tuple[str, bool]] | None:
    """The lines of a letter of the log, and of each whether it has been taken back; None if they cannot be told apart."""
    then, now = ({row.no for row in undo.line(rows).rows} for rows in ([row for row in log if row.no <= posted.no], log))
    told = [(words, row.no not in now) for row in whole if posted.since < row.no <= posted.no and row.no in then
            for words in sentences(spec, row)]
    taken = [gone for _, gone in told]
    if len(taken) > posted.of:                              # some were told as one, which is gone with any of them
        flags = iter(taken)
        taken = [any(list(islice(flags, number))) for _, number in joined(words for words, _ in told)]
    opening = posted.of - len(taken)                        # what happened before the first row is never taken back
    here = ([False] * opening + taken)[posted.first:posted.first + len(posted.lines)]
    return list(zip(posted.lines, here, strict=True)) if opening >= 0 else None


def turning_row(rows: Sequence[Row], to: int, seat: str, by: str, *, kind: Kind = "undo", fresh: bool = False,
                proxy: str = "") -> Row:
    """The row that returns to row `to`, as the next one of the log."""
    no = rows[-1].no + 1 if rows else 1
    return Row(no, seat, by, undo.REWIND, undo.Rewind(to=to, kind=kind, fresh=fresh).model_dump_json(), proxy=proxy)


def _taken_back(seat: Seat, lines: Sequence[Text]) -> Text:
    """The news that a seat takes back its own last answer; public sentences never tell what only a seat may know (P-6)."""
    if not lines:
        return text("{seat} undoes the last move.", seat=seat)
    return text("{seat:The} undoes its last move: {lines}", seat=seat, lines=run(lines))


def _announced(taken: Preview, brought: Preview, by: int, *, redone: str, fresh: bool) -> Text:
    """The news of a return in one line: what it took back is struck out where it was told, and what it brings back no more."""
    facts: dict[str, Fact] = {"master": member(by), "undone": count(len(taken.rows), "{n} step", "{n} steps"),
                              "back": count(len(brought.rows), "{n} step", "{n} steps")}
    parts: list[Text] = []
    if redone:
        parts.append(text("Game master {master} undid the rollback." if redone == "rollback" else
                          "Game master {master} undid the undo.", **facts))
    elif taken.rows and brought.rows:
        parts.append(text("Game master {master} undid {undone} and redid {back}.", **facts))
    elif taken.rows:
        parts.append(text("Game master {master} undid {undone}.", **facts))
    elif brought.rows:
        parts.append(text("Game master {master} redid {back}.", **facts))
    if fresh:
        parts.append(text("New dice are rolled from {place} on.", place=place(taken.to)))
    return run(parts)


def _heard(log: Sequence[Row], posted: Sequence[Posted]) -> set[int]:
    """The rows of which the log has told, by its newest letters; of what lies before these it is taken for granted."""
    heard = {row.no for row in log if posted and row.no <= posted[-1].since}
    for letter in posted:
        in_force = undo.line([row for row in log if row.no <= letter.no]).rows
        heard |= {row.no for row in in_force if letter.since < row.no <= letter.no}
    return heard


def run(sentences: Sequence[Text]) -> Text:
    return Text(" ".join(f"{{s{number}}}" for number in range(len(sentences))),
                {f"s{number}": sentence for number, sentence in enumerate(sentences)})
