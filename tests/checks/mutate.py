"""Real answers, changed in what they say, whose they are, where and when they are given: none may count unless it is legal.

On three levels: at the table of the engine, at the bot's core, and as interactions on a simulated Discord (options of commands,
custom ids of buttons, values of selects, fields of forms). What is accepted is compared with what the engine enumerated for
that seat just before; a stamp of an earlier question must be refused whatever it goes with. Kinds without an end to their
amounts (a bid) may exceed the amounts that are listed, and nothing else.
"""
from __future__ import annotations

import asyncio
import random
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bot.service import Services
from bot.store import Store
from engine import catalog, components
from engine.dice import SecretDice
from engine.kernel import Action, Aside, GameSpec, Row, Seat, Table, parse_action
from engine.refusals import Faulty, Refusal
from engine.selfplay import LONGEST_GAME, beginning, random_answer, rung
from engine.undo import REWIND, Rewind, line
from tests.checks.changed_actions import ENOUGH, Tally, changed, enumerated, words_of
from tests.checks.changed_interactions import on_discord
from tests.checks.mixtures import a_mixture, an_edition, for_seats
from tests.often_said import BROKEN

PLAY_SHARE, DISCORD_SHARE = 0.03, 0.001     # of the changed answers: at the bot's core, and as interactions
AT_A_QUESTION = 40                          # changed answers at one question of a table
REMEMBERED = 300                            # real answers whose age is changed
RETURNS = 0.02                              # of the questions are followed by a return: some answers are of an undone future


@dataclass(frozen=True)
class Given:
    """A real answer: whose it was, and which question it answered."""

    seat: Seat
    action: Action
    asked_at: int


# --- how an answer is changed -------------------------------------------------------------------------------

@dataclass
class Changer:
    """Changes real answers in one or two ways."""

    spec: GameSpec
    words: tuple[str, ...]
    pick: random.Random
    known: deque[Given] = field(default_factory=lambda: deque(maxlen=REMEMBERED))      # of this game, undone futures too

    def change(self, real: Given, seats: list[Seat]) -> tuple[Seat, str, dict[str, Any], int | None]:
        """Seat, verb, fields and stamp of a changed answer; they may be legal by chance."""
        pick = self.pick
        given = pick.choice(self.known) if self.known and pick.random() < 0.3 else real            # age, order
        seat, verb, fields = given.seat, given.action.verb, given.action.model_dump()
        asked_at: int | None = given.asked_at if pick.random() < 0.5 else None
        for way in pick.sample(("argument", "seat", "position", "verb"), 1 if pick.random() < 0.7 else 2):
            if way == "argument" and fields:
                fields = changed(given.action, self.words, pick)
            elif way == "seat":
                seat = pick.choice(seats)
            elif way == "position":
                asked_at = pick.choice((real.asked_at - 1, real.asked_at + 1, 0, -1, 10**9, given.asked_at))
            elif way == "verb":
                known = [kind.verb for kind in (*self.spec.rules.actions, *self.spec.rules.asides, *self.spec.rules.decrees)]
                verb = pick.choice((*known, "roll", "stir", "return", ""))
        return seat, verb, fields, asked_at


# --- at the table -----------------------------------------------------------------------------------------

def at_tables(spec: GameSpec, number: int, seed: int, tally: Tally, tick: Callable[[int], None]) -> None:
    """Changed answers at the table of the engine, over random games with returns."""
    pick = random.Random(seed)
    while tally.tried < number and len(tally.accepted) < ENOUGH:
        for step in _at_one_table(spec, pick, tally):
            tick(step)
            if tally.tried >= number:
                break


def _at_one_table(spec: GameSpec, pick: random.Random, tally: Tally) -> Iterator[int]:
    edition = an_edition(spec, pick)
    parts = components.components(spec, edition).parts
    seats = pick.choice(spec.seats)
    options = for_seats(spec, edition, a_mixture(spec, edition, pick, 0.3), seats)
    start, dice = beginning(spec, seats, edition, parts, options), SecretDice(pick.randbytes(32).hex())
    table, log = Table(spec, parts, start, dice=dice), list[Row]()
    changer = Changer(spec, words_of(spec.words.names(parts)), pick)
    while not table.over and len(log) < LONGEST_GAME:
        log += [entry.row() for entry in table.take()[0]]
        if log and pick.random() < RETURNS:
            log.append(_return(log, pick))
            here = line(log)
            table = Table(spec, parts, start, here.rows, dice=dice, epoch=here.epoch, next_no=log[-1].no + 1,
                          returned_at=here.returned_at)
            continue                        # what ran on is noted first
        if (decree := rung(table, pick.randrange)) is not None:
            table.decree(decree)
            continue
        real = _real(table, pick)
        before, wrong, tried = table.state.model_dump_json(), len(tally.accepted), tally.tried
        for _ in range(AT_A_QUESTION):
            _offer(table, changer, real, tally)
        if len(tally.accepted) > wrong:
            return                          # the game is not what it should be any more
        assert table.state.model_dump_json() == before and not table.fresh, "what was refused has changed something"
        table.answer(real.seat, real.action, asked_at=real.asked_at)
        if not isinstance(real.action, Aside):
            _again(table, real, tally)
        changer.known.append(real)
        yield tally.tried - tried


