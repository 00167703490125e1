"""A round planned in private: nobody else learns of it, nothing of it is lost, and one press makes it public."""
from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.domain.deadlines import read
from bot.service import Services
from bot.service.plans import Planned
from bot.store import NotStored, Store
from engine.kernel import Action, GameSpec, Seat
from engine.refusals import Illegal, NotAsked, Refusal, Stale
from engine.text import Reader, say
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, branched, crashed, delivered, guessed, kinds, play_on
from tests.bot.visiting import undoable
from tests.toy import ROUNDS, Beg, Draw, Give, Grant, Show, Spend, Stop, Throw

ONE, TWO = Seat("seat_1"), Seat("seat_2")
NAMES = Reader({"seat_1": "Amber", "seat_2": "Basalt"})


@pytest.fixture
def services(store: Store, clock: Clock) -> Services:
    return play_on(store, spec=ROUNDS, clock=clock)


async def planned(services: Services, game: int, *actions: Action, user: int = ANNA) -> Planned:
    """A plan with these steps more."""
    for action in actions:
        await services.plans.plan_steps(game, user, [action])
    return await now(services, game, user)


async def now(services: Services, game: int, user: int = ANNA) -> Planned:
    found = await services.plans.reviewed(game, user)
    assert found is not None
    return found


def lines(plan: Planned) -> list[str]:
    return [say(step.action.label(), NAMES) for step in plan.steps]


async def publish(services: Services, game: int, user: int = ANNA) -> list[str]:
    """What everybody reads once a plan is published."""
    await services.plans.publish(game, user, (await now(services, game, user)).stamp)
    return [line for letter in await delivered(services) if letter.kind == "log" for line in letter.payload["lines"]]


async def everything(store: Store, but: str = "plans") -> dict[str, Any]:
    """All that the file knows of the game, but for this table."""
    return {table: rows for table, rows in (await store.read(lambda ledger: ledger.game_dump.capture(1))).items() if table != but}


# --- planning -------------------------------------------------------------------------------------------------

async def test_each_step_shows_the_position_as_it_would_be(services: Services) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Spend.of(3), Spend.of(1))
    assert lines(plan) == ["Take 3 pebbles", "Take 1 pebble"]
    assert [say(step.cost, NAMES) for step in plan.steps if step.cost] == ["3 points", "1 point"]
    assert (plan.table.state.heap, plan.table.state.points) == (8, 1)
    assert (await services.session.table(game)).state.heap == 12, "nothing has happened yet"


async def test_what_is_planned_leaves_no_trace_but_in_its_own_table(services: Services, store: Store) -> None:
    game = await guessed(services)
    before = await everything(store)
    await planned(services, game, Spend.of(3), Show.of(), Stop.of())
    assert await everything(store) == before and await delivered(services) == []


async def test_steps_are_taken_back_one_by_one_or_all_at_once(services: Services) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Spend.of(3), Show.of(), Stop.of())
    plan = await services.plans.take_step_back(game, ANNA, plan.stamp)
    assert lines(plan) == ["Take 3 pebbles", "show"] and plan.closed is None
    plan = await services.plans.take_step_back(game, ANNA, plan.stamp)
    assert lines(plan) == ["Take 3 pebbles"] and plan.table.state.shown == {}
    plan = await services.plans.start_over(game, ANNA, plan.stamp)
    assert plan.steps == () and plan.table is await services.session.table(game)


async def test_a_stale_press_changes_nothing(services: Services) -> None:
    game = await guessed(services)
    first = await planned(services, game, Spend.of(3))
    over = await services.plans.start_over(game, ANNA, first.stamp)
    second = await planned(services, game, Spend.of(1))
    assert len({first.stamp, over.stamp, second.stamp}) == 3
    for stale in (services.plans.take_step_back(game, ANNA, first.stamp), services.plans.start_over(game, ANNA, over.stamp),
                  services.plans.plan_steps(game, ANNA, [Spend.of(2)], asked_at=first.stamp),
                  services.plans.publish(game, ANNA, first.stamp)):
        with pytest.raises(Stale):
            await stale
    assert await now(services, game) == second


