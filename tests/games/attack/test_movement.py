"""Chapters 5, 6, 10 and 11 by their numbers: movement by land and water, blitz, strategic movement."""
from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.components import components
from engine.games.attack import GAME
from engine.games.attack.components import Parts
from engine.games.attack.rules.combat import Attack, BattleBegun
from engine.games.attack.rules.crossings import EVERY, CrossingAnswered, CrossingMade, Fly, Permit
from engine.games.attack.rules.movement import Drop, Move, MoveOrdered
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.refusals import Refusal
from engine.text import Reader, say
from tests.games.attack.scene import Scene, army, scene

PARTS: Parts = components(GAME, "base").parts
THREE = ("red", "blue", "green")
FOES = {"france": ("blue", "1I"), "italy": ("green", "1I")}
LAND = {"cuba": ("red", "4I 2T 2P"), "mexico": ("red", "3I 1A"), "panama": ("blue", "1I"), **FOES}


def moving(action: Any = "movement", **more: Any) -> Scene:
    """Red has chosen an action of moves."""
    made = scene(**{"powers": THREE, "land": LAND, **more})
    made.say("red", Begin(action=action))
    return made


def by_water(words: str, origin: str, to: str, **more: Any) -> list[Move]:
    """Orders to cross, one for each type."""
    return [Move(unit=unit, origin=origin, to=to, number=number, way="water", **more)
            for unit, number in army(words).items()]


def waiting(made: Scene) -> list[tuple[str, str]]:
    return [(crossing.origin, crossing.to) for crossing in made.state.turn.crossings]


# --- by land (chapter 5) -------------------------------------------------------------------------------------

def test_ATK_5_1_1_any_or_all_units_move_and_each_once():
    made = moving(land={"mexico": ("red", "2I 1T 1P"), "panama": ("red", "1I"), "colombia": ("red", "1I"), **FOES})
    for unit, number in army("1I 1T 1P").items():
        made.say("red", Move(unit=unit, origin="mexico", to="panama", number=number))
    assert made.land("panama") == ("red", "2I 1T 1P")
    for plane in (False, True):
        again = Move(unit="plane" if plane else "tank", origin="panama", to="colombia")
        assert made.refusal("red", again).rule == "ATK-5.1.12"
    made.say("red", Move(unit="infantry", origin="panama", to="colombia"))
    assert made.refusal("red", Move(unit="infantry", origin="panama", to="colombia")).rule == "ATK-5.1.12"


def reachable(owners: dict[str, str], action: str, unit: str, origin: str) -> Iterator[tuple[str, str]]:
    """Goal and way of one unit of Red, by the words of the rules alone [ATK-5.1.2 to 5.1.5, 6.1.3, 10.1.2, 10.1.3]."""
    near = {land.id: land.adjacent for land in PARTS.territories}
    if action == "blitz" and unit in ("infantry", "artillery"):
        return
    for middle in near[origin]:
        yield middle, "land"
        if unit == "plane" or (unit == "tank" and owners.get(middle) == "red"):
            yield from ((goal, "land") for goal in near[middle] if goal != origin)
    if action == "movement":
        yield from ((goal, "water") for goal in PARTS.sea_linked[origin])


def chained(owners: dict[str, str], origin: str) -> Iterator[tuple[str, str]]:
    """Goal and way of a strategic movement of Red, by the words of the rules alone [ATK-11.1.1, 11.1.3, 11.1.5]."""
    def reached(*, by_sea: bool) -> set[str]:
        found: set[str] = set()
        new = {origin}
        while new:
            found |= new
            links = {other for land in new for other in PARTS.territory[land].adjacent}
            links |= {other for land in new for other in PARTS.sea_linked[land] if by_sea}
            new = {land for land in links if owners.get(land) == "red"} - found
        return found - {origin}

    for goal in reached(by_sea=True):
        yield goal, "land" if goal in reached(by_sea=False) else "water"


