"""Chapters 7 and 8: building, rebuilding, moving and crossing the sea."""
from __future__ import annotations

from engine.games.struggle_of_empires import events as ev
from engine.games.struggle_of_empires.actions import Build, Decline, Mend, Move, Rebuild, Send
from engine.games.struggle_of_empires.rules.crossings import DIE, face_of, for_nothing, prices, second_die
from engine.games.struggle_of_empires.rules.money import pay, take_unrest
from engine.games.struggle_of_empires.state import State
from engine.kernel import Game, Script, Seat, ask, roll
from engine.text import text

MOVES = 2                   # units of a move action, SOE-8.1.1


def build_action(g: Game[State], power: str, order: Build | Rebuild) -> Script[None]:
    """A build action, with the extra units of Militia [SOE-7.1, 7.3, 12.8]."""
    s = g.state
    g.emit(ev.ActionSpent())
    extra = s.with_effect(power, "extra_build")
    yield from build_one(g, power, order)
    while extra:
        g.emit(ev.BuildBegun(extra=extra))
        answer = yield from ask(s.seat(power), Build, Rebuild, Decline, point="DP-07", default=Decline.of(),
                                prompt="Militia: build one more unit?")
        extra = 0 if isinstance(answer, Decline) else extra - 1
        g.emit(ev.BuildBegun(extra=0))
        if not isinstance(answer, Decline):
            yield from build_one(g, power, answer)


def build_one(g: Game[State], power: str, order: Build | Rebuild) -> Script[None]:
    """One unit, from the supply or in place of an own one, and its move [SOE-7.1.1-7, 7.3.1-9]."""
    s = g.state
    if isinstance(order, Build):
        g.emit(ev.PopulationPaid(power=power, population=1))
        g.emit(ev.UnitBuilt(power=power, unit=order.unit))
        if order.to != power:
            yield from go(g, power, order.unit, power, order.to)
        g.emit(ev.SendingDone())
        return
    if order.tile:
        if s.options.tiles.free_builds_use_action:
            g.emit(ev.ActionSpent())
        g.emit(ev.TileUsed(power=power, tile=order.tile))
    elif s.options.build.rebuild_population:
        g.emit(ev.PopulationPaid(power=power, population=1))
    g.emit(ev.UnitRazed(power=power, unit=order.unit, place=order.at))
    take_unrest(g, power, s.parts.numbers.unrest_per_lost_unit, "rebuild")
    lift_blockades(g)
    place = ""
    if order.tile and s.parts.tile[order.tile].effect == "build_army_in_colony":
        g.emit(ev.ColonyDue())
        answer = yield from ask(s.seat(power), Send, point="DP-29", prompt="Which colony does the army go to?")
        place = answer.to
    g.emit(ev.UnitBuilt(power=power, unit=order.unit, tile=order.tile, place=place))
    yield from may_go(g, power)


def may_go(g: Game[State], power: str) -> Script[None]:
    """The unit just built may make its one move, or stay [SOE-7.1.3, 7.1.7, 12.7.4]."""
    s = g.state
    unit, origin = s.turn.sending, s.turn.sending_from
    answer = yield from ask(s.seat(power), Send, point="DP-29" if origin != power else "DP-07", default=stay,
                            unit=ev.bare_unit(unit), place=origin, prompt="Where does the {unit} in {place:the} go? It may stay.")
    if answer.to != origin:
        yield from go(g, power, unit, origin, answer.to)
    g.emit(ev.SendingDone())


def stay(s: State, seat: Seat) -> Send:
    return Send.of(s.turn.sending_from)


