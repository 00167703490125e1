"""What people at one table of a simulated Discord do, step by step, for scripts that are played again and again.

In the same position everybody does the same, whatever has been going on before: so two runs of a script can be compared, and a
step that a dead bot broke off can be done anew.
"""
from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import discord
import simcord

from bot.domain.deadlines import read
from bot.service.queries import OpenQuestion
from bot.store import Ledger
from engine.kernel import Action, GameSpec, Seat, Table
from engine.lessons import leading
from engine.orders import Order
from engine.selfplay import random_answer
from tests.bot.discord_world import VOTES, custom_ids
from tests.bot.frail import FrailWorld
from tests.bot.menu_taps import line_of, way_to

STEPS = 30              # of a menu, at most


@dataclass(frozen=True)
class Step:
    """What a person does, or what time does. It says whether somebody was told that it is done."""

    name: str
    act: Callable[[Club], Awaitable[bool]]
    long: bool = False      # many things happen in its course; broken off, it goes on


@dataclass(frozen=True)
class Play:
    """A game and what people do in it, from the moment at which it can be joined."""

    spec: GameSpec
    edition: str
    steps: Sequence[Step]
    seats: int = 2


class Club:
    """People at one table who do what the script says, always the same in the same position."""

    def __init__(self, world: FrailWorld, seed: int) -> None:
        self.world, self.seed = world, seed
        self.last: tuple[Any, Any, str, list[str]] | None = None        # who pressed what in which message, and chose what
        self.begun = world.env.now()

    def person(self, user: int | None) -> Any:
        """Whose number it is."""
        people = (self.world.olga, self.world.alice, self.world.bob, self.world.carol, self.world.max)
        return next(person for person in people if person.id == user)

    async def table(self) -> Table:
        """The table, at the time that it is in the club: to read, never to change."""
        with self.world.env.time_context():
            table: Table = await self.world.services.session.table(1)
        return table

    async def awaited(self) -> OpenQuestion:
        """The first who is awaited."""
        with self.world.env.time_context():
            waiting: OpenQuestion = (await self.world.services.queries.waiting(1))[0]
        return waiting

    async def typed(self, person: Any, command: str, **given: Any) -> bool:
        """A command; whether it was answered."""
        result = await person.slash(self.world.table, command, **given)
        return bool(result.response and result.response.content)

    async def shown(self, person: Any, command: str, **given: Any) -> Any:
        """What somebody is shown who types a command."""
        return (await person.slash(self.world.table, command, **given)).response

    async def answer(self, choose: Callable[[Table, Seat], Action]) -> bool:
        """The first who is awaited gives the answer that is chosen for a table and a seat, by the menu."""
        waiting = await self.awaited()
        return await self.taps(self.person(waiting.user), choose(await self.table(), waiting.seat))

    async def taps(self, person: Any, action: Action) -> bool:
        """Through the menu to an answer; whether the last tap was answered."""
        stored = await self._stored()
        said = await self.shown(person, "my move")
        for _ in range(STEPS):
            if said is None or not said.content:
                return False
            before, way = said.content, way_to(said, action)
            assert way is not None, f"the menu does not lead to {action}"
            result = await self.press(person, said, way.custom_id, [way.value] if way.value else ())
            if result.modal:
                line = line_of(result, action, await self.world.services.queries.reader(1))
                assert line is not None, f"the form has no line for {action}"
                result = await person.submit_modal(result, line)
            said = result.response
            if said is None or said.content == before:
                return False
            counted = way.custom_id.startswith(("do:", "yes:")) and "Confirm" not in custom_ids(said)
            if counted or await self._stored() != stored:
                return True
        raise AssertionError(f"the menu does not lead to {action}")

    async def _stored(self) -> object:
        """The newest row, and what is planned: one of the two is another one once an answer has been given."""
        with self.world.env.time_context():
            return await self.world.newest(), (await self.world.services.session.snapshot(1)).plans

    async def press(self, person: Any, message: Any, custom_id: str, chosen: Sequence[str] = ()) -> Any:
        """One press, which is remembered."""
        self.last = person, message, custom_id, list(chosen)
        if chosen:
            return await person.select(message, chosen, custom_id=custom_id)
        return await person.click(message, custom_id=custom_id)

    async def on_again(self) -> bool:
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
        said = (result.response and result.response.content) or custom_id.partition(":")[0] in VOTES
        return bool(result.modal or (result.acknowledged and said))

    async def passes(self, hours: float) -> bool:
        """Time goes by, until so many hours after the beginning."""
        until = self.begun + timedelta(hours=hours)
        while self.world.env.now() < until and self.world.fuse.burnt is None:
            await self.world.env.advance_time(60)
        return False


