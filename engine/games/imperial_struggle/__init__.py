"""Imperial Struggle."""
from __future__ import annotations

from engine.games.imperial_struggle import actions, events
from engine.games.imperial_struggle.components import Parts, parts
from engine.games.imperial_struggle.events.turns import GameEnded, RoundOver, StepBegun
from engine.games.imperial_struggle.options import CHOICES, FIRST_GAME, PUBLISHED, TOURNAMENT, options
from engine.games.imperial_struggle.rules import peace, rounds, scoring, setup, wars
from engine.games.imperial_struggle.state import RULES_VERSION, State
from engine.games.imperial_struggle.view import view
from engine.games.imperial_struggle.words.nouns import names
from engine.kernel import Edition, GameSpec, Seat
from engine.kernel.game_spec import Rules, Views, Words
from engine.text import Text, text


def bind(state: State, components: Parts) -> None:
    """Give a loaded state its components."""
    state.parts = components


def seat_name(state: State, seat: Seat) -> str:
    return state.power(seat)


def moment(state: State) -> Text:
    """Where the game stands, in a few words."""
    match state.phase:
        case "setup" | "sides" | "layout":
            return text("Setup")
        case "over":
            return text("The game is over")
        case "round":
            return text("{turn}, action round {number} of 8", turn=state.turn, number=max(1, state.ar))
    return text("{turn}", turn=state.turn)


def active(state: State) -> Seat | None:
    return state.seat(state.round.side) if state.round is not None else None


def result(state: State) -> Text:
    """The final sentence."""
    return text("{winner} wins with the counter at {vp}.", winner=state.winner, vp=state.vp)


def standings(state: State) -> list[tuple[Seat, int, int]]:
    """(seat, place, VP): of France where the counter stands, of Britain what is left to 30."""
    top = 30
    points = {"france": state.vp, "britain": top - state.vp}
    return sorted(((state.seat(side), 1 if side == state.winner else 2, points[side]) for side in state.sides),
                  key=lambda entry: entry[1])


GAME = GameSpec(
    key="imperial_struggle", command="imperial", name="Imperial Struggle",
    editions=(
        Edition(key=PUBLISHED, name="As published", data="imperial_struggle", rules=PUBLISHED),
        Edition(key=FIRST_GAME, name="For a first game", data="imperial_struggle", rules=PUBLISHED),
        Edition(key=TOURNAMENT, name="Tournament", data="imperial_struggle", rules=PUBLISHED)),
    seats=range(2, 3),
    rules=Rules[State](
        version=RULES_VERSION, refusal_rule="IS-5.5.5",
        state=State, actions=actions.ALL, events=events.ALL,
        phases={"setup": setup.setup, "sides": setup.sides, "layout": setup.first_layout, "peace": peace.peace,
                "round": rounds.action_round, "scoring": scoring.scoring, "war": wars.war},
        parts=parts, options=options, setup=setup.first_state, bind=bind, active=active, choices=CHOICES,
        standings=standings, breaks=(RoundOver, StepBegun, GameEnded)),
    words=Words[State](names=names, seat_name=seat_name, moment=moment, result=result),
    views=Views[State](view=view, private=lambda state, seat: None))
