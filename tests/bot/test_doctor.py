"""Before a new version takes over: which games would differ, where, and what keeps them playable; and it says no secret."""
from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.operator import cli, doctor
from bot.operator.config import Settings
from bot.store import Store
from engine.games.struggle_of_empires import GAME as STRUGGLE
from engine.kernel import GameSpec, Seat, ask
from engine.refusals import Faulty, Refusal
from engine.text import say
from tests.bot.desk import ANNA, BERT, MASTER, blank, delivered, guessed, play_on
from tests.toy import PEBBLES, SECRET, Take, Taken, Throw, plain


async def lived(path: Path, turns: int = 3, *, title: str = "Friday") -> None:
    """A game in which guesses were 1 and 2 and some turns were taken."""
    with closing(Store(blank(path))) as store:
        services = play_on(store)
        game = await guessed(services)
        for turn in range(turns):
            await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(1, "left"))
        await delivered(services)
        await store.write(lambda ledger: ledger.conn.execute("UPDATE games SET title = ? WHERE id = ?", (title, game)))


def forget(path: Path, *, above: int) -> None:
    """Throw away the states that were kept after later rows."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DELETE FROM checkpoints WHERE no > ?", (above,))
        conn.commit()


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change every state that was kept, as if other rules had made it."""
    with closing(sqlite3.connect(path)) as conn:
        for game, no, state in conn.execute("SELECT game, no, state FROM checkpoints").fetchall():
            body = json.loads(zlib.decompress(state))
            change(body)
            conn.execute("UPDATE checkpoints SET state = ? WHERE game = ? AND no = ?",
                         (zlib.compress(json.dumps(body).encode()), game, no))
        conn.commit()


def turns(pebbles: int) -> GameSpec:
    """The rules of another version: a turn takes so many pebbles, whatever is answered."""
    def taking(g: Any) -> Any:
        seat = Seat(g.state.seats[g.state.turn % 2])
        yield from ask(seat, Take, Throw, prompt="?")
        g.emit(Taken(seat=seat, pebbles=pebbles))

    return PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": taking})


async def diagnosed(path: Path, spec: GameSpec = PEBBLES) -> tuple[bool, list[str]]:
    diagnosis = await doctor.examine(path, (spec,))
    return diagnosis.well, [say(sentence) for sentence in diagnosis.sentences]


async def test_games_that_go_on_as_they_stand(path: Path) -> None:
    await lived(path)
    await lived(path, 0)
    assert await diagnosed(path) == (True, ["2 running games are checked: 2 replay to the last step."])


async def test_a_game_that_would_differ_is_named_with_the_first_row_and_what_differs(path: Path) -> None:
    await lived(path)
    forget(path, above=2)
    assert await diagnosed(path, turns(2)) == (False, [
        "1 running game is checked: 0 replay to the last step.",
        "Game 1, Friday: it will be paused (row 3: take by seat_1 has other effects than recorded (Taken.pebbles)). A rollback "
        "to step 2 then keeps 2 of 5 steps. To keep them all, play on to the next turn with the previous version and try "
        "again."])


async def test_the_game_that_was_named_is_kept_playable_as_it_was_said(path: Path) -> None:
    await lived(path)
    forget(path, above=2)
    with closing(Store(path)) as store:
        services = play_on(store, spec=turns(2))
        with pytest.raises(Refusal, match=r"I've paused this game\. The game master can fix it with a rollback to step 2"):
            await services.answers.answer(1, BERT, Take.of(1, "left"))
        await services.undo.rollback(1, 2, MASTER)
        await services.seats.go_on(1, MASTER)
        await services.answers.answer(1, ANNA, Take.of(1, "left"))
        assert (await services.session.table(1)).state.heap == 10


async def test_a_game_whose_past_differs_plays_on_from_the_state_that_was_kept(path: Path) -> None:
    await lived(path)
    assert await diagnosed(path, turns(2)) == (False, [
        "1 running game is checked: 0 replay to the last step.",
        "Game 1, Friday: it goes on from the last saved state, but can't be rolled back to before that (row 3: "
        "take by seat_1 has other effects than recorded (Taken.pebbles))."])
    with closing(Store(path)) as store:
        services = play_on(store, spec=turns(2))
        with pytest.raises(Refusal, match=r"I can't reproduce step 3, so I can't show the position"):
            await store.write(lambda ledger: ledger.conn.execute("DELETE FROM checkpoints WHERE no IN (3, 4)"))
            await services.undo.rollback(1, 4, MASTER)
        assert (await services.queries.game(1)).status == "running"             # that a past is lost stops nobody
        await services.answers.answer(1, BERT, Take.of(1, "left"))


