"""What one seat, or the public, may see (chapter 17); built from nothing, with no field for anybody else's secret."""
from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from engine.games.imperial_struggle.state import State
from engine.kernel import Seat


class Seen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class View(Seen):
    turn: str
    vp: int
    seat: str | None


def view(s: State, seat: Seat | None) -> View:
    """The table as this seat, or the public, may see it now."""
    return View(turn=s.turn, vp=s.vp, seat=seat)
