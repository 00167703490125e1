"""A whole short game on the simulated Discord: by taps alone, and by typed commands; undone, rolled back, restarted in the war.

What is shown to everybody is searched for what one side alone may know.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import record
from engine.catalog import GAMES, find
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.rounds import TakeTile
from engine.kernel import Action, Seat
from engine.selfplay import random_answer
from engine.text import English, say
from tests.bot.discord_world import World, custom_ids, words
from tests.bot.menu_taps import controls, tapped_to, used
from tests.bot.test_whole_game import Party, sketch

SHARE = 0.1                # of the answers that are given on Discord; the others go straight to the bot's core
TYPED = 0.12
TYPED_STEPS = 0.7           # of the steps of a planned round that are typed, where people type
PUBLISH = ("Finish round", "Publish so far")


class Duel(Party):
    """Two people at a short game, what they do, and what everybody was shown. Their rounds are planned in private."""

    published = 0               # plans that were made public

    async def note_totals(self) -> None:
        """What only one side may know is looked for at the end (`told_to_all`)."""

    async def answer(self) -> None:
        """The first who is awaited answers, or plans and publishes as much of a round as can be planned."""
        waiting = self.rng.choice(await self.world.services.queries.waiting(1))
        planned = await self.world.services.plans.standing(1, waiting.user)
        if planned is None:
            return await super().answer()
        if self.rng.random() >= self.share:
            action = random_answer(planned.table.options(waiting.seat), self.rng.randrange)
            await self.world.services.answers.answer(1, waiting.user, action)
            return
        await self.world.env.settle()
        before = await self.world.newest()
        while await self.world.newest() == before:
            await self.plan(waiting.user, waiting.seat)

    async def plan(self, user: int, seat: Seat) -> None:
        """Plan one more step; publish what is complete."""
        planned = await self.world.services.plans.standing(1, user)
        assert planned is not None, "the round is still planned"
        action = random_answer(planned.table.options(seat), self.rng.randrange)
        typed = action.typed and not self.taps and self.rng.random() < TYPED_STEPS
        said = await (self.type_it if typed else self.tap_step)(self.people[user], seat, action)
        publish = next((label for label in PUBLISH if label in custom_ids(said)), None)
        if publish is not None:
            await self.people[user].click(said, label=publish)
            self.published += 1

    async def tap_step(self, person: Any, seat: Seat, action: Action) -> Any:
        """Through the menu, tap by tap, until the step is planned."""
        services = self.world.services
        planned = await services.plans.standing(1, person.id)
        steps = len(planned.steps) if planned is not None else 0
        said = (await person.slash(self.world.table, "imperial menu")).response
        for _ in range(8):
            said = await tapped_to(person, said, action, await services.queries.reader(1))
            if (now := await services.plans.standing(1, person.id)) is not None and len(now.steps) > steps:
                return said
        raise AssertionError(f"the menu does not lead to {action}")


async def told_to_all(world: World) -> list[str]:
    return [text for message in world.table.history()
            for text in (message.content, *(attachment.description or "" for attachment in message.attachments))]


@pytest.mark.parametrize(("taps", "share", "seed"), [(True, SHARE, 5), (False, TYPED, 8)], ids=["taps", "typed"])
async def test_a_whole_short_game(tmp_path: Path, taps: bool, share: float, seed: int) -> None:
    assert find(GAME.key) is GAME
    world = await World.made(tmp_path / "games.db", games=GAMES, draw=sketch)
    try:
        party = Duel(world, 2, seed=seed, edition="first_game", taps=taps, spec=GAME, share=share)
        await play(world, party)
        assert party.published, "rounds were planned in private"
    finally:
        await world.shutdown()
    world.check()


async def test_a_round_begins_with_what_matters_and_a_menu_leads_to_a_region_and_to_a_card(tmp_path: Path) -> None:
    world = await World.made(tmp_path / "games.db", games=GAMES, draw=sketch)
    try:
        party = Duel(world, 2, seed=5, edition="published", taps=True, spec=GAME, share=0)
        await party.begin()
        while (planned := await world.services.plans.standing(1, (await world.services.queries.waiting(1))[0].user)) is None:
            (waiting, *_) = await world.services.queries.waiting(1)
            options = (await world.services.session.table(1)).options(waiting.seat)
            await world.services.answers.answer(1, waiting.user, options[0])
        (waiting, *_) = await world.services.queries.waiting(1)
        person, tiles = party.people[waiting.user], planned.table.options(waiting.seat)
        menu = await person.slash(world.table, "imperial menu")
        assert "Flags, yours first: Europe" in words(menu) and "In demand: " in words(menu) and "Face down: " in words(menu)
        faces = planned.table.parts.investment
        take = next(tile for tile in tiles if isinstance(tile, TakeTile) and faces[tile.tile].major.ap == "DP")
        await world.services.plans.plan_steps(1, waiting.user, [take])
        menu = await person.slash(world.table, "imperial menu")
        assert "Flags, yours first" not in words(menu), "the round has begun"
        said = (await person.click(menu.response, label="Look up")).response
        hand = (await party.state()).own[(await party.state()).power(waiting.seat)].hand
        read = (await person.select(said, [hand[0]])).response
        assert "**Now:** " in read.content and GAME.words.names(planned.table.parts)[hand[0]] in read.content
        typed = (await person.slash(world.table, "lookup", name=GAME.words.names(planned.table.parts)[hand[0]])).response
        assert typed.content == read.content, "typed as tapped"
        rival = next(one for user, one in party.people.items() if user != waiting.user)
        seen = (await rival.slash(world.table, "lookup", name=hand[0])).response
        assert "Now:" not in seen.content and "Britain: " in seen.content and "France: " in seen.content
        offered = [await one.autocomplete(world.table, "lookup", "name", "war of") for one in (person, rival, world.olga)]
        assert offered[0] == offered[1] == offered[2] and len(offered[0]) > 1, "whoever has a card"
        said = (await person.click(read, label="Back to your move")).response
        said = (await used(person, said, next(one for one in controls(said) if one.value == "politics"))).response
        assert [one.label for one in controls(said) if one.value] == ["Europe", "North America", "Caribbean", "India"]
        said = (await used(person, said, controls(said)[0])).response
        shown = (await person.click(said, label="Show Europe")).response
        assert shown.attachments and "Russia" in shown.attachments[0].description
        said = (await person.click(shown, label="Back")).response
        assert "Europe" in said.content and any(one.label.startswith("Russia") for one in controls(said))
    finally:
        await world.shutdown()
    world.check()


async def play(world: World, party: Party) -> None:
    await party.begin()
    to_do = [undo_a_move, roll_back, restart_in_the_war]
    answers, hidden = 0, set[str]()
    while not (await world.services.session.table(1)).over:
        hidden |= await secrets(party)
        await party.answer()
        answers += 1
        if to_do and answers > 10 and await to_do[0](party):
            to_do.pop(0)
        assert answers < 600
    assert to_do == [], "not everything came to pass"
    await world.env.settle()
    state = await party.state()
    public = await told_to_all(world)
    result = say(GAME.words.result(state), English(GAME.words.names(state.parts)))
    assert any(result in said for said in public[-6:])
    known = {*state.played, *state.discards, *(card for own in state.own.values() for card in own.up)}
    names = GAME.words.names(state.parts)
    assert len(hidden - known) > 2, "something stayed secret to the end"
    for secret in hidden - known:
        assert not any(names[secret] in said for said in public), names[secret]
    replayed = record.replay(record.read(await world.services.records.export(1)), GAME)
    assert (replayed.state.vp, replayed.state.winner) == (state.vp, state.winner)


async def secrets(party: Party) -> set[str]:
    """The events in the hands and the ministries that lie face down."""
    state = await party.state()
    return {card for own in state.own.values() for card in
            (*own.hand, *(minister.card for minister in own.ministries if not minister.up))}


# --- what happens on the way --------------------------------------------------------------------------------------

async def undo_a_move(party: Party) -> bool:
    """The last decision is taken back: the tile is there again."""
    world = party.world
    left = list((await party.state()).available)
    (waiting, *_) = await world.services.queries.waiting(1)
    options = (await world.services.session.table(1)).options(waiting.seat)
    take = next((option for option in options if isinstance(option, TakeTile)), None)
    if take is None:
        return False
    await world.services.answers.answer(1, waiting.user, take)
    assert take.tile not in (await party.state()).available
    await world.olga.slash(world.table, "gm undo")
    assert (await party.state()).available == left
    return True


async def roll_back(party: Party) -> bool:
    """A stretch is taken back after a preview and a confirmation."""
    world = party.world
    await world.env.settle()
    newest = await world.newest()
    shown = await world.olga.slash(world.table, "gm rollback", row=newest - 5)
    assert await world.newest() == newest, "a preview changes nothing"
    await world.olga.click(shown.response or shown.followups[-1], label="Confirm")
    assert await world.newest() > newest
    return True


async def restart_in_the_war(party: Party) -> bool:
    """The bot is stopped in the war, and goes on where it was."""
    world = party.world
    state = await party.state()
    if state.war is None:
        return False
    before = state.model_dump_json()
    asked: list[Any] = [(waiting.seat, waiting.asked_at) for waiting in await world.services.queries.waiting(1)]
    await world.env.settle()
    await world.restart()
    assert (await party.state()).model_dump_json() == before
    assert [(waiting.seat, waiting.asked_at) for waiting in await world.services.queries.waiting(1)] == asked
    return True
