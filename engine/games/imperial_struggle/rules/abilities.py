"""Chapter 12: what the abilities do that a side uses by choice."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from engine.games.imperial_struggle.actions.ministries import RaiseUprising, Reveal, UseAbility
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.components.cards import Ability
from engine.games.imperial_struggle.events.board import HuguenotsPlaced
from engine.games.imperial_struggle.events.cards import ActionBound, TownshendPlaced
from engine.games.imperial_struggle.events.points import ModifierGained
from engine.games.imperial_struggle.rules import ministries
from engine.games.imperial_struggle.rules.cards import discard, draw_event
from engine.games.imperial_struggle.rules.choices import choose
from engine.games.imperial_struggle.rules.filters import fitting
from engine.games.imperial_struggle.rules.military import pay_for
from engine.games.imperial_struggle.rules.money import gain_trp, move_limit, score
from engine.games.imperial_struggle.rules.points import add, attach, open_action
from engine.games.imperial_struggle.state import JACOBITES, Limit, Modifier, State
from engine.kernel import Action, Game, Script
from engine.text import template

WHICH_DISCARD = template("{card}: which event do you discard?")
WHICH_GOOD = template("{card}: on which good do you put the marker?")
WHICH_TERRITORY = template("{card}: where do the Huguenots settle?")
DISCARD, GOOD, TERRITORY = "IS-18.32", "IS-18.27", "IS-18.28"

Deed: TypeAlias = Callable[[Game[State], Side, Ability, str], Script[None]]


def use_ability(g: Game[State], answer: UseAbility) -> Script[None]:
    """Use an ability: mark it, then do what it says [IS-12.5]."""
    s = g.state
    ability = s.parts.ability[answer.ability]
    ministries.use(g, s.current.side, ability.id)
    yield from DEEDS[ability.op](g, s.current.side, ability, ability.id.rpartition(".")[0])


def _raise_diplomacy(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    """More DP for the tile's diplomatic action; M-22 begins the major one with it, which stays in Europe [M-1, M-22]."""
    s = g.state
    points = ministries.raised_by(s, side, ability)
    if ability.timing == "start_of_major_diplomatic_action":
        open_action(g, "major")
        g.emit(ActionBound(region="europe"))
        add(g, "major", points, card)
    else:
        major = s.parts.investment[s.current.tile].major.ap == "DP"
        add(g, "major" if major else "minor", points, card)
    yield from ()


def _spend_mp(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    """MP shift Scottish and Irish spaces in this round; the mark of the use is what the shift looks for [M-4]."""
    yield from ()


def _draw_and_discard(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    yield from draw_event(g, side)
    yield from _discard(g, side, card)


def _discard(g: Game[State], side: Side, card: str) -> Script[None]:
    hand = sorted(g.state.own[side].hand, key=lambda event: g.state.parts.event[event].number)
    event = yield from choose(g, side, hand, point=DISCARD, prompt=WHICH_DISCARD, what="discard", source=card, secret=True,
                              card=card)
    discard(g, side, event)


def _discard_for_trp(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    yield from _discard(g, side, card)
    gain_trp(g, side, ability.effect["trp"], card)


def _raise_limit(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    move_limit(g, side, ability.effect["amount"], card)
    yield from ()


def _settle_huguenots(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    space = yield from choose(g, side, fitting(g.state, side, ability.places), point=TERRITORY, prompt=WHICH_TERRITORY,
                              what="huguenots", source=card, card=card)
    g.emit(HuguenotsPlaced(space=space))


def _attach(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    """Points that go with an action of their kind [IS-5.6.5]."""
    effect = ability.effect
    attach(g, effect["kind"], effect["points"], ability.id, Limit(uses=effect["only_for"]))
    yield from ()


def _cheapen(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    """Prices change until the round ends [M-16]."""
    effect = ability.effect
    g.emit(ModifierGained(modifier=Modifier(source=card, action=effect["action"], amount=effect["amount"], kind=effect["kind"],
                                            countries=effect["countries"], flag=effect["flag"], rule="IS-7.2.2")))
    yield from ()


def _place_townshend(g: Game[State], side: Side, ability: Ability, card: str) -> Script[None]:
    good = yield from choose(g, side, g.state.demand, point=GOOD, prompt=WHICH_GOOD, what="good", source=card, card=card)
    g.emit(TownshendPlaced(good=good))


def turn_up(g: Game[State], answer: Reveal) -> Script[None]:
    ministries.reveal(g, g.state.current.side, answer.card)
    yield from ()


def raise_uprising(g: Game[State], answer: RaiseUprising) -> Script[None]:
    """VP for 3 MP, counted when they are paid [M-4]."""
    side = g.state.current.side
    pay_for(g, answer)
    ministries.use(g, side, ministries.UPRISING)
    score(g, side, ministries.uprising_vp(g.state), JACOBITES)
    yield from ()


DEEDS: Mapping[str, Deed] = {
    "tile_bonus_ap": _raise_diplomacy, "spend_mp_as_dp": _spend_mp, "draw_then_discard_event": _draw_and_discard,
    "change_debt_limit": _raise_limit, "place_huguenots": _settle_huguenots, "discard_event_for_trp": _discard_for_trp,
    "attached_ap": _attach, "cost_modifier": _cheapen, "townshend_marker": _place_townshend}
ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {
    Reveal: turn_up, UseAbility: use_ability, RaiseUprising: raise_uprising}
