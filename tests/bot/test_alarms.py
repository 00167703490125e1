"""A game is told what it had agreed on at the very moment, once, and whatever the bot was doing then."""
from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.discord.scheduler import Scheduler
from bot.domain import alarms
from bot.service import Services
from bot.store import Store
from bot.store.migrations_1_to_20 import m0014_alarms
from engine.games.attack import GAME
from engine.kernel import WORLD, Alarm
from engine.refusals import Faulty, Illegal, Refusal
from engine.text import text
from tests.alarmed import DAYLIGHT, Dark
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, branched, crashed, delivered, guessed, opened, play_on, started
from tests.toy import Guess, Take

NIGHT = datetime(2026, 4, 1, 18, tzinfo=UTC)
DUSK = NIGHT - timedelta(minutes=30)
DARK = ["It grows dark: the heap has 8."]


@pytest.fixture
def services(store: Store, clock: Clock) -> Services:
    return play_on(store, spec=DAYLIGHT, clock=clock)


def scheduler(services: Services) -> Scheduler:
    bot: Any = SimpleNamespace(services=services, cut_off=False, outbox=SimpleNamespace(answered=lambda game: None))
    return Scheduler(bot)


async def look(services: Services, clock: Clock) -> datetime | None:
    """One look of the bot's scheduler."""
    return await scheduler(services).look(clock())


async def told(services: Services) -> list[str]:
    """The sentences about the dark that go out now."""
    logs = [letter.payload["lines"] for letter in await delivered(services) if letter.kind == "log"]
    return [line for lines in logs for line in lines if "dark" in line]


async def heap(services: Services, game: int) -> int:
    return int((await services.session.table(game)).state.heap)


# --- when ---------------------------------------------------------------------------------------------------------------

def test_of_the_moments_that_have_come_the_last_counts() -> None:
    state = DAYLIGHT.rules.setup((), {}, {})
    assert alarms.due(DAYLIGHT, state, DUSK - timedelta(seconds=1)) is None
    assert alarms.due(DAYLIGHT, state, DUSK) == Dark(when="dusk")
    assert alarms.due(DAYLIGHT, state, NIGHT) == Dark(when="night")
    assert alarms.following(DAYLIGHT, state) == DUSK
    state.heap = 8
    assert alarms.following(DAYLIGHT, state) == NIGHT
    state.heap = 2
    assert alarms.following(DAYLIGHT, state) is None and alarms.due(DAYLIGHT, state, NIGHT) is None


def test_a_moment_that_no_calendar_has_rings_never() -> None:
    never = Alarm(at="2027-02-30T18:00Z", decree=Dark.of("dusk"), name=text("Dusk"))
    nowhere: Any = SimpleNamespace(outside=SimpleNamespace(alarms=lambda state: [never]))
    assert alarms.following(nowhere, None) is None and alarms.due(nowhere, None, NIGHT) is None


