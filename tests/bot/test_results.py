"""How games have ended: noted when they end, worked out anew from their records, and for nobody who stays out."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.discord import scheduler
from bot.domain.results import GameResult, SeatResult, meetings, members, rated, tally
from bot.service import Services
from bot.service.ratings import ratings
from bot.store import Store
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, GUILD, MASTER, Clock, delivered, guessed, play_on
from tests.bot.discord_world import World, labels, words
from tests.toy import Guess, Take

ALL = "SELECT * FROM results ORDER BY game", "SELECT * FROM result_seats ORDER BY game, seat"


async def finished(services: Services, users: Sequence[int] = (ANNA, BERT), *, game: int | None = None) -> int:
    """A game that these members have played to its end; whoever began wins by taking most."""
    game = await guessed(services, users) if game is None else game
    await _played(services, game, users)
    await delivered(services)
    return game


async def _played(services: Services, game: int, users: Sequence[int]) -> None:
    """Take pebbles until there are none."""
    while (await services.queries.game(game)).status == "running":
        question, *_ = await services.queries.waiting(game)
        heap = (await services.session.table(game)).state.heap
        most = min(3, heap) if question.user == users[0] else 1
        await services.answers.answer(game, question.user or 0, Take.of(most, "left"))


async def noted(store: Store) -> list[list[Any]]:
    """The tables of results as they are."""
    return [await store.read(lambda ledger, sql=sql: ledger.conn.execute(sql).fetchall()) for sql in ALL]


async def of(services: Services) -> list[GameResult]:
    return await services.results.results(GUILD)


async def test_when_a_game_ends_its_result_is_noted_with_it(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game = await guessed(services)
    assert await of(services) == []
    clock.put_on(hours=2)
    await finished(services, game=game)
    (result,) = await of(services)
    table = await services.session.table(game)
    assert [(seat.seat, seat.place, seat.points) for seat in sorted(result.seats, key=lambda seat: seat.place)] == \
        table.spec.rules.standings(table.state)
    assert {(seat.seat, seat.user, seat.own) for seat in result.seats} == {("seat_1", ANNA, True), ("seat_2", BERT, True)}
    assert (result.game, result.key, result.at) == (game, "pebbles", clock.moment.isoformat(timespec="seconds"))
    assert await services.results.results(GUILD + 1) == [], "another server knows nothing of it"


async def test_a_game_never_ends_without_its_result(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are one transaction: what spoils the one spoils the other."""
    services = play_on(store)
    game = await guessed(services)
    monkeypatch.setattr("bot.store.results.Results.note_result", lambda *_: 1 / 0)
    with pytest.raises(Refusal, match=r"Something went wrong inside the bot\. Nothing has changed\."):
        await finished(services, game=game)
    assert (await services.queries.game(game)).status == "running" and await noted(store) == [[], []]


async def test_everything_is_computed_anew_from_the_records_and_is_the_same(store: Store) -> None:
    services = play_on(store)
    for users in ((ANNA, BERT), (BERT, ANNA), (ANNA, BERT, CARA)):
        await finished(services, users)
    await services.results.unlist(CARA)
    left = await guessed(services)
    await services.seats.resign(left, BERT)
    await finished(services, game=left)
    forgotten = await finished(services, (ANNA, MASTER))
    await services.personal_data.forget_member(MASTER)
    before = await noted(store)
    assert len(before[0]) == 5 and (forgotten, "seat_2", 1, None) in {row[:4] for row in before[1]}
    await store.write(lambda ledger: ledger.conn.execute("DELETE FROM results"))
    assert await of(services) == []
    assert await play_on(store).results.work_out_missing() == 5
    assert await noted(store) == before
    assert await services.results.work_out_missing() == 0, "nothing is done twice"


