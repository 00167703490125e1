"""The simulator of waiting: people, their looks, and what each device of a game saves them."""
from __future__ import annotations

from itertools import cycle, islice, pairwise

import pytest

from bench.people import DAY, LOOKS, MISSED, SPELL, looks
from bench.policy import random_choice
from bench.struggle_heuristics import placements
from bench.waiting import EVERYTHING, HALF, MINDS, NOTHING, Club, Outcome, alone, most_in_a_turn, setting, worst_points
from engine import catalog
from engine.games.attack.rules.setup import Claim, Deploy
from engine.orders import LINES, checked
from engine.refusals import Faulty

STRUGGLE, ATTACK, IMPERIAL = (setting(key) for key in ("struggle_of_empires", "attack", "imperial_struggle"))
EACH = [pytest.param(game, id=game.spec.key) for game in (STRUGGLE, ATTACK)]
ALONE = [pytest.param(game, device, id=f"{game.spec.key}, {device}") for game in (STRUGGLE, ATTACK)
         for device in game.minds.devices]


def test_people_look_about_twice_a_day_and_in_their_own_time():
    for number in range(STRUGGLE.minds.seats):
        times = [look.at for look in islice(looks(number, 1), 400)]
        assert times == sorted(times)
        days = times[-1] / DAY
        assert 0.75 * len(LOOKS) * (1 - MISSED) < len(times) / days <= len(LOOKS)
    assert len({next(looks(number, 1)).at for number in range(7)}) > 3


def test_nobody_looks_during_an_absence():
    seen = list(islice(looks(2, 5), 600))
    absences = [(look, following) for look, following in pairwise(seen) if look.away_until]
    assert absences
    for look, following in absences:
        assert look.away_until == look.at + SPELL < following.at


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


@pytest.mark.parametrize(("game", "device"), ALONE)
def test_each_device_alone_saves_waits_or_days(game, device):
    plain, helped = ended(game, SEED, NOTHING), ended(game, SEED, alone(device))
    assert helped.waits < plain.waits or helped.minutes < plain.minutes


@pytest.mark.parametrize("choice", [None, random_choice], ids=["sensible", "random"])
@pytest.mark.parametrize("game", EACH)
def test_together_they_save_more_the_more_people_use_them(game, choice):
    waits = [ended(game, SEED, devices, choice).waits for devices in (NOTHING, HALF, EVERYTHING)]
    assert waits == sorted(waits, reverse=True) and waits[-1] < 0.4 * waits[0]


@pytest.mark.parametrize("game", EACH)
def test_a_wait_is_counted_only_at_a_look_that_the_game_stood_still_for(game):
    outcome = ended(game, SEED, NOTHING)
    assert outcome.waits == sum(outcome.points.values()) <= outcome.answers
    assert outcome.forms == 0
    point, number = outcome.points.most_common(1)[0]
    assert worst_points([outcome, outcome]).startswith(f"{point} {number:.1f}, ")


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


def test_a_list_of_starting_units_places_them_all():
    club = Club(STRUGGLE, 3, EVERYTHING)
    while club.table.state.phase != "placing":
        asked = club.table.waiting()[0]
        club.table.answer(asked.seat, club.table.options(asked.seat)[0])
    state = club.table.state
    for seat in state.seats:
        (order,) = placements(state, seat, club.players[seat].rng)
        assert len(order.lines) == state.parts.set_up(len(state.seats)).start_units_per_player <= LINES
        assert STRUGGLE.ordering.point(order.points[0]) is not None


def test_lists_of_all_players_carry_attack_through_its_setup():
    club = Club(ATTACK, 3, EVERYTHING)
    for player in club.players.values():
        club._ahead(player)
    assert club.table.state.phase == "turn"
    answered = [(type(entry.answer), entry.by) for entry in club.table.fresh if isinstance(entry.answer, (Claim, Deploy))]
    assert set(answered) <= {(Claim, "order"), (Deploy, "order")}


def test_no_action_round_of_imperial_struggle_waits_more_than_once_with_all_devices():
    """Written rounds take any tile of their kind, and end where a purchase has become impossible."""
    outcome = ended(IMPERIAL, 2, EVERYTHING)
    assert most_in_a_turn([outcome]) == 1 and outcome.forms
    assert outcome.waits <= 0.4 * ended(IMPERIAL, 2, NOTHING).waits
