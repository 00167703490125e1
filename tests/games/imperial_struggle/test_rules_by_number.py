"""Rules of the board, the turn and its end, each by its number, where no golden test says it (chapters 1 to 4, 16, 17)."""
from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import NONE, Choose
from engine.games.imperial_struggle.actions.military import Deploy
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftPolitical
from engine.games.imperial_struggle.actions.turns import Discard, NameFirst, eligible, places
from engine.games.imperial_struggle.components import REGIONS, SIDES
from engine.games.imperial_struggle.events.turns import AwardsTurned, AwardWon, Compared, DemandChanged, TilesTurned
from engine.games.imperial_struggle.events.wars import TheaterSettled
from engine.games.imperial_struggle.rules import control
from engine.games.imperial_struggle.rules.money import force_debt, gain_trp, score
from engine.games.imperial_struggle.rules.scoring import score_award
from engine.games.imperial_struggle.rules.victory import check_war_sweep
from engine.games.imperial_struggle.state import State, TheaterResult, WarState
from engine.kernel import Event, Game, Seat
from engine.rulebook import rules
from tests.games.imperial_struggle.battlefield import HIT, fight
from tests.games.imperial_struggle.purchases import clear, market, politics
from tests.games.imperial_struggle.scene import FAIR, PARTS, board, scene, state_of

AWARDS = dict.fromkeys(REGIONS, "award_3")


# --- conventions (0) ----------------------------------------------------------------------------------------------

def test_IS_0_1_each_rule_has_a_number_of_its_own_and_each_golden_test_is_one():
    known = [rule.id for rule in rules(GAME.key)]
    assert len({*known}) == len(known) and all(id.startswith("IS-") for id in known)
    tests = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    assert [number for number in range(1, 59) if not re.search(rf"IS_T{number:02}(?!\d)|\bT{number:02}\b", tests)] == []


def test_IS_0_2_and_0_8_every_record_says_where_it_comes_from():
    data = json.loads(files("data").joinpath(GAME.key, f"{GAME.key}.json").read_text(encoding="utf-8"))
    lists = {name: value for name, value in data.items() if isinstance(value, list) and value and isinstance(value[0], dict)}
    assert {"spaces", "solid_lines", "events", "ministries", "award_tiles"} <= lists.keys()
    assert {name for name, records in lists.items() if any("provenance" not in record for record in records)} == set()


def test_IS_0_3_R_01_and_R_02_the_components_of_the_second_printing_count():
    """Where the sources differ: eight award tiles, Sardinia among the targets of an advantage, San Agustin in the last war."""
    assert len(PARTS.award_tiles) == 8 and len(PARTS.events) == 41 and len(PARTS.ministries) == 26
    assert "sardinia" in PARTS.meant["mediterranean_intrigue"].countries
    assert "san_agustin" in PARTS.war["AWI"].theater(1).eligible_territories


def test_IS_0_4_the_wars_the_turns_and_the_kinds_of_points_have_short_names():
    assert {step.id for step in PARTS.turn_track} == {*(f"T{number}" for number in range(1, 7)), "WSS", "WAS", "7YW", "AWI"}
    assert {tile.major.ap for tile in PARTS.investment_tiles} == {"EP", "DP", "MP"}


def test_IS_0_5_what_is_not_optional_is_chosen_even_against_the_wish():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"hand": ["ev_03"]}}, dice=FAIR)
    at.say("france", PlayEvent(event="ev_03", reveal="", waiver=""))
    assert at.refusal("france", Choose(target=NONE)).rule == "IS-0.5"


def test_IS_0_9_a_state_is_kept_whole_in_the_middle_of_a_round_and_of_a_war():
    for at in (scene(active="france", tile="3 DP / 2 MP, event", conflict=["albany"], damaged=["halifax"]),
               fight("WSS", 3, france=[HIT], flags={"halifax": "britain"})):
        kept = State.model_validate_json(at.state.model_dump_json())
        assert kept.model_dump(exclude={"parts"}) == at.state.model_dump(exclude={"parts"})
        assert (kept.round or kept.war) is not None


# --- the game in brief (1) --------------------------------------------------------------------------------------------

def test_IS_1_1_and_3_1_one_counter_serves_both_sides():
    g = board()
    assert g.state.vp == 15
    score(g, "france", 2, "prestige")
    score(g, "britain", 3, "prestige")
    assert g.state.vp == 14


