"""Votes of players to replace one of them who is gone: when one can begin, what ends it, and what it takes to carry it."""
from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.domain.absence import USUAL, ReplacementRules
from bot.domain.deadlines import read
from bot.service import Services
from bot.store import Store
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, guessed, kinds, opened, started
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.often_said import NO_SEAT
from tests.toy import Guess, Take

ONE, TWO, THREE, FOUR = map(Seat, ("seat_1", "seat_2", "seat_3", "seat_4"))
DAVE = 104
ALL = (ANNA, BERT, CARA, DAVE)
WEEK = ReplacementRules(7, "half")


async def silent(services: Services, clock: Clock, members: tuple[int, ...] = ALL, days: float = 7) -> int:
    """A game in which the first member is to move, and has made no move for so many days."""
    game = await guessed(services, members)
    clock.put_on(days=days)
    return game


async def ended(services: Services, game: int, vote: int) -> str | None:
    poll = await services.gone_players.poll(game, vote)
    assert poll is not None
    return poll.vote.ended


async def test_enough_votes_free_the_seat_once_its_player_had_a_day_and_it_can_be_taken_over(
        services: Services, clock: Clock) -> None:
    game = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    assert kinds(await delivered(services)) == [("replacing", "public"), ("replaced", "public")]
    await services.gone_players.cast_ballot(game, vote, CARA, agrees=True)
    clock.put_on(hours=23)
    await services.timers.look("vote")
    assert await ended(services, game, vote) is None and [one.user for one in await services.queries.holders(game)] == [*ALL]
    clock.put_on(hours=1)
    assert [due.whom for due in await services.timers.due("vote")] == [vote]
    await services.timers.look("vote")
    assert await ended(services, game, vote) == "done"
    told = [letter.payload["text"] for letter in await delivered(services) if letter.kind in ("notice", "farewell")]
    assert told == ["The players have voted to replace <@101>: Amber is free now. Default moves are played until somebody takes "
                    "it over.", "The players have voted to replace you. While your seat is free, you can take it over again: "
                    "`/table seats`."]
    assert [one.seat for one in await services.free_seats.free_seats(game)] == [ONE]
    assert await services.queries.sight_of(game, ANNA) is None
    assert await services.free_seats.take_over(game, ONE, ANNA)         # who comes back in time is not kept out


async def test_a_vote_never_carries_without_its_number(services: Services, clock: Clock) -> None:
    game = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    clock.put_on(days=2)
    await services.timers.look("vote")
    with pytest.raises(Refusal, match="You've already voted for that"):
        await services.gone_players.cast_ballot(game, vote, BERT, agrees=True)
    assert await ended(services, game, vote) is None            # one of two
    await services.gone_players.cast_ballot(game, vote, CARA, agrees=True)
    assert await ended(services, game, vote) == "done"          # the day of hearing is over, so it counts at once
    second = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(second, ONE, BERT)).id
    await services.gone_players.cast_ballot(second, vote, CARA, agrees=True)
    await services.seats.resign(second, CARA)                   # whose vote counts no more
    clock.put_on(days=1)
    await services.timers.look("vote")
    assert await ended(services, second, vote) is None
    clock.put_on(days=2)
    await services.timers.look("vote")
    assert await ended(services, second, vote) == "late" and await services.timers.following("vote") is None
    assert next(one.user for one in await services.queries.holders(second)) == ANNA
    with pytest.raises(Refusal, match="This vote is over"):
        await services.gone_players.cast_ballot(second, vote, DAVE, agrees=True)


async def test_whoever_has_not_voted_is_called_once_more_after_a_day(services: Services, clock: Clock, store: Store) -> None:
    game = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    await delivered(services)
    for _ in range(3):
        clock.put_on(hours=12)
        await asyncio.gather(*(services.timers.look("vote") for _ in range(2)))         # each sees what is due before it is done
    assert [letter.payload for letter in await delivered(services) if letter.kind == "voters"] == [{"replacement": vote}]
    carried_out = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(carried_out, ONE, BERT)).id
    await services.gone_players.cast_ballot(carried_out, vote, CARA, agrees=True)
    clock.put_on(days=1)
    await services.timers.look("vote")
    assert "voters" not in [letter.kind for letter in await delivered(services)], "it is carried"


async def test_the_players_hear_of_whoever_keeps_them_waiting_with_their_game_master(services: Services, clock: Clock) -> None:
    game = await silent(services, clock, days=0)

    async def told() -> list[tuple[str, object]]:
        await services.timers.look("long_wait")
        return [(letter.kind, letter.payload["seats"]) for letter in await delivered(services) if letter.kind != "reminder"]

    clock.put_on(days=2.9)
    assert await told() == []
    clock.put_on(days=0.1)
    assert await told() == [("escalation", [ONE]), ("waiting", [ONE])]
    assert await told() == []
    clock.put_on(days=4)
    assert [kind for kind, _ in await told()] == ["escalation", "waiting"]
    await services.gone_players.begin_vote(game, ONE, BERT)     # whose message calls them
    await delivered(services)
    clock.put_on(days=3)
    assert [kind for kind, _ in await told()] == ["escalation"]


