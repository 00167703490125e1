"""What becomes of a request to take something back, in the transaction that changes it or overtakes it."""
from __future__ import annotations

from bot.domain.letters import RequestMessage
from bot.store import Ledger
from bot.store.undo import Ended, Request
from engine.kernel import Seat


def announce_request(ledger: Ledger, game: int, request: int, at: str) -> None:
    """The one message of a request is posted, or brought up to date."""
    ledger.outbox.add_letters(game, ledger.log.newest(game), [RequestMessage(request=request)], at)


def closed(ledger: Ledger, request: Request, how: Ended, at: str) -> None:
    ledger.undo.end_request(request.id, how)
    announce_request(ledger, request.game, request.id, at)


def left(ledger: Ledger, game: int, seat: Seat, at: str, *, free: bool) -> None:
    """A seat is another player's, or nobody's: what its player has asked for is over, and so is what nobody can agree to for it.
    Whoever still wants that asks those who are there now."""
    request = ledger.undo.open_request(game)
    if request is not None and (seat == request.seat or (free and seat in request.agreed.keys() - {request.about.get("seat")})):
        closed(ledger, request, "overtaken", at)


def overtaken(ledger: Ledger, game: int, at: str) -> None:
    """The game has gone on: nobody has agreed to take back what is new, so the request that waited is over."""
    request = ledger.undo.open_request(game)
    if request is not None and request.kind == "undo":
        closed(ledger, request, "overtaken", at)
