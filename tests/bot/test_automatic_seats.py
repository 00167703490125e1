"""Seats that automatic players get and give back: singly before the start, for players who are away, and in direct messages."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.domain.deadlines import Clock
from bot.service.inactivity import give_default
from engine.games.attack import GAME as ATTACK
from engine.kernel import Seat
from engine.options import ALONE, PACES
from engine.refusals import Refusal, Stale
from tests.bot.discord_world import World, labels, leaves, options, words
from tests.bot.test_automatic_players import rows, thought

BLUE = Seat("seat_2")
SEAT, PUT, FOLLOW = "seatsof", "seatput", "seatfollow"          # the menus of the panel: which seat, who plays it, who follows


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "club.db", (ATTACK,)) as world:
        yield world


async def choose(person: Any, message: Any, menu: str, value: str) -> Any:
    """Somebody chooses in one of the menus of a message."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    ids = [item["custom_id"] for row in rows for item in row["components"]]
    return await person.select(message, [value], custom_id=next(id for id in ids if id.startswith(f"{menu}:")))


async def running(world: World, level: str = "") -> None:
    """Alice plays Red, Bob Blue; an automatic player of this strength follows whoever is away."""
    await world.olga.slash(world.table, "game open", game="attack", seats=2)
    for person in (world.alice, world.bob):
        await world.services.lobby.join(1, person.id, name=person.name)
    await world.services.automatic_seats.follow(1, level, world.olga.id)
    await world.services.lobby.start(1, world.olga.id)
    await thought(world)


async def levels(world: World) -> list[tuple[int | None, str, bool]]:
    return [(holder.user, holder.level, holder.away) for holder in await world.services.queries.holders(1)]


async def by(world: World, seat: str) -> list[str]:
    """Who has answered for a seat, row by row."""
    return [row.proxy or row.by for row in await rows(world) if row.seat == seat]


async def test_single_seats_are_filled_and_emptied_by_taps_before_the_start(club: World) -> None:
    await club.olga.slash(club.table, "game open", game="attack", seats=3)
    await club.alice.slash(club.table, "game join")
    panel = await club.olga.slash(club.table, "gm seats")
    assert words(panel) == f"The seats of Attack!:\n1. {club.alice.mention}\n2. empty\n3. empty"
    chosen = await choose(club.olga, panel.response, SEAT, "seat_3")
    filled = await choose(club.olga, chosen.response, PUT, "strong")
    assert words(filled) == f"Changed.\nThe seats of Attack!:\n1. {club.alice.mention}\n2. automatic player (strong)\n3. empty"
    assert "Add automatic players" in labels((
        await club.olga.slash(club.table, "game status")).response)
    await club.bob.slash(club.table, "game join")
    assert await levels(club) == [(club.alice.id, "", False), (club.bob.id, "", False), (None, "strong", False)]
    lobby = club.services.lobby
    await lobby.put_automatic(1, Seat("seat_3"), "solid", club.olga.id)
    for seat, level, why in (("seat_1", "solid", "has joined and sits there"), ("seat_3", "solid", "already plays seat 3"),
                             ("seat_4", "solid", "has no seat"), ("seat_3", "superb", "of strength superb")):
        with pytest.raises(Refusal, match=why):
            await lobby.put_automatic(1, Seat(seat), level, club.olga.id)
    await lobby.put_automatic(1, Seat("seat_3"), "", club.olga.id)
    assert [level for _, level, _ in await levels(club)] == ["", ""]


