"""The balance report: its player is legal, steady and knows no secret; its sums agree with the games; a moved value moves."""
from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from random import Random

import pytest

from bench import balance, struggle_study
from bench.__main__ import main
from bench.balance import STUDIES, Mean, Setting, differences, judged, mean_of, moved, packs, played, summary
from bench.mixtures import a_mixture
from bench.policy import strong
from engine import catalog, components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, End, Take
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.marker_worth import marker_gained, marker_lost
from engine.kernel import Seat, Table
from engine.refusals import Faulty
from engine.selfplay import new_table

EDITIONS = [edition.key for edition in GAME.editions]
sensible = strong(GAME)
PLAIN = Setting(GAME.key, "first", 3)


@cache
def ended(edition: str = "first", seats: int = 3, number: int = 0) -> Table:
    return played(Setting(GAME.key, edition, seats), 1, number)


@cache
def figures_of(edition: str = "first", seats: int = 3, number: int = 0) -> Mapping[str, float]:
    """What such a game is judged to have been."""
    return struggle_study.figures(ended(edition, seats, number))


# --- the player -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("edition", EDITIONS)
def test_every_answer_is_legal_and_the_game_ends(edition):
    for seats in (2, 4):
        table = ended(edition, seats)           # a table takes no illegal answer
        assert table.over and {entry.answer.verb for entry in table.fresh} >= {"build", "attack", "tile", "end", "place"}


def test_it_deals_with_any_mixture_of_options():
    for number in range(3):
        pick = Random(number)
        edition = EDITIONS[number % len(EDITIONS)]
        parts = components.components(GAME, edition).parts
        options = a_mixture(GAME, edition, pick, 0.5)
        table = new_table(GAME, 2 + number, edition, parts, SecretDice("7a" * 32), options=options, checkpoints=False)
        while not table.over:
            question = table.waiting()[0]
            table.answer(question.seat, sensible(table.state, question, table.options(question.seat), pick))


def test_the_same_seed_gives_the_same_game():
    again = played(PLAIN, 1, 0)
    assert [entry.row() for entry in again.fresh] == [entry.row() for entry in ended().fresh]
    assert [entry.row() for entry in played(PLAIN, 1, 1).fresh] != [entry.row() for entry in ended().fresh]


@pytest.mark.parametrize("edition", ["first", "deluxe"])
def test_what_it_may_not_know_changes_no_answer(edition):
    """The unrest of others, and how their bag lies, are not for it to read [SOE-21.1.1]."""
    parts, pick = components.components(GAME, edition).parts, Random(3)
    table = new_table(GAME, 4, edition, parts, SecretDice("5e" * 32), checkpoints=False)
    compared = 0
    while compared < 100:
        question = table.waiting()[0]
        options, before = table.options(question.seat), pick.getstate()
        answer = sensible(table.state, question, options, pick)
        if len(options) > 1 and table.state.unrest:
            other = table.state.model_copy(deep=True)
            other.parts = parts
            for seat in other.seats:
                if seat != question.seat:
                    GAME.views.disguise(other, Seat(seat))
            assert other.unrest != table.state.unrest
            pick.setstate(before)
            assert sensible(other, question, options, pick) == answer
            compared += 1
        table.answer(question.seat, answer)


def test_it_keeps_its_unrest_below_collapse():
    """It takes on much, and hardly ever too much [SOE-18.2.6]."""
    collapsed = [power for edition in EDITIONS for power in ended(edition, 4).state.collapsed]
    most = max(unrest for edition in EDITIONS for unrest in ended(edition, 4).state.unrest.values())
    assert len(collapsed) <= 1 and most >= 10


def first_turn(seats: int = 4) -> tuple[Table, Mind]:
    """The first question of the first turn, and what goes on in the mind of who is asked."""
    parts, pick = components.components(GAME, "first").parts, Random(1)
    table = new_table(GAME, seats, "first", parts, SecretDice("11" * 32), checkpoints=False)
    while table.state.phase != "turn":
        question = table.waiting()[0]
        table.answer(question.seat, sensible(table.state, question, table.options(question.seat), pick))
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


