"""The dice of a finished game can be checked by anybody: by the command line, by a page of plain Python, after any return."""
from __future__ import annotations

import ast
import json
import random
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.store import Store
from engine import record
from engine.__main__ import main
from engine.components import bound, components
from engine.dice import SecretDice, commitment
from engine.games.struggle_of_empires import GAME
from engine.kernel import GameSpec, Row, Seat, Table
from engine.options import BY_DECISION, BY_NUMBER, DICE
from engine.refusals import Faulty
from engine.selfplay import beginning, new_table, random_answer
from engine.undo import REWIND, Rewind, line
from tests.bot.desk import ANNA, MASTER, guessed, play_on
from tests.engine.test_record import of_verb
from tests.forging import bodies, chained
from tests.often_said import NO_RECORD
from tests.toy import PEBBLES, Take, Throw

SECRET = "c0ffee" * 10 + "1234"
PAGE = Path(__file__).parents[2] / "docs" / "verify.py"
page = runpy.run_path(str(PAGE))


def returning(log: list[Row], to: int, *, fresh: bool) -> Row:
    back = Rewind(to=to, kind="rollback", fresh=fresh)
    return Row(log[-1].no + 1, "moderator", "moderator", REWIND, back.model_dump_json())


def played(spec: GameSpec, parts: Any, seats: int, returns: int, seed: int, by: str = BY_DECISION) -> tuple[Table, list[Row]]:
    """A finished game in which a game master returned now and then, sometimes with fresh dice, sometimes forward again."""
    pick, dice = random.Random(seed), SecretDice(SECRET, by_decision=by == BY_DECISION)
    table = new_table(spec, seats, "first" if spec is GAME else "plain", parts, dice)
    start, log = beginning(spec, seats, "first" if spec is GAME else "plain", parts), list[Row]()
    for left in range(returns, -1, -1):
        answers = pick.randrange(3, 9 if spec is PEBBLES else 60) if left else 100_000
        while not table.over and answers:
            table.answer(table.waiting()[0].seat, random_answer(table.options(table.waiting()[0].seat), pick.randrange))
            answers -= 1
        log += [entry.row() for entry in table.take()[0]]
        if table.over:
            return table, log
        log.append(returning(log, pick.randrange(log[-1].no + 1), fresh=pick.random() < 0.7))
        here = line(log)
        table = Table(spec, parts, start, here.rows, dice=dice, epoch=here.epoch, next_no=log[-1].no + 1)
    raise AssertionError("the last stretch goes on to the end")


@cache
def text_of(spec_key: str, returns: int, seed: int, by: str = BY_DECISION) -> str:
    spec, parts = (GAME, components(GAME, "first")) if spec_key == GAME.key else (PEBBLES, bound(PEBBLES, {}))
    table, log = played(spec, parts.parts, 2 if spec is GAME else 3, returns, seed, by)
    return record.write(table, edition="first" if spec is GAME else "plain", options={DICE: by}, components=parts, secret=SECRET,
                        seats={Seat(seat): f"Player {seat}" for seat in table.state.seats}, log=log)


def empires(returns: int = 3, seed: int = 7, by: str = BY_DECISION) -> str:
    return text_of(GAME.key, returns, seed, by)


# --- the page -----------------------------------------------------------------------------------------

def test_the_page_is_short_and_needs_nothing_but_python():
    source = PAGE.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 60
    named = {alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for alias in node.names}
    assert named and named <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(ast.parse(source)))


@pytest.mark.parametrize("sides", [(6,), (6, 6, 6, 6), (65, 64, 63, 62, 61), (2,) * 11, ((1 << 63) + 1,) * 3])
def test_the_page_throws_what_the_bot_throws(sides):
    ours, by_decision = SecretDice(SECRET), SecretDice(SECRET, by_decision=True)
    for number in range(300):
        assert tuple(page["dice"](bytes.fromhex(SECRET), number % 3, number, sides)) == ours(number % 3, number, sides, "fight")
        assert tuple(page["dice"](bytes.fromhex(SECRET), number % 3, number, sides, f".fight area={number}")) == by_decision(
            number % 3, number, sides, f"fight area={number}")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("returns", [0, 1, 5])
