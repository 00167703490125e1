"""What is said of a seat that changes hands: who plays it meanwhile, and who stands in for whom."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.domain.announcements import member
from bot.store import Holder, Owner
from engine.kernel import Seat
from engine.players import NAMES, level_of
from engine.text import Reader, Text, count, text


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


def joined(holders: Sequence[Holder]) -> list[Text]:
    """Who has joined a game: members, and how many automatic players of each strength."""
    levels = Counter(holder.level for holder in holders if holder.user is None and holder.level)
    return [*[member(holder.user) for holder in holders if holder.user is not None],
            *[count(n, "an automatic player ({level})", "{n} automatic players ({level})", level=NAMES[level_of(level)])
              for level, n in levels.items()]]


def seated(holders: Sequence[Holder], who: Reader) -> list[Text]:
    """Who plays what from the start; only who plays, as long as a seat is called by its number."""
    if all(who.name(holder.seat) == holder.seat.replace("_", " ").capitalize() for holder in holders):
        return joined(holders)
    return [text("{seat} ({member})", seat=holder.seat, member=member(holder.user)) if holder.user is not None else
            text("{seat} (automatic, {level})", seat=holder.seat, level=NAMES[level_of(holder.level)]) for holder in holders]
