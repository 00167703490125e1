"""The decision points: what is asked, with its usual answer, its offers and conditions."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.games.struggle_of_empires.actions import Place
from engine.games.struggle_of_empires.components import UNITS
from engine.games.struggle_of_empires.orders import replies
from engine.games.struggle_of_empires.orders.conditions import OF_ATTACK, OF_AUCTION, OF_DICE, OF_LOSSES, OF_TURN
from engine.games.struggle_of_empires.state import WARS, State
from engine.kernel import Action, Seat
from engine.orders import ALWAYS, Offer, Point, Series
from engine.text import count

SETUP, AUCTION, TURN = "Setup", "Auction", "Your turn"
HELP, FIGHT = "Help in attacks", "Fights"


def placed(s: State, seat: Seat) -> Sequence[Action]:
    """The starting units that a seat has placed; a list of placements is used up line by line [DP-02]."""
    power = s.power(seat)
    return [Place.of(kind, area) for kind in UNITS for area, n in s.units[power][kind].items() for _ in range(n)]


def to_place(s: State, seat: Seat) -> Series | None:
    """The starting units that a seat has still to place [SOE-2.2.1, 2.2.2]; in areas with its control markers first."""
    if s.phase != "placing":
        return None
    left = s.parts.set_up(len(s.seats)).start_units_per_player - len(placed(s, seat))
    own = s.markers[s.power(seat)]
    answers: list[Place] = sorted(Place.options(s, seat), key=lambda place: place.area not in own)
    return Series(number=left, answers=answers,
                  words=count(left, "Place your starting unit", "Place your {n} starting units"),
                  done=lambda n: count(n, "Placed {n} unit.", "Placed {n} units."))


def last_auction_held(s: State, seat: Seat) -> bool:
    """True if the alliances of the last war are known [SOE-4.1.1]."""
    return s.war == WARS and s.phase not in ("neutrals", "auction")


def setup(no: str, title: str, usual: str, *offers: Offer, past: Callable[[State, Seat], bool],
          given: Callable[[State, Seat], Sequence[Action]] | None = None,
          series: Callable[[State, Seat], Series | None] = lambda state, seat: None) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=SETUP, given=given, series=series, past=past)


def auction(no: str, title: str, usual: str, offers: tuple[Offer, ...], *more: str) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=AUCTION, conditions=(*OF_AUCTION, *more),
                 lasts=("war", ALWAYS), grows="gold", past=last_auction_held)


def own_turn(no: str, title: str, usual: str, offers: tuple[Offer, ...], *more: str) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=TURN, conditions=(*OF_TURN, *more),
                 lasts=(ALWAYS, "war", "turn"))


def in_attack(no: str, title: str, usual: str, offers: tuple[Offer, ...], *more: str, group: str = FIGHT) -> Point:
    """Whatever depends on the alliances of the war never outlives it [SOE-22.1.4]."""
    of_a_war = offers in (replies.CALLS, replies.HELPS, replies.HELPERS_LOSSES)
    return Point(no=no, title=title, usual=usual, offers=offers, group=group, conditions=(*OF_ATTACK, *more),
                 lasts=("war", "attack") if of_a_war else ("war", ALWAYS, "attack", "turn"))


POINTS = (
    setup("DP-01", "Your power", "a random free power", replies.CHOOSE, past=lambda s, seat: s.power(seat) != ""),
    setup("DP-02", "Your starting units", "where you have control markers and the fewest units", replies.PLACE, given=placed,
          series=to_place, past=lambda s, seat: s.phase not in ("setup", "powers", "placing")),
    setup("DP-32", "Redraw first markers", "put back no more", *replies.PUT_BACK,
          past=lambda s, seat: s.phase not in ("setup", "powers")),
    auction("DP-03", "Open an auction", "0 gold, you first and the next unplaced power second", replies.BIDS),
    auction("DP-04", "Raise or pass", "pass", (replies.PASS, *replies.RAISES, *replies.BIDS), "bid", "bidder", "for_a", "for_b",
            "opposite", "beside",
            "proposed", "unchanged"),
    own_turn("DP-05", "An action on your turn", "pass",
             (*replies.BUILDS, replies.MOVE, *replies.ATTACKS, *replies.ACTIONS, *replies.USES, replies.PASS, replies.END)),
    own_turn("DP-06", "When your actions are used up", "end the turn", (
        replies.END, *replies.USES, *(attack for attack in replies.ATTACKS if attack.fields["war_office"]))),
    own_turn("DP-07", "Militia's extra unit", "don't build", (*replies.BUILDS, replies.SEND, replies.NO_BUILD)),
    own_turn("DP-08", "A second move", "don't move a second unit", (replies.MOVE, replies.NO_MOVE)),
    own_turn("DP-09", "Mend a crossing", "don't pay", replies.MENDS, "unit", "to", "sinking"),
    own_turn("DP-29", "Where Trained Natives' army goes", "it stays", (replies.SEND,)),
    in_attack("DP-11", "Call allies when you attack", "call all allies", replies.CALLS, group=HELP),
    in_attack("DP-12", "Help an attacker", "send nothing", replies.HELPS, "principal", "against", group=HELP),
    in_attack("DP-13", "Call allies when you defend", "call all allies", replies.CALLS, group=HELP),
    in_attack("DP-14", "Help a defender", "send nothing", replies.HELPS, "principal", "against", group=HELP),
    in_attack("DP-15", "Fight at sea when you attack", "fight if you have more navies", replies.SEA),
    in_attack("DP-16", "Fight at sea when you defend", "don't fight at sea", replies.SEA),
    in_attack("DP-17", "Alliance at sea or on land when you attack", "on land", replies.ASSIGNS, "lead_with_it", "alliance"),
    in_attack("DP-18", "Alliance at sea or on land when you defend", "on land", replies.ASSIGNS, "lead_with_it", "alliance"),
    in_attack("DP-19", "Blockade to double naval support", "don't use Blockade", replies.BLOCKADE, "kept"),
    in_attack("DP-20", "Reserves when you attack", "don't use Reserves", replies.RESERVES, *OF_DICE, "marker_lost"),
    in_attack("DP-21", "Reserves when you defend", "don't use Reserves", replies.RESERVES, *OF_DICE, "marker_lost"),
    in_attack("DP-22", "Fighting Withdrawal", "keep Fighting Withdrawal", replies.WITHDRAWAL, *OF_DICE),
    in_attack("DP-23", "Army or fort", "lose an army rather than a fort", replies.LOSSES, *OF_LOSSES),
    in_attack("DP-24", "Which helper loses a unit", "the helper with the most units there", replies.HELPERS_LOSSES, *OF_LOSSES),
)
