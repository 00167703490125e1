"""Chapter 3: the first state, who plays which side, the first war tiles."""
from __future__ import annotations

from engine.games.imperial_struggle.actions.turns import HIGHEST_BID, Bid, Yield
from engine.games.imperial_struggle.components import SIDES, SPAIN, Side, foe
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.events.turns import BidMade, PhaseBegun, SidesSettled
from engine.games.imperial_struggle.options import Options
from engine.games.imperial_struggle.rules import tiles
from engine.games.imperial_struggle.rules.money import gain_trp
from engine.games.imperial_struggle.state import RULES_VERSION, SideState, State
from engine.kernel import Game, Script, Seat, ask


def first_state(seats: tuple[Seat, ...], options: Options, parts: Parts) -> State:
    """The table before the first tile is drawn [IS-3.1 to 3.6, 3.10]; the first seat plays Britain unless sides are bid for."""
    start = parts.start
    flags: dict[str, str] = {space: side for side in SIDES for space in parts.start_of(side).flags}
    if options.spanish_empire:
        flags |= {space: SPAIN for setup in parts.optional_setup for space in setup.spanish_flags}
    own: dict[Side, SideState] = {}
    for side in SIDES:
        record = parts.start_of(side)
        own[side] = SideState(debt=start.debt_start, limit=start.debt_limit_start, trp=start.trp_start,
                              basic_pool=parts.basic_of(side), unbuilt=record.squadrons_unbuilt,
                              navy_box=record.squadrons_in_navy_box)
    state = State(
        options=options, seats=list(seats), sides=list(SIDES), vp=start.vp_start, own=own,
        flags={space.id: flags[space.id] for space in parts.spaces if space.id in flags},
        holders={tile: side for side in SIDES for tile in parts.start_of(side).advantages},
        deck=[parts.event_by_number[number].id for deck in parts.deck_by_era if deck.added_on == parts.turn_track[0].id
              for number in deck.events],
        stack=[tile.id for tile in parts.investment_tiles], initiative=start.initiative_start,
        rules_version=RULES_VERSION)
    state.parts = parts
    return state


def setup(g: Game[State]) -> Script[None]:
    """Treaty points of a handicap, and the choice of sides if they are bid for [IS-19.4, 19.5]."""
    s = g.state
    if s.options.handicap_side != "nobody":
        gain_trp(g, s.options.handicap_side, s.options.handicap, "IS-19.5")
    yield from ()
    g.emit(PhaseBegun(phase="sides" if s.options.sides == "bid" else "layout"))


def sides(g: Game[State]) -> Script[None]:
    """A rising auction for the side of one's wish, in treaty points for the other side [IS-19.4]."""
    s = g.state
    seat = Seat(s.seats[0])
    while not s.wish or s.bid < HIGHEST_BID:
        answer = yield from ask(seat, Bid, Yield, point="IS-19.4", prompt="Which side do you want, and for how many TRP?",
                                default=Bid.of("britain", 0) if not s.wish else Yield.of())
        if isinstance(answer, Yield):
            break
        g.emit(BidMade(seat=seat, side=answer.side, trp=answer.trp))
        seat = Seat(next(other for other in s.seats if other != seat))
    wish = s.wish or "britain"
    g.emit(SidesSettled(sides=tuple(wish if seat == s.bidder else foe(wish) for seat in s.seats)))
    gain_trp(g, foe(wish), s.bid, "IS-19.4")
    g.emit(PhaseBegun(phase="layout"))


def layout(g: Game[State]) -> Script[None]:
    """The war tiles of the next war [IS-3.7, 3.8, 14.12]; then a peace turn."""
    yield from tiles.layout(g)
    g.emit(PhaseBegun(phase="peace"))