# --- by commands and buttons ------------------------------------------------------------------------------------------

def by(name: str, command: str, **given: Any) -> Step:
    """A command of somebody; a member among the options is given by name."""
    async def act(club: Club) -> bool:
        person = getattr(club.world, name)
        said = await club.shown(person, command, **_people(club, given))
        if command == "gm undo" and said is not None and "Confirm" in (ways := custom_ids(said)):    # it takes back several steps
            said = (await club.press(person, said, ways["Confirm"])).response
        return bool(said and said.content)
    return Step(f"{name}: /{command}", act)


def _people(club: Club, given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: getattr(club.world, value) if key == "member" else value for key, value in given.items()}


def leaves(name: str, **given: Any) -> Step:
    """Somebody goes away, although it may be their move."""
    async def act(club: Club) -> bool:
        person = getattr(club.world, name)
        said = await club.shown(person, "my away", **given)
        ways = custom_ids(said) if said is not None else {}
        told = (await club.press(person, said, ways["Confirm"])).response if "Confirm" in ways else said
        return told is not None and told.content.startswith("You're away")
    return Step(f"{name}: /my away", act)


def again(step: Step) -> Step:
    """The same step, which somebody who wasn't answered does again, whether it has happened or not."""
    return replace(step, long=True)


def button(name: str, *labels: str) -> Step:
    """A press of a button in the newest message at the table that has it, and of those that the answers show."""
    async def act(club: Club) -> bool:
        said = next((message for message in reversed(club.world.table.history()) if labels[0] in custom_ids(message)), None)
        asked = ""
        for label in labels:
            if said is None or label not in custom_ids(said):
                return False
            asked = said.content
            said = (await club.press(getattr(club.world, name), said, custom_ids(said)[label])).response
        return said is not None and said.content not in ("", asked)                     # deferred, it stands as it was
    return Step(f"{name}: {', '.join(labels)}", act)


def confirmed(name: str, command: str, label: str, **given: Any) -> Step:
    """A command that shows what it would do, and the button below that does it."""
    async def act(club: Club) -> bool:
        person = getattr(club.world, name)
        shown = await club.shown(person, command, **_people(club, given))
        asked = shown.content
        result = await club.press(person, shown, custom_ids(shown)[label])
        return bool(result.response and result.response.content not in ("", asked))     # deferred, it stands as it was
    return Step(f"{name}: /{command}, {label}", act)


def noted(name: str, words: str) -> Step:
    """A note of somebody's on the present step."""
    async def act(club: Club) -> bool:
        person = getattr(club.world, name)
        shown = await club.shown(person, "game map")
        form = await club.press(person, shown, custom_ids(shown)["Note"])
        if not form.modal:
            return False
        (field,) = [item["custom_id"] for row in form.modal["components"] for item in row["components"]]
        result = await person.submit_modal(form, {field: words})
        return bool(result.response and words in result.response.content)
    return Step(f"{name}: a note", act)


# --- answers ------------------------------------------------------------------------------------------------------

def published(name: str) -> Step:
    """Somebody publishes the round that has been planned, as far as it goes."""
    async def act(club: Club) -> bool:
        person = getattr(club.world, name)
        shown = await club.shown(person, "my move")
        label = next((label for label in custom_ids(shown) if label in ("Finish round", "Publish so far")), None)
        return label is not None and bool((await club.press(person, shown, custom_ids(shown)[label])).response)
    return Step(f"{name}: publish", act)


