"""The board of Attack! in words: everything for a terminal or a screen reader, the essence for an alt text."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.games.attack import view as vw
from engine.text.english import counted, fit, listed, ranked

PHASES = {"setup": "Setup", "claiming": "Setup: first territories", "deploying": "Setup: first units",
          "founding": "Setup: capitals"}


def army(units: vw.Units) -> str:
    """Return what units there are, each type counted; "nothing" for none."""
    return listed(counted(number, one, many) for number, one, many in (
        (units.infantry, "infantry", "infantry"), (units.tank, "tank", "tanks"), (units.artillery, "artillery", "artillery"),
        (units.plane, "plane", "planes")) if number) or "nothing"


def ships(fleet: vw.FleetView) -> str:
    """A fleet, with its damage; "no ships" for none."""
    damaged = f" ({fleet.damaged} damaged)" if fleet.damaged else ""
    return listed(words for number, words in (
        (fleet.battleships, counted(fleet.battleships, "battleship", "battleships") + damaged),
        (fleet.carriers, counted(fleet.carriers, "aircraft carrier", "aircraft carriers")),
        (fleet.destroyers, counted(fleet.destroyers, "destroyer", "destroyers")),
        (fleet.submarines, counted(fleet.submarines, "submarine", "submarines"))) if number) or "no ships"


def card(kind: str) -> str:
    """ "oil_3" as "oil 3"."""
    return kind.replace("_", " ")


def names_of(view: vw.View) -> dict[str, str]:
    return {power.power: power.name for power in view.powers} | {"neutral": "the neutral force"}


def board(view: Any) -> str:
    return "\n".join(_board(view))


def describe(view: Any, most: int) -> str:
    """The most important sentences, in so many characters at most."""
    return fit(news(view), most)


def news(view: vw.View) -> Iterator[str]:
    """The sentences about a view, the most important first."""
    names = names_of(view)
    yield f"{view.title}: {moment(view)}."
    if view.ranking:
        yield f"Ranking: {ranked((names[power] for power in view.ranking), view.places)}."
    for power in sorted(view.powers, key=lambda power: -power.territories):
        yield (f"{power.name}: {counted(power.territories, 'territory', 'territories')}, "
               f"{counted(power.land_units, 'land unit', 'land units')}{', out' if power.out else ''}.")
    yield f"{names[view.controller]} controls the sea lanes." if view.controller else "Nobody controls the sea lanes."
    if view.battle is not None:
        yield _battle_head(view.battle, names) + "."
    for land in view.territories:
        if land.capital_of:
            yield f"{land.name}, a capital: {_holder(land, names)}."
    for land in view.territories:
        if land.owner and not land.capital_of:
            yield f"{land.name}: {_holder(land, names)}."


def moment(view: vw.View) -> str:
    if view.over:
        names = names_of(view)
        return f"the game is over, {listed(names[power] for power in view.winners)} won"
    if not view.active:
        return PHASES[view.phase]
    last = ", the last" if view.last_round else ""
    return f"round {view.round}{last}, {names_of(view)[view.active]}'s turn"


def _board(view: vw.View) -> Iterator[str]:
    names = names_of(view)
    yield f"{view.title}, {moment(view)}"
    if view.active and not view.over:
        taken = f"; taken: {', '.join(action.replace('_', ' ') for action in view.taken)}" if view.taken else ""
        yield f"Actions left: {view.actions_left}{taken}"
    yield f"Sea lanes: {names[view.controller]}" if view.controller else "Sea lanes: nobody"
    yield f"Deck: {counted(view.deck, 'card', 'cards')}"
    if view.battle is not None:
        yield from _battle(view.battle, names)
    if view.naval is not None:
        yield from _naval(view.naval, names)
    for crossing in view.crossings:
        yield f"At sea from {crossing.origin} to {crossing.to}: {army(crossing.units)}".replace("_", " ")
    yield "Players"
    for power in view.powers:
        yield from _power(view, power)
    for continent in dict.fromkeys(land.continent for land in view.territories):
        yield continent.replace("_", " ").title()
        for land in view.territories:
            if land.continent == continent and land.owner:
                yield f"  {land.name}: {_holder(land, names)}"
        if neutral := [land for land in view.territories if land.continent == continent and not land.owner]:
            yield f"  Neutral: {', '.join(land.name + _entered(land) for land in neutral)}"


def _holder(land: vw.TerritoryView, names: dict[str, str]) -> str:
    capital = f", capital of {names[land.capital_of]}" if land.capital_of else ""
    return f"{names[land.owner]}, {army(land.units)}{capital}{_entered(land)}"


def _entered(land: vw.TerritoryView) -> str:
    return f" (entered by {army(land.entering)})" if land.entering != vw.Units() else ""


def _power(view: vw.View, power: vw.PowerView) -> Iterator[str]:
    out = ", out of the game" if power.out else ""
    yield (f"  {power.name}: {counted(power.territories, 'territory', 'territories')}, "
           f"{counted(power.land_units, 'land unit', 'land units')}, {counted(power.cards, 'card', 'cards')}, "
           f"{counted(power.capitals, 'capital', 'capitals')}; {ships(power.fleet)}{out}")
    if power.seat == view.seat and not power.out:
        yield f"    Your cards, which only you see: {', '.join(map(card, view.own_cards)) or 'none'}"
        yield f"    Production would bring you {view.own_points} production points"


def _battle_head(battle: vw.BattleView, names: dict[str, str]) -> str:
    where = f", round {battle.round}" if battle.round else ""
    return f"Battle for {battle.name}: {names[battle.attacker.power]} against {names[battle.defender.power]}{where}"


def _battle(battle: vw.BattleView, names: dict[str, str]) -> Iterator[str]:
    yield _battle_head(battle, names)
    yield from (_side(side, names) for side in (battle.attacker, battle.defender))
    if battle.dice:
        yield f"  Last roll: {', '.join(battle.dice)}; {counted(battle.hits, 'hit', 'hits')}"


def _side(side: vw.SideView, names: dict[str, str]) -> str:
    by = f", commanded by {names[side.commander]}" if side.commander not in ("", side.power) else ""
    return (f"  {names[side.power]}{by}: {army(side.fighting)} in battle, {army(side.reserve)} in reserve, "
            f"{army(side.lost)} lost").replace("  the", "  The")


def _naval(naval: vw.NavalView, names: dict[str, str]) -> Iterator[str]:
    yield f"Naval battle: {names[naval.attacker]} against {names[naval.defender]}, round {naval.round}"
    for power, line in ((naval.attacker, naval.attackers_line), (naval.defender, naval.defenders_line)):
        if line:
            yield f"  {names[power]}: {', '.join(map(_vessel, line))}"


def _vessel(vessel: vw.VesselView) -> str:
    state = " (sunk)" if vessel.sunk else " (damaged)" if vessel.hits else ""
    return vessel.ship.replace("_", " ") + state
