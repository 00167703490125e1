"""What a crash, a failure or a bug leaves: games go on where they stood."""
from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bot.service import Services
from bot.store import NotStored, Store
from engine.kernel import Action, Entry, Seat, Table, ask
from engine.kernel.game_spec import BOARD
from engine.refusals import Illegal, Refusal
from engine.text import say, text, verbatim
from tests.bot.desk import ANNA, BERT, CARA, CHANNEL, MASTER, crashed, delivered, guessed, kinds, opened, play_on, started
from tests.bot.told import NAMES, ONE, TWO, said, to_the_end
from tests.often_said import BROKEN, NUMBERED
from tests.toy import PEBBLES, Give, Guess, State, Take, Taken, Throw


async def test_tables_come_and_go_in_memory(store: Store) -> None:
    services = play_on(store, tables=2)
    games = [await guessed(services) for _ in range(4)]
    for game in games:
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    for game in games:
        assert (await services.session.table(game)).state.heap == 11
    assert len(services.session.live) == 2


async def position(services: Services, game: int) -> tuple[object, ...]:
    """All that must be the same after a restart."""
    row = await services.queries.game(game)
    if row.status == "open":
        return (row,)
    table = await services.session.table(game)
    return (row, table.state.model_dump_json(), table.last_no, table.asked_at, table.rolls, table.epoch,
            [(wait.seat, wait.user, wait.asked_at, wait.since) for wait in await services.queries.waiting(game)],
            [table.options(question.seat) for question in table.waiting()],
            [letter for letter in await services.outbox.pending(500) if letter.game == game],
            await services.queries.history(game, page=1, size=500))


async def random_step(services: Services, game: int, chance: random.Random) -> None:
    """Something that somebody could do now; refusals included."""
    row, holders = await services.queries.game(game), await services.queries.holders(game)
    table = await services.session.table(game)
    acts = ["answer"] * 12 + ["undo", "redo", "rollback", "resign", "hand", "pause", "on", "gift", "send", "quiet"]
    act = chance.choice(acts)
    members = {holder.seat: holder.user for holder in holders}
    if act == "answer" and row.status == "running":
        question = chance.choice(table.waiting())
        member = members[question.seat]
        assert member is not None
        await services.answers.answer(game, member, chance.choice(table.options(question.seat)), asked_at=table.asked_at)
    elif act == "gift" and (gifts := [(seat, gift) for seat in members for gift in Give.options(table.state, seat)]):
        seat, gift = chance.choice(gifts)
        await services.answers.answer(game, members[seat] or 0, gift)
    elif act == "undo":
        await services.undo.undo(game, MASTER)
    elif act == "redo":
        await services.undo.redo(game, MASTER)
    elif act == "rollback":
        await services.undo.rollback(game, chance.randint(0, table.last_no), MASTER, fresh=chance.random() < 0.5)
    elif act == "resign":
        await services.seats.resign(game, chance.choice([user for user in members.values() if user] or [0]))
    elif act == "hand":
        await services.consent.hand_over(game, chance.choice(list(members)), chance.choice([ANNA, BERT, CARA, 104]), MASTER)
    elif act == "pause":
        await services.seats.pause(game, MASTER)
    elif act == "on":
        await services.seats.go_on(game, MASTER)
    elif act == "quiet":
        await services.seats.set_private(game, chance.choice([user for user in members.values() if user] or [0]),
                                         chance.random() < 0.5)
    elif act == "send" and (letters := await services.outbox.pending(4)):
        await services.outbox.note(letters[0].game, [(letters[0].id, 1)])


@pytest.mark.parametrize("seed", range(6))
async def test_a_crash_loses_nothing_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "live" / "chancery.db"
    path.parent.mkdir()
    store = Store(path)
    services = play_on(store)
    game = await started(services, (ANNA, BERT, CARA)[:2 + seed % 2])
    for step in range(60):
        try:
            await random_step(services, game, chance)
        except Refusal as refused:
            assert "Something went wrong" not in str(refused)
        here = await position(services, game)
        assert await position(play_on(store), game) == here             # a new process on the same file
        if step % 12 == seed:                                           # a process killed now, and its disk elsewhere
            other = Store(crashed(path, tmp_path / f"crash {step}"))
            survivor = play_on(other)
            assert await position(survivor, game) == here
            other.close()
    store.close()


