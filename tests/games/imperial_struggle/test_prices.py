"""Prices and what pays them (chapters 5 to 8), with the golden tests of 20.1 that need no card."""
from __future__ import annotations

from engine.games.imperial_struggle.actions.shifts import ShiftMarket, ShiftPolitical
from tests.games.imperial_struggle.scene import Scene, scene


def market(space: str, action: str = "major", advantage: str = "", huguenots: str = "", debt: int = 0,
           trp: int = 0) -> ShiftMarket:
    return ShiftMarket(space=space, action=action, advantage=advantage, huguenots=huguenots, debt=debt, trp=trp)


def politics(space: str, action: str = "major", advantage: str = "", debt: int = 0, trp: int = 0) -> ShiftPolitical:
    return ShiftPolitical(space=space, action=action, advantage=advantage, debt=debt, trp=trp)


def paid(at: Scene) -> list[str]:
    """What each purchase has cost so far, as everybody reads it."""
    return [line for line in at.lines() if " pays " in line]


def caribbean(conflict: tuple[str, ...]) -> Scene:
    return scene(active="britain", tile="3 EP / 2 DP, event", flags={"cumberland": "france", "ohio_forks": "france"},
                 damaged=["ohio_forks"], conflict=conflict)


def test_IS_T01_a_marker_and_a_second_region():
    at = caribbean(("cumberland",))
    at.say("britain", market("antigua"), market("cumberland", debt=1))
    assert paid(at) == ["Britain pays 2 EP: base 2.",
                        "Britain pays 2 EP: base 1 by the conflict marker and plus 1 for another region."]
    assert (at.flag("antigua"), at.flag("cumberland"), at.state.conflict) == ("britain", "", {})
    assert at.state.own["britain"].debt == 1


def test_IS_T02_without_the_marker():
    at = caribbean(())
    at.say("britain", market("antigua"), market("cumberland", debt=2))
    assert paid(at)[1] == "Britain pays 3 EP: base 2 and plus 1 for another region."


def test_IS_T05_treaty_points_and_one_region():
    at = scene(active="france", tile="4 DP / 2 MP", flags={"denmark_norway": "britain"}, own={"france": {"trp": 2}})
    at.say("france", politics("denmark_norway"), politics("denmark_norway"), politics("sardinia", trp=2))
    assert (at.flag("denmark_norway"), at.flag("sardinia"), at.state.own["france"].trp) == ("france", "france", 0)
    assert paid(at) == ["France pays 2 DP: base 2."] * 3


def test_IS_T10_a_point_of_debt_or_treaty_makes_up_the_price():
    at = scene(active="britain", tile="3 EP / 2 DP, event", own={"britain": {"trp": 1}})
    assert at.allows("britain", politics("ireland_prestige", "minor", debt=1))
    assert at.allows("britain", politics("ireland_prestige", "minor", trp=1))
    assert not at.allows("britain", politics("ireland_prestige", "minor"))
    assert not at.allows("britain", politics("ireland_prestige", "minor", debt=1, trp=1))
