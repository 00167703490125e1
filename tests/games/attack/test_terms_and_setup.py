"""Chapters 1 to 3 by their numbers: terms, the board, the setup."""
from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.components import SHIPS, UNITS, Parts
from engine.games.attack.options import CHOICES, Options
from engine.games.attack.rules.battle import BattleRolled, UnitsBrought
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.rolls import RolledTogether
from engine.games.attack.rules.setup import RANDOM, Capital, Claim, Colour, Deploy, StartFound, claimable, first_state
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.state import State, size
from engine.games.attack.view import view
from engine.games.attack.words.nouns import points
from engine.kernel import Seat, Table
from engine.refusals import Faulty
from engine.selfplay import new_table
from engine.text import say
from tests.games.attack.scene import FAIR, scene

PARTS: Parts = components(GAME, "base").parts
THREE = ("red", "blue", "green")
FAR = {"mexico": ("red", "1I"), "france": ("blue", "1I"), "mozambique": ("green", "1I")}


def begun(seats: int, **options: object) -> Table:
    """A new game at its first question."""
    return new_table(GAME, seats, "base", PARTS, SecretDice("a7" * 32), options=options)


# --- components and terms (chapter 1) ------------------------------------------------------------------------

def test_ATK_1_1_1_two_to_six_players():
    assert GAME.seats == range(2, 7)
    assert [begun(seats).state.phase for seats in GAME.seats] == ["claiming"] * 5


def test_ATK_1_1_2_and_3_1_4_the_colours_and_their_order():
    assert PARTS.numbers.player_colors == ("red", "blue", "green", "brown", "tan", "gray")
    assert begun(4).state.powers == ["red", "blue", "green", "brown"], "without a choice: the first free ones"


def test_ATK_1_1_5_and_1_1_6_RUL_02_units_are_counted_and_no_number_is_too_large():
    red = scene(land={"mexico": ("red", "900I 600T"), "panama": ("red", "300A"), "france": ("blue", "1I")})
    red.say("red", Begin(action="strategic_movement"), Move(unit="infantry", origin="mexico", to="panama", number=900),
            Move(unit="tank", origin="mexico", to="panama", number=599), Confirm())
    assert red.land("panama") == ("red", "900I 599T 300A") and red.land("mexico") == ("red", "1T")
    rich = scene(land={"mexico": ("red", "1I"), "france": ("blue", "1I")}, hands={"red": [card.id for card in PARTS.cards]})
    rich.say("red", Begin(action="production"), Buy(kind="infantry", number=15), Buy(kind="battleship", number=12), Confirm())
    assert rich.fleet("red") == "12B" and size(rich.state.turn.to_place) == 15, "more than any box holds"


def test_ATK_1_1_7_the_faces_of_the_battle_die():
    assert sorted(PARTS.faces) == sorted(["infantry", "tank", "artillery", "plane", "plane", "blank"])


def test_ATK_1_1_8_a_roll_may_need_more_dice_than_the_box_holds():
    tanks = "- - - - - - - -", "T T T T T T T T T T", "T - - - - - - - - -"
    red = scene(land={"poland": ("red", "1I 5T"), "ukraine": ("blue", "6P"), "france": ("blue", "1I")},
                dice=["- - - -", tanks[0], "- - - - -", tanks[1], "- -", tanks[2]])
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="poland", to="ukraine", number=5), Confirm())
    red.keep_silent(until="D-04")
    rolls = [(len(roll.dice), roll.hits) for roll in red.events(BattleRolled)]
    assert rolls == [(4, 0), (8, 0), (5, 0), (10, 5), (2, 0), (10, 1)]


def test_ATK_1_1_9_a_roll_of_2d6_is_the_sum_of_two_dice():
    made = scene(phase="setup", powers=THREE, dice=[(1,) * 12, (6, 1, 4, 4, 3, 3)])
    assert made.events(RolledTogether)[0].dice == {"red": (6, 1), "blue": (4, 4), "green": (3, 3)}
    assert made.events(StartFound)[0].power == "blue", "8 is more than 7, though 6 is the highest die"
    thrown = [dice for game in range(40) for entry in new_table(GAME, 6, "base", PARTS, SecretDice(f"{game:064x}")).fresh
              for event in entry.events if isinstance(event, RolledTogether) for dice in event.dice.values()]
    assert {value for dice in thrown for value in dice} == {1, 2, 3, 4, 5, 6}, "ordinary dice"


