"""The rows of a panel of Attack!: lists and buttons share five."""
from __future__ import annotations

import discord
import pytest

from bot.discord.components import button
from bot.discord.game.action_menu import screen
from bot.discord.game.buttons import MENU
from engine.text import text
from tests.games.attack.scene import scene


@pytest.mark.parametrize("newest", [None, 1], ids=["nothing to undo", "a move to undo"])
def test_an_undo_button_costs_a_turn_none_of_its_lists(newest: int | None) -> None:
    made = scene(land={"france": ("red", "3I 2T 1A"), "iberia": ("red", "2I"), "italy": ("blue", "2I")},
                 capitals={"france": "red", "italy": "blue"}, hands={"red": ("oil_3",), "blue": ("oil_2",)})
    more = [button(text("Orders"), MENU, 1, made.state.seat("red"), number, "", 0) for number in range(2)]
    shown = screen(made.table, 1, made.state.seat("red"), newest=newest, more=more).view
    assert shown is not None
    assert [row["components"][0]["type"] for row in shown.to_components()].count(discord.ComponentType.string_select.value) == 3
