"""How much a member and a server can have of what costs, who is told so, and that nobody waits for another one's many wishes."""
from __future__ import annotations

import asyncio
from collections.abc import Hashable
from pathlib import Path

import pytest

from bot.domain.limits import SWEPT, Asker, Kind, Limits, Quota, Quotas, Rate
from bot.service import Services
from bot.service.fair_queue import FairQueue
from bot.store import Store
from engine.games.imperial_struggle import GAME as IMPERIAL_STRUGGLE
from engine.kernel import Seat
from engine.kernel.game_spec import BOARD
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, CHANNEL, GUILD, MASTER, branched, guessed, opened, play_on
from tests.bot.discord_world import World, words
from tests.bot.test_coaching import coached
from tests.bot.test_orders import TAKE_2, TAKE_3
from tests.bot.test_pictures import Easel, files
from tests.often_said import NO_RECORD
from tests.toy import PAINTED


class Moments:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Noted(FairQueue):
    """A queue of which one learns who comes."""

    def __init__(self) -> None:
        super().__init__()
        self.came = asyncio.Queue[Hashable]()

    async def _come(self, whose: Hashable) -> None:
        self.came.put_nowait(whose)
        await super()._come(whose)


def limited(services: Services, **limits: Quota) -> Moments:
    """From now on these limits hold, and nothing has been used up."""
    clock = Moments()
    services.session.quotas = Quotas(Limits(**limits), clock)
    return clock


# --- so many in a time --------------------------------------------------------------------------------------------

def test_all_can_be_had_at_once_and_then_one_after_the_other() -> None:
    rate, now = Rate(4, 20), 123_456.789
    for _ in range(4):
        assert rate.wait("anna", now) == 0
        rate.take("anna", now)
    assert rate.wait("anna", now) == 5 and rate.wait("bert", now) == 0
    assert rate.wait("anna", now + 3) == 2 and rate.wait("anna", now + 5) == 0
    rate.take("anna", now + 5)
    assert rate.wait("anna", now + 5) == 5 and rate.wait("anna", now + 100) == 0


def test_who_has_everything_back_is_forgotten() -> None:
    rate = Rate(1, 20)
    for member in range(10 * SWEPT):
        rate.take(member, float(member))
    assert len(rate._full) <= SWEPT


@pytest.mark.parametrize("kind, own, everybodys", [
    ("presses", "That's faster than I can follow. Go on in 3 seconds.",
     "This server is busier than I can follow. Go on in 2 seconds."),
    ("pictures", "That was a lot of pictures. You can ask for another in 5 minutes.",
     "This server has asked for many pictures in a short time. The next one can come in 3 minutes."),
    ("hints", "That was a lot of hints. You can ask for another in 30 minutes.",
     "This server has asked for many hints in a short time. The next one can come in 15 minutes.")])
def test_whoever_wants_too_many_is_told_when_the_next_one_comes(kind: Kind, own: str, everybodys: str) -> None:
    quotas = Quotas(Limits(**{kind: Quota(2, 4)}), Moments())
    for member in (ANNA, BERT):
        for _ in range(2):
            quotas.take(kind, Asker(member, GUILD))
        with pytest.raises(Refusal) as refused:
            quotas.take(kind, Asker(member, GUILD))
        assert str(refused.value) == own
    with pytest.raises(Refusal) as refused:
        quotas.take(kind, Asker(CARA, GUILD))
    assert str(refused.value) == everybodys
    for guild in (None, GUILD + 1):                 # what the server has refused has not been counted for the member
        quotas.take(kind, Asker(CARA, guild))


def test_a_script_that_never_pauses_gets_nothing_more_and_whoever_pauses_goes_on() -> None:
    now = 1_000.0
    quotas = Quotas(Limits(presses=Quota(15, 300)), lambda: now)

    def presses(seconds: float, apart: float) -> int:
        """How many presses of so many seconds are let in."""
        nonlocal now
        let_in = 0
        for _ in range(round(seconds / apart)):
            now += apart
            try:
                quotas.take("presses", Asker(ANNA, GUILD))
                let_in += 1
            except Refusal:
                pass
        return let_in

    assert presses(0.15, 0.01) == 15 and presses(60, 0.01) == 0
    assert presses(4, 0.4) == 10, "0.4 s are a pause"
    assert presses(5, 5) == 1 and presses(0.14, 0.01) == 14


