"""What is stored in one transaction when something has happened at a table; features say what they add to it."""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.core.live_table import LiveTable
from bot.domain.languages import Languages
from bot.store import Ledger, Status
from engine.kernel import Entry, Seat
from engine.text import Reader


@dataclass(frozen=True, kw_only=True)
class Commit:
    """What has happened at a table, about to be stored."""

    live: LiveTable                     # its row and what was told are those from before
    entries: Sequence[Entry]            # the new rows, oldest first
    returned: bool                      # the game has gone back or forth in its log
    status: Status                      # of the game from now on
    ends: bool
    expected: Mapping[Seat, str]        # seats that answer by order after a while -> when
    quiet: Collection[Seat]             # seats whose players moved just before this, as everybody knows: nothing need call them
    who: Reader                         # everybody, in the game's language
    languages: Languages
    at: str


Stop: TypeAlias = Callable[[Ledger, int, Status, str], None]       # nobody is asked any more: the game, its status, the time
CommitPart: TypeAlias = Callable[[Ledger, Commit], None]        # what a feature adds, in the store's thread
