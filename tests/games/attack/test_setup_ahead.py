"""The set-up of Attack! answered in advance: lists of territories and units, and one form for all at the same time (21.1)."""
from __future__ import annotations

from pathlib import Path

from engine import components
from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.orders.decision_points import OPENING, ORDERING
from engine.games.attack.rules.setup import FIRST_UNITS, Claim, TerritoryClaimed
from engine.kernel import Seat, Table
from engine.orders import DEFAULT, Order, OrderLine, Orders, Reply
from engine.selfplay import new_table
from engine.text import Reader, say
from tests.bot.discord_world import World
from tests.bot.test_order_taps import Phone
from tests.bot.test_packets import chosen

EDITION = "message"
INVITED = "First units and capitals. Choose your answers now, in private, so nobody has to wait for you."
LISTED = ("cuba", "mexico", "panama", "colombia", "venezuela", "peru", "chile")


def begun(seats: int) -> Table:
    """A new game: the first seat of the round is asked for a territory."""
    return new_table(GAME, seats, EDITION, components.components(GAME, EDITION).parts, SecretDice("07" * 32), checkpoints=False)


def listed(seat: str) -> list[Order]:
    """The whole set-up of a seat, as lists."""
    lines = {"D-01": [Reply(verb="claim", fields={"territory": LISTED})],
             "D-02": [Reply(verb="deploy", fields={"unit": unit, "territory": (land,), "number": 1})
                      for unit, land in zip(FIRST_UNITS, ("cuba", "mexico", "colombia", "cuba", "mexico"), strict=True)],
             "D-03": [Reply(verb="capital", fields={"territory": ("peru", "mexico")})]}
    return [Order(id=number, seat=Seat(seat), points=(point,), lines=tuple(OrderLine(then=reply) for reply in replies))
            for number, (point, replies) in enumerate(lines.items(), 1)]


def test_D_01_to_D_03_lists_answer_the_whole_setup():
    table = begun(2)
    first = table.waiting()[0].seat
    other = next(seat for seat in table.state.seats if seat != first)
    table.deputy = Orders(GAME, listed(first))
    table.go_on()
    theirs = iter(("ukraine", "panama", "italy", "france"))
    while table.state.phase != "turn":
        (question,) = table.waiting()
        assert question.seat == other, "nobody waits for who has given lists"
        table.answer(other, Claim.of(next(theirs)) if question.point == "D-01" else table.default(other))
    state, power = table.state, table.state.power(first)
    taken = [event.territory for entry in table.fresh for event in entry.events
             if isinstance(event, TerritoryClaimed) and event.power == power]
    assert taken == ["cuba", "mexico", "colombia", "venezuela"]
    assert {land: state.units[land] for land in taken} == {
        "cuba": {"infantry": 1, "plane": 1, "tank": 1}, "mexico": {"infantry": 1, "tank": 1, "plane": 1},
        "colombia": {"infantry": 1, "artillery": 1}, "venezuela": {"infantry": 1}}
    assert state.capitals["mexico"] == power, "the first own one of the list"


def test_what_the_setup_will_ask_is_foreseen_until_it_is_answered():
    table = begun(3)
    seats = [table.state.seat(power) for power in table.state.in_turn_order()]
    assert ORDERING.foreseen(table.state) == dict.fromkeys(seats, ("D-02", "D-03"))
    assert {ORDERING.spans(table.state, seat)[OPENING] for seat in seats} == {"setup"}
    while table.state.phase != "founding":
        seat = table.waiting()[0].seat
        table.answer(seat, table.default(seat))
    table.answer(seats[0], table.default(seats[0]))
    assert ORDERING.foreseen(table.state) == dict.fromkeys(seats[1:], ("D-03",))
    for seat in seats[1:]:
        table.answer(seat, table.default(seat))
    assert ORDERING.foreseen(table.state) == {} and OPENING not in ORDERING.spans(table.state, seats[0])


def test_who_leaves_units_and_capital_to_what_is_usual_is_asked_for_territories_alone():
    table = begun(3)
    usual = (OrderLine(then=Reply(verb=DEFAULT)),)
    forms = [Order(id=number, seat=seat, kind="packet", points=(point,), lines=usual, lasts="attack", span="setup")
             for number, (seat, point) in enumerate(((seat, point) for seat, points in ORDERING.foreseen(table.state).items()
                                                     for point in points), 1)]
    table.deputy = Orders(GAME, forms)
    asked = []
    while table.state.phase != "turn":
        (question,) = table.waiting()
        asked.append(question.point)
        table.answer(question.seat, table.default(question.seat))
    assert asked == ["D-01"] * 12


# --- on Discord -------------------------------------------------------------------------------------------

def people(world: World) -> dict[str, Phone]:
    """By the mention of each."""
    return {f"<@{who.id}>": Phone(world, who) for who in (world.alice, world.bob, world.carol)}


async def test_all_are_invited_at_the_start_and_only_territories_are_asked_for(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (GAME,)) as world:
        phones = people(world)
        await world.olga.slash(world.table, "game open", game=GAME.key, edition=EDITION, seats=len(phones))
        for phone in phones.values():
            await phone.command("game join")
        await world.olga.slash(world.table, "game start")
        invitation = world.question(INVITED)
        assert all(mention in invitation.content for mention in phones)
        for phone in phones.values():
            phone.screen = invitation
            said = await phone.tap("Decide in advance")
            assert said.startswith("First units and capitals: what will you do?\n")
            assert chosen(phone) == ["Place a unit: ask me then", "Place your capital: ask me then"]
            assert {"Place a unit: choose which …", "Place your capital: put the capital in …"} <= {*phone.values()}
            await phone.choose("Place a unit: plane, tank, artillery, tank, plane, where you have the fewest (default)")
            await phone.choose("Place your capital: where you have the most units (default)")
            assert "**Place your capital:** where you have the most units (default)" in await phone.tap("Save these choices")
        table = await world.services.session.table(1)
        for _ in range(12):
            (waiting,) = await world.services.queries.waiting(1)
            assert table.waiting()[0].point == "D-01"
            await world.services.answers.answer(1, waiting.user, Claim.of("random"))
            table = await world.services.session.table(1)
        assert table.state.phase == "turn" and len(table.state.capitals) == 3
        assert say(GAME.words.moment(table.state), Reader(GAME.words.names(table.parts))).startswith("Round 1 of 8: ")
