"""python tools/environment.py FOLDER WHAT: make the environment and install the project in it, telling what is being done.

It runs before anything is installed, so it needs the standard library alone. Every few seconds it prints a line; if a step fails,
all that was said in it is printed, and its exit status is returned.
"""
from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

PULSE = 3.0             # seconds between two lines
LOOK = 0.2              # between looks whether pip has ended
NEWEST_PIP = "pip>=25"
LOCKED = "requirements.lock"
COLLECTED = re.compile(r"^\s*Collecting ([\w.-]+)", re.MULTILINE)
INSTALLING = re.compile(r"^\s*Installing collected packages: (.+)$", re.MULTILINE)


def doing(said: str, installed: int, step: str) -> str:
    """What is being done in a step, from what pip has said so far and the number of libraries that are there."""
    if together := INSTALLING.findall(said):
        most = together[-1].count(",") + 1
        return f"{step}: installing {min(installed, most)} of about {most}"
    found = COLLECTED.findall(said)
    return f"{step}: fetching {found[-1]}, number {len(found)}" if found else step


def libraries(folder: Path) -> int:
    """How many are installed in an environment."""
    return sum(1 for _ in folder.glob("lib/*/site-packages/*.dist-info"))


def told(step: str, command: Sequence[str], folder: Path) -> Iterator[str]:
    """Run a command, and say every few seconds what it does. Raises CalledProcessError, with all that it said."""
    folder.mkdir(exist_ok=True)
    log = folder / "environment.log"
    with log.open("w", encoding="utf-8") as out:
        running = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        last = time.monotonic()
        while running.poll() is None:
            time.sleep(LOOK)
            if time.monotonic() - last >= PULSE:
                last = time.monotonic()
                yield doing(log.read_text(encoding="utf-8", errors="replace"), libraries(folder), step)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command, log.read_text(encoding="utf-8", errors="replace"))


def main(folder: Path, what: str) -> int:
    """The exit status."""
    begin = time.monotonic()

    def say(line: str) -> None:
        print(f"  {time.monotonic() - begin:3.0f} s  {line}", flush=True)

    print(f"Making the environment in {folder}; this takes about a minute, once.", flush=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--progress-bar", "off"]
    steps = {"an empty environment": [sys.executable, "-m", "venv", str(folder)],
             "the newest pip": [*pip, "--upgrade", NEWEST_PIP],
             "what the bot runs on": [*pip, "--require-hashes", "--requirement", LOCKED],
             "the libraries": [*pip, "--editable", what]}
    try:
        for step, command in steps.items():
            say(step)
            for line in told(step, command, folder):
                say(line)
    except subprocess.CalledProcessError as failed:
        print(failed.output, file=sys.stderr)
        return failed.returncode
    say("ready")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