# --- the figures ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("edition", EDITIONS)
def test_the_sums_agree_with_the_final_scores(edition):
    table = ended(edition, 4)
    s, of = table.state, figures_of(edition, 4)
    total = sum(s.points.values())
    assert len(s.powers) * sum(of[f"points a power from: {source}"] for source in (
        "areas", "neutral markers", "industry", "penalties for unrest")) == pytest.approx(total)
    by_area = sum(of[f"points a power: {area}"] for area in s.parts.area)
    assert by_area == pytest.approx(of["points a power from: areas"])
    assert sum(of[f"share of all: {area}"] for area in s.parts.area) == pytest.approx(1)
    places, seats = ([f"{what} {n}" for n in range(1, 5)] for what in ("place", "seat"))
    for kind, rows in (("as", s.powers), ("in place", places), ("at", seats)):
        assert sum(of[f"points {kind}: {row}"] for row in rows) == total
        assert sum(of[f"wins {kind}: {row}"] for row in rows) == pytest.approx(1 if s.winners else 0)
    assert of["points as: " + s.powers[0]] == s.points[s.powers[0]] == of["points at: seat 1"]
    assert of["unrest: mean"] * 4 == pytest.approx(sum(s.unrest.values()))
    assert of["game: rows"] == len(table.fresh) > of["game: decisions"]


@pytest.mark.parametrize("edition", ["first", "deluxe"])
def test_markers_scored_are_those_on_the_map(edition):
    """The markers of the last scoring, counted from the facts, are the markers that lie there at the end."""
    table = ended(edition, 3)
    s = table.state
    facts = [*table.opening, *(event for entry in table.fresh for event in entry.events)]
    wars = [index for index, fact in enumerate(facts) if type(fact).__name__ == "WarEnded"]
    until = [struggle_study.of_areas(s, facts[:wars[n] + 1]) for n in (1, 2)]
    for area in s.parts.area:
        last = until[1][f"markers a power: {area}"] - until[0][f"markers a power: {area}"]
        assert last * len(s.powers) == pytest.approx(sum(s.markers[power].get(area, 0) for power in s.powers)), area


def test_tiles_taken_are_those_owned_and_used_up():
    """In the first edition a company stays with who took it."""
    table = ended("first", 4)
    found = figures_of("first", 4)
    for tile in (tile for tile in table.state.parts.tiles if tile.kind == "company"):
        owned = sum(table.state.owned(power, tile.id) for power in table.state.powers)
        assert found[f"taken: {tile.id}"] == owned
        assert found[f"used: {tile.id}"] <= 3 * owned


# --- means ------------------------------------------------------------------------------------------------

def test_a_mean_knows_how_far_it_may_be_off():
    found = summary([{"a": 1, "b": 2}, {"a": 3}, {"a": 5}, {"a": 7}])
    assert found["b"] == Mean(2, 0, 1) and found["b"].sure == 0
    assert found["a"].mean == 4 and found["a"].off == pytest.approx(1.96 * (20 / 3) ** 0.5 / 2) and found["a"].games == 4
    assert mean_of([3.0, 3.0]).sure == float("inf") and mean_of([0.0, 0.0]).sure == 0


def test_games_are_compared_one_by_one_and_by_what_both_have():
    found = differences([{"a": 1, "b": 1}, {"a": 10}], [{"a": 2, "b": 5}, {"a": 11, "c": 1}])
    assert found == {"a": Mean(1, 0, 2), "b": Mean(4, 0, 1)}


# --- values that are moved ----------------------------------------------------------------------------------

def test_a_value_is_named_by_its_record():
    raw = components.components(GAME, "deluxe").raw
    assert json.loads(moved(raw, "banking.cost.gold=3")) == {"tiles": [{"id": "banking", "cost": {"gold": 3}}]}
    assert json.loads(moved(raw, "setup/7.start_gold=12")) == {"setup": [{"players": 7, "start_gold": 12}]}
    assert json.loads(moved(raw, "units_per_player.army=9")) == {"units_per_player": {"army": 9}}
    assert json.loads(moved(raw, "german_states.vp=[7, 5, 3]")) == {"areas": [{"id": "german_states", "vp": [7, 5, 3]}]}
    assert json.loads(moved(raw, "covert_tokens/pirates.strength=2")) == {"covert_tokens": [{"id": "pirates", "strength": 2}]}


