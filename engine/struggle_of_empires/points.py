"""Section D: the decision points, the answers and conditions that an order can name, and what each seat sees of them.

DP-10, 25, 26, 27, 30 and 33 are asked as parts of DP-05 and DP-06; those of DP-28, in raids, as DP-19, 21, 22 and 23.
DP-31, a gift, is never asked.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.kernel import Action, Ask, Seat
from engine.orders import ALWAYS, LEAST, MOST, Condition, Noun, Offer, Op, Ordering, Point, Slot, Value
from engine.struggle_of_empires.actions import FREE_BUILDS, RANDOM, Ally, Attack, Bid, Mend, Place, Rebuild, Take, Use, fight_tile
from engine.struggle_of_empires.parts import PIRATES, REVOLT, UNITS
from engine.struggle_of_empires.state import TOKENS, WARS, Battle, State
from engine.struggle_of_empires.wording import COMMERCE, the
from engine.text import Fact, Text, text

NEUTRAL = "neutral"                         # as the target of an attack: any neutral marker
WON, TIED, LOST = "won", "tied", "lost"

SETUP, AUCTION, TURN = "Setup", "Auction", "The own turn"
HELP, FIGHT = "Help in attacks", "Fights"

GOLD = Noun("no gold", "{n} gold", "{n} gold", "as much gold as possible")
ARMIES = Noun("no armies", "{n} army", "{n} armies", "all armies")
NAVIES = Noun("no navies", "{n} navy", "{n} navies", "all navies")


# --- what can be chosen ---------------------------------------------------------------------------------

def areas(s: State, seat: Seat) -> Sequence[str]:
    return tuple(s.parts.area)


def places(s: State, seat: Seat) -> Sequence[str]:
    """All areas, and the own home."""
    own = s.power(seat)
    return (*((own,) if own else ()), *s.parts.area)


def colonies(s: State, seat: Seat) -> Sequence[str]:
    return s.parts.colonies


def players(s: State, seat: Seat) -> Sequence[str]:
    """The powers of all players; before they are chosen, all that there are."""
    return tuple(power for power in s.powers if power) if all(s.powers) and s.powers else s.parts.powers


def other_players(s: State, seat: Seat) -> Sequence[str]:
    own = s.power(seat)
    return tuple(power for power in players(s, seat) if power != own)


def powers(s: State, seat: Seat) -> Sequence[str]:
    """All powers of the game, those that nobody plays too."""
    return (*players(s, seat), *s.npps)


def others(s: State, seat: Seat) -> Sequence[str]:
    return (*other_players(s, seat), *s.npps)


def free_powers(s: State, seat: Seat) -> Sequence[str]:
    """All powers that can be chosen, and a random one."""
    return (*s.parts.powers, RANDOM)


def foes(s: State, seat: Seat) -> Sequence[str]:
    """Who can be one of the two sides of a fight."""
    return (*powers(s, seat), NEUTRAL, *TOKENS)


def targets(s: State, seat: Seat) -> Sequence[str]:
    """What an attack can be declared against."""
    faces = dict.fromkeys(marker.face for marker in s.parts.country_counters if marker.strength)
    return (*others(s, seat), *faces, *TOKENS)


def unit_kinds(s: State, seat: Seat) -> Sequence[str]:
    return UNITS


def takeable(s: State, seat: Seat) -> Sequence[str]:
    """All tiles that need no target."""
    return tuple(tile.id for tile in s.parts.tiles if tile.count and tile.id not in TOKENS and s.in_play(tile))


def alliances(s: State, seat: Seat) -> Sequence[str]:
    """The alliances with minor states: places for local ones, or tiles."""
    return tuple(s.parts.local_alliance) if local(s) else tuple(tile.id for tile in s.parts.alliances)


def local(s: State) -> bool:
    """Whether alliances are local ones (SOE-13.2)."""
    return s.options.alliance.mode == "local"


def with_tokens(s: State) -> bool:
    """Whether Pirates and the revolt are tokens (SOE-14.1.2)."""
    return s.options.covert.mode == "tokens"


def with_raid_tiles(s: State) -> bool:
    """Whether Pirates and the revolt are tiles (SOE-14.1.1)."""
    return not with_tokens(s)


def asked_at_once(s: State) -> bool:
    """Whether all reactions before the dice are asked together (SOE-20.1.8)."""
    return s.options.reactions.parallel


def one_by_one(s: State) -> bool:
    return not asked_at_once(s)


def choosing_sea(s: State) -> bool:
    """Whether an attacker with an army may fight at sea alone (AMB-28)."""
    return s.options.attack.naval_only_with_army


def mending(s: State) -> bool:
    """Whether gold can mend a crossing (SOE-8.4.3)."""
    return s.options.cross.rescue_gold


def calling(s: State) -> bool:
    """Whether a principal says whom it calls (SOE-9.4.3, AMB-30)."""
    return not s.options.help.auto_call


def army_or_fort(s: State) -> bool:
    """Whether somebody chooses between the loss of an army and of a fort (SOE-9.10.8, AMB-37)."""
    return not s.options.loss.army_first


def redrawing(s: State) -> bool:
    """Whether first markers can be drawn anew (SOE-2.1.9)."""
    return s.options.setup.redraw


def companies(s: State, seat: Seat) -> Sequence[str]:
    return tuple(tile.id for tile in s.parts.tiles if tile.effect == "company_income")


def placeable(s: State, seat: Seat) -> Sequence[str]:
    """The tiles that build a unit for free somewhere, and Blockade."""
    return tuple(s.parts.by_effect[effect] for effect in (*FREE_BUILDS, "blockade"))


def tokens(s: State, seat: Seat) -> Sequence[str]:
    return (PIRATES, REVOLT)


def results(s: State, seat: Seat) -> Sequence[str]:
    return (WON, TIED, LOST)


def stages(s: State, seat: Seat) -> Sequence[str]:
    return ("sea", "land")


# --- conditions -------------------------------------------------------------------------------------------

def number(key: str, words: str, *counts: str) -> Condition:
    clause, one, many = counts or ("", "", "")
    return Condition(key=key, words=words, kind="number", counts=(clause, one, many) if clause else None)


def choice(key: str, words: str, values: Callable[[State, Seat], Sequence[str]], yes: str = "", no: str = "", *,
           about: Mapping[str, Fact] = {}) -> Condition:
    says: Mapping[Op, str] = {"is": yes, "is_not": no} if yes else {}
    return Condition(key=key, words=words, kind="choice", values=values, says=says, about=about)


def flag(key: str, words: str, no: str) -> Condition:
    return Condition(key=key, words=words, kind="flag", says={"is_not": no})


ROWS = {"row_a": "row_a", "row_b": "row_b"}       # their names are those of the edition
CONDITIONS = (
    number("war", "the war"),
    number("round", "the round"),
    number("gold", "your gold", "you have {value}", "{n} gold", "{n} gold"),
    number("unrest", "your unrest", "you have {value}", "{n} unrest", "{n} unrest"),
    number("population", "your population", "you have {value}", "{n} population", "{n} population"),
    number("actions", "the number of your actions left", "you have {value} left", "{n} action", "{n} actions"),
    choice("army_in", "an area with an army of yours", areas, "you have an army in {value}", "you have no army in {value}"),
    choice("navy_in", "an area with a navy of yours", areas, "you have a navy in {value}", "you have no navy in {value}"),
    choice("marker_in", "an area with a control marker of yours", areas, "you have a control marker in {value}",
           "you have no control marker in {value}"),
    choice("stock", "a tile in the stock", takeable, "{value} is in the stock", "{value} is not in the stock"),
    choice("ally", "your ally", others, "{value} is your ally", "{value} is not your ally"),
    # the auction
    number("auction", "the number of this war's auction"),
    number("bid", "the standing bid", "the bid is {value}", "{n} gold", "{n} gold"),
    choice("bidder", "the bidder", other_players),
    choice("for_a", "the power proposed for {row_a}", powers, "{value} is proposed for {row_a}",
           "{value} is not proposed for {row_a}", about=ROWS),
    choice("for_b", "the power proposed for {row_b}", powers, "{value} is proposed for {row_b}",
           "{value} is not proposed for {row_b}", about=ROWS),
    choice("opposite", "a power against you", others, "the proposal puts {value} against you",
           "the proposal does not put {value} against you"),
    choice("beside", "a power beside you", others, "the proposal puts {value} beside you",
           "the proposal does not put {value} beside you"),
    choice("unplaced", "a power without a place", powers, "{value} has no place yet", "{value} has its place"),
    flag("proposed", "the proposal names you", "the proposal does not name you"),
    flag("unchanged", "the proposal is the same as at your last pass", "the proposal has changed since your last pass"),
    # attacks
    choice("area", "the area", areas),
    choice("attacker", "the attacker", foes, "{value} attacks", "{value} does not attack"),
    choice("defender", "the defender", foes, "{value} is attacked", "{value} is not attacked"),
    choice("principal", "the principal", players, "{value} is the principal", "{value} is not the principal"),
    choice("against", "the other side", foes, "it is against {value}", "it is not against {value}"),
    choice("stage", "the fight", stages, "the fight is {value}", "the fight is not {value}"),
    number("own_armies", "the number of your armies there", "you have {value} there", "{n} army", "{n} armies"),
    number("own_navies", "the number of your navies there", "you have {value} there", "{n} navy", "{n} navies"),
    number("own_forts", "the number of your forts there", "you have {value} there", "{n} fort", "{n} forts"),
    number("their_armies", "the number of the other side's armies", "the other side has {value} there", "{n} army", "{n} armies"),
    number("their_navies", "the number of the other side's navies", "the other side has {value} there", "{n} navy", "{n} navies"),
    number("strength", "your side's strength before the dice"),
    number("their_strength", "the other side's strength before the dice"),
    number("lead", "your side's lead before the dice"),
    number("lead_with_it", "your side's lead at sea with this alliance"),
    choice("alliance", "the alliance", alliances, "it is the {value}", "it is not the {value}"),
    # crossings
    choice("unit", "the kind of the unit", unit_kinds, "it is one {value}", "it is not one {value}"),
    choice("to", "where the unit goes", places, "it goes to {value}", "it does not go to {value}"),
    flag("sinking", "the unit would be lost", "the unit would not be lost"),
    # after the dice
    choice("result", "the result as thrown", results, "the fight is {value} as thrown", "the fight is not {value} as thrown"),
    number("margin", "your side's lead with the dice"),
    flag("seven", "your side's dice show a sum of 7", "your side's dice show no sum of 7"),
    flag("seven_costs", "a 7 costs you a unit", "no 7 costs you a unit"),
    number("losses", "the number of units that your side would lose", "your side would lose {value}", "{n} unit", "{n} units"),
    flag("last_unit", "you would lose your last unit there", "you would not lose your last unit there"),
    flag("marker_lost", "you would lose a control marker", "you would lose no control marker"),
    number("kept", "the number of such tiles that you keep", "you keep {value}", "{n} such tile", "{n} such tiles"),
)

ANYTIME = ("war", "round", "gold", "unrest")
OF_TURN = (*ANYTIME, "population", "actions", "army_in", "navy_in", "marker_in", "stock", "ally")
OF_AUCTION = (*ANYTIME, "auction", "unplaced")
OF_ATTACK = (*ANYTIME, "area", "attacker", "defender", "own_armies", "own_navies", "own_forts", "their_armies", "their_navies",
             "strength", "their_strength", "lead")
OF_LOSSES = ("stage", "result", "seven")
OF_DICE = (*OF_LOSSES, "margin", "seven_costs", "losses", "last_unit", "kept")


# --- answers and points -------------------------------------------------------------------------------------

def pick(field: str, words: str, values: Callable[[State, Seat], Sequence[str]], *, about: Mapping[str, Fact] = {}) -> Slot:
    return Slot(field=field, words=words, kind="choice", values=values, about=about)


def wishes(field: str, words: str, values: Callable[[State, Seat], Sequence[str]]) -> Slot:
    return Slot(field=field, words=words, kind="list", values=values)


FOR_A = pick("a", "Who is proposed for {row_a}?", powers, about=ROWS)
FOR_B = pick("b", "Who is proposed for {row_b}?", powers, about=ROWS)
AMOUNT = Slot(field="gold", words="How much gold?", kind="amount")
NOUNS = {"gold": GOLD}
BIDS = (
    Offer(key="bid", words="bid {gold} for {a} in {row_a} and {b} in {row_b}", verb="bid", slots=(AMOUNT, FOR_A, FOR_B),
          nouns=NOUNS, about=ROWS),
    Offer(key="bid_a", words="bid {gold} for {a} in {row_a}", verb="bid", fields={"b": ""}, slots=(AMOUNT, FOR_A), nouns=NOUNS,
          about=ROWS),
    Offer(key="bid_b", words="bid {gold} for {b} in {row_b}", verb="bid", fields={"a": ""}, slots=(AMOUNT, FOR_B), nouns=NOUNS,
          about=ROWS),
)
RAISES = (
    Offer(key="raise", words="raise by 1 gold for {a} in {row_a} and {b} in {row_b}", verb="bid", fields={"gold": LEAST},
          slots=(FOR_A, FOR_B), nouns=NOUNS, capped=True, about=ROWS),
    Offer(key="raise_a", words="raise by 1 gold for {a} in {row_a}", verb="bid", fields={"gold": LEAST, "b": ""}, slots=(FOR_A,),
          nouns=NOUNS, capped=True, about=ROWS),
    Offer(key="raise_b", words="raise by 1 gold for {b} in {row_b}", verb="bid", fields={"gold": LEAST, "a": ""}, slots=(FOR_B,),
          nouns=NOUNS, capped=True, about=ROWS),
)
CHOOSE = Offer(key="choose", words="choose {power}", verb="choose", slots=(wishes("power", "Which power?", free_powers),))
PASS = Offer(key="pass", words="pass", verb="pass")
END = Offer(key="end", words="end the turn", verb="end")
NO_BUILD = Offer(key="no_build", words="build no extra unit", verb="decline")
NO_MOVE = Offer(key="no_move", words="move no further unit", verb="decline")
UNIT = pick("unit", "Which unit?", unit_kinds)
PLACE = Offer(key="place", words="place one {unit} in {area}", verb="place", slots=(UNIT, pick("area", "In which area?", areas)))

PUT_BACK = (Offer(key="put_back", words="put back what you drew in {area}", verb="redraw", applies=redrawing,
                  slots=(wishes("area", "In which area?", areas),)),
            Offer(key="put_back_no_more", words="put back no more", verb="decline", applies=redrawing))
MENDS = (Offer(key="never_mend", words="do not pay", verb="decline", applies=mending),
         Offer(key="mend_up_to", words="pay {gold} for the best result", verb="mend", applies=mending, nouns=NOUNS,
               slots=(Slot(field="gold", words="How much gold, at most?", kind="number"),)),
         Offer(key="mend_to_arrive", words="pay, so that the unit arrives", verb="mend", fields={"to": "ok"}, applies=mending),
         Offer(key="mend_to_save", words="pay just so much that the unit is not lost", verb="mend", fields={"to": "back"},
               applies=mending))
BUILDS = (
    Offer(key="build", words="build a new {unit} for {to}", verb="build",
          slots=(UNIT, wishes("to", "Where does it go?", places))),
    Offer(key="rebuild", words="destroy the {unit} in {at} and rebuild it", verb="rebuild", fields={"tile": ""},
          slots=(UNIT, wishes("at", "Where does the old one stand?", places))),
)
MOVE = Offer(key="move", words="move the {unit} from {origin} to {to}", verb="move",
             slots=(UNIT, pick("origin", "From where?", places), wishes("to", "Where to?", places)))
SEND = Offer(key="send", words="send the new unit to {to}", verb="send", slots=(wishes("to", "Where to?", places),))
USES = (
    Offer(key="company", words="use {tile}", verb="use", fields={"on": ""},
          slots=(wishes("tile", "Which company?", companies),)),
    Offer(key="use", words="use {tile} for {on}", verb="use",
          slots=(pick("tile", "Which tile?", placeable), wishes("on", "Where?", places))),
    Offer(key="service", words="use Diplomatic Service for {on}", verb="use",
          slots=(wishes("on", "Which alliance?", alliances),)),
)
WHERE, WHOM = pick("area", "Where?", areas), wishes("target", "Whom?", targets)
ATTACKS = (
    Offer(key="attack", words="attack {target} in {area}", verb="attack", fields={"surprise": False, "war_office": False},
          slots=(WHERE, WHOM)),
    Offer(key="surprise", words="attack {target} in {area} with Surprise Attack", verb="attack",
          fields={"surprise": True, "war_office": False}, slots=(WHERE, WHOM)),
    Offer(key="war_office", words="attack {target} in {area} with War Office", verb="attack",
          fields={"surprise": False, "war_office": True}, slots=(WHERE, WHOM)),
    Offer(key="both", words="attack {target} in {area} with Surprise Attack and War Office", verb="attack",
          fields={"surprise": True, "war_office": True}, slots=(WHERE, WHOM)),
    Offer(key="at_sea_alone", words="attack {target} in {area} at sea alone", verb="attack", applies=choosing_sea,
          fields={"surprise": False, "war_office": False, "naval_only": True}, slots=(WHERE, WHOM)),
)
ACTIONS = (
    Offer(key="colonise", words="colonise {area}", verb="colonise", slots=(wishes("area", "Where?", areas),)),
    Offer(key="enslave", words="place a marker in {area} by {commerce}", verb="enslave", about={"commerce": COMMERCE},
          slots=(wishes("area", "Where?", areas),)),
    Offer(key="take", words="take {tile}", verb="tile", fields={"area": "", "target": ""},
          slots=(wishes("tile", "Which tile?", takeable),)),
    Offer(key="ally", words="form the {place}", verb="ally", applies=local,
          slots=(wishes("place", "Which alliance?", alliances),)),
    Offer(key="covert", words="use {token} against {target} in {area}", verb="covert", applies=with_tokens,
          slots=(pick("token", "Which covert token?", tokens), pick("area", "In which area?", colonies),
                 wishes("target", "Against whom?", others))),
    Offer(key="raid", words="take {tile} against {target} in {area}", verb="tile", applies=with_raid_tiles,
          slots=(pick("tile", "Pirates or Slave Revolt?", tokens), pick("area", "In which area?", colonies),
                 wishes("target", "Against whom?", others))),
)
CALLS = (
    Offer(key="call_all", words="call all allies", verb="call", fields={"allies": MOST}, applies=calling),
    Offer(key="call_nobody", words="call nobody", verb="call", fields={"allies": ()}, applies=calling),
    Offer(key="call", words="call {allies}", verb="call", applies=calling, slots=(wishes("allies", "Whom?", other_players),)),
)
HELPS = (
    Offer(key="send_nothing", words="send nothing", verb="commit", fields={"armies": 0, "navies": 0}),
    Offer(key="send_all", words="send all armies and navies", verb="commit", fields={"armies": MOST, "navies": MOST}),
    Offer(key="send_armies", words="send all armies and no navies", verb="commit", fields={"armies": MOST, "navies": 0}),
    Offer(key="send_navies", words="send all navies and no armies", verb="commit", fields={"armies": 0, "navies": MOST}),
    Offer(key="send_some", words="send {armies} and {navies}", verb="commit", nouns={"armies": ARMIES, "navies": NAVIES},
          slots=(Slot(field="armies", words="How many armies, at most?", kind="number"),
                 Slot(field="navies", words="How many navies, at most?", kind="number"))),
)
SEA = (Offer(key="fight", words="fight at sea", verb="fight"),
       Offer(key="fight_all", words="fight at sea, with all alliances that can help there", verb="fight",
             fields={"alliances": MOST}, applies=asked_at_once),
       Offer(key="no_fight", words="refuse to fight at sea", verb="decline"))
ASSIGNS = (Offer(key="at_sea", words="use the alliance at sea", verb="alliance", fields={"stage": "sea"}, applies=one_by_one),
           Offer(key="on_land", words="use the alliance on land", verb="alliance", fields={"stage": "land"}, applies=one_by_one))


BLOCKADE = (Offer(key="blockade", words="use Blockade", verb="use"),
            Offer(key="no_blockade", words="do not use Blockade", verb="decline"))
RESERVES = (Offer(key="reserves", words="use Reserves", verb="use"),
            Offer(key="no_reserves", words="do not use Reserves", verb="decline"))
WITHDRAWAL = (Offer(key="withdrawal", words="use Fighting Withdrawal", verb="use"),
              Offer(key="no_withdrawal", words="keep Fighting Withdrawal", verb="decline"))
LOSSES = (
    Offer(key="army_first", words="lose an army rather than a fort", verb="lose", fields={"unit": ("army", "fort")},
          applies=army_or_fort),
    Offer(key="fort_first", words="lose a fort rather than an army", verb="lose", fields={"unit": ("fort", "army")},
          applies=army_or_fort),
)
HELPERS_LOSSES = (Offer(key="lose", words="the loss is taken by {owner}", verb="lose",
                        slots=(wishes("owner", "By whom first?", other_players),)),)


def placed(s: State, seat: Seat) -> Sequence[Action]:
    """The starting units that a seat has placed; a list of placements is used up line by line [DP-02]."""
    power = s.power(seat)
    return [Place.of(kind, area) for kind in UNITS for area, n in s.units[power][kind].items() for _ in range(n)]


def setup(no: str, title: str, usual: str, *offers: Offer,
          given: Callable[[State, Seat], Sequence[Action]] | None = None) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=SETUP, given=given)


def auction(no: str, title: str, usual: str, offers: tuple[Offer, ...], *more: str) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=AUCTION, conditions=(*OF_AUCTION, *more),
                 lasts=("war", ALWAYS), grows="gold")


def own_turn(no: str, title: str, usual: str, offers: tuple[Offer, ...], *more: str) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=TURN, conditions=(*OF_TURN, *more),
                 lasts=(ALWAYS, "war", "turn"))


def in_attack(no: str, title: str, usual: str, offers: tuple[Offer, ...], *more: str, group: str = FIGHT) -> Point:
    """Whatever depends on the alliances of the war never outlives it [SOE-22.1.4]."""
    of_a_war = offers in (CALLS, HELPS, HELPERS_LOSSES)
    return Point(no=no, title=title, usual=usual, offers=offers, group=group, conditions=(*OF_ATTACK, *more),
                 lasts=("war", "attack") if of_a_war else ("war", ALWAYS, "attack", "turn"))


POINTS = (
    setup("DP-01", "Your power", "a random free power", CHOOSE),
    setup("DP-02", "Your starting units", "where you have control markers and fewest units", PLACE, given=placed),
    setup("DP-32", "Draw first markers anew", "put back none", *PUT_BACK),
    auction("DP-03", "Open an auction", "0 gold for the next two free powers, you first", BIDS),
    auction("DP-04", "Answer a bid", "pass", (PASS, *RAISES, *BIDS), "bid", "bidder", "for_a", "for_b", "opposite", "beside",
            "proposed", "unchanged"),
    own_turn("DP-05", "An action of your turn", "pass", (*BUILDS, MOVE, *ATTACKS, *ACTIONS, *USES, PASS, END)),
    own_turn("DP-06", "After both actions", "end the turn", (END, *USES, *ATTACKS)),
    own_turn("DP-07", "The extra unit of Militia", "build none", (*BUILDS, SEND, NO_BUILD)),
    own_turn("DP-08", "A further move", "move none", (MOVE, NO_MOVE)),
    own_turn("DP-09", "Mend a crossing", "do not pay", MENDS, "unit", "to", "sinking"),
    own_turn("DP-29", "Where an army of Trained Natives goes", "it stays", (SEND,)),
    in_attack("DP-11", "Call allies to your attack", "call all", CALLS, group=HELP),
    in_attack("DP-12", "Help an attacker", "send nothing", HELPS, "principal", "against", group=HELP),
    in_attack("DP-13", "Call allies to your defence", "call all", CALLS, group=HELP),
    in_attack("DP-14", "Help a defender", "send nothing", HELPS, "principal", "against", group=HELP),
    in_attack("DP-15", "Fight at sea in your attack", "fight with more navies than the other side", SEA),
    in_attack("DP-16", "Fight at sea in your defence", "refuse", SEA),
    in_attack("DP-17", "Alliance at sea or on land, in your attack", "on land", ASSIGNS, "lead_with_it", "alliance"),
    in_attack("DP-18", "Alliance at sea or on land, in your defence", "on land", ASSIGNS, "lead_with_it", "alliance"),
    in_attack("DP-19", "Blockade to double naval support", "do not use it", BLOCKADE, "kept"),
    in_attack("DP-20", "Reserves in your attack", "do not use them", RESERVES, *OF_DICE, "marker_lost"),
    in_attack("DP-21", "Reserves in your defence", "do not use them", RESERVES, *OF_DICE, "marker_lost"),
    in_attack("DP-22", "Fighting Withdrawal", "keep it", WITHDRAWAL, *OF_DICE),
    in_attack("DP-23", "Army or fort", "an army", LOSSES, *OF_LOSSES),
    in_attack("DP-24", "Which helper loses a unit", "who has most units there", HELPERS_LOSSES, *OF_LOSSES),
)


# --- what a seat sees -----------------------------------------------------------------------------------------

def facts(s: State, seat: Seat, question: Ask[Any]) -> Mapping[str, Value]:
    """What a line can ask for, at this question of this seat; of secrets only its own [SOE-22.1.3, 21.1.1]."""
    seen: dict[str, Value] = {"war": s.war, "round": s.round}
    power = s.power(seat)
    if power:
        seen |= {"gold": s.gold[power], "unrest": s.unrest[power], "population": s.population[power],
                 "army_in": tuple(s.units[power]["army"]), "navy_in": tuple(s.units[power]["navy"]),
                 "marker_in": tuple(s.markers[power]), "stock": tuple(s.stock), "ally": tuple(s.allies(power))}
    if s.phase == "auction":
        seen |= auction_facts(s, power)
    if power and s.active == power:
        seen["actions"] = s.turn.actions
    if s.turn.failed:
        seen |= {key: fact for key in ("unit", "to", "sinking") if isinstance(fact := question.about.get(key), bool | str)}
    if s.battle is not None:
        seen |= battle_facts(s, s.battle, power, question)
    return seen


def auction_facts(s: State, own: str) -> dict[str, Value]:
    """The standing bid, and whom its proposal would put against a power or beside it."""
    seen: dict[str, Value] = {"unplaced": tuple(s.unplaced()), "auction": 1 + len(s.row_a)}
    standing = s.standing
    if standing is None:
        return seen
    rows = ({*s.row_a, standing.a} - {""}, {*s.row_b, standing.b} - {""})
    new = {standing.a, standing.b} - {""}
    mine, theirs = rows if own in rows[0] else rows[::-1] if own in rows[1] else (set(), set())
    touched = mine | theirs if own in new else new            # a power in a row already meets only who is proposed
    return seen | {
        "bid": standing.gold, "bidder": standing.bidder, "for_a": standing.a, "for_b": standing.b, "proposed": own in new,
        "opposite": tuple(sorted(theirs & touched)), "beside": tuple(sorted(mine & touched - {own})),
        "unchanged": s.accepted.get(own) == standing.proposal}


def battle_facts(s: State, battle: Battle, power: str, question: Ask[Any]) -> dict[str, Value]:
    """The attack or raid under way, from the side of a power."""
    side = battle.attacker if power == battle.attacker or power in s.allies(battle.attacker) else battle.defender
    foe = battle.defender if side == battle.attacker else battle.attacker
    stage = "sea" if question.point in AT_SEA or (battle.naval_only and not battle.stage) else battle.stage or "land"
    lead = ready_strength(s, battle, side, stage) - ready_strength(s, battle, foe, stage)
    seen: dict[str, Value] = {
        "area": battle.area, "attacker": named(s, battle.attacker), "defender": named(s, battle.defender), "principal": side,
        "against": named(s, foe), "stage": stage,
        "own_armies": s.count(power, "army", battle.area), "own_navies": s.count(power, "navy", battle.sea),
        "own_forts": s.count(power, "fort", battle.area),
        "strength": ready_strength(s, battle, side, stage), "their_strength": ready_strength(s, battle, foe, stage), "lead": lead}
    if s.is_power(foe):
        seen |= {"their_armies": s.count(foe, "army", battle.area) + s.committed(foe, "army"),
                 "their_navies": s.count(foe, "navy", battle.sea) + s.committed(foe, "navy")}
    tile = question.about.get("tile")
    if question.point in ("DP-17", "DP-18") and isinstance(tile, str):
        seen |= {"alliance": tile, "lead_with_it": lead + s.alliance(tile).bonus}
    if power in (battle.attacker, battle.defender) and (offered := fight_tile(s, power)):
        seen["kept"] = s.ready(power, offered) - 1
    return seen | (dice_facts(s, battle, side, foe, power) if battle.dice else {})


AT_SEA = ("DP-15", "DP-16", "DP-17", "DP-18")


def named(s: State, side: str) -> str:
    return side if side in s.units or side in TOKENS else NEUTRAL


def ready_strength(s: State, battle: Battle, side: str, stage: str) -> int:
    """The strength of a side before the dice; at sea with the alliances that can help only there, decided or not."""
    if stage == "land" or battle.stage == "sea":
        return s.strength(side, stage) - s.difference(side)
    decided, either = battle.at_sea.get(side, []), s.two_way_alliances(side)
    certain = [held for held in s.alliances_for(side, "sea") if held not in either]
    chosen = [held for held in decided if held in either]
    return s.fighters(side, stage) + s.training(side, stage) + sum(s.alliance(held).bonus for held in certain + chosen)


def dice_facts(s: State, battle: Battle, side: str, foe: str, power: str) -> dict[str, Value]:
    """The fight as it was thrown, and what it would cost this side [SOE-9.10]."""
    margin = s.strength(side, battle.stage) - s.strength(foe, battle.stage)
    won = (battle.winner == side) - (battle.winner == foe) if battle.decided else margin
    seven = sum(battle.dice[side]) == s.parts.numbers.extra_loss_on_dice_sum
    kind, place = ("navy", battle.sea) if battle.stage == "sea" else ("army", battle.area)
    own = s.count(side, kind, place)
    forts = s.count(side, "fort", place) if battle.stage == "land" and side == battle.defender else 0
    by_seven_alone = forts if not won and seven and s.options.loss.fort_tie_seven else 0        # SOE-9.10.10
    own, all_own = own + (forts if won else 0), own + forts
    helping, own_lost, helpers_lost, by_seven = sum(s.expendable(side, kind).values()), 0, 0, False
    if won <= 0:
        own_lost, helpers_lost = (1, 0) if own else (0, min(1, helping))
    if seven:
        from_helpers = helping - helpers_lost if won <= 0 or own == 0 else 0
        if by_seven_alone and not own:
            from_helpers = 0
        by_seven = not from_helpers and own + by_seven_alone > own_lost
        own_lost, helpers_lost = own_lost + by_seven, helpers_lost + (from_helpers > 0)
    taken = side == battle.defender and won < 0 and s.markers[side].get(battle.area, 0) > 0 and (
        battle.raid or (battle.stage == "land" and s.marker_supply(foe) > 0))
    return {"result": WON if won > 0 else LOST if won < 0 else TIED, "margin": margin, "seven": seven,
            "seven_costs": by_seven, "losses": own_lost + helpers_lost, "last_unit": 0 < all_own == own_lost,
            "marker_lost": taken}


# --- spans and packets -------------------------------------------------------------------------------------------

def spans(s: State, seat: Seat) -> Mapping[str, str]:
    """The war, the attack under way, and the turn of a seat: the present one, or the next [SOE-22.1.4]."""
    if s.phase == "over":
        return {}
    found = {"war": str(s.war)}
    if s.battle is not None:                        # the number alone would fit another attack after an undo
        found["attack"] = f"{s.battles} {s.battle.attacker} {s.battle.defender} {s.battle.area}"
    if turn := next_turn(s, s.power(seat)):
        found["turn"] = turn
    return found


def next_turn(s: State, power: str) -> str:
    """War and round of a power's present or next turn, or "" if none is to come."""
    war, round_ = s.war, max(1, s.round)
    if s.phase == "turn" and s.order.index(power) < s.place:
        round_ += 1
    if s.phase in ("war_end", "reckoning") or round_ > s.rounds:
        war, round_ = war + 1, 1
    return f"{war}.{round_}" if war <= WARS else ""


