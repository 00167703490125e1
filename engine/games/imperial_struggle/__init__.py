"""Imperial Struggle: the game as the catalogue knows it.

A file for each chapter of the rules holds its scripts, in `rules`: `control` (2, and every change of control), `setup` (3,
19.4, 19.5), `peace` (4.1 to 4.8), `rounds` (5.1 to 5.5, 5.11), `points` (5.5 to 5.9: actions of a round, pools, payment),
`prices` (what a price is made of), `economic` (6), `diplomatic` (7), `military` (8), `money` (9, 10, victory points),
`advantages` (11, which can be used) and `advantage_uses` (what that does), `ministries` (12, turning up, which abilities can be
used), `abilities` (what these do) and `ministry_effects` (what other chapters ask), `playing` (13, which events can be played),
`event_cards` (playing them) and `effects` (what they do), `conditions` (of cards, and what they count), `filters` (which spaces
a card means), `wars` (14.1 to 14.6, 14.10 to 14.13, 19.1), `theaters` (14.3 to 14.6, what is asked there), `spoils` (14.7,
14.9) and `conquest` (14.8, 19.3), `tiles` (3.6 to 3.8, 5.10, 8.1, 14.10, 14.12, 19.2) and `display` (what is asked there),
`independence` (15), `scoring` (4.10 to 4.14), `victory` (16), `resignation` (who is left alone), `track` (from turn to turn),
`choices` (asking for one id, drawing at random), `cards` (drawing, discarding).

`events` holds the facts and `actions` the answers, by the same chapters; their `__init__` list them all. Facts know only the
state and components; answers ask the rules what is legal; scripts ask, and emit facts. A fact after which no step of a round can
be taken back says so (`Fact.binds`).
"""
from __future__ import annotations

from dataclasses import replace

from engine.games.imperial_struggle import answers, events, player
from engine.games.imperial_struggle.caretaker import caretaker
from engine.games.imperial_struggle.chronicle import COURSE
from engine.games.imperial_struggle.coach import COACH
from engine.games.imperial_struggle.components import foe
from engine.games.imperial_struggle.components.parts import Parts, parts
from engine.games.imperial_struggle.events.turns import GameEnded, RoundOver, StepBegun
from engine.games.imperial_struggle.lesson import LESSON
from engine.games.imperial_struggle.options import CHOICES, FIRST_GAME, PUBLISHED, TOURNAMENT, options
from engine.games.imperial_struggle.orders.decision_points import ORDERING
from engine.games.imperial_struggle.pictures.alt_text import board, describe
from engine.games.imperial_struggle.pictures.build_scenes import PICTURES, areas, numbers
from engine.games.imperial_struggle.rules import peace, resignation, rounds, scoring, setup, track, wars
from engine.games.imperial_struggle.secrecy import disguise, private, purse
from engine.games.imperial_struggle.state import RULES_VERSION, TOP, State
from engine.games.imperial_struggle.tips import TIPS
from engine.games.imperial_struggle.view import view
from engine.games.imperial_struggle.words.briefing import briefing
from engine.games.imperial_struggle.words.help import about, cards, printed
from engine.games.imperial_struggle.words.menus import MENUS
from engine.games.imperial_struggle.words.nouns import names
from engine.games.imperial_struggle.words.options import SUBJECTS
from engine.games.imperial_struggle.words.provenance import ORIGINS
from engine.games.imperial_struggle.words.signs import signs
from engine.games.imperial_struggle.words.summaries import summary
from engine.kernel import Edition, GameSpec, Planning, Seat
from engine.kernel.game_spec import Outside, Rules, Views, Words
from engine.text import Text, text


def bind(state: State, components: Parts) -> None:
    state.parts = components


def seat_name(state: State, seat: Seat) -> str:
    return state.power(seat)


def when(state: State) -> Text:
    match state.phase:
        case "layout" if state.step:
            return text("Layout of the next war")
        case "setup" | "sides" | "layout":
            return text("Setup")
        case "over":
            return text("The game is over")
        case "round" if state.round is not None:
            return text("Turn {turn}, action round {number} of {rounds}", turn=_number(state), number=state.ar,
                        rounds=track.ROUNDS)
        case "war":
            return text("{war}", war=state.turn)
    return text("Turn {turn}", turn=_number(state))


def moment(state: State) -> Text:
    acting = state.round if state.phase == "round" else None
    return text("{when}: {side}", when=when(state), side=acting.side) if acting is not None else when(state)


def _number(state: State) -> int:
    return int(state.turn.removeprefix("T"))


