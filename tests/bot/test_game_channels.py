"""Where games live: places of their own, the message that is always true, missing permissions, and moving away."""
from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio

from engine.kernel import GameSpec
from tests.bot.discord_world import World, labels, words
from tests.often_said import FOR_MASTERS_OR_ROLE, NO_SEAT

EVERYTHING = "I have every permission I need in <#{channel}>."


@pytest_asyncio.fixture
async def pictured(tmp_path: Path) -> AsyncIterator[World]:
    """The club, with somebody who paints."""
    def paint(spec: GameSpec, scene: object, theme: str) -> tuple[bytes, str]:
        return b"\x89PNG\r\n\x1a\n and the rest", "A picture."

    async with World.at(tmp_path / "games.db", draw=paint) as world:
        yield world


def pinned(channel: Any) -> Any:
    """The one message that is pinned there."""
    (message,) = channel.pinned_messages()
    return message


def requests(world: World, method: str, path: str) -> list[Any]:
    """The bot's requests to this path."""
    return [request for request in world.env.http_requests if (request.method, request.path) == (method, path)]


def without(world: World, *permissions: str) -> Any:
    """A channel in which the bot lacks some permissions."""
    channel = world.guild.create_text_channel("few")
    world.forbid(channel, *permissions)
    return channel


async def begun(world: World, channel: Any) -> None:
    """A game of Alice and Bob that has started in this channel."""
    await world.olga.slash(channel, "game open", game="pebbles", seats=2)
    for who in (world.alice, world.bob):
        await who.slash(channel, "game join")
    await world.olga.slash(channel, "game start")


# --- places of a game's own --------------------------------------------------------------------------------------

async def test_a_game_can_have_a_channel_of_its_own_in_the_category_of_the_present_one(world: World) -> None:
    games = world.guild.create_category("Games")
    lobby = world.guild.create_text_channel("lobby", category=games)
    said = words(await world.max.slash(lobby, "game open", game="pebbles", seats=2, title="Friday night", place="a new channel"))
    channel = world.guild.channels["Friday night"]
    assert said.startswith(f"Game 1, Friday night, is open in <#{channel.id}>.") and said.count("\n") == 0
    assert world.env.backend.channels[channel.id].parent_id == games.id
    assert "Friday night" in pinned(channel).content and world.posts(lobby) == []


async def test_who_may_not_make_channels_cannot_have_one_made(world: World) -> None:
    said = words(await world.olga.slash(world.table, "game open", game="pebbles", seats=2, place="a new channel"))
    assert said.startswith("Only members who can manage channels or have the game master role can have a channel made")
    assert await world.services.queries.games(guild=world.guild.id) == []


async def test_a_channel_that_the_bot_may_not_make_is_refused_by_name(world: World) -> None:
    world.forbid_everywhere("manage_channels")
    said = words(await world.max.slash(world.table, "game open", game="pebbles", seats=2, place="a new channel"))
    assert said == "I'm missing the permission Manage Channels here. Games get no channels of their own."
    assert await world.services.queries.games(guild=world.guild.id) == []


async def test_a_thread_without_the_permission_is_refused_by_name(world: World) -> None:
    narrow = without(world, "create_public_threads")
    said = words(await world.olga.slash(narrow, "game open", game="pebbles", seats=2, place="a new thread"))
    assert said == ("I'm missing the permission Create Public Threads here. Games and table talk get no threads of their own. "
                    "They share the channel.")
    assert narrow.threads == [] and await world.services.queries.games(guild=world.guild.id) == []


async def test_the_bot_lends_nobody_its_permission_to_open_threads(world: World) -> None:
    closed = world.guild.create_text_channel("closed", overwrites={
        world.guild.default_role: discord.PermissionOverwrite(create_public_threads=False)})
    said = words(await world.olga.slash(closed, "game open", game="pebbles", seats=2, place="a new thread"))
    assert said == "You aren't allowed to open threads in this channel, so I can't open one for you. Choose this channel instead."
    assert closed.threads == []


# --- the message that is always true -----------------------------------------------------------------------------

async def test_a_status_that_could_not_be_posted_for_long_still_comes_first(world: World) -> None:
    world.mute()
    game = await world.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="",
                                           guild=world.guild.id, channel=world.table.id, owner=world.olga.id)
    for who in (world.alice, world.bob):
        await world.services.lobby.join(game.id, who.id)
    await world.services.lobby.start(game.id, world.olga.id)
    await world.restart()
    status, *others = world.table.history()
    assert status.content.startswith("**Pebbles** · game 1 · Plain · <#") and others
    assert not any(" · game 1 · " in other.content for other in others)


