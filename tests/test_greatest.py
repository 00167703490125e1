"""The greatest positions that the rules allow: a question lists a bounded number of answers, and what it leaves out is legal.

Work is counted, in answers and in calls of Python; how many seconds that takes is for the bench.
"""
from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from bot.discord.game.action_commands import offered, understood
from bot.discord.game.action_menu import screen
from bot.discord.game.menu_path import Step, amount_field, token, walk
from engine.components import components
from engine.games.attack import GAME
from engine.games.attack.components import SHIPS as SHIPS_OF_ALL_TYPES, UNITS
from engine.games.attack.rules import movement
from engine.games.attack.rules.battle import Bring
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.words.menus import MENUS
from engine.games.struggle_of_empires.actions.gifts import Give
from engine.kernel import Action, Seat, Table, leaves_out
from engine.kernel.order import UP_TO
from engine.orders import Order, OrderLine, Reply
from engine.refusals import Illegal, Refusal
from tests.games.attack.scene import FAIR, Scene, scene
from tests.position import Position
from tests.scene import scene as empires

RED = Seat("seat_1")
ANSWERS = 21_000            # that a question lists at most; they are made in less than a tenth of a second
VALIDATED = 2_500           # answers among them that are built with all of pydantic's checks, which take five times as long
CALLS = 120_000             # of Python functions while they are listed, and while their menu is shown
LANDS = [land.id for land in components(GAME, "base").parts.territories]
SHIPS = "900B 900D 900S 900C"
ALL = "400I 400T 400A 400P"


def owning(number: int, units: str = ALL, **more: Any) -> Scene:
    """Red owns so many territories with the same army in each, and Blue the others."""
    land = {id: ("red", units) if place < number else ("blue", units) for place, id in enumerate(LANDS)}
    return scene(**{"land": land, "fleets": {"red": SHIPS, "blue": SHIPS}, "dice": FAIR, **more})


def acting(action: Any, number: int = 51, **more: Any) -> Scene:
    made = owning(number, **more)
    made.table.answer(RED, Begin(action=action))
    return made


def fighting(round: int) -> Scene:
    """Red brings hundreds of units of each type into a battle of so many rounds; in round 0 it lines up."""
    made = owning(51)
    made.table.answer(RED, Begin(action="movement"))
    for unit in UNITS:
        made.table.answer(RED, Move(unit=unit, origin="iraq", to=LANDS[-1], number=399))
    made.table.answer(RED, Confirm())
    assert made.asked() == [("red", "D-09")] and made.state.battle is not None
    if round:
        battle = made.state.battle
        battle.round, battle.half, battle.attacker.fighting = round, "attacker", {"infantry": 1}
        made.table._options.clear()
    return made


def rich() -> Scene:
    """A data pack in which everything costs one point, and five capitals bring thousands of points."""
    made = owning(51, capitals=dict.fromkeys(LANDS[:5], "red"), pack={
        "parameters": [{"id": "capital_bonus_pp", "value": 1000}],
        "units": [{"id": unit, "cost_pp": 1} for unit in UNITS],
        "ships": [{"id": ship, "cost_pp": 1} for ship in SHIPS_OF_ALL_TYPES]})
    made.table.answer(RED, Begin(action="production"))
    return made


def placing() -> Scene:
    made = rich()
    for unit in UNITS:
        made.table.answer(RED, Buy(kind=unit, number=1000))
    made.table.answer(RED, Confirm())
    return made


def trading() -> Scene:
    """Six players with all cards among them."""
    colours = ("red", "blue", "green", "brown", "tan", "gray")
    cards = [card.id for card in components(GAME, "base").parts.cards]
    return scene(powers=colours, land={id: (colours[place % 6], "9I") for place, id in enumerate(LANDS)},
                 hands={colour: cards[place::6] for place, colour in enumerate(colours)})


def at_sea() -> Scene:
    made = owning(51, controller="blue")
    made.table.answer(RED, Begin(action="naval_battle"))
    made.table.answer(Seat("seat_2"), Fight(on=True))
    return made


