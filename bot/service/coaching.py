"""Hints for people: what a strong player would consider in their place, if the game was opened with hints."""
from __future__ import annotations

from dataclasses import replace

from bot.core.requirements import held_by, require
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.limits import Asker
from bot.service.automatic_players import AutomaticPlayers
from bot.service.plans import CLOSED, Plans
from engine.kernel import Action, Seat
from engine.options import hints
from engine.players.hints import Hint
from engine.players.tasks import Task
from engine.refusals import Refusal, Stale

HINTS_KEPT = 200              # games of which the last hints are remembered


class Coaching(Service):
    """Hints for people: from what their seat may see, thought of where automatic players think."""

    def __init__(self, session: Session, plans: Plans, automatic: AutomaticPlayers) -> None:
        super().__init__(session)
        self.plans, self.automatic = plans, automatic
        self._given: dict[tuple[int, Seat], tuple[Task, tuple[Hint, ...]]] = {}
        self._thinking: set[tuple[int, Seat]] = set()

    async def suggest(self, game: int, user: int) -> tuple[Hint, ...]:
        """Two or three answers worth considering for a member's seat, the best first. Asking again gives the same ones.

        Raises Refusal: the game was opened without hints, the seat is asked nothing, or the member or the server has had as many
        hints as they can have.
        """
        return (await self._suggested(game, user))[1]

    async def compare(self, game: int, user: int, other: Action) -> tuple[Hint, ...]:
        """The first hint for a member's seat and another answer, each with what it brings; the better one first.

        Raises Refusal, as `suggest` does; and if the other answer is that hint, or not possible.
        """
        (task, seat, guild), given = await self._suggested(game, user)
        if other == given[0].action:
            raise Refusal("That's the hint itself. Choose another move to compare it with.")
        if other not in task.options:
            raise Stale("That's no longer possible. Ask for a new hint.")
        return await self._worked_out(game, user, seat, guild, replace(task, compared=(given[0].action, other)))

    async def _suggested(self, game: int, user: int) -> tuple[tuple[Task, Seat, int | None], tuple[Hint, ...]]:
        asked = task, seat, guild = await self._question(game, user)
        known, given = self._given.get((game, seat), (None, ()))
        if known == task:
            return asked, given
        given = await self._worked_out(game, user, seat, guild, task)
        self._given.pop((game, seat), None)
        while len(self._given) >= HINTS_KEPT:
            del self._given[next(iter(self._given))]
        self._given[game, seat] = task, given
        return asked, given

    async def _question(self, game: int, user: int) -> tuple[Task, Seat, int | None]:
        """Return what a member is asked, as it goes to those who think, the seat, and the server. Raises Refusal."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            require(stored.row, ("running",))
            seat, players = held_by(stored.holders, user), self.session.spec(stored.row.key).automatic
            if players is None or players.coach is None or not hints(stored.row.options):
                raise Refusal("This game was opened without hints. Its host can switch them on under *Options* only before "
                              "anybody else joins.")
            live = await self.session.loaded(game)
            planned = await self.plans.standing_at(live, user)
            if planned is not None and planned.closed is not None:
                raise Refusal(CLOSED[planned.closed])
            table = live.table if planned is None or not planned.steps else planned.table
            task = await self.automatic.task(live, table, seat, "strong", hints=True)
            if task is None:
                raise table.not_asked()
            return task, seat, stored.row.guild

    async def _worked_out(self, game: int, user: int, seat: Seat, guild: int | None, task: Task) -> tuple[Hint, ...]:
        """What is thought of a question, one at a time for each seat. Raises Refusal."""
        if (game, seat) in self._thinking:
            raise Refusal("I'm still thinking about your last question. Ask again in a moment.")
        self.session.quotas.take("hints", Asker(user, guild))
        self._thinking.add((game, seat))
        try:
            async with self.automatic.turns.turn(user):
                return await self._thought(game, task)
        finally:
            self._thinking.discard((game, seat))

    async def _thought(self, game: int, task: Task) -> tuple[Hint, ...]:
        """The hints; if looking ahead fails, those at first sight. Raises Refusal: not even these come in time."""
        try:
            return await self.automatic.thinker.hints(task)
        except TimeoutError:                            # a busy machine
            if task.start is None:
                raise Refusal("I'm too busy to think about this right now. Try again in a moment.") from None
            return await self._thought(game, replace(task, start=None, rows=()))
        except Exception as why:
            if task.start is None:
                raise
            await self.session.incident(why, {"deed": "suggest", "point": task.question.point}, game)
            return await self.automatic.thinker.hints(replace(task, start=None, rows=()))
