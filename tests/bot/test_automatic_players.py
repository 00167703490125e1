"""Seats that automatic players have: in the lobby, while they think, when they are taken out or follow somebody."""
from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.discord import automatic_turns, client
from bot.player_process import packed
from bot.service.player_processes import InThisProcess, PlayerProcesses
from bot.store import Store
from engine import players
from engine.games.attack import GAME as ATTACK
from engine.games.imperial_struggle import GAME as IMPERIAL_STRUGGLE
from engine.games.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.kernel import Action, Level, Seat
from engine.players.tasks import Task, answered, easier
from engine.proxies import read
from engine.refusals import Refusal
from engine.selfplay import random_answer
from engine.text import Text, say
from tests.bot.desk import BLANK
from tests.bot.discord_world import World, labels, words

GAMES = (ATTACK, STRUGGLE_OF_EMPIRES, IMPERIAL_STRUGGLE)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "club.db", GAMES) as world:
        yield world


async def begun(world: World, game: str = "attack", seats: int = 2, level: str = "solid") -> None:
    """A game that Alice plays alone against automatic players."""
    await world.olga.slash(world.table, "game open", game=game, seats=seats, automatic=level)
    await world.alice.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    await thought(world)


async def thought(world: World) -> None:
    """Until no automatic player is asked any more."""
    await world.bot.automatic.settled()
    await world.env.settle()


async def answer(world: World) -> None:
    """Alice gives the default, or any answer."""
    table = await world.services.session.table(1)
    seat = Seat("seat_1")
    action = table.default(seat)
    await world.services.answers.answer(1, world.alice.id, action)
    await thought(world)


async def test_one_person_opens_a_game_by_taps_and_is_at_the_board(club: World) -> None:
    opened = await club.olga.slash(club.table, "game open", game="attack", seats=3)
    assert "Add automatic players" in labels(opened.response)
    asked = await club.olga.click(opened.response, label="Add automatic players")
    assert labels(asked.response) == ["For beginners", "Solid", "Strong", "Back"]
    filled = await club.olga.click(asked.response, label="Solid")
    assert words(filled) == "The empty seats have automatic players now (solid). Join, then start."
    status = words(await club.bob.slash(club.table, "game status"))
    assert "3 of 3 seats taken: 3 automatic players (solid)." in status
    await club.olga.click(filled.response, label="Join")
    holders = await club.services.queries.holders(1)
    assert [(holder.user, holder.level) for holder in holders] == [(club.olga.id, ""), (None, "solid"), (None, "solid")]
    await club.olga.slash(club.table, "game start")
    await thought(club)
    table = await club.services.session.table(1)
    assert [question.seat for question in table.waiting()] == ["seat_1"]
    shown = words(await club.bob.slash(club.table, "game status"))
    assert shown.count("automatic player (solid)") == 2
    assert any("(automatic, solid)" in post for post in club.posts())


async def test_a_run_of_automatic_answers_is_told_in_one_message(club: World) -> None:
    await begun(club, seats=4)
    row = (await club.services.session.table(1)).last_no
    await answer(club)
    table = await club.services.session.table(1)
    assert table.last_no > row + 3, "three automatic players have answered"
    told = [post for post in club.posts() if "Red claims" in post]
    assert len(told) == 1 and all(f"{name} claims" in told[0] for name in ("Blue", "Green", "Brown"))
    assert not any("Blue**:" in post or "Your move, Blue" in post for post in club.posts()), "nobody asks an automatic player"
    rows = await club.store.read(lambda ledger: ledger.log.rows(1, since=0))
    proxies = {(old.seat, getattr(read(old.proxy), "how", "")) for old in rows if old.verb == "claim"}
    assert proxies == {("seat_1", ""), ("seat_2", "auto_solid"), ("seat_3", "auto_solid"), ("seat_4", "auto_solid")}