def test_IS_1_2_and_1_3_ten_steps_and_their_eras():
    assert [(step.id, step.era) for step in PARTS.turn_track] == [
        ("T1", "succession"), ("WSS", "succession"), ("T2", "succession"), ("T3", "empire"), ("WAS", "empire"), ("T4", "empire"),
        ("7YW", "empire"), ("T5", "revolution"), ("AWI", "revolution"), ("T6", "revolution")]


@pytest.mark.parametrize("turn, war", [("T1", "WSS"), ("T2", "WAS"), ("T3", "WAS"), ("T4", "7YW"), ("T5", "AWI"), ("T6", None)])
def test_IS_1_6_the_next_war(turn, war):
    after = state_of(turn=turn).next_war
    assert (after.id if after is not None else None) == war


def test_IS_1_5_the_theaters_of_a_war_are_settled_one_after_the_other():
    at = scene(phase="war", turn="WSS", dice=FAIR)
    while at.state.turn == "WSS":
        (side, _), *_ = at.asked()
        at.say(side, at.default(side))
    assert [event.theater for event in at.events(TheaterSettled)] == [theater.id for theater in PARTS.war["WSS"].theaters]


# --- places and lines (2.1, 2.2) --------------------------------------------------------------------------------------

def test_IS_2_1_1_regions_and_sub_regions():
    subregions = {(space.region, space.subregion) for space in PARTS.spaces if space.subregion}
    assert subregions == {("north_america", "canada"), ("north_america", "northern_colonies"), ("india", "hooghly_river"),
                          ("india", "carnatic_coast")}


def test_IS_2_1_2_kinds_of_space():
    assert Counter(space.type for space in PARTS.spaces) == {
        "political": 36, "market": 41, "fort": 6, "naval": 11, "territory": 18}


def test_IS_2_1_3_every_market_but_chesapeake_yields_a_good_of_its_region():
    assert [space.id for space in PARTS.spaces if space.type == "market" and not space.commodity] == ["chesapeake"]
    regions = {space.commodity: space.region for space in PARTS.spaces if space.commodity}
    assert regions == {"furs": "north_america", "fish": "north_america", "sugar": "caribbean", "tobacco": "caribbean",
                       "cotton": "india", "spice": "india"}
    assert not [space.id for space in PARTS.spaces if space.region == "europe" and space.type in ("market", "fort")]


def test_IS_2_1_4_kinds_of_price():
    kinds = {(space.type, space.cost_kind) for space in PARTS.spaces}
    assert kinds == {("political", "DP"), ("market", "EP"), ("fort", "MP"), ("territory", "CP"), ("naval", "deploy")}


def test_IS_2_1_5_prestige_spaces():
    """Eleven political spaces in Europe, two naval spaces, Minorca, and the two United States spaces [IS-2.1.5, 2.9.2]."""
    kinds = Counter((PARTS.space[id].type, PARTS.space[id].region) for id in PARTS.prestige)
    assert kinds == {("political", "europe"): 11, ("naval", "europe"): 2, ("territory", "europe"): 1,
                     ("political", "north_america"): 2}
    assert control.prestige_count(board(flags={"biscay": "france", "minorca": "france", "sweden": "france"}).state, "france") == 3


def test_IS_2_1_6_alliance_spaces_are_political():
    assert {space.type for space in PARTS.spaces if space.alliance} == {"political"}
    assert all(space.strength_in for space in PARTS.spaces if space.alliance or space.type in ("fort", "naval"))


def test_IS_2_1_7_political_spaces_outside_europe_are_local_alliances():
    assert all(space.local_alliance == (space.type == "political" and space.region != "europe") for space in PARTS.spaces)


def test_IS_2_1_8_and_2_2_3_advantages_hang_on_one_or_two_spaces():
    assert {len(tile.connected_spaces) for tile in PARTS.advantages} == {1, 2}
    assert {(link.advantage, link.space) for link in PARTS.advantage_links} == {
        (tile.id, space) for tile in PARTS.advantages for space in tile.connected_spaces}
    assert not {tile.id for tile in PARTS.advantages} & set(PARTS.space)


