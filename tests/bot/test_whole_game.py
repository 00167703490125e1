"""Whole games of Struggle of Empires on the simulated Discord, from `/game open` to the final score.

People answer by typed commands, by buttons and through the menu. On the way the bot is stopped in the middle of an attack,
a move is undone, a stretch is rolled back and a seat changes hands. Everything that anybody is shown is searched for
somebody else's unrest.
"""
from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.discord.pictures import draw
from bot.domain.announcements import choice_id
from engine import record
from engine.catalog import GAMES
from engine.components import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires.actions import Attack, Bid, Pass
from engine.kernel import Action, GameSpec, Seat
from engine.selfplay import new_table, play_on, random_answer
from engine.text import Reader, say
from tests.bot.discord_world import World, custom_ids, options, undo, words
from tests.bot.menu_taps import controls, tapped_to, used
from tests.bot.test_opening import choose

SPEC = GAMES[0]
WARS = 3
STANDING = re.compile(r"you are ([\w ]+)\.\s+Your unrest: (\d+)")
OWN = re.compile(r"Your unrest: (\d+)")
PURSE = re.compile(r" · (\d+) unrest")
CHANGE = re.compile(r"unrest [+-]\d+, now (\d+)")
NOTHING = "none"            # how a field without anything is typed
RAISES = 0.15               # how often somebody raises in an auction


