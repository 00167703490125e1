"""Who may join an open game, and the same game once more."""
from __future__ import annotations

import asyncio

import pytest

from bot.domain.absence import ReplacementRules
from bot.service import Services
from bot.store import Store
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, GUILD, MASTER, Clock, delivered, guessed, kinds, opened, play_on
from tests.bot.discord_world import World, labels, words
from tests.toy import Guess, Take


async def over(services: Services) -> int:
    """A game of Anna and Bert that is over."""
    game = await guessed(services)
    for turn in range(12):
        await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(1, "left"))
    await delivered(services)
    return game


async def test_whoever_is_removed_can_join_again_only_when_invited_and_the_others_move_up(store: Store) -> None:
    services = play_on(store)
    game = await opened(services, seats=3)
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    await delivered(services)
    await services.lobby.remove(game, ANNA, MASTER)
    assert [(holder.seat, holder.user) for holder in await services.queries.holders(game)] == [("seat_1", BERT)]
    assert [letter.payload for letter in await delivered(services)] == [
        {"text": "Game master <@900> removes <@101> from the game."},
        {"user": ANNA, "text": "The game master removed you from this game."}], "where her secrets would have been"
    with pytest.raises(Refusal, match=r"The game master removed you from this game and can invite you again."):
        await services.lobby.join(game, ANNA)
    await services.lobby.invite(game, ANNA, MASTER)
    await services.lobby.invite(game, ANNA, MASTER)             # calls nobody twice
    (call,) = await delivered(services)
    assert (call.kind, call.payload) == ("invited", {"host": MASTER, "user": ANNA})
    assert await services.lobby.join(game, ANNA) == "seat_2"
    with pytest.raises(Refusal, match=r"<@101> has already joined."):
        await services.lobby.invite(game, ANNA, MASTER)
    with pytest.raises(Refusal, match=r"<@103> hasn't joined this game."):
        await services.lobby.remove(game, CARA, MASTER)


async def test_a_rematch_goes_by_what_was_chosen_for_the_game_before(store: Store) -> None:
    services = play_on(store)
    game = await opened(services)
    await services.gone_players.set_no_show(game, "drop", MASTER)
    await services.gone_players.set_replacement_rules(game, ReplacementRules(3, "all"), MASTER)
    await services.free_seats.set_newcomers(game, MASTER, "none")
    await services.settings.set_posting(game, MASTER, "rounds")
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    await services.lobby.set_invite_only(game, MASTER, only=True)
    await services.lobby.start(game, MASTER)
    for user in (ANNA, BERT):
        await services.answers.answer(game, user, Guess.of(1))
    for turn in range(12):
        await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(1, "left"))
    again = (await services.lobby.rematch(game, BERT))[0]
    assert (again.no_show, again.replacement) == ("drop", ReplacementRules(3, "all"))
    assert (again.newcomers, again.posting) == ("none", "rounds")
    with pytest.raises(Refusal, match=r"by invitation only"):
        await services.lobby.join(again.id, CARA)
    await services.lobby.join(again.id, ANNA)                   # whoever has played before is invited


async def test_a_game_by_invitation_takes_its_host_and_those_who_are_invited(store: Store) -> None:
    services = play_on(store)
    game = await opened(services, seats=3)
    await services.lobby.set_invite_only(game, MASTER, only=True)
    with pytest.raises(Refusal, match=r"by invitation only\."):
        await services.lobby.join(game, ANNA)
    await services.lobby.invite(game, ANNA, MASTER)
    for user in (ANNA, MASTER):
        await services.lobby.join(game, user)
    await services.lobby.set_invite_only(game, MASTER, only=False)
    await services.lobby.join(game, BERT)
    await services.lobby.start(game, MASTER)
    with pytest.raises(Refusal, match=r"The game has already started"):
        await services.lobby.remove(game, ANNA, MASTER)


