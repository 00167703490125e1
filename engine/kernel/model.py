"""Values made of named fields that pydantic checks: states, facts, answers, components, options."""
from __future__ import annotations

from copy import deepcopy
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field
from pydantic.dataclasses import dataclass

if TYPE_CHECKING:
    class Model(BaseModel):
        """To a type checker a BaseModel; see below."""
else:
    ATOMS = frozenset((str, int, bool, float, type(None)))          # values without parts

    def _frozen(self, name, *value):
        raise FrozenInstanceError(f"{type(self).__name__}.{name} never changes")

    def _apart(value):
        """What `deepcopy` makes of a value of a state, sooner: such values are trees, as in JSON; the frozen are shared."""
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

    class Model:
        """What a BaseModel is, under the same names, as a pydantic dataclass: its attributes are read twice as fast.

        A BaseModel answers for attributes that are missing (`__getattr__`), so Python looks up every field and method of it the
        slow way. What inherits from this directly has no fields: it is what the classes below it share.
        """

        model_config = {}
        model_fields = {}

        def __init_subclass__(cls, **kwargs):
            super().__init_subclass__(**kwargs)
            if Model in cls.__bases__:
                if cls.model_config.get("frozen"):
                    cls.__setattr__ = cls.__delattr__ = _frozen
                else:
                    cls.__hash__ = None
                return
            for name in cls.__annotations__:
                if type(value := vars(cls).get(name)) in (list, dict) and not value:
                    setattr(cls, name, Field(default_factory=type(value)))      # sooner made than copied
            cls.__doc__ = vars(cls).get("__doc__") or cls.__name__          # or the dataclass looks for a signature
            dataclass(cls, config=cls.model_config | {"frozen": False}, kw_only=True, eq=False, repr=False)
            cls.__init__ = Model.__init__
            cls.model_fields = cls.__pydantic_fields__

        def __init__(self, /, **values):
            self.__pydantic_validator__.validate_python(values, self_instance=self)         # sooner than pydantic's own

        @classmethod
        def model_validate(cls, values):
            return cls.__pydantic_validator__.validate_python(values)

        @classmethod
        def model_validate_json(cls, body):
            return cls.__pydantic_validator__.validate_json(body)

        @classmethod
        def model_construct(cls, **values):
            """A value of all these fields, unchecked."""
            made = cls.__new__(cls)
            made.__dict__.update(values)
            return made

        def model_copy(self, *, update=(), deep=False):
            made = self.model_construct(**(_apart(self.__dict__) if deep else self.__dict__))
            made.__dict__.update(update)
            return made

        def model_dump(self, **how):
            return self.__pydantic_serializer__.to_python(self, **how)

        def model_dump_json(self, **how):
            return self.__pydantic_serializer__.to_json(self, **how).decode()

        def __iter__(self):
            return iter(self.__dict__.items())

        def __eq__(self, other):
            return self is other or (type(self) is type(other) and self.__dict__ == other.__dict__)

        def __hash__(self):
            return hash((type(self), *self.__dict__.values()))

        def __repr__(self):
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
