"""Standing orders: what a member has ordered for a seat, changed and looked at by that member alone."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.core.commit import Commit
from bot.core.incidents import operation
from bot.core.requirements import held_by, require
from bot.core.row_sentences import answered
from bot.core.service import Service
from bot.core.session import SHORTEST
from bot.core.visit import Outcome
from bot.domain.pages import paged
from bot.service.quotas import require_room_for_orders
from bot.store import Ledger, OrderRow, Stored
from engine.kernel import Action, Seat, Table
from engine.orders import RANK, TURN, Order, Orders, answer_text, checked
from engine.refusals import Faulty, Refusal, Stale
from engine.text import Text, template, text
from engine.undo import line

ORDERS = 60                     # that a seat can have at a time
LONGEST_VEIL = 720                   # minutes that an answer by order can be made to take

Sheet = Literal["order", "packet"]          # what can be half written: an order or a written turn, answers in advance
Change = Callable[[list[OrderRow]], list[OrderRow]]

ANY = "any"                     # whatever a member had written before, if anything
CHANGED = template("Your orders have changed since. Choose again.")


@dataclass(frozen=True, kw_only=True)
class OwnOrder:
    """An order as its author sees it."""

    order: Order
    paused: bool
    left: int | None            # how often it can still answer; None: without end


@dataclass(frozen=True, kw_only=True)
class OwnOrders:
    """What a member has ordered for the own seat, and is writing for it."""

    kept: Sequence[OwnOrder]    # those that still last, in the order in which they are looked at
    drafts: Mapping[str, str]   # by kind
    answered: bool              # some order of the member's has


class StandingOrders(Service):
    """Standing orders: what a member has ordered for a seat, changed and looked at by that member alone.

    Nothing here is noted in the audit or told to anybody, and no refusal says what another seat has ordered.
    """

    async def own(self, game: int, user: int) -> OwnOrders:
        """What a member has ordered and is writing. Raises Refusal: the member plays no seat."""
        async with self.session.locked(game):
            live = await self.session.loaded(game)
            seat = held_by(live.holders, user)
            kept = await self._lasting(live.table, game, user, seat)
            drafts, ordered = await self.store.read(
                lambda ledger: (ledger.orders.drafts(game, seat, user), ledger.orders.ordered(game, user)))
            return OwnOrders(kept=kept, drafts=drafts, answered=bool(ordered))

    async def order_record(self, game: int, user: int, *, page: int, size: int) -> tuple[list[tuple[int, str, Text]], int]:
        """A page of what a member's orders have answered, oldest first, and how many pages there are.

        Each line is the row's number, "undone" or "", and the answer; orders that were dropped since have answered, too.
        """
        stored = await self.session.stored(game)

        def read(ledger: Ledger) -> list[tuple[int, str, Text]]:
            own = {no for no, _ in ledger.orders.ordered(game, user)}
            counts = {row.no for row in line(ledger.log.outline(game)).rows} if own else set()
            return [(row.no, "" if row.no in counts else "undone", answered(self.session.spec(stored.row.key), row))
                    for row in (ledger.log.rows(game) if own else ()) if row.no in own]

        return paged(await self.store.read(read), page, size)

    @operation
    async def give_orders(self, game: int, user: int, orders: Sequence[Order], *, replaces: Sequence[int] = (),
                          known: Sequence[int] | None = None, finished: Sheet | None = None, draft: str | None = ANY) -> Outcome:
        """Store orders of a member's seat in place of others; one that fits the question that is open answers it at once.

        `finished`: what the member was writing, and has not to be kept any longer. Raises Refusal, and then nothing has changed;
        Stale: the orders are not those that the member `known`, or what is finished is not this `draft` any more.
        """
        async with self.session.locked(game):
            stored, table = await self._commanded(game)
            seat = held_by(stored.holders, user)
            if known is not None and {*known} != {one.order.id for one in await self._lasting(table, game, user, seat)}:
                raise Stale(CHANGED)
            if finished is not None and draft not in (ANY, await self.store.read(
                    lambda ledger: ledger.orders.drafts(game, seat, user).get(finished))):
                raise Stale(CHANGED)
            state, spec = table.state, self.session.spec(stored.row.key)
            new = [checked(spec, order.model_copy(update={"seat": seat, "id": 0, "span": ""}), state) for order in orders]
            first = await self.store.read(lambda ledger: ledger.orders.next_order(game))
            rows = [OrderRow(order=order.model_copy(update={"id": first + number}), user=user, paused=False, place=0)
                    for number, order in enumerate(new)]

            def change(own: list[OrderRow]) -> list[OrderRow]:
                known = [row.order.id for row in own]
                if gone := set(replaces) - set(known):
                    raise _gone(min(gone))
                at = min((known.index(old) for old in replaces), default=0)
                kept = [row for row in own if row.order.id not in replaces]
                lasting = Orders(spec, [row.order for row in kept])
                if sum(lasting.holds(row.order, state) for row in kept) + len(rows) > ORDERS:
                    raise Refusal("A seat can have {most} orders at a time. Drop some first.", most=ORDERS)
                return [*kept[:at], *rows, *kept[at:]]

            return await self._rewrite(stored, user, change, finished=finished)

    @operation
    async def move_order(self, game: int, user: int, id: int, *, up: bool) -> None:
        """Have an order of a member's seat looked at earlier, or later, among those of its kind."""
        def change(own: list[OrderRow]) -> list[OrderRow]:
            moved = _known(own, id)
            ranked = sorted(own, key=lambda row: RANK[row.order.kind])
            at = ranked.index(moved)
            to = at - 1 if up else at + 1
            if 0 <= to < len(ranked) and ranked[to].order.kind == moved.order.kind:
                ranked[at], ranked[to] = ranked[to], ranked[at]
            return ranked

        await self._change(game, user, change)

    @operation
    async def pause_orders(self, game: int, user: int, id: int | None = None, *, paused: bool) -> None:
        def change(own: list[OrderRow]) -> list[OrderRow]:
            meant = own if id is None else [_known(own, id)]
            return [OrderRow(order=row.order, user=row.user, paused=paused if row in meant else row.paused, place=row.place)
                    for row in own]

        await self._change(game, user, change)

    @operation
    async def drop_order(self, game: int, user: int, id: int) -> None:
        """Forget an order of a member's seat: it never answers again, whatever is taken back."""
        def change(own: list[OrderRow]) -> list[OrderRow]:
            dropped = _known(own, id)
            return [row for row in own if row is not dropped]

        await self._change(game, user, change)

    # -- what is half written

    @operation
    async def keep_draft(self, game: int, user: int, kind: Sheet, body: str | None, *, before: str | None = ANY) -> None:
        """What a member is writing for their seat now; None: nothing any more. Raises Stale: it was something else `before`."""
        seat = held_by((await self.session.stored(game)).holders, user)

        def keep(ledger: Ledger) -> None:
            if before not in (ANY, ledger.orders.drafts(game, seat, user).get(kind)):
                raise Stale(CHANGED)
            ledger.orders.keep_draft(game, seat, kind, user, body)

        await self.store.write(keep)

    # -- answers that take as long as a person's

    @operation
    async def set_veil(self, game: int, minutes: int, by: int) -> None:
        """Have answers by order take 5 minutes to this many, so that their quickness tells nothing; 0: they come at once."""
        if minutes and not SHORTEST < minutes <= LONGEST_VEIL:
            raise Faulty("Moves by standing order can take {least} to {most} minutes. 0 plays them at once.",
                         least=SHORTEST + 1, most=LONGEST_VEIL)
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", "running", "paused"))
            at = self.session.time()

            def veil(ledger: Ledger) -> None:
                ledger.orders.set_veil(game, minutes)
                ledger.audit.note(game, by, f"let moves by standing orders take up to {minutes} minutes", at)

            await self.store.write(veil)
            self.session.forget(game)
            if stored.row.status == "running":
                await self.session.loaded(game)                # without a veil, what was held back is answered now

    @operation
    async def order_due(self, game: int, seat: Seat, asked_at: int) -> None:
        """Give an answer by order that has waited as long as a person might; if none fits any more, the question just stays."""
        async with self.session.locked(game):
            live = await self.session.loaded(game)
            table = live.table
            if live.row.status != "running" or table.asked_at != asked_at or table.asked(seat) is None:
                return
            table.answer_by_order(seat)
            await self.session.commit(live, actor=seat, also=lambda ledger: ledger.orders.forget_due(game, seat))

    # -- the works

    async def _lasting(self, table: Table, game: int, user: int, seat: Seat) -> list[OwnOrder]:
        rows, used = await self.store.read(lambda ledger: (ledger.orders.orders(game), _used(ledger, game)))
        own = [row for row in rows if row.order.seat == seat and row.user == user]
        paused = {row.order.id: row.paused for row in own}
        book = Orders(table.spec, [row.order for row in own], used)
        return [OwnOrder(order=order, paused=paused[order.id], left=book.left(order))
                for order in book.of(seat) if book.holds(order, table.state)]

    async def _commanded(self, game: int) -> tuple[Stored, Table]:
        """A game whose orders can be changed, with nothing at its table that is not stored."""
        await self.session.played(game)
        live = await self.session.loaded(game)
        return await self.session.stored(game), live.table

    async def _change(self, game: int, user: int, change: Change) -> None:
        async with self.session.locked(game):
            stored, _ = await self._commanded(game)
            await self._rewrite(stored, user, change)

    async def _rewrite(self, stored: Stored, user: int, change: Change, *, finished: Sheet | None = None) -> Outcome:
        """Change the orders of a member's seat, and let the seat's own question be answered by what they are then."""
        game, seat, at = stored.row.id, held_by(stored.holders, user), self.session.time()
        rows = await self.store.read(lambda ledger: ledger.orders.orders(game))
        own = [row for row in rows if row.order.seat == seat and row.user == user]
        left = change(own)
        live = await self.session.replay(stored, orders=[*(row for row in rows if row not in own), *left])
        table = live.table
        if stored.row.status == "running" and not table.veiled and table.returned and table.asked(seat) is not None:
            table.answer_by_order(seat)                 # after an undo, too: the member is here and has just decided

        def save(ledger: Ledger) -> None:
            known = {row.order.id: row for row in own}
            require_room_for_orders(self.session.quotas.limits, ledger, user, stored.row.guild, len(left) - len(own))
            for id in set(known) - {row.order.id for row in left}:
                ledger.orders.drop_order(game, id, at)
            for row in left:
                if row.order.id not in known:
                    ledger.orders.add_order(game, row, at)
                elif row.paused != known[row.order.id].paused:
                    ledger.orders.pause_order(game, row.order.id, paused=row.paused)
            ledger.orders.place_orders(game, {row.order.id: place for place, row in enumerate(left)})
            if finished is not None:
                ledger.orders.keep_draft(game, seat, finished, user, None)

        asked = {question.seat for question in table.waiting()}
        alone = asked.pop() if len(asked) == 1 and not table.fresh else seat        # what answers nothing yet tells nothing
        committed = await self.session.commit(live, actor=alone, also=save)
        self.session.remember(live)
        return self.session.done(live, seat, committed.entries)


