"""Kills the bot at every write and every send of whole games, and looks for what is lost, doubled or missing then.

A script of people's deeds is played once without a death: what is stored and what can be read after each deed is the measure.
Then it is played again and again. In each round the bot dies once in every deed, each time at another point, begins anew on
what its file was, and the person presses the same button again, or does the deed anew if it has not happened. What is stored
and what can be read must be the same then, to the letter and in the same order.
"""
from __future__ import annotations

import asyncio
import io
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from PIL import Image
from tqdm import tqdm

from bench import killing
from bot.deadlines import read
from bot.menu import token
from bot.news import choice_id
from engine.catalog import GAMES
from engine.kernel import Action, GameSpec, Seat
from engine.orders import Line, Order, Reply
from engine.selfplay import random_answer
from engine.struggle_of_empires.actions import Attack, Bid, Pass
from tests.bot.discord_world import custom_ids, options
from tests.bot.frail import FrailWorld
from tests.scene import scene
from tests.toy import PAINTED

STEPS = 30              # of a menu, at most
SELECT = 3              # Discord's number of that kind of component
REAL = 50               # every so many deaths are those of a whole process
RELAPSE = 5             # every fifth time the bot dies once more while it comes back

Kept = Mapping[str, Sequence[tuple[Any, ...]]]


@dataclass
class Damage:
    """What was found."""

    points: int = 0
    lost: int = 0           # what was stored, or told as done, and is no more
    doubled: int = 0        # rows or messages that are there twice
    missing: int = 0        # messages that never came
    misplaced: int = 0      # messages in another order
    silent: int = 0         # old buttons without an answer
    errors: int = 0         # that nobody expects
    told: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Deed:
    """What a person does, or what time does. It says whether somebody was told that it is done."""

    name: str
    act: Callable[[Club], Awaitable[bool]]
    long: bool = False      # many things happen in its course; broken off, it goes on


@dataclass(frozen=True)
class Mark:
    """How things stand after a deed, and the points at which a bot can die in it."""

    kept: Kept
    read: Mapping[str, Sequence[tuple[Any, ...]]]
    points: Sequence[str]


class Club:
    """People at one table who do what the script says, always the same in the same position."""

    def __init__(self, world: FrailWorld, seed: int) -> None:
        self.world, self.seed = world, seed
        self.last: tuple[Any, Any, str, list[str]] | None = None        # who pressed what in which message, and chose what
        self.begun = world.env.now()

    def person(self, user: int) -> Any:
        """Whose number it is."""
        people = (self.world.olga, self.world.alice, self.world.bob, self.world.carol, self.world.max)
        return next(person for person in people if person.id == user)

    async def typed(self, person: Any, command: str, **given: Any) -> bool:
        """A command; whether it was answered."""
        result = await person.slash(self.world.table, command, **given)
        return bool(result.response and result.response.content)

    async def typed_by(self, person: Any, command: str) -> Any:
        """What somebody is shown who types a command."""
        return (await person.slash(self.world.table, command)).response

    async def answer(self) -> bool:
        """Somebody who is awaited answers, by the menu."""
        waiting = (await self.world.play.waiting(1))[0]
        table = await self.world.play.table(1)
        rng = random.Random(f"{self.seed} {table.last_no} {waiting.seat}")
        listed = table.options(waiting.seat)
        action = random_answer(listed, rng.randrange)
        if isinstance(action, Bid) and Pass in {type(option) for option in listed}:
            action = Pass.of()
        return await self.taps(self.person(waiting.user), action, table.spec)

    async def taps(self, person: Any, action: Action, spec: GameSpec) -> bool:
        """Through the menu to an answer; whether the last tap was answered."""
        newest = await self.world.newest()
        opened = await person.slash(self.world.table, f"{spec.command} menu")
        said, values = opened.response, [action.verb, *(token(getattr(action, name)) for name in type(action).model_fields)]
        for _ in range(STEPS):
            if said is None or not said.content:
                return False
            ids, before = custom_ids(said), said.content
            answers = [id for id in ids.values() if id.startswith(("do:", "yes:"))]
            whole = next((id for id in answers if id.endswith(f":{choice_id(action)}")), None)
            picked = next((value for value in values if value in options(said).values()), None)
            if whole is not None:
                result = await self.press(person, said, whole)
            elif picked is not None:
                values.remove(picked)
                result = await self.press(person, said, _select(said), [picked])
            else:
                result = await self.press(person, said, ids["More"])
            said = result.response
            if said is None or said.content == before:
                return False
            if (whole is not None and "Confirm" not in custom_ids(said)) or await self.world.newest() > newest:
                return True
        raise AssertionError(f"the menu does not lead to {action}")

    async def press(self, person: Any, message: Any, custom_id: str, chosen: Sequence[str] = ()) -> Any:
        """One press, which is remembered."""
        self.last = person, message, custom_id, list(chosen)
        if chosen:
            return await person.select(message, chosen, custom_id=custom_id)
        return await person.click(message, custom_id=custom_id)

    async def press_again(self) -> bool:
        """The last button once more, as somebody does who was not answered; whether there is an answer now."""
        if self.last is None:
            return True
        person, message, custom_id, chosen = self.last
        try:
            result = await self.press(person, message, custom_id, chosen)
        except Exception as gone:                           # simcord: the message has no such button any more
            if type(gone).__name__ != "SetupError":
                raise
            return True
        return bool(result.acknowledged and result.response and result.response.content)

    async def passes(self, hours: float) -> bool:
        """Time goes by, until so many hours after the beginning."""
        until = self.begun + timedelta(hours=hours)
        while self.world.env.now() < until and self.world.fuse.burnt is None:
            await self.world.env.advance_time(60)
        return False


