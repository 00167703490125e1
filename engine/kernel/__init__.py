"""What every game shares: actions, questions, events, rows, and the table that runs them.

A game is a series of phases, each a script: a generator that asks seats for actions and emits events. A table runs the
scripts, numbers every answer as a row, and rebuilds itself from a checkpoint and the rows after it.
"""
from __future__ import annotations

from engine.kernel.actions import Action, Aside, Decree, Rolled, Stirred
from engine.kernel.events import Binding, Event, Game, stored_events
from engine.kernel.game_spec import (
    OVER,
    Alarm,
    Caretaker,
    Edition,
    GameSpec,
    Naming,
    Planning,
    Stirring,
    fold,
    parse_action,
    parse_events,
)
from engine.kernel.log import NOBODYS, Checkpoint, Entry, Heading, Row, differing
from engine.kernel.planning import Closing, Preview, planned_round
from engine.kernel.players import Coach, Level, Players, Position, Rng, Search
from engine.kernel.presentation import Menus, Presentation, Sheet, place_of
from engine.kernel.questions import Aim, Ask, Default, Script, ask, ask_each, choices, gaps, leaves_out, put, roll, stir
from engine.kernel.seats import CHANCE, WORLD, By, Seat
from engine.kernel.table import LONGEST_CHAIN, Slot, Table