async def test_a_step_that_is_not_legal_there_is_refused_with_the_reason(services: Services) -> None:
    game = await guessed(services)
    await planned(services, game, Spend.of(3))
    with pytest.raises(Illegal, match="you have 2 points") as why:
        await services.plans.plan_steps(game, ANNA, [Spend.of(3)])
    assert why.value.rule == "TOY-5" and lines(await now(services, game)) == ["Take 3 pebbles"]


@pytest.mark.parametrize("action, closed", [
    (Draw.of(), "draw"), (Throw.of(), "draw"), (Beg.of(), "question"), (Stop.of(), "end")])
async def test_nothing_is_planned_beyond_what_cannot_be_known(services: Services, action: Action, closed: str) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Spend.of(1), action)
    assert (plan.closed, len(plan.steps), plan.table.state.heap) == (closed, 2, 11)
    assert plan.table.state.cards == {} and plan.table.state.turn == 0, "the position before the last step"
    with pytest.raises(Refusal, match=r"undo (that step|its last step)"):
        await services.plans.plan_steps(game, ANNA, [Spend.of(1)])
    alone = await guessed(services)
    assert (await planned(services, alone, action)).table is await services.session.table(alone)


async def test_only_who_plays_the_round_plans_it(services: Services) -> None:
    game = await guessed(services)
    assert await services.plans.standing(game, BERT) is None and await services.plans.standing(game, CARA) is None
    with pytest.raises(NotAsked):
        await services.plans.plan_steps(game, BERT, [Spend.of(1)])
    with pytest.raises(Refusal, match="no seat"):
        await services.plans.plan_steps(game, CARA, [Spend.of(1)])


async def test_what_counts_at_once_is_never_planned(services: Services) -> None:
    game = await guessed(services)
    await planned(services, game, Spend.of(1), Stop.of())
    await publish(services, game)
    await planned(services, game, Beg.of(), user=BERT)
    await publish(services, game, BERT)
    assert await services.plans.standing(game, ANNA) is None
    with pytest.raises(NotAsked, match="This move takes effect at once"):
        await services.plans.plan_steps(game, ANNA, [Grant.of(True)])
    await services.answers.answer(game, ANNA, Grant.of(True))
    assert (await now(services, game, BERT)).table.state.taken == {ONE: 0, TWO: 1}


async def test_several_steps_of_one_form_are_planned_together_or_not_at_all(services: Services) -> None:
    game = await guessed(services)
    with pytest.raises(Illegal, match="That doesn't work with the rest: Take 3 pebbles"):
        await services.plans.plan_steps(game, ANNA, [Spend.of(3), Spend.of(3)])
    assert (await now(services, game)).steps == ()
    plan = await services.plans.plan_steps(game, ANNA, [Spend.of(2), Spend.of(3)])
    assert lines(plan) == ["Take 2 pebbles", "Take 3 pebbles"] and plan.table.state.points == 0


async def test_who_chooses_does_so_at_the_position_that_is_planned(services: Services) -> None:
    game = await guessed(services)
    await planned(services, game, Spend.of(3))
    anna, bert = [await services.plans.position(await services.visits.visit(game, user)) for user in (ANNA, BERT)]
    assert (anna.state.points, bert.state.points) == (2, 5)
    assert anna.asides == () != bert.asides


# --- one press ------------------------------------------------------------------------------------------------

async def test_one_press_gives_all_answers_and_tells_them_in_one_message_with_one_picture(services: Services) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Spend.of(3), Show.of(), Spend.of(2), Stop.of())
    done = await services.plans.publish(game, ANNA, plan.stamp)
    letters = await delivered(services)
    assert [letter.kind for letter in letters if letter.audience == "public"] == ["log", "picture"]
    assert letters[0].payload["lines"] == ["Amber takes 3 pebbles.", "Amber has guessed 1.", "Amber takes 2 pebbles.",
                                           "Amber ends the round."]
    table = await services.session.table(game)
    assert (table.state.heap, table.state.shown, len(done.entries)) == (7, {ONE: 1}, 4)
    assert table.asked(TWO) is not None and await services.plans.standing(game, ANNA) is None