def _real(table: Table, pick: random.Random) -> Given:
    """Something that somebody could do now: mostly an answer, now and then an aside."""
    if pick.random() < 0.15:
        seat = Seat(pick.choice(table.state.seats))
        asides = [option for kind in table.spec.rules.asides for option in kind.options(table.state, seat)]
        if asides:
            return Given(seat, pick.choice(asides), table.public_no)
    seat = pick.choice(table.waiting()).seat
    return Given(seat, random_answer(table.options(seat), pick.randrange), table.asked_at)


def _return(log: list[Row], pick: random.Random) -> Row:
    to = pick.randrange(max(0, log[-1].no - 30), log[-1].no + 1)
    return Row(log[-1].no + 1, "moderator", "moderator", REWIND, Rewind(to=to, kind="rollback").model_dump_json())


def _offer(table: Table, changer: Changer, real: Given, tally: Tally) -> None:
    """Offer one changed answer, as it would come from outside."""
    seat, verb, fields, asked_at = changer.change(real, [*map(Seat, table.state.seats)])
    tally.tried += 1
    said = f"{seat} {verb} {fields} to {asked_at}, at {table.asked_at} in {table.where()}"
    try:
        action = parse_action(table.spec, verb, fields)
        if enumerated(table, seat, action, asked_at):
            table.examine(seat, action, asked_at=asked_at)
            tally.legal += 1
            return
        table.answer(seat, action, asked_at=asked_at)
    except Refusal:
        return
    except Exception as why:
        tally.broken(f"{said}: {type(why).__name__}: {why}")
        return
    tally.wrong(said)


def _again(table: Table, real: Given, tally: Tally) -> None:
    """The same answer to the same question once more, as by a second tap."""
    tally.tried += 1
    if table.asked_at == real.asked_at and table.asked(real.seat) is not None:
        tally.wrong(f"{real} is asked for again after it was given")
        return
    try:
        table.answer(real.seat, real.action, asked_at=real.asked_at)
    except Refusal:
        return
    tally.wrong(f"{real} once more")


# --- at the bot's core ------------------------------------------------------------------------------------

MASTER, STRANGER, CHANNEL, GUILD = 1, 2, 3, 4


def member_of(game: int, seat: int) -> int:
    """Who holds which seat: some people play in two games."""
    return 100 + (seat if game < 3 else 10 * game + seat)


async def _games(services: Services, spec: GameSpec, number: int, pick: random.Random) -> list[int]:
    out: list[int] = []
    for index in range(number):
        seats = spec.seats[min(index + 1, len(spec.seats) - 1)]
        edition = an_edition(spec, pick)
        options = for_seats(spec, edition, a_mixture(spec, edition, pick, 0.3), seats)
        row = await services.lobby.open(key=spec.key, edition=edition, seats=seats, options=options, pack=None,
                              title=f"Game {index}", guild=GUILD, channel=CHANNEL, owner=MASTER)
        for seat in range(seats):
            await services.lobby.join(row.id, member_of(row.id, seat))
        await services.lobby.start(row.id, MASTER)
        out.append(row.id)
    return out


async def at_the_core(spec: GameSpec, number: int, seed: int, tally: Tally, tick: Callable[[int], None], path: Path) -> None:
    """Changed answers at the bot's core: several games in a file, with undo, redo and taking back."""
    pick, store = random.Random(seed), Store(path)
    services = Services(store, (spec,))
    core = _Core(services, spec, pick, tally)
    try:
        target = tally.tried + number
        while tally.tried < target and len(tally.accepted) < ENOUGH:
            await core.some(tick, target)
    finally:
        store.close()


