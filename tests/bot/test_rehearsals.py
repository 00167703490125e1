"""Rehearsals: "what if" in private, in a world where what can't be seen is guessed; nothing of it counts, stays or shows."""
from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from simcord.backend import serializers
from simcord.enums import InteractionType

from bot.domain.limits import Limits, Quota, Quotas
from bot.service import Services
from bot.service.rehearsals import HOURS, Rehearsal, is_rehearsed
from bot.store import Store
from engine.games.imperial_struggle import GAME as IMPERIAL
from engine.games.imperial_struggle.actions.rounds import TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent
from engine.games.struggle_of_empires.actions import Attack, Fight
from engine.kernel import GameSpec, Seat
from engine.players import rehearsal
from engine.refusals import Illegal, NotAsked, Refusal, Stale
from tests.bot.desk import ANNA, BERT, CARA, CHANNEL, GUILD, MASTER, Clock, guessed, play_on
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.bot.menu_taps import BUTTON, SELECT, controls, used
from tests.bot.test_panel import AFRICA, AUCTION, playing, sent
from tests.bot.test_plans import everything
from tests.games.imperial_struggle.scene import scene as imperial_scene, tile_id
from tests.often_said import NO_SEAT
from tests.position import starting_at
from tests.scene import prepared

TILE = "4 DP / 2 MP"
ONE, TWO = Seat("seat_1"), Seat("seat_2")
SEA = {**AFRICA, "units": {"austria": {"army": {"africa": 2}, "navy": {"africa": 2}},
                           "britain": {"army": {"africa": 1}, "navy": {"africa": 1}}}}
ATTACK, FIGHT = Attack(area="africa", target="britain"), Fight()
HEAD = "**Rehearsal: what you can't see is guessed.** Only you see this, and nothing here counts."


async def running(services: Services, spec: GameSpec, *members: int) -> int:
    """A game that has just begun."""
    edition = next(edition.key for edition in spec.editions if edition.available)
    game = await services.lobby.open(key=spec.key, edition=edition, seats=len(members), options={}, pack=None, title="Friday",
                                     guild=GUILD, channel=CHANNEL, owner=MASTER)
    for member in members:
        await services.lobby.join(game.id, member)
    await services.lobby.start(game.id, MASTER)
    return game.id


@pytest.fixture
async def services(store: Store, clock: Clock) -> Services:
    """Anna's turn, who is Austria; Bert is Britain. Each deal is another one."""
    services, seeds = play_on(store, spec=prepared(**SEA), clock=clock), iter(range(10 ** 6))
    services.rehearsals.seed = lambda: f"seed {next(seeds)}"
    await running(services, services.session.spec("struggle_of_empires"), ANNA, BERT)
    return services


async def attacked(services: Services) -> Rehearsal:
    """A rehearsal in which Anna has attacked Bert, who is asked whether he fights at sea."""
    now = await services.rehearsals.rehearse(1, ANNA)
    now = await services.rehearsals.answer_in_rehearsal(1, ANNA, ONE, [ATTACK], now.table.asked_at)
    return await services.rehearsals.answer_in_rehearsal(1, ANNA, ONE, [FIGHT], now.table.asked_at)


# --- what it does -----------------------------------------------------------------------------------------------

async def test_a_rehearsal_goes_on_over_the_answers_of_others_and_back(services: Services) -> None:
    rehearsals, now = services.rehearsals, await attacked(services)
    assert now.seat == ONE and now.asked == TWO and is_rehearsed(now.table.asked_at)
    back = await rehearsals.take_rehearsed_back(1, ANNA, now.table.asked_at)
    assert back.given == ((ONE, ATTACK),) != now.given and back.asked == ONE and not back.news
    again = await rehearsals.answer_in_rehearsal(1, ANNA, ONE, [FIGHT], back.table.asked_at)
    assert again.table.state.model_dump_json() == now.table.state.model_dump_json(), "the same guess, the same dice"
    back = await rehearsals.take_rehearsed_back(1, ANNA, again.table.asked_at)
    back = await rehearsals.take_rehearsed_back(1, ANNA, back.table.asked_at)
    with pytest.raises(Refusal, match=r"This is where the rehearsal begins."):
        await rehearsals.take_rehearsed_back(1, ANNA, back.table.asked_at)
    again = await rehearsals.answer_in_rehearsal(1, ANNA, ONE, [ATTACK, FIGHT], back.table.asked_at)
    assert again.given == now.given, "several answers at once, as a form gives them"
    on = await rehearsals.let_answer(1, ANNA, again.table.asked_at, on=True)
    assert on.asked == ONE and len(on.given) > len(again.given) and {seat for seat, _ in on.given[2:]} == {TWO}
    with pytest.raises(NotAsked, match="only for others"):
        await rehearsals.let_answer(1, ANNA, on.table.asked_at, on=False)


