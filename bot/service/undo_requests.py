"""Asked undo: a player asks the others to return further than `take_back` goes; it happens once all of them agree.

The game does not stand still meanwhile. As soon as it goes on in any way the request is over, since nobody has agreed to take
back what came later: so each agrees to exactly what was shown. Nothing can be asked while several are asked at once, or it
would show who of them has answered [P-28].
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.core.incidents import operation
from bot.core.own_undo import require_open
from bot.core.requirements import PLAYED, held_by, require
from bot.core.row_sentences import answered, sentences
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.announcements import member
from bot.domain.timestamps import timestamp
from bot.service.consent import SILENCE, Consent, noted, require_no_other
from bot.service.undo import AFRESH, Preview, Undo, run, turning_row
from bot.service.undo_request_updates import announce_request, closed
from bot.store import Ledger, Stored
from bot.store.undo import Ended, Request
from engine.dice import SecretDice
from engine.kernel import Action, Aside, Checkpoint, Event, GameSpec, Row, Seat, Slot, Stirred, Table
from engine.refusals import NotAsked, Refusal, Stale
from engine.text import Text, template, text
from engine.undo import DECISIONS, line, undone_rows

OVER = template("This request is over. The game goes on as it is.")
LONGEST_REQUEST = 168                           # hours that can be given instead
OFFERED = 25                            # own answers back to which one can ask to return


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What a request would take back, and who would have to agree."""

    seat: Seat
    newest: int
    preview: Preview
    asked: Sequence[Seat]


@dataclass(frozen=True, kw_only=True)
class RequestPreview:
    """A request, and what it would take back; of what a game master asks for: nothing."""

    request: Request
    preview: Preview


