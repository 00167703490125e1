"""How menus, commands and forms offer the answers of each verb of Struggle of Empires."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.struggle_of_empires.events import gold, proposal, units
from engine.kernel import Menus, Presentation
from engine.text import Text, text


def _bid(chosen: Mapping[str, Any]) -> Text | None:
    told = [gold(chosen["gold"])] if "gold" in chosen else []
    if {"a", "b"} <= chosen.keys():
        told.append(proposal(chosen["a"], chosen["b"]))
    return text("{told}", told=tuple(told)) if len(told) > 1 else told[0] if told else None


MENUS: Menus = {
    "choose": Presentation(),
    "place": Presentation(where="area"),
    "bid": Presentation(amounts={"gold": gold}, steps=(("a", "b"), ("gold",)), several="Which powers?", partly=_bid,
                        questions={row: text("Which power for {row}?", row=f"row_{row}") for row in ("a", "b")}),
    "pass": Presentation(),
    "build": Presentation(where="to"),
    "rebuild": Presentation(where="at", questions={"tile": text("Tile that pays for it?")}),
    "send": Presentation(where="to", questions={"to": text("Where does the unit go?")}),
    "move": Presentation(where="to"),
    "attack": Presentation(where="area", questions={
        "surprise": text("Surprise Attack: nobody helps?"), "war_office": text("War Office: attack for free?"),
        "naval_only": text("Fight at sea only?")}, amounts={
        "surprise": lambda _: text("with Surprise Attack"), "war_office": lambda _: text("with War Office"),
        "naval_only": lambda _: text("at sea only")}),
    "colonise": Presentation(where="area"),
    "enslave": Presentation(where="area"),
    "tile": Presentation(title="buy a tile", where="area"),
    "use": Presentation(title="use a tile", questions={"on": text("What for?")}),
    "end": Presentation(),
    "decline": Presentation(),
    "call": Presentation(),
    "commit": Presentation(questions={"armies": text("Armies for the fight on land?"),
                                      "navies": text("Navies for the fight at sea?")},
                           amounts={"armies": lambda n: units(n, "army"), "navies": lambda n: units(n, "navy")}),
    "fight": Presentation(questions={"alliances": text("Alliances that help at sea?")}),
    "alliance": Presentation(typed=False),
    "lose": Presentation(),
    "ally": Presentation(title="form an alliance"),
    "covert": Presentation(title="covert action", where="area", questions={"area": text("Which colony?")}),
    "mend": Presentation(typed=False, amounts={"gold": gold}, questions={"to": text("Result to pay for?")}),
    "redraw": Presentation(typed=False),
    "give": Presentation(title="give gold", amounts={"gold": gold})}
