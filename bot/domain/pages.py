"""Long lists, a page at a time."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def paged(items: Sequence[Any], page: int, size: int) -> tuple[list[Any], int]:
    """The nearest page that exists, counted from 1, and how many there are."""
    pages = -(-len(items) // size)
    first = (min(max(page, 1), max(pages, 1)) - 1) * size
    return list(items[first:first + size]), pages
