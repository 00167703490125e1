"""What several scenes say of a story: its powers, who plays them, and the moment."""
from __future__ import annotations

from engine.games.struggle_of_empires.pictures.scenes import Moment, People, Power
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.view import name_of
from engine.kernel import Seat
from engine.kernel.game_spec import Replay

TITLE = "Struggle of Empires"


def powers(s: State) -> tuple[Power, ...]:
    """The powers that are played, in seat order."""
    return tuple(Power(power=power, name=name_of(power, s.parts)) for power in chosen(s))


def npps(s: State) -> tuple[Power, ...]:
    """The powers that nobody plays, in the order of the data."""
    return tuple(Power(power=power, name=name_of(power, s.parts), npp=True) for power in s.npps)


def chosen(s: State) -> list[str]:
    return [power for power in s.powers if power]


def people(story: Replay, s: State) -> People:
    """Whose player is called what, in seat order."""
    named = [(s.power(Seat(seat)), story.people.get(Seat(seat), "")) for seat in s.seats]
    return tuple((power, name) for power, name in named if power and name)


def moment(s: State) -> Moment:
    return Moment(war=s.war, round=s.round if s.phase == "turn" else 0, rounds=s.rounds, phase=s.phase)
