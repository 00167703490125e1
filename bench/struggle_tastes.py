"""What the players of Struggle of Empires can be keen on: the tiles that can be bought."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bench.policy import Choice, seated
from bench.study import Taste, Tastes
from engine.games.struggle_of_empires.actions import Take
from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.events import TileTaken
from engine.games.struggle_of_empires.judgement import RUIN, Mind
from engine.games.struggle_of_empires.player import best
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.strong_player import Strategist
from engine.kernel import Action, Position, Seat, Table, Throws

KEENNESS = 1.5          # points that a tile seems to be worth more to whoever is keen on it


class Inclined(Strategist):
    """A strong player with tastes: until it has bought what it is keen on, that seems worth a little more; some it never buys."""

    def __init__(self, s: State, power: str, taste: Taste) -> None:
        super().__init__(s, power)
        self.taste = taste

    def tile(self, id: str, area: str = "", target: str = "") -> float:
        """What a tile of the stock is worth, its price paid."""
        match self.taste.get(self.s.parts.tile[id].name, 0):
            case -1:
                return -RUIN
            case 1:
                return KEENNESS + max(0.0, super().tile(id, area, target))
        return super().tile(id, area, target)


def choice(tastes: Mapping[Seat, Taste]) -> Choice:
    """Strong players with these tastes, for one game."""
    wanted = {seat: dict(taste) for seat, taste in tastes.items()}

    def play(position: Position[State], rng: Throws) -> Action:
        taste = wanted[position.seat]

        def judged(s: State, power: str) -> Mind:
            return Inclined(s, power, taste)

        answer = best(position, rng, judged)
        if isinstance(answer, Take) and taste.get(name := position.state.parts.tile[answer.tile].name) == 1:
            del taste[name]
        return answer

    return seated(play)


def things(parts: Parts) -> Sequence[str]:
    """The tiles of the stock, by their names; alliances are none."""
    return [tile.name for tile in parts.tiles if tile.count and tile.kind != "alliance"]


def bought(table: Table) -> Mapping[Seat, Mapping[str, int]]:
    """What each seat has bought in a game."""
    s: State = table.state
    found = {Seat(seat): Counter[str]() for seat in s.seats}
    for entry in table.fresh:
        for fact in entry.events:
            if isinstance(fact, TileTaken):
                found[s.seat(fact.power)][s.parts.tile[fact.tile].name] += 1
    return found


def points(s: State) -> Mapping[Seat, float]:
    """The points of each seat."""
    return {Seat(seat): float(s.points[s.power(Seat(seat))]) for seat in s.seats}


def price_tags(parts: Parts) -> dict[str, str]:
    """What tiles cost."""
    return {tile.name: " and ".join(f"{number} {kind}" for kind, number in tile.cost.model_dump().items() if number)
            for tile in parts.tiles}


TASTES = Tastes(things=things, choice=choice, bought=bought, points=points, prices=price_tags)
