"""Rehearsals: "what if", played on in private from the own view in a world where what can't be seen is guessed, and thrown away.

A rehearsal is kept in memory alone. It leaves no row, no message and no line with a value in a log, and nobody else can tell that
there is one.
"""
from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from bot.core.requirements import held_by, require
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.limits import Asker
from bot.service.fair_queue import FairQueue
from bot.service.plans import Plans
from engine.kernel import Action, Seat
from engine.kernel.game_spec import Replay
from engine.players.rehearsal import Given, Present, World, automatic, learnt
from engine.refusals import Illegal, NotAsked, Refusal, Stale, Unreadable
from engine.text import Text, template

T = TypeVar("T")
log = logging.getLogger(__name__)

MOST = 400                      # answers of a rehearsal: a round of all players, and more
AT_ONCE = 60                    # answers that automatic players give until it's the own move
HOURS = 3                       # after which one is thrown away that nobody has used
FIRST, SPAN = 10 ** 12, 9 * 10 ** 12            # stamps of rehearsals: neither a row nor a plan has such a number

OVER = template("This rehearsal has expired. Rehearsals last a few hours at most and end when the bot restarts.")
STUCK = template("This guess can't go on from there. Take another way, or deal again.")
UNPLAYABLE = template("This guess can't go on. Rehearse again for another one.")
STALE = template("Your rehearsal has changed since. This is how it looks now.")


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """Where a member's rehearsal stands: for this member alone. Each change makes another one."""

    game: int
    present: Present
    newest: int                         # the last row of which everybody could know when it began
    seed: str                           # of what is guessed, and of the dice
    table: World                        # the position to go on from
    given: tuple[Given, ...] = ()
    planned: tuple[Given, ...] = ()     # those with which it began: the member had planned them already
    changes: int = 0                    # since it began
    read: int = 0                       # the last row before those that are news

    @property
    def seat(self) -> Seat:
        return self.present.seat

    @property
    def asked(self) -> Seat:
        """The seat for which the member answers next: the own one, if that is asked; at the end the own one."""
        waiting = [question.seat for question in self.table.waiting()]
        return self.seat if self.seat in waiting or not waiting else waiting[0]

    @property
    def news(self) -> Sequence[Text]:
        """Return what the member has not read yet of what has happened."""
        return learnt(self.table, self.seat, self.read)


def is_rehearsed(stamp: int) -> bool:
    return stamp <= -FIRST


