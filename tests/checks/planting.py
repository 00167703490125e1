"""A plugin of pytest: the whole run has one of the planted faults, which the environment names."""
from __future__ import annotations

import os
from contextlib import ExitStack

from tests.checks.planted_faults import PLANT, named

planted = ExitStack()


def pytest_sessionstart() -> None:
    planted.enter_context(named(os.environ[PLANT]).plant())


def pytest_sessionfinish() -> None:
    planted.close()
