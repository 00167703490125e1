"""What is kept about a member, and how it goes: no id and no name of a forgotten one is anywhere in the file or in a capsule.

Of each column of each table it is declared below whether it holds something of members. A new column fails until it is declared,
and one that is declared to hold something fails until the scene fills it, and finds it empty when the member is forgotten.
"""
from __future__ import annotations

import asyncio
import errno
import json
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.domain.letters import LastPlayer
from bot.domain.waking_hours import Hours
from bot.operator import cli
from bot.operator.config import read
from bot.service import Services
from bot.service.backups import OLDEST, Backups
from bot.service.personal_data import RESTS
from bot.store import Ledger, MemberRow, Store
from bot.store.migrations import CHANGES, m0045_authors
from bot.store.personal_data import ERASED
from engine import record
from engine.kernel import Seat
from engine.refusals import Faulty
from tests.bot.desk import CHANNEL, GUILD, Clock, blank, delivered, play_on
from tests.bot.discord_world import World, words
from tests.toy import PEBBLES, Guess, Take

ANNA, BERT, MASTER = 900_000_000_000_000_101, 900_000_000_000_000_102, 900_000_000_000_000_900
NAME, WORDS = "Annabel the Unforgettable", "Meet me at the old mill."
DAY = "2026-04-01T12:00:00+00:00"
FILLED = {              # of tables that the scene below does not fill by itself
    "looks": (1, ANNA, 3), "visits": (1, ANNA, 3, DAY, 0),
    "lessons": (ANNA, "pebbles", "first", "[]", DAY), "tips": (ANNA, "pebbles", "turn"),
    "untipped": (ANNA,), "thread_members": (5, ANNA), "vacations": (None, 1, ANNA, DAY, DAY),
    "extensions": (None, 1, ANNA, 3, DAY), "votes": (1, ANNA, "wait", DAY), "drafts": (1, "seat_1", "rule", ANNA, "{}"),
    "orders": (1, 1, "seat_1", ANNA, 1, 0, "{}", DAY, DAY), "plans": (1, "seat_1", ANNA, 3, "round", 1, "[]"),
    "messages": (1, "private:seat_1", 77), "applications": (1, ANNA, "seat_1", NAME, DAY, 0),
    "interests": (GUILD, ANNA, "", 0), "openings": (1, ANNA, None, DAY),
    "replacements": (None, 1, "seat_1", ANNA, ANNA, 3, DAY, DAY, DAY, 1, "done", DAY), "ballots": (1, 1, ANNA, 1),
    "stand_in_offers": (None, 1, "seat_1", ANNA, MASTER, NAME, None, DAY, None),
    "result_seats": (1, "seat_1", 1, ANNA, "seat_1", 1, 5, 60), "unlisted": (ANNA,),
    "bookmarks": (1, ANNA, 3, WORDS, DAY)}