@pytest.mark.parametrize(("wanted", "why"), [
    ("banking", "RECORD.FIELD=VALUE"), ("banking=3", "RECORD.FIELD=VALUE"), ("bankin.cost.gold=3", "banking"),
    ("pirates.strength=2", "covert_tokens/pirates"), ("areas/banking.cost=2", "no such single record")])
def test_what_cannot_be_moved_is_said(wanted, why):
    with pytest.raises(Faulty, match=why):
        moved(components.components(GAME, "deluxe").raw, wanted)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_house_value_that_is_moved_makes_sound_components_and_other_ones(edition):
    plain = components.components(GAME, edition)
    found = packs(STUDIES[GAME.key], GAME, edition, "banking.cost.gold=3", house=True)
    assert len(found) >= 11 and list(found)[-1] == "banking.cost.gold=3"
    for name, pack in found.items():
        changed = components.components(GAME, edition, pack)
        assert changed.hash != plain.hash, name
        lists = {key for key in plain.raw if changed.raw[key] != plain.raw[key]}
        assert lists == {*json.loads(pack)}, "only what is moved changes"


def test_a_value_that_nothing_depends_on_changes_no_game():
    """The first edition has no Far Lands die, and its crossings do not look at one."""
    pack = moved(components.components(GAME, "first").raw, "green_check.count=1")
    assert judged(Setting(GAME.key, "first", 3, pack), 1, 0) == figures_of()


def test_a_price_that_nobody_would_pay_keeps_a_tile_in_the_stock():
    pack = moved(components.components(GAME, "first").raw, "army_training.cost.gold=60")
    before, after = figures_of(), judged(Setting(GAME.key, "first", 3, pack), 1, 0)
    assert before["taken: army_training"] > 0 == after["taken: army_training"]
    assert differences([before], [after])["taken: army_training"].mean == -before["taken: army_training"]


# --- the command line -----------------------------------------------------------------------------------------

def test_the_report_is_told_and_stored(capsys):
    assert main(["balance", GAME.key, "--edition", "deluxe", "--seats", "2", "--games", "2", "--seed", "1",
                 "--move", "government_reform.cost.gold=9", "--json"]) == 0
    *lines, stored = capsys.readouterr().out.splitlines()
    figures = json.loads(stored)
    report = figures["seats"]["2"]
    assert (figures["edition"], figures["games"], figures["seed"]) == ("deluxe", 2, 1)
    known = summary(figures_of("deluxe", 2, number) for number in range(2))
    assert report["figures"] == {name: [mean.mean, mean.off, mean.games] for name, mean in known.items()}
    assert report["moves"]["government_reform.cost.gold=9"]["taken: government_reform"][0] < 0
    assert "### Areas" in lines and "### Moved: government_reform.cost.gold=9" in lines
    assert any(line.startswith("| german states | ") for line in lines)


def test_processes_play_the_same_games():
    setting = Setting(GAME.key, "deluxe", 2)
    assert balance.run(setting, 2, 1, 2) == balance.run(setting, 2, 1, 1)


@pytest.mark.parametrize("words", [["chess"], [GAME.key, "--edition", "third"], [GAME.key, "--seats", "9"],
                                   [GAME.key, "--games", "0"], [GAME.key, "--move", "nothing=1"]])
def test_the_command_line_refuses_what_there_is_not(words, capsys):
    try:
        status: object = main(["balance", *words])
    except SystemExit as left:                          # of words that the command line does not take
        status = left.code
    assert status == 2 and capsys.readouterr().err.strip().endswith((".", "?"))


def test_a_game_that_nobody_has_told_how_to_judge_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(balance, "STUDIES", {})
    assert main(["balance", catalog.GAMES[0].key, "--games", "1"]) == 2
    assert "how struggle_of_empires is judged" in capsys.readouterr().err