@pytest.mark.parametrize("taken", [False, True])
async def test_a_seat_that_was_given_up_counts_for_nobody_whoever_takes_it_over(store: Store, taken: bool) -> None:
    services, seat = play_on(store), Seat("seat_2")
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    if taken:
        await services.free_seats.take_over(game, seat, CARA)
    await finished(services, game=game)
    (ended,) = await of(services)
    assert {(one.seat, one.own, one.user) for one in ended.seats} == {("seat_1", True, ANNA), (seat, False, None)}
    assert not ended.counts and not ended.complete


async def test_whoever_has_missed_a_first_move_has_had_the_seat(store: Store) -> None:
    """A default move was played for it while it was free: who takes it over then has not made all its moves."""
    services, seat = play_on(store), Seat("seat_2")
    game = await _begun(services)
    await services.seats.resign(game, BERT)
    await services.free_seats.take_over(game, seat, CARA)
    await services.answers.answer(game, ANNA, Guess.of(1))
    await finished(services, game=game)
    (ended,) = await of(services)
    assert [one.own for one in ended.seats if one.seat == seat] == [False]


async def test_moves_of_others_take_a_seat_out_of_the_tables_but_for_those_of_a_game_master(store: Store) -> None:
    services = play_on(store)
    game = await finished(services)

    def answer_for(ledger: Any, proxy: str) -> None:
        with ledger.personal_data._unguarded_log():
            ledger.conn.execute("UPDATE log SET proxy = ? WHERE no = 2", (proxy,))

    own = {}
    for proxy in ("gm:900", "clock", "standin:5", "caretaker:sealed", "auto_solid"):
        await store.write(lambda ledger, proxy=proxy: answer_for(ledger, proxy))
        await services.results.work_out(game)
        (ended,) = await of(services)
        own[proxy] = all(one.own for one in ended.seats)
    assert own == {"gm:900": True, "clock": True, "standin:5": False, "caretaker:sealed": False, "auto_solid": False}


async def _begun(services: Services) -> int:
    """A game in which nobody has answered anything."""
    game = (await services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="", guild=GUILD,
                                      channel=7, owner=MASTER)).id
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    await services.lobby.start(game, MASTER)
    return game


async def test_a_branch_and_an_imported_record_count_for_nobody(store: Store) -> None:
    services = play_on(store)
    game = await finished(services)
    text = await services.records.export(game)
    await services.records.take_in(text, by=ANNA, guild=GUILD, channel=9)
    branch = await services.branching.branch(game, 3, MASTER, channel=9)
    await finished(services, game=branch.id)
    assert await services.results.work_out_missing() == 1
    counted = {result.game: result.counts for result in await of(services)}
    assert counted == {game: True, game + 1: False, branch.id: False}


async def test_whoever_stays_out_leaves_no_trace_and_can_come_back(store: Store) -> None:
    services = play_on(store)
    await finished(services)
    before = await noted(store)
    await services.results.unlist(ANNA)
    await finished(services, (ANNA, BERT, CARA))
    results = await of(services)
    assert {seat.user for result in results for seat in result.seats} == {None, BERT, CARA}
    assert ANNA not in members(results) and meetings(results, ANNA) == [] and not tally(results, lambda *_: "", user=ANNA)
    assert [[seat.user for seat in seats] for seats in rated(results)] == [[BERT, CARA]], "the others are rated with each other"
    await services.results.list_again(ANNA)
    assert (await noted(store))[1][:2] == before[1] and members(await of(services))[ANNA].games == 2


async def test_a_game_that_is_not_over_any_more_has_no_result(store: Store) -> None:
    services = play_on(store)
    game = await finished(services)
    await store.write(lambda ledger: ledger.conn.execute("UPDATE games SET status = 'running' WHERE id = ?", (game,)))
    assert await noted(store) == [[], []]


