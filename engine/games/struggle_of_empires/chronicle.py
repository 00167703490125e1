"""What the chronicle of a game tells: victory points, attacks and raids, and what the dice added to strengths."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.games.struggle_of_empires.events import (
    AttackDeclared,
    AttackEnded,
    DiceRolled,
    FightDecided,
    GameEnded,
    RaidBegun,
    TurnEnded,
    WarEnded,
)
from engine.games.struggle_of_empires.orders import NEUTRAL
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Seat
from engine.kernel.chronicle import Course, Fight, Luck, Period, Told
from engine.text import Text, text

EXPECTED = 70 / 36          # the difference of two dice, which is what they add [SOE-9.6.2]


def _score(s: State) -> Mapping[Seat, int]:
    """Victory points, which are public all the time, once every power is chosen."""
    return {} if s.phase in ("setup", "powers") else {s.seat(power): points for power, points in s.points.items()}


def _period(s: State) -> Period:
    return Period(text("War {war}", war=s.war), str(s.war)) if s.war else Period(text("Setup"), "0")


def _moment(s: State) -> Text:
    if s.phase == "turn":
        return text("War {war}, round {round}", war=s.war, round=s.round)
    if s.phase in ("war_end", "neutrals"):
        return text("End of war {war}", war=s.war)
    return text("Final reckoning") if s.phase in ("reckoning", "over") else text("War {war}", war=s.war)


def _deeds(told: Told[State]) -> Iterator[Fight | Luck]:
    """An attack is won on land, or at sea if it is for that alone; a tie wins nothing [SOE-9.5, 9.8]."""
    attacker = defender = winner = ""
    for event, s in told:
        match event:
            case AttackDeclared():
                attacker, defender, winner = event.attacker, _side(s, event.defender), ""
            case RaidBegun():
                attacker, defender, winner = event.sender, event.target, ""
            case DiceRolled():
                one, two, three, four = event.dice
                yield Luck(event.attacker, abs(one - two), EXPECTED)
                yield Luck(event.defender, abs(three - four), EXPECTED)
            case FightDecided():
                won = s.battle is not None and event.winner == s.battle.attacker
                winner = attacker if won and (event.stage == "land" or _at_sea_alone(s)) else ""
            case AttackEnded():
                yield Fight(attacker, defender, won=winner == attacker)


def _at_sea_alone(s: State) -> bool:
    return s.battle is not None and (s.battle.naval_only or s.battle.raid)


def _side(s: State, side: str) -> str:
    """Powers by their names, neutral markers all alike."""
    return side if side in s.points or side in s.npps else the(side) if side in TOKENS else NEUTRAL


COURSE = Course[State](
    score=_score, counted=text("Victory points"), stops=(TurnEnded, WarEnded, GameEnded), period=_period, moment=_moment,
    deeds=_deeds, dice=text("strength"))
