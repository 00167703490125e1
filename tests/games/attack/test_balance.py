"""The balance report of Attack!: its player is legal and knows no secret, its sums agree with the games, a moved value moves."""
from __future__ import annotations

from functools import cache
from random import Random

import pytest

from bench import attack_study
from bench.balance import Setting, judged, packs, played, study_of
from bench.mixtures import a_mixture, for_seats
from bench.policy import solid
from engine.components import components
from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.rules.combat import AttackFailed, TerritoryCaptured
from engine.kernel import Seat, Table
from engine.selfplay import new_table, weary

PARTS = components(GAME, "message").parts
sensible = solid(GAME)


@cache
def ended(seats: int = 3) -> Table:
    return played(Setting(GAME.key, "message", seats), 1, 0)


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_answer_is_legal_and_the_game_ends(seats: int) -> None:
    table = ended(seats)                # a table takes no illegal answer
    verbs = {entry.answer.verb for entry in table.fresh}
    assert table.over and verbs >= {"claim", "move", "buy", "diplomacy", "deploy", "capital"}


def test_it_deals_with_any_mixture_of_options() -> None:
    for number in range(3):
        pick, edition = Random(number), ("message", "base")[number % 2]
        options = for_seats(GAME, edition, a_mixture(GAME, edition, pick, 0.5), 2 + number)
        table = new_table(GAME, 2 + number, edition, PARTS, SecretDice("7a" * 32), options=options, checkpoints=False)
        while not table.over:
            question = table.waiting()[0]
            agreed = weary(table)
            table.answer(*(agreed or (question.seat, sensible(table.state, question, table.options(question.seat), pick))))


def test_what_it_may_not_know_changes_no_answer() -> None:
    """The hands of others are not for it to read [ATK-20.4]."""
    pick, compared = Random(3), 0
    table = new_table(GAME, 3, "message", PARTS, SecretDice("5e" * 32), checkpoints=False)
    while compared < 100:
        question = table.waiting()[0]
        options, before = table.options(question.seat), pick.getstate()
        answer = sensible(table.state, question, options, pick)
        other = table.state.model_copy(deep=True)
        other.parts = PARTS
        for seat in other.seats:
            if seat != question.seat:
                GAME.views.disguise(other, Seat(seat))
        if len(options) > 1 and other.hands != table.state.hands and not any(option.secret for option in options):
            pick.setstate(before)
            assert sensible(other, question, options, pick) == answer
            compared += 1
        table.answer(question.seat, answer)


def test_the_figures_agree_with_the_game() -> None:
    table = ended()
    found = attack_study.figures(table)
    facts = [event for entry in table.fresh for event in entry.events]
    won, lost = (sum(isinstance(fact, kind) for fact in facts) for kind in (TerritoryCaptured, AttackFailed))
    tried = {name.removeprefix("attacks on: "): number * 3 for name, number in found.items() if name.startswith("attacks on")}
    assert sum(tried.values()) == pytest.approx(won + lost) and won > 10
    assert sum(number * found[f"won against: {foe}"] for foe, number in tried.items()) == pytest.approx(won)
    assert sum(found[f"wins at: seat {n}"] for n in (1, 2, 3)) == 1 == sum(found[f"wins in place: place {n}"] for n in (1, 2, 3))
    owned = sum(found[f"territories at: seat {n}"] for n in (1, 2, 3))
    assert owned + found["game: territories still neutral"] == len(PARTS.territories) and found["game: rounds"] <= 8


def test_a_moved_value_moves_what_it_says() -> None:
    moved = packs(study_of(GAME.key), GAME, "message", "", True)
    assert len(moved) == 4
    heavy = components(GAME, "message", moved["every card weighs one more"]).parts
    assert [card.weight for card in heavy.cards] == [card.weight + 1 for card in PARTS.cards]
    weak = components(GAME, "message", moved["neutral territories have one infantry less"]).parts
    assert all(card.neutral_defenders.units for card in weak.cards)
    setting = Setting(GAME.key, "message", 2, moved["every card weighs one more"])
    plain = Setting(GAME.key, "message", 2)
    assert judged(setting, 1, 0)["production: points the first time"] > judged(plain, 1, 0)["production: points the first time"]
