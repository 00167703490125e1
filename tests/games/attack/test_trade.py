"""Chapter 17: offers, counter-offers, who may block a deal, and when none can be made."""
from __future__ import annotations

from typing import Any

import pytest
from discord.ui import Button, Select

from bot.discord.game.action_commands import offered as offered_values, understood
from bot.discord.game.action_menu import screen
from bot.discord.game.legal_moves import listed
from bot.domain.announcements import reader_of
from engine.games.attack import GAME
from engine.games.attack.rules.cards import production_points
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import Time
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer, Lapse
from engine.games.attack.rules.trade import CardsTraded, DealAgreed, Offer, OfferFailed, Recall
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.orders import Order, OrderLine, Orders, Reply
from engine.refusals import NotAsked
from engine.text import Reader, Text, say
from tests.games.attack.scene import Scene, scene

THREE = ("red", "blue", "green")
APART = {"mexico": ("red", "1I"), "france": ("blue", "1I"), "mozambique": ("green", "1I")}
TIMED = {"end_mode": "timed", "end_time": "2027-01-31T18:00"}
HANDS = {"red": ("oil_2", "oil_1"), "blue": ("minerals_1", "factories_3"), "green": ("population_4",)}


def trading(**more: Any) -> Scene:
    """Red's turn; nobody touches anybody, and everybody has cards."""
    return scene(**{"powers": THREE, "land": APART, "hands": HANDS, **more})


def offered(*, give: tuple[str, ...] = ("oil_2",), take: tuple[str, ...] = ("minerals_1",), **more: Any) -> Scene:
    made = trading(**more)
    made.say("red", Offer(partner="blue", give=give, take=take))
    return made


def timed(**more: Any) -> Scene:
    return offered(options=TIMED, **more)


def tell(made: Scene, time: Any) -> None:
    """The table hears how late it is."""
    made.table.decree(Time(time=time))
    made.replay()


def in_words(made: Scene, words: Text) -> str:
    return say(words, Reader(made.game.words.names(made.parts, made.state)))


# --- a deal ---------------------------------------------------------------------------------------------

def test_ATK_17_1_1_a_card_is_not_offered_twice_by_who_holds_one():
    made = trading()
    assert made.allows("red", Offer(partner="blue", give=("oil_2", "oil_1")))
    assert str(made.refusal("red", Offer(partner="blue", give=("oil_2", "oil_2")))) == "You don't have oil 2."


def test_ATK_17_1_1_nobody_is_asked_for_more_cards_of_a_kind_than_there_are():
    made = trading(hands={"red": ("oil_4", "oil_2"), "blue": ("oil_1", "oil_2", "oil_2"), "green": ()})
    assert made.allows("red", Offer(partner="blue", take=("oil_2",) * 3))
    assert made.refusal("red", Offer(partner="blue", take=("minerals_4", "minerals_4"))).rule == "ATK-17.1.1"
    assert str(made.refusal("red", Offer(partner="blue", take=("oil_4",)))) == "Nobody else can have oil 4: there aren't so many."
    assert not any("oil_4" in offer.take for offer in made.options("red") if isinstance(offer, Offer)), "red has the only one"


def test_ATK_17_1_1_any_number_of_cards_goes_for_any_number():
    made = offered(give=("oil_2", "oil_1"), take=("minerals_1", "factories_3"))
    made.say("blue", Answer(accept=True))
    assert (made.hand("red"), made.hand("blue")) == (["factories_3", "minerals_1"], ["oil_1", "oil_2"])


def test_ATK_17_1_2_the_active_player_is_one_party_of_every_deal():
    made = trading()
    assert isinstance(made.refusal("blue", Offer(partner="green", give=("minerals_1",))), NotAsked)
    made.say("red", Offer(partner="blue", give=("oil_2",)))
    assert made.refusal("blue", Offer(partner="green", give=("minerals_1",))).rule == "ATK-17.1.2"