DIRECT = 700_000_000_000_000_007                # the number of a direct message, or of the channel where they go
WHOSE = {               # by table: the columns with ids, names, words of members or numbers of messages to them alone; the others
    "alarms": ("", "game due_at"),
    "answers": ("user", "game no seat seconds missed stretch at span"),
    "applications": ("user name", "game seat at declined"),
    "audit": ("user deed", "id game at"),
    "automatic_secret": ("", "secret"),
    "ballots": ("user", "replacement game agrees"),
    "bookmarks": ("user words", "game row at"),
    "branches": ("", "game origin row request"),
    "checkpoints": ("", "game no throws state"),
    "claims": ("", "id at"),
    "clocks": ("", "game clock vacation extensions voted"),
    "components": ("", "hash data"),                        # also what was handed in for a game: the game's
    "consents": ("", "request seat agreed"),
    "deadlines": ("user", "game seat asked_at since spent allowed extra due_at remind_at reminded given span"),
    "departures": ("", "guild at"),
    "direct_channels": ("user channel", "bot"),
    "drafts": ("user body", "game seat kind"),
    "escalations": ("", "game seat at"),
    "extensions": ("user", "id game asked_at at"),
    "forgotten": ("user", "at"),
    "games": ("owner told channel", "id key edition options title guild seats status pack_hash commitment secret created_at "
                            "started_at veil caretaker deserted circle level invite_only newcomers posting replace_days language "
                            "replace_by no_show full_at late_calls stood_told joined_at open_told"),      # a title is the game's
    "guests": ("user", "game invited"),
    "heartbeat": ("", "id at"),
    "insights": ("user", "id circle seat held agreed"),
    "interests": ("user", "guild key seats"),
    "lessons": ("user", "game lesson answers at"),
    "log": ("proxy", "game no seat by verb answer events at"),
    "looks": ("user", "game row"),
    "members": ("user", "theme zone wake sleep pings direct upcoming nudges notices weekly language locale"),
    "message_steps": ("message", "game row"),               # of games in direct messages
    "messages": ("key message", "game"),
    "noticeboards": ("user", "guild channel message nonce changed shown lost weekly"),
    "nudges": ("user", "game nudges"),
    "old_noticeboards": ("", "message guild channel"),
    "openings": ("user", "game due_at seat_told"),
    "order_dues": ("", "game seat asked_at due_at"),
    "order_uses": ("", "game no order"),
    "orders": ("user body", "game id seat place paused made_at dropped_at"),
    "outages": ("", "since until"),
    "outbox": ("key payload message", "id game no kind audience nonce attempts problem sent_at at"),
    "plans": ("user", "game seat row round revision steps"),
    "press": ("user words", "id game seat receiver promise at"),
    "press_rules": ("", "game allowed"),
    "rematches": ("", "game next"),
    "replacements": ("user asker", "id game seat newest at look_at due_at needed ended ended_at"),
    "requests": ("asker about", "id game seat to newest due_at ended kind"),
    "resting": ("", "game"),
    "result_seats": ("user", "game seat own side place points pace"),
    "results": ("", "game at"),
    "seats": ("user name owner owner_name", "game seat private owner_private caretaker away until lapsed back level"),
    "settings": ("", "guild gm_role theme clock call_role posting forum talk language"),
    "stand_in_offers": ("user asker name", "id game seat until due_at ended"),
    "tenures": ("", "game seat row at"),
    "thread_members": ("user", "thread"),
    "threads": ("", "game seats thread"),
    "tips": ("user", "game point"),
    "troubles": ("", "kind told_at"),
    "turns": ("", "game seat"),
    "unlisted": ("user", ""),
    "untipped": ("user", ""),
    "vacations": ("user", "id game starts ends"),
    "visits": ("user", "game row at acted"),
    "votes": ("user", "game choice at")}
PERSONAL = {(table, column) for table, (own, _) in WHOSE.items() for column in own.split()}
OF_NO_SERVER = {"automatic_secret", "claims", "components", "direct_channels", "forgotten", "heartbeat", "lessons", "members",
                "outages", "tips", "troubles", "unlisted", "untipped"}
