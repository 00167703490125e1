"""The answers that go on with the game: pass, end the turn, decline (chapters 5, 6)."""
from __future__ import annotations

from typing import ClassVar

from engine.games.struggle_of_empires.actions.shared import require_action
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, count, text


class Pass(Action):
    """Pass: don't outbid, or leave an action unused."""

    verb: ClassVar[str] = "pass"
    forced: ClassVar[bool] = True           # nobody can raise the highest bid that there is, so nobody is asked

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Pass]:
        return [cls.of()] if s.phase == "auction" or s.turn.actions > 0 else []

    def check(self, s: State, seat: Seat) -> None:
        if s.phase == "turn":
            require_action(s)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)

    @classmethod
    def misplaced(cls, s: State, seat: Seat) -> Illegal | None:
        if s.phase != "auction" or s.standing is not None:
            return None
        return Illegal("You open the auction, so you can't pass. Bid 0 gold or more and propose two powers.", rule="SOE-5.2.1")

    def label(self) -> Text:
        return text("Pass")

    def cost(self, s: State, seat: Seat) -> Text | None:
        return relief(s)


def relief(s: State) -> Text | None:
    """Return what passing an action brings, once a turn; nothing after an attack (SOE-15.1.3, 15.1.4, 15.1.7)."""
    if s.phase != "turn" or not s.options.turn.pass_relief or s.turn.attacked:
        return None
    points = s.parts.numbers.pass_unrest_relief
    return text("{relief} if you don't attack this turn", relief=count(points, "−{n} unrest", "−{n} unrest"))


class End(Action):
    """End your turn. Any actions left are passed."""

    verb: ClassVar[str] = "end"

    def label(self) -> Text:
        return text("End turn")

    def cost(self, s: State, seat: Seat) -> Text | None:
        return relief(s) if s.turn.actions else None        # what is left is passed (SOE-6.4.7)


class Decline(Action):
    """Decline what you are offered: a fight, a tile, one more unit or move."""

    verb: ClassVar[str] = "decline"

    def label(self) -> Text:
        return text("No")
