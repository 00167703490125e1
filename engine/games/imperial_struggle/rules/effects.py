"""Chapter 13: what event cards do, a function for each kind of step; `PERFORM` lists them.

Everything is carried out at once, in full and in the order of the text, targets one after the other [IS-13.6, 13.16].
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.games.imperial_struggle.actions.advantages import SendHome, free_targets
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.military import BuildSquadron
from engine.games.imperial_struggle.actions.shifts import ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.components import SIDES, SPAIN, Points, Side, effects as fx, foe
from engine.games.imperial_struggle.events.cards import (
    AdvantageExhausted,
    AdvantageOwed,
    AdvantageRefreshed,
    BonusTileReturned,
    ByngPlaced,
    DemandAdded,
    DemandDrawn,
    DemandReplaced,
)
from engine.games.imperial_struggle.events.points import ModifierGained
from engine.games.imperial_struggle.rules import control, tiles
from engine.games.imperial_struggle.rules.advantage_uses import use_freely
from engine.games.imperial_struggle.rules.advantages import blocking
from engine.games.imperial_struggle.rules.choices import choose, drawn
from engine.games.imperial_struggle.rules.conditions import counted, holds
from engine.games.imperial_struggle.rules.filters import fitting
from engine.games.imperial_struggle.rules.money import change_debt, gain_trp, move_limit, repay, score
from engine.games.imperial_struggle.rules.points import grant
from engine.games.imperial_struggle.rules.scoring import score_good
from engine.games.imperial_struggle.state import TURN_6, Limit, Modifier, State
from engine.kernel import Game, Script, Seat
from engine.text import Fact, template

NAVY_BOX = "navy_box"
GOES_TO = {"squadron_to_navy_box": NAVY_BOX, "squadron_to_turn_track": "away", "squadron_remove_from_game": "gone"}
WHICH_EFFECT = template("{card}: which effect?")
WHERE_MARKER = template("{card}: where does the conflict marker go?")
WHICH_FLAG = template("{card}: which flag comes off?")
WHICH_OWN = template("{card}: which flag of your own comes off?")
WHICH_SHIFT = template("{card}: which space do you shift?")
WHICH_TAKEN = template("{card}: which space do you take?")
WHICH_FORT = template("{card}: which fort is damaged?")
WHICH_SQUADRON = template("{card}: which squadron goes?")
WHICH_ADVANTAGE = template("{card}: which advantage?")
WHICH_THEATER = template("{card}: which theater?")
WHICH_GOOD = template("{card}: which good?")
WHICH_GOES = template("{card}: {good} is now in demand. Which good does it replace?")
POINTS_INSTEAD = template("{card}: take {points} EP instead of the debt you couldn't lower?")
LOSE_ONE = template("{card}: damage a fort, send a squadron to the Navy Box, or return a bonus tile.")
POINT, LOSS, THEATER = "IS-18.10", "IS-18.11", "IS-18.26"


@dataclass
class Play:
    """An event while it is carried out."""

    g: Game[State]
    side: Side
    card: str
    at_limit: frozenset[Side] = field(default_factory=frozenset)        # whose debt equalled its limit before it began
    done: bool = False                                                  # whether the step before was carried out

    @property
    def s(self) -> State:
        return self.g.state

    def holds(self, wanted: fx.Condition) -> bool:
        """True if a condition holds now [IS-13.7]."""
        match wanted:
            case fx.PreviousStepDone():
                return self.done
            case fx.WasAtDebtLimit():
                return self.who(wanted.side) in self.at_limit
        return holds(self.s, self.side, wanted)

    def who(self, name: fx.Who) -> Side:
        match name:
            case "self":
                return self.side
            case "opponent":
                return foe(self.side)
        return name


def _choice(now: Play, targets: Iterable[str], prompt: str, what: str, *, point: str = POINT, optional: bool = False,
            default: str = "", about: Mapping[str, Fact] = {}) -> Script[str]:
    """What the acting side chooses for this card; "" for nothing."""
    return (yield from choose(now.g, now.side, targets, point=point, prompt=prompt, what=what, source=now.card,
                              optional=optional, secret=False, default=default, **{"card": now.card, **about}))


def play(g: Game[State], side: Side, card: str, steps: Sequence[fx.Effect], at_limit: frozenset[Side]) -> Script[None]:
    """Carry out the steps of a base effect or of a bonus, one after the other."""
    now = Play(g, side, card, at_limit)
    yield from _perform(now, steps)


def at_debt_limit(s: State) -> frozenset[Side]:
    return frozenset(side for side in SIDES if s.own[side].debt == s.own[side].limit)


def _perform(now: Play, steps: Iterable[fx.Effect]) -> Script[None]:
    for step in steps:
        if isinstance(step, fx.If):
            yield from _perform(now, step.then if now.holds(step.condition) else step.others)
        elif step.condition is None or now.holds(step.condition):
            yield from PERFORM[type(step)](now, step)


# --- choices inside a card ----------------------------------------------------------------------------------------

def _choose_one(now: Play, step: fx.ChooseOne) -> Script[None]:
    """The acting side picks an option; one without a target only if no option has one [IS-13.15]."""
    options = {fx.option_name(option): option for option in step.options}
    able = [name for name, option in options.items() if _has_target(now, option)]
    others = [name for name, option in options.items() if not (isinstance(option, fx.ChangeTreatyPoints) and option.requires)]
    default = "spend_trp" if "spend_trp" in able else ""                            # IS-18.32, event 25
    chosen = yield from _choice(now, able or others, WHICH_EFFECT, "effect", default=default)
    if chosen:
        yield from _perform(now, (options[chosen],))


def _has_target(now: Play, option: fx.Effect) -> bool:
    match option:
        case fx.DamageFort():
            return bool(_forts(now, option))
        case fx.ShiftOrTake():
            return bool(_not_own(now, option))
        case fx.PlaceConflict():
            return bool(_markable(now, option))
        case fx.ChangeDebt():
            return bool(now.s.own[now.side].available)
        case fx.ChangeTreatyPoints():
            return now.s.own[now.side].trp + option.amount >= 0
    return True


# --- points -------------------------------------------------------------------------------------------------------

def _grant(now: Play, step: fx.GrantPoints) -> Script[None]:
    """Action points for this round, with their limit [IS-5.6.2]."""
    limit = Limit(**dict(step.only_for)) if step.only_for is not None else None
    grant(now.g, step.kind, counted(now.s, now.side, step.number), now.card, limit)
    yield from ()


def _modify_cost(now: Play, step: fx.ModifyCost) -> Script[None]:
    """A price changes until the round ends, or for so many purchases [events 4 and 17]."""
    kind: Points = "MP" if step.action == "construct_squadron" else "DP"
    now.g.emit(ModifierGained(modifier=Modifier(
        source=now.card, action=step.action, amount=step.amount, kind=kind, countries=list(step.filter.countries),
        flag=step.filter.flag, uses=step.uses)))
    yield from ()


def _repay_or_points(now: Play, step: fx.RepayOrPoints) -> Script[None]:
    """Repay, and take points for what cannot be repaid [event 8, IS-9.7]."""
    left = step.amount - repay(now.g, now.side, step.amount, now.card)
    if left and (yield from _choice(now, [step.ap_kind], POINTS_INSTEAD, "points", optional=True, about={"points": left})):
        grant(now.g, step.ap_kind, left, now.card)


# --- victory points, debt, treaty points --------------------------------------------------------------------------

def _score(now: Play, step: fx.ScorePoints) -> Script[None]:
    points = counted(now.s, now.side, step.number)
    if step.plus is not None and now.holds(step.plus.condition):
        points += step.plus.points
    score(now.g, now.side, points, now.card)
    yield from ()


def _debt(now: Play, step: fx.ChangeDebt) -> Script[None]:
    change_debt(now.g, now.who(step.who), step.amount, now.card)
    yield from ()


def _debt_limit(now: Play, step: fx.ChangeDebtLimit) -> Script[None]:
    move_limit(now.g, now.who(step.who), step.amount, now.card)
    yield from ()


def _treaty_points(now: Play, step: fx.ChangeTreatyPoints) -> Script[None]:
    gain_trp(now.g, now.who(step.who), step.amount, now.card)
    yield from ()


# --- the board ----------------------------------------------------------------------------------------------------

def _markable(now: Play, step: fx.PlaceConflict) -> list[str]:
    return [space for space in fitting(now.s, now.side, step.filter) if control.can_be_marked(now.s, space)]


def _mark(now: Play, step: fx.PlaceConflict) -> Script[None]:
    """Conflict markers, as many as fit [IS-13.12]."""
    for _ in range(counted(now.s, now.side, step.number)):
        space = yield from _choice(now, _markable(now, step), WHERE_MARKER, "conflict", optional=step.optional)
        if not space:
            return
        control.place_conflict(now.g, space, step.removal_surcharge)


def _unflag(now: Play, step: fx.Unflag) -> Script[None]:
    """Opposing flags come off; never an own one [IS-13.9]."""
    for _ in range(step.count):
        able = fitting(now.s, now.side, step.filter)
        if step.constraint:
            able = [space for space in able if not control.newly_isolated(now.s, [space])]
        space = yield from _choice(now, able, WHICH_FLAG, "unflag")
        if space:
            control.unflag(now.g, space)


def _remove_flag(now: Play, step: fx.RemoveFlag) -> Script[None]:
    """Flags of the named owner come off, own ones too [IS-2.4.8, 13.9]."""
    owner = now.who(step.owner)
    owners = (owner,) if owner == now.side else (owner, SPAIN)
    able = [space for space in fitting(now.s, now.side, step.filter) if now.s.flags.get(space) in owners]
    if step.count == "all":
        for space in able:
            control.unflag(now.g, space)
        return
    space = yield from _choice(now, able, WHICH_OWN if owner == now.side else WHICH_FLAG, "unflag")
    if space:
        control.unflag(now.g, space)


def _not_own(now: Play, step: fx.ShiftOrTake) -> list[str]:
    return [space for space in fitting(now.s, now.side, step.filter) if not now.s.controls(now.side, space)]


def _shift_or_take(now: Play, step: fx.ShiftOrTake) -> Script[None]:
    if step.op == "shift":
        if space := (yield from _choice(now, _not_own(now, step), WHICH_SHIFT, "shift")):
            control.shift(now.g, now.side, space)
    elif space := (yield from _choice(now, _not_own(now, step), WHICH_TAKEN, "take")):
        control.take_control(now.g, now.side, space)


def _forts(now: Play, step: fx.DamageFort) -> list[str]:
    return control.sound_forts(now.s, foe(now.side), [step.filter.region])


def _damage_fort(now: Play, step: fx.DamageFort) -> Script[None]:
    fort = yield from _choice(now, _forts(now, step), WHICH_FORT, "fort")
    if fort:
        control.damage_fort(now.g, fort)


# --- squadrons ----------------------------------------------------------------------------------------------------

def _send_squadron(now: Play, step: fx.SendSquadron) -> Script[None]:
    """A squadron of the named side, on the map or in the Navy Box, goes away; the acting side chooses which."""
    owner, box = now.who(step.owner), GOES_TO[step.op]
    able = [*now.s.squadrons(owner), *([NAVY_BOX] if NAVY_BOX in step.origins and now.s.own[owner].navy_box else [])]
    origin = yield from _choice(now, able, WHICH_SQUADRON, "squadron")
    now.done = bool(origin)
    if origin:
        lasting = box == "away" and now.s.turn == TURN_6                # no peace turn follows [events 18 and 25]
        control.move_squadron(now.g, owner, origin, "gone" if lasting else box)


def _construct(now: Play, step: fx.ConstructSquadron) -> Script[None]:
    owner = now.who(step.owner)
    now.done = now.s.own[owner].unbuilt > 0
    if now.done:
        control.move_squadron(now.g, owner, "unbuilt", NAVY_BOX)
    yield from ()


# --- advantages ---------------------------------------------------------------------------------------------------

def _activate(now: Play, step: fx.ActivateAdvantage) -> Script[None]:
    """Use an advantage, even an exhausted one [events 6 and 33, IS-11.11, 11.12]."""
    s, side, wanted = now.s, now.side, step.filter
    able = [tile.id for tile in s.parts.advantages if s.holders.get(tile.id) == side
            and wanted.region in ("", tile.region) and tile.region != wanted.not_region
            and (step.ignore_gained_this_round or tile.id not in s.current.gained) and not blocking(s, tile.id)
            and (free_targets(s, side, tile.id) or _can_buy(s, side, tile.id))]
    advantage = yield from _choice(now, able, WHICH_ADVANTAGE, "advantage")
    if not advantage:
        return
    targets = free_targets(s, side, advantage)
    if not targets:
        now.g.emit(AdvantageOwed(side=side, advantage=advantage))
        return
    target = "" if targets == [""] else (yield from _choice(now, targets, WHERE_MARKER, "conflict"))
    use_freely(now.g, side, advantage, target, exhausts=False)


def purchases_with(s: State, seat: Seat, advantage: str) -> Iterator[Buying]:
    """The purchases by which an advantage that an event has brought into use can be used now [IS-11.12]."""
    for kind in (ShiftMarket, ShiftPolitical):
        for shifting in kind.options(s, seat):
            if shifting.advantage == advantage:
                yield shifting
    for building in BuildSquadron.options(s, seat):
        if building.aid == advantage:
            yield building
    for bastion in SendHome.options(s, seat):
        if bastion.needs == advantage:
            yield bastion


def _can_buy(s: State, side: Side, advantage: str) -> bool:
    """True if a purchase with this advantage could be paid, if it came next [IS-11.12]."""
    supposed = s.model_copy(update={"round": s.current.model_copy(update={"owed": advantage})})
    return next(purchases_with(supposed, s.seat(side), advantage), None) is not None


def _turn_advantages(now: Play, step: fx.TurnAdvantages) -> Script[None]:
    """Advantages of one's own become usable again, or any are exhausted without being used [events 17 and 34, IS-R-28]."""
    s, exhausts = now.s, step.op == "exhaust_advantage"
    for _ in range(step.count):
        able = ([tile.id for tile in s.parts.advantages if tile.id not in s.exhausted] if exhausts else
                [advantage for advantage in s.held_advantages(now.side) if advantage in s.exhausted
                 and s.parts.advantage[advantage].region == step.filter.region])
        advantage = yield from _choice(now, able, WHICH_ADVANTAGE, "advantage", optional=True)
        if not advantage:
            return
        now.g.emit((AdvantageExhausted if exhausts else AdvantageRefreshed)(advantage=advantage))


