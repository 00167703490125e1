"""Playing an event (chapter 13)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.rules.playing import plays, require_play
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Seat
from engine.text import Text, text


class PlayEvent(Action):
    """Play an event from your hand; you may turn up a ministry for its bonus."""

    verb: ClassVar[str] = "event"
    secret: ClassVar[bool] = True
    event: str = Field(description="The event")
    reveal: str = Field(description="A ministry that you turn up for the bonus, or none")
    waiver: str = Field(description="A ministry's ability that lets you play it on this tile, or none")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[PlayEvent]:
        for way in plays(s, s.power(seat)):
            yield cls.of(*way)

    def check(self, s: State, seat: Seat) -> None:
        require_play(s, s.power(seat), self.event, self.reveal, self.waiver)

    def label(self) -> Text:
        aids = tuple(text("{aid}", aid=aid) for aid in (self.reveal, self.waiver.rpartition(".")[0]) if aid)
        if aids:
            return text("{event}, with {aids}", event=self.event, aids=aids)
        return text("{event}", event=self.event)
