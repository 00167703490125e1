"""Rules of Attack! outside battles, each by its number, where no golden test says it already."""
from __future__ import annotations

import pytest

from engine.games.attack import GAME
from engine.games.attack.pictures.scenes import Board
from engine.games.attack.rules.cards import production_points
from engine.games.attack.rules.combat import Attack, CommandTaken, SpoilsTaken
from engine.games.attack.rules.crossings import ON_MINE, Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import GameEnded, PlayerOut, Propose, Time
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.setup import RANDOM, Capital, CardsDealt, Claim, Colour, Deploy
from engine.games.attack.rules.trade import CardsTraded, Offer, Recall
from engine.games.attack.rules.turns import Begin, Confirm, End
from renderer.games.attack.board import lines
from tests.games.attack.scene import FAIR, scene

TWO = {"mexico": ("red", "2I 1T 1A 1P"), "panama": ("red", "1I"), "france": ("blue", "1I"), "italy": ("blue", "1I")}
THREE = ("red", "blue", "green")
FAR = {"mexico": ("red", "1I"), "france": ("blue", "1I"), "mozambique": ("green", "1I")}


# --- setup (chapter 3) ----------------------------------------------------------------------------------

def test_ATK_3_1_3_everybody_is_dealt_four_cards_and_only_the_owner_learns_which():
    made = scene(phase="setup", powers=THREE, dice=FAIR)
    assert [len(made.state.hands[power]) for power in THREE] == [4, 4, 4] and len(made.state.deck) == 48
    assert [len(event.cards) for event in made.events(CardsDealt)] == [4, 4, 4]
    assert made.lines()[0] == "Red, Blue and Green are dealt 4 economic cards each."
    assert len(made.private_lines("red")) == 1 and not any("oil" in line.lower() for line in made.lines())


def test_ATK_3_2_1_those_who_tie_for_the_highest_roll_again():
    made = scene(phase="setup", powers=THREE, dice=[(1,) * 12, (6, 4, 5, 5, 1, 1), (1, 2, 3, 4)])
    assert made.state.powers[made.state.first] == "blue" and made.asked() == [("blue", "D-01")]
    assert made.lines()[-3:] == ["Roll for the first turn: Red 10, Blue 10 and Green 2.",
                                 "Roll for the first turn: Red 3 and Blue 7.", "Blue begins."]


def test_ATK_3_1_4_a_colour_can_be_changed_until_the_first_territory_is_claimed():
    made = scene(phase="claiming", pools={"red": "12I", "blue": "12I"}, hands={"red": ("oil_1",)})
    made.say("red", Colour(colour="gray"))
    assert made.state.powers == ["gray", "blue"] and made.hand("gray") == ["oil_1"] and made.asked() == [("gray", "D-01")]
    made.say("gray", Claim(territory="cuba"))
    assert made.land("cuba") == ("gray", "1I") and not list(Colour.options(made.state, made.state.seat("blue")))


def test_ATK_3_3_to_3_5_four_territories_five_units_and_a_capital_each_in_turn_order():
    made = scene(phase="claiming", powers=THREE, first="green", dice=FAIR,
                 pools={power: "12I 6T 4A 2P" for power in THREE})
    for _ in range(4):
        for power in ("green", "red", "blue"):
            assert made.asked() == [(power, "D-01")]
            made.say(power, made.default(power))
    assert [len(made.state.territories(power)) for power in THREE] == [4, 4, 4]
    placed: dict[str, list[str]] = {power: [] for power in THREE}
    for _ in range(5):
        for power in ("green", "red", "blue"):
            assert made.asked() == [(power, "D-02")]
            answer = made.default(power)
            assert isinstance(answer, Deploy)
            placed[power].append(answer.unit)
            made.say(power, answer)
    assert set(map(tuple, placed.values())) == {("plane", "tank", "artillery", "tank", "plane")}, "the fallback of D-02"
    assert [made.state.land_units(power) for power in THREE] == [9, 9, 9]
    for power in ("green", "red", "blue"):
        made.say(power, made.default(power))
    assert sorted(made.state.capitals.values()) == sorted(THREE) and made.asked() == [("green", "D-04")]
    assert made.state.pools == {}, "ATK-3.4.2"