def note_orders(ledger: Ledger, commit: Commit) -> None:
    """Which orders have answered in the new rows, and which will answer after a while."""
    game, table = commit.live.row.id, commit.live.table
    ledger.orders.use_orders(game, [(entry.no, entry.order) for entry in commit.entries if entry.order])
    ledger.orders.expect_orders(game, commit.expected, table.asked_at, {question.seat for question in table.waiting()})


def rehearsed(table: Table, seat: Seat, order: Order) -> Action | None:
    """Return what an order would answer to the question that is open to the seat, if it were the only one."""
    question = table.asked(seat)
    if question is None or question.point not in order.points:
        return None
    try:
        ready = checked(table.spec, order, table.state)
    except Refusal:
        return None
    given = Orders(table.spec, [ready]).answer(table.state, question, table.options(seat))
    return given[0] if given is not None else None


def halted_turn(table: Table, seat: Seat) -> list[Text]:
    """Why a written turn of the seat goes no further at the question that is open to it, for its author alone; else nothing."""
    question = table.asked(seat)
    if question is None or not isinstance(table.deputy, Orders):
        return []
    found = table.deputy.halted(table.state, question, table.options(seat))
    return [] if found is None else [text("Your written turn stops here, and it's your move. Its next line "
                                          "was: {answer}. {why}", why=found[1],
                                          answer=answer_text(table.spec, found[0], (question.point,)))]


