"""Answers in advance: what may be asked, answered on one screen, by all at the same time and for nobody else's eyes."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import discord

from bot.discord.lengths import CHOICES
from bot.discord.orders.editor import by_part
from bot.discord.orders.packets import Ready, grouped
from bot.service import Services
from bot.store import Store
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Fight
from engine.kernel import Seat
from engine.orders import DEFAULT, Order, OrderLine, Reply
from engine.text import text
from tests.bot.desk import ANNA, BERT, CARA, MASTER, delivered, guessed, kinds, play_on
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.bot.test_order_taps import Phone
from tests.often_said import NO_SEAT
from tests.scene import scene
from tests.toy import ORDERING, Take

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
INVITED = "More may come up. Choose your answers now, in private, so nobody has to wait for you."
USUAL = Order(seat=ONE, kind="packet", points=("DP-T2",), lines=(OrderLine(then=Reply(verb=DEFAULT)),), lasts=ORDERING.packet)


async def near_the_end(services: Services) -> int:
    """Three seats; the heap holds six pebbles, and Anna is asked."""
    game = await guessed(services, (ANNA, BERT, CARA))
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Take.of(2, "left"))
    await delivered(services)
    await services.answers.answer(game, CARA, Take.of(2, "left"))
    return game


# --- a long list of answers ---------------------------------------------------------------------------------

def test_a_long_list_is_grouped_by_what_is_done_and_by_part_of_the_map() -> None:
    def ready(value: str) -> Ready:
        return value, OrderLine(), text("{value:the}", value=value)

    areas = {f"town {number}": "north" if number % 2 else "south" for number in range(40)}
    answers = list(map(ready, ["usual", "leave", *(f"take;{town}" for town in areas), "take;ship", "burn;town 1", "burn;town 3",
                               "burn;town 2"]))
    groups = {key: [value for value, _, _ in group] for key, group in grouped(answers, areas).items()}
    assert {key: len(group) for key, group in groups.items()} == {"take;south": 20, "take;north": 20, "burn;north": 2}
    assert groups["burn;north"] == ["burn;town 1", "burn;town 3"], "what is alone in its part stays beside the groups"
    assert grouped(answers[:CHOICES], areas) == {}, "what finds room is one list"
    values = [(value, words, None) for value, _, words in map(ready, [*areas, "ship"])]
    parts = {area: [value for value, _, _ in part] for area, part in by_part(values, {**areas, "ship": "east"}).items()}
    assert {area: len(part) for area, part in parts.items()} == {"south": 20, "north": 20}, "as in an order that is written"
    assert by_part(values[:CHOICES], areas) == {}


# --- the invitation -----------------------------------------------------------------------------------------

async def test_who_may_be_asked_is_invited_once_and_together(store: Store) -> None:
    services = play_on(store)
    game = await near_the_end(services)
    letters = await delivered(services)
    (invited,) = [letter for letter in letters if letter.kind == "packet"]
    assert invited.payload == {"seats": [TWO, THREE], "asked": [], "span": "end", "text": INVITED}
    assert [kind for kind, _ in kinds(letters)].index("packet") < [kind for kind, _ in kinds(letters)].index("question")
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert "packet" not in [kind for kind, _ in kinds(await delivered(services))]


async def test_who_has_ordered_is_invited_like_all_others(store: Store) -> None:
    services = play_on(store)
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.orders.give_orders(game, CARA, [Order(seat=ONE, points=("DP-T2",), lines=(OrderLine(),))])
    for member in (ANNA, BERT, CARA):
        await services.answers.answer(game, member, Take.of(2, "left"))
    (invited,) = [letter for letter in await delivered(services) if letter.kind == "packet"]
    assert (invited.payload["seats"], invited.payload["asked"]) == ([TWO, THREE], [])


async def test_after_an_undo_the_next_occasion_invites_again(store: Store) -> None:
    services = play_on(store)
    game = await near_the_end(services)
    await delivered(services)
    await services.undo.undo(game, MASTER)
    assert "packet" not in [kind for kind, _ in kinds(await delivered(services))]
    await services.answers.answer(game, CARA, Take.of(3, "left"))
    assert "packet" in [kind for kind, _ in kinds(await delivered(services))]


async def test_nobody_is_invited_in_a_pause_or_while_away(store: Store) -> None:
    services = play_on(store)
    game = await guessed(services, (ANNA, BERT, CARA))
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Take.of(2, "left"))
    await services.seats.away(game, BERT, until=None)
    await services.answers.answer(game, CARA, Take.of(2, "left"))
    (invited,) = [letter for letter in await delivered(services) if letter.kind == "packet"]
    assert invited.payload["seats"] == [THREE]


async def test_answers_in_advance_are_over_with_their_occasion_and_come_back_with_it(store: Store) -> None:
    services = play_on(store)
    game = await near_the_end(services)
    await services.orders.give_orders(game, BERT, [USUAL])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken[TWO] == 3               # the default move is one pebble
    await services.undo.rollback(game, 5, MASTER)
    assert (await services.orders.own(game, BERT)).kept == []                          # no occasion, no answers in advance
    await services.answers.answer(game, CARA, Take.of(2, "left"))
    assert len((await services.orders.own(game, BERT)).kept) == 1


# --- on Discord -----------------------------------------------------------------------------------------------

async def table_near_the_end(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    for who in (world.alice, world.bob, world.carol):
        await who.slash(world.table, "pebbles guess", pebbles=1)
    for who in (world.alice, world.bob, world.carol):
        await who.slash(world.table, "pebbles take", pebbles=2)


def invitation(world: World) -> Any:
    return world.question(INVITED)


async def test_the_invitation_has_a_button_and_rings_for_those_who_are_named(world: World) -> None:
    await table_near_the_end(world)
    message = invitation(world)
    assert message.content == f"<@{world.bob.id}> <@{world.carol.id}> {INVITED}"
    assert labels(message) == ["Decide in advance"]
    (sent,) = [request.json for request in world.env.http_requests
               if request.method == "POST" and request.json and request.json.get("content") == message.content]
    assert sorted(map(int, sent["allowed_mentions"]["users"])) == sorted([world.bob.id, world.carol.id])


async def test_all_answer_at_the_same_time_and_nobody_is_waited_for(world: World) -> None:
    await table_near_the_end(world)
    phones = [Phone(world, world.bob), Phone(world, world.carol)]
    for phone in phones:
        phone.screen = invitation(world)
        said = await phone.tap("Decide in advance")
        assert said.startswith("More may come up: what will you do?")
        assert phone.values()[:2] == ["Your turn: the default move", "Your turn: ask me then"]
    await phones[0].choose("Your turn: take up to 2, right")
    await phones[1].choose("Your turn: throw")
    async with world.together():
        for phone in phones:
            await phone.who.click(phone.screen, label="Save these choices")
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    rows = await world.store.read(lambda ledger: ledger.log.rows(1))
    assert [(row.seat, row.verb) for row in rows if row.by == "order"] == [(TWO, "take"), (THREE, "throw")]
    assert (await world.services.session.table(1)).asked(ONE) is not None


async def test_what_is_left_as_it_is_is_asked(world: World) -> None:
    await table_near_the_end(world)
    bob = Phone(world, world.bob)
    bob.screen = invitation(world)
    await bob.tap("Decide in advance")
    saved = await bob.tap("Save these choices")
    assert saved.startswith("Saved.\n> **") and ":** ask me then" in saved
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).asked(TWO) is not None


async def test_a_question_can_be_left_open_on_purpose(world: World) -> None:
    await table_near_the_end(world)
    bob = Phone(world, world.bob)
    await bob.command("orders prepare")
    await bob.choose("Your turn: ask me then")
    await world.restart()                                               # what was chosen is in the file
    await bob.tap("Save these choices")
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).asked(TWO) is not None


async def test_who_answers_twice_has_answered_as_he_did_last(world: World) -> None:
    await table_near_the_end(world)
    bob = Phone(world, world.bob)
    for wish in ("Your turn: throw", "Your turn: take up to 3, left"):
        await bob.command("orders prepare")
        await bob.choose(wish)
        await bob.tap("Save these choices")
    assert len((await world.services.orders.own(1, world.bob.id)).kept) == 1
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).state.taken[TWO] == 5


async def test_two_presses_give_the_answers_once(world: World) -> None:
    """As when the bot dies on the first press, before it can show that all is noted: nothing that was chosen is lost."""
    await table_near_the_end(world)
    bob = Phone(world, world.bob)
    await bob.command("orders prepare")
    await bob.choose("Your turn: throw")
    async with world.together():
        presses = [await bob.who.click(bob.screen, label="Save these choices") for _ in range(2)]
    assert all(press.acknowledged for press in presses)
    assert bob.screen.content.startswith("You've already saved these choices.\n")
    (kept,) = (await world.services.orders.own(1, world.bob.id)).kept
    assert (kept.order.id, kept.order.lines[0].then) == (1, Reply(verb="throw", offer="throw"))


async def test_what_was_ordered_is_what_the_screen_begins_with(world: World) -> None:
    await table_near_the_end(world)
    bob = Phone(world, world.bob)
    await bob.command("orders prepare")
    await bob.choose("Your turn: throw")
    await bob.tap("Save these choices")
    assert await bob.command("orders prepare") and chosen(bob) == ["Your turn: throw"]
    assert "You've already saved these choices." in await bob.tap("Save these choices")
    await bob.command("orders prepare")
    await bob.choose("Your turn: ask me then")
    await bob.tap("Save these choices")
    assert [kept.order.lines for kept in (await world.services.orders.own(1, world.bob.id)).kept] == [(OrderLine(),)]


async def test_an_open_question_is_not_answered_by_leaving_it_alone(world: World) -> None:
    await table_near_the_end(world)
    alice, before = Phone(world, world.alice), await world.newest()
    await alice.command("orders prepare")
    assert "> **Your turn:** ask me then" in await alice.tap("Save these choices")
    assert await world.newest() == before


async def test_when_it_is_over_there_is_nothing_to_answer(world: World) -> None:
    await table_near_the_end(world)
    bob = Phone(world, world.bob)
    await bob.command("orders prepare")
    await world.olga.slash(world.table, "gm undo")                      # the occasion is gone
    assert await bob.tap("Save these choices") == "Choose at least one answer first. Until then I'll ask you each time."
    assert (await world.services.orders.own(1, world.bob.id)).kept == []


async def test_who_has_no_seat_cannot_answer(world: World) -> None:
    await table_near_the_end(world)
    said = words(await world.max.click(invitation(world), label="Decide in advance"))
    assert said == f"{NO_SEAT}."
    assert "packet" in "".join(custom_ids(invitation(world)).values())


# --- a real attack ------------------------------------------------------------------------------------------------

SEA, RESERVES = "Fight at sea when you defend", "Reserves when you defend"


async def empires(path: Path) -> World:
    """Austria (Alice) can attack Britain (Bob) in India; France (Carol) is Britain's ally and has units there."""
    start = scene(powers=("austria", "britain", "france"), rows=(("austria",), ("britain", "france")), active="austria",
                  units={"austria": {"army": {"india": 2}, "navy": {"india": 2}},
                         "britain": {"army": {"india": 1}, "navy": {"india": 1}}, "france": {"army": {"india": 1}}},
                  markers={"britain": {"india": 1}}, tiles={"britain": {"reserves": 1}}).state
    spec = GAME.changed(setup=lambda seats, options, parts: start.model_copy(deep=True))
    world = await World.made(path / "games.db", (spec,))
    await world.olga.slash(world.table, "game open", game=spec.key, edition="first", seats=3)
    for who in (world.alice, world.bob, world.carol):
        await who.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    return world


