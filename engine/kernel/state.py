"""What the state of a game is made of."""
from __future__ import annotations

from typing import Self

from engine.kernel.model import Model


class Stateful(Model):
    """A part of a game's state: validated when it is made or loaded, then set field by field by its own game's events alone."""

    def copied(self) -> Self:
        """A copy with lists and dictionaries of its own; parts of it that are models are the same."""
        return self.model_validate(self.__dict__)


def unused(value: object) -> bool:
    """Whether a field says nothing: what a game does not use is left out of its JSON, so that earlier games keep their hashes."""
    return not value
