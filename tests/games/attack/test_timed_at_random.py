"""Games that end by the clock are played at random, reached by mixtures and by fuzz, and written down as cases."""
from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.rules.ending import Time
from engine.kernel import WORLD, Row, Table
from engine.selfplay import beginning, new_table, play_on
from tests.checks import fuzz, rules_reached
from tests.checks.mixtures import FAR, a_mixture, for_seats

PARTS = components(GAME, "base").parts
TIMED = {"end_mode": "timed", "end_time": FAR}
DICE = SecretDice("5e" * 32)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_timed_game_comes_to_its_end_and_replays(seats: int) -> None:
    table = new_table(GAME, seats, "base", PARTS, DICE, options=TIMED, checkpoints=False)
    for _ in play_on(table, random.Random(seats).randrange):
        pass
    rows: list[Row] = [entry.row() for entry in table.fresh]
    assert table.over and len(rows) < 2_000, "by the clock, or by an elimination, and not because all are weary"
    assert [row.seat for row in rows if row.verb == Time.verb] == [WORLD] * 2
    again = Table(GAME, PARTS, beginning(GAME, seats, "base", PARTS, TIMED), rows, dice=DICE, strict=True)
    assert again.over and again.state.model_dump_json() == table.state.model_dump_json()


def test_mixtures_of_options_reach_every_end() -> None:
    modes: Counter[object] = Counter()
    for seed in range(30):
        pick = random.Random(seed)
        options = a_mixture(GAME, "base", pick, 0.5)
        modes[options.get("end_mode")] += 1
        assert (options.get("end_mode") == "timed") == (options.get("end_time") == FAR)
        assert for_seats(GAME, "base", options, 3) == options
    assert min(modes[mode] for mode in ("timed", "round_limit", "last_standing")) >= 1


def test_random_players_of_the_fuzz_ring_and_a_case_says_so() -> None:
    pick, case = random.Random(4), fuzz.Case(GAME.key, 2, (), TIMED, "00" * 32, "base")
    game = fuzz._Played(GAME, case, often=50)
    fuzz.Players(GAME, fuzz.Policy(), Counter(), pick, rules_reached.Watch(GAME)).play(game)
    game.finished()
    assert {"world time time=late", "world time time=up"} <= {*game.answers}
    again = fuzz.play_out(fuzz.Case(GAME.key, 2, tuple(game.answers), TIMED, "00" * 32, "base"))
    assert again.state.model_dump_json() == game.table.state.model_dump_json()
