"""What people do at a table while the bot is killed, for each game."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.games.attack import GAME as ATTACK
from engine.games.imperial_struggle import GAME as IMPERIAL_STRUGGLE
from engine.games.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.kernel import GameSpec, Seat
from engine.orders import Order, OrderLine, Reply
from tests.checks import script_of_attack, script_of_imperial, script_of_struggle
from tests.checks.mixtures import first_edition
from tests.checks.scripted_actions import (
    ANSWER,
    Play,
    Step,
    again,
    aged,
    asked,
    button,
    by,
    clocked,
    confirmed,
    forum_chosen,
    later,
    noted,
    ordered,
    week_over,
    weeks_wanted,
    wishes,
    without_no_shows,
)
from tests.toy import PAINTED, Take

TAKE = Order(seat=Seat("seat_2"), points=("DP-T2",), times=2, lines=(
    OrderLine(then=Reply(verb="take", fields={"pebbles": 1, "hand": "left"})),))

PEBBLES: Sequence[Step] = (
    button("alice", "Join"), button("bob", "Join"), by("olga", "game start"), clocked(1),
    ANSWER, ANSWER, ANSWER, by("olga", "gm undo"), by("olga", "gm redo"), ordered("bob", TAKE), ANSWER,
    by("alice", "talk say", to="all", message="Well played."), by("alice", "talk say", to="Basalt", message="Psst."),
    later(1.5), by("olga", "gm pause"), by("olga", "gm resume"), by("olga", "gm hand", seat="Amber", member="carol"),
    later(3), ANSWER, ANSWER, ANSWER, ANSWER, ANSWER, ANSWER)
"""The small game of the tests: whatever the bot itself does comes to pass in it in no time."""

PEOPLE: Sequence[Step] = (
    button("alice", "Join"), button("bob", "Join"), by("olga", "game start"), ANSWER, ANSWER,
    by("alice", "my standin", member="carol"), button("carol", "Stand in"), ANSWER, ANSWER, by("alice", "my back"),
    by("bob", "my standin", member="max"), button("bob", "Withdraw"), ANSWER,
    aged(20), confirmed("alice", "table replace", "Vote about Basalt"), button("bob", "I'm here"),
    aged(40), confirmed("alice", "table replace", "Vote about Basalt"), aged(30, until=0.2))
"""The small game, in which people come and go."""

WISHES: Sequence[Step] = (
    wishes("carol", "max"), button("alice", "Join"), button("bob", "Join"), by("olga", "game start"), ANSWER, ANSWER,
    by("olga", "game open", game=PAINTED.key, seats=2), later(0.2), *[
        by(name, "clock vote", what=what, game="1") for what in ("pause", "resume") for name in ("alice", "bob")], ANSWER,
    confirmed("bob", "game resign", "Resign", game="1"), later(0.4))
"""The small game, of which and of its free seat others hear who have asked for that; its players stop it by votes for a while."""

NO_SHOW: Sequence[Step] = (
    button("alice", "Join"), button("bob", "Join"), without_no_shows("olga"), by("olga", "game start"), ANSWER,
    aged(4, until=0.2))
"""The small game, to which somebody does not come."""

TO_THE_END: Sequence[Step] = (
    button("alice", "Join"), button("bob", "Join"), by("olga", "game start"), ANSWER, ANSWER, noted("alice", "Take three"),
    confirmed("bob", "table results", "Leave me out", member="bob"), *[asked(Take.of(3, "left"))] * 4)
"""The small game to its end, with a note, and a member who wants to be in no table."""

PLACES: Sequence[Step] = (
    button("alice", "Join"), button("bob", "Join"), by("olga", "game start"), again(by("alice", "talk thread")),
    again(by("bob", "talk private", **{"with": "Amber"})), weeks_wanted("max", "alice"), week_over(),
    forum_chosen("max"), by("olga", "game open", game=PAINTED.key, seats=2, place="a forum post"),
    by("max", "game open", game=PAINTED.key, seats=2, place="a new thread"))
"""The small game with threads for its players, of which a week is told, and two others in a post of a forum and in a thread."""

STRETCH: Sequence[Step] = (by("alice", "game join"), by("bob", "game join"), by("olga", "game start"), *[ANSWER] * 26,
                           by("olga", "gm undo"), *[ANSWER] * 6)
"""A game that nobody has written a script for: random answers from its beginning on."""

SCRIPTS: Mapping[str, Sequence[Play]] = {
    PAINTED.key: tuple([Play(PAINTED, "plain", steps) for steps in (PEBBLES, PEOPLE, NO_SHOW, WISHES, PLACES, TO_THE_END)]),
    STRUGGLE_OF_EMPIRES.key: script_of_struggle.PLAYS, ATTACK.key: script_of_attack.PLAYS,
    IMPERIAL_STRUGGLE.key: script_of_imperial.PLAYS}


def plays(spec: GameSpec) -> Sequence[Play]:
    """The scripts of a game."""
    return SCRIPTS.get(spec.key) or (Play(spec, first_edition(spec), STRETCH),)
