"""Attacks and raids as their public events tell them, for the close-up of an area."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.games.struggle_of_empires import events as ev
from engine.games.struggle_of_empires.components import PIRATES, REVOLT, Parts
from engine.games.struggle_of_empires.pictures.scenes import Battle, Exchange, Fight, Helper, Loss, Roll, Side, Strength
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.words.names import names
from engine.kernel import Event
from engine.kernel.game_spec import Replay

Words: TypeAlias = Mapping[str, str]
"""The names behind ids, in the words of a game."""


@dataclass
class Fought:
    """An attack of a story, as far as it has come."""

    area: str
    last: int               # the last row that told of it
    battle: Battle


def battles(story: Replay) -> list[Fought]:
    """The attacks and raids of a story, oldest first."""
    fought: list[Fought] = []
    words: Words = {}
    for no, event, state in story.events():
        words = words or names(story.parts, state)
        if isinstance(event, ev.AttackDeclared | ev.RaidBegun):
            fought.append(Fought(event.area, no, _declared(event, state, words)))
        elif fought and not fought[-1].battle.over and (told := dict(_told(fought[-1].battle, event, story.parts, words))):
            fought[-1] = Fought(fought[-1].area, no, fought[-1].battle.model_copy(update=told))
    return fought


def _declared(event: ev.AttackDeclared | ev.RaidBegun, s: State, words: Words) -> Battle:
    raid = isinstance(event, ev.RaidBegun)
    attacker, defender = (event.token, event.target) if isinstance(event, ev.RaidBegun) else (event.attacker, event.defender)
    strength = event.strength
    return Battle(
        attacker=_side(attacker, strength if raid else 0, s, words), defender=_side(defender, 0 if raid else strength, s, words),
        sender=words[event.sender] if isinstance(event, ev.RaidBegun) else "",
        surprise=isinstance(event, ev.AttackDeclared) and event.surprise,
        war_office=isinstance(event, ev.AttackDeclared) and event.war_office,
        declined="", support="", fights=(), exchanges=(), losses=(), over=False)


def _side(side: str, strength: int, s: State, words: Words) -> Side:
    if side in s.npps:
        return Side(kind="npp", power=side, name=words[side], strength=s.marker_defence, helpers=())
    if side == PIRATES:
        return Side(kind="pirates", power="", name=words[side], strength=strength, helpers=())
    if side == REVOLT:
        return Side(kind="slave_revolt", power="", name=words[side], strength=strength, helpers=())
    if s.is_power(side):
        return Side(kind="power", power=side, name=words[side], strength=0, helpers=())
    return Side(kind="neutral", power="", name="Neutral marker", strength=strength, helpers=())


def _told(battle: Battle, event: Event, parts: Parts, words: Words) -> Iterator[tuple[str, Any]]:
    """Yield what an event changes in a battle: field and value."""
    match event:
        case ev.HelpSent() if event.armies or event.navies:
            field, side = ("attacker", battle.attacker) if event.principal == battle.attacker.power else (
                "defender", battle.defender)
            helper = Helper(power=event.ally, name=words[event.ally], armies=event.armies, navies=event.navies)
            yield field, side.model_copy(update={"helpers": (*side.helpers, helper)})
        case ev.SeaDeclined():
            yield "declined", words[event.side]
        case ev.SupportGained():
            yield "support", words[event.side]
        case ev.StageBegun():
            yield "fights", (*battle.fights, Fight(stage=_stage(event.stage), rolls=(), winner=""))
        case ev.DiceRolled():
            *earlier, fight = battle.fights or (Fight(stage=_stage(event.stage), rolls=(), winner=""),)
            rolls = (*fight.rolls, _roll(event))
            yield "fights", (*earlier, fight.model_copy(update={"rolls": rolls}))
        case ev.ReservesUsed():
            *earlier, fight = battle.fights
            *stood, last = fight.rolls
            rolls = (*stood, last.model_copy(update={"again": event.side}))
            yield "fights", (*earlier, fight.model_copy(update={"rolls": rolls}))
        case ev.FightDecided():
            *earlier, fight = battle.fights
            yield "fights", (*earlier, fight.model_copy(update={"winner": _winner(battle, event.winner)}))
        case ev.MarkerTaken() | ev.NeutralBeaten() | ev.Captured() | ev.CaptiveFreed():
            yield "exchanges", (*battle.exchanges, _exchange(event, parts, words))
        case ev.UnitLost() | ev.UnitWithdrawn():
            yield "losses", (*battle.losses, _loss(event, words))
        case ev.AttackEnded():
            yield "over", True


def _stage(stage: str) -> Literal["sea", "land"]:
    return "sea" if stage == "sea" else "land"


def _roll(event: ev.DiceRolled) -> Roll:
    a, b, c, d = event.dice
    return Roll(attacker=_strength(event.parts[0], (a, b)), defender=_strength(event.parts[1], (c, d)), again="")


def _strength(parts: tuple[int, int, int, int, int], dice: tuple[int, int]) -> Strength:
    units, training, alliances, support, difference = parts
    return Strength(units=units, training=training, alliances=alliances, support=support, dice=dice, difference=difference,
                    total=sum(parts))


def _winner(battle: Battle, winner: str) -> Literal["attacker", "defender", "tie"]:
    """Which side a power, token or face is; of the two only one can be no power."""
    if not winner:
        return "tie"
    if winner in (battle.attacker.power, battle.attacker.kind):
        return "attacker"
    return "defender"


def _exchange(event: ev.MarkerTaken | ev.NeutralBeaten | ev.Captured | ev.CaptiveFreed, parts: Parts, words: Words) -> Exchange:
    match event:
        case ev.MarkerTaken():
            return Exchange(kind="taken", winner=event.winner, winner_name=words[event.winner],
                            loser=event.loser, loser_name=words[event.loser])
        case ev.NeutralBeaten():
            marker = parts.neutral[event.marker]
            return Exchange(kind="neutral", winner=event.winner, winner_name=words[event.winner],
                            loser="", loser_name=marker.face_name, gold=marker.gold, points=marker.vp)
        case ev.Captured():
            return Exchange(kind="captured", winner=event.token, winner_name=words[event.token],
                            loser=event.power, loser_name=words[event.power])
        case ev.CaptiveFreed():
            return Exchange(kind="freed", winner=event.winner, winner_name=words[event.winner],
                            loser=event.owner, loser_name=words[event.owner])


def _loss(event: ev.UnitLost | ev.UnitWithdrawn, words: Words) -> Loss:
    unit: Literal["army", "navy", "fort"] = "army" if event.unit == "army" else "navy" if event.unit == "navy" else "fort"
    fate: Literal["lost", "home", "kept"] = "lost" if isinstance(event, ev.UnitLost) else "home" if event.goes_home else "kept"
    return Loss(power=event.owner, name=words[event.owner], unit=unit, fate=fate)
