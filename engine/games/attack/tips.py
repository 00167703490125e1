"""Advice for a first game, one piece for each decision point that needs it."""
from __future__ import annotations

from collections.abc import Mapping

from engine.text import Text, text

TIPS: Mapping[str, Text] = {
    "D-01": text("Territories side by side are easier to hold; a coast on an anchor zone (Caribbean, Mediterranean) reaches all "
                 "its other shores."),
    "D-02": text("A mixed force hits most often: each type of unit brings its own faces of the dice."),
    "D-03": text("The capital brings 10 production points to whoever owns its territory: put it where few neighbours are "
                 "foreign."),
    "D-04": text("Three different actions a turn; only Diplomacy may be repeated. Production early pays for the attacks that "
                 "follow."),
    "D-05": text("One unit stays in each territory. 2 infantry, 1 tank, 1 artillery and 1 plane beat most neutral defenders."),
    "D-06": text("Who controls the sea lanes may refuse crossings, but planes fly on all the same."),
    "D-07": text("Planes alone may attack and hold a territory, but they meet all its defenders."),
    "D-08": text("Begin with the battle that matters most: if a player is out by it, the game may end at once, and the others "
                 "are not fought."),
    "D-09": text("Infantry are lost first, then tanks, artillery and planes: infantry in front shield what costs more."),
    "D-10": text("Infantry are lost first, then tanks, artillery and planes: infantry in front shield what costs more."),
    "D-11": text("What stays in reserve cannot be hit, and rolls no dice. The place for one unit more comes with every round."),
    "D-12": text("Commanding neutrals costs you nothing, and a good line-up costs the attacker units. If several offer, dice "
                 "decide."),
    "D-13": text("The neutrals that you command cost you nothing, and what the attacker loses to them is gone."),
    "D-14": text("Withdrawing costs no ship, only the sea lanes; you can challenge for them in your own turn."),
    "D-15": text("The head of the line is hit first, whichever pair is lost. A battleship there takes two hits."),
    "D-16": text("Who withdraws keeps what is left; damaged battleships are repaired before the next battle at sea."),
    "D-19": text("A counter-offer is the last word on this deal. Declining costs no action, and you can make another offer."),
    "D-20": text("One oil, minerals, factories and railroads card make a set, and a set counts double: trade for what you lack."),
    "D-21": text("You see how many cards change hands, not which. Blocking costs you nothing: ask yourself who would complete a "
                 "set by it."),
    "D-22": text("What is not spent now is lost. Destroyers and submarines cost as little as infantry."),
    "D-23": text("New units stand where the next attack begins, or where the next one is expected."),
    "D-24": text("The game ends early only if all agree; then territories decide, and among equals land units. Who leads gains "
                 "by it."),
}
