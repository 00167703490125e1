"""Games that stand still while none of their players and game masters is seen: whoever looks after the server hears of them, and
can free seats for others. Games paused by a game master who isn't seen any more: they and the players can let them go on."""
from __future__ import annotations

from bot.domain.announcements import member
from bot.domain.letters import LongPause, Standstill
from bot.service.requirements import PLAYED, require
from bot.service.seats import Seats
from bot.service.service import Service
from bot.service.session import Session
from bot.store import Ledger
from engine.kernel import Seat
from engine.refusals import Refusal, Stale
from engine.text import text


class Standstills(Service):
    """Games that stand still while nobody of theirs is seen."""

    def __init__(self, session: Session, seats: Seats) -> None:
        super().__init__(session)
        self.seats = seats

    async def call_server(self, game: int) -> None:
        """Tell those who look after a server of a game of theirs that stands still."""
        now, at = self.session.now(), self.session.time()

        def tell(ledger: Ledger) -> None:
            if ledger.timers(ledger.presence(now), "standstill", game=game):
                ledger.standstill_told(game, at)
                seats = ledger.awaited(game) if ledger.game(game).row.status in PLAYED else []
                ledger.add_letters(game, ledger.newest(game), [Standstill(seats=seats)], at)

        await self.store.write(tell)

    async def call_about_pause(self, game: int) -> None:
        """Tell the players of a game that has been paused for long, and who looks after its server: they can let it go on."""
        now, at = self.session.now(), self.session.time()

        def tell(ledger: Ledger) -> None:
            if ledger.timers(ledger.presence(now), "long_pause", game=game):
                ledger.standstill_told(game, at)
                ledger.add_letters(game, ledger.newest(game), [LongPause()], at)

        await self.store.write(tell)

    async def long_pause(self, game: int) -> str | None:
        """Since when a game has been paused of which its people were told that it has been for long: they can let it go on."""
        return await self.store.read(lambda ledger: ledger.long_pause(game))

    async def still_stands(self, game: int) -> bool:
        """Whether nothing has happened in a game since its server was told of it."""
        return await self.store.read(lambda ledger: ledger.standstill(game)) is not None

    async def stood_since(self, game: int) -> str:
        """When anything last happened in a game, or somebody last joined it."""
        return await self.store.read(lambda ledger: ledger.stood_since(game))

    async def free_seat(self, game: int, seat: Seat, user: int, by: int) -> None:
        """Free the seat of a player who is gone, as long as the game stands still. Raises Refusal: it has gone on, or the seat
        has changed hands."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, PLAYED)
            told, awaited = await self.store.read(lambda ledger: (ledger.standstill(game), ledger.awaited(game)))
            holder = next((holder for holder in stored.holders if holder.seat == seat), None)
            if told is None or seat not in awaited:
                raise Stale("The game has gone on since then.")
            if holder is None or holder.user != user:
                raise Refusal("{member} doesn't play that seat any more.", member=member(user))
            news = text("{master} looks after this game and frees {seat}: {member} hasn't moved for a long time.",
                        master=member(by), seat=seat, member=member(user))
            await self.seats.vacate(stored, holder, news, by=by, deed=f"freed {seat}, whose player is gone",
                                    farewell=text("Your game had waited for you for days, so your seat is free now. The game "
                                                  "master can invite you back."))
