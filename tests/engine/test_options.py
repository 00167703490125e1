"""The options of a game in plain words: what differs from a preset, what contradicts, whose rules hold."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pytest
from pydantic import Field

from engine.catalog import GAMES
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.options import DELUXE
from engine.kernel.model import OptionGroup, later
from engine.options import (
    ALONE,
    BY_DECISION,
    BY_NUMBER,
    DICE,
    HINTS,
    OFF,
    PAIRS,
    PAUSE,
    changed,
    choice_of,
    chosen,
    differing,
    every,
    flat,
    offered,
    remedies,
    rulebooks,
    rules_of,
    settled,
    subjects,
    value_of,
    values_offered,
)
from engine.refusals import Faulty
from engine.text import say
from tests.toy import PEBBLES


def lights(edition: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Three lights; the second burns with the first alone, the third with the second alone."""
    on = {"one": False, "two": False, "three": False, **wanted}
    if on["two"] and not on["one"]:
        raise Faulty("Two needs one.")
    if on["three"] and not on["two"]:
        raise Faulty("Three needs two.")
    return on


LIGHTS = PEBBLES.changed(options=lights, choices={key: (False, True) for key in ("one", "two", "three")})


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_the_options_of_a_preset_are_those_that_can_be_chosen(spec):
    for edition in spec.editions:
        own = chosen(spec, edition.key, {})
        assert set(own) == set(offered(spec)) and all(own[key] in offered(spec)[key] for key in own)
        assert differing(spec, edition.key, {}) == [] and own == {
            **flat(spec.rules.options(edition.key, {})), DICE: BY_DECISION, HINTS: OFF,
            ALONE: PAUSE}


def test_what_differs_is_told_in_the_order_of_the_subjects():
    found = differing(GAME, "first", {"loss.army_first": True, "turn.pass_relief": 1, "help.auto_call": True})
    assert [(choice.key, value) for choice, value in found] == [("turn.pass_relief", 1), ("loss.army_first", True)]
    assert {choice.key for choice, _ in differing(GAME, "first", DELUXE)} == set(DELUXE)


def test_an_option_without_words_stands_in_a_group_of_its_own():
    group, dice = subjects(LIGHTS)
    assert [choice.key for choice in dice.choices] == [DICE]
    assert [choice.key for choice in group.choices] == ["one", "two", "three"]
    assert say(choice_of(LIGHTS, "two").sentence(True)) == "Two is True."
    worded = GAME.changed(choices={**GAME.rules.choices, "new.thing": (1, 2)})
    assert [choice.key for choice in subjects(worded)[-2].choices] == ["new.thing"]
    assert [choice for choice in every(worded) if choice.key != "new.thing"] == list(every(GAME))


def test_options_of_any_depth_are_named_by_the_way_to_them():
    assert flat({"a": 1, "b": {"c": True, "d": {"e": "x"}}}) == {"a": 1, "b.c": True, "b.d.e": "x"}


def test_an_option_that_is_left_out_of_what_is_stored_is_an_option_all_the_same() -> None:
    class Later(OptionGroup):
        usual: bool = True
        new: bool = later(default=False)

    assert Later().model_dump() == {"usual": True} and flat(Later()) == {"usual": True, "new": False}


class Lamp(OptionGroup):
    colour: Literal["red", "green"] = "green"
    bright: bool = False


class Room(OptionGroup):
    lamp: Lamp = Lamp()
    doors: int = Field(default=2, ge=1)


ROOMS: dict[str, dict[str, object]] = {"plain": {}, "festive": {"lamp.colour": "red", "doors": 3}}


def test_the_values_of_an_option_are_offered_the_usual_one_first():
    assert values_offered(Room(), "lamp.colour") == ("green", "red")
    assert values_offered(Room(), "lamp.bright") == (False, True)
    assert values_offered(Lamp(colour="red"), "colour") == ("red", "green")


@pytest.mark.parametrize("edition, wanted, options", [
    ("plain", {}, {"lamp.colour": "green", "lamp.bright": False, "doors": 2}),
    ("festive", {}, {"lamp.colour": "red", "lamp.bright": False, "doors": 3}),
    ("festive", {"lamp.bright": True, "doors": 1}, {"lamp.colour": "red", "lamp.bright": True, "doors": 1}),
])
def test_an_edition_is_a_preset_and_what_is_changed_counts_before_it(edition, wanted, options):
    assert flat(settled(Room, ROOMS, edition, wanted)) == options


