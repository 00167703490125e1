"""The rows of a panel of Attack!: lists and buttons share five."""
from __future__ import annotations

import discord
import pytest

from bot.discord.components import button
from bot.discord.game.action_menu import impossible, screen
from bot.discord.game.buttons import MENU
from bot.discord.game.extras import SHOWN
from bot.discord.game.menu_path import token
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin
from engine.text import text
from tests.bot.menu_taps import controls
from tests.games.attack.scene import Scene, scene


def turn(**hands: tuple[str, ...]) -> Scene:
    """Red's turn, with these cards."""
    return scene(land={"france": ("red", "3I 2T 1A"), "iberia": ("red", "2I"), "italy": ("blue", "2I")},
                 capitals={"france": "red", "italy": "blue"}, hands=hands)


def coloured(made: Scene) -> list[str]:
    """The buttons of Red's panel that catch the eye."""
    shown = screen(made.table, 1, made.state.seat("red")).view
    assert shown is not None
    return [item["label"] for row in shown.to_components() for item in row["components"]
            if item["type"] == discord.ComponentType.button.value and item["style"] != discord.ButtonStyle.secondary.value]


def test_of_what_ends_or_drops_a_movement_only_its_confirmation_is_coloured() -> None:
    made = turn()
    made.say("red", Begin(action="movement"))
    assert coloured(made) == ["Confirm"]
    made.say("red", Move(unit="tank", origin="france", to="italy", number=2))
    assert coloured(made) == ["Confirm"]


def test_cards_for_a_card_are_listed_by_their_names_and_never_for_the_same_card() -> None:
    made = turn(red=("oil_3",), blue=("oil_2",))
    shown = screen(made.table, 1, made.state.seat("red"), ("offer", token(("oil_3",))))
    names = [control.label for control in controls(type("Message", (), {"components": shown.view.to_components()}))]
    assert "**Offer cards** · Blue · Oil 3" in shown.words
    assert {"Factories 1", "Oil 2", "Nothing: it's a gift"} < {*names} and "Oil 3" not in names
    assert not any("in exchange for" in name for name in names)


def test_whoever_lacks_the_card_that_is_asked_for_reads_so_and_nothing_of_offers_that_lapse() -> None:
    made = turn(red=("oil_3",), blue=("oil_2",))
    made.say("red", Offer(partner="blue", give=("oil_3",), take=("factories_1",)))
    shown, offering = (screen(made.table, 1, made.state.seat(power)) for power in ("blue", "red"))
    assert "Red offers you Oil 3 in exchange for Factories 1. You don't have Factories 1, so you can't accept." in shown.words
    assert "You don't have" not in offering.words
    assert shown.view is not None
    labels = [item.get("label", "") for row in shown.view.to_components() for item in row["components"]]
    assert "Decline" in labels and "Accept" not in labels
    blue = made.state.seat("blue")
    assert (question := made.table.question(blue)) is not None and impossible(made.table, blue, question) == []
    made = turn(red=("oil_3",), blue=("oil_2",))
    made.say("red", Offer(partner="blue", give=("oil_3",), take=("oil_2",)))
    assert "You don't have" not in screen(made.table, 1, made.state.seat("blue")).words


@pytest.mark.parametrize("number", [2, SHOWN])
def test_the_buttons_beside_a_turn_cost_it_none_of_its_lists(number: int) -> None:
    made = turn(red=("oil_3",), blue=("oil_2",))
    more = [button(text("Orders"), MENU, 1, made.state.seat("red"), one, "", 0) for one in range(number)]
    shown = screen(made.table, 1, made.state.seat("red"), more=more).view
    assert shown is not None
    assert [row["components"][0]["type"] for row in shown.to_components()].count(discord.ComponentType.string_select.value) == 3
