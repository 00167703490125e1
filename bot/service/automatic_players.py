"""The answers of automatic players: ordinary rows, thought of outside the game's lock."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Protocol

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.announcements import member, notice
from bot.domain.letters import STATUS
from bot.service.fair_queue import FairQueue
from bot.service.player_processes import InThisProcess
from bot.store import Holder, Stored
from engine.kernel import Action, Level, Seat, Table
from engine.options import pace
from engine.players import LEVELS, level_of, position
from engine.players.hints import Hint
from engine.players.tasks import Task, easier
from engine.proxies import AUTOMATIC, Proxy
from engine.refusals import Refusal
from engine.text import text

CALM = 400              # rows of automatic players, and of orders that answer them, after which a person is waited for


class Thinker(Protocol):
    """Who thinks for automatic players."""

    async def answer(self, task: Task) -> Action: ...

    async def hints(self, task: Task) -> tuple[Hint, ...]: ...

    async def stop(self) -> None: ...


class AutomaticPlayers(Service):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.thinker: Thinker = InThisProcess()
        self.way: Callable[[], AbstractAsyncContextManager[None]] = nullcontext       # held while it takes time from people
        self.turns = FairQueue()                        # of members: those who want a hint, and the game masters of games
        self._active: dict[int, Seat | None] = {}       # game -> whose turn it was last
        self._secret = ""
        self._runs: dict[int, tuple[int, int]] = {}     # game -> the row of the last answer here, and the rows of its run

    async def automatic_games(self) -> list[int]:
        return await self.store.read(lambda ledger: ledger.seats.automatic())

    @operation
    async def settle_levels(self) -> None:
        """Have automatic players of a strength that this version doesn't know play as solid, and tell the game master.

        A newer version, or another hand, has written such a strength into the file: without this its seat would never answer.
        """
        for game in await self.store.read(lambda ledger: ledger.seats.games_of_other_levels(LEVELS)):
            async with self.apart(game, "levels"), self.session.locked(game):
                await self._settle(await self.session.stored(game))
                self.session.forget(game)

    async def _settle(self, stored: Stored) -> None:
        game = stored.row.id
        news = text("{master}: this version of the bot doesn't know how strong an automatic player of this game should be. It "
                    "plays as solid from now on. `/gm seats` changes that.", master=member(stored.row.owner))
        await self.change(game, None, lambda ledger: ledger.seats.replace_other_levels(game, LEVELS, "solid"),
                          audit="took an automatic player of an unknown strength for a solid one", letters=[notice(news), STATUS])

    async def rest(self, game: int) -> int:
        """Seconds until the next turn of automatic players who are alone; 0 within a turn, and where anybody else plays."""
        async with self.session.locked(game):
            live = await self.session.loaded(game)
            if not all(holder.unattended for holder in live.holders):
                return 0
            active = live.table.spec.rules.active(live.table.state) or next((ask.seat for ask in live.table.waiting()), None)
            before, self._active[game] = self._active.get(game, active), active
            return pace(live.row.options) if before != active else 0

    @operation
    async def think_and_answer(self, game: int) -> bool:
        """Give the next answer of an automatic player of a game; False if none is asked.

        Between thinking and answering others may act: then nothing is given, and the player thinks again.
        """
        async with self.way(), self.session.locked(game):
            live = await self.session.loaded(game)
            found = await self._asked(live)
            if found is not None and self._rows(live) > CALM:
                await self._calm(game)
                return False
        if found is None:
            self._runs.pop(game, None)
            return False
        holder, no, task = found
        async with self.turns.turn(live.row.owner):
            action = await self._thought(game, task)
        async with self.way(), self.session.locked(game):
            live = await self.session.loaded(game)
            now = self.session.automatic_asked(live)
            if now is None or (now.seat, now.level, live.table.last_no) != (holder.seat, holder.level, no):
                return now is not None
            try:
                live.table.examine(holder.seat, action)
            except Refusal as why:
                await self.session.incident(why, {"deed": "automatic", "verb": action.verb}, game)
                action = task.default
                live.table.examine(holder.seat, action)
            run = self._rows(live)
            done = await self.session.give(live, holder.seat, action, "player", proxy=Proxy(AUTOMATIC[holder.level]))
            self._runs[game] = live.table.last_no, run + len(done.entries)
            return self.session.automatic_asked(live) is not None

    def _rows(self, live: LiveTable) -> int:
        """How many rows the automatic players have made in a row, with what answered them by itself."""
        last, rows = self._runs.get(live.row.id, (0, 0))
        return rows if last == live.table.last_no else 0

    async def _calm(self, game: int) -> None:
        """Pause a game in which no person has done anything for long: it goes on when somebody wants that."""
        self._runs.pop(game, None)
        news = text("Only automatic players and standing orders have moved for {rows} steps, so I've paused the "
                    "game. Its game master can resume it.", rows=CALM)
        await self.session.declare(await self.session.stored(game), "paused", notice(news), None,
                                   "paused the game, in which only automatic players moved")

    async def _asked(self, live: LiveTable) -> tuple[Holder, int, Task] | None:
        holder, table = self.session.automatic_asked(live), live.table
        if holder is None:
            return None
        task = await self.task(live, table, holder.seat, level_of(holder.level))
        return None if task is None else (holder, table.last_no, task)

    async def task(self, live: LiveTable, table: Table, seat: Seat, level: Level, *, hints: bool = False) -> Task | None:
        """The question that a seat is asked, as it goes to those who think; None if it is asked nothing.

        `table` is the live one, or where the plan of the seat leads: from there nobody looks further.
        """
        seen = position(table, seat)
        if seen is None:
            return None
        stored = await self.session.stored(live.row.id)
        found = await self.session.components(live.row)
        players = table.spec.automatic
        looks = players is not None and players.search is not None and (hints or players.strong is None)
        far = looks and level == "strong" and table is live.table and len(table.asks) == 1     # or a hint tells who is in
        past = await self.session.past(stored) if far else None
        self._secret = self._secret or await self.store.read(lambda ledger: ledger.seats.automatic_secret())
        return Task(
            game=live.row.key, pack=found.hash, raw=found.raw, level=level, known=seen.state.model_dump_json(),
            question=seen.question, options=seen.options, default=seen.default, secret=f"{self._secret} {live.row.id}",
            start=None if past is None else past.start, hints=hints,
            rows=() if past is None else tuple([row for row in past.rows if row.no > past.start.no]))

    async def _thought(self, game: int, task: Task) -> Action:
        """Return what the player answers; if it fails, what a solid one would, and if that fails too, the default."""
        attempt: Task | None = task
        while attempt is not None:
            try:
                return await self.thinker.answer(attempt)
            except Exception as why:
                tried = {"deed": "automatic", "level": attempt.level, "point": task.question.point}
                await self.session.incident(why, tried, game)
                attempt = easier(attempt)
        return task.default
