"""What the state of a game is made of."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from engine.kernel.model import Model


class Stateful(Model):
    """A part of a game's state: validated when it is made or loaded, then set field by field by its own game's events alone."""

    _plain: ClassVar[dict[str, Any]]        # every field, in their order, with its default
    _fresh: ClassVar[tuple[tuple[str, Callable[..., Any]], ...]]        # those whose default is made anew each time

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._plain = {name: field.default for name, field in cls.model_fields.items()}
        cls._fresh = tuple([(name, field.default_factory) for name, field in cls.model_fields.items()
                            if field.default_factory is not None])

    @classmethod
    def unchecked(cls, **values: Any) -> Self:
        """A part with these values, for facts that bring them: they were checked with the fact, and are not again.

        Fields that are not named begin as they do for every part; none that has no default may be left out.
        """
        made = cls.__new__(cls)
        fields = made.__dict__
        fields.update(cls._plain)
        for name, make in cls._fresh:
            fields[name] = make()
        fields.update(values)
        return made

    def copied(self) -> Self:
        """A copy with lists and dictionaries of its own; parts of it that are models are the same."""
        made = type(self).__new__(type(self))
        made.__dict__.update([(name, value.copy() if type(value) in (list, dict) else value)
                              for name, value in self.__dict__.items()])
        return made