async def test_nobody_else_fills_the_seats_and_a_full_table_has_no_room(club: World) -> None:
    await club.olga.slash(club.table, "game open", game="attack", seats=2)
    shown = await club.bob.slash(club.table, "game status")
    refused = await club.bob.click(shown.response, label="Add automatic players")
    assert words(refused).startswith(f"<@{club.olga.id}> decides who fills the seats")
    await club.alice.slash(club.table, "game join")
    await club.bob.slash(club.table, "game join")
    with pytest.raises(Refusal, match="No seat is empty"):
        await club.services.lobby.fill(1, "solid", club.olga.id)
    with pytest.raises(Refusal, match="no automatic player of strength superb"):
        await club.services.lobby.fill(1, "superb", club.olga.id)


async def test_a_host_without_a_seat_starts_a_game_of_automatic_players_which_then_play_on(club: World) -> None:
    opened = await club.olga.slash(club.table, "game open", game="attack", seats=2, automatic="for beginners")
    assert "Start" in labels(opened.response)
    await club.services.lobby.start(1, club.olga.id)
    row = await club.services.queries.game(1)
    assert (row.status, row.options) == ("running", {"automatic.alone": "minute"})


async def test_a_seat_is_given_to_an_automatic_player_and_taken_from_it(club: World) -> None:
    await begun(club)
    taken = await club.olga.slash(club.table, "gm hand", seat="seat_2", automatic="none")
    assert "The automatic player no longer plays" in words(taken)
    await thought(club)
    holder = (await club.services.queries.holders(1))[1]
    assert holder.level == "" and holder.absent
    given = await club.olga.slash(club.table, "gm hand", seat="seat_2", automatic="strong")
    assert "An automatic player (strong) plays" in words(given)
    both = await club.olga.slash(club.table, "gm hand", seat="seat_2")
    assert words(both) == "Name a member, or the strength of an automatic player."
    await club.olga.slash(club.table, "gm hand", seat="seat_2", member=club.bob)
    assert (await club.services.queries.holders(1))[1].user == club.bob.id


async def test_who_gives_up_is_followed_by_an_automatic_player_and_nobody_left_means_a_pause(club: World) -> None:
    await club.olga.slash(club.table, "game open", game="attack", seats=3, automatic="solid")
    for person in (club.alice, club.bob):
        await person.slash(club.table, "game join")
    await club.olga.slash(club.table, "game start")
    await thought(club)
    await club.services.seats.resign(1, club.bob.id)
    await thought(club)
    holders = await club.services.queries.holders(1)
    assert [holder.level for holder in holders] == ["", "solid", "solid"]
    await club.services.seats.resign(1, club.alice.id)
    await thought(club)
    assert (await club.services.queries.game(1)).status == "paused"


async def test_an_undo_goes_back_to_the_last_answer_of_a_person_and_the_players_do_the_same_again(club: World) -> None:
    await begun(club)
    await answer(club)
    before = [(row.seat, row.verb, row.answer) for row in await rows(club)]
    stood = (await club.services.session.table(1)).state.model_dump_json()
    await club.services.undo.rollback(1, 0, club.olga.id)
    await thought(club)
    await answer(club)
    again = [(row.seat, row.verb, row.answer) for row in (await rows(club))[len(before) + 1:]]
    assert again == before and (await club.services.session.table(1)).state.model_dump_json() == stood


async def rows(world: World) -> Any:
    return await world.store.read(lambda ledger: ledger.log.rows(1, since=0))


async def test_a_player_that_fails_gives_the_solid_answer_or_the_default_and_is_an_incident(club: World) -> None:
    class Broken(InThisProcess):
        def __init__(self) -> None:
            self.asked: list[str] = []

        async def answer(self, task: Task) -> Action:
            self.asked.append(task.level)
            raise ValueError("my hand is secret")

    broken = Broken()
    club.services.automatic.thinker = broken
    await begun(club, level="strong")
    await answer(club)
    assert broken.asked[:2] == ["strong", "solid"]
    assert len(await rows(club)) > 1, "the game goes on with defaults"
    kept = [gzip.decompress(path.read_bytes()).decode() for path in (club.store.path.parent / "incidents").iterdir()]
    assert kept and "my hand is secret" not in "".join(kept)