@pytest.mark.parametrize("seed", range(4))
async def test_what_cannot_be_stored_has_not_happened(store: Store, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    services = play_on(store)
    game = await started(services)
    write = store.write

    async def full(work: Any) -> Any:
        def lost(ledger: Any) -> Any:
            work(ledger)
            raise NotStored("The disk is full.")
        return await write(lost)

    for step in range(40):
        before = await position(services, game)
        failing = step % 2 == 0
        if failing:
            monkeypatch.setattr(store, "write", full)
        try:
            await random_step(services, game, chance)
        except Refusal:
            pass
        monkeypatch.setattr(store, "write", write)
        if failing:
            assert await position(services, game) == before


async def test_every_question_reaches_its_seat_once(store: Store) -> None:
    chance = random.Random(5)
    services = play_on(store)
    game = await started(services, (ANNA, BERT, CARA))
    seen: list[tuple[str, int]] = []
    while (await services.queries.game(game)).status == "running":
        seen += [(letter.audience, letter.payload["asked_at"]) for letter in await delivered(services)
                 if letter.kind == "question"]
        wait = chance.choice(await services.queries.waiting(game))
        assert (wait.seat, wait.asked_at) in seen
        assert wait.user is not None
        await services.answers.answer(game, wait.user, chance.choice((await services.session.table(game)).options(wait.seat)))
        if chance.random() < 0.3:
            services = play_on(store)
    assert len(seen) == len(set(seen))


async def test_a_bug_of_ours_is_a_calm_sentence_and_tells_no_secret(
        services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    game = await guessed(services)
    before = (await services.session.table(game)).state.model_dump_json()

    def broken(self: Table, *given: Any, **more: Any) -> None:
        self.state.heap = 0
        raise ValueError(f"Anna's guess is {self.state.guess}")

    with monkeypatch.context() as patch, caplog.at_level(logging.DEBUG):
        patch.setattr(Table, "answer", broken)
        with pytest.raises(Refusal) as refused:
            await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert str(refused.value) == (
        NUMBERED)
    assert refused.value.__suppress_context__
    assert "ValueError" in caplog.text and "{'seat_1'" not in caplog.text
    assert (await services.session.table(game)).state.model_dump_json() == before


async def test_a_refusal_from_the_depths_leaves_no_half_move(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await guessed(services)

    def half(self: Table, seat: Seat, action: Action, by: Any) -> Entry:
        self.state.heap = 1
        raise Illegal("A rule refused too late.")

    with monkeypatch.context() as patch:
        patch.setattr(Table, "_record", half)
        with pytest.raises(Refusal, match=BROKEN):
            await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.heap == 12


async def test_one_who_stops_waiting_leaves_memory_and_file_alike(
        services: Services, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await guessed(services)
    storing, write = asyncio.Event(), store.write

    async def watched(work: Any) -> Any:
        storing.set()
        return await write(work)

    monkeypatch.setattr(store, "write", watched)
    answering = asyncio.create_task(services.answers.answer(game, ANNA, Take.of(1, "left")))
    await storing.wait()
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answering
    assert await position(services, game) == await position(play_on(store), game)


async def test_a_log_that_no_longer_replays_pauses_its_game_alone(services: Services, store: Store) -> None:
    sound, broken = await guessed(services), await guessed(services)
    for member in (ANNA, BERT):
        await services.answers.answer(broken, member, Take.of(1, "left"))
    await delivered(services)

    def poorer(g: Any) -> Any:              # the rules of tomorrow: a turn takes from the heap what was not recorded
        seat = Seat(g.state.seats[g.state.turn % 2])
        yield from ask(seat, Take, Throw, prompt="?")
        g.emit(Taken(seat=seat, pebbles=2))

    (first,) = [row.no for row in (await store.read(lambda ledger: ledger.log.rows(broken, since=3)))]
    checkpoints = await store.read(lambda ledger: ledger.conn.execute(
        "SELECT no FROM checkpoints WHERE game = ?", (broken,)).fetchall())
    assert (first,) in checkpoints          # so the row before it is not even looked at
    await store.write(lambda ledger: ledger.conn.execute("DELETE FROM checkpoints WHERE game = ? AND no > 2", (broken,)))
    changed = play_on(store, spec=PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": poorer}))
    with pytest.raises(Refusal) as refused:
        await changed.answers.answer(broken, ANNA, Take.of(1, "left"))
    sentence = "I can't reproduce step 3, so I've paused this game. The game master can fix it with a rollback to step 2."
    assert str(refused.value) == sentence
    with pytest.raises(Refusal, match="can't reproduce"):
        await changed.session.table(broken)
    assert (await changed.queries.game(broken)).status == "paused" and (await changed.queries.game(sound)).status == "running"
    assert [(letter.audience, letter.payload["text"]) for letter in await delivered(changed)] == [("gm", sentence)]
    assert changed.session.troubles.drifts == {broken: 3}, "whoever runs the bot hears of it"
    assert (await changed.queries.reader(broken)).name("seat_1") == "Amber"
    preview = await changed.undo.preview(broken, 2)
    assert preview.rows == [3, 4] and said(preview.lines) == ["Amber takes 1 pebble.", "Basalt takes 1 pebble."]
    await changed.undo.rollback(broken, 2, MASTER)
    await changed.seats.go_on(broken, MASTER)
    await changed.answers.answer(broken, ANNA, Take.of(1, "left"))
    assert (await changed.session.table(broken)).state.heap == 10


async def test_a_finished_game_that_no_longer_replays_is_left_as_it_is(services: Services, store: Store) -> None:
    game = await to_the_end(services)
    await store.write(lambda ledger: ledger.conn.execute("DELETE FROM checkpoints WHERE game = ? AND no > 2", (game,)))
    changed = play_on(store, spec=PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": PEBBLES.rules.phases["guessing"]}))
    with pytest.raises(Refusal, match=r"I can't reproduce step 3, so I can't show the position."):
        await changed.session.table(game)
    assert (await changed.queries.game(game)).status == "over" and not changed.session.troubles.drifts
    assert len((await changed.queries.history(game, page=1))[0]) == 6           # its sentences can still be read


async def test_rows_of_another_version_are_named_and_not_shown(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    events = tuple(kind for kind in PEBBLES.rules.events if kind.__name__ != "Taken")
    changed = play_on(store, spec=PEBBLES.changed(events=events))
    lines, _ = await changed.queries.history(game, page=1)
    assert said(line for _, _, line in lines) == ["All have guessed.", "Step 3 can no longer be read."]


async def test_rows_that_come_to_be_while_a_table_is_built_are_stored(services: Services, store: Store) -> None:
    """A new version leaves a seat only one answer: the rule gives it as soon as anybody looks."""
    game, closed = await guessed(services), await guessed(services)
    await services.seats.close(closed, MASTER, "")
    await delivered(services)

    class Only(Take):
        @classmethod
        def options(cls, state: State, seat: Seat) -> Iterable[Take]:
            return [Take.of(1, "left")] if state.turn == 0 else Take.options(state, seat)

    class Never(Throw):
        @classmethod
        def options(cls, state: State, seat: Seat) -> Iterable[Throw]:
            return [] if state.turn == 0 else Throw.options(state, seat)

    def taking(g: Any) -> Any:
        seat = Seat(g.state.seats[g.state.turn % 2])
        answer: Any = yield from ask(seat, Only, Never, prompt="?")
        g.emit(Taken(seat=seat, pebbles=answer.pebbles))

    changed = play_on(store, spec=PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": taking}))
    await changed.session.table(game)
    assert [row.by for row in await store.read(lambda ledger: ledger.log.rows(game, since=2))] == ["rule"]
    assert kinds(await delivered(changed)) == [("log", "public"), ("picture", "public"), ("question", TWO)]
    await changed.session.table(closed)             # but a closed game stays as it is
    assert await changed.queries.newest(closed) == 2 and await changed.outbox.pending() == []


def test_words_of_people_are_told_as_they_are() -> None:
    assert say(text("{words} said so.", words=verbatim("{seat_1} of my_game")), NAMES) == "{seat_1} of my_game said so."


async def test_a_question_that_follows_on_its_own_answer_takes_the_place_of_the_last(services: Services) -> None:
    game = await started(services)
    await delivered(services)
    await services.answers.answer(game, BERT, Guess.of(1))
    await services.answers.answer(game, ANNA, Guess.of(2))             # Anna is asked at once for her first turn
    (question,) = [letter for letter in await delivered(services) if letter.kind == "question"]
    assert (question.audience, question.payload["follows"]) == (ONE, True)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))      # now Bert is asked, and a board goes before
    (question,) = [letter for letter in await delivered(services) if letter.kind == "question"]
    assert (question.audience, question.payload["follows"]) == (TWO, False)


async def test_titles_and_names_of_members_stay_on_one_short_line(services: Services) -> None:
    game = await opened(services, title=" One\n\u202eeno\x00 " + "x" * 100)
    assert (await services.queries.game(game)).title == f"One eno {'x' * 52}"
    assert (await services.queries.game(await opened(services, title="\u202e\n"))).title == "Pebbles"
    for member, name in ((ANNA, "**Anna** [a](b)\n\u202e#"), (BERT, "b" * 300)):
        await services.lobby.join(game, member, name=name)
    await services.lobby.start(game, MASTER)
    assert (await services.queries.story(game, BOARD)).people == {ONE: "Anna a(b)", TWO: f"{'b' * 39}…"}
    await services.seats.close(game, MASTER, "done")
    branch = await services.branching.branch(game, 0, MASTER, channel=CHANNEL + 1, title="Two\u2028lines")
    assert branch.title == "Two lines"
