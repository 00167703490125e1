"""Random games of Attack!, in every mixture of options: they end, replay, fold and conserve, and no view tells a secret."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.options import CHOICES
from engine.games.attack.rules.turns import can_take, require_action
from engine.games.attack.state import ACTIONS, State, size
from engine.kernel import Ask, Seat, Table, leaves_out
from engine.refusals import Illegal
from engine.selfplay import beginning, play_on
from engine.text import Reader, say
from tests.games.attack.scene import scene

PARTS = components(GAME, "base").parts
SECRET = "5e" * 32
SHORT = {"end_mode": "round_limit", "rounds": 5}


def played(seats: int, seed: int, options: dict[str, Any]) -> Iterator[Table]:
    """A random game, looked at after every answer."""
    table = Table(GAME, PARTS, beginning(GAME, seats, "base", PARTS, options), dice=SecretDice(SECRET), checkpoints=False)
    yield table
    for _ in play_on(table, random.Random(seed).randrange):
        yield table
    yield table


def mixtures() -> Iterator[dict[str, Any]]:
    """Every value of every option, in a game that is short enough."""
    for key, values in CHOICES.items():
        for value in values:
            if key not in ("end_mode", "end_time", "rounds"):
                yield {**SHORT, key: value}


def conserved(s: State) -> None:
    """Cards are neither lost nor doubled, land is held, and nothing is below zero."""
    cards = Counter([*s.deck, *(card for hand in s.hands.values() for card in hand)])
    if s.battle is not None and s.battle.card:
        cards[s.battle.card] += 1
    assert sorted(cards.elements()) == sorted(s.parts.card)
    for land in s.owner:
        assert size(s.standing(land)) >= 1, f"{land} stands empty [ATK-4.1.7]"
    assert set(s.units) <= set(s.owner) and all(number > 0 for force in s.units.values() for number in force.values())
    assert s.controller == "" or s.ships(s.controller) > 0, "ATK-12.3.4"
    for power in s.powers:
        assert 0 <= s.damaged.get(power, 0) <= s.fleets[power].get("battleship", 0)
        assert (power in s.out) == (s.phase in ("turn", "over") and s.land_units(power) == 0), "ATK-19.1.1"


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games_end_and_conserve(seats: int) -> None:
    for table in played(seats, seats, SHORT):
        conserved(table.state)
    assert table.over


@pytest.mark.parametrize("options", list(mixtures()), ids=str)
def test_every_value_of_every_option_can_be_played_and_conserves(options: dict[str, Any]) -> None:
    for table in played(4, 7, options):
        conserved(table.state)
    assert table.over


@pytest.mark.parametrize("seed", range(4))
def test_options_and_check_agree(seed: int) -> None:
    """What is offered passes its check; what is drawn from elsewhere is refused by its check if it is not offered."""
    pick, elsewhere = random.Random(seed), dict[Any, Any]()
    for table in played(3, seed, SHORT):
        if table.over:
            break
        for question in table.waiting():
            options = set(table.options(question.seat))
            for kind in question.accepts:
                offered = [option for option in options if type(option) is kind]
                for option in pick.sample(offered, min(5, len(offered))):
                    option.check(table.state, question.seat)
                if not leaves_out(offered) and not (kind.open_ended and not kind.bounded):
                    for other in elsewhere.get(kind, ()):
                        assert (other in options) == legal(other, table.state, question.seat), other
                elsewhere[kind] = [*elsewhere.get(kind, ())[-10:], *pick.sample(offered, min(3, len(offered)))]


@pytest.mark.parametrize("immediate", (False, True))
def test_ATK_4_1_an_action_can_be_taken_exactly_if_no_reason_forbids_it(immediate: bool) -> None:
    """After each way to spend a turn's actions, with and without a ship, the sea lanes and a neutral territory."""
    s = scene(options={"blitz_immediate": immediate}).state
    owners = {land: "blue" for land in s.parts.territory}
    allowed = Counter[tuple[str, bool]]()
    for number, fleet, controller, owner in product(range(4), ({}, {"destroyer": 1}), ("", "red"), (s.owner, owners)):
        s.fleets["red"], s.controller, s.owner = fleet, controller, owner
        for taken in product(ACTIONS, repeat=number):
            s.turn.taken = list(taken)
            for action in ACTIONS:
                assert can_take(s, "red", action) == permitted(s, action), (taken, action)
                allowed[action, can_take(s, "red", action)] += 1
    assert all(allowed[action, answer] for action in ACTIONS for answer in (True, False)), allowed


def permitted(s: State, action: str) -> bool:
    try:
        require_action(s, "red", action)
    except Illegal:
        return False
    return True


@pytest.mark.parametrize("seed", range(2))
def test_no_two_answers_have_the_same_label(seed: int) -> None:
    """Else nobody could tell their buttons apart."""
    reader = Reader(GAME.words.names(PARTS))
    for table in played(4, seed, SHORT):
        for question in table.waiting():
            labels = [say(option.label(), reader) for option in table.options(question.seat)]
            assert len(set(labels)) == len(labels), question.point


def legal(answer: Any, state: State, seat: Seat) -> bool:
    try:
        answer.check(state, seat)
    except Illegal:
        return False
    return True


def asked(question: Ask[Any], state: State) -> list[object]:
    """All that the menus of a question say in a position."""
    options = [option for kind in question.accepts for option in kind.options(state, question.seat)]
    sample = options[::max(1, len(options) // 20)]
    told = [(option, option.label(), option.cost(state, question.seat), option.consequence(state, question.seat),
             option.outlook(state, question.seat), option.hazard(state, question.seat)) for option in sample]
    default = question.default(state, question.seat) if callable(question.default) else question.default
    assert GAME.orders is not None
    return [options, told, default, GAME.orders.facts(state, question.seat, question)]


@pytest.mark.parametrize("seed", range(3))
def test_nobody_sees_the_hand_of_another_or_what_is_in_his_basket(seed: int) -> None:
    """Another hand of one seat, taken from the deck, changes nothing that the others or the public see."""
    seen = 0
    for step, table in enumerate(played(4, seed, SHORT)):
        if step % 5:
            continue
        s = table.state
        for seat in map(Seat, s.seats):
            other = State.model_validate_json(s.model_dump_json())
            GAME.rules.bind(other, PARTS)
            GAME.views.disguise(other, seat)
            changed = other.model_dump_json() != s.model_dump_json()
            seen += changed
            for reader in (None, *(Seat(reader) for reader in s.seats if reader != seat)):
                assert GAME.views.view(other, reader) == GAME.views.view(s, reader)
                assert GAME.words.moment(other) == GAME.words.moment(s)
                if reader is not None:
                    assert GAME.views.private(other, reader) == GAME.views.private(s, reader)
                    assert GAME.views.purse(other, reader) == GAME.views.purse(s, reader)
            for question in table.waiting():
                if question.seat != seat:
                    assert asked(question, other) == asked(question, s)
            assert not changed or GAME.views.view(other, seat) != GAME.views.view(s, seat), "the two do differ"
    assert seen > 20
