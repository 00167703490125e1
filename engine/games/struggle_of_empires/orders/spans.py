"""What lies ahead of a seat: how long an order can last, and what the attack under way may still ask."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from engine.games.struggle_of_empires.battle_state import Battle
from engine.games.struggle_of_empires.orders.values import one_by_one
from engine.games.struggle_of_empires.state import WARS, State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Seat
from engine.text import Text, text

Helpers: TypeAlias = Mapping[str, Sequence[str]]        # side -> its allies who can still be asked for help in this attack


def spans(s: State, seat: Seat) -> Mapping[str, str]:
    """The war, the attack under way, and the turn of a seat: the present one, or the next [SOE-22.1.4]."""
    if s.phase == "over":
        return {}
    found = {"war": str(s.war)}
    if s.battle is not None:                        # the number alone would fit another attack after an undo
        found["attack"] = f"{s.battles} {s.battle.attacker} {s.battle.defender} {s.battle.area}"
    if turn := next_turn(s, s.power(seat)):
        found["turn"] = turn
    return found


def next_turn(s: State, power: str) -> str:
    """War and round of a power's present or next turn, or "" if none is to come."""
    war, round_ = s.war, max(1, s.round)
    if s.phase == "turn" and s.order.index(power) < s.place:
        round_ += 1
    if s.phase in ("war_end", "reckoning") or round_ > s.rounds:
        war, round_ = war + 1, 1
    return f"{war}.{round_}" if war <= WARS else ""


def foreseen(s: State) -> Mapping[Seat, tuple[str, ...]]:
    """Return what may still be asked in the attack under way, for each seat: only what can really arise [D.4, reaction
    packet]."""
    battle = s.battle
    if battle is None:
        return {}
    asked: dict[Seat, list[str]] = {}
    helpers = {side: callable_allies(s, battle, side) for side in (battle.attacker, battle.defender)}
    for side, call, help_, points in ((battle.attacker, "DP-11", "DP-12", attackers_points),
                                      (battle.defender, "DP-13", "DP-14", defenders_points)):
        if not s.is_power(side):
            continue
        able = helpers[side]
        if able and not s.options.help.auto_call:
            asked.setdefault(s.seat(side), []).append(call)
        for ally in able:
            asked.setdefault(s.seat(ally), []).append(help_)
        asked.setdefault(s.seat(side), []).extend(points(s, battle, side, helpers))
    return {seat: tuple(points) for seat, points in asked.items() if points}


def callable_allies(s: State, battle: Battle, side: str) -> list[str]:
    """Allies of a side who can still be asked for help in this attack."""
    late = battle.raid or battle.stage or battle.support
    if side == battle.attacker:
        answered = bool(battle.heard)       # the attacker's allies are asked before the defender's
    else:
        answered = battle.surprise or any(ally in battle.heard for ally in s.allies(side))
    return [] if late or answered or side in battle.closed else s.able_helpers(side)


def fights_ahead(s: State, battle: Battle, helpers: Helpers) -> tuple[str, ...]:
    """The fights of this attack whose dice do not stand yet."""
    if battle.stage == "land" or battle.raid:
        return () if battle.decided else (battle.stage,)
    at_sea = not battle.decided if battle.stage == "sea" else both_at_sea(s, battle, helpers)
    return (*(("sea",) if at_sea else ()), *(() if battle.naval_only else ("land",)))


def both_at_sea(s: State, battle: Battle, helpers: Helpers) -> bool:
    """True if there may be a fight at sea: of two sides with navies, or against Pirates (SOE-9.5, 14.4.11)."""
    return s.beaten_at_sea(battle.defender) or (
        s.may_fight_at_sea(battle.attacker, helpers[battle.attacker]) and s.may_fight_at_sea(
            battle.defender, helpers[battle.defender]))


def has_ready(s: State, side: str, effect: str) -> bool:
    return s.ready(side, s.parts.by_effect.get(effect, "")) > 0


def attackers_points(s: State, battle: Battle, side: str, helpers: Helpers) -> Iterator[str]:
    ahead = fights_ahead(s, battle, helpers)
    if "sea" in ahead and not battle.stage:
        if not battle.naval_only:
            yield "DP-15"
        if two_ways(s, side):
            yield "DP-17"
    yield from fight_points(s, battle, side, helpers, ahead, "DP-20")


def defenders_points(s: State, battle: Battle, side: str, helpers: Helpers) -> Iterator[str]:
    ahead = fights_ahead(s, battle, helpers)
    if "sea" in ahead and not battle.stage:
        if not battle.naval_only or s.options.attack.naval_only_declinable:
            yield "DP-16"
        if two_ways(s, side):
            yield "DP-18"
    yield from fight_points(s, battle, side, helpers, ahead, "DP-21")
    fighting = (*ahead, battle.stage) if battle.decided else ahead
    withdrawing = has_ready(s, side, "no_defender_losses") and not battle.withdrawn
    if withdrawing and any(can_lose(s, battle, side, helpers, stage) for stage in fighting):
        yield "DP-22"
    army_or_fort = s.count(side, "army", battle.area) and s.count(side, "fort", battle.area) and not s.options.loss.army_first
    if "land" in fighting and army_or_fort and not (s.rules_version and s.nothing_moves(side)):
        yield "DP-23"


def fight_points(s: State, battle: Battle, side: str, helpers: Helpers, ahead: tuple[str, ...], reserves: str) -> Iterator[str]:
    """Blockade, Reserves, and whose loss it is: the same for both sides."""
    at_sea = s.navies(side, battle.sea) > 0 or s.may_fight_at_sea(side, helpers[side])
    may_support = battle.support == side or (not battle.support and at_sea and not battle.raid)
    before_dice = "land" in ahead and not (battle.stage == "land" and battle.dice)
    if has_ready(s, side, "blockade") and may_support and before_dice:
        yield "DP-19"
    if has_ready(s, side, "reroll_both") and ahead:
        yield reserves
    fighting = (*ahead, battle.stage) if battle.decided else ahead
    if any(len(possible_helpers(s, side, helpers[side], stage)) > 1 for stage in fighting) and not (
            s.rules_version and s.nothing_moves(side)):
        yield "DP-24"


def two_ways(s: State, side: str) -> bool:
    return one_by_one(s) and bool(s.two_way_alliances(side))


def possible_helpers(s: State, side: str, able: Sequence[str], stage: str) -> set[str]:
    """Who has committed units of the kind that fights in this stage, or still may."""
    kind = "navy" if stage == "sea" else "army"
    return {*s.expendable(side, kind)} | {ally for ally in able if s.may_send(ally, side, kind)}


def can_lose(s: State, battle: Battle, side: str, helpers: Helpers, stage: str) -> bool:
    own = s.count(side, "navy", battle.sea) if stage == "sea" else (
        s.count(side, "army", battle.area) + s.count(side, "fort", battle.area))
    return own > 0 or bool(possible_helpers(s, side, helpers[side], stage))


def occasion(s: State) -> Text:
    battle = s.battle
    assert battle is not None, "something is going on"
    if battle.raid:
        return text("{sender:The} sends {token} against {defender:the} in {area:the}", sender=battle.mover,
                    token=the(battle.attacker),
                    defender=battle.defender, area=battle.area)
    return text("{attacker:The} attacks {defender:the} in {area:the}", attacker=battle.attacker, defender=the(battle.defender),
                area=battle.area)