# --- demand -------------------------------------------------------------------------------------------------------

def _score_good(now: Play, step: fx.ScoreGood) -> Script[None]:
    """One row of the global demand may be scored now [event 11, IS-R-52]."""
    good = yield from _choice(now, [step.commodity], WHICH_GOOD, "good", optional=True)
    if good:
        score_good(now.g, good, counts_for_sweep=False)


def _add_demand(now: Play, step: fx.AddDemand) -> Script[None]:
    able = [good for good in step.options if good not in now.s.demand]
    good = yield from _choice(now, able, WHICH_GOOD, "good", optional=True)
    if good:
        now.g.emit(DemandAdded(good=good))


def _replace_demand(now: Play, step: fx.ReplaceDemand) -> Script[None]:
    """A good that is not in demand is drawn and takes the place of another one [event 21]."""
    s = now.s
    unused = [good.commodity for good in s.parts.global_demand if good.commodity not in s.demand]
    for good in (yield from drawn(unused, step.draw, why="demand", card=now.card, turn=s.turn, round=s.ar)):
        now.g.emit(DemandDrawn(good=good))
        instead = yield from _choice(now, list(s.demand), WHICH_GOES, "good", about={"good": good})
        if instead:
            now.g.emit(DemandReplaced(good=good, instead=instead))


