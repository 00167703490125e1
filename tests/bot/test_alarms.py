"""A game is told what it had agreed on at the very moment, once, and whatever the bot was doing then."""
from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.discord.scheduler import Pulse
from bot.domain import alarms
from bot.service import Play
from bot.store import Store
from bot.store.migrations import m0014_alarms
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
def play(store: Store, clock: Clock) -> Play:
    return play_on(store, spec=DAYLIGHT, clock=clock)


def pulse(play: Play) -> Pulse:
    bot: Any = SimpleNamespace(play=play, outbox=SimpleNamespace(answered=lambda game: None))
    return Pulse(bot)


async def look(play: Play, clock: Clock) -> datetime | None:
    """One look of the bot's pulse."""
    return await pulse(play).look(clock())


async def told(play: Play) -> list[str]:
    """The sentences about the dark that go out now."""
    logs = [letter.payload["lines"] for letter in await delivered(play) if letter.kind == "log"]
    return [line for lines in logs for line in lines if "dark" in line]


async def heap(play: Play, game: int) -> int:
    return int((await play.table(game)).state.heap)


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


async def test_the_pulse_tells_a_game_at_the_very_moment(play: Play, clock: Clock) -> None:
    game = await guessed(play)
    assert await look(play, clock) == DUSK, "the next look comes no later"
    clock.moment = DUSK - timedelta(seconds=1)
    assert await look(play, clock) == DUSK
    assert await play.newest(game) == 2 and await told(play) == []
    clock.moment = DUSK
    assert await look(play, clock) == NIGHT
    assert await told(play) == DARK
    clock.moment = NIGHT
    await look(play, clock)
    assert await told(play) == ["It grows dark: the heap has 2."]
    await look(play, clock)
    assert await play.next_alarm() is None and await play.newest(game) == 4


async def test_a_row_of_it_is_nobodys(play: Play, store: Store, clock: Clock) -> None:
    game = await guessed(play)
    clock.moment = DUSK
    await look(play, clock)
    row = (await store.read(lambda ledger: ledger.rows(game)))[-1]
    assert (row.seat, row.by, row.verb) == (WORLD, "world", "dark")


async def test_a_record_with_it_is_taken_in_and_given_away_again(play: Play, store: Store, clock: Clock) -> None:
    game = await guessed(play)
    clock.moment = NIGHT
    for member in (ANNA, BERT):
        await play.answer(game, member, Take.of(1, "left"))
    record = await play.export(game)
    other = await play.take_in(record, by=MASTER, guild=8, channel=7)
    assert await play.export(other.id) == record
    said = [row.by for row in await store.read(lambda ledger: ledger.rows(other.id))]
    assert said == ["player", "player", "world", "player", "player"]


async def test_it_is_told_once_although_the_bot_is_killed(play: Play, store: Store, clock: Clock, tmp_path: Path) -> None:
    game = await guessed(play)
    clock.moment = NIGHT
    before = crashed(store.path, tmp_path / "before")
    await look(play, clock)
    after = crashed(store.path, tmp_path / "after")
    for copy in (before, after):
        with closing(Store(copy)) as left:
            again = play_on(left, spec=DAYLIGHT, clock=clock)
            for _ in range(2):
                await look(again, clock)
            assert await heap(again, game) == 2 and await again.newest(game) == 3
            assert await told(again) == ["It grows dark: the heap has 2."], "and its news goes with it"


async def test_a_bot_that_was_off_tells_it_when_it_is_back(play: Play, store: Store, clock: Clock) -> None:
    game = await guessed(play)
    clock.put_on(days=3)
    later = play_on(store, spec=DAYLIGHT, clock=clock)
    await look(later, clock)
    assert await heap(later, game) == 2 and await told(later) == ["It grows dark: the heap has 2."]