async def test_one_message_is_pinned_and_says_how_the_game_stands(world: World) -> None:
    await world.opened()
    message = pinned(world.table)
    assert message.content == (
        f"**Pebbles** · game 1 · Plain\n0 of 2 seats taken.\nHost: {world.olga.mention}. No clock.")
    assert labels(message) == ["Join", "Options", "Who can join and see"]
    await world.alice.slash(world.table, "game join")
    assert f"1 of 2 seats taken: {world.alice.mention}." in pinned(world.table).content
    await world.bob.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    assert pinned(world.table).id == message.id
    assert f"Amber ({world.alice.mention}): How many will you have?" in pinned(world.table).content
    assert labels(pinned(world.table))[:3] == ["Your move", "Board", "Your secrets"]
    assert not any(note.type is discord.MessageType.pins_add for note in world.table.history()), "the note is taken away"


async def test_its_buttons_lead_whoever_presses_to_the_own_question(world: World) -> None:
    await world.guessed()
    assert "The heap has 12." in words(await world.alice.click(pinned(world.table), label="Your move"))
    assert "Nothing to do right now." in words(await world.bob.click(pinned(world.table), label="Your move"))
    assert words(await world.carol.click(pinned(world.table), label="Your move")).startswith(NO_SEAT)
    assert "Your guess: 3." in words(await world.alice.click(pinned(world.table), label="Your secrets"))
    assert "heap 12" in words(await world.carol.click(pinned(world.table), label="Board"))


