"""Each picture in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.games.struggle_of_empires.pictures import scenes as sc, text_board as tb
from engine.games.struggle_of_empires.view import AreaView, Garrison, PowerView, View
from engine.text.articles import within
from engine.text.english import counted, fit, listed, numbered

UNITS = {"army": ("army", "armies"), "navy": ("navy", "navies"), "fort": ("fort", "forts"), "marker": ("marker", "markers")}
PARTS = (("training", "training"), ("alliances", "alliance"), ("support", "naval support"))
DEEDS = {"attack": "attack in", "raid": "use a covert token in", "move": "move to", "colonise": "colonise in",
         "build": "build in", "place": "place a unit in", "ally": "place a local alliance marker in",
         "other": "use or buy a tile in"}


CLASSES = {"free_action": "free action", "military_tactics": "military tactics", "immediate": "immediate"}


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    return within(_board(scene))


def describe(scene: Any, most: int) -> str:
    """A scene or view in at most `most` characters: whole sentences, the most important first."""
    return within(_described(scene, most), most)


def _board(scene: Any) -> str:
    if isinstance(scene, View):
        return tb.text_board(scene)
    if isinstance(scene, sc.Board):
        more = [*_new(scene, changes), *_ways(scene), *_own_tiles(scene),
                *_players(scene.people, tb.names_of(scene.now))]
        return "\n".join([tb.text_board(scene.now), "", *more]).rstrip()
    return "\n".join(SENTENCES[type(scene)](scene))


def _described(scene: Any, most: int) -> str:
    if isinstance(scene, View):
        return tb.describe(scene, most)
    if isinstance(scene, sc.Board):
        return _board_within(scene, most)
    if isinstance(scene, sc.Stock):
        return fit(_stock_in_short(scene), most)
    return fit(SENTENCES[type(scene)](scene), most)


def _players(people: sc.People, names: dict[str, str]) -> Iterator[str]:
    if people:
        yield f"Players: {', '.join(f'{names[power]}: {called}' for power, called in people)}."


# --- the board ------------------------------------------------------------------------------------------------

def _board_within(scene: sc.Board, most: int) -> str:
    """The board's news, what is new to the reader, what it may do; and control markers as exactly as there is room for. What is
    new in the powers' table gives way to the markers."""
    players = list(_players(scene.people, tb.names_of(scene.now)))
    for told_changes in (changes, map_changes):
        told = [*tb.news(scene.now), *_unrest(scene.now), *_new(scene, told_changes), *_ways(scene)]
        for areas in tb.markers(scene.now):
            if len(" ".join([*told, areas])) <= most:
                return fit([*told, areas, *players], most)
    return fit(told, most)


def _unrest(view: View) -> Iterator[str]:
    if view.own_unrest is not None:
        yield f"Your unrest, which only you see: {view.own_unrest}."


def _new(scene: sc.Board, told: Callable[[View, View], list[str]]) -> Iterator[str]:
    """Yield what changed since the reader last looked; the first sentence says that it is about that."""
    if scene.before is not None and (found := told(scene.before, scene.now)):
        yield f"{'What changed' if scene.now.seat is None else 'New since you looked'}: {found[0]}"
        yield from found[1:]


def _own_tiles(scene: sc.Board) -> Iterator[str]:
    yield from (f"{tile.name}: {tile.effect}." for tile in scene.tiles if tile.effect)


def _ways(scene: sc.Board) -> Iterator[str]:
    areas = {area.area: area.name for area in scene.now.areas}
    for deed, words in (DEEDS | {"colonise": f"colonise or {scene.now.commerce} in"}).items():
        if there := [numbered(areas[way.area], way.number) for way in scene.ways if deed in way.deeds]:
            yield f"You can {words} {listed(there)}."


