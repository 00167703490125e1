"""The simulator of waiting: people, their looks, and what each device of a game saves them."""
from __future__ import annotations

from itertools import cycle, islice

import pytest

from bench.people import DAY, LOOKS, MISSED, looks
from bench.policy import random_choice
from bench.waiting import EVERYTHING, HALF, MINDS, NOTHING, Club, Outcome, most_in_a_turn, setting
from engine import catalog
from engine.orders import checked
from engine.refusals import Faulty

STRUGGLE, ATTACK, IMPERIAL = (setting(key) for key in ("struggle_of_empires", "attack", "imperial_struggle"))
EACH = [pytest.param(game, id=game.spec.key) for game in (STRUGGLE, ATTACK)]


def test_people_look_about_twice_a_day_and_in_their_own_time():
    for number in range(STRUGGLE.minds.seats):
        times = [look.at for look in islice(looks(number, 1), 400)]
        assert times == sorted(times)
        days = times[-1] / DAY
        assert 0.75 * len(LOOKS) * (1 - MISSED) < len(times) / days <= len(LOOKS)
    assert len({next(looks(number, 1)).at for number in range(7)}) > 3


def test_every_game_of_the_catalogue_has_people():
    assert set(MINDS) == {spec.key for spec in catalog.GAMES}
    with pytest.raises(Faulty, match="There is no game chess"):
        setting("chess")


SEED = 1                                            # of the games that are compared
PLAYED: dict[tuple[object, ...], Outcome] = {}      # what a game came to: many tests compare theirs with the same plain ones


def ended(game, seed, devices, choice=None):
    if (game.spec.key, seed, devices, choice) not in PLAYED:
        club = Club(game, seed, devices, choice)
        PLAYED[game.spec.key, seed, devices, choice] = club.play()
        assert club.table.over
    return PLAYED[game.spec.key, seed, devices, choice]


@pytest.mark.parametrize("choice", [None, random_choice], ids=["sensible", "random"])
@pytest.mark.parametrize("game", EACH)
def test_together_they_save_more_the_more_people_use_them(game, choice):
    waits = [ended(game, SEED, devices, choice).waits for devices in (NOTHING, HALF, EVERYTHING)]
    assert waits == sorted(waits, reverse=True) and waits[-1] < 0.4 * waits[0]


@pytest.mark.parametrize("game", [pytest.param(game, id=game.spec.key) for game in (ATTACK, IMPERIAL)])
def test_people_give_only_orders_that_the_bot_would_take(game):
    club = Club(game, 5, EVERYTHING)
    thinking = cycle(club.players.values())
    while not club.table.over:
        question = club.table.waiting()[0]
        club._answer(question.seat, club._chosen(club.players[question.seat], question))
        club._ahead(next(thinking))
    given = [order for player in club.players.values() for order in player.orders]
    assert {order.kind for order in given} == {"standing", "packet", "written"}
    for order in given:
        checked(game.spec, order, club.table.state)


def test_no_action_round_of_imperial_struggle_waits_more_than_once_with_all_devices():
    """Written rounds take any tile of their kind, and end where a purchase has become impossible."""
    outcome = ended(IMPERIAL, 2, EVERYTHING)
    assert most_in_a_turn([outcome]) == 1 and outcome.forms
    assert outcome.waits <= 0.4 * ended(IMPERIAL, 2, NOTHING).waits
