"""What a game master does only with the players' yes, since it could let somebody know more than one seat's secrets.

A seat goes at once to somebody who knows no other seat of this game, or of one with which it shares its past, as long as the game
master who gives it plays none and was not named by a player while the game ran; a game master's own seat goes at once to anybody.
In every other case the holder of the seat is asked, or else the whole table. A new game that goes on from a row of a running one
needs the table's yes: at its end it shows what the seats knew in secret up to there.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Literal

from bot.core.incidents import operation
from bot.core.requirements import require_seat
from bot.core.row_sentences import MODERATOR, place
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.announcements import member
from bot.domain.insights import knows_besides, plays
from bot.domain.timestamps import timestamp
from bot.service.branching import Branching
from bot.service.seats import Seats
from bot.service.undo_request_updates import announce_request
from bot.store import Ledger, Stored
from bot.store.undo import Kind, Request
from engine.kernel import Seat
from engine.refusals import Refusal
from engine.text import Fact, Reader, Text, say, template, text

SILENCE = 24                            # hours after which silence refuses
LONELY = template("There is nobody else to agree. A neutral game master can do it.")


class Consent(Service):
    """What a game master does only with the players' yes."""

    def __init__(self, session: Session, seats: Seats, branching: Branching) -> None:
        super().__init__(session)
        self.seats, self.branching = seats, branching

    @operation
    async def hand_over(self, game: int, seat: Seat, user: int, by: int, *, name: str = "") -> Request | None:
        """Give a seat of a running game to a member for good; who held it before has none any more, nor whose stand-in that was.

        `name` is how people know the member. If that needs somebody's yes, nothing changes yet; the request that asks for it.
        """
        async with self.session.locked(game):
            return await self.change_hands(await self.session.played(game), "hand", seat, user, by, name)

    @operation
    async def stand_in(self, game: int, seat: Seat, user: int, by: int, *, name: str = "") -> Request | None:
        """Have a member play a seat for its holder, who still sees what it sees and can take it back at any time.

        If that needs somebody's yes, nothing changes yet; the request that asks for it.
        """
        async with self.session.locked(game):
            return await self.change_hands(await self.session.played(game), "standin", seat, user, by, name)

    @operation
    async def ask_to_branch(self, game: int, row: int, by: int) -> Request:
        """Ask the table to agree that a new game goes on from a row; see `branch`. Raises Refusal."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            await self.branching.moment_after(stored, row)
            return await self._ask_table(stored, "branch", by, {}, to=row)

    async def change_hands(self, stored: Stored, kind: Literal["hand", "standin"], seat: Seat, user: int, by: int,
                           name: str) -> Request | None:
        """The same for both, under the game's lock."""
        require_seat(stored.holders, seat)
        circle = await self.store.read(lambda ledger: ledger.insights.circle(stored.row.id))
        held = next(holder for holder in stored.holders if holder.seat == seat)
        about: Mapping[str, Any] = {"seat": seat, "user": user, "name": name}
        own = by == held.whose                          # and doing it is a yes
        if not own and (knows_besides(circle, seat, user) or plays(circle, by)):
            self.seats.require_receivable(stored, kind, seat, user)
            return await self._ask_table(stored, kind, by, about)
        await self._hand_on(stored, kind, about, by, agreed=own)
        return None

    async def _hand_on(self, stored: Stored, kind: Kind, about: Mapping[str, Any], by: int, *, agreed: bool,
                       done: Callable[[Ledger], None] | None = None) -> None:
        """Give a seat to the member of whom a request tells, or of whom it would; `agreed` to by its holder or by the table."""
        game, seat, user = stored.row.id, Seat(about["seat"]), about["user"]

        def also(ledger: Ledger) -> None:
            if done is not None:
                done(ledger)
            if agreed:
                ledger.insights.agreed(game, seat, user, held=True)

        hand_on = self.seats.give if kind == "hand" else self.seats.let_stand_in
        await hand_on(stored, seat, user, by, name=about["name"], also=also)

    async def _ask_table(self, stored: Stored, kind: Kind, by: int, about: Mapping[str, Any], *, to: int = 0) -> Request:
        """Ask the holder of the seat that is to change hands, and all others who are there and gain nothing by it."""
        game, seat = stored.row.id, about.get("seat")
        there = [holder for holder in stored.holders if not holder.unattended or holder.seat == seat]
        asked = [holder.seat for holder in there if holder.user is not None and not holder.users & {by, about.get("user")}]
        if not asked:
            raise Refusal(LONELY)
        due, at = timestamp(self.session.now() + timedelta(hours=SILENCE)), self.session.time()

        def ask(ledger: Ledger) -> Request:
            require_no_other(ledger.undo.open_request(game))
            id = ledger.undo.add_request(game, Seat(MODERATOR), to, ledger.log.public_newest(game), due, asked, kind=kind,
                                         asker=by, about=about)
            announce_request(ledger, game, id, at)
            made = ledger.undo.request(id)
            assert made is not None, "it has just been added"
            ledger.audit.note(game, by, f"asked the players to agree that {noted(made)}", at)
            return made

        return await self.store.write(ask)

    async def grant(self, stored: Stored, request: Request, done: Callable[[Ledger], None]) -> None:
        """Do what a game master has asked for, in one transaction with `done`; who begins a new game says later where."""
        if request.kind == "branch":
            await self.store.write(done)
        else:
            assert request.asker is not None, "a game master has asked"
            await self._hand_on(stored, request.kind, request.about, request.asker, agreed=True, done=done)


def require_no_other(waits: Request | None) -> None:
    """Raise Refusal while a game's players are asked to agree to something else."""
    if waits is not None and waits.kind == "undo":
        raise Refusal("{seat} has already asked to undo something. Only one request can be open at a time.", seat=waits.seat)
    if waits is not None:
        raise Refusal("The game master has already asked the players something. Only one request can be open at a time.")


def wanted(request: Request) -> Text:
    """Return what a game master asks the table to agree to, as the end of a sentence."""
    if request.kind == "branch":
        return text("a new game goes on from {place}", place=place(request.to))
    facts: Mapping[str, Fact] = {"member": member(request.about["user"]), "seat": request.about["seat"]}
    return text("{member} stands in for {seat}", **facts) if request.kind == "standin" else text("{member} gets {seat}", **facts)


def noted(request: Request) -> str:
    """Return the same for the audit, which names a seat only when it is read."""
    seat = request.about.get("seat", "")
    return say(wanted(request), Reader({seat: seat}))