@pytest.mark.parametrize("by", [BY_DECISION, BY_NUMBER])
def test_page_and_record_find_nothing_wrong_with_games_that_went_back_and_forth(returns, seed, by):
    words = text_of("pebbles", returns, seed, by)
    found = record.read(words)
    assert record.replay(found, PEBBLES).over
    thrown = len(found.rolls)
    assert page["verify"](words.splitlines(), commitment(SECRET)).startswith(f"All {thrown} rolls are as the secret gives them")


def test_the_games_of_these_tests_throw_afresh_and_return_forward():
    found = [record.read(text_of("pebbles", 5, seed)) for seed in range(6)]
    assert {throw.rolled.epoch for each in found for throw in each.rolls} >= {0, 1, 2}
    undone = {no for each in found for no in range(1, each.rows[-1].no)
              if no not in {row.no for row in each.rows} | {no for no, _ in each.returns}}
    assert undone
    assert any(back.fresh for each in found for _, back in each.returns)
    assert any(not back.fresh for each in found for _, back in each.returns)


def test_the_page_finds_a_changed_die_and_a_throw_that_was_made_afresh_in_secret():
    for epoch, sentence in ((0, "the secret gives other dice"), (3, "afresh without a reason")):
        lines = bodies(empires())
        thrown = of_verb(lines, "roll")
        values = thrown["answer"]["values"]
        thrown["answer"].update(epoch=epoch, values=[values[0] % thrown["sides"][0] + 1, *values[1:]])
        assert sentence in page["verify"](chained(lines).splitlines())


def test_a_record_says_for_what_each_throw_was_made_if_that_decided_it():
    lines, earlier = bodies(empires()), bodies(empires(by=BY_NUMBER))
    assert (lines[0]["record"], earlier[0]["record"]) == (3, 2) and lines[0]["options"] == earlier[0]["options"] == {}
    purposes = [body["purpose"] for body in lines if body.get("verb") in ("roll", "stir")]
    assert {purpose.split(" ")[0] for purpose in purposes} >= {"neutrals", "first_player", "first_markers", "crossing"}
    assert not any("purpose" in body for body in earlier)


def test_the_page_finds_a_throw_that_is_left_out():
    lines = bodies(empires())
    lines.remove(of_verb(lines, "roll"))
    assert "not the next roll" in page["verify"](chained(lines).splitlines())


def test_the_page_finds_another_secret_than_the_one_whose_hash_was_posted():
    assert page["verify"](empires().splitlines(), "0" * 64) == "The secret is not the one that was promised."
    lines = bodies(empires())
    lines[0]["secret"] = "11" * 32
    assert page["verify"](chained(lines).splitlines()) == "The secret is not the one that was promised."


# --- why the dice were thrown afresh --------------------------------------------------------------------

def afresh(lines: list[dict[str, Any]]) -> dict[str, Any]:
    return next(body for body in lines if body.get("verb") == REWIND and body["answer"]["fresh"])


@pytest.mark.parametrize("change", [
    lambda lines: afresh(lines)["answer"].update(fresh=False),
    lambda lines: lines.remove(afresh(lines)),
    lambda lines: afresh(lines)["answer"].update(to=0),
    lambda lines: afresh(lines)["answer"].update(to=afresh(lines)["no"]),
    lambda lines: afresh(lines)["answer"].update(to=-1),
    lambda lines: afresh(lines)["answer"].update(why="luck"),
])
def test_a_record_whose_returns_do_not_explain_its_throws_is_refused(change):
    lines = bodies(empires())
    change(lines)
    with pytest.raises(Faulty, match=r"Step \d+|Line \d+"):
        record.replay(record.read(chained(lines)), GAME)


def test_a_return_more_than_there_was_is_found():
    lines = bodies(empires(returns=0))
    roll = lines.index(of_verb(lines, "roll"))
    here = lines[roll]["no"]
    extra = {"no": here, "seat": "moderator", "verb": REWIND, "events": [],
             "answer": {"to": here - 1, "kind": "rollback", "fresh": True}}
    for body in lines[roll:-1]:
        body["no"] += 1
    lines.insert(roll, extra)
    with pytest.raises(Faulty, match="explains why the dice were rolled afresh"):
        record.read(chained(lines))


