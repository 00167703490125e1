"""The sandbox: its page, its people, its clock, and the game that waits in it."""
from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from simcord.components import walk_components
from simcord.preview import _markdown

from bot.operator.config import Settings
from engine.refusals import Faulty
from sandbox import server
from sandbox.guide import COMMANDS, Guide, Lobby, Place, guide
from sandbox.server import Sandbox, listen, sandbox
from sandbox.solo_game import begin
from sandbox.world import Conversation, Person

ROOT = Path(__file__).parent.parent
HOURS = 2               # that are skipped: longer than the bot can answer an interaction
PLAYERS = ["Ada", "Ben", "Carla", "Dov"]
BUTTON, LIST, TEXT = 2, 3, 10          # Discord's numbers of components


class Browser:
    """What a browser sends."""

    def __init__(self, box: Sandbox, session: aiohttp.ClientSession) -> None:
        self.box, self._session = box, session
        self._presses: defaultdict[str, int] = defaultdict(int)         # page -> how many so far

    async def ask(self, path: str, body: Any = None, *, key: str = "", page: str = "", headers: Mapping[str, str] = {}) -> Any:
        """The answer's status and its content."""
        keys = {"X-Simcord-Capability": key, "X-Simcord-Context": page} if key else {}
        method, url = "GET" if body is None else "POST", self.box.address.rstrip("/") + path
        async with self._session.request(method, url, json=body, headers={**keys, **headers}) as got:
            return got.status, await (got.json() if got.content_type == "application/json" else got.text())

    async def club(self) -> Any:
        return (await self.ask("/club"))[1]

    async def guide(self, person: str, conversation: str) -> Any:
        """What stands above a conversation."""
        return (await self.ask(f"/club?person={person}&conversation={conversation}"))[1]["guide"]

    async def asked(self, table: str = "struggle") -> list[str]:
        """Who is asked something at a table."""
        return next(one["asked"] for one in (await self.club())["conversations"] if one["name"] == table)

    async def look(self, person: str, conversation: int) -> tuple[str, Any]:
        """Open a conversation as somebody: the key of the view, and what is seen."""
        _, opened = await self.ask("/view", {"person": person, "conversation": str(conversation)})
        key = opened["url"].partition("#")[2]
        return key, (await self.ask("/api/pages", {}, key=key))[1]

    async def press(self, key: str, seen: Any, label: str) -> Any:
        """Press a button of the last message that has it, as it was seen."""
        page = seen["context"]["id"]
        number = self._presses[page] = self._presses[page] + 1
        message, control = [(id, control) for id in seen["timeline"] for control in controls(seen["messages"][id])
                            if control.get("label") == label][-1]
        action = {"kind": "click", "target_id": message, "control_key": control["control_key"], "protocol_version": 3,
                  "sequence": number, "request_id": f"press {number}", "generation": seen["context"]["generation"],
                  "bot_generation": seen["botGeneration"], "published_revision": seen["publishedRevision"]}
        return await self.ask("/api/action", action, key=key, page=page)


def controls(message: Any) -> list[Any]:
    """The buttons and lists of a message."""
    return [part for part in walk_components(message.get("components", [])) if part["type"] in (BUTTON, LIST)]


def told(message: Any) -> str:
    """What is written in a message, above its components or in them."""
    return "\n".join([message["content"], *(part["content"] for part in walk_components(message["components"])
                                            if part["type"] == TEXT)])


def words(seen: Any) -> str:
    """All that is written in a conversation."""
    return "\n".join(told(seen["messages"][number]) for number in seen["timeline"])


def struggle(box: Sandbox) -> Any:
    """The channel of the first game."""
    return box.world.tables["struggle"]


async def attack(box: Sandbox) -> None:
    """Ada's attack, typed."""
    async with box.world.acting():
        await box.world.person("Ada").actor.slash(struggle(box), "struggle attack", area="north_america", target="britain")


@pytest_asyncio.fixture
async def box(tmp_path: Path) -> AsyncIterator[Sandbox]:
    """A sandbox with the demonstration games."""
    async with sandbox(tmp_path / "sandbox.db") as box:
        yield box