def says(name: str, action: Action) -> Step:
    """Somebody gives this answer, by the menu."""
    return Step(f"{name}: {action.verb}", lambda club: club.taps(getattr(club.world, name), action))


def asked(action: Action) -> Step:
    """Whoever is awaited gives this answer, by the menu."""
    return Step(action.verb, lambda club: club.answer(lambda table, seat: action))


def answering(pick: Callable[[Sequence[Action], random.Random], Action]) -> Step:
    """Whoever is awaited gives an answer that is picked with a little luck, by the menu."""
    async def act(club: Club) -> bool:
        def choose(table: Table, seat: Seat) -> Action:
            return pick(table.options(seat), random.Random(f"{club.seed} {table.last_no} {seat}"))
        return await club.answer(choose)
    return Step("an answer", act)


ANSWER = answering(lambda listed, rng: random_answer(listed, rng.randrange))


def usual(*points: str) -> Step:
    """As long as a question of these decision points is open, whoever is awaited answers as usual, by the menu."""
    async def act(club: Club) -> bool:
        answered = False
        while await _open(club, points):
            answered = await club.answer(lambda table, seat: table.default(seat))
            if not answered:
                break
        return answered
    return Step(f"the default moves to {', '.join(points)}", act, long=True)


def answered_for(name: str) -> Step:
    """A game master gives the default move for whoever is awaited."""
    async def act(club: Club) -> bool:
        return await club.typed(getattr(club.world, name), "gm answer", seat=(await club.awaited()).seat)
    return Step(f"{name} answers for another", act)


async def _open(club: Club, points: Collection[str]) -> bool:
    waiting = (await club.table()).waiting()
    return bool(waiting) and waiting[0].point in points


# --- without Discord, or by time ------------------------------------------------------------------------------------

async def settled(club: Club) -> bool:
    """What a step of the core leads to on Discord belongs to that step."""
    await club.world.env.settle()
    return True


def ordered(name: str, *orders: Order) -> Step:
    """Standing orders; their seat is that of whoever gives them."""
    async def act(club: Club) -> bool:
        with club.world.env.time_context():
            await club.world.services.orders.give_orders(1, getattr(club.world, name).id, orders)
        return await settled(club)
    return Step(f"{name} orders", act)


def requested(name: str) -> Step:
    """Somebody asks the others to take back what came of the first of the own answers."""
    async def act(club: Club) -> bool:
        with club.world.env.time_context():
            user = getattr(club.world, name).id
            seat = await club.world.services.queries.seat_of(1, user)
            rows = await club.world.store.read(lambda ledger: ledger.log.outline(1))
            first = next(row.no for row in rows if row.seat == seat and row.by == "player")
            await club.world.services.undo_requests.ask(1, user, first)
        return await settled(club)
    return Step(f"{name} asks the others", act)


def rolled_back(name: str, rows: int) -> Step:
    """A game master returns by so many rows, after a look at what that takes back."""
    async def act(club: Club) -> bool:
        to = await club.world.newest() - rows
        return await confirmed(name, "gm rollback", "Confirm", row=to).act(club)
    return Step(f"{name}: {rows} rows back", act)


def learns(name: str, spec: GameSpec) -> Step:
    """Somebody takes a step of the first lesson of a game."""
    async def act(club: Club) -> bool:
        services, user, (lesson, *_) = club.world.services, getattr(club.world, name).id, spec.words.lessons
        with club.world.env.time_context():
            here = await services.lessons.lesson(user, spec, lesson)
            await services.lessons.learn(user, spec, lesson, here.number, leading(here.step)[0])
        return True
    return Step(f"{name} takes a step of a lesson", act)


def clocked(hours: int) -> Step:
    """A clock, so that deadlines run."""
    async def act(club: Club) -> bool:
        with club.world.env.time_context():
            await club.world.services.clocks.set_clock(1, club.world.olga.id, clock=read(f"{hours}h"))
        return await settled(club)
    return Step("a clock", act)


