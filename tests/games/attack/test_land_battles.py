"""Chapters 7 to 9 by their numbers: land battles, neutral territories, capture and spoils."""
from __future__ import annotations

from collections import Counter

import pytest

from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.rules.battle import BattleRolled, Bring, HalfBegun, UnitsBrought
from engine.games.attack.rules.combat import Attack, AttackFailed, BattleBegun, CommandTaken, SpoilsTaken, TerritoryCaptured
from engine.games.attack.rules.ending import PlayerOut
from engine.games.attack.rules.movement import Move, MoveOrdered
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.rolls import RolledTogether
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.state import Force, join, size
from engine.kernel import Event
from engine.text import Reader, say
from tests.games.attack.scene import Scene, army, scene, written
from tests.games.attack.test_battles import Begun, attack, rolls
from tests.games.attack.test_golden_battles import bring, stand
from tests.games.attack.test_random_battles import fought

FOUR = ("red", "blue", "green", "brown")
FOES = {"france": ("blue", "1I"), "italy": ("green", "1I"), "poland": ("brown", "1I")}
CASUALTIES = ("infantry", "tank", "artillery", "plane")


# --- the land battle (chapter 7) ---------------------------------------------------------------------------------

def test_ATK_7_1_1_and_7_1_2_where_the_active_player_enters_all_units_of_both_sides_leave_the_map():
    red = attack("2I 2T", "3I 2A 1P")
    (begun,) = red.events(BattleBegun)
    assert (begun.territory, begun.attacker, begun.defender, begun.defenders) == ("ukraine", "red", "blue", army("3I 2A 1P"))
    assert "ukraine" not in red.state.units and red.land("poland") == ("red", "1I")
    assert stand(red) == ("2I 2T", "", "", "3I 2A 1P")
    entered = scene(land={"mexico": ("red", "3I"), "panama": ("red", "1I"), "france": ("blue", "1I")})
    entered.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    assert entered.events(BattleBegun) == [], "no battle on own land"


def test_ATK_7_1_4_the_attackers_choice_is_open_before_the_defender_chooses():
    red = attack("3I 2T", "3I 2T")
    red.say("red", bring("2I 2T"))
    assert red.lines()[-1] == "Red lines up 2 infantry and 2 tanks." and red.asked() == [("blue", "D-10")]
    assert say(red.table.waiting()[0].text(), Reader(GAME.words.names(red.parts))) == (
        "How do you line up in Ukraine? You have 3 infantry and 2 tanks. The enemy lines up 2 infantry and 2 tanks, with 1 "
        "infantry in reserve.")


def checked_by_the_rules(events: list[Event], forces: dict[str, Force]) -> None:
    """Follow one battle from its events alone, and hold every rule of its rounds against each step."""
    reserve = {side: dict(force) for side, force in forces.items()}
    fighting: dict[str, Force] = {side: {} for side in forces}
    defender, number, half, brought = next(side for side in forces if side != "red"), 0, "", ""
    for event in events:
        match event:
            case HalfBegun():
                expected = (number, "attacker") if half == "defender" else (number + 1, "defender")
                assert (event.round, event.half) == expected, "ATK-7.2.1"
                number, half, brought = event.round, event.half, ""
            case UnitsBrought():
                join(reserve[event.power], event.units, -1)                     # fails if there are not so many
                join(fighting[event.power], event.units)
                if event.line_up:
                    assert size(event.units) == min(4, size(forces[event.power])), "ATK-7.1.3"
                    continue
                assert event.power == ("red" if half == "attacker" else defender) and not brought, "once, at the begin"
                assert size(fighting[event.power]) <= 3 + number, "ATK-7.3.1, 7.3.2"
                assert not event.units or (number, half) != (1, "defender"), "ATK-7.3.4"
                brought = event.power
            case BattleRolled():
                own, foe = fighting[event.power], fighting[event.foe]
                assert event.power == ("red" if half == "attacker" else defender) and own, "ATK-7.3.3, 7.7.5"
                assert len(event.dice) == max(2, size(own) + own.get("tank", 0)), "ATK-7.4.1, 7.4.2"
                assert event.hits == sum(min(event.dice.count(unit), n) for unit, n in own.items()), "ATK-7.5.1 to 7.5.3"
                fallen = [unit for unit in CASUALTIES for _ in range(foe.get(unit, 0))][:event.hits]
                assert event.losses == dict(Counter(fallen)), "ATK-7.6.1, 7.6.2"
                join(foe, event.losses, -1)
            case TerritoryCaptured():
                assert half == "attacker" and not size(fighting[defender]) + size(reserve[defender]), "ATK-7.7.2"
                join(fighting["red"], reserve["red"])
                assert event.units == fighting["red"] and event.units, "ATK-7.7.3, 7.7.5"
            case AttackFailed():
                assert half == "defender" and not size(fighting["red"]) + size(reserve["red"]), "ATK-7.7.2"
                join(fighting[defender], reserve[defender])
                assert event.units == fighting[defender] and event.units, "ATK-7.7.3, 7.7.5"


