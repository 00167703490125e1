"""Making the environment: what is told meanwhile."""
from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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
    configuration = environment.configured(said)
    assert environment.settings(configuration) == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple", "UV_INDEX": "file:///one/simple file:///two/simple",
        "UV_FIND_LINKS": "/wheels", "SSL_CERT_FILE": "/certificates.pem"}
    assert environment.configured("") == {} == environment.settings({}) and environment.flags(configuration) == []


def test_uv_is_told_of_certificates_patience_and_that_there_is_no_index_and_not_what_other_commands_of_pip_are_told():
    configuration = environment.configured("""download.index-url='https://elsewhere.example/simple'
global.client-cert='/me.pem'
global.index-url='https://mirror.example/simple?a=b'
global.no-index='true'
global.timeout='60'
install.proxy='http://proxy.example:3128'
""")
    assert environment.settings(configuration) == {
        "SSL_CLIENT_CERT": "/me.pem", "UV_DEFAULT_INDEX": "https://mirror.example/simple?a=b", "UV_HTTP_TIMEOUT": "60",
        "ALL_PROXY": "http://proxy.example:3128"}
    assert environment.flags(configuration) == ["--no-index"]
    assert environment.flags(environment.configured("global.no-index='false'")) == []


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
    monkeypatch.setattr(environment, "LOOK", 0.02)
    assert environment.main(tmp_path / "made", ".", str(broken)) == 3
    said = capsys.readouterr()
    assert "an empty environment" in said.out and "no space left" in said.err


PYTHON = """#!/bin/sh
[ "$1" = -c ] || echo "python $@" PIP_USER=$PIP_USER $PYTHONPATH >> {heard}
case "$*" in
    "-c "*) echo {wheel} ;;
    "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    *" uv=="*) {bring} ;;
    *" config list") echo "global.no-index='1'" ;;
    *) echo pip has done it; exit {status} ;;
esac
"""
UV = """#!/bin/sh
echo "uv $@" >> {heard}
case "$*" in *{fails}*) echo uv has not done it; exit 2 ;; esac
"""
LOCKED, LIBRARIES = "--require-hashes --requirement requirements.lock", "--editable .[dev]"


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, list[str]]]:
    """Make an environment with a Python and a uv that only say how they were called: the exit status, and those calls."""
    def made(bring: str = "", *, fails: str = "nothing", status: int = 0, wheel: str = "") -> tuple[int, list[str]]:
        calls, interpreter, uv = tmp_path / "calls", tmp_path / "interpreter", tmp_path / "uv"
        uv.write_text(UV.format(heard=calls, fails=fails), encoding="utf-8")
        bring = bring or f"cp {uv} {tmp_path}/made/bin/uv; chmod +x {tmp_path}/made/bin/uv"
        interpreter.write_text(PYTHON.format(heard=calls, bring=bring, status=status, wheel=wheel), encoding="utf-8")
        interpreter.chmod(0o755)
        monkeypatch.setattr(environment, "LOOK", 0.005)
        monkeypatch.setenv("PIP_USER", "1")
        monkeypatch.chdir(ROOT)
        return environment.main(tmp_path / "made", ".[dev]", str(interpreter)), calls.read_text(encoding="utf-8").splitlines()
    return made


def test_uv_installs_and_pip_only_brings_it_whatever_pip_is_used_to(heard, capsys):
    status, calls = heard()
    assert status == 0 and "pip does" not in capsys.readouterr().out
    assert [call.split()[0] for call in calls] == ["python", "python", "python", "uv", "uv"]
    assert "--only-binary :all: uv==" in calls[1] and calls[1].endswith("PIP_USER=0")
    assert calls[3].endswith(f"--no-index {LOCKED}") and calls[4].endswith(LIBRARIES)


@pytest.mark.parametrize("bring", ["exit 1", "true"], ids=["no wheel", "not where it should be"])
def test_where_uv_cannot_be_had_pip_installs_the_same_and_a_line_says_so(heard, capsys, bring):
    status, calls = heard(bring)
    said = capsys.readouterr()
    assert status == 0 and not said.err and said.out.count("uv can't do it here, so pip does") == 1
    assert all(wanted in call and "PIP_USER=0" in call for wanted, call in zip((LOCKED, LIBRARIES), calls[-2:], strict=True))
    assert not any(call.startswith("uv ") for call in calls)