def foreseen(s: State) -> Mapping[Seat, tuple[str, ...]]:
    """What may still be asked in the attack under way, for each seat: only what can really arise [D.4, reaction packet]."""
    battle = s.battle
    if battle is None:
        return {}
    asked: dict[Seat, list[str]] = {}
    for side, call, help_, points in ((battle.attacker, "DP-11", "DP-12", attackers_points),
                                      (battle.defender, "DP-13", "DP-14", defenders_points)):
        if not s.is_power(side):
            continue
        able = callable_allies(s, battle, side)
        if able and not s.options.help.auto_call:
            asked.setdefault(s.seat(side), []).append(call)
        for ally in able:
            asked.setdefault(s.seat(ally), []).append(help_)
        asked.setdefault(s.seat(side), []).extend(points(s, battle, side))
    return {seat: tuple(points) for seat, points in asked.items() if points}


def callable_allies(s: State, battle: Battle, side: str) -> list[str]:
    """Allies of a side who can still be asked for help in this attack."""
    late = battle.raid or battle.stage or battle.support
    if side == battle.attacker:
        answered = bool(battle.heard)       # the attacker's allies are asked before the defender's
    else:
        answered = battle.surprise or any(ally in battle.heard for ally in s.allies(side))
    return [] if late or answered else s.able_helpers(side)