async def test_a_round_that_goes_on_is_not_published(services: Services) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Spend.of(3))
    with pytest.raises(Refusal, match="Your round goes on"):
        await services.plans.publish(game, ANNA, plan.stamp)
    assert (await services.session.table(game)).last_no == 2


async def test_planning_goes_on_in_the_same_round_behind_a_draw(services: Services) -> None:
    game = await guessed(services)
    await planned(services, game, Spend.of(2), Draw.of())
    assert await publish(services, game) == ["Amber takes 2 pebbles.", "Amber draws a card."]
    plan = await planned(services, game, Spend.of(3))
    assert (plan.table.state.cards, plan.table.state.points, len(plan.steps)) == ({ONE: [7]}, 0, 1)


async def test_two_presses_publish_once(services: Services) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Stop.of())
    await services.plans.publish(game, ANNA, plan.stamp)
    with pytest.raises(NotAsked):
        await services.plans.publish(game, ANNA, plan.stamp)
    assert (await services.session.table(game)).state.turn == 1


@pytest.mark.parametrize("action, goes", [(Draw.of(), False), (Show.of(), False), (Stop.of(), True)])
async def test_what_was_given_and_binds_is_not_taken_back(services: Services, action: Action, goes: bool) -> None:
    game = await given_away(services)
    await services.answers.answer(game, ANNA, action)
    assert (await undoable(services, game, ONE) is not None) == goes
    if not goes:
        with pytest.raises(Refusal, match="Your last move drew or showed something, or asked somebody else"):
            await services.undo.take_back(game, ANNA)


# --- nothing is lost --------------------------------------------------------------------------------------------

async def test_a_killed_process_loses_no_step_and_publishes_all_or_nothing(
        services: Services, path: Path, tmp_path: Path) -> None:
    game = await guessed(services)
    acts: list[tuple[str, list[str], int]] = []

    async def killed(name: str) -> None:
        """What is left when the process dies now."""
        with closing(Store(crashed(path, tmp_path / name))) as left:
            again = play_on(left, spec=ROUNDS)
            plan = await again.plans.standing(game, ANNA)
            acts.append((name, [] if plan is None else lines(plan), (await again.session.table(game)).last_no))

    for name, action in (("one", Spend.of(3)), ("two", Show.of()), ("three", Stop.of())):
        await services.plans.plan_steps(game, ANNA, [action])
        await killed(name)
    await services.plans.publish(game, ANNA, (await now(services, game)).stamp)
    await killed("four")
    assert acts == [("one", ["Take 3 pebbles"], 2), ("two", ["Take 3 pebbles", "show"], 2),
                     ("three", ["Take 3 pebbles", "show", "stop"], 2), ("four", [], 5)]


