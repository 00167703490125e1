"""The weekly summary in a noticeboard's channel: off by default, once a week whatever happens, of games that all there see."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.discord.outbox.noticeboard import APART
from bot.domain.week import Gain, told
from bot.service import Services, weekly
from bot.store import Ledger, Store
from engine.refusals import Refusal
from engine.text import English, say
from tests.bot.desk import ANNA, BERT, CHANNEL, GUILD, MASTER, Clock, guessed, play_on
from tests.bot.discord_world import World, custom_ids, words
from tests.bot.test_chronicle import TOLD
from tests.toy import Take


async def hung(store: Store, clock: Clock) -> Services:
    """A server with a noticeboard, that wants a weekly summary."""
    services = play_on(store, spec=TOLD, clock=clock)
    await services.noticeboards.hang_noticeboard(GUILD, CHANNEL, ANNA)
    await services.weekly.want_weekly(GUILD, wanted=True)
    return services


async def test_it_is_off_by_default_due_after_a_week_and_begun_by_one_alone(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    await services.noticeboards.hang_noticeboard(GUILD, CHANNEL, ANNA)
    clock.put_on(days=30)
    assert await services.weekly.due_weeklies() == []
    await services.weekly.want_weekly(GUILD, wanted=True)
    clock.put_on(days=6, hours=23)
    assert await services.weekly.due_weeklies() == []
    clock.put_on(hours=1)
    (board,) = await play_on(store, clock=clock).weekly.due_weeklies()
    assert await services.weekly.begin_week(board) and not await play_on(store, clock=clock).weekly.begin_week(board)
    assert await services.weekly.due_weeklies() == []
    await services.weekly.week_not_told(board)
    assert await services.weekly.due_weeklies() == [board], "what couldn't be posted is still due"
    await services.noticeboards.hang_noticeboard(GUILD, CHANNEL + 1, ANNA)
    assert [one.channel for one in await services.weekly.due_weeklies()] == [CHANNEL + 1], "it moves with the noticeboard"
    await services.weekly.want_weekly(GUILD, wanted=False)
    assert await services.weekly.due_weeklies() == []


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
    assert say(told(gain), English()) == said


async def test_who_manages_the_server_switches_it_on_and_it_is_posted_once_a_week(tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                                                                                    ) -> None:
    async def unreachable(*_: Any, **__: Any) -> None:
        raise OSError

    async with World.at(tmp_path / "games.db", (TOLD,)) as world:
        await world.guessed()
        closed = world.guild.create_text_channel("closed", overwrites={
            world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            world.env.bot.user: discord.PermissionOverwrite(view_channel=True)})
        await world.max.slash(world.table, "table noticeboard", channel=world.elsewhere)
        panel = await world.max.slash(world.table, "table noticeboard")
        assert "Once a week" not in words(panel)
        panel = await world.max.click(panel.response, label="Weekly summary")
        assert "Once a week I post a summary there: each running game, its points, and how they have changed." in words(panel)
        assert "No weekly summary" in custom_ids(panel.response)
        await world.services.answers.answer(1, world.alice.id, Take.of(3, "left"))
        await world.env.advance_time(APART)

        async def summaries() -> list[str]:
            await world.bot.housekeeping._look()
            return [post.content for post in world.elsewhere.history() if post.content.startswith("# The week")]

        await world.store.write(lambda ledger: ledger.set_weekly(world.guild.id, "2100-01-01T00:00:00+00:00"))
        assert await summaries() == []
        await world.store.write(lambda ledger: ledger.set_weekly(world.guild.id, "2020-01-01T00:00:00+00:00"))
        with monkeypatch.context() as silent:
            silent.setattr(discord.PartialMessageable, "send", unreachable)
            assert await summaries() == []
        (said,) = await summaries()
        assert said == f"# The week\n- **Pebbles** · game 1 · <#{world.table.id}> · Turn 2: Amber 3 and Basalt 0"
        assert await summaries() == [said]

        def hide(ledger: Ledger) -> None:
            ledger.set_weekly(world.guild.id, "2020-01-01T00:00:00+00:00")
            ledger.conn.execute("UPDATE games SET channel = ?", (closed.id,))

        await world.store.write(hide)
        assert await summaries() == [said], "nothing of a game in a channel that not everybody sees"
        later = await world.max.slash(world.table, "table noticeboard")
        await world.max.click(later.response, label="No weekly summary")
        board = await world.services.noticeboards.noticeboard(world.guild.id)
        assert board is not None and board.weekly is None