def test_ATK_17_1_3_nothing_but_cards_changes_hands():
    made = offered(fleets={"red": "1B", "blue": "2D"}, capitals={"mexico": "red", "france": "blue"})
    before = made.state.model_copy(deep=True)
    made.say("blue", Answer(accept=True))
    after = made.state.model_copy(deep=True)
    assert after.hands != before.hands and after.turn.taken == ["trade"]
    after.hands, after.deal, after.turn = before.hands, before.deal, before.turn
    assert after == before
    assert {*Offer.model_fields} == {"partner", "give", "take"}


def test_ATK_17_1_4_RUL_14_a_gift_is_a_deal_and_without_gifts_a_counter_offer_gives_too():
    made = offered(give=(), take=("minerals_1",))
    made.say("blue", Answer(accept=True))
    assert made.hand("red") == ["minerals_1", "oil_1", "oil_2"]
    strict = offered(options={"trade_gifts": False})
    assert strict.refusal("blue", Offer(partner="red", take=("oil_2",))).rule == "ATK-17.1.4"
    assert all(offer.give and offer.take for offer in strict.options("blue") if isinstance(offer, Offer))


# --- what a deal costs, and offers that fail ------------------------------------------------------------

def test_ATK_17_2_1_the_first_deal_spends_the_action_and_nothing_else_does():
    made = offered()
    assert made.state.turn.taken == []
    made.say("blue", Answer(accept=False))
    assert made.state.turn.taken == [] and made.asked() == [("red", "D-04")]
    for expected in (["trade"], ["trade"]):
        made.say("red", Offer(partner="green", give=("oil_2",)) if made.hand("green") == ["population_4"]
                 else Offer(partner="green", take=("oil_2",)))
        made.say("green", Answer(accept=True))
        assert made.state.turn.taken == expected


def test_ATK_17_1_2_a_trade_is_closed_by_another_action_and_cannot_be_taken_twice():
    made = offered()
    made.say("blue", Answer(accept=True))
    made.say("red", Begin(action="production"))
    assert in_words(made, GAME.views.purse(made.state, made.state.seat("red"))).endswith(" left"), "nothing is confirmed yet"
    made.say("red", Confirm())
    assert made.refusal("red", Offer(partner="blue", give=("oil_1",))).rule == "ATK-4.1.3"


def test_ATK_17_2_2_there_is_one_counter_offer_and_no_second():
    made = offered()
    made.say("blue", Offer(partner="red", give=("minerals_1",), take=("oil_2", "oil_1")))
    assert made.asked() == [("red", "D-19")] and not any(isinstance(option, Offer) for option in made.options("red"))
    made.say("red", Answer(accept=False))
    assert made.state.turn.offers == 1 and made.asked() == [("red", "D-04")] and made.events(CardsTraded) == []
    assert made.private_lines("blue")[-1] == "No deal with Red.", "whose counter-offer is declined is told"


def test_D_20_silence_declines_an_offer_and_D_19_a_counter_offer():
    made = offered()
    assert made.default("blue") == Answer(accept=False)
    made.say("blue", Offer(partner="red", take=("oil_2",)))
    assert made.default("red") == Answer(accept=False)


@pytest.mark.parametrize(("most", "possible"), [(6, 6), (1, 1), (0, 0), ("no_limit", 8)])
def test_ATK_17_2_3_RUL_30_so_many_offers_may_fail_in_a_turn(most, possible):
    made = trading(options={"failed_offers_per_turn": most})
    for number in range(8):
        assert made.allows("red", Offer(partner="blue", give=("oil_2",))) == (number < possible)
        if number < possible:
            made.say("red", Offer(partner="blue", give=("oil_2",)))
            made.say("blue", Answer(accept=False))
    made.say("red", End())
    assert made.allows("blue", Offer(partner="red", give=("minerals_1",))) == (most != 0), "another turn, another six"


def test_ATK_17_2_3_deals_that_are_made_and_offers_that_are_blocked_count_as_what_they_are():
    made = trading(controller="green", options={"failed_offers_per_turn": 1})
    made.say("red", Offer(partner="blue", give=("oil_2",)))
    made.say("blue", Answer(accept=True))
    made.say("green", Permit(allow=True))
    assert made.state.turn.offers == 0 and made.allows("red", Offer(partner="blue", give=("oil_1",)))
    made.say("red", Offer(partner="blue", give=("oil_1",)))
    made.say("blue", Answer(accept=True))
    made.say("green", Permit(allow=False))
    assert made.state.turn.offers == 1 and not made.allows("red", Offer(partner="blue", give=("oil_1",)))


