"""Answers to questions."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.requirements import held_by, require, require_seat
from bot.core.service import Service
from bot.core.visit import Outcome
from bot.domain.announcements import member, notice
from bot.domain.letters import STATUS
from bot.domain.timestamps import timestamp
from bot.service.digest import LONG
from bot.store import Ledger
from engine.kernel import Action, Seat
from engine.proxies import Proxy
from engine.refusals import Illegal, NotAsked, Refusal, Stale
from engine.text import Fact, Text, template, text

LATE = template("Somebody has moved since. Choose again.")


class Answers(Service):
    @operation
    async def answer(self, game: int, user: int, action: Action, *, asked_at: int | None = None) -> Outcome:
        """Give the answer of a member's seat. Raises Refusal, and then nothing has changed."""
        async with self.session.locked(game):
            live = await self.session.loaded(game)
            seat = held_by(live.holders, user)
            require(live.row, ("running",))
            live.table.examine(seat, action, asked_at=asked_at)
            at, row = self.session.time(), live.table.last_no + 1
            recently = timestamp(self.session.now() - LONG)
            return await self.session.give(live, seat, action, "player",
                                           lambda ledger: ledger.seats.acted(game, user, row, at, recently), visitor=user)

    @operation
    async def answer_in_turn(self, game: int, user: int, actions: Sequence[Action], *, asked_at: int) -> Outcome:
        """Give several answers of a member's seat, one after the other, each legal when it is given: all of them, or none.

        Nothing but these answers happens in between. Raises Refusal, with the first that is not legal; then nothing has changed.
        """
        async with self.session.locked(game):
            self.session.forget(game)                  # tried at a table that nobody else looks at: it may run ahead of the file
            live = await self.session.loaded(game)
            seat, table = held_by(live.holders, user), live.table
            require(live.row, ("running",))
            table.examine(seat, actions[0], asked_at=asked_at)
            at, row = self.session.time(), table.last_no + 1
            recently = timestamp(self.session.now() - LONG)
            point = table.question(seat)
            for number, action in enumerate(actions):
                try:
                    table.answer(seat, action)
                    asked = table.question(seat)
                    if number < len(actions) - 1 and (len(table.fresh) != number + 1 or asked is None or point is None
                                                      or asked.point != point.point):
                        raise NotAsked("You'd have to decide something else before the last of these.")
                except Refusal as why:
                    self.session.forget(game)          # the file knows nothing of the others
                    raise Illegal("Not possible with the rest: {answer}. {why} Nothing has been done.", rule=why.rule,
                                  answer=action.label(), why=why.text) from None
            committed = await self.session.commit(live, actor=seat, visitor=user, also=lambda ledger: ledger.seats.acted(
                game, user, row, at, recently))
            return self.session.done(live, seat, committed.entries, committed.visit)

    @operation
    async def answer_for(self, game: int, seat: Seat, action: Action | None, by: int, *, asked_at: int | None = None) -> Outcome:
        """Give an answer for a seat: this one, or its default. Everybody is told that it was done, and by whom.

        Where several are asked at once, nobody learns whether the seat's own answer was in already: if so, that one stays.
        Raises Stale: another question is open than the one that was `asked_at` this step.
        """
        async with self.session.locked(game):
            live = await self.session.loaded(game)
            if asked_at not in (None, live.table.asked_at):
                raise Stale(LATE)
            require_seat(live.holders, seat)
            require(live.row, ("running",))
            table, at, several = live.table, self.session.time(), len(live.table.asks) > 1
            given = table.default(seat, anew=several) if action is None else action
            table.examine(seat, given, anew=several)
            news = notice(self._answering(live, seat, by, several=several), live.reader())
            unasked = table.unasked_for(given)
            audit = f"moved for {seat}" if several and not unasked else f"moved for {seat} in step {table.last_no + 1}"
            if not unasked and table.asked(seat) is None:

                def note(ledger: Ledger) -> None:
                    ledger.audit.note(game, by, audit, at)
                    ledger.outbox.add_letters(game, table.last_no, [news, STATUS], at)

                await self.store.write(note)
                return Outcome(entries=(), over=False, lines=(), private=())
            return await self.session.give(live, seat, given, "moderator", lambda ledger: ledger.audit.note(game, by, audit, at),
                                    proxy=Proxy("gm", by), first=[news])

    def _answering(self, live: LiveTable, seat: Seat, by: int, *, several: bool) -> Text:
        """The news that a game master answers for a seat; not what."""
        holder = next(holder for holder in live.holders if holder.seat == seat)
        facts: Mapping[str, Fact] = {"master": member(by), "seat": text("{seat}", seat=seat) if holder.user is None else text(
            "{seat} ({member})", seat=seat, member=member(holder.user))}
        return (text("Game master {master} moves for {seat}, unless its sealed move is already in.", **facts) if several
                else text("Game master {master} moves for {seat}.", **facts))
