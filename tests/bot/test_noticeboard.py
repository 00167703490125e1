"""The noticeboard of a server: one message that is always true, whatever happens to it, to its channel or to the bot."""
from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest

from bot.discord.outbox import noticeboard
from bot.discord.outbox.noticeboard import APART, LONGEST, LOOK, RETRY_AFTER, _fitted
from bot.discord.outbox.sender import PULSE
from bot.service import Services
from bot.store import Store
from tests.bot.desk import ANNA, GUILD, opened, play_on
from tests.bot.discord_world import World, custom_ids, labels, words

HEAD = "# Noticeboard"


async def hung(world: World, channel: Any = None) -> Any:
    """Max has hung the noticeboard up; its message."""
    panel = await world.server_page(world.max, "Noticeboard")
    said = words(await world.max.select(panel.response, [channel or world.elsewhere], custom_id="boardin"))
    assert said.startswith(f"The noticeboard is in <#{(channel or world.elsewhere).id}>.")
    await world.env.advance_time(APART)
    return board(world, channel)


def boards(world: World, channel: Any = None) -> list[Any]:
    return [message for message in (channel or world.elsewhere).history() if message.content.startswith(HEAD)]


def board(world: World, channel: Any = None) -> Any:
    """The one noticeboard there."""
    (message,) = boards(world, channel)
    return message


def edits(world: World, message: int) -> int:
    """How often the bot has changed a message."""
    return sum(request.method == "PATCH" and request.path.endswith(f"/messages/{message}") for request in world.env.http_requests)


async def open_quietly(world: World, title: str) -> None:
    """Olga opens a game, and nothing is waited for."""
    await world.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title=title,
                                    guild=world.guild.id, channel=world.table.id, owner=world.olga.id)


async def test_a_noticeboard_is_hung_up_by_a_tap(world: World) -> None:
    shown = await world.server_page(world.max, "Noticeboard", where=world.elsewhere)
    assert labels(shown.response) == ["Put it here", "Back"]
    hanging = (await world.max.click(shown.response, label="Put it here")).response
    assert hanging.content.startswith(f"The noticeboard is in <#{world.elsewhere.id}>.")
    assert labels(hanging) == ["Weekly summary", "Take it down", "Back"]
    await world.env.advance_time(APART)
    assert board(world)
    assert "Noticeboard" not in labels((await world.server_page(world.alice)).response)


async def test_a_noticeboard_says_which_games_are_open_which_seats_free_and_who_is_awaited(world: World) -> None:
    await world.opened(2, title="Friday")
    message = await hung(world)
    assert message.content == (
        f"{HEAD}\n### Open games\n**Friday** · Pebbles · game 1 · <#{world.table.id}> · 0 of 2 seats taken")
    assert labels(message) == ["Join: Friday · game 1", "Open a game", "All games", "My games"]
    assert [pin.id for pin in world.elsewhere.pinned_messages()] == [message.id]
    joined = words(await world.alice.click(message, label="Join: Friday · game 1"))
    assert joined.startswith("You joined Friday.")
    await world.bob.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    for player, number in ((world.alice, 3), (world.bob, 8)):
        await player.slash(world.table, "pebbles guess", pebbles=number)
    await world.env.advance_time(APART)
    running = board(world)
    assert running.id == message.id
    assert f"### Running games\n**Friday** · game 1 · <#{world.table.id}> · waiting for Amber ({world.alice.mention}), " \
        "asked <t:" in running.content and "guess" not in running.content
    await world.services.seats.resign(1, world.bob.id)
    await world.env.advance_time(APART)
    assert f"### Free seats\n**Basalt** in **Friday** · game 1 · <#{world.table.id}> · became free <t:" in board(world).content
    look = await world.carol.click(board(world), label="Take over: Basalt (1)")
    assert words(look).startswith("**Basalt** in **Friday**, game 1 (Pebbles).")
    await world.olga.slash(world.table, "game status")
    await world.services.seats.close(1, world.olga.id, "")
    await world.env.advance_time(APART)
    assert board(world).content == f"{HEAD}\nNo game is being played here."
    assert labels(board(world)) == ["Open a game", "All games", "My games"]


