"""When the players of a game can vote to replace one of them who is gone, and how many must agree: rules as data. Pure.

Whether a seat has answered under seal is nobody's business [P-28], so nothing here is reckoned from such an answer before all are
in.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from bot.domain.presence import Presence
from bot.domain.waking_hours import Hours, Span
from engine.text import Text, count, text

Agreement = Literal["half", "all"]      # more than half of those who are there, or all of them

HEARING = timedelta(days=1)             # that the player has in any case to say something
VOTING = timedelta(days=3)              # after which a vote that was not carried is over
ALONE = 2                               # times as long as usual: if one player alone would decide


@dataclass(frozen=True, slots=True)
class ReplacementRules:
    """When players can vote to replace one of them."""

    days: int                   # without a move before a vote can begin; 0: they can't
    agreement: Agreement

    def silence(self, voters: int) -> timedelta:
        """How long a player must have been silent before so many others can vote."""
        return timedelta(days=self.days * (ALONE if voters == 1 else 1))

    def needed(self, voters: int) -> int:
        """How many of so many must agree."""
        return max(voters, 1) if self.agreement == "all" else voters // 2 + 1

    def sentence(self, players: int) -> Text:
        """The rules for people, in a game of so many players."""
        if not self.days:
            return text("The players can't vote to replace anybody.")
        if players == 2:
            return text("If somebody makes no move for {days}, the other player can replace them.",
                        days=count(self.silence(1).days, "{n} day", "{n} days"))
        return text("If somebody makes no move for {days}, the players can vote to replace them. {who} must agree.",
                    days=count(self.days, "{n} day", "{n} days"),
                    who=text("More than half of the others") if self.agreement == "half" else text("All others"))


AGREEMENTS: tuple[Agreement, ...] = get_args(Agreement)
CHOICES = (*[ReplacementRules(days, agreement) for agreement in AGREEMENTS for days in (3, 7, 14)], ReplacementRules(0, "half"))
USUAL = ReplacementRules(7, "half")     # of a new game


def silent_for(presence: Presence, *, wanted: datetime | None, heard: datetime | None,
               away: tuple[Span, ...]) -> timedelta | None:
    """How long a player has kept the others waiting, without vacations and what the bot was off; None: not at all, or on vacation
    now.

    `wanted`: since when a move of the player has been missing; `heard`: when a vote about the player was last over.
    """
    now = presence.now
    if wanted is None or any(gone <= now < back for gone, back in away):
        return None
    since = wanted if heard is None else max(wanted, heard)
    return Hours(away=tuple(sorted([*away, *presence.off]))).between(since, now) if since < now else timedelta()


def carried(ballots: Mapping[int, bool], players: Collection[int], needed: int) -> bool:
    """Whether enough of those who still play agree."""
    return sum(ballots.get(user, False) for user in players) >= needed


def hopeless(ballots: Mapping[int, bool], players: Collection[int], needed: int) -> bool:
    """Whether too many are against it."""
    return sum(ballots.get(user, True) for user in players) < needed
