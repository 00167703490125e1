"""Every answer a player can give: its legal values, its reasons, its words. A file for each chapter; here they are listed."""
from __future__ import annotations

from engine.games.struggle_of_empires.actions.attack import Attack
from engine.games.struggle_of_empires.actions.auction import BIDS_OFFERED, HIGHEST_BID, Bid, bids
from engine.games.struggle_of_empires.actions.build import FREE_BUILDS, Build, Rebuild
from engine.games.struggle_of_empires.actions.course import Decline, End, Pass
from engine.games.struggle_of_empires.actions.gifts import Give
from engine.games.struggle_of_empires.actions.minor import Ally, Covert
from engine.games.struggle_of_empires.actions.move import Mend, Move, Send
from engine.games.struggle_of_empires.actions.reactions import Assign, Call, Commit, Fight, Lose
from engine.games.struggle_of_empires.actions.settling import Colonise, Enslave
from engine.games.struggle_of_empires.actions.setup import RANDOM, Choose, Place, Redraw
from engine.games.struggle_of_empires.actions.tiles import Take, Use, company_gold, fight_tile
from engine.kernel import Action

ALL: tuple[type[Action], ...] = (
    Choose, Place, Bid, Pass, Build, Rebuild, Send, Move, Attack, Colonise, Enslave, Take, Use, End, Decline, Call, Commit,
    Fight, Assign, Lose, Ally, Covert, Mend, Redraw)
