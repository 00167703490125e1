"""Attacks and raids as their public events tell them, for the close-up of an area."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from engine.kernel import Event
from engine.story import Story
from engine.struggle_of_empires.events import (
    AttackDeclared,
    AttackEnded,
    CaptiveFreed,
    Captured,
    FightDecided,
    HelpSent,
    MarkerTaken,
    NeutralBeaten,
    RaidBegun,
    ReservesUsed,
    SeaDeclined,
    StageBegun,
    SupportGained,
    Thrown,
    UnitLost,
    UnitWithdrawn,
)
from engine.struggle_of_empires.parts import PIRATES, REVOLT, Parts
from engine.struggle_of_empires.scenes import Battle, Exchange, Fight, Helper, Loss, Side, Strength, Throw


@dataclass
class Fought:
    """An attack of a story, as far as it has come."""

    area: str
    last: int               # the last row that told of it
    battle: Battle


def battles(story: Story) -> list[Fought]:
    """The attacks and raids of a story, oldest first."""
    fought: list[Fought] = []
    for no, event, _ in story.events():
        if isinstance(event, AttackDeclared | RaidBegun):
            fought.append(Fought(event.area, no, _declared(event, story.parts)))
        elif fought and not fought[-1].battle.over and (told := dict(_told(fought[-1].battle, event, story.parts))):
            fought[-1] = Fought(fought[-1].area, no, fought[-1].battle.model_copy(update=told))
    return fought


def name_of(side: str, parts: Parts) -> str:
    """What a power, a token or the face of a neutral marker is called."""
    if side in parts.tile:
        return parts.tile[side].name
    if home := next((home for home in parts.home_countries if home.id == side), None):
        return home.name
    return next(marker.face_name for marker in parts.country_counters if marker.face == side)


def _declared(event: AttackDeclared | RaidBegun, parts: Parts) -> Battle:
    """A battle that begins."""
    raid = isinstance(event, RaidBegun)
    attacker, defender = (event.token, event.target) if isinstance(event, RaidBegun) else (event.attacker, event.defender)
    strength = event.strength
    return Battle(
        attacker=_side(attacker, strength if raid else 0, parts), defender=_side(defender, 0 if raid else strength, parts),
        sender=name_of(event.sender, parts) if isinstance(event, RaidBegun) else "",
        surprise=isinstance(event, AttackDeclared) and event.surprise,
        war_office=isinstance(event, AttackDeclared) and event.war_office,
        declined="", support="", fights=(), exchanges=(), losses=(), over=False)


def _side(side: str, strength: int, parts: Parts) -> Side:
    if side == PIRATES:
        return Side(kind="pirates", power="", name=name_of(side, parts), strength=strength, helpers=())
    if side == REVOLT:
        return Side(kind="slave_revolt", power="", name=name_of(side, parts), strength=strength, helpers=())
    if side in parts.powers:
        return Side(kind="power", power=side, name=name_of(side, parts), strength=0, helpers=())
    return Side(kind="neutral", power="", name="Neutral marker", strength=strength, helpers=())


def _told(battle: Battle, event: Event, parts: Parts) -> Iterator[tuple[str, Any]]:
    """What an event changes in a battle: field and value."""
    match event:
        case HelpSent() if event.armies or event.navies:
            field, side = ("attacker", battle.attacker) if event.principal == battle.attacker.power else (
                "defender", battle.defender)
            helper = Helper(power=event.ally, name=name_of(event.ally, parts), armies=event.armies, navies=event.navies)
            yield field, side.model_copy(update={"helpers": (*side.helpers, helper)})
        case SeaDeclined():
            yield "declined", name_of(event.side, parts)
        case SupportGained():
            yield "support", name_of(event.side, parts)
        case StageBegun():
            yield "fights", (*battle.fights, Fight(stage=_stage(event.stage), throws=(), winner=""))
        case Thrown():
            *earlier, fight = battle.fights or (Fight(stage=_stage(event.stage), throws=(), winner=""),)
            throws = (*fight.throws, _throw(event))
            yield "fights", (*earlier, fight.model_copy(update={"throws": throws}))
        case ReservesUsed():
            *earlier, fight = battle.fights
            *stood, last = fight.throws
            throws = (*stood, last.model_copy(update={"again": event.side}))
            yield "fights", (*earlier, fight.model_copy(update={"throws": throws}))
        case FightDecided():
            *earlier, fight = battle.fights
            yield "fights", (*earlier, fight.model_copy(update={"winner": _winner(battle, event.winner)}))
        case MarkerTaken() | NeutralBeaten() | Captured() | CaptiveFreed():
            yield "exchanges", (*battle.exchanges, _exchange(event, parts))
        case UnitLost() | UnitWithdrawn():
            yield "losses", (*battle.losses, _loss(event, parts))
        case AttackEnded():
            yield "over", True


def _stage(stage: str) -> Literal["sea", "land"]:
    return "sea" if stage == "sea" else "land"


def _throw(event: Thrown) -> Throw:
    a, b, c, d = event.dice
    return Throw(attacker=_strength(event.parts[0], (a, b)), defender=_strength(event.parts[1], (c, d)), again="")


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


def _exchange(event: MarkerTaken | NeutralBeaten | Captured | CaptiveFreed, parts: Parts) -> Exchange:
    match event:
        case MarkerTaken():
            return Exchange(kind="taken", winner=event.winner, winner_name=name_of(event.winner, parts),
                            loser=event.loser, loser_name=name_of(event.loser, parts))
        case NeutralBeaten():
            marker = parts.neutral[event.marker]
            return Exchange(kind="neutral", winner=event.winner, winner_name=name_of(event.winner, parts),
                            loser="", loser_name=marker.face_name, gold=marker.gold, points=marker.vp)
        case Captured():
            return Exchange(kind="captured", winner=event.token, winner_name=name_of(event.token, parts),
                            loser=event.power, loser_name=name_of(event.power, parts))
        case CaptiveFreed():
            return Exchange(kind="freed", winner=event.winner, winner_name=name_of(event.winner, parts),
                            loser=event.owner, loser_name=name_of(event.owner, parts))


def _loss(event: UnitLost | UnitWithdrawn, parts: Parts) -> Loss:
    unit: Literal["army", "navy", "fort"] = "army" if event.unit == "army" else "navy" if event.unit == "navy" else "fort"
    fate: Literal["lost", "home", "kept"] = "lost" if isinstance(event, UnitLost) else "home" if event.goes_home else "kept"
    return Loss(power=event.owner, name=name_of(event.owner, parts), unit=unit, fate=fate)