def changes(before: View, now: View) -> list[str]:
    """Return what differs on the map and in the powers' table: a sentence for each area, then one for each power."""
    told = map_changes(before, now)
    known = {power.power: power for power in before.powers}
    for power in now.powers:
        old_power = known.get(power.power)
        here = _power_changes(old_power, power) if old_power is not None else ["new in the game"]
        if here:
            told.append(f"{power.name}: {listed(here)}.")
    points = {power.power: power.points or 0 for power in before.npps}
    for npp in now.npps:
        if gain := (npp.points or 0) - points.get(npp.power, 0):
            told.append(f"{npp.name}: {_more(gain, 'point', 'points')} for information.")
    return told


def map_changes(before: View, now: View) -> list[str]:
    """Return what differs on the map: a sentence for each area."""
    names = tb.names_of(now)
    found = [(new.name, area_changes(old, new, names)) for old, new in zip(before.areas, now.areas)]
    return [f"{name}: {listed(here)}." for name, here in found if here]


def area_changes(before: AreaView, now: AreaView, names: dict[str, str]) -> list[str]:
    nothing = {"markers": 0, "armies": 0, "navies": 0, "forts": 0}
    old = {held.power: held for held in before.garrisons}
    new = {held.power: held for held in now.garrisons}
    told = []
    for power, name in names.items():
        none = Garrison(power=power, **nothing)
        a, b = old.get(power, none), new.get(power, none)
        differences = ((b.markers - a.markers, "marker"), (b.armies - a.armies, "army"), (b.navies - a.navies, "navy"),
                       (b.forts - a.forts, "fort"))
        told += [f"{name} {_more(number, *UNITS[kind])}" for number, kind in differences if number]
    neutrals = sum(neutral.number for neutral in now.neutrals) - sum(neutral.number for neutral in before.neutrals)
    if neutrals:
        told.append(_more(neutrals, "neutral marker", "neutral markers"))
    told += [f"a marker of {names[captive.power]} captured by {tb.captor(captive)}" for captive in now.captives
             if captive not in before.captives]
    told += [f"the captive of {tb.captor(captive)} gone" for captive in before.captives if captive not in now.captives]
    told += [f"a Blockade of {names[power]} laid" for power in now.blockades if power not in before.blockades]
    told += [f"the Blockade of {names[power]} lifted" for power in before.blockades if power not in now.blockades]
    for old_place, place in zip(before.local, now.local):
        if place.holder != old_place.holder:
            told.append(f"the {place.name} alliance {f'taken by {names[place.holder]}' if place.holder else 'free again'}")
    return told


def _power_changes(before: PowerView, now: PowerView) -> list[str]:
    gold = now.gold - before.gold if now.gold is not None and before.gold is not None else 0
    told = [_more(number, one, many) for number, one, many in (
        (now.points - before.points, "point", "points"), (gold, "gold", "gold"),
        (now.population - before.population, "population", "population"),
        (now.home_armies - before.home_armies, "army at home", "armies at home"),
        (now.home_navies - before.home_navies, "navy at home", "navies at home"),
        (now.home_forts - before.home_forts, "fort at home", "forts at home")) if number]
    had, has = ({tile.tile: tile for tile in power.tiles} for power in (before, now))
    told += [f"{tile.name} gained" for tile in now.tiles if tile.tile not in had or had[tile.tile].number < tile.number]
    told += [f"{tile.name} given up" for tile in before.tiles if tile.tile not in has or has[tile.tile].number < tile.number]
    told += [f"{tile.name} used" for tile in now.tiles if tile.tile in had and had[tile.tile].used < tile.used]
    return told


def _more(number: int, one: str, many: str) -> str:
    """ "2 armies more", "1 army fewer"."""
    return f"{counted(abs(number), one, many)} {'more' if number > 0 else 'fewer'}"


# --- close-up of an area ------------------------------------------------------------------------------------------

def _closeup(scene: sc.Closeup) -> Iterator[str]:
    names = {power.power: power.name for power in scene.powers}
    yield f"{scene.title}, close-up of {scene.area.name}."
    yield tb.moment(scene.moment)
    if scene.battle is not None:
        yield from _battle(scene.battle)
    if scene.more:
        yield f"There {'was' if scene.more == 1 else 'were'} {counted(scene.more, 'other attack', 'other attacks')} here."
    if scene.before is not None and (found := area_changes(scene.before, scene.area, names)):
        yield f"What changed: {listed(found)}."
    for line in tb.area_lines(scene.area, names):
        yield f"{line.strip()}."
    here = {held.power for held in scene.area.garrisons}
    yield from tb.non_players(power.name for power in scene.powers if power.npp and power.power in here)
    yield from _players(scene.people, names)


