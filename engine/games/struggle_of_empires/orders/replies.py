"""The answers that a line of an order can give (D.2)."""
from __future__ import annotations

from engine.games.struggle_of_empires.orders import values
from engine.games.struggle_of_empires.orders.conditions import ROWS
from engine.games.struggle_of_empires.words.names import COMMERCE
from engine.orders import LEAST, MOST, Noun, Offer, Slot
from engine.orders.builders import pick, wishes

GOLD = Noun("no gold", "{n} gold", "{n} gold", "as much gold as possible")
ARMIES = Noun("no armies", "{n} army", "{n} armies", "all armies")
NAVIES = Noun("no navies", "{n} navy", "{n} navies", "all navies")


FOR_A = pick("a", "Who is proposed for {row_a}?", values.powers, about=ROWS)
FOR_B = pick("b", "Who is proposed for {row_b}?", values.powers, about=ROWS)
AMOUNT = Slot(field="gold", words="How much gold?", kind="amount")
NOUNS = {"gold": GOLD}
BIDS = (
    Offer(key="bid", words="bid {gold} for {a:the} in {row_a} and {b:the} in {row_b}",
          brief="bid for {row_a} and {row_b}", verb="bid", slots=(AMOUNT, FOR_A, FOR_B),
          nouns=NOUNS, about=ROWS),
    Offer(key="bid_a", words="bid {gold} for {a:the} in {row_a}",
          brief="bid for {row_a}", verb="bid", fields={"b": ""}, slots=(AMOUNT, FOR_A), nouns=NOUNS,
          about=ROWS),
    Offer(key="bid_b", words="bid {gold} for {b:the} in {row_b}",
          brief="bid for {row_b}", verb="bid", fields={"a": ""}, slots=(AMOUNT, FOR_B), nouns=NOUNS,
          about=ROWS),
)
RAISES = (
    Offer(key="raise", words="raise by 1 gold for {a:the} in {row_a} and {b:the} in {row_b}",
          brief="raise by 1 gold for {row_a} and {row_b}", verb="bid", fields={"gold": LEAST},
          slots=(FOR_A, FOR_B), nouns=NOUNS, capped=True, about=ROWS),
    Offer(key="raise_a", words="raise by 1 gold for {a:the} in {row_a}", verb="bid", fields={"gold": LEAST, "b": ""},
          slots=(FOR_A,),
          nouns=NOUNS, capped=True, about=ROWS),
    Offer(key="raise_b", words="raise by 1 gold for {b:the} in {row_b}", verb="bid", fields={"gold": LEAST, "a": ""},
          slots=(FOR_B,),
          nouns=NOUNS, capped=True, about=ROWS),
)
CHOOSE = Offer(key="choose", words="choose {power:the}", verb="choose",
               slots=(wishes("power", "Which power?", values.free_powers),))
PASS = Offer(key="pass", words="pass", verb="pass")
END = Offer(key="end", words="end the turn", verb="end")
NO_BUILD = Offer(key="no_build", words="don't build a second unit", verb="decline")
NO_MOVE = Offer(key="no_move", words="don't move a second unit", verb="decline")
UNIT = pick("unit", "Which unit?", values.unit_kinds)
PLACE = Offer(key="place", words="place {unit:a} in {area:the}",
              brief="place a unit", verb="place", slots=(UNIT, pick("area", "In which area?", values.areas)))

PUT_BACK = (Offer(key="put_back", words="put back what you drew in {area:the}", verb="redraw", applies=values.redrawing,
                  slots=(wishes("area", "In which area?", values.areas),)),
            Offer(key="put_back_no_more", words="put back no more", verb="decline", applies=values.redrawing))
MENDS = (Offer(key="never_mend", words="don't pay", verb="decline", applies=values.mending),
         Offer(key="mend_up_to", words="pay {gold} for the best result", verb="mend", applies=values.mending, nouns=NOUNS,
               slots=(Slot(field="gold", words="How much gold, at most?", kind="number"),)),
         Offer(key="mend_to_arrive", words="pay, so that the unit arrives", verb="mend", fields={"to": "ok"},
               applies=values.mending),
         Offer(key="mend_to_save", words="pay just enough that the unit isn't lost", verb="mend", fields={"to": "back"},
               applies=values.mending))
BUILDS = (
    Offer(key="build", words="build {unit:a} in {to:the}", brief="build a unit", verb="build",
          slots=(UNIT, wishes("to", "Where does it go?", values.places))),
    Offer(key="rebuild", words="destroy the {unit} in {at:the} and rebuild it",
          brief="destroy a unit and rebuild it", verb="rebuild", fields={"tile": ""},
          slots=(UNIT, wishes("at", "Where is the old unit?", values.places))),
)
MOVE = Offer(key="move", words="move the {unit} from {origin:the} to {to:the}", brief="move a unit", verb="move",
             slots=(UNIT, pick("origin", "From where?", values.places), wishes("to", "Where to?", values.places)))
SEND = Offer(key="send", words="send the new unit to {to:the}", verb="send", slots=(wishes("to", "Where to?", values.places),))
USES = (
    Offer(key="company", words="use {tile:the}", verb="use", fields={"on": ""},
          slots=(wishes("tile", "Which company?", values.companies),)),
    Offer(key="use", words="use {tile:the} for {on:the}", brief="use a tile", verb="use",
          slots=(pick("tile", "Which tile?", values.placeable), wishes("on", "Where?", values.places))),
    Offer(key="service", words="use Diplomatic Service for {on:the}", verb="use",
          slots=(wishes("on", "Which alliance?", values.alliances),)),
)
WHERE, WHOM = pick("area", "Where?", values.areas), wishes("target", "Who?", values.targets)
A_PLAYER = wishes("target", "Who?",
                  values.other_players)             # Surprise Attack works against nobody else (SOE-14.4.14, 19.2.6)
