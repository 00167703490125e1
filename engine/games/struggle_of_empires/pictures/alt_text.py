"""Each picture in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.games.struggle_of_empires.events.words import costs, gold, population, unrest
from engine.games.struggle_of_empires.pictures import scenes as sc, text_board as tb
from engine.games.struggle_of_empires.view import AreaView, Garrison, PowerView, View
from engine.text import Fact, Text, count, sentences, template, text, verbatim
from engine.text.aloud import fit, numbered, row, whole

DEEDS: Mapping[sc.Deed, str] = {
    "attack": template("You can attack in {areas:the}."), "raid": template("You can use a covert token in {areas:the}."),
    "move": template("You can move to {areas:the}."), "colonise": template("You can colonise or {commerce} in {areas:the}."),
    "build": template("You can build in {areas:the}."), "place": template("You can place a unit in {areas:the}."),
    "ally": template("You can place a local alliance marker in {areas:the}."),
    "other": template("You can use or buy a tile in {areas:the}.")}
CLASSES = {"free_action": text("free action"), "military_tactics": text("military tactics"), "immediate": text("immediate")}
MORE, FEWER = template("{what} more"), template("{what} fewer")


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    return whole(_board(scene))


def describe(scene: Any, most: int) -> str:
    """A scene or view in at most `most` characters: whole sentences, the most important first."""
    if isinstance(scene, View):
        return _within(list(tb.news(scene)), scene, most)
    if isinstance(scene, sc.Board):
        return _board_within(scene, most)
    return fit(_stock_in_short(scene) if isinstance(scene, sc.Stock) else SENTENCES[type(scene)](scene), most)


def _board(scene: Any) -> Iterator[Text]:
    match scene:
        case View():
            yield from tb.table(scene)
        case sc.Board():
            yield from (*tb.table(scene.now), text(""), *_new(scene, changes), *_ways(scene), *_own_tiles(scene),
                        *_players(scene.people, tb.names_of(scene.now)))
        case _:
            yield from SENTENCES[type(scene)](scene)


def _players(people: sc.People, names: tb.Names) -> Iterator[Text]:
    if people:
        yield text("Players: {players}.", players=row(
            text("{power}: {player}", power=names[power], player=verbatim(called)) for power, called in people))


# --- the board ------------------------------------------------------------------------------------------------

def _within(told: list[Text], view: View, most: int) -> str:
    """Sentences about a board, and control markers as exactly as there is room for; a beginning if there is not even for them."""
    for areas in tb.presence(view):
        said = sentences([*told, *areas])
        if len(said) <= most:
            return said
    return f"{said[:most - 1]}…"


def _board_within(scene: sc.Board, most: int) -> str:
    """The board's news, what is new to the reader, what it may do; and control markers as exactly as there is room for. What is
    new in the powers' table gives way to the markers."""
    players = list(_players(scene.people, tb.names_of(scene.now)))
    *with_markers, _ = tb.presence(scene.now)
    for told_changes in (changes, map_changes):
        told = [*tb.news(scene.now), *_unrest(scene.now), *_new(scene, told_changes), *_ways(scene)]
        for areas in with_markers or [()]:
            if len(sentences([*told, *areas])) <= most:
                return fit([*told, *areas, *players], most)
    return fit(told, most)


def _unrest(view: View) -> Iterator[Text]:
    if view.own_unrest is not None:
        yield text("Your unrest, which only you see: {unrest}.", unrest=view.own_unrest)


def _new(scene: sc.Board, told: Callable[[View, View], list[Text]]) -> Iterator[Text]:
    """Yield what changed since the reader last looked; the first sentence says that it is about that."""
    if scene.before is not None and (found := told(scene.before, scene.now)):
        yield text("What changed: {change}" if scene.now.seat is None else "New since you looked: {change}", change=found[0])
        yield from found[1:]


