"""/my hint: only in games that were opened with hints, told before anybody joins, for the asker alone."""
from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine.games.imperial_struggle import GAME as IMPERIAL_STRUGGLE
from engine.options import HINTS, OFF, ON
from engine.players.hints import Hint
from engine.players.tasks import Task, answered
from engine.refusals import Faulty, Refusal
from tests.bot.discord_world import World, labels, said, words
from tests.bot.test_automatic_players import thought


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "club.db", (IMPERIAL_STRUGGLE,)) as world:
        yield world


async def coached(world: World, hints: str = ON, level: str = "solid") -> None:
    """Alice plays alone against an automatic player."""
    await world.olga.slash(world.table, "game open", game="imperial_struggle", seats=2, options=f"{HINTS}={hints}")
    await world.services.lobby.join(1, world.alice.id, name="Alice")
    await world.services.lobby.fill(1, level, world.olga.id)
    await world.services.lobby.start(1, world.olga.id)
    await thought(world)


async def test_a_hint_is_a_private_reply_with_reasons_and_the_same_when_asked_again(club: World) -> None:
    await coached(club)
    panel = await club.alice.slash(club.table, "my move")
    assert "Hint" in labels(panel.response)
    before = club.posts()
    told = words(await club.alice.slash(club.table, "my hint"))
    assert told.startswith("Worth considering for") and "\n1. **" in told
    assert told.endswith("-# An estimate from what you can see. Only you see this.")
    asked = list[Task]()
    club.services.coaching.automatic.thinker = Recorder(asked)
    assert words(await club.alice.click(panel.response, label="Hint")) == told and not asked, "nobody thinks twice of the same"
    assert club.posts() == before, "nobody else learns that somebody has asked"
    with pytest.raises(Refusal, match="no seat"):
        await club.services.coaching.suggest(1, club.bob.id)

    async def which() -> Any:
        hint = await club.alice.slash(club.table, "my hint")
        return said(await club.alice.click(hint.response, label="Why not another move?"))

    named = {option["label"]: (row["components"][0]["custom_id"], option["value"]) for row in (await which()).components
             for option in row["components"][0].get("options", ())}
    table = await club.services.session.table(1)
    assert len(named) == len(table.options(table.state.seats[0])), "each legal move can be named"
    (verb, hint), other = told.split("**")[1].split(": ", 1), next(iter(named))
    menu, value = named[hint]
    assert "the hint itself" in words(await club.alice.select(await which(), [value], custom_id=menu)) and not asked
    menu, value = named[other]
    compared = words(await club.alice.select(await which(), [value], custom_id=menu)).split("\n")
    assert [line.split("**")[1] for line in compared[1:-1]] == [f"{verb}: {hint}", f"{verb}: {other}"], "what each brings"
    assert asked.pop().compared and club.posts() == before


async def test_without_the_option_nobody_gets_a_hint_and_what_is_on_is_told_and_stays(club: World) -> None:
    await club.olga.slash(club.table, "game open", game="imperial_struggle", seats=2, options=f"{HINTS}={ON}")
    assert "Everybody can ask for hints in private" in words(await club.carol.slash(club.table, "game status"))
    with pytest.raises(Faulty, match="can't be loud"):
        await club.services.lobby.set_options(1, club.olga.id, changes={HINTS: "loud"})
    await club.services.lobby.join(1, club.alice.id, name="Alice")
    with pytest.raises(Refusal, match="hints can't be switched on or off"):
        await club.services.lobby.set_options(1, club.olga.id, changes={HINTS: OFF})
    await club.services.lobby.leave(1, club.alice.id)
    await club.services.lobby.fill(1, "solid", club.olga.id)
    await club.services.lobby.set_options(1, club.olga.id, changes={HINTS: None})       # automatic players were told nothing
    await club.services.lobby.fill(1, "", club.olga.id)
    for person in (club.alice, club.bob):
        await club.services.lobby.join(1, person.id, name=person.name)
    await club.services.lobby.start(1, club.olga.id)
    assert words(await club.alice.slash(club.table, "my hint")).startswith("This game was opened without hints.")
    assert "Hint" not in labels((await club.alice.slash(club.table, "my move")).response)



async def test_hints_can_be_switched_on_beside_automatic_players_and_not_once_somebody_else_has_joined(club: World) -> None:
    await club.olga.slash(club.table, "game open", game="imperial_struggle", seats=2)
    await club.services.lobby.fill(1, "solid", club.olga.id)
    shown = await club.olga.click(club.table.history()[0], label="Options")
    assert "Turn hints on" in labels(shown.response)
    await club.olga.click(shown.response, label="Turn hints on")
    assert "Everybody can ask for hints in private" in words(await club.carol.slash(club.table, "game status"))
    await club.services.lobby.fill(1, "", club.olga.id)
    await club.services.lobby.join(1, club.alice.id, name="Alice")
    shown = await club.olga.click(club.table.history()[0], label="Options")
    assert "Turn hints off" not in labels(shown.response)


class Recorder:
    """Fails to look ahead, and says what it was asked."""

    def __init__(self, asked: list[Task]) -> None:
        self.asked = asked

    async def answer(self, task: Task) -> Any:
        return answered(task)

    async def hints(self, task: Task) -> tuple[Hint, ...]:
        self.asked.append(task)
        if task.start is not None:
            raise ValueError("my hand is secret")
        told = answered(task)
        assert isinstance(told, tuple)
        return told

    async def stop(self) -> None:
        pass


class Busy(Recorder):
    """Thinks for too long."""

    async def hints(self, task: Task) -> tuple[Hint, ...]:
        self.asked.append(task)
        raise TimeoutError


async def test_on_a_busy_machine_there_is_no_hint_and_no_incident(club: World) -> None:
    club.services.automatic.thinker = Busy([])
    await coached(club)
    told = words(await club.alice.slash(club.table, "my hint"))
    assert told == "I'm too busy to think about this right now. Try again in a moment."
    assert not (club.store.path.parent / "incidents").exists()


async def test_a_coach_that_fails_to_look_ahead_says_what_is_seen_at_first_sight(club: World) -> None:
    asked = list[Task]()
    club.services.automatic.thinker = Recorder(asked)
    await coached(club)
    table = await club.services.session.table(1)
    while len(table.asks) > 1:
        action = table.default(table.state.seats[0])
        await club.services.answers.answer(1, club.alice.id, action)
        await thought(club)
        table = await club.services.session.table(1)
    assert await club.services.coaching.suggest(1, club.alice.id)
    assert [task.start is None for task in asked] == [False, True] and asked[0].hints
    kept = [gzip.decompress(path.read_bytes()).decode() for path in (club.store.path.parent / "incidents").iterdir()]
    assert kept and "my hand is secret" not in "".join(kept)
