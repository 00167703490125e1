"""Making the environment: what is told meanwhile."""
from __future__ import annotations

import sys

import pytest

from tools import environment


@pytest.mark.parametrize("said, installed, told", [
    ("", 0, "the libraries"),
    ("Obtaining file:///chancery\nCollecting discord.py==2.7.1\n  Downloading it\nCollecting pillow==13.0.0 (from chancery)\n", 1,
     "the libraries: fetching pillow, number 2"),
    ("Collecting pillow\nInstalling collected packages: tzdata, pillow, ruff\n", 2, "the libraries: installing 2 of about 3")])
def test_what_pip_does_is_said_in_a_line(said, installed, told):
    assert environment.doing(said, installed, "the libraries") == told


def test_a_long_step_is_told_every_few_seconds(tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "PULSE", 0.05)
    monkeypatch.setattr(environment, "LOOK", 0.02)
    (tmp_path / "lib" / "python3.11" / "site-packages" / "pillow.dist-info").mkdir(parents=True)
    slow = "import time; print('Installing collected packages: a, b', flush=True); time.sleep(0.5)"
    lines = list(environment.told("the libraries", [sys.executable, "-S", "-c", slow], tmp_path))
    assert len(lines) > 1 and lines[-1] == "the libraries: installing 1 of about 2"


def test_a_failure_of_pip_is_shown_whole(tmp_path, monkeypatch, capsys):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho Error: no space left\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    monkeypatch.setattr(environment, "LOOK", 0.02)
    assert environment.main(tmp_path / "made", ".") == 3
    said = capsys.readouterr()
    assert "an empty environment" in said.out and "no space left" in said.err