ATTACKS = (
    Offer(key="attack", words="attack {target:the} in {area:the}",
          brief="attack", verb="attack", fields={"surprise": False, "war_office": False},
          slots=(WHERE, WHOM)),
    Offer(key="surprise", words="attack {target:the} in {area:the} with Surprise Attack",
          brief="attack with Surprise Attack", verb="attack",
          fields={"surprise": True, "war_office": False}, slots=(WHERE, A_PLAYER)),
    Offer(key="war_office", words="attack {target:the} in {area:the} with War Office", brief="attack with War Office",
          verb="attack",
          fields={"surprise": False, "war_office": True}, slots=(WHERE, WHOM)),
    Offer(key="both", words="attack {target:the} in {area:the} with Surprise Attack and War Office",
          brief="attack with Surprise Attack and War Office", verb="attack",
          fields={"surprise": True, "war_office": True}, slots=(WHERE, A_PLAYER)),
    Offer(key="at_sea_alone", words="attack {target:the} in {area:the} at sea only",
          brief="attack at sea only", verb="attack", applies=values.choosing_sea,
          fields={"surprise": False, "war_office": False, "naval_only": True}, slots=(WHERE, WHOM)),
)
ACTIONS = (
    Offer(key="colonise", words="colonise {area:the}", verb="colonise", slots=(wishes("area", "Where?", values.areas),)),
    Offer(key="enslave", words="gain a control marker in {area:the} by {commerce}", verb="enslave", about={"commerce": COMMERCE},
          slots=(wishes("area", "Where?", values.areas),)),
    Offer(key="take", words="buy {tile:the}", verb="tile", fields={"area": "", "target": ""},
          slots=(wishes("tile", "Which tile?", values.takeable),)),
    Offer(key="ally", words="form the {place}", verb="ally", applies=values.local,
          slots=(wishes("place", "Which alliance?", values.alliances),)),
    Offer(key="covert", words="use {token:the} against {target:the} in {area:the}",
          brief="use a covert token", verb="covert", applies=values.with_tokens,
          slots=(pick("token", "Which covert token?", values.tokens), pick("area", "In which area?", values.colonies),
                 wishes("target", "Against whom?", values.others))),
    Offer(key="raid", words="buy {tile:the} against {target:the} in {area:the}",
          brief="buy a tile against another power", verb="tile", applies=values.with_raid_tiles,
          slots=(pick("tile", "Pirates or Slave Revolt?", values.tokens), pick("area", "In which area?", values.colonies),
                 wishes("target", "Against whom?", values.others))),
)
CALLS = (
    Offer(key="call_all", words="call all allies", verb="call", fields={"allies": MOST}, applies=values.calling),
    Offer(key="call_nobody", words="call nobody", verb="call", fields={"allies": ()}, applies=values.calling),
    Offer(key="call", words="call {allies}", verb="call", applies=values.calling,
          slots=(wishes("allies", "Who?", values.allies),)),
)
HELPS = (
    Offer(key="send_nothing", words="send nothing", verb="commit", fields={"armies": 0, "navies": 0}),
    Offer(key="send_all", words="send all armies and navies", verb="commit", fields={"armies": MOST, "navies": MOST}),
    Offer(key="send_armies", words="send all armies and no navies", verb="commit", fields={"armies": MOST, "navies": 0}),
    Offer(key="send_navies", words="send all navies and no armies", verb="commit", fields={"armies": 0, "navies": MOST}),
    Offer(key="send_some", words="send {armies} and {navies}",
          brief="send armies and navies", verb="commit", nouns={"armies": ARMIES, "navies": NAVIES},
          slots=(Slot(field="armies", words="How many armies, at most?", kind="number"),
                 Slot(field="navies", words="How many navies, at most?", kind="number"))),
)
SEA = (Offer(key="fight", words="fight at sea", verb="fight"),
       Offer(key="fight_all", words="fight at sea, with all alliances that can help there", verb="fight",
             fields={"alliances": MOST}, applies=values.asked_at_once),
       Offer(key="no_fight", words="don't fight at sea", verb="decline"))
ASSIGNS = (Offer(key="at_sea", words="use the alliance at sea", verb="alliance", fields={"stage": "sea"},
                 applies=values.one_by_one),
           Offer(key="on_land", words="use the alliance on land", verb="alliance", fields={"stage": "land"},
                 applies=values.one_by_one))


BLOCKADE = (Offer(key="blockade", words="use Blockade", verb="use"),
            Offer(key="no_blockade", words="don't use Blockade", verb="decline"))
RESERVES = (Offer(key="reserves", words="use Reserves", verb="use"),
            Offer(key="no_reserves", words="don't use Reserves", verb="decline"))
WITHDRAWAL = (Offer(key="withdrawal", words="use Fighting Withdrawal", verb="use"),
              Offer(key="no_withdrawal", words="keep Fighting Withdrawal", verb="decline"))
LOSSES = (
    Offer(key="army_first", words="lose an army rather than a fort", verb="lose", fields={"unit": ("army", "fort")},
          applies=values.army_or_fort),
    Offer(key="fort_first", words="lose a fort rather than an army", verb="lose", fields={"unit": ("fort", "army")},
          applies=values.army_or_fort),
)
HELPERS_LOSSES = (Offer(key="lose", words="{owner:The} takes the loss", verb="lose",
                        slots=(wishes("owner", "Who takes it first?", values.allies),)),)