FURTHER = (             # what the scene and `FILLED` leave out, in a game that Anna leads and where somebody stands in for her
    f"INSERT INTO direct_channels VALUES (1, {ANNA}, {DIRECT})", f"INSERT INTO guests VALUES (1, {ANNA}, 1)",
    f"INSERT INTO noticeboards (guild, channel, user, nonce, changed) VALUES ({GUILD}, {CHANNEL}, {ANNA}, 'n', 1)",
    f"INSERT INTO nudges VALUES (1, {ANNA}, 'once')",
    f"""INSERT INTO deadlines (game, seat, user, asked_at, spent, extra, reminded, given)
        VALUES (2, 'seat_1', {ANNA}, 0, 0, 0, 0, '')""",
    f"INSERT INTO stand_in_offers (game, seat, user, asker, name, due_at) VALUES (2, 'seat_1', {BERT}, {ANNA}, 'Bert', '{DAY}')",
    f"UPDATE games SET owner = {ANNA}, guild = NULL, channel = {DIRECT} WHERE id = 2",
    f"INSERT INTO message_steps VALUES ({DIRECT}, 2, 0)", f"INSERT INTO messages VALUES (2, 'status', {DIRECT})",
    f"UPDATE games SET told = json_set(told, '$.last', json_object('seat_1', json_array('<@{ANNA}> moved.'))) WHERE id = 1",
    f"UPDATE seats SET owner = {ANNA}, owner_name = '{NAME}' WHERE game = 2 AND seat = 'seat_1'",
    f"INSERT INTO messages VALUES (1, 'application:{ANNA}', 8)",
    f"UPDATE messages SET message = {DIRECT} WHERE key = 'private:seat_1'",
    f"UPDATE orders SET body = '{{\"words\": \"{WORDS}\"}}'", f"UPDATE drafts SET body = '{{\"words\": \"{WORDS}\"}}'",
    f"""INSERT INTO requests (game, seat, "to", newest, due_at, kind, asker, about)
        VALUES (1, 'seat_2', 0, 3, '{DAY}', 'hand', {BERT}, '{{"user": {ANNA}, "name": "{NAME}"}}')""",
    f"""INSERT INTO requests (game, seat, "to", newest, due_at, kind, asker, ended)
        VALUES (1, 'seat_1', 0, 3, '{DAY}', 'undo', {ANNA}, 'refused')""",
    *(f"""INSERT INTO outbox (id, game, no, kind, audience, key, payload, nonce, sent_at, message)
          VALUES ({900 + place}, {game}, 0, '{kind}', '{audience}', {key}, '{payload}', '{kind}', '{DAY}', {DIRECT})"""
      for place, (game, kind, audience, key, payload) in enumerate((
          (1, "private", "seat_1", "'private:seat_1'", "{}"), (1, "press", "seat_1", "NULL", "{}"),
          (2, "quiet", "gm", "NULL", "{}"), (2, "escalation", "gm", "NULL", "{}"),
          (1, "reminder", "public", "NULL", f'{{"user": {ANNA}}}'),
          (1, "application", "gm", f"'application:{ANNA}'", f'{{"user": {ANNA}}}')))))


def everywhere(path: Path) -> Iterator[tuple[str, str, str]]:
    """Every value of every table, as words: table, column, value."""
    with closing(sqlite3.connect(path)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            cursor = db.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield from ((table, name, str(value)) for name, value in zip(names, row))


def found(path: Path, *wanted: object) -> set[tuple[str, str]]:
    """The columns in which any of these stands."""
    return {(table, column) for table, column, value in everywhere(path) if any(str(one) in value for one in wanted)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return blank(tmp_path / "games.db")


@pytest_asyncio.fixture
async def services(path: Path) -> AsyncIterator[Services]:
    with closing(Store(blank(path))) as store:
        yield play_on(store, clock=Clock())


async def played(services: Services) -> int:
    """A game in which Anna has a name, has written, has been answered for, and is in every table that knows members."""
    game = (await services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="Friday", guild=GUILD,
                                      channel=CHANNEL, owner=MASTER)).id
    await services.lobby.join(game, ANNA, name=NAME)
    await services.lobby.join(game, BERT, name="Bert")
    await services.lobby.start(game, MASTER)
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Guess.of(3))
    await services.talk.say(game, ANNA, Seat("seat_2"), WORDS)
    await services.answers.answer_for(game, Seat("seat_1"), Take.of(1, "left"), ANNA)
    await services.settings.set_member(ANNA, MemberRow(hours=Hours(zone="Europe/Berlin", wake=8, sleep=23)))

    def fill(ledger: Ledger) -> None:
        ledger.conn.execute("PRAGMA defer_foreign_keys=ON")
        ledger.results.note_result(1, ())
        for table, row in FILLED.items():
            ledger.conn.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        ledger.audit.note(game, MASTER, f"handed seat_1 to <@{ANNA}>", DAY)

    await services.session.store.write(fill)
    return game


