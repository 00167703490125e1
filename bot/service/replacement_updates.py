"""What becomes of a vote to replace a player, in the transaction that changes it or overtakes it."""
from __future__ import annotations

from collections.abc import Collection

from bot.domain.absence import hopeless
from bot.domain.letters import ReplacementVote
from bot.store import Ledger
from bot.store.gone_players import Replacement, Result
from engine.kernel import Seat, Table


def announce_vote(ledger: Ledger, vote: Replacement, at: str) -> None:
    """The one message of a vote is posted, or brought up to date."""
    ledger.outbox.add_letters(vote.game, ledger.log.newest(vote.game), [ReplacementVote(replacement=vote.id)], at)


def closed(ledger: Ledger, vote: Replacement, how: Result, at: str) -> None:
    ledger.gone_players.end_replacement(vote.id, how, at)
    announce_vote(ledger, vote, at)


def reseated(ledger: Ledger, game: int, seat: Seat, at: str, *, moved: bool) -> None:
    """A seat has changed hands, or its player has said something of it: nobody votes about that player any more."""
    for vote in ledger.gone_players.open_replacements(game):
        if vote.seat == seat:
            closed(ledger, vote, "over" if moved else "here", at)


def stranded(ledger: Ledger, game: int, players: Collection[int], at: str) -> None:
    """Somebody has left: votes that need more players than there are now are over, so that others can begin."""
    for vote in ledger.gone_players.open_replacements(game):
        if hopeless(ledger.gone_players.ballots(vote.id), [user for user in players if user != vote.user], vote.needed):
            closed(ledger, vote, "over", at)


def moved(ledger: Ledger, game: int, table: Table, at: str) -> None:
    """The players about whom the others vote have moved, as everybody may know: those votes are over."""
    for vote in ledger.gone_players.open_replacements(game):
        if ledger.gone_players.moved_since(game, vote.seat, vote.newest, table.public_no):
            closed(ledger, vote, "moved", at)
