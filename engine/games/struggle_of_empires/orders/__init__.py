"""Section D: the decision points, the answers and conditions that an order can name, and what each seat sees of them.

DP-10, 25, 26, 27, 30 and 33 are asked as parts of DP-05 and DP-06; those of DP-28, in raids, as DP-19, 21, 22 and 23.
DP-31, a gift, is never asked.
"""
from __future__ import annotations

from engine.games.struggle_of_empires.orders.conditions import CONDITIONS
from engine.games.struggle_of_empires.orders.decision_points import POINTS
from engine.games.struggle_of_empires.orders.facts import facts
from engine.games.struggle_of_empires.orders.spans import foreseen, occasion, spans
from engine.games.struggle_of_empires.orders.unrest_cost import unrest_of
from engine.games.struggle_of_empires.orders.values import NEUTRAL, TIED, WON
from engine.games.struggle_of_empires.words.names import UNREST, UNREST_MARKERS
from engine.kernel import Seat
from engine.orders import TURN, Ordering, Span
from engine.text import text

ORDERING = Ordering(
    points=POINTS, conditions=CONDITIONS, facts=facts, spans=spans, foreseen=foreseen, occasion=occasion,
    durations=(Span("war", text("for this war only"), text("each war")), Span("attack", text("for this attack only")),
               Span(TURN, text("for this turn only"))),
    seats=lambda s: map(Seat, s.seats), packet="attack", own_turn=("DP-11", "DP-15", "DP-17", "DP-19", "DP-20", "DP-24"),
    written=("DP-05", "DP-06", "DP-07", "DP-08", "DP-29"),
    between=("DP-07", "DP-08", "DP-29"), toll=unrest_of,
    toll_words=("{answer}, even if it costs unrest", "{answer}, if it costs no more than {n} {one}",
                "{answer}, if it costs no more than {n} {many}"),
    toll_about={"one": UNREST, "many": UNREST_MARKERS}, toll_asked=text("How much unrest, at most?"), stretch="war")