async def attacked(world: World) -> None:
    attack = Attack(area="india", target="britain")
    await world.services.answers.answer(1, world.alice.id, attack)
    await world.env.settle()


async def filled(who: Any, invited: Any, *choices: str) -> dict[str, list[str]]:
    """Decide in advance in the form that shows all answers; the questions with what can be chosen for each, the default first."""
    form = await who.click(invited, label="Decide in advance")
    assert form.modal["title"] == "Austria attacks Britain in India"
    groups = {line["label"]: line["component"] for line in form.modal["components"]}
    assert {group["type"] for group in groups.values()} == {discord.ComponentType.radio_group.value}
    wanted = dict(choice.split(": ", 1) for choice in choices)
    given = {group["custom_id"]: next(option["value"] for option in group["options"] if (
        option["label"].casefold() == wanted[title] if title in wanted else option.get("default")))
        for title, group in groups.items()}
    words(await who.submit_modal(form, given))
    return {title: [option["label"] for option in group["options"]] for title, group in groups.items()}


async def test_defender_and_ally_answer_a_whole_attack_in_one_wait(tmp_path: Path) -> None:
    world = await empires(tmp_path)
    try:
        await attacked(world)
        invited = world.question("Choose your answers now")
        assert invited.content == (f"<@{world.bob.id}> Austria attacks Britain in India. Choose your answers now, "
                                   "in private, so nobody has to wait for you.")
        assert "**France**" in world.posts()[-1], "she is asked the only thing that she can be asked"
        assert "What do you send?" in words(await world.carol.click(invited, label="Decide in advance")), "so here it is"
        sent = list((await world.services.session.table(1)).options(THREE))[-1]
        await world.services.answers.answer(1, world.carol.id, sent)
        earlier = Order(seat=TWO, kind="packet", points=("DP-16",), lasts="attack",
                        lines=(OrderLine(then=Reply(verb="decline", offer="no_fight")),))
        await world.services.orders.give_orders(1, world.bob.id, [earlier])         # when it was offered beside the default
        fields = await filled(world.bob, invited, f"{SEA}: fight at sea", f"{RESERVES}: ask me then")
        assert fields == {SEA: ["Don't fight at sea (default)", "Ask me then", "Fight at sea"],
                          RESERVES: ["Don't use Reserves (default)", "Ask me then", "Use Reserves"]}, "the default once, first"
        assert [question.seat
                for question in (await world.services.session.table(1)).waiting()] == [ONE], "the attacker alone is waited for"
        while (asked := (await world.services.session.table(1)).asked(ONE)) is not None and asked.point != "DP-05":
            await world.services.answers.answer(1, world.alice.id, Fight() if asked.point == "DP-15" else
                                    (await world.services.session.table(1)).default(ONE))
        rows = await world.store.read(lambda ledger: ledger.log.rows(1))
        ordered = {(row.seat, row.verb) for row in rows if row.by == "order"}
        assert (TWO, "fight") in ordered, "what was ordered before is replaced"
        table = await world.services.session.table(1)
        assert [(question.seat, question.point) for question in table.waiting()] == [(TWO, "DP-21")], "he left that open"
        world.check()
    finally:
        await world.shutdown()


