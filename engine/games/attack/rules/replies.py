"""Accepting and declining: the command of neutrals, a trade offer, an end by agreement."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.attack.rules.cards import kinds
from engine.games.attack.state import State
from engine.games.attack.words.nouns import cards
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


def missing(s: State, power: str, wanted: Iterable[str]) -> list[str]:
    """The kinds among these that a hand does not hold, each as often as it is short of it."""
    held, short = kinds(s.parts, s.hands[power]), list[str]()
    for kind in wanted:
        if kind in held:
            held.remove(kind)
        else:
            short.append(kind)
    return sorted(short)


class Answer(Action):
    """Accept or decline."""

    verb: ClassVar[str] = "answer"
    secret: ClassVar[bool] = True           # whether you could accept a deal tells which cards you have
    accept: bool = Field(description="Do you accept?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Answer]:
        if lapsed(s):
            return
        if not _obstacle(s, s.power(seat)):
            yield cls.of(True)
        yield cls.of(False)

    def check(self, s: State, seat: Seat) -> None:
        if why := lapsed(s):
            raise why
        if not self.accept:
            return
        if short := _obstacle(s, s.power(seat)):
            raise Illegal("You don't have {cards}.", rule="ATK-17.1.1", cards=cards(short))

    def label(self) -> Text:
        return text("Accept") if self.accept else text("Decline")


class Lapse(Action):
    """Drop an offer that was withdrawn or came too late."""

    verb: ClassVar[str] = "lapse"
    secret: ClassVar[bool] = True           # a deal is looked at and answered in private
    at_once: ClassVar[bool] = True

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Lapse]:
        if lapsed(s):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        if not lapsed(s):
            self.require_any(s, seat)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("The offer still stands.", rule="ATK-17.2.3")

    def label(self) -> Text:
        return text("Drop the offer")


def lapsed(s: State) -> Illegal | None:
    """Why the open offer can lead to no deal any more; None if it can, or if there is none [ATK-17.2.3, 17.4.1]."""
    if s.deal is None:
        return None
    return Illegal("The offer has been withdrawn.", rule="ATK-17.2.3") if s.deal.recalled else too_late(s)


def too_late(s: State) -> Illegal | None:
    """Why no deal can be made so near to the end; None if one can [ATK-17.4.1]."""
    in_last_rounds = s.round > s.options.rounds - s.parts.numbers.trade_ban_rounds_before_end
    if not s.options.trade_ban or not (s.time or (s.options.end_mode == "round_limit" and in_last_rounds)):
        return None
    return Illegal("There are no deals in the last round, nor in the last half hour of a timed game.", rule="ATK-17.4.1")


def _obstacle(s: State, power: str) -> list[str]:
    return missing(s, power, s.deal.take) if s.deal is not None and s.deal.partner == power else []
