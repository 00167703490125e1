"""Every option in plain words, for those who open a game and for those who think of joining it (IS-19)."""
from __future__ import annotations

from engine.games.imperial_struggle.options import NUMBERS
from engine.kernel.option_words import Choice, Subject
from engine.text import Text, count, text


def _handicap(n: object) -> Text:
    return count(int(str(n)), "That side starts with {n} treaty point.", "That side starts with {n} treaty points.")


SIDES = Subject("sides", text("Sides and length"), (
    Choice("sides", text("Who plays which side"), {
        "seats": text("The first seat plays Britain, the second France."),
        "bid": text("The players bid up to 5 treaty points for the side they want; the other side starts with them."),
    }, ("IS-19.4",)),
    Choice("handicap_side", text("Handicap"), {
        "nobody": text("Nobody starts with treaty points."),
        "britain": text("Britain starts with treaty points."),
        "france": text("France starts with treaty points."),
    }, ("IS-19.5",)),
    Choice("handicap", text("Size of the handicap"), {n: _handicap(n) for n in NUMBERS["handicap"]}, ("IS-19.5",)),
    Choice("length", text("Length"), {
        "whole": text("Six turns and four wars, from 1697 to 1789."),
        "first_war": text("The game ends after the War of the Spanish Succession: above 15 VP France wins, below 15 Britain."),
    }, ("IS-1.2",)),
))

BOARD = Subject("board", text("Board and forts"), (
    Choice("spanish_empire", text("Spanish Empire"), {
        False: text("The three Cuban markets start empty."),
        True: text("Cuba starts Spanish; whoever takes Spanish land in a war gives the other side a shift there."),
    }, ("IS-19.1",)),
    Choice("tougher_forts", text("Forts in wars"), {
        False: text("A fort is conquered with conquest points alone."),
        True: text("A fort is conquered along a conquest line only, as a territory is."),
    }, ("IS-19.3",)),
))

PLANNING = Subject("planning", text("War tiles and action rounds"), (
    Choice("swap_tiles", text("Upgrade"), {
        False: text("An upgrade draws one basic tile and keeps one of two."),
        True: text("An upgrade may instead swap two of your basic tiles between theaters."),
    }, ("IS-19.2",)),
    Choice("assign_tiles", text("Layout"), {
        False: text("Basic tiles go to the theaters at random."),
        True: text("Each side draws its basic tiles together and assigns them to the theaters itself."),
    }, ("IS-19.2",)),
    Choice("strict_action_order", text("Order of actions"), {
        True: text("An action is finished before another one begins; what is left of the tile's points for it lapses."),
        False: text("All points of a round stay usable until it ends."),
    }, ("IS-5.5.3", "IS-R-59")),
))

SUBJECTS = (SIDES, BOARD, PLANNING)
