"""Positions of Attack! made up for tests and for looking at pictures; nothing that runs a game imports this."""
from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any

from engine.attack.scenes import Board
from engine.attack.view import FleetView, PowerView, TerritoryView, Units, View
from renderer.attack.common import POWERS

NAMES = ("Jacques", "Łucja", "Иван Петров", "Willem van der Meer tot Nederhemert", "רות כהן", "🎲 Müller 🎲")


@lru_cache(maxsize=1)
def _data() -> Any:
    return json.loads((files("data") / "attack" / "attack.json").read_bytes())


def sample(players: int = 4, *, seed: int = 1, share: float = 0.6, most: int = 5) -> View:
    """A position of the middle of a game: so large a share of the land is owned, by so many units of each type at most."""
    chance, powers = Random(seed), list(POWERS)[:players]
    lands = []
    for land in _data()["territories"]:
        owner = chance.choice(powers) if chance.random() < share else ""
        units = {kind: chance.randint(0, most) * (chance.random() < 0.55) for kind in ("tank", "artillery", "plane")}
        lands.append(TerritoryView(territory=land["id"], name=land["name"], continent=land["continent"], owner=owner,
                                   units=Units(infantry=chance.randint(1, most), **units) if owner else Units(), capital_of="",
                                   entering=Units()))
    for power in powers:
        at = next((n for n, land in enumerate(lands) if land.owner == power), 0)
        lands[at] = lands[at].model_copy(update={"capital_of": power})
    return View(
        title="Attack!", round=3, phase="turn", active=powers[1], action="", taken=("movement",), actions_left=2,
        controller=powers[0], territories=tuple(lands), crossings=(), battle=None, naval=None, deck=23, last_round=False,
        over=False, ranking=(), winners=(), seat=None, own_cards=(), own_points=None,
        powers=tuple([_power(power, n, lands, chance) for n, power in enumerate(powers)]))


def _power(power: str, n: int, lands: list[TerritoryView], chance: Random) -> PowerView:
    own = [land for land in lands if land.owner == power]
    return PowerView(
        power=power, name=power.capitalize(), seat=f"seat_{n + 1}", territories=len(own),
        land_units=sum(sum(land.units.model_dump().values()) for land in own), cards=chance.randint(2, 9),
        capitals=sum(land.capital_of != "" for land in own),
        fleet=FleetView(destroyers=chance.randint(0, 4), submarines=chance.randint(0, 3), battleships=1 + n % 2, damaged=n % 2,
                        carriers=chance.randint(0, 2)),
        controls_sea=n == 0, out=False)


def people(view: View) -> tuple[tuple[str, str], ...]:
    """What the players are called."""
    return tuple([(power.power, NAMES[n]) for n, power in enumerate(view.powers)])


def full() -> View:
    """Everything owned, with every type of units everywhere, in numbers of two digits."""
    view = sample(6, share=1)
    units = Units(infantry=12, tank=10, artillery=11, plane=14)
    return view.model_copy(update={"territories": tuple([land.model_copy(update={"units": units}) for land in view.territories])})


def own(view: View) -> View:
    """The same board as the active player sees it."""
    cards = ("factories_3", "minerals_2", "oil_1", "oil_4", "population_2", "population_2", "railroads_1", "railroads_3")
    return view.model_copy(update={"seat": view.powers[1].seat, "own_cards": cards, "own_points": 38})


def marked(view: View, *, seed: int = 7) -> Board:
    """The same board for a reader who last saw it some turns ago."""
    earlier = sample(len(view.powers), seed=seed)
    chance = Random(seed)
    lands = tuple([was if chance.random() < 0.2 else now for was, now in zip(earlier.territories, view.territories)])
    powers = tuple([power.model_copy(update={"territories": power.territories + chance.randint(-2, 2),
                                             "land_units": power.land_units + chance.randint(-5, 5)}) for power in view.powers])
    return Board(now=view, before=view.model_copy(update={"territories": lands, "powers": powers}), people=people(view))


def fighting(view: View) -> View:
    """The same board with attackers in a territory."""
    return view.model_copy(update={"territories": tuple([
        land.model_copy(update={"entering": Units(infantry=3, tank=2)}) if land.territory in ("ukraine", "cuba") else land
        for land in view.territories])})
