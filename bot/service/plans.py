"""Rounds that a seat plans in private: steps are added and taken back freely, and one press makes all of them public."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.requirements import held_by, require
from bot.core.service import Service
from bot.core.session import Session
from bot.core.visit import Outcome, Visit
from bot.domain.timestamps import timestamp
from bot.service.digest import LONG
from bot.service.plan_updates import label_of, read_step
from bot.store import Ledger, PlanRow
from engine.kernel import Action, Closing, Preview, Seat, Table, planned_round
from engine.refusals import Illegal, NotAsked, Refusal, Stale, Unreadable
from engine.text import Text, count, template, text

MOST = 200                      # steps of a plan: no round needs as many
REVISIONS = 10_000              # a plan's stamps of one row differ as long as it changes less often
PREVIEWS_KEPT = 64                       # previews kept in memory, the least recently used first

STALE = template("Your plan has changed since. This is how it looks now.")
ANOTHER_ROUND = template("The round it was for is over.")
BEYOND = template("Publish what comes before it first.")
CLOSED = {
    "end": template("Your round is complete. Publish it, or undo its last step."),
    "draw": template("Your last step needs a draw or a roll. Publish to see it, or undo that step."),
    "reveal": template("Your last step reveals something hidden. Publish what you have, or undo that step."),
    "question": template("Your last step asks somebody else. Publish what you have, or undo that step.")}


@dataclass(frozen=True, kw_only=True)
class PlannedStep:
    """A step of a plan, with what it costs, what it meets, and what to know of it, in the position in which it is taken."""

    action: Action
    sentence: Text | None       # None: its label will do
    cost: Text | None
    meets: Text | None
    warning: Text | None


@dataclass(frozen=True, kw_only=True)
class Fallen:
    """A step that is not possible any more, or comes after one that is not."""

    label: Text
    why: Refusal | None         # None: what came before it has fallen


@dataclass(frozen=True, kw_only=True)
class Planned:
    """Where a seat stands in a round that it plans: for this seat alone."""

    seat: Seat
    table: Table                        # the position to go on from; of a closed plan that before its last step
    stamp: int                          # changes with the plan
    steps: tuple[PlannedStep, ...] = ()
    closed: Closing | None = None       # why nothing can be planned behind its last step before it is public
    fallen: tuple[Fallen, ...] = ()       # what has been dropped just now
    open: bool = True                   # False: nothing can be planned now


@dataclass(frozen=True)
class _Kept:
    """A preview in memory, and what it was made of: it holds as long as nothing of that has changed."""

    table: Table                        # the live one
    last_no: int
    plan: PlanRow
    planned: Planned


class Plans(Service):
    """Rounds that a seat plans in private. Nobody but the seat learns what is planned, nor whether anything is."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._kept: dict[tuple[int, Seat], _Kept] = {}

    async def standing(self, game: int, user: int) -> Planned | None:
        """Where a member's seat stands in the round that it plans; None if it is asked nothing that is planned.

        Steps that are not possible any more are named each time, until `reviewed` or a change drops them.
        """
        async with self.session.locked(game):
            return await self.standing_at(await self.session.loaded(game), user)

    async def standing_at(self, live: LiveTable, user: int) -> Planned | None:
        """Return the same, under the game's lock."""
        found = await self._of_member(live, user)
        return None if found is None else found[1]

    @operation
    async def reviewed(self, game: int, user: int) -> Planned | None:
        """Return the same for whoever looks at the whole plan: what is not possible any more is named for the last time, and
        dropped."""
        async with self.session.locked(game):
            found = await self._of_member(await self.session.loaded(game), user, drop=True)
            return None if found is None else found[1]

    async def position(self, visit: Visit) -> Table:
        """The table at which a member chooses: with what is planned, or the one that everybody sees. To read, never to change."""
        planned = None if visit.spec.planning is None else await self.standing(visit.id, visit.user)
        return visit.table if planned is None else planned.table

    @operation
    async def plan_steps(self, game: int, user: int, actions: Sequence[Action], *, asked_at: int | None = None) -> Planned:
        """Plan one more answer of a member's seat, or several, all or none; `asked_at`: the stamp of the menu. Raises Refusal,
        and then nothing has changed."""
        async with self.session.locked(game):
            live, plan, planned = await self._own(game, user)
            if planned.closed is not None:
                raise Refusal(CLOSED[planned.closed])
            assert not any(action.unasked for action in actions), "what is done at any time is never planned"
            planned.table.examine(planned.seat, actions[0], asked_at=asked_at)
            if len(plan.steps) + len(actions) > MOST:
                raise Refusal("A plan has at most {most} steps. Publish what you have.", most=MOST)
            row = plan.row if plan.steps else live.table.asked_at
            more = [(action.verb, action.model_dump_json()) for action in actions]
            changed = replace(plan, row=row, revision=plan.revision + 1, steps=(*plan.steps, *more))
            if len(actions) > 1 and (fallen := (await self._planned(live, changed)).fallen):
                raise Illegal("That doesn't work with the rest: {answer}. {why} I've planned none of it.",
                              answer=fallen[0].label, why=fallen[0].why.text if fallen[0].why is not None else text(""))
            await self._store(game, changed)
            quick = self._stepped(live, changed, planned, actions[0]) if len(actions) == 1 else None
            return quick or await self._planned(live, changed)

    @operation
    async def take_step_back(self, game: int, user: int, stamp: int) -> Planned:
        """Take the last step back. Raises Stale: the plan has changed since."""
        return await self._cut(game, user, stamp, lambda plan: plan.steps[:-1])

    @operation
    async def start_over(self, game: int, user: int, stamp: int) -> Planned:
        """Take all steps back. Raises Stale: the plan has changed since."""
        return await self._cut(game, user, stamp, lambda plan: ())

    @operation
    async def publish(self, game: int, user: int, stamp: int | None = None) -> Outcome:
        """Give all planned answers, in one transaction, and tell them in one message; a typed command has no stamp.

        Raises Stale if the plan has changed since; Refusal if it goes on.
        """
        async with self.session.locked(game):
            live, plan, planned = await self._own(game, user)
            if stamp not in (None, planned.stamp):
                raise Stale(STALE)
            if planned.closed is None:
                raise Refusal("Your round goes on. End it first, then publish it.")
            at, row = self.session.time(), live.table.last_no + 1
            recently = timestamp(self.session.now() - LONG)
            return await self._give(
                live, plan, actor=plan.seat, also=lambda ledger: ledger.seats.acted(game, user, row, at, recently))

    async def give_at_deadline(self, live: LiveTable, seat: Seat) -> bool:
        """Publish the plan of a seat whose time is up, if nothing but the press was missing; whether it was."""
        user = next((holder.user for holder in live.holders if holder.seat == seat), None)
        found = None if user is None else await self._standing(live, seat, user, drop=True)
        if found is None or found[1].closed is None:
            return False
        await self._give(live, found[0], actor=None)
        return True

    # -- the works

    async def _own(self, game: int, user: int) -> tuple[LiveTable, PlanRow, Planned]:
        """The plan of a member's seat, to be changed. Raises Refusal: there is none, or part of it has fallen."""
        live = await self.session.loaded(game)
        seat = held_by(live.holders, user)
        require(live.row, ("running",))
        found = await self._standing(live, seat, user, drop=True)
        if found is None:
            raise live.table.not_asked() if live.table.question(seat) is None else NotAsked("This move takes effect at "
                                                                                            "once, so you can't plan it.")
        plan, planned = found
        if planned.fallen:
            raise Stale("{fallen} This is the rest.", fallen=fell(planned.fallen))
        if not planned.open:
            raise live.table.not_asked()
        return live, plan, planned

    async def _cut(self, game: int, user: int, stamp: int,
                   left: Callable[[PlanRow], Sequence[tuple[str, str]]]) -> Planned:
        async with self.session.locked(game):
            live, plan, planned = await self._own(game, user)
            if planned.stamp != stamp or not plan.steps:
                raise Stale(STALE)
            changed = replace(plan, revision=plan.revision + 1, steps=left(plan))
            await self._store(game, changed)
            return await self._planned(live, changed)

    async def _give(self, live: LiveTable, plan: PlanRow, *, actor: Seat | None,
                    also: Callable[[Ledger], None] = lambda ledger: None) -> Outcome:
        """Give the answers of a plan that a preview has taken at this very position, and drop it with them."""
        table, spec, game = live.table, live.table.spec, live.row.id

        def save(ledger: Ledger) -> None:
            ledger.plans.drop_plan(game, plan.seat)
            also(ledger)

        try:
            for planned in plan.steps:
                table.answer(plan.seat, read_step(spec, planned))
        except Refusal as why:
            raise RuntimeError("the table refuses what its preview took, and has changed") from why
        committed = await self.session.commit(live, actor=actor, also=save, aloud=True, picture=True)
        return self.session.done(live, plan.seat, committed.entries)

    async def _of_member(self, live: LiveTable, user: int, *, drop: bool = False) -> tuple[PlanRow, Planned] | None:
        seat = next((holder.seat for holder in live.holders if holder.played_by(user)), None)
        return None if seat is None else await self._standing(live, seat, user, drop=drop)

    async def _standing(self, live: LiveTable, seat: Seat, user: int, *, drop: bool) -> tuple[PlanRow, Planned] | None:
        """The plan of a seat as it is possible now, and where it leads; `drop`: what has fallen is dropped from the file."""
        game, now = live.row.id, planned_round(live.table, seat)
        known = (await self.session.snapshot(game)).plans if live.table.spec.planning is not None else ()
        plan = next((plan for plan in known if (plan.seat, plan.user) == (seat, user)), None)
        if plan is not None and plan.round != now:
            if drop or not plan.steps:
                await self.store.write(lambda ledger: ledger.plans.drop_plan(game, seat))
            labels = [label_of(live.table.spec, one) for one in plan.steps]
            lost = tuple([Fallen(label=label, why=None if number else Refusal(ANOTHER_ROUND))
                          for number, label in enumerate(labels)])
            if lost:
                empty = PlanRow(seat=seat, user=user, row=live.table.asked_at, round=now)
                return empty, Planned(seat=seat, table=live.table, stamp=live.table.asked_at, fallen=lost, open=bool(now))
            plan = None
        if not now:
            return None
        if plan is None:
            plan = PlanRow(seat=seat, user=user, row=live.table.asked_at, round=now)
        planned = await self._planned(live, plan)
        if planned.fallen and drop:
            plan = replace(plan, revision=plan.revision + 1, steps=plan.steps[:len(planned.steps)])
            await self._store(game, plan)
            planned = replace(await self._planned(live, plan), fallen=planned.fallen)
        return plan, planned

    async def _store(self, game: int, plan: PlanRow) -> None:
        await self.store.write(lambda ledger: ledger.plans.keep_plan(game, plan))

    async def _planned(self, live: LiveTable, plan: PlanRow, *, before: int | None = None) -> Planned:
        """Where a plan leads from the position of now; if these rules cannot read the last checkpoint, from one `before` it."""
        key = live.row.id, plan.seat
        kept = self._kept.get(key)
        if kept is not None and kept.table is live.table and (kept.last_no, kept.plan) == (live.table.last_no, plan):
            return kept.planned
        if not plan.steps:
            return Planned(seat=plan.seat, table=live.table, stamp=live.table.asked_at)
        fork = await self.session.fork(live, plan.seat, before=before)
        try:
            planned = await asyncio.to_thread(_run, fork, live.table, plan)
        except Unreadable as why:
            if before == 0:
                raise
            return await self._planned(live, plan, before=why.no)
        self._keep(live, plan, planned)
        return planned

    def _stepped(self, live: LiveTable, plan: PlanRow, before: Planned, action: Action) -> Planned | None:
        """Where a plan leads with one more step, from the preview that is in memory; None: it has to be built anew."""
        preview = before.table
        if not isinstance(preview, Preview):
            return None
        taken = _planned_step(preview, plan.seat, action)
        self._kept.pop((live.row.id, plan.seat), None)
        if preview.step(action) is not None:
            return None
        preview.asked_at = _stamp(plan)
        planned = replace(before, stamp=preview.asked_at, steps=(*before.steps, taken))
        self._keep(live, plan, planned)
        return planned

    def _keep(self, live: LiveTable, plan: PlanRow, planned: Planned) -> None:
        key = live.row.id, plan.seat
        self._kept.pop(key, None)
        self._kept[key] = _Kept(live.table, live.table.last_no, plan, planned)
        while len(self._kept) > PREVIEWS_KEPT:
            del self._kept[next(iter(self._kept))]


