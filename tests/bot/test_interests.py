"""Who would like to hear of games that are opened: members, once for each game and while they are awake; a role of the server."""
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest

from bot.domain.waking_hours import Hours
from bot.service.interests import GRACE, MOST
from bot.store import MemberRow, Store
from bot.store.interests import Interest
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, GUILD, MASTER, Clock, delivered, guessed, opened, play_on
from tests.bot.discord_world import World, labels, words

ONE, DAVE = Seat("seat_1"), 104
SOON = GRACE.total_seconds() + 30


async def told(services: Any) -> list[Any]:
    """Who is told of which games now."""
    await services.timers.look("opening")
    return [letter.payload for letter in await delivered(services) if letter.kind == "opened"]


async def later(world: World) -> None:
    """Some minutes go by."""
    moment = discord.utils.utcnow() + timedelta(seconds=SOON)
    world.services.session.now = lambda: moment
    await world.store.write(
        lambda ledger: ledger.presence.beat(world.services.session.time()))          # in which the bot was there
    await world.bot.scheduler.look(moment)
    await world.env.settle()


async def test_who_would_like_such_a_game_is_told_once_and_one_message_tells_of_all(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    for user, key, seats in ((ANNA, "pebbles", 2), (BERT, "", 0), (CARA, "pebbles", 3), (MASTER, "", 0)):
        await services.interests.add_interest(GUILD, user, key, seats)
    await services.interests.add_interest(GUILD, BERT, "pebbles", 2)        # two wishes, and one message
    await services.interests.add_interest(GUILD + 1, CARA, "", 0)           # of another server
    first, second = await opened(services), await opened(services)
    assert await told(services) == [], "the host chooses first who can join"
    assert await services.timers.following("opening") == clock.moment + GRACE
    clock.put_on(seconds=SOON)
    assert await told(services) == [{"user": user, "games": [first, second]} for user in (ANNA, BERT)]
    clock.put_on(days=3)
    assert await told(services) == [] and await services.timers.following("opening") is None


async def test_nobody_is_woken_and_what_has_begun_meanwhile_is_not_told(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    await services.settings.set_member(ANNA, MemberRow(hours=Hours(zone="UTC", wake=20, sleep=11)))
    await services.interests.add_interest(GUILD, ANNA, "pebbles", 0)
    closed, still = await opened(services), await opened(services)
    assert await services.timers.following("opening") == datetime(2026, 4, 1, 20, tzinfo=UTC)
    clock.put_on(hours=7)
    assert await told(services) == []
    await services.seats.close(closed, MASTER, "")
    clock.put_on(hours=1)
    assert await told(services) == [{"user": ANNA, "games": [still]}]


async def test_a_seat_that_comes_free_is_told_once_and_again_only_after_a_week(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    for user, seats in ((ANNA, 2), (BERT, 2), (CARA, 2), (DAVE, 3), (MASTER, 2)):
        await services.interests.add_interest(GUILD, user, "pebbles", seats)
    game = await guessed(services)
    clock.put_on(seconds=SOON)
    assert await told(services) == [], "it began before anybody could be told"
    await services.settings.set_member(CARA, MemberRow(hours=Hours(zone="UTC", wake=20, sleep=11)))
    await services.seats.resign(game, ANNA)
    clock.put_on(hours=7)
    assert await told(services) == [], "Cara sleeps, Bert plays, and Anna and the game master know"
    clock.put_on(hours=1)
    assert await told(services) == [{"user": CARA, "games": [game]}]
    for days, heard in ((3, []), (5, [{"user": CARA, "games": [game]}])):
        clock.put_on(days=days)
        await services.free_seats.take_over(game, ONE, ANNA)
        await services.seats.resign(game, ANNA)
        clock.put_on(seconds=SOON)
        assert await told(services) == heard


async def test_nobody_is_told_of_a_seat_that_only_the_game_master_gives_until_that_changes(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    await services.interests.add_interest(GUILD, CARA, "", 0)
    game = await guessed(services)
    clock.put_on(seconds=SOON)
    await told(services)
    await services.lobby.set_invite_only(game, MASTER, only=True)
    await services.free_seats.set_newcomers(game, MASTER, "none")
    await services.seats.resign(game, ANNA)
    await services.free_seats.set_newcomers(game, MASTER, "asked")
    clock.put_on(seconds=SOON)
    assert await told(services) == [], "by invitation only"
    await services.lobby.set_invite_only(game, MASTER, only=False)
    clock.put_on(seconds=SOON)
    assert await told(services) == [{"user": CARA, "games": [game]}]
    taken = await opened(services)
    await services.lobby.set_invite_only(taken, MASTER, only=True)
    clock.put_on(seconds=SOON)
    assert await told(services) == []
    await services.lobby.set_invite_only(taken, MASTER, only=False)
    clock.put_on(seconds=SOON)
    assert await told(services) == [{"user": CARA, "games": [taken]}], "an open game is told once everybody can join it"


async def test_a_button_leads_from_the_message_to_the_free_seat(world: World) -> None:
    for who in (world.carol, world.max, world.alice):
        await world.services.interests.add_interest(world.guild.id, who.id, "pebbles", 2)
    await world.services.settings.set_member(world.max.id, MemberRow(direct=False))
    await world.guessed()
    await world.services.seats.resign(1, world.alice.id)
    await world.services.free_seats.set_newcomers(1, world.olga.id, "free")
    await world.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="Friday",
                                    guild=world.guild.id, channel=world.table.id, owner=world.olga.id)
    await later(world)
    letter = world.carol.user.dm_channel.history()[-1]
    assert letter.content.splitlines()[:-1] == [
        "You might like these games, which have room for you:",
        f"**Pebbles** · game 1 · {world.table.mention} · Pebbles for 2 players, under way · 1 free seat",
        f"**Friday** · game 2 · <#{world.table.id}> · Pebbles for 2 players"]
    assert labels(letter) == ["Take over a seat: Pebbles · game 1", "Join: Friday · game 2"]
    (call,) = [post for post in world.posts() if "a seat is free in a game that you might like" in post]
    assert call.startswith(world.max.mention)
    seat = await world.carol.user.click(letter, label="Take over a seat: Pebbles · game 1")
    assert words(seat).startswith("**Amber** in **Pebbles**, game 1"), "the only one is shown at once"
    assert labels(seat.response) == ["Take it over"], "and no way to others, which can't be listed here"
    assert words(await world.carol.user.click(seat.response, label="Take it over")).startswith("You play Amber")


async def test_wishes_are_few_and_of_games_that_there_are(store: Store) -> None:
    services = play_on(store)
    with pytest.raises(Refusal, match=r"That game isn't for that many players."):
        await services.interests.add_interest(GUILD, ANNA, "pebbles", 99)
    for seats in range(MOST):
        await services.interests.add_interest(GUILD, ANNA, "", seats)
    with pytest.raises(Refusal, match=r"You have 10 wishes on this server. Remove one first."):
        await services.interests.add_interest(GUILD, ANNA, "", MOST)
    await services.interests.drop_interest(GUILD, ANNA, "", 0)
    assert Interest("", 0) not in await services.interests.interests(GUILD, ANNA)
    with pytest.raises(Refusal, match=r"I never ping everybody"):
        await services.interests.set_call_role(GUILD, GUILD)


async def test_by_taps_a_member_wishes_for_a_game_is_told_directly_and_joins_from_there(world: World) -> None:
    panel = await world.alice.click((await world.alice.slash(world.elsewhere, "settings")).response, label="Games I'd like")
    panel = await world.alice.select(panel.response, ["pebbles"], custom_id="wishgame")
    panel = await world.alice.select(panel.response, ["2"], custom_id="wishseats:pebbles")
    assert "- Pebbles for 2 players" in words(panel)
    await world.services.interests.add_interest(world.guild.id, world.carol.id, "", 0)
    world.hide(world.table, world.carol)
    await world.opened(2, title="Friday")
    await later(world)
    (letter,) = world.alice.user.dm_channel.history()
    assert letter.content.splitlines()[:2] == ["Somebody has opened a game that you might like:",
                                               f"**Friday** · game 1 · {world.table.mention} · Pebbles for 2 players"]
    assert labels(letter) == ["Join: Friday · game 1"]
    assert world.carol.user.dm_channel is None or world.letters(world.carol) == [], "she doesn't see the channel"
    assert words(await world.alice.user.click(letter, label="Join: Friday · game 1")).startswith("You joined Friday.")
    panel = await world.alice.click((await world.alice.slash(world.elsewhere, "settings")).response, label="Games I'd like")
    panel = await world.alice.select(panel.response, ["pebbles 2"], custom_id="wishdrop")
    assert words(panel).startswith("Removed.\nChoose a game")


async def test_whoever_takes_no_direct_messages_is_called_in_the_channel_or_not_at_all(world: World) -> None:
    await world.services.settings.set_member(world.bob.id, MemberRow(direct=False))
    await world.services.settings.set_member(world.carol.id, MemberRow(direct=False, pings="none"))
    for who in (world.bob, world.carol):
        await world.services.interests.add_interest(world.guild.id, who.id, "pebbles", 0)
    await world.opened(2, title="Friday")
    await later(world)
    calls = [post for post in world.posts() if "a game that you might like is open" in post]
    assert len(calls) == 1 and calls[0].startswith(world.bob.mention)


async def test_a_role_is_called_once_for_each_game_and_everybody_never(world: World) -> None:
    role = world.guild.create_role("Players", mentionable=True)
    panel = (await world.server_page(world.max, "Role that is pinged")).response
    assert "Role that is pinged" not in labels((await world.server_page(world.olga)).response)
    chosen = (await world.max.select(panel, [role], custom_id="callrolepick")).response
    assert chosen.content == f"<@&{role.id}> is pinged once whenever somebody opens a game here."
    assert labels(chosen) == ["No role", "Back"]
    await world.opened(2, title="Friday")
    await world.alice.slash(world.table, "game join")
    await world.alice.slash(world.table, "game leave")
    calls = [post for post in world.table.history() if post.content.startswith(f"<@&{role.id}>")]
    assert [call.content for call in calls] == [f"<@&{role.id}>: Friday is open, Pebbles for 2 players."]
    (posted,) = [request.json for request in world.env.http_requests if request.method == "POST" and request.json
                 and str(request.json.get("content", "")).startswith("<@&")]
    assert [int(one) for one in posted["allowed_mentions"]["roles"]] == [role.id]
    assert "everyone" not in posted["allowed_mentions"].get("parse", [])
    assert labels(calls[0]) == ["Join"]
    world.forbid_everywhere("mention_everyone")
    mute = world.guild.create_role("Quiet", mentionable=False)
    panel = (await world.server_page(world.max, "Role that is pinged")).response
    said = words(await world.max.select(panel, [mute], custom_id="callrolepick"))
    assert "Discord doesn't let me ping it yet." in said
    assert f"I can't ping <@&{mute.id}> when somebody opens a game." in words(await world.olga.slash(world.table, "game check"))