def test_without_limits_everybody_can_have_everything() -> None:
    quotas = Quotas(Limits())
    for _ in range(1_000):
        quotas.take("presses", Asker(ANNA, GUILD))


# --- in turn ------------------------------------------------------------------------------------------------------

async def test_whoever_wants_much_gets_one_and_then_the_others_have_their_turns() -> None:
    queue, served = FairQueue(), list[str]()

    async def wish(whose: str) -> None:
        async with queue.turn(whose[0]):
            served.append(whose)
            await asyncio.sleep(0)

    wishes = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"]
    tasks = {whose: asyncio.ensure_future(wish(whose)) for whose in wishes}
    await asyncio.sleep(0)
    tasks["a3"].cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    assert served == ["a1", "a2", "b1", "c1", "a4", "b2"]


async def test_a_turn_that_nobody_takes_any_more_is_the_next_ones() -> None:
    queue, served = FairQueue(), list[str]()

    async def wish(whose: str) -> None:
        async with queue.turn(whose):
            served.append(whose)

    async with queue.turn("first"):
        called, other = asyncio.ensure_future(wish("called")), asyncio.ensure_future(wish("other"))
        await asyncio.sleep(0)
    called.cancel()                                     # it has been called, and has not come yet
    await asyncio.gather(called, other, return_exceptions=True)
    assert served == ["other"]
    async with asyncio.timeout(1), queue.turn("last"):
        pass


async def test_who_asks_for_many_pictures_lets_the_others_have_theirs_in_between(tmp_path: Path) -> None:
    easel = Easel()
    async with World.at(tmp_path / "games.db", (PAINTED,), draw=easel) as world:
        await world.guessed()
        gallery, drawn = world.bot.gallery, list[int]()
        queue = gallery._brush = Noted()

        async def asked(user: int) -> None:
            await gallery.picture(1, BOARD, "dark", seat=Seat("seat_1"), by=Asker(user, GUILD))
            drawn.append(user)

        async with queue.turn(None):
            wishes = [asyncio.ensure_future(asked(user)) for user in (ANNA, ANNA, ANNA, BERT)]
            assert [await queue.came.get() for _ in range(5)] == [None, ANNA, ANNA, ANNA, BERT]
        await asyncio.gather(*wishes)
        assert drawn == [ANNA, BERT, ANNA, ANNA]


# --- at the door --------------------------------------------------------------------------------------------------

async def test_who_presses_too_fast_is_told_so_once_and_nobody_else_notices(world: World) -> None:
    await world.guessed()
    clock = limited(world.services, presses=Quota(3, 0))
    menu = [await world.alice.slash(world.table, "my move") for _ in range(3)][-1].response
    told = await world.alice.click(menu, label="Orders")
    assert told.response.content == "That's faster than I can follow. Go on in 2 seconds."
    unanswered = await world.alice.click(menu, label="Orders")
    assert unanswered.response is None, "not for each press"
    assert await world.alice.autocomplete(world.table, "game status", "game", "") == []
    assert "Right now" not in words(await world.bob.slash(world.table, "my move"))
    clock.now += 2
    assert words(await world.alice.click(menu, label="Orders")) != told.response.content
    assert told.response.content not in world.posts(), "only who presses reads it"


# --- what costs ---------------------------------------------------------------------------------------------------

async def test_pictures_films_and_files_have_limits_and_what_is_drawn_already_costs_nothing(tmp_path: Path) -> None:
    easel = Easel()
    async with World.at(tmp_path / "games.db", (PAINTED,), draw=easel) as world:
        await world.guessed()
        await world.alice.slash(world.table, "pebbles take", pebbles=2)
        limited(world.services, pictures=Quota(1, 2), films=Quota(1, 0), files=Quota(1, 0))
        many = "That was a lot of {}. You can ask for another in {}."
        for _ in range(3):                              # everybody's board has been posted
            assert files((await world.carol.slash(world.table, "game map")).response)
        easel.forget()
        assert files((await world.alice.slash(world.table, "game map")).response)
        assert words(await world.alice.slash(world.table, "game map")).startswith(many.format("pictures", "10 minutes"))
        assert len(easel.scenes) == 1
        assert files((await world.alice.slash(world.table, "game recap")).response)
        assert (await world.alice.slash(world.table, "game export")).response.attachments
        assert words(await world.alice.slash(world.table, "game export")) == many.format("files", "60 minutes")
        data = await world.alice.slash(world.table, "my data")
        assert words(await world.alice.click(data.response, label="Get it as a file")) == many.format("files", "60 minutes")
        taken = [words(await world.max.slash(world.table, "gm import", record=("game-1.jsonl", b"{}"))) for _ in range(2)]
        assert taken == [f"Line 1 {NO_RECORD}.", many.format("files", "60 minutes")]
        packs = [words(await world.bob.slash(world.table, "game open", data=("pack.json", b"{"))) for _ in range(2)]
        assert packs[1] == many.format("files", "60 minutes") != packs[0]