@pytest.mark.parametrize(("fails", "by_pip"), [("requirements.lock", [LOCKED, LIBRARIES]), ("--editable", [LIBRARIES])])
def test_pip_does_what_uv_has_failed_to_do_and_what_comes_after(heard, capsys, fails, by_pip):
    status, calls = heard(fails=fails)
    assert status == 0 and not capsys.readouterr().err
    after = calls[max(no for no, call in enumerate(calls) if call.startswith("uv ")) + 1:]
    assert len(after) == len(by_pip) and all(wanted in call for wanted, call in zip(by_pip, after, strict=True))


def test_the_pip_that_comes_with_python_is_unpacked_only_where_uv_fails(heard, tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    wheel = tmp_path / "pip-1.whl"
    wheel.touch()
    status, (made, brought, told, *by_uv) = heard(wheel=str(wheel))
    assert status == 0 and "--without-pip" in made and brought.endswith(str(wheel)) and told.endswith(str(wheel))
    assert [call.split()[0] for call in by_uv] == ["uv", "uv"]
    (tmp_path / "calls").unlink()
    status, calls = heard(wheel=str(wheel), fails="--editable")
    assert status == 0 and "-m ensurepip" in calls[-2] and LIBRARIES in calls[-1] and str(wheel) not in calls[-1]


def test_the_pip_that_comes_with_python_is_found():
    (wheel,) = environment.bundled(sys.executable).values()
    assert re.fullmatch(r"pip-.*\.whl", Path(wheel).name) and environment.bundled("/nowhere/python3") == {}


def test_what_neither_of_them_can_do_is_a_failure_with_what_pip_has_said(heard, capsys):
    status, _ = heard(fails="requirements.lock", status=5)
    assert status == 5 and "pip has done it" in capsys.readouterr().err


BUILD = """#!/bin/sh
echo "{version}\n{seconds}\n{place}"
exit {status}
"""


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Puts an interpreter on the PATH that says what it is asked for when it is tried; the first is the one that asks."""
    monkeypatch.setenv("PATH", "")

    def build(folder: str, seconds: float, *, place: str = "", name: str = "python3",
              version: str = sys.implementation.cache_tag, status: int = 0) -> str:
        file = tmp_path / folder / name
        file.parent.mkdir()
        file.write_text(BUILD.format(version=version, seconds=seconds, place=place or file, status=status), encoding="utf-8")
        file.chmod(0o755)
        if path := os.environ["PATH"]:
            monkeypatch.setenv("PATH", f"{path}{os.pathsep}{file.parent}")
        else:
            monkeypatch.setattr(sys, "executable", str(file))
            monkeypatch.setenv("PATH", str(file.parent))
        return str(file)
    return build


def test_of_the_builds_of_this_version_on_the_path_the_quickest_is_taken(built):
    built("mine", 3)
    built("hardly", 2.9)
    best = built("distribution", 2, name=f"python3.{sys.version_info.minor}")
    assert environment.quickest() == best
    assert built("other version", 1, version="cpython-310") != environment.quickest() == best
    assert built("without venv", 1, status=1) != environment.quickest() == best


def test_this_interpreter_is_taken_if_no_other_is_clearly_quicker_or_the_other_is_the_same(built):
    mine = built("mine", 3)
    assert environment.quickest() == mine
    built("hardly", 2.9)
    built("again", 1, place=mine)
    assert environment.quickest() == mine


def test_an_interpreter_that_can_make_no_environment_leaves_it_to_another(built):
    mine = built("mine", 1, status=1)
    assert environment.quickest() == mine
    other = built("other", 2)
    assert environment.quickest() == other


def test_an_interpreter_is_tried_by_some_work_of_its_own():
    place, seconds = environment.tried(sys.executable)
    assert place == os.path.realpath(sys.executable) and 0 < seconds < environment.PATIENCE
    assert environment.tried("/nowhere/python3") is None
