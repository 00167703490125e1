"""More time: extensions, vacations, and votes on a move that is late."""
from __future__ import annotations

from datetime import date

import pytest

from bot.domain.deadlines import Clock
from bot.domain.waking_hours import Hours
from bot.service import Services
from bot.store import MemberRow
from engine.refusals import NotAsked, Refusal
from tests.bot.clocks.timed import DAY, HOUR, NOON, ONE, THREE, TWO, due, notices, of_kind, taking, timed, utc
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock as Watch, delivered, opened
from tests.often_said import NO_SEAT
from tests.toy import Take

# --- more time -----------------------------------------------------------------------------------------------------

async def test_an_extension_gives_half_the_time_again(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=20)
    assert await services.clocks.extend(game, ANNA) == 12 * HOUR
    assert await due(services, game) == NOON + 36 * HOUR
    assert notices(await delivered(services)) == ["<@101> takes 12 hours more for this move."]
    assert await services.clocks.extend(game, ANNA) == 12 * HOUR
    assert await due(services, game) == NOON + 48 * HOUR
    with pytest.raises(Refusal, match=r"This move already has twice its time"):
        await services.clocks.extend(game, ANNA)


async def test_extensions_are_limited_by_game_and_need_a_question(services: Services, watch: Watch) -> None:
    game = await taking(services, extensions=1)
    with pytest.raises(NotAsked, match=r"You have nothing to do right now, so there is nothing to extend."):
        await services.clocks.extend(game, BERT)
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.clocks.extend(game, CARA)
    await services.clocks.extend(game, ANNA)
    with pytest.raises(Refusal, match=r"You've used all 1 extension that this game allows"):
        await services.clocks.extend(game, ANNA)
    await services.clocks.set_clock(game, MASTER, clock=Clock())
    with pytest.raises(Refusal, match=r"This game has no clock"):
        await services.clocks.extend(game, ANNA)


async def test_an_extension_of_a_question_that_is_taken_back_is_not_spent(services: Services) -> None:
    game = await taking(services, extensions=1)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.clocks.extend(game, BERT)
    await services.undo.undo(game, MASTER)                           # Bert is not asked any more
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await services.clocks.extend(game, BERT)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)                           # he is asked the same once more
    with pytest.raises(Refusal, match=r"You've used all 1 extension"):
        await services.clocks.extend(game, BERT)


async def test_an_extension_comes_and_goes_with_its_question(services: Services) -> None:
    game = await taking(services, extensions=2)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.clocks.extend(game, BERT)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)
    await services.clocks.extend(game, BERT)                           # at the same question, which a return has put again
    with pytest.raises(Refusal, match=r"You've used all 2 extensions"):
        await services.clocks.extend(game, BERT)
    await services.undo.rollback(game, 2, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    for _ in range(2):
        await services.clocks.extend(game, BERT)
    await services.undo.rollback(game, 3, MASTER)                    # to where both first ones were
    with pytest.raises(Refusal, match=r"You've used all 2 extensions"):
        await services.clocks.extend(game, BERT)


async def test_an_extension_of_a_sealed_answer_is_nobodys_business(services: Services) -> None:
    game = await timed(services)
    await services.clocks.extend(game, ANNA)
    assert [letter.kind for letter in await services.outbox.pending()] == ["status"]


async def test_extended_time_is_not_taken_from_a_bank(services: Services, watch: Watch) -> None:
    game = await taking(services, "bank 10h")
    await services.clocks.extend(game, ANNA)
    watch.put_on(hours=8)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.clocks.banks(game))[ONE] == 7 * HOUR


async def test_a_game_master_gives_more_time(services: Services, watch: Watch) -> None:
    game = await taking(services)
    await services.clocks.extend_for(game, ONE, 48, MASTER)
    assert await due(services, game) == NOON + 72 * HOUR
    assert notices(await delivered(services)) == ["Game master <@900> gives Amber 48 hours more for this move."]
    for seat, hours, why in ((ONE, 0, "can give 1 to 336 hours"), (ONE, 337, "can give 1 to 336 hours"),
                             (TWO, 5, "Seat 2 has nothing to do"), (THREE, 5, "This game has no seat seat 3")):
        with pytest.raises(Refusal, match=why):
            await services.clocks.extend_for(game, seat, hours, MASTER)
    assert await due(services, game) == NOON + 72 * HOUR


