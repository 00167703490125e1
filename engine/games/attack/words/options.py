"""Every option in plain words, for those who open a game and for those who think of joining it (ATK-21.7)."""
from __future__ import annotations

from engine.games.attack.options import NUMBERS
from engine.kernel.option_words import Choice, Subject
from engine.text import Text, count, text


def _rounds(n: object) -> Text:
    return count(int(str(n)), "The game ends after {n} round, or when a player is out.",
                 "The game ends after {n} rounds, or when a player is out.")


def _offers(n: object) -> Text:
    if n == "no_limit":
        return text("You may make any number of trade offers in a turn.")
    return count(int(str(n)), "After {n} trade offer without a deal, you can't make another that turn.",
                 "After {n} trade offers without a deal, you can't make another that turn.")


START = Subject("start", text("Players and setup"), (
    Choice("max_players", text("Most players"), {
        6: text("Two to six players."),
        4: text("Two to four players."),
    }, ("ATK-1.1.1",)),
    Choice("continent_spread", text("First territories"), {
        False: text("Your first four territories may lie anywhere."),
        True: text("Your first four territories lie on four different continents."),
    }, ("ATK-3.3.2",)),
    Choice("full_deployment", text("First units"), {
        False: text("Each player places five units besides the first four."),
        True: text("Each player places all 20 units left in the pool."),
    }, ("ATK-3.4.1", "ATK-3.4.3")),
))

MOVING = Subject("moving", text("Movement"), (
    Choice("blitz_immediate", text("Blitz"), {
        False: text("Blitz may follow Movement at any point in the same turn."),
        True: text("Blitz must be the very next action after Movement."),
    }, ("ATK-4.1.5",)),
    Choice("strategic_scope", text("Strategic movement"), {
        "all": text("A strategic movement may involve any number of territories."),
        "one_pair": text("A strategic movement goes from one territory to one other."),
    }, ("ATK-11.1.2",)),
))

TRADING = Subject("trading", text("Trade"), (
    Choice("trade_contact", text("Contact"), {
        "land": text("Players who share a land border trade freely. The sea lanes' controller can block other deals."),
        "land_or_sea": text("Players joined by land or a sea link trade freely. "
                            "The sea lanes' controller can block other deals."),
    }, ("ATK-17.3.1", "ATK-17.3.3")),
    Choice("trade_gifts", text("Cards for nothing"), {
        True: text("One side of a deal may give nothing."),
        False: text("Each side of a deal gives at least one card."),
    }, ("ATK-17.1.4",)),
    Choice("trade_ban", text("Trade near the end"), {
        True: text("There are no deals in the last round, nor in the last half hour of a timed game."),
        False: text("Deals can be made to the very end."),
    }, ("ATK-17.4.1",)),
    Choice("failed_offers_per_turn", text("Offers without a deal"),
           {n: _offers(n) for n in NUMBERS["failed_offers_per_turn"]}, ("ATK-17.2.3",)),
))

ENDING = Subject("ending", text("End of the game"), (
    Choice("end_mode", text("How it ends"), {
        "first_elimination": text("The game ends as soon as a player is out."),
        "timed": text("The game ends with the round in which time runs out, or when a player is out."),
        "round_limit": text("The game ends after a number of rounds, or when a player is out."),
        "last_standing": text("The game goes on until one player is left."),
    }, ("ATK-19.2.1", "ATK-19.3.1", "ATK-19.3.2", "ATK-19.5.1"), exact={"round_limit": "rounds"}),
    Choice("rounds", text("Rounds"), {n: _rounds(n) for n in NUMBERS["rounds"]}, ("ATK-19.3.2",)),
    Choice("end_time", text("Agreed end"), {"": text("No end time is agreed.")}, ("ATK-19.3.1",),
           moment=lambda moment: text("Time is up on {moment}; that round is the last.", moment=moment)),
))

SUBJECTS = (START, MOVING, TRADING, ENDING)
