"""Games in which nothing happens. Those that stand still while none of their people is seen: whoever looks after the server can
free seats for others. Those paused by a game master who isn't seen any more: its people can let them go on. Open ones that nobody
joins: their channel is reminded of them, then their host decides, and in the end they are closed."""
from __future__ import annotations

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, require
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.absence import CLOSED, REMINDED, Step, step
from bot.domain.announcements import member, notice
from bot.domain.letters import GM, LongPause, QuietTable, Standstill, StillOpen
from bot.domain.waking_hours import Hours
from bot.service.seats import Seats
from bot.store import Ledger
from engine.kernel import Seat
from engine.refusals import Refusal, Stale
from engine.text import text


class IdleGames(Service):
    """Games in which nothing happens."""

    def __init__(self, session: Session, seats: Seats) -> None:
        super().__init__(session)
        self.seats = seats

    @operation
    async def call_server(self, game: int) -> None:
        now, at = self.session.now(), self.session.time()

        def tell(ledger: Ledger) -> None:
            if ledger.timers.timers(ledger.presence.presence(now), "standstill", game=game):
                ledger.idle_games.standstill_told(game, at)
                seats = ledger.idle_games.awaited(game) if ledger.games.game(game).row.status in PLAYED else []
                ledger.outbox.add_letters(game, ledger.log.newest(game), [Standstill(seats=seats)], at)

        await self.store.write(tell)

    @operation
    async def call_about_pause(self, game: int) -> None:
        """Tell the players of a game that has been paused for long, and who looks after its server: they can let it go on."""
        now, at = self.session.now(), self.session.time()

        def tell(ledger: Ledger) -> None:
            if ledger.timers.timers(ledger.presence.presence(now), "long_pause", game=game):
                ledger.idle_games.standstill_told(game, at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [LongPause()], at)

        await self.store.write(tell)

    async def long_pause(self, game: int) -> str | None:
        """Since when a game has been paused of which its people were told that it has been for long: they can let it go on."""
        return await self.store.read(lambda ledger: ledger.idle_games.long_pause(game))

    async def stood_since(self, game: int) -> str | None:
        """When anything last happened in a game, or somebody last joined it; None if that was after its server was told of it."""
        return await self.store.read(
            lambda ledger: None if ledger.idle_games.standstill(game) is None else ledger.idle_games.stood_since(game))

    @operation
    async def free_seat(self, game: int, seat: Seat, user: int, by: int) -> None:
        """Free the seat of a player who is gone, as long as the game stands still. Raises Refusal: it has gone on, or the seat
        has changed hands."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, PLAYED)
            told, awaited = await self.store.read(
                lambda ledger: (ledger.idle_games.standstill(game), ledger.idle_games.awaited(game)))
            holder = next((holder for holder in stored.holders if holder.seat == seat), None)
            if told is None or seat not in awaited:
                raise Stale("The game has gone on since then.")
            if holder is None or holder.user != user:
                raise Refusal("{member} no longer plays that seat.", member=member(user))
            news = text("{master} looks after this game and frees {seat}: {member} hasn't moved for a long time.",
                        master=member(by), seat=seat, member=member(user))
            await self.seats.vacate(stored, holder, news, by=by, audit=f"freed {seat}, whose player is gone",
                                    farewell=text("Your game had waited for you for days, so your seat is free now. The game "
                                                  "master can invite you back."))

    # -- open ones that nobody joins

    @operation
    async def look_after_open_games(self, channel: int) -> None:
        """Do what is due for open games of a channel in which nothing has happened for days; one message for all of them."""
        now, at = self.session.now(), self.session.time()

        def steps(ledger: Ledger) -> list[tuple[int, Step | None]]:
            presence = ledger.presence.presence(now)
            return [(table.game, step(table, presence, ledger.settings.member(table.host).hours or Hours()))
                    for table in ledger.timers.open_games(presence.ago(REMINDED[0]), channel)]

        def tell(ledger: Ledger) -> None:
            due = steps(ledger)
            for game in (asked := [game for game, what in due if what == "ask"]):
                ledger.outbox.add_letters(game, 0, [QuietTable()], at)
            if reminded := [game for game, what in due if what == "remind"]:
                ledger.outbox.add_letters(reminded[0], 0, [StillOpen(channel=channel, games=reminded)], at)
            for game in (*asked, *reminded):
                ledger.idle_games.told_still_open(game, at)

        due = await self.store.read(steps)
        if {"ask", "remind"} & {what for _, what in due}:
            await self.store.write(tell)
        for game in [game for game, what in due if what == "close"]:
            async with self.apart(game, "open_games"), self.session.locked(game):
                stored = await self.session.stored(game)
                if (game, "close") in await self.store.read(steps):
                    news = text("nothing has happened in this open game for {weeks} weeks, so it's closed. `/game open` opens "
                                "another one.", weeks=CLOSED.days // 7)
                    await self.session.declare(stored, "closed", notice(news, audience=GM), None,
                                               "closed the game, as nobody had joined for weeks")

    @operation
    async def keep_open(self, game: int, by: int) -> None:
        """Keep an open game, for as long again."""
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open",))
            await self.change(game, by, audit="keeps the game open")