# --- vacations -----------------------------------------------------------------------------------------------------

async def test_the_clock_stands_still_on_vacation(services: Services, watch: Watch) -> None:
    game = await taking(services)
    (starts, ends), left = await services.clocks.take_vacation(game, ANNA, date(2026, 4, 2), date(2026, 4, 4))
    assert (starts, ends, left) == (utc(4, 2, 0), utc(4, 5, 0), 18)
    assert await due(services, game) == utc(4, 5, 12)
    assert notices(await delivered(services)) == [
        f"<@101> is on vacation from <t:{int(starts.timestamp())}:D> to <t:{int(ends.timestamp()) - 1}:D>. The clock "
        "stops for that time."]


async def test_a_vacation_begins_at_midnight_where_its_member_lives(services: Services) -> None:
    game = await taking(services)
    await services.settings.set_member(ANNA,
                                       MemberRow(hours=Hours(zone="Pacific/Auckland")))    # it is 1:00 of the next day there
    assert await services.clocks.today(ANNA) == date(2026, 4, 2)
    (starts, ends), _ = await services.clocks.take_vacation(game, ANNA, date(2026, 4, 3), date(2026, 4, 3))
    assert (starts, ends) == (utc(4, 2, 11), utc(4, 3, 11))


async def test_a_vacation_that_ends_early_costs_the_days_that_it_had(services: Services, watch: Watch) -> None:
    game = await taking(services)
    await services.clocks.take_vacation(game, ANNA, date(2026, 4, 1), date(2026, 4, 20))
    watch.put_on(days=2)
    await services.clocks.end_vacation(game, ANNA)
    assert await due(services, game) == watch.moment + DAY
    _, left = await services.clocks.take_vacation(game, ANNA, date(2026, 4, 10), date(2026, 4, 10))
    assert left == 21 - 2 - 1
    await services.clocks.end_vacation(game, ANNA)                                 # called off: it has never been
    assert [vacation.ends for vacation in await services.clocks.vacations(game, ANNA)] == [watch.moment]
    with pytest.raises(Refusal, match=r"You have no vacation to end in this game."):
        await services.clocks.end_vacation(game, ANNA)


@pytest.mark.parametrize("first, last, why", [
    ((2026, 3, 31), (2026, 4, 5), "That day is past. A vacation starts today, 2026-04-01, or later."),
    ((2026, 4, 5), (2026, 4, 4), "A vacation can't end before it starts."),
    ((2026, 4, 5), (2026, 5, 5), "That is 31 days, and you have 21 left of the 21 days this game allows."),
    ((2026, 4, 5), (2028, 4, 4), "That is more than a year ahead.")])
async def test_a_vacation_that_cannot_be(services: Services, first: tuple[int, int, int], last: tuple[int, int, int],
                                         why: str) -> None:
    game = await taking(services)
    before = await services.clocks.deadlines(game)
    with pytest.raises(Refusal) as refused:
        await services.clocks.take_vacation(game, ANNA, date(*first), date(*last))
    assert str(refused.value) == why
    assert await services.clocks.deadlines(game) == before and await services.clocks.vacations(game, ANNA) == []


async def test_vacations_of_one_member_do_not_overlap(services: Services) -> None:
    game = await taking(services)
    await services.clocks.take_vacation(game, ANNA, date(2026, 4, 5), date(2026, 4, 8))
    with pytest.raises(Refusal, match=r"You're already on vacation then."):
        await services.clocks.take_vacation(game, ANNA, date(2026, 4, 8), date(2026, 4, 9))
    await services.clocks.take_vacation(game, BERT, date(2026, 4, 8), date(2026, 4, 9))


# --- votes ---------------------------------------------------------------------------------------------------------

