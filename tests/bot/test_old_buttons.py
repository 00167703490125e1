"""Old buttons: everything that was ever to be pressed is pressed again, by its owner and by others, whatever has happened since.

People play, look, order, talk and change their settings at random; every button, select and form that anybody was shown is
kept as it was. Later each is pressed again: in a game that has gone on, after an undo, a rollback, a handover, and at the end.
An old press never does what it did not mean: an answer counts only for the question below which it stood.
"""
from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import simcord
from simcord.actors import _dispatch_actor_interaction
from simcord.backend import serializers
from simcord.backend.errors import BackendError, OptionError
from simcord.builders import ChannelHandle
from simcord.enums import InteractionType

from bot.domain.announcements import choice_id
from engine import notation
from engine.catalog import GAMES
from engine.kernel import GameSpec, Row, Seat
from engine.refusals import Refusal
from engine.selfplay import random_answer
from engine.undo import REWIND, line
from tests.bot.discord_world import VOTES, World, custom_ids, options
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene
from tests.often_said import BROKEN
from tests.toy import PAINTED

pytestmark = pytest.mark.edge
BUTTON, SELECT, TEXT = 2, 3, 4       # Discord's numbers of components
ANSWERS = {"do", "yes", "votein", "choose", "pick", "typed", "fill"}    # presses that give an answer
RETURNS = {"back", "before", "rollback", "agree"}
MASTERS = {"stopgap", "care", "gmmoved"}               # a game master's presses that have a seat answered
ORDERED = {"packetsend", "alwaysdo", "deskdo", "orderpause", "ordermove", "orderdrop", "desktype"}     # by an order, at once
SEATING = {"join", "leave", "here", "care", "setprivate", "resign", "close", "vote"}
EACH = 1                    # of each kind that are pressed at a time; of answers twelve times as many
LAST = {"resign", "close"}                  # confirmations that mean the same for ever: they are pressed at the end

LOOKS: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("game status", {}), ("game legal", {}), ("game history", {}), ("my since", {}), ("game map", {}), ("game list", {}),
    ("game rules", {"wanted": "1"}), ("game teach", {}), ("talk read", {}), ("orders list", {}),
    ("orders prepare", {}), ("clock show", {}), ("settings", {}), ("game check", {}), ("gm audit", {}), ("game resign", {}),
    ("talk say", {"to": "all", "message": "Well, well."}), ("my away", {}), ("my back", {}), ("gm close", {}))


@dataclass(frozen=True)
class Item:
    """Something to press, with the message as it was."""

    channel: int
    message: int
    parts: Any                              # all components of the message
    owner: int | None                       # who alone could see it; None: everybody
    id: str
    kind: int
    value: str = ""                         # chosen in a select
    meant: tuple[str, Any] | None = None    # the answer that it stood for: verb and fields
    before: tuple[int, ...] = ()            # the rows in force when it was shown

    @property
    def name(self) -> str:
        return self.id.split(":")[0]

    @property
    def facts(self) -> list[str]:
        return self.id.split(":")[1:]


@dataclass(frozen=True)
class Form:
    """A form that was opened, and by whom."""

    owner: int
    channel: int
    id: str
    fields: tuple[str, ...]


