"""A game as one file: nothing secret while it runs; taken in again, it is the same to the last hash; hostile ones are refused."""
from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.service import Services
from bot.service.records import MOST_ROWS
from bot.store import Store
from engine import record
from engine.components import bound
from engine.kernel import Seat
from engine.kernel.game_spec import BOARD
from engine.refusals import Faulty, Refusal
from engine.text import Reader, say
from tests.bot.desk import ANNA, BERT, CHANNEL, GUILD, MASTER, blank, delivered, guessed, play_on, started
from tests.bot.discord_world import World, labels, words
from tests.forging import Lines, bodies, chained
from tests.often_said import NO_RECORD, OTHER_ROLLS
from tests.toy import PEBBLES, SECRET, Guess, Take

CAROL = 55


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    with closing(Store(blank(tmp_path / "games.db"))) as store:
        yield play_on(store)


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[Services]:
    """Another bot, with a file of its own."""
    with closing(Store(blank(tmp_path / "other.db"))) as store:
        yield play_on(store)


async def finished(services: Services) -> int:
    """A game with throws of dice, an undo, a rollback with fresh dice, and an end."""
    game = await guessed(services)
    turns = [Take.of(3, "left"), Take.of(1, "right")]
    for turn in range(2):
        await services.answers.answer(game, (ANNA, BERT)[turn], turns[turn])
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, BERT, Take.of(3, "right"))
    await services.undo.rollback(game, 2, MASTER, fresh=True)
    for turn in range(4):
        await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(3, "left"))
    assert (await services.queries.game(game)).status == "over"
    return game


async def taken_in(services: Services, text: str, **more: Any) -> int:
    return (await services.records.take_in(text, by=CAROL, guild=GUILD, channel=CHANNEL, **more)).id


# --- while it runs ------------------------------------------------------------------------------------------------

async def test_the_record_of_a_running_game_is_what_everybody_has_read(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "right"))
    text = await services.records.export(game)
    head, *rows, end = bodies(text)
    assert [(row["no"], row["in_force"]) for row in rows] == [(2, True), (3, False), (4, True), (5, True)]
    assert [row["says"] for row in rows if row["no"] != 4] == [
        ["All have guessed."], ["Amber takes 2 pebbles."], ["Amber takes 1 pebble."]]
    assert end["stands"] == "Turn 2" and text == chained(bodies(text))
    assert set(head) == {"record", "public", "game", "edition", "options", "hash", "commitment", "chain"}
    assert SECRET not in text and "right" not in text


async def test_no_hash_of_a_running_game_depends_on_what_is_secret(services: Services) -> None:
    """Neither on guesses, nor on whether a sealed one is in already."""
    told = []
    for guess in (1, 9):
        game = await started(services)
        before = await services.records.export(game)
        await services.answers.answer(game, ANNA, Guess.of(guess))
        assert await services.records.export(game) == before
        await services.answers.answer(game, BERT, Guess.of(10 - guess))
        told.append(await services.records.export(game))
    assert told[0] == told[1]


async def test_the_public_record_is_not_taken_for_a_whole_one(services: Services) -> None:
    text = await services.records.export(await guessed(services))
    with pytest.raises(Faulty, match="an unfinished game"):
        await taken_in(services, text)


# --- taken in -----------------------------------------------------------------------------------------------------

async def test_a_game_that_is_taken_in_has_the_same_record_to_the_last_hash(services: Services, other: Services) -> None:
    text = await services.records.export(await finished(services))
    game = await taken_in(other, text, title="Friday's")
    assert await other.records.export(game) == text
    row = await other.queries.game(game)
    assert (row.status, row.title, row.owner, row.guild, row.channel) == ("over", "Friday's", CAROL, GUILD, CHANNEL)


async def test_a_game_that_is_taken_in_can_be_looked_at_and_changed_by_nobody(services: Services, other: Services) -> None:
    first = await finished(services)
    game = await taken_in(other, await services.records.export(first))
    reader = Reader({"seat_1": "Amber", "seat_2": "Basalt"})
    here, there = [[(no, say(line, reader)) for no, mark, line in (await queries.history(number, page=1, size=99))[0] if not mark]
                   for queries, number in ((services.queries, first), (other.queries, game))]
    assert here == there
    assert (await other.session.table(game)).state == (await services.session.table(first)).state
    assert await other.outbox.pending() == [] and [seat.user for seat in await other.queries.holders(game)] == [None, None]
    story = await other.queries.story(game, BOARD, row=2)
    assert story.end().heap == 12
    for act in (other.answers.answer(game, ANNA, Take.of(1, "left")), other.undo.undo(game, CAROL),
                 other.undo.rollback(game, 1, CAROL),
                 other.seats.pause(game, CAROL), other.lobby.join(game, ANNA)):
        with pytest.raises(Refusal):
            await act
    assert await delivered(other) == []


