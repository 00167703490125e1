"""Advice for a first game, one piece for each decision point that needs it."""
from __future__ import annotations

from collections.abc import Mapping

from engine.text import Text, text

TIPS: Mapping[str, Text] = {
    "IS-18.1": text("Keep events whose bonus you can get: a keyword needs one of your ministries, other conditions look at "
                    "the board."),
    "IS-18.2": text("Choose ministries that fit your events and the next war."),
    "IS-18.3": text("Whoever goes first takes the best tile; whoever goes second has the last word before scoring."),
    "IS-18.4": text("Put bonus tiles where a small lead is worth conquest points, not where you are far behind."),
    "IS-18.6": text("Tiles with 4 points do most. The event symbol lets you play a card first; 2-point tiles upgrade a war "
                    "tile."),
    "IS-18.7": text("If you use nothing of your tile, you can pass: your debt falls by 2. That is rarely worth a whole round."),
    "IS-18.10": text("Everything on a card happens at once, in its order; only points are spent later."),
    "IS-18.11": text("A bonus tile of +0 is often worth less than a squadron that protects markets."),
    "IS-18.12": text("Finish one action before the next: what the tile leaves for it lapses; points of an event stay. If you're "
                     "short, debt and treaty points make up the rest."),
    "IS-18.16": text("A theater holds two bonus tiles at most. Even a small lead wins its spoils."),
    "IS-18.20": text("Ministries turned up now still count when this turn is scored, and in the war after it."),
    "IS-18.21": text("What tiles hit goes before strength is counted: a squadron or an alliance lost now doesn't fight."),
    "IS-18.22": text("A territory needs a conquest line from your fort, naval space or territory; forts, markets and seas in "
                     "the theater don't."),
    "IS-18.23": text("The first refusal of a war costs 3 VP, the second 5. A territory is worth 2 VP at the end, and often "
                     "markets behind it."),
    "IS-18.24": text("Squadrons in the Navy Box protect nothing, so they are the ones you miss least."),
    "IS-19.1": text("A free shift in Spain may turn a Prestige or Alliance space. Declining gains you nothing."),
    "IS-19.4": text("Treaty points are action points: five of them are more than a whole tile."),
}
