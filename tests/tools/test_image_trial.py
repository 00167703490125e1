"""The trial of the image: it knows every step of the Dockerfile, and the context holds what they copy and nothing else."""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tools import image_trial
from tools.image_trial import BASE, Trial, handed_over, shell, steps

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = steps((ROOT / "Dockerfile").read_text(encoding="utf-8"))
CONTEXT = handed_over((ROOT / ".dockerignore").read_text(encoding="utf-8"))


def test_every_step_of_the_dockerfile_is_known_and_its_base_can_be_made():
    assert [step.word for step in DOCKERFILE].count("FROM") == 2 and DOCKERFILE[-1].word == "ENTRYPOINT"
    assert all(BASE.fullmatch(step.rest.partition(" AS ")[0]) for step in DOCKERFILE if step.word == "FROM")
    assert steps("# a comment\nRUN one && \\\n    two\n") == [("RUN", "one &&      two")]
    with pytest.raises(ValueError, match="ADD isn't tried"):
        steps("ADD elsewhere /")


def test_the_context_is_what_is_copied():
    copied = {name for step in DOCKERFILE if step.word == "COPY" and not step.rest.startswith("--from")
              for name in step.rest.split()[:-1]}
    assert copied == CONTEXT and all((ROOT / name).exists() for name in copied)


def test_steps_lead_to_the_file_system_that_docker_would_make(tmp_path, monkeypatch):
    monkeypatch.setattr(subprocess, "check_output", lambda *_, **__: "global.find-links='/'\nglobal.index-url='file:///usr/simple'")
    trial = Trial(tmp_path)
    assert trial.pip == {"PIP_FIND_LINKS": "/", "PIP_INDEX_URL": "file:///usr/simple"}
    assert trial.shown == ["/etc/resolv.conf", "/", "/usr"], "beside an index lie its files"
    trial.stages.append(image_trial.Stage(tmp_path / "image"))
    (trial.context / "bot").mkdir(parents=True)
    (trial.context / "bot" / "a.py").write_text("")
    (trial.context / "README.md").write_text("")
    for word, rest in (("workdir", "/src"), ("copy", "README.md ./"), ("copy", "bot bot"), ("user", "10001"),
                       ("env", 'A=1 B="2 3"')):
        getattr(trial, f"_{word}")(rest)
    assert (tmp_path / "image/src/README.md").exists() and (tmp_path / "image/src/bot/a.py").exists()
    stage = trial.stages[-1]
    assert (stage.user, stage.environment["A"], stage.environment["B"]) == ("10001", "1", "2 3")


def test_a_container_is_read_only_but_for_its_volume_and_has_no_rights(tmp_path):
    script = shell(tmp_path, ["bot"], user="10001", writable={"/data": Path("/volume")})
    assert "remount,bind,ro" in script and f"mount --bind /volume {tmp_path}/data" in script
    assert re.search(r"--reuid=10001 .*--bounding-set=-all --no-new-privs", script)
    assert "remount" not in shell(tmp_path, ["build"])
