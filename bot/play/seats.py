"""Who holds which seat of a running game, and whether it goes on."""
from __future__ import annotations

from dataclasses import replace

from bot.news import member, notice
from bot.play.works import PLAYED, Works, held_by, require, require_seat, without
from bot.store import Holder, Ledger
from engine.kernel import Seat
from engine.refusals import Refusal
from engine.text import English, text, verbatim


class Seating(Works):
    """Who holds which seat of a running game, and whether it goes on."""

    async def resign(self, game: int, user: int) -> None:
        """Give up a seat of a running game: its questions get their defaults until it is handed over."""
        async with self._turn(game):
            stored = await self._played(game)
            seat = held_by(stored.holders, user)
            holders = tuple([replace(holder, user=None) if holder.seat == seat else holder for holder in stored.holders])
            deserted = all(holder.user is None for holder in holders)
            row = replace(stored.row, status="paused") if deserted else stored.row
            live = await self._table(replace(stored, row=row, holders=holders))
            what = ("{member} gives up the seat of {seat}. Nobody is left, so the game is paused." if deserted else
                    "{member} gives up the seat of {seat}, which is free now. Until the game master hands it over, its "
                    "questions get their defaults.")
            news = text(what, member=member(user), seat=seat)

            def free(ledger: Ledger) -> None:
                ledger.seat_all(game, holders)
                ledger.forget_message(game, f"private:{seat}")

            await self._commit(live, first=[notice(news, live.reader())], also=free)
            self._keep(live)

    async def close(self, game: int, by: int, why: str) -> None:
        """End a game without a result; `why` is told to everybody."""
        async with self._turn(game):
            stored = await self._stored(game)
            require(stored.row, ("open", *PLAYED))
            reason = text(" {why}", why=verbatim(why.strip())) if why.strip() else text("")
            news = notice(text("The game master has closed the game.{reason}", reason=reason), English())
            await self._declare(stored, "closed", news, by, "closed the game")

    async def pause(self, game: int, by: int) -> None:
        """Take no answers until the game goes on; nobody is asked, and no seat gets its default."""
        async with self._turn(game):
            stored = await self._stored(game)
            if stored.row.status == "paused":
                raise Refusal("The game is paused already.")
            require(stored.row, ("running",))
            news = notice(text("The game master has paused the game."), English())
            await self._declare(stored, "paused", news, by, "paused the game")

    async def go_on(self, game: int, by: int) -> None:
        """End a pause; all who are awaited are asked again."""
        async with self._turn(game):
            stored = await self._stored(game)
            if stored.row.status == "running":
                raise Refusal("The game is not paused.")
            require(stored.row, ("paused",))
            if all(holder.user is None for holder in stored.holders):
                raise Refusal("Nobody holds a seat of this game; hand one over first.")
            live = await self._table(replace(stored, row=replace(stored.row, status="running")))
            news = notice(text("The game goes on."), English())
            at = self._time()
            await self._commit(live, first=[news], also=lambda ledger: ledger.note(game, by, "let the game go on", at))
            self._keep(live)

    async def hand_over(self, game: int, seat: Seat, user: int, by: int, *, name: str = "") -> None:
        """Give a seat of a running game to a member who has none in it; who held it before has none any more.

        `name` is how people know the member.
        """
        async with self._turn(game):
            live = await self._loaded(game)
            require(live.row, PLAYED)
            require_seat(live.holders, seat)
            if any(holder.user == user for holder in live.holders):
                raise Refusal("{member} has a seat in this game already.", member=member(user))
            live.holders = tuple([Holder(seat=seat, user=user, private=True, name=name) if holder.seat == seat else holder
                                  for holder in live.holders])
            live.table.absent.discard(seat)
            live.told = live.told.model_copy(update={"asked": without(live.told.asked, seat),
                                                     "private": without(live.told.private, seat)})
            news = notice(text("{member} now plays {seat}.", member=member(user), seat=seat), live.reader())
            at = self._time()

            def hand(ledger: Ledger) -> None:
                ledger.seat_all(game, live.holders)
                ledger.forget_message(game, f"private:{seat}")
                ledger.note(game, by, f"handed {seat} to <@{user}>", at)

            await self._commit(live, first=[news], again=[seat], also=hand)

    async def set_private(self, game: int, user: int, wanted: bool) -> None:
        """Say whether a member wants the private direct message of a seat."""
        async with self._turn(game):
            stored = await self._stored(game)
            seat = held_by(stored.holders, user)
            holders = tuple([replace(holder, private=wanted) if holder.seat == seat else holder for holder in stored.holders])
            if stored.row.status not in PLAYED:
                await self._store.write(lambda ledger: ledger.seat_all(game, holders))
                return
            live = await self._loaded(game)
            live.holders = holders
            await self._commit(live, again=[seat], also=lambda ledger: ledger.seat_all(game, holders))
