"""What the simulated people of Imperial Struggle think, and would tell the bot beforehand."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bench.heuristics import Minds, Thumbs, answer, at_least, so, standing
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.rounds import EndRound, TakeTile
from engine.games.imperial_struggle.options import PUBLISHED
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.kernel import Action, Ask, Seat
from engine.orders import DEFAULT, Order, OrderLine, Reply
from engine.selfplay import random_answer

PURCHASES = "IS-18.7", "IS-18.12"
SAFE = 4                    # VP of one's own above which a territory is worth a refusal


def choice(state: Any, question: Ask[Any], options: Sequence[Action], rng: Random) -> Action:
    """A player who takes the tile with most points and spends them on what is cheapest, without debt, until nothing is left."""
    takes = [option for option in options if isinstance(option, TakeTile)]
    if takes:
        most = max(state.parts.investment[option.tile].major.points for option in takes)
        return rng.choice([option for option in takes if state.parts.investment[option.tile].major.points == most])
    if question.point in PURCHASES:
        paid = [option for option in options if isinstance(option, Buying) and not option.debt and not option.trp
                and option.consequence(state, question.seat) is None]
        if not paid:
            return EndRound.of() if EndRound.of() in options else random_answer(tuple(options), rng.randrange)
        prices = {option: option.price(state, question.seat).total for option in paid}
        least = min(prices.values())
        return rng.choice([option for option in paid if prices[option] <= least + 1])
    return random_answer(tuple(options), rng.randrange)


def thumbs(state: Any, seat: Seat, rng: Random) -> Thumbs:
    """Let the oldest events go, keep the ministries that are there, turn them up when the turn ends, take what is usual in wars,
    and refuse while one is well ahead."""
    assert GAME.orders is not None, "the game takes orders"
    cards = tuple(card.id for card in state.parts.ministries_of[state.power(seat)])
    usual = answer(DEFAULT)
    return {"orders": [
        *(standing(seat, point, usual) for point in ("IS-18.1", "IS-18.2", "IS-18.3", "IS-18.4", "IS-18.11", "IS-18.16")),
        standing(seat, "IS-18.20", answer("reveal", card=cards)),
        standing(seat, "IS-18.24", usual)],
        "packets": [standing(seat, "IS-18.21", usual), standing(seat, "IS-18.24", usual), standing(
            seat, "IS-18.23", answer("refuse", so("price", 3), at_least("counter", 15 + SAFE)), answer("cede"))]}


def lists(state: Any, seat: Seat, rng: Random) -> Sequence[Order]:
    """The set-up asks nothing that a list could answer."""
    return ()


def ahead(state: Any, seat: Seat) -> int:
    """One round comes before the own one while the other side has its own; before scoring and wars nobody writes ahead."""
    return int(state.round is not None and state.round.side != state.power(seat) and state.ar < ROUNDS)


def forward(state: Any, seat: Seat) -> None:
    """The round of the other side is over, and has changed nothing but its tile."""
    state.round, state.choice = None, None


def lines(state: Any, seat: Seat, action: Action) -> Sequence[OrderLine]:
    """Any tile with the same kind of major action will do, the stronger the better; a purchase that is no longer possible ends
    the round, whatever is left."""
    if isinstance(action, TakeTile):
        kind = state.parts.investment[action.tile].major.kind
        tiles = sorted((tile for tile in state.parts.investment_tiles if tile.major.kind == kind),
                       key=lambda tile: (tile.id != action.tile, -tile.major.points))
        return (answer("take", tile=tuple(tile.id for tile in tiles)),)
    line = OrderLine(then=Reply(verb=action.verb, fields=action.model_dump()), costly=True)
    end = OrderLine(then=Reply(verb=EndRound.verb), costly=True, instead=True)
    return (line, end) if isinstance(action, Buying) else (line,)


MINDS = Minds(edition=PUBLISHED, seats=2, hours=24, devices=("orders", "packets", "written", "clock"), choice=choice,
              thumbs=thumbs, lists=lists, ahead=ahead, forward=forward, turns=2, lines=lines)