async def test_no_game_is_loaded_to_find_what_is_due(play: Play, store: Store, clock: Clock,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    await guessed(play)
    cold = play_on(store, spec=DAYLIGHT, clock=clock)

    async def never(*_: object, **__: object) -> None:
        raise AssertionError("a game is loaded")

    monkeypatch.setattr(cold, "_table", never)
    assert await look(cold, clock) == DUSK


async def test_what_goes_wrong_with_one_game_holds_up_no_other(play: Play, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = await guessed(play), await started(play)
    clock.moment = DUSK
    ring = play.ring

    async def broken(game: int) -> None:
        if game == one:
            raise Refusal("Broken.")
        await ring(game)

    monkeypatch.setattr(play, "ring", broken)
    assert await look(play, clock) == NIGHT
    assert (await play.newest(one), await play.newest(other)) == (2, 1)


# --- before anything that comes later --------------------------------------------------------------------------------

async def test_an_answer_that_comes_after_the_moment_counts_after_it(play: Play, clock: Clock) -> None:
    game = await guessed(play)
    await play.table(game)                              # warm, with the old heap
    clock.moment = NIGHT + timedelta(seconds=10)
    with pytest.raises(Illegal, match="The heap has 2 pebbles"):
        await play.answer(game, ANNA, Take.of(3, "left"))
    assert await told(play) == ["It grows dark: the heap has 2."]
    await play.answer(game, ANNA, Take.of(1, "left"))
    state = (await play.table(game)).state
    assert (state.heap, state.taken) == (1, {"seat_1": 1})
    await look(play, clock)
    assert await told(play) == [] and await play.newest(game) == 4


async def test_after_an_undo_past_it_it_is_told_again(play: Play, clock: Clock) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(1, "left"))
    clock.moment = DUSK
    await look(play, clock)
    assert await told(play) == DARK and await heap(play, game) == 8
    await play.undo(game, MASTER)
    table = await play.table(game)
    assert (table.state.heap, table.state.taken) == (8, {}), "the answer is taken back, and the moment has come nonetheless"
    assert await told(play) == DARK
    assert await look(play, clock) == NIGHT
    await play.redo(game, MASTER)
    table = await play.table(game)
    assert (table.state.heap, table.state.taken) == (8, {"seat_1": 1}) and await told(play) == []


async def test_a_player_takes_an_answer_back_although_the_moment_came_after_it(play: Play, clock: Clock) -> None:
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(1, "left"))
    clock.moment = DUSK
    await look(play, clock)
    await play.take_back(game, ANNA)
    state = (await play.table(game)).state
    assert (state.heap, state.taken) == (8, {})


async def test_what_is_taken_back_at_the_very_moment_is_told_in_its_order(play: Play, store: Store, clock: Clock) -> None:
    """The moment comes with the press: it is told, taken back with the answer, and told again."""
    game = await guessed(play)
    await play.answer(game, ANNA, Take.of(1, "left"))
    await delivered(play)
    clock.moment = DUSK
    await play.take_back(game, ANNA)
    rows = await store.read(lambda ledger: ledger.rows(game))
    assert [row.verb for row in rows][-3:] == ["dark", "return", "dark"]
    sent = [letter for letter in await delivered(play) if letter.kind in ("log", "notice", "question")]
    assert [letter.kind for letter in sent] == ["log", "notice", "log", "question"]
    assert [letter.payload["lines"] for letter in sent if letter.kind == "log"] == [DARK, DARK]


async def test_a_player_asks_nobody_but_those_who_have_answered(play: Play, clock: Clock) -> None:
    game = await guessed(play, (ANNA, BERT, CARA))
    await play.answer(game, ANNA, Take.of(1, "left"))
    mine = await play.newest(game)
    await play.answer(game, BERT, Take.of(1, "left"))
    clock.moment = DUSK
    await look(play, clock)
    assert (await play.plan(game, ANNA, mine)).asked == ["seat_2"]


async def test_it_is_no_sealed_answer_although_several_are_asked(play: Play, clock: Clock) -> None:
    """Anna's later answer goes back to where it was put, and Bert alone has to agree."""
    game = await started(play, (ANNA, BERT, CARA))
    await play.answer(game, ANNA, Guess.of(1))
    clock.moment = DUSK
    await look(play, clock)
    for member in (BERT, CARA):
        await play.answer(game, member, Guess.of(2))
    await play.answer(game, ANNA, Take.of(1, "left"))
    mine = await play.newest(game)
    await play.answer(game, BERT, Take.of(1, "left"))
    plan = await play.plan(game, ANNA, mine)
    assert (plan.asked, plan.preview.to) == (["seat_2"], mine - 1)
    assert (await play.plan(game, BERT, 3)).preview.to == 0, "the sealed answers were asked for before anything"


