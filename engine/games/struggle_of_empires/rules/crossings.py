"""What a crossing brings, and what gold makes of it: the questions of 8.3 and 8.4, answered from the state."""
from __future__ import annotations

from fractions import Fraction
from itertools import product

from engine.games.struggle_of_empires.components import Face
from engine.games.struggle_of_empires.state import NAVIGATION, State

DISCOUNT = 1                        # gold that Navigation saves on each mending, SOE-12.11.2
WORST_FIRST = ("lost", "back", "ok")
DIE = range(1, 7)


def second_die(s: State, power: str, die: int) -> str:
    """Return what the second die of a crossing brings; Navigation may add to it (SOE-8.3.4, 12.11.1)."""
    adds = s.options.navigation.effect == "second_die" and s.with_effect(power, "sea_check_plus_two")
    return s.parts.sea_check.second_die[min(max(DIE), die + (NAVIGATION if adds else 0))]


def face_of(s: State, result: str) -> Face:
    """The face with this result: it tells what mending costs, whichever dice were rolled."""
    return next(face for face in s.parts.far_lands_die if face.result == result)


def discount(s: State, power: str) -> int:
    """Gold that this power saves on each mending (SOE-12.11.2)."""
    return DISCOUNT if s.options.navigation.effect == "mending" and s.with_effect(power, "sea_check_plus_two") else 0


def for_nothing(s: State, power: str, face: Face) -> str:
    """Return what a face brings without payment: Navigation may mend it for nothing (SOE-8.4.7)."""
    free = [fix.to for fix in face.fixes if s.options.cross.rescue_gold and fix.gold <= discount(s, power)]
    return max([face.result, *free], key=WORST_FIRST.index)


def prices(s: State, power: str, face: str) -> dict[str, int]:
    """Return what better results than the one that comes for nothing cost this power (SOE-8.4.3 to 8.4.5)."""
    rolled = next(known for known in s.parts.far_lands_die if known.id == face)
    least = WORST_FIRST.index(for_nothing(s, power, rolled))
    return {fix.to: fix.gold - discount(s, power) for fix in rolled.fixes if WORST_FIRST.index(fix.to) > least}


def chances(s: State, power: str) -> dict[str, Fraction]:
    found = dict.fromkeys(WORST_FIRST, Fraction(0))
    if s.options.cross.model == "far_lands_die":
        faces = sum(face.count for face in s.parts.far_lands_die)
        for face in s.parts.far_lands_die:
            found[for_nothing(s, power, face)] += Fraction(face.count, faces)
        return found
    for first, second in product(DIE, DIE):
        result: str = s.parts.sea_check.first_die[first]
        if result == "roll_again":
            result = second_die(s, power, second)
            if s.options.cross.rescue_gold:
                result = for_nothing(s, power, face_of(s, result))
        found[result] += Fraction(1, len(DIE) ** 2)
    return found
