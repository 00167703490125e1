"""docs/promises.md names tests that exist, so that no promise outlives what holds it."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DEFINED = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


@pytest.mark.parametrize(("page", "least"), [("docs/promises.md", 90), ("SECURITY.md", 15)])
def test_every_test_that_holds_a_promise_exists(page: str, least: int) -> None:
    told = (ROOT / page).read_text(encoding="utf-8")
    known = {(path.name, test) for path in (ROOT / "tests").rglob("test_*.py")
             for test in DEFINED.findall(path.read_text(encoding="utf-8"))}
    named = NAMED.findall(told)
    assert len(named) >= least and not [name for name in named if name not in known]


def test_every_threat_names_a_test():
    threats = (ROOT / "SECURITY.md").read_text(encoding="utf-8").split("| --- | --- | --- | --- |\n")[1].splitlines()
    assert threats and [threat for threat in threats if not NAMED.search(threat)] == []


def test_every_promise_names_a_test():
    promises = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8").split("\n- ")[1:]
    assert promises and all(NAMED.search(promise.split("\n## ")[0]) for promise in promises)
