"""python -m tools.image_trial: the steps of the Dockerfile in a clean Debian, and what comes of them, run as a container runs it.

Where no image can be pulled, debootstrap makes the Debian release that the base image is named after, with its own Python in the
place of the image's. Each step is taken there by chroot, from a clean context. Then the bot is started as the image's user,
without capabilities, on a root that is read-only but for /data and /tmp: with a Discord on the loopback, while people play. Each
line says what was tried; the last ones say what was not. Needs root, and Debian's debootstrap; hadolint is asked if it is there.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from bench.crowd import Crowd
from bench.load import clubs_of
from bench.loopback import TOKEN, Loopback, server
from bench.stored import server_of, stocked
from tools.environment import configured

ROOT = Path(__file__).resolve().parents[1]
BASE = re.compile(r"python:(?P<python>[\d.]+)-slim-(?P<release>[a-z]+)")
KNOWN = ("FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "HEALTHCHECK", "ENTRYPOINT")
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
FORM = f"{'M' * 24}.Gabcde.{'z' * 38}"         # a token by its form
GAMES, LENGTHS = 6, range(20, 40)               # that are played in the image, and their rows at the beginning
PLAYED = 10.0                                   # seconds, at RATE deeds a second
RATE = 5.0
PATIENCE = 60.0                                 # seconds for a start
STOPPED = 2                                     # exit status of a start without a token
NOT_TRIED = ("the image's own Python and its other files; layers, registries, the Docker daemon and its seccomp profile",
             "compose.yaml, its limit of memory and the service that replicates")


class Step(NamedTuple):
    """A line of a Dockerfile."""

    word: str
    rest: str


@dataclass
class Stage:
    """A file system that is being made, and how the next process in it starts."""

    root: Path
    folder: str = "/"
    user: str = "0"
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    volumes: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)


def steps(dockerfile: str) -> list[Step]:
    """The lines of a Dockerfile. Raises ValueError: one that this trial doesn't know."""
    lines = (line for line in dockerfile.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#"))
    found = [Step(word.upper(), rest.strip()) for word, _, rest in (line.strip().partition(" ") for line in lines)]
    for step in found:
        if step.word not in KNOWN:
            raise ValueError(f"{step.word} isn't tried")
    return found


def handed_over(ignored: str) -> set[str]:
    """What stands at the top of the build context, by a .dockerignore that names all that is in it."""
    lines = ignored.split("\n")
    if "*" not in lines:
        raise ValueError(".dockerignore must begin with *, and name what is in the context")
    return {line[1:] for line in lines if line.startswith("!")}


def shell(root: Path, command: Sequence[str], *, folder: str = "/", user: str = "0", shown: Sequence[str] = (),
          writable: Mapping[str, Path] | None = None) -> str:
    """A script for a mount namespace of its own that runs a command in a root.

    `shown`: files and folders of this machine that are seen there; `writable`: if given, the root is read-only but for /tmp and
    these folders, and the user has no capabilities and gets none.
    """
    here = shlex.quote(str(root))
    lines = ["set -eu", f"mount --bind {here} {here}"]
    for path in map(Path, shown):
        place = shlex.quote(f"{root}{path}")
        made = f"mkdir -p {place}" if path.is_dir() else f"mkdir -p $(dirname {place}) && touch {place}"
        lines += [made, f"mount --bind -o ro {shlex.quote(str(path))} {place}"]
    lines += [f"mount -t proc proc {here}/proc", f"mount --rbind /dev {here}/dev"]
    rights = f"setpriv --reuid={user} --regid={user} --clear-groups"
    if writable is not None:
        lines += [f"mount -o remount,bind,ro {here}", f"mount -t tmpfs tmpfs {here}/tmp"]
        lines += [f"mount --bind {shlex.quote(str(path))} {here}{place}" for place, path in writable.items()]
        rights += " --inh-caps=-all --bounding-set=-all --no-new-privs"
    inside = f"cd {shlex.quote(folder)}; exec {shlex.join(command)}"
    return "\n".join([*lines, f"exec chroot {here} {rights} /bin/sh -c {shlex.quote(inside)}"])


def apart(script: str) -> list[str]:
    """The command that runs a script in a mount namespace of its own; what it has mounted goes when it ends."""
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]


def shown(word: str) -> str:
    """What of this machine pip needs for a word of its configuration: a file or folder; beside an index lie its files."""
    index = word.removeprefix("file://")
    return str(Path(index).parent) if index != word else word if word.startswith("/") else ""


