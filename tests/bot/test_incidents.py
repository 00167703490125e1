"""What goes wrong unexpectedly: a sentence with a number, a capsule for the operator alone, and the same error again from it."""
from __future__ import annotations

import asyncio
import contextvars
import gzip
import inspect
import json
import logging
import re
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.core import incidents
from bot.core.service import Service
from bot.discord.client import commands
from bot.discord.find_game import suggest_games
from bot.domain.absence import Timer
from bot.operator import cli, incident_replay
from bot.operator.config import Settings
from bot.service import Services
from bot.store import Store
from engine.kernel import Seat, Table
from engine.refusals import Faulty, Refusal
from tests.bot.desk import ANNA, BERT, MASTER, blank, guessed, play_on
from tests.bot.discord_world import World, words
from tests.bot.test_faults import refusal
from tests.often_said import BROKEN, NUMBERED
from tests.toy import PEBBLES, SECRET, State, Take, Taken

ONE = Seat("seat_1")


class Bug:
    """A fault of the rules: whoever takes three pebbles from a heap of nine meets it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        apply = Taken.apply

        def broken(event: Taken, state: State) -> None:
            if event.pebbles == 3 and state.heap == 9:
                raise ValueError(f"Anna's guess is {state.guess}")
            apply(event, state)

        patch.setattr(Taken, "apply", broken)


@pytest.fixture
def bug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bug]:
    with monkeypatch.context() as patch:
        yield Bug(patch)


async def met(services: Services) -> int:
    """A game in which Bert has met the fault."""
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    with pytest.raises(Refusal, match=r"incident 1\."):
        await services.answers.answer(game, BERT, Take.of(3, "right"), asked_at=3)
    return game


def only(path: Path) -> Path:
    (found,) = (path.parent / "incidents").iterdir()
    return found


# --- the capsule ------------------------------------------------------------------------------------------------

async def test_a_sentence_with_a_number_and_a_capsule_with_all_that_was_known(services: Services, path: Path, bug: Bug) -> None:
    game = await met(services)
    kept = incident_replay.opened(only(path))
    assert (kept.number, kept.error, kept.game, kept.rows) == (1, "ValueError", game, 3)
    assert kept.attempt.model_dump() == {
        "deed": "answer", "given": {"game": game, "user": BERT, "asked_at": 3,
                                    "action": {"verb": "take", "fields": {"pebbles": 3, "hand": "right"}}},
        "lost": [], "interaction": None, "work": ""}
    assert kept.components == (await services.queries.game(game)).pack_hash and set(kept.packages) == set(incidents.PACKAGES)
    assert kept.trace[-1].endswith(" broken") and any("bot/service/answers.py" in place for place in kept.trace)
    assert not [place for place in kept.trace if "guess is" in place]


async def test_only_the_operator_can_read_it(services: Services, path: Path, bug: Bug) -> None:
    await met(services)
    assert stat.S_IMODE(only(path).stat().st_mode) == 0o600 and stat.S_IMODE(only(path).parent.stat().st_mode) == 0o700


async def test_log_and_sentence_hold_no_value(services: Services, bug: Bug, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        await met(services)
    assert "incident 1, game 1: ValueError" in caplog.text
    assert "seat_1" not in caplog.text and SECRET not in caplog.text and '"pebbles"' not in caplog.text


async def test_nothing_has_changed(services: Services, store: Store, bug: Bug) -> None:
    game = await met(services)
    assert await services.queries.newest(game) == 3 and (await services.session.table(game)).state.heap == 9
    await services.answers.answer(game, BERT, Take.of(2, "left"))
    assert (await services.session.table(game)).state.heap == 7


async def test_the_same_fault_keeps_its_number_and_another_gets_the_next(
        services: Services, path: Path, monkeypatch: pytest.MonkeyPatch, bug: Bug) -> None:
    game = await met(services)
    with pytest.raises(Refusal, match=r"incident 1\."):
        await services.answers.answer(game, BERT, Take.of(3, "left"))
    with monkeypatch.context() as patch, pytest.raises(Refusal, match=r"incident 2\."):
        patch.setattr(Table, "examine", lambda *given, **more: 1 / 0)
        await services.answers.answer(game, BERT, Take.of(1, "left"))
    again = play_on(services.session.store)                                   # the next process knows them, and goes on counting
    with pytest.raises(Refusal, match=r"incident 1\."):
        await again.answers.answer(game, BERT, Take.of(3, "left"))
    with monkeypatch.context() as patch, pytest.raises(Refusal, match=r"incident 3\."):
        patch.setattr(Table, "examine", lambda *given, **more: 1 + None)
        await again.answers.answer(game, BERT, Take.of(1, "left"))
    assert len(list((path.parent / "incidents").iterdir())) == 3


def test_faults_of_one_kind_push_no_other_out(tmp_path: Path) -> None:
    known = incidents.Incidents(tmp_path / "incidents")
    for number, why in enumerate([KeyError(), *[ValueError()] * incidents.CAPSULES_KEPT, KeyError()], 1):
        known.number(why, "answer", number)
        known.keep(number, {"error": type(why).__name__, "trace": [], "attempt": {"deed": "answer"}, "game": number})
    left = {int(file.name.split("-")[1].split(".")[0]) for file in known.files()}
    assert len(left) == incidents.CAPSULES_KEPT and {1, incidents.CAPSULES_KEPT + 2} < left and not {2, 3} & left
    later = incidents.Incidents(tmp_path / "incidents")
    later.recall()
    assert later.number(KeyError(), "answer", 1) == (1, False) and later.number(ValueError(), "answer", 9) == (9, False)
    for number in range(100, 130):
        later.keep(later.number(ValueError(), "answer", number)[0], {})
    assert {1, incidents.CAPSULES_KEPT + 2} < {int(file.name.split("-")[1].split(".")[0]) for file in later.files()}


def test_what_is_no_capsule_keeps_no_fault_from_being_kept(tmp_path: Path) -> None:
    known = incidents.Incidents(tmp_path)
    for number, content in enumerate((b"", b"no gzip", gzip.compress(b"[]"), gzip.compress(b'{"error": 1}')), 1):
        (tmp_path / f"incident-{number}.json.gz").write_bytes(content)
    known.recall()
    assert known.number(ValueError(), "answer", 1) == (5, True)


def test_the_number_of_capsules_is_bounded(tmp_path: Path) -> None:
    known = incidents.Incidents(tmp_path / "incidents")
    for number in range(1, incidents.CAPSULES_KEPT + 6):
        assert known.number(ValueError(), number) == (number, True)
        known.keep(number, {})
    assert [file.name for file in known.files()][::incidents.CAPSULES_KEPT - 1] == ["incident-6.json.gz", "incident-55.json.gz"]


async def test_without_room_for_a_capsule_there_is_a_number_all_the_same(
        services: Services, path: Path, bug: Bug, caplog: pytest.LogCaptureFixture) -> None:
    (path.parent / "incidents").write_text("a file in the way")
    await met(services)
    assert "incident 1: its capsule cannot be written" in caplog.text


async def test_a_database_that_is_unwell_leaves_an_empty_capsule(
        services: Services, path: Path, store: Store, bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwell(self: object, game: int) -> None:
        raise OSError("a sector with the guess 7777")

    monkeypatch.setattr("bot.store.game_dump.Captures.capture", unwell)
    await met(services)
    assert incident_replay.opened(only(path)).tables == {}


async def test_what_a_act_needs_and_cannot_be_written_is_named(services: Services, path: Path) -> None:
    async def method(game: int, work: object) -> None:
        """A method that is given a function."""

    written = incidents.written(method, {"game": 1, "work": lambda: None})
    assert written == {"deed": "method", "given": {"game": 1}, "lost": ["work"]}


# --- done again -------------------------------------------------------------------------------------------------

async def test_a_capsule_turns_into_the_same_error_again(services: Services, path: Path, bug: Bug) -> None:
    game = await met(services)
    await services.answers.answer(game, BERT, Take.of(1, "left"))               # meanwhile the game goes on
    rehearsal = await incident_replay.rehearse(incident_replay.opened(only(path)), (PEBBLES,))
    assert rehearsal.same and str(rehearsal.error) == "Anna's guess is {'seat_1': 1, 'seat_2': 2}"
    assert rehearsal.board == "heap 9"


async def test_once_the_fault_is_mended_nothing_goes_wrong(services: Services, path: Path,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        Bug(patch)
        await met(services)
    rehearsal = await incident_replay.rehearse(incident_replay.opened(only(path)), (PEBBLES,))
    assert rehearsal.error is None and not rehearsal.same


async def test_another_error_is_told_from_the_one_of_the_incident(
        services: Services, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        Bug(patch)
        await met(services)
    monkeypatch.setattr(Table, "examine", lambda *given, **more: dict[str, Any]()["x"])
    rehearsal = await incident_replay.rehearse(incident_replay.opened(only(path)), (PEBBLES,))
    assert isinstance(rehearsal.error, KeyError) and not rehearsal.same


def test_a_capsule_can_name_each_operation_by_its_method_alone(services: Services) -> None:
    operations = Counter(name for one in vars(services).values() for name, found in vars(type(one)).items()
                         if inspect.iscoroutinefunction(found) and hasattr(found, "__wrapped__"))
    assert set(operations.values()) == {1} and len(operations) > 100
    for one in vars(services).values():
        for name in operations & vars(type(one)).keys():
            found: Any = services.method(name)
            assert found.__func__ is inspect.unwrap(vars(type(one))[name])


def test_what_writes_is_an_operation(services: Services) -> None:
    """Whatever a service stores by itself can be repeated from its capsule; private parts run within an operation."""
    writing = re.compile(r"self\.(store\.write|session\.(commit|give|declare|deliver))\(")
    plain = {f"{type(one).__name__}.{name}" for one in vars(services).values() if isinstance(one, Service)
             for name, found in vars(type(one)).items() if inspect.iscoroutinefunction(found) and not name.startswith("_")
             and not hasattr(found, "__wrapped__") and writing.search(inspect.getsource(found))}
    assert plain == {"Consent.grant", "Undo.turn_to"}, "these two run within an operation"


@pytest.mark.parametrize("act", ["undo", "rollback", "pause", "play_over", "table"])
async def test_other_acts_too(services: Services, path: Path, monkeypatch: pytest.MonkeyPatch, act: str) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    monkeypatch.setattr("bot.core.session.line", lambda rows: 1 / 0)
    monkeypatch.setattr("engine.undo.line", lambda rows: 1 / 0)
    monkeypatch.setattr("bot.service.stop", lambda *given: 1 / 0)
    again = play_on(services.session.store)                                    # with nothing in memory
    doing = {"undo": lambda: again.undo.undo(game, MASTER), "rollback": lambda: again.undo.rollback(game, 2, MASTER, fresh=True),
             "pause": lambda: again.seats.pause(game, MASTER),
             "play_over": lambda: again.answers.answer(game, BERT, Take.of(1, "left")),
             "table": lambda: again.session.table(game)}[act]
    with pytest.raises(Refusal, match=r"incident 1\."):
        await doing()
    rehearsal = await incident_replay.rehearse(incident_replay.opened(only(path)), (PEBBLES,))
    assert rehearsal.same and isinstance(rehearsal.error, ZeroDivisionError)


async def test_orders_and_clocks_of_the_game_come_along(services: Services, store: Store) -> None:
    """What was captured of a game, in an empty file, is the same game to the last table."""
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    captured = await store.read(lambda ledger: ledger.game_dump.capture(game))
    with closing(Store(blank(store.path.parent / "other.db"))) as other:
        await other.write(lambda ledger: ledger.game_dump.refill(json.loads(json.dumps(captured))))
        assert await other.read(lambda ledger: ledger.game_dump.capture(game)) == captured
        assert (await play_on(other).session.table(game)).state == (await services.session.table(game)).state
    assert {"games", "seats", "log", "checkpoints", "clocks", "deadlines", "components"} <= {
        table for table, rows in captured.items() if rows}


@pytest.mark.parametrize("content", [
    b"", b"Dear diary", gzip.compress(b"null"), gzip.compress(b"[" * 100_000), gzip.compress(b'{"capsule": 1}'),
    gzip.compress(b"{}")[:-4]], ids=range(6))
def test_what_is_no_capsule(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "capsule").write_bytes(content)
    with pytest.raises(Faulty, match="isn't a capsule"):
        incident_replay.opened(tmp_path / "capsule")
    with pytest.raises(Faulty, match="isn't a capsule"):
        incident_replay.opened(tmp_path / "nowhere")


@pytest.mark.parametrize("change, sentence", [
    (lambda body: body["attempt"].update(deed="_commit"), "doesn't know this action"),
    (lambda body: body["attempt"].update(deed="spec"), "doesn't know this action"),
    (lambda body: body["attempt"].update(deed=""), "doesn't know this action"),
    (lambda body: body["attempt"].update(lost=["action"]), "couldn't keep action"),
    (lambda body: body["attempt"]["given"].update(user="Bert"), "can't read what was attempted"),
    (lambda body: body["tables"].update(spells=[{"id": 1}]), "The table spells is one of another version"),
    (lambda body: body["tables"]["log"][0].update({"no) SELECT 1; --": 1}), "The table log is one of another version"),
    (lambda body: body["tables"]["log"].append(body["tables"]["log"][0]), "The table log does not take"),
])
async def test_a_capsule_that_cannot_be_done_again_says_why(
        services: Services, path: Path, bug: Bug, change: Any, sentence: str) -> None:
    await met(services)
    body = json.loads(gzip.decompress(only(path).read_bytes()))
    change(body)
    only(path).write_bytes(gzip.compress(json.dumps(body).encode()))
    with pytest.raises(Faulty, match=sentence):
        await incident_replay.rehearse(incident_replay.opened(only(path)), (PEBBLES,))


# --- on Discord -------------------------------------------------------------------------------------------------

async def test_who_meets_a_fault_on_discord_gets_its_number(world: World, bug: Bug) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    assert words(await world.bob.slash(world.table, "pebbles take", pebbles=3)) == NUMBERED


async def test_a_fault_outside_the_core_has_a_capsule_with_what_was_typed(
        world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    await world.guessed()
    guess = 7777

    def broken(*given: object) -> None:
        raise ValueError(f"the guess is {guess}")

    monkeypatch.setattr("bot.discord.lobby.commands.standing", broken)
    said = words(await world.alice.slash(world.table, "game status"))
    assert said.startswith("Something went wrong inside the bot. Your position is safe") and said.endswith("as incident 1.")
    kept = incident_replay.opened(only(world.path))
    assert kept.attempt.interaction is not None and kept.attempt.interaction.data["name"] == "game"
    assert kept.game == 1 and kept.rows == 2
    assert "ValueError" in caplog.text and "7777" not in caplog.text
    rehearsal = await incident_replay.rehearse(kept, (PEBBLES,))
    assert rehearsal.same and str(rehearsal.error) == "the guess is 7777"
    monkeypatch.undo()
    assert (await incident_replay.rehearse(kept, (PEBBLES,))).error is None
    assert len(world.env.errors) == 1


async def test_a_fault_of_an_autocomplete_offers_nothing_and_comes_again(
        world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    await world.guessed()

    guess = 7777

    def broken(*given: object) -> None:
        raise ValueError(f"the guess is {guess}")

    monkeypatch.setattr("bot.discord.game.action_commands.offered", broken)
    assert await world.alice.autocomplete(world.table, "pebbles take", "hand", "", pebbles=2) == []
    kept = incident_replay.opened(only(world.path))
    assert kept.game == 1 and kept.attempt.interaction is not None and kept.attempt.interaction.user == world.alice.id
    assert "ValueError" in caplog.text and "7777" not in caplog.text
    rehearsal = await incident_replay.rehearse(kept, (PEBBLES,))
    assert rehearsal.same and str(rehearsal.error) == "the guess is 7777"
    monkeypatch.undo()
    assert (await incident_replay.rehearse(kept, (PEBBLES,))).error is None


def test_every_autocomplete_is_calm() -> None:
    groups = commands((PEBBLES,))
    every = [command for group in groups
             for command in (group.walk_commands() if isinstance(group, app_commands.Group) else [group])
             if isinstance(command, app_commands.Command)]
    helped = [parameter.autocomplete for command in every for parameter in command._params.values() if parameter.autocomplete]
    assert len(helped) > 40
    assert {suggest.__code__ for suggest in helped if not isinstance(suggest, bool)} == {suggest_games.__code__}


# --- the bot's own work -------------------------------------------------------------------------------------------

async def test_a_fault_of_the_outbox_names_the_letter(
        world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    guess = 7777

    def broken(*given: object) -> None:
        raise ValueError(f"the guess is {guess}")

    await world.guessed()
    with monkeypatch.context() as patch:
        patch.setattr("bot.discord.outbox.questions.Questions._at_once", broken)                 # of the words of a question
        await world.alice.slash(world.table, "pebbles take", pebbles=2)
    kept = incident_replay.opened(only(world.path))
    assert (kept.error, kept.game, kept.attempt.work) == ("ValueError", 1, "letter")
    (letter,) = [row for row in kept.tables["outbox"] if row["id"] == kept.attempt.given["letter"]]
    assert letter["kind"] == kept.attempt.given["kind"] == "question"
    assert "7777" not in caplog.text
    with pytest.raises(Faulty, match=r"The bot did this by itself \(letter\)"):
        await incident_replay.rehearse(kept, (PEBBLES,))


@pytest.mark.parametrize("place", ["bot.discord.outbox.sender.let_in_and_out", "bot.discord.outbox.Outbox._tidy"])
async def test_a_fault_beside_the_letters_has_a_capsule_too(world: World, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    async def broken(*given: object) -> None:
        raise ValueError("no such thread")

    await world.guessed()
    monkeypatch.setattr(place, broken)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    kept = incident_replay.opened(only(world.path))
    assert (kept.game, kept.attempt.work) == (1, "outbox")


async def test_that_discord_is_unwell_beside_the_letters_is_no_incident_and_is_tried_again(
        world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def busy(*given: object) -> None:
        raise refusal(503)

    await world.guessed()
    with monkeypatch.context() as patch:
        patch.setattr("bot.discord.outbox.Outbox._tidy", busy)
        await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert not (world.path.parent / "incidents").exists() and "game 1: DiscordServerError" in caplog.text
    assert world.bot.outbox._untidy == {1}
    await world.env.advance_time(60)
    assert not world.bot.outbox._untidy


async def test_a_fault_of_the_clock_has_a_capsule_and_the_next_look_tries_again(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    with monkeypatch.context() as patch:
        patch.setattr(world.services.timers, "look", lambda *kinds, answered: 1 / 0)
        await world.bot.scheduler.beat()
    kept = incident_replay.opened(only(world.path))
    assert (kept.error, kept.game, kept.attempt.work) == ("ZeroDivisionError", None, "clock")
    await world.bot.scheduler.beat()
    assert len(list((world.path.parent / "incidents").iterdir())) == 1


async def test_a_deadline_that_cannot_be_dealt_with_has_a_capsule(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()

    async def broken(game: int) -> None:
        raise KeyError("seat_9")

    monkeypatch.setattr(world.services.session, "stored", broken)
    await world.services.timers._do(Timer("time_up", 1, ONE, 2, discord.utils.utcnow()))
    kept = incident_replay.opened(only(world.path))
    assert (kept.game, kept.attempt.deed, kept.attempt.given) == (1, "time_up", {"game": 1, "seat": "seat_1", "asked_at": 2})


async def test_a_refusal_makes_no_capsule(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the core refuses has a capsule of its own if it needs one."""
    async def refused(*given: object) -> None:
        raise Refusal("The file is unwell.")

    await world.guessed()
    monkeypatch.setattr("bot.discord.outbox.sender.let_in_and_out", refused)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert not (world.path.parent / "incidents").exists()


