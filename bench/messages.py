"""Messages of whole random games on the simulated Discord: how much a channel has to read, by what each message is for."""
from __future__ import annotations

import asyncio
import io
import logging
import random
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from PIL import Image
from tqdm import tqdm

from bench.mixtures import first_edition
from bot.domain.announcements import Posting
from engine.catalog import GAMES
from engine.kernel import GameSpec, Seat
from engine.refusals import Faulty
from engine.selfplay import random_answer
from engine.text import verbatim
from tests.bot.discord_world import World

PLAYERS = 4                 # at a table, or as many as the game seats at most
MOST = 3_000                # answers of a game
PULSE = 240                 # seconds between looks of the bot that nothing has called for: hours pass quickly
KINDS = ("log", "picture", "question")


def one_pixel(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """A picture whose drawing costs nothing: here it is counted."""
    out = io.BytesIO()
    Image.new("P", (1, 1)).save(out, "PNG")
    return out.getvalue(), spec.name


async def played(spec: GameSpec, posting: Posting, apart: float) -> Mapping[str, int]:
    """A random game to its end, with so many hours between two answers: its answers, and the messages of its channel."""
    rng, found = random.Random(0), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        async with World.at(Path(folder) / "games.db", (spec,), draw=one_pixel) as world:
            world.bot.outbox.pulse.change_interval(seconds=PULSE)
            world.bot.pulse.longest = PULSE
            people = [world.guild.add_member(world.env.create_user(f"player{number}"))
                      for number in range(min(PLAYERS, spec.seats[-1]))]
            await world.olga.slash(world.table, "game open", game=spec.key, edition=first_edition(spec), seats=len(people))
            for person in people:
                await person.slash(world.table, "game join")
            await world.services.settings.set_posting(1, world.olga.id, posting)
            await world.olga.slash(world.table, "game start")
            with tqdm(desc=spec.name, unit=" answers", leave=False) as bar:
                while (waiting := await world.services.queries.waiting(1)) and found["answers"] < MOST:
                    if apart:
                        await world.env.advance_time(apart * 3600)
                    asked = waiting[rng.randrange(len(waiting))]
                    table, seat = await world.services.session.table(1), Seat(asked.seat)
                    with world.env.time_context():
                        await world.services.answers.answer(1, asked.user or 0, random_answer(table.options(seat), rng.randrange))
                    await world.env.settle()
                    found["answers"] += 1
                    bar.update()
                    found += await _posted(world)
            return {"answers": found["answers"], "messages": found["messages"], **{kind: found[kind] for kind in KINDS}}


async def _posted(world: World) -> Counter[str]:
    """What was posted at the table since the last look, by the letter that it came from."""
    nonces = [str((request.json or {}).get("nonce", "")).partition(".")[0] for request in world.env.http_requests
              if (request.method, request.path) == ("POST", f"/channels/{world.table.id}/messages")]
    world.env.http_requests.clear()
    world.env.backend.transcript.clear()
    sql = "SELECT kind FROM outbox WHERE nonce = ?"
    kinds = await world.store.read(lambda ledger: [kind for nonce in nonces for (kind,) in ledger.conn.execute(sql, (nonce,))])
    return Counter({**Counter(kinds), "messages": len(nonces)})


def measure(game: str = "", posting: str = "turns", apart: float = 0.0) -> Mapping[str, int]:
    """Messages of a random game from its start to its end: of what happened, of pictures, of questions; questions that are over
    are deleted. Hours `apart`: between two answers."""
    chosen = next((known for known in get_args(Posting) if known == posting), None)
    if chosen is None:
        raise Faulty("Pictures are posted by {known}.", known=tuple(map(verbatim, get_args(Posting))))
    logging.disable()
    specs = [spec for spec in GAMES if game in ("", spec.key)]
    found = {spec.key: asyncio.run(played(spec, chosen, apart)) for spec in specs}
    return {f"{key}_{name}": number for key, figures in found.items() for name, number in figures.items()}