@pytest.mark.parametrize("edition, wanted, why", [
    ("grand", {}, "There is no edition grand. Choose among: plain and festive."),
    ("plain", {"lamp": {"bright": True}}, "There is no option lamp."),
    ("plain", {"lamp.shade": 1}, "There is no option lamp.shade."),
    ("plain", {"doors": 0}, "The option doors can't be 0: Input should be greater than or equal to 1."),
    ("plain", {"lamp.colour": "blue"}, "The option lamp.colour can't be blue: Input should be 'red' or 'green'."),
])
def test_what_no_edition_can_have_is_refused(edition, wanted, why):
    with pytest.raises(Faulty) as refused:
        settled(Room, ROOMS, edition, wanted)
    assert str(refused.value) == why


def test_options_that_a_new_version_no_longer_bears_can_still_be_told():
    assert chosen(LIGHTS, "plain", {"two": True, "gone": 1}) == {"one": False, "two": True, "three": False, DICE: BY_DECISION}
    assert [choice.key for choice, _ in differing(LIGHTS, "plain", {"two": True})] == ["two"]


def test_every_game_has_the_option_of_its_dice_and_its_rules_know_nothing_of_it():
    for spec in (*GAMES, PEBBLES):
        edition = spec.editions[0].key
        assert [(choice.key, value) for choice, value in differing(spec, edition, {DICE: BY_NUMBER})] == [(DICE, BY_NUMBER)]
        assert rules_of(spec, edition, {DICE: BY_NUMBER}) == rules_of(spec, edition, {}) == spec.rules.options(edition, {})
        with pytest.raises(Faulty, match=r"The option dice\.by can't be luck. It can be: decision and number\."):
            rules_of(spec, edition, {DICE: "luck"})


def test_a_written_value_is_the_value_that_is_meant():
    assert value_of(GAME, "help.auto_call", "FALSE") is False
    assert value_of(GAME, "turn.pass_relief", "1") == 1
    assert value_of(GAME, "turn.pass_relief", "seven") == "seven", "the game refuses it"
    with pytest.raises(Faulty, match=r"There is no option no\.such\."):
        choice_of(GAME, "no.such")


def test_a_change_to_the_preset_is_no_change():
    assert changed({"one": True, "two": True}, {"two": None, "three": True}) == {"one": True, "three": True}


def test_a_contradiction_has_ways_out_of_one_or_two_further_changes():
    assert remedies(LIGHTS, "plain", {"two": True}, "two", 3) == [{"one": True}]
    assert remedies(LIGHTS, "plain", {"three": True}, "three", 3) == [{"two": True, "one": True}]
    assert remedies(LIGHTS, "plain", {"one": False, "two": True}, "one", 3) == [{"two": False}], "what was meant stays"


def test_ways_out_are_sought_among_so_many_pairs_and_no_further_than_needed():
    tried = list[object]()

    def counted(edition: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
        tried.append(wanted)
        if wanted.get("meant") and not (wanted.get("o0") and wanted.get("o1")):
            raise Faulty("It needs two others." if not wanted.get("o0") else "It needs one more.")
        return {**wanted}

    many = PEBBLES.changed(options=counted, choices={"meant": (False, True), **{f"o{n}": (False, True) for n in range(300)}})
    assert remedies(many, "plain", {"meant": True}, "meant", 1) == [{"o0": True, "o1": True}]
    assert len(tried) < 700, "it stops where it has found enough"
    del tried[:]
    hopeless = many.changed(options=lambda edition, wanted: counted(edition, {**wanted, "o1": False}))
    assert remedies(hopeless, "plain", {"meant": True}, "meant", 1) == [] and len(tried) <= 601 + PAIRS


def test_real_contradictions_have_ways_out():
    for key, values in GAME.rules.choices.items():
        for edition in GAME.editions:
            for value in values:
                try:
                    GAME.rules.options(edition.key, {key: value})
                except Faulty:
                    ways = remedies(GAME, edition.key, {key: value}, key, 3)
                    assert ways and all(GAME.rules.options(edition.key, {key: value, **way}) for way in ways)


def test_a_mixture_goes_by_the_rules_of_every_edition_from_which_it_takes_something():
    assert rulebooks(GAME, "first", {}) == ("first",)
    assert rulebooks(GAME, "deluxe_without_npp", {}) == ("deluxe",)
    assert rulebooks(GAME, "first", {"loss.army_first": True}) == ("first",), "a ruling belongs to both"
    assert rulebooks(GAME, "first", {"unrest.model": "bag"}) == ("first", "deluxe")
    assert rulebooks(GAME, "deluxe_without_npp", {"end.penalties": "seven_four"}) == ("deluxe", "first")
