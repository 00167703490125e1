"""Pictures of the Deluxe edition made up by hand, for tests: no rules engine is asked whether they could come about."""
from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.games.struggle_of_empires.pictures import scenes as sc
from engine.games.struggle_of_empires.view import (
    AreaView,
    AuctionView,
    Captive,
    Garrison,
    LocalAlliance,
    NonPlayer,
    RowName,
    TokenView,
    View,
)
from tools.samples.boards import SEATING, crowded, people, private, sample
from tools.samples.closeups import NAMES, closeup, fighter, helper, strength, taken
from tools.samples.sheets import auction_sheet, forecast, reveal, stock
from tools.samples.values import struggle_of_empires

COLOURS = (RowName(name="the red alliance"), RowName(name="the blue alliance"))
HOLDERS = {"local_denmark": "britain", "local_saxony": "spain", "local_ottoman_empire": "france", "local_gaucho": "spain"}
"""Whose markers the places of the sample hold."""
ALL_TAKEN = {f"local_{place}": SEATING[n % 7] for n, place in enumerate(
    ("bavaria", "saxony", "denmark", "sweden", "poland", "savoy", "ottoman_empire", "portugal", "native_americans", "gaucho",
     "mysore"))}


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return struggle_of_empires("deluxe.json")


def place(record: dict[str, Any], holders: dict[str, str]) -> LocalAlliance:
    return LocalAlliance(place=record["id"], name=record["name"], holder=holders.get(record["id"], ""), closed=False,
                         gold=record["gold"], population=0, unrest=0, land=True, sea=record["units"] != "army")


def with_places(areas: tuple[AreaView, ...], holders: dict[str, str]) -> tuple[AreaView, ...]:
    """The areas with their places for local alliances."""
    return tuple([area.model_copy(update={"local": tuple([
        place(record, holders) for record in _data()["local_alliances"] if area.area in record["areas"]])}) for area in areas])


def tokens(*, captive_in: str = "") -> tuple[TokenView, ...]:
    """Both covert tokens; the Pirate attack may hold a captive."""
    return tuple([TokenView(token=record["id"], name=record["name"], strength=record["strength"],
                            area=captive_in if record["id"] == "pirates" else "",
                            failed=("france",) if record["id"] != "pirates" else ()) for record in _data()["covert_tokens"]])


def deluxe(players: int = 3) -> View:
    """The second war with this many players; the other powers are played by nobody."""
    view, npps = sample(players), SEATING[players:]
    areas = []
    for n, area in enumerate(with_places(view.areas, HOLDERS)):
        room = area.places - sum(held.markers for held in area.garrisons) - sum(face.number for face in area.neutrals) - len(
            area.captives)
        added = [Garrison(power=power, markers=int(m < room), armies=1, navies=0, forts=0)
                 for m, power in enumerate(npps) if (n + m) % 3]
        neutrals = tuple([face.model_copy(update={"called": "Gold Coast marker"}) if face.kind == "slaves" else face
                          for face in area.neutrals])
        areas.append(area.model_copy(update={"garrisons": (*area.garrisons, *added), "neutrals": neutrals}))
    powers = tuple([power.model_copy(update={"alliance": "AB"[n % 2]}) for n, power in enumerate(view.powers)])
    held = [garrison for area in areas for garrison in area.garrisons]
    rows = SEATING[:players][::2] + npps[1::2], SEATING[:players][1::2] + npps[::2]
    return view.model_copy(update={
        "edition": "deluxe", "areas": tuple(areas), "powers": powers, "order": SEATING[:players], "active": SEATING[1],
        "row_a": rows[0], "row_b": rows[1], "rows": COLOURS, "bag": 21, "tokens": tokens(captive_in="Caribbean"),
        "display": (("North America", 2), ("India", 1), ("German States", 4)),
        "npps": tuple([NonPlayer(power=power, name=NAMES[power], alliance="A" if power in rows[0] else "B",
                                 points=11 + 3 * n if players < 4 else None,
                                 markers=sum(one.markers for one in held if one.power == power),
                                 armies=sum(one.armies for one in held if one.power == power)) for n, power in enumerate(npps)])})