def test_D_02_places_where_fewest_units_stand_and_then_what_is_most():
    made = scene(phase="deploying", land={"mexico": ("red", "2I"), "cuba": ("red", "1I"), "france": ("blue", "1I")},
                 pools={"red": "3I 1T", "blue": "3I 1T"})
    assert made.default("red") == Deploy(unit="tank", territory="cuba"), "its second placement"
    late = scene(phase="deploying", land={"mexico": ("red", "2I 2T 1A 2P"), "france": ("blue", "1I")}, pools={
        "red": "3I 4A", "blue": "1I"})
    assert late.default("red") == Deploy(unit="artillery", territory="mexico"), "from the sixth on the type with most left"


def test_D_03_takes_most_units_and_among_equals_fewest_foreign_neighbours():
    made = scene(phase="founding", land={"midwest": ("red", "2I"), "cuba": ("red", "2I"), "mexico": ("red", "1I"),
                                         "ontario": ("blue", "1I")})
    assert made.default("red") == Capital(territory="cuba")


def test_ATK_3_3_2_with_continent_spread_the_four_territories_lie_on_four_continents():
    made = scene(phase="claiming", options={"continent_spread": True}, dice=FAIR,
                 pools={"red": "12I 6T", "blue": "12I 6T"})
    for _ in range(4):
        for power in ("red", "blue"):
            made.say(power, Claim(territory=RANDOM))
    continents = [{made.parts.territory[land].continent for land in made.state.territories(power)} for power in ("red", "blue")]
    assert [len(found) for found in continents] == [4, 4]


def test_ATK_3_4_3_with_full_deployment_all_twenty_are_placed():
    made = scene(phase="deploying", options={"full_deployment": True}, pools={"red": "8I 6T 4A 2P", "blue": "8I 6T 4A 2P"},
                 land={"mexico": ("red", "4I"), "france": ("blue", "4I")})
    made.keep_silent(until="D-04")
    assert made.land("mexico") == ("red", "12I 6T 4A 2P") == (made.state.owner["mexico"], made.land("france")[1])


# --- the turn (chapter 4) -------------------------------------------------------------------------------

def test_ATK_4_1_10_the_third_action_ends_the_turn_and_a_trade_keeps_it_open():
    made = scene(land=TWO, taken=("movement", "diplomacy"))
    made.say("red", Begin(action="strategic_movement"), Confirm())
    assert made.asked() == [("blue", "D-04")]
    trading = scene(land=TWO, taken=("movement", "diplomacy"), hands={"red": ("oil_1", "oil_2")})
    trading.say("red", Offer(partner="blue", give=("oil_1",)))
    trading.say("blue", Answer(accept=True))
    assert trading.asked() == [("red", "D-04")] and trading.state.turn.taken[-1] == "trade"
    assert {type(option) for option in trading.options("red")} == {Offer, End}
    trading.say("red", End())
    assert trading.asked() == [("blue", "D-04")]


def test_ATK_4_1_12_an_action_can_be_dropped_until_it_is_confirmed():
    made = scene(land=TWO)
    made.say("red", Begin(action="movement"), Move(unit="tank", origin="mexico", to="panama"),
             Move(unit="plane", origin="mexico", to="cuba", way="water"), Drop())
    assert made.land("mexico") == ("red", "2I 1T 1A 1P") and made.land("panama") == ("red", "1I")
    assert made.state.turn.taken == [] and not made.state.turn.crossings and made.asked() == [("red", "D-04")]
    made.say("red", Begin(action="movement"), Move(unit="tank", origin="mexico", to="panama"), End())
    assert made.land("panama") == ("red", "1I") and made.asked() == [("blue", "D-04")], "what is not confirmed is not done"
    assert "Red drops its orders." in made.lines()


def test_D_05_silence_ends_the_turn_and_spends_nothing():
    made = scene(land=TWO)
    made.say("red", Begin(action="movement"))
    assert made.default("red") == End()


