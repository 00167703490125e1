"""One move through the layers: load, answer, save, announce; one lock for each game. Knows no Discord."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.kernel import Action, Ask, Entry, GameSpec, Row, Seat, Table
from engine.text import Text

Status = Literal["open", "running", "paused", "over", "closed"]


@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A game as the lobby knows it."""

    id: int
    key: str                    # of its GameSpec
    edition: str
    options: Mapping[str, Any]  # changed options, as the opener gave them
    title: str                  # what people call it
    guild: int | None
    channel: int                # where it is played: a text channel or a thread
    owner: int                  # the member who opened it, a game master
    seats: int                  # how many
    status: Status
    pack_hash: str              # SHA-256 of its component data
    commitment: str             # SHA-256 of the secret of its dice
    created_at: str             # ISO 8601, UTC


@dataclass(frozen=True, kw_only=True)
class Holder:
    """Who holds a seat; `user` is None for a seat that nobody holds (its questions get their defaults at once)."""

    seat: Seat
    user: int | None
    private: bool               # wants the private direct message (opt-out: False)


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A question that waits for a person."""

    seat: Seat
    user: int | None
    ask: Ask[Any]
    asked_at: int
    since: str                  # ISO 8601, UTC: when it was asked


@dataclass(frozen=True, kw_only=True)
class Done:
    """What an answer led to: the new rows, for the short private reply; everything public is in the outbox already."""

    entries: Sequence[Entry]
    over: bool


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a rollback would take back: public sentences, oldest first, and the row to which it leads."""

    to: int
    rows: Sequence[Row]
    lines: Sequence[Text]


class Play:
    """All that the bot can do with games. Every method is one transaction, or a Refusal and no change.

    Discord's part of the bot calls these and nothing below; it sends the outbox by `pending` and `sent`.
    """

    # lobby
    async def open(self, *, key: str, edition: str, seats: int, options: Mapping[str, Any], pack: str | None, title: str,
                   guild: int | None, channel: int, owner: int) -> GameRow: ...
    async def join(self, game: int, user: int) -> Seat: ...
    async def leave(self, game: int, user: int) -> None: ...
    async def start(self, game: int, by: int) -> None: ...
    async def resign(self, game: int, user: int) -> None: ...
    async def close(self, game: int, by: int, why: str) -> None: ...
    async def pause(self, game: int, by: int) -> None: ...
    async def go_on(self, game: int, by: int) -> None: ...
    async def hand_over(self, game: int, seat: Seat, user: int, by: int) -> None: ...
    async def set_private(self, game: int, user: int, wanted: bool) -> None: ...

    # looking
    async def game(self, game: int) -> GameRow: ...
    async def games(self, *, channel: int | None = None, user: int | None = None, guild: int | None = None,
                    status: Sequence[Status] = ("open", "running", "paused")) -> list[GameRow]: ...
    async def holders(self, game: int) -> list[Holder]: ...
    async def seat_of(self, game: int, user: int) -> Seat | None: ...
    async def table(self, game: int) -> Table: ...                  # to read, never to change
    def spec(self, key: str) -> GameSpec: ...
    async def waiting(self, game: int) -> list[Waiting]: ...
    async def view(self, game: int, seat: Seat | None = None, row: int | None = None) -> Any: ...
    async def history(self, game: int, *, page: int, size: int = 15) -> tuple[list[tuple[int, str, Text]], int]: ...
    async def export(self, game: int) -> str: ...

    # moves
    async def answer(self, game: int, user: int, action: Action, *, asked_at: int | None = None) -> Done: ...

    # game master
    async def answer_for(self, game: int, seat: Seat, action: Action | None, by: int) -> Done: ...
    async def undo(self, game: int, by: int) -> Preview: ...
    async def redo(self, game: int, by: int) -> Preview: ...
    async def preview(self, game: int, to: int) -> Preview: ...
    async def rollback(self, game: int, to: int, by: int, *, fresh: bool = False) -> Preview: ...
    async def audit(self, game: int, *, page: int, size: int = 15) -> tuple[list[str], int]: ...