# --- war tiles ----------------------------------------------------------------------------------------------------

def _draw_tiles(now: Play, step: fx.DrawBonusTiles) -> Script[None]:
    """Bonus tiles of the next war, one after the other, while there is room [IS-8.1.6; events 14 and 41]."""
    war = now.s.next_war
    if war is None:
        return
    theater = None
    if step.theater_name is not None:
        theater = next((theater.number for theater in war.theaters if theater.name == step.theater_name), None)
        if theater is None:
            return
    for _ in range(counted(now.s, now.side, step.number)):
        if not tiles.can_gain(now.s, now.side):
            return
        yield from tiles.gain_bonus(now.g, now.side, theater)


def _send_tile_back(now: Play, step: fx.ReturnBonusTile) -> Script[None]:
    """A bonus tile of the other side goes back to its pool, chosen blind [event 7].

    The theater is chosen; of two tiles there, chance takes one.
    """
    s, war = now.s, now.s.next_war
    owner = now.who(step.side)
    if war is None:
        return
    standing = {theater.id: theater.number for theater in war.theaters if s.bonus_tiles(owner, theater.number)}
    chosen = yield from _choice(now, standing, WHICH_THEATER, "theater")
    if not chosen:
        return
    theater = standing[chosen]
    found = s.bonus_tiles(owner, theater)
    if len(found) > 1:
        found = yield from drawn(found, 1, why="tile_back", card=now.card, theater=theater, turn=s.turn)
    now.g.emit(BonusTileReturned(side=owner, tile=found[0], theater=theater))


