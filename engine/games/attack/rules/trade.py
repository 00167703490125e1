"""Chapter 17: deals in economic cards, and the controller of the sea lanes who may block them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import ClassVar

from pydantic import Field

from engine.games.attack.rules import turns
from engine.games.attack.rules.cards import kinds
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.replies import Answer, Lapse, lapsed, missing, too_late
from engine.games.attack.state import TRADE, Deal, State
from engine.games.attack.words.nouns import cards, many_cards
from engine.kernel import Action, Aside, Ask, Event, Game, Script, Seat, put
from engine.refusals import Illegal
from engine.text import Fact, Text, template, text

YOUR_MOVE = text("You have something to decide in private.")      # all that others read of a question about a deal [ATK-20.14]
PROPOSED = template("Do you accept {power:possessive} offer, decline it or make a counter-offer?")
OFFERED = template("{partner} hasn't replied to your offer yet. It lapses if you take another action or end your turn.")
COUNTERED = template("Do you accept {partner:possessive} counter-offer? It lapses if you take another action or end your turn.")
ALLOWED = template("{maker} and {partner} have agreed on a deal. They share no border, so it's up to you: do you allow it?")
AGREED = template("{controller} hasn't allowed your deal with {partner} yet. It lapses if you take another action or end your "
                  "turn.")
INSTEAD = (turns.Begin, Diplomacy,
           turns.End)           # what else the active player can do while a deal is open, which lapses by that

# --- events -----------------------------------------------------------------------------------------------

class OfferMade(Event):
    """An offer or a counter-offer; only the two parties see what it says [ATK-20.14]."""

    maker: str
    partner: str
    give: tuple[str, ...]
    take: tuple[str, ...]
    counter: bool = False

    def apply(self, s: State) -> None:
        s.deal = Deal(maker=self.maker, partner=self.partner, give=list(self.give), take=list(self.take), counter=self.counter)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(power): told for power in (self.maker, self.partner) if (told := deal_told(self, power)) is not None}


class OfferRecalled(Event):
    """The maker withdraws an offer that is not answered yet [ATK-17.2.3]."""

    maker: str

    def apply(self, s: State) -> None:
        assert s.deal is not None, "an offer is open"
        s.deal.recalled = True

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {} if s.deal is None else {s.seat(s.deal.partner): text("{maker} withdraws the offer.", maker=self.maker)}


class OfferFailed(Event):
    """An offer led to no deal: it was declined or withdrawn, or the deal was blocked [ATK-17.2.1, 17.2.3]."""

    power: str
    partner: str
    blocked_by: str = ""

    def apply(self, s: State) -> None:
        s.deal = None
        s.turn.offers += 1

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        if self.blocked_by:                 # the public never learns of a deal that is not done [ATK-20.14]
            return {s.seat(self.power): text("{controller} blocks your deal with {partner}.", controller=self.blocked_by,
                                             partner=self.partner),
                    s.seat(self.partner): text("{controller} blocks your deal with {partner}.", controller=self.blocked_by,
                                               partner=self.power),
                    s.seat(self.blocked_by): text("You block the deal between {power} and {partner}.", power=self.power,
                                                  partner=self.partner)}
        return {s.seat(self.power): text("No deal with {partner}.", partner=self.partner),
                s.seat(self.partner): text("No deal with {partner}.", partner=self.power)}


class DealAgreed(Event):
    """Both parties have agreed, and the controller is asked [ATK-17.2.2, 17.3.2]."""

    def apply(self, s: State) -> None:
        assert s.deal is not None, "both have agreed to a deal"
        s.deal.agreed = True

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        told = open_deal(s, s.controller)
        return {} if told is None else {s.seat(s.controller): told}


class CardsTraded(Event):
    """Cards change hands; others see how many [ATK-17.1.1, 20.8]."""

    one: str
    other: str
    from_one: tuple[str, ...]
    from_other: tuple[str, ...]

    def apply(self, s: State) -> None:
        for giver, taker, given in ((self.one, self.other, self.from_one), (self.other, self.one, self.from_other)):
            for card in given:
                s.hands[giver].remove(card)
                s.hands[taker].append(card)
        s.deal = None

    def line(self) -> Text:
        giver, taker, given, taken = self.one, self.other, len(self.from_one), len(self.from_other)
        if not given:
            giver, taker, given, taken = taker, giver, taken, given
        if not taken:
            return text("{giver} gives {taker} {given} as a gift.", giver=giver, taker=taker, given=many_cards(given))
        return text("{giver} gives {taker} {given} for {taken}.", giver=giver, taker=taker, given=many_cards(given),
                    taken=many_cards(taken))

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        from_one, from_other = cards(kinds(s.parts, self.from_one)), cards(kinds(s.parts, self.from_other))
        gave, got = template("You gave {given} as a gift."), template("You got {got} as a gift.")
        both = template("You gave {given} and got {got}.")
        to_one, to_other = ((got, gave) if not self.from_one else (gave, got) if not self.from_other else (both, both))
        return {s.seat(self.one): text(to_one, given=from_one, got=from_other),
                s.seat(self.other): text(to_other, given=from_other, got=from_one)}


# --- answers ----------------------------------------------------------------------------------------------

class Offer(Action):
    """Offer another player cards for cards, or make a counter-offer."""

    verb: ClassVar[str] = "offer"
    open_ended: ClassVar[bool] = True
    secret: ClassVar[bool] = True
    partner: str = Field(description="With whom?")
    give: tuple[str, ...] = Field(default=(), description="Which cards do you give? (such as: oil 3, minerals 1)")
    take: tuple[str, ...] = Field(default=(), description="Which cards do you want? (such as: factories 2)")

    @classmethod
    def options(cls, s: State, seat: Seat) -> tuple[Offer, ...]:
        """Single cards for single cards, and gifts; more cards can be typed."""
        power = s.power(seat)
        if _obstacle(s, power) is not None:
            return ()
        own = tuple(dict.fromkeys(kinds(s.parts, s.hands[power])))
        excess = _too_many(s, power, s.parts.kinds_of_cards)
        every = tuple([kind for kind in s.parts.kinds_of_cards if kind not in excess])
        return _all_offers(tuple([(partner, every if s.hands[partner] else ()) for partner in _partners(s, power)]), own,
                           s.options.trade_gifts)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if (why := _obstacle(s, power)) is not None:
            raise why
        if self.partner not in _partners(s, power):
            raise Illegal("You can deal with {partners} now.", rule="ATK-17.1.2", partners=tuple(_partners(s, power)))
        for kind in (*self.give, *self.take):
            if kind not in s.parts.kinds_of_cards:
                raise Illegal("There is no card {kind}. Name a type and a number, such as oil 3.", rule="ATK-17.1.1", kind=kind)
        if short := missing(s, power, self.give):
            raise Illegal("You don't have {cards}.", rule="ATK-17.1.1", cards=cards(short))
        if len(self.take) > len(s.hands[self.partner]):
            raise Illegal("{partner} has only {cards}.", rule="ATK-17.1.1", partner=self.partner,
                          cards=many_cards(len(s.hands[self.partner])))
        if excess := _too_many(s, power, self.take):
            raise Illegal("Nobody else can have {cards}: there aren't so many.", rule="ATK-17.1.1", cards=cards(excess))
        if not self.give and not self.take:
            raise Illegal("At least one card must change hands.", rule="ATK-17.1.4")
        if not s.options.trade_gifts and not (self.give and self.take):
            raise Illegal("In this game each side must give at least one card.", rule="ATK-17.1.4")

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if (why := _obstacle(s, power)) is not None:
            raise why
        raise Illegal("Nobody you can deal with has a card.", rule="ATK-17.1.1")

    def label(self) -> Text:
        if not self.take:
            return text("Offer {partner} {give} as a gift", partner=self.partner, give=cards(self.give))
        if not self.give:
            return text("Ask {partner} for {take} as a gift", partner=self.partner, take=cards(self.take))
        return text("Offer {partner} {give} in exchange for {take}", partner=self.partner, give=cards(self.give),
                    take=cards(self.take))


@lru_cache(maxsize=128)
def _all_offers(partners: tuple[tuple[str, tuple[str, ...]], ...], own: tuple[str, ...], gifts: bool) -> tuple[Offer, ...]:
    """The offers to each of these partners, with what could be wanted of it: the same in most questions of a turn."""
    found: list[Offer] = []
    for partner, wanted in partners:
        found += _single_offers(partner, own, wanted, gifts)
    return tuple(found)


@lru_cache(maxsize=1024)
def _single_offers(partner: str, own: tuple[str, ...], wanted: tuple[str, ...], gifts: bool) -> tuple[Offer, ...]:
    """Each of the own kinds of cards for each that could be wanted: made once, as every question of a turn lists hundreds."""
    offers = [offer for kind in own for offer in _offers_of(partner, (kind,), wanted, gifts)]
    return tuple([*offers, *(_offers_of(partner, (), wanted, gifts) if gifts else ())])


@lru_cache(maxsize=1024)
def _offers_of(partner: str, give: tuple[str, ...], wanted: tuple[str, ...], gifts: bool) -> tuple[Offer, ...]:
    """One own card, or nothing, for each other that could be wanted: hands differ, but most of their kinds are the same."""
    for_nothing = (Offer.of(partner, give, ()),) if gifts and give else ()
    return (*[Offer.of(partner, give, (kind,)) for kind in wanted if (kind,) != give], *for_nothing)


def _too_many(s: State, power: str, wanted: Iterable[str]) -> list[str]:
    """The kinds among these of which the others can't have so many cards, each as often as it is named."""
    if s.rules_version < 2:
        return []
    own, named = kinds(s.parts, s.hands[power]), list(wanted)
    return [kind for kind in named if named.count(kind) > s.parts.cards_of_kind[kind] - own.count(kind)]


