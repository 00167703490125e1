"""Each picture of Imperial Struggle in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.games.imperial_struggle.pictures.scenes import Board, Film, Forecast, Hand, Region, Row, Theater, War
from engine.games.imperial_struggle.pictures.text_board import REGION, SIDE, news, space_line, table, when
from engine.games.imperial_struggle.view import SpaceView, View
from engine.text import Text, count, text, verbatim
from engine.text.aloud import fit, row, whole

MANY = 12               # spaces that a sentence of an alt text names; of more it says how many


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    return whole(_board(scene))


def describe(scene: Any, most: int) -> str:
    """The most important sentences about a scene or view, in so many characters at most."""
    if isinstance(scene, Board):
        essence = verbatim(fit(news(scene.now), most))
        return fit([essence, *_new(scene.now, scene.before), *_ways(scene, MANY)], most)
    return fit(news(scene) if isinstance(scene, View) else _told(scene), most)


def _board(scene: Any) -> Iterator[Text]:
    match scene:
        case Board():
            yield from (*table(scene.now, scene.strength), text(""), *_new(scene.now, scene.before),
                        *_ways(scene, len(scene.ways)), *_players(scene))
        case View():
            yield from table(scene)
        case _:
            yield from _told(scene)


def _told(scene: Region | War | Forecast | Hand | Film) -> Iterator[Text]:
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


def _new(now: View, before: View | None, region: str = "") -> Iterator[Text]:
    """Yield what changed since the reader last looked."""
    if changed := [space_line(space) for space in _changes(now, before, region)]:
        yield text("What changed: {spaces}.", spaces=row(changed, "; "))


def _ways(scene: Board, most: int) -> Iterator[Text]:
    """Where the reader may act; of more than so many spaces their number."""
    if names := [space.name for space in scene.now.spaces if space.space in scene.ways]:
        yield text("You can act in {spaces:the}.",
                   spaces=tuple(names) if len(names) <= most else count(len(names), "{n} space", "{n} spaces"))


def _players(scene: Board) -> Iterator[Text]:
    if scene.people:
        yield text("Players: {players}.", players=row(
            text("{side} is {player}", side=SIDE[side], player=verbatim(called)) for side, called in scene.people))


def _region(scene: Region) -> Iterator[Text]:
    counts = next(one for one in scene.now.regions if one.region == scene.region)
    yield text("{title}, {when}: {region}, Britain {britain}, France {france}.", title=scene.now.title, when=when(scene.now),
               region=REGION[scene.region], britain=counts.britain, france=counts.france)
    yield from _new(scene.now, scene.before, scene.region)
    number = dict(scene.numbers)
    for space in scene.now.spaces:
        if space.region == scene.region and space.open:
            yield text("{number}: {space}." if space.space in number else "{space}.", number=number.get(space.space, 0),
                       space=space_line(space))


def _film(scene: Film) -> Iterator[Text]:
    last = scene.frames[-1].now
    yield text("{title}: recap in {boards}, {when}.", title=last.title, when=when(last),
               boards=count(len(scene.frames), "{n} board", "{n} boards"))
    for frame in scene.frames:
        changed = [space_line(space) for space in _changes(frame.now, frame.before)]
        yield text("{vp} VP: {spaces}.", vp=frame.now.vp, spaces=row(changed, "; ") if changed else text("no space changes"))


# --- sheets -------------------------------------------------------------------------------------------------

def _war(scene: War) -> Iterator[Text]:
    """A war, theater by theater: result, strength line by line, tiles, spoils."""
    yield text("{title}, {when}: {war}, under way." if scene.under_way else "{title}, {when}: {war}.", title=scene.title,
               when=scene.when, war=scene.name)
    for theater in scene.theaters:
        yield text("{number}, {theater}: {outcome}, Britain {britain}, France {france}.", number=theater.number,
                   theater=theater.name, outcome=outcome(theater), britain=theater.britain, france=theater.france)
    for theater in scene.theaters:
        told = [text("{what} {britain} to {france}", what=line.name, britain=line.britain, france=line.france)
                for line in theater.lines]
        told += [text("{side} {tiles}", side=SIDE[side], tiles=row(shown))
                 for side, shown in zip(("britain", "france"), theater.shown) if shown]
        told += [count(sum(both), "{n} tile of {side} face down", "{n} tiles of {side} face down", side=SIDE[side])
                 for side, both in zip(("britain", "france"), theater.tiles) if any(both)]
        spoils = [text("{margin}: {gain}, loser {loss}", margin=margin, gain=gain, loss=loss)
                  for margin, gain, loss, _ in theater.spoils]
        yield text("{theater}: {told}. Spoils {spoils}.", theater=theater.name, spoils=row(spoils, "; "),
                   told=row(told, "; ") if told else text("nothing yet"))


def outcome(theater: Theater) -> Text:
    """Who wins or leads in a theater, and by how much."""
    if not theater.winner:
        return text("nobody wins") if theater.settled else text("level")
    return text("{side} wins by {margin}" if theater.settled else "{side} leads by {margin}", side=SIDE[theater.winner],
                margin=theater.margin)


def _forecast(scene: Forecast) -> Iterator[Text]:
    yield text("{title}, {when}, as things stand: {vp} VP now, {end} after this turn's scoring.", title=scene.title,
               when=scene.when, vp=scene.vp, end=scene.end)
    yield from map(_row, scene.rows)


def _row(row: Row) -> Text:
    winner = (text("{side} gets {reward}", side=SIDE[row.winner], reward=row.reward) if row.winner else
              text("nobody yet ({reward})", reward=row.reward))
    return text("{what}: Britain {britain}, France {france}; {winner}; {tip}.", what=row.name, britain=row.britain,
                france=row.france, winner=winner, tip=row.tip)


def _hand(scene: Hand) -> Iterator[Text]:
    yield text("{title}, {when}: your cards as {side}.", title=scene.title, when=scene.when, side=SIDE[scene.side])
    for card in scene.cards:
        yield text("{card} ({state}): {told}" if card.state else "{card}: {told}", card=card.name, state=card.state,
                   told=row(card.texts, " "))
