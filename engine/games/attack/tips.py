"""Advice for a first game, one piece for each decision point that needs it."""
from __future__ import annotations

from collections.abc import Mapping

from engine.text import Text, text

TIPS: Mapping[str, Text] = {
    "D-01": text("Territories side by side are easier to hold. A coast on an anchor zone (Caribbean, Mediterranean) reaches "
                 "all its other shores."),
    "D-02": text("A mixed force hits most often: each type of unit hits on different faces."),
    "D-03": text("A capital brings 10 production points to whoever owns its territory. Put it where few neighbours are foreign."),
    "D-04": text("You take three different actions a turn; only Diplomacy may be repeated. Early Production pays for later "
                 "attacks."),
    "D-05": text("One unit must stay in each territory. 2 infantry, 1 tank, 1 artillery and 1 plane beat most neutral "
                 "defenders."),
    "D-06": text("Whoever controls the sea lanes may refuse crossings, but planes can fly on anyway."),
    "D-07": text("Planes alone can attack and hold a territory, but they face all its defenders."),
    "D-08": text("Begin with the battle that matters most. If it knocks a player out, the game may end before the others are "
                 "fought."),
    "D-09": text("Infantry are lost first, then tanks, artillery and planes: infantry in front shield what costs more."),
    "D-10": text("Infantry are lost first, then tanks, artillery and planes: infantry in front shield what costs more."),
    "D-11": text("Units in reserve can't be hit, but roll no dice. Every round makes room for one more unit."),
    "D-12": text("Commanding neutrals costs you nothing, and a good line-up costs the attacker units. If several offer, dice "
                 "decide."),
    "D-13": text("Neutrals you command cost you nothing, and what the attacker loses to them is gone."),
    "D-14": text("Withdrawing costs no ships, only the sea lanes. You can challenge for them on your own turn."),
    "D-15": text("The head of the line is hit first, whichever pair loses. A battleship there takes two hits."),
    "D-16": text("If you withdraw, you keep what is left. Damaged battleships are repaired before the next naval battle."),
    "D-19": text("A counter-offer is the last word on this deal. Declining costs no action, and you can make another offer."),
    "D-20": text("Oil, minerals, factories and railroads make a set, and a set counts double. Trade for what you lack."),
    "D-21": text("You see how many cards change hands, not which. Blocking costs nothing: who would complete a set?"),
    "D-22": text("Points you don't spend now are lost. Destroyers and submarines cost as little as infantry."),
    "D-23": text("Put new units where you'll attack next, or where you expect an attack."),
    "D-24": text("The game ends early only if all agree. Then territories decide, and land units break ties, so it helps the "
                 "leader."),
}
