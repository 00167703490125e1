"""Servers in several files: which lies where, and a move loses nothing and doubles nothing, wherever it is broken off."""
from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlite_utils import Database

from bot.domain.letters import KINDS, ReplacementVote
from bot.domain.waking_hours import Hours
from bot.operator import cli
from bot.operator.config import Settings
from bot.operator.preflight import check, will_start
from bot.operator.shards import move, overview, reshard
from bot.service import Services
from bot.service.moves import settle
from bot.service.personal_data import RESTS
from bot.store import MemberRow, Store, backup_files
from bot.store.moves import IN_LETTERS, REFERENCES, Moves
from engine.kernel import Seat
from engine.refusals import Faulty, Refusal
from engine.text import English, say
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, at_once, blank, delivered, play_on
from tests.toy import Guess, Take

FIRST, SECOND, THIRD = 1 << 22, 2 << 22, 3 << 22        # servers; of two shards the first looks after the second
DORA = 104
FILLED = ("games", "seats", "log", "checkpoints", "outbox", "messages", "requests", "consents", "branches", "press", "insights",
          "stand_in_offers", "replacements", "ballots", "settings", "audit", "answers")
UNFINISHED = "isn't finished. Finish it: `python -m bot move {server} {old} {new}`"
SAME = "Server {server} can't be moved: {file} has games of the same numbers (1 and 3). Nothing has changed."
Rows = Mapping[str, list[tuple[Any, ...]]]


def store(path: Path, shard: int) -> Store:
    return at_once(lambda: Store(blank(path), part=(shard, 2)))


async def filled(services: Services, guild: int, members: tuple[int, int] = (ANNA, BERT)) -> int:
    """A game with a request, a vote, an offer and a message between seats; a branch that was agreed on; a server's choice."""
    row = await services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="Friday", guild=guild,
                                    channel=guild + 1, owner=MASTER)
    game, (one, two) = row.id, members
    for member in members:
        await services.lobby.join(game, member, name=f"Member {member}")
    await services.lobby.start(game, MASTER)
    for member in members:
        await services.answers.answer(game, member, Guess.of(3))
    await services.answers.answer(game, one, Take.of(1, "left"))
    await services.talk.say(game, one, Seat("seat_2"), "Meet me at the mill.")
    await services.settings.set_server_theme(guild, "light")
    branching = await services.consent.ask_to_branch(game, 2, MASTER)
    for member in members:
        await services.undo_requests.agree(branching.id, member)
    await services.branching.branch(game, 2, MASTER, channel=guild + 2)
    await services.undo_requests.ask(game, one, 3, newest=3)
    await services.stand_ins.offer_stand_in(game, one, DORA, name="Dora")

    def note(ledger: Any) -> None:
        vote = ledger.add_replacement(game, Seat("seat_2"), two, one, 3, "2026-04-01", "2026-04-02", "2026-04-09", 1)
        ledger.cast_ballot(game, vote, one, agrees=True)
        ledger.add_letters(game, 3, [ReplacementVote(replacement=vote)], "2026-04-01")

    await services.session.store.write(note)
    await delivered(services)
    await services.talk.say(game, two, Seat("seat_1"), "I will.")           # this one waits
    return game


def rows_of(path: Path, guild: int) -> Rows:
    """All rows of a server and of its members, by table in the order in which they were written; surrogate numbers by their rank,
    and so is whatever refers to them."""
    with closing(sqlite3.connect(path)) as db:
        ledger = Moves(Database(db, execute_plugins=False))
        parts = {table: where for table, where in ledger._of_server("main").items() if table != "moves"}
        ranks = {table: {number: rank for rank, (number,) in enumerate(
            db.execute(f"SELECT id FROM {table} WHERE {where} ORDER BY id", {"guild": guild}))}
            for table, where in parts.items() if ledger._has_numbers(table)}
        hidden = {name: not without for name, without in db.execute("SELECT name, wr FROM pragma_table_list")}
        found = {table: db.execute(f"SELECT * FROM {table} WHERE {where} {'ORDER BY rowid' if hidden[table] else ''}",
                                   {"guild": guild}) for table, where in parts.items()}
        return {table: [tuple(ranked(table, dict(zip([one[0] for one in cursor.description], row)), ranks).items())
                        for row in cursor.fetchall()] for table, cursor in found.items()}


