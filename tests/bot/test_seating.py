"""/gm seats: in which order those who have joined will sit [ATK-3.2.3]."""
from __future__ import annotations

from tests.bot.discord_world import World, labels, options, words
from tests.often_said import FOR_MASTERS_OR_ROLE


async def joined(world: World) -> None:
    """Olga's game for four; Alice, Bob and Carol have joined, in this order."""
    await world.opened(4)
    for person in (world.alice, world.bob, world.carol):
        await person.slash(world.table, "game join")


async def seated(world: World) -> list[int | None]:
    holders = await world.services.queries.holders(1)
    assert [holder.seat for holder in holders] == [f"seat_{place}" for place in range(1, len(holders) + 1)]
    return [holder.user for holder in holders]


async def test_ATK_3_2_3_seats_are_in_the_order_of_joining_unless_the_organiser_changes_it(world: World) -> None:
    await joined(world)
    alice, bob, carol = world.alice.id, world.bob.id, world.carol.id
    assert await seated(world) == [alice, bob, carol]
    shown = await world.olga.slash(world.table, "gm seats")
    assert words(shown) == f"The seats of Pebbles:\n1. <@{alice}>\n2. <@{bob}>\n3. <@{carol}>"
    assert options(shown.response) == {"bob": str(bob), "carol": str(carol)} and labels(shown.response) == ["Random order"]
    moved = await world.olga.select(shown.response, [str(carol)])
    assert words(moved) == f"The seats of Pebbles:\n1. <@{carol}>\n2. <@{alice}>\n3. <@{bob}>"
    assert await seated(world) == [carol, alice, bob]
    assert (f"Game master {world.olga.mention} changes the order of the seats: <@{carol}>, <@{alice}> and <@{bob}>."
            in world.posts())
    await world.olga.slash(world.table, "game start")
    assert (await world.services.queries.seat_of(1, carol), await world.services.queries.seat_of(1, bob)) == ("seat_1", "seat_3")


async def test_the_lot_decides(world: World) -> None:
    await joined(world)
    people, orders = {world.alice.id, world.bob.id, world.carol.id}, set[tuple[int | None, ...]]()
    lots = iter(range(100))
    world.services.session.secret = lambda: f"{next(lots):064x}"
    for _ in range(8):
        shown = await world.olga.slash(world.table, "gm seats")
        assert f"<@{world.alice.id}>" in words(await world.olga.click(shown.response, label="Random order"))
        orders.add(tuple(await seated(world)))
    assert all({*order} == people for order in orders) and len(orders) > 2


async def test_others_cannot_change_it(world: World) -> None:
    await joined(world)
    assert words(await world.alice.slash(world.table, "gm seats")) == FOR_MASTERS_OR_ROLE
    shown = await world.max.slash(world.table, "gm seats")
    world.env.backend.guilds[world.guild.id].members[world.max.id].role_ids.clear()
    assert words(await world.max.click(shown.response, label="Random order")) == FOR_MASTERS_OR_ROLE      # a manager no more
    assert await seated(world) == [world.alice.id, world.bob.id, world.carol.id]


async def test_a_change_that_comes_too_late(world: World) -> None:
    await joined(world)
    shown = await world.olga.slash(world.table, "gm seats")
    await world.carol.slash(world.table, "game leave")
    gone = await world.olga.select(shown.response, [str(world.carol.id)])
    assert words(gone) == f"<@{world.carol.id}> hasn't joined this game."
    late = await world.olga.slash(world.table, "gm seats")
    await world.olga.slash(world.table, "game start")
    assert words(await world.olga.click(late.response, label="Random order")).startswith("The game has already started.")
    again = await world.olga.slash(world.table, "gm seats")
    assert words(again).endswith("They stay like this: the game has started.") and labels(again.response) == []
    assert await seated(world) == [world.alice.id, world.bob.id]


async def test_nobody_and_one_alone_have_no_order(world: World) -> None:
    await world.opened(3)
    assert words(await world.olga.slash(world.table, "gm seats")) == "Nobody has joined yet."
    await world.alice.slash(world.table, "game join")
    alone = await world.olga.slash(world.table, "gm seats")
    assert words(alone) == f"The seats of Pebbles:\n1. <@{world.alice.id}>" and labels(alone.response) == []
