"""What programs may ask of a running bot: figures without ids, and whether it is well; lines of the log that belong together."""
from __future__ import annotations

import asyncio
import io
import logging
import platform
import re
import socket
from collections import Counter
from contextlib import closing
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest
from aiohttp import ClientError, ClientSession, web
from aiohttp.test_utils import TestServer
from prometheus_client.parser import text_string_to_metric_families

from bot.discord.interaction_delivery import tracing
from bot.domain import interaction_id
from bot.domain.recent import Recent
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
        await world.services.session.incident(RuntimeError(), {"deed": ""}, None)
        world.bot.health.refused.update({"429": 2, "none": 1})
        await asyncio.sleep(2 * metrics.BLINK)
        status, said = await asked(port, "/metrics")
        assert (status, (await asked(port, "/healthz"))) == (200, (200, "ok\n"))
        with pytest.raises(Faulty, match=r"CHANCERY_METRICS can't be used: .*address already in use"):
            async with metrics.serving(world.bot, ("127.0.0.1", port)):
                raise AssertionError("it is taken")
    kinds = {family.name: family.type for family in text_string_to_metric_families(said)}
    assert kinds["chancery_errors"] == kinds["chancery_discord_errors"] == kinds["process_cpu_seconds"] == "counter"
    found = {sample.name: sample.value for family in text_string_to_metric_families(said) for sample in family.samples
             if sample.labels in ({}, {"state": "running"}, {"shard": "0"})}
    assert found["chancery_games"] == found["chancery_connected"] == 1 and found["chancery_outbox_messages"] == 0
    assert found["chancery_errors_total"] == 1 and found["chancery_database_bytes"] > 0
    assert found["process_resident_memory_bytes"] > found["process_cpu_seconds_total"] > 0
    assert found["chancery_disk_free_bytes"] > 0
    assert f'chancery_build_info{{python="{platform.python_version()}",version="{version("chancery-moderator")}"}} 1.0' in said
    for status, times in (("429", 2), ("none", 1)):
        assert f'chancery_discord_errors_total{{status="{status}"}} {times}.0' in said
    for took in ("acknowledged", "answered", "picture", "store", "loop_lag"):
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
    assert world.services.session.troubles.errors == 2


async def test_what_discord_refuses_is_counted_by_status() -> None:
    refused, site = Counter[str](), web.Application()
    for status in (200, 404, 429, 503):
        site.router.add_get(f"/{status}", partial(_answer, status))
    async with TestServer(site) as server, ClientSession(trace_configs=[tracing(Recent(), refused)]) as http:
        for status in (200, 404, 429, 429, 503):
            await http.get(server.make_url(f"/{status}"))
    async with ClientSession(trace_configs=[tracing(Recent(), refused)]) as http:
        with pytest.raises(ClientError):
            await http.get(f"http://127.0.0.1:{free_port()}/")
    assert refused == {"404": 1, "429": 2, "503": 1, "none": 1}


async def _answer(status: int, _: web.Request) -> web.Response:
    return web.Response(status=status)


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
