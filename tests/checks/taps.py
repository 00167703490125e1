"""How many taps people need: typical turns played by taps alone on the simulated Discord, and what the channel tells before.

A tap is one press, one choice in a select, one form sent; each field of a form that is filled in by a choice is one more. Only
the taps of the one whose move is measured count; the others answer by their defaults, which costs nothing here. Positions are
made by hand, and the dice are always the same.
"""
from __future__ import annotations

import asyncio
import logging
import re
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any

from bot.discord.outbox.noticeboard import APART
from bot.discord.pictures import Draw
from engine.catalog import GAMES
from engine.dice import SecretDice
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import Propose
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.struggle_of_empires import GAME as STRUGGLE
from engine.games.struggle_of_empires.actions import Attack, Bid, Take
from engine.games.struggle_of_empires.orders.decision_points import placed
from engine.kernel import Action, GameSpec, Seat, Table
from tests.bot.discord_world import World, no_painter, words
from tests.bot.menu_taps import BUTTON, SELECT, controls, used, way_to
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene as attack_scene
from tests.position import starting_at
from tests.scene import scene as struggle_scene

LINE, NAME = 45, 8                      # characters of a line on a phone, and of somebody's name
MOVES = ("do", "yes", "pick", "choose", "menu", "sheet", "amount")      # where buttons that are moves lead
LOT = 0.4                               # of the answers of a whole game
STEPS = 15                              # of one answer, at most
FOUR = ("austria", "britain", "france", "spain")
COLOURS = ("red", "blue", "green", "brown")
FAIR = SecretDice("00" * 32)

TURN: Mapping[str, Any] = {
    "powers": FOUR, "active": "austria", "dice": FAIR, "gold": 10,
    "units": {"austria": {"army": {"india": 2, "africa": 1, "german_states": 1, "north_america": 1}, "navy": {"india": 1}},
              "britain": {"army": {"india": 1, "africa": 1, "german_states": 1}, "navy": {"india": 1}},
              "france": {"army": {"india": 1}}, "spain": {"army": {"africa": 1, "india": 1, "north_america": 1}}},
    "neutrals": {"india": ["neutral_3"], "africa": ["neutral_2"], "german_states": ["neutral_4"], "north_america": ["neutral_3"]},
    "markers": {"austria": {"india": 1}, "britain": {"india": 1, "africa": 2, "german_states": 1},
                "spain": {"africa": 1, "india": 1, "north_america": 1}}}
AUCTION: Mapping[str, Any] = {"powers": FOUR, "phase": "auction", "opener": "austria", "dice": FAIR}
PLACING: Mapping[str, Any] = {"powers": FOUR, "phase": "placing", "first": "austria", "dice": FAIR,
                              "markers": {power: {"india": 1, "africa": 1} for power in FOUR}}
WAR: Mapping[str, Any] = {
    "powers": COLOURS, "dice": FAIR, "controller": "blue",
    "land": {"france": ("red", "4I 3T 2A 2P"), "iberia": ("red", "2I 2T 1A 1P"), "algeria": ("red", "2I 1A"),
             "egypt": ("red", "2I 1T 1A"),
             "italy": ("blue", "2I"), "germany": ("blue", "2I 1T"), "poland": ("green", "3I"), "cuba": ("brown", "2I 1T")},
    "capitals": {"france": "red", "germany": "blue", "poland": "green", "cuba": "brown"},
    "hands": {"red": ("oil_3", "oil_3", "oil_3"), "blue": ("oil_2",)}, "fleets": {colour: "1D 1S" for colour in COLOURS}}