def _own_tiles(scene: sc.Board) -> Iterator[Text]:
    yield from (text("{tile}: {effect}.", tile=tile.name, effect=tile.effect) for tile in scene.tiles if tile.effect)


def _ways(scene: sc.Board) -> Iterator[Text]:
    areas = {area.area: area.name for area in scene.now.areas}
    for deed, words in DEEDS.items():
        if there := [numbered(areas[way.area], way.number) for way in scene.ways if deed in way.deeds]:
            yield text(words, areas=tuple(there), commerce=scene.now.commerce)


def changes(before: View, now: View) -> list[Text]:
    """Return what differs on the map and in the powers' table: a sentence for each area, then one for each power."""
    told = map_changes(before, now)
    known = {power.power: power for power in before.powers}
    for power in now.powers:
        old_power = known.get(power.power)
        here = _power_changes(old_power, power) if old_power is not None else [text("new in the game")]
        if here:
            told.append(text("{power}: {changes}.", power=power.name, changes=tuple(here)))
    points = {power.power: power.points or 0 for power in before.npps}
    for npp in now.npps:
        if gain := (npp.points or 0) - points.get(npp.power, 0):
            told.append(text("{power}: {gain} for information.", power=npp.name, gain=_more(gain, tb.points)))
    return told


def map_changes(before: View, now: View) -> list[Text]:
    """Return what differs on the map: a sentence for each area."""
    names = tb.names_of(now)
    found = [(new.name, area_changes(old, new, names)) for old, new in zip(before.areas, now.areas)]
    return [text("{area}: {changes}.", area=name, changes=here) for name, here in found if here]


def area_changes(before: AreaView, now: AreaView, names: tb.Names) -> tuple[Text, ...]:
    nothing = {"markers": 0, "armies": 0, "navies": 0, "forts": 0}
    old = {held.power: held for held in before.garrisons}
    new = {held.power: held for held in now.garrisons}
    told: list[Text] = []
    for power, name in names.items():
        none = Garrison(power=power, **nothing)
        a, b = old.get(power, none), new.get(power, none)
        differences = ((b.markers - a.markers, tb.markers), (b.armies - a.armies, tb.armies), (b.navies - a.navies, tb.navies),
                       (b.forts - a.forts, _forts))
        told += [text("{power} {change}", power=name, change=_more(number, kind)) for number, kind in differences if number]
    if neutrals := sum(neutral.number for neutral in now.neutrals) - sum(neutral.number for neutral in before.neutrals):
        told.append(_more(neutrals, _neutral_markers))
    told += [text("a marker of {power:the} captured by {captor}", power=names[captive.power], captor=tb.captor(captive))
             for captive in now.captives if captive not in before.captives]
    told += [text("the captive of {captor} gone", captor=tb.captor(captive)) for captive in before.captives
             if captive not in now.captives]
    told += [text("a Blockade of {power:the} laid", power=names[power]) for power in now.blockades
             if power not in before.blockades]
    told += [text("the Blockade of {power:the} lifted", power=names[power]) for power in before.blockades
             if power not in now.blockades]
    for old_place, place in zip(before.local, now.local):
        if place.holder != old_place.holder:
            told.append(text("{place:the} taken by {power:the}" if place.holder else "{place:the} free again",
                             place=f"{place.name} alliance", power=names.get(place.holder, "")))
    return tuple(told)


def _power_changes(before: PowerView, now: PowerView) -> list[Text]:
    coins = now.gold - before.gold if now.gold is not None and before.gold is not None else 0
    told = [_more(number, what) for number, what in (
        (now.points - before.points, tb.points), (coins, gold), (now.population - before.population, population),
        (now.home_armies - before.home_armies, _armies_at_home), (now.home_navies - before.home_navies, _navies_at_home),
        (now.home_forts - before.home_forts, _forts_at_home)) if number]
    had, has = ({tile.tile: tile for tile in power.tiles} for power in (before, now))
    told += [text("{tile:the} gained", tile=tile.name) for tile in now.tiles
             if tile.tile not in had or had[tile.tile].number < tile.number]
    told += [text("{tile:the} given up", tile=tile.name) for tile in before.tiles
             if tile.tile not in has or has[tile.tile].number < tile.number]
    told += [text("{tile:the} used", tile=tile.name) for tile in now.tiles
             if tile.tile in had and had[tile.tile].used < tile.used]
    return told


