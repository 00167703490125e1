"""What chance has laid where nobody sees it: taking back, asked undo, rollback, other dice, branches; and the game master's view.

The positions are ones of Struggle of Empires whose unrest is drawn from a bag: Anna plays Austria, Bert Britain.
"""
from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.service import Services
from bot.store import Store
from engine import record
from engine.dice import commitment
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Bid, Build, Give, Pass, Rebuild
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn
from engine.kernel import Stirred, parse_events
from engine.refusals import Refusal
from engine.selfplay import random_answer
from engine.undo import REWIND
from tests.bot.desk import ANNA, BERT, CARA, CHANNEL, GUILD, MASTER, Clock, branched, delivered
from tests.bot.discord_world import World, words
from tests.bot.test_whole_game import sketch
from tests.bot.visiting import undoable
from tests.often_said import FOR_MASTERS
from tests.scene import prepared, scene
from tests.toy import SECRET

A, B = "austria", "britain"
BAG = {"unrest.model": "bag"}
PAGE = Path("docs/verify.py").read_text(encoding="utf-8")
OTHER = "cd" * 32                       # the secret of a branch
SHOWN = ("Dice have been rolled or something was drawn since, so you can't undo this alone. You can ask the others to agree. "
         "The game master can undo it, too.")
TURN: dict[str, Any] = {"powers": (A, B), "active": A, "units": {A: {"army": {"german_states": 2}}}, "options": BAG}


@asynccontextmanager
async def table(store: Store, *, secrets: tuple[str, ...] = (SECRET, OTHER),
                **position: Any) -> AsyncIterator[tuple[Services, int]]:
    """The core of the bot, and a running game in this position."""
    left = list(secrets)
    services = Services(store, (prepared(**position),), now=Clock(), secret=lambda: left.pop(0) if left else OTHER)
    row = await services.lobby.open(key=GAME.key, edition="first", seats=len(position["powers"]),
                                    options=position.get("options", {}),
                          pack=None, title="", guild=GUILD, channel=CHANNEL, owner=MASTER)
    for member in (ANNA, BERT, CARA)[:len(position["powers"])]:
        await services.lobby.join(row.id, member)
    await services.lobby.start(row.id, MASTER)
    yield services, row.id


async def drawn(store: Store, game: int) -> list[Mapping[str, int]]:
    """What each drawing of the log gave, taken back or not."""
    rows = await store.read(lambda ledger: ledger.log.rows(game))
    return [event.markers for row in rows if row.verb != REWIND for event in parse_events(GAME, row.events)
            if isinstance(event, UnrestDrawn)]


REBUILD = Rebuild(unit="army", at="german_states")


# --- one's own last answer -----------------------------------------------------------------------------------------

async def test_whoever_has_drawn_a_marker_keeps_his_answer(store: Store) -> None:
    async with table(store, **TURN) as (services, game):
        await services.answers.answer(game, ANNA, REBUILD)
        assert await drawn(store,
                           game) and await undoable(services, game, (await services.queries.holders(game))[0].seat) is None
        before = await services.queries.newest(game)
        with pytest.raises(Refusal) as why:
            await services.undo.take_back(game, ANNA)
        assert (str(why.value), await services.queries.newest(game)) == (SHOWN, before)


async def test_whoever_has_drawn_nothing_takes_his_answer_back(store: Store) -> None:
    async with table(store, **TURN) as (services, game):
        await services.answers.answer(game, ANNA, Build(unit="army", to=A))
        seat = (await services.queries.holders(game))[0].seat
        assert await undoable(services, game, seat) == await services.queries.newest(game)
        await services.undo.take_back(game, ANNA)
        assert (await services.session.table(game)).state.units[A]["army"] == {"german_states": 2}


