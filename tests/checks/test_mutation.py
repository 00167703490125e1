"""Places that can be broken: they are found, broken as they say, drawn again with the same seed, and noticed by a test."""
from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine.refusals import Faulty
from tests.checks import mutation
from tests.checks.mutation import ROOT, drawn, places, probed, unnoticed

SOURCE = '''MOST = 3

def fits(number: int) -> bool:
    """Whether there is room for it."""
    if not number:
        raise ValueError
    log.info("looked at")
    note(number)
    return number < MOST and True
'''


def test_numbers_comparisons_conditions_and_statements_are_broken_and_the_log_is_not() -> None:
    found = {(place.was, place.put) for place in places("fits.py", SOURCE)}
    assert found == {
        ("3", "4"), ("not number", "(number)"), ("raise ValueError", "pass"), ("note(number)", "pass"), ("True", "False"),
        ("number < MOST", "(number <= MOST)"), ("number < MOST and True", "(number < MOST or True)")}


def test_who_comes_to_a_place_is_noted_at_the_head_of_its_function_and_for_a_constant_where_it_is_used() -> None:
    for place in places("fits.py", SOURCE):
        (line,) = place.probes
        assert SOURCE.splitlines()[line - 1].strip() == "if not number:"
    marked = probed(SOURCE, "fits.py", places("fits.py", SOURCE))
    assert "note(0, 1, 2, 3, 4, 5, 6)" in marked.splitlines()[line - 1]
    ast.parse(marked)


def test_the_same_seed_draws_the_same_places_of_all_rooms_and_another_one_others(tmp_path: Path) -> None:
    for room, patterns in mutation.ROOMS.items():
        whole = sorted(path for pattern in patterns for path in mutation.ROOT.glob(pattern))
        assert whole, f"{room} is empty"
        chosen = min(whole, key=lambda path: abs(path.stat().st_size - 6000))
        copy = tmp_path / chosen.relative_to(mutation.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(chosen.read_bytes())
    found = drawn(8, 1, root=tmp_path)
    assert found == drawn(8, 1, root=tmp_path) != drawn(8, 2, root=tmp_path) and len(found) == 8
    assert all(place.path.startswith("bot/store/") for place in drawn(3, 1, "store"))
    with pytest.raises(Faulty, match="There is no room kitchen"):
        drawn(1, 1, "kitchen")


@pytest.mark.slow
def test_a_broken_place_is_noticed_by_a_test_that_comes_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, program = tmp_path / "root", tmp_path / "program"
    for folder in (root, program):
        folder.mkdir()
        (folder / "fits.py").write_text(SOURCE.replace("    log.info(\"looked at\")\n    note(number)\n", ""))
    (program / "test_fits.py").write_text(
        "from fits import fits\ndef test_fits():\n    assert fits(2) and not fits(3)\ndef test_other():\n    pass\n")
    monkeypatch.setattr(mutation, "ROOT", root)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    there = places("fits.py", (root / "fits.py").read_text())
    truth = next(number for number, place in enumerate(there) if place.was == "True")
    come = {"test_fits.py::test_fits": (0.1, set(range(len(there))) - {truth}), "test_fits.py::test_other": (0.0, {truth - 1})}
    passed_by, survived = unnoticed(program, there, come, 5, 1)
    assert passed_by == [there[truth]]
    assert {place.was for place in survived} == {"raise ValueError"}, "nobody asks for 0"
    assert (program / "fits.py").read_text() == (root / "fits.py").read_text()