class Hand:
    """One person's taps at one table, counted."""

    def __init__(self, world: World, people: Mapping[Seat, Any], seat: Seat) -> None:
        self.world, self.people, self.seat, self.person = world, people, seat, people[seat]
        self.taps = 0
        self.screen: Any = None             # the private panel, if it shows the present question

    async def table(self) -> Table:
        table: Table = await self.world.services.session.table(1)
        return table

    async def tap(self, label: str, *, message: Any = None) -> Any:
        """The first control that says so, or begins so: what it shows."""
        shown = self.screen if message is None else message
        found = controls(shown)
        way = next((one for one in found if one.label == label), None) or next(
            one for one in found if one.label.startswith(label))
        self.taps += 1
        return self.keep(await used(self.person, shown, way))

    def keep(self, result: Any) -> Any:
        """Remember the screen that an interaction led to; a form that it opened is given back as it is."""
        if getattr(result, "modal", None):
            return result
        self.screen = result.response or result.followups[-1]
        return self.screen

    async def fill(self, form: Any, wanted: Mapping[str, str]) -> Any:
        """Fill in a form and send it: of each line, by what it is called, the choice that says so."""
        values = {}
        for line in form.modal["components"]:
            control = line["component"]
            if line["label"] in wanted:
                values[control["custom_id"]] = [next(option["value"] for option in control["options"]
                                                     if option["label"] == wanted[line["label"]])]
        assert len(values) == len(wanted), f"the form has no such lines: {[line['label'] for line in form.modal['components']]}"
        self.taps += len(values) + 1
        return self.keep(await self.person.submit_modal(form, values))

    async def others(self) -> None:
        """All others answer by their defaults until this seat is asked."""
        for _ in range(200):
            table = await self.table()
            if table.over or table.asked(self.seat) is not None:
                return
            for question in table.waiting():
                self.screen = None
                await self.world.services.answers.answer(1, self.people[question.seat].id, table.default(question.seat))
        raise AssertionError("the seat is never asked again")

    async def react(self, until: str) -> None:
        """Answer by taps whatever this seat is asked, as it would be by default, up to a question of this decision point."""
        await self.others()
        while (question := (table := await self.table()).asked(self.seat)) is not None and question.point != until:
            await self.give(table.default(self.seat))
            await self.others()

    async def question(self) -> Any:
        """The question of this seat in the channel."""
        await self.world.env.settle()
        for message in reversed(self.world.table.history()):
            if any(f":{self.seat}" in one.custom_id for one in controls(message)):
                return message
        raise AssertionError(f"{self.seat} has no question in the channel")

    async def give(self, action: Action) -> None:
        """Give one answer by taps, from wherever the person is."""
        await self.others()
        before = (await self.table()).last_no
        for _ in range(STEPS):
            shown = self.screen if self.screen is not None else await self.question()
            way = way_to(shown, action) or next((one for one in controls(shown) if one.custom_id.startswith("yes:")), None)
            assert way is not None, f"no way to {action!r} from {shown.content}: {[one.label for one in controls(shown)]}"
            self.taps += 1
            self.keep(await used(self.person, shown, way))
            now = await self.table()
            if now.last_no > before:
                if now.asked(self.seat) is None:
                    self.screen = None
                return
        raise AssertionError(f"{STEPS} taps do not lead to {action!r}")


@asynccontextmanager
async def playing(spec: GameSpec, start: Any, players: int = 4, draw: Draw = no_painter) -> AsyncIterator[Hand]:
    """A running game in this position; the hand of its first seat."""
    with tempfile.TemporaryDirectory() as folder:
        async with World.at(Path(folder) / "games.db", (starting_at(spec, start.start.state),), draw) as world:
            people = [world.guild.add_member(world.env.create_user(f"player{number}")) for number in range(players)]
            await world.olga.slash(world.table, "game open", game=spec.key, seats=players)
            for person in people:
                await person.slash(world.table, "game join")
            await world.olga.slash(world.table, "game start")
            seats = [holder.seat for holder in await world.services.queries.holders(1)]
            yield Hand(world, dict(zip(seats, people)), seats[0])


async def struggle_turn() -> int:
    """A turn of Struggle of Empires: an attack on a power, and a tile."""
    async with playing(STRUGGLE, struggle_scene(**TURN)) as hand:
        await hand.give(Attack(area="india", target="britain"))
        await hand.react("DP-05")
        await hand.give(Take(tile="banking"))
        return hand.taps


async def first_bid() -> int:
    """The bid that opens an auction among four."""
    async with playing(STRUGGLE, struggle_scene(**AUCTION)) as hand:
        await hand.give(Bid(gold=1, a="austria", b="france"))
        return hand.taps