def test_ATK_17_2_3_one_offer_is_open_at_a_time_and_only_its_maker_withdraws_it():
    made = offered()
    refused = made.refusal("red", Offer(partner="green", give=("oil_1",)))
    assert (refused.rule, in_words(made, refused.text)) == (
        "ATK-17.2.3", "You still have an open deal with Blue. Only one can be open at a time.")
    assert not list(Recall.options(made.state, made.state.seat("blue")))
    made.say("blue", Offer(partner="red", take=("oil_2",)))
    assert not list(Recall.options(made.state, made.state.seat("red"))), "the first offer has been answered"
    assert list(Recall.options(made.state, made.state.seat("blue")))


INSTEAD = [(Begin(action="movement"), "D-05"), (Begin(action="production"), "D-22"), (Diplomacy(territory="panama"), "D-04")]


@pytest.mark.parametrize(("instead", "asked"), INSTEAD)
@pytest.mark.parametrize("stage", ["offer", "counter", "controller"])
def test_ATK_17_2_3_an_offer_lapses_when_the_active_player_takes_another_action(stage, instead, asked):
    made = offered(controller="green", dice=[(6, 6), (1,)])
    if stage == "counter":
        made.say("blue", Offer(partner="red", give=("factories_3",), take=("oil_2",)))
    if stage == "controller":
        made.say("blue", Answer(accept=True))
    made.say("red", instead)
    assert made.asked() == [("red", asked)] and made.state.deal is None and made.state.turn.offers == 1
    assert made.events(OfferFailed) == [OfferFailed(power="red", partner="blue")] and made.events(CardsTraded) == []
    assert made.private_lines("blue")[-1] == "No deal with Red."


@pytest.mark.parametrize("stage", ["offer", "counter", "controller"])
def test_ATK_17_2_3_an_offer_lapses_with_the_turn(stage):
    made = offered(controller="green")
    if stage != "offer":
        made.say("blue", Answer(accept=True) if stage == "controller" else Offer(partner="red", take=("oil_2",)))
    made.say("red", End())
    assert made.asked() == [("blue", "D-04")] and made.state.deal is None and made.events(CardsTraded) == []


def test_ATK_17_2_3_nobody_waits_for_what_the_maker_may_do_meanwhile_and_no_order_does_it():
    made = offered()
    seat = made.state.seat("red")
    made.table.deputy = Orders(GAME, [Order(id=1, seat=seat, points=("D-04",), lines=(OrderLine(then=Reply(verb="end")),))])
    made.table.go_on()
    assert not made.table.answer_by_order(seat)
    assert made.asked() == [("blue", "D-20")] and made.table.asked(seat) is None
    (question,) = filter(None, [made.table.question(seat)])
    assert in_words(made, question.text()) == (
        "Blue hasn't replied to your offer yet. It lapses if you take another action or end your turn.")
    assert {option.verb for option in made.options("red")} == {Begin.verb, Diplomacy.verb, End.verb}


async def test_ATK_17_2_3_the_maker_reads_in_the_panel_that_the_offer_waits_and_types_or_taps_something_else():
    made = offered()
    seat, table = made.state.seat("red"), made.table
    shown = screen(table, 1, seat)
    assert "Blue hasn't replied to your offer yet." in shown.words and shown.view is not None
    assert understood(table, seat, Begin, {"action": "Production"}) == Begin(action="production")
    assert [choice.name for choice in offered_values(table, seat, Begin, "action", {}, "Prod")] == ["Production"]
    (told,) = listed(table, seat, Offer, reader_of(table))
    assert "Only one can be open at a time. (ATK-17.2.3" in told


