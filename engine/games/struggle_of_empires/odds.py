"""The odds of an attack before it is declared: every roll of the four dice is counted, on the rules' own strengths.

What nobody can know beforehand is left out, and the words say so: who will help, and which tiles will be used in the fight.
Everything counted is public, so the odds tell no secret.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from engine.games.struggle_of_empires.battle_state import Battle
from engine.games.struggle_of_empires.rules.crossings import chances
from engine.games.struggle_of_empires.state import State
from engine.text import Text, lines, text

DIE = range(1, 7)
HALF_PERCENT = Fraction(1, 200)         # nearer than this to 0 or 100, a whole percent would say "never" or "always"


@dataclass(frozen=True)
class Odds:
    """How a fight may end for its attacker, and how probable it is that its side is due to lose a unit in it."""

    win: Fraction = Fraction(0)
    tie: Fraction = Fraction(0)
    loss: Fraction = Fraction(0)
    hurt: Fraction = Fraction(0)

    def __add__(self, other: Odds) -> Odds:
        return Odds(self.win + other.win, self.tie + other.tie, self.loss + other.loss, self.hurt + other.hurt)

    def __rmul__(self, chance: Fraction) -> Odds:
        return Odds(chance * self.win, chance * self.tie, chance * self.loss, chance * self.hurt)


@lru_cache(maxsize=1024)
def rolls(seven: int) -> tuple[tuple[int, bool, Fraction], ...]:
    """(difference, whether the sum costs a unit, chance) of two dice (SOE-9.7.1, 9.10.2)."""
    counted = Counter((abs(one - two), one + two == seven) for one, two in product(DIE, DIE))
    return tuple((difference, costly, Fraction(number, len(DIE) ** 2)) for (difference, costly), number in counted.items())


def fight(s: State, stage: str) -> Odds:
    """The odds of one fight of the battle in `s`, with the units, tiles and support that are there before the dice."""
    battle = battle_of(s)
    return by_lead(s.strength(battle.attacker, stage) - s.strength(battle.defender, stage),
                   s.parts.numbers.extra_loss_on_dice_sum)


@lru_cache(maxsize=1024)
def by_lead(lead: int, seven: int) -> Odds:
    """The odds of a fight of which nothing is known but the attacker's lead in strength before the dice."""
    pairs = len(DIE) ** 2
    counted = [(difference, costly, int(chance * pairs)) for difference, costly, chance in rolls(seven)]
    win = tie = loss = hurt = 0                         # of all ways in which four dice can fall
    for (mine, costly, one), (theirs, _, other) in product(counted, repeat=2):
        margin, ways = lead + mine - theirs, one * other
        win, tie, loss = win + ways * (margin > 0), tie + ways * (margin == 0), loss + ways * (margin < 0)
        hurt += ways * (margin <= 0 or costly)
    return Odds(*(Fraction(ways, pairs ** 2) for ways in (win, tie, loss, hurt)))


def supported(s: State, side: str) -> State:
    """Return the battle with naval support for this side, or for none (SOE-9.6.5)."""
    return s.model_copy(update={"battle": battle_of(s).model_copy(update={"support": side})})


def at_sea(s: State) -> State:
    """Return the battle with the alliances that help at sea.

    One that could help in either fight is kept for the land, if there is a fight on land (SOE-13.3.2, 13.3.11; the default of
    DP-17 and DP-18).
    """
    battle, used = battle_of(s), dict[str, list[str]]()
    for side in (battle.attacker, battle.defender):
        either = s.two_way_alliances(side)
        if certain := [held for held in s.alliances_for(side, "sea") if held not in either]:
            used[side] = certain
    return s.model_copy(update={"battle": battle.model_copy(update={"at_sea": used})})


def after_sea(s: State) -> Odds:
    """The odds on land behind a fight at sea, whose winner has naval support (SOE-9.8.1, 9.8.2, AMB-34)."""
    battle, sea = battle_of(s), fight(s, "sea")
    in_a_tie = battle.defender if s.options.naval.tie_support == "defender" else ""
    return (sea.win * fight(supported(s, battle.attacker), "land") + sea.tie * fight(supported(s, in_a_tie), "land")
            + sea.loss * fight(supported(s, battle.defender), "land"))


def battle_of(s: State) -> Battle:
    assert s.battle is not None, "no battle is fought"
    return s.battle


def expected(s: State) -> Odds:
    """How the attack just declared will probably end: with a fight at sea, if the attacker is the stronger one there."""
    battle = battle_of(s)
    attacker, foe = battle.attacker, battle.defender
    if battle.naval_only:
        return fight(at_sea(s), "sea")
    if not s.is_power(foe):
        return fight(supported(s, attacker if s.navies(attacker, s.sea_of(battle.area)) else ""), "land")
    if not battle.sea:
        return fight(s, "land")
    mine, theirs = s.navies(attacker, battle.sea), s.navies(foe, battle.sea)
    if mine > theirs > 0:
        return after_sea(at_sea(s))
    return fight(supported(s, attacker if mine > theirs else foe if theirs else ""), "land")