def fights_ahead(s: State, battle: Battle) -> tuple[str, ...]:
    """The fights of this attack whose dice do not stand yet."""
    if battle.stage == "land" or battle.raid:
        return () if battle.decided else (battle.stage,)
    at_sea = not battle.decided if battle.stage == "sea" else both_at_sea(s, battle)
    return (*(("sea",) if at_sea else ()), *(() if battle.naval_only else ("land",)))


def both_at_sea(s: State, battle: Battle) -> bool:
    """Whether there may be a fight at sea: of two sides with navies, or against Pirates (SOE-9.5, 14.4.11)."""
    return s.beaten_at_sea(battle.defender) or (
        may_fight_at_sea(s, battle, battle.attacker) and may_fight_at_sea(s, battle, battle.defender))


def may_fight_at_sea(s: State, battle: Battle, side: str) -> bool:
    return s.may_fight_at_sea(side, callable_allies(s, battle, side))


def has_ready(s: State, side: str, effect: str) -> bool:
    return s.ready(side, s.parts.by_effect.get(effect, "")) > 0


def attackers_points(s: State, battle: Battle, side: str) -> Iterator[str]:
    ahead = fights_ahead(s, battle)
    if "sea" in ahead and not battle.stage:
        if not battle.naval_only:
            yield "DP-15"
        if two_ways(s, side):
            yield "DP-17"
    yield from fight_points(s, battle, side, ahead, "DP-20")