def test_IS_2_2_1_and_2_2_4_solid_lines_join_within_a_region():
    """Markets, territories, forts and naval spaces; symmetric, and never out of a region [IS-2.2.1, 2.2.4]."""
    for space, others in PARTS.joined.items():
        for other in others:
            assert space in PARTS.joined[other] and PARTS.space[space].region == PARTS.space[other].region
            assert "political" not in (PARTS.space[space].type, PARTS.space[other].type)


def test_IS_2_2_2_a_conquest_line_leads_to_a_territory_both_ways():
    assert any(PARTS.conquest.values())
    for space, others in PARTS.conquest.items():
        for other in others:
            assert space in PARTS.conquest[other] and "territory" in (PARTS.space[space].type, PARTS.space[other].type)


def test_IS_2_2_5_no_solid_line_joins_two_forts():
    assert not [line for line in PARTS.solid_lines if PARTS.space[line.a].type == PARTS.space[line.b].type == "fort"]


# --- availability (2.3) -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("turn, open", [("T2", False), ("T3", True), ("T6", True)])
def test_IS_2_3_2_the_lower_box_of_prussia(turn, open):
    assert state_of(turn=turn).is_open("prussia_empire_alliance") == open


@pytest.mark.parametrize("turn, open", [("T4", False), ("T5", True)])
def test_IS_2_3_3_sons_of_liberty(turn, open):
    assert state_of(turn=turn).is_open("sons_of_liberty") == open


@pytest.mark.parametrize("turn, usa, open", [("AWI", True, False), ("T6", True, True), ("T6", False, False)])
def test_IS_2_3_4_the_united_states(turn, usa, open):
    assert state_of(turn=turn, flags={"carolinas": "usa"} if usa else {}).is_open("usa_prestige_2") == open


# --- control (2.4) ----------------------------------------------------------------------------------------------------

def test_IS_2_4_4_and_2_4_5_two_shifts_or_taking_control():
    """To shift is to unflag or to flag; to take control does both at once [IS-2.4.1 to 2.4.5]."""
    g = board(flags={"savoy": "britain"})
    control.shift(g, "france", "savoy")
    assert not g.state.controls("britain", "savoy") and "savoy" not in g.state.flags
    control.shift(g, "france", "savoy")
    assert g.state.controls("france", "savoy")
    control.take_control(g, "britain", "savoy")
    assert g.state.flags == {"savoy": "britain"}


def test_IS_2_4_8_an_own_flag_can_be_removed_by_a_card():
    g = board(flags={"martinique": "france"})
    control.unflag(g, "martinique")
    assert g.state.flags == {}


# --- conflict markers and protection (2.5, 2.6) -----------------------------------------------------------------------

def test_IS_2_5_4_protection_makes_unflagging_dearer_and_clearing_cheaper():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"martinique": "france", "antilles_channel": "france"},
               conflict=["martinique"])
    seat = at.state.seat("britain")
    assert market("martinique").price(at.state, seat).total == 2 and clear("martinique", "minor").price(at.state, seat).total == 1


def test_IS_2_6_1_where_a_marker_may_lie():
    state = board(flags={"savoy": "france"}, conflict=["sweden"]).state
    able = [space for space in ("savoy", "russia", "albany", "sweden", "gibraltar", "biscay", "arcot")
            if control.can_be_marked(state, space)]
    assert able == ["savoy", "russia", "albany"]


@pytest.mark.parametrize("space", ["martinique", "savoy"])
def test_IS_2_6_3_a_marker_sets_the_base_price_to_one(space):
    at = scene(active="britain", tile="3 EP / 2 DP, event", flags={space: "france", "vandavasi": ""}, conflict=[space])
    price: Any = next(option for option in at.options("britain") if getattr(option, "space", "") == space)
    assert price.price(at.state, at.state.seat("britain")).parts[0].amount == 1


def test_IS_2_6_5_a_marker_goes_with_control_or_for_military_points():
    g = board(flags={"savoy": "france"}, conflict=["savoy", "sweden"])
    control.unflag(g, "savoy")
    control.remove_conflict(g, "sweden")
    assert g.state.conflict == {}


def test_IS_2_6_7_the_flag_under_a_marker_is_a_flag():
    state = board(flags={"mysore": "france"}, conflict=["mysore"]).state
    assert state.controls("france", "mysore") and not state.works("france", "mysore")
    assert state.holders == {"power_struggle": "france"}


# --- isolation (2.7) --------------------------------------------------------------------------------------------------