async def test_a_game_that_stands_still_is_told_when_it_goes_on(play: Play, store: Store, clock: Clock) -> None:
    game = await guessed(play)
    await play.pause(game, MASTER)
    clock.moment = NIGHT
    assert await look(play, clock) is None
    assert await heap(play, game) == 12 and await told(play) == []
    await play.go_on(game, MASTER)
    rows = await store.read(lambda ledger: ledger.rows(game))
    assert [row.verb for row in rows][-1] == "dark", "in the transaction that lets it go on"
    assert await told(play) == ["It grows dark: the heap has 2."]


async def test_the_clock_gives_no_default_before_it_is_told(play: Play, clock: Clock) -> None:
    game = await guessed(play)
    clock.moment = NIGHT
    await play.away(game, BERT)
    await play.answer_for(game, (await play.awaited(game))[0], None, MASTER)
    state = (await play.table(game)).state
    assert state.phase == "over" and state.taken == {"seat_1": 1, "seat_2": 1}, "two pebbles, and two defaults"


async def test_a_game_that_goes_on_from_an_early_row_of_another_is_told_at_once(play: Play, clock: Clock) -> None:
    game = await guessed(play)
    clock.moment = NIGHT
    await look(play, clock)
    row = await branched(play, game, 2, channel=9)
    assert await heap(play, row.id) == 2


# --- stored before there were alarms --------------------------------------------------------------------------------

async def test_games_that_were_stored_before_get_theirs(play: Play, store: Store, clock: Clock) -> None:
    game, plain = await guessed(play), await guessed(play)

    def earlier(ledger: Any) -> None:
        """The file as the version before left it; an option tells that something may be agreed on."""
        ledger.conn.execute("DROP TABLE alarms")
        ledger.conn.execute("""UPDATE games SET options = '{"night": true}' WHERE id = ?""", (game,))
        m0014_alarms(ledger.db)

    await store.write(earlier)
    now = play_on(store, spec=DAYLIGHT, clock=clock)
    assert await now.alarms_due() == [game], "one that keeps to its preset has agreed on nothing"
    await look(now, clock)
    assert await now.alarms_due() == [] and await now.next_alarm() == DUSK
    assert await now.newest(game) == await now.newest(plain) == 2


# --- when a game is opened ------------------------------------------------------------------------------------------

async def test_a_moment_that_is_past_is_refused_when_a_game_is_opened_and_when_it_begins(play: Play, clock: Clock) -> None:
    game = await opened(play)
    for member in (ANNA, BERT):
        await play.join(game, member)
    clock.moment = NIGHT
    stamp = int(NIGHT.timestamp())
    for late in (play.start(game, MASTER), play.set_options(game, MASTER, changes={}), opened(play)):
        with pytest.raises(Refusal) as refused:
            await late
        assert str(refused.value) == f"Night: <t:{stamp}:f> is past. Choose a later moment." and type(refused.value) is Refusal
    clock.moment = NIGHT - timedelta(seconds=1)
    await play.start(game, MASTER)
    assert await heap(play, game) == 8, "dusk has come before the beginning"


async def test_the_moments_are_told_when_a_game_begins(play: Play) -> None:
    await started(play)
    told = [letter.payload["text"] for letter in await delivered(play) if letter.kind == "notice"]
    assert told[-1] == f"Dusk: <t:{int(DUSK.timestamp())}:f>. Night: <t:{int(NIGHT.timestamp())}:f>."


@pytest.mark.parametrize(("moment", "why"), [
    ("2027-02-30T18:00", "Agreed end: the calendar has no 2027-02-30T18:00Z."),
    ("2026-04-01T12:00", "Agreed end: <t:1775044800:f> is past. Choose a later moment.")])
async def test_attack_is_opened_with_a_moment_that_comes(store: Store, clock: Clock, moment: str, why: str) -> None:
    play = play_on(store, spec=GAME, clock=clock)
    rules: dict[str, Any] = {"key": "attack", "edition": "base", "seats": 2, "pack": None}
    with pytest.raises(Refusal) as refused:
        await play.checked(options={"end_mode": "timed", "end_time": moment}, **rules)
    assert str(refused.value) == why
    await play.checked(options={"end_mode": "timed", "end_time": "2026-04-01T12:01"}, **rules)
    with pytest.raises(Faulty, match="A timed game needs its end"):
        await play.checked(options={"end_mode": "timed"}, **rules)
