"""A stored game of the released version in which players said how late it was: it is played on, and returned in."""
from __future__ import annotations

import pytest

from bot.service import Services
from bot.store import Store
from engine.games.attack import GAME
from engine.games.attack.rules.turns import End
from engine.kernel import Row, Seat
from engine.refusals import Refusal
from tests.bot.desk import MASTER, Clock, play_on

OPTIONS = {"end_mode": "timed", "end_time": "2026-04-03T18:00"}
WHO = {Seat("seat_1"): 101, Seat("seat_2"): 102}


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "games.db")
    yield store
    store.close()


async def in_turns(services: Services) -> int:
    """A timed game of two in which somebody has the first turn."""
    row = await services.lobby.open(key="attack", edition="base", seats=2, options=OPTIONS, pack=None, title="Friday", guild=8,
                                    channel=7,
                          owner=MASTER)
    for member in WHO.values():
        await services.lobby.join(row.id, member)
    await services.lobby.start(row.id, MASTER)
    while (table := await services.session.table(row.id)).state.phase != "turn":
        asked = table.waiting()[0].seat
        await services.answers.answer(row.id, WHO[asked], table.default(asked))
    return row.id


async def test_a_stored_row_of_a_player_who_called_the_last_half_hour_counts_for_ever(store: Store) -> None:
    clock = Clock()
    services = play_on(store, spec=GAME, clock=clock)
    game = await in_turns(services)
    table = await services.session.table(game)
    seat, no = table.waiting()[0].seat, table.last_no + 1
    power = table.state.power(seat)
    said = Row(no, seat, "player", "time", '{"time":"late"}', f'[{{"is":"TimeTold","power":"{power}","time":"late"}}]')
    await store.write(lambda ledger: ledger.log.add_rows(game, [said], "2026-04-01T12:00:00+00:00"))
    later = play_on(store, spec=GAME, clock=clock)
    state = (await later.session.table(game)).state
    assert state.time == "late" and [alarm.minutes_before for alarm in GAME.outside.alarms(state)] == [0]
    with pytest.raises(Refusal, match="took effect at once"):
        await later.undo.take_back(game, WHO[seat])
    await later.answers.answer(game, WHO[seat], End.of())
    clock.put_on(days=2, hours=6)
    assert (await later.session.table(game)).state.time == "up", "the bot tells the rest"
    await later.undo.rollback(game, no - 1, MASTER)
    assert (await later.session.table(game)).state.time == "up", "the moment has come, whatever players had said"
