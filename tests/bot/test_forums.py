"""A place for each game: a post in a forum with tags for how it stands, private talk beside it, threads awake and put away."""
from __future__ import annotations

from typing import Any

import pytest
import simcord
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.http import router

from tests.bot.discord_world import World, labels, words
from tests.bot.test_delivery import capsules
from tests.bot.test_faults import TROUBLES, Trouble
from tests.bot.test_settings import selects
from tests.toy import Take

WEEK, DAY = 10080, 1440         # minutes


@pytest.fixture
def forum(world: World) -> Any:
    """An empty forum of the club."""
    return world.guild.create_forum_channel("games")


async def chosen(world: World, forum: Any) -> None:
    """Max has chosen the forum for games."""
    panel = await world.server_page(world.max, "Forum for games")
    said = words(await world.max.select(panel.response, [forum], custom_id="gamesforum"))
    assert said.startswith(f"Saved.\nGames can have posts in <#{forum.id}>.")


async def posted(world: World, forum: Any, seats: int = 2) -> Any:
    """The post of a game of pebbles that Olga opens from another channel."""
    said = await world.olga.slash(world.elsewhere, "game open", game="pebbles", seats=seats, place="a forum post")
    assert "is open in <#" in words(said)
    (thread,) = [channel for channel in world.env.backend.channels.values() if channel.parent_id == forum.id]
    return simcord.ChannelHandle(world.env, world.guild, thread)


def tags(world: World, post: Any) -> list[str]:
    """The names of the tags of a post, as Discord has them."""
    thread = world.env.backend.get_channel(post.id)
    names = {int(tag["id"]): tag["name"] for tag in world.env.backend.get_channel(thread.parent_id).available_tags}
    return sorted(names[tag] for tag in thread.applied_tags)


def silence(world: World, post: Any) -> tuple[bool, int]:
    """Whether a thread is put away, and after how many minutes of silence it will be."""
    thread = world.env.backend.get_channel(post.id).thread_metadata
    return thread.archived, thread.auto_archive_duration


async def begun(world: World, post: Any) -> None:
    """Alice and Bob join, and the game starts."""
    for who in (world.alice, world.bob):
        await who.slash(post, "game join")
    await world.olga.slash(post, "game start")
    for who in (world.alice, world.bob):
        await who.slash(post, "pebbles guess", pebbles=3)


# --- posts and their tags ---------------------------------------------------------------------------------------------

async def test_a_game_has_a_post_whose_first_message_is_its_status(world: World, forum: Any) -> None:
    await chosen(world, forum)
    post = await posted(world, forum)
    first, *others = post.history()
    assert first.content.startswith("**Pebbles** · game 1") and labels(first)[0] == "Join"
    assert others == [] and tags(world, post) == ["Open"] and silence(world, post) == (False, WEEK)
    known = [tag["name"] for tag in world.env.backend.get_channel(forum.id).available_tags]
    assert known == ["Open", "Running", "Seat free", "Finished"]


async def test_from_a_post_a_game_is_opened_in_a_post_beside_it(world: World) -> None:
    here = world.forum_post()
    said = await world.olga.slash(here, "game open", game="pebbles", seats=2, place="a forum post")
    row = (await world.services.queries.games())[-1]
    beside = world.env.backend.get_channel(row.channel)
    assert words(said) and beside.id != here.id and beside.parent_id == world.env.backend.get_channel(here.id).parent_id


async def test_tags_follow_the_game_through_an_undo_a_free_seat_a_restart_and_the_end(world: World, forum: Any) -> None:
    await chosen(world, forum)
    post = await posted(world, forum)
    await begun(world, post)
    assert tags(world, post) == ["Running"]
    await world.alice.slash(post, "pebbles take", pebbles=2)
    await world.olga.slash(post, "gm undo")
    assert tags(world, post) == ["Running"]
    world.mute()
    await world.services.seats.resign(1, world.bob.id)
    assert tags(world, post) == ["Running"]
    await world.restart()
    assert tags(world, post) == ["Running", "Seat free"]
    world.env.backend.edit_channel(post.id, {"applied_tags": []})
    await world.alice.slash(post, "pebbles take", pebbles=2)
    assert tags(world, post) == ["Running", "Seat free"], "whoever changes them is put right with the next news"


