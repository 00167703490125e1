"""Every investment tile, award tile and war tile is played, and does what is printed on it."""
from __future__ import annotations

import pytest

from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.components import SIDES, Side, foe
from engine.games.imperial_struggle.rules.scoring import score_award
from engine.kernel import Game
from tests.games.imperial_struggle.battlefield import fight, lines_of
from tests.games.imperial_struggle.played import plays
from tests.games.imperial_struggle.scene import PARTS, scene, state_of

AWARDS, WARS = tuple(PARTS.award_tiles), tuple(PARTS.wars)
FIELDS = {"WSS": (3, "louisbourg", "georges_bank"), "WAS": (2, "louisbourg", "georges_bank"), "7YW": (2, "arcot", "plassey"),
          "AWI": (2, "arcot", "plassey")}           # a theater of each war, with a fort and a market of its region


@plays(*(tile.id for tile in PARTS.investment_tiles))
def test_IS_5_6_1_every_investment_tile_brings_its_points():
    for tile in PARTS.investment_tiles:
        at = scene(active="britain", tile=tile.id)
        assert at.pools() == [f"{tile.major.points} {tile.major.ap}", f"2 {tile.minor.ap}"]


@plays(*(award.id for award in AWARDS))
def test_IS_4_12_1_every_award_is_won_with_its_lead_and_by_no_smaller_one():
    held = ["mysore", "nizam", "maratha"]
    for award in AWARDS:
        won = [Game(state_of(awards={"india": award.id}, empty_map=True, flags=dict.fromkeys(held[:lead], "france")))
               for lead in (award.margin_needed - 1, award.margin_needed)]
        for g in won:
            score_award(g, "india")
        assert [(g.state.won_awards.get("india", ""), g.state.vp - 15, g.state.own["france"].trp) for g in won] == [
            ("", 0, 0), ("france", award.vp, award.trp)]


def _turned_up(war: str, side: Side, number: str, strength: int, icon: str | None) -> None:
    theater, fort, market = FIELDS[war]
    shown: dict[Side, list[str]] = {side: [number]}
    at = fight(war, theater, britain=shown.get("britain", []), france=shown.get("france", []),
               flags={fort: foe(side), market: foe(side)})
    hits = {"fort_or_squadron": [fort], "unflag": [market]}.get(icon or "", [])
    assert (at.state.choice.targets if at.state.choice is not None and at.state.choice.what == "icon" else []) == hits
    if hits:
        at.say(side, Choose(target="none"))
    assert lines_of(at, side)["tiles"] == strength and at.state.own[foe(side)].debt == (icon == "debt")


@plays(*(tile.id for tile in PARTS.basic_tiles))
@pytest.mark.parametrize("side", SIDES)
def test_IS_14_3_every_basic_tile_fights_and_applies_its_icon(side: Side) -> None:
    tiles = [tile for tile in PARTS.basic_tiles if tile.side == side]
    for tile in tiles:
        _turned_up("WSS", side, tile.id[-2:], tile.strength, tile.icon)
    assert len(tiles) == 16


@plays(*(tile.id for tile in PARTS.bonus_tiles))
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("war", [war.id for war in WARS])
def test_IS_14_10_2_every_bonus_tile_fights_in_its_war_and_applies_its_icon(war: str, side: Side) -> None:
    tiles = [tile for tile in PARTS.bonus_tiles if (tile.war, tile.side) == (war, side)]
    for tile in tiles:
        _turned_up(war, side, f"+{tile.id[-2:]}", tile.strength, tile.icon)
    assert len(tiles) == 12


@plays(*(tile.id for tile in PARTS.special_tiles))
def test_IS_14_5_6_Byng_and_Atlantic_Dominance_lend_two_in_their_theaters():
    assert lines_of(fight("7YW", 2, byng=2), "britain")["byng"] == 2
    assert lines_of(fight("7YW", 3, atlantic_dominance="france"), "france")["atlantic_dominance"] == 2
