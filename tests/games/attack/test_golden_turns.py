"""The golden tests of the rules outside battles (section 22), word for word with their numbers."""
from __future__ import annotations

from engine.games.attack.rules.cards import production_points, set_weight
from engine.games.attack.rules.combat import BattleBegun
from engine.games.attack.rules.crossings import Fly, Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import GameEnded, PlayerOut
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.state import size
from tests.games.attack.scene import scene


def test_GT_13_a_captor_takes_a_random_card_and_from_an_empty_hand_none():
    """ATK-9.1.2, ATK-9.1.6"""
    for hand, spoils in ((("oil_2", "minerals_1"), [(2,)]), ((), [])):
        red = scene(powers=("gray", "green"), hands={"green": hand}, dice=["P -", "P -", *spoils],
                    land={"poland": ("gray", "1I 1P"), "ukraine": ("green", "1I"), "italy": ("green", "1I")})
        red.say("gray", Begin(action="movement"), Move(unit="plane", origin="poland", to="ukraine"), Confirm())
        assert red.land("ukraine") == ("gray", "1P")
        assert red.hand("gray") == (["minerals_1"] if hand else [])
        assert len(red.hand("green")) == max(0, len(hand) - 1) and not red.dice_left


def test_GT_19_one_capital_a_set_of_nine_and_nine_more_give_37():
    gray = scene(powers=("gray", "green"), land={"poland": ("gray", "1I"), "italy": ("green", "1I")}, capitals={"poland": "gray"},
                 hands={"gray": ("oil_3", "minerals_2", "factories_2", "railroads_2", "population_4", "population_3", "oil_2")})
    assert set_weight(gray.parts, gray.state.hands["gray"]) == 9
    assert production_points(gray.state, "gray") == 37


def test_GT_20_what_is_not_spent_is_lost():
    gray = scene(powers=("gray", "green"), land={"poland": ("gray", "1I"), "italy": ("green", "1I")}, capitals={"poland": "gray"},
                 hands={"gray": ("oil_3", "minerals_2", "factories_2", "railroads_2", "population_4", "population_3", "oil_2")})
    gray.say("gray", Begin(action="production"), Buy(kind="tank"), Buy(kind="plane"), Buy(kind="destroyer"), Buy(kind="infantry"))
    assert gray.state.turn.points == 2
    gray.say("gray", Confirm(), Deploy(unit="plane", territory="poland"), Deploy(unit="tank", territory="poland"))
    assert gray.land("poland") == ("gray", "2I 1T 1P") and gray.fleet("gray") == "1D"
    assert gray.state.turn.points == 0 and gray.asked() == [("gray", "D-04")]


CUBA = {"cuba": ("blue", "3I 1P"), "iberia": ("red", "1I"), "france": ("red", "1I")}


def test_GT_24_refused_infantry_goes_back_and_planes_fly_on_alone():
    blue = scene(powers=("blue", "red"), land=CUBA, controller="red", dice=["- -", "P -"])
    blue.say("blue", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="iberia", number=2, way="water"),
             Move(unit="plane", origin="cuba", to="iberia", way="water", planes="on"), Confirm())
    assert blue.asked() == [("red", "D-06")]
    blue.say("red", Permit(allow=False))
    assert blue.land("cuba") == ("blue", "3I") and blue.land("iberia") == ("blue", "1P")
    assert blue.events(GameEnded) == [] and blue.state.owner["france"] == "red"


def test_GT_24_the_planes_are_asked_for_after_the_refusal_unless_the_order_says_it():
    blue = scene(powers=("blue", "red"), land=CUBA, controller="red", dice=["- -", "P -"])
    blue.say("blue", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="iberia", number=2, way="water"),
             Move(unit="plane", origin="cuba", to="iberia", way="water"), Confirm())
    blue.say("red", Permit(allow=False))
    assert blue.asked() == [("blue", "D-07")] and blue.default("blue") == Fly(on=False)
    blue.say("blue", Fly(on=True))
    assert blue.land("iberia") == ("blue", "1P")