async def test_a_rematch_has_the_same_options_and_calls_the_same_people_once(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game = await over(services)
    (one, new), (same, again) = await asyncio.gather(
        services.lobby.rematch(game, ANNA, name="Anna"), services.lobby.rematch(game, BERT))
    assert (new, again, one.id) == (True, False, same.id)
    old = await services.queries.game(game)
    assert (one.key, one.edition, one.options, one.channel, one.seats, one.pack_hash, one.owner, one.status) == (
        old.key, old.edition, old.options, old.channel, old.seats, old.pack_hash, ANNA, "open")
    assert [(holder.user, holder.name) for holder in await services.queries.holders(one.id)] == [(ANNA, "Anna")]
    assert kinds(await delivered(services)) == [("rematch", "public")]
    with pytest.raises(Refusal, match=r"Only those who played in this game can ask for a rematch."):
        await services.lobby.rematch(game, CARA)
    with pytest.raises(Refusal, match=r"already running|hasn't started"):
        await services.lobby.rematch(one.id, ANNA)
    await services.seats.close(one.id, ANNA, "-")
    assert (await services.lobby.rematch(game, BERT))[1]


async def test_others_hear_of_a_rematch_when_its_players_have_had_a_day(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    for user in (ANNA, BERT, CARA):
        await services.interests.add_interest(GUILD, user, "pebbles", 2)
    game = await over(services)
    clock.put_on(hours=1)
    await services.timers.look("opening")                    # the game itself was full before anybody heard of it
    await delivered(services)
    again, _ = await services.lobby.rematch(game, ANNA)
    heard = list[tuple[int, object]]()
    for hour in range(2, 49, 2):
        clock.put_on(hours=2)
        await services.timers.look("opening")
        heard += [(hour, letter.payload) for letter in await delivered(services) if letter.kind == "opened"]
    assert heard == [(24, {"user": CARA, "games": [again.id]})], "Bert has been called already"


async def test_by_taps_a_host_invites_and_removes_and_the_players_play_again(world: World) -> None:
    await world.opened(2)
    for player in (world.alice, world.carol):
        await player.slash(world.table, "game join")
    status = next(post for post in world.table.history() if post.content.startswith("**Pebbles** · game 1"))
    read = await world.alice.click(status, label="Who can join and see")
    assert "\n- Everybody who sees the game can join.\n" in words(read) and labels(read.response) == ["Back"]
    panel = await world.olga.click(status, label="Who can join and see")
    assert words(panel).startswith(f"Players of Pebbles: {world.alice.mention} and {world.carol.mention}.")
    panel = await world.olga.select(panel.response, [str(world.carol.id)], custom_id="guestremove:1")
    panel = await world.olga.click(panel.response, label="By invitation only")
    assert "Only invited members can join." in words(panel)
    assert "invitation only" in words(await world.bob.click(status, label="Join"))
    await world.services.lobby.invite(1, world.bob.id, world.olga.id)
    await world.env.settle()
    call = world.question(f"{world.bob.mention}, {world.olga.mention} invites you to Pebbles.")
    assert words(await world.bob.click(call, label="Join")).startswith("You joined Pebbles.")
    await world.olga.slash(world.table, "game start")
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    for turn in range(12):
        await world.services.answers.answer(1, (world.alice, world.bob)[turn % 2].id, Take.of(1, "left"))
    await world.env.settle()
    final = next(post for post in world.table.history() if "Record" in labels(post))
    assert labels(final) == ["Board", "Record", "Rematch"], "pebbles have no chronicle"
    assert "Only those who played" in words(await world.carol.click(final, label="Rematch"))
    assert words(await world.alice.click(final, label="Rematch")).startswith("The rematch is game 2 in ")
    assert words(await world.bob.click(final, label="Rematch")).startswith("The rematch is game 2 in")
    call = world.question(f"{world.alice.mention} wants a rematch of Pebbles (2): {world.bob.mention}, join in.")
    await world.bob.click(call, label="Join")
    assert [holder.user for holder in await world.services.queries.holders(2)] == [world.alice.id, world.bob.id]