# --- movement (chapters 5, 6, 10, 11) ---------------------------------------------------------------------

def test_ATK_5_1_2_how_far_each_unit_goes():
    made = scene(land={**TWO, "southern_us": ("red", "1I")})
    made.say("red", Begin(action="movement"))
    goals = {unit: {move.to for move in made.options("red") if isinstance(move, Move)
                    and (move.origin, move.unit, move.way) == ("mexico", unit, "land")}
             for unit in ("infantry", "tank", "artillery", "plane")}
    assert goals["infantry"] == goals["artillery"] == {"panama", "southern_us", "western_us"}
    assert goals["tank"] == {"panama", "southern_us", "western_us", "colombia", "midwest", "eastern_us"}
    assert goals["plane"] == goals["tank"] | {"western_canada"}, "planes pass over all land"


def test_ATK_5_1_9_and_5_1_12_a_unit_may_leave_once_another_has_arrived_and_no_unit_moves_twice():
    made = scene(land={"mexico": ("red", "2T"), "panama": ("red", "1I"), "france": ("blue", "1I")})
    made.say("red", Begin(action="movement"))
    assert not made.allows("red", Move(unit="infantry", origin="panama", to="colombia"))
    made.say("red", Move(unit="tank", origin="mexico", to="panama"))
    assert made.allows("red", Move(unit="infantry", origin="panama", to="colombia")), "RUL-04"
    assert not made.allows("red", Move(unit="tank", origin="panama", to="colombia"))