def test_GT_25_planes_alone_need_no_leave():
    """ATK-5.1.8: and they hold what they take."""
    blue = scene(powers=("blue", "red"), land=CUBA, controller="red", dice=["- -", "P -"])
    blue.say("blue", Begin(action="movement"), Move(unit="plane", origin="cuba", to="iberia", way="water"), Confirm())
    assert blue.land("iberia") == ("blue", "1P") and not blue.dice_left


def test_GT_26_italy_and_ukraine_lie_on_one_anchor_zone():
    blue = scene(powers=("blue", "red"), land={"italy": ("blue", "2I"), "ukraine": ("blue", "1I"), "cuba": ("red", "1I")})
    blue.say("blue", Begin(action="movement"), Move(unit="infantry", origin="italy", to="ukraine", way="water"), Confirm())
    assert (blue.land("italy"), blue.land("ukraine")) == (("blue", "1I"), ("blue", "2I"))


def test_GT_27_a_tank_does_not_pass_neutral_land_and_a_plane_does():
    """ATK-5.1.11, ATK-8.1.1: the middle territory need not be named."""
    blue = scene(powers=("blue", "red"), land={"mexico": ("blue", "1I 1T 1P"), "colombia": ("red", "1I")})
    blue.say("blue", Begin(action="movement"))
    assert blue.refusal("blue", Move(unit="tank", origin="mexico", to="colombia")).rule == "ATK-5.1.4"
    assert blue.allows("blue", Move(unit="plane", origin="mexico", to="colombia"))
    assert blue.allows("blue", Move(unit="tank", origin="mexico", to="colombia", way="water"))