def test_of_every_column_it_is_declared_whether_it_holds_something_of_a_member(path: Path) -> None:
    with closing(Store(path)), closing(sqlite3.connect(path)) as db:
        ledger = Ledger(Database(db, execute_plugins=False))
        columns = {table: set(ledger.games._columns(table)) for table in ledger.games._tables()}
        assert columns == {table: {*own.split(), *others.split()} for table, (own, others) in WHOSE.items()}
        assert columns.keys() - ledger.personal_data._of_server().keys() == OF_NO_SERVER


async def test_a_forgotten_member_is_in_no_table_and_in_no_capsule_of_a_finished_game(path: Path, services: Services) -> None:
    game = await played(services)
    await delivered(services)
    led = (await services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="Sunday", guild=GUILD,
                                     channel=CHANNEL, owner=MASTER)).id
    await services.lobby.join(led, BERT, name="Bert")

    def fill(ledger: Ledger) -> None:
        for sql in FURTHER:
            ledger.conn.execute(sql)
        ledger.conn.execute("INSERT INTO forgotten VALUES (?, ?)", (ANNA, DAY))

    await services.session.store.write(fill)
    await services.session.incident(RuntimeError(), {"deed": "", "interaction": {"user": ANNA, "name": NAME}}, game)
    await services.session.incident(ValueError(), {"deed": "", "interaction": {"user": 5}}, None)
    assert found(path, ANNA, NAME, WORDS, DIRECT) == PERSONAL
    rows = await services.session.store.read(lambda ledger: ledger.log.rows(game))
    await services.seats.close(game, MASTER, "")
    await services.personal_data.forget_member(ANNA)
    await services.personal_data.look_at_servers({GUILD})
    assert found(path, ANNA, NAME, WORDS, DIRECT) == set()
    left = b"".join(part.read_bytes() for part in path.parent.glob(f"{path.name}*"))
    assert not any(trace in left for trace in (ANNA.to_bytes(8, "big"), str(ANNA).encode(), NAME.encode(), WORDS.encode()))
    assert [path.name for path in services.session.incidents.files()] == ["incident-2.json.gz"]
    after = await services.session.store.read(lambda ledger: ledger.log.rows(game))
    assert [(row.no, row.seat, row.verb, row.answer, row.events) for row in after] == [
        (row.no, row.seat, row.verb, row.answer, row.events) for row in rows], "its moves stay"
    with pytest.raises(sqlite3.IntegrityError, match="never change"):
        await services.session.store.write(lambda ledger: ledger.conn.execute("DELETE FROM log"))


async def test_the_record_of_a_game_of_a_forgotten_member_replays(services: Services) -> None:
    game = await played(services)
    while (await services.queries.game(game)).status != "over":
        (waiting, *_) = await services.queries.waiting(game)
        await services.answers.answer(game, waiting.user or 0, Take.of(1, "left"))
    await services.personal_data.forget_member(ANNA)
    written = await services.records.export(game)
    assert str(ANNA) not in written and NAME not in written
    assert record.replay(record.read(written), PEBBLES).over
    notes, _ = await services.queries.audit(game, page=1)
    assert any("a former member" in note for note in notes) and not any("<@0>" in note for note in notes)


async def test_of_a_running_game_only_that_its_secrets_are_known_stays_until_it_is_over(path: Path, services: Services) -> None:
    """Else whoever is forgotten could come back and take another seat."""
    game = await played(services)
    await services.personal_data.forget_member(ANNA)
    assert found(path, ANNA, NAME, WORDS) == {("insights", "user"), ("forgotten", "user")}
    holders = {holder.seat: holder.user for holder in await services.queries.holders(game)}
    assert holders == {"seat_1": None, "seat_2": BERT}
    await services.personal_data.look_at_servers({GUILD})
    assert found(path, ANNA) != set()
    await services.seats.close(game, MASTER, "")
    await services.personal_data.look_at_servers({GUILD})
    assert found(path, ANNA) == set()


async def test_the_game_master_who_is_forgotten_is_a_former_member(path: Path, services: Services) -> None:
    game = await played(services)
    await services.personal_data.forget_member(MASTER)
    assert found(path, MASTER) == set() and (await services.queries.game(game)).owner == 0


