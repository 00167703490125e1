"""Standing orders and written turns on the simulated Discord: by taps alone, and for their author alone."""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.discord.orders.buttons import always
from bot.service.orders import OwnOrder
from engine.games.struggle_of_empires.actions import Attack, Decline, Fight
from engine.kernel import Action, Seat
from engine.orders import Order, OrderLine, Reply, order_text
from engine.text import say
from tests.bot.discord_world import World, labels, options, words
from tests.bot.test_panel import AFRICA, A, B, playing
from tests.often_said import NO_SEAT
from tests.scene import scene

TWO = Seat("seat_2")


async def kept(world: World, who: Any, game: int = 1) -> list[OwnOrder]:
    return [*(await world.services.orders.own(game, who.id)).kept]


async def sentences(world: World, who: Any) -> list[str]:
    """The orders of somebody, as he reads them."""
    spec = world.services.session.spec("pebbles")
    return [say(line) for one in await kept(world, who) for line in order_text(spec, one.order, one.left)]


class Phone:
    """Somebody who taps: the screen that he sees is always the answer to the last tap."""

    def __init__(self, world: World, who: Any) -> None:
        self.world, self.who = world, who
        self.screen: Any = None

    async def command(self, name: str, **given: Any) -> str:
        self.result = await self.who.slash(self.world.table, name, **given)
        return self._seen()

    async def tap(self, label: str) -> str:
        self.result = await self.who.click(self.screen, label=label)
        return self._seen()

    async def choose(self, label: str, select: int = 0) -> str:
        rows = [row if isinstance(row, dict) else row.to_dict() for row in self.screen.components]
        found = [item for row in rows for item in row["components"] if item["type"] == 3]
        fits = [(item["custom_id"], option["value"]) for item in found[select:] for option in item["options"]
                if option["label"] == label]
        self.result = await self.who.select(self.screen, [fits[0][1]], custom_id=fits[0][0])
        return self._seen()

    async def type(self, label: str, typed: str) -> str:
        """Tap a button that opens a form, and send it."""
        form = await self.who.click(self.screen, label=label)
        (field,) = [child for row in form.modal["components"] for child in row["components"]]
        self.asked = field["label"]
        self.result = await self.who.submit_modal(form, {field["custom_id"]: typed})
        return self._seen()

    def _seen(self) -> str:
        said = words(self.result)
        self.screen = self.result.response or self.result.followups[-1]
        return said

    async def tap_from(self, command: str, label: str) -> str:
        """Type a command, and tap a button of its answer."""
        await self.command(command)
        return await self.tap(label)

    def buttons(self) -> list[str]:
        return labels(self.screen)

    def chosen(self) -> list[str]:
        """What the lists of the screen show without being opened."""
        rows = [row if isinstance(row, dict) else row.to_dict() for row in self.screen.components]
        return [option["label"] for row in rows for item in row["components"] if item["type"] == 3
                for option in item["options"] if option.get("default")]

    def values(self) -> list[str]:
        return list(options(self.screen))


@pytest.fixture
def bob(world: World) -> Phone:
    return Phone(world, world.bob)


# --- what they answered -------------------------------------------------------------------------------------------

async def test_what_the_own_orders_answered_can_be_read_below_the_list(world: World, bob: Phone) -> None:
    await world.guessed()
    await bob.command("orders list")
    assert "Moves by order" not in bob.buttons()
    take = Reply(verb="take", fields={"pebbles": 2, "hand": "left"})
    await world.services.orders.give_orders(1, world.bob.id, [Order(seat=TWO, points=("DP-T2",), lines=(OrderLine(then=take),))])
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert await bob.tap_from("orders list", "Moves by order") == (
        "**Pebbles**, moves played by your orders\nStep 4: Take 2 pebbles, left")


# --- a standing order ---------------------------------------------------------------------------------------------

async def test_an_order_is_written_by_taps_and_answers(world: World, bob: Phone) -> None:
    await world.guessed()
    assert "None yet." in await bob.command("orders list")
    assert bob.values() == ["Your guess", "Your turn"]
    assert "What do you do?" in await bob.choose("Your turn")
    assert "How many pebbles?" in await bob.choose("Take …, …")
    assert "With which hand?" in await bob.choose("2")
    said = await bob.choose("Left")
    assert "`1` Take up to 2, left." in said and "It counts" not in said, "its list says that"
    assert bob.chosen() == ["Counts for the whole game"]
    said = await bob.tap("Save")
    assert "Saved." in said and "> Take up to 2, left." in said
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    state = (await world.services.session.table(1)).state
    assert state.taken == {"seat_1": 1, "seat_2": 2}
    assert "Basalt takes 2 pebbles." in "\n".join(world.posts())
    assert [question for question in world.posts() if "**Basalt**: The heap" in question] == []