def ranked(table: str, row: dict[str, Any], ranks: Mapping[str, Mapping[int, int]]) -> dict[str, Any]:
    """A row with ranks instead of numbers."""
    for column, value in row.items():
        of = table if column == "id" else REFERENCES.get((table, column))
        if of in ranks and value is not None:
            row[column] = ranks[of][value]
    if table == "outbox":
        row["payload"] = json.loads(row["payload"])
        for kind, field, of in IN_LETTERS:
            if row["kind"] == kind and field in row["payload"]:
                row["payload"][field] = ranks[of][row["payload"][field]]
        row["payload"] = json.dumps(row["payload"])
    if "key" in row and table in ("outbox", "messages"):
        for kind, _, of in IN_LETTERS:
            if (row["key"] or "").startswith(f"{kind}:"):
                row["key"] = f"{kind}:{ranks[of][int(row['key'].partition(':')[2])]}"
    return row


MADE: dict[str, bytes] = {}


async def two_files(folder: Path) -> tuple[Path, Path]:
    """A file with both servers, which share a member, and one with another game of a third server: all numbers collide."""
    old, new = folder / "0.db", folder / "1.db"
    if not MADE:
        await make_two_files(old, new)
        MADE.update({path.name: path.read_bytes() for path in (old, new)})
    for path in (old, new):
        path.touch(mode=0o600)
        path.write_bytes(MADE[path.name])
    return old, new


async def make_two_files(old: Path, new: Path) -> None:
    """Make them, once for all tests."""
    with closing(store(old, 0)) as first, closing(store(new, 1)) as second:
        services, elsewhere = play_on(first, clock=Clock()), play_on(second, clock=Clock())
        await filled(services, FIRST)
        await filled(services, SECOND, (BERT, CARA))
        await filled(elsewhere, THIRD, (CARA, ANNA))
        for member in (ANNA, BERT, CARA):
            await services.settings.set_member(member, MemberRow(hours=Hours(zone="Europe/Berlin", wake=8, sleep=23)))
            await first.write(lambda ledger, member=member: ledger.no_tips(member))
        await elsewhere.settings.set_member(ANNA, MemberRow(hours=Hours(zone="Asia/Tokyo", wake=8, sleep=23)))


def own(path: Path) -> dict[str, set[tuple[int, str]]]:
    """Which members have settings, in which zone, and who wants no tips."""
    with closing(sqlite3.connect(path)) as db:
        return {"members": set(db.execute("SELECT user, zone FROM members")),
                "untipped": {(user, "") for (user,) in db.execute("SELECT user FROM untipped")}}


async def moved(old: Path, new: Path, guild: int = FIRST, folder: Path | None = None) -> str:
    return say(await move(guild, old, new, folder=folder, now=Clock()), English())


def sound(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as db:
        return not db.execute("PRAGMA foreign_key_check").fetchall()


async def test_a_server_moves_with_every_row_and_the_others_are_untouched(tmp_path: Path) -> None:
    old, new = await two_files(tmp_path)
    before, other, third = rows_of(old, FIRST), rows_of(old, SECOND), rows_of(new, THIRD)
    assert all(before[table] for table in FILLED)
    assert await moved(old, new) == f"Server {FIRST} is in {new} now, with 2 games."
    after = rows_of(new, FIRST)
    anew = after["outbox"][len(before["outbox"]):]
    assert {**after, "outbox": after["outbox"][:len(before["outbox"])]} == before
    assert [dict(letter)["key"] for letter in anew] == ["request:1", "replacing:0", "standin:0"], "asked anew, by new numbers"
    assert (rows_of(old, SECOND), rows_of(new, THIRD)) == (other, third)
    assert not any(rows_of(old, FIRST).values()) and sound(old) and sound(new)
    berlin, tokyo = "Europe/Berlin", "Asia/Tokyo"
    assert own(old) == {"members": {(BERT, berlin), (CARA, berlin)}, "untipped": {(BERT, ""), (CARA, "")}}
    assert own(new) == {"members": {(ANNA, tokyo), (BERT, berlin)}, "untipped": {(ANNA, ""), (BERT, "")}}


async def test_games_go_on_where_they_are_now_and_new_numbers_are_nobody_elses(tmp_path: Path) -> None:
    old, new = await two_files(tmp_path)
    await moved(old, new)
    with closing(store(old, 0)) as first, closing(store(new, 1)) as second:
        services = play_on(second, clock=Clock())
        (request,) = await second.read(lambda ledger: [ledger.open_request(1)])
        assert request is not None and request.id > 4, "a number that neither file has given before"
        await services.undo_requests.agree(request.id, BERT)
        assert (await services.session.table(1)).last_no > 3, "taken back"
        await services.talk.say(1, ANNA, Seat("seat_2"), "Again.")
        assert await filled(services, FIRST) == 8 and await filled(play_on(first, clock=Clock()), SECOND, (BERT, CARA)) == 9
    assert await moved(new, old) == f"Server {FIRST} is in {old} now, with 4 games.", "and back again"
    assert rows_of(old, SECOND) and sound(old) and sound(new)


@pytest.mark.parametrize(("step", "marks", "own"), [("begin_move", 1, "old"), ("take_in", 2, "new"), ("let_go", 1, "new")])
async def test_a_move_that_was_broken_off_goes_on_or_is_settled_when_bots_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                                step: str, marks: int, own: str) -> None:
    """Killed right after each of the first three transactions. The copy's own commit decides whose the server is."""
    old, new = await two_files(tmp_path)
    before = rows_of(old, FIRST)

    def moved_once() -> bool:
        after = rows_of(new, FIRST)
        return ({**after, "outbox": after["outbox"][:len(before["outbox"])]} == before and not any(rows_of(old, FIRST).values())
                and len(after["outbox"]) == len(before["outbox"]) + 3)

    for again in (True, False):
        await two_files(tmp_path)
        with monkeypatch.context() as killed:
            kill_after(killed, step)
            with pytest.raises(Killed):
                await moved(old, new)
        assert sum(len(backup_files.servers(path)[1]) for path in (old, new)) == marks
        told = [overview([path], 2) for path in (old, new) if backup_files.servers(path)[1]]
        assert all(UNFINISHED.format(server=FIRST, old=old, new=new) in "\n".join(say(one, English()) for one in found.sentences)
                   for found in told)
        for source, target in ((old, tmp_path / "2.db"), (new, old)) if step == "take_in" else ():
            with pytest.raises(Faulty, match=UNFINISHED.format(server=FIRST, old=old, new=new)):
                await moved(source, target)
        if again:
            await moved(old, new)
            assert "there is nothing of it left" in await moved(old, new), "once more does nothing"
            assert moved_once()
            continue
        with closing(store(new, 1)) as second:
            assert await settle(second) == (step != "take_in"), "the copy is marked until the other file has let go"
        with closing(store(old, 0)) as first:
            assert will_start(check(settings_for(old))) and await settle(first)
            assert await first.read(lambda ledger: ledger.moved_away()) == ({FIRST} if own == "new" else set())
        with closing(store(new, 1)) as second:
            assert await settle(second)
        assert moved_once() if own == "new" else (rows_of(old, FIRST), any(rows_of(new, FIRST).values())) == (before, False)


