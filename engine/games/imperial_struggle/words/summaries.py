"""What a card, an advantage or a war tile does: a few words beside a choice."""
from __future__ import annotations

from engine.games.imperial_struggle.components import effects as fx
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.cards import condition, phrase
from engine.games.imperial_struggle.words.short import ABILITIES, ADVANTAGES, TOGETHER
from engine.kernel import Seat
from engine.text import Text, text

SHORT = (fx.GrantPoints, fx.ChangeDebt, fx.ChangeTreatyPoints, fx.ScorePoints)      # effects with room for the bonus, too


def summary(state: State, seat: Seat, id: str) -> Text | None:
    """Return what can be chosen by this id does; None: its name says it all.

    An event is told as the seat's own side reads it, whoever has it in hand: that is a secret [IS-17.1].
    """
    parts = state.parts
    if (event := parts.event.get(id)) is not None:
        half = event.half(state.power(seat))
        if all(isinstance(step, SHORT) for step in half.base) and half.bonus is not None and event.bonus_condition is not None:
            return text("{effect}; bonus: {condition}", effect=phrase(half.base), condition=condition(event.bonus_condition))
        return phrase(half.base)
    if (card := parts.ministry.get(id)) is not None:
        first, *more = (ABILITIES[ability.id] for ability in card.abilities)
        what = TOGETHER.get(id) or (text("{one}; {other}", one=first, other=more[0]) if more else first)
        return text("{keywords}: {what}", keywords=tuple(card.keywords), what=what) if card.keywords else what
    return ADVANTAGES.get(id) or ABILITIES.get(id)
