"""Leaks planted in Attack!: what a hand holds, which card comes, how ships are lined up, what somebody can buy."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import engine.players.rehearsal
from bot.discord.game import action_menu
from bot.domain.letters import Notice
from engine.games.attack import GAME
from engine.games.attack.rules import movement, trade, turns
from engine.games.attack.rules.cards import production_points
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.replies import missing
from engine.kernel import Ask, Seat, Table
from engine.refusals import Illegal
from engine.text import text
from tests.checks import leak_pairs
from tests.checks.seeded_leaks import (
    CLUBS,
    Leak,
    by_a_line_that_is_still_sealed,
    by_suggestions_to_the_game_master,
    changed,
    in_a_pixel,
    wrapped,
)

EARLY = 28                  # of games in which much shows in the first pairs

instead = partial(changed, spec=GAME)


def cards_told(state: Any) -> int:
    """All hands in one number: other hands make another one."""
    return sum(place * int(card[-2:]) * len(card) for place, power in enumerate(state.powers, 1) for card in state.hands[power])


def in_a_view() -> AbstractContextManager[Any]:
    """Everybody sees the hand of the first player as his own."""
    return instead("view", lambda real: lambda state, seat: real(state, seat).model_copy(
        update={"own_cards": tuple(state.hands[state.powers[0]])}))


def in_points_to_spend() -> AbstractContextManager[Any]:
    """Everybody sees what the first player could buy."""
    return instead("view", lambda real: lambda state, seat: real(state, seat).model_copy(
        update={"own_points": production_points(state, state.powers[0])}))


@contextmanager
def in_the_board_in_words() -> Iterator[None]:
    """A screen reader reads the hands of the position that was viewed last."""
    seen = {"hand": 0}

    def viewing(real: Any) -> Any:
        def view(state: Any, seat: Any) -> Any:
            seen["hand"] = cards_told(state)
            return real(state, seat)
        return view

    with instead("view", viewing), instead("board", lambda real: lambda view: f"{real(view)} {seen}"):
        yield


@contextmanager
def in_a_public_line() -> Iterator[None]:
    """Whoever takes an action tells what is in all hands."""
    seen: dict[str, object] = {}

    def spending(real: Any) -> Any:
        def apply(event: Any, state: Any) -> None:
            seen["hand"] = cards_told(state)
            real(event, state)
        return apply

    with wrapped(turns.ActionChosen, "apply", spending), wrapped(turns.ActionChosen, "line", lambda real: lambda event: text(
            "{power} thinks of {n}.", power=event.power, n=str(seen.get("hand")))):
        yield


def in_a_refusal() -> AbstractContextManager[Any]:
    """Whoever offers what cannot be offered is told what the others hold."""
    def making(real: Any) -> Any:
        def check(offer: Any, state: Any, seat: Any) -> None:
            try:
                real(offer, state, seat)
            except Illegal as why:
                raise Illegal("{why} ({n})", why=why.text, n=cards_told(state)) from None
        return check
    return wrapped(trade.Offer, "check", making)


def in_a_menu() -> AbstractContextManager[Any]:
    """Only cards that the partner has can be wished for."""
    def making(real: Any) -> Any:
        def options(cls: Any, state: Any, seat: Any) -> Any:
            return [offer for offer in real.__func__(cls, state, seat) if not missing(state, offer.partner, offer.take)]
        return classmethod(options)
    return wrapped(trade.Offer, "options", making)


def in_the_order_of_a_menu() -> AbstractContextManager[Any]:
    """Moves stand in another order when the hands are odd ones."""
    def making(real: Any) -> Any:
        def options(cls: Any, state: Any, seat: Any) -> Any:
            found = list(real.__func__(cls, state, seat))
            return found[::-1] if cards_told(state) % 2 else found
        return classmethod(options)
    return wrapped(movement.Move, "options", making)


def in_an_autocomplete() -> AbstractContextManager[Any]:
    """Fewer values are offered when the hands are odd ones."""
    return wrapped(leak_pairs, "offered", lambda real: lambda table, *args: real(table, *args)[cards_told(table.state) % 5:])


def by_the_next_card_in_an_error() -> AbstractContextManager[Any]:
    """Who negotiates with a territory that has an owner is told which card lies on top."""
    def making(real: Any) -> Any:
        def check(action: Any, state: Any, seat: Any) -> None:
            try:
                real(action, state, seat)
            except Illegal as why:
                raise Illegal("{why} ({card})", why=why.text, card=state.deck[0] if state.deck else "none") from None
        return check
    return wrapped(Diplomacy, "check", making)


def by_the_letters_when_a_line_is_in() -> AbstractContextManager[Any]:
    """Everybody is told what a player answers before all have."""
    def making(real: Any) -> Any:
        def after(table: Any, *args: Any, **more: Any) -> Any:
            news = real(table, *args, **more)
            told = [Notice(text=repr(answer)) for answer in table.given.values()]
            return replace(news, letters=[*news.letters, *told])
        return after
    return wrapped(leak_pairs, "after", making)


def in_a_custom_id() -> AbstractContextManager[Any]:
    """What a button carries unseen tells the hands."""
    return wrapped(action_menu, "stamp", lambda real: lambda table, path: real(table, path) + cards_told(table.state))


def in_the_moment_of_the_game() -> AbstractContextManager[Any]:
    """The moment of the game, which everybody reads, tells the hands."""
    return instead("moment", lambda real: lambda state: text("{real}, {n}", real=real(state), n=cards_told(state)))


def by_what_silence_answers() -> AbstractContextManager[Any]:
    """What is answered for somebody who says nothing depends on the hands of others."""
    def making(real: Any) -> Any:
        def default(table: Any, seat: Seat) -> Any:
            options = table.options(seat)
            return options[cards_told(table.state) % len(options)] if table.asked(seat) is not None else real(table, seat)
        return default
    return wrapped(Table, "default", making)


def in_the_question_of_a_deal() -> AbstractContextManager[Any]:
    """Everybody reads what is asked about an open deal, and who makes it."""
    return wrapped(Ask, "told", lambda real: lambda question: question.text())


def in_the_line_of_a_blocked_deal() -> AbstractContextManager[Any]:
    """Everybody reads that a deal has come to nothing, and whose it was."""
    return wrapped(trade.OfferFailed, "line", lambda real: lambda event: text(
        "No deal of {power} with {partner}.", power=event.power, partner=event.partner))


def leak(name: str, plant: Callable[[], AbstractContextManager[Any]], pairs: int = 0, seed: int = 0) -> Leak:
    return Leak(name, plant, spec=GAME, pairs=pairs, seed=seed)


def in_a_rehearsal() -> AbstractContextManager[Any]:
    """Whoever rehearses does so in the true world, not in one that is guessed."""
    return patch.object(engine.players.rehearsal, "deal_anew", lambda world, seat, rng: None)


LEAKS: tuple[Leak, ...] = (
    leak("a view", in_a_view, seed=EARLY),
    leak("points to spend", in_points_to_spend, seed=EARLY),
    leak("the board in words", in_the_board_in_words, seed=EARLY),
    leak("a pixel", partial(in_a_pixel, cards_told), seed=8),
    leak("a public line", in_a_public_line),
    leak("a refusal", in_a_refusal, seed=4),
    leak("a menu", in_a_menu),
    leak("the order of a menu", in_the_order_of_a_menu, seed=3),
    leak("an autocomplete", in_an_autocomplete),
    leak("the next card in an error", by_the_next_card_in_an_error, seed=4),
    leak("a line that is still sealed", by_a_line_that_is_still_sealed, pairs=200),
    leak("a letter when a line is in", by_the_letters_when_a_line_is_in, pairs=200),
    leak("a custom id", in_a_custom_id, seed=EARLY),
    leak("the moment of the game", in_the_moment_of_the_game, seed=EARLY),
    leak("what silence answers", by_what_silence_answers, seed=EARLY),
    leak("the question of a deal", in_the_question_of_a_deal, pairs=200),
    leak("a rehearsal", in_a_rehearsal),
    leak("a deal that is blocked", in_the_line_of_a_blocked_deal, pairs=200),
    Leak("suggestions to the game master", by_suggestions_to_the_game_master, CLUBS, spec=GAME, pairs=1, seed=52),
)