async def test_who_is_away_is_followed_by_an_automatic_player_if_the_game_was_opened_so(club: World) -> None:
    await club.olga.slash(club.table, "game open", game="attack", seats=2)
    panel = await club.olga.slash(club.table, "gm seats")
    changed = await choose(club.olga, panel.response, FOLLOW, "solid")
    assert "An automatic player (solid) plays for whoever resigns or is away." in words(changed)
    status = (await club.carol.slash(club.table, "game status")).response
    assert words(await club.carol.click(status, label="Who can join and see")).endswith(
        "- An automatic player (solid) plays for whoever resigns or is away."), "told before anybody joins"
    for person in (club.alice, club.bob):
        await club.services.lobby.join(1, person.id, name=person.name)
    await club.services.lobby.start(1, club.olga.id)
    gone = await leaves(club.bob, club.table)
    assert "Where you have none, an automatic player plays." in words(gone)
    await thought(club)
    table = await club.services.session.table(1)
    assert [question.seat for question in table.waiting()] == ["seat_1"] and BLUE not in table.absent
    assert "auto_solid" in await by(club, BLUE) and "clock" not in await by(club, BLUE)
    assert any("Meanwhile an automatic player (solid) plays Blue." in post for post in club.posts())
    shown = words(await club.carol.slash(club.table, "game status"))
    assert f"Blue: {club.bob.mention} (away; automatic player, solid)" in shown
    assert f"Blue ({club.bob.mention})" not in shown, "nobody waits for a player who is away"
    own = await club.bob.slash(club.table, "my move")
    assert "You're away: an automatic player (solid) plays for you." in words(own)
    back = await club.bob.click(own.response, label="I'm back")
    assert words(back).startswith("Welcome back. You play Blue again.")
    assert await levels(club) == [(club.alice.id, "", False), (club.bob.id, "", False)]


async def test_an_automatic_player_stands_in_until_a_move_of_its_player(club: World) -> None:
    """No seat changes hands for good, so nobody's consent is needed; a seat is taken for good only after a confirmation."""
    await running(club)
    panel = await club.olga.slash(club.table, "gm seats")
    chosen = await choose(club.olga, panel.response, SEAT, BLUE)
    (menu, *_) = [row if isinstance(row, dict) else row.to_dict() for row in chosen.response.components]
    assert [option["value"] for option in menu["components"][0]["options"] if option.get("default")] == [BLUE]
    assert [*options(chosen.response)][2:8] == [
        *(f"Automatic ({level}) until bob is back" for level in ("for beginners", "solid", "strong")),
        *(f"Automatic ({level}) from now on" for level in ("for beginners", "solid", "strong"))]
    covered = await choose(club.olga, chosen.response, PUT, "forsolid")
    assert f"Blue: {club.bob.mention} (away; automatic player, solid)" in words(covered)
    await thought(club)
    assert any(f"until {club.bob.mention} is back. A move of {club.bob.mention}'s, or `/my back`, ends that." in post
               for post in club.posts())
    with pytest.raises(Refusal, match="already plays"):
        await club.services.automatic_seats.cover(1, BLUE, "solid", club.olga.id)
    with pytest.raises(Refusal, match="stands in for"):
        await club.services.automatic_seats.automate(1, BLUE, "", club.olga.id)
    await club.services.automatic_seats.cover(1, BLUE, "", club.olga.id)
    assert await levels(club) == [(club.alice.id, "", False), (club.bob.id, "", True)]
    await club.services.seats.back(1, club.bob.id)
    chosen = await choose(club.olga, covered.response, SEAT, BLUE)
    sure = await choose(club.olga, chosen.response, PUT, "strong")
    assert words(sure) == f"Take Blue from {club.bob.mention} for good and give it to an automatic player (strong)?"
    with pytest.raises(Stale, match="Somebody else has that seat"):
        await club.services.automatic_seats.automate(1, BLUE, "strong", club.olga.id, held=club.carol.id)
    taken = await club.olga.click(sure.response, label="Take the seat")
    assert "Blue: automatic player (strong)" in words(taken)
    with pytest.raises(Refusal, match="nobody can stand in"):
        await club.services.automatic_seats.cover(1, BLUE, "solid", club.olga.id)
    again = await choose(club.olga, (await club.olga.slash(club.table, "gm seats")).response, SEAT, BLUE)
    await choose(club.olga, again.response, PUT, "caretaker")
    assert (await club.services.queries.holders(1))[1].caretaker
    again = await choose(club.olga, again.response, SEAT, BLUE)
    await choose(club.olga, again.response, PUT, "nobody")
    assert (await club.services.queries.holders(1))[1].absent


