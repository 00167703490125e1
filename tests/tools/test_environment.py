"""Making the environment: a Python that can't make one is told what to install."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("lacks", "told"), [("sys", "Python 3.11 or later is needed"),
                                             ("ensurepip", "apt install python3-venv")])
def test_what_is_missing_is_said_in_a_sentence_and_nothing_is_made(tmp_path: Path, lacks: str, told: str) -> None:
    python = tmp_path / "python"
    older = "sys.version_info = (3, 10)" if lacks == "sys" else f"sys.modules[{lacks!r}] = None"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; {older}; exec(sys.argv[2])" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    for name in ("pyproject.toml", "requirements.lock"):
        (tmp_path / name).touch()
    made = subprocess.run(["make", "-f", ROOT / "Makefile", "venv", f"PYTHON={python}"], cwd=tmp_path, text=True,
                          capture_output=True, check=False)
    assert made.returncode and told in made.stderr and not (tmp_path / ".venv").exists()