def sketch(spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
    """A picture of one pixel with the true words: for the games in which the painter is not on trial."""
    out = io.BytesIO()
    Image.new("P", (1, 1)).save(out, "PNG")
    return out.getvalue(), spec.views.describe(scene, 1024)


class Party:
    """People at one table, what they do, and what each of them has been shown."""

    def __init__(self, world: World, seats: int, seed: int, *, edition: str = "first", taps: bool = False,
                 spec: GameSpec = SPEC, share: float = 1.0) -> None:
        """`share`: how many of the answers are given on Discord; the others go straight to the bot's core, which is cheaper."""
        self.world, self.seats, self.rng, self.edition, self.taps = world, seats, random.Random(seed), edition, taps
        self.spec, self.share = spec, share
        self.people = {}
        for number in range(seats + 1):                                 # one more than play: a stand-in
            person = world.guild.add_member(world.env.create_user(f"player{number}"))
            self.people[person.id] = person
        self.spare = list(self.people.values())[-1]
        self.totals: dict[str, set[int]] = {}                           # power -> unrest totals that it ever had
        self.last: dict[str, int] = {}                                  # power -> the last of them
        self.shown: list[tuple[int, str]] = []                          # user -> what that user alone was shown
        self.handed: dict[int, str] = {}                                # user -> the power that the user has given away

    async def begin(self) -> None:
        players = [person for person in self.people.values() if person is not self.spare]
        await (self.tap_open() if self.taps else self.world.olga.slash(
            self.world.table, "game open", game=self.spec.key, edition=self.edition, seats=self.seats))
        for person in players:
            joined = person.click(self.world.table.history()[-1], label="Join") if self.taps else person.slash(
                self.world.table, "game join")
            self.private(person, words(await joined))
        await self.world.olga.slash(self.world.table, "game start")

    async def tap_open(self) -> None:
        """Open the game by the panel."""
        panel = (await self.world.olga.slash(self.world.table, "game open")).response
        edition = next(known.name for known in self.spec.editions if known.key == self.edition)
        for choice in (self.spec.name, edition, f"{self.seats} players"):
            panel = await choose(self.world.olga, panel, choice) if choice in options(panel) else panel
        await self.world.olga.click(panel, label="Open it here")
        assert (await self.world.services.queries.game(1)).edition == self.edition

    # -- what is shown

    async def state(self) -> Any:
        return (await self.world.services.session.table(1)).state

    async def note_totals(self) -> None:
        for power, total in (await self.state()).unrest.items():
            before = self.last.get(power, 0)
            self.totals.setdefault(power, set()).update(range(min(before, total), max(before, total) + 1))
            self.last[power] = total

    def private(self, person: Any, said: str) -> None:
        """Somebody was shown this alone: it may tell the own unrest, and nobody else's."""
        self.shown.append((person.id, said))

    async def examine(self, powers_of: dict[int, set[str]]) -> None:
        """Nobody has seen another power's unrest, in no message, picture text, menu or error."""
        names = SPEC.words.names((await self.world.services.session.table(1)).parts)
        for user, said in self.shown:
            own = {names[power] for power in powers_of.get(user, ())}
            for power, _ in STANDING.findall(said):
                assert power.removeprefix("the ") in own, f"a member was shown the unrest of {power}: {said}"
            totals = {total for power in powers_of.get(user, ()) for total in self.totals[power]}
            assert {int(total) for total in (*CHANGE.findall(said), *PURSE.findall(said), *OWN.findall(said))} <= totals
        public = [message for message in self.world.table.history() if " · game 1 · " not in message.content]
        assert len(public) == len(self.world.table.history()) - 1, "only the status message is left out: it tells the result"
        ended = next(place for place, message in enumerate(public) if "Unrest is revealed" in message.content)
        for message in public[:ended]:
            told = [message.content, *(attachment.description or "" for attachment in message.attachments)]
            assert not any("unrest" in text.casefold() for text in told), told

    # -- one answer

    async def answer(self) -> None:
        """The first who is awaited answers, by one of the three ways, or by none of them."""
        waiting = self.rng.choice(await self.world.services.queries.waiting(1))
        table = await self.world.services.session.table(1)
        listed = table.options(waiting.seat)
        action = random_answer(listed, self.rng.randrange)
        if isinstance(action, Bid) and Pass in {type(option) for option in listed} and self.rng.random() > RAISES:
            action = Pass.of()
        if self.rng.random() >= self.share:
            turn = self.spec.rules.active(table.state)
            await self.world.services.answers.answer(1, waiting.user, action)
            if self.spec.rules.active(await self.state()) != turn:
                await self.world.env.settle()                           # each turn has its own picture
            return await self.note_totals()
        await self.world.env.settle()                                   # what the core was told may not have been posted yet
        person = self.people[waiting.user]
        before = await self.world.newest()
        ways = (self.press_it, self.tap_it)
        way = self.rng.choice((self.type_it, *ways) if self.spec.words.menus[action.verb].typed and not self.taps else ways)
        said = await self.confirmed(person, await way(person, waiting.seat, action))
        assert await self.world.newest() > before, f"{action} by {way.__name__} was not taken: {said}"
        await self.note_totals()

    async def confirmed(self, person: Any, said: Any) -> Any:
        """What follows once the person has read what an answer costs, and wants it all the same; nothing if only the channel says
        so."""
        if said is None:
            return None
        self.private(person, str(said.content))
        if "Confirm" in custom_ids(said):
            pressed = await person.click(said, label="Confirm")
            said = pressed.response or pressed.followups[-1]
            self.private(person, str(said.content))
        return said

    async def type_it(self, person: Any, seat: Seat, action: Action) -> Any:
        fields = type(action).model_fields
        values = {name: ",".join(value) if isinstance(value, tuple) else value for name, value in action.model_dump().items()}
        given = {name: NOTHING if value == "" else value for name, value in values.items()
                 if fields[name].is_required() or getattr(action, name) != fields[name].default}
        filled: dict[str, Any] = {}
        for name, value in given.items():
            if not isinstance(value, bool) and self.rng.random() < 0.2:
                offered = await person.autocomplete(self.world.table, f"{self.spec.command} {action.verb}", name, str(value),
                                                    **filled)
                assert action.open_ended or value in [choice.value if hasattr(choice, "value") else choice["value"]
                                                      for choice in offered]
                self.private(person, str(offered))
            filled[name] = value
        result = await person.slash(self.world.table, f"{self.spec.command} {action.verb}", **given)
        self.private(person, words(result))
        return result.response or result.followups[-1]

    async def press_it(self, person: Any, seat: Seat, action: Action) -> Any:
        """A button of the question in the channel, if it has one for this answer."""
        for message in reversed(self.world.table.history()[-6:]):
            for custom_id in custom_ids(message).values():
                if custom_id.endswith(f":{choice_id(action)}") and f":{seat}:" in custom_id:
                    result = await person.click(message, custom_id=custom_id)
                    said = result.response or next(reversed(result.followups), None)
                    if said is None or "earlier question" not in said.content:
                        return said
        return await self.tap_it(person, seat, action)

    async def tap_it(self, person: Any, seat: Seat, action: Action) -> Any:
        """Through the menu, step by step."""
        if self.taps:
            status = next(message for message in reversed(self.world.table.history()) if " · game 1 · " in message.content)
            result = await person.click(status, label="Your move")
        else:
            result = await person.slash(self.world.table, "my move")
        said, before = result.response or result.followups[-1], await self.world.newest()
        for _ in range(12):
            self.private(person, f"{said.content} {options(said)} {list(custom_ids(said))}")
            said = await tapped_to(person, said, action, await self.world.services.queries.reader(1))
            if "Confirm" in custom_ids(said) or await self.world.newest() > before:
                return said
        raise AssertionError(f"the menu does not lead to {action}")


@pytest.mark.slow
async def test_a_whole_game(tmp_path: Path) -> None:
    await play_to_the_end(tmp_path, 2, share=0.3)


def last_war(seats: int, edition: str) -> GameSpec:
    """The game as if it began with its last war, after two that were played at random."""
    table = new_table(SPEC, seats, edition, components(SPEC, edition).parts, SecretDice("5e" * 32))
    points = (table.take()[1] for _ in play_on(table, random.Random(seats).randrange))
    start = next(point.state for point in points if point is not None and json.loads(point.state)["war"] == WARS)
    return SPEC.changed(setup=lambda *_: SPEC.rules.state.model_validate_json(start))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "edition", "taps", "painted", "share"), [
    (7, "first", False, False, 0.1), (3, "first", False, True, 0.15), (3, "deluxe", True, False, 0.6),
    (4, "deluxe_without_npp", False, False, 0.3)])