def test_IS_2_7_4_an_isolated_market_costs_one_and_counts():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"cumberland": "france"})
    assert at.state.current.isolated == ["cumberland"]
    assert market("cumberland").price(at.state, at.state.seat("britain")).total == 1
    assert control.goods_count(at.state, "france", "furs") == 2         # with Cataraqui


def test_IS_2_7_5_a_marker_isolates_others_and_not_its_own_market():
    flags = {"quebec_montreal": "france", "cataraqui": "france", "niagara": "france"}
    assert control.isolated(board(flags=flags, conflict=["niagara"]).state) == []
    assert control.isolated(board(flags=flags, conflict=["cataraqui"]).state) == ["niagara"]


# --- forts and squadrons (2.8), counts (2.9) --------------------------------------------------------------------------

def test_IS_2_8_1_and_2_8_2_a_flag_is_a_fort_and_a_damaged_one_lends_nothing():
    state = board(flags={"arcot": "france", "vandavasi": "france"}, damaged=["arcot"]).state
    assert control.sound_forts(state, "france") == ["vandavasi"] and control.sound_forts(state, "britain") == []
    assert control.flag_count(state, "france", "india") == 2


def test_IS_2_8_5_and_2_8_6_eight_squadrons_and_which_are_built():
    g = board(flags={"biscay": "france"}, own={"france": {"unbuilt": 3, "navy_box": 2, "away": 1, "gone": 1}})
    assert g.state.built("france") == 3
    control.move_squadron(g, "france", "navy_box", "away")
    control.move_squadron(g, "france", "biscay", "gone")
    control.move_squadron(g, "france", "unbuilt", "navy_box")
    own = g.state.own["france"]
    assert (own.unbuilt, own.navy_box, own.away, own.gone, g.state.built("france")) == (2, 2, 2, 2, 2)


def test_IS_2_9_3_goods_are_counted_by_markets():
    """Isolated ones too, without those under a marker [IS-2.9.3]."""
    state = board(flags={"york_factory": "france", "albany": "france", "niagara": "britain"}, conflict=["albany"]).state
    assert [control.goods_count(state, side, "furs") for side in SIDES] == [1, 1]


# --- set-up (3) -------------------------------------------------------------------------------------------------------

def test_IS_3_4_and_3_5_and_3_10_the_start():
    """15 Succession events, 24 tiles, 16 and 12 war tiles, France with the initiative [IS-3.4 to 3.6, 3.9 to 3.11]."""
    state = state_of(phase="setup")
    assert len(state.deck) == 15 and len(state.stack) == 24 and state.initiative == "france"
    assert [len(PARTS.basic_of(side)) for side in SIDES] == [16, 16] == [len(state.own[side].basic_pool) for side in SIDES]
    assert {len(PARTS.bonus_of(side, war.id)) for side in SIDES for war in PARTS.wars} == {12}
    assert not any(state.own[side].hand or state.own[side].ministries for side in SIDES) and len(PARTS.award_tiles) == 8


# --- the peace turn (4) -----------------------------------------------------------------------------------------------

def test_IS_4_1_1_the_empire_events_come_and_the_discards_stay_out():
    at = scene(phase="peace", turn="T3", dice=FAIR, deck=["ev_01"], discards=["ev_02"])
    there = [*at.state.deck, *at.state.own["britain"].hand, *at.state.own["france"].hand]
    assert sorted(there) == ["ev_01", *(f"ev_{n}" for n in range(16, 31))] and at.state.discards == ["ev_02"]


def test_IS_4_1_2_discards_shuffled_later_lose_their_succession_events():
    at = scene(phase="peace", turn="T6", dice=FAIR, deck=[], discards=["ev_02", "ev_16", "ev_31"],
               award_pool=[f"award_{n}" for n in range(1, 5)])
    assert sorted([*at.state.own["britain"].hand, *at.state.own["france"].hand]) == ["ev_16", "ev_31"]


def test_IS_4_4_and_4_6_what_is_turned_up_at_the_start_of_a_turn():
    """Three of six goods, an award tile a region, nine tiles; in this order [IS-4.3, 4.4, 4.6.1]."""
    at = scene(phase="peace", turn="T3", dice=FAIR)
    kinds = [type(event) for event in at.events(Event) if isinstance(event, AwardsTurned | DemandChanged | TilesTurned)]
    assert kinds == [AwardsTurned, DemandChanged, TilesTurned]
    assert len(at.state.demand) == 3 and set(at.state.awards) == set(REGIONS) and len(at.state.available) == 9


