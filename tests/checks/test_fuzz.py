"""Random games find what is wrong with a game, shrink it and write it down; and they know which rules they came by."""
from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import main
from engine import catalog
from engine.games.struggle_of_empires import GAME
from engine.kernel import GameSpec
from tests import toy
from tests.checks import fuzz, rules_reached, soundness
from tests.checks.fuzz import Case, Fuzz, play_out
from tests.toy import PEBBLES, Take, Taken, Throw


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games that fail are written into a folder of the test."""
    monkeypatch.setattr(fuzz, "FOUND", tmp_path / "found")
    monkeypatch.setattr(fuzz, "SHRINKING", 5.0)
    return tmp_path / "found"


def fuzzed(spec: GameSpec = PEBBLES, *, games: int = 30, seats: Iterable[int] = (2, 3, 4)) -> Fuzz:
    """So many games, or only until something is found."""
    run = Fuzz(spec, 0, rules_reached.Watch(spec))
    for number, at in zip(range(games), [*seats] * games):
        run.one(number, at)
        if run.found:
            break
    return run


# --- what is wrong with a game is found ---------------------------------------------------------------

def test_nothing_is_wrong_with_a_sound_game():
    run = fuzzed()
    assert run.found == [] and run.games == {2: 10, 3: 10, 4: 10} and run.rows > 200


def test_a_dead_end_is_found(monkeypatch):
    for kind in (Take, Throw):
        usual = vars(kind)["options"].__func__
        monkeypatch.setattr(kind, "options", classmethod(
            lambda cls, state, seat, usual=usual: [] if state.heap == 5 else usual(cls, state, seat)))
    assert "has no legal answer" in fuzzed().found[0]


def test_an_exception_is_found_and_the_game_shrunk_to_the_answers_that_matter(monkeypatch, elsewhere):
    usual = Taken.apply

    def apply(self: Taken, state: toy.State) -> None:
        assert not (self.pebbles == 3 and state.thrown), "three at once after a throw"
        usual(self, state)

    monkeypatch.setattr(Taken, "apply", apply)
    run = fuzzed()
    test = run.found[0]
    assert "three at once after a throw" in test
    answers = [line.strip() for line in test.splitlines() if line.strip().startswith("'seat_")]
    assert len(answers) == 2 and "throw" in answers[0] and "take pebbles=3" in answers[1]
    (path, *_) = sorted(elsewhere.iterdir())
    assert path.read_text(encoding="utf-8").startswith("from tests.checks.fuzz import Case, play_out\n")
    space: dict[str, Any] = {"Case": Case, "play_out": lambda case: play_out(case, PEBBLES)}
    exec(test, space)
    written = next(value for name, value in space.items() if name.startswith("test_"))
    with pytest.raises(AssertionError, match="three at once after a throw"):
        written()
    monkeypatch.setattr(Taken, "apply", usual)
    written()


def test_what_a_replay_does_not_bring_back_is_found(monkeypatch):
    usual, taken = Taken.apply, [0]

    def apply(self: Taken, state: toy.State) -> None:
        taken[0] += 1
        usual(self, state)
        state.thrown += taken[0] % 97 == 0

    monkeypatch.setattr(Taken, "apply", apply)
    assert any("state" in test or "stands elsewhere" in test or "Drift" in test for test in fuzzed().found)


def test_what_does_not_add_up_is_found(monkeypatch):
    def adds_up(state: toy.State) -> None:
        assert state.heap + sum(state.taken.values()) + state.thrown >= toy.HEAP, "pebbles are lost"

    monkeypatch.setattr(soundness, "CHECKS", {PEBBLES.key: adds_up})
    assert fuzzed().found == []
    usual = Taken.apply
    monkeypatch.setattr(Taken, "apply", lambda self, state: (usual(self, state), setattr(state, "heap", state.heap - 1))[0])
    assert "pebbles are lost" in fuzzed().found[0]


# --- the rules that are reached --------------------------------------------------------------------------

KNOWN = [f"SOE-{section}.{number}" for section in ("1.1", "1.2") for number in range(1, 13)]


@pytest.mark.parametrize("words, named", [
    ("SOE-1.1.1", ["1.1.1"]), ("test_SOE_1_1_12_and_more", ["1.1.12"]), ("SOE-1.1.1, 1.2.3", ["1.1.1", "1.2.3"]),
    ("[SOE-1.1.1, SOE-1.2.3 and 1.2.4]", ["1.1.1", "1.2.3", "1.2.4"]), ("SOE-1.1.2 to 1.1.4", ["1.1.2", "1.1.3", "1.1.4"]),
    ("test_SOE_1_1_2_and_1_2_3_hold", ["1.1.2", "1.2.3"]), ("test_SOE_1_1_2_to_1_1_4_hold", ["1.1.2", "1.1.3", "1.1.4"]),
    ("SOE-1.1", []), ("SOE-7.7.7", []), ("1.1.1", []), ("TOY-1.1.1", []),
])
def test_how_rules_are_named(words, named):
    assert rules_reached.numbers_in(words, KNOWN) == {f"SOE-{number}" for number in named}


def test_a_heading_or_a_module_names_no_rule_for_a_test(tmp_path):
    (tmp_path / "test_some.py").write_text('"""About SOE-1.1.1."""\n# --- SOE-1.1.3 ---\n\nTABLE = ["SOE-1.1.4"]\n\n\n'
                                           'def helper():\n    """SOE-1.1.8"""\n\n\n'
                                           'def test_SOE_1_1_9_units():\n    # --- SOE-1.1.10 ---\n    assert 1  # SOE-1.1.11\n')
    assert rules_reached.in_tests(GAME, tmp_path) == {
        "SOE-1.1.4": {"test_some.py::examples"}, "SOE-1.1.9": {"test_some.py::test_SOE_1_1_9_units"},
        "SOE-1.1.11": {"test_some.py::test_SOE_1_1_9_units"}}


PLANTED = '''
def entered(x):
    """By being called [SOE-1.1.1]."""
    # SOE-1.1.3
    if x:       # SOE-1.1.4
        return 1            # SOE-1.1.5, when it is so
    return [y               # SOE-1.1.8
            for y in range(x)]


def never():
    """SOE-1.1.9."""


class Shown:
    """SOE-1.1.10."""
'''


def test_play_reaches_what_it_runs_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(rules_reached, "ROOT", tmp_path)
    folder = tmp_path / "engine" / "games" / GAME.key
    folder.mkdir(parents=True)
    (folder / "planted.py").write_text(PLANTED)
    space: dict[str, Any] = {}
    exec(compile(PLANTED, str(folder / "planted.py"), "exec"), space)
    entered, shown = space["entered"], space["Shown"]
    watch = rules_reached.Watch(GAME)
    entered(0)                                      # nobody watches
    assert watch.reached == set()
    with watch:
        entered(0)
    assert watch.reached == {"SOE-1.1.1", "SOE-1.1.3", "SOE-1.1.4", "SOE-1.1.8"}
    with watch:
        entered(1)
    assert watch.reached == {"SOE-1.1.1", "SOE-1.1.3", "SOE-1.1.4", "SOE-1.1.5", "SOE-1.1.8"}
    watch.shown(shown())
    watch.refused("SOE-2.1.5")
    watch.refused("")
    assert watch.reached >= {"SOE-1.1.10", "SOE-2.1.5"} and "SOE-1.1.9" not in watch.reached and "" not in watch.reached


def test_a_check_of_a_rule_counts_where_a_test_imports_it_and_something_runs_it(tmp_path):
    folder = tmp_path / "tests"
    (folder / "referee").mkdir(parents=True)
    (folder / "test_some.py").write_text("from tests.referee import pieces\n")
    for name, source in {
            "pieces": "from tests.referee.record import of\n\n\n@of()\ndef SOE_1_1_9_units(s):\n    yield\n\n\n"
                      "def SOE_1_1_10_never_called(s):\n    yield\n\n\nTABLE = ['SOE-1.1.4']\n",
            "record": "@of()\ndef SOE_1_1_8_by_way_of_another():\n    yield\n",
            "alone": "@of()\ndef SOE_1_1_11_imported_by_nothing():\n    yield\n"}.items():
        (folder / "referee" / f"{name}.py").write_text(source)
    assert rules_reached.in_tests(GAME, folder) == {
        "SOE-1.1.8": {"record.py::SOE_1_1_8_by_way_of_another"}, "SOE-1.1.9": {"pieces.py::SOE_1_1_9_units"}}


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "seed"), [*zip(catalog.GAMES, (5, 0, 2))], ids=[spec.key for spec in catalog.GAMES])
def test_every_rule_is_reached_by_play_by_a_refusal_or_by_a_test(spec, seed):
    """The seeds are those that come by soonest."""
    run, left = Fuzz(spec, seed, rules_reached.Watch(spec)), {*rules_reached.unreached(spec, set())}
    for number in range(40):
        if left <= run.watch.reached:
            break
        run.one(number, spec.seats[number % len(spec.seats)])
    assert sorted(left - run.watch.reached) == [] == run.found


def test_only_rules_of_editions_that_can_be_played_count():
    known = rules_reached.total(GAME)
    assert {"SOE-1.1.6", "SOE-1.1.7"} <= {*known} and len(known) == len(set(known)) > 560
    first, deluxe, without = (rules_reached.total(GAME.changed(editions=(edition,))) for edition in GAME.editions)
    assert "SOE-1.1.6" in first and "SOE-1.1.7" not in first and 480 < len(first) < len(known)
    assert "SOE-1.1.7" in deluxe and "SOE-1.1.6" not in deluxe and without == deluxe


# --- the command line -------------------------------------------------------------------------------------

def test_the_command_line_tells_games_dead_ends_and_rules(capsys):
    assert main(["fuzz", GAME.key, "--seats", "2", "--games", "3", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["games"] == 3 == figures["games_by_seats"]["2"] and figures["stuck"] == 0
    assert figures["rules_total"] == len(rules_reached.total(GAME)) >= figures["rules_reached"] > 300


def test_each_edition_is_played_in_turn_as_it_stands_and_mixed(monkeypatch):
    played = list[fuzz.Case]()
    monkeypatch.setattr(fuzz, "_Played", lambda spec, case, often: played.append(case) or 1 / 0)
    monkeypatch.setattr(fuzz, "failure", lambda case, spec: "")
    run = Fuzz(GAME, 0, rules_reached.Watch(GAME))
    for number in range(60):
        run.one(number, GAME.seats[number % len(GAME.seats)])
    assert set(run.editions.values()) == {18, 24} and set(run.games.values()) == {10}
    assert {(case.seats, case.edition) for case in played} == {
        (seats, edition.key) for seats in GAME.seats for edition in GAME.editions}
    for edition in GAME.editions:
        assert {bool(case.options) for case in played if case.edition == edition.key} == {True, False}


def test_rulings_are_named_by_numbers_of_their_own() -> None:
    known = ["IS-8.1", "IS-R-09", "IS-R-37"]
    assert rules_reached.numbers_in("test_IS_8_1_and_R_37_what", known) == {"IS-8.1", "IS-R-37"}
    assert rules_reached.numbers_in("May serve [IS-8.1, R-09]", known) == {"IS-8.1", "IS-R-09"}
