"""What anybody may read about a unit, a ship, a kind of card or a territory: all that is printed on it."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.games.attack.components import Territory
from engine.games.attack.state import State
from engine.games.attack.words.nouns import force
from engine.games.attack.words.summaries import summary
from engine.text import Text, count, text


def printed(s: State) -> Mapping[str, Sequence[Text]]:
    parts = s.parts
    told = [*(unit.id for unit in parts.units), *(ship.id for ship in parts.ships)]
    return {**{id: (text("{it}", it=id), *_does(s, id)) for id in told},
            **{kind: tuple(_card(s, kind)) for kind in parts.kinds_of_cards},
            **{land.id: tuple(_territory(s, land)) for land in parts.territories}}


def _does(s: State, id: str) -> Iterator[Text]:
    if (told := summary(s, id)) is not None:
        yield text("{what}.", what=told)


def _card(s: State, kind: str) -> Iterator[Text]:
    cards = [card for card in s.parts.cards if card.kind == kind]
    yield text("{card}: {cards}", card=kind, cards=count(len(cards), "{n} card", "{n} cards"))
    yield from _does(s, kind)
    first, *others = dict.fromkeys(tuple(card.neutral_defenders.units.items()) for card in cards)
    forces = force(dict(first))
    for other in others:
        forces = text("{forces}, or {other}", forces=forces, other=force(dict(other)))
    yield text("Turned up for a neutral territory, it defends with {forces}.", forces=forces)


def _territory(s: State, land: Territory) -> Iterator[Text]:
    yield text("{land}, {continent}", land=land.id, continent=land.continent)
    if land.adjacent:
        yield text("By land next to {lands:the}.", lands=land.adjacent)
    if by_sea := s.parts.sea_linked[land.id]:
        yield text("By sea linked to {lands:the}.", lands=by_sea)
    if not land.capital_allowed:
        yield text("No capital can be here.")
