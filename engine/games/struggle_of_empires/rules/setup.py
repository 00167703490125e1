"""Chapter 2: the first state, the draws, the choice of powers, the starting units; and the markers of later wars (4.2)."""
from __future__ import annotations

from engine.games.struggle_of_empires.actions import RANDOM, Choose, Decline, Place, Redraw
from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.events import (
    FirstPlayerFound,
    MarkerPutBack,
    NeutralsPlaced,
    PlacingBegun,
    PowerChosen,
    StartDrawn,
    UnitPlaced,
)
from engine.games.struggle_of_empires.options import Options
from engine.games.struggle_of_empires.rules.alliances import first_auction
from engine.games.struggle_of_empires.rules.non_player_powers import place_non_players
from engine.games.struggle_of_empires.rules.unrest_bag import shake
from engine.games.struggle_of_empires.state import RULES_VERSION, State
from engine.kernel import Aim, Game, Script, Seat, ask, roll


def first_state(seats: tuple[Seat, ...], options: Options, parts: Parts) -> State:
    """The table before anything is drawn: all markers in the bag, all tiles of this game in the stock [SOE-2.1.1, 2.1.12]."""
    state = State(options=options, seats=list(seats), bag=[marker.id for marker in parts.country_counters],
                  neutrals={area.id: [] for area in parts.areas}, rules_version=RULES_VERSION)
    state.parts = parts
    state.stock = {tile.id: tile.count for tile in parts.tiles if tile.count and state.in_play(tile)}
    return state


def draw(g: Game[State], number: int, *, why: str, **about: Aim) -> Script[tuple[str, ...]]:
    """Markers drawn from the bag without return; they are still in the bag until an event takes them [SOE-2.1.1, 4.2.4]."""
    bag = list(g.state.bag)
    number = min(number, len(bag))
    if not number:
        return ()
    values = yield from roll(*range(len(bag), len(bag) - number, -1), why=why, **about)
    return tuple(bag.pop(value - 1) for value in values)


def setup(g: Game[State]) -> Script[None]:
    """Neutral markers on the map, then the first player [SOE-2.1.2 to 2.1.4, 2.1.14]."""
    yield from shake(g)
    number = to_place(g.state, by_players=g.state.options.neutrals.at_setup == "by_players")
    markers = yield from draw(g, number, why="neutrals", war=g.state.war)
    g.emit(NeutralsPlaced(markers=markers))
    (first,) = yield from roll(len(g.state.seats), why="first_player")
    g.emit(FirstPlayerFound(seat=g.state.seats[first - 1], index=first - 1))


def to_place(s: State, *, by_players: bool) -> int:
    """How many neutral markers this war brings: always the same number, or one by the number of players [SOE-4.2.2, 4.2.3]."""
    start = s.parts.set_up(len(s.seats))
    numbers = start.counters_by_players if by_players else start.counters_placed
    assert numbers is not None, "components of a game with that option have these numbers"
    return numbers[s.war - 1]


def powers(g: Game[State]) -> Script[None]:
    """Each seat chooses a power, then five markers are drawn for each [SOE-2.1.5, 2.1.6, 2.1.13, 2.1.14]."""
    s = g.state
    number = len(s.seats)
    for index in [(s.first + step) % number for step in range(number)]:
        answer = yield from ask(Seat(s.seats[index]), Choose, point="DP-01", prompt="Which power will you play?",
                                default=random_power)
        power = answer.power
        if power == RANDOM:
            free = [other for other in s.parts.powers if other not in s.powers]
            (value,) = yield from roll(len(free), why="power", seat=s.seats[index])
            power = free[value - 1]
        g.emit(PowerChosen(seat=s.seats[index], power=power, index=index))
    for power in s.in_seat_order(s.first):
        yield from first_markers(g, power, s.parts.set_up(number).counters_drawn_per_player)
    if s.options.setup.redraw:
        for power in s.in_seat_order(s.first):
            yield from redraw(g, power)
    yield from place_non_players(g)
    g.emit(PlacingBegun())


def first_markers(g: Game[State], power: str, number: int) -> Script[None]:
    """A control marker in the area of each marker drawn [SOE-2.1.6 to 2.1.8]."""
    drawn = yield from draw(g, number, why="first_markers", power=power)
    g.emit(StartDrawn(power=power, markers=drawn, areas=tuple(g.state.parts.neutral[marker].area for marker in drawn)))


def redraw(g: Game[State], power: str) -> Script[None]:
    """Put back any of the five, one after the other; then as many are drawn again, once [SOE-2.1.9]."""
    s = g.state
    number = 0
    while s.first_draw[power]:
        answer = yield from ask(s.seat(power), Redraw, Decline, point="DP-32", default=Decline.of(), n=number,
                                prompt="Put back a marker and draw another? Put back so far: {n}.")
        if isinstance(answer, Decline):
            break
        g.emit(MarkerPutBack(power=power, marker=answer.put_back(s, power), area=answer.area, face=answer.marker))
        number += 1
    if number:
        yield from first_markers(g, power, number)


def random_power(s: State, seat: Seat) -> Choose:
    """The default: a random free power [DP-01]."""
    options = Choose.options(s, seat)
    return options[-1]


def placing(g: Game[State]) -> Script[None]:
    """Five passes around the table, one unit a player and pass [SOE-2.2.1, 2.2.2]."""
    s = g.state
    number = s.parts.set_up(len(s.seats)).start_units_per_player
    for turn in range(number):
        for power in s.in_seat_order(s.first):
            answer = yield from ask(s.seat(power), Place, point="DP-02", default=usual_place, n=turn + 1, of=number,
                                    prompt="Place starting unit {n} of {of}.")
            g.emit(UnitPlaced(power=power, unit=answer.unit, area=answer.area))
    first_auction(g, s.first)


def usual_place(s: State, seat: Seat) -> Place:
    """The default: where the power has markers and fewest units; a navy if it is a colony without one [DP-02]."""
    power = s.power(seat)
    order = list(s.parts.area)

    def rank(area: str) -> tuple[int, int, int]:
        here = sum(s.count(power, kind, area) for kind in ("army", "navy", "fort"))
        return here, -s.markers[power][area], order.index(area)

    area = min(s.markers[power], key=rank) if s.markers[power] else order[0]
    colony = s.parts.area[area].colony
    wanted = "navy" if colony and not s.count(power, "navy", area) else "army"
    return Place.of(wanted if s.supply(power, wanted) > 0 else "army", area)


def neutrals(g: Game[State]) -> Script[None]:
    """Phase I of wars 2 and 3 [SOE-4.2.1 to 4.2.4]."""
    s = g.state
    number = to_place(s, by_players=s.options.neutrals.per_war == "by_players")
    markers = yield from draw(g, number, why="neutrals", war=g.state.war)
    if markers:
        g.emit(NeutralsPlaced(markers=markers))
    first_auction(g, s.opener)