class UndoRequests(Service):
    """Requests of players to take back more than their own last answer."""

    def __init__(self, session: Session, undo: Undo, consent: Consent) -> None:
        super().__init__(session)
        self.undo, self.consent = undo, consent

    async def own_answers(self, game: int, user: int) -> list[tuple[int, Sequence[Text]]]:
        """The newest answers of a member's seat that are in force, newest first: the row, and what everybody read of it; of one
        that told nothing, the answer itself.

        Raises Refusal: nothing can be asked now.
        """
        async with self.session.locked(game):
            stored = await self.session.played(game)
            seat = held_by(stored.holders, user)
            require_open((await self.session.loaded(game)).table)
            rows = await self.store.read(lambda ledger: ledger.log.outline(game))
            floor = await self.undo.floor(game)
            own = [row.no for row in line(rows).rows if row.seat == seat and row.by in DECISIONS and row.no > floor][-OFFERED:]
            whole = await self.store.read(lambda ledger: ledger.log.rows(game, since=own[0] - 1)) if own else []
            spec = self.session.spec(stored.row.key)
            return [(row.no, sentences(spec, row) or [answered(spec, row)]) for row in reversed(whole) if row.no in own]

    async def plan(self, game: int, user: int, no: int) -> Proposal:
        """Return what it would take to go back before a member's own answer in row `no`. Changes nothing. Raises Refusal."""
        async with self.session.locked(game):
            return await self._plan(await self.session.played(game), user, no)

    @operation
    async def ask(self, game: int, user: int, no: int, *, newest: int | None = None, hours: int = SILENCE) -> Request:
        """Ask the others to go back before the own answer in row `no`; `newest` is the last row that the member knew of."""
        if not 1 <= hours <= LONGEST_REQUEST:
            raise Refusal("The others can have 1 to {most} hours to agree.", most=LONGEST_REQUEST)
        async with self.session.locked(game):
            stored = await self.session.played(game)
            plan = await self._plan(stored, user, no)
            if newest is not None and newest != plan.newest:
                raise Stale("Something has happened since this was offered, so nobody was asked.")
            before, last = await self.store.read(
                lambda ledger: (ledger.undo.open_request(game), ledger.undo.last_request(game, plan.seat)))
            require_no_other(before)
            if last is not None and (last.to, last.newest) == (plan.preview.to, plan.newest) and last.ended not in (
                    "withdrawn", "overtaken"):
                raise Refusal("You've already asked for just this, and not everybody agreed.")
            due, at = timestamp(self.session.now() + timedelta(hours=hours)), self.session.time()

            def add(ledger: Ledger) -> Request:
                id = ledger.undo.add_request(game, plan.seat, plan.preview.to, plan.newest, due, plan.asked)
                announce_request(ledger, game, id, at)
                ledger.audit.note(game, user, f"asked to go back to step {plan.preview.to}", at)
                made = ledger.undo.request(id)
                assert made is not None, "it has just been added"
                return made

            return await self.store.write(add)

    async def asked(self, id: int) -> RequestPreview:
        """A request, and what it takes back. Raises Refusal."""
        request = await self._request(id)
        stored = await self.session.stored(request.game)
        if request.kind != "undo":
            return RequestPreview(request=request, preview=Preview(to=request.to, rows=(), lines=()))
        rows = [row for row in await self.store.read(lambda ledger: ledger.log.outline(request.game)) if row.no <= request.newest]
        return RequestPreview(request=request, preview=await self.undo.effect(
            stored.row, rows, request.to, undone_rows(rows, request.to)))

    @operation
    async def agree(self, id: int, user: int) -> bool:
        """A member's seat agrees; True if nobody else has to, and it is done."""
        game = (await self._request(id)).game
        async with self.session.locked(game):
            stored, request, seat = await self._open(id, user)
            if seat not in request.agreed:
                raise NotAsked("You aren't one of those who must agree to this.")
            if request.agreed[seat]:
                raise Refusal("You've already agreed to this.")
            holder = next(holder for holder in stored.holders if holder.seat == seat)
            suffices = request.about.get("seat") == seat and holder.whose == user       # who holds the seat, not who stands in
            if not suffices and not all(agreed for other, agreed in request.agreed.items()
                                        if other not in (seat, request.about.get("seat"))):
                await self._note(request, lambda ledger: ledger.undo.agree(id, seat))
                return False
            at = self.session.time()
            audit = (f"was the last to agree to go back to step {request.to}" if request.kind == "undo" else
                    f"agreed that {noted(request)}" if suffices else f"was the last to agree that {noted(request)}")

            def done(ledger: Ledger) -> None:
                ledger.undo.agree(id, seat)
                closed(ledger, request, "done", at)
                ledger.audit.note(game, user, audit, at)

            await self._grant(stored, request, done)
            return True

    async def _grant(self, stored: Stored, request: Request, done: Callable[[Ledger], None]) -> None:
        """Do what was asked for, in one transaction with `done`."""
        if request.kind != "undo":
            await self.consent.grant(stored, request, done)
            return
        rows = await self.store.read(lambda ledger: ledger.log.outline(request.game))
        effect = await self.undo.effect(stored.row, rows, request.to, undone_rows(rows, request.to))
        turning = turning_row(rows, request.to, request.seat, "player", kind="asked", fresh=effect.fresh)
        await self.undo.turn_to(stored, rows, turning, news=_agreed(request.seat, effect), picture=True, where=True,
                                also=done)

    @operation
    async def refuse(self, id: int, user: int) -> None:
        """A member's seat does not agree, so nothing is taken back."""
        async with self.session.locked((await self._request(id)).game):
            _, request, seat = await self._open(id, user)
            if seat not in request.agreed:
                raise NotAsked("You aren't one of those who must agree to this.")
            await self._end(request, "refused", seat)

    @operation
    async def withdraw(self, id: int, user: int) -> None:
        async with self.session.locked((await self._request(id)).game):
            request = await self._request(id)
            if request.ended is not None:
                raise Refusal(OVER)
            if request.asker is None:
                own = next(holder for holder in (await self.session.stored(request.game)).holders if holder.seat == request.seat)
                if user not in own.users:
                    raise NotAsked("Only {seat}, who asked, can withdraw this.", seat=request.seat)
                await self._open(id, user)
            elif user != request.asker:
                raise NotAsked("Only {member}, who asked, can withdraw this.", member=member(request.asker))
            await self._end(request, "withdrawn")

    @operation
    async def end_late_request(self, game: int, id: int) -> None:
        """End a request whose time is up: silence refuses."""
        async with self.session.locked(game):
            late = await self._request(id)
            if late.ended is None:
                await self._end(late, "late")

    # -- the works

    async def _plan(self, stored: Stored, user: int, no: int) -> Proposal:
        game, seat, spec = stored.row.id, held_by(stored.holders, user), self.session.spec(stored.row.key)
        require_open((await self.session.loaded(game)).table)
        rows = await self.store.read(lambda ledger: ledger.log.outline(game))
        in_force = line(rows).rows
        floor = await self.undo.floor(game)
        index = next((index for index, row in enumerate(in_force) if row.no == no and row.seat == seat
                      and row.by in DECISIONS), None)
        if index is None or no <= floor:
            raise Refusal("You can't undo step {row}. It isn't your move, or it no longer counts.", row=no)
        sealed = await self._sealed(stored, rows, no)
        to = sealed.get(no, in_force[index - 1].no if index else 0)
        back = undone_rows(rows, to)
        there = [holder.seat for holder in stored.holders if not holder.unattended and holder.seat != seat]
        acted = {row.seat for row in back if row.by in DECISIONS} - {seat}
        asked = [other for other in there if other in acted]
        if not acted or any(_rolled(row) or row.no in sealed or _aside(spec, row) for row in back):
            asked = there
        if not asked:
            raise Refusal("There is nobody to agree to this. The game master can undo it.")
        return Proposal(seat=seat, newest=rows[-1].no, asked=asked, preview=await self.undo.effect(stored.row, rows, to, back))

    async def _sealed(self, stored: Stored, rows: Sequence[Row], no: int) -> Mapping[int, int]:
        """Of the rows in force from row `no` on: those that were sealed with others, and the row that led to their question."""
        game, valid = stored.row.id, {row.no for row in line(rows).rows}

        def read(ledger: Ledger) -> tuple[Checkpoint | None, list[Row]]:
            start = ledger.log.checkpoint(game, {row for row in valid if row < no})
            return start, ledger.log.rows(game, since=start.no if start is not None else 0)

        start, whole = await self.store.read(read)
        assert start is not None, "a game that is played has begun"
        parts = (await self.session.components(stored.row)).parts
        past = [row for row in whole if row.no in valid]
        return _Watching(self.session.spec(stored.row.key), parts, start, past, stored.secret).together

    async def _request(self, id: int) -> Request:
        found = await self.store.read(lambda ledger: ledger.undo.request(id))
        if found is None:
            raise Refusal("There is no such request.")
        return found

    async def _open(self, id: int, user: int) -> tuple[Stored, Request, Seat]:
        """A request that still waits, its game, and the seat of a member there. Raises Refusal."""
        request = await self._request(id)
        stored = await self.session.stored(request.game)
        seat = held_by(stored.holders, user)
        if request.ended is not None:
            raise Refusal(OVER)
        require(stored.row, PLAYED)
        return stored, request, seat

    async def _note(self, request: Request, what: Callable[[Ledger], None]) -> None:
        at = self.session.time()

        def change(ledger: Ledger) -> None:
            what(ledger)
            announce_request(ledger, request.game, request.id, at)

        await self.store.write(change)

    async def _end(self, request: Request, how: Ended, refused: Seat | None = None) -> None:
        def end(ledger: Ledger) -> None:
            if refused is not None:
                ledger.undo.refuse(request.id, refused)
            ledger.undo.end_request(request.id, how)

        await self._note(request, end)


