"""The board of Attack! in words: everything for a terminal or a screen reader, the essence for an alt text."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.games.attack import view as vw
from engine.games.attack.pictures.scenes import Vessel
from engine.games.attack.state import NEUTRAL
from engine.games.attack.words.nouns import card_names, force, many_cards, points, units
from engine.text import Fact, Text, count, printed, text
from engine.text.aloud import ranked, row

PHASES = {"setup": text("Setup"), "claiming": text("Setup: first territories"), "deploying": text("Setup: first units"),
          "founding": text("Setup: capitals")}
NO_NAME: Fact = text("the neutral force")
Names = Mapping[str, Fact]


def army(held: vw.Units) -> Text:
    """Return what units there are, each type counted; "nothing" for none."""
    return force(held.model_dump())


def ships(fleet: vw.FleetView) -> Text:
    """A fleet, with its damage; "no ships" for none."""
    battleships: Fact = units(fleet.battleships, "battleship")
    if fleet.damaged:
        battleships = text("{battleships} ({n} damaged)", battleships=battleships, n=fleet.damaged)
    found = [words for number, words in (
        (fleet.battleships, battleships), (fleet.carriers, units(fleet.carriers, "aircraft_carrier")),
        (fleet.destroyers, units(fleet.destroyers, "destroyer")), (fleet.submarines, units(fleet.submarines, "submarine")))
        if number]
    return text("{ships}", ships=tuple(found)) if found else text("no ships")


def names_of(view: vw.View) -> Names:
    return {power.power: power.name for power in view.powers} | {NEUTRAL: NO_NAME}


def territories(n: int) -> Text:
    return count(n, "{n} territory", "{n} territories")


def news(view: vw.View) -> Iterator[Text]:
    """The sentences about a view, the most important first."""
    names = names_of(view)
    yield text("{title}: {moment}.", title=view.title, moment=moment(view))
    if view.ranking:
        yield text("Ranking: {powers}.", powers=ranked((names[power] for power in view.ranking), view.places))
    for power in sorted(view.powers, key=lambda power: -power.territories):
        yield text("{power}: {territories}, {units}, out." if power.out else "{power}: {territories}, {units}.",
                   power=power.name, territories=territories(power.territories), units=land_units(power.land_units))
    yield (text("{power:The} controls the sea lanes.", power=names[view.controller]) if view.controller
           else text("Nobody controls the sea lanes."))
    if view.battle is not None:
        yield text("{battle}.", battle=_battle_head(view.battle, names))
    for land in view.territories:
        if land.capital_of:
            yield text("{territory:The}, a capital: {holder}.", territory=land.name, holder=_holder(land, names))
    for land in view.territories:
        if land.owner and not land.capital_of:
            yield text("{territory}: {holder}.", territory=land.name, holder=_holder(land, names))


def land_units(n: int) -> Text:
    return count(n, "{n} land unit", "{n} land units")


def moment(view: vw.View) -> Text:
    names = names_of(view)
    if view.over:
        return text("the game is over, {powers:the} won", powers=tuple(names[power] for power in view.winners))
    if not view.active:
        return PHASES[view.phase]
    return text("round {round}, the last, {power:possessive} turn" if view.last_round else
                "round {round}, {power:possessive} turn", round=view.round, power=names[view.active])


def _named(id: str) -> Text:
    return printed(id.replace("_", " ").capitalize())


def table(view: vw.View) -> Iterator[Text]:
    names = names_of(view)
    yield text("{title}, {moment}", title=view.title, moment=moment(view))
    if view.active and not view.over:
        taken = row(map(_named, view.taken))
        yield (text("Actions left: {n}; taken: {actions}", n=view.actions_left, actions=taken) if view.taken else
               text("Actions left: {n}", n=view.actions_left))
    yield (text("Sea lanes: {power}", power=names[view.controller]) if view.controller else text("Sea lanes: nobody"))
    yield text("Deck: {cards}", cards=many_cards(view.deck))
    if view.battle is not None:
        yield from _battle(view.battle, names)
    if view.naval is not None:
        yield from _naval(view.naval, names)
    for crossing in view.crossings:
        yield text("At sea from {origin:the} to {to:the}: {units}", origin=crossing.origin, to=crossing.to,
                   units=army(crossing.units))
    yield text("Players")
    for power in view.powers:
        yield from _power(view, power)
    for continent in dict.fromkeys(land.continent for land in view.territories):
        yield text("{continent}", continent=continent.replace("_", " ").title())
        here = [land for land in view.territories if land.continent == continent]
        for land in here:
            if land.owner:
                yield text("  {territory}: {holder}", territory=land.name, holder=_holder(land, names))
        if neutral := [land for land in here if not land.owner]:
            yield text("  Neutral: {territories}", territories=row(
                _entered(land, text("{territory}", territory=land.name)) for land in neutral))


def _holder(land: vw.TerritoryView, names: Names) -> Text:
    held = text("{power}, {units}", power=names[land.owner], units=army(land.units))
    if land.capital_of:
        held = text("{held}, capital of {power:the}", held=held, power=names[land.capital_of])
    return _entered(land, held)


def _entered(land: vw.TerritoryView, said: Text) -> Text:
    if land.entering == vw.Units():
        return said
    return text("{said} (entered by {units})", said=said, units=army(land.entering))


def _power(view: vw.View, power: vw.PowerView) -> Iterator[Text]:
    has: Names = {"power": power.name, "territories": territories(power.territories), "units": land_units(power.land_units),
                  "cards": many_cards(power.cards), "capitals": count(power.capitals, "{n} capital", "{n} capitals"),
                  "ships": ships(power.fleet)}
    yield text("  {power}: {territories}, {units}, {cards}, {capitals}; {ships}, out of the game" if power.out else
               "  {power}: {territories}, {units}, {cards}, {capitals}; {ships}", **has)
    if power.seat == view.seat and not power.out:
        yield text("    Your cards, which only you see: {cards}", cards=card_names(view.own_cards))
        yield text("    Production would bring you {points}", points=points(view.own_points or 0))


def _battle_head(battle: vw.BattleView, names: Names) -> Text:
    return text("Battle for {territory:the}: {attacker:the} against {defender:the}, round {round}" if battle.round else
                "Battle for {territory:the}: {attacker:the} against {defender:the}", territory=battle.name,
                attacker=names[battle.attacker.power], defender=names[battle.defender.power], round=battle.round)


def _battle(battle: vw.BattleView, names: Names) -> Iterator[Text]:
    yield _battle_head(battle, names)
    yield from (_side(side, names) for side in (battle.attacker, battle.defender))
    if battle.dice:
        yield text("  Last roll: {dice}; {hits}", dice=row(battle.dice), hits=hits(battle.hits))


def hits(n: int) -> Text:
    return count(n, "{n} hit", "{n} hits")


def _side(side: vw.SideView, names: Names) -> Text:
    led = side.commander not in ("", side.power)
    return text("  {side:Begin}, commanded by {commander:the}: {fighting} in battle, {reserve} in reserve, {lost} lost"
                if led else
                "  {side:Begin}: {fighting} in battle, {reserve} in reserve, {lost} lost", side=names[side.power],
                commander=names.get(side.commander, ""), fighting=army(side.fighting), reserve=army(side.reserve),
                lost=army(side.lost))


def _naval(naval: vw.NavalView, names: Names) -> Iterator[Text]:
    yield text("Naval battle: {attacker:the} against {defender:the}, round {round}", attacker=names[naval.attacker],
               defender=names[naval.defender], round=naval.round)
    for power, line in ((naval.attacker, naval.attackers_line), (naval.defender, naval.defenders_line)):
        if line:
            yield text("  {power}: {ships}", power=names[power], ships=row(map(vessel, line)))


def vessel(ship: vw.VesselView | Vessel) -> Fact:
    if ship.sunk or ship.hits:
        return text("{ship} (sunk)" if ship.sunk else "{ship} (damaged)", ship=ship.ship)
    return ship.ship
