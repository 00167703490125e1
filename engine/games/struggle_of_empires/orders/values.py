"""What answers and conditions can name: areas, powers, units, tiles; and which options offer them."""
from __future__ import annotations

from collections.abc import Sequence

from engine.games.struggle_of_empires.actions import FREE_BUILDS, RANDOM
from engine.games.struggle_of_empires.components import PIRATES, REVOLT, UNITS
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.kernel import Seat

NEUTRAL = "neutral"                         # as the target of an attack: any neutral marker
WON, TIED, LOST = "won", "tied", "lost"


def areas(s: State, seat: Seat) -> Sequence[str]:
    return tuple(s.parts.area)


def places(s: State, seat: Seat) -> Sequence[str]:
    own = s.power(seat)
    return (*((own,) if own else ()), *s.parts.area)


def colonies(s: State, seat: Seat) -> Sequence[str]:
    return s.parts.colonies


def players(s: State, seat: Seat) -> Sequence[str]:
    """The powers of all players; before they are chosen, all that there are."""
    return tuple(power for power in s.powers if power) if all(s.powers) and s.powers else s.parts.powers


def other_players(s: State, seat: Seat) -> Sequence[str]:
    own = s.power(seat)
    return tuple(power for power in players(s, seat) if power != own)


def allies(s: State, seat: Seat) -> Sequence[str]:
    """The players who may help in attacks: no enemies, unless there is nobody else."""
    enemies = s.enemies(s.power(seat))
    return tuple(power for power in other_players(s, seat) if power not in enemies) or other_players(s, seat)


def powers(s: State, seat: Seat) -> Sequence[str]:
    """All powers of the game, those that nobody plays too."""
    return (*players(s, seat), *s.npps)


def others(s: State, seat: Seat) -> Sequence[str]:
    return (*other_players(s, seat), *s.npps)


def free_powers(s: State, seat: Seat) -> Sequence[str]:
    return (*s.parts.powers, RANDOM)


def foes(s: State, seat: Seat) -> Sequence[str]:
    return (*powers(s, seat), NEUTRAL, *TOKENS)


def targets(s: State, seat: Seat) -> Sequence[str]:
    faces = dict.fromkeys(marker.face for marker in s.parts.country_counters if marker.strength)
    return (*others(s, seat), *faces, *TOKENS)


def unit_kinds(s: State, seat: Seat) -> Sequence[str]:
    return UNITS


def takeable(s: State, seat: Seat) -> Sequence[str]:
    """All tiles that need no target."""
    return tuple(tile.id for tile in s.parts.tiles if tile.count and tile.id not in TOKENS and s.in_play(tile))


def alliances(s: State, seat: Seat) -> Sequence[str]:
    """The alliances with minor states: places for local ones, or tiles."""
    return tuple(s.parts.local_alliance) if local(s) else tuple(tile.id for tile in s.parts.alliances)


def local(s: State) -> bool:
    """True if alliances are local ones (SOE-13.2)."""
    return s.options.alliance.mode == "local"


def with_tokens(s: State) -> bool:
    """True if Pirates and the revolt are tokens (SOE-14.1.2)."""
    return s.options.covert.mode == "tokens"


def with_raid_tiles(s: State) -> bool:
    """True if Pirates and the revolt are tiles (SOE-14.1.1)."""
    return not with_tokens(s)


def asked_at_once(s: State) -> bool:
    """True if all reactions before the dice are asked together (SOE-20.1.8)."""
    return s.options.reactions.parallel


def one_by_one(s: State) -> bool:
    return not asked_at_once(s)


def choosing_sea(s: State) -> bool:
    """True if an attacker with an army may fight at sea alone (AMB-28)."""
    return s.options.attack.naval_only_with_army


def mending(s: State) -> bool:
    """True if gold can mend a crossing (SOE-8.4.3)."""
    return s.options.cross.rescue_gold


def calling(s: State) -> bool:
    """True if a principal says whom it calls (SOE-9.4.3, AMB-30)."""
    return not s.options.help.auto_call


def army_or_fort(s: State) -> bool:
    """True if somebody chooses between the loss of an army and of a fort (SOE-9.10.8, AMB-37)."""
    return not s.options.loss.army_first


def redrawing(s: State) -> bool:
    """True if first markers can be drawn anew (SOE-2.1.9)."""
    return s.options.setup.redraw


def companies(s: State, seat: Seat) -> Sequence[str]:
    return tuple(tile.id for tile in s.parts.tiles if tile.effect == "company_income")


def placeable(s: State, seat: Seat) -> Sequence[str]:
    """The tiles that build a unit for free somewhere, and Blockade."""
    return tuple(s.parts.by_effect[effect] for effect in (*FREE_BUILDS, "blockade"))


def tokens(s: State, seat: Seat) -> Sequence[str]:
    return (PIRATES, REVOLT)


def results(s: State, seat: Seat) -> Sequence[str]:
    return (WON, TIED, LOST)


def stages(s: State, seat: Seat) -> Sequence[str]:
    return ("sea", "land")
