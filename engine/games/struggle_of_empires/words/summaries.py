"""What a tile, an alliance or a covert token does, and what a unit is good for: a few words beside a choice."""
from __future__ import annotations

from engine.games.struggle_of_empires.components import PIRATES, REVOLT, Place, Tile
from engine.games.struggle_of_empires.events.words import gold
from engine.games.struggle_of_empires.state import State
from engine.text import Text, template, text

BY_EFFECT = {                           # that are the same in every game
    "training_sea": text("+1 at sea with a navy, if you own more than the other side"),
    "reroll_both": text("Once a war in a fight: roll all four dice again"),
    "free_attack": text("Once a war: one more attack, for no action and no gold"),
    "free_build_army": text("Once a war: build an army for no population"),
    "free_build_navy": text("Once a war: build a navy for no population"),
    "build_army_in_colony": text("Once a war: build an army in a colony of yours for no population"),
    "extra_move": text("Each move action moves one more unit"),
    "tax_three": text("Taxes bring you 3 gold instead of 2 for each unrest"),
    "population_plus_one": text("Your population grows by 1 more after each war"),
    "lose_two_unrest": text("At once: lose 2 unrest"),
    "gain_three_vp": text("At once: gain 3 victory points"),
    "no_defender_losses": text("Once, when you defend: your side loses no units in this attack"),
    "no_defender_helpers": text("Once, when you attack a power: nobody may help it"),
    "blockade": text("Once, with a navy: bar armies from a colony, or naval support +2"),
}
TRAINING = {"army_or_fort": text("+1 on land with an army or fort, if you own more than the other side"),
            "army": text("+1 on land with an army, if you own more than the other side")}
MILITIA = {"any": text("A build action builds 2 units, each for population"),
           "army": text("A build action adds an army, for its population")}
NAVIGATION = {"second_die": text("+2 on the second die of your crossings"),
              "mending": text("Mending a crossing costs 1 gold less")}
DIPLOMACY = {"tiles": text("Once a war: buy an alliance tile for no action"),
             "local": text("Once a war: form a local alliance for no action")}
RAIDS = {PIRATES: template("A strength-{n} sea fight to capture a power's marker in a colony"),
         REVOLT: template("A strength-{n} land fight to capture a marker in an American colony")}
UNITS = {"army": text("Attacks and defends on land; takes control markers"),
         "navy": text("Fights at sea, supports armies and lets them into colonies"),
         "fort": text("Only defends, counts 2 and stays where it is")}


def summary(state: State, id: str) -> Text | None:
    """Return what can be chosen by this id does, in the game with these options; None: its name says it all."""
    parts = state.parts
    if id in UNITS:
        return UNITS[id]
    if id in RAIDS:
        return text(RAIDS[id], n=state.token_strength(id))
    if (tile := parts.tile.get(id)) is not None:
        return _tile(state, tile)
    place = next((place for place in parts.local_alliances if place.id == id), None)
    return None if place is None else _alliance(place)


def _tile(state: State, tile: Tile) -> Text | None:
    options = state.options
    match tile.effect:
        case "training_land":
            return TRAINING[options.training.land_unit]
        case "extra_build":
            return MILITIA[options.militia.types]
        case "sea_check_plus_two":
            return NAVIGATION[options.navigation.effect]
        case "free_alliance":
            return DIPLOMACY[options.alliance.mode]
        case "company_income":
            return text("{areas}: {gold} per marker a war, up to {most}",
                        gold=gold(tile.params.gold_per_control_marker), areas=tile.areas, most=tile.params.max_gold)
    if tile.kind == "alliance":
        return _alliance(tile)
    return BY_EFFECT.get(tile.effect)


def _alliance(held: Tile | Place) -> Text:
    sea, land = held.helps_at_sea, held.helps_on_land
    fights = text("on land or at sea") if sea and land else text("at sea") if sea else text("on land")
    return text("{areas}: +{bonus} {fights} this war", bonus=held.bonus, fights=fights, areas=held.areas)
