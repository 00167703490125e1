"""What a game says of the origin of its components: which values go together, and what of the rules hangs on them."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.text import Text


@dataclass(frozen=True)
class Aspect:
    """Fields of a record that have one origin together."""

    label: str                          # its name in `provenance_fields`
    name: Text                          # "price"
    effect: Text                        # what of the game it decides
    rules: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()        # "cost", or "params.areas" for one inside another; none: the label is the field
    needs: tuple[str, tuple[object, ...]] | None = None         # an option, and its values with which alone it matters
    fixed: bool = False                 # the engine does it so whatever the data say, so a data pack cannot change it
    says: Callable[[Mapping[str, Any]], Text] | None = None     # the values in words, if their names do not speak for themselves


@dataclass(frozen=True)
class Origin:
    """Records of one list of component data that are spoken of together; `list` is its name there."""

    list: str
    name: Text
    aspects: tuple[Aspect, ...]
    holds: Callable[[Mapping[str, Any]], bool] = lambda record: True            # which records of the list
    needs: tuple[str, tuple[object, ...]] | None = None         # an option, and its values with which alone they matter
