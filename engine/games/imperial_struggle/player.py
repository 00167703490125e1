"""An automatic player of Imperial Struggle: what every answer would leave on the board, weighed in victory points.

A purchase is worth what it changes, for each point that it costs; an event, a ministry or a tile what it will probably bring. The
strong player takes the answers that look best, plays the rest of the round for each, and the answer of the other side, and takes
the one that leads to the best position. Of secrets only the own ones are read.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import TypeAlias

from engine.games.imperial_struggle import judgement as jt, worth_of_cards as cards
from engine.games.imperial_struggle.actions.advantages import SendHome, UseAdvantage
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import NONE, Choose
from engine.games.imperial_struggle.actions.military import BuildSquadron, BuyTile, ClearConflict, Deploy, Exchange, Fortify
from engine.games.imperial_struggle.actions.ministries import RaiseUprising, Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, PayFirst, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.tiles import TakeTreatyPoint, Upgrade
from engine.games.imperial_struggle.actions.turns import Appoint, Discard
from engine.games.imperial_struggle.actions.wars import CallLosses, Cede, Conquer, Forgo, Refuse, TakeOff, refusal_price
from engine.games.imperial_struggle.components import USA, Points, Side, foe
from engine.games.imperial_struggle.components.wars import Theater
from engine.games.imperial_struggle.knowledge import SECRET, imagined, known
from engine.games.imperial_struggle.rules.arming import NAVY_BOX
from engine.games.imperial_struggle.rules.ministries import uprising_vp
from engine.games.imperial_struggle.rules.points import actions_of, lapsing
from engine.games.imperial_struggle.rules.shifting import connected, price_of_market, price_of_political
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.games.imperial_struggle.state import JACOBITES, ActionName, Minister, State
from engine.kernel import Action, Players, Position, Rng, Search, Seat

# all in victory points
FIRST = 100.0               # more than any purchase is worth: an event is free, and can't be played after one [IS-5.5.1]
ABILITY = 0.8               # to use an ability
SILENCE = 0.15              # what it is worth that the other side doesn't know a ministry
UPGRADE = 0.6
ENOUGH = 0.12               # of a victory point for an action point: what is less is not bought with debt
NOISE = 0.01
TILE, EVENT, BUILT = "tile", "event", "squadron"        # wares that lie in no space
TASTE = 0.3                 # by how much two players differ in what they think of a ministry


def solid(position: Position[State], rng: Rng, weights: jt.Weights = jt.SOLID) -> Action:
    if len(position.options) == 1 or not position.state.own:
        return position.default
    worth = considered(position, rng, weights)
    return max(worth, key=worth.__getitem__) if worth else position.default


def considered(position: Position[State], rng: Rng, weights: jt.Weights = jt.STRONG) -> dict[Action, float]:
    """Return what each option is worth, but for those that the default will do for."""
    mind = Mind(position.state, position.state.power(position.seat), position.options, weights)
    found: dict[Action, float] = {}
    for option in position.options:
        worth = mind.worth(option)
        if worth is not None:
            found[option] = worth + (TASTE if isinstance(option, Appoint) else NOISE) * rng.random()
    return found


Ware: TypeAlias = tuple[float, int, str]


class Mind(jt.Judgement):
    """What one side thinks of its answers."""

    def __init__(self, s: State, side: Side, options: Iterable[Action] = (), weights: jt.Weights = jt.STRONG) -> None:
        super().__init__(s, side, weights)
        self.options = options
        self._gains: dict[object, float] = {}
        self._bought: dict[Points, list[Ware]] = {}

    def worth(self, option: Action) -> float | None:
        """Return what an answer is worth, for purchases in points for each action point; None: the default is as good."""
        s = self.s
        match option:
            case TakeTile():
                return self.tile(option.tile)
            case Buying():
                return self.purchase(option) - self.lapse(option.action)
            case PlayEvent():
                return self.event(option)
            case Reveal():
                return self.reveal(option.card)
            case UseAbility():
                return ABILITY
            case UseAdvantage():
                return self.advantage(option)
            case Upgrade():
                return UPGRADE - self.lapse("upgrade")
            case TakeTreatyPoint():
                return jt.TREATY
            case Pass():
                return self.debt_off(2) / 6
            case EndRound():
                return ENOUGH / 4
            case PayFirst():
                return -1.0
            case Appoint():
                return cards.appointed(self, (*option.cards, *([JACOBITES] if option.third else [])))
            case Discard():
                return -sum(cards.kept(s, self.side, s.parts.event[card]) for card in option.cards)
            case Conquer() | TakeOff():
                return self.turned((option.space, self.side if isinstance(option, Conquer) else ""))
            case CallLosses():
                return 0.01
            case Forgo() | Cede():
                return 0.0
            case Refuse():
                return jt.TERRITORY * 1.4 - refusal_price(s, self.side)
            case Choose():
                return self.chosen(option.target)
        return None

    def lapse(self, action: ActionName) -> float:
        """Return what is taken off an answer that gives up points of the open action that could buy something worth its price."""
        return 1.0 if self._unspent and action != self.s.current.open else 0.0

    @cached_property
    def _unspent(self) -> bool:
        return any(isinstance(option, Buying) and option.action == self.s.current.open and not option.debt and not option.trp
                   and self.net(option) >= 0 for option in self.options) and any(lapsing(self.s, ""))

    def event(self, option: PlayEvent) -> float:
        """Return what it is worth to play an event now; less than nothing if its bonus may come later, and is worth the wait."""
        s, side, card = self.s, self.side, self.s.parts.event[option.event]
        here = cards.event(s, side, card, option.reveal)
        later = cards.kept(s, side, card) if self.turns_left or self.rounds_left > 1 else 0.0
        return FIRST + here if here >= 0.8 * later else here - later

    def reveal(self, card: str) -> float:
        """Return what it is worth to turn up a ministry now: what it can do in this round, in the scoring and in the war."""
        s, side = self.s, self.side
        ministries = [Minister(card, up=True, third=minister.third) if minister.card == card else minister
                      for minister in self.own.ministries]
        own = self.own.model_copy(update={"ministries": ministries})
        shown = s.model_copy(update={"own": {**s.own, side: own}})
        gained = self.gain(("reveal", card), lambda: shown) if self.rounds_left < 2 else 0.0
        for ability in s.parts.ministry[card].abilities:
            kinds = cards.kinds_of(ability)
            if kinds is None or any(actions_of(s, kind) for kind in kinds):
                gained += cards.ability_worth(shown, side, ability)
        return gained - SILENCE

    def gain(self, key: object, after: Callable[[], State]) -> float:
        """By how much another position is better than this one; each is looked at once."""
        found = self._gains.get(key)
        if found is None:
            found = self._gains[key] = self.value(after()) - self.now
        return found

    def purchase(self, option: Buying) -> float:
        """Return what a purchase gains for each action point that it takes from the tile; what costs more than it brings is
        not made."""
        if option.debt > self.spendable:
            return -1.0
        gained, points = self.bought(option), max(0.5, self.paid(option))
        net = gained - self.debt(option.debt) - jt.TREATY * option.trp
        return net / points if gained > 0 and net > 0.03 else -1.0

    def net(self, option: Buying) -> float:
        """Return what a purchase brings more than all that it costs."""
        return self.bought(option) - self.debt(option.debt) - jt.TREATY * option.trp - jt.POINT * self.paid(option)

    def paid(self, option: Buying) -> int:
        """Return how many points of the tile, or of an event, a purchase takes."""
        return max(0, option.price(self.s, self.s.seat(self.side)).total - option.debt - option.trp)

    def bought(self, option: Buying) -> float:
        s, side = self.s, self.side
        match option:
            case ShiftMarket() | ShiftPolitical():
                advantage = 0.15 if option.advantage else 0.0
                return self.shift(option.space) - advantage
            case DrawEvent():
                return jt.CARD * 1.4
            case BuyTile():
                return self.bonus_tile(self.best_theater())
            case BuildSquadron():
                return jt.SQUADRON + 0.3
            case Deploy():
                return self.deploying(option.origin, option.to)
            case Fortify():
                return self.turned((option.space, side)) + 0.15
            case ClearConflict():
                return self.gained((option.space, s.flags.get(option.space, ""), False))
            case SendHome():
                return self.turned((option.space, ""))
            case RaiseUprising():
                return float(uprising_vp(s))
            case Exchange():
                return 0.05
        return 0.0

    def shift(self, space: str) -> float:
        """Return what it is worth to shift a space: an opposing flag is taken off, or an own one comes."""
        return self.turned((space, "" if space in self.s.flags else self.side))

    def turned(self, *flags: tuple[str, str]) -> float:
        """Return what it is worth if these spaces get these flags, or none; each is looked at once."""
        found = self._gains.get(flags)
        if found is None:
            found = self._gains[flags] = self.gained(*[(space, flag, False) for space, flag in flags])
        return found

    def deploying(self, origin: str, to: str) -> float:
        """Return what it is worth to send a squadron."""
        if origin == NAVY_BOX:
            return self.turned((to, self.side)) - jt.SQUADRON + 0.2
        return self.turned((origin, ""), (to, self.side)) + 0.2

    def advantage(self, option: UseAdvantage) -> float:
        """Return what an advantage without a price does: a conflict marker, or less debt."""
        if not option.target:
            return self.debt_off(2)
        if self.s.flags.get(option.target) == self.side:
            return -1.0
        return self.gained((option.target, self.s.flags.get(option.target, ""), True))

    def chosen(self, target: str) -> float | None:
        """Return what one of several ids is worth, where a rule asks for one."""
        if target == NONE:
            return 0.0
        after = self.choosing(target)
        if after is not None:
            return self.gain(("choose", target), lambda: after)
        if target in self.s.parts.war_tile:
            return self.tile_chosen(target)
        if target not in self.s.parts.space:
            return None
        return 0.3 if self.s.flags.get(target) == foe(self.side) else -0.3          # a fort that is damaged, or seized

    def tile_chosen(self, target: str) -> float:
        """Return what it is worth to keep a war tile, or to do without it."""
        choice, tile = self.s.choice, self.s.parts.war_tile[target]
        assert choice is not None, "something is chosen"
        worth = tile.strength + (jt.ICON if tile.icon else 0)
        return worth if set(self.own.drawn) & set(choice.targets) else -worth

    def choosing(self, target: str) -> State | None:
        """The board once one of several ids is chosen, where that changes it."""
        s, side, choice = self.s, self.side, self.s.choice
        number = next((theater.number for theater in self.theaters if theater.id == target), None)
        if choice is None or number is not None:
            return None if number is None else self.with_tile(s, number)
        if target not in s.parts.space or s.parts.space[target].type == "fort" or choice.what == "huguenots":
            return None
        if choice.what == "conflict":
            return jt.marked(s, target)
        if choice.what == "usa":
            return jt.flagged(s, target, USA)
        takes = choice.what == "take" or (choice.what not in ("squadron", "loss") and target not in s.flags)
        return jt.flagged(s, target, side if takes else "")

    # -- tiles

    @property
    def theaters(self) -> Iterable[Theater]:
        war = self.s.next_war
        return war.theaters if war is not None else ()

    def best_theater(self) -> int:
        """The theater where another bonus tile is worth most."""
        s = self.s
        able = [theater.number for theater in self.theaters if len(self.own.tiles) >= theater.number and len(
            s.bonus_tiles(self.side, theater.number)) < s.parts.war_limits.bonus_tiles_per_theater_per_side]
        return max(able, key=self.bonus_tile, default=1)

    def with_tile(self, s: State, theater: int) -> State:
        """The position with one more bonus tile there, whatever it shows."""
        tiles = [[*there, "?"] if number == theater else there for number, there in enumerate(self.own.tiles, 1)]
        return s.model_copy(update={"own": {**s.own, self.side: self.own.model_copy(update={"tiles": tiles})}})

    def tile(self, id: str) -> float:
        """Return what an investment tile is worth: what its points can buy now, its event and its upgrade."""
        tile = self.s.parts.investment[id]
        total = self.points_of(id)
        if tile.event and (event := self.best_event(tile.major.kind)) is not None:
            total += 0.8 * cards.kept(self.s, self.side, self.s.parts.event[event])
        return total + (UPGRADE if tile.military_upgrade else 0.0)

    def points_of(self, id: str) -> float:
        """Return what the points of an investment tile can buy now."""
        tile = self.s.parts.investment[id]
        return self.filled(tile.major.ap, tile.major.points) + 0.75 * self.filled(tile.minor.ap, tile.minor.points, minor=True)

    def best_event(self, kind: str) -> str | None:
        """Return the event in hand that brings most on a tile with this major action; None if none can be played on it."""
        parts = self.s.parts
        able = [card for card in self.own.hand if parts.event[card].required_major in (None, kind)]
        return max(able, key=lambda card: cards.kept(self.s, self.side, parts.event[card]), default=None)

    def filled(self, kind: Points, points: int, *, minor: bool = False) -> float:
        return self.filling(kind, points, minor=minor)[1]

    def filling(self, kind: Points, points: int, *, minor: bool = False) -> tuple[list[str], float]:
        """Return what so many points would buy, and what that is worth; a minor action buys once."""
        bought, total = list[str](), 0.0
        for gained, price, ware in self.known_wares(kind, minor):
            if price <= points and gained > 0:
                points, total = points - price, total + gained
                bought.append(ware)
                if minor:
                    break
        return bought, total

    def known_wares(self, kind: Points, minor: bool) -> list[Ware]:
        """(gain, price, space or other ware) of what a kind of points can buy, the best first; a minor action takes off no flag
        without a conflict marker."""
        found = self._bought.get(kind)
        if found is None:
            found = self._bought[kind] = sorted(self._wares(kind), key=lambda ware: -ware[0] / ware[1])
        s = self.s
        return [ware for ware in found if ware[2] not in s.flags or ware[2] in s.conflict] if minor else found

    def _wares(self, kind: Points) -> Iterator[Ware]:
        s, side, open = self.s, self.side, self.s.open_spaces
        match kind:
            case "EP":
                reached = connected(s, side)
                for space in s.parts.of_type["market"]:
                    if space in open and s.flags.get(space) != side and space in reached:
                        yield self.shift(space), price_of_market(s, side, space).total, space
            case "DP":
                for space in s.parts.of_type["political"]:
                    if space in open and s.flags.get(space) != side:
                        yield self.shift(space), price_of_political(s, side, space).total, space
                yield jt.CARD * 1.4, 3, EVENT
            case "MP":
                if self.theaters:
                    gained = self.bonus_tile(self.best_theater())
                    yield gained, 2, TILE
                    yield 0.7 * gained, 2, TILE
                if self.own.navy_box:
                    seas = [to for to in s.parts.of_type["naval"] if to not in s.flags]
                    yield from sorted([(self.deploying(NAVY_BOX, to), 1, to) for to in seas], reverse=True)[:self.own.navy_box]
                yield jt.SQUADRON + 0.3, 4, BUILT


# --- looking further --------------------------------------------------------------------------------------

TRIED = 6               # answers that are played on from
NEVER = -0.5            # as what costs more than it brings: it is not tried
REPLY = 0.5             # of what the other side's best tile could buy
LOOKED_AT = frozenset({"IS-18.6", "IS-18.7", "IS-18.10", "IS-18.12"})       # the questions of an action round


def candidates(position: Position[State], rng: Rng) -> list[Action]:
    """The answers of an action round that look best, of each kind one at least; elsewhere the best alone."""
    worth = considered(position, rng) if position.state.own and len(position.options) > 1 else {}
    if position.question.point not in LOOKED_AT or not worth:
        return [solid(position, rng, jt.STRONG)]
    ranked = sorted(worth, key=worth.__getitem__, reverse=True)
    ranked = [action for action in ranked if worth[action] > NEVER] or ranked[:1]
    kinds = {type(action): action for action in reversed(ranked)}
    return [*dict.fromkeys([ranked[0], *kinds.values(), *ranked])][:TRIED]


def prospects(s: State, seat: Seat) -> float:
    """The counter as a side sees it, what its position will bring, its purse, and what the other side could do to that now."""
    side = s.power(seat)
    if s.winner:
        return 100.0 if s.winner == side else -100.0
    mind = jt.Judgement(s, side)
    total = mind.now + s.toward(side, s.vp) + mind.purse()
    if s.round is not None and s.round.side != side and s.round.stage == "before":
        other = Mind(s, foe(side))
        total -= REPLY * max([other.points_of(tile) for tile in s.available], default=0.0)
    return total


def horizon(s: State) -> tuple[int, int]:
    """What changes when a look ahead is over: the round, or the turn, whose last two rounds are seen to its scoring."""
    return s.step, min(s.ar, ROUNDS - 1)


PLAYERS = Players[State](
    known=known, secret=SECRET, imagined=imagined, solid=solid,
    search=Search[State](candidates=candidates, worth=prospects, far=horizon, steps=1, rows=90,
                         plays=partial(solid, weights=jt.STRONG)))