def _place_byng(now: Play, step: fx.PlaceByng) -> Script[None]:
    """The Byng tile goes into a theater of the next war that counts squadrons [event 18, IS-R-50]."""
    war = now.s.next_war
    able = {theater.id: theater.number for theater in war.theaters if theater.counts_squadrons} if war is not None else {}
    theater = yield from _choice(now, able, WHICH_THEATER, "theater", point=THEATER)
    if theater:
        now.g.emit(ByngPlaced(theater=theater, number=able[theater]))


def _standing(s: State, side: Side) -> dict[str, int]:
    theaters = s.next_war.theaters if s.next_war is not None else ()
    return {tile: theater.number for theater in theaters for tile in s.bonus_tiles(side, theater.number)}


def _opponent_loses(now: Play, step: fx.OpponentLoses) -> Script[None]:
    """The opponent damages a fort, sends a squadron home or returns a bonus tile, as it likes [event 12, IS-18.11]."""
    s, loser = now.s, foe(now.side)
    forts, squadrons, standing = control.sound_forts(s, loser), s.squadrons(loser), _standing(s, loser)
    weakest = min(standing, key=lambda tile: (s.parts.war_tile[tile].strength, list(standing).index(tile)), default="")
    able = [*forts, *squadrons, *standing]
    lost = yield from choose(now.g, loser, able, point=LOSS, prompt=LOSE_ONE, what="loss", source=now.card, card=now.card,
                             secret=len(able) > 1, default=weakest or next(iter(squadrons), ""))
    standing = _standing(s, loser)
    if lost in standing:
        now.g.emit(BonusTileReturned(side=loser, tile=lost, theater=standing[lost]))
    elif lost in squadrons:
        control.move_squadron(now.g, loser, lost, NAVY_BOX)
    elif lost:
        control.damage_fort(now.g, lost)


PERFORM: Mapping[type[fx.Effect], Callable[[Play, Any], Script[None]]] = {
    fx.GrantPoints: _grant, fx.ScorePoints: _score, fx.PlaceConflict: _mark, fx.Unflag: _unflag, fx.RemoveFlag: _remove_flag,
    fx.ShiftOrTake: _shift_or_take, fx.DamageFort: _damage_fort, fx.ChangeDebt: _debt, fx.ChangeDebtLimit: _debt_limit,
    fx.ChangeTreatyPoints: _treaty_points, fx.RepayOrPoints: _repay_or_points, fx.ModifyCost: _modify_cost,
    fx.ChooseOne: _choose_one, fx.ActivateAdvantage: _activate, fx.TurnAdvantages: _turn_advantages, fx.ScoreGood: _score_good,
    fx.AddDemand: _add_demand, fx.ReplaceDemand: _replace_demand, fx.SendSquadron: _send_squadron,
    fx.ConstructSquadron: _construct, fx.DrawBonusTiles: _draw_tiles, fx.ReturnBonusTile: _send_tile_back,
    fx.PlaceByng: _place_byng, fx.OpponentLoses: _opponent_loses}