async def test_each_blank_condition_and_cost_is_a_tap(world: World, bob: Phone) -> None:
    await world.guessed()
    await bob.command("orders add", question="Your turn")
    await bob.choose("Take …, …")
    said = await bob.type("Another number", "30")
    assert "> Take up to 30, …" in said and "With which hand?" in said
    await bob.choose("Right")
    assert "On what does it depend?" in await bob.tap("Add a condition")
    await bob.choose("The heap")
    await bob.choose("At least")
    assert "If the heap is at least 7: take up to 30, right." in await bob.type("Another number", "7")
    await bob.tap("Add a condition")
    await bob.choose("The seat with most pebbles")
    await bob.choose("Isn't")
    said = await bob.choose("Basalt")
    assert "If the heap is at least 7 and the seat with most pebbles isn't Basalt: take up to 30, right." in said
    await bob.tap("Add a condition")
    await bob.choose("A die was thrown")
    assert "and not: a die was thrown: take" in await bob.choose("No")
    assert "take up to 30, right, whatever it costs." in await bob.tap("Whatever it costs")
    assert "take up to 30, right." in await bob.tap("Only if it costs nothing")
    assert "if it costs no more than 2." in await bob.type("Up to a cost of …", "2")
    assert bob.asked == "How much may it cost at most?"
    assert "3 uses at most." in await bob.type("How often", "3")
    await bob.choose("Counts in this round")
    assert bob.chosen() == ["Counts in this round"]
    assert "What do you do?" in await bob.tap("Another line below")
    assert "`2` Ask me." in await bob.choose("Ask me")
    await bob.tap("Save")
    (one,) = await kept(world, world.bob)
    assert (one.order.lasts, one.order.span, one.order.times, one.left) == ("round", "0", 3, 3)
    assert len(one.order.lines) == 2 and len(one.order.lines[0].when) == 3 and one.order.lines[0].toll == 2


async def test_a_step_can_be_taken_back_and_lines_can_be_dropped(world: World, bob: Phone) -> None:
    await world.guessed()
    await bob.command("orders add", question="DP-T2")
    await bob.choose("Take …, …")
    await bob.choose("2")
    assert "How many pebbles?" in await bob.tap("Back")
    await bob.choose("3")
    await bob.choose("Left")
    await bob.tap("Another line below")
    said = await bob.choose("Throw")
    assert "`1` Take up to 3, left." in said and "▸ `2` Throw." in said
    assert "▸ `1`" in await bob.choose("1. Take up to 3, left.")
    said = await bob.tap("Drop this line")
    assert "`1` Throw." in said and "take up to" not in said
    assert "What do you do?" in await bob.tap("Drop this line")
    assert "Dropped." in await bob.tap("Drop")
    assert await kept(world, world.bob) == []


async def test_what_is_half_written_outlives_a_restart(world: World, bob: Phone) -> None:
    await world.guessed()
    await bob.command("orders add", question="DP-T2")
    await bob.choose("Take …, …")
    await bob.choose("2")
    await world.restart()
    await bob.command("orders list")
    assert "> Take up to 2, …" in await bob.tap("Go on writing")
    await world.restart()
    await bob.choose("Left")                            # a button from before the restart
    await bob.tap("Save")
    assert await sentences(world, world.bob) == ["Take up to 2, left."]


async def test_an_earlier_screen_changes_nothing_and_shows_the_present_one(world: World, bob: Phone) -> None:
    await world.guessed()
    await bob.command("orders add", question="DP-T2")
    old = Phone(world, world.bob)
    old.screen = bob.screen
    await bob.tap_from("orders list", "Go on writing")
    await bob.choose("Throw")
    said = await old.choose("Take …, …")
    assert "That was an earlier step. Here is the current one." in said and "`1` Throw." in said
    later = Phone(world, world.bob)
    await later.tap_from("orders list", "Go on writing")
    await bob.tap("Save")
    assert "Your draft is gone. Please start again." in await later.tap("Save")
    await bob.command("orders add", question="DP-T1")                   # another draft altogether
    assert "That was an earlier step." in await old.tap("Another line below")
    assert await sentences(world, world.bob) == ["Throw."]


