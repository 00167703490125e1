"""What an operation requires of its game: a status, a seat, a row, a member who plays. Each raises Refusal otherwise."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.domain.announcements import member
from bot.store import GameRow, Holder, Status
from engine.kernel import Row, Seat
from engine.options import pace
from engine.refusals import NotAsked, Refusal
from engine.text import template

PLAYED: Sequence[Status] = ("running", "paused")
BLIND = template("You've known another seat's secrets in this game, or in one that shares its past. You can play {seat} once the "
                 "players have agreed.")


def require(row: GameRow, wanted: Sequence[Status]) -> None:
    """Raise Refusal, with what is so, unless the game is in one of these states."""
    if row.status in wanted:
        return
    raise NotAsked({
        "open": template("The game hasn't started yet."), "running": template("The game is already running."),
        "paused": template("The game is paused. Its game master can resume it."),
        "over": template("The game is over and the secret of its dice is known, so nothing can change."),
        "closed": template("The game is closed.")}[row.status])


def require_seat(holders: Iterable[Holder], seat: Seat) -> None:
    if all(holder.seat != seat for holder in holders):
        raise Refusal("This game has no seat {seat}.", seat=seat)


def require_row(rows: Sequence[Row], no: int) -> None:
    newest = rows[-1].no if rows else 0
    if not 0 <= no <= newest:
        raise Refusal("There is no step {row}. The last one is step {newest}.", row=no, newest=newest)


def holder_of(holders: Iterable[Holder], seat: Seat) -> Holder:
    return next(holder for holder in holders if holder.seat == seat)


def held_by(holders: Iterable[Holder], user: int) -> Seat:
    """The seat that a member plays. Raises Refusal."""
    for holder in holders:
        if holder.played_by(user):
            return holder.seat
        if user in holder.blind:
            raise Refusal(BLIND, seat=holder.seat)
        if holder.known_to(user):
            raise Refusal("{stand_in} stands in for you. `/my back` takes your seat back.", stand_in=member(holder.user or 0))
    raise Refusal("You have no seat in this game.")


def plays_on(row: GameRow, holders: Iterable[Holder]) -> bool:
    """True if a game goes on with automatic players alone."""
    return pace(row.options) > 0 and all(holder.level for holder in holders)
