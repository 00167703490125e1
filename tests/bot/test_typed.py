"""What people type into the commands of the games: the examples of the help, the words of a suggestion, lists in any order."""
from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bot.discord.errors import explain
from bot.discord.game.action_commands import offered, understood
from bot.discord.game.menu_words import spoken
from bot.domain.announcements import reader_of
from engine.catalog import GAMES, find
from engine.components import components
from engine.dice import SecretDice
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin
from engine.kernel import Action, GameSpec, Seat, Table, choices
from engine.refusals import Refusal
from engine.selfplay import beginning, play_on
from engine.text.languages import PREPARED, speaking
from tests.games.attack.scene import Scene, scene

RED, BLUE = Seat("seat_1"), Seat("seat_2")
OFTEN = 12          # times that each kind of answer is typed
EXAMPLE = re.compile(r"such as:? (?P<words>[^)]+)", re.IGNORECASE)
APART = {"mexico": ("red", "1I"), "france": ("blue", "1I")}


def trading(**more: Any) -> Scene:
    return scene(land=APART, hands={"red": ("oil_1", "oil_2", "oil_3", "minerals_1"), "blue": ("minerals_3", "oil_1")}, **more)


def at_sea(*, red: str = "1B 1D 1C", blue: str = "1B 1D") -> Scene:
    """A naval battle at which both sides are asked for their lines."""
    made = scene(land=APART, controller="blue", fleets={"red": red, "blue": blue})
    made.say("red", Begin(action="naval_battle"))
    made.say("blue", made.options("blue")[0])
    return made


def typed(table: Table, seat: Seat, kind: type[Action], /, **words: Any) -> Action:
    """The action that these words mean; it is legal."""
    action = understood(table, seat, kind, words)
    table.examine(seat, action)
    return action


def refused(table: Table, seat: Seat, kind: type[Action], /, **words: Any) -> str:
    """What is said to whoever types this."""
    with pytest.raises(Refusal) as why:
        typed(table, seat, kind, **words)
    return explain(why.value, reader_of(table))


# --- several names in one field ---------------------------------------------------------------------------------

@pytest.mark.parametrize(("give", "take"), [
    ("oil 1, oil 2", "minerals 3, oil 1"), ("Oil 1,Oil 2", "Minerals 3 and Oil 1"), (" oil_1 , OIL 2 ", "minerals_3,oil_1")])
def test_ATK_17_1_1_a_deal_of_several_cards_is_typed_by_the_names_that_the_help_gives(give: str, take: str) -> None:
    action = typed(trading().table, RED, Offer, partner="Blue", give=give, take=take)
    assert action == Offer.of("blue", ("oil_1", "oil_2"), ("minerals_3", "oil_1"))


@pytest.mark.parametrize("nothing", ["none", "nothing", " Nothing "])
def test_ATK_17_1_4_a_gift_is_typed_as_the_label_says_it(nothing: str) -> None:
    assert typed(trading().table, RED, Offer, partner="blue", give="oil 1, oil 2", take=nothing) == Offer.of(
        "blue", ("oil_1", "oil_2"), ())


@pytest.mark.parametrize(("words", "said"), [
    ({"give": "oil 1, oil 4"}, "You don't have Oil 4. (ATK-17.1.1)"),
    ({"give": "oil 1, coal"}, "There is no card coal. Name a type and a number, such as oil 3. (ATK-17.1.1)"),
    ({"give": "oil 1, oil 2", "take": "oil 1, oil 2, oil 3"}, "Blue has only 2 cards. (ATK-17.1.1)")])
def test_a_refusal_of_a_deal_names_what_was_typed_and_blames_no_field_that_fits(words: dict[str, str], said: str) -> None:
    assert refused(trading().table, RED, Offer, partner="blue", **words) == said


def test_cards_after_the_first_are_suggested_as_long_as_the_deal_can_be_made() -> None:
    table = trading().table
    names = [choice.name for choice in offered(table, RED, Offer, "give", {"partner": "blue"}, "oil 1, ")]
    assert names == ["Oil 1, Minerals 1", "Oil 1, Oil 2", "Oil 1, Oil 3"]
    assert [choice.value for choice in offered(table, RED, Offer, "give", {"partner": "blue"}, "Oil 1, oil 2, m")] == [
        "oil_1,oil_2,minerals_1"]
    assert len(offered(table, RED, Offer, "take", {"partner": "blue"}, "oil 1, ")) == len(table.state.parts.kinds_of_cards)
    assert offered(table, RED, Offer, "take", {"partner": "blue"}, "oil 1, oil 1, ") == [], "Blue has two cards"


