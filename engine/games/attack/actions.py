"""Every answer that a player can give, and what the world outside says; each has a verb."""
from __future__ import annotations

from engine.games.attack.rules.battle import Bring
from engine.games.attack.rules.combat import Attack
from engine.games.attack.rules.crossings import Fly, Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import LeftAlone, Propose, Time
from engine.games.attack.rules.line_up_policies import Keep, Policy
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.naval_lines import Formation, Line
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer, Lapse
from engine.games.attack.rules.setup import Capital, Claim, Colour, Deploy
from engine.games.attack.rules.trade import Offer, Recall
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.kernel import Action, Aside, Decree

ALL: tuple[type[Action], ...] = (Claim, Deploy, Capital, Begin, Diplomacy, Offer, End, Move, Confirm, Drop, Permit, Fly, Attack,
                                 Bring, Policy, Keep, Fight, Line, Formation, Answer, Lapse, Buy)
ASIDES: tuple[type[Aside], ...] = (Propose, Recall, Colour)
DECREES: tuple[type[Decree], ...] = (Time, LeftAlone)