def test_ATK_1_1_10_PP_are_production_points():
    assert [say(points(n)) for n in (0, 1, 37)] == ["0 production points", "1 production point",
                                                               "37 production points"]


def test_ATK_1_2_1_the_old_owner_keeps_a_territory_while_it_is_fought_for():
    red = scene(land={"poland": ("red", "5I 2T"), "ukraine": ("blue", "6I"), "france": ("blue", "1I")})
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine", number=4),
            Move(unit="tank", origin="poland", to="ukraine", number=2), Confirm())
    s = red.state
    assert s.battle is not None and s.owner["ukraine"] == "blue" and len(s.territories("blue")) == 2
    assert "ukraine" not in s.units and s.standing("ukraine") == {"infantry": 6}, "ATK-7.1.2: off the map, and there all the same"
    assert (s.land_units("blue"), s.land_units("red")) == (7, 7) and "panama" in s.neutral()


def test_ATK_1_2_2_and_12_1_1_one_player_at_most_controls_the_sea_lanes():
    made = scene(powers=THREE, land=FAR, controller="green", fleets={"green": "1D"})
    seen = view(made.state, None)
    assert seen.controller == "green" and [power.controls_sea for power in seen.powers] == [False, False, True]
    assert view(scene(land={"mexico": ("red", "1I"), "france": ("blue", "1I")}).state, None).controller == ""


def test_ATK_1_2_3_a_damaged_battleship_is_not_fit():
    made = scene(powers=THREE, land=FAR, fleets={"red": "2B 1D 1S 1C"}, damaged={"red": 1})
    assert made.state.fit("red") == {"battleship": 1, "destroyer": 1, "submarine": 1, "aircraft_carrier": 1}
    assert made.state.ships("red") == 5


def test_ATK_1_2_4_a_unit_is_in_battle_or_in_reserve():
    red = scene(land={"poland": ("red", "7I"), "ukraine": ("blue", "5I 1P"), "france": ("blue", "1I")})
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine", number=6), Confirm())
    (line_up,) = red.events(UnitsBrought)
    battle = red.state.battle
    assert battle is not None and line_up.units == {"infantry": 4}
    assert (battle.attacker.fighting, battle.attacker.reserve) == ({"infantry": 4}, {"infantry": 2})
    assert (battle.defender.fighting, battle.defender.reserve) == ({}, {"infantry": 5, "plane": 1})


# --- the board (chapter 2) ------------------------------------------------------------------------------------

def test_ATK_2_1_3_land_out_of_play_is_neither_entered_nor_crossed_nor_owned():
    regions = {region.id for region in PARTS.unplayable_regions}
    assert regions and not regions & {*PARTS.territory} and not regions & {
        other for land in PARTS.territories for other in land.adjacent}
    red = scene(land={"urals": ("red", "2I 1P"), "france": ("blue", "1I")})
    red.say("red", Begin(action="movement"))
    for region in regions:
        assert red.refusal("red", Move(unit="plane", origin="urals", to=region)).rule == "ATK-2.1.1"


def test_ATK_2_2_1_zones_are_captions_and_their_shores_are_not_linked_by_them():
    red = scene(land={"alaska": ("red", "2I"), "france": ("blue", "1I")})
    red.say("red", Begin(action="movement"))
    assert red.refusal("red", Move(unit="infantry", origin="alaska", to="sz_gulf_of_alaska", way="water")).rule == "ATK-2.1.1"
    shores = next(zone for zone in PARTS.sea_zones if zone.id == "sz_gulf_of_alaska").coastal_territories
    assert "western_canada" in shores and PARTS.sea_linked["alaska"] == ("western_us",), "the one route there is"


def test_ATK_2_3_1_to_2_3_4_sea_links_are_the_active_routes_and_the_pairs_of_shores_of_an_anchor_zone():
    raw = components(GAME, "base").raw
    pairs = {frozenset((route["from"], route["to"])) for route in raw["sea_routes"] if route["active"]}
    for zone in raw["sea_zones"]:
        if zone["anchor"]:
            pairs |= {frozenset((a, b)) for a in zone["coastal_territories"] for b in zone["coastal_territories"] if a != b}
    assert {frozenset((land, other)) for land, others in PARTS.sea_linked.items() for other in others} == pairs
    assert all(land in PARTS.sea_linked[other] for land, others in PARTS.sea_linked.items() for other in others)


# --- the setup (chapter 3) --------------------------------------------------------------------------------------