def _battle(battle: sc.Battle) -> Iterator[str]:
    attacker, defender = _fighter(battle.attacker), _fighter(battle.defender)
    if battle.sender:
        yield f"{battle.sender} sends {attacker} against {defender}."
    else:
        tiles = [name for used, name in ((battle.surprise, "Surprise Attack"), (battle.war_office, "War Office")) if used]
        yield f"{attacker} attacks {defender}{f' with {listed(tiles)}' if tiles else ''}."
    yield from map(_exchange, battle.exchanges)
    for side in (battle.attacker, battle.defender):
        for helper in side.helpers:
            yield f"{helper.name} helps {side.name} with {listed(tb.units(helper.armies, helper.navies, 0))}."
    if battle.declined:
        yield f"{battle.declined} declines to fight at sea."
    for fight in battle.fights:
        yield from _fight(battle, fight)
    if battle.support:
        yield f"{battle.support} has naval support."
    yield from map(_loss, battle.losses)
    if not battle.over:
        yield "The fight is not over yet."


def _fighter(side: sc.Side) -> str:
    if side.kind == "neutral":
        return f"a neutral marker of strength {side.strength}"
    return f"a control marker of {side.name}, strength {side.strength}" if side.kind == "npp" else _the(side.kind, side.name)


def _the(kind: str, name: str) -> str:
    return name if kind not in tb.CAPTORS else tb.CAPTORS[kind] if kind == "pirates" else f"the {name}"


def _exchange(exchange: sc.Exchange) -> str:
    match exchange.kind:
        case "taken":
            return f"{exchange.winner_name} takes a control marker of {exchange.loser_name}."
        case "neutral":
            bonus = [words for number, words in ((exchange.gold, f"{exchange.gold} gold"),
                                                 (exchange.points, counted(exchange.points, "point", "points"))) if number]
            gain = f" and gains {listed(bonus)}" if bonus else ""
            return f"{exchange.winner_name} puts a control marker in its place{gain}."
        case "captured":
            captor_name = _the(exchange.winner, exchange.winner_name)
            return f"A control marker of {exchange.loser_name} is a captive of {captor_name}."
    if exchange.winner == exchange.loser:
        return f"{exchange.winner_name} frees its control marker."
    return f"A control marker of {exchange.winner_name} takes the place of the captive of {exchange.loser_name}."


def _fight(battle: sc.Battle, fight: sc.Fight) -> Iterator[str]:
    where = "At sea" if fight.stage == "sea" else "On land"
    sides = {side.power: side.name for side in (battle.attacker, battle.defender)}
    mine, theirs = ("navy", "navy") if fight.stage == "sea" else ("army", "")
    for throw in fight.rolls:
        yield f"{where}: {_threw(battle.attacker, throw.attacker, mine)}; {_threw(battle.defender, throw.defender, theirs)}."
        if throw.again:
            yield f"{sides[throw.again]} has all dice rolled again with Reserves."
    if fight.winner:
        winner = {"attacker": battle.attacker, "defender": battle.defender}.get(fight.winner)
        yield f"{where}: {_won(winner) if winner else 'a tie'}."


def _threw(side: sc.Side, strength: sc.Strength, unit: str) -> str:
    """ "France: 1 army + dice 5−1 = 5", as the log says it; `unit` is what the side fights with; none: armies and forts."""
    nameless = side.kind != "power"                 # its strength is printed on it
    first = (counted(strength.units, *UNITS[unit]) if unit and not nameless else
             f"{'strength' if nameless else 'defence'} {strength.units}")
    parts = [first] if strength.units else []
    parts += [f"{words} {getattr(strength, field)}" for field, words in PARTS if getattr(strength, field)]
    parts.append(f"dice {max(strength.dice)}−{min(strength.dice)}")
    return f"{_the(side.kind, side.name)}: {' + '.join(parts)} = {strength.total}"