async def test_an_answer_that_comes_too_late_is_thought_of_again(club: World) -> None:
    """What was thought of for an earlier position is never given; nothing is given twice."""
    await begun(club)
    services = club.services
    await answer_without_waiting(club)
    real, raced = services.automatic.thinker, list[Task]()

    class Slow(InThisProcess):
        async def answer(self, task: Task) -> Action:
            if not raced:
                raced.append(task)
                await services.answers.answer_for(1, Seat("seat_2"), None, club.olga.id)
            return await real.answer(task)

    services.automatic.thinker = Slow()
    await services.automatic.think_and_answer(1)
    assert raced and [row.proxy for row in await rows(club) if row.seat == "seat_2"][-1].startswith("gm")


@pytest.mark.parametrize("courtesy", [3600.0, 0.0], ids=["somebody is served", "one after the other is served for long"])
async def test_automatic_players_make_way_while_a_person_is_served_but_not_for_ever(
        club: World, monkeypatch: pytest.MonkeyPatch, courtesy: float) -> None:
    await begun(club)
    await answer_without_waiting(club)
    monkeypatch.setattr(automatic_turns, "COURTESY", courtesy)
    before, done = len(await rows(club)), asyncio.Event()
    served = asyncio.create_task(done.wait(), name="discord-ui-view-dispatch-1")
    answering = asyncio.create_task(club.services.automatic.think_and_answer(1))
    if courtesy:
        await club.env.settle()
        assert len(await rows(club)) == before and not answering.done()
        done.set()
    await answering
    assert len(await rows(club)) > before
    done.set()
    await served


