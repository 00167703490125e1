"""Moves and crossings: who may go where, what waits at sea, and what the word of the controller changes."""
from __future__ import annotations

from typing import Any

import pytest

from bot.discord.game.action_commands import offered, understood
from bot.discord.game.action_menu import screen
from bot.discord.game.menu_path import Step, walk
from bot.discord.game.weighing import to_weigh
from bot.discord.orders.buttons import always
from bot.domain.announcements import Announced, after, reader_of
from engine.dice import LoadedDice
from engine.games.attack import GAME
from engine.games.attack.rules.combat import BattleBegun
from engine.games.attack.rules.crossings import EVERY, ON_MINE, CrossingAnswered, Permit
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.words.menus import MENUS
from engine.kernel import Row, Table, stored_events
from engine.orders import Orders, Test
from engine.refusals import Stale
from tests.games.attack.scene import Scene, scene
from tests.games.attack.test_orders import order

THREE = ("red", "blue", "green")
LAND = {"cuba": ("red", "4I 2T 2P"), "mexico": ("red", "3I"), "panama": ("blue", "1I"), "france": ("blue", "1I"),
        "italy": ("green", "1I")}


def moving(action: Any = "movement", **more: object) -> Scene:
    made = scene(**{"powers": THREE, "land": LAND, **more})         # type: ignore[arg-type]
    made.say("red", Begin(action=action))
    return made


def crossed(*moves: Move, **more: object) -> Scene:
    """Red has confirmed these orders; Green controls the sea lanes."""
    made = moving(**{"controller": "green", **more})
    made.say("red", *moves, Confirm())
    return made


def test_a_crossing_is_one_step_from_shore_to_shore_and_no_land_move_goes_with_it():
    """ATK-6.1.1, 6.1.2, 5.1.12: what has crossed is on its way, and what has moved by land does not cross."""
    made = moving(land={**LAND, "southern_us": ("red", "1I")})
    made.say("red", Move(unit="tank", origin="cuba", to="mexico", way="water"))
    assert made.land("mexico") == ("red", "3I") and [c.units for c in made.state.turn.crossings] == [{"tank": 1}]
    assert not made.allows("red", Move(unit="tank", origin="mexico", to="southern_us")), "it waits at sea"
    made.say("red", Move(unit="infantry", origin="mexico", to="southern_us"))
    assert not made.allows("red", Move(unit="infantry", origin="southern_us", to="morocco", way="water", number=2)), \
        "one may leave, the one that has not moved"
    assert made.allows("red", Move(unit="infantry", origin="southern_us", to="morocco", way="water"))


def test_one_choice_sends_all_planes_of_a_crossing_on_or_back():
    """ATK-6.2.8"""
    orders = (Move(unit="infantry", origin="cuba", to="panama", way="water"),
              Move(unit="plane", origin="cuba", to="panama", way="water"),
              Move(unit="plane", origin="cuba", to="panama", way="water", planes="on"))
    made = crossed(*orders, dice=["I -", "P P"])
    made.say("green", Permit(allow=False))
    (begun,) = made.events(BattleBegun)
    assert begun.territory == "panama" and made.land("cuba")[1].startswith("4I 2T") and "P" not in made.land("cuba")[1]


def test_land_moves_stand_whatever_the_controller_says():
    """ATK-6.2.11, 5.2.4: and nothing of what is confirmed can be called off."""
    made = crossed(Move(unit="infantry", origin="mexico", to="panama"),
                   Move(unit="infantry", origin="cuba", to="panama", way="water"), dice=["- -", "I -"])
    assert not made.allows("red", Drop()) and not made.allows("red", End())
    made.say("green", Permit(allow=False))
    assert made.land("panama") == ("red", "1I") and made.land("mexico") == ("red", "2I") and made.land("cuba") == LAND["cuba"]


def test_what_moved_moves_strategically_in_the_same_turn_and_nothing_is_fought():
    """ATK-11.1.6, 11.1.7"""
    made = moving(land={"mexico": ("red", "3I 1P"), "southern_us": ("red", "1I"), "france": ("blue", "1I"),
                        "italy": ("green", "1I")})
    made.say("red", Move(unit="infantry", origin="mexico", to="southern_us"), Confirm(), Begin(action="strategic_movement"))
    assert made.allows("red", Move(unit="infantry", origin="southern_us", to="mexico"))
    assert not made.allows("red", Move(unit="plane", origin="mexico", to="western_us")), "planes too need a chain of own land"


# --- several crossings are one question: ATK-6.2.12 -----------------------------------------------------------