async def raised_bid() -> int:
    """A higher bid, with another proposal."""
    async with playing(STRUGGLE, struggle_scene(**AUCTION)) as hand:
        await hand.world.services.answers.answer(1, hand.person.id, Bid(gold=1, a="austria", b="france"))
        bob = Hand(hand.world, hand.people, list(hand.people)[1])
        await bob.give(Bid(gold=3, a="britain", b="spain"))
        return bob.taps


UNITS = ("Place an army in India", "Place a navy in India", "Place an army in Africa", "Place a navy in Africa",
         "Place an army in the East Indies")


async def place_all(hand: Hand) -> None:
    """All starting units in one form, which the channel offers to everybody. A line has room for 25 of the 33 places, those with
    the seat's markers first; where chance has put the markers elsewhere, the first place of a line serves as well."""
    await hand.world.env.settle()
    form = await hand.tap("Place your", message=_latest(hand.world, "Place your 5 starting units"))
    offered = [(line["label"], [option["label"] for option in line["component"]["options"]]) for line in form.modal["components"]]
    await hand.fill(form, {line: unit if unit in units else units[0] for (line, units), unit in zip(offered, UNITS, strict=True)})


async def setup_per_seat() -> int:
    """The five starting units of one seat."""
    async with playing(STRUGGLE, struggle_scene(**PLACING)) as hand:
        await place_all(hand)
        for _ in hand.people:
            await hand.others()
        assert len(placed((await hand.table()).state, hand.seat)) == len(UNITS)
        return hand.taps


MOVED = {"Tank": "2", "Artillery": "1", "Infantry": "2"}


async def movement(hand: Hand) -> None:
    """Three types of units go from France to Italy."""
    await hand.give(Begin(action="movement"))
    await hand.fill(await hand.tap("France to Italy"), MOVED)
    await hand.give(Confirm())


async def attack_movement() -> int:
    """A Movement of Attack! with three types of units, up to its confirmation."""
    async with playing(ATTACK, attack_scene(**WAR)) as hand:
        await movement(hand)
        return hand.taps


async def attack_turn() -> int:
    """A turn of Attack!: that Movement with its battle, a Production of two kinds, and Diplomacy."""
    async with playing(ATTACK, attack_scene(**WAR)) as hand:
        await movement(hand)
        await hand.react("D-04")
        await hand.give(Begin(action="production"))
        await hand.fill(await hand.tap("Buy: infantry"), {"Infantry": "2", "Tank": "1"})
        await hand.give(Confirm())
        await hand.give(Deploy(unit="infantry", territory="france", number=2))
        await hand.give(Deploy(unit="tank", territory="france", number=1))
        await hand.give(Diplomacy(territory="turkey"))
        return hand.taps


async def standing_order() -> int:
    """A standing order without a condition, from the private view: fight at sea when attacked, always."""
    async with playing(STRUGGLE, struggle_scene(**TURN)) as hand:
        bob = Hand(hand.world, hand.people, list(hand.people)[1])
        await bob.tap("Your secrets", message=await hand.question())
        for label in ("Orders", "Fight at sea when you defend", "Fight at sea", "Save"):
            while not any(one.label.startswith(label) for one in controls(bob.screen)):
                await bob.tap("More")
            await bob.tap(label)
        (order,) = (await bob.world.services.orders.own(1, bob.person.id)).kept
        assert order.order.points == ("DP-16",)
        return bob.taps


async def first_screen_buttons() -> int:
    """What stands beside the moves on the first screen of a turn."""
    async with playing(STRUGGLE, struggle_scene(**TURN)) as hand:
        shown = await hand.tap("Your move", message=await hand.question())
        return sum(one.kind == BUTTON and one.custom_id.partition(":")[0] not in MOVES for one in controls(shown))


