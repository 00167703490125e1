"""Leaks planted in Imperial Struggle: hands, face-down ministries, war tiles, what an upgrade drew, which event comes."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

import bot.discord.game.status
import bot.discord.game_master.moving
from bot.discord.game import action_menu
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.military import BuyTile, Deploy
from engine.games.imperial_struggle.actions.ministries import Reveal
from engine.games.imperial_struggle.actions.rounds import EndRound, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.tiles import Upgrade
from engine.games.imperial_struggle.events.turns import TileTaken
from engine.kernel import Table
from engine.refusals import Illegal
from engine.text import text, verbatim
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

EARLY = 36                  # of games in which most of these show within five pairs

instead = partial(changed, spec=GAME)


def told(state: Any, *fields: str) -> int:
    """These secrets of both sides in one number: other cards or tiles make another one."""
    values = [value for own in state.own.values() for field in fields or ("hand", "tiles", "ministries")
              for value in getattr(own, field)]
    return sum(place * sum(map(ord, str(value))) for place, value in enumerate(values, 1))


def hands(state: Any) -> int:
    return told(state, "hand")


def ministries(state: Any) -> int:
    """The cards that lie face down."""
    down = [minister.card for own in state.own.values() for minister in own.ministries if not minister.up]
    return sum(place * sum(map(ord, card)) for place, card in enumerate(down, 1))


def tiles(state: Any) -> int:
    return told(state, "tiles")


# --- what everybody looks at ----------------------------------------------------------------------------------------

def in_a_view(field: str, secret: Callable[[Any], int]) -> AbstractContextManager[Any]:
    """A public number of the view is moved by a secret."""
    return instead("view", lambda real: lambda state, seat: (seen := real(state, seat)).model_copy(
        update={field: f"{getattr(seen, field)} {secret(state)}"}))


@contextmanager
def in_the_board_in_words() -> Iterator[None]:
    """A screen reader reads the hands of the position that was viewed last."""
    seen = {"hand": 0}

    def viewing(real: Any) -> Any:
        def view(state: Any, seat: Any) -> Any:
            seen["hand"] = hands(state)
            return real(state, seat)
        return view

    with instead("view", viewing), instead("board", lambda real: lambda view: f"{real(view)} {seen}"):
        yield


def in_the_moment(secret: Callable[[Any], int]) -> AbstractContextManager[Any]:
    """Where the game stands, which everybody reads, tells a secret."""
    return instead("moment", lambda real: lambda state: text("{real}, {n}", real=real(state), n=secret(state)))


def in_the_purse(secret: Callable[[Any], int]) -> AbstractContextManager[Any]:
    """What a side can spend depends on what the other holds."""
    return instead("purse", lambda real: lambda state, seat: text("{real}, {n}", real=real(state, seat) or "", n=secret(state)))


@contextmanager
def in_a_public_line(secret: Callable[[Any], int]) -> Iterator[None]:
    """Whoever takes a tile tells everybody a secret."""
    seen: dict[str, object] = {}

    def taking(real: Any) -> Any:
        def apply(event: Any, state: Any) -> None:
            seen["it"] = secret(state)
            real(event, state)
        return apply

    with wrapped(TileTaken, "apply", taking), wrapped(TileTaken, "line", lambda real: lambda event: text(
            "{side} thinks of {n}.", side=event.side, n=str(seen.get("it")))):
        yield


def in_the_numbers_of_buttons(secret: Callable[[Any], int]) -> AbstractContextManager[Any]:
    """A list is shorter if a secret is an odd one."""
    def making(real: Any) -> Any:
        def options(cls: Any, state: Any, seat: Any) -> Any:
            found = list(real.__func__(cls, state, seat))
            return found[secret(state) % 2:] if len(found) > 1 else found
        return classmethod(options)
    return wrapped(TakeTile, "options", making)


def in_the_order_of_a_menu(kind: Any, secret: Callable[[Any], int]) -> AbstractContextManager[Any]:
    """Targets stand in another order when a secret is an odd one."""
    def making(real: Any) -> Any:
        def options(cls: Any, state: Any, seat: Any) -> Any:
            found = list(real.__func__(cls, state, seat))
            return found[::-1] if secret(state) % 2 else found
        return classmethod(options)
    return wrapped(kind, "options", making)


def in_a_refusal(kind: Any, secret: Callable[[Any], int]) -> AbstractContextManager[Any]:
    """Whoever tries what is not allowed is told a secret of the other side."""
    def making(real: Any) -> Any:
        def check(action: Any, state: Any, seat: Any) -> None:
            try:
                real(action, state, seat)
            except Illegal as why:
                raise Illegal("{why} ({n})", why=why.text, n=secret(state)) from None
        return check
    return wrapped(kind, "check", making)


def in_a_price(kind: Any, secret: Callable[[Any], int]) -> AbstractContextManager[Any]:
    """The reasons of a price tell a secret of the other side [IS-17.14]."""
    return wrapped(kind, "cost", lambda real: lambda action, state, seat: text(
        "{real}, {n}", real=real(action, state, seat) or "", n=secret(state)))


def in_a_warning() -> AbstractContextManager[Any]:
    """What is told before a round ends depends on the ministries of the other side."""
    return wrapped(EndRound, "consequence", lambda real: lambda action, state, seat: text("Sure? {n}", n=ministries(state)))


def by_the_next_event() -> AbstractContextManager[Any]:
    """Who could draw an event is told which one comes."""
    return wrapped(DrawEvent, "cost", lambda real: lambda action, state, seat: verbatim(state.deck[0] if state.deck else "none"))


def in_an_autocomplete() -> AbstractContextManager[Any]:
    """Fewer values are offered when the hands are odd ones."""
    return wrapped(leak_pairs, "offered", lambda real: lambda table, *args: real(table, *args)[hands(table.state) % 5:])


def in_a_custom_id() -> AbstractContextManager[Any]:
    """What a button carries unseen tells the tiles."""
    return wrapped(action_menu, "stamp", lambda real: lambda table, path: real(table, path) + tiles(table.state))


def by_what_silence_answers() -> AbstractContextManager[Any]:
    """What is answered for somebody who says nothing depends on the hands of others."""
    def making(real: Any) -> Any:
        def default(table: Any, seat: Any) -> Any:
            options = table.options(seat)
            return options[hands(table.state) % len(options)] if table.asked(seat) is not None else real(table, seat)
        return default
    return wrapped(Table, "default", making)


def in_the_conditions_of_orders() -> AbstractContextManager[Any]:
    """An order could ask for what the other side holds."""
    assert GAME.orders is not None, "the game takes orders"
    real = GAME.orders.facts
    return _order_facts(lambda state, seat, question: {**real(state, seat, question), "debt": hands(state)})


def by_who_plans() -> AbstractContextManager[Any]:
    """How the game stands tells everybody that a round is being planned, and how far."""
    def making(real: Any) -> Any:
        async def awaited(services: Any, game: Any, holders: Any) -> Any:
            planned = sum(len(plan.steps) for plan in (await services.session.snapshot(game.id)).plans)
            return [*await real(services, game, holders), *([text("{n} planned", n=planned)] if planned else [])]
        return awaited
    return wrapped(bot.discord.game.status, "_awaited", making)


@contextmanager
def _order_facts(facts: Any) -> Iterator[None]:
    ordering = GAME.orders
    before = ordering.facts if ordering is not None else None
    object.__setattr__(ordering, "facts", facts)
    try:
        yield
    finally:
        object.__setattr__(ordering, "facts", before)


def leak(name: str, plant: Callable[[], AbstractContextManager[Any]], pairs: int = 0, seed: int = EARLY) -> Leak:
    return Leak(name, plant, spec=GAME, pairs=pairs, seed=seed)


LEAKS: tuple[Leak, ...] = (
    leak("a hand in a view", partial(in_a_view, "turn", hands)),
    leak("a ministry in a view", partial(in_a_view, "era", ministries)),
    leak("a war tile in a view", partial(in_a_view, "title", tiles)),
    leak("the board in words", in_the_board_in_words),
    leak("ministries in the moment", partial(in_the_moment, ministries)),
    leak("a pixel", partial(in_a_pixel, told), seed=22),
    leak("hands in the moment", partial(in_the_moment, hands)),
    leak("tiles in the moment", partial(in_the_moment, tiles)),
    leak("ministries in the purse", partial(in_the_purse, ministries)),
    leak("tiles in the purse", partial(in_the_purse, tiles)),
    leak("a hand in a public line", partial(in_a_public_line, hands)),
    leak("a tile in a public line", partial(in_a_public_line, tiles)),
    leak("a ministry in a public line", partial(in_a_public_line, ministries)),
    leak("the number of buttons", partial(in_the_numbers_of_buttons, ministries)),
    leak("the order of spaces", partial(in_the_order_of_a_menu, ShiftPolitical, ministries), seed=1),
    leak("the order of seas", partial(in_the_order_of_a_menu, Deploy, hands), seed=1),
    leak("a refusal of a market", partial(in_a_refusal, ShiftMarket, hands), seed=7),
    leak("a refusal of an upgrade", partial(in_a_refusal, Upgrade, tiles), seed=65),
    leak("a refusal of a ministry", partial(in_a_refusal, Reveal, ministries), seed=7),
    leak("the price of a space", partial(in_a_price, ShiftPolitical, ministries), seed=21),
    leak("the price of a bonus tile", partial(in_a_price, BuyTile, tiles), seed=36),
    leak("a warning", in_a_warning, seed=7),
    leak("which event comes", by_the_next_event, seed=7),
    leak("an autocomplete", in_an_autocomplete, seed=10),
    leak("a custom id", in_a_custom_id),
    leak("what silence answers", by_what_silence_answers, seed=15),
    leak("the conditions of orders", in_the_conditions_of_orders),
    leak("ministries that are still sealed", by_a_line_that_is_still_sealed),
    Leak("what a side could answer, to the game master", by_suggestions_to_the_game_master, CLUBS, spec=GAME, pairs=1),
    Leak("that a round is planned", by_who_plans, CLUBS, ("plan",), spec=GAME, pairs=2, seed=30),
)
