"""Chapters 6, 10, 11, 12 and 15: one player's turn, its actions and free actions.

What a turn allows but once (colonise, Gold Coast commerce, a local alliance, a tile, a covert token) asks `require_special` of
special.py before it happens, and its event calls `spend_special`.
"""
from __future__ import annotations

from engine.games.struggle_of_empires import actions as act, events as ev
from engine.games.struggle_of_empires.components import PIRATES, REVOLT
from engine.games.struggle_of_empires.rules.attack import attack, raid
from engine.games.struggle_of_empires.rules.build import build_action, build_one, go, may_go, move_action
from engine.games.struggle_of_empires.rules.money import give_back_unrest, pay, take_unrest
from engine.games.struggle_of_empires.rules.unrest_bag import shake
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Game, Script, ask
from engine.text import count

REFORM = 2                  # unrest given back by Government Reform, SOE-12.14.1
INDUSTRY = 3                # victory points of Industry, SOE-12.15.1


def turn(g: Game[State]) -> Script[None]:
    """Two actions and any number of free ones, until the player ends the turn [SOE-6.2.1, 6.3.2, 6.4.1-7].

    A peaceful turn with a pass can give back unrest [SOE-15.1.3 to 15.1.7].
    """
    s = g.state
    power = s.active
    if s.place == 0:                    # a new round
        yield from shake(g)
    g.emit(ev.TurnBegun(power=power))
    passed, seat, special = False, s.seat(power), specials(s)
    while True:
        left = s.turn.actions
        answer = yield from ask(
            seat, act.Move, act.Build, act.Attack, act.Take, *special, act.Colonise, act.Enslave, act.Rebuild, act.Use, act.Pass,
            act.End,
            point="DP-05" if left else "DP-06", default=act.Pass.of() if left else act.End.of(),
            left=count(left, "{n} action left", "{n} actions left"),
            prompt="What do you do? You have {left}." if left else "Use a tile for free, or end your turn?")
        match answer:
            case act.End():
                break
            case act.Pass():
                passed = True
                g.emit(ev.Passed(power=power, actions=1))
            case act.Build():
                yield from build_action(g, power, answer)
            case act.Rebuild():
                yield from build_one(g, power, answer) if answer.tile else build_action(g, power, answer)
            case act.Move():
                yield from move_action(g, power, answer)
            case act.Attack():
                yield from attack(g, power, answer)
            case act.Colonise() | act.Enslave():
                settle(g, power, answer)
            case act.Take():
                yield from take(g, power, answer)
            case act.Ally():
                g.emit(ev.ActionSpent())
                form_alliance(g, power, answer.place, as_action=True)
            case act.Covert():
                g.emit(ev.ActionSpent())
                g.emit(ev.TokenSent(token=answer.token))
                yield from raid(g, power, answer.token, answer.area, answer.target)
            case act.Use():
                yield from use(g, power, answer)
    if s.turn.actions:
        passed = True
        g.emit(ev.Passed(power=power, actions=s.turn.actions))
    if passed and not s.turn.attacked and s.options.turn.pass_relief:
        give_back_unrest(g, power, s.parts.numbers.pass_unrest_relief, "pass")
    end_turn(g, power)


def specials(s: State) -> list[type[Action]]:
    """Return what is a special action of its own in this game, and not a tile [SOE-6.3.1]."""
    return [*([act.Ally] if s.options.alliance.mode == "local" else []),
            *([act.Covert] if s.options.covert.mode == "tokens" else [])]


def form_alliance(g: Game[State], power: str, place: str, *, as_action: bool) -> None:
    """Pay for a local alliance, then place its marker [SOE-13.2.1, 13.2.3, 12.12.3]."""
    pay_price(g, power, place)
    g.emit(ev.AllianceFormed(power=power, place=place, as_action=as_action))


