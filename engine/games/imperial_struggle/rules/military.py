"""Chapter 8: the military action."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.military import (
    Arming,
    BuildSquadron,
    BuyTile,
    ClearConflict,
    Deploy,
    Exchange,
    Fortify,
)
from engine.games.imperial_struggle.events.points import Exchanged, ModifierUsed
from engine.games.imperial_struggle.rules import advantages, ministries, tiles
from engine.games.imperial_struggle.rules.arming import NAVY_BOX, work_on_fort
from engine.games.imperial_struggle.rules.control import flag, move_squadron, remove_conflict, repair_fort, unflag
from engine.games.imperial_struggle.rules.ministry_effects import raise_actions
from engine.games.imperial_struggle.rules.points import exchanged, pay
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script


def pay_for(g: Game[State], answer: Arming) -> None:
    s = g.state
    seat = s.seat(s.current.side)
    pay(g, s.current.side, answer.purchase(s, seat), answer.price(s, seat), answer.action, answer.debt, answer.trp)


def buy_tile(g: Game[State], answer: BuyTile) -> Script[None]:
    """A bonus tile, drawn and placed [IS-8.1]."""
    pay_for(g, answer)
    yield from tiles.gain_bonus(g, g.state.current.side)


def clear_conflict(g: Game[State], answer: ClearConflict) -> Script[None]:
    pay_for(g, answer)
    remove_conflict(g, answer.space)
    yield from ()


def fortify(g: Game[State], answer: Fortify) -> Script[None]:
    """A fort is built, repaired or seized [IS-8.3, 8.4]."""
    side = g.state.current.side
    work = work_on_fort(g.state, side, answer.space)
    pay_for(g, answer)
    if work == "repair_fort":
        repair_fort(g, answer.space)
    else:
        if work == "seize_fort":
            unflag(g, answer.space)
        flag(g, side, answer.space)
    yield from ()


def build_squadron(g: Game[State], answer: BuildSquadron) -> Script[None]:
    """A squadron comes into the Navy Box [IS-8.5]."""
    s = g.state
    side = s.current.side
    used = [modifier.source for modifier in s.current.modifiers if modifier.action == "construct_squadron"]
    pay_for(g, answer)
    for source in used:
        g.emit(ModifierUsed(source=source))
    if answer.aid in s.parts.advantage:
        advantages.use(g, side, answer.aid)
    elif answer.aid:
        ministries.use(g, side, answer.aid)
    move_squadron(g, side, "unbuilt", NAVY_BOX)
    yield from ()


def deploy(g: Game[State], answer: Deploy) -> Script[None]:
    """A squadron goes to a naval space; an opposing one there goes to the Navy Box [IS-8.6]."""
    pay_for(g, answer)
    move_squadron(g, g.state.current.side, answer.origin, answer.to, deployed=True)
    yield from ()


def exchange(g: Game[State], answer: Exchange) -> Script[None]:
    """A point of another kind, on T6 [IS-8.7]."""
    pay_for(g, answer)
    g.emit(Exchanged(kind=answer.kind))
    exchanged(g, answer.kind, 1)
    raise_actions(g)
    yield from ()


ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {
    BuyTile: buy_tile, ClearConflict: clear_conflict, Fortify: fortify, BuildSquadron: build_squadron, Deploy: deploy,
    Exchange: exchange}