async def test_nobody_plays_a_server_whose_file_may_have_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = await two_files(tmp_path)
    with monkeypatch.context() as killed:
        kill_after(killed, "begin_move")
        with pytest.raises(Killed):
            await moved(old, new)
    new.unlink()
    with closing(store(old, 0)) as first, pytest.raises(Faulty, match=UNFINISHED.format(server=FIRST, old=old, new=new)):
        await settle(first)


def settings_for(database: Path) -> Settings:
    """Those of a bot with a token."""
    token = SecretStr("a" * 24 + ".bcdefg." + "h" * 30)
    return Settings(_env_file=None).model_copy(update={"database": database, "token": token})


class Killed(BaseException):
    """The process has ended here."""


def kill_after(patch: pytest.MonkeyPatch, step: str) -> None:
    """End the process when the transaction with a step is on the disk."""
    write, taken, met = Store.write, getattr(Moves, step), list[str]()

    async def killing(self: Store, work: Any, **more: Any) -> Any:
        result = await write(self, work, **more)
        if met:
            raise Killed
        return result

    def stepping(self: Moves, *given: Any) -> Any:
        met.append(step)
        return taken(self, *given)

    patch.setattr(Store, "write", killing)
    patch.setattr(Moves, step, stepping)


async def test_nothing_moves_that_would_be_lost_or_doubled(tmp_path: Path) -> None:
    old, new = await two_files(tmp_path)
    taken = tmp_path / "taken.db"
    with closing(store(taken, 0)) as third:
        await filled(play_on(third, clock=Clock()), THIRD)
    for source, target, server, sentence in (
            (old, taken, FIRST, SAME.format(server=FIRST, file=taken)),
            (old, old, FIRST, f"{old} can't be moved to itself. Name two files."),
            (tmp_path / "no.db", new, FIRST, f"There is no database {tmp_path / 'no.db'}."),
            (old, tmp_path / "2.db", 99, f"{old} has nothing of server 99. `python -m bot servers` tells what lies where."),
            (old, new, 99, f"{old} has nothing of server 99. `python -m bot servers` tells what lies where.")):
        with pytest.raises(Faulty) as why:
            await moved(source, target, server)
        assert str(why.value) == sentence
    assert not (tmp_path / "2.db").exists()
    with closing(store(old, 0)) as first:
        await first.write(lambda ledger: ledger.conn.execute("UPDATE games SET guild = ? WHERE id = 3", (SECOND,)))
    with pytest.raises(Faulty, match="share a past with games of another server"):
        await moved(old, new)
    with closing(store(new, 1)), pytest.raises(Faulty, match="no socket in CHANCERY_SOCKETS, which isn't set"):
        await moved(old, new)
    assert not any(backup_files.servers(path)[1] for path in (old, new, taken))


