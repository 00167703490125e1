"""What one seat, or the public, may see (chapter 20); built from nothing, with no field for anybody else's secret."""
from __future__ import annotations

from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from engine.games.attack.rules.cards import kinds, production_points
from engine.games.attack.rules.ending import last_round
from engine.games.attack.state import Battle, Crossing, Force, NavalBattle, Side, State
from engine.kernel import OVER, Seat

NONE: Force = {}


class Seen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Units(Seen):
    infantry: int = 0
    tank: int = 0
    artillery: int = 0
    plane: int = 0


class TerritoryView(Seen):
    territory: str          # id
    name: str
    continent: str
    owner: str              # power, or "" while neutral
    units: Units            # of the owner; those that fight for it too
    capital_of: str         # the power that put its capital there, or ""
    entering: Units         # attackers of the active player whose battle is not fought yet


class CrossingView(Seen):
    """Units that wait at sea for the word of the controller."""

    origin: str
    to: str
    units: Units


class FleetView(Seen):
    destroyers: int = 0
    submarines: int = 0
    battleships: int = 0    # damaged ones too
    damaged: int = 0        # battleships
    carriers: int = 0


class PowerView(Seen):
    power: str              # id
    name: str
    seat: str
    territories: int
    land_units: int
    cards: int              # in hand
    capitals: int           # owned, its own or others
    fleet: FleetView
    controls_sea: bool
    out: bool


class SideView(Seen):
    power: str              # "neutral" for a territory without owner
    commander: str          # who decides for them; "" is the engine
    reserve: Units
    fighting: Units
    lost: Units


class BattleView(Seen):
    territory: str
    name: str
    card: str               # kind of the card that brought neutral defenders, or ""
    round: int              # 0 while both line up
    half: str               # "defender", "attacker", or ""
    attacker: SideView
    defender: SideView
    dice: tuple[str, ...]   # the last roll
    hits: int


class VesselView(Seen):
    ship: str
    hits: int
    sunk: bool


class NavalView(Seen):
    attacker: str
    defender: str
    round: int
    attackers_line: tuple[VesselView, ...]
    defenders_line: tuple[VesselView, ...]
    pair: int               # pairs fought in this round
    attackers_dice: tuple[int, ...]         # of the last pair
    defenders_dice: tuple[int, ...]


class View(Seen):
    """The table as one seat, or the public (`seat` is None), may see it."""

    title: str              # "Attack!"
    round: int
    phase: str              # "claiming", "deploying", "founding", "turn", "over", ...
    active: str             # power whose turn it is, or ""
    action: str             # the action under way, or ""
    taken: tuple[str, ...]  # actions spent in this turn
    actions_left: int
    controller: str         # of the sea lanes, or ""
    territories: tuple[TerritoryView, ...]  # in the order of the data
    crossings: tuple[CrossingView, ...]
    powers: tuple[PowerView, ...]           # in seat order
    battle: BattleView | None
    naval: NavalView | None
    deck: int               # cards left
    last_round: bool
    over: bool
    ranking: tuple[str, ...]
    places: tuple[int, ...] = ()            # of the ranking; equals share one
    winners: tuple[str, ...]
    seat: str | None        # whose view it is
    own_cards: tuple[str, ...]              # kinds of cards in that seat's hand
    own_points: int | None                  # what Production would bring that seat


def view(s: State, seat: Seat | None) -> View:
    """The table as this seat, or the public, may see it now."""
    own = s.power(seat) if seat else ""
    owned: dict[str, list[str]] = {power: [] for power in s.powers}
    for land, owner in s.owner.items():
        owned[owner].append(land)
    return View(
        title=s.parts.title, round=s.round, phase=s.phase, active=s.active, action=s.turn.action, taken=tuple(s.turn.taken),
        actions_left=max(0, s.parts.numbers.actions_per_turn - len(s.turn.taken)), controller=s.controller,
        territories=tuple(_territories(s)),
        crossings=tuple(_crossing(crossing) for crossing in s.turn.crossings),
        powers=tuple([_power(s, power, owned[power]) for power in s.powers]), battle=_battle(s, s.battle) if s.battle else None,
        naval=_naval(s.naval) if s.naval else None, deck=len(s.deck),
        last_round=s.phase == "turn" and last_round(s), over=s.phase == OVER,
        ranking=tuple(s.ranking), places=tuple(s.places().values()), winners=tuple(s.winners), seat=seat,
        own_cards=tuple(kinds(s.parts, s.hands[own])) if own else (),
        own_points=production_points(s, own) if own else None)


