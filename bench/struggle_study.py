"""How games of Struggle of Empires are judged: points by area, seat, power and tile, unrest, length; and values to be moved."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Any, TypeAlias

from bench.policy import strong
from bench.struggle_tastes import TASTES, price_tags
from bench.study import Figures, Gifts, Given, Move, Section, Study
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.events import (
    AllianceFormed,
    AreaScored,
    AttackDeclared,
    BlockadeLaid,
    CaptiveFreed,
    Captured,
    GoldPaid,
    MarkerTaken,
    NeutralBeaten,
    Passed,
    Penalised,
    PointsGained,
    ReservesUsed,
    Settled,
    StartDrawn,
    TileReturned,
    TileTaken,
    TileUsed,
    TokenSent,
    TurnBegun,
    UnitBuilt,
    UnitLost,
    UnitSunk,
)
from engine.games.struggle_of_empires.state import State
from engine.kernel import CHANCE, Event, Table

SECTIONS = (
    Section("Areas", ("points a power", "share of all", "points a marker", "markers a power", "attacks", "won")),
    Section("Where points come from", ("points a power from", "share of points from")),
    Section("Powers", ("points as", "wins as", "collapses as"), by_name=True),
    Section("Places in the first turn order", ("points in place", "wins in place"), by_name=True),
    Section("Seats at the table", ("points at", "wins at"), by_name=True),
    Section("Tiles", ("taken", "used", "lead of owners")),
    Section("Unrest at the end", ("unrest",)),
    Section("Deeds of a power", ("deeds",)),
    Section("The game", ("game",)),
)
SHARE, MOST = 0.2, 8            # of the powers that are given a tile; gold, and unrest, at most
DEEDS = ("attacks", "markers taken from powers", "neutral markers beaten", "colonised", "enslaved", "units built", "units lost",
         "tiles taken", "actions passed", "gold from taxation")
AREAS, NEUTRALS, INDUSTRY, PENALTIES = "areas", "neutral markers", "industry", "penalties for unrest"


def figures(table: Table) -> Figures:
    """All figures of a finished game."""
    s: State = table.state
    facts = [*table.opening, *(event for entry in table.fresh for event in entry.events)]
    ranked = sorted(s.points.values(), reverse=True)
    return {**of_areas(s, facts), **of_sources(s, facts), **of_winners(s, facts), **of_tiles(s, facts), **of_unrest(s),
            **of_deeds(s, facts), "game: rows": len(table.fresh),
            "game: decisions": sum(entry.seat != CHANCE for entry in table.fresh),
            "game: points of the best": ranked[0], "game: lead of the best": ranked[0] - ranked[1]}


def of_areas(s: State, facts: Sequence[Event]) -> Figures:
    """What the areas bring, by the markers that are scored there; a marker that is scored in each war counts three times."""
    points, markers, here = Counter[str](), Counter[str](), Counter[str]()
    attacks, won = Counter[str](), Counter[str]()
    for fact in facts:
        match fact:
            case StartDrawn():
                here.update(fact.areas)
            case Settled():
                here[fact.area] += 1
            case NeutralBeaten() | CaptiveFreed():
                here[fact.area] += 1
                won[fact.area] += 1
            case MarkerTaken():
                here[fact.area] += fact.loser in s.npps
                won[fact.area] += 1
            case Captured():
                here[fact.area] -= fact.power in s.powers
            case AttackDeclared():
                attacks[fact.area] += 1
            case AreaScored():
                points[fact.area] += sum(fact.points.values())
                markers[fact.area] += here[fact.area]
    found: dict[str, float] = {}
    for area in s.parts.area:
        found[f"points a power: {area}"] = points[area] / len(s.powers)
        found[f"markers a power: {area}"] = markers[area] / len(s.powers)
        found[f"attacks: {area}"], found[f"won: {area}"] = attacks[area], won[area]
        if points.total():
            found[f"share of all: {area}"] = points[area] / points.total()
        if markers[area]:
            found[f"points a marker: {area}"] = points[area] / markers[area]
    return found


def of_sources(s: State, facts: Sequence[Event]) -> Figures:
    """Where the points come from; together they are the points at the end."""
    sources = dict.fromkeys((AREAS, NEUTRALS, INDUSTRY, PENALTIES), 0)
    for fact in facts:
        match fact:
            case AreaScored():
                sources[AREAS] += sum(fact.points.values())
            case PointsGained():
                sources[INDUSTRY if fact.tile else NEUTRALS] += fact.points
            case Penalised():
                sources[PENALTIES] -= fact.points
    found = {f"points a power from: {source}": points / len(s.powers) for source, points in sources.items()}
    gained = sum(points for points in sources.values() if points > 0)
    return found | {f"share of points from: {source}": points / gained for source, points in sources.items() if gained}


def of_winners(s: State, facts: Sequence[Event]) -> Figures:
    """Who won: a shared victory counts in parts. Powers that nobody played are left out."""
    turns = [fact.power for fact in facts if isinstance(fact, TurnBegun)]
    found: dict[str, float] = {}
    for power in s.powers:
        won = (power in s.winners) / max(1, len(s.winners))
        place, seat = f"place {turns.index(power) + 1}", s.seat(power).replace("_", " ")
        for who, points, wins in ((power, "points as", "wins as"), (place, "points in place", "wins in place"),
                                  (seat, "points at", "wins at")):
            found[f"{points}: {who}"], found[f"{wins}: {who}"] = s.points[power], won
        found[f"collapses as: {power}"] = power in s.collapsed
    return found


def of_tiles(s: State, facts: Sequence[Event]) -> Figures:
    """How often a tile, a local alliance or a covert token is taken and used, and how far its owners are ahead of the others."""
    taken, used, owners = Counter[str](), Counter[str](), dict[str, set[str]]()
    for fact in facts:
        match fact:
            case TileTaken():
                taken[fact.tile] += 1
                owners.setdefault(fact.tile, set()).add(fact.power)
            case AllianceFormed():
                taken[fact.place] += 1
                owners.setdefault(fact.place, set()).add(fact.power)
            case TokenSent():
                taken[fact.token] += 1
            case TileUsed() | ReservesUsed() | BlockadeLaid():
                used[fact.tile] += 1
            case TileReturned() if fact.used:
                used[fact.tile] += 1
    offered = [*(tile.id for tile in s.parts.tiles if tile.count and s.in_play(tile))]
    offered += [*s.parts.local_alliance] if s.options.alliance.mode == "local" else []
    offered += [token.id for token in s.parts.covert_tokens] if s.options.covert.mode == "tokens" else []
    found: dict[str, float] = {}
    for id in offered:
        found[f"taken: {id}"], found[f"used: {id}"] = taken[id], used[id]
        having = [s.points[power] for power in s.powers if power in owners.get(id, ())]
        others = [s.points[power] for power in s.powers if power not in owners.get(id, ())]
        if having and others:
            found[f"lead of owners: {id}"] = fmean(having) - fmean(others)
    return found


def of_unrest(s: State) -> Figures:
    """How much unrest there is, and what became of those who have most."""
    unrest = sorted(s.unrest[power] for power in s.powers)
    return {"unrest: mean": fmean(unrest), "unrest: least": unrest[0], "unrest: most": unrest[-1],
            "unrest: powers collapsed": len(s.collapsed) / len(s.powers), "unrest: games without a winner": not s.winners}


def of_deeds(s: State, facts: Sequence[Event]) -> Figures:
    """What a power does in a game."""
    deeds = Counter[str]()
    for fact in facts:
        match fact:
            case AttackDeclared():
                deeds["attacks"] += 1
            case MarkerTaken():
                deeds["markers taken from powers"] += 1
            case NeutralBeaten():
                deeds["neutral markers beaten"] += 1
            case Settled():
                deeds["enslaved" if fact.enslaved else "colonised"] += 1
            case UnitBuilt():
                deeds["units built"] += 1
            case UnitLost() | UnitSunk():
                deeds["units lost"] += 1
            case TileTaken():
                deeds["tiles taken"] += 1
            case Passed():
                deeds["actions passed"] += fact.actions
            case GoldPaid() if fact.taxed:
                deeds["gold from taxation"] += fact.taxed
    return {f"deeds: {name}": deeds[name] / len(s.powers) for name in DEEDS}


# --- what is moved ----------------------------------------------------------------------------------------

Raw: TypeAlias = Mapping[str, Any]
PRICES_BEFORE = {"army_training": 3, "naval_training": 2, "reserves": 1, "logistics": 2, "banking": 4, "improved_agriculture": 2,
                 "levant_company": 2, "royal_african_company": 3}
IMPROVEMENTS = ("improvement", "free_action", "military_tactics", "immediate")


def moves(edition: str) -> Sequence[Move]:
    """The most important house values of an edition, those of one kind together."""
    common = (
        Move("neutral markers defend with 1 more", neutrals(lambda marker: {"strength": marker["strength"] + 1})),
        Move("neutral markers defend with 1 less", neutrals(lambda marker: {"strength": max(1, marker["strength"] - 1)})),
        Move("neutral markers bring no gold", neutrals(lambda marker: {"gold": 0})),
        Move("tiles cost 1 gold more", prices(1, *IMPROVEMENTS)),
        Move("tiles cost 1 gold less", prices(-1, *IMPROVEMENTS)),
        Move("Industry costs 2 unrest", lambda raw: {"tiles": [{"id": "industry", "cost": {"unrest": 2}}]}),
        Move("Government Reform costs 4 gold", lambda raw: {"tiles": [{"id": "government_reform", "cost": {"gold": 4}}]}),
        Move("Army Training costs 10 gold", lambda raw: {"tiles": [{"id": "army_training", "cost": {"gold": 10}}]}),
        Move("companies bring 1 gold more for a marker", companies(more=1)),
        Move("companies bring 1 gold less for a marker", companies(more=-1)),
        Move("the prices before", before),
        Move("companies cost 1 gold less", prices(-1, "company")),
    )
    if edition == "first":
        return common
    deluxe = (
        Move("crossings succeed on 3 faces of 6", die(green_check=3, orange_arrow=2, red_cross=1)),
        Move("crossings succeed on 5 faces of 6", die(green_check=5, orange_arrow=1, red_cross=0)),
        Move("every unrest marker counts 1", bag(value_0=0, value_1=140, value_2=0)),
        Move("unrest markers differ more", bag(value_0=56, value_1=28, value_2=56)),
        Move("places for local alliances cost 1 gold", lambda raw: {
            "local_alliances": [{"id": place["id"], "gold": 1} for place in raw["local_alliances"]]}),
    )
    forces = Move("non-player powers have 3 markers and 3 armies", lambda raw: {
        "setup": [{"players": setup["players"], "npp_control_markers_each": min(3, setup["npp_control_markers_each"]),
                   "npp_units_each": min(3, setup["npp_units_each"])} for setup in raw["setup"] if setup.get("npp_units_each")]})
    return (*common, *deluxe, forces) if edition == "deluxe" else (*common, *deluxe)


def neutrals(change: Callable[[Raw], Raw]) -> Callable[[Raw], Raw]:
    """Change every neutral marker that can be attacked."""
    return lambda raw: {"country_counters": [{"id": marker["id"], **change(marker)} for marker in raw["country_counters"]
                                             if marker["kind"] == "strength"]}


def prices(more: int, *kinds: str) -> Callable[[Raw], Raw]:
    """Change the price in gold of all tiles of these kinds that cost any."""
    return lambda raw: {"tiles": [{"id": tile["id"], "cost": {"gold": tile["cost"]["gold"] + more}} for tile in raw["tiles"]
                                  if tile["kind"] in kinds and tile["cost"]["gold"]]}


def companies(more: int) -> Callable[[Raw], Raw]:
    """Change what companies bring for each marker, and with it the most that they bring at a time."""
    def pack(raw: Raw) -> Raw:
        found = [(tile["id"], tile["params"]) for tile in raw["tiles"] if tile["kind"] == "company"]
        return {"tiles": [{"id": id, "params": {"gold_per_control_marker": params["gold_per_control_marker"] + more,
                                                "max_gold": params["max_gold"] + 2 * more}} for id, params in found]}
    return pack


def before(raw: Raw) -> Raw:
    """The prices of ours that were set anew, as they were."""
    tiles = [{"id": id, "cost": {"gold": gold}} for id, gold in PRICES_BEFORE.items()]
    return {"tiles": [*tiles, {"id": "industry", "cost": {"unrest": 2}}]}


def die(**faces: int) -> Callable[[Raw], Raw]:
    """Another number of faces with each symbol of the Far Lands die."""
    return lambda raw: {"far_lands_die": [{"id": id, "count": number} for id, number in faces.items()]}


def bag(**markers: int) -> Callable[[Raw], Raw]:
    """Another number of each unrest marker in the bag."""
    return lambda raw: {"unrest_bag": [{"id": id, "count": number} for id, number in markers.items()]}


# --- what is given away ------------------------------------------------------------------------------------------

def give(s: State, pick: Random) -> Given:
    """Each tile that stays, with a chance of one in five and on top of those in the stock; up to 8 gold; up to 8 unrest."""
    kept = [tile for tile in s.parts.tiles
            if tile.kind != "alliance" and tile.after_use in ("keep", "exhaust") and s.in_play(tile)]
    given = {tile.name: [float(pick.random() < SHARE) for _ in s.powers] for tile in kept}
    for tile in kept:
        for power, number in zip(s.powers, given[tile.name]):
            if number:
                s.tiles[power][tile.id] = s.owned(power, tile.id) + 1
    for name, held in (("gold", s.gold), ("unrest", s.unrest)):
        given[name] = [float(pick.randint(0, MOST)) for _ in s.powers]
        for power, number in zip(s.powers, given[name]):
            held[power] += int(number)
    return given


GIFTS = Gifts(due=lambda s: s.phase == "auction", give=give, points=lambda s: [s.points[power] for power in s.powers],
              prices=price_tags)

STUDY = Study(strong(GAME), figures, SECTIONS, moves, GIFTS, TASTES)
