"""A return brings everything back: whatever can be looked at stands again as it stood after that row, through the whole bot."""
from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.domain.deadlines import read as clock_of
from bot.service import Services
from bot.store import Store
from engine.catalog import GAMES
from engine.kernel import GameSpec, Seat
from engine.orders import Order, OrderLine, Reply
from engine.selfplay import random_answer
from engine.text import Reader, say
from tests.bot.desk import ANNA, BERT, CARA, CHANNEL, GUILD, MASTER, Clock, delivered, guessed, play_on
from tests.toy import PEBBLES, Take

MEMBERS = (ANNA, BERT, CARA)
ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")


async def seen(services: Services, game: int) -> dict[str, Any]:
    """All that can be looked at of a position, by anybody: rules, questions, answers in advance, time."""
    table, who = await services.session.table(game), Reader()
    spec, state = table.spec, table.state
    members = [holder.user for holder in await services.queries.holders(game) if holder.user is not None]
    history, _ = await services.queries.history(game, page=1, size=10_000)
    return {
        "state": state.model_dump_json(), "moment": say(spec.words.moment(state), who), "throws": table.rolls,
        "options": {question.seat: table.options(question.seat) for question in table.waiting()},
        "questions": [(question.seat, question.point, say(question.text(), who)) for question in table.asks],
        "private": {seat: str(spec.views.private(state, seat)) for seat in state.seats},
        "foreseen": spec.orders.foreseen(state) if spec.orders is not None else {},
        "spans": {seat: spec.orders.spans(state, seat) for seat in state.seats} if spec.orders is not None else {},
        "banks": await services.clocks.banks(game),
        "time": [(deadline.seat, deadline.user, deadline.allowed) for deadline in await services.clocks.deadlines(game)],
        "orders": {user: [(kept.order, kept.paused, kept.left) for kept in (await services.orders.own(game, user)).kept]
                   for user in members},
        "history": [say(line, who) for no, mark, line in history if not mark and "went back to" not in line.template]}


@pytest.mark.parametrize("spec", [*GAMES, PEBBLES], ids=lambda spec: spec.key)
@pytest.mark.parametrize("seed", range(2))
async def test_every_position_comes_back_whole(store: Store, clock: Clock, spec: GameSpec, seed: int) -> None:
    services, rng = play_on(store, spec=spec, clock=clock), Random(seed)
    seats = min(len(MEMBERS), max(spec.seats))
    row = await services.lobby.open(key=spec.key, edition=spec.editions[0].key, seats=seats, options={}, pack=None, title="",
                                    guild=GUILD, channel=CHANNEL, owner=MASTER, clock=clock_of("bank 72h+2h"))
    for member in MEMBERS[:seats]:
        await services.lobby.join(row.id, member)
    await services.lobby.start(row.id, MASTER)
    if spec is PEBBLES:                     # an order that can answer twice
        then = Reply(verb="take", fields={"pebbles": 1, "hand": "left"})
        await services.orders.give_orders(row.id, CARA, [
            Order(seat=THREE, points=("DP-T2",), lines=(OrderLine(then=then),), times=2)])
    stood: dict[int, dict[str, Any]] = {0: await seen(services, row.id)}
    returned = 0
    for _ in range(40):
        table = await services.session.table(row.id)
        question = rng.choice(table.waiting())
        clock.put_on(hours=rng.randint(0, 20))
        await services.answers.answer(row.id, MEMBERS[int(question.seat[-1]) - 1],
                          random_answer(table.options(question.seat), rng.randrange))
        if (await services.session.table(row.id)).over:
            break
        stood[await services.queries.newest(row.id)] = await seen(services, row.id)
        to = rng.choice(list(stood)[:-1])
        if rng.random() < 0.4:
            await services.undo.rollback(row.id, to, MASTER)
            clock.put_on(hours=rng.randint(0, 20))
            assert await seen(services, row.id) == stood[to], f"row {to}"
            stood[await services.queries.newest(row.id)] = stood[to]
            returned += 1
    assert returned > 1


# --- what is beside the position ------------------------------------------------------------------------------

async def test_what_members_have_chosen_and_been_told_stays(services: Services, store: Store) -> None:
    """Absences, seats, votes and tips are no rows: a return leaves them as they are."""
    game = await guessed(services, MEMBERS)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.seats.away(game, CARA, None)
    before = await services.queries.holders(game)
    await services.undo.rollback(game, 3, MASTER)
    assert await services.queries.holders(game) == before
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await services.answers.answer(game, BERT, Take.of(2, "left"))
    assert (await services.session.table(game)).state.taken == {ONE: 2, TWO: 2, THREE: 1}, "who is away is answered for"


async def test_a_deadline_of_what_was_taken_back_is_gone_and_the_new_one_begins_now(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.clocks.set_clock(game, MASTER, clock=clock_of("24h"))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    clock.put_on(hours=23)
    await services.undo.undo(game, MASTER)
    (deadline,) = await services.clocks.deadlines(game)
    assert (deadline.seat, deadline.due_at) == (ONE, clock() + timedelta(hours=24))
    clock.put_on(hours=2)
    assert await services.timers.due("time_up") == [], "Bert's time would be up now"


async def test_every_return_brings_the_status_message_up_to_date_and_private_counts_again(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    for act in (lambda: services.undo.take_back(game, ANNA), lambda: services.undo.redo(game, MASTER),
                 lambda: services.undo.undo(game, MASTER),
                 lambda: services.undo.rollback(game, 0, MASTER)):
        await delivered(services)
        await act()
        letters = await services.outbox.pending(99)
        assert [letter.kind for letter in letters].count("status") == 1
        assert {letter.audience for letter in letters if letter.kind == "private"} == {ONE, TWO}
