"""What finished games take in the file: it is counted by table, and what has a term is gone a month later."""
from __future__ import annotations

import pytest

from bench import sizes
from engine.games.struggle_of_empires import GAME


def test_what_only_helped_to_play_is_gone_a_month_later_and_the_log_stays(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sizes, "LONGEST", 40)
    figures = sizes.measure(GAME.key, games=1)
    found = figures[GAME.key]
    assert found["rows"] >= 40 and found["at_end"]["log"] == found["year"]["log"] > 0
    assert found["month"]["checkpoints"] < found["at_end"]["checkpoints"]
    assert sum(found["month"].values()) < sum(found["at_end"].values())
    title, *lines = sizes.told(figures)
    assert title.startswith(GAME.key) and [line.split()[0] for line in lines] == ["at_end", "month", "year"]
