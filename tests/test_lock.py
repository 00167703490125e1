"""The lock file names what `pyproject.toml` asks for, each with a hash, so that an installation is what was tested."""
from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_every_dependency_is_locked_in_its_version_and_with_a_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    locked = {entry.split(" ")[0]: entry for entry in entries}
    for wanted in project["dependencies"]:
        assert "--hash=sha256:" in locked.get(wanted.replace(".py==", "-py=="), ""), f"{wanted}: make lock"
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry.split(" ")[0])
