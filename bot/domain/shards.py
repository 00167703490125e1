"""Which shard looks after which server."""
from __future__ import annotations

LOWER = 22              # bits of an id that say nothing of the shard


def shard_of(guild: int, shards: int) -> int:
    """The shard to which Discord sends what happens on a server, of so many."""
    return (guild >> LOWER) % shards
