"""Making the environment: what is told meanwhile."""
from __future__ import annotations

import re
import sys
from pathlib import Path

from tools import environment

ROOT = Path(__file__).resolve().parents[2]


def test_uv_looks_where_pip_is_told_to_and_the_environment_goes_before_files():
    said = """:env:.find-links='/wheels'
global.cert='/certificates.pem'
global.extra-index-url='file:///one/simple\\nfile:///two/simple'
global.find-links='/old /older'
install.index-url='https://mirror.example/simple'
user.default-timeout='180'
"""
    assert environment.settings(said) == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple", "UV_INDEX": "file:///one/simple file:///two/simple",
        "UV_FIND_LINKS": "/wheels", "SSL_CERT_FILE": "/certificates.pem"}
    assert environment.settings("") == {}


def test_what_installs_the_rest_is_the_uv_of_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert re.fullmatch(r"uv==\d+\.\d+\.\d+", environment.installer())


def test_a_long_step_is_told_every_few_seconds(tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "PULSE", 0.05)
    monkeypatch.setattr(environment, "LOOK", 0.02)
    (tmp_path / "lib" / "python3.11" / "site-packages" / "pillow.dist-info").mkdir(parents=True)
    slow = "import os, time; print(os.environ['UV_INDEX'], flush=True); time.sleep(0.5)"
    lines = list(environment.told("the libraries", [sys.executable, "-S", "-c", slow], tmp_path, {"UV_INDEX": "mirror"}))
    assert len(lines) > 1 and lines[-1] == "the libraries: 1 installed"
    assert (tmp_path / "environment.log").read_text(encoding="utf-8").startswith("mirror")


def test_a_failure_of_a_step_is_shown_whole(tmp_path, monkeypatch, capsys):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho Error: no space left\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    monkeypatch.setattr(environment, "LOOK", 0.02)
    assert environment.main(tmp_path / "made", ".") == 3
    said = capsys.readouterr()
    assert "an empty environment" in said.out and "no space left" in said.err