async def test_a_change_that_discord_could_not_make_is_made_later(world: World, forum: Any) -> None:
    await chosen(world, forum)
    post = await posted(world, forum)
    failing = Trouble(world, TROUBLES["502"], "PATCH", f"/channels/{post.id}")
    await begun(world, post)
    await world.env.advance_time(60)
    assert failing.left == 0 and tags(world, post) == ["Running"]


async def test_tags_of_others_stay_and_without_the_permission_existing_ones_are_used(world: World, forum: Any) -> None:
    world.env.backend.edit_channel(forum.id, {"available_tags": [
        {"id": "71", "name": "Fun", "emoji_id": None, "emoji_name": None},
        {"id": "72", "name": "running", "emoji_id": None, "emoji_name": None}]})
    world.forbid(forum, "manage_channels")
    await chosen(world, forum)
    post = await posted(world, forum)
    assert tags(world, post) == []
    world.env.backend.edit_channel(post.id, {"applied_tags": [71]})
    await begun(world, post)
    assert tags(world, post) == ["Fun", "running"]


async def test_a_rematch_has_a_post_of_its_own_and_two_presses_make_one(world: World, forum: Any) -> None:
    await chosen(world, forum)
    post = await posted(world, forum)
    await begun(world, post)
    for who in (world.alice, world.bob, world.alice, world.bob):
        await world.services.answers.answer(1, who.id, Take.of(3, "left"))
    await world.env.settle()
    ended = next(message for message in reversed(post.history()) if "Rematch" in labels(message))
    async with world.together():
        for who in (world.alice, world.bob):
            await who.click(ended, label="Rematch")
    (_, other) = [channel for channel in world.env.backend.channels.values() if channel.parent_id == forum.id]
    assert [game.channel for game in await world.services.queries.games()] == [other.id] and tags(world, post) == ["Finished"]
    first, *called = simcord.ChannelHandle(world.env, world.guild, other).history()
    assert first.content.startswith("**Pebbles (2)** · game 2") and tags(world, other) == ["Open"]
    assert [message.content.partition(" wants")[0] for message in called] == [world.alice.mention]


# --- private talk -----------------------------------------------------------------------------------------------------------

async def test_private_talk_of_a_forum_game_goes_to_the_chosen_channel(world: World, forum: Any) -> None:
    await chosen(world, forum)
    post = await posted(world, forum)
    await begun(world, post)
    await world.services.forums.set_talk_channel(world.guild.id, world.elsewhere.id)
    said = words(await world.alice.slash(post, "talk private", **{"with": "Basalt"}))
    (thread,) = world.elsewhere.threads
    assert f"<#{thread.id}>" in said


# --- awake and put away -----------------------------------------------------------------------------------------------------

async def test_a_thread_is_awake_while_its_game_lives_and_put_away_after_its_end(world: World, forum: Any) -> None:
    await chosen(world, forum)
    post = await posted(world, forum)
    await begun(world, post)
    world.env.backend.edit_channel(post.id, {}, thread_metadata={"archived": True})
    await world.bot.scheduler._chores()
    assert silence(world, post) == (False, WEEK)
    world.env.backend.edit_channel(post.id, {}, thread_metadata={"archived": True, "locked": True})
    await world.bot.scheduler._chores()
    assert silence(world, post)[0], "what somebody has locked stays so"
    world.env.backend.edit_channel(post.id, {}, thread_metadata={"archived": False, "locked": False})
    for who in (world.alice, world.bob, world.alice, world.bob):
        await world.services.answers.answer(1, who.id, Take.of(3, "left"))
    await world.env.settle()
    assert (await world.services.queries.game(1)).status == "over"
    assert (tags(world, post), silence(world, post)) == (["Finished"], (False, DAY)), "after a day of silence"


# --- who chooses, and what is missing ------------------------------------------------------------------------------------------

async def test_only_who_manages_the_server_chooses_and_only_what_fits(world: World, forum: Any) -> None:
    shown = (await world.server_page(world.max, "Forum for games")).response
    assert "Forum for games" not in labels((await world.server_page(world.bob)).response)
    assert [item["type"] for item in selects_of(shown)] == [8, 8] and labels(shown) == ["Back"]
    shown = (await world.max.select(shown, [forum], custom_id="gamesforum")).response
    shown = (await world.max.select(shown, [world.elsewhere], custom_id="talkchannel")).response
    assert labels(shown) == ["No forum", "No channel for talk", "Back"]
    shown = (await world.max.click(shown, label="No forum")).response
    assert "No forum has been chosen" in shown.content and f"Private talk: <#{world.elsewhere.id}>." in shown.content
    assert "There is no forum here" in words(await world.olga.slash(
        world.table, "game open", game="pebbles", seats=2, place="a forum post"))


