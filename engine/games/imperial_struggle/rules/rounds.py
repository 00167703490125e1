"""Chapter 5: one action round, from its start to its end.

Each answer is one step, and what it does is its script. A chapter that adds answers lists them in its `ANSWERS`.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.ministries import Keep, Reveal
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, PayFirst, TakeTile
from engine.games.imperial_struggle.components import SIDES, BothSides, Side, foe
from engine.games.imperial_struggle.events.points import PaidFirst
from engine.games.imperial_struggle.events.turns import PhaseBegun, RoundBegun, RoundEnded, RoundOver, RoundPassed, TileTaken
from engine.games.imperial_struggle.rules import abilities, advantage_uses, diplomatic, economic, event_cards, military, tiles
from engine.games.imperial_struggle.rules.control import isolated
from engine.games.imperial_struggle.rules.effects import purchases_with
from engine.games.imperial_struggle.rules.ministries import face_down
from engine.games.imperial_struggle.rules.ministry_effects import raise_actions
from engine.games.imperial_struggle.rules.money import gain_trp, repay
from engine.games.imperial_struggle.rules.track import ROUNDS, is_last_round
from engine.games.imperial_struggle.state import TURN_6, State
from engine.kernel import Action, Ask, Game, Script, Seat, ask, put
from engine.text import template

PASSING = 2             # debt repaid [IS-5.4.1]
TAKE = template("Which tile do you take?")
TAKEN = template("What do you do?")
GO_ON = template("What next?")
ASKED = {"before": (TAKE, "IS-18.6"), "tile": (TAKEN, "IS-18.7")}
LAST = template("Your last round of this turn ends. Do you turn up a ministry?")


def action_round(g: Game[State]) -> Script[None]:
    """One action round [IS-5.1 to 5.11]; then the next one, or the end of the turn."""
    s = g.state
    side: Side = s.first if s.ar % 2 == 0 else foe(s.first)
    g.emit(RoundBegun(side=side, number=s.ar + 1, isolated=tuple(isolated(s)),
                      trade=_trade(s)))
    if s.own[side].carry_over and s.ar <= len(SIDES):
        yield from tiles.carried_over(g, side)
    seat = s.seat(side)
    while (stage := s.current.stage) != "over":
        prompt, point = ASKED.get(stage, (GO_ON, "IS-18.12"))
        answer = yield from put(Ask(seat, KINDS, prompt, point, usual_step))
        yield from PERFORM[type(answer)](g, answer)
    g.emit(RoundOver())
    if s.ar == ROUNDS:
        g.emit(PhaseBegun(phase="scoring"))


def _trade(s: State) -> BothSides:
    """The Furs and Fish markets of each side, as M-24 compares them [IS-5.1]."""
    good = s.parts.good
    markets = (*good["furs"].markets, *good["fish"].markets)
    return BothSides(**s.each_working(markets))


def usual_step(s: State, seat: Seat) -> Action:
    """The default of IS-18.6, 18.7, 18.12: the lowest tile, then pass, else the end of the round.

    An advantage that an event has brought into use must be bought with first [IS-11.12].
    """
    if s.current.owed:
        return min(purchases_with(s, seat, s.current.owed), key=lambda buying: buying.debt + buying.trp)
    match s.current.stage:
        case "before":
            return TakeTile.of(s.available[0])
        case "tile":
            return Pass.of()
    return EndRound.of()


def _take(g: Game[State], answer: TakeTile) -> Script[None]:
    g.emit(TileTaken(side=g.state.current.side, tile=answer.tile))
    raise_actions(g)
    yield from ()


def _pass(g: Game[State], answer: Pass) -> Script[None]:
    """Nothing of the tile is used; the debt falls [IS-5.4.1]."""
    side = g.state.current.side
    yield from last_reveals(g, side)
    g.emit(RoundPassed(side=side))
    repay(g, side, PASSING, "IS-5.4.1")


def _end(g: Game[State], answer: EndRound) -> Script[None]:
    """The end of the round; points left lapse [IS-5.6.7, 5.11]. On T6 the upgrade symbol brings its treaty point [IS-5.10.4]."""
    s = g.state
    now = s.current
    yield from last_reveals(g, now.side)
    if s.turn == TURN_6 and s.parts.investment[now.tile].military_upgrade and not now.upgrade:
        gain_trp(g, now.side, tiles.UPGRADE_ON_T6, "IS-5.10.4")
    g.emit(RoundEnded(side=now.side, lapsed=sum([pool.points for pool in now.pools])))


def last_reveals(g: Game[State], side: Side) -> Script[None]:
    """The last moment of a turn to turn up ministries, before scoring and war [IS-5.11, 12.3].

    Nobody is asked, unless a standing order says so or answers.
    """
    s = g.state
    while is_last_round(s) and face_down(s, side):
        answer = yield from ask(s.seat(side), Keep, Reveal, point="IS-18.20", prompt=LAST, default=Keep.of())
        if isinstance(answer, Keep):
            return
        yield from abilities.turn_up(g, answer)


def _pay_first(g: Game[State], answer: PayFirst) -> Script[None]:
    g.emit(PaidFirst(pool=answer.pool))
    yield from ()


PERFORM: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {
    TakeTile: _take, Pass: _pass, **event_cards.ANSWERS, **economic.ANSWERS, **diplomatic.ANSWERS, **military.ANSWERS,
    **tiles.ANSWERS, **advantage_uses.ANSWERS, **abilities.ANSWERS, PayFirst: _pay_first, EndRound: _end}
"""Every answer of an action round, and what it does."""
KINDS = tuple(PERFORM)
