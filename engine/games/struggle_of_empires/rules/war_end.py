"""Chapters 17 and 18: income, upkeep, growth, victory points, the end of a war and of the game."""
from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.games.struggle_of_empires.events import (
    AreaScored,
    Collapsed,
    GameEnded,
    IncomeTaken,
    Penalised,
    PopulationGrown,
    UnrestRevealed,
    WarEnded,
)
from engine.games.struggle_of_empires.rules.money import pay
from engine.games.struggle_of_empires.state import WARS, State
from engine.kernel import Game, Script


def war_end(g: Game[State]) -> Script[None]:
    """Phases IV to VI; nobody decides anything [SOE-17.1 to 17.5]."""
    s = g.state
    for power in s.order:
        population = s.population[power] * s.parts.numbers.income_per_population if s.options.income.population else 0
        markers = sum(s.markers[power].values()) * s.parts.numbers.income_per_control_marker
        g.emit(IncomeTaken(power=power, population=population, markers=markers))
    for power in s.order:
        number = sum(sum(places.values()) for places in s.units[power].values())
        pay(g, power, number * s.parts.numbers.upkeep_per_unit)
    for power in s.order:
        growth = s.parts.numbers.population_growth + s.with_effect(power, "population_plus_one")
        g.emit(PopulationGrown(power=power, population=min(s.parts.numbers.population_min_max[1], s.population[power] + growth)))
    for area in s.parts.areas:
        markers_here = {power: s.markers[power][area.id] for power in (*s.order, *s.ranked_npps) if area.id in s.markers[power]}
        points = area_points(area.vp, markers_here, npps=s.npps)
        g.emit(AreaScored(area=area.id, points={power: number for power, number in points.items() if power in s.points},
                          npp_points={power: number for power, number in points.items() if power in s.npps}))
    last = s.order[-1]
    g.emit(WarEnded(war=s.war, last=last, opener=s.powers.index(last), over=s.war == WARS))
    yield from ()


def area_points(values: tuple[int, ...], markers: Mapping[str, int], npps: Collection[str] = ()) -> dict[str, int]:
    """Points of one area: each number of markers, from the most down, has the next value; ties all get it [SOE-17.4.1-5].

    A player who ties with a non-player power ranks below it [SOE-17.4.6, 19.3.2, 19.3.3].
    """
    ranks = {power: (number, power in npps) for power, number in markers.items() if number > 0}
    worth = dict(zip(sorted(set(ranks.values()), reverse=True), values))
    return {power: worth[rank] for power, rank in ranks.items() if rank in worth}


def penalties(unrest: Mapping[str, int], losses: tuple[int, ...], collapse: int, *, zero_exempt: bool = False) -> dict[str, int]:
    """Points that unrest costs those who did not collapse; ties as in 17.4.4 [SOE-18.2.1 to 18.2.6, 18.2.8]."""
    standing = {power: number for power, number in unrest.items() if number < collapse and not (zero_exempt and number == 0)}
    worth = dict(zip(sorted(set(standing.values()), reverse=True), losses))
    return {power: worth[number] for power, number in standing.items() if number in worth}


def unrest_losses(s: State) -> tuple[int, ...]:
    """The points that most unrest costs, and the next most [SOE-18.2.2 to 18.2.5]."""
    start = s.parts.set_up(len(s.powers))
    numbers = start.unrest_penalty_by_players if s.options.end.penalties == "by_players" else start.unrest_penalty
    assert numbers is not None, "components of a game with that option have these numbers"
    return tuple(-points for points in numbers)


def reckoning(g: Game[State]) -> Script[None]:
    """Unrest is revealed; collapse, penalties, the winner [SOE-18.1 to 18.3]."""
    s = g.state
    start = s.parts.set_up(len(s.powers))
    g.emit(UnrestRevealed(unrest={power: s.unrest[power] for power in s.order}))
    for power in s.order:
        if s.unrest[power] >= start.unrest_collapse:
            g.emit(Collapsed(power=power))
    lost = penalties(s.unrest, unrest_losses(s), start.unrest_collapse, zero_exempt=s.options.end.zero_unrest_exempt)
    for power in s.order:
        if power in lost:
            g.emit(Penalised(power=power, points=lost[power]))
    ranking, winners = final_ranking(s)
    g.emit(GameEnded(ranking=tuple(ranking), winners=tuple(winners)))
    yield from ()


def final_ranking(s: State) -> tuple[list[str], list[str]]:
    """All powers, best first, and those who win: points, then least unrest; the collapsed last [SOE-18.3.1 to 18.3.5]."""
    standing = [power for power in s.order if power not in s.collapsed]
    standing.sort(key=lambda power: (-s.points[power], s.unrest[power]))
    fallen = sorted(s.collapsed, key=lambda power: s.unrest[power])
    winners = [power for power in standing
               if (s.points[power], s.unrest[power]) == (s.points[standing[0]], s.unrest[standing[0]])]
    return [*standing, *fallen], winners
