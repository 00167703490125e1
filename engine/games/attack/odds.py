"""The odds of battles before they are declared, on what everybody sees, as a player reads them.

The work for one question is bounded. Where the courses are too many, some that are equally likely stand for all: they are laid
out in order, from the worst to the best for the attacker, and each rolls its own place between the least and the greatest hits
(array quasi-Monte Carlo, without a random number: the same battle has the same odds every time). The words say "about" then:
within 4 in a hundred of the exact odds on land and 6 at sea for a single battle, where both were compared (test_odds.py), and
within 9 where twelve battles share the work. Of thousands of units, which are rolled several rounds at once, nothing is compared.
"""
from __future__ import annotations

from engine.games.attack.odds_at_sea import at_sea, fleet_of, sea_rules_of
from engine.games.attack.odds_on_land import WORK, counted, neutrals, on_land, rules_of
from engine.games.attack.rules.naval_lines import outnumbered
from engine.games.attack.state import NEUTRAL, Force, State, join, size
from engine.text import Text, count, lines, text

TOLD = 12                   # battles whose odds one question tells
HALF_PERCENT = 0.005        # nearer than this to 0 or 100, a whole percent would say "never" or "always"


def percent(chance: float) -> Text:
    """A chance in whole percents; what is merely improbable is never called impossible."""
    if 0 < chance < HALF_PERCENT:
        return text("under 1%")
    if 1 - HALF_PERCENT < chance < 1:
        return text("over 99%")
    return text("{n}%", n=int(100 * chance + 0.5))


def outlook_on_land(s: State, power: str) -> Text | None:
    """Return what a player may weigh before its orders count: the odds of each battle that they lead to; None if they lead to
    none."""
    forces = {goal: dict(force) for goal, force in s.turn.entering.items()}
    asked: list[str] = []
    for crossing in s.turn.crossings:
        if crossing.to in forces:
            join(forces[crossing.to], crossing.units)
            if crossing.blockable and s.controller not in ("", power):
                asked.append(crossing.to)
    if not forces:
        return None
    told = dict(list(forces.items())[:TOLD])
    sentences = [_battle(s, power, goal, force, WORK // len(told)) for goal, force in told.items()]
    if more := len(forces) - len(told):
        sentences.append(count(more, "And {n} more battle.", "And {n} more battles."))
    sentences.append(text("Assumes that both sides line up mixed and bring up all they can."))
    if s.deck and (neutral := [goal for goal in told if goal not in s.owner]):
        sentences.append(text("A card decides who defends {neutral:the}: any that you don't hold.", neutral=tuple(neutral)))
    if asked:
        sentences.append(text("{controller} may still refuse the crossing to {goals:the}.", controller=s.controller,
                          goals=tuple(dict.fromkeys(asked))))
    return lines(sentences)


def _battle(s: State, power: str, goal: str, force: Force, work: int) -> Text:
    owner = s.owner.get(goal, NEUTRAL)
    forces = neutrals(s, power) if owner == NEUTRAL else ((counted(s.units[goal]), 1.0),)
    odds = on_land(rules_of(s.parts), counted(force), forces, work)
    units = count(size(force), "{n} unit", "{n} units")
    if not odds.settled:
        return text("{goal} against {owner}: too large a battle to work out the odds.", goal=goal, owner=owner)
    if odds.exact:
        return text("{goal:The} against {owner}: win {win}. You lose {lost} of {units} on average.", goal=goal, owner=owner,
                    win=percent(odds.win), units=units, lost=tenths(odds.lost))
    return text("{goal:The} against {owner}: win about {win}. You lose about {lost} of {units} on average.", goal=goal,
                owner=owner,
                win=percent(odds.win), units=units, lost=tenths(odds.lost))


def tenths(number: float) -> float:
    return int(10 * number + 0.5) / 10


def outlook_at_sea(s: State, power: str) -> Text | None:
    """The odds of a naval battle that is about to begin or to go on; None if control needs no fight."""
    rules = sea_rules_of(s.parts)
    if s.naval is not None:
        attacker, defender = s.naval.attacker, s.naval.defender
        fleets = fleet_of(s.fit(attacker)), fleet_of(s.fit(defender))
        gives_way = power == attacker and outnumbered(sum(fleets[1]), sum(fleets[0]))
        chance, exact = (1.0, True) if gives_way else at_sea(rules, *fleets)
    else:
        attacker, defender = s.active, s.controller
        if not defender or not s.ships(defender):
            return None
        chance, exact = at_sea(rules, fleet_of(s.fleets[attacker]), fleet_of(s.fleets[defender]))
    win = percent(chance if power == attacker else 1 - chance)
    sentences = [text("If it comes to a fight: win {win}.", win=win) if exact else text(
        "If it comes to a fight: win about {win}.", win=win),
             text("Assumes that both sides use the default line and withdraw when outnumbered two to one.")]
    if s.naval is None and power == attacker:
        sentences.append(text("{foe} may also withdraw at once. Then the sea lanes are yours.", foe=defender))
    return lines(sentences)
