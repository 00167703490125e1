"""Chapter 11: what the use of an advantage does, where it is no part of another purchase."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.advantages import SendHome, UseAdvantage
from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.components.effects import ChangeDebt, PlaceConflict
from engine.games.imperial_struggle.rules.advantages import NAVAL_BASTION, use
from engine.games.imperial_struggle.rules.control import move_squadron, place_conflict
from engine.games.imperial_struggle.rules.military import pay_for
from engine.games.imperial_struggle.rules.money import change_debt
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script


def use_freely(g: Game[State], side: Side, advantage: str, target: str, *, exhausts: bool = True) -> None:
    """An advantage without a price: a conflict marker, or less debt [IS-11.3]."""
    use(g, side, advantage, exhausts=exhausts)
    match g.state.parts.advantage[advantage].effect:
        case PlaceConflict():
            place_conflict(g, target)
        case ChangeDebt(amount=amount):
            change_debt(g, side, amount, advantage)


def use_advantage(g: Game[State], answer: UseAdvantage) -> Script[None]:
    use_freely(g, g.state.current.side, answer.advantage, answer.target)
    yield from ()


def send_home(g: Game[State], answer: SendHome) -> Script[None]:
    """Naval Bastion: an opposing squadron goes to the Navy Box [IS-R-14]."""
    side = g.state.current.side
    pay_for(g, answer)
    use(g, side, NAVAL_BASTION)
    move_squadron(g, foe(side), answer.space, "navy_box")
    yield from ()


ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {UseAdvantage: use_advantage, SendHome: send_home}