async def test_a_state_that_was_kept_and_is_not_where_the_rows_lead(path: Path) -> None:
    await lived(path)
    rewrite(path, lambda state: state.update(thrown=7) if state["turn"] > 1 else None)
    assert (await diagnosed(path))[1][1:] == [
        "Game 1, Friday: it goes on from the last saved state. Replayed from the start, the state after step 4 differs in "
        "thrown."]


async def test_states_of_other_rules_are_replayed_from_the_beginning(path: Path) -> None:
    """A field has another type now: no state that was kept can be read, and the rows lead to the same position."""
    await lived(path)
    rewrite(path, lambda state: state.update(turn="the third"))
    assert await diagnosed(path) == (True, ["1 running game is checked: 1 replays to the last step."])
    with closing(Store(path)) as store:
        services = play_on(store)
        await services.answers.answer(1, BERT, Take.of(3, "left"))
        assert (await services.session.table(1)).state.heap == 6
        assert len((await services.queries.history(1, page=1))[0]) == 5


@pytest.mark.parametrize("version", [0, STRUGGLE.rules.version])
async def test_a_game_that_is_set_up_again_keeps_the_version_of_its_rules(path: Path, version: int) -> None:
    with closing(Store(blank(path))) as store:
        services = play_on(store, spec=STRUGGLE)
        game = await services.lobby.open(key=STRUGGLE.key, edition="first", seats=2, options={}, pack=None, title="", guild=1,
                                         channel=2,
                               owner=MASTER)
        for member in (ANNA, BERT):
            await services.lobby.join(game.id, member)
        await services.lobby.start(game.id, MASTER)
    rewrite(path, lambda state: state.update(rules_version=version, place="the third"))
    with closing(Store(path)) as store:
        assert (await play_on(store, spec=STRUGGLE).session.table(game.id)).state.rules_version == version


async def test_the_last_state_alone_is_of_other_rules(path: Path) -> None:
    await lived(path)
    rewrite(path, lambda state: state.update(turn="the third") if state["turn"] == 3 else None)
    with closing(Store(path)) as store:
        assert (await play_on(store).session.table(1)).state.heap == 9


async def test_a_game_that_no_rollback_mends(path: Path) -> None:
    await lived(path)

    def refused(raw: Any) -> Any:
        raise Faulty("These components are of another version.")

    assert (await diagnosed(path, PEBBLES.changed(parts=refused)))[1][1:] == [
        "Game 1, Friday: this version can't play it (These components are of another version.). Finish it with the previous "
        "version."]


async def test_an_error_of_the_rules_is_told_without_its_words(path: Path) -> None:
    await lived(path)

    def taking(g: Any) -> Any:
        raise RuntimeError(f"The guesses are {g.state.guess}")
        yield

    well, sentences = await diagnosed(path, PEBBLES.changed(phases={**PEBBLES.rules.phases, "taking": taking}))
    assert not well and "RuntimeError" in sentences[1] and "guesses" not in " ".join(sentences)


@pytest.mark.parametrize("spec", [turns(2), turns(3), PEBBLES.changed(actions=(), menus=plain(*PEBBLES.rules.asides))])
async def test_no_value_of_a_row_is_told(path: Path, spec: GameSpec) -> None:
    await lived(path, title="Friday\x1b[31m\u202e")
    rewrite(path, lambda state: state.update(guess={"seat_1": 7777}))
    _, sentences = await diagnosed(path, spec)
    said = " ".join(sentences)
    assert "7777" not in said and SECRET not in said and '"' not in said and "\x1b" not in said and "\u202e" not in said


async def test_the_examined_file_does_not_change_and_may_be_in_use(path: Path) -> None:
    await lived(path)
    with closing(Store(path)) as store:
        before = path.read_bytes()                          # noqa: ASYNC240
        assert (await diagnosed(path))[0]
        assert path.read_bytes() == before                  # noqa: ASYNC240
        await play_on(store).answers.answer(1, BERT, Take.of(1, "left"))


async def test_rows_that_belong_to_nothing_are_counted(path: Path) -> None:
    await lived(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("INSERT INTO audit (game, at, deed) VALUES (99, 'now', 'nothing')")
        conn.commit()
    assert await diagnosed(path) == (False, [
        "1 of the rows of the table audit belong to a row of games that is not there.",
        "The file is damaged. Put a copy back with `python -m bot restore`."])


def test_the_command_and_its_exit_status(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Store(blank(path)).close()
    settings = Settings(_env_file=None, CHANCERY_DATABASE=path)
    assert cli.run(["doctor"], settings) == 0
    assert capsys.readouterr().out == "0 running games are checked: 0 replay to the last step.\n"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("INSERT INTO audit (game, at, deed) VALUES (99, 'now', 'nothing')")
        conn.commit()
    assert cli.run(["doctor"], settings) == 1
    with pytest.raises(Faulty, match="can't be opened"):
        cli.run(["--database", str(path.parent / "nowhere.db"), "doctor"], settings)
