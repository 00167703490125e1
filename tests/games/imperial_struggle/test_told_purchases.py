"""How purchases are told: what was bought, for how much and why, in one sentence; before it whatever made it cheaper."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.games.imperial_struggle.actions.advantages import SendHome, UseAdvantage
from engine.games.imperial_struggle.actions.ministries import UseAbility
from engine.kernel import Action
from tests.games.imperial_struggle.purchases import build, buy_tile, clear, deploy, exchange, fort, market, politics
from tests.games.imperial_struggle.scene import FAIR, Scene, scene

DIPLOMAT: Mapping[str, Any] = {"active": "france", "tile": "4 DP / 2 MP"}
ADMIRAL: Mapping[str, Any] = {"active": "britain", "tile": "4 MP / 2 EP"}


def told(at: Scene, side: str, *answers: Action) -> list[str]:
    """What everybody reads of these answers."""
    before = len(at.lines())
    at.say(side, *answers)
    return at.lines()[before:]


def test_a_flag_is_told_with_its_price_and_what_it_brings():
    at = scene(**DIPLOMAT, flags={"mysore": ""})
    assert told(at, "france", politics("mysore")) == [
        "France flags Mysore for 2 DP and gains Power Struggle."]


def test_a_flag_that_is_taken_off_says_by_whom():
    at = scene(active="britain", tile="3 EP / 2 DP, event", conflict=["martinique"], flags={"antilles_channel": "france"})
    assert told(at, "britain", market("martinique")) == [
        "Britain takes France's flag off Martinique for 2 EP: base 1 by the conflict marker and plus 1, protected by the "
        "Antilles Channel (IS-6.3.2, 6.3.5)."]


@pytest.mark.parametrize(("debt", "trp", "credit"), [(1, 0, "1 from debt"), (0, 1, "1 from TRP")])
def test_debt_and_treaty_points_are_told_with_what_they_buy(debt, trp, credit):
    at = scene(**DIPLOMAT, own={"france": {"trp": 1}}, flags={"mysore": "", "savoy": "", "nizam": ""})
    at.say("france", politics("savoy"))
    assert told(at, "france", politics("mysore", debt=debt, trp=trp))[0] == (
        f"France flags Mysore for 3 DP ({credit}): base 2 and plus 1 for another region (IS-7.2.1, 5.8.1).")


def test_debt_and_treaty_points_together_and_debt_that_is_free():
    at = scene(**DIPLOMAT, own={"france": {"trp": 1}}, flags={"mysore": "", "savoy": "", "nizam": ""})
    at.say("france", politics("savoy"), politics("nizam", debt=1))
    assert told(at, "france", politics("mysore", debt=1, trp=1))[0] == (
        "France flags Mysore for 2 DP (1 from debt and 1 from TRP) and gains Power Struggle.")
    at = scene(active="britain", turn="T4", tile="4 DP / 2 EP", ministries={"britain": ["M-17 up"]}, own={"britain": {"debt": 0}})
    assert told(at, "britain", market("albany", "minor", debt=1))[0].startswith(
        "Britain flags Albany for 3 EP (1 from debt, 1 of it free)")


def test_what_made_a_purchase_cheaper_is_told_before_it():
    at = scene(active="britain", tile="3 EP / 2 DP, event", conflict=["martinique"], holders={"rum": "britain"},
               flags={"antilles_channel": "france", "puerto_rico": "britain"})
    uses, bought = told(at, "britain", market("martinique", advantage="rum"))
    assert uses == "Britain uses Rum." and bought.startswith("Britain takes France's flag off Martinique for 1 EP")


def test_forts_and_conflict_markers():
    at = scene(active="france", tile="4 MP / 2 EP", flags={"arcot": "france"}, damaged=["arcot"])
    assert told(at, "france", fort("arcot")) == [
        "France repairs the fort of Arcot for 1 MP: base 2 and minus 1 for the damage (IS-8.4.1)."]
    at = scene(turn="T4", active="france", tile="4 MP / 2 EP", damaged=["louisbourg"], flags={
        "louisbourg": "britain", "acadia": "france", "georges_bank": "", "cabot_strait": "france"})
    assert told(at, "france", fort("louisbourg"))[:2] == [
        "Britain loses its flag in Louisbourg.",
        "France takes the fort of Louisbourg for 4 MP: base 3 and plus 1 for the damage (IS-8.4.2)."]
    at = scene(active="france", tile="3 MP / 2 DP, event", conflict=["karaikal"], flags={"vandavasi": "france"})
    assert told(at, "france", clear("karaikal")) == [
        "France removes the conflict marker from Karaikal for 1 MP: base 2 and minus 1, protected (IS-8.2)."]


def test_squadrons():
    at = scene(**ADMIRAL, flags={"biscay": "france", "balearic": "britain", "cuba_passage": ""}, own={"britain": {"navy_box": 1}})
    assert told(at, "britain", deploy("biscay", "balearic")) == [
        "France's squadron goes from Biscay to the Navy Box.",
        "Britain's squadron goes from Balearic to Biscay for 2 MP: base 2, a squadron at sea drives one out (IS-8.6.2)."]
    assert told(at, "britain", deploy("cuba_passage")) == [
        "Britain sends a squadron from the Navy Box to the Cuba Passage for 1 MP."]
    assert told(scene(**ADMIRAL), "britain", build()) == ["Britain builds a squadron for 4 MP."]
    at = scene(active="france", tile="4 MP / 2 EP", holders={"naval_bastion": "france"}, flags={"cabot_strait": "britain"})
    assert told(at, "france", SendHome(space="cabot_strait", action="major", debt=0, trp=0))[-1].startswith(
        "France sends Britain's squadron from the Cabot Strait to the Navy Box for 1 MP: base 1 by Naval Bastion (")


def test_points_of_another_kind_and_what_has_no_fact_of_its_own():
    at = scene(turn="T6", active="france", tile="4 MP / 2 EP")
    assert told(at, "france", exchange("DP"))[0].startswith("France gets 1 DP for ")
    assert told(scene(**ADMIRAL, dice=FAIR), "britain", buy_tile())[0] == "Britain pays 2 MP for a bonus tile."


def test_what_a_card_or_an_advantage_brings_is_told_with_its_use():
    at = scene(active="france", tile="4 MP / 2 EP", holders={"algonquin_raids": "france"})
    assert told(at, "france", UseAdvantage(advantage="algonquin_raids", target="hudson_valley")) == [
        "France uses Algonquin Raids: a conflict marker on the Hudson Valley."]
    at = scene(active="france", tile="4 DP / 2 MP", ministries={"france": ["M-1 up"]}, flags={"savoy": "france"})
    assert told(at, "france", *at.offered("france", UseAbility)[:1]) == ["France uses The Cardinal Ministers: 2 DP."]