async def test_it_follows_moves_undo_and_the_end_and_never_notifies(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    assert f"Basalt ({world.bob.mention}): The heap has 9." in pinned(world.table).content
    await world.olga.slash(world.table, "gm undo")
    assert f"Amber ({world.alice.mention}): The heap has 12." in pinned(world.table).content
    await world.olga.slash(world.table, "gm pause")
    assert "Paused by its game master" in pinned(world.table).content
    await world.olga.slash(world.table, "gm resume")
    for turn in range(4):
        shown = await (world.alice, world.bob)[turn % 2].slash(world.table, "pebbles take", pebbles=3)
    await world.bob.click(shown.response, label="Confirm")
    assert "Amber wins." in pinned(world.table).content and labels(pinned(world.table)) == [
        "Board", "Record", "Rematch"]
    edits = requests(world, "PATCH", f"/channels/{world.table.id}/messages/{pinned(world.table).id}")
    assert edits and all(not edit.json["allowed_mentions"].get("parse") and not edit.json["allowed_mentions"].get("users")
                         for edit in edits)


async def test_a_sealed_answer_leaves_no_trace_in_it(world: World) -> None:
    await world.started()
    before, path = pinned(world.table), f"/channels/{world.table.id}/messages/{pinned(world.table).id}"
    await world.restart()                                       # the bot has forgotten what it says
    world.env.http_requests.clear()
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    assert requests(world, "PATCH", path) == []
    assert pinned(world.table).content == before.content
    assert f"Basalt ({world.bob.mention})" in before.content, "who has answered is named like the others"


async def test_what_changes_nothing_of_it_edits_nothing(world: World) -> None:
    await world.guessed()
    path = f"/channels/{world.table.id}/messages/{pinned(world.table).id}"
    world.env.http_requests.clear()
    await world.services.channels.restate(1)
    await world.env.settle()
    assert requests(world, "PATCH", path) == [] and await world.services.outbox.pending(10) == []


async def test_it_outlives_a_restart(world: World) -> None:
    await world.guessed()
    number = pinned(world.table).id
    await world.restart()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    assert pinned(world.table).id == number and "The heap has 9." in pinned(world.table).content


async def test_what_was_stored_before_a_crash_is_said_after_it(world: World) -> None:
    await world.guessed()
    world.mute()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    assert "The heap has 12." in pinned(world.table).content
    await world.restart()
    assert "The heap has 9." in pinned(world.table).content


async def test_a_crash_before_its_number_was_written_down_leaves_no_second_one(world: World) -> None:
    await world.guessed()
    number = pinned(world.table).id
    await world.store.write(lambda ledger: ledger.conn.executescript(
        "UPDATE outbox SET message = NULL, sent_at = NULL WHERE kind = 'status'; DELETE FROM messages WHERE key = 'status'"))
    await world.restart()
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    assert pinned(world.table).id == number and "The heap has 9." in pinned(world.table).content
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    assert pinned(world.table).id == number and "The heap has 8." in pinned(world.table).content


async def test_deleted_by_somebody_it_is_posted_and_pinned_again(world: World) -> None:
    await world.guessed()
    old = pinned(world.table)
    world.env.backend.delete_message(world.table.id, old.id)
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    assert pinned(world.table).id != old.id and "The heap has 9." in pinned(world.table).content
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    assert "The heap has 8." in pinned(world.table).content


async def test_a_limit_on_edits_holds_up_nothing_and_it_is_true_again_later(world: World) -> None:
    await world.guessed()
    path = f"/channels/{world.table.id}/messages/{pinned(world.table).id}"
    world.env.inject_error("PATCH", path, status=400, code=30046, message="Maximum number of edits reached")
    await world.alice.slash(world.table, "pebbles take", pebbles=3)
    assert "Amber takes 3 pebbles." in world.told() and "The heap has 12." in pinned(world.table).content
    assert await world.services.outbox.pending(10) == []
    await world.env.advance_time(60)
    assert "The heap has 9." in pinned(world.table).content


# --- few permissions ------------------------------------------------------------------------------------------------

async def test_nothing_is_missing_where_everything_is_allowed(world: World) -> None:
    await world.opened()
    assert words(await world.olga.slash(world.table, "game check")) == EVERYTHING.format(channel=world.table.id)


@pytest.mark.parametrize("flags, line", [
    ({"send_messages"}, "- **Send Messages**: News, questions and boards wait until I can post them."),
    ({"attach_files"}, "- **Attach Files**: Boards are posted as text. Players see pictures only in private."),
    ({"pin_messages"}, "- **Pin Messages**: The status message isn't pinned."),
    ({"send_messages_in_threads"}, "- **Send Messages in Threads**: I can't write in threads, so news and questions of games "
                                   "there wait."),
    ({"create_private_threads"}, "- **Create Private Threads**: Players get no private threads. /talk say still carries "
                                 "private messages."),
    ({"manage_channels"}, "- **Manage Channels**: Games get no channels of their own.")])
async def test_what_is_missing_is_named_with_what_is_lost(world: World, flags: set[str], line: str) -> None:
    channel = without(world, *flags)
    opened = words(await world.olga.slash(channel, "game open", game="pebbles", seats=2))
    assert opened.splitlines()[1:] == ["I'm missing permissions there:", line]
    said = words(await world.olga.slash(channel, "game check"))
    assert said.splitlines()[-2:] == ["I'm missing permissions there:", line] and "- View Channel: fine" in said


async def test_without_pins_the_message_is_there_unpinned_until_that_is_mended(world: World) -> None:
    channel = without(world, "pin_messages")
    await begun(world, channel)
    assert channel.pinned_messages() == [] and requests(world, "PUT", f"/channels/{channel.id}/messages/pins") == []
    posts = world.posts(channel)
    assert "To move (asked" in posts[0] and len(posts) > 1
    world.forbid(channel)
    assert words(await world.olga.slash(channel, "game check")) == EVERYTHING.format(channel=channel.id)
    assert "To move (asked" in pinned(channel).content
    assert world.posts(channel) == posts, "of what was posted since then, Discord's note about the pin alone is deleted"


async def test_pinning_needs_no_other_permission_than_its_own(world: World) -> None:
    channel = without(world, "manage_messages")
    await begun(world, channel)
    assert words(await world.olga.slash(channel, "game check")) == EVERYTHING.format(channel=channel.id)
    assert "To move (asked" in pinned(channel).content


async def test_a_full_list_of_pins_loses_nothing(world: World) -> None:
    world.env.inject_error("PUT", f"/channels/{world.table.id}/messages/pins/*", status=400, code=30003, times=None)
    await world.guessed()
    assert world.table.pinned_messages() == [] and "The heap has 12." in world.posts()[0]
    assert await world.services.outbox.pending(10) == []
    assert len([request for request in world.env.http_requests if "/pins/" in request.path]) == 1, "once is enough"


async def test_without_files_the_board_comes_as_text(pictured: World) -> None:
    channel = without(pictured, "attach_files")
    await begun(pictured, channel)
    assert any(post.startswith("```\nheap 12") for post in pictured.posts(channel))
    assert not any(message.attachments for message in channel.history())


async def test_a_board_that_is_refused_for_its_file_comes_as_text(pictured: World) -> None:
    await pictured.opened()
    for who in (pictured.alice, pictured.bob):
        await who.slash(pictured.table, "game join")
    pictured.mute()
    await pictured.olga.slash(pictured.table, "game start")
    refused: list[str] = []
    send = discord.abc.Messageable.send

    async def picky(self: Any, *args: Any, **given: Any) -> Any:
        if given.get("files"):
            refused.append("a file")
            raise discord.Forbidden(_Refusing(), {"code": 50013, "message": "Missing Permissions"})
        return await send(self, *args, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.abc.Messageable, "send", picky)
        await pictured.restart()
    assert refused and any(post.startswith("```\nheap 12") for post in pictured.posts())
    assert any("How many will you have?" in post for post in pictured.posts())


class _Refusing:
    status, reason = 403, "Forbidden"


# --- moving ------------------------------------------------------------------------------------------------------------

async def test_a_game_moves_with_its_questions_its_board_and_its_message(world: World) -> None:
    await world.guessed()
    said = words(await world.olga.slash(world.table, "gm move", channel=world.elsewhere))
    assert said == f"Pebbles is now played in <#{world.elsewhere.id}>."
    posts = world.posts(world.elsewhere)
    assert posts[0] == f"This game has moved here from <#{world.table.id}>."
    assert any(post.startswith("```\nheap 12") for post in posts)
    assert sum("**Amber**: The heap has 12." in post for post in posts) == 1
    assert "The heap has 12." in pinned(world.elsewhere).content
    assert world.table.pinned_messages() == [] and world.posts()[0] == (
        f"Pebbles (game 1) is now played in <#{world.elsewhere.id}>.")
    await world.alice.slash(world.elsewhere, "pebbles take", pebbles=3)
    assert "Amber takes 3 pebbles." in world.told(world.elsewhere) and "Amber takes 3 pebbles." not in world.told()
    assert "moved the game to" in words(await world.olga.slash(world.elsewhere, "gm audit"))


async def test_old_questions_lose_their_buttons_where_the_game_was(world: World) -> None:
    await world.guessed()
    old = world.question("**Amber**: The heap").id
    await world.olga.slash(world.table, "gm move", channel=world.elsewhere)
    assert old not in [message.id for message in world.table.history()]


async def test_a_game_moves_into_a_thread_and_before_its_start(world: World) -> None:
    await world.opened()
    await world.carol.slash(world.table, "game open", game="pebbles", seats=2, place="a new thread")
    (thread,) = world.table.threads
    await world.olga.slash(world.table, "gm move", channel=thread, game="1")
    assert (await world.services.queries.game(1)).channel == thread.id
    assert any("**Pebbles** · game 1 · Plain\n0 of 2 seats taken" in message.content
               for message in thread.pinned_messages())


async def test_a_game_whose_channel_was_deleted_goes_on_elsewhere(world: World) -> None:
    await world.guessed()
    world.env.backend.delete_channel(world.table.id)
    await world.alice.user.slash("pebbles take", pebbles=2)
    (letter,) = world.letters(world.olga)
    assert "is gone" in letter and "/gm move game:1" in letter
    assert words(await world.olga.slash(world.elsewhere, "game check", game="1")) == (
        "The channel of Pebbles is gone. Move the game to another one with /gm move game:1.")
    await world.olga.slash(world.elsewhere, "gm move", channel=world.elsewhere, game="1")
    assert any("**Basalt**: The heap has 10." in post for post in world.posts(world.elsewhere))
    assert "The heap has 10." in pinned(world.elsewhere).content
    assert words(await world.bob.slash(world.elsewhere, "pebbles take", pebbles=1)).startswith("Basalt takes 1 pebble.")


async def test_news_that_waited_for_a_channel_goes_to_the_new_one_at_once(world: World) -> None:
    await world.guessed()
    await world.chat()
    world.forbid(world.table, "send_messages")
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert "Amber takes 2 pebbles." not in world.told()
    await world.olga.slash(world.elsewhere, "gm move", channel=world.elsewhere, game="1")
    assert world.told(world.elsewhere).count("Amber takes 2 pebbles.") == 1


async def test_after_a_sealed_answer_a_move_tells_nobody_who_is_left(world: World) -> None:
    await world.started()
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    await world.olga.slash(world.table, "gm move", channel=world.elsewhere)
    (status,) = [post for post in world.posts(world.elsewhere) if "How many will you have?" in post]
    assert status == pinned(world.elsewhere).content and "Amber (" in status and "Basalt (" in status
    shown = await world.alice.click(pinned(world.elsewhere), label="Your move")
    assert "How many will you have?" in words(shown)


@pytest.mark.parametrize("who, sentence", [
    ("alice", FOR_MASTERS_OR_ROLE),
    ("olga", "You can't write in <#{channel}> yourself, so you can't move a game there.")])
async def test_a_game_is_not_moved_by_others_or_to_where_its_mover_may_not_write(world: World, who: str, sentence: str) -> None:
    await world.guessed()
    news = world.guild.create_text_channel("news", overwrites={
        world.guild.default_role: discord.PermissionOverwrite(send_messages=False)})
    said = words(await getattr(world, who).slash(world.table, "gm move", channel=news))
    assert said == sentence.format(channel=news.id)
    assert (await world.services.queries.game(1)).channel == world.table.id and world.posts(news) == []


async def test_a_game_that_is_there_already_stays(world: World) -> None:
    await world.guessed()
    posts = world.posts()
    assert words(await world.olga.slash(world.table, "gm move", channel=world.table)) == "The game is already played there."
    assert world.posts() == posts