class Club:
    """People who do anything, and all that they were ever shown."""

    def __init__(self, world: World, spec: GameSpec, seed: int) -> None:
        self.world, self.spec, self.rng = world, spec, random.Random(seed)
        self.people = {person.id: person for person in (world.olga, world.alice, world.bob, world.carol)}
        self.items: dict[tuple[int, str, str], Item] = {}
        self.forms: dict[str, Form] = {}
        self.looked_at: dict[int, Any] = {}                     # message -> its components when they were last looked at
        self.pressed: set[str] = set()                          # names of what was pressed again
        self.counted = 0                                        # presses that changed the game

    async def begin(self) -> None:
        """A running game of Alice and Bob."""
        table, people = self.world.table, (self.world.alice, self.world.bob)
        await self.did(self.world.olga, self.world.olga.slash(table, "game open", game=self.spec.key, seats=2))
        for person in people:
            await self.did(person, person.slash(table, "game join"))
        await self.did(self.world.olga, self.world.olga.slash(table, "game start"))

    # -- what is shown

    async def rows(self) -> list[Row]:
        return list(await self.world.store.read(lambda ledger: ledger.log.rows(1, since=0)))

    async def did(self, person: Any, doing: Any) -> Any:
        """Something is done by somebody; all that can be pressed after it is kept."""
        result = await doing
        await self.collect(person, result)
        return result

    async def collect(self, person: Any, result: Any) -> None:
        """Keep what can be pressed now and was not known yet; what was shown to one alone is the one's who acted."""
        modal = result.modal
        if modal is not None:
            parts = [part for row in modal["components"] for part in row.get("components", [row.get("component")])]
            fields = tuple(part["custom_id"] for part in parts if part["type"] == TEXT)
            self.forms.setdefault(modal["custom_id"], Form(person.id, self.world.table.id, modal["custom_id"], fields))
        new = [(channel, message, parts, part, value) for channel, message, parts in self._changed() for part in _parts(parts)
               for value in ([choice["value"] for choice in part.get("options", ())] if part["type"] == SELECT else [""])
               if (message.id, part["custom_id"], value) not in self.items]
        if not new:
            return
        before = tuple(row.no for row in line(await self.rows()).rows)
        meanings = await self._meanings()
        for channel, message, parts, part, value in new:
            choice = part["custom_id"].split(":")[-1]
            self.items.setdefault((message.id, part["custom_id"], value), Item(
                channel, message.id, parts, person.id if message.is_ephemeral else None,
                part["custom_id"], part["type"], value, meanings.get(choice) or _written(self.spec, choice), before))

    def _changed(self) -> Iterator[tuple[int, Any, Any]]:
        """Where components are others than when they were last looked at: the channel, the message, a copy of them."""
        for channel, messages in self.world.env.backend.messages.items():
            for message in messages.values():
                if self.looked_at.get(message.id) is not message.components:
                    self.looked_at[message.id] = message.components
                    yield channel, message, deepcopy(message.components)

    async def _meanings(self) -> dict[str, tuple[str, Any]]:
        """What each choice among the legal answers means now."""
        row = await self.world.services.queries.game(1)
        if row.status not in ("running", "paused"):
            return {}
        table = await self.world.services.session.table(1)
        listed = [option for seat in map(Seat, table.state.seats) for option in (
            *table.options(seat), *(one for kind in self.spec.rules.asides for one in kind.options(table.state, seat)))]
        return {choice_id(option): (option.verb, json.loads(option.model_dump_json())) for option in listed}

    # -- what people do

    async def live(self, steps: int) -> None:
        """So many things are done, most of them answers."""
        for _ in range(steps):
            if (await self.world.services.queries.game(1)).status != "running":
                await self.did(self.world.olga, self.world.olga.slash(self.world.table, "gm resume"))
            if self.rng.random() < 0.45:
                await self.answer()
            elif self.rng.random() < 0.5:
                person = self.rng.choice(list(self.people.values()))
                command, given = self.rng.choice(LOOKS)
                await self.command(person, command, **given)
            else:
                fresh = [item for item in list(self.items.values())[-40:] if item.name not in LAST]
                await self.press(self.rng.choice(fresh)) if fresh else None

    async def answer(self) -> None:
        """Whoever is awaited answers, by a menu."""
        waiting = await self.world.services.queries.waiting(1)
        if not waiting or waiting[0].user not in self.people:
            return
        table, person = await self.world.services.session.table(1), self.people[waiting[0].user]
        action, rows = random_answer(table.options(waiting[0].seat), self.rng.randrange), len(await self.rows())
        menu = await self.did(person, person.slash(self.world.table, "my move"))
        if menu.response is not None and self.rng.random() < 0.7 and (ids := list(custom_ids(menu.response).values())):
            await self.did(person, person.click(menu.response, custom_id=self.rng.choice(ids)))
        if menu.response is not None and options(menu.response):
            with suppress(simcord.SetupError):                  # two selects at once
                await self.did(person, person.select(menu.response, [self.rng.choice(list(options(menu.response).values()))]))
        try:
            await self.world.services.answers.answer(1, person.id, action)
        except Refusal:                                         # the taps before have answered already
            assert len(await self.rows()) > rows

    # -- pressing again

    async def press(self, item: Item, presser: int | None = None) -> None:
        """Press something as it was, and judge what comes of it."""
        backend = self.world.env.backend
        try:
            stored = backend.get_message(item.channel, item.message)
        except BackendError:
            return                                              # the message is gone, and its buttons with it
        channel = backend.get_channel(item.channel)
        direct = channel.guild_id is None
        person = self.people[presser or item.owner or (
            next(iter(set(channel.recipient_ids) & set(self.people))) if direct else self.world.alice.id)]
        now, stored.components = stored.components, deepcopy(item.parts)
        data: dict[str, Any] = {"custom_id": item.id, "component_type": item.kind}
        if item.kind == SELECT:
            data["values"] = [item.value]
        shown = dict(serializers.message_payload(backend, stored))
        if not stored.is_ephemeral:
            stored.components = now
        actor = person.user if direct else person
        before, stood = await self.rows(), await self._seats()
        place = ChannelHandle(self.world.env, None if direct else self.world.guild, channel)
        result = await _dispatch_actor_interaction(
            actor, InteractionType.MESSAGE_COMPONENT, place, data, extra={"message": shown}, source_message_id=stored.id)
        self.pressed.add(item.name)
        await self._judge(item, person, result, before, stood)
        await self.collect(person, result)

    async def submit(self, form: Form, presser: int, typed: str) -> None:
        """Send a form that was opened long ago."""
        person, backend = self.people[presser], self.world.env.backend
        data = {"custom_id": form.id, "components": [
            {"type": 1, "components": [{"type": 4, "custom_id": field, "value": typed}]} for field in form.fields]}
        before, stood = await self.rows(), await self._seats()
        result = await _dispatch_actor_interaction(
            person, InteractionType.MODAL_SUBMIT,
            ChannelHandle(self.world.env, self.world.guild, backend.get_channel(form.channel)), data)
        item = Item(form.channel, 0, None, form.owner, form.id, 0)
        await self._judge(item, person, result, before, stood)

    async def _seats(self) -> Any:
        row = await self.world.services.queries.game(1)
        return row.status, [(holder.seat, holder.user, holder.caretaker)
                            for holder in await self.world.services.queries.holders(1)]

    async def _judge(self, item: Item, person: Any, result: Any, before: Sequence[Row], stood: Any) -> None:
        """A press is answered by a sentence, a screen or a form, or by what the channel says, and changes nothing that it did not
        mean."""
        told = [shown.content for shown in (result.response, *result.followups) if shown is not None]
        new = (await self.rows())[len(before):]
        heard = result.acknowledged and (any(told) or bool(new) or item.name in VOTES)
        assert result.modal is not None or heard, f"{item.id} by {person.name}: no answer"
        assert not any(BROKEN in words for words in told), f"{item.id} by {person.name}: {told}"
        if item.name not in SEATING | RETURNS and not any(row.by in ("clock", "player") for row in new):
            assert (await self._seats())[1] == stood[1], f"{item.id} by {person.name} changed the seats"
        if not new:
            return
        self.counted += 1
        fault = self._fault(item, person, new[0], before, stood)
        assert not fault, f"{item.id} by {person.name}: {fault}: {new}"

    def _fault(self, item: Item, person: Any, row: Row, before: Sequence[Row], stood: Any) -> str:
        """Why a press must not have made this row; "" if it may."""
        own = next((seat for seat, user, _ in stood[1] if user == person.id), None)
        newest = before[-1].no if before else 0
        if row.verb == REWIND:
            if item.name not in RETURNS:
                return "returns unasked"
            return "" if item.name == "agree" or int(item.facts[-1]) == newest else "returns although something has happened"
        if item.name in MASTERS:
            return "" if person is self.world.olga else "is no game master"
        if item.name in ORDERED:
            return "" if row.by == "order" and row.seat == own else "gives an answer"
        if item.name in ("resign", "here", "setveil", "awaynow"):
            return ""
        if item.name not in ANSWERS:
            return "gives an answer"
        to, asked = (own, item.facts[1]) if item.name == "votein" else item.facts[1:3]
        if row.by != "player" or row.seat != own or to != own:
            return "answers for another seat"
        asked_at = int(asked)
        now = [no for no in (kept.no for kept in line(before).rows) if no <= asked_at]
        if item.before and now != [no for no in item.before if no <= asked_at]:
            return "is of another past"
        if any(late.no > asked_at and late.seat == own and late.by == "player" for late in line(before).rows):
            return "is of an earlier question"
        if item.name in ("do", "yes") and item.meant is not None and item.meant != (row.verb, json.loads(row.answer)):
            return f"meant {item.meant}"
        return ""

    async def look_around(self) -> None:
        """Every look that there is, and what it offers to press."""
        for person in (self.world.alice, self.world.olga):
            for command, given in LOOKS:
                try:
                    await self.command(person, command, **given)
                except (simcord.SetupError, OptionError):       # no such command in this version
                    continue

    async def press_all(self, *, last: bool = False) -> None:
        """Some of everything by its owner; what everybody sees by somebody else too; and all forms."""
        shuffled = list(self.items.values())
        self.rng.shuffle(shuffled)
        taken = Counter[str]()
        for item in shuffled:
            taken[item.name] += 1
            if (item.name in LAST and not last) or taken[item.name] > (12 * EACH if item.name in ANSWERS else EACH):
                continue
            await self.press(item)
            if item.owner is None and self.rng.random() < 0.5 and item.channel == self.world.table.id:
                await self.press(item, self.rng.choice(list(self.people)))
        for form in list(self.forms.values()):
            for typed in ("3", "nonsense", "24h"):
                await self.submit(form, self.rng.choice([form.owner, *self.people]), typed)

    async def command(self, person: Any, command: str, **given: Any) -> Any:
        """A command, with all that it shows."""
        return await self.did(person, person.slash(self.world.table, command, **given))