@pytest.mark.parametrize("seats", GAME.seats)
def test_ATK_3_1_1_to_3_1_3_everybody_begins_with_a_pool_a_fleet_and_four_cards(seats: int):
    s: State = begun(seats).state
    for power in s.powers:
        assert s.pools[power] == {"infantry": 12, "tank": 6, "artillery": 4, "plane": 2}
        assert s.fleets[power] == {"battleship": 1, "destroyer": 2, "submarine": 2} and len(s.hands[power]) == 4
    assert s.controller == "" and len(s.deck) == 60 - 4 * seats and not s.owner
    assert {*s.pools[s.powers[0]]} == {*UNITS} and {*s.fleets[s.powers[0]]} < {*SHIPS}


def test_ATK_3_1_3_every_card_can_come_to_every_hand():
    dealt = [Counter(new_table(GAME, 2, "base", PARTS, SecretDice(f"{game:064x}")).state.hands["red"]) for game in range(300)]
    assert {*sum(dealt, Counter())} == {card.id for card in PARTS.cards}, "the whole deck is shuffled"
    assert max(sum(dealt, Counter()).values()) < 45, "20 of each are to be expected"


def test_ATK_3_1_4_colours_are_free_first_come_first_served():
    made = scene(phase="claiming", powers=THREE, pools={power: "12I" for power in THREE})
    made.say("green", Colour(colour="gray"))
    assert not made.allows("blue", Colour(colour="gray")) and not made.allows("blue", Colour(colour="red"))
    made.say("blue", Colour(colour="green"))
    assert made.state.powers == ["red", "green", "gray"] and made.state.seats == ["seat_1", "seat_2", "seat_3"]


def test_ATK_3_2_2_and_3_2_3_the_roll_decides_who_begins_and_play_goes_around_the_seats():
    made = scene(phase="setup", powers=THREE, dice=[(1,) * 12, (1, 1, 6, 6, 3, 3), *[(1,)] * 12],
                 pools={power: "12I 6T 4A 2P" for power in THREE})
    assert made.state.powers == [*THREE] and made.state.seats == ["seat_1", "seat_2", "seat_3"], "nobody changes his seat"
    for power in ("blue", "green", "red") * 4:
        assert made.asked() == [(power, "D-01")]
        made.say(power, Claim(territory=RANDOM))
    made.keep_silent(until="D-04")
    for power in ("blue", "green", "red"):
        assert made.asked() == [(power, "D-04")]
        made.say(power, End())
    assert made.asked() == [("blue", "D-04")] and made.state.round == 2


def test_ATK_3_3_1_one_infantry_of_the_pool_takes_a_neutral_territory():
    made = scene(phase="claiming", powers=THREE, pools={power: "12I" for power in THREE})
    made.say("red", Claim(territory="cuba"))
    assert made.land("cuba") == ("red", "1I") and made.state.pools["red"] == {"infantry": 11}
    assert made.refusal("blue", Claim(territory="cuba")).rule == "ATK-3.3.1"


@pytest.mark.parametrize("seed", range(3))
def test_ATK_3_3_3_RUL_27_with_continent_spread_six_players_always_find_a_continent(seed: int):
    table = new_table(GAME, 6, "base", PARTS, SecretDice(f"{seed:064x}"), options={"continent_spread": True})
    pick = random.Random(seed)
    while table.state.phase == "claiming":
        seat = table.waiting()[0].seat
        power = table.state.power(seat)
        free = list(claimable(table.state, power))
        own = {PARTS.territory[land].continent for land in table.state.territories(power)}
        assert free and not own & {PARTS.territory[land].continent for land in free}
        narrow = [land for land in free if PARTS.territory[land].continent in ("north_america", "south_america")] or free
        table.answer(seat, Claim(territory=pick.choice([*narrow, RANDOM])))
    for power in table.state.powers:
        assert len({PARTS.territory[land].continent for land in table.state.territories(power)}) == 4


def test_ATK_3_3_3_there_cannot_be_more_first_territories_than_continents():
    pack = {"parameters": [{"id": "setup_infantry_claims", "value": 5}]}
    parts = components(GAME, "base", json.dumps(pack)).parts
    seats = (Seat("seat_1"), Seat("seat_2"))
    assert first_state(seats, Options(), parts).parts.numbers.setup_infantry_claims == 5
    with pytest.raises(Faulty, match="on separate continents, up to 4 can play"):
        first_state(seats, Options(continent_spread=True), parts)