def defenders_points(s: State, battle: Battle, side: str) -> Iterator[str]:
    ahead = fights_ahead(s, battle)
    if "sea" in ahead and not battle.stage:
        if not battle.naval_only or s.options.attack.naval_only_declinable:
            yield "DP-16"
        if two_ways(s, side):
            yield "DP-18"
    yield from fight_points(s, battle, side, ahead, "DP-21")
    fighting = (*ahead, battle.stage) if battle.decided else ahead
    withdrawing = has_ready(s, side, "no_defender_losses") and not battle.withdrawn
    if withdrawing and any(can_lose(s, battle, side, stage) for stage in fighting):
        yield "DP-22"
    army_or_fort = s.count(side, "army", battle.area) and s.count(side, "fort", battle.area) and not s.options.loss.army_first
    if "land" in fighting and army_or_fort:
        yield "DP-23"


def fight_points(s: State, battle: Battle, side: str, ahead: tuple[str, ...], reserves: str) -> Iterator[str]:
    """Blockade, Reserves, and whose loss it is: the same for both sides."""
    at_sea = s.navies(side, battle.sea) > 0 or may_fight_at_sea(s, battle, side)
    may_support = battle.support == side or (not battle.support and at_sea and not battle.raid)
    before_dice = "land" in ahead and not (battle.stage == "land" and battle.dice)
    if has_ready(s, side, "blockade") and may_support and before_dice:
        yield "DP-19"
    if has_ready(s, side, "reroll_both") and ahead:
        yield reserves
    fighting = (*ahead, battle.stage) if battle.decided else ahead
    if any(len(possible_helpers(s, battle, side, stage)) > 1 for stage in fighting):
        yield "DP-24"


