"""A plugin of pytest: notes which marked places each test comes to, and how long it takes, a line of JSON a test."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

REACHED = "MUTATION_REACHED"
seen: set[int] = set()


def note(*numbers: int) -> None:
    """Somebody has come to these places."""
    seen.update(numbers)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """One test with all that is set up for it; one that fails notices nothing, and is left out."""
    seen.clear()
    begin, failed = process_time(), item.session.testsfailed
    try:
        return (yield)
    finally:
        if item.session.testsfailed == failed:
            with (Path(os.environ[REACHED]) / f"{os.getpid()}").open("a", encoding="utf-8") as out:
                out.write(json.dumps([item.nodeid, round(process_time() - begin, 3), sorted(seen)]) + "\n")