def move_action(g: Game[State], power: str, order: Move) -> Script[None]:
    """Up to two units, with Logistics more, one after the other [SOE-8.1.1-5, 12.9]."""
    s = g.state
    g.emit(ev.ActionSpent())
    g.emit(ev.MoveBegun(moves=MOVES + s.with_effect(power, "extra_move")))
    yield from go(g, power, order.unit, order.origin, order.to)
    while s.turn.moves:
        answer = yield from ask(s.seat(power), Move, Decline, point="DP-08", default=Decline.of(), n=s.turn.moves,
                                prompt="Move another unit? Moves left: {n}.")
        if isinstance(answer, Decline):
            break
        yield from go(g, power, answer.unit, answer.origin, answer.to)
    g.emit(ev.MovesDone())


def go(g: Game[State], power: str, unit: str, origin: str, to: str) -> Script[None]:
    """One unit goes straight to its destination; between zones it must cross [SOE-8.1.4, 8.3.1-6]."""
    result = "ok"
    if g.state.parts.zone[origin] != g.state.parts.zone[to]:
        rolled = yield from cross(g, power, unit, origin, to)
        result = yield from mend(g, power, rolled, unit, origin, to)
    if result == "ok":
        g.emit(ev.UnitMoved(power=power, unit=unit, origin=origin, to=to))
    elif result == "back":
        g.emit(ev.UnitTurnedBack(power=power, unit=unit, origin=origin, to=to))
    else:
        g.emit(ev.UnitSunk(power=power, unit=unit, origin=origin, to=to))
        take_unrest(g, power, g.state.parts.numbers.unrest_per_lost_unit, "loss")
    lift_blockades(g)


def cross(g: Game[State], power: str, unit: str, origin: str, to: str) -> Script[str]:
    """The crossing check as it is rolled: "ok", "back" or "lost" [SOE-8.3.4, 8.4.1, 12.11.1, 20.1.3]."""
    s = g.state
    if s.options.cross.model == "far_lands_die":
        faces = [face for face in s.parts.far_lands_die for _ in range(face.count)]
        (rolled,) = yield from roll(len(faces), why="crossing", power=power, unit=unit, origin=origin, to=to)
        g.emit(ev.FarLandsRolled(power=power, face=faces[rolled - 1].id))
        return faces[rolled - 1].result
    (first,) = yield from roll(len(DIE), why="crossing", power=power, unit=unit, origin=origin, to=to)
    result: str = s.parts.sea_check.first_die[first]
    dice: tuple[int, ...] = (first,)
    if result == "roll_again":
        (second,) = yield from roll(len(DIE), why="second_die", power=power, unit=unit, origin=origin, to=to)
        dice = (first, second)
        result = second_die(s, power, second)
    g.emit(ev.CrossingRolled(power=power, dice=dice))
    return result


def mend(g: Game[State], power: str, rolled: str, unit: str, origin: str, to: str) -> Script[str]:
    """A bad crossing, mended as far as its owner pays [SOE-8.4.3 to 8.4.7]."""
    s = g.state
    if rolled == "ok" or not s.options.cross.rescue_gold:
        return rolled
    face = face_of(s, rolled)
    result = for_nothing(s, power, face)
    g.emit(ev.MendingDue(face=face.id))
    if prices(s, power, face.id):
        answer = yield from ask(
            s.seat(power), Mend, Decline, point="DP-09", default=Decline.of(), unit=unit, to=to, sinking=result == "lost",
            what=text("is lost") if result == "lost" else text("stays in {origin:the}", origin=origin),
            prompt="Your {unit} on its way to {to:the} {what} unless you pay. Do you pay?")
        if isinstance(answer, Mend):
            pay(g, power, answer.gold)
            result = answer.to
    g.emit(ev.MendingDone(power=power, before=rolled, result=result))
    return result


def lift_blockades(g: Game[State]) -> None:
    """A blockade without a navy of its owner goes back to the stock at once [SOE-12.20.6]."""
    s = g.state
    for area, owners in list(s.blockades.items()):
        for owner in list(owners):
            if not s.navies(owner, area):
                g.emit(ev.BlockadeLifted(power=owner, tile=s.parts.by_effect["blockade"], area=area))
