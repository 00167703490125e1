"""Two people who play Imperial Struggle on the simulated Discord, by taps alone or by typed commands, and what happens meanwhile.

They plan their rounds in private and publish them. On the way a step of a plan is taken back, a plan is begun anew, the bot is
stopped in a plan and in a war, a decision is undone and a stretch rolled back.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from engine import record
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass
from engine.games.imperial_struggle.words.menus import MENUS
from engine.kernel import Action, Seat
from engine.selfplay import random_answer
from engine.text import Reader, say
from tests.bot.discord_world import World, custom_ids, labels, undo
from tests.bot.menu_taps import tapped_to
from tests.bot.test_whole_game import Party

TAPS = 12                   # from one step to the next, at most
STEPS = 400                 # of one plan, at most
MORE = 3                    # draws, before a round ends
PUBLISH = ("Finish round", "Publish so far")


class Duel(Party):
    """Two people at a game, what they do, and what everybody was shown."""

    def __init__(self, world: World, *, seed: int, edition: str, taps: bool) -> None:
        super().__init__(world, 2, seed=seed, edition=edition, taps=taps, spec=GAME)
        self.published = 0                          # plans that were made public
        self.answered = 0                           # answers and steps of plans
        self.on_the_way: list[Callable[[Duel], Awaitable[bool]]] = [
            take_a_step_back, start_over, restart_in_a_plan, undo_a_decision, roll_back, restart_in_the_war]
        self.screens: dict[int, Any] = {}           # user -> the panel of the plan that the user has open
        self.known = set[str]()                     # cards that everybody has seen

    async def note_totals(self) -> None:
        """What only one side may know is looked for at the end (`told_to_all`)."""

    async def answer(self) -> None:
        """Whoever is awaited answers, or plans a round and publishes it."""
        waiting = self.rng.choice(await self.world.services.queries.waiting(1))
        if await self.world.services.plans.standing(1, waiting.user) is None:
            self.answered += 1
            await super().answer()
            return
        await self.world.env.settle()
        before = await self.world.newest()
        for _ in range(STEPS):
            await self.plan(waiting.user, waiting.seat)
            if await self.world.newest() > before:
                return
        raise AssertionError("the round never ends")

    def drawn(self, options: Sequence[Action]) -> Action:
        """One of the options at random; whoever draws the end of the round draws again, at most twice: so rounds are long."""
        for _ in range(MORE):
            action = random_answer(options, self.rng.randrange)
            if not isinstance(action, (EndRound, Pass)):
                break
        return action

    def types(self, action: Action) -> bool:
        """Whether people give this answer by a command of its own."""
        return MENUS[action.verb].typed and not self.taps

    async def press_it(self, person: Any, seat: Seat, action: Action) -> Any:
        return await (self.type_it if self.types(action) else super().press_it)(person, seat, action)

    async def tap_it(self, person: Any, seat: Seat, action: Action) -> Any:
        return await (self.type_it if self.types(action) else super().tap_it)(person, seat, action)

    async def plan(self, user: int, seat: Seat) -> None:
        """Plan one more step; publish what is complete."""
        planned = await self.world.services.plans.standing(1, user)
        assert planned is not None, "the round is still planned"
        person = self.people[user]
        if planned.closed is None:
            action = self.drawn(planned.table.options(seat))
            said = await (self.type_it if self.types(action) else self.tap_step)(person, seat, action)
            self.answered += 1
        else:
            said = self.screens.get(user) or await self.opened(person)
        self.screens[user] = said
        if self.on_the_way and await self.on_the_way[0](self):
            self.on_the_way.pop(0)
            self.screens.clear()
        elif (publish := next((label for label in PUBLISH if label in custom_ids(said)), None)) is not None:
            self.screens.pop(user)
            await person.click(said, label=publish)
            self.published += 1

    async def opened(self, person: Any) -> Any:
        """The panel of somebody's move: by the status message, or typed."""
        if not self.taps:
            return (await person.slash(self.world.table, "my move")).response
        status = next(message for message in reversed(self.world.table.history()) if " · game 1 · " in message.content)
        result = await person.click(status, label="Your move")
        return result.response or result.followups[-1]

    async def tap_step(self, person: Any, seat: Seat, action: Action) -> Any:
        """From the panel of the plan through the menu, tap by tap, until the step is planned."""
        plans, reader = self.world.services.plans, await self.world.services.queries.reader(1)
        before = await plans.standing(1, person.id)
        said = self.screens.get(person.id) or await self.opened(person)
        for _ in range(TAPS):
            said = await tapped_to(person, said, action, reader)
            now = await plans.standing(1, person.id)
            if now is not None and (before is None or len(now.steps) > len(before.steps)):
                return said
        raise AssertionError(f"the menu does not lead to {action}")

    # -- to the end

    async def play(self) -> set[str]:
        """Play to the end of the game; the secrets that were there on the way."""
        hidden = set[str]()
        while not (await self.world.services.session.table(1)).over:
            hidden |= await self.secrets()
            await self.answer()
            if self.on_the_way and await self.on_the_way[0](self):
                self.on_the_way.pop(0)
                self.screens.clear()
        await self.world.env.settle()
        return hidden | await self.secrets()

    async def secrets(self) -> set[str]:
        """The events in the hands and the ministries that lie face down."""
        state = await self.state()
        self.known |= {*state.played, *state.discards, *(card for own in state.own.values() for card in own.up)}
        return {card for own in state.own.values() for card in
                (*own.hand, *(minister.card for minister in own.ministries if not minister.up))}

    async def told_to_all(self) -> list[str]:
        """What everybody can read in the channel, in messages and beside pictures."""
        return [told for message in self.world.table.history()
                for told in (message.content, *(attachment.description or "" for attachment in message.attachments))]

    async def look_back(self, hidden: set[str]) -> None:
        """After the end: the result was told, no secret was, and the record replays to it."""
        assert self.on_the_way == [], "not everything came to pass"
        state, public = await self.state(), await self.told_to_all()
        names = {id: str(name) for id, name in GAME.words.names(state.parts).items()}
        result = say(GAME.words.result(state), Reader(names))
        assert any(result in said for said in public[-6:])
        for secret in hidden - self.known:
            part = any(names[secret] in name for known, name in names.items() if known != secret)      # "First Carnatic War"
            assert part or not any(names[secret] in said for said in public), names[secret]
        replayed = record.replay(record.read(await self.world.services.records.export(1)), GAME)
        assert (replayed.state.vp, replayed.state.winner) == (state.vp, state.winner)


