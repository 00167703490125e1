"""What is said of a seat that changes hands: who plays it meanwhile, and who stands in for whom."""
from __future__ import annotations

from bot.domain.announcements import member
from bot.store import Holder, Owner
from engine.kernel import Seat
from engine.players import NAMES, level_of
from engine.text import Text, text


def until_taken_over(*, caretaker: bool) -> Text:
    return text("A caretaker plays it until somebody takes it over." if caretaker else
                "Default moves are played until somebody takes it over.")


def meanwhile(seat: Seat, level: str) -> Text:
    if not level:
        return text("Meanwhile default moves are played for {seat}.", seat=seat)
    return text("Meanwhile an automatic player ({level}) plays {seat}.", seat=seat, level=NAMES[level_of(level)])


def played_automatically(level: str) -> Text:
    return text("An automatic player ({level}) plays it until the game master gives it to somebody.",
                level=NAMES[level_of(level)])


def plays_again(holder: Holder, owner: Owner) -> Text:
    return text("{member} no longer stands in for {owner}, who plays {seat} again.", member=member(holder.user or 0),
                owner=member(owner.user), seat=holder.seat)


def replaced(user: int) -> Text:
    return text("{member} stands in for you now. `/my back` takes your seat back.", member=member(user))


def relieved(owner: Owner) -> Text:
    return text("You no longer stand in for {owner}.", owner=member(owner.user))