def _forts(n: int) -> Text:
    return count(n, "{n} fort", "{n} forts")


def _neutral_markers(n: int) -> Text:
    return count(n, "{n} neutral marker", "{n} neutral markers")


def _armies_at_home(n: int) -> Text:
    return count(n, "{n} army at home", "{n} armies at home")


def _navies_at_home(n: int) -> Text:
    return count(n, "{n} navy at home", "{n} navies at home")


def _forts_at_home(n: int) -> Text:
    return count(n, "{n} fort at home", "{n} forts at home")


def _more(number: int, counted: Callable[[int], Text]) -> Text:
    """ "2 armies more", "1 army fewer"."""
    return text(MORE if number > 0 else FEWER, what=counted(abs(number)))


# --- close-up of an area ------------------------------------------------------------------------------------------

def _closeup(scene: sc.Closeup) -> Iterator[Text]:
    names = {power.power: power.name for power in scene.powers}
    yield text("{title}, close-up of {area:the}.", title=scene.title, area=scene.area.name)
    yield tb.moment(scene.moment)
    if scene.battle is not None:
        yield from _battle(scene.battle)
    if scene.more:
        yield count(scene.more, "There was {n} other attack here.", "There were {n} other attacks here.")
    if scene.before is not None and (found := area_changes(scene.before, scene.area, names)):
        yield text("What changed: {changes}.", changes=found)
    for line in tb.area_lines(scene.area, names):
        yield text("{line}.", line=line)
    here = {held.power for held in scene.area.garrisons}
    yield from tb.non_players(power.name for power in scene.powers if power.npp and power.power in here)
    yield from _players(scene.people, names)


def _battle(battle: sc.Battle) -> Iterator[Text]:
    attacker, defender = _fighter(battle.attacker), _fighter(battle.defender)
    if battle.sender:
        yield text("{sender:The} sends {attacker:the} against {defender:the}.", sender=battle.sender, attacker=attacker,
                   defender=defender)
    else:
        tiles = [name for used, name in ((battle.surprise, "Surprise Attack"), (battle.war_office, "War Office")) if used]
        yield text("{attacker:The} attacks {defender:the} with {tiles:the}." if tiles else
                   "{attacker:The} attacks {defender:the}.", attacker=attacker, defender=defender, tiles=tuple(tiles))
    yield from map(_exchange, battle.exchanges)
    for side in (battle.attacker, battle.defender):
        for helper in side.helpers:
            yield text("{helper:The} helps {side:the} with {units}.", helper=helper.name, side=side.name,
                       units=tuple(tb.units(helper.armies, helper.navies, 0)))
    if battle.declined:
        yield text("{side:The} declines to fight at sea.", side=battle.declined)
    for fight in battle.fights:
        yield from _fight(battle, fight)
    if battle.support:
        yield text("{side:The} has naval support.", side=battle.support)
    yield from map(_loss, battle.losses)
    if not battle.over:
        yield text("The fight is not over yet.")


def _fighter(side: sc.Side) -> Fact:
    if side.kind == "neutral":
        return text("a neutral marker of strength {strength}", strength=side.strength)
    if side.kind == "npp":
        return text("a control marker of {power:the}, strength {strength}", power=side.name, strength=side.strength)
    return _the(side.kind, side.name)


def _the(kind: str, name: str) -> str:
    return name if kind not in tb.CAPTORS else tb.CAPTORS[kind] if kind == "pirates" else f"the {name}"


