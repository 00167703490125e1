"""python tools/environment.py FOLDER WHAT [--quickest]: make the environment and install the project in it, telling what is done.

With --quickest it is made with the quickest build of this version of Python on the PATH: builds without optimisations, such as
pyenv's, take up to half as long again for the same work. They are tried, as some that are optimised don't say so (Debian's).

It runs before anything is installed, so it needs the standard library alone. The pip that comes with Python, without being
unpacked, brings uv, and uv the rest, in a tenth of pip's time, from where pip is told to look; where uv can't be had or fails,
pip is unpacked, does the rest itself and checks the same hashes. Nothing is compiled ahead: Python keeps what it compiles when
it first needs it. Every few seconds a line is printed; if a step fails, all that was said in it is printed, and its exit status
is returned.
"""
from __future__ import annotations

import ast
import math
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PULSE = 3.0             # seconds between two lines
LOOK = 0.05             # between looks whether a step has ended
LOCKED = "requirements.lock"
PROJECT = "pyproject.toml"
SECTIONS = ("global", "install", ":env:")            # of pip's configuration, as far as they speak of installing
LOOKING = {"index-url": ("UV_DEFAULT_INDEX", " "), "extra-index-url": ("UV_INDEX", " "), "find-links": ("UV_FIND_LINKS", ","),
           "trusted-host": ("UV_INSECURE_HOST", " "), "cert": ("SSL_CERT_FILE", " "), "client-cert": ("SSL_CLIENT_CERT", " "),
           "proxy": ("ALL_PROXY", " "), "timeout": ("UV_HTTP_TIMEOUT", " "), "default-timeout": ("UV_HTTP_TIMEOUT", " ")}
