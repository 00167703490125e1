"""What a line of an order can ask for (D.3)."""
from __future__ import annotations

from engine.games.struggle_of_empires.orders import values
from engine.orders.builders import choice, flag, number

ROWS = {"row_a": "row_a", "row_b": "row_b"}       # their names are those of the edition
CONDITIONS = (
    number("war", "the war"),
    number("round", "the round"),
    number("gold", "your gold", "you have {value}", "{n} gold", "{n} gold"),
    number("unrest", "your unrest", "you have {value}", "{n} unrest", "{n} unrest"),
    number("population", "your population", "you have {value}", "{n} population", "{n} population"),
    number("actions", "the number of your actions left", "you have {value} left", "{n} action", "{n} actions"),
    choice("army_in", "an area with an army of yours", values.areas, "you have an army in {value:the}",
           "you have no army in {value:the}"),
    choice("navy_in", "an area with a navy of yours", values.areas, "you have a navy in {value:the}",
           "you have no navy in {value:the}"),
    choice("marker_in", "an area with a control marker of yours", values.areas, "you have a control marker in {value:the}",
           "you have no control marker in {value:the}"),
    choice("stock", "a tile in the stock", values.takeable, "{value:the} is in the stock", "{value:the} isn't in the stock"),
    choice("ally", "your ally", values.others, "{value:the} is your ally", "{value:the} isn't your ally"),
    # the auction
    number("auction", "the number of this war's auction"),
    number("bid", "the bid", "the bid is {value}", "{n} gold", "{n} gold"),
    choice("bidder", "the bidder", values.other_players),
    choice("for_a", "the power proposed for {row_a}", values.powers, "{value:the} is proposed for {row_a}",
           "{value:the} isn't proposed for {row_a}", about=ROWS),
    choice("for_b", "the power proposed for {row_b}", values.powers, "{value:the} is proposed for {row_b}",
           "{value:the} isn't proposed for {row_b}", about=ROWS),
    choice("opposite", "a power against you", values.others, "the proposal puts {value:the} against you",
           "the proposal doesn't put {value:the} against you"),
    choice("beside", "a power on your side", values.others, "the proposal makes {value:the} your ally",
           "the proposal doesn't make {value:the} your ally"),
    choice("unplaced", "a power not placed yet", values.powers, "{value:the} isn't placed yet", "{value:the} is placed"),
    flag("proposed", "the proposal names you", "the proposal doesn't name you"),
    flag("unchanged", "the proposal is the same as at your last pass", "the proposal has changed since your last pass"),
    # attacks
    choice("area", "the area", values.areas),
    choice("attacker", "the attacker", values.foes),
    choice("defender", "the defender", values.foes),
    choice("principal", "the main side", values.players, "{value:the} is the main side", "{value:the} isn't the main side"),
    choice("against", "the other side", values.foes, "it is against {value:the}", "it isn't against {value:the}"),
    choice("stage", "the fight", values.stages, "the fight is {value}", "the fight isn't {value}"),
    number("own_armies", "the number of your armies there", "you have {value} there", "{n} army", "{n} armies"),
    number("own_navies", "the number of your navies there", "you have {value} there", "{n} navy", "{n} navies"),
    number("own_forts", "the number of your forts there", "you have {value} there", "{n} fort", "{n} forts"),
    number("their_armies", "the number of the other side's armies", "the other side has {value} there", "{n} army", "{n} armies"),
    number("their_navies", "the number of the other side's navies", "the other side has {value} there", "{n} navy", "{n} navies"),
    number("strength", "your side's strength before the dice"),
    number("their_strength", "the other side's strength before the dice"),
    number("lead", "your side's lead before the dice"),
    number("lead_with_it", "your side's lead at sea with this alliance"),
    choice("alliance", "the alliance", values.alliances, "it is the {value}", "it isn't the {value}"),
    # crossings
    choice("unit", "the kind of the unit", values.unit_kinds, "it's {value:a}", "it isn't one {value}"),
    choice("to", "where the unit goes", values.places, "it goes to {value:the}", "it doesn't go to {value:the}"),
    flag("sinking", "the unit would be lost", "the unit wouldn't be lost"),
    # after the dice
    choice("result", "the result as rolled", values.results, "the fight is {value} as rolled",
           "the fight isn't {value} as rolled"),
    number("margin", "your side's lead with the dice"),
    flag("seven", "your side's dice total 7", "your side's dice don't total 7"),
    flag("seven_costs", "a 7 costs you a unit", "a 7 doesn't cost you a unit"),
    number("losses", "the number of units that your side would lose", "your side would lose {value}", "{n} unit", "{n} units"),
    flag("last_unit", "you would lose your last unit there", "you wouldn't lose your last unit there"),
    flag("marker_lost", "you would lose a control marker", "you wouldn't lose a control marker"),
    number("kept", "how many of these tiles you keep", "you keep {value}", "{n} of them", "{n} of them"),
)

ANYTIME = ("war", "round", "gold", "unrest")
OF_TURN = (*ANYTIME, "population", "actions", "army_in", "navy_in", "marker_in", "stock", "ally")
OF_AUCTION = (*ANYTIME, "auction", "unplaced")
OF_ATTACK = (*ANYTIME, "area", "attacker", "defender", "own_armies", "own_navies", "own_forts", "their_armies", "their_navies",
             "strength", "their_strength", "lead")
OF_LOSSES = ("stage", "result", "seven")
OF_DICE = (*OF_LOSSES, "margin", "seven_costs", "losses", "last_unit", "kept")
