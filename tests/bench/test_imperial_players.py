"""What is watched of strong players of Imperial Struggle, and the figures that come of it."""
from __future__ import annotations

from bench.imperial_players import Watched, figures
from bench.players import share_of
from engine import players
from engine.catalog import find
from engine.components import components
from engine.dice import SecretDice
from engine.games.imperial_struggle.events.turns import RoundEnded
from engine.kernel import Seat
from engine.selfplay import new_table

SPEC = find("imperial_struggle")


def test_a_game_is_watched_and_figures_come_of_it() -> None:
    table = new_table(SPEC, 2, "published", components(SPEC, "published").parts, SecretDice("4d" * 32))
    watched = Watched(frozenset(map(Seat, table.state.seats)))
    while not table.over:
        seat, before = table.waiting()[0].seat, len(table.fresh)
        position = players.position(table, seat)
        assert position is not None
        answer = players.choose(SPEC, "solid", position, "7a")
        watched.answering(table, seat, answer)
        table.answer(seat, answer)
        watched.answered(table, before)
    assert watched.rounds >= 8 and watched.laid <= watched.could and len(watched.laid) >= 4
    told = sum(event.lapsed for entry in table.fresh for event in entry.events if isinstance(event, RoundEnded))
    assert watched.lapsed >= told > watched.wasted and watched.winner == table.state.winner
    found = figures([watched, Watched(frozenset())], share_of)
    assert found["points_lapsed_per_round"] == round(watched.lapsed / watched.rounds, 3)
    assert found["britain_share"] == float(watched.winner == "britain") and found["ministries_used"] == len(watched.laid)
    assert found["debt_at_limit_before_t4"] == len(watched.at_limit) / 2


def test_without_strong_players_there_are_no_figures() -> None:
    assert figures([Watched(frozenset())], share_of) == {}
