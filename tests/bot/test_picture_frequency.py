"""How much is posted: a turn is one message with its pictures; a game and its server choose how often there are pictures."""
from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio

from bot.domain.announcements import Posting
from bot.service import Services
from bot.store import Store
from engine.catalog import GAMES
from engine.components import components
from engine.dice import SecretDice
from engine.kernel import GameSpec
from engine.selfplay import new_table, play_on as play_at_random
from tests.bot.desk import ANNA, BERT, MASTER, branched, delivered, guessed, play_on
from tests.bot.discord_world import World, labels, words
from tests.bot.test_faults import TROUBLES, Trouble
from tests.bot.test_pictures import files
from tests.bot.test_settings import choose
from tests.bot.test_whole_game import sketch
from tests.toy import PAINTED, SECRET, Take

AMBER, BASALT = "### Amber · Turn 1\nAmber takes 2 pebbles.", "### Basalt · Turn 2\nBasalt takes 3 pebbles."
ROUNDS = PAINTED.changed(round=lambda state: str(state.turn // 2))


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "games.db", (PAINTED,), draw=sketch) as world:
        await world.guessed()
        await world.chat()
        yield world


def told(world: World) -> list[tuple[str, list[str]]]:
    """The messages after the first board that say what happened or have pictures, with their files."""
    news = [message for message in world.table.history() if message.attachments or (
        " takes " in message.content and "Press a button" not in message.content)]
    return [(message.content, files(message)) for message in news[1:]]


# --- one message for a turn ------------------------------------------------------------------------------------------

async def test_a_turn_is_one_message_with_its_pictures(club: World) -> None:
    await club.alice.slash(club.table, "pebbles take", pebbles=2)
    await club.bob.slash(club.table, "pebbles take", pebbles=3)
    both = ["closeup.png", "board.png"]
    assert told(club) == [(AMBER, both), (BASALT, both)]
    (newest,) = [message for message in club.table.history() if "Basalt takes" in message.content]
    assert labels(newest) == ["My board", "Close-up", "Recap", "Guess"]


async def test_what_is_struck_out_keeps_its_pictures_and_its_ways(club: World) -> None:
    await club.alice.slash(club.table, "pebbles take", pebbles=2)
    await club.olga.slash(club.table, "gm undo")
    (message,) = [message for message in club.table.history() if "Amber takes" in message.content]
    assert message.content == "### Amber · Turn 1\n~~Amber takes 2 pebbles.~~" and len(files(message)) == 2
    assert labels(message) == ["My board", "Close-up", "Recap", "Guess"]


async def test_pictures_stand_alone_where_somebody_has_written_or_nothing_can_be_looked_up(club: World) -> None:
    club.mute()
    await club.alice.slash(club.table, "pebbles take", pebbles=2)
    log, *pictures = [letter for letter in await club.services.outbox.pending(9) if letter.kind in ("log", "picture")]
    visit = await club.services.visits.onlooker(1)
    await club.services.outbox.note(log.game, [(log.id, await club.bot.outbox._deliver(visit, log))])
    await club.chat()
    await club.bot.outbox._deliver(visit, *pictures)
    assert told(club) == [(AMBER, []), ("", ["closeup.png", "board.png"])]


async def test_without_the_history_pictures_have_a_message_of_their_own(club: World) -> None:
    club.forbid(club.table, "read_message_history")
    await club.alice.slash(club.table, "pebbles take", pebbles=2)
    assert told(club) == [(AMBER, []), ("", ["closeup.png", "board.png"])]


@pytest.mark.parametrize("trouble", ["502", "time-out"])
async def test_pictures_whose_fate_is_unknown_are_there_once(club: World, trouble: str) -> None:
    failing = Trouble(club, TROUBLES[trouble], "PATCH", f"/channels/{club.table.id}/messages/.*", arrived=True)
    await club.alice.slash(club.table, "pebbles take", pebbles=2)
    await club.restart()
    assert failing.left == 0 and told(club) == [(AMBER, ["closeup.png", "board.png"])]
    await club.bob.slash(club.table, "pebbles take", pebbles=3)
    assert told(club)[1:] == [(BASALT, ["closeup.png", "board.png"])]


async def test_a_turn_with_more_pictures_than_a_message_takes_loses_none(tmp_path: Path) -> None:
    board, closeup, *others = PAINTED.views.pictures
    many = PAINTED.changed(pictures=(board, replace(closeup, news=lambda story: ("seat_1",) * 11), *others))
    async with World.at(tmp_path / "games.db", (many,), draw=sketch) as world:
        await world.guessed()
        await world.alice.slash(world.table, "pebbles take", pebbles=2)
        assert [len(posted) for _, posted in told(world)] == [0, 10, 2]


# --- how often ----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("posting, pictures", [("turns", [3, 4, 5, 6]), ("rounds", [4, 6]), ("request", [])])
async def test_pictures_come_by_turn_by_round_or_on_request(store: Store, posting: Posting, pictures: list[int]) -> None:
    services = play_on(store, spec=ROUNDS)
    game = await guessed(services)
    await services.settings.set_posting(game, MASTER, posting)
    before = len(await services.outbox.pending(9))
    for user in (ANNA, BERT, ANNA, BERT):
        await services.answers.answer(game, user, Take.of(1, "left"))
    letters = await delivered(services)
    assert before == 0 and sum(letter.kind == "log" for letter in letters) == 4, "what happens is told in any case"
    assert [letter.payload["row"] for letter in letters if letter.payload.get("picture") == "board"] == pictures


async def test_the_last_position_is_shown_in_any_case(store: Store) -> None:
    services = play_on(store, spec=PAINTED)
    game = await guessed(services)
    await services.settings.set_posting(game, MASTER, "request")
    for user in (ANNA, BERT, ANNA, BERT):
        await services.answers.answer(game, user, Take.of(3, "left"))
    assert [letter.kind for letter in await delivered(services)][-3:].count("picture") == 2


async def test_a_game_has_the_choice_of_its_server_and_passes_it_on(services: Services) -> None:
    game = await guessed(services)
    assert (await services.queries.game(game)).posting == "turns"
    await services.settings.set_server_posting(8, "rounds")
    later = await guessed(services)
    assert [(await services.queries.game(number)).posting for number in (game, later)] == ["turns", "rounds"]
    await services.answers.answer(later, ANNA, Take.of(1, "left"))
    branch = await branched(services, later, 3, channel=7)
    assert branch.posting == "rounds"


async def test_a_game_master_chooses_by_taps(club: World) -> None:
    async def page(who: Any) -> Any:
        panel = (await who.slash(club.table, "settings")).response
        return (await who.click(panel, label="This game")).response

    assert "Pictures after each turn." in (await page(club.alice)).content and "Pictures" not in labels(await page(club.alice))
    chooser = (await club.olga.click(await page(club.olga), label="Pictures")).response
    assert words(await choose(club.olga, chooser, "setposting", "request")) == "This game: Pictures only on request."
    before = len(told(club))
    await club.alice.slash(club.table, "pebbles take", pebbles=2)
    assert told(club)[before:] == [(AMBER, [])]
    assert (await club.services.queries.game(1)).posting == "request"


async def test_who_manages_the_server_chooses_for_new_games(club: World) -> None:
    panel = (await club.max.slash(club.elsewhere, "settings")).response
    panel = (await club.max.click(panel, label="This server")).response
    chooser = (await club.max.click(panel, label="Pictures of new games")).response
    said = words(await choose(club.max, chooser, "setposting", "rounds"))
    assert said == "New games on this server: Pictures after each round."
    assert (await club.services.settings.server(club.guild.id)).posting == "rounds"


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_a_round_is_longer_than_a_turn_in_every_title(spec: GameSpec) -> None:
    edition = next(edition.key for edition in spec.editions if edition.available)
    table = new_table(spec, min(4, spec.seats[-1]), edition, components(spec, edition).parts, SecretDice(SECRET))
    rounds, turns, events = [spec.rules.round(table.state)], 0, 0
    for _ in islice(play_at_random(table, Random(3).randrange), 260):
        turns += sum(isinstance(event, spec.rules.breaks) for entry in table.fresh[events:] for event in entry.events)
        events = len(table.fresh)
        if spec.rules.round(table.state) != rounds[-1]:
            rounds.append(spec.rules.round(table.state))
    assert len(set(rounds)) == len(rounds) > 3 and turns > 1.5 * len(rounds), "no round comes twice"