class Trial:
    """The stages of an image in a folder, and what was found."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.stages, self.names = folder, list[Stage](), dict[str, Stage]()
        self.context = folder / "context"
        said = subprocess.check_output([sys.executable, "-m", "pip", "config", "list"], text=True)
        self.pip = {f"PIP_{key.upper().replace('-', '_')}": value for key, value in configured(said).items()}
        self.shown = ["/etc/resolv.conf", *filter(os.path.exists, map(shown, " ".join(self.pip.values()).split()))]

    # -- building

    def build(self) -> Stage:
        """Take all steps; the last stage is the image."""
        self._make_context()
        for step in steps((ROOT / "Dockerfile").read_text(encoding="utf-8")):
            begin = time.monotonic()
            getattr(self, f"_{step.word.lower()}")(step.rest)
            told(f"{step.word} {step.rest}", time.monotonic() - begin)
        return self.stages[-1]

    def _make_context(self) -> None:
        wanted = handed_over((ROOT / ".dockerignore").read_text(encoding="utf-8"))
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
        for name in filter(None, tracked):
            if PurePosixPath(name).parts[0] in wanted:
                target = self.context / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, target)

    def _from(self, rest: str) -> None:
        image, _, name = rest.partition(" AS ")
        parts = BASE.fullmatch(image)
        if parts is None:
            raise ValueError(f"{image} isn't a base that this trial can make")
        base = self.folder / parts["release"]
        if not base.exists():
            debootstrap = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv,ca-certificates", parts["release"]]
            subprocess.run([*debootstrap, str(base)], check=True, stdout=subprocess.DEVNULL)
            (base / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        stage = Stage(self.folder / f"stage{len(self.stages)}")
        subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(stage.root)], check=True)
        self.stages.append(stage)
        self.names[name] = stage

    def _workdir(self, rest: str) -> None:
        self.stages[-1].folder = rest
        self._at(rest).mkdir(parents=True, exist_ok=True)

    def _copy(self, rest: str) -> None:
        *sources, target = rest.split()
        origin = self.context
        if sources[0].startswith("--from="):
            origin = self.names[sources.pop(0).removeprefix("--from=")].root
        for source in sources:
            found, place = origin / source.lstrip("/"), self._at(target)
            if found.is_dir():
                shutil.copytree(found, place, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy2(found, place / found.name if target.endswith("/") else place)

    def _run(self, rest: str) -> None:
        stage = self.stages[-1]
        script = shell(stage.root, ["/bin/sh", "-c", rest], folder=stage.folder, user=stage.user,
                       shown=self.shown)
        done = subprocess.run(apart(script), env={**stage.environment, **self.pip}, text=True, capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"{done.stdout}{done.stderr}")

    def _user(self, rest: str) -> None:
        self.stages[-1].user = rest

    def _env(self, rest: str) -> None:
        self.stages[-1].environment |= dict(pair.split("=", 1) for pair in shlex.split(rest))

    def _volume(self, rest: str) -> None:
        self.stages[-1].volumes.append(rest)

    def _healthcheck(self, rest: str) -> None:
        self.stages[-1].health = json.loads(rest.partition("CMD ")[2])

    def _entrypoint(self, rest: str) -> None:
        self.stages[-1].entrypoint = json.loads(rest)

    def _at(self, path: str) -> Path:
        stage = self.stages[-1]
        return stage.root / str(PurePosixPath(stage.folder) / path).lstrip("/")


class Container:
    """The image with a volume, as `docker run --read-only --cap-drop ALL` would have it."""

    def __init__(self, image: Stage, volume: Path) -> None:
        self.image, self.volume = image, volume
        (place,) = image.volumes
        self.place = place
        shutil.copytree(image.root / place.lstrip("/"), volume)
        owner = (image.root / place.lstrip("/")).stat()
        os.chown(volume, owner.st_uid, owner.st_gid)
        volume.chmod(owner.st_mode & 0o7777)

    def command(self, *words: str) -> list[str]:
        """What runs a command in it."""
        return apart(shell(self.image.root, words, folder=self.image.folder, user=self.image.user,
                           writable={self.place: self.volume}))

    def environment(self, token: str | None, **more: str) -> dict[str, str]:
        """What a process in it knows."""
        return {**self.image.environment, **({"DISCORD_TOKEN": token} if token else {}), **more}

    def says(self, *words: str, token: str | None = None) -> tuple[int, str]:
        """The exit status of a command, and what it said."""
        done = subprocess.run(self.command(*words), env=self.environment(token), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=PATIENCE)
        return done.returncode, done.stdout.strip()

    def bot(self, *words: str, token: str | None = None) -> tuple[int, str]:
        """The same for words behind the entry point."""
        return self.says(*self.image.entrypoint, *words, token=token)


def told(line: str, seconds: float | None = None) -> None:
    """A line for whoever watches."""
    print(line if seconds is None else f"{seconds:6.1f} s  {line}", flush=True)


def tried(container: Container) -> Iterator[tuple[str, bool, str]]:
    """What a stopped container says and can do; whether it is as it should be, and its own words."""
    status, said = container.bot("check")
    yield "check without a token: status 1, and it says so", status == 1 and "There is no token" in said, said
    status, said = container.bot("check", token=FORM)
    yield "check with a token: status 0", status == 0 and said.endswith("The bot can start."), said
    status, said = container.bot()
    yield "a start without a token: status 2, and one sentence", status == STOPPED and "token" in said and "\n" not in said, said
    status, said = container.says(*container.image.health)
    yield "the health check before a start: status 1", status == 1 and "Traceback" not in said, said
    status, said = container.says("/bin/sh", "-c", "id -u; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status")
    yield "no capability, and no way to one", said.split() == [container.image.user, "CapEff:", "0" * 16, "CapBnd:", "0" * 16,
                                                               "NoNewPrivs:", "1"], said
    status, said = container.says("/bin/sh", "-c", "touch /app/x /etc/x ~chancery/x /usr/x; touch /data/x /tmp/x && rm /data/x")
    yield "nothing can be written but in /data and /tmp", status == 0 and said.count("Read-only file system") == 4, said
    status, said = container.says("/bin/sh", "-c", "find / -xdev -perm /o=w ! -type l ! -perm -1000 2>/dev/null; true")
    yield "no file of the image can be written by all", not said, said


async def lived(container: Container) -> list[tuple[str, bool]]:
    """A bot in the container, and people who play; then it is told to stop."""
    found = list[tuple[str, bool]]()
    database = container.volume / "chancery.db"
    await asyncio.to_thread(stocked, database, GAMES, LENGTHS)
    for path in container.volume.iterdir():
        shutil.chown(path, int(container.image.user), int(container.image.user))
    clubs = await clubs_of(database, GAMES)
    for path in container.volume.iterdir():             # what reading has made beside it is the bot's again
        shutil.chown(path, int(container.image.user), int(container.image.user))
    servers = [server(number, [club.channel for club in clubs if server_of(club.game) == number])
               for number in range(1, server_of(GAMES) + 1)]
    async with Loopback(servers).open() as discord:
        environment = container.environment(TOKEN, CHANCERY_DISCORD_URL=discord.url)
        bot = await asyncio.create_subprocess_exec(*container.command(*container.image.entrypoint), env=environment,
                                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        begin = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE):
                while not (discord.connected and discord.commands):
                    if bot.returncode is not None:
                        break
                    await asyncio.sleep(0.1)
            found.append((f"the bot is on a Discord of this machine after {time.monotonic() - begin:.1f} s",
                          bot.returncode is None))
            crowd = Crowd(discord, clubs)
            await crowd.act(RATE, PLAYED)
            found.append((f"{crowd.seen.acted} deeds of people, all answered; {len(discord.pictured)} pictures posted",
                          not crowd.seen.unanswered and bool(discord.pictured)))
            status, said = await asyncio.to_thread(container.says, *container.image.health)
            found.append(("the health check while it runs: status 0", status == 0 and "sign of life" in said))
            status, said = await asyncio.to_thread(container.bot, "backup")
            found.append(("a copy while it runs: status 0", status == 0))
        finally:
            if bot.returncode is None:
                bot.send_signal(signal.SIGTERM)
        said_last = (await asyncio.wait_for(bot.communicate(), PATIENCE))[0].decode()
        found.append(("SIGTERM ends it: status 0", bot.returncode == 0))
        found.append(("its log has no error", not re.search("Traceback|ERROR", said_last)))
        if not all(good for _, good in found):
            told(said_last)
    owners = {path: path.stat() for path in container.volume.rglob("*")}
    found.append(("its files are its own alone", all(
        stat.st_uid == int(container.image.user) and not stat.st_mode & 0o077 for stat in owners.values())))
    with closing(sqlite3.connect(database)) as conn:
        found.append(("the database is whole", conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)))
    return found


def main(words: Sequence[str] = ()) -> int:
    """The exit status: 0 if all that was tried is as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tools.image_trial", description="the Dockerfile, tried in a clean Debian")
    parser.add_argument("--folder", type=Path, help="where the Debian is kept for another time (default: a new one, thrown away)")
    folder: Path | None = parser.parse_args(words).folder
    missing = [tool for tool in ("debootstrap", "unshare", "setpriv") if shutil.which(tool) is None]
    if missing or os.geteuid() != 0:
        told(f"This needs root, and {', '.join(missing or ['nothing else'])}.")
        return 2
    faults = 0
    hadolint = shutil.which("hadolint")
    if hadolint is not None:
        linted = subprocess.run([hadolint, str(ROOT / "Dockerfile")], text=True, capture_output=True, check=False)
        faults += told_of("hadolint has nothing to say", linted.returncode == 0)
        told(linted.stdout)
    else:
        told("not tried: hadolint isn't there")
    with tempfile.TemporaryDirectory(prefix="image-") as new:
        for old in folder.glob("stage*") if folder is not None else ():
            shutil.rmtree(old)
        shutil.rmtree((folder or Path(new)) / "context", ignore_errors=True)
        image = Trial(folder or Path(new)).build()
        python = subprocess.check_output(["chroot", str(image.root), *image.entrypoint[:1], "--version"], text=True)
        told(f"made of Debian {(image.root / 'etc/debian_version').read_text(encoding='utf-8').strip()} with {python.strip()}")
        container = Container(image, Path(new) / "volume")
        for line, good, said in tried(container):
            faults += told_of(line, good)
            if not good:
                told(said)
        for line, good in asyncio.run(lived(container)):
            faults += told_of(line, good)
    for line in NOT_TRIED:
        told(f"not tried: {line}")
    return 1 if faults else 0


def told_of(line: str, good: bool) -> int:
    """Say whether something is as it should be; 1 if not."""
    told(f"{'✔' if good else '✘'} {line}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