CUBA_PANAMA, CUBA_MEXICO, MEXICO_PANAMA = "cuba_to_panama", "cuba_to_mexico", "mexico_to_panama"


def three_crossings(**more: object) -> Scene:
    """Two of them end on land of Green's, who controls the sea lanes."""
    return crossed(*(Move(unit="infantry", origin=origin, to=to, way="water")
                     for origin, to in (("cuba", "panama"), ("cuba", "mexico"), ("mexico", "panama"))),
                   **{"land": {**LAND, "panama": ("green", "1I")}, **more})


def answered(made: Scene) -> list[tuple[str, str, bool]]:
    return [(event.origin, event.to, event.allowed) for event in made.events(CrossingAnswered)]


def test_ATK_6_2_12_each_crossing_is_answered_by_itself_in_any_order_within_one_question():
    made = three_crossings()
    asked_at = made.table.asked_at
    made.say("green", Permit(allow=False, crossing=MEXICO_PANAMA))
    assert made.table.asked_at == asked_at and made.asked() == [("green", "D-06")], "the same question, with the same time"
    assert Permit(allow=True, crossing=MEXICO_PANAMA) not in made.options("green"), "what is refused is not asked for again"
    made.say("green", Permit(allow=True, crossing=CUBA_MEXICO))
    made.say("green", Permit(allow=False, crossing=CUBA_PANAMA))
    assert answered(made) == [("mexico", "panama", False), ("cuba", "mexico", True), ("cuba", "panama", False)]
    assert made.asked() == [("red", "D-04")] and made.table.asked_at > asked_at


@pytest.mark.parametrize(("answer", "allowed"), [
    (Permit(allow=True, crossing=EVERY), (True, True, True)), (Permit(allow=False, crossing=EVERY), (False, False, False)),
    (Permit(allow=False, crossing=ON_MINE), (False, True, False))])
def test_ATK_6_2_12_one_answer_can_speak_of_every_crossing(answer, allowed):
    made = three_crossings(dice=["- -", "I I"] * 2)
    made.say("green", answer)
    assert [told[2] for told in answered(made)] == [*allowed] and made.asked()[0][0] == "red"


def test_ATK_6_2_12_one_silence_answers_all_that_is_left():
    made = three_crossings()
    made.say("green", Permit(allow=False, crossing=CUBA_MEXICO))
    rows = len(made.table.fresh)
    made.table.answer(made.state.seat("green"), made.default("green"), by="clock")
    assert len(made.table.fresh) == rows + 1 and made.asked() == [("red", "D-04")]
    assert [told[2] for told in answered(made)] == [False, False, False], "both that are left end on land of Green's"


def test_ATK_6_2_12_a_button_that_is_pressed_twice_answers_one_crossing():
    made, green = three_crossings(), Permit(allow=False, crossing=CUBA_PANAMA)
    made.say("green", green)
    assert made.refusal("green", green).rule == "ATK-6.2.12"
    assert len(answered(made)) == 1


def test_ATK_6_2_12_in_a_file_of_earlier_rules_one_answer_for_all_was_legal_and_a_second_one_for_a_crossing_never_was():
    made, green = three_crossings(), Permit(allow=False, crossing=CUBA_PANAMA)
    seat = made.state.seat("green")
    assert Permit(allow=True).was_legal(made.state, seat)
    made.say("green", green)
    assert not green.was_legal(made.state, seat)


def test_ATK_6_2_12_in_absence_all_crossings_get_what_is_usual():
    made = three_crossings()
    made.table.absent = {made.state.seat("green")}
    made.table.go_on()
    made.replay()
    assert [told[2] for told in answered(made)] == [False, True, False]


@pytest.mark.parametrize(("lines", "told", "asked"), [
    ([("refuse", {}, (Test(fact="to", value="mexico"),)), ("", {}, ())], [("cuba", "mexico", False)], "green"),
    ([("allow", {}, (Test(fact="origin", value="mexico"),)), ("refuse", {}, (Test(fact="to", value="mexico"),))],
     [("cuba", "mexico", False), ("mexico", "panama", True)], "green"),
    ([("refuse", {}, (Test(fact="on_me", value=True),)), ("allow", {}, ())],
     [("cuba", "panama", False), ("cuba", "mexico", True), ("mexico", "panama", False)], "red")])
def test_ATK_6_2_12_orders_answer_each_crossing_by_itself_and_leave_the_others_to_their_author(lines, told, asked):
    made = three_crossings(orders=(order(3, "D-06", *lines, id=1),))
    assert answered(made) == told and made.asked()[0][0] == asked