def _territories(s: State) -> list[TerritoryView]:
    """All territories; most look as they did in the view before."""
    owner, units, capitals, entering = s.owner, s.units, s.capitals, s.turn.entering
    fought = s.battle.territory if s.battle is not None else ""
    found = []
    for id, name, continent in s.parts.printed:
        standing = units.get(id, NONE) if id != fought else s.standing(id)
        found.append(_known(id, name, continent, owner.get(id, ""), tuple(standing.items()), capitals.get(id, ""),
                            tuple(entering[id].items()) if id in entering else ()))
    return found


@lru_cache(maxsize=4096)
def _known(territory: str, name: str, continent: str, owner: str, units: tuple[tuple[str, int], ...], capital_of: str,
           entering: tuple[tuple[str, int], ...]) -> TerritoryView:
    return TerritoryView(territory=territory, name=name, continent=continent, owner=owner, units=_units(**dict(units)),
                         capital_of=capital_of, entering=_units(**dict(entering)))


@lru_cache(maxsize=1024)
def _units(**force: int) -> Units:
    """A force; the same one is made once."""
    return Units(**force)


def _crossing(crossing: Crossing) -> CrossingView:
    return CrossingView(origin=crossing.origin, to=crossing.to, units=_units(**crossing.units))


def _power(s: State, power: str, owned: list[str]) -> PowerView:
    fleet = s.fleets[power]
    return _seen(
        power, s.seat(power), len(owned), s.land_units(power, owned), len(s.hands[power]), s.capitals_of(power),
        fleet.get("destroyer", 0), fleet.get("submarine", 0), fleet.get("battleship", 0), s.damaged.get(power, 0),
        fleet.get("aircraft_carrier", 0), s.controller == power, power in s.out)


@lru_cache(maxsize=1024)
def _seen(power: str, seat: Seat, territories: int, land_units: int, cards: int, capitals: int, destroyers: int, submarines: int,
          battleships: int, damaged: int, carriers: int, controls_sea: bool, out: bool) -> PowerView:
    """Return what everybody sees of a power; most look as they did in the view before."""
    fleet = FleetView(destroyers=destroyers, submarines=submarines, battleships=battleships, damaged=damaged, carriers=carriers)
    return PowerView(power=power, name=power.capitalize(), seat=seat, territories=territories, land_units=land_units, cards=cards,
                     capitals=capitals, fleet=fleet, controls_sea=controls_sea, out=out)


def _side(side: Side) -> SideView:
    return SideView(power=side.power, commander=side.commander, reserve=_units(**side.reserve), fighting=_units(**side.fighting),
                    lost=_units(**side.lost))


def _battle(s: State, battle: Battle) -> BattleView:
    return BattleView(
        territory=battle.territory, name=s.parts.territory[battle.territory].name,
        card=s.parts.card[battle.card].kind if battle.card else "", round=battle.round, half=battle.half,
        attacker=_side(battle.attacker), defender=_side(battle.defender), dice=tuple(battle.dice), hits=battle.hits)


def _naval(naval: NavalBattle) -> NavalView:
    def line(power: str) -> tuple[VesselView, ...]:
        return tuple(VesselView(ship=vessel.ship, hits=vessel.hits, sunk=vessel.sunk) for vessel in naval.lines.get(power, ()))

    return NavalView(attacker=naval.attacker, defender=naval.defender, round=naval.round, attackers_line=line(naval.attacker),
                     defenders_line=line(naval.defender), pair=naval.pair, attackers_dice=naval.dice.get(naval.attacker, ()),
                     defenders_dice=naval.dice.get(naval.defender, ()))