@pytest.mark.parametrize(("code", "give"), [
    ("de", "Öl 1 und Öl 2"), ("ru", "Нефть 1 и нефть 2"), ("he", "נפט 1, נפט 2"), ("de", "Oil 1 and oil 2"),
    ("he", "oil 1, נפט 2")])
def test_things_are_typed_by_their_names_in_the_language_that_is_read_or_in_english(code: str, give: str) -> None:
    with speaking(PREPARED[code]):
        assert typed(trading().table, RED, Offer, partner="Blue", give=give) == Offer.of("blue", ("oil_1", "oil_2"), ())
        assert [choice.value for choice in offered(trading().table, RED, Offer, "partner", {}, "Blue")] == ["blue"]


# --- the examples of the help -------------------------------------------------------------------------------------

def examples() -> list[tuple[str, str, str]]:
    """(verb, field, words) of each example in the help of a field of both games."""
    return [(kind.verb, name, found["words"]) for spec in GAMES for kind in (*spec.rules.actions, *spec.rules.asides)
            for name, field in kind.model_fields.items() if (found := EXAMPLE.search(field.description or ""))]


WHERE = {**{("offer", name): (trading, {"partner": "blue"}) for name in ("give", "take")}, ("line", "ships"): (at_sea, {})}
"""Where the words of an example can be typed, with what is typed beside them."""


@pytest.mark.parametrize(("verb", "field", "words"), examples())
def test_every_example_of_the_help_can_be_typed(verb: str, field: str, words: str) -> None:
    position, beside = WHERE[verb, field]
    made = position()
    kind = made.game.verb(verb)
    assert kind is not None
    action = typed(made.table, RED, kind, **{field: words}, **beside)
    assert len(getattr(action, field)) == len(words.split(","))


def test_the_example_of_a_refusal_can_be_typed() -> None:
    told = refused(trading().table, RED, Offer, partner="blue", give="coal")
    found = re.search(r"such as (?P<words>[^;.]+)\.", told)
    assert found is not None
    assert typed(trading().table, RED, Offer, partner="blue", give=found["words"]) == Offer.of("blue", ("oil_3",), ())


# --- suggestions ------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("spec", "edition"), [("attack", "message"), ("struggle_of_empires", "deluxe")])
def test_every_suggestion_can_be_typed_as_it_reads_and_as_it_is_carried(spec: str, edition: str) -> None:
    """Field by field, one suggestion after the other leads to a legal answer; lists also in another order."""
    pick, times = random.Random(7), Counter[type[Action]]()
    for table in played(find(spec), edition, pick):
        for question in table.waiting():
            for kind in {type(option) for option in table.options(question.seat)}:
                if times[kind] < OFTEN and kind.model_fields:
                    suggested(table, question.seat, kind, pick)
                    times[kind] += 1
    assert len(times) >= 10, "random games ask for most of what there is"


def played(spec: GameSpec, edition: str, pick: random.Random) -> Iterator[Table]:
    """A random game, looked at before every answer."""
    parts = components(spec, edition).parts
    table = Table(spec, parts, beginning(spec, 4, edition, parts), dice=SecretDice("5e" * 32), checkpoints=False)
    for _ in play_on(table, pick.randrange):
        yield table


def suggested(table: Table, seat: Seat, kind: type[Action], pick: random.Random) -> None:
    """Fill in the fields of a command by suggestions; what comes of it is legal, and its lists need no certain order."""
    read, carried = dict[str, Any](), dict[str, Any]()
    for name, field in kind.model_fields.items():
        if field.annotation is bool:                    # a switch, for which nothing is suggested
            fitting = choices([option for option in table.options(seat) if type(option) is kind], name, carried)
            read[name] = carried[name] = pick.choice(fitting)
        elif found := offered(table, seat, kind, name, carried, ""):
            choice = pick.choice(found)
            read[name] = choice.value if field.annotation is int else choice.name.split(" … and ")[0]
            carried[name] = choice.value
    action = typed(table, seat, kind, **carried)
    assert typed(table, seat, kind, **read) == action, read
    if not kind.open_ended:
        reader = reader_of(table)
        turned = {name: ", ".join(spoken(item, reader) for item in reversed(value)) or "none"
                  for name, value in action if isinstance(value, tuple)}
        assert typed(table, seat, kind, **{**carried, **turned}) == action, turned