async def test_of_several_who_decide_at_once_nobody_hears_who_has_not(services: Services, clock: Clock) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    await services.answers.answer(game, ANNA, Guess.of(1))
    clock.put_on(days=3)
    await services.timers.look("long_wait")
    (waiting,) = [letter for letter in await delivered(services) if letter.kind == "waiting"]
    assert waiting.payload == {"seats": [ONE, TWO, THREE]}
    today = await services.clocks.today(BERT)
    await services.clocks.take_vacation(game, BERT, today, today + timedelta(days=9))
    clock.put_on(days=3)
    await services.timers.look("long_wait")                            # since Bert is away, it would be known that Cara has not
    assert [letter.kind for letter in await delivered(services) if letter.kind != "notice"] == ["escalation"]


async def test_what_the_player_does_ends_it_at_once(services: Services, clock: Clock) -> None:
    game = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    with pytest.raises(Refusal, match="This vote is about <@101>, not about you"):
        await services.gone_players.here(game, vote, CARA)
    await services.gone_players.here(game, vote, ANNA)
    assert await ended(services, game, vote) == "here"
    with pytest.raises(Refusal, match="hasn't kept you waiting long enough") as early:
        await services.gone_players.begin_vote(game, ONE, BERT)
    assert early.value.rule == "P-44"
    clock.put_on(days=7)                                        # silence counts anew from there
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    with pytest.raises(Refusal, match="This vote is about you"):
        await services.gone_players.cast_ballot(game, vote, ANNA, agrees=False)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert await ended(services, game, vote) == "moved"
    clock.put_on(days=7)
    vote = (await services.gone_players.begin_vote(game, TWO, ANNA)).id
    await services.seats.away(game, BERT)
    assert await ended(services, game, vote) == "here"
    clock.put_on(days=7)
    vote = (await services.gone_players.begin_vote(game, THREE, ANNA)).id
    await services.consent.hand_over(game, THREE, 105, MASTER)
    assert await ended(services, game, vote) == "over"


async def test_whoever_goes_on_vacation_is_there_and_cannot_be_replaced_meanwhile(services: Services, clock: Clock) -> None:
    game = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    today = await services.clocks.today(ANNA)
    await services.clocks.take_vacation(game, ANNA, today, today + timedelta(days=9))
    assert await ended(services, game, vote) == "here"
    clock.put_on(days=9)
    with pytest.raises(Refusal, match="hasn't kept you waiting long enough"):
        await services.gone_players.begin_vote(game, ONE, BERT)


async def test_those_against_it_and_the_end_of_the_game_end_it(services: Services, clock: Clock) -> None:
    game = await silent(services, clock)
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    await services.gone_players.cast_ballot(game, vote, CARA, agrees=False)
    poll = await services.gone_players.cast_ballot(game, vote, DAVE, agrees=False)
    assert poll.vote.ended == "kept" and poll.votes == {BERT: True, CARA: False, DAVE: False}
    clock.put_on(days=7)
    vote = (await services.gone_players.begin_vote(game, ONE, DAVE)).id
    await services.seats.close(game, MASTER, "")
    await services.timers.look("vote")
    assert await ended(services, game, vote) == "over" and await services.timers.following("vote") is None


async def test_nobody_can_vote_too_early_or_about_whoever_keeps_nobody_waiting(services: Services, clock: Clock) -> None:
    game = await silent(services, clock, days=6.9)
    for seat, user, why in ((ONE, BERT, "A vote can begin after 7 days"), (TWO, CARA, "A vote can begin after 7 days"),
                            (ONE, ANNA, "That's your own seat"), (ONE, 105, "You have no seat"),
                            (Seat("seat_9"), BERT, "no seat")):
        with pytest.raises(Refusal, match=why):
            await services.gone_players.begin_vote(game, seat, user)
    clock.put_on(days=1)
    await services.gone_players.begin_vote(game, ONE, BERT)
    with pytest.raises(Refusal, match="is already under way"):
        await services.gone_players.begin_vote(game, ONE, CARA)
    await services.gone_players.set_replacement_rules(game, ReplacementRules(0, "half"), MASTER)
    with pytest.raises(Refusal, match="In this game players can't vote"):
        await services.gone_players.begin_vote(game, ONE, CARA)


async def test_of_two_players_one_alone_needs_twice_the_time(services: Services, clock: Clock) -> None:
    game = await silent(services, clock, (ANNA, BERT))
    (one,) = await services.gone_players.silences(game, BERT)
    assert (one.user, one.silent, one.needed, one.voters) == (ANNA, timedelta(days=7), timedelta(days=14), 1)
    with pytest.raises(Refusal, match="A vote can begin after 14 days"):
        await services.gone_players.begin_vote(game, ONE, BERT)
    clock.put_on(days=7)
    vote = await services.gone_players.begin_vote(game, ONE, BERT)
    assert vote.needed == 1
    clock.put_on(days=1)
    await services.timers.look("vote")
    assert await ended(services, game, vote.id) == "done"


