"""The one message of a vote to pause a game, or to let it go on, in the transaction that changes the vote or overtakes it."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.domain.announcements import member
from bot.domain.letters import VoteMessage
from bot.store import Ledger
from engine.text import Text, lines, text

Choice = Literal["pause", "resume"]
CHOICES: Sequence[Choice] = ("pause", "resume")
NOT = "not "                # before a choice, as it is stored: a vote against it


@dataclass(frozen=True, kw_only=True)
class Votes:
    """How a vote stands."""

    choice: Choice
    agreed: Sequence[int]       # the members who want it; the first has asked for it
    refused: Sequence[int]
    players: Collection[int]    # who can vote

    @property
    def needed(self) -> int:
        return len(self.players) // 2 + 1

    @property
    def carried(self) -> bool:
        return len(self.agreed) >= self.needed

    @property
    def hopeless(self) -> bool:
        return len(self.players) - len(self.refused) < self.needed

    def after(self, user: int, *, agrees: bool) -> Votes:
        """The same once a member has voted, perhaps otherwise than before."""
        agreed, refused = ([other for other in side if other != user] for side in (self.agreed, self.refused))
        (agreed if agrees else refused).append(user)
        return Votes(choice=self.choice, agreed=agreed, refused=refused, players=self.players)

    def message(self, end: Text | None = None, *, here: Collection[int] = ()) -> VoteMessage:
        """What its message says now; with an `end` it is closed. It calls those who are `here` and have not voted."""
        what = text("pause the game") if self.choice == "pause" else text("go on with the game")
        waiting = [user for user in self.players if user not in (*self.agreed, *self.refused)]
        told = [text("**Vote**, asked for by {asker}: {what}?", asker=member((*self.agreed, *self.refused)[0]), what=what)]
        told += [text("Agreed: {members}.", members=tuple(map(member, self.agreed)))] if self.agreed else []
        told += [text("Refused: {members}.", members=tuple(map(member, self.refused)))] if self.refused else []
        if end is not None:
            return VoteMessage(sentence=lines([*told, end]), choice=self.choice, ended=True)
        told += [text("Still to vote: {members}.", members=tuple(map(member, waiting))),
                 text("-# {needed} of {players} must agree within a day.", needed=self.needed, players=len(self.players))]
        return VoteMessage(sentence=lines(told), choice=self.choice, waiting=[one for one in waiting if one in here])


def read(ledger: Ledger, game: int, choice: Choice, players: Collection[int]) -> Votes:
    """How these players have voted about this."""
    found = [(user, what) for user, what in ledger.clocks.votes(game) if user in players]
    return Votes(choice=choice, players=players, agreed=[user for user, what in found if what == choice],
                 refused=[user for user, what in found if what == NOT + choice])


def closed(ledger: Ledger, game: int, why: Text, at: str) -> None:
    """No vote is under way any more."""
    voters = [user for user, _ in ledger.clocks.votes(game)]
    for choice in CHOICES:
        votes = read(ledger, game, choice, voters)
        if votes.agreed or votes.refused:
            ledger.outbox.add_letters(game, ledger.log.newest(game), [votes.message(why)], at)
    ledger.clocks.forget_votes(game)
