"""Every answer that a player can give; each has a verb."""
from __future__ import annotations

from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from engine.games.imperial_struggle.actions.ministries import Keep
from engine.games.imperial_struggle.actions.tiles import AssignTiles
from engine.games.imperial_struggle.actions.turns import Appoint, Bid, Discard, NameFirst, Yield
from engine.games.imperial_struggle.actions.wars import Cede, Refuse
from engine.games.imperial_struggle.rules import spoils
from engine.games.imperial_struggle.rules.rounds import PERFORM
from engine.kernel import Action

ALL: tuple[type[Action], ...] = (Bid, Yield, Discard, Appoint, NameFirst, *PERFORM, Keep, Choose, ChooseSecretly, AssignTiles,
                                *spoils.PERFORM, Cede, Refuse)
"""Those of an action round are in `PERFORM`; the others are asked by scripts of their own."""