def to_win(s: State) -> Fraction:
    """How probable it is that the attacker of the battle in `s`, just declared, wins it, after any fight at sea."""
    battle = battle_of(s)
    if battle.naval_only:
        return fight(at_sea(s), "sea").win
    ships = able_at_sea(s)
    return (after_sea(at_sea(s)) if len(ships) == 2 else fight(supported(s, support_before(s, ships)), "land")).win


def able_at_sea(s: State) -> list[str]:
    """Which sides of a battle, just declared, could fight at sea."""
    battle = battle_of(s)
    if not (s.is_power(battle.defender) and battle.sea):
        return []
    return [side for side in (battle.attacker, battle.defender) if s.can_fight_at_sea(side)]


def support_before(s: State, ships: list[str]) -> str:
    """Who has naval support on land without a fight at sea (SOE-9.11.3)."""
    battle = battle_of(s)
    against_marker = not s.is_power(battle.defender) and s.navies(battle.attacker, s.sea_of(battle.area))
    return battle.attacker if against_marker else ships[0] if ships else ""


# --- in words -----------------------------------------------------------------------------------------

def outlook(s: State) -> Text:
    """Return what the attacker of the battle in `s`, just declared, may weigh: the odds, line by line, and what they leave
    out."""
    battle = battle_of(s)
    attacker, foe = battle.attacker, battle.defender
    ships = able_at_sea(s)
    if battle.naval_only:
        told = [_fought(at_sea(s), "sea")]
        if s.is_power(foe) and s.options.attack.naval_only_declinable:
            told.append(text("If {foe:the} won't fight, nothing happens.", foe=foe))
    elif len(ships) == 2:
        fought = at_sea(s)
        told = [_fought(fought, "sea"),
                 text("Then on land: {chances}.", chances=_chances(after_sea(fought))),
                 text("If {foe:the} won't fight at sea: {chances}.",
                      foe=foe, chances=_chances(fight(supported(s, attacker), "land"))),
                 text("If you won't fight at sea: {chances}.", chances=_chances(fight(supported(s, foe), "land")))]
    else:
        told = [_fought(supported(s, support_before(s, ships)), "land")]
    return lines([*told, _left_out(s)])


def raid_outlook(s: State) -> Text:
    """The odds of the raid in `s`, just begun: of Pirates at sea, or of a Slave Revolt on land (SOE-14.2, 14.3)."""
    battle = battle_of(s)
    ships = s.navies(battle.defender, battle.area)
    if battle.stage == "sea" and ships:
        s = at_sea(s)
    elif battle.stage == "land" and ships and s.options.covert.revolt_counts_naval_support:
        s = supported(s, battle.defender)
    taken = text("{mine} against {theirs} before the dice: {win} to capture the control marker.",
                 mine=s.strength(battle.attacker, battle.stage), theirs=s.strength(battle.defender, battle.stage),
                 win=percent(fight(s, battle.stage).win))
    left_out = [text("Not counted: tiles {foe:the} may use.", foe=battle.defender)] if s.is_power(battle.defender) else []
    return lines([taken, *left_out])


def crossing(s: State, power: str, origin: str, to: str) -> Text | None:
    """How probable it is that a unit on this way sinks or turns back, if nothing is paid to mend it; None if it crosses no ocean.

    Rule: SOE-8.3.4, 8.4.1, 8.4.7, 12.11.1
    """
    if s.parts.zone[origin] == s.parts.zone.get(to, s.parts.zone[origin]):
        return None
    found = chances(s, power)
    sunk, back = found["lost"], found["back"]
    if not sunk:
        return text("turns back {back}", back=percent(back)) if back else None
    if not back:
        return text("sinks {sunk}", sunk=percent(sunk))
    return text("sinks {sunk}, turns back {back}", sunk=percent(sunk), back=percent(back))


def percent(chance: Fraction) -> Text:
    """A chance in whole percents; what is merely improbable is never called impossible."""
    if 0 < chance < HALF_PERCENT:
        return text("under 1%")
    if 1 - HALF_PERCENT < chance < 1:
        return text("over 99%")
    return text("{n}%", n=int(100 * chance + Fraction(1, 2)))


def _fought(s: State, stage: str) -> Text:
    battle = battle_of(s)
    where = text("At sea") if stage == "sea" else text("On land")
    return text("{where}, {mine} against {theirs}: {chances}.", where=where, mine=s.strength(battle.attacker, stage),
                theirs=s.strength(battle.defender, stage), chances=_chances(fight(s, stage)))


def _chances(odds: Odds) -> Text:
    return text("win {win}, tie {tie}, lose {loss}; {hurt} risk of losing a unit", win=percent(odds.win), tie=percent(odds.tie),
                loss=percent(odds.loss), hurt=percent(odds.hurt))


def _left_out(s: State) -> Text:
    """Return what may still change the odds: help, of those who have something to send, and tiles."""
    battle = battle_of(s)
    principals = [battle.attacker, *([battle.defender] if s.is_power(battle.defender) and not battle.surprise else [])]
    able = [ally for side in principals for ally in s.able_helpers(side)]
    if able:
        return text("Not counted: help from {able:the}, and tiles used in the fight.", able=tuple(able))
    return text("Nobody else can help. Not counted: tiles used in the fight.")
