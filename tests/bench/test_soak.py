"""The soak: what is taken for growth, and what the Discord with faults does to a bot."""
from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import ClientSession

from bench import troubled
from bench.crowd import Club, Crowd
from bench.soak import slope
from bench.stored import channel_of
from bench.troubled import Troubled
from tests.checks.loopback import Loopback, Shard

CLUB: Any = Club(1, channel_of(1), {}, None, 0)


@dataclass
class Standing:
    """As much of a table as tells whether people go on."""

    last_no: int = 100
    over: bool = False


def noise(seed: int, many: int = 50, keeps: float = 0.0) -> list[float]:
    """A series around 500, each value nearer to the one before the more it `keeps`."""
    rng, now, out = random.Random(seed), 0.0, []
    for _ in range(many):
        now = keeps * now + rng.gauss(0, 1)
        out.append(500 + now)
    return out


@pytest.mark.parametrize("keeps", [0.0, 0.7])
def test_noise_is_no_growth_and_growth_is_found_in_it(keeps: float) -> None:
    flat = [slope(noise(seed, keeps=keeps)) for seed in range(30)]
    assert sum(grows > doubt for grows, doubt in flat) <= 4
    grown = [slope([value + number / 5 for number, value in enumerate(noise(seed, keeps=keeps))]) for seed in range(5)]
    assert all(grows > doubt for grows, doubt in grown)
    assert slope([1.0, 2.0])[1] == float("inf")


class Line:
    """The bot's end of a gateway connection."""

    def __init__(self) -> None:
        self.heard: list[Mapping[str, Any]] = []

    async def send_str(self, said: str) -> None:
        self.heard.append(json.loads(said))

    def told(self) -> list[str]:
        return [said["d"]["id"] if said["t"] == "INTERACTION_CREATE" else str(said["t"] or said["op"]) for said in self.heard]


def connected(discord: Troubled) -> Line:
    line: Any = Line()
    discord._shards.append(Shard(0, 1, line, line))
    return line


async def answered(discord: Loopback, token: str) -> tuple[int, int]:
    """The status and the code that Discord gives to an acknowledgement."""
    async with ClientSession() as http, http.post(f"{discord.url}/api/v10/interactions/1/{token}/callback",
                                                  json={"type": 5}) as reply:
        return reply.status, (await reply.json()).get("code", 0)


async def test_an_interaction_is_acknowledged_once_and_not_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    discord = Troubled([CLUB], random.Random(0))
    connected(discord)
    async with discord.open():
        await discord.press(7, CLUB.channel, "turn:1")
        (token,) = discord._asked
        assert await answered(discord, token) == (200, 0)
        assert await answered(discord, token) == (400, 40060)
        late = await discord.press(7, CLUB.channel, "turn:1")
        monkeypatch.setattr(late, "sent", late.sent - troubled.TOLERANCE)
        assert await answered(discord, [*discord._asked][-1]) == (404, 10062)
        assert not late.acknowledged.done()


async def test_what_happens_while_the_bot_is_away_is_told_when_it_resumes_and_never_when_it_cannot() -> None:
    discord = Troubled([CLUB], random.Random(0))
    line: Any = Line()
    discord._missed = []
    await discord.press(7, CLUB.channel, "turn:1")
    assert await discord._welcome(Shard(0, 1, line, line), 41)
    number, resumed = line.told()
    assert number.isdecimal() and resumed == "RESUMED" and [said["s"] for said in line.heard] == [42, 43]
    line.heard.clear()
    discord._missed = None
    await discord.press(7, CLUB.channel, "turn:1")
    assert not await discord._welcome(Shard(0, 1, line, line), 43) and line.told() == ["9"]


def test_a_message_counts_as_doubled_once_its_nonce_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    discord, now = Troubled([CLUB], random.Random(0)), 1000.0
    monkeypatch.setattr(troubled, "perf_counter", lambda: now)
    for later in (0, 10):
        now += later
        discord._posted(5, {"nonce": "a", "content": "Amber takes 1 pebble."}, ())
    assert discord.doubled == 0 and len(discord._stand[5]) == 1 and discord.repeated == 1
    now += troubled.KNOWN
    discord._posted(5, {"nonce": "a", "content": "Amber takes 1 pebble."}, ())
    assert discord.doubled == 1


async def test_a_game_that_is_over_given_up_or_long_makes_room_for_another_as_long_as_there_is_one() -> None:
    tables: list[Any] = [Standing() for _ in range(5)]
    clubs: list[Any] = [Club(number, channel_of(number), {}, table, 0) for number, table in enumerate(tables, 1)]
    discord = Troubled(clubs, random.Random(0))
    crowd = Crowd(discord, clubs, at_once=2, most=400)
    assert crowd.playing == 2
    crowd._leave(clubs[0])
    clubs[1].busy = clubs[1].doubtful = True
    assert (crowd.playing, crowd.played) == (2, clubs[:2]), "nothing is over, and somebody presses again"
    clubs[0].table.over, clubs[1].busy, clubs[2].table.last_no = True, False, 400
    for club in clubs[:3]:
        crowd._leave(club)
    assert crowd.played == [clubs[4], clubs[3]], "the third took the first one's place"
    clubs[3].table.over = True
    crowd._leave(clubs[3])
    assert crowd.playing == 1, "nobody waits any more"
