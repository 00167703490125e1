"""What a unit, a ship, a card or an action costs and brings: a few words beside a choice."""
from __future__ import annotations

from engine.games.attack.state import BLITZ, MOVEMENT, NAVAL, PRODUCTION, STRATEGIC, State
from engine.text import Text, count, text

SHIPS = {"destroyer": text("strong against submarines"), "submarine": text("strong against battleships"),
         "battleship": text("strong against destroyers"), "aircraft_carrier": text("strengthens the ships beside it")}

ACTIONS = {MOVEMENT: text("Move and attack with any of your units"), BLITZ: text("Tanks and planes move and attack once more"),
           STRATEGIC: text("Regroup over any distance in your land"), NAVAL: text("Fight for control of the sea lanes"),
           PRODUCTION: text("Buy units and ships")}


def _price(n: int) -> Text:
    return count(n, "{n} point", "{n} points")


def summary(state: State, id: str) -> Text | None:
    """Return what can be chosen by this id costs and does; None: its name says it all."""
    parts = state.parts
    if (unit := parts.unit.get(id)) is not None:
        return text("{price}: {dice}, hits on {faces} of {of} faces, moves {move}", price=_price(unit.cost_pp),
                    dice=count(unit.battle_dice, "{n} die", "{n} dice"), faces=parts.faces.count(id), of=len(parts.faces),
                    move=unit.move)
    if (ship := parts.ship.get(id)) is not None:
        return text("{price}: {hits} to sink, {strength}", price=_price(ship.cost_pp),
                    hits=count(ship.hits_to_sink, "{n} hit", "{n} hits"), strength=SHIPS[id])
    if id in ACTIONS:
        return ACTIONS[id]
    card = next((card for card in parts.cards if card.kind == id), None)
    if card is None:
        return None
    points = count(card.weight, "{n} production point", "{n} production points")
    doubled = card.type in parts.set_rule.types
    return text("{points}, doubled in a set", points=points) if doubled else text("{points}, never in a set", points=points)
