"""Chapter 14: a war turn, theater by theater. A theater settles by itself as far as no choice is open."""
from __future__ import annotations

from engine.games.imperial_struggle.actions.choices import NONE
from engine.games.imperial_struggle.components import SIDES, Side, foe
from engine.games.imperial_struggle.events.turns import PhaseBegun
from engine.games.imperial_struggle.events.wars import (
    IconApplied,
    IconsLost,
    StrengthCounted,
    TheaterOpened,
    TheaterSettled,
    TilesCarried,
    TilesReturned,
    WarBegun,
)
from engine.games.imperial_struggle.rules import spoils
from engine.games.imperial_struggle.rules.choices import choose
from engine.games.imperial_struggle.rules.control import damage_fort, remove_conflict, shift, unflag
from engine.games.imperial_struggle.rules.money import force_debt
from engine.games.imperial_struggle.rules.theaters import icon_order, icon_targets, strength, totals
from engine.games.imperial_struggle.rules.track import next_step
from engine.games.imperial_struggle.rules.victory import check_points, check_war_sweep
from engine.games.imperial_struggle.state import State
from engine.kernel import OVER, Game, Script

DEBT = 1                # of a debt icon [IS-14.4.2]
CARRIED = "carry_over_bonus_tiles"


def war(g: Game[State]) -> Script[None]:
    """A war turn: resolution, victory check, reset, layout, and the next step of the track [IS-14.1].

    One theater is one run of this phase, so that the table keeps a checkpoint before each; the last run ends the war.
    """
    s = g.state
    if s.war is None:
        g.emit(WarBegun(war=s.turn))
    if len(s.fought.results) < len(s.parts.war[s.fought.war].theaters):
        yield from theater(g, len(s.fought.results) + 1)
    elif not check_war_sweep(g) and not check_points(g):            # IS-14.13
        reset(g)
        next_step(g)
        if s.phase != OVER and s.next_war is not None:
            g.emit(PhaseBegun(phase="layout"))


def theater(g: Game[State], number: int) -> Script[None]:
    """One theater: tiles, icons, strength, result, spoils [IS-14.3 to 14.7]."""
    s = g.state
    here = s.parts.war[s.fought.war].theater(number)
    shown = {side: tuple(s.own[side].tiles[number - 1]) for side in SIDES}
    order = icon_order(s)
    g.emit(TheaterOpened(theater=here.id, number=number, britain=shown["britain"], france=shown["france"], order=order))
    for side in order:
        yield from icons(g, side)
    count_strength(g)
    if settle(g):
        yield from spoils.spoils(g)
        yield from shifts_in_spain(g)


# --- icons --------------------------------------------------------------------------------------------------------

def icons(g: Game[State], side: Side) -> Script[None]:
    """A side works off its icons: debt first, then the others in the order that it likes [IS-14.4, R-41]."""
    s = g.state
    for tile in [tile for tile in s.fought.icons[side] if s.parts.war_tile[tile].icon == "debt"]:
        g.emit(IconApplied(side=side, tile=tile))
        force_debt(g, foe(side), DEBT, s.theater.id)
    declined = False
    while not declined and (able := icon_targets(s, side)):
        space = yield from choose(g, side, able, point="IS-18.21", what="icon", source=s.theater.id, optional=True,
                                  prompt="What do your war tiles hit? None gives up the rest.")
        declined = not space
        if space:
            g.emit(IconApplied(side=side, tile=able[space]))
            if s.space(space).type == "fort":
                damage_fort(g, space)
            else:
                unflag(g, space)
    if s.fought.icons[side]:
        g.emit(IconsLost(side=side, tiles=tuple(s.fought.icons[side]), given_up=declined))


# --- result -------------------------------------------------------------------------------------------------------

def count_strength(g: Game[State]) -> None:
    """Both sides' strength, line by line [IS-14.5]."""
    s = g.state
    for side in SIDES:
        lines = strength(s, s.theater, side)
        g.emit(StrengthCounted(side=side, lines=tuple(lines), total=sum(line.amount for line in lines)))


def settle(g: Game[State]) -> bool:
    """True if somebody wins the theater; the fact says by how much, and which spoils are to be used [IS-14.6, 14.7.1]."""
    s = g.state
    here, total = s.theater, totals(s)
    margin = abs(total.britain - total.france)
    if not margin:
        g.emit(TheaterSettled(theater=here.id, strength=total, winner="", margin=0, highest=False))
        return False
    winner: Side = "britain" if total.britain > total.france else "france"
    row = here.row(winner, margin)
    gain = row.winner
    g.emit(TheaterSettled(
        theater=here.id, strength=total, winner=winner, margin=margin, highest=row == here.rows(winner)[-1], cp=gain.cp,
        unflag=gain.unflag.count if gain.unflag is not None else 0,
        losses=spoils.losses(here.special, gain.loser_squadrons_to_unbuilt, margin)))
    return True


def shifts_in_spain(g: Game[State]) -> Script[None]:
    """A free shift in Spain for each uncontrolled territory there that the winner has taken from nobody [IS-19.1]."""
    s = g.state
    for _ in list(s.fought.vacant):
        assert s.fought.winner, "nobody has taken it"
        loser = foe(s.fought.winner)
        able = [space for space in s.parts.country["spain"].spaces if not s.controls(loser, space)]
        space = yield from choose(g, loser, able, point="IS-19.1", what="shift", source=s.theater.id, optional=True, default=NONE,
                                  prompt="Which space in Spain do you shift?")
        if space:
            shift(g, loser, space)


# --- after the war ------------------------------------------------------------------------------------------------

def reset(g: Game[State]) -> None:
    """Markers that lent strength go; tiles go back to their pools or leave [IS-14.10, 14.11]."""
    s = g.state
    for space in [space for space in s.fought.counted if space in s.conflict]:
        remove_conflict(g, space)
    for special in s.parts.war[s.fought.war].special:
        if special.effect == CARRIED:
            for side in SIDES:
                standing = sum(not s.parts.war_tile[tile].basic for there in s.own[side].tiles for tile in there)
                if standing:
                    g.emit(TilesCarried(side=side, tiles=min(special.max, standing)))
    g.emit(TilesReturned())
