"""What random games, changed answers and pairs of games have found in Attack!, and in the bot by playing it."""
from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.service import Services
from bot.store import Store
from engine import selfplay
from engine.games.attack import GAME
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.trade import Offer, OfferFailed
from engine.games.attack.rules.turns import Begin
from engine.kernel import LONGEST_CHAIN, Seat
from engine.orders import ALWAYS, Order, OrderLine, Reply
from engine.refusals import Faulty
from tests.checks import soundness
from tests.checks.fuzz import Case, play_out
from tests.checks.mixtures import for_seats
from tests.games.attack.scene import scene

LAND = {"ukraine": ("red", "2I"), "france": ("blue", "1I")}


def test_who_lacks_what_a_counter_offer_wants_is_asked_all_the_same() -> None:
    """ATK-20.4, 20.14: the answer used to come at once and by itself, and told what the hand does not hold."""
    made = scene(land=LAND, hands={"red": ["oil_2"], "blue": ["minerals_1", "factories_3"]})
    made.say("red", Offer(partner="blue", give=("oil_2",), take=("minerals_1",)))
    made.say("blue", Offer(partner="red", give=("factories_3",), take=("railroads_4",)))
    assert made.asked() == [("red", "D-19")] and Answer(accept=False) in made.options("red")
    assert Answer(accept=True) not in made.options("red")
    assert made.events(OfferFailed) == []
    made.say("red", Answer(accept=False))
    assert len(made.events(OfferFailed)) == 1


def test_orders_to_do_nothing_do_not_run_on_for_ever() -> None:
    """ATK-19.2.1 sets no bound to the length: with orders of all to end each turn the bot would never have come back."""
    ends = [Order(id=number, seat=Seat(f"seat_{number}"), points=("D-04",), lines=(OrderLine(then=Reply(verb="end")),),
                  lasts=ALWAYS)
            for number in (1, 2)]
    made = scene(land=LAND, orders=ends)
    assert len(made.table.fresh) == LONGEST_CHAIN and made.asked() == [("red", "D-04")]


def test_a_game_without_an_end_in_sight_is_ended_by_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    """ATK-19.3.6: else random players, who do not like to conquer, played on for ever."""
    monkeypatch.setattr(selfplay, "LONGEST_GAME", 100)
    table = play_out(Case(GAME.key, 3, edition="base"))
    assert table.over and 100 < len(table.fresh) < 150 and table.state.closing


@pytest.mark.parametrize(("field", "value", "rule"), [
    ("deck", [], "ATK-8.4.1"), ("owner", {"ukraine": "red"}, "15.4.1"), ("units", {"ukraine": {}, "france": {}}, "4.1.7"),
    ("controller", "blue", "12.3.4"), ("damaged", {"red": 1}, "13.5.1"), ("out", ["red"], "ATK-19.1.1")])
def test_what_does_not_add_up_is_found(field: str, value: object, rule: str) -> None:
    """A position is sound, and with one thing changed it is not."""
    made = scene(land=LAND, capitals={"ukraine": "red", "france": "blue"}, hands={"red": ["oil_2"], "blue": ["minerals_1"]},
                 options={"end_mode": "last_standing"})
    soundness.check(GAME.key, made.state)
    setattr(made.state, field, value)
    with pytest.raises(AssertionError, match=re.escape(rule)):
        soundness.check(GAME.key, made.state)


def test_points_that_nobody_paid_are_found() -> None:
    made = scene(land=LAND, capitals={"ukraine": "red", "france": "blue"}, hands={"red": ["oil_2"], "blue": ["minerals_1"]})
    made.say("red", Begin(action="production"))
    soundness.check(GAME.key, made.state)
    made.state.turn.points += 1
    with pytest.raises(AssertionError, match=re.escape("ATK-18.1.1")):
        soundness.check(GAME.key, made.state)


async def test_options_that_do_not_allow_so_many_players_are_refused_at_the_opening(tmp_path: Path) -> None:
    """ATK-1.1.1: else all would come, and then the game could not start."""
    with closing(Store(tmp_path / "games.db")) as store:
        services = Services(store, (GAME,))
        how: dict[str, Any] = {"key": GAME.key, "edition": "base", "pack": None, "title": "", "guild": 1, "channel": 2,
                               "owner": 3}
        with pytest.raises(Faulty, match="for up to 4 players"):
            await services.lobby.open(**how, seats=5, options={"max_players": 4})
        row = await services.lobby.open(**how, seats=5, options={})
        with pytest.raises(Faulty, match="for up to 4 players"):
            await services.lobby.set_options(row.id, 3, changes={"max_players": 4})
        assert (await services.queries.game(row.id)).options == {}
        await services.lobby.open(**how, seats=4, options={"max_players": 4})
    assert for_seats(GAME, "base", {"max_players": 4, "trade_ban": False}, 6) == {"trade_ban": False}