def two_ways(s: State, side: str) -> bool:
    """Whether this side is asked, in a question of its own, where an alliance helps."""
    return one_by_one(s) and bool(s.two_way_alliances(side))


def possible_helpers(s: State, battle: Battle, side: str, stage: str) -> set[str]:
    """Who has committed units of the kind that fights in this stage, or still may."""
    kind = "navy" if stage == "sea" else "army"
    return {*s.expendable(side, kind)} | {ally for ally in callable_allies(s, battle, side) if s.may_send(ally, side, kind)}


def can_lose(s: State, battle: Battle, side: str, stage: str) -> bool:
    own = s.count(side, "navy", battle.sea) if stage == "sea" else (
        s.count(side, "army", battle.area) + s.count(side, "fort", battle.area))
    return own > 0 or bool(possible_helpers(s, battle, side, stage))


# --- what answers cost in unrest -----------------------------------------------------------------------------------

def unrest_of(s: State, seat: Seat, action: Action) -> int:
    """The unrest that an answer would bring at once: its own price, and by taxation [SOE-3.2.3, 3.3.1, 22.1.8]."""
    power = s.power(seat)
    match action:
        case Bid():
            return s.taxations(power, action.gold)
        case Attack():
            return 0 if action.war_office else s.taxations(power, s.parts.numbers.attack_cost_gold)
        case Mend():
            return s.taxations(power, action.gold)
        case Rebuild():
            return s.parts.numbers.unrest_per_lost_unit
        case Take() | Ally() | Use() if s.battle is None:
            bought = action.on if isinstance(action, Use) else action.place if isinstance(action, Ally) else action.tile
            if bought in s.parts.tile or bought in s.parts.local_alliance:
                return s.taxations(power, s.cost_of(bought).gold) + s.cost_of(bought).unrest
    return 0


def occasion(s: State) -> Text:
    """What is going on, for those who can answer in advance what it may ask."""
    battle = s.battle
    assert battle is not None, "something is going on"
    if battle.raid:
        return text("{sender} plays {token} against {defender} in {area}", sender=battle.mover, token=the(battle.attacker),
                    defender=battle.defender, area=battle.area)
    return text("{attacker} attacks {defender} in {area}", attacker=battle.attacker, defender=the(battle.defender),
                area=battle.area)


ORDERING = Ordering(
    points=POINTS, conditions=CONDITIONS, facts=facts, spans=spans, foreseen=foreseen, occasion=occasion,
    attacking=("DP-11", "DP-15", "DP-17", "DP-19", "DP-20", "DP-24"),
    written=("DP-05", "DP-06", "DP-07", "DP-08", "DP-29"),
    between=("DP-07", "DP-08", "DP-29"), toll=unrest_of,
    toll_words=("{answer}, even if it costs unrest", "{answer}, if it costs at most {n} unrest"))