async def test_two_presses_of_save_make_one_order(world: World, bob: Phone) -> None:
    await world.guessed()
    await bob.command("orders add", question="DP-T2")
    await bob.choose("Throw")
    async with world.together():
        first = await world.bob.click(bob.screen, label="Save")
        second = await world.bob.click(bob.screen, label="Save")
    assert first.acknowledged and second.acknowledged
    assert await sentences(world, world.bob) == ["Throw."]


async def test_two_people_write_at_the_same_moment(world: World, bob: Phone) -> None:
    await world.guessed()
    alice = Phone(world, world.alice)
    for phone in (alice, bob):
        await phone.command("orders add", question="DP-T1")
    async with world.together():
        await world.alice.select(alice.screen, ["DP-T1;most"])
        await world.bob.select(bob.screen, ["DP-T1;guess"])
    assert "> Guess …" in await bob.tap_from("orders list", "Go on writing")
    assert "`1` Guess as many as possible." in await alice.tap_from("orders list", "Go on writing")


async def test_an_order_for_the_open_question_says_so_and_answers_when_it_is_saved(world: World) -> None:
    await world.guessed()
    alice = Phone(world, world.alice)
    await alice.command("orders add")
    assert alice.values()[0] == "Your turn", "what is asked now comes first"
    await alice.choose("Your turn")
    said = await alice.choose("Take as few as possible")
    assert "It's your move, so if you save this I play it at once: Take 1 pebble, left." in said
    said = await alice.tap("Save")
    assert "Saved." in said and "Amber takes 1 pebble." in said
    assert (await world.services.session.table(1)).state.taken == {"seat_1": 1}
    assert labels(world.question("**Basalt**: The heap has 11"))


SEA: dict[str, Any] = {**AFRICA, "units": {A: {"army": {"africa": 2}, "navy": {"africa": 2}},
                                           B: {"army": {"africa": 1}, "navy": {"africa": 1}}}, "gold": 9}


@asynccontextmanager
async def attacked(path: Path) -> AsyncIterator[tuple[World, Phone]]:
    """Austria attacks, and fights at sea by the answer that it has just given; then Britain is asked whether it fights."""
    async with playing(path, SEA) as world:
        await world.alice.slash(world.table, "struggle attack", area="africa", target="britain")
        alice = Phone(world, world.alice)
        await alice.command("struggle fight")
        yield world, alice


async def test_an_answer_to_a_question_becomes_an_order_by_two_taps_and_says_so(tmp_path: Path) -> None:
    async with attacked(tmp_path) as (world, alice):
        said = await alice.tap("Always fight at sea")
        assert said == ("**Fight at sea when you attack**: Fight at sea.\n"
                        "For how long?")
        assert "For the whole game" in alice.buttons() and alice.buttons()[-1] == "Cancel"
        assert "Fight at sea." in await alice.tap("For the whole game")
        assert len(await kept(world, world.alice)) == 1


async def test_an_order_for_the_last_answer_never_stands_beside_another_question(tmp_path: Path) -> None:
    async with playing(tmp_path, {"powers": (A, B), "phase": "auction", "opener": A, "gold": {A: 4}}) as world:
        await world.alice.slash(world.table, "struggle bid", gold=0, a="britain", b="austria")
        bob = Phone(world, world.bob)
        assert "What do you do?" in await bob.command("struggle pass"), "Britain's turn is first"
        assert "Always pass" not in bob.buttons()


async def test_the_same_order_twice_is_one(tmp_path: Path) -> None:
    async with attacked(tmp_path) as (world, alice):
        await alice.tap("Always fight at sea")
        async with world.together():
            for _ in range(2):
                await world.alice.click(alice.screen, label="For this war only")
        assert len(await kept(world, world.alice)) == 1


async def test_a_step_of_the_own_turn_has_no_such_tap_and_every_panel_leads_to_the_orders(world: World) -> None:
    await world.guessed()
    alice = Phone(world, world.alice)
    await alice.command("pebbles throw")
    assert not any(label.startswith("Always") for label in alice.buttons())
    assert "Your standing orders in Pebbles." in await alice.tap("Orders")


