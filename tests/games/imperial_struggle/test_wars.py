"""A war turn, theater by theater (chapter 14), with the golden tests of 20.3."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.actions.wars import CallLosses, Cede, Conquer, Forgo, Refuse, TakeOff
from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.components.wars import EXPELLED
from engine.games.imperial_struggle.events.board import SquadronMoved
from engine.games.imperial_struggle.events.wars import IconsLost, SpoilsLost, TheaterOpened, TheaterSettled, WarBegun
from engine.games.imperial_struggle.rules.control import flag_count
from engine.games.imperial_struggle.rules.spoils import REWARDS
from tests.games.imperial_struggle.battlefield import DEBT, HIT, UNFLAG, fight, lines_of, result
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene


def targets(at: Scene, side: str) -> dict[type, list[str]]:
    """What can be taken and unflagged, by kind of answer."""
    found: dict[type, list[str]] = {}
    for option in at.options(side):
        found.setdefault(type(option), []).append(getattr(option, "space", ""))
    return found


# --- icons (14.3, 14.4) -----------------------------------------------------------------------------------------------

def test_IS_T29_a_squadron_is_sent_away_before_strength_is_counted():
    at = fight("WSS", 3, france=[HIT], britain=["01", "+09"], flags={"gulf_of_maine": "britain", "massachusetts_bay": "britain"},
               conflict=["massachusetts_bay"])
    at.say("france", Choose(target="gulf_of_maine"))
    assert at.state.own["france"].debt == 1 and at.state.own["britain"].navy_box == 3
    assert (lines_of(at, "france"), lines_of(at, "britain")) == ({"tiles": 0, "conflict_markers": 1}, {"tiles": 3})
    assert result(at) == ("britain", 2, False) and (at.state.vp, at.state.own["france"].trp) == (14, 0)


@pytest.mark.parametrize("vp, first, order", [(16, "britain", ("france", "britain")), (14, "france", ("britain", "france")),
                                              (15, "britain", ("britain", "france")), (15, "france", ("france", "britain"))])
def test_IS_14_4_1_the_side_nearer_to_victory_applies_its_icons_first(vp, first, order):
    at = fight("WSS", 4, vp=vp, first=first)
    assert at.events(TheaterOpened)[0].order == order


def test_IS_14_4_7_the_order_stays_even_if_debt_moves_the_counter():
    at = fight("WSS", 4, vp=16, france=[UNFLAG], britain=[DEBT, UNFLAG], own={"france": {"debt": 6}},
               flags={"sweden": "britain", "russia": "britain", "savoy": "france", "sardinia": "france"})
    assert at.asked() == [("france", "IS-18.21")]
    at.say("france", Choose(target="sweden"))
    assert at.state.vp == 15 and at.asked() == [("britain", "IS-18.21")]            # the point beyond the limit [IS-14.4.2, 9.5]
    assert at.state.own["france"].debt == 6


def test_IS_14_4_3_a_fort_is_damaged_and_lends_no_strength():
    flags = {"louisbourg": "france", "halifax": "france", "arcot": "france", "cabot_strait": "france", "bahamas_run": "france"}
    at = fight("WSS", 3, britain=[HIT], flags=flags, damaged=["halifax"])
    assert at.state.choice.targets == ["louisbourg", "cabot_strait"]                # of the region, and undamaged
    at.say("britain", Choose(target="louisbourg"))
    assert at.state.damaged == ["halifax", "louisbourg"] and at.flag("louisbourg") == "france"
    assert lines_of(at, "france") == {"tiles": 0, "squadrons": 1}


def test_IS_14_4_3_an_icon_may_be_given_up():
    at = fight("WSS", 3, britain=[HIT], flags={"louisbourg": "france"})
    at.say("britain", Choose(target="none"))
    assert at.state.damaged == [] and at.events(IconsLost)[0].given_up
    assert "Britain gives up 1 icon." in at.lines()


def test_IS_14_4_4_an_unflagged_market_isolates_no_other_while_there_is_such_a_one():
    flags = {"quebec_montreal": "france", "cataraqui": "france", "niagara": "france", "algonquin": "france", "iroquois": "france",
             "gulf_of_st_lawrence": "france", "plassey": "france"}
    at = fight("WSS", 3, britain=[UNFLAG], flags=flags, conflict=["iroquois", "gulf_of_st_lawrence"])
    assert at.state.choice.targets == ["algonquin", "niagara"]                      # Cataraqui would isolate Niagara
    at.say("britain", Choose(target="niagara"))
    assert at.flag("niagara") == "" and result(at) == ("britain", 1, False)


def test_IS_14_4_4_without_a_harmless_market_any_may_be_chosen():
    flags = {"quebec_montreal": "france", "cataraqui": "france", "niagara": "france"}
    at = fight("WSS", 3, britain=[UNFLAG], flags=flags, conflict=["niagara"])
    assert at.state.choice.targets == ["cataraqui"]


def test_IS_14_4_5_an_icon_without_a_target_is_lost():
    at = fight("WSS", 3, britain=[HIT], france=[UNFLAG])
    assert at.events(IconsLost) and not any(event.given_up for event in at.events(IconsLost))
    assert "Britain's tile has no effect: nothing to hit." in at.lines()


def test_IS_14_4_6_a_marker_that_goes_with_a_flag_does_not_count():
    flags = {"massachusetts_bay": "britain", "georgia": "britain", "northern_colonies": "britain", "acadia": "britain"}
    at = fight("WSS", 3, france=[UNFLAG], flags=flags, conflict=["georgia"])
    at.say("france", Choose(target="massachusetts_bay"))
    assert lines_of(at, "france") == {"tiles": -1}


def test_IS_R_41_and_14_4_7_icons_of_a_side_in_the_order_that_it_likes():
    at = fight("WSS", 3, britain=[HIT, UNFLAG, DEBT], flags={"louisbourg": "france", "algonquin": "france"})
    assert at.state.own["france"].debt == 1 and at.state.choice.targets == ["louisbourg", "algonquin"]
    at.say("britain", Choose(target="algonquin"))
    assert at.state.choice.targets == ["louisbourg"]


@pytest.mark.parametrize("number, hit", [(1, ["biscay"]), (3, ["louisbourg", "gulf_of_maine", "bahamas_run"])])
def test_IS_R_53_where_icons_reach_in_a_theater_of_several_regions(number, hit):
    flags = dict.fromkeys(("biscay", "gulf_of_maine", "bahamas_run", "louisbourg"), "france")
    at = fight("7YW", number, britain=[HIT], flags=flags)
    assert sorted(at.state.choice.targets) == sorted(hit)


# --- strength (14.5, 14.6) --------------------------------------------------------------------------------------------

def test_IS_14_5_1_alliance_spaces_without_markers():
    flags = {"austria_alliance_2": "britain", "austria_alliance_3": "britain", "austria_prestige_vienna": "britain",
             "bavaria": "france", "savoy": "britain", "sweden": "britain"}
    at = fight("WSS", 1, flags=flags, conflict=["austria_alliance_3"])
    assert lines_of(at, "britain") == {"tiles": 0, "austria": 1, "savoy": 1}
    assert lines_of(at, "france") == {"tiles": 0, "bavaria": 1}


def test_IS_14_5_2_and_R_36_a_keyword_of_ministries_that_lie_face_up():
    at = fight("WSS", 2, ministries={"france": ["M-1 up"], "britain": ["M-5"]})
    assert lines_of(at, "france") == {"tiles": 0, "governance": 1} and lines_of(at, "britain") == {"tiles": 0}


def test_IS_14_5_3_squadrons_of_the_listed_regions():
    flags = dict.fromkeys(("biscay", "gulf_of_maine", "bahamas_run", "malabar_coast"), "france")
    assert lines_of(fight("7YW", 1, flags=flags), "france") == {"tiles": 0, "squadrons": 3}
    assert lines_of(fight("WSS", 2, flags=flags), "france") == {"tiles": 0, "squadrons": 1}


def test_IS_14_5_4_undamaged_forts():
    at = fight("WSS", 3, flags=dict.fromkeys(("louisbourg", "halifax", "arcot"), "britain"), damaged=["halifax"])
    assert lines_of(at, "britain") == {"tiles": 0, "forts": 1}


def test_IS_T33_and_14_5_5_markers_on_flags_of_the_opponent():
    flags = {"massachusetts_bay": "britain", "cataraqui": "france", "algonquin": "france", "georgia": "britain"}
    at = fight("WSS", 3, flags=flags, conflict=["massachusetts_bay", "cataraqui", "algonquin", "georgia", "albany"])
    assert lines_of(at, "france") == {"tiles": 0, "conflict_markers": 1}
    assert lines_of(at, "britain") == {"tiles": 0, "conflict_markers": 2}           # none for Georgia, nor for empty Albany


def test_IS_14_5_6_Byng_and_Atlantic_Dominance():
    assert lines_of(fight("7YW", 2, byng=2), "britain") == {"tiles": 0, "byng": 2}
    assert lines_of(fight("7YW", 1, byng=2), "britain") == {"tiles": 0}
    at = fight("7YW", 3, atlantic_dominance="france", byng=3)
    assert lines_of(at, "france") == {"tiles": 0, "atlantic_dominance": 2} and lines_of(at, "britain") == {"tiles": 0, "byng": 2}


def test_IS_14_5_1_Sons_of_Liberty_lend_strength():
    at = fight("AWI", 1, flags={"sons_of_liberty": "france", "spain_alliance_south": "france"})
    assert lines_of(at, "france") == {"tiles": 0, "sons_of_liberty": 1, "spain": 1}


def test_IS_14_6_level_strength_has_no_winner():
    at = fight("WSS", 1, france=3, britain=3)
    assert result(at) == ("", 0, False) and at.state.vp == 15 and "Nobody wins Central Europe." in at.lines()


@pytest.mark.parametrize("winner", ["britain", "france"])
@pytest.mark.parametrize("war", PARTS.wars, ids=lambda war: war.id)
def test_IS_14_7_1_every_margin_has_a_row(war, winner):
    for theater in war.theaters:
        rows = theater.rows(winner)
        for margin in range(1, 12):
            assert theater.row(winner, margin) in rows
        assert theater.row(winner, 11) == rows[-1]


@pytest.mark.parametrize("war, number, france, britain, vp, trp", [
    ("WSS", 1, 2, 0, 17, 1), ("WSS", 4, 5, 0, 19, 2), ("WAS", 4, 1, 0, 17, 1), ("WAS", 4, 0, 1, 14, 0), ("WAS", 4, 0, 3, 12, 2),
    ("7YW", 4, 0, 5, 11, 1), ("AWI", 1, 0, 1, 13, 0)])
def test_IS_14_7_2_points_are_booked_at_once(war, number, france, britain, vp, trp):
    at = fight(war, number, france=france, britain=britain)
    assert at.state.vp == vp and at.state.own["britain" if france else "france"].trp == trp


# --- conquest (14.8) --------------------------------------------------------------------------------------------------

def test_IS_T30_what_conquest_points_of_Spain_can_take():
    flags = {"st_domingue": "france", "acadia": "britain", "jamaica": "britain"}
    at = fight("WSS", 2, france=2, flags=flags, own={"france": {"navy_box": 0}})
    assert targets(at, "france")[Conquer] == ["gibraltar", "minorca", "asiento", "san_agustin"]
    at = fight("WSS", 2, france=2, own={"france": {"navy_box": 0}})
    assert targets(at, "france")[Conquer] == ["gibraltar", "minorca", "asiento"]    # no line leads to San Agustin


def test_IS_T31_a_line_to_Acadia_and_a_flag_as_spoils():
    flags = {"louisbourg": "britain", "acadia": "france", "ile_aux_noix": "france"}
    at = fight("7YW", 3, britain=1, flags=flags)
    assert result(at) == ("britain", 2, False)
    at.say("britain", Conquer(space="acadia", origin=""))
    at.say("france", Cede())
    at.say("britain", TakeOff(space="ile_aux_noix"))
    assert at.flag("acadia") == "britain" and at.flag("ile_aux_noix") == "" and at.state.own["france"].trp == 1


def test_IS_14_8_5_without_a_line_a_territory_cannot_be_taken():
    at = fight("7YW", 3, britain=2, flags={"acadia": "france"})
    refused = at.refusal("britain", Conquer(space="acadia", origin=""))
    assert refused.rule == "IS-14.8.5" and "No conquest line leads to acadia" in str(refused)


@pytest.mark.parametrize("damaged", [[], ["louisbourg"]])
def test_IS_14_8_5_a_damaged_fort_is_an_end_of_a_line(damaged):
    at = fight("7YW", 3, britain=2, flags={"acadia": "france", "louisbourg": "britain"}, damaged=damaged)
    assert at.allows("britain", Conquer(space="acadia", origin=""))


def test_IS_T32_a_refusal_costs_points_and_closes_the_territory():
    flags = {"vandavasi": "britain", "pondicherry": "france", "karaikal": "france"}
    at = fight("7YW", 2, britain=5, france=1, flags=flags)
    assert result(at) == ("britain", 5, True)
    at.say("britain", Conquer(space="pondicherry", origin=""))
    assert at.asked() == [("france", "IS-18.23")] and at.default("france") == Cede()
    at.say("france", Refuse())
    assert at.state.vp == 15 - 3 and at.flag("pondicherry") == "france" and at.state.fought.cp == 1
    refused = at.refusal("britain", Conquer(space="pondicherry", origin=""))
    assert refused.rule == "IS-14.8.8"
    at.say("britain", Conquer(space="karaikal", origin=""))
    assert at.flag("karaikal") == "britain"


def test_IS_14_8_8_and_R_34_only_a_territory_of_the_opponent_can_be_refused():
    at = fight("7YW", 2, britain=6, flags={"hooghly_river": "britain", "karaikal": "france"})
    at.say("britain", Conquer(space="calcutta", origin=""))
    assert at.flag("calcutta") == "britain"
    at.say("britain", Conquer(space="karaikal", origin=""))
    assert at.flag("karaikal") == "britain" and at.state.own["france"].refusals == 0


def test_IS_T37_the_second_refusal_costs_five_and_there_is_no_third():
    flags = {"vandavasi": "britain", "pondicherry": "france", "hooghly_river": "britain", "chandernagore": "france"}
    at = fight("7YW", 2, britain=6, flags=flags, own={"france": {"refusals": 1}})
    at.say("britain", Conquer(space="pondicherry", origin=""))
    at.say("france", Refuse())
    assert at.state.vp == 15 - 5
    at.say("britain", Conquer(space="chandernagore", origin=""))
    assert at.flag("chandernagore") == "britain" and at.state.own["france"].refusals == 2


def test_IS_T37_in_the_next_war_the_count_starts_again():
    at = scene(phase="war", turn="AWI", dice=FAIR, empty_map=True, own={"france": {"refusals": 2}})
    assert at.events(WarBegun) and at.state.own["france"].refusals == 0


def test_IS_T34_San_Agustin_in_the_American_Revolution():
    at = fight("AWI", 1, britain=3, flags={"carolinas": "britain"})
    assert "san_agustin" in targets(at, "britain")[Conquer]


def test_IS_T35_Hudson_Bay_needs_no_line():
    at = fight("WAS", 2, britain=2)
    assert "hudson_bay" in targets(at, "britain")[Conquer] and "acadia" not in targets(at, "britain")[Conquer]


def test_IS_14_8_2_political_spaces_and_other_regions_cannot_be_taken():
    at = fight("WAS", 3, france=4, flags={"plassey": "britain", "mysore": "britain", "georgia": "britain"})
    able = targets(at, "france")[Conquer]
    assert {"plassey", "west_bengal", "arcot", "malabar_coast"} <= set(able)
    assert all(PARTS.space[space].region == "india" and PARTS.space[space].type != "political" for space in able)
    assert at.refusal("france", Conquer(space="mysore", origin="")).rule == "IS-14.8.2"


def test_IS_14_8_3_Huguenots_make_their_territory_dearer():
    flags = {"louisbourg": "britain", "acadia": "france"}
    at = fight("WSS", 3, britain=2, flags=flags, huguenots={"acadia": "flipped"})
    assert at.refusal("britain", Conquer(space="acadia", origin="")).rule == "IS-14.8.3"
    at = fight("7YW", 3, britain=4, flags=flags, huguenots={"acadia": "fresh"})
    at.say("britain", Conquer(space="acadia", origin=""))
    at.say("france", Refuse())
    assert at.state.huguenots == {"acadia": "fresh"} and at.state.own["france"].refusals == 1
    assert at.state.fought.cp == 1                                                  # the marker's point is gone as well


def test_IS_14_8_4_and_R_33_damage_stays_when_a_fort_is_conquered():
    at = fight("WSS", 3, britain=4, flags={"louisbourg": "france", "cataraqui": "france"}, damaged=["louisbourg"])
    at.say("britain", Conquer(space="louisbourg", origin=""))
    assert at.flag("louisbourg") == "britain" and at.state.damaged == ["louisbourg"]


def origins(at: Scene) -> set[str]:
    """From where France can take a space; "" is land."""
    return {option.origin for option in at.options("france") if isinstance(option, Conquer)}


def test_IS_14_8_6_a_squadron_moves_in_once_in_a_war():
    at = fight("WSS", 2, france=5, flags={"biscay": "britain"}, own={"france": {"navy_box": 1}})
    at.say("france", Conquer(space="biscay", origin="navy_box"))
    assert at.flag("biscay") == "france" and at.state.own["britain"].navy_box == 3
    assert at.state.fought.landed == ["biscay"] and origins(at) == {""}


def test_IS_14_8_6_from_another_naval_space_of_the_region_only():
    flags = {"gulf_of_maine": "france", "bahamas_run": "france"}
    at = fight("WAS", 2, france=2, flags=flags, own={"france": {"navy_box": 0}})
    assert origins(at) == {"", "gulf_of_maine"}
    at = fight("7YW", 3, france=2, flags=flags, own={"france": {"navy_box": 0}})
    assert origins(at) == {"", "gulf_of_maine", "bahamas_run"}


def test_IS_14_8_6_driven_out_it_does_not_conquer_again():
    at = fight("WSS", 2, france=4, own={"france": {"navy_box": 1}})
    at.say("france", Conquer(space="biscay", origin="navy_box"))
    assert at.state.fought.landed == ["biscay"]
    driven = SquadronMoved(side="france", origin="biscay", to="navy_box")
    driven.apply(at.state)
    assert (at.state.fought.landed, at.state.fought.spent, at.state.own["france"].navy_box) == ([], {"france": 1}, 1)
    assert at.state.fought.cp == 1
    assert not [option for option in Conquer.options(at.state, at.state.seat("france")) if option.origin]


def test_IS_14_8_7_a_flag_of_the_United_States_stays():
    at = fight("AWI", 3, britain=1, flags={"san_agustin": "usa", "carolinas": "britain"})
    assert at.refusal("britain", Conquer(space="san_agustin", origin="")).rule == "IS-14.8.7"


# --- using spoils (14.7) ----------------------------------------------------------------------------------------------

def test_IS_14_7_3_and_R_32_the_winner_chooses_the_order_and_may_give_up_the_rest():
    flags = {"karaikal": "france", "plassey": "france"}
    at = fight("WAS", 3, britain=5, flags=flags)
    assert at.default("britain") == at.options("britain")[0] and isinstance(at.default("britain"), Conquer)
    at.say("britain", TakeOff(space="plassey"))
    at.say("britain", Conquer(space="plassey", origin=""))
    at.say("britain", Forgo())
    assert at.flag("plassey") == "britain" and at.flag("karaikal") == "france"
    assert at.events(SpoilsLost)[0].cp == 1 and "Britain leaves unused: 1 CP." in at.lines()


def test_IS_14_7_3_and_14_8_1_what_cannot_be_used_is_lost_without_a_question():
    at = fight("WAS", 1, france=3, flags={"gibraltar": "france", "minorca": "france", "hudson_bay": "france", "acadia": "france",
                                          "asiento": "france", "biscay": "france", "balearic": "france"})
    assert at.events(SpoilsLost)[0].cp == 1 and at.events(TheaterSettled)[1:]


def test_IS_14_7_4_flags_as_spoils_have_no_limit_of_isolation():
    flags = {"quebec_montreal": "france", "cataraqui": "france", "niagara": "france", "algonquin": "france"}
    at = fight("WSS", 3, britain=4, flags=flags, conflict=["niagara"])
    assert targets(at, "britain")[TakeOff] == ["niagara", "cataraqui"]              # markers do not shield, and markets only


def test_IS_14_7_5_the_loser_chooses_and_the_winner_may_call_for_it_first():
    flags = {"bahamas_run": "britain", "biscay": "britain"}
    at = fight("AWI", 3, france=3, flags=flags, own={"britain": {"navy_box": 1}})
    assert result(at) == ("france", 2, False)
    at.say("france", CallLosses())
    assert at.asked() == [("britain", "IS-18.24")] and at.default("britain") == Choose(target="navy_box")
    at.say("britain", Choose(target="bahamas_run"), Choose(target="biscay"))
    assert at.state.own["britain"].gone == 2 and at.flag("bahamas_run") == at.flag("biscay") == ""
    assert CallLosses not in targets(at, "france")


def test_IS_14_9_6_the_loser_gives_up_squadrons_after_the_conquest():
    at = fight("AWI", 3, france=1, own={"britain": {"navy_box": 2}})
    at.say("france", Forgo())
    assert at.state.own["britain"].gone == 1 and at.state.own["britain"].navy_box == 1


def test_IS_14_9_6_at_most_two():
    at = fight("AWI", 3, britain=4, own={"france": {"navy_box": 3, "unbuilt": 5}})
    at.say("britain", Forgo())
    assert (at.state.own["france"].gone, at.state.own["france"].navy_box) == (2, 1)


def test_IS_14_9_6_no_more_than_are_built():
    at = fight("AWI", 3, britain=5, own={"france": {"navy_box": 1, "unbuilt": 7}})
    at.say("britain", Forgo())
    assert (at.state.own["france"].gone, at.state.own["france"].navy_box, at.state.own["france"].unbuilt) == (1, 0, 7)


@pytest.mark.parametrize("margin, dominance, lost", [(1, "", 0), (2, "france", 0), (3, "france", 1), (4, "france", 1),
                                                     (5, "france", 2)])
def test_IS_14_9_5_Atlantic_Dominance(margin, dominance, lost):
    at = fight("7YW", 1, france=margin, own={"britain": {"navy_box": 2, "unbuilt": 6}})
    assert at.events(TheaterSettled)[0].winner == "france"
    assert at.state.own["britain"].unbuilt == 6 + lost and at.state.own["britain"].navy_box == 2 - lost
    assert lines_of_third(at).get("atlantic_dominance", 0) == (2 if dominance else 0)


def lines_of_third(at: Scene) -> dict[str, int]:
    """The strength of France in the third theater."""
    third = at.state.war.results[2] if at.state.war and len(at.state.war.results) > 2 else None
    return {line.source: line.amount for line in third.lines["france"]} if third else {}


def test_IS_T36_a_margin_of_one_in_the_Atlantic():
    at = fight("7YW", 1, france=1, own={"britain": {"navy_box": 2, "unbuilt": 6}})
    assert result(at) == ("france", 1, False) and at.state.own["britain"].unbuilt == 6


def test_IS_14_9_every_special_reward_of_a_theater_is_carried_out():
    named = {special.effect for war in PARTS.wars for theater in war.theaters for special in theater.special}
    by_the_row = {"place_atlantic_dominance", EXPELLED}           # the row of the margin says how much
    assert named - by_the_row == {*REWARDS}


# --- the Jacobites (14.9) ---------------------------------------------------------------------------------------------

@pytest.mark.parametrize("war, margin, markers", [("WSS", 2, 0), ("WSS", 3, 1), ("WAS", 1, 1)])
def test_IS_14_9_1_Jacobite_Victory(war, margin, markers):
    at = fight(war, 4, france=margin)
    assert at.state.jacobite_victories == markers
    assert at.state.third_ministry == (war == "WAS")                                # IS-14.9.4


@pytest.mark.parametrize("margin, defeated", [(1, False), (2, True)])
def test_IS_14_9_2_Jacobite_Defeat(margin, defeated):
    at = fight("WAS", 4, britain=margin, ministries={"france": ["M-4 up", "M-13"]}, jacobite_victories=1)
    cards = [minister.card for minister in at.state.own["france"].ministries]
    assert at.state.jacobite_defeat == defeated and cards == (["M-13"] if defeated else ["M-4", "M-13"])
    assert at.state.jacobite_victories == 1                                         # IS-14.9.3


# --- after the war (14.10 to 14.13) -----------------------------------------------------------------------------------

def test_IS_14_11_2_markers_that_lent_strength_go():
    flags = {"massachusetts_bay": "britain", "cataraqui": "france", "georgia": "britain"}
    at = fight("WSS", 3, flags=flags, conflict=["massachusetts_bay", "cataraqui", "georgia", "albany"])
    assert at.state.turn == "T2" and list(at.state.conflict) == ["georgia", "albany"]


def test_IS_14_11_2_after_the_last_war_too():
    at = fight("AWI", 3, flags={"martinique": "france"}, conflict=["martinique"], vp=15)
    at.keep_silent("IS-18.2")
    assert at.state.turn == "T6" and at.state.conflict == {}


def test_IS_14_10_1_14_10_2_14_11_1_and_14_11_3_basic_tiles_return_and_bonus_tiles_leave():
    at = fight("WSS", 4, france=["01", "+01"], britain=["04"], byng=2)
    state = at.state
    assert state.turn == "T2" and state.byng == 0 and state.atlantic_dominance == ""
    for side in ("britain", "france"):
        own = state.own[side]
        assert sorted([*own.basic_pool, *(tile for there in own.tiles for tile in there)]) == PARTS.basic_of(side)
        assert own.bonus_pool == PARTS.bonus_of(side, "WAS") and [len(there) for there in own.tiles] == [1] * 4     # IS-14.12


def test_IS_14_12_no_display_after_the_last_war():
    at = fight("AWI", 3)
    assert at.state.turn == "T6" and at.state.own["france"].tiles == [] and at.state.next_war is None


def test_IS_14_10_3_bonus_tiles_of_the_Austrian_war_are_counted():
    tiles = [["bonus_was_fr_01", "bonus_was_fr_02"], ["bonus_was_fr_03", "bonus_was_fr_04"], [], ["basic_fr_01"]]
    own: Mapping[Side, Any] = {"france": {"tiles": tiles}}
    at = fight("WAS", 4, own=own, byng=4)
    assert (at.state.own["france"].carry_over, at.state.own["britain"].carry_over) == (3, 0)


def test_IS_14_13_a_war_sweep_is_checked_before_points():
    at = fight("WSS", 4, france=5, before="france", vp=-5)
    assert at.state.vp == -1                                                        # a victory of Britain by points
    assert (at.state.winner, at.state.ended_by) == ("france", "war_sweep")
    at = fight("WSS", 4, france=4, before="france")
    assert at.state.winner == ""                                                    # not the highest row [IS-16.3]


def test_IS_16_3_where_the_table_is_split_the_winners_own_half_counts():
    at = fight("WAS", 4, britain=3, before="britain")
    assert (at.state.winner, at.state.ended_by) == ("britain", "war_sweep")


def test_IS_14_13_and_16_1_the_counter_after_a_war():
    at = fight("WSS", 4, france=5, vp=27)
    assert (at.state.winner, at.state.ended_by) == ("france", "points")
    assert fight("WSS", 4, britain=1, vp=31).state.winner == "france"               # crossing earlier ends nothing [IS-16.1]


def test_IS_14_2_a_theater_is_settled_with_its_spoils_before_the_next_is_touched():
    at = fight("WSS", 1, france=3, flags={"st_domingue": "france"})
    assert at.asked() == [("france", "IS-18.22")] and len(at.events(TheaterOpened)) == 1
    at.say("france", Conquer(space="san_agustin", origin=""))
    assert len(at.events(TheaterOpened)) == 4 and at.state.holders["fruit"] == "france"


def test_IS_17_3_tiles_of_later_theaters_stay_hidden():
    own: Mapping[Side, Any] = {"france": {"tiles": [["basic_fr_04", "bonus_wss_fr_03"], ["basic_fr_01"], [], []]}}
    at = fight("WSS", 1, own=own)
    seen = GAME.views.view(at.state, at.state.seat("britain"))
    assert at.asked() == [("france", "IS-18.22")] and seen.war.shown["france"] == ("basic_fr_04", "bonus_wss_fr_03")
    assert "basic_fr_01" not in seen.model_dump_json() and seen.sides[1].theaters[1].basic == 1


# --- the United States (15) -------------------------------------------------------------------------------------------

COLONIES = {"northern_colonies": "britain", "carolinas": "britain", "massachusetts_bay": "britain", "hudson_valley": "britain",
            "georgia": "britain", "halifax": "britain", "champlain_valley": "france", "albany": "france", "oswego": "france",
            "quebec_montreal": "britain", "cataraqui": "britain", "gulf_of_maine": "britain", "allegheny": "france"}


def test_IS_14_9_7_and_15_1_flags_forts_then_the_markets_that_have_become_isolated():
    at = fight("AWI", 1, france=4, flags={**COLONIES, "ohio_forks": "france"}, own={"britain": {"navy_box": 0}})
    assert result(at)[0] == "france" and at.asked() == [("france", "IS-18.25")]
    assert at.state.choice.targets == ["northern_colonies", "carolinas", "san_agustin"]
    for territory in ("northern_colonies", "carolinas", "san_agustin"):
        assert at.default("france") == Choose(target=territory)
        at.say("france", at.default("france"))
    assert at.default("france") == Choose(target="halifax")                         # British forts only
    at.say("france", Choose(target="halifax"), Choose(target="champlain_valley"))
    assert at.default("france") == Choose(target="none")
    at.say("france", Choose(target="none"))
    assert [at.flag(space) for space in ("northern_colonies", "carolinas", "san_agustin")] == ["usa"] * 3
    assert [at.flag(space) for space in ("halifax", "champlain_valley", "ohio_forks")] == ["", "", "france"]
    assert at.flag("hudson_valley") == at.flag("georgia") == at.flag("albany") == at.flag("oswego") == ""
    assert at.flag("massachusetts_bay") == "britain"                                # the squadron holds it
    assert at.flag("cataraqui") == "britain" and at.flag("allegheny") == "france"


def test_IS_15_1_markets_isolated_before_keep_their_flags():
    at = fight("AWI", 1, france=2, flags={"panzacola": "britain", "georgia": "britain", "carolinas": "britain",
                                          "kurpa": "britain"})
    at.say("france", Choose(target="carolinas"), Choose(target="none"))
    assert at.flag("georgia") == "" and at.flag("panzacola") == at.flag("kurpa") == "britain"


def test_IS_15_1_none_at_all():
    at = fight("AWI", 1, france=2, flags={"georgia": "britain", "carolinas": "britain"})
    at.say("france", Choose(target="none"))
    assert "usa" not in at.state.flags.values() and at.flag("georgia") == "britain"


def test_IS_15_2_and_R_35_Canada_comes_after_the_colonies():
    flags = {"quebec_montreal": "britain", "cataraqui": "britain", "st_domingue": "france"}
    at = fight("AWI", 1, france=5, flags=flags)
    at.say("france", Choose(target="none"))
    assert at.state.choice.targets == ["quebec_montreal"] and at.flag("cataraqui") == "britain"
    at.say("france", Choose(target="quebec_montreal"))
    assert at.flag("quebec_montreal") == "usa" and at.flag("cataraqui") == ""
    assert at.state.turn == "T6" and at.state.is_open("usa_prestige_2")             # IS-15.5, IS-2.3.4


def test_IS_15_1_Huguenots_go_with_the_territory_and_nobody_refuses():
    at = fight("AWI", 1, france=2, flags={"carolinas": "france"}, huguenots={"carolinas": "fresh"})
    at.say("france", Choose(target="carolinas"))
    assert at.state.huguenots == {} and at.flag("carolinas") == "usa" and ("britain", "IS-18.23") not in at.asked()


def test_IS_15_3_and_15_4_United_States_flags_are_nobodys():
    flags = {"carolinas": "usa", "georgia": "britain", "northern_colonies": "usa", "martinique": "france"}
    at = scene(active="france", tile="4 EP / 2 DP", turn="T6", empty_map=True, flags=flags)
    assert at.state.current.isolated == ["georgia", "martinique"]
    assert [flag_count(at.state, side, "north_america") for side in ("britain", "france")] == [0, 0]
    assert at.state.is_open("usa_prestige_3")


# --- options (19) -----------------------------------------------------------------------------------------------------

def test_IS_19_1_a_free_shift_in_Spain_for_a_territory_that_Spain_has_left():
    flags = {"spain_prestige_2": "france", "spain_alliance_north": "britain"}
    at = fight("WSS", 2, france=5, flags=flags, options={"spanish_empire": True})
    at.say("france", Conquer(space="gibraltar", origin=""), Conquer(space="minorca", origin=""))
    assert at.asked() == [("britain", "IS-19.1")] and at.default("britain") == Choose(target="none")
    assert "spain_alliance_north" not in at.state.choice.targets
    at.say("britain", Choose(target="spain_prestige_2"), Choose(target="spain_prestige_2"))
    assert at.flag("spain_prestige_2") == "britain"


def test_IS_19_1_none_for_a_territory_taken_from_the_other_side_or_without_the_option():
    at = fight("WSS", 2, france=2, flags={"gibraltar": "britain"}, options={"spanish_empire": True})
    at.say("france", Conquer(space="gibraltar", origin=""))
    at.say("britain", Cede())
    assert ("britain", "IS-19.1") not in at.asked() and at.flag("gibraltar") == "france"
    at = fight("WSS", 2, france=2)
    at.say("france", Conquer(space="gibraltar", origin=""))
    assert ("britain", "IS-19.1") not in at.asked()


def test_IS_19_1_a_Spanish_flag_can_be_conquered_and_taken_off():
    at = fight("AWI", 3, france=4, flags={"havana": "spain", "santiago": "spain"}, options={"spanish_empire": True})
    at.say("france", Conquer(space="havana", origin=""), TakeOff(space="santiago"))
    assert at.flag("havana") == "france" and at.flag("santiago") == ""


def test_IS_19_3_a_fort_needs_a_conquest_line():
    at = fight("WSS", 3, britain=3, flags={"halifax": "britain"})
    assert {"louisbourg", "ohio_forks"} <= set(targets(at, "britain")[Conquer])
    at = fight("WSS", 3, britain=3, flags={"halifax": "britain"}, options={"tougher_forts": True})
    able = targets(at, "britain")[Conquer]
    assert "louisbourg" in able and "ohio_forks" not in able                        # the line Halifax - Louisbourg counts
    assert at.refusal("britain", Conquer(space="ohio_forks", origin="")).rule == "IS-19.3"


@pytest.mark.parametrize("space", ["louisbourg", "georges_bank"])
def test_IS_14_8_4_no_squadron_takes_a_fort_or_a_market(space):
    at = fight("WSS", 3, britain=3, flags={"louisbourg": "france", "gulf_of_maine": "britain"}, own={"britain": {"navy_box": 1}})
    for origin in ("navy_box", "gulf_of_maine"):
        assert at.refusal("britain", Conquer(space=space, origin=origin)).rule == "IS-14.8.4"


def test_the_side_that_does_not_choose_cannot():
    at = fight("WSS", 2, france=2)
    for answer in (Forgo(), TakeOff(space="havana"), CallLosses(), Conquer(space="gibraltar", origin="")):
        assert not at.allows(foe("france"), answer)
    assert not at.allows("france", Refuse()) and not at.allows("france", CallLosses())