# --- what happens on the way: each says whether it has come to pass --------------------------------------------------

async def _planner(duel: Duel, least: int) -> tuple[int, Any] | None:
    """Who plans a round of at least so many steps, with the plan."""
    for waiting in await duel.world.services.queries.waiting(1):
        planned = await duel.world.services.plans.standing(1, waiting.user)
        if planned is not None and len(planned.steps) >= least and waiting.user in duel.screens:
            return waiting.user, planned
    return None


async def take_a_step_back(duel: Duel) -> bool:
    """The last step of a plan is taken back, and nobody else notices."""
    if (found := await _planner(duel, 2)) is None:
        return False
    user, planned = found
    before = await duel.told_to_all()
    if duel.taps:
        await duel.people[user].click(duel.screens[user], label="Undo step")
    else:
        await duel.people[user].slash(duel.world.table, "my undo")
    now = await duel.world.services.plans.standing(1, user)
    assert [step.action for step in now.steps] == [step.action for step in planned.steps[:-1]]
    assert await duel.told_to_all() == before
    return True


async def start_over(duel: Duel) -> bool:
    """A plan is begun anew."""
    if (found := await _planner(duel, 2)) is None:
        return False
    user, _ = found
    await duel.people[user].click(duel.screens[user], label="Start over")
    assert not (await duel.world.services.plans.standing(1, user)).steps
    return True


async def restart_in_a_plan(duel: Duel) -> bool:
    """The bot is stopped while a round is planned; the plan is as it was."""
    if (found := await _planner(duel, 2)) is None:
        return False
    user, planned = found
    await duel.world.env.settle()
    await duel.world.restart()
    now = await duel.world.services.plans.standing(1, user)
    assert [step.action for step in now.steps] == [step.action for step in planned.steps]
    assert labels(await duel.opened(duel.people[user]))[-4:], "the panel is there"
    return True


async def undo_a_decision(duel: Duel) -> bool:
    """The last decision that was published is undone by the game master; who gave it is asked again."""
    world, state = duel.world, await duel.state()
    if not state.taken:
        return False
    await world.env.settle()
    before, newest = state.model_dump_json(), await world.newest()
    await undo(world.olga, world.table)
    assert (await duel.state()).model_dump_json() != before and await world.newest() > newest
    return True


async def roll_back(duel: Duel) -> bool:
    """A stretch is rolled back after a preview and a confirmation."""
    world = duel.world
    await world.env.settle()
    newest = await world.newest()
    shown = await world.olga.slash(world.table, "gm rollback", row=newest - 5)
    assert await world.newest() == newest, "a preview changes nothing"
    await world.olga.click(shown.response or shown.followups[-1], label="Confirm")
    assert await world.newest() > newest
    return True


async def restart_in_the_war(duel: Duel) -> bool:
    """The bot is stopped in a war while somebody must decide, and goes on where it was."""
    world, state = duel.world, await duel.state()
    if state.war is None:
        return False
    before = state.model_dump_json()
    asked = [(waiting.seat, waiting.asked_at) for waiting in await world.services.queries.waiting(1)]
    await world.env.settle()
    await world.restart()
    assert (await duel.state()).model_dump_json() == before
    assert [(waiting.seat, waiting.asked_at) for waiting in await world.services.queries.waiting(1)] == asked
    return True
