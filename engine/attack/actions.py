"""Every answer that a player can give, and what the world outside says; each has a verb."""
from __future__ import annotations

from engine.attack.answer import Answer, Lapse
from engine.attack.battle import Bring
from engine.attack.combat import Attack
from engine.attack.diplomacy import Diplomacy
from engine.attack.ending import LeftAlone, Propose, Time
from engine.attack.lines import Formation, Line
from engine.attack.moves import Fly, Move, Permit
from engine.attack.naval import Fight
from engine.attack.policies import Keep, Policy
from engine.attack.production import Buy
from engine.attack.setup import Capital, Claim, Colour, Deploy
from engine.attack.trade import Offer, Recall
from engine.attack.turns import Begin, Confirm, Drop, End
from engine.kernel import Action, Aside, Decree

ALL: tuple[type[Action], ...] = (Claim, Deploy, Capital, Begin, Diplomacy, Offer, End, Move, Confirm, Drop, Permit, Fly, Attack,
                                 Bring, Policy, Keep, Fight, Line, Formation, Answer, Lapse, Buy)
ASIDES: tuple[type[Aside], ...] = (Propose, Recall, Colour)
DECREES: tuple[type[Decree], ...] = (Time, LeftAlone)
