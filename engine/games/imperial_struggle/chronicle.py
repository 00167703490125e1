"""What the chronicle of a game tells: victory points and the theaters of the wars. There are no dice."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.games.imperial_struggle.events.turns import GameEnded, RoundOver, StepBegun
from engine.games.imperial_struggle.events.wars import TheaterSettled
from engine.games.imperial_struggle.state import TOP, State
from engine.kernel import Seat
from engine.kernel.chronicle import Course, Fight, Luck, Period, Told
from engine.text import Text, count, text


def _score(s: State) -> Mapping[Seat, int]:
    """Where the counter is, seen from either side, once the sides are settled."""
    return {} if s.phase in ("setup", "sides") else {s.seat("france"): s.vp, s.seat("britain"): TOP - s.vp}


def _period(s: State) -> Period:
    if s.here.kind == "war":
        return Period(text("{war}", war=s.turn), s.turn)
    number = s.turn.removeprefix("T")
    return Period(text("Turn {turn}", turn=int(number)), number)


def _moment(s: State) -> Text:
    if s.phase == "round" and s.round is not None:
        return text("Turn {turn}, action round {number}: {side}", turn=int(s.turn.removeprefix("T")), number=s.ar,
                    side=s.round.side)
    name, _ = _period(s)
    return text("{turn}, scoring", turn=name) if s.phase == "scoring" else name


def _deeds(told: Told[State]) -> Iterator[Fight | Luck]:
    """Theaters that somebody wins, each as if Britain had attacked there [IS-14.6]."""
    for event, _ in told:
        if isinstance(event, TheaterSettled) and event.winner:
            yield Fight("britain", "france", won=event.winner == "britain")


def _fought(attacker: str, defender: str, fights: int, won: int) -> Text:
    return text("{attacker} won {won} of {theaters}, {defender} {lost}", attacker=attacker, defender=defender, won=won,
                theaters=count(fights, "{n} theater", "{n} theaters"), lost=fights - won)


COURSE = Course[State](
    score=_score, counted=text("Victory points"), stops=(RoundOver, StepBegun, GameEnded), period=_period, moment=_moment,
    deeds=_deeds, fought=_fought)