def _partners(s: State, power: str) -> list[str]:
    """With whom a player can deal: the maker of the offer to be answered, or everybody else."""
    return s.others(power) if s.deal is None else [s.deal.maker]


def _obstacle(s: State, power: str) -> Illegal | None:
    """Why a player cannot make an offer now; None if it can."""
    if s.deal is not None:
        if s.deal.agreed or s.deal.maker == power:
            return Illegal("You still have an open deal with {other}. Only one can be open at a time.", rule="ATK-17.2.3",
                           other=s.deal.partner if s.deal.maker == power else s.deal.maker)
        counter = Illegal("A counter-offer can only be accepted or declined.", rule="ATK-17.2.2") if s.deal.counter else None
        return lapsed(s) or counter
    if not turns.trade_open(s) and not turns.can_take(s, power, TRADE):
        try:
            turns.require_action(s, power, TRADE)
        except Illegal as why:
            return why
    if why_late := too_late(s):
        return why_late
    most = s.options.failed_offers_per_turn
    if most != "no_limit" and s.turn.offers >= most:
        return Illegal("{n} of your offers led to no deal this turn. You can't make another.", rule="ATK-17.2.3", n=s.turn.offers)
    return None


class Recall(Aside):
    """Withdraw your offer, as long as nobody has replied."""

    verb: ClassVar[str] = "recall"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Recall]:
        if _recallable(s, s.power(seat)):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        self.require_any(s, seat)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        if not _recallable(s, s.power(seat)):
            raise Illegal("You have no open offer.", rule="ATK-17.2.3")

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        yield OfferRecalled(maker=s.power(seat))

    def label(self) -> Text:
        return text("Withdraw the offer")


