"""docs/architecture.md names files that exist, and enough of them to find one's way."""
from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| ([^|]+) \| `([\w/.]+\.py)` \|$", re.MULTILINE)


def test_every_file_that_is_named_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = ROW.findall(page.partition("## Where do I find")[2])
    assert len(rows) >= 30 and len(dict(rows)) == len(rows), "each thing is named once"
    assert [file for _, file in rows if not (ROOT / file).is_file()] == []
