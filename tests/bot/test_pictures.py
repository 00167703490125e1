"""Pictures on Discord: posted after a turn, shown on request, to whom, marked since when, and what becomes of trouble."""
from __future__ import annotations

import errno
import gc
import sys
import weakref
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic import BaseModel

from bot.discord.pictures import SHARE, UNDRAWN, Drawn, PictureCache, draw, favour_the_loop
from engine.catalog import GAMES
from engine.kernel import GameSpec, Seat
from engine.kernel.game_spec import BOARD, Replay
from engine.refusals import Refusal
from engine.text import say
from renderer import image_cache
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.often_said import NO_SEAT
from tests.toy import PAINTED, PEBBLES, Course, Hand, Own, Taken, View

PNG, GIF = b"\x89PNG\r\n\x1a\n and the rest", b"GIF89a and the rest"


class Easel:
    """A painter who remembers what was asked for, and can be out of paint."""

    def __init__(self) -> None:
        self.scenes: list[Any] = []
        self.themes: list[str] = []
        self.trouble: Exception | None = None

    def __call__(self, spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
        if self.trouble is not None:
            raise self.trouble
        self.scenes.append(scene)
        self.themes.append(theme)
        return GIF if isinstance(scene, Course) else PNG, f"A picture of {scene!r}."

    def drawn(self, kind: type[BaseModel]) -> list[Any]:
        """The scenes of one kind."""
        return [scene for scene in self.scenes if type(scene) is kind]

    def forget(self) -> None:
        self.scenes.clear()
        self.themes.clear()


@pytest.fixture
def easel() -> Easel:
    return Easel()


@pytest_asyncio.fixture
async def empty(tmp_path: Path, easel: Easel) -> AsyncIterator[World]:
    """The club, with a painter."""
    async with World.at(tmp_path / "games.db", (PAINTED,), draw=easel) as world:
        yield world


@pytest_asyncio.fixture
async def club(empty: World, easel: Easel) -> World:
    """The club at a game in which Amber has taken two pebbles and Basalt is asked; what was drawn so far is forgotten."""
    await empty.guessed()
    await empty.alice.slash(empty.table, "pebbles take", pebbles=2)
    easel.forget()
    return empty


def files(message: Any) -> list[str]:
    return [file.filename for file in message.attachments]


def posted(world: World) -> list[list[str]]:
    """The names of the files in the channel, message by message."""
    return [files(message) for message in world.table.history() if message.attachments]


async def given(world: World, who: Any, command: str, **options: Any) -> Any:
    """The one picture that an ephemeral reply carries."""
    shown = await who.slash(world.table, command, **options)
    words(shown)
    (file,) = shown.response.attachments
    return file


# --- by itself ------------------------------------------------------------------------------------------

async def test_a_picture_has_words_for_who_cannot_see_it(club: World) -> None:
    turn = next(message for message in reversed(club.table.history()) if files(message) == ["closeup.png", "board.png"])
    *_, file = turn.attachments
    assert await file.read() == PNG and "heap=10" in file.description and turn.content.endswith("Amber takes 2 pebbles.")


async def test_words_are_never_longer_than_discord_takes(club: World) -> None:
    drawn = Drawn("board", PNG, "x" * 5000)
    (file,) = drawn.files()
    assert file.description is not None and len(file.description) == 1024 and drawn.text() == ""


async def test_a_turn_shows_the_close_up_and_then_the_board(empty: World, easel: Easel) -> None:
    await empty.guessed()
    assert posted(empty) == [["board.png"]], "a start shows the board alone"
    await empty.alice.slash(empty.table, "pebbles take", pebbles=2)
    assert posted(empty) == [["board.png"], ["closeup.png", "board.png"]]
    await empty.bob.slash(empty.table, "pebbles take", pebbles=3)
    assert easel.drawn(Hand)[-2:] == [Hand(seat="seat_1", taken=2, before=0), Hand(seat="seat_2", taken=3, before=0)]
    await empty.alice.slash(empty.table, "pebbles take", pebbles=2)
    assert easel.drawn(Hand)[-1] == Hand(seat="seat_1", taken=4, before=2)


async def test_every_battle_of_a_turn_has_a_picture_of_its_own(tmp_path: Path, easel: Easel) -> None:
    board, closeup, *others = PAINTED.views.pictures
    twice = PAINTED.changed(pictures=(board, replace(closeup, news=lambda story: ("seat_2", "seat_1")), *others))
    async with World.at(tmp_path / "games.db", (twice,), draw=easel) as world:
        await world.guessed()
        await world.alice.slash(world.table, "pebbles take", pebbles=2)
        assert posted(world) == [["board.png"], ["closeup.png", "1-closeup.png", "board.png"]]
        assert [hand.seat for hand in easel.drawn(Hand)] == ["seat_2", "seat_1"]


async def test_a_picture_with_nothing_to_show_is_not_posted(empty: World) -> None:
    await empty.guessed()
    await empty.alice.slash(empty.table, "pebbles throw")
    assert posted(empty) == [["board.png"], ["board.png"]]


async def test_of_several_turns_the_last_is_drawn_with_all_that_is_new(empty: World, easel: Easel) -> None:
    await empty.guessed()
    await empty.alice.slash(empty.table, "pebbles take", pebbles=2)
    empty.mute()
    await empty.bob.slash(empty.table, "pebbles take", pebbles=1)
    await empty.alice.slash(empty.table, "pebbles take", pebbles=1)
    await empty.bob.slash(empty.table, "pebbles take", pebbles=1)
    easel.forget()
    await empty.restart()
    assert easel.scenes == [Hand(seat="seat_1", taken=3, before=2), View(heap=7, taken={"seat_1": 3, "seat_2": 2}, guess=None)]
    assert "Basalt takes 1 pebble." in "".join(empty.posts()) and "Amber takes 1 pebble." in "".join(empty.posts())


async def test_after_an_undo_the_board_alone_is_shown_and_later_marks_begin_there(club: World, easel: Easel) -> None:
    await club.olga.slash(club.table, "gm undo")
    assert easel.scenes == [View(heap=12, taken={}, guess=None)]
    await club.alice.slash(club.table, "pebbles take", pebbles=1)
    assert easel.drawn(Hand) == [Hand(seat="seat_1", taken=1, before=0)]


async def test_a_letter_of_an_earlier_version_means_the_board(club: World, easel: Easel) -> None:
    letter = next(iter(await _letters(club)))
    old = replace(letter, payload={"row": 2})
    club.bot.outbox.wake = lambda _: None
    assert await club.bot.outbox._deliver(await club.services.visits.onlooker(1), old) is not None
    assert easel.scenes == [View(heap=12, taken={}, guess=None)]
    strange = replace(letter, payload={"picture": "weather", "row": 2, "since": 0})
    assert await club.bot.outbox._deliver(await club.services.visits.onlooker(1), strange) is None


async def _letters(world: World) -> list[Any]:
    """The picture letters that wait after another turn."""
    world.mute()
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    return [letter for letter in await world.services.outbox.pending(10) if letter.kind == "picture"]


async def test_below_the_board_stand_ways_to_the_other_pictures(club: World, easel: Easel) -> None:
    board = next(message for message in reversed(club.table.history()) if "board.png" in files(message))
    assert labels(board) == ["My board", "Close-up", "Recap", "Guess"]
    await club.restart()
    for label, file in (("My board", "board.png"), ("Close-up", "closeup.png"), ("Recap", "recap.gif"), ("Guess", "guess.png")):
        shown = await club.alice.click(board, label=label)
        assert words(shown) and files(shown.response) == [file]
    assert easel.drawn(View)[-1].guess == 3 and easel.drawn(Own)[-1].guess == 3
    assert words(await club.carol.click(board, label="Guess")) == "You have guessed nothing yet."
    assert all(len(id) <= 100 for id in custom_ids(board).values())


async def test_a_picture_has_a_button_as_soon_as_there_is_one(tmp_path: Path, easel: Easel) -> None:
    def last_taken(story: Replay) -> Hand:
        if not any(isinstance(event, Taken) and no > story.since for no, event, _ in story.events()):
            raise Refusal("Nobody has taken a pebble.")
        return Hand(seat=Seat("seat_1"), taken=2, before=0)

    board, closeup, *others = PAINTED.views.pictures
    spec = PAINTED.changed(pictures=(board, replace(closeup, scene=last_taken, after=(Taken,)), *others))
    async with World.at(tmp_path / "games.db", (spec,), draw=easel) as club:
        await club.guessed()
        assert [labels(message) for message in club.table.history() if message.attachments] == [["My board", "Recap", "Guess"]]
        await club.alice.slash(club.table, "pebbles take", pebbles=2)
        await club.bob.slash(club.table, "pebbles throw")
        (*_, newest) = [message for message in club.table.history() if message.attachments]
        assert labels(newest) == ["My board", "Close-up", "Recap", "Guess"]
        for _ in range(2):
            await club.carol.slash(club.table, "game map")
            assert files((await club.carol.click(newest, label="Close-up")).response) == ["closeup.png"], "the last one is shown"
        for _ in range(2):
            await club.services.undo.undo(1, club.olga.id)
        gone = await club.carol.click(newest, label="Close-up")
        assert words(gone) == "Nobody has taken a pebble." and "Back to the game" in labels(gone.response)


# --- on request -----------------------------------------------------------------------------------------------

async def test_the_map_shows_who_plays_what_only_that_seat_may_see(club: World, easel: Easel) -> None:
    await given(club, club.alice, "game map")
    await given(club, club.bob, "game map")
    assert [scene.guess for scene in easel.scenes] == [3, 8]
    for public in (await given(club, club.carol, "game map"), await given(club, club.alice, "game map", own=False)):
        assert "guess=None" in public.description
    assert len(easel.scenes) == 2, "the public picture is the one that was posted"
    assert words(await club.carol.slash(club.table, "game map", own=True)).startswith(NO_SEAT)


async def test_a_shared_map_is_the_public_one(club: World, easel: Easel) -> None:
    shown = await club.alice.slash(club.table, "game map", share=True)
    assert not shown.followups[-1].ephemeral and files(shown.followups[-1]) == ["board.png"]
    assert shown.followups[-1].content == "Pebbles: Board"
    assert "guess=None" in shown.followups[-1].attachments[0].description
    before = len(club.table.history())
    assert words(await club.alice.slash(club.table, "game map", share=True, own=True)) == (
        "I never post your secrets. Turn off `own` or `share`.")
    assert len(club.table.history()) == before


async def test_a_map_is_shared_in_a_direct_message_too(club: World) -> None:
    shown = await club.alice.user.slash("game map", share=True, game="1")
    assert words(shown) == "Here it is, for everybody." and shown.followups[-1].attachments


async def test_an_earlier_row_is_marked_with_its_own_turn(club: World, easel: Easel) -> None:
    await club.bob.slash(club.table, "pebbles take", pebbles=1)
    easel.forget()
    await given(club, club.carol, "game map", row=2)
    await given(club, club.carol, "game closeup", row=4, area="Basalt")
    assert easel.scenes == [View(heap=12, taken={}, guess=None), Hand(seat="seat_2", taken=1, before=0)]
    closeup = await given(club, club.carol, "game closeup", row=3)
    assert closeup.description == f"A picture of {Hand(seat='seat_1', taken=2, before=0)!r}."
    assert words(await club.carol.slash(club.table, "game map", row=77)).startswith("There is no step 77")


async def test_pictures_are_marked_since_the_last_look_at_the_board(club: World) -> None:
    async def before() -> int:
        shown = await given(club, club.carol, "game closeup", area="Amber")
        return int(shown.description.partition("before=")[2].partition(")")[0])

    assert await before() == 0                                         # never looked: the last turn
    await given(club, club.carol, "game map")
    await club.bob.slash(club.table, "pebbles take", pebbles=1)
    await club.alice.slash(club.table, "pebbles take", pebbles=1)
    await club.bob.slash(club.table, "pebbles take", pebbles=1)
    await club.alice.slash(club.table, "pebbles take", pebbles=1)
    assert await before() == 2                                         # the last look
    await given(club, club.carol, "game map", row=3)
    await club.carol.slash(club.table, "game map", share=True)
    assert await before() == 2                                         # neither an old row nor a public post is a look
    await given(club, club.carol, "game map")
    assert await before() == 3                                         # nothing new since: the last turn


async def test_any_picture_by_name_and_about_something(club: World, easel: Easel) -> None:
    assert (await given(club, club.carol, "game show", what="close-up", about="basalt")).filename == "closeup.png"
    assert easel.drawn(Hand)[-1].seat == "seat_2"
    assert (await given(club, club.carol, "game recap")).filename == "recap.gif"
    assert easel.drawn(Course)[-1].heaps[0] == 12 and easel.drawn(Course)[-1].heaps[-1] == 10
    await given(club, club.alice, "game show", what="guess")
    assert easel.drawn(Own)[-1].guess == 3


@pytest.mark.parametrize(("options", "sentence"), [
    ({"what": "weather"}, "This game has no picture weather. Choose among: Board, Close-up, Recap and Guess."),
    ({"what": "closeup", "about": "Granite"},
     "This picture can't be about Granite. Choose among: Amber, Basalt, Chalk and Dolomite."),
    ({"what": "board", "about": "Amber"}, "This picture always shows the whole game. Leave out what it is about."),
    ({"what": "guess"}, "You have guessed nothing yet.")])
async def test_pictures_that_there_are_not(club: World, easel: Easel, options: dict[str, str], sentence: str) -> None:
    assert words(await club.carol.slash(club.table, "game show", **options)) == sentence
    assert easel.scenes == []


async def test_nothing_to_show_is_said(empty: World) -> None:
    await empty.guessed()
    assert words(await empty.carol.slash(empty.table, "game closeup")) == "This picture has nothing to show right now."


async def test_a_game_that_has_not_started_has_no_picture(empty: World) -> None:
    await empty.opened()
    for command in ("game map", "game text", "game closeup"):
        assert words(await empty.carol.slash(empty.table, command)) == "The game hasn't started yet."


async def test_pictures_and_subjects_are_offered(club: World) -> None:
    async def offered(command: str, option: str, typed: str, **filled: Any) -> list[tuple[str, str]]:
        found = await club.carol.autocomplete(club.table, command, option, typed, **filled)
        return [(choice["name"], choice["value"]) for choice in found]

    assert await offered("game show", "what", "") == [
        ("Board", "board"), ("Close-up", "closeup"), ("Recap", "recap"), ("Guess", "guess")]
    assert await offered("game show", "what", "reC") == [("Recap", "recap")]
    assert await offered("game show", "about", "a", what="closeup") == [
        ("Amber", "seat_1"), ("Basalt", "seat_2"), ("Chalk", "seat_3")]
    assert await offered("game closeup", "area", "dol") == [("Dolomite", "seat_4")]
    assert await offered("game recap", "about", "") == []
    assert await offered("game show", "about", "", what="weather") == []
    assert await offered("game show", "what", "", game="9") == []


async def test_the_whole_board_in_words(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert words(await club.carol.slash(club.table, "game text")) == "```\nheap 10\n```"
    assert words(await club.carol.slash(club.table, "game text", row=2)) == "```\nheap 12\n```"
    long = PAINTED.changed(board=lambda view: "\n".join(f"`line` {number} {view.guess}" for number in range(400)))
    monkeypatch.setitem(club.services.session.specs, "pebbles", long)
    shown = await club.alice.slash(club.table, "game text")
    said = [shown.response, *shown.followups]
    assert len(said) > 1 and all(message.ephemeral and message.content.count("`") == 6 for message in said)
    assert "'line' 0 3" in said[0].content and "'line' 399 3" in said[-1].content


# --- names and themes --------------------------------------------------------------------------------------

async def test_players_have_the_names_by_which_people_know_them(club: World) -> None:
    async def people() -> list[str]:
        return list((await club.services.queries.story(1, BOARD)).people.values())

    assert await people() == ["alice", "bob"]
    club.guild._guild.members[club.alice.id].nick = "Alice ✨"
    await club.alice.slash(club.table, "game status")
    assert await people() == ["Alice ✨", "bob"]
    await club.olga.slash(club.table, "gm hand", seat="Basalt", member=club.carol)
    assert await people() == ["Alice ✨", "carol"]
    await club.services.seats.resign(1, club.carol.id)
    assert await people() == ["Alice ✨"]


async def test_a_player_chooses_before_the_server_does(club: World, easel: Easel) -> None:
    async def theme(who: Any, **options: Any) -> str:
        easel.forget()
        await who.slash(club.table, "game map", **options)
        return easel.themes[-1]

    assert await theme(club.alice) == "dark"
    await club.services.settings.set_server_theme(club.guild.id, "light")
    assert await theme(club.alice) == "light"
    await club.services.settings.set_member_theme(club.alice.id, "dark")
    assert await theme(club.alice) == "dark" and await theme(club.bob) == "light"
    assert await theme(club.alice, share=True) == "light"
    easel.forget()
    await club.bob.slash(club.table, "pebbles take", pebbles=1)
    assert set(easel.themes) == {"light"}


async def test_a_role_of_game_masters_outlives_a_theme_and_the_theme_a_role(club: World) -> None:
    role = club.guild.create_role("Masters")
    await club.services.settings.set_gm_role(club.guild.id, role.id)
    await club.services.settings.set_server_theme(club.guild.id, "light")
    assert await club.services.settings.gm_role(club.guild.id) == role.id
    await club.services.settings.set_gm_role(club.guild.id, None)
    assert await club.services.settings.theme(club.guild.id) == "light"


# --- again, and in trouble -------------------------------------------------------------------------------------

async def test_a_public_picture_is_drawn_once_for_all(club: World, easel: Easel) -> None:
    async with club.together():
        await club.carol.slash(club.table, "game recap")
        await club.max.slash(club.table, "game recap")
    await club.alice.slash(club.table, "game recap")
    assert len(easel.scenes) == 1
    await club.bob.slash(club.table, "pebbles take", pebbles=1)
    await club.alice.slash(club.table, "game recap")
    assert len(easel.drawn(Course)) == 2


def test_an_album_holds_so_many_bytes_and_lets_go_of_what_was_shown_longest_ago() -> None:
    album, a, b, c = PictureCache(most=100), *(Drawn(name, b"x" * 40, "") for name in "abc")
    album.keep("a", a)
    album.keep("b", b)
    assert album.find("a") is a
    album.keep("c", c)
    assert [album.find(name) for name in "abc"] == [a, None, c] and album.size == 80


@pytest.mark.parametrize("trouble", [
    OSError(errno.ENOSPC, "No space left on device"), MemoryError(), RuntimeError("out of paint"), ValueError("a name too long")])
async def test_a_picture_that_cannot_be_drawn_holds_nothing_up(
        club: World, easel: Easel, trouble: Exception, caplog: pytest.LogCaptureFixture) -> None:
    easel.trouble = trouble
    await club.bob.slash(club.table, "pebbles take", pebbles=2)
    assert say(UNDRAWN) in club.posts() and "Basalt takes 2 pebbles." in club.told()
    assert "The heap has 8. What do you do?" in club.posts()[-1]
    assert say(UNDRAWN) in words(await club.alice.slash(club.table, "game map"))
    assert type(trouble).__name__ in caplog.text and await club.services.outbox.pending(10) == []
    easel.trouble = None
    assert (await given(club, club.carol, "game map")).filename == "board.png", "a failure is not kept"


async def test_what_nobody_can_draw_is_shown_as_text(club: World, easel: Easel, caplog: pytest.LogCaptureFixture) -> None:
    easel.trouble = LookupError("There is no painter.")
    await club.bob.slash(club.table, "pebbles take", pebbles=2)
    assert "```\nheap 8\n```" in club.posts()
    assert words(await club.alice.slash(club.table, "game map")) == "Pebbles: Board\n```\nheap 8\n```"
    assert "LookupError" in caplog.text


async def test_a_past_that_this_version_cannot_read_is_not_drawn(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    forgetful = PAINTED.changed(events=tuple(kind for kind in PEBBLES.rules.events if kind.__name__ != "Taken"))
    monkeypatch.setitem(club.services.session.specs, "pebbles", forgetful)
    assert say(UNDRAWN) in words(await club.carol.slash(club.table, "game recap"))


MADE = 700_000              # objects, after which what nobody needs must have been found


class Linked:
    """What refers to itself, as an interaction does through its reply."""

    def __init__(self) -> None:
        self.itself = self


def interaction() -> tuple[Linked, weakref.ref[Linked]]:
    one = Linked()
    return one, weakref.ref(one)


def test_a_process_favours_its_event_loop_and_still_finds_what_is_of_no_use() -> None:
    before, seldom = sys.getswitchinterval(), gc.get_threshold()
    try:
        sys.setswitchinterval(0.005)                # a bot that ran in this process before has set all of it
        gc.set_threshold(700, 10, 10)
        gc.unfreeze()
        favour_the_loop()
        assert sys.getswitchinterval() == pytest.approx(SHARE)
        assert gc.get_freeze_count() > 0
        assert all(now > then for now, then in zip(gc.get_threshold()[:2], (700, 10), strict=True))
        gc.collect()
        reply, gone = interaction()
        gc.collect(0)
        gc.collect(1)                               # it has been in use during both searches
        del reply
        made: list[list[int]] = [[] for _ in range(MADE)]
        assert gone() is None, f"after {len(made)} objects more"
    finally:
        gc.set_threshold(*seldom)
        sys.setswitchinterval(before)
        gc.unfreeze()


# --- with the real painter ---------------------------------------------------------------------------------------

@pytest_asyncio.fixture
async def empires(tmp_path: Path) -> AsyncIterator[World]:
    """A game of Struggle of Empires with the real painter, before it is started."""
    async with World.at(tmp_path / "games.db", GAMES, draw) as world:
        await world.olga.slash(world.table, "game open", game=GAMES[0].key, seats=2)
        for who in (world.alice, world.bob):
            await who.slash(world.table, "game join")
        yield world


async def test_a_name_of_any_length_and_script_is_drawn(empires: World) -> None:
    empires.guild._guild.members[empires.alice.id].nick = "דוד בן־גוריון 🎲 \u202eabc Ünïcödé Д"
    await empires.alice.slash(empires.table, "game status")
    await empires.olga.slash(empires.table, "game start")
    (board,) = empires.table.history()[-2].attachments
    assert (await board.read()).startswith(b"\x89PNG") and 0 < len(board.description) <= 1024


async def test_a_missing_font_leaves_a_text_board(empires: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_font(name: str, size: int) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file", f"{name}.woff2")

    monkeypatch.setattr("renderer.brushes._font", no_font)
    image_cache.forget()                         # what was written before needs no font
    await empires.olga.slash(empires.table, "game start")
    assert any(post.startswith("```\n") for post in empires.posts())
    assert await empires.services.outbox.pending(10) == []