@pytest.mark.parametrize("block", range(2))
def test_ATK_7_1_3_to_7_7_6_battles_with_any_choices_keep_every_rule_at_every_step_and_end(block: int):
    ends = Counter[str]()
    for seed in range(5_000 + 80 * block, 5_080 + 80 * block):
        events = [event for _, event in fought(seed, naval=False)]
        (begun,) = [event for event in events if isinstance(event, BattleBegun)]
        sent: Force = {}
        for ordered in events:
            if isinstance(ordered, MoveOrdered):
                join(sent, {ordered.unit: ordered.number})
        checked_by_the_rules(events, {"red": sent, begun.defender: dict(begun.defenders)})
        ends += Counter(type(event).__name__ for event in events if isinstance(event, TerritoryCaptured | AttackFailed))
    assert ends["TerritoryCaptured"] > 5 and ends["AttackFailed"] > 5 and ends.total() == 80


@pytest.mark.parametrize(("side", "dice", "hits"), [
    ("1I 2T", "- I I P P", 1), ("1I 2T", "I T T T -", 3), ("2P 1A", "P P P", 2), ("2P 1A", "A A A", 1),
    ("1I 1T 1A 1P", "I T A P -", 4), ("1I 1T 1A 1P", "- - - - -", 0), ("1T", "T T", 1), ("4T", "T T T T T T T T", 4)])
def test_ATK_7_5_1_and_7_5_2_each_unit_is_matched_by_one_die_of_its_own_picture(side: str, dice: str, hits: int):
    red = attack("4A", side, dice)
    assert rolls(red)[0][:3] == ("blue", len(dice.split()), hits)


def test_ATK_7_6_2_RUL_22_hits_beyond_the_units_in_battle_are_lost_and_the_reserve_is_not_hit():
    red = attack("6I", "5I 1P", "I I I -", "- -")
    red.say("blue", bring("3I 1P"))
    red.say("red", Bring())
    red.dice_left.append((1, 1, 1, 1, 4))
    red.say("blue", bring("1I"))
    assert rolls(red)[-1] == ("blue", 5, 5, "1I") and stand(red)[:2] == ("", "2I"), "five hits on one infantry"


def test_ATK_7_7_2_the_side_without_a_unit_in_battle_or_reserve_has_lost_at_that_moment():
    red = attack("5I", "4I", "I I I I", "I I")
    assert rolls(red)[:2] == [("blue", 4, 4, "4I"), ("red", 2, 1, "1I")], "the last one comes from the reserve and fights on"
    beaten = attack("4I", "4I", "I I I I")
    assert beaten.events(AttackFailed)[0].units == {"infantry": 4} and beaten.asked() == [("red", "D-04")]


def test_ATK_7_7_4_what_is_destroyed_can_be_bought_again():
    red = scene(land={"mexico": ("red", "1I 1P"), "panama": ("blue", "3I"), "france": ("blue", "1I")}, capitals={"mexico": "red"},
                hands={"red": ("oil_4", "oil_1")}, dice=["I - -"])
    red.say("red", Begin(action="movement"), Move(unit="plane", origin="mexico", to="panama"), Confirm(),
            Begin(action="production"), Buy(kind="plane"), Confirm())
    assert red.land("mexico") == ("red", "1I 1P")