def _select(message: Any) -> str:
    """The custom id of the select of a message."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    return next(str(item["custom_id"]) for row in rows for item in row["components"] if item["type"] == SELECT)


# --- the scripts ---------------------------------------------------------------------------------------------------

def by(name: str, command: str, **given: Any) -> Deed:
    """A command of somebody; a member among the options is given by name."""
    async def act(club: Club) -> bool:
        people = {key: getattr(club.world, value) if key == "member" else value for key, value in given.items()}
        return await club.typed(getattr(club.world, name), command, **people)
    return Deed(f"{name}: /{command}", act)


def button(name: str, label: str) -> Deed:
    """A press of a button in the newest message at the table that has it."""
    async def act(club: Club) -> bool:
        message = next((message for message in reversed(club.world.table.history()) if label in custom_ids(message)), None)
        if message is None:
            return False
        result = await club.press(getattr(club.world, name), message, custom_ids(message)[label])
        return bool(result.response and result.response.content)
    return Deed(f"{name}: {label}", act)


async def told(club: Club) -> bool:
    """What a deed of the core leads to on Discord belongs to that deed."""
    await club.world.env.settle()
    return True


def ordered(name: str, order: Order) -> Deed:
    """A standing order."""
    async def act(club: Club) -> bool:
        with club.world.env.time_context():
            await club.world.play.give_orders(1, getattr(club.world, name).id, [order])
        return await told(club)
    return Deed(f"{name} orders", act)


def later(hours: float) -> Deed:
    """Time until so many hours after the beginning."""
    return Deed(f"{hours} hours", lambda club: club.passes(hours), long=True)


async def clocked(club: Club) -> bool:
    """A clock, so that deadlines run."""
    with club.world.env.time_context():
        await club.world.play.set_clock(1, club.world.olga.id, clock=read("1h"))
    return await told(club)


async def attacks(club: Club) -> bool:
    """Alice attacks, by the menu."""
    return await club.taps(club.world.alice, Attack(area="india", target="britain"), BATTLE)


async def prepares(club: Club) -> bool:
    """Bob answers in advance what the attack may ask of him."""
    opened = await club.typed_by(club.world.bob, "orders prepare")
    asked = opened.content
    result = await club.press(club.world.bob, opened, custom_ids(opened)["Give these answers"])
    return bool(result.response and result.response.content not in ("", asked))     # deferred, the form stands as it was


async def asks(club: Club) -> bool:
    """Alice asks the others to take back what came of her attack."""
    with club.world.env.time_context():
        rows = await club.world.store.read(lambda ledger: ledger.outline(1))
        first = next(row.no for row in rows if row.seat == ATTACKER and row.by == "player")
        await club.world.play.ask(1, club.world.alice.id, first)
    return await told(club)


async def learns(club: Club) -> bool:
    """Carol takes a step of the lesson."""
    play, user, spec = club.world.play, club.world.carol.id, GAMES[0]
    with club.world.env.time_context():
        here = await play.lesson(user, spec, spec.lessons[0])
        await play.learn(user, spec, spec.lessons[0], here.number, here.step.leading()[0])
    return True


ANSWER = Deed("an answer", Club.answer)
LEARN = Deed("a step of a lesson", learns)
TAKE = Order(seat=Seat("seat_2"), points=("DP-T2",), times=2, lines=(
    Line(then=Reply(verb="take", fields={"pebbles": 1, "hand": "left"})),))

PEBBLES: Sequence[Deed] = (
    button("alice", "Join"), button("bob", "Join"), by("olga", "game start"), Deed("a clock", clocked),
    ANSWER, ANSWER, ANSWER, by("olga", "gm undo"), by("olga", "gm redo"), ordered("bob", TAKE), ANSWER,
    by("alice", "talk say", to="all", message="Well played."), by("alice", "talk say", to="Basalt", message="Psst."),
    later(1.5), by("olga", "gm pause"), by("olga", "gm resume"), by("olga", "gm hand", seat="Amber", member="carol"),
    later(3), ANSWER, ANSWER, ANSWER, ANSWER, ANSWER, ANSWER)

EMPIRES: Sequence[Deed] = (by("alice", "game join"), by("bob", "game join"), by("olga", "game start"), *[ANSWER] * 26,
                           by("olga", "gm undo"), *[ANSWER] * 6)


ATTACKER = "seat_1"
CLASH = scene(powers=("austria", "britain", "france"), rows=(("austria",), ("britain", "france")), active="austria",
              units={"austria": {"army": {"india": 2}, "navy": {"india": 2}},
                     "britain": {"army": {"india": 1}, "navy": {"india": 1}}, "france": {"army": {"india": 1}}},
              markers={"britain": {"india": 1}}, tiles={"britain": {"reserves": 1}}).state
BATTLE = replace(GAMES[0], setup=lambda seats, options, parts: CLASH.model_copy(deep=True))
"""Struggle of Empires, from a position in which Austria can attack Britain, and France can help it."""

ATTACK: Sequence[Deed] = (
    by("alice", "game join"), by("bob", "game join"), by("carol", "game join"), by("olga", "game start"), LEARN,
    Deed("an attack", attacks), Deed("answers in advance", prepares), LEARN, *[ANSWER] * 8, Deed("a request", asks),
    button("bob", "Agree"), button("carol", "Agree"), LEARN, *[ANSWER] * 3)


def cheap(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """A picture of one pixel."""
    out = io.BytesIO()
    Image.new("P", (1, 1)).save(out, "PNG")
    return out.getvalue(), f"A picture of {spec.name}."


@dataclass(frozen=True)
class Play:
    """A game and what people do in it."""

    spec: GameSpec
    edition: str
    deeds: Sequence[Deed]
    seats: int = 2


PLAYS = (Play(PAINTED, "plain", PEBBLES), Play(GAMES[0], "first", EMPIRES), Play(BATTLE, "first", ATTACK, seats=3))


# --- the measurement -----------------------------------------------------------------------------------------------

async def opened(play: Play, folder: Path, seed: int) -> Club:
    """People before a game that can be joined."""
    world = await FrailWorld.made(folder / "games.db", (play.spec,), cheap)
    assert isinstance(world, FrailWorld)
    await world.olga.slash(world.table, "game open", game=play.spec.key, seats=play.seats, edition=play.edition)
    world.forget()
    return Club(world, seed)


async def measured(play: Play, folder: Path, seed: int) -> list[Mark]:
    """The script without a death: what stands at the beginning and after each deed."""
    club = await opened(play, folder, seed)
    world, marks = club.world, [Mark({}, {}, ())]
    marks[0] = Mark(await world.kept(), world.conversations(), ())
    try:
        for deed in play.deeds:
            if await over(world):
                break
            world.fuse.set()
            await deed.act(club)
            world.forget()
            marks.append(Mark(await world.kept(), world.conversations(), list(world.fuse.passed)))
    finally:
        await world.shutdown()
    return marks


async def over(world: FrailWorld) -> bool:
    """Whether nobody can do anything any more."""
    status: str = (await world.play.game(1)).status
    return status == "over"


async def round_of_deaths(play: Play, folder: Path, seed: int, marks: Sequence[Mark], at: Sequence[int], damage: Damage,
                          progress: Callable[[], object]) -> None:
    """The script with a death in each deed, at the point with this number (0: none)."""
    club = await opened(play, folder, seed)
    world = club.world
    try:
        for number, (deed, point) in enumerate(zip(play.deeds, at), 1):
            club.last = None
            before, after = marks[number - 1], marks[number]
            world.fuse.set(point)
            done = await attempt(deed, club)
            where = world.fuse.burnt
            if where is not None:
                damage.points += 1
                progress()
                again = 1 + point % RELAPSE if point % RELAPSE == 0 else 0
                await world.rise(again)
                if world.fuse.burnt is not None:
                    damage.points += 1
                    await world.rise()
                kept = await world.kept()
                if done and kept == before.kept != after.kept:
                    damage.lost += 1
                    damage.told.append(f"{deed.name}, {where}: told as done, and not stored")
                if not await club.press_again():
                    damage.silent += 1
                    damage.told.append(f"{deed.name}, {where}: an old button is silent")
                if deed.long or await world.kept() == before.kept != after.kept:
                    await deed.act(club)
            world.forget()
            compare(damage, f"{deed.name}, {where}", after, await world.kept(), world.conversations())
            damage.errors += len(world.env._errors)
            damage.told += [f"{deed.name}, {where}: {error!r}" for error in world.env._errors]
            world.env._errors.clear()
            if damage.told:
                break                                       # what follows would tell the same again
    finally:
        world.fuse.set()
        await world.shutdown()


async def attempt(deed: Deed, club: Club) -> bool:
    """A deed that may end in a death."""
    try:
        return await deed.act(club)
    except BaseException:
        if club.world.fuse.burnt is None:
            raise
        return False


def compare(damage: Damage, where: str, wanted: Mark, kept: Kept, read: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
    """Note every difference between how it is and how it ought to be."""
    for table, rows in wanted.kept.items():
        there = Counter(kept[table])
        gone, more = Counter(rows) - there, there - Counter(rows)
        damage.lost += gone.total()
        damage.doubled += more.total()
        damage.told += [f"{where}: {table} lacks {row}" for row in gone] + [f"{where}: {table} has {row}" for row in more]
    for place, messages in wanted.read.items():
        there = Counter(read.get(place, ()))
        gone, more = Counter(messages) - there, there - Counter(messages)
        damage.missing += gone.total()
        damage.doubled += more.total()
        damage.told += [f"{where}: {place} lacks {said}" for said in gone] + [f"{where}: {place} has {said}" for said in more]
        if not gone and not more and list(messages) != list(read[place]):
            damage.misplaced += 1
            damage.told.append(f"{where}: {place} is in another order")


def rounds(marks: Sequence[Mark]) -> Iterator[list[int]]:
    """For each round the point of death in every deed, until every point of every deed has been one."""
    numbers = [len(mark.points) for mark in marks[1:]]
    for turn in range(max(numbers)):
        yield [1 + (turn + place) % number if turn < number else 0 for place, number in enumerate(numbers)]


def measure(points: int = 500, seed: int = 0) -> dict[str, Any]:
    """Kill the bot at every write and every send, and look for what is lost, doubled or missing then."""
    damage = Damage()
    with tqdm(total=points, unit="death") as bar, tempfile.TemporaryDirectory() as folder:
        real = asyncio.run(killing.kill(Path(folder), -(-points // REAL), seed, bar.update))
        damage.points, damage.lost, damage.doubled = real.points, real.lost, real.doubled
        damage.missing, damage.silent = real.missing, real.silent
        while damage.points < points and not damage.told:
            asyncio.run(_sweep(points, seed, damage, bar.update))
            seed += 1
    for line in damage.told[:20]:
        tqdm.write(line)
    return {"points": damage.points, "killed": real.points, "lost": damage.lost, "doubled": damage.doubled,
            "missing": damage.missing, "misplaced": damage.misplaced, "silent": damage.silent, "errors": damage.errors}


async def _sweep(points: int, seed: int, damage: Damage, progress: Callable[[], object]) -> None:
    """All points of all games with one seed, round by round in turn, or as many as are wanted."""
    folder = Path(tempfile.mkdtemp(prefix="crash"))
    try:
        known = [(play, await measured(play, _fresh(folder), seed)) for play in PLAYS]
        waiting = [(play, marks, at) for play, marks in known for at in rounds(marks)]
        random.Random(seed).shuffle(waiting)
        for play, marks, at in waiting:
            await round_of_deaths(play, _fresh(folder), seed, marks, at, damage, progress)
            if damage.points >= points or damage.told:
                return
    finally:
        shutil.rmtree(folder)


def _fresh(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=folder))