@pytest.mark.parametrize("action", ["movement", "blitz", "strategic_movement"])
@pytest.mark.parametrize("seed", range(2))
def test_ATK_5_1_2_to_5_1_5_where_a_unit_may_go_is_what_the_rules_say(action: str, seed: int):
    """On random boards: every unit of Red, every goal of any owner [ATK-5.1.6, 6.1.4], both ways; the rest is refused."""
    pick = random.Random(seed)
    owners = {land.id: owner for land in PARTS.territories if (owner := pick.choice(("red", "red", "blue", "green", "")))}
    made = moving(action, land={land: (owner, "2I 2T 2A 2P" if owner == "red" else "1I") for land, owner in owners.items()},
                  taken=("movement",) if action == "blitz" else ())
    offered = {(move.unit, move.origin, move.to, move.way) for move in made.options("red")
               if isinstance(move, Move) and move.number == 1 and move.planes == "ask"}
    units: Any = ("infantry", "tank", "artillery", "plane")
    ways: Any = ("land", "water")
    own = [land for land, owner in owners.items() if owner == "red"]
    expected = {(unit, origin, to, way) for unit in units for origin in own
                for to, way in (chained(owners, origin) if action == "strategic_movement"
                                else reachable(owners, action, unit, origin))}
    assert offered == expected
    for _ in range(200):
        unit, origin = pick.choice(units), pick.choice(own)
        to, way = pick.choice([*PARTS.territory]), pick.choice(ways)
        if (unit, origin, to, way) not in expected:
            with pytest.raises(Refusal):
                made.table.examine(made.state.seat("red"), Move(unit=unit, origin=origin, to=to, way=way))


def test_ATK_5_1_4_ownership_is_read_before_the_battles_of_the_action():
    made = moving(land={"mexico": ("red", "3I 1T"), "panama": ("blue", "1I"), "colombia": ("red", "1I"), **FOES})
    made.say("red", Move(unit="infantry", origin="mexico", to="panama", number=2))
    assert made.refusal("red", Move(unit="tank", origin="mexico", to="colombia")).rule == "ATK-5.1.4", "RUL-05"


def test_ATK_5_1_5_a_plane_passes_any_land_but_no_water():
    made = moving(land={"mexico": ("red", "1I 1P"), "panama": ("blue", "1I"), "southern_us": ("red", "1I"), **FOES})
    for to in ("colombia", "midwest", "western_canada", "eastern_us"):           # over Blue's land, Red's and neutral land
        assert made.allows("red", Move(unit="plane", origin="mexico", to=to)), to
    assert made.refusal("red", Move(unit="plane", origin="mexico", to="cuba")).rule == "ATK-5.1.10", "water is no step"
    assert made.refusal("red", Move(unit="plane", origin="mexico", to="venezuela")).rule == "ATK-5.1.10", "three steps by land"
    assert not made.allows("red", Move(unit="plane", origin="southern_us", to="west_africa", way="water"))


def test_ATK_5_1_10_between_neighbours_that_are_also_linked_by_sea_the_way_is_land_unless_the_order_says_water():
    made = moving(controller="green", land={**LAND, "panama": ("red", "1I")})
    made.say("red", Move(unit="infantry", origin="mexico", to="panama"))
    assert made.land("panama") == ("red", "2I") and not waiting(made)
    made.say("red", Move(unit="infantry", origin="mexico", to="panama", way="water"))
    assert made.land("panama") == ("red", "2I") and waiting(made) == [("mexico", "panama")]


@pytest.mark.parametrize(("order", "label"), [
    (Move(unit="tank", origin="mexico", to="panama", number=2), "Move 2 tanks from Mexico to Panama"),
    (Move(unit="infantry", origin="cuba", to="panama", way="water"), "Move 1 infantry from Cuba to Panama by sea"),
    (Move(unit="plane", origin="cuba", to="panama", way="water", planes="on"),
     "Move 1 plane from Cuba to Panama by sea; if refused, fly on")])
def test_an_order_says_what_goes_where_and_how(order: Move, label: str):
    assert say(order.label(), Reader(GAME.words.names(PARTS))) == label


