"""The list of planted faults: each of a promise, with a test that is there; and a few are planted in every run."""
from __future__ import annotations

import pytest

from engine.refusals import Faulty
from tests.checks.fault_kinds import Fault
from tests.checks.planted_faults import FAULTS, ROOT, TABLE, named, written

CHEAP = [fault for fault in FAULTS if fault.instrument.startswith("mutate")]


PROMISES = [" ".join(promise.split()) for promise in
            (ROOT / "docs" / "promises.md").read_text(encoding="utf-8").split("\n- ")[1:]]


def test_the_page_of_the_planted_faults_is_made_from_the_list() -> None:
    assert TABLE.read_text(encoding="utf-8") == written(), "python -m tests.checks.planted_faults writes it"


def test_every_promise_has_a_fault_that_is_planted_against_it() -> None:
    begun = tuple(fault.promise for fault in FAULTS)
    assert [promise for promise in PROMISES if not promise.startswith(begun)] == []


def test_every_fault_is_of_one_promise_and_has_a_test_that_is_there() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for fault in FAULTS:
        assert sum(promise.startswith(fault.promise) for promise in PROMISES) == 1, fault.promise
        path, _, test = fault.test.partition("::")
        assert f"def {test}" in (ROOT / path).read_text(encoding="utf-8"), fault.test
        assert bool(fault.instrument) == (fault.finds is not None)


@pytest.mark.parametrize("fault", CHEAP, ids=lambda fault: fault.name)
def test_the_search_for_wrong_answers_finds_its_faults_and_nothing_else(fault: Fault) -> None:
    assert fault.finds is not None
    with fault.plant():
        assert fault.finds()
    assert not fault.finds()


def test_a_fault_that_nobody_has_planted_is_refused() -> None:
    with pytest.raises(Faulty, match="There is no planted fault luck"):
        named("luck")