def at_war() -> Position[Any]:
    """Seven powers with units and markers everywhere; the first is rich, and has all tiles."""
    powers = ("austria", "britain", "france", "prussia", "russia", "spain", "united_provinces")
    parts = components(empires().game, "first").parts
    units = {power: {"army": dict.fromkeys((*parts.area, power), 9), "navy": dict.fromkeys((*parts.seas, power), 9),
                     "fort": dict.fromkeys((*parts.area, power), 1)} for power in powers}
    return empires(powers=powers, rows=(powers[:1], powers[1:]), active="austria", units=units, gold=100_000, population=50,
                   markers={power: dict.fromkeys(parts.area, 2) for power in powers},
                   tiles={"austria": dict.fromkeys(parts.tile, 1)})


GREATEST: dict[str, Callable[[], Position[Any]]] = {
    "strategic movement": lambda: acting("strategic_movement"), "movement": lambda: acting("movement"),
    "half of the board": lambda: acting("strategic_movement", 26), "blitz": lambda: acting("blitz", taken=("movement",)),
    "line-up": lambda: fighting(0), "round 12": lambda: fighting(12), "round 300": lambda: fighting(300),
    "purchases": rich, "placements": placing, "deals": trading, "line of ships": at_sea, "war": at_war,
}


def calls(deed: Callable[[], object], builtin: str = "") -> int:
    """How many functions of Python a deed calls, or how often the builtin function of this name."""
    number = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal number
        number += event == "c_call" and getattr(argument, "__name__", "") == builtin if builtin else event == "call"

    sys.setprofile(count)
    try:
        deed()
    finally:
        sys.setprofile(None)
    return number