def _won(side: sc.Side) -> str:
    return f"victory for {_the(side.kind, side.name)}" if side.kind in tb.CAPTORS else f"{side.name} wins"


def _loss(loss: sc.Loss) -> str:
    one = "an army" if loss.unit == "army" else f"a {loss.unit}"
    match loss.fate:
        case "lost":
            return f"{loss.name} loses {one}."
        case "home":
            return f"{loss.name} withdraws {one} to its home."
    return f"{loss.name} keeps {one} by Fighting Withdrawal."


# --- victory points --------------------------------------------------------------------------------------------------

def _progress(scene: sc.Progress) -> Iterator[str]:
    yield f"{scene.title}, victory points over time."
    yield f"{_stop(scene.stops[-1]).capitalize()}: {', '.join(f'{line.name} {line.points[-1]}' for line in scene.lines)}."
    ends = [index for index, stop in enumerate(scene.stops) if not stop.round]
    for line in scene.lines:
        yield f"{line.name}: {', '.join(f'{line.points[index]} {_stop(scene.stops[index])}' for index in ends)}."
    yield from _players(scene.people, {line.power: line.name for line in scene.lines})


def _stop(stop: sc.Stop) -> str:
    if stop.last:
        return "at the end of the game"
    if not stop.war:
        return "at the start"
    return f"after round {stop.round} of war {stop.war}" if stop.round else f"after war {stop.war}"


def _forecast(scene: sc.Forecast) -> Iterator[str]:
    names = {total.power: total.name for total in scene.totals}
    yield f"{scene.title}: victory points if the war ended now."
    yield tb.moment(scene.moment)
    yield "; ".join(map(_total, (total for total in scene.totals if not total.npp))) + "."
    if npps := [_total(total) for total in scene.totals if total.npp]:
        yield f"Non-player powers, for information: {'; '.join(npps)}."
    for area in scene.areas:
        if gains := [f"{names[gain.power]} {gain.points}" for gain in area.gains if gain.points]:
            yield f"{area.name}: {', '.join(gains)}."
    yield from _players(scene.people, names)


def _total(total: sc.Total) -> str:
    return f"{total.name} {total.now} + {total.gain} = {total.then}"


def _reveal(scene: sc.Reveal) -> Iterator[str]:
    winners = [row.name for row in scene.rows if row.winner]
    if not winners:
        result = "Every power has collapsed: nobody wins."
    else:
        result = f"{winners[0]} wins." if len(winners) == 1 else f"{listed(winners)} share the victory."
    yield f"{scene.title}, final reckoning."
    yield result
    for row in scene.rows:
        cost = "collapses" if row.collapsed else f"loses {counted(row.penalty, 'point', 'points')}" if row.penalty else ""
        yield (f"{row.place}. {row.name}: {row.before} points, {row.unrest} unrest"
               f"{f', {cost}' if cost else ''}: {counted(row.points, 'point', 'points')}.")
    order = ", in this order" if len(scene.penalties) > 1 else ""
    yield (f"Most unrest costs {listed(map(str, scene.penalties))} points{order}; with {scene.collapse} unrest a power "
           "collapses.")
    if scene.npps:
        yield f"Non-player powers, for information: {', '.join(f'{name} {points}' for name, points in scene.npps)}."
    yield from _players(scene.people, {row.power: row.name for row in scene.rows})


def _reckoning(scene: sc.Reckoning) -> Iterator[str]:
    yield from _reveal(scene.frames[-1])


# --- auction, stock, recap --------------------------------------------------------------------------------------------