def test_ATK_5_1_9_units_at_sea_count_nowhere():
    made = scene(land={"mexico": ("red", "2I"), "cuba": ("red", "1T"), "france": ("blue", "1I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="cuba", way="water"))
    assert not made.allows("red", Move(unit="tank", origin="cuba", to="panama", way="water"))
    made.say("red", Confirm())
    assert made.land("cuba") == ("red", "1I 1T") and made.land("mexico") == ("red", "1I"), "ATK-6.2.4: nobody is asked"


def test_ATK_5_2_3_the_active_player_names_the_next_battle_and_silence_takes_the_order_of_declaration():
    made = scene(land={**TWO, "southern_us": ("blue", "1I"), "colombia": ("blue", "1I")}, dice=["- -", "I -"])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Move(unit="plane", origin="mexico", to="colombia"), Confirm())
    assert made.asked() == [("red", "D-08")] and made.default("red") == Attack(territory="southern_us")
    assert [option for option in made.options("red")] == [Attack(territory="southern_us"), Attack(territory="colombia")]


def test_ATK_6_2_2_each_pair_of_origin_and_goal_is_answered_by_itself():
    made = scene(powers=THREE, controller="green", land={"cuba": ("red", "3I"), "mexico": ("red", "2I"), "panama": ("red", "1I"),
                                                         "france": ("blue", "1I"), "mozambique": ("green", "1I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="panama", way="water"),
             Move(unit="infantry", origin="mexico", to="cuba", way="water"),
             Move(unit="infantry", origin="cuba", to="panama", way="water"), Confirm())
    assert made.asked() == [("green", "D-06")]
    made.say("green", Permit(allow=True, crossing="cuba_to_panama"), Permit(allow=False, crossing="mexico_to_cuba"))
    assert (made.land("panama"), made.land("cuba"), made.land("mexico")) == (("red", "3I"), ("red", "1I"), ("red", "2I"))
    assert made.state.turn.taken == ["movement"], "ATK-6.2.14"
    made.say("red", Begin(action="blitz"))


def test_D_06_silence_refuses_what_ends_on_the_controllers_territories():
    made = scene(controller="blue", land={"cuba": ("red", "3I"), "panama": ("blue", "1I"), "france": ("blue", "1I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="panama", way="water"),
             Move(unit="infantry", origin="cuba", to="mexico", way="water"), Confirm())
    assert made.default("blue") == Permit(allow=False, crossing=ON_MINE)
    made.say("blue", Permit(allow=False, crossing="cuba_to_panama"))
    assert made.default("blue") == Permit(allow=True, crossing="cuba_to_mexico")
    made.say("blue", Permit(allow=False, crossing="cuba_to_mexico"))
    assert made.land("mexico") == ("", "") and made.state.battles == 0, "ATK-6.2.10: no battle, no card"


def test_ATK_11_1_chains_of_own_land_and_sea_join_any_distance_and_need_leave_by_sea_only():
    land = {"mexico": ("red", "3I"), "panama": ("red", "1I"), "colombia": ("red", "1I"), "cuba": ("red", "1I"),
            "france": ("blue", "1I"), "guiana": ("red", "1I")}
    made = scene(controller="blue", land=land)
    made.say("red", Begin(action="strategic_movement"))
    assert made.allows("red", Move(unit="infantry", origin="mexico", to="guiana", way="water")), "RUL-09: by Cuba"
    made.say("red", Move(unit="infantry", origin="mexico", to="colombia"))
    assert made.land("colombia") == ("red", "2I"), "ATK-11.1.8: by land it arrives as it is declared"
    made.say("red", Move(unit="infantry", origin="mexico", to="guiana", way="water"), Confirm())
    assert made.asked() == [("blue", "D-06")]
    made.say("blue", Permit(allow=False))
    assert made.land("mexico") == ("red", "2I") and made.land("guiana") == ("red", "1I")


# --- neutrals and spoils (chapters 8, 9) -------------------------------------------------------------------


def test_ATK_8_3_those_who_offer_roll_for_the_command():
    made = scene(powers=("red", "blue", "green", "brown"), dice=[(1,), (3, 3, 5, 5), (1, 6)],
                 land={**FAR, "italy": ("brown", "1I"), "cuba": ("red", "2I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="panama", way="water"), Confirm())
    assert sorted(made.asked()) == [("blue", "D-12"), ("brown", "D-12"), ("green", "D-12")]
    made.say("blue", Answer(accept=True))
    made.say("green", Answer(accept=True))
    assert made.events(CommandTaken) == [], "nobody sees an answer before the last one is in"
    made.say("brown", Answer(accept=False))
    assert [event.power for event in made.events(CommandTaken)] == ["green"]


def test_ATK_8_3_3_a_single_opponent_commands_without_being_asked_for_an_offer():
    made = scene(land={"cuba": ("red", "2I"), "france": ("blue", "1I")}, dice=[(1,), (6, 1)])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="panama", way="water"), Confirm())
    assert [event.power for event in made.events(CommandTaken)] == ["blue"]


def test_ATK_8_3_4_without_an_offer_the_engine_commands():
    made = scene(powers=THREE, land={**FAR, "cuba": ("red", "2I")}, dice=[(1,), (6, 1)])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="panama", way="water"), Confirm())
    made.say("blue", Answer(accept=False))
    made.say("green", Answer(accept=False))
    assert [event.power for event in made.events(CommandTaken)] == [""] and made.land("panama") == ("", "")


def test_ATK_15_4_2_an_empty_deck_sends_three_infantry_and_no_card():
    made = scene(land={"cuba": ("red", "2I 5T 4P"), "france": ("blue", "1I")}, deck=(),
                 dice=["- - -", "T P - - -", "- -", "T - - - -"])
    made.say("red", Begin(action="movement"), Move(unit="tank", origin="cuba", to="panama", number=2, way="water"),
             Move(unit="plane", origin="cuba", to="panama", way="water"), Confirm())
    made.keep_silent(until="D-04")
    assert made.land("panama") == ("red", "2T 1P") and made.hand("red") == []
    assert made.state.battles == 1
    tried = scene(land={"cuba": ("red", "2I"), "france": ("blue", "1I")}, deck=(), dice=[(6, 6)])
    tried.say("red", Diplomacy(territory="mozambique"))
    assert tried.land("mozambique") == ("red", "1I") and tried.hand("red") == []


def test_ATK_9_1_5_a_captured_capital_serves_its_new_owner():
    made = scene(land={"mexico": ("red", "2T"), "panama": ("blue", "1I"), "france": ("blue", "1I")}, dice=["- -", "T -"],
                 capitals={"mexico": "red", "panama": "blue"})
    made.say("red", Begin(action="movement"), Move(unit="tank", origin="mexico", to="panama"), Confirm())
    assert production_points(made.state, "red") == 20 and production_points(made.state, "blue") == 0
    assert made.events(SpoilsTaken) == [], "ATK-9.1.2"


def test_ATK_20_7_both_sides_learn_the_spoils_and_nobody_else():
    made = scene(powers=THREE, land={**FAR, "panama": ("blue", "1I"), "colombia": ("red", "2I")},
                 hands={"blue": ("oil_4",)}, dice=["- -", "I -", (1,)])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="colombia", to="panama"), Confirm())
    assert made.private_lines("red") == ["You took Oil 4 from Blue."] and made.private_lines("green") == []
    assert made.private_lines("blue") == ["Red took Oil 4 from you."] and not any("Oil" in line for line in made.lines())


# --- production (chapter 18) ---------------------------------------------------------------------------------

def test_ATK_18_2_prices_and_18_3_places():
    made = scene(land=TWO, capitals={"panama": "red", "mexico": "blue"}, hands={"red": ("oil_4",) + ("oil_3",) * 3})
    made.say("red", Begin(action="production"))
    assert made.state.turn.points == 33
    for kind, left in (("artillery", 25), ("submarine", 20), ("battleship", 10), ("infantry", 5)):
        made.say("red", Buy(kind=kind))
        assert made.state.turn.points == left
    assert not made.allows("red", Buy(kind="aircraft_carrier")) and made.default("red") == Buy(kind="infantry")
    assert not any("buy" in line for line in made.lines()), "ATK-20.9: others learn what was bought when it counts"
    made.say("red", Confirm())
    assert made.fleet("red") == "1B 1S" and made.default("red") == Deploy(unit="artillery", territory="panama"), "D-23"
    made.keep_silent(until="D-04")
    assert made.land("panama") == ("red", "2I 1A") and made.lines()[-3] == "Red buys 1 infantry, 1 artillery, 1 submarine and " \
        "1 battleship."


def test_D_23_goes_where_most_neighbours_are_foreign_if_the_own_capital_is_lost():
    made = scene(land={"midwest": ("red", "1I"), "cuba": ("red", "1I"), "ontario": ("blue", "1I"), "france": ("blue", "1I")},
                 capitals={"cuba": "blue", "france": "red"}, hands={"red": ("oil_3",)})
    made.say("red", Begin(action="production"), Buy(kind="infantry"), Confirm())
    assert made.default("red") == Deploy(unit="infantry", territory="midwest")


# --- trade (chapter 17) ----------------------------------------------------------------------------------------

def test_ATK_17_2_2_an_offer_a_counter_offer_and_a_deal_that_others_see_by_numbers():
    made = scene(powers=THREE, land=FAR, hands={"red": ("oil_2", "oil_1"), "blue": ("minerals_1", "factories_3")})
    made.say("red", Offer(partner="blue", give=("oil_2",), take=("minerals_1",)))
    assert made.asked() == [("blue", "D-20")]
    made.say("blue", Offer(partner="red", give=("factories_3",), take=("oil_1", "oil_2")))
    assert made.asked() == [("red", "D-19")] and made.default("red") == Answer(accept=False)
    made.say("red", Answer(accept=True))
    assert (made.hand("red"), made.hand("blue")) == (["factories_3"], ["minerals_1", "oil_1", "oil_2"])
    assert made.state.turn.taken == ["trade"] and made.lines()[-1] == "Blue gives Red 1 card for 2 cards."
    assert made.private_lines("green") == [] != made.private_lines("blue")


def test_ATK_17_1_2_one_trade_has_several_deals_and_closes_with_the_next_action():
    made = scene(powers=THREE, land=FAR, hands={"red": ("oil_2", "oil_1")})
    for partner, kind in (("blue", "oil_2"), ("green", "oil_1")):
        made.say("red", Offer(partner=partner, give=(kind,)))
        made.say(partner, Answer(accept=True))
    assert made.state.turn.taken == ["trade"] and len(made.events(CardsTraded)) == 2
    made.say("red", Begin(action="strategic_movement"), Confirm())
    assert not any(isinstance(option, Offer) for option in made.options("red"))


def test_ATK_17_2_3_an_offer_can_be_withdrawn_until_it_is_answered():
    made = scene(powers=THREE, land=FAR, hands={"red": ("oil_2",)})
    made.say("red", Offer(partner="blue", give=("oil_2",)), Recall())
    assert made.asked() == [("red", "D-04")] and made.state.turn.offers == 1 and made.hand("red") == ["oil_2"]
    assert made.private_lines("blue")[-2:] == ["Red withdraws the offer.", "No deal with Red."]
    made.say("red", Offer(partner="blue", give=("oil_2",)))
    made.say("blue", Offer(partner="red", give=(), take=("oil_2",)), Recall())
    assert made.asked() == [("red", "D-04")] and made.state.turn.offers == 2, "a counter-offer too"


def test_ATK_20_4_who_cannot_accept_is_asked_all_the_same():
    """Else a decline at once would tell everybody what the hand does not hold."""
    made = scene(powers=THREE, land=FAR, hands={"red": ("oil_2",), "blue": ("minerals_1",)})
    made.say("red", Offer(partner="blue", give=("oil_2",), take=("minerals_1",)))
    made.say("blue", Offer(partner="red", give=("minerals_1",), take=("factories_4",)))
    assert made.asked() == [("red", "D-19")]
    assert [option for option in made.options("red") if isinstance(option, Answer)] == [Answer(accept=False)]


def test_ATK_20_14_nobody_but_the_parties_reads_an_offer():
    made = scene(powers=THREE, land=FAR, hands={"red": ("oil_2",)})
    before = made.lines()
    made.say("red", Offer(partner="blue", give=("oil_2",), take=()))
    assert made.lines() == before and made.private_lines("green") == []
    assert made.private_lines("blue") == ["Red offers you Oil 2 as a gift."]


@pytest.mark.parametrize(("land", "options", "asked"), [
    ({"mexico": ("red", "1I"), "panama": ("blue", "1I"), "france": ("green", "1I")}, {}, "D-04"),
    ({"mexico": ("red", "1I"), "cuba": ("blue", "1I"), "france": ("green", "1I")}, {}, "D-21"),
    ({"mexico": ("red", "1I"), "cuba": ("blue", "1I"), "france": ("green", "1I")}, {"trade_contact": "land_or_sea"}, "D-04"),
])
def test_ATK_17_3_the_controller_blocks_only_deals_without_contact(land, options, asked):
    made = scene(powers=THREE, land=land, options=options, controller="green", hands={"red": ("oil_2",)})
    made.say("red", Offer(partner="blue", give=("oil_2",)))
    made.say("blue", Answer(accept=True))
    assert made.asked()[0][1] == asked
    if asked == "D-21":
        assert made.default("green") == Permit(allow=True) and not list(Recall.options(made.state, made.state.seat("red")))
        made.say("green", Permit(allow=True))
    assert made.hand("blue") == ["oil_2"]


def test_RUL_15_a_controller_who_is_a_party_is_not_asked():
    made = scene(powers=THREE, land=FAR, controller="blue", hands={"red": ("oil_2",)})
    made.say("red", Offer(partner="blue", give=("oil_2",)))
    made.say("blue", Answer(accept=True))
    assert made.hand("blue") == ["oil_2"]


# --- the end (chapter 19) --------------------------------------------------------------------------------------

def test_ATK_19_3_2_a_round_limit_closes_after_the_last_turn_of_its_round_and_most_territories_win():
    made = scene(powers=THREE, land={**FAR, "italy": ("blue", "1I")}, first="blue", round=8, options={"end_mode": "round_limit"})
    for power in ("blue", "green", "red"):
        made.say(power, End())
    (ended,) = made.events(GameEnded)
    assert ended.ranking == ("blue", "red", "green") and ended.winners == ("blue",)


def test_ATK_19_4_1_ties_go_by_land_units_and_then_the_victory_is_shared():
    made = scene(land={"mexico": ("red", "2I"), "france": ("blue", "1I 2T")}, round=8, options={"end_mode": "round_limit"})
    made.say("red", End())
    made.say("blue", End())
    assert made.state.winners == ["blue"]
    shared = scene(land={"mexico": ("red", "2I"), "france": ("blue", "1I 1T")}, round=8, options={"end_mode": "round_limit"})
    shared.say("red", End())
    shared.say("blue", End())
    assert shared.state.winners == ["red", "blue"]


def test_ATK_19_4_1_who_is_equal_shares_every_place_wherever_places_are_told():
    land = {"mexico": ("red", "1I"), "france": ("blue", "2I"), "panama": ("green", "1I"), "cuba": ("brown", "1I")}
    made = scene(powers=("red", "blue", "green", "brown"), land=land, round=8, options={"end_mode": "round_limit"})
    for power in ("red", "blue", "green", "brown"):
        made.say(power, End())
    ranked = [("blue", 1), ("red", 2), ("green", 2), ("brown", 2)]
    assert [(made.state.power(seat), place) for seat, place, _ in GAME.rules.standings(made.state)] == ranked
    seen = GAME.views.view(made.state, None)
    assert [*zip(seen.ranking, seen.places)] == ranked == [(line.power, line.place) for line in lines(Board(now=seen))]
    assert "Ranking: 1. Blue, 2. Red, 2. Green, 2. Brown." in GAME.views.describe(seen, 4_000)


def test_ATK_19_3_1_in_a_timed_game_the_round_in_which_time_runs_out_is_the_last():
    made = scene(land=TWO, options={"end_mode": "timed", "end_time": "2027-01-31T18:00"})
    made.tell(Time(time="late"))
    made.tell(Time(time="up"))
    made.say("red", End())
    assert not made.table.over
    made.say("blue", End())
    assert made.table.over


def test_ATK_19_3_6_all_agree_to_end_with_the_round():
    made = scene(powers=THREE, land=FAR)
    made.say("green", Propose())
    made.say("red", End())
    assert sorted(made.asked()) == [("blue", "D-24"), ("red", "D-24")]
    made.say("red", Answer(accept=True))
    made.say("blue", Answer(accept=True))
    made.say("blue", End())
    assert not made.table.over
    made.say("green", End())
    assert made.table.over and len(made.state.winners) == 3


def test_ATK_19_3_6_one_who_declines_lets_it_go_on_and_another_round_may_propose_again():
    made = scene(land=TWO)
    made.say("red", Propose(), End())
    made.say("blue", Answer(accept=False))
    made.say("blue", End())
    assert made.state.round == 2 and list(Propose.options(made.state, made.state.seat("red")))


def test_ATK_19_5_last_standing_goes_on_without_who_is_out_and_takes_cards_ships_and_control():
    made = scene(powers=THREE, land={**FAR, "panama": ("blue", "1I"), "colombia": ("red", "3I"), "france": ("red", "1I")},
                 hands={"blue": ("oil_4", "oil_3")}, fleets={"blue": "1B"}, controller="blue", dice=["- -", "I -", (1,)],
                 options={"end_mode": "last_standing"})
    before = len(made.state.deck)
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="colombia", to="panama"), Confirm())
    assert [event.power for event in made.events(PlayerOut)] == ["blue"] and made.state.controller == ""
    assert made.hand("red") == ["oil_4"] and made.hand("blue") == [] and len(made.state.deck) == before + 1
    assert made.fleet("blue") == "" and made.asked() == [("red", "D-04")]
    made.say("red", End())
    assert made.asked() == [("green", "D-04")], "ATK-19.5.3"
    made.say("green", End())
    assert made.asked() == [("red", "D-04")] and made.state.round == 2


def test_ATK_19_3_4_a_round_is_counted_from_the_next_seat_if_the_first_is_out():
    made = scene(powers=THREE, land={key: FAR[key] for key in ("france", "mozambique")}, out=("red",), first="red", active="blue",
                 options={"end_mode": "last_standing"})
    made.say("blue", End())
    made.say("green", End())
    assert made.asked() == [("blue", "D-04")] and made.state.round == 2
