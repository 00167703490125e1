"""Letters of the outbox: a class, a sender and a stored form for each kind, the same in every version."""
from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.core.mailbox import in_channel
from bot.discord.outbox.delivery import SENDERS, sends
from bot.discord.outbox.pictures import newest_pictures
from bot.discord.outbox.threads import thread
from bot.domain.announcements import ranking
from bot.domain.letters import GM, KINDS, PUBLIC, Final, Letter, Log, Picture, Strike, read
from bot.domain.turns import all_turns
from bot.store import OutboxRow
from bot.store.outbox import COMPACT
from engine.kernel import Seat
from engine.text import say

FIXTURES = Path(__file__).parents[1] / "fixtures"
STORED = {      # kind -> audience, key, payload, as they have been stored since the kind is there
    "log": (PUBLIC, None, '{"lines":["France passes."],"first":3,"of":9}'),
    "picture": (PUBLIC, None, '{"picture":"board","row":7,"since":4}'),
    "question": ("seat_1", "question:seat_1", '{"seat":"seat_1","asked_at":2,"text":"Which?","buttons":[["A","ee3e0fa847"]],'
                                              '"secret":false,"follows":true}'),
    "packet": (PUBLIC, "packet", '{"seats":["seat_1","seat_2"],"asked":["seat_2"],"span":"7","text":"You can answer now."}'),
    "private": ("seat_1", "private:seat_1", '{"seat":"seat_1","text":"Your guess: 1.","last":["You guess 1."]}'),
    "final": (PUBLIC, None, '{"result":"A wins.","standings":[["seat_1","A",1,12]],"secret":"5e","commitment":"c0"}'),
    "proxy": ("seat_1", None, '{"user":101,"text":"A takes 2."}'),
    "plan": ("seat_1", None, '{"user":101,"text":"Your plan of 2 steps is dropped."}'),
    "status": (PUBLIC, "status", "{}"),
    "alone": (PUBLIC, None, '{"user":101,"text":"A alone is left."}'),
    "press": ("seat_2", None, '{"press":5}'),
    "farewell": ("seat_1", None, '{"user":101,"text":"You gave it up."}'),
    "reminder": ("seat_1", None, '{"user":101,"duties":[[1,"seat_1",4],[2,"seat_3",9]]}'),
    "escalation": (GM, None, '{"why":"missed","seats":["seat_1"]}'),
    "stands": (PUBLIC, "stands", '{"seats":["seat_1"]}'),
    "master": (GM, None, '{"user":101}'),
    "lapse": (PUBLIC, None, '{"user":101,"text":"A is away."}'),
    "upcoming": ("seat_1", "upcoming:seat_1", '{"user":101,"seat":"seat_1"}'),
    "vote": (PUBLIC, "pausing", '{"text":"A wants to pause.","choice":"pause","waiting":[102],"ended":false}'),
    "ballot": (PUBLIC, "ballot", '{"seats":["seat_1","seat_2"],"told":["seat_2"],"asked_at":2,"text":"End it?",'
                                 '"buttons":[["Agree","ee3e0fa847"],["Refuse","0fa847ee3e"]]}'),
    "request": (PUBLIC, "request:3", '{"request":3}'),
    "strike": (PUBLIC, "strike:44", '{"letter":44}'),
    "series": (PUBLIC, "series", '{"seats":["seat_1","seat_2"],"asked":["seat_1"],"point":"DP-02","words":"Place your units"}'),
    "full": (PUBLIC, "full", "{}"),
    "invitation": (PUBLIC, "invitation:7", '{"channel":7}'),
    "rematch": (PUBLIC, None, '{"host":103,"users":[101,102]}'),
    "invited": (PUBLIC, None, '{"host":103,"user":101}'),
    "application": (GM, "application:101", '{"user":101,"seat":"seat_1"}'),
    "standin": (PUBLIC, "standin:3", '{"offer":3}'),
    "replacing": (PUBLIC, "replacing:3", '{"replacement":3}'),
    "replaced": (PUBLIC, None, '{"user":101,"replacement":3}'),
    "late": (PUBLIC, None, "{}"),
    "voters": (PUBLIC, None, '{"replacement":3}'),
    "waiting": (PUBLIC, None, '{"seats":["seat_1"]}'),
    "opened": (PUBLIC, None, '{"user":101,"games":[3,4]}'),
    "called": (PUBLIC, "called", '{"role":9}'),
    "week": (PUBLIC, None, '{"user":101,"since":"2026-04-01T12:00:00+00:00"}'),
    "summary": (PUBLIC, "summary:8", '{"guild":8,"since":"2026-04-01T12:00:00+00:00"}'),
    "stillopen": (PUBLIC, None, '{"channel":7,"games":[3,4]}'),
    "quiet": ("gm", None, "{}"),
    "longpause": (PUBLIC, None, "{}"),
    "notice": (PUBLIC, None, '{"text":"A joins."}')}