def _parts(components: Any) -> Iterator[dict[str, Any]]:
    for row in components:
        for part in (row if isinstance(row, dict) else row.to_dict()).get("components", ()):
            if part.get("custom_id") and part["type"] in (BUTTON, SELECT):
                yield part


def _written(spec: GameSpec, choice: str) -> tuple[str, Any] | None:
    """An answer that a button names in full."""
    if "=" not in choice:
        return None
    action = notation.read(spec, choice)
    return action.verb, json.loads(action.model_dump_json())


async def walked(world: World, spec: GameSpec, seed: int, steps: int) -> Club:
    """Random play with undos, a rollback and a handover, and after each of them all old buttons."""
    club = Club(world, spec, seed)
    await club.begin()
    await club.live(steps)
    await club.look_around()
    await club.command(world.olga, "gm undo")
    await club.press_all()
    await club.command(world.olga, "gm rollback", row=max(await world.newest() // 2, 1))
    preview = next(item for item in reversed(club.items.values()) if item.name == "rollback")
    await club.press(preview)
    await club.live(steps // 3)
    await club.press_all()
    (holder, *_) = await world.services.queries.holders(1)
    await club.command(world.olga, "gm hand", seat=holder.seat, member=world.carol)
    await club.press_all()
    return club


async def test_old_buttons_of_the_small_game(tmp_path: Path) -> None:
    big = PAINTED.changed(setup=lambda seats, options, parts: PAINTED.rules.state(seats=list(seats), heap=30))
    async with World.at(tmp_path / "games.db", (big,), sketch) as world:
        club = await walked(world, big, 2, 16)
        await end(club)
    check(world)
    assert {"do", "move", "menu", "mine", "back", "look", "turn"} <= club.pressed, club.pressed


@pytest.mark.slow
async def test_old_buttons_of_struggle_of_empires(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", GAMES, sketch) as world:
        club = await walked(world, GAMES[0], 3, 16)
        await end(club)
    check(world)
    assert {"do", "choose", "menu"} <= club.pressed, club.pressed


@pytest.mark.slow
async def test_old_buttons_of_attack(tmp_path: Path) -> None:
    """From a position with something to move, to trade and to fight for at sea."""
    land = {"ukraine": ("red", "4I 2T 1P"), "cuba": ("red", "2I"), "poland": ("blue", "3I 1A"), "mexico": ("blue", "2I")}
    war = scene(land=land, capitals={"ukraine": "red", "poland": "blue"}, fleets={"red": "1B 2D", "blue": "1B 1S"},
                hands={"red": ("oil_1", "minerals_2"), "blue": ("oil_3",)}).state
    async with World.at(tmp_path / "games.db", (GAMES[1].changed(setup=lambda *_: war.model_copy(deep=True)),), sketch) as world:
        club = await walked(world, world.games[0], 3, 12)
        await end(club)
    check(world)
    assert {"do", "choose", "menu"} <= club.pressed, club.pressed


async def end(club: Club) -> None:
    """The game is closed; nothing does anything any more, and everything says so."""
    await club.world.services.seats.close(1, club.world.olga.id, "abandoned")
    newest, counted = await club.world.newest(), club.counted
    await club.press_all(last=True)
    assert await club.world.newest() == newest and club.counted == counted


def check(world: World) -> None:
    """No error came up that was not a sentence."""
    world.check()
