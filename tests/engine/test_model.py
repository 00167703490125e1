"""States, facts and answers: what pydantic checks of them, and that reading them stays plain."""
from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import Field, ValidationError

from engine.catalog import GAMES
from engine.kernel import Action, Event
from engine.kernel.state import Stateful


class Basket(Stateful):
    apples: list[str] = []
    pears: dict[str, int] = Field(default={"green": 1}, exclude_if=lambda pears: not pears)
    owner: str = "nobody"


class Picked(Event):
    apple: str
    ripe: bool = True


class Pick(Action):
    verb: ClassVar[str] = "pick"
    apple: str = Field(description="Which apple?")
    number: int = Field(default=1, ge=1)


class Shelf(Stateful):
    baskets: dict[str, list[Basket]] = {}
    last: tuple[Picked, Pick]


def test_python_finds_their_fields_by_itself():
    kinds = [kind for spec in GAMES for kind in (spec.rules.state, *spec.rules.actions, *spec.rules.named_events.values())]
    assert len(kinds) > 200 and not [kind.__name__ for kind in kinds if hasattr(kind, "__getattr__")]


def test_what_is_given_is_checked_and_what_a_field_begins_with_is_its_own():
    one, other = Basket(), Basket.model_validate_json('{"apples": ["red"], "rotten": 1}')
    one.apples.append("green")
    one.pears["green"] = 2
    assert Basket() == Basket(apples=[], pears={"green": 1}) and other.apples == ["red"]
    assert one.copied() == one and one.copied().apples is not one.apples
    for wrong in ({"apples": 1}, {"owner": None}):
        with pytest.raises(ValidationError):
            Basket(**wrong)
    assert one.model_dump() == {"apples": ["green"], "pears": {"green": 2}, "owner": "nobody"}
    assert one.model_copy(update={"pears": {}}).model_dump_json() == '{"apples":["green"],"owner":"nobody"}'
    deep = one.model_copy(deep=True)
    deep.apples.append("blue")
    assert one.apples == ["green"]


def test_a_deep_copy_has_whatever_changes_to_itself_and_shares_what_never_does():
    fact, answer = Picked(apple="red"), Pick(apple="red")
    one = Shelf(baskets={"left": [Basket(pears={"green": 2})]}, last=(fact, answer))
    deep = one.model_copy(deep=True)
    assert deep == one and all(mine is its for mine, its in zip(deep.last, one.last, strict=True))
    deep.baskets["left"][0].pears["green"] = 3
    deep.baskets["right"] = []
    assert one.model_dump()["baskets"] == {"left": [Basket(pears={"green": 2}).model_dump()]}


def test_facts_and_answers_never_change_and_are_equal_if_their_fields_are():
    fact, answer = Picked(apple="red"), Pick(apple="red")
    for thing, field in ((fact, "apple"), (answer, "number")):
        with pytest.raises(AttributeError):
            setattr(thing, field, "green")
        with pytest.raises(AttributeError):
            delattr(thing, field)
    assert {fact, Picked(apple="red"), Picked(apple="green")} == {Picked(apple="green"), fact} and fact != answer
    assert {answer, Pick.of("red", 1), Pick.listed("red", 1)} == {answer}
    assert dict(answer) == {"apple": "red", "number": 1}
    with pytest.raises(TypeError):
        hash(Basket())


@pytest.mark.parametrize("fields", [{}, {"apple": "red", "number": 0}, {"apple": "red", "pear": "green"}])
def test_an_answer_has_its_fields_and_no_other(fields):
    with pytest.raises(ValidationError):
        Pick.model_validate(fields)
    with pytest.raises(ValidationError):
        Pick(**fields)
