"""How menus, commands and forms offer the answers of each verb of Attack!."""
from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from engine.games.attack.components import UNITS
from engine.games.attack.state import State
from engine.games.attack.words.nouns import plural, points, units
from engine.kernel import Menus, Presentation, Seat, Sheet
from engine.text import Text, count, text


def _offer(chosen: Mapping[str, Any]) -> Text | None:
    if chosen == {"give": ()}:
        return text("Nothing: you ask for a gift")
    if chosen == {"take": ()}:
        return text("Nothing: it's a gift")
    return None


def _move(chosen: Mapping[str, Any]) -> Text | None:
    if not {"origin", "to"} <= chosen.keys():
        return None
    way = (text("{origin:The} to {to:the} by sea", origin=chosen["origin"], to=chosen["to"]) if chosen.get("way") == "water" else
           text("{origin:The} to {to:the}", origin=chosen["origin"], to=chosen["to"]))
    return text("{units}: {way}", units=plural(chosen["unit"]), way=way) if "unit" in chosen else way


def _left_to_spend(s: State, seat: Seat) -> Text:
    return text("{points} to spend", points=points(s.turn.points))


def _number(n: int) -> Text:
    return count(n, "{n} unit", "{n} units")


MENUS: Menus = {
    "claim": Presentation(where="territory"),
    "deploy": Presentation(title="place units", where="territory", amounts={"number": _number}),
    "capital": Presentation(where="territory"),
    "begin": Presentation(),
    "diplomacy": Presentation(where="territory"),
    "offer": Presentation(by_values=True, partly=_offer),
    "end": Presentation(gives_up=True),
    "move": Presentation(where="to", steps=(("origin", "to", "way"), ("unit",), ("number",), ("planes",)),
                         several="From where to where?", sheet=Sheet(line="unit", amount="number"), partly=_move,
                         amounts={"number": _number},
                         questions={"planes": text("Planes: fly on or go back?")}),
    "confirm": Presentation(),
    "drop": Presentation(gives_up=True, questions={"order": text("Order to drop?")},
                         amounts={"order": lambda n: text("order {n}", n=n) if n else text("the whole action")}),
    "permit": Presentation(amounts={"allow": lambda _: text("allow")}),
    "fly": Presentation(amounts={"on": lambda _: text("fly on")}),
    "attack": Presentation(where="territory"),
    "bring": Presentation(title="bring up units", amounts={unit: partial(units, kind=unit) for unit in UNITS}),
    "policy": Presentation(title="line up by a plan", typed=False),
    "keep": Presentation(title="keep in reserve", typed=False),
    "fight": Presentation(amounts={"on": lambda _: text("fight on")}),
    "line": Presentation(title="line up ships"),
    "formation": Presentation(title="line up by type", typed=False),
    "answer": Presentation(amounts={"accept": lambda _: text("accept")}),
    "lapse": Presentation(typed=False),
    "buy": Presentation(sheet=Sheet(line="kind", amount="number"), budget=_left_to_spend, amounts={"number": _number}),
    "propose": Presentation(),
    "recall": Presentation(title="withdraw the offer"),
    "colour": Presentation()}