@pytest.mark.parametrize("name", GREATEST)
def test_a_question_lists_so_many_answers_at_most_and_all_are_legal(name: str) -> None:
    table = GREATEST[name]().table
    options = table.options(RED)
    assert 1 < len(options) <= ANSWERS
    assert len(set(options)) == len(options)
    for option in options[::max(1, len(options) // 50)]:
        option.check(table.state, RED)
    for kind in table.spec.rules.asides:
        assert len(list(kind.options(table.state, RED))) <= ANSWERS


@pytest.mark.parametrize("name", GREATEST)
async def test_listing_and_showing_a_question_takes_so_many_calls_at_most(name: str) -> None:
    table = GREATEST[name]().table
    question = table.asked(RED)
    assert question is not None

    def listed() -> list[list[Action]]:
        return [list(kind.options(table.state, RED)) for kind in question.accepts]

    movement._moves.cache_clear()
    assert calls(listed) <= CALLS
    movement._moves.cache_clear()
    assert calls(listed, "validate_python") <= VALIDATED
    verb, _ = Counter(option.verb for option in table.options(RED)).most_common(1)[0]
    path: tuple[str, ...] = (verb,)
    while isinstance(step := walk(MENUS, table.options(RED), path), Step):
        assert calls(partial(screen, table, 1, RED, path)) <= CALLS, step.path
        path = (*step.path, list(step.values)[-1])


def test_an_answer_that_is_listed_unchecked_is_the_same_as_a_checked_one() -> None:
    listed, checked = Move.listed("tank", "alaska", "ontario", 137, "land", "ask"), move(137)
    assert listed == checked and hash(listed) == hash(checked) and repr(listed) == repr(checked)
    assert listed.model_dump_json() == checked.model_dump_json() and listed.label() == checked.label()
    assert listed.model_copy(update={"number": 138}) == move(138)


# --- what a list leaves out ------------------------------------------------------------------------------------

ORDER = {"origin": "alaska", "to": "ontario", "unit": "tank"}


def move(number: int) -> Move:
    return Move(unit="tank", origin="alaska", to="ontario", number=number)


def test_ATK_5_1_1_a_number_that_is_not_listed_is_legal_up_to_the_last_unit_but_one() -> None:
    made = acting("strategic_movement", 14, units="400T")
    assert move(137) not in made.options("red")
    assert made.allows("red", move(137)) and made.allows("red", move(399))
    assert made.refusal("red", move(400)).rule == "ATK-4.1.7"
    made.say("red", move(137))
    assert (made.land("alaska"), made.land("ontario")) == (("red", "263T"), ("red", "537T"))


def test_a_number_that_is_not_listed_is_typed_suggested_and_tapped() -> None:
    table = acting("strategic_movement", 14).table
    assert understood(table, RED, Move, {**ORDER, "number": 137}) == move(137)
    assert [choice.value for choice in offered(table, RED, Move, "number", ORDER, "137")] == [137]
    assert offered(table, RED, Move, "number", ORDER, "401") == []
    with pytest.raises(Illegal, match="You have only 400 tanks"):
        understood(table, RED, Move, {**ORDER, "number": 401})
    step = way(table, "move", *ORDER.values())
    assert isinstance(step, Step) and step.field == "number" == amount_field(step, Move)
    assert walk(MENUS, table.options(RED), (*step.path, "=137")) == move(137)


async def test_another_amount_can_be_typed_where_numbers_are_left_out_and_only_there() -> None:
    for units, asked in ((ALL, True), ("3I 3T", False)):
        table = acting("strategic_movement", 14, units=units).table
        step = way(table, "move", *ORDER.values())
        assert isinstance(step, Step)
        shown = screen(table, 1, RED, step.path)
        assert shown.view is not None
        assert ("Move: another amount" in str(shown.view.to_components())) == asked == leaves_out(table.options(RED))


def way(table: Table, *chosen: str) -> Step | Action:
    """Where a menu has come after these choices."""
    verb, *values = chosen
    return walk(MENUS, table.options(RED), (verb, *map(token, values)))


@pytest.mark.parametrize(("wish", "number"), [(137, 137), (f"{UP_TO}137", 137), (f"{UP_TO}2", 2), ("most", 399), ("least", 1)])
def test_an_order_moves_as_many_as_it_says_whether_they_are_listed_or_not(wish: Any, number: int) -> None:
    line = OrderLine(then=Reply(verb="move", fields={**ORDER, "way": "land", "number": wish, "planes": "ask"}))
    order = Order(id=1, seat=RED, points=("D-05",), lines=(line,), times=1)
    made = owning(14, "400T", orders=[order])
    made.table.answer(RED, Begin(action="strategic_movement"))
    assert made.land("ontario") == ("red", f"{400 + number}T")


def test_of_a_late_reinforcement_any_number_may_come() -> None:
    made = fighting(300)
    assert leaves_out(made.options("red")) and len(made.options("red")) < 1000
    for units, legal in ((Bring(infantry=101, tank=57, artillery=33, plane=11), True), (Bring(infantry=300, tank=3), False)):
        try:
            made.table.examine(RED, units)
        except Refusal:
            assert not legal
        else:
            assert legal and units not in made.options("red")


def test_purchases_placements_and_gifts_that_are_not_listed_are_legal() -> None:
    rich().say("red", Buy(kind="tank", number=1234))
    made = placing()
    made.say("red", Deploy(unit="tank", territory="alaska", number=777))
    war = at_war()
    assert Give(to="britain", gold=4321) not in list(Give.options(war.state, RED))
    war.table.examine(RED, Give(to="britain", gold=4321))
    assert war.refusal("austria", Give(to="britain", gold=1_000_000_000)).rule == "SOE-16.1.4"


def test_ATK_21_1_a_single_placement_is_not_asked() -> None:
    """A list that could leave numbers out, and names one answer, leaves none out."""
    made = scene(land={"mexico": ("red", "1I"), "france": ("blue", "1I")}, capitals={"mexico": "red"})
    made.say("red", Begin(action="production"), Buy(kind="infantry", number=1), Confirm())
    assert made.land("mexico") == ("red", "2I") and made.asked() == [("red", "D-04")]