async def test_that_the_bag_was_shaken_hinders_nobody_since_nobody_saw_it(store: Store) -> None:
    async with table(store, **(TURN | {"active": B, "units": {}})) as (services, game):
        for _ in range(2):
            await services.answers.answer(game, BERT, Pass())
        rows = await store.read(lambda ledger: ledger.log.rows(game))
        assert rows[-1].verb == Stirred.verb and (await services.session.table(game)).state.round == 2
        key = (await services.session.table(game)).state.bag_key
        await services.undo.take_back(game, BERT)
        assert (await services.session.table(game)).state.round == 1
        await services.answers.answer(game, BERT, Pass())
        assert (await services.session.table(game)).state.bag_key == key, "the same again"


@pytest.mark.parametrize("gold", [0, 50])
async def test_whether_another_has_drawn_a_marker_cannot_be_found_out_by_taking_back(store: Store, gold: int) -> None:
    """Who passes last lets the holder of the bid pay; whether that one taxes for it is a secret where gold is one."""
    position: dict[str, Any] = {"powers": (A, B, "france"), "phase": "auction", "opener": A, "gold": {A: gold},
                "options": BAG | {"gold.public": False}}
    async with table(store, **position) as (services, game):
        await services.answers.answer(game, ANNA, Bid(gold=5, a=A, b=B))
        await services.answers.answer(game, BERT, Pass())
        await services.answers.answer(game, CARA, Pass())
        assert bool(await drawn(store, game)) is (gold == 0)
        with pytest.raises(Refusal) as why:
            await services.undo.take_back(game, CARA)
        assert str(why.value) == SHOWN
        assert await undoable(services, game, (await services.queries.holders(game))[2].seat) is None


# --- further back --------------------------------------------------------------------------------------------------

async def test_after_a_rollback_and_an_asked_undo_the_same_markers_come_again(store: Store) -> None:
    async with table(store, **TURN) as (services, game):
        await services.answers.answer(game, ANNA, REBUILD)
        await services.undo.undo(game, MASTER)
        await services.answers.answer(game, ANNA, REBUILD)
        (own, *_) = await services.undo_requests.own_answers(game, ANNA)
        request = await services.undo_requests.ask(game, ANNA, own[0])
        assert await services.undo_requests.agree(request.id, BERT)
        await services.answers.answer(game, ANNA, REBUILD)
        first, second, third = await drawn(store, game)
        assert first == second == third and (await services.session.table(game)).state.drawn == 1


async def test_with_fresh_dice_the_bag_is_shaken_anew_in_a_row_of_its_own(store: Store) -> None:
    async with table(store, **TURN) as (services, game):
        key, start = (await services.session.table(game)).state.bag_key, await services.queries.newest(game)
        await services.answers.answer(game, ANNA, REBUILD)
        await services.undo.rollback(game, start, MASTER, fresh=True)
        now = (await services.session.table(game)).state
        rows = await store.read(lambda ledger: ledger.log.rows(game))
        assert (rows[-1].verb, rows[-2].verb) == (Stirred.verb, REWIND)
        assert now.bag_key != key and now.drawn == 0 and now.unrest_bag == {}
        again = Services(store, (prepared(**TURN),))
        assert (await again.session.table(game)).state.model_dump_json() == now.model_dump_json(), "the rows alone lead there"
        await services.undo.redo(game, MASTER)
        assert (await services.session.table(game)).state.bag_key == key, "what is brought back comes as it was"


async def test_a_game_can_throw_afresh_after_every_undo_and_says_so(store: Store) -> None:
    async with table(store, **(TURN | {"options": BAG | {"undo.same_dice": False}})) as (services, game):
        key = (await services.session.table(game)).state.bag_key
        await services.answers.answer(game, ANNA, REBUILD)
        await delivered(services)
        await services.undo.undo(game, MASTER)
        assert (await services.session.table(game)).state.bag_key != key
        assert any("New dice are rolled from" in str(letter.payload) for letter in await delivered(services))
        await services.answers.answer(game, ANNA, REBUILD)
        (own, *_) = await services.undo_requests.own_answers(game, ANNA)
        plan = await services.undo_requests.plan(game, ANNA, own[0])
        assert plan.preview.fresh
        second = (await services.session.table(game)).state.bag_key
        await services.undo_requests.agree((await services.undo_requests.ask(game, ANNA, own[0])).id, BERT)
        assert (await services.session.table(game)).state.bag_key not in (key, second)
        assert any("New dice are rolled from there on." in str(letter.payload) for letter in await delivered(services))


