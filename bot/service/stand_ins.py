"""Stand-ins whom players name themselves: they ask a member, who agrees or declines."""
from __future__ import annotations

from datetime import datetime

from bot.core.incidents import operation
from bot.core.requirements import held_by
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.absence import OFFERED
from bot.domain.announcements import member
from bot.domain.insights import knows_besides
from bot.domain.letters import StandInOffer
from bot.domain.timestamps import timestamp
from bot.service.seats import Seats
from bot.store import Ledger, Stored
from bot.store.stand_ins import Offer, OfferEnd
from engine.kernel import Seat
from engine.refusals import NotAsked, Refusal
from engine.text import template

OVER = template("Nobody is asked to stand in here now.")


class StandIns(Service):
    """Stand-ins whom players name themselves."""

    def __init__(self, session: Session, seats: Seats) -> None:
        super().__init__(session)
        self.seats = seats

    @operation
    async def offer_stand_in(self, game: int, by: int, user: int, until: datetime | None = None, *, name: str = "") -> Offer:
        """Ask a member to play the seat of another one, until a moment or until that one is back [P-43].

        `name` is how people know who is asked. Nothing changes before the member agrees. Raises Refusal.
        """
        async with self.session.locked(game):
            stored, now = await self.session.played(game), self.session.now()
            seat = held_by(stored.holders, by)
            holder = next(holder for holder in stored.holders if holder.seat == seat)
            if holder.owner is not None:
                raise Refusal("You stand in for {owner}. Only {owner} can name another stand-in.",
                              owner=member(holder.owner.user))
            if user == by:
                raise Refusal("That's you. Choose somebody else.")
            if until is not None and until <= now:
                raise Refusal("That time is past. Choose a later one.")
            await self._require_able(stored, seat, user)
            at, ends = self.session.time(), None if until is None else timestamp(until)
            due = timestamp(min(now + OFFERED, until) if until is not None else now + OFFERED)

            def ask(ledger: Ledger) -> Offer:
                before = ledger.stand_ins.open_offer(game, seat)
                if before is not None:
                    raise Refusal("You've already asked {member}. Withdraw that first.", member=member(before.user))
                id = ledger.stand_ins.add_offer(game, seat, user, by, name, ends, due)
                ledger.audit.note(game, by, f"asked <@{user}> to stand in for {seat}", at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [StandInOffer(offer=id)], at)
                return Offer(id, game, seat, user, by, name, ends, None)

            return await self.store.write(ask)

    @operation
    async def accept_offer(self, game: int, id: int, user: int) -> Offer:
        """Stand in, as a player has asked. Raises Refusal."""
        async with self.session.locked(game):
            stored, offer = await self.session.played(game), await self._open(game, id)
            _require_asked(offer, user)
            if next(holder for holder in stored.holders if holder.seat == offer.seat).user != offer.asker:
                raise Refusal(OVER)
            await self._require_able(stored, offer.seat, user)
            at = self.session.time()

            def agree(ledger: Ledger) -> None:
                _end(ledger, offer, "accepted", at)
                ledger.insights.agreed(game, offer.seat, user, held=True)

            await self.seats.lend(stored, offer.seat, user, offer.until, name=offer.name, also=agree)
            return offer

    @operation
    async def decline_offer(self, game: int, id: int, user: int) -> Offer:
        """Don't stand in. Raises Refusal."""
        async with self.session.locked(game):
            offer = await self._open(game, id)
            _require_asked(offer, user)
            await self._close(offer, user, "declined", audit=f"declined to stand in for {offer.seat}")
            return offer

    @operation
    async def withdraw_offer(self, game: int, id: int, by: int, *, master: bool = False) -> Offer:
        """Take an offer back: whoever has made it, or a game master. Raises Refusal."""
        async with self.session.locked(game):
            offer = await self._open(game, id)
            if by != offer.asker and not master:
                raise NotAsked("Only {owner} or the game master can withdraw this.", owner=member(offer.asker))
            await self._close(offer, by, "withdrawn", audit=f"withdrew that <@{offer.user}> stands in for {offer.seat}")
            return offer

    async def offer_made(self, game: int, id: int) -> Offer | None:
        """An offer, open or not; None: it has been forgotten with one of the two members."""
        return await self.store.read(lambda ledger: ledger.stand_ins.offer(game, id))

    async def open_offer(self, game: int, seat: Seat) -> Offer | None:
        return await self.store.read(lambda ledger: ledger.stand_ins.open_offer(game, seat))

    @operation
    async def end_late_offer(self, game: int, id: int) -> None:
        """End an offer that nobody has answered in time, or whose game is over."""
        async with self.session.locked(game):
            offer, at = await self._open(game, id), self.session.time()
            await self.store.write(lambda ledger: _end(ledger, offer, "over", at))

    # -- the works

    async def _require_able(self, stored: Stored, seat: Seat, user: int) -> None:
        """Raise Refusal if this member would see a second hand, or was taken out of the game."""
        self.seats.require_receivable(stored, "standin", seat, user)
        game = stored.row.id
        circle, invited = await self.store.read(lambda ledger: (ledger.insights.circle(game), ledger.seats.invited(game, user)))
        if knows_besides(circle, seat, user):
            raise Refusal("{member} has known another seat's secrets in this game, or in one that shares its past, and can't "
                          "stand in.", rule="P-43", member=member(user))
        if invited is False:
            raise Refusal("The game master took {member} out of this game.", member=member(user))

    async def _open(self, game: int, id: int) -> Offer:
        offer = await self.offer_made(game, id)
        if offer is None or offer.ended is not None:
            raise Refusal(OVER)
        return offer

    async def _close(self, offer: Offer, by: int, how: OfferEnd, *, audit: str) -> None:
        at = self.session.time()

        def close(ledger: Ledger) -> None:
            _end(ledger, offer, how, at)
            ledger.audit.note(offer.game, by, audit, at)

        await self.store.write(close)


def _require_asked(offer: Offer, user: int) -> None:
    if user != offer.user:
        raise NotAsked("{owner} asked {member}, not you.", owner=member(offer.asker), member=member(offer.user))


def _end(ledger: Ledger, offer: Offer, how: OfferEnd, at: str) -> None:
    ledger.stand_ins.end_offer(offer.id, how)
    ledger.outbox.add_letters(offer.game, ledger.log.newest(offer.game), [StandInOffer(offer=offer.id)], at)
