"""What the state of a game is made of."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, Field


class Stateful(BaseModel):
    """A part of a game's state: validated when it is made or loaded, then set field by field by its own game's events alone."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Have an empty list or dictionary made where a field begins with one: pydantic's copies of a default take longer."""
        for name, value in list(vars(cls).items()):
            if type(value) in (list, dict) and not value and name in cls.__annotations__:
                setattr(cls, name, Field(default_factory=type(value)))
        super().__init_subclass__(**kwargs)

    def copied(self) -> Self:
        """A copy with lists and dictionaries of its own; parts of it that are models are the same."""
        return self.model_validate(self.__dict__)

    if not TYPE_CHECKING:
        __setattr__ = object.__setattr__        # six times as fast as pydantic's own, which would note which fields were set