async def test_a_plan_that_cannot_be_published_stays_a_plan(
        services: Services, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Spend.of(3), Stop.of())

    async def full(work: Any, **_: Any) -> None:
        raise NotStored("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(store, "write", full)
        with pytest.raises(NotStored):
            await services.plans.publish(game, ANNA, plan.stamp)
    assert (await now(services, game)).steps == plan.steps and (await services.session.table(game)).last_no == 2
    assert await publish(services, game) == ["Amber takes 3 pebbles.", "Amber ends the round."]


async def test_a_restart_finds_the_same_position(services: Services, store: Store) -> None:
    game = await guessed(services)
    plan = await planned(services, game, Spend.of(3), Show.of())
    again = await now(play_on(store, spec=ROUNDS), game)
    assert again.table is not plan.table and again.table.state == plan.table.state
    assert (again.steps, again.stamp) == (plan.steps, plan.stamp)


# --- what others do meanwhile -----------------------------------------------------------------------------------

async def given_away(services: Services) -> int:
    """It is Amber's second round, and Amber has three pebbles."""
    game = await guessed(services)
    for user, action in ((ANNA, Spend.of(3)), (ANNA, Stop.of()), (BERT, Spend.of(3)), (BERT, Stop.of())):
        await services.answers.answer(game, user, action)
    await delivered(services)
    return game


async def test_a_plan_goes_on_from_what_others_do_at_any_time(services: Services) -> None:
    game = await given_away(services)
    before = await planned(services, game, Spend.of(1))
    await services.answers.answer(game, BERT, Give.of(ONE, 2))
    after = await now(services, game)
    assert after.steps == before.steps and after.table.state.taken == {ONE: 6, TWO: 1}
    assert [kind for kind, audience in kinds(await delivered(services)) if audience == ONE] == []


async def test_a_plan_is_cut_where_it_is_not_possible_any_more_and_its_author_is_told(services: Services) -> None:
    """In Amber's second round six pebbles are left; the game master returns into the first one and plays on in the second."""
    game = await given_away(services)
    await planned(services, game, Show.of(), Spend.of(2), Spend.of(1))
    for action in (Show.of(), Spend.of(3)):
        await services.answers.answer(game, ANNA, action)
    looked = await services.plans.standing(game, ANNA)
    assert looked is not None and len(looked.fallen) == 3
    plan = await now(services, game)
    assert plan.steps == () and [say(one.label, NAMES) for one in plan.fallen] == ["show", "Take 2 pebbles", "Take 1 pebble"]
    assert plan.fallen[0].why is not None and "shown it already" in str(plan.fallen[0].why)
    assert (await now(services, game)).fallen == (), "it is told once"


async def test_nothing_is_published_of_a_plan_of_which_a_step_has_fallen(services: Services) -> None:
    game = await given_away(services)
    plan = await planned(services, game, Spend.of(3), Show.of(), Stop.of())
    await services.answers.answer(game, ANNA, Show.of())
    with pytest.raises(Stale, match=r"No longer possible in your plan \(2 steps\): show and stop\. You have shown"):
        await services.plans.publish(game, ANNA, plan.stamp)
    assert lines(await now(services, game)) == ["Take 3 pebbles"]


async def test_a_step_of_another_version_falls(services: Services, store: Store) -> None:
    game = await guessed(services)
    await planned(services, game, Spend.of(3))
    await store.write(lambda ledger: ledger.conn.execute("""UPDATE plans SET steps = '[["hop", "{}"]]'"""))
    (fallen,) = (await now(services, game)).fallen
    assert str(fallen.why) == "It was written by another version of the bot." and say(fallen.label, NAMES) == "hop"


async def test_an_undo_of_the_game_master_drops_the_plan_of_a_round_that_is_not_played_any_more(services: Services) -> None:
    game = await given_away(services)
    await planned(services, game, Spend.of(1), Stop.of())
    await services.undo.undo(game, MASTER)
    (told,) = [letter for letter in await delivered(services) if letter.kind == "plan"]
    assert (told.audience, told.payload) == (ONE, {"user": ANNA, "text": (
        "The round you were planning is over, so I've dropped your plan (2 steps): Take 1 pebble and stop. Nobody else "
        "has seen it.")})
    await services.undo.redo(game, MASTER)
    assert (await now(services, game)).steps == ()


async def test_a_rollback_within_the_round_keeps_what_is_still_possible(services: Services) -> None:
    game = await given_away(services)
    await services.answers.answer(game, ANNA, Spend.of(3))
    await planned(services, game, Spend.of(1), Stop.of())
    await services.undo.rollback(game, 6, MASTER)
    plan = await now(services, game)
    assert (lines(plan), plan.table.state.points, plan.fallen) == (["Take 1 pebble", "stop"], 4, ())


async def test_who_wants_no_messages_is_told_at_the_next_look(services: Services) -> None:
    game = await given_away(services)
    await services.seats.set_private(game, ANNA, False)
    await planned(services, game, Spend.of(1), Stop.of())
    await services.undo.undo(game, MASTER)
    assert "plan" not in [kind for kind, _ in kinds(await delivered(services))]
    plan = await now(services, game)
    assert (len(plan.fallen), plan.open) == (2, False)
    assert await services.plans.standing(game, ANNA) is None


async def test_a_seat_that_changes_hands_takes_no_plan_along(services: Services, store: Store) -> None:
    game = await guessed(services)
    await planned(services, game, Spend.of(3))
    await services.consent.stand_in(game, ONE, CARA, MASTER)
    assert (await now(services, game, CARA)).steps == ()
    await services.seats.back(game, ANNA)
    assert (await now(services, game)).steps == ()
    await planned(services, game, Spend.of(2))
    await services.seats.resign(game, ANNA)
    assert await store.read(lambda ledger: ledger.plans.plans(game)) == []


async def test_a_caretaker_plays_without_the_plan(services: Services, store: Store) -> None:
    game = await guessed(services)
    await planned(services, game, Spend.of(3))
    await services.seats.away(game, ANNA)
    assert await store.read(lambda ledger: ledger.plans.plans(game)) == []
    assert (await services.session.table(game)).state.taken == {}


async def test_a_pause_keeps_the_plan_and_nothing_is_planned_meanwhile(services: Services) -> None:
    game = await guessed(services)
    before = await planned(services, game, Spend.of(3))
    await services.seats.pause(game, MASTER)
    with pytest.raises(Refusal, match="paused"):
        await services.plans.plan_steps(game, ANNA, [Stop.of()])
    await services.seats.go_on(game, MASTER)
    assert (await now(services, game)).steps == before.steps


# --- the clock --------------------------------------------------------------------------------------------------

async def late(services: Services, clock: Clock, game: int) -> None:
    """Amber's time runs out."""
    (deadline,) = await services.clocks.deadlines(game)
    clock.put_on(hours=25)
    await services.clocks.beat()
    clock.put_on(hours=25)
    assert await services.clocks.time_up(game, ONE, deadline.asked_at)


async def timed(services: Services) -> int:
    game = await guessed(services)
    await services.clocks.set_clock(game, MASTER, clock=read("24h"))
    await delivered(services)
    return game


@pytest.mark.parametrize("steps, heap, turn", [((Spend.of(3), Stop.of()), 9, 1), ((Spend.of(3), Draw.of()), 9, 0),
                                               ((Spend.of(3),), 12, 1), ((), 12, 1)])
async def test_when_the_time_is_up_a_plan_counts_to_which_only_the_press_is_missing(
        services: Services, clock: Clock, store: Store, steps: tuple[Action, ...], heap: int, turn: int) -> None:
    game = await timed(services)
    await planned(services, game, *steps)
    await late(services, clock, game)
    state = (await services.session.table(game)).state
    assert (state.heap, state.turn) == (heap, turn) and await store.read(lambda ledger: ledger.plans.plans(game)) == []
    letters = await delivered(services)
    assert [letter.payload["user"] for letter in letters if letter.kind == "plan"] == ([ANNA] if len(steps) == 1 else [])
    notices = [letter.payload["text"] for letter in letters if letter.kind == "notice"]
    assert any("Amber ran out of time" in notice for notice in notices) == (len(steps) < 2)


# --- the record -------------------------------------------------------------------------------------------------

async def test_a_record_and_a_branch_hold_nothing_of_a_plan(services: Services, store: Store) -> None:
    game = await given_away(services)
    before = await services.records.export(game)
    await planned(services, game, Spend.of(3), Stop.of())
    assert await services.records.export(game) == before
    branch = await branched(services, game, 3, channel=77)
    assert await store.read(lambda ledger: ledger.plans.plans(branch.id)) == []
    assert lines(await now(services, game)) == ["Take 3 pebbles", "stop"]


async def test_a_plan_is_forgotten_with_the_end_of_the_game(services: Services, store: Store) -> None:
    game = await given_away(services)
    await planned(services, game, Spend.of(1))
    for user, action in ((ANNA, Spend.of(3)), (ANNA, Stop.of()), (BERT, Spend.of(3))):
        await services.answers.answer(game, user, action)
    assert (await services.session.table(game)).over and await store.read(lambda ledger: ledger.plans.plans(game)) == []


async def test_a_game_without_private_rounds_has_none(store: Store) -> None:
    plain: GameSpec = ROUNDS.changed(planning=None)
    services = play_on(store, spec=plain)
    game = await guessed(services)
    assert await services.plans.standing(game, ANNA) is None
    await services.answers.answer(game, ANNA, Spend.of(1))
