"""When all others have given up their seats, the one who is left can end the game, by a button, as its winner."""
from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.service import Services
from bot.store import Store
from engine.refusals import NotAsked, Refusal
from tests.alarmed import DAYLIGHT
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, guessed, kinds, play_on
from tests.bot.discord_world import World, labels, words
from tests.often_said import END_AS_WINNER, NO_SEAT
from tests.toy import PEBBLES


@pytest.fixture
def services(store: Store, clock: Clock) -> Services:
    return play_on(store, spec=DAYLIGHT, clock=clock)


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "games.db", (DAYLIGHT,)) as world:
        world.services.session.now = lambda: Clock().moment             # long before dusk
        yield world


# --- at the desk ----------------------------------------------------------------------------------------------------------

async def test_the_news_of_the_last_resignation_goes_to_who_is_left(services: Services) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.seats.resign(game, CARA)
    assert ("alone", "public") not in kinds(await delivered(services)), "two are there"
    assert not await services.alarms.left_alone(game, ANNA)
    await services.seats.resign(game, BERT)
    (letter,) = [letter for letter in await delivered(services) if letter.kind == "alone"]
    assert letter.payload == {"user": ANNA, "text": (
        "<@102> gives up Basalt. The seat is free now. Default moves are played until somebody "
        "takes it over. Only Amber is left and can end the game as its winner.")}
    assert await services.alarms.left_alone(game, ANNA) and not await services.alarms.left_alone(game, BERT)


async def test_the_game_ends_in_one_transaction_with_its_news(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    await delivered(services)
    done = await services.alarms.end_alone(game, ANNA)
    assert done.over and (await services.queries.game(game)).status == "over"
    rows = await store.read(lambda ledger: ledger.log.rows(game))
    assert [(row.seat, row.by, row.verb) for row in rows][-1] == ("world", "world", "deserted")
    assert [kind for kind, _ in kinds(await delivered(services)) if kind in ("log", "final")] == ["log", "final"]
    assert (await services.queries.audit(game, page=1))[0][-1].endswith("<@101> ended the game as the last player left.")
    assert "deserted" in await services.records.export(game)


async def test_it_stays_refused_while_others_are_there(services: Services) -> None:
    game = await guessed(services)
    for member in (ANNA, BERT):
        with pytest.raises(Refusal, match="You aren't the only player left"):
            await services.alarms.end_alone(game, member)
    with pytest.raises(Refusal, match="You have no seat"):
        await services.alarms.end_alone(game, CARA)
    await services.seats.resign(game, BERT)
    await services.consent.hand_over(game, (await services.queries.holders(game))[1].seat, CARA, MASTER)
    with pytest.raises(Refusal, match="You aren't the only player left"):
        await services.alarms.end_alone(game, ANNA)
    assert await services.queries.newest(game) == 2


async def test_who_is_away_or_stood_in_for_has_not_resigned(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT)
    assert not await services.alarms.left_alone(game, ANNA)
    await services.seats.back(game, BERT)
    await services.consent.stand_in(game, (await services.queries.holders(game))[1].seat, CARA, MASTER)
    assert not await services.alarms.left_alone(game, ANNA)


async def test_a_game_that_stands_still_is_not_ended(services: Services) -> None:
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    await services.seats.pause(game, MASTER)
    with pytest.raises(NotAsked, match="The game is paused"):
        await services.alarms.end_alone(game, ANNA)
    await services.seats.go_on(game, MASTER)
    assert (await services.alarms.end_alone(game, ANNA)).over


async def test_games_whose_rules_say_nothing_of_it_offer_it_to_nobody(store: Store, clock: Clock) -> None:
    services = play_on(store, spec=PEBBLES, clock=clock)
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    assert ("alone", "public") not in kinds(await delivered(services)) and not await services.alarms.left_alone(game, ANNA)
    with pytest.raises(Refusal):
        await services.alarms.end_alone(game, ANNA)


# --- on Discord ---------------------------------------------------------------------------------------------------------

async def resigned(world: World) -> Any:
    """Bob gives up his seat, which leaves Alice alone; the message that tells of it."""
    await world.guessed()
    panel = (await world.bob.slash(world.table, "game resign")).response
    assert labels(panel) == ["Resign", "Cancel"]
    await world.bob.click(panel, label="Resign")
    return world.question("is left and can end the game")


async def test_the_one_who_is_left_ends_the_game_by_two_taps(world: World) -> None:
    news = await resigned(world)
    assert labels(news) == [END_AS_WINNER] and f"<@{world.bob.user.id}> gives up Basalt" in news.content
    asked = (await world.alice.click(news, label=END_AS_WINNER)).response
    assert asked.ephemeral and asked.content.startswith("Everybody else has given up their seat in Pebbles. You can end it now")
    assert labels(asked) == ["End the game", "Play on"] and (await world.services.queries.game(1)).status == "running"
    assert words(await world.alice.click(asked, label="End the game")) == "You won Pebbles."
    assert (await world.services.queries.game(1)).status == "over"
    assert any("Record" in labels(post) for post in world.table.history())
    again = words(await world.alice.click(news, label=END_AS_WINNER))
    assert again == "The game is over and the secret of its dice is known, so nothing can change."


async def test_it_is_offered_in_the_own_menu_and_beside_the_own_resignation(world: World) -> None:
    await world.guessed()
    assert END_AS_WINNER not in labels((await world.alice.slash(world.table, "my move")).response)
    await world.bob.click((await world.bob.slash(world.table, "game resign")).response, label="Resign")
    assert END_AS_WINNER in labels((await world.alice.slash(world.table, "my move")).response)
    panel = (await world.alice.slash(world.table, "game resign")).response
    assert labels(panel) == [END_AS_WINNER, "Resign", "Cancel"]
    asked = (await world.alice.click(panel, label=END_AS_WINNER)).response
    await world.alice.click(asked, label="Play on")
    assert (await world.services.queries.game(1)).status == "running"


async def test_nobody_else_ends_it_and_a_substitute_stops_it(world: World) -> None:
    news = await resigned(world)
    for other in (world.bob, world.carol, world.olga):
        assert words(await other.click(news, label=END_AS_WINNER)) == f"{NO_SEAT}."
    asked = (await world.alice.click(news, label=END_AS_WINNER)).response
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    for pressed in (await world.alice.click(asked, label="End the game"), await world.alice.click(news, label=END_AS_WINNER)):
        assert words(pressed) == "You aren't the only player left, so the game goes on."
    assert (await world.services.queries.game(1)).status == "running"


async def test_the_buttons_outlive_a_restart(world: World) -> None:
    news = await resigned(world)
    await world.restart()
    world.services.session.now = lambda: Clock().moment
    asked = (await world.alice.click(news, label=END_AS_WINNER)).response
    assert words(await world.alice.click(asked, label="End the game")) == "You won Pebbles."
