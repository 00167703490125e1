"""Whether a game may be spoken of elsewhere: only where everybody who can read surely sees its channel."""
from __future__ import annotations

import random
from datetime import timedelta
from itertools import combinations
from typing import Any

import discord
import pytest
from discord.utils import SnowflakeList
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.discord.game_master.idle_games import still_open
from bot.discord.outbox.noticeboard import APART
from bot.discord.visibility import may_be_read
from bot.domain.letters import ServerWeek, StillOpen
from tests.bot.discord_world import World, labels, words

VIEW = discord.Permissions(view_channel=True).value


def said_of(world: World, channel: Any, target: Any, kind: OverwriteType, *, seen: bool | None) -> None:
    """What a channel says of a role or a member."""
    world.env.backend.set_overwrite(channel.id, Overwrite(target.id, kind, allow=VIEW if seen else 0,
                                                          deny=VIEW if seen is False else 0))


async def test_it_is_so_if_no_member_with_whatever_roles_is_left_out(world: World) -> None:
    """Compared with what the library says of members with all sets of roles there can be."""
    rng, guild = random.Random(16), world.bot.get_guild(world.guild.id)
    roles = [world.guild.create_role(name) for name in ("one", "two", "three")]
    await world.opened(2, title="Friday")
    game = await world.services.queries.game(1)
    people = [await guild.fetch_member(who.id) for who in (world.alice, world.carol)]      # of Carol the channels say something
    others = [role for role in guild.roles if not role.is_default()]                # with those that the club has anyway
    sets = [[role.id for role in chosen] for n in range(len(others) + 1) for chosen in combinations(others, n)]
    found = list[bool]()
    for _ in range(300):
        world.env.backend.edit_role(guild.id, guild.id, {"permissions": rng.choice([0, VIEW, VIEW])})
        for role in roles:
            world.env.backend.edit_role(guild.id, role.id, {"permissions": rng.choice([0, 0, VIEW, 1 << 3])})
        for channel in (world.table, world.elsewhere):
            for role in (world.guild.default_role, *roles):
                said_of(world, channel, role, OverwriteType.ROLE, seen=rng.choice([None, None, True, False]))
            said_of(world, channel, world.carol, OverwriteType.MEMBER, seen=rng.choice([None] * 6 + [True, False]))
        await world.env.settle()
        there, here = guild.get_channel(world.elsewhere.id), guild.get_channel(world.table.id)
        left_out = False
        for person in people:
            for chosen in sets:
                person._roles = SnowflakeList(sorted(chosen))
                left_out |= (there.permissions_for(person).view_channel and not here.permissions_for(person).view_channel)
        found.append(not left_out)
        assert may_be_read(world.bot, guild, there, game) == found[-1]
    assert 30 < sum(found) < 270


@pytest.mark.parametrize("how", ["role", "member", "thread", "post"])
async def test_whoever_is_denied_the_channel_of_a_game_reads_nothing_of_it_elsewhere(world: World, how: str) -> None:
    role, here = world.guild.create_role("Newcomers"), world.table
    if how == "post":
        here = world.forum_post()
    await world.olga.slash(here, "game open", game="pebbles", seats=2, title="Friday",
                           place="a new thread" if how == "thread" else "this channel")
    game = (await world.services.queries.games())[-1]
    place = world.bot.get_channel(game.channel)
    if how == "member":
        world.hide(here, world.carol)
    else:
        said_of(world, world.bot.get_channel(getattr(place, "parent_id", None) or place.id), role, OverwriteType.ROLE, seen=False)
    await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, world.max.id)
    world.bot.outbox.boards.retry(world.guild.id)
    await world.services.weekly.want_weekly(world.guild.id, wanted=True)
    since = f"{world.env.now() - timedelta(days=7):%Y-%m-%dT%H:%M:%S+00:00}"
    for who in (world.alice, world.bob):
        await who.slash(world.elsewhere, "game join", game="1")
    await world.olga.slash(world.elsewhere, "game start", game="1")
    await world.store.write(
        lambda ledger: ledger.outbox.add_letters(1, 1, [ServerWeek(guild=world.guild.id, since=since)], since))
    await world.env.advance_time(2 * APART)
    assert not any("Friday" in post for post in world.posts(world.elsewhere))
    shared = await world.alice.slash(world.elsewhere, "game map", game="1", share=True)
    assert words(shared).startswith("Not everybody here can see this game.")


async def test_an_invitation_beside_a_thread_says_no_more_of_a_game_that_has_moved_away(world: World) -> None:
    closed = world.guild.create_text_channel("closed")
    world.hide(closed, world.carol)
    await world.opened(2, title="Friday", place="a new thread")
    await world.olga.slash(world.elsewhere, "gm move", channel=closed, game="1")
    await world.alice.slash(closed, "game join")
    invitation = world.table.history()[-1]
    assert invitation.content == f"Friday (game 1) is now played in <#{closed.id}>." and labels(invitation) == []
    told = await still_open(world.bot, StillOpen(channel=world.table.id, games=[1]))
    assert told is None, "whoever reads it there may not see where the game is"
    assert await still_open(world.bot, StillOpen(channel=closed.id, games=[1])) is not None
