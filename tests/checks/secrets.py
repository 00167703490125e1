"""What is secret in each game, as the search for leaks has to know it: the secrets of a seat, and what lies hidden from all."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from engine.games.attack.rules import trade
from engine.games.attack.rules.cards import kinds
from engine.games.attack.rules.combat import BattleBegun
from engine.games.attack.rules.replies import too_late
from engine.games.imperial_struggle import secrecy as imperial
from engine.games.imperial_struggle.components import SIDES
from engine.games.imperial_struggle.events.cards import MinistryGone
from engine.games.imperial_struggle.events.turns import DeckChanged
from engine.games.imperial_struggle.events.wars import TheaterOpened
from engine.games.imperial_struggle.state import JACOBITES
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn, in_use, whole_set
from engine.kernel import Action, Event, Seat
from engine.orders import Order, OrderLine, Reply
from tests.checks.mixtures import FAR

WHO = 0.6                   # of the deals that differ do so in who makes them

Change: TypeAlias = Callable[[Any, Seat, int], bool]
"""Gives a seat other secrets in a state, more so by a larger number; False if it has none yet."""


@dataclass(frozen=True)
class Apart:
    """Two things that a seat can do of which others see no difference, and who knows it all the same."""

    seat: Seat
    answers: tuple[Action, Action]
    knowing: frozenset[Seat]
    orders: tuple[Order, ...] = ()          # which answer at once what is asked because of it
    known_by: tuple[type[Event], ...] = ()  # the facts by which everybody learns of it


@dataclass(frozen=True)
class Secrets:
    """What is secret in a game, and in which mixtures of its options that is looked for."""

    of_seat: Change
    of_all: Callable[[Any, int], bool] = lambda state, amount: False        # the same for what nobody knows
    shown: Callable[[Any, Iterable[Event]], Mapping[Seat, object]] = lambda state, events: {}
    """What chance has shown of it to single seats: who was shown something else is no onlooker any more."""
    laid_open: Callable[[Iterable[Event]], bool] = lambda events: False
    """Whether something has been shown to all that may differ: nothing is to be compared from then on."""
    exchanged: bool = False
    """Whether a secret is exchanged for another one, so that what has happened before it does not lead there."""
    mixtures: tuple[Mapping[str, Any], ...] = ({},)
    shown_to_hosts: Mapping[str, Any] = field(default_factory=dict)         # options by which a game master sees secrets
    level: Change | None = None
    """Puts the secret of a seat at a height, if it has any: a careless line may ask whether it has reached a round number."""
    sharing: Callable[[Any, Seat], set[Seat]] = lambda state, seat: {seat}
    """The seats whose secrets change when those of a seat do: who gives them to it, too."""
    apart: Callable[[Any, Random], Apart | None] = lambda state, pick: None
    """What the seat whose turn begins could do in two ways; it may change the state, so that it can. None: it could not."""


def unrest(state: Any, seat: Seat, amount: int) -> bool:
    """The unrest of a seat, and its gold where that is hidden [SOE-3.3.5, AMB-76]."""
    power = state.power(seat)
    if power not in state.unrest:
        return False
    state.unrest[power] += amount
    if not state.options.gold.public:
        state.gold[power] += amount
    return True


def height(state: Any, seat: Seat, wanted: int) -> bool:
    """So much unrest for a seat [SOE-3.3.5]."""
    power = state.power(seat)
    if power not in state.unrest:
        return False
    state.unrest[power] = wanted
    return True


def bag(state: Any, amount: int) -> bool:
    """What is in the unrest bag, how many markers were drawn from it, and what those that come are drawn by [SOE-3.3.7]."""
    if not in_use(state):
        return False
    left = state.unrest_bag or whole_set(state)
    gone = next(kind for kind, number in left.items() if number)
    state.unrest_bag = {kind: number + amount * (kind != gone) for kind, number in left.items() if kind != gone or number > 1}
    state.bag_key, state.drawn = f"{amount:032x}", state.drawn + amount
    return True


def drawn(state: Any, events: Iterable[Event]) -> Mapping[Seat, object]:
    """The markers that each seat has drawn, which it alone has seen [SOE-3.3.8]."""
    seen: dict[Seat, list[object]] = {}
    for event in events:
        if isinstance(event, UnrestDrawn):
            seen.setdefault(state.seat(event.power), []).append(event.markers)
    return seen


# --- Attack! ------------------------------------------------------------------------------------------------

def neighbour(state: Any, seat: Seat) -> Seat:
    """The next seat around the table."""
    return Seat(state.seats[(state.seats.index(seat) + 1) % len(state.seats)])


def beside(state: Any, seat: Seat) -> set[Seat]:
    """A seat and the one with which it may exchange cards."""
    return {seat, neighbour(state, seat)}


def hands(state: Any, seat: Seat, amount: int) -> bool:
    """Cards of a seat against as many of its neighbour, or of the deck [ATK-20.4, 20.11]."""
    mine, theirs = state.hands[state.power(seat)], state.hands[state.power(neighbour(state, seat))]
    others = theirs if amount % 2 else state.deck
    number = min(amount, len(mine), len(others))
    mine[:number], others[:number] = others[:number], mine[:number]
    return bool(mine and theirs and state.deck)


def deck(state: Any, amount: int) -> bool:
    """Which card or event will come, though the dice fall as before [ATK-20.11, IS-17.7]."""
    by = amount % len(state.deck) if state.deck else 0
    state.deck = state.deck[by:] + state.deck[:by]
    return len(state.deck) > 1


def held(state: Any, events: Iterable[Event]) -> Mapping[Seat, object]:
    """The kinds of cards in each hand: chance may give somebody another card [ATK-20.6 to 20.8]; a card less in the deck may
    be such a one."""
    return {Seat(seat): (sorted(state.parts.card[card].kind for card in state.hands[state.power(seat)]), len(state.deck))
            for seat in state.seats}


def laid_open(events: Iterable[Event]) -> bool:
    """Whether a card of the deck has been shown to all: from then on the two games may part [ATK-20.5]."""
    return any(isinstance(event, BattleBegun) and event.card for event in events)


def deals(state: Any, pick: Random) -> Apart | None:
    """Other cards in an offer; or a deal with another partner, for which the controller is asked [ATK-20.14].

    The card is given for nothing, so that every partner can accept.
    """
    maker = state.active
    held = list(dict.fromkeys(kinds(state.parts, state.hands[maker]))) if maker else []
    others = [power for power in state.playing if power != maker]
    if not held or too_late(state) or not state.options.trade_gifts:
        return None
    if pick.random() < WHO and len(others) > 2:
        state.controller, *partners = pick.sample(others, 3)
        if not all(trade.may_block(state, maker, partner) for partner in partners):
            return None
        knowing = frozenset(state.seat(power) for power in (maker, state.controller, *partners))
        accept = OrderLine(then=Reply(verb="answer", fields={"accept": True}))
        orders = tuple(Order(id=1000 + number, seat=state.seat(partner), points=("D-20",), lines=(accept,))
                       for number, partner in enumerate(partners))
        one, other = (trade.Offer(partner=partner, give=(held[0],)) for partner in partners)
        return Apart(state.seat(maker), (one, other), knowing, orders, (trade.CardsTraded,))
    if len(held) < 2:
        return None
    partner = pick.choice(others)
    one, other = (trade.Offer(partner=partner, give=(kind,)) for kind in pick.sample(held, 2))
    return Apart(state.seat(maker), (one, other), frozenset({state.seat(maker), state.seat(partner)}))


# --- Imperial Struggle ----------------------------------------------------------------------------------------

def cards_and_tiles(state: Any, seat: Seat, amount: int) -> bool:
    """Other events, face-down ministries and war tiles for a seat [IS-17.1 to 17.3].

    In a war the tiles of the next theater stay: they may be turned up before anybody is asked anything. So does whether M-4 lies
    in front of France: it may leave the game then, and everybody sees whether a place is empty [IS-12.2, 14.9.2].
    """
    own = state.own[state.power(seat)]
    ministries = own.ministries
    opened = len(state.war.results) if state.war is not None else 0
    soon = own.tiles[opened:opened + 1] if state.phase == "war" else []
    own.tiles[opened:opened + len(soon)] = [[] for _ in soon]
    for _ in range(amount):
        imperial.disguise(state, seat)
    own.tiles[opened:opened + len(soon)] = soon
    if state.phase == "war" and JACOBITES in {minister.card for minister in (*ministries, *own.ministries)}:
        own.ministries = ministries
    return bool(own.hand or any(own.tiles) or len(own.up) < len(own.ministries))


def own_secrets(state: Any, seat: Seat) -> object:
    """What a side alone may look at, and what lies in its pools."""
    own = state.own[state.power(seat)]
    return own.model_dump(include={"hand", "ministries", "basic_pool", "bonus_pool", "tiles", "drawn"})


def of_each_side(state: Any, events: Iterable[Event]) -> Mapping[Seat, object]:
    """What each side holds, and what it was shown of its own: chance may give somebody another card or tile, or the same ones in
    another order [IS-17.1 to 17.6]."""
    told = {side: [event for event in events if event.confides and getattr(event, "side", "") == side] for side in SIDES}
    return {Seat(seat): (own_secrets(state, seat), told[state.power(seat)]) for seat in state.seats}


def turned_up(events: Iterable[Event]) -> bool:
    """Whether war tiles have been turned up, or M-4 or an event in a hand has left the game: from then on the two games may part
    [IS-14.3, 14.9.2, 4.1.2]."""
    return any(isinstance(event, TheaterOpened | MinistryGone) or (isinstance(event, DeckChanged) and event.out_of_hands)
               for event in events)


SECRETS: dict[str, Secrets] = {
    "attack": Secrets(hands, deck, held, laid_open, exchanged=True, sharing=beside, apart=deals, mixtures=(
        {}, {"full_deployment": True}, {"end_mode": "last_standing"}, {"trade_gifts": False, "trade_ban": False},
        {"trade_contact": "land_or_sea", "strategic_scope": "one_pair", "end_mode": "timed", "end_time": FAR})),
    "imperial_struggle": Secrets(cards_and_tiles, deck, of_each_side, turned_up, exchanged=True, mixtures=(
        {}, {"spanish_empire": True, "strict_action_order": False}, {"swap_tiles": True, "assign_tiles": True})),
    "struggle_of_empires": Secrets(unrest, bag, drawn, level=height, mixtures=(
        {}, {"gold.public": False, "gifts.public": False}, {"gold.public": False}), shown_to_hosts={"gm.sees_secrets": True}),
}
