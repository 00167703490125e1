"""The board of Struggle of Empires in words: everything for a terminal or a screen reader, the essence for an alt text."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.games.struggle_of_empires import view as vw
from engine.games.struggle_of_empires.pictures.scenes import Moment
from engine.text.english import counted, listed, ranked

CAPTORS = {"pirates": "the Pirates", "slave_revolt": "the Slave Revolt"}


def captor(captive: vw.Captive) -> str:
    return captive.captor or CAPTORS[captive.held_by]


def units(armies: int, navies: int, forts: int) -> list[str]:
    return [counted(number, one, many) for number, one, many in
            ((armies, "army", "armies"), (navies, "navy", "navies"), (forts, "fort", "forts")) if number]


def names_of(view: vw.View) -> dict[str, str]:
    """Power to its name, in seat order, then the non-player powers."""
    return {power.power: power.name for power in view.all_powers}


# --- the alt text ---------------------------------------------------------------------------------

def describe(view: vw.View, most: int) -> str:
    """The board in at most `most` characters: the moment, points, alliances, and as much of the areas as there is room for."""
    head = " ".join(news(view))
    for areas in markers(view):
        whole = f"{head} {areas}".rstrip()
        if len(whole) <= most:
            return whole
    return head if len(head) <= most else f"{head[:most - 1]}…"


def markers(view: vw.View) -> Iterator[str]:
    """Who has control markers where: all of them, then shorter; "" if there are none."""
    names = names_of(view)
    for told in (_all_markers, _leaders):
        areas = "; ".join(f"{area.name}: {told(area, names)}" for area in view.areas if any(g.markers for g in area.garrisons))
        yield f"Control markers: {areas}." if areas else ""


def _all_markers(area: vw.AreaView, names: dict[str, str]) -> str:
    return ", ".join(f"{names[held.power]} {held.markers}" for held in area.garrisons if held.markers)


def _leaders(area: vw.AreaView, names: dict[str, str]) -> str:
    top = max(held.markers for held in area.garrisons)
    leaders = [names[held.power] for held in area.garrisons if held.markers == top]
    return f"{listed(leaders) if len(leaders) < 3 else f'{len(leaders)} powers'} {top}"


def moment(view: vw.View | Moment) -> str:
    if view.phase == "over":
        return "The game is over."
    if view.round:
        return f"War {view.war}, round {view.round} of {view.rounds}."
    return f"War {view.war}, auction." if view.phase == "auction" else f"War {view.war}."


def news(view: vw.View) -> Iterator[str]:
    """Sentences that hold for the whole board, the most important first."""
    names = names_of(view)
    yield f"{view.title}."
    yield moment(view)
    if view.active and not view.over:
        active = names[view.active]
        yield f"It's {active}'{'' if active.endswith('s') else 's'} turn."
    if view.ranking:
        yield f"Ranking: {ranked((names[power] for power in view.ranking), view.places)}."
    elif view.order:
        yield f"Turn order: {', '.join(names[power] for power in view.order)}."
    if view.auction is not None and view.phase == "auction":
        yield bid(view.auction, names, view.rows)
    if view.powers:
        best_first = sorted(view.powers, key=lambda power: -power.points)
        yield f"Points: {', '.join(f'{power.name} {power.points}' for power in best_first)}."
    for title, row in zip(view.rows, (view.row_a, view.row_b)):
        if row:
            yield f"{title.heading}: {', '.join(names[power] for power in row)}."
    yield from non_players(power.name for power in view.npps)
    held = {place.name: names[place.holder] for area in view.areas for place in area.local if place.holder}
    if held:
        yield f"Local alliances: {', '.join(f'{place} with {holder}' for place, holder in held.items())}."


def non_players(names: Iterable[str]) -> Iterator[str]:
    if listed_names := ", ".join(names):
        yield f"Non-player powers: {listed_names}."


def bid(auction: vw.AuctionView, names: dict[str, str], rows: tuple[vw.RowName, vw.RowName]) -> str:
    if not auction.bidder:
        return "Nobody has bid yet."
    places = [f"{names[power]} in {row.name}" for power, row in zip((auction.a, auction.b), rows) if power]
    return f"{names[auction.bidder]} bids {auction.gold} gold: {listed(places)}."


# --- the whole board ------------------------------------------------------------------------------

def text_board(view: vw.View) -> str:
    """The whole board, a line for each thing that has a place of its own."""
    names = names_of(view)
    lines = [*news(view), f"{counted(view.bag, 'neutral marker is', 'neutral markers are')} left in the bag."]
    for area in view.areas:
        lines += ["", *area_lines(area, names)]
    lines += ["", "Powers" if view.powers else "Nobody has chosen a power yet."]
    for power in view.powers:
        lines += _power(view, power)
    if view.npps:
        lines += ["", "Non-player powers", *map(_non_player, view.npps)]
    if view.tokens or view.display:
        lines += ["", *display_lines(view)]
    if view.stock:
        stock = ", ".join(f"{tile.name} {tile.left} of {tile.of}" for tile in view.stock if tile.left)
        lines += ["", f"Stock: {stock or 'no tiles left'}."]
    return "\n".join(lines)


def area_lines(area: vw.AreaView, names: dict[str, str]) -> Iterator[str]:
    """Everything in an area: its places, then a line for each owner."""
    taken = (sum(held.markers for held in area.garrisons) + sum(neutral.number for neutral in area.neutrals) + len(area.captives))
    values = listed(map(str, area.values))
    yield f"{area.name}: {values} points, {taken} of {counted(area.places, 'place', 'places')} taken{', naval' * area.naval}"
    for held in area.garrisons:
        markers = [counted(held.markers, "marker", "markers")] if held.markers else []
        blockade = ["a Blockade"] if held.power in area.blockades else []
        yield f"  {names[held.power]}: {', '.join([*markers, *units(held.armies, held.navies, held.forts), *blockade])}"
    for captive in area.captives:
        yield f"  A marker of {names[captive.power]} is held by {captor(captive)}"
    if area.neutrals:
        yield f"  Neutral: {', '.join(map(_neutral, area.neutrals))}"
    for place in area.local:
        yield f"  {local_alliance(place, names)}"


def local_alliance(place: vw.LocalAlliance, names: dict[str, str]) -> str:
    """A place for a local alliance: where it helps, and whose marker it holds or what it costs."""
    where = " or ".join(words for helps, words in ((place.land, "on land"), (place.sea, "at sea")) if helps)
    price = costs(place.gold, place.population, place.unrest)
    state = (f"held by {names[place.holder]}" if place.holder else "closed by another alliance" if place.closed
             else f"free{', for ' * bool(price)}{listed(price)}")
    return f"{place.name} alliance, {where}: {state}"


def costs(gold: int, population: int, unrest: int) -> list[str]:
    return [f"{number} {what}" for number, what in ((gold, "gold"), (population, "population"), (unrest, "unrest")) if number]


def display_lines(view: vw.View) -> Iterator[str]:
    """Yield what lies in the open display, or has left it: covert tokens, then neutral markers that are out of the game."""
    yield "Display"
    yield from (f"  {covert_token(token, names_of(view))}" for token in view.tokens)
    if view.display:
        yield f"  {gone(view.display)}"


def gone(display: Iterable[tuple[str, int]]) -> str:
    """The neutral markers that are out of the game, area by area."""
    return f"Neutral markers out of the game: {', '.join(f'{area} {number}' for area, number in display)}"


def covert_token(token: vw.TokenView, names: dict[str, str]) -> str:
    where = f"holds a captive in {token.area}" if token.area else "in the display"
    failed = f"; not again in this round for {listed(names[power] for power in token.failed)}" if token.failed else ""
    return f"{token.name}, strength {token.strength}: {where}{failed}"


def _neutral(neutral: vw.Neutral) -> str:
    face = neutral.called or {"pop": "colonists", "slaves": "slaves"}.get(neutral.kind, f"defence {neutral.strength}")
    bonus = [words for number, words in ((neutral.gold, f"{neutral.gold} gold"),
                                         (neutral.points, counted(neutral.points, "point", "points"))) if number]
    return f"{neutral.number} × {face}{' for ' * bool(bonus)}{listed(bonus)}"


def _power(view: vw.View, power: vw.PowerView) -> Iterator[str]:
    gold = "secret gold" if power.gold is None else f"{power.gold} gold"
    yield (f"  {power.name}: {counted(power.points, 'point', 'points')}, {gold}, population {power.population}, "
           f"{counted(power.markers, 'marker', 'markers')} on the map")
    home = units(power.home_armies, power.home_navies, power.home_forts)
    supply = [*units(power.supply_armies, power.supply_navies, power.supply_forts),
              *([counted(power.supply_markers, "marker", "markers")] if power.supply_markers else [])]
    yield f"    At home: {listed(home) or 'no units'}; in supply: {listed(supply) or 'nothing'}"
    if power.tiles:
        yield f"    Tiles: {', '.join(_tile(tile.name, tile.number, tile.used) for tile in power.tiles)}"
    if power.revealed_unrest is not None:
        yield f"    Unrest: {power.revealed_unrest}"
    elif view.seat == power.seat and view.own_unrest is not None:
        yield f"    Your unrest, which only you see: {view.own_unrest}"


def _non_player(power: vw.NonPlayer) -> str:
    points = "" if power.points is None else f"{counted(power.points, 'point', 'points')} for information, "
    return (f"  {power.name}: {points}{counted(power.markers, 'marker', 'markers')} and "
            f"{counted(power.armies, 'army', 'armies')} on the map")


def _tile(name: str, number: int, used: int) -> str:
    copies = f"{number} × {name}" if number > 1 else name
    return copies if not used else f"{copies} (used up)" if used == number else f"{copies} ({used} used up)"
