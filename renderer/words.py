"""Words that are drawn, in the language spoken now."""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from engine.text import LANGUAGE

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")


def spoken(maxsize: int) -> Callable[[Callable[..., T]], _lru_cache_wrapper[T]]:
    """As `lru_cache`, for what has words: each result is kept with its language; `maxsize` is for all of them together."""
    def keeping(draws: Callable[..., T]) -> _lru_cache_wrapper[T]:
        kept = lru_cache(maxsize=maxsize)(lambda _, *values, **named: draws(*values, **named))

        @wraps(draws)
        def drawn(*values: Any, **named: Any) -> T:
            return kept(LANGUAGE.get(), *values, **named)

        drawn.__dict__.update(kept=kept, cache_info=kept.cache_info, cache_clear=kept.cache_clear)
        return cast("_lru_cache_wrapper[T]", drawn)

    return keeping


def on_map(name: str) -> tuple[str, ...]:
    """A name as a map has it: in lines, perhaps shortened."""
    return tuple(LANGUAGE.get().named(name, "map").split("\n"))


def short_name(name: str) -> str:
    """The same in one line."""
    return " ".join(on_map(name))
