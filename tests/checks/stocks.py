"""How many of each thing there are to be put on a list: a list that is not on the menu may name nothing oftener than that."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, get_origin

from engine.games.attack.rules.cards import kinds
from engine.games.attack.rules.naval_lines import Line
from engine.games.attack.rules.trade import Offer
from engine.kernel import Action, Seat

Stock: TypeAlias = Callable[[Any, Seat, Any], bool]
"""From a state, a seat and an answer to whether there is as much as its lists name."""


def cards_at_hand(state: Any, seat: Seat, offer: Offer) -> bool:
    """Each card once for each time it is held; of those of another, what all others together can hold [ATK-17.1.1, 20.4]."""
    held = Counter(kinds(state.parts, state.hands[state.power(seat)]))
    elsewhere = Counter(kinds(state.parts, state.parts.card)) - held
    return Counter(offer.give) <= held and len(offer.take) <= len(state.hands[offer.partner]) and Counter(offer.take) <= elsewhere


def fit_ships(state: Any, seat: Seat, line: Line) -> bool:
    """Each ship that is fit to fight once [ATK-13.2.1]."""
    return Counter(line.ships) <= Counter(state.fit(state.power(seat)))


STOCKS: Mapping[type[Action], Stock] = {Offer: cards_at_hand, Line: fit_ships}


def in_stock(state: Any, seat: Seat, action: Action, options: Sequence[Action]) -> bool:
    """Whether there is as much as the lists of an answer name; of what no game has told, as much as a listed answer names."""
    if (known := STOCKS.get(type(action))) is not None:
        return known(state, seat, action)
    lists = [name for name, part in type(action).model_fields.items() if get_origin(part.annotation) is tuple]
    alike = [option for option in options if type(option) is type(action)]
    return all(any(Counter(getattr(action, name)) <= Counter(getattr(option, name)) for option in alike) for name in lists)