async def test_a_fault_behind_a_button_comes_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()

    async def broken(*given: object, **more: object) -> None:
        raise LookupError("no such pebble")

    monkeypatch.setattr("bot.discord.game.answering.came_back", broken)
    said = words(await world.alice.click(world.question("Amber"), label="Take 1 pebble, left"))
    assert said.startswith(f"{BROKEN}.")
    kept = incident_replay.opened(only(world.path))
    assert kept.attempt.interaction is not None and kept.attempt.interaction.data["custom_id"].startswith("do:1:seat_1:")
    rehearsal = await incident_replay.rehearse(kept, (PEBBLES,))
    assert rehearsal.same and str(rehearsal.error) == "no such pebble"


def test_the_command_tells_of_the_versions_and_does_it_again(
        path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An act without a game, since the command knows only the games of the catalogue."""
    async def incident() -> None:
        with closing(Store(blank(path))) as store, pytest.raises(Refusal, match=r"incident 1\."):
            await play_on(store).settings.set_gm_role(8, 9)

    settings = Settings(_env_file=None, CHANCERY_DATABASE=path)
    with monkeypatch.context() as patch:
        patch.setattr("bot.store.settings.Settings.set_gm_role", lambda self, guild, role: 1 / 0)
        asyncio.run(incident())
        assert cli.run(["capsule", str(only(path))], settings) == 1
        said = capsys.readouterr().out
        assert "ZeroDivisionError: division by zero" in said and said.endswith("Repeated: the same error.\n")
        assert "Incident 1 of" in said and "pydantic" in said
    assert cli.run(["capsule", str(only(path))], settings) == 0
    assert capsys.readouterr().out.endswith("nothing goes wrong in this version.\n")


async def test_a_act_that_is_thrown_away_ends_quietly_wherever_that_happens(services: Services) -> None:
    """As a process that ends throws away what still waits: its end runs in the context of something else."""
    act = contextvars.copy_context().run(services.settings.set_gm_role(8, 9).__await__)
    contextvars.copy_context().run(next, act)
    act.close()
