"""Section 21 for battles: line-ups, reinforcements, the command of neutrals, challenges, lines and retreats at sea.

All but the challenge (D-14) are quiet: the first standing order of the rules answers them, unless an order says to ask. So a
battle of many rounds waits for nobody who does not want it.
"""
from __future__ import annotations

from collections.abc import Sequence

from engine.games.attack.clock_shares import EITHER, LIVE
from engine.games.attack.components import SHIPS
from engine.games.attack.orders.builders import ANYTIME, BATTLES, SEA, offer, units
from engine.games.attack.rules.line_up_policies import REST
from engine.games.attack.rules.naval import enough_to_fight, rivals
from engine.games.attack.rules.naval_lines import outnumbered
from engine.games.attack.state import NEUTRAL, State, size
from engine.kernel import Seat
from engine.orders import ALWAYS, Offer, Point, Value
from engine.orders.builders import choice, flag, number, pick, wishes

LAND_POINTS, SEA_POINTS = ("D-09", "D-10", "D-11", "D-13"), ("D-14", "D-15", "D-16")


def foes(s: State, seat: Seat) -> Sequence[str]:
    own = s.power(seat)
    return (*(power for power in s.powers if power != own), NEUTRAL)


def ships(s: State, seat: Seat) -> Sequence[str]:
    return SHIPS


# --- conditions -------------------------------------------------------------------------------------------

BATTLE_CONDITIONS = (
    choice("foe", "the enemy", foes, "you fight {value}", "you don't fight {value}"),
    number("own_units", "your units in this battle", "you have {value} in the battle", "{n} unit", "{n} units"),
    number("foe_units", "the enemy's units in this battle", "the enemy has {value} in the battle", "{n} unit", "{n} units"),
    number("battle_round", "the round of the battle"),
    number("own_ships", "your fit ships", "you have {value}", "{n} fit ship", "{n} fit ships"),
    number("foe_ships", "the enemy's fit ships", "the enemy has {value}", "{n} fit ship", "{n} fit ships"),
    number("ships_more", "how many more fit ships the enemy has", "the enemy has {value} more", "{n} fit ship", "{n} fit ships"),
    flag("enough_ships", "you have at least as many fit ships as the enemy", "you have fewer fit ships than the enemy"),
    flag("outnumbered", "the enemy has at least twice your fit ships", "the enemy has less than twice your fit ships"),
)
IN_BATTLE = (*ANYTIME, "place", "foe", "own_units", "foe_units", "battle_round")
AT_SEA = (*ANYTIME, "foe", "own_ships", "foe_ships", "ships_more", "enough_ships", "outnumbered")


# --- answers and points -------------------------------------------------------------------------------------

LINE_UP: tuple[Offer, ...] = (
    offer("mixed", "line up mixed", "policy", first=REST, second=REST, third=REST),
    offer("screen", "infantry first, the rest mixed", "policy", first="infantry", second=REST, third=REST),
    offer("list", "{first} first, then {second}, then {third}, then the rest", "policy",
          pick("first", "What comes first?", units), pick("second", "What comes next?", units, unlike=("first",)),
          pick("third", "What comes after that?", units, unlike=("first", "second")), brief="line up in another order"))
REINFORCE: tuple[Offer, ...] = (
    offer("fill", "bring up all that fit", "keep", kept=()),
    offer("keep", "keep {kept} in reserve", "keep", wishes("kept", "Which types stay in reserve?", units)))
FIGHT, GIVE_WAY = offer("fight", "fight", "fight", on=True), offer("withdraw", "withdraw", "fight", on=False)
LINES: tuple[Offer, ...] = (
    offer("by_rule", "the default line", "formation", first=REST, second=REST, third=REST),
    offer("head", "{first} first, the rest in the default order", "formation", pick("first", "Which ship leads?", ships),
          second=REST, third=REST),
    offer("types", "{first}, then {second}, then {third}, then the rest", "formation",
          pick("first", "Which ship leads?", ships), pick("second", "Which comes next?", ships, unlike=("first",)),
          pick("third", "Which after that?", ships, unlike=("first", "second")), brief="line up in another order"))


def in_battle(no: str, title: str, usual: str, offers: tuple[Offer, ...]) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=BATTLES, conditions=IN_BATTLE, lasts=(ALWAYS, "round"),
                 quiet=True, pace=LIVE)


def at_sea(no: str, title: str, usual: str, offers: tuple[Offer, ...], *, quiet: bool = True) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=SEA, conditions=AT_SEA, lasts=(ALWAYS, "round"),
                 quiet=quiet, pace=EITHER)


BATTLE_POINTS = (
    in_battle("D-09", "Line up to attack", "line up mixed", LINE_UP),
    in_battle("D-10", "Line up to defend", "line up mixed", LINE_UP),
    in_battle("D-11", "Reinforce", "as you lined up", REINFORCE),
    in_battle("D-13", "Commanding neutrals", "mixed, bringing up all that fit", (*LINE_UP, *REINFORCE)),
    at_sea("D-14", "A challenge at sea", "fight with at least as many fit ships", (FIGHT, GIVE_WAY), quiet=False),
    at_sea("D-15", "Line up at sea", "the default line", LINES),
    at_sea("D-16", "Fight on at sea", "withdraw if outnumbered two to one", (FIGHT, GIVE_WAY)),
)


# --- what a seat sees -----------------------------------------------------------------------------------------

def battle_facts(s: State, power: str, point: str) -> dict[str, Value]:
    if point in LAND_POINTS and (battle := s.battle) is not None:
        side = battle.side(power)           # who commands neutrals answers for the defender
        foe = battle.foe(side)
        return {"foe": foe.power, "own_units": size(side.left), "foe_units": size(foe.left), "battle_round": battle.round}
    if point in SEA_POINTS:
        foe_at_sea, mine, theirs = rivals(s, power)
        return {"foe": foe_at_sea, "own_ships": mine, "foe_ships": theirs, "ships_more": max(0, theirs - mine),
                "enough_ships": enough_to_fight(mine, theirs), "outnumbered": outnumbered(mine, theirs)}
    return {}