def earlier(view: View) -> sc.Board:
    """Return the same board for a reader who last saw it before local alliances were formed and a non-player power lost
    markers."""
    areas = []
    for area in with_places(view.areas, {"local_sweden": "france"}):
        more = [held.model_copy(update={"markers": held.markers + (held.power == "prussia")}) for held in area.garrisons]
        areas.append(area.model_copy(update={"garrisons": tuple(more), "captives": ()}) if area.local else area)
    npps = tuple([power.model_copy(update={"points": power.points - 2 if power.points else power.points}) for power in view.npps])
    return sc.Board(now=view, before=view.model_copy(update={"areas": tuple(areas), "npps": npps}), people=people(view))


def full() -> View:
    """Everything in every area: seven powers, neutral markers, captives, and all places for local alliances taken."""
    view = crowded()
    return view.model_copy(update={"areas": with_places(view.areas, ALL_TAKEN), "rows": COLOURS, "edition": "deluxe",
                                   "tokens": tuple([token.model_copy(update={"area": "North America"}) for token in tokens()]),
                                   "display": (("India", 12),)})


def fullest() -> sc.Board:
    """Return the same for a seat that may do everything everywhere."""
    view = full()
    deeds = ("attack", "raid", "move", "colonise", "build", "place", "ally", "other")
    return sc.Board.model_validate({"now": private(view, "seat_2", 12), "people": people(view), "ways": [
        {"area": area.area, "deeds": deeds} for area in view.areas]})


def auction_board() -> View:
    """The board while a non-player power is proposed."""
    view = deluxe(3)
    return view.model_copy(update={
        "phase": "auction", "round": 0, "order": (), "row_a": SEATING[:1], "row_b": SEATING[1:2], "active": SEATING[0],
        "auction": AuctionView(bidder=SEATING[1], gold=2, a=SEATING[2], b=SEATING[4]),
        "npps": tuple([power.model_copy(update={"alliance": ""}) for power in view.npps])})


# --- close-ups ------------------------------------------------------------------------------------------------

NPPS = SEATING[3:]
POWERS = tuple([sc.Power(power=power, name=NAMES[power], npp=power in NPPS) for power in SEATING])
MARKER = sc.Battle(
    attacker=fighter("france", helper("spain", 1), helper("russia", 1)),
    defender=sc.Side(kind="npp", power="prussia", name="Prussia", strength=3, helpers=()), sender="", surprise=False,
    war_office=False, declined="", support="France", over=True, losses=(), fights=(
        sc.Fight(stage="land", winner="attacker", rolls=(
            sc.Roll(attacker=strength(6, 3, alliances=1, support=1), defender=strength(4, 2, units=3), again=""),)),),
    exchanges=(taken("france", "prussia"),))
HUNT = sc.Battle(
    attacker=fighter("britain", helper("united_provinces", 0, 1)),
    defender=sc.Side(kind="pirates", power="", name="Pirate attack", strength=1, helpers=()), sender="", surprise=False,
    war_office=False, declined="", support="", over=True, losses=(), fights=(
        sc.Fight(stage="sea", winner="attacker", rolls=(
            sc.Roll(attacker=strength(5, 2, units=2, alliances=1), defender=strength(6, 3, units=1), again=""),)),),
    exchanges=(sc.Exchange(kind="freed", winner="britain", winner_name="Britain", loser="prussia", loser_name="Prussia"),))


def near(area: str, battle: sc.Battle | None = None, *, view: View | None = None, before: AreaView | None = None) -> sc.Closeup:
    shown = next(one for one in (view or deluxe()).areas if one.area == area)
    powers = POWERS if view is None else tuple([power.model_copy(update={"npp": False}) for power in POWERS])
    return closeup(area, battle, before=before).model_copy(update={"area": shown, "powers": powers})


