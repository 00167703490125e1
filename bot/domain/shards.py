"""Which shard looks after which server, and what one tells another of a game."""
from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

LOWER = 22              # bits of an id that say nothing of the shard


def shard_of(guild: int, shards: int) -> int:
    """The shard to which Discord sends what happens on a server, of so many."""
    return (guild >> LOWER) % shards


class ShardGame(BaseModel):
    """A game in which a member has a seat, as one shard tells another of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: int
    key: str
    title: str
    live: bool          # it has not come to its end


class ListedGame(BaseModel):
    """A game in a member's list of all games, as one shard tells another of it; what the list says of it is said by its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: int
    title: str
    standing: Literal["asked", "next", "other"]
    seat: str | None            # that the member plays now
    due: datetime | None        # when the member's answer is due, and since when it is asked for
    since: datetime | None
    words: str                  # "" of one that is not shown