def test_IS_4_6_4_discards_and_played_events_are_open_to_all():
    at = scene(discards=["ev_01"], played=["ev_02"])
    seen = at.game.views.view(at.state, None)
    assert (seen.discards, seen.played) == (("ev_01",), ("ev_02",))


def test_IS_4_7_and_12_1_thirteen_ministries_a_side():
    """Two that the era allows, laid face down at the same time [IS-4.7, 4.7.3, 12.1]."""
    assert [len(PARTS.ministries_of[side]) for side in SIDES] == [13, 13]
    state = state_of(turn="T5")
    assert places(state, "france") == (2, 2)
    assert eligible(state, "france") == ["M-4", "M-13", "M-14", "M-23", "M-24", "M-25", "M-26"]
    at = scene(phase="peace", turn="T5", dice=FAIR)
    assert at.asked() == [("britain", "IS-18.2"), ("france", "IS-18.2")]
    assert all(len(at.state.own[side].hand) == 3 for side in SIDES)                     # events have been dealt before


@pytest.mark.parametrize("vp, initiative", [(10, "france"), (20, "britain"), (15, "britain")])
def test_IS_4_8_the_holder_of_the_initiative_names_who_goes_first(vp, initiative):
    at = scene(phase="peace", turn="T3", vp=vp, initiative="britain", dice=FAIR)
    for side in SIDES:
        at.say(side, at.default(side))
    assert at.asked() == [(initiative, "IS-18.3")] and at.default(initiative) == NameFirst(side=initiative)


def test_IS_4_8_not_on_the_first_turn():
    at = scene(phase="peace", turn="T1", vp=17, dice=FAIR)
    for side in SIDES:
        at.say(side, at.default(side))
    assert at.asked() == [("france", "IS-18.3")]


def test_IS_4_12_1_and_4_12_2_regions_then_prestige_then_goods():
    """In the order of the rules, goods in table order [IS-4.12, 4.12.1 to 4.12.3, R-43]."""
    at = scene(phase="scoring", dice=FAIR, awards=AWARDS, demand=("furs", "sugar", "spice"))
    assert [event.region for event in at.events(AwardWon)] == list(REGIONS)
    assert [event.what for event in at.events(Compared)] == ["prestige", "furs", "spice", "sugar"]


def test_IS_4_12_6_treaty_points_won_may_exceed_four():
    at = scene(phase="scoring", turn="T2", dice=FAIR, awards={**AWARDS, "europe": "award_5"}, demand=(),
               own={"france": {"trp": 4}})
    assert at.state.own["france"].trp == 5


def test_IS_4_12_7_the_four_tiles_lie_aside_until_the_next_shuffle():
    at = scene(phase="peace", turn="T3", dice=FAIR, award_pool=[])
    assert not set(at.state.awards.values()) & set(at.state.award_pool)
    assert sorted([*at.state.awards.values(), *at.state.award_pool]) == [tile.id for tile in PARTS.award_tiles]


def test_IS_R_51_an_award_of_no_points_is_won():
    g = Game(state_of(awards={**AWARDS, "india": "award_7"}, flags={"mysore": "britain"}))
    score_award(g, "india")
    assert g.state.won_awards == {"india": "britain"} and (g.state.vp, g.state.own["britain"].trp) == (15, 1)


# --- debt and treaty points (9, 10) -----------------------------------------------------------------------------------

def test_IS_9_1_available_debt():
    assert board(own={"france": {"debt": 2, "limit": 7}}).state.own["france"].available == 5


def test_IS_R_41_each_item_of_forced_debt_is_booked_singly():
    g = board(own={"france": {"debt": 5}})
    for source in ("ev_05", "ev_26"):
        force_debt(g, "france", 1, source)
    assert (g.state.own["france"].debt, g.state.vp) == (6, 14)


def test_IS_10_1_treaty_points_are_kept_and_never_owed():
    g = board()
    gain_trp(g, "france", 6, "ev_29")
    assert g.state.own["france"].trp == 6
    gain_trp(g, "france", -9, "ev_25")
    assert g.state.own["france"].trp == 0