def _recallable(s: State, power: str) -> bool:
    return s.deal is not None and s.deal.maker == power and not s.deal.recalled and not s.deal.agreed


# --- the script -----------------------------------------------------------------------------------------------

def trade(g: Game[State], power: str, offer: Offer) -> Script[Action | None]:
    """An offer, perhaps a counter-offer, perhaps the controller's word; then the cards change hands [ATK-17.2.2].

    If the active player does something else before, the offer lapses [ATK-17.2.3], and what that was is returned.
    """
    s = g.state
    partner = offer.partner
    g.emit(OfferMade(maker=power, partner=partner, give=offer.give, take=offer.take))
    answer = yield from put(Ask(s.seat(partner), (Answer, Offer, Lapse), PROPOSED, "D-20", Answer.of(False), {"power": power},
                                openly=YOUR_MOVE, meanwhile=_instead(s, power, OFFERED, partner=partner)))
    if isinstance(answer, Offer):
        g.emit(OfferMade(maker=partner, partner=power, give=answer.give, take=answer.take, counter=True))
        answer = yield from put(Ask(s.seat(power), (Answer, Lapse, *INSTEAD), COUNTERED, "D-19", Answer.of(False),
                                    {"partner": partner},
                                    openly=Text(turns.what_next(left := turns.actions_left(s)), {"left": turns.still(left)})))
    if not (isinstance(answer, Answer) and answer.accept):
        g.emit(OfferFailed(power=power, partner=partner))
        return _something_else(answer)
    assert s.deal is not None, "both have agreed to a deal"
    deal = s.deal
    if may_block(s, power, partner):
        g.emit(DealAgreed())
        answer = yield from put(Ask(
            s.seat(s.controller), (Permit, Lapse), ALLOWED, "D-21", Permit.of(True),
            {"maker": deal.maker, "partner": deal.partner}, openly=YOUR_MOVE,
            meanwhile=_instead(s, power, AGREED, partner=partner, controller=s.controller)))
        if not (isinstance(answer, Permit) and answer.allow):
            blocked = isinstance(answer, Permit)
            g.emit(OfferFailed(power=power, partner=partner, blocked_by=s.controller if blocked else ""))
            return _something_else(answer)
    if not turns.trade_open(s):
        g.emit(turns.ActionSpent(power=power, action=TRADE))
    g.emit(CardsTraded(one=deal.maker, other=deal.partner, from_one=held(s, deal.maker, deal.give),
                       from_other=held(s, deal.partner, deal.take)))
    return None


