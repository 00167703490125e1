"""From a story to what each picture shows. Public scenes are made from public views and public events, whoever looks; only the
board holds what its reader alone may see."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from engine.games.attack.components import Parts
from engine.games.attack.pictures import scenes as sc
from engine.games.attack.rules.battle import BattleRolled, Bring, HalfBegun, UnitsBrought
from engine.games.attack.rules.combat import Attack, AttackFailed, BattleBegun, CommandTaken, SpoilsTaken, TerritoryCaptured
from engine.games.attack.rules.crossings import Fly, Permit, open_crossings
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import GameEnded
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import LinesShown, NavalBegun, NavalEnded, PairFought
from engine.games.attack.rules.naval_lines import length
from engine.games.attack.rules.setup import Capital, Claim, Deploy, PhaseBegun
from engine.games.attack.rules.turns import Begin, TurnEnded
from engine.games.attack.state import BLITZ, MOVEMENT, NEUTRAL, NavalBattle, Side, State, TurnState, size
from engine.games.attack.view import Units, View, view
from engine.kernel import Action, Event, Seat
from engine.kernel.game_spec import MANY, Picture, Replay
from engine.refusals import Refusal
from engine.text import Text, say, template, text, verbatim

TITLE = "Attack!"
DEEDS: tuple[sc.Deed, ...] = get_args(sc.Deed)
OTHER: sc.Deed = "other"
CHOICES = 25            # subjects that a menu can offer
LAST = "last"           # the subject of a battle that need not be new
SideName = Literal["attacker", "defender"]


# --- what several scenes share ----------------------------------------------------------------------------

def _people(story: Replay, s: State) -> sc.People:
    """Whose player is called what, in seat order."""
    named = [(s.power(Seat(seat)), story.people.get(Seat(seat), "")) for seat in s.seats]
    return tuple((power, name) for power, name in named if name)


def _when(s: State) -> str:
    return say(text("The game is over") if s.phase == "over" else text("Round {n}", n=s.round))


def _name(power: str) -> str:
    return template("Neutral defenders") if power == NEUTRAL else power.capitalize()


# --- the board --------------------------------------------------------------------------------------------

def board(story: Replay) -> sc.Board:
    """The board for the story's reader: with what is new since the last look, and where a seat may act now."""
    s, known = story.end(), story.known()
    now, before = view(s, story.seat), view(known, story.seat) if known is not None else None
    ways = _ways(story.options, s, s.power(story.seat)) if story.seat is not None else ()
    return sc.Board(now=now, before=before if before != now else None, ways=ways, people=_people(story, s))


def numbers(parts: Parts) -> Mapping[str, int]:
    """The territories with their numbers on one's own board, in the order of the data."""
    return {land.id: number for number, land in enumerate(parts.territories, 1)}


def _ways(options: tuple[Action, ...], s: State, power: str) -> tuple[sc.Way, ...]:
    """Return what these answers of a power would do in each territory, and the territories from which a movement could begin.

    Where a menu needs numbers for some of them now, or will for a movement, all have theirs.
    """
    found: dict[str, set[sc.Deed]] = {}
    for option in options:
        for territory, deed in _deeds(option, s, power):
            found.setdefault(territory, set()).add(deed)
    if any(isinstance(option, Begin) and option.action in (MOVEMENT, BLITZ) for option in options):
        for land in s.territories(power):
            found.setdefault(land, set())
    known = numbers(s.parts) if len(found) >= MANY else {}
    return tuple(sc.Way(territory=land.id, number=known.get(land.id, 0),
                        deeds=tuple(deed for deed in DEEDS if deed in found[land.id]))
                 for land in s.parts.territories if land.id in found)


