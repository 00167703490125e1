"""What automatic players think of fights, unrest and markers."""
from __future__ import annotations

from random import Random

from engine import components, players
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, End, Take
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.marker_worth import marker_gained, marker_lost
from engine.kernel import Table
from engine.selfplay import new_table


def first_turn() -> tuple[Table, Mind]:
    """The first question of the first turn, and what goes on in the mind of who is asked."""
    parts, pick = components.components(GAME, "first").parts, Random(1)
    table = new_table(GAME, 4, "first", parts, SecretDice("11" * 32), checkpoints=False)
    while table.state.phase != "turn":
        seat = table.waiting()[0].seat
        seen = players.position(table, seat)
        assert seen is not None, "this seat is asked"
        table.answer(seat, players.answer(GAME, "strong", seen, pick))
    return table, Mind(table.state, table.state.active)


def test_an_attack_is_worth_more_the_likelier_it_is_and_the_more_there_is_to_win():
    _, mind = first_turn()
    assert mind.stake(3, 6.0) > mind.stake(0, 6.0) > mind.stake(-3, 6.0)
    assert mind.stake(0, 6.0) > 0 > mind.stake(0, 0.5), "the gold and the risk are worth something"


def test_who_has_no_army_does_not_attack_and_unrest_near_collapse_is_out_of_the_question():
    table, mind = first_turn()
    s = table.state
    take = next(option for option in table.options(s.seat(s.active)) if option == Take.of("industry"))
    calm = mind.own_turn(take)
    s.unrest[s.active] = 18
    s.gold[s.active] = 0
    uneasy = Mind(s, s.active)
    assert uneasy.own_turn(take) < 0 < calm
    attacks = [option for option in table.options(s.seat(s.active)) if isinstance(option, Attack)]
    assert attacks and all(uneasy.own_turn(attack) < 0 for attack in attacks)
    assert uneasy.own_turn(End.of()) >= 0


def test_a_marker_that_changes_the_ranking_is_worth_more_than_one_that_does_not():
    values = (8, 5, 3)
    gained, harm = marker_gained(values, 1, ((2, False), (2, False)), 0)
    assert (gained, harm) == (3.0, 3), "one of two rivals has to go down: 8, 8, 5 becomes 8, 8, 5 and another order"
    assert marker_lost(values, 1, ((0, False),)) == 8
    assert marker_lost(values, 5, ((1, False),)) == 0
