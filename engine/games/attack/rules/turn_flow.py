"""Chapter 4.1: the course of one turn, action by action."""
from __future__ import annotations

from engine.games.attack.rules.diplomacy import Diplomacy, negotiate
from engine.games.attack.rules.ending import end_turn
from engine.games.attack.rules.movement import movement
from engine.games.attack.rules.naval import naval_action
from engine.games.attack.rules.production import production
from engine.games.attack.rules.trade import Offer, trade
from engine.games.attack.rules.turns import Begin, End, TurnBegun, actions_left, still, trade_open, what_next
from engine.games.attack.state import NAVAL, PRODUCTION, State
from engine.kernel import OVER, Game, Script, ask


def turn(g: Game[State]) -> Script[None]:
    """Up to three actions; a Trade that is the last one stays open until the player ends the turn [ATK-4.1.1, 4.1.10]."""
    s = g.state
    power = s.active
    g.emit(TurnBegun(power=power))
    seat, usual = s.seat(power), End.of()
    goes_on, instead = True, None           # what was done in place of a deal [ATK-17.2.3]
    while goes_on and ((left := actions_left(s)) > 0 or trade_open(s)):
        answer = instead or (yield from ask(
            seat, Begin, Diplomacy, Offer, End, point="D-04", default=usual, left=still(left), prompt=what_next(left)))
        instead = None
        if isinstance(answer, End):
            break
        if isinstance(answer, Begin):
            if answer.action == NAVAL:
                yield from naval_action(g, power)
            elif answer.action == PRODUCTION:
                goes_on = yield from production(g, power)
            else:
                goes_on = yield from movement(g, power, answer.action)
        elif isinstance(answer, Diplomacy):
            yield from negotiate(g, power, answer.territory)
        elif isinstance(answer, Offer):
            instead = yield from trade(g, power, answer)
        if s.phase == OVER:
            return
    yield from end_turn(g, power)
