"""The weekly summary in a noticeboard's channel: off by default, once a week whatever happens, of games that all there see."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.discord.outbox import weekly as summary
from bot.discord.outbox.noticeboard import APART
from bot.domain.waking_hours import Hours
from bot.domain.week import Gain, gain_text
from bot.service import Services, weekly
from bot.store import Ledger, MemberRow, Store
from engine.refusals import Refusal
from engine.text import say, text
from tests.bot.desk import ANNA, BERT, CHANNEL, GUILD, MASTER, Clock, delivered, guessed, play_on
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.bot.test_chronicle import TOLD
from tests.toy import Take


async def hung(store: Store, clock: Clock) -> Services:
    """A server with a noticeboard, that wants a weekly summary."""
    services = play_on(store, spec=TOLD, clock=clock)
    await services.noticeboards.hang_noticeboard(GUILD, CHANNEL, ANNA)
    await services.weekly.want_weekly(GUILD, wanted=True)
    return services


async def summaries(services: Services, there: int = GUILD) -> list[tuple[int, Any]]:
    """The summaries of servers that are sent now: below which game, and what their letters say."""
    await services.weekly.tell_servers({there})
    return [(letter.game, letter.payload) for letter in await delivered(services) if letter.kind == "summary"]


def test_a_message_is_filled_to_its_last_character_before_games_are_only_counted() -> None:
    title = text("# The week")
    lines = ["a" * (summary.ROOM - len("# The week\n") - len("\nb")), "b"]
    assert summary._fitted(title, lines) == "\n".join(["# The week", *lines])
    assert summary._fitted(title, [lines[0], "bb", "c"]).splitlines()[1:] == [lines[0], "-# … and 2 more games: `/game list`"]


async def test_it_is_off_by_default_due_after_a_week_and_begun_by_one_alone(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    await services.noticeboards.hang_noticeboard(GUILD, CHANNEL, ANNA)
    game = await guessed(services)
    clock.put_on(days=30)
    assert await summaries(services) == []
    await services.weekly.want_weekly(GUILD, wanted=True)
    began = services.session.time()
    clock.put_on(days=6, hours=23)
    assert await summaries(services) == []
    clock.put_on(hours=1)
    assert await summaries(services, GUILD + 1) == [], "a server that can't be reached waits for its summary"
    assert await summaries(play_on(store, clock=clock)) == [(game, {"guild": GUILD, "since": began})]
    assert await summaries(services) == [] and await summaries(play_on(store, clock=clock)) == []
    await services.noticeboards.hang_noticeboard(GUILD, CHANNEL + 1, ANNA)
    clock.put_on(days=7)
    assert len(await summaries(services)) == 1, "it moves with the noticeboard"
    await services.weekly.want_weekly(GUILD, wanted=False)
    clock.put_on(days=7)
    assert await summaries(services) == []


async def test_a_server_without_a_game_under_way_has_no_summary(store: Store, clock: Clock) -> None:
    services = await hung(store, clock)
    clock.put_on(days=8)
    assert await summaries(services) == []


async def test_a_game_is_told_with_its_points_and_their_change_without_what_was_undone(store: Store, clock: Clock) -> None:
    services = await hung(store, clock)
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    since = services.session.time()
    clock.put_on(days=1)
    await services.answers.answer(game, BERT, Take.of(3, "left"))
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    week = await services.weekly.week_of_game(game, since)
    assert week is not None and week[1] == [Gain("seat_1", 3, 0), Gain("seat_2", 1, 1)]
    assert await play_on(store, clock=clock).weekly.week_of_game(game, since) is None, "a title without points"


async def test_a_game_that_cannot_be_read_is_told_without_points(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
                                                                   ) -> None:
    services = await hung(store, clock)
    game = await guessed(services)

    def broken(*_: Any) -> None:
        raise Refusal("This game is broken.")

    monkeypatch.setattr(weekly, "gains", broken)
    assert await services.weekly.week_of_game(game, services.session.time()) is None


@pytest.mark.parametrize("gain, said", [(Gain("red", 4, 2), "red 4 (+2)"), (Gain("red", -1, -3), "red −1 (−3)"),
                                        (Gain("red", 4, 0), "red 4")])
def test_points_are_told_with_what_has_changed(gain: Gain, said: str) -> None:
    assert say(gain_text(gain)) == said


async def test_who_manages_the_server_switches_it_on_and_it_is_posted_once_a_week(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (TOLD,)) as world:
        await world.guessed()
        closed = world.guild.create_text_channel("closed", overwrites={
            world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            world.env.bot.user: discord.PermissionOverwrite(view_channel=True)})
        await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, world.max.id)
        panel = await world.server_page(world.max, "Noticeboard")
        assert "Once a week" not in words(panel)
        panel = await world.max.click(panel.response, label="Weekly summary")
        assert "Once a week I post a summary there: each running game, its points, and how they have changed." in words(panel)
        assert "No weekly summary" in custom_ids(panel.response)
        await world.services.answers.answer(1, world.alice.id, Take.of(3, "left"))
        await world.env.advance_time(APART)

        async def summaries() -> list[str]:
            await world.bot.scheduler._chores()
            await world.env.settle()
            return [post.content for post in world.elsewhere.history() if post.content.startswith("# The week")]

        await world.store.write(lambda ledger: ledger.noticeboards.set_weekly(world.guild.id, "2100-01-01T00:00:00+00:00"))
        assert await summaries() == []
        await world.store.write(lambda ledger: ledger.noticeboards.set_weekly(world.guild.id, "2020-01-01T00:00:00+00:00"))
        world.env.inject_error("POST", f"/channels/{world.elsewhere.id}/messages", status=403, code=50013, message="Forbidden",
                               times=1)
        assert await summaries() == []
        await world.env.advance_time(60)
        (said,) = await summaries()
        assert said == f"# The week\n- **Pebbles** · game 1 · <#{world.table.id}> · Turn 2: Amber 3 and Basalt 0"
        assert await summaries() == [said]

        def hide(ledger: Ledger) -> None:
            ledger.noticeboards.set_weekly(world.guild.id, "2020-01-01T00:00:00+00:00")
            ledger.conn.execute("UPDATE games SET channel = ?", (closed.id,))

        await world.store.write(hide)
        assert await summaries() == [said], "nothing of a game in a channel that not everybody sees"
        later = await world.server_page(world.max, "Noticeboard")
        await world.max.click(later.response, label="No weekly summary")
        board = await world.services.noticeboards.noticeboard(world.guild.id)
        assert board is not None and board.weekly is None


# --- for members -----------------------------------------------------------------------------------------------------

async def weeks(services: Services) -> list[tuple[int, Any]]:
    """The summaries that are sent now: below which game, and what their letters say."""
    await services.weekly.tell_members()
    return [(letter.game, letter.payload) for letter in await delivered(services) if letter.kind == "week"]


async def test_a_member_who_asks_for_it_gets_one_message_a_week_for_all_games_while_awake(
        services: Services, clock: Clock) -> None:
    games = [await guessed(services), await guessed(services)]
    clock.put_on(days=30)
    assert await weeks(services) == [] and not await services.weekly.own_weekly(ANNA), "off by default"
    await services.weekly.want_own_weekly(ANNA, wanted=True)
    began = services.session.time()
    await services.settings.set_member(ANNA, MemberRow(hours=Hours(wake=14, sleep=23)))
    clock.put_on(days=6, hours=23)
    assert await weeks(services) == []
    clock.put_on(hours=1)
    assert await weeks(services) == [], "it is noon, and Anna sleeps"
    clock.put_on(hours=2)
    assert await weeks(services) == [(games[0], {"user": ANNA, "since": began})]
    assert await weeks(services) == []
    assert [row.id for row in await services.weekly.games_of_week(ANNA)] == games[::-1]
    clock.put_on(days=7)
    assert [said["user"] for _, said in await weeks(services)] == [ANNA]
    await services.weekly.want_own_weekly(ANNA, wanted=False)
    clock.put_on(days=7)
    assert await weeks(services) == []


async def test_whoever_plays_nothing_gets_no_summary(services: Services, clock: Clock) -> None:
    await guessed(services)
    await services.weekly.want_own_weekly(MASTER, wanted=True)
    clock.put_on(days=8)
    assert await weeks(services) == []


async def test_by_a_tap_a_member_has_the_own_week_by_direct_message(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (TOLD,)) as world:
        await world.guessed()
        panel = (await world.alice.slash(world.table, "settings")).response
        panel = (await world.alice.click(panel, label="My week by DM: off")).response
        assert "My week by DM: on" in labels(panel)
        await world.services.answers.answer(1, world.alice.id, Take.of(3, "left"))
        await world.store.write(lambda ledger: ledger.settings.set_own_weekly(world.alice.id, "2020-01-01T00:00:00+00:00"))
        for _ in range(2):
            await world.bot.scheduler._chores()
            await world.env.settle()
        (said,) = [post for post in world.alice.user.dm_channel.history() if post.content.startswith("# Your week")]
        assert said.content == f"# Your week\n- **Pebbles** · game 1 · <#{world.table.id}> · Turn 2: Amber 3 and Basalt 0"
        assert labels(said) == ["My games", "Settings"]
        assert "**Your settings**" in words(await world.alice.user.click(said, label="Settings"))
