"""What hangs on those values of the components that no source gives (`engine.provenance`)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.attack.components import UNITS
from engine.games.attack.words.nouns import units
from engine.kernel.origins import Aspect, Origin
from engine.text import Text, text

NAME = Aspect("name", text("name"), text("what it is called, and nothing else"))
PLACE = Aspect("lon_lat", text("position"), text("where its name and units are shown in the pictures"), (), ("lon", "lat"),
               says=lambda values: text("{place}", place=text(f"{values['lon']:g}, {values['lat']:g}")))

NUMBERS = text("Numbers")
UNLIMITED = ("unit_supply_limit", "ship_supply_limit")
USUAL = ("round_limit_default", "failed_offers_per_turn")          # of options


def _defenders(values: Mapping[str, Any]) -> Text:
    force = values["neutral_defenders"]
    return text("{units}", units=tuple(units(force[unit], unit) for unit in UNITS if force[unit]))


def _named(field: str) -> Any:
    return lambda values: text("{ids}", ids=tuple(values[field]) if isinstance(values[field], list) else str(values[field]))


ORIGINS = (
    Origin("territories", text("Territories"), (
        NAME,
        Aspect("continent", text("continent"), text("where it counts with the option continent_spread"),
               ("ATK-2.1.2", "ATK-3.3.2"), needs=("continent_spread", (True,)), says=_named("continent")),
        Aspect("adjacent", text("borders"), text("where units go by land, and who may trade with whom"),
               ("ATK-2.1.4", "ATK-5.1.3", "ATK-17.3.1"), says=_named("adjacent")),
        Aspect("coastal_zones", text("shores"), text("which seas it touches"), ("ATK-2.3.2", "ATK-2.3.3"),
               says=_named("coastal_zones")),
        Aspect("capital_allowed", text("capital"), text("whether it can hold a capital"), ("ATK-3.5.1",)),
        PLACE)),
    Origin("unplayable_regions", text("Land out of play"), (
        Aspect("name", text("name"), text("that it is shown but never entered"), ("ATK-2.1.3",)), PLACE)),
    Origin("sea_zones", text("Sea zones"), (
        Aspect("label", text("caption"), text("what it is called in pictures"), ("ATK-2.2.1",)),
        Aspect("anchor", text("anchor"), text("whether each two of its shores are linked"), ("ATK-2.3.2", "ATK-2.3.6")),
        Aspect("coastal_territories", text("shores"), text("which territories it touches"), ("ATK-2.3.3",),
               says=_named("coastal_territories")),
        PLACE)),
    Origin("sea_routes", text("Sea routes"), (
        Aspect("to", text("ends"), text("which two territories it joins"), ("ATK-2.3.1", "ATK-6.1.3"), ("from", "to"),
               says=lambda values: text("{ends}", ends=tuple(str(values[end]) for end in ("from", "to") if values[end]))),)),
    Origin("cards", text("Economic cards"), (
        Aspect("weight", text("weight"), text("how many production points it brings, and how many such cards there are"),
               ("ATK-15.1.1", "ATK-18.1.1"), ("type", "weight"),
               says=lambda values: text("{type} {weight}", type=values["type"], weight=values["weight"])),
        Aspect("neutral_defenders", text("defenders"), text("what defends a neutral territory for which it is drawn"),
               ("ATK-8.2.1", "ATK-15.1.2"), says=_defenders))),
    Origin("parameters", NUMBERS, (
        Aspect("value", text("value"), text("a number of the rules"), ("ATK-15.4.2", "ATK-17.4.1")),),
        holds=lambda record: record["id"] not in (*UNLIMITED, *USUAL)),
    Origin("parameters", NUMBERS, (
        Aspect("supply", text("supply"), text("how many units and ships there can be"), ("ATK-1.1.6",), ("value",), fixed=True,
               says=lambda values: text("no limit")),), holds=lambda record: record["id"] in UNLIMITED),
    Origin("parameters", NUMBERS, (
        Aspect("usual", text("usual value"), text("what counts unless another number is chosen when the game is opened"),
               ("ATK-17.2.3", "ATK-19.3.2"), ("value",), fixed=True),), holds=lambda record: record["id"] in USUAL),
)
