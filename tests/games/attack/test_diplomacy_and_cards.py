"""Chapters 14 to 16: diplomacy and the rivals after a failure, economic cards and their sets, capitals."""
from __future__ import annotations

import pytest

from engine.games.attack.rules.cards import CardDrawn, production_points, set_weight
from engine.games.attack.rules.diplomacy import Diplomacy, DiplomacyFailed, DiplomacyTried, TerritoryWon
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.rolls import RolledTogether
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.text import say
from tests.games.attack.scene import Scene, scene

FOUR = ("red", "blue", "green", "brown")
LAND = {"mexico": ("red", "1I"), "france": ("blue", "1I"), "italy": ("green", "1I"), "poland": ("brown", "1I")}
FAILED = (1, 2)
SPREAD = ("oil_4", "oil_1", "minerals_2", "minerals_3", "factories_1", "factories_3", "railroads_2", "railroads_4")


def tried(territory: str, *dice: tuple[int, ...], **more: object) -> Scene:
    """Red negotiates; the dice are its own, then those of the rivals (Blue, Green, Brown), then the card."""
    made = scene(**{"powers": FOUR, "land": LAND, "dice": dice, **more})        # type: ignore[arg-type]
    made.say("red", Diplomacy(territory=territory))
    return made


# --- diplomacy (chapter 14) -----------------------------------------------------------------------------

@pytest.mark.parametrize(("territory", "needed"), [
    ("panama", 8), ("southern_us", 8), ("cuba", 8), ("venezuela", 8), ("mozambique", 9), ("ontario", 9)])
def test_ATK_14_1_2_eight_for_a_neighbour_by_land_or_by_sea_and_nine_for_all_others(territory, needed):
    made = tried(territory, FAILED, (1,) * 6)
    assert [event.target for event in made.events(DiplomacyTried)] == [needed]
    just, short = {8: ((4, 4), (4, 3)), 9: ((5, 4), (4, 4))}[needed]
    assert tried(territory, just, (1,)).land(territory) == ("red", "1I")
    assert tried(territory, short, (1,) * 6).land(territory) == ("", "")


@pytest.mark.parametrize(("territory", "odds"), [
    ("panama", "8 or more on two dice: 42%"), ("ontario", "9 or more on two dice: 28%")])
def test_ATK_14_1_2_a_choice_says_how_probable_it_is(territory, odds):
    made = scene(powers=FOUR, land=LAND)
    told = Diplomacy(territory=territory).hazard(made.state, made.state.seat("red"))
    assert told is not None and say(told) == odds


def test_ATK_14_1_2_what_others_own_brings_nothing_near():
    assert tried("germany", (4, 4), (1,) * 6).events(DiplomacyTried)[0].target == 9


def test_ATK_14_1_3_the_controller_is_not_asked_and_sea_links_count_all_the_same():
    made = tried("cuba", (4, 4), (1,), controller="blue", fleets={"blue": "1B"})
    assert made.land("cuba") == ("red", "1I") and made.asked() == [("red", "D-04")]


def test_ATK_14_2_1_success_brings_an_infantry_the_territory_and_the_top_card():
    made = tried("panama", (6, 6), (3,))
    assert made.land("panama") == ("red", "1I") and not made.events(RolledTogether)
    (drawn,) = made.events(CardDrawn)
    assert drawn.power == "red" and len(made.hand("red")) == 1 and len(made.state.deck) == 59
    assert made.state.turn.taken == ["diplomacy"]


def test_ATK_14_3_1_every_other_player_rolls_and_the_highest_of_nine_or_more_wins():
    made = tried("panama", FAILED, (4, 5, 5, 5, 6, 2), (1,))
    (rolled,) = made.events(RolledTogether)
    assert {power: sum(dice) for power, dice in rolled.dice.items()} == {"blue": 9, "green": 10, "brown": 8}
    assert made.land("panama") == ("green", "1I") and made.events(TerritoryWon)[0].power == "green"


def test_ATK_14_3_1_players_who_are_out_do_not_roll():
    made = tried("panama", FAILED, (1,) * 4, out=("green",), options={"end_mode": "last_standing"},
                 land={land: owner for land, owner in LAND.items() if owner[0] != "green"})
    assert [*made.events(RolledTogether)[0].dice] == ["blue", "brown"]