def _instead(s: State, power: str, prompt: str, **about: Fact) -> Ask[Action]:
    """Return what the active player may do while an offer waits for somebody."""
    return Ask(s.seat(power), (*INSTEAD, Offer), prompt, "D-04", turns.End.of(), about)


def _something_else(answer: Action) -> Action | None:
    return answer if isinstance(answer, INSTEAD) else None


def open_deal(s: State, power: str) -> Text | None:
    """Return what a power may know of the offer that is open now, if there is one [ATK-17.3.4, 20.14]."""
    if s.deal is None:
        return None
    if s.deal.agreed and power == s.controller:
        words = (template("{maker} wants to give {partner} {given} as a gift.") if not s.deal.take else
                 template("{maker} wants {taken} from {partner} as a gift.") if not s.deal.give else
                 template("{maker} wants to give {partner} {given} for {taken}."))
        return text(words, maker=s.deal.maker, partner=s.deal.partner, given=many_cards(len(s.deal.give)),
                    taken=many_cards(len(s.deal.take)))
    told = deal_told(s.deal, power)
    if told is not None and power == s.deal.partner and (short := missing(s, power, s.deal.take)):
        return text("{deal} You don't have {cards}, so you can't accept.", deal=told, cards=cards(short))
    return told


def deal_told(deal: Deal | OfferMade, power: str) -> Text | None:
    """An offer in words, for its two parties alone [ATK-20.14]."""
    give, take = cards(deal.give), cards(deal.take)
    if power == deal.maker:
        if not deal.take:
            return text("You offer {partner} {give} as a gift.", partner=deal.partner, give=give)
        if not deal.give:
            return text("You ask {partner} for {take} as a gift.", partner=deal.partner, take=take)
        return text("You offer {partner} {give} in exchange for {take}.", partner=deal.partner, give=give, take=take)
    if power == deal.partner:
        if not deal.take:
            return text("{maker} offers you {give} as a gift.", maker=deal.maker, give=give)
        if not deal.give:
            return text("{maker} asks you for {take} as a gift.", maker=deal.maker, take=take)
        return text("{maker} offers you {give} in exchange for {take}.", maker=deal.maker, give=give, take=take)
    return None


def may_block(s: State, one: str, other: str) -> bool:
    """True if the controller is asked: no party itself, and the parties do not touch [ATK-17.3]."""
    by_sea = s.options.trade_contact == "land_or_sea"
    return s.controller not in ("", one, other) and not s.touches(one, other, by_sea=by_sea)


def held(s: State, power: str, wanted: Iterable[str]) -> tuple[str, ...]:
    """Cards of these kinds from a hand."""
    left, chosen = Counter(wanted), []
    for card in s.hands[power]:
        kind = s.parts.card[card].kind
        if left[kind]:
            left[kind] -= 1
            chosen.append(card)
    return tuple(chosen)
