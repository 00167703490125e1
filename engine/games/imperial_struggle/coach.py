"""Hints for Imperial Struggle: what an answer changes on the board and what it costs, in words, by the judgement of the automatic
player."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.games.imperial_struggle.actions.advantages import SendHome, UseAdvantage
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import NONE, Choose
from engine.games.imperial_struggle.actions.military import BuildSquadron, BuyTile, ClearConflict, Deploy, Fortify
from engine.games.imperial_struggle.actions.ministries import RaiseUprising, Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.tiles import TakeTreatyPoint, Upgrade
from engine.games.imperial_struggle.actions.wars import Conquer, Refuse, TakeOff
from engine.games.imperial_struggle.components import REGIONS, Points, foe
from engine.games.imperial_struggle.judgement import GOODS, cleared, deployed, flagged, fortified, marked
from engine.games.imperial_struggle.player import Mind, considered
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Coach, Position
from engine.text import Text, count, text

CLOSE = 1.5             # of the player's measure by which an answer may look worse than the best and still be told
TOLD = 3                # changes of the board that are told of one answer
STRONGER = 0.4          # strength in a theater from which a change is told
KINDS: Mapping[Points, Text] = {"EP": text("economic"), "DP": text("diplomatic"), "MP": text("military")}


def reasons(position: Position[State], option: Action) -> Sequence[Text]:
    if not position.state.own:
        return []
    mind = Mind(position.state, position.state.power(position.seat))
    after = _after(mind, option)
    changes = [*_changes(mind, after)][:TOLD] if after is not None else []
    if after is not None and not changes:
        changes = [text("It decides nothing yet, but counts in the scorings to come.")]
    return [*changes, *_besides(mind, option), *_costs(mind, option)]


def _after(mind: Mind, option: Action) -> State | None:
    """The board as it would be; None if an answer changes something else."""
    s, side = mind.s, mind.side
    match option:
        case ShiftMarket() | ShiftPolitical():
            return flagged(s, option.space, "" if s.flags.get(option.space) else side)
        case BuyTile():
            return mind.with_tile(s, mind.best_theater())
        case Deploy():
            return deployed(s, side, option.origin, option.to)
        case Fortify():
            return fortified(s, side, option.space)
        case ClearConflict():
            return cleared(s, option.space)
        case SendHome():
            return flagged(s, option.space, "")
        case Conquer():
            return flagged(s, option.space, side)
        case TakeOff():
            return flagged(s, option.space, "")
        case Choose():
            return _chosen(mind, option.target)
        case UseAdvantage():
            return marked(s, option.target) if option.target else None
    return None


def _chosen(mind: Mind, target: str) -> State | None:
    """The board once one of several ids is chosen, where that changes it."""
    s, choice = mind.s, mind.s.choice
    if choice is None or target == NONE:
        return None
    number = next((theater.number for theater in mind.theaters if theater.id == target), None)
    if number is not None:
        return mind.with_tile(s, number)
    if target not in s.parts.space or choice.what in ("squadron", "conflict") or s.parts.space[target].type == "fort":
        return None
    return flagged(s, target, "" if s.flags.get(target) else mind.side)


def _changes(mind: Mind, after: State) -> Iterator[Text]:
    """Yield what another position changes for a side: awards, demand, prestige, advantages, the next war."""
    s = mind.s
    before, now = mind.leads(s)[0], mind.leads(after)[0]
    for place, region in enumerate(REGIONS):
        if now[place] == before[place]:
            continue
        if mind.this_turn and region in s.awards:
            tile = s.parts.award[s.awards[region]]
            yield text("You'd be {lead} in {region}. The award is worth {vp} VP and needs a lead of {need}.", region=region,
                       lead=_lead(now[place]), vp=tile.vp, need=tile.margin_needed)
        else:
            yield text("In {region} you would be {lead}.", region=region, lead=_lead(now[place]))
    for place, good in enumerate(s.parts.global_demand, GOODS):
        if now[place] != before[place] and mind.this_turn and good.commodity in s.demand:
            yield text("In {good}, which is in demand, you would be {lead}.", good=good.commodity, lead=_lead(now[place]))
    if now[mind.prestige] != before[mind.prestige]:
        yield text("In prestige spaces you would be {lead}.", lead=_lead(now[mind.prestige]))
    for advantage in s.parts.advantage:
        had, has = s.holders.get(advantage), after.holders.get(advantage)
        if has == mind.side != had:
            yield text("It brings you the advantage {advantage}.", advantage=advantage)
        elif had == foe(mind.side) != has:
            yield text("{foe} loses the advantage {advantage}.", foe=foe(mind.side), advantage=advantage)
    yield from _theaters(mind, after)


def _theaters(mind: Mind, after: State) -> Iterator[Text]:
    """Where another position makes a side stronger in the next war."""
    before, now = mind.ahead(mind.s), mind.ahead(after)
    for theater in now:
        if now[theater] - before[theater] >= STRONGER:
            yield text("It makes you stronger in {theater} in the next war.", theater=theater)


def _lead(ahead: int) -> Text:
    """By how much a side is ahead: "2 ahead", "level", "1 behind"."""
    if not ahead:
        return text("level")
    return text("{n} ahead", n=ahead) if ahead > 0 else text("{n} behind", n=-ahead)


def _besides(mind: Mind, option: Action) -> Iterator[Text]:
    """Yield what an answer brings that the board does not show."""
    match option:
        case TakeTile():
            yield from _tile(mind, option.tile)
        case PlayEvent():
            yield text("An event costs no points, and can't be played after a purchase.")
        case Reveal():
            yield text("Face up, it works for you until the era ends, but your opponent sees it.")
        case UseAbility():
            yield text("Your ministry lets you do this, and your opponent can't.")
        case UseAdvantage() if not option.target:
            yield text("It lowers your debt by 2.")
        case UseAdvantage():
            yield text("A space in conflict is cheaper to shift.")
        case DrawEvent():
            yield text("You can play the event for free with a later tile.")
        case BuildSquadron():
            yield text("A squadron can be deployed later where a theater or an advantage needs it.")
        case RaiseUprising():
            yield text("It brings victory points at once.")
        case Upgrade():
            yield text("You draw a tile, and keep it or the one that is there.")
        case TakeTreatyPoint():
            yield text("A treaty point pays for an action point later, without debt.")
        case Refuse():
            yield text("You keep a territory, which is worth more than the price.")
        case Pass():
            yield text("It lowers your debt by 2.")
        case EndRound():
            yield text("Nothing your remaining points could buy is worth it now.")


def _tile(mind: Mind, id: str) -> Iterator[Text]:
    tile = mind.s.parts.investment[id]
    major, minor = mind.filled(tile.major.ap, tile.major.points), mind.filled(tile.minor.ap, tile.minor.points, minor=True)
    yield text("Its {n} {kind} points can buy {worth} in the long run, its {more} {other} points {less}.", n=tile.major.points,
               kind=KINDS[tile.major.ap], worth=_vp(major), more=tile.minor.points, other=KINDS[tile.minor.ap], less=_vp(minor))
    if tile.event and mind.own.hand:
        yield text("It lets you play one of your events.")
    if tile.military_upgrade:
        yield text("It also upgrades a war tile.")


def _vp(worth: float) -> Text:
    return text("about {n} VP", n=round(worth)) if worth >= 0.5 else text("next to nothing")


def _costs(mind: Mind, option: Action) -> Iterator[Text]:
    if not isinstance(option, Buying):
        return
    if option.debt:
        yield text("It adds {debt}; you can still take {left} more.", debt=count(option.debt, "{n} debt", "{n} debt"),
                   left=max(0, mind.own.available - option.debt))
    if option.trp:
        yield count(option.trp, "It spends {n} treaty point.", "It spends {n} treaty points.")
    if isinstance(option, (ShiftMarket, ShiftPolitical)) and option.advantage:
        yield text("It uses up an advantage for this round.")


COACH = Coach[State](considered=considered, reasons=reasons, close=CLOSE)