def selects_of(message: Any) -> list[dict[str, Any]]:
    """The selects of channels."""
    assert selects(message) == []
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    return [item for row in rows for item in row["components"] if item["type"] == 8]


async def test_game_check_names_what_the_forum_and_the_talk_lack(world: World, forum: Any) -> None:
    await chosen(world, forum)
    await world.services.forums.set_talk_channel(world.guild.id, world.elsewhere.id)
    world.forbid(forum, "manage_channels", "send_messages")
    world.forbid(world.elsewhere, "create_private_threads")
    world.forbid(world.table, "manage_threads")
    await world.opened()
    said = words(await world.olga.slash(world.table, "game check"))
    assert f"For posts in <#{forum.id}> I'm missing permissions:\n- **Create Posts**" in said
    assert "- **Manage Channels**: I can't add the tags" in said
    assert f"For private talk in <#{world.elsewhere.id}> I'm missing permissions:\n- **Create Private Threads**" in said
    assert f"For private threads in <#{world.table.id}> it's better to have:\n- **Manage Threads**: Once a moderator" in said


# --- forums that require tags ---------------------------------------------------------------------------------------------

def demands_tags(world: World, forum: Any, monkeypatch: pytest.MonkeyPatch, own: int = 0) -> None:
    """The forum has so many tags of its own, and Discord takes no post there without a tag; the simulation knows no such flag."""
    known = serializers.channel_payload
    monkeypatch.setattr(serializers, "channel_payload", lambda backend, channel: {
        **known(backend, channel), **({"flags": 1 << 4} if channel.id == forum.id else {})})
    world.env.backend.edit_channel(forum.id, {"available_tags": [
        {"id": str(70 + n), "name": f"Tag {n}", "moderated": False, "emoji_id": None, "emoji_name": None} for n in range(own)]})
    untagged = router._ROUTES["POST"]
    pattern = ["channels", "{channel_id}", "threads"]

    def strict(request: router.RequestContext) -> Any:
        if request.int_arg("channel_id") == forum.id and not (request.json or {}).get("applied_tags"):
            raise BackendError(400, 40067, "A tag is required to create a forum post in this channel")
        return post(request)

    post = next(handler for known, handler in untagged if known == pattern)
    monkeypatch.setitem(router._ROUTES, "POST", [(pattern, strict), *untagged])


async def test_a_forum_that_requires_tags_gets_the_bots_own(world: World, forum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    demands_tags(world, forum, monkeypatch, own=16)
    await chosen(world, forum)
    assert tags(world, await posted(world, forum)) == ["Open"]


@pytest.mark.parametrize(("own", "cause"), [
    (0, "<#{}> requires a tag on each post, and I can't add mine. Add a tag **Open** to it, or give me *Manage Channels* there."),
    (18, "<#{}> requires a tag on each post, and there's no room for mine: it has 18 of 20 tags. Add a tag **Open** to it, in "
         "the place of another one if need be.")])
async def test_where_the_bot_can_add_no_tag_a_forum_that_requires_one_is_told_of_before(
        world: World, forum: Any, monkeypatch: pytest.MonkeyPatch, own: int, cause: str) -> None:
    demands_tags(world, forum, monkeypatch, own)
    if not own:
        world.forbid(forum, "manage_channels")
    panel = await world.server_page(world.max, "Forum for games")
    said = words(await world.max.select(panel.response, [forum], custom_id="gamesforum"))
    assert cause.format(forum.id) in said
    assert words(await world.olga.slash(world.elsewhere, "game open", game="pebbles", seats=2, place="a forum post")) == (
        cause.format(forum.id))
    assert await world.services.queries.games() == [] and capsules(world) == []
    await world.opened()
    assert cause.format(forum.id) in words(await world.olga.slash(world.table, "game check"))


async def test_a_forum_that_has_begun_to_require_tags_is_no_incident(world: World, forum: Any) -> None:
    await chosen(world, forum)
    world.forbid(forum, "manage_channels")
    world.env.inject_error("POST", f"/channels/{forum.id}/threads", status=400, code=40067, message="A tag is required")
    said = words(await world.olga.slash(world.elsewhere, "game open", game="pebbles", seats=2, place="a forum post"))
    assert said == ("This forum requires a tag on each post, and it has none of mine. Add a tag **Open** to it, or choose "
                    "another place.")
    assert capsules(world) == []