async def test_the_export_of_a_finished_game_tells_of_its_rollbacks(tmp_path):
    store = Store(tmp_path / "games.db")
    try:
        services = play_on(store)
        game = await guessed(services)
        await services.answers.answer(game, ANNA, Throw.of())
        await services.undo.rollback(game, 2, MASTER, fresh=True)
        await services.answers.answer(game, ANNA, Throw.of())
        while waiting := await services.queries.waiting(game):
            await services.answers.answer(game, waiting[0].user or 0, Take.of(1, "left"))
        words = await services.records.export(game)
    finally:
        store.close()
    found = record.read(words)
    assert record.replay(found, PEBBLES).over
    assert [back for _, back in found.returns] == [Rewind(to=2, kind="rollback", fresh=True)]
    assert found.rolls[0].rolled.epoch == 1
    assert page["verify"](words.splitlines()).startswith(f"All {len(found.rolls)} rolls")


# --- the command line -----------------------------------------------------------------------------------

def run(path: Path, words: str | bytes, *more: str) -> int:
    path.write_bytes(words if isinstance(words, bytes) else words.encode())
    return main(["verify", str(path), *more])


def test_verify_says_how_many_throws_it_checked_and_why_dice_were_thrown_afresh(tmp_path, capsys):
    assert run(tmp_path / "game.jsonl", empires()) == 0
    said = capsys.readouterr().out
    found = record.read(empires())
    assert f"{len(found.rolls)} rolls in {len(found.rows)} steps, each as the rules ask for it and the secret gives it" in said
    assert said.count("The dice were rolled afresh from there.") == sum(back.fresh for _, back in found.returns) > 0
    assert f"The secret fits the hash {commitment(SECRET)}.\nCompare that hash" in said
    assert f"The last hash of the record is {json.loads(empires().split(chr(10))[-2])['chain']}; *Record* below" in said


def test_verify_compares_the_hash_that_was_published(tmp_path, capsys):
    assert run(tmp_path / "game.jsonl", empires(), "--commitment", commitment(SECRET).upper()) == 0
    assert "Compare that hash" not in capsys.readouterr().out
    assert run(tmp_path / "game.jsonl", empires(), "--commitment", "ab" * 32) == 2
    assert "The file states another hash than abab" in capsys.readouterr().err


def test_verify_refuses_a_game_that_is_not_over(tmp_path, capsys):
    parts = components(GAME, "first")
    table = new_table(GAME, 2, "first", parts.parts, SecretDice(SECRET, by_decision=True))
    words = record.write(table, edition="first", options={}, components=parts, secret=SECRET,
                         seats={seat: seat for seat in table.state.seats}, log=[entry.row() for entry in table.fresh])
    assert run(tmp_path / "game.jsonl", words) == 2
    assert capsys.readouterr().err == "This game isn't over, so its dice are still secret.\n"


def first_form(words: str) -> str:
    """The same game as earlier versions of the bot wrote it: without rows that return, and without sides."""
    lines = [body for body in bodies(words) if body.get("verb") != REWIND]
    lines[0]["record"] = 1
    for body in lines:
        body.pop("sides", None)
    return chained(lines)


def test_records_of_earlier_versions_are_still_checked(tmp_path, capsys):
    assert run(tmp_path / "game.jsonl", first_form(empires(returns=0, by=BY_NUMBER))) == 0
    capsys.readouterr()
    assert run(tmp_path / "game.jsonl", first_form(empires(by=BY_NUMBER))) == 2
    assert "an older format, which doesn't say why the dice were rolled afresh" in capsys.readouterr().err
    lines = bodies(first_form(empires(by=BY_NUMBER)))
    thrown = of_verb(lines, "roll")
    thrown["answer"]["values"][0] = thrown["answer"]["values"][0] % 6 + 1
    assert run(tmp_path / "game.jsonl", chained(lines)) == 2