async def private_left_after_auction() -> int:
    """Private messages that stay in the channel's view of those who have nothing to do after their press, in an auction."""
    left = 0
    async with playing(STRUGGLE, struggle_scene(**AUCTION)) as hand:
        await hand.world.services.answers.answer(1, hand.person.id, Bid(gold=1, a="austria", b="france"))
        while (table := await hand.table()).state.phase == "auction":
            other = Hand(hand.world, hand.people, table.asks[0].seat)
            shown = await other.question()
            ways = controls(shown)
            result = await used(other.person, shown, next((way for way in ways if way.label == "Pass"), ways[0]))
            if (await hand.table()).asked(other.seat) is None:          # else it is the first screen of the presser's turn
                left += (result.response is not None) + len(result.followups)
            await hand.world.env.settle()
    return left


async def vote_messages() -> int:
    """Messages that call members while four vote, of any kind: to end the game, to pause it, to undo something."""
    return max(await _vote_to_end(), await _vote_to_pause())


async def _vote_to_end() -> int:
    async with playing(ATTACK, attack_scene(**WAR)) as hand:
        world, people = hand.world, hand.people
        await world.services.answers.answer(1, hand.person.id, Propose())
        await world.env.settle()
        before = _calls(world)
        await world.services.answers.answer(1, hand.person.id, (await hand.table()).default(hand.seat))
        await world.env.settle()
        calls, vote = _calls(world) - before, _latest(world, "Agree")
        for seat in (question.seat for question in (await hand.table()).asks):
            panel = await people[seat].click(vote, label="Agree")
            assert words(panel).startswith("Chosen: Agree.") or not words(panel), "the last answer is told in the channel"
            assert panel.response is None or not any("lways" in one.label for one in controls(panel.response))
        await world.env.settle()
        assert (await hand.table()).state.closing and _latest(world, "Agree") is None
        return calls


async def _vote_to_pause() -> int:
    async with playing(STRUGGLE, struggle_scene(**TURN)) as hand:
        world = hand.world
        await world.env.settle()
        before = _calls(world)
        await hand.person.slash(world.table, "clock vote", what="pause")
        for person in list(hand.people.values())[1:3]:
            await world.env.settle()
            assert not words(await person.click(_latest(world, "Agree"), label="Agree")), "the message says it"
        await world.env.settle()
        assert (await world.services.queries.game(1)).status == "paused" and _latest(world, "Agree") is None
        return _calls(world) - before


def _calls(world: World) -> int:
    """Messages so far that call somebody."""
    return sum(bool((request.json or {}).get("allowed_mentions", {}).get("users")) for request in world.env.http_requests
               if request.method == "POST" and request.path == f"/channels/{world.table.id}/messages")


async def alone_to_first_move() -> int:
    """From the list of games, in a direct message, to one's own move in one against automatic players: of any title."""
    most = 0
    for spec in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            async with World.at(Path(folder) / "games.db", GAMES) as world:
                person = world.olga.user
                hand = Hand(world, {Seat(""): person}, Seat(""))
                hand.screen = (await person.slash("game open")).response
                for wanted in (spec.name, "Play against automatic players"):
                    await hand.tap(wanted)
                await world.bot.automatic.settled()
                (holder,) = [holder for holder in await world.services.queries.holders(1) if holder.user == person.id]
                assert (await world.services.session.table(1)).asked(holder.seat) is not None
                most = max(most, hand.taps)
    return most


async def opening() -> Mapping[str, int]:
    """From a noticeboard to the first action of a game of four: what is typed, the lines of the open game on a phone, and the
    channel's messages and pings."""
    with tempfile.TemporaryDirectory() as folder:
        async with World.at(Path(folder) / "games.db", GAMES) as world:
            people = [world.olga, *(world.guild.add_member(world.env.create_user(f"player{number}")) for number in range(3))]
            await world.services.noticeboards.hang_noticeboard(world.guild.id, world.table.id, world.max.id)
            world.bot.outbox.boards.retry(world.guild.id)
            await world.env.advance_time(APART)
            panel = (await world.olga.click(_latest(world, "Open a game"), label="Open a game")).response
            before = len(world.env.http_requests)
            for wanted in (STRUGGLE.name, "4 players"):
                panel = await _chosen(world.olga, panel, wanted)
            await world.olga.click(panel, label="Open it here")
            lines = 0
            for person in people:
                lobby = _latest(world, "Join")
                await person.click(lobby, label="Join")
                lines = max(lines, phone_lines(_latest(world, "Leave").content))
            await world.olga.click(_latest(world, "Start"), label="Start")
            by_id = {person.id: person for person in people}
            holders = {Seat(holder.seat): by_id[holder.user] for holder in await world.services.queries.holders(1)}
            await _defaults_until(world, "placing")
            for seat in holders:
                await place_all(Hand(world, holders, seat))
            await _defaults_until(world, "turn")
            sent = [request for request in world.env.http_requests[before:]
                    if request.method == "POST" and request.path == f"/channels/{world.table.id}/messages"]
            pings = sum(len((request.json or {}).get("allowed_mentions", {}).get("users", ())) for request in sent)
            return {"open_to_first_move_typed": 0, "lobby_lines": lines, "messages_to_first_action": len(sent),
                    "pings_to_first_action": pings}


