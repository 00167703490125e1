"""What holds in every game: random play reaches an end, and at every question everything adds up."""
from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.military import Deploy, Fortify
from engine.games.imperial_struggle.actions.rounds import TakeTile
from engine.games.imperial_struggle.actions.shifts import ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.player import Mind
from engine.games.imperial_struggle.rules.arming import NAVY_BOX
from engine.games.imperial_struggle.rules.points import EVENT_KINDS
from engine.kernel import Action, Seat, Table, fold
from engine.refusals import Illegal
from engine.selfplay import beginning, play_on, random_answer
from tests.checks.soundness_of_imperial_struggle import adds_up
from tests.games.imperial_struggle.scene import PARTS, state_of

ALL_OPTIONS = {"spanish_empire": True, "swap_tiles": True, "assign_tiles": True, "tougher_forts": True,
               "strict_action_order": False}


@pytest.mark.parametrize("edition, options, seed", [
    ("published", {}, 1), ("first_game", {"handicap_side": "france", "handicap": 3}, 2), ("tournament", ALL_OPTIONS, 3)])
def test_IS_18_33_a_random_game_ends_always_adds_up_and_asks_both_at_once_where_it_may(edition, options, seed):
    dice = SecretDice(f"{seed:02}" * 32)
    start = beginning(GAME, 2, edition, PARTS, options)
    table = Table(GAME, PARTS, start, dice=dice, checkpoints=False)
    for _ in play_on(table, random.Random(seed).randrange):
        adds_up(table.state)
        assert len(table.asks) == 1 or {question.point for question in table.asks} <= {"IS-18.1", "IS-18.2", "IS-19.2"}
    assert table.over and table.state.winner
    rows = [entry.row() for entry in table.fresh]
    again = Table(GAME, PARTS, start, rows, dice=dice, checkpoints=False)
    assert again.state.model_dump_json() == table.state.model_dump_json()
    folded = fold(GAME, PARTS, start, [table.opening, *(entry.events for entry in table.fresh)])
    assert folded.model_dump_json() == table.state.model_dump_json()


def test_IS_5_6_8_no_purchase_counts_points_that_lapse_as_its_action_opens():
    """Players who play what events they can, and spend a part of their points before those of the tile."""
    for seed in range(6):
        table, pick = Table(GAME, PARTS, beginning(GAME, 2, "published", PARTS), dice=SecretDice(f"{seed:064x}"),
                            checkpoints=False), random.Random(seed)
        while not table.over:
            adds_up(table.state)
            options, now = table.options(seat := table.waiting()[0].seat), table.state.round
            events = [option for option in options if isinstance(option, PlayEvent) or (
                isinstance(option, TakeTile) and PARTS.investment[option.tile].event)]
            own = [option for option in options if isinstance(option, Buying) and option.action in EVENT_KINDS
                   and not option.debt and not option.trp and now is not None and not now.open]
            table.answer(seat, random_answer(events or own or options, pick.randrange))


BOUGHT = (Deploy, Fortify, ShiftMarket, ShiftPolitical)
ACTIONS = ("major", "minor", "event_EP", "event_DP", "event_MP")
PAYMENTS = tuple(product(ACTIONS, range(3), range(3)))      # action, debt, treaty points


def test_what_is_known_of_one_games_components_says_nothing_of_another_game():
    """The automatic player weighs the spoils of a data pack, and then again those that are printed."""
    rows = [theater.model_dump() for theater in PARTS.war["WSS"].theaters]
    for row in rows:
        for spoils in row["spoils"]:
            spoils["winner"]["vp"] += 10
    richer = components(GAME, "published", json.dumps({"wars": [{"id": "WSS", "theaters": rows}]})).parts
    worth = []
    for parts in (PARTS, richer, PARTS):
        s = state_of()
        GAME.rules.bind(s, parts)
        s.own["france"].tiles[0].append(PARTS.basic_of("france")[0])
        worth.append(Mind(s, "france").now)
    assert worth[0] == worth[2] < worth[1] - 1


@cache
def conceivable(advantage: str) -> frozenset[Action]:
    """Every shift of the map with an advantage; every fort, deployment and shift without one, paid for in few ways."""
    return frozenset(_conceivable(advantage))


def _conceivable(advantage: str) -> Iterator[Action]:
    of_type = PARTS.of_type
    for action, debt, trp in PAYMENTS:
        for space in of_type["political"]:
            yield ShiftPolitical.listed(space, action, advantage, debt, trp)
        for space in of_type["market"]:
            yield ShiftMarket.listed(space, action, advantage, "", debt, trp)
        if not advantage:
            for space in PARTS.space:
                yield Fortify.listed(space, action, debt, trp)
            for origin, to in product((NAVY_BOX, *of_type["naval"]), of_type["naval"]):
                yield Deploy.listed(origin, to, action, debt, trp)


def passes(action: Action, table: Table, seat: Seat) -> bool:
    try:
        action.check(table.state, seat)
    except Illegal:
        return False
    return True


@pytest.mark.parametrize("options, seed", [({}, 4), (ALL_OPTIONS, 7)])
def test_what_is_offered_for_points_is_what_the_rules_allow(options, seed):
    """`options` of the purchases whose lists are built from the board, against `check` of all that is conceivable."""
    table = Table(GAME, PARTS, beginning(GAME, 2, "published", PARTS, options), dice=SecretDice(f"{seed:02}" * 32),
                  checkpoints=False)
    seen, found = 0, set[type[Action]]()
    for _ in play_on(table, random.Random(seed).randrange):
        asked = table.waiting()[0]
        if Fortify not in asked.accepts or table.state.current.stage == "before":
            continue
        seen += 1
        if seen % 16:
            continue
        offered = {option for option in table.options(asked.seat) if isinstance(option, BOUGHT)
                   and option.debt < 3 and option.trp < 3 and not getattr(option, "huguenots", "")}
        held = ("", *table.state.held_advantages(table.state.current.side))
        assert offered == {action for advantage in held for action in conceivable(advantage) if passes(action, table, asked.seat)}
        found |= {type(action) for action in offered}
    assert found == set(BOUGHT)