class _Core:
    """Some games at the bot's core, and what is tried with them."""

    def __init__(self, services: Services, spec: GameSpec, pick: random.Random, tally: Tally) -> None:
        self.services, self.spec, self.pick, self.tally = services, spec, pick, tally
        self.games: list[int] = []
        self.changers: dict[int, Changer] = {}

    async def some(self, tick: Callable[[int], None], target: int) -> None:
        """Changed answers at the present question of some game, then the real one."""
        pick, services = self.pick, self.services
        running = [game for game in self.games if (await services.queries.game(game)).status == "running"]
        if len(running) < 2:
            self.games = running + await _games(services, self.spec, 3 - len(running), pick)
            names = {game: self.spec.words.names((await services.visits.onlooker(game)).parts) for game in self.games}
            self.changers |= {game: Changer(self.spec, words_of(named), pick) for game, named in names.items()
                              if game not in self.changers}
            return
        game = pick.choice(running)
        changer, table = self.changers[game], await services.session.table(game)
        real, before = _real(table, pick), self.tally.tried
        for _ in range(12):
            if self.tally.tried < target:
                await self._offer(game, changer, real)
        table = await services.session.table(game)
        if enumerated(table, real.seat, real.action, real.asked_at):
            holder = next(holder for holder in await services.queries.holders(game) if holder.seat == real.seat)
            await services.answers.answer(game, holder.user or 0, real.action, asked_at=real.asked_at)
            changer.known.append(real)
        if pick.random() < 0.1:
            await self._back(game)
        tick(self.tally.tried - before)

    async def _offer(self, game: int, changer: Changer, real: Given) -> None:
        """One changed answer: maybe by somebody else, maybe in another game."""
        pick, services = self.pick, self.services
        table = await services.session.table(game)
        seat, verb, fields, asked_at = changer.change(real, [*map(Seat, table.state.seats)])
        users = {holder.seat: holder.user for holder in await services.queries.holders(game)}
        user = (pick.choice((*users.values(), MASTER, STRANGER, 0, -1)) if pick.random() < 0.2 else users[seat]) or 0
        where = pick.choice((*self.games, 0, 10**6)) if pick.random() < 0.25 else game
        self.tally.tried += 1
        said = f"game {where}: user {user} {verb} {fields} to {asked_at}"
        try:
            action = parse_action(self.spec, verb, fields)
            legal, newest = await self._legal(where, user, action, asked_at), await self._newest()
            await services.answers.answer(where, user, action, asked_at=asked_at)
        except Refusal as why:
            if why.text.template.startswith(BROKEN):
                self.tally.broken(said)
            return
        if legal:
            self.tally.legal += 1
        else:
            self.tally.wrong(said)
        moved = [known for known, no in (await self._newest()).items() if no != newest.get(known)]
        if moved != [where]:
            self.tally.wrong(f"{said}: it moved {moved}")

    async def _legal(self, game: int, user: int, action: Action, asked_at: int | None) -> bool:
        if game not in self.games:
            return False
        seat = next((holder.seat for holder in await self.services.queries.holders(game) if holder.user == user), None)
        table = await self.services.session.table(game)
        return seat is not None and enumerated(table, seat, action, asked_at)

    async def _newest(self) -> dict[int, int]:
        return {game: await self.services.queries.newest(game) for game in self.games}

    async def _back(self, game: int) -> None:
        """Undo, redo or take back, so that some answers are of an undone future."""
        pick, services = self.pick, self.services
        user = pick.choice([holder.user or 0 for holder in await services.queries.holders(game)])
        try:
            match pick.randrange(4):
                case 0:
                    await services.undo.redo(game, MASTER)
                case 1:
                    await services.undo.take_back(game, user)
                case 2:
                    await services.undo.rollback(game, max(0, await services.queries.newest(game) - pick.randrange(20)), MASTER)
                case _:
                    await services.undo.undo(game, MASTER)
        except Refusal:
            pass                            # there is nothing to take or bring back


# --- the instrument ---------------------------------------------------------------------------------------

def measure(game: str, actions: int = 1_000_000, seed: int = 0) -> dict[str, Any]:
    """Answers changed in argument, seat, game, position, age and order: which are accepted though they are not legal."""
    spec = catalog.find(game)
    if actions < 1:
        raise Faulty("Try at least one changed answer.")
    tables, core, discord = Tally(), Tally(), Tally()
    interactions = round(actions * DISCORD_SHARE)
    at_core = round(actions * PLAY_SHARE)
    with tqdm(total=actions, unit="action") as bar, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        def tick(done: int) -> None:
            bar.update(done)

        bar.set_description("Discord")
        asyncio.run(on_discord(spec, interactions, seed, discord, tick, Path(folder) / "discord.db"))
        bar.set_description("core")
        asyncio.run(at_the_core(spec, at_core, seed, core, tick, Path(folder) / "core.db"))
        bar.set_description("table")
        at_tables(spec, actions - discord.tried - core.tried, seed, tables, tick)
    every = (tables, core, discord)
    return {"tried": sum(tally.tried for tally in every), "accepted": sum(len(tally.accepted) for tally in every),
            "crashed": sum(len(tally.crashed) for tally in every), "legal": sum(tally.legal for tally in every),
            "tried_at_tables": tables.tried, "tried_at_the_core": core.tried, "tried_on_discord": discord.tried}