@pytest_asyncio.fixture
async def browser(box: Sandbox) -> AsyncIterator[Browser]:
    async with aiohttp.ClientSession() as session:
        yield Browser(box, session)


only_looks = pytest.mark.asyncio(loop_scope="module")       # a test that changes nothing may share a sandbox with others,
goes_along = pytest.mark.asyncio(loop_scope="session")      # and so may those that do not mind what the others change


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def looker(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    """A browser of those who only look."""
    async with sandbox(tmp_path_factory.mktemp("sandbox") / "sandbox.db") as box, aiohttp.ClientSession() as session:
        yield Browser(box, session)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def guest(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    """A browser of those who write, open games and play the second one, but do not move in the first."""
    async with sandbox(tmp_path_factory.mktemp("sandbox") / "sandbox.db") as box, aiohttp.ClientSession() as session:
        yield Browser(box, session)


# --- the page -------------------------------------------------------------------------------------------

@only_looks
async def test_the_page_lists_people_channels_and_direct_messages(looker):
    status, page = await looker.ask("/")
    assert status == 200 and "<title>Chancery sandbox</title>" in page
    club = await looker.club()
    assert [(person["name"], person["role"]) for person in club["people"]] == [
        *((name, "player") for name in PLAYERS), ("Gina", "game master")]
    assert [(one["kind"], one["name"]) for one in club["conversations"]] == [
        *(("channel", name) for name in ("struggle", "attack", "imperial")), *(("direct", name) for name in [*PLAYERS, "Gina"])]
    assert [person["name"] for person in club["people"] if person["asked"]] == ["Ada", "Ben"]
    for table, waited_for in zip(club["conversations"], ("Ada", "Ben", "Ada")):
        assert table["count"] >= 3 and table["people"] == [*PLAYERS, "Gina"] and table["asked"] == [waited_for]
    assert any("Tap a name" in line for line in club["help"]) and not any(one["asked"] for one in club["conversations"][3:])
    assert club["guide"] is None, "nobody looks at anything yet"


def test_the_line_above_leads_to_where_somebody_has_a_move_to_make():
    actor: Any = SimpleNamespace(id=1)
    ada, ben, gina = (Person(name, actor) for name in ("Ada", "Ben", "Gina"))
    one, other, talk = (Conversation(number, kind, name, (ada, ben, gina))
                        for number, (kind, name) in enumerate((("channel", "one"), ("thread", "Friday"), ("direct", "Ada")), 7))

    def places(*movers: Sequence[str]) -> list[Place]:
        return [Place(conversation=table, movers=names, seats={}) for table, names in zip((one, other), movers)]
    own = guide(ada, talk, places((), ("Ben", "Ada")))
    assert (own.now, own.button, own.person, own.conversation) == ("It's your move in Friday.", "Go there", "Ada", "8")
    anybody = guide(ada, talk, places(("Ben",), ()))
    assert (anybody.now, anybody.button, anybody.person, anybody.conversation) == (
        "It's Ben's move in #one.", "Play as Ben", "Ben", "7")
    assert guide(ada, one, places(("Ben", "Gina"), ("Ada",))).now == "Waiting for Ben and Gina."
    assert guide(gina, one, places((), ())) == Guide(you="You are Gina, the game master.", now="Nothing to do right now.")


def test_the_line_above_an_open_game_says_what_comes_next():
    actor: Any = SimpleNamespace(id=1)
    ada, ben, gina = everybody = tuple(Person(name, actor) for name in ("Ada", "Ben", "Gina"))
    table = Conversation(7, "thread", "Friday", everybody)

    def line(who: Person, joined: Sequence[str], host: str = "Ada", *, free: bool = True) -> tuple[str, str, str]:
        lobby = Lobby(conversation=table, host=host, joined=joined, free=free, ready=len(joined) > 1)
        said = guide(who, table, [], [lobby], everybody)
        return said.now, said.button, said.person
    assert line(ada, []) == ("A game is open here. You can join it.", "", "")
    assert line(ada, ["Ada"]) == ("Waiting for others to join.", "Play as Ben", "Ben")
    assert line(gina, [], "Gina") == ("Waiting for others to join.", "Play as Ada", "Ada"), "who plays nowhere need not join"
    assert line(ben, ["Ada"]) == ("A game is open here. You can join it.", "", "")
    assert line(ben, ["Ada", "Ben"], free=False) == ("Ada can start the game.", "Play as Ada", "Ada")
    assert line(ada, ["Ada", "Ben"]) == ("You can start the game.", "", "")
    assert line(ada, ["Ben", "Carla"], "Gina", free=False) == ("Gina can start the game.", "Play as Gina", "Gina")
    running = Place(conversation=table, movers=["Ben"], seats={})
    both = guide(ada, table, [running], [Lobby(conversation=table, host="Ada", joined=[], free=True, ready=False)], everybody)
    assert both.now == "Waiting for Ben.", "a game that is being played here comes first"


@only_looks
async def test_simcords_page_and_what_it_loads_come_from_the_same_server(looker):
    status, page = await looker.ask("/talk")
    assert status == 200 and 'src="/app.js"' in page and 'href="/talk.css"' in page
    for path in ("/talk.css", "/app.js", "/preview.css", "/messages.js", "/backend-diagnostics.json"):
        assert (await looker.ask(path))[0] == 200, path


@only_looks
async def test_a_conversation_is_shown_with_its_log_its_picture_and_the_question(looker):
    _, seen = await looker.look("Ada", struggle(looker.box).id)
    assert "France buys Reserves (4 gold)" in words(seen) and "**France**: What do you do?" in words(seen)
    pictures = [file for message in seen["messages"].values() for file in message["attachments"]]
    assert [picture["filename"] for picture in pictures] == ["closeup.png", "board.png"]
    status, question = [seen["messages"][seen["timeline"][place]] for place in (0, -1)]
    assert [control.get("label") for control in controls(question)] == ["Your move", "Your secrets"]
    assert "The American question** · game 1" in told(status) and "Board" in [item.get("label") for item in controls(status)]


@only_looks
async def test_direct_messages_are_for_their_person_alone(looker):
    dov = next(one for one in looker.box.world.conversations() if (one.kind, one.name) == ("direct", "Dov"))
    _, seen = await looker.look("Dov", dov.id)
    assert "Your unrest" in words(seen)
    for other in ("Ada", "Gina", "Nobody"):
        status, why = await looker.ask("/view", {"person": other, "conversation": str(dov.id)})
        assert (status, why) == (404, "There's no such person, or this person can't read that conversation.")


@only_looks
async def test_the_key_of_a_view_opens_nothing_else(looker):
    key, seen = await looker.look("Ada", struggle(looker.box).id)
    other, _ = await looker.look("Ben", struggle(looker.box).id)
    page = seen["context"]["id"]
    assert (await looker.ask("/api/state", key=key, page=page))[0] == 200
    assert (await looker.ask("/api/state", key=other, page=page))[0] == 410
    assert (await looker.ask("/api/state", key="guessed", page=page))[0] == 401


@only_looks
async def test_pages_of_other_sites_are_refused(looker):
    for foreign in ({"Origin": "https://example.org"}, {"Origin": "null"}, {"Host": "example.org"}):
        assert (await looker.ask("/club", headers=foreign))[0] == 403


def lists(seen: Any) -> list[str]:
    """The keys by which simcord's page knows the lists of the last message."""
    return [control["control_key"] for control in controls(seen["messages"][seen["timeline"][-1]]) if control["type"] == 3]


@goes_along
async def test_a_list_that_the_bot_has_changed_is_another_one_so_that_an_old_choice_does_not_stay_in_it(guest):
    world, ada = guest.box.world, guest.box.world.person("Ada").actor
    there = world.tables["imperial"]
    async with world.acting():
        opened = await ada.slash(there, "game open")
    _, first = await guest.look("Ada", there.id)
    _, same = await guest.look("Ada", there.id)
    async with world.acting():
        await ada.select(opened.response, ["struggle_of_empires"])
    _, later = await guest.look("Ada", there.id)
    assert lists(first) == lists(same) and len(lists(first)) == 1 and len(lists(later)) == 3
    assert not {*lists(first)} & {*lists(later)}


@goes_along
async def test_above_a_game_that_is_open_stands_that_one_can_join_it(guest):
    world = guest.box.world
    channel = world.open_channel("lobby")
    async with world.acting():
        game = await guest.box.services.lobby.open(key="attack", edition="base", seats=2, options={}, pack=None, title="Lobby",
                                                   guild=world.guild.id, channel=channel, owner=world.person("Dov").id)
        await guest.box.services.lobby.join(game.id, world.person("Dov").id, name="Dov")
    dov, carla = [await guest.guide(name, str(channel)) for name in ("Dov", "Carla")]
    assert (dov["now"], dov["button"]) == ("Waiting for others to join.", "Play as Ada")
    assert (carla["now"], carla["button"], carla["conversation"]) == ("A game is open here. You can join it.", "", "")


# --- acting -----------------------------------------------------------------------------------------------

async def test_the_demonstration_is_two_presses_before_a_battle_with_allies_and_reserves(browser):
    """Above each conversation stands who one is and whose move it is; what one does others see without reloading."""
    box = browser.box
    first, second, _ = (str(table.id) for table in box.world.tables.values())
    assert await browser.asked() == ["Ada"]
    assert await browser.guide("Ada", first) == {
        "you": "You are Ada (France).", "now": "It's your move.", "button": "", "person": "",
        "conversation": "", "try": "Try: Your move, then Attack, and Britain in North America."}
    assert (await browser.guide("Ada", second)) == {
        "you": "You are Ada (Red).", "now": "Waiting for Ben.", "button": "Play as Ben", "person": "Ben", "conversation": second,
        "try": ""}
    key, seen = await browser.look("Ben", struggle(box).id)
    await attack(box)
    _, later = await browser.ask("/api/state", key=key, page=seen["context"]["id"])
    assert "France attacks Britain in North America" not in words(seen)
    assert "France attacks Britain in North America" in words(later)
    assert await browser.asked() == ["Ben"]
    here = await browser.guide("Ada", first)
    assert (here["now"], here["button"], here["try"]) == ("Waiting for Ben.", "Play as Ben", "")
    assert (await browser.guide("Ada", "1")) is None
    labels = [control.get("label") for message in (await browser.look("Ben", int(first)))[1]["messages"].values()
              for control in controls(message)]
    assert "Your move" in labels and (await browser.guide("Ben", first))["button"] == "", "the bot's own button is enough"
    for helper, principal in (("Ben", "France"), ("Dov", "Britain")):
        key, seen = await browser.look(helper, struggle(box).id)
        assert f"{principal} asks for your help" in words(seen)
        await browser.press(key, seen, "Send 1 army and 1 navy")
    for person in ("Ada", "Carla"):
        assert await browser.asked() == [person]
        key, seen = await browser.look(person, struggle(box).id)
        await browser.press(key, seen, "Fight at sea")
    _, seen = await browser.look("Ada", struggle(box).id)
    shown = [[control.get("label") for control in controls(seen["messages"][number])][:2] for number in seen["timeline"]]
    assert ["Use Reserves", "No"] in shown


@goes_along
async def test_the_second_game_is_a_few_presses_before_a_battle_and_a_crossing(guest):
    box, ben = guest.box, guest.box.world.person("Ben").actor
    table = box.world.tables["attack"]
    _, seen = await guest.look("Ben", table.id)
    assert "Red captures Germany" in words(seen) and "**Blue**: What do you do?" in words(seen)
    pictures = [file["filename"] for message in seen["messages"].values() for file in message["attachments"]]
    assert pictures[-1] == "board.png"
    async with box.world.acting():
        await ben.slash(table, "attack begin", action="movement")
        await ben.slash(table, "attack move", unit="tank", origin="france", to="italy", number=2)
        await ben.slash(table, "attack move", unit="plane", origin="france", to="italy")
        await ben.slash(table, "attack move", unit="infantry", origin="iberia", to="italy", way="water")
        await ben.slash(table, "attack confirm")
    assert await guest.asked("attack") == ["Dov"], "he controls the sea lanes"
    key, seen = await guest.look("Dov", table.id)
    assert "Blue wants to cross from Iberia to Italy with 1 infantry. Do you allow it?" in words(seen)
    await guest.press(key, seen, "Refuse")
    _, seen = await guest.look("Ada", table.id)
    assert "1 infantry goes back to Iberia." in words(seen) and "Blue attacks Red in Italy, held by " in words(seen)
    assert await guest.asked("attack") == ["Ben"], "the battle has been fought"


@goes_along
async def test_a_press_counts_although_a_new_post_has_come_in_between(guest):
    key, seen = await guest.look("Ada", struggle(guest.box).id)
    async with guest.box.world.acting():
        await guest.box.world.person("Gina").actor.send(struggle(guest.box), "Take your time.")
    await guest.box.world.pass_time(timedelta(seconds=30))
    status, receipt = await guest.press(key, seen, "Your move")
    assert (status, receipt["rejected"], receipt["settlement"]) == (200, False, "settled")
    _, later = await guest.ask("/api/state", key=key, page=seen["context"]["id"])
    assert later["messages"][later["timeline"][-1]]["ephemeral"]
    ages = [datetime.fromisoformat(shown["profile"]["presentationTime"]) for shown in (seen, later)]
    assert ages[1] - ages[0] >= timedelta(seconds=30), "what has just happened is not in the future"


@goes_along
async def test_a_private_reply_is_seen_by_its_person_only_and_counts_as_no_message(guest):
    before = (await guest.club())["conversations"][0]["count"]
    key, seen = await guest.look("Ada", struggle(guest.box).id)
    await guest.press(key, seen, "Your secrets")
    _, own = await guest.look("Ada", struggle(guest.box).id)
    _, others = await guest.look("Ben", struggle(guest.box).id)
    assert "Your unrest:" in words(own) and "Your unrest" not in words(others)
    assert (await guest.club())["conversations"][0]["count"] == before


@goes_along
async def test_a_thread_becomes_a_conversation_of_its_own(guest):
    world = guest.box.world
    async with world.acting():
        await world.person("Gina").actor.slash(struggle(guest.box), "game open", game="struggle_of_empires", seats=2,
                                               title="Second table", place="a new thread")
    thread = next(one for one in (await guest.club())["conversations"] if one["kind"] == "thread")
    assert thread["name"] == "Second table"
    await guest.look("Ben", int(thread["id"]))


@goes_along
async def test_a_command_that_is_written_out_is_answered_with_how_to_choose_one(guest):
    world = guest.box.world
    here = next(one for one in world.conversations() if one.name == "imperial")
    said = {}
    for words in ("/game open", "hello"):
        async with world.acting():
            await world.person("Carla").actor.send(world.tables["imperial"], words)
        said[words] = [(await guest.guide(who, str(here.id)))["try"] for who in ("Carla", "Dov")]
    assert said == {"/game open": [COMMANDS, ""], "hello": ["", ""]}


@goes_along
async def test_a_conversation_opens_at_its_newest_message(guest):
    world = guest.box.world
    await guest.look("Ada", struggle(guest.box).id)
    async with world.acting():
        for number in range(60):
            await world.person("Gina").actor.send(struggle(guest.box), f"Message {number}")
    _, seen = await guest.look("Ada", struggle(guest.box).id)
    assert words(seen).endswith("Message 59")


@only_looks
async def test_a_view_makes_room_for_the_newest_of_many_pages(looker):
    for _ in range(18):
        _, seen = await looker.look("Ada", struggle(looker.box).id)
    assert seen["status"] == "current"


def test_texts_that_know_the_same_names_share_a_parser_and_others_do_not():
    policy = _markdown._FIELD_POLICIES["message"]
    ada, ben = ({"users": {"1": name}} for name in ("Ada", "Ben"))
    assert _markdown._markdown_parser(policy, ada) is _markdown._markdown_parser(policy, {"users": {"1": "Ada"}})
    assert ["@Ada" in str(_markdown.markdown_tokens("For <@1>.", context=names)) for names in (ada, ben, ada)] == [
        True, False, True]


@pytest.mark.parametrize("words", ["> It's quoted.\nAfter it", "- An item\n- Another one\nAfter them", "1. An item\nAfter it"])
def test_a_quote_and_a_list_end_with_their_lines_as_on_discord(words: str) -> None:
    *_, last = _markdown.markdown_tokens(words, context={})
    assert last["type"] == "paragraph" and "After" in str(last)


# --- time ---------------------------------------------------------------------------------------------------

@only_looks
async def test_time_goes_neither_back_nor_too_far(looker):
    before = datetime.fromisoformat((await looker.club())["now"])
    for hours in (-1, 0, 100_000, "1", None, True, [1], 10**17):
        assert await looker.ask("/time", {"hours": hours}) == (400, "Time only goes forward, by at most 744 hours at once.")
    assert datetime.fromisoformat((await looker.club())["now"]) - before < timedelta(hours=1)


@only_looks
async def test_what_is_no_request_of_our_page_is_refused_with_a_sentence(looker):
    for body in (b"", b"{", b"[]", b"null", b'"x"', b"\xff", b'{"hours": NaN}', b'{"hours": 1e999}', b'{"hours": 1, "hours": 2}',
                 b'{"hours": "\\ud800"}', b"[" * 100_000):
        for path in ("view", "time"):
            async with looker._session.post(f"{looker.box.address.rstrip('/')}/{path}", data=body) as got:
                assert (got.status, await got.text()) == (400, "This request isn't a JSON object."), body


async def test_time_can_be_skipped_and_a_long_run_keeps_no_record_of_every_request(browser):
    await attack(browser.box)
    backend = browser.box.world.env.backend
    assert backend.interactions
    assert not backend.transcript and not backend.http_requests
    before = datetime.fromisoformat((await browser.club())["now"])
    status, _ = await browser.ask("/time", {"hours": HOURS})
    after = datetime.fromisoformat((await browser.club())["now"])
    assert status == 200 and timedelta(hours=HOURS) <= after - before < timedelta(hours=HOURS + 1)
    assert not backend.interactions and not backend.interaction_tokens


# --- start and end --------------------------------------------------------------------------------------------

async def test_a_port_that_is_taken_is_passed_over():
    with listen(0) as taken:
        port = taken.getsockname()[1]
        with listen(port) as other:
            assert other.getsockname()[1] > port


def test_no_free_port_is_a_sentence(monkeypatch):
    def refuse(address: object) -> socket.socket:
        raise OSError
    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(Faulty, match=r"No port from 8800 on is free; set CHANCERY_SANDBOX_PORT to another\."):
        listen(8800)


async def test_it_ends_clean_and_each_fresh_start_is_the_same(tmp_path):
    before, seen = asyncio.all_tasks(), []
    for path in (tmp_path / "one.db", tmp_path / "two.db"):
        async with sandbox(path) as box:
            seen.append((await box.services.session.table(1)).state.model_dump_json())
            port = int(box.address.split(":")[-1].rstrip("/"))
        assert asyncio.all_tasks() == before
        with listen(port) as again:
            assert again.getsockname()[1] == port
    assert seen[0] == seen[1]


async def test_the_games_of_a_named_database_go_on(tmp_path):
    async with sandbox(tmp_path / "kept.db") as box:
        await attack(box)
        await begin(box.services, box.world, box.world.person("Carla"), "attack")
        people, then = [person.id for person in box.world.people], (await box.services.session.table(1)).state.model_dump_json()
    async with sandbox(tmp_path / "kept.db") as box, aiohttp.ClientSession() as session:
        browser = Browser(box, session)
        assert [person.id for person in box.world.people] == people
        assert (await box.services.session.table(1)).state.model_dump_json() == then
        assert len(await box.services.queries.games()) == 4
        assert await browser.asked() == ["Ben"]
        for table in box.world.tables.values():
            _, seen = await browser.look("Ben", table.id)
            assert [file["filename"] for message in seen["messages"].values() for file in message["attachments"]] == ["board.png"]
        assert "go on where they were" in (await browser.club())["help"][0]
        here = await browser.guide("Ben", str(struggle(box).id))
        assert (here["try"], here["now"]) == ("", "It's your move.")
        _, seen = await browser.look("Ben", struggle(box).id)
        assert "France asks for your help" in words(seen)
        assert "Your move" in [control.get("label") for message in seen["messages"].values() for control in controls(message)]
        assert [one["kind"] for one in (await browser.club())["conversations"] if one["asked"] == ["Carla"]] == ["channel"]


async def test_ctrl_c_and_the_end_of_a_service_stop_it(tmp_path, monkeypatch, capsys):
    @asynccontextmanager
    async def no_sandbox(database: Path, *, port: int) -> AsyncIterator[Any]:
        yield SimpleNamespace(address=f"http://127.0.0.1:{port}/")

    monkeypatch.setattr(server, "sandbox", no_sandbox)
    for ending in (signal.SIGINT, signal.SIGTERM):
        before = signal.signal(ending, lambda *_: None)             # else it would end the tests where nobody catches it
        try:
            running = asyncio.create_task(server._serve(Settings(sandbox_port=8800, database=tmp_path / "kept.db")))
            await asyncio.sleep(0)
            assert "the first move is yours: http://127.0.0.1:8800/" in capsys.readouterr().out and not running.done()
            signal.raise_signal(ending)
            await asyncio.wait_for(running, 10)
        finally:
            signal.signal(ending, before)


@pytest.mark.slow
async def test_without_a_token_the_bot_starts_here_and_stops_when_told_to(tmp_path):
    with listen(0) as free:
        port = free.getsockname()[1]
    known = {name: value for name, value in os.environ.items() if name != "DISCORD_TOKEN" and not name.startswith("CHANCERY_")}
    env = {**known, "CHANCERY_SANDBOX_PORT": str(port), "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    bot = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", cwd=tmp_path, env=env, stdout=asyncio.subprocess.PIPE,
                                               stderr=asyncio.subprocess.PIPE)
    assert bot.stdout is not None
    assert (await bot.stdout.readline()).decode().startswith("No DISCORD_TOKEN is set: starting"), "said before the work begins"
    assert (await bot.stdout.readline()).decode().endswith(f"the first move is yours: http://127.0.0.1:{port}/\n")
    bot.send_signal(signal.SIGTERM)
    _, errors = await bot.communicate()
    assert (bot.returncode, errors.decode()) == (0, "")
    assert not list(tmp_path.iterdir())                                 # its temporary database is gone


async def test_one_person_plays_against_automatic_players(browser: Browser) -> None:
    """The page's first button: a game in a channel of its own, in which all seats but one are automatic."""
    club = await browser.club()
    assert club["alone"]["attack"] == "Attack!" and len(club["alone"]) == 3
    status, begun = await browser.ask("/alone", {"person": "Carla", "game": "attack"})
    assert status == 200
    bot: Any = browser.box.world.env.bot
    await bot.automatic.settled()
    now = browser.box.world.env.now()
    assert browser.box.services.session.now() == now, "what a page asks for has the clock of the bot, so it is never to come"
    place = next(one for one in (await browser.club())["conversations"] if one["id"] == begun["conversation"])
    assert place["name"] == "attack-alone" and place["asked"] == ["Carla"]
    again = (await browser.ask("/alone", {"person": "Carla", "game": "attack"}))[1]
    assert next(one["name"] for one in (await browser.club())["conversations"] if one["id"] == again["conversation"]) == (
        "attack-alone-2")
    assert (await browser.ask("/alone", {"person": "Carla", "game": "chess"}))[0] == 404
    assert (await browser.ask("/alone", {"person": "Nobody", "game": "attack"}))[0] == 404
