"""Values that never change, each kept once: the same fields give the same object, which knows its text."""
from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import ConfigDict

from engine.kernel.model import Model

MOST = 10_000           # values kept at a time, about 6 MB


def unchanging(annotation: Any) -> bool:
    """True if values of a type never change, and are equal only if their JSON is: 1 and True are equal, too."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (tuple, Union, UnionType):
        return all(map(unchanging, parts)) and not {int, bool} <= {*parts}
    if (kind := getattr(annotation, "__dataclass_params__", None)) is not None:
        return kind.frozen and all(map(unchanging, get_type_hints(annotation).values()))
    return origin is Literal or getattr(annotation, "__supertype__", annotation) in (str, int, bool, NoneType, ...)


if TYPE_CHECKING:
    class Interned(Model):
        """To a type checker a Model; see below."""

        def stored(self) -> str: ...

    def as_written(value: Interned) -> str: ...
else:
    class _Kind(type):
        """Of classes that have a field whose values change: every value is made anew."""

    class _Interning(_Kind):
        """Of classes all of whose fields are unchanging: a value is validated and made only if it is not known."""

        __call__ = lru_cache(maxsize=MOST)(type.__call__)

    class Interned(Model, metaclass=_Interning):
        """Most facts of a game recur: whose turn it is, which action is spent. They are neither validated nor written again."""

        __slots__ = ("_stored",)
        model_config = ConfigDict(frozen=True, extra="forbid")

        def __init_subclass__(cls, **kwargs):
            super().__init_subclass__(**kwargs)
            cls.tag = vars(cls).get("tag") or cls.__name__
            cls._head = f'{{"is":"{cls.tag}"'
            if not all(unchanging(field.annotation) for field in cls.model_fields.values()):
                cls.__class__ = _Kind

        def stored(self):
            """The value as JSON with the tag of its class."""
            if type(type(self)) is _Kind:
                return self._text()
            try:
                return self._stored
            except AttributeError:
                _set_stored(self, text := self._text())
                return text

        def _text(self):
            body = self.__pydantic_serializer__.to_json(self).decode()          # as `model_dump_json`, without its many options
            return f"{self._head}}}" if body == "{}" else f"{self._head},{body[1:]}"

    _set_stored = Interned._stored.__set__
    as_written = attrgetter("_stored")      # the text of a value that has been written before; else AttributeError
