"""Slash commands answered a second on a simulated Discord: a random game, each answer typed as its own command."""
from __future__ import annotations

import asyncio
import functools
import logging
import random
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import simcord

from bot.discord.client import make_bot
from bot.service import Services
from bot.service.queries import OpenQuestion
from bot.store import Store
from engine import catalog
from engine.kernel import Action, GameSpec
from engine.kernel.planning import planned_round
from engine.selfplay import random_answer
from tests.checks.mixtures import first_edition

PLAYERS = 4                 # at a table, or as many as the game seats at most


def no_picture(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """Pictures have an instrument of their own: here the board is posted as text."""
    raise LookupError(spec.key)


def typed(action: Action) -> dict[str, object]:
    """The options of the slash command that gives this answer; those at their defaults are left out."""
    fields = type(action).model_fields
    return {name: ",".join(value) if isinstance(value, tuple) else value for name, value in action.model_dump().items()
            if fields[name].is_required() or value != fields[name].default}


async def run(seconds: float, path: Path, spec: GameSpec = catalog.GAMES[0]) -> tuple[float, float]:
    """Commands a second, and milliseconds of a core for each, with what simulates Discord; on a file that may hold games.

    Each is awaited with its reply, its log row and its messages, before the next. What nobody types (answers that are given by
    taps alone or ask for a confirmation first, rounds that are planned in private) is given at once, and counts for nothing.
    """
    logging.disable()                       # each picture that is not drawn would be reported
    store = Store(path)
    services = Services(store)
    env = simcord.Env(make_bot(services, draw=no_picture), shard_count=1)
    brisk = functools.partial(env._settle_internal, idle=0.001)         # the default waits 50 ms after each command
    env.__dict__["_settle_internal"] = brisk
    await env.start()
    try:
        guild = env.create_guild("bench")
        channel = guild.create_text_channel("table")
        players = min(PLAYERS, spec.seats[-1])
        people = [guild.add_member(env.create_user(f"player{number}")) for number in range(players)]
        by_id = {person.id: person for person in people}
        rng, done, spent, cores, game, waiting = random.Random(0), 0, 0.0, 0.0, 0, list[OpenQuestion]()
        while spent < seconds:
            if not waiting:                 # the first game, or another when one is over
                await people[0].slash(channel, "game open", game=spec.key, edition=first_edition(spec), seats=players)
                for person in people:
                    await person.slash(channel, "game join")
                await people[0].slash(channel, "game start")
                game = (await services.queries.games(channel=channel.id))[-1].id
                waiting = await services.queries.waiting(game)
            table, asked = await services.session.table(game), waiting[0]
            user, options = asked.user or 0, table.options(asked.seat)
            typable = [] if planned_round(table, asked.seat) else [
                action for action in options
                if spec.words.menus[action.verb].typed and action.consequence(table.state, asked.seat) is None]
            action = random_answer(typable or options, rng.randrange)
            if typable:
                begin, used = perf_counter(), process_time()
                await by_id[user].slash(channel, f"{table.spec.command} {action.verb}", **typed(action))
                spent, cores = spent + perf_counter() - begin, cores + process_time() - used
                done += 1
            else:
                await services.answers.answer(game, user, action)
            waiting = await services.queries.waiting(game)
        return done / spent, cores / done * 1000
    finally:
        await env.shutdown()
        store.close()
        logging.disable(logging.NOTSET)


def commands_per_second(seconds: float, spec: GameSpec = catalog.GAMES[0]) -> float:
    """Commands a second on a new file."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(run(seconds, Path(folder) / "bench.db", spec))[0]