def _auction(scene: sc.Auction) -> Iterator[str]:
    names = {bidder.power: bidder.name for bidder in scene.bidders} | {power.power: power.name for power in scene.npps}
    yield f"{scene.title}, war {scene.war}, auction {scene.number} of alliances."
    yield tb.bid(scene.standing, names, scene.rows)
    for title, row in zip(scene.rows, (scene.row_a, scene.row_b)):
        yield f"{title.heading}: {', '.join(names[power] for power in row) or 'nobody yet'}."
    for state, words in (("to bid", "To be heard"), ("passed", "Passed")):
        if there := [bidder.name for bidder in scene.bidders if bidder.state == state]:
            yield f"{words}: {', '.join(there)}."
    if known := [f"{bidder.name} {bidder.gold}" for bidder in scene.bidders if bidder.gold is not None]:
        yield f"Gold: {', '.join(known)}."
    if len(scene.bids) > 1:
        yield f"Bids so far: {', '.join(f'{made.name} {made.gold}' for made in scene.bids)}."
    yield from tb.non_players(power.name for power in scene.npps)
    yield from _players(scene.people, names)


def _stock_head(scene: sc.Stock) -> Iterator[str]:
    yield f"{scene.title}, stock of tiles."
    yield tb.moment(scene.moment)


def _stock(scene: sc.Stock) -> Iterator[str]:
    names = {power.power: power.name for power in scene.powers}
    yield from _stock_head(scene)
    for item in scene.items:
        price = tb.costs(item.gold, item.population, item.unrest)
        owners = f"; owned by {listed(_owner(owner, names) for owner in item.owners)}" if item.owners else ""
        kind = f" ({CLASSES[item.kind]})" if item.kind in CLASSES else ""
        yield f"{item.name}{kind}: {item.left} of {item.of} left for {listed(price) or 'nothing'}{owners}."
    for place in scene.local:
        yield f"{listed(place.areas)}: {tb.local_alliance(place.here, names)}."
    for token in scene.tokens:
        yield f"{tb.covert_token(token, names)}."
    if scene.display:
        yield f"{tb.gone(scene.display)}."


def _stock_in_short(scene: sc.Stock) -> Iterator[str]:
    """Yield what there is still to take and who has what; the prices are left to the whole text."""
    yield from _stock_head(scene)
    left = [f"{item.name}{f' {item.left}' if item.left > 1 else ''}" for item in scene.items if item.left]
    yield f"Left: {', '.join(left) or 'no tiles'}."
    for power in scene.powers:
        owned = [f"{item.name}{f' {owner.number}' if owner.number > 1 else ''}" for item in scene.items
                 for owner in item.owners if owner.power == power.power]
        owned += [f"{place.here.name} alliance" for place in scene.local if place.here.holder == power.power]
        if owned:
            yield f"{power.name}: {', '.join(owned)}."
    if free := [place.here.name for place in scene.local if not place.here.holder and not place.here.closed]:
        yield f"Free local alliances: {', '.join(free)}."
    for token in scene.tokens:
        yield f"{tb.covert_token(token, {power.power: power.name for power in scene.powers})}."


def _owner(owner: sc.Owner, names: dict[str, str]) -> str:
    """ "France 2 (1 used up)"."""
    number = f" {owner.number}" if owner.number > 1 else ""
    used = f" ({owner.used} used up)" if owner.used else ""
    return f"{names[owner.power]}{number}{used}"


def _film(scene: sc.Film) -> Iterator[str]:
    """From the first board to the last; what changed in between, board by board."""
    yield f"Recap in {counted(len(scene.frames), 'board', 'boards')}; the last one shows:"
    yield from tb.news(scene.frames[-1].now)
    for frame in scene.frames:
        told = changes(frame.before, frame.now) if frame.before is not None else []
        if told:
            yield f"{tb.moment(frame.now)} {' '.join(told)}"


SENTENCES: dict[type, Callable[[Any], Iterator[str]]] = {
    sc.Closeup: _closeup, sc.Progress: _progress, sc.Forecast: _forecast, sc.Reveal: _reveal, sc.Reckoning: _reckoning,
    sc.Auction: _auction,
    sc.Stock: _stock, sc.Film: _film}
"""What each kind of scene says, the most important first; the board has a text of its own."""
