"""Each picture of Imperial Struggle in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.games.imperial_struggle.pictures.scenes import Board, Film, Forecast, Hand, Region, Row, Theater, War
from engine.games.imperial_struggle.pictures.text_board import REGION, SIDE, board as table, describe as essence, space_line, when
from engine.games.imperial_struggle.view import SpaceView, View
from engine.text.articles import within
from engine.text.english import counted, fit, listed

MANY = 12               # spaces that a sentence of an alt text names; of more it says how many


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    match scene:
        case Board():
            more = [*_new(scene.now, scene.before), *_ways(scene, len(scene.ways)), *_players(scene)]
            return "\n".join([table(scene.now, scene.strength), "", *(within(said) for said in more)]).rstrip()
        case Region() | War() | Forecast() | Hand() | Film():
            return within("\n".join(_told(scene)))
    return table(scene)


def describe(scene: Any, most: int) -> str:
    """The most important sentences about a scene or view, in so many characters at most."""
    return within(_described(scene, most), most)


def _described(scene: Any, most: int) -> str:
    match scene:
        case Board():
            return fit([essence(scene.now, most), *_new(scene.now, scene.before), *_ways(scene, MANY)], most)
        case Region() | War() | Forecast() | Hand() | Film():
            return fit(map(str.strip, _told(scene)), most)
    return essence(scene, most)


def _told(scene: Region | War | Forecast | Hand | Film) -> Iterator[str]:
    match scene:
        case Region():
            return _region(scene)
        case War():
            return _war(scene)
        case Forecast():
            return _forecast(scene)
        case Hand():
            return _hand(scene)
    return _film(scene)


# --- boards -------------------------------------------------------------------------------------------------

def _changes(now: View, before: View | None, region: str = "") -> Iterator[SpaceView]:
    known = {space.space: space for space in (before or now).spaces}
    return (space for space in now.spaces if space != known[space.space] and region in ("", space.region))


def _new(now: View, before: View | None, region: str = "") -> Iterator[str]:
    """Yield what changed since the reader last looked."""
    if changed := [space_line(space) for space in _changes(now, before, region)]:
        yield f"What changed: {'; '.join(changed)}."


def _ways(scene: Board, most: int) -> Iterator[str]:
    """Where the reader may act; of more than so many spaces their number."""
    names = [space.name for space in scene.now.spaces if space.space in scene.ways]
    if names:
        yield f"You can act in {listed(names) if len(names) <= most else f'{len(names)} spaces'}."


def _players(scene: Board) -> Iterator[str]:
    if scene.people:
        yield f"Players: {', '.join(f'{SIDE[side]} is {called}' for side, called in scene.people)}."


def _region(scene: Region) -> Iterator[str]:
    counts = next(one for one in scene.now.regions if one.region == scene.region)
    title = f"{scene.now.title}, {when(scene.now)}: {REGION[scene.region]}"
    yield f"{title}, {SIDE['britain']} {counts.britain}, {SIDE['france']} {counts.france}."
    yield from _new(scene.now, scene.before, scene.region)
    number = dict(scene.numbers)
    yield from (f"{number[space.space]}: {space_line(space)}." if space.space in number else f"{space_line(space)}."
                for space in scene.now.spaces if space.region == scene.region and space.open)


def _film(scene: Film) -> Iterator[str]:
    last = scene.frames[-1].now
    yield f"{last.title}: recap in {counted(len(scene.frames), 'board', 'boards')}, {when(last)}."
    for frame in scene.frames:
        changed = [space_line(space) for space in _changes(frame.now, frame.before)]
        yield f"{frame.now.vp} VP: {'; '.join(changed) or 'no space changes'}."


# --- sheets -------------------------------------------------------------------------------------------------

def _war(scene: War) -> Iterator[str]:
    """A war, theater by theater: result, strength line by line, tiles, spoils."""
    yield f"{scene.title}, {scene.when}: {scene.name}{', under way' * scene.under_way}."
    for theater in scene.theaters:
        yield f"{theater.number}, {theater.name}: {_outcome(theater)}, Britain {theater.britain}, France {theater.france}."
    for theater in scene.theaters:
        lines = [f"{line.name} {line.britain} to {line.france}" for line in theater.lines]
        tiles = [f"{SIDE[side]} {', '.join(shown)}" for side, shown in zip(("britain", "france"), theater.shown) if shown]
        hidden = [f"{counted(sum(both), 'tile', 'tiles')} of {SIDE[side]} face down"
                  for side, both in zip(("britain", "france"), theater.tiles) if any(both)]
        spoils = [f"{margin}: {gain}, loser {loss}" for margin, gain, loss, _ in theater.spoils]
        yield f"{theater.name}: {'; '.join([*lines, *tiles, *hidden]) or 'nothing yet'}. Spoils {'; '.join(spoils)}."


def _outcome(theater: Theater) -> str:
    if not theater.winner:
        return "nobody wins" if theater.settled else "level"
    return f"{SIDE[theater.winner]} {'wins' if theater.settled else 'leads'} by {theater.margin}"


def _forecast(scene: Forecast) -> Iterator[str]:
    yield f"{scene.title}, {scene.when}, as things stand: {scene.vp} VP now, {scene.end} after this turn's scoring."
    yield from map(_row, scene.rows)


def _row(row: Row) -> str:
    winner = f"{SIDE[row.winner]} gets {row.reward}" if row.winner else f"nobody yet ({row.reward})"
    return f"{row.name}: Britain {row.britain}, France {row.france}; {winner}; {row.tip}."


def _hand(scene: Hand) -> Iterator[str]:
    yield f"{scene.title}, {scene.when}: your cards as {SIDE[scene.side]}."
    for card in scene.cards:
        yield f"{card.name}{f' ({card.state})' if card.state else ''}: {' '.join(card.texts)}"