async def test_a_majority_pauses_the_game_and_lets_it_go_on(services: Services, watch: Watch) -> None:
    game = await timed(services, members=(ANNA, BERT, CARA))
    watch.put_on(hours=4)
    vote = await services.clocks.vote(game, ANNA, "pause")
    assert (vote.agreed, vote.needed, vote.carried) == ([ANNA], 2, False)
    with pytest.raises(Refusal, match=r"You've already voted for that. 1 of 2 votes are in."):
        await services.clocks.vote(game, ANNA, "pause")
    (poll,) = of_kind(await delivered(services), "vote")
    assert poll.payload == {
        "text": "**Vote**, asked for by <@101>: pause the game?\nAgreed: <@101>.\nStill to vote: <@102> and <@103>.\n"
                "-# 2 of 3 must agree within a day.", "choice": "pause", "waiting": [BERT, CARA], "ended": False}
    assert (await services.clocks.vote(game, CARA, "pause")).carried
    assert (await services.queries.game(game)).status == "paused" and await due(services, game) is None
    letters = await delivered(services)
    assert notices(letters) == ["The players have voted to pause the game."]
    assert [letter.payload["ended"] for letter in of_kind(letters, "vote")] == [True]
    watch.put_on(days=9)
    await services.clocks.vote(game, BERT, "resume")
    assert (await services.queries.game(game)).status == "paused"
    await services.clocks.vote(game, ANNA, "resume")
    assert (await services.queries.game(game)).status == "running" and await due(services, game) == watch.moment + 20 * HOUR
    letters = await delivered(services)
    assert notices(letters) == ["The players have voted to go on."]
    assert [letter.audience for letter in of_kind(letters, "question")] == [ONE, TWO, THREE]


async def test_votes_count_for_a_day(services: Services, watch: Watch) -> None:
    game = await timed(services, members=(ANNA, BERT, CARA))
    await services.clocks.vote(game, ANNA, "pause")
    watch.put_on(hours=25)
    await services.timers.look("pause_vote")
    assert "Not enough votes in time." in of_kind(await delivered(services), "vote")[-1].payload["text"]
    assert not (await services.clocks.vote(game, BERT, "pause")).carried
    assert (await services.clocks.vote(game, ANNA, "pause")).carried


async def test_whoever_votes_against_it_can_think_again_until_the_day_is_over(services: Services) -> None:
    game = await timed(services, members=(ANNA, BERT))
    with pytest.raises(Refusal, match=r"There's no vote under way."):
        await services.clocks.vote(game, BERT, "pause", agrees=False)
    await services.clocks.vote(game, ANNA, "pause")
    await delivered(services)
    assert (await services.clocks.vote(game, BERT, "pause", agrees=False)).hopeless
    (told,) = of_kind(await delivered(services), "vote")
    assert told.payload["ended"] and told.payload["text"].endswith("Refused: <@102>.\nNot enough players want it.")
    with pytest.raises(Refusal, match=r"You've already voted against that."):
        await services.clocks.vote(game, BERT, "pause", agrees=False)
    assert (await services.clocks.vote(game, BERT, "pause")).carried


async def test_who_cannot_vote_for_what(services: Services) -> None:
    game = await timed(services)
    with pytest.raises(Refusal, match=r"The game isn't paused."):
        await services.clocks.vote(game, ANNA, "resume")
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.clocks.vote(game, CARA, "pause")
    await services.seats.pause(game, MASTER)
    with pytest.raises(Refusal, match=r"The game is already paused."):
        await services.clocks.vote(game, ANNA, "pause")
    with pytest.raises(Refusal, match=r"This game wasn't paused by a vote. Its game master can resume it."):
        await services.clocks.vote(game, ANNA, "resume")
    lobby = await opened(services)
    await services.lobby.join(lobby, ANNA)
    with pytest.raises(Refusal, match=r"The game hasn't started yet."):
        await services.clocks.vote(lobby, ANNA, "pause")


async def test_a_pause_of_the_game_masters_is_not_ended_by_an_old_vote(services: Services) -> None:
    game = await timed(services)
    for member in (ANNA, BERT):
        await services.clocks.vote(game, member, "pause")
    await services.seats.go_on(game, MASTER)
    await services.seats.pause(game, MASTER)
    with pytest.raises(Refusal, match=r"This game wasn't paused by a vote"):
        await services.clocks.vote(game, ANNA, "resume")