async def test_it_may_be_taken_in_twice_and_beside_the_original(services: Services) -> None:
    text = await services.records.export(await finished(services))
    games = [await taken_in(services, text) for _ in range(2)]
    assert len({*games}) == 2 and [await services.records.export(game) for game in games] == [text, text]


async def test_a_record_that_makes_the_rules_break_off_is_refused_without_an_incident(
        services: Services, other: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """What a forged row can make the rules raise is nobody's fault but the forger's; nothing of it is logged or kept."""
    def broken(*_: object) -> bool:
        raise KeyError("pebbles 7")

    text = await services.records.export(await finished(services))
    monkeypatch.setattr(Take, "was_legal", broken)
    with pytest.raises(Faulty, match=f"Step [0-9]+ {OTHER_ROLLS}"):
        await taken_in(other, text)
    assert not caplog.records and await other.queries.games(guild=GUILD, status=("over",)) == []


async def test_components_that_the_bot_does_not_have_are_for_its_operator_to_take_in(services: Services, other: Services) -> None:
    text = await services.records.export(await finished(services))
    lines = bodies(text)
    lines[0]["components"] = {"a": 1}
    lines[0]["hash"] = hashlib.sha256(b'{"a":1}').hexdigest()
    with pytest.raises(Faulty, match="components I don't have"):
        await taken_in(other, chained(lines))
    assert await other.records.export(await taken_in(other, chained(lines), trusted=True)) == chained(lines)


# --- hostile ------------------------------------------------------------------------------------------------------

def other_seats(lines: Lines) -> None:
    lines[0]["seats"] = {"@everyone": "Amber", "seat_2": "Basalt"}


def many_rows(lines: Lines) -> None:
    lines.insert(-1, {"no": MOST_ROWS + 1, "seat": "moderator", "verb": "return",
                      "answer": {"to": lines[-2]["no"], "kind": "rollback", "fresh": False}, "events": []})


def taken(lines: Lines) -> dict[str, Any]:
    """A turn."""
    return next(line for line in lines if line.get("verb") == "take")


def unfinished(lines: Lines) -> None:
    del lines[3:-1]


def named(lines: Lines, name: str) -> None:
    lines[0]["seats"]["seat_1"] = name


@pytest.mark.parametrize("change, sentence", [
    (lambda lines: named(lines, "@everyone"), "has other names for its seats or fields"),
    (lambda lines: named(lines, "x" * 10_000), "has other names for its seats or fields"),
    (lambda lines: lines[0].update(title="mine"), f"Line 1 {NO_RECORD}"),
    (lambda lines: lines[2].update(by="player"), f"Line 3 {NO_RECORD}"),
    (lambda lines: lines[-1].update(more=1), NO_RECORD),
    (lambda lines: lines[2]["answer"].update(more=1), f"Step [0-9]+ {OTHER_ROLLS}"),
    (lambda lines: lines[0].update(game="chess"), "There is no game chess"),
    (lambda lines: lines[0].update(edition="golden"), "Pebbles has no edition golden"),
    (lambda lines: lines[0].update(options={"x": 1}), "Pebbles has no options"),
    (lambda lines: lines[0].update(secret="zz"), "hexadecimal"),
    (lambda lines: taken(lines)["answer"].update(pebbles=10**30), f"Step [0-9]+ {OTHER_ROLLS}"),
    (lambda lines: taken(lines)["answer"].update(pebbles=float("nan")), "Step [0-9]+ isn't allowed|isn't a line of a"),
    (lambda lines: taken(lines).update(verb="x" * 100_000), f"Step [0-9]+ {OTHER_ROLLS}"),
    (lambda lines: taken(lines).update(seat="seat_9"), f"Step [0-9]+ {OTHER_ROLLS}"),
    (other_seats, "The seats of a record must be seat_1, seat_2 and so on"),
    (many_rows, f"more than {MOST_ROWS} steps"),
    (unfinished, "another position|Row [0-9]+ is in force"),
    (lambda lines: lines[-1].update(result="Basalt wins."), "another result"),
])
async def test_a_hostile_record_is_refused_and_nothing_of_it_stays(
        services: Services, other: Services, change: Callable[[Lines], object], sentence: str) -> None:
    lines = bodies(await services.records.export(await finished(services)))
    change(lines)
    with pytest.raises(Faulty, match=sentence):
        await taken_in(other, chained(lines), trusted=True)
    assert await other.queries.games(status=("open", "running", "paused", "over", "closed")) == []


@pytest.mark.parametrize("text", [
    "", "\n", "\n\n\n", "null\n" * 5, "[" * 100_000 + "\n", '{"a":' * 50_000 + "1" + "}" * 50_000 + "\n",
    '{"chain":"","x":' + "9" * 5000 + "}\n{}\n", '{"chain":"\\ud800"}\n{}\n', "\x00" * 100 + "\n", "{}\r\n{}\r\n",
    '{"chain":"a","chain":"b"}\n{}\n', "1e999\n" * 3], ids=range(12))
async def test_what_is_no_record_is_refused(services: Services, text: str) -> None:
    with pytest.raises(Faulty):
        await taken_in(services, text)


async def test_a_game_that_is_not_over_cannot_be_taken_in(services: Services, other: Services) -> None:
    game = await guessed(services)
    live = await services.session.table(game)
    rows = await services.session.store.read(lambda ledger: ledger.log.rows(game))
    text = record.write(live, edition="plain", options={}, seats={Seat("seat_1"): "Amber", Seat("seat_2"): "Basalt"},
                        components=bound(PEBBLES, {}), secret=SECRET, log=rows)
    with pytest.raises(Faulty, match="This game isn't over"):
        await taken_in(other, text, trusted=True)


async def test_a_record_of_the_first_form_can_be_taken_in(services: Services, other: Services) -> None:
    game = await guessed(services)
    for turn in range(4):
        await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(3, "left"))
    lines = bodies(await services.records.export(game))
    lines[0]["record"] = 1
    assert (await other.queries.game(await taken_in(other, chained(lines), trusted=True))).status == "over"