class Rehearsals(Service):
    """What members rehearse, each one game at a time. Nothing of the game is changed by it."""

    def __init__(self, session: Session, plans: Plans) -> None:
        super().__init__(session)
        self.plans = plans
        self.seed: Callable[[], str] = drawn
        self._turns = FairQueue()
        self._kept: dict[int, tuple[Rehearsal, datetime]] = {}          # by member, the least recently used first

    async def rehearse(self, game: int, user: int) -> Rehearsal:
        """Begin a rehearsal for a member's seat, with the steps that it has planned. Another one of the member's is thrown away.

        Raises Refusal: the seat isn't asked, the game has no automatic players, or the member has had as many as can be had.
        """
        present, newest, planned = await self._present(game, user)
        await self._charge(game, user)
        try:
            return await self._begun(user, game, present, newest, planned)
        except Unreadable as why:           # the state is one of an earlier version
            present, newest, planned = await self._present(game, user, before=why.no)
            return await self._begun(user, game, present, newest, planned)

    async def deal_again(self, game: int, user: int, stamp: int) -> Rehearsal:
        """Begin the same rehearsal anew, with another guess and other dice. Raises Refusal; Stale: it stands elsewhere."""
        now = await self._now(game, user, stamp)
        await self._charge(game, user)
        return await self._begun(user, game, now.present, now.newest, now.planned)

    async def rehearsal(self, game: int, user: int) -> Rehearsal:
        """A member's rehearsal of a game. Raises Refusal: there is none any more, or somebody else has the seat by now."""
        self._sweep()
        now = self._kept[user][0] if user in self._kept else None
        holders = (await self.session.stored(game)).holders
        if now is None or now.game != game:
            raise Refusal(OVER)
        if not any(holder.seat == now.seat and holder.played_by(user) for holder in holders):
            self._kept.pop(user, None)
            raise Refusal(OVER)
        return now

    async def answer_in_rehearsal(self, game: int, user: int, seat: Seat, actions: Sequence[Action], stamp: int) -> Rehearsal:
        """Answer for a seat, all or nothing. Raises Refusal, and then nothing has changed; Stale: it stands elsewhere."""
        now = await self._now(game, user, stamp)
        now.table.examine(seat, actions[0])
        if len(actions) > 1:
            await self._worked_out(user, partial(_try, now, seat, actions))
        return await self._played(user, now, [*now.given, *((seat, action) for action in actions)])

    async def take_rehearsed_back(self, game: int, user: int, stamp: int) -> Rehearsal:
        """Take the last answer back. Raises Refusal: there is none; Stale: it stands elsewhere."""
        now = await self._now(game, user, stamp)
        if not now.given:
            raise Refusal("This is where the rehearsal begins.")
        return await self._played(user, now, now.given[:-1])

    async def let_answer(self, game: int, user: int, stamp: int, *, on: bool) -> Rehearsal:
        """Let automatic players answer for others: one question, or (`on`) all until the own seat is asked.

        Raises Refusal: the own seat is asked; Stale: it stands elsewhere.
        """
        now = await self._now(game, user, stamp)
        if now.asked == now.seat:
            raise NotAsked("Automatic players answer only for others here.")
        await self._charge(game, user)

        def answered() -> list[Given]:
            world, given = now.present.played(now.seed, now.given), list(now.given)
            for _ in range(AT_ONCE if on else 1):
                if world.over or world.asked(now.seat) is not None:
                    break
                given.append(automatic(world, now.seed))
                try:
                    world.answer(*given[-1])
                except Refusal as why:
                    raise RuntimeError("an automatic player gave what isn't possible") from why
            return given

        return await self._played(user, now, await self._worked_out(user, answered))

    async def story_of_rehearsal(self, game: int, user: int, stamp: int) -> Replay:
        """Return what a picture of the position is made from, marked with what the rehearsal has changed. Raises Refusal."""
        now = await self._now(game, user, stamp)
        return await self._worked_out(user, lambda: now.present.story(now.seed, now.table))

    async def throw_away(self, game: int, user: int) -> None:
        if user in self._kept and self._kept[user][0].game == game:
            del self._kept[user]

    async def moved_on(self, rehearsal: Rehearsal) -> bool:
        """True if anything has happened in the game since of which everybody may know."""
        return await self._newest(rehearsal.game) != rehearsal.newest

    # -- the works

    async def _present(self, game: int, user: int, before: int | None = None) -> tuple[Present, int, list[Given]]:
        """Where a rehearsal of a member begins now, the last row that everybody may know of, and the steps that are planned.

        Answers under seal are left out, the own one too. Raises Refusal.
        """
        async with self.session.locked(game):
            stored = await self.session.played(game)
            require(stored.row, ("running",))
            seat, spec = held_by(stored.holders, user), self.session.spec(stored.row.key)
            if spec.automatic is None:
                raise Refusal("This game can't be rehearsed: it has no automatic players.")
            live = await self.session.loaded(game)
            if live.table.put_to(seat) is None:
                raise NotAsked("You can rehearse when it's your move.")
            planned = await self.plans.standing_at(live, user)
            past, sealed = await self.session.past(stored, before=before), set(live.table.sealed)
            rows = [row for row in past.rows if row.no > past.start.no and row.no not in sealed]
            parts = (await self.session.components(stored.row)).parts
            return (Present(spec=spec, parts=parts, start=past.start, rows=rows, seat=seat), await self._newest(game),
                    [(seat, one.action) for one in planned.steps] if planned is not None else [])

    async def _begun(self, user: int, game: int, present: Present, newest: int, planned: Sequence[Given]) -> Rehearsal:
        """A new rehearsal; without what is planned, if that is not possible in the world that was dealt."""
        seed = self.seed()
        for given in (planned, ()) if planned else ((),):
            try:
                table = await self._worked_out(user, partial(present.played, seed, given))
            except Refusal:
                continue
            return self._keep(user, Rehearsal(game=game, present=present, newest=newest, seed=seed, table=table,
                                              given=tuple(given), planned=tuple(given)))
        raise Refusal(UNPLAYABLE)

    async def _now(self, game: int, user: int, stamp: int) -> Rehearsal:
        now = await self.rehearsal(game, user)
        if now.table.asked_at != stamp:
            raise Stale(STALE)
        return now

    async def _played(self, user: int, now: Rehearsal, given: Sequence[Given]) -> Rehearsal:
        """Where a rehearsal leads with these answers. Raises Stale: it has changed meanwhile."""
        if len(given) > MOST:
            raise Refusal("A rehearsal has at most {most} moves. Deal again, or close it.", most=MOST)
        table = await self._worked_out(user, lambda: now.present.played(now.seed, given))
        if user not in self._kept or self._kept[user][0] is not now:
            raise Stale(STALE)
        read = table.last_no if len(given) < len(now.given) else now.table.last_no
        return self._keep(user, replace(now, table=table, given=tuple(given), changes=now.changes + 1, read=read))

    async def _worked_out(self, user: int, work: Callable[[], T]) -> T:
        """Return what comes of some work in a world, in a thread, each member in turn. Whatever the world raises is one sentence:
        in a world that cannot be the true one anything can go wrong."""
        async with self._turns.turn(user):
            try:
                return await asyncio.to_thread(work)
            except (Illegal, Unreadable):
                raise
            except Exception as why:
                log.info("a rehearsal could not go on: %s", type(why).__name__)
                raise Refusal(STUCK) from None

    async def _charge(self, game: int, user: int) -> None:
        self.session.quotas.take("rehearsals", Asker(user, (await self.session.stored(game)).row.guild))

    async def _newest(self, game: int) -> int:
        return await self.store.read(lambda ledger: ledger.log.public_newest(game))

    def _keep(self, user: int, now: Rehearsal) -> Rehearsal:
        """Keep a member's rehearsal as the one used last; its buttons are no others'."""
        now.table.asked_at = _stamp(now)
        self._kept.pop(user, None)
        self._kept[user] = now, self.session.now()
        self._sweep()
        return now

    def _sweep(self) -> None:
        """Throw away what nobody has used for long. Each member keeps one, however many others rehearse."""
        lapsed = self.session.now() - timedelta(hours=HOURS)
        while self._kept and next(iter(self._kept.values()))[1] < lapsed:
            del self._kept[next(iter(self._kept))]


def _try(now: Rehearsal, seat: Seat, actions: Sequence[Action]) -> None:
    """Give several answers, one after the other, in a world of their own. Raises Illegal, with the first that is not possible."""
    world = now.present.played(now.seed, now.given)
    for action in actions:
        try:
            world.answer(seat, action)
        except Refusal as why:
            raise Illegal("Not possible with the rest: {answer}. {why} Nothing has been done.", rule=why.rule,
                          answer=action.label(), why=why.text) from None


def drawn() -> str:
    """A seed that has nothing to do with any game's secret."""
    return secrets.token_hex(16)


def _stamp(now: Rehearsal) -> int:
    digest = hashlib.sha256(f"{now.seed} {now.changes}".encode()).digest()
    return -FIRST - int.from_bytes(digest[:8], "big") % SPAN