@pytest.mark.parametrize("words, sentence", [
    (b"\x89PNG\r\n\x1a\n", "isn't a game record: it isn't text"),
    (b"", "The record is cut off"),
    (b"[" * 200_000 + b"\n", f"Line 1 {NO_RECORD}."),
    (b'{"game":"\\ud800","chain":""}\n', f"Line 1 {NO_RECORD}."),
    (b'{"record":' + b"9" * 6_000 + b',"chain":""}\n', f"Line 1 {NO_RECORD}."),
    (b"null\n", f"Line 1 {NO_RECORD}."),
])
def test_verify_says_what_is_wrong_with_a_file_that_is_no_record(tmp_path, capsys, words, sentence):
    assert run(tmp_path / "file", words) == 2
    assert sentence in capsys.readouterr().err


def test_verify_says_that_a_file_is_missing(tmp_path, capsys):
    assert main(["verify", str(tmp_path / "nowhere")]) == 2
    assert "I can't read the file" in capsys.readouterr().err


# --- every byte -------------------------------------------------------------------------------------------

@cache
def places() -> tuple[str, tuple[int, ...]]:
    """A record, and every place in its first line, in one line of each kind, in the last one, and in the breaks after them."""
    words, kinds, begin, found = text_of("pebbles", 1, 2), set[object](), 0, list[int]()
    for body, text in zip(bodies(words), words.splitlines(keepends=True), strict=True):
        kind = body.get("verb"), *body, *body.get("answer", ())
        if kind not in kinds:
            kinds.add(kind)
            found += range(begin, begin + len(text))
        begin += len(text)
    return words, tuple(found)


def test_the_places_of_a_record_are_of_lines_of_every_kind():
    words, found = places()
    assert 0 in found and len(words) - 1 in found and len(found) < len(words) / 3
    assert {verb for verb in ("guess", "take", "throw", "roll", REWIND)} <= {body.get("verb") for body in bodies(words)}


def test_a_record_that_is_cut_off_anywhere_is_refused():
    words, found = places()
    for length in found[:-1]:                       # without its last break a record is whole
        with pytest.raises(Faulty, match=r"cut off|line of a game record"):
            record.read(words[:length])


OTHERS = ("next", "0", "1", "Z", '"', " ", "\n", "\r", "}", "\\", ",", "gone", "twice", "\u2028")


@pytest.mark.parametrize("other", OTHERS)
def test_a_record_with_any_byte_changed_is_refused(other):
    """Each change at every seventh place, so that each place sees two of the changes, and each kind of letter all of them."""
    words, found = places()
    for place in found[OTHERS.index(other) % 7::7]:
        letter = words[place]
        instead = {"next": chr(ord(letter) + 1), "gone": "", "twice": letter * 2}.get(other, other)
        changed = f"{words[:place]}{instead}{words[place + 1:]}"
        if record.plain(changed) != words:
            with pytest.raises(Faulty):
                record.read(changed)


@pytest.mark.parametrize("end", ["", "\n\n"])
@pytest.mark.parametrize("ends", ["\r\n", "\n", "\r", "\r\r\n", "\n\n"])
def test_a_record_whose_line_ends_were_changed_is_the_same(tmp_path, ends, end):
    words = text_of("pebbles", 1, 2)
    changed = f"\ufeff{words.replace(chr(10), ends).rstrip()}{end}"
    assert record.plain(changed) == words and record.read(changed) == record.read(words)
    assert record.seal(changed) == record.seal(words)
    (tmp_path / "game.jsonl").write_bytes(changed.encode())
    shown = subprocess.run([sys.executable, PAGE, tmp_path / "game.jsonl"], capture_output=True, check=True, text=True).stdout
    assert "as the secret gives them" in shown


def test_a_name_with_a_strange_line_break_does_no_harm():
    table, log = played(PEBBLES, {}, 2, 1, 1)
    words = record.write(table, edition="plain", options={}, components=bound(PEBBLES, {}), secret=SECRET, log=log,
                         seats={Seat("seat_1"): "A\u2028B\x85C", Seat("seat_2"): "D\x1cE"})
    assert record.replay(record.read(words), PEBBLES).over
    assert record.read(words).header.seats["seat_1"] == "A\u2028B\x85C"


def test_a_file_as_long_as_a_film_is_not_even_read():
    with pytest.raises(Faulty, match="too long for a game record"):
        record.read("x" * (record.MOST_CHARACTERS + 1))
