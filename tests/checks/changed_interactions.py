"""Changed interactions on a simulated Discord: what people type, press, choose and fill in, with something in it changed."""
from __future__ import annotations

import functools
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import simcord
from simcord.backend import serializers
from simcord.enums import InteractionType

from bench.commands import typed
from bot.discord.client import make_bot
from bot.service import Services
from bot.store import OrderRow, Store
from engine.kernel import Aside, GameSpec, Row, Seat
from engine.selfplay import random_answer
from engine.undo import REWIND
from tests.checks.changed_actions import ENOUGH, Tally, beyond
from tests.checks.leak_clubs import opening
from tests.checks.mixtures import a_mixture, an_edition, for_seats
from tests.often_said import BROKEN

PLAYERS, GAMES = 3, 2
TAPS_KEPT = 400                  # real buttons and selects that are pressed again
TAPS = 6                    # changed interactions at one question
ANSWERING = {"do", "yes", "pick", "choose", "typed", "sheetsent"}


BLANK = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
                      "0000000a49444154789c636000000002000148afa4710000000049454e44ae426082")


def blank(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """Pictures have instruments of their own."""
    return BLANK, "nothing to be seen"


@dataclass(frozen=True)
class Tap:
    """A button, a select with a value, or a form that was really shown: by its custom id."""

    custom_id: str
    value: str | None           # of a select
    message: Any                # with which it came


@dataclass(frozen=True)
class Legal:
    """What counted at a moment: for each game its stamps and orders, and for each seat the answers listed for it."""

    newest: dict[int, int]
    asked_at: dict[int, int]
    listed: dict[tuple[int, str], frozenset[Any]]
    least: dict[tuple[int, str], list[Any]]
    orders: dict[int, dict[int, OrderRow]]


async def on_discord(spec: GameSpec, number: int, seed: int, tally: Tally, tick: Callable[[int], None], path: Path) -> None:
    """Changed interactions in two games that the same people play in one channel each."""
    store = Store(path)
    services = Services(store, (spec,))
    env = simcord.Env(make_bot(services, (spec,), draw=blank), shard_count=1)
    env.__dict__["_settle_internal"] = functools.partial(env._settle_internal, idle=0.001)
    await env.start()
    try:
        club = _Club(env, services, spec, random.Random(seed), tally)
        while tally.tried < number and len(tally.accepted) < ENOUGH:
            before = tally.tried
            await club.some(number)
            tick(tally.tried - before)
    finally:
        await env.shutdown()
        store.close()


class _Club:
    """People, channels, games, and the taps that they have been shown."""

    def __init__(self, env: Any, services: Services, spec: GameSpec, pick: random.Random, tally: Tally) -> None:
        self.env, self.services, self.spec, self.pick, self.tally = env, services, spec, pick, tally
        guild = env.create_guild("bench")
        self.people = [guild.add_member(env.create_user(f"player{number}")) for number in range(min(PLAYERS, max(spec.seats)))]
        self.stranger = guild.add_member(env.create_user("stranger"))
        self.by_id = {person.id: person for person in self.people}
        self.channels = [guild.create_text_channel(f"table-{number}") for number in range(GAMES)]
        self.at: dict[int, Any] = {}            # game -> channel
        self.taps: deque[Tap] = deque(maxlen=TAPS_KEPT)

    async def some(self, number: int) -> None:
        """Changed interactions at the present question of some game, then a real answer."""
        pick, services = self.pick, self.services
        running = [row.id for row in await services.queries.games(status=("running",))]
        for channel in self.channels:
            if channel not in [self.at[game] for game in running]:
                running.append(await self._open(channel))
        game = pick.choice(running)
        waiting = pick.choice(await services.queries.waiting(game))
        person, command = self.by_id[waiting.user or 0], self.spec.command
        self._kept(await person.slash(self.at[game], "my move"))
        for _ in range(TAPS):
            if self.tally.tried < number and self.taps:
                await self._tap(pick.choice(self.taps))
        if self.tally.tried < number:
            await self._type(game)
        table = await services.session.table(game)
        question = table.asked(waiting.seat)
        if question is not None:
            action = random_answer(table.options(waiting.seat), pick.randrange)
            if table.spec.words.menus[action.verb].typed:
                self._kept(await person.slash(self.at[game], f"{command} {action.verb}", **typed(action), game=str(game)))
            else:                                           # taps alone give it
                await services.answers.answer(game, waiting.user or 0, action)
        if pick.random() < 0.1:
            self._kept(await self.people[0].slash(self.at[game], pick.choice(("gm undo", "gm redo")), game=str(game)))

    async def _open(self, channel: Any) -> int:
        """A new game in a channel."""
        edition = an_edition(self.spec, self.pick)
        mixture = for_seats(self.spec, edition, a_mixture(self.spec, edition, self.pick, 0.3), len(self.people))
        await self.people[0].slash(channel, "game open", game=self.spec.key, seats=len(self.people), **opening(edition, mixture))
        game = (await self.services.queries.games())[-1].id
        for person in self.people:
            await person.slash(channel, "game join", game=str(game))
        await self.people[0].slash(channel, "game start", game=str(game))
        self.at[game] = channel
        return game

    def _kept(self, result: Any) -> None:
        """Remember what an answer shows to be pressed, chosen and filled in."""
        for shown in [result.response, *result.followups]:
            for item in _items(shown.components) if shown is not None else ():
                values = [option["value"] for option in item.get("options", [])]
                for value in self.pick.sample(values, min(len(values), 3)) or [None]:
                    if "custom_id" in item:
                        self.taps.append(Tap(item["custom_id"], value, shown._message))

    # -- changed interactions

    async def _tap(self, tap: Tap) -> None:
        """Press, choose or fill in something that was shown, with a fact of its custom id or its value changed."""
        pick = self.pick
        name, *facts = tap.custom_id.split(":")
        other = pick.choice(self.taps)
        value = tap.value
        for way in pick.sample(("fact", "person", "value", "name", "age"), pick.choice((1, 1, 2))):
            if way == "fact" and facts:
                place = pick.randrange(len(facts))
                facts[place] = self._other(facts[place], other.custom_id.split(":")[1:])
            elif way == "value" and value is not None:
                value = self._other(value, [other.value] if other.value else [])
            elif way == "name":
                name, value = pick.choice((*sorted(ANSWERING), "menu", "amount", "back", "nothing")), None
        person = pick.choice((*self.people, self.stranger)) if pick.random() < 0.5 else self._holder(facts)
        custom_id = ":".join([name, *facts])
        amount = pick.choice(("7", "0", "-1", "x", "", "9" * 9))
        doing = self._form(person, tap, custom_id, amount) if name == "typed" else self._use(person, tap, custom_id, value)
        await self._judged(person, custom_id, doing)

    def _other(self, fact: str, theirs: list[str]) -> str:
        """Another fact of the same kind: a number for a number, a word for a word; Discord sends only what was shown."""
        if fact.lstrip("-").isdecimal():
            return self.pick.choice((*filter(str.isdecimal, theirs), "0", "-1", "1", "999", str(int(fact) + 1)))
        words = [word for word in theirs if not word.isdecimal()]
        return self.pick.choice((*words, "seat_1", "seat_2", "seat_3", "end", "pass", "x", fact[::-1], ""))

    def _holder(self, facts: list[str]) -> Any:
        """Who holds the seat that a custom id names, if it names one."""
        seat = facts[1] if len(facts) > 1 else ""
        return self.people[int(seat[5:]) - 1] if seat in {f"seat_{number}" for number in range(1, len(self.people) + 1)} \
            else self.people[0]

    def _use(self, person: Any, tap: Tap, custom_id: str, value: str | None) -> Any:
        """Press or choose something that the message did not show: Discord would never send that, and it must do no harm."""
        item: dict[str, Any] = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id}
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2}
        if value is not None:
            item = {"type": 3, "custom_id": custom_id, "options": [{"label": "x", "value": value}]}
            data |= {"component_type": 3, "values": [value]}
        shown = [{"type": 1, "components": [item]}]
        message = {**serializers.message_payload(self.env.backend, tap.message), "components": shown}
        return person._dispatch_interaction(InteractionType.MESSAGE_COMPONENT, self._where(tap), data,
                                            extra={"message": message}, source_message_id=tap.message.id)

    def _form(self, person: Any, tap: Tap, custom_id: str, amount: str) -> Any:
        """A form that is sent."""
        row = {"type": 1, "components": [{"type": 4, "custom_id": "amount", "value": amount}]}
        return person._dispatch_interaction(InteractionType.MODAL_SUBMIT, self._where(tap),
                                            {"custom_id": custom_id, "components": [row]})

    def _where(self, tap: Tap) -> Any:
        return next((channel for channel in self.channels if channel.id == tap.message.channel_id), self.channels[0])

    async def _type(self, game: int) -> None:
        """Type an answer as a command, with an option, the game or the person changed."""
        pick, channel = self.pick, self.at[game]
        table = await self.services.session.table(game)
        if table.over:
            return                          # a changed answer was legal, and the last one
        waiting = pick.choice(table.waiting())
        action = random_answer(table.options(waiting.seat), pick.randrange)
        given = typed(action)
        names = [name for name in given if isinstance(given[name], str)]
        if names and pick.random() < 0.6:
            given[pick.choice(names)] = pick.choice((*self.spec.words.names(table.parts), "atlantis", "", "Austria "))
        elif given and (numbers := [name for name, value in given.items() if type(value) is int]):
            given[pick.choice(numbers)] = pick.choice((0, 1, 2, 5, 99, 10**9))
        person = pick.choice((*self.people, self.stranger))
        named = str(pick.choice((*self.at, 99))) if pick.random() < 0.5 else str(game)
        await self._judged(person, f"/{action.verb} {given} game={named}",
                           person.slash(channel, f"{self.spec.command} {action.verb}", **given, game=named))

    # -- what came of them

    async def _judged(self, person: Any, said: str, doing: Any) -> None:
        """Do it, and compare what it changed with what was legal just before."""
        before = await self._legal()
        self.tally.tried += 1
        try:
            result = await doing
        except simcord.SetupError:
            return                          # Discord itself does not let anybody send that
        self._kept(result)
        words = " ".join(shown.content for shown in (result.response, *result.followups) if shown is not None)
        if BROKEN in words or not (result.acknowledged or result.modal):
            self.tally.broken(f"{person.name}: {said}: {words}")
        for game in self.at:
            known, now = before.orders[game], await self._orders(game)
            touched = [known.get(id) or now[id] for id in {*known, *now} if known.get(id) != now.get(id)]
            if {row.order.seat for row in touched} - {await self.services.queries.seat_of(game, person.id)}:
                self.tally.wrong(f"{person.name}: {said}: it changes an order of another seat")
            rows = await self._rows(game, before.newest[game])
            if rows:
                fault = await self._fault(person, said, game, rows[0], before)
                if fault:
                    self.tally.wrong(f"{person.name}: {said}: {fault}")
                else:
                    self.tally.legal += 1

    async def _rows(self, game: int, since: int) -> list[Row]:
        return await self.services.session.store.read(lambda ledger: ledger.log.rows(game, since=since))

    async def _orders(self, game: int) -> dict[int, OrderRow]:
        return {row.order.id: row for row in await self.services.session.store.read(lambda ledger: ledger.orders.orders(game))}

    async def _legal(self) -> Legal:
        """What is legal now, in all games for all seats."""
        legal = Legal({}, {}, {}, {}, {})
        for game in self.at:
            legal.newest[game], legal.orders[game] = await self.services.queries.newest(game), await self._orders(game)
            if (await self.services.queries.game(game)).status != "running":
                continue
            table = await self.services.session.table(game)
            legal.asked_at[game] = table.asked_at
            for seat in map(Seat, table.state.seats):
                asides = [option for kind in table.spec.rules.asides for option in kind.options(table.state, seat)]
                legal.listed[game, seat] = frozenset([*table.options(seat), *asides])
                legal.least[game, seat] = [option for option in table.options(seat) if option.open_ended]
        return legal

    async def _fault(self, person: Any, said: str, game: int, row: Row, before: Legal) -> str:
        """What is wrong with the first row that an interaction made; "" if it is legal."""
        name, *facts = said.split(":") if not said.startswith("/") else ("",)
        holder = await self.services.queries.seat_of(game, person.id)
        if row.seat != holder:
            return f"row {row.no} of game {game} is by {row.seat}"
        if facts and facts[0] != str(game):
            return f"it names game {facts[0]} and moves {game}"
        if row.verb == REWIND:
            return "" if name == "back" and facts[2] == str(before.newest[game]) else f"row {row.no} returns"
        kind = self.spec.verb(row.verb)
        if kind is None:
            return f"row {row.no} is {row.verb}"
        action = kind.model_validate_json(row.answer)
        stamp = before.newest[game] if isinstance(action, Aside) else before.asked_at[game]
        if facts and (name not in ANSWERING or facts[1] != holder or facts[2] != str(stamp)):
            return f"row {row.no} answers by a tap that is not of this question"
        listed = before.listed[game, row.seat]
        if action in listed or beyond(action, *before.least[game, row.seat]):
            return ""
        return f"{action!r} was not listed"


def _items(rows: Any) -> Iterator[dict[str, Any]]:
    """All that can be used below a message."""
    for row in rows:
        yield from (row if isinstance(row, dict) else row.to_dict()).get("components", [])