def _deeds(option: Action, s: State, power: str) -> Iterator[tuple[str, sc.Deed]]:
    """Where an answer acts and what it does there; a place that is no territory is left out by the caller."""
    match option:
        case Begin(action=action) if action in (MOVEMENT, BLITZ):
            begun = s.model_copy(update={"turn": TurnState(action=action, taken=s.turn.taken)})
            for land in dict.fromkeys(move.to for move in Move.options(begun, s.seat(power))):
                if s.owner.get(land) != power:
                    yield land, "attack"
        case Move():
            yield option.to, "move" if s.owner.get(option.to) == power else "attack"
        case Attack():
            yield option.territory, "attack"
        case Claim():
            yield option.territory, "claim"
        case Deploy():
            yield option.territory, "place"
        case Capital():
            yield option.territory, "capital"
        case Diplomacy():
            yield option.territory, "diplomacy"
        case Permit():                      # of a deal it has no place
            yield from [(crossing.to, OTHER) for crossing in open_crossings(s)]
        case Fly():
            yield s.turn.crossings[0].to, "other"
        case Bring() if s.battle is not None:
            yield s.battle.territory, OTHER


# --- a land battle ------------------------------------------------------------------------------------------

@dataclass
class Fought:
    """A land battle of a story, as far as it has come."""

    no: int                             # the last row that told of it
    territory: str
    card: str
    sides: dict[SideName, Side]         # as they are now
    force: dict[SideName, Units]        # at the beginning
    line_up: dict[SideName, Units] = field(default_factory=dict)
    rounds: list[sc.Round] = field(default_factory=list)
    winner: SideName | Literal[""] = ""
    spoils: bool = False

    def side_of(self, power: str) -> SideName:
        return "attacker" if power == self.sides["attacker"].power else "defender"


def battles(story: Replay) -> list[Fought]:
    """The land battles that begin in a story, oldest first."""
    found: list[Fought] = []
    for no, event, state in story.events():
        s: State = state
        if isinstance(event, BattleBegun):
            assert s.battle is not None, "a battle has begun"
            sides: dict[SideName, Side] = {"attacker": s.battle.attacker, "defender": s.battle.defender}
            card = s.parts.card[event.card].kind if event.card else ""
            found.append(Fought(no, event.territory, card, sides, {name: Units(**side.reserve) for name, side in sides.items()}))
        elif found and _goes_on(found[-1], event):
            found[-1].no = no
            if s.battle is not None:
                found[-1].sides = {"attacker": s.battle.attacker.model_copy(deep=True),
                                   "defender": s.battle.defender.model_copy(deep=True)}
            _tell(found[-1], event)
    return found


def _goes_on(fought: Fought, event: Event) -> bool:
    if fought.winner:
        return isinstance(event, SpoilsTaken)
    return isinstance(event, CommandTaken | UnitsBrought | HalfBegun | BattleRolled | TerritoryCaptured | AttackFailed)


def _tell(fought: Fought, event: Event) -> None:
    match event:
        case UnitsBrought(line_up=True):
            fought.line_up[fought.side_of(event.power)] = Units(**event.units)
        case UnitsBrought():
            _half(fought, brought=Units(**event.units), fighting=Units(**fought.sides[fought.side_of(event.power)].fighting))
        case HalfBegun():
            if not fought.rounds or fought.rounds[-1].number != event.round:
                fought.rounds.append(sc.Round(number=event.round, halves=()))
            last, fighting = fought.rounds[-1], Units(**fought.sides[event.half].fighting)
            half = sc.Half(side=event.half, brought=Units(), fighting=fighting, dice=(), scored=(), hits=0, losses=Units())
            fought.rounds[-1] = last.model_copy(update={"halves": (*last.halves, half)})
        case BattleRolled():
            fighting = fought.rounds[-1].halves[-1].fighting
            _half(fought, dice=event.dice, scored=matched(event.dice, fighting.model_dump()), hits=event.hits,
                  losses=Units(**event.losses))
        case TerritoryCaptured():
            fought.winner = "attacker"
        case AttackFailed():
            fought.winner = "defender"
        case SpoilsTaken():
            fought.spoils = True


def _half(fought: Fought, **changes: object) -> None:
    last = fought.rounds[-1]
    *earlier, half = last.halves
    fought.rounds[-1] = last.model_copy(update={"halves": (*earlier, half.model_copy(update=changes))})