class _Watching(Table):
    """A table that only replays, and notes which answers were sealed with others, and since which row they were asked."""

    def __init__(self, spec: GameSpec, parts: object, start: Checkpoint, rows: Sequence[Row], secret: str) -> None:
        self.together: dict[int, int] = {}
        super().__init__(spec, parts, start, rows, dice=SecretDice(secret), checkpoints=False, run_on=False)

    def _advance(self, seat: Seat, action: Action, by: str, place: Slot | None) -> tuple[Event, ...]:
        if len(self.asks) > 1 and place is not None:
            self.together[self._no] = self.asked_at
        return super()._advance(seat, action, by, place)


def _rolled(row: Row) -> bool:
    return row.by == "dice" and row.verb != Stirred.verb


def _aside(spec: GameSpec, row: Row) -> bool:
    """True if somebody else got something by this row, without being asked."""
    kind = spec.verb(row.verb)
    return kind is not None and issubclass(kind, Aside)


def _agreed(seat: Seat, effect: Preview) -> Text:
    """The news that all have agreed, with the first of what is undone: all of it stands in their request, and is struck out."""
    if not effect.lines:
        agreed = text("Everybody agreed, so {seat} undoes the last move.", seat=seat)
    elif len(effect.lines) == 1:
        agreed = text("{seat} undoes this, as everybody agreed: {line}", seat=seat, line=effect.lines[0])
    else:
        agreed = text("Everybody agreed, so {seat:the} undoes this and all that followed: {line}", seat=seat,
                      line=effect.lines[0])
    return run([agreed, *([AFRESH] if effect.fresh else [])])