def test_ATK_14_3_2_rivals_need_nine_even_next_to_the_territory():
    beside = {**LAND, "colombia": ("blue", "1I")}
    assert tried("panama", FAILED, (4, 4, 1, 1, 1, 1), land=beside).land("panama") == ("", ""), "eight is not enough"
    assert tried("mozambique", FAILED, (4, 5, 1, 1, 1, 1), (1,)).land("mozambique") == ("blue", "1I"), "nine is, from afar"


def test_ATK_14_3_2_in_a_reroll_only_the_order_counts_and_those_who_tie_again_roll_again():
    made = tried("panama", FAILED, (5, 5, 4, 6, 5, 4), (1, 1, 1, 1), (1, 2, 1, 1), (1,))
    assert [[*event.dice] for event in made.events(RolledTogether)] == [
        ["blue", "green", "brown"], ["blue", "green"], ["blue", "green"]]
    assert made.land("panama") == ("blue", "1I"), "with a three"


def test_ATK_14_3_3_the_rival_who_wins_gets_infantry_territory_and_card_and_the_action_is_spent():
    made = tried("panama", FAILED, (6, 6, 1, 1, 1, 1), (5,))
    assert made.land("panama") == ("blue", "1I") and len(made.hand("blue")) == 1 and made.hand("red") == []
    assert made.state.turn.taken == ["diplomacy"] and made.asked() == [("red", "D-04")]


def test_ATK_14_3_4_if_no_rival_reaches_nine_the_territory_stays_neutral_and_no_card_is_drawn():
    made = tried("panama", FAILED, (4, 4, 2, 6, 1, 1))
    assert made.land("panama") == ("", "") and made.events(CardDrawn) == [] and len(made.state.deck) == 60
    assert [event.territory for event in made.events(DiplomacyFailed)] == ["panama"]
    assert made.lines()[-1] == "Nobody else rolls enough: Panama stays neutral."
    assert "Red negotiates with Panama, needs 8 and rolls 3." in made.lines()


def test_ATK_14_3_5_nobody_is_asked_whether_to_roll_and_who_is_absent_rolls_too():
    made = scene(powers=FOUR, land=LAND, dice=[FAILED, (1, 1, 6, 6, 1, 1), (1,)])
    made.table.absent = {made.state.seat("green")}
    made.table.answer(made.state.seat("red"), Diplomacy(territory="panama"))
    assert made.land("panama") == ("green", "1I") and {*made.events(RolledTogether)[0].dice} == {"blue", "green", "brown"}


def test_ATK_14_4_1_only_the_new_owner_learns_the_card_and_its_defenders_do_not_come():
    made = tried("panama", FAILED, (6, 6, 1, 1, 1, 1), (60,))
    (kind,) = made.hand("blue")
    name, weight = kind.split("_")
    assert made.private_lines("blue") == [f"You drew {name.capitalize()} {weight}."]
    assert all(made.private_lines(power) == [] for power in ("red", "green", "brown"))
    assert made.lines()[-1] == "Blue draws an economic card." and made.land("panama") == ("blue", "1I")


def test_ATK_14_4_2_the_same_territory_may_be_tried_again_in_the_same_turn():
    made = tried("panama", FAILED, (1,) * 6, (4, 4), (1,))
    made.say("red", Diplomacy(territory="panama"))
    assert made.land("panama") == ("red", "1I") and made.state.turn.taken == ["diplomacy", "diplomacy"]


def test_D_17_silence_names_no_target_and_ends_the_turn():
    made = scene(powers=FOUR, land=LAND)
    assert made.default("red") == End()
    made.say("red", End())
    assert made.events(DiplomacyTried) == [] and made.asked() == [("blue", "D-04")]


# --- cards (chapter 15) ---------------------------------------------------------------------------------

def test_ATK_15_2_1_a_failed_attack_and_a_turn_without_conquest_bring_no_card():
    made = scene(powers=("red", "blue"), land={"mexico": ("red", "3I"), "southern_us": ("blue", "1I"), "france": ("blue", "1I")},
                 hands={"blue": ("oil_2",)}, dice=["I -"])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"), Confirm(), End())
    assert made.land("southern_us") == ("blue", "1I") and made.hand("red") == [] and made.hand("blue") == ["oil_2"]