async def test_a_whole_game_is_played_by_orders_that_were_written_by_taps(world: World) -> None:
    await world.started()
    for who in (world.alice, world.bob):
        phone = Phone(world, who)
        await phone.command("orders list")
        await phone.choose("Your guess")
        await phone.choose("Guess as many as possible")
        await phone.tap("Save")
        await phone.choose("Your turn")
        await phone.choose("Take …, …")
        await phone.choose("3")
        await phone.choose("Left")
        await phone.tap("Whatever it costs")
        await phone.tap("Save")
    assert (await world.services.queries.game(1)).status == "over"
    rows = await world.store.read(lambda ledger: ledger.log.rows(1))
    assert [row.by for row in rows] == ["order"] * 6
    assert "wins." in "\n".join(world.posts())


# --- the list --------------------------------------------------------------------------------------------------------

async def written(world: World, phone: Phone, *answers: str) -> None:
    for answer in answers:
        await phone.command("orders add", question="DP-T2")
        await phone.choose(answer)
        await phone.tap("Save")


async def test_orders_are_moved_paused_changed_and_dropped_by_taps(world: World, bob: Phone) -> None:
    await world.guessed()
    await written(world, bob, "Throw", "Take as few as possible")
    assert await sentences(world, world.bob) == ["Take as few as possible.", "Throw."]
    await bob.choose("2. Your turn: Throw.")
    await bob.tap("Up")
    assert [one.order.id for one in await kept(world, world.bob)] == [1, 2]
    await bob.choose("1. Your turn: Throw.")
    assert "**1. Your turn, for the whole game (paused)**" in await bob.tap("Pause")
    await bob.choose("2. Your turn: Take as few as possible.")
    await bob.tap("Edit")
    await bob.tap("Drop this line")
    await bob.choose("Ask me")
    said = await bob.tap("Save")
    assert "> Ask me." in said and "as few" not in said
    await bob.choose("1. Your turn: Throw.")
    assert "The order is dropped." in await bob.tap("Drop")
    assert await sentences(world, world.bob) == ["Ask me."]


async def test_a_long_list_has_pages_and_all_can_rest(world: World, bob: Phone) -> None:
    await world.guessed()
    await written(world, bob, *["Throw"] * 8)
    assert [value[:2] for value in bob.values()[:6]] == [f"{n}." for n in range(1, 7)] and "More" in bob.buttons()
    assert "**8." in await bob.tap("More")
    assert "**1." in await bob.tap("Previous")
    said = await bob.tap("Pause all")
    assert said.count("(paused)") == 6
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).asked(TWO) is not None
    await bob.tap("Resume all")
    assert (await world.services.session.table(1)).asked(TWO) is None


async def test_autocomplete_names_questions(world: World, bob: Phone) -> None:
    await world.guessed()
    await written(world, bob, "Throw")
    offered = await world.bob.autocomplete(world.table, "orders add", "question", "guess")
    assert offered == [{"name": "Your guess", "value": "DP-T1"}]


# --- what is refused -------------------------------------------------------------------------------------------------

async def test_who_has_no_seat_is_told_so(world: World, bob: Phone) -> None:
    await world.guessed()
    await written(world, bob, "Throw")
    await bob.command("orders list")
    for name in ("orders list", "orders add", "orders turn", "orders prepare"):
        said = words(await world.carol.slash(world.table, name))
        assert said == f"{NO_SEAT}."
    assert await sentences(world, world.bob) == ["Throw."]


async def test_a_seat_handed_over_takes_its_orders_and_its_screens_away(world: World, bob: Phone) -> None:
    await world.guessed()
    await written(world, bob, "Throw")
    await bob.command("orders add", question="DP-T2")
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    said = words(await world.bob.select(bob.screen, ["DP-T2;throw"]))
    assert said.startswith(NO_SEAT)
    carol = Phone(world, world.carol)
    assert "None yet." in await carol.command("orders list")
    assert "Go on writing" not in carol.buttons()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).asked(TWO) is not None


@pytest.mark.parametrize("typed", ["many", "-1", "1.5", " "])
async def test_a_number_that_is_none_is_explained_and_nothing_is_lost(world: World, bob: Phone, typed: str) -> None:
    await world.guessed()
    await bob.command("orders add", question="DP-T2")
    await bob.choose("Take …, …")
    said = await bob.type("Another number", typed)
    assert "Type a whole number from 0 to 1000000." in said and "How many pebbles?" in said