def test_D_02_and_ATK_21_6_1_silence_places_plane_tank_artillery_tank_plane_and_then_what_is_most():
    """8I 4T 3A are left after the fifth; of equally many, tank comes before artillery, and that before infantry [ATK-3.4.3]."""
    made = scene(phase="deploying", options={"full_deployment": True},
                 land={**dict.fromkeys(("mexico", "panama", "cuba", "chile"), ("red", "1I")),
                       **dict.fromkeys(("france", "italy", "egypt", "libya"), ("blue", "1I"))},
                 pools={"red": "8I 6T 4A 2P", "blue": "8I 6T 4A 2P"})
    placed = ""
    while made.asked()[0][1] == "D-02":
        (power, _), = made.asked()
        answer = made.default(power)
        assert isinstance(answer, Deploy)
        placed += answer.unit[0] if power == "red" else ""
        made.say(power, answer)
    assert placed == "ptatp" + "iiii" + "ti" + "tai" * 3


def test_ATK_3_4_1_one_unit_at_a_time_of_what_the_pool_holds_on_own_territory():
    made = scene(phase="deploying", land={"mexico": ("red", "1I"), "france": ("blue", "1I")},
                 pools={"red": "1T 2A 3I", "blue": "5I 1P"})
    made.say("red", Deploy(unit="tank", territory="mexico"))
    assert made.land("mexico") == ("red", "1I 1T") and made.state.pools["red"] == {"artillery": 2, "infantry": 3}
    assert made.asked() == [("blue", "D-02")] and made.lines()[-1] == "Red places 1 tank in Mexico."
    made.say("blue", Deploy(unit="infantry", territory="france"))
    assert not made.allows("red", Deploy(unit="tank", territory="mexico"))
    assert not made.allows("red", Deploy(unit="infantry", territory="france"))


def test_ATK_3_5_1_any_own_territory_can_hold_the_capital_even_if_a_pack_rules_all_of_them_out():
    land = {"mexico": ("red", "2I"), "cuba": ("red", "1I"), "france": ("blue", "1I")}
    made = scene(phase="founding", land=land)
    assert made.options("red") == (Capital(territory="mexico"), Capital(territory="cuba"))
    some = scene(phase="founding", land=land, pack={"territories": [{"id": "mexico", "capital_allowed": False}]})
    assert some.state.capitals == {"cuba": "red", "france": "blue"}, "one place is left, and nobody is asked"
    none = scene(phase="founding", land=land, pack={"territories": [
        {"id": "mexico", "capital_allowed": False}, {"id": "cuba", "capital_allowed": False}]})
    assert none.default("red") == Capital(territory="mexico") and none.allows("red", Capital(territory="cuba"))


def test_D_03_and_ATK_21_6_1_of_equal_territories_the_first_on_the_board_takes_the_capital():
    made = scene(phase="founding", land={"mexico": ("red", "2I"), "alaska": ("red", "2I"), "france": ("blue", "1I")})
    order = [land.id for land in PARTS.territories]
    assert order.index("alaska") < order.index("mexico") and made.default("red") == Capital(territory="alaska")


def test_ATK_3_5_2_after_the_capitals_the_seat_that_began_has_the_first_turn():
    made = scene(phase="founding", powers=THREE, first="green", land=FAR)
    assert made.asked() == [("green", "D-04")] and made.state.round == 1, "one territory each: no choice of a capital"


def test_RUL_01_what_is_not_placed_in_the_setup_comes_to_nobody_later():
    made = scene(phase="founding", land={"mexico": ("red", "9I"), "france": ("blue", "9I")},
                 pools={"red": "8I 4T", "blue": "15I"})
    made.keep_silent(until="D-04")
    for power in ("red", "blue"):
        made.say(power, End())
    assert made.state.pools == {} and [made.state.land_units(power) for power in ("red", "blue")] == [9, 9]
    assert not Options().full_deployment


@pytest.mark.parametrize(("most", "seats"), [(6, 6), (4, 4)])
def test_RUL_23_two_to_six_play_or_two_to_four(most, seats):
    assert [*GAME.seats] == [2, 3, 4, 5, 6] and most in CHOICES["max_players"]
    powers = ("red", "blue", "green", "brown", "tan", "gray")[:seats]
    made = scene(phase="setup", powers=powers, options={"max_players": most}, dice=FAIR)
    assert len(made.state.hands) == seats
