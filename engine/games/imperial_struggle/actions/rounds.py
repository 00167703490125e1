"""Answers of an action round that buy nothing: the tile, passing, the order of payment, the end (chapter 5)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.rules.track import is_last_round
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.leftovers import leftovers, until_next_turn
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


def together(sentences: Iterable[Text]) -> Text | None:
    """Several sentences as one; None for none."""
    whole: Text | None = None
    for sentence in sentences:
        whole = sentence if whole is None else text("{one} {other}", one=whole, other=sentence)
    return whole


class TakeTile(Action):
    """Take an investment tile."""

    verb: ClassVar[str] = "take"
    tile: str = Field(description="Which tile?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[TakeTile]:
        if s.round is not None and s.round.stage == "before":
            for tile in s.available:
                yield cls.of(tile)

    def check(self, s: State, seat: Seat) -> None:
        if s.current.stage != "before":
            raise Illegal("You've already taken a tile this round: {tile}.", rule="IS-5.3", tile=s.current.tile)
        if self.tile not in s.available:
            raise Illegal("{tile} isn't left. Choose one of these: {left}.", rule="IS-5.3", tile=self.tile,
                          left=tuple(s.available))

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return s.current.stage == "before"

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("You've already taken a tile this round: {tile}.", rule="IS-5.3", tile=s.current.tile)

    def label(self) -> Text:
        return text("{tile}", tile=self.tile)


class Pass(Action):
    """You use nothing of your tile, your debt falls by 2, and the round ends."""

    verb: ClassVar[str] = "pass"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Pass]:
        if s.round is not None and s.round.stage == "tile":
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        if s.current.stage == "before":
            raise Illegal("Take a tile first; then you can pass.", rule="IS-5.3")
        if s.current.stage != "tile":
            raise Illegal("You've already used part of your tile, so you can't pass.", rule="IS-5.4.2")

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return together(until_next_turn(s, seat)) if is_last_round(s) else None

    def label(self) -> Text:
        return text("Pass: debt −2")


class EndRound(Action):
    """End your action round; points left over lapse."""

    verb: ClassVar[str] = "end"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[EndRound]:
        if s.round is not None and s.round.stage in ("tile", "actions") and not s.round.owed:
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        if s.current.stage == "before":
            raise Illegal("Take a tile first.", rule="IS-5.3")
        if s.current.owed:
            raise Illegal("The purchase with {advantage} comes first.", rule="IS-11.12", advantage=s.current.owed)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return together(leftovers(s, seat))

    def label(self) -> Text:
        return text("End the round")


class PayFirst(Action):
    """Choose the points from which you pay first."""

    verb: ClassVar[str] = "pay_first"
    pool: str = Field(description="Which points are used first?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[PayFirst]:
        for pool in _choosable(s):
            yield cls.of(pool)

    def check(self, s: State, seat: Seat) -> None:
        able = _choosable(s)
        if self.pool not in able:
            raise Illegal("You can choose among: {pools}.", rule="IS-R-04", pools=tuple(able))

    def label(self) -> Text:
        return text("Pay first from {pool}", pool=self.pool)

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return bool(_choosable(s))

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("You have only one pool of each kind of points, so there is nothing to choose.", rule="IS-R-04")


def _choosable(s: State) -> list[str]:
    """The pools between which a payment can choose, of kinds of which there are several; of pools alike the first [IS-R-04]."""
    if s.round is None or s.round.stage == "before":
        return []
    left = [pool for pool in s.round.pools if pool.points]
    kinds = [pool.kind for pool in left]
    found: dict[object, str] = {}
    for pool in left:
        if kinds.count(pool.kind) > 1:
            found.setdefault((pool.kind, pool.points, pool.source, pool.action, str(pool.limit)), pool.id)
    return [id for id in found.values() if id != s.round.first]
