"""Each picture of Attack! in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.games.attack.pictures import scenes as sc
from engine.games.attack.pictures.text_board import army, board as table, card, describe as essence, moment, names_of, news
from engine.games.attack.view import Units, View
from engine.text.articles import within
from engine.text.english import counted, fit, listed, numbered

DEEDS: Mapping[sc.Deed, str] = {"attack": "attack", "move": "move to", "claim": "claim", "place": "place units in",
                                "capital": "place your capital in", "diplomacy": "negotiate in", "other": "decide about"}
MANY = 12               # territories that a sentence of an alt text names; of more it says how many


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    return within(_board(scene))


def describe(scene: Any, most: int) -> str:
    """The most important sentences about a scene or view, in so many characters at most."""
    return within(_described(scene, most), most)


def _board(scene: Any) -> str:
    match scene:
        case sc.Board():
            more = [*_new(scene), *_ways(scene, len(scene.ways)), *_players(scene)]
            return "\n".join([table(scene.now), "", *more]).rstrip()
        case sc.Film():
            return "\n".join(_film(scene))
        case sc.Battle():
            return "\n".join((*_battle_news(scene), *_rounds(scene)))
        case sc.Naval():
            return "\n".join((*_naval_news(scene), *_naval_rounds(scene)))
    return table(scene)


def _described(scene: Any, most: int) -> str:
    match scene:
        case sc.Board():
            first, *others = news(scene.now)
            return fit([first, *_new(scene), *_hand(scene.now), *_ways(scene, MANY), *others], most)
        case sc.Film():
            return fit(map(str.strip, _film(scene)), most)
        case sc.Battle():
            return fit(map(str.strip, (*_battle_news(scene), *_rounds(scene))), most)
        case sc.Naval():
            return fit(map(str.strip, (*_naval_news(scene), *_naval_rounds(scene))), most)
    return essence(scene, most)


# --- boards -------------------------------------------------------------------------------------------------

def _changes(scene: sc.Board) -> list[str]:
    known = {land.territory: land for land in (scene.before or scene.now).territories}
    return [f"{land.name} {(land.owner or 'neutral').capitalize()} ({army(land.units)})" for land in scene.now.territories
            if land != known[land.territory]]


def _new(scene: sc.Board) -> Iterator[str]:
    """Yield what changed since the reader last looked."""
    if changed := _changes(scene):
        yield f"{'What changed' if scene.now.seat is None else 'New since you looked'}: {', '.join(changed)}."


def _hand(view: View) -> Iterator[str]:
    if view.seat is not None and view.own_points is not None:
        yield (f"Your cards, which only you see: {listed(map(card, view.own_cards)) or 'none'}; Production would bring you "
               f"{counted(view.own_points, 'production point', 'production points')}.")


def _ways(scene: sc.Board, most: int) -> Iterator[str]:
    """Where the reader may act, one sentence for each deed; of more than so many territories their number."""
    names = {land.territory: land.name for land in scene.now.territories}
    for deed, words in DEEDS.items():
        if there := [numbered(names[way.territory], way.number) for way in scene.ways if deed in way.deeds]:
            yield f"You can {words} {listed(there) if len(there) <= most else f'{len(there)} territories'}."


def _players(scene: sc.Board) -> Iterator[str]:
    names = names_of(scene.now)
    if scene.people:
        yield f"Players: {', '.join(f'{names[power]}: {called}' for power, called in scene.people)}."


def _film(scene: sc.Film) -> Iterator[str]:
    last = scene.frames[-1].now
    yield f"{last.title}: recap in {counted(len(scene.frames), 'board', 'boards')}, {moment(last)}."
    for frame in scene.frames:
        said = moment(frame.now)
        yield f"{said[0].upper()}{said[1:]}: {', '.join(_changes(frame)) or 'no territory changes'}."


# --- a land battle ------------------------------------------------------------------------------------------

def _battle_news(battle: sc.Battle) -> Iterator[str]:
    sides = {"attacker": battle.attacker, "defender": battle.defender}
    yield f"{battle.title}: battle for {battle.name}, {battle.attacker.name} against {battle.defender.name}."
    if battle.winner == "attacker":
        yield f"{battle.attacker.name} captures {battle.name}{', and takes a card' * battle.spoils}."
    elif battle.winner:
        holds = "hold" if battle.defender.power == "neutral" else "holds"
        yield f"The attack fails: {battle.defender.name} {holds} {battle.name}."
    else:
        yield "The battle goes on."
    for side in sides.values():
        yield _fighter(side)
    if battle.card:
        yield f"The defenders came with the card {card(battle.card)}."
    if battle.more:
        yield f"{counted(battle.more, 'more battle was', 'more battles were')} fought lately."


def _fighter(side: sc.Fighter) -> str:
    by = f", commanded by {side.commander}" if side.commander else ""
    return (f"{side.name}{by}: began with {army(side.force)}; {army(side.lost)} lost, {army(side.fighting)} in battle, "
            f"{army(side.reserve)} in reserve.")


def _rounds(battle: sc.Battle) -> Iterator[str]:
    names = {"attacker": battle.attacker.name, "defender": battle.defender.name}
    for one in battle.rounds:
        for half in one.halves:
            yield f"Round {one.number}, {names[half.side]}: {_half(half)}."


def _half(half: sc.Half) -> str:
    brings = [f"brings {army(half.brought)}"] if half.brought != Units() else []
    rolls = [f"rolls {', '.join(half.dice)}, {counted(half.hits, 'hit', 'hits')}: {army(half.losses)} lost"] if half.dice else []
    return "; ".join([*brings, *rolls]) or "has not rolled yet"


# --- a naval battle -------------------------------------------------------------------------------------------

def _naval_news(naval: sc.Naval) -> Iterator[str]:
    sides = {"attacker": naval.attacker, "defender": naval.defender}
    yield f"{naval.title}: naval battle for the sea lanes, {naval.attacker.name} against {naval.defender.name}."
    if naval.winner:
        loser = sides["defender" if naval.winner == "attacker" else "attacker"].name
        yield f"{sides[naval.winner].name} wins{f': {loser} retreats' * naval.retreat}."
    else:
        yield "The battle goes on."
    yield from map(_navy, sides.values())


def _navy(navy: sc.Navy) -> str:
    lying = f"; {counted(navy.lying, 'ship lies', 'ships lie')} face down" if navy.lying else ""
    return f"{navy.name}: {counted(navy.fit, 'fit ship', 'fit ships')}{lying}."


def _naval_rounds(naval: sc.Naval) -> Iterator[str]:
    names = {"attacker": naval.attacker.name, "defender": naval.defender.name}
    for one in reversed(naval.rounds):
        yield from _naval_round(one, names)


def _naval_round(one: sc.NavalRound, names: dict[str, str]) -> Iterator[str]:
    for name, line in ((names["attacker"], one.attackers_line), (names["defender"], one.defenders_line)):
        yield f"Round {one.number}, line of {name}: {listed(map(_vessel, line))}."
    for n, pair in enumerate(one.pairs, 1):
        yield f"Pair {n}: {_shot(pair.attacker)} against {_shot(pair.defender)}; {_outcome(pair, names)}."


def _vessel(vessel: sc.Vessel) -> str:
    return vessel.ship.replace("_", " ") + (" (sunk)" if vessel.sunk else " (damaged)" if vessel.hits else "")


def _shot(shot: sc.Shot) -> str:
    extra = f" + {shot.modifier}" if shot.modifier else ""
    return f"{shot.ship.replace('_', ' ')} {sum(shot.dice)}{extra} = {shot.total}" if extra else (
        f"{shot.ship.replace('_', ' ')} {shot.total}")


def _outcome(pair: sc.Pair, names: dict[str, str]) -> str:
    if not pair.hit:
        return "no hit"
    return f"{names[pair.hit]}'s {pair.ship.replace('_', ' ')} {'sinks' if pair.sunk else 'is damaged'}"