def closeups() -> dict[str, sc.Closeup]:
    bay = near("baltic")
    garrisons = tuple([held for held in bay.area.garrisons if held.power != "austria"])
    before = bay.area.model_copy(update={"garrisons": garrisons, "local": tuple([
        one.model_copy(update={"holder": "spain" * (one.place == "local_sweden")}) for one in bay.area.local])})
    isles = near("caribbean")
    captives = (Captive(power="prussia", held_by="pirates"), Captive(power="britain", held_by="slave_revolt",
                                                                     captor="the Colonial revolt"))
    held = isles.area.model_copy(update={"captives": captives})
    return {"local": bay.model_copy(update={"before": before}), "tokens": isles.model_copy(update={"area": held}),
            "marker": near("baltic", MARKER), "hunt": near("caribbean", HUNT), "full": near("german_states", view=full()),
            "everything": near("mediterranean", MARKER, view=full())}


# --- sheets -----------------------------------------------------------------------------------------------------

def tiles(players: int = 3) -> sc.Stock:
    """The stock with its classes, local alliances and the open display."""
    classes = {record["id"]: record["kind"] for record in _data()["tiles"]}
    scene = stock(players)
    items = [item.model_copy(update={"kind": classes[item.tile]}) for item in scene.items if item.tile in classes]
    order = list(dict.fromkeys(classes.values()))
    names = {area.area: area.name for area in sample(2).areas}
    local = [sc.LocalPlace(areas=tuple([names[area] for area in record["areas"]]), here=place(record, HOLDERS))
             for record in _data()["local_alliances"]]
    return scene.model_copy(update={
        "items": tuple(sorted(items, key=lambda item: order.index(item.kind))), "local": tuple(local),
        "tokens": tokens(captive_in="Caribbean"), "display": tuple([(name, n + 1) for n, name in enumerate(names.values())])})


def proposed() -> sc.Auction:
    """The last auction of a war with three players, about a non-player power."""
    scene = auction_sheet(3, bids=4)
    bids = tuple([bid.model_copy(update={"a": NPPS[n % 2], "b": NPPS[1 - n % 2]}) for n, bid in enumerate(scene.bids)])
    standing = AuctionView(bidder=bids[-1].bidder, gold=bids[-1].gold, a=bids[-1].a, b=bids[-1].b)
    bidders = (scene.bidders[0].model_copy(update={"gold": None}), *scene.bidders[1:])
    return scene.model_copy(update={"rows": COLOURS, "npps": POWERS[3:], "row_a": (SEATING[0], SEATING[2]),
                                    "row_b": (SEATING[1], NPPS[2]), "bids": bids, "standing": standing, "bidders": bidders})


def outlook() -> sc.Forecast:
    """The forecast of a game with three players, in which the other powers take their ranks."""
    scene = forecast(3)
    areas = [area.model_copy(update={"gains": (*area.gains, *[sc.Gain(power=power, markers=1, points=n % 2 * area.values[-1])
                                                              for n, power in enumerate(NPPS)])}) for area in scene.areas]
    totals = [sc.Total(power=power, name=NAMES[power], now=6 - n, gain=n, then=6, npp=True) for n, power in enumerate(NPPS)]
    return scene.model_copy(update={"areas": tuple(areas), "totals": (*scene.totals, *totals)})


def finished() -> sc.Reveal:
    scene = reveal(2, fallen=0)
    npps = tuple([(NAMES[power], 20 + n) for n, power in enumerate(SEATING[2:])])
    return scene.model_copy(update={"penalties": (7,), "npps": npps})


def sheets() -> dict[str, sc.Stock | sc.Auction | sc.Forecast | sc.Reveal]:
    return {"stock": tiles(), "stock-7": tiles(7), "auction": proposed(), "forecast": outlook(), "reveal": finished()}