async def test_an_offer_is_answered_by_two_buttons_beside_the_list_for_a_counter_offer():
    made = offered()
    shown = screen(made.table, 1, made.state.seat("blue"))
    assert shown.view is not None
    children: Any = shown.view.children
    items = [one.item for one in children]
    assert [item.label for item in items if isinstance(item, Button)][:2] == ["Accept", "Decline"]
    (counter,) = [item for item in items if isinstance(item, Select)]
    assert counter.options[-1].label == "Nothing: you ask for a gift"
    assert shown.words.count("offer") == 3, "what is offered, once; the question; a counter-offer"


@pytest.mark.parametrize(("give", "take", "said"), [
    (("oil_2",), (), "Offer Blue Oil 2 as a gift"), ((), ("oil_2",), "Ask Blue for Oil 2 as a gift"),
    (("oil_2",), ("minerals_1",), "Offer Blue Oil 2 in exchange for Minerals 1")])
def test_a_gift_is_called_a_gift(give, take, said):
    assert in_words(offered(), Offer(partner="blue", give=give, take=take).label()) == said


def test_ATK_17_2_3_a_counter_offer_that_is_withdrawn_needs_no_answer_though_another_action_is_possible():
    made = offered()
    made.say("blue", Offer(partner="red", take=("oil_2",)), Recall())
    assert made.asked() == [("red", "D-04")] and made.state.deal is None
    assert [entry.answer.verb for entry in made.table.fresh][-1] == "lapse"


# --- the controller -------------------------------------------------------------------------------------

def test_ATK_17_3_1_any_border_between_two_of_their_territories_is_contact():
    made = offered(land={**APART, "panama": ("blue", "1I")}, controller="green")
    made.say("blue", Answer(accept=True))
    assert made.events(CardsTraded) and not made.events(DealAgreed)


def test_ATK_17_3_2_without_a_controller_a_deal_without_contact_goes_through():
    made = offered()
    made.say("blue", Answer(accept=True))
    assert made.events(CardsTraded) and not made.events(DealAgreed)


@pytest.mark.parametrize("controller", ["red", "blue"])
def test_ATK_17_3_2_RUL_15_a_party_cannot_block_its_own_deal(controller):
    made = offered(controller=controller)
    made.say("blue", Answer(accept=True))
    assert made.events(CardsTraded)


def test_ATK_17_3_3_RUL_13_a_sea_link_is_no_contact_unless_the_option_says_so():
    for contact, asked in (("land", True), ("land_or_sea", False)):
        made = offered(land={**APART, "cuba": ("blue", "1I")}, controller="green", options={"trade_contact": contact})
        made.say("blue", Answer(accept=True))
        assert bool(made.events(DealAgreed)) == asked
    other = offered(controller="green", options={"trade_contact": "land_or_sea"})
    other.say("blue", Answer(accept=True))
    assert other.asked() == [("green", "D-21")], "no sea links Mexico and France"


def test_ATK_17_3_4_the_controller_alone_learns_the_numbers_and_nobody_the_cards():
    made = offered(give=("oil_2", "oil_1"), controller="green")
    made.say("blue", Answer(accept=True))
    (question,) = made.table.waiting()
    assert in_words(made, question.text()) == (
        "Red and Blue have agreed on a deal. They share no border, so it's up to you: do you allow it?")
    assert in_words(made, question.told()) == "You have something to decide in private.", "what stands in the channel for all"
    told = "Red wants to give Blue 2 cards for 1 card."
    assert made.private_lines("green") == [told] == [in_words(made, GAME.views.purse(made.state, made.state.seat("green")))]
    assert any(kind.secret for kind in question.accepts), "it is answered where the numbers stand"
    assert not any("Oil" in line or "Minerals" in line or "2 cards" in line for line in made.lines())
    countered = offered(controller="green")
    countered.say("blue", Offer(partner="red", give=("factories_3",), take=("oil_2", "oil_1")))
    countered.say("red", Answer(accept=True))
    assert countered.private_lines("green") == ["Blue wants to give Red 1 card for 2 cards."]