def test_ATK_5_2_1_and_6_2_1_the_sequence_is_moves_then_answers_then_arrivals_then_battles():
    made = moving(controller="green", dice=["- -", "T -"], land={**LAND, "panama": ("blue", "1I"), "southern_us": ("red", "1I")})
    made.say("red", *by_water("1T", "cuba", "panama"), Move(unit="infantry", origin="mexico", to="southern_us"),
             *by_water("1I", "cuba", "mexico"), Confirm())
    made.say("green", Permit(allow=True, crossing=EVERY))
    steps = MoveOrdered, CrossingAnswered, CrossingMade, BattleBegun
    order = [type(event) for event in made._happened() if isinstance(event, steps)]
    assert order == [MoveOrdered] * 3 + [CrossingAnswered] * 2 + [CrossingMade] * 2 + [BattleBegun]


def test_ATK_5_2_2_and_5_2_4_after_confirming_nothing_moves_and_no_attack_is_called_off():
    made = moving(land={**LAND, "southern_us": ("blue", "1I")}, dice=["- -", "I -", "- -", "I -"])
    made.say("red", Move(unit="infantry", origin="mexico", to="panama"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Confirm())
    assert {type(option) for option in made.options("red")} == {Attack}
    made.refusal("red", Move(unit="artillery", origin="mexico", to="panama"))
    made.refusal("red", Drop())
    made.say("red", Attack(territory="southern_us"))
    assert made.land("panama") == ("red", "1I") and made.asked() == [("red", "D-04")], "the last battle needs no question"


def test_ATK_5_2_3_the_order_of_declaration_is_that_in_which_goals_first_appear():
    """Panama is named first by a crossing that is refused, and later by land."""
    made = moving(controller="green", land={**LAND, "southern_us": ("blue", "1I"), "western_us": ("blue", "1I")})
    made.say("red", *by_water("1I", "cuba", "panama"), Move(unit="infantry", origin="mexico", to="western_us"),
             Move(unit="infantry", origin="mexico", to="southern_us"), Move(unit="artillery", origin="mexico", to="panama"),
             Confirm())
    made.say("green", Permit(allow=False))
    assert [option for option in made.options("red")] == [
        Attack(territory=land) for land in ("panama", "western_us", "southern_us")]


# --- by water (chapter 6) ---------------------------------------------------------------------------------------

def test_ATK_6_2_2_and_6_2_4_only_another_controller_is_asked():
    for controller in ("", "red"):
        made = moving(controller=controller, land={**LAND, "panama": ("red", "1I")})
        made.say("red", *by_water("2I", "cuba", "panama"), Confirm())
        assert made.asked() == [("red", "D-04")] and made.land("panama") == ("red", "3I"), controller or "nobody"


def test_ATK_6_2_5_allowed_all_units_arrive():
    made = moving(controller="green", land={**LAND, "panama": ("red", "1I")})
    made.say("red", *by_water("2I 1T 1P", "cuba", "panama"), Confirm())
    made.say("green", Permit(allow=True))
    assert made.land("panama") == ("red", "3I 1T 1P") and made.land("cuba") == ("red", "2I 1T 1P")


def test_ATK_6_2_6_and_6_2_14_refused_infantry_tanks_and_artillery_go_back_and_have_moved():
    made = moving(controller="green", land={**LAND, "cuba": ("red", "2I 1T 1A"), "panama": ("red", "1I")})
    made.say("red", *by_water("1I 1T 1A", "cuba", "panama"), Confirm())
    made.say("green", Permit(allow=False))
    assert made.land("cuba") == ("red", "2I 1T 1A") and made.land("panama") == ("red", "1I")
    assert made.lines()[-2:] == ["Green refuses the crossing from Cuba to Panama.",
                                 "1 infantry, 1 tank and 1 artillery go back to Cuba."]
    assert made.asked() == [("red", "D-04")] and not made.allows("red", Begin(action="movement")), "their move is used up"


@pytest.mark.parametrize(("planes", "asked", "cuba"), [("on", "D-04", "4I 2T"), ("back", "D-04", "4I 2T 2P"),
                                                     ("ask", "D-07", "")])
def test_ATK_6_2_7_planes_of_a_refused_crossing_go_where_their_owner_says(planes: str, asked: str, cuba: str):
    made = moving(controller="green", land={**LAND, "panama": ("red", "1I")})
    made.say("red", *by_water("1I", "cuba", "panama"), *by_water("2P", "cuba", "panama", planes=planes), Confirm())
    made.say("green", Permit(allow=False))
    assert made.asked() == [("red", asked)]
    if asked == "D-07":
        assert made.default("red") == Fly(on=False), "ATK-6.2.13"
        made.say("red", Fly(on=True))
        cuba = "4I 2T"
        assert made.lines()[-1] == "2 planes fly on to Panama; 1 infantry goes back to Cuba."
    assert made.land("cuba") == ("red", cuba) and made.land("panama")[1] == ("1I" if "P" in cuba else "1I 2P")


def test_ATK_6_2_8_and_6_2_13_RUL_07_each_refused_crossing_has_its_own_choice_after_all_answers():
    made = moving(controller="green", land={**LAND, "panama": ("red", "1I"), "mexico": ("red", "3I")})
    made.say("red", *by_water("1I 1P", "cuba", "panama"), *by_water("1I 1P", "cuba", "mexico"), Confirm())
    made.say("green", Permit(allow=False, crossing="cuba_to_panama"))
    assert made.asked() == [("green", "D-06")], "ATK-6.2.12: the controller answers both first"
    made.say("green", Permit(allow=False, crossing="cuba_to_mexico"))
    made.say("red", Fly(on=True), Fly(on=False))
    assert (made.land("panama"), made.land("mexico"), made.land("cuba")) == (("red", "1I 1P"), ("red", "3I"), ("red", "4I 2T 1P"))


def test_ATK_6_2_9_and_6_2_12_planes_alone_need_no_permission_and_are_seen():
    made = moving(controller="green", land={**LAND, "panama": ("red", "1I")})
    made.say("red", *by_water("1P", "cuba", "panama"), *by_water("1I", "mexico", "panama"), Confirm())
    assert made.asked() == [("green", "D-06")] and waiting(made) == [("cuba", "panama"), ("mexico", "panama")]
    assert "Red orders 1 plane by sea from Cuba to Panama." in made.lines()
    made.say("green", Permit(allow=False))
    assert made.land("panama") == ("red", "1I 1P") and made.land("mexico") == ("red", "3I 1A")


def test_ATK_6_2_3_and_6_2_12_the_controller_reads_all_crossings_with_each_question():
    made = moving(controller="green")
    made.say("red", *by_water("2I 1T", "cuba", "panama"), *by_water("1P", "cuba", "colombia"), *by_water("1I", "mexico", "cuba"),
             Confirm())
    words = [say(question.text(), Reader(GAME.words.names(PARTS))) for question in made.table.waiting()]
    assert words == ["Red wants to cross: 2 infantry and 1 tank from Cuba to Panama; 1 infantry from Mexico to Cuba. Which do "
                     "you allow? Also at sea: 1 plane from Cuba to Colombia."]
    made.say("green", Permit(allow=False, crossing="cuba_to_panama"))
    (question,) = made.table.waiting()
    told = say(question.text(), Reader(GAME.words.names(PARTS)))
    assert told.startswith("Red wants to cross: 1 infantry from Mexico to Cuba. Which")
    alone = moving(controller="green")
    alone.say("red", *by_water("1I", "cuba", "panama"), Confirm())
    (question,) = alone.table.waiting()
    assert say(question.text(), Reader(GAME.words.names(PARTS))).endswith("Panama with 1 infantry. Do you allow it?")


def test_ATK_6_2_10_of_two_origins_the_refused_one_stays_and_the_other_attacks():
    made = moving(controller="green", dice=["- -", "I -"])
    made.say("red", *by_water("2I", "cuba", "panama"), *by_water("1I", "mexico", "panama"), Confirm())
    made.say("green", Permit(allow=True, crossing="mexico_to_panama"), Permit(allow=False, crossing="cuba_to_panama"))
    assert made.land("cuba") == LAND["cuba"] and made.land("mexico") == ("red", "2I 1A") and made.land("panama") == ("red", "1I")
    none = moving(controller="green")
    deck = len(none.state.deck)
    none.say("red", *by_water("2I", "cuba", "colombia"), Confirm())
    none.say("green", Permit(allow=False))
    assert none.events(BattleBegun) == [] and len(none.state.deck) == deck and none.land("colombia") == ("", "")


def test_D_07_and_D_06_silence_sends_planes_back_and_keeps_strangers_off_the_land_of_the_controller():
    made = moving(controller="green", land={**LAND, "panama": ("green", "1I")})
    made.say("red", *by_water("1I 1P", "cuba", "panama"), *by_water("1I", "cuba", "mexico"), Confirm())
    made.keep_silent(until="D-04")
    assert [(event.to, event.allowed) for event in made.events(CrossingAnswered)] == [("panama", False), ("mexico", True)]
    assert made.land("cuba") == ("red", "3I 2T 2P") and made.land("panama") == ("green", "1I") and made.land("mexico") == (
        "red", "4I 1A")


# --- blitz (chapter 10) ---------------------------------------------------------------------------------------------

def test_ATK_10_1_1_a_movement_without_a_move_opens_blitz():
    made = moving(land={**LAND, "mexico": ("red", "2I 1T")})
    made.say("red", Confirm(), Begin(action="blitz"))
    assert made.asked() == [("red", "D-05")] and made.allows("red", Move(unit="tank", origin="mexico", to="panama"))


def test_ATK_10_1_2_what_moved_in_movement_moves_again_and_once():
    made = moving(land={"mexico": ("red", "2I 2T 1A"), "southern_us": ("red", "1I"), **FOES})
    made.say("red", Move(unit="tank", origin="mexico", to="southern_us", number=2), Confirm(), Begin(action="blitz"))
    made.say("red", Move(unit="tank", origin="southern_us", to="mexico"))
    assert made.refusal("red", Move(unit="tank", origin="mexico", to="southern_us")).rule == "ATK-5.1.12"
    for unit in ("infantry", "artillery"):
        assert made.refusal("red", Move(unit=unit, origin="mexico", to="panama")).rule == "ATK-10.1.2"


def test_ATK_10_1_3_nothing_crosses_water_in_a_blitz():
    made = moving("blitz", taken=("movement",))
    for plane in (False, True):
        across = Move(unit="plane" if plane else "tank", origin="cuba", to="panama", way="water")
        assert made.refusal("red", across).rule == "ATK-10.1.3"


def test_ATK_10_1_5_the_battles_of_a_blitz_follow_when_all_has_moved():
    made = moving("blitz", taken=("movement",), dice=["- -", "T -", "- -", "P -"],
                  land={"mexico": ("red", "1I 1T 1P"), "panama": ("blue", "1I"), "southern_us": ("blue", "1I"), **FOES})
    made.say("red", Move(unit="tank", origin="mexico", to="panama"))
    assert made.land("panama") == ("blue", "1I") and made.events(BattleBegun) == []
    made.say("red", Move(unit="plane", origin="mexico", to="southern_us"), Confirm())
    assert made.asked() == [("red", "D-08")] and not made.allows("red", End())
    made.say("red", Attack(territory="panama"))
    assert made.land("panama") == ("red", "1T") and made.land("southern_us") == ("red", "1P")
    assert made.state.turn.taken == ["movement", "blitz"]


def test_ATK_10_1_7_a_lone_conqueror_stays_and_two_part():
    made = moving(land={"mexico": ("red", "1I 2T"), "panama": ("blue", "1I"), "colombia": ("blue", "1I"), **FOES},
                  dice=["- -", "T - - -"])
    made.say("red", Move(unit="tank", origin="mexico", to="panama", number=2), Confirm(), Begin(action="blitz"))
    assert made.land("panama") == ("red", "2T")
    assert made.refusal("red", Move(unit="tank", origin="panama", to="colombia", number=2)).rule == "ATK-4.1.7"
    made.say("red", Move(unit="tank", origin="panama", to="colombia"))
    assert made.refusal("red", Move(unit="tank", origin="panama", to="mexico")).rule == "ATK-4.1.7"


# --- strategic movement (chapter 11) ------------------------------------------------------------------------------------

CHAIN = {"mexico": ("red", "3I 1P"), "panama": ("red", "1I"), "cuba": ("red", "2I 1T 1P"), "iberia": ("red", "1I"),
         "france": ("red", "1I"), "germany": ("blue", "1I"), "mozambique": ("green", "1I"), "chile": ("red", "1I")}


def strategic(**more: Any) -> Scene:
    return moving("strategic_movement", **{"land": CHAIN, **more})


def test_ATK_11_1_1_and_11_1_3_a_chain_mixes_land_and_sea_links_and_own_territories_alone():
    made = strategic()
    assert made.allows("red", Move(unit="infantry", origin="mexico", to="france", way="water")), "by Cuba, Iberia, and by land"
    made.say("red", Move(unit="infantry", origin="mexico", to="france", number=2, way="water"), Confirm())
    assert made.land("france") == ("red", "3I") and made.land("mexico") == ("red", "1I 1P")
    cut = strategic(land={**CHAIN, "iberia": ("blue", "1I"), "cuba": ("blue", "1I")})
    assert cut.refusal("red", Move(unit="plane", origin="mexico", to="france", way="water")).rule == "ATK-11.1.1", "ATK-11.1.6"
    assert cut.refusal("red", Move(unit="infantry", origin="mexico", to="cuba", way="water")).rule == "ATK-11.1.1"


def test_ATK_11_1_2_RUL_08_many_pairs_unless_the_option_says_one():
    orders = (Move(unit="infantry", origin="mexico", to="panama"), Move(unit="plane", origin="mexico", to="panama"))
    other = Move(unit="tank", origin="cuba", to="iberia", way="water")
    many, one = strategic(), strategic(options={"strategic_scope": "one_pair"})
    many.say("red", *orders, other)
    one.say("red", *orders)
    assert one.refusal("red", other).rule == "ATK-11.1.2"
    assert one.allows("red", Move(unit="infantry", origin="mexico", to="panama")), "the same pair, any number of units"
    one.say("red", Drop(), Begin(action="strategic_movement"), other)
    assert one.refusal("red", orders[0]).rule == "ATK-11.1.2" and waiting(one) == [("cuba", "iberia")]


def test_ATK_11_1_4_a_group_by_sea_needs_one_permission_and_its_planes_none():
    made = strategic(controller="green")
    made.say("red", *by_water("1I 1T 1P", "cuba", "france"), *by_water("1P", "mexico", "iberia"), Confirm())
    assert made.asked() == [("green", "D-06")]
    made.say("green", Permit(allow=False))
    assert [event.to for event in made.events(CrossingAnswered)] == ["france"], "one question for a group, none for planes alone"
    assert made.asked() == [("red", "D-07")]
    made.say("red", Fly(on=True))
    assert made.land("cuba") == ("red", "2I 1T")
    assert made.land("france") == ("red", "1I 1P") == made.land("iberia")
    assert made.state.turn.taken == ["strategic_movement"] and made.events(BattleBegun) == []


def test_ATK_11_1_5_a_chain_by_land_is_used_and_nobody_is_asked():
    made = strategic(controller="green")
    assert made.refusal("red", Move(unit="infantry", origin="mexico", to="panama", way="water")).rule == "ATK-11.1.5"
    made.say("red", Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    assert made.land("panama") == ("red", "2I") and made.asked() == [("red", "D-04")]


def test_ATK_11_1_8_what_arrives_by_land_frees_the_last_unit_and_what_waits_does_not():
    made = strategic(land={**CHAIN, "mexico": ("red", "2I"), "cuba": ("red", "2I")})
    assert not made.allows("red", Move(unit="infantry", origin="panama", to="mexico"))
    made.say("red", *by_water("1I", "cuba", "panama"))
    assert not made.allows("red", Move(unit="infantry", origin="panama", to="mexico")), "who waits counts nowhere"
    made.say("red", Move(unit="infantry", origin="mexico", to="panama"))
    made.say("red", Move(unit="infantry", origin="panama", to="mexico"))
    assert made.refusal("red", Move(unit="infantry", origin="mexico", to="chile", way="water", number=2)).rule == "ATK-5.1.12"
    made.say("red", Confirm())
    assert made.land("panama") == ("red", "2I") and made.land("mexico") == ("red", "2I") and made.land("cuba") == ("red", "1I")
