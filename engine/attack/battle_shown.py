"""Battles on land and at sea as their public events tell them, round by round, for a picture of one close up."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.attack.battle import BattleRolled, HalfBegun, UnitsBrought
from engine.attack.combat import AttackFailed, BattleBegun, CommandTaken, TerritoryCaptured
from engine.attack.naval import LinesShown, NavalBegun, NavalEnded, PairFought
from engine.attack.state import State, size
from engine.attack.view import Seen, Units
from engine.kernel import Event
from engine.refusals import Refusal
from engine.story import Story

Role: TypeAlias = Literal["attacker", "defender"]


class SideShown(Seen):
    """A side of a land battle as it began."""

    power: str                      # "neutral" for a territory without owner
    commander: str                  # who decided for it; "" is the engine
    units: Units
    line_up: Units


class HalfShown(Seen):
    """One side's phases of a round: what it brought, what it rolled, and what that destroyed."""

    side: Role
    brought: Units
    fighting: Units                 # that rolled
    reserve: Units                  # behind them
    dice: tuple[str, ...]           # none yet: the side is still asked
    hits: int
    losses: Units                   # of the other side
    too_many: int                   # hits that found nobody in battle (ATK-7.6.2)


class RoundShown(Seen):
    no: int
    halves: tuple[HalfShown, ...]   # the defender's first


class LandShown(Seen):
    """A land battle as far as it has come."""

    territory: str
    card: str                       # kind of the card that brought neutral defenders, or ""
    attacker: SideShown
    defender: SideShown
    rounds: tuple[RoundShown, ...] = ()
    winner: Literal["", "attacker", "defender"] = ""
    left: Units = Units()           # of the winner


class PairShown(Seen):
    """Two ships against each other, the attacker's first."""

    ships: tuple[str, str]
    dice: tuple[tuple[int, int], tuple[int, int]]
    modifiers: tuple[int, int]
    hit: Literal["", "attacker", "defender"]
    position: int                   # of the ship that was hit, from 1
    sunk: bool


class SeaRoundShown(Seen):
    """The lines of one round, the head first, and the pairs fought so far."""

    no: int
    attackers_line: tuple[str, ...]
    defenders_line: tuple[str, ...]
    pairs: tuple[PairShown, ...] = ()


class SeaShown(Seen):
    """A naval battle as far as it has come."""

    attacker: str
    defender: str                   # who controlled the sea lanes
    rounds: tuple[SeaRoundShown, ...] = ()
    winner: Literal["", "attacker", "defender"] = ""
    retreat: bool = False


@dataclass
class Fought:
    """A battle of a story."""

    last: int                       # the last row that told of it
    battle: LandShown | SeaShown


def battles(story: Story) -> list[Fought]:
    """The battles of a story, oldest first; what a story begins in the middle of is left out."""
    return told(story.events())


def told(events: Iterable[tuple[int, Event, State]]) -> list[Fought]:
    """The battles of these events, each with the number of its row and the state just after it."""
    fought: list[Fought] = []
    for no, event, state in events:
        if isinstance(event, BattleBegun | NavalBegun):
            fought.append(Fought(no, _begun(event, state)))
        elif fought and not (battle := fought[-1].battle).winner:
            after = _on_land(battle, event, state) if isinstance(battle, LandShown) else _at_sea(battle, event)
            if after is not None:
                fought[-1] = Fought(no, after)
    return fought


def last_battle(story: Story) -> LandShown | SeaShown:
    """The battle under way, or the last one. Raises Refusal if there was none."""
    fought = battles(story)
    if not fought:
        raise Refusal("No battle has been fought yet.")
    return fought[-1].battle


def _begun(event: BattleBegun | NavalBegun, s: State) -> LandShown | SeaShown:
    if isinstance(event, NavalBegun):
        return SeaShown(attacker=event.attacker, defender=event.defender)
    assert s.battle is not None, "a battle has begun"
    sides = [SideShown(power=side.power, commander=side.commander, units=Units(**side.reserve), line_up=Units())
             for side in (s.battle.attacker, s.battle.defender)]
    return LandShown(territory=event.territory, card=s.parts.card[event.card].kind if event.card else "", attacker=sides[0],
                     defender=sides[1])


def _on_land(battle: LandShown, event: Event, s: State) -> LandShown | None:
    """A battle after an event; None if it is no part of it."""
    match event:
        case CommandTaken():
            return battle.model_copy(update={"defender": battle.defender.model_copy(update={"commander": event.power})})
        case UnitsBrought(line_up=True):
            role = _role(battle, event.power)
            side = battle.attacker if role == "attacker" else battle.defender
            return battle.model_copy(update={role: side.model_copy(update={"line_up": Units(**event.units)})})
        case HalfBegun():
            half = _half(s, event.half, {})
            earlier = battle.rounds if event.half == "defender" else battle.rounds[:-1]
            halves = () if event.half == "defender" else battle.rounds[-1].halves
            return battle.model_copy(update={"rounds": (*earlier, RoundShown(no=event.round, halves=(*halves, half)))})
        case UnitsBrought():
            return _last_half(battle, _half(s, _role(battle, event.power), event.units))
        case BattleRolled():
            half = battle.rounds[-1].halves[-1].model_copy(update={
                "dice": event.dice, "hits": event.hits, "losses": Units(**event.losses),
                "too_many": event.hits - size(event.losses)})
            return _last_half(battle, half)
        case TerritoryCaptured():
            return battle.model_copy(update={"winner": "attacker", "left": Units(**event.units)})
        case AttackFailed():
            return battle.model_copy(update={"winner": "defender", "left": Units(**event.units)})
    return None


def _role(battle: LandShown, power: str) -> Role:
    return "attacker" if power == battle.attacker.power else "defender"


def _half(s: State, role: Role, brought: Mapping[str, int]) -> HalfShown:
    """The half of a round that is under way, before its roll."""
    assert s.battle is not None, "a battle is fought"
    side = s.battle.attacker if role == "attacker" else s.battle.defender
    return HalfShown(side=role, brought=Units(**brought), fighting=Units(**side.fighting), reserve=Units(**side.reserve),
                     dice=(), hits=0, losses=Units(), too_many=0)


def _last_half(battle: LandShown, half: HalfShown) -> LandShown:
    """A battle whose last half is now this."""
    *earlier, last = battle.rounds
    return battle.model_copy(update={"rounds": (*earlier, last.model_copy(update={"halves": (*last.halves[:-1], half)}))})


def _at_sea(battle: SeaShown, event: Event) -> SeaShown | None:
    """A naval battle after an event; None if it is no part of it."""
    match event:
        case LinesShown():
            shown = SeaRoundShown(no=event.round, attackers_line=event.lines[battle.attacker],
                                  defenders_line=event.lines[battle.defender])
            return battle.model_copy(update={"rounds": (*battle.rounds, shown)})
        case PairFought():
            *earlier, last = battle.rounds
            a, b = battle.attacker, battle.defender
            pair = PairShown(ships=(event.ships[a], event.ships[b]), dice=(event.dice[a], event.dice[b]),
                             modifiers=(event.modifiers[a], event.modifiers[b]), position=event.position, sunk=event.sunk,
                             hit="" if not event.hit else "attacker" if event.hit == battle.attacker else "defender")
            return battle.model_copy(update={"rounds": (*earlier, last.model_copy(update={"pairs": (*last.pairs, pair)}))})
        case NavalEnded():
            return battle.model_copy(update={"winner": "attacker" if event.winner == battle.attacker else "defender",
                                             "retreat": event.retreat})
    return None