def test_servers_are_told_by_file_with_the_shard_that_they_belong_to(tmp_path: Path, capsys: Any) -> None:
    old, new = asyncio.run(two_files(tmp_path))
    settings = Settings(_env_file=None).model_copy(update={"database": old})
    assert cli.run(["servers"], settings) == 0
    assert capsys.readouterr().out == (f"{old}:\n  server {FIRST}: 2 running\n  server {SECOND}: 2 running\n"
                                       "Everything is in its place.\n")
    assert cli.run(["servers", str(old), str(new)], settings) == 1
    assert capsys.readouterr().out == f"""{old}, shard 0 of 2:
  server {FIRST}: 2 running
    ✘ This belongs to shard 1. Move it: `python -m bot move {FIRST} {old} {new}`.
  server {SECOND}: 2 running
{new}, shard 1 of 2:
  server {THIRD}: 2 running
Not everything is in its place.
"""
    assert cli.run(["servers", "--shards", "3", str(new)], settings.model_copy(update={"shard": "1/2"})) == 1
    assert "shard 1 of 3" in capsys.readouterr().out
    assert cli.run(["move", str(FIRST), str(old), str(new)], settings) == 0
    capsys.readouterr()
    assert cli.run(["servers"], settings.model_copy(update={"shard": "0/2"})) == 0
    with pytest.raises(Faulty, match="it isn't there or can't be opened"):
        overview([tmp_path / "no.db"], 1)


async def test_another_number_of_shards_is_one_command(tmp_path: Path) -> None:
    """From one file to two, and back to one; no number of a game is given twice."""
    one, two = tmp_path / "0.db", tmp_path / "1.db"
    with closing(store(one, 0)) as first:
        for guild in (FIRST, SECOND, THIRD):
            await play_on(first).lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="", guild=guild,
                                            channel=1, owner=MASTER)
    assert len(await reshard([one, two], now=Clock())) == 2
    assert overview([one, two], 2).settled and await reshard([one, two], now=Clock()) == []
    numbers = []
    for number, path in enumerate((one, two)):
        with closing(store(path, number)) as opened:
            numbers.append(await opened.read(lambda ledger: ledger.next_game()))
    assert numbers == [7, 6]
    await reshard([one], [two], now=Clock())
    assert backup_files.servers(one)[0].keys() == {FIRST, SECOND, THIRD} and not backup_files.servers(two)[0]


def test_every_number_in_a_letter_is_known_to_moves() -> None:
    """A field that comes later must be named there if it is a number of another table."""
    numbers = {(kind, field) for kind, letter in KINDS.items() for field, info in letter.model_fields.items()
               if info.annotation is int}
    others = {"asked_at", "row", "channel", "user", "guild", "role", "host"}
    assert {(kind, field) for kind, field in numbers if field not in others} == {(kind, field) for kind, field, _ in IN_LETTERS}


async def test_a_server_of_another_shard_neither_rests_nor_goes(tmp_path: Path) -> None:
    """Its file was not moved when the number of shards changed: its games wait for that."""
    path = tmp_path / "0.db"
    with closing(store(path, 0)) as one:
        services, clock = play_on(one, clock=Clock()), Clock()
        game, gone = await filled(services, FIRST), await filled(services, SECOND)
        services.session.now = clock
        await services.personal_data.look_at_servers({4 << 22})
        assert (await services.queries.game(gone)).status == "running", "a bot that is on no server of its file touches nothing"
        third = await filled(services, 6 << 22)
        await services.personal_data.look_at_servers({6 << 22})
        clock.put_on(days=RESTS.days + 1)
        await services.personal_data.look_at_servers({6 << 22})
        assert {row.id for row in await services.queries.games()} >= {game, third}
        assert (await services.queries.game(game)).status == "running"
        with pytest.raises(Refusal):
            await services.queries.game(gone)


def test_the_unit_of_a_shard_is_guarded_as_that_of_the_one_bot() -> None:
    one, each = (Path(f"deploy/chancery{kind}.service").read_text(encoding="utf-8") for kind in ("", "@"))
    shard = "/usr/bin/env CHANCERY_SHARD=%i/${SHARDS} "
    assert each.count(shard) == 2 and each.count("chancery/%i") == 3
    for meeting in ("Environment=CHANCERY_SOCKETS=/var/lib/chancery/sockets\n", " chancery/sockets"):
        assert meeting in each
        each = each.replace(meeting, "")
    assert each.replace(shard, "").replace("chancery/%i", "chancery").splitlines()[3:] == one.splitlines()[3:]
