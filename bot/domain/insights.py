"""Who may be shown the secrets of which seat: the one rule, as a pure function, through which every way of showing them goes.

Games have a past in common if one goes on from a row of the other, or both from a third one: together they are a circle, and a
seat is the same seat in all of them. Whoever has been let into the secrets of one seat of a circle is shown no other seat's as
long as one of its games runs, unless that was agreed to: by the holder of the other seat, by the table, or by the option with
which the game was opened.
"""
from __future__ import annotations

from dataclasses import dataclass

from engine.kernel import Seat


@dataclass(frozen=True, kw_only=True)
class Insight:
    """A member has been let into the secrets of a seat: by holding it, or by looking at them as a game master.

    A game master who was named by a player while the game ran is taken for one with that player, whose seats count as held.
    """

    seat: Seat
    user: int
    held: bool
    agreed: bool


@dataclass(frozen=True, kw_only=True)
class SharedPast:
    """Games with a past in common, as far as the secrets of their seats go."""

    running: bool                       # one of them is not at its end
    insights: tuple[Insight, ...]       # the oldest first

    def known_to(self, user: int) -> list[Insight]:
        """Return what a member has been let into, the oldest first; nothing once all these games have ended."""
        return [known for known in self.insights if known.user == user] if self.running else []


def may_be_shown(circle: SharedPast, seat: Seat, user: int) -> bool:
    """True if a member who has this seat may be shown its secrets: it is the first one, or the others have agreed."""
    known = circle.known_to(user)
    return not known or known[0].seat == seat or any(one.seat == seat and one.agreed for one in known)


def knows_besides(circle: SharedPast, seat: Seat, user: int) -> bool:
    """True if a member knows another seat's secrets, so that getting this seat has to be agreed to."""
    return any(one.seat != seat for one in circle.known_to(user))


def plays(circle: SharedPast, user: int) -> bool:
    """True if a member is on the side of a seat, by having held it or by having been named game master by somebody who has."""
    return any(one.held for one in circle.known_to(user))