def test_ATK_6_2_12_an_answer_by_order_that_was_held_back_answers_all_crossings_at_once():
    made = three_crossings()
    made.table.deputy = Orders(GAME, [order(3, "D-06", ("refuse", {}, (Test(fact="origin", value="cuba"),)), id=1)])
    assert made.table.answer_by_order(made.state.seat("green"))
    assert answered(made) == [("cuba", "panama", False), ("cuba", "mexico", False)] and made.asked() == [("green", "D-06")]


def earlier(made: Scene, *allowed: bool) -> list[Row]:
    """The rows of a game in which each crossing was a question of its own, so far."""
    rows = [entry.row() for entry in made.table.fresh]
    for allow, crossing in zip(allowed, made.state.turn.crossings):
        event = CrossingAnswered(controller="green", origin=crossing.origin, to=crossing.to, allowed=allow)
        rows.append(Row(rows[-1].no + 1, made.state.seat("green"), "player", "permit", f'{{"allow":{str(allow).lower()}}}',
                        stored_events([event])))
    return rows


def test_rows_of_the_question_about_one_crossing_after_the_other_replay_and_verify():
    made = three_crossings()
    again = Table(GAME, made.parts, made.start, earlier(made, False, True), dice=LoadedDice(), strict=True, run_on=False)
    assert [crossing.allowed for crossing in again.state.turn.crossings] == [False, True, None]
    assert again.options(made.state.seat("green")) == (Permit(allow=True, crossing=MEXICO_PANAMA),
                                                       Permit(allow=False, crossing=MEXICO_PANAMA))


async def test_ATK_6_2_12_all_crossings_are_in_one_message_and_answered_by_taps_or_by_a_command():
    made = three_crossings()
    table, seat = made.table, made.state.seat("green")
    (letter,) = [letter for letter in after(table, table.take()[0], (), Announced(), reader_of(table), listeners={}).letters
                 if letter.kind == "question"]
    assert letter.payload["text"] == ("Red wants to cross: 1 infantry from Cuba to Panama; 1 infantry from Cuba to Mexico; "
                                      "1 infantry from Mexico to Panama. Which do you allow?")
    assert [label for label, _ in letter.payload["buttons"]] == [
        "Allow Cuba to Panama", "Refuse Cuba to Panama", "Allow Cuba to Mexico", "Refuse Cuba to Mexico",
        "Allow Mexico to Panama", "Refuse Mexico to Panama", "Allow every crossing", "Refuse every crossing",
        "Refuse what ends on your territories, allow the rest"]
    assert [choice.name for choice in offered(table, seat, Permit, "crossing", {"allow": False}, "mexico")] == [
        "Cuba to Mexico", "Mexico to Panama"]
    assert [choice.name for choice in offered(table, seat, Permit, "crossing", {"allow": False}, "mine")] == [
        "What ends on your territories (the rest may cross)"]
    assert understood(table, seat, Permit, {"allow": False, "crossing": "cuba to mexico"}) == Permit(
        allow=False, crossing=CUBA_MEXICO)
    assert await to_weigh(table, 1, seat, Permit(allow=False, crossing=CUBA_MEXICO), tapped=True) is None
    table.answer(seat, Permit(allow=False, crossing=CUBA_MEXICO))
    news = after(table, table.take()[0], (), Announced(asked={seat: table.asked_at}), reader_of(table), listeners={}, actor=seat)
    assert not [letter for letter in news.letters if letter.kind == "question"], "nobody is called twice for one question"
    assert "1 infantry from Cuba to Panama; 1 infantry from Mexico to Panama" in screen(table, 1, seat).words


async def test_many_crossings_are_all_in_the_menu_and_cost_as_much_as_there_are():
    goals = ("panama", "mexico", "colombia", "venezuela", "guiana")
    made = crossed(*(Move(unit="infantry", origin="cuba", to=to, way="water") for to in goals),
                   land={**LAND, "cuba": ("red", "9I"), "panama": ("green", "1I")})
    seat = made.state.seat("green")
    assert len(made.options("green")) == 2 * len(goals) + 3
    step = walk(MENUS, made.options("green"), ("permit",))
    assert isinstance(step, Step) and step.field == "allow"
    (refuse,) = [token for token, value in step.values.items() if value is False]
    last = walk(MENUS, made.options("green"), ("permit", refuse))
    assert isinstance(last, Step) and [*last.values.values()] == [*(f"cuba_to_{goal}" for goal in goals), EVERY, ON_MINE]
    with pytest.raises(Stale):
        walk(MENUS, made.options("green"), ("permit", "never"))
    assert not list(always(1, made.table, seat, Permit(allow=False, crossing=ON_MINE))), "no order says just that"