def without_no_shows(name: str) -> Step:
    """Whoever makes no first move is left out, as a host chooses before the start."""
    async def act(club: Club) -> bool:
        with club.world.env.time_context():
            await club.world.services.gone_players.set_no_show(1, "drop", getattr(club.world, name).id)
        return await settled(club)
    return Step("no shows", act)


def aged(days: int, until: float = 0) -> Step:
    """The open question, and the votes about whoever does not answer it, are so many days older than the game, since they can't
    be waited for here; then time until so many hours after the beginning."""
    async def act(club: Club) -> bool:
        then, told = (f"{club.begun + timedelta(days=after):%Y-%m-%dT%H:%M:%S+00:00}" for after in (-days, 1))

        def age(ledger: Ledger) -> None:
            ledger.conn.execute("UPDATE deadlines SET since = ?", (then,))
            ledger.conn.execute("INSERT OR REPLACE INTO escalations (game, seat, at) SELECT game, seat, ? FROM deadlines",
                                (told,))
            ledger.conn.execute("UPDATE replacements SET at = ?1, look_at = ?1, ended_at = iif(ended IS NULL, NULL, ?1)", (then,))

        await club.world.store.write(age)
        return await club.passes(until) if until else True
    return Step(f"{days} days without a move", act, long=until > 0)


def forum_chosen(name: str) -> Step:
    """Somebody who manages the server chooses its forum for games."""
    async def act(club: Club) -> bool:
        world = club.world
        known = [one for one in world.env.backend.channels.values() if one.type == discord.ChannelType.forum.value]
        forum = simcord.ChannelHandle(world.env, world.guild, known[0]) if known else world.guild.create_forum_channel("games")
        await world.services.forums.set_forum(world.guild.id, forum.id)
        return True
    return Step(f"{name} chooses a forum", act, long=True)


def wishes(*names: str) -> Step:
    """Some would like to hear of any game that is opened, and of any seat that comes free."""
    async def act(club: Club) -> bool:
        with club.world.env.time_context():
            for name in names:
                await club.world.services.interests.add_interest(club.world.guild.id, getattr(club.world, name).id, "", 0)
        return await settled(club)
    return Step(f"{', '.join(names)} would like to hear of games", act, long=True)


def no_messages(name: str) -> Step:
    """Somebody wants no direct message with the secrets of the game."""
    async def act(club: Club) -> bool:
        with club.world.env.time_context():
            await club.world.services.seats.set_private(1, getattr(club.world, name).id, False)
        return await settled(club)
    return Step(f"{name} wants no direct message", act)


def weeks_wanted(server: str, member: str) -> Step:
    """A noticeboard is hung up with a weekly summary, and a member wants one."""
    async def act(club: Club) -> bool:
        world = club.world
        with world.env.time_context():
            await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, getattr(world, server).id)
            await world.services.weekly.want_weekly(world.guild.id, wanted=True)
            await world.services.weekly.want_own_weekly(getattr(world, member).id, wanted=True)
        return await settled(club)
    return Step(f"{server} and {member} want a weekly summary", act, long=True)


def week_over() -> Step:
    """The week of which summaries tell is over, since it can't be waited for here."""
    async def act(club: Club) -> bool:
        then = f"{club.begun - timedelta(days=8):%Y-%m-%dT%H:%M:%S+00:00}"

        def age(ledger: Ledger) -> None:
            for table in ("noticeboards", "members"):
                ledger.conn.execute(f"UPDATE {table} SET weekly = ? WHERE weekly NOT NULL", (then,))

        await club.world.store.write(age)
        with club.world.env.time_context():
            await club.world.bot.scheduler._chores()
        return await settled(club)
    return Step("a week", act)


def later(hours: float) -> Step:
    """Time until so many hours after the beginning."""
    return Step(f"{hours} hours", lambda club: club.passes(hours), long=True)