async def test_bad_input_is_a_sentence(world: World, bob: Phone) -> None:
    await world.guessed()
    assert await bob.command("orders add", question="The weather") == "It's too late to decide that in advance."
    assert await bob.command("orders prepare") == "There is nothing to decide in advance right now."
    await bob.command("orders add", question="DP-T2")
    await bob.choose("Throw")
    await bob.type("How often", "0")
    assert "at least once" in await bob.tap("Save")
    assert await kept(world, world.bob) == []
    await bob.type("How often", "")
    await bob.choose("Counts near the end")
    assert bob.chosen() == ["Counts near the end"]
    assert "Choose how long it lasts" in await bob.tap("Save")
    await bob.choose("Counts for the whole game")
    for _ in range(19):
        await bob.tap("Another line below")
        await bob.choose("Throw")
    assert "An order can have 20 lines at most." in await bob.tap("Another line below")
    assert "Saved." in await bob.tap("Save")


async def test_a_game_that_is_over_takes_no_orders(world: World, bob: Phone) -> None:
    await world.guessed()
    await bob.command("orders add", question="DP-T2")
    await bob.choose("Throw")
    confirm = await world.olga.slash(world.table, "gm close")
    await world.olga.click(confirm.response, label="Close the game")
    assert "The game is closed." in await bob.tap("Save")


# --- written turns -----------------------------------------------------------------------------------------------------

async def test_a_turn_is_written_ahead_runs_and_then_asks(world: World, bob: Phone) -> None:
    await world.guessed()
    assert await bob.command("orders turn") == "**Your turn**\nWhat do you do next?"
    await bob.choose("Throw")
    await bob.tap("If not possible …")
    said = await bob.choose("Take as few as possible")
    assert "`1` Then: throw." in said and "`2` If that isn't possible: take as few as possible." in said
    assert "It applies in this turn." in said
    await bob.tap("Save")
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    rows = await world.store.read(lambda ledger: ledger.log.rows(1))
    assert [(row.seat, row.verb) for row in rows if row.by == "order"] == [("seat_2", "throw")]
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).asked(TWO) is not None, "the turn after it is asked for"
    assert "None yet." in await bob.command("orders list")


async def test_a_written_turn_says_whether_its_first_line_is_possible_now(world: World) -> None:
    await world.guessed()
    alice = Phone(world, world.alice)
    await alice.command("orders turn")
    said = await alice.choose("Throw")
    assert "It's your move, so if you save this I play it at once: throw." in said
    await alice.tap("Add a condition")
    await alice.choose("The heap")
    await alice.choose("At most")
    said = await alice.choose("3")
    assert "It's your turn, but the first line isn't possible now." in said
    await alice.tap("Save")
    assert (await world.services.session.table(1)).asked(Seat("seat_1")) is not None
    assert ("Your written turn stops here, and it's your move. Its next line was: throw. Its condition isn't met."
            in await alice.command("my move"))
    assert "written turn" not in await Phone(world, world.bob).command("my move")


# --- nobody else learns anything ------------------------------------------------------------------------------------------

async def test_games_that_differ_in_orders_alone_look_the_same(tmp_path: Path) -> None:
    """Every message, as everybody sees it: sealed answers by order, and by hand at the same moment."""
    seen = []
    for ordered in (True, False):
        folder = tmp_path / str(ordered)
        folder.mkdir()
        async with World.at(folder / "games.db") as world:
            await world.started()
            before = len(world.posts())
            if ordered:
                phone = Phone(world, world.bob)
                await phone.command("orders add", question="DP-T1")
                await phone.choose("Guess …")
                await phone.choose("4")
                await phone.tap("Save")
            else:
                await world.bob.slash(world.table, "pebbles guess", pebbles=4)
            middle = world.posts(), [labels(message) for message in world.table.history()]
            await world.alice.slash(world.table, "pebbles guess", pebbles=2)
            status = words(await world.carol.slash(world.table, "game status"))
            seen.append((middle, world.posts()[before:], [labels(message) for message in world.table.history()],
                         [words(await who.slash(world.table, "game history")) for who in (world.alice, world.carol)],
                         status.split("To move")[0], world.letters(world.alice)))
            world.check()
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("answer", "label"), [(Fight(), "Always fight at sea"), (Decline(), "Never fight at sea")])
def test_the_button_says_what_would_be_done_each_time(answer: Action, label: str) -> None:
    table = scene(units={A: {"navy": {"africa": 1}}, B: {"navy": {"africa": 1}}})
    table.say(A, Attack(area="africa", target=B))
    (offered,) = always(1, table.table, table.state.seat(B), answer)
    assert offered.item.label == label
