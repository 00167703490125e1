"""Free seats of games under way: who can take one over, and what the game master has to say to that."""
from __future__ import annotations

from collections.abc import Sequence

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, require, require_seat
from bot.core.service import Service
from bot.core.session import Session
from bot.core.snapshot import FreeSeat
from bot.domain.announcements import member, notice
from bot.domain.insights import knows_besides
from bot.domain.letters import STATUS, Application, Invited
from bot.service.consent import Consent
from bot.service.interests import spread_word
from bot.service.seats import Seats
from bot.store import Ledger, Newcomers, Stored
from bot.store.seats import ApplicationRow
from bot.store.undo import Request
from engine.kernel import Seat
from engine.refusals import Refusal
from engine.text import text


class FreeSeats(Service):
    def __init__(self, session: Session, seats: Seats, consent: Consent) -> None:
        super().__init__(session)
        self.seats, self.consent = seats, consent

    async def with_free_seats(self) -> set[int]:
        return await self.store.read(lambda ledger: ledger.seats.with_free_seats())

    async def free_seats(self, game: int) -> Sequence[FreeSeat]:
        """The free seats of a game under way; an automatic player's is not free."""
        return (await self.session.snapshot(game)).free

    @operation
    async def set_newcomers(self, game: int, by: int, who: Newcomers) -> None:
        """Say who can take a free seat of a game; everybody who plays is told once it is under way."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", *PLAYED))
            told = {
                "free": text("New rule from game master {master}: the first member to take a free seat "
                             "plays it.", master=member(by)),
                "asked": text("From now on game master {master} decides who takes over a free seat.", master=member(by)),
                "none": text("Game master {master} hands out free seats. Nobody can take one over.", master=member(by))}
            others = any(holder.user not in (None, by) for holder in stored.holders)

            def choose(ledger: Ledger) -> None:
                ledger.seats.set_newcomers(game, who)
                spread_word(ledger, game, self.session.now())

            await self.change(game, by, choose, letters=[*([notice(told[who])] if others else []), STATUS],
                              audit="decided that whoever takes a free seat first plays it" if who == "free" else
                              "decided to be asked who takes over a free seat" if who == "asked" else
                              "decided that nobody can take over a free seat")

    async def takeable(self, game: int, user: int) -> int:
        """How many free seats of a game a member may take over or ask for."""
        stored, seats = await self.session.stored(game), 0
        for holder in stored.holders if stored.row.status in PLAYED else ():
            try:
                await self._require_takeable(game, holder.seat, user)
            except Refusal:
                continue
            seats += 1
        return seats

    async def may_ask(self, game: int, user: int) -> bool:
        """True if the game master is asked when this member wants a free seat."""
        stored = await self.session.stored(game)
        return await self.store.read(lambda ledger: _asks(ledger, stored, user))

    @operation
    async def take_over(self, game: int, seat: Seat, user: int, *, name: str = "") -> bool:
        """Give a free seat to the member who wants it; False: the game master is asked first. Raises Refusal.

        Whoever has known another seat's secrets gets none this way, nor whoever the game master has taken out [P-41, P-42].
        """
        async with self.session.locked(game):
            stored = await self._require_takeable(game, seat, user)
            if await self.store.read(lambda ledger: _asks(ledger, stored, user)):
                at = self.session.time()
                await self.change(game, user, lambda ledger: ledger.seats.apply(game, user, seat, name, at),
                                  audit=f"asked to take over {seat}", letters=[Application(user=user, seat=seat)])
                return False
            await self.seats.take(stored, seat, user, name=name)
            return True

    async def application(self, game: int, user: int) -> ApplicationRow:
        """Return what a member has asked for. Raises Refusal: nothing."""
        found = await self.store.read(lambda ledger: ledger.seats.application(game, user))
        if found is None:
            raise Refusal("{member} hasn't asked for a seat of this game.", member=member(user))
        return found

    @operation
    async def accept(self, game: int, user: int, by: int) -> Request | None:
        """Give the seat that a member has asked for to that member; see `Consent.hand_over`. Raises Refusal."""
        async with self.session.locked(game):
            wanted, stored = await self.application(game, user), await self.session.played(game)
            if wanted.declined:
                raise Refusal("That was declined. `/gm hand` still gives a seat to a member.")
            self._require_free(stored, wanted.seat)
            return await self.consent.change_hands(stored, "hand", wanted.seat, user, by, wanted.name)

    @operation
    async def decline(self, game: int, user: int, by: int) -> None:
        async with self.session.locked(game):
            wanted, stored = await self.application(game, user), await self.session.played(game)
            self._require_free(stored, wanted.seat)
            await self.change(game, by, lambda ledger: ledger.seats.decline(game, user),
                              audit=f"did not let <@{user}> take over {wanted.seat}",
                              letters=[Application(user=user, seat=wanted.seat)])

    @operation
    async def invite_to_seat(self, game: int, user: int, by: int) -> None:
        """Call a member to take over a free seat, also one who was taken out of the game or declined."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            if not any(holder.free for holder in stored.holders):
                raise Refusal("No seat is free in this game.")
            if any(user in holder.users for holder in stored.holders):
                raise Refusal("{member} already has a seat in this game.", member=member(user))
            again = await self.store.read(lambda ledger: ledger.seats.invited(game, user))
            await self.change(game, by, lambda ledger: ledger.seats.set_invited(game, user, True), audit=f"invited <@{user}>",
                              letters=[] if again else [Invited(host=by, user=user)])

    async def _require_takeable(self, game: int, seat: Seat, user: int) -> Stored:
        """The game, if a member may have this free seat or ask for it. Raises Refusal."""
        stored = await self.session.played(game)
        self._require_free(stored, seat)
        self.seats.require_receivable(stored, "hand", seat, user)
        invited, circle, asked = await self.store.read(lambda ledger: (
            ledger.seats.invited(game, user), ledger.insights.circle(game), ledger.seats.application(game, user)))
        master, own = member(stored.row.owner), user == stored.row.owner
        if invited is False:
            raise Refusal("The game master took you out of this game and can invite you again.")
        if knows_besides(circle, seat, user):
            raise Refusal("You've known another seat's secrets in this game, or in one that shares its past. The game master can "
                          "ask the players to agree, with `/gm hand`.", rule="P-42")
        if own or invited:
            return stored
        if stored.row.newcomers == "none":
            raise Refusal("In this game {master} hands out free seats.", master=master)
        if stored.row.invite_only:
            raise Refusal("This game is by invitation only. {host} can invite you.", host=master)
        if asked is not None and asked.declined:
            raise Refusal("{master} has declined. You can be invited later.", master=master)
        if asked is not None and asked.seat == seat:
            raise Refusal("You've already asked. {master} decides.", master=master)
        return stored

    def _require_free(self, stored: Stored, seat: Seat) -> None:
        require_seat(stored.holders, seat)
        if not any(holder.free for holder in stored.holders if holder.seat == seat):
            raise Refusal("{seat} isn't free.", seat=seat)


def _asks(ledger: Ledger, stored: Stored, user: int) -> bool:
    """True if the game master decides on this member."""
    row = stored.row
    return row.newcomers == "asked" and user != row.owner and ledger.seats.invited(row.id, user) is not True
