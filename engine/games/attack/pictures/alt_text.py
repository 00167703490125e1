"""Each picture of Attack! in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.games.attack.pictures import scenes as sc
from engine.games.attack.pictures.text_board import army, hits, moment, names_of, news, table, vessel
from engine.games.attack.view import Units, View
from engine.games.attack.words.nouns import card_names, points
from engine.text import Fact, Text, count, template, text, verbatim
from engine.text.aloud import fit, numbered, row, whole

DEEDS: Mapping[sc.Deed, str] = {
    "attack": template("You can attack {places:the}."), "move": template("You can move to {places:the}."),
    "claim": template("You can claim {places:the}."), "place": template("You can place units in {places:the}."),
    "capital": template("You can place your capital in {places:the}."),
    "diplomacy": template("You can negotiate in {places:the}."), "other": template("You can decide about {places:the}.")}
MANY = 12               # territories that a sentence of an alt text names; of more it says how many


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    return whole(_board(scene))


def describe(scene: Any, most: int) -> str:
    """The most important sentences about a scene or view, in so many characters at most."""
    return fit(_described(scene), most)


def _board(scene: Any) -> Iterator[Text]:
    match scene:
        case sc.Board():
            yield from (*table(scene.now), text(""), *_new(scene), *_ways(scene, len(scene.ways)), *_players(scene))
        case View():
            yield from table(scene)
        case _:
            yield from _told(scene)


def _described(scene: Any) -> Iterator[Text]:
    match scene:
        case sc.Board():
            first, *others = news(scene.now)
            yield from (first, *_new(scene), *_hand(scene.now), *_ways(scene, MANY), *others)
        case View():
            yield from news(scene)
        case _:
            yield from _told(scene)


def _told(scene: sc.Film | sc.Battle | sc.Naval) -> Iterator[Text]:
    match scene:
        case sc.Film():
            yield from _film(scene)
        case sc.Battle():
            yield from (*_battle_news(scene), *_rounds(scene))
        case sc.Naval():
            yield from (*_naval_news(scene), *_naval_rounds(scene))


# --- boards -------------------------------------------------------------------------------------------------

def _changes(scene: sc.Board) -> Text | None:
    """Which territories differ, and whose they are now."""
    known, names = {land.territory: land for land in (scene.before or scene.now).territories}, names_of(scene.now)
    found = [text("{territory} {power} ({units})", territory=land.name, units=army(land.units),
                  power=names[land.owner] if land.owner else text("Neutral"))
             for land in scene.now.territories if land != known[land.territory]]
    return row(found) if found else None


def _new(scene: sc.Board) -> Iterator[Text]:
    """Yield what changed since the reader last looked."""
    if changed := _changes(scene):
        yield text("What changed: {changes}." if scene.now.seat is None else "New since you looked: {changes}.", changes=changed)


def _hand(view: View) -> Iterator[Text]:
    if view.seat is not None and view.own_points is not None:
        yield text("Your cards, which only you see: {cards}; Production would bring you {points}.",
                   cards=card_names(view.own_cards), points=points(view.own_points))


def _ways(scene: sc.Board, most: int) -> Iterator[Text]:
    """Where the reader may act, one sentence for each deed; of more than so many territories their number."""
    names = {land.territory: land.name for land in scene.now.territories}
    for deed, words in DEEDS.items():
        if there := [numbered(names[way.territory], way.number) for way in scene.ways if deed in way.deeds]:
            yield text(words, places=tuple(there) if len(there) <= most else
                       count(len(there), "{n} territory", "{n} territories"))


def _players(scene: sc.Board) -> Iterator[Text]:
    names = names_of(scene.now)
    if scene.people:
        yield text("Players: {players}.", players=row(
            text("{power}: {player}", power=names[power], player=verbatim(called)) for power, called in scene.people))


def _film(scene: sc.Film) -> Iterator[Text]:
    last = scene.frames[-1].now
    yield text("{title}: recap in {boards}, {moment}.", title=last.title, moment=moment(last),
               boards=count(len(scene.frames), "{n} board", "{n} boards"))
    for frame in scene.frames:
        yield text("{moment:Begin}: {changes}.", moment=moment(frame.now),
                   changes=_changes(frame) or text("no territory changes"))


# --- a land battle ------------------------------------------------------------------------------------------

def _battle_news(battle: sc.Battle) -> Iterator[Text]:
    attacker, defender = battle.attacker.name, battle.defender.name
    yield text("{title}: battle for {territory:the}, {attacker} against {defender}.", title=battle.title, territory=battle.name,
               attacker=attacker, defender=defender)
    if battle.winner == "attacker":
        yield text("{attacker} captures {territory:the}, and takes a card." if battle.spoils else
                   "{attacker} captures {territory:the}.", attacker=attacker, territory=battle.name)
    elif battle.winner:
        yield text("The attack fails: {defender} hold {territory:the}." if battle.defender.power == "neutral" else
                   "The attack fails: {defender} holds {territory:the}.", defender=defender, territory=battle.name)
    else:
        yield text("The battle goes on.")
    yield _fighter(battle.attacker)
    yield _fighter(battle.defender)
    if battle.card:
        yield text("The defenders came with the card {card}.", card=card_names([battle.card]))
    if battle.more:
        yield count(battle.more, "{n} more battle was fought lately.", "{n} more battles were fought lately.")


def _fighter(side: sc.Fighter) -> Text:
    return text("{side}, commanded by {commander}: began with {force}; {lost} lost, {fighting} in battle, {reserve} in reserve."
                if side.commander else
                "{side}: began with {force}; {lost} lost, {fighting} in battle, {reserve} in reserve.",
                side=side.name, commander=side.commander, force=army(side.force), lost=army(side.lost),
                fighting=army(side.fighting), reserve=army(side.reserve))


def _rounds(battle: sc.Battle) -> Iterator[Text]:
    names = {"attacker": battle.attacker.name, "defender": battle.defender.name}
    for one in battle.rounds:
        for half in one.halves:
            yield text("Round {round}, {side}: {told}.", round=one.number, side=names[half.side], told=_half(half))


def _half(half: sc.Half) -> Text:
    told = [text("brings {units}", units=army(half.brought))] if half.brought != Units() else []
    if half.dice:
        told.append(text("rolls {dice}, {hits}: {units} lost", dice=row(half.dice), hits=hits(half.hits),
                         units=army(half.losses)))
    return row(told, "; ") if told else text("has not rolled yet")


# --- a naval battle -------------------------------------------------------------------------------------------

def _naval_news(naval: sc.Naval) -> Iterator[Text]:
    sides = {"attacker": naval.attacker, "defender": naval.defender}
    yield text("{title}: naval battle for the sea lanes, {attacker} against {defender}.", title=naval.title,
               attacker=naval.attacker.name, defender=naval.defender.name)
    if naval.winner:
        loser = sides["defender" if naval.winner == "attacker" else "attacker"].name
        yield text("{winner} wins: {loser} retreats." if naval.retreat else "{winner} wins.", winner=sides[naval.winner].name,
                   loser=loser)
    else:
        yield text("The battle goes on.")
    yield from map(_navy, sides.values())


def _navy(navy: sc.Navy) -> Text:
    fit_ships = count(navy.fit, "{n} fit ship", "{n} fit ships")
    if not navy.lying:
        return text("{power}: {ships}.", power=navy.name, ships=fit_ships)
    return text("{power}: {ships}; {lying}.", power=navy.name, ships=fit_ships,
                lying=count(navy.lying, "{n} ship lies face down", "{n} ships lie face down"))


def _naval_rounds(naval: sc.Naval) -> Iterator[Text]:
    names = {"attacker": naval.attacker.name, "defender": naval.defender.name}
    for one in reversed(naval.rounds):
        yield from _naval_round(one, names)


def _naval_round(one: sc.NavalRound, names: Mapping[str, str]) -> Iterator[Text]:
    for side, line in (("attacker", one.attackers_line), ("defender", one.defenders_line)):
        yield text("Round {round}, line of {power}: {ships}.", round=one.number, power=names[side],
                   ships=tuple(map(vessel, line)))
    for n, pair in enumerate(one.pairs, 1):
        yield text("Pair {n}: {attacker} against {defender}; {outcome}.", n=n, attacker=_shot(pair.attacker),
                   defender=_shot(pair.defender), outcome=_outcome(pair, names))


def _shot(shot: sc.Shot) -> Text:
    dice: Mapping[str, Fact] = {"ship": shot.ship, "dice": sum(shot.dice), "modifier": shot.modifier, "total": shot.total}
    return text("{ship} {dice} + {modifier} = {total}" if shot.modifier else "{ship} {total}", **dice)


def _outcome(pair: sc.Pair, names: Mapping[str, str]) -> Text:
    if not pair.hit:
        return text("no hit")
    return text("{power:possessive} {ship} sinks" if pair.sunk else "{power:possessive} {ship} is damaged", power=names[pair.hit],
                ship=pair.ship)