def matched(dice: tuple[str, ...], fighting: Mapping[str, int]) -> tuple[bool, ...]:
    """Of each die, whether a unit in battle can be matched to it: the first ones of a type are [ATK-7.5.1, 7.5.2]."""
    return tuple(dice[:n].count(face) < fighting.get(face, 0) for n, face in enumerate(dice))


def the_last(parts: Parts) -> Mapping[str, Text]:
    return {LAST: text("The last one, new or not")}


def fresh_battles(story: Replay) -> list[str]:
    """Each land battle that is new to the reader, by its place among those of the story."""
    return [str(n) for n, one in enumerate(battles(story)) if one.no > story.since or not one.winner]


def battle(story: Replay) -> sc.Battle:
    """The land battle under way, or the last one since the reader's last look; with a subject the last one, new or not, or the
    one at that place among those of the story."""
    fought, places = battles(story), fresh_battles(story)
    place = story.subject if story.subject.isdecimal() and int(story.subject) < len(fought) else ""
    if not (fought if story.subject else places):
        raise Refusal("There has been no land battle yet.")
    s: State = story.end()
    last = fought[int(place)] if place else fought[-1]
    return sc.Battle(
        title=TITLE, when=_when(s), territory=last.territory, name=s.parts.territory[last.territory].name,
        land=view(s, None).territories, attacker=_fighter(last, "attacker"), defender=_fighter(last, "defender"), card=last.card,
        rounds=tuple(last.rounds), winner=last.winner, spoils=last.spoils,
        more=0 if place else max(0, len(places) - 1), people=_people(story, s))


def _fighter(fought: Fought, name: SideName) -> sc.Fighter:
    side = fought.sides[name]
    commander = _name(side.commander) if side.commander not in ("", side.power) else ""
    return sc.Fighter(power=side.power, name=_name(side.power), commander=commander, force=fought.force[name],
                      line_up=fought.line_up.get(name, Units()), fighting=Units(**side.fighting), reserve=Units(**side.reserve),
                      lost=Units(**side.lost))


# --- a naval battle -------------------------------------------------------------------------------------------

@dataclass
class Sailed:
    """A naval battle of a story, as far as it has come."""

    no: int                             # the last row that told of it
    attacker: str
    defender: str
    fit: dict[str, int]
    rounds: list[sc.NavalRound] = field(default_factory=list)
    winner: str = ""
    retreat: bool = False


def naval_battles(story: Replay) -> Iterator[Sailed]:
    """The naval battles that begin in a story, oldest first."""
    last: Sailed | None = None
    for no, event, state in story.events():
        s: State = state
        match event:
            case NavalBegun():
                if last is not None:
                    yield last
                last = Sailed(no, event.attacker, event.defender, {})
            case LinesShown() if last is not None and s.naval is not None:
                last.rounds.append(_lines(s.naval, ()))
            case PairFought() if last is not None and s.naval is not None:
                pairs = (*last.rounds[-1].pairs, _pair(event, last))
                last.rounds[-1] = _lines(s.naval, pairs)
            case NavalEnded() if last is not None:
                last.winner, last.retreat = event.winner, event.retreat
            case _:
                continue
        if last is not None:
            last.no = no
            last.fit = {power: size(s.fit(power)) for power in (last.attacker, last.defender)}
    if last is not None:
        yield last


def _lines(naval: NavalBattle, pairs: tuple[sc.Pair, ...]) -> sc.NavalRound:
    def line(power: str) -> tuple[sc.Vessel, ...]:
        return tuple(sc.Vessel(ship=vessel.ship, hits=vessel.hits, sunk=vessel.sunk) for vessel in naval.lines[power])

    return sc.NavalRound(number=naval.round, attackers_line=line(naval.attacker), defenders_line=line(naval.defender),
                         pairs=pairs)