async def test_what_cannot_be_done_in_the_game_cannot_be_done_here(services: Services) -> None:
    now = await services.rehearsals.rehearse(1, ANNA)
    with pytest.raises(Illegal):
        await services.rehearsals.answer_in_rehearsal(1, ANNA, ONE, [Attack(area="india", target="britain")], now.table.asked_at)
    with pytest.raises(Illegal, match=r"^Not possible with the rest: .+ Nothing has been done\.$"):
        await services.rehearsals.answer_in_rehearsal(1, ANNA, ONE, [ATTACK, ATTACK], now.table.asked_at)
    with pytest.raises(NotAsked):
        await services.rehearsals.answer_in_rehearsal(1, ANNA, TWO, [ATTACK], now.table.asked_at)
    assert await services.rehearsals.rehearsal(1, ANNA) is now


async def test_each_deal_is_another_guess_and_the_own_secrets_stay(services: Services) -> None:
    now = await services.rehearsals.rehearse(1, ANNA)
    guesses = set()
    for _ in range(8):
        now = await services.rehearsals.deal_again(1, ANNA, now.table.asked_at)
        assert now.table.state.unrest["austria"] == 4
        guesses.add(now.table.state.unrest["britain"])
    assert len(guesses) > 1
    assert (await services.session.table(1)).state.unrest["britain"] == 9


async def test_what_is_planned_is_rehearsed_and_goes_on_behind_what_closes_the_plan(store: Store, clock: Clock) -> None:
    at = imperial_scene(active="france", available=[TILE, "3 DP / 2 MP, event"], deck=["ev_01", "ev_02"])
    services = play_on(store, spec=starting_at(IMPERIAL, at.start.state), clock=clock)
    game = await running(services, IMPERIAL, ANNA, BERT)
    user = {ONE: ANNA, TWO: BERT}[at.state.seat("france")]
    steps = TakeTile(tile=tile_id(TILE)), DrawEvent.of("major", 0, 0)
    for step in steps:
        planned = await services.plans.plan_steps(game, user, [step])
    assert planned.closed == "draw"
    now = await services.rehearsals.rehearse(game, user)
    assert [action for _, action in now.planned] == [*steps]
    assert len(now.table.state.own["france"].hand) == 1, "what is drawn is a guess, too"
    assert (await services.session.table(game)).state.own["france"].hand == []


# --- nobody can tell ----------------------------------------------------------------------------------------------

async def test_a_rehearsal_leaves_no_trace(services: Services, store: Store, caplog: pytest.LogCaptureFixture) -> None:
    before, changes = await everything(store), store.changes
    with caplog.at_level(logging.DEBUG):
        now = await attacked(services)
        now = await services.rehearsals.let_answer(1, ANNA, now.table.asked_at, on=True)
        await services.rehearsals.deal_again(1, ANNA, now.table.asked_at)
        await services.rehearsals.throw_away(1, ANNA)
    assert (await everything(store), store.changes) == (before, changes)
    assert [record for record in caplog.records if record.name.startswith("bot")] == []