def test_ATK_15_2_2_a_hand_has_no_limit_and_need_not_match_the_territories():
    thirty = tuple(card.id for card in scene(land=LAND, powers=FOUR).parts.cards[:30])
    made = tried("panama", (6, 6), (1,), hands={"red": thirty})
    assert len(made.hand("red")) == 31 and len(made.state.territories("red")) == 2 and made.asked() == [("red", "D-04")]


def test_ATK_15_2_3_production_uses_the_weights_and_keeps_the_cards():
    made = scene(powers=FOUR, land=LAND, hands={"red": SPREAD})
    before = made.hand("red")
    for _ in range(2):
        assert production_points(made.state, "red") == 40
        made.say("red", Begin(action="production"))
        assert made.state.turn.points == 40
        made.say("red", Confirm(), End())
        for power in FOUR[1:]:
            made.say(power, End())
        assert made.hand("red") == before


@pytest.mark.parametrize(("hand", "weight", "points"), [
    (("oil_3", "minerals_1", "factories_1", "railroads_1"), 6, 12),
    (("population_4", "oil_3", "minerals_1", "factories_1"), 0, 9),
    (("population_4", "population_4", "population_3", "population_2"), 0, 13),
    (SPREAD, 20, 40),
    (("oil_4", "oil_1", "oil_1", "minerals_2", "factories_2", "railroads_2"), 10, 22)])
def test_ATK_15_3_1_to_15_3_3_sets(hand, weight, points):
    """ATK-15.3.1, ATK-15.3.2, ATK-15.3.3: population never counts, each card once, the heaviest of each type first."""
    made = scene(powers=("red", "blue"), land={"mexico": ("red", "1I"), "france": ("blue", "1I")})
    ids = [next(card.id for card in made.parts.cards if card.kind == kind) for kind in hand]
    assert set_weight(made.parts, ids) == weight
    made.state.hands["red"] = ids
    assert production_points(made.state, "red") == points


def test_ATK_15_4_1_with_all_territories_owned_the_deck_still_has_cards():
    parts = scene(powers=FOUR, land=LAND).parts
    assert len(parts.cards) - len(parts.territories) == 8
    owned = {land.id: ("blue", "1I") for land in parts.territories if land.id not in ("mexico", "panama")}
    held = [card.id for card in parts.cards[:51]]
    made = scene(powers=("red", "blue"), land={**owned, "mexico": ("red", "1I")}, hands={"blue": held}, dice=[(6, 6), (1,)])
    made.say("red", Diplomacy(territory="panama"))
    assert len(made.state.deck) == 8 and not made.state.any_neutral


# --- capitals (chapter 16) ------------------------------------------------------------------------------

def capitals(*, lost: bool) -> Scene:
    """Blue's capital in Southern US, which Red has taken in the last action."""
    made = scene(powers=("red", "blue"), land={"mexico": ("red", "4I"), "southern_us": ("blue", "1I"), "france": ("blue", "1I")},
                 capitals={"mexico": "red", "southern_us": "blue"}, dice=["- -", "I - -"])
    if lost:
        made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us", number=3), Confirm())
        made.keep_silent(until="D-04")
    return made


def test_ATK_16_1_1_a_capital_stays_where_it_was_put():
    before, after = capitals(lost=False), capitals(lost=True)
    assert after.state.capitals == before.state.capitals and after.state.owner["southern_us"] == "red"


def test_ATK_9_1_5_and_16_1_2_ten_points_for_each_capital_owned_whoever_put_it_there():
    before, after = capitals(lost=False), capitals(lost=True)
    assert [production_points(before.state, power) for power in ("red", "blue")] == [10, 10]
    assert [production_points(after.state, power) for power in ("red", "blue")] == [20, 0]


def test_ATK_16_1_3_who_has_lost_the_capital_plays_on_with_everything_else():
    made = capitals(lost=True)
    made.say("red", End())
    assert made.asked() == [("blue", "D-04")] and made.state.out == []
    assert {type(option).__name__ for option in made.options("blue")} >= {"Begin", "Diplomacy", "End"}
    made.say("blue", Begin(action="production"), Confirm())