def _exchange(exchange: sc.Exchange) -> Text:
    facts: Mapping[str, Fact] = {"winner": exchange.winner_name, "loser": exchange.loser_name}
    match exchange.kind:
        case "taken":
            return text("{winner:The} takes a control marker of {loser:the}.", **facts)
        case "neutral":
            bonus = tb.worth(exchange.gold, exchange.points)
            return text("{winner:The} puts a control marker in its place and gains {bonus}." if bonus else
                        "{winner:The} puts a control marker in its place.", **facts, bonus=bonus)
        case "captured":
            return text("A control marker of {loser:the} is a captive of {captor}.", **facts,
                        captor=_the(exchange.winner, exchange.winner_name))
    if exchange.winner == exchange.loser:
        return text("{winner:The} frees its control marker.", **facts)
    return text("A control marker of {winner:the} takes the place of the captive of {loser:the}.", **facts)


def _fight(battle: sc.Battle, fight: sc.Fight) -> Iterator[Text]:
    where = text("At sea") if fight.stage == "sea" else text("On land")
    sides = {side.power: side.name for side in (battle.attacker, battle.defender)}
    mine, theirs = (tb.navies, tb.navies) if fight.stage == "sea" else (tb.armies, None)
    for throw in fight.rolls:
        yield text("{where}: {attacker}; {defender}.", where=where, attacker=_threw(battle.attacker, throw.attacker, mine),
                   defender=_threw(battle.defender, throw.defender, theirs))
        if throw.again:
            yield text("{power:The} has all dice rolled again with Reserves.", power=sides[throw.again])
    if fight.winner:
        winner = {"attacker": battle.attacker, "defender": battle.defender}.get(fight.winner)
        yield text("{where}: {won}.", where=where, won=_won(winner) if winner else text("a tie"))


def _threw(side: sc.Side, strength: sc.Strength, units: Callable[[int], Text] | None) -> Text:
    """ "France: 1 army + dice 5−1 = 5", as the log says it; `units` counts what the side fights with; none: armies and forts."""
    if side.kind != "power":                        # its strength is printed on it
        first = text("strength {n}", n=strength.units)
    else:
        first = units(strength.units) if units is not None else text("defence {n}", n=strength.units)
    parts = [told for number, told in (
        (strength.units, first), (strength.training, text("training {n}", n=strength.training)),
        (strength.alliances, text("alliance {n}", n=strength.alliances)),
        (strength.support, text("naval support {n}", n=strength.support))) if number]
    parts.append(text("dice {most}−{least}", most=max(strength.dice), least=min(strength.dice)))
    return text("{side}: {parts} = {total}", side=_the(side.kind, side.name), parts=row(parts, " + "), total=strength.total)


def _won(side: sc.Side) -> Text:
    if side.kind in tb.CAPTORS:
        return text("victory for {side}", side=_the(side.kind, side.name))
    return text("{side:the} wins", side=side.name)


def _loss(loss: sc.Loss) -> Text:
    match loss.fate:
        case "lost":
            told = template("{power:The} loses {unit:a}.")
        case "home":
            told = template("{power:The} withdraws {unit:a} to its home.")
        case _:
            told = template("{power:The} keeps {unit:a} by Fighting Withdrawal.")
    return text(told, power=loss.name, unit=loss.unit)


# --- victory points --------------------------------------------------------------------------------------------------

def _progress(scene: sc.Progress) -> Iterator[Text]:
    yield text("{title}, victory points over time.", title=scene.title)
    yield text("{stop:Begin}: {powers}.", stop=_stop(scene.stops[-1]),
               powers=tb.numbers((line.name, line.points[-1]) for line in scene.lines))
    ends = [index for index, stop in enumerate(scene.stops) if not stop.round]
    for line in scene.lines:
        yield text("{power}: {points}.", power=line.name, points=row(
            text("{n} {stop}", n=line.points[index], stop=_stop(scene.stops[index])) for index in ends))
    yield from _players(scene.people, {line.power: line.name for line in scene.lines})


