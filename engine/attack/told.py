"""Each picture of Attack! in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.aloud import counted, fit, listed
from engine.attack.board import army, board as table, card, describe as essence, moment
from engine.attack.scenes import Battle, Board, Fighter, Film, Half, Naval, NavalRound, Navy, Pair, Shot, Vessel
from engine.attack.view import Units


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    match scene:
        case Board():
            return table(scene.now)
        case Film():
            return "\n".join(_film(scene))
        case Battle():
            return "\n".join((*_battle_news(scene), *_rounds(scene)))
        case Naval():
            return "\n".join((*_naval_news(scene), *_naval_rounds(scene)))
    return table(scene)


def describe(scene: Any, most: int) -> str:
    """The most important sentences about a scene or view, in so many characters at most."""
    match scene:
        case Board():
            return essence(scene.now, most)
        case Film():
            return fit(map(str.strip, _film(scene)), most)
        case Battle():
            return fit(map(str.strip, (*_battle_news(scene), *_rounds(scene))), most)
        case Naval():
            return fit(map(str.strip, (*_naval_news(scene), *_naval_rounds(scene))), most)
    return essence(scene, most)


def _film(scene: Film) -> Iterator[str]:
    """Each board by what it changed."""
    last = scene.frames[-1].now
    yield f"{last.title}: recap in {counted(len(scene.frames), 'board', 'boards')}, {moment(last)}."
    for frame in scene.frames:
        known = {land.territory: land for land in (frame.before or frame.now).territories}
        changed = [f"{land.name} {(land.owner or 'neutral').capitalize()} ({army(land.units)})" for land in frame.now.territories
                   if land != known[land.territory]]
        said = moment(frame.now)
        yield f"{said[0].upper()}{said[1:]}: {', '.join(changed) or 'no territory changes'}."


# --- a land battle ------------------------------------------------------------------------------------------

def _battle_news(battle: Battle) -> Iterator[str]:
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


def _fighter(side: Fighter) -> str:
    by = f", commanded by {side.commander}" if side.commander else ""
    return (f"{side.name}{by}: began with {army(side.force)}; {army(side.lost)} lost, {army(side.fighting)} in battle, "
            f"{army(side.reserve)} in reserve.")


def _rounds(battle: Battle) -> Iterator[str]:
    names = {"attacker": battle.attacker.name, "defender": battle.defender.name}
    for one in battle.rounds:
        for half in one.halves:
            yield f"Round {one.number}, {names[half.side]}: {_half(half)}."


def _half(half: Half) -> str:
    brings = [f"brings {army(half.brought)}"] if half.brought != Units() else []
    rolls = [f"rolls {', '.join(half.dice)}, {counted(half.hits, 'hit', 'hits')}: {army(half.losses)} lost"] if half.dice else []
    return "; ".join([*brings, *rolls]) or "has not rolled yet"


# --- a naval battle -------------------------------------------------------------------------------------------

def _naval_news(naval: Naval) -> Iterator[str]:
    sides = {"attacker": naval.attacker, "defender": naval.defender}
    yield f"{naval.title}: naval battle for the sea lanes, {naval.attacker.name} against {naval.defender.name}."
    if naval.winner:
        loser = sides["defender" if naval.winner == "attacker" else "attacker"].name
        yield f"{sides[naval.winner].name} wins{f': {loser} retreats' * naval.retreat}."
    else:
        yield "The battle goes on."
    yield from map(_navy, sides.values())


def _navy(navy: Navy) -> str:
    lying = f"; {counted(navy.lying, 'ship lies', 'ships lie')} face down" if navy.lying else ""
    return f"{navy.name}: {counted(navy.fit, 'fit ship', 'fit ships')}{lying}."


def _naval_rounds(naval: Naval) -> Iterator[str]:
    names = {"attacker": naval.attacker.name, "defender": naval.defender.name}
    for one in reversed(naval.rounds):
        yield from _naval_round(one, names)


def _naval_round(one: NavalRound, names: dict[str, str]) -> Iterator[str]:
    for name, line in ((names["attacker"], one.attackers_line), (names["defender"], one.defenders_line)):
        yield f"Round {one.number}, line of {name}: {listed(map(_vessel, line))}."
    for n, pair in enumerate(one.pairs, 1):
        yield f"Pair {n}: {_shot(pair.attacker)} against {_shot(pair.defender)}; {_outcome(pair, names)}."


def _vessel(vessel: Vessel) -> str:
    return vessel.ship.replace("_", " ") + (" (sunk)" if vessel.sunk else " (damaged)" if vessel.hits else "")


def _shot(shot: Shot) -> str:
    extra = f" + {shot.modifier}" if shot.modifier else ""
    return f"{shot.ship.replace('_', ' ')} {sum(shot.dice)}{extra} = {shot.total}" if extra else (
        f"{shot.ship.replace('_', ' ')} {shot.total}")


def _outcome(pair: Pair, names: dict[str, str]) -> str:
    if not pair.hit:
        return "no hit"
    return f"{names[pair.hit]}'s {pair.ship.replace('_', ' ')} {'sinks' if pair.sunk else 'is damaged'}"