def test_ATK_20_14_the_parties_see_the_offer_wherever_they_look_for_their_own_and_nobody_else_does():
    made = offered(controller="green")
    for hook in (GAME.views.purse, GAME.views.private):
        said = {power: in_words(made, hook(made.state, made.state.seat(power))) for power in THREE}
        assert "You offer Blue Oil 2 in exchange for Minerals 1." in said["red"]
        assert "Red offers you Oil 2 in exchange for Minerals 1." in said["blue"]
        assert "offer" not in said["green"] and "Red" not in said["green"]
    made.say("blue", Answer(accept=True))
    made.say("green", Permit(allow=True))
    assert in_words(made, GAME.views.purse(made.state, made.state.seat("blue"))) == "2 cards"


def test_ATK_17_3_5_contact_is_read_when_both_have_agreed():
    """Ownership cannot change while an offer is open in play; this position is made so that it has."""
    made = offered(controller="green")
    made.table.state.owner["panama"], made.table.state.units["panama"] = "blue", {"infantry": 1}
    made.table.answer(made.state.seat("blue"), Answer(accept=True))
    assert made.events(CardsTraded) and not made.events(DealAgreed), "asked of nobody: they touch by now"


def test_D_21_silence_allows_and_a_blocked_deal_is_told_to_its_parties():
    made = offered(controller="green")
    made.say("blue", Answer(accept=True))
    assert made.default("green") == Permit(allow=True) and not list(Recall.options(made.state, made.state.seat("red")))
    before = made.lines()
    made.say("green", Permit(allow=False))
    assert made.lines() == before and made.private_lines("red")[-1] == "Green blocks your deal with Blue."
    assert made.events(OfferFailed)[-1].blocked_by == "green" and made.events(CardsTraded) == []


# --- near the end ---------------------------------------------------------------------------------------

def test_ATK_17_4_1_an_offer_that_is_open_when_the_last_half_hour_begins_comes_to_nothing():
    made = timed()
    tell(made, "late")
    assert made.asked() == [("red", "D-04")] and made.state.deal is None
    assert made.hand("blue") == ["factories_3", "minerals_1"] and made.state.turn.taken == []
    assert not made.allows("red", Offer(partner="blue", give=("oil_2",)))


def test_ATK_17_4_1_a_counter_offer_and_a_deal_before_the_controller_come_to_nothing_too():
    countered = timed()
    countered.say("blue", Offer(partner="red", give=("factories_3",), take=("oil_2",)))
    tell(countered, "up")
    assert countered.asked() == [("red", "D-04")] and countered.events(CardsTraded) == []
    agreed = timed(controller="green")
    agreed.say("blue", Answer(accept=True))
    assert agreed.asked() == [("green", "D-21")]
    tell(agreed, "late")
    assert agreed.asked() == [("red", "D-04")] and agreed.events(CardsTraded) == []
    assert agreed.events(OfferFailed)[-1].blocked_by == "", "the controller has not blocked it"
    assert not any("blocks" in line for line in agreed.lines())


def test_ATK_17_4_1_without_the_ban_deals_are_made_to_the_end():
    made = offered(options={**TIMED, "trade_ban": False})
    tell(made, "up")
    assert made.asked() == [("blue", "D-20")]
    made.say("blue", Answer(accept=True))
    assert made.events(CardsTraded)
    assert trading(round=8, options={"end_mode": "round_limit", "trade_ban": False}).allows("red", Offer(
        partner="blue", give=("oil_2",)))


def test_ATK_17_4_1_RUL_26_by_rounds_the_ban_is_the_last_round_alone():
    for number, possible in ((3, True), (4, False)):
        made = trading(round=number, options={"end_mode": "round_limit", "rounds": 4})
        assert made.allows("red", Offer(partner="blue", give=("oil_2",))) == possible
    assert trading(round=50).allows("red", Offer(partner="blue", give=("oil_2",))), "no end is set in rounds"


def test_ATK_4_1_11_under_the_ban_trade_cannot_be_chosen_and_other_actions_can():
    made = trading(round=8, options={"end_mode": "round_limit"})
    assert not any(isinstance(option, Offer | Lapse) for option in made.options("red"))
    made.say("red", Begin(action="production"))
    points = production_points(made.state, "red")
    assert points == 3 and not made.allows("red", Buy(kind="infantry"))