def _stop(stop: sc.Stop) -> Text:
    if stop.last:
        return text("at the end of the game")
    if not stop.war:
        return text("at the start")
    return text("after round {round} of war {war}" if stop.round else "after war {war}", round=stop.round, war=stop.war)


def _forecast(scene: sc.Forecast) -> Iterator[Text]:
    names = {total.power: total.name for total in scene.totals}
    yield text("{title}: victory points if the war ended now.", title=scene.title)
    yield tb.moment(scene.moment)
    yield text("{powers}.", powers=row([_total(total) for total in scene.totals if not total.npp], "; "))
    if npps := [_total(total) for total in scene.totals if total.npp]:
        yield text("Non-player powers, for information: {powers}.", powers=row(npps, "; "))
    for area in scene.areas:
        if gains := [(names[gain.power], gain.points) for gain in area.gains if gain.points]:
            yield text("{area}: {powers}.", area=area.name, powers=tb.numbers(gains))
    yield from _players(scene.people, names)


def _total(total: sc.Total) -> Text:
    return text("{power} {now} + {gain} = {then}", power=total.name, now=total.now, gain=total.gain, then=total.then)


def _reveal(scene: sc.Reveal) -> Iterator[Text]:
    winners = [row.name for row in scene.rows if row.winner]
    yield text("{title}, final reckoning.", title=scene.title)
    if not winners:
        yield text("Every power has collapsed: nobody wins.")
    else:
        yield text("{powers:The} wins." if len(winners) == 1 else "{powers:The} share the victory.", powers=tuple(winners))
    yield from map(_reckoned, scene.rows)
    yield text("Most unrest costs {penalties} points, in this order; with {collapse} unrest a power collapses."
               if len(scene.penalties) > 1 else
               "Most unrest costs {penalties} points; with {collapse} unrest a power collapses.",
               penalties=scene.penalties, collapse=scene.collapse)
    if scene.npps:
        yield text("Non-player powers, for information: {powers}.", powers=tb.numbers(scene.npps))
    yield from _players(scene.people, {row.power: row.name for row in scene.rows})


def _reckoned(row: sc.Reckoned) -> Text:
    facts: Mapping[str, Fact] = {"place": row.place, "power": row.name, "before": tb.points(row.before),
                                 "unrest": unrest(row.unrest or 0), "points": tb.points(row.points)}
    if row.collapsed:
        return text("{place}. {power}: {before}, {unrest}, collapses: {points}.", **facts)
    if row.penalty:
        return text("{place}. {power}: {before}, {unrest}, loses {penalty}: {points}.", **facts,
                    penalty=tb.points(row.penalty))
    return text("{place}. {power}: {before}, {unrest}: {points}.", **facts)


def _reckoning(scene: sc.Reckoning) -> Iterator[Text]:
    yield from _reveal(scene.frames[-1])


# --- auction, stock, recap --------------------------------------------------------------------------------------------

def _auction(scene: sc.Auction) -> Iterator[Text]:
    names = {bidder.power: bidder.name for bidder in scene.bidders} | {power.power: power.name for power in scene.npps}
    yield text("{title}, war {war}, auction {n} of alliances.", title=scene.title, war=scene.war, n=scene.number)
    yield tb.bid(scene.standing, names, scene.rows)
    for title, there in zip(scene.rows, (scene.row_a, scene.row_b)):
        yield text("{row}: {powers}.", row=title.heading,
                   powers=row(names[power] for power in there) if there else text("nobody yet"))
    for state, words in (("to bid", template("To be heard: {powers}.")), ("passed", template("Passed: {powers}."))):
        if bidders := [bidder.name for bidder in scene.bidders if bidder.state == state]:
            yield text(words, powers=row(bidders))
    if known := [(bidder.name, bidder.gold) for bidder in scene.bidders if bidder.gold is not None]:
        yield text("Gold: {powers}.", powers=tb.numbers(known))
    if len(scene.bids) > 1:
        yield text("Bids so far: {bids}.", bids=tb.numbers((made.name, made.gold) for made in scene.bids))
    yield from tb.non_players(power.name for power in scene.npps)
    yield from _players(scene.people, names)