async def test_whatever_a_world_raises_is_one_sentence_without_a_value(
        services: Services, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    now = await services.rehearsals.rehearse(1, ANNA)

    def failing(*given: Any) -> Any:
        raise ValueError("Britain has 9 unrest")

    monkeypatch.setattr(rehearsal.World, "answer", failing)
    with caplog.at_level(logging.DEBUG), pytest.raises(Refusal, match=r"^This guess can't go on from there. Take another way, "):
        await services.rehearsals.answer_in_rehearsal(1, ANNA, ONE, [ATTACK], now.table.asked_at)
    assert "unrest" not in caplog.text and "ValueError" in caplog.text and services.session.troubles.errors == 0
    assert await services.rehearsals.rehearsal(1, ANNA) is now, "the position before it is still there"
    monkeypatch.setattr(rehearsal, "deal_anew", failing)
    with pytest.raises(Refusal, match=r"^This guess can't go on. Rehearse again for another one.$"):
        await services.rehearsals.deal_again(1, ANNA, now.table.asked_at)


async def test_the_dice_have_nothing_to_do_with_those_of_the_game(services: Services) -> None:
    """Where the true dice are known, a rehearsal throws others: of many deals not all throw what the game will."""
    now, thrown = await services.rehearsals.rehearse(1, ANNA), set()
    for _ in range(6):
        world = now.present.played(now.seed, [(ONE, ATTACK)])
        while not world.over and not any(entry.by == "dice" for entry in world.fresh):
            world.answer(*rehearsal.automatic(world, now.seed))
        thrown |= {entry.answer.model_dump_json() for entry in world.fresh if entry.by == "dice"}
        now = await services.rehearsals.deal_again(1, ANNA, now.table.asked_at)
    assert len(thrown) > 3


# --- whose it is, and how long ------------------------------------------------------------------------------------

async def test_only_whose_move_it_is_rehearses_and_only_where_automatic_players_are(services: Services, tmp_path: Path) -> None:
    with pytest.raises(NotAsked, match=r"You can rehearse when it's your move."):
        await services.rehearsals.rehearse(1, BERT)
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.rehearsals.rehearse(1, CARA)
    now = await services.rehearsals.rehearse(1, ANNA)
    with pytest.raises(Refusal, match="This rehearsal has expired"):
        await services.rehearsals.answer_in_rehearsal(1, BERT, ONE, [ATTACK], now.table.asked_at)
    store = Store(tmp_path / "pebbles.db")
    pebbles = play_on(store)
    with pytest.raises(Refusal, match="it has no automatic players"):
        await pebbles.rehearsals.rehearse(await guessed(pebbles), ANNA)
    store.close()


async def test_a_stale_stamp_changes_nothing(services: Services) -> None:
    now = await services.rehearsals.rehearse(1, ANNA)
    later = await services.rehearsals.answer_in_rehearsal(1, ANNA, ONE, [ATTACK], now.table.asked_at)
    for change in (services.rehearsals.take_rehearsed_back, services.rehearsals.deal_again):
        with pytest.raises(Stale, match="Your rehearsal has changed since"):
            await change(1, ANNA, now.table.asked_at)
    assert await services.rehearsals.rehearsal(1, ANNA) is later


async def test_it_is_thrown_away_after_some_hours_and_for_another_one_and_with_the_seat(
        services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    rehearsals = services.rehearsals
    first = await rehearsals.rehearse(1, ANNA)
    clock.put_on(hours=HOURS - 1)
    assert await rehearsals.rehearsal(1, ANNA) is first
    clock.put_on(hours=2)
    with pytest.raises(Refusal, match=r"^This rehearsal has expired\."):
        await rehearsals.rehearsal(1, ANNA)
    assert not rehearsals._kept
    second = await rehearsals.rehearse(1, ANNA)
    assert await rehearsals.rehearse(1, ANNA) is await rehearsals.rehearsal(1, ANNA) is not second
    await services.seats.resign(1, ANNA)
    with pytest.raises(Refusal, match="This rehearsal has expired"):
        await rehearsals.rehearsal(1, ANNA)
    assert not rehearsals._kept


async def test_nobody_loses_a_rehearsal_since_others_rehearse(services: Services, clock: Clock) -> None:
    now = await services.rehearsals.rehearse(1, ANNA)
    for user in range(100):
        services.rehearsals._keep(10_000 + user, now)
    assert await services.rehearsals.rehearsal(1, ANNA) is now
    clock.put_on(hours=HOURS + 1)
    services.rehearsals._keep(ANNA, now)
    assert [*services.rehearsals._kept] == [ANNA]


async def test_a_member_can_have_so_many_and_what_is_over_the_limit_changes_nothing(services: Services) -> None:
    services.session.quotas = Quotas(Limits(rehearsals=Quota(3, 0)))
    now = await attacked(services)
    now = await services.rehearsals.let_answer(1, ANNA, now.table.asked_at, on=True)
    now = await services.rehearsals.deal_again(1, ANNA, now.table.asked_at)
    with pytest.raises(Refusal, match=r"That was a lot of rehearsals. You can ask for another in 20 minutes."):
        await services.rehearsals.deal_again(1, ANNA, now.table.asked_at)
    assert await services.rehearsals.rehearsal(1, ANNA) is now


# --- on Discord ---------------------------------------------------------------------------------------------------

async def press(world: World, who: Any, custom_id: str) -> Any:
    """Press a button that somebody was shown once."""
    kept = list(world.env.backend.messages[world.table.id].values())[-1]
    item = {"type": BUTTON, "style": 2, "label": "x", "custom_id": custom_id}
    message = {**serializers.message_payload(world.env.backend, kept), "components": [{"type": 1, "components": [item]}]}
    return await who._dispatch_interaction(InteractionType.MESSAGE_COMPONENT, world.table,
                                           {"custom_id": custom_id, "component_type": BUTTON}, extra={"message": message},
                                           source_message_id=kept.id)


async def test_a_rehearsal_by_taps(tmp_path: Path) -> None:
    async with playing(tmp_path, SEA) as world:
        world.services.rehearsals.seed = lambda: "first"
        posts, rows = world.posts(), await world.newest()
        panel = await world.alice.slash(world.table, "my move")
        begun = await world.alice.click(panel.response, label="Rehearse")
        assert words(begun).startswith(f"{HEAD}\n-# War 1, round 1")
        assert labels(begun.response)[-3:] == ["Deal again", "Show board", "Close"]
        assert "What's blocked, and why?" not in labels(begun.response), "that is about the game itself"
        old = custom_ids(begun.response)
        attack = next(label for label in labels(begun.response) if label.startswith("Attack"))
        sea = await world.alice.click(begun.response, label=attack)
        assert words(sea).startswith(f"{HEAD}\nAustria attacks Britain in Africa")
        stale = await press(world, world.alice, old["Deal again"])
        assert "\nYour rehearsal has changed since. This is how it looks now." in words(stale)
        asked = await world.alice.click(stale.response, label="Fight at sea")
        assert "-# Choose for Britain here, or let an automatic player do it." in words(asked)
        answered = await world.alice.click(asked.response, label="Automatic move")
        assert words(answered).startswith(HEAD) and "Here you choose" not in words(answered)
        board = await world.alice.click(answered.response, label="Show board")
        assert words(board).startswith(HEAD) and board.response.attachments
        back = await world.alice.click(board.response, label="Back")
        again = await world.alice.click(back.response, label="Deal again")
        assert words(again).startswith(HEAD) and "attacks" not in words(again)
        shown = custom_ids(again.response)
        step = await used(world.alice, again.response, next(one for one in controls(again.response) if one.kind == SELECT))
        assert words(step).startswith(HEAD), "so does each step of a menu"
        assert (world.posts(), await world.newest()) == (posts, rows)

        for button in shown.values():      # nobody else gets at it, whatever is pressed
            for person in (world.bob, world.carol):
                refused = words(await press(world, person, button))
                assert refused.startswith(("This rehearsal has expired", "It's Austria's move", "That")), refused
        await world.services.answers.answer(1, world.alice.id, ATTACK)
        moved = await press(world, world.alice, shown["Deal again"])
        assert "-# Struggle of Empires has moved on. This rehearsal still continues from before that." in words(moved)
        now = await world.alice.click(moved.response, label="Rehearse from now")
        assert words(now).startswith(HEAD) and "Meanwhile" not in words(now)
        closed = await world.alice.click(now.response, label="Close")
        assert words(closed) == "The rehearsal is over, and nothing is left of it." and labels(closed.response) == ["Your move"]
        over = await press(world, world.alice, old[attack])
        assert words(over) == "This rehearsal has expired. Rehearsals last a few hours at most and end when the bot restarts."
        assert labels(over.response)


async def test_a_form_of_a_rehearsal_counts_there_alone_and_not_after_a_restart(tmp_path: Path) -> None:
    async with playing(tmp_path, AUCTION) as world:
        panel = await world.alice.slash(world.table, "my move")
        begun = await world.alice.click(panel.response, label="Rehearse")
        form = await world.alice.click(begun.response, label="Bid: another amount")
        refused = await sent(world.alice, form, "many")
        assert refused.content.startswith(f"{HEAD}\nType a whole number")
        form = await world.alice.click(refused, label="Bid: another amount")
        step = await sent(world.alice, form, " 7 ")
        assert step.content.startswith(f"{HEAD}\n**Bid** · 7 gold · ")
        bid = next(label for label in labels(step) if " in row A" in label)
        played = await world.alice.click(step, label=bid)
        assert words(played).startswith(f"{HEAD}\nAustria bids 7 gold") and await world.newest() == 0
        form = await world.alice.click(played.response, label="Bid: another amount")
        await world.restart()
        assert (await sent(world.alice, form, "8")).content == (
            "This rehearsal has expired. Rehearsals last a few hours at most and end when the bot restarts.")