def test_GT_28_a_tank_goes_on_in_a_blitz_from_what_was_conquered_and_never_by_water():
    """ATK-8.4.1, ATK-10.1.4"""
    blue = scene(powers=("blue", "red"), land={"mexico": ("blue", "3I 1T"), "colombia": ("red", "1I"), "france": ("red", "1I")},
                 deck=["pop_01"], dice=[(1,), "- -", "I T -"])
    blue.say("blue", Begin(action="movement"), Move(unit="tank", origin="mexico", to="panama"),
             Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    blue.keep_silent(until="D-04")
    assert blue.land("panama") == ("blue", "1I 1T") and blue.hand("blue") == ["population_1"]
    blue.say("blue", Begin(action="blitz"))
    assert blue.refusal("blue", Move(unit="tank", origin="panama", to="cuba", way="water")).rule == "ATK-10.1.3"
    assert blue.refusal("blue", Move(unit="infantry", origin="panama", to="colombia")).rule == "ATK-10.1.2"
    assert blue.allows("blue", Move(unit="tank", origin="panama", to="colombia"))


def test_GT_29_the_last_unit_stays():
    blue = scene(powers=("blue", "red"), land={"mexico": ("blue", "1T"), "panama": ("blue", "1I"), "cuba": ("red", "1I")})
    blue.say("blue", Begin(action="movement"))
    assert blue.refusal("blue", Move(unit="tank", origin="mexico", to="panama")).rule == "ATK-4.1.7"


def test_GT_30_neutrals_that_win_leave_the_territory_empty_and_their_card_in_the_deck():
    blue = scene(powers=("blue", "red"), land={"mexico": ("blue", "2I"), "france": ("red", "1I")}, dice=[(1,), "I -"])
    before = len(blue.state.deck)
    blue.say("blue", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    assert blue.land("panama") == ("", "") and blue.land("mexico") == ("blue", "1I")
    assert len(blue.state.deck) == before and blue.state.battle is None and not blue.hand("blue")
    assert blue.events(BattleBegun)[0].card in blue.state.deck, "and any card may be the next: ATK-8.4.2"


def test_GT_31_rivals_who_share_the_highest_roll_roll_again():
    a = scene(powers=("red", "blue", "green", "brown"), dice=[(3, 4), (4, 5, 5, 6, 6, 5), (1, 2, 2, 3), (1,)],
              land={"mexico": ("red", "1I"), "france": ("blue", "1I"), "italy": ("green", "1I"), "poland": ("brown", "1I")})
    a.say("red", Diplomacy(territory="panama"))
    assert a.land("panama") == ("brown", "1I") and len(a.hand("brown")) == 1 and a.state.turn.taken == ["diplomacy"]


def test_GT_32_a_distant_territory_needs_nine_and_a_sea_linked_one_eight():
    for territory, owner in (("mozambique", ""), ("morocco", "red")):
        dice = [(4, 4), (1, 1)] if not owner else [(4, 4), (1,)]
        red = scene(land={"southern_us": ("red", "1I"), "france": ("blue", "1I")}, dice=dice)
        red.say("red", Diplomacy(territory=territory))
        assert red.land(territory) == (owner, "1I" if owner else "") and not red.dice_left


def test_GT_33_diplomacy_may_be_repeated_and_production_not():
    red = scene(land={"southern_us": ("red", "1I"), "france": ("blue", "1I")}, capitals={"southern_us": "red"},
                dice=[(1, 1), (1, 1), (1, 1), (1, 1)])
    red.say("red", Diplomacy(territory="mexico"), Begin(action="production"), Confirm())
    assert red.refusal("red", Begin(action="production")).rule == "ATK-4.1.3"
    red.say("red", Diplomacy(territory="mexico"))
    assert red.state.active == "blue"


def test_GT_34_sets_take_the_heaviest_cards():
    red = scene(land={"southern_us": ("red", "1I"), "france": ("blue", "1I")}, hands={
        "red": ("oil_4", "oil_1", "minerals_2", "minerals_2", "factories_3", "railroads_1", "railroads_3")})
    assert set_weight(red.parts, red.state.hands["red"]) == 12
    assert production_points(red.state, "red") == 28


def test_GT_35_a_blocked_deal_moves_no_card_and_spends_no_action():
    blue = scene(powers=("blue", "green", "red"), controller="red", hands={"blue": ("oil_2",), "green": ("minerals_1",)},
                 land={"mexico": ("blue", "1I"), "france": ("green", "1I"), "poland": ("red", "1I")})
    blue.say("blue", Offer(partner="green", give=("oil_2",), take=("minerals_1",)))
    blue.say("green", Answer(accept=True))
    assert blue.asked() == [("red", "D-21")]
    blue.say("red", Permit(allow=False))
    assert (blue.hand("blue"), blue.hand("green")) == (["oil_2"], ["minerals_1"])
    assert blue.state.turn.taken == [] and Offer(partner="green", give=("oil_2",), take=()) in blue.options("blue")


def test_GT_40_the_first_player_who_is_out_ends_the_game_in_the_middle_of_an_action():
    blue = scene(powers=("blue", "red", "green"), hands={"red": ("oil_2",)}, dice=["- -", "I -", (1,)],
                 land={"mexico": ("blue", "3I"), "western_us": ("red", "1I"), "southern_us": ("green", "1I"),
                       "cuba": ("green", "1I")})
    blue.say("blue", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="western_us"),
             Move(unit="infantry", origin="mexico", to="southern_us"), Confirm())
    assert blue.asked() == [("blue", "D-08")]
    blue.keep_silent()
    assert [event.power for event in blue.events(PlayerOut)] == ["red"] and blue.state.phase == "over"
    assert blue.hand("blue") == ["oil_2"], "the spoils come before the end"
    (ended,) = blue.events(GameEnded)
    assert (ended.ranking, ended.winners) == (("blue", "green", "red"), ("blue",))
    assert ended.territories == {"blue": 2, "red": 0, "green": 2}
    assert ended.units == {"blue": 3, "red": 0, "green": 2}, "attackers of a battle that is dropped count"
    assert blue.land("southern_us") == ("green", "1I") and size(blue.state.turn.entering["southern_us"]) == 1


def test_turns_go_around_the_table_and_nobody_acts_out_of_turn():
    red = scene(land={"mexico": ("red", "1I"), "france": ("blue", "1I")})
    assert red.asked() == [("red", "D-04")]
    red.say("red", End())
    assert red.asked() == [("blue", "D-04")] and red.state.round == 1
    red.say("blue", End())
    assert red.asked() == [("red", "D-04")] and red.state.round == 2
