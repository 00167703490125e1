"""A careless change that the search for what a kill costs must find: letters that are stored beside the rows they speak of."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from bot.store import Ledger
from tests.bot.frail import FrailStore


@contextmanager
def in_two_transactions(work_of: str = "save") -> Iterator[None]:
    """The letters of an answer are stored after its rows, by themselves; or those of what has another name."""
    real = FrailStore.write

    async def write(self: FrailStore, work: Callable[[Ledger], Any], *, delivers: bool = False) -> Any:
        later: list[tuple[Any, ...]] = []

        def first(ledger: Any) -> Any:
            with patch.object(ledger, "add_letters", lambda *letters: later.append(letters)):
                return work(ledger)

        def second(ledger: Ledger) -> None:
            for letters in later:
                ledger.add_letters(*letters)

        if getattr(work, "__name__", "") != work_of:
            return await real(self, work, delivers=delivers)
        result = await real(self, first)
        await real(self, second)
        return result

    with patch.object(FrailStore, "write", write):
        yield