def going_on(state: State) -> tuple[Text, str]:
    told = {"setup": "IS-3.1", "sides": "IS-19.4", "layout": "IS-3.7", "peace": "IS-4.7", "round": "IS-4.9", "scoring": "IS-4.12",
            "war": "IS-14.1", "over": "IS-16.1"}
    return moment(state), told[state.phase]


def active(state: State) -> Seat | None:
    return state.seat(state.round.side) if state.round is not None else None


def round_of(state: State) -> str:
    """The step of the turn track, and in it the pair of action rounds, one of each side."""
    return f"{state.step}.{-(-state.ar // len(state.sides))}"


def follows(state: State) -> Seat | None:
    """Whose action round comes after this one, in this turn [IS-4.9]."""
    if state.round is None or state.ar >= track.ROUNDS:
        return None
    return state.seat(foe(state.round.side))


def round_id(state: State, seat: Seat) -> str:
    """The action round that a seat plays now, which it plans in private; "" if it plays none."""
    now = state.round
    own = now is not None and state.phase == "round" and now.stage != "over" and state.seat(now.side) == seat
    return f"{state.turn}.{state.ar}" if own else ""


def result(state: State) -> Text:
    """Who wins, both with their VP, as in `standings`, and why."""
    (_, _, won), (_, _, lost) = standings(state)
    return text("{winner} wins with {won} VP to {lost}: {why}.", winner=state.winner, won=won, lost=lost, why=WHY[state.ended_by])


WHY = {
    "points": text("an immediate victory"), "sweep": text("it has won all awards and all goods in demand of this turn"),
    "war_sweep": text("it has won every theater of the war in the highest row"), "final_scoring": text("after the final scoring"),
    "first_war": text("after the first war"), "tie_break": text("level, so available debt decides"),
    "resignation": text("the other side has resigned")}


def recorded(state: State) -> Text:
    return text("{winner} wins with the counter at {vp}.", winner=state.winner, vp=state.vp)


def standings(state: State) -> list[tuple[Seat, int, int]]:
    """(seat, place, VP): of France where the counter stands, of Britain what is left to 30."""
    points = {"france": state.vp, "britain": TOP - state.vp}
    return sorted(((state.seat(side), 1 if side == state.winner else 2, points[side]) for side in state.sides),
                  key=lambda entry: entry[1])


# the components of earlier versions: the United States lay in the Northern Colonies, and event 31 left out flags under markers;
# then cards had their first wording
BEFORE = ("c812930a418279f19af9bb2a0e78ee00d551a6560299b38d81cf25812223c9a2",
          "831bd6ba5cac0fbeace718b2709f77c603c5cd6a7890152290b86fbca957d94f")

GAME = GameSpec(
    key="imperial_struggle", command="imperial", name="Imperial Struggle",
    editions=(
        Edition(key=PUBLISHED, name="As published", data="imperial_struggle", rules=PUBLISHED, earlier=BEFORE),
        Edition(key=FIRST_GAME, name="For a first game", data="imperial_struggle", rules=PUBLISHED, earlier=BEFORE),
        Edition(key=TOURNAMENT, name="Tournament", data="imperial_struggle", rules=PUBLISHED, earlier=BEFORE)),
    seats=range(2, 3),
    rules=Rules[State](
        version=RULES_VERSION, refusal_rule="IS-5.5.5",
        state=State, actions=answers.ALL, decrees=(resignation.LeftAlone,), events=events.ALL,
        phases={"setup": setup.setup, "sides": setup.sides, "layout": setup.layout, "peace": peace.peace,
                "round": rounds.action_round, "scoring": scoring.scoring, "war": wars.war},
        parts=parts, options=options, setup=setup.first_state, bind=bind, active=active, follows=follows, choices=CHOICES,
        standings=standings, breaks=(RoundOver, StepBegun, GameEnded), caretaker=caretaker, round=round_of),
    words=Words[State](
        menus=MENUS, names=names, seat_name=seat_name, when=when, moment=moment, going_on=going_on, result=result,
        recorded=recorded, subjects=SUBJECTS, origins=ORIGINS, tips=TIPS, summary=summary, lessons=(LESSON,), signs=signs,
        care=text("it mends what is damaged, lowers its debt and takes nothing from the other side")),
    views=Views[State](view=view, private=private, purse=purse, disguise=disguise, board=board, describe=describe,
                       pictures=PICTURES, numbers=numbers, areas=areas, briefing=briefing, cards=cards, card=about,
                       printed=printed),
    outside=Outside[State](left_alone=resignation.left_alone),
    orders=ORDERING,
    planning=Planning[State](round=round_id),
    automatic=replace(player.PLAYERS, coach=COACH), course=COURSE)