async def test_the_last_war(tmp_path: Path, seats: int, edition: str, taps: bool, painted: bool, share: float) -> None:
    await play_to_the_end(tmp_path, seats, edition=edition, painted=painted, taps=taps, spec=last_war(seats, edition), wars=1,
                          share=share)


async def test_some_turns_of_the_deluxe_edition(tmp_path: Path) -> None:
    """Opened, joined, begun and played for a round, all by taps; with three players there are non-player powers."""
    async with World.at(tmp_path / "games.db", GAMES, draw=sketch) as world:
        party = Party(world, 3, seed=11, edition="deluxe", taps=True)
        await party.begin()
        while (state := await party.state()).round < 2:
            await party.answer()
        assert len(state.npps) == 4 and state.options.unrest.model == "bag"
        await world.restart()
        assert (await party.state()).model_dump_json() == state.model_dump_json(), "it is there again after a restart"


async def play_to_the_end(tmp_path: Path, seats: int, *, edition: str = "first", painted: bool = False,
                          taps: bool = False, share: float = 1.0, spec: GameSpec = SPEC, wars: int = WARS) -> None:
    async with World.at(tmp_path / "games.db", (spec, *GAMES[1:]), draw=draw if painted else sketch) as world:
        await play(world, Party(world, seats, seed=seats, edition=edition, taps=taps, spec=spec, share=share), wars)


async def play(world: World, party: Party, wars: int) -> None:
    seats = party.seats
    await party.begin()
    to_do = [stop_in_an_attack, undo_a_move, roll_back, hand_over]
    answers = 0
    while not (await world.services.session.table(1)).over:
        await party.answer()
        answers += 1
        if to_do and answers > 12 * (5 - len(to_do)):
            await world.env.settle()
            if await to_do[0](party):
                to_do.pop(0)
        assert answers < 6000
    assert to_do == [], "not everything came to pass"
    await world.env.settle()

    state = await party.state()
    powers_of: dict[int, set[str]] = {}
    for holder in await world.services.queries.holders(1):
        assert holder.user is not None
        powers_of[holder.user] = {state.power(holder.seat)}
    for user, power in party.handed.items():
        powers_of.setdefault(user, set()).add(power)
    for user, person in party.people.items():
        if person.user.dm_channel is not None:
            party.shown += [(user, message.content) for message in person.user.dm_channel.history()]
    await party.examine(powers_of)

    public = world.table.history()
    result = say(SPEC.words.result(state), Reader(SPEC.words.names(state.parts)))
    assert any(result in message.content for message in public[-6:])
    pictures = [message for message in public if message.attachments]
    assert len(pictures) >= wars * state.rounds * seats, "a picture follows every turn"
    assert Image.open(io.BytesIO(await pictures[-1].attachments[0].read())).format == "PNG"
    replayed = record.replay(record.read(await world.services.records.export(1)), party.spec)
    assert replayed.state.points == state.points


# --- what happens on the way ------------------------------------------------------------------------------