# --- neutral territories (chapter 8) -------------------------------------------------------------------------------

def entered(*dice: str | tuple[int, ...], powers: tuple[str, ...] = FOUR, deck: tuple[str, ...] = ("pop_01",),
            units: str = "3I", **more: object) -> Scene:
    """Red enters neutral Panama from Mexico with all but one infantry."""
    land = {"mexico": ("red", units)} | {place: foe for place, foe in FOES.items() if foe[0] in powers}
    red = scene(powers=powers, land=land, deck=deck, dice=Begun(*dice), **more)             # type: ignore[arg-type]
    there = army(units)
    join(there, {"infantry": 1}, -1)
    red.say("red", Begin(action="movement"), *(Move(unit=unit, origin="mexico", to="panama", number=number)
                                               for unit, number in there.items()), Confirm())
    return red


def test_ATK_8_2_1_and_8_2_3_the_top_card_sends_its_defenders_and_the_attack_stands():
    red = entered((2,), deck=("oil_01", "pop_12"))
    (begun,) = red.events(BattleBegun)
    assert begun.card == "pop_12" and begun.defenders == red.parts.card["pop_12"].neutral_defenders.units
    assert red.asked() == [(power, "D-12") for power in ("blue", "green", "brown")]
    red.refusal("red", End())
    assert red.state.deck == ["oil_01"] and red.state.turn.taken == ["movement"]


def test_ATK_8_3_1_and_8_3_4_any_other_player_may_offer_and_one_who_does_commands():
    for offers in ("blue", "green", "brown"):
        red = entered((1,), units="9I")
        for power in ("brown", "blue", "green"):
            red.say(power, Answer(accept=power == offers))
        assert [event.power for event in red.events(CommandTaken)] == [offers] and red.events(RolledTogether) == []
        assert f"{offers.capitalize()} commands the defenders." in red.lines()


def test_RUL_17_that_nobody_commands_neutral_defenders_is_not_told():
    red = entered((1,), units="9I")
    for power in ("blue", "green", "brown"):
        red.say(power, Answer(accept=False))
    assert [event.power for event in red.events(CommandTaken)] == [""]
    assert not any("command" in line for line in red.lines())


def test_ATK_8_3_2_and_8_3_7_who_offer_roll_and_only_those_who_share_the_highest_roll_again():
    red = entered((1,), (3, 3, 5, 4, 6, 3), (2, 1, 1, 2), (1, 1, 6, 5), units="9I")
    for power in ("blue", "green", "brown"):
        assert red.events(CommandTaken) == [], "nobody sees an answer before the last one is in"
        red.say(power, Answer(accept=True))
    assert [tuple(event.dice) for event in red.events(RolledTogether)] == [
        ("blue", "green", "brown"), ("green", "brown"), ("green", "brown")]
    assert [event.power for event in red.events(CommandTaken)] == ["brown"]


def test_ATK_8_3_3_the_only_opponent_left_commands_whoever_has_gone():
    red = entered((1,), powers=("red", "blue"), units="9I")
    assert [event.power for event in red.events(CommandTaken)] == ["blue"] and ("blue", "D-12") not in red.asked()
    late = scene(powers=("red", "blue", "green"), land={"mexico": ("red", "3I"), "france": ("blue", "1I")}, out=("green",),
                 options={"end_mode": "last_standing"}, dice=Begun((1,)))
    late.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    assert [event.power for event in late.events(CommandTaken)] == ["blue"], "RUL-29: two are left of three"


def test_ATK_8_3_5_and_8_3_6_first_the_card_then_the_command_then_the_line_ups_and_the_commander_chooses_always():
    red = entered((1,), deck=("pop_12",), units="6I 3T")
    for power in ("blue", "green", "brown"):
        red.say(power, Answer(accept=power == "green"))
    assert red.asked() == [("red", "D-09")]
    red.say("red", bring("4I"))
    assert red.asked() == [("green", "D-13")]
    before = red.state.land_units("green")
    red.say("green", red.default("green"))
    steps = BattleBegun, CommandTaken, UnitsBrought
    order = [type(event) for event in red._happened() if isinstance(event, steps)]
    assert order[:4] == [BattleBegun, CommandTaken, UnitsBrought, UnitsBrought] and red.state.land_units("green") == before
    assert {power for power, point in red.asked() if point in ("D-11", "D-13")} <= {"red", "green"}


