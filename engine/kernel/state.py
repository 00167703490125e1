"""What the state of a game is made of."""
from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel


class Stateful(BaseModel):
    """A part of a game's state: validated when it is made or loaded, then set field by field by its own game's events alone."""

    if not TYPE_CHECKING:
        __setattr__ = object.__setattr__        # six times as fast as pydantic's own, which would note which fields were set