def fell(fallen: Sequence[Fallen]) -> Text:
    """Return what has become of steps that are not possible any more, for whoever planned them."""
    first = fallen[0]
    assert first.why is not None, "there is a reason why the first of them fell"
    steps = tuple(one.label for one in fallen)
    return text("No longer possible in your plan ({n}): {steps}. {why}", n=count(len(fallen), "{n} step", "{n} steps"),
                steps=steps, why=first.why.text)


def _stamp(plan: PlanRow) -> int:
    """Return what tells the menus of a plan from those before and after: no row has such a number."""
    return -1 - plan.row * REVISIONS - plan.revision % REVISIONS


def _planned_step(table: Table, seat: Seat, action: Action) -> PlannedStep:
    state, shown = table.state, table.spec.words.menus[action.verb]
    return PlannedStep(action=action, sentence=shown.as_step(state, action), cost=action.cost(state, seat),
                       meets=action.meets(state, seat), warning=action.consequence(state, seat))


def _run(fork: Callable[[], Preview], live: Table, plan: PlanRow) -> Planned:
    """In a worker thread: take the steps of a plan, as far as they are possible, and show the position that can be shown."""
    preview, steps, closed, refused = fork(), list[PlannedStep](), None, None
    for stored in plan.steps:
        if closed is not None:
            refused = Refusal(BEYOND)
            break
        try:
            action = read_step(preview.spec, stored)
            preview.examine(plan.seat, action)
            told = _planned_step(preview, plan.seat, action)
            closed = preview.step(action)
        except Refusal as why:
            refused = why
            break
        steps.append(told)
    shown: Table = preview
    if closed is not None:
        shown = _before(fork, plan, len(steps) - 1) if len(steps) > 1 else live
    elif not steps:
        shown = live
    if isinstance(shown, Preview):
        shown.asked_at = _stamp(plan)
    labels = [label_of(preview.spec, stored) for stored in plan.steps[len(steps):]]
    fallen = tuple([Fallen(label=label, why=None if number else refused) for number, label in enumerate(labels)])
    return Planned(seat=plan.seat, table=shown, stamp=_stamp(plan), steps=tuple(steps), closed=closed, fallen=fallen)


def _before(fork: Callable[[], Preview], plan: PlanRow, steps: int) -> Preview:
    """The position before the step that closes a plan: what that leads to, nobody sees yet."""
    preview = fork()
    for stored in plan.steps[:steps]:
        preview.step(read_step(preview.spec, stored))
    return preview
