"""The board of Struggle of Empires in words: everything for a terminal or a screen reader, the essence for an alt text."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.games.struggle_of_empires import view as vw
from engine.games.struggle_of_empires.events import words
from engine.games.struggle_of_empires.pictures.scenes import Moment
from engine.text import Fact, Text, count, text
from engine.text.aloud import ranked, row

CAPTORS = {"pirates": "the Pirates", "slave_revolt": "the Slave Revolt"}
Names = Mapping[str, str]


def captor(captive: vw.Captive) -> str:
    return captive.captor or CAPTORS[captive.held_by]


def armies(n: int) -> Text:
    return count(n, "{n} army", "{n} armies")


def navies(n: int) -> Text:
    return count(n, "{n} navy", "{n} navies")


def markers(n: int) -> Text:
    return count(n, "{n} marker", "{n} markers")


def points(n: int) -> Text:
    return count(n, "{n} point", "{n} points")


def units(land: int, sea: int, forts: int) -> list[Text]:
    return [told for number, told in (
        (land, armies(land)), (sea, navies(sea)), (forts, count(forts, "{n} fort", "{n} forts"))) if number]


def names_of(view: vw.View) -> Names:
    """Power to its name, in seat order, then the non-player powers."""
    return {power.power: power.name for power in view.all_powers}


def numbers(of: Iterable[tuple[str, int]]) -> Text:
    """"France 3, Spain 2"."""
    return row(text("{name} {n}", name=name, n=n) for name, n in of)


# --- the alt text ---------------------------------------------------------------------------------

def presence(view: vw.View) -> Iterator[tuple[Text, ...]]:
    """Who has control markers where: all of them, then shorter, then nothing."""
    names, there = names_of(view), [area for area in view.areas if any(held.markers for held in area.garrisons)]
    if there:
        for told in (_all_markers, _leaders):
            yield text("Control markers: {areas}.", areas=row(
                [text("{area}: {markers}", area=area.name, markers=told(area, names)) for area in there], "; ")),
    yield ()


def _all_markers(area: vw.AreaView, names: Names) -> Text:
    return numbers((names[held.power], held.markers) for held in area.garrisons if held.markers)


def _leaders(area: vw.AreaView, names: Names) -> Text:
    top = max(held.markers for held in area.garrisons)
    leaders = [names[held.power] for held in area.garrisons if held.markers == top]
    return text("{powers} {n}", n=top, powers=tuple(leaders) if len(leaders) < 3 else
                count(len(leaders), "{n} power", "{n} powers"))


def moment(view: vw.View | Moment) -> Text:
    if view.phase == "over":
        return text("The game is over.")
    if view.round:
        return text("War {war}, round {round} of {rounds}.", war=view.war, round=view.round, rounds=view.rounds)
    return text("War {war}, auction." if view.phase == "auction" else "War {war}.", war=view.war)


def news(view: vw.View) -> Iterator[Text]:
    """Sentences that hold for the whole board, the most important first."""
    names = names_of(view)
    yield text("{title}.", title=view.title)
    yield moment(view)
    if view.active and not view.over:
        yield text("It's {power:possessive} turn.", power=names[view.active])
    if view.ranking:
        yield text("Ranking: {powers}.", powers=ranked((names[power] for power in view.ranking), view.places))
    elif view.order:
        yield text("Turn order: {powers}.", powers=row(names[power] for power in view.order))
    if view.auction is not None and view.phase == "auction":
        yield bid(view.auction, names, view.rows)
    if view.powers:
        best_first = sorted(view.powers, key=lambda power: -power.points)
        yield text("Points: {powers}.", powers=numbers((power.name, power.points) for power in best_first))
    for title, there in zip(view.rows, (view.row_a, view.row_b)):
        if there:
            yield text("{row}: {powers}.", row=title.heading, powers=row(names[power] for power in there))
    yield from non_players(power.name for power in view.npps)
    if held := {place.name: names[place.holder] for area in view.areas for place in area.local if place.holder}:
        yield text("Local alliances: {alliances}.", alliances=row(
            text("{place} with {power:the}", place=place, power=holder) for place, holder in held.items()))


def non_players(names: Iterable[str]) -> Iterator[Text]:
    if powers := tuple(names):
        yield text("Non-player powers: {powers}.", powers=row(powers))


def bid(auction: vw.AuctionView, names: Names, rows: tuple[vw.RowName, vw.RowName]) -> Text:
    if not auction.bidder:
        return text("Nobody has bid yet.")
    places = [text("{power:the} in {row}", power=names[power], row=called.name)
              for power, called in zip((auction.a, auction.b), rows) if power]
    return text("{power:The} bids {gold}: {places}.", power=names[auction.bidder], gold=words.gold(auction.gold),
                places=tuple(places))


# --- the whole board ------------------------------------------------------------------------------

def table(view: vw.View) -> Iterator[Text]:
    """The whole board, a line for each thing that has a place of its own."""
    names = names_of(view)
    yield from news(view)
    yield count(view.bag, "{n} neutral marker is left in the bag.", "{n} neutral markers are left in the bag.")
    for area in view.areas:
        head, *others = area_lines(area, names)
        yield from (text(""), head, *(text("  {line}", line=line) for line in others))
    yield text("")
    yield text("Powers") if view.powers else text("Nobody has chosen a power yet.")
    for power in view.powers:
        yield from _power(view, power)
    if view.npps:
        yield from (text(""), text("Non-player powers"), *map(_non_player, view.npps))
    if view.tokens or view.display:
        yield from (text(""), *display_lines(view))
    if view.stock:
        left = [text("{tile} {left} of {of}", tile=tile.name, left=tile.left, of=tile.of) for tile in view.stock if tile.left]
        yield text("")
        yield text("Stock: {tiles}.", tiles=row(left)) if left else text("Stock: no tiles left.")


def area_lines(area: vw.AreaView, names: Names) -> Iterator[Text]:
    """Everything in an area: its places, then a line for each owner."""
    taken = (sum(held.markers for held in area.garrisons) + sum(neutral.number for neutral in area.neutrals) + len(area.captives))
    yield text("{area}: {values} points, {taken} of {places} taken, naval" if area.naval else
               "{area}: {values} points, {taken} of {places} taken", area=area.name, values=area.values, taken=taken,
               places=count(area.places, "{n} place", "{n} places"))
    for held in area.garrisons:
        there = [*([markers(held.markers)] if held.markers else []), *units(held.armies, held.navies, held.forts),
                 *([text("a Blockade")] if held.power in area.blockades else [])]
        yield text("{power}: {units}", power=names[held.power], units=row(there))
    for captive in area.captives:
        yield text("A marker of {power:the} is held by {captor}", power=names[captive.power], captor=captor(captive))
    if area.neutrals:
        yield text("Neutral: {markers}", markers=row(map(_neutral, area.neutrals)))
    for place in area.local:
        yield local_alliance(place, names)


def local_alliance(place: vw.LocalAlliance, names: Names) -> Text:
    """A place for a local alliance: where it helps, and whose marker it holds or what it costs."""
    where = (text("on land or at sea") if place.sea else text("on land")) if place.land else text("at sea")
    price = words.costs(place.gold, place.population, place.unrest)
    state = (text("held by {power:the}", power=names[place.holder]) if place.holder else
             text("closed by another alliance") if place.closed else text("free, for {price}", price=price) if price else
             text("free"))
    return text("{place}, {where}: {state}", place=f"{place.name} alliance", where=where, state=state)


def display_lines(view: vw.View) -> Iterator[Text]:
    """Yield what lies in the open display, or has left it: covert tokens, then neutral markers that are out of the game."""
    yield text("Display")
    yield from (text("  {token}", token=covert_token(token, names_of(view))) for token in view.tokens)
    if view.display:
        yield text("  {gone}", gone=gone(view.display))


def gone(display: Iterable[tuple[str, int]]) -> Text:
    """The neutral markers that are out of the game, area by area."""
    return text("Neutral markers out of the game: {areas}", areas=numbers(display))


def covert_token(token: vw.TokenView, names: Names) -> Text:
    where = text("holds a captive in {area:the}", area=token.area) if token.area else text("in the display")
    return text("{token}, strength {strength}: {where}; not again in this round for {powers:the}" if token.failed else
                "{token}, strength {strength}: {where}", token=token.name, strength=token.strength, where=where,
                powers=tuple(names[power] for power in token.failed))


def _neutral(neutral: vw.Neutral) -> Text:
    faces: Mapping[str, Fact] = {"pop": text("colonists"), "slaves": text("slaves")}
    face = neutral.called or faces.get(neutral.kind, text("defence {strength}", strength=neutral.strength))
    bonus = worth(neutral.gold, neutral.points)
    return text("{n} × {face} for {bonus}" if bonus else "{n} × {face}", n=neutral.number, face=face, bonus=bonus)


def worth(gold: int, victory: int) -> tuple[Text, ...]:
    return (*words.costs(gold), *([points(victory)] if victory else []))


def _power(view: vw.View, power: vw.PowerView) -> Iterator[Text]:
    gold = text("secret gold") if power.gold is None else words.gold(power.gold)
    yield text("  {power}: {points}, {gold}, population {population}, {markers} on the map", power=power.name,
               points=points(power.points), gold=gold, population=power.population, markers=markers(power.markers))
    home = units(power.home_armies, power.home_navies, power.home_forts)
    supply = [*units(power.supply_armies, power.supply_navies, power.supply_forts),
              *([markers(power.supply_markers)] if power.supply_markers else [])]
    yield text("    At home: {home}; in supply: {supply}", home=tuple(home) if home else text("no units"), supply=tuple(supply))
    if power.tiles:
        yield text("    Tiles: {tiles}", tiles=row(_tile(tile.name, tile.number, tile.used) for tile in power.tiles))
    if power.revealed_unrest is not None:
        yield text("    Unrest: {unrest}", unrest=power.revealed_unrest)
    elif view.seat == power.seat and view.own_unrest is not None:
        yield text("    Your unrest, which only you see: {unrest}", unrest=view.own_unrest)


def _non_player(power: vw.NonPlayer) -> Text:
    return text("  {power}: {markers} and {armies} on the map" if power.points is None else
                "  {power}: {points} for information, {markers} and {armies} on the map", power=power.name,
                points=points(power.points or 0), markers=markers(power.markers), armies=armies(power.armies))


def _tile(name: str, number: int, used: int) -> Fact:
    copies: Fact = text("{n} × {tile}", n=number, tile=name) if number > 1 else name
    if not used:
        return copies
    return text("{tile} (used up)" if used == number else "{tile} ({used} used up)", tile=copies, used=used)