# --- victory (16) -----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("highest, winner", [([True] * 4, "france"), ([True, True, False, True], "")])
def test_IS_16_3_a_war_sweep_by_the_highest_rows(highest, winner):
    state = state_of(turn="WSS", phase="war")
    state.war = WarState(war="WSS", results=[
        TheaterResult(theater=number, strength={"britain": 0, "france": 9}, winner="france", margin=9, highest=top)
        for number, top in enumerate(highest, 1)])
    g = Game(state)
    assert check_war_sweep(g) == bool(winner) and g.state.winner == winner


# --- what is open (17) ------------------------------------------------------------------------------------------------

def test_IS_17_11_what_is_open_to_all():
    at = scene(own={"france": {"trp": 2, "gone": 1, "unbuilt": 6}}, demand=("furs",), awards=AWARDS, turn="T2",
               taken={"inv_20": "france"})
    seen = at.game.views.view(at.state, None)
    france = seen.sides[1]
    assert (france.trp, france.gone, france.unbuilt, france.navy_box) == (2, 1, 6, 1)
    assert seen.taken == (("inv_20", "france"),) and len(seen.available) == 9 and seen.regions[0].award == "award_3"
    assert [good.good for good in seen.goods if good.in_demand] == ["furs"]


def test_IS_17_13_an_observer_sees_what_both_see():
    at = scene(ministries={"france": ["M-1"], "britain": ["M-5"]}, own={side: {"hand": ["ev_03"]} for side in ("france",)})
    public = at.game.views.view(at.state, None)
    assert public.own_hand == public.own_ministries == () and [card.card for card in public.sides[0].ministries] == [""]


def test_IS_17_9_and_17_10_nobody_sees_a_choice_before_both_have_made_it():
    at = scene(phase="peace", turn="T2", dice=FAIR, deck=[f"ev_{n:02}" for n in range(7, 16)],
               award_pool=[f"award_{n}" for n in range(1, 5)],
               own={"france": {"hand": ["ev_01"]}, "britain": {"hand": ["ev_03"]}})
    before = at.game.views.view(at.state, None)
    at.say("france", Discard(cards=("ev_01",)))
    assert at.game.views.view(at.state, None) == before


def test_IS_17_7_and_17_8_nobody_is_shown_the_order_of_a_pile_or_a_hidden_award():
    at = scene(own={"france": {"hand": ["ev_03"]}}, award_pool=["award_1", "award_2", "award_4"], awards=AWARDS)
    before = [at.game.views.view(at.state, seat) for seat in (None, *map(Seat, at.state.seats))]
    for pile in (at.state.deck, at.state.stack, at.state.award_pool, *(own.basic_pool for own in at.state.own.values())):
        assert len(pile) > 1
        pile.reverse()
    assert [at.game.views.view(at.state, seat) for seat in (None, *map(Seat, at.state.seats))] == before


def test_IS_R_44_flags_in_the_United_States_spaces_count_for_North_America():
    flags = {"usa_prestige_2": "france", "usa_prestige_3": "france", "albany": "britain"}
    state = state_of(turn="T6", empty_map=True, flags=flags)
    assert [control.flag_count(state, side, "north_america") for side in ("france", "britain")] == [2, 1]


# --- decision points (18) ---------------------------------------------------------------------------------------------

def test_IS_18_14_debt_is_offered_point_by_point_and_is_no_default():
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"trp": 1}})
    at.say("france", politics("savoy"))
    ways = {(option.debt, option.trp) for option in at.offered("france", ShiftPolitical) if option.space == "russia"}
    assert ways == {(1, 0), (0, 1)} and at.default("france") == EndRound()


def test_IS_18_15_each_squadron_can_go_to_each_sea():
    at = scene(active="france", tile="4 MP / 2 EP", flags={"biscay": "france", "gulf_of_maine": ""},
               own={"france": {"navy_box": 1}})
    assert {option.origin for option in at.offered("france", Deploy) if option.to == "gulf_of_maine"} == {"navy_box", "biscay"}
    assert at.default("france") == Pass()


def test_IS_18_18_an_event_is_drawn_by_choice_and_then_nothing_is_taken_back():
    at = scene(active="france", tile="4 DP / 2 MP", dice=FAIR)
    assert at.default("france") != DrawEvent.of("major", 0, 0)
    at.say("france", DrawEvent.of("major", 0, 0))
    assert any(event.binding(at.state, at.state.seat("france")) == "draw" for event in at.events(Event))