def _stock_head(scene: sc.Stock) -> Iterator[Text]:
    yield text("{title}, stock of tiles.", title=scene.title)
    yield tb.moment(scene.moment)


def _stock(scene: sc.Stock) -> Iterator[Text]:
    names = {power.power: power.name for power in scene.powers}
    yield from _stock_head(scene)
    for item in scene.items:
        tile: Fact = text("{tile} ({kind})", tile=item.name, kind=CLASSES[item.kind]) if item.kind in CLASSES else item.name
        yield text("{tile}: {left} of {of} left for {price}; owned by {owners}." if item.owners else
                   "{tile}: {left} of {of} left for {price}.", tile=tile, left=item.left, of=item.of,
                   price=costs(item.gold, item.population, item.unrest),
                   owners=tuple(_owner(owner, names) for owner in item.owners))
    for place in scene.local:
        yield text("{areas}: {alliance}.", areas=place.areas, alliance=tb.local_alliance(place.here, names))
    for token in scene.tokens:
        yield text("{token}.", token=tb.covert_token(token, names))
    if scene.display:
        yield text("{gone}.", gone=tb.gone(scene.display))


def _stock_in_short(scene: sc.Stock) -> Iterator[Text]:
    """Yield what there is still to take and who has what; the prices are left to the whole text."""
    yield from _stock_head(scene)
    left = [_several(item.name, item.left) for item in scene.items if item.left]
    yield text("Left: {tiles}.", tiles=row(left) if left else text("no tiles"))
    for power in scene.powers:
        owned = [_several(item.name, owner.number) for item in scene.items for owner in item.owners if owner.power == power.power]
        owned += [f"{place.here.name} alliance" for place in scene.local if place.here.holder == power.power]
        if owned:
            yield text("{power}: {tiles}.", power=power.name, tiles=row(owned))
    if free := [place.here.name for place in scene.local if not place.here.holder and not place.here.closed]:
        yield text("Free local alliances: {alliances}.", alliances=row(free))
    for token in scene.tokens:
        yield text("{token}.", token=tb.covert_token(token, {power.power: power.name for power in scene.powers}))


def _several(name: str, number: int) -> Fact:
    return text("{name} {n}", name=name, n=number) if number > 1 else name


def _owner(owner: sc.Owner, names: tb.Names) -> Fact:
    """ "France 2 (1 used up)"."""
    held = text("{power:the} {n}" if owner.number > 1 else "{power:the}", power=names[owner.power], n=owner.number)
    return text("{tile} ({used} used up)", tile=held, used=owner.used) if owner.used else held


def _film(scene: sc.Film) -> Iterator[Text]:
    """From the first board to the last; what changed in between, board by board."""
    yield count(len(scene.frames), "Recap in {n} board; the last one shows:", "Recap in {n} boards; the last one shows:")
    yield from tb.news(scene.frames[-1].now)
    for frame in scene.frames:
        if told := changes(frame.before, frame.now) if frame.before is not None else []:
            yield row([tb.moment(frame.now), *told], " ")


SENTENCES: dict[type, Callable[[Any], Iterator[Text]]] = {
    sc.Closeup: _closeup, sc.Progress: _progress, sc.Forecast: _forecast, sc.Reveal: _reveal, sc.Reckoning: _reckoning,
    sc.Auction: _auction,
    sc.Stock: _stock, sc.Film: _film}
"""What each kind of scene says, the most important first; the board has a text of its own."""
