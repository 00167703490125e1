"""What the chronicle of a game tells: territories, battles on land and at sea, and the hits of their dice."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from engine.games.attack.odds_on_land import counted, hits, rules_of
from engine.games.attack.rules.battle import BattleRolled, battle_of
from engine.games.attack.rules.combat import AttackFailed, TerritoryCaptured
from engine.games.attack.rules.ending import GameEnded
from engine.games.attack.rules.naval import NavalBegun, NavalEnded, PairFought
from engine.games.attack.rules.setup import PhaseBegun
from engine.games.attack.rules.turns import TurnEnded
from engine.games.attack.state import State
from engine.kernel import Seat
from engine.kernel.chronicle import Course, Fight, Luck, Period, Told
from engine.text import Text, text

MANY = 60           # dice of a roll whose falls are not all counted
SETUP = ("setup", "claiming", "deploying", "founding")


def _score(s: State) -> Mapping[Seat, int]:
    if s.phase in SETUP:
        return {}
    held = Counter(s.owner.values())
    return {s.seat(power): held[power] for power in s.powers}


def _period(s: State) -> Period:
    return Period(text("Round {round}", round=s.round), str(s.round))


def _moment(s: State) -> Text:
    if s.phase == "turn" and s.active:
        return text("Round {round}, {power:possessive} turn", round=s.round, power=s.active)
    return text("Round {round}", round=s.round)


def _deeds(told: Told[State]) -> Iterator[Fight | Luck]:
    """Battles as they end; who withdraws before the dice has not fought [ATK-7.7, 13.5]."""
    challenger = ""
    for event, s in told:
        match event:
            case BattleRolled():
                yield Luck(event.power, event.hits, _expected(s, event.power))
            case TerritoryCaptured():
                yield Fight(event.winner, event.loser, won=True)
            case AttackFailed():
                yield Fight(event.attacker, event.defender, won=False)
            case NavalBegun():
                challenger = event.attacker
            case PairFought():
                (one, mine), (other, theirs) = event.modifiers.items()
                yield Luck(one, event.hit == other, _higher(mine - theirs))
                yield Luck(other, event.hit == one, _higher(theirs - mine))
            case NavalEnded():
                yield Fight(challenger, event.loser if event.winner == challenger else event.winner,
                            won=event.winner == challenger)


def _expected(s: State, power: str) -> float:
    """The hits that a side's units in battle score on average [ATK-7.4, 7.5]."""
    rules, fighting = rules_of(s.parts), counted(battle_of(s).side(power).fighting)
    dice = max(rules.fewest, sum(number * each for number, each in zip(fighting, rules.dice)))
    if dice > MANY:         # so many show every face about as often as it should come
        return sum(min(number, dice * faces / rules.sides) for number, faces in zip(fighting, rules.faces))
    return sum(number * chance for number, chance in enumerate(hits(rules, fighting)))


@lru_cache(maxsize=64)
def _higher(ahead: int) -> float:
    """The chance that two dice and so much show more than two others."""
    falls = [a + b + ahead > c + d for a, b, c, d in product(range(1, 7), repeat=4)]
    return sum(falls) / len(falls)


COURSE = Course[State](
    score=_score, counted=text("Territories"), stops=(PhaseBegun, TurnEnded, GameEnded), period=_period, moment=_moment,
    deeds=_deeds, dice=text("hits"))