def end_turn(g: Game[State], power: str) -> None:
    """The next player's turn, the next round, or the end of the war [SOE-6.1.1 to 6.1.4]."""
    s = g.state
    place, round_, phase = s.place + 1, s.round, "turn"
    if place == len(s.order):
        place, round_ = 0, round_ + 1
        if round_ > s.rounds:
            place, round_, phase = 0, s.rounds, "war_end"
    g.emit(ev.TurnEnded(power=power, place=place, round=round_, phase=phase))


def settle(g: Game[State], power: str, order: act.Colonise | act.Enslave) -> None:
    """Colonise for 1 population, or enslave with a navy in Africa [SOE-10.1.1 to 10.1.5]."""
    s = g.state
    face = "pop" if isinstance(order, act.Colonise) else "slaves"
    marker = next(marker for marker in s.neutrals[order.area] if s.parts.neutral[marker].kind == face)
    g.emit(ev.ActionSpent())
    if isinstance(order, act.Colonise):
        g.emit(ev.PopulationPaid(power=power, population=1))
    g.emit(ev.Settled(power=power, area=order.area, marker=marker, enslaved=isinstance(order, act.Enslave)))


def buy(g: Game[State], power: str, tile: str, *, as_action: bool) -> None:
    """Pay a tile's price, then own it [SOE-11.1.1, 12.10.2]."""
    pay_price(g, power, tile)
    g.emit(ev.TileTaken(power=power, tile=tile, as_action=as_action))


def pay_price(g: Game[State], power: str, id: str) -> None:
    """Pay all parts of the price of a tile or a local alliance [SOE-11.1.2, 11.1.4, 13.1.2, 13.2.3, 3.3.3]."""
    cost = g.state.cost_of(id)
    pay(g, power, cost.gold)
    if cost.population:
        g.emit(ev.PopulationPaid(power=power, population=cost.population))
    take_unrest(g, power, cost.unrest, "price")


def take(g: Game[State], power: str, order: act.Take) -> Script[None]:
    """Take a tile; four of them work in that moment [SOE-11.1, 11.2.2, 11.2.6, 12.14 to 12.17]."""
    g.emit(ev.ActionSpent())
    buy(g, power, order.tile, as_action=True)
    match g.state.parts.tile[order.tile].effect:
        case "lose_two_unrest":
            give_back_unrest(g, power, REFORM, "reform")
            g.emit(ev.TileRemoved(power=power, tile=order.tile))
        case "gain_three_vp":
            g.emit(ev.PointsGained(power=power, points=INDUSTRY, tile=order.tile))
            g.emit(ev.TileRemoved(power=power, tile=order.tile))
        case effect if effect in (PIRATES, REVOLT):
            yield from raid(g, power, order.tile, order.area, order.target)


def use(g: Game[State], power: str, order: act.Use) -> Script[None]:
    """A free action with an own tile [SOE-6.4, 12.5, 12.6, 12.7, 12.12, 12.20.1, 12.21]."""
    s = g.state
    tile = s.parts.tile[order.tile]
    if tile.effect == "blockade":
        g.emit(ev.BlockadeLaid(power=power, tile=tile.id, area=order.on))
        return
    if tile.effect in act.FREE_BUILDS and s.options.tiles.free_builds_use_action:
        g.emit(ev.ActionSpent())
    g.emit(ev.TileUsed(power=power, tile=tile.id))
    match tile.effect:
        case "company_income":
            g.emit(ev.GoldTaken(power=power, gold=act.company_gold(s, power, tile), tile=tile.id))
        case "free_alliance" if s.options.alliance.mode == "local":
            form_alliance(g, power, order.on, as_action=False)
        case "free_alliance":
            buy(g, power, order.on, as_action=False)
        case "build_army_in_colony":
            g.emit(ev.UnitBuilt(power=power, unit="army", tile=tile.id, place=order.on))
            yield from may_go(g, power)
        case "free_build_army" | "free_build_navy":
            unit = "army" if tile.effect == "free_build_army" else "navy"
            g.emit(ev.UnitBuilt(power=power, unit=unit, tile=tile.id))
            if order.on != power:
                yield from go(g, power, unit, power, order.on)
            g.emit(ev.SendingDone())