def row(kind: str, payload: str, number: int = 1) -> OutboxRow:
    return OutboxRow(id=number, game=1, no=1, kind=kind, audience=PUBLIC, key=None, payload=json.loads(payload), nonce="n",
                     attempts=0)


def test_every_kind_has_a_class_and_a_sender() -> None:
    assert set(SENDERS) == set(KINDS.values()) and set(KINDS) == set(STORED)
    assert len(KINDS) == len(Letter.__subclasses__()), "two classes of one kind"


def test_a_kind_has_one_sender() -> None:
    with pytest.raises(AssertionError, match="letters of the class Strike have a sender already"):
        sends(Strike)(SENDERS[Strike])


@pytest.mark.parametrize("kind", STORED)
def test_a_letter_is_stored_as_ever_and_read_again(kind: str) -> None:
    audience, key, payload = STORED[kind]
    letter = read(kind, audience, json.loads(payload))
    assert (type(letter), letter.audience, letter.key) == (KINDS[kind], audience, key)
    assert COMPACT.encode(letter.payload) == payload


def test_whoever_writes_a_letter_may_leave_out_its_usual_audience() -> None:
    for kind, (audience, _, payload) in STORED.items():
        if not audience.startswith("seat"):
            assert KINDS[kind].model_validate(json.loads(payload)).audience == audience, kind


@pytest.mark.parametrize("version", ["m0004", "m0005"])
def test_letters_of_earlier_databases_are_still_understood(version: str) -> None:
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.executescript(gzip.decompress((FIXTURES / f"version-{version}.sql.gz").read_bytes()).decode())
        stored = conn.execute("SELECT kind, audience, key, payload FROM outbox").fetchall()
    assert len({kind for kind, *_ in stored}) >= 5
    for kind, audience, key, payload in stored:
        letter = read(kind, audience, json.loads(payload))
        now = json.loads(COMPACT.encode(letter.payload))
        assert (letter.key, {name: now[name] for name in json.loads(payload)}) == (key, json.loads(payload))


def test_fields_that_came_later_have_a_value_in_older_letters() -> None:
    assert read("picture", PUBLIC, {"row": 2}) == Picture(picture="board", row=2)
    assert read("log", PUBLIC, {"lines": ["A"]}) == Log(lines=["A"]) and Log(lines=["A"]).payload == {"lines": ["A"]}
    assert all_turns(Log(lines=["A"]).turns, ["A"]) == [("", "", 1)], "what was told before there were turns is nobody's"
    assert read("packet", PUBLIC, {"seats": ["seat_1"], "span": "1", "text": "-"}).payload["asked"] == []


@pytest.mark.parametrize("kind, payload", [
    ("question", {"seat": "seat_1"}), ("vote", {"text": "-", "choice": "fly"}), ("press", {})])
def test_what_is_no_letter_is_not_sent(kind: str, payload: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        read(kind, PUBLIC, payload)


def test_the_end_of_a_game_names_who_has_played_each_power() -> None:
    one, two, three = map(Seat, ("seat_1", "seat_2", "seat_3"))
    end = Final(result="Britain wins.", secret="5e", commitment="c0", automatic=[(three, "automatic player (solid)")],
                standings=[(two, "Britain", 1, 26), (three, "Spain", 2, 8), (one, "France", 3, -3)])
    assert [say(line) for line in ranking(end, {two: 7})] == [
        "1. Britain, <@7>", "2. Spain, automatic player (solid)", "3. France"], "the result says with how many points"


def test_of_pictures_that_wait_the_newest_is_sent_with_all_that_is_new() -> None:
    waiting = [row("picture", '{"row":2}', 1), row("notice", '{"text":"-"}', 2),
               row("picture", '{"picture":"board","row":5,"since":4}', 3),
               row("picture", '{"picture":"cards","row":5,"since":4}', 4)]
    drawn, overtaken = newest_pictures(waiting)
    assert overtaken == {1} and {number: one.payload["since"] for number, one in drawn.items()} == {3: 2, 4: 4}


def test_news_keep_their_order_and_everybody_has_a_thread_of_messages() -> None:
    assert {thread(row(kind, STORED[kind][2])) for kind in ("log", "notice", "final")} == {"log/public"}
    assert thread(row("reminder", STORED["reminder"][2])) == "reminder/101"
    assert [kind for kind in STORED if not in_channel(row(kind, STORED[kind][2]))] == [
        "private", "proxy", "plan", "farewell", "reminder", "escalation", "master", "upcoming", "invitation", "replaced",
        "opened", "week", "summary", "stillopen", "quiet"]