async def test_a_moment_without_people_comes_before_an_automatic_player(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two presses that follow each other closely none begins."""
    looks = iter([True, False, True, False, False, False])
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    busy = SimpleNamespace(get_name=lambda: client.INTERACTING[0])
    monkeypatch.setattr(asyncio, "all_tasks", lambda: [busy] if next(looks) else [])
    monkeypatch.setattr(asyncio, "sleep", wait)
    await club.bot.nobody_served(2 * client.AGAIN)
    assert waits == [client.AGAIN] * 5 and not [*looks]


async def test_each_step_of_an_automatic_player_waits_for_such_a_moment(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def nobody_served(seconds: float = 0.0) -> None:
        waited.append(seconds)

    await begun(club)
    await answer_without_waiting(club)
    monkeypatch.setattr(club.bot, "nobody_served", nobody_served)
    await club.services.automatic.think_and_answer(1)
    assert waited == [automatic_turns.CALM] * 2 and automatic_turns.CALM > 0, "before it is asked, and before it answers"


@pytest.mark.parametrize(("game", "level", "hints", "goes"), [
    ("attack", "strong", False, False), ("attack", "strong", True, False),              # nobody looks ahead there
    ("struggle_of_empires", "strong", False, False), ("struggle_of_empires", "strong", True, True),
    ("imperial_struggle", "strong", False, True), ("imperial_struggle", "solid", False, False)])
async def test_the_past_goes_along_only_where_somebody_looks_ahead(club: World, game: str, level: Level, hints: bool, goes: bool
                                                                   ) -> None:
    await begun(club, game=game)
    session = club.services.session
    while len((await session.table(1)).asks) > 1:       # under seal nobody looks ahead
        await answer(club)
    async with session.locked(1):
        live = await session.loaded(1)
        task = await club.services.automatic.task(live, live.table, live.table.waiting()[0].seat, level, hints=hints)
    assert task is not None and (task.start is not None) == goes


async def answer_without_waiting(world: World) -> None:
    world.services.session.think = None
    table = await world.services.session.table(1)
    await world.services.answers.answer(1, world.alice.id, table.default(Seat("seat_1")))


async def test_a_bot_that_was_stopped_while_a_player_was_thinking_goes_on(club: World) -> None:
    await begun(club)
    await answer_without_waiting(club)
    assert (await club.services.session.table(1)).waiting()[0].seat == "seat_2"
    before = len(await rows(club))
    await club.restart()
    await thought(club)
    assert len(await rows(club)) > before
    assert (await club.services.session.table(1)).waiting()[0].seat == "seat_1"


async def test_a_stored_strength_of_another_version_is_told_and_played_as_solid(club: World) -> None:
    await begun(club)
    await answer_without_waiting(club)
    before = len(await rows(club))
    store = club.services.session.store
    await store.write(lambda ledger: ledger.conn.execute("UPDATE seats SET level = 'superb' WHERE level <> ''"))
    await store.write(lambda ledger: ledger.seats.set_successor(1, "superb"))
    await club.restart()
    await thought(club)
    assert len(await rows(club)) > before and {row.proxy for row in (await rows(club))[before:]} == {"auto_solid"}
    assert [holder.level for holder in await club.services.queries.holders(1)] == ["", "solid"]
    said = [post for post in club.posts() if f"{club.olga.mention}: this version of the bot doesn't know how strong" in post]
    assert len(said) == 1 and "It plays as solid from now on. `/gm seats` changes that." in said[0]
    await club.services.automatic.settle_levels()
    await thought(club)
    assert await club.services.session.store.read(lambda ledger: ledger.seats.games_of_other_levels(players.LEVELS)) == []
    assert [post for post in club.posts() if "doesn't know how strong" in post] == said


async def test_private_rounds_are_answered_too(club: World) -> None:
    await begun(club, game="imperial_struggle")
    for _ in range(8):
        await answer(club)
    assert (await club.services.session.table(1)).asked(Seat("seat_1")) is not None
    assert any(row.seat == "seat_2" and row.verb == "take" for row in await rows(club))


async def test_players_think_in_a_process_of_their_own(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the one that the same task gets here; components go to a process once, not with every question."""
    await begun(club)
    await answer_without_waiting(club)
    session = club.services.session
    async with session.locked(1):
        found = await club.services.automatic._asked(await session.loaded(1))
    assert found is not None
    thinkers, put = PlayerProcesses(), list[Task]()
    monkeypatch.setattr("bot.service.player_processes.packed", lambda task: put.append(task) or packed(task))
    try:
        assert await thinkers.answer(found[2]) == answered(found[2])
        assert await thinkers.answer(found[2]) == answered(found[2])
    finally:
        await thinkers.stop()
    assert [task.raw is None for task in put] == [True, False, True]
    assert easier(found[2]) is None and random_answer(found[2].options, lambda most: 0) in found[2].options


async def test_a_run_without_an_end_is_paused_until_somebody_wants_it(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standing orders of all people and automatic players must not play on among themselves for ever."""
    monkeypatch.setattr("bot.service.automatic_players.CALM", 1)
    await begun(club, seats=4)
    await answer(club)
    assert (await club.services.queries.game(1)).status == "paused"
    assert any("Only automatic players and standing orders have moved" in post for post in club.posts())
    monkeypatch.undo()
    await club.services.seats.go_on(1, club.olga.id)
    await thought(club)
    assert (await club.services.session.table(1)).waiting()[0].seat == "seat_1"


async def test_the_result_says_which_seats_were_automatic(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await begun(club)
    told = dict[Seat, Text]()
    monkeypatch.setattr("bot.core.session.final", lambda table, who, secret, commitment, automatic: told.update(automatic))
    live = await club.services.session.loaded(1)
    club.services.session._final(live, live.reader())
    assert {seat: say(name, live.reader()) for seat, name in told.items()} == {"seat_2": "automatic player (solid)"}


async def test_nothing_outside_the_file_tells_what_an_automatic_player_will_do(tmp_path: Path) -> None:
    """Two files in which the same game stands, its dice included: what is known to anybody never foretells the small choices."""
    whims = set[str]()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        Store(tmp_path / name / BLANK).close()              # made anew, not from the copy that other tests begin with
        async with World.at(tmp_path / name / BLANK, (ATTACK,)) as world:
            await world.olga.slash(world.table, "game open", game="attack", seats=2, automatic="solid")
            await world.alice.slash(world.table, "game join")
            await world.olga.slash(world.table, "game start")
            automatic = world.services.automatic
            for _ in range(2):                              # the same each time, also after an undo
                live = await world.services.session.loaded(1)
                task = await automatic.task(live, live.table, live.table.waiting()[0].seat, "solid")
                whims.add(task.secret)
            kept = await world.store.read(lambda ledger: ledger.seats.automatic_secret())
            assert live.secret not in task.secret and live.row.commitment not in task.secret and kept in task.secret
    assert len(whims) == 2