async def test_somebody_elses_longer_number_stays(path: Path, services: Services) -> None:
    game = await played(services)
    longer = f"{ANNA}7"
    await services.session.store.write(lambda ledger: ledger.audit.note(game, None, f"handed seat_1 to <@{longer}>", DAY))
    await services.seats.close(game, MASTER, "")
    await services.personal_data.forget_member(ANNA)
    assert found(path, longer) == {("audit", "deed")}


async def test_what_a_member_has_written_goes_whoever_has_the_seat_now_and_what_others_wrote_there_stays(
        path: Path, services: Services) -> None:
    game = await played(services)
    await services.talk.say(game, BERT, Seat("seat_1"), "No, at the bridge.")

    def write(ledger: Ledger) -> None:
        ledger.talk.add_press(game, Seat("seat_2"), ANNA, None, "As a stand-in: hello.", None, DAY)
        ledger.talk.add_press(game, Seat("seat_1"), MASTER, None, "As another stand-in: hello.", None, DAY)
        ledger.conn.execute("INSERT INTO press (game, seat, words, at) VALUES (?, 'seat_1', 'Long ago', ?)", (game, DAY))

    await services.session.store.write(write)
    own = json.loads(await services.personal_data.export_own(ANNA))["rows"]["press"]
    assert [row["words"] for row in own] == [WORDS, "As a stand-in: hello.", "Long ago"]
    await services.personal_data.forget_member(ANNA)
    left = [value for table, column, value in everywhere(path) if (table, column) == ("press", "words")]
    assert sorted(left) == sorted(["No, at the bridge.", "As another stand-in: hello.", *[ERASED] * 3])


async def test_a_message_on_its_way_to_a_member_who_is_forgotten_is_not_noted(path: Path, services: Services) -> None:
    game = await played(services)
    await delivered(services)
    letter = await services.session.store.write(lambda ledger: [
        ledger.outbox.add_letters(game, 3, [LastPlayer(user=ANNA, text="Hello.")], DAY), ledger.outbox.pending(1)[0].id][1])
    await services.seats.close(game, MASTER, "")
    await services.personal_data.forget_member(ANNA)
    await services.outbox.direct_opened(1, ANNA, DIRECT)
    await services.outbox.note(game, [(letter, DIRECT)])
    assert found(path, ANNA, DIRECT) == set()