async def test_a_game_whose_record_no_longer_replays_counts_for_nobody_and_is_not_tried_again(store: Store) -> None:
    services = play_on(store)
    game = await finished(services)

    def spoil(ledger: Any) -> None:
        ledger.conn.execute("DELETE FROM results")
        ledger.conn.execute("DELETE FROM checkpoints WHERE no > 0")
        with ledger.personal_data._unguarded_log():
            ledger.conn.execute("UPDATE log SET events = '[{\"is\":\"Gone\"}]' WHERE game = ? AND no = 3", (game,))

    await store.write(spoil)
    again = play_on(store)
    assert await again.results.work_out_missing() == 1 and await again.results.work_out_missing() == 0
    assert [result.counts for result in await of(again)] == [False]


async def test_tables_count_wins_against_the_fair_share_and_who_came_out_ahead_of_whom(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    for users in ((ANNA, BERT), (ANNA, BERT), (BERT, ANNA, CARA)):
        await finished(services, users)
    results = await of(services)
    by = members(results)
    assert {user: (one.games, one.wins, round(one.fair, 2)) for user, one in by.items()} == {
        ANNA: (3, 2.0, 1.33), BERT: (3, 1.0, 1.33), CARA: (1, 0.0, 0.33)}
    met = meetings(results, ANNA)[0]
    assert (met.user, met.games, met.ahead, met.behind) == (BERT, 3, 2, 1)
    best = ratings(rated(results))
    assert best[0].user == ANNA and best[0].games == 3
    assert best[0].points < best[0].likely


def result(*seats: tuple[int | None, int, bool]) -> GameResult:
    """A game with these seats: member, place, whether it was that member's own."""
    return GameResult(game=1, key="", edition="", pack="", at="", seats=tuple([
        SeatResult(seat=Seat(f"seat_{n}"), side="", place=place, points=0, own=own, user=user, pace=n)
        for n, (user, place, own) in enumerate(seats, 1)]))


def test_a_shared_victory_is_shared_and_a_game_with_a_lone_person_counts_for_nobody() -> None:
    shared = members([result((1, 1, True), (2, 1, True), (3, 3, True), (4, 4, True))])
    assert (shared[1].wins, shared[1].fair, shared[3].wins) == (0.5, 0.25, 0.0)
    assert members([result((1, 1, True), (None, 2, False))]) == {}
    some = result((1, 1, True), (2, 2, True), (None, 3, False))
    assert members([some])[2].games == 1 and rated([some]) == [], "but only complete games are rated"


def test_ratings_follow_from_places_alone_and_equal_places_are_equal() -> None:
    game = result((1, 1, True), (2, 2, True), (3, 2, True), (4, 4, True)).seats
    one, two, three, four = ratings([game])
    assert [one.user, four.user] == [1, 4] and two.points == three.points
    assert ratings([game, game])[0].points > one.points and ratings([]) == []


# --- what members read ------------------------------------------------------------------------------------------------

def decided(game: int, *order: int) -> GameResult:
    """A game in which these members came in this order, each in the seat of that number."""
    ended = result(*[(user, place, True) for place, user in enumerate(order, 1)])
    seats = tuple([replace(seat, side=seat.seat, pace=3600 * place) for place, seat in enumerate(ended.seats, 1)])
    return replace(ended, game=game, key="pebbles", edition="plain", seats=seats)


async def test_ranking_and_tables_are_private_paged_and_of_this_server_alone(world: World, monkeypatch: pytest.MonkeyPatch
                                                                              ) -> None:
    asked = list[int]()
    people = [world.alice.id, world.bob.id, *range(10_001, 10_010)]
    played = [decided(number, first, second) for number, (first, second) in enumerate(pairwise(people), 1)]

    async def results(guild: int) -> list[GameResult]:
        asked.append(guild)
        return played

    async def side_names(found: Any) -> dict[int, Mapping[str, str]]:
        return {one.game: {"seat_1": "Amber"} for one in found}

    monkeypatch.setattr(world.services.results, "results", results)
    async def names(guild: int, users: Sequence[int]) -> dict[int, str]:
        return {world.alice.id: "Γιώργος K", world.bob.id: "Ben 🎲"}         # as stored before usernames took their place

    async def sheet(kind: str, scene: Any, *told: Any, **more: Any) -> Any:
        drawn.append([(row.place, row.name) for row in scene.rows])
        return await shown(kind, scene, *told, **more)

    drawn, shown = list[list[tuple[int, str]]](), world.bot.gallery.sheet
    monkeypatch.setattr(world.services.results, "side_names", side_names)
    monkeypatch.setattr(world.services.results, "names", names)
    monkeypatch.setattr(world.bot.gallery, "sheet", sheet)
    panel = await world.alice.slash(world.elsewhere, "table ranking")
    assert [name for place, name in drawn[0]] == [
        "Ben 🎲" if name == "Ben 🎲" else f"Member {place}" for place, name in drawn[0]] and len(set(drawn[0])) == 10
    for place, name in drawn[0]:
        assert f"\n{place}. {name}: " in panel.response.attachments[0].description, "the same in the picture's words"
    assert panel.ephemeral and [file.filename for file in panel.response.attachments] == ["ranking.png"]
    assert panel.response.attachments[0].description.startswith("**Ranking**, all games, page 1 of 2\n1. ")
    panel = await world.alice.click(panel.response, label="In words")
    first, second, *_ = words(panel).splitlines()
    assert first == "**Ranking**, all games, page 1 of 2" and second.startswith("`1` **") and "equal share would be 0.5" in second
    panel = await world.alice.click(panel.response, label="Next")
    assert words(panel).splitlines()[1].startswith("`11` ")
    panel = await world.alice.click(panel.response, label="Tables")
    assert "- Pebbles · 10 games, 11 players, half of the moves within 2 hours" in words(panel)
    panel = await world.alice.click(panel.response, label="By side")
    assert "- Pebbles, Amber · 10 of 10 won (an equal share would be 5)" in words(panel)
    panel = await world.bob.slash(world.elsewhere, "table results", member=world.bob)
    panel = await world.bob.click(panel.response, label="Against whom")
    assert f"- <@{world.alice.id}> · 1 game, 0 ahead, 1 behind" in words(panel)
    assert set(asked) == {world.guild.id}


async def test_by_a_tap_a_member_is_out_of_all_tables_and_by_another_in_them_again(world: World, monkeypatch: pytest.MonkeyPatch
                                                                                    ) -> None:
    await world.guessed()
    await _played(world.services, 1, (world.alice.id, world.bob.id))
    await world.env.settle()
    assert words(await world.carol.slash(world.table, "table ranking")).startswith("**Ranking**")
    await world.store.write(lambda ledger: ledger.conn.execute("DELETE FROM results"))       # as in an earlier file
    monkeypatch.setattr(scheduler, "AT_ONCE", 1)
    await world.bot.scheduler._chores()
    assert world.bot.scheduler.chores.seconds == scheduler.SOON, "there may be more"
    panel = await world.alice.slash(world.elsewhere, "table results", member=world.alice)
    assert words(panel).splitlines()[0] == f"**Results** of {world.alice.mention}" and "equal share would be 0.5" in words(panel)
    panel = await world.alice.click(panel.response, label="Leave me out")
    assert words(panel).startswith("You're left out of every table and ranking, here and elsewhere.")
    seen = await world.bob.slash(world.elsewhere, "table results", member=world.alice)
    never = await world.bob.slash(world.elsewhere, "table results", member=world.carol)
    assert words(seen).replace(world.alice.mention, world.carol.mention) == words(never), "as of somebody who has never played"
    panel = await world.alice.click(panel.response, label="Show me again")
    assert "equal share would be 0.5" in words(panel)
    seen = await world.bob.slash(world.elsewhere, "table results", member=world.alice)
    assert {"Leave me out", "Show me again"}.isdisjoint(labels(seen.response)), "nobody decides that for others"
