"""Boards made up by hand, for `make pictures` and for tests: no rules engine is asked whether they could come about."""
from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from engine.games.struggle_of_empires.pictures.scenes import Board, OwnTile, Way
from engine.games.struggle_of_empires.view import (
    AreaView,
    AuctionView,
    Captive,
    Garrison,
    Neutral,
    PowerView,
    StockView,
    TileView,
    View,
)
from tools.samples.values import struggle_of_empires

SEATING = ("france", "britain", "spain", "united_provinces", "russia", "austria", "prussia")


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return struggle_of_empires("first_edition.json")


def sample(players: int = 7, *, seed: int = 1) -> View:
    """A game in its second war with this many powers; the same for the same seed."""
    chance = Random(seed)
    powers = SEATING[:players]
    areas = tuple([_area(area, powers, chance) for area in _data()["areas"]])
    order = tuple(chance.sample(powers, players))
    return View(
        title="Struggle of Empires", edition="first", war=2, round=3, rounds=6 if players < 5 else 5, phase="turn",
        active=order[players // 2], order=order, row_a=order[::2], row_b=order[1::2], areas=areas,
        powers=tuple([_power(power, f"seat_{n}", order, areas, chance) for n, power in enumerate(powers, 1)]), auction=None,
        stock=tuple([_stock(tile, chance) for tile in _data()["tiles"]]), bag=5 * players - 5, over=False, ranking=(), seat=None,
        own_unrest=None)


def crowded() -> View:
    """Every power with units in every area, every place taken, numbers as high as the components allow."""
    view = sample(7, seed=2)
    areas = []
    for area in view.areas:
        neutrals = _neutrals(area.area)[:2 if area.area == "north_america" else 5]
        captives = {"north_america": (Captive(power="spain", held_by="pirates"),
                                      Captive(power="united_provinces", held_by="slave_revolt"))}.get(area.area, ())
        garrisons = [Garrison(power=power, markers=0, armies=14 - n, navies=(7 - n) * area.naval, forts=n % 3)
                     for n, power in enumerate(SEATING)]
        left = area.places - sum(neutral.number for neutral in neutrals) - len(captives)
        garrisons[2] = garrisons[2].model_copy(update={"markers": left})
        areas.append(area.model_copy(update={
            "garrisons": tuple(sorted(garrisons, key=lambda held: -held.markers)), "neutrals": neutrals, "captives": captives,
            "blockades": ("britain",) if area.area == "caribbean" else ()}))
    powers = tuple([power.model_copy(update={"gold": 88 + 11 * n, "points": 99 + 4 * n, "population": 9, "markers": 20,
                                             "home_armies": 14, "home_navies": 7, "home_forts": 2})
                    for n, power in enumerate(view.powers)])
    return view.model_copy(update={"areas": tuple(areas), "powers": powers})


def shared() -> View:
    """Control markers of as many powers in each area as it has places."""
    view = sample(7)
    areas = tuple([area.model_copy(update={"neutrals": (), "garrisons": tuple([
        Garrison(power=power, markers=1 + (n == 0) * (area.places - min(7, area.places)), armies=0, navies=0, forts=0)
        for n, power in enumerate(SEATING[:area.places])])}) for area in view.areas])
    return view.model_copy(update={"areas": areas})


def auction(players: int = 5) -> View:
    """The auction of the second war, after one pair has been placed."""
    view = sample(players)
    return view.model_copy(update={
        "phase": "auction", "round": 0, "order": (), "row_a": SEATING[:1], "row_b": SEATING[1:2], "active": SEATING[2],
        "auction": AuctionView(bidder=SEATING[3], gold=4, a=SEATING[2], b=SEATING[4] if players > 4 else "")})


def private(view: View, seat: str, unrest: int) -> View:
    """Return the same board as one seat sees it."""
    return view.model_copy(update={"seat": seat, "own_unrest": unrest})


def ended(view: View) -> View:
    """Return the same board after the last war, all unrest revealed."""
    powers = tuple([power.model_copy(update={"revealed_unrest": 3 + 4 * n}) for n, power in enumerate(view.powers)])
    ranking = tuple([power.power for power in sorted(view.powers, key=lambda power: -power.points)])
    return view.model_copy(update={"war": 3, "round": 0, "phase": "over", "over": True, "active": "", "powers": powers,
                                   "ranking": ranking, "places": tuple(range(1, len(ranking) + 1))})


NAMES = ("Jacques", "Łucja", "Иван Петров", "Willem van der Meer tot Nederhemert", "רות כהן", "🎲 Müller 🎲", "\u202eFritz\u202c")


def people(view: View) -> tuple[tuple[str, str], ...]:
    return tuple([(power.power, NAMES[n]) for n, power in enumerate(view.powers)])


def marked(view: View, *, seed: int = 3) -> Board:
    """Return the same board for a reader who last saw it some turns ago."""
    chance = Random(seed)
    areas = tuple([_earlier(area, chance) if n % 2 == 0 else area for n, area in enumerate(view.areas)])
    powers = tuple([power.model_copy(update={
        "points": power.points - chance.randint(0, 12), "gold": (power.gold or 0) + chance.randint(-9, 9),
        "population": power.population + chance.randint(0, 1), "markers": power.markers + chance.randint(-2, 2),
        "home_armies": power.home_armies + chance.randint(-1, 1)}) for power in view.powers])
    return Board(now=view, before=view.model_copy(update={"areas": areas, "powers": powers}), people=people(view))


def overlay(view: View) -> Board:
    """The board of a seat that may do something in most areas."""
    deeds = ("attack", "move", "colonise", "build", "place", "other")
    ways = [Way(area=area.area, deeds=deeds[:1 + n % len(deeds)], number=n + 1) for n, area in enumerate(view.areas)
            if n % 4 != 2]
    return Board(now=private(view, view.powers[1].seat, 6), ways=tuple(ways), tiles=TILES, people=people(view))


TILES = (OwnTile(name="Reserves", number=2, used=1, effect="Once a war in a fight: roll all four dice again"),
         OwnTile(name="Trained Natives", number=1, used=1,
                 effect="Once a war: build an army for no population, right in a colony of yours"))


def fullest() -> Board:
    """Everything at once on the crowded board: marks, names, and all deeds everywhere."""
    board = marked(crowded())
    deeds = ("attack", "move", "colonise", "build", "place", "other")
    ways = [Way(area=area.area, deeds=deeds, number=number) for number, area in enumerate(board.now.areas, 1)]
    return board.model_copy(update={"ways": tuple(ways)})


def _earlier(area: AreaView, chance: Random) -> AreaView:
    """An area some turns earlier: one power has come since, another has left, the others' units have changed."""
    held = {garrison.power: garrison for garrison in area.garrisons[1:]}
    for power, garrison in held.items():
        changes = {"markers": max(0, garrison.markers - chance.randint(-1, 1)), "armies": garrison.armies + chance.randint(-1, 2),
                   "navies": garrison.navies + chance.randint(-1, 0) * (garrison.navies > 0)}
        held[power] = garrison.model_copy(update=changes) if chance.random() < 0.6 else garrison
    gone = next((power for power in SEATING[3:] if power not in {garrison.power for garrison in area.garrisons}), "")
    if gone:
        held[gone] = Garrison(power=gone, markers=1, armies=2, navies=0, forts=0)
    neutrals = _neutrals(area.area)[:1] if chance.random() < 0.5 else area.neutrals
    return area.model_copy(update={"garrisons": tuple(held.values()), "neutrals": neutrals, "captives": (), "blockades": ()})


def _neutrals(area: str) -> tuple[Neutral, ...]:
    """The neutral markers of an area, equal ones together."""
    faces: dict[tuple[str, int, int, int], int] = {}
    for counter in _data()["country_counters"]:
        if counter["area"] == area:
            face = (counter["kind"], counter["strength"] or 0, counter["gold"], counter["vp"])
            faces[face] = faces.get(face, 0) + 1
    return tuple([Neutral(kind=kind, strength=strength, gold=gold, points=points, number=number)
                  for (kind, strength, gold, points), number in faces.items()])


def _area(area: dict[str, Any], powers: tuple[str, ...], chance: Random) -> AreaView:
    neutrals = chance.sample(_neutrals(area["id"]), chance.randint(0, 2))
    free = area["country_counters"] - sum(neutral.number for neutral in neutrals)
    here = chance.sample(powers, min(len(powers), chance.randint(1, 5)))
    garrisons = []
    for power in here:
        markers = min(free, chance.randint(0, 3))
        free -= markers
        armies, navies, forts = chance.randint(1, 4), chance.randint(0, 3) * area["naval"], chance.randint(0, 3) // 3
        garrisons.append(Garrison(power=power, markers=markers, armies=armies, navies=navies, forts=forts))
    captive = area["id"] == "caribbean" and free
    return AreaView(
        area=area["id"], name=area["name"], values=tuple(area["vp"]), places=area["country_counters"], naval=area["naval"],
        garrisons=tuple(sorted(garrisons, key=lambda held: -held.markers)), neutrals=tuple(neutrals),
        captives=(Captive(power=powers[-1], held_by="pirates"),) if captive else (),
        blockades=tuple([held.power for held in garrisons if held.navies][:1]) if area["id"] == "india" else ())


def _power(power: str, seat: str, order: tuple[str, ...], areas: tuple[AreaView, ...], chance: Random) -> PowerView:
    name = next(home["name"] for home in _data()["home_countries"] if home["id"] == power)
    held = [garrison for area in areas for garrison in area.garrisons if garrison.power == power]
    markers = sum(garrison.markers for garrison in held)
    tiles = chance.sample(_data()["tiles"], chance.randint(1, 5))
    home_armies, home_navies, home_forts = chance.randint(0, 3), chance.randint(0, 2), chance.randint(0, 1)
    return PowerView(
        power=power, name=name, seat=seat, alliance="AB"[order.index(power) % 2], points=chance.randint(8, 40),
        gold=chance.randint(0, 14), population=chance.randint(2, 9), markers=markers, home_armies=home_armies,
        home_navies=home_navies, home_forts=home_forts, supply_armies=max(0, 14 - home_armies - sum(one.armies for one in held)),
        supply_navies=max(0, 7 - home_navies - sum(one.navies for one in held)), supply_forts=1, supply_markers=20 - markers,
        tiles=tuple([TileView(tile=tile["id"], name=tile["name"], number=1, used=chance.randint(0, 1)) for tile in tiles]))


def _stock(tile: dict[str, Any], chance: Random) -> StockView:
    cost = tile["cost"]
    return StockView(tile=tile["id"], name=tile["name"], kind=tile["kind"], left=chance.randint(0, tile["count"]),
                     of=tile["count"], gold=cost["gold"], population=cost["population"], unrest=cost["unrest"])