async def test_a_branch_cannot_be_used_to_look_into_the_bag_of_the_old_game(store: Store) -> None:
    """Its bag is shaken anew at once, so what it gives tells nothing of what the old one will give."""
    async with table(store, **TURN) as (services, game):
        await services.answers.answer(game, ANNA, Build(unit="army", to=A))
        old = (await services.session.table(game)).state.bag_key
        branch = await branched(services, game, await services.queries.newest(game), channel=71)
        state = (await services.session.table(branch.id)).state
        assert state.bag_key != old and state.model_copy(update={"bag_key": old}) == (await services.session.table(game)).state
        assert branch.commitment == commitment(OTHER) and (await services.session.table(game)).state.bag_key == old


async def test_a_random_game_that_goes_back_and_forth_is_the_same_after_every_restart(store: Store) -> None:
    rng, left = Random(6), [SECRET]
    services = Services(store, (GAME,), now=Clock(), secret=lambda: left[0])
    row = await services.lobby.open(key=GAME.key, edition="deluxe", seats=3, options={}, pack=None, title="", guild=GUILD,
                                    channel=CHANNEL,
                          owner=MASTER)
    for member in (ANNA, BERT, CARA):
        await services.lobby.join(row.id, member)
    await services.lobby.start(row.id, MASTER)
    stirred = 0
    for step in range(1, 151):
        (waits, *_) = await services.queries.waiting(row.id)
        assert waits.user is not None
        await services.answers.answer(row.id, waits.user,
                                      random_answer((await services.session.table(row.id)).options(waits.seat), rng.randrange))
        if step % 15 == 0:
            fresh, newest = rng.random() < 0.5, await services.queries.newest(row.id)
            await services.undo.rollback(row.id, rng.randrange(newest - 12, newest), MASTER, fresh=fresh)
            stirred += fresh
            again = Services(store, (GAME,), now=Clock())
            then = (await services.session.table(row.id)).state.model_dump_json()
            assert (await again.session.table(row.id)).state.model_dump_json() == then
    rows = await store.read(lambda ledger: ledger.log.rows(row.id))
    shaken = [known.no for known in rows if known.verb == Stirred.verb]
    afresh = [known.no for known in rows if known.verb == REWIND and '"fresh":true' in known.answer]
    assert stirred == len(afresh) >= 3 and {no + 1 for no in afresh} <= set(shaken), "at once, before anything else"


# --- the record ----------------------------------------------------------------------------------------------------

async def test_the_record_of_a_game_with_the_bag_can_be_checked_and_taken_in(store: Store) -> None:
    services = Services(store, (GAME,), now=Clock(), secret=lambda: SECRET)
    row = await services.lobby.open(key=GAME.key, edition="deluxe_without_npp", seats=2, options={"undo.same_dice": False},
                                    pack=None,
                          title="", guild=GUILD, channel=CHANNEL, owner=MASTER)
    for member in (ANNA, BERT):
        await services.lobby.join(row.id, member)
    await services.lobby.start(row.id, MASTER)
    undone = 0
    while not (now := await services.session.table(row.id)).over:
        (waits, *_) = await services.queries.waiting(row.id)
        assert waits.user is not None
        await services.answers.answer(row.id, waits.user, now.default(waits.seat))
        if undone < 2 and now.state.phase == "turn" and now.state.round == 3:
            undone += 1
            await services.undo.undo(row.id, MASTER)
    text = await services.records.export(row.id)
    found = record.read(text)
    assert undone == 2 and record.replay(found, GAME).over
    assert sum(known.verb == Stirred.verb for known in found.rows) >= 16, "at the setup, in 15 rounds or more, and after an undo"
    page: dict[str, Any] = {}
    exec(PAGE, page)
    assert page["verify"](text.splitlines()).startswith(f"All {len(found.rolls)} rolls are as the secret gives them.")
    await services.records.take_in(text, by=MASTER, guild=GUILD, channel=CHANNEL)
    public = await services.records._public_export(await services.queries.game(row.id))
    assert now.state.bag_key not in public


