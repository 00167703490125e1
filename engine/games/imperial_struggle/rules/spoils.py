"""Chapters 14.7 to 14.9: the spoils of a theater: points at once, then what the winner does with the rest."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.wars import CallLosses, Cede, Conquer, Forgo, Refuse, TakeOff, refusal_price
from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.components.wars import EXPELLED, Special
from engine.games.imperial_struggle.events import wars as ev
from engine.games.imperial_struggle.events.cards import MinistryGone
from engine.games.imperial_struggle.rules import conquest
from engine.games.imperial_struggle.rules.choices import choose
from engine.games.imperial_struggle.rules.control import move_squadron, take_control, unflag
from engine.games.imperial_struggle.rules.independence import independence
from engine.games.imperial_struggle.rules.money import gain_trp, score
from engine.games.imperial_struggle.state import JACOBITES, State
from engine.kernel import Action, Game, Script, ask

LEFT_BY_SPAIN = ("asiento", "san_agustin", "gibraltar", "minorca")      # IS-19.1
NAVY_BOX = "navy_box"


def losses(theater_specials: tuple[Special, ...], to_unbuilt: int, margin: int) -> int:
    """How many squadrons the loser must give up [IS-14.9.5, 14.9.6]."""
    expelled = [special for special in theater_specials if special.effect == EXPELLED]
    return to_unbuilt + sum(min(special.max, special.per_margin_point * margin) for special in expelled)


def spoils(g: Game[State]) -> Script[None]:
    """Everything that the winner of a theater gets [IS-14.7]."""
    s = g.state
    winner, row, source = _winner(s), conquest.row(s), s.theater.id
    gain_trp(g, foe(winner), row.loser.trp, source)
    score(g, winner, row.winner.vp, source)
    if row.winner.atlantic_dominance:
        g.emit(ev.DominanceWon(side=winner))
    for special in s.theater.special:
        if special.if_winner in ("any", winner) and s.fought.margin >= special.margin_min and special.effect in REWARDS:
            yield from REWARDS[special.effect](g, special)
    yield from use_spoils(g)
    yield from lose_squadrons(g)


def _winner(s: State) -> Side:
    assert s.fought.winner, "nobody has won this theater"
    return s.fought.winner


# --- special rewards ----------------------------------------------------------------------------------------------

def _jacobite_victory(g: Game[State], special: Special) -> Script[None]:
    g.emit(ev.JacobiteVictory())
    yield from ()


def _third_ministry(g: Game[State], special: Special) -> Script[None]:
    g.emit(ev.ThirdMinistryWon())
    yield from ()


def _jacobite_defeat(g: Game[State], special: Special) -> Script[None]:
    """M-4 leaves the game, wherever it is; a place that it held stays empty [IS-14.9.2, R-55]."""
    g.emit(MinistryGone(side="france", card=JACOBITES))
    yield from ()


REWARDS: Mapping[str, Callable[[Game[State], Special], Script[None]]] = {
    "jacobite_victory_marker": _jacobite_victory, "jacobite_third_ministry": _third_ministry,
    "jacobite_defeat": _jacobite_defeat, "usa": independence, "canada": independence}


# --- what the winner uses -----------------------------------------------------------------------------------------

def use_spoils(g: Game[State]) -> Script[None]:
    """Conquest points and flags, in the order that the winner likes; what cannot be used is lost [IS-14.7.3]."""
    s = g.state
    winner = _winner(s)
    seat = s.seat(winner)
    while (s.fought.cp or s.fought.unflag) and any(True for kind in (Conquer, TakeOff) for _ in kind.options(s, seat)):
        answer = yield from ask(seat, *PERFORM, point="IS-18.22", prompt="Your spoils: {cp} CP. What do you do?", cp=s.fought.cp)
        yield from PERFORM[type(answer)](g, answer)
    if s.fought.cp or s.fought.unflag:
        g.emit(ev.SpoilsLost(side=winner, cp=s.fought.cp, unflag=s.fought.unflag))


def _conquer(g: Game[State], answer: Conquer) -> Script[None]:
    """Conquest points are spent on a space; the loser may refuse to cede a territory [IS-14.8]."""
    s = g.state
    winner, space = _winner(s), answer.space
    g.emit(ev.SpoilsUsed(side=winner, space=space, cp=conquest.price(s, space)))
    if conquest.can_refuse(s, space):
        refused = yield from _refusal(g, space)
        if refused:
            return
    if answer.origin:
        move_squadron(g, winner, answer.origin, space, deployed=True)
        return
    if s.options.spanish_empire and space in LEFT_BY_SPAIN and space not in s.flags:
        g.emit(ev.VacantTaken(space=space))
    take_control(g, winner, space)


def _refusal(g: Game[State], space: str) -> Script[bool]:
    """True if the loser refuses to cede a territory [IS-14.8.8]."""
    s = g.state
    loser = foe(_winner(s))
    g.emit(ev.RefusalAsked(side=loser, space=space))
    answer = yield from ask(s.seat(loser), Cede, Refuse, point="IS-18.23", default=Cede.of(), space=space,
                            vp=refusal_price(s, loser), prompt="Do you cede {space:the}? Refusing costs you {vp} VP, and you "
                                                               "keep it.")
    if isinstance(answer, Cede):
        g.emit(ev.Ceded(side=loser, space=space))
        return False
    vp = refusal_price(s, loser)
    g.emit(ev.Refused(side=loser, space=space))
    score(g, loser, -vp, "IS-14.8.8")
    return True


def _take_off(g: Game[State], answer: TakeOff) -> Script[None]:
    g.emit(ev.SpoilsUsed(side=_winner(g.state), space=answer.space, unflag=1))
    unflag(g, answer.space)
    yield from ()


def _forgo(g: Game[State], answer: Forgo) -> Script[None]:
    now = g.state.fought
    g.emit(ev.SpoilsLost(side=_winner(g.state), cp=now.cp, unflag=now.unflag))
    yield from ()


def _call_losses(g: Game[State], answer: CallLosses) -> Script[None]:
    yield from lose_squadrons(g)


PERFORM: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {
    Conquer: _conquer, TakeOff: _take_off, CallLosses: _call_losses, Forgo: _forgo}
"""What the winner can answer while it uses its spoils, and what each does."""


# --- what the loser gives up --------------------------------------------------------------------------------------

def lose_squadrons(g: Game[State]) -> Script[None]:
    """The loser gives up built squadrons of its choice; silence takes those of the Navy Box first [IS-14.7.5, 18.24]."""
    s = g.state
    loser = foe(_winner(s))
    to = "gone" if any(special.effect == EXPELLED for special in s.theater.special) else "unbuilt"
    while s.fought.losses and s.built(loser):
        able = [*([NAVY_BOX] if s.own[loser].navy_box else []), *s.squadrons(loser)]
        origin = yield from choose(g, loser, able, point="IS-18.24", what="squadron", source=s.theater.id,
                                   default=able[0] if able[0] == NAVY_BOX else able[-1],
                                   prompt="Which squadron do you give up?")
        g.emit(ev.LossChosen())
        move_squadron(g, loser, origin, to)