async def test_whoever_has_moved_under_seal_looks_as_silent_as_whoever_has_not(services: Services, clock: Clock) -> None:
    game = await started(services, ALL)
    await services.answers.answer(game, ANNA, Guess.of(4))
    clock.put_on(days=7)
    found = {one.user: one.silent for one in await services.gone_players.silences(game, CARA)}
    assert found == dict.fromkeys(ALL, timedelta(days=7))
    votes = {user: await services.gone_players.begin_vote(game, seat, CARA) for seat, user in ((ONE, ANNA), (TWO, BERT))}
    assert {vote.needed for vote in votes.values()} == {2}      # of three: nobody knows who else has not moved
    await services.answers.answer(game, BERT, Guess.of(4))
    assert [await ended(services, game, vote.id) for vote in votes.values()] == [None, None]
    for user in (CARA, DAVE):
        await services.answers.answer(game, user, Guess.of(4))
    assert [await ended(services, game, vote.id) for vote in votes.values()] == ["moved", "moved"]


async def test_with_a_clock_silence_is_counted_from_the_first_move_that_it_had_to_make(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.clocks.set_clock(game, MASTER, clock=read("24h"))
    clock.put_on(days=1)
    begun = clock()
    for _ in range(2):
        await delivered(services)
        (deadline,) = await services.clocks.deadlines(game)
        assert await services.clocks.time_up(game, ONE, deadline.asked_at)
        await services.answers.answer(game, BERT, Take.of(1, "left"))
        clock.put_on(days=1)
    (found,) = await services.gone_players.silences(game, BERT)
    assert (found.user, found.silent) == (ANNA, clock() - begun)


async def test_the_game_master_chooses_the_rules_and_earlier_games_have_none(services: Services, store: Store) -> None:
    game = await opened(services)
    assert (await services.queries.game(game)).replacement == USUAL == WEEK
    await services.lobby.join(game, ANNA)
    await services.gone_players.set_replacement_rules(game, ReplacementRules(3, "all"), MASTER)
    (news,) = [letter.payload["text"] for letter in await delivered(services) if letter.kind == "notice"]
    assert news == ("New rule from game master <@900>: If somebody makes no move for 6 days, the other player can replace "
                    "them.")


async def test_by_taps_the_players_replace_one_and_the_one_concerned_is_told(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    long_ago = f"{world.env.now() - timedelta(days=8):%Y-%m-%dT%H:%M:%S+00:00}"
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE deadlines SET since = ?", (long_ago,)))
    with world.env.time_context():
        await world.services.timers.look("long_wait")
    await world.env.settle()
    heard = world.question("this game has waited")
    assert heard.content.startswith(f"{world.alice.mention}, {world.bob.mention} and {world.carol.mention}: this game has waited "
                                    f"three days or more for some of Amber ({world.alice.mention}),")
    assert "no move yet" in heard.content and labels(heard) == ["Vote about Amber", "Vote about Basalt", "Vote about Chalk"]
    panel = await world.bob.slash(world.table, "table replace")
    assert words(panel).startswith("These players of Pebbles may be gone.") and labels(panel.response)[0] == "Vote about Amber"
    begun = await world.bob.click(panel.response, label="Vote about Amber")
    assert words(begun) == (f"You've started a vote about Amber, and voted for it. I've told {world.alice.mention}, who has a "
                            "day to answer.")
    post = world.question("**Vote**, asked for by")
    assert list(custom_ids(post)) == ["Agree", "Refuse", "I'm here"] and "1 of 2 votes are in." in post.content
    assert f"Still to vote: {world.carol.mention}." in post.content, "which calls them"
    assert any("voting on replacing you" in letter for letter in world.letters(world.alice))
    assert words(await world.max.click(post, label="Agree")) == f"{NO_SEAT}."
    assert words(await world.carol.click(post, label="I'm here")).startswith("This vote is about ")
    assert words(await world.carol.click(post, label="Agree")) == ""
    assert "2 of 2 votes are in." in world.question("**Vote**, asked for by").content
    here = await world.alice.click(world.question("**Vote**, asked for by"), label="I'm here")
    assert words(here).startswith("Good to see you.")
    assert world.question("is here and plays Amber.").id == post.id


async def test_whoever_has_not_voted_is_called_by_the_same_vote_posted_anew(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    long_ago = f"{world.env.now() - timedelta(days=8):%Y-%m-%dT%H:%M:%S+00:00}"
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE deadlines SET since = ?", (long_ago,)))
    panel = await world.bob.slash(world.table, "table replace")
    await world.bob.click(panel.response, label="Vote about Amber")
    first = world.question("**Vote**, asked for by")
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE replacements SET look_at = ?", (long_ago,)))
    with world.env.time_context():
        await world.services.timers.look("vote")
    await world.env.settle()
    second = world.question("**Vote**, asked for by")
    assert second.id > first.id and labels(second) == ["Agree", "Refuse", "I'm here"]
    assert sum("**Vote**" in told for told in world.posts()) == 1, "the earlier one is gone"
    await world.carol.click(second, label="Agree")
    assert world.question("who no longer plays Amber.").id == second.id