def occasion(table: Table, seat: Seat) -> str:
    """Which occasion is under way or near enough to ask something, for which a seat can fill in a packet; "" if none is."""
    ordering = table.spec.orders
    if ordering is None or not table.foreseen:
        return ""
    return ordering.spans(table.state, seat).get(ordering.packet, "")


def turn_of(table: Table, seat: Seat) -> str:
    """Which is the present turn of a seat, or its next; "" if none is to come."""
    return table.spec.orders.spans(table.state, seat).get(TURN, "") if table.spec.orders is not None else ""


def in_advance(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return what the seat can answer at once: what the occasion under way may ask; without one, what its own turn may."""
    if occasion(table, seat):
        return table.foreseen.get(seat, ())
    ordering = table.spec.orders
    if ordering is None or not turn_of(table, seat):
        return ()
    return tuple(no for no in ordering.own_turn if ordering.arises(no, table.state))


def _used(ledger: Ledger, game: int) -> dict[int, int]:
    return ledger.orders.order_uses(game, {row.no for row in line(ledger.log.outline(game)).rows})


def _known(own: Sequence[OrderRow], id: int) -> OrderRow:
    for row in own:
        if row.order.id == id:
            return row
    raise _gone(id)


def _gone(id: int) -> Refusal:
    return Refusal("You no longer have an order {id}.", id=id)