def _pair(event: PairFought, sailed: Sailed) -> sc.Pair:
    def shot(power: str) -> sc.Shot:
        dice, modifier = event.dice[power], event.modifiers[power]
        return sc.Shot(ship=event.ships[power], dice=dice, modifier=modifier, total=sum(dice) + modifier)

    hit: SideName | Literal[""] = "" if not event.hit else "attacker" if event.hit == sailed.attacker else "defender"
    return sc.Pair(attacker=shot(sailed.attacker), defender=shot(sailed.defender), hit=hit, position=event.position,
                   ship=event.ship,
                   sunk=event.sunk)


def fresh_naval_battles(story: Replay) -> list[str]:
    """Each naval battle that is new to the reader, by its place among those of the story."""
    return [str(n) for n, one in enumerate(naval_battles(story)) if one.no > story.since or not one.winner]


def naval(story: Replay) -> sc.Naval:
    """The naval battle under way, or the last one since the reader's last look; with a subject the last one, new or not, or the
    one at that place among those of the story."""
    sailed = list(naval_battles(story))
    place = story.subject if story.subject.isdecimal() and int(story.subject) < len(sailed) else ""
    if not any(story.subject or one.no > story.since or not one.winner for one in sailed):
        raise Refusal("There has been no naval battle yet.")
    s: State = story.end()
    last = sailed[int(place)] if place else sailed[-1]

    def navy(power: str) -> sc.Navy:
        lying = length(s, power) if s.naval is not None and not last.rounds else 0
        return sc.Navy(power=power, name=_name(power), fit=last.fit[power], lying=lying)

    winner: SideName | Literal[""] = "" if not last.winner else "attacker" if last.winner == last.attacker else "defender"
    return sc.Naval(title=TITLE, when=_when(s), attacker=navy(last.attacker), defender=navy(last.defender),
                    rounds=tuple(last.rounds), winner=winner, retreat=last.retreat, people=_people(story, s))


# --- recap --------------------------------------------------------------------------------------------------------

def rounds(parts: Parts) -> Mapping[str, Text]:
    return {f"round_{number}": text("Round {round}", round=number) for number in range(1, CHOICES + 1)}


def recap(story: Replay) -> sc.Film:
    """A round, turn by turn; the round of the last turn that is over, if there is no subject."""
    frames, s = _frames(story), story.end()
    if story.subject and story.subject not in rounds(s.parts):
        raise Refusal("There is no round {round}.", round=verbatim(story.subject))
    number = int(story.subject.removeprefix("round_")) if story.subject else frames[-1][0] if frames else 0
    wanted = [index for index, (round, _) in enumerate(frames) if number and round == number]
    if not wanted:
        raise Refusal("There is nothing to recap yet. A recap shows the board after each turn of a round.")
    now, people = view(s, None), _people(story, s)
    boards = [sc.Board(now=frames[index][1], before=frames[index - 1][1] if index else None, people=people) for index in wanted]
    if wanted[-1] == len(frames) - 1 and now.round == number and boards[-1].now != now:
        boards.append(sc.Board(now=now, before=boards[-1].now, people=people))
    return sc.Film(frames=tuple(boards))


def _frames(story: Replay) -> list[tuple[int, View]]:
    """The board after the setup (round 0) and after each turn, with the round of that turn."""
    frames: list[tuple[int, View]] = []
    round = 1               # before the event
    for _, event, state in story.events():
        s: State = state
        match event:
            case PhaseBegun(phase="turn"):
                frames.append((0, view(s, None)))
            case TurnEnded() | GameEnded():
                frames.append((round, view(s, None)))
        round = s.round
    return frames


PICTURES = (
    Picture(key="board", title="Board", scene=board, posted=True, private=True),
    Picture(key="closeup", title="Land battle", scene=battle, subjects=the_last, posted=True, news=fresh_battles,
            after=(BattleBegun,)),
    Picture(key="recap", title="Recap", scene=recap, subjects=rounds, whole=True, after=(TurnEnded, GameEnded)),
    Picture(key="naval", title="Naval battle", scene=naval, subjects=the_last, posted=True, news=fresh_naval_battles,
            after=(NavalBegun,)))