async def stop_in_an_attack(party: Party) -> bool:
    """The bot is stopped while an attack waits for somebody, and goes on where it was; old buttons answer."""
    world = party.world
    if (await party.state()).battle is None:
        return await force_attack(party)
    before = (await party.state()).model_dump_json()
    asked = [(waiting.seat, waiting.asked_at) for waiting in await world.services.queries.waiting(1)]
    await world.restart()
    assert (await party.state()).model_dump_json() == before
    assert [(waiting.seat, waiting.asked_at) for waiting in await world.services.queries.waiting(1)] == asked
    return True


async def force_attack(party: Party) -> bool:
    """If the active player can attack an enemy who must answer, do it by command."""
    world = party.world
    table = await world.services.session.table(1)
    for waiting in await world.services.queries.waiting(1):
        for action in table.options(waiting.seat):
            if isinstance(action, Attack) and action.consequence(table.state, waiting.seat) is None:
                person = party.people[waiting.user]
                way = party.tap_it if party.taps else party.type_it
                await party.confirmed(person, await way(person, waiting.seat, action))
                await party.note_totals()
                if (await party.state()).battle is not None:
                    return await stop_in_an_attack(party)
                return False
    return False


async def undo_a_move(party: Party) -> bool:
    """The last decision is taken back; what was offered in the undone future does nothing."""
    world = party.world
    waiting = (await world.services.queries.waiting(1))[0]
    person = party.people[waiting.user]
    opened = (await person.slash(world.table, "my move")).response
    state, newest = (await party.state()).model_dump_json(), await world.newest()
    said = await undo(world.olga, world.table)
    assert (await party.state()).model_dump_json() != state, said
    assert await world.newest() > newest
    await party.note_totals()
    now = await world.newest()
    pressed = await used(person, opened, next(one for one in controls(opened) if one.value or one.custom_id.startswith("do:")))
    assert "earlier question" in (pressed.response or pressed.followups[-1]).content
    assert await world.newest() == now
    return True


async def roll_back(party: Party) -> bool:
    """A stretch is taken back after a preview and a confirmation."""
    world = party.world
    newest = await world.newest()
    shown = await world.olga.slash(world.table, "gm rollback", row=newest - 10)
    assert (shown.response or shown.followups[-1]).ephemeral
    assert await world.newest() == newest, "a preview changes nothing"
    await world.olga.click(shown.response or shown.followups[-1], label="Confirm")
    assert await world.newest() > newest
    await party.note_totals()
    return True


async def hand_over(party: Party) -> bool:
    """A seat changes hands: the new holder gets what that seat knew, the old one is out at once."""
    world = party.world
    holder = next(holder for holder in await world.services.queries.holders(1) if holder.user is not None)
    old = party.people[holder.user]
    power = (await party.state()).power(holder.seat)
    party.handed[old.id] = power
    said = await world.olga.slash(world.table, "gm hand", seat=holder.seat, member=party.spare)
    assert await world.services.queries.seat_of(1, party.spare.id) == holder.seat, said.response
    assert "no seat" in words(await old.slash(world.table, "my move"))
    assert not any("unrest" in message.content.casefold() for message in old.user.dm_channel.history())
    assert any(OWN.search(message.content) for message in party.spare.user.dm_channel.history())
    return True


async def test_a_bid_beyond_those_that_a_menu_lists_is_typed_by_names_or_ids(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", GAMES, draw=sketch) as world:
        await world.olga.slash(world.table, "game open", game=SPEC.key, seats=2)
        people = {person.id: person for person in (world.alice, world.bob)}
        for person in people.values():
            await person.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        for power in ("France", "Spain"):
            (waiting,) = await world.services.queries.waiting(1)
            await people[waiting.user].slash(world.table, "struggle choose", power=power)
        while (waiting := (await world.services.queries.waiting(1))[0]).ask.point == "DP-02":
            await world.services.answers.answer_for(1, waiting.seat, None, world.olga.id)
        opener = people[waiting.user]
        offered = await opener.autocomplete(world.table, "struggle bid", "a", "", gold=9)
        assert {choice["value"] if isinstance(choice, dict) else choice.value for choice in offered} == {"france", "spain"}
        await opener.slash(world.table, "struggle bid", gold=9, a="Spain", b="france")
        standing = (await world.services.session.table(1)).state.standing
        assert (standing.gold, standing.a, standing.b) == (9, "spain", "france")