async def test_hints_have_a_limit_and_members_have_turns_with_those_who_think(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (IMPERIAL_STRUGGLE,)) as world:
        queue = world.services.automatic.turns = Noted()
        await coached(world)
        assert await queue.came.get() == world.olga.id, "automatic players of her game"
        while not queue.came.empty():
            queue.came.get_nowait()
        limited(world.services, hints=Quota(1, 0))
        async with queue.turn("somebody"):
            thinking = asyncio.ensure_future(world.services.coaching.suggest(1, world.alice.id))
            assert [await queue.came.get() for _ in range(2)] == ["somebody", world.alice.id] and not thinking.done()
        told = await thinking
        assert await world.services.coaching.suggest(1, world.alice.id) == told, "the same hint again costs nothing"
        world.services.coaching._given.clear()
        assert words(await world.alice.slash(world.table, "my hint")).startswith("That was a lot of hints.")


async def test_a_member_and_a_server_can_have_so_many_games_under_way(store: Store) -> None:
    services = play_on(store)
    limited(services, games=Quota(2, 3))

    async def of(owner: int, guild: int | None = GUILD) -> int:
        row = await services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="", guild=guild,
                                        channel=CHANNEL, owner=owner)
        return row.id

    game, running = await of(MASTER), await guessed(services)
    with pytest.raises(Refusal, match=r"You.re the game master of 2 games already\. Finish or close one first, with"):
        await of(MASTER, guild=None)
    await of(ANNA)
    with pytest.raises(Refusal, match=r"This server has 3 games already\. Another one can be opened when one of them is over\."):
        await of(ANNA)
    await of(ANNA, guild=None)
    with pytest.raises(Refusal, match="2 games already"):
        await branched(services, running, 2, channel=CHANNEL)
    await services.seats.close(game, MASTER, "")
    await of(MASTER)


async def test_a_rematch_is_a_game_like_any_other(store: Store) -> None:
    services = play_on(store)
    game = await opened(services)
    await store.write(lambda ledger: ledger.conn.execute("UPDATE games SET status = 'over'"))
    await opened(services)
    limited(services, games=Quota(1, 0))
    with pytest.raises(Refusal, match="You're the game master of 1 game already"):
        await services.lobby.rematch(game, MASTER)


async def test_a_member_and_a_server_can_have_so_many_orders_in_games_under_way(store: Store) -> None:
    services = play_on(store)
    games = [await guessed(services), await guessed(services)]
    limited(services, orders=Quota(2, 3))
    await services.orders.give_orders(games[0], BERT, [TAKE_2, TAKE_3])
    with pytest.raises(Refusal, match=r"You can have 2 orders in all your games together\. Drop some first\."):
        await services.orders.give_orders(games[1], BERT, [TAKE_2])
    (first, second) = (await services.orders.own(games[0], BERT)).kept
    await services.orders.give_orders(games[0], BERT, [TAKE_3], replaces=[first.order.id])      # as many as before
    await services.orders.drop_order(games[0], BERT, second.order.id)
    await services.orders.give_orders(games[1], BERT, [TAKE_2])
    other = await guessed(services, (CARA, ANNA))
    await services.orders.give_orders(other, ANNA, [TAKE_2])
    with pytest.raises(Refusal, match="This server has no room for more orders"):
        await services.orders.give_orders(other, ANNA, [TAKE_2])
    assert len((await services.orders.own(other, ANNA)).kept) == 1