# --- the game master -----------------------------------------------------------------------------------------------

SECRETIVE = "In this game the game master can't see the players' secrets either"


async def test_SOE_21_1_6_the_game_master_sees_no_secret_unless_the_group_has_said_so(store: Store) -> None:
    async with table(store, **TURN) as (services, game):
        with pytest.raises(Refusal, match=SECRETIVE):
            await services.secrets.secrets(game, MASTER)
        notes, _ = await services.queries.audit(game, page=1, size=20)
        assert not any("secrets" in str(note) for note in notes)


async def test_SOE_21_1_6_where_it_has_he_sees_all_unrest_in_private_and_the_audit_tells(tmp_path: Path) -> None:
    position = TURN | {"options": BAG | {"gm.sees_secrets": True}, "unrest": {A: 3, B: 14}}
    async with World.at(tmp_path / "games.db", (prepared(**position),), sketch) as world:
        await world.olga.slash(world.table, "game open", game=GAME.key, seats=2, options="gm.sees_secrets=True")
        for person in (world.alice, world.bob):
            await person.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        before = world.posts()
        assert any("The game master can look at everybody's unrest, in private." in post for post in before)
        told = await world.olga.slash(world.table, "gm secrets")
        assert "3 unrest" in words(told) and "14 unrest" in words(told)
        looked = f"Game master <@{world.olga.id}> looked at the secrets of all seats."
        assert world.posts() == [*before, looked]
        assert all(message.ephemeral for message in (told.response, *told.followups) if message)
        assert "looked at the secrets of all seats" in words(await world.olga.slash(world.table, "gm audit"))
        assert FOR_MASTERS in words(await world.alice.slash(world.table, "gm secrets"))


# --- gold and gifts ------------------------------------------------------------------------------------------------

async def test_a_gift_is_told_to_all_or_to_the_two_alone(store: Store) -> None:
    position: dict[str, Any] = {"powers": (A, B, "france"), "active": A, "gold": 7}
    for options, everybody in (({}, True), ({"gifts.public": False, "gold.public": False}, False)):
        async with table(store, **position, options=options) as (services, game):
            await delivered(services)
            await services.answers.answer(game, ANNA, Give(to=B, gold=3))
            letters = [(letter.audience, str(letter.payload)) for letter in await services.outbox.pending(200)]
            history, _ = await services.queries.history(game, page=1, size=20)
            gift = (await services.session.table(game)).last_no
            assert [line.template for no, _, line in history if no == gift] == (
                ["{giver:The} gives {receiver:the} {gold}."] if everybody else []), "the history skips the row of a secret gift"
            assert any("gives" in told for to, told in letters if to == "public") is everybody, "an aside is told to all at once"
            assert any("gives" in told and to == "seat_2" for to, told in letters) is not everybody
            assert everybody or {to for to, _ in letters} <= {"seat_1", "seat_2"}, "nobody else hears that anything has happened"
            assert (await services.session.table(game)).state.gold == {A: 4, B: 10, "france": 7}


def test_gold_that_is_hidden_is_in_nobodys_view_but_its_owners() -> None:
    hidden = scene(powers=(A, B), active=A, gold={A: 41, B: 57}, options={"gold.public": False}).state
    seen = {seat: {power.power: power.gold for power in GAME.views.view(hidden, seat).powers}
            for seat in (None, hidden.seat(A), hidden.seat(B))}
    assert seen == {None: {A: None, B: None}, hidden.seat(A): {A: 41, B: None}, hidden.seat(B): {A: None, B: 57}}
    board = GAME.views.board(GAME.views.view(hidden, hidden.seat(A)))
    assert "41 gold" in board and "57" not in board
    assert "41" not in GAME.views.board(GAME.views.view(hidden, None))
    plain = scene(powers=(A, B), active=A, gold={A: 41, B: 57}).state
    assert "57 gold" in GAME.views.board(GAME.views.view(plain, None))