async def test_an_attack_that_is_undone_takes_its_answers_with_it(tmp_path: Path) -> None:
    world = await empires(tmp_path)
    try:
        await attacked(world)
        bob = Phone(world, world.bob)
        await bob.command("orders prepare")
        await bob.tap("Save these choices")
        await world.services.undo.rollback(1, 0, world.olga.id)
        assert (await world.services.orders.own(1, world.bob.id)).kept == []
        other = next(option for option in (await world.services.session.table(1)).options(ONE) if option.verb == "pass")
        await world.services.answers.answer(1, world.alice.id, other)
        await attacked(world)
        # the same attack again: the first of this game, on him
        assert len((await world.services.orders.own(1, world.bob.id)).kept) > 0
    finally:
        await world.shutdown()


async def test_an_answer_for_an_own_attack_is_taken_back_by_asking_again(tmp_path: Path) -> None:
    world = await empires(tmp_path)
    try:
        alice = Phone(world, world.alice)
        said = await alice.command("orders prepare")
        assert said.startswith("What will you do in your turn?") and said.endswith("It counts in that turn alone.")
        choice = next(words for words in alice.values() if not words.endswith("ask me then"))
        await alice.choose(choice)
        await alice.tap("Save these choices")
        assert len((await world.services.orders.own(1, world.alice.id)).kept) == 1
        await alice.command("orders prepare")
        await alice.choose(f"{choice.split(': ')[0]}: ask me then")
        await alice.tap("Save these choices")
        assert (await world.services.orders.own(1, world.alice.id)).kept == []
    finally:
        await world.shutdown()


def chosen(phone: Phone) -> list[str]:
    """What the selects of the screen show as chosen."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in phone.screen.components]
    return [option["label"] for row in rows for item in row["components"] if item["type"] == 3
            for option in item["options"] if option.get("default")]
