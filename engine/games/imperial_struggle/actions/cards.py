"""Playing an event (chapter 13)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.rules.playing import bonus_comes, plays, require_play
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.cards import condition, phrase
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


class PlayEvent(Action):
    """Play an event from your hand; you may turn up a ministry for its bonus."""

    verb: ClassVar[str] = "event"
    secret: ClassVar[bool] = True
    event: str = Field(description="Which event?")
    reveal: str = Field(description="Which ministry do you turn up for the bonus?")
    waiver: str = Field(description="Which ministry lets you play it on this tile?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[PlayEvent]:
        for way in plays(s, s.power(seat)):
            yield cls.of(*way)

    def check(self, s: State, seat: Seat) -> None:
        require_play(s, s.power(seat), self.event, self.reveal, self.waiver)

    def outlook(self, s: State, seat: Seat) -> Text | None:
        side, card = s.power(seat), s.parts.event[self.event]
        half = card.half(side)
        if half.bonus is None or not bonus_comes(s, side, card, self.reveal):
            return phrase(half.base)
        return text("{base}; bonus: {bonus}", base=phrase(half.base), bonus=phrase(half.bonus))

    def meets(self, s: State, seat: Seat) -> Text | None:
        card = s.parts.event[self.event]
        half = card.half(s.power(seat))
        if half.bonus is None or card.bonus_condition is None or bonus_comes(s, s.power(seat), card, self.reveal):
            return self.outlook(s, seat)
        return text("{base}; no bonus without {condition}", base=phrase(half.base), condition=condition(card.bonus_condition))

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return bool(s.own[s.power(seat)].hand)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        hand = s.own[s.power(seat)].hand
        if not hand:
            raise Illegal("You have no event in your hand.", rule="IS-13.1")
        require_play(s, s.power(seat), hand[0], "", "")

    def label(self) -> Text:
        aids = tuple(text("{aid}", aid=aid) for aid in (self.reveal, self.waiver.rpartition(".")[0]) if aid)
        if aids:
            return text("{event}, with {aids}", event=self.event, aids=aids)
        return text("{event}", event=self.event)