async def test_who_runs_out_of_time_turn_after_turn_is_followed_too(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await running(club, "beginners")
    session = club.services.session
    await club.services.clocks.set_clock(1, club.olga.id, clock=Clock(hours=24))
    monkeypatch.setattr("bot.service.inactivity.lapses", lambda *_: True)
    async with session.locked(1):
        live = await session.loaded(1)
        seat = live.table.waiting()[0].seat
        late = next(one for one in await club.store.read(lambda ledger: ledger.clocks.deadlines(1)) if one.seat == seat)
        await give_default(session, live, late)
    await thought(club)
    assert [(level, away) for _, level, away in await levels(club) if level] == [("beginners", True)]
    assert any("Meanwhile an automatic player (for beginners) plays" in post for post in club.posts())


async def test_a_stand_in_who_leaves_hands_an_absent_player_s_seat_to_the_automatic_one(club: World) -> None:
    await running(club, "solid")
    await club.services.seats.away(1, club.bob.id)
    await club.services.consent.stand_in(1, BLUE, club.carol.id, club.olga.id, name="Carol")
    assert (await levels(club))[1] == (club.carol.id, "", True)
    await club.services.seats.resign(1, club.carol.id)
    assert (await levels(club))[1] == (club.bob.id, "solid", True)


async def test_one_person_plays_in_direct_messages(club: World) -> None:
    alice = club.alice.user
    opened = await alice.slash("game open", game="attack", seats=2, automatic="solid")
    assert words(opened).startswith("Game 1, Attack!, is open in direct messages. You're its host")
    await alice.click(opened.response, label="Join")
    await alice.slash("game start")
    await thought(club)
    question = next(message for message in reversed(alice.dm_channel.history()) if "Claim territory 1 of 4" in message.content)
    own = await alice.click(question, label="Your move")
    place = await alice.click(own.response, label=labels(own.response)[0])
    assert "· direct messages" in words(await alice.slash("game status"))
    assert place.acknowledged


async def test_automatic_players_alone_play_on_at_a_pace_and_stop_when_nobody_watches(club: World, monkeypatch: pytest.MonkeyPatch
                                                                                      ) -> None:
    monkeypatch.setitem(PACES, "minute", 1)
    monkeypatch.setattr("bot.service.automatic_players.CALM", 14)
    rests = list[int]()
    rest = club.services.automatic.rest

    async def noted(game: int) -> int:
        rests.append(await rest(game))
        return 0

    monkeypatch.setattr(club.services.automatic, "rest", noted)
    await club.olga.slash(club.table, "game open", game="attack", seats=2, automatic="solid", options=f"{ALONE}=minute")
    await club.services.lobby.start(1, club.olga.id)
    await thought(club)
    assert "auto_solid" in await by(club, "seat_1") and "auto_solid" in await by(club, BLUE)
    assert {0, 1} == {*rests}, "a rest after each turn, and none within it"
    assert (await club.services.queries.game(1)).status == "paused"
    assert any("I've paused the game" in post for post in club.posts())
    before = len(await rows(club))
    await club.services.seats.go_on(1, club.olga.id)
    await thought(club)
    assert len(await rows(club)) > before, "somebody wants to see more"


async def test_a_rest_of_automatic_players_ends_when_anything_happens(club: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes a seat over does not wait for them."""
    runner, answers = club.bot.automatic, iter([True, False])

    resting = asyncio.Event()

    async def rest(game: int) -> int:
        asyncio.get_running_loop().call_soon(resting.set)
        return 3600

    async def answer(game: int) -> bool:
        return next(answers)

    monkeypatch.setattr(club.services.automatic, "rest", rest)
    monkeypatch.setattr(club.services.automatic, "think_and_answer", answer)
    runner.poke(1)
    await resting.wait()
    runner.poke(1)
    await asyncio.wait_for(runner.settled(), 5)
    assert next(answers, None) is None
