"""What programs may ask of a running bot: figures without ids, and whether it is well; lines of the log that belong together."""
from __future__ import annotations

import asyncio
import io
import logging
import re
import socket
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from bot.domain import interaction_id
from bot.operator import config, logs, metrics
from engine.refusals import Faulty
from tests.bot.discord_world import World

DEPLOY = Path(__file__).parents[2] / "deploy"
OURS = re.compile(r"chancery_[a-z_]+")


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        return int(free.getsockname()[1])


async def asked(port: int, path: str) -> tuple[int, str]:
    async with ClientSession() as http, http.get(f"http://127.0.0.1:{port}{path}") as response:
        return response.status, await response.text()


async def test_metrics_say_how_the_bot_fares_and_nothing_of_anybody(world: World) -> None:
    port = free_port()
    async with metrics.serving(world.bot, ("127.0.0.1", port)):
        await world.guessed()
        status, said = await asked(port, "/metrics")
        assert (status, (await asked(port, "/healthz"))) == (200, (200, "ok\n"))
        with pytest.raises(Faulty, match=r"CHANCERY_METRICS can't be used: .*address already in use"):
            async with metrics.serving(world.bot, ("127.0.0.1", port)):
                raise AssertionError("it is taken")
    found = {sample.name: sample.value for family in text_string_to_metric_families(said) for sample in family.samples
             if sample.labels in ({}, {"state": "running"})}
    assert found["chancery_games"] == found["chancery_connected"] == 1 and found["chancery_outbox_messages"] == 0
    assert found["chancery_errors"] == 0 and found["chancery_database_bytes"] > 0
    for took in ("acknowledged", "answered", "picture", "store"):
        assert found[f"chancery_{took}_seconds_count"] > 0, took
    assert not any(str(one.id) in said for one in (world.alice, world.bob, world.table, world.guild))
    wanted = {name for file in ("alerts.yml", "dashboard.json") for name in OURS.findall((DEPLOY / file).read_text("utf-8"))}
    assert wanted <= set(OURS.findall(said)) and len(wanted) > 8


async def test_health_says_what_is_the_matter(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    async with metrics.serving(world.bot, ("127.0.0.1", port)):
        monkeypatch.setattr(world.bot, "is_ready", lambda: False)
        assert await asked(port, "/healthz") == (503, "not connected to Discord\n")
        for part in ("", "-wal", "-shm"):
            world.path.with_name(f"{world.path.name}{part}").rename(world.path.with_name(f"gone{part}"))
        assert await asked(port, "/healthz") == (503, "a file of the database was deleted or replaced\n")
        for part in ("", "-wal", "-shm"):
            world.path.with_name(f"gone{part}").rename(world.path.with_name(f"{world.path.name}{part}"))


async def test_errors_are_counted(world: World) -> None:
    await world.services.session.incident(RuntimeError(), {"deed": ""}, None)
    await world.services.session.incident(RuntimeError(), {"deed": ""}, None)
    assert world.services.session.faults == 2


@pytest.mark.parametrize("address", ["0.0.0.0:9464", "example.org:80", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:9464/x", "9464"])
def test_only_this_machine_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("CHANCERY_METRICS", address)
    with pytest.raises(Faulty, match=r"CHANCERY_METRICS can't be used\. It must be an address of this machine"):
        config.read(tmp_path / ".env")


@pytest.mark.parametrize(("address", "read"), [("127.0.0.1:9464", ("127.0.0.1", 9464)), ("localhost:80", ("localhost", 80)),
                                               ("[::1]:9464", ("::1", 9464))])
def test_an_address_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, read: tuple[str, int]) -> None:
    monkeypatch.setenv("CHANCERY_METRICS", address)
    assert config.read(tmp_path / ".env").metrics_address == read


async def test_lines_of_one_interaction_carry_one_number() -> None:
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.setFormatter(logs.PlainFormatter("%(interaction)s %(message)s"))
    log = logging.getLogger("of.interactions")
    log.addHandler(handler)

    async def interaction(name: str) -> None:
        interaction_id.begin()
        log.error("%s begins", name)
        await asyncio.sleep(0)
        log.error("%s ends", name)

    await asyncio.gather(interaction("first"), interaction("second"))
    log.error("nobody's")
    log.removeHandler(handler)
    first, second, first_too, second_too, nobody = said.getvalue().splitlines()
    assert first.split()[0] == first_too.split()[0] != second.split()[0] == second_too.split()[0]
    assert re.match(r" #\d+ first", first) and nobody == " nobody's"


async def test_a_command_and_a_press_are_interactions_of_their_own(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    numbers: list[int] = []

    async def attended(_: object) -> None:
        numbers.append(interaction_id.CURRENT.get())

    monkeypatch.setattr(world.bot, "attended", attended)
    await world.alice.slash(world.table, "game status")
    await world.alice.click(world.question("**Amber**"), label="Take 1 pebble, left")
    assert len(set(numbers)) == 2 and all(numbers)
