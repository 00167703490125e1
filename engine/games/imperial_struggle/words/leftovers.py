"""What a side would leave unused if its action round ended now, for that side alone."""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.imperial_struggle.actions.advantages import free_targets
from engine.games.imperial_struggle.actions.ministries import UseAbility
from engine.games.imperial_struggle.actions.tiles import Upgrade
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.rules.advantages import is_usable
from engine.games.imperial_struggle.rules.ministries import face_down
from engine.games.imperial_struggle.rules.scoring import MOST_TRP
from engine.games.imperial_struggle.rules.track import is_last_round
from engine.games.imperial_struggle.state import TURN_6, State
from engine.kernel import Seat
from engine.text import Text, count, text


def leftovers(s: State, seat: Seat) -> Iterator[Text]:
    """Yield what lapses or stays unused, sentence by sentence; in the last own round of a turn also what waits until the next
    one."""
    side, now = s.power(seat), s.current
    if points := tuple(text("{n} {kind}", n=pool.points, kind=pool.kind) for pool in now.pools if pool.points):
        yield text("These points lapse: {left}.", left=points)
    if now.stage == "tile" and s.own[side].debt:
        yield text("If you pass instead, your debt falls by 2.")
    if s.turn != TURN_6 and any(True for _ in Upgrade.options(s, seat)):
        yield text("You haven't made the military upgrade.")
    if advantages := tuple(_free_advantages(s, side)):
        yield text("You could still use {advantages:the}.", advantages=advantages)
    if is_last_round(s):
        yield from until_next_turn(s, seat)


def until_next_turn(s: State, seat: Seat) -> Iterator[Text]:
    """Yield what this turn can bring no more once its last own round is over."""
    side = s.power(seat)
    if abilities := tuple(dict.fromkeys(option.ability.rpartition(".")[0] for option in UseAbility.options(s, seat))):
        yield text("Not used this turn: {cards}.", cards=abilities)
    if down := tuple(face_down(s, side)):
        yield text("Still face down: {cards}. What none of your orders turns up doesn't count when the turn is scored.",
                   cards=down)
    if (lost := s.own[side].trp - MOST_TRP) > 0:
        yield count(lost, "{n} TRP lapses when the turn ends.", "{n} TRP lapse when the turn ends.")


def _free_advantages(s: State, side: Side) -> Iterator[str]:
    """The advantages that a side can use now without a purchase, and that would do something."""
    for advantage in s.held_advantages(side):
        if is_usable(s, side, advantage) and free_targets(s, side, advantage):
            yield advantage
