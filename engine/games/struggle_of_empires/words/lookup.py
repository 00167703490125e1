"""What anybody may read about a unit, an area, a tile, an alliance or a token: all that is printed on it."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.games.struggle_of_empires.components import UNITS, Area, Place, Tile
from engine.games.struggle_of_empires.events.words import costs, units
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.words.summaries import summary
from engine.text import Text, text


def printed(s: State) -> Mapping[str, Sequence[Text]]:
    """Everything that belongs to a game with these options."""
    bought: list[Tile | Place] = [*[tile for tile in s.parts.tiles if s.in_play(tile)],
              *(s.parts.local_alliances if s.options.alliance.mode == "local" else ())]
    return {**{unit: tuple(_unit(s, unit)) for unit in UNITS}, **{area.id: tuple(_area(s, area)) for area in s.parts.areas},
            **{token: (text("{it}", it=token), *_does(s, token)) for token in TOKENS if s.options.covert.mode == "tokens"},
            **{held.id: tuple(_bought(s, held)) for held in bought}}


def _does(s: State, id: str) -> Iterator[Text]:
    if (told := summary(s, id)) is not None:
        yield text("{what}.", what=told)


def _unit(s: State, unit: str) -> Iterator[Text]:
    yield text("{it}", it=unit)
    yield from _does(s, unit)
    yield text("Each power has {units}.", units=units(s.parts.limit[unit], unit))


def _area(s: State, area: Area) -> Iterator[Text]:
    america = text("a colony in America") if area.america else text("a colony")
    yield text("{area}, {what}", area=area.id, what=america if area.colony else text("in Europe"))
    yield text("Points after each war, by place: {points}.", points=tuple(map(str, area.vp)))
    if beside := (*area.adjacent_areas, *area.adjacent_homes):
        yield text("Next to {areas:the}.", areas=beside)
    if area.army_entry_by_ship_in:
        yield text("Your army needs a navy of yours in {areas:the} to come by sea.", areas=area.army_entry_by_ship_in)
    if area.naval_support_from:
        yield text("Naval support for a fight here comes from {area:the}.", area=area.naval_support_from)
    yield text("Navies can be here.") if area.naval else text("Navies can't be here.")


def _bought(s: State, held: Tile | Place) -> Iterator[Text]:
    yield text("{it}", it=held.id)
    cost = s.cost_of(held.id)
    yield text("Costs {price}.", price=costs(cost.gold, cost.population, cost.unrest))
    yield from _does(s, held.id)
    if isinstance(held, Tile) and held.limit_per_player is not None:
        yield text("You can own {n}.", n=held.limit_per_player)