def test_ATK_8_4_2_and_8_4_3_defenders_who_win_leave_and_the_next_attack_meets_a_fresh_full_force():
    red = scene(land={"mexico": ("red", "3I 2T"), "france": ("blue", "1I")}, deck=("pop_12", "pop_11"), dice=Begun(
        (1,), "I T - - -"))
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    red.keep_silent(until="D-04")
    assert red.land("panama") == ("", "") and sorted(red.state.deck) == ["pop_11", "pop_12"] and red.hand("red") == []
    red.say("red", Begin(action="blitz"), Move(unit="tank", origin="mexico", to="panama"), Confirm())
    first, second = red.events(BattleBegun)
    assert {first.card, second.card} <= {"pop_11", "pop_12"}
    assert second.defenders == red.parts.card[second.card].neutral_defenders.units, "none of them is missing"


def test_ATK_8_4_2_the_deck_is_shuffled_so_the_card_that_went_back_may_come_at_once():
    drawn = Counter[str]()
    for seed in range(30):
        red = scene(land={"mexico": ("red", "2I 1T"), "france": ("blue", "1I")}, deck=("pop_12", "pop_11", "pop_10"),
                    dice=SecretDice(f"{seed:064x}"))
        red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
        red.keep_silent(until="D-04")
        if red.land("panama") == ("", ""):
            red.say("red", Begin(action="blitz"), Move(unit="tank", origin="mexico", to="panama"), Confirm())
            first, second = red.events(BattleBegun)
            drawn["again" if first.card == second.card else "another"] += 1
    assert drawn["again"] >= 4 and drawn["another"] >= 10, "one in three is the same again"


def test_ATK_8_4_4_from_an_empty_deck_three_infantry_come_and_fight_like_others():
    red = entered((1, 6), deck=(), units="2I")
    assert red.events(BattleBegun)[0].defenders == {"infantry": 3} and red.events(BattleBegun)[0].card == ""
    assert red.asked() == [(power, "D-12") for power in ("blue", "green", "brown")], "they too can be commanded"


# --- capture and spoils (chapter 9) ------------------------------------------------------------------------------------


def test_ATK_9_1_7_capture_then_spoils_then_the_check_for_who_is_out_then_the_next_battle():
    red = scene(powers=("red", "blue", "green"), hands={"blue": ("oil_1",)}, options={"end_mode": "last_standing"},
                dice=["- -", "I -", (1,), "- -", "I -"], land={
                    "mexico": ("red", "3I"), "panama": ("blue", "1I"), "southern_us": ("green", "1I"), "italy": ("green", "1I")})
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"),
            Move(unit="infantry", origin="mexico", to="southern_us"), Confirm(), Attack(territory="panama"))
    steps = TerritoryCaptured, SpoilsTaken, PlayerOut, BattleBegun
    order = [type(event) for event in red._happened() if isinstance(event, steps)]
    assert order == [BattleBegun, TerritoryCaptured, SpoilsTaken, PlayerOut, BattleBegun, TerritoryCaptured]
    assert written(red.state.units["panama"]) == "1I"


def test_spoils_of_a_blitz_and_units_placed_before_it_count_like_others():
    """ATK-10.1.6, 9.1.3: a tank bought and placed after the Movement takes a territory and a card in the Blitz."""
    red = scene(land={"mexico": ("red", "1I"), "panama": ("blue", "1I"), "france": ("blue", "1I")}, capitals={"mexico": "red"},
                hands={"blue": ("oil_1", "oil_2")}, dice=["- -", "T -", (2,)], taken=("movement",))
    red.say("red", Begin(action="production"), Buy(kind="tank"), Confirm())
    if red.asked() == [("red", "D-23")]:
        red.say("red", Deploy(unit="tank", territory="mexico"))
    red.say("red", Begin(action="blitz"), Move(unit="tank", origin="mexico", to="panama"), Confirm())
    assert red.land("panama") == ("red", "1T") and red.hand("red") == ["oil_2"] and red.asked() == [("blue", "D-04")]