def test_of_messages_of_earlier_versions_the_author_is_known_where_one_alone_has_held_the_seat(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as db:
        earlier = Migrations("chancery")
        for change in CHANGES[:CHANGES.index(m0045_authors)]:
            earlier()(change)
        earlier.apply(Database(db, execute_plugins=False))
        db.execute("""INSERT INTO games (id, key, edition, options, title, channel, owner, seats, status, pack_hash, commitment,
                                         secret, created_at, told, circle)
                      VALUES (1, 'pebbles', 'plain', '{}', '', 7, 900, 2, 'over', '', '', '', '', '{}', 1)""")
        db.executemany("INSERT INTO insights (circle, seat, user, held, agreed) VALUES (1, ?, ?, ?, 1)", [
            ("seat_1", ANNA, 1), ("seat_1", MASTER, 0), ("seat_2", ANNA, 1), ("seat_2", BERT, 1)])
        db.executemany("INSERT INTO press (game, seat, words, at) VALUES (1, ?, '', '')", [("seat_1",), ("seat_2",), ("seat_3",)])
        db.commit()
    Store(tmp_path / "old.db").close()
    assert [value for table, column, value in everywhere(tmp_path / "old.db") if (table, column) == ("press", "user")] == [
        str(ANNA), "None", "None"]


async def test_a_member_gets_all_that_is_kept_and_nothing_of_anybody_else(services: Services) -> None:
    game = await played(services)
    await services.talk.say(game, BERT, Seat("seat_1"), "No, at the bridge.")
    await services.session.store.write(lambda ledger: ledger.audit.note(game, ANNA, f"invited <@{BERT}>", DAY))
    given = await services.personal_data.export_own(ANNA)
    rows = json.loads(given)["rows"]
    assert {*FILLED, "seats", "members", "press", "audit"} - {"messages"} <= rows.keys()
    assert [row["words"] for row in rows["press"]] == [WORDS] and rows["seats"][0]["name"] == NAME
    assert not any(str(other) in given for other in (BERT, MASTER)) and "bridge" not in given
    assert [row["deed"] for row in rows["audit"]][1:] == [f"handed seat_1 to <@{ANNA}>", "invited another member"]
    secret = await services.session.store.read(lambda ledger: ledger.games.game(game).secret)
    assert secret and secret not in await services.personal_data.export_own(MASTER)
    kept = await services.personal_data.kept_about(ANNA)
    assert (kept.games, kept.running, kept.messages, kept.orders) == (1, 1, 1, 1)


# --- servers ---------------------------------------------------------------------------------------------------

async def test_games_of_a_server_that_removes_the_bot_rest_and_go_on_when_it_is_back(services: Services) -> None:
    game = await played(services)
    await services.personal_data.server_left(GUILD)
    assert (await services.queries.game(game)).status == "paused"
    await services.personal_data.look_at_servers({GUILD, 9})
    assert (await services.queries.game(game)).status == "running"


async def test_a_game_that_was_paused_before_stays_paused(services: Services) -> None:
    game = await played(services)
    await services.seats.pause(game, MASTER)
    await services.personal_data.server_left(GUILD)
    await services.personal_data.server_back(GUILD)
    assert (await services.queries.game(game)).status == "paused"


async def test_after_the_stated_time_nothing_of_a_server_is_left(path: Path) -> None:
    clock = Clock()
    with closing(Store(blank(path))) as store:
        services = play_on(store, clock=clock)
        game, other = await played(services), await services.lobby.open(
            key="pebbles", edition="plain", seats=2, options={}, pack=None, title="Elsewhere", guild=9, channel=99, owner=MASTER)
        await services.settings.set_server_theme(GUILD, "light")
        await services.personal_data.look_at_servers({9})
        clock.put_on(days=RESTS.days - 1)
        await services.personal_data.look_at_servers({9})
        assert (await services.queries.game(game)).status == "paused", "removed while the bot was stopped; seen at the next look"
        clock.put_on(days=2)
        await services.personal_data.look_at_servers({9})
        assert await services.queries.games(status=("open", "running", "paused", "over", "closed")) == [other]
        assert other.id == 2 and await store.read(lambda ledger: ledger.numbers.next_game()) == 3
    with closing(sqlite3.connect(path)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = {name for _, name, kind, *_ in db.execute(f"PRAGMA table_info({table})") if kind == "INTEGER"}
            for column, value in (("game", game), ("guild", GUILD)):
                if column in columns:
                    assert db.execute(f"SELECT 1 FROM {table} WHERE {column} = ?", (value,)).fetchone() is None, (table, column)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_a_bot_that_is_on_no_server_of_its_file_touches_nothing(services: Services) -> None:
    game = await played(services)
    await services.personal_data.look_at_servers({12345})
    await services.personal_data.look_at_servers(set())
    assert (await services.queries.game(game)).status == "running"


# --- by command --------------------------------------------------------------------------------------------------

async def test_a_member_sees_gets_and_erases_the_own_data(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    shown = await world.alice.slash(world.table, "my data")
    assert "- your seats in 1 game, 1 of them still being played" in words(shown)
    given = await world.alice.click(shown.response, label="Get it as a file")
    (file,) = given.response.attachments
    assert json.loads(await file.read())["member"] == str(world.alice.id)
    asked = await world.alice.click((await world.alice.slash(world.table, "my data")).response, label="Forget me …")
    assert words(asked).startswith("**This can't be undone.** You give up your seats in 1 running game,")
    done = await world.alice.click(asked.response, label="Forget me")
    assert words(done).startswith("I've erased your data and freed your seats in 1 game.")
    assert found(world.path, world.alice.id, "alice") == {("insights", "user"), ("forgotten", "user")}
    assert "I keep 1 entry about you" in words(await world.alice.slash(world.table, "my data"))


async def test_the_bot_notices_that_a_server_removes_it_and_has_it_back(world: World) -> None:
    await world.guessed()
    guild = world.bot.get_guild(world.guild.id)
    await world.bot.on_guild_remove(guild)
    assert (await world.services.queries.game(1)).status == "paused"
    await world.bot.on_guild_join(guild)
    assert (await world.services.queries.game(1)).status == "running"


def test_the_operator_erases_a_member_and_hears_which_copies_know_more(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def prepared() -> None:
        with closing(Store(blank(path))) as store:
            await played(play_on(store, clock=Clock()))

    asyncio.run(prepared())
    settings = read(path.parent / ".env").model_copy(update={"database": path, "backups": path.parent / "backups"})
    copy = Backups(path, settings.backup_folder).write()
    aside = path.with_name(f"{path.name}.20260401-120000")
    aside.touch()
    assert cli.run(["--database", str(path), "forget", str(BERT)], settings) == 0
    said = capsys.readouterr().out
    erased, copies, kept = said.splitlines()
    assert "erased" in erased and "in 1 game" in erased and str(copy) in copies and str(aside) in kept
    assert cli.run(["--database", str(path), "forget", str(BERT + 1)], settings) == 1
    unknown = capsys.readouterr().out
    assert str(BERT + 1) in unknown and "nothing to erase" in unknown


@pytest.mark.parametrize("words", [["forget", "101"], ["backup"], ["doctor"],
                                   ["import", "game.jsonl", "--guild", "1", "--channel", "2", "--owner", "3"]])
def test_no_tool_makes_a_database_where_there_is_none(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "game.jsonl").write_text("")
    settings = read(tmp_path / ".env").model_copy(update={"backups": tmp_path / "backups"})
    with pytest.raises(Faulty):
        cli.run(["--database", str(tmp_path / "chancry.db"), *words], settings)
    assert not [*tmp_path.glob("chancry*")]


@pytest.mark.parametrize("words", [["forget", "101"], ["backup"], ["backup", "copy.db"], ["doctor"], ["check"], ["alive"],
                                   ["import", "game.jsonl", "--guild", "1", "--channel", "2", "--owner", "3"]])
def test_a_tool_that_may_not_look_where_it_is_sent_says_so(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    """As whoever keeps root's folder when becoming the bot's user."""
    def denied(asked: Callable[..., Any]) -> Callable[..., Any]:
        def ask(path: Any, *given: Any, **more: Any) -> Any:
            if isinstance(path, (str, os.PathLike)) and str(shut) in os.fspath(path):
                raise PermissionError(errno.EACCES, "Permission denied")
            return asked(path, *given, **more)

        return ask

    shut = tmp_path / "shut"
    shut.mkdir()
    monkeypatch.setattr(os, "stat", denied(os.stat))
    monkeypatch.setattr(os, "open", denied(os.open))
    settings = read(shut / ".env").model_copy(update={"backups": tmp_path / "backups"})
    with suppress(Faulty):
        cli.run(["--database", str(shut / "games.db"), *[str(shut / word) if "." in word else word for word in words]], settings)


def test_a_tool_of_root_goes_on_as_the_owner_of_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[int] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "setgroups", lambda groups: became.extend(groups))
    monkeypatch.setattr(os, "setgid", became.append)
    monkeypatch.setattr(os, "setuid", became.append)
    monkeypatch.setattr(Path, "stat", lambda path, **_: SimpleNamespace(st_uid=41, st_gid=42, st_mode=0))
    cli.act_as_owner(tmp_path / "games.db")
    assert became == [42, 41]
    monkeypatch.setattr(os, "geteuid", lambda: 41)
    cli.act_as_owner(tmp_path / "games.db")
    assert became == [42, 41]


def test_copies_go_after_thirty_days(path: Path) -> None:
    clock = Clock()
    backups = Backups(path, path.parent / "backups", now=clock)
    first = backups.write()
    clock.put_on(days=OLDEST.days - 1)
    second = backups.write()
    assert first.exists()
    clock.put_on(days=2)
    assert backups.copies() and backups.write().exists() and second.exists() and not first.exists()