ALIKE = {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_SYSTEM_CERTS": "true"}       # as pip looks anyway
PATIENCE = 10           # seconds for an interpreter that is tried
ROUNDS = 3              # more in which each build does a little work
CLEARLY = 1.1           # times as fast as this interpreter is what another one must be
WORK = "sorted({str(n): n % 7 for n in range(2000)}.items(), key=lambda pair: (pair[1], len(pair[0])))"
TRIED = f"""import ensurepip, os, sqlite3, ssl, sys, time, timeit, venv
print(sys.implementation.cache_tag, min(timeit.repeat({WORK!r}, timer=time.process_time, repeat=40, number=1)),
      os.path.realpath(sys.executable), sep="\\n")"""
BUNDLED = """import ensurepip, glob, os, sysconfig
folders = os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"), sysconfig.get_config_var("WHEEL_PKG_DIR") or ""
print(*[wheel for folder in folders if folder for wheel in glob.glob(os.path.join(folder, "pip-*.whl"))][:1])"""
HERE = {"PIP_USER": "0", "PIP_REQUIRE_HASHES": "0"}     # into this environment; hashes where a step asks for them


def libraries(folder: Path) -> int:
    """How many are installed in an environment."""
    return sum(1 for _ in folder.glob("lib/*/site-packages/*.dist-info"))


def configured(said: str) -> dict[str, str]:
    """What pip is told when it installs, from what `pip config list` has said; the environment goes before files."""
    found = dict[str, str]()
    for line in sorted(said.splitlines(), key=lambda line: line.startswith(":env:")):
        name, separator, value = line.partition("=")
        section, _, key = name.rpartition(".")
        if separator and section in SECTIONS:
            found[key] = str(ast.literal_eval(value))
    return found


def settings(configuration: Mapping[str, str]) -> dict[str, str]:
    """Where and how to look for libraries, in uv's variables."""
    known = ((*LOOKING[key], value) for key, value in configuration.items() if key in LOOKING)
    return {variable: between.join(value.split()) for variable, between, value in known}


def flags(configuration: Mapping[str, str]) -> list[str]:
    """What uv has no variable for."""
    return ["--no-index"] if configuration.get("no-index", "").lower() in ("1", "true", "yes", "on") else []


def installer() -> str:
    """The version of uv that the project is developed with, as pip is asked for it."""
    developers: list[str] = tomllib.loads(Path(PROJECT).read_text(encoding="utf-8"))["project"]["optional-dependencies"]["dev"]
    return next(wanted for wanted in developers if wanted.startswith("uv=="))


def tried(interpreter: str) -> tuple[str, float] | None:
    """Where it really is, and its seconds for a little work; None if it is of another version or can't make an environment."""
    try:
        said = subprocess.check_output([interpreter, "-c", TRIED], stderr=subprocess.DEVNULL, text=True, timeout=PATIENCE)
        version, seconds, place = said.splitlines()
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return (place, float(seconds)) if version == sys.implementation.cache_tag else None


def quickest() -> str:
    """The quickest of the builds of this version of Python on the PATH; this one, unless another is clearly quicker."""
    names = ("python3", f"python3.{sys.version_info.minor}")
    found = [sys.executable, *(os.path.join(folder, name) for folder in os.get_exec_path() for name in names)]
    files, builds, seconds = set[str](), dict[str, str](), dict[str, float]()
    for path in found:
        file = os.path.realpath(path)
        if file not in files and (run := tried(path)):
            builds.setdefault(run[0], path)
            seconds.setdefault(*run)
        files.add(file)
    for _ in range(ROUNDS if len(builds) > 1 else 0):
        for place in seconds:           # itself, without the script that may stand for it on the PATH
            _, took = tried(place) or ("", math.inf)
            seconds[place] = min(seconds[place], took)
    mine = next((place for place, path in builds.items() if path == sys.executable), None)
    best = min(seconds, key=seconds.__getitem__, default=None)
    if best is None or (mine is not None and seconds[best] * CLEARLY >= seconds[mine]):
        return sys.executable
    return builds[best]


def bundled(interpreter: str) -> dict[str, str]:
    """What runs the pip that comes with an interpreter without unpacking it, as variables; nothing where it can't be found."""
    try:
        wheel = subprocess.check_output([interpreter, "-c", BUNDLED], stderr=subprocess.DEVNULL, text=True).strip()
    except (OSError, subprocess.SubprocessError):
        return {}
    return {"PYTHONPATH": wheel} if os.path.isfile(wheel) else {}


def told(step: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Run a command, and say every few seconds what it does. Raises CalledProcessError, with all that it said."""
    folder.mkdir(exist_ok=True)
    log = folder / "environment.log"
    with log.open("w", encoding="utf-8") as out:
        running = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment)
        last = time.monotonic()
        while running.poll() is None:
            time.sleep(LOOK)
            if time.monotonic() - last >= PULSE:
                last = time.monotonic()
                yield f"{step}: {libraries(folder)} installed"
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command, log.read_text(encoding="utf-8", errors="replace"))


def main(folder: Path, what: str, interpreter: str) -> int:
    """The exit status."""
    begin = time.monotonic()

    def say(line: str) -> None:
        print(f"  {time.monotonic() - begin:3.0f} s  {line}", flush=True)

    def done(step: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        say(step)
        for line in told(step, command, folder, environment):
            say(line)

    print(f"Making the environment in {folder} with {interpreter}; this takes about half a minute, once.", flush=True)
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    by_pip = [*pip, "install", "--no-compile", "--progress-bar", "off"]
    wheel = bundled(interpreter)
    for_pip = {**os.environ, **HERE}
    missing = {"what the bot runs on": ["--require-hashes", "--requirement", LOCKED], "the libraries": ["--editable", what]}
    try:
        done("an empty environment", [interpreter, "-m", "venv", str(folder), *(["--without-pip"] if wheel else [])], os.environ)
        try:
            done("what installs the rest", [*by_pip, "--only-binary", ":all:", installer()], {**for_pip, **wheel})
            configuration = configured(subprocess.check_output([*pip, "config", "list"], text=True, env={**os.environ, **wheel}))
            uv = [str(folder / "bin" / "uv"), "pip", "install", "--no-progress", "--python", python, *flags(configuration)]
            while missing:
                step = next(iter(missing))
                done(step, [*uv, *missing[step]], {**ALIKE, **settings(configuration), **os.environ})
                del missing[step]
        except (subprocess.CalledProcessError, OSError):
            say("uv can't do it here, so pip does: it takes longer")
            if wheel:
                done("pip", [python, "-m", "ensurepip"], os.environ)
            for step, wanted in missing.items():
                done(step, [*by_pip, *wanted], for_pip)
    except subprocess.CalledProcessError as failed:
        print(failed.output, file=sys.stderr)
        return failed.returncode
    say("ready")
    return 0


if __name__ == "__main__":
    place, wanted, *choose = sys.argv[1:]
    made = Path(place, "bin", "python")         # what is there keeps its interpreter
    sys.exit(main(Path(place), wanted, sys.executable if not choose else str(made) if made.exists() else quickest()))
