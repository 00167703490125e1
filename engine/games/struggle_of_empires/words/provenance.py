"""What hangs on those values of the components that no source gives (`engine.provenance`)."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.struggle_of_empires.events.words import costs, gold
from engine.kernel.origins import Aspect, Origin
from engine.text import Text, count, text

BAG = ("unrest.model", ("bag",))
COUNT = ("unrest.model", ("count",))
POWERS = ("npp.mode", ("all_counts", "two_three"))
TILES = ("alliance.mode", ("tiles",))
COVERT = ("pirates", "slave_revolt")

USES: Mapping[str, Text] = {
    "keep": text("always"), "exhaust": text("once a war"), "remove": text("once, then out of the game"),
    "stock": text("once, then back to the stock"), "stock_at_war_end": text("until the war ends, then back to the stock")}
NAME = Aspect("name", text("name"), text("what it is called, and nothing else"))
NUMBER = Aspect("count", text("number"), text("how many there are to buy"), ("SOE-1.3.3",))
PRICE = Aspect("cost", text("price"), text("what it costs to buy one"), ("SOE-11.1.2",),
               says=lambda values: _price(**values["cost"]))
MARK = Aspect("mark", text("use"), text("how often it can be used, and where it goes after that"),
              ("SOE-11.2.1", "SOE-11.2.2", "SOE-11.2.3"), ("after_use",), ("tiles.classes", ("marks",)),
              says=lambda values: USES[values["after_use"]])
CLASS = Aspect("kind", text("class"), text("how often it can be used, and when"),
               ("SOE-11.3.1", "SOE-11.3.2", "SOE-11.3.3", "SOE-11.3.4"), (), ("tiles.classes", ("classes",)))
EFFECT = Aspect("effect", text("effect"), text("what it does"), (), ("description",), fixed=True)


def _price(gold: int, population: int, unrest: int) -> Text:
    return text("{parts}", parts=costs(gold, population, unrest) or text("free"))


def _face(values: Mapping[str, Any]) -> Text:
    if values["kind"] != "strength":
        return text("colonists") if values["kind"] == "pop" else text("slaves")
    parts = (text("defence {n}", n=values["strength"]), *costs(values["gold"]),
             *([count(values["vp"], "{n} point", "{n} points")] if values["vp"] else []))
    return text("{parts}", parts=parts)


def _income(values: Mapping[str, Any]) -> Text:
    return text("{gold} for each marker in {areas:the}, at most {most}", gold=gold(values["params.gold_per_control_marker"]),
                areas=tuple(values["params.areas"]), most=values["params.max_gold"])


def _helps(values: Mapping[str, Any]) -> Text:
    return text("{areas:The}, {fights}", areas=tuple(values["areas"]), fights=_fights({"params.units": values["units"]}))


def _fights(values: Mapping[str, Any]) -> Text:
    return {"army": text("on land"), "navy": text("at sea")}.get(values["params.units"], text("on land or at sea"))


def _supply(values: Mapping[str, Any]) -> Text:
    number = values["markers_per_player"]
    return text("as many as there are places") if number is None else text("{n}", n=number)


def _forces(values: Mapping[str, Any]) -> Text:
    markers, armies = values["npp_control_markers_each"], values["npp_units_each"]
    return text("{forces} each", forces=(*([count(markers, "{n} control marker", "{n} control markers")] if markers else []),
                                         count(armies, "{n} army", "{n} armies")))


def _start(values: Mapping[str, Any]) -> Text:
    drawn = values.get("counters_by_players") or values.get("counters_placed") or ()
    return text("{gold}, population {population}, {units}, {own}, and {drawn} neutral markers in the three wars",
                gold=gold(values["start_gold"]), population=values["start_population"],
                units=count(values["start_units_per_player"], "{n} unit", "{n} units"),
                own=count(values["counters_drawn_per_player"], "{n} control marker", "{n} control markers"), drawn=tuple(drawn))


def _tile(*kinds: str, covert: bool = False) -> Callable[[Mapping[str, Any]], bool]:
    """Tiles of these kinds; those that a covert token replaces stand for themselves."""
    return lambda tile: tile["kind"] in kinds and (tile["id"] in COVERT) == covert


ORIGINS = (
    Origin("country_counters", text("Neutral markers"), (
        Aspect("area", text("area"), text("to which area it belongs, and so where starting markers and neutral markers go"),
               ("SOE-1.2.1", "SOE-2.1.6", "SOE-4.2.2")),
        Aspect("kind", text("face"),
               text("how strong it is and what beating it brings; colonists are colonised, slaves are for enslaving or Gold "
                    "Coast commerce"),
               ("SOE-1.2.2", "SOE-1.2.3", "SOE-9.11.1", "SOE-9.11.6"), ("kind", "strength", "gold", "vp"), says=_face))),
    Origin("areas", text("Areas"), (
        Aspect("vp", text("victory points"), text("what the area is worth at the end of each war"), ("SOE-1.4.14", "SOE-17.4.2")),
        Aspect("counters", text("number of markers"),
               text("how many markers the area can hold; as many neutral markers belong to it"), ("SOE-1.2.4",),
               ("country_counters",)))),
    Origin("tiles", text("Tiles"), (NAME, NUMBER, PRICE, MARK, CLASS, EFFECT),
           _tile("improvement", "free_action", "military_tactics", "immediate")),
    Origin("tiles", text("Pirates and Slave Revolt as tiles"), (NAME, NUMBER, PRICE, MARK, EFFECT),
           _tile("improvement", "immediate", covert=True), ("covert.mode", ("tiles",))),
    Origin("tiles", text("Companies"), (
        NAME, NUMBER, PRICE, MARK,
        Aspect("effect", text("income"), text("how much gold it brings, and for markers in which areas"),
               ("SOE-12.21.1", "SOE-12.21.2"), ("params.areas", "params.gold_per_control_marker", "params.max_gold"),
               says=_income)), _tile("company")),
    Origin("tiles", text("Alliance tiles"), (
        NAME, NUMBER, PRICE, MARK,
        Aspect("areas", text("areas"), text("in which areas it helps"), ("SOE-13.1.3",), ("params.areas",)),
        Aspect("units", text("fights"), text("whether it helps on land, at sea or in either"), ("SOE-13.1.4",), ("params.units",),
               says=_fights),
        Aspect("effect", text("bonus"), text("how much strength it adds"), ("SOE-13.3.1",), ("params.bonus",))),
        _tile("alliance"), TILES),
    Origin("local_alliances", text("Places for local alliances"), (
        NAME,
        Aspect("areas", text("areas"), text("in which areas it helps, and in which fights"), ("SOE-13.2.2", "SOE-13.3.1"),
               ("areas", "units"), says=_helps),
        Aspect("gold", text("price"), text("what it costs to place a marker there"), ("SOE-13.2.3",), (),
               ("alliance.cost", ("places",)), says=lambda values: _price(values["gold"], 0, 0))),
        needs=("alliance.mode", ("local",))),
    Origin("local_alliance_rules", text("Local alliances"), (
        Aspect("supply", text("supply"), text("how many local alliance markers a player has"), ("SOE-13.2.7",),
               ("markers_per_player",), fixed=True, says=_supply),), needs=("alliance.mode", ("local",))),
    Origin("far_lands_die", text("Far Lands die"), (
        Aspect("count", text("faces"), text("how many of the six faces show the symbol, and so how often crossings fail"),
               ("SOE-8.4.1", "SOE-8.4.2")),), needs=("cross.model", ("far_lands_die",))),
    Origin("unrest_bag", text("Unrest bag"), (
        Aspect("values", text("values"), text("how much a drawn unrest marker counts, and how many of its kind there are"),
               ("SOE-1.1.13", "SOE-3.3.7"), ("value", "count"),
               says=lambda values: text("{count} in the bag", count=values["count"])),), needs=BAG),
    Origin("unrest_markers", text("Unrest markers"), (
        Aspect("value", text("value"), text("how much an unrest marker counts"), ("SOE-3.3.6",), fixed=True),
        Aspect("supply", text("supply"), text("whether there are always enough of them"), ("SOE-1.1.12",), ("supply_unlimited",),
               fixed=True)), needs=COUNT),
    Origin("setup", text("Setup"), (
        Aspect("npc_forces", text("non-player powers"), text("how many control markers and armies each of them gets"),
               ("SOE-19.1.4", "SOE-19.1.5", "SOE-19.1.7"), ("npp_control_markers_each", "npp_units_each"), POWERS,
               says=_forces),
        Aspect("first_war_and_start", text("start"), text("what players begin with, and how many neutral markers are drawn"),
               ("SOE-2.1.3", "SOE-2.1.6", "SOE-2.1.11", "SOE-2.2.1"), (
                   "counters_by_players", "counters_drawn_per_player", "start_units_per_player", "start_gold",
                   "start_population", "start_vp"), says=_start))),
    Origin("npp_house_setup", text("Setup of non-player powers"), (
        Aspect("", text("way"), text("how they are put on the map"), ("SOE-19.1.6", "SOE-19.1.7", "SOE-19.1.8"),
               ("when", "draw", "place", "fate_of_drawn_markers"), fixed=True),), needs=POWERS),
    Origin("setup_redraw", text("Variant of drawing again"), (
        Aspect("wording", text("wording"), text("what may be drawn again, once the option is on"), ("SOE-2.1.9",), ("rule",),
               fixed=True),)),
    Origin("units_per_player", text("Units of a power"), (
        Aspect("", text("number"), text("how many units and control markers a power has"), ("SOE-1.1.4", "SOE-1.1.5"),
               ("army", "navy", "fort", "control_marker")),)),
    Origin("home_countries", text("Powers"), (
        Aspect("colour", text("colour"), text("the colour of its pieces, and nothing else"), (), fixed=True),)),
    Origin("zones", text("Zones"), (
        Aspect("", text("extent"), text("between which parts of the map units cross"), ("SOE-1.4.9", "SOE-8.3.1"), ("name",),
               fixed=True),)),
    Origin("alliance_track", text("Rows of the alliances"), (
        Aspect("", text("places"), text("which places of the turn order the rows give"), ("SOE-5.1.2", "SOE-5.5.1"),
               ("red", "blue", "top", "bottom"), fixed=True),)),
    Origin("rules_values", text("Income"), (
        Aspect("", text("gold"), text("what a point of population brings"), ("SOE-17.1.1",), ("value",)),),
        lambda value: value["id"] == "income_per_population"),
    Origin("rules_values", text("A tie for victory"), (
        Aspect("", text("rule"), text("who wins it"), ("SOE-18.3.2",), ("value",), fixed=True),),
        lambda value: value["id"] == "final_tie_break"),
    Origin("rules_values", text("An empty unrest bag"), (
        Aspect("", text("rule"), text("what happens then"), ("SOE-1.1.13",), ("value",), fixed=True),),
        lambda value: value["id"] == "unrest_bag_empty", BAG),
)