async def test_what_comes_within_some_seconds_changes_the_message_once(world: World) -> None:
    message = await hung(world)
    await world.env.advance_time(APART)
    before = edits(world, message.id)
    titles = ("One", "Two", "Three", "Four", "Five", "Six")
    for title in titles:
        await open_quietly(world, title)
    await world.env.advance_time(APART)
    assert edits(world, message.id) - before <= 2, "the first at once, all others together"
    assert all(title in board(world).content for title in titles)
    before = edits(world, message.id)
    await world.env.advance_time(10 * APART)
    assert edits(world, message.id) == before, "nothing is new"


async def test_a_change_is_noted_in_the_transaction_that_makes_it_and_shown_after_a_restart(world: World) -> None:
    message = await hung(world)
    world.mute()
    await open_quietly(world, "Late")
    known = await world.services.noticeboards.noticeboard(world.guild.id)
    assert known is not None and known.changed == known.shown + 1
    await world.restart()
    await world.env.advance_time(APART)
    assert board(world).id == message.id and "**Late**" in board(world).content


async def test_that_discord_is_unwell_is_no_incident_and_is_tried_again(
        world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    await hung(world)
    with monkeypatch.context() as patch:
        patch.setattr(discord.PartialMessage, "delete", unwell)
        await hung(world, world.table)
        assert boards(world), "it can't be taken away, which holds up no other"
        patch.setattr(discord.PartialMessage, "edit", unwell)
        await open_quietly(world, "Late")
        await world.env.advance_time(APART)
        assert world.bot.outbox.boards._rests, "another one would be shown"
        patch.setattr(noticeboard.Noticeboards, "_take_down", unwell)
        await open_quietly(world, "Later")
        await world.env.advance_time(APART)
        assert "the noticeboards: ServerDisconnectedError" in caplog.text
    assert not (world.path.parent / "incidents").exists()
    await world.env.advance_time(2 * RETRY_AFTER)
    assert "**Later**" in board(world, world.table).content and not boards(world)


async def unwell(*given: object, **named: object) -> None:
    """The connection to Discord has broken."""
    raise aiohttp.ServerDisconnectedError


async def test_a_message_that_somebody_deletes_is_posted_again(world: World) -> None:
    message = await hung(world)
    world.env.backend.delete_message(world.elsewhere.id, message.id)
    await world.opened(2, title="Friday")
    await world.env.advance_time(2 * APART)
    again = board(world)
    assert again.id != message.id and "**Friday**" in again.content
    world.env.backend.delete_message(world.elsewhere.id, again.id)
    await world.env.advance_time(LOOK + PULSE + 2 * APART)              # nothing is new, and yet somebody looks
    assert "**Friday**" in board(world).content
    assert [pin.id for pin in world.elsewhere.pinned_messages()] == [board(world).id]


async def test_a_message_that_was_posted_and_never_written_down_is_used_again(world: World) -> None:
    message = await hung(world)
    await world.max.slash(world.elsewhere, "game open", game="pebbles", seats=2, title="Newer")

    def forget(ledger: Any) -> None:
        ledger.conn.execute("UPDATE noticeboards SET message = NULL, shown = 0, nonce = 'another'")

    await world.store.write(forget)
    await world.opened(2, title="Friday")
    await world.env.advance_time(2 * APART)
    assert board(world).id == message.id and "**Friday**" in board(world).content


async def test_a_lost_channel_is_told_once_and_another_one_takes_its_place(world: World) -> None:
    await hung(world)
    world.env.backend.delete_channel(world.elsewhere.id)
    await world.opened(2, title="Friday")
    await world.env.advance_time(APART)
    await world.opened(2, title="Saturday")
    await world.env.advance_time(LONGEST)
    told = [letter for letter in world.letters(world.max) if "noticeboard" in letter]
    assert told == ["The channel of the noticeboard of Club is gone. `/settings` hangs it up in another one."]
    said = words(await world.olga.slash(world.table, "game check", game="1"))
    assert "The channel of the noticeboard is gone." in said
    await hung(world, world.table)
    assert "**Friday**" in board(world, world.table).content


async def test_a_noticeboard_that_moves_leaves_nothing_behind(world: World) -> None:
    await hung(world)
    await hung(world, world.table)
    assert boards(world) == [] and len(boards(world, world.table)) == 1
    shown = await world.server_page(world.max, "Noticeboard")
    shown = await world.max.click(shown.response, label="Take it down")
    assert words(shown).startswith("This server has no noticeboard.") and labels(shown.response)[-1] == "Back"
    await world.env.advance_time(APART)
    assert boards(world, world.table) == []


async def test_it_stays_the_newest_pin(world: World) -> None:
    message = await hung(world, world.table)
    await world.opened(2, title="Friday")                               # its status is pinned there, too
    await world.env.advance_time(noticeboard.TIDY)
    await world.alice.slash(world.table, "game join")
    await world.env.advance_time(APART)
    assert world.table.pinned_messages()[0].id == message.id and len(world.table.pinned_messages()) == 2


async def test_who_cannot_see_a_game_does_not_read_of_it(world: World) -> None:
    closed = world.guild.create_text_channel("closed", overwrites={
        world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
        world.env.bot.user: discord.PermissionOverwrite(view_channel=True),
        **{who: discord.PermissionOverwrite(view_channel=True) for who in (world.olga, world.max)}})
    await world.olga.slash(closed, "game open", game="pebbles", seats=2, title="Hidden")
    await world.opened(2, title="Friday")
    message = await hung(world)
    assert "Hidden" not in message.content and "more game" not in message.content and "Friday" in message.content
    assert [label for label in labels(message) if "Hidden" in label] == []
    assert "Hidden" in (await hung(world, closed)).content, "whoever reads it there sees the game, too"


async def test_only_who_manages_the_server_hangs_it_up_and_only_where_the_bot_can_post(world: World) -> None:
    for who in (world.alice, world.olga):
        assert "Noticeboard" not in labels((await world.server_page(who)).response)
    panel = (await world.server_page(world.max, "Noticeboard")).response
    world.forbid(world.elsewhere, "send_messages")
    said = words(await world.max.select(panel, [world.elsewhere], custom_id="boardin"))
    assert said.startswith(f"I can't post in <#{world.elsewhere.id}>.")
    assert await world.services.noticeboards.noticeboard(world.guild.id) is None
    world.forbid(world.elsewhere, "pin_messages")
    panel = (await world.server_page(world.max, "Noticeboard")).response
    said = words(await world.max.select(panel, [world.elsewhere], custom_id="boardin"))
    assert "- **Pin Messages**: The noticeboard isn't pinned." in said
    await world.opened(2)
    assert "The noticeboard isn't pinned." in words(await world.olga.slash(world.table, "game check", game="1"))
    panel = await world.server_page(world.max, "Noticeboard")
    assert "Take it down" in custom_ids(panel.response)


async def test_more_games_than_fit_are_counted(world: World) -> None:
    for number in range(30):
        await open_quietly(world, f"A game with quite a long title, number {number}")
    message = await hung(world)
    assert len(message.content) <= 2000
    listed = message.content.count("· game ")
    assert message.content.splitlines()[-1] == f"-# … and {30 - listed} more games: `/game list`" and listed >= 10


@pytest.fixture
def services(store: Store) -> Services:
    return play_on(store)


async def test_a_game_elsewhere_changes_no_noticeboard_and_a_forgotten_member_stays_in_none(services: Services) -> None:
    await services.noticeboards.hang_noticeboard(GUILD + 1, 5, ANNA)
    await services.noticeboards.hang_noticeboard(GUILD, 6, ANNA)
    await opened(services)
    found = {guild: await services.noticeboards.noticeboard(guild) for guild in (GUILD, GUILD + 1)}
    assert [board.changed for board in found.values() if board] == [2, 1]
    await services.personal_data.forget_member(ANNA)
    kept = await services.noticeboards.noticeboard(GUILD)
    assert kept is not None and (kept.user, kept.channel) == (0, 6) 


async def test_a_bot_without_a_noticeboard_looks_for_one_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, look = list[int](), world.services.noticeboards.noticeboards

    async def counted() -> Any:
        looks.append(1)
        return await look()

    monkeypatch.setattr(world.services.noticeboards, "noticeboards", counted)
    await world.opened(2, title="Friday")
    await world.opened(2, title="Saturday")
    await world.env.advance_time(3 * APART)
    assert len(looks) <= 1
    assert "Saturday" in (await hung(world)).content


def test_free_seats_have_room_beside_many_open_games() -> None:
    offered = {"open": ["o" * 300] * 12, "free": ["f" * 300] * 3, "running": ["r" * 300] * 9}
    said = "\n".join(_fitted(offered, games=21))
    assert (said.count("f" * 300), said.count("o" * 300), said.count("r" * 300)) == (3, 9, 0) and "12 more games" in said
