"""Rules of Attack! outside battles, each by its number, where no golden test says it already."""
from __future__ import annotations

from engine.games.attack import GAME
from engine.games.attack.pictures.scenes import Board
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import Propose
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.setup import Capital, CardsDealt, Claim, Colour, Deploy
from engine.games.attack.rules.trade import Offer, Recall
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


def test_ATK_3_2_1_RUL_03_those_who_tie_for_the_highest_roll_again():
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


def test_D_05_silence_ends_the_turn_and_spends_nothing():
    made = scene(land=TWO)
    made.say("red", Begin(action="movement"))
    assert made.default("red") == End()


# --- movement (chapters 5, 6, 10, 11) ---------------------------------------------------------------------


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


# --- neutrals and spoils (chapters 8, 9) -------------------------------------------------------------------


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


def test_ATK_20_7_both_sides_learn_the_spoils_and_nobody_else():
    made = scene(powers=THREE, land={**FAR, "panama": ("blue", "1I"), "colombia": ("red", "2I")},
                 hands={"blue": ("oil_4",)}, dice=["- -", "I -", (1,)])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="colombia", to="panama"), Confirm())
    assert made.private_lines("red") == ["You took Oil 4 from Blue."] and made.private_lines("green") == []
    assert made.private_lines("blue") == ["Red took Oil 4 from you."] and not any("Oil" in line for line in made.lines())


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


# --- the end (chapter 19) --------------------------------------------------------------------------------------


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


def test_ATK_19_3_6_one_who_declines_lets_it_go_on_and_another_round_may_propose_again():
    made = scene(land=TWO)
    made.say("red", Propose(), End())
    made.say("blue", Answer(accept=False))
    made.say("blue", End())
    assert made.state.round == 2 and list(Propose.options(made.state, made.state.seat("red")))


def test_ATK_19_3_4_a_round_is_counted_from_the_next_seat_if_the_first_is_out():
    made = scene(powers=THREE, land={key: FAR[key] for key in ("france", "mozambique")}, out=("red",), first="red", active="blue",
                 options={"end_mode": "last_standing"})
    made.say("blue", End())
    made.say("green", End())
    assert made.asked() == [("blue", "D-04")] and made.state.round == 2