async def messages_of_a_game() -> int:
    """Messages posted in its channel by a game of four, gone since or not, of whose answers some are chosen by lot."""
    lot = Random(1)
    with tempfile.TemporaryDirectory() as folder:
        async with World.at(Path(folder) / "games.db", (STRUGGLE,), sketch) as world:
            people = [world.guild.add_member(world.env.create_user(f"player{number}")) for number in range(4)]
            await world.olga.slash(world.table, "game open", game=STRUGGLE.key, seats=4)
            for person in people:
                await person.slash(world.table, "game join")
            await world.olga.slash(world.table, "game start")
            while not (table := await world.services.session.table(1)).over:
                (waiting, *_) = await world.services.queries.waiting(1)
                answer = lot.choice(table.options(waiting.seat)) if lot.random() < LOT else table.default(waiting.seat)
                assert waiting.user is not None
                with world.env.time_context():
                    await world.services.answers.answer(1, waiting.user, answer)
                    world.bot.outbox.answered(1)
                    await world.env.settle()
            return sum((request.method, request.path) == ("POST", f"/channels/{world.table.id}/messages")
                       for request in world.env.http_requests)


async def _defaults_until(world: World, phase: str) -> None:
    """What is usual is answered for everybody, until the game comes to a phase."""
    while (table := await world.services.session.table(1)).state.phase != phase:
        waiting = (await world.services.queries.waiting(1))[0]
        assert waiting.user is not None
        with world.env.time_context():              # the same clock as of those who tap
            await world.services.answers.answer(1, waiting.user, table.default(waiting.seat))
        await world.env.settle()


async def _chosen(person: Any, panel: Any, wanted: str) -> Any:
    """The panel after a choice, if it offers that."""
    way = next((one for one in controls(panel) if one.kind == SELECT and one.label.startswith(wanted)), None)
    if way is None:
        return panel
    result = await used(person, panel, way)
    return result.response or result.followups[-1]


def phone_lines(words: str) -> int:
    """How many lines a message has on a phone of 390 pixels, with names in the place of numbers."""
    told = re.sub(r"<[@#]&?\d+>", "@" + "n" * (NAME - 1), re.sub(r"\*\*|^-# ", "", words))
    return sum(max(1, len(wrap(line, LINE))) for line in told.split("\n"))


def _latest(world: World, label: str) -> Any:
    """The newest message of the channel with such a button."""
    return next((message for message in reversed(world.table.history())
                 if any(one.kind == BUTTON and one.label == label for one in controls(message))), None)


def measure() -> Mapping[str, int]:
    """Taps of typical turns on the simulated Discord, and messages and pings before the first action."""
    logging.disable()

    async def all_of_them() -> dict[str, int]:
        return {"struggle_turn": await struggle_turn(), "first_bid": await first_bid(), "raise": await raised_bid(),
                "setup_per_seat": await setup_per_seat(), "attack_turn": await attack_turn(),
                "attack_movement": await attack_movement(), "standing_order": await standing_order(),
                "private_left_after_auction": await private_left_after_auction(), "vote_messages": await vote_messages(),
                "alone_to_first_move": await alone_to_first_move(), "first_screen_buttons": await first_screen_buttons(),
                "messages_of_a_game": await messages_of_a_game(), **await opening()}

    return asyncio.run(all_of_them())
