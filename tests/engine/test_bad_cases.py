"""What automatic players meet that nobody wishes for: values at the edge, words of another version, no time."""
from __future__ import annotations

import asyncio
import json
import re
from random import Random
from typing import Any, cast

import pytest

from bot.service import player_processes
from engine import players, proxies
from engine.catalog import find
from engine.components import components
from engine.dice import SecretDice
from engine.kernel import Table
from engine.players.hints import hints
from engine.players.tasks import Task
from engine.refusals import Faulty
from engine.selfplay import beginning

EXTREME: tuple[tuple[str, dict[str, Any]], ...] = (
    ("struggle_of_empires", {"areas": [{"id": "north_america", "vp": [1000, 0]}]}),
    ("struggle_of_empires", {"country_counters": [{"id": "north_america_01", "gold": 1000}]}),
    ("attack", {"units": [{"id": "tank", "cost_pp": 1000}, {"id": "infantry", "cost_pp": 1}]}),
    ("imperial_struggle", {"award_tiles": [{"id": "award_1", "vp": 1000}]}))


@pytest.mark.parametrize(("game", "values"), EXTREME)
def test_values_at_the_edge_of_a_data_pack_leave_players_and_coach_with_legal_answers(game: str, values: dict[str, Any]) -> None:
    spec = find(game)
    edition = spec.editions[0].key
    parts = components(spec, edition, json.dumps({"game": game, "edition": edition, **values})).parts
    table = Table(spec, parts, beginning(spec, 2, edition, parts), dice=SecretDice("ab" * 32, by_decision=True))
    for number in range(24):
        seat = table.waiting()[0].seat
        position = players.position(table, seat)
        assert position is not None
        if number % 8 == 7:
            table.examine(seat, hints(spec, position)[0].action)
            table.examine(seat, players.answer(spec, "strong", position, Random(number)))
        table.answer(seat, players.answer(spec, "solid", position, Random(number)))


def test_a_pack_with_too_few_tiles_to_take_is_refused_in_a_sentence() -> None:
    """A game with it would stand still at the first tile that is not there."""
    spec = find("imperial_struggle")
    edition = spec.editions[0].key
    with pytest.raises(Faulty, match="as many tiles must be revealed as both sides take"):
        components(spec, edition, json.dumps({"game": spec.key, "edition": edition, "tiles_per_turn": {"revealed": 7}}))


def test_a_strength_that_nobody_knows_is_no_word_of_a_record() -> None:
    assert re.match(proxies.WRITTEN, "auto_superb") is None and proxies.read("auto_superb") is None
    assert re.match(proxies.WRITTEN, "auto_strong") is not None


class Stuck:
    """A process that never answers."""

    returncode: int | None = None
    stdin = stdout = property(lambda self: self)

    def write(self, message: bytes) -> None:
        pass

    def kill(self) -> None:
        self.returncode = -9

    async def wait(self) -> int:
        return -9


async def test_a_process_that_does_not_answer_in_time_is_ended_and_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then `AutomaticPlayers` asks the solid player, and gives the default if that fails too."""
    stuck, begun = Stuck(), list[Stuck]()

    async def silence(process: object) -> None:
        await asyncio.Event().wait()

    async def begin() -> Stuck:
        begun.append(stuck)
        return stuck

    monkeypatch.setattr(player_processes, "_message", silence)
    monkeypatch.setattr(player_processes, "LONGEST", 0.01)
    thinkers = player_processes.PlayerProcesses()
    question = Task(game="attack", pack="", raw={}, level="solid", known="{}", question=cast(Any, None), options=(),
                    default=cast(Any, None), secret="")
    monkeypatch.setattr(thinkers, "_begun", begin)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            await thinkers.answer(question)
    assert stuck.returncode == -9 and len(begun) == 2, "each question has a process of its own"