# --- by command ---------------------------------------------------------------------------------------------------

async def test_who_manages_a_server_takes_games_in(world: World) -> None:
    await world.guessed()
    for turn in range(4):
        await world.services.answers.answer(1, (world.alice, world.bob)[turn % 2].id, Take.of(3, "left"))
    text = (await world.services.records.export(1)).encode()
    refused = await world.alice.slash(world.table, "gm import", record=("game-1.jsonl", text))
    assert words(refused).startswith("Only members who can manage this server")
    taken = await world.max.slash(world.table, "gm import", record=("game-1.jsonl", text), title="*Old* @everyone")
    assert words(taken).splitlines()[0] == (
        "\\*Old\\* @\u200beveryone is now game 2 here. Every move was legal, and every roll is what its secret gives.")
    (file,) = (await world.carol.slash(world.table, "game export", game="2")).response.attachments
    assert await file.read() == text
    assert "Amber takes 3 pebbles." in words(await world.carol.slash(world.table, "game history", game="2"))


@pytest.mark.parametrize("content, sentence", [
    (b"\xff\xfe", "This file isn't text"), (b"Dear diary\n", "a line of a game record|cut off"),
    (b" " * (5 * 1024 * 1024), "This file is 5120 kB. It can be 4096 kB at most")], ids=range(3))
async def test_a_file_that_is_no_record(world: World, content: bytes, sentence: str) -> None:
    said = words(await world.max.slash(world.table, "gm import", record=("game-1.jsonl", content)))
    assert re.search(sentence, said), said


# --- to compare a later file with -----------------------------------------------------------------------------------

async def test_the_record_and_its_hashes_are_a_private_tap_below_the_result(world: World) -> None:
    await world.guessed()
    early = words(await world.carol.slash(world.table, "game export"))
    secret = (await world.services.queries.game(1)).commitment
    assert f"`{secret}`" in early, "whoever wants to can note it before the end"
    for turn in range(4):
        await world.services.answers.answer(1, (world.alice, world.bob)[turn % 2].id, Take.of(3, "left"))
    await world.env.settle()
    assert not any(re.search("[0-9a-f]{64}", post) for post in world.posts()), "nothing of that is in the channel"
    final = next(post for post in world.table.history() if "Record" in labels(post))
    told = await world.carol.click(final, label="Record")
    last = bodies(await world.services.records.export(1))[-1]["chain"]
    assert told.response.ephemeral and f"`{secret}`. Last hash of the record: `{last}`" in words(told)
    assert [file.filename for file in told.response.attachments] == ["game-1.jsonl"]
    other = bodies(await world.services.records.export(1))
    other[0]["seats"] = {"seat_1": "Somebody", "seat_2": "Else"}
    assert record.seal(chained(other)) != last, "whoever changes anything and chains it anew has another last hash"