async def test_the_pulse_tells_a_game_at_the_very_moment(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    assert await look(services, clock) == DUSK, "the next look comes no later"
    clock.moment = DUSK - timedelta(seconds=1)
    assert await look(services, clock) == DUSK
    assert await services.queries.newest(game) == 2 and await told(services) == []
    clock.moment = DUSK
    assert await look(services, clock) == NIGHT
    assert await told(services) == DARK
    clock.moment = NIGHT
    await look(services, clock)
    assert await told(services) == ["It grows dark: the heap has 2."]
    await look(services, clock)
    assert await services.timers.following("alarm") is None and await services.queries.newest(game) == 4


async def test_a_look_at_which_nothing_is_due_asks_the_store_once(services: Services, clock: Clock,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    await guessed(services)
    looking, trips, enqueue = scheduler(services), list[bool](), Store._enqueue
    assert await looking.look(clock()) == DUSK

    def counted(self: Store, work: Any, *, writes: bool) -> Any:
        trips.append(writes)
        return enqueue(self, work, writes=writes)

    monkeypatch.setattr(Store, "_enqueue", counted)
    assert await looking.look(clock()) == DUSK
    assert trips == [False]


async def test_a_row_of_it_is_nobodys(services: Services, store: Store, clock: Clock) -> None:
    game = await guessed(services)
    clock.moment = DUSK
    await look(services, clock)
    row = (await store.read(lambda ledger: ledger.log.rows(game)))[-1]
    assert (row.seat, row.by, row.verb) == (WORLD, "world", "dark")


async def test_a_record_with_it_is_taken_in_and_given_away_again(services: Services, store: Store, clock: Clock) -> None:
    game = await guessed(services)
    clock.moment = NIGHT
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Take.of(1, "left"))
    record = await services.records.export(game)
    other = await services.records.take_in(record, by=MASTER, guild=8, channel=7)
    assert await services.records.export(other.id) == record
    said = [row.by for row in await store.read(lambda ledger: ledger.log.rows(other.id))]
    assert said == ["player", "player", "world", "player", "player"]


async def test_it_is_told_once_although_the_bot_is_killed(services: Services, store: Store, clock: Clock, tmp_path: Path) -> None:
    game = await guessed(services)
    clock.moment = NIGHT
    before = crashed(store.path, tmp_path / "before")
    await look(services, clock)
    after = crashed(store.path, tmp_path / "after")
    for copy in (before, after):
        with closing(Store(copy)) as left:
            again = play_on(left, spec=DAYLIGHT, clock=clock)
            for _ in range(2):
                await look(again, clock)
            assert await heap(again, game) == 2 and await again.queries.newest(game) == 3
            assert await told(again) == ["It grows dark: the heap has 2."], "and its news goes with it"


async def test_a_bot_that_was_off_tells_it_when_it_is_back(services: Services, store: Store, clock: Clock) -> None:
    game = await guessed(services)
    clock.put_on(days=3)
    later = play_on(store, spec=DAYLIGHT, clock=clock)
    await look(later, clock)
    assert await heap(later, game) == 2 and await told(later) == ["It grows dark: the heap has 2."]


async def test_no_game_is_loaded_to_find_what_is_due(services: Services, store: Store, clock: Clock,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    await guessed(services)
    cold = play_on(store, spec=DAYLIGHT, clock=clock)

    async def never(*_: object, **__: object) -> None:
        raise AssertionError("a game is loaded")

    monkeypatch.setattr(cold.session, "replay", never)
    assert await look(cold, clock) == DUSK


async def test_what_goes_wrong_with_one_game_holds_up_no_other(services: Services, clock: Clock,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = await guessed(services), await started(services)
    clock.moment = DUSK
    ring = services.alarms.ring

    async def broken(game: int) -> None:
        if game == one:
            raise Refusal("Broken.")
        await ring(game)

    monkeypatch.setattr(services.alarms, "ring", broken)
    assert await look(services, clock) == NIGHT
    assert (await services.queries.newest(one), await services.queries.newest(other)) == (2, 1)


# --- before anything that comes later --------------------------------------------------------------------------------

async def test_an_answer_that_comes_after_the_moment_counts_after_it(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.session.table(game)                              # warm, with the old heap
    clock.moment = NIGHT + timedelta(seconds=10)
    with pytest.raises(Illegal, match="The heap has 2 pebbles"):
        await services.answers.answer(game, ANNA, Take.of(3, "left"))
    assert await told(services) == ["It grows dark: the heap has 2."]
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    state = (await services.session.table(game)).state
    assert (state.heap, state.taken) == (1, {"seat_1": 1})
    await look(services, clock)
    assert await told(services) == [] and await services.queries.newest(game) == 4


async def test_after_an_undo_past_it_it_is_told_again(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    clock.moment = DUSK
    await look(services, clock)
    assert await told(services) == DARK and await heap(services, game) == 8
    await services.undo.undo(game, MASTER)
    table = await services.session.table(game)
    assert (table.state.heap, table.state.taken) == (8, {}), "the answer is taken back, and the moment has come nonetheless"
    assert await told(services) == DARK
    assert await look(services, clock) == NIGHT
    await services.undo.redo(game, MASTER)
    table = await services.session.table(game)
    assert (table.state.heap, table.state.taken) == (8, {"seat_1": 1}) and await told(services) == []


async def test_a_player_takes_an_answer_back_although_the_moment_came_after_it(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    clock.moment = DUSK
    await look(services, clock)
    await services.undo.take_back(game, ANNA)
    state = (await services.session.table(game)).state
    assert (state.heap, state.taken) == (8, {})


async def test_what_is_taken_back_at_the_very_moment_is_told_in_its_order(services: Services, store: Store, clock: Clock) -> None:
    """The moment comes with the press: it is told, taken back with the answer, and told again."""
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await delivered(services)
    clock.moment = DUSK
    await services.undo.take_back(game, ANNA)
    rows = await store.read(lambda ledger: ledger.log.rows(game))
    assert [row.verb for row in rows][-3:] == ["dark", "return", "dark"]
    sent = [letter for letter in await delivered(services) if letter.kind in ("log", "notice", "question")]
    assert [letter.kind for letter in sent] == ["log", "notice", "log", "question"]
    assert [letter.payload["lines"] for letter in sent if letter.kind == "log"] == [DARK, DARK]


async def test_a_player_asks_nobody_but_those_who_have_answered(services: Services, clock: Clock) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    mine = await services.queries.newest(game)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    clock.moment = DUSK
    await look(services, clock)
    assert (await services.undo_requests.plan(game, ANNA, mine)).asked == ["seat_2"]


async def test_it_is_no_sealed_answer_although_several_are_asked(services: Services, clock: Clock) -> None:
    """Anna's later answer goes back to where it was put, and Bert alone has to agree."""
    game = await started(services, (ANNA, BERT, CARA))
    await services.answers.answer(game, ANNA, Guess.of(1))
    clock.moment = DUSK
    await look(services, clock)
    for member in (BERT, CARA):
        await services.answers.answer(game, member, Guess.of(2))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    mine = await services.queries.newest(game)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    plan = await services.undo_requests.plan(game, ANNA, mine)
    assert (plan.asked, plan.preview.to) == (["seat_2"], mine - 1)
    assert (await services.undo_requests.plan(game, BERT, 3)).preview.to == 0, "the sealed answers were asked for before anything"


async def test_a_game_that_stands_still_is_told_when_it_goes_on(services: Services, store: Store, clock: Clock) -> None:
    game = await guessed(services)
    await services.seats.pause(game, MASTER)
    clock.moment = NIGHT
    assert await look(services, clock) is None
    assert await heap(services, game) == 12 and await told(services) == []
    await services.seats.go_on(game, MASTER)
    rows = await store.read(lambda ledger: ledger.log.rows(game))
    assert [row.verb for row in rows][-1] == "dark", "in the transaction that lets it go on"
    assert await told(services) == ["It grows dark: the heap has 2."]


async def test_the_clock_gives_no_default_before_it_is_told(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    clock.moment = NIGHT
    await services.seats.away(game, BERT)
    await services.answers.answer_for(game, (await services.queries.awaited(game))[0], None, MASTER)
    state = (await services.session.table(game)).state
    assert state.phase == "over" and state.taken == {"seat_1": 1, "seat_2": 1}, "two pebbles, and two defaults"


async def test_a_game_that_goes_on_from_an_early_row_of_another_is_told_at_once(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    clock.moment = NIGHT
    await look(services, clock)
    row = await branched(services, game, 2, channel=9)
    assert await heap(services, row.id) == 2


# --- stored before there were alarms --------------------------------------------------------------------------------

async def test_games_that_were_stored_before_get_theirs(services: Services, store: Store, clock: Clock) -> None:
    game, plain = await guessed(services), await guessed(services)

    def earlier(ledger: Any) -> None:
        """The file as the version before left it; an option tells that something may be agreed on."""
        ledger.conn.execute("DROP TABLE alarms")
        ledger.conn.execute("""UPDATE games SET options = '{"night": true}' WHERE id = ?""", (game,))
        m0014_alarms(ledger.db)

    await store.write(earlier)
    now = play_on(store, spec=DAYLIGHT, clock=clock)
    assert [due.game for due in await now.timers.due("alarm")] == [game], "one that keeps to its preset has agreed on nothing"
    await look(now, clock)
    assert await now.timers.due("alarm") == [] and await now.timers.following("alarm") == DUSK
    assert await now.queries.newest(game) == await now.queries.newest(plain) == 2


# --- when a game is opened ------------------------------------------------------------------------------------------

async def test_a_moment_that_is_past_is_refused_when_a_game_is_opened_and_when_it_begins(services: Services,
                                                                                         clock: Clock) -> None:
    game = await opened(services)
    for member in (ANNA, BERT):
        await services.lobby.join(game, member)
    clock.moment = NIGHT
    stamp = int(NIGHT.timestamp())
    for late in (services.lobby.start(game, MASTER), services.lobby.set_options(game, MASTER, changes={}), opened(services)):
        with pytest.raises(Refusal) as refused:
            await late
        assert str(refused.value) == f"Night: <t:{stamp}:f> is in the past. Choose a later time."
        assert type(refused.value) is Refusal
    clock.moment = NIGHT - timedelta(seconds=1)
    await services.lobby.start(game, MASTER)
    assert await heap(services, game) == 8, "dusk has come before the beginning"


async def test_the_moments_are_told_when_a_game_begins(services: Services) -> None:
    await started(services)
    told = [letter.payload["text"] for letter in await delivered(services) if letter.kind == "notice"]
    assert told[-1].splitlines()[1:] == [f"Dusk: <t:{int(DUSK.timestamp())}:f>. Night: <t:{int(NIGHT.timestamp())}:f>."]


@pytest.mark.parametrize(("moment", "why"), [
    ("2027-02-30T18:00", "Agreed end: there is no 2027-02-30T18:00Z in the calendar."),
    ("2026-04-01T12:00", "Agreed end: <t:1775044800:f> is in the past. Choose a later time.")])
async def test_attack_is_opened_with_a_moment_that_comes(store: Store, clock: Clock, moment: str, why: str) -> None:
    services = play_on(store, spec=GAME, clock=clock)
    rules: dict[str, Any] = {"key": "attack", "edition": "base", "seats": 2, "pack": None}
    with pytest.raises(Refusal) as refused:
        await services.lobby.checked(options={"end_mode": "timed", "end_time": moment}, **rules)
    assert str(refused.value) == why
    await services.lobby.checked(options={"end_mode": "timed", "end_time": "2026-04-01T12:01"}, **rules)
    with pytest.raises(Faulty, match="needs an end"):
        await services.lobby.checked(options={"end_mode": "timed"}, **rules)
