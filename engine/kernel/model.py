"""Values made of named fields that pydantic checks: states, facts, answers, components, options."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import FrozenInstanceError
from functools import partial
from operator import eq
from typing import Any, ClassVar, NoReturn, Self, dataclass_transform

from pydantic import BaseModel, ConfigDict, Field
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

ATOMS = frozenset((str, int, bool, float, type(None)))          # values without parts


def later(*, default: Any, **more: Any) -> Any:
    """A field that came with a later version: its default is left out of JSON, so that earlier games keep their hashes."""
    if type(default) in (list, dict):
        return Field(default_factory=type(default), exclude_if=partial(eq, default), **more)        # sooner made than copied
    return Field(default=default, exclude_if=partial(eq, default), **more)


def _frozen(self: Model, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"{type(self).__name__}.{name} never changes")


def _apart(value: Any) -> Any:
    """A copy as `deepcopy` makes it of a value of a state, sooner: such values are trees, as in JSON; the frozen are shared."""
    kind = type(value)
    if kind in ATOMS:
        return value
    if kind is dict:
        return {key: _apart(part) for key, part in value.items()}
    if kind is list:
        return [_apart(part) for part in value]
    if kind is tuple:
        return tuple([_apart(part) for part in value])
    if isinstance(value, (Model, BaseModel)) and value.model_config.get("frozen"):
        return value
    return value.model_copy(deep=True) if isinstance(value, Model) else deepcopy(value)


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(Field, later))
class Model:
    """A pydantic dataclass with the names of a BaseModel, which it is not: its attributes are read twice as fast.

    A BaseModel answers for attributes that are missing (`__getattr__`), so Python looks up every field and method of it the
    slow way. What inherits from this directly has no fields: it is what the classes below it share.
    """

    model_config: ClassVar[ConfigDict] = {}
    model_fields: ClassVar[Mapping[str, FieldInfo]] = {}
    __pydantic_validator__: ClassVar[Any]
    __pydantic_serializer__: ClassVar[Any]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if Model in cls.__bases__:
            if cls.model_config.get("frozen"):
                cls.__setattr__ = cls.__delattr__ = _frozen     # type: ignore[method-assign, assignment]
            else:
                cls.__hash__ = None                             # type: ignore[method-assign, assignment]
            return
        for name in cls.__annotations__:
            if type(value := vars(cls).get(name)) in (list, dict) and not value:
                setattr(cls, name, Field(default_factory=type(value)))      # sooner made than copied
        cls.__doc__ = vars(cls).get("__doc__") or cls.__name__          # or the dataclass looks for a signature
        dataclass(cls, config=ConfigDict(**{**cls.model_config, "frozen": False}), kw_only=True, eq=False, repr=False)
        cls.__init__ = Model.__init__                           # type: ignore[method-assign]
        cls.model_fields = cls.__pydantic_fields__              # type: ignore[attr-defined]

    def __init__(self, /, **values: Any) -> None:
        self.__pydantic_validator__.validate_python(values, self_instance=self)         # sooner than pydantic's own

    @classmethod
    def model_validate(cls, values: object) -> Self:
        made: Self = cls.__pydantic_validator__.validate_python(values)
        return made

    @classmethod
    def model_validate_json(cls, body: str | bytes) -> Self:
        made: Self = cls.__pydantic_validator__.validate_json(body)
        return made

    @classmethod
    def model_construct(cls, **values: Any) -> Self:
        made = cls.__new__(cls)
        made.__dict__.update(values)
        return made

    def model_copy(self, *, update: Mapping[str, Any] = {}, deep: bool = False) -> Self:
        made = self.model_construct(**(_apart(self.__dict__) if deep else self.__dict__))
        made.__dict__.update(update)
        return made

    def model_dump(self, **how: Any) -> dict[str, Any]:
        body: dict[str, Any] = self.__pydantic_serializer__.to_python(self, **how)
        return body

    def model_dump_json(self, **how: Any) -> str:
        return str(self.__pydantic_serializer__.to_json(self, **how), "utf-8")

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(self.__dict__.items())

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.__dict__ == other.__dict__)

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in self.__dict__.items()])})"


class Record(Model):
    """Something of a game's components that never changes, as the data has it; what the rules do not know is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def _told(self) -> list[object]:
        """The values of its fields; look-ups that have been made from them since say nothing of their own."""
        return [getattr(self, name) for name in type(self).model_fields]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Record) and type(self) is type(other) and self._told() == other._told())

    def __hash__(self) -> int:
        return hash((type(self), *self._told()))


class OptionGroup(Model):
    """Options of a game, or a group of them; an unknown one is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
